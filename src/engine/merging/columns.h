/*
 * Merging by columns: merge_columns.c lays these objects out, and columns_kernel.c does the steps.
 * See merge_columns.c.
 */
#pragma once

#include "engine/merging/column_words.h"
#include "engine/merging/merge_inside.h"

enum {
    NP_COLUMNS_REGISTERS = 4, /* of a queue, at most */
    NP_COLUMNS_COMBINING = 2, /* where packets combine: the default alone, since the kernel is 46 KB of code */
    NP_COLUMNS_WORKERS_MAX = 64,
    NP_COLUMNS_WORDS_MAX = 16, /* of a path: 512 levels */
    NP_COLUMNS_PATH_BITS = 32
};

#define NP_COLUMNS_END UINT32_C(0xfffffffe)

/* Which packets at a level end there? */
typedef enum np_columns_ends { NP_COLUMNS_NONE_END, NP_COLUMNS_SOME_END, NP_COLUMNS_ALL_END } np_columns_ends;

/* One level's arrays, [rows] each. */
typedef struct np_columns_level {
    uint32_t *straight[NP_COLUMNS_REGISTERS], *across[NP_COLUMNS_REGISTERS]; /* the queues' registers, head first */
    uint32_t *rest[2];     /* packets behind the registers of straight[], of across[]; NULL if registers suffice */
    uint32_t *rest_at[2];  /* the place of the first of them in np_columns.place */
    uint32_t *out[2];      /* what the level sends: 0 for nothing */
    uint32_t *full[2];     /* are its queues full when the step begins? by the row of the edge's tail */
    const uint32_t *in[2]; /* the outputs of the level before; zeros if it has none */
    const uint32_t *next_full[2];
    uint32_t in_cross;                  /* the bit by which port 1 of the level before crosses */
    uint32_t sends[2];                  /* all ones if it has that port, else 0 */
    uint32_t *head;                     /* heads of initial queues; NULL: no packet starts here */
    uint32_t *initial_at, *initial_end; /* this level's part of the engine's */
    uint32_t *consumed;                 /* packets consumed so far; NULL: none ends here */
    np_columns_ends ends;
    bool renews; /* packets that leave get the ports for the next levels */
    /* Where packets combine, beside the words of classes: packets' words, of registers, edges and initial heads. */
    uint32_t *straight_packet[NP_COLUMNS_COMBINING], *across_packet[NP_COLUMNS_COMBINING];
    uint32_t *out_packet[2], *head_packet;
    const uint32_t *in_packet[2];
    uint32_t *twin;            /* does another packet of its class follow the head of the initial queue? */
    uint32_t *crossed[2];      /* packets that went over the level's edges */
    uint32_t *sum;             /* populations of the hosts of this level so far in the step */
    bool sum_begins, sum_ends; /* first and last level, in the order of a step, with these hosts */
} np_columns_level;

typedef struct np_columns {
    np_merge *merge;
    uint32_t rows, depth, words, registers;
    bool combine;
    unsigned ports;          /* of its path that a packet's word holds: a power of two, at most PATH_BITS */
    np_columns_level *level; /* [L + 1] */
    uint32_t *path[NP_COLUMNS_WORDS_MAX + 1]; /* [words][packets] by number: bit i of word w is the port on level
                                                 32 w + i */
    uint32_t *end_level;                      /* [packets] by number */
    uint32_t *place;   /* the packets behind registers, queue after queue, each in order; NULL if registers suffice */
    uint8_t *finished; /* [L + 1][blocks of rows] the block has sent the end over all edges, and does no more */
    uint32_t *memory;  /* columns, of which the first are taken */
    uint8_t *mark;     /* [2][L + 1] levels where packets start; where they end */
    uint32_t *owner;   /* [host nodes] scratch of group_hosts */
    struct np_columns_worker *worker; /* [NP_COLUMNS_WORKERS_MAX] */
    np_step now;
    np_status status; /* of the watch */
} np_columns;

/*
 * A packet's number, from 1 on: its key. Where packets combine, those of a class have one key, so it is the packet's
 * place in the path set.
 */
NP_COLUMN_INLINE uint32_t np_columns_number(const np_columns *cs, np_packet packet)
{
    return cs->combine ? packet + 1 : cs->merge->key[packet];
}

NP_COLUMN_INLINE np_packet np_columns_packet(const np_columns *cs, uint32_t number)
{
    return cs->combine ? number - 1 : cs->merge->by_key[number - 1];
}

/*
 * The word of the packet with number k at level l: k, the ports for the `ports` levels from the last multiple of
 * `ports` on, the first one lowest, and 0. Its ghost has ones below k.
 */
NP_COLUMN_INLINE uint32_t np_columns_word(const np_columns *cs, uint32_t l, uint32_t k)
{
    uint32_t ports = cs->path[l / NP_COLUMNS_PATH_BITS][k] >> (l % NP_COLUMNS_PATH_BITS & -cs->ports);
    return (k << cs->ports | (ports & ((UINT32_C(1) << cs->ports) - 1))) << 1;
}

/* The number in a packet's word. */
NP_COLUMN_INLINE uint32_t np_columns_number_of(const np_columns *cs, uint32_t word) { return word >> cs->ports >> 1; }

/* Sets the head of the initial queue of a row of level l. */
NP_COLUMN_INLINE void np_columns_set_head(const np_columns *cs, uint32_t l, uint32_t row)
{
    const np_columns_level *lv = &cs->level[l];
    uint32_t at = lv->initial_at[row], end = lv->initial_end[row];
    np_merge_slot head = at < end ? cs->merge->initial[at] : 0;
    uint32_t word = at < end ? np_columns_word(cs, l, np_columns_number(cs, np_merge_packet_of(head))) : NP_COLUMNS_END;
    if (!cs->combine) {
        lv->head[row] = word;
        return;
    }
    lv->head[row] = at < end ? np_merge_word_of(head) : NP_COLUMNS_END;
    lv->head_packet[row] = word;
    lv->twin[row] =
        np_column_mask(at + 1 < end && np_merge_word_of(cs->merge->initial[at + 1]) == np_merge_word_of(head));
}

/* Counts by place in a block, added up after the step. */
typedef struct np_columns_counts {
    uint32_t ghosts[NP_COLUMN_BLOCK], hops[NP_COLUMN_BLOCK], queue[NP_COLUMN_BLOCK], real[NP_COLUMN_BLOCK],
        population[NP_COLUMN_BLOCK];
} np_columns_counts;

/* One worker's part of the rows. */
typedef struct np_columns_worker {
    uint32_t first, last;
    np_columns_counts counted;
    uint32_t left, combined; /* packets that the worker has consumed or combined in the step; combined */
} __attribute__((aligned(128))) np_columns_worker;

/* Does a step of rows first .. last of level l. */
typedef void np_columns_kernel(np_columns *cs, uint32_t l, np_columns_worker *w);
/* [q - 1] for queues of q packets, 1 .. NP_COLUMNS_REGISTERS; the last one for more. */
extern np_columns_kernel *const np_columns_kernels[NP_COLUMNS_REGISTERS + 1];
extern np_columns_kernel np_columns_combining; /* for queues of NP_COLUMNS_COMBINING packets that combine */
