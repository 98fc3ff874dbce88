/*
 * Machines (np_machine_ops, in netpram/pram.h): a machine serves the accesses of a PRAM step. The
 * front end (pram.c) holds the memory and has checked the addresses and the rule. A machine moves
 * the requests to the memory and the replies back, in batches, and says what this cost.
 *
 * A machine is one const descriptor and a line in machines.c.
 */
#pragma once

#include "base/registry.h"
#include "machine/pram/tags.h"

/* Keeps the batch that took the most network steps so far, as it was sent: it can be sent again and explained. */

typedef struct np_slowest {
    uint32_t n, queue_size;
    uint64_t steps; /* 0: none yet */
    uint32_t groups;
    uint64_t *key;       /* [groups] tags */
    uint32_t *module;    /* [groups] */
    uint32_t *begin;     /* [groups + 1] */
    uint32_t *processor; /* [begin[groups]] */
    size_t count;        /* begin[groups] */
    void *block;         /* the arrays */
    size_t block_bytes;  /* its bytes */
} np_slowest;

enum { NP_COPIES_MOST = 15 }; /* ours: copies of a cell on machines `copies` */

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
 * The machine of a spec such as "butterfly:8"; the caller frees it by ops->free. Where the options
 * have no slack they get what the machine takes. NP_ERROR_INPUT names the nearest machine.
 */
np_status np_machine_create(const char *spec, np_pram_options *options, np_machine **out) NP_CHECKED;
