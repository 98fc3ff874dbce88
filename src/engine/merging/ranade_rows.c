/*
 * What is made ready before a batch row by row: initial queues, and the direction bits of phase 1. See ranade_lists.c.
 *
 * Phase 1 leads along rows. So the requests are dealt out to their rows, in order of tags. A row's requests, queues and
 * lists are in the first-level cache then. In a row a tag passes all switches from the column of its first processor
 * on: the bits of all columns are written side by side, a lane each, and their words when they are full.
 */
#include <string.h>

#include "engine/merging/ranade_lists.h"

enum { PAIRS = NP_RANADE_PAIRS, NUMBERS = NP_RANADE_NUMBERS };

/* ---- Requests by rows ---- */

/* Does processor[i] ask for its tag for the first time? first: is it the tag's first request? */
NP_INLINE bool asks_first(const np_ranade_job *job, uint32_t i, uint32_t first)
{
    return i == first || job->processor[i] != job->processor[i - 1];
}

/*
 * The requests of the part's rows in order of tags, each processor's once for a tag. Counts them by rows in row_end, or
 * writes them down row by row and leaves the ends of the rows there. Returns how many there are.
 */
NP_INLINE size_t sort_requests(const np_ranade_lists *l, bool counts, uint32_t part)
{
    const np_ranade *ranade = l->ranade;
    const np_ranade_job *job = ranade->job;
    uint32_t *end = ranade->row_end;
    size_t sum = 0;
    for (uint32_t k = 0; k < job->tags; k++)
        for (uint32_t i = job->begin[k]; i < job->begin[k + 1]; i++) {
            uint32_t p = job->processor[i], row = np_divide(p, ranade->by_n);
            if (np_ranade_part_of_row(l, row) != part || !asks_first(job, i, job->begin[k]))
                continue;
            if (!counts)
                ranade->spare[end[row]] = (np_ranade_way){k, p - row * ranade->n};
            end[row]++;
            sum++;
        }
    return sum;
}

/*
 * The ways that leave phase 1 in the part's rows: one for each tag and row, in order of tags. With targets they are
 * those of the targets, which are counted or written down by rows too. Returns how many there are.
 */
NP_INLINE size_t list_ways(const np_ranade_lists *l, bool counts, uint32_t part, np_ranade_way *way)
{
    const np_ranade *ranade = l->ranade;
    const np_ranade_job *job = ranade->job;
    uint32_t *end = ranade->target_end;
    size_t ways = 0;
    for (uint32_t k = 0; k < job->tags; k++) {
        const uint32_t *from = job->target ? &job->target[k] : &job->processor[job->begin[k]];
        const uint32_t *last = job->target ? from + 1 : &job->processor[job->begin[k + 1]];
        for (uint32_t row, before = NP_RANADE_NO_TAG; from < last; from++, before = row) {
            row = np_divide(*from, ranade->by_n);
            if (row == before || np_ranade_part_of_row(l, row) != part)
                continue;
            if (!counts)
                way[ways] = (np_ranade_way){k, row};
            if (!counts && job->target)
                ranade->spare[end[row]] = (np_ranade_way){k, *from - row * ranade->n};
            end[row] += job->target != NULL;
            ways++;
        }
    }
    return ways;
}

/* From counts by rows to the places where they begin, from `at` on. */
static void begin_places(const np_ranade_lists *l, uint32_t part, uint32_t *end, size_t at)
{
    const np_ranade_row_range rows = np_ranade_rows_of(l, 0, part);
    for (uint32_t r = rows.first; r < rows.first + rows.count; r++) {
        uint32_t here = end[r];
        end[r] = (uint32_t)at;
        at += here;
    }
}

/* The initial queues of a row: each processor's tags in order. */
static void fill_queues(np_ranade *ranade, uint32_t row, uint32_t begin, uint32_t end)
{
    uint32_t count[NP_RANADE_N_MAX] = {0};
    for (uint32_t i = begin; i < end; i++)
        count[ranade->spare[i].row]++;
    for (uint32_t c = 0, at = begin; c < ranade->n; c++) {
        ranade->column[c].next[row] = at;
        at += count[c];
        ranade->column[c].end[row] = at;
        count[c] = at - count[c];
    }
    for (uint32_t i = begin; i < end; i++)
        ranade->own[count[ranade->spare[i].row]++] = 2 * ranade->spare[i].tag + 2;
}

/* ---- Phase 1 ---- */

/* The processors of a row that ask for one tag, a bit each, from request *i of the row on; *i comes behind them. */
NP_INLINE uint32_t askers(const np_ranade_way *request, uint32_t end, uint32_t *i)
{
    uint32_t tag = request[*i].tag, processors = 0;
    for (; *i < end && request[*i].tag == tag; ++*i)
        processors |= UINT32_C(1) << request[*i].row;
    return processors;
}

/* How many tags of a row pass each column: a tag does from its first processor on. */
NP_INLINE void count_passing(const np_ranade *ranade, uint32_t begin, uint32_t end, uint32_t *passing)
{
    memset(passing, 0, (ranade->n + 1) * sizeof *passing);
    for (uint32_t i = begin; i < end;)
        passing[__builtin_ctz(askers(ranade->spare, end, &i))]++;
    for (uint32_t c = 1; c <= ranade->n; c++)
        passing[c] += passing[c - 1];
}

/* The words of a row's lists. */
static uint64_t count_row(const np_ranade *ranade, uint32_t begin, uint32_t end)
{
    uint32_t passing[NP_RANADE_N_MAX + 1];
    uint64_t words = 0;
    count_passing(ranade, begin, end, passing);
    for (uint32_t c = 0; c <= ranade->n; c++)
        words += np_ranade_words_of(passing[c]);
    return words;
}

enum { LANES = 32 }; /* the columns 0 .. n of a row, side by side */

/* What is written at the switches of a row. */
typedef struct row_lists {
    uint32_t bits[LANES];  /* the word at hand */
    uint32_t shift[LANES]; /* of the next pair in it */
    uint32_t at[LANES];    /* its place */
} row_lists;

/* The words that are full, or with `all` those with a pair, are written. Lanes behind column n have none. */
NP_INLINE void write_words(uint32_t *direction, row_lists *w, uint32_t columns, uint32_t lanes, bool all)
{
    for (uint32_t c = 0; c < lanes; c++)
        if (w->shift[c] == 2 * PAIRS || (all && w->shift[c])) {
            if (c < columns)
                direction[w->at[c]++] = w->bits[c] | NP_RANADE_NEW_WORD;
            w->bits[c] = w->shift[c] = 0;
        }
}

/*
 * The processors of the row ask for a tag. At column c the tag comes from the left if one below c asks, and from the
 * processor itself. True: a word is full.
 */
NP_INLINE bool pass_row(row_lists *w, uint32_t lanes, uint32_t processors)
{
    uint32_t full = 0;
#pragma omp simd reduction(| : full)
    for (uint32_t c = 0; c < lanes; c++) {
        uint32_t asks = processors >> c & 1, comes = (processors & ((UINT32_C(1) << c) - 1)) != 0;
        w->bits[c] |= (2 * asks | comes) << w->shift[c];
        w->shift[c] += 2 * (asks | comes);
        full |= w->shift[c] == 2 * PAIRS;
    }
    return full;
}

/* Where the lists of the row's switches, and of those of replies, are: from the word `at` on. Returns what follows. */
static uint64_t place_row(np_ranade *ranade, uint32_t row, uint32_t begin, uint32_t end, uint64_t at, row_lists *w)
{
    uint32_t passing[NP_RANADE_N_MAX + 1];
    memset(w, 0, sizeof *w);
    count_passing(ranade, begin, end, passing);
    for (uint32_t c = 0; c <= ranade->n; c++) {
        w->at[c] = ranade->column[6 * ranade->n - c].next[row] = (uint32_t)at;
        at += np_ranade_words_of(passing[c]);
    }
    return at;
}

#ifndef NDEBUG
static void note_answers(const np_ranade *ranade, const row_lists *w, uint32_t processors, uint32_t tag)
{
    for (uint32_t c = 0; c <= ranade->n; c++)
        if (processors & ((UINT32_C(2) << c) - 1))
            ranade->answers[w->at[c] * NUMBERS + w->shift[c] / 2] = tag;
}
#endif

/* The lists of the part's rows, of the requests or targets whose rows end where `ends` says; from the word `at` on. */
static NP_HOT void write_lists(const np_ranade_lists *l, uint32_t part, const uint32_t *ends, uint32_t begin,
                               uint64_t at)
{
    np_ranade *ranade = l->ranade;
    const np_ranade_row_range rows = np_ranade_rows_of(l, 0, part);
    uint32_t columns = ranade->n + 1, lanes = columns > LANES / 2 ? LANES : LANES / 2;
    for (uint32_t r = rows.first; r < rows.first + rows.count; begin = ends[r++]) {
        row_lists w;
        at = place_row(ranade, r, begin, ends[r], at, &w);
        for (uint32_t i = begin; i < ends[r];) {
#ifndef NDEBUG
            uint32_t next = i;
            note_answers(ranade, &w, askers(ranade->spare, ends[r], &next), ranade->spare[i].tag);
#endif
            if (pass_row(&w, lanes, askers(ranade->spare, ends[r], &i)))
                write_words(ranade->direction, &w, columns, lanes, false);
        }
        write_words(ranade->direction, &w, columns, lanes, true);
    }
}

/* ---- Tasks ---- */

/* The switches of the part's rows are empty. */
static void clear_switches(const np_ranade_lists *l, uint32_t part)
{
    np_ranade *ranade = l->ranade;
    uint32_t first = ranade->blocks * part >> l->bits, count = ranade->blocks >> l->bits;
    size_t block = ranade->arrays * NP_COLUMN_BLOCK;
    for (uint32_t c = 0; c < ranade->columns; c++)
        memset(ranade->column[c].state + first * block, 0, count * block * sizeof *ranade->state);
}

void np_ranade_count_rows(const np_ranade_lists *l, uint32_t part)
{
    np_ranade *ranade = l->ranade;
    const np_ranade_row_range rows = np_ranade_rows_of(l, 0, part);
    clear_switches(l, part);
    memset(ranade->row_end + rows.first, 0, rows.count * sizeof *ranade->row_end);
    memset(ranade->target_end + rows.first, 0, rows.count * sizeof *ranade->target_end);
    ranade->piece[part].sent = sort_requests(l, true, part);
    ranade->piece[part].ways = list_ways(l, true, part, NULL);
}

/* The requests of the parts before `part`, and their ways. */
static void sum_pieces(const np_ranade_lists *l, uint32_t part, size_t *sent, size_t *ways)
{
    *sent = *ways = 0;
    for (uint32_t p = 0; p < part; p++) {
        *sent += l->ranade->piece[p].sent;
        *ways += l->ranade->piece[p].ways;
    }
}

/* Targets are written down behind all requests. */
static size_t targets_begin(const np_ranade *ranade) { return ranade->sent; }

void np_ranade_fill_rows(const np_ranade_lists *l, uint32_t part)
{
    np_ranade *ranade = l->ranade;
    np_ranade_piece *piece = &ranade->piece[part];
    const np_ranade_row_range rows = np_ranade_rows_of(l, 0, part);
    const bool targets = ranade->job->target != NULL;
    size_t begin, target;
    sum_pieces(l, part, &begin, &piece->first);
    target = targets_begin(ranade) + piece->first;
    begin_places(l, part, ranade->row_end, begin);
    begin_places(l, part, ranade->target_end, target);
    sort_requests(l, false, part);
    list_ways(l, false, part, ranade->way + piece->first);
    piece->words[0] = 0;
    for (uint32_t r = rows.first; r < rows.first + rows.count; r++) {
        uint32_t end = ranade->row_end[r], target_end = ranade->target_end[r];
        fill_queues(ranade, r, (uint32_t)begin, end);
        piece->words[0] +=
            targets ? count_row(ranade, (uint32_t)target, target_end) : count_row(ranade, (uint32_t)begin, end);
        begin = end;
        target = target_end;
    }
}

void np_ranade_write_rows(const np_ranade_lists *l, uint32_t part)
{
    const np_ranade *ranade = l->ranade;
    uint64_t before = np_ranade_words_before(l, 0, part);
    size_t sent, ways;
    sum_pieces(l, part, &sent, &ways);
    if (ranade->job->target)
        write_lists(l, part, ranade->target_end, (uint32_t)(targets_begin(ranade) + ways), before);
    else
        write_lists(l, part, ranade->row_end, (uint32_t)sent, before);
}
