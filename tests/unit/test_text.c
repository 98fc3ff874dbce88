/* Lines and fields: what counts as one, and where the messages point. */
#include "support.h"

#include <time.h>

#include "base/decimal.h"
#include "base/memory.h"
#include "base/text.h"

static np_text open_text(const char *data)
{
    np_text text;
    assert_ok(np_text_open(&text, "t", data, strlen(data)));
    return text;
}

/* All lines as "LINE:field,field|". */
static void assert_lines(const char *data, const char *want)
{
    np_text text = open_text(data);
    char got[256] = "";
    size_t at = 0;
    while (np_text_next(&text)) {
        at += (size_t)snprintf(got + at, sizeof got - at, "%d:", (int)text.line);
        for (size_t f = 0; f < text.fields; f++)
            at += (size_t)snprintf(got + at, sizeof got - at, "%s%s", f ? "," : "", np_text_show(&text, f).text);
        at += (size_t)snprintf(got + at, sizeof got - at, "|");
    }
    assert_string_equal(got, want);
    assert_false(np_text_next(&text));
}

static void test_lines(void **state)
{
    (void)state;
    assert_lines("", "");
    assert_lines("\n", "");
    assert_lines("a", "1:a|");
    assert_lines("a b\n\tc  d \n", "1:a,b|2:c,d|");
    assert_lines("a\r\n\r\nb\r\n", "1:a|3:b|");
    assert_lines("#a\n%b\n c#d e\nf%\ng #h\ni %", "3:c#d,e|4:f%|5:g|6:i|");
    assert_lines("a b\rc\r\rd", "1:a,b|2:c|4:d|");
    assert_lines("\xef\xbb\xbf"
                 "a",
                 "1:a|");
    assert_lines("\xef\xbb", "1:\\xef\\xbb|");
    assert_lines("\xef\xbb\xbf", "");
}

/* A limit, because each open parenthesis looks for its end: a line of 200 kB took minutes. */
static void test_depth_of_parentheses(void **state)
{
    (void)state;
    assert_lines("((((((((((((((((a b)))))))))))))))) c", "1:((((((((((((((((a b)))))))))))))))),c|");
    assert_lines("(((((((((((((((((a b c", "1:(((((((((((((((((a,b,c|");
    enum { FIELDS = 200000 };
    char *data = malloc(2 * FIELDS + 1);
    assert_non_null(data);
    for (size_t i = 0; i < FIELDS; i++)
        memcpy(data + 2 * i, "( ", 3);
    np_text text = open_text(data);
    clock_t begin = clock();
    assert_true(np_text_next(&text));
    assert_int_equal(text.fields, FIELDS);
    assert_true(clock() - begin < 2 * CLOCKS_PER_SEC);
    free(data);
}

static void test_line_stays_at_the_last(void **state)
{
    np_text text = open_text("a\n\n# end\n\n");
    (void)state;
    assert_true(np_text_next(&text));
    assert_false(np_text_next(&text));
    assert_int_equal(text.line, 4);
}

static void test_more_fields_than_are_kept(void **state)
{
    np_text text = open_text("1 2 3 4 5 6 7 8\n");
    (void)state;
    assert_true(np_text_next(&text));
    assert_int_equal(text.fields, 8);
    assert_refused(np_text_count(&text, 2, 4, "a b"), NP_ERROR_INPUT, "t:1: 8 fields from '1' on: a line is 'a b'");
}

static void test_numbers(void **state)
{
    np_text text = open_text("0 007 18446744073709551615 18446744073709551616 184467440737095516150 +1\n");
    uint64_t value;
    (void)state;
    assert_true(np_text_next(&text));
    assert_ok(np_text_number(&text, 0, "n", 0, 0, &value));
    assert_int_equal(value, 0);
    assert_ok(np_text_number(&text, 1, "n", 7, 7, &value));
    assert_int_equal(value, 7);
    assert_refused(np_text_number(&text, 1, "n", 8, 9, &value), NP_ERROR_INPUT,
                   "t:1: n 007 is out of range 8..9: the nearest is 8");
    for (size_t field = 3; field < 5; field++)
        assert_refused(np_text_number(&text, field, "n", 0, UINT64_MAX - 1, &value), NP_ERROR_INPUT, "out of range");
    assert_refused(np_text_number(&text, 5, "n", 0, 9, &value), NP_ERROR_INPUT, "n '+1' is not a whole number");
}

static void test_begins(void **state)
{
    np_text text = open_text("%%Word and MORE\nnext\n");
    (void)state;
    assert_false(np_text_begins(&text, "other"));
    assert_true(np_text_begins(&text, "%%word"));
    assert_int_equal(text.fields, 3);
    assert_true(np_text_is(&text, 2, "more"));
    assert_false(np_text_is(&text, 2, "mor"));
    assert_true(np_text_next(&text));
    assert_int_equal(text.line, 2);
    assert_false(np_text_begins(&text, "next"));
}

/* Values of a real matrix that are whole, and those that are not. */
static void test_matrix_values(void **state)
{
    static const struct {
        const char *text;
        uint64_t value;
    } whole[] = {{"0", 0},
                 {"0.0", 0},
                 {"3", 3},
                 {"3.", 3},
                 {".0", 0},
                 {"3.000", 3},
                 {"3e2", 300},
                 {"3E+2", 300},
                 {"0.03e2", 3},
                 {"300e-2", 3},
                 {"+7", 7},
                 {"0e99999", 0},
                 {"1e19", 10000000000000000000u},
                 {"18446744073709551615", UINT64_MAX},
                 {"100000000000000000000000e-23", 1},
                 {"1.0000000000000000000000000", 1},
                 {"0.0000000000000000000000001e25", 1}};
    static const char *const broken[] = {"",
                                         "-",
                                         "+",
                                         ".",
                                         "e1",
                                         "1e",
                                         "1e+",
                                         "1e1.0",
                                         "1..0",
                                         "1.5",
                                         "25e-1",
                                         "-1",
                                         "inf",
                                         "nan",
                                         "0x1",
                                         "1e20",
                                         "18446744073709551616",
                                         "1.00000000000000000000001"};
    uint64_t value = 0;
    (void)state;
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
        assert_true(np_decimal_whole((np_text_field){whole[i].text, strlen(whole[i].text)}, &value));
        assert_true(value == whole[i].value);
    }
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++)
        if (np_decimal_whole((np_text_field){broken[i], strlen(broken[i])}, &value))
            fail_msg("'%s' is read as %llu", broken[i], (unsigned long long)value);
}

/* Each allocation fails in turn: the error is reported, and nothing leaks (under the sanitizer). */
static void test_no_memory(void **state)
{
    char spec[128], *path = support_file("0 1 2 3\n1 0\n");
    np_network *network = support_network("hypercube:2"), *other;
    np_traffic *traffic;
    (void)state;
    snprintf(spec, sizeof spec, "file:%s", path);
    long n = 1;
    for (np_status st = NP_ERROR_MEMORY; st; n++) {
        np_memory_fail_after(n);
        st = np_traffic_create(spec, network, 1, 0, &traffic);
        np_memory_fail_after(0);
        if (st)
            assert_refused(st, NP_ERROR_MEMORY, "no memory for");
    }
    assert_true(n > 6);
    np_traffic_free(traffic);
    remove(path);
    free(path);

    path = support_file("0 1\n1 0\n");
    snprintf(spec, sizeof spec, "file:%s", path);
    n = 1;
    for (np_status st = NP_ERROR_MEMORY; st; n++) {
        np_network_facts facts;
        np_path *paths = NULL;
        np_memory_fail_after(n);
        st = np_network_create(spec, &other);
        if (!st)
            st = np_path_create("all-pairs", other, &paths);
        if (!st)
            st = np_network_measure(other, 1000, &facts);
        if (!st)
            st = np_network_audit(other);
        np_memory_fail_after(0);
        if (st)
            assert_refused(st, NP_ERROR_MEMORY, "no memory for");
        np_path_free(paths);
        np_network_free(other);
    }
    assert_true(n > 20);
    remove(path);
    free(path);
    np_network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_depth_of_parentheses),
        cmocka_unit_test(test_line_stays_at_the_last),
        cmocka_unit_test(test_more_fields_than_are_kept),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_begins),
        cmocka_unit_test(test_matrix_values),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
