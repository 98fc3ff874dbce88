#include "oracle/pram_judge.h"

#include <math.h>

#include "oracle/pram.h"
#include "support.h"

enum { STEPS = 6, PROCESSORS_MOST = 60, CELLS_MOST = 300 };

const oracle_pram_machine oracle_pram_machines[] = {{.spec = "ideal", .processors = 0, .slack = 1},
                                                    {.spec = "ideal", .processors = 1, .slack = 1},
                                                    {.spec = "ideal", .processors = 3, .slack = 1},
                                                    {.spec = "ideal", .processors = 64, .slack = 1},
                                                    {.spec = "leveled:mesh:3x4", .processors = 0, .slack = 1},
                                                    {.spec = "leveled:hypercube:3", .processors = 5, .slack = 2},
                                                    {.spec = "leveled:shuffle-exchange:3", .processors = 0, .slack = 3},
                                                    {.spec = "leveled:fat-tree:2", .processors = 0, .slack = 1},
                                                    {.spec = "leveled:butterfly:3", .processors = 7, .slack = 3},
                                                    {.spec = "two-phase:hypercube:3", .processors = 0, .slack = 2},
                                                    {.spec = "copies:complete:16", .processors = 0, .slack = 0},
                                                    {.spec = "copies:complete:70", .processors = 0, .slack = 1},
                                                    {.spec = "copies:butterfly:3", .processors = 5, .slack = 3},
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

/* Reals of every kind: few, so that writers agree, and such that cancel, overflow, and are no numbers. */
static np_word choose_real(const oracle_chooser *d, uint32_t range)
{
    static const double odd[] = {0.0,
                                 -0.0,
                                 1.0,
                                 INFINITY,
                                 -INFINITY,
                                 NAN,
                                 0x1p-1074,
                                 -0x1p-1022,
                                 0x1.fffffffffffffp1023,
                                 -0x1.fffffffffffffp1023,
                                 0x1p970,
                                 1e16,
                                 -1e16,
                                 0x1p-53,
                                 1e-300};
    const uint32_t odds = sizeof odd / sizeof *odd;
    double real = (1 + below(d, range)) * (below(d, 2) ? 0.1 : -0.3);
    if (range == 1 && below(d, 2))
        return np_word_of_real(1.0);
    if (!below(d, 4))
        real = odd[below(d, odds)];
    else if (!below(d, 4))
        real = ldexp(real, (int)below(d, 2000) - 1000);
    return np_word_of_real(real);
}

/* Few values, so that writers agree now and then, and some that overflow. */
static np_word choose_value(const oracle_chooser *d, np_cell_type type, uint32_t range)
{
    if (type == NP_CELL_REAL)
        return choose_real(d, range);
    if (type == NP_CELL_BOOL)
        return below(d, 10) ? below(d, 2) : 7;
    if (!below(d, 40))
        return below(d, 2) ? INT64_MAX : INT64_MIN;
    return 1 + (np_word)below(d, range) * (below(d, 2) ? 1 : -1);
}

static void choose_step(const oracle_chooser *d, uint32_t cells, const np_cell_type *type, play *p)
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
        p->value[i] = choose_value(d, type[p->from[i]], range);
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

/* Arrays "x", "y" and "z", each of one type: of ints alone, of one type, or of three. */
enum { ARRAYS = 3 };
static const char *const names[ARRAYS] = {"x", "y", "z"};

typedef struct layout {
    np_address base[ARRAYS + 1];
    np_cell_type of[ARRAYS];
    np_cell_type type[CELLS_MOST];
} layout;

static void choose_layout(const oracle_chooser *d, uint32_t cells, layout *l)
{
    const uint32_t first = below(d, 3), all = below(d, 3) ? first : NP_CELL_INT;
    const bool mixed = !below(d, 4);
    l->base[0] = 0;
    l->base[1] = below(d, cells + 1);
    l->base[2] = l->base[1] + below(d, cells + 1 - (uint32_t)l->base[1]);
    l->base[3] = cells;
    for (uint32_t k = 0; k < ARRAYS; k++) {
        l->of[k] = (np_cell_type)(mixed ? (first + k) % 3 : all);
        for (np_address x = l->base[k]; x < l->base[k + 1]; x++)
            l->type[x] = l->of[k];
    }
}

static np_pram *begin(const oracle_pram_machine *machine, np_access_rule rule, uint64_t seed, const layout *l,
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
    for (int k = 0; k < ARRAYS; k++) {
        assert_ok(np_pram_allocate_typed(pram, l->base[k + 1] - l->base[k], names[k], l->of[k], &base));
        assert_int_equal(base, l->base[k]);
    }
    assert_ok(np_pram_put(pram, 0, l->base[ARRAYS], memory));
    return pram;
}

/* The oracle's last violation is among the PRAM's. */
static void compare_violations(const oracle_pram *oracle, const np_pram_report *report, const layout *l)
{
    assert_int_equal(report->violations, oracle->violations);
    assert_int_equal(report->kept, oracle->violations);
    if (!oracle->violations)
        return;
    for (size_t i = 0; i < report->kept; i++) {
        const np_violation *v = &report->violation[i];
        assert_true(v->step < oracle->steps);
        int k = v->address >= l->base[1] ? v->address >= l->base[2] ? 2 : 1 : 0;
        assert_string_equal(v->array, names[k]);
        assert_int_equal(v->offset, v->address - l->base[k]);
        assert_true(v->type == l->of[k] || (v->first_kind == NP_ACCESS_READ && v->second_kind == NP_ACCESS_READ));
        if (v->address == oracle->address && v->first == oracle->first && v->second == oracle->second)
            return;
    }
    fail_msg("processors %u and %u violate the rule at cell %llu", oracle->first, oracle->second,
             (unsigned long long)oracle->address);
}

static void compare(const oracle_pram *oracle, np_pram *pram, const layout *l)
{
    np_word memory[CELLS_MOST];
    np_pram_report report;
    assert_ok(np_pram_get(pram, 0, oracle->cells, memory));
    assert_memory_equal(memory, oracle->memory, oracle->cells * sizeof *memory);
    assert_ok(np_pram_report_get(pram, &report));
    assert_int_equal(report.steps, oracle->steps);
    assert_int_equal(report.work, oracle->work);
    assert_string_equal(np_access_rule_name(report.weakest), np_access_rule_name(oracle_pram_weakest(oracle)));
    compare_violations(oracle, &report, l);
}

static bool is_refused(const oracle_pram *oracle, const play *p)
{
    np_pram_step step = p->step;
    if (p->moves)
        step = (np_pram_step){
            .count = step.count, .address = p->to, .active = step.active, .all = NP_ACCESS_WRITE, .value = step.value};
    return oracle_pram_refuses(oracle, &step);
}

/* The step is refused, and its message says the types. The program is over. */
static void play_refused(np_pram *pram, const play *p)
{
    np_pram_step step = p->step;
    assert_int_equal(p->moves ? np_pram_move(pram, step.count, p->from, p->to, step.active, "a move")
                              : np_pram_access(pram, &step),
                     NP_ERROR_INPUT);
    assert_non_null(strstr(np_last_error(), " does not combine values of type "));
}

/* Steps that are refused are seldom, because they end the program. */
static void choose_any(const oracle_chooser *d, uint32_t cells, const oracle_pram *oracle, play *p)
{
    const bool any = !below(d, 8);
    for (int tries = 0; tries < 20; tries++) {
        choose_step(d, cells, oracle->type, p);
        if (any || !is_refused(oracle, p))
            return;
    }
}

void oracle_judge_pram(const oracle_pram_machine *machine, np_access_rule rule, uint64_t seed, const oracle_chooser *d)
{
    uint32_t cells = 1 + below(d, below(d, 2) ? CELLS_MOST : 8);
    np_word memory[CELLS_MOST];
    layout l;
    choose_layout(d, cells, &l);
    for (uint32_t i = 0; i < cells; i++)
        memory[i] = choose_value(d, l.type[i], 3);
    np_pram *pram = begin(machine, rule, seed, &l, memory);
    oracle_pram oracle = {
        .rule = rule, .seed = seed, .cells = cells, .memory = memory, .type = l.type, .clean = (1 << NP_RULES) - 1};
    for (int i = 0; i < STEPS; i++) {
        play p;
        np_word want[PROCESSORS_MOST], got[PROCESSORS_MOST];
        choose_any(d, cells, &oracle, &p);
        if (is_refused(&oracle, &p)) {
            play_refused(pram, &p);
            break;
        }
        play_oracle(&oracle, &p, want);
        play_pram(pram, &p, got);
        assert_memory_equal(got, want, p.step.count * sizeof *got);
        compare(&oracle, pram, &l);
    }
    np_pram_free(pram);
}
