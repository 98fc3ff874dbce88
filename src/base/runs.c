/* See runs.h. */
#include "base/runs.h"

#include <string.h>

#include "base/watch.h"

static np_status count(np_runs *runs)
{
    double done = ++runs->done;
    if (runs->status)
        return NP_OK;
    return np_watch_check(runs->watch,
                          (np_progress){NULL, "runs", runs->done, runs->of, runs->of ? done / runs->of : 0});
}

static void keep(np_runs *runs, uint32_t run, np_status st)
{
    if (runs->status && run >= runs->failed)
        return;
    runs->status = st;
    runs->failed = run;
    strncpy(runs->message, np_last_error(), sizeof runs->message - 1);
}

bool np_runs_settle(np_runs *runs, uint32_t run, uint32_t next, np_status st)
{
    bool more;
#pragma omp critical(np_runs)
    {
        if (!st)
            st = count(runs);
        if (st)
            keep(runs, run, st);
        more = !runs->status || (runs->status != NP_ERROR_CANCELLED && next < runs->failed);
    }
    return more;
}

np_status np_runs_outcome(const np_runs *runs)
{
    return runs->status ? NP_RAISE(runs->status, "%s", runs->message) : NP_OK;
}
