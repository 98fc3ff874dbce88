/* See listed.h. */
#include "model/path/listed.h"

#include <stdlib.h>

#include "base/room.h"
#include "model/network/read_node.h"
#include "model/path/finding.h"

enum { WEIGHT_MAX = 1000000000 };

static const char format[] = "node node ... [@ weight]";

/* ---- Reading ---- */

static np_status reserve(np_listed *listed, size_t hops)
{
    np_status st;
    if ((st =
             np_memory_room(&listed->way, listed->ways, &listed->way_room, sizeof *listed->way, "the paths of a file")))
        return st;
    if (listed->ports + hops > listed->port_room) {
        size_t room = 2 * (listed->ports + hops);
        if ((st = np_memory_grow(&listed->port, listed->ports, room, sizeof *listed->port, "the paths of a file")))
            return st;
        listed->port_room = room;
    }
    return NP_OK;
}

/* The lowest port from u to v. */
static np_status find_port(const np_text *text, const np_graph *graph, np_node u, np_node v, np_port *port)
{
    char from[NP_NAME_ROOM], to[NP_NAME_ROOM];
    for (np_link link = graph->row[u]; link < graph->row[u + 1]; link++)
        if (graph->head[link] == v) {
            *port = link - graph->row[u];
            return NP_OK;
        }
    return np_text_raise(text, NP_ERROR_INPUT, "no link leads from node %.60s to node %.60s",
                         np_network_node_name(graph->network, u, from), np_network_node_name(graph->network, v, to));
}

/* The fields of the line but for empty ones at its end, which spreadsheets add. */
static size_t count_fields(const np_text *text)
{
    const char *at = NULL;
    np_text_field field;
    size_t fields = 0, k = 0;
    while (np_text_field_next(text, &at, &field))
        fields = ++k && field.length ? k : fields;
    return fields;
}

/* The nodes of the line, from its first field on, as ports; then its weight. */
static np_status read_way(np_listed *listed, np_text *text, const np_graph *graph)
{
    size_t fields = count_fields(text), nodes = 0;
    uint64_t weight = 1;
    np_node node = 0, first = 0, before = 0;
    bool weighted = false;
    char room[NP_NAME_ROOM];
    np_status st;
    if ((st = reserve(listed, fields)))
        return st;
    const char *at = NULL;
    for (size_t k = 0; k < fields && np_text_field_next(text, &at, &text->field[0]); k++) {
        if (nodes >= 2 && k + 2 == fields && np_text_is(text, 0, "@")) {
            weighted = true;
            continue;
        }
        if (weighted) {
            if ((st = np_text_number(text, 0, "a weight", 1, WEIGHT_MAX, &weight)))
                return st;
            continue;
        }
        if ((st = np_network_read_node(graph->network, text, text->field[0], "node", &node)) ||
            (nodes && (st = find_port(text, graph, before, node, &listed->port[listed->ports + nodes - 1]))))
            return st;
        first = nodes++ ? first : node;
        before = node;
    }
    if (nodes < 2)
        return np_text_raise(text, NP_ERROR_INPUT, "a path of one node: a line is '%s'", format);
    if (nodes > graph->nodes)
        return np_text_raise(text, NP_ERROR_INPUT, "a path of %zu nodes on a network of %u: it goes in circles", nodes,
                             graph->nodes);
    if (first == node)
        return np_text_raise(text, NP_ERROR_INPUT, "a path from node %.60s to itself: packets that are there stay",
                             np_network_node_name(graph->network, node, room));
    listed->way[listed->ways] = (np_listed_way){(uint64_t)first << 32 | node, weight, listed->ports,
                                                (uint32_t)(nodes - 1), (uint32_t)listed->ways};
    listed->ways++;
    listed->ports += nodes - 1;
    return NP_OK;
}

static int by_ends(const void *a, const void *b)
{
    const np_listed_way *x = a, *y = b;
    if (x->ends != y->ends)
        return x->ends < y->ends ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

static void sort(np_listed *listed)
{
    qsort(listed->way, listed->ways, sizeof *listed->way, by_ends);
    for (size_t i = 1; i < listed->ways; i++)
        if (listed->way[i].ends == listed->way[i - 1].ends)
            listed->way[i].upto += listed->way[i - 1].upto;
}

np_status np_listed_parse(const char *name, const char *data, size_t length, const np_graph *graph, np_listed **out)
{
    np_text text;
    np_status st;
    *out = NULL;
    if ((st = np_text_open(&text, name, data, length)) ||
        (st = np_memory_zeroed(out, 1, sizeof **out, "the paths of a file")))
        return st;
    text.separator = np_text_separator(text, name);
    while (!st && np_text_next(&text))
        st = read_way(*out, &text, graph);
    if (!st && !(*out)->ways)
        st = np_text_raise(&text, NP_ERROR_INPUT, "no paths: write lines '%s'", format);
    if (st) {
        np_listed_free(*out);
        *out = NULL;
        return st;
    }
    sort(*out);
    return NP_OK;
}

np_status np_listed_read(const char *file, const np_graph *graph, np_listed **out)
{
    char *text;
    size_t length;
    np_status st = np_text_read(file, &text, &length);
    *out = NULL;
    if (!st)
        st = np_listed_parse(file, text, length, graph, out);
    np_memory_free(text);
    return st;
}

void np_listed_free(np_listed *listed)
{
    if (!listed)
        return;
    np_memory_free(listed->way);
    np_memory_free(listed->port);
    np_memory_free(listed);
}

/* ---- The rule ---- */

const np_listed_way *np_listed_find(const np_listed *listed, np_node from, np_node to, size_t *count)
{
    uint64_t ends = (uint64_t)from << 32 | to;
    size_t low = 0, high = listed->ways;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (listed->way[middle].ends < ends)
            low = middle + 1;
        else
            high = middle;
    }
    for (*count = 0; low + *count < listed->ways && listed->way[low + *count].ends == ends;)
        ++*count;
    return *count ? &listed->way[low] : NULL;
}

static void draw(np_finding *f, uint32_t i)
{
    const np_listed *listed = f->routes->options.path->listed;
    np_draws draws = np_draws_for(f->demand->draws, NP_RANDOM_ROUTE);
    np_dice dice = np_dice_of_packet(draws, f->demand->first + (np_packet)i);
    size_t count;
    const np_listed_way *way = np_listed_find(listed, f->demand->from[i], f->demand->to[i], &count);
    if (!way) {
        np_finding_lose(f, i);
        return;
    }
    uint64_t place = count > 1 ? np_dice_far_below(&dice, way[count - 1].upto) : 0;
    while (place >= way->upto)
        way++;
    np_finding_keep(f, i, way->hops, listed->port + way->place);
    np_finding_share(f, i);
}

static void pass(np_finding *f)
{
    for (size_t i = 0; i < f->demand->count && f->lost == NP_NONE; i++)
        if (f->demand->from[i] != f->demand->to[i])
            draw(f, (uint32_t)i);
}

const np_path_rule np_path_file = {
    .info = {"file", "paths from a file: lines 'node node ... [@ weight]'; packets draw among those of their ends", "",
             .parameters = "PATH", .example = "file:paths.txt", .networks = "any"},
    .randomized = true,
    .refuses = np_network_refuses_none,
    .chooser = &(const np_chooser){.draws = true, .shares = true, .reads = true, .pass = pass},
    .start = np_routes_start,
    .next = np_routes_next,
    .remaining = np_routes_remaining,
};
