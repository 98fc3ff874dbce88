/* GML by its definition, as the Internet Topology Zoo, networkx, igraph and yEd write it. */
#include "support.h"

#define assert_gml(text, want) support_assert_text(text, "", want, __FILE__, __LINE__)
#define assert_gml_with(text, options, want) support_assert_text(text, options, want, __FILE__, __LINE__)
#define assert_bad(text, message) support_assert_text_refused(text, "", message, __FILE__, __LINE__)
#define KEY_64 "KeyKeyKeyKeyKeyKeyKeyKeyKeyKeyKeyKeyKeyKeyKeyKeyKeyKeyKeyKeyKeyK"
#define NODES "node [ id 0 ] node [ id 1 ] node [ id 2 ] "

#define assert_note(text, options, part) support_assert_note(text, options, part, __FILE__, __LINE__)

static void test_graphs(void **state)
{
    (void)state;
    assert_gml("graph [ node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 ] ]", "0>1 1>0");
    assert_gml("graph [ directed 1 node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 ] ]", "0>1 1>");
    assert_gml("Creator \"me\" Version 1\ngraph\n[\n  directed 0\n " NODES "edge [ source 0 target 1 ]\n]\n",
               "0>1 1>0 2>");
    assert_gml("# c\nCreator \"a ] [ b\"\ngraph [ comment \"x\" " NODES
               "edge [ source 2 target 0 ] ] # c\nafter [ x 1 ]",
               "0>2 1> 2>0");
    assert_gml("GRAPH [ Node [ ID 0 ] NODE [ id 1 ] EDGE [ Source 0 Target 1 ] ]", "0>1 1>0");
    /* edges first; the direction last; ids with gaps and signs; keys in any order; a loop; parallel edges */
    assert_gml(
        "graph [ edge [ target 7 source -1 ] edge [ source -1 target 7 ] node [ id 7 ] node [ label \"x\" id -1 ] "
        "edge [ source 7 target 7 ] directed 1 ]",
        "7>7 x>7,7");
    assert_gml("graph [ node [ id 0 graphics [ x 1.5 fill \"#fff\" Line [ point [ x 1 y -2e-5 ] ] ] ] node [ id 1 ] "
               "edge [ source 0 graphics [ ] target 1 ] ]",
               "0>1 1>0");
    /* a longer key than any that is understood, and one that begins as it does */
    assert_gml("graph [ " KEY_64 "AAA 1 node [ id 0 " KEY_64 "BBB 1 ] node [ id 1 ] edge [ source 0 target 1 " KEY_64
               " 7 ] ]",
               "0>1 1>0");
    assert_gml("graph [ node [ id 0 x NaN y +INF ] node [ id 1 ] edge [ source 0 target 1 ] ]", "0>1 1>0");
}

static void test_labels(void **state)
{
    static const char zoo[] = "graph [ node [ id 0 label \"Oslo\" ] node [ id 3 label \"New York\" ] node [ id 4 label "
                              "\"None\" hyperedge 1 ] node [ id 9 label \"None\" ] edge [ source 0 target 3 ] edge [ "
                              "source 3 target 4 ] edge [ source 3 target 4 ] edge [ source 4 target 9 ] ]";
    (void)state;
    assert_gml(zoo, "Oslo>New York New York>Oslo,None/4,None/4 None/4>New York,New York,None/9 None/9>None/4");
    assert_note(zoo, "", "2 nodes share labels and are called label/identifier, such as 'None/4'");
    assert_gml_with(zoo, ":hosts=None/9",
                    "Oslo>New York New York>Oslo,None/4,None/4 None/4>New York,New York,None/9 "
                    "None/9>None/4 | None/9");
}

static void test_characters(void **state)
{
    (void)state;
#define LABEL(text) "graph [ node [ id 0 label \"" text "\" ] node [ id 1 ] edge [ source 0 target 1 ] ]"
#define CALLED(name) name ">1 1>" name
    assert_gml(LABEL("Z&#252;rich"), CALLED("Z\xc3\xbcrich"));
    assert_gml(LABEL("Z&#xFC;rich"), CALLED("Z\xc3\xbcrich"));
    assert_gml(LABEL("Z&uuml;rich"), CALLED("Z\xc3\xbcrich"));
    assert_gml(LABEL("&nbsp;&yuml;&AElig;&frac12;"), CALLED("\xc2\xa0\xc3\xbf\xc3\x86\xc2\xbd"));
    assert_gml(LABEL("&quot;a&quot; &amp; &lt;b&gt;"), CALLED("\"a\" & <b>"));
    assert_gml(LABEL("AT&T; &nothing; & &#; &#xZ; &#1114112;"), CALLED("AT&T; &nothing; & &#; &#xZ; &#1114112;"));
    assert_gml(LABEL("&#xD800;x"), CALLED("&#xD800;x")); /* half a character */
    assert_gml(LABEL("&#20140;&#x1F600;"), CALLED("\xe4\xba\xac\xf0\x9f\x98\x80"));
    assert_gml(LABEL("Z\xc3\xbcrich"), CALLED("Z\xc3\xbcrich"));
    assert_gml(LABEL("a\\b # c"), CALLED("a\\b # c")); /* a backslash is one */
    assert_note(LABEL("x") "\n", "", "1 node has no label and is called by its identifier");
}

static void test_attributes(void **state)
{
    static const char cables[] =
        "graph [ directed 1 node [ id 0 kind \"host\" ] node [ id 1 ] edge [ source 0 target 1 "
        "LinkSpeedRaw 10000000000.0 LinkType \"fibre\" ] edge [ LinkSpeedRaw 40000000000.0 "
        "source 1 target 0 key 0 ] ]";
    (void)state;
    assert_note(cables, "", "read as a GML graph; links keep LinkSpeedRaw (width=NAME");
    assert_gml_with(cables, ":width=LinkSpeedRaw", "0>1 1>0,0,0,0");
    assert_gml_with(cables, ":hosts=kind=host", "0>1 1>0 | 0");
    assert_gml("graph [ node [ id 0 host 1 ] node [ id 1 host 0 ] edge [ source 0 target 1 width 2 ] ]",
               "0>1,1 1>0,0 | 0");
}

static void test_refused(void **state)
{
    (void)state;
    assert_bad("graph [\n" NODES "\n edge [ source 0 target 1 ]\n", ":4: the GML file is cut off: a ']' is missing");
    assert_bad("graph [ node [ id", "the GML file is cut off: a number, a text in quotes or a list follows a key");
    assert_bad("graph [ node [ id 0 label \"x", "a text in quotes that does not end: the GML file is cut off");
    assert_bad("graph [ node [ id 0 graphics [ x 1 ]", "the GML file is cut off: a ']' is missing");
    assert_bad("graph [ " NODES "edge [ source 0 target 7 ] ]", "an edge of GML to id 7, but no node has this id");
    assert_bad("graph [\n node [ id 0 ]\n node [ id 0 ] ]", ":3: id 0 is that of another node, too");
    assert_bad("graph [\n node [ label \"x\" ] ]", ":2: a GML node without an id");
    assert_bad("graph [\n node [ id 0 id 1 ] ]", ":2: a GML node with two ids");
    assert_bad("graph [ " NODES "\n edge [ source 0 ] ]", ":2: a GML edge without a target");
    assert_bad("graph [ " NODES "\n edge [ target 0 ] ]", ":2: a GML edge without a source");
    assert_bad("graph [ directed 2 ]", "'2': in GML 'directed' is 0 or 1");
    assert_bad("graph [ node 3 ]", "'3': in GML '[' begins a node or an edge");
    assert_bad("graph [ 3 node [ id 0 ] ]", "'3': in GML a key is a word");
    assert_bad("graph [ " NODES " ] ]", "']': in GML a key is a word");
    assert_bad("graph [ " NODES "edge [ source 0 target 1 ] ]\ngraph [ ]", ":2: '[': in GML a file has one graph");
    assert_bad("graph [ " NODES "]", "no links");
    assert_bad("graph [ node { id 0 } ]", "'{' has no meaning here in GML");
    assert_bad("graph [ node [ id 0 ] ]]", "in GML a key is a word");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_graphs),     cmocka_unit_test(test_labels),  cmocka_unit_test(test_characters),
        cmocka_unit_test(test_attributes), cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
