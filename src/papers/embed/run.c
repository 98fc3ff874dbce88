/*
 * A step of the guest on the host: every guest link carries a packet, which takes the link's path.
 *
 * By queues (FIFO), a guest step is a run of the engine (mover.c). The schedule found off line is
 * also a run, which is recorded: of the packets in a queue, the packet with the longest way left
 * goes first; ties go in the order of arrival, which is random at first. Claim: if all paths have
 * at most 2 links, no link is on more than 2 paths, and 2 steps suffice, then this rule takes 2
 * steps. Proof: in 2 steps a path of two links must cross its first link in step 1 and its second
 * link in step 2. So no two such paths have the same first link, and no two have the same last
 * link. In step 1 the rule sends the packet with the longer path at each link, so all paths of two
 * links are in time for their second link. A path of one link that has waited is then alone at its
 * link, because the other path on the link has crossed it.
 *
 * No schedule takes fewer steps than the congestion (a packet a step on the busiest link) or the dilation.
 */
#include <string.h>

#include "base/account.h"
#include "base/memory.h"
#include "base/watch.h"
#include "papers/embed/embedding.h"
#include "papers/embed/mover.h"

enum { COUNT_MAX = 1000000 }; /* ours: a larger number is a typing error */

typedef struct running {
    const np_embedding *embedding;
    const np_embedding_run_options *options;
    np_embed_mover mover;
    np_event_relay relay;
    void *block;
    np_step *crossing; /* [crossings] the schedule that is being recorded */
    uint32_t *at;      /* [guest links] the index of each packet's next link, while recording */
    double *steps;     /* [guest steps] the host's steps for each */
    np_embedding_run_result *result;
} running;

static void layout(void *object, np_arena *arena)
{
    running *r = object;
    np_arena_array(arena, &r->crossing, r->result->crossings, sizeof *r->crossing, "a schedule");
    np_arena_array(arena, &r->at, r->embedding->guest->links, sizeof *r->at, "a schedule");
    np_arena_array(arena, &r->steps, r->result->guest_steps, sizeof *r->steps, "the steps of the guest");
}

static int on_events(void *context, size_t count, const np_event *event)
{
    running *r = context;
    for (size_t i = 0; i < count; i++)
        if (event[i].kind == NP_EVENT_MOVED)
            r->crossing[r->at[event[i].packet]++] = event[i].step;
    return 0;
}

static np_status progress(const running *r, uint32_t done)
{
    uint32_t steps = r->result->guest_steps, of = steps + (done > steps ? r->options->tries : 0);
    return np_watch_check(&r->options->watch, (np_progress){done > steps ? "schedules" : NULL, "steps of the guest",
                                                            done, of, (double)done / of});
}

/* Loads all packets, for queues of the discipline `queue`. */
static np_status begin(running *r, const char *queue)
{
    np_embed_mover_clear(&r->mover);
    np_status st = np_embed_mover_init(r->embedding, queue, r->options->seed, &r->mover);
    return st ? st : np_embed_mover_load_all(&r->mover);
}

static const np_observer *observer_for(running *r, np_embed_phase phase)
{
    return np_embed_mover_observer(&r->mover, &r->relay, phase);
}

static np_status run_queued(running *r)
{
    np_embedding_run_result *result = r->result;
    np_phase_run out;
    np_status st = begin(r, "fifo");
    for (uint32_t t = 0; t < result->guest_steps && !st; t++) {
        if ((st = np_embed_mover_move(&r->mover, t, observer_for(r, NP_EMBED_QUEUES), &out)) ||
            (st = progress(r, t + 1)))
            return st;
        r->steps[t] = out.steps;
        result->queued_total += out.steps;
        result->queue_max = out.queue_max > result->queue_max ? out.queue_max : result->queue_max;
    }
    return st ? st : np_summary_compute(result->guest_steps, r->steps, &result->queued);
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
    const np_observer observer = {.kinds = 1 << NP_EVENT_MOVED, .events = on_events, .context = r};
    np_phase_run out;
    np_status st;
    if ((st = begin(r, "farthest-first")))
        return st;
    while (result->tries < r->options->tries && (!result->tries || result->scheduled > result->least)) {
        for (uint32_t p = 0; p < r->mover.packets; p++)
            r->at[p] = r->embedding->row[r->mover.guest_link[p]];
        if ((st = np_embed_mover_move(&r->mover, result->tries, &observer, &out)))
            return st;
        keep(r, best, out.steps);
        if ((st = progress(r, result->guest_steps + ++result->tries)))
            return st;
    }
    return np_embed_mover_tell(&r->mover, best, observer_for(r, NP_EMBED_SCHEDULE));
}

#define AT(member) offsetof(np_embedding_run_options, member)

static const np_field rows[] = {
    {"steps", NP_FIELD_U32, AT(steps), "steps", .help = "Steps of the guest", .low = 1, .high = COUNT_MAX,
     .preset = "1", .placeholder = "T", .group = "What to run:"},
    {"seed", NP_FIELD_SEED, AT(seed),
     .help = "Where random traffic and the order of packets in their first queues come from", .preset = "1",
     .placeholder = "N"},
    {"tries", NP_FIELD_U32, AT(tries), .help = "Schedules to try while none is known to be the shortest", .low = 1,
     .high = COUNT_MAX, .preset = "16", .placeholder = "N"}, /* ours: ties by lot make little difference after a few */
    {"memory", NP_FIELD_BYTES, AT(memory_limit), "bytes",
     .help = "Refuse what needs more, as in 4G (default: what is available)", .placeholder = "BYTES"},
};

const np_fields np_embedding_run_options_fields =
    NP_OPTIONS("embedding_run_options", "running a guest", np_embedding_run_options, rows, NULL);

static np_status run(running *r)
{
    np_embedding_run_result *result = r->result;
    np_step *best;
    np_embedding_facts facts;
    np_status st;
    if ((st = np_memory_zeroed(&best, result->crossings, sizeof *best, "a schedule")))
        return st;
    result->crossing = best;
    if ((st = np_embedding_measure(r->embedding, &facts)))
        return st;
    result->least = facts.congestion > facts.dilation ? facts.congestion : facts.dilation;
    if ((st = np_arena_place(r, layout, "the run of an embedding", &r->block)) || (st = run_queued(r)) ||
        (st = find_schedule(r, best)))
        return st;
    result->scheduled_total = (uint64_t)result->scheduled * result->guest_steps;
    return NP_OK;
}

np_status np_embedding_run(const np_embedding *embedding, const np_embedding_run_options *options,
                           np_embedding_run_result **out)
{
    np_status st;
    np_embedding_run_options taken;
    running r = {.embedding = embedding, .options = &taken};
    *out = NULL;
    if ((st = np_options_take(&np_embedding_run_options_fields, options, &taken)))
        return st;
    NP_ACCOUNT(taken.memory_limit, "a smaller guest or fewer steps");
    if ((st = np_memory_zeroed(&r.result, 1, sizeof *r.result, "the run of an embedding")))
        return st;
    np_event_relay_init(&r.relay, taken.observer);
    r.relay.run = NP_NONE; /* runs count from 0 */
    r.result->guest_steps = taken.steps;
    r.result->seed = taken.seed;
    r.result->crossings = embedding->row[embedding->guest->link_numbers];
    st = run(&r);
    np_embed_mover_clear(&r.mover);
    np_memory_free(r.block);
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
    NP_MEMORY_FREE((void *)result->crossing, result);
}
