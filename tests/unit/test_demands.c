/*
 * Demands from files: lists with columns, matrices dense and sparse, NumPy arrays; what a packet is; hosts and names.
 */
#include "support.h"

#include "base/memory.h"
#include "model/traffic/pairs.h"

static np_network *cube; /* hypercube:2, nodes 0..3 */

static int setup(void **state)
{
    (void)state;
    cube = support_network("hypercube:2");
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    np_network_free(cube);
    return 0;
}

static np_status parse(const np_network *network, const char *data, size_t length, const np_amount_options *options,
                       np_traffic **out)
{
    *out = calloc(1, sizeof **out);
    np_status st = np_pairs_parse("d", data, length, network, options, NP_PACKETS_MAX, *out);
    if (st) {
        np_traffic_free(*out);
        *out = NULL;
    }
    return st;
}

/* The packets as "0>1*3 2>3 ": equal ones that follow each other are counted. */
static void assert_demands(const np_network *network, const char *data, size_t length, const np_amount_options *options,
                           const char *want)
{
    np_traffic *traffic;
    char got[256] = "";
    support_assert_ok(parse(network, data, length, options, &traffic), want, __FILE__, __LINE__);
    for (np_packet i = 0, n; i < traffic->packets; i += n) {
        size_t at = strlen(got);
        for (n = 1; i + n < traffic->packets && traffic->source[i + n] == traffic->source[i] &&
                    traffic->destination[i + n] == traffic->destination[i];
             n++)
            ;
        at += (size_t)snprintf(got + at, sizeof got - at, "%u>%u", traffic->source[i], traffic->destination[i]);
        snprintf(got + at, sizeof got - at, n > 1 ? "*%u " : " ", n);
    }
    assert_string_equal(got, want);
    assert_true(strstr(np_traffic_note(traffic), " demands are ") ||
                strstr(np_traffic_note(traffic), ": 1 demand is "));
    np_traffic_free(traffic);
}

static void assert_form(const char *text, const char *packet, const char *scale, const char *form, const char *want)
{
    const np_amount_options options = {.path = "d", .packet = packet, .scale = scale, .times = "ignore", .form = form};
    assert_demands(cube, text, strlen(text), &options, want);
}

static void assert_text(const char *text, const char *packet, const char *scale, const char *want)
{
    assert_form(text, packet, scale, NULL, want);
}

static void assert_bad(const char *text, const np_amount_options *options, np_status status, const char *message)
{
    np_traffic *traffic;
    assert_refused(parse(cube, text, strlen(text), options, &traffic), status, message);
}

static void test_packets_of_amounts(void **state)
{
    (void)state;
    assert_text("0 1 3000\n", "1500", NULL, "0>1*2 ");
    assert_text("0 1 3001\n", "1500", NULL, "0>1*3 "); /* rounded up */
    assert_text("0 1 30\n", NULL, "0.1", "0>1*3 ");    /* not 4, although 30 * 0.1 > 3 in doubles */
    assert_text("0 1 4.17e+05\n2 3 0\n", "1e5", NULL, "0>1*5 ");
    assert_text("0 1 1e-30\n", "1", "1", "0>1 ");
    assert_text("0 1 12\n", "4", "2", "0>1*6 ");
    assert_text("0 1 0.3\n", "0.1", NULL, "0>1*3 ");
    assert_text("0 1 3000000001\n", "3e9", NULL, "0>1*2 "); /* a part in 3e9 is a packet */
    assert_text("0 1 3000000000\n", "3e9", NULL, "0>1 ");
    assert_text("0 1 1e400\n", "1e400", NULL, "0>1 ");
    assert_text("0 1 1e-400\n", "1e-400", "3", "0>1*3 ");
    assert_text("0 1 1.000000000000000056e-01\n", "0.1", NULL, "0>1 "); /* 0.1 by numpy.savetxt */
    assert_text("0 1 -0.0\n", "1", NULL, "");
}

static void test_columns(void **state)
{
    const np_amount_options none = {.path = "d"}, scaled = {.path = "d", .packet = "2"};
    (void)state;
    assert_text("source,destination,count\n0,1,2\n2,3,1\n", NULL, NULL, "0>1*2 2>3 ");
    assert_text("time,size,dst,src\n0.5,3000,1,0\n", "1500", NULL, "0>1*2 ");
    assert_text("src;dst\n0;1\n", NULL, NULL, "0>1 ");
    assert_bad(
        "src,dst,bytes\n0,1,9\n", &none, NP_ERROR_INPUT,
        "d:1: column 'bytes' counts no packets: 'packet=BYTES' or 'scale=F' behind the path (--packet, --scale) says "
        "what a packet is");
    assert_bad("src,dst,megabytes\n0,1,9\n", &scaled, NP_ERROR_INPUT, "d:1: column 'megabytes' is not known");
    assert_bad("src,dst,time\n0,1,9\n", &scaled, NP_ERROR_INPUT, "d:1: column 'time': times are not heeded");
    assert_bad("src,dst,bytes\n0,1,-9\n", &scaled, NP_ERROR_INPUT, "d:2: amount '-9': write a number of 0 or more");
    assert_bad("0 1\n", &(np_amount_options){.packet = "0"}, NP_ERROR_INPUT, "packet '0' must be a number above 0");
    assert_bad("0 1\n", &(np_amount_options){.times = "yes"}, NP_ERROR_INPUT, "times 'yes'");
    assert_bad("0 1 1e15\n", &scaled, NP_ERROR_LIMIT,
               "d:1: '1e15' makes more than the 2147483646 packets that can be routed");
}

static void test_dense(void **state)
{
    (void)state;
    assert_form("0,1,0,2\n0,0,0,0\n0,0,0,0\n3,0,0,0\n", NULL, NULL, "matrix", "0>1 0>3*2 3>0*3 ");
    assert_form("0,1,0,2\n0,0,0,0\n0,0,0,0\n3,0,0,0\n", NULL, NULL, "list", "");
    assert_text(",3,1\n0,2,0\n2,0,1\n", NULL, NULL, "0>3*2 2>1 ");
    assert_text("x 0 1\n2 0 5.5\n3 1 0\n", "5", NULL, "2>1*2 3>0 ");
    assert_bad("0,1,0,2\n0,0,0,0\n0,0,0,0\n3,0,0,0.5\n", NULL, NP_ERROR_INPUT, "d:4: value '0.5' is no count");
    assert_bad("0 1 1 1 1\n1 1 1 1 1\n1 1 1 1 1\n1 1 1 1 1\n1 1 1 1 1\n", NULL, NP_ERROR_INPUT,
               "a matrix for 5 nodes: hypercube:2 has 4 terminals");
}

#define E0 "0.000000000000000000e+00"
#define E1 "1.000000000000000000e+00"
#define E2 "2.000000000000000000e+00"

/* What numpy.savetxt writes of 1 x 1 to 4 x 4, with blanks and with commas. */
static void test_savetxt(void **state)
{
    (void)state;
    assert_text(E2 "\n", NULL, NULL, "0>0*2 ");
    assert_text(E0 " " E1 "\n" E2 " " E0 "\n", NULL, NULL, "0>1 1>0*2 ");
    assert_text(E0 "," E1 "\n" E2 "," E0 "\n", NULL, NULL, "0>1 1>0*2 ");
    assert_text(E0 " " E1 " " E0 "\n" E2 " " E0 " " E0 "\n" E0 " " E0 " " E1 "\n", NULL, NULL, "0>1 1>0*2 2>2 ");
    assert_text("# h\n" E0 "," E0 "," E0 "," E1 "\n" E0 "," E0 "," E0 "," E0 "\n" E0 "," E0 "," E0 "," E0 "\n" E2 "," E0
                "," E0 "," E0 "\n",
                NULL, NULL, "0>3 3>0*2 ");
}

/* A square of whole numbers with a line for each node is a matrix, or a list. */
static void test_ambiguous(void **state)
{
    (void)state;
    const char *four = "0 1 1 1\n1 0 1 1\n1 1 0 1\n1 1 1 0\n";
    assert_bad(
        four, NULL, NP_ERROR_INPUT,
        "d:1: 4 lines of 4 whole numbers, for 4 nodes: a matrix, or a list 'source destination count priority'? Say "
        "--traffic-format matrix or list");
    assert_form(four, NULL, NULL, "matrix", "0>1 0>2 0>3 1>0 1>2 1>3 2>0 2>1 2>3 3>0 3>1 3>2 ");
    assert_form(four, NULL, NULL, "list", "0>1 1>0 1>1 ");
    assert_text("0 9 0 1\n0 0 0 0\n1 0 0 0\n0 0 0 0\n", NULL, NULL, "0>1*9 0>3 2>0 ");    /* no node 9: no list */
    assert_text("0 1 5\n1 2 6\n2 3 1\n", NULL, NULL, "0>1*5 1>2*6 2>3 ");                 /* 4 nodes: no matrix of 3 */
    assert_bad("0 1\n0 8\n", NULL, NP_ERROR_INPUT, "d:2: destination 8 is out of range"); /* a list with a fault */
    assert_bad("0 1\n", &(np_amount_options){.form = "dense"}, NP_ERROR_INPUT, "traffic-format 'dense': choose from");
    assert_bad("0 1 2\n1 0 1\n", &(np_amount_options){.form = "matrix"}, NP_ERROR_INPUT,
               "d:1: 2 lines of 3 numbers: a matrix has");
}

/* Sums are no packets; a comma in a number is no separator; what a column means must be known. */
static void test_not_understood(void **state)
{
    const np_amount_options measured = {.path = "d", .packet = "2"};
    (void)state;
    const char *totals = "0 1.5 2 3.5\n1 0 1 2\n0 1 0 1\n1 2.5 3 6.5\n";
    assert_bad(totals, &measured, NP_ERROR_INPUT, "the last line has the sums of all others: leave totals out");
    assert_form(totals, "10", NULL, "matrix", "0>1 0>2 0>3 1>0 1>2 1>3 2>1 2>3 3>0 3>1 3>2 3>3 ");
    assert_bad("0 1.5 2 3.5\n1 0 1 2\n0 1 0 1\n0 0 1 1\n", &measured, NP_ERROR_INPUT, "the last column has the sums");
    assert_bad("0 1 1 1 1\n1 0 1 1 1\n1 1 0 1 1\n1 1 1 0 1\n", NULL, NP_ERROR_INPUT,
               "d:1: 4 lines of 5 numbers: a matrix has a line for each column, and a list 2 to 4 numbers: is one of "
               "them a total?");
    assert_bad(",0,1,total\n0,0,2,2\n1,1,0,1\n", NULL, NP_ERROR_INPUT,
               "d:1: 2 lines of 3 numbers: a matrix has a line for each column, and a list 2 to 4 numbers: is one of "
               "them a total?");
    assert_bad(",0,total\n0,0,2\ntotal,1,0\n", NULL, NP_ERROR_INPUT, "d:1: destination 'total'");
    assert_bad("source,destination,bytes\n0,1,1,5\n", &measured, NP_ERROR_INPUT,
               "d:2: 4 fields, where the first line has 3");
    assert_bad("0,1,2\n1,2,1,5\n", NULL, NP_ERROR_INPUT, "d:2: 4 fields, where the first line has 3: a decimal comma");
    assert_bad("source;destination;bytes\n0;1;1,5\n", &measured, NP_ERROR_INPUT, "d:2: amount '1,5'");
    assert_bad("source,destination,bytes\n0,1,10 MB\n", &measured, NP_ERROR_INPUT, "d:2: amount '10 MB'");
    assert_bad("source,destination,bytes (MB)\n0,1,10\n", &measured, NP_ERROR_INPUT,
               "column 'bytes (MB)' is not known");
    assert_bad("source,destination,bytes,unit\n0,1,10,MB\n", &measured, NP_ERROR_INPUT,
               "column 'unit' is not known, and might say what the amounts are");
    assert_bad("These are the demands\nof the lab now\n", NULL, NP_ERROR_INPUT, "d:1: source 'These'");
}

/* A .npy file of version `version` with the bytes of the items. */
static size_t npy(char *out, int version, const char *header, const void *items, size_t bytes)
{
    size_t n = strlen(header), at = version > 1 ? 12 : 10;
    memcpy(out, "\x93NUMPY", 6);
    memcpy(out + 6, (char[]){(char)version, 0, (char)n, 0, 0, 0}, version > 1 ? 6 : 4);
    memcpy(out + at, header, n);
    memcpy(out + at + n, items, bytes);
    return at + n + bytes;
}

#define HEADER(type, order, shape) "{'descr': '" type "', 'fortran_order': " order ", 'shape': " shape ", }\n"

static void assert_npy(int version, const char *header, const void *items, size_t bytes, const char *want)
{
    char data[512];
    const np_amount_options options = {.path = "d"};
    assert_demands(cube, data, npy(data, version, header, items, bytes), &options, want);
}

static void assert_bad_npy(const char *header, const void *items, size_t bytes, const char *message)
{
    char data[512];
    np_traffic *traffic;
    size_t length = npy(data, 1, header, items, bytes);
    assert_refused(parse(cube, data, length, NULL, &traffic), NP_ERROR_INPUT, message);
}

static void assert_tenths(const char *type, const void *item, size_t bytes)
{
    char header[128], data[256];
    const np_amount_options options = {.path = "d", .packet = "0.1"};
    snprintf(header, sizeof header, HEADER("%s", "False", "(1, 1)"), type);
    assert_demands(cube, data, npy(data, 1, header, item, bytes), &options, "0>0*3 ");
}

static void test_npy(void **state)
{
    static const double f8[] = {0, 1, 2, 0}, half[] = {0.5}, minus[] = {-1};
    static const float f4[] = {0, 1, 2, 0};
    static const uint8_t u1[] = {0, 1, 2, 0}, big[] = {0, 0, 0, 1, 0, 2, 0, 0}, f2[] = {0, 0, 0, 0x3c, 0, 0x40, 0, 0};
    static const int64_t i8[] = {0, 1, 2, 0}, negative[] = {-5};
    const char *want = "0>1 1>0*2 ";
    (void)state;
    assert_npy(1, HEADER("<f8", "False", "(2, 2)"), f8, sizeof f8, want);
    assert_npy(2, HEADER("<f4", "False", "(2, 2)"), f4, sizeof f4, want);
    assert_npy(3, HEADER("|u1", "False", "(2, 2)"), u1, sizeof u1, want);
    assert_npy(1, HEADER(">i2", "False", "(2, 2)"), big, sizeof big, want);
    assert_npy(1, HEADER("<f2", "False", "(2, 2)"), f2, sizeof f2, want);
    assert_npy(1, HEADER("<i8", "True", "(2, 2)"), i8, sizeof i8, "0>1*2 1>0 ");
    assert_npy(1, HEADER("|b1", "False", "(1, 4)"), (uint8_t[]){0, 1, 0, 1}, 4, "0>1 0>3 ");
    /* 0.3 in packets of 0.1, in doubles, floats and halves */
    assert_tenths("<f8", (double[]){0.3}, 8);
    assert_tenths("<f4", (float[]){0.3f}, 4);
    assert_tenths("<f2", (uint8_t[]){0xcd, 0x34}, 2);
    assert_bad_npy(HEADER("<f8", "False", "(1, 1)"), half, 8, "value '0.5' is no count");
    assert_bad_npy(HEADER("<f8", "False", "(1, 1)"), minus, 8, "d: item [0, 0] is -1: it must be 0 or more");
    assert_bad_npy(HEADER("<i8", "False", "(1, 1)"), negative, 8, "must be 0 or more");
    assert_bad_npy(HEADER("<f8", "False", "(3,)"), f8, 24, "must have two dimensions");
    assert_bad_npy(HEADER("<f8", "False", "(2, 2)"), f8, 31, "2 rows and 2 columns are promised, but 31 bytes follow");
    assert_bad_npy(HEADER("<c8", "False", "(1, 1)"), f8, 8, "items of type '<c8' are not read");
    assert_bad_npy("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1, 1), }", f8, 8, "records");
    assert_bad_npy(HEADER("<f8", "False", "(5, 5)"), (double[25]){0}, 200, "a matrix for 5 nodes");
    assert_bad_npy("{}", f8, 8, "lacks its type");
}

/*  h0 h1 - s = t - h2: hosts apart from switches, by names */
static void test_hosts_by_name(void **state)
{
    static const np_node from[] = {0, 1, 3, 4}, to[] = {3, 3, 4, 2}, host[] = {0, 1, 2};
    static const char *const name[] = {"h0", "h1", "h2", "s", "t"};
    const np_network_lists lists = {
        .nodes = 5, .links = 4, .from = from, .to = to, .undirected = true, .name = name, .hosts = 3, .host = host};
    const np_amount_options none = {.path = "d"};
    static const char list[] = "h0 h2 2\nh2 h1\n", dense[] = ",h0,h2\nh1,1,2\nh2,0,0\n",
                      sparse[] = "%%MatrixMarket matrix coordinate integer general\n3 3 1\n3 1 2\n",
                      nodes[] = "%%MatrixMarket matrix coordinate integer general\n5 5 1\n3 1 2\n",
                      bad[] = "%%MatrixMarket matrix coordinate integer general\n5 5 1\n4 1 2\n";
    np_network *network;
    np_traffic *traffic;
    (void)state;
    assert_ok(np_network_from_lists(&lists, &network));
    assert_demands(network, list, sizeof list - 1, &none, "0>2*2 2>1 ");
    assert_demands(network, dense, sizeof dense - 1, &none, "1>0 1>2*2 ");
    assert_demands(network, sparse, sizeof sparse - 1, &none, "2>0*2 ");
    assert_demands(network, nodes, sizeof nodes - 1, &none, "2>0*2 ");
    assert_refused(parse(network, bad, sizeof bad - 1, &none, &traffic), NP_ERROR_INPUT,
                   "d:3: entry (4,1): packets go from host to host, and this is a switch");
    assert_refused(parse(network, "h0 s\n", 5, &none, &traffic), NP_ERROR_INPUT,
                   "d:1: destination 's' is a switch: packets go from host to host, such as 'h0'");
    assert_refused(parse(network, "h0 h7\n", 6, &none, &traffic), NP_ERROR_INPUT,
                   "d:1: destination 'h7' is no node of the network: did you mean 'h0'?");
    np_network_free(network);
}

/* A matrix for fewer than all is for the first ones, and it is said; of all, nothing is. */
static void test_smaller_matrices(void **state)
{
    static const struct {
        const char *text, *note;
    } cases[] = {
        {"%%MatrixMarket matrix coordinate integer general\n2 2 1\n2 1 2\n", "it is for the first 2 of 4 terminals"},
        {"%%MatrixMarket matrix coordinate integer general\n2 3 1\n2 1 2\n", "it is for the first 3 of 4 terminals"},
        {"%%MatrixMarket matrix coordinate integer general\n4 4 1\n3 1 2\n", NULL},
        {"0.0,1,0\n1,0,0\n0,0,5\n", "it is for the first 3 of 4 terminals"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_traffic *traffic;
        assert_ok(parse(cube, cases[i].text, strlen(cases[i].text), NULL, &traffic));
        assert_true(!strstr(np_traffic_note(traffic), "first") == !cases[i].note);
        assert_true(!cases[i].note || strstr(np_traffic_note(traffic), cases[i].note));
        np_traffic_free(traffic);
    }
}

static void test_every_allocation(void **state)
{
    static const char *const texts[] = {"0 1 2 3\n", ",0,1\n2,1,0\n3,0,1\n", "src,dst\n0,1\n"};
    (void)state;
    for (size_t i = 0; i < 3; i++)
        for (long n = 1;; n++) {
            np_traffic *traffic;
            np_memory_fail_after(n);
            np_status st = parse(cube, texts[i], strlen(texts[i]), NULL, &traffic);
            np_memory_fail_after(0);
            if (st == NP_ERROR_MEMORY)
                continue;
            assert_int_equal(st, NP_OK);
            np_traffic_free(traffic);
            assert_true(n > 3);
            break;
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_packets_of_amounts), cmocka_unit_test(test_columns), cmocka_unit_test(test_dense),
        cmocka_unit_test(test_smaller_matrices),   cmocka_unit_test(test_savetxt), cmocka_unit_test(test_ambiguous),
        cmocka_unit_test(test_not_understood),     cmocka_unit_test(test_npy),     cmocka_unit_test(test_hosts_by_name),
        cmocka_unit_test(test_every_allocation),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
