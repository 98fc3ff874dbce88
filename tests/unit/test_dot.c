/* DOT by its published grammar: what Graphviz reads is read, and nothing else. */
#include "support.h"

#define assert_dot(text, want) support_assert_text(text, "", want, __FILE__, __LINE__)
#define assert_dot_with(text, options, want) support_assert_text(text, options, want, __FILE__, __LINE__)
#define assert_bad(text, message) support_assert_text_refused(text, "", message, __FILE__, __LINE__)

#define assert_note(text, part) support_assert_note(text, "", part, __FILE__, __LINE__)

static void test_graphs(void **state)
{
    (void)state;
    assert_dot("graph{a--b}", "a>b b>a");
    assert_dot("digraph G { a -> b }", "a>b b>");
    assert_dot("GRAPH \"a name\" { a -- b; b -- c }\n", "a>b b>a,c c>b");
    assert_dot("DiGraph 7 {a->b->c->a}", "a>b b>c c>a");
    assert_dot("graph {\n\n  a -- a -- b\n}\n", "a>a,b b>a"); /* an undirected loop is one link */
    assert_dot("digraph <h> { c; a -> b; }", "c> a>b b>");    /* the order of names, and a node alone */
    assert_dot("digraph { a -> b; a -> b }", "a>b,b b>");     /* parallel */
    assert_dot("graph { a -- b; ; ; b -- c; }", "a>b b>a,c c>b");
    assert_dot_with("digraph { a -> b }", ":undirected", "a>b b>a");
    assert_dot(
        "digraph { graph [rankdir=LR]; rankdir = LR; node [shape=box,]; edge [color=red] a -> b [] [style=bold][] }",
        "a>b b>");
}

static void test_groups(void **state)
{
    (void)state;
    assert_dot("digraph { a -> {b c} }", "a>b,c b> c>");
    assert_dot("digraph { {a b} -> {c d} -> e }", "a>c,d b>c,d c>e d>e e>");
    assert_dot("digraph { {c; c; a} -> x }", "c>x a>x x>"); /* each node once, in the order of their numbers */
    assert_dot("digraph { a -> subgraph s { b -> c } -> d }", "a>b,c b>c,d c>d d>");
    assert_dot("digraph { subgraph s { a } subgraph s { b } x -> subgraph s {} }", "a> b> x>a,b");
    assert_dot("digraph { subgraph s { a } { subgraph s { b } } x -> subgraph s {} }", "a> b> x>a"); /* another s */
    assert_dot("digraph { subgraph q { subgraph s { a } } subgraph q { subgraph s { b; a } } x -> subgraph q {} }",
               "a> b> x>a,b");
    assert_dot("digraph { subgraph s { a } subgraph s { a } subgraph s {} -> x -> subgraph s { b } }", "a>x x>a,b b>");
    assert_dot("digraph { { { a } b } -> c }", "a>c b>c c>");
    assert_dot("digraph { {a} {b} a -> {} -> b; b -> a }", "a> b>a"); /* an empty group has no edges */
    assert_dot("digraph { {} -> {} a -> b }", "a>b b>");
    assert_dot("digraph { a, b -> c, d }", "a>c,d b>c,d c> d>"); /* as Graphviz reads it */
    assert_dot("digraph { a:port -> b:\"p 2\":ne }", "a>b b>");
}

static void test_strict(void **state)
{
    (void)state;
    assert_dot("strict graph { a -- b; b -- a; a -- b -- c }", "a>b b>a,c c>b");
    assert_dot("strict digraph { a -> b; b -> a; a -> b }", "a>b b>a");
    assert_dot("strict digraph { a -> b [width=2]; a -> b [width=3] }", "a>b,b,b b>"); /* the last value counts */
    assert_dot("strict graph { a -- a; a -- a; a -- b }", "a>a,b b>a");
    assert_dot("digraph { a -> b [key=x]; a -> b [key=y] }", "a>b,b b>");
    assert_bad("digraph {\n a -> b [key=x]\n a -> b [key=x] }",
               ":3: two edges between the same nodes with the key 'x'");
    assert_bad("graph {\n a -- b [key=x]\n b -- a [key=x] }", ":3: two edges between the same nodes with the key 'x'");
}

static void test_names(void **state)
{
    (void)state;
    assert_dot("graph { \"New York\" -- \"a \\\"b\\\"\" }", "New York>a \"b\" a \"b\">New York");
    assert_dot("graph { \"one\" + \" \" + \"two\" -- \"thr\\\nee\" }", "one two>three three>one two");
    assert_dot("graph { \"thr\\\r\nee\" -- \"a\\\\\" }", "three>a\\\\ a\\\\>three"); /* \\ stays as it is */
    assert_dot("graph { \"x\\n\" -- \"two\nlines\" }", "x\\n>two\nlines two\nlines>x\\n");
    assert_dot("graph { -.5 -- 3.25 -- 007 -- -2. }", "-.5>3.25 3.25>-.5,007 007>3.25,-2. -2.>007");
    assert_dot("graph { \"node\" -- \"graph\" }", "node>graph graph>node"); /* in quotes they are names */
    assert_dot("graph { <a <b>c</b>> -- _x9 }", "<a <b>c</b>>>_x9 _x9><a <b>c</b>>");
    assert_dot("graph { K\xc3\xb6ln -- \"\xe4\xba\xac\" }", "K\xc3\xb6ln>\xe4\xba\xac \xe4\xba\xac>K\xc3\xb6ln");
    assert_dot("graph { AZ -- az -- \xc4\x80 }",
               "AZ>az az>AZ,\xc4\x80 \xc4\x80>az"); /* the ends of the ranges of letters */
    assert_bad("graph { a -- \"\" }", "a node without a name");
    assert_dot("graph { a [label=\"A, drawn\"]; a -- b }", "a>b b>a"); /* labels are drawn; names are IDs */
}

static void test_comments(void **state)
{
    (void)state;
    assert_dot("// one\n/* two\n graph */\n#line 3\ngraph { a -- b // c\n /* { */ -- d }", "a>b b>a,d d>b");
    assert_dot("\xef\xbb\xbfgraph {\r\n a -- b\r\n}\r\n", "a>b b>a");
    assert_dot("# a\n# b\ndigraph {\n# c -> d\na -> b }", "a>b b>");
    assert_dot("graph { \"/* a */\" -- \"#b\" }", "/* a */>#b #b>/* a */");
    assert_bad("graph {\n a -- b /* }", ":2: a comment that does not end: the DOT file is cut off");
    assert_bad("graph { a -- b #c\n }", "'#' has no meaning here in DOT");
}

static void test_attributes(void **state)
{
    (void)state;
    assert_dot_with("graph { node [kind=host] a; b [kind=switch]; c [kind=host]; a -- b -- c }", ":hosts=kind=host",
                    "a>b b>a,c c>b | a c");
    /* defaults hold for nodes that are made after them, in their subgraph */
    assert_dot_with("graph { x; { node [kind=host] a; x; { b } } c; a -- x -- b -- c }", ":hosts=kind=host",
                    "x>a,b a>x b>x,c c>b | a b");
    assert_dot("graph { h [host=true] s [host=false] h -- s }", "h>s s>h | h");
    assert_dot("digraph { edge [width=2] a -> b; { edge [width=3] b -> c } c -> a; c -> b [width=1] }",
               "a>b,b b>c,c,c c>a,a,b");
    assert_dot_with("digraph { a -> b -> c [cap=\"40G\"]; c -> a [cap=\"10G\"] }", ":width=cap",
                    "a>b,b,b,b b>c,c,c,c c>a");
    assert_note("graph { a -- b [capacity=\"10 Gbps\", fontsize=9, label=\"x y\"] }",
                "read as a DOT graph; links keep capacity (width=NAME");
    assert_note("graph { a -- b [penwidth=2] }", NULL);
    assert_note("digraph { a -> b [dir=both] }", "'dir' of edges only draws arrows");
    assert_note("digraph { a -> b [dir=forward] }", NULL);
}

static void test_refused(void **state)
{
    (void)state;
    assert_bad("graph g {\n  r1 -- r2;\n  r2 -- r3;\n", ":4: the DOT file is cut off: a '}' is missing");
    assert_bad("digraph g", ":1: the DOT file is cut off: '{' begins a graph");
    assert_bad("graph { a -- ", "the DOT file is cut off: a statement begins with a node or a subgraph");
    assert_bad("graph { a -- \"b", "a text in quotes that does not end: the DOT file is cut off");
    assert_bad("graph { a -- <b", "a text in <...> that does not end");
    assert_bad("graph { a -- b [width=", "the DOT file is cut off: a value follows '='");
    assert_bad("graph {\n a -> b }", ":2: '->': in DOT edges of a graph are written '--', or it is a digraph");
    assert_bad("digraph { a -- b }", "'--': in DOT edges of a digraph are written '->'");
    assert_bad("graph { a -- b }\ngraph { c -- d }\n",
               ":2: 'graph': in DOT nothing follows the last '}': a file with several");
    assert_bad("graph { a -- b } }", "'}': in DOT nothing follows the last '}'");
    assert_bad("graph { a -- b; } c -- d", "'c': in DOT nothing follows");
    assert_bad("graph { a -- ; }", "';': in DOT a statement begins with a node or a subgraph");
    assert_bad("graph { a -- node }", "'node': in DOT a statement begins");
    assert_bad("graph { node a -- b }", "[...] follows 'graph', 'node' or 'edge'");
    assert_bad("graph { a [color] }", "']': in DOT '=' and a value follow the name of an attribute");
    assert_bad("graph { a -- b:p:n:x }", "a port has no third part");
    assert_bad("graph { {a b} [color=red] }", "a subgraph has its attributes within its braces");
    assert_bad("graph { r-1 -- b }", "'r-1' is no name of DOT: write it in quotes");
    assert_bad("graph { 10ge -- b }", "'10ge' is no name of DOT: write it in quotes");
    assert_bad("graph { a.b -- c }", "'.' has no meaning here in DOT");
    assert_bad("graph { a; b }", "no links");
}

static void test_depth(void **state)
{
    enum { DEPTH = 100000 };
    char *text = malloc(2 * DEPTH + 100), *end = text + sprintf(text, "graph ");
    (void)state;
    memset(end, '{', DEPTH);
    end[DEPTH] = 0;
    assert_bad(text, "more than 256 subgraphs of DOT within each other");
    memset(end + DEPTH, '}', DEPTH);
    end[200] = 0;
    strcat(end, "a -- b");
    memset(end + 206, '}', 200);
    end[406] = 0;
    assert_dot(text, "a>b b>a");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_graphs),  cmocka_unit_test(test_groups),   cmocka_unit_test(test_strict),
        cmocka_unit_test(test_names),   cmocka_unit_test(test_comments), cmocka_unit_test(test_attributes),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
