/*
 * The sort of all ranks' records, as flashsort does it (Reif & Valiant 1987, section 3): a sample gives splitters, the
 * splitters say which rank each record is for, each record goes there, and each rank sorts what it has got.
 *
 * Flashsort splits again and again, down to single processors of a network. Here one splitting is enough: P - 1
 * splitters for P ranks, and memory holds a rank's share. A rank's records are partitioned before they are sorted, so
 * that they are sorted once, and what arrives is not merged but sorted.
 *
 * What arrives lies in the order of the ranks that sent it, and the records of each in their order there. So a stable
 * sort of it by keys is one by (key, rank, place).
 */
#include <string.h>

#include "base/memory.h"
#include "base/room.h"
#include "mpi/sort/sort.h"

enum { BEHIND = 1 /* record of room, for np_mpi_sort_partition */, TOLD = sizeof(np_mpi_sort_told) / sizeof(uint64_t) };

void np_mpi_sort_options_init(np_mpi_sort_options *options)
{
    *options = (np_mpi_sort_options){.keys = NP_MPI_KEYS_UINT64};
}

void np_mpi_sorted_clear(np_mpi_sorted *sorted)
{
    np_memory_free(sorted->records);
    *sorted = (np_mpi_sorted){0};
}

/* What one rank can tell alone. */
static np_status check_mine(const np_mpi_sorting *s)
{
    const np_mpi_sort_options *o = &s->options;
    if ((unsigned)o->keys > NP_MPI_KEYS_CALL)
        return NP_RAISE(NP_ERROR_INPUT, "keys are of kind %d: there are 0..%d", (int)o->keys, NP_MPI_KEYS_CALL);
    if ((unsigned)o->shares > NP_MPI_SHARES_EQUAL)
        return NP_RAISE(NP_ERROR_INPUT, "shares are of kind %d: there are 0..%d", (int)o->shares, NP_MPI_SHARES_EQUAL);
    if (o->keys == NP_MPI_KEYS_CALL && (!o->key || !o->record))
        return NP_RAISE(NP_ERROR_INPUT, "records have %s", o->key ? "0 bytes" : "no function that tells their keys");
    if (s->count && !s->records)
        return NP_RAISE(NP_ERROR_INPUT, "%llu records are at NULL", (unsigned long long)s->count);
    return NP_OK;
}

/* What ranks must have in common. */
static uint64_t kinds(const np_mpi_sorting *s)
{
    const np_mpi_sort_options *o = &s->options;
    return (uint64_t)o->keys | (uint64_t)o->shares << 8 | (uint64_t)s->in_place << 16 | (uint64_t)o->oversampling << 32;
}

/* Sums up the counts. All ranks are told the same, and come to the same verdict. */
static np_status compare(np_mpi_sorting *s)
{
    const np_mpi_sort_told *told = s->told, mine = {s->count, s->options.record, kinds(s)};
    np_status st = np_mpi_check(MPI_Allgather(&mine, TOLD, MPI_UINT64_T, s->told, TOLD, MPI_UINT64_T, s->mpi->comm),
                                "MPI_Allgather");
    if (st)
        return st;
    for (int r = 0; r < s->mpi->size; r++) {
        if (told[r].record != told[0].record || told[r].kinds != told[0].kinds)
            return NP_RAISE(NP_ERROR_INPUT, "rank %d sorts in another way than rank 0: the options must be the same",
                            r);
        s->given[r] = told[r].count;
        if (r == s->mpi->rank)
            s->before = s->total;
        if (s->given[r] >= SIZE_MAX / s->options.record - s->total) /* one more has room, too */
            return NP_RAISE(NP_ERROR_LIMIT, "the records of all ranks are more than 2^64 bytes");
        s->total += s->given[r];
    }
    return NP_OK;
}

/* The arrays of P ranks, in one block. */
static np_status make_tables(np_mpi_sorting *s, unsigned char **block)
{
    size_t ranks = (size_t)s->mpi->size;
    size_t each = 3 * sizeof *s->splitter + 2 * sizeof *s->out + 4 * sizeof *s->given + sizeof *s->to + sizeof *s->told;
    np_status st = np_memory_zeroed(block, ranks, each, "tables of ranks");
    if (st)
        return st;
    s->splitter = (void *)*block;
    s->tree = s->splitter + ranks;
    s->out = (void *)(s->tree + 2 * ranks);
    s->in = s->out + ranks;
    s->given = (void *)(s->in + ranks);
    s->bucket = s->given + ranks;
    s->arriving = s->bucket + ranks;
    s->share = s->arriving + ranks;
    s->to = (void *)(s->share + ranks);
    s->told = (void *)(s->to + ranks);
    return NP_OK;
}

/* Where this rank's records are on their way. */
typedef struct np_mpi_ways {
    bool shifts;            /* the shares are exact: what is sorted moves once more */
    unsigned char *sent;    /* what others get */
    unsigned char *arrived; /* what this rank gets, itself included */
    unsigned char *sorted;  /* keys are sorted where they arrived */
    unsigned char *to;      /* the caller's */
    np_mpi_keyed *keyed;    /* of records that are no keys */
} np_mpi_ways;

static np_status make_output(np_mpi_sorting *s, np_mpi_sorted *out, np_mpi_ways *w)
{
    out->count = w->shifts ? np_mpi_sort_wanted(s, s->mpi->rank) : s->share[s->mpi->rank];
    uint64_t bytes = (out->count + BEHIND) * s->options.record;
    np_status st = np_memory_need(&out->records, 0, bytes, &out->room, 1, "sorted records");
    w->to = out->records;
    return st;
}

/* Memory for this rank's share. An error is of this rank alone. out: NULL in place, where w->to is given. */
static np_status make_ways(np_mpi_sorting *s, np_mpi_sorted *out, np_mpi_ways *w)
{
    np_mpi *mpi = s->mpi;
    bool keys = s->options.keys != NP_MPI_KEYS_CALL;
    uint64_t mine = s->share[mpi->rank], sent = s->count - s->bucket[mpi->rank], size = s->options.record;
    np_status st = NP_OK;
    w->shifts = !out || (s->options.shares == NP_MPI_SHARES_EQUAL && mpi->size > 1);
    if ((keys ? np_mpi_sort_scratch() : w->shifts) && mine > sent)
        sent = mine; /* is scratch, or what is sorted, later */
    if (out)
        st = make_output(s, out, w);
    w->arrived = w->to;
    if (!st)
        st = np_mpi_buffer_need(mpi, NP_MPI_BUFFER_SORT_SENT, 0, sent + BEHIND, size, &w->sent);
    if (!st && (w->shifts || !keys))
        st = np_mpi_buffer_need(mpi, NP_MPI_BUFFER_SORT_ARRIVED, 0, mine + BEHIND, size, &w->arrived);
    if (!st && !keys)
        st = np_mpi_buffer_need(mpi, NP_MPI_BUFFER_SORT_KEYED, 0, mine, 2 * sizeof *w->keyed, &w->keyed);
    w->sorted = keys ? w->arrived : w->shifts ? w->sent : w->to;
    return st;
}

/* What goes where; the records that stay are written where they would arrive. */
static void make_parts(np_mpi_sorting *s, const np_mpi_ways *w)
{
    uint64_t size = s->options.record;
    unsigned char *sent = w->sent, *arrived = w->arrived;
    for (int r = 0; r < s->mpi->size; r++) {
        bool stays = r == s->mpi->rank;
        s->to[r] = stays ? arrived : sent;
        s->out[r] = (np_mpi_part){s->to[r], s->bucket[r] * size};
        s->in[r] = (np_mpi_part){arrived, s->arriving[r] * size};
        arrived += s->in[r].bytes;
        sent += stays ? 0 : s->out[r].bytes;
    }
}

static void sort_mine(np_mpi_sorting *s, const np_mpi_ways *w)
{
    uint64_t mine = s->share[s->mpi->rank], *keys = (void *)w->sorted;
    if (s->options.keys == NP_MPI_KEYS_CALL) {
        np_mpi_sort_records(s, w->arrived, mine, w->sorted, w->keyed);
        return;
    }
    np_mpi_sort_words(keys, mine, (void *)w->sent);
    np_mpi_sort_numbers(s, keys, mine);
}

/* To *out or, if it is NULL, in place. */
static np_status sort(np_mpi_sorting *s, void *in_place, np_mpi_sorted *out)
{
    np_mpi *mpi = s->mpi;
    unsigned char *block = NULL;
    np_mpi_ways ways = {.to = in_place};
    np_status st = check_mine(s);
    if (!st)
        st = make_tables(s, &block);
    if ((st = np_mpi_agree(mpi, st)) || (st = compare(s)) || (st = np_mpi_sort_split(s)) ||
        (st = np_mpi_sizes(mpi, s->bucket, s->arriving)) || (st = np_mpi_agree(mpi, make_ways(s, out, &ways))))
        goto out;
    make_parts(s, &ways);
    np_mpi_sort_partition(s);
    if ((st = np_mpi_move(mpi, s->out, s->in)))
        goto out;
    sort_mine(s, &ways);
    if (ways.shifts)
        st = np_mpi_sort_shift(s, ways.sorted, ways.to);
out:
    np_memory_free(block);
    return st;
}

static np_mpi_sorting begin(np_mpi *mpi, uint64_t count, const void *records, const np_mpi_sort_options *options)
{
    np_mpi_sorting s = {.mpi = mpi, .records = records, .count = count};
    np_mpi_sort_options_init(&s.options);
    if (options)
        s.options = *options;
    if (s.options.keys != NP_MPI_KEYS_CALL)
        s.options.record = sizeof(uint64_t);
    return s;
}

np_status np_mpi_sort(np_mpi *mpi, uint64_t count, const void *records, const np_mpi_sort_options *options,
                      np_mpi_sorted *out)
{
    np_mpi_sorting s = begin(mpi, count, records, options);
    np_status st = sort(&s, NULL, out);
    if (st)
        out->count = 0;
    return st;
}

np_status np_mpi_sort_in_place(np_mpi *mpi, uint64_t count, void *records, const np_mpi_sort_options *options)
{
    np_mpi_sorting s = begin(mpi, count, records, options);
    s.in_place = true;
    return sort(&s, records, NULL);
}
