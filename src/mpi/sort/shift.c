/*
 * Exact shares. After the sort the records lie in their order over the ranks, only the borders between ranks are off,
 * by a few parts in a hundred. So the records between a border and where it belongs are sent once more; they go to
 * neighbours mostly. Splitters that are exact from the start would need a search in rounds (multi-selection), on keys
 * that every rank had sorted before.
 */
#include <string.h>

#include "mpi/sort/sort.h"

uint64_t np_mpi_sort_wanted(const np_mpi_sorting *s, int rank)
{
    uint32_t ranks = (uint32_t)s->mpi->size, r = (uint32_t)rank;
    if (s->in_place)
        return s->given[rank];
    return np_job_share(s->total, r + 1, ranks) - np_job_share(s->total, r, ranks);
}

/* What two ranges of the order have in common, as bytes of the first one. */
static np_mpi_part common(const np_mpi_sorting *s, const unsigned char *data, uint64_t begin, uint64_t count,
                          uint64_t other, uint64_t other_count)
{
    uint64_t from = begin > other ? begin : other;
    uint64_t to = begin + count < other + other_count ? begin + count : other + other_count;
    if (from >= to)
        return (np_mpi_part){0};
    return (np_mpi_part){data + (from - begin) * s->options.record, (to - from) * s->options.record};
}

np_status np_mpi_sort_shift(np_mpi_sorting *s, const unsigned char *sorted, unsigned char *to)
{
    int me = s->mpi->rank;
    uint64_t have = 0, want = 0, my_have = 0, my_want = 0;
    for (int r = 0; r < me; r++) {
        my_have += s->share[r];
        my_want += np_mpi_sort_wanted(s, r);
    }
    for (int r = 0; r < s->mpi->size; r++) {
        uint64_t wanted = np_mpi_sort_wanted(s, r), mine = np_mpi_sort_wanted(s, me);
        s->out[r] = common(s, sorted, my_have, s->share[me], want, wanted);
        s->in[r] = common(s, to, my_want, mine, have, s->share[r]);
        have += s->share[r];
        want += wanted;
    }
    if (s->out[me].bytes)
        memcpy((unsigned char *)(uintptr_t)s->in[me].data, s->out[me].data, s->out[me].bytes);
    return np_mpi_move(s->mpi, s->out, s->in);
}
