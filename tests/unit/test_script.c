/* PRAM programs as text: what is refused and where, what a step is, inputs, options and limits. The language as a whole
 * is held to its definition by tests/prop/test_script_runs.c. */
#include "support.h"

#include "netpram/script.h"

static np_script *compile(const char *text)
{
    np_script *script;
    assert_ok(np_script_create("p.pram", text, strlen(text), NULL, &script));
    return script;
}

typedef struct setting {
    const char *machine, *input, *set;
    uint64_t n, seed;
    uint64_t turns, memory;
    np_access_rule rule; /* 0, which is EREW, is the rule of the text */
} setting;

static np_status run(const np_script *script, const setting *with, np_script_problem *problem, np_script_result **out)
{
    np_pram_options pram;
    np_script_options options;
    np_pram_options_init(&pram);
    np_script_options_init(&options);
    pram.rule = with->rule ? with->rule : np_script_about_get(script).rule;
    if (with->machine)
        pram.machine = with->machine;
    if (with->seed)
        pram.seed = with->seed;
    if (with->turns)
        options.program.turns_max = with->turns;
    options.program.memory_limit = with->memory;
    options.program.n = with->n;
    options.program.input = with->input;
    options.program.set = with->set;
    return np_script_run(script, &pram, &options, problem, out);
}

/* ---- What is refused ---- */

typedef struct refusal {
    const char *text;
    uint32_t line, column;
    const char *message;
} refusal;

static void assert_refusals(const refusal *r)
{
    for (; r->text; r++) {
        np_script_problem problem;
        np_script *script;
        char where[64];
        snprintf(where, sizeof where, "p.pram:%u:%u: ", r->line, r->column);
        assert_int_equal(np_script_create("p.pram", r->text, strlen(r->text), &problem, &script), NP_ERROR_INPUT);
        assert_null(script);
        if (strcmp(problem.message, r->message) || problem.line != r->line || problem.column != r->column)
            fail_msg("%s\n%u:%u: %s", r->text, problem.line, problem.column, problem.message);
        assert_int_equal(strncmp(np_last_error(), where, strlen(where)), 0);
    }
}

static void test_words(void **state)
{
    (void)state;
    static const refusal refusals[] = {
        {"x ? y", 1, 3, "'?' is no sign of the language"},
        {"print \"a", 1, 7, "a text that does not end on its line: write \" behind it"},
        {"var x := 12a", 1, 10, "12a: not a number, and names begin with a letter"},
        {"var x := 9223372036854775808", 1, 10, "9223372036854775808: whole numbers go up to 2^63 - 1"},
        {"\xff\xfev", 1, 1, "byte 255 is no letter of the language: is the text UTF-16? Save it as UTF-8"},
        {"\xef\xbb\xbfvar x := y", 1, 10, "nothing is called 'y' here: did you mean 'n'?"},
        {"var x := \xc3\xa4", 1, 10, "byte 195 is no letter of the language: only comments and texts may have others"},
        {NULL, 0, 0, NULL}};
    assert_refusals(refusals);
}

static void test_syntax(void **state)
{
    (void)state;
    static const refusal refusals[] = {
        {"var x\nif x == 1 then x := 2 end", 2, 6, "equality is written =, and not '=='"},
        {"var x\nif x > 1 && x < 3 then x := 2 end", 2, 10, "of two conditions it is written and, and not '&&'"},
        {"var x\nif x > 1 || x < 3 then x := 2 end", 2, 10, "of two conditions it is written or, and not '||'"},
        {"var x\nx += 1", 2, 3, "adding to x is written x := x + y, and not '+='"},
        {"var x, i\nX := 1", 2, 1, "nothing is called 'X' here: did you mean 'x'?"},
        {"solves sort\ninput x : array of real\noutput x", 1, 8,
         "what solves sort has inputs: array; and not: array of real"},
        {"var x\nx = 1", 2, 1, "assignment is written x := y"},
        {"var x\n// more\nx := 1", 2, 1, "a comment begins with #, and not '//'"},
        {"var x\nx := 1 /* more */", 2, 8, "a comment begins with #, and not '/*'"},
        {"shared a[2] : real, b", 1, 19, "the end of the statement: write shared again for other arrays, and not ','"},
        {"var x\nx <- 1", 2, 1, "assignment is written x := y"},
        {"FOR i in 0 .. 3 do print i end", 1, 1, "'FOR' begins no statement: did you mean 'for'?"},
        {"var x\nWhile (x < 3) do x := 4 end", 2, 1, "'While' begins no statement: did you mean 'while'?"},
        {"if true then print 1\nEnd", 2, 1, "'End' begins no statement: did you mean 'end'?"},
        {"var x\nwhlie x < 3 do x := 4 end", 2, 1, "'whlie' begins no statement: did you mean 'while'?"},
        {"procedure fork()\nprint 1\nend\nfork", 4, 1,
         "'fork' begins no statement: write x := ..., or call a procedure"},
        {"print 1\nTRUE", 2, 1, "'TRUE' begins no statement: write x := ..., or call a procedure"},
        {"Print(3)", 1, 1, "nothing is called 'Print' here: did you mean 'print'?"},
        {"var x : bool\nx := TRUE", 2, 6, "nothing is called 'TRUE' here: did you mean 'true'?"},
        {"var i\ni", 2, 1, "'i' begins no statement: write x := ..., or call a procedure"},
        {"parfor i in 0 .. 3 do print i end", 1, 1,
         "'parfor' begins no statement: write x := ..., or call a procedure"},
        {"for i = 0 to 3 do print i end", 1, 7, "'in', as in: for i in 0 .. n - 1, and not '='"},
        {"var x\nx + 1", 2, 1, "a value that nothing is done with: write x := ..., or call a procedure"},
        {"for i in 0..3 pardo\nprint i", 2, 8, "'end' of the 'for' in line 1, and not the end of the program"},
        {"var x := 1 < 2 < 3", 1, 16, "one comparison at a time: write a < b and b < c, and not '<'"},
        {"var x := (1 + 2", 1, 16, "')', and not the end of the program"},
        {"end", 1, 1, "a statement: no block is open here, and not 'end'"},
        {"var while := 1", 1, 5, "the name of a variable, and not 'while', which is a word of the language"},
        {"for i in 0..3 by 2, j in 0..1 do end", 1, 31, "'pardo': 'do' has one index and no 'where', and not 'do'"},
        {"print 1 where", 1, 14, "a value, and not the end of the program"},
        {"rule crwe", 1, 6,
         "no access rule 'crwe': did you mean 'crew'? there are erew, crew, ercw, crcw-weak, "
         "crcw-common, crcw-tolerant, crcw-collision, crcw-arbitrary, crcw-priority, crcw-add, "
         "crcw-min, crcw-max, crcw-and, crcw-or, crcw-xor"},
        {"input x : tabel", 1, 11,
         "the kind of an input: array, list, tree, graph, digraph, matrix or text, and not 'tabel'"},
        {NULL, 0, 0, NULL}};
    assert_refusals(refusals);
}

static void test_names_and_types(void **state)
{
    (void)state;
    static const refusal refusals[] = {
        {"shared lable[n]\nlabel[0] := 1", 2, 1, "nothing is called 'label' here: did you mean 'lable'?"},
        {"var x\nvar x", 2, 5, "'x' is declared in line 1 already"},
        {"var n", 1, 5, "'n' is the size of the input: take another name"},
        {"var min := 1", 1, 5, "'min' is a function of the language: take another name"},
        {"shared a[n]\na := 1", 2, 1, "'a' is an array: write a[...] for one of its cells"},
        {"shared a[n, n]\na[1] := 1", 2, 1, "1 indices of 'a': it has 2"},
        {"var x := 1.5\nx := true", 2, 6, "the value is of type bool: it must be real"},
        {"for i in 0..3 by 2.5 pardo end", 1, 18, "the step of 'for' is of type real: it must be int"},
        {"print 1 where 2", 1, 15, "the condition of 'where' is of type int: it must be bool"},
        {"var x := sin(true)", 1, 14, "the operand is of type bool: it must be real"},
        {"var x := true + 1", 1, 10, "the operand is of type bool: it must be int or real"},
        {"var x := 1\nfor i in 0..n-1 pardo x := i end", 2, 23,
         "'x' belongs to the processors outside of this pardo, which can only be read here: declare it inside, or as "
         "shared"},
        {"for i in 0..3 do i := 2 end", 1, 18, "'i' cannot be assigned to: it is an index or an option"},
        {"procedure p() end\nvar x := p()", 2, 10, "'p' is a procedure, which has no value: write a function"},
        {"function f(x : int) : int end\n", 1, 10, "the function 'f' never returns a value: write return"},
        {"function f(x : int) : int return x end\nvar y := f(1, 2)", 2, 10, "2 arguments of 'f': it has 1"},
        {"procedure p() for i in 0..1 pardo return end end", 1, 35,
         "'return' inside of a pardo of 'p': its processors are not those that have called it"},
        {"return", 1, 1, "'return' outside of a procedure"},
        {"shared a[n] : real\nprocedure p(b[] : int) end\np(a)", 3, 3,
         "'a' has 1 dimension of real: 'b' of p has 1 of int"},
        {"output nothing", 1, 8,
         "nothing is called 'nothing' here: declare it before, with var, shared, input or option"},
        {NULL, 0, 0, NULL}};
    assert_refusals(refusals);
}

static void assert_fails(const char *text, np_status status, uint32_t line, uint32_t column, const char *message)
{
    np_script *script = compile(text);
    np_script_problem problem;
    np_script_result *result;
    assert_int_equal(run(script, &(setting){.n = 4, .turns = 1000}, &problem, &result), status);
    assert_null(result);
    if (strcmp(problem.message, message) || problem.line != line || problem.column != column)
        fail_msg("%s\n%u:%u: %s", text, problem.line, problem.column, problem.message);
    np_script_free(script);
}

static void test_failures(void **state)
{
    (void)state;
    assert_fails("shared a[n]\nfor i in 0..n pardo\n  a[i] := 1\nend", NP_ERROR_INPUT, 3, 3,
                 "a[i]: index 1 is 4, outside of 0..3, at i = 4 (processor 4, the last one): 4 cells have the indices "
                 "0 .. 3; is '.. n - 1' meant?");
    assert_fails("shared a[1..2, n]\na[1, -1] := 1", NP_ERROR_INPUT, 2, 1,
                 "a[1, -1]: index 2 is -1, outside of 0..3 (processor 0)");
    assert_fails("for i in 0..3 pardo\nvar t := 6 div (2 - i) end", NP_ERROR_INPUT, 2, 10,
                 "6 div (2 - i): division by 0, at i = 2 (processor 2)");
    assert_fails("for i in 0..3 pardo assert i < 2, \"small\" end", NP_ERROR_INPUT, 1, 28,
                 "small: i < 2 does not hold, at i = 2 (processor 2)");
    assert_fails("while true do end", NP_ERROR_LIMIT, 1, 1,
                 "loops and calls have made 1000 turns in all: does this one end? Allow more with turns");
    assert_fails("for i in 0..3 by 0 do end", NP_ERROR_INPUT, 1, 1, "the step of 'for' is 0 (processor 0)");
    assert_fails("shared a[-1]", NP_ERROR_INPUT, 1, 8,
                 "'a' would have less than 0 or more than 2^63 - 1 cells (processor 0)");
    assert_fails("procedure p() a[0] := 1 end\np()\nshared a[n]", NP_ERROR_INPUT, 1, 15,
                 "a[0]: index 0 of an array without cells (processor 0)");
}

static void test_limits(void **state)
{
    (void)state;
    np_script *script = compile("procedure p(x : int)\np(x + 1) end\np(0)");
    np_script_result *result;
    assert_refused(run(script, &(setting){0}, NULL, &result), NP_ERROR_LIMIT,
                   "p.pram:2:1: calls and blocks are more than 3000 deep");
    np_script_free(script);
    script = compile("for i in 0 .. 10 ** 8 pardo\nvar t := i end");
    assert_refused(run(script, &(setting){.memory = 1 << 20}, NULL, &result), NP_ERROR_LIMIT, "registers of a program");
    np_script_free(script);
    char deep[3 * 300];
    memset(deep, '(', sizeof deep - 1);
    memcpy(deep, "var x := ", 9);
    deep[sizeof deep - 1] = '\0';
    assert_refused(np_script_create("p.pram", deep, strlen(deep), NULL, &script), NP_ERROR_LIMIT,
                   "nested more than 200 deep");
    char sum[10000] = "var x := 1"; /* ((1 + 1) + 1) + ... */
    for (size_t at = strlen(sum); at + 2 < sizeof sum; at += 2)
        memcpy(sum + at, "+1", 3);
    assert_refused(np_script_create("p.pram", sum, strlen(sum), NULL, &script), NP_ERROR_LIMIT,
                   "more than 2000 others around it");
}

/* ---- What a step is ---- */

/* The steps T and the work W of a text, with n = 4. */
static void assert_cost(const char *text, uint64_t steps, uint64_t work)
{
    np_script *script = compile(text);
    np_script_result *result;
    assert_ok(run(script, &(setting){.n = 4, .rule = NP_RULE_PRIORITY}, NULL, &result));
    if (result->report.steps != steps || result->report.work != work)
        fail_msg("%s\nT = %u, W = %u", text, (unsigned)result->report.steps, (unsigned)result->report.work);
    np_script_result_free(result);
    np_script_free(script);
}

static void test_steps(void **state)
{
    (void)state;
    static const char *const arrays = "shared a[n], b[n], s\n";
    static const struct {
        const char *text;
        uint64_t steps, work;
    } costs[] = {
        {"for i in 0..n-1 pardo var t := i * i + 1 end", 0, 0},   /* local work is free */
        {"for i in 0..n-1 pardo a[i] := i end", 1, 4},            /* a write is a step of all */
        {"for i in 0..n-1 pardo a[i] := b[i] end", 2, 8},         /* a read and a write */
        {"for i in 0..n-1 pardo a[i] := b[i] + b[i] end", 3, 12}, /* every cell that is named is read */
        {"for i in 0..n-1 pardo a[b[i]] := 1 end", 2, 8},         /* an index, too */
        {"s := 1\nvar x := s", 2, 2},                             /* outside of pardo: one processor */
        {"for i in 0..n-1 pardo if i < 1 then a[i] := 1 else b[i] := 1 end end", 2, 4}, /* one branch, then the other */
        {"for i in 0..n-1 pardo if i < 4 then a[i] := 1 else b[i] := 1 end end", 1, 4}, /* nobody: no step */
        {"for i in 0..n-1 pardo var t := i < 3 and a[i + 1] = 0 end", 1, 3},            /* only those that must ask */
        {"for i in 0..n-1 pardo var t := if i < 1 then a[0] else i end", 1, 1},
        {"for i in 0..n-1 pardo var k := 0; while k < i do a[i] := k\nk := k + 1 end end", 3,
         6}, /* while any goes on */
        {"for i in 0..n-1 where i mod 2 = 0 pardo a[i] := 1 end", 1, 2},
        {"for i in 0..n-1, j in 0..i pardo a[i] := j end", 1, 10}, /* the sum of the ranges */
        {"for i in 1..0 pardo a[0] := 1 end", 0, 0},
        {"for i in 0..n-1 pardo fetch_add(s, i) end", 1, 4},
        {"for i in 0..n-1 pardo shared c[i]\nfor j in 0..i-1 pardo c[j] := 1 end end", 1, 6},
    };
    for (size_t i = 0; i < sizeof costs / sizeof *costs; i++) {
        char text[256];
        snprintf(text, sizeof text, "%s%s", arrays, costs[i].text);
        assert_cost(text, costs[i].steps, costs[i].work);
    }
}

static void test_lines(void **state)
{
    (void)state;
    np_script *script =
        compile("rule erew\nshared a[n]\n# a comment\nfor i in 0..n-1 pardo\n   a[i] := a[i] + 1  \nend\n");
    np_script_result *result;
    assert_ok(run(script, &(setting){.n = 100, .machine = "butterfly:3"}, NULL, &result));
    assert_int_equal(result->lines, 1);
    assert_int_equal(result->line->line, 5);
    assert_string_equal(result->line->source, "a[i] := a[i] + 1");
    assert_int_equal(result->line->steps, 2);
    assert_int_equal(result->line->work, 200);
    assert_int_equal(result->line->network_steps + result->report.initialisation_steps, result->report.network_steps);
    np_script_result_free(result);
    np_script_free(script);
}

static void test_violations(void **state)
{
    (void)state;
    np_script *script = compile("rule crew\nshared a[n]\nfor i in 0..n-1 pardo\n  a[i div 2] := i\nend");
    np_script_result *result;
    assert_ok(run(script, &(setting){.n = 4}, NULL, &result));
    assert_int_equal(result->report.violations, 2);
    const np_violation *v = result->report.violation;
    assert_string_equal(v->label, "4: a[i div 2]");
    assert_string_equal(v->array, "a");
    assert_int_equal(v->offset, 0);
    assert_int_equal(v->first, 0);
    assert_int_equal(v->second, 1);
    np_script_result_free(result);
    np_script_free(script);
}

/* ---- Random numbers, options, inputs ---- */

static void assert_words(const char *text, const setting *with, size_t count, const np_word *expected)
{
    np_script *script = compile(text);
    np_script_result *result;
    assert_ok(run(script, with, NULL, &result));
    assert_int_equal(result->outputs, 1);
    assert_int_equal(result->output->count, count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(result->output->word[i], expected[i]);
    np_script_result_free(result);
    np_script_free(script);
}

static uint64_t checksum(const char *text, uint64_t seed)
{
    np_script *script = compile(text);
    np_script_result *result;
    assert_ok(run(script, &(setting){.n = 600, .seed = seed}, NULL, &result));
    uint64_t sum = result->checksum;
    np_script_result_free(result);
    np_script_free(script);
    return sum;
}

static void test_random(void **state)
{
    (void)state;
    static const char text[] = "shared a[n], b[n]\noutput a, b\nfor k in 0..1 do for i in 0..n-1 pardo\n"
                               "  var t := random(1000)\n  if k = 0 then a[i] := t else b[i] := t end\nend end";
    assert_int_equal(checksum(text, 1), checksum(text, 1));
    assert_true(checksum(text, 1) != checksum(text, 2));
    np_script *script = compile(text);
    np_script_result *result;
    size_t same = 0, again = 0;
    assert_ok(run(script, &(setting){.n = 600}, NULL, &result));
    const np_word *a = result->output[0].word, *b = result->output[1].word;
    for (size_t i = 1; i < 600; i++) { /* each is the same with chance 1/1000: more than 12 of 599 with chance 1e-12 */
        assert_in_range(a[i], 0, 999);
        same += a[i] == a[i - 1];
        again += a[i] == b[i];
    }
    assert_true(same < 13 && again < 13);
    np_script_result_free(result);
    np_script_free(script);
}

static void assert_written(const char *type, uint64_t word, const char *expected)
{
    char text[32];
    np_script_word(type, (np_word)word, text);
    assert_string_equal(text, expected);
}

static void test_written(void **state)
{
    (void)state;
    assert_written("int", (uint64_t)1 << 63, "-9223372036854775808");
    assert_written("bool", 1, "true");
    assert_written("real", UINT64_C(0xbfe0000000000000), "-0.5");
    assert_written("real", UINT64_C(0x7ff8000000000000), "nan"); /* as some processors make it, */
    assert_written("real", UINT64_C(0xfff8000000000000), "nan"); /* and as others do */
}

static void test_options(void **state)
{
    (void)state;
    static const char text[] = "option a : int := -3 \"first\"\noption b : real := 1.5\noption c : bool := true\n"
                               "shared s[3]\noutput s\ns[0] := a\ns[1] := floor(10 * b)\ns[2] := int(c)";
    assert_words(text, &(setting){0}, 3, (np_word[]){-3, 15, 1});
    assert_words(text, &(setting){.set = "c=false,a=7,b=-0.25"}, 3, (np_word[]){7, -3, 0});
    assert_words(text, &(setting){.set = "a=-9223372036854775808"}, 3, (np_word[]){INT64_MIN, 15, 1});
    np_script *script = compile(text);
    np_script_result *result;
    assert_refused(run(script, &(setting){.set = "a=9223372036854775808"}, NULL, &result), NP_ERROR_INPUT,
                   "of type int");
    assert_refused(run(script, &(setting){.set = "d=1"}, NULL, &result), NP_ERROR_INPUT, "declares no such option");
    assert_refused(run(script, &(setting){.set = "a=1.5"}, NULL, &result), NP_ERROR_INPUT, "a value of type int");
    assert_refused(run(script, &(setting){.set = "a"}, NULL, &result), NP_ERROR_INPUT, "write a=VALUE");
    np_script_option option = np_script_option_get(script, 0);
    assert_string_equal(option.name, "a");
    assert_string_equal(option.help, "first");
    assert_string_equal(option.preset, "-3");
    np_script_free(script);
}

static void test_inputs(void **state)
{
    (void)state;
    static const struct {
        const char *text, *file;
        size_t count;
        np_word word[8];
    } inputs[] = {
        {"input x : array\noutput x", "3\n-1\n4\n", 3, {3, -1, 4}},
        {"input x : array of real\nshared y[n]\noutput y\nfor i in 0..n-1 pardo y[i] := floor(2 * x[i]) end",
         "0.5\n-1.25\n",
         2,
         {1, -3}},
        {"input x : text\noutput x", "a b\n", 4, {'a', ' ', 'b', '\n'}},
        {"input a : matrix\noutput a",
         "%%MatrixMarket matrix coordinate integer general\n2 3 2\n1 2 5\n2 3 7\n",
         6,
         {0, 5, 0, 0, 0, 7}},
        {"input G : graph\noutput G.head", "nodes 4\n0 1\n1 2\n", 4, {1, 0, 2, 1}},
        {"input G : graph\noutput G.first", "nodes 4\n0 1\n1 2\n", 5, {0, 1, 3, 4, 4}},
        {"input next : list\noutput next", "1\n2\n2\n", 3, {1, 2, 2}},
        {"input x : array\noutput x", "3, -1\n4,5\n", 4, {3, -1, 4, 5}},
        {"input a : matrix\noutput a", "1 2 3\n4 5 -6\n", 6, {1, 2, 3, 4, 5, -6}},
        {"input G : graph\noutput G.weight", "from to weight\n0 1 5\n1 2 7\n2 1 6\n", 4, {5, 5, 6, 6}},
        {"input G : graph\noutput G.weight",
         "%%MatrixMarket matrix coordinate integer symmetric\n3 3 2\n2 1 4\n3 1 0\n",
         4,
         {4, 0, 4, 0}},
    };
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        char *path = support_file(inputs[i].file);
        assert_words(inputs[i].text, &(setting){.input = path}, inputs[i].count, inputs[i].word);
        remove(path);
        free(path);
    }
    char *path = support_file("1\n3\n2\n");
    np_script *script = compile("input next : list\noutput next");
    np_script_result *result;
    assert_refused(run(script, &(setting){.input = path}, NULL, &result), NP_ERROR_INPUT, "item 1 has 3");
    assert_refused(run(script, &(setting){.input = path, .n = 3}, NULL, &result), NP_ERROR_INPUT, "beside a size");
    np_script_free(script);
    script = compile("var x");
    assert_refused(run(script, &(setting){.input = path}, NULL, &result), NP_ERROR_INPUT, "declares no input");
    np_script_free(script);
    remove(path);
    free(path);
}

static void test_bad_inputs(void **state)
{
    (void)state;
    static const struct {
        const char *text, *file, *message;
    } inputs[] = {
        {"input a : matrix", "1 2 3\n4 5\n", ":2: a row of another length"},
        {"input a : array", "1\nx\n", ":2: number 'x' is not a whole number"},
        {"input a : array of real", "1,,2\n", ":1: '' is no number"},
        {"input a : array", "# none\n", "no numbers"},
        {"input G : graph", "source target weight\n0 1 -x\n", ":2: weight '-x' is no number"},
        {"input G : graph", "0 1 0.5\n", ": the weight 0.5 from 0 to 1 is no whole number"},
    };
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        char *path = support_file(inputs[i].file);
        np_script *script = compile(inputs[i].text);
        np_script_result *result;
        assert_refused(run(script, &(setting){.input = path}, NULL, &result), NP_ERROR_INPUT, inputs[i].message);
        np_script_free(script);
        remove(path);
        free(path);
    }
}

/* A file for each; what has none is drawn. */
static void test_several_inputs(void **state)
{
    (void)state;
    char *a = support_file("1\n2\n"), *b = support_file("7\n8\n9\n"), both[512];
    np_script *script = compile("input a : array\ninput b : array\noutput a, b");
    np_script_result *result;
    snprintf(both, sizeof both, "b=%s,a=%s", b, a);
    assert_words("input a : array\ninput b : array\nshared s[2]\noutput s\ns[0] := a[1]\ns[1] := b[2]",
                 &(setting){.input = both}, 2, (np_word[]){2, 9});
    snprintf(both, sizeof both, "b=%s", b);
    assert_ok(run(script, &(setting){.input = both, .n = 4}, NULL, &result));
    assert_int_equal(result->output[0].count, 4);
    assert_int_equal(result->output[1].word[2], 9);
    np_script_result_free(result);
    snprintf(both, sizeof both, "b=%s,c=%s", b, a);
    assert_refused(run(script, &(setting){.input = both}, NULL, &result), NP_ERROR_INPUT,
                   "input c: p.pram declares 2 inputs");
    assert_refused(run(script, &(setting){.input = a}, NULL, &result), NP_ERROR_INPUT,
                   "write NAME=FILE,NAME=FILE, as a=FILE");
    np_script_free(script);
    remove(a);
    remove(b);
    free(a);
    free(b);
}

/* Lists are one path, trees have smaller parents, graphs both directions of each edge. */
static void test_drawn(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "input next : list\nshared seen[n]\nfor i in 0..n-1 pardo\n if next[i] != i then fetch_add(seen[next[i]], 1) "
        "end\n"
        "end\nshared first\nfor i in 0..n-1 pardo assert seen[i] < 2\nif seen[i] = 0 then fetch_add(first, 1) end end\n"
        "assert first = 1",
        "input p : tree\nassert p[0] = 0\nfor v in 1..n-1 pardo assert p[v] < v end",
        "input G : graph\nassert G.first[G.n] = G.m and G.m > 0\nfor e in 0..G.m-1 pardo\n"
        " assert G.weight[e] >= 1 and G.weight[e] <= 1000\n"
        " var found := false\n for f in G.first[G.head[e]] .. G.first[G.head[e] + 1] - 1 do\n"
        "  if G.head[f] = G.tail[e] then found := G.weight[f] = G.weight[e] end end\n assert found end",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        np_script *script = compile(texts[i]);
        np_script_result *result;
        assert_ok(run(script, &(setting){.n = 50, .rule = NP_RULE_ARBITRARY}, NULL, &result));
        np_script_result_free(result);
        np_script_free(script);
    }
}

/* Arrays of a block are zero each time, although their cells were used before. */
static void test_local_arrays(void **state)
{
    (void)state;
    assert_words("shared s\noutput s\nfor k in 1..3 do\nshared a[5]\nfor i in 0..4 pardo a[i] := a[i] + 1\n"
                 "fetch_max(s, a[i]) end end",
                 &(setting){.rule = NP_RULE_ARBITRARY}, 1, (np_word[]){1});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),           cmocka_unit_test(test_syntax),
        cmocka_unit_test(test_names_and_types), cmocka_unit_test(test_failures),
        cmocka_unit_test(test_limits),          cmocka_unit_test(test_steps),
        cmocka_unit_test(test_lines),           cmocka_unit_test(test_violations),
        cmocka_unit_test(test_random),          cmocka_unit_test(test_written),
        cmocka_unit_test(test_options),         cmocka_unit_test(test_inputs),
        cmocka_unit_test(test_bad_inputs),      cmocka_unit_test(test_several_inputs),
        cmocka_unit_test(test_drawn),           cmocka_unit_test(test_local_arrays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
