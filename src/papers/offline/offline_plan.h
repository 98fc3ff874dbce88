/*
 * Off-line routing of permutations on product networks: edge colouring decides
 * by which way each packet goes (Sibeyn, lecture notes, off-line routing).
 */
#pragma once

#include "papers/offline/line.h"
#include "netpram/traffic.h"
#include "model/network/axes.h"

/* What the nodes are whose coordinates differ in one axis only. */
typedef enum np_product_row {
    NP_ROW_ARRAY,
    NP_ROW_RING,
    NP_ROW_COMPLETE,
    NP_ROW_OTHER, /* another factor of product:A,B: nobody knows how long its permutations take */
} np_product_row;

/* A network as a product of rows: node = sum of coordinate[i] stride[i]. */
typedef struct np_product {
    np_axes axes; /* d = axes.count */
    uint32_t nodes;
    np_product_row row[NP_MAX_DIMENSIONS];
    /* The axes, the quickest first. The slowest is last, as it is routed once only. Equal ones in descending order. */
    uint32_t order[NP_MAX_DIMENSIONS];
} np_product;

/*
 * Products are meshes, tori, arrays, rings and hypercubes, and product:A,B of any factors. Factors that are grids or
 * hypercubes are taken apart into their rows. NULL: the network is a product; else the reason why not.
 */
const char *np_product_refuses(const np_network *network);
void np_product_of(const np_network *network, np_product *product);

/* Phases 0 .. 2d-2 go along dimensions order[0], .., order[d-1], .., order[0]. */
static inline uint32_t np_product_phases(const np_product *product) { return 2 * product->axes.count - 1; }
static inline uint32_t np_product_dimension(const np_product *product, uint32_t phase)
{
    uint32_t d = product->axes.count;
    return product->order[phase < d ? phase : 2 * d - 2 - phase];
}

/* The most steps that a phase takes; 0: not known. */
np_step np_product_phase_bound(const np_product *product, np_line_rule rule, uint32_t phase);
/* The most steps that all phases together take: 2 T_B + T_C, unrolled; 0: not known. */
uint64_t np_product_bound(const np_product *product, np_line_rule rule);

/*
 * One item for each node. Item i is what starts at node i: a packet, or nothing.
 * An item without a packet has a destination too, so that the items are a permutation.
 */
typedef struct np_offline_plan {
    const np_network *network; /* borrowed */
    np_product product;
    void *block;       /* the arrays */
    np_packet *packet; /* [nodes] the packet of each item; NP_NONE: nothing starts there */
    np_node *to;       /* [nodes] where each item belongs */
    uint32_t *colour;  /* [(d-1) nodes] by (phase, item): the coordinate that the phase takes the item to */
} np_offline_plan;

/* Room for a plan. */
np_status np_offline_plan_init(np_offline_plan *plan, const np_network *network) NP_CHECKED;
void np_offline_plan_clear(np_offline_plan *plan);
/* Bytes of a plan, together with the bytes that are needed to make it. */
uint64_t np_offline_plan_bytes(const np_product *product);

/*
 * Makes the plan. Expected time O(N (log N + d)).
 * @return NP_ERROR_APPLY: a node, which the message names, sends or receives two packets; NP_ERROR_MEMORY
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
