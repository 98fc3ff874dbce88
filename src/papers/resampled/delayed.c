/*
 * The scheme `delayed`: a schedule without levels, ranks and ghosts, for any network and any paths (Leighton, Maggs &
 * Rao 1994, the simple on-line schedule).
 *
 * Each packet waits at its source for a random number of frames, and then crosses one link of its path in each frame.
 * With c the most paths over one link, d the links of the longest path and N packets, a frame is meant for F = log2(N
 * d) packets over each link, and the delay is uniform in 0..c / F. So about F packets are expected over the busiest
 * link in a frame, with high probability no link has more than O(F) in any frame, and all arrive in O(c + d F) steps. A
 * packet never waits longer than a frame for a link, so that queues have O(F) packets.
 *
 * Here a frame lasts until its packets have crossed, as many steps as the most of them over one link; the paper's have
 * one length. We had no copy of the paper: the constants are ours.
 *
 * In a frame packets cross a link in the order in which they came to it. So the steps of all hops are known when the
 * frame begins. An engine that knows the model alone carries them out (papers/offline/replay.h).
 *
 * Symbols: c, d, N, F as above; turn: the step of its frame in which a packet crosses its link, from 1 on.
 */
#include "base/arena.h"
#include "base/log2.h"
#include "base/memory.h"
#include "papers/offline/replayed.h"

#include <string.h>

typedef struct delayed {
    const np_network *network;
    uint64_t packets;

    np_node *at;       /* [packets] */
    np_ticket *ticket; /* [packets] */
    np_packet *order;  /* [packets] by their delays */
    uint32_t *begin;   /* [packets + 2] where those with so many frames of delay end */
    uint32_t *place;   /* [packets + 2] scratch: where packets of a turn go */

    np_packet *active; /* [packets] under way, in the order in which they came to their nodes */
    np_packet *sorted; /* [packets] scratch */
    uint32_t *turn;    /* [packets] of packets under way, in the last frame; 0: none */
    np_link *link;     /* [packets] that the packet crosses in this frame */
    np_link *before;   /* [packets] that packets crossed in the last frame */
    uint32_t *load[2]; /* [link numbers] packets over a link in this frame, in the last */

    np_packet under_way, crossed_before; /* lengths of active, before */
    uint64_t hops, done;                 /* of all packets; of these, done */
    uint32_t queue_max;
} delayed;

static const char what[] = "packets with delays";

static void layout(void *object, np_arena *arena)
{
    delayed *s = object;
    size_t links = np_network_link_numbers(s->network);
    np_arena_array(arena, &s->at, s->packets, sizeof *s->at, what);
    np_arena_array(arena, &s->ticket, s->packets, sizeof *s->ticket, what);
    np_arena_array(arena, &s->order, s->packets, sizeof *s->order, what);
    NP_ARENA_WORDS(arena, s->packets + 2, what, &s->begin, &s->place);
    NP_ARENA_WORDS(arena, s->packets, what, &s->active, &s->sorted, &s->turn, &s->link, &s->before);
    for (unsigned i = 0; i < 2; i++)
        np_arena_zeroed(arena, &s->load[i], links, sizeof *s->load[i], what);
}

/* ---- The plan ---- */

static np_status bind(np_route_plan *plan) { return np_hop_replayed_bind(plan, "frames"); }

static uint64_t bytes(const np_route_plan *plan)
{
    delayed s = {.network = plan->network, .packets = plan->packets};
    return np_arena_bytes(&s, 0, layout) + np_hop_replayed_bytes(plan);
}

/* F for N d = `hops`. */
static uint32_t frame_of(uint64_t hops)
{
    const uint32_t frame = np_log2_up(hops);
    return frame ? frame : 1;
}

/*
 * The steps of all frames, if all packets are for one link. Then there are N / F + d + 1 frames at most, and N / frames
 * packets over this link are expected in each. Other links have more of them in some frames, and a frame lasts as long
 * as the most: we take twice the mean and F / 6. On 26 networks from arrays to hypercubes, with 12 kinds of traffic, no
 * packet waited longer than 0.8 of it. No less is certain than a step for each hop, which no computer could have room
 * for. Packets that all start at few nodes of a long network can wait longer: then the account refuses what is missing.
 */
static uint64_t longest_delay(const np_route_plan *plan)
{
    const uint64_t n = plan->packets, d = np_path_longest(plan->shared), frame = frame_of(n * d);
    const uint64_t frames = n / frame + d + 1, mean = (n + frames - 1) / frames;
    return frames * (2 * mean + frame / 6 + 1);
}

/* ---- Paths ---- */

/* Puts the packets to their sources, those that move into `active`. */
static void start(delayed *s, const np_path *path, const np_runner_job *job)
{
    const np_draws draws = np_draws_for(job->draws, NP_RANDOM_TICKET);
    const np_node *to = np_traffic_destinations(job->traffic);
    np_packet packet[NP_PATH_BATCH];
    memcpy(s->at, np_traffic_sources(job->traffic), s->packets * sizeof *s->at);
    for (np_packet base = 0; base < s->packets; base += NP_PATH_BATCH) {
        size_t count = s->packets - base < NP_PATH_BATCH ? s->packets - base : NP_PATH_BATCH;
        for (size_t i = 0; i < count; i++)
            packet[i] = base + (np_packet)i;
        path->rule->start(path, &draws, count, packet, s->at + base, to + base, s->ticket + base);
    }
    s->under_way = 0;
    for (np_packet p = 0; p < s->packets; p++)
        if (s->at[p] != to[p])
            s->active[s->under_way++] = p;
}

/* The next link of each packet under way; those that have arrived are dropped. */
static void next_links(delayed *s, const np_path *path)
{
    np_node at[NP_PATH_BATCH];
    np_ticket ticket[NP_PATH_BATCH];
    np_port port[NP_PATH_BATCH];
    np_packet kept = 0;
    for (np_packet base = 0; base < s->under_way; base += NP_PATH_BATCH) {
        size_t count = s->under_way - base < NP_PATH_BATCH ? s->under_way - base : NP_PATH_BATCH;
        for (size_t i = 0; i < count; i++) {
            at[i] = s->at[s->active[base + i]];
            ticket[i] = s->ticket[s->active[base + i]];
        }
        path->rule->next(path, count, at, ticket, port);
        for (size_t i = 0; i < count; i++) {
            np_packet p = s->active[base + i];
            if (port[i] == NP_NONE)
                continue;
            s->ticket[p] = ticket[i];
            s->link[kept] = np_network_link_at(s->network, at[i], port[i]);
            s->active[kept++] = p;
        }
    }
    s->under_way = kept;
}

/* Goes over all paths: *congestion = c, *longest = d. */
static void measure(delayed *s, const np_path *path, uint32_t *congestion, uint32_t *longest)
{
    uint32_t *count = s->load[0];
    *congestion = *longest = 0;
    s->hops = 0;
    for (next_links(s, path); s->under_way; next_links(s, path)) {
        ++*longest;
        s->hops += s->under_way;
        for (np_packet i = 0; i < s->under_way; i++) {
            np_link link = s->link[i];
            *congestion = ++count[link] > *congestion ? count[link] : *congestion;
            s->at[s->active[i]] = np_network_link_head(s->network, link);
        }
    }
    memset(count, 0, np_network_link_numbers(s->network) * sizeof *count);
}

/* ---- Delays ---- */

/*
 * Draws the delays of the packets in `active`; `order` becomes those packets by their delays. hops: N d. Returns the
 * most frames of delay.
 */
static uint32_t draw_delays(delayed *s, np_draws base, uint32_t congestion, uint64_t hops)
{
    const np_draws draws = np_draws_for(base, NP_RANDOM_DELAY);
    const uint32_t most = congestion / frame_of(hops);
    memset(s->begin, 0, (most + (size_t)2) * sizeof *s->begin);
    for (np_packet i = 0; i < s->under_way; i++) {
        s->turn[i] = np_random_below(&draws, s->active[i], 0, most + 1);
        s->begin[s->turn[i] + 1]++;
    }
    for (uint32_t f = 0; f < most; f++)
        s->begin[f + 1] += s->begin[f];
    for (np_packet i = 0; i < s->under_way; i++)
        s->order[s->begin[s->turn[i]]++] = s->active[i];
    return most;
}

/* Those that wait no longer join the packets under way, behind all others. */
static void join(delayed *s, uint32_t frame)
{
    for (uint32_t i = frame ? s->begin[frame - 1] : 0; i < s->begin[frame]; i++) {
        s->turn[s->order[i]] = 0;
        s->active[s->under_way++] = s->order[i];
    }
}

/* ---- Frames ---- */

/*
 * Gives each packet under way its turn. In the queue of its link are those that came before it in the last frame, and
 * those of the last frame whose turns were later than the step in which it came. Returns the last turn.
 */
static uint32_t take_turns(delayed *s)
{
    uint32_t *load = s->load[0], *last = s->load[1], longest = 0;
    for (np_packet i = 0; i < s->under_way; i++) {
        uint32_t *turn = &s->turn[s->active[i]], came = *turn;
        np_link link = s->link[i];
        *turn = ++load[link];
        uint32_t waiting = *turn + (came && last[link] > came ? last[link] - came : 0);
        s->queue_max = waiting > s->queue_max ? waiting : s->queue_max;
        longest = *turn > longest ? *turn : longest;
    }
    return longest;
}

/* Sorts the packets under way by their turns, which is the order in which they come. `before` becomes their links. */
static void sort_by_turns(delayed *s, uint32_t longest)
{
    np_packet *unsorted = s->active;
    uint32_t *place = s->place;
    memset(place, 0, (longest + (size_t)2) * sizeof *place);
    for (np_packet i = 0; i < s->under_way; i++)
        place[s->turn[unsorted[i]] + 1]++;
    for (uint32_t t = 0; t <= longest; t++)
        place[t + 1] += place[t];
    for (np_packet i = 0; i < s->under_way; i++) {
        uint32_t k = place[s->turn[unsorted[i]]]++;
        s->sorted[k] = unsorted[i];
        s->before[k] = s->link[i];
    }
    s->active = s->sorted;
    s->sorted = unsorted;
}

/* The frame is over: its loads become those of the last frame. */
static void turn_loads(delayed *s)
{
    uint32_t *last = s->load[1];
    s->load[1] = s->load[0];
    s->load[0] = last;
}

/* Forgets the loads of the last frame but one. */
static void forget_loads(delayed *s)
{
    for (np_packet i = 0; i < s->crossed_before; i++)
        s->load[1][s->before[i]] = 0;
}

/* Plays a frame, which begins after step *end; then *end = its last step. */
static np_status play_frame(delayed *s, np_hop_replay *replay, np_step *end)
{
    uint32_t longest = take_turns(s);
    forget_loads(s);
    sort_by_turns(s, longest);
    for (np_packet i = 0; i < s->under_way; i++) {
        np_packet p = s->active[i];
        np_status st = np_hop_replay_move(replay, *end + s->turn[p], p, s->before[i]);
        if (st)
            return st;
        s->at[p] = np_network_link_head(s->network, s->before[i]);
    }
    s->crossed_before = s->under_way;
    s->done += s->under_way;
    turn_loads(s);
    *end += longest;
    return NP_OK;
}

static np_status play_frames(delayed *s, const np_path *path, const np_watch *watch, uint32_t most,
                             np_hop_replay *replay)
{
    np_step end = 0;
    np_status st;
    s->under_way = 0;
    for (uint32_t frame = 0; frame <= most || s->under_way; frame++) {
        if (frame <= most)
            join(s, frame);
        next_links(s, path);
        if ((st = play_frame(s, replay, &end)) ||
            (s->hops && (st = np_watch_share(watch, NULL, (double)s->done / (double)s->hops))))
            return st;
    }
    return NP_OK;
}

/* ---- A run ---- */

static np_status measure_and_play(delayed *s, const np_path *path, const np_runner_job *job, np_hop_replay *replay)
{
    uint32_t congestion, longest, most;
    np_packet moving;
    start(s, path, job);
    moving = s->under_way;
    measure(s, path, &congestion, &longest);
    start(s, path, job);
    most = draw_delays(s, job->draws, congestion, (uint64_t)moving * longest);
    return play_frames(s, path, np_runner_watch(job), most, replay);
}

static np_status play(const np_route_plan *plan, const np_path *path, const np_runner_job *job, np_hop_replay *replay,
                      np_phase_run *out)
{
    delayed s = {.network = plan->network, .packets = np_traffic_packets(job->traffic)};
    void *block;
    np_status st = np_arena_place(&s, layout, what, &block);
    if (st)
        return st;
    st = measure_and_play(&s, path, job, replay);
    out->queue_max = s.queue_max;
    np_memory_free(block);
    return st;
}

static np_status run(np_runner *runner, const np_runner_job *job, np_phase_run *out, np_delays *delays)
{
    return np_hop_replayed_run(runner, play, job, out, delays);
}

static const np_runner_ops delayed_runner = {
    .bind = bind,
    .unbind = np_hop_replayed_unbind,
    .bytes = bytes,
    .longest_delay = longest_delay,
    .size = sizeof(np_hop_replayed),
    .clear = np_hop_replayed_clear,
    .run = run,
};

const np_scheme np_scheme_delayed = {
    .info = {"delayed", "random delays at the sources, then a link a frame: no levels, ranks or ghosts",
             "Leighton, Maggs & Rao 1994", .networks = "any"},
    .runner = &delayed_runner,
    .heeds = NP_NAMES("paths", "trace"),
};
