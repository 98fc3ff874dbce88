/*
 * What collective operations claim of gossip is held to an exhaustive search that shares nothing with theirs: a
 * search's "fewest" is the fewest, and no bound is above what a schedule reaches. And the default for given ports is
 * the cheapest.
 *
 * The search goes over what all nodes know, a bit for each node and packet, and over the rounds taken. A round is who
 * hears whom, and the number l of packets a message may have; a message has min(l, what is new) packets, each choice of
 * them. To know more is never worse, so that nothing else need be tried.
 */
#include <math.h>

#include "../support.h"
#include "work/collective/collective.h"

enum { NODES = 5, HEARINGS = 512, NOBODY = NODES, NEVER = 255, ROUNDS = 7 };

/* Who hears whom in a round. */
typedef struct hearing {
    uint8_t from[NODES];
} hearing;

typedef struct search {
    uint32_t nodes, hearings;
    bool linked[NODES][NODES];
    hearing hearing[HEARINGS];
    uint8_t *steps, *before; /* [states] the fewest steps to the state; in one round fewer */
    uint8_t at_least[ROUNDS + 1];
} search;

/* Adds all ways to hear of the nodes from u on. A node is heard by one; by telephone it hears whom it is heard by. */
static void add_hearings(search *s, hearing h, uint32_t u, uint32_t heard, bool telephone)
{
    if (u == s->nodes) {
        for (uint32_t v = 0; v < u && telephone; v++)
            if (h.from[v] != NOBODY && h.from[h.from[v]] != v)
                return;
        assert_true(s->hearings < HEARINGS);
        s->hearing[s->hearings++] = h;
        return;
    }
    h.from[u] = NOBODY;
    add_hearings(s, h, u + 1, heard, telephone);
    for (uint32_t v = 0; v < s->nodes; v++) {
        if (!s->linked[v][u] || heard >> v & 1)
            continue;
        h.from[u] = (uint8_t)v;
        add_hearings(s, h, u + 1, heard | 1u << v, telephone);
    }
}

static uint32_t known(const search *s, uint32_t state, uint32_t u)
{
    return state >> u * s->nodes & ((1u << s->nodes) - 1);
}

/* Takes every choice of `length` packets, or of all that are new, for the nodes from u on. */
static void take(search *s, const hearing *h, uint32_t length, uint32_t u, uint32_t state, uint32_t after)
{
    if (u == s->nodes) {
        uint8_t steps = (uint8_t)(s->before[state] + length);
        s->steps[after] = steps < s->steps[after] ? steps : s->steps[after];
        return;
    }
    uint32_t news = h->from[u] == NOBODY ? 0 : known(s, state, h->from[u]) & ~known(s, state, u);
    if ((uint32_t)__builtin_popcount(news) <= length) {
        take(s, h, length, u + 1, state, after | news << u * s->nodes);
        return;
    }
    for (uint32_t some = news; some; some = (some - 1) & news)
        if ((uint32_t)__builtin_popcount(some) == length)
            take(s, h, length, u + 1, state, after | some << u * s->nodes);
}

static void one_round_more(search *s, uint32_t states)
{
    memcpy(s->before, s->steps, states);
    for (uint32_t state = 0; state < states; state++)
        for (uint32_t i = 0; i < s->hearings && s->before[state] != NEVER; i++)
            for (uint32_t length = 1; length < s->nodes; length++)
                take(s, &s->hearing[i], length, 0, state, state);
}

/* Fills at_least: the fewest steps in at most so many rounds; NEVER: they are too few. */
static void search_all(search *s, const np_network *network, bool telephone)
{
    uint32_t start = 0, states;
    *s = (search){.nodes = np_network_nodes(network)};
    assert_true(s->nodes <= NODES);
    states = 1u << s->nodes * s->nodes;
    for (np_node u = 0; u < s->nodes; u++) {
        start |= 1u << (u * s->nodes + u);
        for (np_node v = 0; v < s->nodes; v++)
            s->linked[u][v] = u != v && np_network_link_between(network, u, v) != NP_NONE;
    }
    add_hearings(s, (hearing){{0}}, 0, 0, telephone);
    s->steps = malloc(states);
    s->before = malloc(states);
    assert_true(s->steps && s->before);
    memset(s->steps, NEVER, states);
    s->steps[start] = 0;
    for (uint32_t round = 0; round <= ROUNDS; round++) {
        s->at_least[round] = s->steps[states - 1];
        if (round < ROUNDS)
            one_round_more(s, states);
    }
    free(s->steps);
    free(s->before);
}

static uint32_t fewest_rounds(const search *s)
{
    uint32_t rounds = 0;
    while (s->at_least[rounds] == NEVER)
        assert_true(++rounds <= ROUNDS);
    return rounds;
}

static np_collective_result *gossip(const np_network *network, const char *ports, const char *algorithm,
                                    uint32_t rounds)
{
    np_collective_options options;
    np_collective_result *r;
    np_collective_options_init(&options);
    options.ports = ports;
    options.algorithm = algorithm;
    options.rounds = rounds;
    assert_ok(np_collective(network, "gossip", &options, &r));
    return r;
}

/* Whatever is claimed of the result, under the ports that the search was of. */
static void check_claims(const search *s, np_collective_result *r)
{
    uint32_t fewest = fewest_rounds(s);
    assert_true(r->rounds >= fewest);
    if (r->rounds <= ROUNDS)
        assert_true(r->steps >= s->at_least[r->rounds]);
    assert_true(r->bound.rounds <= fewest);
    assert_true(r->bound.steps <= s->at_least[ROUNDS]);
    np_collective_result_free(r);
}

static const char *const networks[] = {"array:2",  "array:3",    "array:4",    "ring:3",     "ring:4",
                                       "mesh:2x2", "complete:2", "complete:3", "complete:4", "hypercube:2"};

/* The search with each number of rounds; 0: with none given. Returns how many it did not prove. */
static unsigned check_telephone(const np_network *network)
{
    unsigned unproved = 0;
    search s;
    search_all(&s, network, true);
    uint32_t fewest = fewest_rounds(&s);
    for (uint32_t rounds = 0; rounds <= ROUNDS; rounds = rounds ? rounds + 1 : fewest) {
        np_collective_result *r = gossip(network, NULL, "search", rounds);
        assert_true(r->rounds <= (rounds ? rounds : fewest));
        if (r->optimal)
            assert_int_equal(r->steps, s.at_least[rounds ? rounds : fewest]);
        unproved += !r->optimal;
        check_claims(&s, r);
    }
    return unproved;
}

static void test_telephone(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof networks / sizeof *networks + 2; i++) {
        const char *spec = i < 10 ? networks[i] : i < 11 ? "array:5" : "ring:5";
        np_network *network = support_network(spec);
        check_telephone(network);
        np_network_free(network);
    }
}

/* Trees of five nodes, with a link more in every second: of some the search proves nothing, and must not say so. */
static void test_drawn_graphs(void **state)
{
    unsigned unproved = 0;
    uint32_t draw = 1;
    (void)state;
    for (uint32_t i = 0; i < SUPPORT_SAMPLE(12U); i++) {
        char text[128], spec[300];
        int length = 0;
        for (uint32_t u = 1; u < 5; u++) {
            draw = draw * 1103515245 + 12345;
            length += snprintf(text + length, sizeof text - (size_t)length, "v%u v%u\n", u, (draw >> 16) % u);
        }
        if (i % 2)
            snprintf(text + length, sizeof text - (size_t)length, "v4 v%u\n", (draw >> 16) % 4 ? 0 : 3);
        char *path = support_file(text);
        snprintf(spec, sizeof spec, "file:%s:undirected", path);
        np_network *network = support_network(spec);
        unproved += check_telephone(network);
        np_network_free(network);
        remove(path);
        free(path);
    }
    assert_true(unproved > 0);
}

static void test_one_port(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        np_network *network = support_network(networks[i]);
        search s;
        search_all(&s, network, false);
        np_collective_result *r = gossip(network, "one-port", NULL, 0);
        assert_null(r->optimal_of);
        check_claims(&s, r);
        np_network_free(network);
    }
}

/* The cost of an operation; INFINITY: it is refused. */
static double cost_of(const np_network *network, const char *operation, const char *ports, const char *algorithm)
{
    np_collective_options options;
    np_collective_result *r;
    np_collective_options_init(&options);
    options.ports = ports;
    options.algorithm = algorithm;
    if (np_collective(network, operation, &options, &r))
        return (double)INFINITY;
    double cost = r->cost;
    np_collective_result_free(r);
    return cost;
}

/* With ports given, no other algorithm for them is cheaper that leaves packets whole. */
static void test_best_for_ports(void **state)
{
    static const char *const on[] = {"ring:5", "complete:5", "mesh:3x3", "torus:4x4", "hypercube:3", "array:6"};
    static const char *const ports[] = {"full-port", "one-port", "uni-axial", "telephone"};
    unsigned compared = 0;
    (void)state;
    for (size_t n = 0; n < sizeof on / sizeof *on; n++) {
        np_network *network = support_network(on[n]);
        for (size_t i = 0; i < 4 * (size_t)NP_COLLECTIVE_KINDS; i++) {
            const char *operation = np_collective_operation(i / 4);
            double least = cost_of(network, operation, ports[i % 4], NULL);
            const np_collective_ops *ops;
            for (size_t a = 0; (ops = np_registry_entry(&np_collective_algorithms, a)); a++) {
                if (ops->flits_unit)
                    continue;
                double cost = cost_of(network, operation, ports[i % 4], ops->info.name);
                assert_true(cost >= least);
                compared += cost < (double)INFINITY;
            }
        }
        np_network_free(network);
    }
    assert_true(compared > 300);
}

/* Of equal costs, fewer rounds win; and a search is for its own ports alone. */
static void test_ports_of_search(void **state)
{
    np_network *network = support_network("complete:5"), *grid = support_network("mesh:3x3");
    np_collective_options options;
    np_collective_result *r = gossip(network, "one-port", NULL, 0);
    (void)state;
    assert_int_equal(r->rounds, 3);
    assert_int_equal(r->steps, 4);
    np_collective_result_free(r);
    np_collective_options_init(&options);
    options.algorithm = "search";
    options.ports = "full-port";
    assert_refused(np_collective(grid, "gossip", &options, &r), NP_ERROR_APPLY, "ports telephone, not under full");
    np_network_free(network);
    np_network_free(grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_telephone),      cmocka_unit_test(test_drawn_graphs),    cmocka_unit_test(test_one_port),
        cmocka_unit_test(test_best_for_ports), cmocka_unit_test(test_ports_of_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
