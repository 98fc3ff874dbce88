/* Polarized sequences (Ranade 1987b, section 4): justified by a replay of the batch, and records that lie are noticed.
 */
#include "papers/explain/polarized.h"
#include "base/memory.h"
#include "oracle/polarized_judge.h"
#include "support.h"

static uint64_t state;

static uint32_t below(uint32_t bound)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((state >> 33) * bound >> 31);
}

enum { MOST = 1200 };

typedef struct told {
    uint32_t n, b, count;
    uint32_t module[MOST], begin[MOST + 1], processor[MOST], target[MOST];
    np_ranade_job job;
    np_ranade_record record;
    np_ranade_run run;
    np_polarized p;
} told;

/* Tags with modules as they fall, or rising, or all in few; each asked for by some processors, in order. */
static void draw(told *t, uint64_t seed)
{
    state = seed * 977;
    *t = (told){.n = 1 + below(6), .b = 1 + below(4)};
    uint32_t modules = t->n << t->n, slack = 1 + below(t->n > 4 ? 3 : 6), few = below(3) ? modules : 1 + below(4);
    uint32_t requests = modules * slack, share = below(3) ? 1 + below(3) : 1 + below(modules);
    requests = requests > MOST ? MOST : requests;
    bool permutes = !below(4), rising = below(2);
    uint32_t k = 0;
    while (t->count < requests && k < modules) {
        t->module[k] = rising ? k % modules : below(few) % modules;
        t->target[k] = below(modules);
        uint32_t askers = permutes ? 1 : 1 + below(share);
        for (uint32_t i = 0; i < askers && t->count < requests; i++) { /* in order */
            uint32_t from = modules / askers * i;
            t->processor[t->count++] = from + below(modules / askers);
        }
        t->begin[++k] = t->count;
    }
    t->job = (np_ranade_job){.tags = k,
                             .module = t->module,
                             .begin = t->begin,
                             .processor = t->processor,
                             .target = permutes ? t->target : NULL};
}

static void send(told *t)
{
    np_ranade *ranade;
    assert_ok(np_ranade_create(t->n, t->b, &ranade));
    assert_ok(np_ranade_send(ranade, &t->job, &t->record, &t->run));
    np_ranade_free(ranade);
}

static np_status trace(told *t) { return np_polarized_trace(t->n, t->b, &t->job, &t->record, t->run.steps, &t->p); }

static void told_clear(told *t)
{
    np_polarized_clear(&t->p);
    np_ranade_record_clear(&t->record);
}

static void is_justified(void **unused)
{
    uint32_t full = 0, ghosts = 0, late = 0, cut = 0, single = 0;
    (void)unused;
    for (uint64_t seed = 1; seed <= SUPPORT_SAMPLE(600U); seed++) {
        static told t;
        draw(&t, seed);
        send(&t);
        assert_ok(trace(&t));
        polarized_judge(t.n, t.b, &t.job, &t.record, t.run.steps, &t.p);
        full += t.p.full;
        late += t.p.delta > 0;
        cut += t.p.full > t.n;
        single += t.b == 1 && t.p.delta > 0;
        for (size_t i = 1; i < t.p.rows; i++)
            ghosts += t.p.row[i].ghost > 0;
        told_clear(&t);
    }
    const uint32_t part = SUPPORT_FEWER(1, 5); /* the draw shows all of it */
    assert_true(full > 1000 / part && ghosts > 1000 / part && late > 400 / part && cut > 50 / part &&
                single > 60 / part);
}

/* What a row rests on, said otherwise: who was selected where it waited, or where it went. */
static bool corrupt(told *t, size_t i, uint32_t how)
{
    const np_polarized_row *row = &t->p.row[i];
    size_t switches = (size_t)(6 * t->n + 1) << t->n;
    size_t waited = row->wait_step * switches + ((size_t)row->wait_at.column << t->n) + row->wait_at.row;
    if (row->wait == NP_POLARIZED_BESIDE || row->wait == NP_POLARIZED_ORIGIN)
        return false;
    uint32_t words[] = {0, UINT32_MAX, 2 * t->job.tags + 2};
    if (how < 3)
        t->record.selected[waited] = words[how];
    else if (row->wait == NP_POLARIZED_FULL)
        t->record.sent[waited] = 3;
    else
        t->record.sent[waited + switches] = 0; /* so it never went on from there */
    return how < 3 || row->wait == NP_POLARIZED_FULL ||
           (row->at.column != row->wait_at.column &&
            row->wait_at.column > 2 * t->n); /* before, it may have come two ways */
}

static void lies_are_noticed(void **unused)
{
    uint32_t tried = 0;
    (void)unused;
    for (uint64_t seed = 1; seed <= SUPPORT_SAMPLE(600U); seed++) {
        static told t;
        draw(&t, seed);
        send(&t);
        assert_ok(trace(&t));
        if (t.p.rows > 1 && corrupt(&t, below((uint32_t)t.p.rows - 1), below(4))) {
            np_polarized_clear(&t.p);
            assert_refused(trace(&t), NP_ERROR_INTERNAL, "the record contradicts itself");
            assert_int_equal(t.p.rows, 0);
            tried++;
        }
        told_clear(&t);
    }
    assert_true(tried > SUPPORT_FEWER(150U, 30U));
}

/*
 * butterfly:1, two rows. Processors 0 and 1 ask for different cells in module 0; the network is a line of columns 0 ..
 * 6 there, where the second reply, of tag 1, is one step behind the first: step 2: both requests are at <2, 0>; tag 0
 * is selected, tag 1 waits. Then it goes on, a column a step.
 */
static void by_hand(void **unused)
{
    static told t;
    (void)unused;
    t = (told){.n = 1, .b = 4, .module = {0, 0}, .begin = {0, 1, 2}, .processor = {0, 1}};
    t.job = (np_ranade_job){.tags = 2, .module = t.module, .begin = t.begin, .processor = t.processor};
    send(&t);
    assert_ok(trace(&t));
    const np_polarized *p = &t.p;
    assert_int_equal(t.run.steps, 8);
    assert_int_equal(p->delta, 1);
    assert_int_equal(p->rows, 2);
    assert_int_equal(p->row[0].tag, 1);
    assert_int_equal(p->row[0].at.column, 6);
    assert_int_equal(p->row[0].at.row, 1);
    assert_int_equal(p->row[0].lag, 1);
    assert_int_equal(p->row[0].wait, NP_POLARIZED_OTHER);
    assert_int_equal(p->row[0].wait_at.column, 2);
    assert_int_equal(p->row[0].wait_step, 2);
    assert_int_equal(p->row[1].kind, NP_POLARIZED_M);
    assert_int_equal(p->row[1].tag, 0);
    assert_int_equal(p->row[1].at.column, 2);
    assert_int_equal(p->row[1].at.row, 0);
    assert_int_equal(p->row[1].lag, 0);
    assert_int_equal(p->row[1].wait, NP_POLARIZED_ORIGIN);
    assert_int_equal(p->row[1].wait_at.column, 0);
    assert_int_equal(p->verdict[NP_POLARIZED_THEOREM_2].have, 1);
    assert_int_equal(p->verdict[NP_POLARIZED_THEOREM_2].need, 1);
    assert_int_equal(p->verdict[NP_POLARIZED_PATH].have, 6);
    assert_true(p->holds);
    told_clear(&t);
}

static void nothing_and_no_memory(void **unused)
{
    static told t;
    np_status st;
    (void)unused;
    t = (told){.n = 2, .b = 2};
    t.job = (np_ranade_job){.begin = t.begin};
    assert_ok(trace(&t));
    assert_int_equal(t.p.rows, 0);
    draw(&t, 4);
    send(&t);
    for (long i = 1; i <= 2; i++) {
        np_memory_fail_after(i);
        st = trace(&t);
        np_memory_fail_after(0);
        assert_int_equal(st, NP_ERROR_MEMORY);
        assert_int_equal(t.p.rows, 0);
    }
    told_clear(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(is_justified), cmocka_unit_test(lies_are_noticed),
                                       cmocka_unit_test(by_hand), cmocka_unit_test(nothing_and_no_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
