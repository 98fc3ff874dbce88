/* Keys: words that compare as the lines do, whatever these are; what is refused; orders. */
#include <math.h>
#include <unistd.h>

#include "support.h"

#include "base/memory.h"
#include "work/sort/keys.h"

/* Takes a copy, as the keys own their text. */
static np_status parse(const char *text, np_key_kind kind, np_keys **out)
{
    size_t length = strlen(text);
    char *data;
    assert_ok(np_memory_array(&data, length + 1, 1, "a text"));
    memcpy(data, text, length);
    return np_keys_parse("k", data, length, kind, out);
}

static np_keys *keys_of(const char *text, np_key_kind kind)
{
    np_keys *keys;
    assert_ok(parse(text, kind, &keys));
    return keys;
}

static void assert_kind(const char *text, np_key_kind want, size_t count)
{
    np_keys *keys = keys_of(text, NP_KEYS_AUTO);
    assert_int_equal(np_keys_kind(keys), want);
    assert_int_equal(np_keys_count(keys), count);
    np_keys_free(keys);
}

static void test_kinds(void **state)
{
    (void)state;
    assert_kind("1\n-2\n+03\n", NP_KEYS_INTEGERS, 3);
    assert_kind("\n1\n \t\r\n 2 \n\n", NP_KEYS_INTEGERS, 2); /* lines of spaces are no numbers */
    assert_kind("1\n2.5", NP_KEYS_FLOATS, 2);
    assert_kind("1.\n.5\n-1e3\n1.5E-07\n+2e+2\n", NP_KEYS_FLOATS, 5);
    assert_kind("1\n-inf\nInfinity\n", NP_KEYS_FLOATS, 3);
    assert_kind("1\n2\nx\n", NP_KEYS_TEXT, 3);
    assert_kind("a\n\nb\n", NP_KEYS_TEXT, 3); /* empty lines are text */
    assert_kind("\n\n", NP_KEYS_TEXT, 2);
    assert_kind("\xef\xbb\xbf"
                "7\n8",
                NP_KEYS_INTEGERS, 2);
    static const char *const texts[] = {".",   "-",   "+",     "e5",   "1e",  "1e+", "0x10",
                                        "1 2", "--1", "1.2.3", "1e5.", ".e1", "-+1", "1,5"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_kind(texts[i], NP_KEYS_TEXT, 1);
    assert_string_equal(np_keys_kind_name(NP_KEYS_AUTO), "auto");
    assert_string_equal(np_keys_kind_name(NP_KEYS_TEXT), "text");
    assert_null(np_keys_kind_name((np_key_kind)4));
}

/* The lines are in ascending order; '=' at a line's beginning: it is equal to the one before. */
static void assert_ascending(const char *const *line, size_t lines, np_key_kind kind)
{
    char text[1024] = "";
    for (size_t i = 0; i < lines; i++) {
        strcat(text, line[i] + (*line[i] == '='));
        strcat(text, "\n");
    }
    np_keys *keys = keys_of(text, kind);
    const uint64_t *word = np_keys_words(keys);
    assert_int_equal(np_keys_count(keys), lines);
    for (size_t i = 1; i < lines; i++) {
        if (*line[i] == '=')
            assert_true(word[i - 1] == word[i]);
        else if (word[i - 1] >= word[i])
            fail_msg("'%s' is not below '%s'", line[i - 1], line[i]);
    }
    np_keys_free(keys);
}

static void test_order_of_words(void **state)
{
    (void)state;
    static const char *const integers[] = {
        "-9223372036854775808", "-9223372036854775807", "-10", "-9", "-1", "0", "=-0", "=+00", "1", "9", "10",
        "9223372036854775807"};
    static const char *const naturals[] = {"0", "9223372036854775807", "9223372036854775808", "18446744073709551614",
                                           "18446744073709551615"};
    static const char *const floats[] = {"-inf",
                                         "-1.7976931348623157e308",
                                         "-1e3",
                                         "=-1000",
                                         "-10",
                                         "-9",
                                         "-0.5",
                                         "-4.9406564584124654e-324",
                                         "-0",
                                         "0",
                                         "=1e-999",
                                         "4.9406564584124654e-324",
                                         "0.1",
                                         "0.2",
                                         "0.30000000000000004",
                                         "=.30000000000000004",
                                         "9",
                                         "1e1",
                                         "1.7976931348623157e308",
                                         "infinity"};
    static const char *const text[] = {"",          "\t",       " ", "!",        "10",        "9",
                                       "A",         "Aa",       "a", "abcdefgh", "abcdefgh!", "=abcdefgh!",
                                       "abcdefghi", "abcdefgi", "b", "\xc3\xa9", "\xff"};
    assert_ascending(integers, sizeof integers / sizeof *integers, NP_KEYS_AUTO);
    assert_ascending(naturals, sizeof naturals / sizeof *naturals, NP_KEYS_INTEGERS);
    assert_ascending(floats, sizeof floats / sizeof *floats, NP_KEYS_FLOATS);
    assert_ascending(text, sizeof text / sizeof *text, NP_KEYS_AUTO);
    static const char *const returned[] = {"a", "=a\r", "a\t", "ab\r", "=ab"}; /* CRLF is no part of the key */
    assert_ascending(returned, sizeof returned / sizeof *returned, NP_KEYS_TEXT);
}

/* Against strtod: any two finite numbers. */
static void test_floats_compare(void **state)
{
    (void)state;
    uint64_t bits[64];
    assert_ok(np_keys_make("random", 64, 5, 0, bits));
    for (size_t i = 0; i + 1 < 64; i++) {
        char text[128];
        double x, y;
        memcpy(&x, &bits[i], sizeof x);
        memcpy(&y, &bits[i + 1], sizeof y);
        if (!isfinite(x) || !isfinite(y))
            continue;
        snprintf(text, sizeof text, "%.17g\n%.17g", x, y);
        np_keys *keys = keys_of(text, NP_KEYS_FLOATS);
        assert_true((x < y) == (np_keys_words(keys)[0] < np_keys_words(keys)[1]));
        np_keys_free(keys);
    }
}

static void refuse(const char *text, np_key_kind kind, const char *message)
{
    np_keys *keys;
    assert_refused(parse(text, kind, &keys), NP_ERROR_INPUT, message);
    assert_null(keys);
}

static void test_refusals(void **state)
{
    (void)state;
    np_keys *keys;
    refuse("", NP_KEYS_AUTO, "k has no keys");
    refuse("\n \n", NP_KEYS_INTEGERS, "k has no keys");
    refuse("1\n\n2x\n", NP_KEYS_INTEGERS, "k:3: '2x' is not an integer");
    refuse("1\n2.5\n", NP_KEYS_INTEGERS, "k:2: '2.5' is not an integer");
    refuse("1.5\nabc\n", NP_KEYS_FLOATS, "k:2: 'abc' is not a decimal number");
    refuse("0x10\n", NP_KEYS_FLOATS, "k:1: '0x10' is not a decimal number");
    refuse("18446744073709551616\n", NP_KEYS_AUTO, "k:1: '18446744073709551616' is not in -2^63..2^64-1");
    refuse("-9223372036854775809\n", NP_KEYS_AUTO, "is not in -2^63..2^64-1");
    refuse("-1\n9223372036854775808\n", NP_KEYS_AUTO, "k:2: '9223372036854775808' and a number before it");
    refuse("9223372036854775808\n-1\n", NP_KEYS_AUTO, "k:2: '-1' and a number before it");
    refuse("1\nnan\n", NP_KEYS_AUTO, "k:2: 'nan' has no place in an order");
    refuse("1.5\n9007199254740993\n", NP_KEYS_AUTO, "k:2: '9007199254740993' would be rounded: other lines are no");
    refuse("-18446744073709551616\n1.5\n", NP_KEYS_AUTO, "k:1: '-18446744073709551616' would be rounded");
    refuse("1.5\n+18446744073709551615\n", NP_KEYS_AUTO, "k:2: '+18446744073709551615' would be rounded");
    np_keys_free(keys_of("1.5\n9007199254740991\n9007199254740993.0\n", NP_KEYS_AUTO));
    np_keys_free(keys_of("1.5\n9007199254740992\n-10000000000000000\n18446744073709549568\n", NP_KEYS_AUTO));
    np_keys_free(keys_of("1.5\n9007199254740993\n", NP_KEYS_FLOATS));
    refuse("-NaN\n", NP_KEYS_FLOATS, "k:1: '-NaN' has no place");
    refuse("1e999\n", NP_KEYS_AUTO, "k:1: '1e999' is too large");
    assert_refused(np_keys_read("none/there", NP_KEYS_AUTO, &keys), NP_ERROR_IO, "none/there");
    assert_null(keys);
    char *zero;
    assert_ok(np_memory_array(&zero, 4, 1, "a text"));
    memcpy(zero, "a\n\0", 3);
    assert_refused(np_keys_parse("k", zero, 3, NP_KEYS_TEXT, &keys), NP_ERROR_INPUT, "k:2: a zero byte");
    np_keys_free(NULL);
}

static char *contents(const char *path)
{
    static char text[256];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    return text;
}

/* Lines come back as they were: with their spaces, signs and returns; the file may be the one they were read from. */
static void test_write(void **state)
{
    (void)state;
    static const uint32_t order[] = {2, 0, 1};
    const np_keys made = {.count = 3, .kind = NP_KEYS_INTEGERS, .word = (uint64_t[]){UINT64_MAX, 0, 5}};
    char *path = support_file(" +07 \n\n8\r\n-3");
    np_keys *keys;
    assert_ok(np_keys_read(path, NP_KEYS_AUTO, &keys));
    assert_int_equal(np_keys_count(keys), 3);
    assert_ok(np_keys_write(keys, order, path));
    assert_string_equal(contents(path), "-3\n +07 \n8\r\n");
    assert_ok(np_keys_write(&made, order, path));
    assert_string_equal(contents(path), "5\n18446744073709551615\n0\n");
    assert_refused(np_keys_write(keys, order, "none/there"), NP_ERROR_IO, "none/there");
    assert_refused(np_keys_write(keys, order, "/dev/full"), NP_ERROR_IO, "/dev/full");
    assert_refused(np_keys_write(&made, order, "/dev/full"), NP_ERROR_IO, "/dev/full");
    np_keys_free(keys);
    remove(path);
    free(path);
}

/* What was made first is kept. */
static bool is_permutation(size_t count, const uint64_t *key)
{
    bool seen[64] = {false};
    for (size_t i = 0; i < count; i++) {
        if (key[i] >= count || seen[key[i]])
            return false;
        seen[key[i]] = true;
    }
    return true;
}

static void assert_made(const char *order, size_t count, const uint64_t *want)
{
    uint64_t key[64];
    assert_ok(np_keys_make(order, count, 1, 0, key));
    assert_memory_equal(key, want, count * sizeof *key);
}

static void test_orders(void **state)
{
    (void)state;
    static const uint64_t sorted[] = {0, 1, 2, 3, 4}, reversed[] = {4, 3, 2, 1, 0}, constant[5],
                          pipe[] = {0, 1, 2, 1, 0}, last[] = {1, 2, 3, 4, 0}, interleaved[] = {0, 2, 4, 1, 3},
                          transposed[] = {0, 3, 6, 1, 4}, bits[] = {0, 4, 2, 6, 1};
    uint64_t key[64], again[64];
    assert_made("sorted", 5, sorted);
    assert_made("reversed", 5, reversed);
    assert_made("constant", 5, constant);
    assert_made("organ-pipe", 5, pipe);
    assert_made("least-last", 5, last);
    assert_made("interleaved", 5, interleaved);
    assert_made("transposed", 5, transposed);
    assert_made("bit-reversed", 5, bits);
    for (size_t count = 1; count <= 64; count++) {
        assert_ok(np_keys_make("random-distinct", count, 3, 0, key));
        assert_true(is_permutation(count, key));
    }
    assert_ok(np_keys_make("random-distinct", 64, 3, 1, again)); /* another run */
    assert_memory_not_equal(key, again, sizeof key);
    assert_ok(np_keys_make("nearly-sorted", 64, 3, 0, key));
    for (size_t i = 0; i < 64; i++)
        assert_true(key[i] >= i && key[i] < i + 8);
    assert_ok(np_keys_make("zero-one", 64, 3, 0, key));
    uint64_t ones = 0;
    for (size_t i = 0; i < 64; i++)
        ones += key[i];
    assert_in_range(ones, 10, 54); /* outside with probability 1e-8; and the seed is fixed */
    for (size_t i = 0; np_list_get(NP_LIST_ORDERS, i); i++)
        for (size_t count = 0; count <= 64; count += 1 + 3 * (count > 3)) {
            assert_ok(np_keys_make(np_list_get(NP_LIST_ORDERS, i)->name, count, 7, 2, key));
            assert_ok(np_keys_make(np_list_get(NP_LIST_ORDERS, i)->name, count, 7, 2, again));
            assert_memory_equal(key, again, count * sizeof *key);
        }
    assert_refused(np_keys_make("revers", 0, 1, 0, NULL), NP_ERROR_INPUT,
                   "no order of keys 'revers': did you mean 'reversed'?");
}

/* Each allocation is made to fail in turn; the keys own their text even then. */
static void test_allocation_failures(void **state)
{
    (void)state;
    np_keys *keys = NULL;
    char *path = support_file("b\na\n");
    for (long n = 1; n < 20 && !keys; n++) {
        np_memory_fail_after(n);
        np_status st = np_keys_read(path, NP_KEYS_AUTO, &keys);
        np_memory_fail_after(0);
        assert_true(st == NP_ERROR_MEMORY || (!st && n > 3));
    }
    assert_non_null(keys);
    np_keys_free(keys);
    remove(path);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_order_of_words),
        cmocka_unit_test(test_floats_compare),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_write),
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_allocation_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
