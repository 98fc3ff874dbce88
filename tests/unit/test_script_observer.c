/*
 * Who watches a program's text: what can be named at a step, in calls and levels; names of cells; which steps are
 * wanted; ends and failures. tests/oracle/script_judge.c judges accesses and values of every step.
 */
#include "support.h"

#include "netpram/script.h"

typedef struct seen {
    uint32_t line; /* the step that is looked at: the first of this line */
    uint64_t only; /* the step that is wanted; UINT64_MAX: all */
    size_t steps;  /* told */
    bool looked, cancels;
    char text[512]; /* what was found */
    size_t ends;
    np_status status;
} seen;

static void note(seen *s, const char *text)
{
    size_t used = strlen(s->text);
    snprintf(s->text + used, sizeof s->text - used, "%s%s", used ? "; " : "", text);
}

/* "G.n = 3", or "a[0..1, -1..1] at 5". */
static void note_name(seen *s, const np_script_step *step, size_t i, size_t processor)
{
    np_script_name name = np_script_name_get(step, i);
    char word[32], text[160];
    int at = snprintf(text, sizeof text, "%s", name.name);
    if (!name.shared) {
        np_script_word(name.type, np_script_value_get(step, i, processor), word);
        snprintf(text + at, sizeof text - (size_t)at, " = %s", word);
    } else {
        np_script_array array = np_script_array_get(step, i, processor);
        for (uint8_t d = 0; d < array.rank; d++)
            at += snprintf(text + at, sizeof text - (size_t)at, "%s%lld..%lld", d ? ", " : "[", (long long)array.low[d],
                           (long long)(array.low[d] + array.extent[d] - 1));
        snprintf(text + at, sizeof text - (size_t)at, "%s of %llu", array.rank ? "]" : "",
                 (unsigned long long)array.cells);
    }
    note(s, text);
}

static bool wants(void *context, uint64_t step, uint32_t line)
{
    const seen *s = context;
    assert_true(line > 0);
    return s->only == UINT64_MAX || s->only == step;
}

static int look(void *context, const np_script_step *step)
{
    seen *s = context;
    char cell[NP_SCRIPT_CELL];
    s->steps++;
    if (step->line != s->line || s->looked)
        return s->cancels;
    s->looked = true;
    for (size_t i = 0; i < np_script_names(step); i++)
        note_name(s, step, i, step->count - 1);
    np_script_cell_name(step, step->count - 1, cell);
    note(s, cell);
    for (size_t i = 0; i < np_script_calls(step); i++) {
        np_script_call call = np_script_call_get(step, i);
        snprintf(cell, sizeof cell, "%s from %u", call.procedure, call.line);
        note(s, cell);
    }
    return s->cancels;
}

static int end(void *context, const np_script_step *state, np_status status)
{
    seen *s = context;
    size_t i;
    s->ends++;
    s->status = status;
    assert_int_equal(state->count, 0);
    assert_int_equal(state->line, 0);
    if (np_script_name_find(state, "last", &i))
        note_name(s, state, i, 0);
    return 0;
}

static np_status watch(const char *text, seen *s)
{
    const np_script_observer observer = {.wants = wants, .step = look, .end = end, .context = s};
    np_pram_options pram;
    np_script_options options;
    np_script_result *result;
    np_script *script;
    np_pram_options_init(&pram);
    np_script_options_init(&options);
    options.program.n = 3;
    options.observer = &observer;
    assert_ok(np_script_create("p.pram", text, strlen(text), NULL, &script));
    np_status st = np_script_run(script, &pram, &options, NULL, &result);
    np_script_result_free(result);
    np_script_free(script);
    return st;
}

/* Inner names first, of the last processor; what a block has declared before is gone, what comes later is not there. */
static void test_names(void **state)
{
    (void)state;
    seen s = {.line = 6, .only = UINT64_MAX};
    assert_ok(watch("rule crcw-arbitrary\nshared a[2, -1..1]\nvar last := 7\nif last > 0 then var gone := 1\n end\n"
                    "for i in 1..n, j in 0..i pardo var t := i * 10 + j\n a[j mod 2, 0] := t\n end\nvar later := 1\n",
                    &s));
    assert_int_equal(s.looked, false); /* line 6 makes no access */
    s = (seen){.line = 7, .only = UINT64_MAX};
    assert_ok(watch("rule crcw-arbitrary\nshared a[2, -1..1]\nvar last := 7\nif last > 0 then var gone := 1\n end\n"
                    "for i in 1..n, j in 0..i pardo var t := i * 10 + j\n a[j mod 2, 0] := t\n end\nvar later := 1\n",
                    &s));
    assert_string_equal(s.text, "t = 33; j = 3; i = 3; last = 7; a[0..1, -1..1] of 6; n = 3; a[1, 0]; last = 7");
}

/* A procedure has its own names, and those of the program; its arrays have the names that the program gave them. */
static void test_calls(void **state)
{
    (void)state;
    seen s = {.line = 3, .only = UINT64_MAX};
    assert_ok(watch("procedure set(c[] : int, at : int)\n shared own[5..6]\n c[at] := own[5] + at\nend\n"
                    "procedure twice(c[] : int, k : int)\n set(c, k)\nend\n"
                    "shared x[n], y[n]\nvar last := true\nfor i in 0..n-1 pardo twice(y, i) end\n",
                    &s));
    assert_string_equal(s.text, "own[5..6] of 2; at = 2; c[0..2] of 3; last = true; y[0..2] of 3; x[0..2] of 3; n = 3; "
                                "own[5]; set from 6; twice from 10; last = true");
}

static void test_wanted(void **state)
{
    (void)state;
    seen s = {.line = 3, .only = 2};
    assert_ok(watch("shared last\nfor k in 1..5 do\n last := k\nend\n", &s));
    assert_int_equal(s.steps, 1);
    assert_int_equal(s.ends, 1);
    assert_string_equal(s.text, "k = 3; last of 1; n = 3; last; last of 1");
}

static void test_ends(void **state)
{
    (void)state;
    seen s = {.only = UINT64_MAX, .cancels = true};
    assert_int_equal(watch("shared last\nlast := 1\nlast := 2\n", &s), NP_ERROR_CANCELLED);
    assert_int_equal(s.steps, 1);
    assert_int_equal(s.ends, 0);
    s = (seen){.only = UINT64_MAX};
    assert_int_equal(watch("shared a[1]\nvar last := 3\na[0] := 1\na[last] := 2\n", &s), NP_ERROR_INPUT);
    assert_non_null(strstr(np_last_error(), "p.pram:4:"));
    assert_int_equal(s.steps, 1);
    assert_int_equal(s.ends, 1);
    assert_int_equal(s.status, NP_ERROR_INPUT);
    assert_string_equal(s.text, "last = 3");
}

/* ---- Expressions ---- */

/* y[i] := EXPRESSION: what each processor writes is what the expression is said to be at this step. */
static int hold_to_values(void *context, const np_script_step *step)
{
    const char *text = context;
    np_script_expression *e;
    np_word word;
    if (step->kind != NP_ACCESS_WRITE || strncmp(step->text, "y[", 2) != 0)
        return 0;
    assert_ok(np_script_expression_create(step, text, &e));
    assert_string_equal(np_script_expression_type(e), step->type);
    for (size_t i = 0; i < step->count; i++)
        if (!step->on || step->on[i]) {
            assert_ok(np_script_expression_value(e, step, i, &word));
            assert_int_equal(word, step->value[i]);
        }
    np_script_expression_free(e);
    return 0;
}

static void test_expressions(void **state)
{
    (void)state;
    static const char *const of[][2] = {
        {"int", "a[i] + 2 * t - i div 3"},
        {"int", "if i mod 2 = 0 and a[i] > t then a[a[i] mod n] else b[i mod 2, -1]"},
        {"int", "length(b, 2) + (i << 3 | 5) ^ ~t"},
        {"int", "min(a[i], 5) ** 2 + max(i, t) - abs(-i) + log2(i + 1) + ceil_log2(n)"},
        {"real", "(q + i) ** (i / 2.0 - 1) + 2 ** q - q ** 2 ** (-1.0)"},
        {"bool", "not (i < 3) or a[i] != t xor i >= 2"},
        {"real", "q / 3 + real(i) * sqrt(q) - sin(i) + exp(q) * log(q + 1)"},
        {"bool", "i = n - 1 or a[i + 1] >= 0"},
        {"int", "floor(q * 10.0) + int(q)"},
    };
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        char text[400];
        const np_script_observer observer = {.step = hold_to_values, .context = (void *)of[k][1]};
        np_script *script;
        np_pram_options pram;
        np_script_options options;
        np_script_result *result;
        snprintf(text, sizeof text,
                 "input a : array\nshared y[n] : %s\nshared b[0..1, -1..1]\nb[1, -1] := 7\nvar q := 0.75\n"
                 "for i in 0..n-1 pardo\nvar t := 3 * i - 4\ny[i] := %s\nend\n",
                 of[k][0], of[k][1]);
        assert_ok(np_script_create("p.pram", text, strlen(text), NULL, &script));
        np_pram_options_init(&pram);
        np_script_options_init(&options);
        options.program.n = 9;
        options.observer = &observer;
        assert_ok(np_script_run(script, &pram, &options, NULL, &result));
        np_script_result_free(result);
        np_script_free(script);
    }
}

/* What is no expression, and what has no value. */
static int refuse_expressions(void *context, const np_script_step *step)
{
    static const char *const wrong[] = {"",     "a",       "a[0",       "a[0] := 1", "x + 1",        "a[0] + true",
                                        "f(1)", "a[0], 1", "a[0] a[1]", "\"text\"",  "for i in 0..1"};
    static const char *const none[] = {"a[n]",    "a[-1]",    "1 div (a[0] - a[0])", "random(3)", "fetch_add(a[0], 1)",
                                       "a[a[n]]", "2 ** (-1)"};
    np_script_expression *e;
    np_word word;
    (void)context;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(np_script_expression_create(step, wrong[i], &e), NP_ERROR_INPUT);
        assert_null(e);
    }
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        assert_ok(np_script_expression_create(step, none[i], &e));
        assert_int_equal(np_script_expression_value(e, step, 0, &word), NP_ERROR_INPUT);
        np_script_expression_free(e);
    }
    return 0;
}

static void test_refused_expressions(void **state)
{
    (void)state;
    static const char text[] = "input a : array\nfunction f(x : int) : int return x end\na[0] := f(1)\n";
    const np_script_observer observer = {.step = refuse_expressions};
    np_script *script;
    np_pram_options pram;
    np_script_options options;
    np_script_result *result;
    assert_ok(np_script_create("p.pram", text, strlen(text), NULL, &script));
    np_pram_options_init(&pram);
    np_script_options_init(&options);
    options.program.n = 4;
    options.observer = &observer;
    assert_ok(np_script_run(script, &pram, &options, NULL, &result));
    assert_int_equal(result->report.steps, 1); /* expressions make no step */
    np_script_result_free(result);
    np_script_free(script);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names), cmocka_unit_test(test_calls),       cmocka_unit_test(test_wanted),
        cmocka_unit_test(test_ends),  cmocka_unit_test(test_expressions), cmocka_unit_test(test_refused_expressions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
