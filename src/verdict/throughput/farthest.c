/*
 * The largest distance of a demand where links take more than a step: a packet is as long on its way as the delays of
 * its links sum up to, and no schedule is shorter than the quickest way of any packet. One search by delays (seek.h)
 * from each destination.
 */
#include "base/memory.h"
#include "model/network/attributes.h"
#include "model/path/seek.h"
#include "verdict/throughput/problem.h"

static void layout(void *object, np_arena *arena)
{
    np_seeker *seeker = object;
    np_seeker_layout(seeker, seeker->graph->nodes, seeker->graph->link_numbers, arena);
}

/* All demands have a way. */
static uint64_t farthest_to(const np_problem *p, uint32_t target, np_seeker *seeker)
{
    uint64_t most = 0;
    np_seek_begin(seeker, p->target[target]);
    for (size_t d = p->first[target]; d < p->first[target + 1]; d++)
        if (np_seek_back(seeker, p->source[d]) && seeker->cost[p->source[d]] > most)
            most = seeker->cost[p->source[d]];
    np_seek_end(seeker);
    return most;
}

static np_status search(const np_problem *p, np_graph *graph, const uint16_t *delay, uint32_t *far)
{
    np_seeker seeker = {.graph = graph};
    uint64_t *cost, most = 0;
    void *block = NULL;
    np_status st = np_memory_array(&cost, graph->link_numbers, sizeof *cost, "the delays of links");
    if (st)
        return st;
    for (np_link link = 0; link < graph->link_numbers; link++)
        cost[link] = delay[link];
    graph->cost = cost;
    if (!(st = np_arena_place(&seeker, layout, "a search by delays", &block)))
        for (uint32_t t = 0; t < p->targets; t++) {
            uint64_t here = farthest_to(p, t, &seeker);
            most = here > most ? here : most;
        }
    *far = most < UINT32_MAX ? (uint32_t)most : UINT32_MAX;
    NP_MEMORY_FREE(block, cost);
    return st;
}

np_status np_problem_farthest(const np_problem *p, uint32_t hops, uint32_t *far)
{
    uint16_t *delay;
    np_graph *graph = NULL;
    np_status st = np_attributes_delays(p->network, "steps", 1, &delay);
    *far = hops;
    if (delay && !st && !(st = np_graph_create(p->network, &graph)))
        st = search(p, graph, delay, far);
    np_graph_free(graph);
    np_memory_free(delay);
    return st;
}
