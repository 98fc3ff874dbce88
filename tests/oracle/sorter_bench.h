/*
 * A sorter on its bench: run from inside, on items of the test's choice, and watched. What it says that it
 * sends over links is replayed on the network, by a list of who has seen what.
 */
#ifndef ORACLE_SORTER_BENCH_H
#define ORACLE_SORTER_BENCH_H

#include "sort/sorter.h"

typedef struct bench_hop {
    uint64_t step;
    np_node from, to;
    uint32_t item;
} bench_hop;

typedef struct sorter_bench {
    np_network *network;
    const np_sorter_ops *ops;
    np_sort_options options;
    np_sorting sorting; /* item: the room for places * per_place of them */
    np_sort_prediction predicted;
    uint64_t comparators, hops; /* of the last run */
    bench_hop *hop;
    size_t told, room;
} sorter_bench;

/* Everything must succeed. items: K. */
void sorter_bench_set_up(sorter_bench *bench, const char *spec, const char *algorithm, uint32_t items);
void sorter_bench_clear(sorter_bench *bench);

/* How many places * per_place. */
uint32_t sorter_bench_room(const sorter_bench *bench);

/* Sorts sorting.item, which the test has filled, with a new clock and log. */
void sorter_bench_run(sorter_bench *bench);

/* Are the items ascending? */
bool sorter_bench_sorted(const sorter_bench *bench);

/* Steps and comparators are as predicted. */
void sorter_bench_assert_predicted(const sorter_bench *bench);

/* All inputs of zeros and ones are sorted: at most 16 of them. */
void sorter_bench_assert_zero_one(sorter_bench *bench);

/*
 * Sorts distinct items in a random order, and replays the hops: over a link that the network has, one item a link and
 * step, sent by a node that has seen the item at the beginning of the step, all within the steps of the run. In the end
 * the node of every place has seen the item that is there. As many hops as were counted.
 */
void sorter_bench_assert_replay(sorter_bench *bench, uint64_t seed);

/* np_sort with every allocation made to fail in turn, and cancelled at every call of on_progress in turn: it fails
   until it succeeds. */
void sorter_bench_assert_gives_up(const np_network *network, const char *algorithm, size_t keys, const uint64_t *key);

#endif
