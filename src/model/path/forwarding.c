/*
 * See forwarding.h. Ports of tables are those of the fabric, which the network's file says (the attribute ibport of its
 * links, format_infiniband.c). Nodes are found by what their switch or adapter is called; or, if several are called so,
 * by their identifier, which for a switch is its GUID.
 *
 * All tables are read first. Then each host's packets are led from table to table to each LID of another host.
 */
#include "model/path/forwarding.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "model/network/attributes.h"
#include "model/network/read_node.h"

enum {
    LIDS = 0xc000,      /* unicast ones: below this */
    NO_PORT = 255,      /* a port that is no entry, and that no switch has */
    HOPS_MOST = 1 << 28 /* ours: of all paths; 1 GB */
};

static const char what[] = "forwarding tables";

typedef struct tables {
    np_text *text;
    const np_graph *graph;
    const double *port; /* [link_numbers] by which a link leaves its tail, by the fabric's count */
    uint8_t **out;      /* [nodes] NULL, or [LIDS] the port for each */
    np_node *node;      /* [LIDS] whose the LID is; NP_NONE */
    np_node at;         /* the switch whose table is being read; NP_NONE: none is */
    np_port *route;     /* [nodes] */
    np_node *host;      /* [hosts] */
    uint32_t hosts;
} tables;

/* ---- Lines ---- */

static const char first_word[] = "Unicast lids";

static bool begins(np_text_field line, const char *word)
{
    return line.length >= strlen(word) && !memcmp(line.at, word, strlen(word));
}

static np_text_field line_of(const np_text *text)
{
    np_text_field line = text->whole;
    for (; line.length && np_text_is_blank(*line.at); line.length--)
        line.at++;
    while (line.length && np_text_is_blank(line.at[line.length - 1]))
        line.length--;
    return line;
}

/* What stands behind the word; length 0: the line has it not. */
static np_text_field behind(np_text_field line, const char *word)
{
    size_t length = strlen(word);
    for (size_t i = 0; i + length <= line.length; i++)
        if (!memcmp(line.at + i, word, length))
            return (np_text_field){line.at + i + length, line.length - i - length};
    return (np_text_field){line.at, 0};
}

/* OpenSM's opensm.fdbs: "osm_ucast_mgr_dump_ucast_routes: Switch 0x..." */
static bool is_of_numbers(np_text_field line) { return behind(line, "dump_ucast_routes: Switch").length > 0; }

bool np_forwarding_is(np_text text)
{
    while (np_text_line(&text))
        if (line_of(&text).length)
            return begins(line_of(&text), first_word) || is_of_numbers(line_of(&text));
    return false;
}

/* The text between the first and the last of these characters. */
static np_text_field between(np_text_field line, char open, char close)
{
    const char *from = memchr(line.at, open, line.length), *to = line.at + line.length;
    while (from && to > from + 1 && to[-1] != close)
        to--;
    if (!from || to <= from + 1)
        return (np_text_field){line.at, 0};
    return (np_text_field){from + 1, (size_t)(to - 1 - from - 1)};
}

/* A hexadecimal number with its 0x, at the start of the text; its length, 0: there is none. */
static size_t read_hex(np_text_field text, uint64_t *out)
{
    size_t at = 2;
    *out = 0;
    if (text.length < 3 || text.at[0] != '0' || (text.at[1] | 32) != 'x')
        return 0;
    for (; at < text.length && at < 18; at++) {
        char c = text.at[at], low = c | 32;
        if (c >= '0' && c <= '9')
            *out = *out * 16 + (uint64_t)(c - '0');
        else if (low >= 'a' && low <= 'f')
            *out = *out * 16 + (uint64_t)(low - 'a' + 10);
        else
            break;
    }
    return at > 2 ? at : 0;
}

static np_status refuse(const tables *t, const char *expected)
{
    return np_text_raise(t->text, NP_ERROR_INPUT, "'%s' where %s have %s", np_text_show_field(line_of(t->text)).text,
                         what, expected);
}

/* ---- Nodes ---- */

/* By its name; or by the name and its identifier behind it, or the identifier. kind: 'S' or 'H'. */
static np_node find_node(const tables *t, np_text_field name, char kind, uint64_t guid)
{
    const np_network *network = t->graph->network;
    char text[160];
    np_node node;
    snprintf(text, sizeof text, "%.*s", (int)(name.length < 100 ? name.length : 100), name.at);
    if (name.length && (node = np_network_find_node(network, text)) != NP_NONE)
        return node;
    size_t length = strlen(text);
    snprintf(text + length, sizeof text - length, "/%c-%016llx", kind, (unsigned long long)guid);
    if ((node = np_network_find_node(network, text)) != NP_NONE)
        return node;
    return np_network_find_node(network, text + length + 1);
}

/* "... guid 0x0000000000000051 ('leaf1'):" */
static np_status read_switch(tables *t, np_text_field line)
{
    np_text_field guid = behind(line, " guid "), name = between(guid, '(', ')');
    uint64_t number;
    np_status st;
    if (!read_hex(guid, &number))
        return refuse(t, "'guid 0x...' of a switch");
    if (name.length > 1 && *name.at == '\'')
        name = between(name, '\'', '\'');
    t->at = find_node(t, name, 'S', number);
    if (t->at == NP_NONE)
        return np_text_raise(t->text, NP_ERROR_INPUT, "the network has no switch '%s' of guid 0x%llx",
                             np_text_show_field(name).text, (unsigned long long)number);
    if (t->out[t->at])
        return np_text_raise(t->text, NP_ERROR_INPUT, "a second table of switch '%s'", np_text_show_field(name).text);
    if ((st = np_memory_array(&t->out[t->at], LIDS, 1, what)))
        return st;
    memset(t->out[t->at], NO_PORT, LIDS);
    return NP_OK;
}

/* "Channel Adapter portguid 0x00000000000000b1: 'host1 HCA-1'": whose the LID is. Those of others do not matter. */
static np_status read_destination(tables *t, np_text_field about, uint64_t lid)
{
    np_text_field name = between(about, '\'', '\'');
    bool adapter = behind(about, "Channel Adapter").length || behind(about, "CA ").length;
    uint64_t guid;
    if (!adapter)
        return NP_OK;
    if (!read_hex(behind(about, "portguid "), &guid))
        return refuse(t, "'portguid 0x...' of a channel adapter");
    np_node node = find_node(t, name, 'H', guid);
    if (node == NP_NONE)
        return np_text_raise(t->text, NP_ERROR_INPUT, "the network has no channel adapter '%s'",
                             np_text_show_field(name).text);
    if (t->node[lid] != NP_NONE && t->node[lid] != node)
        return np_text_raise(t->text, NP_ERROR_INPUT, "lid 0x%llx is of two channel adapters", (unsigned long long)lid);
    t->node[lid] = node;
    return NP_OK;
}

/* "0x000b 001 # ..." or "0x000b 001 : (...)" */
static np_status read_entry(tables *t, np_text_field line)
{
    uint64_t lid, port = 0;
    size_t at = read_hex(line, &lid), digits = 0;
    while (at && at < line.length && line.at[at] == ' ')
        at++;
    for (; at && at < line.length && line.at[at] >= '0' && line.at[at] <= '9' && digits < 4; at++, digits++)
        port = 10 * port + (uint64_t)(line.at[at] - '0');
    if (!digits || lid >= LIDS || port >= NO_PORT)
        return refuse(t, "a LID and a port, as in '0x000b 001'");
    if (t->at == NP_NONE)
        return refuse(t, "'Unicast lids' and a switch before");
    t->out[t->at][lid] = (uint8_t)port;
    return read_destination(t, (np_text_field){line.at + at, line.length - at}, lid);
}

/* Lines that count and name columns. */
static bool is_about(np_text_field line)
{
    static const char count[] = "lids dumped";
    size_t length = strlen(count);
    return begins(line, "Lid ") || begins(line, "Port ") ||
           (line.length >= length && !memcmp(line.at + line.length - length, count, length));
}

static np_status read_lines(tables *t)
{
    np_status st = NP_OK;
    while (!st && np_text_line(t->text)) {
        np_text_field line = line_of(t->text);
        if (begins(line, first_word))
            st = read_switch(t, line);
        else if (begins(line, "0x"))
            st = read_entry(t, line);
        else if (is_of_numbers(line))
            st =
                np_text_raise(t->text, NP_ERROR_INPUT,
                              "tables such as opensm.fdbs do not say whose the LIDs are: take opensm-lfts.dump or what "
                              "dump_lfts prints");
        else if (line.length && !is_about(line))
            st = refuse(t, "'Unicast lids ...', or a LID and a port");
    }
    return st;
}

/* ---- Paths ---- */

/* The link by which the port leaves the node; NP_NONE: there is none. */
static np_link link_of(const tables *t, np_node u, uint8_t port)
{
    const np_graph *graph = t->graph;
    for (np_link link = graph->row[u]; link < graph->row[u + 1]; link++)
        if (graph->head[link] != NP_NONE && t->port[link] == port)
            return link;
    return NP_NONE;
}

/* A host has one link, since nobody says by which of several it sends. */
static np_status only_link(const tables *t, np_node host, np_link *out)
{
    const np_graph *graph = t->graph;
    uint32_t links = 0;
    for (np_link link = graph->row[host]; link < graph->row[host + 1]; link++)
        if (graph->head[link] != NP_NONE) {
            *out = link;
            links++;
        }
    return links == 1
               ? NP_OK
               : NP_RAISE(NP_ERROR_APPLY, "%s: host %.60s has %u links, and the tables do not say by which it sends",
                          t->text->name, NP_NODE_NAME(graph->network, host), links);
}

static np_status follow(tables *t, np_node from, uint32_t lid, np_listed *listed)
{
    const np_graph *graph = t->graph;
    np_node to = t->node[lid], at = from;
    np_link link = NP_NONE;
    uint32_t hops = 0;
    np_status st = only_link(t, from, &link);
    while (!st) {
        if (hops == graph->nodes)
            return NP_RAISE(NP_ERROR_INPUT, "%s: the tables go in circles from %.60s to %.60s", t->text->name,
                            NP_NODE_NAME(graph->network, from), NP_NODE_NAME(graph->network, to));
        t->route[hops++] = link - graph->row[at];
        at = graph->head[link];
        if (at == to)
            break;
        uint8_t port = t->out[at] ? t->out[at][lid] : NO_PORT;
        link = port == NO_PORT ? NP_NONE : link_of(t, at, port);
        if (link == NP_NONE)
            return NP_OK; /* no way: packets for it are refused, if there are any */
    }
    if (!st && listed->ports + hops > HOPS_MOST)
        return NP_RAISE(NP_ERROR_LIMIT, "%s: paths of 2^28 hops at most are kept", t->text->name);
    return st ? st : np_listed_add(listed, from, to, hops, t->route, true);
}

static np_status follow_all(tables *t, np_listed *listed)
{
    np_status st = NP_OK;
    for (uint32_t h = 0; h < t->hosts && !st; h++)
        for (uint32_t lid = 0; lid < LIDS && !st; lid++)
            if (t->node[lid] != NP_NONE && t->node[lid] != t->host[h])
                st = follow(t, t->host[h], lid, listed);
    return st;
}

/* ---- Both ---- */

static np_status init(tables *t)
{
    const np_network *network = t->graph->network;
    const np_link_attribute *port = np_network_find_attribute(network, NP_IB_PORT);
    np_status st;
    if (!port || !network->host)
        return NP_RAISE(NP_ERROR_APPLY,
                        "%s: %s are for fabrics of ibnetdiscover, whose hosts and ports have numbers: not "
                        "for %.80s",
                        t->text->name, what, np_network_spec(network));
    t->port = port->value;
    t->host = network->host;
    t->hosts = network->terminals;
    t->at = NP_NONE;
    if ((st = np_memory_zeroed(&t->out, network->nodes, sizeof *t->out, what)) ||
        (st = np_memory_array(&t->node, LIDS, sizeof *t->node, what)) ||
        (st = np_memory_array(&t->route, (size_t)network->nodes + 1, sizeof *t->route, what)))
        return st;
    memset(t->node, 0xff, LIDS * sizeof *t->node); /* NP_NONE */
    return NP_OK;
}

np_status np_forwarding_read(np_text *text, const np_graph *graph, np_listed *listed)
{
    tables t = {.text = text, .graph = graph};
    np_status st;
    if (!(st = init(&t)) && !(st = read_lines(&t)))
        st = follow_all(&t, listed);
    for (np_node u = 0; t.out && u < graph->nodes; u++)
        np_memory_free(t.out[u]);
    NP_MEMORY_FREE(t.out, t.node, t.route);
    return st;
}
