/*
 * Minimal routes on dragonflies (Kim, Dally, Scott & Abts 2008): to a router of the own group that has a cable to the
 * group of the destination, over the cable, to the router of the destination. Where several cables join the groups,
 * each packet draws one, all equally likely: a way is listed once a cable.
 *
 * Two classes: 0 up to the global hop, 1 after it. So the channels of a packet ascend: local 0, global 0, local 1.
 *
 * Course: 0 before any hop; 1 after a local hop that leads to a cable; 2 in the last group, after the global hop.
 */
#include "model/relation/dragonfly.h"

#include "base/memory.h"

enum { TO_CABLE = 1, CROSSED = 2 };

/* Calls for every cable between groups: counts them at row[pair + 1], or places them. */
static void list_cables(const np_network *network, np_relation_groups *g)
{
    uint32_t first = network->side[0] - 1, hosts = network->side[1];
    for (np_node u = 0; u < g->count * g->size; u++)
        for (np_link link = network->row[u] + first; link < network->row[u + 1] - hosts; link++) {
            uint32_t pair = u / g->size * g->count + network->head[link] / g->size;
            if (g->cable)
                g->cable[g->row[pair]++] = (np_relation_cable){u, link - network->row[u]};
            else
                g->row[pair + 1]++;
        }
}

static np_status prepare(np_relation *r, const char *parameter)
{
    const np_network *network = r->network;
    np_relation_groups *g;
    np_status st;
    if (*parameter)
        return np_relation_refuse_parameter(r, parameter);
    if ((st = np_memory_zeroed(&r->groups, 1, sizeof *r->groups, "the groups of a dragonfly")))
        return st;
    g = r->groups;
    g->size = network->side[0];
    g->count = (network->nodes - network->terminals) / g->size;
    uint32_t pairs = g->count * g->count;
    if ((st = np_memory_zeroed(&g->row, (size_t)pairs + 1, sizeof *g->row, "the cables between groups")))
        return st;
    list_cables(network, g);
    for (uint32_t i = 0; i < pairs; i++) {
        if (g->row[i + 1] >= NP_CANDIDATES)
            return NP_RAISE(NP_ERROR_LIMIT,
                            "paths 'minimal' choose among at most %d cables between two groups: %s has %u",
                            NP_CANDIDATES - 1, np_network_spec(network), g->row[i + 1]);
        g->row[i + 1] += g->row[i];
    }
    if ((st = np_memory_array(&g->cable, g->row[pairs], sizeof *g->cable, "the cables between groups")))
        return st;
    list_cables(network, g);
    for (uint32_t i = pairs; i > 0; i--)
        g->row[i] = g->row[i - 1];
    g->row[0] = 0;
    r->classes = 2;
    return NP_OK;
}

void np_relation_groups_free(np_relation_groups *g)
{
    if (!g)
        return;
    NP_MEMORY_FREE(g->row, g->cable, g);
}

/* The port of router u to another router of its group: those of a group are joined in ascending order. */
static np_port local_port(const np_relation_groups *g, np_node u, np_node v)
{
    uint32_t x = u % g->size, y = v % g->size;
    return y < x ? y : y - 1;
}

unsigned np_dragonfly_ways_to_group(const np_relation *r, np_node at, uint32_t group, unsigned course,
                                    np_candidate *out)
{
    const np_relation_groups *g = r->groups;
    uint32_t own = at / g->size, pair = own * g->count + group;
    unsigned count = 0;
    for (uint32_t i = g->row[pair]; own != group && i < g->row[pair + 1]; i++) {
        np_relation_cable cable = g->cable[i];
        if (cable.router == at)
            out[count++] = (np_candidate){.port = cable.port, .state = CROSSED};
        else if (!(course & TO_CABLE))
            out[count++] = (np_candidate){.port = local_port(g, at, cable.router), .state = TO_CABLE};
    }
    return count;
}

static unsigned ways(const np_relation *r, np_node at, np_node to, unsigned course, np_candidate *out)
{
    const np_relation_groups *g = r->groups;
    if (at / g->size != to / g->size)
        return np_dragonfly_ways_to_group(r, at, to / g->size, course, out);
    if (at == to)
        return 0;
    out[0] = (np_candidate){.port = local_port(g, at, to), .class_ = (course & CROSSED) != 0, .state = course};
    return 1;
}

const np_relation_rule np_relation_minimal = {
    .info = {"minimal", "one local hop at most on each side of one cable between the groups",
             "Kim, Dally, Scott & Abts 2008", .networks = "dragonfly"},
    .theorem = "channels ascend: local, global, and local of the next class (Kim, Dally, Scott & Abts 2008)",
    .only = &(const np_only){NP_KIND_DRAGONFLY, "it has no groups of routers, all of a group joined"},
    .prepare = prepare,
    .ways = ways,
};
