/*
 * A PRAM that is divided over the ranks of a job (base/job.h). Each rank has a share of the cells and of the virtual
 * processors, and all carry out the same program: what is not divided, such as the program's own variables and the
 * table of arrays, is the same on every rank.
 *
 * Cells are dealt out in blocks of 2^6. Of each P blocks in a row every rank has one: which one, a hash of the row and
 * the seed turns. So every rank has as many cells as the others, its own are numbered without gaps, in the order of
 * their addresses, and memory can grow. A step's accesses go to the ranks that have the cells, in the order of
 * processors; there the step is served as the ideal machine serves it.
 *
 * Errors. A rank that fails goes no further than to the next meeting, where the others hear of it. All end with the
 * error that one process would have come to first. For this all ranks count the moments of the program alike, and who
 * fails says where in the moment: in what order one process would have come to it.
 */
#pragma once

#include "machine/pram/inside.h"
#include "base/job.h"

enum {
    NP_MEETING = 4,        /* words that a rank says to another one when they meet */
    NP_DIVISION_BLOCK = 6, /* log2 of the cells of a block: eight lines of the cache (ours) */
    NP_DIVISION_NOTE = 1024
};

/* What one rank asks of the others in a step, and they of it. */
typedef struct np_traffic {
    size_t requests_room, owned_room; /* of this rank; of the others */
    uint64_t credit;                  /* for so many from each rank there is room at every rank */
    uint32_t *slot;                   /* [requests_room] of a request: its place in the order of ranks */
    uint32_t *owner;                  /* [requests_room] of a request */
    uint32_t *cell;                   /* [requests_room] of a request: the number of the cell at its owner */
    uint32_t *cell_out;               /* [requests_room] by slots */
    uint32_t *number_out;             /* [requests_room] processors */
    np_word *value_out;               /* [requests_room] */
    uint32_t *cell_in;                /* [owned_room] */
    uint32_t *number_in;              /* [owned_room] */
    np_word *value_in;                /* [owned_room] */
    np_address *address_in;           /* [owned_room] */
    uint64_t *sends, *receives;       /* [ranks] */
    uint64_t *next;                   /* [ranks] */

    /* Of requests that are joined (division_join.c). */
    struct np_seen *seen; /* the last cells */
    size_t joined_room;
    uint32_t *entry;  /* [joined_room] which request an access belongs to */
    np_word *joined;  /* [joined_room] the value of a request */
    uint32_t *winner; /* [joined_room] whose it is: a processor of the step */
} np_traffic;

typedef struct np_division {
    const np_job *job;
    uint64_t seed;
    uint64_t magic; /* ceil(2^64 / ranks) */
    uint64_t cells; /* of all ranks */

    uint64_t accesses;        /* of the last step, of all ranks */
    np_pram_shared cost;      /* of all ranks, when the program is over */
    double begun;             /* when */
    uint64_t messages, bytes; /* of this rank before that */

    uint64_t moment; /* of the program */
    uint64_t at;     /* who fails says where in the moment; 0: does not matter */
    bool over;       /* all have heard of an error: there will be no other meeting */
    void *note; /* [note_bytes], NP_DIVISION_NOTE at most: goes with the message of an error from the rank that failed
                   to all; NULL: nothing */
    size_t note_bytes;

    np_word *replies; /* [replies_room] to steps of which every rank has all processors */
    size_t replies_room;
    uint64_t *say, *hear; /* [ranks * NP_MEETING] */
    np_traffic traffic;
    np_check own; /* violations at this rank's cells in the step at hand */
    size_t own_room;
} np_division;

np_status np_division_create(const np_job *job, uint64_t seed, np_division **out) NP_CHECKED;
void np_division_free(np_division *division);

/* All ranks end with an error that one of them has, before there is a division. job NULL: returns the status. */
np_status np_division_agree(const np_job *job, np_status status) NP_CHECKED;

/* The same, of the job that the options have. */
np_status np_division_refuse(const np_pram_options *given, np_status status) NP_CHECKED;

/* ---- Cells ---- */

/* How many cells there can be: blocks are counted in 32 bits, and so are the cells of a rank that has others. */
static inline uint64_t np_division_most(const np_division *d)
{
    const uint64_t blocks = UINT64_C(1) << (32 + NP_DIVISION_BLOCK), ranks = d->job->size;
    return ranks == 1 || ranks >> NP_DIVISION_BLOCK ? blocks : ranks << 32;
}

/* How far the ranks of a row of blocks are turned. */
static inline uint32_t np_division_turn(const np_division *d, uint64_t row)
{
    uint32_t hash = ((uint32_t)row ^ (uint32_t)d->seed) * UINT32_C(0x9e3779b1);
    hash = (hash ^ hash >> 15) * UINT32_C(0x85ebca77);
    hash ^= hash >> 13;
    return (uint32_t)((uint64_t)hash * d->job->size >> 32);
}

static inline uint64_t np_division_row(const np_division *d, uint64_t block)
{
    return d->job->size == 1 ? block : (uint64_t)((unsigned __int128)block * d->magic >> 64);
}

/* The rank that has the block, of a row. */
static inline uint32_t np_division_rank(const np_division *d, uint64_t block, uint64_t row)
{
    const uint32_t ranks = d->job->size;
    const uint32_t at = (uint32_t)(block - row * ranks) + np_division_turn(d, row);
    return at < ranks ? at : at - ranks;
}

/* The rank that has the cell, and its number there. */
static inline uint32_t np_division_owner(const np_division *d, np_address address, np_address *cell)
{
    const uint64_t block = address >> NP_DIVISION_BLOCK, row = np_division_row(d, block);
    *cell = row << NP_DIVISION_BLOCK | (address & ((1 << NP_DIVISION_BLOCK) - 1));
    return np_division_rank(d, block, row);
}

/* The address of a cell of this rank. */
np_address np_division_address(const np_division *d, np_address cell);

/* How many cells each rank has of so many. */
uint64_t np_division_share(const np_division *d, uint64_t cells);

/* ---- Processors ---- */

/* What this rank plays of `count` processors. */
np_range np_division_range(const np_division *d, uint64_t count);

/* ---- Meetings ---- */

/*
 * All ranks meet, and each comes with a status. If one is an error, all return the one that one process would have come
 * to first. Else they have heard from each other: each: [ranks] a word for each, NULL: 0; all: a word for all.
 */
np_status np_division_meet(np_division *d, np_status status, const uint64_t *each, uint64_t all) NP_CHECKED;

static inline uint64_t np_division_each(const np_division *d, uint32_t rank) { return d->hear[rank * NP_MEETING + 2]; }
static inline uint64_t np_division_all(const np_division *d, uint32_t rank) { return d->hear[rank * NP_MEETING + 3]; }

/* The sum of what the ranks below `end` have said to all; UINT64_MAX: too much. */
uint64_t np_division_sum(const np_division *d, uint32_t end);

/* A program ends with this status: without division, or when all have heard of an error, it stays as it is. */
np_status np_division_end(np_division *d, np_status status) NP_CHECKED;

/* All ranks begin the program, each with a status: from now on seconds, messages and bytes are counted. */
np_status np_division_begin(np_division *d, np_status status) NP_CHECKED;

/* The same at its end, when the counts of all ranks are made known to all. */
np_status np_division_finish(np_division *d, np_status status) NP_CHECKED;

/* Raises what one process would have come to as number `at` of the moment. Returns `status`. */
static inline np_status np_division_fail(np_division *d, uint64_t at, np_status status)
{
    if (d)
        d->at = at;
    return status;
}

/*
 * Bytes of all ranks, one rank's after the other's, on rank 0: *out is freed with np_memory_free, NULL elsewhere.
 * status: what this rank comes with.
 */
np_status np_division_collect(np_division *d, np_status status, const char *bytes, size_t count, char **out,
                              size_t *all) NP_CHECKED;

/* ---- Cells from outside ---- */

/* np_pram_put: each rank takes its own cells of all. */
void np_division_put(const np_division *d, np_store *store, np_address base, uint64_t count, const np_word *value);

/* np_pram_get: on every rank, or on rank 0 alone (value NULL elsewhere). NP_ERROR_MEMORY. */
np_status np_division_get(np_division *d, np_store *store, np_address base, uint64_t count, bool everywhere,
                          np_word *value) NP_CHECKED;

/* ---- Steps ---- */

/* The processors of a step that a rank plays. */
typedef struct np_step_share {
    uint64_t first; /* the number of its processor 0 */
    uint64_t all;   /* of all ranks */
    bool same;      /* every rank has all processors: each asks for its share of them, and all get all replies */
    bool open;      /* perhaps none makes an access: then there is no step */
    np_cell_type type;
} np_step_share;

/* np_pram_access of a share of the processors. `all` are counted. Sets accesses of the division. */
np_status np_pram_access_share(np_pram *pram, const np_pram_step *step, const np_step_share *share) NP_CHECKED;

/* Serves the accesses of a step, which is not counted yet, and sets accesses of the division. */
np_status np_division_serve(np_pram *pram, const np_pram_step *step, const np_step_share *share) NP_CHECKED;
