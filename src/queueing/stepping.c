/*
 * The method that serves every phase: time in steps. A step is two passes with
 * a barrier after each: every worker sends (takes one packet from each of its
 * busy queues, lets the path choose, hands the packet to the owner of the node
 * it has reached), then every worker receives (puts what was handed over into
 * its queues). Nothing enters a queue while packets leave, so a packet makes at
 * most one hop a step; every busy link carries exactly one packet (Valiant &
 * Brebner 1981, section 2(c), (d)). The passes are in step.c, the start of a
 * phase is in begin.c.
 *
 * Workers own shards; a thread serves shards thread, thread + threads, ...,
 * so that results do not depend on how many threads the system grants.
 *
 * The queues, the pool and the sets of busy links are members of the engine:
 * the method's object is the engine.
 */
#include <omp.h>

#include "base/memory.h"
#include "base/threads.h"
#include "base/watch.h"
#include "queueing/inside.h"
#include "queueing/method.h"

enum { FEW = 128 }; /* packets that move in a step: ours, some 3 microseconds of work */

static bool applies(const np_engine_options *options)
{
    (void)options;
    return true;
}

static uint64_t bytes(const np_engine_options *options)
{
    uint64_t links = np_network_link_numbers(options->network), packets = options->packets;
    return np_queues_bytes(options->discipline, links, packets) + np_bucket_pool_bytes(packets, options->workers) +
           np_busy_bytes(links) + options->workers * UINT64_C(1024);
}

static uint64_t bytes_at_rest(const np_engine_options *options)
{
    (void)options;
    return 0;
}

static np_status create(np_engine *engine, void **out)
{
    *out = engine;
    return NP_OK;
}

static np_status reserve(np_engine *engine)
{
    const np_engine_options *options = &engine->options;
    np_status st;
    if (engine->can_step)
        return NP_OK;
    if ((st = np_queues_init(&engine->queues, options->discipline, np_network_link_numbers(engine->network),
                             options->packets)) ||
        (st = np_bucket_pool_init(&engine->pool, options->packets, options->workers)))
        return st;
    for (unsigned w = 0; w < options->workers; w++) {
        np_shard *shard = &engine->shard[w];
        if ((st = np_busy_init(&shard->busy, shard->first_link, shard->last_link)))
            return st;
    }
    engine->can_step = true;
    return NP_OK;
}

static void rest(void *method)
{
    np_engine *engine = method;
    if (!engine)
        return;
    for (unsigned w = 0; engine->shard && w < engine->options.workers; w++) {
        np_busy_clear(&engine->shard[w].busy);
        np_memory_free(engine->shard[w].order);
        engine->shard[w].order = NULL;
        engine->shard[w].order_room = 0;
    }
    np_bucket_pool_clear(&engine->pool);
    np_queues_clear(&engine->queues);
    engine->can_step = false;
}

static void reset_queues(np_engine *engine, np_shard *shard)
{
    np_queues_reset(&engine->queues, shard->first_link, shard->last_link);
    for (np_node u = shard->first_node; u < shard->last_node; u++)
        if (engine->population[u] > shard->population_max)
            shard->population_max = engine->population[u];
}

/* A team of threads that serve the shards of one run. */
typedef struct np_team {
    np_engine *engine;
    unsigned threads;
    bool alone;       /* few packets moved in the last step */
    bool cancelled;   /* by the watch of progress; of thread 0 */
    np_status status; /* why the run stops early; written by thread 0 between barriers */
} np_team;

/*
 * A barrier outside a parallel region binds to the innermost team: a lone thread must not wait at a
 * barrier of its caller's team.
 */
static void barrier(const np_team *team)
{
    if (team->threads > 1) {
#pragma omp barrier
    }
}

static void each_shard(const np_team *team, unsigned thread, void (*pass)(np_engine *engine, unsigned shard))
{
    for (unsigned w = thread; w < team->engine->options.workers; w += team->threads)
        pass(team->engine, w);
}

static void reset_and_ticket(np_engine *engine, unsigned shard)
{
    reset_queues(engine, &engine->shard[shard]);
    np_engine_ticket(engine, shard);
}

static void count_congestion(np_engine *engine, unsigned shard)
{
    np_shard *own = &engine->shard[shard];
    own->congestion = np_queues_congestion(&engine->queues, own->first_link, own->last_link);
}

/* Called by thread 0 alone, between barriers: does what concerns all threads. */
static void tell(np_team *team)
{
    np_engine *engine = team->engine;
    const np_engine_watch *watch = engine->watch;
    for (unsigned w = 0; w < engine->options.workers; w++)
        if (engine->shard[w].status) /* another thread has its message */
            team->status = NP_RAISE(engine->shard[w].status, "no memory for the first order of a queue");
#ifndef NDEBUG
    const char *violation = team->status ? NULL : np_engine_audit(engine);
    if (violation)
        team->status = NP_RAISE(NP_ERROR_INTERNAL, "step %u: %s", engine->step, violation);
#endif
    if (!team->status && engine->book && !np_engine_observe_step(engine))
        team->status = NP_RAISE(NP_ERROR_CANCELLED, "cancelled at step %u", engine->step);
    if (!team->status && watch && watch->on_step) {
        np_step_report report = np_engine_report(engine);
        if (watch->on_step(watch->context, &report))
            team->status = NP_RAISE(NP_ERROR_CANCELLED, "cancelled at step %u", engine->step);
    }
}

/*
 * Called by thread 0, while other threads may be a pass ahead: reads only what they have left for
 * this step. With overlap the total of hops is not yet known: the share is that of the packets at their ends.
 */
static void tell_progress(np_team *team)
{
    const np_engine *engine = team->engine;
    const np_engine_watch *watch = engine->watch;
    uint64_t made = 0, all = 0;
    if (!watch || !watch->progress.tell)
        return;
    for (unsigned w = 0; w < engine->options.workers && !engine->options.overlap; w++) {
        made += engine->shard[w].made[engine->step & 1];
        all += engine->shard[w].hops;
    }
    if (engine->options.overlap) {
        made = np_engine_finished(engine);
        all = engine->packets;
    }
    if (np_watch_tell(&watch->progress, (np_progress){.share = all ? (double)made / (double)all : 1}))
        team->cancelled = true;
}

/* Called by thread 0 alone, between the two passes of a step. */
static void turn(np_team *team)
{
    np_engine *engine = team->engine;
    np_packet moved = 0;
    np_bucket_pool_reset(&engine->pool); /* nobody takes chunks while all receive */
    engine->queues.step = ++engine->step;
    for (unsigned w = 0; w < engine->options.workers; w++)
        moved += engine->shard[w].moved;
    team->alone = moved < FEW;
    if (team->cancelled)
        team->status = NP_RAISE(NP_ERROR_CANCELLED, "cancelled at step %u", engine->step);
}

static bool goes_on(const np_team *team)
{
    return !team->status && np_engine_finished(team->engine) < team->engine->packets;
}

static void step(np_team *team, unsigned thread)
{
    np_engine *engine = team->engine;
#ifdef NDEBUG
    bool told = engine->book || (engine->watch && engine->watch->on_step);
#else
    bool told = true; /* every step is audited */
#endif
    if (thread == 0)
        engine->queues.entry = engine->step + 1; /* read when packets enter, after the barrier */
    if (thread == 0)
        tell_progress(team);
    each_shard(team, thread, np_engine_send);
    barrier(team);
    if (thread == 0)
        turn(team);
    each_shard(team, thread, np_engine_receive);
    barrier(team);
    if (told) {
        if (thread == 0)
            tell(team);
        barrier(team);
    }
}

/*
 * While few packets move, thread 0 serves all shards: barriers would take longer than the hops, most of all where other
 * programs use the processors. The other threads wait at the second barrier.
 */
static void step_alone(np_team *team, unsigned thread)
{
    np_team one = {.engine = team->engine, .threads = 1, .alone = true};
    barrier(team); /* all have seen that it goes on so */
    if (thread == 0) {
        while (one.alone && goes_on(&one))
            step(&one, 0);
        team->alone = one.alone;
        team->status = one.status;
    }
    barrier(team);
}

static void run_thread(np_team *team, unsigned thread)
{
    np_engine *engine = team->engine;
    each_shard(team, thread, reset_and_ticket);
    barrier(team);
    if (thread == 0)
        np_bucket_pool_reset(&engine->pool); /* nobody takes chunks while queues are filled */
    each_shard(team, thread, np_engine_fill);
    barrier(team);
    if (thread == 0)
        tell(team);
    barrier(team);
    while (goes_on(team))
        if (team->alone && team->threads > 1)
            step_alone(team, thread);
        else
            step(team, thread);
    if (!team->status)
        each_shard(team, thread, count_congestion);
}

static np_status run_team(np_engine *engine)
{
    np_team team = {.engine = engine, .threads = 1};
    if (engine->options.workers == 1) {
        run_thread(&team, 0);
        return team.status;
    }
#pragma omp parallel num_threads((int)np_threads_team(engine->options.workers))
    {
#pragma omp single
        team.threads = (unsigned)omp_get_num_threads();
        run_thread(&team, (unsigned)omp_get_thread_num());
    }
    return team.status;
}

static np_status run(void *method, np_engine *engine, bool *done)
{
    np_status st = reserve(engine);
    (void)method;
    *done = !st;
    if (st)
        return st;
    engine->queues.draws = np_draws_for(engine->draws, NP_RANDOM_QUEUE);
    engine->queues.step = engine->queues.entry = 0;
    np_bucket_pool_reset(&engine->pool);
    return run_team(engine);
}

const np_engine_method np_engine_stepping = {
    .name = "stepping",
    .tells = true,
    .applies = applies,
    .bytes = bytes,
    .bytes_at_rest = bytes_at_rest,
    .create = create,
    .run = run,
    .rest = rest,
    .free = rest,
};
