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
 * Population: for every link the instants at which packets reach its end are kept as bits. A node has one more at each
 * of its incoming links' instants, one less at each of its outgoing links'. Sums of 64 and of 8 instants show that most
 * need no closer look. If packets move in several dimensions at once, the bits of all but the last of them are kept for all
 * lines; a phase that would need more for that than stepping does is left to the stepping engine.
 *
 * Nothing depends on the order of the lines, nor on the number of workers.
 */
#include "engine/sweep.h"

#include <omp.h>
#include <string.h>

#include "base/hot.h"
#include "base/memory.h"
#include "engine/inside.h"
#include "engine/sweep_line.h"

enum { TURNS = NP_MAX_DIMENSIONS, STAYS }; /* instead of a dimension */

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
    uint32_t active;   /* bit i: some packet of the phase moves in dimension i */
    size_t room;
    np_node *to;                   /* [room] */
    uint8_t *moves;                /* [room] dimension */
    np_step *time;                 /* [room] */
    np_sweep_entry *entry;         /* [room] of the present dimension, by line and place */
    uint32_t *begin;               /* [nodes + 2] of each place */
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
    uint64_t nodes = np_network_nodes(options->network), packets = options->packets;
    return packets * 17 + nodes * 4 * (options->network->dimensions > 1 ? options->network->dimensions : 1) +
           kept_most(options) * sizeof(uint64_t) +
           options->workers * np_sweep_line_bytes(longest_side(options->network), packets / options->workers);
}

np_status np_sweep_create(const np_engine_options *options, np_sweep **out)
{
    np_sweep *sweep;
    np_status st = np_memory_zeroed(&sweep, 1, sizeof *sweep, "an engine");
    if (st)
        return st;
    sweep->network = options->network;
    sweep->workers = options->workers;
    sweep->room = options->packets;
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
    if (sweep->begin)
        return NP_OK;
    if ((st = np_memory_array(&sweep->entry, sweep->room, sizeof *sweep->entry, what)) ||
        (st = np_memory_array(&sweep->time, sweep->room, sizeof *sweep->time, what)) ||
        (st = np_memory_zeroed(&sweep->sweeper, sweep->workers, sizeof *sweep->sweeper, what)))
        return st;
    for (unsigned w = 0; w < sweep->workers; w++)
        if ((st = np_sweep_line_init(&sweep->sweeper[w].line, longest_side(sweep->network))))
            return st;
    return np_memory_array(&sweep->begin, (size_t)sweep->network->nodes + 2, sizeof *sweep->begin, what);
}

static uint32_t lines_of(const np_network *network, uint32_t i) { return network->nodes / network->side[i]; }

static void forget(np_sweep *sweep)
{
    for (uint32_t i = 0; i < sweep->network->dimensions; i++) {
        for (uint32_t line = 0; sweep->keep[i] && line < lines_of(sweep->network, i); line++)
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
    np_memory_free(sweep->entry);
    np_memory_free(sweep->begin);
    np_memory_free(sweep->sweeper);
    sweep->time = NULL;
    sweep->entry = NULL;
    sweep->begin = NULL;
    sweep->sweeper = NULL;
}

void np_sweep_free(np_sweep *sweep)
{
    if (!sweep)
        return;
    np_sweep_rest(sweep);
    np_memory_free(sweep->to);
    np_memory_free(sweep->moves);
    np_memory_free(sweep);
}

/* ---- Who moves where ---- */

static uint8_t moves_in(const np_network *network, np_node at, np_node to)
{
    uint8_t found = STAYS;
    for (uint32_t i = 0; i < network->dimensions && at != to; i++)
        if (np_network_coordinate(network, at, i) != np_network_coordinate(network, to, i))
            found = found == STAYS ? (uint8_t)i : TURNS;
    return found;
}

/* Targets and dimensions. False: some packet turns. */
static bool aim(np_sweep *sweep, np_engine *engine)
{
    np_packet packet[NP_BATCH];
    np_ticket ticket[NP_BATCH];
    sweep->active = 0;
    for (np_packet base = 0; base < engine->packets;) {
        size_t count = engine->packets - base < NP_BATCH ? engine->packets - base : NP_BATCH;
        for (size_t i = 0; i < count; i++)
            packet[i] = base + (np_packet)i;
        np_engine_prepare(engine, &engine->shard[0], engine->phase, count, packet, engine->location + base, ticket);
        for (size_t i = 0; i < count; i++) {
            uint8_t moves = moves_in(sweep->network, engine->location[base + i], (np_node)ticket[i]);
            if (moves == TURNS)
                return false;
            sweep->to[base + i] = (np_node)ticket[i];
            sweep->moves[base + i] = moves;
            sweep->active |= moves == STAYS ? 0 : UINT32_C(1) << moves;
        }
        base += (np_packet)count;
    }
    return true;
}

/* Nodes by line of dimension i, and along it: a line's number times the side, and the place. */
static uint32_t line_of(const np_network *network, np_node u, uint32_t i)
{
    return np_divide(np_divide(u, network->by_stride[i]), network->by_side[i]) * network->stride[i] +
           np_modulo(u, network->by_stride[i]);
}

static np_node base_of(const np_network *network, uint32_t line, uint32_t i)
{
    return np_divide(line, network->by_stride[i]) * network->stride[i] * network->side[i] +
           np_modulo(line, network->by_stride[i]);
}

static void sort_by_line(np_sweep *sweep, const np_engine *engine, uint32_t i)
{
    const np_network *network = sweep->network;
    uint32_t *begin = sweep->begin, side = network->side[i];
    memset(begin, 0, ((size_t)network->nodes + 2) * sizeof *begin);
    for (np_packet p = 0; p < engine->packets; p++)
        if (sweep->moves[p] == i) {
            np_node u = engine->location[p];
            begin[line_of(network, u, i) * side + np_network_coordinate(network, u, i) + 2]++;
        }
    for (np_node u = 0; u < network->nodes; u++)
        begin[u + 2] += begin[u + 1];
    for (np_packet p = 0; p < engine->packets; p++)
        if (sweep->moves[p] == i) {
            np_node u = engine->location[p];
            uint32_t at = line_of(network, u, i) * side + np_network_coordinate(network, u, i);
            sweep->entry[begin[at + 1]++] = (np_sweep_entry){p, np_network_coordinate(network, sweep->to[p], i)};
        }
}

/* ---- Population ---- */

/* Links of a node, those that come and those that go: their bits, NULL where there is no such link. */
typedef struct node_links {
    const uint64_t *come[2 * NP_MAX_DIMENSIONS], *go[2 * NP_MAX_DIMENSIONS];
    uint32_t words[2 * NP_MAX_DIMENSIONS];
    uint32_t count, longest;
} node_links;

/* bits: [2][side][words]; of place v. */
static void add_links(node_links *links, const uint64_t *bits, uint32_t side, uint32_t words, uint32_t v)
{
    const uint64_t *up = bits, *down = bits + (size_t)side * words;
    for (int way = 0; way < 2; way++) {
        bool first = way ? v + 1 == side : v == 0, last = way ? v == 0 : v + 1 == side;
        uint32_t k = links->count++;
        links->come[k] = first ? NULL : way ? down + (size_t)(v + 1) * words : up + (size_t)(v - 1) * words;
        links->go[k] = last ? NULL : (way ? down : up) + (size_t)v * words;
        links->words[k] = words;
        links->longest = words > links->longest ? words : links->longest;
    }
}

static inline uint32_t ones(const uint64_t *word, uint32_t count, unsigned from)
{
    uint32_t sum = 0;
    for (uint32_t k = 0; k < count; k++)
        sum += (uint32_t)__builtin_popcount((unsigned)(word[k] >> from & 0xff));
    return sum;
}

/* Instants from .. from + 7 of a word, one by one. */
static inline uint32_t look_at_byte(const uint64_t *come, const uint64_t *go, uint32_t count, unsigned from,
                                    uint32_t now, uint32_t most)
{
    for (unsigned t = from; t < from + 8; t++) {
        for (uint32_t k = 0; k < count; k++)
            now += (uint32_t)(come[k] >> t & 1) - (uint32_t)(go[k] >> t & 1);
        most = now > most ? now : most;
    }
    return most;
}

/* The most at one instant within a word, if it exceeds `most`: by bytes, as few of them need a closer look still. */
static inline uint32_t look_at_word(const uint64_t *come, const uint64_t *go, uint32_t count, uint32_t now,
                                    uint32_t most)
{
    for (unsigned from = 0; from < 64; from += 8) {
        uint32_t more = ones(come, count, from);
        if (now + more > most)
            most = look_at_byte(come, go, count, from, now, most);
        now += more - ones(go, count, from);
    }
    return most;
}

/* The largest population of a node that begins with `now`, if it exceeds `most`; else most. */
NP_HOT static uint32_t most_at(const node_links *links, uint32_t now, uint32_t most)
{
    most = now > most ? now : most;
    for (uint32_t w = 0; w < links->longest; w++) {
        uint64_t come[2 * NP_MAX_DIMENSIONS], go[2 * NP_MAX_DIMENSIONS];
        uint32_t more = 0, less = 0;
        for (uint32_t k = 0; k < links->count; k++) {
            come[k] = links->come[k] && w < links->words[k] ? links->come[k][w] : 0;
            go[k] = links->go[k] && w < links->words[k] ? links->go[k][w] : 0;
            more += (uint32_t)__builtin_popcountll(come[k]);
            less += (uint32_t)__builtin_popcountll(go[k]);
        }
        if (now + more > most)
            most = look_at_word(come, go, links->count, now, most);
        now += more - less;
    }
    return most;
}

/* Of all nodes of a line of dimension i, whose bits are those of `line`; of other dimensions what was kept. */
static void look_at_line(np_sweep *sweep, const np_engine *engine, sweeper *own, uint32_t i, uint32_t number)
{
    const np_network *network = sweep->network;
    np_sweep_line *line = &own->line;
    np_node base = base_of(network, number, i);
    for (uint32_t v = 0; v < line->nodes; v++) {
        np_node u = base + v * network->stride[i];
        node_links links = {.count = 0};
        add_links(&links, line->crossed, line->nodes, line->words, v);
        for (uint32_t j = 0; j < i; j++)
            if (sweep->keep[j]) {
                const kept *k = &sweep->keep[j][line_of(network, u, j)];
                if (k->bits)
                    add_links(&links, k->bits, network->side[j], k->words, np_network_coordinate(network, u, j));
            }
        own->population_max = most_at(&links, engine->population[u], own->population_max);
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
    line->begin = sweep->begin + (size_t)number * line->nodes;
    line->entry = sweep->entry + line->begin[0];
    line->first_link = base_of(network, number, i) * network->ports + 2 * i + 1;
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
    uint32_t lines = lines_of(sweep->network, i), dimensions = sweep->network->dimensions;
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
    for (np_packet p = 0; p < engine->packets; p++) {
        bool stays = sweep->moves[p] == STAYS;
        engine->population[engine->location[p]]--;
        engine->population[sweep->to[p]]++;
        np_engine_land(engine, p, sweep->to[p], stays ? 0 : sweep->time[p]);
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
    sort_by_line(sweep, engine, i);
    if (!last && (st = np_memory_zeroed(&sweep->keep[i], lines_of(sweep->network, i), sizeof *sweep->keep[i],
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
    np_status st;
    *fits = false;
    if ((!sweep->to && (st = np_memory_array(&sweep->to, sweep->room, sizeof *sweep->to, "packets by line"))) ||
        (!sweep->moves && (st = np_memory_array(&sweep->moves, sweep->room, 1, "packets by line"))))
        return st;
    *fits = aim(sweep, engine);
    return NP_OK;
}

np_status np_sweep_run(np_sweep *sweep, np_engine *engine, bool *done)
{
    uint32_t d = sweep->network->dimensions, active = sweep->active;
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
