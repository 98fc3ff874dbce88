/*
 * The builder: links are kept as pairs of nodes until all are read, then the
 * network's rows are filled by a counting sort, which keeps the order of the
 * file within a node. An undirected edge is a link each way, at its place in
 * the order of both nodes.
 *
 * What a file demands is compared with the memory that the system has before
 * it is taken: a width of 10^9, or a line that promises 10^9 nodes, is a typing
 * error more often than a network.
 */
#include "network/builder.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/decimal.h"
#include "base/memory.h"
#include "network/attributes.h"
#include "network/labels.h"

#define ISOLATED_MAX ((uint64_t)1 << 20) /* ours: nodes without links that a file may promise, whatever its links */
enum { ISOLATED_PER_LINK = 16 };         /* ours: and more of them for each link */

void np_builder_init(np_builder *graph, const np_graph_options *options, uint64_t limit)
{
    *graph = (np_builder){.options = options, .limit = limit};
}

void np_builder_clear(np_builder *graph)
{
    np_memory_free(graph->from);
    np_memory_free(graph->to);
    np_memory_free(graph->width);
    np_memory_free(graph->host);
    np_columns_clear(graph);
    np_labels_clear(graph);
    np_names_clear(&graph->names);
    *graph = (np_builder){.options = NULL};
}

/* ---- Nodes ---- */

np_status np_builder_fix(np_builder *graph, const np_text *text, uint64_t nodes)
{
    if (nodes > graph->limit)
        return np_text_raise(text, NP_ERROR_INPUT, "%llu nodes: at most %llu are read", (unsigned long long)nodes,
                             (unsigned long long)graph->limit);
    graph->naming = NP_GRAPH_NUMBERED;
    graph->nodes = nodes;
    return NP_OK;
}

static np_status number_of(np_builder *graph, const np_text *text, np_text_field name, np_node *out)
{
    bool fixed = graph->naming == NP_GRAPH_NUMBERED;
    uint64_t value, first = graph->from_one, last = (fixed ? graph->nodes : graph->limit) - !graph->from_one;
    np_status st = np_text_number_of(text, name, "node", first, last, &value);
    if (st)
        return st;
    value -= first;
    *out = (np_node)value;
    if (!fixed && value >= graph->nodes)
        graph->nodes = value + 1;
    return NP_OK;
}

static np_status node_of(np_builder *graph, const np_text *text, np_text_field name, np_node *out)
{
    if (!name.length)
        return np_text_raise(text, NP_ERROR_INPUT, "a node without a name");
    if (graph->names.count == graph->limit && np_names_find(&graph->names, name.at, name.length) == NP_NONE)
        return np_text_raise(text, NP_ERROR_LIMIT, "node '%s' is one too many: at most %llu are read",
                             np_text_show_field(name).text, (unsigned long long)graph->limit);
    np_status st = np_names_add(&graph->names, name.at, name.length, out);
    graph->nodes = graph->names.count;
    return st;
}

np_status np_builder_node(np_builder *graph, const np_text *text, np_text_field name, np_node *out)
{
    char *room;
    if (graph->naming != NP_GRAPH_NAMED)
        return number_of(graph, text, name, out);
    np_status st = np_text_unquote(text, name, &name, &room);
    if (!st)
        st = node_of(graph, text, name, out);
    np_memory_free(room);
    return st;
}

static bool is_word(np_text_field field, const char *word, size_t length)
{
    return field.length == length && !memcmp(field.at, word, length);
}

static np_status mark_host(np_builder *graph, np_node node, uint8_t mark)
{
    if (node >= graph->host_room) {
        size_t room = 2 * (size_t)node + 1024;
        np_status st = np_memory_grow(&graph->host, graph->host_room, room, 1, "the hosts of a network");
        if (st)
            return st;
        memset(graph->host + graph->host_room, 0, room - graph->host_room);
        graph->host_room = room;
    }
    graph->host[node] |= mark;
    return NP_OK;
}

np_status np_builder_host(np_builder *graph, np_node node) { return mark_host(graph, node, NP_HOST_TOLD); }

np_status np_builder_attribute(np_builder *graph, const np_text *text, np_node node, np_text_field name,
                               np_text_field value)
{
    const char *hosts = graph->options->hosts, *equals = hosts ? strchr(hosts, '=') : NULL;
    np_status st;
    if (is_word(name, "label", 5) && (st = np_builder_label(graph, text, node, value)))
        return st;
    if (!equals || !is_word(name, hosts, (size_t)(equals - hosts)))
        return NP_OK;
    graph->tagged = true;
    return is_word(value, equals + 1, strlen(equals + 1)) ? mark_host(graph, node, NP_HOST_CHOSEN) : NP_OK;
}

/* ---- Links ---- */

np_status np_builder_width(const np_builder *graph, const np_text *text, np_text_field value, uint64_t *width)
{
    if (np_decimal_whole(value, width) && *width < NP_NONE)
        return NP_OK;
    if (graph->options->weights)
        return np_text_raise(text, NP_ERROR_INPUT, "weight '%s' is not a whole number from 0 to %u",
                             np_text_show_field(value).text, NP_NONE - 1);
    return np_text_raise(text, NP_ERROR_INPUT,
                         "width '%s' is no number of parallel links: write a whole number, or let another attribute be "
                         "the width",
                         np_text_show_field(value).text);
}

static np_status grow(np_builder *graph)
{
    size_t room = graph->room ? 2 * graph->room : 1024;
    np_status st;
    if ((st = np_memory_grow(&graph->from, graph->count, room, sizeof *graph->from, "a file's links")) ||
        (st = np_memory_grow(&graph->to, graph->count, room, sizeof *graph->to, "a file's links")))
        return st;
    if (graph->width && (st = np_memory_grow(&graph->width, graph->count, room, sizeof *graph->width, "their widths")))
        return st;
    graph->room = room;
    return NP_OK;
}

np_status np_builder_begin_widths(np_builder *graph)
{
    if (graph->width)
        return NP_OK;
    np_status st = np_memory_array(&graph->width, graph->room, sizeof *graph->width, "the widths of a file's links");
    for (size_t i = 0; !st && i < graph->count; i++)
        graph->width[i] = 1;
    return st;
}

np_status np_builder_link(np_builder *graph, const np_text *text, np_node from, np_node to, uint64_t width)
{
    np_status st;
    if (graph->count == NP_NONE - 1)
        return np_text_raise(text, NP_ERROR_LIMIT, "more than %u links: their numbers have 32 bits", NP_NONE - 1);
    if (graph->count == graph->room && (st = grow(graph)))
        return st;
    if (width != 1 && (st = np_builder_begin_widths(graph)))
        return st;
    graph->from[graph->count] = from;
    graph->to[graph->count] = to;
    if (graph->width)
        graph->width[graph->count] = (uint32_t)width;
    graph->count++;
    return NP_OK;
}

/* ---- Numbers with gaps ---- */

/* Bits of the numbers that occur, and how many occur before each word of 64. */
typedef struct occurrence {
    uint64_t *bits;
    uint32_t *before;
    size_t words;
} occurrence;

static uint32_t rank_of(const occurrence *o, np_node u)
{
    return o->before[u / 64] + (uint32_t)__builtin_popcountll(o->bits[u / 64] & ((UINT64_C(1) << u % 64) - 1));
}

static np_status find_occurring(const np_builder *graph, occurrence *o, uint32_t *count)
{
    np_status st;
    o->words = graph->nodes / 64 + 1;
    if ((st = np_memory_zeroed(&o->bits, o->words, sizeof *o->bits, "the numbers of nodes")) ||
        (st = np_memory_array(&o->before, o->words, sizeof *o->before, "the numbers of nodes")))
        return st;
    for (size_t i = 0; i < graph->count; i++) {
        o->bits[graph->from[i] / 64] |= UINT64_C(1) << graph->from[i] % 64;
        o->bits[graph->to[i] / 64] |= UINT64_C(1) << graph->to[i] % 64;
    }
    *count = 0;
    for (size_t w = 0; w < o->words; w++) {
        o->before[w] = *count;
        *count += (uint32_t)__builtin_popcountll(o->bits[w]);
    }
    return NP_OK;
}

/* The marks of hosts go along with their nodes. */
static void move_marks(np_builder *graph, const occurrence *o)
{
    for (uint64_t u = 0; u < graph->host_room; u++) {
        uint8_t mark = graph->host[u];
        graph->host[u] = 0;
        if (u < graph->nodes && o->bits[u / 64] >> u % 64 & 1)
            graph->host[rank_of(o, (np_node)u)] = mark;
    }
}

/* The numbers that occur become the names of the nodes 0, 1, 2, ... */
static np_status name_by_numbers(np_builder *graph, const occurrence *o)
{
    char name[24];
    np_status st = NP_OK;
    uint32_t number;
    for (uint64_t u = 0; u < graph->nodes && !st; u++)
        if (o->bits[u / 64] >> u % 64 & 1)
            st = np_names_add(&graph->names, name, (size_t)snprintf(name, sizeof name, "%llu", (unsigned long long)u),
                              &number);
    for (size_t i = 0; i < graph->count; i++) {
        graph->from[i] = rank_of(o, graph->from[i]);
        graph->to[i] = rank_of(o, graph->to[i]);
    }
    move_marks(graph, o);
    return st;
}

static np_status close_gaps(np_builder *graph)
{
    occurrence o = {NULL, NULL, 0};
    uint32_t count = 0;
    np_status st = find_occurring(graph, &o, &count);
    if (!st && count < graph->nodes) {
        st = name_by_numbers(graph, &o);
        graph->nodes = count;
    }
    np_memory_free(o.bits);
    np_memory_free(o.before);
    return st;
}

/* ---- The network ---- */

/* Equal for a list and for its reverse: a hash of the list that does not depend on its order. */
static uint64_t hash_of_lists(size_t count, const np_node *from, const np_node *to)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t x = ((uint64_t)from[i] << 32 | to[i]) * UINT64_C(0x9e3779b97f4a7c15);
        x = (x ^ x >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
        sum += x ^ x >> 32;
    }
    return sum;
}

/* Does the list have every link both ways, equally often? */
static bool lists_both_ways(const np_builder *graph)
{
    return hash_of_lists(graph->count, graph->from, graph->to) == hash_of_lists(graph->count, graph->to, graph->from);
}

/* *assumed: nobody says it. Is every entry of the list a link each way? */
static bool is_undirected(const np_builder *graph, bool *assumed)
{
    const np_graph_options *options = graph->options;
    np_graph_direction said = graph->direction;
    np_graph_direction told = options->undirected ? NP_GRAPH_UNDIRECTED
                              : options->directed ? NP_GRAPH_DIRECTED
                                                  : NP_GRAPH_UNSAID;
    bool both = graph->both || ((told || !said) && lists_both_ways(graph));
    *assumed = !told && !said && !both;
    return (told ? told : said) == NP_GRAPH_UNDIRECTED && !both;
}

/* ---- The note: what the reader took for granted, in one line ---- */

typedef struct note {
    char text[1000];
    size_t length;
} note;

static void say(note *n, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds to the note; what does not fit is cut. */
static void say(note *n, const char *format, ...)
{
    va_list arguments;
    size_t room = sizeof n->text - n->length;
    va_start(arguments, format);
    int length = vsnprintf(n->text + n->length, room, format, arguments);
    va_end(arguments);
    n->length += length < 0 ? 0 : (size_t)length < room ? (size_t)length : room - 1;
}

static void say_attributes(note *n, const np_network *network)
{
    enum { SHOWN = 4 }; /* ours */
    size_t count = network->attributes;
    for (size_t i = 0; i < count && i < SHOWN; i++)
        say(n, "%s%.40s", i ? ", " : "; links keep ", network->attribute[i].name);
    if (count > SHOWN)
        say(n, " and %zu more attributes", count - SHOWN);
    if (count)
        say(n, " (width=NAME makes one the number of parallel links)");
}

static void say_labels(note *n, const np_builder *graph)
{
    if (graph->labels_unusable)
        say(n, "; nodes are called by their identifiers, because their labels cannot tell them apart");
    else if (graph->doubled)
        say(n, "; %llu nodes share labels and are called label/identifier, such as '%s'",
            (unsigned long long)graph->doubled, graph->doubled_name);
    if (graph->labels.count && !graph->labels_unusable && graph->unlabelled)
        say(n, "; %llu node%s no label and %s called by %s", (unsigned long long)graph->unlabelled,
            graph->unlabelled == 1 ? " has" : "s have", graph->unlabelled == 1 ? "is" : "are",
            graph->unlabelled == 1 ? "its identifier" : "their identifiers");
}

static np_status make_note(const np_builder *graph, const np_text *text, bool assumed, np_network *network)
{
    const np_text_field width = np_columns_width_name(graph);
    note n = {.length = 0};
    if (assumed)
        say(&n, "; each line is one directed link (assumed: 'undirected' makes it one each way)");
    if (graph->from_one)
        say(&n, "; its node 1 is node 0 here");
    if (graph->ignored)
        say(&n, "; %s", graph->ignored);
    if (graph->width_unit > 0 && graph->width_unit != 1)
        say(&n, "; the width of a link is its %.*s / %.12g", (int)width.length, width.at, graph->width_unit);
    say_attributes(&n, network);
    say_labels(&n, graph);
    if (network->host && !graph->options->hosts)
        say(&n, "; packets go from host to host (hosts=* makes switches hosts, too)");
    if (!n.length)
        return NP_OK;
    note whole = {.length = 0};
    say(&whole, "%s: read as %s%s", text->name, graph->format, n.text);
    network->note = np_memory_text(whole.text);
    return network->note ? NP_OK : NP_ERROR_MEMORY;
}

static np_status check_promise(const np_builder *graph, const np_text *text)
{
    uint64_t used = 0;
    if (graph->nodes <= ISOLATED_MAX + ISOLATED_PER_LINK * (uint64_t)graph->count)
        return NP_OK;
    for (size_t i = 0; i < graph->count; i++) {
        used = graph->from[i] >= used ? graph->from[i] + UINT64_C(1) : used;
        used = graph->to[i] >= used ? graph->to[i] + UINT64_C(1) : used;
    }
    return np_text_raise(
        text, NP_ERROR_LIMIT,
        "%llu nodes are promised, but only %zu links follow: most nodes would have none. Promise fewer: "
        "the links need %llu",
        (unsigned long long)graph->nodes, graph->count, (unsigned long long)used);
}

/* Is some link of the lists more than a line? */
static bool has_width(const np_builder *graph)
{
    for (size_t i = 0; i < graph->count; i++)
        if (!graph->width || graph->width[i])
            return true;
    return false;
}

static np_status check_whole(const np_builder *graph, const np_text *text)
{
    const np_graph_options *options = graph->options;
    if (!graph->count)
        return np_text_raise(text, NP_ERROR_INPUT, "no links: write lines 'from to'");
    if (!has_width(graph) && !options->weights)
        return np_text_raise(text, NP_ERROR_INPUT, "no links: the width of each is 0");
    if (options->width && !graph->wide && !options->weights)
        return np_text_raise(text, NP_ERROR_INPUT, "no link has an attribute '%s', which is to be the width",
                             options->width);
    return check_promise(graph, text);
}

static np_status take_names(np_builder *graph, np_network *network)
{
    np_status st;
    if (!graph->names.count)
        return NP_OK;
    if ((st = np_memory_zeroed(&network->names, 1, sizeof *network->names, "the names of the nodes")))
        return st;
    *network->names = graph->names;
    graph->names = (np_names){.text = NULL};
    return NP_OK;
}

np_status np_builder_complete(np_builder *graph, const np_text *text)
{
    np_status st = np_columns_settle_width(graph, text);
    if (!st)
        st = check_whole(graph, text);
    return !st && graph->naming == NP_GRAPH_WHOLE && !graph->options->numbered ? close_gaps(graph) : st;
}

/* The hosts that the format tells from switches; none are if all nodes are hosts. */
static np_status set_told_hosts(const np_builder *graph, np_network *network)
{
    uint64_t told = 0;
    uint8_t *mark;
    np_status st;
    for (size_t u = 0; u < graph->host_room && u < network->nodes; u++)
        told += graph->host[u] & NP_HOST_TOLD;
    if (!told || told == network->nodes)
        return NP_OK;
    if ((st = np_memory_zeroed(&mark, network->nodes, sizeof *mark, "the hosts of a network")))
        return st;
    for (size_t u = 0; u < graph->host_room && u < network->nodes; u++)
        mark[u] = graph->host[u] & NP_HOST_TOLD;
    st = np_network_set_hosts(network, mark);
    np_memory_free(mark);
    return st;
}

static np_status choose_hosts(const np_builder *graph, np_network *network)
{
    const np_host_marks marks = {graph->host, graph->host_room, graph->tagged};
    const char *hosts = graph->options->hosts;
    return hosts ? np_network_choose_hosts(network, hosts, &marks) : set_told_hosts(graph, network);
}

np_status np_builder_finish(np_builder *graph, const np_text *text, np_network *network)
{
    bool assumed;
    np_status st;
    network->nodes = (np_node)graph->nodes;
    np_link_lists lists = {graph->count, graph->from, graph->to, graph->width, is_undirected(graph, &assumed)};
    if ((st = np_network_build_rows(network, &lists)) || (st = np_columns_take(graph, &lists, network)) ||
        (st = np_labels_settle(graph)) || (st = take_names(graph, network)) || (st = choose_hosts(graph, network)))
        return st;
    return make_note(graph, text, assumed, network);
}
