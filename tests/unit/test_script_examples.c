/* The PRAM programs of examples/: their answers, by sequential code, and the machines on which they have them. */
#include "support.h"

#include "base/random.h"
#include "netpram/script.h"

/* Runs an example on a file with these numbers, or on drawn input of size n. */
static np_script_result *run(const char *name, const char *machine, const char *input, uint64_t n, np_script **script)
{
    char path[512];
    np_pram_options pram;
    np_script_options options;
    np_script_result *result;
    snprintf(path, sizeof path, "../examples/%s.pram", name); /* tests run in tests/ */
    assert_ok(np_script_read(path, NULL, script));
    np_pram_options_init(&pram);
    np_script_options_init(&options);
    pram.rule = np_script_about_get(*script).rule;
    pram.machine = machine;
    options.program.n = n;
    options.program.edges = n + n / 2;
    options.program.input = input;
    assert_ok(np_script_run(*script, &pram, &options, NULL, &result));
    assert_int_equal(result->report.violations, 0);
    return result;
}

static void end(np_script_result *result, np_script *script)
{
    np_script_result_free(result);
    np_script_free(script);
}

enum { N = 77 };

/* N numbers from -50 to 49. */
static char *number_file(np_word *number)
{
    char text[N * 8], *at = text;
    const np_draws draws = {.seed = 9, .purpose = NP_RANDOM_CHECK};
    for (uint32_t i = 0; i < N; i++) {
        number[i] = (np_word)np_random_below(&draws, i, 0, 100) - 50;
        at += sprintf(at, "%d\n", (int)number[i]);
    }
    return support_file(text);
}

static int by_value(const void *a, const void *b)
{
    np_word x = *(const np_word *)a, y = *(const np_word *)b;
    return (x > y) - (x < y);
}

static void test_numbers(void **state)
{
    (void)state;
    np_word number[N], sums[N], sorted[N], count[16] = {0};
    char *path = number_file(number);
    np_script *script;
    for (size_t i = 0; i < N; i++) {
        sums[i] = number[i] + (i ? sums[i - 1] : 0);
        sorted[i] = number[i];
        count[(number[i] + 160) % 16]++;
    }
    qsort(sorted, N, sizeof *sorted, by_value);
    const struct {
        const char *name;
        size_t words;
        const np_word *word;
    } expected[] = {{"prefix", N, sums},
                    {"scan", N, sums},
                    {"sort", N, sorted},
                    {"maximum", 1, &sorted[N - 1]},
                    {"histogram", 16, count}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        np_script_result *result = run(expected[i].name, i % 2 ? "butterfly:4" : "ideal", path, 0, &script);
        assert_int_equal(result->output->count, expected[i].words);
        assert_memory_equal(result->output->word, expected[i].word, expected[i].words * sizeof(np_word));
        end(result, script);
    }
    remove(path);
    free(path);
}

/* T and W as the textbook states them. */
static void test_costs(void **state)
{
    (void)state;
    np_script *script;
    for (uint64_t log = 3; log <= 10; log++) {
        uint64_t n = UINT64_C(1) << log;
        np_script_result *result = run("prefix", "ideal", NULL, n, &script);
        assert_int_equal(result->report.steps, 3 * (2 * log - 1)); /* a turn reads twice and writes once */
        assert_int_equal(result->report.work, 3 * ((n - 1) + (n - 1 - log)));
        end(result, script);
        result = run("scan", "ideal", NULL, n, &script);
        assert_int_equal(result->report.steps, 3 * log);
        assert_int_equal(result->report.work, 3 * (n * log - (n - 1)));
        end(result, script);
        result = run("maximum", "ideal", NULL, n, &script);
        assert_true(result->report.steps <= 8); /* however large n is */
        end(result, script);
        result = run("sort", "ideal", NULL, n, &script);
        /* log levels; each merges with a search of at most log + 1 reads, and three copies */
        assert_true(result->report.steps <= log * (log + 1) + 4 * log);
        end(result, script);
    }
}

static np_word root(const np_word *parent, np_word v)
{
    while (parent[v] != v)
        v = parent[v];
    return v;
}

static void test_components(void **state)
{
    (void)state;
    np_script *script;
    char *path = support_file("nodes 9\n0 1\n5 1\n2 3\n3 4\n4 2\n7 8\n");
    static const np_word component[] = {0, 0, 2, 2, 2, 0, 6, 7, 7};
    np_script_result *result = run("components", "butterfly:3", path, 0, &script);
    const np_word *D = result->output->word;
    for (size_t u = 0; u < 9; u++)
        for (size_t v = 0; v < 9; v++)
            assert_int_equal(root(D, (np_word)u) == root(D, (np_word)v), component[u] == component[v]);
    end(result, script);
    result = run("bfs", "ideal", path, 0, &script);
    static const np_word distance[] = {0, 1, -1, -1, -1, 2, -1, -1, -1};
    assert_memory_equal(result->output->word, distance, sizeof distance);
    end(result, script);
    remove(path);
    free(path);
}

static void test_others(void **state)
{
    (void)state;
    np_script *script;
    char *path = support_file("3\n0\n2\n4\n2\n"); /* 1, 0, 3, 4, 2 */
    np_script_result *result = run("list-ranking", "ideal", path, 0, &script);
    static const np_word rank[] = {3, 4, 0, 2, 1};
    assert_memory_equal(result->output->word, rank, sizeof rank);
    end(result, script);
    remove(path);
    free(path);
    path = support_file("%%MatrixMarket matrix coordinate integer general\n3 3 4\n1 2 2\n2 3 3\n3 1 5\n1 1 1\n");
    result = run("matrix", "ideal", path, 0, &script); /* (1 2 0; 0 0 3; 5 0 0) squared */
    static const np_word square[] = {1, 2, 6, 15, 0, 0, 5, 10, 0};
    assert_memory_equal(result->output->word, square, sizeof square);
    end(result, script);
    remove(path);
    free(path);
}

enum { SIDE = 16, GENERATIONS = 4 };

/* One generation more, cell by cell. */
static void live(np_word *cell)
{
    np_word next[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; i++) {
        np_word around = 0;
        for (int k = 0; k < 9; k++) {
            int row = (i / SIDE + k / 3 - 1 + SIDE) % SIDE, column = (i % SIDE + k % 3 - 1 + SIDE) % SIDE;
            around += k == 4 ? 0 : cell[row * SIDE + column];
        }
        next[i] = around == 3 || (around == 2 && cell[i]);
    }
    memcpy(cell, next, sizeof next);
}

static void test_life(void **state)
{
    (void)state;
    np_script *script;
    np_word first[SIDE * SIDE];
    assert_ok(np_script_read("../examples/life.pram", NULL, &script));
    for (int steps = 0; steps <= GENERATIONS; steps++) {
        char set[32];
        np_pram_options pram;
        np_script_options options;
        np_script_result *result;
        np_pram_options_init(&pram);
        np_script_options_init(&options);
        snprintf(set, sizeof set, "steps=%d", steps);
        options.set = set;
        assert_ok(np_script_run(script, &pram, &options, NULL, &result));
        const np_word *cell = result->output[1].word;
        if (!steps)
            memcpy(first, cell, sizeof first);
        else
            live(first);
        assert_memory_equal(cell, first, sizeof first);
        np_word alive = 0;
        for (int i = 0; i < SIDE * SIDE; i++)
            alive += first[i];
        assert_int_equal(*result->output[0].word, alive);
        assert_true(alive > 0);
        np_script_result_free(result);
    }
    np_script_free(script);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers), cmocka_unit_test(test_costs), cmocka_unit_test(test_components),
        cmocka_unit_test(test_others),  cmocka_unit_test(test_life),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
