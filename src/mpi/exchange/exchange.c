/*
 * The exchange of blocks whose sizes both ends know: what the caller gives is made into parts of bytes, checked, and
 * handed to a method.
 *
 * A wrong argument of one rank must not leave the others waiting, and both ends of each block must mean the same bytes.
 * One reduction finds both. Each rank adds up a hash of (source, destination, bytes, options) of the blocks that it
 * sends, and subtracts those of the blocks that it expects: if all agree the sum of all ranks is 0 modulo 2^64, and if
 * some do not it is 0 with a probability of 2^-64. Who does not agree is looked for only then.
 *
 * An exchange that can only be direct does not wait for the reduction: its messages are on their way meanwhile. If the
 * ranks do not agree, those that were begun are brought to an end first (np_mpi_move_drop).
 */
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "mpi/exchange/exchange.h"

enum { ERRORS, DISAGREEMENT, TOTAL, SUMS };

/* One side of the arguments, as it came. */
typedef struct side {
    const char *name;
    const void *buffer;
    const MPI_Count *counts;
    const MPI_Aint *places;
    MPI_Datatype type;
} side;

void np_mpi_exchange_options_init(np_mpi_exchange_options *options) { *options = (np_mpi_exchange_options){0}; }

/* Bytes of an item. A derived type may be used before it is committed: nothing is sent with it. */
static np_status size_of(const side *s, uint64_t *bytes)
{
    MPI_Count size, least, extent, true_least, true_extent;
    np_status st;
    *bytes = 0;
    if (s->type == MPI_DATATYPE_NULL)
        return NP_RAISE(NP_ERROR_INPUT, "%stype is MPI_DATATYPE_NULL", s->name);
    if ((st = np_mpi_check(MPI_Type_size_x(s->type, &size), "MPI_Type_size_x")) ||
        (st = np_mpi_check(MPI_Type_get_extent_x(s->type, &least, &extent), "MPI_Type_get_extent_x")) ||
        (st = np_mpi_check(MPI_Type_get_true_extent_x(s->type, &true_least, &true_extent),
                           "MPI_Type_get_true_extent_x")))
        return st;
    if (size && (size != extent || size != true_extent || least || true_least))
        return NP_RAISE(NP_ERROR_INPUT, "%stype has %lld bytes in %lld: a datatype with gaps must be packed first",
                        s->name, (long long)size, (long long)extent);
    *bytes = (uint64_t)size;
    return NP_OK;
}

/* The block for rank r, or from it. */
static np_status make_block(const side *s, int r, uint64_t size, np_mpi_part *block)
{
    int64_t bytes, at, first = (int64_t)(uintptr_t)s->buffer, place;
    if (s->counts[r] < 0)
        return NP_RAISE(NP_ERROR_INPUT, "%scounts[%d] is %lld", s->name, r, (long long)s->counts[r]);
    if (__builtin_mul_overflow((int64_t)s->counts[r], (int64_t)size, &bytes))
        return NP_RAISE(NP_ERROR_INPUT, "%scounts[%d] is %lld, of %llu bytes each: no memory has as much", s->name, r,
                        (long long)s->counts[r], (unsigned long long)size);
    *block = (np_mpi_part){0};
    if (!bytes)
        return NP_OK;
    if (!s->buffer || s->buffer == MPI_IN_PLACE)
        return NP_RAISE(NP_ERROR_INPUT, "%s is %s, and %scounts[%d] is %lld", s->name,
                        s->buffer ? "MPI_IN_PLACE, which is not supported" : "NULL", s->name, r,
                        (long long)s->counts[r]);
    if (__builtin_mul_overflow((int64_t)s->places[r], (int64_t)size, &at) || __builtin_add_overflow(first, at, &place))
        return NP_RAISE(NP_ERROR_INPUT, "%s is displaced by %lld items for rank %d: no memory has such a place",
                        s->name, (long long)s->places[r], r);
    *block = (np_mpi_part){(const void *)(uintptr_t)place, (uint64_t)bytes};
    return NP_OK;
}

static np_status make_blocks(const np_mpi *mpi, const side *s, np_mpi_part *blocks)
{
    uint64_t size;
    np_status st;
    if (!s->counts || !s->places)
        return NP_RAISE(NP_ERROR_INPUT, "%s of %s are NULL", s->counts ? "displacements" : "counts", s->name);
    if ((st = size_of(s, &size)))
        return st;
    for (int r = 0; r < mpi->size && !st; r++)
        st = make_block(s, r, size, &blocks[r]);
    return st;
}

static np_status check_options(const np_mpi_exchange_options *options)
{
    const double rates[] = {options->network.port, options->network.uniform, options->network.worst};
    if ((unsigned)options->method > NP_MPI_TWO_PHASE)
        return NP_RAISE(NP_ERROR_INPUT, "there is no method %d of an exchange", (int)options->method);
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        if (!(rates[i] >= 0) || isinf(rates[i]))
            return NP_RAISE(NP_ERROR_INPUT, "a rate of the network must be a number of bytes a second, or 0");
    return NP_OK;
}

static uint64_t digest(const np_mpi_exchange_options *options)
{
    uint64_t words[] = {options->method, 0, 0, 0, options->room}, mixed = 0;
    memcpy(words + 1, &options->network.port, sizeof *words);
    memcpy(words + 2, &options->network.uniform, sizeof *words);
    memcpy(words + 3, &options->network.worst, sizeof *words);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        mixed = np_random_mix(mixed ^ words[i]) + i;
    return mixed;
}

static uint64_t hash(const np_mpi *mpi, int from, int to, uint64_t bytes, uint64_t options)
{
    uint64_t pair = (uint64_t)from << 32 | (uint32_t)to;
    return np_random_mix(np_random_mix(np_random_mix(pair ^ mpi->seed) + bytes) ^ options);
}

/* What this rank adds to the reduction. */
static void count(const np_mpi *mpi, const np_mpi_part *out, const np_mpi_part *in, uint64_t options, uint64_t *sums)
{
    for (int r = 0; r < mpi->size; r++) {
        sums[DISAGREEMENT] += hash(mpi, mpi->rank, r, out[r].bytes, options);
        sums[DISAGREEMENT] -= hash(mpi, r, mpi->rank, in[r].bytes, options);
        sums[TOTAL] += r == mpi->rank ? 0 : out[r].bytes;
    }
}

/* Who does not agree? All ranks call it. */
static np_status tell_disagreement(np_mpi *mpi, const np_mpi_part *out, const np_mpi_part *in)
{
    uint64_t *sent = mpi->bytes, *told = mpi->bytes + mpi->size;
    np_status st;
    for (int r = 0; r < mpi->size; r++)
        sent[r] = out[r].bytes;
    st = np_mpi_sizes(mpi, sent, told);
    for (int r = 0; r < mpi->size && !st; r++)
        if (told[r] != in[r].bytes)
            st = NP_RAISE(NP_ERROR_INPUT, "%llu bytes are expected of rank %d, which sends %llu",
                          (unsigned long long)in[r].bytes, r, (unsigned long long)told[r]);
    if ((st = np_mpi_agree(mpi, st)))
        return st;
    return NP_RAISE(NP_ERROR_INPUT, "the options of an exchange must be the same on all ranks");
}

/* What a call has begun. */
typedef struct course {
    np_mpi_part *out, *in; /* [ranks] */
    bool early; /* messages are on their way before the ranks agree: so many of this rank, sent and awaited: */
    int requests;
    uint64_t total; /* bytes of all ranks */
} course;

/* The status of all, of which this rank's own is `st`. */
static np_status agree_on_blocks(np_mpi *mpi, np_status st, const np_mpi_exchange_options *options, course *c)
{
    uint64_t sums[SUMS] = {[ERRORS] = st != NP_OK};
    np_status agreed;
    if (!st)
        count(mpi, c->out, c->in, digest(options), sums);
    agreed = np_mpi_check(MPI_Allreduce(MPI_IN_PLACE, sums, SUMS, MPI_UINT64_T, MPI_SUM, mpi->comm), "MPI_Allreduce");
    c->total = sums[TOTAL];
    if (agreed || (!sums[ERRORS] && !sums[DISAGREEMENT]))
        return agreed;
    if ((agreed = np_mpi_move_drop(mpi, c->out, c->in, c->requests)))
        return agreed;
    return sums[ERRORS] ? np_mpi_agree(mpi, st) : tell_disagreement(mpi, c->out, c->in);
}

/* What is for this rank itself, if its two ends agree. */
static void keep_own(const np_mpi *mpi, const course *c)
{
    const np_mpi_part *out = &c->out[mpi->rank], *in = &c->in[mpi->rank];
    if (out->bytes && out->bytes == in->bytes)
        memcpy((void *)(uintptr_t)in->data, out->data, out->bytes);
}

static np_status begin(np_mpi *mpi, course *c)
{
    np_status st = np_mpi_move_early(mpi, c->out, c->in, &c->requests);
    if (!st)
        keep_own(mpi, c);
    return st;
}

static np_status move(np_mpi *mpi, const np_mpi_exchange_options *options, const course *c,
                      np_mpi_exchange_result *result)
{
    np_status st = np_mpi_choose(mpi, options, c->out, c->in, c->total, result);
    if (st)
        return st;
    if (c->early)
        return np_mpi_move_on(mpi, c->requests);
    st = result->method == NP_MPI_DIRECT ? np_mpi_move(mpi, c->out, c->in)
                                         : np_mpi_two_phase(mpi, c->out, c->in, c->total, options->room, result);
    if (!st)
        keep_own(mpi, c);
    return st;
}

/* What may be needed before the ranks have heard of each other: an error is then part of what they agree on. */
static np_status make_room(np_mpi *mpi, const np_mpi_exchange_options *options, const np_mpi_part *out,
                           const np_mpi_part *in)
{
    if (np_mpi_may_pass_on(mpi, options)) {
        np_status st = np_mpi_two_phase_room(mpi, out, in);
        if (st)
            return st;
    }
    return np_mpi_move_room(mpi, (np_mpi_lists){out, NULL}, (np_mpi_lists){in, NULL});
}

np_status np_mpi_alltoallv(np_mpi *mpi, const void *send, const MPI_Count *sendcounts, const MPI_Aint *sdispls,
                           MPI_Datatype sendtype, void *recv, const MPI_Count *recvcounts, const MPI_Aint *rdispls,
                           MPI_Datatype recvtype, const np_mpi_exchange_options *options,
                           np_mpi_exchange_result *result)
{
    const side sends = {"send", send, sendcounts, sdispls, sendtype};
    const side receives = {"recv", recv, recvcounts, rdispls, recvtype};
    const np_mpi_exchange_options usual = {0};
    np_mpi_exchange_result went = {0};
    course c = {0};
    np_status st;
    options = options ? options : &usual;
    st = np_mpi_buffer_need(mpi, NP_MPI_BUFFER_BLOCKS, 0, (size_t)mpi->size, 2 * sizeof *c.out, &c.out);
    if (!st) {
        c.in = c.out + mpi->size;
        st = check_options(options);
    }
    if (!st && !(st = make_blocks(mpi, &sends, c.out)) && !(st = make_blocks(mpi, &receives, c.in)) &&
        !(st = make_room(mpi, options, c.out, c.in)) && (c.early = !np_mpi_may_pass_on(mpi, options)))
        st = begin(mpi, &c);
    if (!(st = agree_on_blocks(mpi, st, options, &c)))
        st = move(mpi, options, &c, &went);
    if (result)
        *result = went;
    return st;
}
