/* The throughput: closed forms, an exact linear program, the certificate and its checker. */
#include "support.h"

#include <math.h>
#include <unistd.h>

#include "base/exact.h"
#include "base/linear.h"
#include "base/memory.h"
#include "base/random.h"
#include "oracle/certificate.h"
#include "oracle/concurrent.h"

static np_throughput *find(const np_network *network, const np_traffic *traffic, double gap, unsigned threads,
                           const char *certificate)
{
    np_throughput_options options;
    np_throughput *throughput;
    np_throughput_options_init(&options);
    options.gap = gap;
    options.threads = threads;
    options.certificate = certificate;
    assert_ok(np_throughput_find(network, traffic, &options, &throughput));
    return throughput;
}

/* ---- Closed forms ---- */

static void check_between(const np_throughput *r, double factor, double gap)
{
    assert_true(r->reached && r->gap <= gap);
    assert_true(r->factor.low <= factor * (1 + 1e-11));
    assert_true(r->factor.high >= factor * (1 - 1e-11));
    assert_true(r->factor.low <= r->factor.high);
}

/* No bound is below what is proved to be possible. */
static void check_bounds(const np_throughput *r)
{
    const np_throughput_bounds *b = &r->bounds;
    assert_true(b->distance >= r->factor.low && b->switches >= r->factor.low);
    assert_true(b->hosts >= r->factor.low && b->cut >= r->factor.low);
}

/* All links: their loads are the flow of the lower bound, and their prices add up to the upper one. */
static void check_links(const np_throughput *r)
{
    double carried = 0, price = 0;
    for (size_t i = 0; i < r->links_count; i++) {
        const np_throughput_link *l = &r->links[i];
        assert_true(l->load >= 0 && l->load <= 1 && l->price >= 0);
        assert_true(!i || l[-1].from < l->from || (l[-1].from == l->from && l[-1].to < l->to));
        carried += l->load * l->width;
        price += l->price * l->width;
    }
    assert_true(fabs(carried / ((double)r->packets * r->factor.low * r->mean_hops) - 1) < 1e-5);
    assert_true(fabs(price / r->factor.high - 1) < 1e-9);
}

/* The bound by a cut is that of the set: the links out of it, over the packets that must leave it. */
static void check_cut(const np_throughput *r, const np_traffic *traffic)
{
    uint64_t links = 0, packets = 0;
    for (size_t i = 0; i < r->links_count; i++)
        links += r->cut[r->links[i].from] && !r->cut[r->links[i].to] ? r->links[i].width : 0;
    for (np_packet p = 0; p < np_traffic_packets(traffic); p++)
        packets += r->cut[np_traffic_sources(traffic)[p]] && !r->cut[np_traffic_destinations(traffic)[p]];
    assert_true(packets && fabs(r->bounds.cut * (double)packets / (double)links - 1) < 1e-12);
}

static void closed_forms(void **state)
{
    (void)state;
    static const struct {
        const char *network, *traffic;
        double factor;
        uint64_t steps;
        bool cut; /* the best cut is found, and it is the factor */
    } cases[] = {
        {"torus:8x8", "all-to-all", 1.0 / 64, 64, true},   /* 256 links, 64 x 256 hops */
        {"torus:4x4x4", "all-to-all", 1.0 / 32, 32, true}, /* 384 links, 64 x 192 hops */
        {"hypercube:6", "all-to-all", 1.0 / 32, 32, true}, /* 2^(1-n) */
        {"hypercube:6", "complement", 1, 6, true},         /* every packet crosses all dimensions */
        {"complete:8", "all-to-all", 1, 1, true},          /* a link for each packet */
        {"complete:9", "rotation:1", 4.5, 1, false},       /* 72 links; 1 packet takes one hop, 3.5 take two */
        {"ring:9", "all-to-all", 0.1, 10, true},           /* 2 links a node, 2 (1 + 2 + 3 + 4) hops */
        {"ring:8", "all-to-all", 0.125, 8, true},          /* 2 links a node, 16 hops */
        {"ring:9", "rotation:1", 9.0 / 8, 1, false},       /* 1 packet forwards, 1/8 backwards */
        {"array:8", "all-to-all", 1.0 / 16, 16, true},     /* the cut in the middle */
        {"tree:2x3", "all-to-all", 1.0 / 56, 56, true},    /* 7 nodes below a child of the root, and 8 others */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_network *network = support_network(cases[i].network);
        np_traffic *traffic = support_traffic(network, cases[i].traffic, 1);
        np_throughput *r = find(network, traffic, 0.002, 1, NULL);
        check_between(r, cases[i].factor, 0.002);
        check_bounds(r);
        check_links(r);
        check_cut(r, traffic);
        assert_int_equal(r->steps_bound, cases[i].steps);
        if (cases[i].cut)
            assert_true(fabs(r->bounds.cut / cases[i].factor - 1) < 1e-12);
        np_throughput_free(r);
        np_traffic_free(traffic);
        np_network_free(network);
    }
}

/* Tori and hypercubes are exact in one iteration. */
static void exact_at_once(void **state)
{
    (void)state;
    np_network *network = support_network("torus:8x8");
    np_traffic *traffic = support_traffic(network, "all-to-all", 1);
    np_throughput *r = find(network, traffic, 0.01, 1, NULL);
    assert_int_equal(r->iterations, 1);
    assert_true(r->gap < 1e-5 && r->factor.high == 1.0 / 64);
    assert_true(fabs(r->mean_hops - 256.0 / 63) < 1e-3);
    assert_int_equal(r->links_binding, 256);
    assert_int_equal(r->links_idle, 0);
    assert_true(fabs(r->binding[0].price - 1.0 / (64 * 256)) < 1e-12);
    np_throughput_free(r);
    np_traffic_free(traffic);
    np_network_free(network);
}

/* ---- An exact linear program ---- */

static void linear_program(void **state)
{
    (void)state;
    int moved = 0;
    for (uint64_t seed = 1; seed <= 150; seed++) {
        np_network *network;
        np_traffic *traffic;
        oracle_concurrent_draw(seed, &network, &traffic);
        np_throughput *r = find(network, traffic, 0.01, 1, NULL);
        if (r->moves) {
            check_between(r, oracle_concurrent(network, traffic), 0.01);
            check_bounds(r);
            moved++;
        }
        np_throughput_free(r);
        np_traffic_free(traffic);
        np_network_free(network);
    }
    assert_true(moved > 100);
}

/* Six digits, by CLP: the definition is the judge of small cases, the checker of others. */
static void exact_by_programs(void **state)
{
    (void)state;
    static const struct {
        const char *network, *traffic;
        double factor; /* 0: not known */
    } cases[] = {
        {"mesh:4x4", "transpose", 1}, /* two links into a corner, for two packets */
        {"torus:5x5:fail=0.1", "all-to-all", 0},
        {"dragonfly:a=4,p=2,h=2", "longest-matching", 0},
        {"jellyfish:64,4", "random", 0},
    };
    np_throughput_proof *proof;
    if (!np_linear_available()) {
        print_message("CLP (coinor-libclp1) is not found\n");
        skip();
    }
    for (uint64_t seed = 1; seed <= 150; seed++) {
        np_network *network;
        np_traffic *traffic;
        oracle_concurrent_draw(seed, &network, &traffic);
        np_throughput *r = find(network, traffic, 1e-6, 1, NULL);
        if (r->moves)
            check_between(r, oracle_concurrent(network, traffic), 1e-6);
        np_throughput_free(r);
        np_traffic_free(traffic);
        np_network_free(network);
    }
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_network *network = support_network(cases[i].network);
        np_traffic *traffic = support_traffic(network, cases[i].traffic, 1);
        np_throughput *r = find(network, traffic, 1e-6, 1, certificate_path());
        check_between(r, cases[i].factor > 0 ? cases[i].factor : r->factor.low, 1e-6);
        assert_ok(np_throughput_verify(certificate_path(), 0, (np_watch){0}, &proof));
        assert_memory_equal(&proof->factor, &r->factor, sizeof r->factor);
        np_throughput_proof_free(proof);
        np_throughput_free(r);
        np_traffic_free(traffic);
        np_network_free(network);
    }
    unlink(certificate_path());
}

/* ---- Threads ---- */

static void same_for_any_threads(void **state)
{
    (void)state;
    static const unsigned threads[] = {1, 2, 7};
    np_network *network = support_network("torus:8x8:fail=0.05");
    np_traffic *traffic = support_traffic(network, "all-to-all", 1);
    np_throughput *first = find(network, traffic, 0.03, 1, NULL);
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        np_throughput *r = find(network, traffic, 0.03, threads[i], NULL);
        assert_memory_equal(&r->factor, &first->factor, sizeof r->factor);
        assert_memory_equal(&r->mean_hops, &first->mean_hops, sizeof r->mean_hops);
        assert_int_equal(r->iterations, first->iterations);
        np_throughput_free(r);
    }
    np_throughput_free(first);
    np_traffic_free(traffic);
    np_network_free(network);
}

/* The bits on every processor: with vectors of any width, of any compiler. */
static void same_everywhere(void **state)
{
    (void)state;
    np_network *network = support_network("torus:5x7:fail=0.1:seed=3");
    np_traffic *traffic = support_traffic(network, "all-to-all", 1);
    np_throughput *r = find(network, traffic, 0.02, 1, NULL);
    char text[80];
    snprintf(text, sizeof text, "%.17g %.17g %u", r->factor.low, r->factor.high, r->iterations);
    assert_string_equal(text, "0.026192553903967838 0.026666666666666668 28");
    np_throughput_free(r);
    np_traffic_free(traffic);
    np_network_free(network);
}

/* ---- What has no factor, or no way ---- */

static void nothing_moves(void **state)
{
    (void)state;
    np_network *network = support_network("ring:5");
    np_traffic *traffic = support_traffic(network, "identity", 1), *empty;
    np_throughput *r = find(network, traffic, 0.01, 1, NULL);
    np_throughput_options options;
    assert_false(r->moves);
    assert_int_equal(r->resting, 5);
    assert_null(r->certificate);
    np_throughput_free(r);
    np_throughput_options_init(&options);
    options.certificate = certificate_path();
    assert_refused(np_throughput_find(network, traffic, &options, &r), NP_ERROR_APPLY, "no packet takes a link");
    assert_ok(np_traffic_from_arrays(network, 0, NULL, NULL, NULL, &empty));
    r = find(network, empty, 0.01, 1, NULL);
    assert_false(r->moves);
    np_throughput_free(r);
    np_traffic_free(traffic);
    np_traffic_free(empty);
    np_network_free(network);
}

static void torn(void **state)
{
    (void)state;
    static const np_node from[] = {0, 1, 2}, to[] = {1, 2, 3}, source[] = {0, 3}, destination[] = {3, 1};
    np_network *network;
    np_traffic *traffic;
    np_throughput *r;
    assert_ok(np_network_from_links(4, 3, from, to, &network));
    assert_ok(np_traffic_from_arrays(network, 2, source, destination, NULL, &traffic));
    assert_refused(np_throughput_find(network, traffic, NULL, &r), NP_ERROR_APPLY, "no way leads from 3 to 1");
    assert_null(r);
    np_traffic_free(traffic);
    assert_ok(np_traffic_from_arrays(network, 1, source, destination, NULL, &traffic));
    r = find(network, traffic, 0.01, 1, NULL);
    check_between(r, 1, 0.01);
    np_throughput_free(r);
    np_traffic_free(traffic);
    np_network_free(network);
}

/* Amounts of which no float knows the last packet. */
static void large_amounts(void **state)
{
    (void)state;
    enum { PACKETS = (1 << 24) + 3 };
    np_node *source, *destination;
    np_traffic *traffic;
    np_network *network = support_network("ring:4");
    assert_ok(np_memory_array(&source, PACKETS, sizeof *source, "sources"));
    assert_ok(np_memory_array(&destination, PACKETS, sizeof *destination, "destinations"));
    for (size_t i = 0; i < PACKETS; i++) {
        source[i] = i == 0;
        destination[i] = 2;
    }
    assert_ok(np_traffic_from_arrays(network, PACKETS, source, destination, NULL, &traffic));
    np_throughput *r = find(network, traffic, 0.001, 2, NULL);
    check_between(r, 2.0 / PACKETS, 0.001); /* the two links into node 2 */
    np_throughput_free(r);
    np_memory_free(source);
    np_memory_free(destination);
    np_traffic_free(traffic);
    np_network_free(network);
}

static void refusals(void **state)
{
    (void)state;
    np_network *network = support_network("ring:5"), *other = support_network("ring:9");
    np_traffic *traffic = support_traffic(network, "all-to-all", 1), *foreign = support_traffic(other, "all-to-all", 1);
    np_throughput_options options;
    np_throughput *r;
    np_throughput_options_init(&options);
    options.gap = 0;
    assert_refused(np_throughput_find(network, traffic, &options, &r), NP_ERROR_INPUT, "gap");
    assert_refused(np_throughput_find(network, foreign, NULL, &r), NP_ERROR_INPUT, "nodes 0..4");
    np_throughput_options_init(&options);
    options.memory_limit = 1000;
    assert_refused(np_throughput_find(network, traffic, &options, &r), NP_ERROR_LIMIT, "");
    np_throughput_options_init(&options);
    options.certificate = "/nowhere/at/all";
    assert_refused(np_throughput_find(network, traffic, &options, &r), NP_ERROR_IO, "/nowhere/at/all");
    np_traffic_free(traffic);
    np_traffic_free(foreign);
    np_network_free(network);
    np_network_free(other);
}

/* A gap that is not reached is no error. */
static void few_iterations(void **state)
{
    (void)state;
    np_network *network = support_network("torus:8x8:fail=0.1");
    np_traffic *traffic = support_traffic(network, "all-to-all", 1);
    np_throughput_options options;
    np_throughput *r;
    np_throughput_options_init(&options);
    options.iterations = 2;
    assert_ok(np_throughput_find(network, traffic, &options, &r));
    assert_true(!r->reached && r->gap > 0.01 && r->iterations == 2);
    assert_true(r->factor.low <= 0.0125 && r->factor.high >= 0.0125); /* by a linear program */
    np_throughput_free(r);
    np_traffic_free(traffic);
    np_network_free(network);
}

/* ---- The certificate ---- */

static np_status verify(const char *path)
{
    np_throughput_proof *proof;
    np_status st = np_throughput_verify(path, 0, (np_watch){0}, &proof);
    np_throughput_proof_free(proof);
    return st;
}

/* A certificate of a small network whose bounds need several flows; its path. */
static const char *write_certificate(np_throughput **out)
{
    np_network *network = support_network("mesh:3x3");
    np_traffic *traffic = support_traffic(network, "random", 1);
    *out = find(network, traffic, 0.05, 1, certificate_path());
    np_traffic_free(traffic);
    np_network_free(network);
    return certificate_path();
}

static void certificate(void **state)
{
    (void)state;
    np_throughput *r;
    np_throughput_proof *proof;
    const char *path = write_certificate(&r);
    assert_string_equal(r->certificate, path);
    assert_ok(np_throughput_verify(path, 0, (np_watch){0}, &proof));
    assert_memory_equal(&proof->factor, &r->factor, sizeof r->factor);
    assert_string_equal(proof->network, "mesh:3x3");
    assert_string_equal(proof->traffic, "random");
    assert_int_equal(proof->packets, r->packets);
    np_throughput_proof_free(proof);
    np_throughput_free(r);
    unlink(path);
}

/*
 * Node 0 sends to node 4 by way of 1, 2 and 3, over two links and then three: f = 6. A third of 2^20 units is no whole
 * number: what is left counts where it goes.
 */
static void certificate_of_thirds(void **state)
{
    (void)state;
    static const char links[] = "0 1\n0 1\n0 2\n0 2\n0 3\n0 3\n1 4\n1 4\n1 4\n2 4\n2 4\n2 4\n3 4\n3 4\n3 4\n";
    char path[120], spec[160];
    np_network *network;
    np_traffic *traffic;
    np_throughput_proof *proof;
    snprintf(path, sizeof path, "%s.links", certificate_path());
    snprintf(spec, sizeof spec, "file:%s:directed", path);
    certificate_write(path, links, sizeof links - 1);
    assert_ok(np_network_create(spec, &network));
    snprintf(path, sizeof path, "%s.pairs", certificate_path());
    certificate_write(path, "0 4\n", 4);
    snprintf(path, sizeof path, "file:%s.pairs", certificate_path());
    traffic = support_traffic(network, path, 1);
    np_throughput *r = find(network, traffic, 0.01, 1, certificate_path());
    check_between(r, 6, 1e-5);
    assert_true(r->factor.low < 6 && r->factor.high == 6);
    assert_ok(np_throughput_verify(certificate_path(), 0, (np_watch){0}, &proof));
    assert_memory_equal(&proof->factor, &r->factor, sizeof r->factor);
    assert_int_equal(proof->links, 15);
    np_throughput_proof_free(proof);
    np_throughput_free(r);
    np_traffic_free(traffic);
    np_network_free(network);
    unlink(certificate_path());
    unlink(path + 5);
    snprintf(path, sizeof path, "%s.links", certificate_path());
    unlink(path);
}

/* Every digit, changed into every other one, is found. */
static void changed_digits(void **state)
{
    (void)state;
    size_t length, digits = 0;
    np_throughput *r;
    const char *path = write_certificate(&r);
    char *text = certificate_read(path, &length);
    for (size_t i = 0; i < length; i++) {
        char kept = text[i];
        if (kept < '0' || kept > '9')
            continue;
        text[i] = kept == '9' ? '0' : (char)(kept + 1);
        certificate_write(path, text, length);
        assert_int_equal(verify(path), NP_ERROR_INPUT);
        text[i] = kept;
        digits++;
    }
    assert_true(digits > 100);
    certificate_write(path, text, length);
    assert_ok(verify(path));
    free(text);
    np_throughput_free(r);
    unlink(path);
}

/* With a digest that fits, the figures alone tell: a claim that its lengths do not prove is refused. */
static void forged(void **state)
{
    (void)state;
    static const struct {
        const char *member, *message;
    } cases[] = {
        {"\"high\": [", "it claims an upper bound of"}, {"\"lengths\": [", "it claims an upper bound of"},
        {"\"low\": [", "it claims a lower bound of"},   {"\"flow_0\": [", "it claims a lower bound of"},
        {"\"nodes\": ", "nodes, and here are 9"},       {"\"links\": ", "links, and here are 24"},
        {"\"packets\": ", "packets, and here are"},     {"\"demands\": ", "demands, and here are"},
    };
    size_t length;
    np_throughput *r;
    const char *path = write_certificate(&r);
    char *text = certificate_read(path, &length);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *digit = strstr(text, cases[i].member) + strlen(cases[i].member), kept = *digit;
        *digit = kept == '9' ? '8' : (char)(kept + 1);
        certificate_renew_digest(text);
        certificate_write(path, text, length);
        assert_refused(np_throughput_verify(path, 0, (np_watch){0}, &(np_throughput_proof *){NULL}), NP_ERROR_INPUT,
                       cases[i].message);
        *digit = kept;
    }
    certificate_renew_digest(text);
    certificate_write(path, text, length);
    assert_ok(verify(path));
    free(text);
    np_throughput_free(r);
    unlink(path);
}

/* Every beginning of a certificate is refused, and so is what is no certificate. */
static void cut_off(void **state)
{
    (void)state;
    size_t length;
    np_throughput *r;
    const char *path = write_certificate(&r);
    char *text = certificate_read(path, &length);
    for (size_t i = 0; i < length; i += 1 + i / 50) {
        certificate_write(path, text, i);
        assert_int_equal(verify(path), NP_ERROR_INPUT);
    }
    certificate_write(path, "source,destination\n", 19);
    assert_refused(np_throughput_verify(path, 0, (np_watch){0}, &(np_throughput_proof *){NULL}), NP_ERROR_INPUT,
                   ":1: no certificate of netpram: '\"certificate\": ");
    unlink(path);
    assert_int_equal(verify(path), NP_ERROR_IO);
    free(text);
    np_throughput_free(r);
}

/* The certificates of random instances are right, and prove what is between the bounds of a linear program. */
static void certificates_of_instances(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        np_network *network;
        np_traffic *traffic;
        oracle_concurrent_draw(seed, &network, &traffic);
        np_throughput *r = find(network, traffic, 0.02, 1, certificate_path());
        if (r->moves)
            check_between(r, oracle_concurrent(network, traffic), 0.02);
        np_throughput_free(r);
        np_traffic_free(traffic);
        np_network_free(network);
    }
    unlink(certificate_path());
}

/* ---- Rounding, memory ---- */

/* The double is on the right side of the quotient, and its neighbour is not. */
static void ratios(void **state)
{
    (void)state;
    const np_draws draws = {1, 0, 0, NP_RANDOM_TRAFFIC};
    for (uint32_t i = 0; i < 2000; i++) {
        uint64_t top = np_draw(&draws, i, 0) >> (i % 60 + 2), bottom = (np_draw(&draws, i, 1) >> (i / 7 % 60 + 2)) + 1;
        double down = np_exact_ratio(top, bottom, false), up = np_exact_ratio(top, bottom, true);
        if (!top) {
            assert_true(down == 0 && up == 0);
            continue;
        }
        int exponent;
        double mantissa = ldexp(frexp(down, &exponent), 53); /* whole: down = mantissa 2^(exponent - 53) */
        exponent -= 53;
        long double exact = (long double)top / (long double)bottom;
        assert_true(down <= up && (up == down || up == nextafter(down, INFINITY)));
        assert_true(fabsl(down / exact - 1) < 3e-16L && mantissa < 0x1p53);
        if (exponent < 0 && exponent > -60) { /* mantissa x bottom <= top 2^-exponent */
            np_wide left = (np_wide)(uint64_t)mantissa * bottom, right = (np_wide)top << -exponent;
            assert_true(left <= right && (left == right) == (up == down));
            assert_true(left == right || left + bottom > right);
        }
    }
}

static void no_memory(void **state)
{
    (void)state;
    np_network *network = support_network("mesh:3x3");
    np_traffic *traffic = support_traffic(network, "random", 1);
    np_throughput_options options;
    np_throughput *r;
    np_throughput_proof *proof;
    np_status st = NP_ERROR_MEMORY;
    long n = 0;
    np_throughput_options_init(&options);
    options.gap = 0.1;
    options.threads = 1;
    options.certificate = certificate_path();
    for (n = 1; st == NP_ERROR_MEMORY; n = support_next_failure(n)) {
        np_memory_fail_after(n);
        st = np_throughput_find(network, traffic, &options, &r);
        np_memory_fail_after(0);
        np_throughput_free(r);
    }
    assert_int_equal(st, NP_OK);
    assert_true(n > 20);
    for (st = NP_ERROR_MEMORY, n = 1; st == NP_ERROR_MEMORY; n = support_next_failure(n)) {
        np_memory_fail_after(n);
        st = np_throughput_verify(certificate_path(), 0, (np_watch){0}, &proof);
        np_memory_fail_after(0);
        np_throughput_proof_free(proof);
    }
    assert_int_equal(st, NP_OK);
    unlink(certificate_path());
    np_traffic_free(traffic);
    np_network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_forms),
        cmocka_unit_test(exact_at_once),
        cmocka_unit_test(linear_program),
        cmocka_unit_test(exact_by_programs),
        cmocka_unit_test(same_for_any_threads),
        cmocka_unit_test(same_everywhere),
        cmocka_unit_test(nothing_moves),
        cmocka_unit_test(torn),
        cmocka_unit_test(large_amounts),
        cmocka_unit_test(refusals),
        cmocka_unit_test(few_iterations),
        cmocka_unit_test(certificate),
        cmocka_unit_test(certificate_of_thirds),
        cmocka_unit_test(changed_digits),
        cmocka_unit_test(forged),
        cmocka_unit_test(cut_off),
        cmocka_unit_test(ratios),
        cmocka_unit_test(certificates_of_instances),
        cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
