/*
 * Links that a file lists both ways. Some files have a line for each cable,
 * others one for each end of it. So where every link comes with its opposite,
 * the two are one cable; parallel cables are as many as there are pairs. Where
 * most links do and some do not, the file may have lost lines, or a cable may
 * have been listed at one end only: that must be told.
 *
 * The links are sorted by the lesser of their two nodes. For each node in turn,
 * two arrays over all nodes count how many of its links lead to each greater
 * node, and back.
 */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/plural.h"
#include "model/format/link_columns.h"

typedef struct pairing {
    np_builder *graph;
    const np_text *text;
    bool mend;
    uint32_t *row;         /* [nodes + 1] where the links of each lesser node begin in `entry` */
    uint32_t *entry;       /* [count] entries of the builder */
    uint64_t *away, *back; /* [nodes] of the present lesser node: links to each greater one, and from it */
    np_both_ways ways;
} pairing;

static np_node lesser(const np_builder *graph, size_t i)
{
    return graph->from[i] < graph->to[i] ? graph->from[i] : graph->to[i];
}

static np_node greater(const np_builder *graph, size_t i)
{
    return graph->from[i] < graph->to[i] ? graph->to[i] : graph->from[i];
}

/* A counting sort, which skips links from a node to itself. Each row is filled from its end. */
static void sort(pairing *p)
{
    const np_builder *graph = p->graph;
    for (size_t i = 0; i < graph->count; i++)
        p->row[lesser(graph, i)] += graph->from[i] != graph->to[i];
    for (uint64_t u = 0; u < graph->nodes; u++)
        p->row[u + 1] += p->row[u];
    for (size_t i = graph->count; i-- > 0;)
        if (graph->from[i] != graph->to[i])
            p->entry[--p->row[lesser(graph, i)]] = (uint32_t)i;
}

/* Adds the link that entry i lacks, with its attributes, so many times. */
static np_status mend(pairing *p, uint32_t i, uint64_t width)
{
    np_builder *graph = p->graph;
    np_status st = np_builder_link(graph, p->text, graph->to[i], graph->from[i], width);
    return st ? st : np_columns_repeat(graph, i);
}

/* The links between the ends of entry i are counted: adds them to the sums. u: the lesser end. */
static np_status close_pair(pairing *p, np_node u, uint32_t i)
{
    np_node v = greater(p->graph, i);
    uint64_t away = p->away[v], back = p->back[v], less = away < back ? away : back;
    bool lacks = away != back, leads_away = away > back;
    np_node from = leads_away ? u : v, to = leads_away ? v : u;
    if (lacks && p->graph->from[i] != from)
        return NP_OK; /* an entry of the other direction comes later */
    p->away[v] = p->back[v] = 0;
    if (lacks && p->ways.links == p->ways.paired) {
        p->ways.from = from;
        p->ways.to = to;
    }
    p->ways.links += away + back;
    p->ways.paired += 2 * less;
    return lacks && p->mend ? mend(p, i, away + back - 2 * less) : NP_OK;
}

static np_status pair_node(pairing *p, np_node u, uint32_t begin, uint32_t end)
{
    np_status st = NP_OK;
    for (uint32_t k = begin; k < end; k++) {
        uint32_t i = p->entry[k];
        uint64_t *count = p->graph->from[i] == u ? p->away : p->back;
        count[greater(p->graph, i)] += p->graph->width ? p->graph->width[i] : 1;
    }
    for (uint32_t k = begin; k < end && !st; k++)
        st = close_pair(p, u, p->entry[k]); /* of a pair met before nothing is left */
    return st;
}

static np_status pair_all(pairing *p)
{
    np_status st;
    size_t nodes = (size_t)p->graph->nodes;
    if ((st = np_memory_zeroed(&p->row, nodes + 1, sizeof *p->row, "the pairs of links")) ||
        (st = np_memory_array(&p->entry, p->graph->count, sizeof *p->entry, "the pairs of links")) ||
        (st = np_memory_zeroed(&p->away, nodes, sizeof *p->away, "the pairs of links")) ||
        (st = np_memory_zeroed(&p->back, nodes, sizeof *p->back, "the pairs of links")))
        return st;
    sort(p);
    for (size_t u = 0; u < nodes && !st; u++)
        st = pair_node(p, (np_node)u, p->row[u], p->row[u + 1]);
    return st;
}

np_status np_builder_pair(np_builder *graph, const np_text *text, bool mend, np_both_ways *ways)
{
    pairing p = {.graph = graph, .text = text, .mend = mend};
    np_status st = pair_all(&p);
    NP_MEMORY_FREE(p.row, p.entry, p.away, p.back);
    *ways = p.ways;
    return st;
}

/* ---- One cable or two ---- */

/* The name of a node as the file has it, fit to print. */
static np_text_shown name_of(const np_builder *graph, np_node u)
{
    char number[24];
    const char *name = graph->names.count ? np_names_get(&graph->names, u) : number;
    snprintf(number, sizeof number, "%llu", (unsigned long long)u + graph->from_one);
    return np_text_show_field((np_text_field){name, strlen(name)});
}

static np_status refuse_most(const np_builder *graph, const np_text *text, const np_both_ways *ways)
{
    np_text whole = *text;
    whole.line = NP_TEXT_NO_LINE;
    return np_text_raise(&whole, NP_ERROR_INPUT,
                         "%llu of %llu links come in both directions, but from %s to %s one comes without its "
                         "opposite: say --undirected "
                         "(two opposite links are one cable, and others are cables too) or --directed",
                         (unsigned long long)ways->paired, (unsigned long long)ways->links,
                         name_of(graph, ways->from).text, name_of(graph, ways->to).text);
}

/* Nothing says that the links are directed. */
static np_status settle(np_builder *graph, const np_text *text, bool told, bool said, bool *undirected)
{
    np_both_ways ways;
    np_status st = np_builder_pair(graph, text, false, &ways);
    bool all = ways.links && ways.paired == ways.links, most = ways.paired > ways.links / 2;
    unsigned long long paired = ways.paired, links = ways.links;
    if (st)
        return st;
    *undirected = (told || said) && !all && !most;
    if (all)
        return np_builder_note(graph, "every link comes in both directions: the %llu links are %llu cable%s", links,
                               links / 2, np_plural(links / 2));
    if (most && !told)
        return refuse_most(graph, text, &ways);
    if (most && !(st = np_builder_pair(graph, text, true, &ways)))
        return np_builder_note(graph, "%llu of %llu links come in both directions: two opposite links are one cable",
                               paired, links);
    if (!st && *undirected && paired)
        st = np_builder_note(graph,
                             "%llu of %llu links come in both directions, too few to be one cable each: they are "
                             "parallel cables",
                             paired, links);
    if (!st && !*undirected && !told)
        st = np_builder_note(graph, "each line is one directed link (assumed: 'undirected' makes it one each way)");
    return st;
}

np_status np_builder_direct(np_builder *graph, const np_text *text, bool *undirected)
{
    const np_graph_options *options = graph->options;
    bool told = options->undirected, said = graph->direction == NP_GRAPH_UNDIRECTED;
    bool directed = options->directed || (!told && graph->direction == NP_GRAPH_DIRECTED);
    *undirected = graph->mutual;
    if (graph->mutual && options->directed)
        return np_text_raise(text, NP_ERROR_INPUT, "%s has each link both ways: 'directed' would take one of them away",
                             graph->format);
    if (graph->mutual || graph->both || directed)
        return NP_OK;
    return settle(graph, text, told, said, undirected);
}
