/*
 * The accelerator `lines`: phases in which every packet moves along one line of a
 * mesh, finished line by line, in cache whatever the size of the mesh.
 *
 * The problem: at 2^20 nodes a step of the stepping engine touches several cold cache lines for
 * every hop, and also a heap if the farthest packet goes first.
 *
 * The method: in a phase of Sibeyn's schemes (papers/grids/lines.c) and of grids
 * (run/route/grid.c), a packet stays in one line of the mesh and goes one way. Then a
 * link takes packets from its node, from the link before it, and from nowhere
 * else. So the link can be finished for all time before the next one is touched
 * (lines_sweep.c).
 *
 * Population: from the instants at which packets reach the ends of links. These
 * instants are kept as bits. If packets move in several
 * dimensions at once, the bits of all dimensions but the last are kept for all
 * lines. A phase that would need more memory for them than stepping does is left
 * to stepping.
 *
 * Nothing depends on the order of the lines, nor on the number of workers.
 *
 * Why this is not one code with `levels`, though both finish links in topological
 * order. A link of a line takes packets from one link only: its stream comes in
 * order of time, one packet an instant. Most packets pass straight on; queues may
 * be long, and priorities need the set of waiting packets at every instant. A link
 * of a cube takes packets from up to n links, in no order. `levels` therefore gives
 * out instants without an order, and puts only the few queues in order in which
 * somebody waits. Cubes queue by queue, in entering order, would be the common
 * code: `cubes` on 2^14 nodes then takes 1.78 times the instructions. Instants
 * without an order do not serve lines: their words have 64 instants, and they do
 * not tell who waits, which decides under farthest-first. What the two share is in
 * inside.h: tickets, drawn orders, workers, counts.
 */
#include <string.h>

#include "base/hot.h"
#include "base/memory.h"
#include "base/watch.h"
#include "engine/queueing/inside.h"
#include "engine/queueing/lines_packets.h"

/*
 * The population of a node. A node has one packet more at each instant of its
 * incoming links, and one less at each instant of its outgoing links. Sums over 64
 * and over 8 instants show that most instants need no closer look: the packets that
 * come in them are too few to pass the largest population so far, even if all of
 * them came first.
 */

/* The bits of the links into a node and out of it; NULL where there is no link. */
typedef struct np_lines_links {
    const uint64_t *come[2 * NP_MAX_DIMENSIONS], *go[2 * NP_MAX_DIMENSIONS];
    uint32_t words[2 * NP_MAX_DIMENSIONS];
    uint32_t count, longest;
} np_lines_links;

/* Adds the links of place v of a line of `side` nodes. bits: [2][side][words], as crossed[] of lines_packets.h. */
static void lines_links_add(np_lines_links *links, const uint64_t *bits, uint32_t side, uint32_t words, uint32_t v)
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

/* Looks at instants from .. from + 7 of a word, one by one. */
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

/*
 * The most at one instant within a word, if it exceeds `most`: looks at bytes first, since few
 * bytes need a closer look.
 */
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
static NP_HOT uint32_t lines_links_most(const np_lines_links *links, uint32_t now, uint32_t most)
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

/* ---- What is kept ---- */

/* The bits kept of a line: [2][side][words] */
typedef struct kept {
    uint64_t *bits;
    uint32_t words;
} kept;

/* What each worker has of its own. */
typedef struct sweeper {
    np_lines_sweep line;
    uint32_t population_max;
    uint64_t kept_words;
    bool failed;
    np_status status;
} __attribute__((aligned(128))) sweeper;

typedef struct np_lines {
    const np_network *network;
    unsigned workers;
    np_lines_order order;
    uint64_t kept_max; /* words that a worker may keep */
    np_lines_packets packets;
    void *targets;                 /* the block of packets.to and packets.moves; NULL before the first phase */
    void *block;                   /* of all other arrays; NULL while it rests */
    np_step *time;                 /* [packets] */
    kept *keep[NP_MAX_DIMENSIONS]; /* [lines] of the dimension; not of the last one */
    sweeper *sweeper;              /* [workers] */

    /* The dimension that is swept. */
    uint32_t dimension;
    bool last; /* packets move in no later dimension */
} np_lines;

extern const np_path_rule np_path_dimension_order_grid;

static bool order_of(const np_discipline *discipline, np_lines_order *order)
{
    static const struct {
        const char *name;
        np_lines_order order;
    } orders[] = {{"fifo", NP_LINES_FIFO},
                  {"farthest-first", NP_LINES_FARTHEST},
                  {"nearest-origin-first", NP_LINES_NEAREST},
                  {"moved-first", NP_LINES_MOVED}};
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

/* The packets of a line, if all are there at first: an array has one line. 0: not known. */
static uint64_t packets_of_line(const np_network *network, uint64_t packets)
{
    return network->dimensions > 1 ? 0 : packets;
}

/* The workers that have a line, of the dimension that has most. */
static unsigned busy_of(const np_engine_options *options)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < options->network->dimensions; i++)
        most = np_lines_count(options->network, i) > most ? np_lines_count(options->network, i) : most;
    return most < options->workers ? most : options->workers;
}

static bool applies(const np_engine_options *options)
{
    np_lines_order order;
    return options->path && options->path->rule == &np_path_dimension_order_grid &&
           np_network_is(options->network, NP_KIND_OPEN_GRIDS) && order_of(options->discipline, &order) &&
           !options->overlap && longest_side(options->network) <= NP_LINES_PLACES_MAX;
}

/* The words that all workers together may keep: about as much memory as stepping takes. */
static uint64_t kept_most(const np_engine_options *options)
{
    return options->network->dimensions > 1 ? np_engine_stepping.bytes(options) / sizeof(uint64_t) : 0;
}

static np_lines lines_of(const np_engine_options *options)
{
    np_lines lines = {.network = options->network, .workers = options->workers};
    lines.packets = (np_lines_packets){.network = options->network, .room = options->packets};
    lines.kept_max = kept_most(options) / options->workers;
    order_of(options->discipline, &lines.order);
    return lines;
}

static void layout_targets(void *object, np_arena *arena)
{
    np_lines_packets_layout_targets(&((np_lines *)object)->packets, arena);
}

static void layout(void *object, np_arena *arena)
{
    static const char what[] = "packets by line";
    np_lines *lines = object;
    np_lines_packets_layout(&lines->packets, arena);
    np_arena_array(arena, &lines->time, lines->packets.room, sizeof *lines->time, what);
    for (uint32_t i = 0; i + 1 < lines->network->dimensions; i++)
        np_arena_zeroed(arena, &lines->keep[i], np_lines_count(lines->network, i), sizeof *lines->keep[i],
                        "the crossings of lines");
    np_arena_zeroed(arena, &lines->sweeper, lines->workers, sizeof *lines->sweeper, what);
    for (unsigned w = 0; w < lines->workers; w++) {
        np_lines_sweep counted = {0}, *line = lines->sweeper ? &lines->sweeper[w].line : &counted;
        line->longest = longest_side(lines->network);
        np_lines_sweep_layout(line, packets_of_line(lines->network, lines->packets.room), arena);
    }
}

static uint64_t bytes_at_rest(const np_engine_options *options)
{
    np_lines lines = lines_of(options);
    return sizeof lines + np_arena_bytes(&lines, 0, layout_targets);
}

static uint64_t bytes(const np_engine_options *options)
{
    np_lines lines = lines_of(options);
    unsigned busy = busy_of(options);
    uint64_t grown = np_lines_sweep_bytes(longest_side(options->network), options->packets / busy,
                                          packets_of_line(options->network, options->packets));
    return bytes_at_rest(options) + np_arena_bytes(&lines, 0, layout) + kept_most(options) * sizeof(uint64_t) +
           busy * grown;
}

static np_status create(np_engine *engine, void **out)
{
    np_lines *lines;
    np_status st = np_memory_zeroed(&lines, 1, sizeof *lines, "the line engine");
    if (!st)
        *lines = lines_of(&engine->options);
    *out = lines;
    return st;
}

/* Frees what was kept of the phase's lines. */
static void forget(np_lines *lines)
{
    for (uint32_t i = 0; lines->block && i + 1 < lines->network->dimensions; i++)
        for (uint32_t line = 0; line < np_lines_count(lines->network, i); line++) {
            np_memory_free(lines->keep[i][line].bits);
            lines->keep[i][line].bits = NULL;
        }
}

static void rest(void *method)
{
    np_lines *lines = method;
    forget(lines);
    for (unsigned w = 0; lines->block && w < lines->workers; w++)
        np_lines_sweep_clear(&lines->sweeper[w].line);
    np_memory_free(lines->block);
    lines->block = NULL;
}

static void free_lines(void *method)
{
    np_lines *lines = method;
    if (!lines)
        return;
    rest(lines);
    NP_MEMORY_FREE(lines->targets, lines);
}

/* ---- Population ---- */

/*
 * Looks at all nodes of a line of dimension i. The bits of dimension i are in `line`; the bits of
 * the others were kept.
 */
static void look_at_line(np_lines *lines, const np_engine *engine, sweeper *own, uint32_t i, uint32_t number)
{
    const np_network *network = lines->network;
    np_lines_sweep *line = &own->line;
    np_node base = np_lines_base_of(network, number, i);
    for (uint32_t v = 0; v < line->nodes; v++) {
        np_node u = base + v * network->stride[i];
        np_lines_links links = {.count = 0};
        lines_links_add(&links, line->crossed, line->nodes, line->words, v);
        for (uint32_t j = 0; j < i; j++) {
            const kept *k = &lines->keep[j][np_lines_number(network, u, j)];
            if (k->bits)
                lines_links_add(&links, k->bits, network->side[j], k->words, np_network_coordinate(network, u, j));
        }
        own->population_max = lines_links_most(&links, engine->population[u], own->population_max);
    }
}

/* Keeps the instants that the line has used. */
static np_status keep_line(np_lines *lines, sweeper *own, uint32_t i, uint32_t number, np_step last)
{
    const np_lines_sweep *line = &own->line;
    kept *k = &lines->keep[i][number];
    uint32_t words = last / 64 + 1;
    np_status st;
    own->kept_words += 2 * (uint64_t)line->nodes * words;
    if ((own->failed = own->kept_words > lines->kept_max))
        return NP_OK;
    if ((st = np_memory_array(&k->bits, 2 * (size_t)line->nodes * words, sizeof *k->bits, "the crossings of a line")))
        return st;
    k->words = words;
    for (size_t link = 0; link < 2 * (size_t)line->nodes; link++)
        memcpy(k->bits + link * words, line->crossed + link * line->words, words * sizeof *k->bits);
    return NP_OK;
}

/* ---- Lines ---- */

static void set_line(const np_lines *lines, const np_engine *engine, np_lines_sweep *line, uint32_t i, uint32_t number)
{
    const np_network *network = lines->network;
    line->nodes = network->side[i];
    line->order = lines->order;
    line->draws = np_draws_for(engine->draws, NP_RANDOM_ORDER);
    line->begin = lines->packets.begin + (size_t)number * line->nodes;
    line->entry = lines->packets.entry + line->begin[0];
    line->first_link = np_lines_base_of(network, number, i) * network->ports + 2 * i + 1;
    line->step_link = network->stride[i] * network->ports;
    line->down_link = 1;
}

/* Sweeps one line of dimension i. The last dimension in which packets move also looks at the population. */
static np_status sweep_line(np_lines *lines, const np_engine *engine, sweeper *own, uint32_t i, uint32_t number,
                            bool last)
{
    np_lines_sweep *line = &own->line;
    np_step before = line->steps, latest;
    bool done = true;
    np_status st;
    set_line(lines, engine, line, i, number);
    uint32_t entries = line->begin[line->nodes] - line->begin[0];
    if (!entries && !last)
        return NP_OK;
    line->steps = 0;
    if ((st = np_lines_sweep_run(line, &done)))
        return st;
    latest = line->steps;
    line->steps = latest > before ? latest : before;
    own->failed = !done;
    if (!done)
        return NP_OK;
    for (uint32_t e = 0; e < entries; e++)
        lines->time[line->entry[e].packet] = line->time[e];
    if (!last)
        return keep_line(lines, own, i, number, latest);
    look_at_line(lines, engine, own, i, number);
    return NP_OK;
}

/* Sweeps a worker's lines of the dimension: every workers-th line. */
static void sweep_lines(void *method, np_engine *engine, unsigned w)
{
    np_lines *lines = method;
    sweeper *own = &lines->sweeper[w];
    const np_engine_watch *watch = engine->watch;
    uint32_t i = lines->dimension, count = np_lines_count(lines->network, i);
    for (uint32_t line = w; line < count && !own->failed && !own->status; line += lines->workers) {
        own->status = sweep_line(lines, engine, own, i, line, lines->last);
        double share = (i + (double)line / count) / lines->network->dimensions;
        if (w == 0 && watch && line % 64 == 0 && !own->status &&
            np_watch_tell(&watch->progress, (np_progress){.share = share}))
            own->status = NP_RAISE(NP_ERROR_CANCELLED, "cancelled in dimension %u", i);
    }
}

/* Sweeps the dimension with all workers; *failed: more bits than may be kept. */
static np_status sweep_dimension(np_lines *lines, np_engine *engine, bool *failed)
{
    np_lines_packets_sort(&lines->packets, engine, lines->dimension);
    np_engine_each_worker(engine, sweep_lines, lines);
    for (unsigned w = 0; w < lines->workers; w++) {
        *failed |= lines->sweeper[w].failed;
        if (lines->sweeper[w].status == NP_ERROR_CANCELLED)
            return NP_ERROR_CANCELLED;
        if (lines->sweeper[w].status)
            return NP_RAISE(lines->sweeper[w].status, "no memory for a line of %u nodes",
                            lines->network->side[lines->dimension]);
    }
    return NP_OK;
}

/* ---- A phase ---- */

/* Puts all packets at their targets, and stores the results of the workers. */
static void finish(const np_lines *lines, np_engine *engine)
{
    const np_lines_packets *packets = &lines->packets;
    for (np_packet p = 0; p < engine->packets; p++) {
        bool stays = packets->moves[p] == NP_LINES_STAYS;
        engine->population[engine->location[p]]--;
        engine->population[packets->to[p]]++;
        np_engine_land(engine, p, packets->to[p], stays ? 0 : lines->time[p]);
    }
    for (unsigned w = 0; w < lines->workers; w++) {
        const sweeper *own = &lines->sweeper[w];
        engine->shard[w].queue_max = own->line.queue_max;
        engine->shard[w].congestion = own->line.congestion;
        engine->shard[w].population_max = own->population_max;
        engine->step = own->line.steps > engine->step ? own->line.steps : engine->step;
    }
}

static void reset_sweepers(np_lines *lines)
{
    for (unsigned w = 0; w < lines->workers; w++) {
        sweeper *own = &lines->sweeper[w];
        own->population_max = own->line.queue_max = own->line.congestion = 0;
        own->line.steps = 0;
        own->kept_words = 0;
        own->failed = false;
        own->status = NP_OK;
    }
}

static np_status aim(void *method, np_engine *engine, bool *fits)
{
    np_lines *lines = method;
    np_status st;
    if (!lines->targets && (st = np_arena_place(lines, layout_targets, "packets by line", &lines->targets)))
        return st;
    *fits = np_lines_packets_aim(&lines->packets, engine);
    return NP_OK;
}

static np_status run(void *method, np_engine *engine, bool *done)
{
    np_lines *lines = method;
    uint32_t d = lines->network->dimensions, active = lines->packets.active;
    bool failed = false;
    np_status st = NP_OK;
    *done = false;
    if (!lines->block && (st = np_arena_place(lines, layout, "packets by line", &lines->block)))
        return st;
    reset_sweepers(lines);
    active |= active ? 0 : UINT32_C(1) << (d - 1); /* nobody moves: one dimension, for the populations */
    for (uint32_t i = 0; i < d && !st && !failed; i++)
        if (active >> i & 1) {
            lines->dimension = i;
            lines->last = !(active >> i >> 1);
            st = sweep_dimension(lines, engine, &failed);
        }
    forget(lines);
    *done = !st && !failed;
    if (*done)
        finish(lines, engine);
    return st;
}

const np_engine_method np_engine_lines = {
    .name = "lines",
    .applies = applies,
    .bytes = bytes,
    .bytes_at_rest = bytes_at_rest,
    .create = create,
    .aim = aim,
    .run = run,
    .rest = rest,
    .free = free_lines,
};
