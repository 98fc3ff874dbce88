/*
 * A guest's own packets on the host. A step of the guest crosses some of its links; a packet that
 * crosses link l takes the path of l.
 *
 * Off line, the schedule of a full step (run.c) serves for every step: a step that crosses fewer
 * links leaves some crossings out, and takes as long as the last crossing that remains. By queues,
 * each step is a run of the engine. A guest step takes no host step if nothing moves, or if packets
 * move only between guest nodes that share a host node.
 */
#include <stdio.h>
#include <string.h>

#include "base/account.h"
#include "base/memory.h"
#include "papers/embed/embedding.h"
#include "papers/embed/mover.h"
#include "netpram/route.h"
#include "papers/offline/schedule_file.h"

/*
 * Hops of a guest's packets, taken while they are made: by the queueing engine, by the off-line
 * scheme (which lists its hops), or by the replay of a file. Steps are counted over all phases of a
 * scheme. Only the present step is kept.
 */

/* Gets the links that are crossed in a step: at least one, none twice. It is not called again after an error. */
typedef np_status np_guest_step(void *context, size_t count, const np_link *link);

/* The caller sets on_step and context, and the rest to zero, and clears it in any case. */
typedef struct np_guest_hops {
    np_guest_step *on_step;
    void *context;
    np_watch watch;     /* is told how far the routing is, and may cancel it. The caller may set it */
    np_packet packets;  /* afterwards: how many packets */
    np_step steps;      /* the last step in which a packet moves, over all phases */
    uint64_t hops;      /* of all packets */
    size_t count, room; /* of the present step */
    np_link *link;      /* [count] */
    np_step passed;     /* steps of the phases before */
    np_status status;   /* the first failure of on_step, or of the memory for a step; message: its text */
    char message[512];
} np_guest_hops;

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

/*
 * Routes the packets, or if they are NULL run 0 of the traffic, by a scheme (NULL: the network's own).
 * @return as np_route and np_offline_find; NP_ERROR_APPLY: the scheme has no step-by-step trace; NP_ERROR_LIMIT:
 * it needs more than memory_limit; what on_step returns
 */
static np_status guest_hops_route(const np_network *guest, const char *traffic, const np_traffic *packets,
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

/* Reads the hops from a file and checks them hop by hop (papers/offline/schedule_file.h); the packets are found likewise. */
static np_status guest_hops_read(const np_network *guest, const char *traffic, const np_traffic *packets, uint64_t seed,
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

static void guest_hops_clear(np_guest_hops *hops) { np_memory_free(hops->link); }

/* ---- A run ---- */

typedef struct guest_run {
    const np_embedding *embedding;
    const np_embedding_run_result *full;
    const np_embedding_guest_options *options;
    np_guest_hops hops;
    np_embed_mover mover;
    np_event_relay relay;
    uint32_t *paths;                    /* [host link numbers] of the present step */
    double *least, *scheduled, *queued; /* [room] of the busy steps so far */
    size_t room;
    np_embedding_guest_result *result;
} guest_run;

/* The larger of congestion and dilation of these guest links. */
static uint32_t least_steps(guest_run *g, size_t count, const np_link *guest_link)
{
    const np_link *link;
    uint32_t most = 0;
    for (size_t i = 0; i < count; i++) {
        size_t hops = np_embedding_path(g->embedding, guest_link[i], &link);
        most = hops > most ? (uint32_t)hops : most;
        for (size_t j = 0; j < hops; j++) {
            uint32_t here = ++g->paths[link[j]];
            most = here > most ? here : most;
        }
    }
    for (size_t i = 0; i < count; i++) {
        size_t hops = np_embedding_path(g->embedding, guest_link[i], &link);
        for (size_t j = 0; j < hops; j++)
            g->paths[link[j]] = 0;
    }
    return most;
}

/* The step in which the last of these packets lands, by the schedule of a full step. */
static np_step scheduled_steps(const guest_run *g, size_t count, const np_link *guest_link)
{
    const uint32_t *row = g->embedding->row;
    np_step last = 0;
    for (size_t i = 0; i < count; i++) {
        np_link l = guest_link[i];
        if (row[l + 1] > row[l] && g->full->crossing[row[l + 1] - 1] > last)
            last = g->full->crossing[row[l + 1] - 1];
    }
    return last;
}

static np_status make_room(guest_run *g)
{
    static const char what[] = "the steps of the guest";
    size_t kept = g->result->busy_steps, room = g->room ? 2 * g->room : 256;
    np_status st;
    if (kept < g->room)
        return NP_OK;
    if ((st = np_memory_grow(&g->least, kept, room, sizeof *g->least, what)) ||
        (st = np_memory_grow(&g->scheduled, kept, room, sizeof *g->scheduled, what)) ||
        (st = np_memory_grow(&g->queued, kept, room, sizeof *g->queued, what)))
        return st;
    g->room = room;
    return NP_OK;
}

/* By queues; and observers hear of the schedule, too. */
static np_status move(guest_run *g, np_phase_run *out)
{
    const np_observer *observer = np_embed_mover_observer(&g->mover, &g->relay, NP_EMBED_TRAFFIC_QUEUES);
    np_status st = np_embed_mover_move(&g->mover, g->result->busy_steps, observer, out);
    if (st)
        return st;
    observer = np_embed_mover_observer(&g->mover, &g->relay, NP_EMBED_TRAFFIC_SCHEDULE);
    return np_embed_mover_tell(&g->mover, g->full->crossing, observer);
}

/* An np_guest_step. */
static np_status run_step(void *context, size_t count, const np_link *guest_link)
{
    guest_run *g = context;
    np_embedding_guest_result *result = g->result;
    uint32_t t = result->busy_steps;
    np_phase_run out;
    np_status st;
    if ((st = make_room(g)) || (st = np_embed_mover_load(&g->mover, count, guest_link)) || (st = move(g, &out)))
        return st;
    uint32_t least = least_steps(g, count, guest_link);
    np_step scheduled = scheduled_steps(g, count, guest_link);
    g->least[t] = least;
    g->scheduled[t] = scheduled;
    g->queued[t] = out.steps;
    result->least_total += least;
    result->scheduled_total += scheduled;
    result->queued_total += out.steps;
    result->queue_max = out.queue_max > result->queue_max ? out.queue_max : result->queue_max;
    result->busy_steps++;
    return NP_OK;
}

static np_status summarise(guest_run *g)
{
    np_embedding_guest_result *result = g->result;
    uint32_t busy = result->busy_steps;
    np_status st;
    result->packets = g->hops.packets;
    result->guest_steps = g->hops.steps;
    result->hops = g->hops.hops;
    result->full_total = (uint64_t)g->full->scheduled * busy;
    if (!busy)
        return NP_OK; /* every packet begins at its destination */
    if ((st = np_summary_compute(busy, g->least, &result->least)) ||
        (st = np_summary_compute(busy, g->scheduled, &result->scheduled)))
        return st;
    return np_summary_compute(busy, g->queued, &result->queued);
}

static np_status run(guest_run *g)
{
    const np_network *guest = g->embedding->guest;
    const np_embedding_guest_options *o = g->options;
    np_status st;
    if ((st = np_memory_zeroed(&g->paths, g->embedding->host->link_numbers, sizeof *g->paths, "a step of the guest")) ||
        (st = np_embed_mover_init(g->embedding, "fifo", o->seed, &g->mover)))
        return st;
    st = o->file ? guest_hops_read(guest, o->traffic, o->packets, o->seed, o->file, &g->hops)
                 : guest_hops_route(guest, o->traffic, o->packets, o->scheme, o->seed, &g->hops);
    return st ? st : summarise(g);
}

#define AT(member) offsetof(np_embedding_guest_options, member)

static const np_field rows[] = {
    {"traffic", NP_FIELD_TEXT, AT(traffic),
     .help = "Route this traffic on the guest too, and carry out on the host what moves in each step",
     .placeholder = "SPEC", .list = "traffic"},
    {"scheme", NP_FIELD_TEXT, AT(scheme),
     .help = "How to route it (default: the guest's first in 'netpram list schemes')", .placeholder = "NAME",
     .list = "schemes"},
    {"schedule", NP_FIELD_TEXT, AT(file), .help = "By the hops of a file, as 'netpram schedule' writes them",
     .placeholder = "FILE"},
    {"seed", NP_FIELD_SEED, AT(seed),
     .help = "Where random traffic and the order of packets in their first queues come from", .preset = "1",
     .placeholder = "N"},
    {"memory", NP_FIELD_BYTES, AT(memory_limit), "bytes",
     .help = "Refuse what needs more, as in 4G (default: what is available)", .placeholder = "BYTES"},
};

static void begin(void *options) { ((np_embedding_guest_options *)options)->traffic = "random"; }

const np_fields np_embedding_guest_options_fields =
    NP_OPTIONS("embedding_guest_options", "a guest's traffic", np_embedding_guest_options, rows, begin);

np_status np_embedding_run_guest(const np_embedding *embedding, const np_embedding_run_result *full,
                                 const np_embedding_guest_options *options, np_embedding_guest_result *out)
{
    np_embedding_guest_options taken;
    guest_run g = {.embedding = embedding, .full = full, .options = &taken, .result = out};
    g.hops.on_step = run_step;
    g.hops.context = &g;
    *out = (np_embedding_guest_result){0};
    np_status st = np_options_take(&np_embedding_guest_options_fields, options, &taken);
    g.hops.watch = taken.watch;
    np_event_relay_init(&g.relay, taken.observer);
    g.relay.run = full->guest_steps; /* the last run of np_embedding_run */
    NP_ACCOUNT(taken.memory_limit, "a smaller guest");
    if (!st)
        st = run(&g);
    guest_hops_clear(&g.hops);
    np_embed_mover_clear(&g.mover);
    np_memory_free(g.paths);
    np_memory_free(g.least);
    np_memory_free(g.scheduled);
    np_memory_free(g.queued);
    return st;
}
