/*
 * The sorter `columnsort`: Columnsort (Leighton 1985) on networks that can sort columns by themselves (layout.h). The
 * permutations between the sorts are routed (router.h). On the shuffle-exchange it is the algorithm of Theorem 9.3 of
 * Leighton, Maggs, Ranade & Rao 1994, but sorts the butterflies by bitonic sort instead of the algorithm of section 8.
 *
 * Steps: 4 C + the routing of 4 permutations, where C steps sort the columns. On a snake only 2 permutations are
 * routed: shifted columns are pieces of the snake too, and are sorted where they are. The moves depend only on the
 * shape. So the number of steps depends on the seed, by the random choices of routing, but not on the keys.
 *
 * Theorem 9.3 has M / log M butterflies, two of them on each string. But there are nearly M / log M strings, twice as
 * many as Lemma 9.2 promises. So we put one butterfly on each string, and the shuffles have half as much to do. Nodes
 * that are not images hold no keys. Columnsort with r = M log M and s = M / log M sorts while log^3 M >= 2 M, or while
 * log^3 M >= M if r and s have no common divisor: M up to 2^9. For larger M the paper's O(log N) needs recursive
 * Columnsort or fewer columns. We take fewer columns, as many as r allows.
 */
#include "base/arena.h"
#include "base/memory.h"
#include "base/threads.h"
#include "work/sort/columnsort_routes.h"
#include "work/sort/layout.h"

typedef struct machine {
    np_sorting *sorting;
    unsigned workers;
    np_sort_layout layout;
    np_columnsort plan;
    np_columnsort_routes routes;
    uint32_t *scratch; /* [workers] of scratch_each */
    size_t scratch_each;
    void *block;
} machine;

static void layout(void *object, np_arena *arena)
{
    machine *m = object;
    np_arena_array(arena, &m->scratch, m->workers * m->scratch_each, sizeof *m->scratch, "the merges");
}

static np_status plan(np_sorting *sorting)
{
    np_sort_layout layout = np_sort_layout_of(sorting->network);
    return np_sorting_plan(sorting, (uint64_t)layout.columns * layout.column);
}

static np_node node(const np_sorting *sorting, uint32_t place)
{
    np_sort_layout layout = np_sort_layout_of(sorting->network);
    np_node *nodes, out = NP_NONE;
    if (np_memory_array(&nodes, sorting->places, sizeof *nodes, "the places"))
        return NP_NONE;
    if (!np_sort_layout_nodes(&layout, nodes))
        out = nodes[place];
    np_memory_free(nodes);
    return out;
}

typedef struct columns_to_sort {
    machine *m;
    uint32_t *item;
    const bool *idle;
} columns_to_sort;

static void sort_column(void *context, unsigned thread, uint32_t column)
{
    const columns_to_sort *all = context;
    const machine *m = all->m;
    if (!all->idle || !all->idle[column])
        np_sort_layout_sort(&m->layout, m->sorting->per_place, all->item + (size_t)column * m->plan.column,
                            m->scratch + thread * m->scratch_each);
}

static np_status sort_columns(void *context, uint32_t depth, uint32_t *item, uint32_t columns, const bool *idle)
{
    machine *m = context;
    np_sorting *sorting = m->sorting;
    uint32_t h = sorting->per_place, busy = 0;
    for (uint32_t c = 0; c < columns; c++)
        busy += !(idle && idle[c]);
    np_threads_each(sorting->workers, columns, sort_column, &(columns_to_sort){m, item, idle});
    np_sort_cost cost = np_sort_layout_cost(&m->layout, h, busy);
    np_sort_log_charge(&sorting->log, &sorting->clock, "columns", depth, &cost);
    return np_sorting_progress(sorting, "columns");
}

static np_status move(void *context, uint32_t depth, const char *stage, uint32_t count, const uint32_t *from,
                      const uint32_t *to)
{
    machine *m = context;
    return np_columnsort_routes_move(&m->routes, depth, stage, count, from, to);
}

static np_status plan_machine(machine *m, const np_sorting *sorting)
{
    uint32_t h = sorting->per_place;
    *m = (machine){.layout = np_sort_layout_of(sorting->network)};
    m->scratch_each = 2 * (size_t)m->layout.row * h;
    m->workers = sorting->workers;
    return np_columnsort_init(&m->plan, m->layout.column * h, 1, &m->layout.columns, m->layout.windows ? h : 1);
}

static np_status set_up(machine *m, np_sorting *sorting)
{
    np_status st = plan_machine(m, sorting);
    if (st)
        return st;
    m->sorting = sorting;
    if ((st = np_arena_place(m, layout, "the merges of Columnsort", &m->block)) ||
        (st = np_columnsort_routes_init(&m->routes, sorting, m->layout.columns)))
        return st;
    return np_sort_layout_nodes(&m->layout, m->routes.node);
}

static void clear(machine *m)
{
    np_columnsort_routes_clear(&m->routes);
    np_memory_free(m->block);
}

static np_status run(np_sorting *sorting)
{
    machine m;
    np_status st = set_up(&m, sorting);
    if (!st) {
        np_columnsort_machine each = {.context = &m, .sort = sort_columns, .move = move, .windows = m.layout.windows};
        st = np_columnsort_run(&m.plan, &each, sorting->item);
    }
    clear(&m);
    return st;
}

/* The columns are sorted four times. The fourth time leaves out the first column. */
static void predict(const np_sorting *sorting, np_sort_prediction *out)
{
    np_sort_layout layout = np_sort_layout_of(sorting->network);
    uint64_t s = layout.columns;
    np_sort_cost cost = np_sort_layout_cost(&layout, sorting->per_place, 1);
    *out = (np_sort_prediction){
        .steps = s > 1 ? 0 : cost.steps,
        .comparators = (s > 1 ? 4 * s - 1 : 1) * cost.comparators,
        .formula = "4 C and what the permutations take, C steps for a column: docs/columnsort.md has it",
    };
}

const np_sorter_ops np_sorter_columnsort = {
    .info = {"columnsort", "sorts the columns of a matrix four times, with permutations routed between",
             "Leighton 1985", .networks = "mesh, array, torus, ring, hypercube, butterfly, shuffle-exchange"},
    .indexing = "column by column: along a snake, by node, by row and level, or butterfly by butterfly",
    .oblivious = true,
    .heeds = "queue_size, room, trace",
    .refuses = np_sort_layout_refuses,
    .plan = plan,
    .node = node,
    .run = run,
    .predict = predict,
};
