/*
 * What the machines on networks of other parts share: processor i sends at input i of
 * the network, module i receives at output i (np_network_input, np_network_output); the
 * module of every cell by the address map; and the requests of a batch as packets.
 *
 * n is the network's diameter. The address map has 8 ceil(log2 modules) coefficients unless options say
 * otherwise: as many as on a butterfly of so many rows; a diameter of a mesh would be of use to nobody.
 * Charged as initialisation: zeta + n, for the coefficients to go down a tree of shortest
 * paths to all nodes, one a step. How a module finds its cells is not modelled, and there is no rehashing: a batch
 * takes what it takes.
 */
#ifndef NP_PRAM_NETWORK_MACHINE_H
#define NP_PRAM_NETWORK_MACHINE_H

#include "netpram/network.h"
#include "netpram/traffic.h"
#include "pram/address_map.h"
#include "pram/machine.h"

/* A machine of this kind begins with one. */
typedef struct np_network_machine {
    np_machine machine;
    np_network *network;
    uint32_t terminals, n;
    np_access_rule rule;
    uint64_t seed;
    uint32_t slack;
    np_placement placement;
    uint64_t cells, room;
    uint32_t *module; /* [cells] */
    uint64_t *held;   /* [terminals] cells of each module */

    /* One batch. */
    uint32_t batches; /* so far, the present one among them */
    size_t packets;   /* requests that move: their processor is not at their module */
    size_t packets_room;
    uint32_t *mover;               /* [packets] which request it is, ascending */
    np_node *source, *destination; /* [packets] */
    uint32_t *load;                /* [terminals] */
} np_network_machine;

/*
 * Sets up a zeroed machine; what is there after a failure is np_network_machine_clear's. example: a spec that is right,
 * for messages.
 */
np_status np_network_machine_init(np_network_machine *m, const np_machine_ops *ops, const char *network,
                                  const np_pram_options *options, const char *example) NP_CHECKED;
void np_network_machine_clear(np_network_machine *m);

/* The descriptor's functions. */
np_processor np_network_machine_processors(const np_machine *machine);
uint64_t np_network_machine_modules(const np_machine *machine);
uint32_t np_network_machine_n(const np_machine *machine);
/* A module is a row of its own. */
void np_network_machine_measure(const np_machine *machine, np_pram_report *out);
np_status np_network_machine_grow(np_machine *machine, uint64_t cells, np_batch_cost *cost) NP_CHECKED;

/* A batch begins: packets, mover, source and destination are set. NP_ERROR_MEMORY. */
np_status np_network_machine_begin(np_network_machine *m, const np_request *request, size_t count) NP_CHECKED;

/* The packets, or with `back` the replies to them, as traffic. The caller frees it. */
np_status np_network_machine_traffic(const np_network_machine *m, bool back, np_traffic **out) NP_CHECKED;

/*
 * Sets load[] to the requests that come to each module, those that need not move among them; gone[packet] != 0: it has
 * become part of another on its way (NULL: none has). Returns the largest.
 */
uint32_t np_network_machine_load(np_network_machine *m, const np_request *request, size_t count, const uint8_t *gone);

#endif
