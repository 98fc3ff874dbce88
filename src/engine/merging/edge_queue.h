/*
 * The queue at the head of an edge of a leveled network: a ring of places in an array that all
 * edges share; and the populations of the hosts where the packets in queues are. The engines say
 * what an item is: merge_step.c, waves.c.
 *
 * Nodes act from the last level to the first. So a node sees the queues at its
 * edges in as they were when the step began, since only nodes of lower levels put
 * something in. The queues at its edges out have lost at most one item in the step;
 * `freed` remembers this.
 */
#pragma once

#include <assert.h>

#include "model/leveled/path_set.h"
#include "model/traffic/traffic.h"
#include "netpram/merging.h"

typedef struct np_edge_queue {
    uint32_t begin, room; /* its part of the array: as many places as it will ever need */
    uint32_t head, count; /* items, from the head on */
    np_step freed;        /* the last step in which an item left */
} np_edge_queue;

/* A queue of at most `size` items, for an edge that `all` items cross; takes its places behind the first *sum. */
static inline np_edge_queue np_edge_queue_of(uint64_t all, uint32_t size, uint64_t *sum)
{
    np_edge_queue queue = {.begin = (uint32_t)*sum, .room = all < size ? (uint32_t)all : size, .freed = NP_NONE};
    *sum += queue.room;
    return queue;
}

/* Are there fewer than `size` items: when the step began, or now by the rule NP_ROOM_FREED? */
static inline bool np_edge_queue_has_room(const np_edge_queue *queue, uint32_t size, np_room rule, np_step now)
{
    uint32_t freed = rule == NP_ROOM_BEGIN && queue->freed == now;
    return queue->count + freed < size;
}

/* The place of the head. */
static inline uint32_t np_edge_queue_head(const np_edge_queue *queue) { return queue->begin + queue->head; }

/* The place of the k-th item behind the head. */
static inline uint32_t np_edge_queue_at(const np_edge_queue *queue, uint32_t k)
{
    uint32_t at = queue->head + k;
    return queue->begin + (at >= queue->room ? at - queue->room : at);
}

/* The place of the last item; there is one. */
static inline uint32_t np_edge_queue_last(const np_edge_queue *queue)
{
    return np_edge_queue_at(queue, queue->count - 1);
}

/* Adds an item behind the others; returns its place. */
static inline uint32_t np_edge_queue_push(np_edge_queue *queue)
{
    assert(queue->count < queue->room);
    queue->count++;
    return np_edge_queue_last(queue);
}

static inline void np_edge_queue_pop(np_edge_queue *queue, np_step now)
{
    queue->head = queue->head + 1 == queue->room ? 0 : queue->head + 1;
    queue->count--;
    queue->freed = now;
}

/* Adds the packets that rest at these hosts: those of the traffic for their own node. NULL: there are none. */
static inline void np_hosts_rest(const np_traffic *resting, uint32_t *population, uint32_t *most)
{
    for (np_packet p = 0; resting && p < np_traffic_packets(resting); p++)
        if (np_traffic_rests(resting, p)) {
            uint32_t here = ++population[resting->source[p]];
            *most = here > *most ? here : *most;
        }
}

/* Counts the populations before the first step; *most becomes the largest of them, if this is more. */
static inline void np_hosts_settle(const np_leveled *leveled, const np_path_set *path_set, const np_traffic *resting,
                                   uint32_t *population, uint32_t *most)
{
    for (uint32_t i = 0; i < path_set->packets; i++) {
        uint32_t here = ++population[leveled->host[path_set->origin[i]]];
        *most = here > *most ? here : *most;
    }
    np_hosts_rest(resting, population, most);
}

/* Adds the packets that arrive at these hosts in one step. */
static inline void np_hosts_arrive(const np_node *arrival, uint32_t arrivals, uint32_t *population, uint32_t *most)
{
    for (uint32_t i = 0; i < arrivals; i++)
        population[arrival[i]]++;
    for (uint32_t i = 0; i < arrivals; i++)
        if (population[arrival[i]] > *most)
            *most = population[arrival[i]];
}
