/*
 * Random choices are what they are said to be. Each law below has finitely
 * many outcomes, mostly those of a joint choice of two or more packets, so
 * that a stream shared by two choices shows as well as a biased one. Samples
 * are counted and compared with the law by Pearson's chi-square test, whose
 * bound comes from Wilson & Hilferty's cube root, not from the library.
 *
 * Error rate: seeds are fixed, so the outcome is too. Had they been drawn, all
 * tests here together would reject a true law with probability ERROR_RATE
 * (Bonferroni over at most TESTS_MAX tests, which is asserted). Outcomes that
 * the law excludes must not occur at all.
 */
#include "support.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "model/path/dice.h"
#include "machine/pram/address_map.h"

#define ERROR_RATE 1e-3
#define NORMAL_POINT 4.7535 /* exceeded by a normal variable with probability 1e-6 = ERROR_RATE / TESTS_MAX */
enum { TESTS_MAX = 1000, CELLS_MAX = 1024 };

static unsigned tests;

typedef struct tally {
    unsigned cells;
    uint64_t samples, count[CELLS_MAX];
} tally;

static void count(tally *t, unsigned cell)
{
    assert_true(cell < t->cells);
    t->count[cell]++;
    t->samples++;
}

/* chance: [cells] the law; NULL: all alike. */
static void expect_law(const char *name, const tally *t, const double *chance)
{
    double statistic = 0;
    unsigned kinds = 0;
    for (unsigned i = 0; i < t->cells; i++) {
        double expected = (double)t->samples * (chance ? chance[i] : 1.0 / t->cells);
        if (expected == 0 && t->count[i])
            fail_msg("%s: outcome %u cannot be, and came %lu times", name, i, (unsigned long)t->count[i]);
        if (expected == 0)
            continue;
        assert_true(expected >= 5); /* else the chi-square law is no good approximation */
        statistic += ((double)t->count[i] - expected) * ((double)t->count[i] - expected) / expected;
        kinds++;
    }
    double freedom = kinds - 1, root = 1 - 2 / (9 * freedom) + NORMAL_POINT * sqrt(2 / (9 * freedom));
    if (statistic > freedom * root * root * root)
        fail_msg("%s: chi-square %.1f with %.0f degrees of freedom", name, statistic, freedom);
    assert_true(++tests <= TESTS_MAX);
}

/* ---- Draws ---- */

/* Of a large bound, the low half of a draw decides which of neighbouring numbers comes. */
static void large_bounds(void **state)
{
    static const uint32_t bounds[] = {3, 5, 1000, UINT32_C(3) << 30, (UINT32_C(1) << 31) + 1, UINT32_MAX};
    (void)state;
    for (size_t b = 0; b < sizeof bounds / sizeof *bounds; b++)
        for (uint32_t modulus = 3; modulus <= 5; modulus += 2) {
            tally t = {.cells = modulus};
            double chance[5] = {0};
            np_draws draws = {b + 1, 0, 0, NP_RANDOM_CHECK};
            for (uint32_t i = 0; i < 30000; i++)
                count(&t, np_random_below(&draws, i, 0, bounds[b]) % modulus);
            for (uint32_t r = 0; r < modulus; r++) /* how many numbers below the bound have this rest */
                chance[r] = r < bounds[b] ? (double)((bounds[b] - 1 - r) / modulus + 1) / bounds[b] : 0;
            expect_law("a draw, by its rest", &t, chance);
        }
}

/* The draws of one item for any two purposes, phases, runs, or draw numbers. */
static void streams_are_independent(void **state)
{
    (void)state;
    for (uint16_t a = NP_RANDOM_TARGET; a <= NP_RANDOM_FAILURE; a++)
        for (uint16_t b = (uint16_t)(a + 1); b <= NP_RANDOM_FAILURE; b++) {
            tally t = {.cells = 16};
            np_draws one = {7, 0, 0, a}, other = {7, 0, 0, b};
            for (uint32_t i = 0; i < 2000; i++)
                count(&t, np_random_below(&one, i, 0, 4) * 4 + np_random_below(&other, i, 0, 4));
            expect_law("draws of two purposes", &t, NULL);
        }
}

/* Many choices along one route: each pair of those that are as far from each other as choices of one draw reach. */
static void sample_dice(uint32_t bound, uint32_t apart, bool pair)
{
    enum { FIRST = 64, APART_MOST = 32, SAMPLES = 2000 };
    static tally t[FIRST];
    memset(t, 0, sizeof t);
    for (uint32_t i = 0; i < SAMPLES; i++) {
        uint32_t choice[FIRST + APART_MOST];
        np_dice dice = np_dice_of_packet((np_draws){11, 0, 0, NP_RANDOM_CHECK}, i);
        dice.pair = pair;
        for (uint32_t k = 0; k < FIRST + apart; k++)
            choice[k] = np_dice_below(&dice, bound);
        for (uint32_t k = 0; k < FIRST; k++) {
            t[k].cells = bound * bound;
            count(&t[k], choice[k] * bound + choice[k + apart]);
        }
    }
    for (uint32_t k = 0; k < FIRST; k++)
        expect_law("choices along a route", &t[k], NULL);
}

static void choices_of_a_route(void **state)
{
    (void)state;
    for (int pair = 0; pair < 2; pair++) {
        sample_dice(2, 32, pair);
        sample_dice(6, 12, pair);
    }
}

/* ---- Traffic ---- */

/* A number of the packets of a traffic, below `cells`. */
typedef struct traffic_law {
    const char *network, *traffic;
    unsigned cells, samples;
    const double *chance;
    unsigned (*outcome)(const np_traffic *traffic, np_node nodes);
} traffic_law;

/* The destinations as the digits of a number. */
static unsigned destinations(const np_traffic *traffic, np_node nodes)
{
    unsigned number = 0;
    for (np_packet p = 0; p < np_traffic_packets(traffic); p++)
        number = number * nodes + np_traffic_destinations(traffic)[p];
    return number;
}

/* The pairs of a source and a destination, as a set: a digit for each source, 0 if it sends nothing. */
static unsigned pairs(const np_traffic *traffic, np_node nodes)
{
    unsigned digit[8] = {0}, number = 0;
    for (np_packet p = 0; p < np_traffic_packets(traffic); p++)
        digit[np_traffic_sources(traffic)[p]] = np_traffic_destinations(traffic)[p] + 1;
    for (np_node u = 0; u < nodes; u++)
        number = number * (nodes + 1) + digit[u];
    return number;
}

/* The chances of numbers whose digits form permutations of 0 .. base-1, or in blocks of `base` digits do. */
static void permutations(unsigned base, unsigned digits, double *chance, unsigned cells)
{
    unsigned good = 0;
    for (unsigned number = 0; number < cells; number++) {
        unsigned rest = number, block = 0;
        bool right = true;
        for (unsigned i = 0; i < digits; i++, rest /= base) {
            if (i % base == 0)
                block = 0;
            right &= !(block >> rest % base & 1);
            block |= 1U << rest % base;
        }
        chance[number] = right;
        good += right;
    }
    for (unsigned number = 0; number < cells; number++)
        chance[number] /= good;
}

/* Exactly two of four nodes send, to different nodes. */
static void half_permutations(double *chance, unsigned cells)
{
    for (unsigned number = 0; number < cells; number++) {
        unsigned senders = 0, receivers = 0, twice = 0;
        for (unsigned rest = number; rest; rest /= 5)
            if (rest % 5) {
                senders++;
                twice |= receivers >> (rest % 5) & 1;
                receivers |= 1U << rest % 5;
            }
        chance[number] = senders == 2 && !twice ? 1.0 / 72 : 0;
    }
}

static void sample_traffic(const traffic_law *law)
{
    tally t = {.cells = law->cells};
    np_network *network = support_network(law->network);
    np_node nodes = np_network_nodes(network);
    for (uint32_t run = 0; run < law->samples; run++) {
        np_traffic *traffic;
        assert_ok(np_traffic_create(law->traffic, network, 1, run, &traffic));
        count(&t, law->outcome(traffic, nodes));
        np_traffic_free(traffic);
    }
    expect_law(law->traffic, &t, law->chance);
    np_network_free(network);
}

static void traffic(void **state)
{
    static double permutation[256], two[729], half[625], spot[27];
    (void)state;
    permutations(4, 4, permutation, 256);
    permutations(3, 6, two, 729);
    half_permutations(half, 625);
    for (unsigned i = 0; i < 27; i++) /* each node sends to node 0 with probability 1/2 + 1/2 1/3 */
        spot[i] = (i / 9 ? 1.0 / 6 : 2.0 / 3) * (i / 3 % 3 ? 1.0 / 6 : 2.0 / 3) * (i % 3 ? 1.0 / 6 : 2.0 / 3);
    const traffic_law laws[] = {
        {"ring:4", "random", 256, 4000, permutation, destinations},
        {"ring:4", "partial:0.5", 625, 8000, half, pairs},
        {"ring:3", "random-function:2", 729, 16000, NULL, destinations},
        {"ring:3", "random-function", 27, 4000, NULL, destinations},
        {"ring:3", "hotspot:0:0.5", 27, 8000, spot, destinations},
    };
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++)
        sample_traffic(&laws[i]);
}

/* A relation's packets are those of node 0, then those of node 1; the j-th of each node form one permutation. */
static unsigned two_permutations(const np_traffic *traffic, np_node nodes)
{
    unsigned number = 0;
    for (unsigned j = 0; j < 2; j++)
        for (np_node u = 0; u < nodes; u++)
            number = number * nodes + np_traffic_destinations(traffic)[2 * u + j];
    return number;
}

static void relations(void **state)
{
    static double two[729];
    (void)state;
    permutations(3, 6, two, 729);
    sample_traffic(&(traffic_law){"ring:3", "h-relation:2", 729, 4000, two, two_permutations});
}

/* ---- Where schemes send packets ---- */

/* A phase at whose end packets a and b are at two of the nodes first, first + stride, ... */
typedef struct target_law {
    const char *network, *scheme, *traffic;
    unsigned phase;
    np_node first, stride, range;
} target_law;

typedef struct landing {
    const target_law *law;
    np_packet packet[2];
    np_node at[2];
    bool counts;
    tally tally;
} landing;

static int begin(void *context, const np_event_phase *phase)
{
    landing *l = context;
    l->counts = phase->phase == l->law->phase;
    l->packet[1] = phase->packets - 1;
    return 0;
}

static int note(void *context, size_t events, const np_event *event)
{
    landing *l = context;
    for (size_t i = 0; i < events && l->counts; i++)
        for (int k = 0; k < 2; k++)
            if (event[i].kind == NP_EVENT_LANDED && event[i].packet == l->packet[k])
                l->at[k] = event[i].from;
    return 0;
}

static int end(void *context, const np_phase_run *run)
{
    landing *l = context;
    const target_law *law = l->law;
    (void)run;
    if (l->counts) {
        assert_true((l->at[0] - law->first) % law->stride == 0 && (l->at[1] - law->first) % law->stride == 0);
        count(&l->tally, (l->at[0] - law->first) / law->stride * law->range + (l->at[1] - law->first) / law->stride);
    }
    return 0;
}

static np_route_options observed(const char *scheme, const np_observer *observer, uint32_t runs)
{
    np_route_options options;
    np_route_options_init(&options);
    options.scheme = scheme;
    options.runs = runs;
    options.threads = 1;
    options.same_traffic = true;
    options.observer = observer;
    return options;
}

/* The first and the last packet of the traffic have independent targets, all nodes alike. */
static void sample_targets(const target_law *law)
{
    landing l = {.law = law, .tally = {.cells = law->range * law->range}};
    np_observer observer = {.begin = begin, .events = note, .end = end, .context = &l};
    np_route_options options = observed(law->scheme, &observer, 12 * law->range * law->range + 1000);
    np_network *network = support_network(law->network);
    np_route_result *result;
    assert_ok(np_route(network, law->traffic, &options, &result));
    char name[100];
    snprintf(name, sizeof name, "targets of %s on %s", law->scheme, law->network);
    expect_law(name, &l.tally, NULL);
    np_route_result_free(result);
    np_network_free(network);
}

static void targets(void **state)
{
    static const target_law laws[] = {
        {"ring:5", "valiant", "identity", 0, 0, 1, 5},
        {"mesh:3x3", "valiant", "transpose", 0, 0, 1, 9},
        {"hypercube:3", "cubes", "identity", 0, 0, 1, 8},
        {"hypercube:3", "basic", "complement", 0, 0, 1, 8},
        {"hypercube:3", "cubess", "identity", 0, 0, 1, 8},
        {"hypercube:3", "complement", "complement", 0, 0, 1, 8}, /* all detours are as long */
        {"shuffle:2x3", "mshuffle", "identity", 0, 0, 1, 8},
        {"shuffle:2x3", "shuffle", "identity", 0, 0, 1, 8},
        {"ccc:3", "ccc", "identity", 0, 0, 1, 24},
        {"shuffle-exchange:3", "shuffle-exchange", "identity", 0, 0, 1, 8},
        {"mesh:3x3", "k-k", "h-relation:2", 1, 0, 1, 9},
        {"omega:2", "total-randomization", "identity", 0, 4, 1, 4},
    };
    (void)state;
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++)
        sample_targets(&laws[i]);
}

/* ---- Orders in queues ---- */

typedef struct arrivals {
    unsigned order, landed;
    tally tally;
} arrivals;

static int note_order(void *context, size_t events, const np_event *event)
{
    arrivals *a = context;
    for (size_t i = 0; i < events; i++)
        if (event[i].kind == NP_EVENT_LANDED) {
            a->order = a->order * 3 + event[i].packet;
            a->landed++;
        }
    return 0;
}

static int end_order(void *context, const np_phase_run *run)
{
    arrivals *a = context;
    (void)run;
    assert_int_equal(a->landed, 3);
    count(&a->tally, a->order);
    a->order = a->landed = 0;
    return 0;
}

/* Three packets over one link leave in each of the six orders. */
static void sample_order(const char *network_spec, const char *scheme, const char *queue)
{
    static const np_node from[3] = {0}, to[3] = {1, 1, 1};
    double chance[27];
    arrivals a = {.tally = {.cells = 27}};
    np_observer observer = {.events = note_order, .end = end_order, .context = &a};
    np_route_options options = observed(scheme, &observer, 2000);
    np_network *network = support_network(network_spec);
    np_traffic *traffic;
    np_route_result *result;
    options.queue = queue;
    permutations(3, 3, chance, 27);
    assert_ok(np_traffic_from_arrays(network, 3, from, to, NULL, &traffic));
    assert_ok(np_route_traffic(network, traffic, &options, &result));
    expect_law(queue ? queue : scheme, &a.tally, chance);
    np_route_result_free(result);
    np_traffic_free(traffic);
    np_network_free(network);
}

static void orders(void **state)
{
    (void)state;
    sample_order("ring:4", "greedy", "fifo");
    sample_order("ring:4", "greedy", "lifo");
    sample_order("ring:4", "greedy", "random");
    sample_order("ring:4", "greedy", "farthest-first"); /* equal keys */
    sample_order("ring:4", "ranked", NULL);             /* by rank; equal ones are too rare to show */
}

/* ---- Which path ---- */

/*
 *     /-> 1 --> 3 \
 *    0            4      and 1 has two links to 3
 *     \-> 2 --> 3 /
 */
static np_network *make_fork(void)
{
    static const np_node from[] = {0, 0, 1, 1, 2, 3}, to[] = {1, 2, 3, 3, 3, 4};
    np_network *network;
    assert_ok(np_network_from_links(5, 6, from, to, &network));
    return network;
}

/* The paths of two packets of one run. Rules whose packets take parallel links in turn do not draw which. */
static void sample_path(const char *rule, bool in_turn, const double chance[9])
{
    np_network *fork = make_fork();
    np_path *path;
    tally t = {.cells = 9};
    assert_ok(np_path_create(rule, fork, &path));
    for (uint64_t seed = 0; seed < 9000; seed++) {
        np_link links[3];
        unsigned way[2];
        size_t hops;
        for (np_packet p = 0; p < 2; p++) {
            assert_ok(np_path_walk(path, 0, 4, seed, 0, 0, p, 3, links, &hops));
            assert_int_equal(hops, 3);
            way[p] = links[0] ? 2 : in_turn ? 0 : links[1] - 2;
        }
        count(&t, way[0] * 3 + way[1]);
    }
    expect_law(rule, &t, chance);
    np_path_free(path);
    np_network_free(fork);
}

static void independent(const double one[3], double two[9])
{
    for (unsigned i = 0; i < 9; i++)
        two[i] = one[i / 3] * one[i % 3];
}

static void paths(void **state)
{
    double law[9], flow[9] = {[0] = 1.0 / 4, [4] = 1.0 / 4, [8] = 1.0 / 2}; /* all packets of a pair alike */
    (void)state;
    independent((const double[]){2.0 / 3, 0, 1.0 / 3}, law);
    sample_path("shortest", true, law);
    independent((const double[]){1.0 / 2, 0, 1.0 / 2}, law);
    sample_path("spray", true, law);
    sample_path("k-shortest:3", true, law); /* the nodes alone make a path */
    sample_path("ecmp", false, flow);
}

/* ---- Cables that are down ---- */

static void failures(void **state)
{
    np_network *ring = support_network("ring:4"), *broken;
    tally t = {.cells = 16};
    double chance[16];
    (void)state;
    for (unsigned set = 0; set < 16; set++)
        chance[set] = __builtin_popcount(set) == 2 ? 1.0 / 6 : 0;
    for (uint64_t seed = 0; seed < 1200; seed++) {
        unsigned down = 0;
        assert_ok(np_network_fail(ring, "0.5", seed, &broken));
        for (np_node u = 0; u < 4; u++) {
            bool up = false;
            for (np_link link = 0; link < np_network_link_numbers(broken); link++)
                up |= np_network_link_head(broken, link) == (u + 1) % 4 && np_network_link_tail(broken, link) == u;
            down |= (unsigned)!up << u;
        }
        count(&t, down);
        np_network_free(broken);
    }
    expect_law("cables that are down", &t, chance);
    np_network_free(ring);
}

/* ---- Keys ---- */

static void keys(void **state)
{
    static double permutation[256];
    tally words = {.cells = 64}, distinct = {.cells = 256}, few = {.cells = 64}, bits = {.cells = 8};
    (void)state;
    permutations(4, 4, permutation, 256);
    for (uint32_t run = 0; run < 4000; run++) {
        uint64_t key[4];
        assert_ok(np_keys_make("random", 2, 3, run, key));
        count(&words, (unsigned)(key[0] >> 61 << 3 | key[1] >> 61));
        assert_ok(np_keys_make("random-distinct", 4, 3, run, key));
        count(&distinct, (unsigned)(((key[0] * 4 + key[1]) * 4 + key[2]) * 4 + key[3]));
        assert_ok(np_keys_make("few-distinct", 2, 3, run, key));
        count(&few, (unsigned)(key[0] * 8 + key[1]));
        assert_ok(np_keys_make("zero-one", 3, 3, run, key));
        count(&bits, (unsigned)(key[0] * 4 + key[1] * 2 + key[2]));
    }
    expect_law("random keys", &words, NULL);
    expect_law("random-distinct keys", &distinct, permutation);
    expect_law("few-distinct keys", &few, NULL);
    expect_law("zero-one keys", &bits, NULL);
}

/* ---- Shared memory ---- */

/* The modules of two cells; the seeds are the functions. */
static void hashing(void **state)
{
    static const uint64_t others[] = {1, 2, 8, 1000003};
    enum { MODULES = 8 };
    (void)state;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        tally t = {.cells = MODULES * MODULES};
        for (uint64_t seed = 0; seed < 4000; seed++) {
            np_placement placement;
            uint64_t one, other;
            assert_ok(np_placement_init(&placement, NP_MAP_HASH, MODULES, 4, seed));
            np_placement_run(&placement, 0, 1, &one);
            np_placement_run(&placement, others[i], 1, &other);
            count(&t, (unsigned)(one % MODULES * MODULES + other % MODULES));
            np_placement_clear(&placement);
        }
        expect_law("modules of two cells", &t, NULL);
    }
}

/* Of three processors that write to one cell, each is as likely to win, in each step anew. */
static void arbitrary_writers(void **state)
{
    enum { WRITERS = 3, STEPS = 1000 };
    static const np_address address[WRITERS];
    static const np_word value[WRITERS] = {0, 1, 2};
    tally t = {.cells = WRITERS * WRITERS};
    np_pram_options options;
    np_pram *pram;
    np_address base;
    (void)state;
    np_pram_options_init(&options);
    options.machine = "ideal";
    options.rule = NP_RULE_ARBITRARY;
    assert_ok(np_pram_create(&options, &pram));
    assert_ok(np_pram_allocate(pram, 1, "cell", &base));
    for (unsigned step = 0; step < STEPS; step++) {
        np_word winner[2];
        for (int k = 0; k < 2; k++) {
            assert_ok(np_pram_write(pram, WRITERS, address, NULL, value, "write"));
            assert_ok(np_pram_get(pram, base, 1, &winner[k]));
        }
        count(&t, (unsigned)(winner[0] * WRITERS + winner[1]));
    }
    expect_law("arbitrary writers", &t, NULL);
    np_pram_free(pram);
}

int main(void)
{
    const struct CMUnitTest all[] = {
        cmocka_unit_test(large_bounds),
        cmocka_unit_test(streams_are_independent),
        cmocka_unit_test(choices_of_a_route),
        cmocka_unit_test(traffic),
        cmocka_unit_test(relations),
        cmocka_unit_test(targets),
        cmocka_unit_test(orders),
        cmocka_unit_test(paths),
        cmocka_unit_test(failures),
        cmocka_unit_test(keys),
        cmocka_unit_test(hashing),
        cmocka_unit_test(arbitrary_writers),
    };
    return cmocka_run_group_tests(all, NULL, NULL);
}
