/*
 * The schemes `resampled` and `resampled-early` against their definition, which this file plays anew. It lists every
 * path, and draws the waits of one level after the other. It works out each expected load by going through all waits of
 * the later levels. It looks at every link as it is, and shares no sums, bounds or lists with
 * src/papers/resampled/outline.c.
 *
 * Each of these bugs was planted once, and found: level 0 has one time
 * more; a window has one more; hops that only may be at a time of too large a load do not draw anew; a bound by which
 * links are not looked at is too small; the last limit is no whole number; levels share draws; a packet goes early
 * while its link is taken; packets leave queues in which they were not; a time lasts too long.
 */
#include "support.h"

#include <string.h>

#include "base/log2.h"
#include "base/random.h"
#include "model/network/network.h"
#include "model/path/path.h"

enum { HOPS_MAX = 160, PACKETS_MAX = 800, LINKS_MAX = 2048, TIMES_MAX = 1024, LEVELS_MAX = 4, RUNS = 2, SEED = 5 };

/* What the definition says. */
typedef struct expected {
    np_packet packets;
    uint32_t links;
    np_link link[PACKETS_MAX][HOPS_MAX];
    uint32_t hops[PACKETS_MAX];
    uint32_t time[PACKETS_MAX][HOPS_MAX], step[PACKETS_MAX][HOPS_MAX];
    uint32_t congestion, dilation, levels, interval[LEVELS_MAX], window[LEVELS_MAX], outline, load;
    uint32_t now, base[PACKETS_MAX], wait[PACKETS_MAX][HOPS_MAX], drawn[PACKETS_MAX][HOPS_MAX]; /* of the level */
    uint32_t serial, intervals, limit;
    np_link queue[LINKS_MAX];
    uint32_t queued;
    np_draws draws;
    uint64_t events, resamplings, delay_sum;
    uint32_t queue_max;
    np_step steps;
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
        assert_true(hops <= HOPS_MAX);
        e->hops[p] = (uint32_t)hops;
        e->dilation = hops > e->dilation ? (uint32_t)hops : e->dilation;
        for (size_t k = 0; k < hops; k++)
            if (++crossed[e->link[p][k]] > e->congestion)
                e->congestion = crossed[e->link[p][k]];
    }
    np_path_free(path);
}

/* Levels: the whole path over c / 2 + 1 times; then square roots of what is larger, c or d, rounded up to powers of
 * two. */
static void find_levels(expected *e)
{
    uint32_t larger = e->congestion > e->dilation ? e->congestion : e->dilation;
    e->interval[0] = HOPS_MAX;
    e->window[0] = e->congestion / 2 + 1;
    e->levels = 1;
    for (uint32_t n = (np_log2_up(larger) + 1) / 2; n >= 4; n = (n + 1) / 2) {
        e->interval[e->levels] = 1U << n;
        e->window[e->levels++] = 1U << n / 2;
    }
    e->outline = e->dilation;
    for (uint32_t l = 0; l < e->levels && e->dilation; l++)
        e->outline += (e->window[l] - 1) * ((e->dilation + e->interval[l] - 1) / e->interval[l]);
    for (np_packet p = 0; p < e->packets; p++)
        for (uint32_t j = 0; j < e->hops[p]; j++) {
            e->time[p][j] = j;
            for (uint32_t l = 0; l < e->levels; l++)
                e->time[p][j] += (e->window[l] - 1) * (j / e->interval[l]);
        }
    assert_true(e->outline <= TIMES_MAX && e->levels <= LEVELS_MAX);
}

static void draw(expected *e, np_packet p, uint32_t k)
{
    uint32_t interval = e->interval[e->now];
    uint32_t w = np_random_below(&e->draws, e->serial + e->base[p] + k, e->drawn[p][k]++, e->window[e->now]);
    for (uint32_t j = k * interval; j < (k + 1) * interval && j < e->hops[p]; j++)
        e->time[p][j] += w - e->wait[p][k];
    e->wait[p][k] = w;
}

static void look_later(expected *e, np_link link)
{
    for (uint32_t i = 0; i < e->queued; i++)
        if (e->queue[i] == link)
            return;
    e->queue[e->queued++] = link;
}

/* Adds one to load[time] for all waits of the levels from l on. */
static void spread(const expected *e, uint32_t l, uint32_t time, uint32_t *load)
{
    if (l == e->levels)
        load[time]++;
    for (uint32_t w = 0; l < e->levels && w < e->window[l]; w++)
        spread(e, l + 1, time + w, load);
}

/* Which hops draw anew: those that may be over the link at a time of too large a load. Returns such times, of which no
   two have a hop in common. */
static uint32_t find_bad(const expected *e, np_link link, bool *bad)
{
    static uint32_t load[2 * TIMES_MAX];
    uint32_t units = 1, reach = 0, events = 0;
    memset(load, 0, sizeof load);
    memset(bad, 0, TIMES_MAX);
    for (uint32_t l = e->now + 1; l < e->levels; l++) {
        units *= e->window[l];
        reach += e->window[l] - 1;
    }
    for (np_packet p = 0; p < e->packets; p++)
        for (uint32_t j = 0; j < e->hops[p]; j++)
            if (e->link[p][j] == link)
                spread(e, e->now + 1, e->time[p][j], load);
    for (uint32_t t = 0; t < TIMES_MAX; t++) {
        if (8 * load[t] <= e->limit * units)
            continue;
        for (uint32_t s = t < reach ? 0 : t - reach; s <= t; s++)
            bad[s] = true;
        events++;
        t += reach;
    }
    return events;
}

static void redraw(expected *e, np_link link, const bool *bad)
{
    uint32_t interval = e->interval[e->now];
    for (np_packet p = 0; p < e->packets; p++)
        for (uint32_t j = 0; j < e->hops[p]; j++) {
            if (e->link[p][j] != link || !bad[e->time[p][j]])
                continue;
            uint32_t k = j / interval;
            draw(e, p, k);
            for (uint32_t h = k * interval; h < (k + 1) * interval && h < e->hops[p]; h++)
                look_later(e, e->link[p][h]);
        }
}

static void settle_level(expected *e)
{
    static bool bad[TIMES_MAX];
    memset(e->wait, 0, sizeof e->wait);
    memset(e->drawn, 0, sizeof e->drawn);
    e->intervals = 0;
    for (np_packet p = 0; p < e->packets; p++) {
        uint32_t intervals = (e->hops[p] + e->interval[e->now] - 1) / e->interval[e->now];
        e->base[p] = e->intervals;
        e->intervals += intervals;
        for (uint32_t k = 0; k < intervals; k++)
            draw(e, p, k);
    }
    if (e->now + 1 == e->levels)
        e->limit = (e->limit + 7) / 8 * 8;
    for (np_link l = 0; l < e->links; l++)
        e->queue[l] = l;
    e->queued = e->links;
    for (e->events = 0; e->queued;) {
        np_link link = e->queue[0];
        memmove(e->queue, e->queue + 1, --e->queued * sizeof *e->queue);
        uint32_t events = find_bad(e, link, bad);
        if (!events)
            continue;
        redraw(e, link, bad);
        e->resamplings += events;
        if ((e->events += events) >= e->intervals / 4 + 1) {
            e->events = 0;
            e->limit += e->now + 1 == e->levels ? 8 : 1;
        }
    }
    e->serial += e->intervals;
}

/* The packets of a link at one time cross it one after the other. A time lasts until all have crossed. */
static void keep_times(expected *e)
{
    static uint32_t turns[LINKS_MAX];
    for (uint32_t t = 0; t < e->outline; t++) {
        uint32_t longest = 0;
        memset(turns, 0, sizeof turns);
        for (np_packet p = 0; p < e->packets; p++)
            for (uint32_t j = 0; j < e->hops[p]; j++)
                if (e->time[p][j] == t) {
                    uint32_t turn = ++turns[e->link[p][j]];
                    e->step[p][j] = e->steps + turn;
                    longest = turn > longest ? turn : longest;
                }
        e->load = longest > e->load ? longest : e->load;
        e->steps += longest;
    }
}

/* In each step: of the packets that have not crossed a link, the first by time and number crosses if it is there. */
static void go_early(expected *e)
{
    uint32_t done[PACKETS_MAX] = {0}, left = 0;
    for (np_packet p = 0; p < e->packets; p++)
        left += e->hops[p];
    for (e->steps = 0; left;) {
        static np_packet first[LINKS_MAX], place[LINKS_MAX];
        e->steps++;
        for (np_link l = 0; l < e->links; l++)
            first[l] = NP_NONE;
        for (np_packet p = 0; p < e->packets; p++)
            for (uint32_t j = done[p]; j < e->hops[p]; j++) {
                np_link l = e->link[p][j];
                if (first[l] == NP_NONE || e->time[p][j] < e->time[first[l]][place[l]]) {
                    first[l] = p;
                    place[l] = j;
                }
            }
        for (np_link l = 0; l < e->links; l++)
            if (first[l] != NP_NONE && place[l] == done[first[l]])
                e->step[first[l]][place[l]] = e->steps;
        for (np_packet p = 0; p < e->packets; p++)
            if (done[p] < e->hops[p] && e->step[p][done[p]] == e->steps) {
                done[p]++;
                left--;
            }
    }
}

static void measure(expected *e)
{
    for (np_step step = 1; step <= e->steps; step++) {
        static uint32_t queue[LINKS_MAX];
        memset(queue, 0, sizeof queue);
        for (np_packet p = 0; p < e->packets; p++)
            for (uint32_t j = 1; j < e->hops[p]; j++)
                if (e->step[p][j - 1] < step && e->step[p][j] >= step && ++queue[e->link[p][j]] > e->queue_max)
                    e->queue_max = queue[e->link[p][j]];
    }
    for (np_packet p = 0; p < e->packets; p++)
        e->delay_sum += e->hops[p] ? e->step[p][e->hops[p] - 1] - e->hops[p] : 0;
}

static void judge(const np_network *network, const char *rule, const char *traffic, uint32_t run, bool early,
                  const np_phase_run *got)
{
    static expected e;
    np_traffic *packets;
    memset(&e, 0, sizeof e);
    assert_ok(np_traffic_create(traffic, network, SEED, run, &packets));
    e.packets = np_traffic_packets(packets);
    e.links = np_network_link_numbers(network);
    assert_true(e.packets <= PACKETS_MAX && e.links <= LINKS_MAX);
    e.draws = (np_draws){SEED, run, 0, NP_RANDOM_WAIT};
    list_paths(&e, network, rule, packets, run);
    find_levels(&e);
    e.limit = 8;
    for (e.now = 0; e.now < e.levels; e.now++)
        settle_level(&e);
    keep_times(&e);
    if (early) {
        memset(e.step, 0, sizeof e.step);
        go_early(&e);
    }
    measure(&e);
    assert_int_equal(got->packets, e.packets);
    assert_int_equal(got->resamplings, e.resamplings);
    assert_int_equal(got->congestion, e.congestion);
    assert_int_equal(got->dilation, e.dilation);
    assert_int_equal(got->outline, e.outline);
    assert_int_equal(got->outline_load, e.load);
    assert_int_equal(got->steps, e.steps);
    assert_int_equal(got->delay_sum, e.delay_sum);
    assert_int_equal(got->queue_max, e.queue_max);
    np_traffic_free(packets);
}

static np_route_result *route(const np_network *network, const char *rule, const char *traffic, bool early,
                              unsigned threads, uint32_t runs)
{
    np_route_options options;
    np_route_result *result;
    np_route_options_init(&options);
    options.scheme = early ? "resampled-early" : "resampled";
    options.paths = rule;
    options.seed = SEED;
    options.runs = runs;
    options.threads = threads;
    assert_ok(np_route(network, traffic, &options, &result));
    return result;
}

static void runs_are_their_definition(void **state)
{
    static const struct {
        const char *network, *paths, *traffic;
    } cases[] = {{"mesh:6x6", "greedy", "h-relation:9"},
                 {"hypercube:5", "random-order", "h-relation:6"},
                 {"star:4", "greedy", "random"},
                 {"ring:24", "shortest", "h-relation:15"}, /* one level; 90 packets a link: two */
                 {"array:140", "greedy", "h-relation:2"},
                 {"array:100", "greedy", "hotspot:3:1"},
                 {"tree:4", "greedy", "h-relation:5"},
                 {"complete:9", "greedy", "hotspot:3"},
                 {"mesh:4x4", "k-shortest:3", "h-relation:8"},
                 {"butterfly-io:4", "greedy", "random-function:6"},
                 {"ring:5", "greedy", "identity"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (unsigned early = 0; early < 2; early++) {
            np_network *network = support_network(cases[i].network);
            np_route_result *result = route(network, cases[i].paths, cases[i].traffic, early, 1 + i % 3, RUNS);
            for (uint32_t run = 0; run < RUNS; run++)
                judge(network, cases[i].paths, cases[i].traffic, run, early, &result->phase[0].run[run]);
            np_route_result_free(result);
            np_network_free(network);
        }
}

/* Three levels: c is above 2^14. The twin would take too long: the loads themselves are judged. */
static void loads_stay_small(void **state)
{
    np_network *network = support_network("array:4");
    np_route_result *result = route(network, NULL, "h-relation:20000", false, 2, 1);
    np_route_result *early = route(network, NULL, "h-relation:20000", true, 2, 1);
    const np_phase_run *run = &result->phase[0].run[0];
    (void)state;
    assert_true(run->congestion > 1 << 14);
    assert_true(run->steps <= run->outline * run->outline_load);
    assert_int_equal(run->outline, 3 + run->congestion / 2 + 15 + 3); /* windows of 16 and 4 in one interval */
    assert_true(run->outline_load <= 4);
    assert_true(early->phase[0].run[0].steps <= run->steps);
    assert_true(early->phase[0].run[0].steps <= run->congestion + 16);
    np_route_result_free(result);
    np_route_result_free(early);
    np_network_free(network);
}

static void memory_fails(void **state)
{
    np_network *network = support_network("ring:9");
    np_route_options options;
    (void)state;
    np_route_options_init(&options);
    options.scheme = "resampled";
    options.paths = "k-shortest:2";
    support_assert_route_without_memory(network, "random", options, 10);
    np_network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(runs_are_their_definition), cmocka_unit_test(loads_stay_small),
                                       cmocka_unit_test(memory_fails)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
