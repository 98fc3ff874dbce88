/* What the programs share: a grid, and the result that a run of it fills. */
#ifndef NP_RECONFIGURE_RUN_H
#define NP_RECONFIGURE_RUN_H

#include "netpram/reconfigure.h"

typedef struct np_reconfigure_run {
    np_switch_grid *grid;
    np_reconfigure_result *result;
    bool pictures;
    np_status status; /* the first failure: once there is one, calls do nothing */
} np_reconfigure_run;

/* Begins a run of the program of that name; NP_ERROR_LIMIT also if pictures are wanted of a grid too large for them. */
np_status np_reconfigure_run_begin(np_reconfigure_run *run, const char *program, uint64_t n, uint64_t rows,
                                   uint64_t columns, bool pictures) NP_CHECKED;

/* Attaches a PU; its number, 0 if the run has failed. */
uint32_t np_reconfigure_run_attach(np_reconfigure_run *run, np_switch_port side, uint64_t index);

void np_reconfigure_run_send(np_reconfigure_run *run, uint32_t pu, uint64_t word, uint32_t tag);

/* One round, counted. */
void np_reconfigure_run_round(np_reconfigure_run *run, const char *what);

/* Records the first thing that is wrong. */
void np_reconfigure_run_wrong(np_reconfigure_run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Hands the result out, or releases it if st or the run's own status is an error. The grid goes in any case. */
np_status np_reconfigure_run_end(np_reconfigure_run *run, np_status st, np_reconfigure_result **out) NP_CHECKED;

#endif
