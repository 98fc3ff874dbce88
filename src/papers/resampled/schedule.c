/* See schedule.h. */
#include "papers/resampled/schedule.h"

#include "base/memory.h"
#include "base/order.h"

static const char what[] = "a schedule of hops";

static const np_scheduler *scheduler_of(const np_route_plan *plan) { return plan->parameters; }

static void layout(void *object, np_arena *arena)
{
    np_schedule *s = object;
    NP_ARENA_WORDS(arena, s->paths->hops, what, &s->order, &s->step);
    np_arena_array(arena, &s->place, (size_t)s->keys + 2, sizeof *s->place, what);
    np_arena_zeroed(arena, &s->count, s->paths->links, sizeof *s->count, what);
    np_arena_zeroed(arena, &s->last, s->paths->packets, sizeof *s->last, what);
}

void np_schedule_sort(np_schedule *s, const uint32_t *key, uint32_t keys)
{
    np_order_rows(keys, s->paths->hops, key, s->place, s->order);
}

/* ---- Playing ---- */

static bool is_first(const np_path_list *paths, uint32_t hop) { return hop == paths->first[paths->of[hop]]; }
static bool is_last(const np_path_list *paths, uint32_t hop) { return hop + 1 == paths->first[paths->of[hop] + 1]; }

/* Plays the hops order[i .. end - 1], which are those of one step. */
static np_status play_step(np_schedule *s, const np_packet *number, uint32_t i, uint32_t end, np_hop_replay *replay)
{
    const np_path_list *paths = s->paths;
    for (uint32_t k = i; k < end; k++) {
        uint32_t hop = s->order[k];
        np_status st = np_hop_replay_move(replay, s->step[hop], number[paths->of[hop]], paths->link[hop]);
        if (st)
            return st;
        if (!is_first(paths, hop))
            s->count[paths->link[hop]]--;
    }
    for (uint32_t k = i; k < end; k++) {
        uint32_t hop = s->order[k];
        if (is_last(paths, hop))
            continue;
        uint32_t queue = ++s->count[paths->link[hop + 1]];
        s->out->queue_max = queue > s->out->queue_max ? queue : s->out->queue_max;
    }
    return NP_OK;
}

/* number: of the packets in the traffic. The hops are sorted by steps. */
static np_status play_steps(np_schedule *s, const np_packet *number, np_hop_replay *replay)
{
    for (uint32_t i = 0, end; i < s->paths->hops; i = end) {
        for (end = i; end < s->paths->hops && s->step[s->order[end]] == s->step[s->order[i]]; end++)
            continue;
        np_status st = play_step(s, number, i, end, replay);
        if (st)
            return st;
    }
    return NP_OK;
}

/* ---- A run ---- */

static np_schedule schedule_of(const np_route_plan *plan, const np_path_list *paths)
{
    np_schedule s = {.paths = paths, .queue_size = plan->options.merge.queue_size};
    s.keys = scheduler_of(plan)->keys(&s);
    return s;
}

/* Sizes for packets on paths as long as any that is known, all over one link. */
static np_path_list most_paths(const np_route_plan *plan)
{
    uint64_t longest = np_path_longest(plan->shared), hops = plan->packets * longest;
    return (np_path_list){.links = np_network_link_numbers(plan->network),
                          .packets = (np_packet)plan->packets,
                          .hops = hops < NP_PATH_LIST_HOPS_MAX ? (uint32_t)hops : NP_PATH_LIST_HOPS_MAX,
                          .congestion = (uint32_t)plan->packets,
                          .dilation = (uint32_t)longest};
}

static uint64_t bytes(const np_route_plan *plan)
{
    const np_path_list most = most_paths(plan);
    np_schedule s = schedule_of(plan, &most);
    return np_walk_bytes(plan->packets) + np_path_list_bytes(most.links, most.packets, most.hops) +
           scheduler_of(plan)->bytes(&s) + np_arena_bytes(&s, 0, layout) + np_hop_replayed_bytes(plan);
}

static uint64_t longest_delay(const np_route_plan *plan)
{
    const np_scheduler *scheduler = scheduler_of(plan);
    const np_path_list most = most_paths(plan);
    const np_schedule s = schedule_of(plan, &most);
    return scheduler->longest_delay ? scheduler->longest_delay(&s) : s.keys;
}

static np_status play_list(const np_route_plan *plan, const np_path_list *paths, const np_packet *number,
                           const np_runner_job *job, np_hop_replay *replay, np_phase_run *out)
{
    np_schedule s = schedule_of(plan, paths);
    void *block = NULL;
    np_status st = np_arena_place(&s, layout, what, &block);
    s.out = out;
    if (!st && !(st = scheduler_of(plan)->find(&s, job))) {
        np_schedule_sort(&s, s.step, out->steps + 1);
        st = play_steps(&s, number, replay);
    }
    np_memory_free(block);
    return st;
}

static np_status play(const np_route_plan *plan, const np_path *path, const np_runner_job *job, np_hop_replay *replay,
                      np_phase_run *out)
{
    np_path_list *paths = NULL;
    np_walk *walk;
    np_status st = np_walk_create(path, job->draws, job->traffic, NULL, &walk);
    if (st)
        return st;
    if (!(st = np_path_list_create(walk, &paths)))
        st = play_list(plan, paths, walk->number, job, replay, out);
    np_path_list_free(paths);
    np_walk_free(walk);
    return st;
}

static np_status run(np_runner *runner, const np_runner_job *job, np_phase_run *out, np_delays *delays)
{
    return np_hop_replayed_run(runner, play, job, out, delays);
}

/* ---- The runner ---- */

static np_status bind(np_route_plan *plan)
{
    const np_scheduler *scheduler = scheduler_of(plan);
    if (!plan->options.paths && scheduler->paths)
        plan->options.paths = scheduler->paths(plan->network);
    np_status st = np_hop_replayed_bind(plan, scheduler->queue);
    if (np_scheme_lists(plan->scheme, "queue_size"))
        np_route_plan_say_queue(plan, "%s:%u", scheduler->queue, plan->options.merge.queue_size);
    return st;
}

static void phase(const np_route_plan *plan, unsigned number, np_phase_result *out)
{
    (void)number;
    out->outlined = scheduler_of(plan)->outlined;
    out->in_rounds = scheduler_of(plan)->in_rounds;
}

const np_runner_ops np_schedule_runner = {
    .bind = bind,
    .unbind = np_hop_replayed_unbind,
    .phase = phase,
    .bytes = bytes,
    .longest_delay = longest_delay,
    .size = sizeof(np_hop_replayed),
    .clear = np_hop_replayed_clear,
    .run = run,
};
