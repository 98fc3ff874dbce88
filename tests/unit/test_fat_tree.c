/* The leveled routing of fat-trees, and their load factor. */
#include "support.h"

#include "base/memory.h"
#include "model/leveled/fat_tree.h"
#include "oracle/path_set_judge.h"

typedef struct example {
    const char *spec;
    uint32_t height, children, ups;
} example;

static const example examples[] = {
    {"fat-tree:1", 1, 4, 2},   {"fat-tree:2", 2, 4, 2},   {"fat-tree:3", 3, 4, 2},
    {"fat-tree-8:1", 1, 8, 4}, {"fat-tree-8:2", 2, 8, 4},
};

enum { EXAMPLES = sizeof examples / sizeof *examples };

static uint32_t power(uint32_t base, uint32_t exponent)
{
    uint32_t result = 1;
    while (exponent--)
        result *= base;
    return result;
}

/* Depth 2m. A node at level l is up-node, down-node and 2(m-l) - 1 nodes of a chain; links are used once. */
static void levels_and_chains(void **state)
{
    (void)state;
    for (size_t i = 0; i < EXAMPLES; i++) {
        const example *e = &examples[i];
        np_network *network = support_network(e->spec);
        np_leveled_routing *routing = judge_routing_of(network, "path-hash");
        const np_leveled *leveled = routing->phase[0].leveled;
        np_emulation emulation;
        assert_ok(np_leveled_emulation(leveled, &emulation));
        assert_int_equal(routing->phases, 1);
        assert_int_equal(leveled->depth, 2 * e->height);
        assert_int_equal(emulation.nodes_per_node, e->height == 1 ? 2 : 2 * e->height - 1);
        assert_int_equal(emulation.links_per_link, 1);
        uint32_t nodes = 2 * power(e->children, e->height), chained = 0;
        for (uint32_t l = 1; l <= e->height; l++) {
            uint32_t level_nodes = power(e->children, e->height - l) * power(e->ups, l);
            nodes += level_nodes * (2 * (e->height - l) + 1);
            chained += level_nodes * 2 * (e->height - l);
        }
        assert_int_equal(leveled->nodes, nodes);
        assert_int_equal(leveled->edges, np_network_links(network) + chained);
        assert_int_equal(leveled->links, np_network_links(network));
        np_leveled_routing_free(routing);
        np_network_free(network);
    }
}

static void paths_are_sound(void **state)
{
    static const char *const patterns[] = {"random", "hotspot:3", "random-function:2", "complement", "rotation:1"};
    (void)state;
    for (size_t i = 0; i < EXAMPLES; i++) {
        np_network *network = support_network(examples[i].spec);
        np_leveled_routing *routing = judge_routing_of(network, "path-hash");
        for (size_t j = 0; j < sizeof patterns / sizeof *patterns; j++) {
            np_traffic *traffic;
            assert_ok(np_traffic_create(patterns[j], network, 7, 0, &traffic));
            /* Packets of one destination keep together whether they are to combine or not. */
            judged_path_set judged = judge_leveled_routing(routing, traffic, j, true);
            judged_path_set apart = judge_leveled_routing(routing, traffic, j, false);
            assert_memory_equal(&judged, &apart, sizeof judged);
            assert_int_equal(judged.shortest, 2 * examples[i].height);
            assert_int_equal(judged.longest, 2 * examples[i].height);
            np_traffic_free(traffic);
        }
        np_leveled_routing_free(routing);
        np_network_free(network);
    }
}

/* No higher than the packet must: rotation within the children of one vertex never goes above level 1, one to a link.
 */
static void turns_as_low_as_it_can(void **state)
{
    (void)state;
    np_network *network = support_network("fat-tree:3");
    np_leveled_routing *routing = judge_routing_of(network, "path-hash");
    np_node source[64], to[64];
    for (np_node u = 0; u < 64; u++) {
        source[u] = u;
        to[u] = (u & ~3u) | ((u + 1) & 3);
    }
    np_traffic *traffic;
    np_path_set path_set = {0};
    assert_ok(np_traffic_from_arrays(network, 64, source, to, NULL, &traffic));
    np_selection selection = {.traffic = traffic};
    assert_ok(routing->ops->select(routing, &selection, &path_set));
    const np_leveled *leveled = routing->phase[0].leveled;
    for (np_packet i = 0; i < path_set.packets; i++) {
        uint32_t v = path_set.origin[i];
        for (size_t k = path_set.begin[i]; k < path_set.begin[i + 1]; k++) {
            v = leveled->head[leveled->out[v] + path_set.port[k]];
            assert_true(leveled->host[v] < 64 + 32); /* leaves and level 1 */
        }
    }
    uint32_t *count = malloc((leveled->edges + path_set.packets) * sizeof *count), congestion;
    assert_ok(np_path_set_follow(&path_set, leveled, count, count + leveled->edges, &congestion));
    for (uint32_t e = 0; e < leveled->edges; e++) /* but four may meet at a node, and on its chain */
        assert_true(count[e] <= (leveled->walk[e] < leveled->walk[e + 1] ? 1 : 4));
    free(count);
    np_path_set_clear(&path_set);
    np_traffic_free(traffic);
    np_leveled_routing_free(routing);
    np_network_free(network);
}

/* Over seeds, packets 0 -> 63 of fat-tree:3 pass through all 8 root nodes evenly (chi-square). */
static void root_nodes_are_even(void **state)
{
    static const np_node source = 0, to = 63;
    enum { SEEDS = 800 };
    (void)state;
    np_network *network = support_network("fat-tree:3");
    np_leveled_routing *routing = judge_routing_of(network, "path-hash");
    const np_leveled *leveled = routing->phase[0].leveled;
    uint32_t times[8] = {0};
    np_traffic *traffic;
    np_path_set path_set = {0};
    assert_ok(np_traffic_from_arrays(network, 1, &source, &to, NULL, &traffic));
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        np_selection selection = {.draws = {.seed = seed}, .traffic = traffic};
        assert_ok(routing->ops->select(routing, &selection, &path_set));
        uint32_t v = path_set.origin[0];
        for (int k = 0; k < 3; k++)
            v = leveled->head[leveled->out[v] + path_set.port[k]];
        assert_true(leveled->host[v] >= np_network_nodes(network) - 8);
        times[leveled->host[v] - (np_network_nodes(network) - 8)]++;
    }
    double square = 0;
    for (int k = 0; k < 8; k++)
        square += (times[k] - 100.0) * (times[k] - 100.0) / 100.0;
    assert_true(square < 24.4); /* 7 degrees of freedom: above with probability 0.001 */
    assert_true(square > 0.4);  /* the seeds differ: below with probability 0.0004 */
    np_path_set_clear(&path_set);
    np_traffic_free(traffic);
    np_leveled_routing_free(routing);
    np_network_free(network);
}

static void routes_to_the_end(void **state)
{
    (void)state;
    for (size_t i = 0; i < EXAMPLES; i++)
        judge_routes(examples[i].spec, "path-hash");
}

static void leaves_only(void **state)
{
    static const np_node source = 0, to = 4; /* of level 1 */
    (void)state;
    np_network *network = support_network("fat-tree:1"), *all = support_network("complete:6");
    np_leveled_routing *routing = judge_routing_of(network, "path-hash");
    np_traffic *traffic;
    np_path_set path_set = {0};
    np_fat_tree_load load;
    assert_ok(np_traffic_from_arrays(all, 1, &source, &to, NULL, &traffic));
    np_selection selection = {.traffic = traffic};
    assert_refused(routing->ops->select(routing, &selection, &path_set), NP_ERROR_INPUT, "nodes 0..3");
    assert_refused(np_fat_tree_load_factor(network, traffic, &load), NP_ERROR_INPUT, "nodes 0..3");
    assert_refused(np_fat_tree_load_factor(all, traffic, &load), NP_ERROR_APPLY, "complete:6");
    np_path_set_clear(&path_set);
    np_traffic_free(traffic);
    np_leveled_routing_free(routing);
    np_network_free(network);
    np_network_free(all);
}

static void refuses_what_cannot_be_numbered(void **state)
{
    (void)state;
    np_network *network = support_network("fat-tree:14");
    np_leveled_routing *routing;
    assert_refused(np_leveled_routing_create(network, &routing), NP_ERROR_LIMIT, "chains");
    np_network_free(network);
}

/* ---- the load factor, by cutting the channels one after the other ---- */

/* Is there a way from one node to another without the links that head[] has NP_NONE for? */
static bool reachable(const np_network *network, const np_node *head, np_node from, np_node to)
{
    np_node nodes = np_network_nodes(network), *found = malloc(nodes * sizeof *found), count = 1;
    uint8_t *known = calloc(nodes, 1);
    found[0] = from;
    known[from] = 1;
    np_port ports = np_network_ports(network);
    for (np_node i = 0; i < count && !known[to]; i++)
        for (np_link link = found[i] * ports; link < (found[i] + 1) * ports; link++) {
            if (head[link] == NP_NONE || known[head[link]])
                continue;
            known[head[link]] = 1;
            found[count++] = head[link];
        }
    bool is = known[to];
    free(found);
    free(known);
    return is;
}

/* Different destinations of the packets that have no way over the links that are left. */
static uint32_t load_of_cut(const np_network *network, const np_traffic *traffic, const np_node *head)
{
    const np_node *source = np_traffic_sources(traffic), *to = np_traffic_destinations(traffic);
    uint8_t *counted = calloc(np_network_nodes(network), 1);
    uint32_t load = 0;
    for (np_packet i = 0; i < np_traffic_packets(traffic); i++)
        if (!counted[to[i]] && !reachable(network, head, source[i], to[i])) {
            counted[to[i]] = 1;
            load++;
        }
    free(counted);
    return load;
}

/*
 * Takes one channel out of head[], the links between the nodes low .. high-1 of a vertex and those of its parent, from
 * `above` on; returns how many.
 */
static uint32_t cut_channel(const np_network *network, bool up, np_node low, np_node high, np_node above, np_node *head)
{
    uint32_t capacity = 0;
    for (np_link link = 0; link < np_network_link_numbers(network); link++) {
        np_node h = np_network_link_head(network, link), t = np_network_link_tail(network, link);
        np_node lower = up ? t : h, higher = up ? h : t;
        bool cut = h != NP_NONE && lower >= low && lower < high && higher >= above;
        head[link] = cut ? NP_NONE : h;
        capacity += cut;
    }
    return capacity;
}

/* The most over all channels, in the order of np_fat_tree_load. */
static np_fat_tree_load slow_load_factor(const np_network *network, const example *e, const np_traffic *traffic)
{
    np_fat_tree_load most = {0};
    np_node *head = malloc(np_network_link_numbers(network) * sizeof *head);
    for (int up = 1; up >= 0; up--) {
        np_node first = 0;
        for (uint32_t l = 0; l < e->height; l++) {
            uint32_t width = power(e->ups, l), vertices = power(e->children, e->height - l);
            np_node above = first + vertices * width;
            for (uint32_t v = 0; v < vertices; v++) {
                uint32_t capacity = cut_channel(network, up, first + v * width, first + (v + 1) * width, above, head);
                uint32_t load = load_of_cut(network, traffic, head);
                if ((uint64_t)load * most.capacity > (uint64_t)most.load * capacity || (load && !most.capacity))
                    most = (np_fat_tree_load){(double)load / capacity, load, capacity, up, l, v};
            }
            first = above;
        }
    }
    free(head);
    return most;
}

static void load_factor_by_cuts(void **state)
{
    static const char *const patterns[] = {"random",      "identity",  "hotspot:3", "random-function:3",
                                           "partial:0.2", "rotation:1"};
    (void)state;
    for (size_t i = 0; i < EXAMPLES; i++) {
        np_network *network = support_network(examples[i].spec);
        for (size_t j = 0; j < sizeof patterns / sizeof *patterns; j++) {
            np_traffic *traffic;
            np_fat_tree_load load, slow;
            assert_ok(np_traffic_create(patterns[j], network, 3, 0, &traffic));
            slow = slow_load_factor(network, &examples[i], traffic);
            assert_ok(np_fat_tree_load_factor(network, traffic, &load));
            assert_true(load.factor == slow.factor);
            assert_int_equal(load.load, slow.load);
            assert_int_equal(load.capacity, slow.capacity);
            assert_int_equal(load.up, slow.up);
            assert_int_equal(load.level, slow.level);
            assert_int_equal(load.vertex, slow.vertex);
            np_traffic_free(traffic);
        }
        np_network_free(network);
    }
}

/* fat-tree:2, all 16 leaves to the one across: 4 destinations for each of the 4 links of a channel at the root. */
static void load_factor_by_hand(void **state)
{
    (void)state;
    np_network *network = support_network("fat-tree:2");
    np_traffic *traffic;
    np_fat_tree_load load;
    assert_ok(np_traffic_create("complement", network, 0, 0, &traffic));
    assert_ok(np_fat_tree_load_factor(network, traffic, &load));
    assert_true(load.factor == 1.0);
    assert_int_equal(load.load, 4);
    assert_int_equal(load.capacity, 4);
    assert_true(load.up);
    assert_int_equal(load.level, 1);
    np_traffic_free(traffic);
    assert_ok(np_traffic_create("all-to-all", network, 0, 0, &traffic));
    assert_ok(np_fat_tree_load_factor(network, traffic, &load));
    assert_true(load.factor == 7.5); /* each leaf has 15 destinations over 2 links */
    np_traffic_free(traffic);
    np_network_free(network);
}

static void load_factor_without_memory(void **state)
{
    (void)state;
    np_network *network = support_network("fat-tree:2");
    np_traffic *traffic;
    np_fat_tree_load load;
    assert_ok(np_traffic_create("complement", network, 0, 0, &traffic));
    np_memory_fail_after(1); /* there is one block */
    np_status st = np_fat_tree_load_factor(network, traffic, &load);
    np_memory_fail_after(0);
    assert_refused(st, NP_ERROR_MEMORY, "no memory for the channels");
    assert_ok(np_fat_tree_load_factor(network, traffic, &load));
    np_traffic_free(traffic);
    np_network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_and_chains),
        cmocka_unit_test(paths_are_sound),
        cmocka_unit_test(turns_as_low_as_it_can),
        cmocka_unit_test(root_nodes_are_even),
        cmocka_unit_test(routes_to_the_end),
        cmocka_unit_test(leaves_only),
        cmocka_unit_test(refuses_what_cannot_be_numbered),
        cmocka_unit_test(load_factor_by_cuts),
        cmocka_unit_test(load_factor_by_hand),
        cmocka_unit_test(load_factor_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
