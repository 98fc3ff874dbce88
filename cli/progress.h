/* Progress on stderr: one line, redrawn on a terminal; lines a second apart where --progress asks for it elsewhere. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "netpram/netpram.h"

typedef struct cli_progress {
    bool on, terminal;
    double start, last; /* seconds; of the work, of the last line */
    size_t drawn;       /* characters on the line */
} cli_progress;

/* On if stderr is a terminal or `force`, unless `quiet`. */
void cli_progress_init(cli_progress *progress, bool force, bool quiet);

/* So much of the work, 0..1, is done; `what` says how far in words. */
void cli_progress_share(cli_progress *progress, double share, const char *what);

/* The work is done, or st says why not: wipes the line, tells, and returns the exit status. Work that a signal
 * cancelled ends the program. */
int cli_progress_end(cli_progress *progress, np_status st) NP_CHECKED;

/* Wipes the line. */
void cli_progress_clear(cli_progress *progress);

#endif
