/* See drawn.h: what is kept of a network. */
#include "show/picture/drawn.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

/* A link that passes a node at less than this distance, in units of the drawing, is bent. */
static const double clear = 0.24;

/* hypot of C libraries differs in the last bit. */
static double distance(np_point a, np_point b)
{
    double x = a.x - b.x, y = a.y - b.y;
    return sqrt(x * x + y * y);
}

/* How far p is from the straight line between a and b, without its ends. */
static double distance_to(np_point p, np_point a, np_point b)
{
    double x = b.x - a.x, y = b.y - a.y, square = x * x + y * y;
    double along = square > 0 ? ((p.x - a.x) * x + (p.y - a.y) * y) / square : 0;
    if (along <= 0 || along >= 1)
        return INFINITY;
    return distance(p, (np_point){a.x + along * x, a.y + along * y});
}

static bool passes_a_node(const np_drawn *d, np_link l)
{
    for (np_node u = 0; u < d->nodes; u++)
        if (u != d->from[l] && u != d->to[l] &&
            distance_to(d->place[u], d->place[d->from[l]], d->place[d->to[l]]) < clear * fmin(1, d->apart))
            return true;
    return false;
}

/* The drawing reaches as far as the middle of the curve, which is the link's farthest point from the straight line. */
static void reach(np_drawn *d, np_link l)
{
    np_point a = d->place[d->from[l]], b = d->place[d->to[l]];
    double length = distance(a, b), x = (a.x + b.x) / 2 - (b.y - a.y) / length * d->bend[l],
           y = (a.y + b.y) / 2 + (b.x - a.x) / length * d->bend[l];
    d->least = (np_point){fmin(d->least.x, x), fmin(d->least.y, y)};
    d->most = (np_point){fmax(d->most.x, x), fmax(d->most.y, y)};
}

/* A longer link is bent more. A link and its opposite are bent to one side. */
static void set_bends(np_drawn *d)
{
    for (np_link l = 0; l < d->numbers; l++) {
        if (d->to[l] == NP_NONE || d->to[l] == d->from[l] || !passes_a_node(d, l))
            continue;
        double length = distance(d->place[d->from[l]], d->place[d->to[l]]);
        d->bend[l] = (float)(0.16 * d->apart + 0.07 * length);
        if (d->opposite[l] != NP_NONE && d->from[l] > d->to[l])
            d->bend[l] = -d->bend[l];
        reach(d, l);
    }
}

static void set_extent(np_drawn *d)
{
    d->apart = INFINITY;
    for (np_node u = 0; u < d->nodes; u++) {
        d->most.x = fmax(d->most.x, d->place[u].x);
        d->most.y = fmax(d->most.y, d->place[u].y);
        for (np_node v = 0; v < u; v++)
            d->apart = fmin(d->apart, distance(d->place[u], d->place[v]));
    }
    if (d->nodes == 1)
        d->apart = 1;
}

/* The link back; of several links back the one whose place among them is that of the link among its like. */
static np_link find_opposite(const np_network *network, np_link link)
{
    np_node from = np_network_link_tail(network, link), to = np_network_link_head(network, link);
    np_port before = 0;
    for (np_port p = 0; p < np_network_ports(network); p++) {
        np_link other = np_network_link_at(network, from, p);
        if (other == link)
            break;
        before += other != NP_NONE && np_network_link_head(network, other) == to;
    }
    for (np_port p = 0; p < np_network_ports(network); p++) {
        np_link back = np_network_link_at(network, to, p);
        if (back != NP_NONE && back != link && np_network_link_head(network, back) == from && !before--)
            return back;
    }
    return NP_NONE;
}

static void set_links(np_drawn *d, const np_network *network)
{
    for (np_link l = 0; l < d->numbers; l++) {
        d->to[l] = np_network_link_head(network, l);
        d->from[l] = d->to[l] == NP_NONE ? NP_NONE : np_network_link_tail(network, l);
        d->opposite[l] = d->to[l] == NP_NONE ? NP_NONE : find_opposite(network, l);
        d->one_way |= d->to[l] != NP_NONE && d->opposite[l] == NP_NONE;
    }
}

/* Packets start at hosts and inputs, and end at hosts and outputs. */
static void set_nodes(np_drawn *d, const np_network *network)
{
    char room[NP_NAME_ROOM];
    for (np_node i = 0; i < np_network_terminals(network); i++)
        d->host[np_network_input(network, i)] = d->host[np_network_output(network, i)] = true;
    for (np_node u = 0; u < d->nodes; u++) {
        const char *name = np_network_node_name(network, u, room);
        d->named |= name != room;
        d->switches |= !d->host[u];
        snprintf(d->name[u], NP_NAME_ROOM, "%s", name);
    }
}

static np_status take(np_drawn *d)
{
    static const char what[] = "a picture";
    np_status st;
    if ((st = np_memory_zeroed(&d->place, d->nodes, sizeof *d->place, what)) ||
        (st = np_memory_zeroed(&d->host, d->nodes, sizeof *d->host, what)) ||
        (st = np_memory_zeroed(&d->name, d->nodes, sizeof *d->name, what)) ||
        (st = np_memory_zeroed(&d->from, d->numbers, sizeof *d->from, what)) ||
        (st = np_memory_zeroed(&d->to, d->numbers, sizeof *d->to, what)) ||
        (st = np_memory_zeroed(&d->opposite, d->numbers, sizeof *d->opposite, what)))
        return st;
    return np_memory_zeroed(&d->bend, d->numbers, sizeof *d->bend, what);
}

static np_status place(np_drawn *d, const np_network *network, const char *drawing)
{
    np_status st = take(d);
    if (!st)
        st = np_drawing_place(network, drawing, d->place, &d->drawing);
    if (st)
        return st;
    set_extent(d);
    set_links(d, network);
    set_nodes(d, network);
    set_bends(d);
    return NP_OK;
}

np_status np_drawn_init(np_drawn *drawn, const np_network *network, const char *drawing)
{
    np_status st = NP_OK;
    *drawn = (np_drawn){.nodes = np_network_nodes(network), .numbers = np_network_link_numbers(network)};
    if (!(drawn->network = np_memory_text(np_network_spec(network))))
        return np_status_last();
    if (drawn->nodes <= NP_DRAWN_NODES_MAX && np_network_links(network) <= NP_DRAWN_LINKS_MAX)
        st = place(drawn, network, drawing);
    if (st)
        np_drawn_clear(drawn);
    return st;
}

void np_drawn_clear(np_drawn *d)
{
    void *const array[] = {d->network, d->place, d->host, d->name, d->from, d->to, d->opposite, d->bend};
    for (size_t i = 0; i < sizeof array / sizeof *array; i++)
        np_memory_free(array[i]);
    *d = (np_drawn){0};
}

bool np_drawn_is(const np_drawn *d, const np_network *network)
{
    return d->network && d->nodes == np_network_nodes(network) && d->numbers == np_network_link_numbers(network) &&
           !strcmp(d->network, np_network_spec(network));
}
