/*
 * New hash functions while a program runs, on any machine with a network (Ranade 1987b, appendix
 * B). A batch that takes more than its allotted time is given up. A new function is drawn, every
 * cell is routed from the module that holds it to its new module, and the batch starts again.
 * Memory has not been touched: it serves a batch only after the network has finished.
 *
 * The time allotted is `allotted` n `slack` steps: `allotted` n for each request that a processor
 * may have in a batch (the paper has 1 request). After NP_REHASH_RETRIES new functions in one
 * batch, the batch may take as long as it needs, so that a program ends however short the allotted
 * time is. The address map `none` has no other function: its batches are never given up.
 *
 * rehash_steps are the steps of batches that were given up, and all steps that a new function
 * costs.
 */
#pragma once

#include "machine/pram/machine.h"

enum {
    NP_REHASH_RETRIES = 8,  /* ours */
    NP_REHASH_AT_ONCE = 16, /* cells of one module in one batch of moves: ours, near the most that rows of a butterfly
                               can carry */
};

/* Of observers: the first phase of a batch of cells. Batches of requests have fewer phases. */
enum { NP_MOVES_PHASE = 16 };

/* A cell that is moved. */
typedef struct np_rehash_move {
    uint32_t cell, holder; /* holder: the module that it comes from */
} np_rehash_move;

/* What a machine does for rehashing. */
typedef struct np_rehash_ops {
    /*
     * Sends the batch at hand through the network. It is given up after steps_max steps (0: never);
     * *done: it was not given up.
     */
    np_status (*attempt)(np_machine *machine, uint64_t steps_max, np_batch_cost *cost, bool *done);
    uint32_t (*module_of)(const np_machine *machine, uint32_t cell); /* that holds it, and will send it */
    /* Draws the next function: all cells have new modules. NP_ERROR_MEMORY, NP_ERROR_LIMIT. */
    np_status (*draw)(np_machine *machine);
    /* Moves cells to their new modules in one batch: at most NP_REHASH_AT_ONCE of each holder, in order of holders. */
    np_status (*move)(np_machine *machine, const np_rehash_move *move, size_t count, np_batch_cost *cost);
    /* All cells have been moved. The errors of draw. NULL: there is nothing to do. */
    np_status (*settle)(np_machine *machine);
    /* Steps that a new function takes besides moves. */
    uint64_t (*local_steps)(const np_machine *machine);
} np_rehash_ops;

typedef struct np_rehash {
    const np_rehash_ops *ops;
    uint64_t allotted; /* steps of a batch; 0: no limit */
    uint32_t modules;
} np_rehash;

/* n, modules: of the machine. */
np_rehash np_rehash_of(const np_rehash_ops *ops, const np_pram_options *options, uint32_t n, uint32_t modules);

/*
 * options->queue_size, but at most the number of messages that a batch of requests or moves can
 * have: more room is useless.
 */
uint32_t np_rehash_queue_size(const np_pram_options *options, uint32_t processors);

/*
 * Sends the batch at hand, with new functions as long as it takes too long. cells: how many are
 * allocated. NP_ERROR_MEMORY, and the errors of the machine's functions.
 */
np_status np_rehash_deliver(const np_rehash *rehash, np_machine *machine, uint64_t cells,
                            np_batch_cost *cost) NP_CHECKED;
