/*
 * See router_rows.h. Both leveled networks have columns of 2^n rows. Logical node = level 2^n + row. Phase 0 has
 * `straight` levels that go straight and then n levels that cross. Phase 1 has them in the opposite order, without the
 * last level, which would be physical level 0 once more.
 */
#include "work/sort/router_rows.h"

#include "base/memory.h"

enum { OUT, HOME };                      /* phases: to a random row, to the destination */
enum { UP, UP_CROSS, DOWN, DOWN_CROSS }; /* ports of the family butterfly */

bool np_sort_rows_apply(const np_network *network)
{
    return np_network_is(network, NP_KIND_HYPERCUBE | NP_KIND_BUTTERFLY);
}

static uint32_t depth_of(const np_sort_rows *rows, unsigned phase)
{
    return rows->bits + rows->straight - (phase == HOME && rows->straight ? 1 : 0);
}

/* The bit that is crossed between a level and the next. rows->bits: no bit, the edge goes straight. */
static uint32_t bit_of(const np_sort_rows *rows, unsigned phase, uint32_t level)
{
    uint32_t n = rows->bits, first = phase == OUT ? rows->straight : 0, i = level - first;
    if (level < first || i >= n)
        return n;
    /* The butterfly's way down crosses bit 0 first, and its way up bit n-1. */
    return (phase == OUT) == (rows->straight > 0) ? i : n - 1 - i;
}

/* On a butterfly: the physical level, not modulo n. Both phases go up n levels and then down. */
static uint32_t physical_level(const np_sort_rows *rows, uint32_t level)
{
    uint32_t n = rows->bits;
    return level <= n ? level : 2 * n - level;
}

static np_node host_of(const np_sort_rows *rows, uint32_t level, uint32_t row)
{
    return rows->straight ? row * rows->bits + physical_level(rows, level) % rows->bits : row;
}

static void add_edge(np_sort_rows *rows, unsigned phase, uint32_t level, uint32_t row, uint32_t flip)
{
    uint32_t n = rows->bits;
    np_port up_or_down = (level < n ? UP : DOWN) + (flip ? UP_CROSS : UP);
    np_port port = rows->straight ? up_or_down : n - 1 - bit_of(rows, phase, level);
    np_link link = np_network_link_at(rows->network, host_of(rows, level, row), port);
    bool stays = !rows->straight && !flip;
    np_leveled_add_edge(rows->leveled[phase], (level << n) + row, ((level + 1) << n) + (row ^ flip), stays ? 0 : 1,
                        &link);
}

static np_sort_rows rows_of(const np_sorting *sorting)
{
    const np_network *network = sorting->network;
    return (np_sort_rows){.network = network,
                          .bits = network->dimensions,
                          .straight = np_network_is(network, NP_KIND_BUTTERFLY) ? network->dimensions : 0,
                          .workers = np_sorting_threads(sorting, UINT64_C(1) << network->dimensions)};
}

/* On a hypercube only the edges that cross use a link. */
static np_leveled sizes_of(const np_sort_rows *rows, unsigned phase)
{
    const np_network *network = rows->network;
    uint32_t n = rows->bits, depth = depth_of(rows, phase);
    uint64_t width = UINT64_C(1) << n, edges = width * (depth + n);
    np_leveled sizes = np_leveled_sizes(depth, width * (depth + UINT64_C(1)), edges, rows->straight ? edges : width * n,
                                        network->nodes, network->link_numbers);
    sizes.rows = (uint32_t)width;
    return sizes;
}

static np_status build(np_sort_rows *rows, unsigned phase)
{
    uint32_t n = rows->bits, depth = depth_of(rows, phase);
    np_leveled sizes = sizes_of(rows, phase);
    np_status st = np_leveled_create(&sizes, &rows->leveled[phase]);
    if (st)
        return st;
    for (uint32_t level = 0; level <= depth; level++)
        for (uint32_t row = 0; !(row >> n); row++)
            np_leveled_add_node(rows->leveled[phase], level, host_of(rows, level, row));
    for (uint32_t level = 0; level < depth; level++)
        for (uint32_t row = 0; !(row >> n); row++) {
            uint32_t bit = bit_of(rows, phase, level);
            add_edge(rows, phase, level, row, 0);
            if (bit < n)
                add_edge(rows, phase, level, row, UINT32_C(1) << bit);
        }
    return np_leveled_finish(rows->leveled[phase]);
}

np_status np_sort_rows_create(const np_sorting *sorting, np_sort_rows **out)
{
    np_sort_rows *rows;
    np_status st;
    *out = NULL;
    if ((st = np_memory_zeroed(&rows, 1, sizeof *rows, "a router")))
        return st;
    *rows = rows_of(sorting);
    if ((st = np_merge_create(&sorting->options->merge, &rows->merge)) || (st = build(rows, OUT)) ||
        (st = build(rows, HOME))) {
        np_sort_rows_free(rows);
        return st;
    }
    *out = rows;
    return NP_OK;
}

void np_sort_rows_free(np_sort_rows *rows)
{
    if (!rows)
        return;
    np_leveled_free(rows->leveled[OUT]);
    np_leveled_free(rows->leveled[HOME]);
    np_path_set_clear(&rows->path_set);
    np_merge_free(rows->merge);
    np_memory_free(rows);
}

/* Adds the hops of levels begin .. end-1, from `row` to `to`. If none of these levels crosses, the rows are the same.
   */
static void add_path(np_sort_rows *rows, unsigned phase, uint32_t begin, uint32_t end, uint32_t row, uint32_t to)
{
    for (uint32_t level = begin; level < end; level++) {
        uint32_t bit = bit_of(rows, phase, level);
        np_path_set_hop(&rows->path_set, bit < rows->bits ? (row ^ to) >> bit & 1 : 0);
    }
}

static void add_packet(np_sort_rows *rows, unsigned phase, uint32_t i, np_node from, np_node to, uint32_t middle)
{
    uint32_t n = rows->bits, s = rows->straight, row = s ? from / n : from, target = s ? to / n : to;
    if (phase == OUT) {
        uint32_t level = s ? from % n : 0;
        np_path_set_add(&rows->path_set, i, (level << n) + row, to);
        add_path(rows, phase, level, s + n, row, middle);
    } else {
        np_path_set_add(&rows->path_set, i, middle, to);
        add_path(rows, phase, 0, n + (s ? (n - to % n) % n : 0), middle, target);
    }
}

static uint64_t crossings(const np_path_set *path_set)
{
    uint64_t sum = 0;
    for (size_t hop = 0; hop < path_set->begin[path_set->packets]; hop++)
        sum += path_set->port[hop];
    return sum;
}

np_status np_sort_rows_run(np_sort_rows *rows, unsigned phase, np_draws draws, uint32_t packets, const np_node *from,
                           const np_node *to, const np_observer *observer, np_phase_run *out)
{
    const np_event_phase told = {.name = phase == OUT ? "out" : "home", .network = rows->network, .packets = packets};
    np_draws middle = np_draws_for(draws, NP_RANDOM_TARGET);
    size_t moving = 0;
    np_status st;
    for (uint32_t i = 0; i < packets; i++)
        moving += from[i] != to[i];
    if ((st = np_path_set_reset(&rows->path_set, moving, moving * depth_of(rows, phase))))
        return st;
    middle.phase = 0;
    for (uint32_t i = 0; i < packets; i++)
        if (from[i] != to[i])
            add_packet(rows, phase, i, from[i], to[i], np_random_below(&middle, i, 0, UINT32_C(1) << rows->bits));
    draws.phase = (uint16_t)phase;
    np_merge_job job = {.leveled = rows->leveled[phase],
                        .path_set = &rows->path_set,
                        .draws = draws,
                        .workers = rows->workers,
                        .observer = observer,
                        .phase = &told};
    if ((st = np_merge_run(rows->merge, &job, NULL, out)))
        return st;
    if (!rows->straight) /* on a hypercube only port 1 crosses a link */
        out->hops = crossings(&rows->path_set);
    return NP_OK;
}
