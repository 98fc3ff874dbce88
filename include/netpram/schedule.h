/* The queue disciplines by name (stage 2 of Leighton, Maggs, Ranade & Rao 1994). */
#ifndef NETPRAM_SCHEDULE_H
#define NETPRAM_SCHEDULE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A queue discipline's entry in `netpram list`. */
typedef struct np_queue_info {
    const char *name;
    const char *help;   /**< one line */
    const char *source; /**< paper and section, or "" */
} np_queue_info;

/** The i-th discipline, NULL past the last. */
const np_queue_info *np_queue(size_t i);

#ifdef __cplusplus
}
#endif
#endif
