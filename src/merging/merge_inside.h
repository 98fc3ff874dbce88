/* The merging engine's object, shared by its files: merge.c (life, ranks, order), merge_step.c, merge_columns.c. */
#ifndef NP_MERGING_MERGE_INSIDE_H
#define NP_MERGING_MERGE_INSIDE_H

#include "merging/merge.h"

/*
 * A word stands for what a queue holds: 2 k for the packet with the k-th least
 * key (rank, target, number; when packets combine those of one target share a
 * k), 2 k + 1 for its ghost (2 k - 1: see stay() in merge_step.c), NP_MERGE_END for an end of stream.
 */
typedef uint32_t np_merge_word;

/* A word (high half) and the number of its packet (low half): compares as the word. */
typedef uint64_t np_merge_slot;

static inline np_merge_slot np_merge_slot_of(np_merge_word word, np_packet packet)
{
    return (np_merge_slot)word << 32 | packet;
}

static inline np_merge_word np_merge_word_of(np_merge_slot slot) { return (np_merge_word)(slot >> 32); }
static inline np_packet np_merge_packet_of(np_merge_slot slot) { return (np_packet)slot; }

/* An array that grows from run to run. */
typedef struct np_merge_array {
    void *at;
    size_t bytes;
} np_merge_array;

/* *out = room for count items, contents undefined; freed with the engine. */
np_status np_merge_reserve(np_merge_array *array, size_t count, size_t size, void *out) NP_CHECKED;

/* One edge and the queue at its head. */
typedef struct np_merge_edge {
    uint32_t begin, room; /* its part of slot[]: as many places as it will ever need */
    uint32_t head, count; /* packets, from the head on */
    np_merge_slot ghost;
    np_step ghost_from; /* the step in which the ghost can be used, and no other */
    np_step freed;      /* the last step in which a packet left */
    np_step ready;      /* the step from which the last packet can be used */
    np_step end_from;   /* the step from which the end of the stream can be seen; NP_NONE: not sent */
    uint32_t crossed;   /* packets so far */
} np_merge_edge;

/* A node's part in the sending of a message of several packets. */
typedef struct np_merge_sending {
    uint32_t left;  /* steps to go; 0: none */
    uint32_t queue; /* which entering edge it leaves (index in entering[]), NP_NONE: the initial queue */
    uint32_t edge;  /* it crosses, NP_NONE: consumed */
    np_merge_slot slot;
} np_merge_sending;

struct np_merge {
    np_merge_options options;
    np_merge_array array[24];
    uint64_t *coefficient; /* [coefficients] of the rank polynomial */
    uint32_t coefficients;

    /* The present run. */
    const np_merge_job *job;
    np_merge_record *record;
    np_phase_run *out;
    bool combine;
    np_packet packets, remaining; /* not yet consumed or combined */
    uint32_t *rank;               /* [packets] */
    uint32_t *key;                /* [packets] k */
    np_packet *by_key;            /* [packets] packets in order of key */
    uint32_t *destination;        /* [packets] logical node */
    uint32_t *crossing;           /* [edges] packets whose paths use the edge */
    uint32_t *delay;              /* [packets] */
    uint64_t *value;              /* [packets] where packets combine */
    uint8_t *delivered;           /* [packets] likewise */
    uint32_t *length;             /* [packets] of messages; NULL: all 1 */
    uint32_t *population;         /* [host nodes] */

    /* merge_step.c */
    np_merge_slot *initial;    /* [packets] the initial queues, each in order of key */
    uint32_t *initial_at;      /* [nodes] head */
    uint32_t *initial_end;     /* [nodes] */
    np_merge_edge *edge;       /* [edges] */
    np_merge_slot *slot;       /* the edge queues' places */
    uint32_t *position;        /* [packets] hops made */
    np_merge_sending *sending; /* [nodes]; NULL if all lengths are 1 */
    uint32_t *wakes;           /* [nodes] in steps before that the node and those behind it can only wait */
    uint32_t *active;          /* nodes that are awake and have not done, highest level first */
    uint32_t actives, woken;
    np_node *arrival; /* hosts that got packets in this step */
    uint32_t arrivals;
    uint32_t queue_next;   /* most in one queue with its ghost, so far: at the beginning of the next step */
    np_step now, progress; /* the present step; the last one in which something real moved */
};

/* Moves all packets to their ends, step by step. */
np_status np_merge_step_all(np_merge *merge) NP_CHECKED;

/* Can merge_columns.c do the run? */
bool np_merge_columns_apply(const np_merge *merge);
/* Likewise, whole columns at a time: same outcome to the bit. */
np_status np_merge_columns_all(np_merge *merge) NP_CHECKED;

#endif
