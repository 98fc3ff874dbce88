/*
 * The direction bits of a batch of the six phases. Before a batch we walk the way of every request to its module through
 * phases 1 and 2, in order of tags, up to the first switch that the request's tag has passed already: there the request
 * will combine. Where replies have targets, we walk the way of the target. So each switch gets the direction bits of the
 * tags that pass it, in the order in which they will pass. These bits are what the switch's queue of direction bits
 * (section 3.4) will hold; the switch takes them one by one as replies come. The lists take as much space as all switches
 * need together, not O(n) for each.
 *
 * Lists are written in two passes: the first counts the tags of each switch, the second writes their bits. Phase 1 leads
 * along rows, so a pass goes through it request by request. Phase 2 leads from column to column: all ways are at one column
 * at the same time, whose lists stay in the cache.
 */
#include "base/hot.h"
#include "base/status.h"
#include "merging/ranade_inside.h"

enum { PAIRS = NP_RANADE_PAIRS };

#define NO_TAG UINT32_MAX

static size_t lists_of(const np_ranade *ranade) { return (2 * (size_t)ranade->n + 1) * ranade->rows; }

/* A way passes 2n + 1 switches, and each list may end with a word in part. */
size_t np_ranade_direction_words(const np_ranade *ranade)
{
    size_t passes = ranade->walked * (2 * (size_t)ranade->n + 1);
    return passes / PAIRS + (passes < lists_of(ranade) ? passes : lists_of(ranade));
}

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
    uint32_t at = list->at + !before;
    *list = (np_ranade_list){w.tag, at};
    if (!counts) {
        w.direction[(at - 1) / PAIRS] |= bit << 2 * ((at - 1) % PAIRS);
        if (w.answers)
            w.answers[at - 1] = w.tag;
    }
    return before;
}

/* Walks from the processor to column n. False: there is a switch on the way where the tag has been. */
NP_INLINE bool walk_row(walk w, bool counts, uint32_t processor, uint32_t row)
{
    uint32_t n = w.ranade->n;
    np_ranade_list *first = &w.ranade->list[(size_t)row * (n + 1)], *list = first + (processor - row * n);
    if (pass(w, counts, list, 2))
        return false; /* a request of the row came before, or one of the processor itself: the rest of the way is known */
    while (++list <= first + n)
        if (pass(w, counts, list, 1))
            return false;
    return true;
}

/* Walks through phase 1. Returns how many ways have come to its end. */
NP_INLINE size_t walk_rows(const np_ranade *ranade, bool counts)
{
    const np_ranade_job *job = ranade->job;
    walk w = {ranade, ranade->direction, ranade->answers, 0};
    size_t ways = 0;
    for (; w.tag < job->tags; w.tag++) {
        const uint32_t *from = job->target ? &job->target[w.tag] : &job->processor[job->begin[w.tag]];
        const uint32_t *end = job->target ? from + 1 : &job->processor[job->begin[w.tag + 1]];
        for (; from < end; from++) {
            uint32_t row = np_divide(*from, ranade->by_n);
            ranade->way[ways] = (np_ranade_way){w.tag, row};
            ways += walk_row(w, counts, *from, row);
        }
    }
    return ways;
}

/* All ways go on by one column of phase 2: straight, or across in `bit`. Counts the tags of its switches. */
static void count_column(const np_ranade *ranade, size_t ways, uint32_t bit, np_ranade_list *list)
{
    for (size_t k = 0; k < ways; k++) {
        np_ranade_way *way = &ranade->way[k];
        uint32_t across = (way->row ^ ranade->row[way->tag]) & bit, row = way->row ^ across;
        list[row] = (np_ranade_list){way->tag, list[row].at + (list[row].tag != way->tag)};
        way->row = 2 * row + (across != 0);
    }
}

/* Writes the bits of the column that has been counted. Returns how many ways go on. */
static size_t write_column(const np_ranade *ranade, size_t ways, np_ranade_list *list)
{
    walk w = {ranade, ranade->direction, ranade->answers, 0};
    size_t left = 0;
    for (size_t k = 0; k < ways; k++) {
        np_ranade_way way = ranade->way[k];
        w.tag = way.tag;
        ranade->way[left] = (np_ranade_way){way.tag, way.row / 2};
        left += !pass(w, false, &list[way.row / 2], 1 + way.row % 2);
    }
    return left;
}

static void begin_lists(np_ranade_list *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        list[i] = (np_ranade_list){NO_TAG, 0};
}

/*
 * Where the switches of column c, and the columns of replies, find their bits: from counts to places. The list of a row is
 * `stride` lists after that of the row before. *sum: words so far.
 */
static np_status place_column(np_ranade *ranade, uint32_t c, np_ranade_list *list, size_t stride, uint64_t *sum)
{
    uint64_t first = *sum;
    for (uint32_t r = 0; r < ranade->rows; r++, list += stride) {
        uint32_t here = list->at / PAIRS + (list->at % PAIRS != 0);
        *list = (np_ranade_list){NO_TAG, (uint32_t)*sum * PAIRS};
        ranade->column[6 * ranade->n - c].next[r] = (uint32_t)*sum;
        *sum += here;
    }
    if (*sum >= UINT32_MAX / PAIRS)
        return NP_RAISE(NP_ERROR_LIMIT,
                        "more than %llu direction bits in one batch: at most 2^33; take a smaller slack",
                        (unsigned long long)*sum * 2 * PAIRS);
    for (uint64_t i = first; i <= *sum; i++)
        ranade->direction[i] = UINT32_C(1) << 2 * PAIRS;
    return NP_OK;
}

np_status np_ranade_list_directions(np_ranade *ranade)
{
    uint32_t n = ranade->n;
    np_ranade_list *column = ranade->list + (size_t)(n + 1) * ranade->rows;
    uint64_t sum = 0;
    np_status st;
    begin_lists(ranade->list, (size_t)(n + 1) * ranade->rows);
    walk_rows(ranade, true);
    for (uint32_t c = 0; c <= n; c++)
        if ((st = place_column(ranade, c, ranade->list + c, n + 1, &sum)))
            return st;
    size_t ways = walk_rows(ranade, false);
    for (uint32_t i = 0; i < n; i++) {
        begin_lists(column, ranade->rows);
        count_column(ranade, ways, UINT32_C(1) << i, column);
        if ((st = place_column(ranade, n + 1 + i, column, 1, &sum)))
            return st;
        ways = write_column(ranade, ways, column);
    }
    return NP_OK;
}
