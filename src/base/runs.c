/* See runs.h. */
#include "base/runs.h"

#include <pthread.h>
#include <string.h>

#include "base/watch.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static np_status count(np_runs *runs)
{
    double done = __atomic_add_fetch(&runs->done, 1, __ATOMIC_RELAXED);
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

bool np_runs_next(np_runs *runs, uint32_t *run)
{
    pthread_mutex_lock(&lock);
    bool more = runs->begun < runs->of && !runs->status;
    *run = runs->begun;
    runs->begun += more;
    pthread_mutex_unlock(&lock);
    return more;
}

void np_runs_settle(np_runs *runs, uint32_t run, np_status st)
{
    pthread_mutex_lock(&lock);
    if (!st)
        st = count(runs);
    if (st)
        keep(runs, run, st);
    pthread_mutex_unlock(&lock);
}

np_status np_runs_outcome(const np_runs *runs)
{
    return runs->status ? NP_RAISE(runs->status, "%s", runs->message) : NP_OK;
}
