/*
 * Packets in queues on a mesh of two dimensions, one step after the other, for schemes whose packets choose their ways
 * by what they meet: the engine's path rules know nothing of other packets. The scheme says into which queue a packet
 * goes, and which of a queue goes first; this file moves, counts and tells observers.
 *
 *   begin     in no queue, all packets are at their sources, or where the phase before left them
 *   enter     the packet is in the queue of a link from now on; at its node
 *   land      its way ends where it is
 *   send      a step: of each queue the farthest packet crosses its link. Then moved[] are to enter queues, or to land
 *   end       all have landed
 *
 * Links are walked in ascending order, so the same packets meet in the same order on any machine.
 */
#pragma once

#include "base/arena.h"
#include "engine/queueing/events.h"
#include "model/network/network.h"
#include "run/route/plan.h"

enum { NP_GRID_UP, NP_GRID_DOWN, NP_GRID_LEFT, NP_GRID_RIGHT, NP_GRID_PORTS }; /* of meshes with sides of 3 and more */

typedef struct np_grid_queues {
    const np_network *network;
    uint32_t side;
    unsigned phases; /* of a run */
    size_t packets, links;
    np_node *at;             /* [packets] */
    np_node *to;             /* [packets] its destination */
    uint32_t *hops, *delay;  /* [packets] made; when it has landed: steps waited */
    np_packet *next;         /* [packets] behind it in its queue */
    np_packet *first, *last; /* [links] of a queue that is not empty */
    uint32_t *length;        /* [links] packets in the queue */
    uint32_t *crossed;       /* [links] packets that have crossed it */
    uint64_t *busy;          /* [links / 64 + 1] a bit for each queue that is not empty */
    uint32_t *population;    /* [nodes] */
    np_packet *moved;        /* [moves] those of the step */
    np_link *over;           /* [moves] their links, ascending */
    size_t moves, left;      /* packets that have not landed */
    np_step step;
    np_event_feed feed;
    bool observed;
    np_phase_run *out;
} np_grid_queues;

/* For the scheme's own layout, of a plan that has its phases. */
np_grid_queues np_grid_queues_sizes(const np_route_plan *plan);
void np_grid_queues_layout(np_grid_queues *q, np_arena *arena);

np_status np_grid_queues_begin(np_grid_queues *q, const np_runner_job *job, np_phase_run *out) NP_CHECKED;
void np_grid_queues_enter(np_grid_queues *q, np_packet p, np_port port);
void np_grid_queues_land(np_grid_queues *q, np_packet p);

/* How far the packet has to go. NULL: of a queue the first goes. */
typedef uint32_t np_grid_remaining(const void *scheme, np_packet p);
void np_grid_queues_send(np_grid_queues *q, np_grid_remaining *remaining, const void *scheme);

/* The packet stays at its node in the step that was the last, in no queue. */
void np_grid_queues_tell_rest(np_grid_queues *q, np_packet p, np_event_reason reason);

/* When all that moved have entered or landed. NP_ERROR_CANCELLED. */
np_status np_grid_queues_end_step(np_grid_queues *q, const np_runner_job *job) NP_CHECKED;
np_status np_grid_queues_end(np_grid_queues *q) NP_CHECKED;

static inline uint32_t np_grid_between(uint32_t i, uint32_t j) { return i < j ? j - i : i - j; }
static inline uint32_t np_grid_row(const np_grid_queues *q, np_node u)
{
    return np_divide(u, q->network->by_stride[0]);
}
static inline uint32_t np_grid_column(const np_grid_queues *q, np_node u) { return u - np_grid_row(q, u) * q->side; }

/* NULL: a mesh of n x n nodes, n at least 3. */
const char *np_grid_queues_refuses(const np_network *network);
