#include "oracle/pram_judge.h"

#include "oracle/pram.h"
#include "support.h"

enum { STEPS = 6, PROCESSORS_MOST = 60, CELLS_MOST = 300 };

const oracle_pram_machine oracle_pram_machines[] = {{.spec = "ideal", .processors = 0, .slack = 1},
                                                    {.spec = "ideal", .processors = 1, .slack = 1},
                                                    {.spec = "ideal", .processors = 3, .slack = 2},
                                                    {.spec = "ideal", .processors = 64, .slack = 1},
                                                    {.spec = "leveled:mesh:3x4", .processors = 0, .slack = 1},
                                                    {.spec = "leveled:hypercube:3", .processors = 5, .slack = 2},
                                                    {.spec = "leveled:shuffle-exchange:3", .processors = 0, .slack = 3},
                                                    {.spec = "leveled:fat-tree:2", .processors = 0, .slack = 1},
                                                    {.spec = "leveled:butterfly:3", .processors = 7, .slack = 3},
                                                    {.spec = "two-phase:hypercube:3", .processors = 0, .slack = 2},
                                                    {.spec = "copies:complete:16", .processors = 0, .slack = 1},
                                                    {.spec = "copies:complete:70", .processors = 0, .slack = 1},
                                                    {.spec = "copies:butterfly:3", .processors = 5, .slack = 1},
                                                    {.spec = NULL, .processors = 0, .slack = 0}};

static uint32_t below(const oracle_chooser *d, uint32_t bound) { return d->choose(d->context, bound); }

/* A step that was chosen. */
typedef struct play {
    np_pram_step step;
    bool moves; /* to `to` */
    np_address from[PROCESSORS_MOST], to[PROCESSORS_MOST];
    uint8_t active[PROCESSORS_MOST], kind[PROCESSORS_MOST];
    np_word value[PROCESSORS_MOST];
} play;

/* Addresses in all shapes: rising, falling, permuted, random in few or many cells. */
static void choose_addresses(const oracle_chooser *d, size_t count, uint32_t cells, np_address *address)
{
    uint32_t shape = below(d, 5), few = 1 + below(d, shape == 3 && cells > 4 ? 4 : cells);
    uint32_t stride = count ? cells / (uint32_t)count : 1, odd = 1 + 2 * below(d, 50);
    for (size_t i = 0; i < count; i++) {
        address[i] = below(d, few);
        if (stride && shape == 0)
            address[i] = i * stride;
        else if (stride && shape == 1)
            address[i] = cells - 1 - i * stride;
        else if (stride && shape == 2) /* two neighbours change places: nearly rising, and exclusive */
            address[i] = i == odd && i + 1 < count ? i + 1 : i && i - 1 == odd ? i - 1 : i;
    }
}

/* Few values, so that writers agree now and then, and some that overflow. */
static np_word choose_value(const oracle_chooser *d, uint32_t range)
{
    if (!below(d, 40))
        return below(d, 2) ? INT64_MAX : INT64_MIN;
    return 1 + (np_word)below(d, range) * (below(d, 2) ? 1 : -1);
}

static void choose_step(const oracle_chooser *d, uint32_t cells, play *p)
{
    size_t count = below(d, PROCESSORS_MOST + 1);
    uint32_t range = below(d, 2) ? 1 : 3;
    *p = (play){.step = {.label = "a step",
                         .count = count,
                         .address = p->from,
                         .active = below(d, 2) ? p->active : NULL,
                         .all = (np_access_kind)below(d, 3),
                         .kind = below(d, 2) ? p->kind : NULL,
                         .op = (np_fetch_op)below(d, 6),
                         .value = p->value},
                .moves = !below(d, 5)};
    choose_addresses(d, count, cells, p->from);
    choose_addresses(d, count, cells, p->to);
    uint32_t kinds = 1 + below(d, 3), offset = below(d, 3);
    for (size_t i = 0; i < count; i++) {
        p->active[i] = below(d, 3) != 0;
        p->kind[i] = (uint8_t)((below(d, kinds) + offset) % 3);
        p->value[i] = choose_value(d, range);
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

static np_pram *begin(const oracle_pram_machine *machine, np_access_rule rule, uint64_t seed, uint64_t cells,
                      const np_word *memory)
{
    np_pram_options options;
    np_pram *pram;
    np_address base;
    np_pram_options_init(&options);
    options.machine = machine->spec;
    options.processors = machine->processors;
    options.slack = machine->slack;
    options.carry_values = machine->carries;
    options.physical = machine->physical;
    options.allotted = machine->allotted;
    options.memory_layout = machine->layout;
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

void oracle_judge_pram(const oracle_pram_machine *machine, np_access_rule rule, uint64_t seed, const oracle_chooser *d)
{
    uint32_t cells = 1 + below(d, below(d, 2) ? CELLS_MOST : 8);
    np_word memory[CELLS_MOST];
    for (uint32_t i = 0; i < cells; i++)
        memory[i] = choose_value(d, 3);
    np_pram *pram = begin(machine, rule, seed, cells, memory);
    oracle_pram oracle = {.rule = rule, .seed = seed, .cells = cells, .memory = memory, .clean = (1 << NP_RULES) - 1};
    for (int i = 0; i < STEPS; i++) {
        play p;
        np_word want[PROCESSORS_MOST], got[PROCESSORS_MOST];
        choose_step(d, cells, &p);
        play_oracle(&oracle, &p, want);
        play_pram(pram, &p, got);
        assert_memory_equal(got, want, p.step.count * sizeof *got);
        compare(&oracle, pram);
    }
    np_pram_free(pram);
}
