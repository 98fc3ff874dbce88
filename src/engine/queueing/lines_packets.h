/* The packets of a phase that is finished line by line: where each goes and in which dimension; then sorted by line. */
#pragma once

#include "engine/queueing/engine.h"

/* ---- One line of a mesh: finds all moves of its packets in a phase, link after link ---- */

/* Which waiting packet goes first: a packet of the highest bucket; among them the one that entered first. */
typedef enum np_lines_order {
    NP_LINES_FIFO,
    NP_LINES_FARTHEST, /* buckets: the packets' targets */
    NP_LINES_NEAREST,  /* buckets: the places where packets began */
    NP_LINES_MOVED     /* bucket 1: packets that have moved */
} np_lines_order;

/* A packet that moves along the line. */
typedef struct np_lines_entry {
    np_packet packet;
    uint32_t to; /* the place to which it goes, not the place where it is */
} np_lines_entry;

/* A packet in the stream over a link: it reaches the link's end at instant `time`. */
typedef struct np_lines_item {
    np_step time;
    uint32_t entry;
} np_lines_item;

enum {
    NP_LINES_PLACES_MAX = 8192
}; /* ours: a line has a bit for each place and instant. (Three levels of 64 would do for 64^3.) */

typedef struct np_lines_sweep {
    uint32_t nodes;   /* n */
    uint32_t longest; /* the most nodes of a line for which there is room */
    np_lines_order order;
    np_draws draws; /* of first orders */

    /* The line: entries of place v are entry[begin[v]] .. entry[begin[v+1] - 1], by packet. */
    const uint32_t *begin;
    const np_lines_entry *entry;
    np_link first_link, step_link; /* the link up of place 0; the distance in numbers to the next place's link up */
    uint32_t down_link;            /* the distance back to the link down of the same place */

    /* Room for entries, instants and places. */
    size_t room;
    uint32_t words, words_max; /* of instants: at present, at most */
    np_step *time;             /* [room] receives when each packet arrives, by place in entry[] */
    np_lines_item *in, *out;
    uint32_t *next;    /* [room] circular lists */
    uint32_t *first;   /* [room] a first order */
    uint32_t *began;   /* [room] place where it began */
    uint32_t *tail;    /* [n + 2] last of the bucket's list */
    uint64_t *set[3];  /* buckets that are not empty; words of set[0] that are not 0; ... ... */
    uint64_t *crossed; /* [2][n][words] bit t of link (v, v+1), then of (v, v-1): a packet reaches its end at
                          instant t */

    /* Counted over lines. */
    np_step steps;
    uint32_t queue_max, congestion;
} np_lines_sweep;

/* Lays out tail[] and set[], for lines of at most `longest` nodes. packets: of a line, all of which are there at first;
   0: not known. */
void np_lines_sweep_layout(np_lines_sweep *line, uint64_t packets, np_arena *arena);
/*
 * The other arrays grow with the lines that are swept: np_lines_sweep_clear frees them,
 * np_lines_sweep_bytes tells the most bytes, with `room` packets on a line of one worker.
 */
void np_lines_sweep_clear(np_lines_sweep *line);
uint64_t np_lines_sweep_bytes(uint32_t longest, uint64_t room, uint64_t packets);

/* Sweeps the line both ways. *done = false: it takes longer than there may be room for. NP_ERROR_MEMORY */
np_status np_lines_sweep_run(np_lines_sweep *line, bool *done) NP_CHECKED;

enum { NP_LINES_STAYS = NP_MAX_DIMENSIONS }; /* instead of a dimension */

typedef struct np_lines_packets {
    const np_network *network;
    size_t room;
    np_node *to;           /* [room] */
    uint8_t *moves;        /* [room] dimension, or NP_LINES_STAYS */
    uint32_t active;       /* bit i: some packet moves in dimension i */
    np_lines_entry *entry; /* [room] of the dimension sorted last, by line and place */
    uint32_t *begin;       /* [nodes + 2] where each place begins in entry[]: index line * side + place */
} np_lines_packets;

/* Lays out to[] and moves[]. */
void np_lines_packets_layout_targets(np_lines_packets *packets, np_arena *arena);
/* Lays out entry[] and begin[]. */
void np_lines_packets_layout(np_lines_packets *packets, np_arena *arena);

/* Finds the targets and dimensions of the engine's present phase. False: some packet moves in two dimensions. */
bool np_lines_packets_aim(np_lines_packets *packets, np_engine *engine);

/* Sorts the packets that move in dimension i. */
void np_lines_packets_sort(np_lines_packets *packets, const np_engine *engine, uint32_t i);

/* ---- Lines of dimension i, by number ---- */

static inline uint32_t np_lines_count(const np_network *network, uint32_t i)
{
    return network->nodes / network->side[i];
}

static inline uint32_t np_lines_number(const np_network *network, np_node u, uint32_t i)
{
    return np_divide(np_divide(u, network->by_stride[i]), network->by_side[i]) * network->stride[i] +
           np_modulo(u, network->by_stride[i]);
}

/* The node at place 0 of a line. */
static inline np_node np_lines_base_of(const np_network *network, uint32_t line, uint32_t i)
{
    return np_divide(line, network->by_stride[i]) * network->stride[i] * network->side[i] +
           np_modulo(line, network->by_stride[i]);
}
