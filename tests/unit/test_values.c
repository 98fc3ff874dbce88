/* Numbers from text, CSV and NumPy's files. */
#include "support.h"

#include <math.h>

#include "base/values.h"

enum { MOST = 12 };

static np_status take(const char *path, const char *data, size_t length, bool real, np_values *v, int64_t *word)
{
    np_status st = np_values_open(v, path, data, length, real);
    if (!st)
        assert_in_range(v->count, 1, MOST);
    return st ? st : np_values_take(v, word);
}

static void assert_reals(const np_values *v, const int64_t *word, size_t count, const double *want)
{
    assert_int_equal(v->count, count);
    assert_memory_equal(word, want, count * sizeof *want);
}

static void test_text(void **state)
{
    (void)state;
    static const struct {
        const char *path, *text;
        size_t rows, columns, ragged, count;
        int64_t word[MOST];
    } cases[] = {
        {"a", "1\n2\n", 2, 1, 0, 2, {1, 2}},
        {"a", "# c\n1 -2\t3 # d\n\n4 5 6\n", 2, 3, 0, 6, {1, -2, 3, 4, 5, 6}},
        {"a", "1; 2 ;-3\n", 1, 3, 0, 3, {1, 2, -3}},
        {"a", "\" 1\t\",2\n", 1, 2, 0, 2, {1, 2}}, /* blanks within quotes */
        {"a", "1,2\n3\n", 2, 0, 2, 3, {1, 2, 3}},
        {"a.csv", "x,y\n1,2\n3,4\n", 2, 2, 0, 4, {1, 2, 3, 4}},
        {"a.CSV", "value\n7\n", 1, 1, 0, 1, {7}},
        {"a", "9223372036854775807 -9223372036854775808", 1, 2, 0, 2, {INT64_MAX, INT64_MIN}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t word[MOST];
        np_values v;
        assert_ok(take(cases[i].path, cases[i].text, strlen(cases[i].text), false, &v, word));
        assert_int_equal(v.rows, cases[i].rows);
        assert_int_equal(v.columns, cases[i].columns);
        assert_int_equal(v.ragged, cases[i].ragged);
        assert_int_equal(v.count, cases[i].count);
        assert_memory_equal(word, cases[i].word, cases[i].count * sizeof *word);
    }
    static const char reals[] = "1.5, -2e-3\n-0, 7\n";
    int64_t word[MOST];
    np_values v;
    assert_ok(take("a", reals, strlen(reals), true, &v, word));
    assert_reals(&v, word, 4, (double[]){1.5, -2e-3, -0.0, 7});
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *path, *text, *message;
        bool real;
    } cases[] = {
        {"a", "", "no numbers", false},
        {"a.csv", "x,y\n", "no numbers", false},
        {"a", "value\n7\n", "a:1: number 'value' is not a whole number", false},
        {"a", "1\n9223372036854775808\n", "a:2: number", false},
        {"a", "-9223372036854775809\n",
         "a:1: number '-9223372036854775809' is not a whole number: write one in -9223372036854775808..", false},
        {"a", "1e300\n", "'1e300' is no number below 1e300", true},
        {"a", "1\n1.5\n", "a:2: number '1.5' is not a whole number", false},
        {"a", "1\n--2\n", "a:2: '--2' is no number", true},
        {"a", "1\nnan\n", "a:2: 'nan' is no number", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t word[MOST];
        np_values v;
        assert_refused(take(cases[i].path, cases[i].text, strlen(cases[i].text), cases[i].real, &v, word),
                       NP_ERROR_INPUT, cases[i].message);
    }
}

/* ---- NumPy's format ---- */

typedef struct npy {
    char bytes[512];
    size_t length;
} npy;

static npy make(unsigned version, const char *header, const char *body, size_t length)
{
    npy file = {.length = 6};
    size_t size = strlen(header);
    memcpy(file.bytes, "\x93NUMPY", 6);
    file.bytes[file.length++] = (char)version;
    file.bytes[file.length++] = 0;
    for (unsigned i = 0; i < (version == 1 ? 2 : 4); i++)
        file.bytes[file.length++] = (char)(size >> 8 * i);
    memcpy(file.bytes + file.length, header, size);
    memcpy(file.bytes + file.length + size, body, length);
    file.length += size + length;
    return file;
}

/* As NumPy 1.24 writes them, but for the blanks that fill the header. */
static void test_npy(void **state)
{
    (void)state;
    static const struct {
        unsigned version;
        const char *header, *body;
        size_t length, rows, columns;
        int64_t word[6];
    } cases[] = {
        {1,
         "{'descr': '<i8', 'fortran_order': False, 'shape': (2,), }\n",
         "\1\0\0\0\0\0\0\0\xfe\xff\xff\xff\xff\xff\xff\xff",
         16,
         2,
         1,
         {1, -2}},
        {2, "{'descr': '>u2', 'fortran_order': False, 'shape': (1, 2), }\n", "\1\2\xff\xff", 4, 1, 2, {258, 65535}},
        {3, "{'descr': '|b1', 'fortran_order': False, 'shape': (3,), }\n", "\1\0\1", 3, 3, 1, {1, 0, 1}},
        {1,
         "{'descr': '<i2', 'fortran_order': True, 'shape': (2, 3), }\n",
         "\1\0\4\0\2\0\5\0\3\0\xfa\xff",
         12,
         2,
         3,
         {1, 2, 3, 4, 5, -6}},
        {1, "{\"shape\": (1,), \"fortran_order\": False, \"descr\": \"|i1\"}", "\x80", 1, 1, 1, {-128}},
        {1, "{'descr':'|u1','fortran_order':True,'shape':(2,2)}", "\1\3\2\4", 4, 2, 2, {1, 2, 3, 4}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        npy file = make(cases[i].version, cases[i].header, cases[i].body, cases[i].length);
        int64_t word[MOST];
        np_values v;
        assert_ok(take("a.npy", file.bytes, file.length, false, &v, word));
        assert_int_equal(v.rows, cases[i].rows);
        assert_int_equal(v.columns, cases[i].columns);
        assert_memory_equal(word, cases[i].word, v.count * sizeof *word);
    }
    static const char single[] = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }",
                      whole[] = "{'descr': '<u4', 'fortran_order': False, 'shape': (1,), }";
    int64_t word[MOST];
    np_values v;
    npy file = make(1, single, "\0\0\xc0\x3f\0\0\0\xc0", 8);
    assert_ok(take("a.npy", file.bytes, file.length, true, &v, word));
    assert_reals(&v, word, 2, (double[]){1.5, -2});
    file = make(1, whole, "\xff\xff\xff\xff", 4);
    assert_ok(take("a.npy", file.bytes, file.length, true, &v, word));
    assert_reals(&v, word, 1, (double[]){4294967295});
    /* halves: 1.5, -2, the least normal one, the largest and the least subnormal one, the largest, infinity, -0 */
    file = make(1, "{'descr': '<f2', 'fortran_order': False, 'shape': (8,), }",
                "\x00\x3e\x00\xc0\x00\x04\xff\x03\x01\x00\xff\x7b\x00\x7c\x00\x80", 16);
    assert_ok(take("a.npy", file.bytes, file.length, true, &v, word));
    assert_reals(&v, word, 8,
                 (double[]){1.5, -2, 6.103515625e-05, 6.097555160522461e-05, 5.9604644775390625e-08, 65504,
                            (double)INFINITY, -0.0});
    file = make(1, "{'descr': '>f2', 'fortran_order': False, 'shape': (1,), }", "\xfe\x00", 2);
    assert_ok(take("a.npy", file.bytes, file.length, true, &v, word));
    double half;
    memcpy(&half, word, sizeof half);
    assert_true(isnan(half));
    file = make(1, "{'descr': '<i4', 'fortran_order': False, 'shape': (1,), }", "\xfe\xff\xff\xff", 4);
    assert_ok(take("a.npy", file.bytes, file.length, true, &v, word));
    assert_reals(&v, word, 1, (double[]){-2});
    file = make(1, "{'descr': '<u8', 'fortran_order': False, 'shape': (2,), }",
                "\xff\xff\xff\xff\xff\xff\xff\x7f\0\0\0\0\0\0\0\x80", 16);
    assert_refused(take("a.npy", file.bytes, file.length, false, &v, word), NP_ERROR_INPUT,
                   "a.npy: item [1, 0] is 9223372036854775808: whole numbers go up to 2^63 - 1");
    assert_int_equal(word[0], INT64_MAX);
    file = make(1, "{'descr': '|b1', 'fortran_order': False, 'shape': (0, 4), }", "", 0);
    assert_refused(take("a.npy", file.bytes, file.length, false, &v, word), NP_ERROR_INPUT, "without items");
}

static void test_npy_refused(void **state)
{
    (void)state;
    static const struct {
        unsigned version;
        const char *header, *message;
    } cases[] = {
        {1, "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }", "reals in a .npy file, where whole numbers"},
        {1, "{'descr': '<c8', 'fortran_order': False, 'shape': (1,), }", "items of type '<c8' are not read"},
        {1, "{'descr': '<i3', 'fortran_order': False, 'shape': (1,), }", "items of type '<i3' are not read"},
        {1, "{'descr': '<f1', 'fortran_order': False, 'shape': (8,), }", "items of type '<f1' are not read"},
        {1, "{'descr': '|b2', 'fortran_order': False, 'shape': (4,), }", "items of type '|b2' are not read"},
        {1, "{'descr': '<i16', 'fortran_order': False, 'shape': (1,), }", "items of type '<i16' are not read"},
        {1, "{'descr': '!i8', 'fortran_order': False, 'shape': (1,), }", "items of type '!i8' are not read"},
        {1, "{'descr': [('a', '<i4')], 'fortran_order': False, 'shape': (1,), }", "this .npy file holds records"},
        {1, "{'descr': '<i4', 'fortran_order': False, 'shape': (1, 1, 1), }", "must have one dimension or two"},
        {1, "{'descr': '<i4', 'fortran_order': False, 'shape': (), }", "must have one dimension or two"},
        {1, "{'descr': '<i4', 'fortran_order': False, 'shape': (-1,), }", "must have one dimension or two"},
        {1, "{'descr': '<i4', 'fortran_order': False, 'shape': 2, }", "must have one dimension or two"},
        {1, "{'descr': '<i4', 'fortran_order': False, 'shape': (2,", "must have one dimension or two"},
        {1, "{'descr': '<i4', 'fortran_order': False, 'shape': (1,), }",
         "but 8 bytes follow: there are bytes behind the items"},
        {1, "{'descr': '<i4', 'fortran_order': False, 'shape': (3,), }", "3 rows and 1 columns are promised, but 8"},
        {1, "{'descr': '<i4', 'fortran_order': False, 'shape': (4611686018427387904, 8), }", "columns are promised"},
        {1, "{'descr': '<i8', 'fortran_order': False, 'shape': (4611686018427387904, 2), }", "columns are promised"},
        {1, "{'descr': '|i1', 'fortran_order': False, 'shape': (0,), }", "0 rows and 1 columns are promised, but 8"},
        {1, "{'descr': '<i4', 'fortran_order': False}", "lacks its type, order or shape"},
        {1, "{'descr': '<i4', 'shape': (2,)}", "lacks its type, order or shape"},
        {1, "{'descr': '<i4', 'fortran_order': False, 'shape':", "lacks its type, order or shape"},
        {4, "{'descr': '<i4', 'fortran_order': False, 'shape': (1,), }", "versions 1 to 3"},
        {0, "{'descr': '<i4', 'fortran_order': False, 'shape': (1,), }", "versions 1 to 3"},
        {1, "{'descr': '<u8', 'fortran_order': False, 'shape': (1,), }", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        npy file = make(cases[i].version, cases[i].header, "\0\0\0\0\0\0\0\0", 8);
        int64_t word[MOST];
        np_values v;
        np_status st = take("a.npy", file.bytes, file.length, false, &v, word);
        if (cases[i].message)
            assert_refused(st, NP_ERROR_INPUT, cases[i].message);
        else
            assert_ok(st);
    }
    npy file = make(1, cases[0].header, "", 0);
    for (size_t length = 6; length < file.length; length++) { /* cut off anywhere */
        np_values v;
        char *exact = malloc(length);
        assert_non_null(exact);
        memcpy(exact, file.bytes, length);
        assert_int_equal(np_values_open(&v, "a.npy", exact, length, true), NP_ERROR_INPUT);
        free(exact);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_text), cmocka_unit_test(test_refused),
                                       cmocka_unit_test(test_npy), cmocka_unit_test(test_npy_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
