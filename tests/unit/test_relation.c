/* Routes hop by hop: every packet arrives over links of the network, on shortest paths where the rule promises them. */
#include "support.h"

#include <unistd.h>

#include "model/relation/cables.h"
#include "model/relation/rule.h"

static const struct {
    const char *rule, *spec;
    unsigned classes;
    bool adaptive, shortest;
} cases[] = {
    {"dimension-order", "mesh:4x3x5", 1, false, true},
    {"dimension-order", "hypercube:5", 1, false, true},
    {"dimension-order", "array:9", 1, false, true},
    {"dimension-order", "torus:4x5", 2, false, true},
    {"dimension-order", "ring:9", 2, false, true},
    {"dimension-order:drawn", "torus:4x2x6", 2, false, true},
    {"greedy", "hypercube:3", 1, false, true},
    {"dimension-order", "hyperx:3x4,widths=2x1", 1, false, true},
    {"dimension-order", "flattened-butterfly:3x3", 1, false, true},
    {"shortest", "torus:4x5", 1, false, true},
    {"spray", "ccc:3", 1, false, true},
    {"ecmp", "jellyfish:16,4@2", 1, false, true},
    {"lowest-port", "dragonfly:a=4,p=2,h=2", 1, false, true},
    {"shortest", "shuffle:2x4", 1, false, true},
    {"spray", "butterfly-io:3", 1, false, true},
    {"minimal", "dragonfly:a=4,p=2,h=2", 2, false, false},
    {"minimal", "dragonfly:a=4,p=1,h=2,g=3", 2, false, false},
    {"up-down", "tree:3x2", 1, false, true},
    {"up-down", "fat-tree:2", 1, false, true},
    {"up-down", "fat-tree-2:3", 1, false, true},
    {"up-down", "fat-tree:k=4", 1, false, true},
    {"up-down:adaptive", "kary-tree:3x3", 1, true, true},
    {"greedy", "clos:m=3,n=2,r=4", 1, false, true},
    {"up*down*", "jellyfish:20,3", 1, false, false},
    {"up*down*:adaptive", "torus:4x4@2", 1, true, false},
    {"up*down*", "kary-tree:3x3", 1, false, true},
    {"adaptive", "mesh:4x3x2", 2, true, true},
    {"adaptive", "torus:4x5", 3, true, true},
    {"adaptive", "hypercube:4@1", 2, true, true},
    {"adaptive", "jellyfish:20,3", 2, true, false},
    {"adaptive:no-escape", "torus:4x4", 1, true, true},
    {"adaptive:no-escape", "slimfly:3", 1, true, true},
    {"valiant", "mesh:3x4", 2, false, false},
    {"valiant", "torus:4x4@2", 4, false, false},
    {"valiant:dimension-order:drawn", "ring:6", 4, false, false},
    {"valiant", "kary-tree:2x3", 2, false, false},
    {"valiant:shortest", "jellyfish:20,3", 2, false, false},
    {"valiant", "dragonfly:a=4,p=2,h=2", 4, false, false},
    {"valiant:groups", "dragonfly:a=4,p=2,h=2", 3, false, false},
    {"valiant:groups:minimal", "dragonfly:a=4,p=1,h=2,g=3", 3, false, false},
    {"ugal-l", "dragonfly:a=4,p=2,h=2", 3, false, false},
    {"ugal-l:3", "hypercube:4", 2, false, true},
    {"ugal-l-vc", "dragonfly:a=4,p=2,h=2", 3, false, false},
    {"ugal-l-vch:3", "hypercube:4", 2, false, true},
};
enum { CASES = sizeof cases / sizeof *cases };

static np_relation *make(const char *rule, const np_network *network)
{
    np_relation *r;
    assert_ok(np_relation_create(rule, network, &r));
    return r;
}

/* The hops of one packet. Of several candidates the lot picks one. */
static uint32_t walk(const np_relation *r, const np_network *network, np_node from, np_node to, uint64_t number,
                     uint64_t *lot)
{
    const np_draws draws = {.seed = 7};
    np_candidate way[NP_CANDIDATES];
    uint64_t state = np_relation_start(r, &draws, number, from, to, NULL);
    np_node at = from;
    uint32_t hops = 0;
    for (unsigned count; (count = np_relation_candidates(r, at, to, state, way)); hops++) {
        assert_true(count <= NP_CANDIDATES && hops < 1000);
        assert_true(count == 1 || np_relation_adaptive(r));
        unsigned pick = support_lot(lot, count);
        np_link link = np_network_link_at(network, at, way[pick].port);
        assert_int_not_equal(link, NP_NONE);
        at = np_network_link_head(network, link);
        assert_true(way[pick].class_ < np_relation_classes(r));
        state = way[pick].state;
    }
    assert_int_equal(at, to);
    return hops;
}

/* distance[v]: hops from u over routers, by sweeps over all links. */
static void search(const np_network *network, np_node u, uint32_t *distance)
{
    np_node nodes = np_network_nodes(network);
    for (np_node v = 0; v < nodes; v++)
        distance[v] = v == u ? 0 : NP_NONE;
    for (bool changed = true; changed;) {
        changed = false;
        for (np_link link = 0; link < np_network_link_numbers(network); link++) {
            np_node head = np_network_link_head(network, link), tail = np_network_link_tail(network, link);
            if (head == NP_NONE || distance[tail] == NP_NONE ||
                (np_network_has_hosts(network) && np_network_is_host(network, head)) ||
                distance[head] <= distance[tail] + 1)
                continue;
            distance[head] = distance[tail] + 1;
            changed = true;
        }
    }
}

static void check_pairs(const np_relation *r, const np_network *network, bool shortest)
{
    uint32_t *distance = calloc(np_network_nodes(network), sizeof *distance);
    np_node ends = np_network_terminals(network);
    uint64_t lot = 3;
    for (np_node i = 0; i < ends; i++) {
        np_node from = np_relation_router(network, np_network_input(network, i));
        search(network, from, distance);
        for (np_node j = 0; j < ends; j++)
            for (uint64_t number = 0; number < 3; number++) {
                np_node to = np_relation_router(network, np_network_output(network, j));
                uint32_t hops = walk(r, network, from, to, number, &lot);
                if (shortest)
                    assert_int_equal(hops, distance[to]);
            }
    }
    free(distance);
}

static void packets_arrive(void **state)
{
    (void)state;
    for (size_t i = 0; i < CASES; i++) {
        np_network *network = support_network(cases[i].spec);
        np_relation *r = make(cases[i].rule, network);
        assert_int_equal(np_relation_classes(r), cases[i].classes);
        assert_int_equal(np_relation_adaptive(r), cases[i].adaptive);
        check_pairs(r, network, cases[i].shortest);
        np_relation_free(r);
        np_network_free(network);
    }
}

/* Half-way round a ring of 8, half of the packets go up if the way is drawn, else all. */
static void ties_are_drawn(void **state)
{
    static const char *const rules[] = {"dimension-order", "dimension-order:drawn"};
    const np_draws draws = {.seed = 1};
    np_network *network = support_network("ring:8");
    (void)state;
    for (int drawn = 0; drawn < 2; drawn++) {
        np_relation *r = make(rules[drawn], network);
        unsigned up = 0;
        for (uint64_t number = 0; number < 1000; number++) {
            np_candidate way[NP_CANDIDATES];
            uint64_t start = np_relation_start(r, &draws, number, 1, 5, NULL);
            assert_int_equal(np_relation_candidates(r, 1, 5, start, way), 1);
            up += way[0].port == 1;
        }
        assert_in_range(up, drawn ? 420 : 1000, drawn ? 580 : 1000);
        np_relation_free(r);
    }
    np_network_free(network);
}

/* The packets of many from 0 to 8 of a 3x3 mesh that take each of its 6 paths, by their second and third node. */
static void count_paths(const char *rule, unsigned packets, unsigned count[9][9])
{
    const np_draws draws = {.seed = 5};
    np_network *network = support_network("mesh:3x3");
    np_relation *r = make(rule, network);
    memset(count, 0, 81 * sizeof(unsigned));
    for (uint64_t number = 0; number < packets; number++) {
        uint64_t state = np_relation_start(r, &draws, number, 0, 8, NULL);
        np_node at = 0, seen[5] = {0};
        np_candidate way[NP_CANDIDATES];
        for (int hop = 1; np_relation_candidates(r, at, 8, state, way); hop++) {
            at = seen[hop] = np_network_link_head(network, np_network_link_at(network, at, way->port));
            state = way->state;
        }
        count[seen[2]][seen[3]]++;
    }
    np_relation_free(r);
    np_network_free(network);
}

/* Corner to corner of a 3x3 mesh: by node 4 go four paths of six, in spray half of the packets. ecmp takes one path. */
static void paths_have_their_shares(void **state)
{
    unsigned count[9][9];
    (void)state;
    count_paths("shortest", 6000, count);
    assert_in_range(count[4][5] + count[4][7], 3870, 4130); /* 4000, 3.6 standard deviations */
    assert_in_range(count[2][5], 900, 1100);
    count_paths("spray", 6000, count);
    assert_in_range(count[4][5] + count[4][7], 2860, 3140);
    assert_in_range(count[2][5], 1380, 1620);
    count_paths("ecmp", 6000, count);
    assert_true(count[4][5] + count[4][7] == 6000 || count[2][5] == 6000 || count[6][7] == 6000);
}

static uint32_t wait_at_port(const void *context, np_node at, np_port port, unsigned class_)
{
    assert_int_equal(class_, NP_ALL_CLASSES);
    return at == 0 && port == *(const np_port *)context ? 10 : 1;
}

/*
 * From 0 to 1 of the 3-cube the minimal route is one hop by port 2, where 10 flits wait. Six targets of eight have
 * another port, where one waits: four of them with 3 hops in all, two with 5. So T = 5 leaves those with 3, T = 7 none.
 */
static void ugal_compares_queues(void **state)
{
    static const char *const rules[] = {"ugal-l", "ugal-l:7", "ugal-l:5"};
    static const unsigned low[] = {700, 0, 440}, high[] = {800, 0, 560};
    const np_draws draws = {.seed = 5};
    np_port busy = 2;
    const np_pressure pressure = {wait_at_port, &busy};
    np_network *network = support_network("hypercube:3");
    (void)state;
    for (int i = 0; i < 3; i++) {
        np_relation *r = make(rules[i], network);
        unsigned detours = 0;
        for (uint64_t number = 0; number < 1000; number++) {
            np_candidate way[NP_CANDIDATES];
            uint64_t start = np_relation_start(r, &draws, number, 0, 1, &pressure);
            assert_int_equal(np_relation_candidates(r, 0, 1, start, way), 1);
            detours += way->port != busy;
        }
        assert_in_range(detours, low[i], high[i]);
        np_relation_free(r);
    }
    np_network_free(network);
}

/* Of a port with so many flits in class 0 and in class 1; at others one waits. */
static uint32_t wait_in_classes(const void *context, np_node at, np_port port, unsigned class_)
{
    const uint32_t *flits = context;
    if (at != 0 || port != 2)
        return 1;
    return class_ == NP_ALL_CLASSES ? flits[0] + flits[1] : flits[class_];
}

/*
 * As above, where the minimal route is of class 1 and others begin in class 0. Of the eight targets, 0 is no detour; 1
 * has the minimal route's link and hop, four have 3 hops, two have 5.
 */
static void ugal_tells_classes_apart(void **state)
{
    static const struct {
        const char *rule;
        uint32_t flits[2];
        unsigned detours; /* targets of eight */
    } of[] = {{"ugal-l", {2, 10}, 6},     {"ugal-l-vc", {2, 10}, 7},    {"ugal-l-vch", {2, 10}, 7},
              {"ugal-l", {8, 4}, 6},      {"ugal-l-vc", {8, 4}, 4},     {"ugal-l-vch", {8, 4}, 6},
              {"ugal-l-vc:1", {8, 4}, 0}, {"ugal-l-vch:8", {2, 10}, 4}, {"ugal-l-vc", {5, 0}, 0}};
    const np_draws draws = {.seed = 5};
    np_network *network = support_network("hypercube:3");
    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        const np_pressure pressure = {wait_in_classes, of[i].flits};
        np_relation *r = make(of[i].rule, network);
        unsigned detours = 0;
        for (uint64_t number = 0; number < 2000; number++) {
            np_candidate way[NP_CANDIDATES];
            uint64_t start = np_relation_start(r, &draws, number, 0, 1, &pressure);
            assert_int_equal(np_relation_candidates(r, 0, 1, start, way), 1);
            detours += way->class_ == 0;
        }
        if (detours + 100 < 250 * of[i].detours || detours > 250 * of[i].detours + 100)
            fail_msg("%s, %u and %u flits: %u detours of 2000", of[i].rule, of[i].flits[0], of[i].flits[1], detours);
        np_relation_free(r);
    }
    np_network_free(network);
}

/* take() is a short cut: it draws what a draw from the list of ways would. */
static void short_cuts_draw_the_same(void **state)
{
    static const char *const short_cuts[][2] = {{"spray", "hypercube:4"},      {"ecmp", "jellyfish:40,9"},
                                                {"spray", "jellyfish:60,20"},  {"spray", "jellyfish:50,40"},
                                                {"spray", "complete:80"},      {"up-down", "kary-tree:4x3"},
                                                {"valiant:spray", "torus:4x5"}};
    const np_draws draws = {.seed = 9};
    (void)state;
    for (size_t i = 0; i < sizeof short_cuts / sizeof *short_cuts; i++) {
        np_network *network = support_network(short_cuts[i][1]);
        np_relation *fast = make(short_cuts[i][0], network), *slow = make(short_cuts[i][0], network);
        np_node ends = np_network_terminals(network);
        *(slow->inner ? &slow->inner->slow : &slow->slow) = true;
        for (uint32_t k = 0; k < 3000; k++) {
            np_node from = np_relation_router(network, np_network_input(network, k * 7 % ends));
            np_node to = np_relation_router(network, np_network_input(network, k * 11 % ends));
            uint64_t start = np_relation_start(fast, &draws, k, from, to, NULL);
            np_candidate a[NP_CANDIDATES], b[NP_CANDIDATES];
            unsigned count = np_relation_candidates(fast, from, to, start, a);
            assert_int_equal(count, np_relation_candidates(slow, from, to, start, b));
            assert_true(!count || (a->port == b->port && a->class_ == b->class_ && a->state == b->state));
        }
        np_relation_free(fast), np_relation_free(slow);
        np_network_free(network);
    }
}

/* With hosts on every router, the routers' routes are the same. */
static void hosts_change_nothing(void **state)
{
    np_network *bare = support_network("torus:4x4"), *hosted = support_network("torus:4x4@2");
    np_relation *r = make("dimension-order", bare), *h = make("dimension-order", hosted);
    (void)state;
    for (np_node u = 0; u < 16; u++)
        for (np_node v = 0; v < 16; v++) {
            np_candidate a[NP_CANDIDATES], b[NP_CANDIDATES];
            assert_int_equal(np_relation_candidates(r, u, v, 0, a), np_relation_candidates(h, u, v, 0, b));
            assert_true(u == v || (a[0].port == b[0].port && a[0].state == b[0].state));
        }
    assert_int_equal(np_relation_router(hosted, 16 + 2 * 5 + 1), 5);
    assert_int_equal(np_relation_router(bare, 5), 5);
    np_relation_free(r), np_relation_free(h);
    np_network_free(bare), np_network_free(hosted);
}

/* A host whose second cable alone is up has one cable: its packets are those of the router that it leads to. */
static void cables_may_be_down(void **state)
{
    char *links = support_file("a b\nb c\nc a\na h1\nc h2\na h3\nb h3\n"), *down = support_file("a h3\n"), spec[300];
    (void)state;
    snprintf(spec, sizeof spec, "file:%s:undirected:hosts=h1,h2,h3:fail=file:%s", links, down);
    np_network *network = support_network(spec);
    np_relation *r = make("up*down*", network);
    np_node h3 = np_network_find_node(network, "h3");
    assert_int_equal(np_relation_router(network, h3), np_network_find_node(network, "b"));
    np_relation_free(r);
    np_network_free(network);
    remove(links), remove(down);
    free(links), free(down);
}

/* Counts which pairs of cables packets 0 .. 999 of two hosts take: taken[entry][exit], counted from the hosts' first.
 */
static void count_pairs(const np_relation *r, np_node source, np_node destination, uint32_t taken[3][3])
{
    const np_cables *c = np_relation_cables(r);
    const np_draws draws = {.seed = 9};
    memset(taken, 0, 9 * sizeof taken[0][0]);
    for (uint64_t number = 0; number < 1000; number++) {
        np_cable_pair pair = np_cables_draw(r, &draws, source, number, destination);
        taken[pair.entry - c->first_entry[source]][pair.exit - c->first_exit[destination]]++;
    }
}

/* Host h has cables to a, b and c of the line a - b - c - d, host i to b and d, k to d twice. */
static void nearest_cables_are_drawn(void **state)
{
    char *links = support_file("a b\nb c\nc d\nh a\nh b\nh c\ni b\ni d\nk d\nk d\n"), spec[300];
    uint32_t taken[3][3];
    (void)state;
    snprintf(spec, sizeof spec, "file:%s:undirected:hosts=h,i,k", links);
    np_network *network = support_network(spec);
    np_relation *r = make("spray", network);
    count_pairs(r, 0, 1, taken); /* by b alone */
    assert_int_equal(taken[1][0], 1000);
    count_pairs(r, 0, 2, taken); /* by c, and then either */
    assert_true(taken[2][0] > 430 && taken[2][1] > 430 && taken[2][0] + taken[2][1] == 1000);
    count_pairs(r, 2, 2, taken); /* to itself by the router of either */
    assert_true(taken[0][0] > 180 && taken[0][1] > 180 && taken[1][0] > 180 && taken[1][1] > 180);
    np_relation_free(r);
    r = make("ecmp", network);
    count_pairs(r, 0, 2, taken);
    assert_true(taken[2][0] == 1000 || taken[2][1] == 1000);
    np_relation_free(r);
    r = make("lowest-port", network);
    count_pairs(r, 0, 2, taken);
    assert_int_equal(taken[2][0], 1000);
    np_relation_free(r);
    np_network_free(network);
    remove(links);
    free(links);
}

/* Of two planes a - b and c - d, h is in both, i and j in the first one, k in the second one alone. */
static void planes_without_a_common_one_are_refused(void **state)
{
    char *links = support_file("a b\nc d\nh a\nh c\ni b\nj b\nk d\n"), spec[300];
    np_relation *r;
    (void)state;
    snprintf(spec, sizeof spec, "file:%s:undirected:hosts=h,i,j,k", links);
    np_network *network = support_network(spec);
    assert_refused(np_relation_create("spray", network, &r), NP_ERROR_APPLY, "no way leads from i to k");
    np_network_free(network);
    remove(links);
    free(links);
}

/* Both cables of a packet are of one plane, and planes are alike. */
static void packets_stay_in_planes(void **state)
{
    static const char *const rules[] = {"spray", "adaptive", "up*down*"};
    np_network *network = support_network("planes:3,ring:5@2");
    uint32_t taken[3][3];
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        np_relation *r = make(rules[i], network);
        count_pairs(r, 1, 6, taken);
        assert_true(taken[0][0] > 280 && taken[1][1] > 280 && taken[2][2] > 280);
        assert_int_equal(taken[0][0] + taken[1][1] + taken[2][2], 1000);
        np_relation_free(r);
    }
    np_network_free(network);
}

/* Counts at which node packets 0 .. 999 from a router turn. */
static void count_turns(const np_relation *r, np_node from, np_node to, uint32_t *turns)
{
    const np_draws draws = {.seed = 9};
    for (uint64_t number = 0; number < 1000; number++)
        turns[np_relation_start(r, &draws, number, from, to, NULL) >> 32]++;
}

/*
 * Packets turn at a router of a random host, in the plane of their cable. Of planes a - b - c and d - e, hosts h, i and
 * j are in both, h twice at a, and k is in the first one alone; nobody is at b.
 */
static void packets_turn_in_their_plane(void **state)
{
    static const char *const rules[] = {"valiant", "valiant:up*down*", "ugal-l-vc"};
    char *links = support_file("a b\nb c\nd e\nh a\nh a\nh d\ni c\ni e\nj c\nj d\nk c\n"), spec[300];
    (void)state;
    snprintf(spec, sizeof spec, "file:%s:undirected:hosts=h,i,j,k", links);
    np_network *network = support_network(spec);
    np_node a = np_network_find_node(network, "a"), c = np_network_find_node(network, "c"),
            d = np_network_find_node(network, "d"), e = np_network_find_node(network, "e");
    uint64_t lot = 3;
    for (size_t i = 0; i < 3; i++) {
        uint32_t turns[9] = {0}, others[9] = {0};
        np_relation *r = make(rules[i], network);
        count_turns(r, a, c, turns); /* two cables at a, three at c */
        assert_true(turns[a] > 350 && turns[c] > 550 && turns[a] + turns[c] == 1000);
        count_turns(r, e, d, others); /* two at d, one at e */
        assert_true(others[d] > 610 && others[e] > 280 && others[d] + others[e] == 1000);
        for (uint64_t number = 0; number < 20; number++)
            assert_true(walk(r, network, a, c, number, &lot) == 2);
        np_relation_free(r);
    }
    np_network_free(network);
    remove(links);
    free(links);
}

/* The cables of a packet are those of the rule for both phases. */
static void cables_are_those_of_each_phase(void **state)
{
    np_network *network = support_network("planes:3,ring:5@2");
    np_relation *two = make("valiant:up*down*", network), *one = make("up*down*", network);
    const np_draws draws = {.seed = 9};
    (void)state;
    for (uint64_t number = 0; number < 100; number++) {
        np_cable_pair here = np_cables_draw(two, &draws, 1, number, 6),
                      there = np_cables_draw(one, &draws, 1, number, 6);
        assert_true(here.entry == there.entry && here.exit == there.exit);
    }
    np_relation_free(one);
    np_relation_free(two);
    np_network_free(network);
}

/* a leads to b and not back: a packet from a could turn at b, and not go on. */
static void one_way_between_planes_is_refused(void **state)
{
    char *links = support_file("a b\nh a\nh b\na h\nb h\ni a\ni b\na i\nb i\n"), spec[300];
    np_relation *r;
    (void)state;
    snprintf(spec, sizeof spec, "file:%s:directed:hosts=h,i", links);
    np_network *network = support_network(spec);
    np_relation_free(make("spray", network));
    assert_refused(np_relation_create("valiant", network, &r), NP_ERROR_APPLY,
                   "what a reaches is not what reaches it, b for one");
    np_network_free(network);
    remove(links);
    free(links);
}

/* From a to b by t, u or by x, y; x leads up to r only, from where nothing leads down to b. */
static void escapes_are_everywhere(void **state)
{
    char *links = support_file("t u\nr a\nb r\nx r\nu r\ny b\nx y\nu b\na t\na x\nha a\na ha\nhb b\nb hb\n"), spec[200];
    (void)state;
    snprintf(spec, sizeof spec, "file:%s:directed:hosts=ha,hb", links);
    np_network *network = support_network(spec);
    np_relation *r = make("up*down*", network);
    np_relation_free(r);
    assert_refused(np_relation_create("adaptive", network, &r), NP_ERROR_APPLY,
                   "minimal routes pass x, from where no escape up and then down leads to b");
    np_network_free(network);
    remove(links);
    free(links);
}

/* A relation of a file with this text, "file" or "forwarding". */
static np_status make_of_text(const char *rule, const char *text, const np_network *network, np_relation **out)
{
    char spec[200];
    char *path = support_file(text);
    snprintf(spec, sizeof spec, "%s:%s", rule, path);
    np_status st = np_relation_create(spec, network, out);
    unlink(path);
    free(path);
    return st;
}

/* The ends of routes from a file, and whether there are any. */
static void walk_text(const char *rule, const char *text, const char *spec, np_node from, np_node to, uint32_t least,
                      uint32_t most)
{
    np_network *network = support_network(spec);
    np_relation *r;
    uint64_t lot = 3;
    uint32_t seen[2] = {NP_NONE, 0};
    assert_ok(make_of_text(rule, text, network, &r));
    assert_true(np_relation_serves(r, from, to) && np_relation_serves(r, to, to));
    assert_false(np_relation_serves(r, to, from));
    for (uint64_t number = 0; number < 50; number++) {
        uint32_t hops = walk(r, network, from, to, number, &lot);
        seen[0] = hops < seen[0] ? hops : seen[0];
        seen[1] = hops > seen[1] ? hops : seen[1];
    }
    assert_int_equal(seen[0], least);
    assert_int_equal(seen[1], most);
    assert_int_equal(walk(r, network, to, to, 0, &lot), 0);
    np_relation_free(r);
    np_network_free(network);
}

static void files_have_routes(void **state)
{
    (void)state;
    walk_text("file", "0 1 2 3\n0 5 4 3\n1 2\n", "ring:6", 0, 3, 3, 3);
    walk_text("file", "0 1 2\n0 5 4 3 2 @ 3\n", "ring:6", 0, 2, 2, 4);
    walk_text("file", "s0.h0 0 1 2 s2.h0\ns0.h0 0 1 2 s2.h1\ns0.h1 0 1 2 s2.h0\n", "ring:4@2", 0, 2, 2, 2);
    walk_text("file", "s0.h0 0 1 2 s2.h0\ns0.h0 0 3 2 s2.h0\ns0.h0 0 1 2 s2.h1\ns0.h0 0 3 2 s2.h1\ns0.h0 0 s0.h1\n",
              "ring:4@2", 0, 2, 2, 2);
    walk_text("forwarding", "0 2 1\n1 2 2\n0 3 1\n1 3 2\n2 3 3\n", "ring:6", 0, 2, 2, 2);
    walk_text("forwarding", "0 2 1\n1 2 /1\n0 2 5\n5 2 4\n4 2 3\n3 2 2\n", "ring:6", 0, 2, 2, 4);
    walk_text("forwarding", "0 s2.h0 1\n1 s2.h0 2\n2 s2.h0 s2.h0\n0 s2.h1 1\n1 s2.h1 2\n", "ring:4@2", 0, 2, 2, 2);
}

static const struct {
    const char *rule, *spec, *lines, *text;
} wrong[] = {
    {"file", "ring:6", "0 1 2 1 0\n", "a path from node 0 to itself"},
    {"file", "ring:6", "0 1 0 5\n", "the path from 0 to 5 goes in circles: twice by 0"},
    {"file", "ring:4@2", "0 1 2\n", "the path from 0 to 2 is not from host to host"},
    {"file", "ring:4@2", "s0.h0 0 1 2 s2.h0\ns0.h0 0 3 2 s2.h1\n", "is not that of all their hosts"},
    {"file", "ring:4@2", "s0.h0 0 1 2 s2.h0\ns0.h0 0 3 2 s2.h0\ns0.h0 0 3 2 s2.h1\n", "is not that of all their hosts"},
    {"file", "ring:4@2", "s0.h0 0 1 2 s2.h0\ns0.h0 0 3 2 s2.h0\ns0.h0 0 1 2 s2.h1\n", "is not that of all their hosts"},
    {"forwarding", "ring:6", "0 2 2\n", ":1: no link leads from node 0 to node 2"},
    {"forwarding", "ring:6", "0 2 /2\n", ":1: node 0 has no port 2"},
    {"forwarding", "ring:6", "0 2 1\n", ":1: it leads to a node without a line for the destination: 1"},
    {"forwarding", "ring:6", "0 2 1\n1 2 0\n", "packets go in circles: they come back to 0"},
    {"forwarding", "ring:6", "0 2 1\n1 2 2\n2 2 3\n", ":3: a packet that has arrived at 2 goes on to 3"},
    {"forwarding", "ring:6", "1 2 2\n1 2 2\n", ":2: a line that is there already, to 2"},
    {"forwarding", "ring:6", "# nothing\n", "no routes: write lines 'node destination next'"},
    {"forwarding", "ring:4@2", "1 s2.h0 2\n1 s2.h1 0\n", "other hosts have other lines"},
    {"forwarding", "ring:4@2", "0 s2.h0 1\n1 s2.h1 2\n",
     ":1: it leads to a node without a line for the destination: 1"},
    {"forwarding", "ring:4@2", "0 s2.h0 1\n1 2 2\n", ":1: it leads to a node without a line for the destination: 1"},
    {"forwarding", "ring:4@2", "s0.h0 s2.h0 0\n", ":1: node s0.h0 is a host, which sends to its router"},
    {"forwarding", "ring:4@2", "0 s2.h0 s0.h0\n", ":1: the next node s0.h0 is a host, and not the destination"},
};

static void wrong_files_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        np_network *network = support_network(wrong[i].spec);
        np_relation *r;
        assert_refused(make_of_text(wrong[i].rule, wrong[i].lines, network, &r), NP_ERROR_INPUT, wrong[i].text);
        np_network_free(network);
    }
}

/* What a host lacks is said: h only sends, i only receives. */
static void hosts_need_cables_both_ways(void **state)
{
    static const char *const links[] = {"a b\nb a\nh a\n", "a b\nb a\na h\n"},
                             *const said[] = {"host h of ", "has a cable to a router and none back: it cannot receive",
                                              "host h of ",
                                              "has a cable from a router and none to one: it cannot send"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        char *path = support_file(links[i]), spec[300];
        np_relation *r;
        snprintf(spec, sizeof spec, "file:%s:directed:hosts=h", path);
        np_network *network = support_network(spec);
        assert_refused(np_relation_create("shortest", network, &r), NP_ERROR_APPLY, said[2 * i]);
        assert_non_null(strstr(np_last_error(), said[2 * i + 1]));
        np_network_free(network);
        remove(path);
        free(path);
    }
}

static const struct {
    const char *rule, *spec;
    np_status status;
    const char *text;
} refused[] = {
    {"file", "ring:6", NP_ERROR_INPUT, "lack a path: write file:PATH"},
    {"forwarding", "ring:6", NP_ERROR_INPUT, "lack a path: write forwarding:PATH"},
    {"dimension-order", "tree:3", NP_ERROR_APPLY, "its dimensions are those of a mesh, torus or hypercube"},
    {"dimension-order:drawn", "mesh:4x4", NP_ERROR_APPLY, "no two ways of its dimensions are equally long"},
    {"dimension-order:odd", "torus:4x4", NP_ERROR_INPUT, "write dimension-order[:drawn]"},
    {"valiant:adaptive", "torus:4x4", NP_ERROR_INPUT, "both phases need a rule of one phase, without escape channels"},
    {"valiant:groups", "torus:4x4", NP_ERROR_APPLY, "groups are those of a dragonfly"},
    {"valiant", "omega:3", NP_ERROR_APPLY, "no link leads back (they apply to any but one-way)"},
    {"ugal-l:x", "torus:4x4", NP_ERROR_INPUT, "write ugal-l[:T], as in ugal-l:3"},
    {"spray:2", "torus:4x4", NP_ERROR_INPUT, "write spray alone"},
    {"up*down*", "shuffle-exchange:3", NP_ERROR_APPLY, "no way up and then down leads from 2 to 0"},
    {"adaptive", "butterfly-io:3", NP_ERROR_APPLY, "no link leads back"},
    {"up-down", "torus:4x4", NP_ERROR_APPLY, "it is no tree"},
    {"minimal", "torus:4x4", NP_ERROR_APPLY, "it has no groups of routers"},
    {"forwarding:none", "planes:2,ring:4@2", NP_ERROR_APPLY, "by the router of a host, and host s0.h0 has several"},
    {"valiant", "kary-fly:2x3", NP_ERROR_APPLY, "packets turn where hosts are, and router 0 only takes in packets"},
    {"valiant:groups", "planes:2,torus:4x4@2", NP_ERROR_APPLY, "groups are those of a dragonfly"},
    {"forwarding:none", "kary-fly:2x3", NP_ERROR_APPLY, "has one to send and another one to receive"},
    {"adaptive", "kary-fly:2x3", NP_ERROR_APPLY,
     "paths 'adaptive' go by 'up*down*', too: paths 'up*down*' do not apply to kary-fly:2x3: no way up and then down"},
    {"valiant:dimension-order", "ring:8:fail=0.1", NP_ERROR_APPLY, "paths 'valiant' go by 'dimension-order', too: "},
    {"shortest", "kary-tree:2x3:fail=0.1", NP_ERROR_APPLY, "host s1.h0 of kary-tree:2x3:fail=0.1 has no cable"},
    {"up*down*", "ring:4@1:fail-switches=0.3", NP_ERROR_APPLY, "has no cable: it cannot send or receive"},
    {"dimension-ordre", "torus:4x4", NP_ERROR_INPUT, "did you mean 'dimension-order'?"},
};

static void wrong_rules_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        np_network *network = support_network(refused[i].spec);
        np_relation *r;
        assert_refused(np_relation_create(refused[i].rule, network, &r), refused[i].status, refused[i].text);
        np_network_free(network);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hosts_need_cables_both_ways),
        cmocka_unit_test(packets_arrive),
        cmocka_unit_test(ties_are_drawn),
        cmocka_unit_test(paths_have_their_shares),
        cmocka_unit_test(ugal_compares_queues),
        cmocka_unit_test(ugal_tells_classes_apart),
        cmocka_unit_test(hosts_change_nothing),
        cmocka_unit_test(short_cuts_draw_the_same),
        cmocka_unit_test(nearest_cables_are_drawn),
        cmocka_unit_test(packets_turn_in_their_plane),
        cmocka_unit_test(cables_are_those_of_each_phase),
        cmocka_unit_test(one_way_between_planes_is_refused),
        cmocka_unit_test(packets_stay_in_planes),
        cmocka_unit_test(planes_without_a_common_one_are_refused),
        cmocka_unit_test(cables_may_be_down),
        cmocka_unit_test(escapes_are_everywhere),
        cmocka_unit_test(files_have_routes),
        cmocka_unit_test(wrong_files_are_refused),
        cmocka_unit_test(wrong_rules_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
