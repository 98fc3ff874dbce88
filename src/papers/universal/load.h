/* The load that a step of a guest puts on the fat-tree of an area-universal network. */
#pragma once

#include "papers/universal/guest.h"
#include "model/family/universal.h"

/* For each group: the leaves from which its packets come, and the leaf to which they go. */
typedef struct np_spread {
    uint32_t groups, members;
    uint32_t *row;  /* [groups + 1] */
    uint32_t *leaf; /* [row[groups]] the leaves of its members, each once, in ascending order */
    uint32_t *home; /* [groups] of a link: its head's leaf; of a bus: the middle one of its members' leaves, sorted */
    void *block;    /* the arrays */
} np_spread;

/* place: as np_map_place gives. out is zeroed before; clear it in any case. */
np_status np_spread_of(const np_guest *guest, const np_shape *shape, const np_node *place, np_spread *out) NP_CHECKED;

void np_spread_clear(np_spread *spread);

/* The packets that leave their leaves. */
uint32_t np_spread_leaving(const np_spread *spread);

/*
 * Calls `channel` once with every channel that the group's packets must pass through: the channel above a vertex of a
 * level, up or down. The channels of one level do not all come together.
 */
void np_spread_visit(const np_spread *spread, const np_shape *shape, uint32_t group,
                     void (*channel)(void *context, uint32_t level, uint32_t vertex, bool up), void *context);

/* The largest load of a channel of the fat-tree. Among equal ones: up before down, then the lowest, then the first. */
np_status np_spread_load(const np_spread *spread, const np_shape *shape, np_universal_load *out) NP_CHECKED;
