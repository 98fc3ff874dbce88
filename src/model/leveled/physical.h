/*
 * Physical steps: what it takes to play the steps of a leveled network on the links of its host.
 *
 * A logical step takes one message over each edge of the leveled network. A physical step takes one message over each
 * directed link of the host. A link of the host plays several edges, and an edge may cross several links, one after the
 * other. So a logical step is played in parts: in part i every message whose edge crosses i links or more crosses its
 * i-th link. A part takes as many physical steps as the most messages that cross one link in it, one after the other.
 * Nobody need know what others send: a node that has played its part waits until the part is over.
 *
 * Messages are packets and signals: ghosts, ends of streams, tokens. In the paper (Leighton, Maggs, Ranade & Rao 1994,
 * section 2.2) a ghost goes over an edge as a packet does, so it takes a step of the link. A logical step in which no
 * message crosses a link takes one physical step: nodes select, combine and consume in it.
 *
 * An engine lays the arrays out beside its own, tells each crossing of a step, and then that the step is over.
 */
#pragma once

#include <assert.h>

#include "base/arena.h"
#include "model/leveled/leveled.h"

typedef struct np_physical {
    const np_leveled *leveled; /* NULL: nothing is played */
    uint32_t *edge; /* [edges] those crossed in this step: by packets from the front, by signals from the back */
    uint32_t packets, signals; /* how many */
    uint32_t *load;            /* [host_links] zeros between steps */
    uint8_t *ended;            /* [edges] the end of the stream has crossed */
    uint64_t steps;            /* of the logical steps so far */
    uint64_t
        back; /* of the same steps for packets alone: that of replies, which go the same ways back without signals */
} np_physical;

/* The arrays for a leveled network, made or not. */
void np_physical_lay_out(np_physical *physical, const np_leveled *leveled, np_arena *arena);

/* Their bytes. */
uint64_t np_physical_bytes(const np_leveled *leveled);

/* A run begins. The arrays are new. */
void np_physical_begin(np_physical *physical, const np_leveled *leveled);

/* A packet, or a signal, crosses an edge in this step. An edge is crossed once in a step. */
static inline void np_physical_packet(np_physical *physical, uint32_t edge)
{
    assert(physical->packets + physical->signals < physical->leveled->edges);
    physical->edge[physical->packets++] = edge;
}

static inline void np_physical_signal(np_physical *physical, uint32_t edge)
{
    assert(physical->packets + physical->signals < physical->leveled->edges);
    physical->edge[physical->leveled->edges - ++physical->signals] = edge;
}

/* The end of a stream crosses an edge, or is there already. */
static inline void np_physical_end(np_physical *physical, uint32_t edge)
{
    if (!physical->ended[edge])
        np_physical_signal(physical, edge);
    physical->ended[edge] = 1;
}

/* The step is over. */
void np_physical_step(np_physical *physical);
