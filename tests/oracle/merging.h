/*
 * The merging engine as plain lists: every queue is an array of packets, every
 * step scans all nodes, and every node scans all heads. Written from Leighton,
 * Maggs, Ranade & Rao 1994, section 2.2, and the rules at the head of
 * netpram/merging.h. It shares no code with the engine or the engine's networks
 * and paths: the case is plain arrays.
 */
#ifndef ORACLE_MERGING_H
#define ORACLE_MERGING_H

#include <stdbool.h>
#include <stddef.h>

#include "netpram/engine.h"
#include "netpram/merging.h"

/* One phase on a leveled network. Edges are numbered by tail; the edges of a tail in the order of its ports. */
typedef struct oracle_merging_case {
    uint32_t depth, nodes, edges, host_nodes;
    const uint32_t *level, *host; /* [nodes] */
    const uint32_t *tail, *head;  /* [edges] */
    uint32_t host_links;          /* of the physical network; edge e crosses link[walk[e]] .. link[walk[e + 1] - 1] */
    const uint32_t *walk;         /* [edges + 1] */
    const np_link *link;

    uint32_t packets;
    const uint32_t *origin, *target, *rank; /* [packets] */
    const size_t *begin;                    /* [packets + 1] */
    const uint8_t *port;                    /* [begin[packets]] */
    const uint32_t *length;                 /* [packets] lengths of messages; NULL: all 1 */
    const uint64_t *value;                  /* [packets]; NULL: their numbers */

    uint32_t queue_size;
    np_room room;
    np_combine combine;
    np_message_mode mode;
    bool in_step;   /* messages that combine do so while they go */
    bool in_cycles; /* messages of several packets go in message cycles */
    bool no_ghosts;
    np_ghosts ghosts;
} oracle_merging_case;

enum { ORACLE_WAITS = UINT32_MAX, ORACLE_END = UINT32_MAX - 1 };

typedef struct oracle_merging {
    bool deadlock; /* if true only run.steps is set, the step in which the deadlock was noticed */
    np_phase_run run;
    np_step rows;       /* steps, or message cycles */
    uint32_t *selected; /* [rows * nodes] 2 i: packet i; 2 i + 1: a ghost of it; ORACLE_WAITS; ORACLE_END */
    np_step *left;      /* [begin[packets] + packets] at begin[i] + i + k: when it left its k-th node; NP_NONE: never */
    uint32_t *delay;    /* [packets] */
    uint64_t *value;    /* [packets] */
    uint8_t *delivered; /* [packets] */
    uint64_t back;      /* physical steps of the packets alone; run.physical_steps: of all that is sent */
    bool unsorted;      /* some node selected a lesser packet or ghost after a greater one */
} oracle_merging;

/* What crosses an edge in a step. */
enum { ORACLE_NOTHING, ORACLE_SIGNAL, ORACLE_PACKET };

/*
 * The physical steps of a step in which crossed[e] crosses edge e, played out on the links; what is less than `least`
 * is left out. Everybody crosses its first link, if it has one; when all have, its second one; and so on.
 */
uint32_t oracle_physical_step(const oracle_merging_case *c, const uint8_t *crossed, uint8_t least);

/* Does not return on a failure: aborts. Free with oracle_merging_free. */
oracle_merging *oracle_merge(const oracle_merging_case *c);
void oracle_merging_free(oracle_merging *result);

#endif
