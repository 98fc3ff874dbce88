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
#include "base/memory.h"
#include "base/threads.h"
#include "work/sort/columnsort.h"
#include "work/sort/layout.h"

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

typedef struct machine {
    np_sorting *sorting;
    np_sort_layout layout;
    uint32_t *item;    /* of the columns that are being sorted */
    uint32_t *scratch; /* [workers] of scratch_each */
    size_t scratch_each;
} machine;

static void sort_column(void *context, unsigned thread, uint32_t column)
{
    const machine *m = context;
    uint32_t h = m->sorting->per_place;
    np_sort_layout_sort(&m->layout, h, m->item + (size_t)column * m->layout.column * h,
                        m->scratch + thread * m->scratch_each);
}

static np_status sort_columns(void *context, uint32_t *item, uint32_t first, uint32_t columns)
{
    machine *m = context;
    np_sorting *sorting = m->sorting;
    (void)first;
    m->item = item;
    np_threads_each(sorting->workers, columns, sort_column, m);
    np_sort_cost cost = np_sort_layout_cost(&m->layout, sorting->per_place, columns);
    np_sort_log_charge(&sorting->log, &sorting->clock, "columns", 0, &cost);
    return np_sorting_progress(sorting, "columns");
}

static np_status nodes(const void *context, np_node *node)
{
    return np_sort_layout_nodes(&((const machine *)context)->layout, node);
}

static np_status run(np_sorting *sorting)
{
    machine m = {.sorting = sorting, .layout = np_sort_layout_of(sorting->network)};
    const np_columnsort_host host = {.columns = m.layout.columns,
                                     .column = m.layout.column,
                                     .windows = m.layout.windows,
                                     .nodes = nodes,
                                     .sort = sort_columns,
                                     .context = &m};
    m.scratch_each = 2 * (size_t)m.layout.row * sorting->per_place;
    np_status st = np_memory_array(&m.scratch, sorting->workers * m.scratch_each, sizeof *m.scratch, "the merges");
    if (!st)
        st = np_columnsort_on_network(sorting, &host);
    np_memory_free(m.scratch);
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
