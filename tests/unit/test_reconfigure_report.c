/* The report of a reconfigurable array: what the command cannot bring about, and what a table must not print. */
#include "support.h"

#include <unistd.h>

static np_reconfigure_result *sorted(const np_keys *keys)
{
    np_reconfigure_result *result;
    assert_ok(np_reconfigure_sort(np_keys_count(keys), np_keys_words(keys), false, &result));
    return result;
}

/* The report as text; the caller frees it. */
static char *report(const np_reconfigure_result *result, const np_report_reconfigure_input *input,
                    np_report_format format)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    const np_report_options options = {.size = sizeof(np_report_options), .format = format};
    assert_non_null(stream);
    assert_ok(np_report_reconfigure(result, input, &options, stream));
    fclose(stream);
    return text;
}

static void test_control_characters(void **state)
{
    (void)state;
    np_keys *keys;
    char *path = support_file("b\tx\n\033[1m\nz\n");
    assert_ok(np_keys_read(path, NP_KEYS_TEXT, &keys));
    np_reconfigure_result *result = sorted(keys);
    const np_report_reconfigure_input input = {.input = path, .keys = keys, .list = true};
    char *table = report(result, &input, NP_REPORT_TABLE), *json = report(result, &input, NP_REPORT_JSON);
    assert_non_null(strstr(table, "  0  1  ?[1m\n  1  0  b?x\n  2  2  z\n"));
    assert_null(strchr(table, '\033'));
    assert_non_null(strstr(json, "\"sorted\": [\"\\u001B[1m\", \"b\\tx\", \"z\"],"));
    free(table);
    free(json);
    np_reconfigure_result_free(result);
    np_keys_free(keys);
    unlink(path);
    free(path);
}

/* Wrong answers are told, and what was not sorted is not shown as if it were. */
static void test_wrong(void **state)
{
    (void)state;
    const uint64_t key[] = {5, 4};
    const np_report_reconfigure_input input = {.key = key, .list = true};
    np_reconfigure_result *result;
    assert_ok(np_reconfigure_sort(2, key, false, &result));
    result->correct = false;
    strcpy(result->wrong, "for a test");
    char *table = report(result, &input, NP_REPORT_TABLE), *json = report(result, &input, NP_REPORT_JSON);
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
    const uint8_t bit[] = {1};
    const np_report_reconfigure_input input = {0};
    const np_report_options csv = {.size = sizeof(np_report_options), .format = NP_REPORT_CSV},
                            table = {.size = sizeof(np_report_options), .format = NP_REPORT_TABLE};
    np_reconfigure_result *result;
    assert_ok(np_reconfigure_parity(1, bit, false, true, &result));
    FILE *full = fopen("/dev/full", "w");
    assert_non_null(full);
    assert_refused(np_report_reconfigure(result, &input, &table, full), NP_ERROR_IO, "No space left");
    assert_refused(np_report_reconfigure(result, &input, &csv, full), NP_ERROR_IO, "No space left");
    fclose(full);
    np_reconfigure_result_free(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_control_characters),
        cmocka_unit_test(test_wrong),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
