/* Hosts on every switch of a network: links against the definition in tests/oracle/graph.c, names, traffic, refusals.
 */
#include "support.h"

#include <unistd.h>

#include "model/network/network.h"
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
    static const struct {
        const char *spec;
        np_status status;
        const char *text;
    } cases[] = {
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
        {"flattened-butterfly:4", NP_ERROR_INPUT, "write KxN"},
        {"flattened-butterfly:4x1", NP_ERROR_INPUT, "N in 2..16"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_network *network;
        np_status st = np_network_create(cases[i].spec, &network);
        if (st != cases[i].status || !strstr(np_last_error(), cases[i].text))
            print_error("%s: %s\n", cases[i].spec, np_last_error());
        assert_int_equal(st, cases[i].status);
        assert_null(network);
        assert_non_null(strstr(np_last_error(), cases[i].text));
    }
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
