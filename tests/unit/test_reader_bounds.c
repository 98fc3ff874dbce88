/* Readers at the bounds of their numbers: the last value that is read, and the first that is not. */
#include "support.h"

/* graph NULL: refused with `refusal`; "": read, whatever it is. */
typedef struct bound_case {
    const char *text, *options, *graph, *refusal;
} bound_case;

static void assert_case(const bound_case *c)
{
    np_network *network;
    if (!c->graph)
        support_assert_text_refused(c->text, c->options, c->refusal, __FILE__, __LINE__);
    else if (*c->graph)
        support_assert_text(c->text, c->options, c->graph, __FILE__, __LINE__);
    else {
        support_assert_ok(support_network_of_text(c->text, c->options, &network), c->text, __FILE__, __LINE__);
        np_network_free(network);
    }
}

#define assert_cases(cases)                                                                                            \
    for (size_t i = 0; i < sizeof(cases) / sizeof *(cases); i++)                                                       \
    assert_case(&(cases)[i])

#define CA(ports) "Switch 4095 \"S\"\n[4095] \"H\"[" #ports "]\nCa 2 \"H\"\n[" #ports "] \"S\"[4095]\n"
#define REPETITA(nodes, edges, from, to)                                                                               \
    "NODES " #nodes "\nlabel x y\na 0 0\nb 1 1\nEDGES " #edges "\nlabel\ne " #from " " #to " 1 1 1\n"
#define BRITE(nodes, edges, again)                                                                                     \
    "Topology: ( " #nodes " Nodes, " #edges " Edges )\nModel (1): 1 2\n\nNodes: ( " #again                             \
    " )\n7 1 1 1 1 -1 RT\n9 1 1 1 1 -1 RT\n\nEdges: ( 1 )\n0 7 9 1 1 1 -1 -1 E U\n"

static void test_network_tools(void **state)
{
    static const bound_case cases[] = {
        {"router 0 node 4294967295\n", "", "node4294967295>router0 router0>node4294967295 | node4294967295", NULL},
        {"router 0 node 4294967296\n", ":format=anynet", NULL, ":1: 'node 4294967296' where a BookSim anynet file"},
        {"router 0 router 1 2147483647\n", "", "router0>router1 router1>router0", NULL},
        {"router 0 router 1 2147483648\n", "", NULL, ":1: a latency of 2147483648 in"},
        {"router 0 router 1 1\n", "", "router0>router1 router1>router0", NULL},
        {CA(1), "", "S>H H>S | H", NULL},
        {CA(2), "", "S>H H>S | H", NULL},
        {CA(3), "", NULL, ":2: port 3 of 'H', which has 2 ports"},
        {CA(0), "", NULL, ":2: port 0 of 'H', which has 2 ports"},
        {"Switch 1 \"S\"\n[1] \"S\"[1]\n", "", "S>S", NULL},
        {"Switch 8 \"\"\n", ":format=ibnetdiscover", NULL, "the identifier of a node"},
        {"SwitchName=a Nodes=n[1-65536]\n", "", "", NULL},
        {"SwitchName=a Nodes=n[1-65537]\n", "", NULL, ":1: '1-65537' means more than 65536 names"},
        {"SwitchName=a Nodes=n[1-32768,32769-65536]\n", "", "", NULL},
        {"SwitchName=a Nodes=n[1-65536],m\n", "", "", NULL}, /* the limit is that of an item */
        {"SwitchName=a Nodes=n[1-32768,32769-65537]\n", "", NULL, "a list of more than 65536 names"},
        {"SwitchName=a Nodes=[1][1][1][1][1][1][1][1]\n", "", "a>11111111 11111111>a | 11111111", NULL},
        {"SwitchName=a Nodes=[1][1][1][1][1][1][1][1][1]\n", "", NULL, "up to 8 pairs of brackets"},
        {"SwitchName=a Nodes=n[5-5]\n", "", "a>n5 n5>a | n5", NULL},
        {"SwitchName=a Nodes=n[5-4]\n", "", NULL, ":1: '5-4' where"},
        {"SwitchName=a Nodes=n[09-11]\n", "", "a>n09,n10,n11 n09>a n10>a n11>a | n09 n10 n11", NULL},
        {"SwitchName=a Nodes=n[000000000000000001]\n", "",
         "a>n000000000000000001 n000000000000000001>a | "
         "n000000000000000001",
         NULL},
        {"SwitchName=a Nodes=n[0000000000000000001]\n", "", NULL, "a range of numbers"},
        {"SwitchName=a Nodes=\"n1\n", "", NULL, ":1: 'Nodes=\"n1' where a Slurm topology.conf has SwitchName="},
        {"SwitchName=a Nodes=\"n1 \" LinkSpeed = 5\n", "", "", NULL},
        {"SwitchName=a Nodes=n1 Nodes=n2\n", "", NULL, ":1: 'Nodes=n2' where a Slurm topology.conf has SwitchName="},
        {"SwitchName=a Nodes=\n", "", NULL, ":1: 'Nodes=' where a Slurm topology.conf has SwitchName="},
        {REPETITA(2, 1, 0, 1), "", "a>b b>", NULL},
        {REPETITA(2, 1, 1, 1), "", "a> b>b", NULL},
        {REPETITA(2, 1, 0, 2), "", NULL, ":7: '2 1 1 1' where a REPETITA graph has the number of a node, 0..1"},
        {REPETITA(2, 2, 0, 1), "", NULL, ":7: the file ends after 1 of 2 edges"},
        {REPETITA(2, 0, 0, 1), "", NULL, ":7: 'e 0 1 1 1 1' where a REPETITA graph has its end"},
        {REPETITA(3, 1, 0, 1), "", NULL, ":5: 'EDGES 1' where a REPETITA graph has a node"},
        {"# x\n1|2|2\n1|3|-1\n1|4|0\n1|5|1\n", "", "1>2,3,4,5 2>1 3>1 4>1 5>1", NULL},
        {"# x\n1|2|-1\n1|3|3\n", "", NULL, ":3: '1|3|3' where a CAIDA as-rel file"},
        {"# x\n1|2|-1\n1|3|-2\n", "", NULL, ":3: '1|3|-2' where a CAIDA as-rel file"},
        {"1|2|3\n", "", NULL, ":1: 1 field: a line is 'from to'"},
        {"1|2|-2\n", "", NULL, ":1: 1 field: a line is 'from to'"},
        {BRITE(2, 1, 2), "", "7>9 9>7", NULL},
        {BRITE(2, 1, 3), "", NULL, ":4: Nodes: 3, but a BRITE topology begins with a number of 2"},
        {BRITE(3, 1, 3), "", NULL, ": '"},
        {BRITE(2, 2, 2), "", NULL, "Edges: 1, but a BRITE topology begins with a number of 2"},
        {"2 1\n0 1 1\n1 2 2\n0 1 5\n", "", "0>1 1>0", NULL},
        {"2 1\n0 1 1\n1 2 2\n0 2 5\n", "", NULL, ":4: node 2 is out of range 0..1"},
        {"2 1\n0 1 1\n1 2 2\n", "", NULL, ":3: the file ends after 0 of 1 links of an Inet topology"},
        {"2 0\n0 1 1\n1 2 2\n", "", NULL, ""},
        {"Nodes 4\nTiers 2\nPodsize 0\n", "", NULL, ":3: Podsize 0 in an htsim topology: it is 1..1048576"},
        {"Nodes 1\nTiers 2\nPodsize 1\n", "", NULL, ":1: Nodes 1 in an htsim topology: it is 2..1048576"},
        {"Nodes 4\nTiers 1\nPodsize 4\n", "", NULL, ":2: Tiers 1 in an htsim topology: it is 2..3"},
        {"Nodes 4\nTiers 2\nPodsize 4\nTier 0\nRadix_Down 0\n", "", NULL,
         ":5: Radix_Down 0 in an htsim topology: it is 1"},
        {"Nodes 4\nTiers 2\nPodsize 4\nTier 0\nSwitch_Latency_ns 4294967296\n", "", NULL, "it is 0..4294967295"},
    };
    (void)state;
    assert_cases(cases);
    support_assert_attribute("SwitchName=a Nodes=b LinkSpeed=5\n", "", "LinkSpeed", "", "5 5", __FILE__, __LINE__);
    support_assert_attribute("SwitchName=a Nodes=b LinkSpeed=x\n", "", "LinkSpeed", NULL, "", __FILE__, __LINE__);
}

#define MATRIX(kind, sizes, entry) "%%MatrixMarket matrix coordinate " kind "\n" sizes "\n" entry "\n"

static void test_matrices(void **state)
{
    static const bound_case cases[] = {
        {MATRIX("pattern general", "2 2 1", "2 2"), "", "0> 1>1", NULL},
        {MATRIX("pattern general", "2 2 1", "3 2"), "", NULL, ":3: row 3 is out of range 1..2"},
        {MATRIX("pattern general", "2 2 1", "2 3"), "", NULL, ":3: column 3 is out of range 1..2"},
        {MATRIX("pattern general", "2 2 1", "0 1"), "", NULL, ":3: row 0 is out of range 1..2"},
        {MATRIX("pattern general", "2 3 1", "2 3"), "", "0> 1>2 2>", NULL},
        {MATRIX("pattern general", "3 2 1", "3 2"), "", "0> 1> 2>1", NULL},
        {MATRIX("pattern general", "2 2 1", "1 2\n2 1"), "", NULL, ":4: more entries than the 1"},
        {MATRIX("pattern general", "2 2 2", "1 2"), "", NULL, ":3: the file ends after 1 of 2 entries"},
        {MATRIX("pattern symmetric", "2 3 1", "1 2"), "", NULL, ":2: a symmetric matrix of 2 rows and 3 columns"},
        {MATRIX("pattern symmetric", "2 2 2", "1 1\n2 1"), "", "0>0,1 1>0", NULL},
        {MATRIX("pattern symmetric", "3 3 2", "2 1\n2 3"), "", NULL, ":4: entry (2,3): there are entries in both"},
        {MATRIX("real skew-symmetric", "2 2 1", "2 2 1"), "", NULL, ":3: entry (2,2): a skew-symmetric matrix has no"},
        {MATRIX("pattern general", "2 2 1", "1 2 1"), "", NULL, ":3: 3 fields from '1' on: a line is 'row column'"},
        {MATRIX("real general", "2 2 1", "1 2"), "", NULL, ":3: 2 fields from '1' on: a line is 'row column value'"},
        {MATRIX("real general", "1073741824 1 1", "1 1 1"), "", NULL, "1073741824 nodes are promised"},
        {MATRIX("real general", "1073741825 1 1", "1 1 1"), "", NULL, "1073741825 rows are more than the 1073741824"},
        {MATRIX("pattern symmetric", "2 2 1", "2 1"), ":directed", NULL, "has each link both ways: 'directed'"},
        {"%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n", "", NULL,
         "a matrix of all entries is no graph"},
        {"%%MatrixMarket matrix array pattern general\n2 2\n", "", NULL, "an array has all values: it is no pattern"},
    };
    (void)state;
    assert_cases(cases);
}

/* Lists: which first lines may count, which numbers are names, how many columns and attributes are kept. */
static void test_lists(void **state)
{
    static const bound_case cases[] = {
        {"3 2\n0 1\n1 2\n", "", NULL, ":1: the first line may be a link, or the counts of nodes and links"},
        {"3 3\n0 1\n1 2\n", "", "0>1 1>2 2> 3>3", NULL}, /* three lines do not follow */
        {"2 2\n0 1\n1 2\n", "", NULL, ":1: the first line may be a link, or the counts"},
        {"1 2\n0 1\n1 2\n", "", "0>1 1>2,2 2>", NULL}, /* one node: the lines have three */
        {"nodes 3\n0 1\n", "", "0>1 1> 2>", NULL},
        {"nodes 1\n0 0\n", "", "0>0", NULL},
        {"nodes 0\n0 1\n", "", NULL, ":1: the number of nodes 0 is out of range 1.."},
        {"nodes 2\n0 2\n", "", NULL, ":2: node 2 is out of range 0..1"},
        {"0 1\nnodes 3\n", "", NULL, ":2: a line 'nodes N' must be the first one"},
        {"source,target,a,b,c,d,e,f,g,h,i,j,k,l,m,n\nx,y,1,2,3,4,5,6,7,8,9,10,11,12,13,14\n", "", "x>y y>", NULL},
        {"1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16\n", "", "1>2 2>", NULL},
        {"1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17\n", "", NULL, ":1: 17 fields, and no first line names the columns"},
        {"1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17\n", ":format=links", "1>2 2>", NULL},
        {"x,a,b\n1,0,1\n2,1,0\n", ":format=dense", NULL, "3 lines of 3 fields: a matrix has as many rows as columns"},
        {"x,a,b\na,0,1\nb,1,0\n", ":format=dense", "a>b b>a", NULL},
        {"1048575 5\n", "", "5> 1048575>5", NULL}, /* numbers have an order */
        {"1048576 5\n", "", "1048576>5 5>", NULL}, /* so large, they are names */
        {"u,v,i,j\n1,2,3,4\n", "", NULL, ":1: the columns 'u...' and 'i...' both name an end of a link"},
        {"\"a b\n", "", NULL, ":1: a quote at the begin of a field"},
        {"a b\nb a\n", "", "a>b b>a", NULL},
        {"a b\nb\n", "", NULL, ":2: 1 field, but 2 in the lines above"},
    };
    (void)state;
    assert_cases(cases);
    support_assert_attribute("source,target,a,b,c,d,e,f,g,h,i,j,k,l,m,n\nx,y,1,2,3,4,5,6,7,8,9,10,11,12,13,14\n", "",
                             "n", "", "14", __FILE__, __LINE__);
    support_assert_note("source,target,,,,,,,,,,,,,,,w\nx,y,,,,,,,,,,,,,,,3\n", "",
                        "columns behind the 16th are not used", __FILE__, __LINE__);
    char text[1024] = "0 1 {";
    for (int i = 0; i < 33; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s'a%d': %d", i ? ", " : "", i, i);
    strcat(text, "}\n");
    support_assert_attribute(text, "", "a31", "", "31", __FILE__, __LINE__);
    support_assert_attribute(text, "", "a32", NULL, "", __FILE__, __LINE__);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_network_tools), cmocka_unit_test(test_matrices),
                                       cmocka_unit_test(test_lists)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
