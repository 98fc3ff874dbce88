/* Groups of a dragonfly, for relations. */
#pragma once

#include "model/relation/rule.h"

typedef struct np_relation_cable {
    np_node router; /* where it leaves its group */
    np_port port;
} np_relation_cable;

struct np_relation_groups {
    uint32_t count, size;     /* groups, and routers of each */
    uint32_t *row;            /* [count * count + 1] the first cable from group i to group j: row[i * count + j] */
    np_relation_cable *cable; /* ascending for each pair */
};

static inline uint32_t np_dragonfly_group(const np_relation *r, np_node router) { return router / r->routers->side[0]; }

/* The ways towards another group, of class 0; 0: the router is of that group. Course: 0, or 1 after a local hop. */
unsigned np_dragonfly_ways_to_group(const np_relation *r, np_node at, uint32_t group, unsigned course,
                                    np_candidate *out);

void np_relation_groups_free(np_relation_groups *groups);
