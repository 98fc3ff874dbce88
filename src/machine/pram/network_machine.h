/*
 * The common part of the machines that route on any network: processor i sends at input i of the
 * network, and module i receives at output i (np_network_input, np_network_output); the address map
 * gives the module of every cell; the requests of a batch become packets.
 *
 * n is the network's diameter. The address map has 8 ceil(log2 modules) coefficients unless the
 * options say otherwise, as on a butterfly with one row for each module; 8 n would be far too many
 * on a mesh. Initialisation is charged zeta + n steps: the coefficients go down a tree of shortest
 * paths to all nodes, one a step. How a module finds its cells is not modelled.
 *
 * A new hash function (rehash.h) also costs zeta + n, and the moves: a cell that has another module
 * now is a packet from its holder to the new module. The packets of moves are routed, answered and
 * charged in batches as requests are, but they do not combine. On networks whose inputs and outputs
 * are apart (butterfly-io) the cells of a batch first go back along their rows, from outputs to
 * inputs, one after the other: n + 15 steps. If a batch is given up, the steps that it was allotted
 * are charged, physical ones in proportion, and nothing else is counted: the engines run the batch to its end, and
 * nobody knows which of its ghosts and queues came before the time was up.
 */
#pragma once

#include "machine/pram/address_map.h"
#include "machine/pram/carry.h"
#include "machine/pram/rehash.h"
#include "engine/queueing/relay.h"

typedef struct np_network_machine np_network_machine;

/* The cost of a batch. */
typedef struct np_network_pass {
    uint64_t steps;    /* until the last reply is home */
    uint64_t physical; /* the same in physical steps; 0: they are equal */
    uint64_t combined, ghosts;
    uint32_t queue_max, load;
} np_network_pass;

/* What each kind of machine does in its own way. */
typedef struct np_network_ways {
    size_t bytes;        /* of its structure, which begins with np_network_machine */
    const char *example; /* a right spec, for messages */
    /* The common part is set up. network: as the spec has it. After a failure clear() is called, which may be NULL. */
    np_status (*set_up)(np_network_machine *m, const char *network, const np_pram_options *options);
    void (*clear)(np_network_machine *m);
    /* Moves the packets of the batch at hand to their modules, and the replies back. *out is zeroed. */
    np_status (*pass)(np_network_machine *m, np_network_pass *out);
    /* Memory serves the batch at hand, after its pass. */
    void (*answer)(np_network_machine *m, np_store *store, np_word *reply);
} np_network_ways;

/* Every machine of this kind begins with this structure. */
struct np_network_machine {
    np_machine machine;
    const np_network_ways *ways;
    np_network *network;
    uint32_t terminals;
    np_access_rule rule;
    uint64_t seed;
    np_processor senders; /* processors that send requests */
    np_placement placement;
    np_rehash rehash;
    uint64_t cells;
    size_t room;
    uint32_t *module; /* [cells] */
    uint64_t *held;   /* [terminals] cells of each module */

    const np_request *asked; /* [asks] the requests that are being served */
    size_t asks;

    /* The batch at hand: the requests asked, or moves. */
    const np_request *request; /* [count] of a move only the address is used */
    size_t count;
    uint32_t *from;   /* [count] the processor, or holder, that sends it */
    uint32_t batches; /* so far, with the present one */
    size_t packets;   /* requests that move: their processor is not at their module */
    size_t batch_room;
    void *batch;                   /* from, mover, source, destination */
    size_t batch_bytes;            /* its bytes */
    uint32_t *mover;               /* [packets] which request it is, ascending */
    np_node *source, *destination; /* [packets] */
    uint32_t *load;                /* [terminals] */
    np_network_pass done;          /* what the batch cost */

    np_request *move; /* cells on their way to new modules */
    size_t moves_room;

    bool observed;
    bool carries; /* values */
    np_carry carry;
    np_event_relay relay; /* a batch is a run; phases of moves count from NP_MOVES_PHASE */
};

/* Makes a machine of the kind. */
np_status np_network_machine_create(const np_network_ways *ways, const char *network, const np_pram_options *options,
                                    np_machine **out) NP_CHECKED;

/* The descriptor's functions. */
void np_network_machine_free(np_machine *machine);
/* A module is a row of its own. */
void np_network_machine_measure(const np_machine *machine, np_pram_report *out);
np_status np_network_machine_serve(np_machine *machine, np_store *store, const np_request *request, size_t count,
                                   np_word *reply, np_batch_cost *cost) NP_CHECKED;
np_status np_network_machine_grow(np_machine *machine, uint64_t cells, np_batch_cost *cost) NP_CHECKED;

/*
 * For the engine that moves the packets of the batch at hand there, or with `back` the replies; NULL: nobody observes.
 */
const np_observer *np_network_machine_observer(np_network_machine *m, bool back);

/*
 * One way of the batch through unbounded queues: a scheme of np_route routes the packets. a, b: the coordinates of its
 * seed in the draws of the batch. Adds to done.steps, phase by phase, and raises done.queue_max. observer may be NULL.
 */
np_status np_network_machine_route(np_network_machine *m, const char *scheme, uint32_t a, uint32_t b, size_t packets,
                                   const np_node *source, const np_node *destination,
                                   const np_observer *observer) NP_CHECKED;

/*
 * Sets load[] to the number of requests that come to each module, with the requests that need not
 * move. gone[packet] != 0: the packet has become part of another on its way (NULL: none has).
 * Returns the largest load.
 */
uint32_t np_network_machine_load(np_network_machine *m, const uint8_t *gone);
