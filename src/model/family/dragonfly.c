/*
 * Dragonflies: groups of switches, and cables between groups, at least one for each pair of groups.
 *
 * dragonfly (Kim, Dally, Scott & Abts 2008): a group is a complete network of `a` routers, each with p hosts and h
 * global ports. Routers are numbered group by group; global port j of a group, 0 <= j < a h, sits at router j div h.
 *
 * dragonfly+ (Shpiner and others 2017; Megafly, Flajslik and others 2018): a group is two levels, `leaf` switches with
 * p hosts each, all joined to `spine` switches with h global ports each. In a group the leaves come first; port j sits
 * at spine j div h.
 *
 * groups.h says which groups a port leads to. Unless it is said, there are a h + 1 (spine h + 1) groups: one cable a
 * pair.
 *
 * Diameter of dragonfly+: a leaf reaches each spine of its group in one hop, and each pair of groups has a cable. So
 * hosts of different groups are 5 hops apart, leaves 3, and spines at most 5.
 *
 * Diameter of dragonfly: routers of different groups are at most 3 hops apart, local, global, local, so hosts 5. It is
 * exactly that if some routers are 3 apart, for which it is enough that a router cannot reach all others in two hops.
 * They are at most itself, a - 1 and h in one hop, and in two (a - 1) h by a local and then a global hop, as many the
 * other way round, and h (h - 1) by two global ones. Where this does not decide it, there is no formula.
 */
#include "model/family/groups.h"

enum { COUNT_MAX = 1 << 20 }; /* ours: of switches in a group, hosts and ports of a switch */

/* Symbols in side[]: [0] a, or leaf; [1] p; [2] h; [3] g; [4] spine */

static np_status finish(np_network *network, np_fabric *fabric, const np_groups *groups)
{
    np_status st = np_groups_join(groups, network, fabric);
    if (st) {
        np_fabric_clear(fabric);
        return st;
    }
    for (np_node u = 0; u < fabric->switches; u++) {
        bool leaf = u % (network->side[0] + network->side[4]) < network->side[0];
        np_fabric_hang(fabric, u, leaf ? network->side[1] : 0);
    }
    return np_fabric_end(fabric, network);
}

/* ---- dragonfly ---- */

static np_node router_of(const np_network *network, uint32_t group, uint32_t port)
{
    return group * network->side[0] + port / network->side[2];
}

static void join_routers(const np_network *network, np_fabric *fabric)
{
    uint32_t a = network->side[0];
    for (uint32_t group = 0; group < network->side[3]; group++)
        for (uint32_t i = 0; i < a; i++)
            for (uint32_t j = i + 1; j < a; j++)
                np_fabric_join(fabric, group * a + i, group * a + j);
}

static np_status create(np_network *network, const char *parameters)
{
    np_named named[] = {NP_NAMED_NEEDED("a", 1, COUNT_MAX), NP_NAMED_NEEDED("p", 1, COUNT_MAX),
                        NP_NAMED_NEEDED("h", 1, COUNT_MAX), NP_GROUPS_NAMED};
    char room[NP_NAMED_ROOM];
    np_fabric fabric;
    np_status st = np_named_read(network, parameters, room, 3 + NP_GROUPS_NAMES, named);
    if (st)
        return st;
    uint64_t a = named[0].value, p = named[1].value, h = named[2].value;
    if (a * h > COUNT_MAX)
        return NP_RAISE(NP_ERROR_LIMIT, "dragonfly: a times h is %llu: at most %d", (unsigned long long)(a * h),
                        COUNT_MAX);
    np_groups groups = {.ports = (uint32_t)(a * h), .at = router_of};
    if ((st = np_groups_read(&groups, network, named + 3)))
        return st;
    uint64_t g = groups.groups;
    for (unsigned i = 0; i < 3; i++)
        network->side[i] = (uint32_t)named[i].value;
    network->side[3] = groups.groups;
    if ((st = np_fabric_begin(&fabric, network, g * a, g * a * p,
                              g * (a * (a - 1) / 2 + a * p) + np_groups_cables(&groups))))
        return st;
    join_routers(network, &fabric);
    return finish(network, &fabric, &groups);
}

static uint64_t degree(const np_network *network)
{
    return (uint64_t)network->side[0] - 1 + network->side[1] + network->side[2];
}

static bool diameter(const np_network *network, uint64_t *out)
{
    uint64_t a = network->side[0], h = network->side[2], reached = a + h + 2 * (a - 1) * h + h * (h - 1);
    *out = 5;
    return reached < a * network->side[3];
}

const np_network_family np_dragonfly = {
    .info = {"dragonfly", "g groups of A routers, all joined, each with P hosts and H cables to other groups",
             "Kim, Dally, Scott & Abts 2008", .parameters = "a=,p=,h=" NP_GROUPS_PARAMETERS,
             .example = "dragonfly:a=4,p=2,h=2",
             .takes = "a 1..1624, p 1..1048576, h 1..65534, g 2..65535, " NP_GROUPS_TAKES},
    .kind = NP_KIND_FABRIC | NP_KIND_DRAGONFLY | NP_KIND_GROUPED,
    .create = create,
    .degree = degree,
    .diameter = diameter,
};

/* ---- dragonfly+ ---- */

static np_node spine_of(const np_network *network, uint32_t group, uint32_t port)
{
    return group * (network->side[0] + network->side[4]) + network->side[0] + port / network->side[2];
}

static void join_levels(const np_network *network, np_fabric *fabric)
{
    uint32_t leaves = network->side[0], spines = network->side[4];
    for (uint32_t group = 0; group < network->side[3]; group++)
        for (uint32_t i = 0, first = group * (leaves + spines); i < leaves; i++)
            for (uint32_t j = 0; j < spines; j++)
                np_fabric_join(fabric, first + i, first + leaves + j);
}

static np_status create_plus(np_network *network, const char *parameters)
{
    np_named named[] = {NP_NAMED_NEEDED("leaf", 1, COUNT_MAX), NP_NAMED_NEEDED("spine", 1, COUNT_MAX),
                        NP_NAMED_NEEDED("p", 1, COUNT_MAX), NP_NAMED_NEEDED("h", 1, COUNT_MAX), NP_GROUPS_NAMED};
    char room[NP_NAMED_ROOM];
    np_fabric fabric;
    np_status st = np_named_read(network, parameters, room, 4 + NP_GROUPS_NAMES, named);
    if (st)
        return st;
    uint64_t leaf = named[0].value, spine = named[1].value, p = named[2].value, h = named[3].value;
    if (spine * h > COUNT_MAX)
        return NP_RAISE(NP_ERROR_LIMIT, "dragonfly+: spine times h is %llu: at most %d",
                        (unsigned long long)(spine * h), COUNT_MAX);
    np_groups groups = {.ports = (uint32_t)(spine * h), .at = spine_of};
    if ((st = np_groups_read(&groups, network, named + 4)))
        return st;
    uint64_t g = groups.groups;
    network->side[0] = (uint32_t)leaf;
    network->side[1] = (uint32_t)p;
    network->side[2] = (uint32_t)h;
    network->side[3] = groups.groups;
    network->side[4] = (uint32_t)spine;
    if ((st = np_fabric_begin(&fabric, network, g * (leaf + spine), g * leaf * p,
                              g * (leaf * spine + leaf * p) + np_groups_cables(&groups))))
        return st;
    join_levels(network, &fabric);
    return finish(network, &fabric, &groups);
}

static uint64_t degree_plus(const np_network *network)
{
    uint64_t leaf = (uint64_t)network->side[4] + network->side[1],
             spine = (uint64_t)network->side[0] + network->side[2];
    return leaf > spine ? leaf : spine;
}

const np_network_family np_dragonfly_plus = {
    .info = {"dragonfly+", "groups of leaf switches with P hosts, joined to spines with H cables to other groups",
             "Shpiner and others 2017", .parameters = "leaf=,spine=,p=,h=" NP_GROUPS_PARAMETERS,
             .example = "dragonfly+:leaf=2,spine=2,p=2,h=2",
             .takes = "leaf 1..1048576, spine 1..37836, p 1..1048576, h 1..65533, g 2..65534, " NP_GROUPS_TAKES},
    .kind = NP_KIND_FABRIC | NP_KIND_GROUPED,
    .create = create_plus,
    .degree = degree_plus,
    .linear = &(const np_linear){0, 5, 1},
};
