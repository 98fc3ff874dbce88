/*
 * How packets of flashsort move: on columns of rows, which are made once for every way that is used, by the merging
 * engine (Leighton, Maggs, Ranade & Rao 1994, section 2).
 *
 * All blocks of one size use the columns of the first block of that size: the columns of the others are the same with
 * other nodes. A way crosses no link twice, so a step of its columns is a step of the network: the straight and cross
 * edges forward are other links than the edges backward. On a hypercube straight edges cross no link.
 */
#include "work/sort/flashsort.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"

/* Columns that are kept beside those of the longest way have together as many levels as so many of them: measured. */
enum { KEPT_WAYS = 4 };

enum { KEPT_NODES = 1 << 20 }; /* columns with more nodes are not kept, but made again: our choice, 50 MB each */

uint32_t np_flashsort_way_levels(const np_flashsort_way *way)
{
    uint32_t levels = 0;
    for (int i = 0; i < NP_FLASHSORT_LEGS; i++)
        levels += way->leg[i].levels;
    return levels;
}

static bool same(const np_flashsort_way *a, const np_flashsort_way *b)
{
    bool equal = a->bits == b->bits && a->begin == b->begin;
    for (int i = 0; i < NP_FLASHSORT_LEGS; i++)
        equal = equal && a->leg[i].levels == b->leg[i].levels && a->leg[i].backward == b->leg[i].backward &&
                a->leg[i].cross == b->leg[i].cross;
    return equal;
}

/* The node of (row, level). */
static np_node node_at(const np_flashsort *flash, uint32_t row, uint32_t level)
{
    return flash->hypercube ? row : row * flash->n + level % flash->n;
}

/* Adds an edge from a physical level to `head`. The ports of the butterfly are straight up, cross up, straight down,
   cross down; port i of the hypercube flips bit n-1-i. */
static void add_edge(const np_flashsort *flash, np_leveled *leveled, uint32_t tail, uint32_t head, uint32_t row,
                     uint32_t level, bool backward, bool cross)
{
    const np_network *network = flash->sorting->network;
    np_port port = flash->hypercube ? level - backward : backward * 2u + cross;
    np_link link = flash->hypercube && !cross ? 0 : np_network_first_link(network, node_at(flash, row, level)) + port;
    np_leveled_add_edge(leveled, tail, head, flash->hypercube ? cross : 1, &link);
}

/* Adds the edges of all rows from logical level `from`. */
static void add_level(const np_flashsort *flash, np_leveled *leveled, uint32_t bits, uint32_t from, uint32_t level,
                      const np_flashsort_leg *leg)
{
    uint32_t rows = UINT32_C(1) << bits, bit = leg->cross ? flash->n - 1 - (level - leg->backward) : 0;
    for (uint32_t row = 0; row < rows; row++) {
        uint32_t tail = from * rows + row, next = (from + 1) * rows;
        add_edge(flash, leveled, tail, next + row, row, level, leg->backward, false);
        if (leg->cross)
            add_edge(flash, leveled, tail, next + (row ^ UINT32_C(1) << bit), row, level, leg->backward, true);
    }
}

/* level[levels + 1] = the physical levels along the way, one for each logical level. */
static void walk(const np_flashsort_way *way, uint32_t *level, const np_flashsort_leg **leg)
{
    uint32_t at = 0;
    level[0] = way->begin;
    for (int i = 0; i < NP_FLASHSORT_LEGS; i++)
        for (uint32_t k = 0; k < way->leg[i].levels; k++, at++) {
            leg[at] = &way->leg[i];
            level[at + 1] = way->leg[i].backward ? level[at] - 1 : level[at] + 1;
        }
}

/* Every row has a straight edge on every level, and on levels that cross one more. */
static np_leveled sizes_of(const np_flashsort *flash, const np_flashsort_way *way)
{
    uint32_t depth = np_flashsort_way_levels(way), crossing = 0;
    uint64_t rows = UINT64_C(1) << way->bits, hosts = rows * flash->width;
    for (int i = 0; i < NP_FLASHSORT_LEGS; i++)
        crossing += way->leg[i].cross ? way->leg[i].levels : 0;
    uint64_t edges = rows * (depth + crossing), links = flash->hypercube ? rows * crossing : edges;
    np_leveled sizes = np_leveled_sizes(depth, rows * (depth + UINT64_C(1)), edges, links, (uint32_t)hosts,
                                        (uint32_t)hosts * flash->sorting->network->ports);
    sizes.rows = (uint32_t)rows;
    return sizes;
}

static np_status make(const np_flashsort *flash, const np_flashsort_way *way, np_leveled **out)
{
    uint32_t level[2 * 32 + 1], depth = np_flashsort_way_levels(way), rows = UINT32_C(1) << way->bits;
    const np_flashsort_leg *leg[2 * 32 + 1];
    np_leveled sizes = sizes_of(flash, way);
    np_status st = np_leveled_create(&sizes, out);
    if (st)
        return st;
    walk(way, level, leg);
    for (uint32_t l = 0; l <= depth; l++)
        for (uint32_t row = 0; row < rows; row++)
            np_leveled_add_node(*out, l, node_at(flash, row, level[l]));
    for (uint32_t l = 0; l < depth; l++)
        add_level(flash, *out, way->bits, l, level[l], leg[l]);
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

/* Frees the columns from number `from` on. */
static void forget(np_flashsort *flash, uint32_t from)
{
    while (flash->made > from)
        np_leveled_free(flash->columns[--flash->made].leveled);
}

static np_status columns_of(np_flashsort *flash, const np_flashsort_way *way, const np_leveled **out)
{
    for (uint32_t i = 0; i < flash->made; i++)
        if (same(&flash->columns[i].way, way)) {
            *out = flash->columns[i].leveled;
            return NP_OK;
        }
    if (flash->made == NP_FLASHSORT_WAYS)
        forget(flash, 0);
    np_flashsort_columns *columns = &flash->columns[flash->made];
    *columns = (np_flashsort_columns){.way = *way};
    np_status st = make(flash, way, &columns->leveled);
    flash->made++;
    *out = columns->leveled;
    if (st)
        forget(flash, flash->made - 1);
    return st;
}

np_status np_flashsort_route_begin(np_flashsort *flash, const np_flashsort_way *way, uint32_t packets)
{
    return np_path_set_reset(&flash->path_set, packets, (size_t)packets * np_flashsort_way_levels(way));
}

np_flashsort_way np_flashsort_there_and_back(const np_flashsort *flash, uint32_t bits, uint32_t begin, uint32_t levels)
{
    bool back = !flash->hypercube && levels < flash->n;
    return (np_flashsort_way){.bits = (uint8_t)bits,
                              .begin = (uint8_t)begin,
                              .leg = {{(uint8_t)levels, false, true}, {back ? (uint8_t)levels : 0, true, false}}};
}

static uint32_t smaller(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* Adds the hops begin .. end-1 of a leg from a physical level on. flip: the bits in which the rows differ. */
static void add_leg(np_flashsort *flash, const np_flashsort_leg *leg, uint32_t level, uint32_t flip, uint32_t begin,
                    uint32_t end)
{
    uint8_t *port = np_path_set_hops(&flash->path_set, end - begin);
    if (!leg->cross)
        memset(port, 0, end - begin);
    else if (leg->backward) /* from the lower end of an edge, d, it crosses bit n - 1 - d */
        for (uint32_t k = begin; k < end; k++)
            *port++ = flip >> (flash->n - level + k) & 1;
    else
        for (uint32_t k = begin; k < end; k++)
            *port++ = flip >> (flash->n - 1 - level - k) & 1;
}

void np_flashsort_send_part(np_flashsort *flash, const np_flashsort_way *way, uint32_t number, uint32_t item,
                            uint32_t from, uint32_t to, uint32_t first, uint32_t last)
{
    np_sort_teller *teller = flash->sorting->log.teller;
    uint32_t level = way->begin, at = 0;
    if (teller)
        np_sort_teller_carry(teller, number, np_sort_teller_copy(teller, item, flash->kind));
    np_path_set_add(&flash->path_set, number, (first << way->bits) + from, number);
    for (const np_flashsort_leg *leg = way->leg; leg < way->leg + NP_FLASHSORT_LEGS; leg++) {
        uint32_t begin = first > at ? first - at : 0, end = smaller(last > at ? last - at : 0, leg->levels);
        if (begin < end)
            add_leg(flash, leg, level, from ^ to, begin, end);
        level = leg->backward ? level - leg->levels : level + leg->levels;
        at += leg->levels;
    }
}

void np_flashsort_send(np_flashsort *flash, const np_flashsort_way *way, uint32_t number, uint32_t item, uint32_t from,
                       uint32_t to)
{
    np_flashsort_send_part(flash, way, number, item, from, to, 0, np_flashsort_way_levels(way));
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
static void count_edges(np_flashsort *flash, const np_flashsort_way *way)
{
    const np_path_set *set = &flash->path_set;
    uint32_t level[2 * 32 + 1], n = flash->n;
    const np_flashsort_leg *leg[2 * 32 + 1];
    if (!flash->sorting->log.guest)
        return;
    walk(way, level, leg);
    for (np_packet p = 0; p < set->packets; p++)
        for (size_t k = set->begin[p], at = set->origin[p] >> way->bits; k < set->begin[p + 1]; k++, at++) {
            uint32_t lower = leg[at]->backward ? level[at + 1] : level[at];
            np_sort_log_edges(&flash->sorting->log, n - 1 - lower % n, !set->port[k], set->port[k]);
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

np_status np_flashsort_route(np_flashsort *flash, const np_flashsort_way *way, bool ranked, uint16_t phase,
                             uint64_t wait, np_sort_cost *out)
{
    np_sort_teller *teller = flash->sorting->log.teller;
    const np_leveled *leveled;
    np_phase_run run;
    np_status st = columns_of(flash, way, &leveled);
    if (st)
        return st;
    np_merge_job job = {.leveled = leveled,
                        .path_set = &flash->path_set,
                        .ranked = ranked,
                        .draws = flash->sorting->draws,
                        .workers = np_sorting_threads(flash->sorting, leveled->rows)};
    job.draws.phase = phase;
    const told moves = {leveled, way->first * flash->width * flash->sorting->network->ports};
    if (teller) {
        job.observer = np_sort_teller_moves(teller, wait, link_of, &moves);
        job.phase = np_sort_teller_phase(teller);
    }
    st = np_merge_run(flash->merge, &job, NULL, &run);
    if (leveled->nodes > KEPT_NODES)
        forget(flash, flash->made - 1);
    if (st)
        return st;
    *out = np_sort_cost_of(&run);
    out->load_max = run.population_max;
    if (flash->hypercube)
        out->hops = cross_hops(&flash->path_set);
    count_edges(flash, way);
    return NP_OK;
}

np_status np_flashsort_room_splitters(np_flashsort *flash, size_t count)
{
    np_status st;
    if (count <= flash->splitters)
        return NP_OK;
    if ((st = np_memory_grow(&flash->splitter, 0, count, sizeof *flash->splitter, "the splitters")))
        return st;
    flash->splitters = count;
    return NP_OK;
}

np_block np_flashsort_block(np_flashsort *flash, uint32_t first, uint32_t bits, uint32_t depth, np_sort_clock *clock)
{
    return (np_block){.bits = bits,
                      .hypercube = flash->hypercube,
                      .wrapped = bits == flash->n,
                      .depth = depth,
                      .first = first,
                      .kind = flash->kind,
                      .log = &flash->sorting->log,
                      .clock = clock,
                      .scratch = flash->scratch};
}

void np_flashsort_route_clear(np_flashsort *flash)
{
    forget(flash, 0);
    np_path_set_clear(&flash->path_set);
}
