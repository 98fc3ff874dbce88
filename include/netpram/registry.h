/*
 * What is found by name: networks, schemes, path rules, traffic, queue
 * disciplines, PRAM programs and machines, sorters, orders of keys,
 * embeddings, indexings, collective algorithms, programs of reconfigurable
 * arrays. Each kind has a list. An entry of a list says what `netpram list`
 * prints of it.
 *
 * A list begins with the entries that are built in. Entries that are
 * registered at run time follow in the order of their registration and stay
 * until the process ends.
 *
 * Threads: any thread may read the lists at any time, also while another one
 * registers an entry.
 */
#ifndef NETPRAM_REGISTRY_H
#define NETPRAM_REGISTRY_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/**
 * The head of every descriptor. Texts that a kind does not have are NULL.
 * Texts are borrowed: those of a registered descriptor must last as long as the process.
 */
typedef struct np_entry {
    const char *name;       /**< "shuffle": what a user types */
    const char *help;       /**< one line */
    const char *source;     /**< paper and section, or "" */
    const char *aliases;    /**< other names it is found by, separated by spaces */
    const char *parameters; /**< the text after the name and a colon: "DxN"; or with the colon: ":K" and "[:H]"; "":
                                 nothing */
    const char *example;    /**< "shuffle:4x5" */
    const char *operation;  /**< collective algorithms: "all-to-all" */
    const char *networks;   /**< the families it applies to, in words */
    const char *guests;     /**< embeddings: the guests' families, in words */
    const char *hosts;      /**< embeddings: the hosts' families, in words */
    const char *ports;      /**< collective algorithms: what a node does in a round: "full-port" */
    const char *rule;       /**< PRAM programs: the weakest access rule that a program runs clean under */
    const char *takes;      /**< programs of reconfigurable arrays: "bits" */
} np_entry;

/** The lists, in the order of `netpram list`. */
typedef enum np_list {
    NP_LIST_NETWORKS,
    NP_LIST_SCHEMES,
    NP_LIST_PATHS,
    NP_LIST_TRAFFIC,
    NP_LIST_QUEUES,
    NP_LIST_PROGRAMS,
    NP_LIST_MACHINES,
    NP_LIST_SORTERS,
    NP_LIST_ORDERS,
    NP_LIST_EMBEDDINGS,
    NP_LIST_INDEXINGS,
    NP_LIST_COLLECTIVES,
    NP_LIST_RECONFIGURABLE,
    NP_LISTS
} np_list;

/** "networks"; NULL for NP_LISTS. */
const char *np_list_name(np_list list);

/** The line above the list: "networks (the first argument of route and info)". NULL for NP_LISTS. */
const char *np_list_title(np_list list);

/** The i-th entry, from 0; NULL past the last. */
const np_entry *np_list_get(np_list list, size_t i);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
