/*
 * Packets of one gate whose routes are chosen together, hop by hop: while the
 * memory is asked for one packet's next hop, the others go on.
 */
#ifndef NP_PATH_BATCH_H
#define NP_PATH_BATCH_H

#include "model/path/dice.h"

enum { NP_BATCH = 32 }; /* ours, measured */

typedef struct np_batch {
    bool leads_on; /* the gate has nodes behind it, and may not be the destination of a packet */
    uint32_t count;
    uint32_t ports;            /* of the seeker's, that routes have taken */
    uint32_t packet[NP_BATCH]; /* its number in the demand */
    np_node from[NP_BATCH];
    uint32_t hops[NP_BATCH]; /* to the gate */
    np_port *port[NP_BATCH]; /* where the route goes */
    bool parallel[NP_BATCH]; /* does it cross one of several parallel links? */
    np_dice dice[NP_BATCH];  /* each packet's, or its pair's; not set for a rule that does not draw */
} np_batch;

#endif
