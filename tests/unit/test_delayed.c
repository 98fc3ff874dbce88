/*
 * The scheme `delayed` against its definition, which this file plays anew: it lists every path, draws the delays, and
 * moves the packets step by step through queues at the tails of links, a frame after the other.
 *
 * Each of these bugs was planted once, and found: delays are drawn from one value fewer; a frame ends a step early; a
 * queue forgets those of the last frame; a packet that joins goes before those that wait; the last packet's delay is
 * lost.
 */
#include "support.h"

#include <string.h>

#include "base/log2.h"
#include "base/random.h"
#include "model/network/network.h"
#include "model/path/path.h"

enum { HOPS_MAX = 64, PACKETS_MAX = 512, LINKS_MAX = 4096, RUNS = 3, SEED = 5 };

/* What the definition says. */
typedef struct expected {
    np_packet packets;
    np_link link[PACKETS_MAX][HOPS_MAX];
    uint32_t hops[PACKETS_MAX], joins[PACKETS_MAX]; /* the frame of its first hop */
    uint32_t done[PACKETS_MAX];                     /* hops */
    np_step came[PACKETS_MAX];                      /* the step in which it came to its node */
    uint64_t place[PACKETS_MAX];                    /* in the order in which they came there */
    uint32_t congestion, longest;
    np_step steps;
    uint64_t hops_all, delay_sum;
    uint32_t queue_max;
} expected;

static void list_paths(expected *e, const np_network *network, const char *rule, const np_traffic *traffic,
                       uint32_t run)
{
    static uint32_t crossed[LINKS_MAX];
    np_path *path;
    memset(crossed, 0, sizeof crossed);
    assert_ok(np_path_create(rule, network, &path));
    for (np_packet p = 0; p < e->packets; p++) {
        size_t hops = 0;
        np_node from = np_traffic_sources(traffic)[p], to = np_traffic_destinations(traffic)[p];
        if (from != to)
            assert_ok(np_path_walk(path, from, to, SEED, run, 0, p, HOPS_MAX, e->link[p], &hops));
        e->hops[p] = (uint32_t)hops;
        e->hops_all += hops;
        e->longest = hops > e->longest ? (uint32_t)hops : e->longest;
        for (size_t k = 0; k < hops; k++)
            if (++crossed[e->link[p][k]] > e->congestion)
                e->congestion = crossed[e->link[p][k]];
    }
    np_path_free(path);
}

static void draw_delays(expected *e, uint32_t run)
{
    const np_draws draws = {SEED, run, 0, NP_RANDOM_DELAY};
    np_packet moving = 0;
    for (np_packet p = 0; p < e->packets; p++)
        moving += e->hops[p] != 0;
    uint32_t frame = np_log2_up((uint64_t)moving * e->longest);
    for (np_packet p = 0; p < e->packets; p++)
        e->joins[p] = np_random_below(&draws, p, 0, e->congestion / (frame ? frame : 1) + 1);
}

/* Is the packet in the queue of its next link, in the frame? Later packets, still at their sources, are not. */
static bool queued(const expected *e, np_packet p, uint32_t frame)
{
    return e->done[p] < e->hops[p] && (e->done[p] || e->joins[p] <= frame);
}

/* One step: of the packets whose hop in this frame is still to come, the first of each link crosses. */
static bool step_once(expected *e, uint32_t frame)
{
    static np_packet first[LINKS_MAX];
    static uint32_t queue[LINKS_MAX];
    bool moved = false;
    memset(queue, 0, sizeof queue);
    for (np_link l = 0; l < LINKS_MAX; l++)
        first[l] = NP_NONE;
    for (np_packet p = 0; p < e->packets; p++) {
        if (!queued(e, p, frame))
            continue;
        np_link link = e->link[p][e->done[p]];
        if (++queue[link] > e->queue_max)
            e->queue_max = queue[link];
        if (e->joins[p] + e->done[p] == frame && (first[link] == NP_NONE || e->place[p] < e->place[first[link]]))
            first[link] = p;
    }
    for (np_link l = 0; l < LINKS_MAX; l++)
        moved |= first[l] != NP_NONE;
    if (!moved)
        return false;
    e->steps++;
    for (np_link l = 0; l < LINKS_MAX; l++)
        if (first[l] != NP_NONE) {
            e->done[first[l]]++;
            e->came[first[l]] = e->steps;
        }
    return true;
}

/*
 * The order in which the packets of the next frame came: by steps; in one step, by their places in the last frame.
 * Those that join now follow, by their numbers.
 */
static void place(expected *e, uint32_t frame)
{
    static uint64_t old[PACKETS_MAX];
    memcpy(old, e->place, sizeof old);
    for (np_packet p = 0; p < e->packets; p++) {
        uint64_t key = e->done[p] ? (uint64_t)e->came[p] * PACKETS_MAX * 2 : UINT64_MAX / 2;
        uint64_t before = 0;
        for (np_packet o = 0; o < e->packets; o++) {
            uint64_t other = e->done[o] ? (uint64_t)e->came[o] * PACKETS_MAX * 2 : UINT64_MAX / 2;
            bool tie = e->done[p] ? old[o] < old[p] : o < p;
            before += queued(e, o, frame) && (other < key || (other == key && tie));
        }
        e->place[p] = before;
    }
}

static void play(expected *e)
{
    uint64_t done = 0;
    for (uint32_t frame = 0; done < e->hops_all; frame++) {
        place(e, frame);
        while (step_once(e, frame))
            continue;
        done = 0;
        for (np_packet p = 0; p < e->packets; p++)
            done += e->done[p];
    }
    for (np_packet p = 0; p < e->packets; p++)
        e->delay_sum += e->came[p] - e->hops[p];
}

static void judge(const np_network *network, const char *rule, const char *traffic, uint32_t run,
                  const np_phase_run *got)
{
    static expected e;
    np_traffic *packets;
    memset(&e, 0, sizeof e);
    assert_ok(np_traffic_create(traffic, network, SEED, run, &packets));
    e.packets = np_traffic_packets(packets);
    assert_true(e.packets <= PACKETS_MAX && np_network_link_numbers(network) <= LINKS_MAX);
    list_paths(&e, network, rule, packets, run);
    draw_delays(&e, run);
    play(&e);
    assert_int_equal(got->packets, e.packets);
    assert_int_equal(got->steps, e.steps);
    assert_int_equal(got->hops, e.hops_all);
    assert_int_equal(got->congestion, e.congestion);
    assert_int_equal(got->delay_sum, e.delay_sum);
    assert_int_equal(got->queue_max, e.queue_max);
    np_traffic_free(packets);
}

static np_route_result *route(const np_network *network, const char *rule, const char *traffic, unsigned threads)
{
    np_route_options options;
    np_route_result *result;
    np_route_options_init(&options);
    options.scheme = "delayed";
    options.paths = rule;
    options.seed = SEED;
    options.runs = RUNS;
    options.threads = threads;
    assert_ok(np_route(network, traffic, &options, &result));
    return result;
}

static void runs_are_their_definition(void **state)
{
    static const struct {
        const char *network, *paths, *traffic;
    } cases[] = {{"mesh:6x6", "greedy", "h-relation:4"},
                 {"hypercube:5", "random-order", "h-relation:6"},
                 {"star:4", "greedy", "random"},
                 {"ring:12", "shortest", "h-relation:9"},
                 {"complete:9", "greedy", "hotspot:3"},
                 {"tree:4", "greedy", "h-relation:5"},
                 {"shuffle:2x5", "greedy", "h-relation:3"},
                 {"torus:5x4", "shortest", "h-relation:12"},
                 {"array:20", "greedy", "h-relation:16"},
                 {"butterfly-io:4", "greedy", "random-function:6"},
                 {"mesh:4x4", "k-shortest:3", "h-relation:8"},
                 {"ring:5", "greedy", "identity"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_network *network = support_network(cases[i].network);
        np_route_result *result = route(network, cases[i].paths, cases[i].traffic, 1 + i % 3);
        for (uint32_t run = 0; run < RUNS; run++)
            judge(network, cases[i].paths, cases[i].traffic, run, &result->phase[0].run[run]);
        np_route_result_free(result);
        np_network_free(network);
    }
}

/* The histogram of delays and the engine that carried the hops out say the same. */
static void delays_add_up(void **state)
{
    np_network *network = support_network("torus:6x6");
    np_route_result *result = route(network, NULL, "h-relation:5", 1);
    const np_phase_result *phase = &result->phase[0];
    uint64_t sum = 0, packets = 0, expected_sum = 0;
    np_step most = 0;
    (void)state;
    for (size_t d = 0; d < phase->delays; d++) {
        sum += d * phase->delay_histogram[d];
        packets += phase->delay_histogram[d];
    }
    for (uint32_t run = 0; run < RUNS; run++) {
        expected_sum += phase->run[run].delay_sum;
        most = phase->run[run].delay_max > most ? phase->run[run].delay_max : most;
    }
    assert_int_equal(packets, RUNS * 180);
    assert_int_equal(sum, expected_sum);
    assert_int_equal(phase->delays, most + 1);
    np_route_result_free(result);
    np_network_free(network);
}

static void memory_fails(void **state)
{
    np_network *network = support_network("ring:9");
    np_route_options options;
    (void)state;
    np_route_options_init(&options);
    options.scheme = "delayed";
    options.paths = "k-shortest:2";
    support_assert_route_without_memory(network, "random", options, 10);
    np_network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(runs_are_their_definition), cmocka_unit_test(delays_add_up),
                                       cmocka_unit_test(memory_fails)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
