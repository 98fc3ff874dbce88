/* See grid_queues.h. */
#include "papers/grids/grid_queues.h"

#include <string.h>

#include "base/watch.h"
#include "model/network/network.h"
#include "model/traffic/traffic.h"

np_grid_queues np_grid_queues_sizes(const np_route_plan *plan)
{
    return (np_grid_queues){.network = plan->network,
                            .side = plan->network->side[0],
                            .phases = plan->phases,
                            .packets = (size_t)plan->packets,
                            .links = plan->network->link_numbers};
}

void np_grid_queues_layout(np_grid_queues *q, np_arena *arena)
{
    static const char packets[] = "packets on a mesh", queues[] = "the queues of a mesh";
    NP_ARENA_WORDS(arena, q->packets, packets, &q->at, &q->to, &q->hops, &q->delay, &q->next, &q->moved, &q->over);
    NP_ARENA_WORDS(arena, q->links, queues, &q->first, &q->last, &q->length, &q->crossed);
    np_arena_array(arena, &q->busy, q->links / 64 + 1, sizeof *q->busy, queues);
    np_arena_array(arena, &q->population, q->network->nodes, sizeof *q->population, queues);
}

static void most(uint32_t *largest, uint32_t value) { *largest = value > *largest ? value : *largest; }

static void place(np_grid_queues *q, const np_runner_job *job)
{
    size_t bytes = q->packets * sizeof *q->at;
    if (!job->phase)
        memcpy(q->at, np_traffic_sources(job->traffic), bytes);
    memcpy(q->to, np_traffic_destinations(job->traffic), bytes);
    memset(q->hops, 0, q->packets * sizeof *q->hops);
    memset(q->delay, 0, q->packets * sizeof *q->delay);
    memset(q->length, 0, q->links * sizeof *q->length);
    memset(q->crossed, 0, q->links * sizeof *q->crossed);
    memset(q->busy, 0, (q->links / 64 + 1) * sizeof *q->busy);
    memset(q->population, 0, q->network->nodes * sizeof *q->population);
    for (size_t p = 0; p < q->packets; p++)
        most(&q->out->population_max, ++q->population[q->at[p]]);
}

np_status np_grid_queues_begin(np_grid_queues *q, const np_runner_job *job, np_phase_run *out)
{
    const np_event_phase phase = np_runner_phase(job, q->network);
    np_status st;
    q->out = out;
    out->packets = (np_packet)q->packets;
    place(q, job);
    q->left = q->packets;
    q->moves = 0;
    q->step = 0;
    q->observed = np_runner_observer(job) != NULL;
    if (!q->observed)
        return NP_OK;
    if ((st = np_event_feed_begin(&q->feed, np_runner_observer(job), &phase)))
        return st;
    for (np_packet p = 0; p < q->packets; p++)
        np_event_feed_put(&q->feed, np_event_injected(p, q->at[p], job->phase + 1 < q->phases ? NP_NONE : q->to[p]));
    return NP_OK;
}

void np_grid_queues_enter(np_grid_queues *q, np_packet p, np_port port)
{
    np_link l = q->at[p] * NP_GRID_PORTS + port;
    if (q->length[l])
        q->next[q->last[l]] = p;
    else
        q->first[l] = p;
    q->last[l] = p;
    q->next[p] = NP_NONE;
    most(&q->out->queue_max, ++q->length[l]);
    q->busy[l / 64] |= UINT64_C(1) << l % 64;
}

void np_grid_queues_land(np_grid_queues *q, np_packet p)
{
    q->left--;
    q->delay[p] = q->step - q->hops[p];
    q->out->delay_sum += q->delay[p];
    most(&q->out->delay_max, q->delay[p]);
    q->out->steps = q->step;
    if (q->observed)
        np_event_feed_put(&q->feed, np_event_landed(q->step, p, q->at[p]));
}

/* Takes the farthest packet out of the queue, of equal ones that which entered first. */
static np_packet take(np_grid_queues *q, np_link l, np_grid_remaining *remaining, const void *scheme)
{
    np_packet best = q->first[l], behind = NP_NONE;
    uint32_t farthest = remaining ? remaining(scheme, best) : 0;
    for (np_packet p = best; remaining && q->next[p] != NP_NONE; p = q->next[p]) {
        uint32_t hops = remaining(scheme, q->next[p]);
        if (hops > farthest) {
            farthest = hops;
            behind = p;
            best = q->next[p];
        }
    }
    if (behind == NP_NONE)
        q->first[l] = q->next[best];
    else
        q->next[behind] = q->next[best];
    if (q->last[l] == best)
        q->last[l] = behind;
    return best;
}

static void tell(np_grid_queues *q, np_link l, np_packet p, np_node to)
{
    uint32_t queue = q->length[l];
    np_event_feed_put(&q->feed, np_event_moved(q->step, p, q->at[p], to, l, queue));
    for (np_packet other = queue > 1 ? q->first[l] : NP_NONE; other != NP_NONE; other = q->next[other])
        np_event_feed_put(&q->feed, np_event_waited(q->step, other, q->at[other], l, queue, NP_EVENT_BEHIND, p));
}

static void cross(np_grid_queues *q, np_link l, np_grid_remaining *remaining, const void *scheme)
{
    const uint32_t by[NP_GRID_PORTS] = {-q->side, q->side, -1U, 1}; /* modulo 2^32 */
    np_packet p = take(q, l, remaining, scheme);
    np_node to = q->at[p] + by[l % NP_GRID_PORTS];
    if (q->observed)
        tell(q, l, p, to);
    if (!--q->length[l])
        q->busy[l / 64] &= ~(UINT64_C(1) << l % 64);
    most(&q->out->congestion, ++q->crossed[l]);
    q->population[q->at[p]]--;
    q->at[p] = to;
    q->hops[p]++;
    q->moved[q->moves] = p;
    q->over[q->moves++] = l;
}

void np_grid_queues_send(np_grid_queues *q, np_grid_remaining *remaining, const void *scheme)
{
    q->step++;
    q->moves = 0;
    for (size_t w = 0; w <= q->links / 64; w++)
        for (uint64_t left = q->busy[w]; left; left &= left - 1)
            cross(q, (np_link)(64 * w + (unsigned)__builtin_ctzll(left)), remaining, scheme);
    for (size_t i = 0; i < q->moves; i++)
        most(&q->out->population_max, ++q->population[q->at[q->moved[i]]]);
    q->out->hops += q->moves;
}

void np_grid_queues_tell_rest(np_grid_queues *q, np_packet p, np_event_reason reason)
{
    if (q->observed)
        np_event_feed_put(&q->feed, np_event_waited(q->step, p, q->at[p], NP_NONE, 0, reason, NP_NONE));
}

np_status np_grid_queues_end_step(np_grid_queues *q, const np_runner_job *job)
{
    if (q->observed && !np_event_feed_flush(&q->feed))
        return NP_RAISE(NP_ERROR_CANCELLED, "cancelled at step %u", q->step);
    return np_watch_share(np_runner_watch(job), NULL, 1 - (double)q->left / (double)(q->packets ? q->packets : 1));
}

np_status np_grid_queues_end(np_grid_queues *q) { return q->observed ? np_event_feed_end(&q->feed, q->out) : NP_OK; }

const char *np_grid_queues_refuses(const np_network *network)
{
    if (!np_network_is(network, NP_KIND_MESH) || network->dimensions != 2 || network->side[0] != network->side[1])
        return "it is for meshes of n x n nodes";
    return network->side[0] < 3 ? "the side must be at least 3" : NULL;
}
