/*
 * Schemes: a row that names a path rule, the phases' targets and the queue
 * discipline that goes with it, and what it is applicable to. Nothing in here
 * moves a packet.
 */
#ifndef NP_ROUTE_SCHEME_H
#define NP_ROUTE_SCHEME_H

#include "base/export.h"
#include "queueing/engine.h"
#include "netpram/route.h"
#include "route/mover.h"

typedef struct np_scheme_ops {
    np_entry info;
    bool explains;     /* np_report_explain can say why a run was slow */
    bool preferred;    /* a candidate for the default: the first such that applies */
    const char *paths; /* the path rule; NULL: the caller's choice, else "greedy" */
    const char *queue; /* the discipline used when none is named */
    const np_mover_ops
        *mover;        /* moves packets its own way: phases, name, targets, paths and queue are NULL; else NULL */
    bool merges;       /* it heeds np_route_options.merge, but not waves */
    bool in_waves;     /* it heeds queue_size, room and waves of np_route_options.merge */
    bool sized;        /* it heeds queue_size of np_route_options.merge, and nothing else there */
    bool permutations; /* np_route_options.permutations is for it */
    bool uniform;      /* two phases: to a node drawn uniformly, whatever the packet, and on to the destination */

    /* NULL: applies; else the reason why not. */
    const char *(*refuses)(const np_network *network);
    unsigned (*phases)(const np_network *network);
    void (*name)(const np_network *network, unsigned phase, char name[8]);
    /* np_engine_plan.targets; its context is the network. */
    void (*targets)(const void *network, unsigned phase, const np_draws *draws, size_t count, const np_packet *packet,
                    const np_node *at, const np_node *destination, np_node *to);
    /* np_engine_plan.targets_from: one of the two is NULL. */
    void (*targets_from)(const void *network, unsigned phase, size_t count, const np_node *source, const np_node *at,
                         const np_node *destination, np_node *to);
} np_scheme_ops;

/* Whichever of the two it has. */
NP_FOR_REPORT void np_scheme_targets(const np_scheme_ops *scheme, const np_network *network, unsigned phase,
                                     const np_draws *draws, size_t count, const np_packet *packet,
                                     const np_node *source, const np_node *at, const np_node *destination, np_node *to);

/* The registry of schemes, in schemes.c. */
extern const np_registry np_schemes;

/* By name; NP_ERROR_INPUT with the nearest one. */
NP_FOR_REPORT np_status np_scheme_find(const char *name, const np_scheme_ops **out) NP_CHECKED;

/* "because it needs a hypercube": the network must be of that family. */
const char *np_scheme_needs(const np_network *network, const char *family, const char *reason);

/* phases and name of the schemes of phases A and B. */
unsigned np_scheme_two_phases(const np_network *network);
void np_scheme_name_two(const np_network *network, unsigned phase, char name[8]);

#endif
