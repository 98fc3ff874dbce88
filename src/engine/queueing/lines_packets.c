/* See lines_packets.h. The scheme's phase gives the targets; entries are sorted by counting. */
#include "engine/queueing/lines_packets.h"

#include <string.h>

#include "engine/queueing/inside.h"

enum { TURNS = NP_LINES_STAYS + 1 }; /* takes the place of a dimension: the packet turns */

static uint8_t moves_in(const np_network *network, np_node at, np_node to)
{
    uint8_t found = NP_LINES_STAYS;
    for (uint32_t i = 0; i < network->dimensions && at != to; i++)
        if (np_network_coordinate(network, at, i) != np_network_coordinate(network, to, i))
            found = found == NP_LINES_STAYS ? (uint8_t)i : TURNS;
    return found;
}

bool np_lines_packets_aim(np_lines_packets *packets, np_engine *engine)
{
    np_packet packet[NP_BATCH];
    np_ticket ticket[NP_BATCH];
    packets->active = 0;
    for (np_packet base = 0; base < engine->packets;) {
        size_t count = engine->packets - base < NP_BATCH ? engine->packets - base : NP_BATCH;
        for (size_t i = 0; i < count; i++)
            packet[i] = base + (np_packet)i;
        np_engine_prepare(engine, &engine->shard[0], engine->phase, count, packet, engine->location + base, ticket);
        for (size_t i = 0; i < count; i++) {
            uint8_t moves = moves_in(packets->network, engine->location[base + i], (np_node)ticket[i]);
            if (moves == TURNS)
                return false;
            packets->to[base + i] = (np_node)ticket[i];
            packets->moves[base + i] = moves;
            packets->active |= moves == NP_LINES_STAYS ? 0 : UINT32_C(1) << moves;
        }
        base += (np_packet)count;
    }
    return true;
}

void np_lines_packets_layout_targets(np_lines_packets *packets, np_arena *arena)
{
    static const char what[] = "packets by line";
    np_arena_array(arena, &packets->to, packets->room, sizeof *packets->to, what);
    np_arena_array(arena, &packets->moves, packets->room, sizeof *packets->moves, what);
}

void np_lines_packets_layout(np_lines_packets *packets, np_arena *arena)
{
    static const char what[] = "packets by line";
    np_arena_array(arena, &packets->entry, packets->room, sizeof *packets->entry, what);
    np_arena_array(arena, &packets->begin, (size_t)packets->network->nodes + 2, sizeof *packets->begin, what);
}

void np_lines_packets_sort(np_lines_packets *packets, const np_engine *engine, uint32_t i)
{
    const np_network *network = packets->network;
    uint32_t *begin = packets->begin, side = network->side[i];
    memset(begin, 0, ((size_t)network->nodes + 2) * sizeof *begin);
    for (np_packet p = 0; p < engine->packets; p++)
        if (packets->moves[p] == i) {
            np_node u = engine->location[p];
            begin[np_lines_number(network, u, i) * side + np_network_coordinate(network, u, i) + 2]++;
        }
    for (np_node u = 0; u < network->nodes; u++)
        begin[u + 2] += begin[u + 1];
    for (np_packet p = 0; p < engine->packets; p++)
        if (packets->moves[p] == i) {
            np_node u = engine->location[p];
            uint32_t at = np_lines_number(network, u, i) * side + np_network_coordinate(network, u, i);
            packets->entry[begin[at + 1]++] = (np_lines_entry){p, np_network_coordinate(network, packets->to[p], i)};
        }
}
