/* Runs that threads share: how many are done, and which failure is told. */
#pragma once

#include <stdbool.h>

#include "base/status.h"

/* All zero but for the watch and `of` at the beginning. */
typedef struct np_runs {
    const np_watch *watch; /* hears of each run that is done */
    uint32_t of;           /* so many */
    uint32_t begun, done;  /* read `done` by np_runs_done while runs are done */
    np_status status;      /* of the failed run with the smallest number */
    uint32_t failed;
    char message[512];
} np_runs;

/*
 * *run = the next one to do. False: there is none, because all have begun, or because a run that comes before has
 * failed or was cancelled. All runs before one that fails have begun, and may fail, too: so the failure told is the
 * same for any number of threads.
 */
NP_FOR_REPORT bool np_runs_next(np_runs *runs, uint32_t *run);

/* After a run, with its status: counts it, or keeps its failure. */
NP_FOR_REPORT void np_runs_settle(np_runs *runs, uint32_t run, np_status st);

/* How many are done, for those who tell of parts of a run. */
static inline uint32_t np_runs_done(const np_runs *runs) { return __atomic_load_n(&runs->done, __ATOMIC_RELAXED); }

/* The failure, raised again for the calling thread, or NP_OK. When all threads have ended. */
NP_FOR_REPORT np_status np_runs_outcome(const np_runs *runs) NP_CHECKED;
