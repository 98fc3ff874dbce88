/* The search with paths: an exact linear program, its certificate, threads, closed forms. */
#include "support.h"

#include <math.h>
#include <unistd.h>

#include "base/memory.h"
#include "oracle/certificate.h"
#include "oracle/concurrent.h"
#include "verdict/throughput/columns.h"

static np_throughput *find(const char *spec, const char *demands, double gap, unsigned threads, const char *certificate)
{
    np_network *network = support_network(spec);
    np_traffic *traffic = support_traffic(network, demands, 1);
    np_throughput_options options;
    np_throughput *r;
    np_throughput_options_init(&options);
    options.gap = gap;
    options.threads = threads;
    options.certificate = certificate;
    assert_ok(np_throughput_find(network, traffic, &options, &r));
    np_traffic_free(traffic);
    np_network_free(network); /* the result is asked for numbers only */
    return r;
}

/* ---- An exact linear program ---- */

/* What the certificate's checker makes of the paths. */
static double work_out(const np_concurrent *s, const np_network *network, const np_traffic *traffic)
{
    np_certificate certificate = {.length = s->best_length};
    np_claim claim;
    assert_ok(np_path_columns_write(s, &certificate));
    assert_ok(np_claim_init(&claim, network, traffic));
    assert_ok(np_claim_work_out(&claim, &certificate, NULL));
    double low = np_exact_ratio(certificate.low_top, certificate.low_bottom, false);
    np_claim_clear(&claim);
    np_certificate_clear_low(&certificate);
    return low;
}

static void check_instance(const np_problem *p, const np_network *network, const np_traffic *traffic)
{
    np_throughput_options options;
    np_throughput_bounds bounds;
    np_concurrent s;
    np_pass first;
    double exact = oracle_concurrent(network, traffic);
    np_throughput_options_init(&options);
    options.threads = 1;
    assert_ok(np_concurrent_init(&s, p, &options));
    assert_ok(np_concurrent_bounds(&s, &bounds, &first));
    np_concurrent_begin(&s, &first);
    for (int i = 0; i < 1000 && (s.high - s.low) / s.high > 0.001; i++)
        assert_ok(np_path_columns_iterate(&s));
    assert_true((s.high - s.low) / s.high <= 0.001 && s.by_columns);
    assert_true(s.low <= exact * (1 + 1e-11) && s.high >= exact * (1 - 1e-11));
    double low = work_out(&s, network, traffic);
    assert_true(low <= exact * (1 + 1e-11) && low >= s.low * (1 - 1e-4));
    np_concurrent_clear(&s);
}

static void linear_program(void **state)
{
    (void)state;
    int moved = 0;
    for (uint64_t seed = 1; seed <= SUPPORT_SAMPLE(100U); seed++) {
        np_network *network;
        np_traffic *traffic;
        np_problem problem;
        oracle_concurrent_draw(seed, &network, &traffic);
        assert_ok(np_problem_init(&problem, network, traffic));
        if (problem.packets) {
            check_instance(&problem, network, traffic);
            moved++;
        }
        np_problem_clear(&problem);
        np_traffic_free(traffic);
        np_network_free(network);
    }
    assert_true(moved > SUPPORT_FEWER(90, 20));
}

/* ---- Networks ---- */

static void closed_forms(void **state)
{
    (void)state;
    static const struct {
        const char *network, *traffic;
        double factor;
    } cases[] = {
        {"complete:64", "rotation:1", 32},       /* 63 links: 1 packet takes one hop, 31 take two */
        {"ring:151", "rotation:1", 151.0 / 150}, /* 1 packet forwards, 1/150 backwards */
        {"kary-tree:4x3", "rotation:21", 1},     /* the link of a host */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_throughput *r = find(cases[i].network, cases[i].traffic, 0.01, 1, NULL);
        assert_true(r->reached && r->factor.low <= r->factor.high);
        assert_true(r->factor.low <= cases[i].factor && cases[i].factor <= r->factor.high * (1 + 1e-12));
        np_throughput_free(r);
    }
}

static void same_for_any_threads(void **state)
{
    (void)state;
    np_throughput *first = find("jellyfish:128,8", "random", 0.01, 1, NULL);
    assert_true(first->reached && first->iterations > 4);
    for (unsigned threads = 2; threads <= 7; threads += 5) {
        np_throughput *r = find("jellyfish:128,8", "random", 0.01, threads, NULL);
        assert_memory_equal(&r->factor, &first->factor, sizeof r->factor);
        assert_memory_equal(&r->mean_hops, &first->mean_hops, sizeof r->mean_hops);
        assert_int_equal(r->iterations, first->iterations);
        np_throughput_free(r);
    }
    np_throughput_free(first);
}

/* The bits on every processor. */
static void same_everywhere(void **state)
{
    (void)state;
    char text[80];
    np_throughput *r = find("torus:12x12", "random", 0.02, 1, NULL);
    snprintf(text, sizeof text, "%.17g %.17g %u", r->factor.low, r->factor.high, r->iterations);
    assert_string_equal(text, "0.54946130293329265 0.55813953488372103 17");
    np_throughput_free(r);
}

/* ---- The certificate ---- */

static np_status verify(np_throughput_proof **proof)
{
    return np_throughput_verify(certificate_path(), 0, (np_watch){0}, proof);
}

static void certificate(void **state)
{
    (void)state;
    np_throughput_proof *proof;
    np_throughput *r = find("jellyfish:128,8", "random", 0.01, 1, certificate_path());
    assert_true(r->reached);
    assert_ok(verify(&proof));
    assert_memory_equal(&proof->factor, &r->factor, sizeof r->factor);
    assert_int_equal(proof->flows, 0);
    assert_true(proof->paths > 128);
    np_throughput_proof_free(proof);
    np_throughput_free(r);
    unlink(certificate_path());
}

/* A figure that is changed, with a digest that fits, proves something else or nothing. */
static void forged(void **state)
{
    (void)state;
    static const struct {
        const char *member, *message;
    } cases[] = {
        {"\"high\": [", "it claims an upper bound"},
        {"\"low\": [", "it claims a lower bound"},
        {"\"paths_of_demands\": [", ""},
        {"\"weights\": [", "their weights are not what a packet is in all"},
        {"\"hops\": [", "does not lead there"},
        {"\"path_arcs\": [", "does not lead there"},
        {"\"arcs_of_paths\": ", ""},
        {"\"paths\": ", ""},
    };
    size_t length;
    np_throughput_proof *proof;
    np_throughput_free(find("torus:10x10", "random", 0.05, 1, certificate_path()));
    char *text = certificate_read(certificate_path(), &length);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *digit = strstr(text, cases[i].member) + strlen(cases[i].member), kept = *digit;
        *digit = kept == '9' ? '8' : (char)(kept + 1);
        certificate_renew_digest(text);
        certificate_write(certificate_path(), text, length);
        assert_refused(verify(&proof), NP_ERROR_INPUT, cases[i].message);
        *digit = kept;
    }
    for (size_t i = 0; i < length; i += 1 + length / 300) {
        certificate_write(certificate_path(), text, i);
        assert_int_equal(verify(&proof), NP_ERROR_INPUT);
    }
    certificate_renew_digest(text);
    certificate_write(certificate_path(), text, length);
    assert_ok(verify(&proof));
    np_throughput_proof_free(proof);
    free(text);
    unlink(certificate_path());
}

static void no_memory(void **state)
{
    (void)state;
    np_network *network = support_network("torus:10x10");
    np_traffic *traffic;
    np_throughput_options options;
    np_throughput *r;
    np_status st = NP_ERROR_MEMORY;
    long n = 1;
    np_throughput_options_init(&options);
    options.threads = 1;
    options.gap = 0.1;
    options.certificate = certificate_path();
    assert_ok(np_traffic_create("random", network, 1, 0, &traffic));
    for (; st == NP_ERROR_MEMORY; n = support_next_failure(n)) {
        np_memory_fail_after(n);
        st = np_throughput_find(network, traffic, &options, &r);
        np_memory_fail_after(0);
        np_throughput_free(r);
    }
    assert_int_equal(st, NP_OK);
    assert_true(n > 40);
    unlink(certificate_path());
    np_traffic_free(traffic);
    np_network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_program),  cmocka_unit_test(closed_forms), cmocka_unit_test(same_for_any_threads),
        cmocka_unit_test(same_everywhere), cmocka_unit_test(certificate),  cmocka_unit_test(forged),
        cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
