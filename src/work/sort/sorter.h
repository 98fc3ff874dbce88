/*
 * Sorters (np_sorter_ops, in netpram/sort.h): each has one const descriptor and one line in sorters.c. The driver
 * (sort.c) turns keys into items, puts them at the sorter's places, lets it sort, and checks the result.
 *
 * Items. An item is the number of its key in the order of (key, origin): one word that compares as the pair does. A
 * sorter compares items and moves them, and uses their values for nothing else. It would make the same moves with any
 * other words in the same order (tests run sorters on items with gaps to check this). NP_NONE stands for no item, and
 * compares as the infinite key that fills up places.
 */
#pragma once

#include "base/log2.h"
#include "engine/merging/merge.h"
#include "model/network/network.h"
#include "work/sort/keys.h"
#include "work/sort/log.h"

struct np_sorting {
    const np_network *network;
    const np_sort_options *options; /* resolved: constants are not 0, algorithm is not NULL */
    const np_sorter_ops *ops;
    bool stopped;     /* on_stage has cancelled the run */
    bool elsewhere;   /* the sorter works on a copy of the items: between the stages there is nothing to show */
    np_draws draws;   /* seed and run; each stage sets purpose and phase */
    unsigned workers; /* threads that may be used; results do not depend on it */
    uint32_t items;   /* K */

    /* Set by plan(). */
    uint32_t places, per_place; /* items fit: K <= places * per_place */
    uint64_t predicted;         /* steps of a run, by predict(); 0: not known */

    /* [places * per_place] place p has item[p * per_place] ..; before the run: the K items in the order of their
       origins, then NP_NONE. After the run: ascending. */
    uint32_t *item;
    np_sort_log log; /* with the teller, if somebody observes */
    np_sort_clock clock;
};

/* The registry of sorters, in sorters.c: the first that applies and suits is the default. */
extern const np_registry np_sorters;

/*
 * A sorter that is another algorithm on other networks has a host for each: the functions are those of np_sorter_ops,
 * and the sorter's own are np_sort_host_plan, .. Hosts are listed in sorters.c.
 */
typedef struct np_sort_host {
    const char *sorters; /* "bitonic, odd-even-merge" */
    np_kind networks;
    const char *(*refuses)(const np_network *network); /* NULL: none of them */
    np_status (*plan)(np_sorting *sorting);
    np_node (*node)(const np_sorting *sorting, uint32_t place);
    np_status (*run)(np_sorting *sorting);
    void (*predict)(const np_sorting *sorting, np_sort_prediction *out);
    uint32_t (*string_bits)(const np_network *network); /* the preset of this constant; NULL: 0 */
} np_sort_host;

/* NULL: the sorter has no host for the network. */
const np_sort_host *np_sort_host_of(const char *sorter, const np_network *network);

/* NULL, or why not; `why` if there is no host. */
const char *np_sort_host_refuses(const char *sorter, const np_network *network, const char *why);

np_status np_sort_host_plan(np_sorting *sorting) NP_CHECKED;
np_node np_sort_host_node(const np_sorting *sorting, uint32_t place);
np_status np_sort_host_run(np_sorting *sorting) NP_CHECKED;
void np_sort_host_predict(const np_sorting *sorting, np_sort_prediction *out);
#define NP_SORT_BY_HOSTS .plan = np_sort_host_plan, .node = np_sort_host_node, .run = np_sort_host_run

/* By name; NP_ERROR_INPUT with the nearest one. */
np_status np_sorter_find(const char *name, const np_sorter_ops **out) NP_CHECKED;

/* Do the options of the keys go together? given: the call gives keys, which need none. NP_ERROR_INPUT. */
np_status np_sort_options_check(const np_sort_options *options, bool given) NP_CHECKED;

/*
 * Has the sorter, on the network, a use for the constants that are neither 0 nor those of the preset? NP_ERROR_APPLY.
 */
np_status np_sort_options_check_constants(const np_sort_options *options, const np_sort_constants *preset,
                                          const np_sorter_ops *ops, const np_network *network) NP_CHECKED;

/* Threads for the routing on columns of `rows` rows. It is one thread, unless several threads would work far longer
   than they would wait for each other, even on a machine that is busy with other things. */
unsigned np_sorting_threads(const np_sorting *sorting, uint64_t rows);

/* Shows the items to on_stage, if there is one. */
void np_sorting_show(np_sorting *sorting, const char *stage, bool last);

/* Gives the infinite keys behind the last item numbers, so that observers tell them apart, or takes the numbers away.
   Only if somebody observes: then sorters compare items and no more. */
void np_sorting_number_infinite(np_sorting *sorting, bool number);

/*
 * Tells observers that the h items of a place go from node to node, one a step, after `wait` steps of the present
 * stage. Every link carries at most one item a step. To be called before the stage is charged, and only if there is a
 * teller.
 */
void np_sorting_tell(const np_sorting *sorting, uint64_t wait, np_node from, np_node to, const uint32_t *item,
                     np_sort_sending how);

/* The same for two nodes that compare h items each. There may be no item, NP_NONE. kind: what the items are
   (np_sort_teller_copy). */
void np_sort_tell_pair(np_sort_teller *teller, uint64_t wait, np_node low, np_node high, const uint32_t *low_item,
                       const uint32_t *high_item, uint32_t h, uint32_t kind);
