/*
 * Rules for networks where hosts hang on every switch (src/model/family/hosted.c): up to the switch of the sender, from
 * switch to switch by a rule of the network of the switches, down to the host. The rule's tickets have no room for the
 * host. So the routes of all packets are found before a phase, as those of rules for any network are.
 */
#include "model/path/hosted.h"

#include "base/room.h"
#include "model/path/finding.h"

static const char *refuses(const np_network *network)
{
    return network->switches ? NULL : "hosts do not hang on its switches";
}

/* The switch of a host; switches are their own. */
static np_node switch_of(const np_network *network, np_node u)
{
    np_node switches = network->switches->nodes;
    return u < switches ? u : (u - switches) / network->per_switch;
}

/* The way of packet i: port[0 .. hops - 1], which has room for them. */
static np_status walk(const np_finding *f, uint32_t i, np_port *port, uint32_t hops)
{
    const np_path *path = f->routes->options.path, *inner = path->inner;
    const np_network *network = path->network, *switches = network->switches;
    const np_draws draws = np_draws_for(f->demand->draws, NP_RANDOM_TICKET);
    np_node from = f->demand->from[i], to = f->demand->to[i], at = switch_of(network, from);
    np_node end = switch_of(network, to);
    np_packet packet = f->demand->first + (np_packet)i;
    uint32_t count = 0;
    np_ticket ticket;
    if (from != at)
        port[count++] = 0;
    inner->rule->start(inner, &draws, 1, &packet, &at, &end, &ticket);
    for (; count <= hops; at = np_network_link_head(switches, np_network_link_at(switches, at, port[count++]))) {
        inner->rule->next(inner, 1, &at, &ticket, &port[count]);
        if (port[count] == NP_NONE)
            break;
    }
    if (to != end)
        port[count++] = switches->ports + (to - switches->nodes) % network->per_switch;
    if (at == end && count == hops)
        return NP_OK;
    return NP_RAISE(NP_ERROR_INTERNAL, "paths '%s' from switch %u end at %u after %u hops, not at %u after %u",
                    np_path_name(path), switch_of(network, from), at, count, end, hops);
}

static uint32_t hops_of(const np_finding *f, uint32_t i)
{
    const np_path *path = f->routes->options.path, *inner = path->inner;
    const np_draws draws = np_draws_for(f->demand->draws, NP_RANDOM_TICKET);
    np_node from = f->demand->from[i], to = f->demand->to[i];
    np_node at = switch_of(path->network, from), end = switch_of(path->network, to);
    np_packet packet = f->demand->first + (np_packet)i;
    np_ticket ticket;
    uint32_t hops;
    inner->rule->start(inner, &draws, 1, &packet, &at, &end, &ticket);
    inner->rule->remaining(inner, 1, &at, &ticket, &hops);
    return hops + (from != at) + (to != end);
}

static void pass(np_finding *f)
{
    np_port *port = NULL;
    size_t room = 0;
    np_status st = NP_OK;
    for (uint32_t i = 0; i < f->demand->count && !st; i++) {
        if (f->demand->from[i] == f->demand->to[i])
            continue;
        uint32_t hops = hops_of(f, i);
        if (!(st = np_memory_need(&port, 0, hops + 2, &room, sizeof *port, "the path of a packet")) &&
            !(st = walk(f, i, port, hops)))
            np_finding_keep(f, i, hops, port);
    }
    if (st)
        np_finding_fail(f, st);
    np_memory_free(port);
}

static const np_chooser chooser = {.draws = true, .pass = pass};

#define HOSTED                                                                                                         \
    .info = {"hosted", "", "", .networks = "networks with hosts on every switch"}, .refuses = refuses,                 \
    .chooser = &chooser, .start = np_routes_start, .next = np_routes_next, .remaining = np_routes_remaining

/* Not listed: found by the name of the rule for the switches. */
static const np_path_rule rules[2][2] = {{{HOSTED}, {HOSTED, .randomized = true}},
                                         {{HOSTED, .shortest = true}, {HOSTED, .shortest = true, .randomized = true}}};

const np_path_rule *np_path_hosted(const np_path_rule *inner) { return &rules[inner->shortest][inner->randomized]; }
