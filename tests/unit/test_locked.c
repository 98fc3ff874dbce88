/*
 * Scheme `locked` against its definition, played anew: each link lists the heads that come to it and keeps the first q;
 * then time passes step by step, and each link lets the first of its queue cross. The steps of all hops, which an
 * observer hears of, are compared. And the first round against an exact expectation.
 *
 * Each of these bugs was planted once, and found: a link takes q + 1 heads; the order is not drawn anew; heads take d
 * steps, not 2 d; the packets of a round are not sorted by their coming; a link stays busy from a round to the next;
 * the first round counts the packets that fail.
 */
#include "support.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "model/network/network.h"

enum { HOPS = 24, PACKETS = 1100, LINKS = 8192, SEED = 3 };

typedef struct twin {
    np_packet packets;
    uint32_t hops, links, limit;
    np_link link[PACKETS][HOPS];
    uint32_t step[PACKETS][HOPS], got[PACKETS][HOPS];
    uint32_t heard[PACKETS];
    uint64_t draw[PACKETS];
    bool home[PACKETS], whole[PACKETS];
    uint32_t rounds, locked, steps, queue_max;
    uint64_t blocked;
} twin;

/* Packets come in the order of their numbers; paths are those that the observer saw, which the replay has judged. */
static void list_paths(twin *t, const np_traffic *traffic)
{
    for (np_packet p = 0; p < np_traffic_packets(traffic); p++) {
        assert_true(t->heard[p] && (!t->hops || t->heard[p] == t->hops));
        t->hops = t->heard[p];
    }
    t->packets = np_traffic_packets(traffic);
}

/* Does a come before b at a link of this level? Who came to it first, or to one before; at last the order drawn. */
static bool before(const twin *t, np_packet a, np_packet b, uint32_t level)
{
    while (level-- > 0)
        if (t->step[a][level] != t->step[b][level])
            return t->step[a][level] < t->step[b][level];
    return t->draw[a] < t->draw[b];
}

/* Those with whole paths: on each level each link counts, for a head, how many of those that came drew less. */
static void send_heads(twin *t)
{
    static bool goes[PACKETS];
    for (np_packet p = 0; p < t->packets; p++)
        t->whole[p] = !t->home[p];
    for (uint32_t level = 0; level < t->hops; level++) {
        for (np_packet p = 0; p < t->packets; p++) {
            uint32_t less = 0;
            for (np_packet other = 0; other < t->packets; other++)
                less += t->whole[other] && t->link[other][level] == t->link[p][level] && t->draw[other] < t->draw[p];
            goes[p] = t->whole[p] && less < t->limit;
        }
        memcpy(t->whole, goes, sizeof goes);
    }
}

/* One step of those that move: the first of each queue crosses. at: the levels that they are on. Returns how many. */
static uint32_t step_once(twin *t, uint32_t *at)
{
    static np_packet first[LINKS];
    static uint32_t waiting[LINKS];
    uint32_t moved = 0;
    for (np_link l = 0; l < t->links; l++)
        first[l] = NP_NONE, waiting[l] = 0;
    for (np_packet p = 0; p < t->packets; p++) {
        if (!t->whole[p] || at[p] == t->hops)
            continue;
        np_link link = t->link[p][at[p]];
        if (at[p] && ++waiting[link] > t->queue_max)
            t->queue_max = waiting[link];
        if (first[link] == NP_NONE || before(t, p, first[link], at[p]))
            first[link] = p;
    }
    for (np_link l = 0; l < t->links; l++)
        if (first[l] != NP_NONE) {
            t->step[first[l]][at[first[l]]++] = t->steps;
            moved++;
        }
    return moved;
}

static void play(twin *t, uint32_t run)
{
    const np_draws draws = {SEED, run, 0, NP_RANDOM_RANK};
    for (np_packet left = t->packets; left; t->rounds++) {
        static uint32_t at[PACKETS];
        np_packet whole = 0;
        memset(at, 0, sizeof at);
        for (np_packet p = 0; p < t->packets; p++)
            t->draw[p] = np_random_u64(&draws, p, t->rounds);
        send_heads(t);
        for (np_packet p = 0; p < t->packets; p++)
            whole += t->whole[p];
        t->steps += 2 * t->hops;
        do
            t->steps++;
        while (step_once(t, at));
        t->steps--;
        for (np_packet p = 0; p < t->packets; p++)
            t->home[p] |= t->whole[p];
        left -= whole;
        t->blocked += left;
        t->locked = t->rounds ? t->locked : whole;
    }
}

static int on_events(void *context, size_t count, const np_event *event)
{
    twin *t = context;
    for (size_t i = 0; i < count; i++)
        if (event[i].kind == NP_EVENT_MOVED) {
            np_packet p = event[i].packet;
            assert_true(t->heard[p] < HOPS);
            t->link[p][t->heard[p]] = event[i].link;
            t->got[p][t->heard[p]++] = event[i].step;
        }
    return 0;
}

static np_route_result *route(const np_network *network, const char *traffic, uint32_t queue, const char *paths,
                              uint32_t runs, const np_observer *observer)
{
    np_route_options options;
    np_route_result *result;
    np_route_options_init(&options);
    options.scheme = "locked";
    options.paths = paths;
    options.merge.queue_size = queue;
    options.seed = SEED;
    options.runs = runs;
    options.observer = observer;
    assert_ok(np_route(network, traffic, &options, &result));
    return result;
}

static void judge(const char *spec, const char *traffic, uint32_t queue, const char *paths)
{
    static twin t;
    np_network *network = support_network(spec);
    np_traffic *packets;
    memset(&t, 0, sizeof t);
    t.links = np_network_link_numbers(network);
    t.limit = queue;
    assert_true(t.links <= LINKS);
    assert_ok(np_traffic_create(traffic, network, SEED, 0, &packets));
    assert_true(np_traffic_packets(packets) <= PACKETS);
    const np_observer observer = {.kinds = 1U << NP_EVENT_MOVED, .events = on_events, .context = &t};
    np_route_result *result = route(network, traffic, queue, paths, 1, &observer);
    const np_phase_run *got = result->phase[0].run;
    list_paths(&t, packets);
    play(&t, 0);
    for (np_packet p = 0; p < t.packets; p++) {
        for (uint32_t k = 0; k < t.hops; k++)
            assert_int_equal(t.got[p][k], t.step[p][k]);
    }
    assert_int_equal(got->steps, t.steps);
    assert_int_equal(got->rounds, t.rounds);
    assert_int_equal(got->locked, t.locked);
    assert_int_equal(got->blocked, t.blocked);
    assert_int_equal(got->queue_max, t.queue_max);
    assert_true(got->queue_max <= queue);
    np_route_result_free(result);
    np_traffic_free(packets);
    np_network_free(network);
}

static void rounds_are_their_definition(void **state)
{
    (void)state;
    judge("butterfly-io:5", "random-function:3", 1, NULL);
    judge("butterfly-io:6", "random-function:5", 2, NULL);
    judge("butterfly-io:6", "bit-reversal", 1, NULL);
    judge("butterfly-io:5", "hotspot:20:1", 3, NULL);
    judge("benes:6", "random", 1, NULL);
    judge("benes:5", "random-function:9", 4, NULL);
    judge("benes:4", "random", 1, "looping");
    judge("omega:5", "random-function:4", 2, NULL);
    judge("inverse-omega:5", "random-function:4", 1, NULL);
}

/*
 * The packets that are expected to lock their paths in a first round of butterfly-io:n, one to a random output from
 * each input: the counts of the two links into a switch are independent, each of their packets takes either way out
 * with probability 1/2, and q go on.
 */
static double expected(uint32_t n, uint32_t q)
{
    double in[32] = {0, 1}, out[32], both[64], mean = 0; /* [count] probabilities */
    uint32_t most = 1;
    for (uint32_t level = 0; level < n; level++) {
        memset(both, 0, sizeof both);
        memset(out, 0, sizeof out);
        if (!level)
            memcpy(both, in, sizeof in);
        for (uint32_t a = 0; level && a <= most; a++)
            for (uint32_t b = 0; b <= most; b++)
                both[a + b] += in[a] * in[b];
        for (uint32_t c = 0; c <= 2 * most; c++)
            for (uint32_t k = 0; k <= c; k++) /* k of c take this way out */
                out[k < q ? k : q] += both[c] * exp(lgamma(c + 1) - lgamma(k + 1) - lgamma(c - k + 1)) / pow(2, c);
        most = q;
        memcpy(in, out, sizeof in);
    }
    for (uint32_t k = 0; k <= q; k++)
        mean += k * in[k];
    return mean * 2 * (1 << n);
}

static void first_rounds_are_as_expected(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 9; n += 4)
        for (uint32_t q = 1; q <= 3; q++) {
            char spec[24];
            snprintf(spec, sizeof spec, "butterfly-io:%u", n);
            np_network *network = support_network(spec);
            np_route_result *result = route(network, "random-function:1", q, NULL, 400, NULL);
            const np_summary *locked = &result->phase[0].locked;
            assert_true(fabs(locked->mean - expected(n, q)) <= 4 * sqrt(locked->variance / 400) + 1e-9);
            np_route_result_free(result);
            np_network_free(network);
        }
    assert_true(fabs(expected(2, 1) - 8 * 0.4375) < 1e-12); /* Patel: 1/2, then 1 - (1 - 1/4)^2 */
}

static void others_are_refused(void **state)
{
    np_network *network = support_network("mesh:4x4");
    (void)state;
    assert_refused(np_scheme_applies("locked", network), NP_ERROR_APPLY, "pass each link on one level");
    np_network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rounds_are_their_definition),
                                       cmocka_unit_test(first_rounds_are_as_expected),
                                       cmocka_unit_test(others_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
