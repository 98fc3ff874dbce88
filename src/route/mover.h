/*
 * Movers: schemes that are not one queueing engine with one path rule. A
 * mover is made once a thread, is given the traffic of a run, and does its
 * phases one after the other. np_route collects what they come to.
 */
#ifndef NP_ROUTE_MOVER_H
#define NP_ROUTE_MOVER_H

#include "base/random.h"
#include "netpram/route.h"

typedef struct np_mover np_mover;

typedef struct np_mover_ops {
    /*
     * Checks the options and makes one; its arguments outlive it. `like`, if not NULL, was made with the same
     * arguments and outlives it too: what never changes can be shared.
     */
    np_status (*create)(const np_network *network, const np_route_options *options, const np_mover *like,
                        np_mover **out);
    void (*free)(np_mover *mover);

    /* What plans and results ask before a run; pure. */
    unsigned (*phases)(const np_mover *mover);
    void (*name)(const np_mover *mover, unsigned phase, char name[8]);
    const char *(*paths)(const np_mover *mover);
    const char *(*queue)(const np_mover *mover);
    /* What the emulation of the phase's leveled network costs a step; NULL: the phases have none. */
    void (*emulation)(const np_mover *mover, unsigned phase, np_emulation_result *out);
    /* The ranks of the phase are set by the paths; NULL: of none. */
    bool (*fixed_ranks)(const np_mover *mover, unsigned phase);
    /* Bytes of one mover that routes so many packets. */
    uint64_t (*bytes)(const np_mover *mover, uint64_t packets);

    /*
     * Does phase `phase` of a run. draws: seed and run. *delay = [*delays] the steps that the packets
     * of the phase spent waiting, owned by the mover until its next call.
     */
    np_status (*run)(np_mover *mover, unsigned phase, np_draws draws, const np_traffic *traffic, np_phase_run *out,
                     const uint32_t **delay, size_t *delays);
} np_mover_ops;

struct np_mover {
    const np_mover_ops *ops;
    unsigned workers; /* threads that a run may use; 0 is 1. Set by np_route, changes no result */
};

#endif
