/*
 * The scheme `circuits`: a crossbar switched as circuits (Sibeyn, lecture notes, interconnection networks: "setting the
 * switches appropriately, point-to-point connections can be created").
 *
 * A step is a round. First all switches are set: to W-E and N-S, or to W-N and E-S. Then each PU puts at most one
 * packet on its wire, and the signal runs through all switches on its way within the round. Each PU sends to at most
 * one PU and receives from at most one. So the packets of a round are a matching of the PUs that send and the PUs that
 * receive. An edge colouring gives matchings: with D the most packets that one PU sends or receives, D rounds are
 * enough, and no fewer will do.
 *
 *            PU 0   PU 1                 PU 0 sends to PU 1, PU 1 to PU 0: switches (0,1) and (1,0) join W with N
 *              ^      ^                  (and E with S), the others W with E and N with S.
 *     PU 0 -> 0,0 -> 0,1
 *              ^      ^
 *     PU 1 -> 1,0 -> 1,1
 *
 * Nothing is taken on trust: each signal is followed from wire to wire by the settings alone. It is a fault if two
 * signals meet on a wire, or if one leaves the switches at another PU or at the open end of a row.
 *
 * A packet's delay is the number of rounds before its own. Its hops are the wires on its way, which it crosses in one
 * step: observers hear of all of them in this step (np_event_phase.circuits). The wires are those of
 * src/model/family/crossbar.c.
 *
 * Symbols: P PUs, D as above, (r, c) the switch in row r and column c.
 */
#include <string.h>

#include "papers/offline/colouring.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/watch.h"
#include "engine/queueing/events.h"
#include "run/route/plan.h"
#include "run/route/theorem.h"

typedef struct circuits {
    np_runner base;
    uint32_t side; /* P */
    size_t packets;
    np_packet *moving; /* [packets] those that leave their PUs: `count` */
    np_packet count;
    uint32_t *left, *right; /* [packets] of those: the PU that sends, the PU that receives */
    uint32_t *colour;       /* [packets] of those: the round, from 0 */
    uint32_t *order;        /* [packets] places in moving[], round by round */
    uint32_t *begin;        /* [packets + 2] in order[]: where rounds begin */
    uint32_t *delay;        /* [packets] */
    uint32_t *turned;       /* [P * P] the last round, from 1, in which the switch joined W with N */
    uint32_t *taken;        /* [link numbers] the last round, from 1, in which a signal passed the wire */
    uint32_t *crossed;      /* [link numbers] signals in all rounds */
    uint32_t *held;         /* [P] packets at a PU */
    uint32_t *unsent;       /* [P] of those, how many it is to send */
    uint64_t hops;          /* wires that signals have passed */
    np_event_feed feed;
    bool observed;
} circuits;

static void layout(void *object, np_arena *arena)
{
    static const char what[] = "packets of circuits", switches[] = "the switches of a crossbar";
    circuits *s = object;
    size_t wires = 2 * (size_t)s->side * (s->side + 1);
    NP_ARENA_WORDS(arena, s->packets, what, &s->moving, &s->left, &s->right, &s->colour, &s->order);
    np_arena_array(arena, &s->begin, s->packets + 2, sizeof *s->begin, what);
    np_arena_array(arena, &s->delay, s->packets, sizeof *s->delay, what);
    np_arena_array(arena, &s->turned, (size_t)s->side * s->side, sizeof *s->turned, switches);
    NP_ARENA_WORDS(arena, wires, switches, &s->taken, &s->crossed);
    NP_ARENA_WORDS(arena, s->side, switches, &s->held, &s->unsent);
}

/* ---- The plan ---- */

static np_status bind(np_route_plan *plan) { return np_route_plan_say(plan, "unique", "circuits"); }

static uint64_t bytes(const np_route_plan *plan)
{
    circuits s = {.side = plan->network->side[0], .packets = plan->packets};
    return np_arena_bytes(&s, sizeof s, layout) + np_bipartite_bytes(s.side, s.packets, s.packets);
}

static np_status init(np_runner *runner)
{
    ((circuits *)runner)->side = runner->plan->network->side[0];
    return NP_OK;
}

/* ---- Rounds ---- */

/* Lists the packets that move, and colours them. */
static np_status colour(circuits *s, const np_traffic *traffic, np_packet *moving, uint32_t *rounds)
{
    const np_node *from = np_traffic_sources(traffic), *to = np_traffic_destinations(traffic);
    np_packet count = 0;
    for (np_packet p = 0; p < s->packets; p++) {
        s->delay[p] = 0;
        s->held[from[p]]++;
        if (from[p] == to[p])
            continue;
        s->moving[count] = p;
        s->left[count] = from[p];
        s->right[count++] = to[p];
    }
    *moving = count;
    np_bipartite graph = {s->side, s->side, count, s->left, s->right};
    return np_bipartite_colour(&graph, rounds, s->colour);
}

enum { EAST, NORTH };

/* The wire of a PU into its row. */
static np_link first_wire(uint32_t pu) { return 2 * pu + EAST; }

/* The signal of PU `from`, which is the packet's, passes the wire. */
static np_status pass(circuits *s, np_packet packet, uint32_t from, np_link wire, uint32_t round)
{
    const np_network *network = s->base.plan->network;
    if (s->taken[wire] == round)
        return NP_RAISE(NP_ERROR_INTERNAL, "round %u: the signal of PU %u meets another", round, from);
    s->taken[wire] = round;
    s->crossed[wire]++;
    s->hops++;
    if (s->observed)
        np_event_feed_put(&s->feed, np_event_moved(round, packet, np_network_link_tail(network, wire),
                                                   np_network_link_head(network, wire), wire,
                                                   wire == first_wire(from) ? s->unsent[from] : 0));
    return NP_OK;
}

/* Follows the signal of a PU, which is the packet's, by the settings. *to = the PU where it comes out. */
static np_status follow(circuits *s, np_packet packet, uint32_t from, uint32_t round, uint32_t *to)
{
    uint32_t side = s->side, r = from, c = 0;
    bool from_west = true; /* else from the south */
    np_status st = pass(s, packet, from, first_wire(from), round);
    while (!st) {
        bool turned = s->turned[(size_t)r * side + c] == round, north = from_west == turned;
        if (!north && c + 1 == side)
            return NP_RAISE(NP_ERROR_INTERNAL, "round %u: the signal of PU %u is lost in row %u", round, from, r);
        st = pass(s, packet, from, 2 * (side + r * side + c) + (north ? NORTH : EAST), round);
        *to = c;
        if (north && r == 0)
            return st;
        r -= north;
        c += !north;
        from_west = !north;
    }
    return st;
}

/* Packets of later rounds wait for theirs. */
static void tell_waits(circuits *s, const uint32_t *first, const uint32_t *end, uint32_t round)
{
    if (!np_event_feed_needs(&s->feed, NP_EVENT_WAITED))
        return;
    for (const uint32_t *i = first; i < end; i++)
        np_event_feed_put(&s->feed, np_event_waited(round, s->moving[*i], s->left[*i], first_wire(s->left[*i]),
                                                    s->unsent[s->left[*i]], NP_EVENT_PLAN, NP_NONE));
}

static np_status do_round(circuits *s, uint32_t round, np_phase_run *out)
{
    const uint32_t *first = s->order + s->begin[round - 1], *end = s->order + s->begin[round];
    np_status st;
    for (const uint32_t *i = first; i < end; i++)
        s->turned[(size_t)s->left[*i] * s->side + s->right[*i]] = round;
    for (const uint32_t *i = first; i < end; i++) {
        uint32_t to = NP_NONE;
        if ((st = follow(s, s->moving[*i], s->left[*i], round, &to)))
            return st;
        if (to != s->right[*i])
            return NP_RAISE(NP_ERROR_INTERNAL, "round %u: the signal of PU %u comes to PU %u, not to PU %u", round,
                            s->left[*i], to, s->right[*i]);
        s->delay[s->moving[*i]] = round - 1;
        s->held[s->left[*i]]--;
        if (s->observed)
            np_event_feed_put(&s->feed, np_event_landed(round, s->moving[*i], to));
    }
    if (s->observed)
        tell_waits(s, end, s->order + s->count, round);
    for (const uint32_t *i = first; i < end; i++) {
        s->unsent[s->left[*i]]--;
        uint32_t held = ++s->held[s->right[*i]];
        out->population_max = held > out->population_max ? held : out->population_max;
    }
    return NP_OK;
}

/* Most packets that a PU has at the start, and most that it is to send. */
static void count_first(circuits *s, np_packet moving, np_phase_run *out)
{
    for (np_packet i = 0; i < moving; i++) {
        uint32_t count = ++s->unsent[s->left[i]];
        out->queue_max = count > out->queue_max ? count : out->queue_max;
    }
    for (uint32_t u = 0; u < s->side; u++)
        out->population_max = s->held[u] > out->population_max ? s->held[u] : out->population_max;
}

static void sum_up(const circuits *s, np_phase_run *out)
{
    size_t wires = 2 * (size_t)s->side * (s->side + 1);
    for (size_t wire = 0; wire < wires; wire++)
        out->congestion = s->crossed[wire] > out->congestion ? s->crossed[wire] : out->congestion;
    for (size_t p = 0; p < s->packets; p++) {
        out->delay_sum += s->delay[p];
        out->delay_max = s->delay[p] > out->delay_max ? s->delay[p] : out->delay_max;
    }
    out->packets = (np_packet)s->packets;
    out->hops = s->hops;
}

/* Room for the packets of a run, and no signal on any wire. */
static np_status prepare(circuits *s, np_packet packets)
{
    if (!s->base.block || packets > s->packets) {
        np_memory_free(s->base.block);
        s->packets = packets;
        np_status st = np_arena_place(s, layout, "circuits", &s->base.block);
        if (st)
            return st;
    }
    s->packets = packets;
    s->hops = 0;
    size_t wires = 2 * (size_t)s->side * (s->side + 1);
    memset(s->turned, 0, (size_t)s->side * s->side * sizeof *s->turned);
    memset(s->taken, 0, wires * sizeof *s->taken);
    memset(s->crossed, 0, wires * sizeof *s->crossed);
    memset(s->held, 0, s->side * sizeof *s->held);
    memset(s->unsent, 0, s->side * sizeof *s->unsent);
    return NP_OK;
}

/* Tells observers, if there are any, where the packets are; those that stay land at once. */
static np_status begin_feed(circuits *s, const np_runner_job *job)
{
    const np_node *from = np_traffic_sources(job->traffic), *to = np_traffic_destinations(job->traffic);
    np_event_phase phase = np_runner_phase(job, s->base.plan->network);
    np_status st;
    phase.circuits = true;
    s->observed = np_runner_observer(job) != NULL;
    if (!s->observed)
        return NP_OK;
    if ((st = np_event_feed_begin(&s->feed, np_runner_observer(job), &phase)))
        return st;
    for (np_packet p = 0; p < s->packets; p++)
        np_event_feed_put(&s->feed, np_event_injected(p, from[p], to[p]));
    for (np_packet p = 0; p < s->packets; p++)
        if (from[p] == to[p])
            np_event_feed_put(&s->feed, np_event_landed(0, p, to[p]));
    return NP_OK;
}

static np_status end_round(circuits *s, const np_runner_job *job, uint32_t round, uint32_t rounds)
{
    if (s->observed && !np_event_feed_flush(&s->feed))
        return NP_RAISE(NP_ERROR_CANCELLED, "cancelled at step %u", round);
    return np_watch_share(np_runner_watch(job), NULL, (double)round / rounds);
}

static np_status run(np_runner *runner, const np_runner_job *job, np_phase_run *out, np_delays *delays)
{
    circuits *s = (circuits *)runner;
    np_packet moving;
    uint32_t rounds = 0;
    np_status st;
    if ((st = prepare(s, np_traffic_packets(job->traffic))) || (st = colour(s, job->traffic, &moving, &rounds)))
        return st;
    s->count = moving;
    np_order_rows(rounds, moving, s->colour, s->begin, s->order);
    count_first(s, moving, out);
    st = begin_feed(s, job);
    for (uint32_t round = 1; round <= rounds && !st; round++)
        if (!(st = do_round(s, round, out)))
            st = end_round(s, job, round, rounds);
    if (st)
        return st;
    out->steps = rounds;
    sum_up(s, out);
    *delays = (np_delays){s->delay, s->packets, 0};
    return s->observed ? np_event_feed_end(&s->feed, out) : NP_OK;
}

/* ---- The scheme ---- */

/* An edge colouring has as many rounds as the most packets from or to a PU. */
static np_status colour_values(const np_theorem_run *of)
{
    of->value[of->result->phases] = of->relation;
    return NP_OK;
}

static const np_claim colours = {NP_CLAIM_AT_MOST, "edge colouring (Koenig 1916)",
                                 "D rounds: the most packets from or to a PU; exactly, if all of these move",
                                 "Sibeyn, lecture notes, interconnection networks"};

const np_scheme np_scheme_circuits = {
    .info = {"circuits",
             "a round sets all switches and sends a packet from each PU to its end: as few rounds as can be",
             "Sibeyn, lecture notes, interconnection networks", .networks = "crossbar"},
    .only = &(const np_only){NP_KIND_CROSSBAR, "it sets the switches of a crossbar"},
    .heeds = NP_NAMES("trace"),
    .theorems = NP_THEOREMS({.values = colour_values, .total = &colours}),
    .runner =
        &(const np_runner_ops){
            .circuits = true, .bind = bind, .bytes = bytes, .size = sizeof(circuits), .init = init, .run = run},
};
