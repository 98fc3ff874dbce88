/*
 * Why a run of the merging engine took as long as it did: follows the delay
 * sequence of Leighton, Maggs, Ranade & Rao 1994, section 2.3, back from the packet
 * that arrived last, and checks the lemmas of this section on it.
 */
#pragma once

#include "engine/merging/merge.h"
#include "model/leveled/path_set.h"
#include "netpram/merging.h"

typedef enum np_explanation_kind {
    NP_EXPLAINED_START,  /* the packet that arrived last */
    NP_EXPLAINED_MERGED, /* m-delay: the packet or its ghost went before the packet of the row above */
    NP_EXPLAINED_FULL,   /* f-delay: it was one of q packets in the queue without room for the packet above */
    NP_EXPLAINED_ORIGIN, /* end: the packet above did not wait before, from step 0 on */
    NP_EXPLAINED_EMPTY   /* end: the packet above waited for a queue that nothing had reached yet */
} np_explanation_kind;

typedef struct np_explanation_row {
    np_explanation_kind kind;
    np_packet packet; /* in the path set; of an end: the last packet that was followed */
    np_packet number; /* its number in the traffic */
    uint32_t rank;
    uint32_t node, level; /* logical node and level of the packet itself, not of its ghost, at that step */
    np_node host;
    np_step step;
    int64_t lag;    /* step - level: of the packet, and of the ghost that went on from this node */
    uint32_t ghost; /* edges that its ghost crossed to delay the packet above */
    uint64_t path;  /* edges of the delay path from the first row to here */
    bool beside;    /* FULL: the row above is of the same full queue */
} np_explanation_row;

/* NP_SECTION_11: packets that arrive in the step of their longest delay sequence (longest_sequence.h): all. */
enum { NP_LEMMA_2_5, NP_LEMMA_2_6, NP_LEMMA_2_7, NP_LEMMA_2_8, NP_SECTION_11, NP_LEMMAS };

/* Compares `have` with `need`; the lemma's text says which of them must not be less. */
typedef struct np_verdict {
    bool holds;
    int64_t have, need;
} np_verdict;

typedef struct np_explanation {
    const np_network *network;   /* of the physical nodes, borrowed; np_explain sets NULL */
    uint32_t levels, queue_size; /* L, q */
    np_step steps;
    np_step cycle; /* steps of a message cycle; all other steps here are cycles */
    bool messages; /* they go by themselves: the last one begins to arrive in step L + w, and takes its length */
    np_packet packets;
    size_t rows; /* 0: no packets; else the last one is an end */
    np_explanation_row *row;
    uint32_t delays[NP_EXPLAINED_FULL + 1]; /* by kind; a full queue counts once */
    uint64_t length;                        /* v: packets of the sequence */
    uint64_t path;                          /* length of the delay path, backwards and forwards */
    int64_t late;                           /* w = steps - 1 - L: the last packet arrives in step L + w, from 0 */
    int64_t elements;                       /* how many packets the lemmas promise: w; if q = 1, ceil(w / 2) */
    bool ordered;                           /* keys decrease from row to row, so no packet comes twice */
    np_verdict verdict[NP_LEMMAS];
} np_explanation;

/*
 * Builds the sequence from the record of a whole run with these options. The
 * caller clears *out, which is empty on failure. NP_ERROR_APPLY for runs that
 * section 2.3 is not about (messages that nodes send whole and by themselves, no ghosts, ghosts that need room);
 * NP_ERROR_INTERNAL if the record contradicts itself; NP_ERROR_MEMORY.
 */
np_status np_explain(const np_merge_options *options, const np_leveled *leveled, const np_path_set *path_set,
                     const np_merge_record *record, np_explanation *out) NP_CHECKED;
void np_explanation_clear(np_explanation *explanation);

/* Do all lemmas that speak of the run hold? */
NP_FOR_REPORT bool np_explanation_holds(const np_explanation *explanation);

/* ---- longest_sequence.c: when every packet arrives, by its longest delay sequence; nothing is moved ---- */

/*
 * arrival[packets] receives the step (from 0) in which each packet is consumed, or would be if it were not combined
 * with another before. key[packets]: their ranks. For single packets, with ghosts. Where packets combine, equal targets
 * have equal keys. NP_ERROR_MEMORY. Time O(hops + edges x the longest delay), and sorting.
 */
np_status np_longest_sequences(const np_merge_options *options, const np_leveled *leveled, const np_path_set *path_set,
                               const uint32_t *key, np_step *arrival) NP_CHECKED;
