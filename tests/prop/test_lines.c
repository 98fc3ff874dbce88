/*
 * Routing along the lines of a grid, phase by phase: schemes xy, overlay, random-overlay and k-k. Every phase takes
 * exactly what the lemma of the linear array says of its slowest line; a permutation takes 2n - 2 steps at most.
 */
#include <math.h>

#include "base/random.h"
#include "engine/queueing/engine.h"
#include "model/network/network.h"
#include "support.h"

static np_route_result *routed(const np_network *network, const np_traffic *traffic, const char *scheme, uint64_t seed)
{
    np_route_options options;
    np_route_result *result;
    np_route_options_init(&options);
    options.scheme = scheme;
    options.seed = seed;
    options.threads = 1;
    assert_ok(np_route_traffic(network, traffic, &options, &result));
    return result;
}

/* Node i side[1] + j of two dimensions: said again without strides. */
static uint32_t coordinate(const np_network *network, np_node u, unsigned i)
{
    return i ? u % network->side[1] : u / network->side[1];
}

static np_node corrected(const np_network *network, np_node at, np_node destination, unsigned i)
{
    return i ? at / network->side[1] * network->side[1] + destination % network->side[1]
             : destination / network->side[1] * network->side[1] + at % network->side[1];
}

/* The time of the slowest line, if packets go from at[p] to to[p] along dimension axis[p]. */
static np_step slowest_line(const np_network *network, size_t packets, const np_node *at, const np_node *to,
                            const unsigned *axis)
{
    np_node *x = malloc((packets + 1) * sizeof *x), *y = malloc((packets + 1) * sizeof *y);
    np_step slowest = 0;
    for (unsigned i = 0; i < 2; i++)
        for (uint32_t line = 0; line < network->side[!i]; line++) {
            size_t count = 0;
            np_array_steps steps;
            for (size_t p = 0; p < packets; p++)
                if (axis[p] == i && coordinate(network, at[p], !i) == line) {
                    x[count] = coordinate(network, at[p], i);
                    y[count++] = coordinate(network, to[p], i);
                }
            assert_ok(np_array_time(network->side[i], count, x, y, &steps));
            slowest = steps.up > slowest ? steps.up : slowest;
            slowest = steps.down > slowest ? steps.down : slowest;
        }
    free(x);
    free(y);
    return slowest;
}

/* Both phases of xy, or of overlay with its chess board, against the lemma. */
static void judge(const np_network *network, const np_traffic *traffic, bool overlay, np_step bound)
{
    size_t packets = np_traffic_packets(traffic);
    np_node *at = calloc(packets, sizeof *at), *to = calloc(packets, sizeof *to);
    unsigned *axis = calloc(packets, sizeof *axis);
    np_route_result *result = routed(network, traffic, overlay ? "overlay" : "xy", 1);
    assert_int_equal(result->phases, 2);
    for (size_t p = 0; p < packets; p++) {
        np_node u = np_traffic_sources(traffic)[p], v = np_traffic_destinations(traffic)[p];
        uint32_t sum = coordinate(network, u, 0) + coordinate(network, u, 1) + coordinate(network, v, 0) +
                       coordinate(network, v, 1);
        axis[p] = overlay && sum % 2;
        at[p] = u;
        to[p] = corrected(network, u, v, axis[p]);
    }
    assert_int_equal(result->phase[0].run->steps, slowest_line(network, packets, at, to, axis));
    for (size_t p = 0; p < packets; p++) {
        at[p] = to[p];
        to[p] = np_traffic_destinations(traffic)[p];
        axis[p] = !axis[p];
    }
    assert_int_equal(result->phase[1].run->steps, slowest_line(network, packets, at, to, axis));
    assert_true(result->total_steps.max <= bound);
    np_route_result_free(result);
    free(at);
    free(to);
    free(axis);
}

static const char *const meshes[] = {"mesh:2x2", "mesh:7x7", "mesh:16x16", "mesh:5x12", "mesh:12x5", "mesh:20x2"};

/* No packet of phase 1 waits, and phase 2 makes up for it by farthest first. */
static void permutations(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof meshes / sizeof *meshes; i++) {
        np_network *network = support_network(meshes[i]);
        np_step diameter = network->side[0] + network->side[1] - 2;
        for (uint64_t seed = 1; seed <= 20; seed++) {
            np_traffic *traffic = support_traffic(network, "random", seed);
            np_route_result *result = routed(network, traffic, "xy", 1);
            assert_int_equal(result->phase[0].run->delay_max, 0);
            np_route_result_free(result);
            judge(network, traffic, false, diameter);
            judge(network, traffic, true, UINT32_MAX);
            np_traffic_free(traffic);
        }
        np_network_free(network);
    }
}

/*
 * All of a line send to one line, which fills the nodes of the diagonal (transpose), to the mirror image, far away.
 * Exactly 2n - 2 where some packet goes from corner to corner or piles up: reached, not only kept.
 */
static void adversaries(void **state)
{
    static const char *const specs[] = {"transpose",  "rotation:1",   "rotation:8",     "rotation:120",
                                        "complement", "bit-reversal", "perfect-shuffle"};
    np_network *network = support_network("mesh:16x16");
    (void)state;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        np_traffic *traffic = support_traffic(network, specs[i], 1);
        judge(network, traffic, false, 30);
        judge(network, traffic, true, UINT32_MAX);
        np_traffic_free(traffic);
    }
    np_traffic *transpose = support_traffic(network, "transpose", 1);
    np_route_result *result = routed(network, transpose, "xy", 1);
    assert_int_equal(result->total_steps.max, 30);
    assert_int_equal(result->phase[0].run->population_max, 16); /* on the diagonal */
    np_route_result_free(result);
    np_traffic_free(transpose);
    np_network_free(network);
}

/* A phase a dimension, however many there are; in the first no packet of a permutation waits. */
static void many_dimensions(void **state)
{
    static const char *const specs[] = {"mesh:4x5x6", "mesh:3x3x3x3", "array:30", "mesh:2x9x4"};
    (void)state;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        np_network *network = support_network(specs[i]);
        for (uint64_t seed = 1; seed <= 5; seed++) {
            np_traffic *traffic = support_traffic(network, "random", seed);
            np_route_result *result = routed(network, traffic, "xy", 1);
            assert_int_equal(result->phases, network->dimensions);
            assert_int_equal(result->phase[0].run->delay_max, 0);
            assert_true(result->phase[0].run->steps < network->side[0]);
            np_route_result_free(result);
            np_traffic_free(traffic);
        }
        np_network_free(network);
    }
}

/* Any traffic, not only permutations; what piles up anywhere is in the lemma too. */
static void relations(void **state)
{
    static const char *const specs[] = {"h-relation:4", "random-function:3", "repeat:5:transpose",
                                        "hotspot:17",   "all-to-all",        "partial:0.3"};
    np_network *network = support_network("mesh:9x9");
    (void)state;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        for (uint64_t seed = 1; seed <= 3; seed++) {
            np_traffic *traffic = support_traffic(network, specs[i], seed);
            judge(network, traffic, false, UINT32_MAX);
            judge(network, traffic, true, UINT32_MAX);
            np_traffic_free(traffic);
        }
    np_network_free(network);
}

/* The notes' figures: n^3/2 by xy, n^3/4 by the overlay, n even. */
static void all_to_all(void **state)
{
    (void)state;
    for (uint32_t n = 2; n <= 12; n += 2) {
        char spec[32];
        snprintf(spec, sizeof spec, "mesh:%ux%u", n, n);
        np_network *network = support_network(spec);
        np_traffic *traffic = support_traffic(network, "all-to-all", 1);
        np_route_result *xy = routed(network, traffic, "xy", 1), *overlay = routed(network, traffic, "overlay", 1);
        assert_int_equal(xy->total_steps.max, n * n * n / 2);
        assert_int_equal(overlay->total_steps.max, n * n * n / 4);
        np_route_result_free(xy);
        np_route_result_free(overlay);
        np_traffic_free(traffic);
        np_network_free(network);
    }
}

/* ---- Colours drawn at random ---- */

typedef struct seen {
    size_t packets;
    unsigned *first; /* [packets] the dimension of the packet's first hop in the phase; 2: none */
    unsigned mixed;  /* packets that changed their dimension in the phase */
    const np_network *network;
} seen;

static int on_events(void *context, size_t count, const np_event *event)
{
    seen *s = context;
    for (size_t i = 0; i < count; i++) {
        unsigned axis = event[i].link % s->network->ports / 2, *first = &s->first[event[i].packet];
        if (event[i].kind != NP_EVENT_MOVED)
            continue;
        s->mixed += *first < 2 && *first != axis;
        *first = axis;
    }
    return 0;
}

/*
 * k-k: in phases A1 .. B2 a packet keeps to one dimension, another one in the next phase, again the first, the other;
 * half of the packets begin with either; after A2 they are anywhere, after B2 home.
 */
static void k_k_phases(void **state)
{
    enum { N = 16, K = 8, PACKETS = N * N * K };
    static unsigned phase_axis[4][PACKETS];
    np_network *network = support_network("mesh:16x16");
    np_traffic *traffic = support_traffic(network, "repeat:8:transpose", 1);
    np_path *path;
    np_engine *engine;
    const np_discipline *discipline;
    uint32_t loads[N * N] = {0};
    seen s = {.packets = PACKETS, .network = network};
    (void)state;
    assert_ok(np_path_create("dimension-order", network, &path));
    assert_ok(np_discipline_find("farthest-first", &discipline));
    np_engine_options options = {
        .network = network, .discipline = discipline, .packets = PACKETS, .workers = 1, .path = path, .watched = true};
    assert_ok(np_engine_create(&options, &engine));
    np_engine_place(engine, traffic);
    np_engine_plan plan = support_plan("k-k", network, path);
    assert_int_equal(plan.phases, 4);
    const np_observer observer = {.kinds = 1 << NP_EVENT_MOVED, .events = on_events, .context = &s};
    np_engine_watch watch = {.observer = &observer};
    for (unsigned phase = 0; phase < 4; phase++) {
        np_phase_run run;
        s.first = phase_axis[phase];
        for (size_t p = 0; p < PACKETS; p++)
            s.first[p] = 2;
        assert_ok(np_engine_run(engine, &plan, phase, (np_draws){.seed = 3}, &watch, &run));
        for (size_t p = 0; phase == 1 && p < PACKETS; p++)
            loads[np_engine_locations(engine)[p]]++;
    }
    assert_int_equal(s.mixed, 0);
    size_t across = 0, known = 0;
    for (size_t p = 0; p < PACKETS; p++) {
        unsigned colour = 2;
        for (unsigned phase = 0; phase < 4; phase++)
            if (phase_axis[phase][p] < 2) {
                unsigned mine = (phase_axis[phase][p] + phase) % 2;
                assert_true(colour == 2 || colour == mine);
                colour = mine;
            }
        known += colour < 2;
        across += colour == 1;
        assert_int_equal(np_engine_locations(engine)[p], np_traffic_destinations(traffic)[p]);
    }
    /* 2048 fair coins: sigma 22.6; 5 sigma fail one seed in a million, and the seed is fixed. */
    assert_true(known > PACKETS * 99 / 100 && across > known / 2 - 115 && across < known / 2 + 115);
    uint32_t most = 0, least = UINT32_MAX;
    for (np_node u = 0; u < N * N; u++) {
        most = loads[u] > most ? loads[u] : most;
        least = loads[u] < least ? loads[u] : least;
    }
    assert_true(most <= 24 &&
                least <= 4); /* as 2048 balls in 256 urns, mean 8: P[more than 24 anywhere] < 256 * 2e-6 */
    np_engine_free(engine);
    np_path_free(path);
    np_traffic_free(traffic);
    np_network_free(network);
}

/* max{4n, kn/2} + o(kn), for the worst traffic that there is as for the easiest; the bisection bound of the worst is
 * kn/2. */
static void k_k_steps(void **state)
{
    static const char *const specs[] = {"h-relation:%u", "repeat:%u:transpose", "repeat:%u:complement",
                                        "repeat:%u:identity"};
    np_network *network = support_network("mesh:32x32");
    (void)state;
    for (uint32_t k = 1; k <= 8; k *= 8)
        for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
            char spec[32];
            snprintf(spec, sizeof spec, specs[i], k);
            np_traffic *traffic = support_traffic(network, spec, 1);
            np_route_result *result = routed(network, traffic, "k-k", 1);
            double bound = k < 8 ? 4 * 32 : k * 32 / 2.0;
            /* Chernoff: a middle link's load is a sum of coins of mean kn/8; four deviations of it in each of four
             * phases. */
            assert_true(result->total_steps.max <= bound + 16 * sqrt(k * 32 / 8.0));
            assert_true(result->total_steps.max >= k * 32 / 2.0);
            np_route_result_free(result);
            np_traffic_free(traffic);
        }
    np_network_free(network);
}

/*
 * 3n + o(n) for k = 4 and 2n + o(n) for k = 2, whatever the traffic, as the notes say: by k-k-short, and by
 * random-overlay. In copies of transpose and complement all packets of a row go to few nodes; of complement, all
 * packets go n hops.
 */
static void small_k(void **state)
{
    enum { N = 64 };
    static const char *const specs[] = {"h-relation:%u", "repeat:%u:transpose", "repeat:%u:complement",
                                        "repeat:%u:random"};
    np_network *network = support_network("mesh:64x64");
    (void)state;
    for (uint32_t k = 2; k <= 4; k += 2)
        for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
            char spec[32];
            snprintf(spec, sizeof spec, specs[i], k);
            np_traffic *traffic = support_traffic(network, spec, 1);
            np_route_result *result = routed(network, traffic, k == 2 ? "random-overlay" : "k-k-short", 1);
            double bound = k == 2 ? 2 * N : np_bound_k_k_short(network, 4);
            assert_true(bound == (k == 2 ? 2 : 3) * N);
            /*
             * k = 4: the middle of a line in phase 2 has a sum of coins of mean kn/4, and four deviations of it are
             * allowed; phases 1 and 3 have half of this and room. k = 2: the middle has kn/4 in either phase, two
             * deviations each.
             */
            assert_true(result->total_steps.max <= bound + 4 * sqrt(k * N / 4.0));
            np_route_result_free(result);
            np_traffic_free(traffic);
        }
    np_network_free(network);
}

/* The figures of k-k-short: between 3n and kn/2, never more than those of k-k, half on tori. */
static void figures_of_the_short(void **state)
{
    static const struct {
        const char *network;
        uint32_t h;
        double steps;
    } cases[] = {{"mesh:16x16", 1, 48}, {"mesh:16x16", 4, 48},   {"mesh:16x16", 6, 56}, {"mesh:16x16", 8, 64},
                 {"torus:8x8", 4, 12},  {"mesh:16x16", 32, 256}, {"array:9", 3, 13.5},  {"mesh:4x4x4", 6, 20}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_network *network = support_network(cases[i].network);
        assert_true(np_bound_k_k_short(network, cases[i].h) == cases[i].steps);
        assert_true(np_bound_k_k_short(network, cases[i].h) <= np_bound_k_k(network, cases[i].h));
        np_network_free(network);
    }
}

/* All three dimensions at once: n^4/4 a dimension of all-to-all by xy, a third of it in each phase of the overlay. */
static void overlay_of_three(void **state)
{
    (void)state;
    for (uint32_t n = 4; n <= 6; n += 2) {
        char spec[32];
        snprintf(spec, sizeof spec, "mesh:%ux%ux%u", n, n, n);
        np_network *network = support_network(spec);
        np_traffic *traffic = support_traffic(network, "all-to-all", 1);
        np_route_result *result = routed(network, traffic, "overlay", 1);
        assert_int_equal(result->phases, 3);
        assert_true(result->total_steps.max >= n * n * n * n / 4 &&
                    result->total_steps.max <= n * n * n * n / 4 + n * n);
        np_route_result_free(result);
        np_traffic_free(traffic);
        np_network_free(network);
    }
}

/* ---- The theorems beside the measurement ---- */

static const np_report_bound *total_of(const np_report_bound *bound, size_t count)
{
    assert_true(count > 0);
    assert_string_equal(bound[count - 1].phase, "total");
    return &bound[count - 1];
}

/* The lemma is met by every phase of every run, and nobody takes longer than h-relations may. */
static void bounds_are_met(void **state)
{
    static const char *const specs[] = {"mesh:7x9", "mesh:4x5x3", "torus:6x7", "torus:5x4x3", "ring:11", "array:12"};
    static const char *const schemes[] = {"xy", "overlay", "random-overlay", "k-k", "k-k-short"};
    static const char *const traffics[] = {"random", "h-relation:3", "random-function:2", "hotspot:5", "partial:0.4"};
    (void)state;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        for (size_t s = 0; s < sizeof schemes / sizeof *schemes; s++)
            for (size_t t = 0; t < sizeof traffics / sizeof *traffics; t++) {
                np_network *network = support_network(specs[i]);
                np_route_options options;
                np_route_result *result;
                np_report_bound *bound;
                size_t count, exact = 0;
                np_route_options_init(&options);
                options.scheme = schemes[s];
                options.runs = 4;
                options.threads = 1;
                assert_ok(np_route(network, traffics[t], &options, &result));
                assert_ok(np_report_bounds(network, result, &bound, &count));
                for (size_t b = 0; b < count; b++) {
                    assert_int_equal(bound[b].steps.broken, 0);
                    if (bound[b].steps.relation == NP_REPORT_EXACTLY) {
                        assert_int_equal(bound[b].steps.equal, 4);
                        exact++;
                    }
                }
                assert_int_equal(exact, result->phases);
                assert_int_equal(total_of(bound, count)->steps.relation, s >= 3 ? NP_REPORT_ABOUT : NP_REPORT_AT_MOST);
                np_report_bounds_free(bound);
                np_route_result_free(result);
                np_network_free(network);
            }
}

/* Without farthest first the lemma is what no schedule beats; traffic that was given has no exact time. */
static void bounds_that_are_weaker(void **state)
{
    np_network *network = support_network("mesh:8x8");
    np_route_options options;
    np_route_result *result;
    np_report_bound *bound;
    size_t count;
    (void)state;
    np_route_options_init(&options);
    options.scheme = "xy";
    options.queue = "lifo";
    options.runs = 3;
    assert_ok(np_route(network, "repeat:3:transpose", &options, &result));
    assert_ok(np_report_bounds(network, result, &bound, &count));
    assert_int_equal(count, 2);
    for (size_t i = 0; i < 2; i++)
        assert_true(bound[i].steps.relation == NP_REPORT_AT_LEAST && !bound[i].steps.broken);
    np_report_bounds_free(bound);
    np_route_result_free(result);
    np_traffic *traffic;
    const np_node from[] = {0, 9}, to[] = {63, 9};
    assert_ok(np_traffic_from_arrays(network, 2, from, to, NULL, &traffic));
    options.queue = NULL;
    assert_ok(np_route_traffic(network, traffic, &options, &result));
    assert_ok(np_report_bounds(network, result, &bound, &count));
    assert_int_equal(total_of(bound, count)->steps.theorem, 14);
    assert_int_equal(total_of(bound, count)->steps.measured, 14);
    np_report_bounds_free(bound);
    np_route_result_free(result);
    np_traffic_free(traffic);
    np_network_free(network);
}

/* 2n - 2 is for permutations: said only if all runs have one, not only the first. */
static void greedy_of_some_permutations(void **state)
{
    np_network *network = support_network("mesh:2x2");
    np_route_options options;
    unsigned silent = 0;
    (void)state;
    np_route_options_init(&options);
    options.scheme = "greedy";
    options.queue = "farthest-first";
    options.runs = 20;
    options.threads = 1;
    for (options.seed = 1; options.seed <= 40; options.seed++) {
        np_route_result *result;
        np_report_bound *bound;
        size_t count;
        assert_ok(np_route(network, "random-function:1", &options, &result));
        assert_ok(np_report_bounds(network, result, &bound, &count));
        for (size_t i = 0; i < count; i++)
            assert_true(bound[i].steps.relation == NP_REPORT_CHANCE || bound[i].relation == 1);
        silent += result->relation == 1;
        np_report_bounds_free(bound);
        np_route_result_free(result);
    }
    assert_true(silent > 0);
    np_network_free(network);
}

/* The explicit probability of k-k is one: of 300 runs no more are late than it says, and it says something. */
static void chance_of_k_k(void **state)
{
    enum { RUNS = 300 };
    np_network *network = support_network("mesh:8x8");
    np_route_options options;
    np_route_result *result;
    (void)state;
    np_route_options_init(&options);
    options.scheme = "k-k";
    options.runs = RUNS;
    options.threads = 1;
    assert_ok(np_route(network, "repeat:6:complement", &options, &result));
    for (uint32_t phase = 0; phase < 4; phase++) {
        double least = 0;
        for (uint32_t steps = 1; steps < 60; steps++) {
            double log_chance = np_bound_k_k_steps(network, 6, phase, steps), late = 0;
            for (uint32_t run = 0; run < RUNS; run++)
                late += result->phase[phase].run[run].steps > steps;
            least = log_chance < least ? log_chance : least;
            /* four deviations of a binomial of RUNS trials */
            assert_true(late / RUNS <= exp(log_chance) + 4 * sqrt(exp(log_chance) / RUNS));
        }
        assert_true(least < -20);
        assert_true(np_bound_k_k_steps(network, 6, phase, 30) < log(0.5));
    }
    np_route_result_free(result);
    np_network_free(network);
}

/* The notes' figures of whole schemes. */
static void figures(void **state)
{
    static const struct {
        const char *network;
        uint32_t h;
        double any, k_k;
    } cases[] = {{"mesh:16x16", 1, 30, 64},   {"mesh:16x16", 16, 480, 128}, {"mesh:4x8", 2, 20, 24},
                 {"torus:8x8", 1, 8, 16},     {"torus:8x8", 32, 256, 64},   {"mesh:4x4x4", 1, 18, 24},
                 {"mesh:4x4x4", 40, 720, 80}, {"ring:9", 3, 12, 9},         {"array:9", 3, 24, 18}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_network *network = support_network(cases[i].network);
        double any = 0;
        for (uint32_t p = 0; p < network->dimensions; p++)
            any += np_bound_lines_worst(network, cases[i].h, 1, p);
        assert_true(any == cases[i].any);
        assert_true(np_bound_k_k(network, cases[i].h) == cases[i].k_k);
        np_network_free(network);
    }
}

static void random_overlay(void **state)
{
    np_network *network = support_network("mesh:6x6x6");
    np_traffic *traffic = support_traffic(network, "all-to-all", 1);
    np_route_result *xy = routed(network, traffic, "xy", 1), *overlay = routed(network, traffic, "random-overlay", 1);
    (void)state;
    assert_int_equal(overlay->phases, 3);
    assert_int_equal(xy->total_steps.max, 3 * 6 * 6 * 6 * 6 / 4);
    assert_true(overlay->total_steps.max < 1.25 * 6 * 6 * 6 * 6 / 4); /* three at once */
    np_route_result_free(xy);
    np_route_result_free(overlay);
    np_traffic_free(traffic);
    np_network_free(network);
}

/* Sides that differ, tori, one dimension; two threads, overlap. */
static void others(void **state)
{
    static const char *const specs[] = {"torus:5x8", "ring:9", "array:2", "array:13", "mesh:3x4x5", "torus:4x4x4x4"};
    static const char *const schemes[] = {"xy", "overlay", "random-overlay", "k-k", "k-k-short"};
    (void)state;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        for (size_t s = 0; s < sizeof schemes / sizeof *schemes; s++) {
            np_network *network = support_network(specs[i]);
            np_route_options options;
            np_route_result *result, *again;
            np_route_options_init(&options);
            options.scheme = schemes[s];
            options.threads = 1;
            assert_ok(np_route(network, "h-relation:2", &options, &result));
            options.threads = 2;
            assert_ok(np_route(network, "h-relation:2", &options, &again));
            assert_int_equal(result->phases, (s < 3 ? 1 : 2) * network->dimensions - (s == 4));
            assert_int_equal(result->total_steps.max, again->total_steps.max);
            np_route_result_free(again);
            options.overlap = true;
            assert_ok(np_route(network, "h-relation:2", &options, &again));
            assert_true(again->total_steps.max <= 2 * result->total_steps.max);
            np_route_result_free(again);
            np_route_result_free(result);
            np_network_free(network);
        }
}

static void refuses(void **state)
{
    np_network *network = support_network("hypercube:3");
    (void)state;
    assert_refused(np_scheme_applies("xy", network), NP_ERROR_APPLY, "meshes and tori");
    assert_refused(np_scheme_applies("k-k", network), NP_ERROR_APPLY, "meshes and tori");
    np_network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(permutations),
                                       cmocka_unit_test(adversaries),
                                       cmocka_unit_test(many_dimensions),
                                       cmocka_unit_test(relations),
                                       cmocka_unit_test(all_to_all),
                                       cmocka_unit_test(k_k_phases),
                                       cmocka_unit_test(k_k_steps),
                                       cmocka_unit_test(small_k),
                                       cmocka_unit_test(figures_of_the_short),
                                       cmocka_unit_test(random_overlay),
                                       cmocka_unit_test(others),
                                       cmocka_unit_test(refuses),
                                       cmocka_unit_test(overlay_of_three),
                                       cmocka_unit_test(bounds_are_met),
                                       cmocka_unit_test(bounds_that_are_weaker),
                                       cmocka_unit_test(greedy_of_some_permutations),
                                       cmocka_unit_test(chance_of_k_k),
                                       cmocka_unit_test(figures)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
