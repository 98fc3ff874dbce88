/* Progress on stderr: on a terminal one line, redrawn; elsewhere, if --progress asks for it, lines a second apart. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "netpram/netpram.h"

typedef struct cli_progress {
    bool on, terminal;
    double start, last; /* times in seconds: of the start of the work, of the last line */
    size_t drawn;       /* characters on the line */
} cli_progress;

/* Progress is shown if stderr is a terminal or `force` is set, unless `quiet`. */
void cli_progress_init(cli_progress *progress, bool force, bool quiet);

/* `share` of the work, 0..1, is done; `what` tells it in words. */
void cli_progress_share(cli_progress *progress, double share, const char *what);

/* The work is done, or st says why it is not. Wipes the line, prints the failure if there is one, and returns the exit
 * status. */
int cli_progress_end(cli_progress *progress, np_status st) NP_CHECKED;

/* Wipes the line. */
void cli_progress_clear(cli_progress *progress);

#endif
