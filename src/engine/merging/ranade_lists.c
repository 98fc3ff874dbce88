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
 * leads along rows, so a pass goes through it row by row (ranade_rows.c). Phase 2 leads from column to column: all ways
 * are at one column at the same time, whose lists stay in the cache.
 *
 * Threads share this by rows. A part has the rows that agree in some bits, 2^s parts by s bits. In phase 1,
 * and while ways cross lower bits, these are the s highest bits. For the last s columns it is the s bits below them. In
 * between all ways are dealt out anew: each part merges those of all parts, in order of tags.
 *
 * The k-th pair of direction bits in word w has the number 16 w + k, k < 15.
 */
#include <string.h>

#include "base/threads.h"
#include "engine/merging/ranade_lists.h"

enum { BLOCK = NP_COLUMN_BLOCK, PAIRS = NP_RANADE_PAIRS, NUMBERS = NP_RANADE_NUMBERS };

#define WORDS_MAX (UINT32_MAX / NUMBERS) /* their pairs have numbers of 32 bits */

static size_t lists_of(const np_ranade *ranade) { return (2 * (size_t)ranade->n + 1) * ranade->rows; }

/* A way passes 2n + 1 switches, and each list may end with a word in part. */
size_t np_ranade_direction_words(const np_ranade *ranade)
{
    size_t passes = ranade->walked * (2 * (size_t)ranade->n + 1);
    return passes / PAIRS + (passes < lists_of(ranade) ? passes : lists_of(ranade));
}

/* The number of the pair behind the one with this number. */
NP_INLINE uint32_t next_pair(uint32_t at) { return at + 1 + (at % NUMBERS == PAIRS - 1); }

/* Which part has the row, while ways are at column n + 1 + c. */
NP_INLINE uint32_t part_of(const np_ranade_lists *l, uint32_t c, uint32_t row)
{
    uint32_t n = l->ranade->n, lowest = c < n - l->bits ? n - l->bits : n - 2 * l->bits;
    return row >> lowest & ((UINT32_C(1) << l->bits) - 1);
}

static void begin_rows(const np_ranade_lists *l, uint32_t c, uint32_t part, np_ranade_list *list)
{
    np_ranade_row_range rows = np_ranade_rows_of(l, c, part);
    for (uint32_t from = rows.first; from < l->ranade->rows; from += rows.stride)
        for (uint32_t r = from; r < from + rows.count; r++)
            list[r] = (np_ranade_list){NP_RANADE_NO_TAG, 0};
}

/* The words of the lists of the part's rows. */
static uint64_t count_words(const np_ranade_lists *l, uint32_t c, uint32_t part, const np_ranade_list *list)
{
    np_ranade_row_range rows = np_ranade_rows_of(l, c, part);
    uint64_t sum = 0;
    for (uint32_t from = rows.first; from < l->ranade->rows; from += rows.stride)
        for (uint32_t r = from; r < from + rows.count; r++)
            sum += np_ranade_words_of(list[r].at);
    return sum;
}

/*
 * Where the switches of column c of phase 2, and those of replies, find their bits: from counts to places, from the
 * word `at` on.
 */
static void place_rows(const np_ranade_lists *l, uint32_t c, uint32_t part, uint64_t at, np_ranade_list *list)
{
    np_ranade *ranade = l->ranade;
    np_ranade_row_range rows = np_ranade_rows_of(l, c, part);
    uint32_t *next = ranade->column[5 * ranade->n - 1 - c].next;
    uint64_t first = at;
    for (uint32_t from = rows.first; from < ranade->rows; from += rows.stride)
        for (uint32_t r = from; r < from + rows.count; r++) {
            uint32_t here = np_ranade_words_of(list[r].at);
            list[r] = (np_ranade_list){NP_RANADE_NO_TAG, (uint32_t)at * NUMBERS - 1};
            next[r] = (uint32_t)at;
            at += here;
        }
    for (uint64_t i = first; i < at; i++)
        ranade->direction[i] = NP_RANADE_NEW_WORD;
}

/* ---- Phase 2 ---- */

/* The tag comes to the switch from the side of `bit`. True: the tag has passed before. */
NP_INLINE bool pass(const np_ranade *ranade, np_ranade_list *list, uint32_t tag, uint32_t bit)
{
    bool before = list->tag == tag;
    uint32_t at = before ? list->at : next_pair(list->at);
    *list = (np_ranade_list){tag, at};
    ranade->direction[at / NUMBERS] |= bit << 2 * (at % NUMBERS);
#ifndef NDEBUG
    ranade->answers[at] = tag;
#endif
    return before;
}

/*
 * All ways of the part go on by one column, c of phase 2: straight, or across in a bit. Counts the tags of its
 * switches.
 */
static void count_column(const np_ranade_lists *l, uint32_t c, uint32_t part)
{
    const np_ranade *ranade = l->ranade;
    np_ranade_piece *piece = &ranade->piece[part];
    np_ranade_list *list = ranade->list;
    np_ranade_way *way = ranade->way + piece->first;
    const uint32_t bit = UINT32_C(1) << c, *to = ranade->row;
    begin_rows(l, c, part, list);
    for (size_t k = 0; k < piece->ways; k++) {
        const np_ranade_way at = way[k];
        uint32_t across = (at.row ^ to[at.tag]) & bit, row = at.row ^ across;
        list[row] = (np_ranade_list){at.tag, list[row].at + (list[row].tag != at.tag)};
        way[k].row = 2 * row + (across != 0);
    }
    piece->words[1 + c] = count_words(l, c, part, list);
}

/* Writes the bits of the column that has been counted. Keeps the ways that go on. */
static void write_column(const np_ranade_lists *l, uint32_t part)
{
    const np_ranade *ranade = l->ranade;
    np_ranade_piece *piece = &ranade->piece[part];
    np_ranade_list *list = ranade->list;
    np_ranade_way *ways = ranade->way + piece->first;
    size_t left = 0;
    place_rows(l, l->c, part, l->before + np_ranade_words_before(l, 1 + l->c, part), list);
    if (part + 1 == UINT32_C(1) << l->bits) /* the word behind the last list is loaded, but never used */
        ranade->direction[l->words] = NP_RANADE_NEW_WORD;
    for (size_t k = 0; k < piece->ways; k++) {
        np_ranade_way way = ways[k];
        ways[left] = (np_ranade_way){way.tag, way.row / 2};
        left += !pass(ranade, &list[way.row / 2], way.tag, 1 + way.row % 2);
    }
    piece->ways = left;
}

/* Do parts change their rows before column c of phase 2? Never before the first one. */
static bool deals_before(const np_ranade_lists *l, uint32_t c) { return l->bits && c == l->ranade->n - l->bits; }

/* Tasks. */
static void count_rows(void *context, unsigned thread, uint32_t part)
{
    (void)thread;
    np_ranade_count_rows(context, part);
}
static void fill_rows(void *context, unsigned thread, uint32_t part)
{
    (void)thread;
    np_ranade_fill_rows(context, part);
}
static void write_rows(void *context, unsigned thread, uint32_t part)
{
    (void)thread;
    np_ranade_write_rows(context, part);
    count_column(context, 0, part);
}

/* A task. */
static void write_and_count(void *context, unsigned thread, uint32_t part)
{
    const np_ranade_lists *l = context;
    (void)thread;
    write_column(l, part);
    if (l->c + 1 < l->ranade->n && !deals_before(l, l->c + 1))
        count_column(l, l->c + 1, part);
}

/* ---- Dealing out anew ---- */

/* A task: how many ways there will be in the part. */
static void count_dealt(void *context, unsigned thread, uint32_t part)
{
    const np_ranade_lists *l = context;
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
    const np_ranade_lists *l = context;
    const np_ranade *ranade = l->ranade;
    const np_ranade_way *way[NP_RANADE_WORKERS_MAX], *end[NP_RANADE_WORKERS_MAX];
    np_ranade_way *to = ranade->spare;
    const uint32_t parts = UINT32_C(1) << l->bits;
    (void)thread;
    for (uint32_t p = 0; p < part; p++)
        to += ranade->piece[p].dealt;
    for (uint32_t p = 0; p < parts; p++) {
        way[p] = ranade->way + ranade->piece[p].first;
        end[p] = way[p] + ranade->piece[p].ways;
    }
    for (size_t k = 0; k < ranade->piece[part].dealt; k++) {
        uint32_t least = 0, tag = NP_RANADE_NO_TAG;
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
    const np_ranade_lists *l = context;
    const np_ranade *ranade = l->ranade;
    np_ranade_piece *piece = &ranade->piece[part];
    (void)thread;
    piece->first = 0;
    for (uint32_t p = 0; p < part; p++)
        piece->first += ranade->piece[p].dealt;
    piece->ways = piece->dealt;
    memcpy(ranade->way + piece->first, ranade->spare + piece->first, piece->ways * sizeof *ranade->way);
    count_column(l, l->c + 1, part);
}

/* ---- All of it ---- */

/* A task: the first bits of every list, and the first tag of every initial queue, come to the head of their switch. */
static void start_switches(void *context, unsigned thread, uint32_t part)
{
    const np_ranade_lists *l = context;
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

/* Counts the words piece[].words[place]. False: there are more than their numbers can count. */
static bool add_words(np_ranade_lists *l, uint32_t place)
{
    l->words += np_ranade_words_before(l, place, UINT32_C(1) << l->bits);
    return l->words < WORDS_MAX;
}

/* A task for each part. */
static void each_part(np_ranade_lists *l, np_threads_item *task)
{
    np_threads_each(np_ranade_threads(l->ranade), UINT32_C(1) << l->bits, task, l);
}

/* The columns of phase 2. */
static void make_columns(np_ranade_lists *l)
{
    for (; l->c < l->ranade->n; l->c++) {
        l->before = l->words;
        if (!add_words(l, 1 + l->c))
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
    np_ranade_lists l = {.ranade = ranade};
    while (np_ranade_threads(ranade) > UINT32_C(1) << l.bits)
        l.bits++;
    each_part(&l, count_rows);
    each_part(&l, fill_rows);
    if (add_words(&l, 0)) {
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
