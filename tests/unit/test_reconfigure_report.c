/* The report of a reconfigurable array: what the command cannot bring about, and what a table must not print. */
#include "support.h"

#include <unistd.h>

#include "base/memory.h"

static np_reconfigure_result *run(const char *program, const np_reconfigure_options *options)
{
    np_reconfigure_result *result;
    assert_ok(np_reconfigure(program, options, &result));
    return result;
}

/* The report as text; the caller frees it. */
static char *report(const np_reconfigure_result *result, np_report_format format)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    const np_report_options options = {.size = sizeof(np_report_options), .format = format};
    assert_non_null(stream);
    assert_ok(np_report_reconfigure(result, true, &options, stream));
    fclose(stream);
    return text;
}

static void test_control_characters(void **state)
{
    (void)state;
    np_reconfigure_options options;
    np_reconfigure_options_init(&options);
    char *path = support_file("b\tx\n\033[1m\nz\n");
    options.keys = path;
    options.kind = NP_KEYS_TEXT;
    np_reconfigure_result *result = run("sort", &options);
    char *table = report(result, NP_REPORT_TABLE), *json = report(result, NP_REPORT_JSON);
    assert_non_null(strstr(table, "  0  1  \\x1b[1m\n  1  0  b\\x09x\n  2  2  z\n"));
    assert_null(strchr(table, '\033'));
    assert_non_null(strstr(json, "\"sorted\": [\"\\u001B[1m\", \"b\\tx\", \"z\"],"));
    free(table);
    free(json);
    np_reconfigure_result_free(result);
    unlink(path);
    free(path);
}

/* Wrong answers are told, and what was not sorted is not shown as if it were. */
static void test_wrong(void **state)
{
    (void)state;
    np_reconfigure_result *result = run("sort", NULL);
    result->correct = false;
    strcpy(result->wrong, "for a test");
    char *table = report(result, NP_REPORT_TABLE), *json = report(result, NP_REPORT_JSON);
    assert_non_null(strstr(table, "outcome    WRONG: for a test\n"));
    assert_null(strstr(table, "sorted (rank"));
    assert_non_null(strstr(json, "\"correct\": false,"));
    assert_non_null(strstr(json, "\"wrong\": \"for a test\","));
    assert_non_null(strstr(json, "\"sorted\": null,"));
    free(table);
    free(json);
    np_reconfigure_result_free(result);
}

static void test_refusals(void **state)
{
    (void)state;
    const np_report_options csv = {.size = sizeof(np_report_options), .format = NP_REPORT_CSV},
                            table = {.size = sizeof(np_report_options), .format = NP_REPORT_TABLE};
    np_reconfigure_result *result = run("parity", NULL);
    FILE *full = fopen("/dev/full", "w");
    assert_non_null(full);
    assert_refused(np_report_reconfigure(result, false, &table, full), NP_ERROR_IO, "No space left");
    assert_refused(np_report_reconfigure(result, false, &csv, full), NP_ERROR_IO, "No space left");
    fclose(full);
    np_reconfigure_result_free(result);
}

static void refuse(const char *program, const np_reconfigure_options *options, np_status status, const char *why)
{
    np_reconfigure_result *result;
    assert_refused(np_reconfigure(program, options, &result), status, why);
    assert_null(result);
}

/* Options that a program has no use for, or that do not go together. */
static void test_options(void **state)
{
    (void)state;
    np_reconfigure_options options, fresh;
    np_reconfigure_options_init(&fresh);
    refuse("parities", NULL, NP_ERROR_INPUT, "did you mean 'parity'?");
    options = fresh;
    options.bits = "101";
    np_reconfigure_result *result = run("parity", &options);
    assert_true(result->n == 3 && !result->drawn && result->parity == 0);
    np_reconfigure_result_free(result);
    refuse("sort", &options, NP_ERROR_APPLY, "bits is for parity, and not for sort");
    options.seed = 2;
    refuse("parity", &options, NP_ERROR_INPUT, "seed is for bits that are drawn");
    options = fresh;
    options.n = 300;
    refuse("rank", &options, NP_ERROR_LIMIT, "at most 256 keys");
    options = fresh;
    options.kind = NP_KEYS_TEXT;
    refuse("rank", &options, NP_ERROR_INPUT, "kind is for the keys of a file");
    options = fresh;
    options.grid = "3";
    refuse("broadcast", &options, NP_ERROR_INPUT, "grid 3: must be rows x columns");
    options = fresh;
    options.from = "W0,X";
    refuse("broadcast", &options, NP_ERROR_INPUT, "from W0,X: no place of a PU 'X'");
    options = fresh;
    options.settings = "none.txt";
    refuse("broadcast", &options, NP_ERROR_IO, "none.txt");
    options.setting = "NS";
    refuse("broadcast", &options, NP_ERROR_INPUT, "grid and setting are for all switches alike");
}

static void test_no_memory(void **state)
{
    (void)state;
    static const char *const programs[] = {"parity", "rank", "sort", "broadcast"};
    for (size_t i = 0; i < 4; i++)
        for (long n = 1;; n++) {
            np_reconfigure_result *result;
            np_memory_fail_after(n);
            np_status st = np_reconfigure(programs[i], NULL, &result);
            np_memory_fail_after(0);
            if (!st) {
                np_reconfigure_result_free(result);
                break;
            }
            assert_int_equal(st, NP_ERROR_MEMORY);
            assert_null(result);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_control_characters), cmocka_unit_test(test_wrong),
        cmocka_unit_test(test_refusals),           cmocka_unit_test(test_options),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
