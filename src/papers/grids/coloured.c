/*
 * Permutations and k-k routing on a complete network with one port: no two packets of a round have the same source or
 * destination. So rounds are the colours of an edge colouring of the bipartite graph of sources and destinations. As
 * many colours are enough as a node sends or receives packets at most (König 1916): k, and fewer are impossible.
 *
 * By telephone a round is a matching, but a colour is a partial permutation: paths and cycles. Every other link of a
 * path or cycle is used in one round, and the others in the next round. An odd cycle needs a third round for one link;
 * a cycle of two nodes is one call. Packets that stay where they are do not take part.
 */
#include <stdio.h>

#include "papers/offline/colouring.h"
#include "base/memory.h"
#include "base/order.h"
#include "work/collective/collective.h"

typedef struct coloured {
    uint32_t packets, colours, rounds, round;
    uint32_t *piece;                         /* [packets] the pieces that move; later by round */
    uint32_t *source, *destination, *colour; /* [packets] */
    uint32_t *part;                          /* [packets] by telephone: the round of its colour, 0 .. 2 */
    uint32_t *leaving, *coming;              /* [nodes] by telephone: the packet of a colour, NP_NONE */
    uint32_t *first;                         /* [rounds + 1] */
    uint32_t *list;                          /* [packets] */
} coloured;

static void layout(void *object, np_arena *arena)
{
    np_collective_job *job = object;
    size_t pieces = job->pieces, nodes = job->network->nodes;
    coloured counted, *c = np_collective_own(job, arena, &counted, sizeof *c);
    np_arena_array(arena, &c->piece, pieces, sizeof *c->piece, "the packets");
    np_arena_array(arena, &c->source, pieces, sizeof *c->source, "their sources");
    np_arena_array(arena, &c->destination, pieces, sizeof *c->destination, "their destinations");
    np_arena_array(arena, &c->colour, pieces, sizeof *c->colour, "their colours");
    np_arena_array(arena, &c->list, pieces, sizeof *c->list, "their order");
    np_arena_zeroed(arena, &c->first, 3 * (size_t)job->degree + 1, sizeof *c->first, "the rounds");
    if (job->ops->ports != NP_TELEPHONE)
        return;
    np_arena_array(arena, &c->part, pieces, sizeof *c->part, "their turns");
    NP_ARENA_WORDS(arena, nodes, "a colour", &c->leaving, &c->coming);
}

/* Lists the packets that move. Then the degree of their graph is known too. */
static np_bipartite list_packets(const np_collective_job *job, coloured *c)
{
    for (uint32_t piece = 0; piece < job->pieces; piece++) {
        np_node from = np_collective_source(job, piece), to = np_collective_destination(job, piece);
        if (from == to)
            continue;
        c->piece[c->packets] = piece;
        c->source[c->packets] = from;
        c->destination[c->packets++] = to;
    }
    return (np_bipartite){job->network->nodes, job->network->nodes, c->packets, c->source, c->destination};
}

/* The packets of a path or cycle, from packet i on, take turns. */
static void take_turns(coloured *c, uint32_t i)
{
    uint32_t begin = i, length = 0, last = i;
    for (; i != NP_NONE && c->part[i] == NP_NONE; i = c->leaving[c->destination[i]]) {
        c->part[i] = length++ % 2;
        last = i;
    }
    if (i != begin) /* a path */
        return;
    if (length == 2)
        c->part[last] = 0;
    else if (length % 2)
        c->part[last] = 2;
}

/* Splits the packets of one colour: by_colour[first] .. by_colour[end - 1]. Paths begin where no packet comes. */
static void split(coloured *c, const uint32_t *by_colour, size_t first, size_t end)
{
    for (size_t j = first; j < end; j++) {
        c->leaving[c->source[by_colour[j]]] = by_colour[j];
        c->coming[c->destination[by_colour[j]]] = by_colour[j];
    }
    for (size_t j = first; j < end; j++)
        if (c->coming[c->source[by_colour[j]]] == NP_NONE)
            take_turns(c, by_colour[j]);
    for (size_t j = first; j < end; j++)
        if (c->part[by_colour[j]] == NP_NONE)
            take_turns(c, by_colour[j]);
    for (size_t j = first; j < end; j++)
        c->leaving[c->source[by_colour[j]]] = c->coming[c->destination[by_colour[j]]] = NP_NONE;
}

/* The colours become three rounds each, some of which are empty. */
static void split_all(coloured *c, uint32_t nodes)
{
    uint32_t *list = c->list;
    for (uint32_t i = 0; i < c->packets; i++)
        c->part[i] = NP_NONE;
    for (np_node u = 0; u < nodes; u++)
        c->leaving[u] = c->coming[u] = NP_NONE;
    np_order_rows(c->colours, c->packets, c->colour, c->first, list);
    for (uint32_t k = 0; k < c->colours; k++)
        split(c, list, c->first[k], c->first[k + 1]);
    for (uint32_t i = 0; i < c->packets; i++)
        c->colour[i] = 3 * c->colour[i] + c->part[i];
    c->rounds = 3 * c->colours;
}

static np_status begin(np_collective_job *job)
{
    coloured *c = job->own;
    np_bipartite graph = list_packets(job, c);
    np_status st = np_bipartite_colour(&graph, &c->colours, c->colour);
    if (st)
        return st;
    c->rounds = c->colours;
    if (job->ops->ports == NP_TELEPHONE)
        split_all(c, job->network->nodes);
    np_order_rows(c->rounds, c->packets, c->colour, c->first, c->list);
    for (uint32_t i = 0; i < c->packets; i++)
        c->list[i] = c->piece[c->list[i]];
    uint32_t *by_round = c->list;
    c->list = c->piece;
    c->piece = by_round;
    return NP_OK;
}

static np_status next(np_collective_job *job)
{
    coloured *c = job->own;
    np_status st = NP_OK;
    while (c->round < c->rounds && c->first[c->round] == c->first[c->round + 1])
        c->round++;
    if (c->round == c->rounds)
        return NP_OK;
    for (size_t i = c->first[c->round]; i < c->first[c->round + 1] && !st; i++) {
        uint32_t piece = c->piece[i];
        st = np_round_add(
            &job->round,
            np_collective_link(job->network, np_collective_source(job, piece), np_collective_destination(job, piece)),
            piece);
    }
    c->round++;
    return st;
}

static np_status formula(const np_collective_job *job, np_collective_figure *out)
{
    np_collective_job there = *job;
    uint32_t degree = 0;
    np_status st = np_arena_place(&there, layout, "the packets of a schedule", &there.block);
    if (!st) {
        np_bipartite graph = list_packets(job, there.own);
        st = np_bipartite_degree(&graph, &degree);
    }
    np_memory_free(there.block);
    out->rounds = out->steps = degree;
    snprintf(out->text, sizeof out->text, "the most packets that a node sends or receives");
    return st;
}

#define PLAYS .single = true, .refuses = np_collective_but_complete, .own = layout, .begin = begin, .next = next

const np_collective_ops np_coloured_permutation = {
    .info = {"coloured", "all at once: one round", "", .operation = "permutation", .networks = "complete",
             .ports = "one-port"},
    .kind = NP_PERMUTATION,
    .ports = NP_ONE_PORT,
    .formula = formula,
    PLAYS,
};

const np_collective_ops np_coloured_permutation_calls = {
    .info = {"calls", "every other packet of each cycle: two or three rounds", "", .operation = "permutation",
             .networks = "complete", .ports = "telephone"},
    .kind = NP_PERMUTATION,
    .ports = NP_TELEPHONE,
    PLAYS,
};

const np_collective_ops np_coloured_k_k = {
    .info = {"coloured", "an edge colouring of sources and destinations: k rounds", "König 1916", .operation = "k-k",
             .networks = "complete", .ports = "one-port"},
    .kind = NP_K_K,
    .ports = NP_ONE_PORT,
    .formula = formula,
    PLAYS,
};

const np_collective_ops np_coloured_k_k_calls = {
    .info = {"calls", "the same, in calls: at most 3 k rounds", "after König 1916", .operation = "k-k",
             .networks = "complete", .ports = "telephone"},
    .kind = NP_K_K,
    .ports = NP_TELEPHONE,
    PLAYS,
};
