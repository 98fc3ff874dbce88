/*
 * InfiniBand fabrics as ibnetdiscover writes them and ibsim reads them (infiniband-diags; ibsim):
 *
 *   vendid=0x2c9                                   about the next node: not used
 *   Switch  36 "S-0002c9020040f7a0"  # "leaf 1" base port 0 lid 3 lmc 0
 *   [1]     "H-0002c903000e0b72"[1](2c903000e0b73)  # "node1 HCA-1" lid 11 4xEDR
 *   [2]     "S-0002c9020040f7a8"[19]                # "spine 1" lid 7 4xEDR
 *
 *   Ca      2 "H-0002c903000e0b72"   # "node1 HCA-1"
 *   [1](2c903000e0b73)  "S-0002c9020040f7a0"[1]     # lid 11 lmc 0 "leaf 1" lid 3 4xEDR
 *
 * Ca (or Hca) is a host, Rt a router; a router forwards and is no host. Each cable stands at both of its ports, which
 * must agree. A port of the other end that is left out is 1. The name of a node is its identifier in quotes; what the
 * comment calls it is its label. The port by which a link leaves its tail is kept for forwarding tables (forwarding.h).
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/room.h"
#include "base/decimal.h"
#include "model/format/format.h"
#include "model/format/scan.h"
#include "model/network/attributes.h"

static const char what[] = "an InfiniBand fabric (ibnetdiscover, ibsim)";

enum { PORTS_MAX = 1 << 12 }; /* ours: the architecture has 254 */

typedef struct fabric {
    np_builder *graph;
    np_scan scan;
    uint16_t *ports; /* [nodes] how many the node has */
    size_t ports_room;
    np_cable_end *end;
    size_t ends, ends_room;
} fabric;

/* ---- Lines ---- */

typedef enum line_kind { ABOUT, NODE, PORT, OTHER } line_kind;

/* "Switch 36 "; *host: it is a channel adapter. */
static bool read_kind(np_scan *scan, bool *host, uint64_t *ports)
{
    *host = np_scan_is(scan, "Ca") || np_scan_is(scan, "Hca");
    return (*host || np_scan_is(scan, "Switch") || np_scan_is(scan, "Rt") || np_scan_is(scan, "Router")) &&
           np_scan_whole(scan, "\"", ports);
}

static bool begins(const np_scan *scan, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(scan->end - scan->at) >= length && !strncasecmp(scan->at, word, length);
}

static bool begins_with_one(const np_scan *scan, const char *const *words)
{
    for (; *words; words++)
        if (begins(scan, *words))
            return true;
    return false;
}

/* Lines that say something of a node, or that ibnetdiscover --grouping writes. */
static bool is_about(const np_scan *scan)
{
    static const char *const words[] = {
        "vendid=", "devid=",   "sysimgguid=", "switchguid",        "caguid",  "hcaguid", "rtguid", "width=",
        "speed=",  "Chassis ", "Hostname: ",  "Non-Chassis Nodes", "pdebug=", NULL};
    return begins_with_one(scan, words);
}

static line_kind kind_of(const np_scan *scan)
{
    np_scan rest = *scan;
    np_text_field id;
    uint64_t ports;
    bool host;
    if (np_scan_mark(&rest, "["))
        return PORT;
    if (read_kind(&rest, &host, &ports) && np_scan_quoted(&rest, &id))
        return NODE;
    return is_about(scan) ? ABOUT : OTHER;
}

/* Down to the first node. A file that is cut before it is known by vendid=. */
static bool recognizes(np_text text)
{
    np_scan scan = np_scan_begin(&text, what);
    line_kind kind = ABOUT;
    bool sure = false;
    while (kind == ABOUT && np_scan_line(&scan)) {
        kind = kind_of(&scan);
        sure |= begins(&scan, "vendid=");
    }
    return kind == NODE || (kind == ABOUT && sure);
}

static np_status refuse_line(const np_scan *scan)
{
    static const char *const words[] = {"include", "@[", NULL};
    if (begins_with_one(scan, words))
        return np_text_raise(scan->text, NP_ERROR_INPUT, "'%s': files of ibsim with modules or includes are not read",
                             np_text_show_field((np_text_field){scan->at, (size_t)(scan->end - scan->at)}).text);
    return np_scan_refuse(scan, "a node, as in 'Switch 36 \"ID\"', or a port, as in '[1] \"ID\"[2]'");
}

/* ---- Nodes ---- */

/* The label in the comment of a node: # "leaf 1" ... */
static np_text_field label_of(const np_scan *scan)
{
    np_text_field label = {NULL, 0};
    np_scan comment = {.text = scan->text, .at = scan->comment.at, .end = scan->comment.at + scan->comment.length};
    (void)np_scan_quoted(&comment, &label);
    return label;
}

static np_status add_node(fabric *f)
{
    np_text_field id;
    uint64_t ports;
    bool host;
    np_node node;
    np_status st;
    if (!read_kind(&f->scan, &host, &ports) || !np_scan_quoted(&f->scan, &id) || !id.length)
        return np_scan_refuse(&f->scan, "the identifier of a node");
    if (!ports || ports >= PORTS_MAX)
        return np_text_raise(f->scan.text, NP_ERROR_INPUT, "a node of %llu ports: it has 1..%d",
                             (unsigned long long)ports, PORTS_MAX - 1);
    if ((st = np_scan_end_line(&f->scan)) || (st = np_scan_new_node(&f->scan, f->graph, id, &node)) ||
        (st = np_memory_room(&f->ports, node, &f->ports_room, sizeof *f->ports, "the ports of nodes")))
        return st;
    f->ports[node] = (uint16_t)ports;
    if (host && (st = np_builder_host(f->graph, node)))
        return st;
    return np_builder_label(f->graph, f->scan.text, node, label_of(&f->scan));
}

/* Finds all nodes, and refuses lines of other kinds. */
static np_status add_nodes(fabric *f)
{
    np_status st = NP_OK;
    while (!st && np_scan_line(&f->scan)) {
        line_kind kind = kind_of(&f->scan);
        if (kind == NODE)
            st = add_node(f);
        else if (kind == OTHER || (kind == PORT && !f->graph->nodes))
            st = refuse_line(&f->scan);
    }
    return st;
}

/* ---- Ports ---- */

/* "[3]" */
static bool read_port(np_scan *scan, uint64_t *port)
{
    return np_scan_mark(scan, "[") && np_scan_whole(scan, "]", port) && np_scan_mark(scan, "]");
}

/* "[ext 2]" and "(2c903000e0b73)", which may follow a port. */
static void skip_about_port(np_scan *scan)
{
    np_text_field word;
    while (np_scan_mark(scan, "[ext") || np_scan_mark(scan, "(")) {
        (void)np_scan_word(scan, ")]", &word);
        if (!np_scan_mark(scan, ")"))
            (void)np_scan_mark(scan, "]");
    }
}

/* What follows the two ports in a file of ibsim: w=4 s=2. */
static np_status skip_options(np_scan *scan)
{
    np_text_field word;
    while (!np_scan_at_end(scan)) {
        np_scan before = *scan;
        if (!np_scan_word(scan, "=", &word) || !np_scan_mark(scan, "=") || !np_scan_word(scan, "", &word))
            return np_scan_refuse(&before, "the end of a port, or an option such as w=4");
    }
    return NP_OK;
}

/* The identifier of a node, for messages. */
static np_text_shown shown(const fabric *f, np_node node)
{
    const char *id = np_names_get(&f->graph->names, node);
    return np_text_show_field((np_text_field){id, strlen(id)});
}

static np_status check_port(const fabric *f, np_node node, uint64_t port)
{
    if (port && port <= f->ports[node])
        return NP_OK;
    return np_text_raise(f->scan.text, NP_ERROR_INPUT, "port %llu of '%s', which has %u ports in %s",
                         (unsigned long long)port, shown(f, node).text, f->ports[node], what);
}

/* Signalling rates as they are named, in Gbit/s of one lane. */
static double lane_rate(np_text_field name)
{
    static const struct {
        const char *name;
        double rate;
    } rates[] = {{"SDR", 2.5}, {"DDR", 5},  {"QDR", 10},  {"FDR10", 10}, {"FDR", 14},
                 {"EDR", 25},  {"HDR", 50}, {"NDR", 100}, {"XDR", 200}};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        if (name.length == strlen(rates[i].name) && !memcmp(name.at, rates[i].name, name.length))
            return rates[i].rate;
    return 0;
}

/* Finds "4xEDR" in the comment: 100 Gbit/s; 0: it says none. */
static double speed_of(const np_scan *scan)
{
    np_scan comment = {.text = scan->text, .at = scan->comment.at, .end = scan->comment.at + scan->comment.length};
    np_text_field word;
    double speed = 0;
    while (!np_scan_at_end(&comment) && !(speed > 0)) {
        uint64_t lanes;
        if (np_scan_quoted(&comment, &word) || !np_scan_word(&comment, "", &word))
            continue;
        const char *x = memchr(word.at, 'x', word.length);
        if (x && np_text_whole((np_text_field){word.at, (size_t)(x - word.at)}, &lanes))
            speed = (double)lanes * lane_rate((np_text_field){x + 1, (size_t)(word.at + word.length - x - 1)});
    }
    return speed;
}

static np_status add_end(fabric *f, np_node here, uint64_t port, np_node there, uint64_t other)
{
    np_status st = np_memory_room(&f->end, f->ends, &f->ends_room, sizeof *f->end, "the ports of a file");
    if (!st)
        f->end[f->ends++] =
            (np_cable_end){(uint64_t)here * PORTS_MAX + port, (uint64_t)there * PORTS_MAX + other, f->scan.text->line};
    return st;
}

static np_status add_port(fabric *f, np_node here)
{
    char speed[32], number[32];
    np_scan_attribute attribute[] = {{"speed", {speed, 0}}, {NP_IB_PORT, {number, 0}}};
    np_scan *scan = &f->scan;
    np_text_field id;
    np_node there;
    uint64_t port, other = 1;
    np_status st;
    if (!read_port(scan, &port))
        return np_scan_refuse(scan, "a port, as in '[1]'");
    skip_about_port(scan);
    if (!np_scan_quoted(scan, &id))
        return np_scan_refuse(scan, "the identifier of the node at the other end, in quotes");
    np_scan rest = *scan;
    if (np_scan_mark(&rest, "[") && !read_port(scan, &other))
        return np_scan_refuse(scan, "the port of the other end");
    skip_about_port(scan);
    if ((st = skip_options(scan)) || (st = np_scan_node(scan, f->graph, id, &there)) ||
        (st = check_port(f, here, port)) || (st = check_port(f, there, other)) ||
        (st = add_end(f, here, port, there, other)))
        return st;
    double rate = speed_of(scan);
    if (rate > 0)
        attribute[0].value.length = (size_t)snprintf(speed, sizeof speed, "%sGbps", NP_REAL(rate, 6));
    attribute[1].value.length = (size_t)snprintf(number, sizeof number, "%u", (unsigned)port);
    return np_scan_link(scan, f->graph, here, there, attribute, 2);
}

static np_status add_ports(fabric *f)
{
    np_text_field id;
    uint64_t ports;
    bool host;
    np_node here = NP_NONE;
    np_status st = NP_OK;
    while (!st && np_scan_line(&f->scan)) {
        line_kind kind = kind_of(&f->scan);
        if (kind == NODE && read_kind(&f->scan, &host, &ports) && np_scan_quoted(&f->scan, &id))
            st = np_scan_node(&f->scan, f->graph, id, &here);
        else if (kind == PORT)
            st = add_port(f, here);
    }
    return st;
}

/* Each cable is at both of its ports, and each port has one. */
static np_status check_ends(fabric *f)
{
    const np_cable_end *alone = np_cable_end_alone(f->end, f->ends);
    for (size_t i = 1; i < f->ends && !alone; i++)
        if (f->end[i].here == f->end[i - 1].here)
            alone = &f->end[i];
    if (!alone)
        return NP_OK;
    f->scan.text->line = alone->line;
    return np_text_raise(
        f->scan.text, NP_ERROR_INPUT,
        "port %llu of '%s' leads to port %llu of '%s', which does not lead back: is the file cut short?",
        (unsigned long long)(alone->here % PORTS_MAX), shown(f, (np_node)(alone->here / PORTS_MAX)).text,
        (unsigned long long)(alone->there % PORTS_MAX), shown(f, (np_node)(alone->there / PORTS_MAX)).text);
}

static np_status read(np_builder *graph, np_text *text)
{
    const np_text first = *text;
    fabric f = {.graph = graph, .scan = np_scan_begin(text, what)};
    np_status st;
    graph->naming = NP_GRAPH_NAMED;
    graph->direction = NP_GRAPH_UNDIRECTED;
    graph->both = true;
    if (!(st = add_nodes(&f))) {
        *text = first;
        if (!(st = add_ports(&f)))
            st = check_ends(&f);
    }
    NP_MEMORY_FREE(f.ports, f.end);
    return st;
}

const np_graph_format np_format_infiniband = {
    .info = {"ibnetdiscover", what, "ibnetdiscover(8), ibsim", "ibsim infiniband"},
    .recognizes = recognizes,
    .read = read,
};
