/*
 * The three-phase schedule on a product network B x C, and what becomes of it when C
 * is a product itself (Sibeyn, lecture notes, off-line routing; for meshes also
 * Annexstein & Baumslag 1990).
 *
 * A packet is at (b, c); its destination is (b', c') and its colour x:
 *   phase 1  to (x, c)    within B x c
 *   phase 2  to (x, c')   within x x C
 *   phase 3  to (b', c')  within B x c'
 * The colours are those of a graph that has an edge for each packet, from c on the
 * left to c' on the right. For a permutation this graph is n_B-regular. So n_B colours
 * are enough, and no two packets with the same c or the same c' have the same colour.
 * In phase 1 all packets of B x c therefore go to different x, and in phase 2 those
 * of x x C have different c'.
 *
 * Here B is a row of dimension order[0], and C is the product of the other dimensions.
 * Phase 2 is done in the same way again, for each x. Level l colours along order[l],
 * in all copies of the remaining product at once. A copy is given by the coordinates x
 * in order[0 .. l-1]. A packet is an edge from where it is to where it belongs in
 * dimensions order[l+1 ..]. Both ends also have the packet's x in order[0 .. l-1], so
 * edges of different copies share no end. Rows of the last dimension then get
 * permutations. The row that takes longest comes last, because it is routed once and the
 * others twice. A row is an array, a ring, or a factor of product:A,B that is no grid.
 *
 * Partial permutations are completed. A node that neither sends nor receives keeps an
 * empty item. The other free sources and destinations are paired in ascending order.
 * Empty items are moved about but are no packets.
 */
#include "papers/offline/offline_plan.h"
#include "model/network/read_node.h"

#include <string.h>

#include "base/arena.h"
#include "papers/offline/colouring.h"
#include "base/memory.h"

const char *np_product_refuses(const np_network *network)
{
    if (np_network_is(network, NP_KIND_PRODUCTS | NP_KIND_FACTORED))
        return NULL;
    return "it is for products of rows (mesh, torus, array, ring, hypercube), products of any networks (product:A,B) "
           "and "
           "complete networks";
}

/* Adds the axes of a grid or hypercube, or another factor as one axis. stride: of its last axis */
static void add_factor(const np_network *factor, uint32_t stride, np_product *product)
{
    np_axes own = np_axes_of(factor);
    if (!own.count) {
        product->row[product->axes.count] = np_network_is(factor, NP_KIND_COMPLETE) ? NP_ROW_COMPLETE : NP_ROW_OTHER;
        np_axes_add(&product->axes, factor->nodes, stride);
    }
    for (uint32_t i = 0; i < own.count; i++) {
        product->row[product->axes.count] = own.wrap ? NP_ROW_RING : NP_ROW_ARRAY;
        np_axes_add(&product->axes, own.side[i], own.stride[i] * stride);
    }
}

/* Steps of a permutation, then nodes, for the order of the phases. Of other factors it is a guess of ours: as on an
 * array. */
static uint64_t time_of(const np_product *product, uint32_t i)
{
    uint32_t side = product->axes.side[i];
    np_product_row row = product->row[i];
    uint64_t steps = row == NP_ROW_COMPLETE ? 1 : np_line_bound(NP_LINE_STRAIGHT, side, row == NP_ROW_RING);
    return steps << 32 | side;
}

void np_product_of(const np_network *network, np_product *product)
{
    *product = (np_product){.nodes = network->nodes};
    if (network->factors) {
        for (uint32_t i = 0; i < network->factors; i++)
            add_factor(network->factor[i], network->stride[i], product);
    } else {
        add_factor(network, 1, product);
        product->axes = np_axes_of(network);
    }
    for (uint32_t i = 0; i < product->axes.count; i++) {
        uint32_t at = i;
        for (; at && time_of(product, product->order[at - 1]) >= time_of(product, i); at--)
            product->order[at] = product->order[at - 1];
        product->order[at] = i;
    }
}

np_step np_product_phase_bound(const np_product *product, np_line_rule rule, uint32_t phase)
{
    uint32_t i = np_product_dimension(product, phase), side = product->axes.side[i];
    np_product_row row = product->row[i];
    return row == NP_ROW_OTHER ? 0 : row == NP_ROW_COMPLETE ? 1 : np_line_bound(rule, side, row == NP_ROW_RING);
}

uint64_t np_product_bound(const np_product *product, np_line_rule rule)
{
    uint64_t bound = 0;
    for (uint32_t phase = 0; phase < np_product_phases(product); phase++) {
        np_step steps = np_product_phase_bound(product, rule, phase);
        if (!steps)
            return 0;
        bound += steps;
    }
    return bound;
}

static void layout(void *object, np_arena *arena)
{
    static const char what[] = "an off-line schedule";
    np_offline_plan *plan = object;
    size_t nodes = plan->product.nodes, levels = plan->product.axes.count - 1;
    NP_ARENA_WORDS(arena, nodes, what, &plan->packet, &plan->to);
    np_arena_array(arena, &plan->colour, nodes * levels, sizeof *plan->colour, what);
}

/* What one level passes on to the next: arrays [nodes] by item. */
typedef struct levels {
    size_t nodes;
    void *block;
    np_node *at;    /* where it is before the level's phase */
    np_node *mixed; /* where it belongs, but in dimensions order[0 .. l-1] with the coordinates of where it is */
    uint32_t *left, *right; /* the ends of its edge */
} levels;

static void layout_levels(void *object, np_arena *arena)
{
    static const char what[] = "an off-line schedule";
    levels *now = object;
    NP_ARENA_WORDS(arena, now->nodes, what, &now->at, &now->mixed, &now->left, &now->right);
}

np_status np_offline_plan_init(np_offline_plan *plan, const np_network *network)
{
    *plan = (np_offline_plan){.network = network};
    np_product_of(network, &plan->product);
    return np_arena_place(plan, layout, "an off-line schedule", &plan->block);
}

void np_offline_plan_clear(np_offline_plan *plan)
{
    np_memory_free(plan->block);
    *plan = (np_offline_plan){.packet = NULL};
}

uint64_t np_offline_plan_bytes(const np_product *product)
{
    np_offline_plan plan = {.product = *product};
    levels now = {.nodes = product->nodes};
    uint64_t colouring = 0;
    for (uint32_t level = 0; level + 1 < product->axes.count; level++) { /* the largest need not be the first */
        uint32_t side = product->axes.side[product->order[level]];
        uint64_t bytes = np_bipartite_bytes(product->nodes / side, product->nodes, side);
        colouring = bytes > colouring ? bytes : colouring;
    }
    return np_arena_bytes(&plan, 0, layout) + np_arena_bytes(&now, 0, layout_levels) + colouring;
}

/* ---- From traffic to a permutation ---- */

static np_status refuse(const np_network *network, const char *does, np_node u, np_packet a, np_packet b)
{
    return NP_RAISE(
        NP_ERROR_APPLY,
        "no partial permutation: node %.80s %s packets %u and %u, and an off-line schedule has one for each "
        "node; on complete networks it may have more",
        NP_NODE_NAME(network, u), does, a, b);
}

/* sender: [nodes] receives, for each node, the item that goes to it; NP_NONE: no item. */
static np_status place(np_offline_plan *plan, const np_traffic *traffic, np_node *sender)
{
    const np_node *source = np_traffic_sources(traffic), *destination = np_traffic_destinations(traffic);
    memset(plan->packet, 0xff, plan->product.nodes * sizeof *plan->packet);
    memset(sender, 0xff, plan->product.nodes * sizeof *sender);
    for (np_packet p = 0; p < np_traffic_packets(traffic); p++) {
        np_node from = source[p], to = destination[p];
        if (plan->packet[from] != NP_NONE)
            return refuse(plan->network, "sends", from, plan->packet[from], p);
        if (sender[to] != NP_NONE)
            return refuse(plan->network, "receives", to, plan->packet[sender[to]], p);
        plan->packet[from] = p;
        plan->to[from] = to;
        sender[to] = from;
    }
    return NP_OK;
}

static void complete(np_offline_plan *plan, np_node *sender)
{
    np_node nodes = plan->product.nodes;
    for (np_node u = 0; u < nodes; u++)
        if (plan->packet[u] == NP_NONE && sender[u] == NP_NONE)
            plan->to[u] = sender[u] = u;
    for (np_node from = 0, to = 0; from < nodes; from++) {
        if (plan->packet[from] != NP_NONE || sender[from] == from)
            continue;
        while (sender[to] != NP_NONE)
            to++;
        plan->to[from] = to;
        sender[to] = from;
    }
}

/* ---- Colouring ---- */

/* The node's number without its coordinate in dimension i. */
static uint32_t without(const np_product *product, np_node u, uint32_t i)
{
    uint32_t high = np_divide(np_divide(u, product->axes.by_stride[i]), product->axes.by_side[i]);
    return high * product->axes.stride[i] + np_modulo(u, product->axes.by_stride[i]);
}

static np_status colour_level(np_offline_plan *plan, uint32_t level, levels *now)
{
    const np_product *product = &plan->product;
    uint32_t i = product->order[level], stride = product->axes.stride[i], rows = product->nodes / product->axes.side[i],
             colours;
    uint32_t *colour = plan->colour + (size_t)level * product->nodes;
    np_bipartite graph = {rows, rows, product->nodes, now->left, now->right};
    for (np_node item = 0; item < product->nodes; item++) {
        now->left[item] = without(product, now->at[item], i);
        now->right[item] = without(product, now->mixed[item], i);
    }
    np_status st = np_bipartite_colour(&graph, &colours, colour);
    if (st)
        return st;
    if (colours != product->axes.side[i])
        return NP_RAISE(NP_ERROR_INTERNAL, "%u colours for rows of %u nodes", colours, product->axes.side[i]);
    for (np_node item = 0; item < product->nodes; item++) { /* exact, because it is modulo 2^32 */
        now->at[item] += (colour[item] - np_axes_coordinate(&product->axes, now->at[item], i)) * stride;
        now->mixed[item] += (colour[item] - np_axes_coordinate(&product->axes, now->mixed[item], i)) * stride;
    }
    return NP_OK;
}

np_status np_offline_plan_make(np_offline_plan *plan, const np_traffic *traffic)
{
    levels now = {.nodes = plan->product.nodes};
    np_status st;
    if ((st = np_arena_place(&now, layout_levels, "an off-line schedule", &now.block)) ||
        (st = place(plan, traffic, now.at)))
        goto out;
    complete(plan, now.at);
    for (np_node item = 0; item < now.nodes; item++) {
        now.at[item] = item;
        now.mixed[item] = plan->to[item];
    }
    for (uint32_t level = 0; level + 1 < plan->product.axes.count && !st; level++)
        st = colour_level(plan, level, &now);
out:
    np_memory_free(now.block);
    return st;
}
