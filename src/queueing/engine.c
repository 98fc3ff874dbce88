/*
 * The queueing engine: its life, and time.
 *
 * A step is two passes with a barrier after each: every worker sends (takes
 * one packet from each of its busy queues, lets the path choose, hands the
 * packet to the owner of the node it has reached), then every worker receives
 * (puts what was handed over into its queues). Nothing enters a queue while
 * packets leave, so a packet makes at most one hop a step; every busy link
 * carries exactly one packet (Valiant & Brebner 1981, section 2(c), (d)).
 *
 * Workers own shards; a thread serves shards thread, thread + threads, ...,
 * so that results do not depend on how many threads the system grants.
 */
#include "queueing/inside.h"

#include <omp.h>
#include <string.h>

#include "base/memory.h"

static np_node nodes_a_shard(const np_engine_options *options)
{
    np_node nodes = np_network_nodes(options->network);
    return (np_node)(((uint64_t)nodes + options->workers - 1) / options->workers);
}

static uint64_t stepping_bytes(const np_engine_options *options)
{
    uint64_t links = np_network_link_numbers(options->network), packets = options->packets;
    return np_queues_bytes(options->discipline, links, packets) + np_bucket_pool_bytes(packets, options->workers) +
           np_busy_bytes(links) + options->workers * UINT64_C(1024);
}

uint64_t np_engine_bytes(const np_engine_options *options)
{
    uint64_t bytes = stepping_bytes(options), packets = options->packets;
    /* The others' memory is given back before the stepping engine's is taken. */
    if (np_levels_apply(options) && np_levels_bytes(options) > bytes)
        bytes = np_levels_bytes(options);
    else if (np_sweep_apply(options))
        bytes = np_sweep_bytes(options) > bytes + packets * 5 ? np_sweep_bytes(options) : bytes + packets * 5;
    return bytes + options->workers * sizeof(np_shard) + packets * (options->overlap ? 13 : 8) +
           np_network_nodes(options->network) * UINT64_C(4);
}

static void create_shards(np_engine *engine)
{
    np_node nodes = np_network_nodes(engine->network), each = nodes_a_shard(&engine->options);
    engine->by_shard = np_divider_of(each);
    for (unsigned w = 0; w < engine->options.workers; w++) {
        np_shard *shard = &engine->shard[w];
        uint64_t first = (uint64_t)each * w, last = first + each;
        shard->first_node = first < nodes ? (np_node)first : nodes;
        shard->last_node = last < nodes ? (np_node)last : nodes;
        shard->first_link = np_network_first_link(engine->network, shard->first_node);
        shard->last_link = np_network_first_link(engine->network, shard->last_node);
    }
}

/* What stepping needs and the others do not. */
static np_status create_stepping(np_engine *engine)
{
    const np_engine_options *options = &engine->options;
    np_status st;
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

static np_status create_arrays(np_engine *engine)
{
    const np_engine_options *options = &engine->options;
    np_status st;
    if ((st = np_memory_array(&engine->location, options->packets, sizeof *engine->location, "locations")) ||
        (st = np_memory_array(&engine->length, options->packets, sizeof *engine->length, "route lengths")) ||
        (st = np_memory_array(&engine->population, np_network_nodes(engine->network), sizeof *engine->population,
                              "populations")) ||
        (st = np_memory_zeroed(&engine->shard, options->workers, sizeof *engine->shard, "workers")))
        return st;
    engine->phase_length = engine->length;
    if (options->overlap &&
        ((st = np_memory_array(&engine->phase_length, options->packets, sizeof *engine->length, "route lengths")) ||
         (st = np_memory_array(&engine->phase_of, options->packets, 1, "phases"))))
        return st;
    create_shards(engine);
    if (np_levels_apply(options))
        return np_levels_create(options, &engine->levels);
    return np_sweep_apply(options) ? np_sweep_create(options, &engine->sweep) : create_stepping(engine);
}

np_status np_engine_create(const np_engine_options *options, np_engine **out)
{
    np_engine *engine;
    np_status st;
    *out = NULL;
    if ((st = np_memory_zeroed(&engine, 1, sizeof *engine, "an engine")))
        return st;
    engine->options = *options;
    engine->network = options->network;
    if ((st = create_arrays(engine))) {
        np_engine_free(engine);
        return st;
    }
    *out = engine;
    return NP_OK;
}

void np_engine_free(np_engine *engine)
{
    if (!engine)
        return;
    for (unsigned w = 0; engine->shard && w < engine->options.workers; w++) {
        np_busy_clear(&engine->shard[w].busy);
        np_memory_free(engine->shard[w].order);
    }
    if (engine->phase_length != engine->length)
        np_memory_free(engine->phase_length);
    np_memory_free(engine->phase_of);
    np_memory_free(engine->length);
    np_memory_free(engine->location);
    np_memory_free(engine->population);
    np_memory_free(engine->shard);
    np_levels_free(engine->levels);
    np_sweep_free(engine->sweep);
    np_bucket_pool_clear(&engine->pool);
    np_queues_clear(&engine->queues);
    np_memory_free(engine);
}

void np_engine_place(np_engine *engine, const np_traffic *traffic)
{
    const np_node *source = np_traffic_sources(traffic);
    engine->traffic = traffic;
    engine->packets = np_traffic_packets(traffic);
    memset(engine->population, 0, np_network_nodes(engine->network) * sizeof *engine->population);
    for (np_packet p = 0; p < engine->packets; p++) {
        engine->location[p] = source[p];
        engine->population[source[p]]++;
    }
}

const np_node *np_engine_locations(const np_engine *engine) { return engine->location; }
const uint32_t *np_engine_delays(const np_engine *engine) { return engine->length; }

static np_packet finished_so_far(const np_engine *engine)
{
    np_packet finished = 0;
    for (unsigned w = 0; w < engine->options.workers; w++)
        finished += engine->shard[w].finished[engine->step & 1];
    return finished;
}

static np_step_report report_of(const np_engine *engine)
{
    np_step_report report = {.run = engine->draws.run, .phase = engine->phase, .step = engine->step};
    report.packets = engine->packets;
    report.finished = finished_so_far(engine);
    report.waiting = report.packets - report.finished;
    for (unsigned w = 0; w < engine->options.workers; w++) {
        const np_shard *shard = &engine->shard[w];
        report.moved += shard->moved;
        report.hash += shard->hash;
        if (shard->queue_max > report.queue_max)
            report.queue_max = shard->queue_max;
        if (shard->population_max > report.population_max)
            report.population_max = shard->population_max;
    }
    return report;
}

static void reset_shard(np_shard *shard)
{
    shard->status = NP_OK;
    shard->queue_max = shard->population_max = shard->congestion = 0;
    shard->hops = shard->hash = 0;
    shard->finished[0] = shard->finished[1] = shard->moved = 0;
    shard->made[0] = shard->made[1] = 0;
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
    np_status status; /* why the run stops early; written by thread 0 between barriers */
} np_team;

/* Orphaned barriers bind to the innermost team: a lone thread must not meet one of its caller's. */
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
    reset_shard(&engine->shard[shard]);
    reset_queues(engine, &engine->shard[shard]);
    np_engine_ticket(engine, shard);
}

static void count_congestion(np_engine *engine, unsigned shard)
{
    np_shard *own = &engine->shard[shard];
    own->congestion = np_queues_congestion(&engine->queues, own->first_link, own->last_link);
}

/* Between barriers, thread 0 alone: looks after what concerns all. */
static void tell(np_team *team)
{
    np_engine *engine = team->engine;
    const np_engine_watch *watch = engine->watch;
    for (unsigned w = 0; w < engine->options.workers; w++)
        if (engine->shard[w].status) /* whose message is that of another thread */
            team->status = NP_RAISE(engine->shard[w].status, "no memory for the first order of a queue");
#ifndef NDEBUG
    const char *violation = team->status ? NULL : np_engine_audit(engine);
    if (violation)
        team->status = NP_RAISE(NP_ERROR_INTERNAL, "step %u: %s", engine->step, violation);
#endif
    if (!team->status && watch && watch->on_step) {
        np_step_report report = report_of(engine);
        if (watch->on_step(watch->context, &report))
            team->status = NP_RAISE(NP_ERROR_CANCELLED, "cancelled at step %u", engine->step);
    }
}

/*
 * Thread 0, while others may be a pass ahead: reads only what they have left
 * for this step. (Not with overlap, whose hops in all are not yet known.)
 */
static void tell_progress(const np_engine *engine)
{
    const np_engine_watch *watch = engine->watch;
    uint64_t made = 0, all = 0;
    if (!watch || !watch->on_progress)
        return;
    for (unsigned w = 0; w < engine->options.workers; w++) {
        made += engine->shard[w].made[engine->step & 1];
        all += engine->shard[w].hops;
    }
    watch->on_progress(watch->context, all ? (double)made / (double)all : 1);
}

static void run_thread(np_team *team, unsigned thread)
{
    np_engine *engine = team->engine;
#ifdef NDEBUG
    bool told = engine->watch && engine->watch->on_step;
#else
    bool told = true; /* every step is audited */
#endif
    each_shard(team, thread, reset_and_ticket);
    barrier(team);
    if (thread == 0)
        np_bucket_pool_reset(&engine->pool); /* nobody takes chunks while queues are filled */
    each_shard(team, thread, np_engine_fill);
    barrier(team);
    if (thread == 0)
        tell(team);
    barrier(team);
    while (!team->status && finished_so_far(engine) < engine->packets) {
        if (thread == 0 && !engine->options.overlap)
            tell_progress(engine);
        each_shard(team, thread, np_engine_send);
        barrier(team);
        if (thread == 0) {
            np_bucket_pool_reset(&engine->pool); /* nobody takes chunks while all receive */
            engine->queues.step = ++engine->step;
        }
        each_shard(team, thread, np_engine_receive);
        barrier(team);
        if (told) {
            if (thread == 0)
                tell(team);
            barrier(team);
        }
    }
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
#pragma omp parallel num_threads((int)engine->options.workers)
    {
#pragma omp single
        team.threads = (unsigned)omp_get_num_threads();
        run_thread(&team, (unsigned)omp_get_thread_num());
    }
    return team.status;
}

static void collect(const np_engine *engine, np_phase_run *out)
{
    np_step_report report = report_of(engine);
    *out = (np_phase_run){.packets = engine->packets, .steps = engine->step};
    out->queue_max = report.queue_max;
    out->population_max = report.population_max;
    for (unsigned w = 0; w < engine->options.workers; w++) {
        out->hops += engine->shard[w].hops;
        if (engine->shard[w].congestion > out->congestion)
            out->congestion = engine->shard[w].congestion;
    }
    for (np_packet p = 0; p < engine->packets; p++) {
        uint32_t delay = engine->length[p];
        out->delay_sum += delay;
        out->delay_max = delay > out->delay_max ? delay : out->delay_max;
    }
}

static void drop_stepping(np_engine *engine)
{
    for (unsigned w = 0; w < engine->options.workers; w++)
        np_busy_clear(&engine->shard[w].busy);
    np_bucket_pool_clear(&engine->pool);
    np_queues_clear(&engine->queues);
    engine->can_step = false;
}

/* Phases of both kinds may alternate: the memory of the one is given back before that of the other is taken. */
static np_status run_lines(np_engine *engine, bool *done)
{
    bool fits;
    np_status st = np_sweep_aim(engine->sweep, engine, &fits);
    if (st || !fits)
        return st;
    if (engine->can_step)
        drop_stepping(engine);
    if ((st = np_sweep_run(engine->sweep, engine, done)) || *done)
        return st;
    np_sweep_free(engine->sweep);
    engine->sweep = NULL;
    return NP_OK;
}

/* Level by level or line by line if that can be done; else there is what stepping needs. */
static np_status run_at_once(np_engine *engine, bool *done)
{
    *done = false;
    if ((engine->levels || engine->sweep) && !np_engine_watches(engine->watch)) {
        np_status st = NP_OK;
        for (unsigned w = 0; w < engine->options.workers; w++)
            reset_shard(&engine->shard[w]);
        if (engine->levels)
            *done = np_levels_run(engine->levels, engine);
        else
            st = run_lines(engine, done);
        if (st || *done)
            return st;
    }
    if (engine->can_step)
        return NP_OK;
    np_levels_free(engine->levels);
    engine->levels = NULL;
    if (engine->sweep)
        np_sweep_rest(engine->sweep);
    return create_stepping(engine);
}

np_status np_engine_run(np_engine *engine, const np_engine_plan *plan, unsigned phase, np_draws draws,
                        const np_engine_watch *watch, np_phase_run *out)
{
    bool done;
    np_status st;
    draws.phase = (uint16_t)phase;
    engine->plan = plan;
    engine->phase = phase;
    engine->draws = draws;
    engine->watch = watch;
    engine->step = 0;
    if ((st = run_at_once(engine, &done)))
        return st;
    if (!done) {
        engine->queues.draws = np_draws_for(draws, NP_RANDOM_QUEUE);
        engine->queues.step = 0;
        np_bucket_pool_reset(&engine->pool);
        if ((st = run_team(engine)))
            return st;
    }
    collect(engine, out);
    return NP_OK;
}
