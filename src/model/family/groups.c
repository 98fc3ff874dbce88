/*
 * Global cables are dealt in layers. In a whole layer each group has g - 1 ports, one for each other group. What is
 * left over, m < g - 1 ports a group, is a last layer: there each group is joined to those at most floor(m/2) before
 * and behind it round the circle of groups, and for odd m to one more, half-way round: group i to i + floor(g/2), if i
 * is below floor(g/2). (If m and g are odd, one port of the last group stays free.) So every pair of groups has floor
 * or ceiling of ports/(g-1) cables.
 *
 * In each layer the arrangement says which port of a group leads to which other group: the groups are sorted by a key,
 * and get the ports of the layer in ascending order. With d = t - i mod g, the keys of group t for group i are
 *   absolute   t (Kim, Dally, Scott & Abts 2008)
 *   relative   d (Camarero, Vallejo & Beivide 2014)
 *   circulant  1, g - 1, 2, g - 2, .. are the values of d in ascending order (the same)
 *   random     a draw
 */
#include "model/family/groups.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/order.h"
#include "base/random.h"

enum { ABSOLUTE, RELATIVE, CIRCULANT, RANDOM, ARRANGEMENTS };

static const char *const arrangements[ARRANGEMENTS] = {"absolute", "relative", "circulant", "random"};

np_status np_groups_read(np_groups *groups, const np_network *network, const np_named *named)
{
    const char *text = named[1].text;
    groups->groups = (uint32_t)(named[0].text ? named[0].value : (uint64_t)groups->ports + 1);
    groups->seed = named[2].value;
    if (groups->groups - 1 > groups->ports)
        return NP_RAISE(NP_ERROR_INPUT,
                        "%.200s: a group with %u global ports cannot be joined to %u other groups: try g=%u",
                        network->spec, groups->ports, groups->groups - 1, groups->ports + 1);
    for (groups->arrangement = 0; text && groups->arrangement < ARRANGEMENTS; groups->arrangement++) {
        const char *name = arrangements[groups->arrangement];
        if (!strcmp(name, text))
            return NP_OK;
    }
    groups->arrangement = ABSOLUTE;
    if (!text)
        return NP_OK;
    return NP_RAISE(NP_ERROR_INPUT, "%.100s: no arrangement '%.60s': %s", network->spec, text,
                    np_parse_hint_of(text, arrangements, ARRANGEMENTS).text);
}

/* Are groups i and t joined in a layer with so many ports a group? */
static bool joined(const np_groups *groups, uint32_t ports, uint32_t i, uint32_t t)
{
    uint32_t g = groups->groups, d = t > i ? t - i : i - t, low = i < t ? i : t, round = d < g - d ? d : g - d;
    if (round <= ports / 2 || ports == g - 1)
        return true;
    return ports % 2 && d == g / 2 && low < g / 2;
}

static uint64_t key_of(const np_groups *groups, uint32_t layer, uint32_t i, uint32_t t)
{
    const np_draws draws = {groups->seed, layer, 0, NP_RANDOM_WIRE};
    uint32_t g = groups->groups, d = t > i ? t - i : t + g - i;
    switch (groups->arrangement) {
    case RELATIVE:
        return d;
    case CIRCULANT:
        return d <= g - d ? 2 * (uint64_t)d : 2 * (uint64_t)(g - d) + 1;
    case RANDOM:
        return np_random_u64(&draws, i, t);
    default:
        return t;
    }
}

/* Puts the cables of group i and the groups before it into the list. place: [g * g] the port of i that leads to t */
static void arrange(const np_groups *groups, uint32_t layer, uint32_t ports, uint32_t i, np_keyed *partners,
                    uint32_t *place)
{
    uint32_t g = groups->groups, count = 0;
    for (uint32_t t = 0; t < g; t++)
        if (t != i && joined(groups, ports, i, t))
            partners[count++] = (np_keyed){key_of(groups, layer, i, t), t};
    qsort(partners, count, sizeof *partners, np_order_keyed);
    for (uint32_t k = 0; k < count; k++)
        place[(size_t)i * g + partners[k].item] = layer * (g - 1) + k;
}

static void join_layer(const np_groups *groups, uint32_t layer, const np_network *network, np_keyed *partners,
                       uint32_t *place, np_fabric *fabric)
{
    uint32_t g = groups->groups, left = groups->ports - layer * (g - 1), ports = left < g - 1 ? left : g - 1;
    for (uint32_t i = 0; i < g; i++)
        arrange(groups, layer, ports, i, partners, place);
    for (uint32_t i = 0; i < g; i++)
        for (uint32_t t = i + 1; t < g; t++)
            if (joined(groups, ports, i, t))
                np_fabric_join(fabric, groups->at(network, i, place[(size_t)i * g + t]),
                               groups->at(network, t, place[(size_t)t * g + i]));
}

np_status np_groups_join(const np_groups *groups, const np_network *network, np_fabric *fabric)
{
    size_t g = groups->groups;
    np_keyed *partners = NULL;
    uint32_t *place = NULL;
    np_status st;
    if (!(st = np_memory_array(&partners, g, sizeof *partners, "the groups of a network")) &&
        !(st = np_memory_array(&place, g * g, sizeof *place, "the groups of a network")))
        for (uint32_t layer = 0; (uint64_t)layer * (g - 1) < groups->ports; layer++)
            join_layer(groups, layer, network, partners, place, fabric);
    NP_MEMORY_FREE(partners, place);
    return st;
}
