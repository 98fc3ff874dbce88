/*
 * The queueing engine: its life, and the choice of the method that brings a
 * phase's packets to their targets (inside.h).
 */
#include "engine/queueing/inside.h"
#include "model/traffic/traffic.h"

#include <string.h>

#include "base/memory.h"
#include "base/threads.h"

enum {
    BLOCK_LINKS = 1 << 16, /* ours, measured: what a step looks at in as many links fits the second-level cache */
    BLOCKS_MOST = 1024     /* ours, measured: the ends of as many buckets fit it, too */
};

np_share np_engine_nodes(const np_engine_options *options)
{
    return np_share_of(options->job, np_network_nodes(options->network));
}

unsigned np_engine_blocks(const np_engine_options *options)
{
    uint64_t links = np_network_link_numbers(options->network) / (options->job ? options->job->size : 1);
    unsigned blocks = (unsigned)(links / options->workers / BLOCK_LINKS) + 1, most = BLOCKS_MOST / options->workers + 1;
    return (blocks < most ? blocks : most) * options->workers;
}

static np_node nodes_a_block(const np_engine_options *options)
{
    uint64_t nodes = np_engine_nodes(options).each.divisor, blocks = np_engine_blocks(options);
    return (np_node)((nodes + blocks - 1) / blocks);
}

np_block np_engine_block(const np_engine_options *options, unsigned number)
{
    np_share nodes = np_engine_nodes(options);
    uint64_t end = nodes.last, each = nodes_a_block(options);
    uint64_t first = nodes.first + each * number, last = first + each;
    np_block block = {.first_node = (np_node)(first < end ? first : end),
                      .last_node = (np_node)(last < end ? last : end)};
    block.first_link = np_network_first_link(options->network, block.first_node);
    block.last_link = np_network_first_link(options->network, block.last_node);
    return block;
}

static void create_shards(np_engine *engine)
{
    unsigned each = engine->blocks / engine->options.workers;
    engine->by_block = np_divider_of(nodes_a_block(&engine->options));
    for (unsigned b = 0; b < engine->blocks; b++)
        engine->block[b] = np_engine_block(&engine->options, b);
    for (unsigned w = 0; w < engine->options.workers; w++) {
        engine->shard[w].first_block = each * w;
        engine->shard[w].last_block = each * (w + 1);
    }
}

static void layout(void *object, np_arena *arena)
{
    np_engine *engine = object;
    const np_engine_options *options = &engine->options;
    size_t packets = np_share_of(options->job, (uint32_t)options->packets).each.divisor;
    np_arena_array(arena, &engine->location, packets, sizeof *engine->location, "locations");
    np_arena_array(arena, &engine->length, packets, sizeof *engine->length, "route lengths");
    np_arena_zeroed(arena, &engine->population, engine->nodes.last - engine->nodes.first, sizeof *engine->population,
                    "populations");
    np_arena_zeroed(arena, &engine->shard, options->workers, sizeof *engine->shard, "workers");
    np_arena_array(arena, &engine->block, engine->blocks, sizeof *engine->block, "blocks");
    engine->phase_length = engine->length;
    if (options->overlap) {
        np_arena_array(arena, &engine->phase_length, options->packets, sizeof *engine->length, "route lengths");
        np_arena_array(arena, &engine->phase_of, options->packets, sizeof *engine->phase_of, "phases");
    }
    if (options->stops)
        np_arena_array(arena, &engine->made, options->packets, sizeof *engine->made, "hops made");
    if ((options->overlap && options->phase_time) || options->delays)
        np_arena_array(arena, &engine->rested, options->packets, sizeof *engine->rested, "packets at rest");
    if (options->overlap && options->phase_time) {
        np_arena_array(arena, &engine->parked, options->packets, sizeof *engine->parked, "packets at rest");
        np_arena_array(arena, &engine->released, options->packets, sizeof *engine->released, "packets at rest");
    }
}

/* The bytes of all methods while the k-th one serves. */
static uint64_t bytes_while(const np_engine_options *options, size_t k)
{
    uint64_t bytes = 0;
    for (size_t i = 0; np_engine_methods[i]; i++)
        if (np_engine_method_serves(np_engine_methods[i], options))
            bytes += i == k ? np_engine_methods[i]->bytes(options) : np_engine_methods[i]->bytes_at_rest(options);
    return bytes;
}

uint64_t np_engine_bytes(const np_engine_options *options)
{
    np_engine engine = {.options = *options, .blocks = np_engine_blocks(options), .nodes = np_engine_nodes(options)};
    uint64_t most = 0;
    for (size_t k = 0; np_engine_methods[k]; k++)
        if (np_engine_method_serves(np_engine_methods[k], options)) {
            uint64_t bytes = bytes_while(options, k);
            most = bytes > most ? bytes : most;
        }
    return most + np_arena_bytes(&engine, sizeof engine, layout) +
           (options->observed ? np_engine_observing_bytes(options) : 0) + np_engine_share_bytes(options);
}

static np_status create_methods(np_engine *engine)
{
    np_status st = NP_OK;
    for (size_t i = 0; np_engine_methods[i] && !st; i++)
        if (np_engine_method_serves(np_engine_methods[i], &engine->options))
            st = np_engine_methods[i]->create(engine, &engine->method[i]);
    return st;
}

np_status np_engine_create(const np_engine_options *options, np_engine **out)
{
    np_engine engine = {.options = *options,
                        .network = options->network,
                        .blocks = np_engine_blocks(options),
                        .nodes = np_engine_nodes(options)};
    np_status st = np_engine_method_known(options->method);
    *out = NULL;
    if (st)
        return st;
    st = np_arena_create(&engine, sizeof engine, layout, "an engine", out);
    if (st)
        return st;
    create_shards(*out);
    (*out)->population = np_array_from((*out)->population, engine.nodes.first, sizeof *engine.population);
    if ((st = create_methods(*out)) || (st = np_engine_share_create(*out))) {
        np_engine_free(*out);
        *out = NULL;
    }
    return st;
}

static void drop(np_engine *engine, size_t method)
{
    np_engine_methods[method]->free(engine->method[method]);
    engine->method[method] = NULL;
}

void np_engine_free(np_engine *engine)
{
    for (size_t i = 0; engine && np_engine_methods[i]; i++)
        drop(engine, i);
    if (engine) {
        np_engine_book_free(engine->held);
        np_engine_share_free(engine->share);
    }
    np_memory_free(engine);
}

void np_engine_place(np_engine *engine, const np_traffic *traffic)
{
    const np_node *source = np_traffic_sources(traffic);
    uint32_t *population = engine->population;
    engine->traffic = traffic;
    engine->packets = np_traffic_part(traffic).count;
    memset(population + engine->nodes.first, 0, (engine->nodes.last - engine->nodes.first) * sizeof *population);
    for (np_packet p = 0; p < engine->packets; p++)
        engine->location[p] = source[p];
    if (engine->share)
        np_engine_share_place(engine);
    for (np_packet p = 0; p < engine->packets && !engine->share; p++)
        population[source[p]]++;
}

const np_node *np_engine_locations(const np_engine *engine) { return engine->location; }
const uint32_t *np_engine_delays(const np_engine *engine) { return engine->length; }

uint64_t np_engine_all(const np_engine *engine) { return np_traffic_packets(engine->traffic); }

np_packet np_engine_finished(const np_engine *engine)
{
    np_packet finished = 0;
    if (engine->share)
        return engine->share->finished;
    for (unsigned w = 0; w < engine->options.workers; w++)
        finished += engine->shard[w].finished[engine->step & 1];
    return finished;
}

np_step_report np_engine_report(const np_engine *engine)
{
    np_step_report report = {.run = engine->draws.run, .phase = engine->phase, .step = engine->step};
    report.packets = (np_packet)np_engine_all(engine);
    report.finished = np_engine_finished(engine);
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

static void reset_shards(np_engine *engine)
{
    for (unsigned w = 0; w < engine->options.workers; w++) {
        np_shard *shard = &engine->shard[w];
        shard->status = NP_OK;
        shard->queue_max = shard->population_max = shard->congestion = shard->late = 0;
        shard->hops = shard->hash = 0;
        shard->finished[0] = shard->finished[1] = shard->moved = 0;
        shard->made[0] = shard->made[1] = 0;
    }
}

static np_status collect(const np_engine *engine, np_phase_run *out)
{
    np_step_report report = np_engine_report(engine);
    *out = (np_phase_run){.packets = report.packets, .steps = engine->step};
    out->queue_max = report.queue_max;
    out->population_max = report.population_max;
    for (unsigned w = 0; w < engine->options.workers; w++) {
        out->hops += engine->shard[w].hops;
        out->late += engine->shard[w].late;
        if (engine->shard[w].congestion > out->congestion)
            out->congestion = engine->shard[w].congestion;
    }
    for (np_packet p = 0; p < engine->packets; p++) {
        uint32_t delay = engine->length[p];
        out->delay_sum += delay;
        out->delay_max = delay > out->delay_max ? delay : out->delay_max;
    }
    return engine->share ? np_engine_share_collect(engine, out) : NP_OK;
}

typedef struct passing {
    np_engine *engine;
    void (*pass)(void *method, np_engine *engine, unsigned worker);
    void *method;
} passing;

static void pass_worker(void *context, unsigned thread, uint32_t worker)
{
    const passing *p = context;
    (void)thread;
    p->pass(p->method, p->engine, worker);
}

void np_engine_each_worker(np_engine *engine, void (*pass)(void *method, np_engine *engine, unsigned worker),
                           void *method)
{
    passing p = {engine, pass, method};
    np_threads_each(engine->options.workers, engine->options.workers, pass_worker, &p);
}

/* Lets the k-th method serve the phase, if it can. */
static np_status try_method(np_engine *engine, size_t k, bool *done)
{
    const np_engine_method *method = np_engine_methods[k];
    bool fits = true;
    np_status st;
    reset_shards(engine);
    if (method->aim && ((st = method->aim(engine->method[k], engine, &fits)) || !fits))
        return st;
    for (size_t i = 0; np_engine_methods[i]; i++)
        if (i != k && engine->method[i])
            np_engine_methods[i]->rest(engine->method[i]);
    if ((st = method->run(engine->method[k], engine, done)))
        return st;
    if (*done)
        engine->served = method->name;
    else
        drop(engine, k);
    return NP_OK;
}

np_status np_engine_run(np_engine *engine, const np_engine_plan *plan, unsigned phase, np_draws draws,
                        const np_engine_watch *watch, np_phase_run *out)
{
    bool done = false;
    np_status st;
    draws.phase = (uint16_t)phase;
    engine->plan = plan;
    engine->phase = phase;
    engine->draws = draws;
    engine->watch = watch;
    engine->step = 0;
    if ((st = np_engine_observe_begin(engine)))
        return st;
    for (size_t k = 0; np_engine_methods[k] && !done; k++)
        if (engine->method[k] && (np_engine_methods[k]->tells || !(np_engine_watches(watch) || plan->stop)) &&
            (st = try_method(engine, k, &done)))
            return st;
    return (st = collect(engine, out)) ? st : np_engine_observe_end(engine, out);
}

const char *np_engine_served(const np_engine *engine) { return engine->served; }
