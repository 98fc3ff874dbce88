/*
 * Who watches the steps of a PRAM (np_pram_options.on_step) can replay the program from what is told alone: values that
 * are read and fetched are those of the memory that the told writes and fetches make, and so are the outputs.
 */
#include "support.h"

#include "netpram/script.h"

enum { CELLS = 4096 };

typedef struct replay {
    np_word cell[CELLS];
    uint64_t steps, accesses, network_steps, violations;
    uint64_t stop; /* cancel in this step; UINT64_MAX: never */
} replay;

static bool is_active(const np_pram_step *step, size_t i) { return !step->active || step->active[i]; }

static np_access_kind kind_of(const np_pram_step *step, size_t i)
{
    return step->kind ? (np_access_kind)step->kind[i] : step->all;
}

/* Reads see the memory before the step; writes take effect after all, and of several the lowest processor's. */
static int follow(void *context, const np_pram_seen *seen)
{
    replay *r = context;
    const np_pram_step *step = seen->access;
    for (size_t i = 0; i < step->count; i++) {
        np_address at = step->address[i];
        if (!is_active(step, i))
            continue;
        r->accesses++;
        assert_true(at < CELLS);
        if (kind_of(step, i) == NP_ACCESS_READ)
            assert_int_equal(step->value[i], r->cell[at]);
        if (kind_of(step, i) != NP_ACCESS_FETCH)
            continue;
        assert_int_equal(step->op, NP_FETCH_ADD);
        assert_int_equal(step->value[i], r->cell[at]);
        r->cell[at] += seen->operand[i];
    }
    for (size_t i = step->count; i-- > 0;)
        if (is_active(step, i) && kind_of(step, i) == NP_ACCESS_WRITE)
            r->cell[step->address[i]] = step->value[i];
    assert_true(seen->step == r->steps || (seen->step + 1 == r->steps && step->all == NP_ACCESS_WRITE));
    r->steps = seen->step + 1;
    r->network_steps += seen->network_steps;
    r->violations += seen->violations;
    return seen->step == r->stop;
}

static np_status run(const char *text, np_access_rule rule, const char *machine, replay *r, np_script **script,
                     np_script_result **out)
{
    np_pram_options pram;
    np_script_options options;
    np_pram_options_init(&pram);
    np_script_options_init(&options);
    assert_ok(np_script_create("p.pram", text, strlen(text), NULL, script));
    pram.rule = rule;
    pram.machine = machine;
    pram.on_step = follow;
    pram.on_step_context = r;
    options.program.n = 40;
    return np_script_run(*script, &pram, &options, NULL, out);
}

static const char busy[] = "shared a[n], b[n], c\n"
                           "output a\noutput b\n"
                           "for i in 0 .. n - 1 pardo\n"
                           "  a[i] := fetch_add(c, i)\n"
                           "  if i mod 3 = 1 then b[i div 2] := i + 7 end\n"
                           "  b[i] := a[n - 1 - i] + b[i]\n"
                           "  a[i div 4] := b[i]\n"
                           "end\n";

static void replay_on(const char *machine)
{
    static replay r;
    np_script *script;
    np_script_result *result;
    memset(&r, 0, sizeof r);
    r.stop = UINT64_MAX;
    assert_ok(run(busy, NP_RULE_PRIORITY, machine, &r, &script, &result));
    assert_int_equal(r.steps, result->report.steps);
    assert_int_equal(r.accesses, result->report.work);
    assert_int_equal(r.violations, result->report.violations);
    assert_true(r.network_steps <= result->report.network_steps);
    assert_true(strcmp(machine, "ideal") ? r.network_steps > 0 : !r.network_steps);
    assert_memory_equal(r.cell, result->output[0].word, 40 * sizeof *r.cell); /* the first arrays of the memory */
    assert_memory_equal(r.cell + 40, result->output[1].word, 40 * sizeof *r.cell);
    np_script_result_free(result);
    np_script_free(script);
}

static void test_replay(void **state)
{
    (void)state;
    replay_on("ideal");
    replay_on("butterfly:3");
    replay_on("two-phase:hypercube:3");
}

static void test_violations(void **state)
{
    static replay r;
    np_script *script;
    np_script_result *result;
    (void)state;
    r.stop = UINT64_MAX;
    assert_ok(run(busy, NP_RULE_CREW, "ideal", &r, &script, &result));
    assert_true(r.violations && r.violations == result->report.violations);
    np_script_result_free(result);
    np_script_free(script);
}

static void test_cancel(void **state)
{
    static replay r;
    np_script *script;
    np_script_result *result;
    (void)state;
    r.stop = 2;
    assert_refused(run(busy, NP_RULE_PRIORITY, "ideal", &r, &script, &result), NP_ERROR_CANCELLED, "PRAM step 2");
    assert_int_equal(r.steps, 3);
    np_script_free(script);
}

/* np_pram_move tells of its reads, then of its writes, as one step. */
static void test_move(void **state)
{
    static replay r;
    const np_address from[] = {0, 1, 2}, to[] = {1, 2, 0};
    const np_word value[] = {5, 6, 7};
    np_pram_options options;
    np_pram *pram;
    np_address base;
    const char *array;
    uint64_t offset;
    (void)state;
    r.stop = UINT64_MAX;
    np_pram_options_init(&options);
    options.on_step = follow;
    options.on_step_context = &r;
    assert_ok(np_pram_create(&options, &pram));
    assert_ok(np_pram_allocate(pram, 3, "x", &base));
    assert_ok(np_pram_allocate(pram, 2, "y", &base));
    assert_ok(np_pram_write(pram, 3, from, NULL, value, "w"));
    assert_ok(np_pram_move(pram, 3, from, to, NULL, "m"));
    assert_int_equal(r.steps, 2);
    assert_int_equal(r.accesses, 9);
    assert_int_equal(r.cell[0], 7);
    np_pram_cell(pram, 4, &array, &offset);
    assert_string_equal(array, "y");
    assert_int_equal(offset, 1);
    np_pram_free(pram);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_replay), cmocka_unit_test(test_violations),
                                       cmocka_unit_test(test_cancel), cmocka_unit_test(test_move)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
