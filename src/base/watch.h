/* Telling a watch. */
#pragma once

#include "base/decimal.h"

/* Does the watch want the call to end? The watch may be NULL. */
static inline int np_watch_tell(const np_watch *watch, np_progress progress)
{
    return watch && watch->tell ? watch->tell(watch->context, &progress) : 0;
}

/* NP_ERROR_CANCELLED, with what is done, if the watch wants the call to end. */
static inline np_status np_watch_check(const np_watch *watch, np_progress progress)
{
    return np_watch_tell(watch, progress) ? NP_RAISE(NP_ERROR_CANCELLED, "cancelled after %llu %s",
                                                     (unsigned long long)progress.done, progress.unit)
                                          : NP_OK;
}

/* The same for a share of a stage; stage NULL: the call has one only. */
static inline np_status np_watch_share(const np_watch *watch, const char *stage, double share)
{
    return np_watch_tell(watch, (np_progress){.stage = stage, .share = share})
               ? NP_RAISE(NP_ERROR_CANCELLED, "cancelled at %s%%%s%s", NP_FIXED(100 * share, 0), stage ? " of " : "",
                          stage ? stage : "")
               : NP_OK;
}
