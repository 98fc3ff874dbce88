/*
 * Packets over time: how often, how together, between whom, how long. Counts are held to 5 standard deviations of what
 * the definitions say, of fixed seeds.
 */
#include "support.h"

#include <math.h>

#include "model/traffic/arrivals.h"

static np_arrivals *arrivals_of(const np_network *network, const char *traffic, const char *process, double rate,
                                const char *length)
{
    np_arrivals_options options = {traffic, process, rate, length, 11, 0};
    np_arrivals *a;
    assert_ok(np_arrivals_create(network, &options, &a));
    return a;
}

/* What one terminal does in so many cycles. */
typedef struct life {
    uint64_t packets, cycles, busy, most, squares, flits; /* busy: cycles with arrivals; most: of one cycle */
} life;

static life live(const np_arrivals *a, np_node terminal, int64_t cycles)
{
    life l = {.cycles = (uint64_t)cycles};
    np_arrival next = {0};
    int64_t previous = -1;
    uint64_t here = 0;
    for (uint64_t k = 0; np_arrivals_next(a, terminal, k, previous, &next) && next.time < cycles; k++) {
        assert_true((int64_t)next.time >= previous);
        here = (int64_t)next.time == previous ? here + 1 : 1;
        l.busy += here == 1;
        l.most = here > l.most ? here : l.most;
        l.squares += 2 * here - 1;
        l.packets++;
        l.flits += next.flits;
        previous = next.time;
    }
    return l;
}

static void assert_near(double got, double want, double deviation, const char *what)
{
    if (fabs(got - want) > 5 * deviation)
        fail_msg("%s: %g, not %g", what, got, want);
}

enum { CYCLES = 400000 };

static void test_bernoulli(void **state)
{
    static const double rates[] = {0.001, 0.3, 0.95, 1};
    np_network *network = support_network("ring:4");
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        np_arrivals *a = arrivals_of(network, "uniform", "bernoulli", rates[i], NULL);
        life l = live(a, 2, CYCLES);
        assert_near((double)l.packets, rates[i] * CYCLES, sqrt(rates[i] * (1 - rates[i]) * CYCLES), "packets");
        assert_true(l.most == 1 && l.flits == l.packets);
        np_arrivals_free(a);
    }
    np_network_free(network);
}

/* Cycles without arrivals are e^-rate of all; the mean square of a cycle's number is rate + rate^2. */
static void test_poisson(void **state)
{
    static const double rates[] = {0.01, 0.5, 3, 20};
    np_network *network = support_network("ring:4");
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        double r = rates[i], idle = exp(-r);
        np_arrivals *a = arrivals_of(network, "uniform", "poisson", r, NULL);
        life l = live(a, 1, CYCLES);
        assert_near((double)l.packets, r * CYCLES, sqrt(r * CYCLES), "packets");
        assert_near((double)(CYCLES - l.busy), idle * CYCLES, sqrt(idle * (1 - idle) * CYCLES) + 1, "idle cycles");
        double fourth = r * (1 + 7 * r + 6 * r * r + r * r * r), square = r + r * r;
        assert_near((double)l.squares, square * CYCLES, sqrt((fourth - square * square) * CYCLES), "squares");
        np_arrivals_free(a);
    }
    np_network_free(network);
}

static void test_periodic(void **state)
{
    np_network *network = support_network("ring:8");
    np_arrivals *a = arrivals_of(network, "uniform", "periodic", 0.3, NULL);
    uint64_t phases = 0;
    (void)state;
    for (np_node t = 0; t < 8; t++) {
        np_arrival next, before = {0};
        assert_true(np_arrivals_next(a, t, 0, -1, &next));
        assert_true(next.time <= 3);
        phases |= UINT64_C(1) << next.time;
        for (uint64_t k = 1; k < 1000; k++) {
            before = next;
            assert_true(np_arrivals_next(a, t, k, before.time, &next));
            assert_true(next.time - before.time == 3 || next.time - before.time == 4);
        }
        assert_near((double)next.time, 999 / 0.3, 1, "the last of a thousand");
    }
    assert_true(phases & (phases - 1)); /* not all at once */
    np_arrivals_free(a);
    np_network_free(network);
}

/* With ON = OFF = 50 and the rate 0.5 a source sends in every cycle that it is on, for 50 cycles on average. */
static void test_on_off(void **state)
{
    np_network *network = support_network("ring:4");
    np_arrivals *a = arrivals_of(network, "uniform", "on-off:50,50", 0.5, NULL);
    np_arrival next = {0};
    int64_t previous = -1;
    uint64_t bursts = 0, packets = 0;
    (void)state;
    for (; np_arrivals_next(a, 0, packets, previous, &next) && next.time < CYCLES; packets++) {
        bursts += next.time != previous + 1;
        previous = next.time;
    }
    assert_near((double)bursts, CYCLES / 100.0, sqrt(CYCLES / 100.0), "bursts");
    assert_near((double)packets, CYCLES / 2.0, sqrt(CYCLES * 50.0), "packets");
    np_arrivals_free(a);
    a = arrivals_of(network, "uniform", "on-off:20,80", 0.05, NULL);
    life l = live(a, 3, CYCLES);
    assert_near((double)l.packets, 0.05 * CYCLES, sqrt(0.05 * CYCLES * 10), "packets");
    np_arrivals_free(a);
    np_network_free(network);
}

/* count[to] of the first packets of a terminal. */
static void count_destinations(const np_arrivals *a, np_node terminal, uint64_t packets, uint64_t *count)
{
    np_arrival next = {0};
    memset(count, 0, 64 * sizeof *count);
    for (uint64_t k = 0; k < packets; k++) {
        assert_true(np_arrivals_next(a, terminal, k, k ? (int64_t)next.time : -1, &next));
        assert_true(next.to < 64);
        count[next.to]++;
    }
}

static void test_destinations(void **state)
{
    uint64_t count[64];
    np_network *network = support_network("mesh:4x4");
    np_arrivals *a = arrivals_of(network, "uniform", "bernoulli", 0.5, NULL);
    (void)state;
    count_destinations(a, 5, 16000, count);
    for (np_node v = 0; v < 16; v++)
        assert_near((double)count[v], 1000, sqrt(1000), "uniform");
    np_arrivals_free(a);
    a = arrivals_of(network, "complement", "bernoulli", 0.5, NULL);
    count_destinations(a, 5, 100, count);
    assert_int_equal(count[10], 100);
    np_arrivals_free(a);
    a = arrivals_of(network, "hotspot:3:0.5", "bernoulli", 0.5, NULL);
    count_destinations(a, 5, 16000, count);
    assert_near((double)count[3], 8500, sqrt(4000), "the hot spot");
    assert_near((double)count[7], 500, sqrt(500), "another one");
    np_arrivals_free(a);
    np_network_free(network);
    network = support_network("dragonfly:a=2,p=2,h=1"); /* 3 groups of 4 hosts */
    a = arrivals_of(network, "adversarial", "bernoulli", 0.5, NULL);
    count_destinations(a, 9, 4000, count);
    for (np_node v = 0; v < 12; v++)
        assert_near((double)count[v], v < 4 ? 1000 : 0, v < 4 ? sqrt(1000) : 0.1, "the next group");
    np_arrivals_free(a);
    np_network_free(network);
}

/* What flows on average, of each pair of terminals at rate 1: the weight, times how often the pair is there. */
static void test_mean(void **state)
{
    static const struct {
        const char *network, *traffic;
        double share; /* of a packet that goes from terminal 1 to terminal 0 */
        np_packet packets;
    } cases[] = {{"ring:12", "uniform", 1.0 / 12, 132},
                 {"ring:12", "intra-group:4", 1.0 / 4, 36},
                 {"ring:12", "inter-group:1", 1.0 / 11, 132},
                 {"butterfly-io:3", "uniform", 1.0 / 8, 64},
                 {"ring:12", "incast:0", 1, 11}};
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        np_network *network = support_network(cases[c].network);
        np_arrivals *a = arrivals_of(network, cases[c].traffic, "bernoulli", 0.5, NULL);
        np_traffic *mean;
        double weight, share = 0;
        bool exact;
        assert_ok(np_arrivals_mean(a, &mean, &weight, &exact));
        assert_true(exact);
        assert_int_equal(np_traffic_packets(mean), cases[c].packets);
        for (np_packet i = 0; i < np_traffic_packets(mean); i++)
            if (np_traffic_sources(mean)[i] == np_network_input(network, 1) &&
                np_traffic_destinations(mean)[i] == np_network_output(network, 0))
                share += weight;
        assert_true(fabs(share - cases[c].share) < 1e-12);
        np_traffic_free(mean);
        np_arrivals_free(a);
        np_network_free(network);
    }
}

/* Terminal 0 has 3 packets to 1 and 1 to 2; terminal 3 has 2 to 0; 1 and 2 send nothing. */
static void test_demands(void **state)
{
    char path[] = "/tmp/netpram-test-XXXXXX", spec[64];
    uint64_t count[64];
    np_arrival next = {0};
    np_network *network = support_network("ring:4");
    FILE *file = fdopen(mkstemp(path), "w");
    (void)state;
    fputs("0 1\n0 1\n0 1\n0 2\n3 0\n3 0\n", file);
    fclose(file);
    snprintf(spec, sizeof spec, "file:%s", path);
    np_arrivals *a = arrivals_of(network, spec, "bernoulli", 0.4, "2-6"), *half;
    remove(path);
    count_destinations(a, 0, 8000, count);
    assert_near((double)count[1], 6000, sqrt(1500), "the demand of 3");
    assert_int_equal(count[1] + count[2], 8000);
    assert_false(np_arrivals_next(a, 1, 0, -1, &next));
    assert_true(np_arrivals_share(a, 0) == 1 && np_arrivals_share(a, 3) == 0.5 && np_arrivals_share(a, 2) == 0);
    assert_true(np_arrivals_shares(a) == 1.5 && np_arrivals_length(a) == 4 && np_arrivals_length_max(a) == 6);
    life l = live(a, 3, CYCLES);
    assert_near((double)l.packets, 0.2 * CYCLES, sqrt(0.16 * CYCLES), "half of the rate");
    assert_near((double)l.flits, 4 * (double)l.packets, sqrt(2 * (double)l.packets), "flits");
    assert_ok(np_arrivals_at(a, 0.1, 3, &half));
    l = live(half, 0, CYCLES);
    assert_near((double)l.packets, 0.1 * CYCLES, sqrt(0.09 * CYCLES), "another rate");
    np_arrivals_free(half);
    np_arrivals_free(a);
    np_network_free(network);
}

static void test_refusals(void **state)
{
    static const struct {
        const char *traffic, *process, *length, *text;
        double rate;
        np_status status;
    } cases[] = {
        {"uniform", "bernouli", NULL, "write bernoulli, poisson, periodic or on-off:ON,OFF", 0.1, NP_ERROR_INPUT},
        {"uniform", "poisson:3", NULL, "write bernoulli", 0.1, NP_ERROR_INPUT},
        {"uniform", "on-off", NULL, "write bernoulli", 0.1, NP_ERROR_INPUT},
        {"uniform", "on-off:5", NULL, "as in on-off:20,80", 0.1, NP_ERROR_INPUT},
        {"uniform", "on-off:0.5,3", NULL, "1 or more each", 0.1, NP_ERROR_INPUT},
        {"uniform", "on-off:10,30", NULL, "on-off give 0.25 at most", 0.3, NP_ERROR_INPUT},
        {"uniform", "bernoulli", NULL, "bernoulli give 1 at most", 1.5, NP_ERROR_INPUT},
        {"uniform", "bernoulli", "0", "write flits, 1..65535", 0.1, NP_ERROR_INPUT},
        {"uniform", "bernoulli", "8-1", "write flits, 1..65535", 0.1, NP_ERROR_INPUT},
        {"uniform", "bernoulli", "3x", "write flits, 1..65535", 0.1, NP_ERROR_INPUT},
        {"adversarial", "bernoulli", NULL, "is for dragonflies, HyperX and tori", 0.1, NP_ERROR_APPLY},
        {"partial:0", "bernoulli", NULL, "has no packet", 0.1, NP_ERROR_INPUT},
        {"nonsense", "bernoulli", NULL, "nonsense", 0.1, NP_ERROR_INPUT},
    };
    np_network *network = support_network("mesh:3x3");
    np_arrivals *a;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_arrivals_options options = {cases[i].traffic, cases[i].process, cases[i].rate, cases[i].length, 1, 0};
        assert_refused(np_arrivals_create(network, &options, &a), cases[i].status, cases[i].text);
        assert_null(a);
    }
    np_network_free(network);
}

/* Arrivals side by side are those that are asked for one by one: many numbers, so that all parts of the table are met.
 */
static void test_side_by_side(void **state)
{
    static const double rates[] = {0.002, 0.0371, 0.15, 0.5, 0.97, 1};
    enum { TIMES = 4000 };
    np_network *network = support_network("ring:5");
    np_arrivals_which which[NP_RANDOM_LANES];
    np_arrival some[NP_RANDOM_LANES], one;
    (void)state;
    for (size_t r = 0; r < sizeof rates / sizeof *rates; r++) {
        np_arrivals *a = arrivals_of(network, "uniform", "bernoulli", rates[r], "2-7");
        assert_true(np_arrivals_usual(a));
        for (uint64_t t = 0; t < TIMES; t++) {
            uint64_t far = t % 3 ? 0 : UINT64_C(5) << 32; /* numbers above 2^32, too */
            size_t count = 1 + t % NP_RANDOM_LANES;
            for (size_t i = 0; i < count; i++)
                which[i] = (np_arrivals_which){.terminal = (np_node)(i % 5), .k = far + 16 * t + i};
            np_arrivals_next_some(a, count, which, (int64_t)t, some);
            for (size_t i = 0; i < count; i++) {
                one = (np_arrival){0};
                assert_int_equal(which[i].more, np_arrivals_next(a, which[i].terminal, which[i].k, (int64_t)t, &one));
                if (which[i].more)
                    assert_memory_equal(&one, &some[i], sizeof one);
            }
        }
        np_arrivals_free(a);
    }
    np_network_free(network);
}

/* Others are not asked for side by side. */
static void test_unusual(void **state)
{
    static const char *const cases[][2] = {{"tornado", "bernoulli"}, {"uniform", "poisson"}, {"uniform", "periodic"}};
    np_network *network = support_network("torus:4x4");
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        np_arrivals *a = arrivals_of(network, cases[i][0], cases[i][1], 0.1, NULL);
        assert_false(np_arrivals_usual(a));
        np_arrivals_free(a);
    }
    np_network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bernoulli), cmocka_unit_test(test_poisson),      cmocka_unit_test(test_periodic),
        cmocka_unit_test(test_on_off),    cmocka_unit_test(test_destinations), cmocka_unit_test(test_demands),
        cmocka_unit_test(test_mean),      cmocka_unit_test(test_refusals),     cmocka_unit_test(test_side_by_side),
        cmocka_unit_test(test_unusual),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
