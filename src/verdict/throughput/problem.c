/* Makes arcs of links, and demands of packets. */
#include "verdict/throughput/problem.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/order.h"

/* Sorts, where the order is not there already: traffic mostly comes by source, links mostly by head. */
static void sort(uint32_t *item, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (item[i] < item[i - 1]) {
            qsort(item, count, sizeof *item, np_order_numbers);
            return;
        }
}

/* The heads of u's links, sorted, become arcs from arc number `arcs` on. */
static void merge_links(np_problem *p, np_node u, uint32_t *head, size_t links)
{
    sort(head, links);
    for (size_t i = 0; i < links; i++)
        if (i && head[i] == head[i - 1]) {
            p->width[p->arcs - 1]++;
        } else {
            p->head[p->arcs] = head[i];
            p->tail[p->arcs] = u;
            p->width[p->arcs++] = 1;
        }
}

static np_status make_arcs(np_problem *p)
{
    uint32_t *heads;
    np_status st;
    size_t links = (size_t)np_network_links(p->network);
    if ((st = np_memory_array(&p->row, (size_t)p->nodes + 1, sizeof *p->row, "the rows of arcs")) ||
        (st = np_memory_array(&p->head, links, sizeof *p->head, "the heads of arcs")) ||
        (st = np_memory_array(&p->tail, links, sizeof *p->tail, "the tails of arcs")) ||
        (st = np_memory_array(&p->width, links, sizeof *p->width, "the widths of arcs")) ||
        (st = np_memory_array(&heads, np_network_ports(p->network), sizeof *heads, "the links of a node")))
        return st;
    for (np_node u = 0; u < p->nodes; u++) {
        size_t count = 0;
        p->row[u] = p->arcs;
        for (np_link link = np_network_first_link(p->network, u); link < np_network_first_link(p->network, u + 1);
             link++) {
            np_node head = np_network_link_head(p->network, link);
            if (head != NP_NONE && head != u)
                heads[count++] = head;
        }
        merge_links(p, u, heads, count);
    }
    p->row[p->nodes] = p->arcs;
    np_memory_free(heads);
    return NP_OK;
}

np_status np_problem_find_degree(np_problem *p)
{
    uint32_t *in;
    np_status st = np_memory_zeroed(&in, p->nodes, sizeof *in, "the arcs into nodes");
    if (st)
        return st;
    for (uint32_t a = 0; a < p->arcs; a++)
        in[p->head[a]]++;
    for (np_node u = 0; u < p->nodes; u++) {
        uint32_t both = in[u] + p->row[u + 1] - p->row[u];
        p->degree = both > p->degree ? both : p->degree;
    }
    np_memory_free(in);
    return NP_OK;
}

/* Equal neighbours of source[from .. to-1] become one demand, which are put at p->demands. */
static void merge_demands(np_problem *p, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (i > from && p->source[p->demands - 1] == p->source[i]) {
            p->amount[p->demands - 1]++;
        } else {
            p->source[p->demands] = p->source[i];
            p->amount[p->demands++] = 1;
        }
}

/* The sources of the packets, by destination: end[t] becomes the end of those for t. */
static void place_sources(np_problem *p, const np_traffic *traffic, size_t *end)
{
    for (np_packet i = 0; i < traffic->packets; i++)
        if (!np_traffic_rests(traffic, i))
            end[traffic->destination[i]]++;
    for (size_t t = 0, sum = 0; t < p->nodes; t++) {
        size_t count = end[t];
        end[t] = sum;
        sum += count;
    }
    for (np_packet i = 0; i < traffic->packets; i++)
        if (!np_traffic_rests(traffic, i))
            p->source[end[traffic->destination[i]]++] = traffic->source[i];
}

static np_status make_demands(np_problem *p, const np_traffic *traffic)
{
    size_t *end;
    np_status st;
    for (np_packet i = 0; i < traffic->packets; i++)
        p->resting += np_traffic_rests(traffic, i);
    p->packets = traffic->packets - p->resting;
    if ((st = np_memory_array(&p->source, p->packets, sizeof *p->source, "the sources of demands")) ||
        (st = np_memory_array(&p->amount, p->packets, sizeof *p->amount, "the amounts of demands")) ||
        (st = np_memory_array(&p->target, p->nodes, sizeof *p->target, "the destinations of demands")) ||
        (st = np_memory_array(&p->first, (size_t)p->nodes + 1, sizeof *p->first, "the demands of destinations")) ||
        (st = np_memory_zeroed(&end, p->nodes, sizeof *end, "the packets of destinations")))
        return st;
    place_sources(p, traffic, end);
    for (np_node t = 0; t < p->nodes; t++) {
        size_t from = t ? end[t - 1] : 0;
        if (from == end[t])
            continue;
        sort(&p->source[from], end[t] - from);
        p->first[p->targets] = p->demands;
        p->target[p->targets++] = t;
        merge_demands(p, from, end[t]);
    }
    p->first[p->targets] = p->demands;
    np_memory_free(end);
    return NP_OK;
}

np_status np_problem_init(np_problem *p, const np_network *network, const np_traffic *traffic)
{
    np_status st;
    *p = (np_problem){.network = network, .nodes = np_network_nodes(network)};
    if ((st = np_traffic_check(traffic, network)) || (st = make_arcs(p)) || (st = np_problem_find_degree(p)))
        return st;
    return make_demands(p, traffic);
}

np_status np_problem_host_most(const np_problem *p, uint64_t *most)
{
    uint64_t *sent;
    np_status st = np_memory_zeroed(&sent, p->nodes, sizeof *sent, "what hosts send");
    *most = 0;
    if (st)
        return st;
    for (uint32_t t = 0; t < p->targets; t++) {
        uint64_t received = 0;
        for (size_t d = p->first[t]; d < p->first[t + 1]; d++) {
            received += p->amount[d];
            sent[p->source[d]] += p->amount[d];
        }
        *most = received > *most ? received : *most;
    }
    for (np_node u = 0; u < p->nodes; u++)
        *most = sent[u] > *most ? sent[u] : *most;
    np_memory_free(sent);
    return NP_OK;
}

void np_problem_clear(np_problem *p)
{
    NP_MEMORY_FREE(p->row, p->head, p->tail, p->width, p->target, p->first, p->source, p->amount);
}
