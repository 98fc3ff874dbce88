/* Progress on stderr: on a terminal one line, redrawn; elsewhere, if --progress asks for it, lines a second apart. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "verb.h"

typedef struct cli_progress {
    bool on, terminal;
    double start, last; /* times in seconds: of the start of the work, of the last line */
    double share;       /* told last */
    size_t drawn;       /* characters on the line */
} cli_progress;

/* The watch of a long call. From now on the call looks for interrupts. Progress is shown if stderr is a terminal, after
 * two seconds, or if common->progress; unless common->quiet. */
np_watch cli_progress_start(cli_progress *progress, const cli_common *common);

/* The work is done, or st says why it is not. Wipes the line, prints the failure if there is one, and returns the exit
 * status. */
int cli_progress_end(cli_progress *progress, np_status st) NP_CHECKED;

/* Wipes the line. */
void cli_progress_clear(cli_progress *progress);

#endif
