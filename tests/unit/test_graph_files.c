/* Networks from files: every format, told apart by content, and what each refuses. */
#include "support.h"

#include "base/memory.h"
#include "netpram/report.h"
#include "netpram/route.h"
#include "model/format/links.h"
#include "model/network/network.h"

#define assert_graph(text, options, want) support_assert_text(text, options, want, __FILE__, __LINE__)
#define assert_bad(text, options, message) support_assert_text_refused(text, options, message, __FILE__, __LINE__)
#define assert_note(text, options, part) support_assert_note(text, options, part, __FILE__, __LINE__)
#define assert_attribute(text, options, name, unit, want)                                                              \
    support_assert_attribute(text, options, name, unit, want, __FILE__, __LINE__)

/* As networkx writes them: write_edgelist, write_weighted_edgelist, write_adjlist. */
static void test_lists(void **state)
{
    (void)state;
    assert_graph("0 1 {}\n1 2 {}\n", "", "0>1 1>2 2>");
    assert_graph("0 1 {'weight': 3, 'width': 2}\n1 2 {'colour': 'a, b}', 'w': [1, 2]}\n", ":undirected",
                 "0>1,1 1>0,0,2 2>1");
    assert_graph("0 1 3.0\n1 2 1\n", ":width=weight", "0>1,1,1 1>2 2>");
    assert_graph("0\t1\n1\t0\n", ":undirected", "0>1 1>0"); /* both ways already */
    assert_graph("a b\nb c\nc a\n", "", "a>b b>c c>a");
    assert_graph("New York\tBoston\nBoston\tAlbany\n", ":undirected",
                 "New York>Boston Boston>New York,Albany Albany>Boston");
    assert_graph("source,target,width\n\"s 1\",h1,2\n\"s 1\",h2,0\n", ":undirected", "s 1>h1,h1 h1>s 1,s 1 h2>");
    assert_graph("weight;to;from\n1;7;8\n", "", "7> 8>7");
    assert_bad("x,y\n1,2\n2,1\n", "", ":1: the first line, 'x' and so on, seems to name the columns: which two are");
    assert_graph("1 2\n2 3\n3 1\n", "", "1>2 2>3 3>1"); /* numbered from 1: names */
    assert_graph("5 1000000000000\n", "", "5>1000000000000 1000000000000>");
    assert_graph("nodes 4\n1 2\n", "", "0> 1>2 2> 3>");
    assert_graph("0 0\n0 1\n0 2\n", ":undirected", "0>0,1,2 1>0 2>0");
}

/* As networkx, igraph, pandas, NumPy and SNAP write them, and as they are misread easily. */
static void test_written_by_others(void **state)
{
    (void)state;
    assert_graph("\"New York\" Boston\nBoston \"San Jose\" {}\n", "", "New York>Boston Boston>San Jose San Jose>");
    assert_graph("(0, 0) (1, 0) {}\n(1, 0) (1, 1) {}\n", "", "(0, 0)>(1, 0) (1, 0)>(1, 1) (1, 1)>");
    assert_graph("(0, 0)\t(1, 0)\n", "", "(0, 0)>(1, 0) (1, 0)>");
    assert_graph("(0, 0),(1, 0),5\n", "", "(0, 0)>(1, 0) (1, 0)>");
    assert_graph("\"#1\",b\nb,\"50% c\"\n\"50% c\",\"#1\"\n", "", "#1>b b>50% c 50% c>#1");
    assert_graph("source,target\n\"a \"\"b\"\", c\",d\n\"(x\",d\n", "", "a \"b\", c>d d> (x>d");
    assert_graph("(a b\nb (a\n", "", "(a>b b>(a");
    assert_graph(",source,target,weight\n0,a,b,3\n1,b,c,1\n2,c,a,1\n3,a,c,1\n", "", "a>b,c b>c c>a");
    assert_graph("# Nodes: 3 Edges: 2\n# FromNodeId\tToNodeId\n5\t7\n7\t9\n", "", "5>7 7>9 9>");
    assert_bad("New York Boston\nNew York Albany\n", "", ":1: the third field is no number in each line");
    assert_bad("New York Boston\nBoston San Jose 1\nRome Paris\n", "", ":2: 4 fields, but 3 in the lines above");
    assert_bad("0,5,6\n1,6,7\n2,7,8\n3,8,9\n", "", ":1: the first column numbers the lines, and may be no end");
    assert_bad("1,5,6\n2,6,7\n3,7,8\n4,8,9\n", "", ":1: the first column numbers the lines, and may be no end");
    assert_graph("0,5,6\n1,6,7\n2,7,8\n3,8,9\n", ":format=links", "0>5 1>6 2>7 3>8 5> 6> 7> 8>");
    assert_graph("0,5,6\n2,6,7\n1,7,8\n3,8,9\n", "", "0>5 1>7 2>6 3>8 5> 6> 7> 8>"); /* no index */
    assert_note("0 1 4\n1 2 4\n2 3 4\n3 4 4\n", "", "links keep weight");
    assert_bad("New York Boston {'weight': 3}\n", "", ":1: the third field is no number in each line");
    assert_bad("source,weight\na,3\n", "", ":1: the first line, 'source' and so on, seems to name the columns");
    assert_bad("source target weight\nNew York Boston 3\n", "", ":2: 4 fields, but 3 in the lines above: a name of");
    assert_bad("#madj\n0 2\n1 {}\n2 {}\n1 1\n2 {}\n2 0\n", "", ": a multi-line adjacency list (networkx.write_mult");
    assert_bad("[1, 2]\n", "", ":1: '[1, 2]': this looks like JSON of another kind");
    assert_bad("LEDA.GRAPH\nvoid\n", "", ":1: 'LEDA.GRAPH': this looks like LEDA, which is not read");
}

static void assert_unread(const char *name, size_t length, const char *data, const char *message)
{
    np_network network = {.nodes = 0};
    assert_refused(np_links_parse(name, data, length, NULL, 100, &network), NP_ERROR_INPUT, message);
}

/* What is no text, or has a name alone to tell it by. */
static void test_unread(void **state)
{
    (void)state;
    assert_unread("g", 5, "\037\213\010\000x", "g:1: this is a gzip file: unpack it first");
    assert_unread("g", 8, "\x93NUMPY\001\000", "g:1: this is a NumPy array: write its");
    assert_unread("g", 3, "0\0001", "g:1: a zero byte");
    assert_unread("g", 9, "0 1\n1 \0332\n", "g:2: a control character, byte 27");
    assert_unread("g", 8,
                  "\xff\xfe"
                  "0\0 \0001\0",
                  "g:1: this is a text in UTF-16: write it as UTF-8");
    assert_unread("g", 6, "0\0 \0001\0", "g:1: this is a text in UTF-16");
    assert_unread("g", 10, "0 1\n1\r2 3\n", "g:2: a carriage return inside a line");
    assert_unread("g", 9, "0 1\r1\r\0332\r", "g:3: a control character, byte 27");
    assert_unread("g.lgl", 8, "# a\nb 1\n", "g.lgl: a file of LGL, which is not read");
    assert_unread("g", 0, "", "g: no links: write lines");
    assert_unread("g", 26, "source,target,width\na,b,0\n", "g:2: no links: the width of each is 0");
}

#define SQUARE "0 1 0 1\n1 0 1 0\n0 1 0 1\n1 0 1 0\n"
#define EITHER "this may be a matrix or a list of links: say --file-format dense or --file-format links"

/* Tables of n lines of n numbers: what is certain, and what may be a list as well. */
static void test_dense(void **state)
{
    (void)state;
    assert_graph(SQUARE, "", "0>1,3 1>0,2 2>1,3 3>0,2");
    assert_graph(SQUARE, ":format=links:directed", "0>1,1 1>0,0");
    assert_graph("0,1,0,0\n1,0,1,0\n0,1,0,1\n0,0,1,0\n", "", "0>1 1>0,2 2>1,3 3>2");
    assert_graph("0;2;0;0\n2;0;5;0\n0;5;0;1\n0;0;1;0\n", ":width=weight", "0>1,1 1>0,0,2,2,2,2,2 2>1,1,1,1,1,3 3>2");
    assert_graph("0 1 1 0\n0 0 0 0\n0 0 0 1\n0 0 0 0\n", "", "0>1,2 1> 2>3 3>");
    assert_graph("0.0 2.5 0.0\n1e0 0 0\n0 1.5 0\n", ":directed", "0>1 1>0 2>1");
    assert_graph("a b c\n0 1 0\n1 0 1\n0 1 0\n", "", "a>b b>a,c c>b");
    assert_graph(",a,b\na,0,1\nb,3,0\n", "", "a>b b>a");
    assert_graph(",0,1,2\n0,0,1,0\n1,0,0,1\n2,1,0,0\n", "", "0>1 1>2 2>0");
    assert_graph("\"s 1\" b c\n\"s 1\" 0 1 0\nb 1 0 1\nc 0 1 0\n", "", "s 1>b b>s 1,c c>b");
    assert_graph("a 0 1 0\nb 1 0 1\nc 0 1 0\n", "", "a>b b>a,c c>b");
    assert_bad("0 1 1\n1 0 1\n1 1 0\n", "", ":1: 3 lines of 3 fields: " EITHER);
    assert_graph("0 1 1\n1 0 1\n1 1 0\n", ":format=dense", "0>1,2 1>0,2 2>0,1");
    assert_graph("0 1 1\n1 0 1\n1 1 0\n", ":format=links:directed", "0>1 1>0,1");
    assert_bad("0 1 9 9\n1 2 9 9\n2 3 9 9\n3 0 9 9\n", "", ":1: 4 lines of 4 fields: " EITHER);
    assert_bad("0 0\n0 1\n", "", ":1: 2 lines of 2 fields: " EITHER);
    assert_bad("0 1 0.5\n2 0 0.5\n1 1 0\n", "", ":1: 3 lines of 3 fields: " EITHER); /* 0 on the diagonal */
    assert_graph("0 1 0.5\n1 2 0.5\n2 0 0.5\n", ":undirected", "0>1,2 1>0,2 2>1,0");
    assert_graph("0 1\n1 2\n", ":directed", "0>1 1>2 2>");
    assert_note(SQUARE, "", "read as a matrix; every link comes in both directions: the 8 links are 4 cables");
    assert_bad("0 1 1\n1 0 1\n", ":format=dense", "2 lines of 3 fields: a matrix has as many rows as columns");
    assert_bad("0 -1\n1 0\n", ":format=dense", ":1: '-1' in column 2 is no number of 0 or more");
    assert_bad(",a,b\na,0,1\nc,1,0\n", ":format=dense", ":3: row 'c', but column 2 has another name");
    assert_bad("a,a\n0,1\n1,0\n", ":format=dense", ":1: 'a' names two nodes");
}

/* The ends that the first line names, and first lines that are no link. */
static void test_columns(void **state)
{
    (void)state;
    assert_graph("Node A;Node B\nx;y\n", "", "x>y y>");
    assert_graph("label src dest weight\nL0 x y 1\n", "", "x>y y>");
    assert_graph("Local Device,Local Port,Remote Device,Remote Port\nx,1,y,2\n", "", "x>y y>");
    assert_graph("target_id\tsource_id\nx\ty\n", "", "y>x x>");
    assert_graph("FromNodeId ToNodeId\nx y\n", "", "x>y y>");
    assert_graph("source_id,source_name,target_id,target_name\n4,x,5,y\n", "", "4>5 5>");
    assert_graph("u v\n1 2\n", "", "1>2 2>");
    assert_graph("u v\nv w\n", "", "u>v v>w w>");
    assert_bad("date,open,high\n2025-03-03,1.5,2\n", "", ":1: the first line, 'date' and so on, seems to name the");
    assert_bad("host switch\nh1 s1\n", "", ":1: the first line, 'host' and so on, seems to name the columns");
    assert_bad("source target from to\na b c d\n", "", "the columns 'source...' and 'from...' both name an end");
    assert_bad("source target destination\na b c\n", "", "the columns 'source...' and 'source...' both name an end");
    assert_bad("4 3\n0 1\n1 2\n2 3\n", "", ":1: the first line may be a link, or the counts of nodes and links");
    assert_bad("3 4\n0 1\n1 2\n2 3\n", "", ":1: the first line may be a link, or the counts of nodes and links");
    assert_graph("4 4\n0 1\n1 2\n2 3\n", ":directed", "0>1 1>2 2>3 3> 4>4");
    assert_bad("4 3 1\n0 1\n1 2\n2 3\n", "", ":2: 2 fields, but 3 in the lines above");
    assert_bad("4 3\n0 1 5\n1 2 5\n2 3 5\n", "", ":4: the file ends after 3 of 4 nodes of an Inet topology");
}

/* One separator, as many fields in each line, quotes and comments where they belong. */
static void test_clean(void **state)
{
    (void)state;
    assert_graph("r2#east r3\nr3 r2#east\n", "", "r2#east>r3 r3>r2#east");
    assert_graph("a,b\rb,c\r", "", "a>b b>c c>");
    assert_graph("0\t1\t{'width': 2}\n1\t2\t{}\n", "", "0>1,1 1>2 2>");
    assert_graph("K\xc3\xb6ln \xf0\x9f\x8c\x8d\n", "", "K\xc3\xb6ln>\xf0\x9f\x8c\x8d \xf0\x9f\x8c\x8d>");
    assert_bad("a b\nK\xf6ln b\n", "", ":2: byte 246 is no character of UTF-8");
    assert_bad("a \xc0\xaf\n", "", ":1: byte 192 is no character");     /* '/' in two bytes */
    assert_bad("a \xe0\x80\xaf\n", "", ":1: byte 224 is no character"); /* in three */
    assert_bad("a \xed\xa0\x80\n", "", ":1: byte 237 is no character"); /* a surrogate */
    assert_bad("a \xf4\x90\x80\x80\n", "", ":1: byte 244 is no character");
    assert_bad("a \xe2\x82", "", ":1: byte 226 is no character"); /* cut */
    assert_graph("New York,Boston\nSan Jose,New York\n", "", "New York>Boston Boston> San Jose>New York");
    assert_graph("a; b;3,5\nb; c;4\n", "", "a>b b>c c>");
    assert_bad("Oslo,Norway Bergen,Norway 7\nBergen,Norway Lund,Sweden 8\n", "",
               ":1: commas and blanks both separate the fields of all lines");
    assert_bad("a;b,c\nb;c,d\n", "", ":1: commas and semicolons both separate the fields of all lines");
    assert_bad("New York\tBoston Bay\nBoston Bay\tNew York\n", "", ":1: tabs and blanks both separate the fields");
    assert_bad("a,b\nb\n", "", ":2: 1 field, but 2 in the lines above");
    assert_bad("a,b,\nb,c\n", "", ":2: 2 fields, but 3 in the lines above");
    assert_bad("a,b\nb,\"c\nd\"\n", "", ":2: a quote at the begin of a field, and none at its end");
    assert_bad("'New York' 'Boston Bay'\n'Boston Bay' 'New York'\n", "", ":1: a quote at the begin of a field");
    assert_bad("a,b # spare\nb,c\n", "", ":1: a field has a '#' behind a blank");
    assert_bad("a - b\nb - c\n", "", ":1: an arrow such as '--' or '->', or a word with a colon");
    assert_bad("spine: leaf\nleaf: spine\n", "", ":1: an arrow such as '--' or '->', or a word with a colon");
    assert_graph("fe80:: fe81::\nfe81:: fe82::\n", ":directed", "fe80::>fe81:: fe81::>fe82:: fe82::>");
    assert_bad("a 1.5\nb 2.0\n", "", ":1: numbers with a fraction or a sign stand where nodes should");
    assert_bad("a, b\nb c\n", "", ":1: some fields end with a comma or a semicolon");
    assert_bad("1 first\n2 second\n#\n1 2\n", "", "a line '#' between others: this looks like Trivial Graph Format");
    assert_graph("#\n# two\n#\n1 2\n2 3\n", ":directed", "1>2 2>3 3>");
    assert_bad("source,target\na,b\nsource,target\nb,c\n", "", ":3: the names of the columns again");
    assert_bad("3 3\n2 3\n3 1\n1 1\n", "", ":1: the first line may be a link, or the counts"); /* no METIS graph */
    assert_bad("Each line is a cable.\nAsk the team before you change it.\n", "",
               ":2: 7 words, but 5 in the lines above");
    assert_bad("a\nb\n", "", ":1: 1 field: a line is 'from to'");
}

/* Cables that a file lists at both ends, at one end, or at some of them. */
static void test_both_ways(void **state)
{
    (void)state;
    assert_graph("a b\nb a\na b\nb a\n", ":undirected", "a>b,b b>a,a"); /* parallel cables stay parallel */
    assert_graph("a b\nb a\nb c\n", ":undirected", "a>b b>a,c c>b");
    assert_graph("a b\nb a\nb c\n", ":directed", "a>b b>a,c c>");
    assert_graph("a b\nb a\nb c\nc d\nd e\n", ":undirected", "a>b,b b>a,a,c c>b,d d>c,e e>d");
    assert_graph("source,target,width\na,b,2\nb,a,1\n", ":undirected", "a>b,b b>a,a");
    assert_graph("source,target,width\na,b,5\nb,a,3\n", ":undirected", "a>b,b,b,b,b b>a,a,a,a,a");
    assert_note("a b\nb a\nb c\n", ":undirected", "2 of 3 links come in both directions: two opposite links are one");
    assert_note("a b\nb a\nb c\nc d\nd e\n", ":undirected", "2 of 5 links come in both directions, too few to be one");
    assert_bad("a b\nb a\nb c\n", "", ": 2 of 3 links come in both directions, but from b to c one comes without");
    assert_graph("p edge 3 4\ne 1 2\ne 2 1\ne 2 3\ne 3 2\n", "", "0>1 1>0,2 2>1");
    assert_note(
        "{\"directed\": false, \"nodes\": [{\"id\": 1}, {\"id\": 2}], \"links\": [{\"source\": 1, \"target\": 2}, "
        "{\"source\": 2, \"target\": 1}]}",
        "", "every link comes in both directions: the 2 links are 1 cable");
    assert_bad("p edge 3 3\ne 1 2\ne 2 1\ne 2 3\n", "", "2 of 3 links come in both directions, but from 2 to 3 one");
    assert_bad("%%MatrixMarket matrix coordinate pattern symmetric\n2 2 2\n1 2\n2 1\n", "",
               ":4: entry (2,1): there are entries in both triangles of a symmetric matrix");
    assert_bad("3 2\n2\n1 3\n1\n", ":format=metis", ": node 3 has neighbour 1, but node 1 has not 3");
}

static void test_neighbours(void **state)
{
    (void)state;
    assert_bad("0 1 3\n1 0 2\n2 1 3\n3 2 0\n", "", "may be a list of neighbours or a list of links");
    assert_graph("0 1 3\n1 0 2\n2 1 3\n3 2 0\n", ":format=adjacency", "0>1,3 1>0,2 2>1,3 3>2,0");
    assert_graph("0 1 1\n1 2 1\n2 3 1\n3 0 1\n", ":directed", "0>1 1>2 2>3 3>0"); /* weights: no node twice */
    assert_bad("3\n0 1 2\n1 0\n2 0\n", "", ":1: 1 number above lines of 3 fields: the first line");
    assert_note("a b c\nb\n", ":format=adjacency:directed", "not every node has a line");
    assert_graph("# adjlist\n0 1 2\n1 2\n2 3\n3\n", ":undirected", "0>1,2 1>0,2 2>0,1,3 3>2");
    assert_graph("a b c d\nb\nc d\nd\n", "", "a>b,c,d b> c>d d>");
    assert_graph("a,b,\nb,,\n", ":format=adjacency", "a>b b>");
}

#define METIS "% Figure 2 of the manual\n7 11\n5 3 2\n1 3 4\n5 4 2 1\n2 3 6 7\n1 3 6\n5 4 7\n6 4\n"
#define METIS_WEIGHTED "3 2 011\n5 2 4\n7 1 4 3 1\n9 2 1\n"

static void test_metis(void **state)
{
    (void)state;
    assert_graph(METIS, "", "0>4,2,1 1>0,2,3 2>4,3,1,0 3>1,2,5,6 4>0,2,5 5>4,3,6 6>5,3");
    assert_graph(METIS_WEIGHTED, "", "0>1 1>0,2 2>1");
    assert_graph(METIS_WEIGHTED, ":width=weight", "0>1,1,1,1 1>0,0,0,0,2 2>1");
    assert_graph("3 1\n2\n1\n\n", "", "0>1 1>0 2>"); /* an empty line is a node */
    assert_note(METIS, "", "a METIS graph; its node 1 is node 0 here");
    assert_bad("3 2\n2\n1\n\n", ":format=metis", ":4: 3 nodes and 2 edges are promised, but 3 lines with 2 neighbours");
    assert_bad("2 1\n3\n1\n", ":format=metis", ":2: node 3 is out of range 1..2");
    static const struct {
        const char *text, *refusal;
    } bad[] = {
        {"2 1 002\n", "three digits"},
        {"2 1 020\n", "three digits"},
        {"2 1 112\n", ":1: the format 112 is out of range 0..111"},
        {"2 1 010 0\n", ":1: the number of constraints 0 is out of range 1..1000"},
        {"2 1 010 1001\n", ":1: the number of constraints 1001 is out of range 1..1000"},
        {"0 0\n", ":1: the number of nodes 0 is out of range"},
        {"2\n2\n1\n", ":1: 1 field from '2' on: a line is 'nodes edges [format [constraints]]'"},
        {"2 1 0 1 1\n2\n1\n", ":1: 5 fields from '2' on"},
        {"% only a comment\n", "a METIS graph begins with a line 'nodes edges [format]'"},
        {"2 1 1\n2 3\n1 4\n", ": an edge has another weight in the line of its other node"},
        {"2 1 1\n2 3.5\n1 3.5\n", ":2: weight '3.5' is not a whole number"},
        {"2 1 1\n2 4294967296\n1 4294967296\n", ":2: weight 4294967296 is out of range 0..4294967295"},
        {"2 1 1\n2\n1 3\n", ":2: a neighbour without its weight"},
        {"3 2\n2 3\n1 1\n\n", ": node 1 has neighbour 3, but node 3 has not 1"},
        {"3 2\n2\n1 3\n2 1\n", ": 3 nodes and 2 edges are promised, but 3 lines with 5 neighbours follow"},
        {"3 1\n2\n1\n", ": 3 nodes and 1 edges are promised, but 2 lines with 2 neighbours follow"},
        {"2 1\n0\n1\n", ":2: node 0 is out of range 1..2"},
        {"2 1\n2 # x\n1 y\n", ":3: node 'y' is not a whole number"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_bad(bad[i].text, ":format=metis", bad[i].refusal);
    /* sizes and weights of nodes come before the neighbours: sizes are one number, weights one for each constraint */
    assert_graph("2 1 100\n9 2\n9 1\n", "", "0>1 1>0");
    assert_graph("2 1 010 3\n9 9 9 2\n9 9 9 1\n", "", "0>1 1>0");
    assert_graph("2 1 110 2\n9 9 9 2\n9 9 9 1\n", "", "0>1 1>0");
    assert_graph("  % c\n2 1\n # d\n2\n1\n\n\n", "", "0>1 1>0");
    assert_graph("2 2\n2 2\n1 1\n", "", "0>1,1 1>0,0"); /* parallel */
    assert_bad("2 1\n2\n1\n2\n", "", "");               /* a line too many: no METIS, and no clean list */
}

static void test_dimacs(void **state)
{
    (void)state;
    assert_graph("c a path\np edge 3 2\ne 1 2\ne 2 3\n", "", "0>1 1>0,2 2>1");
    assert_graph("p sp 3 2\na 1 2 4\na 2 3 1\n", ":width=weight", "0>1,1,1,1 1>2 2>");
    assert_graph("p min 2 1\nn 1 4\na 1 2 0 3 7\n", ":width=weight", "0>1,1,1 1>");
    assert_bad("p edge 3 3\ne 1 2\n", "", ":2: the file ends after 1 of 3 edges");
    assert_bad("p edge 3 1\nx 1 2\n", "", ":2: 'x': a line of a DIMACS graph begins with c, e, a or n");
    assert_bad("p cnf 3 1\n1 2 0\n", "", ":1: DIMACS format 'cnf' is not read");
    static const struct {
        const char *text, *refusal;
    } bad[] = {
        {"p edge 3 1\ne 1 4\n", ":2: node 4 is out of range 1..3"},
        {"p edge 3 1\ne 0 1\n", ":2: node 0 is out of range 1..3"},
        {"p edge 0 1\ne 0 1\n", ":1: the number of nodes 0 is out of range"},
        {"p edge 3 1\ne 1 2\ne 2 3\n", ":3: the file ends after 2 of 1 edges"},
        {"p edge 3 4\ne 1 2\n", ":2: the file ends after 1 of 4 edges"},
        {"p edge 3 4\ne 1 2\ne 2 3\ne 3 1\n", ":4: the file ends after 3 of 4 edges"},
        {"p edge 3 1\ne 1\n", ":2: 2 fields from 'e' on: a line is 'e FROM TO [WEIGHT]'"},
        {"p edge 3 1\ne 1 2 3 4\n", ":2: 5 fields from 'e' on"},
        {"p min 3 1\na 1 2 0 1 2 3\n", ":2: 7 fields from 'a' on: a line is 'a FROM TO LOW CAPACITY COST'"},
        {"p edge 2 0\n", "no links"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_bad(bad[i].text, "", bad[i].refusal);
    assert_graph("p edge 3 2\ne 1 2\n", "", "0>1 1>0 2>"); /* every edge is counted twice */
    assert_graph("p col 2 1\ne 2 2\n", "", "0> 1>1");
    assert_graph("p col 2 1\ne 1 2\n", "", "0>1 1>0");
    assert_graph("p max 2 1\na 1 2 3\n", "", "0>1 1>");
    assert_bad("p edge 2 1 1\ne 1 2\n", ":format=dimacs", ":1: 5 fields from 'p' on: a line is 'p FORMAT NODES EDGES'");
    assert_bad("p edge 2\ne 1 2\n", ":format=dimacs", ":1: 3 fields from 'p' on");
    assert_bad("c\n", ":format=dimacs", "a DIMACS graph begins with a line 'p FORMAT NODES EDGES'");
    assert_graph("p edges 2 1\ne 1 2\n", "", "0>1 1>0");
    assert_graph("p asn 2 1\nn 1\na 1 2 7\n", "", "0>1 1>");
}

#define HEAD "<?xml version='1.0' encoding='utf-8'?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
#define KEYS                                                                                                           \
    "<key id=\"d0\" for=\"node\" attr.name=\"kind\"><default>switch</default></key>\n"                                 \
    "<key id=\"d1\" for=\"edge\" attr.name=\"width\"/>\n"
#define GRAPHML                                                                                                        \
    HEAD KEYS "<graph edgedefault=\"undirected\">\n<node id=\"a\"><data key=\"d0\">host</data></node>\n"               \
              "<node id=\"b\"/><node id=\"c\"/>\n<edge source=\"a\" target=\"b\"><data key=\"d1\">2</data></edge>\n"   \
              "<edge source=\"b\" target=\"c\"/>\n</graph></graphml>\n"

static void test_graphml(void **state)
{
    np_network *network;
    (void)state;
    if (support_network_of_text(GRAPHML, "", &network) == NP_ERROR_APPLY) { /* built without expat */
        assert_non_null(strstr(np_last_error(), "libexpat1-dev"));
        skip();
    }
    np_network_free(network);
    assert_graph(GRAPHML, "", "a>b,b b>a,a,c c>b");
    assert_graph(GRAPHML, ":directed", "a>b,b b>c c>");
    assert_graph(GRAPHML, ":hosts=kind=host", "a>b,b b>a,a,c c>b | a");
    assert_graph(HEAD "<graph edgedefault='directed'><edge source='x' target='y' directed='false'/></graph></graphml>",
                 "", "x>y y>x");
    assert_bad(HEAD "<graph><edge source='x'/></graph></graphml>", "", ":3: an edge without target");
    assert_bad(HEAD "<graph>\n<edge source='x' target='y'>", "", ":4: this is no XML: no element found");
    assert_bad(HEAD "<graph><node id='x'/></graph>\n<graph/></graphml>", "", ":4: a second graph");
    assert_graph(
        HEAD "<key id='l' for='node' attr.name='label'/><graph edgedefault='directed'><node id='n0'><data key='l'>Oslo"
             "</data></node><node id='n1'/><edge source='n0' target='n1'/></graph></graphml>",
        "", "Oslo>n1 n1>");
    assert_bad("<svg:svg><g/></svg:svg>", "", ":1: an XML file of 'svg': only GraphML and GEXF are read");
    assert_bad("<!-- > --><!DOCTYPE html>\n<html>", "", ":1: this is HTML, a page of the web");
    assert_bad(HEAD KEYS "<graph><edge source='x' target='y'><data key='d1'>2.5</data></edge></graph></graphml>", "",
               ":5: width '2.5' is no number of parallel links");
    assert_bad(GRAPHML, ":hosts=kind=router", "no node");
    assert_bad(GRAPHML, ":hosts=rack=1", "no node of");
}

#define NODE_LINK                                                                                                      \
    "{\"directed\": false, \"multigraph\": false, \"graph\": {},\n \"nodes\": [{\"id\": \"a\", \"host\": true}, "      \
    "{\"id\": 7}],\n \"links\": [{\"width\": 2, \"source\": \"a\", \"target\": 7}]}\n"

static void test_node_link(void **state)
{
    (void)state;
    assert_graph(NODE_LINK, "", "a>7,7 7>a,a | a"); /* "host" tells hosts from switches */
    assert_graph(NODE_LINK, ":hosts=host=true", "a>7,7 7>a,a | a");
    assert_graph(NODE_LINK, ":hosts=*", "a>7,7 7>a,a | a 7");
    assert_graph("{\"nodes\": [{\"id\": [0, 1]}, {\"id\": [\"a\", [0.5, null]]}, {\"id\": [\"it's\"]}],"
                 " \"links\": [{\"source\": [0, 1], \"target\": [\"a\", [0.5, null]]}]}",
                 ":directed:hosts=(0, 1),(\"it's\",)",
                 "(0, 1)>('a', (0.5, None)) ('a', (0.5, None))> (\"it's\",)> | (0, 1) (\"it's\",)");
    assert_bad("{\"nodes\": [{\"id\": {}}], \"links\": []}", "", "nodes[0]: an id is a text, a number or a short list");
    assert_bad("{\"nodes\": [{\"id\": [{}]}], \"links\": []}", "",
               "nodes[0]: an id is a text, a number or a short list");
    assert_graph("{\"directed\": true, \"nodes\": [{}, {}], \"edges\": [{\"source\": 0, \"target\": 1}]}", "",
                 "0>1 1>");
    assert_bad("{\"nodes\": []}", "", "this JSON is no node-link graph");
    assert_bad("{\"nodes\": [\n", "", ":2: this is no JSON");
    assert_bad("{\"nodes\": [{\"id\": 1}, {\"id\": 1}], \"links\": []}", "",
               "nodes[1]: '1' is the id of an earlier node");
    assert_bad("{\"nodes\": [{\"id\": 1}], \"links\": [{\"source\": 1}]}", "", "links[0] lacks its 'target'");
    assert_bad("{\"nodes\": [{\"id\": 1}], \"links\": [{\"source\": 1, \"target\": 2}]}", "",
               "links[0]: no node has the id '2'");
}

static void test_matrices(void **state)
{
    (void)state;
    assert_graph("%%MatrixMarket matrix coordinate integer symmetric\n2 2 1\n2 1 3\n", "", "0>1 1>0");
    assert_graph("%%MatrixMarket matrix coordinate integer general\n2 2 1\n2 1 3\n", ":width=weight", "0> 1>0,0,0");
}

/*  Two switches with two hosts each: h0 h1 - s0 = s1 - h2 h3 */
#define TREE "h0 s0 1\nh1 s0 1\ns0 s1 2\ns1 h2 1\ns1 h3 1\n"
#define HOSTED(list) "h0>s0 s0>h0,h1,s1 h1>s0 s1>s0,h2,h3 h2>s1 h3>s1 | " list

static void test_hosts(void **state)
{
    char *list = support_file("# hosts\nh3, h0\n"), options[128];
    (void)state;
    assert_graph(TREE, ":undirected:hosts=degree=1", HOSTED("h0 h1 h2 h3"));
    assert_graph(TREE, ":undirected:hosts=h*", HOSTED("h0 h1 h2 h3"));
    assert_graph(TREE, ":hosts=h3,h0:undirected", HOSTED("h0 h3"));
    assert_graph("\"a, \"\"b\"\"\",c\nc,\"a, \"\"b\"\"\"\n", ":hosts=\"a, \"\"b\"\"\"",
                 "a, \"b\">c c>a, \"b\" | a, \"b\"");
    assert_bad("\"a, b\",c\n", ":hosts=\"a, c\"", "node 'a, c' is no node of the network: did you mean 'a, b'?");
    assert_graph("a,b\nb,\"#1\"\n\"#1\",a\n", ":hosts=#1,b", "a>b b>#1 #1>a | b #1");
    assert_bad("a b\nb a\n", ":hosts=a\nb", "node 'a\\x0ab' is no node of the network");
    assert_bad("a b\nb a\n", ":hosts=\"a\"b", "node '\"a\"b' is no node of the network");
    snprintf(options, sizeof options, ":undirected:hosts=file:%s", list);
    assert_graph(TREE, options, HOSTED("h0 h3"));
    assert_graph("0 1\n1 2\n2 3\n", ":undirected:hosts=2..3", "0>1 1>0,2 2>1,3 3>2 | 2 3");
    assert_bad(TREE, ":hosts=h9", "node 'h9' is no node of the network: did you mean 'h0'?");
    assert_bad(TREE, ":hosts=h0,h1,h0", "host 'h0' is named twice");
    assert_bad(TREE, ":hosts=degree=9", "no node of");
    assert_bad(TREE, ":hosts=degree=x", "the degree must be a whole number");
    assert_bad(TREE, ":hosts=", "'hosts=' lacks its value");
    assert_bad(TREE, ":hosts=q*", "no node of");
    remove(list);
    free(list);
}

/* By way of hosts, too: every packet arrives. */
static void test_routes(const np_network *network)
{
    static const char *const schemes[] = {"greedy", "valiant"};
    for (size_t i = 0; i < 2; i++) {
        np_route_options options;
        np_route_result *result;
        np_route_options_init(&options);
        options.scheme = schemes[i];
        assert_ok(np_route(network, "all-to-all", &options, &result));
        assert_int_equal(result->packets, 12);
        np_route_result_free(result);
    }
}

static void test_traffic_between_hosts(void **state)
{
    np_network *network;
    np_traffic *traffic;
    static const np_node from[] = {0, 1}, to[] = {2, 0};
    (void)state;
    assert_ok(support_network_of_text(TREE, ":undirected:hosts=h*", &network));
    assert_int_equal(np_network_terminals(network), 4);
    assert_ok(np_traffic_create("random", network, 1, 0, &traffic));
    assert_int_equal(np_traffic_packets(traffic), 4);
    for (np_packet i = 0; i < 4; i++) {
        assert_true(np_network_is_host(network, np_traffic_sources(traffic)[i]));
        assert_true(np_network_is_host(network, np_traffic_destinations(traffic)[i]));
    }
    np_traffic_free(traffic);
    assert_ok(np_traffic_from_arrays(network, 1, from, to, NULL, &traffic));
    np_traffic_free(traffic);
    assert_refused(np_traffic_from_arrays(network, 2, from, to, NULL, &traffic), NP_ERROR_INPUT,
                   "packet 1 goes from s0 to h0: on");
    assert_ok(np_traffic_create("hotspot:h2", network, 1, 0, &traffic)); /* by name: node 4 */
    assert_int_equal(np_traffic_destinations(traffic)[0], 4);
    np_traffic_free(traffic);
    assert_ok(np_traffic_create("hotspot:h2:0.5", network, 1, 0, &traffic));
    np_traffic_free(traffic);
    assert_refused(np_traffic_create("hotspot:s1", network, 1, 0, &traffic), NP_ERROR_INPUT, "node 's1' is a switch");
    test_routes(network);
    np_network_free(network);
}

/* A name may end like the senders of incast or the share of hotspot: of two readings none is taken. */
static void test_names_with_colons(void **state)
{
    np_network *network;
    np_traffic *traffic;
    (void)state;
    assert_ok(support_network_of_text("n:1 n:2\nn:2 m\nm m:1\nm:1 n:1\n", ":undirected", &network));
    assert_ok(np_traffic_create("incast:n:2", network, 1, 0, &traffic));
    assert_int_equal(np_traffic_packets(traffic), 3);
    assert_int_equal(np_traffic_destinations(traffic)[0], 1);
    np_traffic_free(traffic);
    assert_ok(np_traffic_create("incast:n:2:2", network, 1, 0, &traffic));
    assert_int_equal(np_traffic_packets(traffic), 2);
    np_traffic_free(traffic);
    assert_ok(np_traffic_create("hotspot:m:0.5", network, 1, 0, &traffic));
    np_traffic_free(traffic);
    assert_refused(np_traffic_create("incast:m:1", network, 1, 0, &traffic), NP_ERROR_INPUT,
                   "is this node 'm:1', or node 'm' and '1'? Both are there");
    assert_refused(np_traffic_create("incast:k:1", network, 1, 0, &traffic), NP_ERROR_INPUT, "node 'k' is no node");
    np_network_free(network);
}

static void test_notes(void **state)
{
    (void)state;
    assert_note("0 1\n1 2\n", "", "read as a list of links; each line is one directed link (assumed");
    assert_note("0 1\n1 0\n", "", "every link comes in both directions: the 2 links are 1 cable");
    assert_note("0 1\n1 0\n", ":directed", NULL);
    assert_note("0 1\n1 2\n", ":undirected", NULL);
    assert_note("0 1 5\n1 2 5\n", ":directed", "links keep weight (width=NAME makes one");
    assert_note("0 1 {'a': 1, 'b': 'x'}\n", ":directed", "links keep a (width=NAME");
    assert_note("0 1 5 6\n1 2 5 6\n", ":directed", "columns behind the third are not used");
    assert_note("0 1 5\n1 2 5\n", ":directed", "a list of links; links keep weight");
    assert_note("0 1 {'width': 1}\n", ":directed", NULL);
    assert_note("0 1 2\n1\n2\n", "", "a list of neighbours");
    assert_note("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 2.5\n", "",
                "the values of a skew-symmetric matrix are not used");
}

/* Numbers of links are kept where the format has them. */
static void test_attributes(void **state)
{
    static const struct {
        const char *text, *name, *unit, *want;
    } cases[] = {
        {"0 1 2.5\n1 2 -3\n", "weight", "", "2.5 -3"},
        {"0 1 10Gbps\n1 2 5Gbps\n", "weight", "bit/s", "1e+10 5e+09"},
        {"a,b,2\nb,c,\n", "weight", "", "2 -"},
        {"source,target,capacity,delay,kind\na,b,10,5ms,x\nb,c,,1ms,y\n", "capacity", "", "10 -"},
        {"source,target,capacity,delay,kind\na,b,10,5ms,x\nb,c,,1ms,y\n", "delay", "s", "0.005 0.001"},
        {"source,target,capacity,delay,kind\na,b,10,5ms,x\nb,c,,1ms,y\n", "kind", NULL, ""},
        {"weight;to;from\n1;7;8\n2;8;7\n", "weight", "", "2 1"},
        {",source,target,w\n0,a,b,3\n1,b,c,1\n", "w", "", "3 1"},
        {",source,target,w\n0,a,b,3\n1,b,c,1\n", "", NULL, ""},
        {"0 1 {'weight': 3, 'kind': 'x'}\n1 2 {'weight': 4}\n", "weight", "", "3 4"},
        {"0 1 {'weight': 3, 'kind': 'x'}\n1 2 {'weight': 4}\n", "kind", NULL, ""},
        {"0 2 3 0\n2 0 0 5\n3 0 0 1\n0 5 1 0\n", "weight", "", "2 3 2 5 3 1 5 1"},
        {SQUARE, "weight", NULL, ""},
        {"%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 2.5\n2 1 -1e3\n", "weight", "", "2.5 -1000"},
        {"%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n2 1 2.5\n", "weight", "", "2.5 2.5"},
        {"%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 2.5\n", "weight", NULL, ""},
        {"%%MatrixMarket matrix coordinate pattern general\n2 2 1\n2 1\n", "weight", NULL, ""},
        {METIS_WEIGHTED, "weight", "", "4 4 1 1"},
        {"3 2 111 2\n9 5 5 2 4\n8 7 7 1 4 3 1\n6 9 9 2 1\n", "weight", "", "4 4 1 1"},
        {"2 1 101\n7 2 3\n9 1 3\n", "weight", "", "3 3"},
        {"2 1 100\n7 2\n9 1\n", "weight", NULL, ""},
        {"2 1 10\n7 2\n9 1\n", "weight", NULL, ""},
        {"p sp 2 2\na 1 2 3\na 2 1 0.5\n", "weight", "", "3 0.5"},
        {"p max 2 1\nn 1 s\nn 2 t\na 1 2 3\n", "weight", "", "3"},
        {"p min 2 1\na 1 2 1 3 7\n", "weight", "", "3"},
        {"p min 2 1\na 1 2 1 3 7\n", "low", "", "1"},
        {"p min 2 1\na 1 2 1 3 7\n", "cost", "", "7"},
        {"p edge 2 1\ne 1 2\n", "weight", NULL, ""},
        {"p edge 2 1\ne 1 2 6\n", "weight", "", "6 6"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_attribute(cases[i].text, "", cases[i].name, cases[i].unit, cases[i].want);
}

/* What may be a header is one if something tells it from a link. */
static void test_headers(void **state)
{
    (void)state;
    assert_graph("x y\ny z\n", "", "x>y y>z z>");
    assert_graph("x y\na b\nb c\n", "", "x>y y> a>b b>c c>");
    assert_graph("port,node\nnode,x\n", "", "port>node node>x x>");
    assert_graph("port,node\nx,port\n", "", "port>node node> x>port");
    assert_bad("port,node\nx,a\n", "", ":1: the first line, 'port' and so on, seems to name the columns");
    assert_bad("source target\nsource a\na target\n", "", ":1: 'source' and 'target' may name the columns or be nodes");
    assert_graph("source target capacity\nsource a 3\na target 2\n", "", "source>a a>target target>");
    assert_graph("u v\nv w\n", "", "u>v v>w w>");
    assert_graph("u v\n1 2\n2 1\n", ":directed", "1>2 2>1");
}

static void test_bad_files(void **state)
{
    (void)state;
    assert_bad("0 1\n", ":width=speed", "no link has an attribute 'speed'");
    assert_bad("0 1 3\n", ":width=weight/2", ": width 'weight': 3 is no whole multiple of 2, the unit");
    assert_bad("0 1\n", ":directed:undirected", "choose one");
    assert_bad("0 1\n", ":format=adjacncy", "no format 'adjacncy': did you mean 'adjacency'?");
    assert_bad("0 1 {'width': 2\n", "", ":1: '{'width': 2' is no list of attributes");
    assert_bad("0 1 -3\n", ":width=weight", ":1: width '-3' is no number of parallel links");
    assert_bad("*Vertices 3\n1 \"a\"\n", "", "this looks like Pajek, which is not read");
    assert_bad("nodes 1000000000\n0 1\n5 2\n", "",
               "1000000000 nodes are promised, but only 2 links follow: most nodes would "
               "have none. Promise fewer: the links need 6");
    assert_bad("a b {'width': 4294967294}\nc d {'width': 4294967294}\n", "", "8589934588 links: at most");
}

static void test_lists_of_arrays(void **state)
{
    static const np_node from[] = {0, 1}, to[] = {1, 2}, host[] = {2, 0};
    static const uint32_t width[] = {2, 1};
    static const char *const name[] = {"x", "y", "z"}, *const twice[] = {"x", "y", "x"};
    np_network_lists lists = {.nodes = 3,
                              .links = 2,
                              .from = from,
                              .to = to,
                              .width = width,
                              .undirected = true,
                              .name = name,
                              .hosts = 2,
                              .host = host};
    np_network *network;
    (void)state;
    assert_ok(np_network_from_lists(&lists, &network));
    assert_int_equal(np_network_links(network), 6);
    assert_int_equal(np_network_find_node(network, "z"), 2);
    assert_int_equal(np_network_find_node(network, "w"), NP_NONE);
    assert_int_equal(np_network_terminals(network), 2);
    assert_int_equal(np_network_output(network, 1), 2);
    assert_false(np_network_is_host(network, 1));
    np_network_free(network);
    lists.name = twice;
    assert_refused(np_network_from_lists(&lists, &network), NP_ERROR_INPUT, "nodes 0 and 2 are both called 'x'");
    lists.name = NULL;
    lists.nodes = 2;
    assert_refused(np_network_from_lists(&lists, &network), NP_ERROR_INPUT, "link 1 goes from 1 to 2");
}

/* Every allocation fails in turn: an error each time, and nothing is lost (the sanitizers look). */
static void test_every_allocation(void **state)
{
    static const char *const texts[] = {
        TREE,      METIS,  "p edge 2 1\ne 1 2\n",  "a b c d\nb\nc d\nd\n", "1 2\n2 3\n",
        NODE_LINK, SQUARE, ",a,b\na,0,1\nb,1,0\n", "a b\nb a\nb c\n",      "label src dst\nx a b\ny b c\n"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (long n = 1;; n++) {
            np_network *network;
            char *path = support_file(texts[i]), spec[256];
            snprintf(spec, sizeof spec, "file:%s:hosts=degree=1:undirected", path);
            np_memory_fail_after(n);
            np_status st = np_network_create(spec, &network);
            np_memory_fail_after(0);
            remove(path);
            free(path);
            if (st != NP_ERROR_MEMORY) {
                np_network_free(network);
                assert_true(n > 5);
                break;
            }
            assert_null(network);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_written_by_others),
        cmocka_unit_test(test_unread),
        cmocka_unit_test(test_dense),
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_clean),
        cmocka_unit_test(test_both_ways),
        cmocka_unit_test(test_neighbours),
        cmocka_unit_test(test_metis),
        cmocka_unit_test(test_dimacs),
        cmocka_unit_test(test_graphml),
        cmocka_unit_test(test_node_link),
        cmocka_unit_test(test_matrices),
        cmocka_unit_test(test_hosts),
        cmocka_unit_test(test_traffic_between_hosts),
        cmocka_unit_test(test_notes),
        cmocka_unit_test(test_names_with_colons),
        cmocka_unit_test(test_attributes),
        cmocka_unit_test(test_headers),
        cmocka_unit_test(test_bad_files),
        cmocka_unit_test(test_lists_of_arrays),
        cmocka_unit_test(test_every_allocation),
    };
    assert_ok(np_report_formats());
    return cmocka_run_group_tests(tests, NULL, NULL);
}
