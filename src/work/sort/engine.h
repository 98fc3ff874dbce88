/*
 * The merging engine at the service of a sorter: the leveled networks on which its packets go, each made when it is
 * needed for the first time, the paths of the packets, and what observers hear of them.
 */
#pragma once

#include "work/sort/sorter.h"

enum { NP_SORT_SHAPES = 48 };

typedef struct np_sort_engine {
    const np_sorting *sorting;
    np_merge *merge;
    np_path_set path_set; /* of the packets that are sent together; its owner fills it */
    struct {
        uint64_t key;
        np_leveled *leveled;
    } shape[NP_SORT_SHAPES]; /* that have been made */
    uint32_t shapes;
    uint32_t most_nodes; /* leveled networks with more nodes are not kept, but made again */
} np_sort_engine;

/* An engine for single packets. The caller clears it, also after an error. */
np_status np_sort_engine_init(np_sort_engine *engine, const np_sorting *sorting, uint32_t most_nodes) NP_CHECKED;
void np_sort_engine_clear(np_sort_engine *engine);

/* The leveled network of the key. It is valid until it has been run, or until the next call.
   make() makes it for the context. */
np_status np_sort_engine_leveled(np_sort_engine *engine, uint64_t key,
                                 np_status (*make)(const void *context, np_leveled **out), const void *context,
                                 const np_leveled **out) NP_CHECKED;

/* What a run needs besides the paths. */
typedef struct np_sort_move {
    const np_leveled *leveled;
    bool ranked;                 /* by path_set.rank; else ranks are drawn for the numbers of the packets */
    np_draws draws;              /* seed, run and phase */
    uint64_t wait;               /* steps of the stage that are over, for observers */
    np_sort_crossing *link_of;   /* for observers: the network's links; or NULL, and then: */
    const void *context;         /* of link_of */
    const np_observer *observer; /* hears of the leveled network itself */
    const np_event_phase *phase; /* likewise */
} np_sort_move;

/* Moves the packets of the path set. */
np_status np_sort_engine_run(np_sort_engine *engine, const np_sort_move *move, np_phase_run *out) NP_CHECKED;
