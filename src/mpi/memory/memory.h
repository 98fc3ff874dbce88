/*
 * The inside of the memory.
 *
 * A call (access.c) hands its requests, in one round or several, to the first hop (hop.c). A hop combines requests for
 * one cell if many are (combine.c), divides them into a bucket for each rank that is next on their way (buckets.c),
 * sends the buckets, lets the next hop, or after the last one the cells (serve.c), answer what arrived, in the order of
 * the ranks that it came from, and sends the answers back in the same buckets.
 *
 * The order of processors (rank, then place in the call) is kept everywhere: combining makes entries in the order of
 * their first requests, a bucket keeps the order of its requests, and a rank serves one source after the other. After
 * hop h all requests for a cell that come from a group of radix^(h+1) neighbouring ranks are at one rank of the group.
 * So what combines there is of neighbouring intervals of processors.
 */
#pragma once

#include "base/hot.h"
#include "machine/pram/store.h"
#include "mpi/ranks/mpi.h"

enum {
    NP_MPI_HOPS_MOST = 32,
    NP_MPI_TABLE = 12 /* log2 of the places of the table in which requests combine; ours */
};

/* Exclusive and comparing rules: what each own cell has seen in the present call. */
typedef struct np_mpi_marks {
    uint32_t once;  /* the mark of a cell that was accessed in this call; once + 1: and whose violation is counted */
    uint32_t *mark; /* [own cells]; NULL as long as no call needed it */
    np_word *lead;  /* [own cells] what the first writer wrote; the same */
    uint64_t violations, first_call, first_address; /* as in the report, of own cells */
} np_mpi_marks;

struct np_mpi_array {
    np_mpi *mpi;
    np_mpi_array_options options;
    uint64_t cells;
    unsigned block; /* log2 of the cells of a block */
    unsigned local; /* block b is at place[b] = rank << local | its number there */
    uint32_t *place;
    uint32_t *own; /* [runs] the blocks of this rank */
    size_t runs;
    np_store *store; /* the cells of this rank */
    np_mpi_marks marks;
    uint64_t calls, requests, combined, combined_on_way;
    unsigned hops;
    uint32_t *next[NP_MPI_HOPS_MOST]; /* [rank] of each hop but the last: the rank that is next on the way to it */
};

/* A call. */
typedef struct np_mpi_access {
    np_mpi_array *array;
    np_access_kind kind;
    np_mpi_op op;   /* of fetches */
    bool carries;   /* requests have a value */
    bool notes;     /* and a note, of writes: their lot << 32 | bits */
    bool answered;  /* values come back */
    bool ordered;   /* what a cell does depends on the order in which requests arrive */
    bool combines;  /* requests for one cell may combine */
    bool sums;      /* integers are added up: the common case has loops of its own */
    bool exact;     /* reals are added up */
    bool stored;    /* np_store decides */
    bool looked_at; /* the rule forbids accesses that this call may make */
    bool begun;     /* np_store_begin was called */
    uint64_t total; /* requests of all ranks */
} np_mpi_access;

/* Bits of a note. */
enum { NP_MPI_SEVERAL = 1, NP_MPI_CLASH = 2 /* what the rule forbids has happened among them */ };

/* Requests of a hop, in the order of processors. */
typedef struct np_mpi_requests {
    size_t count;
    const uint64_t *address;
    np_word *value; /* operands, where answers take their place; NULL if there are neither */
    uint64_t *note; /* NULL: none */
} np_mpi_requests;

/*
 * Requests on their way to one rank: values, notes, and keys, which are the places of the cells at the last hop, and
 * addresses before. Answers take the places of the values.
 */
typedef struct np_mpi_bucket {
    size_t count;
    uint64_t begin; /* in words of 8 bytes */
} np_mpi_bucket;

/* Buffers of a hop. They stay between calls. */
typedef struct np_mpi_hop {
    uint64_t *out, *in; /* buckets */
    size_t out_room, in_room;
    size_t ranks;
    np_mpi_bucket *to, *from; /* [ranks] */
    np_mpi_part *send, *receive;
    uint64_t *told, *heard, *behind;
    uint32_t *cursor;
    void *block;        /* these arrays */
    uint32_t *position; /* [position_room] the word of each request's value in out */
    size_t position_room;
    /* What the requests combine to. */
    uint64_t *entry_address, *entry_note;
    np_word *entry_value;
    uint32_t *entry_of; /* of each request; the top bit: it is the first one */
    size_t entry_room, note_room, of_room;
    bool tabled; /* they do, in this call */
    /* Those for the hot cell, if there is one in this call, and the others. */
    bool is_hot;
    uint64_t hot, *cool_address;
    np_word *cool_value;
    size_t cool_room, cool_count;
    /* What has arrived, for the next hop. */
    uint64_t *list_address, *list_note;
    np_word *list_value;
    size_t list_room, list_note_room;
} np_mpi_hop;

/* Where requests for an address combine. */
typedef struct np_mpi_place {
    uint64_t address; /* UINT64_MAX: none, which is no cell */
    uint32_t entry;
} np_mpi_place;

/* What a rank tells the others of its call. */
typedef struct np_mpi_told {
    uint64_t count; /* requests that are left */
    uint64_t call;  /* what it does */
    uint64_t failed;
} np_mpi_told;

/* Buffers of all arrays of an np_mpi. */
struct np_mpi_memory {
    np_mpi_told *told; /* [ranks] */
    uint64_t *note;    /* of the requests of a call */
    size_t note_room;
    np_mpi_place table[1 << NP_MPI_TABLE]; /* of combine.c */
    np_mpi_hop hop[NP_MPI_HOPS_MOST];
};

/* The words in front of the keys of a bucket, for each request. */
static inline unsigned np_mpi_words(const np_mpi_access *x) { return (x->carries || x->answered) + x->notes; }

static inline np_word *np_mpi_bucket_value(uint64_t *buffer, const np_mpi_bucket *b)
{
    return (np_word *)buffer + b->begin;
}
static inline uint64_t *np_mpi_bucket_note(uint64_t *buffer, const np_mpi_bucket *b)
{
    return buffer + b->begin + b->count;
}
static inline uint32_t *np_mpi_bucket_key(uint64_t *buffer, const np_mpi_bucket *b, unsigned words)
{
    return (uint32_t *)(buffer + b->begin + words * b->count);
}
/* The words of a bucket in all. */
static inline uint64_t np_mpi_bucket_size(size_t count, unsigned words) { return words * count + (count + 1) / 2; }

/* ---- buckets.c ---- */

/* Counts the requests for each rank into hop->to, lays the buckets out, and fills them. NP_ERROR_MEMORY. */
np_status np_mpi_buckets_fill(const np_mpi_access *x, unsigned level, np_mpi_hop *hop,
                              const np_mpi_requests *requests) NP_CHECKED;

/* The answers go from the buckets to the values of the requests. */
void np_mpi_buckets_empty(const np_mpi_hop *hop, const np_mpi_requests *requests);

/* ---- combine.c ---- */

/*
 * *out = the requests, combined; hop keeps what is needed to split the answers. If not many would combine, *out is
 * *requests. NP_ERROR_MEMORY.
 */
np_status np_mpi_combine(const np_mpi_access *x, np_mpi_hop *hop, const np_mpi_requests *requests,
                         np_mpi_requests *out) NP_CHECKED;

/* Makes the answers to the requests of those to `combined`, what they combined to, which np_mpi_combine gave. */
void np_mpi_split(const np_mpi_access *x, const np_mpi_hop *hop, const np_mpi_requests *requests,
                  const np_mpi_requests *combined);

/* a op b */
static inline np_word np_mpi_apply(const np_mpi_access *x, np_word a, np_word b)
{
    return x->op == NP_MPI_REPLACE ? b : np_values_combine(x->array->options.type, (np_fetch_op)x->op, a, b);
}

/* ---- hot.c ---- */

/*
 * Lists the requests that are not for hop->hot, as cool_count, cool_address and cool_value of the hop; *sum = what the
 * operands of the others, of which there is one at least, combine to. NP_ERROR_MEMORY.
 */
np_status np_mpi_hot_take_out(const np_mpi_access *x, np_mpi_hop *hop, const np_mpi_requests *requests,
                              np_word *sum) NP_CHECKED;

/* Makes the answers to the requests of the one to the sum, and of those in cool_value to the others. */
void np_mpi_hot_put_back(const np_mpi_access *x, const np_mpi_hop *hop, const np_mpi_requests *requests,
                         np_word answer);

/* ---- serve.c ---- */

/* Makes room for `arrivals` requests that arrive in this call, in which `stored` is set. NP_ERROR_MEMORY. */
np_status np_mpi_serve_begin(np_mpi_access *x, uint64_t arrivals) NP_CHECKED;

/* The requests of a bucket reach their cells. */
void np_mpi_serve(np_mpi_access *x, uint64_t *buffer, const np_mpi_bucket *bucket);

/* ---- marks.c ---- */

/* Does the rule forbid the write together with the first one of the cell? */
bool np_mpi_marks_clash(const np_mpi_array *a, np_word lead, np_word value);

/* Must accesses of this kind be looked at? */
bool np_mpi_marks_due(np_access_rule rule, np_access_kind kind);

/* Takes a mark for a call in which they must. NP_ERROR_MEMORY. */
np_status np_mpi_marks_begin(np_mpi_access *x) NP_CHECKED;

/* Looks at the requests of a bucket before they are served. */
void np_mpi_marks_see(np_mpi_access *x, uint64_t *buffer, const np_mpi_bucket *bucket);

/* ---- hop.c ---- */

/*
 * Sends the requests of ranks first .. last on their way, from this hop on, and returns with the answers. requests is
 * this rank's, none if it is not among them. only: they are all of the call. Agreed on by all ranks.
 */
np_status np_mpi_hop_take(np_mpi_access *x, unsigned level, const np_mpi_requests *requests, int first, int last,
                          bool only) NP_CHECKED;

/* Makes the buffers of an np_mpi for so many hops. NP_ERROR_MEMORY, of this rank alone. */
np_status np_mpi_memory_need(np_mpi *mpi, unsigned hops) NP_CHECKED;
