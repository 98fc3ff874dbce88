/*
 * What the runners share that find the step of every hop before any is made: paths as lists of links, the hops in the
 * order of their steps, and an engine that knows the model alone and carries them out (papers/offline/replay.h).
 */
#pragma once

#include "papers/offline/replayed.h"
#include "papers/resampled/outline.h"

typedef struct np_schedule {
    const np_path_list *paths;
    uint64_t keys;   /* np_scheduler.keys of these paths */
    uint32_t *order; /* [hops] */
    np_step *step;   /* [hops] from 1 on */
    uint32_t *place; /* [keys + 2] where hops of a key begin in `order` */
    uint32_t *count; /* [links] zeros, and again afterwards */
    np_step *last;   /* [packets] zeros */
    np_phase_run *out;
} np_schedule;

/* Sorts the hops by keys below `keys`; hops of the same key by their numbers. */
void np_schedule_sort(np_schedule *s, const uint32_t *key, uint32_t keys);

/* Says how hops get their steps: the parameters of a scheme whose runner is np_schedule_runner. */
typedef struct np_scheduler {
    const char *queue;                                /* what results say */
    bool in_rounds;                                   /* np_phase_result.in_rounds; else it is outlined */
    const char *(*paths)(const np_network *);         /* unless the user names paths; NULL: greedy ones */
    uint64_t (*keys)(const np_path_list *);           /* steps, and other keys by which it sorts hops: at most */
    uint64_t (*bytes)(const np_path_list *);          /* what `find` takes besides, at most */
    uint64_t (*longest_delay)(const np_route_plan *); /* as in np_runner_ops; NULL: one step for each packet */
    /* Gives each hop its step, sorts the hops by these, and sets what only it knows in *out. */
    np_status (*find)(np_schedule *s, const np_route_plan *plan, const np_runner_job *job);
} np_scheduler;

extern const np_runner_ops np_schedule_runner;
