/* The three properties for the phases of schemes. */
#define _GNU_SOURCE /* open_memstream */
#include "support.h"

#include "base/memory.h"
#include "netpram/theory.h"

static np_check_options quick(void)
{
    np_check_options options;
    np_check_options_init(&options);
    options.runs = 40;
    return options;
}

/* What each scheme of the paper has, on a small network of its own: section 4, section 6, section 7. */
static void schemes(void **state)
{
    static const struct {
        const char *spec, *scheme;
        size_t phases;
        const char *first, *last;
        bool uniform;
        np_check_verdict nonrepeating, symmetric;
    } cases[] = {
        {"hypercube:4", "cubes", 2, "A", "B", true, NP_CHECK_HOLDS, NP_CHECK_HOLDS},
        {"hypercube:4", "valiant", 2, "A", "B", true, NP_CHECK_HOLDS, NP_CHECK_HOLDS},
        {"hypercube:4", "cubess", 2, "A", "B", true, NP_CHECK_UNREFUTED, NP_CHECK_UNREFUTED},
        {"hypercube:4", "basic", 2, "A", "B", true, NP_CHECK_FAILS, NP_CHECK_UNREFUTED},
        {"shuffle:2x3", "mshuffle", 2, "A", "B", true, NP_CHECK_FAILS, NP_CHECK_FAILS},
        {"shuffle:2x3", "shuffle", 2, "A", "B", true, NP_CHECK_FAILS, NP_CHECK_FAILS},
        {"ccc:3", "ccc", 2, "A", "B", true, NP_CHECK_HOLDS, NP_CHECK_FAILS},
        {"shuffle-exchange:3", "shuffle-exchange", 2, "A", "B", true, NP_CHECK_FAILS, NP_CHECK_FAILS},
        /* Not uniform: a packet stays in its column, a link serves only some of the packets, or few of all links. */
        {"mesh:5x4", "grid", 3, "A", "B", false, NP_CHECK_HOLDS, NP_CHECK_FAILS},
        {"hypercube:4", "complement", 2, "A", "B", false, NP_CHECK_HOLDS, NP_CHECK_FAILS},
        {"hypercube:4", "greedy", 1, "route", "route", false, NP_CHECK_HOLDS, NP_CHECK_FAILS},
    };
    np_check_options options = quick();
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_network *network = support_network(cases[i].spec);
        np_check_scheme_result *result;
        assert_ok(np_check_scheme(network, cases[i].scheme, NULL, &options, &result));
        assert_string_equal(result->scheme, cases[i].scheme);
        assert_int_equal(result->phases, cases[i].phases);
        assert_string_equal(result->phase[0].name, cases[i].first);
        assert_string_equal(result->phase[result->phases - 1].name, cases[i].last);
        assert_int_equal(result->uniform, cases[i].uniform);
        for (size_t p = 0; p < result->phases; p++) {
            assert_int_equal(result->phase[p].oblivious, NP_CHECK_UNREFUTED);
            if (result->phase[p].nonrepeating != cases[i].nonrepeating ||
                result->phase[p].symmetric != cases[i].symmetric)
                fail_msg("%s on %s, phase %s: nonrepeating: %s, symmetric: %s", cases[i].scheme, cases[i].spec,
                         result->phase[p].name, np_check_verdict_name(result->phase[p].nonrepeating),
                         np_check_verdict_name(result->phase[p].symmetric));
        }
        assert_int_equal(result->fails,
                         cases[i].nonrepeating == NP_CHECK_FAILS || cases[i].symmetric == NP_CHECK_FAILS);
        np_check_scheme_result_free(result);
        np_network_free(network);
    }
}

/* The traffic of the grid's phases is their own: A and B move along columns, Z along rows. */
static void traffic_of_grid_phases(void **state)
{
    np_network *network = support_network("mesh:6x6");
    np_check_options options = quick();
    np_check_scheme_result *result;
    (void)state;
    options.runs = 300;
    assert_ok(np_check_scheme(network, "grid", NULL, &options, &result));
    for (size_t p = 0; p < 3; p++) {
        const np_check_symmetric_result *traffic = &result->phase[p].symmetric_result;
        np_node tail = np_network_link_tail(network, traffic->max_link);
        np_node head = np_network_link_head(network, traffic->max_link);
        bool along_row = tail / 6 == head / 6;
        assert_true(traffic->min == 0 && !traffic->exact);
        assert_int_equal(along_row, p == 1);
        /*
         * A: each link of a column is crossed by (i+1) (5-i) of the 36 pairs (from, to), a packet a from: traffic
         * (i+1) (5-i) / 6, mean 35/30; half of all links are in columns: 35/60 over all.
         */
        if (p == 0)
            assert_true(traffic->mean > 0.55 && traffic->mean < 0.62);
    }
    np_check_scheme_result_free(result);
    np_network_free(network);
}

/* Too few packets a link: no verdict, rather than a bad one. */
static void undecided(void **state)
{
    np_network *network = support_network("hypercube:6");
    np_check_options options = quick();
    np_check_scheme_result *result;
    (void)state;
    options.runs = 9; /* 4.5 packets a link */
    assert_ok(np_check_scheme(network, "cubess", NULL, &options, &result));
    assert_int_equal(result->phase[0].symmetric, NP_CHECK_UNDECIDED);
    assert_false(result->fails);
    np_check_scheme_result_free(result);
    options.runs = 11;
    assert_ok(np_check_scheme(network, "cubess", NULL, &options, &result));
    assert_int_equal(result->phase[0].symmetric, NP_CHECK_UNREFUTED);
    np_check_scheme_result_free(result);
    np_network_free(network);
}

static void names(void **state)
{
    np_network *ring = support_network("ring:7");
    np_check_options options = quick();
    np_check_scheme_result *result;
    (void)state;
    assert_ok(np_check_scheme(ring, NULL, NULL, &options, &result));
    assert_string_equal(result->scheme, "valiant");
    assert_string_equal(result->paths, "dimension-order");
    assert_false(result->fails);
    np_check_scheme_result_free(result);
    assert_ok(np_check_scheme(ring, NULL, "cayley", &options, &result));
    assert_string_equal(result->scheme, "greedy");
    assert_string_equal(result->paths, "cayley");
    np_check_scheme_result_free(result);
    assert_refused(np_check_scheme(ring, "cubes", NULL, NULL, &result), NP_ERROR_APPLY, "ring:7");
    assert_null(result);
    assert_refused(np_check_scheme(ring, "valian", NULL, NULL, &result), NP_ERROR_INPUT, "'valiant'");
    options.runs = 0;
    assert_refused(np_check_scheme(ring, NULL, NULL, &options, &result), NP_ERROR_INPUT, "runs 0");
    assert_null(result);
    np_check_scheme_result_free(NULL);
    np_network_free(ring);
}

/* The report: a witness in words and in JSON; the same bytes each time. */
static void reports(void **state)
{
    np_network *network = support_network("shuffle:2x3");
    np_check_options options = quick();
    np_report_options report = {
        .size = sizeof(np_report_options), .format = NP_REPORT_TABLE, .command = "netpram check"};
    np_check_scheme_result *result;
    char *text;
    size_t size;
    (void)state;
    assert_ok(np_check_scheme(network, "mshuffle", NULL, &options, &result));
    for (int format = NP_REPORT_TABLE; format <= NP_REPORT_JSON; format++) {
        FILE *stream = open_memstream(&text, &size);
        report.format = (np_report_format)format;
        assert_ok(np_report_check(result, &report, stream));
        fclose(stream);
        if (format == NP_REPORT_TABLE) {
            assert_non_null(strstr(text, "6->3, 1->4: hops 0, 2 from 6 to 4; 2, 0 from 1 to 3 "
                                         "(only in opposite orders)"));
            assert_non_null(strstr(text, "0->0 least, 1->4 most\n"));
            assert_non_null(strstr(text, "A          0  0.9219  1.375  exact\n"));
            assert_non_null(strstr(text, "\nrepeat   netpram check\n"));
        } else {
            assert_non_null(strstr(text, "\"one\": {\"from\": 6, \"to\": 4, \"packet\": 52, \"first\": 0, "
                                         "\"second\": 2}"));
            assert_non_null(strstr(text, "\"in_order\": true"));
        }
        free(text);
    }
    report.format = NP_REPORT_CSV;
    text = NULL;
    FILE *stream = open_memstream(&text, &size);
    assert_ok(np_report_check(result, &report, stream));
    fclose(stream);
    assert_string_equal(
        text,
        "network,scheme,paths,seed,uniform,phase,oblivious,nonrepeating,symmetric,exact,mean,min,max,p\n"
        "shuffle:2x3,mshuffle,shortest-shift,1,true,A,not refuted,does not hold,does not hold,true,0.921875,0,1.375,\n"
        "shuffle:2x3,mshuffle,shortest-shift,1,true,B,not refuted,does not hold,does not "
        "hold,true,0.921875,0,1.375,\n");
    free(text);
    np_check_scheme_result_free(result);
    np_network_free(network);
}

static void no_memory(void **state)
{
    np_network *network = support_network("mesh:3x3");
    np_check_options options = quick();
    np_check_scheme_result *result;
    np_status st = NP_ERROR_MEMORY;
    long n;
    (void)state;
    options.runs = 1;
    for (n = 0; st; n++) {
        np_memory_fail_after(n + 1);
        st = np_check_scheme(network, NULL, NULL, &options, &result);
        assert_true(st == NP_OK || st == NP_ERROR_MEMORY);
        np_check_scheme_result_free(result);
    }
    np_memory_fail_after(0);
    assert_true(n > 20);
    np_network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schemes),   cmocka_unit_test(traffic_of_grid_phases),
        cmocka_unit_test(undecided), cmocka_unit_test(names),
        cmocka_unit_test(reports),   cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
