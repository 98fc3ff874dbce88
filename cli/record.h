/* --trace, --links and the like: the files that observers write while a verb works. */
#ifndef CLI_RECORD_H
#define CLI_RECORD_H

#include <stdio.h>

#include "netpram/report.h"

typedef struct cli_record {
    np_record *record;    /* NULL: no file was asked for */
    np_observer observer; /* ends the run after a signal; then come the record's */
} cli_record;

/* Opens the files. Returns an exit status, 0 if all is well. */
int cli_record_open(cli_record *record, const np_record_options *options, const char *command);

/* For the options of what is observed; NULL: nobody observes. */
const np_observer *cli_record_observer(const cli_record *record);

/* Ends the record after work that returned `status`; after a signal, ends the program. Returns the status of all. */
np_status cli_record_end(cli_record *record, np_status status) NP_CHECKED;

#endif
