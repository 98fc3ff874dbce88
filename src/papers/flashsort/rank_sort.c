/*
 * Sorting by ranks as a sorter of its own (Nassimi & Sahni 1982; Leighton, Maggs, Ranade & Rao 1994, section 8.1, step
 * 3, and section 10). Every key is compared with every other key, on a square of nodes, and goes to the place of its
 * rank. The number of keys is at most the side of the square: 2^floor(n/2) on a butterfly of 2^n rows and on a
 * hypercube, at level 0 of the first rows (np_block_rank_sort), and the lesser side of a mesh, in its first row.
 *
 * On a mesh, with K keys and nodes (h, i), h, i < K:
 *   1. Key i walks down column i and leaves a copy at each node.
 *   2. From (h, h) key h walks along row h both ways and leaves copies: (h, i) has the keys h and i, and compares them.
 *   3. Along row h the outcomes are summed up both ways: each node knows how many keys are below key h.
 *   4. From (h, rank) key h walks up. No two keys walk in one column, as no two have the same rank.
 * Each of the four takes K - 1 steps.
 */
#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "papers/flashsort/block.h"

static const char *refuses(const np_network *network)
{
    return np_sort_host_refuses("rank-sort", network, "it is no butterfly, hypercube or mesh");
}

static const char *refuses_mesh(const np_network *network)
{
    return network->dimensions == 2 ? NULL : "it has not two dimensions";
}

static np_status plan_most(np_sorting *sorting, uint32_t most)
{
    sorting->places = most;
    sorting->per_place = 1;
    if (sorting->items > sorting->places)
        return NP_RAISE(
            NP_ERROR_LIMIT,
            "%s: %u keys: rank-sort compares each with each in a square of nodes, and takes at most %u here",
            np_network_spec(sorting->network), sorting->items, sorting->places);
    return NP_OK;
}

static np_status plan_blocks(np_sorting *sorting)
{
    return plan_most(sorting, UINT32_C(1) << sorting->network->dimensions / 2);
}

static np_node node_of_row(const np_sorting *sorting, uint32_t place)
{
    return np_network_is(sorting->network, NP_KIND_BUTTERFLY) ? place * sorting->network->dimensions : place;
}

static np_status run_block(np_sorting *sorting)
{
    const np_network *network = sorting->network;
    np_block block = {.bits = network->dimensions,
                      .hypercube = np_network_is(network, NP_KIND_HYPERCUBE),
                      .wrapped = np_network_is(network, NP_KIND_BUTTERFLY),
                      .log = &sorting->log,
                      .clock = &sorting->clock};
    np_status st = np_memory_array(&block.scratch, np_block_scratch(2 * np_log2_up(sorting->items)),
                                   sizeof *block.scratch, "the square of comparisons");
    if (st)
        return st;
    np_block_rank_sort(&block, "ranks", sorting->items, sorting->item);
    np_memory_free(block.scratch);
    return np_sorting_progress(sorting, "ranks");
}

static void predict_blocks(const np_sorting *sorting, np_sort_prediction *out)
{
    uint64_t K = sorting->items, n = sorting->network->dimensions, a = np_log2_up(K);
    bool hypercube = np_network_is(sorting->network, NP_KIND_HYPERCUBE);
    *out = (np_sort_prediction){K > 1 ? 2 * n + 2 * a : 0, K * (K - 1), "2 n + 2 a, a = ceil(log2 K)"};
    if (hypercube)
        *out = (np_sort_prediction){4 * a, K * (K - 1), "4 a, a = ceil(log2 K)"};
}

const np_sort_host np_rank_sort_blocks = {
    .sorters = "rank-sort",
    .networks = NP_KIND_BUTTERFLY | NP_KIND_HYPERCUBE,
    .plan = plan_blocks,
    .node = node_of_row,
    .run = run_block,
    .predict = predict_blocks,
};

/* ---- The mesh ---- */

static void tell(const np_sorting *s, uint64_t step, size_t h, size_t i, size_t to_h, size_t to_i, uint32_t word,
                 np_sort_sending how)
{
    uint32_t side = s->network->side[1];
    np_link link = np_network_link_between(s->network, (np_node)(h * side + i), (np_node)(to_h * side + to_i));
    np_sort_teller_send(s->log.teller, step, link, word, how);
}

/* Tells of steps 1 and 2. */
static void tell_meeting(const np_sorting *s, uint64_t step)
{
    size_t K = s->items;
    for (size_t h = 1; h < K; h++, step++)
        for (size_t i = 0; i < K; i++)
            tell(s, step + 1, h - 1, i, h, i, s->item[i], NP_SORT_COPIES);
    for (size_t away = 1; away < K; away++, step++)
        for (size_t h = 0; h + away < K; h++) {
            size_t other = h + away;
            tell(s, step + 1, h, other - 1, h, other, s->item[h], NP_SORT_COPIES);
            tell(s, step + 1, other, h + 1, other, h, s->item[other], NP_SORT_COPIES);
        }
}

/* Tells of step 3: sums go along the rows both ways, and take the outcomes along. */
static void tell_sums(const np_sorting *s, uint64_t step)
{
    uint32_t K = s->items, side = s->network->side[1];
    uint32_t right = np_sort_teller_numbers(s->log.teller, 2 * K), left = right + K;
    for (uint32_t h = 0; h < K; h++) {
        np_sort_teller_put(s->log.teller, step, right + h, h * side);
        np_sort_teller_put(s->log.teller, step, left + h, h * side + K - 1);
    }
    for (size_t i = 1; i < K; i++, step++)
        for (uint32_t h = 0; h < K; h++) {
            tell(s, step + 1, h, i - 1, h, i, right + h, NP_SORT_MOVES);
            tell(s, step + 1, h, K - i, h, K - 1 - i, left + h, NP_SORT_MOVES);
        }
}

/* Tells of step 4. */
static void tell_sending(const np_sorting *s, uint64_t step, const uint32_t *theirs, const uint32_t *rank)
{
    size_t K = s->items;
    for (size_t h = 1; h < K; h++)
        for (size_t k = 0, i = rank[h * K]; k < h; k++)
            tell(s, step + k + 1, h - k, i, h - k - 1, i, theirs[h * K], NP_SORT_MOVES);
}

/* Step 1, by rows, and step 2, by distances from the diagonal. mine[(h, i)] = key i, theirs[(h, i)] = key h. */
static void meet(uint32_t K, const uint32_t *item, uint32_t *mine, uint32_t *theirs, np_sort_cost *cost)
{
    memcpy(mine, item, K * sizeof *mine);
    for (size_t h = 1; h < K; h++, cost->steps++, cost->hops += K)
        memcpy(mine + h * K, mine + (h - 1) * K, K * sizeof *mine);
    for (size_t h = 0; h < K; h++)
        theirs[h * K + h] = mine[h * K + h];
    for (size_t away = 1; away < K; away++, cost->steps++) {
        for (size_t h = 0; h + away < K; h++) {
            theirs[h * K + h + away] = theirs[h * K + h + away - 1];
            size_t other = h + away; /* as far from the last row, to the left */
            theirs[other * K + h] = theirs[other * K + h + 1];
            cost->hops += 2;
        }
    }
}

/* Step 3, by columns, from both ends: sums of the outcomes before and behind each node. */
static void count_below(uint32_t K, const uint32_t *mine, const uint32_t *theirs, uint32_t *rank, uint32_t *behind,
                        np_sort_cost *cost)
{
    for (size_t w = 0; w < (size_t)K * K; w++)
        rank[w] = behind[w] = mine[w] < theirs[w];
    for (size_t i = 1; i < K; i++, cost->steps++) {
        for (size_t h = 0; h < K; h++) {
            rank[h * K + i] += rank[h * K + i - 1];
            behind[h * K + K - 1 - i] += behind[h * K + K - i];
        }
        cost->hops += 2 * (uint64_t)K;
    }
    for (size_t w = 0; w < (size_t)K * K; w++)
        rank[w] += behind[w] - (mine[w] < theirs[w]);
    cost->comparators += (uint64_t)K * (K - 1);
}

/* Step 4: all walk at once, key h for h steps. */
static void send(uint32_t K, const uint32_t *theirs, const uint32_t *rank, uint32_t *item, np_sort_cost *cost)
{
    memset(item, 0xff, K * sizeof *item); /* NP_NONE */
    for (size_t h = 0; h < K; h++) {
        size_t i = rank[h * K + h];
        assert(rank[h * K + i] == i && item[i] == NP_NONE);
        item[i] = theirs[h * K + i];
        cost->hops += h;
    }
    cost->steps += K - 1;
}

static np_status run_mesh(np_sorting *sorting)
{
    uint32_t K = sorting->items, *square;
    size_t nodes = (size_t)K * K;
    np_status st = np_memory_array(&square, 4 * nodes, sizeof *square, "the square of comparisons");
    if (st)
        return st;
    uint32_t *mine = square, *theirs = mine + nodes, *rank = theirs + nodes, *behind = rank + nodes;
    np_sort_cost cost = {.packets = K, .load_max = 2};
    if (sorting->log.teller)
        tell_meeting(sorting, 0);
    meet(K, sorting->item, mine, theirs, &cost);
    if (sorting->log.teller)
        tell_sums(sorting, cost.steps);
    count_below(K, mine, theirs, rank, behind, &cost);
    if (sorting->log.teller)
        tell_sending(sorting, cost.steps, theirs, rank);
    send(K, theirs, rank, sorting->item, &cost);
    np_sorting_charge(sorting, "ranks", &cost);
    np_memory_free(square);
    return np_sorting_progress(sorting, "ranks");
}

static np_status plan_mesh(np_sorting *sorting)
{
    const uint32_t *side = sorting->network->side;
    return plan_most(sorting, side[0] < side[1] ? side[0] : side[1]);
}

static np_node node_of_first_row(const np_sorting *sorting, uint32_t place)
{
    (void)sorting;
    return place;
}

static void predict_mesh(const np_sorting *sorting, np_sort_prediction *out)
{
    uint64_t K = sorting->items;
    *out = (np_sort_prediction){4 * (K - 1), K * (K - 1), "4 (K - 1)"};
}

const np_sort_host np_rank_sort_mesh = {
    .sorters = "rank-sort",
    .networks = NP_KIND_MESH,
    .refuses = refuses_mesh,
    .plan = plan_mesh,
    .node = node_of_first_row,
    .run = run_mesh,
    .predict = predict_mesh,
};

const np_sorter_ops np_sorter_rank_sort = {
    .info = {"rank-sort", "each key is compared with each: few keys, sqrt(rows) or one side",
             "Nassimi & Sahni 1982; Leighton, Maggs, Ranade & Rao 1994, sections 8.1 and 10",
             .networks = "butterfly, hypercube, mesh of two dimensions"},
    .indexing = "rows in order, at level 0; along the first row of a mesh",
    .oblivious = true,
    .heeds = "trace",
    .refuses = refuses,
    NP_SORT_BY_HOSTS,
    .predict = np_sort_host_predict,
};
