/*
 * Splitters by oversampling, as in flashsort (Reif & Valiant 1987): S samples of all N records are sorted, and each
 * (S / P)-th is a splitter. The records are divided into S ranges by origin, and each range gives one of its records,
 * drawn by the seed. So the samples are spread over ranks as the records are, and no order of the records is bad for
 * all seeds.
 *
 * With s = S / P, a share is its mean times 1 + O(1 / sqrt(s)): with s = 2048 (1 + log2 P) the limit of 1.05 is 3.2 or
 * more standard deviations away. The shares are counted before anything is sent. If one is too large, four times as
 * many samples are drawn; with S = N the shares are exact. So the limit holds whatever the keys are.
 *
 * All ranks get all samples, and sort them alike: 16 bytes each, 32 kB P (1 + log2 P) on every rank, which is 2.6 MB
 * for 16 ranks and 360 MB for 1,000. A sort that is divided, too, would hold P times less, and take log2 P more rounds.
 */
#include "base/log2.h"
#include "base/random.h"
#include "mpi/sort/sort.h"

enum { OVERSAMPLING = 2048, MORE = 4 };

static const np_mpi_keyed NOWHERE = {UINT64_MAX, UINT64_MAX}; /* above all records */

/* Range j of S begins at origin each * j + min(j, more). */
typedef struct ranges {
    np_draws draws;
    uint32_t round;
    uint64_t count, each, more;
} ranges;

static ranges ranges_make(const np_mpi_sorting *sorting, uint64_t samples, uint32_t round)
{
    np_draws draws = np_draws_for((np_draws){.seed = sorting->mpi->seed}, NP_RANDOM_CANDIDATE);
    return (ranges){draws, round, samples, sorting->total / samples, sorting->total % samples};
}

/* The origin of the sample of range j. */
static uint64_t sample(const ranges *r, uint64_t j)
{
    uint64_t begin = r->each * j + (j < r->more ? j : r->more), width = r->each + (j < r->more);
    if (width == 1)
        return begin;
    return begin + (uint64_t)((unsigned __int128)np_random_u64(&r->draws, (uint32_t)j, r->round) * width >> 64);
}

/* How many samples have an origin below `origin`. */
static uint64_t samples_before(const ranges *r, uint64_t origin)
{
    uint64_t wide = (r->each + 1) * r->more, j;
    if (origin < wide)
        j = origin / (r->each + 1);
    else
        j = r->more + (origin - wide) / r->each;
    return j == r->count ? j : j + (sample(r, j) < origin);
}

/* Where the samples of each rank come from and go to: all have room for all, in the order of their origins. */
static void make_parts(np_mpi_sorting *s, const ranges *r, np_mpi_keyed *samples)
{
    uint64_t origin = 0, first = 0, next;
    for (int q = 0; q < s->mpi->size; q++, first = next) {
        origin += s->given[q];
        next = samples_before(r, origin);
        s->in[q] = (np_mpi_part){samples + first, (next - first) * sizeof *samples};
    }
    for (int q = 0; q < s->mpi->size; q++)
        s->out[q] = s->in[s->mpi->rank];
}

static void draw_mine(const np_mpi_sorting *s, const ranges *r, np_mpi_keyed *samples)
{
    const np_mpi_part *mine = &s->in[s->mpi->rank];
    uint64_t first = (uint64_t)((const np_mpi_keyed *)mine->data - samples);
    for (uint64_t j = first; j < first + mine->bytes / sizeof *samples; j++) {
        uint64_t origin = sample(r, j);
        const unsigned char *record = s->records + (origin - s->before) * s->options.record;
        samples[j] = (np_mpi_keyed){np_mpi_sort_key(s, record), origin};
    }
}

static np_status choose(np_mpi_sorting *s, const ranges *r)
{
    np_mpi *mpi = s->mpi;
    np_mpi_keyed *samples;
    np_status st = np_mpi_agree(
        mpi, np_mpi_buffer_need(mpi, NP_MPI_BUFFER_SORT_KEYED, 0, r->count, 2 * sizeof *samples, &samples));
    if (st)
        return st;
    make_parts(s, r, samples);
    draw_mine(s, r, samples);
    if ((st = np_mpi_move(mpi, s->out, s->in)))
        return st;
    np_mpi_sort_keyed(samples, r->count, samples + r->count);
    for (int q = 1; q < mpi->size; q++) {
        uint64_t at = np_job_share(r->count, (uint32_t)q, (uint32_t)mpi->size);
        s->splitter[q - 1] = at < r->count ? samples[at] : NOWHERE; /* fewer records than ranks */
    }
    return NP_OK;
}

/* 1.05 times the mean, or the mean rounded up. */
static uint64_t limit(uint64_t total, uint64_t ranks)
{
    uint64_t up = total / ranks + (total % ranks != 0), most = total / ranks + total / ranks / 20;
    return up > most ? up : most;
}

static bool is_balanced(const np_mpi_sorting *s)
{
    uint64_t most = 0;
    for (int q = 0; q < s->mpi->size; q++)
        most = s->share[q] > most ? s->share[q] : most;
    return most <= limit(s->total, (uint64_t)s->mpi->size);
}

static np_status count(np_mpi_sorting *s)
{
    np_mpi_sort_count(s);
    return np_mpi_check(MPI_Allreduce(s->bucket, s->share, s->mpi->size, MPI_UINT64_T, MPI_SUM, s->mpi->comm),
                        "MPI_Allreduce");
}

static uint64_t samples_first(const np_mpi_sorting *s)
{
    uint64_t ranks = (uint64_t)s->mpi->size, each = s->options.oversampling;
    if (!each)
        each = OVERSAMPLING * (1 + (uint64_t)np_log2_up(ranks));
    return each * ranks;
}

np_status np_mpi_sort_split(np_mpi_sorting *sorting)
{
    uint64_t samples = samples_first(sorting);
    np_status st = NP_OK;
    if (sorting->mpi->size == 1 || !sorting->total) /* no splitter is looked at */
        return count(sorting);
    for (uint32_t round = 0;; round++, samples *= MORE) {
        if (samples > sorting->total || samples > UINT32_MAX) /* a draw has an item of 32 bits */
            samples = sorting->total;
        ranges r = ranges_make(sorting, samples, round);
        if ((st = choose(sorting, &r)) || (st = count(sorting)) || is_balanced(sorting))
            return st;
    }
}
