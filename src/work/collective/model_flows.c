/*
 * Model flows: each message of a round is a flow over one path, rates are max-min fair at every moment, and a round
 * begins when the last flow of the one before has ended. A round that sends what the round before sent takes as long.
 *
 * The engine counts in whole units and ticks. The smallest message of a round takes 2^40 ticks on a link of width 1, so
 * that times are those of real numbers to 1e-12, if few flows share a link.
 */
#include <math.h>

#include "base/memory.h"
#include "base/watch.h"
#include "engine/flows/fair.h"
#include "work/collective/model.h"
#include "work/collective/lanes.h"

enum { TICK_BITS = 40 };

typedef struct flows {
    const np_collective_job *job;
    const np_round_log *log;
    np_lane_list pairs;
    /* of a round: [flows] and, `first`, one more; [hops] */
    size_t room, path_room;
    size_t *first;
    uint32_t *path;
    np_fair_time *start, *finish, *delay;
    np_fair_size *size;
} flows;

static const char what[] = "flows";

static np_node host(const flows *f, np_node rank) { return np_ranks_host(f->job->under, f->job->host, rank); }

static void ends(const flows *f, np_link link, np_node *from, np_node *to)
{
    *from = host(f, np_network_link_tail(f->job->network, link));
    *to = host(f, np_network_link_head(f->job->network, link));
}

/* All pairs of hosts between which messages go. */
static np_status find_pairs(flows *f)
{
    const np_collective_options *o = &f->job->options;
    np_status st = NP_OK;
    for (size_t r = 0; r < f->log->rounds; r++)
        for (size_t i = f->log->first[r], end; i < f->log->first[r + 1] && !np_model_repeats(f->log, r); i = end) {
            np_node from, to;
            end = np_model_message_end(f->log, i, f->log->first[r + 1]);
            ends(f, f->log->link[i], &from, &to);
            if ((st = np_lane_list_add(&f->pairs, from, to)))
                return st;
        }
    const np_lane_options lanes = {o->paths, o->seed, o->link_rate > 0, &o->watch};
    return np_lane_list_find(&f->pairs, f->job->under, &lanes);
}

static np_status make_room(flows *f, size_t messages, size_t hops)
{
    np_status st = NP_OK;
    if (messages > f->room) {
        if ((st = np_memory_grow(&f->first, 0, messages + 1, sizeof *f->first, what)) ||
            (st = np_memory_grow(&f->start, 0, messages, sizeof *f->start, what)) ||
            (st = np_memory_grow(&f->finish, 0, messages, sizeof *f->finish, what)) ||
            (st = np_memory_grow(&f->delay, 0, messages, sizeof *f->delay, what)) ||
            (st = np_memory_grow(&f->size, 0, messages, sizeof *f->size, what)))
            return st;
        f->room = messages;
    }
    if (hops > f->path_room) {
        st = np_memory_grow(&f->path, 0, hops, sizeof *f->path, what);
        f->path_room = hops;
    }
    return st;
}

/* Counts the messages of a round, the links that they cross, and the pieces of the smallest. */
static void count(const flows *f, size_t r, size_t *messages, size_t *hops, size_t *least)
{
    *messages = *hops = 0;
    *least = SIZE_MAX;
    for (size_t i = f->log->first[r], end; i < f->log->first[r + 1]; i = end) {
        np_node from, to;
        end = np_model_message_end(f->log, i, f->log->first[r + 1]);
        ends(f, f->log->link[i], &from, &to);
        size_t pair = np_lane_list_place(&f->pairs, from, to);
        *hops += f->pairs.first[pair + 1] - f->pairs.first[pair];
        *least = end - i < *least ? end - i : *least;
        ++*messages;
    }
}

/* The steps of 2^TICK_BITS ticks: those of the smallest message; of messages without data, one. */
static double unit_of(const flows *f, size_t least) { return f->job->part > 0 ? (double)least * f->job->part : 1; }

/* Seconds, with a link rate, are as many steps as bytes cross a link in them. */
static np_fair_time delay_of(const flows *f, size_t pair, size_t least)
{
    double rate = f->job->options.link_rate;
    double steps = f->pairs.delay ? f->pairs.delay[pair] * (rate > 0 ? rate / 8 : 1) : 0;
    return (np_fair_time)ldexp(steps / unit_of(f, least), TICK_BITS);
}

static void fill(flows *f, size_t r, size_t least)
{
    size_t m = 0, hops = 0;
    for (size_t i = f->log->first[r], end; i < f->log->first[r + 1]; i = end, m++) {
        np_node from, to;
        end = np_model_message_end(f->log, i, f->log->first[r + 1]);
        ends(f, f->log->link[i], &from, &to);
        size_t pair = np_lane_list_place(&f->pairs, from, to);
        f->first[m] = hops;
        for (size_t h = f->pairs.first[pair]; h < f->pairs.first[pair + 1]; h++)
            f->path[hops++] = f->pairs.link[h];
        f->start[m] = 0;
        f->delay[m] = delay_of(f, pair, least);
        f->size[m] = f->job->part > 0 ? ((np_fair_size)(end - i) << (TICK_BITS + f->pairs.bits)) / least : 0;
    }
    f->first[m] = hops;
}

/* *steps = when the last flow of the round ends. */
static np_status play(flows *f, size_t r, double *steps)
{
    size_t messages, hops, least;
    np_fair_time last = 0;
    count(f, r, &messages, &hops, &least);
    np_status st = make_room(f, messages, hops);
    if (st)
        return st;
    fill(f, r, least);
    const np_fair_flows all = {messages, f->first, f->path, f->start, f->size, f->delay};
    if ((st = np_fair_play(f->job->under->link_numbers, f->pairs.capacity, &all, f->finish)))
        return st;
    for (size_t m = 0; m < messages; m++)
        last = f->finish[m] > last ? f->finish[m] : last;
    if (last == NP_FAIR_NEVER)
        return NP_RAISE(NP_ERROR_LIMIT, "round %zu has more flows over a link than can be told apart", r + 1);
    *steps = ldexp((double)last, -TICK_BITS) * unit_of(f, least);
    return np_watch_check(&f->job->options.watch,
                          (np_progress){"flows", "rounds", r, f->log->rounds, (double)r / (double)f->log->rounds});
}

static np_status play_all(flows *f, double *steps)
{
    double one = 0;
    np_status st = NP_OK;
    for (size_t r = 0; r < f->log->rounds && !st; r++) {
        if (!np_model_repeats(f->log, r))
            st = play(f, r, &one);
        *steps += one;
    }
    return st;
}

np_status np_model_flows(const np_collective_job *job, const np_round_log *log, double *steps)
{
    flows f = {.job = job, .log = log};
    *steps = 0;
    if (!(job->part > 0) && !np_network_delay(job->under)) /* messages without data */
        return NP_OK;
    np_status st = find_pairs(&f);
    if (!st)
        st = play_all(&f, steps);
    np_lane_list_clear(&f.pairs);
    NP_MEMORY_FREE(f.first, f.path, f.start, f.finish, f.delay, f.size);
    return st;
}
