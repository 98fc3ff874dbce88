/*
 * What is made ready before a batch of the six phases: empty switches, initial queues, and direction bits.
 *
 * We walk the way of every request to its module through phases 1 and 2, in order of tags, up to the first switch that
 * the request's tag has passed already: there the request will combine. Where replies have targets, we walk the way of
 * the target. So each switch gets the direction bits of the tags that pass it, in the order in which they will pass.
 * These bits are what the switch's queue of direction bits (section 3.4) will hold; the switch takes them one by one as
 * replies come. The lists take as much space as all switches need together, not O(n) for each.
 *
 * Lists are written in two passes: the first counts the tags of each switch, the second writes their bits. Phase 1
 * leads along rows, so a pass goes through it request by request. Phase 2 leads from column to column: all ways are at
 * one column at the same time, whose lists stay in the cache.
 *
 * Threads share this by rows. A part has the rows that agree in some bits, 2^s parts by s bits. In phase 1,
 * and while ways cross lower bits, these are the s highest bits. For the last s columns it is the s bits below them. In
 * between all ways are dealt out anew: each part merges those of all parts, in order of tags.
 *
 * The k-th pair of direction bits in word w has the number 16 w + k, k < 15.
 */
#include <string.h>

#include "base/threads.h"
#include "base/hot.h"
#include "engine/merging/ranade_inside.h"

enum {
    BLOCK = NP_COLUMN_BLOCK,
    PAIRS = NP_RANADE_PAIRS,
    NUMBERS = PAIRS + 1 /* of pairs in a word: the last one is of none */
};

#define NO_TAG UINT32_MAX
#define WORDS_MAX (UINT32_MAX / NUMBERS) /* their pairs have numbers of 32 bits */

static size_t lists_of(const np_ranade *ranade) { return (2 * (size_t)ranade->n + 1) * ranade->rows; }

/* A way passes 2n + 1 switches, and each list may end with a word in part. */
size_t np_ranade_direction_words(const np_ranade *ranade)
{
    size_t passes = ranade->walked * (2 * (size_t)ranade->n + 1);
    return passes / PAIRS + (passes < lists_of(ranade) ? passes : lists_of(ranade));
}

/* A batch that is made ready. */
typedef struct lists {
    np_ranade *ranade;
    unsigned bits;          /* s: 2^s parts */
    uint32_t c;             /* of phase 2: the column n + 1 + c whose lists are written */
    uint64_t before, words; /* of direction bits: of the columns before it; so far */
} lists;

/* The number of the pair behind the one with this number. */
NP_INLINE uint32_t next_pair(uint32_t at) { return at + 1 + (at % NUMBERS == PAIRS - 1); }

NP_INLINE uint32_t words_of(uint32_t pairs) { return pairs / PAIRS + (pairs % PAIRS != 0); }

/* ---- Parts ---- */

/* Which part has the row, while ways are at column n + 1 + c. */
NP_INLINE uint32_t part_of(const lists *l, uint32_t c, uint32_t row)
{
    uint32_t n = l->ranade->n, lowest = c < n - l->bits ? n - l->bits : n - 2 * l->bits;
    return row >> lowest & ((UINT32_C(1) << l->bits) - 1);
}

/* The same in phase 1. */
NP_INLINE uint32_t part_of_row(const lists *l, uint32_t row) { return row >> (l->ranade->n - l->bits); }

/* Rows first .. first + count - 1, and again every `stride` rows, below `rows`. */
typedef struct row_range {
    uint32_t first, count, stride;
} row_range;

static row_range rows_of(const lists *l, uint32_t c, uint32_t part)
{
    uint32_t n = l->ranade->n, rest = n - l->bits;
    if (c < rest)
        return (row_range){part << rest, UINT32_C(1) << rest, UINT32_C(1) << n};
    return (row_range){part << (rest - l->bits), UINT32_C(1) << (rest - l->bits), UINT32_C(1) << rest};
}

static void begin_rows(const lists *l, uint32_t c, uint32_t part, np_ranade_list *list)
{
    row_range rows = rows_of(l, c, part);
    for (uint32_t from = rows.first; from < l->ranade->rows; from += rows.stride)
        for (uint32_t r = from; r < from + rows.count; r++)
            list[r] = (np_ranade_list){NO_TAG, 0};
}

/* The words of the lists of the part's rows, which are `apart` lists one from another. */
static uint64_t count_words(const lists *l, uint32_t c, uint32_t part, const np_ranade_list *list, size_t apart)
{
    row_range rows = rows_of(l, c, part);
    uint64_t sum = 0;
    for (uint32_t from = rows.first; from < l->ranade->rows; from += rows.stride)
        for (uint32_t r = from; r < from + rows.count; r++)
            sum += words_of(list[r * apart].at);
    return sum;
}

/* The words of column `column` of the parts before `part`. */
static uint64_t words_before(const lists *l, uint32_t column, uint32_t part)
{
    uint64_t sum = 0;
    for (uint32_t p = 0; p < part; p++)
        sum += l->ranade->piece[p].words[column];
    return sum;
}

/*
 * Where the switches of column `column`, and those of replies, find their bits: from counts to places, from the word
 * `at` on.
 */
static void place_rows(const lists *l, uint32_t c, uint32_t part, uint32_t column, uint64_t at, np_ranade_list *list,
                       size_t apart)
{
    np_ranade *ranade = l->ranade;
    row_range rows = rows_of(l, c, part);
    uint32_t *next = ranade->column[6 * ranade->n - column].next;
    uint64_t first = at;
    for (uint32_t from = rows.first; from < ranade->rows; from += rows.stride)
        for (uint32_t r = from; r < from + rows.count; r++) {
            uint32_t here = words_of(list[r * apart].at);
            list[r * apart] = (np_ranade_list){NO_TAG, (uint32_t)at * NUMBERS - 1};
            next[r] = (uint32_t)at;
            at += here;
        }
    for (uint64_t i = first; i < at; i++)
        ranade->direction[i] = UINT32_C(1) << 2 * PAIRS;
}

/* ---- Initial queues ---- */

/* Does processor[i] ask for its tag for the first time? first: is it the tag's first request? */
NP_INLINE bool asks_first(const np_ranade_job *job, uint32_t i, uint32_t first)
{
    return i == first || job->processor[i] != job->processor[i - 1];
}

/* How many tags each processor of the part sends, each once. Returns the sum. */
static size_t count_initial(const lists *l, uint32_t part)
{
    np_ranade *ranade = l->ranade;
    const np_ranade_job *job = ranade->job;
    size_t sum = 0;
    for (uint32_t k = 0; k < job->tags; k++)
        for (uint32_t i = job->begin[k]; i < job->begin[k + 1]; i++) {
            uint32_t p = job->processor[i], row = np_divide(p, ranade->by_n);
            if (part_of_row(l, row) == part && asks_first(job, i, job->begin[k])) {
                ranade->column[p - row * ranade->n].end[row]++;
                sum++;
            }
        }
    return sum;
}

/* The queues of the part: each processor's tags in order. */
static void fill_initial(const lists *l, uint32_t part)
{
    np_ranade *ranade = l->ranade;
    const np_ranade_job *job = ranade->job;
    const row_range rows = rows_of(l, 0, part);
    uint32_t n = ranade->n, sum = 0;
    for (uint32_t p = 0; p < part; p++)
        sum += (uint32_t)ranade->piece[p].sent;
    for (uint32_t r = rows.first; r < rows.first + rows.count; r++)
        for (uint32_t c = 0; c < n; c++) {
            uint32_t here = ranade->column[c].end[r];
            ranade->column[c].next[r] = ranade->column[c].end[r] = sum;
            sum += here;
        }
    for (uint32_t k = 0; k < job->tags; k++)
        for (uint32_t i = job->begin[k]; i < job->begin[k + 1]; i++) {
            uint32_t p = job->processor[i], row = np_divide(p, ranade->by_n);
            if (part_of_row(l, row) == part && asks_first(job, i, job->begin[k]))
                ranade->own[ranade->column[p - row * n].end[row]++] = 2 * k + 2;
        }
}

/* ---- Phase 1 ---- */

/* A walk. Its members stay in registers. */
typedef struct walk {
    const np_ranade *ranade;
    uint32_t *direction, *answers;
    uint32_t tag;
} walk;

/* The tag comes to the switch from the side of `bit`. True: the tag has passed before. */
NP_INLINE bool pass(walk w, bool counts, np_ranade_list *list, uint32_t bit)
{
    bool before = list->tag == w.tag;
    uint32_t at = before ? list->at : counts ? list->at + 1 : next_pair(list->at);
    *list = (np_ranade_list){w.tag, at};
    if (!counts) {
        w.direction[at / NUMBERS] |= bit << 2 * (at % NUMBERS);
#ifndef NDEBUG
        w.answers[at] = w.tag;
#endif
    }
    return before;
}

/* Walks from the processor to column n. False: there is a switch on the way where the tag has been. */
NP_INLINE bool walk_row(walk w, bool counts, uint32_t processor, uint32_t row)
{
    uint32_t n = w.ranade->n;
    np_ranade_list *first = &w.ranade->list[(size_t)row * (n + 1)], *list = first + (processor - row * n);
    if (pass(w, counts, list, 2))
        return false; /* a request of the row, or of the processor itself, came before: the rest is known */
    while (++list <= first + n)
        if (pass(w, counts, list, 1))
            return false;
    return true;
}

/* Walks through phase 1 along the part's rows. Returns how many ways have come to its end: these are in way[]. */
NP_INLINE size_t walk_rows(const lists *l, bool counts, uint32_t part, np_ranade_way *way)
{
    const np_ranade *ranade = l->ranade;
    const np_ranade_job *job = ranade->job;
    walk w = {ranade, ranade->direction, ranade->answers, 0};
    size_t ways = 0;
    for (; w.tag < job->tags; w.tag++) {
        const uint32_t *from = job->target ? &job->target[w.tag] : &job->processor[job->begin[w.tag]];
        const uint32_t *end = job->target ? from + 1 : &job->processor[job->begin[w.tag + 1]];
        for (; from < end; from++) {
            uint32_t row = np_divide(*from, ranade->by_n);
            if (part_of_row(l, row) != part)
                continue;
            if (!counts)
                way[ways] = (np_ranade_way){w.tag, row};
            ways += walk_row(w, counts, *from, row);
        }
    }
    return ways;
}

/* The switches of the part's rows are empty. */
static void clear_switches(const lists *l, uint32_t part)
{
    np_ranade *ranade = l->ranade;
    uint32_t first = ranade->blocks * part >> l->bits, count = ranade->blocks >> l->bits;
    uint32_t row = ranade->padded * part >> l->bits, rows = ranade->padded >> l->bits;
    size_t block = ranade->arrays * BLOCK;
    for (uint32_t c = 0; c < ranade->columns; c++)
        memset(ranade->column[c].state + first * block, 0, count * block * sizeof *ranade->state);
    for (uint32_t c = 0; c < ranade->n; c++)
        memset(ranade->column[c].end + row, 0, rows * sizeof *ranade->end);
}

/* A task. */
static void count_rows(void *context, unsigned thread, uint32_t part)
{
    const lists *l = context;
    np_ranade *ranade = l->ranade;
    np_ranade_piece *piece = &ranade->piece[part];
    const row_range rows = rows_of(l, 0, part);
    const size_t apart = (size_t)ranade->n + 1;
    (void)thread;
    clear_switches(l, part);
    piece->sent = count_initial(l, part);
    for (size_t i = rows.first * apart; i < (rows.first + rows.count) * apart; i++)
        ranade->list[i] = (np_ranade_list){NO_TAG, 0};
    piece->ways = walk_rows(l, true, part, NULL);
    for (uint32_t c = 0; c <= ranade->n; c++)
        piece->words[c] = count_words(l, 0, part, ranade->list + c, apart);
}

/* ---- Phase 2 ---- */

/*
 * All ways of the part go on by one column, c of phase 2: straight, or across in a bit. Counts the tags of its
 * switches.
 */
static void count_column(const lists *l, uint32_t c, uint32_t part)
{
    const np_ranade *ranade = l->ranade;
    np_ranade_piece *piece = &ranade->piece[part];
    np_ranade_list *list = ranade->list + (size_t)(ranade->n + 1) * ranade->rows;
    np_ranade_way *way = ranade->way + piece->first;
    const uint32_t bit = UINT32_C(1) << c, *to = ranade->row;
    begin_rows(l, c, part, list);
    for (size_t k = 0; k < piece->ways; k++) {
        const np_ranade_way at = way[k];
        uint32_t across = (at.row ^ to[at.tag]) & bit, row = at.row ^ across;
        list[row] = (np_ranade_list){at.tag, list[row].at + (list[row].tag != at.tag)};
        way[k].row = 2 * row + (across != 0);
    }
    piece->words[ranade->n + 1 + c] = count_words(l, c, part, list, 1);
}

/* Writes the bits of the column that has been counted. Keeps the ways that go on. */
static void write_column(const lists *l, uint32_t part)
{
    const np_ranade *ranade = l->ranade;
    np_ranade_piece *piece = &ranade->piece[part];
    np_ranade_list *list = ranade->list + (size_t)(ranade->n + 1) * ranade->rows;
    np_ranade_way *ways = ranade->way + piece->first;
    const uint32_t column = ranade->n + 1 + l->c;
    walk w = {ranade, ranade->direction, ranade->answers, 0};
    size_t left = 0;
    place_rows(l, l->c, part, column, l->before + words_before(l, column, part), list, 1);
    if (part + 1 == UINT32_C(1) << l->bits) /* the word behind the last list is loaded, but never used */
        ranade->direction[l->words] = UINT32_C(1) << 2 * PAIRS;
    for (size_t k = 0; k < piece->ways; k++) {
        np_ranade_way way = ways[k];
        w.tag = way.tag;
        ways[left] = (np_ranade_way){way.tag, way.row / 2};
        left += !pass(w, false, &list[way.row / 2], 1 + way.row % 2);
    }
    piece->ways = left;
}

/* Do parts change their rows before column c of phase 2? Never before the first one. */
static bool deals_before(const lists *l, uint32_t c) { return l->bits && c == l->ranade->n - l->bits; }

/* A task: initial queues and lists of phase 1. */
static void write_rows(void *context, unsigned thread, uint32_t part)
{
    const lists *l = context;
    np_ranade *ranade = l->ranade;
    np_ranade_piece *piece = &ranade->piece[part];
    uint64_t before = 0;
    (void)thread;
    fill_initial(l, part);
    for (uint32_t c = 0; c <= ranade->n; c++) {
        place_rows(l, 0, part, c, before + words_before(l, c, part), ranade->list + c, (size_t)ranade->n + 1);
        before += words_before(l, c, UINT32_C(1) << l->bits);
    }
    piece->first = 0;
    for (uint32_t p = 0; p < part; p++)
        piece->first += ranade->piece[p].ways;
    walk_rows(l, false, part, ranade->way + piece->first);
    count_column(l, 0, part);
}

/* A task. */
static void write_and_count(void *context, unsigned thread, uint32_t part)
{
    const lists *l = context;
    (void)thread;
    write_column(l, part);
    if (l->c + 1 < l->ranade->n && !deals_before(l, l->c + 1))
        count_column(l, l->c + 1, part);
}

/* ---- Dealing out anew ---- */

/* A task: how many ways there will be in the part. */
static void count_dealt(void *context, unsigned thread, uint32_t part)
{
    const lists *l = context;
    const np_ranade *ranade = l->ranade;
    size_t sum = 0;
    (void)thread;
    for (uint32_t p = 0; p >> l->bits == 0; p++) {
        const np_ranade_way *way = ranade->way + ranade->piece[p].first, *end = way + ranade->piece[p].ways;
        for (; way < end; way++)
            sum += part_of(l, l->c + 1, way->row) == part;
    }
    ranade->piece[part].dealt = sum;
}

/* A task: the part merges its ways from those of all parts. */
static void deal(void *context, unsigned thread, uint32_t part)
{
    const lists *l = context;
    const np_ranade *ranade = l->ranade;
    const np_ranade_way *way[NP_RANADE_WORKERS_MAX], *end[NP_RANADE_WORKERS_MAX];
    np_ranade_way *to = ranade->dealt;
    const uint32_t parts = UINT32_C(1) << l->bits;
    (void)thread;
    for (uint32_t p = 0; p < part; p++)
        to += ranade->piece[p].dealt;
    for (uint32_t p = 0; p < parts; p++) {
        way[p] = ranade->way + ranade->piece[p].first;
        end[p] = way[p] + ranade->piece[p].ways;
    }
    for (size_t k = 0; k < ranade->piece[part].dealt; k++) {
        uint32_t least = 0, tag = NO_TAG;
        for (uint32_t p = 0; p < parts; p++) {
            while (way[p] < end[p] && part_of(l, l->c + 1, way[p]->row) != part)
                way[p]++;
            if (way[p] < end[p] && way[p]->tag < tag) {
                least = p;
                tag = way[p]->tag;
            }
        }
        *to++ = *way[least]++;
    }
}

/* A task: the part goes on with the ways dealt to it. */
static void take_dealt(void *context, unsigned thread, uint32_t part)
{
    const lists *l = context;
    const np_ranade *ranade = l->ranade;
    np_ranade_piece *piece = &ranade->piece[part];
    (void)thread;
    piece->first = 0;
    for (uint32_t p = 0; p < part; p++)
        piece->first += ranade->piece[p].dealt;
    piece->ways = piece->dealt;
    memcpy(ranade->way + piece->first, ranade->dealt + piece->first, piece->ways * sizeof *ranade->way);
    count_column(l, l->c + 1, part);
}

/* ---- All of it ---- */

/* A task: the first bits of every list, and the first tag of every initial queue, come to the head of their switch. */
static void start_switches(void *context, unsigned thread, uint32_t part)
{
    const lists *l = context;
    np_ranade *ranade = l->ranade;
    uint32_t first = ranade->padded * part >> l->bits, end = first + (ranade->padded >> l->bits);
    (void)thread;
    for (uint32_t c = 0; c < ranade->columns; c++) {
        np_ranade_column *column = &ranade->column[c];
        bool own = c < ranade->n;
        if (!own && (c < 4 * ranade->n || column->kind == NP_RANADE_JOIN))
            continue; /* column 5n has one way out and needs no bits */
        for (uint32_t r = first; r < end && (own || r < ranade->rows); r++) {
            uint32_t *head = column->state + (r / BLOCK * ranade->arrays + NP_RANADE_OWN) * BLOCK + r % BLOCK;
            if (!own)
                *head = ranade->direction[column->next[r]++];
            else
                *head = r < ranade->rows && column->next[r] < column->end[r] ? ranade->own[column->next[r]++]
                                                                             : NP_RANADE_END;
        }
    }
}

/* Counts the words of a column. False: there are more than their numbers can count. */
static bool add_words(lists *l, uint32_t column)
{
    l->words += words_before(l, column, UINT32_C(1) << l->bits);
    return l->words < WORDS_MAX;
}

/* A task for each part. */
static void each_part(lists *l, np_threads_item *task)
{
    np_threads_each(np_ranade_threads(l->ranade), UINT32_C(1) << l->bits, task, l);
}

/* The columns of phase 2. */
static void make_columns(lists *l)
{
    for (; l->c < l->ranade->n; l->c++) {
        l->before = l->words;
        if (!add_words(l, l->ranade->n + 1 + l->c))
            return;
        each_part(l, write_and_count);
        if (deals_before(l, l->c + 1)) {
            each_part(l, count_dealt);
            each_part(l, deal);
            each_part(l, take_dealt);
        }
    }
}

np_status np_ranade_make_ready(np_ranade *ranade)
{
    lists l = {.ranade = ranade};
    while (np_ranade_threads(ranade) > UINT32_C(1) << l.bits)
        l.bits++;
    each_part(&l, count_rows);
    bool few = true;
    for (uint32_t c = 0; c <= ranade->n; c++)
        few &= add_words(&l, c);
    if (few) {
        each_part(&l, write_rows);
        make_columns(&l);
    }
    if (l.words < WORDS_MAX)
        each_part(&l, start_switches);
    ranade->messages = 0;
    for (uint32_t p = 0; p >> l.bits == 0; p++)
        ranade->messages += ranade->piece[p].sent;
    if (l.words < WORDS_MAX)
        return NP_OK;
    return NP_RAISE(NP_ERROR_LIMIT, "more than %llu direction bits in one batch: at most 2^33; take a smaller slack",
                    (unsigned long long)l.words * 2 * PAIRS);
}
