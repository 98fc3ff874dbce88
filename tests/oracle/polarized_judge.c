/* See polarized_judge.h. */
#include "oracle/polarized_judge.h"

#include "support.h"

enum { STRAIGHT, ACROSS, HOME, INS = 3 /* inputs of a switch: straight, across, from its processor */ };
#define LATER UINT32_MAX

typedef struct stay {
    uint32_t from, to; /* the first step that begins with the message there, and the step in which it leaves */
} stay;

typedef struct judge {
    uint32_t n, b, rows, columns, tags;
    uint64_t steps;
    const np_ranade_job *job;
    const np_ranade_record *record;
    const np_polarized *p;
    uint8_t *need;                  /* [switches][tags] bits: the ways that the message has to go from the switch */
    stay *stays;                    /* [switches][INS][tags] */
    uint32_t *count, *count_before; /* [switches][2] */
} judge;

static uint32_t at(const judge *j, uint32_t c, uint32_t r) { return c * j->rows + r; }
static uint32_t number(const judge *j, np_polarized_switch s) { return at(j, s.column, s.row); }
static uint8_t *need(const judge *j, uint32_t s, uint32_t k) { return &j->need[(size_t)s * j->tags + k]; }
static stay *stay_of(const judge *j, uint32_t s, int in, uint32_t k)
{
    return &j->stays[((size_t)s * INS + (size_t)in) * j->tags + k];
}
static uint32_t selected(const judge *j, uint64_t t, uint32_t s)
{
    return j->record->selected[t * j->columns * j->rows + s];
}

/* The rows of a request's path by column. From column n to 2n the bits of the row become the module's, one by one. */
static void rows_of(const judge *j, uint32_t processor, uint32_t module, uint32_t *row)
{
    uint32_t r = processor / j->n;
    for (uint32_t c = 0; c <= 3 * j->n; c++) {
        row[c] = r;
        if (c >= j->n && c < 2 * j->n) {
            uint32_t bit = 1U << (c - j->n);
            r = (r & ~bit) | (module & bit);
        }
    }
}

static void add_request(const judge *j, uint32_t k, uint32_t processor)
{
    uint32_t row[3 * 20 + 1], c0 = processor % j->n;
    rows_of(j, processor, j->job->module[k], row);
    stay_of(j, at(j, c0, row[c0]), HOME, k)->from = 0;
    for (uint32_t c = c0; c < 3 * j->n; c++)
        *need(j, at(j, c, row[c]), k) |= (uint8_t)(1 << (row[c] != row[c + 1] ? ACROSS : STRAIGHT));
}

static void add_reply(const judge *j, uint32_t k, uint32_t processor)
{
    uint32_t row[3 * 20 + 1], c0 = processor % j->n;
    rows_of(j, processor, j->job->module[k], row);
    for (uint32_t c = 3 * j->n; c > c0; c--)
        *need(j, at(j, 6 * j->n - c, row[c]), k) |= (uint8_t)(1 << (row[c] != row[c - 1] ? ACROSS : STRAIGHT));
    *need(j, at(j, 6 * j->n - c0, row[c0]), k) |= 1 << HOME;
}

/* The next switch on this way. In the middle of phases 2 and 5 the way across changes one bit of the row. */
static uint32_t next(const judge *j, uint32_t s, int way)
{
    uint32_t c = s / j->rows, r = s % j->rows, n = j->n;
    if (way == ACROSS)
        r ^= c < 2 * n ? 1U << (c - n) : 1U << (5 * n - 1 - c);
    return at(j, c + 1, r);
}

static void replay_switch(const judge *j, uint32_t t, uint32_t s)
{
    uint32_t word = selected(j, t, s), k = (word - 2) / 2, sent = 0;
    bool there = false;
    if (!word || word % 2)
        return;
    assert_true(k < j->tags);
    for (int in = 0; in < INS; in++) {
        stay *here = stay_of(j, s, in, k);
        there |= here->from <= t && here->to == LATER;
    }
    assert_true(there); /* a switch selects only a message that it has */
    for (int way = STRAIGHT; way <= ACROSS; way++) {
        if (!(*need(j, s, k) >> way & 1) || j->count_before[2 * next(j, s, way) + (uint32_t)way] >= j->b)
            continue;
        stay_of(j, next(j, s, way), way, k)->from = t + 1;
        j->count[2 * next(j, s, way) + (uint32_t)way]++;
        *need(j, s, k) &= (uint8_t) ~(1 << way);
        sent |= 1U << way;
    }
    assert_int_equal(j->record->sent[(size_t)t * j->columns * j->rows + s], sent);
    *need(j, s, k) &= (uint8_t) ~(1 << HOME);
    for (int in = 0; in < INS && !*need(j, s, k); in++) {
        stay *here = stay_of(j, s, in, k);
        if (here->from > t || here->to != LATER)
            continue;
        here->to = t;
        if (in < HOME)
            j->count[2 * s + (uint32_t)in]--;
    }
}

static void replay(judge *j)
{
    uint32_t switches = j->columns * j->rows;
    j->need = calloc((size_t)switches * j->tags, 1);
    j->stays = malloc((size_t)switches * INS * j->tags * sizeof *j->stays);
    j->count = calloc((size_t)switches * 2, sizeof *j->count);
    j->count_before = calloc((size_t)switches * 2, sizeof *j->count_before);
    for (size_t i = 0; i < (size_t)switches * INS * j->tags; i++)
        j->stays[i] = (stay){LATER, LATER};
    for (uint32_t k = 0; k < j->tags; k++) {
        for (uint32_t i = j->job->begin[k]; i < j->job->begin[k + 1]; i++) {
            add_request(j, k, j->job->processor[i]);
            if (!j->job->target)
                add_reply(j, k, j->job->processor[i]);
        }
        if (j->job->target)
            add_reply(j, k, j->job->target[k]);
    }
    for (uint32_t t = 0; t < j->steps; t++) {
        memcpy(j->count_before, j->count, (size_t)switches * 2 * sizeof *j->count);
        for (uint32_t s = 0; s < switches; s++)
            replay_switch(j, t, s);
    }
    for (size_t i = 0; i < (size_t)switches * j->tags; i++)
        assert_int_equal(j->need[i], 0); /* every message went wherever it had to go */
}

/* ---- the sequence ---- */

/* Is message k at switch s at the beginning of step t and of the next? */
static bool waits(const judge *j, uint32_t k, uint32_t s, uint64_t t)
{
    for (int in = 0; in < INS; in++)
        if (stay_of(j, s, in, k)->from <= t && stay_of(j, s, in, k)->to > t)
            return true;
    return false;
}

/* Checks that message k came from path[i + 1] to path[i] and was there at the beginning of step t, and not before. */
static void check_moves(const judge *j, uint32_t k, uint64_t i, uint64_t t)
{
    uint32_t s = number(j, j->p->path[i]), before = number(j, j->p->path[i + 1]);
    for (int way = STRAIGHT; way <= ACROSS; way++) {
        uint32_t c = before / j->rows;
        bool two = (c >= j->n && c < 2 * j->n) || (c >= 4 * j->n && c < 5 * j->n);
        if ((way == STRAIGHT || two) && next(j, before, way) == s) {
            assert_int_equal(stay_of(j, s, way, k)->from, t);
            return;
        }
    }
    fail_msg("the path has a gap at its edge %u", (unsigned)i);
}

/* Checks ghosts of `word`: one was selected at path[i] in step t; the message at path[i + g] in step t - g. */
static void check_ghost(const judge *j, uint64_t i, uint64_t t, uint32_t g, uint32_t k)
{
    uint32_t word = selected(j, t, number(j, j->p->path[i]));
    assert_true(word == 2 * k + 3 || (j->b == 1 && word == 2 * k + 1));
    for (uint32_t e = 1; e < g; e++)
        assert_int_equal(selected(j, t - e, number(j, j->p->path[i + e])), word);
    for (uint32_t e = 0; e < g; e++) {
        uint32_t s = number(j, j->p->path[i + e]), before = number(j, j->p->path[i + e + 1]);
        assert_true(next(j, before, STRAIGHT) == s || next(j, before, ACROSS) == s);
    }
    assert_int_equal(selected(j, t - g, number(j, j->p->path[i + g])), 2 * k + 2);
}

/* Checks that the b rows from `row` on were in a queue of row->at, and that message k later entered it from path[i]. */
static void check_queue(const judge *j, const np_polarized_row *row, uint32_t k, uint64_t i)
{
    uint32_t s = number(j, row->at), from = number(j, j->p->path[i]);
    int way = next(j, from, STRAIGHT) == s ? STRAIGHT : ACROSS;
    assert_true(next(j, from, way) == s);
    assert_int_equal(selected(j, row->step, from), 2 * k + 2);
    assert_true(stay_of(j, s, way, k)->from > row->step + 1 && stay_of(j, s, way, k)->from != LATER);
    uint32_t found = 0;
    for (uint32_t tag = j->tags; tag-- > 0;) {
        if (stay_of(j, s, way, tag)->from > row->step || stay_of(j, s, way, tag)->to < row->step)
            continue;
        assert_true(found < j->b);
        assert_int_equal(row[found].kind, NP_POLARIZED_B);
        assert_int_equal(row[found].tag, tag);
        assert_int_equal(row[found].step, row->step);
        assert_int_equal(row[found].path, row->path);
        assert_true(number(j, row[found].at) == s);
        assert_int_equal(row[found].wait == NP_POLARIZED_BESIDE, found + 1 < j->b);
        found++;
    }
    assert_int_equal(found, j->b);
}

static void check_origin(const judge *j, const np_polarized_row *row)
{
    uint32_t processor = row->wait_at.row * j->n + row->wait_at.column;
    assert_true(row->wait_at.column < j->n);
    assert_int_equal(row->wait_step, row->wait_at.column);
    assert_int_equal(stay_of(j, number(j, row->wait_at), HOME, row->tag)->from, 0);
    bool asked = false;
    for (uint32_t i = j->job->begin[row->tag]; i < j->job->begin[row->tag + 1]; i++)
        asked |= j->job->processor[i] == processor;
    assert_true(asked);
}

/* Follows row[0] back to where it waited, and checks what it waited for. Returns the next row to follow. */
static const np_polarized_row *check_row(const judge *j, const np_polarized_row *row)
{
    const np_polarized *p = j->p;
    bool ends = row->wait == NP_POLARIZED_ORIGIN;
    uint64_t t = row->step, i = row->path, g;
    assert_true(number(j, p->path[i]) == number(j, row->at));
    assert_int_equal(row->lag, (int64_t)row->step - row->at.column);
    for (; i < row->path + row->at.column - row->wait_at.column; i++)
        check_moves(j, row->tag, i, t--);
    assert_true(number(j, p->path[i]) == number(j, row->wait_at));
    assert_int_equal(t, row->wait_step + !ends);
    if (ends) {
        check_origin(j, row);
        return row + 1;
    }
    t--;
    assert_true(waits(j, row->tag, number(j, row->wait_at), t));
    g = row[1].ghost;
    assert_true(row[1].tag < row->tag);
    if (row->wait == NP_POLARIZED_OTHER) {
        assert_int_equal(row[1].kind, NP_POLARIZED_M);
        assert_int_equal(row[1].path, i + g);
        assert_int_equal(row[1].step, t - g);
        if (g)
            check_ghost(j, i, t, (uint32_t)g, row[1].tag);
        assert_int_equal(selected(j, t - g, number(j, row[1].at)), 2 * row[1].tag + 2);
        assert_int_equal(row[1].lag, row->lag - 1);
        return row + 1;
    }
    assert_int_equal(row->wait, NP_POLARIZED_FULL);
    assert_int_equal(g, 0);
    assert_int_equal(row[1].path, i + 1);
    assert_int_equal(row[1].step, t);
    check_queue(j, row + 1, row->tag, i);
    assert_int_equal(row[1].lag, row->lag - 2);
    return row + j->b;
}

/* Checks the last reply: it is for a processor that asked, and is taken in the last step. */
static void check_start(const judge *j)
{
    const np_polarized_row *row = j->p->row;
    uint32_t processor = row->at.row * j->n + 6 * j->n - row->at.column;
    bool takes = false;
    assert_int_equal(row->kind, NP_POLARIZED_LAST);
    assert_int_equal(row->path, 0);
    assert_int_equal(row->step, j->steps - 1);
    assert_true(row->at.column > 5 * j->n && row->at.column <= 6 * j->n);
    for (uint32_t i = j->job->begin[row->tag]; i < j->job->begin[row->tag + 1]; i++)
        takes |= j->job->processor[i] == processor;
    if (j->job->target)
        takes = j->job->target[row->tag] == processor;
    assert_true(takes);
    assert_int_equal(selected(j, row->step, number(j, row->at)), 2 * row->tag + 2);
    assert_int_not_equal(selected(j, row->step - 1, number(j, row->at)), 2 * row->tag + 2);
}

/* Checks Theorem 2 on the rows. For b = 1 see papers/explain/polarized.c. */
static void check_theorem(const judge *j, uint32_t delays)
{
    const np_polarized *p = j->p;
    int64_t delta = (int64_t)j->steps - 1 - 6 * (int64_t)j->n, want = j->b == 1 ? (delta + 1) / 2 : delta;
    int64_t most = (int64_t)j->b * j->n;
    size_t last = 0, queues = 0;
    uint32_t full = 0;
    for (size_t i = 1; i < p->rows; i++)
        full += p->row[i].kind == NP_POLARIZED_B;
    full /= j->b;
    for (size_t i = 1; i < p->rows && (full <= j->n || queues < (size_t)j->b * j->n); i++) {
        queues += p->row[i].kind == NP_POLARIZED_B;
        last = i;
    }
    uint64_t edges = full <= j->n ? p->edges : p->row[last].path;
    assert_int_equal(p->delta, delta);
    assert_int_equal(p->full, full);
    assert_int_equal(p->delays, delays);
    assert_int_equal(p->delays + full, p->row[0].lag); /* Lemma 5, exactly */
    assert_int_equal(p->counted, last);
    assert_true((int64_t)last >= (want < most ? want : most));
    assert_true(edges + (6 * j->n - p->path[0].column) + p->path[edges].column <= 8 * (uint64_t)j->n);
    assert_int_equal(p->verdict[NP_POLARIZED_THEOREM_2].have, last);
    for (int i = 0; i < NP_POLARIZED_VERDICTS; i++)
        if (!p->verdict[i].holds)
            fail_msg("n %u, b %u: check %d fails: %lld against %lld", j->n, j->b, i, (long long)p->verdict[i].have,
                     (long long)p->verdict[i].need);
    assert_true(p->holds);
}

void polarized_judge(uint32_t n, uint32_t b, const np_ranade_job *job, const np_ranade_record *record, uint64_t steps,
                     const np_polarized *sequence)
{
    judge j = {.n = n,
               .b = b,
               .rows = 1U << n,
               .columns = 6 * n + 1,
               .tags = job->tags,
               .steps = steps,
               .job = job,
               .record = record,
               .p = sequence};
    const np_polarized_row *row = sequence->row, *end = row + sequence->rows;
    uint32_t delays = 0;
    replay(&j);
    check_start(&j);
    while (row->wait != NP_POLARIZED_ORIGIN) {
        row = check_row(&j, row);
        assert_true(row < end);
        delays++;
    }
    assert_true(check_row(&j, row) == end);
    assert_true(sequence->edges == row->path + row->at.column - row->wait_at.column);
    check_theorem(&j, delays);
    free(j.need);
    free(j.stays);
    free(j.count);
    free(j.count_before);
}
