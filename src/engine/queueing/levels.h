/*
 * The accelerator `levels` (levels.c), and how ranks share it (levels_ranks.c): each has a range of the groups of
 * either half. Entries and rows of the first half go to the ranks that have their groups in the second one.
 */
#pragma once

#include <stdatomic.h>

#include "base/share.h"
#include "engine/queueing/level_group.h"

enum { NP_LEVELS_KEPT = 32 /* instants of a row that are kept between the halves: half the memory */ };

/* A packet between the halves. state: dimensions left; after the first half also time << 16 and last bit << 24. */
typedef struct np_level_entry {
    np_packet packet; /* its number in the traffic */
    np_node node;
    uint32_t state;
} np_level_entry;

typedef struct np_levels {
    size_t packets;        /* the most packets of a phase that are here */
    size_t count;          /* so many are */
    size_t room;           /* for the packets of a group */
    unsigned n, high, low; /* dimensions; high + low = n */
    unsigned workers, ranks;
    const np_job *job;            /* NULL: this process has all groups */
    np_share of_high, of_low;     /* the groups of the first and of the second half that are done here: by low bits, by
                                     high bits */
    void *block;                  /* all arrays; NULL while it rests */
    np_level_entry *entry[2];     /* [packets] by low bits; by high bits */
    uint32_t *deal_low;           /* [workers * 2^low] cursors into entry[0], by worker */
    uint32_t *deal_high;          /* [workers * 2^high] cursors into entry[1] */
    uint32_t *end_low, *end_high; /* [groups + 1] where groups begin */
    uint8_t *rows;         /* [2^low * groups of of_low * KEPT] between the halves, by low bits, then by high bits */
    uint32_t *population;  /* [2^n] after the phase; NULL: ranks share it */
    np_level_group *group; /* [workers] */
    np_status status;      /* of the first worker: NP_ERROR_CANCELLED if the watch says so */
    atomic_bool stop;      /* all workers end early, because of the status */

    /* levels_ranks.c */
    uint32_t batch;          /* the part of the first half that is done */
    size_t leaving_groups;   /* groups of the first half that a worker does in a batch, at most */
    uint8_t *leaving;        /* [workers * leaving_groups * 2^high * KEPT] rows for other ranks */
    uint32_t *leaving_group; /* [workers * leaving_groups] their low bits; NP_NONE: there are none */
    size_t *next, *end;      /* [ranks] what is to be sent to each */
} np_levels;

static inline np_step np_level_entry_time(const np_level_entry *entry) { return entry->state >> 16 & 0xff; }

/* The layout of what only ranks need. */
void np_levels_share_layout(np_levels *levels, np_arena *arena);

/*
 * Collective. The entries of `from`, which are sorted by groups that begin at end[], go to the ranks that have the
 * groups; what comes is put into `to`, in any order, and counted in levels->count. If there is no room for all, some
 * group fails.
 */
np_status np_levels_share_entries(np_levels *levels, const np_share *groups, const uint32_t *end,
                                  const np_level_entry *from, np_level_entry *to) NP_CHECKED;
/* Collective: the rows that are leaving get to their ranks. */
np_status np_levels_share_rows(np_levels *levels) NP_CHECKED;
/* Collective: each rank is told where its own packets landed, and when. The entries of `from` are spoilt. */
np_status np_levels_share_home(np_levels *levels, np_engine *engine, const np_level_entry *from,
                               np_level_entry *sorted) NP_CHECKED;
