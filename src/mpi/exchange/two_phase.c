/*
 * The exchange in two phases (Valiant & Brebner 1981): every block is cut into slices, which go to ranks that a hash
 * draws, and from there to where they must. Whatever the pattern, each phase is close to the one in which every rank
 * sends alike to all.
 *
 * Slices. A block of b bytes for one of P ranks becomes k = min(P, b / G rounded up) slices of consecutive bytes, equal
 * but for 64 bytes, where G = SLICE. They go by way of k successive ranks, beginning at one that is drawn for the
 * block. So all slices of a block follow from its size and the draw. Every rank tells all others the sizes of its
 * blocks, once; then each knows what passes through it. No message has headers, and slices are received where they
 * belong. A slice whose way begins or ends at its own drawn rank takes one hop. The sizes take 8 P^2 bytes on every
 * rank: this is for thousands of ranks, not for hundreds of thousands.
 *
 * Room. Rank m holds the slices that others send to others by way of it. The bytes of a block that it holds are either
 * those of a slice of at most G bytes, with probability k / P, or, if k = P, a fixed number and at most 64 more; their
 * mean is b / P. So what m holds differs from a constant by a sum of independent variables in 0 .. G, and its mean is
 * mu <= T / P, where T is the sum of all blocks. By Bernstein's inequality (the variance is at most G mu) it is
 *
 *     at least mu + sqrt(2 G mu L) + 2/3 G L  with probability at most exp(-L).
 *
 * With L = ln P + 20 ln 2 that happens to any rank with probability at most 2^-20. Then the draws are not used: the
 * ranks, which have told each other sizes only, draw anew. ATTEMPTS in vain have probability 2^-160.
 *
 * From the paper we depart in cutting: it sends whole packets of one size, each to a rank of its own.
 */
#include <math.h>

#include "base/random.h"
#include "base/real.h"
#include "mpi/exchange/exchange.h"

enum { SLICE = 1024, UNIT = 64, ATTEMPTS = 8 };

/* A slice that passes through this rank; where it comes from is known by its place. */
typedef struct passing {
    uint64_t to, bytes;
} passing;

typedef struct slice {
    uint64_t at, bytes; /* of its block */
} slice;

/* A list for each rank: rank r's parts are part[first[r]] .. */
typedef struct lists {
    np_mpi_part *part;
    size_t *first; /* [P + 1] */
} lists;

typedef struct two_phase {
    np_mpi *mpi;
    const np_mpi_part *out, *in; /* the blocks */
    np_draws draws;
    uint64_t *size;                 /* [P][P] bytes of the block from a rank for a rank; 0 where they are the same */
    uint32_t *out_start, *in_start; /* [P] the rank of the first slice of the block for r, of that from r */
    passing *passing;               /* by their sources, then their ends */
    size_t *pass_first;             /* [P + 1] source r's are passing[pass_first[r]] .. */
    lists own;                      /* this rank's slices, by the rank on the way: this one's stay here */
    lists come;                     /* first phase: where the others' slices arrive */
    lists go;                       /* second phase: what leaves for r */
    lists end;                      /* second phase: where it arrives */
    uint64_t held;
} two_phase;

static uint32_t slices_of(uint64_t bytes, int ranks)
{
    uint64_t count = bytes / SLICE + (bytes % SLICE != 0);
    return (uint32_t)(count < (uint64_t)ranks ? count : (uint64_t)ranks);
}

/* The slice of a block that goes by way of a rank; 0 bytes if there is none. start: where its first one goes. */
static slice slice_by(uint64_t bytes, uint32_t start, int via, int ranks)
{
    uint32_t count = slices_of(bytes, ranks), which = ((uint32_t)(via + ranks) - start) % (uint32_t)ranks;
    uint64_t units = bytes / UNIT + (bytes % UNIT != 0);
    if (which >= count)
        return (slice){0, 0};
    uint64_t at = np_job_share(units, which, count) * UNIT, end = np_job_share(units, which + 1, count) * UNIT;
    return (slice){at, (end < bytes ? end : bytes) - at};
}

static uint32_t start(const two_phase *t, int from, int to)
{
    return np_random_below(&t->draws, (uint32_t)from, (uint32_t)to, (uint32_t)t->mpi->size);
}

static void *behind(const np_mpi_part *block, uint64_t bytes)
{
    return (unsigned char *)(uintptr_t)block->data + bytes;
}

/* Room for what is known before the sizes. It is there already: np_mpi_two_phase_room. */
static np_status make_own(two_phase *t)
{
    np_mpi *mpi = t->mpi;
    size_t ranks = (size_t)mpi->size, slices = 0, each = 5 * sizeof(size_t) + 2 * sizeof(uint32_t);
    void *numbers;
    np_status st;
    for (int r = 0; r < mpi->size; r++)
        slices += r == mpi->rank ? 0 : slices_of(t->out[r].bytes, mpi->size);
    if ((st = np_mpi_buffer_need(mpi, NP_MPI_BUFFER_RANKS, 0, ranks + 1, each, &numbers)) ||
        (st = np_mpi_buffer_need(mpi, NP_MPI_BUFFER_SIZES, 0, ranks, ranks * sizeof *t->size, &t->size)) ||
        (st = np_mpi_buffer_need(mpi, NP_MPI_BUFFER_OWN, 0, slices, sizeof *t->own.part, &t->own.part)))
        return st;
    t->pass_first = numbers;
    t->own.first = t->pass_first + ranks + 1;
    t->come.first = t->own.first + ranks + 1;
    t->go.first = t->come.first + ranks + 1;
    t->end.first = t->go.first + ranks + 1;
    t->out_start = (uint32_t *)(t->end.first + ranks + 1);
    t->in_start = t->out_start + ranks + 1;
    return NP_OK;
}

static np_status tell_sizes(two_phase *t)
{
    np_mpi *mpi = t->mpi;
    uint64_t *own = t->size + (size_t)mpi->rank * (size_t)mpi->size;
    for (int r = 0; r < mpi->size; r++)
        own[r] = r == mpi->rank ? 0 : t->out[r].bytes;
    return np_mpi_check(MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, t->size, mpi->size, MPI_UINT64_T, mpi->comm),
                        "MPI_Allgather");
}

static void find_starts(two_phase *t)
{
    const np_mpi *mpi = t->mpi;
    for (int r = 0; r < mpi->size; r++) {
        t->out_start[r] = start(t, mpi->rank, r);
        t->in_start[r] = start(t, r, mpi->rank);
    }
}

/* Cuts the blocks for the other ranks, or from them, by the rank on the way. */
static void cut(const np_mpi *mpi, const np_mpi_part *block, const uint32_t *starts, lists *slices)
{
    size_t n = 0;
    for (int via = 0; via < mpi->size; via++) {
        slices->first[via] = n;
        for (int r = 0; r < mpi->size; r++) {
            slice s = slice_by(block[r].bytes, starts[r], via, mpi->size);
            if (r != mpi->rank && s.bytes)
                slices->part[n++] = (np_mpi_part){behind(&block[r], s.at), s.bytes};
        }
    }
    slices->first[mpi->size] = n;
}

/* Lists what passes through this rank, its own slices that stay here first included. */
static np_status list_passing(two_phase *t)
{
    np_mpi *mpi = t->mpi;
    size_t ranks = (size_t)mpi->size, blocks = 0, n = 0;
    np_status st;
    for (size_t i = 0; i < ranks * ranks; i++)
        blocks += t->size[i] != 0;
    if ((st = np_mpi_buffer_need(mpi, NP_MPI_BUFFER_PASSING, 0, blocks, sizeof *t->passing, &t->passing)))
        return st;
    for (int from = 0; from < mpi->size; from++) {
        t->pass_first[from] = n;
        for (int to = 0; to < mpi->size; to++) {
            uint64_t bytes = t->size[(size_t)from * ranks + (size_t)to];
            slice s = bytes ? slice_by(bytes, start(t, from, to), mpi->rank, mpi->size) : (slice){0, 0};
            if (s.bytes)
                t->passing[n++] = (passing){(uint64_t)to, s.bytes};
        }
    }
    t->pass_first[mpi->size] = n;
    return NP_OK;
}

/* What this rank would hold for others. */
static uint64_t held(const two_phase *t)
{
    uint64_t bytes = 0;
    for (int from = 0; from < t->mpi->size; from++)
        for (size_t i = t->pass_first[from]; from != t->mpi->rank && i < t->pass_first[from + 1]; i++)
            bytes += t->passing[i].to == (uint64_t)t->mpi->rank ? 0 : t->passing[i].bytes;
    return bytes;
}

/* The bound of the head of this file. */
static uint64_t bound(uint64_t total, int ranks)
{
    double mean = (double)total / ranks, l = np_log(ranks) + 20 * NP_LN2;
    return (uint64_t)(mean + sqrt(2 * SLICE * mean * l) + SLICE * l * 2 / 3);
}

/* Room for the slices that arrive and go on; the moves, too, need no more memory afterwards. */
static np_status make_slices(two_phase *t, unsigned char **hold)
{
    np_mpi *mpi = t->mpi;
    size_t pass = t->pass_first[mpi->size], ends = 0;
    np_status st;
    for (int r = 0; r < mpi->size; r++)
        ends += r == mpi->rank ? 0 : slices_of(t->in[r].bytes, mpi->size);
    if ((st = np_mpi_buffer_need(mpi, NP_MPI_BUFFER_HELD, 0, t->held, 1, hold)) ||
        (st = np_mpi_buffer_need(mpi, NP_MPI_BUFFER_SLICES, 0, 2 * pass + ends, sizeof *t->come.part, &t->come.part)))
        return st;
    t->go.part = t->come.part + pass;
    t->end.part = t->go.part + pass;
    return NP_OK;
}

/* Counts what goes to each rank: go.first[r + 1] becomes where the slices for r begin. */
static void count_go(two_phase *t)
{
    const np_mpi *mpi = t->mpi;
    size_t *first = t->go.first;
    for (int r = 0; r <= mpi->size; r++)
        first[r] = 0;
    for (size_t i = 0; i < t->pass_first[mpi->size]; i++)
        if (t->passing[i].to + 2 <= (uint64_t)mpi->size)
            first[t->passing[i].to + 2]++;
    for (int r = 2; r <= mpi->size; r++)
        first[r] += first[r - 1];
}

/* Where the slices of the first phase arrive, and, ordered by their ends and then by their sources, what goes on. */
static void place_slices(two_phase *t, unsigned char *hold)
{
    const np_mpi *mpi = t->mpi;
    count_go(t);
    for (int from = 0; from < mpi->size; from++) {
        t->come.first[from] = t->pass_first[from];
        for (size_t i = t->pass_first[from]; i < t->pass_first[from + 1]; i++) {
            int to = (int)t->passing[i].to;
            np_mpi_part part = {hold, t->passing[i].bytes};
            if (from == mpi->rank)
                part.data = t->own.part[t->own.first[from] + i - t->pass_first[from]].data;
            else if (to == mpi->rank)
                part.data = behind(&t->in[from], slice_by(t->in[from].bytes, t->in_start[from], to, mpi->size).at);
            else
                hold += part.bytes;
            t->come.part[i] = part;
            t->go.part[t->go.first[to + 1]++] = part;
        }
    }
    t->come.first[mpi->size] = t->pass_first[mpi->size];
}

static np_mpi_lists seen(const lists *l) { return (np_mpi_lists){l->part, l->first}; }

static np_status place(two_phase *t)
{
    unsigned char *hold;
    np_status st = make_slices(t, &hold);
    if (st)
        return st;
    place_slices(t, hold);
    cut(t->mpi, t->in, t->in_start, &t->end);
    if ((st = np_mpi_move_room(t->mpi, seen(&t->own), seen(&t->come))))
        return st;
    return np_mpi_move_room(t->mpi, seen(&t->go), seen(&t->end));
}

/*
 * Draws until no rank holds more than it may, and places all slices: nothing but sizes was sent. A rank that has no
 * memory says so by bytes that no bound allows, so that nothing else must be agreed on.
 */
static np_status find_draws(two_phase *t, uint64_t total, uint64_t room, np_mpi_exchange_result *result)
{
    const np_job *job = np_mpi_job(t->mpi);
    uint64_t most = room ? room : bound(total, t->mpi->size);
    np_status st, own;
    t->draws = np_draws_for((np_draws){.seed = t->mpi->seed, .run = t->mpi->exchanges++}, NP_RANDOM_TARGET);
    for (result->attempts = 1; result->attempts <= ATTEMPTS; result->attempts++, t->draws.phase++) {
        find_starts(t);
        cut(t->mpi, t->out, t->out_start, &t->own);
        own = list_passing(t);
        t->held = own ? 0 : held(t);
        if (!own && t->held <= most)
            own = place(t);
        result->held = own ? UINT64_MAX : t->held;
        if ((st = np_job_most(job, 1, &result->held)))
            return st;
        if (result->held == UINT64_MAX)
            return np_mpi_agree(t->mpi, own);
        if (result->held <= most)
            return NP_OK;
    }
    if (room)
        return NP_RAISE(NP_ERROR_LIMIT, "a rank would hold %llu bytes for others, and room is %llu: allow about %llu",
                        (unsigned long long)result->held, (unsigned long long)room,
                        (unsigned long long)bound(total, t->mpi->size));
    return NP_RAISE(NP_ERROR_INTERNAL, "%d seeds in vain: a rank would hold %llu bytes of %llu", ATTEMPTS,
                    (unsigned long long)result->held, (unsigned long long)most);
}

np_status np_mpi_two_phase_room(np_mpi *mpi, const np_mpi_part *out, const np_mpi_part *in)
{
    return make_own(&(two_phase){.mpi = mpi, .out = out, .in = in});
}

np_status np_mpi_two_phase(np_mpi *mpi, const np_mpi_part *out, const np_mpi_part *in, uint64_t total, uint64_t room,
                           np_mpi_exchange_result *result)
{
    two_phase t = {.mpi = mpi, .out = out, .in = in};
    np_status st;
    if ((st = make_own(&t)) || (st = tell_sizes(&t)) || (st = find_draws(&t, total, room, result)) ||
        (st = np_mpi_move_lists(mpi, seen(&t.own), seen(&t.come))))
        return st;
    return np_mpi_move_lists(mpi, seen(&t.go), seen(&t.end));
}
