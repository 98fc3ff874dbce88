/*
 * Queue disciplines: which packet of a queue goes first (stage 2 of Leighton,
 * Maggs, Ranade & Rao 1994). NP_LIST_QUEUES names them.
 */
#ifndef NETPRAM_SCHEDULE_H
#define NETPRAM_SCHEDULE_H

#include <stddef.h>
#include <stdint.h>

#include "netpram/base.h"
#include "netpram/registry.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/** What a key may depend on: arrays over the packets that enter queues. */
typedef struct np_key_inputs {
    const uint32_t *remaining;     /**< hops to the end of the packet's route in this phase */
    const uint32_t *made;          /**< hops since the engine's run began: in the phase, or with overlap in all */
    const uint32_t *made_in_phase; /**< hops in this phase */
    const uint32_t *priority;      /**< the traffic's, smaller is more urgent; all 0 if the traffic has none */
} np_key_inputs;

/** How the library keeps queues. */
typedef struct np_queue_structure np_queue_structure;

/**
 * A queue discipline. The library's own disciplines are descriptors of this type, and a program registers others with
 * np_discipline_register. From then on np_route_options.queue takes their names. examples/own_discipline.c is an
 * example.
 */
typedef struct np_discipline {
    /** name, help and source are required. */
    np_entry info;

    /**
     * key[i] = the key of packet i as it enters a queue, for i below count. The packet with the smallest key of the
     * queue goes first; of equal keys, the packet that entered first. The arrays do not overlap. Required. (The
     * library's disciplines with structures of their own may have none.)
     *
     * Threads: several threads call it at once. The keys depend on the inputs alone.
     */
    void (*keys)(size_t count, const np_key_inputs *inputs, uint32_t *key);

    /** The library's own member, NULL in other disciplines: how queues are kept. NULL: in heaps ordered by the keys. */
    const np_queue_structure *structure;
} np_discipline;

/**
 * Adds a discipline. It must remain valid until the process ends, with its texts. Any thread may call it at any time.
 *
 * @return NP_ERROR_INPUT: the name or an alias is ill-formed (a letter, then letters, digits and '-', 31 characters at
 *         most) or taken, something that is required is missing, or a member of the library's own is set;
 *         NP_ERROR_LIMIT: 1024 descriptors are registered already. After an error nothing has changed.
 */
np_status np_discipline_register(const np_discipline *discipline) NP_CHECKED;

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
