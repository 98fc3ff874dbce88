/* GEXF as networkx and Gephi write it. */
#include "support.h"

#define assert_gexf(text, options, want) support_assert_text(text, options, want, __FILE__, __LINE__)
#define assert_bad(text, message) support_assert_text_refused(text, "", message, __FILE__, __LINE__)

#define NETWORKX                                                                                                       \
    "<?xml version='1.0' encoding='utf-8'?>\n<!-- a > b -->\n<gexf xmlns=\"http://www.gexf.net/1.2draft\" "            \
    "version=\"1.2\">\n"                                                                                               \
    "  <meta><creator>NetworkX</creator></meta>\n"                                                                     \
    "  <graph defaultedgetype=\"undirected\" mode=\"static\" name=\"\">\n"                                             \
    "    <attributes mode=\"static\" class=\"edge\"><attribute id=\"1\" title=\"capacity\" type=\"long\"/>"            \
    "</attributes>\n    <attributes mode=\"static\" class=\"node\"><attribute id=\"0\" title=\"kind\" "                \
    "type=\"string\">"                                                                                                 \
    "<default>switch</default></attribute></attributes>\n"                                                             \
    "    <nodes>\n      <node id=\"a\" label=\"a\"><attvalues><attvalue for=\"0\" "                                    \
    "value=\"host\"/></attvalues></node>\n"                                                                            \
    "      <node id=\"b\" label=\"b\"/>\n      <node id=\"c\" label=\"c\"/>\n    </nodes>\n    <edges>\n"              \
    "      <edge source=\"a\" target=\"b\" id=\"0\" weight=\"2.5\"><attvalues><attvalue for=\"1\" "                    \
    "value=\"2\"/></attvalues></edge>\n"                                                                               \
    "      <edge source=\"b\" target=\"c\" id=\"1\"><attvalues><attvalue for=\"1\" value=\"1\"/></attvalues></edge>\n" \
    "    </edges>\n  </graph>\n</gexf>\n"

static void test_networkx(void **state)
{
    np_network *network;
    (void)state;
    assert_gexf(NETWORKX, "", "a>b b>a,c c>b");
    assert_gexf(NETWORKX, ":hosts=kind=host", "a>b b>a,c c>b | a");
    assert_gexf(NETWORKX, ":hosts=kind=switch", "a>b b>a,c c>b | b c");
    assert_gexf(NETWORKX, ":width=capacity", "a>b,b b>a,a,c c>b");
    assert_ok(support_network_of_text(NETWORKX, "", &network));
    const np_link_attribute *weight = np_network_find_attribute(network, "weight");
    assert_non_null(weight);
    assert_true(weight->value[0] == 2.5 && weight->value[1] == 2.5);
    assert_non_null(strstr(np_network_note(network), "links keep weight, capacity"));
    np_network_free(network);
}

/* Labels, types of edges, nodes in nodes, attributes by "id" as in 1.1, a prefix, colours. */
#define GEXF(graph) "<gexf xmlns:viz='v' version='1.3'>\n<graph " graph "</graph></gexf>"

static void test_gephi(void **state)
{
    (void)state;
    assert_gexf(GEXF("defaultedgetype='directed'><nodes><node id='0' label='Oslo'><viz:color r='1'/></node>"
                     "<node id='7' label='Lund'/></nodes><edges><edge source='0' target='7'/></edges>"),
                "", "Oslo>Lund Lund>");
    assert_gexf(GEXF("defaultedgetype='directed'><nodes count='2'><node id='a'/><node id='b'/></nodes><edges>"
                     "<edge source='a' target='b' type='mutual'/><edge source='b' target='b' type='undirected'/>"
                     "<edge source='b' target='a'/></edges>"),
                "", "a>b b>a,b,a");
    assert_gexf(GEXF("defaultedgetype='mutual'><nodes><node id='a'/><node id='b'/></nodes><edges>"
                     "<edge source='a' target='b'/></edges>"),
                "", "a>b b>a");
    assert_gexf(
        GEXF("><attributes class='node'><attribute id='k' title='host' type='boolean'/></attributes><nodes>"
             "<node id='p'><nodes><node id='q'><attvalues><attvalue id='k' value='false'/></attvalues></node></nodes>"
             "<attvalues><attvalue id='k' value='true'/></attvalues></node><node id='r'/></nodes><edges>"
             "<edge source='p' target='q'/><edge source='q' target='r'/></edges>"),
        "", "p>q q>p,r r>q | p");
}

static void test_refused(void **state)
{
#define NODES "<nodes><node id='a'/><node id='b'/></nodes>"
    (void)state;
    assert_bad(GEXF("mode='dynamic'>" NODES), ":2: a dynamic graph of GEXF, whose links come and go");
    assert_bad(GEXF(">" NODES "\n<edges><edge source='a' target='c'/></edges>"),
               ":3: an edge of 'c', but no node before it has this id");
    assert_bad(GEXF(">" NODES "\n<nodes><node id='a'/></nodes>"), ":3: id 'a' is that of another node, too");
    assert_bad(GEXF(">" NODES "<edges><edge source='a'/></edges>"), "an edge without target");
    assert_bad(GEXF(">" NODES "<edges><edge target='a'/></edges>"), "an edge without source");
    assert_bad(GEXF(">" NODES "<edges><edge source='a' target='b' type='directed'/></edges>"),
               "a directed edge in a graph of undirected ones: write defaultedgetype=\"directed\"");
    assert_bad(GEXF(">" NODES "</graph>\n<graph>"), ":3: a second graph");
    assert_bad(GEXF("><nodes><node/></nodes>"), "a node without a name");
    assert_bad(GEXF(">" NODES), "no links");
    assert_bad("<gexf><graph>", "this is no XML");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_networkx),
        cmocka_unit_test(test_gephi),
        cmocka_unit_test(test_refused),
    };
    if (!support_reads_xml()) {
        printf("built without expat: nothing to test\n");
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
