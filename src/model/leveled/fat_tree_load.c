/*
 * The load factor of a fat-tree (Leighton, Maggs, Ranade & Rao 1994, section 7).
 *
 * A packet from leaf s to leaf x whose ancestors first meet at level a must pass through the up
 * channels above s and the down channels above x on levels 0 .. a-1. Loads count destinations, so
 * each x counts once for each of these channels:
 *   down channels  above x, on the levels below the highest a of its packets;
 *   up channels    the union of the channels above its sources. Take the sources of x in ascending
 *                  order. If s shares a channel with any earlier source, it shares this channel
 *                  with s', the source just before it; and all channels above the first shared
 *                  one are shared too. If the packet from s passes through a shared channel, then
 *                  so does the packet from s', because x is not below the channel.
 *
 * A channel is named by its lower end. Channels are numbered level by level from the leaves; the
 * channels of level l begin at first[l].
 */
#include "model/leveled/fat_tree.h"

#include "base/arena.h"
#include "base/memory.h"
#include "model/family/fat_tree.h"
#include "model/network/read_node.h"

typedef struct loads {
    const np_network *network;
    uint32_t fan, height;
    uint32_t first[NP_MAX_DIMENSIONS + 1];
    uint32_t *up, *down;          /* [first[height]] */
    np_packet *order, *by_source; /* [packets] */
    uint32_t *begin;              /* [leaves + 1] */
    np_packet packets;
    void *block;
} loads;

static void layout(void *object, np_arena *arena)
{
    loads *l = object;
    np_arena_zeroed(arena, &l->up, l->first[l->height], sizeof *l->up, "those upwards");
    np_arena_zeroed(arena, &l->down, l->first[l->height], sizeof *l->down, "those downwards");
    np_arena_array(arena, &l->order, l->packets, sizeof *l->order, "the packets");
    np_arena_array(arena, &l->by_source, l->packets, sizeof *l->by_source, "the packets by source");
    np_arena_array(arena, &l->begin, (size_t)l->first[1] + 1, sizeof *l->begin, "the leaves");
}

static loads loads_of(const np_network *network, np_packet packets)
{
    loads l = {
        .network = network, .fan = np_fat_tree_fan(network), .height = np_fat_tree_height(network), .packets = packets};
    for (uint32_t level = 0; level < l.height; level++)
        l.first[level + 1] = l.first[level] + (UINT32_C(1) << (l.fan * (l.height - level)));
    return l;
}

uint64_t np_fat_tree_load_bytes(const np_network *network, np_packet packets)
{
    loads l = loads_of(network, packets);
    return np_arena_bytes(&l, 0, layout);
}

/* A stable counting sort of from[] (NULL: 0, 1, ...) by the packet's leaf. */
static void sort_by(loads *l, np_packet packets, const np_node *leaf, const np_packet *from, np_packet *to)
{
    for (uint32_t v = 0; v <= l->first[1]; v++)
        l->begin[v] = 0;
    for (np_packet i = 0; i < packets; i++)
        l->begin[leaf[i] + 1]++;
    for (uint32_t v = 0; v < l->first[1]; v++)
        l->begin[v + 1] += l->begin[v];
    for (np_packet i = 0; i < packets; i++) {
        np_packet p = from ? from[i] : i;
        to[l->begin[leaf[p]]++] = p;
    }
}

/* Counts the channels of all packets for one destination, in ascending order of sources: order[from .. to-1]. */
static void count_destination(loads *l, const np_node *source, np_node x, np_packet from, np_packet to)
{
    uint32_t highest = 0;
    for (np_packet i = from; i < to; i++) {
        np_node s = source[l->order[i]];
        uint32_t a = np_fat_tree_meet(l->fan, s, x);
        highest = a > highest ? a : highest;
        if (i > from) { /* the higher channels are shared with the source before */
            uint32_t shared = np_fat_tree_meet(l->fan, s, source[l->order[i - 1]]);
            a = shared < a ? shared : a;
        }
        for (uint32_t level = 0; level < a; level++)
            l->up[l->first[level] + (s >> (l->fan * level))]++;
    }
    for (uint32_t level = 0; level < highest; level++)
        l->down[l->first[level] + (x >> (l->fan * level))]++;
}

static void count_all(loads *l, const np_traffic *traffic)
{
    const np_node *source = np_traffic_sources(traffic), *to = np_traffic_destinations(traffic);
    np_packet packets = np_traffic_packets(traffic), end;
    sort_by(l, packets, source, NULL, l->by_source);
    sort_by(l, packets, to, l->by_source, l->order);
    for (np_packet begin = 0; begin < packets; begin = end) {
        np_node x = to[l->order[begin]];
        for (end = begin + 1; end < packets && to[l->order[end]] == x;)
            end++;
        count_destination(l, source, x, begin, end);
    }
}

/* Keeps the channel with the largest factor in *out. Quotients by powers of two are exact. */
static void take_highest(const loads *l, bool up, np_fat_tree_load *out)
{
    const uint32_t *load = up ? l->up : l->down;
    for (uint32_t level = 0; level < l->height; level++) {
        uint32_t capacity = UINT32_C(1) << (np_fat_tree_grow(l->network) * (level + 1));
        for (uint32_t c = l->first[level]; c < l->first[level + 1]; c++) {
            double factor = (double)load[c] / capacity;
            if (factor > out->factor)
                *out = (np_fat_tree_load){factor, load[c], capacity, up, level, c - l->first[level]};
        }
    }
}

np_status np_fat_tree_load_factor(const np_network *network, const np_traffic *traffic, np_fat_tree_load *out)
{
    const np_node *source = np_traffic_sources(traffic), *to = np_traffic_destinations(traffic);
    np_packet packets = np_traffic_packets(traffic);
    *out = (np_fat_tree_load){0};
    if (!np_fat_tree_is(network))
        return NP_RAISE(NP_ERROR_APPLY, "%s has no channels with a load factor: fat-trees have",
                        np_network_spec(network));
    for (np_packet i = 0; i < packets; i++)
        if (!np_network_serves(network, source[i], to[i]))
            return NP_RAISE(NP_ERROR_INPUT, "packet %u goes from node %s to node %s: the leaves of %s are nodes 0..%u",
                            i, NP_NODE_NAME(network, source[i]), NP_NODE_NAME(network, to[i]), np_network_spec(network),
                            np_network_terminals(network) - 1);
    loads l = loads_of(network, packets);
    np_status st = np_arena_place(&l, layout, "the channels of a fat-tree", &l.block);
    if (!st) {
        count_all(&l, traffic);
        take_highest(&l, true, out);
        take_highest(&l, false, out);
    }
    np_memory_free(l.block);
    return st;
}
