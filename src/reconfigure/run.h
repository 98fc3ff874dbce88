/* The state that the programs share: a grid, and the result that a run on it fills. */
#ifndef NP_RECONFIGURE_RUN_H
#define NP_RECONFIGURE_RUN_H

#include "netpram/reconfigure.h"

typedef struct np_reconfigure_run {
    np_switch_grid *grid;
    np_reconfigure_result *result;
    bool pictures;
    np_status status; /* the first failure; after it calls do nothing */
} np_reconfigure_run;

/* Begins a run of the program of this name. NP_ERROR_LIMIT also if the grid is too large for the pictures asked for. */
np_status np_reconfigure_run_begin(np_reconfigure_run *run, const char *program, uint64_t n, uint64_t rows,
                                   uint64_t columns, bool pictures) NP_CHECKED;

/* Attaches a PU and returns its number, or 0 if the run has failed. */
uint32_t np_reconfigure_run_attach(np_reconfigure_run *run, np_switch_port side, uint64_t index);

void np_reconfigure_run_send(np_reconfigure_run *run, uint32_t pu, uint64_t word, uint32_t tag);

/* Makes one round, and counts it. */
void np_reconfigure_run_round(np_reconfigure_run *run, const char *what);

/* Records that something is wrong, if nothing was wrong before. */
void np_reconfigure_run_wrong(np_reconfigure_run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Returns the result, or releases it if st or the run's own status is an error. The grid is freed in any case. */
np_status np_reconfigure_run_end(np_reconfigure_run *run, np_status st, np_reconfigure_result **out) NP_CHECKED;

#endif
