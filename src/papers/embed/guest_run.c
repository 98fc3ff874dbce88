/*
 * A guest's own packets on the host. A step of the guest crosses some of its links; a packet that
 * crosses link l takes the path of l.
 *
 * Off line, the schedule of a full step (run.c) serves for every step: a step that crosses fewer
 * links leaves some crossings out, and takes as long as the last crossing that remains. By queues,
 * each step is a run of the engine. A guest step takes no host step if nothing moves, or if packets
 * move only between guest nodes that share a host node.
 */
#include <string.h>

#include "base/account.h"
#include "base/memory.h"
#include "base/watch.h"
#include "papers/embed/embedding.h"
#include "papers/embed/mover.h"
#include "netpram/route.h"
#include "papers/offline/schedule_file.h"

/* ---- A run ---- */

typedef struct guest_run {
    const np_embedding *embedding;
    const np_embedding_run_result *full;
    const np_embedding_guest_options *options;
    np_link *link; /* [guest link numbers] that are crossed in the present step */
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

/* A step of the guest that crosses these links: at least one, none twice. */
static np_status run_step(guest_run *g, size_t count, const np_link *guest_link)
{
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
    result->full_total = (uint64_t)g->full->scheduled * busy;
    if (!busy)
        return NP_OK; /* every packet begins at its destination */
    if ((st = np_summary_compute(busy, g->least, &result->least)) ||
        (st = np_summary_compute(busy, g->scheduled, &result->scheduled)))
        return st;
    return np_summary_compute(busy, g->queued, &result->queued);
}

/* Carries out all steps of the guest that cross links. */
static np_status run_steps(guest_run *g, const np_hop_list *list)
{
    np_status st = list->status;
    for (size_t i = 0, end; i < list->count && !st; i = end) {
        g->result->guest_steps = list->hop[i].step;
        for (end = i; end < list->count && list->hop[end].step == list->hop[i].step; end++)
            g->link[end - i] = list->hop[end].link;
        if (!(st = run_step(g, end - i, g->link)))
            st = np_watch_share(&g->options->watch, "steps of the guest", (double)end / (double)list->count);
    }
    g->result->hops = list->count;
    return st ? st : summarise(g);
}

/*
 * Routes the packets, or if they are NULL run 0 of the traffic, by a scheme (NULL: the network's own).
 * @return as np_route; NP_ERROR_APPLY: the scheme has no step-by-step trace
 */
static np_status run_routing(guest_run *g)
{
    const np_network *guest = g->embedding->guest;
    const np_embedding_guest_options *o = g->options;
    np_route_options options;
    np_route_result *result;
    np_hop_recorder recorder;
    np_hop_recorder_init(&recorder);
    np_route_options_init(&options);
    options.scheme = o->scheme;
    options.seed = o->seed;
    options.observer = &recorder.observer;
    options.watch = o->watch;
    np_status st = o->packets ? np_route_traffic(guest, o->packets, &options, &result)
                              : np_route(guest, o->traffic, &options, &result);
    if (recorder.leveled)
        st = NP_RAISE(NP_ERROR_APPLY, "its packets move over a leveled network, not over the links of %s: try greedy",
                      np_network_spec(guest));
    if (!st) {
        g->result->packets = result->packets;
        st = run_steps(g, &recorder.list);
    }
    np_route_result_free(result);
    np_hop_list_clear(&recorder.list);
    return st;
}

/* Reads the hops from a file and checks them hop by hop (papers/offline/schedule_file.h); the packets are found
 * likewise. */
static np_status run_file(guest_run *g)
{
    const np_network *guest = g->embedding->guest;
    const np_embedding_guest_options *o = g->options;
    const np_traffic *packets = o->packets;
    np_traffic *own = NULL;
    np_hop_replay *replay = NULL;
    np_phase_run run;
    np_status st = NP_OK;
    if (!packets && !(st = np_traffic_create(o->traffic, guest, o->seed, 0, &own)))
        packets = own;
    if (st || (st = np_hop_replay_create(guest, packets, true, &replay)) ||
        (st = np_schedule_read(o->file, &o->watch, replay, &run)))
        goto out;
    g->result->packets = np_traffic_packets(packets);
    st = run_steps(g, np_hop_replay_hops(replay));
out:
    np_hop_replay_free(replay);
    np_traffic_free(own);
    return st;
}

static np_status run(guest_run *g)
{
    const np_embedding *e = g->embedding;
    np_status st;
    if ((st = np_memory_zeroed(&g->paths, e->host->link_numbers, sizeof *g->paths, "a step of the guest")) ||
        (st = np_memory_array(&g->link, e->guest->link_numbers, sizeof *g->link, "a step of the guest")) ||
        (st = np_embed_mover_init(e, "fifo", g->options->seed, &g->mover)))
        return st;
    return g->options->file ? run_file(g) : run_routing(g);
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
    *out = (np_embedding_guest_result){0};
    np_status st = np_options_take(&np_embedding_guest_options_fields, options, &taken);
    np_event_relay_init(&g.relay, taken.observer);
    g.relay.run = full->guest_steps; /* the last run of np_embedding_run */
    NP_ACCOUNT(taken.memory_limit, "a smaller guest");
    if (!st)
        st = run(&g);
    np_embed_mover_clear(&g.mover);
    NP_MEMORY_FREE(g.paths, g.link, g.least, g.scheduled, g.queued);
    return st;
}
