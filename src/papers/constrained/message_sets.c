/*
 * See message_sets.h. A packet knows its first switch, not its terminal. So the
 * messages of a switch are dealt out to its two inputs in the order of the
 * traffic. With every generator this is the order of the terminals.
 */
#include "papers/constrained/message_sets.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "model/family/omega.h"
#include "model/network/read_node.h"

void np_message_sets_clear(np_message_sets *sets)
{
    NP_MEMORY_FREE(sets->source, sets->destination, sets->set);
    *sets = (np_message_sets){0};
}

static np_status allocate(np_message_sets *sets, uint32_t terminals, uint64_t messages)
{
    np_status st;
    if (messages > UINT32_C(0x7ffffffe))
        return NP_RAISE(NP_ERROR_LIMIT, "%llu messages: at most %u can be routed", (unsigned long long)messages,
                        UINT32_C(0x7ffffffe));
    if (sets->source && sets->messages == messages)
        return NP_OK;
    np_message_sets_clear(sets);
    sets->terminals = terminals;
    sets->sets = (uint32_t)(messages / terminals);
    sets->messages = (np_packet)messages;
    if ((st = np_memory_array(&sets->source, messages, sizeof *sets->source, "the messages")) ||
        (st = np_memory_array(&sets->destination, messages, sizeof *sets->destination, "the messages")))
        return st;
    return np_memory_array(&sets->set, messages, sizeof *sets->set, "the messages");
}

static np_status refuse_sources(const np_network *network, np_node node, uint32_t each)
{
    char other[32] = "";
    if (each > 1)
        snprintf(other, sizeof other, " or h-relation:%u", each);
    return NP_RAISE(NP_ERROR_APPLY,
                    "this scheme routes permutations, and the two terminals of node %s send more than %u packets: try "
                    "random%s",
                    NP_NODE_NAME(network, node), 2 * each, other);
}

static np_status refuse_twice(uint32_t terminal, uint32_t set, uint32_t each)
{
    if (each == 1)
        return NP_RAISE(NP_ERROR_APPLY,
                        "this scheme routes permutations, and terminal %u receives more than one packet: try random",
                        terminal);
    return NP_RAISE(NP_ERROR_APPLY,
                    "this scheme routes permutations, and terminal %u receives more than one of the packets that "
                    "terminals send as number %u: try h-relation:%u",
                    terminal, set + 1, each);
}

/* seen: [terminals of every set], zero before; dealt: [first switches], zero before. */
static np_status deal(np_message_sets *sets, const np_network *omega, const np_traffic *traffic, uint32_t *dealt,
                      uint8_t *seen)
{
    const np_node *source = np_traffic_sources(traffic), *destination = np_traffic_destinations(traffic);
    uint32_t each = np_traffic_packets(traffic) / sets->terminals, copies = sets->sets / each;
    np_packet m = 0;
    for (np_packet p = 0; p < np_traffic_packets(traffic); p++) {
        uint32_t turn = dealt[source[p]]++, to = destination[p] - omega->output_first;
        if (turn >= 2 * each)
            return refuse_sources(omega, source[p], each);
        if (seen[(size_t)(turn % each) * sets->terminals + to]++)
            return refuse_twice(to, turn % each, each);
        for (uint32_t copy = 0; copy < copies; copy++, m++) {
            sets->source[m] = np_omega_right(omega, 2 * source[p] + turn / each);
            sets->destination[m] = to;
            sets->set[m] = copies > 1 ? copy : turn % each;
        }
    }
    return NP_OK;
}

static np_status deal_out(np_message_sets *sets, const np_network *omega, const np_traffic *traffic, uint32_t copies)
{
    uint32_t terminals = np_network_terminals(omega), *dealt = NULL;
    np_packet packets = np_traffic_packets(traffic);
    uint8_t *seen = NULL;
    np_status st;
    if (!packets || packets % terminals)
        return NP_RAISE(NP_ERROR_APPLY,
                        "this scheme routes permutations, and %u packets are not as many for each of %u terminals: try "
                        "random or h-relation:2",
                        packets, terminals);
    if ((st = allocate(sets, terminals, (uint64_t)packets * copies)) ||
        (st = np_memory_zeroed(&dealt, terminals / 2, sizeof *dealt, "messages a switch")) ||
        (st = np_memory_zeroed(&seen, packets, 1, "messages a terminal")))
        goto out;
    st = deal(sets, omega, traffic, dealt, seen);
out:
    NP_MEMORY_FREE(dealt, seen);
    return st;
}

static bool is_random(const np_traffic *traffic, const np_network *omega)
{
    uint64_t packets;
    bool random;
    return !np_traffic_estimate(np_traffic_spec(traffic), omega, &packets, &random) && random;
}

np_status np_message_sets_make(np_message_sets *sets, const np_network *omega, const np_traffic *traffic,
                               uint32_t permutations, uint64_t seed, uint32_t run)
{
    np_traffic *all;
    char spec[32];
    np_status st;
    uint64_t wanted = (uint64_t)permutations * np_network_terminals(omega);
    if (permutations < 2 || np_traffic_packets(traffic) == wanted)
        return deal_out(sets, omega, traffic, 1);
    if (np_traffic_packets(traffic) != np_network_terminals(omega))
        return NP_RAISE(NP_ERROR_APPLY,
                        "%u permutations of traffic '%s', which is none: %u packets for %u terminals: try random, or "
                        "h-relation:%u",
                        permutations, np_traffic_spec(traffic), np_traffic_packets(traffic),
                        np_network_terminals(omega), permutations);
    if (!is_random(traffic, omega))
        return deal_out(sets, omega, traffic, permutations);
    if (strcmp(np_traffic_spec(traffic), "random") != 0)
        return NP_RAISE(NP_ERROR_APPLY,
                        "%u permutations of traffic '%s': only random is drawn so often: try it, or h-relation:%u",
                        permutations, np_traffic_spec(traffic), permutations);
    snprintf(spec, sizeof spec, "h-relation:%u", permutations);
    if ((st = np_traffic_create(spec, omega, seed, run, &all)))
        return st;
    st = deal_out(sets, omega, all, 1);
    np_traffic_free(all);
    return st;
}
