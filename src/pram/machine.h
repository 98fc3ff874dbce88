/*
 * Machines: what serves the accesses of a PRAM step. The front end (pram.c)
 * has checked addresses and rule, and holds the memory; a machine moves the requests
 * to it and the replies back, in batches, and says what that cost.
 *
 * A machine is one const descriptor and a line in machines.c.
 */
#ifndef NP_PRAM_MACHINE_H
#define NP_PRAM_MACHINE_H

#include "base/random.h"
#include "netpram/pram.h"
#include "pram/request.h"

typedef struct np_machine np_machine;

/* What one batch came to. */
typedef struct np_batch_cost {
    uint64_t network_steps, initialisation_steps, rehash_steps;
    uint64_t requests, combined, ghosts, replies;
    uint32_t queue_max;
    uint64_t module_load_max;
    uint32_t rehashes;
} np_batch_cost;



typedef struct np_machine_ops {
    const char *name, *parameters, *help, *source;
    np_status (*create)(const char *parameters, const np_pram_options *options, np_machine **out);
    void (*free)(np_machine *machine);
    np_processor (*processors)(const np_machine *machine); /* 0: as many as there are virtual ones */
    uint64_t (*modules)(const np_machine *machine);
    uint32_t (*n)(const np_machine *machine);

    /*
     * Serves a batch: count requests of distinct (real processor, slot) pairs, in the order of virtual processors;
     * request i belongs to real processor i / slack in the batch. Fills reply[i] of reads and fetches.
     * cells is the whole memory that is allocated (its size for rehashing).
     */
    np_status (*serve)(np_machine *machine, np_store *store, const np_request *request, size_t count, np_word *reply,
                       np_batch_cost *cost);
    /* More cells are allocated: modules make room. May be NULL. */
    np_status (*grow)(np_machine *machine, uint64_t cells, np_batch_cost *cost);
} np_machine_ops;

struct np_machine {
    const np_machine_ops *ops;
};

extern const np_machine_ops *const np_machines[];

#endif
