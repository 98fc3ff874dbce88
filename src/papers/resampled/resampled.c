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
#include "base/memory.h"
#include "base/order.h"
#include "papers/resampled/outline.h"
#include "papers/offline/replayed.h"

#include <string.h>

static const char what[] = "a schedule by an outline";

typedef struct schedule {
    const np_path_list *paths;
    uint64_t length; /* of the outline */

    uint32_t *order; /* [hops] */
    np_step *step;   /* [hops] from 1 on */
    uint32_t *place; /* [places] where hops of a time or step begin in `order` */
    uint32_t *count; /* [links] scratch */
    np_step *last;   /* [packets] its last hop */
    uint32_t load;   /* of the outline */
} schedule;

typedef struct resampled {
    np_runner base;
    np_packet packets; /* of the traffic */
    np_step *delay;    /* [packets] */
    size_t room;
} resampled;

static size_t places_of(const schedule *s)
{
    /* In every step some packet crosses a link: there are no more steps than hops. */
    return (size_t)(s->length > s->paths->hops ? s->length : s->paths->hops) + 2;
}

static void layout(void *object, np_arena *arena)
{
    schedule *s = object;
    np_arena_array(arena, &s->order, s->paths->hops, sizeof *s->order, what);
    np_arena_array(arena, &s->step, s->paths->hops, sizeof *s->step, what);
    np_arena_array(arena, &s->place, places_of(s), sizeof *s->place, what);
    np_arena_zeroed(arena, &s->count, s->paths->links, sizeof *s->count, what);
    np_arena_zeroed(arena, &s->last, s->paths->packets, sizeof *s->last, what);
}

/* ---- From times to steps ---- */

/* Sorts the hops by keys below `keys`; hops of the same key by their numbers. */
static void sort_hops(schedule *s, const uint32_t *key, uint32_t keys)
{
    np_order_rows(keys, s->paths->hops, key, s->place, s->order);
}

/* Gives the hops order[i .. end - 1] of one time their steps, after step `begin`. Returns the last step. */
static np_step step_through(schedule *s, uint32_t i, uint32_t end, np_step begin)
{
    uint32_t longest = 0;
    for (uint32_t k = i; k < end; k++) {
        uint32_t turn = ++s->count[s->paths->link[s->order[k]]];
        s->step[s->order[k]] = begin + turn;
        longest = turn > longest ? turn : longest;
    }
    for (uint32_t k = i; k < end; k++)
        s->count[s->paths->link[s->order[k]]] = 0;
    s->load = longest > s->load ? longest : s->load;
    return begin + longest;
}

/* A time after the other. Returns the last step. The hops are sorted by times. */
static np_step keep_times(schedule *s, const np_step *time)
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
static np_step go_early(schedule *s)
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

/* ---- Playing ---- */

static bool is_first(const np_path_list *paths, uint32_t hop) { return hop == paths->first[paths->of[hop]]; }
static bool is_last(const np_path_list *paths, uint32_t hop) { return hop + 1 == paths->first[paths->of[hop] + 1]; }

/* Plays the hops order[i .. end - 1], which are those of one step. */
static np_status play_step(schedule *s, const np_packet *number, uint32_t i, uint32_t end, np_hop_replay *replay,
                           uint32_t *queue_max)
{
    const np_path_list *paths = s->paths;
    for (uint32_t k = i; k < end; k++) {
        uint32_t hop = s->order[k];
        np_status st = np_hop_replay_move(replay, s->step[hop], number[paths->of[hop]], paths->link[hop]);
        if (st)
            return st;
        s->last[paths->of[hop]] = s->step[hop];
        if (!is_first(paths, hop))
            s->count[paths->link[hop]]--;
    }
    for (uint32_t k = i; k < end; k++) {
        uint32_t hop = s->order[k];
        if (is_last(paths, hop))
            continue;
        uint32_t queue = ++s->count[paths->link[hop + 1]];
        *queue_max = queue > *queue_max ? queue : *queue_max;
    }
    return NP_OK;
}

/* number: of the packets in the traffic. The hops are sorted by steps. */
static np_status play(schedule *s, const np_packet *number, np_hop_replay *replay, uint32_t *queue_max)
{
    *queue_max = 0;
    for (uint32_t i = 0, end; i < s->paths->hops; i = end) {
        for (end = i; end < s->paths->hops && s->step[s->order[end]] == s->step[s->order[i]]; end++)
            continue;
        np_status st = play_step(s, number, i, end, replay, queue_max);
        if (st)
            return st;
    }
    return NP_OK;
}

/* ---- A run ---- */

static void layout_runner(void *object, np_arena *arena)
{
    resampled *r = object;
    np_arena_zeroed(arena, &r->delay, r->packets, sizeof *r->delay, "the packets' delays");
}

static bool early(const np_route_plan *plan) { return *(const bool *)plan->parameters; }

/* The bytes of a run's own objects. */
static uint64_t own_bytes(const np_path_list *sizes)
{
    schedule s = {.paths = sizes, .length = np_outline_length(sizes)};
    return np_path_list_bytes(sizes->links, sizes->packets, sizes->hops) + np_outline_bytes(sizes) +
           np_arena_bytes(&s, 0, layout);
}

/* The same for all packets on paths as long as any that is known, all over one link. */
static uint64_t most_bytes(const np_route_plan *plan)
{
    uint64_t longest = np_path_longest(plan->shared), hops = plan->packets * longest;
    const np_path_list sizes = {.links = np_network_link_numbers(plan->network),
                                .packets = (np_packet)plan->packets,
                                .hops = hops < NP_PATH_LIST_HOPS_MAX ? (uint32_t)hops : NP_PATH_LIST_HOPS_MAX,
                                .congestion = (uint32_t)plan->packets,
                                .dilation = (uint32_t)longest};
    return own_bytes(&sizes);
}

static uint64_t bytes(const np_route_plan *plan)
{
    resampled r = {.packets = (np_packet)plan->packets};
    return np_arena_bytes(&r, sizeof r, layout_runner) + np_walk_bytes(plan->packets) + most_bytes(plan) +
           np_hop_replayed_bytes(plan);
}

/* Gives all hops their steps, and sorts them by these. */
static void make_schedule(schedule *s, const np_outline *outline, bool goes_early)
{
    np_step steps;
    sort_hops(s, outline->time, outline->length);
    steps = keep_times(s, outline->time);
    if (goes_early)
        steps = go_early(s);
    sort_hops(s, s->step, steps + 1);
}

static void collect_delays(resampled *r, const schedule *s, const np_packet *number)
{
    for (np_packet i = 0; i < s->paths->packets; i++)
        r->delay[number[i]] = s->last[i] - (s->paths->first[i + 1] - s->paths->first[i]);
}

/* number: of the packets in the traffic. */
static np_status carry_out(resampled *r, schedule *s, const np_outline *outline, const np_packet *number,
                           const np_runner_job *job, np_phase_run *out)
{
    const np_route_plan *plan = r->base.plan;
    np_hop_replay *replay = NULL;
    uint32_t queue_max, stored;
    np_status st;
    make_schedule(s, outline, early(plan));
    if ((st = np_watch_share(np_runner_watch(job), NULL, NP_OUTLINE_SHARE)) ||
        (st = np_hop_replay_create(plan->network, job->traffic, np_runner_observer(job) != NULL, &replay)) ||
        (st = play(s, number, replay, &queue_max)) || (st = np_hop_replay_end(replay, out, &stored)))
        goto out;
    collect_delays(r, s, number);
    out->queue_max = queue_max;
    out->dilation = s->paths->dilation;
    out->outline = outline->length;
    out->outline_load = s->load;
    out->resamplings = outline->resamplings;
    st = np_hop_replayed_tell(replay, plan, job, out);
out:
    np_hop_replay_free(replay);
    return st;
}

static np_status schedule_paths(resampled *r, const np_path_list *paths, const np_packet *number,
                                const np_runner_job *job, np_phase_run *out)
{
    schedule s = {.paths = paths};
    np_outline *outline = NULL;
    void *block = NULL;
    np_status st;
    if ((st = np_outline_find(paths, job->draws, np_runner_watch(job), &outline)))
        return st;
    s.length = outline->length;
    if (!(st = np_arena_place(&s, layout, what, &block)))
        st = carry_out(r, &s, outline, number, job, out);
    np_memory_free(block);
    np_outline_free(outline);
    return st;
}

static np_status route_paths(resampled *r, const np_hop_replayed_paths *found, const np_runner_job *job,
                             np_phase_run *out)
{
    np_path_list *paths = NULL;
    np_walk *walk;
    np_status st = np_walk_create(&found->path, job->draws, job->traffic, NULL, &walk);
    if (st)
        return st;
    if (!(st = np_path_list_create(walk, &paths)))
        st = schedule_paths(r, paths, walk->number, job, out);
    np_path_list_free(paths);
    np_walk_free(walk);
    return st;
}

static np_status run(np_runner *runner, const np_runner_job *job, np_phase_run *out, np_delays *delays)
{
    resampled *r = (resampled *)runner;
    np_hop_replayed_paths found;
    np_status st = np_hop_replayed_find(runner->plan, job, &found);
    if (st)
        return st;
    r->packets = np_traffic_packets(job->traffic);
    if (!(st = np_arena_renew(r, layout_runner, "the packets' delays", &r->base.block, &r->room)))
        st = route_paths(r, &found, job, out);
    np_hop_replayed_paths_clear(&found);
    *delays = (np_delays){r->delay, r->packets, 0};
    return st;
}

/* ---- The runner ---- */

static np_status bind(np_route_plan *plan)
{
    return np_hop_replayed_bind(plan, early(plan) ? "in the order of an outline" : "by an outline");
}

static void phase(const np_route_plan *plan, unsigned number, np_phase_result *out)
{
    (void)plan, (void)number;
    out->outlined = true;
}

static const np_runner_ops resampled_runner = {
    .bind = bind,
    .unbind = np_hop_replayed_unbind,
    .phase = phase,
    .bytes = bytes,
    .size = sizeof(resampled),
    .run = run,
};

#define SOURCE "Rothvoss 2013, after Leighton, Maggs & Rao 1994; Moser & Tardos 2010"

const np_scheme np_scheme_resampled = {
    .info = {"resampled", "found off line: random waits, resampled until few packets share a link", SOURCE,
             .networks = "any"},
    .runner = &resampled_runner,
    .parameters = &(const bool){false},
    .heeds = NP_NAMES("paths", "trace"),
};

const np_scheme np_scheme_resampled_early = {
    .info = {"resampled-early", "the order on links of `resampled`, and each packet as early as it allows", SOURCE,
             .networks = "any"},
    .runner = &resampled_runner,
    .parameters = &(const bool){true},
    .heeds = NP_NAMES("paths", "trace"),
};
