/*
 * The PRAM programs: each with the right answer at sizes that are and are not powers of 2, clean under the weakest
 * rule it claims, not under those below; the same to the bit on every machine; wrong answers are found out.
 */
#include "base/memory.h"
#include "machine/pram/inside.h"
#include "machine/programs/text.h"
#include "machine/script/script.h"
#include "support.h"

static const np_program_info *program_at(size_t i)
{
    const np_program_ops *ops = np_registry_entry(&np_programs, i);
    return &ops->info;
}

static np_access_rule weakest_of(const np_program_info *info)
{
    np_access_rule rule;
    assert_ok(np_access_rule_parse(info->entry.rule, &rule));
    return rule;
}

static np_program_result *run_with(const char *name, const np_pram_options *pram, const np_program_options *options)
{
    np_program_result *result = NULL;
    assert_ok(np_program_run(name, pram, options, &result));
    return result;
}

static np_program_result *run(const char *name, const char *machine, np_access_rule rule, uint64_t n, uint64_t seed)
{
    np_pram_options pram;
    np_program_options options;
    np_pram_options_init(&pram);
    np_program_options_init(&options);
    pram.machine = machine;
    pram.rule = rule;
    pram.seed = seed;
    options.n = n;
    return run_with(name, &pram, &options);
}

static void assert_right(const np_program_result *result)
{
    if (!result->correct)
        fail_msg("%s of %llu on %s, seed %llu: %s", result->program->entry.name, (unsigned long long)result->n,
                 result->report.machine, (unsigned long long)result->seed, result->wrong);
}

/* What a rule asks of a machine, as np_pram_report has it. */
static const np_access_rule strength[] = {NP_RULE_EREW,     NP_RULE_CREW,      NP_RULE_WEAK, NP_RULE_COMMON,
                                          NP_RULE_TOLERANT, NP_RULE_COLLISION, NP_RULE_ERCW, NP_RULE_ARBITRARY};

static size_t strength_of(np_access_rule rule)
{
    size_t i = 0;
    while (strength[i] != rule)
        i++;
    return i;
}

static void assert_clean(const np_program_result *result)
{
    const np_violation *v = result->report.violation;
    assert_right(result);
    if (result->report.violations)
        fail_msg("%s of %llu: step %llu '%s': processors %u and %u at %s[%llu]", result->program->entry.name,
                 (unsigned long long)result->n, (unsigned long long)v->step, v->label, v->first, v->second, v->array,
                 (unsigned long long)v->offset);
    assert_true(strength_of(result->report.weakest) <= strength_of(weakest_of(result->program)));
}

static const uint64_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 9, 16, 31, 32, 33, 100, 127, 128};
enum { SIZES = sizeof sizes / sizeof *sizes };

static void test_clean_under_the_weakest_rule(void **state)
{
    (void)state;
    for (size_t i = 0; np_list_get(NP_LIST_PROGRAMS, i); i++)
        for (size_t k = 0; k < SIZES; k++)
            for (uint64_t seed = 1; seed <= 5; seed++) {
                if (sizes[k] > 40 && program_at(i)->n_max <= 512) /* n^3 processors */
                    continue;
                if (!support_takes(i + k, seed, SUPPORT_FEWER(2, 4)))
                    continue;
                np_program_result *result =
                    run(program_at(i)->entry.name, "ideal", weakest_of(program_at(i)), sizes[k], seed);
                assert_clean(result);
                assert_int_equal(result->n, sizes[k]);
                np_program_result_free(result);
            }
}

static void test_default_rule(void **state)
{
    (void)state;
    for (size_t i = 0; np_list_get(NP_LIST_PROGRAMS, i); i++) {
        np_program_result *result = run(program_at(i)->entry.name, "ideal", program_at(i)->rule, 0, 1);
        assert_clean(result);
        np_program_result_free(result);
    }
}

/* The claim is tight: some input needs that rule, and is a violation under each one below. */
static void test_no_weaker_rule_will_do(void **state)
{
    (void)state;
    for (size_t i = 0; np_list_get(NP_LIST_PROGRAMS, i); i++) {
        const np_program_info *info = program_at(i);
        np_program_result *result = run(info->entry.name, "ideal", weakest_of(info), 64, 1);
        if (result->report.weakest != weakest_of(info))
            fail_msg("%s claims %s and needs %s", info->entry.name, np_access_rule_name(weakest_of(info)),
                     np_access_rule_name(result->report.weakest));
        np_program_result_free(result);
        for (size_t s = 0; s < strength_of(weakest_of(info)) && strength[s] <= NP_RULE_COMMON; s++) {
            np_access_rule rule = strength[s];
            result = run(info->entry.name, "ideal", rule, 64, 1);
            if (!result->report.violations)
                fail_msg("%s is clean under %s", info->entry.name, np_access_rule_name(rule));
            assert_true(result->report.kept > 0);
            np_program_result_free(result);
        }
    }
}

static void test_steps_and_work(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint64_t n, steps, work;
    } cases[] = {
        {"or", 1, 2, 1 + 1},               /* the one number is drawn from {0,1}: seed 3 draws 1 */
        {"maximum", 10, 6, 0},             /* work depends on who loses */
        {"prefix-sums", 8, 3 * 5, 3 * 11}, /* up 4 + 2 + 1 additions, down 1 + 3 */
        {"prefix-sums", 1, 0, 0},
        {"matrix-product", 3, 7, 2 * 27 + 9},
        {"sort", 2, 4, 0},
        {"histogram", 10, 3, 30},
        {"random-reads", 5, 16, 80},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_program_result *result = run(cases[i].name, "ideal", NP_RULE_ARBITRARY, cases[i].n, 3);
        if (result->report.steps != cases[i].steps)
            fail_msg("%s takes %llu steps", cases[i].name, (unsigned long long)result->report.steps);
        if (cases[i].work && result->report.work != cases[i].work)
            fail_msg("%s makes %llu accesses", cases[i].name, (unsigned long long)result->report.work);
        np_program_result_free(result);
    }
}

/* ---- The same on every machine ---- */

static void assert_same(const np_program_result *a, const np_program_result *b)
{
    uint64_t cells = np_store_cells(a->pram->store);
    assert_int_equal(a->checksum, b->checksum);
    assert_int_equal(cells, np_store_cells(b->pram->store));
    assert_memory_equal(np_store_words(a->pram->store), np_store_words(b->pram->store), cells * sizeof(np_word));
    assert_int_equal(a->report.steps, b->report.steps);
    assert_int_equal(a->report.work, b->report.work);
    assert_int_equal(a->report.violations, b->report.violations);
    assert_int_equal(a->report.weakest, b->report.weakest);
}

static void test_same_on_a_butterfly(void **state)
{
    static const char *const machines[] = {"butterfly:2", "butterfly:3", "butterfly:4"};
    static const uint64_t some[] = {1, 3, 16, 21};
    (void)state;
    for (size_t i = 0; np_list_get(NP_LIST_PROGRAMS, i); i++)
        for (size_t k = SUPPORT_FEWER(0, i % 4); k < 4; k += SUPPORT_FEWER(1, 4)) { /* and one machine, sanitized */
            np_program_result *ideal = run(program_at(i)->entry.name, "ideal", program_at(i)->rule, some[k], 7);
            for (size_t m = 0; m < 3; m++) {
                if (SUPPORT_SANITIZED ? i / 4 % 3 != m : !support_takes(i + k, m, 2))
                    continue;
                np_program_result *real = run(program_at(i)->entry.name, machines[m], program_at(i)->rule, some[k], 7);
                assert_right(real);
                assert_same(ideal, real);
                assert_true(!real->report.steps || real->report.network_steps > 0);
                np_program_result_free(real);
            }
            np_program_result_free(ideal);
        }
}

static void test_virtual_processors_and_slack(void **state)
{
    np_pram_options pram;
    np_program_options options;
    (void)state;
    np_pram_options_init(&pram);
    np_program_options_init(&options);
    options.n = 100;
    np_program_result *ideal = run("components", "ideal", pram.rule, 100, 1);
    pram.machine = "butterfly:3";
    uint64_t before = UINT64_MAX;
    for (uint32_t slack = 1; slack <= 16; slack *= 4) { /* fewer, larger batches take less time */
        pram.slack = slack;
        np_program_result *real = run_with("components", &pram, &options);
        assert_right(real);
        assert_same(ideal, real);
        assert_true(real->report.network_steps < before);
        before = real->report.network_steps;
        np_program_result_free(real);
    }
    pram.machine = "ideal";
    pram.slack = 1;
    pram.processors = 7;
    np_program_result *few = run_with("components", &pram, &options);
    assert_same(ideal, few);
    np_program_result_free(few);
    np_program_result_free(ideal);
}

/* One request a processor unless told otherwise; with slack h, h. */
static void test_random_reads_fill_a_batch(void **state)
{
    np_pram_options pram;
    np_program_options options;
    (void)state;
    np_pram_options_init(&pram);
    np_program_options_init(&options);
    pram.machine = "butterfly:3";
    pram.slack = 4;
    options.steps = 2;
    np_program_result *result = run_with("random-reads", &pram, &options);
    assert_int_equal(result->n, 4 * result->report.processors);
    assert_int_equal(result->report.steps, 2);
    assert_int_equal(result->report.work, 2 * result->n);
    np_program_result_free(result);
}

/* ---- Wrong answers ---- */

/* A text whose answer is a real; one that solves what it says at all places but the last; one with too few outputs. */
static void test_a_wrong_answer_is_found_out(void **state)
{
    static const char wrong[] = "solves prefix-sums\ninput x : array below 1\noutput x\nx[n - 1] := x[n - 1] + 1\n";
    static const char few[] = "solves prefix-sums\ninput x : array\noutput s\nshared s\n";
    static const char real[] = "solves maximum\ninput x : array below 1\noutput m\nshared m : real\n";
    static const struct {
        const char *text, *says;
        size_t length;
    } cases[] = {{real, "m is of type real, and not int", sizeof real - 1},
                 {wrong, "x[4] is 1, and not 0", sizeof wrong - 1},
                 {few, "the outputs have 1 words, and not 5", sizeof few - 1}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_program_ops ops = {.info = {.entry = {.name = "wrong"}, .input = NP_INPUT_NUMBERS, .n_max = 100}};
        np_pram_options pram;
        np_program_options options;
        np_program_result *result;
        ops.text = cases[i].text;
        ops.length = cases[i].length;
        np_pram_options_init(&pram);
        np_program_options_init(&options);
        options.n = 5;
        assert_ok(np_program_run_ops(&ops, &pram, &options, &result));
        assert_false(result->correct);
        assert_string_equal(result->wrong, cases[i].says);
        np_program_result_free(result);
    }
}

/* The text, and behind it a change of the first or the last word of an output. Free with free. */
static char *spoil(const np_program_ops *ops, const np_symbol *output, bool last)
{
    char *text = malloc(ops->length + 256), *at = text + ops->length;
    const char *name = output->name, *more = output->type == NP_TYPE_REAL ? "1.0" : "1";
    assert_non_null(text);
    memcpy(text, ops->text, ops->length);
    at += sprintf(at, "\n%s", name);
    for (unsigned d = 1; d <= output->rank; d++)
        at += last ? sprintf(at, "%slength(%s, %u) - 1", d == 1 ? "[" : ", ", name, d)
                   : sprintf(at, "%s0", d == 1 ? "[" : ", ");
    if (output->type == NP_TYPE_BOOL)
        sprintf(at, "%s := false\n", output->rank ? "]" : "");
    else
        sprintf(at, "%s := 3 * %.*s%s + %s\n", output->rank ? "]" : "", (int)(at - text - (long)ops->length - 1),
                text + ops->length + 1, output->rank ? "]" : "", more);
    return text;
}

/* The judges find one wrong word, the first and the last of each output. */
static void test_wrong_words(void **state)
{
    (void)state;
    for (size_t i = 0; np_list_get(NP_LIST_PROGRAMS, i); i++) {
        const np_program_ops *ops = np_registry_entry(&np_programs, i);
        np_script *script;
        if (!ops->text)
            continue;
        assert_ok(np_program_text_compile(ops, &script));
        const np_syntax *syntax = np_script_syntax(script);
        for (unsigned k = 0; k < 2 * syntax->outputs; k++) {
            np_program_ops wrong = *ops;
            char *text = spoil(ops, syntax->output[k / 2].symbol, k % 2);
            np_pram_options pram;
            np_program_options options;
            np_pram_options_init(&pram);
            np_program_options_init(&options);
            wrong.text = text;
            wrong.length = strlen(text);
            options.n = 20;
            np_program_result *result = NULL;
            assert_ok(np_program_run_ops(&wrong, &pram, &options, &result));
            if (result->correct)
                fail_msg("%s: nobody notices: %s", ops->info.entry.name, text + ops->length);
            assert_true(*result->wrong);
            np_program_result_free(result);
            free(text);
        }
        np_script_free(script);
    }
}

/* What the build has read in a text is what the text says. */
static void test_descriptors_of_texts(void **state)
{
    size_t texts = 0;
    (void)state;
    for (size_t i = 0; np_list_get(NP_LIST_PROGRAMS, i); i++) {
        const np_program_ops *ops = np_registry_entry(&np_programs, i);
        np_script *script;
        if (!ops->text)
            continue;
        assert_ok(np_program_text_compile(ops, &script));
        np_script_about about = np_script_about_get(script);
        assert_string_equal(about.about, ops->info.entry.help);
        assert_string_equal(about.source, ops->info.entry.source);
        assert_string_equal(np_access_rule_name(about.rule), ops->info.entry.rule);
        assert_int_equal(about.rule, ops->info.rule);
        assert_int_equal(ops->info.input == NP_INPUT_GRAPH, !strcmp(about.input, "graph"));
        assert_int_equal(ops->info.input == NP_INPUT_NONE, !*about.input);
        assert_true(*about.solves);
        np_script_free(script);
        size_t lines = 0;
        for (size_t k = 0; k < ops->length; k++)
            lines += ops->text[k] == '\n';
        if (lines > 60)
            fail_msg("%s has %zu lines", ops->info.entry.name, lines);
        texts++;
    }
    assert_true(texts > 10);
}

/* Where concurrent writes change nothing there is no violation, but nobody loses, nothing is reached or hooked. */
static void test_a_rule_that_breaks_programs(void **state)
{
    static const char *const broken[] = {"or", "maximum", "components", "bfs"};
    (void)state;
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        np_program_result *result = run(broken[i], "ideal", NP_RULE_TOLERANT, 64, 1);
        assert_int_equal(result->report.violations, 0);
        assert_false(result->correct);
        np_program_result_free(result);
    }
}

/* ---- Files ---- */

/* Runs a program on a file, or on one for each of its two inputs. */
static np_status try_files(const char *name, const char *const input[2], const char *const contents[2],
                           np_program_result **result)
{
    const np_program_info *info;
    np_pram_options pram;
    np_program_options options;
    char *path[2] = {support_file(contents[0]), contents[1] ? support_file(contents[1]) : NULL}, both[512];
    assert_ok(np_program_find(name, &info));
    np_pram_options_init(&pram);
    np_program_options_init(&options);
    pram.rule = weakest_of(info);
    options.input = path[0];
    if (path[1]) {
        snprintf(both, sizeof both, "%s=%s,%s=%s", input[0], path[0], input[1], path[1]);
        options.input = both;
    }
    np_status st = np_program_run(name, &pram, &options, result);
    for (size_t i = 0; i < 2; i++)
        if (path[i]) {
            remove(path[i]);
            free(path[i]);
        }
    return st;
}

static np_program_result *run_files(const char *name, const char *const input[2], const char *const contents[2])
{
    np_program_result *result;
    assert_ok(try_files(name, input, contents, &result));
    assert_clean(result);
    return result;
}

static np_program_result *run_file(const char *name, const char *contents)
{
    return run_files(name, NULL, (const char *const[]){contents, NULL});
}

static void refuse_file(const char *name, const char *contents, const char *text)
{
    np_program_result *result;
    assert_refused(try_files(name, NULL, (const char *const[]){contents, NULL}, &result), NP_ERROR_INPUT, text);
    assert_null(result);
}

static void test_numbers_from_a_file(void **state)
{
    (void)state;
    np_program_result *result = run_file("maximum", "# temperatures\n-7\n-3\n-12\n");
    assert_int_equal(result->value, -3);
    assert_int_equal(result->n, 3);
    np_program_result_free(result);
    np_program_result_free(run_file("sort", "3\n-1\n-9223372036854775807\n9223372036854775807\n0\n"));
    static const char *const names[] = {"a", "b"};
    np_program_result_free(run_files("merge", names, (const char *const[]){"-1\n5\n5\n", "0\n5\n"}));
    assert_refused(try_files("merge", names, (const char *const[]){"1\n5\n", "3\n2\n"}, &result), NP_ERROR_INPUT,
                   "number 1 is 2 after 3: they must be in order");
    np_program_result_free(run_file("histogram", "-1\n-16\n-17\n15\n"));
    np_program_result_free(run_file("prefix-sums", "9223372036854775807\n9223372036854775807\n-5\n"));
    static const char *const matrices[] = {"A", "B"};
    np_program_result_free(run_files("matrix-product", matrices, (const char *const[]){"1 2\n3 4\n", "5 6\n7 8\n"}));
    assert_refused(try_files("matrix-product", matrices, (const char *const[]){"1 2\n3 4\n", "5 6 7\n"}, &result),
                   NP_ERROR_INPUT, "A and B are square, and of the same size");
    refuse_file("or", "", "no numbers: write one a line");
    refuse_file("or", "1\n2 x\n", ":2: ");
    refuse_file("or", "1\n\n--2\n", ":3: ");
    refuse_file("or", "9223372036854775808\n", ":1: ");
}

static void test_lists_from_a_file(void **state)
{
    (void)state;
    np_program_result_free(run_file("list-ranking", "1\n2\n2\n"));
    np_program_result_free(run_file("list-ranking", "0\n0\n2\n2\n3\n")); /* 1 -> 0 and 4 -> 3 -> 2 */
    refuse_file("list-ranking", "1\n3\n", "item 1 has 3: the items are 0..1");
    refuse_file("list-ranking", "2\n2\n2\n", "items 0 and 1 have the same successor, 2");
    refuse_file("list-ranking", "1\n0\n2\n", "2 items go round in circles");
}

/*
 *   0 - 1   3 - 4      6
 *    \ /    |
 *     2     5
 */
static const char graph_file[] = "nodes 7\n0 1\n1 2\n2 0\n0 1\n4 3\n3 3\n3 5\n";

static void test_graphs_from_a_file(void **state)
{
    (void)state;
    np_program_result *result = run_file("components", graph_file);
    assert_string_equal(result->words, "3 components of 7 vertices, 5 edges");
    assert_int_equal(result->count, 3);
    np_program_result_free(result);
    result = run_file("bfs", graph_file);
    assert_string_equal(result->words, "3 of 7 vertices reached, the farthest over 1 edges");
    assert_int_equal(result->count, 3);
    np_program_result_free(result);
    result = run_file("components", "%%MatrixMarket matrix coordinate pattern symmetric\n4 4 2\n2 1\n4 3\n");
    assert_string_equal(result->words, "2 components of 4 vertices, 2 edges");
    np_program_result_free(result);
    np_program_result_free(run_file("euler-tour", "2 0\n2 1\n3 2\n4 3\n"));
    refuse_file("euler-tour", graph_file, "no tree: only 3 of its 7 nodes are connected with node 0");
    refuse_file("euler-tour", "0 1\n1 2\n2 0\n", "no tree: 3 edges join its 3 nodes, and not 2");
    refuse_file("bfs", "nodes x\n0 1\n", ":1: "); /* names of nodes are taken, counts of a name are not */
}

/* A path of 40 vertices in an order that keeps hooking far away, and a star. */
static void test_awkward_graphs(void **state)
{
    char text[4096], *end = text;
    (void)state;
    for (int v = 0; v < 40; v++)
        end += sprintf(end, "%d %d\n", v * 17 % 41, (v + 1) * 17 % 41);
    np_program_result *result = run_file("components", text);
    assert_string_equal(result->words, "1 component of 41 vertices, 40 edges");
    np_program_result_free(result);
    np_program_result_free(run_file("bfs", text));
    np_program_result_free(run_file("euler-tour", text));
    for (end = text; end < text + 200;)
        end += sprintf(end, "30 %d\n", (int)(end - text) % 60);
    np_program_result_free(run_file("components", text));
}

/* A way of 4096 vertices, whose leaf is 7: raking alone would take a round for each vertex. Known: sums and maxima of
 * one child. */
static void test_ways_are_compressed(void **state)
{
    enum { N = 4096 };
    static const char *const input[] = {"p", "x"};
    char *parents = malloc(N * 6), *numbers = malloc(N * 3), *end = parents, *last = numbers;
    np_program_result *result;
    (void)state;
    for (int v = 0; v < N; v++) {
        end += sprintf(end, "%d\n", v ? v - 1 : 0);
        last += sprintf(last, "%d\n", v == N - 1 ? 7 : 99);
    }
    assert_ok(try_files("expression", input, (const char *const[]){parents, numbers}, &result));
    assert_right(result);
    assert_int_equal(result->value, 7);
    assert_true(result->report.steps <= 30 * 12);
    np_program_result_free(result);
    free(parents);
    free(numbers);
}

/*
 * A star with the largest number in its middle. If the largest of those who write wins, hooking to smaller vertices
 * alone would take a round for each vertex; stagnant trees, which hook to any, finish it at once.
 */
static void test_stagnant_trees_hook(void **state)
{
    char text[4096], *end = text;
    np_pram_options pram;
    np_program_options options;
    (void)state;
    for (int v = 0; v < 100; v++)
        end += sprintf(end, "100 %d\n", v);
    char *path = support_file(text);
    np_pram_options_init(&pram);
    np_program_options_init(&options);
    pram.rule = NP_RULE_MAX;
    options.input = path;
    np_program_result *result = run_with("components", &pram, &options);
    assert_right(result);
    assert_true(result->report.steps <= 3 + 4 * 22); /* loading, then 4 rounds */
    np_program_result_free(result);
    remove(path);
    free(path);
}

static void test_options_that_do_not_fit(void **state)
{
    np_pram_options pram;
    np_program_options options;
    np_program_result *result;
    (void)state;
    np_pram_options_init(&pram);
    np_program_options_init(&options);
    assert_refused(np_program_run("prefix-sum", &pram, &options, &result), NP_ERROR_INPUT,
                   "no program 'prefix-sum': did you mean 'prefix-sums'?");
    options.steps = 3;
    assert_refused(np_program_run("or", &pram, &options, &result), NP_ERROR_INPUT, "steps 3: or takes as many");
    np_program_options_init(&options);
    options.edges = 3;
    assert_refused(np_program_run("euler-tour", &pram, &options, &result), NP_ERROR_INPUT, "edges 3: euler-tour");
    np_program_options_init(&options);
    options.n = 4097;
    assert_refused(np_program_run("maximum", &pram, &options, &result), NP_ERROR_LIMIT,
                   "maximum of 4097 numbers: at most 4096");
    options.n = 3;
    options.input = "numbers";
    assert_refused(np_program_run("or", &pram, &options, &result), NP_ERROR_INPUT, "input numbers beside a size");
    options.n = 0;
    assert_refused(np_program_run("random-reads", &pram, &options, &result), NP_ERROR_INPUT, "reads no file");
    assert_refused(np_program_run("or", &pram, &options, &result), NP_ERROR_IO, "numbers");
}

static int cancel(void *context, const np_progress *progress)
{
    (void)context, (void)progress;
    return 1;
}

static void test_cancelled(void **state)
{
    np_pram_options pram;
    np_program_options options;
    np_program_result *result;
    (void)state;
    np_pram_options_init(&pram);
    np_program_options_init(&options);
    options.steps = 2000000;
    options.n = 1;
    pram.watch.tell = cancel;
    assert_int_equal(np_program_run("random-reads", &pram, &options, &result), NP_ERROR_CANCELLED);
    assert_null(result);
    np_program_result_free(NULL);
}

/* Each allocation fails in turn: an error, and nothing is lost. */
static void test_without_memory(void **state)
{
    static const char *const machines[] = {"ideal", "butterfly:2"};
    (void)state;
    for (size_t i = 0; np_list_get(NP_LIST_PROGRAMS, i); i++)
        for (size_t m = 0; m < 2; m++) {
            np_pram_options pram;
            np_program_options options;
            np_program_result *result = NULL;
            np_pram_options_init(&pram);
            np_program_options_init(&options);
            pram.machine = machines[m];
            options.n = 3;
            np_status st = NP_ERROR_MEMORY;
            for (long n = 1; st; n++) {
                np_memory_fail_after(n);
                st = np_program_run(program_at(i)->entry.name, &pram, &options, &result);
                np_memory_fail_after(0);
                assert_true(st == NP_OK || st == NP_ERROR_MEMORY);
                assert_true(n < 1000 && !result == (st != NP_OK));
            }
            assert_right(result);
            np_program_result_free(result);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clean_under_the_weakest_rule),
        cmocka_unit_test(test_default_rule),
        cmocka_unit_test(test_no_weaker_rule_will_do),
        cmocka_unit_test(test_steps_and_work),
        cmocka_unit_test(test_same_on_a_butterfly),
        cmocka_unit_test(test_virtual_processors_and_slack),
        cmocka_unit_test(test_random_reads_fill_a_batch),
        cmocka_unit_test(test_a_wrong_answer_is_found_out),
        cmocka_unit_test(test_wrong_words),
        cmocka_unit_test(test_descriptors_of_texts),
        cmocka_unit_test(test_a_rule_that_breaks_programs),
        cmocka_unit_test(test_numbers_from_a_file),
        cmocka_unit_test(test_lists_from_a_file),
        cmocka_unit_test(test_graphs_from_a_file),
        cmocka_unit_test(test_awkward_graphs),
        cmocka_unit_test(test_ways_are_compressed),
        cmocka_unit_test(test_stagnant_trees_hook),
        cmocka_unit_test(test_options_that_do_not_fit),
        cmocka_unit_test(test_cancelled),
        cmocka_unit_test(test_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
