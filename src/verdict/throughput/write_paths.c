/*
 * See write_paths.h. Paths that are stored are written as they are. Where the flow follows from lengths (flow.c), the
 * flow to one destination after the other is taken apart into paths (Ford & Fulkerson 1962): from each source, along
 * the arcs with the largest flow. Each path empties an arc, or ends its source. The mean of several flows may go in
 * circles: what goes round is taken out, which only unloads links. All of it is in whole numbers, so that there is a
 * way on from every node that is reached.
 *
 * Weights are parts of a demand in 2^29ths, rounded down; what is left, at most a millionth, goes to the largest path.
 * They are divided by their greatest common divisor.
 */
#include "verdict/throughput/write_paths.h"

#include <inttypes.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/room.h"
#include "model/network/read_node.h"

enum { PARTS = 29, LEAST = 20 }; /* binary logarithms: of the weights of a demand; less than a 2^20th is left over */

typedef struct way {
    size_t place; /* of its arcs */
    uint32_t hops;
    uint64_t weight;
} way;

typedef struct writer {
    const np_claim *claim;
    const np_certificate *proof;
    FILE *stream;
    np_throughput_written *out;
    way *ways; /* of a demand */
    size_t count, room;
    uint32_t *arc; /* of these ways */
    size_t arcs, arc_room;
    np_wide whole;  /* the flow of a packet */
    uint32_t *step; /* [nodes] the walk: its arcs */
    uint32_t *mark; /* [nodes] how many arcs of the walk lead to a node, plus 1; 0: it is not on the walk */
    double ends;    /* by the clock; 0: whenever it does */
    bool late;
    void *block;
} writer;

static void layout(void *object, np_arena *arena)
{
    writer *w = object;
    np_arena_array(arena, &w->step, w->claim->nodes, sizeof *w->step, "a path of a flow");
    np_arena_zeroed(arena, &w->mark, w->claim->nodes, sizeof *w->mark, "the nodes of a path");
}

/* Has the time passed? The error is taken back by np_paths_write. */
static np_status check_clock(writer *w)
{
    w->late = w->ends > 0 && np_clock_seconds() > w->ends;
    return w->late ? NP_RAISE(NP_ERROR_CANCELLED, "the paths took longer than the time limit") : NP_OK;
}

/* ---- Lines ---- */

static uint64_t divisor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static void put_way(writer *w, size_t demand, const way *x, uint64_t weight)
{
    const np_claim *c = w->claim;
    np_put_word(w->stream, NP_NODE_NAME(c->network, (np_node)c->pair[demand]));
    for (uint32_t i = 0; i < x->hops; i++) {
        fputc(' ', w->stream);
        np_put_word(w->stream, NP_NODE_NAME(c->network, (np_node)c->arc[w->arc[x->place + i]]));
    }
    if (weight == 1)
        fputc('\n', w->stream);
    else
        fprintf(w->stream, " @ %" PRIu64 "\n", weight);
    w->out->paths++;
    w->out->longest = x->hops > w->out->longest ? x->hops : w->out->longest;
}

/* The ways of a demand, whose weights are not all 0. */
static void put_demand(writer *w, size_t demand)
{
    uint64_t all = 0;
    for (size_t i = 0; i < w->count; i++)
        all = divisor(all, w->ways[i].weight);
    for (size_t i = 0; i < w->count; i++)
        if (w->ways[i].weight)
            put_way(w, demand, &w->ways[i], w->ways[i].weight / all);
    w->count = w->arcs = 0;
}

static np_status add_way(writer *w, uint32_t hops, const uint32_t *arc, uint64_t weight)
{
    np_status st;
    if ((st = np_memory_room(&w->ways, w->count, &w->room, sizeof *w->ways, "the paths of a flow")) ||
        (st = np_memory_need(&w->arc, w->arcs, w->arcs + hops, &w->arc_room, sizeof *w->arc, "the paths of a flow")))
        return st;
    w->ways[w->count++] = (way){w->arcs, hops, weight};
    for (uint32_t i = 0; i < hops; i++)
        w->arc[w->arcs++] = arc[i];
    return NP_OK;
}

/* ---- Stored paths ---- */

static np_status write_stored(writer *w)
{
    const np_certificate *p = w->proof;
    size_t stored = 0, arcs = 0;
    np_status st = NP_OK;
    for (size_t d = 0; d < w->claim->demands && !st; d++) {
        for (uint32_t i = 0; i < p->ways_of[d] && !st; i++, stored++) {
            st = add_way(w, p->way_hops[stored], &p->way_arc[arcs], p->way_weight[stored]);
            arcs += p->way_hops[stored];
        }
        if (!st) {
            put_demand(w, d);
            st = check_clock(w);
        }
    }
    return st;
}

/* ---- Flows ---- */

static uint32_t fullest(const np_claim *c, np_node u, const np_wide *flow)
{
    uint32_t best = c->from[u];
    for (uint32_t a = best + 1; a < c->from[u + 1]; a++)
        best = flow[a] > flow[best] ? a : best;
    return best;
}

/* Takes the least flow of arcs first..end-1 of the walk, at most `most`, out of all of them. */
static np_wide take_least(const writer *w, uint32_t first, uint32_t end, np_wide most, np_wide *flow)
{
    for (uint32_t i = first; i < end; i++)
        most = flow[w->step[i]] < most ? flow[w->step[i]] : most;
    for (uint32_t i = first; i < end; i++)
        flow[w->step[i]] -= most;
    return most;
}

/* Walks to the target, and takes circles out. Returns the hops. */
static uint32_t walk(writer *w, np_node from, np_node target, np_wide *flow)
{
    const np_claim *c = w->claim;
    uint32_t hops = 0;
    w->mark[from] = 1;
    for (np_node at = from; at != target;) {
        uint32_t a = w->step[hops++] = fullest(c, at, flow);
        at = (np_node)c->arc[a];
        if (w->mark[at]) {
            uint32_t kept = w->mark[at] - 1;
            take_least(w, kept, hops, flow[a], flow);
            while (hops > kept)
                w->mark[(uint32_t)c->arc[w->step[--hops]]] = 0;
        }
        w->mark[at] = hops + 1;
    }
    w->mark[from] = 0;
    for (uint32_t i = 0; i < hops; i++)
        w->mark[(uint32_t)c->arc[w->step[i]]] = 0;
    return hops;
}

static np_status peel(writer *w, size_t demand, np_wide *flow)
{
    const np_claim *c = w->claim;
    np_wide all = c->amount[demand] * w->whole, left = all;
    uint64_t weights = 0;
    size_t largest = 0;
    np_status st = NP_OK;
    while (!st && left > all >> LEAST) {
        uint32_t hops = walk(w, (np_node)c->pair[demand], (np_node)(c->pair[demand] >> 32), flow);
        np_wide part = take_least(w, 0, hops, left, flow);
        uint64_t weight = (uint64_t)((part << PARTS) / all);
        left -= part;
        weights += weight;
        if (weight && !(st = add_way(w, hops, w->step, weight)))
            largest = weight > w->ways[largest].weight ? w->count - 1 : largest;
    }
    if (st)
        return st;
    w->ways[largest].weight += (UINT64_C(1) << PARTS) - weights;
    put_demand(w, demand);
    return NP_OK;
}

/* The mean flow to a destination. */
static np_status visit(void *context, size_t first, size_t end, np_wide *flow)
{
    np_status st = NP_OK;
    for (size_t d = first; d < end && !st; d++)
        if (!(st = peel(context, d, flow)))
            st = check_clock(context);
    return st;
}

static np_status write_all(writer *w, const np_watch *watch)
{
    const np_certificate *p = w->proof;
    np_status st = np_arena_place(w, layout, "the paths of a flow", &w->block);
    for (uint32_t i = 0; i < p->flows; i++)
        w->whole += (np_wide)p->flow[i].weight << NP_CLAIM_UNITS;
    if (!st)
        st = p->flows ? np_claim_each_flow(w->claim, p, visit, w, watch) : write_stored(w);
    NP_MEMORY_FREE(w->block, w->ways, w->arc);
    return st;
}

np_status np_paths_write(const np_claim *claim, const np_certificate *proof, const np_throughput_options *options,
                         np_throughput_written *out)
{
    np_output *output;
    np_status st = np_output_open(options->paths_out, &output);
    if (st)
        return st;
    writer w = {.claim = claim, .proof = proof, .stream = np_output_stream(output), .out = out};
    w.ends = options->time_limit > 0 ? np_clock_seconds() + options->time_limit : 0;
    st = write_all(&w, &options->watch);
    if (!st)
        return np_output_commit(output);
    np_output_discard(output);
    out->paths = out->longest = 0;
    return w.late ? NP_OK : st;
}
