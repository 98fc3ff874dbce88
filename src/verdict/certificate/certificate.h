/*
 * What proves a throughput: lengths of arcs.
 *
 * An arc is all links from a node to another one, arcs are ordered by tail and head, and the width of an arc is how
 * many links it is. The bound from above is a vector of lengths. The bound from below is a flow. Where
 * demands are many it is not stored: vectors of lengths and a rule (flow.c) make flows, and their weighted mean is the
 * flow. Where demands are few it is stored as paths with weights (ways.c). All is in whole numbers, so that everybody
 * finds the same loads.
 */
#pragma once

#include "base/exact.h"
#include "base/status.h"
#include "model/traffic/traffic.h"

enum { NP_CLAIM_UNITS = 20, NP_CLAIM_BITS = 31 }; /* binary logarithms of what a packet is in a flow; the most */

/* Lengths that make a flow. */
typedef struct np_flow_lengths {
    uint64_t weight; /* of the flow in the mean */
    uint32_t theta;  /* at least 1 */
    int32_t *length; /* [arcs] at least 1 */
} np_flow_lengths;

typedef struct np_certificate {
    const char *network, *traffic; /* specs */
    uint64_t seed;
    np_node nodes;
    uint32_t arcs;
    uint64_t links, packets;
    size_t demands;

    int32_t *length; /* [arcs] that bound the factor from above; 0 is allowed */
    np_wide high_top, high_bottom;

    uint32_t flows;
    np_flow_lengths *flow; /* [flows] */
    np_wide low_top, low_bottom;

    /* Of a flow that is stored, where flows is 0: paths, by demand. */
    size_t ways, way_arcs;
    uint32_t *ways_of;    /* [demands] how many each demand has */
    unsigned way_bits;    /* NP_CLAIM_UNITS..NP_CLAIM_BITS */
    uint32_t *way_weight; /* [ways] of a demand 2^way_bits in all */
    uint32_t *way_hops;   /* [ways] */
    uint32_t *way_arc;    /* [way_arcs] numbers of arcs, path by path */
} np_certificate;

/* The problem that a certificate is about, made of the network and the traffic anew. */
typedef struct np_claim {
    const np_network *network;
    np_node nodes;
    uint32_t arcs;
    uint64_t links;
    size_t demands;
    uint64_t packets;
    uint64_t *arc;                   /* [arcs] tail << 32 | head, ascending */
    uint64_t *width;                 /* [arcs] */
    uint32_t *from, *into, *into_at; /* [nodes + 1], [nodes + 1], [arcs]: arcs by tail; arcs by head */
    uint64_t *pair;                  /* [demands] destination << 32 | source, ascending */
    uint64_t *amount;                /* [demands] */
} np_claim;

/* claim.c. Clear it in any case. */
np_status np_claim_init(np_claim *claim, const np_network *network, const np_traffic *traffic) NP_CHECKED;
void np_claim_clear(np_claim *claim);

/*
 * flow.c: works out the certificate's two quotients from its lengths. Needs lengths, weights and thetas only.
 * NP_ERROR_INPUT: they prove nothing (a demand has no way); NP_ERROR_MEMORY, NP_ERROR_CANCELLED.
 */
np_status np_claim_work_out(const np_claim *claim, np_certificate *certificate, const np_watch *watch) NP_CHECKED;

/*
 * flow.c: shows the flow of the certificate's lengths, destination by destination: flow[arcs], the sum of weight x
 * units over its flows, carries demands first..end-1. The visitor may change it. NP_ERROR_MEMORY, NP_ERROR_CANCELLED,
 * what the visitor returns.
 */
np_status np_claim_each_flow(const np_claim *claim, const np_certificate *certificate,
                             np_status (*visit)(void *context, size_t first, size_t end, np_wide *flow), void *context,
                             const np_watch *watch) NP_CHECKED;

/*
 * ways.c: adds the loads of the certificate's paths to load[arcs]. NP_ERROR_INPUT: a path is none, or the weights of a
 * demand are not 2^way_bits in all.
 */
np_status np_claim_add_ways(const np_claim *claim, const np_certificate *certificate, np_wide *load) NP_CHECKED;

/* file.c */
np_status np_certificate_write(const np_certificate *certificate, const char *path) NP_CHECKED;
/* Clear it in any case. The certificate points into *text, which the caller frees. */
np_status np_certificate_read(const char *path, char **text, np_certificate *out) NP_CHECKED;
void np_certificate_clear(np_certificate *certificate);     /* what np_certificate_read took */
void np_certificate_clear_low(np_certificate *certificate); /* flows and paths alone, but not the lengths of flows */
