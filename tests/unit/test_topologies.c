/*
 * What the lists of test_networks.c and test_paths.c cannot say: terminals,
 * links in lists, groups that are known under other names, exact bisections
 * of large trees, and permutations that never wait.
 */
#include "support.h"

#include "model/network/network.h"
#include "oracle/graph.h"
#include "model/path/path.h"

static np_path *greedy(const np_network *network)
{
    np_path *path;
    assert_ok(np_path_create("greedy", network, &path));
    return path;
}

static void audits_pass(void **state)
{
    static const char *const specs[] = {
        "crossbar:5",
        "tree:5",
        "tree:3x4",
        "mesh-of-trees:16",
        "star:6",
        "pancake:6",
        "fat-tree-2:1",
        "fat-tree-2:6",
        "cayley:1230",
        "cayley:1230,1023",
        "cayley:10",
        "cayley:120",
        "cayley:123456789abcdefghijklmnopqrstuvwxyz0",
    };
    (void)state;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        np_network *network = support_network(specs[i]);
        assert_ok(np_network_audit(network));
        np_network_free(network);
    }
}

/* Hops from one node by plain search over the library's links. */
static void distances_from(const np_network *network, np_node from, uint32_t *distance)
{
    np_node nodes = np_network_nodes(network), *queue = malloc(nodes * sizeof *queue), first = 0, last = 0;
    memset(distance, 0xff, nodes * sizeof *distance);
    distance[from] = 0;
    queue[last++] = from;
    while (first < last) {
        np_node u = queue[first++];
        for (np_port p = 0; p < np_network_ports(network); p++) {
            np_link link = np_network_link_at(network, u, p);
            np_node v = link == NP_NONE ? NP_NONE : np_network_link_head(network, link);
            if (v != NP_NONE && distance[v] == NP_NONE) {
                distance[v] = distance[u] + 1;
                queue[last++] = v;
            }
        }
    }
    free(queue);
}

/* From every terminal to every other, by the default rule, without a detour. */
static void paths_are_shortest(void **state)
{
    static const char *const specs[] = {
        "crossbar:2",         "crossbar:6",
        "mesh-of-trees:2",    "mesh-of-trees:4",
        "mesh-of-trees:8",    "fat-tree-2:1",
        "fat-tree-2:5",       "cayley:1230,1023",
        "cayley:12340,10234", "cayley:10234567,01324567,01235467,01234576",
    };
    (void)state;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        np_network *network = support_network(specs[i]);
        np_path *path = greedy(network);
        np_node terminals = np_network_terminals(network);
        uint32_t *distance = malloc(np_network_nodes(network) * sizeof *distance);
        for (np_node s = 0; s < terminals; s++) {
            distances_from(network, np_network_input(network, s), distance);
            for (np_node t = 0; t < terminals; t++) {
                size_t hops;
                assert_ok(np_path_walk(path, s, t, 1, 0, 0, 0, 0, NULL, &hops));
                assert_int_equal(hops, distance[t]);
            }
        }
        free(distance);
        np_path_free(path);
        np_network_free(network);
    }
}

/* Rules named for a kind of network serve it before the table of all pairs. */
static void rules_are_their_own(void **state)
{
    static const struct {
        const char *spec, *rule;
    } cases[] = {
        {"crossbar:4", "unique"},          {"tree:5", "up-down"},     {"fat-tree-2:4", "up-down"},
        {"mesh-of-trees:4", "row-column"}, {"star:5", "cayley"},      {"pancake:5", "cayley"},
        {"cayley:1230,1023", "cayley"},    {"fat-tree:2", "up-down"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_network *network = support_network(cases[i].spec);
        np_path *path = greedy(network);
        assert_string_equal(np_path_name(path), cases[i].rule);
        np_path_free(path);
        np_network_free(network);
    }
}

/* i -> i reversed in `bits` bits: a permutation that is its own inverse. */
static np_node reversed(np_node i, unsigned bits)
{
    np_node r = 0;
    for (unsigned b = 0; b < bits; b++)
        r |= (i >> b & 1) << (bits - 1 - b);
    return r;
}

/* No link is on the paths of two packets of a permutation: none ever waits. */
static void permutations_share_no_link(void **state)
{
    static const char *const specs[] = {"crossbar:16", "fat-tree-2:4", "fat-tree-2:7", "crossbar:64"};
    (void)state;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        np_network *network = support_network(specs[i]);
        np_path *path = greedy(network);
        np_node terminals = np_network_terminals(network);
        unsigned bits = (unsigned)__builtin_ctz(terminals);
        for (int pattern = 0; pattern < 3; pattern++) {
            bool *used = calloc(np_network_link_numbers(network), sizeof *used);
            for (np_node s = 0; s < terminals; s++) {
                np_link links[256];
                size_t hops;
                np_node t = pattern == 0 ? reversed(s, bits) : pattern == 1 ? terminals - 1 - s : (s + 5) % terminals;
                assert_ok(np_path_walk(path, s, t, 1, 0, 0, s, 256, links, &hops));
                for (size_t h = 0; h < hops; h++) {
                    assert_false(used[links[h]]);
                    used[links[h]] = true;
                }
            }
            free(used);
        }
        np_path_free(path);
        np_network_free(network);
    }
}

/* Between a node of level i and its parent there are 2^i links each way, and no others. */
static void fat_trees_double(void **state)
{
    (void)state;
    for (uint32_t height = 1; height <= 6; height++) {
        char spec[32];
        snprintf(spec, sizeof spec, "fat-tree-2:%u", height);
        np_network *network = support_network(spec);
        uint32_t nodes = np_network_nodes(network), first = 0, total = 0;
        uint32_t *joined = calloc((size_t)nodes * nodes, sizeof *joined);
        assert_int_equal(nodes, (2u << height) - 1);
        for (np_link l = 0; l < np_network_link_numbers(network); l++)
            joined[np_network_link_tail(network, l) * nodes + np_network_link_head(network, l)]++;
        for (uint32_t level = 0; level < height; level++) {
            uint32_t width = 1u << (height - level);
            for (uint32_t v = 0; v < width; v++) {
                uint32_t u = first + v, parent = first + width + v / 2;
                assert_int_equal(joined[u * nodes + parent], 1u << level);
                assert_int_equal(joined[parent * nodes + u], 1u << level);
                total += 2u << level;
            }
            first += width;
        }
        assert_int_equal(total, np_network_links(network));
        free(joined);
        np_network_free(network);
    }
}

/* Node x of the group of the notes' example is a node of the cube: bit i, from the left, if 2i, 2i+1 are exchanged. */
static void hypercube_is_a_cayley_graph(void **state)
{
    np_network *group = support_network("cayley:10234567,01324567,01235467,01234576");
    np_network *cube = support_network("hypercube:4");
    np_node image[16];
    bool taken[16] = {false};
    (void)state;
    assert_int_equal(np_network_nodes(group), 16);
    assert_int_equal(np_network_ports(group), 4);
    for (np_node x = 0; x < 16; x++) {
        const uint8_t *word = group->word + 8 * x;
        image[x] = 0;
        for (unsigned i = 0; i < 4; i++) {
            assert_int_equal(word[2 * i] + word[2 * i + 1], 4 * i + 1);
            image[x] = 2 * image[x] + (word[2 * i] > word[2 * i + 1]);
        }
        assert_false(taken[image[x]]);
        taken[image[x]] = true;
    }
    for (np_node x = 0; x < 16; x++)
        for (np_port p = 0; p < 4; p++) /* port p flips the p-th bit from the left in both */
            assert_int_equal(image[np_network_link_head(group, 4 * x + p)],
                             np_network_link_head(cube, 4 * image[x] + p));
    np_network_free(group);
    np_network_free(cube);
}

/* One generator, a rotation: node x is a rotation by some c, and its two links lead to c + 1 and c - 1. */
static void ring_is_a_cayley_graph(void **state)
{
    np_network *group = support_network("cayley:12345670"), *ring = support_network("ring:8");
    (void)state;
    assert_int_equal(np_network_nodes(group), 8);
    assert_int_equal(np_network_ports(group), 2);
    for (np_node x = 0; x < 8; x++) {
        uint8_t c = group->word[8 * x];
        for (np_port p = 0; p < 2; p++) {
            np_node to = np_network_link_head(group, 2 * x + p);
            assert_int_equal(group->word[8 * to], np_network_link_head(ring, 2 * c + 1 - p));
        }
    }
    np_network_free(group);
    np_network_free(ring);
}

/* The star graph from its generators has the same number of nodes at each distance, and the same links by word. */
static void star_and_pancake_are_cayley_graphs(void **state)
{
    static const struct {
        const char *spec, *generators;
    } cases[] = {{"star:5", "cayley:10234,21034,31204,41230"}, {"pancake:5", "cayley:10234,21034,32104,43210"}};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        np_network *network = support_network(cases[i].spec), *group = support_network(cases[i].generators);
        np_node by_group[120], by_rank[120];
        size_t count = 0;
        assert_int_equal(np_network_nodes(group), 120);
        for (np_node x = 0; x < 120; x++) { /* the rank is how many words are smaller */
            by_rank[x] = 0;
            for (np_node y = 0; y < 120; y++)
                by_rank[x] += memcmp(group->word + 5 * y, group->word + 5 * x, 5) < 0;
            by_group[by_rank[x]] = x;
        }
        for (np_node x = 0; x < 120; x++)
            for (np_port p = 0; p < 4; p++)
                count += by_group[np_network_link_head(network, 4 * x + p)] ==
                         np_network_link_head(group, 4 * by_group[x] + p);
        assert_int_equal(count, 480);
        np_network_free(network);
        np_network_free(group);
    }
}

/* Inverses that are missing are added once: 120 and 201 are each other's. */
static void inverses_are_added(void **state)
{
    static const struct {
        const char *spec;
        uint32_t nodes, ports;
    } cases[] = {
        {"cayley:120", 3, 2},     {"cayley:120,201", 3, 2},    {"cayley:102", 2, 1},
        {"cayley:120,102", 6, 3}, {"cayley:1230,1023", 24, 3}, {"cayley:12034,01342", 60, 4},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_network *network = support_network(cases[i].spec);
        assert_int_equal(np_network_nodes(network), cases[i].nodes);
        assert_int_equal(np_network_ports(network), cases[i].ports);
        np_network_free(network);
    }
}

/* The automorphism of every node of a group that is not commutative, in full. */
static void relative_keeps_ports_of_groups(void **state)
{
    np_network *network = support_network("cayley:12034,01342");
    (void)state;
    for (np_node u = 0; u < 60; u++)
        for (np_node v = 0; v < 60; v++)
            for (np_port p = 0; p < 4; p++) {
                np_node image = network->family->relative(network, u, v);
                assert_int_equal(network->family->relative(network, u, np_network_link_head(network, 4 * v + p)),
                                 np_network_link_head(network, 4 * image + p));
            }
    np_network_free(network);
}

enum { TREE_MOST = 4000, FAR = 1000000 };

/* least[k] = fewest links cut in a tree of that height if k nodes, the root among them, are on the root's side. */
static uint32_t tree_cuts(uint32_t arity, uint32_t height, uint32_t *least)
{
    uint32_t child[TREE_MOST], both[TREE_MOST], sum[TREE_MOST], size = 1;
    for (uint32_t k = 0; k < TREE_MOST; k++)
        least[k] = k == 1 ? 0 : FAR;
    if (!height)
        return 1;
    uint32_t below = tree_cuts(arity, height - 1, child);
    for (uint32_t k = 0; k <= below; k++) /* the child is on the root's side, or on the other */
        both[k] = child[k] < 1 + child[below - k] ? child[k] : 1 + child[below - k];
    for (uint32_t c = 0; c < arity; c++, size += below) {
        memcpy(sum, least, sizeof sum);
        for (uint32_t k = 0; k <= size + below; k++) {
            least[k] = FAR;
            for (uint32_t j = 0; j <= k && j <= below; j++)
                if (sum[k - j] + both[j] < least[k])
                    least[k] = sum[k - j] + both[j];
        }
    }
    return size;
}

static void tree_bisections_hold(void **state)
{
    static const uint32_t most[] = {0, 0, 10, 6, 5, 4, 4, 3, 3, 3}; /* heights, by arity */
    static uint32_t least[TREE_MOST];
    (void)state;
    for (uint32_t arity = 2; arity < sizeof most / sizeof *most; arity++)
        for (uint32_t height = 1; height <= most[arity]; height++) {
            char spec[32];
            uint64_t formula;
            uint32_t size = tree_cuts(arity, height, least), half = size / 2;
            uint32_t exact = least[half] < least[size - half] ? least[half] : least[size - half];
            snprintf(spec, sizeof spec, "tree:%ux%u", arity, height);
            np_network *network = support_network(spec);
            assert_int_equal(np_network_nodes(network), size);
            assert_true(network->family->bisection(network, &formula));
            if (formula != exact)
                print_error("%s: formula %u, is %u\n", spec, (unsigned)formula, exact);
            assert_int_equal(formula, exact);
            np_network_free(network);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(audits_pass),
        cmocka_unit_test(paths_are_shortest),
        cmocka_unit_test(rules_are_their_own),
        cmocka_unit_test(permutations_share_no_link),
        cmocka_unit_test(fat_trees_double),
        cmocka_unit_test(hypercube_is_a_cayley_graph),
        cmocka_unit_test(ring_is_a_cayley_graph),
        cmocka_unit_test(star_and_pancake_are_cayley_graphs),
        cmocka_unit_test(inverses_are_added),
        cmocka_unit_test(relative_keeps_ports_of_groups),
        cmocka_unit_test(tree_bisections_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
