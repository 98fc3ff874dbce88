/* T and W of the programs that are texts, as their heads and the books state them. */
#include "support.h"

#include "base/real.h"

static np_program_result *run(const char *name, uint64_t n, uint64_t edges)
{
    const np_program_info *info;
    np_pram_options pram;
    np_program_options options;
    np_program_result *result;
    assert_ok(np_program_find(name, &info));
    np_pram_options_init(&pram);
    np_program_options_init(&options);
    pram.rule = info->rule;
    options.n = n;
    options.edges = edges;
    assert_ok(np_program_run(name, &pram, &options, &result));
    assert_true(result->correct);
    assert_int_equal(result->report.violations, 0);
    return result;
}

/* The exact figures of programs whose steps do not depend on their numbers. */
static void exactly(const char *name, uint64_t n, uint64_t steps, uint64_t work)
{
    np_program_result *result = run(name, n, 0);
    if (result->report.steps != steps || result->report.work != work)
        fail_msg("%s of %llu: T = %llu, W = %llu", name, (unsigned long long)n,
                 (unsigned long long)result->report.steps, (unsigned long long)result->report.work);
    np_program_result_free(result);
}

static void test_exact(void **state)
{
    (void)state;
    for (uint64_t log = 2; log <= 10; log++) {
        uint64_t n = UINT64_C(1) << log;
        exactly("prefix-sums", n, 3 * (2 * log - 1), 3 * ((n - 1) + (n - 1 - log))); /* two reads and a write a turn */
        exactly("hillis-steele", n, 3 * log, 3 * (n * log - (n - 1)));
        exactly("histogram", n, 3, 3 * n);
        if (log <= 5)
            exactly("matrix-product", n, 2 * n + 1, 2 * n * n * n + n * n);
        if (log <= 5)
            exactly("matrix-cube", n, 3 * log + 5, (3 + 3) * n * n * n - 3 * n * n + 2 * n * n);
        exactly("life", n, 11 * 4, 11 * 4 * n * n);
    }
}

/* T at most this, whatever the numbers are. */
static void test_at_most(void **state)
{
    (void)state;
    for (uint64_t log = 3; log <= 10; log++) {
        uint64_t n = UINT64_C(1) << log;
        const struct {
            const char *name;
            uint64_t most;
        } cases[] = {{"or", 2},
                     {"maximum", 6},
                     {"list-ranking", 3 + 4 * (log + 1)},
                     {"sort", 2 * log * (log + 1)},
                     {"merge", 2 * (log + 3)},
                     {"merge-sort", log * (log + 1) + 4 * log}};
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            np_program_result *result = run(cases[i].name, n, 0);
            if (result->report.steps > cases[i].most)
                fail_msg("%s of %llu takes %llu steps", cases[i].name, (unsigned long long)n,
                         (unsigned long long)result->report.steps);
            np_program_result_free(result);
        }
    }
}

/* T and W of 1000 numbers (of 32 rows) and seed 1 at most: what the programs took when they were longer. */
static void test_no_more(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint64_t n, steps, work;
    } cases[] = {{"list-ranking-random", 1000, 269, 50814}, {"strassen", 32, 129, 414313},
                 {"quicksort", 1000, 573, 241892},          {"expression", 1000, 177, 42026},
                 {"sample-sort", 1000, 53, 100843},         {"transform", 1000, 42, 22480},
                 {"euler-tour", 1000, 113, 201407},         {"merge", 1000, 24, 23958},
                 {"merge-sort", 1000, 91, 87083},           {"radix-sort", 1000, 106, 37806}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_program_result *result = run(cases[i].name, cases[i].n, 0);
        if (result->report.steps > cases[i].steps || result->report.work > cases[i].work)
            fail_msg("%s: T = %llu, W = %llu", cases[i].name, (unsigned long long)result->report.steps,
                     (unsigned long long)result->report.work);
        np_program_result_free(result);
    }
}

/* ---- The laws of growth ---- */

typedef double law(double n);

static double one(double n)
{
    (void)n;
    return 1;
}

static double logarithm(double n) { return np_log(n) / np_log(2); }
static double log_log(double n) { return logarithm(logarithm(n)); }
static double log_squared(double n) { return logarithm(n) * logarithm(n); }

/* How often the logarithm is taken until 2 is reached. */
static double log_star(double n)
{
    double times = 0;
    for (; n > 2; n = logarithm(n))
        times++;
    return times;
}

static double linear(double n) { return n; }
static double n_log_log(double n) { return n * log_log(n); }
static double n_log(double n) { return n * logarithm(n); }
static double n_log_squared(double n) { return n * log_squared(n); }
static double n_sqrt(double n) { return np_exp(1.5 * np_log(n)); }
static double squared(double n) { return n * n; }
static double cubed(double n) { return n * n * n; }
static double cubed_log(double n) { return cubed(n) * logarithm(n); }
static double strassen(double n) { return np_exp(np_log(7) * logarithm(n)); } /* n^(log 7) */

/* A program, what its head states of T and W, and from which to which logarithm of n it is run. */
typedef struct statement {
    const char *name;
    law *T, *W;
    unsigned from, to;
} statement;

static const statement statements[] = {
    {"or", one, linear, 6, 14},
    {"maximum", one, squared, 4, 9},
    {"maximum-loglog", log_log, n_log_log, 6, 16},
    {"prefix-sums", logarithm, linear, 6, 14},
    {"hillis-steele", logarithm, n_log, 6, 14},
    {"list-ranking", logarithm, n_log, 6, 14},
    {"list-ranking-random", logarithm, linear, 8, 15},
    {"colouring", log_star, linear, 6, 16},
    {"euler-tour", logarithm, n_log, 6, 13},
    {"components", logarithm, n_log, 6, 13},
    {"random-mate", logarithm, n_log, 6, 13},
    {"spanning-forest", log_squared, n_log_squared, 8, 14},
    {"independent-set", logarithm, n_log, 6, 13},
    {"all-pairs", logarithm, cubed_log, 3, 6},
    {"closure", logarithm, cubed_log, 3, 6},
    {"matrix-product", linear, cubed, 2, 6},
    {"matrix-cube", logarithm, cubed, 3, 6},
    {"strassen", logarithm, strassen, 2, 5},
    {"merge", logarithm, n_log, 6, 14},
    {"merge-sort", log_squared, n_log_squared, 6, 12},
    {"sort", log_squared, n_log_squared, 6, 14},
    {"bitonic", log_squared, n_log_squared, 6, 14},
    {"quicksort", logarithm, n_log, 6, 14},
    {"radix-sort", one, linear, 8, 14}, /* of numbers below 10^6: their digits do not grow with n */
    {"sample-sort", logarithm, n_sqrt, 8, 14},
    {"match", one, linear, 6, 14},
    {"fingerprints", one, linear, 6, 14},
    {"hull", one, cubed, 4, 7},
    {"transform", logarithm, n_log, 6, 12},
    {"expression", logarithm, n_log, 7, 15},
};

/* The largest quotient of figure and law over the least one, for all sizes. */
typedef struct spread {
    double least, most;
} spread;

static void add(spread *s, double quotient)
{
    s->least = s->most == 0 || quotient < s->least ? quotient : s->least;
    s->most = quotient > s->most ? quotient : s->most;
}

/* Every program grows as it states: the constants of T and W change by less than a factor. Sanitized: of two sizes. */
static void test_growth(void **state)
{
    static const double factor = 1.75; /* ours: one logarithm more is a factor of 2 or more in most of these ranges */
    (void)state;
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
        const statement *s = &statements[i];
        spread T = {0, 0}, W = {0, 0};
        unsigned by = s->to - s->from > 4 ? 2 : 1;
        for (unsigned k = s->from; k <= SUPPORT_FEWER(s->to, s->from + by); k += by) {
            double n = (double)(UINT64_C(1) << k);
            np_program_result *result = run(s->name, UINT64_C(1) << k, 0);
            add(&T, (double)result->report.steps / s->T(n));
            add(&W, (double)result->report.work / s->W(n));
            np_program_result_free(result);
        }
        if (T.most >= factor * T.least || W.most >= factor * W.least)
            fail_msg("%s: the constant of T is %.2f to %.2f, that of W %.2f to %.2f", s->name, T.least, T.most, W.least,
                     W.most);
    }
}

/* The statements are of all programs of the library that are judged and have such a law. */
static void test_all_are_stated(void **state)
{
    (void)state;
    const np_entry *entry;
    for (size_t i = 0; (entry = np_list_get(NP_LIST_PROGRAMS, i)); i++) {
        bool stated = !strcmp(entry->name, "random-reads") || !strcmp(entry->name, "bfs") ||
                      !strcmp(entry->name, "histogram") || !strcmp(entry->name, "life"); /* exact, or by the graph */
        for (size_t k = 0; k < sizeof statements / sizeof *statements; k++)
            stated |= !strcmp(entry->name, statements[k].name);
        if (!stated)
            fail_msg("%s: nobody says how T and W grow", entry->name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact),  cmocka_unit_test(test_at_most),        cmocka_unit_test(test_no_more),
        cmocka_unit_test(test_growth), cmocka_unit_test(test_all_are_stated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
