/*
 * A step of the guest on the host: every guest link carries a packet, which goes the link's path.
 *
 * The queueing engine moves them, with a path rule of our own that is in no list: a packet is a guest link, and its ticket is what is left
 * of its row of the embedding (low half the index of its next link, high half how many are left).
 *
 * By queues, FIFO, a guest step is a run of the engine. The schedule found off line is a run, too, recorded: of the packets
 * in a queue the one with the longest way left goes first, ties in the order in which they came, which is random at
 * first. If all paths have at most 2 links and no link is on more than 2, this takes 2 steps where 2 suffice. For in 2 steps a path
 * of two links must cross the first in step 1 and the second in step 2, so no two such paths begin with one link, nor end with
 * one. In step 1 the rule sends the longer of the two packets at a link, so all paths of two links are in time for their
 * second, and a path of one link that has waited is alone there, as the other path on the link has crossed it.
 *
 * No schedule takes fewer steps than the congestion (a packet a step on the busiest link) or the dilation.
 */
#include <string.h>

#include "base/memory.h"
#include "embed/embedding.h"
#include "engine/engine.h"

enum { TRIES = 16, ROUTES_MAX = 0x7ffffffe }; /* ours: ties by lot make little difference after a few */

typedef struct running {
    const np_embedding *embedding;
    const np_embedding_run_options *options;
    uint32_t packets;
    np_link *guest_link; /* [packets] */
    np_traffic *traffic;
    np_path path;
    np_step *crossing;   /* [crossings] of the schedule being recorded */
    uint32_t *at;        /* [packets] the index of its next link, while recording */
    np_embedding_run_result *result;
} running;

static void start(const np_path *path, const np_draws *draws, size_t count, const np_packet *packet, const np_node *at,
                  const np_node *to, np_ticket *ticket)
{
    const running *r = path->table;
    const uint32_t *row = r->embedding->row;
    (void)draws, (void)at, (void)to;
    for (size_t i = 0; i < count; i++) {
        np_link l = r->guest_link[packet[i]];
        ticket[i] = (np_ticket)(row[l + 1] - row[l]) << 32 | row[l];
    }
}

static void next(const np_path *path, size_t count, const np_node *at, np_ticket *ticket, np_port *port)
{
    const running *r = path->table;
    for (size_t i = 0; i < count; i++) {
        if (!(ticket[i] >> 32)) {
            port[i] = NP_NONE;
            continue;
        }
        port[i] = r->embedding->link[(uint32_t)ticket[i]] - np_network_first_link(path->network, at[i]);
        ticket[i] += 1 - (UINT64_C(1) << 32);
    }
}

static void remaining(const np_path *path, size_t count, const np_node *at, const np_ticket *ticket, uint32_t *hops)
{
    (void)path, (void)at;
    for (size_t i = 0; i < count; i++)
        hops[i] = (uint32_t)(ticket[i] >> 32);
}

static const np_path_rule_ops embedded_paths = {
    .info = {"embedded", "any", "the paths of an embedding", ""},
    .start = start,
    .next = next,
    .remaining = remaining,
};

/* Where its row ends, so the engine need not be told. */
static void targets(const void *context, unsigned phase, const np_draws *draws, size_t count, const np_packet *packet,
                    const np_node *at, const np_node *destination, np_node *to)
{
    (void)context, (void)phase, (void)draws, (void)packet, (void)at;
    memcpy(to, destination, count * sizeof *to);
}

static void on_hops(void *context, np_step step, size_t count, const np_packet *packet, const np_link *link)
{
    running *r = context;
    (void)link;
    for (size_t i = 0; i < count; i++)
        r->crossing[r->at[packet[i]]++] = step;
}

static np_status make_traffic(running *r)
{
    const np_embedding *e = r->embedding;
    np_node *from = NULL, *to = NULL;
    np_status st;
    uint32_t packets = 0;
    if (e->guest->links > ROUTES_MAX)
        return NP_RAISE(NP_ERROR_LIMIT, "%s has %llu links: at most %d packets can be routed",
                        np_network_spec(e->guest), (unsigned long long)e->guest->links, ROUTES_MAX);
    if ((st = np_memory_array(&r->guest_link, e->guest->links, sizeof *r->guest_link, "a step of the guest")) ||
        (st = np_memory_array(&from, e->guest->links, sizeof *from, "a step of the guest")) ||
        (st = np_memory_array(&to, e->guest->links, sizeof *to, "a step of the guest")))
        goto out;
    for (np_link l = 0; l < e->guest->link_numbers; l++) {
        np_node head = np_network_link_head(e->guest, l);
        if (head == NP_NONE)
            continue;
        from[packets] = e->map[np_network_link_tail(e->guest, l)];
        to[packets] = e->map[head];
        r->guest_link[packets++] = l;
    }
    r->packets = packets;
    st = np_traffic_from_arrays(e->host, packets, from, to, NULL, &r->traffic);
out:
    np_memory_free(from);
    np_memory_free(to);
    return st;
}

static np_status make_engine(const running *r, const char *queue, np_engine **out)
{
    np_engine_options options = {
        .network = r->embedding->host, .packets = r->packets, .workers = 1, .path = NULL, .watched = true};
    np_status st = np_discipline_find(queue, &options.discipline);
    return st ? st : np_engine_create(&options, out);
}

static np_status move(running *r, np_engine *engine, uint32_t run, bool record, np_phase_run *out)
{
    const np_engine_plan plan = {.path = &r->path, .phases = 1, .targets = targets};
    const np_engine_watch watch = {.on_hops = on_hops, .context = r};
    const np_draws draws = {.seed = r->options->seed, .run = run};
    np_engine_place(engine, r->traffic);
    return np_engine_run(engine, &plan, 0, draws, record ? &watch : NULL, out);
}

static np_status progress(const running *r, uint32_t done)
{
    if (r->options->on_step && r->options->on_step(r->options->context, done))
        return NP_RAISE(NP_ERROR_CANCELLED, "cancelled after %u steps of the guest", done);
    return NP_OK;
}

static np_status run_queued(running *r)
{
    np_embedding_run_result *result = r->result;
    double *steps = NULL;
    np_engine *engine = NULL;
    np_phase_run out;
    np_status st;
    if ((st = np_memory_array(&steps, result->guest_steps, sizeof *steps, "the steps of the guest")) ||
        (st = make_engine(r, "fifo", &engine)))
        goto out;
    for (uint32_t t = 0; t < result->guest_steps; t++) {
        if ((st = move(r, engine, t, false, &out)) || (st = progress(r, t + 1)))
            goto out;
        steps[t] = out.steps;
        result->queued_total += out.steps;
        result->queue_max = out.queue_max > result->queue_max ? out.queue_max : result->queue_max;
    }
    st = np_summary_of(result->guest_steps, steps, &result->queued);
out:
    np_engine_free(engine);
    np_memory_free(steps);
    return st;
}

/* Keeps the recorded schedule if it is the shortest so far. */
static void keep(running *r, np_step *best, np_step steps)
{
    np_embedding_run_result *result = r->result;
    if (result->tries && steps >= result->scheduled)
        return;
    result->scheduled = steps;
    memcpy(best, r->crossing, result->crossings * sizeof *best);
}

static np_status find_schedule(running *r, np_step *best)
{
    np_embedding_run_result *result = r->result;
    np_engine *engine = NULL;
    np_phase_run out;
    np_status st;
    if ((st = np_memory_array(&r->crossing, result->crossings, sizeof *r->crossing, "a schedule")) ||
        (st = np_memory_array(&r->at, r->packets, sizeof *r->at, "a schedule")) ||
        (st = make_engine(r, "farthest-first", &engine)))
        goto out;
    while (result->tries < r->options->tries && (!result->tries || result->scheduled > result->least)) {
        for (uint32_t p = 0; p < r->packets; p++)
            r->at[p] = r->embedding->row[r->guest_link[p]];
        if ((st = move(r, engine, result->tries, true, &out)))
            goto out;
        keep(r, best, out.steps);
        if ((st = progress(r, result->guest_steps + ++result->tries)))
            goto out;
    }
out:
    np_engine_free(engine);
    return st;
}

void np_embedding_run_options_init(np_embedding_run_options *options)
{
    *options = (np_embedding_run_options){.steps = 1, .seed = 1, .tries = TRIES};
}

static np_status run(running *r)
{
    np_embedding_run_result *result = r->result;
    np_step *best;
    np_embedding_facts facts;
    np_status st;
    if ((st = np_memory_zeroed(&best, result->crossings, sizeof *best, "a schedule")))
        return st;
    result->crossing = best;
    if ((st = make_traffic(r)) || (st = np_embedding_measure(r->embedding, &facts)))
        return st;
    result->least = facts.congestion > facts.dilation ? facts.congestion : facts.dilation;
    if ((st = run_queued(r)) || (st = find_schedule(r, best)))
        return st;
    result->scheduled_total = (uint64_t)result->scheduled * result->guest_steps;
    return NP_OK;
}

np_status np_embedding_run(const np_embedding *embedding, const np_embedding_run_options *options,
                           np_embedding_run_result **out)
{
    np_status st;
    running r = {.embedding = embedding, .options = options};
    r.path = (np_path){.rule = &embedded_paths, .network = embedding->host, .table = &r};
    *out = NULL;
    if (!options->steps || !options->tries)
        return NP_RAISE(NP_ERROR_INPUT, "%s 0: must be at least 1", options->steps ? "tries" : "steps");
    if ((st = np_memory_zeroed(&r.result, 1, sizeof *r.result, "the run of an embedding")))
        return st;
    r.result->guest_steps = options->steps;
    r.result->seed = options->seed;
    r.result->crossings = embedding->row[embedding->guest->link_numbers];
    st = run(&r);
    np_traffic_free(r.traffic);
    np_memory_free(r.guest_link);
    np_memory_free(r.crossing);
    np_memory_free(r.at);
    if (st) {
        np_embedding_run_result_free(r.result);
        return st;
    }
    *out = r.result;
    return NP_OK;
}

void np_embedding_run_result_free(np_embedding_run_result *result)
{
    if (!result)
        return;
    np_memory_free((void *)result->crossing);
    np_memory_free(result);
}
