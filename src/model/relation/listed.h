/* Routes from files, as relations. */
#pragma once

#include "model/path/listed.h"
#include "model/relation/rule.h"

/* The way of a packet on path `number` of the file; 0: the path ends at the node. */
unsigned np_listed_way_of(const np_relation *r, np_node at, uint32_t number, np_candidate *out);

/* A line of a forwarding table: packets at a router, to a router, leave by the port. */
typedef struct np_forward {
    uint64_t ends; /* the router above, the router of the destination in the low half */
    np_port port;
    np_node to;    /* as the line has it: the router, or a host */
    uint64_t line; /* its number in the file */
} np_forward;

struct np_relation_forwards {
    np_forward *forward; /* [count] ascending by ends and ports */
    size_t count, room;
};

/* The lines of a router and a destination; *count: how many. */
const np_forward *np_forwards_find(const np_relation_forwards *f, np_node at, np_node to, size_t *count);
void np_forwards_free(np_relation_forwards *f);
