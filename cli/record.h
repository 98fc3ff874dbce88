/* The long call of a verb that packets move in: its progress, and the files of --trace, --links and the like. */
#ifndef CLI_RECORD_H
#define CLI_RECORD_H

#include "netpram/report.h"
#include "progress.h"

typedef struct cli_record {
    cli_progress progress;
    np_record *record;         /* NULL: no file was asked for */
    np_observer observer;      /* ends the run after a signal; then come the record's */
    const np_observer **place; /* in the options of the call */
    const np_record_options *files;
    bool quiet;
} cli_record;

/*
 * Before the call: opens the files, and sets the watch and the observer in the options of the call. Returns an exit
 * status, 0 if all is well.
 */
int cli_record_begin(cli_record *record, const cli_common *common, const np_record_options *files, np_watch *watch,
                     const np_observer **observer);

/*
 * After the call, which returned st: puts the files in place if it succeeded. Prints the failure if there is one, and
 * returns the exit status. Later calls with the same options are not observed. After a signal it ends the program.
 */
int cli_record_end(cli_record *record, np_status st) NP_CHECKED;

#endif
