/*
 * Hops of a guest's packets, taken while they are made: by the queueing engine, by the off-line
 * scheme (which lists its hops), or by the replay of a file. Steps are counted over all phases of a
 * scheme. Only the present step is kept.
 */
#include "embed/guest_hops.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "queueing/replay.h"
#include "route/schedule_file.h"
#include "netpram/route.h"

/* Keeps the message: what the failure ends may raise other messages. */
static void note(np_guest_hops *h, np_status st)
{
    h->status = st;
    if (st)
        snprintf(h->message, sizeof h->message, "%s", np_last_error());
}

/* Ends the present step. */
static void finish_step(np_guest_hops *h)
{
    if (h->count && !h->status)
        note(h, h->on_step(h->context, h->count, h->link));
    h->count = 0;
}

static void add(np_guest_hops *h, np_step step, np_link link)
{
    if (step != h->steps)
        finish_step(h);
    if (!h->status && h->count == h->room) {
        size_t room = h->room ? 2 * h->room : 1024;
        note(h, np_memory_grow(&h->link, h->count, room, sizeof *h->link, "a step of the guest"));
        if (!h->status)
            h->room = room;
    }
    if (h->status)
        return;
    h->steps = step;
    h->hops++;
    h->link[h->count++] = link;
}

/* All hops have come; st: what the call that made them returned. */
static np_status finish(np_guest_hops *h, np_status st)
{
    if (!st)
        finish_step(h);
    return h->status ? NP_RAISE(h->status, "%s", h->message) : st;
}

static int on_phase(void *context, const np_event_phase *phase)
{
    np_guest_hops *h = context;
    h->passed = h->steps;
    if (phase->leveled)
        note(h,
             NP_RAISE(NP_ERROR_APPLY, "its packets move over a leveled network, not over the links of %s: try greedy",
                      np_network_spec(phase->network)));
    return h->status != NP_OK;
}

static int on_events(void *context, size_t count, const np_event *event)
{
    np_guest_hops *h = context;
    for (size_t i = 0; i < count; i++)
        if (event[i].kind == NP_EVENT_MOVED)
            add(h, h->passed + event[i].step, event[i].link);
    return h->status != NP_OK;
}

static void on_hop(void *context, np_step step, np_packet packet, np_link link)
{
    (void)packet;
    add(context, step, link);
}

static np_status find_offline(const np_network *guest, const char *traffic, const np_traffic *packets, uint64_t seed,
                              np_guest_hops *hops)
{
    np_offline_options options;
    np_offline *offline;
    np_offline_options_init(&options);
    options.seed = seed;
    options.watch = hops->watch;
    np_status st = packets ? np_offline_find_traffic(guest, packets, &options, &offline)
                           : np_offline_find(guest, traffic, &options, &offline);
    if (st)
        return st;
    hops->packets = offline->packets;
    for (uint64_t i = 0; i < offline->hops && !hops->status; i++)
        add(hops, offline->hop[i].step, offline->hop[i].link);
    np_offline_free(offline);
    return finish(hops, NP_OK);
}

np_status np_guest_hops_route(const np_network *guest, const char *traffic, const np_traffic *packets,
                              const char *scheme, uint64_t seed, np_guest_hops *hops)
{
    const np_observer observer = {
        .kinds = 1 << NP_EVENT_MOVED, .begin = on_phase, .events = on_events, .context = hops};
    np_route_options options;
    np_route_result *result;
    if (scheme && !strcmp(scheme, "offline"))
        return find_offline(guest, traffic, packets, seed, hops);
    np_route_options_init(&options);
    options.scheme = scheme;
    options.seed = seed;
    options.observer = &observer;
    options.watch = hops->watch;
    np_status st =
        packets ? np_route_traffic(guest, packets, &options, &result) : np_route(guest, traffic, &options, &result);
    if (!st)
        hops->packets = result->packets;
    np_route_result_free(result);
    return finish(hops, st);
}

np_status np_guest_hops_read(const np_network *guest, const char *traffic, const np_traffic *packets, uint64_t seed,
                             const char *path, np_guest_hops *hops)
{
    np_traffic *own = NULL;
    np_replay *replay = NULL;
    np_phase_run run;
    uint32_t stored;
    np_status st = NP_OK;
    if (!packets && !(st = np_traffic_create(traffic, guest, seed, 0, &own)))
        packets = own;
    if (st || (st = np_replay_create(guest, packets, &replay)))
        goto out;
    np_replay_listen(replay, on_hop, hops);
    hops->packets = np_traffic_packets(packets);
    if (!(st = np_schedule_read(path, &hops->watch, replay)) && (st = np_replay_end(replay, &run, &stored)))
        st = np_status_prefix(st, "%s: ", path);
    st = finish(hops, st);
out:
    np_replay_free(replay);
    np_traffic_free(own);
    return st;
}

void np_guest_hops_clear(np_guest_hops *hops) { np_memory_free(hops->link); }
