/*
 * Packets on the lines of a grid that all go one way to the end, in which links send the packet first that has farthest
 * to go. A track is a line of an axis, one way: tracks know nothing of one another, so that some rounds of one are made
 * before the next is looked at, and stay in the cache.
 *
 * At every node of a track there is a queue, and in it a class for each node that packets go to. A class is a list of
 * runs: of packets that follow one another in one array, sorted by where they set out and where they go. Packets of a
 * class move on in the order in which they came. So all that set out together stay together, and where there are many
 * of them, as in all-to-all routing, to send one is to count: the lists hardly change.
 */
#ifndef NP_COLLECTIVE_GRID_LINES_H
#define NP_COLLECTIVE_GRID_LINES_H

#include "collective/grid_leg.h"

/* Packets order[first .. end-1], then those of run `next`. */
typedef struct np_grid_run {
    uint32_t first, end, next;
} np_grid_run;

/* The first and last run of a class that is not empty. */
typedef struct np_grid_class {
    uint32_t first, last;
} np_grid_class;

/* What is sent: by the node with coordinate x to that with coordinate y, at last; its place in the order, and how many
   follow it there. */
typedef struct np_grid_move {
    uint32_t x, hops, y, place, length;
} np_grid_move;

/* Queue q of an axis and way is at its track's queue 0 + x, x the coordinate; those of a track follow one another. */
typedef struct np_grid_lines {
    const np_axes *axes;
    uint32_t nodes,
        queues;          /* 2 a node and axis: first all of axis 0 downwards, then upwards, then those of axis 1 .. */
    uint32_t longest;    /* side: classes of a queue */
    uint32_t words;      /* of its bitmap */
    uint32_t *queue_of;  /* [axes][nodes] that of axis and node downwards; upwards it is `nodes` behind */
    np_link *link;       /* [queues]; NP_NONE: over none */
    np_grid_class *of;   /* [track][y][x], `longest` a queue */
    uint64_t *busy;      /* [queues][words] by hops left: the classes that are not empty */
    np_grid_run *run;    /* [runs] */
    uint32_t runs, free; /* free: the first that is not used, NP_NONE */
    uint32_t *order;     /* [pieces] */
    np_grid_move *move;  /* [longest] of a track and round */
    uint32_t *top;       /* [longest] of a track and round, by x: the most hops that a packet there has to go */
    uint32_t *left;      /* [queues] at queue 0 of a track: its packets on their way */
    uint64_t all_left;
    uint32_t first_axis, end_axis; /* those on which packets move in the phase: one or all */
    uint32_t rounds, next;         /* made at once, and the next that is asked for */
    size_t *count;                 /* [rounds] transfers of each: */
    np_link *made_link;            /* [rounds][queues] */
    uint32_t *made_piece;          /* [rounds][queues] */
    uint64_t pieces;
    void *block; /* the arrays, but run */
} np_grid_lines;

/* NP_ERROR_LIMIT, NP_ERROR_MEMORY. Clear it in any case. */
np_status np_grid_lines_init(np_grid_lines *lines, const np_collective_job *job) NP_CHECKED;
void np_grid_lines_clear(np_grid_lines *lines);

/* Puts all packets on their tracks, which are empty, as they set out in a phase. */
np_status np_grid_lines_load(np_grid_lines *lines, const np_collective_job *job, const np_grid_map *map,
                             uint32_t phase) NP_CHECKED;

/*
 * The next round into the job's, which is empty: each queue sends one. No transfers: all have arrived. In calls only
 * every other link of a track sends, those from an even coordinate and those from an odd one in turn; on odd rings the
 * last link has a turn by itself. Turns in which nobody has anything to send are left out.
 */
np_status np_grid_lines_next(np_grid_lines *lines, np_collective_job *job, bool calls) NP_CHECKED;

#endif
