/*
 * Random programs: every machine, in batches of any size, gives the replies,
 * the memory and the violations of the interpreter.
 */
#include "support.h"

#include "base/random.h"
#include "oracle/pram.h"

enum { STEPS = 6, PROCESSORS_MOST = 60, CELLS_MOST = 300 };

/* Machines, and how many requests go in a batch. */
static const struct {
    const char *spec;
    np_processor processors;
    uint32_t slack;
} machines[] = {{"ideal", 0, 1},
                {"ideal", 1, 1},
                {"ideal", 3, 2},
                {"ideal", 64, 1},
                {"leveled:mesh:3x4", 0, 1},
                {"leveled:hypercube:3", 5, 2},
                {"leveled:shuffle-exchange:3", 0, 3},
                {"leveled:fat-tree:2", 0, 1},
                {"leveled:butterfly:3", 7, 3},
                {"two-phase:hypercube:3", 0, 2}};

enum { MACHINES = sizeof machines / sizeof *machines };

/* A stream of choices for one program. */
typedef struct dice {
    np_draws draws;
    uint32_t thrown;
} dice;

static uint32_t throw_below(dice *d, uint32_t bound) { return np_random_below(&d->draws, 0, d->thrown++, bound); }

/* A random step. */
typedef struct play {
    np_pram_step step;
    bool moves; /* to `to` */
    np_address from[PROCESSORS_MOST], to[PROCESSORS_MOST];
    uint8_t active[PROCESSORS_MOST], kind[PROCESSORS_MOST];
    np_word value[PROCESSORS_MOST];
} play;

/* Addresses in all shapes: rising, falling, permuted, random in few or many cells. */
static void throw_addresses(dice *d, size_t count, uint32_t cells, np_address *address)
{
    uint32_t shape = throw_below(d, 5), few = 1 + throw_below(d, shape == 3 && cells > 4 ? 4 : cells);
    uint32_t stride = count ? cells / (uint32_t)count : 1, odd = 1 + 2 * throw_below(d, 50);
    for (size_t i = 0; i < count; i++) {
        address[i] = throw_below(d, few);
        if (stride && shape == 0)
            address[i] = i * stride;
        else if (stride && shape == 1)
            address[i] = cells - 1 - i * stride;
        else if (stride && shape == 2) /* two neighbours change places: nearly rising, and exclusive */
            address[i] = i == odd && i + 1 < count ? i + 1 : i && i - 1 == odd ? i - 1 : i;
    }
}

/* Few values, so that writers agree now and then, and some that overflow. */
static np_word throw_value(dice *d, uint32_t range)
{
    if (!throw_below(d, 40))
        return throw_below(d, 2) ? INT64_MAX : INT64_MIN;
    return 1 + (np_word)throw_below(d, range) * (throw_below(d, 2) ? 1 : -1);
}

static void throw_step(dice *d, uint32_t cells, play *p)
{
    size_t count = throw_below(d, PROCESSORS_MOST + 1);
    uint32_t range = throw_below(d, 2) ? 1 : 3;
    *p = (play){.step = {.label = "a step",
                         .count = count,
                         .address = p->from,
                         .active = throw_below(d, 2) ? p->active : NULL,
                         .all = (np_access_kind)throw_below(d, 3),
                         .kind = throw_below(d, 2) ? p->kind : NULL,
                         .op = (np_fetch_op)throw_below(d, 6),
                         .value = p->value},
                .moves = !throw_below(d, 5)};
    throw_addresses(d, count, cells, p->from);
    throw_addresses(d, count, cells, p->to);
    uint32_t kinds = 1 + throw_below(d, 3), offset = throw_below(d, 3);
    for (size_t i = 0; i < count; i++) {
        p->active[i] = throw_below(d, 3) != 0;
        p->kind[i] = (uint8_t)((throw_below(d, kinds) + offset) % 3);
        p->value[i] = throw_value(d, range);
    }
}

static void play_oracle(oracle_pram *oracle, const play *p, np_word *value)
{
    np_pram_step step = p->step;
    memcpy(value, p->value, sizeof p->value);
    step.value = value;
    if (!p->moves) {
        oracle_pram_step(oracle, &step, false);
        return;
    }
    np_word moved[PROCESSORS_MOST] = {0};
    np_pram_step half = {.count = step.count, .address = p->from, .active = step.active, .value = moved};
    oracle_pram_step(oracle, &half, true);
    half.address = p->to;
    half.all = NP_ACCESS_WRITE;
    oracle_pram_step(oracle, &half, false);
}

static void play_pram(np_pram *pram, const play *p, np_word *value)
{
    np_pram_step step = p->step;
    memcpy(value, p->value, sizeof p->value);
    step.value = value;
    if (p->moves)
        assert_ok(np_pram_move(pram, step.count, p->from, p->to, step.active, "a move"));
    else
        assert_ok(np_pram_access(pram, &step));
}

static np_pram *begin(size_t machine, np_access_rule rule, uint64_t seed, uint64_t cells, const np_word *memory)
{
    np_pram_options options;
    np_pram *pram;
    np_address base;
    np_pram_options_init(&options);
    options.machine = machines[machine].spec;
    options.processors = machines[machine].processors;
    options.slack = machines[machine].slack;
    options.rule = rule;
    options.seed = seed;
    options.violations_max = 1000;
    assert_ok(np_pram_create(&options, &pram));
    assert_ok(np_pram_allocate(pram, cells, "x", &base));
    assert_int_equal(base, 0);
    assert_ok(np_pram_put(pram, base, cells, memory));
    return pram;
}

/* The oracle's last violation is among the PRAM's. */
static void compare_violations(const oracle_pram *oracle, const np_pram_report *report)
{
    assert_int_equal(report->violations, oracle->violations);
    assert_int_equal(report->kept, oracle->violations);
    if (!oracle->violations)
        return;
    for (size_t i = 0; i < report->kept; i++) {
        const np_violation *v = &report->violation[i];
        assert_true(v->step < oracle->steps);
        assert_string_equal(v->array, "x");
        assert_int_equal(v->offset, v->address);
        if (v->address == oracle->address && v->first == oracle->first && v->second == oracle->second)
            return;
    }
    fail_msg("processors %u and %u violate the rule at cell %llu", oracle->first, oracle->second,
             (unsigned long long)oracle->address);
}

static void compare(const oracle_pram *oracle, np_pram *pram)
{
    np_word memory[CELLS_MOST];
    np_pram_report report;
    assert_ok(np_pram_get(pram, 0, oracle->cells, memory));
    assert_memory_equal(memory, oracle->memory, oracle->cells * sizeof *memory);
    assert_ok(np_pram_report_get(pram, &report));
    assert_int_equal(report.steps, oracle->steps);
    assert_int_equal(report.work, oracle->work);
    assert_string_equal(np_access_rule_name(report.weakest), np_access_rule_name(oracle_pram_weakest(oracle)));
    compare_violations(oracle, &report);
}

static void run_program(size_t machine, np_access_rule rule, uint64_t seed)
{
    dice d = {.draws = {.seed = seed, .purpose = NP_RANDOM_CHECK, .run = rule}};
    uint32_t cells = 1 + throw_below(&d, throw_below(&d, 2) ? CELLS_MOST : 8);
    np_word memory[CELLS_MOST];
    for (uint32_t i = 0; i < cells; i++)
        memory[i] = throw_value(&d, 3);
    np_pram *pram = begin(machine, rule, seed, cells, memory);
    oracle_pram oracle = {.rule = rule, .seed = seed, .cells = cells, .memory = memory, .clean = (1 << NP_RULES) - 1};
    for (int i = 0; i < STEPS; i++) {
        play p;
        np_word want[PROCESSORS_MOST], got[PROCESSORS_MOST];
        throw_step(&d, cells, &p);
        play_oracle(&oracle, &p, want);
        play_pram(pram, &p, got);
        assert_memory_equal(got, want, p.step.count * sizeof *got);
        compare(&oracle, pram);
    }
    np_pram_free(pram);
}

static void test_random_programs(void **state)
{
    (void)state;
    for (size_t machine = 0; machine < MACHINES; machine++)
        for (unsigned rule = 0; rule < NP_RULES; rule++)
            for (uint64_t seed = 1; seed <= (strcmp(machines[machine].spec, "ideal") ? 8 : 40); seed++)
                run_program(machine, (np_access_rule)rule, seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
