/*
 * Permutations on product networks off line: which way round each packet
 * goes, by edge colouring (Sibeyn, lecture notes, off-line routing).
 */
#ifndef NP_ROUTE_OFFLINE_PLAN_H
#define NP_ROUTE_OFFLINE_PLAN_H

#include <stdbool.h>

#include "base/export.h"
#include "queueing/line.h"
#include "netpram/traffic.h"
#include "network/axes.h"

/* A network as a product of rows: node = sum of coordinate[i] stride[i]. */
typedef struct np_product {
    np_axes axes; /* d = axes.count */
    uint32_t nodes;
    /* The axes by side: the longest, which is routed once only, last; of equal ones the last first. */
    uint32_t order[NP_MAX_DIMENSIONS];
} np_product;

/* Meshes, tori, arrays, rings and hypercubes. NULL: it is one; else why not. */
const char *np_product_refuses(const np_network *network);
NP_FOR_REPORT void np_product_of(const np_network *network, np_product *product);

/* Phases 0 .. 2d-2 go along dimensions order[0], .., order[d-1], .., order[0]. */
static inline uint32_t np_product_phases(const np_product *product) { return 2 * product->axes.count - 1; }
static inline uint32_t np_product_dimension(const np_product *product, uint32_t phase)
{
    uint32_t d = product->axes.count;
    return product->order[phase < d ? phase : 2 * d - 2 - phase];
}

/* 2 T_B + T_C, unrolled: the steps of all phases at most. */
NP_FOR_REPORT uint64_t np_product_bound(const np_product *product, np_line_rule rule);

/*
 * One item a node, item i being what starts at node i: a packet, or nothing,
 * with a place to go that makes the traffic a permutation.
 */
typedef struct np_offline_plan {
    np_product product;
    np_packet *packet; /* [nodes] of each item; NP_NONE: nothing starts there */
    np_node *to;       /* [nodes] where it belongs */
    uint32_t *colour;  /* [(d-1) nodes] by (phase, item): the coordinate that the phase takes it to */
} np_offline_plan;

/* Room for a plan. */
np_status np_offline_plan_init(np_offline_plan *plan, const np_network *network) NP_CHECKED;
void np_offline_plan_clear(np_offline_plan *plan);
/* Bytes of a plan, with those that making it takes. */
uint64_t np_offline_plan_bytes(const np_product *product);

/*
 * Finds it. Expected time O(N (log N + d)).
 * @return NP_ERROR_APPLY: some node sends or receives two packets, by name; NP_ERROR_MEMORY
 */
np_status np_offline_plan_make(np_offline_plan *plan, const np_traffic *traffic) NP_CHECKED;

/* The coordinate that phase `phase` takes the item to. */
static inline uint32_t np_offline_plan_target(const np_offline_plan *plan, uint32_t phase, np_node item)
{
    const np_product *product = &plan->product;
    if (phase + 1 < product->axes.count)
        return plan->colour[(size_t)phase * product->nodes + item];
    return np_axes_coordinate(&product->axes, plan->to[item], np_product_dimension(product, phase));
}

#endif
