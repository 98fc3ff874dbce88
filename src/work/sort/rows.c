/*
 * See rows.h. All blocks of one size use the columns of the first block of that size: the columns of the others are the
 * same with other nodes. A way crosses no link twice: the straight and cross edges forward are other links than the
 * edges backward. On a hypercube straight edges cross no link.
 */
#include "work/sort/rows.h"

#include <assert.h>
#include <string.h>

enum { KEPT_NODES = 1 << 20 }; /* columns with more nodes are not kept, but made again: our choice, 50 MB each */
enum { LEVELS = 2 * 32 };      /* most of a way */

np_status np_rows_init(np_rows *rows, const np_sorting *sorting)
{
    bool hypercube = np_network_is(sorting->network, NP_KIND_HYPERCUBE);
    uint32_t n = sorting->network->dimensions;
    *rows = (np_rows){.n = n, .width = hypercube ? 1 : n, .hypercube = hypercube};
    return np_sort_engine_init(&rows->engine, sorting, KEPT_NODES);
}

void np_rows_clear(np_rows *rows) { np_sort_engine_clear(&rows->engine); }

np_node np_rows_node(const np_rows *rows, uint32_t row, uint32_t level)
{
    return rows->hypercube ? row : row * rows->n + level % rows->n;
}

/* ---- Ways ---- */

uint32_t np_rows_way_levels(const np_rows_way *way)
{
    uint32_t levels = 0;
    for (int i = 0; i < NP_ROWS_LEGS; i++)
        levels += way->leg[i].levels;
    return levels;
}

np_rows_way np_rows_there_and_back(const np_rows *rows, uint32_t bits, uint32_t begin, uint32_t levels)
{
    bool back = !rows->hypercube && levels < rows->n;
    return (np_rows_way){.bits = (uint8_t)bits,
                         .begin = (uint8_t)begin,
                         .leg = {{(uint8_t)levels, false, true}, {back ? (uint8_t)levels : 0, true, false}}};
}

np_rows_way np_rows_over(const np_rows *rows, uint32_t bits)
{
    uint8_t n = (uint8_t)rows->n;
    return (np_rows_way){.bits = n,
                         .begin = rows->hypercube ? n : 0,
                         .leg = {{rows->hypercube ? 0 : n, false, false}, {(uint8_t)bits, true, true}}};
}

uint32_t np_rows_begin(const np_rows *rows, uint32_t level) { return rows->hypercube || level ? level : rows->n; }

/* level[levels + 1] = the physical levels along the way, one for each logical level. */
static void walk(const np_rows_way *way, uint32_t *level, const np_rows_leg **leg)
{
    uint32_t at = 0;
    level[0] = way->begin;
    for (int i = 0; i < NP_ROWS_LEGS; i++)
        for (uint32_t k = 0; k < way->leg[i].levels; k++, at++) {
            leg[at] = &way->leg[i];
            level[at + 1] = way->leg[i].backward ? level[at] - 1 : level[at] + 1;
        }
}

/* ---- Columns: the leveled network of a way ---- */

typedef struct columns {
    const np_rows *rows;
    const np_rows_way *way;
} columns;

/* Adds an edge from a physical level to `head`. The ports of the butterfly are straight up, cross up, straight down,
   cross down; port i of the hypercube flips bit n-1-i. */
static void add_edge(const np_rows *rows, np_leveled *leveled, uint32_t tail, uint32_t head, uint32_t row,
                     uint32_t level, bool backward, bool cross)
{
    const np_network *network = rows->engine.sorting->network;
    np_port port = rows->hypercube ? level - backward : backward * 2u + cross;
    np_link link =
        rows->hypercube && !cross ? 0 : np_network_first_link(network, np_rows_node(rows, row, level)) + port;
    np_leveled_add_edge(leveled, tail, head, rows->hypercube ? cross : 1, &link);
}

/* Adds the edges of all rows from logical level `from`. */
static void add_level(const columns *of, np_leveled *leveled, uint32_t from, uint32_t level, const np_rows_leg *leg)
{
    uint32_t count = UINT32_C(1) << of->way->bits, bit = leg->cross ? of->rows->n - 1 - (level - leg->backward) : 0;
    for (uint32_t row = 0; row < count; row++) {
        uint32_t tail = from * count + row, next = (from + 1) * count;
        add_edge(of->rows, leveled, tail, next + row, row, level, leg->backward, false);
        if (leg->cross)
            add_edge(of->rows, leveled, tail, next + (row ^ UINT32_C(1) << bit), row, level, leg->backward, true);
    }
}

/* Every row has a straight edge on every level, and on levels that cross one more. */
static np_leveled sizes_of(const columns *of)
{
    const np_rows_way *way = of->way;
    uint32_t depth = np_rows_way_levels(way), crossing = 0;
    uint64_t count = UINT64_C(1) << way->bits, hosts = count * of->rows->width;
    for (int i = 0; i < NP_ROWS_LEGS; i++)
        crossing += way->leg[i].cross ? way->leg[i].levels : 0;
    uint64_t edges = count * (depth + crossing), links = of->rows->hypercube ? count * crossing : edges;
    np_leveled sizes = np_leveled_sizes(depth, count * (depth + UINT64_C(1)), edges, links, (uint32_t)hosts,
                                        (uint32_t)hosts * of->rows->engine.sorting->network->ports);
    sizes.rows = (uint32_t)count;
    return sizes;
}

static np_status make(const void *context, np_leveled **out)
{
    const columns *of = context;
    uint32_t level[LEVELS + 1], depth = np_rows_way_levels(of->way);
    const np_rows_leg *leg[LEVELS + 1];
    np_leveled sizes = sizes_of(of);
    np_status st = np_leveled_create(&sizes, out);
    if (st)
        return st;
    walk(of->way, level, leg);
    for (uint32_t l = 0; l <= depth; l++)
        for (uint32_t row = 0; !(row >> of->way->bits); row++)
            np_leveled_add_node(*out, l, np_rows_node(of->rows, row, level[l]));
    for (uint32_t l = 0; l < depth; l++)
        add_level(of, *out, l, level[l], leg[l]);
    if ((st = np_leveled_finish(*out)))
        return st;
#ifndef NDEBUG
    np_emulation emulation;
    if ((st = np_leveled_emulation(*out, &emulation)))
        return st;
    assert(emulation.links_per_link <= 1); /* no link is crossed twice */
#endif
    return NP_OK;
}

/* A way in a word, but for its first row. */
static uint64_t key_of(const np_rows_way *way)
{
    uint64_t key = (uint64_t)way->bits << 8 | way->begin;
    for (int i = 0; i < NP_ROWS_LEGS; i++)
        key = key << 16 | (uint64_t)way->leg[i].levels << 8 | way->leg[i].backward << 1 | way->leg[i].cross;
    return key;
}

np_status np_rows_leveled(np_rows *rows, const np_rows_way *way, const np_leveled **out)
{
    const columns of = {rows, way};
    return np_sort_engine_leveled(&rows->engine, key_of(way), make, &of, out);
}

/* ---- Packets ---- */

np_status np_rows_empty(np_rows *rows, const np_rows_way *way, uint32_t packets)
{
    return np_path_set_reset(&rows->engine.path_set, packets, (size_t)packets * np_rows_way_levels(way));
}

static uint32_t smaller(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* Adds the hops begin .. end-1 of a leg from a physical level on. flip: the bits in which the rows differ. */
static void add_leg(np_rows *rows, const np_rows_leg *leg, uint32_t level, uint32_t flip, uint32_t begin, uint32_t end)
{
    uint8_t *port = np_path_set_hops(&rows->engine.path_set, end - begin);
    if (!leg->cross)
        memset(port, 0, end - begin);
    else if (leg->backward) /* from the lower end of an edge, d, it crosses bit n - 1 - d */
        for (uint32_t k = begin; k < end; k++)
            *port++ = flip >> (rows->n - level + k) & 1;
    else
        for (uint32_t k = begin; k < end; k++)
            *port++ = flip >> (rows->n - 1 - level - k) & 1;
}

static void add_path(np_rows *rows, const np_rows_way *way, uint32_t number, uint32_t target, uint32_t from,
                     uint32_t to, uint32_t first, uint32_t last)
{
    uint32_t level = way->begin, at = 0;
    np_path_set_add(&rows->engine.path_set, number, (first << way->bits) + from, target);
    for (const np_rows_leg *leg = way->leg; leg < way->leg + NP_ROWS_LEGS; leg++) {
        uint32_t begin = first > at ? first - at : 0, end = smaller(last > at ? last - at : 0, leg->levels);
        if (begin < end)
            add_leg(rows, leg, level, from ^ to, begin, end);
        level = leg->backward ? level - leg->levels : level + leg->levels;
        at += leg->levels;
    }
}

void np_rows_send_part(np_rows *rows, const np_rows_way *way, uint32_t number, uint32_t item, uint32_t from,
                       uint32_t to, uint32_t first, uint32_t last)
{
    np_sort_teller *teller = rows->engine.sorting->log.teller;
    if (teller)
        np_sort_teller_carry(teller, number, np_sort_teller_copy(teller, item, rows->kind));
    add_path(rows, way, number, number, from, to, first, last);
}

void np_rows_send(np_rows *rows, const np_rows_way *way, uint32_t number, uint32_t item, uint32_t from, uint32_t to)
{
    np_rows_send_part(rows, way, number, item, from, to, 0, np_rows_way_levels(way));
}

/* The hops that cross. On a hypercube only they use a link. */
static uint64_t cross_hops(const np_path_set *path_set)
{
    size_t hops = path_set->begin[path_set->packets];
    uint64_t crossing = 0;
    for (size_t i = 0; i < hops; i++)
        crossing += path_set->port[i];
    return crossing;
}

/* Counts the edges of all packets, for a butterfly that is played. */
static void count_edges(np_rows *rows, const np_rows_way *way)
{
    const np_path_set *set = &rows->engine.path_set;
    const np_sort_log *log = &rows->engine.sorting->log;
    uint32_t level[LEVELS + 1], n = rows->n;
    const np_rows_leg *leg[LEVELS + 1];
    if (!log->guest)
        return;
    walk(way, level, leg);
    for (np_packet p = 0; p < set->packets; p++)
        for (size_t k = set->begin[p], at = set->origin[p] >> way->bits; k < set->begin[p + 1]; k++, at++) {
            uint32_t lower = leg[at]->backward ? level[at + 1] : level[at];
            np_sort_log_edges(log, n - 1 - lower % n, !set->port[k], set->port[k]);
        }
}

/* What observers hear of: an edge of the columns, on the block's rows. */
typedef struct told {
    const np_leveled *leveled;
    np_link shift;
} told;

static np_link link_of(const void *context, uint32_t edge)
{
    const told *of = context;
    uint32_t begin = of->leveled->walk[edge];
    return begin == of->leveled->walk[edge + 1] ? NP_NONE : of->leveled->link[begin] + of->shift;
}

static np_status run(np_rows *rows, const np_rows_way *way, np_sort_move *move, np_sort_cost *out)
{
    np_phase_run run;
    np_status st = np_sort_engine_run(&rows->engine, move, &run);
    if (st)
        return st;
    *out = np_sort_cost_of(&run);
    out->load_max = run.population_max;
    if (rows->hypercube)
        out->hops = cross_hops(&rows->engine.path_set);
    count_edges(rows, way);
    return NP_OK;
}

np_status np_rows_run(np_rows *rows, const np_rows_way *way, bool ranked, uint16_t phase, uint64_t wait,
                      np_sort_cost *out)
{
    const np_sorting *sorting = rows->engine.sorting;
    np_sort_move move = {.ranked = ranked, .draws = sorting->draws, .wait = wait, .link_of = link_of};
    np_status st = np_rows_leveled(rows, way, &move.leveled);
    const told moves = {move.leveled, way->first * rows->width * sorting->network->ports};
    move.draws.phase = phase;
    move.context = &moves;
    return st ? st : run(rows, way, &move, out);
}

/* ---- Two phases ---- */

static void add_packet(np_rows *rows, const np_rows_way *way, bool home, uint32_t i, np_node from, np_node to,
                       uint32_t middle)
{
    uint32_t n = rows->n, w = rows->width;
    if (home)
        add_path(rows, way, i, to, middle, to / w, 0, n + (w > 1 ? (n - to % n) % n : 0));
    else
        add_path(rows, way, i, to, from / w, middle, from % w, np_rows_way_levels(way));
}

np_status np_rows_permute(np_rows *rows, bool home, np_draws draws, uint32_t packets, const np_node *from,
                          const np_node *to, const np_observer *observer, np_sort_cost *out)
{
    uint8_t n = (uint8_t)rows->n, back = (uint8_t)(rows->width - 1);
    const np_rows_way up = {.bits = n, .leg = {{n, false, true}, {back, true, false}}};
    const np_rows_way way = home == rows->hypercube ? np_rows_over(rows, n) : up;
    const np_event_phase event = {
        .name = home ? "home" : "out", .network = rows->engine.sorting->network, .packets = packets};
    np_draws middle = np_draws_for(draws, NP_RANDOM_TARGET);
    np_sort_move move = {.draws = draws, .observer = observer, .phase = &event};
    uint32_t moving = 0;
    np_status st;
    for (uint32_t i = 0; i < packets; i++)
        moving += from[i] != to[i];
    if ((st = np_rows_empty(rows, &way, moving)) || (st = np_rows_leveled(rows, &way, &move.leveled)))
        return st;
    middle.phase = 0;
    for (uint32_t i = 0; i < packets; i++)
        if (from[i] != to[i])
            add_packet(rows, &way, home, i, from[i], to[i], np_random_below(&middle, i, 0, UINT32_C(1) << n));
    move.draws.phase = home;
    return run(rows, &way, &move, out);
}
