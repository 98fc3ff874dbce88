/* Tables of a relation: distances between routers, and how many shortest paths there are. */
#ifndef NP_RELATION_TABLE_H
#define NP_RELATION_TABLE_H

#include "model/relation/routers.h"
#include "model/relation/rule.h"

#define NP_NO_WAY UINT16_MAX

struct np_relation_table {
    np_routers routers;
    uint32_t states;    /* of a router, 1 or 2: a distance for each */
    uint16_t *distance; /* [routers][routers][states] from state s of router u to router v: (v * routers + u) * states
                           + s; NP_NO_WAY: there is none */
    float *share;       /* [routers][routers] in proportion to the shortest paths from router u to v, among the routers
                           u that are equally far; NULL: not needed */
    uint32_t *rank;     /* [routers] legal routes: the place in the order from the root on, level by level; or NULL */
};

/* What tables are made of. */
typedef struct np_table_kind {
    bool share; /* of all shortest paths; else shares are not needed */
    bool legal; /* distances on routes that go up and then down, states 2; else shortest ones */
} np_table_kind;

/* Makes r->table. NP_ERROR_APPLY: no way leads from some router of a source to one of a destination. */
np_status np_relation_tabulate(np_relation *r, np_table_kind kind) NP_CHECKED;
void np_relation_table_free(np_relation_table *table);

/* The distances to the router of a node. */
static inline const uint16_t *np_table_to(const np_relation_table *t, np_node to)
{
    return t->distance + (size_t)t->routers.number[to] * t->routers.count * t->states;
}

/*
 * Adds to the `count` ways in out[], of which there are NP_CANDIDATES at most, and returns how many there are then.
 * Ways that lead nearer to the destination, with the class. Their states: course 0, and above it the head.
 */
unsigned np_table_nearer(const np_relation_table *t, np_node at, np_node to, unsigned class_, np_candidate *out,
                         unsigned count);

/* Ways on shortest legal routes, up and then down; `down`: the packet has gone down. Their states: 1 after a way down.
 */
unsigned np_table_legal(const np_relation_table *t, np_node at, np_node to, bool down, np_candidate *out,
                        unsigned count);

#endif
