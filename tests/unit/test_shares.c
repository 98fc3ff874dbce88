/*
 * All-to-all in two phases by shares: what the links carry against the bounds, and where it is known exactly, for
 * balanced traffic, unbalanced traffic, and the worst that there is.
 */
#include "support.h"

static np_route_result *routed(const np_network *network, const np_traffic *traffic, const char *scheme)
{
    np_route_options options;
    np_route_result *result;
    np_route_options_init(&options);
    options.scheme = scheme;
    options.threads = 1;
    assert_ok(np_route_traffic(network, traffic, &options, &result));
    assert_int_equal(result->phases, strcmp(scheme, "shares") ? 4 : 2);
    for (size_t p = 0; p < result->phases; p++) /* links do not wait for one another */
        assert_int_equal(result->phase[p].run->steps, result->phase[p].run->congestion);
    return result;
}

/* count[u * nodes + v]: the packets from u to v. */
static uint32_t *counted(np_node nodes, const np_traffic *traffic)
{
    uint32_t *count = calloc((size_t)nodes * nodes, sizeof *count);
    for (np_packet p = 0; p < np_traffic_packets(traffic); p++)
        count[np_traffic_sources(traffic)[p] * nodes + np_traffic_destinations(traffic)[p]]++;
    return count;
}

static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

/* ceil(m / P) of the node that sends most. */
static uint32_t bound_of_sending(np_node nodes, const uint32_t *count)
{
    uint32_t most = 0;
    for (np_node u = 0; u < nodes; u++) {
        uint32_t sum = 0;
        for (np_node v = 0; v < nodes; v++)
            sum += count[u * nodes + v];
        most = larger(most, (sum + nodes - 1) / nodes);
    }
    return most;
}

/* sum of ceil(A_gj / P) over groups g of so many nodes, for the destination j where it is largest. */
static uint32_t bound_of_groups(np_node nodes, const uint32_t *count, uint32_t size)
{
    uint32_t most = 0;
    for (np_node v = 0; v < nodes; v++) {
        uint32_t sum = 0;
        for (np_node first = 0; first < nodes; first += size) {
            uint32_t together = 0;
            for (np_node u = first; u < first + size && u < nodes; u++)
                together += count[u * nodes + v];
            sum += (together + nodes - 1) / nodes;
        }
        most = larger(most, sum);
    }
    return most;
}

/* The rule as it is written: packets in rows by destination, dealt out from the node itself on. */
static void dealt(np_node nodes, const uint32_t *count, uint32_t *first, uint32_t *second)
{
    uint32_t *to = calloc((size_t)nodes * nodes, sizeof *to), *from = calloc((size_t)nodes * nodes, sizeof *from);
    *first = *second = 0;
    for (np_node u = 0; u < nodes; u++)
        for (np_node v = 0, hand = u; v < nodes; v++)
            for (uint32_t i = 0; i < count[u * nodes + v]; i++, hand = (hand + 1) % nodes) {
                to[u * nodes + hand] += hand != u;
                from[hand * nodes + v] += hand != v;
            }
    for (size_t i = 0; i < (size_t)nodes * nodes; i++) {
        *first = larger(*first, to[i]);
        *second = larger(*second, from[i]);
    }
    free(to);
    free(from);
}

static uint32_t root(np_node nodes)
{
    uint32_t s = 1;
    while (s * s < nodes)
        s++;
    return s;
}

/*
 * Phases G1 and G2: every number that is not 0 to the node that it is about, and from there to all others of the group.
 */
static void judge_gossip(np_node nodes, const uint32_t *count, const np_route_result *groups)
{
    uint32_t size = root(nodes), steps[2] = {0, 0};
    uint64_t hops[2] = {0, 0};
    for (np_node j = 0; j < nodes; j++)
        for (np_node v = 0; v < nodes; v++) {
            uint32_t numbers = 0;
            for (np_node u = v / size * size; u < (v / size + 1) * size && u < nodes && v != j; u++)
                numbers += u != v && count[u * nodes + j] > 0;
            hops[1] += numbers;
            steps[1] = larger(steps[1], numbers);
            bool alone = v % size == 0 && (size == 1 || v + 1 == nodes);
            bool tells = v != j && !alone && count[v * nodes + j] > 0;
            hops[0] += tells;
            steps[0] = larger(steps[0], tells);
        }
    for (int p = 0; p < 2; p++) {
        assert_int_equal(groups->phase[p].run->steps, steps[p]);
        assert_int_equal(groups->phase[p].run->hops, hops[p]);
    }
}

/* The theorems are kept, beside the measurement. */
static void judge_report(const np_network *network, const np_route_result *result)
{
    np_report_bound *bound;
    size_t count;
    assert_ok(np_report_bounds(network, result, &bound, &count));
    assert_int_equal(count, result->phases + 1);
    for (size_t i = 0; i < count; i++)
        assert_true(bound[i].steps.relation == NP_REPORT_AT_MOST && !bound[i].steps.broken);
    np_report_bounds_free(bound);
}

static void judge(const np_network *network, const np_traffic *traffic)
{
    np_node nodes = np_network_nodes(network);
    uint32_t *count = counted(nodes, traffic), first, second, sending = bound_of_sending(nodes, count);
    np_route_result *shares = routed(network, traffic, "shares"), *groups = routed(network, traffic, "group-shares");
    dealt(nodes, count, &first, &second);
    assert_int_equal(shares->phase[0].run->steps, first);
    assert_int_equal(shares->phase[1].run->steps, second);
    assert_true(first <= sending && second <= bound_of_groups(nodes, count, 1));
    assert_true(groups->phase[2].run->steps <= sending);
    assert_true(groups->phase[3].run->steps <= bound_of_groups(nodes, count, root(nodes)));
    judge_gossip(nodes, count, groups);
    judge_report(network, shares);
    judge_report(network, groups);
    np_route_result_free(shares);
    np_route_result_free(groups);
    free(count);
}

static void any_traffic(void **state)
{
    static const char *const specs[] = {"complete:2", "complete:3", "complete:9", "complete:20", "complete:64"};
    static const char *const traffics[] = {"random",           "h-relation:7",       "h-relation:200",
                                           "repeat:50:random", "random-function:33", "hotspot:1",
                                           "all-to-all",       "partial:0",          "repeat:9:hotspot:0:0.3"};
    (void)state;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        np_network *network = support_network(specs[i]);
        for (size_t t = 0; t < sizeof traffics / sizeof *traffics; t++)
            for (uint64_t seed = 1; seed <= 3; seed++) {
                np_traffic *traffic;
                assert_ok(np_traffic_create(traffics[t], network, seed, 0, &traffic));
                judge(network, traffic);
                np_traffic_free(traffic);
            }
        np_network_free(network);
    }
}

/*
 * Node i sends P - i packets to the lower half of the nodes, evenly, and one to each of the upper half. Those for P/2 +
 * j have rank P - i + j everywhere and all go by way of node j: P packets for the link from j to P/2 + j, which is all
 * that the bound allows but one. Groups of 8 bring it down to 8 and the mean.
 */
static void worst(void **state)
{
    enum { P = 64, HALF = P / 2 };
    np_network *network = support_network("complete:64");
    static np_node source[P * P * 2], destination[P * P * 2];
    size_t packets = 0;
    np_traffic *traffic;
    (void)state;
    for (np_node i = 0; i < P; i++) {
        for (uint32_t j = 0; j < P - i; j++) {
            source[packets] = i;
            destination[packets++] = (i + j) % HALF;
        }
        for (np_node j = HALF; j < P; j++) {
            source[packets] = i;
            destination[packets++] = j;
        }
    }
    assert_ok(np_traffic_from_arrays(network, packets, source, destination, NULL, &traffic));
    judge(network, traffic);
    np_route_result *shares = routed(network, traffic, "shares"), *groups = routed(network, traffic, "group-shares");
    assert_int_equal(shares->phase[1].run->steps, P);
    assert_true(groups->phase[3].run->steps <= 8 + 2);
    np_route_result_free(shares);
    np_route_result_free(groups);
    np_traffic_free(traffic);
    np_network_free(network);
}

/* Rounded together there is less to lose. */
static void groups_help(void **state)
{
    np_network *network = support_network("complete:64");
    np_traffic *traffic;
    (void)state;
    assert_ok(np_traffic_create("h-relation:256", network, 1, 0, &traffic));
    np_route_result *shares = routed(network, traffic, "shares"), *groups = routed(network, traffic, "group-shares");
    assert_int_equal(shares->phase[0].run->steps, 4);
    assert_int_equal(groups->phase[2].run->steps, 4);
    assert_true(groups->phase[3].run->steps < shares->phase[1].run->steps);
    np_route_result_free(shares);
    np_route_result_free(groups);
    np_traffic_free(traffic);
    np_network_free(network);
}

/* A packet takes one hop a phase: who goes first changes nobody's number of steps in all. */
static void disciplines_take_the_same_steps(void **state)
{
    np_network *network = support_network("complete:7");
    (void)state;
    for (size_t q = 0; np_list_get(NP_LIST_QUEUES, q); q++) {
        np_route_options options;
        np_route_result *fifo, *other;
        np_route_options_init(&options);
        options.scheme = "shares";
        assert_ok(np_route(network, "h-relation:40", &options, &fifo));
        options.queue = np_list_get(NP_LIST_QUEUES, q)->name;
        assert_ok(np_route(network, "h-relation:40", &options, &other));
        for (size_t i = 0; i < fifo->phases; i++) {
            assert_int_equal(other->phase[i].run[0].steps, fifo->phase[i].run[0].steps);
            assert_int_equal(other->phase[i].run[0].delay_sum, fifo->phase[i].run[0].delay_sum);
        }
        np_route_result_free(fifo);
        np_route_result_free(other);
    }
    np_network_free(network);
}

static void refuses(void **state)
{
    static const char *const schemes[] = {"shares", "group-shares"};
    np_network *cube = support_network("hypercube:3"), *complete = support_network("complete:5");
    (void)state;
    for (size_t s = 0; s < 2; s++) {
        np_route_options options;
        np_route_result *result;
        np_route_options_init(&options);
        options.scheme = schemes[s];
        options.threads = 1;
        assert_refused(np_route(cube, "random", &options, &result), NP_ERROR_APPLY, "one hop");
        options.overlap = true;
        assert_refused(np_route(complete, "random", &options, &result), NP_ERROR_APPLY, "overlap: is for scheme");
        options.overlap = false;
        options.queue = "lifoo";
        assert_refused(np_route(complete, "random", &options, &result), NP_ERROR_INPUT, "did you mean 'lifo'");
        options.queue = "fifo";
        support_assert_route_without_memory(complete, "h-relation:3", options, 20);
    }
    np_network_free(cube);
    np_network_free(complete);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(any_traffic), cmocka_unit_test(worst),
                                       cmocka_unit_test(groups_help), cmocka_unit_test(disciplines_take_the_same_steps),
                                       cmocka_unit_test(refuses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
