/*
 * Shortest paths that are found for the packets of a phase: against all pairs
 * by relaxation and against a list of all shortest paths, on random networks.
 */
#include "support.h"

#include <math.h>

#include "base/memory.h"
#include "base/random.h"
#include "model/path/routes.h"

enum { MOST = 24, LINKS = 5 * MOST, SMALL = 12, FAR = 1000, PATHS = 4096 };

static const char *const rules[] = {"shortest", "spray", "ecmp", "lowest-port"};
enum { RULES = sizeof rules / sizeof *rules };

/* A random network with its links and, by relaxation, its distances. */
typedef struct sample {
    np_node nodes, from[LINKS], to[LINKS];
    size_t links;
    int distance[MOST][MOST], farthest;
    np_network *network;
} sample;

static void relax_all(sample *s)
{
    for (np_node u = 0; u < s->nodes; u++)
        for (np_node v = 0; v < s->nodes; v++)
            s->distance[u][v] = u == v ? 0 : FAR;
    for (np_node round = 0; round < s->nodes; round++)
        for (size_t i = 0; i < s->links; i++)
            for (np_node v = 0; v < s->nodes; v++)
                if (s->distance[s->to[i]][v] + 1 < s->distance[s->from[i]][v])
                    s->distance[s->from[i]][v] = s->distance[s->to[i]][v] + 1;
    s->farthest = 0;
    for (np_node u = 0; u < s->nodes; u++)
        for (np_node v = 0; v < s->nodes; v++)
            s->farthest = s->distance[u][v] > s->farthest ? s->distance[u][v] : s->farthest;
}

/* Of least .. most nodes. simple: neither parallel links nor loops. */
static void draw_sample(uint32_t item, np_node least, np_node most, bool simple, sample *s)
{
    const np_draws draws = {2, 0, 0, NP_RANDOM_CHECK};
    size_t links;
    s->nodes = least + np_random_below(&draws, item, 0, most - least + 1);
    links = s->nodes + np_random_below(&draws, item, 1, 4 * s->nodes);
    s->links = 0;
    for (size_t i = 0; i < links; i++) {
        np_node u = np_random_below(&draws, item, (uint32_t)(2 * i + 2), s->nodes);
        np_node v = np_random_below(&draws, item, (uint32_t)(2 * i + 3), s->nodes);
        bool known = u == v;
        for (size_t j = 0; j < s->links; j++)
            known = known || (s->from[j] == u && s->to[j] == v);
        if (simple && known)
            continue;
        s->from[s->links] = u;
        s->to[s->links++] = v;
    }
    relax_all(s);
    assert_ok(np_network_from_links(s->nodes, s->links, s->from, s->to, &s->network));
}

/* np_path_walk checks that a route is a way. */
static void routes_are_shortest(void **state)
{
    int reached = 0, cut = 0;
    (void)state;
    for (uint32_t item = 0; item < 300; item++) {
        sample s;
        np_path *path;
        draw_sample(item, 2, SMALL, false, &s);
        assert_ok(np_path_create(rules[item % RULES], s.network, &path));
        for (np_node u = 0; u < s.nodes; u++)
            for (np_node v = 0; v < s.nodes; v++) {
                size_t hops;
                if (s.distance[u][v] == FAR) {
                    assert_refused(np_path_walk(path, u, v, 1, 0, 0, 0, 0, NULL, &hops), NP_ERROR_APPLY,
                                   "there is no way from node");
                    cut++;
                } else {
                    assert_ok(np_path_walk(path, u, v, 1, 0, 0, item, 0, NULL, &hops));
                    assert_int_equal(hops, s.distance[u][v]);
                    reached += hops > 1;
                }
            }
        np_path_free(path);
        np_network_free(s.network);
    }
    assert_true(reached > 2000);
    assert_true(cut > 200);
}

/* ---- How likely each path is ---- */

/* All shortest paths from a node to another, as nodes, and how likely each should be. */
typedef struct ways {
    size_t count;
    np_node node[PATHS][MOST];
    double weight[PATHS]; /* links count once each: the product over the hops of the parallel links */
    double even[PATHS];   /* the product over the hops of the share of the links that are nearer */
    size_t seen[PATHS];
} ways;

static void list_ways(const sample *s, np_node to, np_node *way, int length, double weight, double even, ways *w)
{
    np_node u = way[length];
    int nearer = 0;
    if (u == to) {
        assert_true(w->count < PATHS);
        memcpy(w->node[w->count], way, sizeof w->node[0]);
        w->weight[w->count] = weight;
        w->even[w->count++] = even;
        return;
    }
    for (size_t i = 0; i < s->links; i++)
        nearer += s->from[i] == u && s->distance[s->to[i]][to] + 1 == s->distance[u][to];
    for (np_node v = 0; v < s->nodes; v++) {
        int parallel = 0;
        for (size_t i = 0; i < s->links; i++)
            parallel += s->from[i] == u && s->to[i] == v;
        if (!parallel || s->distance[v][to] + 1 != s->distance[u][to])
            continue;
        way[length + 1] = v;
        list_ways(s, to, way, length + 1, weight * parallel, even * parallel / nearer, w);
    }
}

static size_t find_way(const ways *w, const np_network *network, np_node from, const np_link *link, size_t hops)
{
    for (size_t i = 0; i < w->count; i++) {
        bool same = w->node[i][0] == from;
        for (size_t k = 0; k < hops; k++)
            same = same && w->node[i][k + 1] == np_network_link_head(network, link[k]);
        if (same)
            return i;
    }
    fail_msg("a route that is no shortest path");
    return 0;
}

/*
 * Chi-square with d degrees of freedom exceeds d + 2 sqrt(d x) + 2x with a chance below exp(-x) (Laurent & Massart
 * 2000, lemma 1). With x = 20 that is 2e-9 for each of some hundred tests. The seeds are fixed.
 */
static void judge(const ways *w, const double *likely, size_t draws)
{
    double sum = 0, square = 0, d = (double)w->count - 1, x = 20;
    for (size_t i = 0; i < w->count; i++)
        sum += likely[i];
    for (size_t i = 0; i < w->count; i++) {
        double expected = (double)draws * likely[i] / sum, off = (double)w->seen[i] - expected;
        square += off * off / expected;
    }
    assert_true(square <= d + 2 * sqrt(d * x) + 2 * x);
}

static void judge_pair(const sample *s, const np_path *path, bool even, np_node from, np_node to, ways *w)
{
    np_node way[MOST + 1] = {from};
    size_t draws;
    w->count = 0;
    list_ways(s, to, way, 0, 1, 1, w);
    memset(w->seen, 0, sizeof w->seen);
    draws = 200 * w->count;
    for (np_packet p = 0; p < draws; p++) {
        np_link link[MOST];
        size_t hops;
        assert_ok(np_path_walk(path, from, to, 5, 0, 0, p, MOST, link, &hops));
        w->seen[find_way(w, s->network, from, link, hops)]++;
    }
    judge(w, even ? w->even : w->weight, draws);
}

static void each_path_is_as_likely_as_it_should_be(void **state)
{
    static ways w;
    int pairs = 0;
    (void)state;
    for (uint32_t item = 1000; item < 1200; item++) {
        bool even = item % 2;
        sample s;
        np_path *path;
        draw_sample(item, 2, SMALL, false, &s);
        assert_ok(np_path_create(even ? "spray" : "shortest", s.network, &path));
        for (np_node v = 1; v < s.nodes; v++)
            if (s.distance[0][v] > 1 && s.distance[0][v] < FAR) {
                judge_pair(&s, path, even, 0, v, &w);
                pairs += w.count > 2;
            }
        np_path_free(path);
        np_network_free(s.network);
    }
    assert_true(pairs > 30);
}

/* ---- One route for a pair, whoever asks ---- */

static void ecmp_draws_once_for_each_pair(void **state)
{
    size_t different = 0, hops;
    np_network *cube = support_network("hypercube:6");
    np_path *path;
    (void)state;
    assert_ok(np_path_create("ecmp", cube, &path));
    for (np_node v = 1; v < 64; v++) {
        np_link first[6], other[6];
        assert_ok(np_path_walk(path, 0, v, 1, 0, 0, 0, 6, first, &hops));
        for (np_packet p = 1; p < 20; p++) {
            assert_ok(np_path_walk(path, 0, v, 1, 0, 0, p, 6, other, &hops));
            assert_memory_equal(first, other, hops * sizeof *first);
        }
        assert_ok(np_path_walk(path, 0, v, 2, 0, 0, 0, 6, other, &hops));
        different += memcmp(first, other, hops * sizeof *first) != 0;
    }
    assert_true(different > 20); /* another seed, another draw */
    np_path_free(path);
    np_network_free(cube);
}

/* The ports of a packet's route. */
static size_t ports_of(const np_path *path, np_packet packet, np_node from, np_port *port)
{
    np_ticket ticket;
    np_node at = from;
    uint32_t hops = 0, left;
    const np_draws draws = {0};
    path->rule->start(path, &draws, 1, &packet, &at, &at, &ticket);
    for (path->rule->remaining(path, 1, &at, &ticket, &left); left > 0; left--)
        path->rule->next(path, 1, &at, &ticket, &port[hops++]);
    return hops;
}

/*
 * All pairs at once, by searches from the destinations, and each alone, by a search from both ends: the same routes,
 * for any number of threads.
 */
static void check_all_pairs(const np_network *network, const char *rule, const unsigned *threads)
{
    enum { HOPS = 600 };
    np_node n = np_network_nodes(network), *from = malloc(sizeof *from * n * n), *to = malloc(sizeof *to * n * n);
    np_demand demand = {.draws = {9, 0, 0, NP_RANDOM_TICKET}, .count = n * n, .from = from, .to = to};
    np_path *path;
    assert_ok(np_path_create(rule, network, &path));
    for (np_node p = 0; p < n * n; p++) {
        from[p] = p / n;
        to[p] = p % n;
    }
    for (; *threads; threads++) {
        const np_routes_options options = {.path = path, .packets = n * n, .slots = 1, .threads = *threads};
        np_path bound = *path;
        np_routes *routes;
        assert_ok(np_routes_create(&options, &routes));
        assert_ok(np_routes_find(routes, 0, &demand));
        bound.routes = routes;
        for (np_packet p = 0; p<n * n; p += n> 50 ? 7 : 1) {
            np_port port[HOPS];
            np_link link[HOPS];
            np_node at = from[p];
            size_t hops, alone;
            hops = ports_of(&bound, p, at, port);
            assert_ok(np_path_walk(path, from[p], to[p], 9, 0, 0, p, HOPS, link, &alone));
            assert_int_equal(hops, alone);
            for (size_t k = 0; k < hops; k++) {
                assert_int_equal(np_network_link_at(network, at, port[k]), link[k]);
                at = np_network_link_head(network, link[k]);
            }
        }
        np_routes_free(routes);
    }
    np_path_free(path);
    free(from);
    free(to);
}

static void both_searches_and_any_threads_agree(void **state)
{
    static const char *const specs[] = {"hypercube:5", "mesh:7x7", "ring:90", "tree:5"};
    static const unsigned one[] = {1, 0}, some[] = {1, 2, 7, 0};
    size_t strong = 0;
    (void)state;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        for (size_t r = 0; r < RULES; r++) {
            np_network *network = support_network(specs[i]);
            check_all_pairs(network, rules[r], some);
            np_network_free(network);
        }
    for (uint32_t item = 2000; item < 2200; item++) {
        sample s;
        draw_sample(item, 2, SMALL, true, &s);
        if (s.farthest < FAR) {
            check_all_pairs(s.network, rules[item % RULES], one);
            strong += s.nodes > 4;
        }
        np_network_free(s.network);
    }
    assert_true(strong > 20);
}

/* Packet p goes from a node that reaches `to`. Answers how many packets: a quarter of the nodes, or fewer. */
static size_t gather(const sample *s, uint32_t item, np_node to, np_node *from)
{
    const np_draws draws = {3, 0, 0, NP_RANDOM_CHECK};
    size_t count = 0;
    for (np_node p = 0; p < s->nodes / 4; p++) {
        np_node u = np_random_below(&draws, item, to * MOST + p, s->nodes);
        if (s->distance[u][to] < FAR)
            from[count++] = u;
    }
    return count;
}

/* Each packet's route is one of the list, and the one that it takes on `path` when it is alone. path: or NULL */
static void check_gathered(const sample *s, const np_path *path, np_node to, const np_path *bound, size_t count,
                           const np_node *from)
{
    static ways w;
    for (np_packet p = 0; p < count; p++) {
        np_node way[MOST + 1] = {from[p]}, at = from[p];
        np_port port[MOST];
        np_link link[MOST], alone[MOST];
        size_t hops = ports_of(bound, p, at, port), length;
        assert_int_equal(hops, s->distance[from[p]][to]);
        for (size_t k = 0; k < hops; k++) {
            link[k] = np_network_link_at(s->network, at, port[k]);
            assert_int_not_equal(link[k], NP_NONE);
            at = np_network_link_head(s->network, link[k]);
        }
        w.count = 0;
        list_ways(s, to, way, 0, 1, 1, &w);
        find_way(&w, s->network, from[p], link, hops);
        if (!path)
            continue;
        assert_ok(np_path_walk(path, from[p], to, 9, 0, 0, p, MOST, alone, &length));
        assert_int_equal(length, hops);
        assert_memory_equal(alone, link, hops * sizeof *link);
    }
}

/*
 * More packets than 1 to one node, and at most a quarter of the nodes: the first are searched for from both ends, those
 * after them from the node alone, and the last from both ends again.
 */
static void few_packets_to_one_place(void **state)
{
    size_t checked = 0;
    (void)state;
    for (uint32_t item = 3000; item < 3200; item++) {
        bool simple = item % 3;
        sample s;
        np_path *path;
        np_node from[MOST], to[MOST];
        np_demand demand = {.draws = {9, 0, 0, NP_RANDOM_TICKET}, .from = from, .to = to};
        draw_sample(item, SMALL, MOST, simple, &s);
        assert_ok(np_path_create(rules[item % RULES], s.network, &path));
        const np_routes_options options = {.path = path, .packets = MOST, .slots = 1, .threads = 1};
        np_path bound = *path;
        np_routes *routes;
        assert_ok(np_routes_create(&options, &routes));
        bound.routes = routes;
        for (np_node v = 0; v < s.nodes; v++) {
            for (np_node p = 0; p < MOST; p++)
                to[p] = v;
            demand.count = gather(&s, item, v, from);
            assert_ok(np_routes_find(routes, 0, &demand));
            check_gathered(&s, simple ? path : NULL, v, &bound, demand.count, from);
            checked += demand.count;
        }
        np_routes_free(routes);
        np_path_free(path);
        np_network_free(s.network);
    }
    assert_true(checked > 10000);
}

/* ---- Sharing ---- */

static np_route_result *route(const np_network *network, const char *paths, const char *traffic, unsigned threads)
{
    np_route_options options;
    np_route_result *result;
    np_route_options_init(&options);
    options.paths = paths;
    options.threads = threads;
    assert_ok(np_route(network, traffic, &options, &result));
    return result;
}

static void check_twelve(size_t links, const np_node *from, const np_node *to, const char *paths)
{
    char spec[200], *file = support_file("0 1 12\n");
    np_network *network;
    np_route_result *result;
    snprintf(spec, sizeof spec, "file:%s", file);
    assert_ok(np_network_from_links(3, links, from, to, &network));
    result = route(network, paths, spec, 1);
    assert_int_equal(result->phase[0].run[0].steps, 3);
    assert_int_equal(result->phase[0].run[0].congestion, 3);
    np_route_result_free(result);
    np_network_free(network);
    remove(file);
    free(file);
}

/*
 * Twelve packets over four parallel links take three steps. Without the link from node 2, node 0 is the gate of node 1.
 * Without that from 0 to 2, node 1 is the gate of node 2.
 */
static void parallel_links_share_the_load(void **state)
{
    const np_node from[] = {0, 0, 0, 0, 2, 1, 0}, to[] = {1, 1, 1, 1, 1, 2, 2};
    char listed[200], *file = support_file("0 1\n");
    snprintf(listed, sizeof listed, "file:%s", file);
    const char *const sharing[] = {"shortest", "spray", "k-shortest:1", listed};
    (void)state;
    for (size_t r = 0; r < sizeof sharing / sizeof *sharing; r++)
        for (size_t links = 4; links <= 7; links++)
            check_twelve(links, from, to, sharing[r]);
    remove(file);
    free(file);
}

/*
 * A fat-tree of 16-port switches, as links: 1024 hosts, 128 switches above them, 128 in the middle of the 16 pods, and
 * 64 that join the pods.
 */
static np_network *fat_tree(void)
{
    enum { HALF = 8, HOSTS = 1024, EDGE = HOSTS, MIDDLE = EDGE + 128, CORE = MIDDLE + 128, CABLES = 3 * HOSTS };
    np_node *from = malloc(2 * CABLES * sizeof *from), *to = malloc(2 * CABLES * sizeof *to);
    np_network *network;
    for (np_node i = 0; i < HOSTS; i++) {
        np_node pod = i / (HALF * HALF), a = i / HALF % HALF, b = i % HALF;
        const np_node ends[3][2] = {{i, EDGE + i / HALF},
                                    {EDGE + pod * HALF + a, MIDDLE + pod * HALF + b},
                                    {MIDDLE + pod * HALF + a, CORE + a * HALF + b}};
        for (np_node k = 0; k < 3; k++) {
            from[6 * i + 2 * k] = to[6 * i + 2 * k + 1] = ends[k][0];
            to[6 * i + 2 * k] = from[6 * i + 2 * k + 1] = ends[k][1];
        }
    }
    assert_ok(np_network_from_links(CORE + 64, 2 * CABLES, from, to, &network));
    free(from);
    free(to);
    return network;
}

/* Hosts i to i + 512. */
static char *half_way(void)
{
    char *text = malloc(20000), *at = text, *file;
    for (int i = 0; i < 1024; i++)
        at += sprintf(at, "%d %d\n", i, (i + 512) % 1024);
    file = support_file(text);
    free(text);
    return file;
}

static void a_fat_tree_is_used_in_its_breadth(void **state)
{
    static const uint32_t most[RULES] = {8, 8, 8, 64};
    char spec[200], *file = half_way();
    np_network *network = fat_tree();
    (void)state;
    snprintf(spec, sizeof spec, "file:%s", file);
    for (size_t r = 0; r < RULES; r++)
        for (unsigned threads = 1; threads < 4; threads++) {
            np_route_result *result = route(network, rules[r], spec, threads);
            assert_int_equal(result->phase[0].run[0].hops, 6 * 1024);
            assert_true(result->phase[0].run[0].congestion <= most[r]);
            np_route_result_free(result);
        }
    np_network_free(network);
    remove(file);
    free(file);
}

/* ---- Large numbers ---- */

/* C(78, 39) paths, more than 2^63: half of them begin with each link of the corner, to within six deviations. */
static void so_many_paths_that_they_are_rounded(void **state)
{
    enum { SIDE = 40, DRAWS = 2000 };
    np_network *mesh = support_network("mesh:40x40");
    np_path *path;
    size_t hops, rows = 0;
    (void)state;
    assert_ok(np_path_create("shortest", mesh, &path));
    for (np_packet p = 0; p < DRAWS; p++) {
        np_link link[2 * SIDE];
        assert_ok(np_path_walk(path, 0, SIDE * SIDE - 1, 1, 0, 0, p, 2 * SIDE, link, &hops));
        assert_int_equal(hops, 2 * SIDE - 2);
        rows += np_network_link_head(mesh, link[0]) == 1;
    }
    assert_in_range(rows, DRAWS / 2 - 6 * 23, DRAWS / 2 + 6 * 23); /* sqrt(2000) / 2 = 22.4 */
    np_path_free(path);
    np_network_free(mesh);
}

/*
 * 70 squares in a row, each at a corner of the next: 2^70 paths, counted from each node alone and from all nodes at
 * once.
 *
 *      1     4
 *     / \   / \
 *    0   3     6 ..
 *     \ /   \ /
 *      2     5
 */
static void many_counts_are_rounded_alike(void **state)
{
    enum { SQUARES = 70, CABLES = 4 * SQUARES };
    static const unsigned one[] = {1, 0};
    np_node from[2 * CABLES], to[2 * CABLES];
    np_network *network;
    (void)state;
    for (np_node i = 0; i < CABLES; i++) {
        np_node corner = 3 * (i / 4), side = corner + 1 + i / 2 % 2;
        from[2 * i] = to[2 * i + 1] = side;
        to[2 * i] = from[2 * i + 1] = i % 2 ? corner : corner + 3;
    }
    assert_ok(np_network_from_links(3 * SQUARES + 1, 2 * CABLES, from, to, &network));
    check_all_pairs(network, "shortest", one);
    np_network_free(network);
}

enum { RAYS = 300, TAIL = 20 };

/*
 * A star: the middle, node 0, has 300 ports, which need two bytes where routes are long, and nine bits in a ticket. A
 * tail hangs on node RAYS, the last ray.
 */
static np_network *star_with_a_tail(void)
{
    np_node from[2 * (RAYS + TAIL)], to[2 * (RAYS + TAIL)];
    np_network *network;
    for (np_node i = 0; i < RAYS + TAIL; i++) {
        from[2 * i] = to[2 * i + 1] = i < RAYS ? 0 : i;
        to[2 * i] = from[2 * i + 1] = i + 1;
    }
    assert_ok(np_network_from_links(RAYS + TAIL + 1, 2 * (RAYS + TAIL), from, to, &network));
    return network;
}

static void many_ports(void **state)
{
    np_network *network = star_with_a_tail();
    np_path *path;
    np_link links[TAIL + 2];
    size_t hops;
    (void)state;
    assert_ok(np_path_create("lowest-port", network, &path));
    assert_ok(np_path_walk(path, 7, RAYS, 1, 0, 0, 0, 2, links, &hops));
    assert_int_equal(hops, 2);
    assert_int_equal(links[1], RAYS - 1);
    assert_ok(np_path_walk(path, 7, RAYS + TAIL, 1, 0, 0, 0, TAIL + 2, links, &hops));
    assert_int_equal(hops, TAIL + 2);
    assert_int_equal(links[1], RAYS - 1);
    np_path_free(path);
    np_network_free(network);
}

/* A phase of many long routes of two bytes a hop, and one of few: the first ones stay. */
static void long_routes_of_other_phases_stay(void **state)
{
    enum { MANY = RAYS - 1 };
    np_network *network = star_with_a_tail();
    np_path *path, bound;
    np_routes *routes;
    np_node from[MANY], to[MANY];
    np_demand demand = {.count = MANY, .from = from, .to = to};
    (void)state;
    for (np_node p = 0; p < MANY; p++) {
        from[p] = p + 1;
        to[p] = RAYS + TAIL;
    }
    assert_ok(np_path_create("lowest-port", network, &path));
    const np_routes_options options = {.path = path, .packets = MANY, .slots = 2, .threads = 1};
    assert_ok(np_routes_create(&options, &routes));
    assert_ok(np_routes_find(routes, 0, &demand));
    demand.count = 1;
    assert_ok(np_routes_find(routes, 1, &demand));
    bound = *path;
    bound.routes = routes;
    for (np_packet p = 0; p < MANY; p++) {
        np_port port[TAIL + 2];
        assert_int_equal(ports_of(&bound, p, from[p], port), TAIL + 2);
        assert_int_equal(port[1], RAYS - 1);
    }
    np_routes_free(routes);
    np_path_free(path);
    np_network_free(network);
}

static void lowest_port_is_the_lowest(void **state)
{
    np_network *cube = support_network("hypercube:6");
    np_path *path;
    (void)state;
    assert_ok(np_path_create("all-pairs", cube, &path)); /* its old name */
    assert_string_equal(np_path_name(path), "lowest-port");
    for (np_node u = 0; u < 64; u++)
        for (np_node v = 0; v < 64; v++) {
            np_link links[6];
            size_t hops;
            assert_ok(np_path_walk(path, u, v, 1, 0, 0, 0, 6, links, &hops));
            assert_int_equal(hops, __builtin_popcount(u ^ v));
            if (hops) /* the most significant bit */
                assert_int_equal(links[0], u * 6 + (unsigned)__builtin_clz(u ^ v) - 26);
        }
    np_path_free(path);
    np_network_free(cube);
}

/* ---- Refusals ---- */

static void no_way_is_refused_for_the_first_packet_without_one(void **state)
{
    /* 0 <-> 1 -> 2 */
    static const np_node from[] = {0, 1, 1}, to[] = {1, 0, 2};
    char spec[200], *file = support_file("0 1\n1 2\n2 0\n2 1\n");
    np_network *network;
    np_route_options options;
    np_route_result *result;
    (void)state;
    assert_ok(np_network_from_links(3, 3, from, to, &network));
    snprintf(spec, sizeof spec, "file:%s", file);
    np_route_options_init(&options);
    for (options.threads = 1; options.threads < 4; options.threads++) {
        assert_refused(np_route(network, spec, &options, &result), NP_ERROR_APPLY, "no way from node 2 to node 0");
        assert_null(result);
    }
    options.paths = "greedy"; /* only the pairs that occur count */
    remove(file);
    free(file);
    file = support_file("0 1\n1 2\n");
    snprintf(spec, sizeof spec, "file:%s", file);
    assert_ok(np_route(network, spec, &options, &result));
    assert_string_equal(result->scheme, "greedy");
    assert_string_equal(result->paths, "shortest");
    np_route_result_free(result);
    np_network_free(network);
    remove(file);
    free(file);
}

/* A ring without a formula for its diameter. */
static np_network *ring_of_links(np_node nodes)
{
    np_node *from = malloc(2 * nodes * sizeof *from), *to = malloc(2 * nodes * sizeof *to);
    np_network *network;
    for (np_node v = 0; v < nodes; v++) {
        from[2 * v] = to[2 * v + 1] = v;
        to[2 * v] = from[2 * v + 1] = (v + 1) % nodes;
    }
    assert_ok(np_network_from_links(nodes, 2 * nodes, from, to, &network));
    free(from);
    free(to);
    return network;
}

static void memory_is_refused_before_it_is_taken(void **state)
{
    np_network *links = ring_of_links(3000);
    np_route_options options;
    np_route_result *result;
    uint64_t bytes;
    (void)state;
    np_route_options_init(&options);
    options.paths = "shortest";
    options.threads = 1;
    assert_ok(np_route_memory(links, "random", &options, &bytes));
    options.memory_limit = bytes - 1;
    assert_refused(np_route(links, "random", &options, &result), NP_ERROR_LIMIT, "3000 packets on links need");
    options.memory_limit = bytes + 100000; /* some 2.2 million hops */
    assert_refused(np_route(links, "random", &options, &result), NP_ERROR_LIMIT, "no memory for routes: ");
    np_network_free(links);
}

/* Runs at the same time share the limit. The least limit that is enough, to within 100 kB, is not exceeded. */
static void long_routes_keep_to_the_limit(void **state)
{
    np_network *links = ring_of_links(1000);
    (void)state;
    for (unsigned threads = 1; threads <= 2; threads++) {
        np_route_options options;
        np_route_result *result;
        np_status st;
        np_route_options_init(&options);
        options.paths = "shortest";
        options.scheme = "valiant";
        options.overlap = true;
        options.threads = threads;
        options.runs = 2;
        assert_ok(np_route_memory(links, "random", &options, &options.memory_limit));
        do {
            options.memory_limit += 100000;
            support_memory_count(true);
            st = np_route(links, "random", &options, &result);
            assert_true(support_memory_peak() <= options.memory_limit);
            support_memory_count(false);
        } while (st == NP_ERROR_LIMIT);
        assert_ok(st);
        np_route_result_free(result);
    }
    np_network_free(links);
}

/* The packets of every phase go from node 0 to the node that is half of all away, or farther on; `least` of them. */
static void check_peak(const np_routes_options *options, np_node least, uint64_t promised)
{
    np_node n = np_network_nodes(options->path->network), *from = calloc(n, sizeof *from), *to = malloc(n * sizeof *to);
    np_demand demand = {.draws = {9, 0, 0, NP_RANDOM_TICKET}, .from = from, .to = to};
    np_routes *routes;
    for (np_node p = 0; p < n; p++)
        to[p] = n / 2;
    support_memory_count(true);
    assert_ok(np_routes_create(options, &routes));
    for (demand.count = least; demand.count <= n; demand.count++)
        for (unsigned slot = 0; slot < options->slots; slot++)
            assert_ok(np_routes_find(routes, slot, &demand));
    uint64_t peak = support_memory_peak();
    np_routes_free(routes);
    support_memory_count(false);
    assert_true(peak <= promised);
    free(from);
    free(to);
}

/* Routes that grow from run to run, or from phase to phase, take no more than promised while old ones are held, too. */
static void long_routes_take_what_is_promised(void **state)
{
    np_network *ring = support_network("ring:400");
    np_path *path;
    (void)state;
    assert_ok(np_path_create("lowest-port", ring, &path));
    for (unsigned slots = 1; slots <= 3; slots++) {
        const np_routes_options options = {.path = path, .packets = 400, .slots = slots, .threads = 1};
        check_peak(&options, 390, np_routes_bytes(&options));
    }
    np_path_free(path);
    np_network_free(ring);
}

/* Every allocation fails in turn, with short routes and with long ones, and with parallel links. */
static void every_allocation_may_fail(void **state)
{
    static const char *const texts[] = {"0 1\n1 0\n1 2\n2 1\n0 1\n", "0 1\n1 2\n2 3\n3 4\n4 0\n"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        char spec[200], *file = support_file(texts[i]);
        np_status st = NP_ERROR_MEMORY;
        long n = 1;
        snprintf(spec, sizeof spec, "file:%s:directed", file);
        for (; st; n++) {
            np_network *network = NULL;
            np_route_options options;
            np_route_result *result = NULL;
            np_route_options_init(&options);
            options.threads = 2;
            options.overlap = i == 1;
            options.scheme = "valiant";
            np_memory_fail_after(n);
            if (!(st = np_network_create(spec, &network)))
                st = np_route(network, "random", &options, &result);
            np_memory_fail_after(0);
            if (st)
                assert_refused(st, NP_ERROR_MEMORY, "no memory for");
            np_route_result_free(result);
            np_network_free(network);
        }
        assert_true(n > 20);
        remove(file);
        free(file);
    }
}

/* Cancels from the outset; or as soon as packets move. */
static int cancel(void *context, const np_progress *progress)
{
    return *(const bool *)context == (progress->stage != NULL);
}

static void progress_cancels(void **state)
{
    (void)state;
    np_network *network = support_network("mesh:20x20");
    for (int paths = 0; paths < 2; paths++) {
        bool when = paths;
        np_route_options options;
        np_route_result *result;
        np_route_options_init(&options);
        options.paths = "shortest";
        options.threads = 1;
        options.watch = (np_watch){cancel, &when};
        assert_int_equal(np_route(network, "random", &options, &result), NP_ERROR_CANCELLED);
        assert_string_equal(np_last_error(), paths ? "cancelled while the paths were found" : "cancelled at step 1");
        assert_null(result);
    }
    np_network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(routes_are_shortest),
        cmocka_unit_test(each_path_is_as_likely_as_it_should_be),
        cmocka_unit_test(ecmp_draws_once_for_each_pair),
        cmocka_unit_test(both_searches_and_any_threads_agree),
        cmocka_unit_test(few_packets_to_one_place),
        cmocka_unit_test(parallel_links_share_the_load),
        cmocka_unit_test(a_fat_tree_is_used_in_its_breadth),
        cmocka_unit_test(so_many_paths_that_they_are_rounded),
        cmocka_unit_test(many_counts_are_rounded_alike),
        cmocka_unit_test(many_ports),
        cmocka_unit_test(long_routes_of_other_phases_stay),
        cmocka_unit_test(lowest_port_is_the_lowest),
        cmocka_unit_test(no_way_is_refused_for_the_first_packet_without_one),
        cmocka_unit_test(memory_is_refused_before_it_is_taken),
        cmocka_unit_test(long_routes_keep_to_the_limit),
        cmocka_unit_test(long_routes_take_what_is_promised),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(progress_cancels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
