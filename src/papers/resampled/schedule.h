/*
 * What the runners share that find the step of every hop before any is made: paths as lists of links, the hops in the
 * order of their steps, and an engine that knows the model alone and carries them out (papers/offline/replay.h).
 */
#pragma once

#include "papers/offline/replayed.h"
#include "papers/resampled/outline.h"

typedef struct np_schedule {
    const np_path_list *paths;
    uint32_t queue_size; /* q, for schemes that heed it */
    uint64_t keys;       /* np_scheduler.keys */
    uint32_t *order;     /* [hops] */
    np_step *step;       /* [hops] from 1 on */
    uint32_t *place;     /* [keys + 2] where hops of a key begin in `order` */
    uint32_t *count;     /* [links] zeros, and again afterwards */
    np_step *last;       /* [packets] zeros */
    np_phase_run *out;
} np_schedule;

/* Sorts the hops by keys below `keys`; hops of the same key by their numbers. */
void np_schedule_sort(np_schedule *s, const uint32_t *key, uint32_t keys);

/*
 * Says how hops get their steps: the parameters of a scheme whose runner is np_schedule_runner. Limits are for a
 * schedule of `paths` and `queue_size`: its paths may be the sizes of a list alone.
 */
typedef struct np_scheduler {
    const char *queue;                                /* what results say; q follows, if the scheme heeds it */
    bool outlined, in_rounds;                         /* which measures results have: np_phase_result */
    const char *(*paths)(const np_network *);         /* unless the user names paths; NULL: greedy ones */
    uint64_t (*keys)(const np_schedule *of);          /* steps, and other keys by which it sorts hops: at most */
    uint64_t (*bytes)(const np_schedule *of);         /* what `find` takes besides, at most */
    uint64_t (*longest_delay)(const np_schedule *of); /* steps that a packet waits, at most; NULL: as many as keys */
    /* Gives each hop its step; sets out->steps, the last one, and what only it knows in *out. */
    np_status (*find)(np_schedule *s, const np_runner_job *job);
} np_scheduler;

extern const np_runner_ops np_schedule_runner;
