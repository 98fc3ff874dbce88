/*
 * A group of the accelerator `levels`: the nodes of a subcube, and the packets
 * that stay among them while the subcube's dimensions are done, one after
 * another. See levels.c for the method.
 */
#pragma once

#include "engine/queueing/inside.h"

enum { NP_LEVEL_INSTANTS = 64 }; /* of a row: one cache line */

/*
 * A packet within a group, in one word so that a hop loads and stores once:
 * bits 0-15 its node there, 16-31 the dimensions of this half on its route,
 * crossed or not, 32-39 the instant of its arrival at the node, 40-47 the bit
 * of the dimension it crossed last before this half, if any, 48-63 the
 * dimensions of the other half.
 */
typedef uint64_t np_level_word;

enum { NP_LEVEL_MASK_SHIFT = 16, NP_LEVEL_TIME_SHIFT = 32, NP_LEVEL_LAST_SHIFT = 40, NP_LEVEL_REST_SHIFT = 48 };

static inline uint32_t np_level_node(np_level_word w) { return (uint16_t)w; }
static inline uint32_t np_level_time(np_level_word w) { return (uint8_t)(w >> NP_LEVEL_TIME_SHIFT); }

/*
 * The bit of the dimension that a packet crossed last, after this half's local dimensions from
 * `from` on are done. The lowest local dimension is bit `shift`. Valid if the packet's time is not
 * 0.
 */
static inline uint32_t np_level_last(np_level_word w, unsigned shift, unsigned from)
{
    uint32_t crossed = (uint32_t)(w >> NP_LEVEL_MASK_SHIFT & 0xffff) >> from;
    return crossed ? shift + from + (uint32_t)__builtin_ctz(crossed) : (uint8_t)(w >> NP_LEVEL_LAST_SHIFT);
}

typedef struct np_level_packet {
    np_level_word word;
    struct np_level_packet *before; /* the packet before it that crossed the same dimension from the same node */
    np_level_word was;              /* the word before it crossed this dimension */
    np_packet number;
} np_level_packet;

/* A node's queue in the dimension that is done. */
typedef struct np_level_queue {
    uint64_t taken;        /* bit t: a packet leaves at instant t */
    np_level_packet *last; /* the packet that went through the queue last */
} np_level_queue;

/* A group's packets, and its nodes' tables; each worker has one. */
typedef struct np_level_group {
    size_t room;                /* for packets, at most 65535 */
    unsigned dimensions;        /* room for 2^dimensions nodes */
    np_level_packet *packet;    /* [room] */
    np_level_packet **crossing; /* [room] packets that cross the dimension; then packets that have to wait */
    np_level_queue *queue;      /* [nodes of a group] */
    uint16_t *count;            /* [nodes of a group] packets through the queue */
    uint8_t *row;               /* [nodes of a group * NP_LEVEL_INSTANTS] */
    uint8_t *after;             /* [nodes of a group] populations at the end */
    uint64_t taken;             /* bit t: some packet left at instant t across the last dimension */
    uint32_t latest;            /* instant of any arrival so far */
    uint32_t queue_max, congestion, population_max;
    np_step steps;
    unsigned first_most;            /* most packets at one node at the beginning */
    unsigned bound_high, bound_low; /* bounds on the arrivals at one node, in each half */
    bool failed;
} np_level_group;

/* The place of a group in the cube. */
typedef struct np_level_place {
    const np_engine *engine;
    unsigned n, bits, shift; /* dimensions; of this half; the bit of its lowest one in the node's number */
    np_node base;            /* the group's bits outside this half */
} np_level_place;

static inline np_node np_level_node_number(const np_level_place *place, uint32_t node)
{
    return place->base | (np_node)node << place->shift;
}

/* Lays out the arrays; room and dimensions are set. */
void np_level_group_layout(np_level_group *group, np_arena *arena);

/*
 * Does all dimensions of the place, high to low, for the first `packets` entries of the group,
 * whose packet[], row[] and latest are set. Returns a bound on the arrivals at one node. Sets
 * failed if the tables are too small.
 */
unsigned np_level_group_finish(np_level_group *group, const np_level_place *place, size_t packets);

/*
 * Computes populations from the rows, in which nothing changes from instant `instants` on: the
 * largest of all goes into population_max, the last ones into after[].
 */
void np_level_group_sum_rows(np_level_group *group, unsigned dimensions, size_t instants);
