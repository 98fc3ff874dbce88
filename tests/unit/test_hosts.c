/* Hosts on every switch of a network: links against the definition in tests/oracle/graph.c, names, traffic, refusals.
 */
#include "support.h"

#include <unistd.h>

#include "model/network/network.h"
#include "netpram/path.h"
#include "netpram/traffic.h"
#include "oracle/graph.h"

static const char *const bases[] = {
    "mesh:3x4", "torus:3x2", "hypercube:3", "ring:5", "complete:4", "tree:2", "ccc:3", "product:complete:3,array:4",
};

/* Switch u keeps its ports, empty ones too; then come its hosts, which have one port. */
static void switches_keep_their_ports(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bases / sizeof *bases; i++)
        for (uint32_t per = 1; per <= 3; per++) {
            char spec[80], name[40];
            snprintf(spec, sizeof spec, "%s@%u", bases[i], per);
            np_network *network = support_network(spec);
            oracle_graph *graph = oracle_graph_of(bases[i]);
            uint32_t n = graph->nodes;
            assert_string_equal(np_network_spec(network), spec);
            assert_int_equal(np_network_audit(network), NP_OK);
            assert_int_equal(np_network_nodes(network), n + n * per);
            assert_int_equal(np_network_terminals(network), n * per);
            for (uint32_t u = 0; u < n; u++) {
                assert_false(np_network_is_host(network, u));
                for (uint32_t p = 0; p < graph->ports; p++) {
                    np_link link = np_network_link_at(network, u, p);
                    uint32_t to = graph->head[u * graph->ports + p];
                    assert_int_equal(link == NP_NONE ? ORACLE_NONE : np_network_link_head(network, link), to);
                }
                for (uint32_t k = 0; k < per; k++) {
                    np_node host = n + u * per + k;
                    snprintf(name, sizeof name, "s%u.h%u", u, k);
                    assert_int_equal(np_network_find_node(network, name), host);
                    assert_int_equal(np_network_input(network, u * per + k), host);
                    np_link down = np_network_link_at(network, u, graph->ports + k);
                    np_link up = np_network_link_at(network, host, 0);
                    assert_int_equal(np_network_link_head(network, down), host);
                    assert_int_equal(np_network_link_head(network, up), u);
                    assert_int_equal(np_network_link_at(network, host, 1), NP_NONE);
                }
            }
            oracle_graph_free(graph);
            np_network_free(network);
        }
}

static void formulas_hold(void **state)
{
    static const char *const specs[] = {"mesh:3x4@2",    "hyperx:3x4@1", "slimfly:5@3", "complete:2@1",
                                        "polarfly:3@2",  "ring:5@1",     "torus:2@2",   "flattened-butterfly:3x3",
                                        "hypercube:3@4", "star:4@2"};
    (void)state;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        np_network *network = support_network(specs[i]);
        np_network_facts facts;
        assert_int_equal(np_network_measure(network, 10000000, &facts), NP_OK);
        assert_true(facts.diameter.has_formula && facts.degree.has_formula);
        assert_int_equal(facts.diameter.formula, facts.diameter.measured);
        assert_int_equal(facts.degree.formula, facts.degree.measured);
        assert_int_equal(facts.link_count.formula, facts.link_count.measured);
        np_network_free(network);
    }
}

/* Where the packet of each host goes, as "s1.h0 s2.h0 ...", of traffic that is fixed. */
static void goes(const char *spec, const char *traffic, const char *expected)
{
    char text[400] = "", room[NP_NAME_ROOM];
    np_network *network = support_network(spec);
    np_traffic *packets;
    assert_int_equal(np_traffic_create(traffic, network, 1, 0, &packets), NP_OK);
    for (np_packet i = 0; i < np_traffic_packets(packets); i++) {
        assert_int_equal(np_traffic_sources(packets)[i], np_network_input(network, i));
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", i ? " " : "",
                 np_network_node_name(network, np_traffic_destinations(packets)[i], room));
    }
    assert_string_equal(text, expected);
    np_traffic_free(packets);
    np_network_free(network);
}

static void traffic_is_among_hosts(void **state)
{
    (void)state;
    goes("ring:3@2", "rotation:1", "s0.h1 s1.h0 s1.h1 s2.h0 s2.h1 s0.h0"); /* numbers of hosts */
    goes("ring:2@2", "complement", "s1.h1 s1.h0 s0.h1 s0.h0");
    goes("ring:2@2", "bit-reversal", "s0.h0 s1.h0 s0.h1 s1.h1");
    goes("mesh:2x2@3", "transpose", /* coordinates of switches */
         "s0.h0 s0.h1 s0.h2 s2.h0 s2.h1 s2.h2 s1.h0 s1.h1 s1.h2 s3.h0 s3.h1 s3.h2");
    goes("hyperx:3x3@1", "transpose", "s0.h0 s3.h0 s6.h0 s1.h0 s4.h0 s7.h0 s2.h0 s5.h0 s8.h0");
    goes("hypercube:2@1", "transpose", "s0.h0 s2.h0 s1.h0 s3.h0");
    goes("torus:5@2", "tornado", "s2.h0 s2.h1 s3.h0 s3.h1 s4.h0 s4.h1 s0.h0 s0.h1 s1.h0 s1.h1");
    goes("ring:5@1", "tornado", "s2.h0 s3.h0 s4.h0 s0.h0 s1.h0");
    goes("hyperx:3x3@1", "tornado", "s4.h0 s5.h0 s3.h0 s7.h0 s8.h0 s6.h0 s1.h0 s2.h0 s0.h0");
    goes("ring:2@2", "hotspot:s1.h0", "s1.h0 s1.h0 s1.h0 s1.h0");
}

/* Uniform: each destination is drawn among all hosts, and the sender is one. */
static void uniform_draws_all_hosts(void **state)
{
    np_network *network = support_network("ring:4@2");
    uint32_t count[12] = {0}, own = 0;
    (void)state;
    for (uint32_t run = 0; run < 500; run++) {
        np_traffic *packets;
        assert_int_equal(np_traffic_create("uniform", network, 7, run, &packets), NP_OK);
        assert_int_equal(np_traffic_packets(packets), 8);
        for (np_packet i = 0; i < 8; i++) {
            count[np_traffic_destinations(packets)[i]]++;
            own += np_traffic_destinations(packets)[i] == np_traffic_sources(packets)[i];
        }
        np_traffic_free(packets);
    }
    for (uint32_t u = 0; u < 12; u++)
        assert_true(u < 4 ? !count[u] : count[u] > 400 && count[u] < 600); /* 500 +- 4.5 standard deviations */
    assert_true(own > 400 && own < 600);
    np_network_free(network);
}

static void refusals(void **state)
{
    static const support_bad_spec cases[] = {
        {"dragonfly:a=2,p=1,h=1@2", NP_ERROR_APPLY, "has hosts of its own: leave out '@2'"},
        {"xgft:1:3:1@1", NP_ERROR_APPLY, "has hosts of its own"},
        {"kary-tree:2x2@1", NP_ERROR_APPLY, "has hosts of its own"},
        {"kary-fly:2x2@1", NP_ERROR_APPLY, "has hosts of its own"},
        {"rail:servers=2,g=2,spines=1@1", NP_ERROR_APPLY, "has hosts of its own"},
        {"ring:4@2@2", NP_ERROR_APPLY, "has hosts of its own"},
        {"omega:3@1", NP_ERROR_APPLY, "from inputs to outputs only"},
        {"crossbar:3@1", NP_ERROR_APPLY, "from inputs to outputs only"},
        {"ring:4@0", NP_ERROR_INPUT, "as in torus:8x8@4"},
        {"ring:4@", NP_ERROR_INPUT, "must be a whole number"},
        {"ring:4@x", NP_ERROR_INPUT, "must be a whole number"},
        {"ring:1000000000@4", NP_ERROR_LIMIT, "32 bits"},
        {"product:ring:3,(ring:3@1)", NP_ERROR_INPUT, "factor ring:3@1"},
        {"planes:2", NP_ERROR_INPUT, "as in planes:2,torus:4x4@2"},
        {"planes:2,torus:4x4", NP_ERROR_INPUT, "write torus:4x4@4"},
        {"planes:0,torus:4x4@1", NP_ERROR_INPUT, "1..1024"},
        {"planes:2,turus:4x4", NP_ERROR_INPUT, "planes: no network family"},
        {"flattened-butterfly:4", NP_ERROR_INPUT, "write KxN"},
        {"flattened-butterfly:4x1", NP_ERROR_INPUT, "N in 2..16"},
    };
    (void)state;
    support_assert_bad_specs(sizeof cases / sizeof *cases, cases);
}

/* The nodes of a route, as switches: *hops of them behind the first. */
static void walk(const np_network *network, const char *rule, np_node from, np_node to, np_node *node, size_t *hops)
{
    np_link link[64];
    np_path *path;
    assert_int_equal(np_path_create(rule, network, &path), NP_OK);
    assert_int_equal(np_path_walk(path, from, to, 5, 0, 0, from, 64, link, hops), NP_OK);
    assert_string_equal(np_path_name(path), rule);
    assert_true(*hops < 64);
    for (size_t i = 0; i < *hops; i++)
        node[i] = np_network_link_head(network, link[i]);
    np_path_free(path);
}

/* Up to the switch, by the rule on the network of the switches, and down. */
static void rules_of_the_switches(void **state)
{
    static const struct {
        const char *base, *rule;
    } cases[] = {
        {"torus:4x3", "dimension-order"}, {"mesh:3x3", "dimension-order"},   {"hypercube:3", "random-order"},
        {"ccc:3", "clockwise"},           {"hyperx:3x4", "dimension-order"}, {"hyperx:2x3,widths=2", "dimension-order"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char spec[60];
        snprintf(spec, sizeof spec, "%s@2", cases[i].base);
        np_network *network = support_network(spec), *switches = support_network(cases[i].base);
        np_node n = np_network_nodes(switches), inner[64], outer[64];
        for (np_node u = 0; u < 2 * n; u++)
            for (np_node v = 0; v < 2 * n; v++) {
                size_t hops, inner_hops;
                walk(network, cases[i].rule, n + u, n + v, outer, &hops);
                walk(switches, cases[i].rule, u / 2, v / 2, inner, &inner_hops);
                if (u == v) {
                    assert_int_equal(hops, 0);
                    continue;
                }
                assert_int_equal(outer[0], u / 2);
                assert_int_equal(outer[hops - 1], n + v);
                if (strcmp(cases[i].rule, "random-order")) { /* which draws by the packet, another one here */
                    assert_int_equal(hops, inner_hops + 2);
                    for (size_t k = 0; k < inner_hops; k++)
                        assert_int_equal(outer[1 + k], inner[k]);
                }
            }
        np_network_free(network);
        np_network_free(switches);
    }
}

/* Coordinates are corrected in their order, by one hop each; a hop crosses the parallel cable of the packet's number.
 */
static void hyperx_in_the_order_of_dimensions(void **state)
{
    np_network *network = support_network("hyperx:3x4x2,widths=2x1x3");
    np_path *path;
    (void)state;
    assert_int_equal(np_path_create("dimension-order", network, &path), NP_OK);
    for (np_node u = 0; u < 24; u++)
        for (np_node v = 0; v < 24; v++)
            for (np_packet packet = 0; packet < 7; packet++) {
                const np_node stop[] = {v / 8 * 8 + u % 8, v / 8 * 8 + v / 2 % 4 * 2 + u % 2, v};
                np_link link[3];
                size_t hops, hop = 0;
                np_node at = u;
                assert_int_equal(np_path_walk(path, u, v, 1, 0, 0, packet, 3, link, &hops), NP_OK);
                for (uint32_t i = 0; i < 3; i++) {
                    static const uint32_t width[] = {2, 1, 3};
                    if (stop[i] == at)
                        continue;
                    assert_int_equal(np_network_link_tail(network, link[hop]), at);
                    assert_int_equal(np_network_link_head(network, link[hop]), at = stop[i]);
                    uint32_t first = i ? i == 1 ? 4 : 7 : 0, port = link[hop] % np_network_ports(network);
                    assert_int_equal((port - first) % width[i], packet % width[i]);
                    hop++;
                }
                assert_int_equal(hop, hops);
            }
    np_path_free(path);
    np_network_free(network);
}

/* Local, global, local: at most one hop of each, the global one exactly once between groups, all cables drawn. */
static void minimal_on_dragonflies(void **state)
{
    static const char *const specs[] = {"dragonfly:a=4,p=2,h=2", "dragonfly:a=3,p=1,h=2,g=3",
                                        "dragonfly:a=3,p=2,h=1,g=3,arrangement=circulant", "dragonfly:a=1,p=2,h=3"};
    (void)state;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        np_network *network = support_network(specs[i]);
        np_node hosts = np_network_terminals(network), switches = np_network_nodes(network) - hosts;
        uint32_t a = network->side[0], cables = 0, crossed = 0;
        uint8_t *used = calloc(np_network_link_numbers(network), 1);
        np_path *path;
        assert_int_equal(np_path_create("minimal", network, &path), NP_OK);
        for (np_node u = 0; u < hosts; u++)
            for (np_node v = 0; v < hosts; v++)
                for (np_packet packet = 0; packet < 30 && u != v; packet++) {
                    np_link link[5];
                    size_t hops;
                    uint32_t global = 0;
                    assert_int_equal(np_path_walk(path, switches + u, switches + v, 1, 0, 0, packet, 5, link, &hops),
                                     NP_OK);
                    for (size_t k = 1; k + 1 < hops; k++) {
                        np_node x = np_network_link_tail(network, link[k]), y = np_network_link_head(network, link[k]);
                        assert_true(x < switches && y < switches);
                        used[link[k]] = x / a != y / a;
                        global += x / a != y / a;
                    }
                    np_node from = np_network_link_head(network, link[0]) / a;
                    np_node to = np_network_link_tail(network, link[hops - 1]) / a;
                    assert_int_equal(global, from != to);
                    assert_true(hops <= 2 + (from != to ? 3u : 1u));
                }
        for (np_link link = 0; link < np_network_link_numbers(network); link++) {
            np_node x = np_network_link_tail(network, link), y = np_network_link_head(network, link);
            cables += x < switches && y < switches && x / a != y / a;
            crossed += used[link];
        }
        assert_int_equal(crossed, cables);
        free(used);
        np_path_free(path);
        np_network_free(network);
    }
}

/* Switches that are down have no links, all other links stay, and the share is that of the switches. */
static void failing_switches(void **state)
{
    np_network *whole = support_network("torus:5x4@2"), *network;
    np_network_facts facts;
    uint32_t dead = 0;
    (void)state;
    assert_int_equal(np_network_fail_switches(whole, "0.25", 3, &network), NP_OK);
    assert_string_equal(np_network_spec(network), "torus:5x4@2:fail-switches=0.25:seed=3");
    assert_int_equal(np_network_audit(network), NP_OK);
    for (np_link link = 0; link < np_network_link_numbers(whole); link++) {
        np_node u = np_network_link_tail(whole, link), v = np_network_link_head(whole, link);
        bool alive = np_network_link_head(network, link) != NP_NONE;
        bool host = np_network_is_host(whole, u) || np_network_is_host(whole, v);
        if (alive)
            assert_int_equal(np_network_link_head(network, link), v);
        dead += host && !alive;
    }
    assert_int_equal(dead, 5 * 2 * 2); /* 5 of 20 switches, of 2 hosts each, a link each way */
    assert_int_equal(np_network_measure(network, 10000000, &facts), NP_OK);
    assert_true(facts.fabric.known && facts.fabric.cut_off >= 10);
    assert_int_equal(facts.fabric.hosts, 40);
    np_network_free(network);
    assert_int_equal(np_network_create("torus:5x4@2:fail-switches=0.25:seed=3:fail=0.1", &network), NP_OK);
    np_network_free(network);
    assert_int_equal(np_network_fail_switches(whole, "2", 3, &network), NP_ERROR_INPUT);
    assert_null(network);
    np_network_free(whole);
}

/* Radix, cables and mean distance, against sums by hand. */
static void what_people_buy(void **state)
{
    static const struct {
        const char *spec;
        uint64_t switches, hosts, radix, cables, host_cables;
        double mean;
    } cases[] = {
        {"hyperx:4x4", 16, 0, 6, 48, 0, 24.0 / 15},              /* 6 at 1 hop, 9 at 2 */
        {"hyperx:2x3,widths=2", 6, 0, 6, 18, 0, 7.0 / 5},        /* 3 at 1, 2 at 2 */
        {"complete:3@2", 3, 6, 4, 3, 6, 14.0 / 5},               /* 1 host at 2 hops, 4 at 3 */
        {"ring:4@1", 4, 4, 3, 4, 4, 10.0 / 3},                   /* 3, 4, 3 */
        {"kary-fly:2x3", 12, 8, 2, 16, 16, 4},                   /* all N + 1 */
        {"fat-tree:k=4", 20, 16, 4, 32, 16, 82.0 / 15},          /* 1 at 2, 2 at 4, 12 at 6 */
        {"planes:2,fat-tree:k=4", 40, 16, 4, 64, 32, 82.0 / 15}, /* the same */
        {"rail:servers=2,g=2,spines=1", 5, 4, 3, 2, 8, 8.0 / 3}, /* 2 in the server, 2 on the rail, else 4 */
        {"dragonfly:a=1,p=1,h=2", 3, 3, 3, 3, 3, 3},             /* a complete network */
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_network *network = support_network(cases[i].spec);
        np_network_facts facts;
        const np_fabric_facts *f = &facts.fabric;
        assert_int_equal(np_network_measure(network, 1000000, &facts), NP_OK);
        assert_true(f->known && f->measured);
        assert_int_equal(f->switches, cases[i].switches);
        assert_int_equal(f->hosts, cases[i].hosts);
        assert_int_equal(f->radix, cases[i].radix);
        assert_int_equal(f->cables, cases[i].cables);
        assert_int_equal(f->host_cables, cases[i].host_cables);
        assert_int_equal(f->cut_off, 0);
        assert_float_equal((double)f->distance_sum / (double)f->distance_pairs, cases[i].mean, 1e-12);
        np_network_free(network);
    }
    np_network *network = support_network("ring:4");
    np_network_facts facts;
    assert_int_equal(np_network_measure(network, 1000000, &facts), NP_OK);
    assert_false(facts.fabric.known);
    np_network_free(network);
}

/* Copies of the switches, the links of each host once in every copy, and the same names. */
static void planes_share_hosts(void **state)
{
    np_network *one = support_network("torus:3x2@2"), *network = support_network("planes:3,torus:3x2@2");
    (void)state;
    assert_int_equal(np_network_audit(network), NP_OK);
    assert_int_equal(np_network_nodes(network), 18 + 12);
    assert_int_equal(np_network_links(network), 3 * np_network_links(one));
    for (np_link link = 0; link < np_network_link_numbers(network); link++) {
        np_node u = np_network_link_tail(network, link), v = np_network_link_head(network, link);
        assert_true(u >= 18 || v >= 18 || u / 6 == v / 6);
        np_node a = u < 18 ? u % 6 : u - 12, b = v < 18 ? v % 6 : v - 12;
        assert_true(np_network_link_between(one, a, b) != NP_NONE);
    }
    for (np_node host = 18; host < 30; host++) {
        char room[NP_NAME_ROOM];
        np_node plane[3];
        for (np_port port = 0; port < 3; port++)
            plane[port] = np_network_link_head(network, np_network_link_at(network, host, port));
        assert_true(plane[1] == plane[0] + 6 && plane[2] == plane[0] + 12);
        assert_int_equal(np_network_find_node(one, np_network_node_name(network, host, room)), host - 12);
    }
    np_network_free(one);
    np_network_free(network);
}

/* A file of switches: its names stay, and numbers of its links, which those of hosts lack. */
static void files_of_switches(void **state)
{
    char path[] = "/tmp/netpram-test-XXXXXX", spec[120];
    const np_link_attribute *speed;
    np_network *network;
    int file = mkstemp(path);
    static const char text[] = "from,to,speed\na,b,3\nb,c,4\n";
    (void)state;
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
    snprintf(spec, sizeof spec, "file:%s:undirected:per-switch=2", path);
    network = support_network(spec);
    assert_int_equal(np_network_audit(network), NP_OK);
    assert_int_equal(np_network_nodes(network), 9);
    assert_int_equal(np_network_find_node(network, "c"), 2);
    assert_int_equal(np_network_find_node(network, "sb.h1"), 6);
    assert_non_null(speed = np_network_find_attribute(network, "speed"));
    for (np_link link = 0; link < np_network_link_numbers(network); link++) {
        np_node u = np_network_link_tail(network, link), v = np_network_link_head(network, link);
        if (u < 3 && v < 3)
            assert_true(speed->value[link] == (u + v == 1 ? 3 : 4));
        else
            assert_true(speed->value[link] != speed->value[link]); /* none */
    }
    np_network_free(network);
    snprintf(spec, sizeof spec, "file:%s:undirected:per-switch=2:hosts=a", path);
    assert_int_equal(np_network_create(spec, &network), NP_ERROR_APPLY);
    snprintf(spec, sizeof spec, "file:%s:undirected:per-switch=0", path);
    assert_int_equal(np_network_create(spec, &network), NP_ERROR_INPUT);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(switches_keep_their_ports),
        cmocka_unit_test(formulas_hold),
        cmocka_unit_test(traffic_is_among_hosts),
        cmocka_unit_test(uniform_draws_all_hosts),
        cmocka_unit_test(refusals),
        cmocka_unit_test(files_of_switches),
        cmocka_unit_test(rules_of_the_switches),
        cmocka_unit_test(hyperx_in_the_order_of_dimensions),
        cmocka_unit_test(minimal_on_dragonflies),
        cmocka_unit_test(failing_switches),
        cmocka_unit_test(what_people_buy),
        cmocka_unit_test(planes_share_hosts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
