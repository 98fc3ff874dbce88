/*
 * What the machines on networks of other parts share: processor i sends at input i of
 * the network, module i receives at output i (np_network_input, np_network_output); the
 * module of every cell by the address map; and the requests of a batch as packets.
 *
 * n is the network's diameter. The address map has 8 ceil(log2 modules) coefficients unless options say
 * otherwise: as many as on a butterfly of so many rows; a diameter of a mesh would be of use to nobody.
 * Charged as initialisation: zeta + n, for the coefficients to go down a tree of shortest
 * paths to all nodes, one a step. How a module finds its cells is not modelled.
 *
 * New hash functions (rehash.h) cost zeta + n likewise, and the moves: a cell that has another
 * module is a packet from its holder to that, in batches that are routed, answered and charged as those of
 * requests, but that none combine. On networks with inputs and outputs apart (butterfly-io) the cells of a batch first
 * go back along their rows, from outputs to inputs, one after the other: n + 15 steps. Of a batch that is given up the
 * steps that it had are charged and nothing else is counted: the engines run it to its end, and what of its ghosts and
 * queues came before the time was up is not known.
 */
#ifndef NP_PRAM_NETWORK_MACHINE_H
#define NP_PRAM_NETWORK_MACHINE_H

#include "netpram/network.h"
#include "netpram/traffic.h"
#include "pram/address_map.h"
#include "pram/machine.h"
#include "pram/rehash.h"

typedef struct np_network_machine np_network_machine;

/* What a batch came to. */
typedef struct np_network_pass {
    uint64_t steps; /* until the last reply is home */
    uint64_t combined, ghosts;
    uint32_t queue_max, load;
} np_network_pass;

/* What the kinds of machine do each in their way. */
typedef struct np_network_ways {
    /* Moves the packets of the batch at hand to their modules, and the replies back. *out is zeroed. */
    np_status (*pass)(np_network_machine *m, np_network_pass *out);
    /* Memory serves the batch at hand, after its pass. */
    void (*answer)(np_network_machine *m, np_store *store, np_word *reply);
} np_network_ways;

/* A machine of this kind begins with one. */
struct np_network_machine {
    np_machine machine;
    const np_network_ways *ways;
    np_network *network;
    uint32_t terminals, n;
    np_access_rule rule;
    uint64_t seed;
    np_processor players; /* processors that send requests */
    np_placement placement;
    np_rehash rehash;
    uint64_t cells, room;
    uint32_t *module; /* [cells] */
    uint64_t *held;   /* [terminals] cells of each module */

    const np_request *asked; /* [asks] what is being served */
    size_t asks;

    /* The batch at hand: those requests, or moves. */
    const np_request *request; /* [count] of moves the addresses alone count */
    size_t count;
    uint32_t *from;   /* [count] the processor, or holder, that sends it */
    uint32_t batches; /* so far, the present one among them */
    size_t packets;   /* requests that move: their processor is not at their module */
    size_t batch_room;
    uint32_t *mover;               /* [packets] which request it is, ascending */
    np_node *source, *destination; /* [packets] */
    uint32_t *load;                /* [terminals] */
    np_network_pass done;          /* what it came to */

    np_request *move; /* cells on their way to new modules */
    size_t moves_room;
};

/*
 * Sets up a zeroed machine whose ops and ways are set; what is there after a failure is np_network_machine_clear's.
 * example: a spec that is right, for messages.
 */
np_status np_network_machine_init(np_network_machine *m, const char *network, const np_pram_options *options,
                                  const char *example) NP_CHECKED;
void np_network_machine_clear(np_network_machine *m);

/* The descriptor's functions. */
np_processor np_network_machine_processors(const np_machine *machine);
uint64_t np_network_machine_modules(const np_machine *machine);
uint32_t np_network_machine_n(const np_machine *machine);
/* A module is a row of its own. */
void np_network_machine_measure(const np_machine *machine, np_pram_report *out);
np_status np_network_machine_serve(np_machine *machine, np_store *store, const np_request *request, size_t count,
                                   np_word *reply, np_batch_cost *cost) NP_CHECKED;
np_status np_network_machine_grow(np_machine *machine, uint64_t cells, np_batch_cost *cost) NP_CHECKED;

/* The packets, or with `back` the replies to them, as traffic. The caller frees it. */
np_status np_network_machine_traffic(const np_network_machine *m, bool back, np_traffic **out) NP_CHECKED;

/*
 * Sets load[] to the requests that come to each module, those that need not move among them; gone[packet] != 0: it has
 * become part of another on its way (NULL: none has). Returns the largest.
 */
uint32_t np_network_machine_load(np_network_machine *m, const uint8_t *gone);

#endif
