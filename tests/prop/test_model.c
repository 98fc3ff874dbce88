/*
 * What the model (Valiant & Brebner 1981, section 2) and exact theorems say
 * of any run, checked without a twin: from the engine's report of every hop,
 * from np_step_report, and from the measures.
 */
#include "support.h"

#include "base/random.h"
#include "run/route/queueing.h"

static np_route_result *route(const np_network *network, const np_traffic *traffic, const char *scheme,
                              const char *queue)
{
    np_route_options options;
    np_route_result *result;
    np_route_options_init(&options);
    options.scheme = scheme;
    options.queue = queue;
    options.threads = 1;
    assert_ok(np_route_traffic(network, traffic, &options, &result));
    return result;
}

/* One phase of greedy routing. */
static np_phase_run greedy(const char *spec, const char *traffic, const char *queue)
{
    np_network *network = support_network(spec);
    np_traffic *packets = support_traffic(network, traffic, 1);
    np_route_result *result = route(network, packets, "greedy", queue);
    np_phase_run run = result->phase[0].run[0];
    np_route_result_free(result);
    np_traffic_free(packets);
    np_network_free(network);
    return run;
}

/* ---- every hop ---- */

typedef struct auditor {
    const np_network *network;
    np_node *at;      /* [packets] */
    uint32_t *hops;   /* [packets] in the present run of the clock */
    np_step *last;    /* [packets] the step of its last hop */
    np_step *carried; /* [link numbers] the step in which the link last carried a packet */
    const char *wrong;
} auditor;

static void audit_hop(auditor *a, np_step step, np_packet p, np_link link)
{
    if (np_network_link_tail(a->network, link) != a->at[p])
        a->wrong = "a packet leaves a node where it is not";
    if (a->carried[link] == step)
        a->wrong = "a link carries two packets in one step";
    if (a->last[p] >= step)
        a->wrong = "a packet makes two hops in one step";
    a->at[p] = np_network_link_head(a->network, link);
    a->carried[link] = a->last[p] = step;
    a->hops[p]++;
}

static int audit_hops(void *context, size_t count, const np_event *event)
{
    for (size_t i = 0; i < count; i++)
        if (event[i].kind == NP_EVENT_MOVED)
            audit_hop(context, event[i].step, event[i].packet, event[i].link);
    return 0;
}

/* An engine with what it needs, so that a test can look at every packet. */
typedef struct rig {
    np_network *network;
    np_traffic *traffic;
    np_path *path;
    np_engine *engine;
    np_engine_plan plan;
    unsigned runs; /* of the clock: 1 with overlap, else the phases */
} rig;

static void rig_open(rig *b, const char *spec, const char *traffic, const char *scheme, const char *queue, bool overlap)
{
    np_engine_options options = {.workers = 1, .overlap = overlap};
    b->network = support_network(spec);
    b->traffic = support_traffic(b->network, traffic, 3);
    const np_scheme *ops;
    assert_ok(np_scheme_find(scheme, &ops));
    const char *paths = np_queueing_of(ops)->paths;
    assert_ok(np_path_create(paths ? paths : "greedy", b->network, &b->path));
    options.network = b->network;
    options.packets = np_traffic_packets(b->traffic);
    assert_ok(np_discipline_find(queue, &options.discipline));
    assert_ok(np_engine_create(&options, &b->engine));
    b->plan = support_plan(scheme, b->network, b->path);
    b->runs = overlap ? 1 : b->plan.phases;
    np_engine_place(b->engine, b->traffic);
}

static void rig_close(rig *b)
{
    np_engine_free(b->engine);
    np_path_free(b->path);
    np_traffic_free(b->traffic);
    np_network_free(b->network);
}

static void *zeroed(size_t count, size_t size)
{
    void *pointer = calloc(count ? count : 1, size);
    assert_non_null(pointer);
    return pointer;
}

static auditor auditor_of(const rig *b)
{
    np_packet packets = np_traffic_packets(b->traffic);
    auditor a = {.network = b->network};
    a.at = zeroed(packets, sizeof *a.at);
    a.hops = zeroed(packets, sizeof *a.hops);
    a.last = zeroed(packets, sizeof *a.last);
    a.carried = zeroed(np_network_link_numbers(b->network), sizeof *a.carried);
    for (np_packet p = 0; p < packets; p++)
        a.at[p] = np_traffic_sources(b->traffic)[p];
    return a;
}

static void auditor_clear(auditor *a)
{
    free(a->at);
    free(a->hops);
    free(a->last);
    free(a->carried);
}

/* Runs the clock once; what was seen is what is told. Returns what is wrong, or NULL. */
static const char *audit_run(rig *b, auditor *a, unsigned phase)
{
    np_packet packets = np_traffic_packets(b->traffic);
    const np_observer observer = {.kinds = 1 << NP_EVENT_MOVED, .events = audit_hops, .context = a};
    np_engine_watch watch = {.observer = &observer};
    np_phase_run run;
    uint64_t hops = 0, delays = 0;
    np_step end = 0;
    memset(a->carried, 0, np_network_link_numbers(b->network) * sizeof *a->carried);
    memset(a->hops, 0, packets * sizeof *a->hops);
    memset(a->last, 0, packets * sizeof *a->last);
    assert_ok(np_engine_run(b->engine, &b->plan, phase, (np_draws){.seed = 5, .run = 2}, &watch, &run));
    for (np_packet p = 0; p < packets; p++) {
        uint32_t delay = a->last[p] - a->hops[p];
        if (np_engine_locations(b->engine)[p] != a->at[p])
            return "a packet is not where its hops led";
        if (np_engine_delays(b->engine)[p] != delay)
            return "a delay is not the last step less the hops";
        hops += a->hops[p];
        delays += delay;
        end = a->last[p] > end ? a->last[p] : end;
    }
    if (run.hops != hops || run.delay_sum != delays || run.steps != end)
        return "totals are not those of the hops";
    return a->wrong;
}

static void audit(const char *spec, const char *traffic, const char *scheme, const char *queue, bool overlap)
{
    rig b;
    rig_open(&b, spec, traffic, scheme, queue, overlap);
    auditor a = auditor_of(&b);
    const char *wrong = NULL;
    for (unsigned phase = 0; phase < b.runs && !wrong; phase++)
        wrong = audit_run(&b, &a, phase);
    for (np_packet p = 0; p < np_traffic_packets(b.traffic) && !wrong; p++)
        if (a.at[p] != np_traffic_destinations(b.traffic)[p])
            wrong = "a packet ends elsewhere than at its destination";
    if (wrong)
        fail_msg("%s %s %s %s %s: %s", spec, traffic, scheme, queue, overlap ? "overlap" : "", wrong);
    auditor_clear(&a);
    rig_close(&b);
}

static const char *const small[] = {
    "hypercube:5", "shuffle:2x5", "shuffle:3x3", "shuffle-exchange:5", "ccc:4",  "butterfly:3",
    "mesh:6x5",    "mesh:3x4x2",  "torus:5x4",   "array:16",           "ring:9", "complete:8",
};

enum { SMALL = sizeof small / sizeof *small };

/* At most one packet a link a step, nobody in two places, all where they belong, delays as defined. */
static void hops_obey_the_model(void **state)
{
    static const char *const traffic[] = {"random", "h-relation:4", "hotspot:1", "partial:0.5"};
    (void)state;
    for (size_t i = 0; i < SMALL; i++) {
        np_network *network = support_network(small[i]);
        for (size_t s = 0; np_list_get(NP_LIST_SCHEMES, s); s++)
            for (size_t q = 0;
                 np_list_get(NP_LIST_QUEUES, q) && support_queues(np_list_get(NP_LIST_SCHEMES, s)->name) &&
                 !np_scheme_applies(np_list_get(NP_LIST_SCHEMES, s)->name, network);
                 q++)
                for (int overlap = 0; overlap < 2; overlap++)
                    audit(small[i], traffic[(i + s + q) % 4], np_list_get(NP_LIST_SCHEMES, s)->name,
                          np_list_get(NP_LIST_QUEUES, q)->name, overlap);
        np_network_free(network);
    }
}

/* ---- every step ---- */

typedef struct tally {
    uint64_t links, moved, finish_times; /* of the phase so far */
    np_packet finished;
    np_step step;
    unsigned phase;
    const char *wrong;
} tally;

static int tally_step(void *context, const np_step_report *report)
{
    tally *t = context;
    if (report->step == 0) {
        *t = (tally){.links = t->links, .wrong = t->wrong, .phase = report->phase};
        if (report->moved)
            t->wrong = "something moved before the first step";
    } else if (report->phase != t->phase || report->step != t->step + 1 || !report->moved) {
        t->wrong = "steps are not numbered one by one, or are idle";
    }
    if (report->finished + report->waiting != report->packets || report->finished < t->finished)
        t->wrong = "packets are lost";
    if (report->moved > t->links)
        t->wrong = "more packets move than there are links";
    t->moved += report->moved;
    t->finish_times += (uint64_t)report->step * (report->finished - t->finished);
    t->finished = report->finished;
    t->step = report->step;
    return 0;
}

/* One run; the last phase's reports must add up to its measures. */
static void check_reports(const np_network *network, const char *scheme, const char *queue, unsigned threads)
{
    tally t = {.links = np_network_links(network)};
    np_route_options options;
    np_route_result *result;
    np_route_options_init(&options);
    options.scheme = scheme;
    options.queue = queue;
    options.threads = threads;
    options.on_step = tally_step;
    options.context = &t;
    assert_ok(np_route(network, "h-relation:3", &options, &result));
    const np_phase_run *run = &result->phase[result->phases - 1].run[0];
    if (t.step != run->steps || t.finished != run->packets || t.moved != run->hops ||
        t.finish_times - t.moved != run->delay_sum)
        t.wrong = "reports do not add up to the measures";
    if (t.wrong)
        fail_msg("%s %s %s, %u threads: %s", np_network_spec(network), scheme, queue, threads, t.wrong);
    np_route_result_free(result);
}

static void steps_conserve_packets(void **state)
{
    (void)state;
    for (size_t i = 0; i < SMALL; i++) {
        np_network *network = support_network(small[i]);
        for (size_t s = 0; np_list_get(NP_LIST_SCHEMES, s); s++)
            for (size_t q = 0;
                 np_list_get(NP_LIST_QUEUES, q) && support_queues(np_list_get(NP_LIST_SCHEMES, s)->name) &&
                 !np_scheme_applies(np_list_get(NP_LIST_SCHEMES, s)->name, network);
                 q++)
                check_reports(network, np_list_get(NP_LIST_SCHEMES, s)->name, np_list_get(NP_LIST_QUEUES, q)->name,
                              (i + s + q) % 8 ? 1 : 2);
        np_network_free(network);
    }
}

/* ---- bounds that hold for every discipline ---- */

/* The routes of greedy packets, walked alone: packets over each link, and the longest. */
static uint32_t loads_of(const np_network *network, const np_path *path, const np_traffic *traffic, uint32_t *load)
{
    enum { HOPS_MAX = 256 };
    np_link links[HOPS_MAX];
    size_t hops, longest = 0;
    memset(load, 0, np_network_link_numbers(network) * sizeof *load);
    for (np_packet p = 0; p < np_traffic_packets(traffic); p++) {
        np_node from = np_traffic_sources(traffic)[p], to = np_traffic_destinations(traffic)[p];
        assert_ok(np_path_walk(path, from, to, 1, 0, 0, p, HOPS_MAX, links, &hops));
        assert_true(hops <= HOPS_MAX);
        for (size_t i = 0; i < hops; i++)
            load[links[i]]++;
        longest = hops > longest ? hops : longest;
    }
    return (uint32_t)longest;
}

/* c, d <= steps <= c d for a run without idle packets: a packet waits at most c - 1 times at each of its d links. */
static void congestion_and_dilation(void **state)
{
    (void)state;
    for (size_t i = 0; i < SMALL; i++) {
        np_network *network = support_network(small[i]);
        np_traffic *traffic = support_traffic(network, "h-relation:3", i);
        np_link links = np_network_link_numbers(network);
        uint32_t *load = zeroed(links, sizeof *load), c = 0;
        np_path *path;
        assert_ok(np_path_create("greedy", network, &path));
        uint32_t d = loads_of(network, path, traffic, load);
        for (np_link l = 0; l < links; l++)
            c = load[l] > c ? load[l] : c;
        for (size_t q = 0; np_list_get(NP_LIST_QUEUES, q); q++) {
            np_route_result *result = route(network, traffic, "greedy", np_list_get(NP_LIST_QUEUES, q)->name);
            const np_phase_run *run = &result->phase[0].run[0];
            assert_int_equal(run->congestion, c);
            assert_true(run->steps >= c && run->steps >= d && run->steps <= c * d);
            assert_true(run->delay_max <= d * (c - 1) && run->steps <= d + run->delay_max);
            assert_true(run->queue_max <= c);
            np_route_result_free(result);
        }
        free(load);
        np_path_free(path);
        np_traffic_free(traffic);
        np_network_free(network);
    }
}

/*
 * Fact 1 (section 3): for nonrepeating routes a packet's delay is at most the
 * number of other packets whose routes share a link with its own.
 */
static void check_fact1(const rig *b, size_t count, np_link *const *used, const uint32_t *hops)
{
    for (size_t p = 0; p < count; p++) {
        uint32_t met = 0;
        for (size_t other = 0; other < count; other++) {
            bool meet = false;
            for (uint32_t i = 0; i < hops[p] && other != p; i++)
                for (uint32_t j = 0; j < hops[other]; j++)
                    meet = meet || used[p][i] == used[other][j];
            met += meet;
        }
        assert_true(np_engine_delays(b->engine)[p] <= met);
    }
}

typedef struct tracks {
    np_link **used; /* [packets][...] */
    uint32_t *hops;
} tracks;

enum { DIMENSIONS = 6 };

static int track_hops(void *context, size_t count, const np_event *event)
{
    tracks *t = context;
    for (size_t i = 0; i < count; i++) {
        np_packet p = event[i].packet;
        if (event[i].kind == NP_EVENT_MOVED && t->hops[p] < DIMENSIONS)
            t->used[p][t->hops[p]++] = event[i].link;
    }
    return 0;
}

static void fact1_on_the_cube(void **state)
{
    (void)state;
    for (size_t q = 0; np_list_get(NP_LIST_QUEUES, q); q++) {
        rig b;
        rig_open(&b, "hypercube:6", "h-relation:5", "cubes", np_list_get(NP_LIST_QUEUES, q)->name, false);
        np_packet packets = np_traffic_packets(b.traffic);
        tracks t = {zeroed(packets, sizeof *t.used), zeroed(packets, sizeof *t.hops)};
        const np_observer observer = {.kinds = 1 << NP_EVENT_MOVED, .events = track_hops, .context = &t};
        np_engine_watch watch = {.observer = &observer};
        np_phase_run run;
        for (np_packet p = 0; p < packets; p++)
            t.used[p] = zeroed(DIMENSIONS, sizeof *t.used[p]);
        for (unsigned phase = 0; phase < 2; phase++) {
            memset(t.hops, 0, packets * sizeof *t.hops);
            assert_ok(np_engine_run(b.engine, &b.plan, phase, (np_draws){.seed = q}, &watch, &run));
            check_fact1(&b, packets, t.used, t.hops);
            assert_true(run.delay_max > 0);
        }
        for (np_packet p = 0; p < packets; p++)
            free(t.used[p]);
        free(t.used);
        free(t.hops);
        rig_close(&b);
    }
}

/* ---- exact facts ---- */

static void identity_stays_at_home(void **state)
{
    (void)state;
    for (size_t i = 0; i < SMALL; i++) {
        np_phase_run run = greedy(small[i], "identity", "fifo");
        assert_int_equal(run.steps, 0);
        assert_int_equal(run.hops, 0);
        assert_int_equal(run.queue_max, 0);
        assert_int_equal(run.congestion, 0);
        assert_int_equal(run.population_max, 1);
    }
}

/* All packets cross dimension i in step i, each over a link of its own. */
static void complement_on_the_cube(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 10; n++) {
        char spec[32];
        snprintf(spec, sizeof spec, "hypercube:%u", n);
        np_phase_run run = greedy(spec, "complement", "fifo");
        assert_int_equal(run.steps, n);
        assert_int_equal(run.delay_max, 0);
        assert_int_equal(run.hops, (uint64_t)n << n);
        assert_int_equal(run.queue_max, 1);
        assert_int_equal(run.population_max, 1);
        assert_int_equal(run.congestion, 1);
    }
}

/* All go round together: up to half way in one direction. */
static void rotation_on_the_ring(void **state)
{
    (void)state;
    for (uint32_t k = 1; k <= 6; k++) {
        char traffic[32];
        snprintf(traffic, sizeof traffic, "rotation:%u", k);
        np_phase_run run = greedy("ring:12", traffic, "fifo");
        assert_int_equal(run.steps, k);
        assert_int_equal(run.delay_max, 0);
        assert_int_equal(run.congestion, k);
        assert_int_equal(run.population_max, 1);
    }
}

static void all_to_all_on_the_complete_network(void **state)
{
    (void)state;
    np_phase_run run = greedy("complete:9", "all-to-all", "fifo");
    assert_int_equal(run.hops, 72);
    assert_int_equal(run.steps, 1);
    assert_int_equal(run.congestion, 1);
    assert_int_equal(run.queue_max, 1);
}

/*
 * Everything to one node, where it stays: the population is N. On the line
 * and the ring packets follow one another without waiting. On the n-cube the
 * N/2 packets from nodes that differ in the last dimension share one link,
 * which is busy from the first step to the last.
 */
static void hot_spots(void **state)
{
    static const struct {
        const char *spec;
        uint32_t nodes, steps, congestion, delay_max;
    } cases[] = {
        {"complete:9", 9, 1, 1, 0},
        {"array:20", 20, 19, 19, 0},
        {"ring:12", 12, 6, 6, 0},
        {"ring:13", 13, 6, 6, 0},
        {"hypercube:2", 4, 2, 2, 0},
        {"hypercube:6", 64, 32, 32, UINT32_MAX},
        {"hypercube:9", 512, 256, 256, UINT32_MAX},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t q = 0; np_list_get(NP_LIST_QUEUES, q); q++) {
            np_phase_run run = greedy(cases[i].spec, "hotspot:0", np_list_get(NP_LIST_QUEUES, q)->name);
            assert_int_equal(run.steps, cases[i].steps);
            assert_int_equal(run.congestion, cases[i].congestion);
            assert_int_equal(run.population_max, cases[i].nodes);
            if (cases[i].delay_max != UINT32_MAX)
                assert_int_equal(run.delay_max, cases[i].delay_max);
        }
}

/*
 * Greedy routing is far from n steps on some permutations: bit reversal and
 * transpose crowd 2^(n/2) packets into the nodes whose first (last) half is 0.
 */
static void bad_permutations_of_the_cube(void **state)
{
    (void)state;
    for (uint32_t n = 2; n <= 16; n += 2) {
        char spec[32];
        snprintf(spec, sizeof spec, "hypercube:%u", n);
        uint32_t steps = n / 2 + (UINT32_C(1) << (n / 2 - 1));
        assert_int_equal(greedy(spec, "bit-reversal", "fifo").steps, steps);
        assert_int_equal(greedy(spec, "transpose", "fifo").steps, steps);
    }
}

enum { LINE = 24, LINE_PACKETS = 90 };

/* max over i < j with r_ij > 0 of r_ij + j - i - 1, r_ij the packets that go from node i or before to j or beyond. */
static uint32_t line_time(size_t count, const np_node *from, const np_node *to, bool up)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < LINE; i++)
        for (uint32_t j = i + 1; j < LINE; j++) {
            uint32_t r = 0;
            for (size_t p = 0; p < count; p++)
                r += up ? from[p] <= i && to[p] >= j : to[p] <= i && from[p] >= j;
            if (r && r + j - i - 1 > most)
                most = r + j - i - 1;
        }
    return most;
}

/* Sibeyn, lecture notes: on a linear array farthest-first takes exactly that long, whatever the packets. */
static void farthest_first_on_the_line(void **state)
{
    (void)state;
    np_network *network = support_network("array:24");
    uint32_t worse = 0;
    for (uint32_t trial = 0; trial < 300; trial++) {
        np_draws draws = {trial, 0, 0, NP_RANDOM_CHECK};
        np_node from[LINE_PACKETS], to[LINE_PACKETS];
        uint32_t packets = 1 + np_random_below(&draws, 0, 2, LINE_PACKETS), wide = 1 + trial % LINE;
        np_traffic *traffic;
        for (uint32_t p = 0; p < packets; p++) {
            from[p] = np_random_below(&draws, p, 0, wide); /* crowded at the left */
            to[p] = np_random_below(&draws, p, 1, LINE);
        }
        assert_ok(np_traffic_from_arrays(network, packets, from, to, NULL, &traffic));
        uint32_t up = line_time(packets, from, to, true), down = line_time(packets, from, to, false);
        np_route_result *result = route(network, traffic, "greedy", "farthest-first");
        assert_int_equal(result->phase[0].run[0].steps, up > down ? up : down);
        np_route_result_free(result);
        result = route(network, traffic, "greedy", "fifo"); /* no discipline is faster; some runs are slower */
        assert_true(result->phase[0].run[0].steps >= (up > down ? up : down));
        worse += result->phase[0].run[0].steps > (up > down ? up : down);
        np_route_result_free(result);
        np_traffic_free(traffic);
    }
    assert_true(worse > 0);
    np_network_free(network);
}

/*
 * Dimension order, farthest first, on a permutation of an a x b mesh takes at
 * most a + b - 2 steps: one packet a node goes undelayed along the first
 * dimension (a - 1 steps); then each line of the second is as above, with
 * r_ij <= b - j since destinations differ.
 */
static void farthest_first_on_the_mesh(void **state)
{
    static const struct {
        const char *spec;
        uint32_t bound;
    } meshes[] = {{"mesh:16x16", 30}, {"mesh:5x30", 33}, {"mesh:30x5", 33}};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        np_network *network = support_network(meshes[i].spec);
        for (uint64_t seed = 1; seed <= 20; seed++) {
            np_traffic *traffic = support_traffic(network, "random", seed);
            np_route_result *result = route(network, traffic, "greedy", "farthest-first");
            assert_true(result->phase[0].run[0].steps <= meshes[i].bound);
            np_route_result_free(result);
            np_traffic_free(traffic);
        }
        np_network_free(network);
    }
    assert_int_equal(greedy("mesh:16x16", "complement", "farthest-first").steps, 30); /* corners change places */
}

/* Sibeyn's trick: with the complement of a long detour no packet travels more than n links in all. */
static void complement_scheme_travels_n_links(void **state)
{
    (void)state;
    uint32_t longest[2] = {0, 0};
    for (int plain = 0; plain < 2; plain++) {
        rig b;
        rig_open(&b, "hypercube:7", "random", plain ? "cubes" : "complement", "fifo", true);
        auditor a = auditor_of(&b);
        assert_null(audit_run(&b, &a, 0));
        for (np_packet p = 0; p < np_traffic_packets(b.traffic); p++)
            longest[plain] = a.hops[p] > longest[plain] ? a.hops[p] : longest[plain];
        auditor_clear(&a);
        rig_close(&b);
    }
    assert_int_equal(longest[0], 7);
    assert_true(longest[1] > 7);
}

/* Section 8: with one packet a node, phase A is "a continuous flow of packets [...] involving no delays whatsoever". */
static void grid_phase_a_has_no_delay(void **state)
{
    static const char *const specs[] = {"mesh:20x20", "mesh:7x30", "mesh:6x5x4"};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        np_network *network = support_network(specs[i]);
        np_traffic *traffic = support_traffic(network, "random", i);
        np_route_result *result = route(network, traffic, "grid", NULL);
        assert_string_equal(result->queue, "moved-first");
        assert_int_equal(result->phase[0].run[0].delay_max, 0);
        assert_int_equal(result->phase[0].run[0].queue_max, 1);
        assert_true(result->phase[1].run[0].delay_max > 0);
        np_route_result_free(result);
        np_traffic_free(traffic);
        np_network_free(network);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hops_obey_the_model),
        cmocka_unit_test(steps_conserve_packets),
        cmocka_unit_test(congestion_and_dilation),
        cmocka_unit_test(fact1_on_the_cube),
        cmocka_unit_test(identity_stays_at_home),
        cmocka_unit_test(complement_on_the_cube),
        cmocka_unit_test(rotation_on_the_ring),
        cmocka_unit_test(all_to_all_on_the_complete_network),
        cmocka_unit_test(hot_spots),
        cmocka_unit_test(bad_permutations_of_the_cube),
        cmocka_unit_test(farthest_first_on_the_line),
        cmocka_unit_test(farthest_first_on_the_mesh),
        cmocka_unit_test(complement_scheme_travels_n_links),
        cmocka_unit_test(grid_phase_a_has_no_delay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
