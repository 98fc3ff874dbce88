/* Polarized sequences (Ranade 1987b, section 4): justified by a replay of the batch, and records that lie are noticed. */
#include "engine/polarized.h"
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
        t->module[k] = rising ? k % modules : below(few);
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
    uint32_t full = 0, ghosts = 0, late = 0, held = 0, cut = 0, single = 0;
    (void)unused;
    for (uint64_t seed = 1; seed <= 1500; seed++) {
        static told t;
        draw(&t, seed);
        send(&t);
        assert_ok(trace(&t));
        polarized_judge(t.n, t.b, &t.job, &t.record, t.run.steps, &t.p);
        full += t.p.full;
        late += t.p.delta > 0;
        cut += t.p.full > t.n;
        single += t.b == 1 && t.p.delta > 0;
        for (size_t i = 1; i < t.p.rows; i++) {
            ghosts += t.p.row[i].ghost > 0;
            held += t.p.row[i].ghost && t.p.row[i].kind == NP_POLARIZED_B;
        }
        told_clear(&t);
    }
    print_message("full %u, ghosts %u, late %u, held %u, cut %u, b = 1 %u\n", full, ghosts, late, held, cut, single);
    assert_true(full > 1000 && ghosts > 1000 && late > 700 && held > 20 && cut > 20 && single > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(is_justified)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
