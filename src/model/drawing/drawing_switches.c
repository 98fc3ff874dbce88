/*
 * Networks of switches with hosts, as people who build them draw them.
 *
 * tiers: hosts in the lowest row, above them the switches, each in the row of its distance from the nearest host: trees
 * of data centres, rails, planes.
 *
 * groups: the groups of a dragonfly round a circle. In each, spines, routers or leaves, and hosts stand on circles in
 * one another, a router's hosts outside it.
 *
 * hosts: the switches as their own network is drawn, and round each the hosts that hang on it.
 */
#include "base/memory.h"
#include "base/real.h"
#include "model/drawing/drawing.h"

static np_point on_circle(np_point middle, double radius, double part)
{
    double sine, cosine;
    np_turn(part, &sine, &cosine);
    return (np_point){middle.x + radius * sine, middle.y - radius * cosine};
}

static bool is_host(const np_network *network, np_node u)
{
    return network->host_number && network->host_number[u] != NP_NONE;
}

/* ---- Tiers ---- */

static const char *refuses_tiers(const np_network *network)
{
    return network->host_number && network->terminals ? NULL : "its hosts are not apart from its switches";
}

static bool first_tiers(const np_network *network) { return np_network_is(network, NP_KIND_TIERS); }

/* tier[u] = hops from the nearest host, by breadth-first search along the links. Nodes that no host reaches: 0. */
static uint32_t find_tiers(const np_network *network, uint32_t *tier, np_node *queue)
{
    np_node begin = 0, end = 0;
    for (np_node u = 0; u < network->nodes; u++) {
        tier[u] = is_host(network, u) ? 0 : NP_NONE;
        if (!tier[u])
            queue[end++] = u;
    }
    while (begin < end) {
        np_node u = queue[begin++];
        for (np_link l = np_network_first_link(network, u); l < np_network_first_link(network, u + 1); l++) {
            np_node v = np_network_link_head(network, l);
            if (v == NP_NONE || tier[v] != NP_NONE)
                continue;
            tier[v] = tier[u] + 1;
            queue[end++] = v;
        }
    }
    for (np_node u = 0; u < network->nodes; u++)
        tier[u] = tier[u] == NP_NONE ? 0 : tier[u];
    return end ? tier[queue[end - 1]] : 0;
}

static np_status place_tiers(const np_network *network, np_point *place)
{
    uint32_t *tier;
    np_status st = np_memory_array(&tier, 2 * (size_t)network->nodes, sizeof *tier, "the tiers of a drawing");
    if (st)
        return st;
    uint32_t top = find_tiers(network, tier, tier + network->nodes);
    for (np_node u = 0; u < network->nodes; u++)
        tier[u] = top - tier[u];
    st = np_drawing_rows(network->nodes, top + 1, tier, place);
    np_memory_free(tier);
    return st;
}

const np_drawing np_drawing_tiers = {
    .info = {"tiers", "hosts below, switches above them by their distance: trees of data centres, rails, planes",
             "ours"},
    .refuses = refuses_tiers,
    .first = first_tiers,
    .place = place_tiers,
};

/* ---- Groups ---- */

/* Of dragonfly and dragonfly+: switches are numbered group by group, leaves before spines; hosts follow. */
typedef struct groups {
    uint32_t groups, routers, spines, hosts; /* of a group */
    double spine, router, host, all;         /* radii: in a group, and of the circle of groups */
} groups;

/* The radius of a circle on which so many stand at least 1 apart, and which has at least this radius. */
static double radius_of(uint32_t count, double least)
{
    double radius = count / (2 * NP_PI);
    return radius < least ? least : radius;
}

static groups measure_groups(const np_network *network)
{
    groups g = {.groups = network->side[3], .routers = network->side[0], .spines = network->side[4]};
    g.hosts = g.routers * network->side[1];
    g.spine = g.spines > 1 ? radius_of(g.spines, 0.5) : 0;
    g.router = radius_of(g.routers, g.spines ? g.spine + 1 : g.routers > 1 ? 0.5 : 0);
    g.host = radius_of(g.hosts, g.router + 1);
    g.all = g.groups > 1 ? radius_of(g.groups, 0.5) * (2 * g.host + 2) : 0;
    return g;
}

static np_status place_groups(const np_network *network, np_point *place)
{
    const groups g = measure_groups(network);
    const uint32_t size = g.routers + g.spines, switches = g.groups * size;
    for (np_node u = 0; u < network->nodes; u++) {
        const bool host = u >= switches;
        const uint32_t group = host ? (u - switches) / g.hosts : u / size;
        const uint32_t slot = host ? (u - switches) % g.hosts : u % size;
        const bool spine = !host && slot >= g.routers;
        const uint32_t slots = host ? g.hosts : spine ? g.spines : g.routers;
        const double part = ((spine ? slot - g.routers : slot) + 0.5) / slots;
        const np_point middle = on_circle((np_point){0, 0}, g.all, (double)group / g.groups);
        place[u] = on_circle(middle, host ? g.host : spine ? g.spine : g.router, part);
    }
    return NP_OK;
}

const np_drawing np_drawing_groups = {
    .info = {"groups", "groups round a circle, and in each its routers and their hosts: dragonflies", "ours"},
    .only = &(const np_only){NP_KIND_GROUPED, "it is no dragonfly"},
    .place = place_groups,
};

/* ---- Hosts ---- */

static const char *refuses_hosts(const np_network *network)
{
    return network->switches ? NULL : "no hosts were hung on every switch";
}

/* Hosts begin a bit aside, so that they stand on no line of a grid. */
static const double ASIDE = 0.07;

static np_status place_hosts(const np_network *network, np_point *place)
{
    const uint32_t p = network->per_switch, switches = network->switches->nodes;
    const double radius = radius_of(p, 0.5), apart = 2 * radius + 1.5;
    np_status st = np_drawing_default(network->switches)->place(network->switches, place);
    for (np_node u = 0; u < switches && !st; u++) {
        place[u] = (np_point){place[u].x * apart, place[u].y * apart};
        for (uint32_t k = 0; k < p; k++)
            place[switches + u * p + k] = on_circle(place[u], radius, (k + 0.5) / (p + ASIDE));
    }
    return st;
}

const np_drawing np_drawing_hosts = {
    .info = {"hosts", "switches as their network is drawn, and round each its hosts: networks with @p", "ours"},
    .refuses = refuses_hosts,
    .place = place_hosts,
};
