/*
 * The worst permutation of an oblivious path rule: what all permutations, tried one by one with the shares that the
 * definition of the rule gives, or that many walks by the rule give, load some link with; closed forms for larger ones.
 */
#include "support.h"

#include <math.h>
#include <unistd.h>

#include "base/memory.h"
#include "model/network/search.h"
#include "oracle/heaviest.h"

enum { SCALE = 1 << 20 };

static np_worst *worst_of(const np_network *network, const char *paths)
{
    np_worst_options options;
    np_worst *worst;
    np_worst_options_init(&options);
    options.paths = paths;
    support_assert_ok(np_worst_find(network, &options, &worst), paths, __FILE__, __LINE__);
    return worst;
}

/* ---- Shares by definition ---- */

/* share[(link * n + i) * n + j] of the packet from terminal i to terminal j. */
typedef struct judge {
    np_network *network;
    uint32_t n, links, nodes;
    double *share;
    uint32_t *far; /* [nodes * nodes] hops from the second to the first */
} judge;

static double *share_of(const judge *j, np_link link, uint32_t from, uint32_t to)
{
    return &j->share[((size_t)link * j->n + from) * j->n + to];
}

static judge judge_of(np_network *network)
{
    judge j = {
        network, np_network_terminals(network), np_network_link_numbers(network), np_network_nodes(network), NULL,
        NULL};
    np_search search;
    j.share = calloc((size_t)j.links * j.n * j.n, sizeof *j.share);
    j.far = malloc((size_t)j.nodes * j.nodes * sizeof *j.far);
    assert_ok(np_search_init(&search, network));
    for (uint32_t v = 0; v < j.nodes; v++)
        np_search_distances(&search, v, true, j.far + (size_t)v * j.nodes);
    np_search_clear(&search);
    return j;
}

static void forget(judge *j)
{
    free(j->share);
    free(j->far);
    np_network_free(j->network);
}

/* The link leads nearer to node v. */
static bool leads(const judge *j, np_link link, np_node v)
{
    np_node tail = np_network_link_tail(j->network, link), head = np_network_link_head(j->network, link);
    const uint32_t *far = j->far + (size_t)v * j->nodes;
    return head != NP_NONE && far[head] + 1 == far[tail];
}

static uint64_t paths_from(const judge *j, np_node u, np_node v)
{
    uint64_t sum = 0;
    if (u == v)
        return 1;
    for (np_port p = 0; p < np_network_ports(j->network); p++) {
        np_link link = np_network_link_at(j->network, u, p);
        if (link != NP_NONE && np_network_link_head(j->network, link) != NP_NONE && leads(j, link, v))
            sum += paths_from(j, np_network_link_head(j->network, link), v);
    }
    return sum;
}

/* A packet at u for v, with this chance: over all links that lead nearer alike, or over all paths alike. */
static void go(const judge *j, uint32_t i, uint32_t k, np_node u, np_node v, double chance, bool even)
{
    uint64_t ways = 0;
    if (u == v)
        return;
    for (np_port p = 0; p < np_network_ports(j->network); p++) {
        np_link link = np_network_link_at(j->network, u, p);
        if (link != NP_NONE && np_network_link_head(j->network, link) != NP_NONE && leads(j, link, v))
            ways += even ? 1 : paths_from(j, np_network_link_head(j->network, link), v);
    }
    for (np_port p = 0; p < np_network_ports(j->network); p++) {
        np_link link = np_network_link_at(j->network, u, p);
        if (link == NP_NONE || np_network_link_head(j->network, link) == NP_NONE || !leads(j, link, v))
            continue;
        np_node head = np_network_link_head(j->network, link);
        double part = chance * (even ? 1 : (double)paths_from(j, head, v)) / (double)ways;
        *share_of(j, link, i, k) += part;
        go(j, i, k, head, v, part, even);
    }
}

static void fill_by_definition(const judge *j, bool even)
{
    for (uint32_t i = 0; i < j->n; i++)
        for (uint32_t k = 0; k < j->n; k++)
            go(j, i, k, np_network_input(j->network, i), np_network_output(j->network, k), 1, even);
}

/* By the mean of so many walks. */
static void fill_by_walks(const judge *j, const char *paths, uint32_t walks)
{
    np_path *path;
    np_link links[64];
    size_t hops;
    assert_ok(np_path_create(paths, j->network, &path));
    for (uint32_t i = 0; i < j->n; i++)
        for (uint32_t k = 0; k < j->n; k++)
            for (uint32_t w = 0; w < walks; w++) {
                np_node from = np_network_input(j->network, i), to = np_network_output(j->network, k);
                if (from == to)
                    continue;
                assert_ok(np_path_walk(path, from, to, 7, w, 0, i * j->n + k, 64, links, &hops));
                assert_true(hops <= 64);
                for (size_t h = 0; h < hops; h++)
                    *share_of(j, links[h], i, k) += 1.0 / walks;
            }
    np_path_free(path);
}

/* The heaviest permutation of the link that expects most. */
static double most_by_trial(const judge *j)
{
    int64_t *weight = malloc((size_t)j->n * j->n * sizeof *weight), most = 0;
    for (np_link link = 0; link < j->links; link++) {
        for (uint32_t k = 0; k < j->n * j->n; k++)
            weight[k] = llround(j->share[(size_t)link * j->n * j->n + k] * SCALE);
        int64_t load = (j->n <= 8 ? oracle_heaviest_by_trial : oracle_heaviest)(j->n, weight);
        most = load > most ? load : most;
    }
    free(weight);
    return (double)most / SCALE;
}

/* The permutation that is reported is one, and loads the link that is reported as it says. */
static void check_permutation(const judge *j, const np_worst *worst, double slip)
{
    uint32_t first = np_network_has_hosts(j->network) ? 0 : np_network_output(j->network, 0);
    unsigned char *seen = calloc(j->nodes, 1);
    double load = 0;
    assert_int_equal(worst->packets, j->n);
    for (uint32_t i = 0; i < j->n; i++) {
        uint32_t k = 0;
        assert_int_equal(worst->source[i], np_network_input(j->network, i));
        assert_false(seen[worst->destination[i]]);
        seen[worst->destination[i]] = 1;
        for (k = 0; np_network_output(j->network, k) != worst->destination[i]; k++)
            ;
        load += *share_of(j, worst->worst.link, i, k);
    }
    (void)first;
    if (!worst->alike && fabs(load - worst->worst.load) > slip)
        fail_msg("%s on %s: the permutation puts %f on the link, not %f", worst->paths, np_network_spec(j->network),
                 load, worst->worst.load);
    free(seen);
}

static void check(judge *j, const char *paths, double slip)
{
    np_worst *worst = worst_of(j->network, paths);
    double most = most_by_trial(j);
    if (fabs(most - worst->worst.load) > slip)
        fail_msg("%s on %s: %f, not %f", paths, np_network_spec(j->network), worst->worst.load, most);
    assert_true(fabs(worst->worst.factor * worst->worst.load - 1) < 1e-8);
    assert_true(worst->worst.factor * worst->worst.load <= 1 + 1e-15);
    check_permutation(j, worst, slip);
    np_worst_free(worst);
    forget(j);
}

/* ---- Against all permutations ---- */

static void test_spread(void **state)
{
    static const char *const specs[] = {"ring:6",
                                        "mesh:2x4",
                                        "hypercube:3",
                                        "torus:4x2",
                                        "tree:2",
                                        "array:3@2",
                                        "jellyfish:8,3",
                                        "complete:2@3",
                                        "mesh:3x3",
                                        "ring:4@3",
                                        "dragonfly:a=2,p=1,h=2",
                                        "xgft:2:3,3:1,2",
                                        "mesh:4x4",
                                        "hypercube:4",
                                        "jellyfish:8,3@2",
                                        "xgft:2:2,4:2,2",
                                        "hyperx:3x3@2",
                                        "shuffle:2x3",
                                        "omega:3",
                                        "planes:2,ring:4@1",
                                        "mesh:4x4:fail=0.1",
                                        "jellyfish:14,3",
                                        "jellyfish:16,4",
                                        "jellyfish:20,3",
                                        "mesh:3x5:fail=0.1",
                                        "jellyfish:18,3"};
    (void)state;
    for (size_t k = 0; k < sizeof specs / sizeof *specs; k++)
        for (int even = 0; even < 3; even++) {
            judge j = judge_of(support_network(specs[k]));
            fill_by_definition(&j, even);
            check(&j, even == 2 ? "ecmp" : even ? "spray" : "shortest", 1e-4);
        }
    judge j = judge_of(support_network("hypercube:3"));
    fill_by_definition(&j, true);
    check(&j, "random-order", 1e-4);
}

static void test_without_draws(void **state)
{
    static const struct {
        const char *spec, *paths;
    } cases[] = {{"mesh:2x4", "dimension-order"},
                 {"ring:7", "dimension-order"},
                 {"ring:8", "dimension-order"},
                 {"torus:4x4", "dimension-order"},
                 {"hypercube:3", "dimension-order"},
                 {"hypercube:4", "dimension-order"},
                 {"hyperx:2x4", "dimension-order"},
                 {"shuffle:2x3", "full-shift"},
                 {"shuffle:2x3", "shortest-shift"},
                 {"ccc:3", "clockwise"},
                 {"tree:2", "up-down"},
                 {"omega:3", "unique"},
                 {"butterfly-io:2", "unique"},
                 {"complete:5", "direct"},
                 {"mesh:3x3", "lowest-port"},
                 {"ring:4@2", "dimension-order"},
                 {"mesh:2x3@3", "dimension-order"},
                 {"jellyfish:8,3", "lowest-port"},
                 {"dragonfly:a=2,p=1,h=2", "minimal"},
                 {"crossbar:3", "unique"},
                 {"mesh:4x3", "greedy"},
                 {"fat-tree-2:3", "up-down"},
                 {"jellyfish:6,3@2", "lowest-port"}};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        judge j = judge_of(support_network(cases[k].spec));
        fill_by_walks(&j, cases[k].paths, 1);
        check(&j, cases[k].paths, 1e-4);
    }
}

static void test_few_draws(void **state)
{
    static const struct {
        const char *spec, *paths;
    } cases[] = {{"ring:6", "dimension-order:drawn"},
                 {"torus:4x2", "dimension-order:drawn"},
                 {"hypercube:3", "cyclic-order"},
                 {"fat-tree:1", "up-down"},
                 {"torus:4x4", "dimension-order:drawn"},
                 {"ring:4@2", "dimension-order:drawn"},
                 {"hypercube:3", "random-order"},
                 {"hypercube:2@2", "cyclic-order"},
                 {"ring:6", "k-shortest:2"},
                 {"mesh:3x3", "k-shortest"},
                 {"jellyfish:6,3@2", "k-shortest:3"},
                 {"jellyfish:8,3", "k-shortest:7"}};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        if (!support_takes(k, 0, 1))
            continue;
        judge j = judge_of(support_network(cases[k].spec));
        fill_by_walks(&j, cases[k].paths, 4000);
        check(&j, cases[k].paths, 0.15);
    }
}

/* Links of 8 nodes with few different costs, some of them parallel, and of unlike costs. */
static const char tolls[] = "from,to,toll\n0,1,1\n1,2,1\n2,3,2\n3,4,1\n4,5,1\n5,6,2\n6,7,1\n7,0,1\n0,2,2\n1,0,2\n"
                            "2,0,1\n3,1,3\n4,2,2\n5,3,1\n6,4,1\n7,5,2\n0,4,4\n4,0,3\n2,6,3\n6,2,5\n1,5,3\n"
                            "5,1,3\n3,7,2\n7,3,2\n0,1,1\n2,3,3\n4,5,1\n1,2,0\n";

static void test_costs(void **state)
{
    static const char *const cases[][2] = {{"shortest", ":cost=toll"}, {"spray", ":cost=toll"},
                                           {"ecmp", ":cost=toll"},     {"lowest-port", ":cost=toll"},
                                           {"cheapest:toll", ""},      {"spray", ":cost=toll:per-switch=2"}};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        np_network *network;
        if (!support_takes(k, 0, 1))
            continue;
        assert_ok(support_network_of_text(tolls, cases[k][1], &network));
        judge j = judge_of(network);
        bool by_pair = !strcmp(cases[k][0], "ecmp"); /* draws are of the pair, and many walks are one */
        fill_by_walks(&j, by_pair ? "spray" : cases[k][0], 4000);
        check(&j, cases[k][0], 0.15);
    }
}

/* One of the paths of a pair: by way of `via` where it is no end. Written, and its share added over all parallel links.
 */
static void list_path(const judge *j, FILE *file, uint32_t i, uint32_t k, uint32_t via, uint32_t weight, uint32_t all)
{
    np_path *path;
    np_link links[64];
    size_t hops, more = 0;
    assert_ok(np_path_create("lowest-port", j->network, &path));
    assert_ok(np_path_walk(path, i, via, 1, 0, 0, 0, 32, links, &hops));
    if (via != k)
        assert_ok(np_path_walk(path, via, k, 1, 0, 0, 0, 32, links + hops, &more));
    np_path_free(path);
    fprintf(file, "%u", i);
    for (size_t h = 0; h < hops + more; h++) {
        np_node tail = np_network_link_tail(j->network, links[h]), head = np_network_link_head(j->network, links[h]);
        uint32_t twins = 0;
        fprintf(file, " %u", head);
        for (int pass = 0; pass < 2; pass++)
            for (np_port p = 0; p < np_network_ports(j->network); p++) {
                np_link link = np_network_link_at(j->network, tail, p);
                if (link == NP_NONE || np_network_link_head(j->network, link) != head)
                    continue;
                if (pass)
                    *share_of(j, link, i, k) += (double)weight / all / twins;
                else
                    twins++;
            }
    }
    fprintf(file, " @ %u\n", weight);
}

/* Paths from a file, by their weights: two for each pair. */
static void test_listed(void **state)
{
    (void)state;
    static const char *const cases[] = {"mesh:2x3", "hypercube:3", "ring:7", "torus:2x3"};
    char name[100], rule[120];
    snprintf(name, sizeof name, "/tmp/netpram-test-listed-%ld.txt", (long)getpid());
    snprintf(rule, sizeof rule, "file:%s", name);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        np_network *network = support_network(cases[c]);
        judge j = judge_of(network);
        FILE *file = fopen(name, "w");
        for (uint32_t i = 0; i < j.n; i++)
            for (uint32_t k = 0; k < j.n; k++) {
                uint32_t via = (3 * i + k + 1) % j.n, weight = 1 + (i + 2 * k) % 5;
                via = via == i ? k : via;
                if (i == k)
                    continue;
                list_path(&j, file, i, k, k, weight, weight + 3);
                list_path(&j, file, i, k, via, 3, weight + 3);
            }
        fclose(file);
        check(&j, rule, 1e-5);
    }
    unlink(name);
}

/* ---- Closed forms ---- */

static void assert_load(const char *spec, const char *paths, double load)
{
    np_network *network = support_network(spec);
    np_worst *worst = worst_of(network, paths);
    if (fabs(worst->worst.load - load) > 1e-9)
        fail_msg("%s on %s: %.12f, not %.12f", paths, spec, worst->worst.load, load);
    np_worst_free(worst);
    np_network_free(network);
}

static void test_closed_forms(void **state)
{
    (void)state;
    /* The last link of a line: all other nodes of the line, or as many from anywhere, cross it. */
    assert_load("mesh:8x8", "dimension-order", 7);
    assert_load("array:9", "dimension-order", 5 - 1); /* here min(i, 9 - i) nodes on a side */
    /* Half-way round a ring, up on ties: k/2 nodes send over a link; drawn, k/2 - 1 and two halves (Towles & Dally). */
    assert_load("torus:8x8", "dimension-order", 4);
    assert_load("ring:9", "dimension-order", 4);
    /* 2^floor(n/2): a source part of the low bits, a destination part of the high ones. */
    assert_load("hypercube:8", "dimension-order", 8);
    assert_load("hypercube:9", "dimension-order", 16);
    /* Valiant: twice the load of all-to-all over N: on a cube N/2 pairs times ... = 1; on a torus k/4; on a mesh k/2.
     */
    assert_load("hypercube:7", "valiant:random-order", 1);
    assert_load("hypercube:7", "valiant", 1);
    assert_load("torus:8x8", "valiant:dimension-order:drawn", 2);
    assert_load("mesh:8x8", "valiant", 4);
    assert_load("complete:10", "direct", 1);
    assert_load("complete:10", "valiant", 0.2);
    /* Over the top: as many ups as hosts, so only the hosts' links bind. */
    assert_load("xgft:2:8,8:1,8", "spray", 1);
    assert_load("xgft:2:8,8:1,4", "spray", 2);
    assert_load("ring:2@8", "dimension-order", 8);
    assert_load("complete:2@8", "valiant", 8);
}

static void test_shape(void **state)
{
    np_network *network = support_network("torus:8x8");
    np_worst *worst = worst_of(network, "dimension-order");
    (void)state;
    assert_true(worst->exact && worst->moves && !worst->alike);
    assert_int_equal(worst->links, 4);
    assert_string_equal(worst->paths, "dimension-order");
    np_worst_free(worst);
    worst = worst_of(network, "valiant");
    assert_true(worst->exact && worst->alike);
    assert_string_equal(worst->paths, "valiant:dimension-order");
    np_worst_free(worst);
    np_network_free(network);
    assert_ok(support_network_of_text("a b\n", ":hosts=a:undirected", &network));
    worst = worst_of(network, "spray");
    assert_false(worst->moves);
    np_worst_free(worst);
    np_network_free(network);
}

/*
 *     l0 .. l7   each --   a0 .. a28       the 8 x 8 pairs across share 29 middle links evenly; 1/29 is rounded down
 *                          |      |        for each pair, which must not raise what is guaranteed
 *     r0 .. r7   each --   b0 .. b28
 */
static void test_rounded_down(void **state)
{
    enum { HOSTS = 8, MIDDLES = 29 };
    char text[8192], *end = text;
    np_network *network;
    (void)state;
    for (int m = 0; m < MIDDLES; m++) {
        end += sprintf(end, "a%d b%d\n", m, m);
        for (int h = 0; h < HOSTS; h++)
            end += sprintf(end, "l%d a%d\nr%d b%d\n", h, m, h, m);
    }
    assert_ok(support_network_of_text(text, ":hosts=degree=29:undirected", &network));
    assert_int_equal(np_network_terminals(network), 2 * HOSTS);
    np_worst *worst = worst_of(network, "valiant:spray");
    assert_false(worst->exact);
    assert_true(fabs(worst->worst.load - (double)HOSTS / MIDDLES) < 1e-9);
    assert_true(worst->worst.factor <= (double)MIDDLES / HOSTS); /* 3.625: no rounding here */
    np_worst_free(worst);
    np_network_free(network);
}

/* What is written is the permutation, as traffic reads it, on a network with names, too. */
static void test_saved(void **state)
{
    static const char *const specs[] = {"torus:4x4", "ring:4@2"};
    (void)state;
    for (int k = 0; k < 2; k++) {
        np_network *network = support_network(specs[k]);
        np_worst *worst = worst_of(network, "spray");
        char *path = support_file(""), spec[4200];
        np_traffic *traffic;
        assert_ok(np_worst_save(worst, path));
        snprintf(spec, sizeof spec, "file:%s", path);
        assert_ok(np_traffic_create(spec, network, 1, 0, &traffic));
        assert_int_equal(np_traffic_packets(traffic), worst->packets);
        for (size_t p = 0; p < worst->packets; p++) {
            assert_int_equal(np_traffic_sources(traffic)[p], worst->source[p]);
            assert_int_equal(np_traffic_destinations(traffic)[p], worst->destination[p]);
        }
        np_traffic_free(traffic);
        unlink(path);
        free(path);
        np_worst_free(worst);
        np_network_free(network);
    }
}

static void test_refused(void **state)
{
    static const struct {
        const char *spec, *paths;
        np_status status;
        const char *message;
    } cases[] = {{"mesh:4x4", "nonsense", NP_ERROR_INPUT, "no path rule 'nonsense'"},
                 {"mesh:4x4", "balanced", NP_ERROR_APPLY, "depends on the other packets"},
                 {"omega:2", "valiant:k-shortest", NP_ERROR_APPLY, "from inputs to outputs only"},
                 {"mesh:4x4", "dimension-order:drawn", NP_ERROR_APPLY, "equally long"},
                 {"torus:4x4", "dimension-order:dealt", NP_ERROR_INPUT, "or dimension-order:drawn"},
                 {"omega:3", "valiant", NP_ERROR_APPLY, "from inputs to outputs only"},
                 {"torus:8x8:fail=0.5", "spray", NP_ERROR_APPLY, ""},
                 {"torus:8x8:fail=0.5", "lowest-port", NP_ERROR_APPLY, ""},
                 {"torus:8x8", "valiant:", NP_ERROR_INPUT, ""}};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        np_network *network = support_network(cases[k].spec);
        np_worst_options options;
        np_worst *worst;
        np_worst_options_init(&options);
        options.paths = cases[k].paths;
        assert_refused(np_worst_find(network, &options, &worst), cases[k].status, cases[k].message);
        assert_null(worst);
        np_network_free(network);
    }
}

/* ---- Every allocation fails once ---- */

static np_status find_and_free(np_network *network, const char *paths)
{
    np_worst_options options;
    np_worst *worst;
    np_worst_options_init(&options);
    options.paths = paths;
    np_status st = np_worst_find(network, &options, &worst);
    np_worst_free(worst);
    return st;
}

static np_status make_and_free(np_network *network, const char *spec)
{
    np_traffic *traffic;
    np_status st = np_traffic_create(spec, network, 1, 0, &traffic);
    np_traffic_free(traffic);
    return st;
}

static void fail_each(np_network *network, const char *what, np_status (*call)(np_network *, const char *))
{
    np_status st = NP_ERROR_MEMORY;
    for (long n = 1; st; n = support_next_failure(n)) {
        np_memory_fail_after(n);
        st = call(network, what);
        np_memory_fail_after(0);
        if (st && st != NP_ERROR_MEMORY)
            fail_msg("%s: allocation %ld fails: %s", what, n, np_last_error());
    }
}

static void test_allocations_fail(void **state)
{
    np_network *torus = support_network("torus:4x2"), *hosted = support_network("ring:4@2");
    (void)state;
    fail_each(torus, "spray", find_and_free);
    fail_each(torus, "dimension-order:drawn", find_and_free);
    fail_each(torus, "valiant", find_and_free);
    fail_each(hosted, "dimension-order", find_and_free);
    fail_each(hosted, "longest-matching", make_and_free);
    fail_each(hosted, "near-worst", make_and_free);
    np_network_free(torus);
    np_network_free(hosted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spread),  cmocka_unit_test(test_without_draws),    cmocka_unit_test(test_few_draws),
        cmocka_unit_test(test_costs),   cmocka_unit_test(test_listed),           cmocka_unit_test(test_closed_forms),
        cmocka_unit_test(test_shape),   cmocka_unit_test(test_rounded_down),     cmocka_unit_test(test_saved),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_allocations_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
