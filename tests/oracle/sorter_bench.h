/*
 * A sorter on its bench: it is run from inside, on items of the test's choice, and watched. The hops that it reports
 * are replayed on the network, with a list of the items that each node has seen.
 */
#ifndef ORACLE_SORTER_BENCH_H
#define ORACLE_SORTER_BENCH_H

#include "work/sort/sorter.h"

typedef struct bench_hop {
    uint64_t step;
    np_node from, to;
    uint32_t item;
} bench_hop;

typedef struct sorter_bench {
    np_network *network;
    const np_sorter_ops *ops;
    np_sort_options options;
    np_sorting sorting; /* item: room for places * per_place items */
    np_sort_prediction predicted;
    uint64_t comparators, hops; /* counts of the last run */
    bench_hop *hop;
    size_t told, room;
    uint64_t passed; /* steps of the phases before */
    uint32_t *item;  /* [packets] of the present phase: the item that each packet is */
} sorter_bench;

/* Sets up a bench; fails the test if a call fails. items: K. */
void sorter_bench_set_up(sorter_bench *bench, const char *spec, const char *algorithm, uint32_t items);
void sorter_bench_clear(sorter_bench *bench);

/* The number of items, places * per_place. */
uint32_t sorter_bench_room(const sorter_bench *bench);

/* Sorts sorting.item, which the test has filled, with a new clock and log. */
void sorter_bench_run(sorter_bench *bench);

/* Are the items ascending? */
bool sorter_bench_sorted(const sorter_bench *bench);

/* Checks that steps and comparators are as predicted. */
void sorter_bench_assert_predicted(const sorter_bench *bench);

/* Checks that all inputs of zeros and ones come out sorted; for at most 16 items. */
void sorter_bench_assert_zero_one(sorter_bench *bench);

/*
 * Sorts distinct items in a random order, and replays the hops. A hop must go over a link of the network, alone on the
 * link in its step, from a node that has seen the item at the beginning of the step, within the steps of the run. In
 * the end the node of every place must have seen the item that is there. There must be as many hops as were counted.
 */
void sorter_bench_assert_replay(sorter_bench *bench, uint64_t seed);

/* Runs np_sort with every allocation made to fail in turn, and cancelled at every call of its watch in turn: np_sort
   must fail until it succeeds. */
void sorter_bench_assert_gives_up(const np_network *network, const char *algorithm, size_t keys, const uint64_t *key);

#endif
