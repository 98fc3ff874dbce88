/*
 * What observers hear of a sort (netpram/engine.h). A stage is a phase; stages of one name that follow each other are
 * one. Steps are steps of the network, but on leveled networks, where engines route.
 *
 * A key is the packet with the key's number, and infinite keys have the numbers behind the last. A key that is sent for
 * a comparison stays with its sender, too: what is sent is a new packet, which splits from the one by which the sender
 * has the key.
 */
#ifndef NP_SORT_TELLER_H
#define NP_SORT_TELLER_H

#include <stdbool.h>

#include "base/budget.h"
#include "netpram/engine.h"

typedef struct np_sort_teller np_sort_teller;

/* items: numbers below this may be told of. budget: what the teller may take; copied. NP_ERROR_MEMORY, NP_ERROR_LIMIT. */
np_status np_sort_teller_create(const np_network *network, const np_observer *observer, uint32_t items,
                                const np_budget *budget, np_sort_teller **out) NP_CHECKED;
void np_sort_teller_free(np_sort_teller *teller);

/* A run begins. number: [numbers] the numbers of the keys that the items stand for; other items are their own numbers. */
void np_sort_teller_begin(np_sort_teller *teller, uint32_t run, uint32_t numbers, const uint32_t *number);

/* An item crosses a link in step `step` of the present stage, from 1. keeps: the sender has it, too, afterwards. */
void np_sort_teller_hop(np_sort_teller *teller, uint64_t step, np_node from, np_node to, uint32_t item, bool keeps);

/* The present stage is over. Without hops: no packet of it is told of. */
void np_sort_teller_stage(np_sort_teller *teller, const char *name, uint64_t steps);

/* For an engine that routes packets of the present stage. The stage is then not told of by np_sort_teller_stage. */
const np_observer *np_sort_teller_observer(np_sort_teller *teller, const char *stage);

/* The first failure so far: NP_ERROR_MEMORY, NP_ERROR_LIMIT, NP_ERROR_CANCELLED. */
np_status np_sort_teller_status(const np_sort_teller *teller) NP_CHECKED;

/* The run is over: tells of what is left. As np_sort_teller_status. */
np_status np_sort_teller_end(np_sort_teller *teller) NP_CHECKED;

#endif
