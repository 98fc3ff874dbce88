/*
 * The sweep engine.
 *
 * The problem: at 2^20 nodes a step of the stepping engine touches several cold cache lines for every hop, and where
 * the farthest goes first a heap besides.
 *
 * The method: in a phase of Sibeyn's schemes (route/lines.c), and of grids (route/grid.c), a packet stays in one line
 * of the mesh and goes one way. Then a link takes packets from its node and from the link before it and from nowhere
 * else, and can be finished for all time before the next is touched (sweep_line.c): the idea of the level engine, on
 * lines.
 *
 * Population: from the instants at which packets reach the ends of links, which are kept as bits (sweep_population.c).
 * If packets move in several dimensions at once, those of all but the last of them are kept for all lines; a phase that
 * would need more for that than stepping does is left to the stepping engine.
 *
 * Nothing depends on the order of the lines, nor on the number of workers.
 */
#include "queueing/sweep.h"

#include <omp.h>
#include <string.h>

#include "base/memory.h"
#include "queueing/inside.h"
#include "queueing/sweep_packets.h"
#include "queueing/sweep_population.h"

/* What was kept of a line: [2][side][words] */
typedef struct kept {
    uint64_t *bits;
    uint32_t words;
} kept;

/* A worker's own. */
typedef struct sweeper {
    np_sweep_line line;
    uint32_t population_max;
    uint64_t kept_words;
    bool failed;
    np_status status;
} __attribute__((aligned(128))) sweeper;

struct np_sweep {
    const np_network *network;
    unsigned workers;
    np_sweep_order order;
    uint64_t kept_max; /* words, of a worker */
    np_sweep_packets packets;
    np_step *time;                 /* [packets] */
    kept *keep[NP_MAX_DIMENSIONS]; /* [lines] of the dimension, or NULL */
    sweeper *sweeper;              /* [workers] */
};

extern const np_path_rule_ops np_path_dimension_order_grid;

static bool order_of(const np_discipline *discipline, np_sweep_order *order)
{
    static const struct {
        const char *name;
        np_sweep_order order;
    } orders[] = {{"fifo", NP_SWEEP_FIFO},
                  {"farthest-first", NP_SWEEP_FARTHEST},
                  {"nearest-origin-first", NP_SWEEP_NEAREST},
                  {"moved-first", NP_SWEEP_MOVED}};
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
        if (!strcmp(discipline->info.name, orders[i].name)) {
            *order = orders[i].order;
            return true;
        }
    return false;
}

static uint32_t longest_side(const np_network *network)
{
    uint32_t longest = 0;
    for (uint32_t i = 0; i < network->dimensions; i++)
        longest = network->side[i] > longest ? network->side[i] : longest;
    return longest;
}

bool np_sweep_apply(const np_engine_options *options)
{
    const char *family = np_network_family_name(options->network);
    np_sweep_order order;
    return options->path && options->path->rule == &np_path_dimension_order_grid &&
           (!strcmp(family, "mesh") || !strcmp(family, "array")) && order_of(options->discipline, &order) &&
           !options->overlap && !options->watched && longest_side(options->network) <= NP_SWEEP_PLACES_MAX;
}

/* Words that may be kept by all workers: about as much memory as stepping takes. */
static uint64_t kept_most(const np_engine_options *options)
{
    uint64_t links = np_network_link_numbers(options->network), packets = options->packets;
    return options->network->dimensions > 1 ? (np_queues_bytes(options->discipline, links, packets) +
                                               np_bucket_pool_bytes(packets, options->workers)) /
                                                  sizeof(uint64_t)
                                            : 0;
}

uint64_t np_sweep_bytes(const np_engine_options *options)
{
    const np_network *network = options->network;
    uint64_t nodes = np_network_nodes(network), packets = options->packets, bytes = packets * 17 + nodes * 4;
    for (uint32_t i = 0; i + 1 < network->dimensions; i++)
        bytes += np_sweep_lines_of(network, i) * sizeof(kept);
    return bytes + kept_most(options) * sizeof(uint64_t) +
           options->workers * np_sweep_line_bytes(longest_side(network), packets / options->workers);
}

np_status np_sweep_create(const np_engine_options *options, np_sweep **out)
{
    np_sweep *sweep;
    np_status st = np_memory_zeroed(&sweep, 1, sizeof *sweep, "an engine");
    if (st)
        return st;
    sweep->network = options->network;
    sweep->workers = options->workers;
    sweep->packets = (np_sweep_packets){.network = options->network, .room = options->packets};
    sweep->kept_max = kept_most(options) / options->workers;
    order_of(options->discipline, &sweep->order);
    *out = sweep;
    return NP_OK;
}

/* At the first phase: an engine that never has one to sweep needs nothing. */
static np_status reserve(np_sweep *sweep)
{
    static const char what[] = "packets by line";
    np_status st;
    if (sweep->sweeper)
        return NP_OK;
    if ((st = np_sweep_packets_reserve(&sweep->packets)) ||
        (st = np_memory_array(&sweep->time, sweep->packets.room, sizeof *sweep->time, what)) ||
        (st = np_memory_zeroed(&sweep->sweeper, sweep->workers, sizeof *sweep->sweeper, what)))
        return st;
    for (unsigned w = 0; w < sweep->workers; w++)
        if ((st = np_sweep_line_init(&sweep->sweeper[w].line, longest_side(sweep->network))))
            return st;
    return NP_OK;
}

static void forget(np_sweep *sweep)
{
    for (uint32_t i = 0; i < sweep->network->dimensions; i++) {
        for (uint32_t line = 0; sweep->keep[i] && line < np_sweep_lines_of(sweep->network, i); line++)
            np_memory_free(sweep->keep[i][line].bits);
        np_memory_free(sweep->keep[i]);
        sweep->keep[i] = NULL;
    }
}

void np_sweep_rest(np_sweep *sweep)
{
    forget(sweep);
    for (unsigned w = 0; sweep->sweeper && w < sweep->workers; w++)
        np_sweep_line_clear(&sweep->sweeper[w].line);
    np_memory_free(sweep->time);
    np_memory_free(sweep->sweeper);
    np_sweep_packets_rest(&sweep->packets);
    sweep->time = NULL;
    sweep->sweeper = NULL;
}

void np_sweep_free(np_sweep *sweep)
{
    if (!sweep)
        return;
    np_sweep_rest(sweep);
    np_sweep_packets_clear(&sweep->packets);
    np_memory_free(sweep);
}

/* ---- Population ---- */

/* Of all nodes of a line of dimension i, whose bits are those of `line`; of other dimensions what was kept. */
static void look_at_line(np_sweep *sweep, const np_engine *engine, sweeper *own, uint32_t i, uint32_t number)
{
    const np_network *network = sweep->network;
    np_sweep_line *line = &own->line;
    np_node base = np_sweep_base_of(network, number, i);
    for (uint32_t v = 0; v < line->nodes; v++) {
        np_node u = base + v * network->stride[i];
        np_sweep_links links = {.count = 0};
        np_sweep_links_add(&links, line->crossed, line->nodes, line->words, v);
        for (uint32_t j = 0; j < i; j++)
            if (sweep->keep[j]) {
                const kept *k = &sweep->keep[j][np_sweep_line_of(network, u, j)];
                if (k->bits)
                    np_sweep_links_add(&links, k->bits, network->side[j], k->words,
                                       np_network_coordinate(network, u, j));
            }
        own->population_max = np_sweep_links_most(&links, engine->population[u], own->population_max);
    }
}

/* The instants that the line has used. */
static np_status keep_line(np_sweep *sweep, sweeper *own, uint32_t i, uint32_t number, np_step last)
{
    const np_sweep_line *line = &own->line;
    kept *k = &sweep->keep[i][number];
    uint32_t words = last / 64 + 1;
    np_status st;
    own->kept_words += 2 * (uint64_t)line->nodes * words;
    if ((own->failed = own->kept_words > sweep->kept_max))
        return NP_OK;
    if ((st = np_memory_array(&k->bits, 2 * (size_t)line->nodes * words, sizeof *k->bits, "the crossings of a line")))
        return st;
    k->words = words;
    for (size_t link = 0; link < 2 * (size_t)line->nodes; link++)
        memcpy(k->bits + link * words, line->crossed + link * line->words, words * sizeof *k->bits);
    return NP_OK;
}

/* ---- Lines ---- */

static void set_line(const np_sweep *sweep, const np_engine *engine, np_sweep_line *line, uint32_t i, uint32_t number)
{
    const np_network *network = sweep->network;
    line->nodes = network->side[i];
    line->order = sweep->order;
    line->draws = np_draws_for(engine->draws, NP_RANDOM_ORDER);
    line->begin = sweep->packets.begin + (size_t)number * line->nodes;
    line->entry = sweep->packets.entry + line->begin[0];
    line->first_link = np_sweep_base_of(network, number, i) * network->ports + 2 * i + 1;
    line->step_link = network->stride[i] * network->ports;
    line->down_link = 1;
}

/* One line of dimension i; the last dimension that moves looks at the population. */
static np_status sweep_line(np_sweep *sweep, const np_engine *engine, sweeper *own, uint32_t i, uint32_t number,
                            bool last)
{
    np_sweep_line *line = &own->line;
    np_step before = line->steps, latest;
    bool done = true;
    np_status st;
    set_line(sweep, engine, line, i, number);
    uint32_t entries = line->begin[line->nodes] - line->begin[0];
    if (!entries && !last)
        return NP_OK;
    line->steps = 0;
    if ((st = np_sweep_line_run(line, &done)))
        return st;
    latest = line->steps;
    line->steps = latest > before ? latest : before;
    own->failed = !done;
    if (!done)
        return NP_OK;
    for (uint32_t e = 0; e < entries; e++)
        sweep->time[line->entry[e].packet] = line->time[e];
    if (!last)
        return keep_line(sweep, own, i, number, latest);
    look_at_line(sweep, engine, own, i, number);
    return NP_OK;
}

/* A worker's lines of a dimension: every workers-th. */
static void sweep_lines(np_sweep *sweep, const np_engine *engine, unsigned w, uint32_t i, bool last)
{
    sweeper *own = &sweep->sweeper[w];
    const np_engine_watch *watch = engine->watch;
    uint32_t lines = np_sweep_lines_of(sweep->network, i), dimensions = sweep->network->dimensions;
    for (uint32_t line = w; line < lines && !own->failed && !own->status; line += sweep->workers) {
        own->status = sweep_line(sweep, engine, own, i, line, last);
        if (w == 0 && watch && watch->on_progress && line % 64 == 0)
            watch->on_progress(watch->context, (i + (double)line / lines) / dimensions);
    }
}

static void each_worker(np_sweep *sweep, const np_engine *engine, uint32_t i, bool last)
{
    if (sweep->workers == 1) {
        sweep_lines(sweep, engine, 0, i, last); /* not even a team of one: the caller may be in a team */
        return;
    }
#pragma omp parallel for schedule(static, 1) num_threads((int)sweep->workers)
    for (unsigned w = 0; w < sweep->workers; w++)
        sweep_lines(sweep, engine, w, i, last);
}

/* All packets at their targets, and the maxima of all workers. */
static void finish(np_sweep *sweep, np_engine *engine)
{
    const np_sweep_packets *packets = &sweep->packets;
    for (np_packet p = 0; p < engine->packets; p++) {
        bool stays = packets->moves[p] == NP_SWEEP_STAYS;
        engine->population[engine->location[p]]--;
        engine->population[packets->to[p]]++;
        np_engine_land(engine, p, packets->to[p], stays ? 0 : sweep->time[p]);
    }
    np_shard *sum = &engine->shard[0];
    for (unsigned w = 0; w < sweep->workers; w++) {
        const sweeper *own = &sweep->sweeper[w];
        sum->queue_max = own->line.queue_max > sum->queue_max ? own->line.queue_max : sum->queue_max;
        sum->congestion = own->line.congestion > sum->congestion ? own->line.congestion : sum->congestion;
        sum->population_max = own->population_max > sum->population_max ? own->population_max : sum->population_max;
        engine->step = own->line.steps > engine->step ? own->line.steps : engine->step;
    }
}

static void reset_sweepers(np_sweep *sweep)
{
    for (unsigned w = 0; w < sweep->workers; w++) {
        sweeper *own = &sweep->sweeper[w];
        own->population_max = own->line.queue_max = own->line.congestion = 0;
        own->line.steps = 0;
        own->kept_words = 0;
        own->failed = false;
        own->status = NP_OK;
    }
}

/* Dimension i, and what came of it; *failed: more than may be kept. */
static np_status sweep_dimension(np_sweep *sweep, const np_engine *engine, uint32_t i, bool last, bool *failed)
{
    np_status st;
    np_sweep_packets_sort(&sweep->packets, engine, i);
    if (!last && (st = np_memory_zeroed(&sweep->keep[i], np_sweep_lines_of(sweep->network, i), sizeof *sweep->keep[i],
                                        "the crossings of lines")))
        return st;
    each_worker(sweep, engine, i, last);
    for (unsigned w = 0; w < sweep->workers; w++) {
        *failed |= sweep->sweeper[w].failed;
        if (sweep->sweeper[w].status)
            return NP_RAISE(sweep->sweeper[w].status, "no memory for a line of %u nodes", sweep->network->side[i]);
    }
    return NP_OK;
}

np_status np_sweep_aim(np_sweep *sweep, np_engine *engine, bool *fits)
{
    return np_sweep_packets_aim(&sweep->packets, engine, fits);
}

np_status np_sweep_run(np_sweep *sweep, np_engine *engine, bool *done)
{
    uint32_t d = sweep->network->dimensions, active = sweep->packets.active;
    bool failed = false;
    np_status st = reserve(sweep);
    *done = false;
    if (st)
        return st;
    reset_sweepers(sweep);
    active |= active ? 0 : UINT32_C(1) << (d - 1); /* nobody moves: one dimension, for the populations */
    for (uint32_t i = 0; i < d && !st && !failed; i++)
        if (active >> i & 1)
            st = sweep_dimension(sweep, engine, i, !(active >> i >> 1), &failed);
    forget(sweep);
    if (st || failed)
        return st;
    finish(sweep, engine);
    *done = true;
    return NP_OK;
}
