/*
 * Hops of a guest's packets, listened to while they are made: by the queueing engine, by the off-line scheme (which lists its own), or
 * by the replay of a file. Steps count on over the phases of a scheme.
 */
#include "embed/guest_hops.h"

#include <string.h>

#include "base/memory.h"
#include "engine/replay.h"
#include "engine/schedule_file.h"
#include "netpram/offline.h"
#include "netpram/route.h"

static const char what[] = "the hops of the guest's packets";

static void add(np_guest_hops *h, np_step step, np_link link)
{
    if (!h->status && h->count == h->room) {
        size_t room = h->room ? 2 * h->room : 1024;
        if (!(h->status = np_memory_grow(&h->step, h->count, room, sizeof *h->step, what)) &&
            !(h->status = np_memory_grow(&h->link, h->count, room, sizeof *h->link, what)))
            h->room = room;
    }
    if (h->status)
        return;
    h->step[h->count] = step;
    h->link[h->count++] = link;
    h->steps = step;
}

static void on_hops(void *context, unsigned phase, np_step step, size_t count, const np_packet *packet,
                    const np_link *link)
{
    np_guest_hops *h = context;
    (void)packet;
    if (phase != h->phase) {
        h->phase = phase;
        h->passed = h->steps;
    }
    for (size_t i = 0; i < count; i++)
        add(h, h->passed + step, link[i]);
}

static void on_hop(void *context, np_step step, np_packet packet, np_link link)
{
    (void)packet;
    add(context, step, link);
}

static np_status find_offline(const np_network *guest, const char *traffic, uint64_t seed, np_guest_hops *out)
{
    np_offline_options options;
    np_offline *offline;
    np_offline_options_init(&options);
    options.seed = seed;
    np_status st = np_offline_find(guest, traffic, &options, &offline);
    if (st)
        return st;
    out->packets = offline->packets;
    for (uint64_t i = 0; i < offline->hops; i++)
        add(out, offline->hop[i].step, offline->hop[i].link);
    np_offline_free(offline);
    return out->status;
}

np_status np_guest_hops_route(const np_network *guest, const char *traffic, const char *scheme, uint64_t seed,
                              np_guest_hops *out)
{
    np_route_options options;
    np_route_result *result;
    *out = (np_guest_hops){0};
    if (scheme && !strcmp(scheme, "offline"))
        return find_offline(guest, traffic, seed, out);
    np_route_options_init(&options);
    options.scheme = scheme;
    options.seed = seed;
    options.on_hops = on_hops;
    options.context = out;
    np_status st = np_route(guest, traffic, &options, &result);
    if (st)
        return st;
    out->packets = result->packets;
    np_route_result_free(result);
    return out->status;
}

np_status np_guest_hops_read(const np_network *guest, const char *traffic, uint64_t seed, const char *path,
                             np_guest_hops *out)
{
    np_traffic *packets = NULL;
    np_replay *replay = NULL;
    np_phase_run run;
    uint32_t stored;
    np_status st;
    *out = (np_guest_hops){0};
    if ((st = np_traffic_create(traffic, guest, seed, 0, &packets)) ||
        (st = np_replay_create(guest, packets, &replay)))
        goto out;
    np_replay_listen(replay, on_hop, out);
    out->packets = np_traffic_packets(packets);
    if (!(st = np_schedule_read(path, replay)) && (st = np_replay_end(replay, &run, &stored)))
        st = np_status_prefix(st, "%s: ", path);
    st = st ? st : out->status;
out:
    np_replay_free(replay);
    np_traffic_free(packets);
    return st;
}

void np_guest_hops_clear(np_guest_hops *hops)
{
    np_memory_free(hops->step);
    np_memory_free(hops->link);
    *hops = (np_guest_hops){0};
}
