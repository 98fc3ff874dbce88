/* Traffic files: both formats, and every kind of bad line met with its number. */
#include "support.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "model/traffic/pairs.h"

static np_network *cube; /* hypercube:3, nodes 0..7 */

static int setup(void **state)
{
    (void)state;
    cube = support_network("hypercube:3");
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    np_network_free(cube);
    return 0;
}

static np_status parse(const char *name, const char *text, np_traffic **out)
{
    *out = calloc(1, sizeof **out);
    np_status st = np_pairs_parse(name, text, strlen(text), cube, NULL, NP_PACKETS_MAX, *out);
    if (st) {
        np_traffic_free(*out);
        *out = NULL;
    }
    return st;
}

/* The packets as "0>1 2>3/9 ": source, destination and, if any has one, priority. */
static void assert_packets(const char *name, const char *text, const char *want)
{
    np_traffic *traffic;
    char got[256] = "";
    support_assert_ok(parse(name, text, &traffic), text, __FILE__, __LINE__);
    for (np_packet i = 0; i < traffic->packets; i++) {
        size_t at = strlen(got);
        at += (size_t)snprintf(got + at, sizeof got - at, "%u>%u", traffic->source[i], traffic->destination[i]);
        if (traffic->priority)
            at += (size_t)snprintf(got + at, sizeof got - at, "/%u", traffic->priority[i]);
        snprintf(got + at, sizeof got - at, " ");
    }
    assert_string_equal(got, want);
    np_traffic_free(traffic);
}

static void test_lines(void **state)
{
    (void)state;
    assert_packets("p", "0 1\n2 3\n", "0>1 2>3 ");
    assert_packets("p", "0 1\n2 3", "0>1 2>3 "); /* no newline at the end */
    assert_packets("p", "7 0 3\n1 1 0\n", "7>0 7>0 7>0 ");
    assert_packets("p", "0 1 1 9\n2 3 2\n", "0>1/9 2>3/0 2>3/0 ");
    assert_packets("p", "0 1 1 4294967295\n", "0>1/4294967295 ");
    assert_packets("p", "# head\n%\n\n \t \n  0\t 1 # to one\r\n\r\n002 3 %\r\n", "0>1 2>3 ");
    assert_packets("p",
                   "\xef\xbb\xbf"
                   "0 1\n",
                   "0>1 ");
}

#define BANNER "%%MatrixMarket matrix coordinate "

static void test_matrices(void **state)
{
    (void)state;
    assert_packets("m.mtx", BANNER "pattern general\n% note\n8 8 2\n1 2\n8 8\n", "0>1 7>7 ");
    assert_packets("m", BANNER "integer general\n2 3 3\n1 3 2\n2 1 0\n2 2 1\n", "0>2 0>2 1>1 ");
    assert_packets("m", BANNER "real general\n3 3 4\n1 2 2.0\n2 3 1e0\n3 1 +0.2E+1\n1 1 300e-2\n",
                   "0>1 0>1 1>2 2>0 2>0 0>0 0>0 0>0 ");
    assert_packets("m", BANNER "integer symmetric\n3 3 2\n2 1 2\n3 3 1\n", "1>0 1>0 0>1 0>1 2>2 ");
    assert_packets("m", "%%matrixmarket MATRIX Coordinate Pattern General\r\n1 1 0\r\n", "");
    assert_packets("m", BANNER "real general\n1 1 1\n1 1 10000000000000000000000e-22\n", "0>0 ");
    assert_packets("m", BANNER "real general\n1 1 1\n1 1 0e999999999999\n", "");
}

typedef struct bad_text {
    const char *text;
    np_status status;
    const char *message; /* begins with the line */
} bad_text;

static void check_bad(const char *name, const bad_text *bad, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char message[256];
        np_traffic *traffic;
        snprintf(message, sizeof message, "%s:%s", name, bad[i].message);
        assert_refused(parse(name, bad[i].text, &traffic), bad[i].status, message);
        assert_ptr_equal(strstr(np_last_error(), message), np_last_error());
        assert_null(strchr(np_last_error(), '\n'));
    }
}

static void test_bad_lines(void **state)
{
    static const bad_text bad[] = {
        {"", NP_ERROR_INPUT, " no packets"},
        {"# only\n# comments\n", NP_ERROR_INPUT, "2: no packets"},
        {"0 1\n\n0 8\n", NP_ERROR_INPUT, "3: destination 8 is out of range 0..7: the nearest is 7"},
        {"9 0\n", NP_ERROR_INPUT, "1: source 9 is out of range 0..7: the nearest is 7"},
        {"99999999999999999999999 0\n", NP_ERROR_INPUT, "1: source 99999999999999999999999 is out of range"},
        {"0 1\n-1 2\n", NP_ERROR_INPUT, "2: source '-1' is not a whole number: write one in 0..7"},
        {"0 1\n0 x\n", NP_ERROR_INPUT, "2: destination 'x' is not a whole number"},
        {"0 1.5\n", NP_ERROR_INPUT, "1: destination '1.5' is not"},
        {"0;\n", NP_ERROR_INPUT, "1: destination '' is not a whole number"},
        {"0 1\n# c\n5\n", NP_ERROR_INPUT, "3: 1 field from '5'"},
        {"0 1 1 1 1\n", NP_ERROR_INPUT, "1: 1 line of 5 numbers: a matrix has"},
        {"0 1 1 1 1 1 1 1 1\n", NP_ERROR_INPUT, "1: 1 line of 9 numbers: a matrix has"},
        {"0 1 -2\n", NP_ERROR_INPUT, "1: count '-2'"},
        {"0 1 4000000000\n", NP_ERROR_INPUT, "1: count 4000000000 is out of range 0..2147483646"},
        {"0 1 2147483646\n0 1\n", NP_ERROR_LIMIT, "2: 1 packets more after 2147483646: at most 2147483646"},
        {"0 1 1 4294967296\n", NP_ERROR_INPUT, "1: priority 4294967296 is out of range"},
        {"0 \x01\x7f\xff\n", NP_ERROR_INPUT, "1: destination '\\x01\\x7f\\xff'"},
        {"0 aaaaaaaaaabbbbbbbbbbaaaaaaaaaabbbbbbbbbbcc\n", NP_ERROR_INPUT,
         "1: destination 'aaaaaaaaaabbbbbbbbbbaaaaaaaaaabbbbbbbbbb...'"},
    };
    (void)state;
    check_bad("pairs.txt", bad, sizeof bad / sizeof *bad);
}

/* Under any name a misspelt banner is no comment of a list of pairs. */
static void test_misspelt_banners(void **state)
{
    static const bad_text bad[] = {
        {"%MatrixMarket matrix coordinate pattern general\n8 8 1\n1 1\n", NP_ERROR_INPUT, "1: the banner must be"},
        {"%% MatrixMarket matrix coordinate pattern general\n1 1\n", NP_ERROR_INPUT, "1: the banner must be"},
        {"MatrixMarket matrix coordinate pattern general\n1 1\n", NP_ERROR_INPUT, "1: the banner must be"},
    };
    (void)state;
    check_bad("pairs.txt", bad, sizeof bad / sizeof *bad);
}

static void test_bad_matrices(void **state)
{
    static const bad_text bad[] = {
        {"1 2\n", NP_ERROR_INPUT, "1: a .mtx file begins with '%%MatrixMarket"},
        {"", NP_ERROR_INPUT, "1: a .mtx file begins with"},
        {"%%MatrixMarket\n", NP_ERROR_INPUT,
         "1: the banner must be '%%MatrixMarket matrix coordinate pattern|integer|real "
         "general|symmetric|skew-symmetric'"},
        {"%MatrixMarket matrix coordinate pattern general\n8 8 1\n1 1\n", NP_ERROR_INPUT, "1: the banner must be '%%M"},
        {"%% matrixmarket matrix coordinate pattern general\n", NP_ERROR_INPUT,
         "1: the banner must be '%%MatrixMarket"},
        {"%%MatrixMarket vector coordinate pattern general\n", NP_ERROR_INPUT, "1: the banner must be"},
        {"%%MatrixMarket matrix list real general\n", NP_ERROR_INPUT, "1: format 'list' lists no entries"},
        {BANNER "complex general\n", NP_ERROR_INPUT, "1: values 'complex' are not read"},
        {BANNER "integer hermitian\n", NP_ERROR_INPUT, "1: symmetry 'hermitian'"},
        {BANNER "pattern general\n% c\n", NP_ERROR_INPUT, "2: the file ends before the line 'rows columns entries'"},
        {BANNER "pattern general\n8 8\n", NP_ERROR_INPUT, "2: 2 fields from '8'"},
        {BANNER "pattern general\n\n8 x 1\n", NP_ERROR_INPUT, "3: columns 'x'"},
        {BANNER "pattern general\n9 8 1\n1 1\n", NP_ERROR_INPUT, "2: 9 rows are more than the 8 nodes of hypercube:3"},
        {BANNER "pattern general\n8 9 1\n1 1\n", NP_ERROR_INPUT, "2: 9 columns are more than the 8 nodes"},
        {BANNER "pattern symmetric\n8 7 1\n1 1\n", NP_ERROR_INPUT, "2: a symmetric matrix of 8 rows and 7 columns"},
        {BANNER "pattern general\n4 8 1\n5 1\n", NP_ERROR_INPUT, "3: row 5 is out of range 1..4: the nearest is 4"},
        {BANNER "pattern general\n4 8 1\n0 1\n", NP_ERROR_INPUT, "3: row 0 is out of range 1..4: the nearest is 1"},
        {BANNER "pattern general\n4 0 1\n1 1\n", NP_ERROR_INPUT, "3: column '1'"},
        {BANNER "pattern general\n8 8 2\n1 1\n", NP_ERROR_INPUT, "3: the file ends after 1 of 2 entries"},
        {BANNER "pattern general\n8 8 1\n1 1\n2 2\n", NP_ERROR_INPUT, "4: more entries than the 1"},
        {BANNER "pattern general\n8 8 1\n1 1 1\n", NP_ERROR_INPUT, "3: 3 fields from '1' on: a line is 'row column'"},
        {BANNER "integer general\n8 8 1\n1 1\n", NP_ERROR_INPUT,
         "3: 2 fields from '1' on: a line is 'row column value'"},
        {BANNER "integer general\n8 8 1\n1 1 -1\n", NP_ERROR_INPUT, "3: value '-1' is no count"},
        {BANNER "real general\n8 8 1\n1 1 0.5\n", NP_ERROR_INPUT, "3: value '0.5' is no count"},
        {BANNER "real general\n8 8 1\n1 1 nan\n", NP_ERROR_INPUT, "3: value 'nan'"},
        {BANNER "real general\n8 8 1\n1 1 .\n", NP_ERROR_INPUT, "3: value '.'"},
        {BANNER "real general\n8 8 1\n1 1 1e\n", NP_ERROR_INPUT, "3: value '1e'"},
        {BANNER "real general\n8 8 1\n1 1 1e30\n", NP_ERROR_LIMIT, "3: '1e30' makes more than the 2147483646"},
        {BANNER "real general\n8 8 1\n1 1 1e12\n", NP_ERROR_LIMIT, "3: '1e12' makes more than"},
        {BANNER "real general\n8 8 2\n1 1 2e9\n1 2 2e9\n", NP_ERROR_LIMIT, "4: 2000000000 packets more"},
        {BANNER "integer skew-symmetric\n8 8 1\n2 1 1\n", NP_ERROR_INPUT, "1: a skew-symmetric matrix has negative"},
        {BANNER "pattern skew-symmetric\n8 8 1\n2 1\n", NP_ERROR_INPUT, "1: a skew-symmetric matrix has negative"},
    };
    (void)state;
    check_bad("comm.MTX", bad, sizeof bad / sizeof *bad);
}

static void test_zero_bytes_are_no_text(void **state)
{
    static const char text[] = "0 1\n0 2\n0 \0 3\n";
    np_traffic traffic = {0};
    (void)state;
    assert_refused(np_pairs_parse("b", text, sizeof text - 1, cube, NULL, 9, &traffic), NP_ERROR_INPUT,
                   "b:3: a zero byte: this is not a text file");
}

static void test_long_names_leave_room_for_the_message(void **state)
{
    char name[2000];
    np_traffic *traffic;
    (void)state;
    memset(name, 'd', sizeof name);
    strcpy(name + sizeof name - 6, "/last");
    assert_refused(parse(name, "0 1\n0 8\n", &traffic), NP_ERROR_INPUT, "/last:2: destination 8 is out of range 0..7");
}

static void test_files(void **state)
{
    char spec[128], *path = support_file("0 1 1 4\n3 2\n");
    np_traffic *traffic;
    (void)state;
    snprintf(spec, sizeof spec, "file:%s", path);
    assert_ok(np_traffic_create(spec, cube, 1, 0, &traffic));
    assert_string_equal(np_traffic_spec(traffic), spec);
    assert_int_equal(np_traffic_packets(traffic), 2);
    assert_int_equal(np_traffic_priorities(traffic)[0], 4);
    np_traffic_free(traffic);
    if (geteuid()) { /* root reads everything */
        assert_int_equal(chmod(path, 0), 0);
        assert_refused(np_traffic_create(spec, cube, 1, 0, &traffic), NP_ERROR_IO, "Permission denied");
    }
    remove(path);
    assert_refused(np_traffic_create(spec, cube, 1, 0, &traffic), NP_ERROR_IO, "No such file");
    assert_non_null(strstr(np_last_error(), path));
    free(path);
    assert_refused(np_traffic_create("file:/", cube, 1, 0, &traffic), NP_ERROR_IO, "Is a directory");
    assert_null(traffic);
}

/* A file that tells no size is read to its end. */
static void test_pipes(void **state)
{
    int ends[2];
    char path[64];
    char *data;
    size_t length;
    (void)state;
    assert_int_equal(pipe(ends), 0);
    for (int i = 0; i < 2000; i++)
        assert_int_equal(write(ends[1], "0 1 2\n", 6), 6);
    close(ends[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    assert_ok(np_text_read(path, &data, &length));
    assert_int_equal(length, 12000);
    assert_memory_equal(data + length - 6, "0 1 2\n", 6);
    np_memory_free(data);
    close(ends[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_matrices),
        cmocka_unit_test(test_bad_lines),
        cmocka_unit_test(test_misspelt_banners),
        cmocka_unit_test(test_bad_matrices),
        cmocka_unit_test(test_zero_bytes_are_no_text),
        cmocka_unit_test(test_long_names_leave_room_for_the_message),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_pipes),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
