/*
 * Lines for files.
 *
 * An undirected line is a link at both of its ends, and a reader numbers the links of a node in the order of the lines.
 * So lines are in a right order if, at each node, they come in the order of its ports. To find such an order, each node
 * has a cursor at its next port. A line is next if the cursors of its two ends point to each other. If no two do, and
 * links are left, there is no such order: on a ring, each link would have to come before the next one. Then lines are
 * directed.
 */
#include "model/format/writer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/decimal.h"
#include "base/memory.h"
#include "base/order.h"

static const char what[] = "the lines of a network";

void np_listing_clear(np_listing *listing)
{
    NP_MEMORY_FREE(listing->from, listing->to, listing->width, listing->link);
}

/* Have the two links the same attributes, of those that are written? */
static bool same_attributes(const np_network *network, np_link a, np_link b)
{
    for (size_t i = 0; i < network->attributes; i++) {
        double x = network->attribute[i].value[a], y = network->attribute[i].value[b];
        if (np_writes_attribute(&network->attribute[i]) && x != y && !(isnan(x) && isnan(y)))
            return false;
    }
    return true;
}

/* Adds a line; with `merge`, it may widen the last one. */
static void add(np_listing *l, bool merge, np_link link, np_node from, np_node to)
{
    size_t last = l->lines - 1;
    if (merge && l->lines && l->from[last] == from && l->to[last] == to &&
        same_attributes(l->network, l->link[last], link)) {
        l->width[last]++;
        l->wide = true;
        return;
    }
    l->from[l->lines] = from;
    l->to[l->lines] = to;
    l->width[l->lines] = 1;
    l->link[l->lines++] = link;
}

/* ---- Undirected lines ---- */

typedef struct search {
    np_listing *listing;
    bool merge;
    np_link *next;       /* [nodes] the cursor: of the next link that no line has yet */
    np_node *waiting;    /* [count] nodes to look at; a node may be there several times */
    size_t count, links; /* links: that lines have */
} search;

/* The head of the node's next link; NP_NONE: there is none. Moves the cursor past unused numbers. */
static np_node next_head(search *s, np_node u)
{
    const np_network *network = s->listing->network;
    np_link end = np_network_first_link(network, u + 1);
    for (; s->next[u] < end; s->next[u]++) {
        np_node head = np_network_link_head(network, s->next[u]);
        if (head != NP_NONE)
            return head;
    }
    return NP_NONE;
}

/*
 * Makes lines of the node's links as long as the other ends are at them, too. False: a link has other attributes back.
 */
static bool follow(search *s, np_node u)
{
    np_node v;
    while ((v = next_head(s, u)) != NP_NONE && (v == u || next_head(s, v) == u)) {
        np_link there = s->next[u < v ? u : v], back = s->next[u < v ? v : u];
        if (!same_attributes(s->listing->network, there, back))
            return false;
        add(s->listing, s->merge, there, u < v ? u : v, u < v ? v : u);
        s->next[u]++;
        s->links++;
        if (v == u)
            continue;
        s->next[v]++;
        s->links++;
        s->waiting[s->count++] = v;
    }
    return true;
}

static bool order_all(search *s)
{
    const np_network *network = s->listing->network;
    for (np_node u = 0; u < network->nodes; u++) {
        s->waiting[s->count++] = u;
        while (s->count)
            if (!follow(s, s->waiting[--s->count]))
                return false;
    }
    return s->links == network->links;
}

static np_status list_undirected(np_listing *l, bool merge)
{
    const np_network *network = l->network;
    search s = {.listing = l, .merge = merge};
    np_status st;
    if (!(st = np_memory_array(&s.next, network->nodes, sizeof *s.next, what)) &&
        !(st = np_memory_array(&s.waiting, network->links + 1, sizeof *s.waiting, what))) {
        for (np_node u = 0; u < network->nodes; u++)
            s.next[u] = np_network_first_link(network, u);
        l->undirected = order_all(&s);
    }
    NP_MEMORY_FREE(s.next, s.waiting);
    return st;
}

/* ---- All lines ---- */

static void list_directed(np_listing *l, bool merge)
{
    const np_network *network = l->network;
    l->lines = 0;
    l->wide = false;
    for (np_link link = 0; link < network->link_numbers; link++) {
        np_node head = np_network_link_head(network, link);
        if (head != NP_NONE)
            add(l, merge, link, np_network_link_tail(network, link), head);
    }
}

/* Have two lines the same ends? */
static np_status find_multiple(np_listing *l)
{
    uint64_t *ends;
    np_status st = np_memory_array(&ends, l->lines + 1, sizeof *ends, what);
    if (st)
        return st;
    for (size_t i = 0; i < l->lines; i++)
        ends[i] = (uint64_t)l->from[i] << 32 | l->to[i];
    qsort(ends, l->lines, sizeof *ends, np_order_words);
    for (size_t i = 1; i < l->lines; i++)
        l->multiple |= ends[i] == ends[i - 1];
    np_memory_free(ends);
    return NP_OK;
}

np_status np_listing_make(const np_network *network, bool merge, bool directed, np_listing *out)
{
    size_t links = network->links;
    np_status st;
    *out =
        (np_listing){.network = network, .gaps = links < network->link_numbers, .hosts = np_network_has_hosts(network)};
    if ((st = np_memory_array(&out->from, links, sizeof *out->from, what)) ||
        (st = np_memory_array(&out->to, links, sizeof *out->to, what)) ||
        (st = np_memory_array(&out->width, links, sizeof *out->width, what)) ||
        (st = np_memory_array(&out->link, links, sizeof *out->link, what)) ||
        (!directed && (st = list_undirected(out, merge))))
        return st;
    if (!out->undirected)
        list_directed(out, merge);
    return find_multiple(out);
}

const char *np_listing_value(const np_listing *listing, size_t i, const np_link_attribute *attribute, char room[64])
{
    double value = attribute->value[listing->link[i]];
    char number[NP_DECIMAL_ROOM];
    if (isnan(value))
        return NULL;
    snprintf(room, 64, "%s%s%s", np_decimal_write(value, number), *attribute->unit ? " " : "", attribute->unit);
    return room;
}
