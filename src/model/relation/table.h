/* Tables of a relation: which links lead nearer, for all pairs of routers, and how many shortest paths there are. */
#pragma once

#include "model/relation/routers.h"
#include "model/relation/rule.h"

struct np_relation_table {
    np_routers routers;
    uint32_t states; /* of a router, 1 or 2: a mask for each */
    uint32_t bytes;  /* of a mask: 1, 2, 4, or a multiple of 8 */
    uint8_t *mask; /* [routers][routers][states] from state s of router u to router v, at ((v * routers + u) * states +
                      s) * bytes: a bit for each channel of u, in their order, that leads nearer */
    float *share; /* [routers][routers] in proportion to the shortest paths from router u to v, among the routers u that
                     are equally far; NULL: not needed */
    uint32_t *rank; /* [routers] legal routes: the place in the order from the root on, level by level; or NULL */
};

/* What tables are made of. */
typedef struct np_table_kind {
    bool share; /* of all shortest paths; else shares are not needed */
    bool legal; /* of routes that go up and then down, states 2; else of shortest ones */
} np_table_kind;

/* Makes r->table. NP_ERROR_APPLY: no way leads from some router of a source to one of a destination. */
np_status np_relation_tabulate(np_relation *r, np_table_kind kind) NP_CHECKED;
void np_relation_table_free(np_relation_table *table);

static inline size_t np_table_place(const np_relation_table *t, uint32_t u, uint32_t v, uint32_t state)
{
    return ((size_t)v * t->routers.count + u) * t->states + state;
}

/* Word k of a mask: channels 64 k and on of the router u. */
static inline uint64_t np_table_mask(const np_relation_table *t, uint32_t u, uint32_t v, uint32_t state, uint32_t k)
{
    size_t place = np_table_place(t, u, v, state);
    switch (t->bytes) {
    case 1:
        return ((const uint8_t *)t->mask)[place];
    case 2:
        return ((const uint16_t *)t->mask)[place];
    case 4:
        return ((const uint32_t *)t->mask)[place];
    default:
        return ((const uint64_t *)t->mask)[place * (t->bytes / 8) + k];
    }
}

/* Ways that lead nearer to the destination, with the class. Their states: course 0, and above it the head. Returns how
 * many there are: NP_CANDIDATES at most. */
unsigned np_table_nearer(const np_relation_table *t, np_node at, np_node to, unsigned class_, np_candidate *out);

/* The same in class 0, as a rule's `ways`. */
unsigned np_table_ways(const np_relation *r, np_node at, np_node to, unsigned course, np_candidate *out);

/*
 * Adds to the `count` ways in out[], and returns how many there are then. Ways on shortest legal routes, up and then
 * down; `down`: the packet has gone down. Their states: 1 after a way down.
 */
unsigned np_table_legal(const np_relation_table *t, np_node at, np_node to, bool down, np_candidate *out,
                        unsigned count);

/* The one of the ways nearer that np_relation_draw takes, class 0. Returns 0 or 1. */
unsigned np_table_take(const np_relation *r, np_node at, np_node to, uint64_t state, np_candidate *out);
