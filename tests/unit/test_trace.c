/*
 * Packets with their times from a file: read back by number, in any order, against the list from which the file was
 * written; refusals with the number of the line; and latencies of a small trace, counted by hand.
 */
#include "support.h"

#include <math.h>

#include "model/traffic/trace.h"
#include "netpram/load.h"

enum { LINES = 150000, TERMINALS = 6 }; /* more than a piece of the file has, and more than a block of a terminal */

typedef struct line {
    uint32_t time, source, destination, size;
} line;

static char path[64];

static void write_file(const char *head, size_t lines, const line *l)
{
    snprintf(path, sizeof path, "/tmp/netpram-test-XXXXXX");
    FILE *file = fdopen(mkstemp(path), "w");
    fputs(head, file);
    for (size_t i = 0; i < lines; i++)
        fprintf(file, "%u,%u,%u,%u\n", l[i].time, l[i].source, l[i].destination, l[i].size);
    fclose(file);
}

static line *make_lines(void)
{
    line *l = malloc(LINES * sizeof *l);
    uint32_t x = 1, time = 0;
    for (size_t i = 0; i < LINES; i++) {
        x = x * 1664525 + 1013904223;
        time += x >> 30;
        /* terminal 5 sends once */
        l[i] = (line){time, i == 777 ? 5 : (x >> 20) % 5, (x >> 10) % TERMINALS, 1 + (x >> 5) % 3};
    }
    return l;
}

static void check_packet(np_trace *trace, const line *l, uint64_t k, uint32_t flits)
{
    np_arrival got;
    assert_true(np_trace_next(trace, l->source, k, &got));
    assert_int_equal(got.time, l->time);
    assert_int_equal(got.to, l->destination);
    assert_int_equal(got.flits, flits);
}

static void test_packets_by_number(void **state)
{
    np_network *ring = support_network("ring:6");
    line *l = make_lines();
    (void)state;
    write_file("time,source,destination,size\n", LINES, l);
    for (int single = 0; single < 2; single++) {
        uint64_t made[TERMINALS] = {0}, flits[TERMINALS] = {0};
        np_arrival got;
        np_trace *trace;
        assert_ok(np_trace_open(path, ring, single, &trace));
        for (size_t i = 0; i < LINES; i++) {
            for (uint32_t j = 0; j < (single ? l[i].size : 1); j++)
                check_packet(trace, &l[i], made[l[i].source]++, single ? 1 : l[i].size);
            flits[l[i].source] += l[i].size;
        }
        for (np_node t = 0; t < TERMINALS; t++) {
            assert_int_equal(np_trace_flits(trace, t), flits[t]);
            assert_false(np_trace_next(trace, t, made[t], &got));
        }
        for (size_t i = LINES; i-- > 0;) /* from behind, too */
            check_packet(trace, &l[i], made[l[i].source] -= single ? l[i].size : 1, single ? 1 : l[i].size);
        assert_int_equal(np_trace_total(trace).last, l[LINES - 1].time);
        assert_int_equal(np_trace_total(trace).longest, single ? 1 : 3);
        assert_ok(np_trace_status(trace));
        np_trace_free(trace);
    }
    remove(path);
    free(l);
    np_network_free(ring);
}

static void test_refusals(void **state)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "no packets"},
        {"time,source,destination\n", "no packets"},
        {"0,1,2\n", ":1: a trace begins with a line of the names of its columns"},
        {"source,destination,size\n0,1,2\n", ":1: a trace begins with"},
        {"time,source,destination,bytes\n", ":1: column 'bytes' is not known"},
        {"time,time,source,destination\n", ":1: columns 'time' and 'time' say the same: keep one"},
        {"source,time,destination,start\n", ":1: columns 'time' and 'start' say the same: keep one"},
        {"time,from,source,destination\n", ":1: columns 'source' and 'from' say the same: keep one"},
        {"time,source,destination,size,flits\n", ":1: columns 'size' and 'flits' say the same: keep one"},
        {"time,source,destination\n5,0,1\n5,0,1\n4,0,1\n", ":4: time 4 stands behind time 5: sort the lines"},
        {"time,source,destination\n1.5,0,1\n", ":2: "},
        {"time,source,destination\n-1,0,1\n", ":2: "},
        {"time,source,destination\n4000000001,0,1\n", ":2: time 4000000001 is out of range 0..4000000000"},
        {"time,source,destination\n1,0,6\n", ":2: "},
        {"time,source,destination\n1,0\n", ":2: "},
        {"time,source,destination,size\n\n# none\n1,0,1,0\n", ":4: "},
        {"time,source,destination,size\n1,0,1,65536\n", ":2: "},
        {"time,source,destination\n1,0,1\n2,\001,1\n", ":3: a character that no text has"},
    };
    np_network *ring = support_network("ring:6");
    np_trace *trace;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_file(cases[i].text, 0, NULL);
        assert_refused(np_trace_open(path, ring, false, &trace), NP_ERROR_INPUT, cases[i].message);
        assert_null(trace);
        remove(path);
    }
    assert_refused(np_trace_open("", ring, false, &trace), NP_ERROR_INPUT, "traffic 'trace' lacks the file");
    assert_refused(np_trace_open("/no/such/file", ring, false, &trace), NP_ERROR_IO, "cannot open /no/such/file");
    np_network_free(ring);
}

/* The line is known far behind the first piece of the file, too. */
static void test_late_refusal(void **state)
{
    np_network *ring = support_network("ring:6");
    line *l = make_lines();
    np_trace *trace;
    (void)state;
    l[140000].time = 1;
    write_file("time,source,destination,size\n", LINES, l);
    assert_refused(np_trace_open(path, ring, false, &trace), NP_ERROR_INPUT, ":140002: time 1 stands behind");
    remove(path);
    free(l);
    np_network_free(ring);
}

/*
 * On ring 0 - 1 - 2 - 3 - 4 - 0, in whole steps: three packets wait for the link from 0 to 1 and take 1, 2 and 3 steps;
 * one goes from 4 to 1 by way of 0 at time 2, when the third has left at time 2 and is at 1 at time 3: it is at 0 at
 * time 3, and at 1 at time 4. One is for its own node.
 */
static void test_latencies(void **state)
{
    static const line l[] = {{0, 0, 1, 1}, {0, 0, 1, 2}, {2, 4, 1, 1}, {9, 3, 3, 1}};
    np_network *ring = support_network("ring:5");
    np_load_result *result;
    char spec[80];
    (void)state;
    write_file("time,source,destination,size\n", 4, l);
    snprintf(spec, sizeof spec, "trace:%s", path);
    assert_ok(np_load(ring, spec, NULL, &result));
    const np_load_point *p = result->curve->points;
    assert_int_equal(result->curve->count, 1);
    assert_int_equal(p->packets, 5);
    assert_true(p->latency.mean == (1 + 2 + 3 + 2 + 0) / 5.0 && p->latency.max == 3 && p->latency.p50 == 2);
    assert_true(p->hops == (1 + 1 + 1 + 2 + 0) / 5.0);
    assert_int_equal(p->measured, 10);
    assert_true(p->offered == p->accepted && fabs(p->offered - 3.0 / 10) < 1e-12); /* of terminal 0 */
    assert_true(p->fairness == 1 && p->reached && !p->saturated);
    np_load_free(result);
    remove(path);
    np_network_free(ring);
}

static void test_same_for_any_threads(void **state)
{
    np_network *torus = support_network("torus:2x3");
    line *l = make_lines();
    np_load_latency seen = {.mean = 0};
    char spec[80];
    (void)state;
    write_file("time,source,destination,size\n", 20000, l);
    snprintf(spec, sizeof spec, "trace:%s", path);
    for (unsigned threads = 1; threads <= 7; threads += 3) {
        np_load_options options;
        np_load_result *result;
        np_load_options_init(&options);
        options.threads = threads;
        assert_ok(np_load(torus, spec, &options, &result));
        np_load_latency got = result->curve->points->latency;
        got.ci95 = 0;
        if (threads == 1)
            seen = got;
        assert_memory_equal(&got, &seen, sizeof got);
        np_load_free(result);
    }
    remove(path);
    free(l);
    np_network_free(torus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_packets_by_number),    cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_late_refusal),         cmocka_unit_test(test_latencies),
        cmocka_unit_test(test_same_for_any_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
