/* Inputs of PRAM programs from memory: the same as from files, to the last figure; and what is refused. */
#include "support.h"

#include "netpram/script.h"

enum { MOST = 3 };

static np_status run_on(const char *text, size_t count, const np_script_data *data, const char *file, uint64_t n,
                        np_script **script, np_script_result **out)
{
    np_pram_options pram;
    np_script_options options;
    np_pram_options_init(&pram);
    np_script_options_init(&options);
    assert_ok(np_script_create("p.pram", text, strlen(text), NULL, script));
    pram.rule = np_script_about_get(*script).rule;
    options.program.input = file;
    options.program.n = n;
    options.data_count = count;
    options.data = data;
    return np_script_run(*script, &pram, &options, NULL, out);
}

/* The outputs of a run on data are those of a run on a file of the same content. */
static void assert_same(const char *text, const np_script_data *data, const char *content)
{
    char *path = support_file(content);
    np_script *script[2];
    np_script_result *result[2];
    assert_ok(run_on(text, 1, data, NULL, 0, &script[0], &result[0]));
    assert_ok(run_on(text, 0, NULL, path, 0, &script[1], &result[1]));
    assert_int_equal(result[0]->n, result[1]->n);
    assert_int_equal(result[0]->checksum, result[1]->checksum);
    assert_int_equal(result[0]->report.steps, result[1]->report.steps);
    assert_int_equal(result[0]->output->count, result[1]->output->count);
    for (size_t i = 0; i < result[0]->output->count; i++)
        assert_int_equal(result[0]->output->word[i], result[1]->output->word[i]);
    for (int i = 0; i < 2; i++) {
        np_script_result_free(result[i]);
        np_script_free(script[i]);
    }
    remove(path);
    free(path);
}

static void test_words(void **state)
{
    (void)state;
    const np_word numbers[] = {3, -1, 4, 1, -5, 9}, next[] = {1, 2, 2}, letters[] = {'a', ' ', 'b', '\n'};
    const double reals[] = {0.5, -1.25};
    np_word bits[2];
    memcpy(bits, reals, sizeof bits);
    assert_same("input x : array\noutput x", &(np_script_data){.count = 6, .word = numbers}, "3 -1 4 1 -5 9");
    assert_same("input x : array\noutput x", &(np_script_data){.input = "x", .count = 6, .word = numbers},
                "3 -1 4 1 -5 9");
    assert_same("input x : array of real\noutput x", &(np_script_data){.count = 2, .word = bits}, "0.5 -1.25");
    assert_same("input x : text\noutput x", &(np_script_data){.count = 4, .word = letters}, "a b\n");
    assert_same("input s : list\noutput s", &(np_script_data){.count = 3, .word = next}, "1\n2\n2\n");
    assert_same("input a : matrix\noutput a", &(np_script_data){.count = 6, .rows = 2, .word = numbers},
                "3 -1 4\n1 -5 9\n");
}

/* 0 - 1 - 2   3, with 1 - 2 twice and a loop at 0 */
static void test_graphs(void **state)
{
    (void)state;
    const np_node tail[] = {0, 1, 2, 0}, head[] = {1, 2, 1, 0};
    const uint32_t weight[] = {5, 7, 6, 1};
    np_script_data graph = {.count = 4, .rows = 4, .tail = tail, .head = head};
    assert_same("input G : graph\noutput G.head", &graph, "nodes 4\n0 1\n1 2\n2 1\n0 0\n");
    assert_same("input G : graph\noutput G.first", &graph, "nodes 4\n0 1\n1 2\n2 1\n0 0\n");
    assert_same("input G : graph\noutput G.weight", &graph, "nodes 4\n0 1\n1 2\n2 1\n0 0\n");
    graph.weight = weight;
    graph.rows = 3;
    assert_same("input G : graph\noutput G.weight", &graph, "0 1 5\n1 2 7\n2 1 6\n0 0 1\n");
}

/* A program of the library says of data what it says of a file. Of two inputs, the one that is not given is drawn. */
static void test_library_and_two_inputs(void **state)
{
    (void)state;
    const np_word numbers[] = {3, -1, 4, 1, -5, 9};
    const np_script_data data = {.count = 6, .word = numbers};
    np_pram_options pram;
    np_script_options options;
    np_program_result *result;
    np_pram_options_init(&pram);
    np_script_options_init(&options);
    options.data_count = 1;
    options.data = &data;
    assert_ok(np_program_run_script("prefix-sums", &pram, &options, &result));
    assert_true(result->correct);
    assert_int_equal(result->n, 6);
    assert_int_equal(result->answer[5], 11);
    np_program_result_free(result);
    assert_refused(np_program_run_script("random-reads", &pram, &options, &result), NP_ERROR_INPUT, "is in C");
    assert_null(result);

    np_script *script;
    np_script_result *both;
    const np_script_data second = {.input = "y", .count = 6, .word = numbers};
    assert_ok(run_on("input x : array\ninput y : array\noutput y, x", 1, &second, NULL, 4, &script, &both));
    assert_int_equal(both->output[0].count, 6);
    assert_int_equal(both->output[0].word[4], -5);
    assert_int_equal(both->output[1].count, 4);
    np_script_result_free(both);
    np_script_free(script);
}

static void test_refusals(void **state)
{
    (void)state;
    static const np_word word[] = {1, 3, 2};
    static const np_node end[] = {0, 1, 9};
    static const struct {
        const char *text;
        size_t count;
        np_script_data data[MOST];
        const char *file;
        uint64_t n;
        const char *reason;
    } cases[] = {
        {"input x : array", 1, {{.input = "z", .count = 3, .word = word}}, NULL, 0, "none of this name, but 'x'"},
        {"input x : array\ninput y : array", 1, {{.count = 3, .word = word}}, NULL, 0, "without the name"},
        {"var x", 1, {{.count = 3, .word = word}}, NULL, 0, "declares no input"},
        {"input x : array", 2, {{.count = 3, .word = word}, {.input = "x"}}, NULL, 0, "given twice"},
        {"input x : array", 1, {{.count = 3, .word = word}}, "/nowhere", 0, "a file and data"},
        {"input x : array", 1, {{.count = 3, .word = word}}, NULL, 3, "beside a size"},
        {"input x : array", 1, {{.count = 3, .tail = end, .head = end}}, NULL, 0, "of words (array)"},
        {"input a : matrix", 1, {{.count = 3, .rows = 2, .word = word}}, NULL, 0, "no matrix of 2 rows"},
        {"input a : matrix", 1, {{.count = 3, .word = word}}, NULL, 0, "no matrix of 0 rows"},
        {"input G : graph", 1, {{.count = 3, .rows = 3, .word = word}}, NULL, 0, "tails and heads"},
        {"input G : graph", 1, {{.count = 3, .rows = 3, .tail = end, .head = end}}, NULL, 0, "edge 2 is from 9 to 9"},
        {"input G : graph", 1, {{.rows = SIZE_MAX}}, NULL, 0, "vertices: at most"},
        {"input s : list", 1, {{.count = 3, .word = word}}, NULL, 0, "s: item 1 has 3"},
        {"input x : array sorted", 1, {{.count = 3, .word = word}}, NULL, 0, "x: "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_script *script;
        np_script_result *result;
        np_status st =
            run_on(cases[i].text, cases[i].count, cases[i].data, cases[i].file, cases[i].n, &script, &result);
        assert_int_not_equal(st, NP_OK);
        if (!strstr(np_last_error(), cases[i].reason))
            fail_msg("%s: %s", cases[i].reason, np_last_error());
        assert_null(result);
        np_script_free(script);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_graphs),
        cmocka_unit_test(test_library_and_two_inputs),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
