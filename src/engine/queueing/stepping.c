/*
 * The method that serves every phase: time in steps. A step is one pass.
 * In the pass each worker goes through its blocks of nodes. In a block,
 * first the packets that arrived in the last step enter their queues. Then one
 * packet leaves each busy queue; the path chooses, and the packet is handed to
 * the block of the node that it has reached, where it is found in the next pass.
 * So nothing enters a queue while packets leave, and a packet makes at most one
 * hop a step; every busy link carries exactly one packet (Valiant & Brebner 1981,
 * section 2(c), (d)). All that a block needs is brought to the cache once a step.
 * If somebody looks at the state between steps, another pass lets packets enter
 * their queues before. The passes are in step.c, the start of a phase is in begin.c.
 *
 * Workers own shards, which threads serve in a pass; so results do not depend on how many threads there are.
 *
 * The queues, the pools and the arrays of blocks are members of the engine:
 * the method's object is the engine.
 */
#include "base/memory.h"
#include "base/threads.h"
#include "base/watch.h"
#include "engine/queueing/inside.h"

/*
 * * What must hold at every integral instant (Valiant & Brebner 1981, section
 * 2(c)-(e)): every packet is at one node, and either in one queue there, at
 * rest before a phase, or finished; a link is in the set of busy ones exactly if its queue is not
 * empty. Debug builds audit every step of the stepping engine.
 */

/* The length of a queue; 0: it is empty. */
static uint32_t queue_length(const np_queues *queues, np_link link)
{
    uint32_t word = queues->word[link];
    if (word & NP_QUEUE_IDLE)
        return 0;
    if (!queues->structure->plain)
        return queues->length[link];
    return queues->packet[word].entered - queues->packet[queues->packet[word].next].entered + 1;
}

const char *np_engine_audit(const np_engine *engine)
{
    uint64_t waiting = 0, finished = np_engine_finished(engine), resting = 0, somewhere = 0;
    for (unsigned b = 0; b < engine->blocks; b++) {
        const np_block *block = &engine->block[b];
        for (np_link link = block->first_link; link < block->last_link; link++) {
            uint32_t length = queue_length(&engine->queues, link);
            waiting += length;
            if (np_busy_has(&block->busy, link) != (length > 0))
                return "a link is busy without packets, or idle with some";
        }
        for (np_node node = block->first_node; node < block->last_node; node++)
            somewhere += engine->population[node];
    }
    for (np_packet p = 0; p < engine->packets && engine->parked; p++)
        resting += engine->parked[p];
    if (engine->share) /* packets are on other ranks, too */
        return NULL;
    if (waiting + finished + resting + engine->flights.flying != engine->packets)
        return "packets waiting, at rest, on links and finished are not all there are";
    if (somewhere + engine->flights.flying != engine->packets)
        return "the nodes' populations and the packets on links do not add up to the packets";
    return NULL;
}

enum { FEW = 128 }; /* packets that move in a step: ours, some 3 microseconds of work */

static bool applies(const np_engine_options *options)
{
    (void)options;
    return true;
}

/* The arrays of blocks and shards. */
static void layout(void *object, np_arena *arena)
{
    np_engine *engine = object;
    const np_engine_options *options = &engine->options;
    uint64_t most = 0;
    size_t words = 0;
    for (unsigned b = 0; b < engine->blocks; b++) {
        np_block counted = np_engine_block(options, b), *block = engine->block ? &engine->block[b] : &counted;
        uint64_t links = block->last_link - block->first_link;
        most = links > most ? links : most;
        most = block->from_ranks > most ? block->from_ranks : most;
        np_busy_layout(&block->busy, block->first_link, block->last_link, arena);
        np_passed_layout(&block->passed, block->busy.first, block->busy.words, arena);
        words = block->busy.words > words ? block->busy.words : words;
    }
    most = most < options->packets ? most : options->packets;
    for (unsigned w = 0; w < options->workers; w++) {
        np_shard counted = {0}, *shard = engine->shard ? &engine->shard[w] : &counted;
        np_arena_array(arena, &shard->once, words + 1, sizeof *shard->once, "the arrivals of a block");
        np_arena_array(arena, &shard->twice, words + 1, sizeof *shard->twice, "the arrivals of a block");
        np_arena_array(arena, &shard->run, most, sizeof *shard->run, "the arrivals of a block");
        np_arena_array(arena, &shard->run_room, most, sizeof *shard->run_room, "the arrivals of a block");
    }
}

/* Numbers of links that leave the nodes. */
static uint64_t links_of(const np_network *network, const np_share *nodes)
{
    return np_network_first_link(network, nodes->last) - np_network_first_link(network, nodes->first);
}

static unsigned ranks_of(const np_engine_options *options) { return options->job ? options->job->size : 0; }

static uint64_t bytes(const np_engine_options *options)
{
    np_engine engine = {.options = *options, .blocks = np_engine_blocks(options), .nodes = np_engine_nodes(options)};
    uint64_t links = links_of(options->network, &engine.nodes), packets = np_engine_slots(options);
    return np_queues_bytes(options->discipline, links, packets) + np_arena_bytes(&engine, 0, layout) +
           np_bucket_pool_bytes(packets, options->workers, engine.blocks, ranks_of(options)) +
           np_flights_bytes(options->network, options->delays, packets) +
           options->workers * UINT64_C(1024); /* first orders of queues that are not long */
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
    size_t packets = np_engine_slots(options);
    if (engine->can_step)
        return NP_OK;
    if ((st = np_queues_init(&engine->queues, options->discipline,
                             np_network_first_link(engine->network, engine->nodes.first),
                             links_of(engine->network, &engine->nodes), packets)) ||
        (st = np_bucket_pool_init(&engine->pool, packets, options->workers, engine->blocks, ranks_of(options))) ||
        (st = np_flights_init(&engine->flights, engine->network, options->delays, packets)) ||
        (st = np_arena_place(engine, layout, "the blocks of nodes", &engine->arrays)))
        return st;
    engine->can_step = true;
    return NP_OK;
}

static void rest(void *method)
{
    np_engine *engine = method;
    if (!engine)
        return;
    for (unsigned w = 0; engine->shard && w < engine->options.workers; w++) {
        np_memory_free(engine->shard[w].order);
        engine->shard[w].order = NULL;
        engine->shard[w].order_room = 0;
    }
    np_memory_free(engine->arrays);
    engine->arrays = NULL;
    np_bucket_pool_clear(&engine->pool);
    np_flights_clear(&engine->flights);
    np_queues_clear(&engine->queues);
    engine->can_step = false;
}

static void reset_queues(np_engine *engine, np_shard *shard)
{
    const np_block *first = &engine->block[shard->first_block], *last = &engine->block[shard->last_block - 1];
    np_queues_reset(&engine->queues, first->first_link, last->last_link);
    for (unsigned b = shard->first_block; b < shard->last_block; b++)
        np_passed_reset(&engine->block[b].passed);
    for (np_node u = first->first_node; u < last->last_node; u++)
        if (engine->population[u] > shard->population_max)
            shard->population_max = engine->population[u];
}

/* A pass over the shards of all workers. */
typedef struct passing {
    np_engine *engine;
    void (*pass)(np_engine *engine, unsigned shard);
} passing;

static void pass_shard(void *context, unsigned thread, uint32_t shard)
{
    const passing *p = context;
    (void)thread;
    p->pass(p->engine, shard);
}

static void each_shard_by(unsigned threads, np_engine *engine, void (*pass)(np_engine *engine, unsigned shard))
{
    np_threads_each(threads, engine->options.workers, pass_shard, &(passing){engine, pass});
}

static void each_shard(np_engine *engine, void (*pass)(np_engine *engine, unsigned shard))
{
    each_shard_by(engine->options.workers, engine, pass);
}

void np_engine_pass(np_engine *engine, np_packet moved, void (*pass)(np_engine *engine, unsigned shard))
{
    each_shard_by(moved < FEW ? 1 : engine->options.workers, engine, pass);
}

np_status np_engine_reserve_steps(np_engine *engine)
{
    np_status st = reserve(engine);
    if (st)
        return st;
    for (unsigned w = 0; w < engine->options.workers; w++)
        reset_queues(engine, &engine->shard[w]);
    np_bucket_pool_reset(&engine->pool);
    np_flights_reset(&engine->flights);
    engine->queues.draws = np_draws_for(engine->draws, NP_RANDOM_QUEUE);
    engine->queues.step = 0;
    return NP_OK;
}

static void reset_and_ticket(np_engine *engine, unsigned shard)
{
    reset_queues(engine, &engine->shard[shard]);
    np_engine_ticket(engine, shard);
}

/* The packets that landed in the last step are counted where they are, and the links' packets. */
static void finish(np_engine *engine, unsigned shard)
{
    np_shard *own = &engine->shard[shard];
    np_engine_receive(engine, shard);
    if (engine->plan->stop)
        np_engine_empty_queues(engine, shard);
    for (unsigned b = own->first_block; b < own->last_block; b++) {
        const np_block *block = &engine->block[b];
        uint32_t here = np_passed_congestion(&block->passed, &engine->queues, block->first_link, block->last_link);
        own->congestion = here > own->congestion ? here : own->congestion;
    }
}

/* After a step: does what concerns all workers, and tells who watches. */
static np_status tell(np_engine *engine)
{
    const np_engine_watch *watch = engine->watch;
    for (unsigned w = 0; w < engine->options.workers; w++)
        if (engine->shard[w].status) /* another thread may have its message */
            return NP_RAISE(engine->shard[w].status, "no memory for the first order of a queue");
#ifndef NDEBUG
    const char *violation = np_engine_is_told(engine) ? np_engine_audit(engine) : NULL;
    if (violation)
        return NP_RAISE(NP_ERROR_INTERNAL, "step %u: %s", engine->step, violation);
#endif
    if (engine->book && !np_engine_observe_step(engine))
        return NP_RAISE(NP_ERROR_CANCELLED, "cancelled at step %u", engine->step);
    if (watch && watch->on_step) {
        np_step_report report = np_engine_report(engine);
        if (watch->on_step(watch->context, &report))
            return NP_RAISE(NP_ERROR_CANCELLED, "cancelled at step %u", engine->step);
    }
    return NP_OK;
}

/* With overlap the total of hops is not yet known: the share is that of the packets at their ends. */
static bool is_cancelled(const np_engine *engine)
{
    const np_engine_watch *watch = engine->watch;
    uint64_t made = 0, all = 0;
    if (!watch || !watch->progress.tell)
        return false;
    for (unsigned w = 0; w < engine->options.workers && !engine->options.overlap; w++) {
        made += engine->shard[w].made[engine->step & 1];
        all += engine->shard[w].hops;
    }
    if (engine->options.overlap) {
        made = np_engine_finished(engine);
        all = engine->packets;
    }
    return np_watch_tell(&watch->progress, (np_progress){.share = all ? (double)made / (double)all : 1});
}

static bool goes_on(const np_engine *engine)
{
    np_step stop = engine->plan->stop;
    return stop ? engine->step < stop : np_engine_finished(engine) < np_engine_all(engine);
}

bool np_engine_is_told(const np_engine *engine)
{
#ifdef NDEBUG
    bool audited = false;
#else
    bool audited = engine->step & 1; /* the others are made as in releases */
#endif
    return audited || engine->book || (engine->watch && engine->watch->on_step);
}

/* The packets that have waited for the time of a phase start it. */
static void start_phase(np_engine *engine)
{
    each_shard(engine, np_engine_receive);
    np_engine_list_released(engine);
    each_shard(engine, np_engine_ticket_released);
    each_shard(engine, np_engine_enter_released);
}

/* While few packets move, one thread serves all shards: others would take longer to come than the hops. */
static np_status step(np_engine *engine, np_packet *moved)
{
    bool cancelled = is_cancelled(engine);
    np_status st = NP_OK;
    np_engine_pass(engine, *moved, np_engine_move);
    engine->queues.step = ++engine->step;
    *moved = 0;
    for (unsigned w = 0; w < engine->options.workers; w++)
        *moved += engine->shard[w].moved;
    if (cancelled)
        st = NP_RAISE(NP_ERROR_CANCELLED, "cancelled at step %u", engine->step);
    if ((st = np_engine_share_exchange(engine, st)))
        return st;
    if (np_engine_phase_starts(engine))
        start_phase(engine);
    if (!np_engine_is_told(engine))
        return NP_OK;
    np_engine_pass(engine, *moved, np_engine_receive);
    return tell(engine);
}

static np_status run_steps(np_engine *engine)
{
    np_packet moved = FEW;
    each_shard(engine, reset_and_ticket);
    np_status st = np_engine_share_exchange(engine, NP_OK);
    if (st)
        return st;
    each_shard(engine, np_engine_fill);
    st = np_job_agree(engine->options.job, tell(engine));
    while (!st && goes_on(engine))
        st = step(engine, &moved);
    if (!st)
        each_shard(engine, finish);
    return st ? st : np_engine_share_home(engine);
}

static np_status run(void *method, np_engine *engine, bool *done)
{
    np_status st = np_engine_share_reserve(engine, reserve(engine));
    (void)method;
    *done = !st;
    if (st)
        return st;
    engine->queues.draws = np_draws_for(engine->draws, NP_RANDOM_QUEUE);
    engine->queues.step = 0;
    np_bucket_pool_reset(&engine->pool);
    np_flights_reset(&engine->flights);
    st = run_steps(engine);
    if (!st && engine->plan->stop)
        np_engine_stop(engine);
    return st;
}

const np_engine_method np_engine_stepping = {
    .name = "stepping",
    .tells = true,
    .divides = true,
    .applies = applies,
    .bytes = bytes,
    .bytes_at_rest = bytes_at_rest,
    .create = create,
    .run = run,
    .rest = rest,
    .free = rest,
};
