/* See ahead.h. */
#include "engine/queueing/ahead.h"

#include <string.h>

#include "base/memory.h"
#include "base/room.h"
#include "model/path/routes.h"

/* A quarter more than are asked for now. */
static size_t room_for(size_t routes) { return routes + routes / 4; }

np_status np_ahead_init(np_ahead *a, const np_path *path, const np_draws *draws, unsigned threads, np_step cycles,
                        size_t packets)
{
    np_status st;
    *a = (np_ahead){
        .bound = *path, .path = path, .draws = *draws, .threads = threads, .cycles = cycles, .room = packets};
    if (path->rule->chooser->together)
        return NP_RAISE(NP_ERROR_APPLY,
                        "paths '%.60s' do not apply under load, because each route depends on all packets of a phase",
                        np_path_name(path));
    if (packets && (st = np_memory_array(&a->packet, packets, sizeof *a->packet, "packets to come")))
        return st;
    return np_memory_array(&a->begin, (size_t)cycles + 2, sizeof *a->begin, "packets to come");
}

/* Those that come, in their order and in that of their times, and the ends of their routes. */
uint64_t np_ahead_bytes(const np_path *path, unsigned threads, size_t packets, size_t routes)
{
    const np_routes_options found = {.path = path, .slots = 1, .threads = threads, .packets = room_for(routes + 1)};
    return (2 * packets + 1) * sizeof(np_coming) + 2 * (2 * packets + 1) * sizeof(np_node) + np_routes_bytes(&found);
}

void np_ahead_free(np_ahead *a)
{
    np_routes_free(a->routes);
    NP_MEMORY_FREE(a->packet, a->begin, a->from, a->to);
}

np_status np_ahead_add(np_ahead *a, const np_coming *p)
{
    np_status st = np_memory_room(&a->packet, a->count, &a->room, sizeof *a->packet, "packets to come");
    if (!st)
        a->packet[a->count++] = *p;
    return st;
}

static np_status sort(np_ahead *a)
{
    np_coming *sorted;
    np_status st = np_memory_array(&sorted, a->room + 1, sizeof *sorted, "packets to come");
    if (st)
        return st;
    memset(a->begin, 0, ((size_t)a->cycles + 2) * sizeof *a->begin);
    for (size_t i = 0; i < a->count; i++)
        a->begin[a->packet[i].packet.created - a->first + 2]++;
    for (np_step t = 0; t < a->cycles; t++)
        a->begin[t + 2] += a->begin[t + 1];
    for (size_t i = 0; i < a->count; i++)
        sorted[a->begin[a->packet[i].packet.created - a->first + 1]++] = a->packet[i];
    np_memory_free(a->packet);
    a->packet = sorted;
    a->room += a->room == 0;
    return NP_OK;
}

static size_t list_ends(const np_ahead *a)
{
    size_t routes = 0;
    for (size_t i = 0; i < a->count; i++) {
        const np_coming *p = &a->packet[i];
        a->from[routes] = p->from;
        a->to[routes++] = p->via;
        if (p->via == p->to)
            continue;
        a->from[routes] = p->via;
        a->to[routes++] = p->to;
    }
    return routes;
}

static np_status make_room(np_ahead *a, size_t routes)
{
    np_routes_options options = {.path = a->path, .slots = 1, .threads = a->threads};
    if (routes <= a->most)
        return NP_OK;
    np_routes_free(a->routes);
    a->routes = NULL;
    options.packets = a->most = room_for(routes);
    np_status st = np_routes_create(&options, &a->routes);
    a->bound.routes = a->routes;
    return st;
}

np_status np_ahead_find(np_ahead *a)
{
    np_status st;
    if ((st = sort(a)) ||
        (st = np_memory_need(&a->from, 0, 2 * a->count + 1, &a->from_room, sizeof *a->from, "packets to come")) ||
        (st = np_memory_need(&a->to, 0, 2 * a->count + 1, &a->to_room, sizeof *a->to, "packets to come")))
        return st;
    size_t routes = list_ends(a);
    if ((st = make_room(a, routes + 1)))
        return st;
    const np_demand demand = {
        .draws = a->draws, .first = (np_packet)a->number, .count = routes, .from = a->from, .to = a->to};
    if (routes && (st = np_routes_find(a->routes, 0, &demand)))
        return st;
    if (routes && a->routes->port_count)
        return NP_RAISE(NP_ERROR_LIMIT,
                        "routes of paths '%.60s' on %.60s are too long to be kept under load: model flits keeps none",
                        np_path_name(a->path), np_network_spec(a->path->network));
    a->number += routes;
    routes = 0;
    for (size_t i = 0; i < a->count; i++) {
        np_coming *p = &a->packet[i];
        p->packet.ticket[0] = a->routes->ticket[routes++];
        if (p->via != p->to)
            p->packet.ticket[1] = a->routes->ticket[routes++];
    }
    return NP_OK;
}
