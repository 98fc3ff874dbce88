/*
 * A sorter of one's own: Batcher's bitonic sort on a complete network of 2^n nodes. Any two nodes are neighbours, so
 * that each of its n (n + 1) / 2 stages is one exchange over one link:
 *
 *     stage (k, j): places p and p ^ j compare; the smaller item goes to the lower place, or, where p has bit k, to the
 *                   higher one
 *
 * How many steps does it take, beside the same sort on a hypercube, and with several keys a node?
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <netpram/netpram.h>

static const char *refuses(const np_network *network)
{
    np_node nodes = np_network_nodes(network);
    if (strcmp(np_network_family_name(network), "complete"))
        return "it compares any two nodes";
    return nodes & (nodes - 1) ? "its number of nodes is no power of two" : NULL;
}

static np_status plan(np_sorting *sorting)
{
    return np_sorting_plan(sorting, np_network_nodes(np_sorting_network(sorting)));
}

static np_node node(const np_sorting *sorting, uint32_t place)
{
    (void)sorting;
    return place;
}

/* One stage. Both nodes of a pair send all their items; each keeps its half. */
static np_status exchange(np_sorting *sorting, uint32_t k, uint32_t j, uint32_t *scratch)
{
    uint32_t places = np_sorting_places(sorting), h = np_sorting_per_place(sorting);
    np_sort_cost cost = {.steps = h, .comparators = places / 2, .load_max = 2 * h, .congestion = h};
    cost.packets = cost.hops = (uint64_t)places * h;
    for (uint32_t p = 0; p < places; p++) {
        uint32_t *item = np_sorting_item(sorting, p), *other = np_sorting_item(sorting, p ^ j);
        if (p < (p ^ j))
            np_sort_merge_split(p & k ? other : item, p & k ? item : other, h, scratch);
    }
    np_sorting_charge(sorting, "exchange", &cost);
    return np_sorting_progress(sorting, "exchange");
}

static np_status run(np_sorting *sorting)
{
    uint32_t places = np_sorting_places(sorting), h = np_sorting_per_place(sorting);
    uint32_t *scratch = malloc(2 * (size_t)h * sizeof *scratch);
    np_status st = scratch ? NP_OK : np_status_raise(NP_ERROR_MEMORY, "no memory for a merge");
    for (uint32_t p = 0; p < places && !st; p++)
        np_sort_locally(np_sorting_item(sorting, p), h);
    for (uint32_t k = 2; k <= places && !st; k *= 2)
        for (uint32_t j = k / 2; j && !st; j /= 2)
            st = exchange(sorting, k, j, scratch);
    free(scratch);
    return st;
}

static const np_sorter_ops sorter = {
    .info = {.name = "bitonic-complete",
             .help = "bitonic sort between any two nodes",
             .source = "Batcher 1968",
             .networks = "complete, with 2^n nodes"},
    .indexing = "by node number",
    .oblivious = true,
    .refuses = refuses,
    .plan = plan,
    .node = node,
    .run = run,
};

static np_status steps_on(const char *spec, const char *algorithm, size_t keys)
{
    uint64_t key[256];
    np_sort_options options;
    np_sort_result *result = NULL;
    np_network *network = NULL;
    np_status st;
    np_sort_options_init(&options);
    options.algorithm = algorithm;
    if ((st = np_network_create(spec, &network)) || (st = np_keys_make("random", keys, 1, 0, key)) ||
        (st = np_sort(network, keys, key, &options, &result)))
        goto out;
    printf("%-12s %-16s %3zu keys: %2.0f steps%s\n", spec, algorithm, keys, result->steps.mean,
           result->sorted ? "" : ", but the keys are not sorted");
out:
    np_sort_result_free(result);
    np_network_free(network);
    return st;
}

int main(void)
{
    np_status st;
    if ((st = np_sorter_register(&sorter)) || (st = steps_on("hypercube:6", "bitonic", 64)) ||
        (st = steps_on("complete:64", "bitonic-complete", 64)) ||
        (st = steps_on("complete:64", "bitonic-complete", 256)))
        fprintf(stderr, "own_sorter: %s\n", np_last_error());
    return st != NP_OK;
}
