/*
 * Files of network tools: what each format's definition says is what is read, and what breaks it is refused with the
 * line and the name of the format.
 */
#include "support.h"

#include "base/memory.h"
#include "model/network/network.h"

#define assert_note(text, options, part) support_assert_note(text, options, part, __FILE__, __LINE__)
#define assert_attribute(text, options, name, unit, want)                                                              \
    support_assert_attribute(text, options, name, unit, want, __FILE__, __LINE__)

/* What is read of a file: the graph, or if `refusal` is given the message, whose beginning is the line. */
typedef struct file_case {
    const char *text, *options, *graph, *refusal;
} file_case;

static void assert_case(const file_case *c)
{
    const char *options = c->options ? c->options : "";
    if (c->refusal)
        support_assert_text_refused(c->text, options, c->refusal, __FILE__, __LINE__);
    else
        support_assert_text(c->text, options, c->graph, __FILE__, __LINE__);
}

#define assert_cases(cases)                                                                                            \
    for (size_t i = 0; i < sizeof(cases) / sizeof *(cases); i++)                                                       \
    assert_case(&(cases)[i])

/* The text is read as something else, or refused as something else. */
static void assert_not(const char *text, const char *word)
{
    np_network *network;
    np_status st = support_network_of_text(text, "", &network);
    const char *said = st ? np_last_error() : np_network_note(network);
    if (said && strstr(said, word))
        fail_msg("'%s' was not expected of:\n%s", said, text);
    np_network_free(network);
}

/* Every file that ends within the text, after `first` lines, is refused. */
static void assert_no_part(const char *text, size_t first)
{
    size_t lines = 0;
    for (const char *at = text; (at = strchr(at, '\n')) && at[1]; at++) {
        char *part = strndup(text, (size_t)(at + 1 - text));
        np_network *network = NULL;
        np_status st = ++lines >= first ? support_network_of_text(part, "", &network) : NP_ERROR_INPUT;
        if (!st)
            fail_msg("a part of %zu lines was read of:\n%s", lines, text);
        free(part);
    }
}

/* With CR LF at the ends of lines, comments at the ends and between, and blanks around, a file is the same. */
static void assert_robust(const char *text, const char *options, bool comments)
{
    np_network *network, *other;
    char want[4096], got[4096], *changed = malloc(8 * strlen(text) + 64);
    size_t at = 0;
    for (const char *p = text; *p; p++) {
        if (*p == '\n')
            at +=
                (size_t)sprintf(changed + at, "%s\r\n%s", comments ? " \t # x \"y" : "", comments ? "  # 1 2\r\n" : "");
        else
            changed[at++] = *p;
    }
    changed[at] = 0;
    assert_ok(support_network_of_text(text, options, &network));
    support_assert_ok(support_network_of_text(changed, options, &other), changed, __FILE__, __LINE__);
    support_show_network(network, want, sizeof want);
    support_show_network(other, got, sizeof got);
    assert_string_equal(got, want);
    np_network_free(network);
    np_network_free(other);
    free(changed);
}

/* ---- BookSim ---- */

/*   node0 -- router0 -- router1 -- node1    */
static void test_anynet(void **state)
{
    static const char pair[] = "router 0 node 0 router 1 15\nnode 1 router 1\n";
    static const file_case cases[] = {
        {pair, NULL, "node0>router0 node1>router1 router0>node0,router1 router1>node1,router0 | node0 node1", NULL},
        {"Router 7 Node 3 Router 9\nNode 10 Router 9\n", NULL,
         "node3>router7 node10>router9 router7>node3,router9 router9>node10,router7 | node3 node10", NULL},
        /* each pair is one channel each way, however often it is listed */
        {"router 0 router 1 router 1\nrouter 1 router 0 node 0\n", NULL,
         "node0>router1 router0>router1 router1>node0,router0 | node0", NULL},
        {"router 0 node 0 node 1\n", NULL, "node0>router0 node1>router0 router0>node0,node1 | node0 node1", NULL},
        {"router 0\nrouter 1 node 0 router 0\n", NULL, "node0>router1 router0>router1 router1>node0,router0 | node0",
         NULL},
        {pair, ":hosts=*",
         "node0>router0 node1>router1 router0>node0,router1 router1>node1,router0 | node0 node1 router0 router1", NULL},
        {"router 0 node 0 nod 1\n", NULL, NULL, ":1: 'nod 1' where a BookSim anynet file has 'router N' or 'node N'"},
        {"router 0 node 0 router\n", NULL, NULL, ":1: 'router' where a BookSim anynet file has"},
        {"router 0 node 0\nlink 1 router 0\n", NULL, NULL, ":2: 'link 1 router 0' where a BookSim anynet file has"},
        {"router 3 node 9\nrouter 5 router 3 node 9\n", NULL, NULL,
         ":2: node 9 has the routers 3 and 5: in a BookSim anynet file it has one"},
        {"node 0 router 1\nnode 0 node 1\n", NULL, NULL, ":2: node 0 is joined to node 1"},
        {"router 0 router 1 0\n", NULL, NULL, ":1: a latency of 0"},
        {"router 0 router 1 5 5\n", NULL, NULL, ":1: '5' where a BookSim anynet file has"},
        {"router 0 router 4294967296\n", NULL, NULL, ":1: 'router 4294967296' where"},
        {"router 0 router -1\n", NULL, NULL, "router"},
    };
    (void)state;
    assert_cases(cases);
    assert_robust(pair, "", true);
    /* links: node0-router0, node1-router1, router0-node0, router0-router1, router1-node1, router1-router0 */
    assert_attribute(pair, "", "latency", "", "1 1 1 15 1 1");
    assert_attribute("router 1 router 0 9\nrouter 0 router 1 4 router 1\n", "", "latency", "", "1 9");
}

/* ---- InfiniBand ---- */

#define IB_SWITCH "vendid=0x2c9\ndevid=0xb924\nsysimgguid=0x5\nswitchguid=0x5(5)\n"
#define IB_CA "vendid=0x2c9\ndevid=0x1017\ncaguid=0xa\n"

/* A switch, a host with two ports on it, and a router. */
static const char fabric[] =
    "#\n# Topology file: generated on Mon\n#\n# Initiated from node 0a port 0b\n\n" IB_SWITCH
    "Switch\t36 \"S-05\"\t\t# \"leaf 1\" enhanced port 0 lid 3 lmc 0\n"
    "[1]\t\"H-0a\"[1](b1) \t\t# \"n1 HCA-1\" lid 11 4xEDR\n"
    "[7]\t\"H-0a\"[2](b2) \t\t# \"n1 HCA-1\" lid 12 1xSDR s=1 w=1 v=8\n"
    "[36]\t\"R-0c\"[1](c1) \t\t# \"rt 4xHDR\" lid 13 4xFDR10\n\n" IB_CA "Ca\t2 \"H-0a\"\t\t# \"n1 HCA-1\"\n"
    "[1](b1) \t\"S-05\"[1]\t\t# lid 11 lmc 0 \"leaf 1\" lid 3 4xEDR\n"
    "[2](b2) \t\"S-05\"[7]\t\t# lid 12 lmc 0 \"leaf 1\" lid 3 1xSDR\n\n"
    "vendid=0x2c9\ndevid=0x1\nrtguid=0xc\nRt\t1 \"R-0c\"\t\t# \"rt\"\n"
    "[1](c1) \t\"S-05\"[36]\t\t# lid 13 lmc 0 \"leaf 1\" lid 3 4xFDR10\n";

static void test_infiniband(void **state)
{
    static const char ibsim[] =
        "Switch 8 \"Switch1\"\n[1] \"Hca1\"\n[2] \"Hca2\"[2] w=4 s=2\n[3]\"Switch1\"[4]\n[4]\"Switch1\"[3]\n"
        "\nHca 2 \"Hca1\"\n[1] \"Switch1\"[1] w=12\n\nHca\t2\t\"Hca2\"\n[2]\t\"Switch1\"[2]\n";
    static const char grouped[] =
        "\nChassis 1 (guid 0x8f1)\n\n# Spine Nodes\nvendid=0x8f1\ndevid=0x5a\nsysimgguid=0x8f1\t\t# "
        "Chassis 1\nswitchguid=0x8f2(8f2)\t# spine 1 Chip 1\nSwitch\t24 \"S-01\"\t\t# \"a\" base port 0 "
        "lid 1 lmc 0\n[1][ext 3]\t\"H-02\"[1][ext 4](2) \t\t# \"b\" lid 2 4xQDR\n\nNon-Chassis "
        "Nodes\n\nvendid=0x8f1\ndevid=0x5a\ncaguid=0x2\nCa\t1 \"H-02\"\t\t# \"b\"\n[1](2) "
        "\t\"S-01\"[1][ext 3]\t\t# lid 2 lmc 0 \"a\" lid 1 4xQDR\n";
    static const file_case cases[] = {
        {fabric, NULL, "leaf 1>n1 HCA-1,n1 HCA-1,rt n1 HCA-1>leaf 1,leaf 1 rt>leaf 1 | n1 HCA-1", NULL},
        {ibsim, NULL, "Switch1>Hca1,Hca2,Switch1,Switch1 Hca1>Switch1 Hca2>Switch1 | Hca1 Hca2", NULL},
        {grouped, NULL, "a>b b>a | b", NULL},
        {"Switch 8 \"S\"\n[1] \"H\"[1]\n", NULL, NULL, ":2: 'H' is none of the nodes of an InfiniBand fabric"},
        {"Switch 8 \"S\"\n[1] \"H\"[1]\nCa 1 \"H\"\n", NULL, NULL,
         ":2: port 1 of 'S' leads to port 1 of 'H', which does not lead"},
        {"Switch 8 \"S\"\n[1] \"H\"[1]\nCa 1 \"H\"\n[1] \"S\"[2]\n", NULL, NULL, ":2: port 1 of 'S' leads to"},
        {"Switch 8 \"S\"\n[9] \"H\"[1]\nCa 1 \"H\"\n[1] \"S\"[9]\n", NULL, NULL,
         ":2: port 9 of 'S', which has 8 ports"},
        {"Switch 8 \"S\"\n[1] \"H\"[2]\nCa 1 \"H\"\n[1] \"S\"[2]\n", NULL, NULL,
         ":2: port 2 of 'H', which has 1 ports"},
        {"Switch 8 \"S\"\n[0] \"H\"[1]\nCa 1 \"H\"\n", NULL, NULL, ":2: port 0 of 'S'"},
        {"Switch 8 \"S\"\n[1] \"S\"[2]\n[1] \"S\"[3]\n[2] \"S\"[1]\n[3] \"S\"[1]\n", NULL, NULL,
         "port 1 of 'S' leads to"},
        {"Switch 8 \"\x1b[1m\"\n[9] \"\x1b[1m\"[1]\n", NULL, NULL, ":1: a control character, byte 27"},
        {"Switch 8 \"S\"\nSwitch 8 \"S\"\n", NULL, NULL, ":2: 'S' is a node twice in an InfiniBand fabric"},
        {"Switch 8 \"S\"\n[1] H\n", NULL, NULL, ":2: 'H' where an InfiniBand fabric"},
        {"Switch 8 \"S\"\nsomething\n", NULL, NULL, ":2: 'something' where an InfiniBand fabric"},
        {"Switch 8 \"S\"\ninclude \"other\"\n", NULL, NULL,
         ":2: 'include \"other\"': files of ibsim with modules or includes"},
        {"Switch 0 \"S\"\n", NULL, NULL, ":1: a node of 0 ports"},
        {"Switch 8 \"S\"\n[1] \"S\"[2] 5\n[2] \"S\"[1]\n", NULL, NULL, ":2: '5' where an InfiniBand fabric"},
        {"Switch 4096 \"S\"\n", NULL, NULL, ":1: a node of 4096 ports: it has 1..4095"},
        {"vendid=0x2c9\n", NULL, NULL, "no links"},
    };
    (void)state;
    assert_cases(cases);
    assert_robust(ibsim, "", true);
    assert_attribute(fabric, "", "speed", "bit/s", "1e+11 2.5e+09 4e+10 1e+11 2.5e+09 4e+10");
    assert_no_part(fabric, 11);
}

/* ---- Slurm ---- */

#define LONG "a-name-that-is-longer-than-the-room-which-is-made-for-names-at-first-and-once-more-as-long"

static void test_slurm(void **state)
{
    static const char tree[] =
        "SwitchName=s0 Nodes=tux[0-1]\nSwitchName=s1 Nodes=tux2,tux3\nSwitchName=s4 Switches=s[0-1]\n";
    static const file_case cases[] = {
        {"SwitchName=s Nodes=a\n", ":directed", NULL, "a Slurm topology.conf has each link both ways: 'directed'"},
        {tree, NULL, "s0>tux0,tux1,s4 s1>tux2,tux3,s4 s4>s0,s1 tux0>s0 tux1>s0 tux2>s1 tux3>s1 | tux0 tux1 tux2 tux3",
         NULL},
        /* the top first; keys in any case; continued lines; a comment without a blank; LinkSpeed; quotes; names a node
           twice */
        {"# racks\nswitchname=top SWITCHES=\\\n  a,\\\nb\nSwitchName=a NODES=\"n[08-10,12]-ib\"  "
         "LinkSpeed=100Mb/s#fast\n\n"
         "SwitchName=b nodes=r[0-1]n[1-2],x LinkSpeed=900\n",
         NULL,
         "top>a,b a>top,n08-ib,n09-ib,n10-ib,n12-ib b>top,r0n1,r0n2,r1n1,r1n2,x n08-ib>a n09-ib>a n10-ib>a n12-ib>a "
         "r0n1>b r0n2>b r1n1>b r1n2>b x>b | n08-ib n09-ib n10-ib n12-ib r0n1 r0n2 r1n1 r1n2 x",
         NULL},
        {"SwitchName=a Nodes=n\nSwitchName = b\\\n Nodes= n\\", NULL, "a>n b>n n>a,b | n", NULL},
        {"SwitchName=a Nodes=\"n\n", NULL, NULL, ":1: 'Nodes=\"n' where a Slurm topology.conf has SwitchName="},
        {"SwitchName=a Nodes=\n", NULL, NULL, ":1: 'Nodes=' where"},
        {"SwitchName=a Nodes=n\nSwitchName=b =n\n", NULL, NULL, ":2: '=n' where"},
        {"SwitchName=a Nodes=" LONG "[1-2]" LONG "\n", NULL,
         "a>" LONG "1" LONG "," LONG "2" LONG " " LONG "1" LONG ">a " LONG "2" LONG ">a | " LONG "1" LONG " " LONG
         "2" LONG,
         NULL},
        {"SwitchName=a Switches=b\n", NULL, NULL, ":1: 'b' is none of the switches in a Slurm topology.conf"},
        {"SwitchName=a Nodes=b\nSwitchName=b Nodes=c\n", NULL, NULL, ":1: 'b' is a switch, and a node in a Slurm"},
        {"SwitchName=a Nodes=b\nSwitchName=a Nodes=c\n", NULL, NULL, ":2: 'a' is a node twice in a Slurm"},
        {"SwitchName=a\n", NULL, NULL, ":1: 'SwitchName=a' where a Slurm topology.conf has SwitchName= with Nodes="},
        {"SwitchName=a Nodes=b\nNodeName=c\n", NULL, NULL, ":2: 'NodeName=c' where a Slurm topology.conf has"},
        {"SwitchName=a Nodes=b Nodes=c\n", NULL, NULL, ":1: 'Nodes=c' where"},
        {"SwitchName=a Nodes=b\nfree text\n", NULL, NULL, ":2: 'free text' where"},
        {"SwitchName=a Nodes=n[3-1]\n", NULL, NULL, ":1: '3-1' where a Slurm topology.conf has a range of numbers"},
        {"SwitchName=a Nodes=n[1-]\n", NULL, NULL, ":1: '1-' where"},
        {"SwitchName=a Nodes=n[1-3\n", NULL, NULL, ":1: 'n[1-3' where a Slurm topology.conf has ']' after '['"},
        {"SwitchName=a Nodes=n1-3]\n", NULL, NULL, ":1: 'n1-3]' where a Slurm topology.conf has '[' before ']'"},
        {"SwitchName=a Nodes=n[[1-3]]\n", NULL, NULL, ":1: '[1-3' where"},
        {"SwitchName=a Nodes=n,,m\n", NULL, NULL, "has names in a list"},
        {"SwitchName=a Nodes=n[1-999999999]\n", NULL, NULL, ":1: '1-999999999' means more than 65536 names"},
        {"SwitchName=a Nodes=[1-9999][1-9999]\n", NULL, NULL, ":1: a list of more than 65536 names"},
        {"SwitchName=a Nodes=[1][1][1][1][1][1][1][1][1][1]\n", NULL, NULL, "up to 8 pairs of brackets"},
        {"SwitchName=a[1-2] Nodes=b\n", NULL, NULL,
         ":1: 'a[1-2]' where a Slurm topology.conf has the name of one switch"},
        {"BlockName=b1 Nodes=node[1-32]\n", NULL, NULL,
         ":1: 'BlockName=b1 Nodes=node[1-32]' where a Slurm topology.conf has switches"},
    };
    (void)state;
    assert_cases(cases);
    assert_robust(tree, "", true);
    assert_attribute("SwitchName=a Nodes=b LinkSpeed=900\nSwitchName=c Nodes=b\n", "", "LinkSpeed", "", "900 - 900 -");
}

/* ---- REPETITA ---- */

static void test_repetita(void **state)
{
    static const char graph[] =
        "NODES 3\nlabel x y\nOslo 10.7 -59.9\nBergen -5.3 6.04e1\nLund 13 55\n\nEDGES 4\n"
        "label src dest weight bw delay\ne0 0 1 1 1000 678\ne1 1 0 2 1000 678\ne2 1 2 3 500 9\ne3 1 2 4 500 9\n";
    static const file_case cases[] = {
        {graph, NULL, "Oslo>Bergen Bergen>Oslo,Lund,Lund Lund>", NULL},
        {graph, ":hosts=Oslo,Lund", "Oslo>Bergen Bergen>Oslo,Lund,Lund Lund> | Oslo Lund", NULL},
        /* labels need not differ */
        {"NODES 2\nlabel x y\nR#1 0 0\nR#1 1 1\nEDGES 1\nlabel\ne 0 1 1 1 1\n", NULL, "R#1/0>R#1/1 R#1/1>", NULL},
        {"NODES 2\nlabel x y\na 0 0\nEDGES 1\n", NULL, NULL,
         ":4: 'EDGES 1' where a REPETITA graph has a node: LABEL X Y"},
        {"NODES 1\nlabel x y\na 0 0\nb 1 1\nEDGES 0\nlabel\n", NULL, NULL,
         ":4: 'b 1 1' where a REPETITA graph has 'EDGES'"},
        {"NODES 1\nlabel x y\na 0 0\nEDGES 1\nlabel\ne 0 1 1 1 1\n", NULL, NULL,
         ":6: '1 1 1 1' where a REPETITA graph has the number of a node, 0..0"},
        {"NODES 1\nlabel x y\na 0 0\nEDGES 1\nlabel\ne 0 0 1 1\n", NULL, NULL,
         ":6: the line ends where a REPETITA graph has the number 'delay' of an edge"},
        {"NODES 1\nlabel x y\na 0 0\nEDGES 1\nlabel\ne 0 0 1 1 1 1\n", NULL, NULL,
         ":6: '1' where a REPETITA graph has the end of"},
        {"NODES 1\nlabel x y\na 0 0\nEDGES 0\nlabel\ne 0 0 1 1 1\n", NULL, NULL,
         ":6: 'e 0 0 1 1 1' where a REPETITA graph has its end"},
        {"NODES 1\nlabel x y\na 0 zero\n", NULL, NULL, ":3: 'a 0 zero' where a REPETITA graph has a node"},
        {"NODES 99999999999\nlabel x y\n", NULL, NULL, ":1: 99999999999 NODES: at most"},
        {"DEMANDS 1\nlabel src dest bw\nd 0 1 5\n", NULL, NULL, "REPETITA's demands are no network"},
        {"nodes 2\n0 1\n", ":directed", "0>1 1>", NULL}, /* a list of links */
    };
    (void)state;
    assert_cases(cases);
    assert_robust(graph, "", true);
    assert_no_part(graph, 2);
    assert_attribute(graph, "", "weight", "", "1 2 3 4");
    assert_attribute(graph, "", "bw", "", "1000 1000 500 500");
    assert_attribute(graph, "", "delay", "", "678 678 9 9");
}

/* ---- SNDlib ---- */

#define SNDLIB "?SNDlib native format; type: network; version: 1.0\n"

static void test_sndlib(void **state)
{
    static const char network[] = SNDLIB
        "# network x\nMETA (\n  granularity = 15min (of a day)\n)\nNODES (\n  A ( 10.0 -20.5 )\n  B.2_x-y (-5.5 "
        "30.25)\n  C\n)\n"
        "LINKS (\n  L1 ( A B.2_x-y ) 2.00 1.00 3.00 4.00 ( 40.00 155.00 160.00 620.00 )\n  L2 ( B.2_x-y C ) 0 0 0 0 ( "
        ")\n"
        "  L3 (\n C A ) 5 0 0 0 (UNLIMITED 0.0)\n)\nDEMANDS (\n  D1 ( A C ) 1 12.00 UNLIMITED\n  D2 ( C A ) 1 3 4\n)\n"
        "ADMISSIBLE_PATHS (\n  D1 (\n    P_0 ( L1 L2 )\n    P_1 ( L3 )\n  )\n)\n";
    static const file_case cases[] = {
        {network, NULL, "A>B.2_x-y,C B.2_x-y>A,C C>B.2_x-y,A", NULL},
        {network, ":directed", "A>B.2_x-y B.2_x-y>C C>A", NULL},
        {SNDLIB "NODES ( A B )\nLINKS ( L ( A D ) 0 0 0 0 ( ) )\n", NULL, NULL,
         ":3: 'D' is none of the nodes of an SNDlib network"},
        {SNDLIB "NODES ( A A )\nLINKS ( )\n", NULL, NULL, ":2: 'A' is a node twice in an SNDlib network"},
        {SNDLIB "NODES ( A B )\nLINKS ( L ( A B ) 0 0 0 ( ) )\n", NULL, NULL,
         ":3: '( ) )' where an SNDlib network has the four numbers"},
        {SNDLIB "NODES ( A B )\nLINKS ( L ( A B ) 0 0 0 0 ( 1 ) )\n", NULL, NULL,
         ":3: ') )' where an SNDlib network has the capacity and the cost of a module"},
        {SNDLIB "NODES ( A B )\nLINK ( )\n", NULL, NULL, ":3: 'LINK' is no section of an SNDlib network"},
        {SNDLIB "NODES ( A B )\n", NULL, NULL, "an SNDlib network without a section LINKS: is it cut short?"},
        {SNDLIB "NODES ( A ( 1 ) )\n", NULL, NULL, ":2: ') )' where an SNDlib network has two coordinates"},
        {"?SNDlib native format; type: model; version: 1.0\n", NULL, NULL,
         ":1: 'model; version: 1.0' where an SNDlib network has 'type: network'"},
        {"?SNDlib native format; type: network; version: 2.0\n", NULL, NULL,
         ":1: '2.0' where an SNDlib network has 'version: 1.0'"},
    };
    (void)state;
    assert_cases(cases);
    assert_robust(network, "", true);
    assert_no_part(SNDLIB "META (\nx = y\n)\nNODES (\nA\nB ( 1\n2 )\n)\nLINKS (\nL ( A\nB ) 0 0 0 0\n( 1 2\n)\n)\n", 1);
    /* links: A-B, A-C, B-A, B-C, C-B, C-A */
    assert_attribute(network, "", "capacity", "", "2 5 2 0 0 5");
    assert_attribute(network, "", "routing_cost", "", "3 0 3 0 0 0");
    assert_attribute(network, "", "module", "", "40 - 40 - - -");
    assert_note(network, "", "each link goes both ways, which an SNDlib network leaves open");
}

/* ---- Rocketfuel ---- */

static void test_rocketfuel(void **state)
{
    static const char map[] =
        "1 @Adelaide,+Australia  \t(1) -> <15> \t=firstc1-new.link.example.net.! r1\n"
        "15 @T + bb\t(2) &2 -> <1> <398> {-3464} {-1184} \t=203.24.109.1 r2\n"
        "398 @?  \t(1) -> <15> \t=(null)! r5\n-1184 =192.0.2.7 r5\n-3464 =192.0.2.8 r1\n#in 1, saw 4 links\n";
    static const file_case cases[] = {
        {map, NULL, "1>15 15>1,398 398>15", NULL},
        {"1 @A (1) -> <2> =x r1\n2 @B (0) -> =y r1\n", NULL, NULL,
         ":1: router 1 has the neighbour 2, which does not have it"},
        {"1 @A (1) -> <2> =x r1\n", NULL, NULL, ":1: '2' is none of the nodes of a Rocketfuel map"},
        {"1 @A (2) -> <2> =x r1\n2 @B (1) -> <1> =y r1\n", NULL, NULL,
         ":1: 1 neighbours and 0 addresses outside, where the line"},
        {"1 @A (1) -> <2> {-5} =x r1\n2 @B (1) -> <1> =y r1\n", NULL, NULL, ":1: 1 neighbours and 1 addresses outside"},
        {"1 @A (1) -> <2> =x r1\n2 @B (1) &x -> <1> =y r1\n", NULL, NULL,
         ":2: 'x -> <1> =y r1' where a Rocketfuel map has a router"},
        {"1 @A (1) -> <2> =x\n2 @B (1) -> <1> =y r1\n", NULL, NULL,
         ":1: the line ends where a Rocketfuel map has the end of a line"},
        {"1 @A (1) -> <2> =x r1\n2 @B (1) -> <1> =y r1\n2 @B (1) -> <1> =y r1\n", NULL, NULL,
         ":3: '2' is a node twice"},
        {"1 @A (1) -> <2> =x r1\n2 (1) -> <1> =y r1\n", NULL, NULL,
         ":2: '(1) -> <1> =y r1' where a Rocketfuel map has a router"},
        {"1 @A (1) -> <2> =x r1\nx\n", NULL, NULL, ":2: 'x' where a Rocketfuel map has a router"},
        {"1 @A (1) -> <2> =x r1\n2 @B (1) -> <1> =y r1\n-3\n", NULL, NULL,
         ":3: '-3' where a Rocketfuel map has an address outside"},
        {"Oslo,+Norway1 London2 7\nLondon2 Oslo,+Norway1 9.5\n", NULL, "Oslo,+Norway1>London2 London2>Oslo,+Norway1",
         NULL},
        {"Oslo,+Norway1 London2 7\nLondon2 Oslo,+Norway1 fast\n", NULL, NULL,
         ":2: 'London2 Oslo,+Norway1 fast' where a Rocketfuel file of weights has a link"},
    };
    (void)state;
    assert_cases(cases);
    assert_robust(map, "", true);
    assert_note("Oslo9 London2 7\nLondon2 Oslo,+Norway1 9\n", "", "read as a Rocketfuel file of weights");
    assert_not("Oslo,+Norway London 7\n", "Rocketfuel"); /* no numbers behind the places */
    assert_not("Oslo1 London2 7\n", "Rocketfuel");       /* no region */
    assert_note(map, "", "addresses outside the provider are not used");
    assert_attribute("Oslo,+Norway1 London2 7\nLondon2 Oslo,+Norway1 9.5\n", "", "weight", "", "7 9.5");
}

/* ---- CAIDA ---- */

static void test_caida(void **state)
{
    static const char relations[] = "# source:topology|BGP|20120604|ripe|rrc13\n1|3705|-1\n3|1|0|bgp\n4200000000|3|2\n";
    static const file_case cases[] = {
        {relations, NULL, "1>3705,3 3705>1 3>1,4200000000 4200000000>3", NULL},
        {relations, ":directed", "1>3705 3705> 3>1 4200000000>3", NULL},
        {"1|2|0\n2|3|-1\n", NULL, "1>2 2>1,3 3>2", NULL}, /* no comment, but a provider */
        {"# x\n1|2|-1\n1|3|5\n", NULL, NULL, ":3: '1|3|5' where a CAIDA as-rel file has a line AS|AS|RELATION"},
        {"# x\n1|2|-1\n1|3\n", NULL, NULL, ":3: '1|3' where a CAIDA as-rel file has"},
        {"# x\n1|2|-1\na|3|0\n", NULL, NULL, ":3: 'a|3|0' where a CAIDA as-rel file has"},
        {"# x\n1|2|-1\n1|3|0|bgp|2\n", NULL, NULL, ":3: '1|3|0|bgp|2' where a CAIDA as-rel file has"},
    };
    (void)state;
    assert_cases(cases);
    assert_robust(relations, "", true);
    assert_note(relations, "", "who is whose provider is not used");
}

/* ---- BRITE and Inet ---- */

static void test_generators(void **state)
{
    static const char brite[] =
        "Topology: ( 3 Nodes, 2 Edges )\nModel (5 - TopDown)\nModel (1 - RTWaxman):  3 5 5 1\n\nNodes: ( 3 )\n"
        "30\t361.00\t-420\t2\t2\t-1\tRT_NODE\n7\t12\t77\t2\t2\t0\tRT_BORDER\n8 1 2 3 3 0 AS_NODE\n\n"
        "Edges: (2):\n0\t30\t7\t489.1\t1.63\t10.0\t-1\t-1\tE_RT\tU\n1 8 30 7 2.5 1024.0 0 0 E_AS\n";
    static const char inet[] = "3 2\n0 10 -20.5\n1 30 40\n2 50 60\n0 1 5\n2 1 7\n";
    static const file_case cases[] = {
        /* each line is a cable, whatever its direction */
        {"2 2\n0 1 1\n1 2 2\n0 1 5\n1 0 5\n", NULL, "0>1,1 1>0,0", NULL},
        {"2 2\n0 1 1\n1 2 2\n0 1 5\n1 0 5\n", ":undirected", "0>1,1 1>0,0", NULL},
        {"2 1\n0 1 1\n1 2 2\n0 1 5\n", ":directed", NULL, "an Inet topology has each link both ways: 'directed'"},
        {brite, NULL, "30>7,8 7>30 8>30", NULL},
        {"Topology: ( 2 Nodes, 2 Edges )\nNodes: ( 2 )\n0 1 1 1 1 -1 N\n1 1 1 1 1 -1 N\nEdges: ( 2 )\n0 0 1 1 1 1 -1 "
         "-1 E D\n"
         "1 1 0 1 1 1 -1 -1 E U\n",
         NULL, "0>1,1 1>0", NULL},
        {"Topology: ( 2 Nodes, 1 Edges )\nNodes: ( 3 )\n", NULL, NULL,
         ":2: Nodes: 3, but a BRITE topology begins with a number of 2"},
        {"Topology: ( 1 Nodes, 1 Edges )\nNodes: ( 1 )\n0 1 1 1 1 -1 N\nEdges: ( 1 )\n0 0 1 1 1 1 -1 -1 E U\n", NULL,
         NULL, ":5: '1' is none of the nodes of a BRITE topology"},
        {"Topology: ( 1 Nodes, 1 Edges )\nNodes: ( 1 )\n0 1 1 1 1\n", NULL, NULL,
         ":3: the line ends where a BRITE topology has a node"},
        {"Topology: ( 1 Nodes )\n", NULL, NULL, ":1: ')' where a BRITE topology has"},
        {inet, NULL, "0>1 1>0,2 2>1", NULL},
        {"3 2\n0 10 20\n1 30 40\n2 50 60\n0 1 5\n2 3 7\n", NULL, NULL, ":6: node 3 is out of range 0..2"},
        {"3 1\n0 10 20\n1 30 40\n2 50 60\n3 1 5\n", NULL, NULL, ":5: node 3 is out of range 0..2"},
        {"3 2\n0 10 20\n1 30 40\n2 50 60\n0 1 5\n2 1\n", NULL, NULL,
         ":6: the line ends where an Inet topology has a link"},
        {"3 2\n0 10 20\n1 30 40\n2 50 60\n0 1 5\n2 1 5\n0 2 5\n", NULL, NULL,
         ":7: '0 2 5' where an Inet topology has its end"},
    };
    (void)state;
    assert_cases(cases);
    assert_robust(brite, "", true);
    assert_robust(inet, "", true);
    assert_no_part(brite, 1);
    assert_no_part(inet, 3);
    assert_attribute(brite, "", "bandwidth", "", "10 1024 10 1024");
    assert_attribute(brite, "", "delay", "", "1.63 2.5 1.63 2.5");
    assert_attribute(inet, "", "weight", "", "5 5 7 7");
}

/* ---- htsim ---- */

static void test_htsim(void **state)
{
    /* 2 pods of 2 hosts: each has 2 lower switches (1 host each) and 1 upper one, by bundles of 2 to 1 core switch */
    static const char tree[] =
        "# small\nNodes 4\nTiers 3\nPodsize 2\n\nTier 0\nDownlink_speed_Gbps 100\nRadix_Down 1\nRadix_Up 1\n"
        "Downlink_Latency_ns 1000\n\nTier 1\nDownlink_speed_Gbps 100\nRadix_Down 2\nRadix_Up 2\n"
        "Downlink_Latency_ns 1000\n\nTier 2\nDownlink_speed_Gbps 100\nRadix_Down 4\nBundle 2\nDownlink_Latency_ns "
        "5000\n";
    static const char leaves[] =
        "Nodes 4\nTiers 2\nPodsize 4\nTier 0\nDownlink_speed_Gbps 100\nRadix_Down 2\nRadix_Up 1\nOversubscribed 2\n"
        "tier 1\ndownlink_speed_gbps 100\nradix_down 2\nSwitch_Latency_ns 0\n";
    static const file_case cases[] = {
        {tree, NULL,
         "0>LS0 1>LS1 2>LS2 3>LS3 LS0>0,US0 LS1>1,US0 LS2>2,US1 LS3>3,US1 US0>LS0,LS1,CS0,CS0 US1>LS2,LS3,CS0,CS0 "
         "CS0>US0,US0,US1,US1 | 0 1 2 3",
         NULL},
        /* 2 pods of 2 lower and 2 upper switches: upper switch p of each pod is joined with core switch p */
        {"Nodes 4\nTiers 3\nPodsize 2\nTier 0\nDownlink_speed_Gbps 10\nRadix_Down 1\nRadix_Up 2\nTier "
         "1\nDownlink_speed_Gbps 5\n"
         "Radix_Down 2\nRadix_Up 1\nTier 2\nDownlink_speed_Gbps 10\nRadix_Down 2\n",
         NULL,
         "0>LS0 1>LS1 2>LS2 3>LS3 LS0>0,US0,US1 LS1>1,US0,US1 LS2>2,US2,US3 LS3>3,US2,US3 US0>LS0,LS1,CS0 "
         "US1>LS0,LS1,CS1 "
         "US2>LS2,LS3,CS0 US3>LS2,LS3,CS1 CS0>US0,US2 CS1>US1,US3 | 0 1 2 3",
         NULL},
        {leaves, NULL, "0>LS0 1>LS0 2>LS1 3>LS1 LS0>0,1,US0 LS1>2,3,US0 US0>LS0,LS1 | 0 1 2 3", NULL},
        {"Nodes 4\nConnections 1\n0->1 start 0 size 5\n", NULL, NULL, ":2: an htsim connection matrix is no network"},
        {"Nodes 4\nTiers 2\nPodsize 4\nTier 0\nRadix_Down 2\n", NULL, NULL,
         "an htsim topology needs Downlink_speed_Gbps"},
        {"Nodes 4\nTiers 2\nPodsize 3\nTier 0\nDownlink_speed_Gbps 1\nRadix_Down 2\nRadix_Up 2\nTier "
         "1\nDownlink_speed_Gbps 1\n"
         "Radix_Down 2\n",
         NULL, NULL, "the numbers of an htsim topology disagree: Nodes, Podsize"},
        {"Nodes 4\nTiers 2\nPodsize 4\nTier 0\nDownlink_speed_Gbps 1\nRadix_Down 2\nRadix_Up 2\nTier "
         "1\nDownlink_speed_Gbps 1\n"
         "Radix_Down 3\n",
         NULL, NULL, "disagree: Radix_Up of tier 0, Radix_Down of tier 1"},
        {"Nodes 4\nTiers 2\nPodsize 4\nTier 0\nDownlink_speed_Gbps 1\nRadix_Down 2\nRadix_Up 1\nTier "
         "1\nDownlink_speed_Gbps 1\n"
         "Radix_Down 2\n",
         NULL, NULL, "disagree: speeds, radices and oversubscription of tiers 0 and 1"},
        {"Nodes 4\nTiers 2\nPodsize 4\nTier 0\nRadix_Down 2\nRadix_Down 2\n", NULL, NULL,
         ":6: Radix_Down is given twice"},
        {"Nodes 4\nTiers 2\nPodsize 4\nTier 2\n", NULL, NULL,
         ":4: '2' where an htsim topology has the number of a tier"},
        {"Nodes 4\nTiers 2\nPodsize 4\nTier 0\nRadix_Down 1025\n", NULL, NULL,
         ":5: Radix_Down 1025 in an htsim topology: it is 1..1024"},
        {"Nodes 4\nTiers 2\nPodsize 4\nTier 0\nRadix 2\n", NULL, NULL,
         ":5: 'Radix 2' where an htsim topology has a key"},
        {"Nodes 4\nTiers 2\nPodsize 4\nTier 0\nRadix_Down 2\nRadix_Up 2\nTier 1\nDownlink_speed_Gbps 1\nRadix_Down 2\n",
         NULL, NULL, "an htsim topology needs Downlink_speed_Gbps"},
        {"Nodes 1048577\nTiers 2\nPodsize 4\n", NULL, NULL, ":1: Nodes 1048577 in an htsim topology: it is 2..1048576"},
        {"Nodes 4\nTiers 4\nPodsize 4\n", NULL, NULL, ":2: Tiers 4 in an htsim topology: it is 2..3"},
        {"Nodes 9999999999\nTiers 2\nPodsize 4\n", NULL, NULL, ":1: Nodes 9999999999 in an htsim topology"},
        {"Nodes 4\nTiers 2\n", NULL, NULL, "the file ends where an htsim topology has Nodes, Tiers and Podsize"},
    };
    (void)state;
    assert_cases(cases);
    assert_not("Nodes 4\nPodsize 2\n", "htsim");
    assert_robust(tree, "", true);
    assert_attribute(leaves, "", "speed", "bit/s",
                     "1e+11 1e+11 1e+11 1e+11 1e+11 1e+11 1e+11 1e+11 1e+11 1e+11 1e+11 1e+11");
    assert_attribute(
        tree, "", "latency", "s",
        "1e-06 1e-06 1e-06 1e-06 1e-06 1e-06 1e-06 1e-06 1e-06 1e-06 1e-06 1e-06 1e-06 1e-06 5e-06 5e-06 1e-06 1e-06 "
        "5e-06 5e-06 5e-06 5e-06 5e-06 5e-06");
}

/* ---- Demands ---- */

typedef struct demand_case {
    const char *text, *options;
    const char *packets; /* "0>1x5 1>2x7": how many from whom to whom, in order */
    const char *refusal, *note;
} demand_case;

static void assert_demands(const np_network *network, const demand_case *c)
{
    char *path = support_file(c->text), spec[256], got[512] = "";
    np_traffic *traffic = NULL;
    size_t at = 0;
    snprintf(spec, sizeof spec, "file:%s%s", path, c->options);
    np_status st = np_traffic_create(spec, network, 1, 0, &traffic);
    remove(path);
    free(path);
    if (c->refusal) {
        assert_refused(st, NP_ERROR_INPUT, c->refusal);
        return;
    }
    support_assert_ok(st, c->text, __FILE__, __LINE__);
    const np_node *source = np_traffic_sources(traffic), *destination = np_traffic_destinations(traffic);
    for (np_packet i = 0, n = 0; i < np_traffic_packets(traffic); i += n) {
        for (n = 0;
             i + n < np_traffic_packets(traffic) && source[i + n] == source[i] && destination[i + n] == destination[i];)
            n++;
        at += (size_t)snprintf(got + at, sizeof got - at, "%s%u>%ux%u", i ? " " : "", source[i], destination[i], n);
    }
    assert_string_equal(got, c->packets);
    if (c->note && !strstr(np_traffic_note(traffic), c->note))
        fail_msg("the note '%s' lacks '%s'", np_traffic_note(traffic), c->note);
    np_traffic_free(traffic);
}

static void test_demands(void **state)
{
    static const char repetita[] = "DEMANDS 3\nlabel src dest bw\nd0 0 1 5\nd1 1 2 7\nd2 1 2 1\n";
    static const char htsim[] =
        "# x\nNodes 3\nConnections 2\n0->1 id 1 start 0 size 2000\n2->0 start 0 size 1 prio 3\n";
    static const char later[] =
        "Nodes 3\nConnections 2\nTriggers 1\nFailures 1\n0->1 id 1 start 0 size 9 send_done_trigger 1\n"
        "1->2 id 2 trigger 1 size 9 addon\ntrigger id 1 oneshot\nfailure switch_type TOR switch_id 1 link_id 1\n";
    static const char sndlib[] =
        SNDLIB "NODES ( 0 1 2 )\nLINKS ( )\nDEMANDS ( D1 ( 0 2 ) 1 12.00 UNLIMITED\nD2 ( 2 1 ) 1 3 2 )\n";
    static const demand_case cases[] = {
        {repetita, ":packet=2", "0>1x3 1>2x5", NULL, NULL},
        {repetita, "", "0>1x5 1>2x8", NULL, "its rates are taken for numbers of packets"},
        {"DEMANDS 2\nlabel src dest bw\nd0 0 1 3000000\nd1 1 2 4000001\n", "", "0>1x300000 1>2x400001", NULL,
         "its rates are taken for packets of 10 (--packet"},
        {"DEMANDS 1\nlabel src dest bw\nd0 0 1 1000000\n", "", "0>1x1000000", NULL, "for numbers of packets"},
        {"0 1 2\n1 2 3\n", "", "0>1x2 1>2x3", NULL, NULL}, /* a list */
        {"DEMANDS 3\nlabel src dest bw\nd0 0 1 5\nd1 1 2 7\n", "", NULL,
         ": the file ends after 2 of 3 demands of a REPETITA file of demands: is it cut short?", NULL},
        {"DEMANDS 1\nlabel src dest bw\nd0 0 1 5\nd1 1 2 7\n", "", NULL,
         ":4: 'd1 1 2 7' where a REPETITA file of demands has its end", NULL},
        {"DEMANDS 1\nlabel src dest bw\nd0 0 3 5\n", "", NULL, ":3: node 3: ", NULL},
        {"DEMANDS 1\nlabel src dest bw\nd0 0 1 0.5\n", "", NULL, ":3: value '0.5' is no count", NULL},
        {"DEMANDS 1\nlabel src dest bw\nd0 0 1 -5\n", ":packet=1", NULL, ":3: ", NULL},
        {htsim, ":packet=1500", "0>1x2 2>0x1", NULL, NULL},
        {htsim, "", NULL, "sizes in an htsim connection matrix are bytes: 'packet=BYTES'", NULL},
        {later, ":packet=9", NULL, ":6: a connection that starts later", NULL},
        {later, ":packet=9:times=ignore", "0>1x1 1>2x1", NULL, "its failures of links are not used"},
        {"Nodes 3\nConnections 2\n0->1 start 0 size 5\n", ":packet=1", NULL,
         "1 connections, 0 triggers and 0 failures in an htsim connection matrix that promises 2, 0 and 0: is it cut "
         "short?",
         NULL},
        {"Nodes 3\n0 1 5\n", ":packet=1", NULL, ":1: source 'Nodes' is not a whole number", NULL}, /* a list */
        {"Nodes 3\nConnections 1\n0->3 start 0 size 5\n", ":packet=1", NULL,
         ":3: '3 start 0 size 5' where an htsim connection matrix has a host, 0..2", NULL},
        {"Nodes 3\nConnections 1\n0->1 start 0\n", ":packet=1", NULL, ":3: a connection without a size", NULL},
        {"Nodes 3\nConnections 1\n0->1 start 0 bytes 5\n", ":packet=1", NULL,
         ":3: 'bytes 5' where an htsim connection matrix has id", NULL},
        {"Nodes 9\nConnections 1\n0->1 start 0 size 5\n", ":packet=1", NULL, "a matrix for 9 nodes", NULL},
        {"Nodes 2\nConnections 1\nFailures 1\n0->1 start 0 size 5\nfailure switch_type TOR switch_id 1 link_id 1\n",
         ":packet=5", "0>1x1", NULL, "it is for the first 2 of 3 terminals; its failures of links are not used"},
        {sndlib, ":packet=4", "0>2x3 2>1x1", NULL, NULL},
        {sndlib, "", "0>2x12 2>1x3", NULL, "its rates are taken for numbers of packets"},
        {SNDLIB "NODES ( a )\nDEMANDS ( D1 ( 0 x ) 1 1 2 )\n", "", NULL, "destination 'x' is not a whole number", NULL},
        {SNDLIB "NODES ( a )\nDEMANDS ( D1 ( 0 1 ) 2 1 2 )\n", "", NULL, ":3: a routing unit of 2: only 1 is read",
         NULL},
        {SNDLIB "NODES ( a )\nDEMANDS ( D1 ( 0 1 ) 1 1 2\n", "", NULL, ":3: the file ends where an SNDlib network has",
         NULL},
        {SNDLIB "NODES ( a )\n", "", NULL, "without a section DEMANDS", NULL},
    };
    np_network *network;
    (void)state;
    assert_ok(support_network_of_text("0 1\n1 2\n2 0\n", ":undirected", &network));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_demands(network, &cases[i]);
    np_network_free(network);
}

/* In every format an amount is a number of 0 or more, and without a size of packets a whole one. */
static void test_amounts(void **state)
{
    static const struct {
        const char *text, *options;
    } formats[] = {
        {"0 1 %s\n1 2 1\n", ""},
        {"source,destination,count\n0,1,%s\n", ""},
        {"0 %s 0\n0 0 0\n1 0 0\n", ":traffic-format=matrix"},
        {",0,1,2\n0,0,%s,0\n1,0,0,0\n2,1,0,0\n", ""},
        {"%%%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 %s\n3 1 1\n", ""},
        {"%%%%MatrixMarket matrix array real general\n3 3\n0\n0\n0\n%s\n0\n0\n0\n0\n0\n", ""},
        {"DEMANDS 1\nlabel src dest bw\nd0 0 1 %s\n", ""},
        {SNDLIB "NODES ( a )\nDEMANDS ( D1 ( 0 1 ) 1 %s 2 )\n", ""},
        {"Nodes 3\nConnections 1\n0->1 start 0 size %s\n", NULL}, /* bytes */
    };
    static const char *const amounts[] = {"-1", "-0.5", "nan", "-nan", "inf", "1e", "0x1", "1,5", "--1"};
    np_network *network;
    (void)state;
    assert_ok(support_network_of_text("0 1\n1 2\n2 0\n", ":undirected", &network));
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        char text[512], options[64];
        const char *own = formats[i].options ? formats[i].options : "";
        snprintf(options, sizeof options, "%s:packet=1", own);
        for (size_t k = 0; k < sizeof amounts / sizeof *amounts; k++) {
            snprintf(text, sizeof text, formats[i].text, amounts[k]);
            assert_demands(network, &(demand_case){text, options, NULL, ":", NULL});
            if (formats[i].options)
                assert_demands(network, &(demand_case){text, own, NULL, ":", NULL});
        }
        snprintf(text, sizeof text, formats[i].text, "1.5");
        if (formats[i].options)
            assert_demands(network, &(demand_case){text, own, NULL, "'1.5' is ", NULL});
        np_traffic *traffic;
        char *path = support_file(text), spec[256];
        snprintf(spec, sizeof spec, "file:%s%s", path, options);
        assert_ok(np_traffic_create(spec, network, 1, 0, &traffic));
        np_packet sent = 0;
        for (np_packet p = 0; p < np_traffic_packets(traffic); p++)
            sent += np_traffic_sources(traffic)[p] == 0 && np_traffic_destinations(traffic)[p] == 1;
        assert_int_equal(sent, 2);
        np_traffic_free(traffic);
        remove(path);
        free(path);
    }
    np_network_free(network);
}

/* Nodes of files are numbers of nodes, too, where hosts are told from switches; a switch has no demands. */
static void test_demands_between_hosts(void **state)
{
    static const demand_case cases[] = {
        {"DEMANDS 1\nlabel\nd 2 0 4\n", "", "2>0x4", NULL, NULL},
        {"DEMANDS 1\nlabel\nd 1 0 4\n", "", NULL, ":3: node 1 is a switch: packets go from host to host", NULL},
        {"Nodes 2\nConnections 1\n1->0 start 0 size 5\n", ":packet=5", "2>0x1", NULL, NULL},
    };
    np_network *network;
    (void)state;
    assert_ok(support_network_of_text("h s\ns g\n", ":undirected:hosts=h,g", &network));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_demands(network, &cases[i]);
    np_network_free(network);
}

/* Each allocation of each reader fails in turn: an error, and nothing leaks. */
static void test_every_allocation(void **state)
{
    static const char *const texts[] = {
        "router 0 node 0 router 1 15\nnode 1 router 1\n",
        fabric,
        "SwitchName=s0 Nodes=tux[0-1]\nSwitchName=s4 \\\n Switches=s0 LinkSpeed=3\n",
        "1 @A (1) -> <2> =x r1\n2 @B (1) -> <1> =y r1\n",
        "NODES 2\nlabel\na 0 0\na 0 0\nEDGES 1\nlabel\ne 0 1 1 1 1\n",
        SNDLIB "NODES ( A B )\nLINKS ( L ( A B ) 0 0 0 0 ( ) )\n",
        "Topology: ( 1 Nodes, 1 Edges )\nNodes: ( 1 )\n0 1 1 1 1 -1 N\nEdges: ( 1 )\n0 0 0 1 1 1 -1 -1 E U\n",
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (long n = 1;; n = support_next_failure(n)) {
            np_network *network;
            np_memory_fail_after(n);
            np_status st = support_network_of_text(texts[i], "", &network);
            np_memory_fail_after(0);
            if (!st) {
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
        cmocka_unit_test(test_anynet),
        cmocka_unit_test(test_infiniband),
        cmocka_unit_test(test_slurm),
        cmocka_unit_test(test_repetita),
        cmocka_unit_test(test_sndlib),
        cmocka_unit_test(test_rocketfuel),
        cmocka_unit_test(test_caida),
        cmocka_unit_test(test_generators),
        cmocka_unit_test(test_htsim),
        cmocka_unit_test(test_demands),
        cmocka_unit_test(test_amounts),
        cmocka_unit_test(test_demands_between_hosts),
        cmocka_unit_test(test_every_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
