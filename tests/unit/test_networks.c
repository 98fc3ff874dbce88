/* Every family against its definition restated in tests/oracle/graph.c, its formulas and its refusals. */
#include "support.h"

#include "model/network/network.h"
#include "oracle/graph.h"

static const char *const specs[] = {
    "binomial-tree:2",
    "binomial-tree:3",
    "binomial-tree:4",
    "hypercube:1",
    "hypercube:2",
    "hypercube:6",
    "shuffle:2x1",
    "shuffle:2x2",
    "shuffle:2x7",
    "shuffle:3x4",
    "shuffle:4x3",
    "shuffle:7x1",
    "shuffle:10x2",
    "shuffle-exchange:1",
    "shuffle-exchange:2",
    "shuffle-exchange:3",
    "shuffle-exchange:4",
    "shuffle-exchange:7",
    "ccc:3",
    "ccc:4",
    "ccc:5",
    "ccc:6",
    "butterfly:3",
    "butterfly:4",
    "butterfly:5",
    "mesh:2",
    "mesh:5",
    "mesh:2x2",
    "mesh:2x4",
    "mesh:3x4x5",
    "mesh:7x2x3",
    "torus:2",
    "torus:3",
    "torus:2x3",
    "torus:5x4",
    "torus:3x2x4x3",
    "array:2",
    "array:9",
    "ring:2",
    "ring:3",
    "ring:10",
    "complete:2",
    "complete:3",
    "complete:12",
    "torus:2x2x2x2x2x2x2",
    "mesh:2x2x2x2x2x2x2",
    "crossbar:2",
    "crossbar:3",
    "crossbar:7",
    "tree:1",
    "tree:4",
    "tree:2x4",
    "tree:3x3",
    "tree:5x1",
    "tree:7x2",
    "mesh-of-trees:2",
    "mesh-of-trees:4",
    "mesh-of-trees:8",
    "star:2",
    "star:3",
    "star:4",
    "star:5",
    "pancake:2",
    "pancake:3",
    "pancake:4",
    "pancake:5",
    "product:complete:4,ring:6",
    "product:ring:6,complete:4",
    "product:mesh:2x3,tree:2,array:3",
    "product:shuffle:2x3,ring:3",
    "product:ccc:3,array:2",
};
enum { SPECS = sizeof specs / sizeof *specs };

/* Heads, tails, numbers and counts; batches agree with single queries. */
static void agrees_with_definition(const char *spec)
{
    np_network *network = support_network(spec);
    oracle_graph *graph = oracle_graph_of(spec);
    uint64_t links = 0;
    assert_string_equal(np_network_spec(network), spec);
    assert_int_equal(np_network_nodes(network), graph->nodes);
    assert_int_equal(np_network_ports(network), graph->ports);
    assert_int_equal(np_network_link_numbers(network), graph->nodes * graph->ports);
    for (uint32_t u = 0; u < graph->nodes; u++)
        for (uint32_t p = 0; p < graph->ports; p++) {
            np_link link = u * graph->ports + p;
            np_node head = graph->head[link];
            assert_int_equal(np_network_link_head(network, link), head);
            assert_int_equal(np_network_link_tail(network, link), u);
            assert_int_equal(np_network_link_at(network, u, p), head == ORACLE_NONE ? NP_NONE : link);
            links += head != ORACLE_NONE;
        }
    assert_int_equal(np_network_links(network), links);
    oracle_graph_free(graph);
    np_network_free(network);
}

static void every_family_is_its_definition(void **state)
{
    (void)state;
    for (size_t i = 0; i < SPECS; i++)
        agrees_with_definition(specs[i]);
}

static void batches_agree_with_single_queries(void **state)
{
    (void)state;
    for (size_t i = 0; i < SPECS; i++) {
        np_network *network = support_network(specs[i]);
        np_link numbers = np_network_link_numbers(network);
        np_link *link = malloc(numbers * sizeof *link);
        np_node *head = malloc(numbers * sizeof *head);
        for (np_link l = 0; l < numbers; l++)
            link[l] = numbers - 1 - l;
        np_network_heads(network, numbers, link, head);
        for (np_link l = 0; l < numbers; l++)
            assert_int_equal(head[l], np_network_link_head(network, link[l]));
        free(link);
        free(head);
        np_network_free(network);
    }
}

static void regular_families_have_equal_degrees(void **state)
{
    (void)state;
    for (size_t i = 0; i < SPECS; i++) {
        np_network *network = support_network(specs[i]);
        oracle_graph *graph = oracle_graph_of(specs[i]);
        uint32_t *in = calloc(graph->nodes, sizeof *in), unequal = 0;
        for (uint32_t l = 0; l < graph->nodes * graph->ports; l++)
            if (graph->head[l] != ORACLE_NONE)
                in[graph->head[l]]++;
        for (uint32_t u = 0; u < graph->nodes; u++)
            unequal += in[u] != graph->ports;
        if (strcmp(specs[i], "mesh-of-trees:2")) /* a ring of eight */
            assert_int_equal(network->family->regular, unequal == 0);
        free(in);
        oracle_graph_free(graph);
        np_network_free(network);
    }
}

static void diameter_formulas_hold(void **state)
{
    (void)state;
    for (size_t i = 0; i < SPECS; i++) {
        np_network *network = support_network(specs[i]);
        oracle_graph *graph = oracle_graph_of(specs[i]);
        uint32_t *distance = malloc(graph->nodes * sizeof *distance), from_0 = 0, largest = 0;
        for (uint32_t u = 0; u < graph->nodes; u++) {
            uint32_t eccentricity = 0;
            oracle_graph_distances(graph, u, distance);
            for (uint32_t v = 0; v < graph->nodes; v++)
                if (distance[v] > eccentricity)
                    eccentricity = distance[v];
            from_0 = u ? from_0 : eccentricity;
            largest = eccentricity > largest ? eccentricity : largest;
        }
        uint64_t formula;
        assert_true(np_network_diameter_by_formula(network, &formula));
        if (formula != largest)
            print_error("%s: formula %u, is %u\n", specs[i], (unsigned)formula, largest);
        assert_int_equal(formula, largest);
        if (network->family->node_symmetric)
            assert_int_equal(from_0, largest);
        free(distance);
        oracle_graph_free(graph);
        np_network_free(network);
    }
}

/*
 * Fewest links over all halvings, an undirected link as two directed ones:
 * Gray code over the nodes but the last; node i changes sides where bit i of
 * the code does. At most 24 nodes.
 */
static uint32_t bisection_by_search(const oracle_graph *graph)
{
    uint32_t n = graph->nodes, least = UINT32_MAX, ones = 0;
    int cut = 0;
    int adjacent[24][24] = {{0}};
    int side[24] = {0};
    assert_true(n <= 24);
    for (uint32_t u = 0; u < n; u++)
        for (uint32_t p = 0; p < graph->ports; p++) {
            uint32_t v = graph->head[u * graph->ports + p];
            if (v != ORACLE_NONE && v != u)
                adjacent[u][v]++, adjacent[v][u]++;
        }
    for (uint32_t code = 1; code < UINT32_C(1) << (n - 1); code++) {
        uint32_t u = (uint32_t)__builtin_ctz(code);
        for (uint32_t v = 0; v < n; v++)
            if (v != u)
                cut += side[u] == side[v] ? adjacent[u][v] : -adjacent[u][v];
        side[u] = !side[u];
        ones += side[u] ? 1 : UINT32_MAX;
        if ((ones == n / 2 || ones == n - n / 2) && (uint32_t)cut < least)
            least = (uint32_t)cut;
    }
    return least / 2;
}

static void bisection_formulas_hold(void **state)
{
    static const char *const small[] = {
        "hypercube:1", "hypercube:3", "hypercube:4", "ccc:3",     "butterfly:3", "mesh:2",          "mesh:2x4",
        "mesh:4x4",    "mesh:3x4",    "mesh:2x3x2",  "mesh:5",    "mesh:2x2x4",  "torus:2x4",       "torus:4x4",
        "torus:3x6",   "torus:2x2x2", "torus:3x3",   "torus:5x2", "array:2",     "array:7",         "array:8",
        "ring:2",      "ring:3",      "ring:9",      "ring:12",   "complete:2",  "complete:7",      "complete:10",
        "mesh:3x3",    "mesh:3x5",    "mesh:3x3x2",  "mesh:5x4",  "mesh:2x7",    "torus:3x5",       "torus:5x4",
        "torus:3x3x2", "torus:7x3",   "mesh:7x3",    "tree:1",    "tree:2",      "tree:3",          "tree:3x1",
        "tree:3x2",    "tree:4x2",    "tree:4x1",    "tree:5x1",  "tree:7x1",    "mesh-of-trees:2", "star:3",
    };
    size_t formulas = 0;
    (void)state;
    for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
        np_network *network = support_network(small[i]);
        oracle_graph *graph = oracle_graph_of(small[i]);
        uint64_t formula;
        if (network->family->bisection && network->family->bisection(network, &formula)) {
            uint32_t least = bisection_by_search(graph);
            formulas++;
            if (formula != least)
                print_error("%s: formula %u, is %u\n", small[i], (unsigned)formula, least);
            assert_int_equal(formula, least);
        }
        oracle_graph_free(graph);
        np_network_free(network);
    }
    assert_int_equal(formulas, sizeof small / sizeof *small - 1); /* all but star:3 */
}

/* The image under relative(u, .): a bijection that takes u to 0, and the head of every port to that port's head. */
static void relative_keeps_ports(void **state)
{
    size_t families = 0;
    (void)state;
    for (size_t i = 0; i < SPECS; i++) {
        np_network *network = support_network(specs[i]);
        np_node (*relative)(const np_network *, np_node, np_node) = network->family->relative;
        oracle_graph *graph = oracle_graph_of(specs[i]);
        assert_int_equal(relative != NULL, network->family->node_symmetric);
        for (uint32_t u = 0; relative && u < graph->nodes; u++) {
            bool *taken = calloc(graph->nodes, sizeof *taken);
            assert_int_equal(relative(network, u, u), 0);
            for (uint32_t v = 0; v < graph->nodes; v++) {
                np_node image = relative(network, u, v);
                assert_true(image < graph->nodes && !taken[image]);
                taken[image] = true;
                for (uint32_t p = 0; p < graph->ports; p++)
                    assert_int_equal(relative(network, u, graph->head[v * graph->ports + p]),
                                     graph->head[image * graph->ports + p]);
            }
            free(taken);
        }
        families += relative != NULL;
        oracle_graph_free(graph);
        np_network_free(network);
    }
    assert_true(families > 15);
}

/* The largest of each family are made, and their last links are right. */
static void largest_sizes_exist(void **state)
{
    static const struct {
        const char *spec;
        uint32_t nodes, ports, last_head;
    } cases[] = {
        /* From the all-ones node by port d-1 to itself. */
        {"shuffle:2x30", UINT32_C(1) << 30, 2, (UINT32_C(1) << 30) - 1},
        {"shuffle:65535x1", 65535, 65535, 65534},
        {"shuffle:3x19", 1162261467, 3, 1162261466},
        {"shuffle-exchange:30", UINT32_C(1) << 30, 2, (UINT32_C(1) << 30) - 2},
        {"ccc:25", UINT32_C(25) << 25, 3, ((UINT32_C(1) << 25) - 2) * 25 + 24},
        {"butterfly:25", UINT32_C(25) << 25, 4, ((UINT32_C(1) << 25) - 3) * 25 + 23},
        {"mesh:32767x32767", 32767 * 32767, 4, UINT32_MAX},
        {"torus:32767x32767", 32767 * 32767, 4, 32767 * 32766},
        {"torus:2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2", 1 << 26, 52, (1 << 26) - 2},
        {"array:2147483647", 2147483647, 2, UINT32_MAX},
        {"ring:2147483647", 2147483647, 2, 0},
        {"complete:65536", 65536, 65535, 65534},
        {"crossbar:46340", 2147441940, 2, 2147441940 - 46340 - 1},
        {"tree:29", (1 << 30) - 1, 3, UINT32_MAX},
        {"tree:65534x1", 65535, 65535, UINT32_MAX},
        {"mesh-of-trees:16384", 805273600, 3, 16384 * 16384 - 1},
        {"star:11", 39916800, 10, 3219686},
        {"pancake:11", 39916800, 10, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_network *network = support_network(cases[i].spec);
        assert_int_equal(np_network_nodes(network), cases[i].nodes);
        assert_int_equal(np_network_ports(network), cases[i].ports);
        assert_int_equal(np_network_link_head(network, np_network_link_numbers(network) - 1), cases[i].last_head);
        np_network_free(network);
    }
}

static void bad_specs_name_the_nearest_good_one(void **state)
{
    static const support_bad_spec cases[] = {
        {"shuffle:4", NP_ERROR_INPUT, "as in shuffle:4x5"},
        {"shuffle:4x5x6", NP_ERROR_INPUT, "as in shuffle:4x5"},
        {"shuffle:4x05", NP_ERROR_INPUT, "as in shuffle:4x5"},
        {"shuffle:1x5", NP_ERROR_INPUT, "try shuffle:2x5"},
        {"shuffle:4x0", NP_ERROR_INPUT, "try shuffle:4x1"},
        {"shuffle:4x15", NP_ERROR_LIMIT, "try shuffle:4x14"},
        {"shuffle:4x16", NP_ERROR_LIMIT, "try shuffle:4x14"},
        {"shuffle:100000x2", NP_ERROR_LIMIT, "try shuffle:65535x1"},
        {"shuffle-exchange:0", NP_ERROR_INPUT, "try shuffle-exchange:1"},
        {"shuffle-exchange:31", NP_ERROR_LIMIT, "try shuffle-exchange:30"},
        {"shuffle-exchange:+3", NP_ERROR_INPUT, "as in shuffle-exchange:12"},
        {"ccc:2", NP_ERROR_INPUT, "try ccc:3"},
        {"ccc:26", NP_ERROR_LIMIT, "try ccc:25"},
        {"ccc:", NP_ERROR_INPUT, "as in ccc:7"},
        {"ccc:99999999999999999999999", NP_ERROR_LIMIT, "try ccc:25"},
        {"ccc:7 ", NP_ERROR_INPUT, "as in ccc:7"},
        {"butterfly:2", NP_ERROR_INPUT, "try butterfly:3"},
        {"butterfly:64", NP_ERROR_LIMIT, "try butterfly:25"},
        {"mesh:", NP_ERROR_INPUT, "as in mesh:64x64"},
        {"mesh:4x", NP_ERROR_INPUT, "as in mesh:64x64"},
        {"mesh:4x1x5", NP_ERROR_INPUT, "try mesh:4x5"},
        {"mesh:0", NP_ERROR_INPUT, "try mesh:2"},
        {"mesh:1x1000000x1000000", NP_ERROR_LIMIT, "try mesh:32767x32767"},
        {"mesh:3x1000000000000", NP_ERROR_LIMIT, "try mesh:3x357913941"},
        {"torus:100000x100000", NP_ERROR_LIMIT, "try torus:32767x32767"},
        {"torus:2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2", NP_ERROR_LIMIT,
         "try torus:2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2"},
        {"array:1", NP_ERROR_INPUT, "try array:2"},
        {"array:4294967296", NP_ERROR_LIMIT, "try array:2147483647"},
        {"array:3x3", NP_ERROR_INPUT, "as in array:100"},
        {"ring:0", NP_ERROR_INPUT, "try ring:2"},
        {"complete:1", NP_ERROR_INPUT, "try complete:2"},
        {"complete:65537", NP_ERROR_LIMIT, "try complete:65536"},
        {"crossbar:1", NP_ERROR_INPUT, "try crossbar:2"},
        {"crossbar:46341", NP_ERROR_LIMIT, "try crossbar:46340"},
        {"tree:", NP_ERROR_INPUT, "as in tree:6"},
        {"tree:2x3x4", NP_ERROR_INPUT, "as in tree:3x4"},
        {"tree:1x5", NP_ERROR_INPUT, "try tree:2x5"},
        {"tree:0", NP_ERROR_INPUT, "try tree:1"},
        {"tree:30", NP_ERROR_LIMIT, "try tree:29"},
        {"tree:3x99", NP_ERROR_LIMIT, "try tree:3x18"},
        {"tree:70000x1", NP_ERROR_LIMIT, "try tree:65534x1"},
        {"mesh-of-trees:6", NP_ERROR_INPUT, "try mesh-of-trees:8"},
        {"mesh-of-trees:1", NP_ERROR_INPUT, "try mesh-of-trees:2"},
        {"mesh-of-trees:9999999999999999999", NP_ERROR_LIMIT, "try mesh-of-trees:16384"},
        {"mesh-of-trees:4x4", NP_ERROR_INPUT, "as in mesh-of-trees:16"},
        {"star:1", NP_ERROR_INPUT, "try star:2"},
        {"star:12", NP_ERROR_LIMIT, "try star:11"},
        {"pancake:12", NP_ERROR_LIMIT, "try pancake:11"},
        {"fat-tree-2:0", NP_ERROR_INPUT, "try fat-tree-2:1"},
        {"fat-tree-2:21", NP_ERROR_LIMIT, "try fat-tree-2:20"},
        {"cayley:", NP_ERROR_INPUT, "try cayley:1230"},
        {"cayley:0", NP_ERROR_INPUT, "try cayley:1230"},
        {"cayley:1230,", NP_ERROR_INPUT, "'' is no permutation"},
        {"cayley:1233", NP_ERROR_INPUT, "'1233' is no permutation"},
        {"cayley:1230,1234", NP_ERROR_INPUT, "'1234' is no permutation"},
        {"cayley:1230,10", NP_ERROR_INPUT, "'10' has 2 symbols and the generator before it 4: write all with 4"},
        {"cayley:1230,0123", NP_ERROR_INPUT, "'0123' is the identity"},
        {"cayley:1230,1230", NP_ERROR_INPUT, "'1230' is given twice"},
        {"cayley:102345678a9,123456789a0", NP_ERROR_LIMIT, "more than 1048576 elements"},
        {"shufle:4x5", NP_ERROR_INPUT, "did you mean 'shuffle'"},
        {"torus", NP_ERROR_INPUT, "as in torus:32x32x8"},
        {"product:ring:5", NP_ERROR_INPUT, "2 to 31 factors, not 1"},
        {"product:ring:5,", NP_ERROR_INPUT, "a factor is empty"},
        {"product:,ring:5", NP_ERROR_INPUT, "a factor is empty"},
        {"product:(),ring:5", NP_ERROR_INPUT, "a factor is empty"},
        {"product:ring:5,cayley:1230,1023", NP_ERROR_INPUT, "commas within a factor need parentheses"},
        {"product:ring:5,(cayley:1230,1023", NP_ERROR_INPUT, "commas within a factor"},
        {"product:ring:5,ring:1", NP_ERROR_INPUT, "try ring:2"},
        {"product:ring:5,omega:3", NP_ERROR_INPUT, "do not start and end at all its nodes"},
        {"product:ring:5,(product:ring:3,ring:3)", NP_ERROR_INPUT, "as in product:A,B,C"},
        {"product:ring:65536,ring:65536", NP_ERROR_LIMIT, "2^31 - 1"},
        {"product:complete:65536,ring:100", NP_ERROR_LIMIT, "link numbers"},
    };
    (void)state;
    support_assert_bad_specs(sizeof cases / sizeof *cases, cases);
}

/* What a refusal suggests is itself accepted. */
static void suggestions_are_valid(void **state)
{
    static const char *const bad[] = {
        "shuffle:0x0",
        "shuffle:7x99",
        "shuffle:66000x1",
        "shuffle:40000x2",
        "ccc:1000",
        "mesh:5x1",
        "mesh:1x1",
        "mesh:9999999999x7x1x3",
        "torus:70000x2x70000",
        "mesh:100x100x100x100x100x100",
        "ring:5000000000",
        "complete:4294967296",
        "mesh:4294967295",
        "torus:65536x32768",
        "tree:40x40",
        "tree:0x0",
        "tree:5000000000x3",
        "mesh-of-trees:100000",
        "crossbar:0",
        "star:0",
        "pancake:99",
        "cayley:x",
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        np_network *network;
        assert_true(np_network_create(bad[i], &network) < 0);
        const char *suggestion = strstr(np_last_error(), "try ");
        assert_non_null(suggestion);
        char *good = strdup(suggestion + 4);
        assert_ok(np_network_create(good, &network));
        np_network_free(network);
        free(good);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_family_is_its_definition),
        cmocka_unit_test(batches_agree_with_single_queries),
        cmocka_unit_test(regular_families_have_equal_degrees),
        cmocka_unit_test(diameter_formulas_hold),
        cmocka_unit_test(bisection_formulas_hold),
        cmocka_unit_test(relative_keeps_ports),
        cmocka_unit_test(largest_sizes_exist),
        cmocka_unit_test(bad_specs_name_the_nearest_good_one),
        cmocka_unit_test(suggestions_are_valid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
