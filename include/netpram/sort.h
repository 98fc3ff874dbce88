/*
 * Sorting on networks: steps of the network, which are counted, put the keys at
 * the nodes in order (Leighton, Maggs, Ranade & Rao 1994, sections 8 to 10;
 * Batcher 1968; Leighton 1985). Most stages are executed packet by packet. The
 * others are charged by an exact formula or an upper bound; docs/sorting.md lists
 * them. The local work of nodes is free, as in routing: a step moves at most one
 * packet over each link.
 *
 * A sorter is a named algorithm on a network. It has places for keys, in an order
 * of its own (its indexing: rows of a butterfly, the snake of a mesh, ...). Before
 * the sort, key i is at place i; after it, the i-th least key is there. With more
 * keys than places, each place holds `per_place` keys; missing keys at the end are
 * infinite. Equal keys keep their order: ties break by origin, so every sorter is
 * stable.
 *
 *     np_sort_options options;
 *     np_sort_options_init(&options);
 *     options.algorithm = "flashsort";
 *     np_sort(network, 1000, key, &options, &result);
 */
#ifndef NETPRAM_SORT_H
#define NETPRAM_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "netpram/base.h"
#include "netpram/engine.h"
#include "netpram/field.h"
#include "netpram/merging.h"
#include "netpram/network.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/*
 * Keys to sort: read from a file or made. They are unsigned words that compare as
 * the keys compare. Integers and floating-point numbers are mapped to words in
 * their order. Lines of text are numbered in the order of their bytes; equal lines
 * have the same number.
 */

typedef enum np_key_kind {
    NP_KEYS_AUTO,     /**< integers if all lines are, else numbers if all are, else text */
    NP_KEYS_INTEGERS, /**< -2^63 .. 2^64-1; all of them in the range of int64 or all in that of uint64 */
    NP_KEYS_FLOATS,   /**< decimal, as strtod reads them in the C locale; NaN is refused, -0 is below 0 */
    NP_KEYS_TEXT      /**< lines, compared byte by byte */
} np_key_kind;

typedef struct np_keys np_keys;

/** The words of np_key_kind. */
extern const char *const np_keys_kind_words[];

/** "auto", "integers", "floats", "text"; NULL for other values. */
const char *np_keys_kind_name(np_key_kind kind);

/**
 * Reads one key from each line. An empty line is a key of text; for other kinds it is skipped. Lines end in LF or CRLF,
 * which is no part of the key; the last line needs no end. Spaces around a number are skipped, and so is a byte order
 * mark at the beginning. Whole numbers that fit no word are refused, also with NP_KEYS_AUTO: as floats they would be
 * rounded.
 * @return NP_ERROR_IO; NP_ERROR_INPUT: a line that is not a key (with the line), no key at all, or a zero byte;
 *         NP_ERROR_LIMIT (an endless file); NP_ERROR_MEMORY
 */
np_status np_keys_read(const char *path, np_key_kind kind, np_keys **out) NP_CHECKED;

/**
 * Makes keys: `order` is a name from NP_LIST_ORDERS. A function of its arguments alone.
 * @param count  up to 2^31; 0 only checks the name
 * @param key    [count], unchanged on error; may be NULL if count is 0
 * @return NP_ERROR_INPUT with the nearest name
 */
np_status np_keys_make(const char *order, size_t count, uint64_t seed, uint32_t run, uint64_t *key) NP_CHECKED;

size_t np_keys_count(const np_keys *keys);
np_key_kind np_keys_kind(const np_keys *keys);
const uint64_t *np_keys_words(const np_keys *keys); /**< [count] */

/**
 * Writes a line for each key, key order[0] first: the line as it was read; of a key that was made, its word in decimal.
 * The file appears when it is whole. NP_ERROR_IO.
 */
np_status np_keys_write(const np_keys *keys, const uint32_t *order, const char *path) NP_CHECKED;

/** NULL is allowed. */
void np_keys_free(np_keys *keys);

/** The default sorter: of the sorters for the network, the one that takes the fewest steps at sizes that run.
 *  NP_ERROR_APPLY if there is none. */
np_status np_sorter_default(const np_network *network, const np_entry **out) NP_CHECKED;

/** NP_OK, NP_ERROR_INPUT (unknown name, with the nearest) or NP_ERROR_APPLY with the reason. */
np_status np_sorter_applies(const char *algorithm, const np_network *network) NP_CHECKED;

/**
 * The constants of the randomized sorters. The analysis of section 8 needs
 * sufficiently large constants; the defaults work at sizes that run (docs/flashsort.md has both). 0: the default.
 * np_sort refuses another value of a constant for which the sorter has no use on the network (NP_ERROR_APPLY).
 */
typedef struct np_sort_constants {
    double candidates; /**< expected candidates of a block of 2^L inputs, in units of 2^floor(L/2), the most that can
                            be sorted by ranks; of a box of M nodes of an array, in units of sqrt(M).
                            Default 2/3 */
    uint32_t oversampling; /**< s: every s-th candidate is a splitter; in the paper s is log2 N */
    uint32_t lightness;    /**< the recursive subroutine gets at most N / 2^lightness keys */
    uint32_t cutoff;       /**< blocks of at most this many inputs are sorted by odd-even merging, boxes by the method
                                 that ends their recursion: default 512 */
    uint32_t redraws;      /**< most new sets of splitters that a block draws before it falls back */
    uint32_t group;        /**< rows (1-dimensional arrays) to which the full sort sends one interval: flashsort takes
                                 the next power of two, at most 64 */
    uint32_t string_bits;  /**< on a shuffle-exchange of n bits: butterflies of 2^(n - string_bits) rows are embedded,
                              one  for each string of so many bits (Leighton, Maggs, Ranade & Rao 1994, section 9). 0:
                              n/2,  or n/3 if n is odd */
    uint32_t spare;        /**< 0: the place of a later member */
    uint64_t reserved[3];  /**< 0: the place of later members */
} np_sort_constants;

/** A sort at work; see below. */
typedef struct np_sorting np_sorting;

/** Where the keys are between two stages. Borrowed until the call returns. */
typedef struct np_sort_seen {
    const np_sorting *sorting;
    const char *stage; /**< that has been done; "" before the first */
    bool last;         /**< the run is over */
    uint32_t run;      /**< its number */
    uint32_t keys;     /**< finite keys: items below this, which stand for the keys in their order */
    uint32_t places, per_place;
    const uint32_t *item; /**< [places * per_place] place by place; `keys` or more: infinite */
} np_sort_seen;

typedef struct np_sort_options {
    size_t size;       /**< of this structure; set by the initialiser */
    const char *input; /**< file of the keys, one a line; NULL (default): they are made */
    np_key_kind kind;  /**< of the keys of the file; default NP_KEYS_AUTO */
    const char *order; /**< in which keys are made, anew in each run: a name from `netpram list`; default "random" */
    uint64_t keys;     /**< how many are made; 0 (default): one a place */
    const char *algorithm;  /**< a name from `netpram list`; NULL: the network's default */
    uint64_t seed;          /**< default 1 */
    uint32_t runs;          /**< default 1; run r draws everything anew */
    uint32_t first_run;     /**< number of the first run, default 0; run r is the same run in any call */
    unsigned threads;       /**< 0 (default): one a processor. Changes no result */
    np_merge_options merge; /**< how routed packets are merged; only these have an effect: queue_size, room, rank_range,
                                 independence, and ranks (random or hash) */
    np_sort_constants constants;
    np_watch watch; /**< is told now and then how far the call is, and may cancel it */
    /**
     * Gets the events (netpram/engine.h) of every run: each stage is a phase. Packets are keys; docs/outputs.md says
     * how. One thread works then. NP_ERROR_APPLY: the sorter is not observed. NULL (default): nobody.
     */
    const np_observer *observer;
    uint64_t memory_limit; /**< bytes; what needs more is refused before it is sorted, and what is kept for an observer
                              as it grows. The keys given are not counted. 0 (default): what is available */
    /**
     * Gets the items before the first stage, after each stage of the whole network, and at the end of each run;
     * non-zero cancels. `columnsort` and `flashsort`, whose blocks work at the same time, and merging on all levels of
     * a butterfly tell the beginning and the end only. One thread works then. NULL (default): nobody
     */
    int (*on_stage)(void *context, const np_sort_seen *seen);
    void *on_stage_context;
} np_sort_options;

extern const np_fields np_sort_options_fields;

/** Fills in the defaults. */
static inline void np_sort_options_init(np_sort_options *options)
{
    np_options_init(&np_sort_options_fields, options, sizeof *options);
}

enum { NP_SORT_NAME = 32, NP_SORT_TEXT = 160 };

/** Does the sorter use the option, or can it be observed ("trace")? NP_ERROR_INPUT (unknown sorter), NP_ERROR_APPLY
 * (no). */
np_status np_sorter_heeds(const char *algorithm, const char *option) NP_CHECKED;

/** One stage at one depth of the recursion. */
typedef struct np_sort_stage {
    char name[NP_SORT_NAME]; /**< "count", "candidates", ... */
    uint32_t depth;          /**< 0: the whole network */
    uint64_t times;          /**< how often it was done, by all blocks together, in all runs */
    np_summary steps;        /**< over the runs: on the path that took longest, so that stages add up to the total */
    double share;            /**< its share of the total steps, 0..1 */
    uint64_t steps_max;      /**< most that one block took */
    uint64_t packets, hops;  /**< over all blocks and runs */
    uint64_t comparators;    /**< pairs compared and exchanged */
    uint32_t queue_max, load_max; /**< most packets in one queue; most keys at one place */
    uint32_t congestion;          /**< most packets over one link */
    uint32_t delay_max;           /**< most steps one packet waited */
} np_sort_stage;

/** What the analysis needs to happen, and how often it did. */
typedef struct np_sort_event {
    const char *name;  /**< "well-partitioned", "delta-split", "congestion", "cumulative-delay", ... */
    const char *lemma; /**< "Lemma 8.1" */
    const char *what;  /**< the meaning of `worst` and `bound` in words */
    uint64_t times, failures;
    double worst; /**< the largest value seen, as a multiple of the lemma's quantity */
    double bound; /**< `worst` must not exceed it; 0: the lemma leaves the constant open */
} np_sort_event;

/** What formulas of the textbooks say. */
typedef struct np_sort_prediction {
    uint64_t steps;             /**< the exact number; 0: no formula */
    uint64_t comparators;       /**< likewise */
    char formula[NP_SORT_TEXT]; /**< of the steps, in words and symbols */
} np_sort_prediction;

/** The outcome of np_sort. All pointers are owned by the result. */
typedef struct np_sort_result {
    const char *network, *algorithm, *indexing;
    uint64_t nodes, keys, places, per_place;
    const char *input;     /**< the file that the keys were read from; NULL: none */
    np_key_kind kind;      /**< of keys that were read or given */
    const char *key_order; /**< in which the keys were made; NULL: they were read or given */
    const np_keys *source; /**< the keys of the last run, for np_keys_write; NULL: they were given */
    uint64_t seed;
    uint32_t runs;
    unsigned threads;
    bool sorted;                /**< it was checked that in every run all keys came out, and in order */
    char wrong[NP_SORT_TEXT];   /**< the first place where they did not; "" if there is none */
    np_summary steps;           /**< of all stages together, over the runs */
    uint64_t hops, comparators; /**< over all runs */
    uint32_t queue_max, load_max, recursion_depth;
    uint64_t redraws, fallbacks; /**< times that a block drew new splitters, and times that it gave up on splitters; the
                                      keys are sorted in both cases */
    np_sort_prediction predicted;
    np_merge_options merge;
    np_sort_constants constants; /**< resolved */
    size_t stages, events;
    const np_sort_stage *stage; /**< [stages] in the order in which they began */
    const np_sort_event *event; /**< [events] */
    const uint32_t *order; /**< [keys] after the last run: the i-th key is the order[i]-th key given; NP_NONE, which
                                does not happen if `sorted`: it is no key that was given */
    double wall_seconds;
} np_sort_result;

/** The fields of a stage and of a result. */
extern const np_fields np_sort_stage_fields, np_sort_result_fields;

/**
 * Sorts keys on a network, `runs` times. The result is a function of (network, keys, options without threads) alone.
 *
 * @param key   [count] compared as unsigned numbers; NULL: the keys that the options name, and count has no meaning.
 *              With keys the options keys, order and input are refused: they say otherwise what the keys are
 * @param out   receives the result; free with np_sort_result_free; NULL on error
 * @return NP_ERROR_INPUT, NP_ERROR_APPLY, NP_ERROR_LIMIT (too many keys, with the figure; more bytes than
 *         memory_limit), NP_ERROR_MEMORY, NP_ERROR_CANCELLED
 */
np_status np_sort(const np_network *network, size_t count, const uint64_t *key, const np_sort_options *options,
                  np_sort_result **out) NP_CHECKED;

/** Frees the result. NULL is allowed. */
void np_sort_result_free(np_sort_result *result);

/** The number of places of the sorter on the network: so many keys make one key a place. NP_ERROR_INPUT,
 *  NP_ERROR_APPLY. */
np_status np_sort_places(const np_network *network, const char *algorithm, uint64_t *out) NP_CHECKED;

/* ---- Sorters of one's own ---- */

/**
 * A sort at work: items at the places of a sorter. A place is at a node and holds per_place items. An item stands for a
 * key; items compare as keys do, and the largest ones fill up places. A sorter compares and moves items, and uses their
 * values for nothing else.
 */
const np_network *np_sorting_network(const np_sorting *sorting);
uint32_t np_sorting_places(const np_sorting *sorting);
uint32_t np_sorting_per_place(const np_sorting *sorting);
/** The node of a place. */
np_node np_sorting_node(const np_sorting *sorting, uint32_t place);
/** [per_place] the items of a place; those of the next place follow. */
uint32_t *np_sorting_item(np_sorting *sorting, uint32_t place);
/** For random choices of a run. */
const np_draws *np_sorting_draws(const np_sorting *sorting);

/** For plan(): so many places, and as many items a place as the keys need. NP_ERROR_LIMIT: more than 2^31 items. */
np_status np_sorting_plan(np_sorting *sorting, uint64_t places) NP_CHECKED;

/** The cost of one stage. */
typedef struct np_sort_cost {
    uint64_t steps; /**< of the network */
    uint64_t packets, hops, comparators;
    uint32_t queue_max, load_max, congestion, delay_max; /**< as in np_sort_stage */
} np_sort_cost;

/**
 * Charges the run for a stage that has been done. Stages of one name add up. The name is copied, up to 31 characters.
 */
void np_sorting_charge(np_sorting *sorting, const char *name, const np_sort_cost *cost);

/** To be called between stages. NP_ERROR_CANCELLED if np_sort_options.watch says so. */
np_status np_sorting_progress(const np_sorting *sorting, const char *stage) NP_CHECKED;

/** Sorts the items of one place, sequentially. This is local work and costs no steps. */
void np_sort_locally(uint32_t *item, uint32_t count);

/**
 * Merge-split: two ascending runs of h items each become one run, with the lower half in a and the upper half in b. A
 * comparator if h is 1.
 * @param scratch [2 h]
 */
void np_sort_merge_split(uint32_t *a, uint32_t *b, uint32_t h, uint32_t *scratch);

/**
 * A sorter. The library's own sorters are descriptors of this type, and a program registers others with
 * np_sorter_register. From then on np_sort_options.algorithm takes their names. np_sort checks what a sorter does to
 * the keys, and believes what it charges. examples/own_sorter.c is an example.
 *
 * Threads: one thread at a time calls the callbacks for one sort; several sorts may be at work at once.
 */
typedef struct np_sorter_ops {
    /** name, help, source and networks (the families it applies to, in words) are required. */
    np_entry info;
    const char *indexing; /**< the order of its places, in words: "rows, each from level 0 up". Required */
    bool oblivious;       /**< its steps and comparisons do not depend on the keys */

    /** NULL if the sorter applies to the network; else the reason, in words that follow "because". Required. */
    const char *(*refuses)(const np_network *network);

    /** Is it a good default on a network to which it applies, where no earlier sorter is? NULL: it is. */
    bool (*suits)(const np_network *network);

    /** Sets the number of places, by np_sorting_plan. Required. NP_OK, or the error of np_sorting_plan. */
    np_status (*plan)(np_sorting *sorting);

    /** The node of a place. Required. */
    np_node (*node)(const np_sorting *sorting, uint32_t place);

    /**
     * Sorts: before it, the items are in the order in which the keys were given; after it, they ascend from place to
     * place, and within each place. Charges every stage. Required.
     */
    np_status (*run)(np_sorting *sorting);

    /** What the formulas of textbooks predict; 0 where they predict nothing. NULL: there is no formula. */
    void (*predict)(const np_sorting *sorting, np_sort_prediction *out);

    /** The library's own member, NULL in other sorters: options that only some sorters heed: "queue_size, room", and
     *  "trace", the observer. */
    const char *heeds;
} np_sorter_ops;

/**
 * Adds a sorter, which must remain valid until the process ends, with its texts. Any thread may call it at any time.
 *
 * @return NP_ERROR_INPUT: the name or an alias is ill-formed (a letter, then letters, digits and '-', 31 characters at
 *         most) or taken, something that is required is missing, or a member of the library's own is set;
 *         NP_ERROR_LIMIT: 1024 descriptors are registered already. After an error nothing has changed.
 */
np_status np_sorter_register(const np_sorter_ops *ops) NP_CHECKED;

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
