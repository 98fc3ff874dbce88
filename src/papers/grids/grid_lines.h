/*
 * Packets on the lines of a grid. A packet goes one way to its end, and a link sends the packet first that has farthest
 * to go. A track is a line of an axis in one direction. Tracks do not depend on one another. So some rounds of one
 * track are made before the next track is looked at, and the data of a track stay in the cache.
 *
 * Every node of a track has a queue, and the queue has a class for each node to which packets go. A class is a list of
 * runs. A run is packets that follow one another in one array, which is sorted by where packets set out and where they
 * go. The packets of a class move on in the order in which they came. So packets that set out together stay together.
 * Where they are many, as in all-to-all routing, sending a packet only changes a count: the lists hardly change.
 */
#pragma once

#include "papers/grids/grid_leg.h"

/* Packets order[first .. end-1], then those of run `next`. */
typedef struct np_grid_run {
    uint32_t first, end, next;
} np_grid_run;

/* The first and last run of a class that is not empty. */
typedef struct np_grid_class {
    uint32_t first, last;
} np_grid_class;

/* A packet that the node with coordinate x sends; it goes to the node with coordinate y. place is its place in order[],
   and length counts the packets of its run from there on. */
typedef struct np_grid_move {
    uint32_t x, hops, y, run, place, length;
} np_grid_move;

/* The queues of a track follow one another: the queue of the node with coordinate x is the track's queue 0 plus x. */
typedef struct np_grid_lines {
    const np_axes *axes;
    uint32_t nodes, queues; /* 2 for each node and axis: first all of axis 0 downwards, then upwards, then axis 1 .. */
    uint32_t longest;       /* side: classes of a queue */
    uint32_t words;         /* of its bitmap */
    uint32_t *queue_of;  /* [axes][nodes] the queue of axis and node downwards; the queue upwards: `nodes` behind it */
    np_link *link;       /* [queues] over which it sends; NP_NONE: no link */
    np_grid_class *of;   /* [track][y][x], `longest` a queue */
    uint64_t *busy;      /* [queues][words] by hops left: the classes that are not empty */
    np_grid_run *run;    /* [runs] enough for all packets */
    uint32_t runs, free; /* free: the first run that is not used, or NP_NONE */
    uint32_t *order;     /* [pieces] */
    np_grid_move *move;  /* [longest] of a track and round */
    uint32_t *top;       /* [longest] of a track and round, by x: the most hops that a packet there has to go */
    uint32_t *left;      /* [queues] at queue 0 of a track: its packets on their way */
    uint64_t all_left;
    uint32_t first_axis, end_axis; /* the axes on which packets move in the phase: one or all */
    uint32_t rounds, next;         /* the rounds that are made at once, and the next that is asked for */
    size_t *count;                 /* [rounds] the transfers of each round, which are in: */
    np_link *made_link;            /* [rounds][queues] */
    uint32_t *made_piece;          /* [rounds][queues] */
    uint64_t pieces;
} np_grid_lines;

/* The layout, which sets the sizes; then the numbers of the queues, and no packets. */
void np_grid_lines_layout(np_grid_lines *lines, const np_collective_job *job, np_arena *arena);
void np_grid_lines_fill(np_grid_lines *lines, const np_collective_job *job);

/* Puts all packets on their tracks, which are empty, at the places where they set out in a phase. */
void np_grid_lines_load(np_grid_lines *lines, const np_collective_job *job, const np_grid_map *map, uint32_t phase);

/*
 * Writes the next round to the round of the job, which is empty and holds a transfer a queue: each queue sends one
 * packet. No transfers: all packets have arrived. In calls only every other link of a track sends: links with an even
 * lower coordinate and links with an odd one take turns; on odd rings the last link has a turn by itself. Turns in
 * which no link has anything to send are left out.
 */
void np_grid_lines_next(np_grid_lines *lines, np_collective_job *job, bool calls);
