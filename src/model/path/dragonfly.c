/*
 * Minimal paths on dragonflies (Kim, Dally, Scott & Abts 2008): to the router of the own group that has a cable to the
 * group of the destination, over the cable, and to the router of the destination: at most one local hop on each side of
 * the one global hop. Where several cables join the groups, each packet draws one. This need not be a shortest path,
 * which may have two global hops and no local one.
 *
 * Ports of a router: those to the other routers of its group, in ascending order, then its global ones, then its hosts.
 */
#include "model/path/finding.h"

enum { HOPS_MAX = 5 };

/* What is asked of a dragonfly (src/model/family/dragonfly.c): side[0] routers a group, side[1] hosts a router. */
static np_node switches_of(const np_network *network) { return network->nodes - network->terminals; }

static np_node router_of(const np_network *network, np_node u)
{
    np_node switches = switches_of(network);
    return u < switches ? u : (u - switches) / network->side[1];
}

/* The cable of this rank from one group to another; rank is taken down. NP_NONE: there are not so many. */
static np_link find_cable(const np_network *network, uint32_t group, uint32_t other, uint32_t *rank)
{
    uint32_t routers = network->side[0];
    for (np_node u = group * routers; u < (group + 1) * routers; u++)
        for (np_link link = network->row[u] + routers - 1; link < network->row[u + 1] - network->side[1]; link++)
            if (network->head[link] / routers == other && !(*rank)--)
                return link;
    return NP_NONE;
}

static np_link draw_cable(np_finding *f, uint32_t i, uint32_t group, uint32_t other)
{
    const np_network *network = f->routes->options.path->network;
    np_dice dice = np_dice_of_packet(np_draws_for(f->demand->draws, NP_RANDOM_ROUTE), f->demand->first + (np_packet)i);
    uint32_t all = UINT32_MAX, rank;
    find_cable(network, group, other, &all); /* all = UINT32_MAX - how many there are */
    rank = np_dice_below(&dice, UINT32_MAX - all);
    return find_cable(network, group, other, &rank);
}

/* To router v of the group of router u: its port, if it is another one. Returns how many hops that is. */
static uint32_t go(const np_network *network, np_node u, np_node v, np_port *port)
{
    uint32_t x = u % network->side[0], y = v % network->side[0];
    *port = y < x ? y : y - 1;
    return x != y;
}

static void find(np_finding *f, uint32_t i)
{
    const np_network *network = f->routes->options.path->network;
    np_node from = f->demand->from[i], to = f->demand->to[i], routers = network->side[0];
    np_node at = router_of(network, from), end = router_of(network, to);
    np_port port[HOPS_MAX];
    uint32_t hops = 0;
    if (from != at)
        port[hops++] = 0;
    if (at / routers != end / routers) {
        np_link link = draw_cable(f, i, at / routers, end / routers);
        np_node gate = network->tail[link];
        hops += go(network, at, gate, &port[hops]);
        port[hops++] = link - network->row[gate];
        at = network->head[link];
    }
    hops += go(network, at, end, &port[hops]);
    if (to != end)
        port[hops++] = network->row[end + 1] - network->row[end] - network->side[1] +
                       (to - switches_of(network)) % network->side[1];
    np_finding_keep(f, i, hops, port);
}

static void pass(np_finding *f)
{
    for (size_t i = 0; i < f->demand->count; i++)
        if (f->demand->from[i] != f->demand->to[i])
            find(f, (uint32_t)i);
}

/* Is there one cable between any two groups? Then nothing is drawn. */
static bool has_single_cables(const np_network *network)
{
    uint32_t routers = network->side[0], groups = switches_of(network) / routers;
    return routers * (network->ports - network->side[1] - (routers - 1)) == groups - 1;
}

const np_path_rule np_path_minimal = {
    .info = {"minimal", "one local hop at most on each side of one cable between the groups",
             "Kim, Dally, Scott & Abts 2008", .networks = "dragonfly"},
    .randomized = true,
    .only = &(const np_only){NP_KIND_DRAGONFLY, "it has no groups of routers, all of a group joined"},
    .chooser = &(const np_chooser){.draws = true, .single = has_single_cables, .pass = pass, .within = true},
    .start = np_routes_start,
    .next = np_routes_next,
    .remaining = np_routes_remaining,
};
