/*
 * Networks of switches of today's clusters: their links against the definitions in tests/oracle/fabric.c, published
 * figures, and what random ones promise.
 */
#include "support.h"

#include "base/galois.h"
#include "model/network/network.h"
#include "oracle/fabric.h"

/* Links from u to v, of all pairs. */
static uint8_t *count_links(const np_network *network)
{
    np_node nodes = np_network_nodes(network);
    uint8_t *links = calloc((size_t)nodes * nodes, 1);
    for (np_link link = 0; link < np_network_link_numbers(network); link++) {
        np_node head = np_network_link_head(network, link);
        if (head != NP_NONE)
            links[np_network_link_tail(network, link) * nodes + head]++;
    }
    return links;
}

static void every_family_is_its_definition(void **state)
{
    static const char *const specs[] = {
        "hyperx:2",
        "hyperx:5",
        "hyperx:3x4",
        "hyperx:4x2x3",
        "hyperx:3x4,widths=2x3",
        "hyperx:2x3,widths=2",
        "dragonfly:a=1,p=1,h=1",
        "dragonfly:a=1,p=1,h=4",
        "dragonfly:a=2,p=1,h=1",
        "dragonfly:a=4,p=2,h=2",
        "dragonfly:a=3,p=1,h=2",
        "dragonfly:a=4,p=2,h=2,arrangement=absolute",
        "dragonfly:a=4,p=2,h=2,arrangement=relative",
        "dragonfly:a=3,p=1,h=3,arrangement=relative",
        "dragonfly:a=4,p=2,h=2,arrangement=circulant",
        "dragonfly:a=3,p=1,h=3,arrangement=circulant",
        "dragonfly+:leaf=2,spine=2,p=2,h=2",
        "dragonfly+:leaf=3,spine=2,p=1,h=1,arrangement=circulant",
        "slimfly:5",
        "slimfly:13",
        "polarfly:2",
        "polarfly:3",
        "polarfly:7",
        "xgft:1:3:1",
        "xgft:2:4,4:1,2",
        "xgft:2:2,3:2,2",
        "xgft:3:2,3,4:1,2,3",
        "xgft:3:4,4,8:1,4,4:taper=2",
        "kary-tree:2x1",
        "kary-tree:3x3",
        "leaf-spine:leaf=4,spine=2,p=3",
        "clos:m=3,n=4,r=5",
        "fat-tree:k=2",
        "fat-tree:k=6",
        "kary-fly:3x1",
        "kary-fly:2x2",
        "kary-fly:2x4",
        "kary-fly:3x3",
        "rail:servers=3,g=4,spines=2",
    };
    (void)state;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        np_network *network = support_network(specs[i]);
        oracle_fabric *fabric = oracle_fabric_of(specs[i]);
        np_node hosts = fabric->nodes - fabric->switches;
        if (np_network_nodes(network) != fabric->nodes)
            print_error("%s\n", specs[i]);
        assert_int_equal(np_network_nodes(network), fabric->nodes);
        assert_int_equal(np_network_audit(network), NP_OK);
        uint8_t *links = count_links(network);
        if (memcmp(links, fabric->links, (size_t)fabric->nodes * fabric->nodes))
            print_error("%s\n", specs[i]);
        assert_memory_equal(links, fabric->links, (size_t)fabric->nodes * fabric->nodes);
        assert_int_equal(np_network_has_hosts(network), hosts > 0);
        assert_int_equal(np_network_terminals(network), hosts ? hosts : fabric->nodes);
        for (np_node u = 0; u < fabric->nodes && hosts; u++)
            assert_int_equal(np_network_is_host(network, u), u >= fabric->switches);
        free(links);
        oracle_fabric_free(fabric);
        np_network_free(network);
    }
}

/* The formulas against searches, of networks that the definitions above do not reach, too. */
static void formulas_hold(void **state)
{
    static const char *const specs[] = {
        "hyperx:4",
        "hyperx:3x3",
        "hyperx:3x5",
        "hyperx:2x3x3",
        "hyperx:3x6",
        "hyperx:2x2x5",
        "hyperx:3x3,widths=2",
        "dragonfly:a=1,p=1,h=3",
        "dragonfly:a=2,p=1,h=1",
        "dragonfly:a=2,p=2,h=4",
        "dragonfly:a=3,p=1,h=2,g=4",
        "dragonfly:a=4,p=2,h=2,arrangement=random,seed=3",
        "dragonfly:a=4,p=1,h=4,g=6",
        "dragonfly+:leaf=2,spine=3,p=2,h=2",
        "dragonfly+:leaf=1,spine=1,p=1,h=1",
        "dragonfly+:leaf=3,spine=2,p=1,h=3,g=4",
        "slimfly:3",
        "slimfly:4",
        "slimfly:7",
        "slimfly:8",
        "slimfly:9",
        "slimfly:11",
        "slimfly:16",
        "polarfly:2",
        "polarfly:4",
        "polarfly:5",
        "polarfly:8",
        "polarfly:9",
        "polarfly:16",
        "xgft:1:3:2",
        "xgft:2:2,3:2,2",
        "xgft:3:2,2,2:1,2,1",
        "kary-tree:2x4",
        "fat-tree:k=4",
        "kary-fly:2x1",
        "kary-fly:2x4",
        "kary-fly:4x2",
        "jellyfish:16,3",
        "xpander:4,6",
        "rail:servers=2,g=2,spines=0",
    };
    size_t diameters = 0, bisections = 0;
    (void)state;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        np_network *network = support_network(specs[i]);
        np_network_facts facts;
        assert_int_equal(np_network_audit(network), NP_OK);
        assert_int_equal(np_network_measure(network, 10000000, &facts), NP_OK);
        assert_true(facts.strongly_connected && facts.degree.has_formula);
        if (facts.degree.formula != facts.degree.measured ||
            (facts.diameter.has_formula && facts.diameter.formula != facts.diameter.measured))
            print_error("%s\n", specs[i]);
        assert_int_equal(facts.degree.formula, facts.degree.measured);
        if (facts.diameter.has_formula)
            assert_int_equal(facts.diameter.formula, facts.diameter.measured);
        if (facts.bisection.has_formula && !facts.bisection.upper_bound) {
            assert_int_equal(facts.bisection.formula, facts.bisection.measured);
            bisections++;
        }
        diameters += facts.diameter.has_formula;
        np_network_free(network);
    }
    assert_true(diameters > 30 && bisections > 5);
}

/* Figures from the papers. */
static void published_sizes(void **state)
{
    static const struct {
        const char *spec;
        np_node switches, hosts;
        uint64_t degree, diameter;
    } cases[] = {
        {"slimfly:17", 578, 0, 25, 2}, /* Besta & Hoefler 2014 */
        {"slimfly:19", 722, 0, 29, 2},
        {"dragonfly:a=8,p=4,h=4", 264, 1056, 15, 5}, /* Kim and others 2008 */
        {"dragonfly:a=16,p=8,h=8", 2064, 16512, 31, 5},
        {"polarfly:31", 993, 0, 32, 2},        /* Lakhotia and others 2022 */
        {"fat-tree:k=48", 2880, 27648, 48, 6}, /* Al-Fares and others 2008 */
        {"kary-tree:4x3", 48, 64, 8, 6},       /* Petrini & Vanneschi 1997 */
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_network *network = support_network(cases[i].spec);
        np_network_facts facts;
        assert_int_equal(np_network_measure(network, 0, &facts), NP_OK);
        assert_int_equal(np_network_nodes(network), cases[i].switches + cases[i].hosts);
        assert_int_equal(np_network_terminals(network), cases[i].hosts ? cases[i].hosts : cases[i].switches);
        assert_int_equal(facts.degree.formula, cases[i].degree);
        assert_int_equal(facts.diameter.formula, cases[i].diameter);
        np_network_free(network);
    }
}

/* Two points of a projective plane are orthogonal to exactly one point: A^2 = J + Q I, with loops at the quadrics. */
static void polarfly_is_a_plane(void **state)
{
    static const uint32_t orders[] = {2, 3, 4, 5, 8, 9};
    (void)state;
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        char spec[32];
        uint32_t q = orders[i], n = q * q + q + 1;
        snprintf(spec, sizeof spec, "polarfly:%u", q);
        np_network *network = support_network(spec);
        uint8_t *links = count_links(network);
        for (uint32_t u = 0; u < n; u++) {
            uint32_t degree = 0;
            for (uint32_t v = 0; v < n; v++)
                degree += links[u * n + v];
            links[u * n + u] = (uint8_t)(q + 1 - degree);
        }
        for (uint32_t u = 0; u < n; u++)
            for (uint32_t v = 0; v < n; v++) {
                uint32_t common = 0;
                for (uint32_t w = 0; w < n; w++)
                    common += links[u * n + w] * links[w * n + v];
                assert_int_equal(common, u == v ? q + 1 : 1);
            }
        free(links);
        np_network_free(network);
    }
}

/* The links between groups of a dragonfly: floor or ceiling of a h/(g - 1), and h at each router but for one port. */
static void groups_are_joined_evenly(void **state)
{
    (void)state;
    for (uint32_t kind = 0; kind < 4; kind++)
        for (uint32_t a = 1; a <= 4; a++)
            for (uint32_t h = 1; h <= 3; h++)
                for (uint32_t g = 2; g <= a * h + 1; g++) {
                    static const char *const kinds[] = {"absolute", "relative", "circulant", "random"};
                    char spec[100];
                    snprintf(spec, sizeof spec, "dragonfly:a=%u,p=1,h=%u,g=%u,arrangement=%s", a, h, g, kinds[kind]);
                    np_network *network = support_network(spec);
                    uint8_t *links = count_links(network);
                    uint32_t n = np_network_nodes(network), between[13][13] = {{0}}, ends = 0;
                    for (uint32_t u = 0; u < g * a; u++) {
                        uint32_t global = 0;
                        for (uint32_t v = 0; v < g * a; v++)
                            if (u / a != v / a) {
                                between[u / a][v / a] += links[u * n + v];
                                global += links[u * n + v];
                            }
                        assert_true(global <= h);
                        ends += global;
                    }
                    assert_int_equal(ends, g * a * h / 2 * 2);
                    for (uint32_t i = 0; i < g; i++)
                        for (uint32_t t = 0; t < g; t++) {
                            uint32_t low = a * h / (g - 1), rest = a * h % (g - 1) ? 1 : 0;
                            assert_int_equal(between[i][t], between[t][i]);
                            assert_true(i == t || (between[i][t] >= low && between[i][t] <= low + rest));
                        }
                    free(links);
                    np_network_free(network);
                }
}

static void random_ones_are_regular(void **state)
{
    (void)state;
    for (uint32_t n = 4; n <= 20; n++)
        for (uint32_t r = 3; r < n; r++) {
            char spec[40];
            snprintf(spec, sizeof spec, "jellyfish:%u,%u,seed=%u", n, r, n + r);
            if (n * r % 2)
                continue;
            np_network *network = support_network(spec);
            uint8_t *links = count_links(network);
            assert_int_equal(np_network_audit(network), NP_OK); /* regular: each node has r links in and out */
            assert_int_equal(np_network_ports(network), r);
            for (uint32_t u = 0; u < n; u++)
                for (uint32_t v = 0; v < n; v++)
                    assert_true(links[u * n + v] <= (u != v) && links[u * n + v] == links[v * n + u]);
            free(links);
            np_network_free(network);
        }
}

/* Copies of u and v of a lift are joined by a permutation; copies of one node are not joined. */
static void xpander_is_a_lift(void **state)
{
    np_network *network = support_network("xpander:5,7");
    uint8_t *links = count_links(network);
    uint32_t n = np_network_nodes(network);
    (void)state;
    assert_int_equal(n, 42);
    for (uint32_t u = 0; u < n; u++)
        for (uint32_t other = 0; other < 6; other++) {
            uint32_t joined = 0;
            for (uint32_t i = 0; i < 7; i++)
                joined += links[u * n + other * 7 + i];
            assert_int_equal(joined, other != u / 7);
        }
    free(links);
    np_network_free(network);
}

/* The laws of a field, for all elements. */
static void finite_fields(void **state)
{
    static const uint32_t orders[] = {2, 3, 4, 5, 7, 8, 9, 16, 25, 27};
    (void)state;
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        np_galois f;
        uint32_t q = orders[i];
        assert_int_equal(np_galois_init(&f, q), NP_OK);
        for (uint32_t a = 0; a < q; a++)
            for (uint32_t b = 0; b < q; b++) {
                assert_int_equal(np_galois_subtract(&f, np_galois_add(&f, a, b), b), a);
                assert_int_equal(np_galois_add(&f, a, b), np_galois_add(&f, b, a));
                assert_int_equal(np_galois_multiply(&f, a, b), np_galois_multiply(&f, b, a));
                assert_true(np_galois_multiply(&f, a, b) || !a || !b);
                if (b)
                    assert_int_equal(np_galois_multiply(&f, np_galois_divide(&f, a, b), b), a);
                for (uint32_t c = 0; c < q; c++) {
                    assert_int_equal(np_galois_multiply(&f, a, np_galois_add(&f, b, c)),
                                     np_galois_add(&f, np_galois_multiply(&f, a, b), np_galois_multiply(&f, a, c)));
                    assert_int_equal(np_galois_multiply(&f, a, np_galois_multiply(&f, b, c)),
                                     np_galois_multiply(&f, np_galois_multiply(&f, a, b), c));
                }
            }
        np_galois_clear(&f);
    }
}

static void bad_specs_say_what_would_do(void **state)
{
    static const support_bad_spec cases[] = {
        {"hyperx:", NP_ERROR_INPUT, "lacks sides"},
        {"hyperx:8x1", NP_ERROR_INPUT, "a side must be at least 2"},
        {"hyperx:3x3,widths=1x2x3", NP_ERROR_INPUT, "write one width, or 2"},
        {"hyperx:3x3,widths=0", NP_ERROR_INPUT, "at least 1"},
        {"hyperx:100000x100000", NP_ERROR_LIMIT, "32 bits"},
        {"hyperx:3,1,2", NP_ERROR_INPUT, "one parameter too many"},
        {"dragonfly:a=2", NP_ERROR_INPUT, "lacks p"},
        {"dragonfly:a=2,p=1,h=1,x=3", NP_ERROR_INPUT, "no parameter 'x'"},
        {"dragonfly:a=2,a=1,h=1", NP_ERROR_INPUT, "a is said twice"},
        {"dragonfly:a=2,p=1,h=1,g=4", NP_ERROR_INPUT, "try g=3"},
        {"dragonfly:a=2,p=1,h=1,g=1", NP_ERROR_INPUT, "at least 2"},
        {"dragonfly:a=2,p=1,h=1,arrangement=relativ", NP_ERROR_INPUT, "did you mean 'relative'?"},
        {"dragonfly:a=2,p=x,h=1", NP_ERROR_INPUT, "as in dragonfly:a=4,p=2,h=2"},
        {"dragonfly:a=2000,p=1,h=2000", NP_ERROR_LIMIT, "a times h"},
        {"slimfly:6", NP_ERROR_INPUT, "try slimfly:5"},
        {"slimfly:2", NP_ERROR_INPUT, "try slimfly:3"},
        {"slimfly:99999", NP_ERROR_LIMIT, "try slimfly:1123"},
        {"polarfly:6", NP_ERROR_INPUT, "try polarfly:5"},
        {"jellyfish:5,3", NP_ERROR_INPUT, "try jellyfish:6,3"},
        {"jellyfish:5,5", NP_ERROR_INPUT, "at most 4 others"},
        {"jellyfish:6,1", NP_ERROR_INPUT, "is connected"},
        {"xpander:1,5", NP_ERROR_INPUT, "d must be at least 2"},
        {"xgft:2:3,4:1", NP_ERROR_INPUT, "as in xgft:3:4,4,8:1,4,4"},
        {"xgft:2:3,4:1,2:tapir=2", NP_ERROR_INPUT, "only :taper=T"},
        {"xgft:1:3:1:taper=2", NP_ERROR_INPUT, "no cables to taper"},
        {"kary-tree:4", NP_ERROR_INPUT, "write KxN"},
        {"kary-tree:60000x3", NP_ERROR_LIMIT, "32 bits"},
        {"kary-fly:1x3", NP_ERROR_INPUT, "write KxN"},
        {"kary-fly:2x27", NP_ERROR_INPUT, "in 1..26"},
        {"kary-fly:100x5", NP_ERROR_LIMIT, "at most 67108864"},
        {"fat-tree:k=5", NP_ERROR_INPUT, "try fat-tree:k=6"},
        {"rail:servers=2,g=2", NP_ERROR_INPUT, "lacks spines"},
    };
    (void)state;
    support_assert_bad_specs(sizeof cases / sizeof *cases, cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_family_is_its_definition),
        cmocka_unit_test(formulas_hold),
        cmocka_unit_test(published_sizes),
        cmocka_unit_test(polarfly_is_a_plane),
        cmocka_unit_test(groups_are_joined_evenly),
        cmocka_unit_test(random_ones_are_regular),
        cmocka_unit_test(xpander_is_a_lift),
        cmocka_unit_test(finite_fields),
        cmocka_unit_test(bad_specs_say_what_would_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
