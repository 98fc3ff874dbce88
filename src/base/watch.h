/* Telling a watch. */
#ifndef NP_BASE_WATCH_H
#define NP_BASE_WATCH_H

#include "base/status.h"

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

#endif
