/*
 * Networks of switches of today's clusters, as matrices of links: every definition is restated by labels, pair by pair.
 * It shares no code with the library. Specs must be valid and small.
 */
#ifndef ORACLE_FABRIC_H
#define ORACLE_FABRIC_H

#include <stdint.h>

typedef struct oracle_fabric {
    uint32_t nodes, switches; /* the hosts are the nodes behind the switches */
    uint8_t *links;           /* [nodes * nodes] links from u to v, at u * nodes + v */
} oracle_fabric;

/* The network that a spec names; aborts on a family it does not know. Free with oracle_fabric_free. */
oracle_fabric *oracle_fabric_of(const char *spec);
void oracle_fabric_free(oracle_fabric *fabric);

#endif
