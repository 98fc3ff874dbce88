/* One way of a batch on machines whose packets go through unbounded queues: a scheme of np_route routes them. */
#ifndef NP_PRAM_ROUTED_H
#define NP_PRAM_ROUTED_H

#include "machine/pram/network_machine.h"

/* Routes the traffic, and frees it. Adds to out->steps, phase by phase, and raises out->queue_max. observer may be NULL. */
np_status np_routed_send(const np_network *network, const char *scheme, uint64_t seed, const np_observer *observer,
                         np_traffic *traffic, np_network_pass *out) NP_CHECKED;

#endif
