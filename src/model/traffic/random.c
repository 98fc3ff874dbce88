/*
 * Random traffic. All draws are pure functions of (seed, run, item, draw)
 * with the purpose NP_RANDOM_TRAFFIC:
 *   random             a uniform random permutation, by exchanges (Fisher &
 *                      Yates); item = position, draw = 0
 *   h-relation:H       a full h-relation: H independent permutations, the
 *                      j-th with draw = j. Packet u H + j starts at u
 *   partial:F          the packets of `random` from exactly round(F N)
 *                      sources: the first ones of a second random order
 *                      (draw = 1); a fixed count makes runs comparable
 *   random-function:H  every node sends H packets, each to an independent
 *                      uniform node; item = packet
 *   hotspot:NODE:F     every node sends one packet: to NODE with probability
 *                      F (draw 0), else to a uniform node (draw 1)
 */
#include "model/network/read_node.h"
#include "model/traffic/traffic.h"

#include <string.h>

#include "base/memory.h"

/*
 * image[u * stride] = the image of u in the draw-th random permutation of
 * 0..nodes-1. Inside out: after step i the first i + 1 places hold a uniform
 * permutation of 0..i.
 */
static void permute(const np_draws *draws, uint32_t draw, np_node nodes, np_node *image, size_t stride)
{
    for (np_node i = 0; i < nodes; i++) {
        np_node j = np_random_below(draws, i, draw, i + 1);
        image[i * stride] = image[j * stride];
        image[j * stride] = i;
    }
}

/* H packets a node, of which these are packets first .. first + count - 1. */
static void fill_sources(uint32_t each, np_packet first, np_packet count, np_node *source)
{
    for (np_packet i = 0; i < count; i++)
        source[i] = (first + i) / each;
}

/* The same packets of H permutations, the j-th by draw j. A permutation has no parts that could be made alone. */
static np_status permute_part(const np_traffic_plan *plan, const np_draws *draws, uint32_t each, np_packet first,
                              np_packet count, np_node *source, np_node *destination)
{
    np_node *image;
    np_status st = np_memory_array(&image, plan->terminals, sizeof *image, "a permutation");
    if (st)
        return st;
    fill_sources(each, first, count, source);
    for (uint32_t j = 0; j < each; j++) {
        permute(draws, j, plan->terminals, image, 1);
        for (np_packet i = 0; i < count; i++)
            if ((first + i) % each == j)
                destination[i] = image[source[i]];
    }
    np_memory_free(image);
    return NP_OK;
}

static np_status plan_random(np_traffic_plan *plan)
{
    plan->random = true;
    return NP_OK;
}

static np_status make_random(const np_traffic_plan *plan, const np_draws *draws, np_node *source, np_node *destination)
{
    fill_sources(1, 0, plan->terminals, source);
    permute(draws, 0, plan->terminals, destination, 1);
    return NP_OK;
}

static np_status make_random_part(const np_traffic_plan *plan, const np_draws *draws, np_packet first, np_packet count,
                                  np_node *source, np_node *destination)
{
    return permute_part(plan, draws, 1, first, count, source, destination);
}

const np_traffic_generator np_traffic_random = {
    .info = {"random", "a uniform random permutation", "", .parameters = ""},
    .plan = plan_random,
    .make = make_random,
    .part = make_random_part,
};

static np_status plan_each(np_traffic_plan *plan)
{
    np_status st = np_traffic_plan_number(plan, "the packets a node H", 1, NP_PACKETS_MAX / plan->terminals);
    plan->random = true;
    plan->packets = plan->number * plan->terminals;
    return st;
}

static np_status make_h_relation(const np_traffic_plan *plan, const np_draws *draws, np_node *source,
                                 np_node *destination)
{
    uint32_t h = (uint32_t)plan->number;
    fill_sources(h, 0, (np_packet)plan->packets, source);
    for (uint32_t j = 0; j < h; j++)
        permute(draws, j, plan->terminals, destination + j, h);
    return NP_OK;
}

static np_status make_h_relation_part(const np_traffic_plan *plan, const np_draws *draws, np_packet first,
                                      np_packet count, np_node *source, np_node *destination)
{
    return permute_part(plan, draws, (uint32_t)plan->number, first, count, source, destination);
}

const np_traffic_generator np_traffic_h_relation = {
    .info = {"h-relation", "a full h-relation: H independent random permutations", "Valiant & Brebner 1981, section 1",
             .parameters = ":H", .example = "h-relation:2"},
    .plan = plan_each,
    .make = make_h_relation,
    .part = make_h_relation_part,
};

static np_status plan_random_function(np_traffic_plan *plan)
{
    if (plan->parameters)
        return plan_each(plan);
    plan->number = 1;
    return plan_random(plan);
}

static np_status make_random_function_part(const np_traffic_plan *plan, const np_draws *draws, np_packet first,
                                           np_packet count, np_node *source, np_node *destination)
{
    fill_sources((uint32_t)plan->number, first, count, source);
    for (np_packet i = 0; i < count; i++)
        destination[i] = np_random_below(draws, first + i, 0, plan->terminals);
    return NP_OK;
}

static void among_all(const np_traffic_plan *plan, np_node u, np_node *first, np_node *count)
{
    (void)u;
    *first = 0;
    *count = plan->terminals;
}

const np_traffic_generator np_traffic_random_function = {
    .info = {"random-function", "every node sends H packets (default 1) to independent random nodes", "",
             .parameters = "[:H]", .aliases = "uniform"},
    .plan = plan_random_function,
    .part = make_random_function_part,
    .anew = true,
    .among = among_all,
};

static np_status plan_partial(np_traffic_plan *plan)
{
    np_status st;
    if (!plan->parameters)
        return NP_RAISE(NP_ERROR_INPUT, "traffic 'partial' lacks the share F of a permutation: write partial:0.5");
    if ((st = np_traffic_plan_share(plan, plan->parameters)))
        return st;
    plan->random = true;
    plan->packets = (plan->terminals * plan->share + NP_TRAFFIC_WHOLE / 2) / NP_TRAFFIC_WHOLE;
    return NP_OK;
}

/* order: [nodes] for the second order; image: [nodes] for the permutation. */
static void fill_partial(const np_traffic_plan *plan, const np_draws *draws, np_node *order, np_node *image,
                         np_node *source, np_node *destination)
{
    np_node nodes = plan->terminals, i = 0;
    permute(draws, 0, nodes, image, 1);
    permute(draws, 1, nodes, order, 1); /* u is the order[u]-th to be chosen */
    for (np_node u = 0; u < nodes; u++)
        if (order[u] < plan->packets) {
            source[i] = u;
            destination[i++] = image[u];
        }
}

static np_status make_partial(const np_traffic_plan *plan, const np_draws *draws, np_node *source, np_node *destination)
{
    np_node nodes = plan->terminals, *order = NULL, *image = NULL;
    np_status st;
    if ((st = np_memory_array(&order, nodes, sizeof *order, "the order of the sources")))
        goto out;
    if ((st = np_memory_array(&image, nodes, sizeof *image, "a permutation")))
        goto out;
    fill_partial(plan, draws, order, image, source, destination);
out:
    NP_MEMORY_FREE(order, image);
    return st;
}

const np_traffic_generator np_traffic_partial = {
    .info = {"partial", "round(F N) packets of a random permutation, 0 <= F <= 1", "Valiant & Brebner 1981, section 1",
             .parameters = ":F", .example = "partial:0.5"},
    .plan = plan_partial,
    .make = make_partial,
};

static np_status plan_hotspot(np_traffic_plan *plan)
{
    const char *rest = plan->parameters, *first = NP_NODE_NAME(plan->network, np_network_input(plan->network, 0));
    np_status st;
    if (!rest)
        return NP_RAISE(NP_ERROR_INPUT, "traffic 'hotspot' lacks the node: write hotspot:%s or hotspot:%s:0.5", first,
                        first);
    if ((st = np_traffic_plan_node(plan, "a share, as in hotspot:0:0.5", &rest)))
        return st;
    plan->share = NP_TRAFFIC_WHOLE;
    if (*rest && (st = np_traffic_plan_share(plan, rest + 1)))
        return st;
    plan->random = plan->share < NP_TRAFFIC_WHOLE;
    return NP_OK;
}

static np_status make_hotspot_part(const np_traffic_plan *plan, const np_draws *draws, np_packet first, np_packet count,
                                   np_node *source, np_node *destination)
{
    fill_sources(1, first, count, source);
    for (np_packet i = 0; i < count; i++)
        destination[i] = np_random_below(draws, first + i, 0, NP_TRAFFIC_WHOLE) < plan->share
                             ? (np_node)plan->number
                             : np_random_below(draws, first + i, 1, plan->terminals);
    return NP_OK;
}

const np_traffic_generator np_traffic_hotspot = {
    .info = {"hotspot", "every node sends one packet: to NODE with probability F (default 1), else to a random node",
             "", .parameters = ":NODE[:F]", .example = "hotspot:0"},
    .plan = plan_hotspot,
    .part = make_hotspot_part,
    .anew = true,
};
