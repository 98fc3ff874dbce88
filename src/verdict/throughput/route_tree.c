/* See route_tree.h. */
#include "verdict/throughput/route_tree.h"

#include <string.h>

void np_route_tree_layout(np_route_tree *t, np_arena *arena)
{
    np_arena_array(arena, &t->ticket, t->nodes, sizeof *t->ticket, "the tickets of nodes");
    np_arena_array(arena, &t->link, t->nodes, sizeof *t->link, "the next links of nodes");
    np_arena_array(arena, &t->into, t->nodes, sizeof *t->into, "how many routes meet");
    NP_ARENA_WORDS(arena, t->nodes, "the nodes of routes", &t->found, &t->order);
}

/*
 * A packet begins at u or comes there, with this ticket. Those of others that are there may differ: what they hold of
 * the way behind them decides nothing.
 */
static void meet(np_route_tree *t, np_node u, np_ticket ticket)
{
    if (t->into[u] != NP_NONE)
        return;
    t->ticket[u] = ticket;
    t->into[u] = 0;
    t->found[t->count++] = u;
}

static void start_batch(np_route_tree *t, uint32_t count, const np_node *from, const np_node *to)
{
    const np_draws none = {0};
    const np_packet packet[NP_PATH_BATCH] = {0}; /* their numbers matter to draws only */
    np_ticket ticket[NP_PATH_BATCH];
    t->path->rule->start(t->path, &none, count, packet, from, to, ticket);
    for (uint32_t i = 0; i < count; i++)
        meet(t, from[i], ticket[i]);
}

static void start(np_route_tree *t, np_node target, const double *amount)
{
    np_node from[NP_PATH_BATCH] = {0}, to[NP_PATH_BATCH] = {0};
    uint32_t count = 0;
    for (np_node u = 0; u < t->nodes; u++) {
        if (!(amount[u] > 0))
            continue;
        from[count] = u;
        to[count++] = target;
        if (count == NP_PATH_BATCH)
            start_batch(t, count, from, to);
        count %= NP_PATH_BATCH;
    }
    start_batch(t, count, from, to);
}

/* The next hops from some of the nodes found, which may find others. */
static void hop_batch(np_route_tree *t, uint32_t first, uint32_t count)
{
    np_ticket ticket[NP_PATH_BATCH];
    np_port port[NP_PATH_BATCH];
    const np_node *at = t->found + first;
    for (uint32_t i = 0; i < count; i++)
        ticket[i] = t->ticket[at[i]];
    t->path->rule->next(t->path, count, at, ticket, port);
    for (uint32_t i = 0; i < count; i++) {
        t->link[at[i]] = port[i] == NP_NONE ? NP_NONE : np_network_link_at(t->network, at[i], port[i]);
        if (port[i] == NP_NONE)
            continue;
        np_node head = np_network_link_head(t->network, t->link[at[i]]);
        meet(t, head, ticket[i]);
        t->into[head]++;
    }
}

static np_node next(const np_route_tree *t, np_node u)
{
    return t->link[u] == NP_NONE ? NP_NONE : np_network_link_head(t->network, t->link[u]);
}

/* Kahn's order: a node follows when all that lead to it are there. */
static void put_in_order(np_route_tree *t)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < t->count; i++)
        if (!t->into[t->found[i]])
            t->order[count++] = t->found[i];
    for (uint32_t i = 0; i < count; i++) {
        np_node head = next(t, t->order[i]);
        if (head != NP_NONE && !--t->into[head])
            t->order[count++] = head;
    }
}

void np_route_tree_find(np_route_tree *t, np_node target, const double *amount)
{
    t->count = 0;
    memset(t->into, 0xff, t->nodes * sizeof *t->into);
    start(t, target, amount);
    for (uint32_t first = 0, count; first < t->count; first += count) {
        count = t->count - first < NP_PATH_BATCH ? t->count - first : NP_PATH_BATCH;
        hop_batch(t, first, count);
    }
    put_in_order(t);
}

void np_route_tree_carry(const np_route_tree *t, double *amount, double *load)
{
    for (uint32_t i = 0; i < t->count; i++) {
        np_node u = t->order[i], head = next(t, u);
        if (head == NP_NONE)
            continue;
        load[t->link[u]] += amount[u];
        amount[head] += amount[u];
    }
}
