/*
 * Odd-even transposition sort (Knuth, The Art of Computer Programming 3, section 5.3.4): N stages, in which the pairs
 * (0,1), (2,3), .. and (1,2), (3,4), .. of a line take turns. It sorts N keys in N stages; fewer stages are not enough
 * on a line. The line is the array, the ring without one link, or the snake of a mesh or torus.
 *
 * With h keys a place, a stage is a merge-split: both places send all their keys, in h steps.
 */
#include "base/hot.h"
#include "base/memory.h"
#include "work/sort/comparators.h"
#include "model/network/axes.h"
#include "work/sort/sorter.h"

static const char *refuses(const np_network *network)
{
    return np_network_is(network, NP_KIND_GRIDS) ? NULL : "it is no mesh or torus";
}

static np_status plan(np_sorting *sorting) { return np_sorting_plan(sorting, sorting->network->nodes); }

static np_node node(const np_sorting *sorting, uint32_t place) { return np_network_snake(sorting->network, place); }

/* item[0], item[1]; item[2], item[3]; .. : each pair in order. */
NP_HOT static void compare_pairs(uint32_t *item, uint32_t pairs)
{
    for (uint32_t i = 0; i < pairs; i++) {
        uint32_t a = item[2 * (size_t)i], b = item[2 * (size_t)i + 1];
        item[2 * (size_t)i] = a < b ? a : b;
        item[2 * (size_t)i + 1] = a < b ? b : a;
    }
}

/* One stage: compares the pairs from place 0 or 1 on. */
static void stage(np_sorting *s, uint32_t first, uint32_t *scratch)
{
    uint32_t h = s->per_place, pairs = (s->places - first) / 2, *item = s->item + (size_t)first * h;
    np_sort_cost cost = {.steps = h, .load_max = 2 * h, .congestion = h, .comparators = pairs};
    cost.packets = cost.hops = 2 * cost.comparators * h;
    for (uint32_t p = first; s->log.teller && p + 1 < s->places; p += 2)
        np_sort_tell_pair(s->log.teller, 0, node(s, p), node(s, p + 1), s->item + (size_t)p * h,
                          s->item + (size_t)(p + 1) * h, h, 0);
    if (h == 1)
        compare_pairs(item, pairs);
    else
        for (uint32_t i = 0; i < pairs; i++, item += 2 * (size_t)h)
            np_sort_merge_split(item, item + h, h, scratch);
    np_sorting_charge(s, "transposition", &cost);
}

static np_status run(np_sorting *sorting)
{
    uint32_t h = sorting->per_place, *scratch;
    np_status st = np_memory_array(&scratch, 2 * (size_t)h, sizeof *scratch, "a merge");
    if (st)
        return st;
    for (uint32_t p = 0; p < sorting->places; p++)
        np_sort_locally(sorting->item + (size_t)p * h, h);
    for (uint32_t i = 0; i < sorting->places && !st; i++) {
        stage(sorting, i % 2, scratch);
        st = np_sorting_progress(sorting, "transposition");
    }
    np_memory_free(scratch);
    return st;
}

static void predict(const np_sorting *sorting, np_sort_prediction *out)
{
    *out = (np_sort_prediction){.steps = (uint64_t)sorting->places * sorting->per_place,
                                .comparators = np_comparators_transposition(sorting->places),
                                .formula = "h N"};
}

/* No other sorter sorts a line in fewer steps; in more dimensions other sorters do. */
static bool suits(const np_network *network) { return network->dimensions == 1; }

const np_sorter_ops np_sorter_transposition = {
    .info = {"odd-even-transposition", "neighbours compare and exchange in turn, N steps", "Knuth 1973, section 5.3.4",
             .networks = "array, ring, mesh, torus"},
    .indexing = "along the array; on a mesh or torus along its snake",
    .oblivious = true,
    .heeds = "trace",
    .refuses = refuses,
    .suits = suits,
    .plan = plan,
    .node = node,
    .run = run,
    .predict = predict,
};
