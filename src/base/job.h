/*
 * Many processes that do one piece of work together, each its share: the ranks of a job. This is all that the library
 * knows of them. src/mpi implements it over a communicator of MPI, the tests with threads; nothing else sends anything
 * to another process.
 *
 * Every function of it is collective: all ranks call the same ones in the same order, also those that have nothing to
 * give. NULL instead of an np_job means one process.
 *
 * A rank whose share fails must not leave the others waiting: it calls np_job_agree with its status, and all go on
 * with the same one. A function of this interface that fails has failed on all ranks, with one message.
 */
#pragma once

#include "base/status.h"

/* What ranks send piece by piece, so that no more than a few pieces are held at once. */
typedef struct np_job_stream {
    void *object;
    /* Writes the next items for a rank other than this one, at most `room` bytes of them, and returns how many bytes;
     * 0: there are no more. room is at least NP_JOB_ROOM. */
    size_t (*fill)(void *object, uint32_t to, void *data, size_t room);
    /* Items of rank `from`, in the order in which it wrote them. */
    void (*take)(void *object, uint32_t from, const void *data, size_t bytes);
} np_job_stream;

enum { NP_JOB_ROOM = 4096 };

/* Sums modulo 2^64, or the largest of each. */
typedef enum np_job_reduction { NP_JOB_SUM, NP_JOB_MOST } np_job_reduction;

struct np_job {
    uint32_t rank, size; /* rank < size */
    void *context;       /* what the functions get */

    /* values[i] becomes what those of all ranks reduce to. */
    np_status (*reduce)(void *context, np_job_reduction to, size_t count, uint64_t *values);

    /*
     * The status of the first rank that has an error, on all ranks, with its message for np_last_error; NP_OK if none
     * has one.
     */
    np_status (*agree)(void *context, np_status status);

    /*
     * Moves what the streams of all ranks have, and adds up values as a reduction to sums does, in one. fill and take
     * are called in any order, by the calling thread.
     */
    np_status (*stream)(void *context, const np_job_stream *stream, size_t count, uint64_t *values);

    uint32_t neighbours; /* ranks on this machine, which share its processors and memory; 0: this one alone */

    /* Each rank says `words` words to each: say[r * words ..] to rank r; hear has likewise what each says to this one.
     * The quickest of all these functions. */
    np_status (*meet)(void *context, size_t words, const uint64_t *say, uint64_t *hear);

    /*
     * Sends sends[r] records of `size` bytes to each rank r, those for rank 0 first, and receives receives[r] of it,
     * which is as many as it sends: all know it. This rank is one of them.
     */
    np_status (*move)(void *context, size_t size, const void *send, const uint64_t *sends, void *receive,
                      const uint64_t *receives);

    /* all = counts[r] records of each rank r, one rank's after the other's, on every rank. mine: [counts[rank]] */
    np_status (*gather)(void *context, size_t size, const void *mine, const uint64_t *counts, void *all);

    /* What this rank has sent to others so far. */
    void (*sent)(void *context, uint64_t *messages, uint64_t *bytes);
};

/* The status of all. NULL: that of this process. */
static inline np_status np_job_agree(const np_job *job, np_status status)
{
    return job ? job->agree(job->context, status) : status;
}

static inline np_status np_job_sum(const np_job *job, size_t count, uint64_t *values)
{
    return job->reduce(job->context, NP_JOB_SUM, count, values);
}

static inline np_status np_job_most(const np_job *job, size_t count, uint64_t *values)
{
    return job->reduce(job->context, NP_JOB_MOST, count, values);
}

static inline np_status np_job_stream_all(const np_job *job, const np_job_stream *stream, size_t count,
                                          uint64_t *values)
{
    return job->stream(job->context, stream, count, values);
}

/* Rank r's share of `count` items in equal ranges: begins at np_job_share(.., r), ends where that of r + 1 begins. */
static inline uint64_t np_job_share(uint64_t count, uint32_t rank, uint32_t size)
{
    uint64_t each = count / size, more = count % size;
    return each * rank + (rank < more ? rank : more);
}
