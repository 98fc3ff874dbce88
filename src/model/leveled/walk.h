/*
 * The paths of a phase's packets by a path rule, followed hop by hop: all packets take their first link, then those
 * that go on take their second, ... Packets that are at their destinations do not take part.
 */
#pragma once

#include "netpram/traffic.h"
#include "model/path/path.h"

typedef struct np_walk {
    const np_path *path; /* with its routes, if its rule finds routes */
    np_draws draws;      /* seed, run and phase */
    const np_traffic *traffic;
    const np_watch *watch; /* NULL: nobody watches */

    np_packet packets;  /* that move */
    np_packet *number;  /* [packets] in the traffic, ascending */
    uint32_t *hops;     /* [packets] of the whole path */
    uint64_t hops_all;  /* of all paths together */
    uint32_t hops_most; /* of the longest path */

    uint64_t taken;    /* hops, since the walk started */
    uint32_t hop;      /* the links below are the paths' links of this number, from 0 on */
    np_packet count;   /* packets under way */
    np_packet *packet; /* [count] its place in `number` */
    np_node *at;       /* [count] the link's tail */
    np_link *link;     /* [count] */
    np_ticket *ticket; /* [count] */
} np_walk;

/* The bytes of a walk of so many packets. */
uint64_t np_walk_bytes(uint64_t packets);

/* Counts hops. All is borrowed until the walk is freed. watch: is told the share of the hops of each walk; may be NULL.
   NP_ERROR_MEMORY. */
np_status np_walk_create(const np_path *path, np_draws draws, const np_traffic *traffic, const np_watch *watch,
                         np_walk **out) NP_CHECKED;
void np_walk_free(np_walk *walk);

/* Puts all packets back to their sources. The paths are the same in every walk. */
void np_walk_start(np_walk *walk);

/* Has every packet take its next link. Afterwards count is 0 if all paths have ended. NP_ERROR_INTERNAL: the rule leads
   nowhere; NP_ERROR_CANCELLED. */
np_status np_walk_next(np_walk *walk) NP_CHECKED;
