/*
 * Machines: a machine serves the accesses of a PRAM step. The front end (pram.c) holds the memory
 * and has checked the addresses and the rule. A machine moves the requests to the memory and the
 * replies back, in batches, and says what this cost.
 *
 * A machine is one const descriptor and a line in machines.c.
 */
#ifndef NP_PRAM_MACHINE_H
#define NP_PRAM_MACHINE_H

#include "base/random.h"
#include "base/registry.h"
#include "netpram/pram.h"
#include "pram/request.h"
#include "pram/slowest.h"

typedef struct np_machine np_machine;

/* The cost of the batches so far. */
typedef struct np_batch_cost {
    uint64_t network_steps, initialisation_steps, rehash_steps;
    uint64_t requests, combined, ghosts, replies;
    uint32_t queue_max;
    uint64_t module_load_max;
    uint32_t rehashes;
    uint64_t slowest; /* steps of the slowest batch, on machines that keep this batch */
} np_batch_cost;

typedef struct np_machine_ops {
    np_entry info;
    /* parameters: the text after "name:", "" if there is none. options are borrowed for the call. */
    np_status (*create)(const char *parameters, const np_pram_options *options, np_machine **out);
    void (*free)(np_machine *machine);
    np_processor (*processors)(const np_machine *machine); /* 0: as many as there are virtual ones */
    uint64_t (*modules)(const np_machine *machine);
    uint32_t (*n)(const np_machine *machine);
    /* Sets row_cells_max and row_cells_mean; may be NULL. */
    void (*measure)(const np_machine *machine, np_pram_report *out);
    /* np_pram_memory_compute; NULL where there is nothing to tell. */
    np_status (*memory)(const np_machine *machine, np_pram_memory *out);

    /*
     * Serves a batch: count requests in the order of virtual processors, at most `slack` for each
     * real processor that is used (np_machine_senders). Request i belongs to real processor i /
     * np_machine_requests_each: inactive processors take no place. A step is one batch or several, and a
     * batch has at least one request. Fills reply[i] of reads and fetches. Adds to the fields of
     * *cost, except that it raises queue_max, module_load_max and slowest.
     */
    np_status (*serve)(np_machine *machine, np_store *store, const np_request *request, size_t count, np_word *reply,
                       np_batch_cost *cost);
    /* More cells are allocated: modules make room. May be NULL. */
    np_status (*grow)(np_machine *machine, uint64_t cells, np_batch_cost *cost);
    /* The slowest batch so far, for np_pram_explain; NULL: the machine cannot be explained. */
    const np_slowest *(*slowest)(const np_machine *machine);
} np_machine_ops;

struct np_machine {
    const np_machine_ops *ops;
};

/* How many real processors the virtual ones share: as many as the options say, or all of the machine. */
static inline np_processor np_machine_senders(const np_pram_options *options, np_processor has)
{
    return options->processors ? options->processors : has;
}

/*
 * How many virtual processors of a batch share a real one (Brent 1974): ceil(count / senders), in
 * sequence. So in a full batch each real processor has `slack` requests, and a smaller batch is
 * spread over as many real processors as this allows. The sequence keeps the order that multiprefix
 * needs.
 */
static inline uint32_t np_machine_requests_each(size_t count, np_processor senders)
{
    return (uint32_t)((count + senders - 1) / senders);
}

/* The registry of machines, in machines.c. */
extern const np_registry np_machines;

/*
 * The machine of a spec such as "butterfly:8"; the caller frees it by ops->free. NP_ERROR_INPUT
 * names the nearest machine.
 */
np_status np_machine_create(const char *spec, const np_pram_options *options, np_machine **out) NP_CHECKED;

#endif
