/* What readers of formats say to the builder: hosts, labels, numbers of links; and what the network is called by it. */
#include "support.h"

#include <math.h>

#include "base/memory.h"
#include "base/quantity.h"
#include "model/format/builder.h"

extern const np_network_family np_links;

static const np_text text = {.name = "f", .line = 1};

static np_text_field field(const char *word) { return (np_text_field){word, strlen(word)}; }

static np_node node(np_builder *graph, const char *name)
{
    np_node u;
    assert_ok(np_builder_node(graph, &text, field(name), &u));
    return u;
}

static void link_with(np_builder *graph, const char *from, const char *to, const char *name, const char *value)
{
    np_node u = node(graph, from), v = node(graph, to);
    assert_ok(np_builder_link(graph, &text, u, v, 1));
    if (name)
        assert_ok(np_builder_link_attribute(graph, &text, graph->count - 1, field(name), field(value)));
}

static void begin(np_builder *graph, const np_graph_options *options)
{
    np_builder_init(graph, options, NP_LINKS_NODES_MAX);
    graph->format = "a test";
    graph->naming = NP_GRAPH_NAMED;
    graph->direction = NP_GRAPH_UNDIRECTED;
}

static np_status finish(np_builder *graph, np_network **out)
{
    np_status st;
    assert_ok(np_memory_zeroed(out, 1, sizeof **out, "a network"));
    (*out)->family = &np_links;
    (*out)->spec = np_memory_text("file:f");
    if (!(st = np_builder_complete(graph, &text)))
        st = np_builder_finish(graph, &text, *out);
    np_builder_clear(graph);
    if (!st)
        assert_ok(np_network_audit(*out));
    return st;
}

/* The names of the nodes, joined by '|'. */
static void assert_names(const np_network *network, const char *want)
{
    char got[200] = "", room[NP_NAME_ROOM];
    size_t length = 0;
    for (np_node u = 0; u < np_network_nodes(network); u++) {
        const char *name = np_network_node_name(network, u, room);
        length += (size_t)snprintf(got + length, sizeof got - length, "%s%s", u ? "|" : "", name);
        assert_int_equal(np_network_find_node(network, name), u);
    }
    assert_string_equal(got, want);
}

static void assert_note(const np_network *network, const char *part)
{
    assert_non_null(np_network_note(network));
    if (!strstr(np_network_note(network), part))
        fail_msg("'%s' is not in '%s'", part, np_network_note(network));
}

/* ---- Hosts ---- */

/*  h0 -- s -- h1  */
static np_status star(const char *hosts, np_network **out)
{
    const np_graph_options options = {.path = "", .hosts = hosts};
    np_builder graph;
    begin(&graph, &options);
    link_with(&graph, "s", "h0", NULL, NULL);
    link_with(&graph, "s", "h1", NULL, NULL);
    assert_ok(np_builder_host(&graph, 1));
    assert_ok(np_builder_host(&graph, 2));
    assert_ok(np_builder_attribute(&graph, &text, 0, field("kind"), field("big")));
    return finish(&graph, out);
}

static void test_hosts(void **state)
{
    static const struct {
        const char *hosts, *are;
    } cases[] = {{NULL, "12"}, {"h0", "1"}, {"kind=big", "0"}, {"*", "012"}};
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        np_network *network;
        char got[8] = "";
        assert_ok(star(cases[i].hosts, &network));
        for (np_node t = 0; t < np_network_terminals(network); t++)
            snprintf(got + t, 8 - t, "%u", np_network_input(network, t));
        assert_string_equal(got, cases[i].are);
        assert_true(np_network_has_hosts(network));
        if (i)
            assert_null(np_network_note(network));
        else
            assert_note(network, "packets go from host to host (hosts=* makes switches hosts, too)");
        np_network_free(network);
    }
}

/* If all nodes are hosts, none is told from others. */
static void test_all_hosts(void **state)
{
    const np_graph_options options = {.path = ""};
    np_network *network;
    np_builder graph;
    (void)state;
    begin(&graph, &options);
    link_with(&graph, "a", "b", NULL, NULL);
    assert_ok(np_builder_host(&graph, 0));
    assert_ok(np_builder_host(&graph, 1));
    assert_ok(finish(&graph, &network));
    assert_false(np_network_has_hosts(network));
    assert_null(np_network_note(network));
    np_network_free(network);
}

/* Node numbers 5 and 9 become nodes 0 and 1, and their marks go along. */
static void test_hosts_with_gaps(void **state)
{
    const np_graph_options options = {.path = ""};
    np_network *network;
    np_builder graph;
    np_node u;
    (void)state;
    begin(&graph, &options);
    graph.naming = NP_GRAPH_WHOLE;
    assert_ok(np_builder_node(&graph, &text, field("9"), &u));
    assert_ok(np_builder_link(&graph, &text, 5, u, 1));
    assert_ok(np_builder_link(&graph, &text, 2, u, 1));
    assert_ok(np_builder_host(&graph, u));
    assert_ok(finish(&graph, &network));
    assert_names(network, "2|5|9");
    assert_int_equal(np_network_terminals(network), 1);
    assert_int_equal(np_network_input(network, 0), 2);
    np_network_free(network);
}

/* ---- Labels ---- */

/* A line of nodes 0, 1, 2, ... with these labels; "" is none. */
static void assert_labels(const char *const *label, size_t count, const char *names, const char *note)
{
    const np_graph_options options = {.path = ""};
    np_network *network;
    np_builder graph;
    char id[8], next[8];
    begin(&graph, &options);
    for (unsigned i = 0; i + 1 < count; i++) {
        snprintf(id, sizeof id, "%u", i);
        snprintf(next, sizeof next, "%u", i + 1);
        link_with(&graph, id, next, NULL, NULL);
    }
    for (unsigned i = 0; i < count; i++)
        assert_ok(np_builder_attribute(&graph, &text, i, field("label"), field(label[i])));
    assert_ok(finish(&graph, &network));
    assert_names(network, names);
    if (note)
        assert_note(network, note);
    else
        assert_null(np_network_note(network));
    np_network_free(network);
}

static void test_labels(void **state)
{
    (void)state;
    assert_labels((const char *const[]){"Oslo", "New York", "K\xc3\xb6ln"}, 3, "Oslo|New York|K\xc3\xb6ln", NULL);
    assert_labels((const char *const[]){"", "", ""}, 3, "0|1|2", NULL);
    assert_labels((const char *const[]){"Oslo", "", "Lund"}, 3, "Oslo|1|Lund",
                  "1 node has no label and is called by its identifier");
    assert_labels((const char *const[]){"None", "Oslo", "None"}, 3, "None/0|Oslo|None/2",
                  "2 nodes share labels and are called label/identifier, such as 'None/0'");
    /* the label of one is the identifier of another */
    assert_labels((const char *const[]){"1", "", "Lund"}, 3, "0|1|2", "nodes are called by their identifiers");
    assert_labels((const char *const[]){"1", "0", "2"}, 3, "1|0|2", NULL);
    /* "a/0" is a label, too */
    assert_labels((const char *const[]){"a", "a", "a/0"}, 3, "0|1|2", "their labels cannot tell them apart");
}

/* ---- Numbers of links ---- */

static void assert_quantity(const char *word, bool is, double value, const char *unit)
{
    np_quantity quantity;
    bool got = np_quantity_read(field(word), &quantity);
    if (got != is || (is && (quantity.value != value || strcmp(quantity.unit, unit) != 0)))
        fail_msg("'%s': %d, %.17g %s", word, got, is ? quantity.value : 0, is ? quantity.unit : "");
}

static void test_quantities(void **state)
{
    static const char *const not [] = {"",         "G",     "1 2", "-",   "--1", "-+1",   "1e",    "0x10",
                                       "1 parsec", "10GbE", "nan", "inf", "1,5", "1.2.3", "10 Gi", "1e999"};
    (void)state;
    assert_quantity("3", true, 3, "");
    assert_quantity("-2.5", true, -2.5, "");
    assert_quantity("+1e3", true, 1000, "");
    assert_quantity("10G", true, 1e10, "");
    assert_quantity("10 Gbps", true, 1e10, "bit/s");
    assert_quantity("1.5GB/s", true, 12e9, "bit/s");
    assert_quantity("100 Mbit/s", true, 1e8, "bit/s");
    assert_quantity("0.3ms", true, 0.0003, "s");
    assert_quantity("7\xc2\xb5s", true, 7e-6, "s");
    assert_quantity("7\xce\xbcs", true, 7e-6, "s");
    assert_quantity("1e3ps", true, 1e-9, "s");
    assert_quantity("120 km", true, 120000, "m");
    assert_quantity("5 m", true, 5, "m");
    assert_quantity("2E", true, 2e18, "");
    for (size_t i = 0; i < sizeof not / sizeof *not ; i++)
        assert_quantity(not [i], false, 0, "");
}

static void test_sizes(void **state)
{
    static const struct {
        const char *word;
        bool bytes;
        double value;
        const char *wrong; /* NULL: it is an amount */
    } cases[] = {
        {"0", false, 0, NULL},          {"1500", false, 1500, NULL},     {"64K", false, 65536, NULL},
        {"64Ki", false, 65536, NULL},   {"1.5M", false, 1572864, NULL},  {"2T", false, 0x1p41, NULL},
        {"64B", true, 64, NULL},        {"64 B", true, 64, NULL},        {"1500bytes", true, 1500, NULL},
        {"1 byte", true, 1, NULL},      {"64kB", true, 64000, NULL},     {"64KiB", true, 65536, NULL},
        {"0.5PiB", true, 0x1p49, NULL}, {"1 MB", true, 1e6, NULL},       {"1 MiB", true, 1048576, NULL},
        {"0.5GB", true, 5e8, NULL},     {"2PB", true, 2e15, NULL},       {"1e3B", true, 1000, NULL},
        {"3kbytes", true, 3000, NULL},  {"64KB", true, 0, "kB (1000"},   {"64 KB", true, 0, "kB (1000"},
        {"64k", false, 0, "amount"},    {"64kiB", true, 0, "amount"},    {"1mB", true, 0, "amount"},
        {"1uB", true, 0, "amount"},     {"1EB", true, 0, "amount"},      {"1Mb", false, 0, "amount"},
        {"1Mbit", false, 0, "amount"},  {"-1B", true, 0, "amount"},      {"-1", false, 0, "amount"},
        {"B", false, 0, "amount"},      {"", false, 0, "amount"},        {"1BB", true, 0, "amount"},
        {"1m", false, 0, "amount"},     {"1 KiB/s", false, 0, "amount"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double value;
        bool bytes;
        const char *wrong = np_size_read(field(cases[i].word), &value, &bytes);
        if (!wrong != !cases[i].wrong || (wrong && !strstr(wrong, cases[i].wrong)) || bytes != cases[i].bytes ||
            (!wrong && value != cases[i].value))
            fail_msg("'%s': %.17g, bytes %d: %s", cases[i].word, value, bytes, wrong ? wrong : "taken");
    }
}

static void test_rates(void **state)
{
    static const char *const wrong[] = {"5us", "4Gbit", "-4Gbit/s", "0.5bit/s", "2Pbit/s", "", "x", "4GiB/s"};
    double rate;
    (void)state;
    assert_ok(np_rate_read("100Gbit/s", &rate));
    assert_true(rate == 1e11);
    assert_ok(np_rate_read("50 GB/s", &rate));
    assert_true(rate == 4e11);
    assert_ok(np_rate_read("1Pbit/s", &rate));
    assert_true(rate == 1e15);
    assert_refused(np_rate_read("4G", &rate), NP_ERROR_INPUT, "bits are '4Gbit/s', bytes '4GB/s'");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_refused(np_rate_read(wrong[i], &rate), NP_ERROR_INPUT, "rate");
}

static void test_attributes(void **state)
{
    const np_graph_options options = {.path = ""};
    const np_link_attribute *all, *delay;
    np_network *network, *failed;
    np_builder graph;
    (void)state;
    begin(&graph, &options);
    link_with(&graph, "a", "b", "delay", "5ms");
    assert_ok(np_builder_link_attribute(&graph, &text, 0, field("width"), field("2")));
    link_with(&graph, "b", "c", "kind", "7");
    link_with(&graph, "c", "a", "delay", "1s");
    assert_ok(np_builder_link_attribute(&graph, &text, 2, field("delay"), field("-2s")));   /* the last value counts */
    assert_ok(np_builder_link_attribute(&graph, &text, 2, field("kind"), field("copper"))); /* no number: given up */
    assert_ok(finish(&graph, &network));
    assert_int_equal(np_network_attributes(network, &all), 1);
    assert_string_equal(all->name, "delay");
    assert_string_equal(all->unit, "s");
    assert_null(np_network_find_attribute(network, "kind"));
    assert_note(network, "links keep delay (width=NAME");
    /* a>b b>a twice, b>c c>b, c>a a>c: by the node that a link leaves */
    static const double want[] = {0.005, 0.005, -2, 0.005, 0.005, NAN, NAN, -2};
    assert_int_equal(np_network_link_numbers(network), 8);
    for (np_link l = 0; l < 8; l++)
        if (isnan(want[l]) ? !isnan(all->value[l]) : all->value[l] != want[l])
            fail_msg("link %u: %g", l, all->value[l]);
    assert_ok(np_network_fail(network, "0", 1, &failed));
    delay = np_network_find_attribute(failed, "delay");
    assert_non_null(delay);
    assert_memory_equal(delay->value, all->value, 8 * sizeof(double));
    np_network_free(failed);
    np_network_free(network);
}

/* The links of a triangle with these capacities; `want`: of the first, the second and the third, or the refusal. */
static void assert_width(const char *option, const char *const *value, const char *want, const char *note)
{
    const np_graph_options options = {.path = "", .width = option};
    static const char *const nodes[] = {"a", "b", "c"};
    np_network *network;
    np_builder graph;
    char got[40] = "";
    begin(&graph, &options);
    graph.direction = NP_GRAPH_DIRECTED;
    for (size_t i = 0; i < 3; i++)
        link_with(&graph, nodes[i], nodes[(i + 1) % 3], *value[i] ? "cap" : NULL, value[i]);
    np_status st = finish(&graph, &network);
    if (strstr(want, "width")) {
        assert_refused(st, NP_ERROR_INPUT, want);
    } else {
        support_assert_ok(st, want, __FILE__, __LINE__);
        for (np_node u = 0; u < 3; u++)
            snprintf(got + strlen(got), sizeof got - strlen(got), "%s%u", u ? " " : "",
                     network->row[u + 1] - network->row[u]);
        assert_string_equal(got, want);
        assert_null(np_network_find_attribute(network, "cap"));
        if (note)
            assert_note(network, note);
        else
            assert_null(np_network_note(network));
    }
    np_network_free(network);
}

#define VALUES(a, b, c) ((const char *const[]){a, b, c})

static void test_widths(void **state)
{
    (void)state;
    assert_width("cap", VALUES("2", "4", "4"), "2 4 4", NULL);
    assert_width("cap", VALUES("2", "", "0"), "2 1 0", NULL);
    assert_width("cap/least", VALUES("2", "4", "4"), "1 2 2", "the width of a link is its cap / 2");
    assert_width("cap", VALUES("10G", "40G", "1e10"), "1 4 1", "the width of a link is its cap / 10000000000");
    assert_width("cap", VALUES("4 bit/s", "2 bit/s", "2 bit/s"), "2 1 1", "the width of a link is its cap / 2");
    assert_width("cap", VALUES("4k", "2k", "2k"), "2 1 1", "the width of a link is its cap / 2000");
    assert_width("cap", VALUES("2000000000", "1000000000", "0"), "2 1 0", "is its cap / 1000000000");
    assert_width("cap", VALUES("0.1", "0.3", "0.2"), "1 3 2", "is its cap / 0.1");
    assert_width("cap/5G", VALUES("10 Gbps", "40 Gbps", "5 Gbps"), "2 8 1", "is its cap / 5000000000");
    assert_width("cap/1", VALUES("200000", "1", "1"), "200000 1 1", NULL);
    assert_width("cap", VALUES("10G", "15G", "10G"),
                 "f: width 'cap': 15000000000 is no whole multiple of 10000000000, the unit", NULL);
    assert_width("cap/1", VALUES("2.5", "1", "1"), "f: width 'cap': 2.5 is no whole multiple of 1: say", NULL);
    assert_width("cap", VALUES("10G", "", "20G"),
                 "f: width 'cap': 1 of 3 links have none, but others have up to 20000000000", NULL);
    assert_width("cap", VALUES("10G", "fast", "20G"), "f: width 'cap': 'fast' is no number", NULL);
    assert_width("cap", VALUES("10 Gbps", "3s", "1"), "f: width 'cap': '3s' is no number, or has another unit", NULL);
    assert_width("cap/least", VALUES("0", "0", "0"), "f: width 'cap': every value is 0", NULL);
    assert_width("cap", VALUES("0", "0", "0"), "f:1: no links: the width of each is 0", NULL);
    assert_width("cap/x", VALUES("1", "1", "1"), "no link has an attribute 'cap/x', which is to be the width", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hosts),  cmocka_unit_test(test_all_hosts),  cmocka_unit_test(test_hosts_with_gaps),
        cmocka_unit_test(test_labels), cmocka_unit_test(test_quantities), cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_rates),  cmocka_unit_test(test_attributes), cmocka_unit_test(test_widths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
