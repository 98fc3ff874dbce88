/*
 * Maps of Internet providers by Rocketfuel (Spring, Mahajan & Wetherall 2002). A .cch file has a line for each router:
 *
 *   21 @State+College,+PA + bb (1) &1 -> <3699> {-3464} =205.146.113.1! r3
 *   -3464 =192.0.2.7 r5
 *
 * its number; its place; '+': the name says the place; bb: in the backbone; how many neighbours, and how many addresses
 * outside; the neighbours, the addresses outside; a name, '!' if it may be an alias; how far from a named router. The
 * map is symmetric. Addresses outside, which have numbers below 0, are no routers of the provider: they are not used.
 *
 * Files of weights or latencies (.intra) have lines FROM TO NUMBER. Names of routers are places with their numbers:
 * State+College,+PA3699.
 */
#include <string.h>

#include "base/room.h"
#include "model/format/format.h"
#include "model/format/scan.h"

static const char map[] = "a Rocketfuel map", weights[] = "a Rocketfuel file of weights";

/* ---- Maps ---- */

typedef struct line {
    np_text_field uid;
    uint64_t neighbours, outside; /* as the line says */
} line;

static bool is_outside(np_text_field uid)
{
    uint64_t number;
    return uid.length > 1 && *uid.at == '-' && np_text_whole((np_text_field){uid.at + 1, uid.length - 1}, &number);
}

/* The line up to '->'. */
static bool read_head(np_scan *scan, line *l)
{
    np_text_field place;
    uint64_t number;
    l->outside = 0;
    if (!np_scan_word(scan, "", &l->uid) || !np_text_whole(l->uid, &number) || !np_scan_mark(scan, "@") ||
        !np_scan_word(scan, "", &place))
        return false;
    while (np_scan_is(scan, "+") || np_scan_is(scan, "bb"))
        ;
    if (!np_scan_mark(scan, "(") || !np_scan_whole(scan, ")", &l->neighbours) || !np_scan_mark(scan, ")"))
        return false;
    if (np_scan_mark(scan, "&") && !np_scan_whole(scan, "", &l->outside))
        return false;
    return np_scan_mark(scan, "->");
}

/* "=name r3", the end of a line. */
static bool read_tail(np_scan *scan)
{
    np_text_field name, distance;
    return np_scan_mark(scan, "=") && np_scan_word(scan, "", &name) && np_scan_word(scan, "", &distance) &&
           *distance.at == 'r' && np_scan_at_end(scan);
}

static bool recognizes_map(np_text text)
{
    np_scan scan = np_scan_begin(&text, map);
    line l;
    return np_scan_line(&scan) && read_head(&scan, &l);
}

/* "<12>" or "{-3}": the number between the brackets. */
static bool read_bracket(np_scan *scan, const char *open, const char *close, np_text_field *uid)
{
    return np_scan_mark(scan, open) && np_scan_word(scan, close, uid) && np_scan_mark(scan, close);
}

typedef struct ends {
    np_cable_end *item;
    size_t count, room;
} ends;

static np_status add_neighbour(np_builder *graph, np_scan *scan, ends *e, np_node node, np_text_field uid)
{
    np_node other;
    np_status st;
    if ((st = np_scan_node(scan, graph, uid, &other)) ||
        (st = np_memory_room(&e->item, e->count, &e->room, sizeof *e->item, "the links of a map")))
        return st;
    e->item[e->count++] = (np_cable_end){node, other, scan->text->line};
    return np_builder_link(graph, scan->text, node, other, 1);
}

static np_status read_router(np_builder *graph, np_scan *scan, ends *e)
{
    line l;
    np_text_field uid;
    np_node node;
    uint64_t inside = 0, outside = 0;
    np_status st;
    if (!read_head(scan, &l))
        return np_scan_refuse(scan, "a router: UID @PLACE (NEIGHBOURS) -> <UID> ... =NAME rN");
    if ((st = np_scan_node(scan, graph, l.uid, &node)))
        return st;
    for (; read_bracket(scan, "<", ">", &uid); inside++)
        if ((st = add_neighbour(graph, scan, e, node, uid)))
            return st;
    while (read_bracket(scan, "{", "}", &uid))
        outside++;
    if (!read_tail(scan))
        return np_scan_refuse(scan, "the end of a line: =NAME rN");
    if (inside == l.neighbours && outside == l.outside)
        return NP_OK;
    return np_text_raise(scan->text, NP_ERROR_INPUT,
                         "%llu neighbours and %llu addresses outside, where the line of %s says (%llu) &%llu",
                         (unsigned long long)inside, (unsigned long long)outside, map, (unsigned long long)l.neighbours,
                         (unsigned long long)l.outside);
}

/* The numbers of all routers. */
static np_status add_routers(np_builder *graph, np_scan *scan)
{
    np_text_field uid;
    np_node node;
    np_status st = NP_OK;
    while (!st && np_scan_line(scan)) {
        np_scan whole = *scan;
        uint64_t number;
        if (!np_scan_word(scan, "", &uid))
            continue;
        if (is_outside(uid))
            st = read_tail(scan) ? NP_OK : np_scan_refuse(&whole, "an address outside: -UID =NAME rN");
        else if (np_text_whole(uid, &number))
            st = np_scan_new_node(scan, graph, uid, &node);
        else
            st = np_scan_refuse(&whole, "a router: UID @PLACE (NEIGHBOURS) -> <UID> ... =NAME rN");
    }
    return st;
}

static np_status read_routers(np_builder *graph, np_scan *scan, ends *e)
{
    np_status st = NP_OK;
    while (!st && np_scan_line(scan)) {
        np_scan rest = *scan;
        np_text_field uid;
        if (!np_scan_word(&rest, "", &uid) || !is_outside(uid))
            st = read_router(graph, scan, e);
        else
            graph->ignored = "addresses outside the provider are not used";
    }
    const np_cable_end *alone = st ? NULL : np_cable_end_alone(e->item, e->count);
    if (!alone)
        return st;
    scan->text->line = alone->line;
    return np_text_raise(
        scan->text, NP_ERROR_INPUT, "router %s has the neighbour %s, which does not have it: %s is symmetric",
        np_names_get(&graph->names, (uint32_t)alone->here), np_names_get(&graph->names, (uint32_t)alone->there), map);
}

static np_status read_map(np_builder *graph, np_text *text)
{
    const np_text first = *text;
    np_scan scan = np_scan_begin(text, map);
    ends e = {NULL, 0, 0};
    np_status st;
    graph->naming = NP_GRAPH_NAMED;
    graph->direction = NP_GRAPH_UNDIRECTED;
    graph->both = true;
    if (!(st = add_routers(graph, &scan))) {
        *text = first;
        st = read_routers(graph, &scan, &e);
    }
    np_memory_free(e.item);
    return st;
}

const np_graph_format np_format_rocketfuel = {
    .info = {"rocketfuel", map, "Spring, Mahajan & Wetherall 2002"},
    .recognizes = recognizes_map,
    .read = read_map,
};

/* ---- Weights ---- */

/* A place, and a number behind it. *region: the place has ",+" as in New+York,+NY4028. */
static bool is_router(np_text_field name, bool *region)
{
    char first = *name.at, last = name.at[name.length - 1];
    *region = false;
    for (size_t i = 0; i + 1 < name.length; i++)
        *region |= name.at[i] == ',' && name.at[i + 1] == '+';
    return !strchr("0123456789-+.,\"(", first) && last >= '0' && last <= '9';
}

static bool read_weight(np_scan *scan, np_text_field *from, np_text_field *to, np_text_field *weight)
{
    return np_scan_word(scan, "", from) && np_scan_word(scan, "", to) && np_scan_number(scan, "", weight) &&
           np_scan_at_end(scan);
}

/* The first lines are of this kind, down to one with a region: no list has such names. */
static bool recognizes_weights(np_text text)
{
    np_scan scan = np_scan_begin(&text, weights);
    np_text_field from, to, weight;
    bool a, b;
    while (np_scan_line(&scan) && read_weight(&scan, &from, &to, &weight) && is_router(from, &a) && is_router(to, &b))
        if (a || b)
            return true;
    return false;
}

static np_status read_weights(np_builder *graph, np_text *text)
{
    np_scan scan = np_scan_begin(text, weights);
    np_scan_attribute weight = {"weight", {NULL, 0}};
    np_text_field from, to;
    np_node a, b;
    np_status st = NP_OK;
    graph->naming = NP_GRAPH_NAMED;
    while (!st && np_scan_line(&scan)) {
        np_scan whole = scan;
        if (!read_weight(&scan, &from, &to, &weight.value))
            return np_scan_refuse(&whole, "a link: FROM TO WEIGHT");
        if (!(st = np_builder_node(graph, text, from, &a)) && !(st = np_builder_node(graph, text, to, &b)))
            st = np_scan_link(&scan, graph, a, b, &weight, 1);
    }
    return st;
}

const np_graph_format np_format_rocketfuel_weights = {
    .info = {"rocketfuel-weights", weights, "Spring, Mahajan & Wetherall 2002"},
    .recognizes = recognizes_weights,
    .read = read_weights,
};
