/* Flows that share links fairly: against the definition, exact fractions, closed forms, and each other. */
#include "support.h"

#include "base/random.h"
#include "engine/flows/fair.h"
#include "oracle/fair.h"

enum { LINKS = 8, FLOWS = 10, HOPS = 6 };

#define UNIT ((uint64_t)1 << 50)     /* capacity of a link of width 1 */
#define STEP ((np_fair_time)1 << 30) /* ticks in which it sends a packet */
#define WHOLE ((uint64_t)1 << NP_FAIR_SHARE_BITS)
#define PACKET ((np_fair_size)UNIT * STEP) /* units */

/* A case, for the engine and for the oracle. */
typedef struct sample {
    uint32_t links;
    uint64_t capacity[LINKS];
    size_t flows, first[FLOWS + 1];
    uint32_t path[FLOWS * HOPS];
    np_fair_time start[FLOWS];
    np_fair_size size[FLOWS];
    bool divided;
    uint64_t share[FLOWS * HOPS]; /* beside path */
} sample;

static uint32_t draw(uint32_t item, uint32_t which, uint32_t bound)
{
    const np_draws draws = {.seed = 11, .purpose = NP_RANDOM_CHECK};
    return np_random_below(&draws, item, which, bound);
}

typedef struct dice {
    uint32_t item, next;
} dice;

static uint32_t roll(dice *d, uint32_t bound) { return draw(d->item, d->next++, bound); }

/* Many ties: few capacities, sizes and starts. Every third case has odd ones, some have links of capacity 0. */
static sample make(uint32_t k)
{
    static const uint64_t sizes[] = {0, 1, 1, 2, 3, 5, 1000, 1000000000};
    dice d = {k, 0};
    bool odd = k % 3 == 2;
    sample c = {.links = 1 + roll(&d, LINKS)};
    c.flows = 1 + roll(&d, FLOWS);
    for (uint32_t l = 0; l < c.links; l++) {
        c.capacity[l] = (1 + roll(&d, 3)) * UNIT;
        c.capacity[l] += odd ? roll(&d, UINT32_MAX) * (uint64_t)65536 : 0;
        if (k % 5 == 0 && roll(&d, 6) == 0)
            c.capacity[l] = 0;
    }
    for (size_t f = 0; f < c.flows; f++) {
        uint32_t hops = roll(&d, HOPS + 1);
        c.first[f + 1] = c.first[f] + hops;
        for (uint32_t h = 0; h < hops; h++)
            c.path[c.first[f] + h] = roll(&d, c.links);
        c.start[f] = k % 4 ? roll(&d, 4) * STEP : 0;
        c.size[f] = sizes[roll(&d, k % 7 ? 7 : 8)] * PACKET;
        if (odd) {
            c.start[f] += roll(&d, 1 << 30);
            c.size[f] += c.size[f] ? roll(&d, UINT32_MAX) * PACKET / UINT32_MAX : 0;
        }
    }
    return c;
}

/* ---- Against the definition ---- */

static void ask_oracle(const sample *c, long double *finish)
{
    double capacity[LINKS], start[FLOWS], size[FLOWS], part[FLOWS * HOPS];
    for (size_t i = 0; c->divided && i < c->first[c->flows]; i++)
        part[i] = (double)c->share[i] / (double)WHOLE;
    for (uint32_t l = 0; l < c->links; l++)
        capacity[l] = (double)c->capacity[l];
    for (size_t f = 0; f < c->flows; f++) {
        start[f] = (double)c->start[f];
        size[f] = (double)c->size[f];
    }
    const oracle_flows flows = {c->links, capacity, c->flows, c->first, c->path, start, size, c->divided ? part : NULL};
    oracle_fair_play(&flows, finish);
}

static void play(const sample *c, np_fair_time *finish)
{
    const np_fair_flows flows = {c->flows, c->first, c->path, c->start, c->size, NULL};
    assert_ok(np_fair_play(c->links, c->capacity, &flows, finish));
}

static void check_finish(const sample *c, uint32_t k, size_t f, np_fair_time got, long double want)
{
    if (want < 0) {
        assert_true(got == NP_FAIR_NEVER);
        return;
    }
    assert_true(got != NP_FAIR_NEVER);
    long double off = (long double)got - want, took = want - (long double)c->start[f];
    off = off < 0 ? -off : off;
    if (off > 1e-9L * took + 16)
        fail_msg("case %u, flow %zu: %Lg ticks, must be %Lg", k, f, (long double)got, want);
}

static void definition(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < 4000; k++) {
        np_fair_time finish[FLOWS];
        long double want[FLOWS];
        sample c = make(k);
        play(&c, finish);
        ask_oracle(&c, want);
        for (size_t f = 0; f < c.flows; f++)
            check_finish(&c, k, f, finish[f], want[f]);
    }
}

/* ---- One moment, in fractions ---- */

typedef struct moment {
    np_fair *fair;
    uint64_t rate[FLOWS];
    uint32_t links;
    size_t flows;
    bool taken;
} moment;

/* Each flow has a link of its own: its use is the flow's rate. */
static np_status take_moment(void *self, np_fair_time now)
{
    moment *m = self;
    for (size_t f = 0; now == 0 && f < m->flows; f++)
        m->rate[f] = np_fair_use(m->fair, m->links + (uint32_t)f);
    return NP_OK;
}

static void see_moment(const sample *c, moment *m, int filling)
{
    uint64_t capacity[LINKS + FLOWS];
    const np_fair_driver driver = {.self = m, .settled = take_moment};
    for (uint32_t l = 0; l < c->links + c->flows; l++)
        capacity[l] = l < c->links ? c->capacity[l] : 8 * UNIT;
    *m = (moment){.links = c->links, .flows = c->flows};
    assert_ok(np_fair_create(c->links + (uint32_t)c->flows, capacity, &m->fair));
    np_fair_fill_always(m->fair, filling);
    for (size_t f = 0; f < c->flows; f++) {
        uint32_t path[HOPS + 1], hops = (uint32_t)(c->first[f + 1] - c->first[f]);
        memcpy(path, &c->path[c->first[f]], hops * sizeof *path);
        path[hops] = c->links + (uint32_t)f;
        const np_fair_flow flow = {.path = path, .hops = hops + 1, .size = PACKET};
        assert_ok(np_fair_add(m->fair, &flow));
    }
    assert_ok(np_fair_run(m->fair, &driver));
    np_fair_free(m->fair);
}

static void fractions(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < 4000; k++) {
        sample c = make(k);
        moment one, other;
        oracle_fraction rate[FLOWS];
        double capacity[LINKS + FLOWS];
        for (uint32_t l = 0; l < c.links; l++) {
            c.capacity[l] -= c.capacity[l] % UNIT;
            capacity[l] = (double)(c.capacity[l] / UNIT);
        }
        const oracle_flows flows = {c.links, capacity, c.flows, c.first, c.path, NULL, NULL, NULL};
        oracle_fair_rates(&flows, rate);
        see_moment(&c, &one, 1);
        see_moment(&c, &other, -1);
        for (size_t f = 0; f < c.flows; f++) {
            assert_true(one.rate[f] == other.rate[f]);
            if (c.first[f] == c.first[f + 1])
                continue; /* only its own link holds it */
            double want = (double)rate[f].top / (double)rate[f].bottom, got = (double)one.rate[f] / (double)UNIT;
            assert_true(got <= want + 1e-13 && got >= want - 1e-13);
        }
    }
}

/* ---- The same bits, however they are found ---- */

static np_status keep_finish(void *self, uint64_t name, np_fair_time now)
{
    ((np_fair_time *)self)[name] = now;
    return NP_OK;
}

/* Flows are added before the run, the last one first. */
static void play_backwards(const sample *c, int filling, np_fair_time *finish)
{
    np_fair *fair;
    const np_fair_driver driver = {.self = finish, .finished = keep_finish};
    assert_ok((c->divided ? np_fair_create_divided : np_fair_create)(c->links, c->capacity, &fair));
    np_fair_fill_always(fair, filling);
    for (size_t f = c->flows; f-- > 0;) {
        const np_fair_flow flow = {.name = f,
                                   .path = &c->path[c->first[f]],
                                   .hops = (uint32_t)(c->first[f + 1] - c->first[f]),
                                   .share = c->divided ? &c->share[c->first[f]] : NULL,
                                   .start = c->start[f],
                                   .size = c->size[f]};
        finish[f] = NP_FAIR_NEVER;
        assert_ok(np_fair_add(fair, &flow));
    }
    assert_ok(np_fair_run(fair, &driver));
    np_fair_free(fair);
}

/* Capacities of a few units: floors are coarse, and ties are many. */
static sample make_coarse(uint32_t k)
{
    sample c = make(k);
    for (uint32_t l = 0; l < c.links; l++)
        c.capacity[l] = draw(k, 1000 + l, 12);
    for (size_t f = 0; f < c.flows; f++) {
        c.size[f] = draw(k, 2000 + (uint32_t)f, 50);
        c.start[f] = draw(k, 3000 + (uint32_t)f, 8);
    }
    return c;
}

static void same_bits(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < 20000; k++) {
        np_fair_time finish[FLOWS], filled[FLOWS], relaxed[FLOWS];
        sample c = k % 2 ? make(k) : make_coarse(k);
        play(&c, finish);
        play_backwards(&c, 1, filled);
        play_backwards(&c, -1, relaxed);
        for (size_t f = 0; f < c.flows; f++)
            if (finish[f] != filled[f] || filled[f] != relaxed[f])
                fail_msg("case %u, flow %zu: %Lg, %Lg filled, %Lg relaxed", k, f, (long double)finish[f],
                         (long double)filled[f], (long double)relaxed[f]);
    }
}

/* Many flows on many links, at few and at many links each; a batch is large enough for a filling now and then. */
static void play_crowd(uint32_t k, int filling, bool divided, np_fair_time *finish)
{
    enum { MANY_LINKS = 150, MANY_FLOWS = 600 };
    uint64_t capacity[MANY_LINKS];
    np_fair *fair;
    const np_fair_driver driver = {.self = finish, .finished = keep_finish};
    for (uint32_t l = 0; l < MANY_LINKS; l++)
        capacity[l] = (1 + draw(k, l, 4)) * UNIT + (k % 2 ? draw(k, 200 + l, UINT32_MAX) : 0);
    assert_ok((divided ? np_fair_create_divided : np_fair_create)(MANY_LINKS, capacity, &fair));
    np_fair_fill_always(fair, filling);
    for (uint32_t f = 0; f < MANY_FLOWS; f++) {
        uint32_t path[HOPS];
        uint64_t share[HOPS];
        np_fair_flow flow = {.name = f, .path = path, .hops = 1 + draw(k, 1000 + f, HOPS)};
        for (uint32_t h = 0; h < flow.hops; h++) {
            path[h] = draw(f, 10 + h, MANY_LINKS);
            share[h] = WHOLE / (1 + draw(f, 30 + h, 6));
        }
        flow.share = divided ? share : NULL;
        flow.start = f % 3 ? draw(k, 2000 + f, 50) * STEP / 2 : 0;
        flow.size = (1 + draw(k, 3000 + f, 4)) * PACKET + (k % 3 ? draw(k, 4000 + f, UINT32_MAX) : 0);
        assert_ok(np_fair_add(fair, &flow));
    }
    assert_ok(np_fair_run(fair, &driver));
    assert_true(filling < 0 || np_fair_counted(fair).fillings > 0);
    assert_true(filling > 0 || np_fair_counted(fair).evaluations > 0);
    assert_true(!np_fair_active(fair) && !np_fair_use(fair, 0) && !np_fair_use(fair, 7));
    np_fair_free(fair);
}

static void crowds(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < 24; k++) {
        np_fair_time mixed[600], filled[600], relaxed[600];
        play_crowd(k, 0, k % 4 == 3, mixed);
        play_crowd(k, 1, k % 4 == 3, filled);
        play_crowd(k, -1, k % 4 == 3, relaxed);
        assert_memory_equal(mixed, filled, sizeof mixed);
        assert_memory_equal(relaxed, filled, sizeof mixed);
    }
}

/* Shares of halves, thirds, ... and odd ones; some are 1. */
static void divide(sample *c, uint32_t k)
{
    c->divided = true;
    for (uint32_t i = 0; i < c->first[c->flows]; i++) {
        c->share[i] = WHOLE / (1 + draw(k, 4000 + i, 5));
        if (k % 3 == 0)
            c->share[i] -= draw(k, 5000 + i, 1 << 30);
    }
}

static void divided(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < 4000; k++) {
        np_fair_time mixed[FLOWS], filled[FLOWS], relaxed[FLOWS];
        long double want[FLOWS];
        sample c = make(k);
        divide(&c, k);
        play_backwards(&c, 0, mixed);
        play_backwards(&c, 1, filled);
        play_backwards(&c, -1, relaxed);
        ask_oracle(&c, want);
        for (size_t f = 0; f < c.flows; f++) {
            assert_true(mixed[f] == filled[f] && filled[f] == relaxed[f]);
            check_finish(&c, k, f, filled[f], want[f]);
        }
        c = make_coarse(k);
        divide(&c, k);
        play_backwards(&c, 1, filled);
        play_backwards(&c, -1, relaxed);
        for (size_t f = 0; f < c.flows; f++)
            assert_true(filled[f] == relaxed[f]);
    }
}

/* ---- Closed forms ---- */

/* Flow f of n has f + 1 packets on one link of width 3: it ends when the shorter ones are sent, and as much of the
 * longer ones. */
static void one_link(void **state)
{
    (void)state;
    enum { N = 500 };
    const uint64_t capacity = 3 * UNIT;
    size_t first[N + 1];
    uint32_t path[N] = {0};
    np_fair_time start[N] = {0}, finish[N];
    np_fair_size size[N];
    for (size_t f = 0; f <= N; f++)
        first[f] = f;
    for (size_t f = 0; f < N; f++)
        size[f] = (f + 1) * PACKET;
    const np_fair_flows flows = {N, first, path, start, size, NULL};
    assert_ok(np_fair_play(1, &capacity, &flows, finish));
    for (size_t f = 0; f < N; f++) {
        size_t packets = (f + 1) * (f + 2) / 2 + (N - f - 1) * (f + 1);
        np_fair_time want = packets * STEP / 3;
        assert_true(finish[f] >= want && finish[f] <= want + want / 1000000000 + N);
    }
}

/* The parking lot: one flow over all n links and one on each. They all get a half. */
static void parking_lot(void **state)
{
    (void)state;
    enum { N = 50 };
    uint64_t capacity[N];
    uint32_t path[2 * N];
    size_t first[N + 2] = {0};
    np_fair_time start[N + 1] = {0}, finish[N + 1];
    np_fair_size size[N + 1];
    for (uint32_t l = 0; l < N; l++) {
        capacity[l] = UNIT;
        path[l] = path[N + l] = l;
    }
    for (size_t f = 0; f <= N; f++) {
        first[f + 1] = N + f;
        size[f] = f ? PACKET : 3 * PACKET;
    }
    const np_fair_flows flows = {N + 1, first, path, start, size, NULL};
    assert_ok(np_fair_play(N, capacity, &flows, finish));
    for (size_t f = 1; f <= N; f++)
        assert_true(finish[f] == 2 * STEP);
    assert_true(finish[0] == 4 * STEP); /* one packet of three by then, the others alone */
}

/* ---- What happens when ---- */

typedef struct chain {
    np_fair *fair;
    unsigned left;
    uint64_t heard[8];
    np_fair_time when[8];
    size_t count;
} chain;

static np_status go_on(void *self, uint64_t name, np_fair_time now)
{
    static const uint32_t path[] = {0, 1};
    chain *c = self;
    if (c->count < 8) {
        c->heard[c->count] = name;
        c->when[c->count++] = now;
    }
    if (!c->left)
        return NP_OK;
    c->left--;
    const np_fair_flow flow = {.name = name + 10, .path = path, .hops = 2, .start = now, .size = PACKET};
    return np_fair_add(c->fair, &flow);
}

/* A flow on the path of one that ends takes its place: no rate is worked out again but at the beginning. */
static void places(void **state)
{
    (void)state;
    static const uint64_t capacity[] = {UNIT, 2 * UNIT};
    static const uint32_t path[] = {0, 1};
    chain c = {.left = 2000};
    const np_fair_driver driver = {.self = &c, .finished = go_on};
    assert_ok(np_fair_create(2, capacity, &c.fair));
    for (uint64_t name = 1; name <= 2; name++) {
        const np_fair_flow flow = {.name = name, .path = path, .hops = 2, .size = PACKET};
        assert_ok(np_fair_add(c.fair, &flow));
    }
    assert_ok(np_fair_run(c.fair, &driver));
    assert_true(np_fair_now(c.fair) == 2002 * STEP);
    assert_true(np_fair_counted(c.fair).evaluations <= 10);
    assert_int_equal(np_fair_counted(c.fair).batches, 1002);
    for (size_t i = 0; i < 8; i++) { /* in the order in which they were added */
        assert_int_equal(c.heard[i], 1 + i % 2 + i / 2 * 10);
        assert_true(c.when[i] == (i / 2 + 1) * 2 * STEP);
    }
    np_fair_free(c.fair);
}

/* A delay holds no capacity: the other flow has the link alone from step 2 on. */
static void delays(void **state)
{
    (void)state;
    const uint64_t capacity = UNIT;
    static const uint32_t path[] = {0, 0};
    static const size_t first[] = {0, 1, 2, 2, 2};
    const np_fair_time start[] = {0, 0, 5 * STEP, 5 * STEP}, delay[] = {10 * STEP, 0, 0, STEP};
    const np_fair_size size[] = {PACKET, 3 * PACKET, PACKET, PACKET};
    np_fair_time finish[4];
    const np_fair_flows flows = {4, first, path, start, size, delay};
    assert_ok(np_fair_play(1, &capacity, &flows, finish));
    assert_true(finish[0] == 12 * STEP && finish[1] == 4 * STEP);
    assert_true(finish[2] == 5 * STEP && finish[3] == 6 * STEP);
}

/* In any order, and beyond 2^64. */
static void late_starts(void **state)
{
    (void)state;
    const uint64_t capacity = UNIT;
    static const uint32_t path[] = {0, 0, 0};
    static const size_t first[] = {0, 1, 2, 3};
    const np_fair_time late = (np_fair_time)STEP << 64, start[] = {late + STEP, 5 * STEP, late};
    const np_fair_size size[] = {PACKET, PACKET, PACKET};
    np_fair_time finish[3];
    const np_fair_flows flows = {3, first, path, start, size, NULL};
    assert_ok(np_fair_play(1, &capacity, &flows, finish));
    assert_true(finish[0] == late + 2 * STEP && finish[1] == 6 * STEP && finish[2] == late + STEP);
}

/* Flows stand on a link without capacity, and where there are more flows than units. */
static void standing(void **state)
{
    (void)state;
    static const uint64_t capacity[] = {0, 3};
    static const uint32_t path[] = {0, 1};
    np_fair *fair;
    assert_ok(np_fair_create(2, capacity, &fair));
    for (uint32_t f = 0; f < 5; f++) {
        const np_fair_flow flow = {.path = &path[f > 0], .hops = 1, .start = f == 4 ? 10 : 0, .size = 100};
        assert_ok(np_fair_add(fair, &flow));
    }
    assert_ok(np_fair_run(fair, NULL));
    assert_int_equal(np_fair_standing(fair), 5); /* the fourth on link 1 stops the others for ever */
    assert_int_equal(np_fair_active(fair), 5);
    assert_true(np_fair_now(fair) == 10);
    np_fair_free(fair);
}

static void nothing(void **state)
{
    (void)state;
    np_fair *fair;
    np_fair_time finish[1];
    const size_t first[] = {0};
    const np_fair_flows none = {0, first, NULL, NULL, NULL, NULL};
    assert_ok(np_fair_play(0, NULL, &none, finish));
    assert_ok(np_fair_create(0, NULL, &fair));
    const np_fair_flow flow = {.start = 7, .size = 5};
    assert_ok(np_fair_add(fair, &flow));
    assert_ok(np_fair_run(fair, NULL));
    assert_true(np_fair_now(fair) == 7);
    np_fair_free(fair);
}

static void refusals(void **state)
{
    (void)state;
    static const uint64_t large[] = {UNIT, (uint64_t)1 << 62}, capacity[] = {UNIT};
    static const uint32_t path[] = {1};
    np_fair *fair;
    assert_refused(np_fair_create(2, large, &fair), NP_ERROR_INPUT, "link 1");
    assert_null(fair);
    assert_ok(np_fair_create(1, capacity, &fair));
    np_fair_flow flow = {.name = 3, .path = path, .hops = 1};
    assert_refused(np_fair_add(fair, &flow), NP_ERROR_INPUT, "flow 3 crosses link 1: there are 1");
    flow = (np_fair_flow){.start = (np_fair_time)1 << 125};
    assert_refused(np_fair_add(fair, &flow), NP_ERROR_LIMIT, "2^125 ticks");
    flow = (np_fair_flow){.size = (np_fair_size)1 << 125};
    assert_refused(np_fair_add(fair, &flow), NP_ERROR_LIMIT, "2^125 units");
    const uint64_t share[] = {WHOLE + 1};
    flow = (np_fair_flow){.path = (const uint32_t[]){0}, .hops = 1, .share = share};
    assert_refused(np_fair_add(fair, &flow), NP_ERROR_INPUT, "shares that are not in 1..2^40");
    np_fair_free(fair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(definition),  cmocka_unit_test(fractions), cmocka_unit_test(same_bits),
        cmocka_unit_test(divided),     cmocka_unit_test(crowds),    cmocka_unit_test(one_link),
        cmocka_unit_test(parking_lot), cmocka_unit_test(places),    cmocka_unit_test(delays),
        cmocka_unit_test(late_starts), cmocka_unit_test(standing),  cmocka_unit_test(nothing),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
