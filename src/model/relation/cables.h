/*
 * How packets enter and leave the routers. A host's links to routers are its injection channels, those from routers its
 * ejection channels; a node that is a router itself has one of each, which are no links. A host has no other links.
 *
 * Where hosts have several cables, a packet takes one of the pairs of a cable of its source and a cable of its
 * destination between which the relation has the fewest links: of networks in planes both are of one plane. All such
 * pairs are equally likely, and drawn packet by packet; of a rule that draws once for all packets of a pair of routers,
 * once for all of two hosts; of one that takes the lowest port, it is the first pair. Of a rule in two phases these are
 * the links, and the draws, of the rule for each phase: straight from the source to the destination.
 */
#pragma once

#include "base/random.h"
#include "model/relation/relation.h"

enum { NP_CABLES_NO_WAY = UINT16_MAX };

typedef struct np_cable {
    np_node router;
    np_link link; /* NP_NONE: the terminal is its router */
} np_cable;

struct np_cables {
    uint32_t terminals, entries, exits; /* cables in the order of the terminals, of one terminal by links */
    uint32_t *first_entry, *first_exit; /* [terminals + 1] */
    np_cable *entry, *exit;             /* [entries], [exits] */
    bool several;                       /* some terminal has more than one; else cable k is that of terminal k */
    bool apart;                         /* several, or some host enters at one router and leaves at another */

    /* If several, by the relation. */
    uint16_t *distance; /* [routers][routers] links between them; NP_CABLES_NO_WAY: none, or nobody goes it */
    bool alike; /* each cable of a terminal leads to one cable of any other, and all these ways are equally long */
};

typedef struct np_cable_pair {
    uint32_t entry, exit;
} np_cable_pair;

/* NP_ERROR_APPLY: a host without a cable to a router or back, or with a link to another host. Free it in any case. */
np_status np_cables_create(const np_network *network, np_cables **out) NP_CHECKED;
void np_cables_free(np_cables *cables);

/*
 * Measures between the cables of a relation that has tables (table.h), where terminals have several; of one in two
 * phases the inner rule has measured. O(routers^2 hops + pairs of cables). NP_ERROR_APPLY: no way joins two terminals.
 */
np_status np_cables_measure(np_relation *r) NP_CHECKED;

/* The cables of packet `number` of a terminal to another one. draws: seed, run and phase. */
np_cable_pair np_cables_draw_pair(const np_relation *r, const np_draws *draws, np_node source, uint64_t number,
                                  np_node destination);

/* The same, at once where no terminal has several. */
static inline np_cable_pair np_cables_draw(const np_relation *r, const np_draws *draws, np_node source, uint64_t number,
                                           np_node destination)
{
    return np_relation_cables(r)->several ? np_cables_draw_pair(r, draws, source, number, destination)
                                          : (np_cable_pair){source, destination};
}
