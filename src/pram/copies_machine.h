/* The inside of the machine copies:NETWORK, for copies_machine.c and its tests. */
#ifndef NP_PRAM_COPIES_MACHINE_H
#define NP_PRAM_COPIES_MACHINE_H

#include "pram/copies.h"
#include "pram/copies_values.h"
#include "pram/network_machine.h"
#include "pram/tags.h"

/* A class asks for a copy. */
typedef struct np_copies_attempt {
    uint64_t lot; /* of those at a module the least is served */
    uint32_t class, module;
    uint8_t copy, served;
    uint32_t first; /* of its messages, if they carry values; they follow one another */
} np_copies_attempt;

typedef struct np_copies_machine {
    np_network_machine base;
    np_copies memory;
    uint32_t serves;
    const char *scheme; /* NULL: a complete network */

    /* The batch at hand. */
    np_tags tags;      /* classes */
    uint32_t share;    /* requests of a processor */
    size_t room;       /* requests */
    np_copy *found;    /* [classes] the newest that it has read; then what it writes */
    uint32_t *reached; /* [classes] bit k: copy k */
    uint32_t *left;    /* [unfinished] classes that have not reached b copies */
    uint32_t unfinished;
    np_copies_attempt *attempt; /* [attempts] of the round */
    size_t attempts;
    np_node *source, *destination; /* [packets] */
    size_t packets;
    size_t messages; /* packets, and what processors ask of their own modules */
    void *block;
    size_t block_bytes;
    np_tags pairs; /* of a processor and a module: messages on the links of a complete network */

    bool carries;
    np_copies_values values; /* if it carries them */

    uint32_t *turn; /* [modules] the attempt that is served next */
    uint64_t rounds;
} np_copies_machine;

#endif
