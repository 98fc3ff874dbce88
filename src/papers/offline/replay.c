/*
 * See replay.h. The caller tells the hops of a step one by one, but they happen at
 * once: a packet leaves its node as its hop is told, and counts at the next node
 * when the step is over.
 *
 * Stored at node u in a step: the packets that were there when the step began and do
 * not leave. Only nodes that got packets in the step before can store more than ever
 * before. We look at these nodes once it is known which packets left them. (Packets
 * come to their sources in step 0.)
 */
#include "papers/offline/replay.h"

#include "base/arena.h"
#include "base/memory.h"
#include "model/network/read_node.h"
#include "model/traffic/traffic.h"

struct np_hop_replay {
    const np_network *network;
    const np_traffic *traffic;
    size_t packets;
    np_node *at;           /* [packets] */
    uint32_t *hops;        /* [packets]; in the end: delays */
    np_step *last;         /* [packets] the step in which it moved last; 0: never */
    np_step *used;         /* [link numbers] the step in which it was crossed last */
    uint32_t *crossed;     /* [link numbers] */
    uint32_t *population;  /* [nodes] at the present instant, without what has left since */
    np_node *came[2];      /* [packets] nodes to which packets come in this step, and came in the last */
    size_t coming, before; /* lengths of came[0], came[1] */
    np_step step;          /* the present step; 0 before the first */
    bool keeps;
    np_hop_list list;
    uint32_t stored_max, population_max;
};

static void layout(void *object, np_arena *arena)
{
    static const char what[] = "a replay";
    np_hop_replay *r = object;
    size_t links = np_network_link_numbers(r->network);
    np_arena_array(arena, &r->at, r->packets, sizeof *r->at, what);
    np_arena_zeroed(arena, &r->hops, r->packets, sizeof *r->hops, what);
    np_arena_zeroed(arena, &r->last, r->packets, sizeof *r->last, what);
    np_arena_zeroed(arena, &r->used, links, sizeof *r->used, what);
    np_arena_zeroed(arena, &r->crossed, links, sizeof *r->crossed, what);
    np_arena_zeroed(arena, &r->population, np_network_nodes(r->network), sizeof *r->population, what);
    np_arena_array(arena, &r->came[0], r->packets, sizeof *r->came[0], what);
    np_arena_array(arena, &r->came[1], r->packets, sizeof *r->came[1], what);
}

uint64_t np_hop_replay_bytes(const np_network *network, uint64_t packets)
{
    np_hop_replay replay = {.network = network, .packets = packets};
    return np_arena_bytes(&replay, sizeof replay, layout);
}

np_status np_hop_replay_create(const np_network *network, const np_traffic *traffic, bool keeps, np_hop_replay **out)
{
    np_hop_replay sizes = {
        .network = network, .traffic = traffic, .packets = np_traffic_packets(traffic), .keeps = keeps};
    np_hop_replay *r;
    np_status st;
    *out = NULL;
    if ((st = np_traffic_check(traffic, network)) ||
        (st = np_arena_create(&sizes, sizeof sizes, layout, "a replay", out)))
        return st;
    r = *out;
    for (size_t p = 0; p < r->packets; p++)
        r->at[p] = r->came[0][p] = np_traffic_sources(traffic)[p];
    r->coming = r->packets; /* as if they came in step 0 */
    return NP_OK;
}

void np_hop_replay_free(np_hop_replay *r)
{
    if (r)
        np_hop_list_clear(&r->list);
    np_memory_free(r);
}

/* Looks at what stays in the nodes to which packets came in the step before. */
static void look_at_stored(np_hop_replay *r)
{
    for (size_t i = 0; i < r->before; i++)
        if (r->population[r->came[1][i]] > r->stored_max)
            r->stored_max = r->population[r->came[1][i]];
    r->before = 0;
}

/* Ends the present step: packets on their way have arrived. */
static void finish_step(np_hop_replay *r)
{
    np_node *came = r->came[0];
    look_at_stored(r);
    for (size_t i = 0; i < r->coming; i++)
        if (++r->population[came[i]] > r->population_max)
            r->population_max = r->population[came[i]];
    r->came[0] = r->came[1];
    r->came[1] = came;
    r->before = r->coming;
    r->coming = 0;
}

/* Does the model allow the hop? NP_OK: it does; else the error says why not. */
static np_status judge(const np_hop_replay *r, uint64_t step, uint64_t packet, uint64_t link)
{
    np_node tail, here;
    if (packet >= np_traffic_packets(r->traffic))
        return NP_RAISE(NP_ERROR_APPLY, "no packet %llu: there are %u, from 0 on", (unsigned long long)packet,
                        np_traffic_packets(r->traffic));
    if (link >= np_network_link_numbers(r->network) || np_network_link_head(r->network, (np_link)link) == NP_NONE)
        return NP_RAISE(NP_ERROR_APPLY, "no link %llu on %s", (unsigned long long)link, np_network_spec(r->network));
    if (step < 1 || step >= NP_NONE || step < r->step)
        return NP_RAISE(NP_ERROR_APPLY, "step %llu after step %u: steps count from 1 and ascend",
                        (unsigned long long)step, r->step);
    here = r->at[packet];
    tail = np_network_link_tail(r->network, (np_link)link);
    if (r->last[packet] == step)
        return NP_RAISE(NP_ERROR_APPLY, "packet %llu moves twice in step %llu", (unsigned long long)packet,
                        (unsigned long long)step);
    if (r->used[link] == step)
        return NP_RAISE(NP_ERROR_APPLY,
                        "two packets over link %llu (%.80s to %.80s) in step %llu: packet %llu is the second",
                        (unsigned long long)link, NP_NODE_NAME(r->network, tail),
                        NP_NODE_NAME(r->network, np_network_link_head(r->network, (np_link)link)),
                        (unsigned long long)step, (unsigned long long)packet);
    if (here != tail)
        return NP_RAISE(NP_ERROR_APPLY, "packet %llu is at node %.80s, and link %llu leaves node %.80s",
                        (unsigned long long)packet, NP_NODE_NAME(r->network, here), (unsigned long long)link,
                        NP_NODE_NAME(r->network, tail));
    return NP_OK;
}

np_status np_hop_replay_move(np_hop_replay *r, uint64_t step, uint64_t packet, uint64_t link)
{
    np_status st = judge(r, step, packet, link);
    if (st)
        return st;
    if (step > r->step) {
        finish_step(r);
        if (step > r->step + 1)
            look_at_stored(r); /* in the steps between nothing leaves */
        r->step = (np_step)step;
    }
    r->population[r->at[packet]]--;
    r->at[packet] = r->came[0][r->coming++] = np_network_link_head(r->network, (np_link)link);
    r->last[packet] = r->used[link] = (np_step)step;
    r->crossed[link]++;
    r->hops[packet]++;
    if (r->keeps)
        np_hop_list_add(&r->list, r->step, (np_packet)packet, (np_link)link);
    return NP_OK;
}

static np_status check_arrivals(const np_hop_replay *r)
{
    const np_node *to = np_traffic_destinations(r->traffic);
    for (np_packet p = 0; p < np_traffic_packets(r->traffic); p++)
        if (r->at[p] != to[p])
            return NP_RAISE(NP_ERROR_APPLY, "packet %u ends at node %.80s, but is for node %.80s", p,
                            NP_NODE_NAME(r->network, r->at[p]), NP_NODE_NAME(r->network, to[p]));
    return NP_OK;
}

/* Hops become delays. */
static void sum_up(np_hop_replay *r, np_phase_run *out)
{
    out->packets = np_traffic_packets(r->traffic);
    out->steps = r->step;
    out->population_max = r->population_max;
    out->hops = out->delay_sum = 0;
    out->delay_max = out->congestion = 0;
    for (np_packet p = 0; p < out->packets; p++) {
        out->hops += r->hops[p];
        r->hops[p] = r->last[p] - r->hops[p];
        out->delay_sum += r->hops[p];
        out->delay_max = r->hops[p] > out->delay_max ? r->hops[p] : out->delay_max;
    }
    for (np_link l = 0; l < np_network_link_numbers(r->network); l++)
        out->congestion = r->crossed[l] > out->congestion ? r->crossed[l] : out->congestion;
}

np_status np_hop_replay_end(np_hop_replay *r, np_phase_run *out)
{
    np_status st = check_arrivals(r);
    if (st)
        return st;
    finish_step(r);
    look_at_stored(r);
    sum_up(r, out);
    return NP_OK;
}

const uint32_t *np_hop_replay_delays(const np_hop_replay *r) { return r->hops; }

uint32_t np_hop_replay_stored(const np_hop_replay *r) { return r->stored_max; }

const np_hop_list *np_hop_replay_hops(const np_hop_replay *r) { return &r->list; }

np_status np_hop_replay_tell(const np_hop_replay *r, const np_observer *observer, const np_event_phase *phase,
                             const np_phase_run *run)
{
    const np_hop_ends ends = {.at = np_traffic_sources(r->traffic), .end = np_traffic_destinations(r->traffic)};
    return observer ? np_hop_list_tell(&r->list, observer, phase, &ends, run) : NP_OK;
}
