/*
 * Guests: the links of a network, or the buses of a file; and the places of their nodes.
 *
 * Coordinates. Meshes and tori of two dimensions (in space also of three) have their own; arrays and rings lie along a
 * line. A torus is laid out by its coordinates alone. Like all links, the links that wrap around leave a region of
 * w x h points by the region's border, and there are at most 2(w + h) of them each way.
 *
 * A layout places all nodes of the guest at different points with coordinates below 2^31. It gives no wires, so its
 * area is the area of the least rectangle around the nodes.
 */
#include "papers/universal/guest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/order.h"
#include "base/room.h"
#include "base/text.h"
#include "model/network/read_node.h"

enum { NODES_MAX = 1 << 28, COORDINATE_MAX = INT32_MAX, NAME_MAX_SHOWN = 40 };

void np_guest_displace(np_guest *guest)
{
    np_memory_free(guest->point);
    guest->point = NULL;
    guest->map = NP_UNIVERSAL_METIS;
}

void np_guest_clear(np_guest *guest)
{
    NP_MEMORY_FREE(guest->block, guest->point);
    *guest = (np_guest){0};
}

static void layout(void *object, np_arena *arena)
{
    np_guest *g = object;
    np_arena_array(arena, &g->row, (size_t)g->groups + 1, sizeof *g->row, "its rows");
    np_arena_array(arena, &g->member, g->members, sizeof *g->member, "its nodes");
    if (!g->buses)
        np_arena_array(arena, &g->head, g->groups, sizeof *g->head, "its links' heads");
    if (g->whole)
        np_arena_array(arena, &g->number, g->groups, sizeof *g->number, "its numbers");
    else if (!g->buses)
        np_arena_array(arena, &g->link, g->groups, sizeof *g->link, "its links");
}

np_status np_guest_reserve(np_guest *guest) { return np_arena_place(guest, layout, "a guest", &guest->block); }

/* ---- networks ---- */

/* True for one or two dimensions; in space also for three. */
static bool has_coordinates(const np_network *network, bool volume)
{
    return np_network_is(network, NP_KIND_GRIDS) && network->dimensions <= (volume ? 3U : 2U);
}

static np_status place_by_coordinates(const np_network *network, np_guest *guest)
{
    uint32_t axes = network->dimensions;
    np_status st = np_memory_array(&guest->point, guest->nodes, sizeof *guest->point, "a guest's coordinates");
    if (st)
        return st;
    for (np_node u = 0; u < guest->nodes; u++) {
        guest->point[u] = (np_guest_point){.node = u};
        for (uint32_t i = 0; i < axes; i++) /* x is the last dimension */
            guest->point[u].at[i] = np_network_coordinate(network, u, axes - 1 - i);
    }
    for (uint32_t i = 0; i < 3; i++)
        guest->extent[i] = i < axes ? network->side[axes - 1 - i] : 1;
    guest->map = NP_UNIVERSAL_COORDINATES;
    return NP_OK;
}

np_status np_guest_of_network(const np_network *network, bool volume, np_guest *out)
{
    np_status st;
    np_node head;
    if (!np_network_all_terminals(network))
        return NP_RAISE(NP_ERROR_APPLY, "%s has nodes that neither send nor receive: a guest's nodes all do",
                        np_network_spec(network));
    if (network->nodes < 2)
        return NP_RAISE(NP_ERROR_APPLY, "%s has one node: a guest has at least 2", np_network_spec(network));
    if (network->links > INT32_MAX)
        return NP_RAISE(NP_ERROR_LIMIT, "%s has %llu links: a guest has at most %d", np_network_spec(network),
                        (unsigned long long)network->links, INT32_MAX);
    *out = (np_guest){.network = network, .nodes = network->nodes, .map = NP_UNIVERSAL_METIS};
    out->groups = (uint32_t)network->links;
    out->members = network->links;
    if ((st = np_guest_reserve(out)))
        return st;
    out->groups = 0;
    for (np_node u = 0; u < network->nodes; u++)
        for (np_link link = np_network_first_link(network, u); link < np_network_first_link(network, u + 1); link++) {
            np_network_heads(network, 1, &link, &head);
            if (head == NP_NONE || head == u)
                continue;
            out->row[out->groups] = out->groups;
            out->member[out->groups] = u;
            out->link[out->groups] = link;
            out->head[out->groups++] = head;
        }
    out->row[out->groups] = out->groups;
    out->links = out->groups;
    return has_coordinates(network, volume) ? place_by_coordinates(network, out) : NP_OK;
}

np_status np_guest_read_node(const np_guest *guest, const np_text *text, size_t field, const char *what, np_node *out)
{
    uint64_t number;
    if (guest->network)
        return np_network_read_node(guest->network, text, text->field[field], what, out);
    np_status st = np_text_number(text, field, what, 0, guest->nodes - 1, &number);
    if (!st)
        *out = (np_node)number;
    return st;
}

const char *np_guest_node_name(const np_guest *guest, np_node node, char *room)
{
    if (guest->network)
        return np_network_node_name(guest->network, node, room);
    snprintf(room, NP_NAME_ROOM, "%u", node);
    return room;
}

uint32_t np_guest_group_of(const np_guest *guest, np_link link)
{
    uint32_t group = (uint32_t)np_order_below(guest->groups, guest->link, link);
    return group < guest->groups && guest->link[group] == link ? group : guest->groups;
}

uint32_t np_guest_first_group(const np_guest *guest, np_node tail)
{
    return (uint32_t)np_order_below(guest->groups, guest->member, tail);
}

/* ---- buses ---- */

typedef struct bus_reader {
    np_guest *guest;
    const char *name, *at, *end; /* the file's name; the rest of the present line */
    uint64_t line;
    size_t groups_room, members_room;
} bus_reader;

static np_status refuse(const bus_reader *r, const char *what, const char *at, size_t length)
{
    char shown[NAME_MAX_SHOWN + 1] = "";
    for (size_t i = 0; i < length && i < NAME_MAX_SHOWN; i++)
        shown[i] = at[i] > ' ' && at[i] < 0x7f ? at[i] : '?';
    return NP_RAISE(NP_ERROR_INPUT, "%s:%llu: '%s' %s", r->name, (unsigned long long)r->line, shown, what);
}

static bool next_word(bus_reader *r, const char **word, size_t *length)
{
    while (r->at < r->end && np_text_is_blank(*r->at))
        r->at++;
    *word = r->at;
    while (r->at < r->end && !np_text_is_blank(*r->at))
        r->at++;
    *length = (size_t)(r->at - *word);
    return *length > 0;
}

static np_status node_of(const bus_reader *r, const char *word, size_t length, np_node *out)
{
    uint64_t value = 0;
    for (size_t i = 0; i < length; i++) {
        if (word[i] < '0' || word[i] > '9' || (value = value * 10 + (uint64_t)(word[i] - '0')) >= NODES_MAX)
            return refuse(r, "is no node: nodes are whole numbers below 2^28", word, length);
    }
    *out = (np_node)value;
    return NP_OK;
}

static np_status add_member(bus_reader *r, np_node node)
{
    np_guest *g = r->guest;
    uint32_t end = g->row[g->groups + 1];
    np_status st;
    if (end == INT32_MAX)
        return NP_RAISE(NP_ERROR_LIMIT, "%s:%llu: more than %d nodes on buses", r->name, (unsigned long long)r->line,
                        INT32_MAX);
    if ((st = np_memory_room(&g->member, end, &r->members_room, sizeof *g->member, "a guest's buses")))
        return st;
    g->member[end] = node;
    g->row[g->groups + 1] = end + 1;
    g->nodes = node >= g->nodes ? node + 1 : g->nodes;
    return NP_OK;
}

static np_status add_bus(bus_reader *r)
{
    np_guest *g = r->guest;
    np_status st;
    if ((size_t)g->groups + 2 > r->groups_room) {
        size_t room = 2 * r->groups_room + 64;
        if ((st = np_memory_grow(&g->row, g->groups ? (size_t)g->groups + 1 : 0, room, sizeof *g->row,
                                 "a guest's buses")))
            return st;
        r->groups_room = room;
        if (!g->groups)
            g->row[0] = 0;
    }
    g->row[g->groups + 1] = g->row[g->groups];
    return NP_OK;
}

static np_status end_bus(bus_reader *r, const char *name, size_t length)
{
    np_guest *g = r->guest;
    uint32_t begin = g->row[g->groups], end = g->row[g->groups + 1];
    if (end - begin < 2)
        return refuse(r, "is a bus of fewer than 2 nodes", name, length);
    qsort(g->member + begin, end - begin, sizeof *g->member, np_order_numbers);
    for (uint32_t i = begin + 1; i < end; i++)
        if (g->member[i] == g->member[i - 1])
            return NP_RAISE(NP_ERROR_INPUT, "%s:%llu: node %s is twice on the bus", r->name,
                            (unsigned long long)r->line, NP_GUEST_NODE(g, g->member[i]));
    g->groups++;
    return NP_OK;
}

static np_status read_bus(bus_reader *r)
{
    const char *name, *word;
    size_t named, length;
    np_node node = 0;
    np_status st;
    if (!next_word(r, &name, &named) || *name == '#')
        return NP_OK;
    if (name[named - 1] != ':')
        return refuse(r, "is not the name of a bus, which ends in ':': write lines 'name: node node ...'", name, named);
    if ((st = add_bus(r)))
        return st;
    while (next_word(r, &word, &length) && *word != '#')
        if ((st = node_of(r, word, length, &node)) || (st = add_member(r, node)))
            return st;
    return end_bus(r, name, named - 1);
}

/*
 * Every node must be on some bus; else a number was mistyped. The first node that is on no bus has a number of at most
 * the count of the nodes on buses.
 */
static np_status check_nodes(const bus_reader *r)
{
    const np_guest *g = r->guest;
    uint32_t ends = g->row[g->groups], known = g->nodes < ends + 1 ? g->nodes : ends + 1;
    uint8_t *met;
    np_node u = 0;
    np_status st = np_memory_zeroed(&met, known, 1, "a guest's nodes");
    if (st)
        return st;
    for (uint32_t i = 0; i < ends; i++)
        if (g->member[i] < known)
            met[g->member[i]] = 1;
    while (u < known && met[u])
        u++;
    np_memory_free(met);
    if (u < g->nodes)
        return NP_RAISE(NP_ERROR_INPUT, "%s: node %s is on no bus, though there is node %s", r->name,
                        NP_GUEST_NODE(g, u), NP_GUEST_NODE(g, g->nodes - 1));
    return NP_OK;
}

/* The lists grew while they were read. */
static np_status keep_buses(const np_guest *read, np_guest *out)
{
    *out = *read;
    out->members = read->row[read->groups];
    np_status st = np_guest_reserve(out);
    if (st)
        return st;
    memcpy(out->row, read->row, ((size_t)read->groups + 1) * sizeof *out->row);
    memcpy(out->member, read->member, out->members * sizeof *out->member);
    return NP_OK;
}

np_status np_guest_parse_buses(const char *name, const char *text, size_t length, np_guest *out)
{
    np_guest read = {.buses = true, .map = NP_UNIVERSAL_METIS};
    bus_reader r = {.guest = &read, .name = name};
    np_status st = NP_OK;
    for (const char *at = text, *stop = text + length; !st && at < stop; at = r.end + 1) {
        const char *newline = memchr(at, '\n', (size_t)(stop - at));
        r.line++;
        r.at = at;
        r.end = newline ? newline : stop;
        st = read_bus(&r);
    }
    if (!st && !read.groups)
        st = NP_RAISE(NP_ERROR_INPUT, "%s: no buses: write lines 'name: node node ...'", name);
    if (!st && !(st = check_nodes(&r)))
        st = keep_buses(&read, out);
    NP_MEMORY_FREE(read.row, read.member);
    return st;
}

/* ---- layouts ---- */

static int by_place(const void *a, const void *b)
{
    np_guest_point p, q;
    memcpy(&p, a, sizeof p);
    memcpy(&q, b, sizeof q);
    int order = 0;
    for (int i = 0; i < 3 && !order; i++)
        order = np_order(p.at[i], q.at[i]);
    return order ? order : np_order(p.line, q.line);
}

static np_status read_points(np_guest *guest, bool volume, np_text *text, uint8_t *met)
{
    uint64_t x, y, z = 0;
    np_node node;
    uint32_t count = 0;
    np_status st;
    while (np_text_next(text)) {
        if ((st = np_text_count(text, 3, 3 + volume, volume ? "node x y z" : "node x y")) ||
            (st = np_guest_read_node(guest, text, 0, "the node", &node)) ||
            (st = np_text_number(text, 1, "x", 0, COORDINATE_MAX, &x)) ||
            (st = np_text_number(text, 2, "y", 0, COORDINATE_MAX, &y)) ||
            (text->fields > 3 && (st = np_text_number(text, 3, "z", 0, COORDINATE_MAX, &z))))
            return st;
        if (met[node])
            return np_text_raise(text, NP_ERROR_INPUT, "node %.80s has a place already", NP_GUEST_NODE(guest, node));
        met[node] = 1;
        guest->point[count++] = (np_guest_point){{(uint32_t)x, (uint32_t)y, (uint32_t)z}, node, (uint32_t)text->line};
    }
    for (np_node u = 0; count < guest->nodes; u++)
        if (!met[u])
            return NP_RAISE(NP_ERROR_INPUT, "%s: node %.80s of %u nodes has no place: write a line '%.80s x y'",
                            text->name, NP_GUEST_NODE(guest, u), guest->nodes, NP_GUEST_NODE(guest, u));
    return NP_OK;
}

np_guest_box np_guest_box_around(const np_guest_point *point, uint32_t count)
{
    np_guest_box b;
    for (int k = 0; k < 3; k++) {
        uint32_t least = UINT32_MAX, most = 0;
        for (uint32_t i = 0; i < count; i++) {
            least = point[i].at[k] < least ? point[i].at[k] : least;
            most = point[i].at[k] > most ? point[i].at[k] : most;
        }
        b.at[k] = least;
        b.extent[k] = most - least + 1;
    }
    return b;
}

/* Makes coordinates start at 0, sets their extent, and refuses two nodes at one place. */
static np_status frame(np_guest *guest, const char *name)
{
    np_guest_point *p = guest->point;
    const np_guest_box box = np_guest_box_around(p, guest->nodes);
    qsort(p, guest->nodes, sizeof *p, by_place);
    for (np_node i = 0; i < guest->nodes; i++) {
        char z[16] = "";
        if (p[i].at[2])
            snprintf(z, sizeof z, " %u", p[i].at[2]);
        if (i && !memcmp(p[i].at, p[i - 1].at, sizeof p[i].at))
            return NP_RAISE(NP_ERROR_INPUT,
                            "%s:%u: node %.80s is at %u %u%s, where node %.80s of line %u is: nodes overlap", name,
                            p[i].line, NP_GUEST_NODE(guest, p[i].node), p[i].at[0], p[i].at[1], z,
                            NP_GUEST_NODE(guest, p[i - 1].node), p[i - 1].line);
    }
    for (np_node i = 0; i < guest->nodes; i++)
        for (int k = 0; k < 3; k++)
            p[i].at[k] -= box.at[k];
    memcpy(guest->extent, box.extent, sizeof box.extent);
    return NP_OK;
}

np_status np_guest_parse_layout(np_guest *guest, bool volume, const char *name, const char *data, size_t length)
{
    uint8_t *met = NULL;
    np_text text;
    np_status st;
    np_guest_displace(guest);
    if ((st = np_text_open(&text, name, data, length)) ||
        (st = np_memory_zeroed(&met, guest->nodes, 1, "a guest's nodes")) ||
        (st = np_memory_array(&guest->point, guest->nodes, sizeof *guest->point, "a guest's coordinates")))
        goto out;
    if (!(st = read_points(guest, volume, &text, met)) && !(st = frame(guest, name)))
        guest->map = NP_UNIVERSAL_LAYOUT;
out:
    np_memory_free(met);
    return st;
}
