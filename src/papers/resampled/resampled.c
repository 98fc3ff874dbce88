/*
 * The schemes `resampled` and `resampled-early`: schedules found off line, for any network and any paths, of O(c + d)
 * steps (c the most paths over one link, d the links of the longest path). Leighton, Maggs & Rao 1994 prove that there
 * are such schedules; outline.c finds a time for each hop, by Rothvoss's simpler proof (2013).
 *
 * `resampled` carries the outline out as it is. A time of the outline lasts as many steps as the most hops over one
 * link at this time, in which the packets of a link cross it in ascending order. So the steps are at most the times of
 * the outline, O(c + d), by its load, O(1).
 *
 * `resampled-early` keeps only the order in which packets cross each link, by times and then by their numbers. Every
 * packet crosses as early as this order allows. The schedule of `resampled` has this order, so no hop is later than
 * there.
 *
 * Queues. A packet is in the queue of its next link from the step after it came until it crosses. A packet at its
 * source is in no queue. In the paper packets wait at most a step at each node, and queues are O(1). Here they wait
 * where intervals begin and end: queues are measured, and nothing is claimed of them.
 *
 * An engine that knows the model alone carries the hops out (papers/offline/replay.h).
 */
#include "papers/resampled/schedule.h"

#include <string.h>

/* ---- From times to steps ---- */

/* Gives the hops order[i .. end - 1] of one time their steps, after step `begin`. Returns the last step. */
static np_step step_through(np_schedule *s, uint32_t i, uint32_t end, np_step begin)
{
    uint32_t longest = 0;
    for (uint32_t k = i; k < end; k++) {
        uint32_t turn = ++s->count[s->paths->link[s->order[k]]];
        s->step[s->order[k]] = begin + turn;
        longest = turn > longest ? turn : longest;
    }
    for (uint32_t k = i; k < end; k++)
        s->count[s->paths->link[s->order[k]]] = 0;
    s->out->outline_load = longest > s->out->outline_load ? longest : s->out->outline_load;
    return begin + longest;
}

/* A time after the other. Returns the last step. The hops are sorted by times. */
static np_step keep_times(np_schedule *s, const np_step *time)
{
    np_step step = 0;
    for (uint32_t i = 0, end; i < s->paths->hops; i = end) {
        for (end = i; end < s->paths->hops && time[s->order[end]] == time[s->order[i]]; end++)
            continue;
        step = step_through(s, i, end, step);
    }
    return step;
}

/* Every hop as early as those before it allow: on its link, and on its path. Returns the last step. */
static np_step go_early(np_schedule *s)
{
    np_step end = 0;
    for (uint32_t i = 0; i < s->paths->hops; i++) {
        uint32_t hop = s->order[i];
        np_step *link = &s->count[s->paths->link[hop]], *packet = &s->last[s->paths->of[hop]];
        s->step[hop] = *link = *packet = (*link > *packet ? *link : *packet) + 1;
        end = *link > end ? *link : end;
    }
    memset(s->count, 0, s->paths->links * sizeof *s->count);
    return end;
}

/* ---- The schemes ---- */

/* In every step some packet crosses a link: there are no more steps than hops. */
static uint64_t keys(const np_schedule *of)
{
    uint64_t length = np_outline_length(of->paths);
    return length > of->paths->hops ? length : of->paths->hops;
}

/* A time of the outline lasts as many steps as its most hops over a link: LOAD, which is ours. The most that we saw is
   5 at one time, and 3.8 on average over all times. A step for each packet, where no path is known to be long. */
static uint64_t longest_delay(const np_schedule *of)
{
    enum { LOAD = 6 };
    const uint64_t steps = LOAD * np_outline_length(of->paths), hops = of->paths->hops;
    const uint64_t least = steps < hops ? steps : hops;
    return least > of->paths->packets ? least : of->paths->packets;
}

static uint64_t bytes(const np_schedule *of) { return np_outline_bytes(of->paths); }

static np_status find(np_schedule *s, const np_runner_job *job)
{
    np_outline *outline;
    np_status st = np_outline_find(s->paths, job->draws, np_runner_watch(job), &outline);
    if (st)
        return st;
    np_schedule_sort(s, outline->time, outline->length);
    s->out->steps = keep_times(s, outline->time);
    s->out->dilation = s->paths->dilation;
    s->out->outline = outline->length;
    s->out->resamplings = outline->resamplings;
    np_outline_free(outline);
    return np_watch_share(np_runner_watch(job), NULL, NP_OUTLINE_SHARE);
}

static np_status find_early(np_schedule *s, const np_runner_job *job)
{
    np_status st = find(s, job);
    if (!st)
        s->out->steps = go_early(s);
    return st;
}

#define SOURCE "Rothvoss 2013, after Leighton, Maggs & Rao 1994; Moser & Tardos 2010"

const np_scheme np_scheme_resampled = {
    .info = {"resampled", "found off line: random waits, resampled until few packets share a link", SOURCE,
             .networks = "any"},
    .runner = &np_schedule_runner,
    .parameters = &(const np_scheduler){"by an outline", .outlined = true, .keys = keys, .bytes = bytes,
                                        .longest_delay = longest_delay, .find = find},
    .heeds = NP_NAMES("paths", "trace"),
};

const np_scheme np_scheme_resampled_early = {
    .info = {"resampled-early", "the order on links of `resampled`, and each packet as early as it allows", SOURCE,
             .networks = "any"},
    .runner = &np_schedule_runner,
    .parameters = &(const np_scheduler){"in the order of an outline", .outlined = true, .keys = keys, .bytes = bytes,
                                        .longest_delay = longest_delay, .find = find_early},
    .heeds = NP_NAMES("paths", "trace"),
};
