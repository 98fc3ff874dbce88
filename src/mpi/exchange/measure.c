/*
 * What a network can do, by trying: the even exchange, and permutations that are hard for the routes of one network or
 * another. Hypercubes and butterflies by dimension order: reversal of the bits, transpose. Rings, meshes and trees:
 * shifts by half, reversal of the numbers. And some drawn at random, because nobody knows which rank is where.
 */
#include <math.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/random.h"
#include "mpi/exchange/exchange.h"

enum { DRAWN = 3, FIXED = 5, PATTERNS = FIXED + DRAWN };

/* The pattern's permutation: to[r] for all ranks. */
static void permute(const np_mpi *mpi, uint32_t pattern, uint32_t *to)
{
    uint32_t ranks = (uint32_t)mpi->size, bits = 0;
    np_draws draws = np_draws_for((np_draws){.seed = mpi->seed, .run = pattern}, NP_RANDOM_CHECK);
    while (ranks >> (bits + 1))
        bits++;
    for (uint32_t r = 0; r < ranks; r++) {
        uint32_t turned = 0, half = bits / 2, within = r >> bits == 0;
        for (uint32_t b = 0; b < bits; b++)
            turned |= (r >> b & 1) << (bits - 1 - b);
        /* of the ranks below a power of two the bits move; the others keep theirs */
        const uint32_t fixed[FIXED] = {(r + 1) % ranks, (r + ranks / 2) % ranks, ranks - 1 - r, within ? turned : r,
                                       within ? (r >> half | r << (bits - half)) & ((1U << bits) - 1) : r};
        to[r] = pattern < FIXED ? fixed[pattern] : r;
    }
    for (uint32_t left = ranks; pattern >= FIXED && left > 1; left--) {
        uint32_t other = np_random_below(&draws, left, 0, left), moved = to[left - 1];
        to[left - 1] = to[other];
        to[other] = moved;
    }
}

/* Bytes a second of a rank, by the slowest rank; 0 if nobody sends. The fastest of some exchanges counts. */
static np_status rate_of(np_mpi *mpi, const np_mpi_part *out, const np_mpi_part *in, uint64_t sends, double *rate)
{
    enum { TIMES = 3 };
    double fastest = HUGE_VAL;
    np_status st = np_mpi_check(MPI_Allreduce(MPI_IN_PLACE, &sends, 1, MPI_UINT64_T, MPI_MAX, mpi->comm),
                                "MPI_Allreduce"); /* it lets the ranks begin together, too */
    for (int i = 0; i < TIMES && !st; i++) {
        double seconds = -np_clock_seconds();
        if ((st = np_mpi_move(mpi, out, in)))
            return st;
        seconds += np_clock_seconds();
        st = np_mpi_check(MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, mpi->comm), "MPI_Allreduce");
        fastest = seconds < fastest ? seconds : fastest;
    }
    *rate = !st && fastest > 0 ? (double)sends / fastest : 0;
    return st;
}

/* Sets the parts of a pattern; PATTERNS: the even exchange. Returns what this rank sends. */
static uint64_t set_parts(const np_mpi *mpi, uint32_t pattern, uint64_t bytes, unsigned char *data, uint32_t *to,
                          np_mpi_part *out)
{
    np_mpi_part *in = out + mpi->size;
    uint32_t ranks = (uint32_t)mpi->size, me = (uint32_t)mpi->rank;
    for (uint32_t r = 0; r < ranks; r++) {
        uint64_t begin = np_job_share(bytes, r, ranks), part = np_job_share(bytes, r + 1, ranks) - begin;
        uint64_t mine = np_job_share(bytes, me + 1, ranks) - np_job_share(bytes, me, ranks);
        out[r] = (np_mpi_part){data + begin, part};
        in[r] = (np_mpi_part){data + bytes + ranks + r * (bytes / ranks + 1), mine};
    }
    if (pattern == PATTERNS)
        return bytes - out[me].bytes;
    permute(mpi, pattern, to);
    for (uint32_t r = 0; r < ranks; r++) {
        out[r] = (np_mpi_part){data, to[me] == r ? bytes : 0};
        in[r] = (np_mpi_part){data + bytes, to[r] == me ? bytes : 0};
    }
    return to[me] == me ? 0 : bytes;
}

static np_status measure(np_mpi *mpi, uint64_t bytes, unsigned char *data, uint32_t *to, np_mpi_part *parts,
                         np_mpi_network *out)
{
    np_status st = NP_OK;
    for (uint32_t p = PATTERNS + 1; p-- > 0 && !st;) {
        uint64_t sends = set_parts(mpi, p, bytes, data, to, parts);
        double rate;
        if ((st = rate_of(mpi, parts, parts + mpi->size, sends, &rate)) || !(rate > 0))
            continue;
        if (p == PATTERNS)
            out->uniform = rate;
        else if (!(out->worst > 0) || rate < out->worst)
            out->worst = rate;
        out->port = rate > out->port ? rate : out->port;
    }
    return st;
}

np_status np_mpi_network_measure(np_mpi *mpi, uint64_t bytes, np_mpi_network *out)
{
    const np_job *job = np_mpi_job(mpi);
    uint64_t most[2] = {bytes, ~bytes}, room;
    size_t ranks = (size_t)mpi->size;
    np_mpi_part *parts = NULL;
    uint32_t *to = NULL;
    unsigned char *data = NULL;
    np_status st = np_job_most(job, 2, most);
    *out = (np_mpi_network){0};
    if (st)
        return st;
    if (!bytes || most[0] != ~most[1])
        return NP_RAISE(NP_ERROR_INPUT, "bytes to measure with must be the same on all ranks, and not 0");
    if (__builtin_add_overflow(2 * ranks, bytes, &room) || __builtin_mul_overflow(room, UINT64_C(2), &room))
        return NP_RAISE(NP_ERROR_INPUT, "%llu bytes to measure with are too many", (unsigned long long)bytes);
    if (!(st = np_memory_array(&parts, 2 * ranks, sizeof *parts, "parts to measure with")) &&
        !(st = np_memory_array(&to, ranks, sizeof *to, "a permutation of the ranks")))
        st = np_memory_zeroed(&data, room, 1, "bytes to measure with");
    if (!(st = np_mpi_agree(mpi, st)))
        st = measure(mpi, bytes, data, to, parts, out);
    NP_MEMORY_FREE(data, to, parts);
    return st;
}
