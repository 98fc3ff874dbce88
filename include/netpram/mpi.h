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

/** The ranks for functions of the library that processes share: np_pram_options.job. Borrowed. Not collective. */
const np_job *np_mpi_job(np_mpi *mpi);

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

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
