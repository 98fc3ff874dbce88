/*
 * Odd-even transposition sort on a linear array (Knuth, The Art of Computer
 * Programming 3, section 5.3.4): N stages, in which the pairs (0,1), (2,3), ..
 * and (1,2), (3,4), .. take turns. Sorts N keys in N stages, and no fewer will do.
 *
 * With h keys a place a stage is a merge-split: both places send all they have, h
 * steps.
 */
#include <string.h>

#include "base/memory.h"
#include "sort/sorter.h"

static const char *refuses(const np_network *network)
{
    return strcmp(np_network_family_name(network), "array") ? "it is no linear array" : NULL;
}

static np_status plan(np_sorting *sorting) { return np_sorting_plan(sorting, sorting->network->nodes); }

static np_node node(const np_sorting *sorting, uint32_t place)
{
    (void)sorting;
    return place;
}

static np_status run(np_sorting *sorting)
{
    uint32_t h = sorting->per_place, places = sorting->places, *scratch;
    np_status st = np_memory_array(&scratch, 2 * (size_t)h, sizeof *scratch, "a merge");
    if (st)
        return st;
    for (uint32_t p = 0; p < places; p++)
        np_sort_locally(sorting->item + (size_t)p * h, h);
    for (uint32_t stage = 0; stage < places && !st; stage++) {
        np_sort_cost cost = {.steps = h, .load_max = 2 * h};
        for (uint32_t p = stage % 2; p + 1 < places; p += 2) {
            np_sort_merge_split(sorting->item + (size_t)p * h, sorting->item + (size_t)(p + 1) * h, h, scratch);
            cost.comparators++;
        }
        cost.packets = cost.hops = 2 * cost.comparators * h;
        np_sorting_charge(sorting, "transposition", &cost);
        st = np_sorting_progress(sorting, "transposition");
    }
    np_memory_free(scratch);
    return st;
}

static void predict(const np_sorting *sorting, np_sort_prediction *out)
{
    uint64_t n = sorting->places, h = sorting->per_place;
    /* N odd: (N-1)/2 comparators in each of the N stages; N even: N/2 and N/2 - 1 in turn. */
    *out = (np_sort_prediction){.steps = n * h, .comparators = n * (n - 1) / 2, .formula = "h N"};
}

const np_sorter_ops np_sorter_transposition = {
    .info = {"odd-even-transposition", "array", "neighbours compare and exchange in turn, N steps",
             "Knuth 1973, section 5.3.4", "along the array", true},
    .refuses = refuses,
    .plan = plan,
    .node = node,
    .run = run,
    .predict = predict,
};
