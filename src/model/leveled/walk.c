/* See walk.h. */
#include "model/leveled/walk.h"

#include "base/arena.h"
#include "base/memory.h"
#include "base/watch.h"

enum { TELL_EVERY = 1 << 18 }; /* packets that take a hop between calls of the watch; our choice: some milliseconds */

static void layout(void *object, np_arena *arena)
{
    static const char what[] = "the packets' paths, hop by hop";
    np_walk *walk = object;
    NP_ARENA_WORDS(arena, walk->packets, what, &walk->number, &walk->hops, &walk->packet, &walk->at, &walk->link);
    np_arena_array(arena, &walk->ticket, walk->packets, sizeof *walk->ticket, what);
}

uint64_t np_walk_bytes(uint64_t packets)
{
    np_walk walk = {.packets = (np_packet)packets};
    return np_arena_bytes(&walk, sizeof walk, layout);
}

/* Lists the packets that move. */
static void list(np_walk *walk)
{
    const np_node *from = np_traffic_sources(walk->traffic), *to = np_traffic_destinations(walk->traffic);
    walk->packets = 0;
    for (np_packet p = 0; p < np_traffic_packets(walk->traffic); p++)
        if (from[p] != to[p])
            walk->number[walk->packets++] = p;
}

np_status np_walk_create(const np_path *path, np_draws draws, const np_traffic *traffic, const np_watch *watch,
                         np_walk **out)
{
    np_walk made = {.path = path,
                    .draws = np_draws_for(draws, NP_RANDOM_TICKET),
                    .traffic = traffic,
                    .watch = watch,
                    .packets = np_traffic_packets(traffic)};
    np_status st = np_arena_create(&made, sizeof made, layout, "the packets' paths, hop by hop", out);
    if (st)
        return st;
    list(*out);
    np_walk_start(*out);
    path->rule->remaining(path, (*out)->count, (*out)->at, (*out)->ticket, (*out)->hops);
    for (np_packet i = 0; i < (*out)->packets; i++) {
        uint32_t hops = (*out)->hops[i];
        (*out)->hops_all += hops;
        (*out)->hops_most = hops > (*out)->hops_most ? hops : (*out)->hops_most;
    }
    return NP_OK;
}

void np_walk_free(np_walk *walk) { np_memory_free(walk); }

/* How many of the items from `base` on are in one batch. */
static size_t batch_of(const np_walk *walk, np_packet base)
{
    return walk->count - base < NP_PATH_BATCH ? walk->count - base : NP_PATH_BATCH;
}

void np_walk_start(np_walk *walk)
{
    const np_node *from = np_traffic_sources(walk->traffic), *to = np_traffic_destinations(walk->traffic);
    np_node target[NP_PATH_BATCH];
    walk->count = walk->packets;
    walk->taken = 0;
    walk->hop = NP_NONE; /* before the first */
    for (np_packet base = 0; base < walk->count; base += NP_PATH_BATCH) {
        size_t count = batch_of(walk, base);
        for (size_t i = 0; i < count; i++) {
            walk->packet[base + i] = base + (np_packet)i;
            walk->at[base + i] = from[walk->number[base + i]];
            target[i] = to[walk->number[base + i]];
        }
        walk->path->rule->start(walk->path, &walk->draws, count, walk->number + base, walk->at + base, target,
                                walk->ticket + base);
    }
}

/* The packet's path has hop links, and no more. */
static np_status judge_end(const np_walk *walk, np_packet i)
{
    np_packet packet = walk->packet[i], number = walk->number[packet];
    np_node to = np_traffic_destinations(walk->traffic)[number];
    if (walk->at[i] == to && walk->hops[packet] == walk->hop)
        return NP_OK;
    return NP_RAISE(NP_ERROR_INTERNAL, "paths '%s': packet %u ends at node %u after %u hops, not at %u after %u",
                    np_path_name(walk->path), number, walk->at[i], walk->hop, to, walk->hops[packet]);
}

/* Item i takes the port: it moves to place *kept, unless its path has ended. */
static np_status take(np_walk *walk, np_packet i, np_port port, np_packet *kept)
{
    np_packet packet = walk->packet[i];
    if (port == NP_NONE)
        return judge_end(walk, i);
    np_link link = np_network_link_at(walk->path->network, walk->at[i], port);
    if (link == NP_NONE || walk->hop >= walk->hops[packet])
        return NP_RAISE(NP_ERROR_INTERNAL, "paths '%s': packet %u takes port %u of node %u, hop %u of %u",
                        np_path_name(walk->path), walk->number[packet], port, walk->at[i], walk->hop + 1,
                        walk->hops[packet]);
    walk->packet[*kept] = packet;
    walk->at[*kept] = walk->at[i];
    walk->ticket[*kept] = walk->ticket[i];
    walk->link[(*kept)++] = link;
    return NP_OK;
}

static np_status tell(const np_walk *walk, np_packet base)
{
    if (base % TELL_EVERY || !walk->hops_all)
        return NP_OK;
    return np_watch_share(walk->watch, NULL, (double)(walk->taken + base) / (double)walk->hops_all);
}

np_status np_walk_next(np_walk *walk)
{
    np_port port[NP_PATH_BATCH];
    np_packet kept = 0;
    np_status st;
    if (walk->hop != NP_NONE)
        np_network_heads(walk->path->network, walk->count, walk->link, walk->at);
    walk->hop = walk->hop == NP_NONE ? 0 : walk->hop + 1;
    for (np_packet base = 0; base < walk->count; base += NP_PATH_BATCH) {
        size_t count = batch_of(walk, base);
        if ((st = tell(walk, base)))
            return st;
        walk->path->rule->next(walk->path, count, walk->at + base, walk->ticket + base, port);
        for (size_t i = 0; i < count; i++)
            if ((st = take(walk, base + (np_packet)i, port[i], &kept)))
                return st;
    }
    walk->count = kept;
    walk->taken += kept;
    return NP_OK;
}
