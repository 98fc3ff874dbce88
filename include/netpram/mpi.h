/*
 * libnetpram-mpi: the papers' computer on the ranks of an MPI communicator. It exchanges irregular data, keeps shared
 * arrays whose cells all ranks read and change in bulk, and sorts.
 *
 * Every function that takes an np_mpi is collective over its communicator, unless its comment says otherwise: all ranks
 * call it, in the same order, those that have nothing to give with a count of 0. An error is one on all ranks: each
 * returns the status of the first rank that has one, and np_last_error says which rank, and why. Nothing is aborted.
 *
 * The library calls neither MPI_Init nor MPI_Finalize, and never uses MPI_COMM_WORLD. It needs MPI 3.1. Counts of
 * elements and bytes are 64-bit numbers everywhere; what MPI counts in an int is cut.
 *
 * Threads: one thread at a time may use an np_mpi and what belongs to it. MPI_THREAD_SINGLE is enough.
 */
#ifndef NETPRAM_MPI_H
#define NETPRAM_MPI_H

#include <mpi.h>

#include <netpram/base.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The ranks. */

/** Ranks that work together: a communicator, buffers that stay between calls, a seed, and counts of what was sent. */
typedef struct np_mpi np_mpi;

typedef struct np_mpi_options {
    uint64_t seed; /**< of all random choices; it must be the same on all ranks */
    uint64_t
        piece; /**< most bytes of one message, in 8 .. INT_MAX; 0: INT_MAX, which is as much as MPI 3.1 can count */
} np_mpi_options;

/** Sets the defaults: seed 1, piece 0. Not collective. */
void np_mpi_options_init(np_mpi_options *options);

/**
 * Makes the object. The communicator is duplicated once, so that no message meets one of the caller's.
 *
 * @param comm     an intracommunicator; MPI must be initialized
 * @param options  the same on all ranks; NULL: the defaults
 * @param out      receives the object, which np_mpi_free ends before MPI_Finalize. NULL on error
 * @return NP_ERROR_INPUT: no communicator of one group, or options that are out of range or differ between ranks.
 *         NP_ERROR_MEMORY; NP_ERROR_IO: MPI failed
 */
np_status np_mpi_create(MPI_Comm comm, const np_mpi_options *options, np_mpi **out) NP_CHECKED;

/** Frees the object. Arrays of memory that were made with it must be freed before. NULL is allowed on all ranks. */
void np_mpi_free(np_mpi *mpi);

/** The number of this rank, and of all. Not collective. */
int np_mpi_rank(const np_mpi *mpi);
int np_mpi_size(const np_mpi *mpi);

/**
 * Makes one status of all. A program that has found an error on one rank calls it, so that all ranks stop together.
 * @return the status of the lowest rank that has an error, with its message for np_last_error; NP_OK if none has one
 */
np_status np_mpi_agree(np_mpi *mpi, np_status status) NP_CHECKED;

/* What was sent. */

/** Counts since np_mpi_create, or the last np_mpi_statistics_reset. What a rank keeps for itself does not count. */
typedef struct np_mpi_statistics {
    uint64_t rounds;        /**< exchanges, each of which waits for the slowest rank */
    uint64_t messages;      /**< of all ranks together */
    uint64_t bytes;         /**< of all ranks together */
    uint64_t messages_most; /**< most messages that one rank sent, or received */
    uint64_t bytes_most;    /**< most bytes that one rank sent, or received, those that it passed on included */
} np_mpi_statistics;

/** Collects the counts of all ranks: every rank gets the same. */
np_status np_mpi_statistics_get(np_mpi *mpi, np_mpi_statistics *out) NP_CHECKED;

/** Begins to count anew. Not collective; the counts are only right if all ranks do it. */
void np_mpi_statistics_reset(np_mpi *mpi);

/* Sorting. */

/** What the keys of records are. Records are sorted by ascending keys; those of equal keys by rank, then by place. */
typedef enum np_mpi_keys {
    NP_MPI_KEYS_UINT64, /**< a record is its key: 8 bytes, a uint64_t */
    NP_MPI_KEYS_INT64,  /**< an int64_t */
    NP_MPI_KEYS_DOUBLE, /**< a double, in the order of IEEE 754's totalOrder: -0 before 0, NaNs at the ends by sign */
    NP_MPI_KEYS_CALL    /**< a record is any bytes, and a function tells its key */
} np_mpi_keys;

/** How many records each rank has after a sort of all N. */
typedef enum np_mpi_shares {
    NP_MPI_SHARES_BALANCED, /**< no rank has more than 1.05 times the mean, or the mean rounded up: the fastest */
    NP_MPI_SHARES_EQUAL     /**< the mean, rounded up on the first (N mod ranks) ranks and down on the others */
} np_mpi_shares;

/** What is sorted: the same on all ranks, except the context. */
typedef struct np_mpi_sort_options {
    np_mpi_keys keys;
    np_mpi_shares shares;
    uint64_t record; /**< NP_MPI_KEYS_CALL: bytes of a record, at least 1 */
    /**
     * NP_MPI_KEYS_CALL: the key of a record, by the bytes of the record alone: on another rank it is the same. It is
     * called about three times for each. np_mpi_key_of_int64 and np_mpi_key_of_double make keys of other numbers.
     */
    uint64_t (*key)(const void *record, void *context);
    void *context;
    uint32_t oversampling; /**< records for each rank in the sample that shares are first made by; 0: 2,048 and more */
} np_mpi_sort_options;

/** Sets the defaults: records that are uint64_t, balanced shares. Not collective. */
void np_mpi_sort_options_init(np_mpi_sort_options *options);

/** Keys in whose order negative numbers come first; that of doubles is NP_MPI_KEYS_DOUBLE's. Not collective. */
static inline uint64_t np_mpi_key_of_int64(int64_t number) { return (uint64_t)number ^ (uint64_t)1 << 63; }

static inline uint64_t np_mpi_key_of_double(double number)
{
    union {
        double number;
        uint64_t bits;
    } as = {number};
    return as.bits ^ ((as.bits >> 63 ? UINT64_MAX : 0) | (uint64_t)1 << 63);
}

/** The records of this rank after a sort. Begin with {0}; the next sort takes the memory of the last. */
typedef struct np_mpi_sorted {
    void *records;  /**< ascending; those of the next rank follow. Aligned to 16 bytes */
    uint64_t count; /**< how many */
    uint64_t room;  /**< bytes that `records` has room for */
} np_mpi_sorted;

/** Frees what a sort has given. Not collective. */
void np_mpi_sorted_clear(np_mpi_sorted *sorted);

/**
 * Sorts the records of all ranks into new arrays. Splitters are chosen by oversampling, as in flashsort (Reif &
 * Valiant 1987); each record is sent once, and NP_MPI_SHARES_EQUAL sends those again that are not where they belong.
 * What was sent before the records is about 2,048 (1 + log2 ranks) samples of 16 bytes from each rank to each other.
 *
 * @param count    records of this rank, 0 or more
 * @param records  [count], each of 8 bytes or options->record; unchanged. NULL if count is 0
 * @param options  NULL: the defaults
 * @param out      receives the sorted records; after an error none
 * @return NP_ERROR_INPUT: options out of range or not the same on all ranks, or no records.
 *         NP_ERROR_LIMIT: more than 2^64 bytes. NP_ERROR_MEMORY; NP_ERROR_IO: MPI failed
 */
np_status np_mpi_sort(np_mpi *mpi, uint64_t count, const void *records, const np_mpi_sort_options *options,
                      np_mpi_sorted *out) NP_CHECKED;

/**
 * The same in place: each rank keeps as many records as it had, and options->shares does not matter. Other memory is
 * used on the way, about twice that of the records.
 *
 * @param records  [count]; after an error as they were, except after NP_ERROR_IO
 */
np_status np_mpi_sort_in_place(np_mpi *mpi, uint64_t count, void *records,
                               const np_mpi_sort_options *options) NP_CHECKED;

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
