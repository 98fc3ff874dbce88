/*
 * Two phases on a complete network of P nodes: a packet of colour x goes by
 * way of node x mod P. Schemes differ in how they colour. The tables of such a
 * scheme (np_queueing_tables) are an np_coloured.
 */
#pragma once

#include "run/route/queueing.h"

typedef struct np_coloured {
    np_node nodes;
    size_t room;
    uint32_t *colour; /* [room] of each packet */
} np_coloured;

/* The network is complete. */
bool np_coloured_applies(const np_network *network);

/* For np_queueing_tables and np_queueing. Even phases go to the colour's node, odd ones to the destination. */
np_status np_coloured_create(const np_network *network, void **tables) NP_CHECKED;
void np_coloured_free(void *tables);
void np_coloured_targets(const np_aim *aim, np_node *to);

/* Room for the colours of so many packets. */
np_status np_coloured_reserve(np_coloured *coloured, size_t packets) NP_CHECKED;
/* The bytes of tables with that room. */
uint64_t np_coloured_table_bytes(uint64_t packets);

/* The colouring of least colours: parameters of the scheme `offline` on complete networks. */
extern const np_queueing np_coloured_offline;
