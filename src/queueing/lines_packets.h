/* The packets of a phase that is finished line by line: where each goes and in which dimension; then sorted by line. */
#ifndef NP_QUEUEING_LINES_PACKETS_H
#define NP_QUEUEING_LINES_PACKETS_H

#include "base/arena.h"
#include "queueing/engine.h"
#include "queueing/lines_sweep.h"
#include "network/network.h"

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

#endif
