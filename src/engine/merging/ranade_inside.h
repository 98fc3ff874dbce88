/* The six phases' object, shared by its files: ranade.c (life, lists, steps), ranade_columns.c (a column's step). */
#pragma once

#include "model/leveled/physical.h"
#include "engine/merging/column_words.h"
#include "engine/merging/leveled_feed.h"
#include "engine/merging/ranade.h"

enum { NP_RANADE_PAIRS = 15 }; /* of direction bits in a word */

#define NP_RANADE_END UINT32_MAX

/* Columns of one kind do the same. */
typedef enum np_ranade_kind {
    NP_RANADE_FIRST,  /* column 0: only its own processors' requests, sent along the row */
    NP_RANADE_CHAIN,  /* phase 1: what comes along the row, and its own requests */
    NP_RANADE_SPLIT,  /* column n: one way in, two out, by address */
    NP_RANADE_SWITCH, /* phase 2: two ways in, two out, by address */
    NP_RANADE_JOIN,   /* columns 2n and 5n: two in, one out */
    NP_RANADE_PASS,   /* phases 3 and 4: one in, one out */
    NP_RANADE_FAN,    /* column 4n: one in, two out, by direction bits */
    NP_RANADE_BACK,   /* phase 5: two in, two out, by direction bits */
    NP_RANADE_TAKE,   /* phase 6: one in, out to the processor and along the row, by direction bits */
    NP_RANADE_LAST    /* column 6n: to the processor */
} np_ranade_kind;

/*
 * The arrays of a block of rows, one after the other. Way 0 goes straight, way 1 crosses. What a
 * switch sends is at the switch's own row. Queues, and whether they are full, are at the row of the
 * queue.
 */
enum {
    NP_RANADE_OUT,       /* two: what it sent: 0 for nothing, else a word as in np_ranade_record */
    NP_RANADE_FULL = 2,  /* two: all ones if that queue was full when the step began, else 0 */
    NP_RANADE_COUNT = 4, /* two: messages in the queue */
    NP_RANADE_OWN = 6,   /* head of the initial queue; or the next direction bits, see np_ranade.direction */
    NP_RANADE_REST = 7,  /* two: the place of the first message behind the registers, from 0 on */
    NP_RANADE_QUEUE = 9  /* two times np_ranade.places: the queues' registers, from the head on; 0 where there is no
                            message. Then a ring of places for messages behind them */
};

enum {
    NP_RANADE_REGISTERS = 4, /* of a queue: ours; most queues are shorter */
    NP_RANADE_BAND = 16,     /* steps of a column in a band: ours; see ranade_bands.c */
    NP_RANADE_WORKERS_MAX = 64
};

/* What the queues of a block do. */
enum { NP_RANADE_HOLDS = 1, NP_RANADE_IS_FULL = 2 /* one holds a message; one is full */ };

typedef struct np_ranade_column {
    np_ranade_kind kind;
    uint32_t in_cross, out_cross; /* the bit of the row by which way 1 crosses, as a mask; 0: there is no way 1 */
    uint32_t bit;                 /* its number, of the way out */
    uint32_t *state;              /* [blocks][arrays][BLOCK] */
    /* [rows] of initial queues or direction bits: the place in np_ranade.own or .direction after the word in OWN */
    uint32_t *next;
    uint32_t *end;     /* of initial queues: [rows] */
    uint8_t *finished; /* [blocks] the block has sent the end over all its ways out: it does no more */
    /* [blocks] of a column with one way in: NP_RANADE_HOLDS after the last step, NP_RANADE_IS_FULL at its beginning */
    uint8_t *queued;
} np_ranade_column;

/* The direction bits of a switch of phase 2, while they are written. */
typedef struct np_ranade_list {
    uint32_t tag; /* the tag that passed last */
    uint32_t at;  /* how many have; later, the number of the last pair of bits: see ranade_lists.c */
} np_ranade_list;

/* What a thread makes ready before a batch; see ranade_lists.c. */
typedef struct np_ranade_piece {
    size_t sent;                         /* messages of its initial queues */
    size_t first, ways;                  /* in way[]: where its ways begin; how many there are */
    size_t dealt;                        /* likewise, once they are dealt out anew */
    uint64_t words[NP_RANADE_N_MAX + 1]; /* of direction bits: of phase 1, then by columns of phase 2 */
} __attribute__((aligned(128))) np_ranade_piece;

/* A request, or the way of a reply, that has come to a switch of phase 2 while the direction bits are written. */
typedef struct np_ranade_way {
    uint32_t tag, row;
} np_ranade_way;

/* A thread, what it does now, and what it has counted. */
typedef struct np_ranade_worker {
    uint32_t now;                   /* the step, from 0 */
    uint32_t part, part_mask;       /* of a column: the blocks whose number is `part` but for the bits in the mask */
    uint64_t taken, last_taken;     /* replies so far; the last step in which one was */
    uint64_t *ghosts;               /* [columns + NP_RANADE_BAND] of the steps that are not complete */
    uint64_t new_ghosts, new_taken; /* of some columns in one step: np_ranade_add_up adds them */
    uint32_t longest;               /* messages in the longest queue */
} __attribute__((aligned(128))) np_ranade_worker;

/* What is known of an observed batch; see ranade_observe.c. A message is the place of its request in job->processor. */
typedef struct np_ranade_seen {
    np_leveled_feed *feed;
    size_t switches, messages;
    uint64_t moves;   /* so far */
    uint32_t *tag;    /* [messages] */
    uint32_t *node;   /* [messages] the switch where it is; UINT32_MAX: it is not there yet, in another one, or home */
    uint8_t *way;     /* [messages] over which it came there */
    uint32_t *next;   /* [messages] the one behind it in its queue; behind the last one, the first */
    uint32_t *part;   /* [messages] the one that joined it last; UINT32_MAX: none */
    uint32_t *before; /* [messages] of a part: the one that joined before it */
    uint32_t *met;    /* [messages] of a part: the switch where it joined; UINT32_MAX: it has not */
    np_step *acted;   /* [messages] the step, from 1, in which it moved last */
    uint32_t *last;   /* [switches][3] the last in each queue; UINT32_MAX: it is empty */
    uint32_t *selected; /* [switches] the message that is selected in the present step; UINT32_MAX: none is */
    uint8_t *left;      /* [switches] bits of the ways whose queues a message left in the present step */
    void *block;
    size_t room;
} np_ranade_seen;

struct np_ranade {
    uint32_t n, queue_size, rows, padded, blocks, columns;
    uint32_t places; /* of a queue: its registers, and the ring */
    np_divider by_n;
    size_t arrays;                  /* of a block */
    np_ranade_column *column;       /* [columns] */
    uint32_t *state, *next, *end;   /* the columns' memory */
    np_ranade_list *list;           /* [rows] of a column of phase 2 */
    uint32_t *row_end, *target_end; /* [rows] in spare[]: where the requests, the targets of a row end */
    uint32_t *load;                 /* [modules] */
    uint8_t *finished, *queued;     /* the columns' */
    uint32_t workers;               /* at most: a power of two */
    np_ranade_piece *piece;         /* [workers] */
    np_ranade_worker *worker;       /* [workers] */
    uint64_t *ghosts;               /* [workers][columns + NP_RANADE_BAND] */
    uint32_t *selected;             /* [padded] for records and observers */
    np_ranade_seen *held;           /* NULL: no batch has been observed */

    /* The present batch. */
    const np_ranade_job *job;
    np_ranade_seen *seen;      /* NULL: nobody observes */
    np_physical physical;      /* with job->physical */
    uint32_t now;              /* the step, from 0; for observers */
    uint64_t messages;         /* replies to be taken */
    uint64_t taken;            /* so far */
    size_t tags, sent, walked; /* tags, requests, and ways that make direction bits */
    void *block;               /* the arrays of the batch */
    size_t block_bytes;        /* its bytes */
    np_ranade_way *way;        /* [walked + 1] */
    /* [walked + 1] while phase 1 is made ready: tags and columns of requests, row by row; then ways dealt out anew */
    np_ranade_way *spare;
    uint32_t *row; /* [tags] of modules */
    uint32_t *own; /* words of the initial queues, switch by switch */
    /*
     * Direction bits, switch by switch: pairs of bits, 1 straight, 2 across or to the processor;
     * PAIRS to a word, the first one lowest, below a 1. A pair is shifted out when it owes nothing
     * any more. A word that is 1 is spent.
     */
    uint32_t *direction;
    uint32_t *answers; /* debug builds: [(PAIRS + 1) words] the tags that the pairs are for; else NULL */
    uint32_t *least;   /* [padded] what the column's switches have selected, if somebody wants to know; else NULL */
};

/* Are messages counted, or do the registers say how many there are? */
static inline bool np_ranade_counts(const np_ranade *ranade)
{
    return ranade->queue_size == 1 || ranade->queue_size > NP_RANADE_REGISTERS;
}

/* The bit by which the edges from column c to c + 1 cross; UINT32_MAX: they do not. */
uint32_t np_ranade_crossing_bit(uint32_t n, uint32_t c);

/* Does the worker's step of its part of column c, but of those blocks that have finished. */
void np_ranade_column_step(np_ranade *ranade, np_ranade_worker *worker, uint32_t c);

/* What the worker has counted in some columns in its step; *ghosts grows by those that were sent. */
void np_ranade_add_up(np_ranade_worker *worker, uint64_t *ghosts);

/* ranade_bands.c: all steps of a batch that nobody watches closely, by the threads of job->workers. */
np_status np_ranade_run_bands(np_ranade *ranade, uint64_t limit, uint64_t *steps, uint64_t *ghosts) NP_CHECKED;
/* How many threads a batch may have. */
unsigned np_ranade_threads(const np_ranade *ranade);
/* After a step, or what is done of it. Nothing is taken before the first message has passed all columns. */
np_status np_ranade_tell_share(const np_ranade *ranade, uint64_t steps) NP_CHECKED;
/* NP_ERROR_INTERNAL: the batch takes more steps than any can. */
np_status np_ranade_check_patience(const np_ranade *ranade, uint64_t now) NP_CHECKED;

/*
 * ranade_observe.c. Of observed batches: before a step; after a column's step; after all columns, NP_ERROR_CANCELLED.
 */
np_status np_ranade_observe_begin(np_ranade *ranade) NP_CHECKED;
void np_ranade_observe_step(np_ranade *ranade);
void np_ranade_observe_column(np_ranade *ranade, uint32_t c);
np_status np_ranade_observe_rest(np_ranade *ranade) NP_CHECKED;
void np_ranade_seen_free(np_ranade_seen *seen);

/* ---- ranade_lists.c ---- */

/* The most words of direction bits. */
size_t np_ranade_direction_words(const np_ranade *ranade);
/* Makes the switches, the initial queues and the direction bits ready. NP_ERROR_LIMIT: more than words can count. */
np_status np_ranade_make_ready(np_ranade *ranade) NP_CHECKED;
