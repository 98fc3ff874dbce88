/*
 * The scheme `ranked`: leveled networks, random ranks, queues of constant size
 * (Leighton, Maggs, Ranade & Rao 1994). Stage 1 chooses paths on a leveled network
 * (model/leveled/stage_one.h), the merging engine schedules them (stage 2).
 */
#include "base/memory.h"
#include "run/route/ranked.h"

typedef struct ranked {
    np_runner base;
    np_chosen chosen;
    bool combine;
    np_merge *merge;
    /* Where packets combine. */
    np_packet packets; /* of the traffic */
    uint8_t *gone;     /* [packets] combined into another in an earlier phase */
    uint64_t *value;   /* [packets] what they carry */
    void *block;       /* both arrays */
    size_t room;       /* its bytes */

    uint32_t *rank;   /* [rank_packets] from the options' file if there is one; read once the packets are counted */
    uint64_t demands; /* of the traffic for which they were read: see np_rank_source */
    np_merge_record *record; /* borrowed; records the next run. NULL: no record */
} ranked;

static void layout(void *object, np_arena *arena)
{
    ranked *r = object;
    np_arena_zeroed(arena, &r->gone, r->packets, sizeof *r->gone, "the packets that combine");
    np_arena_array(arena, &r->value, r->packets, sizeof *r->value, "the packets that combine");
}

static uint64_t engine_bytes(const np_route_plan *plan, unsigned count, const np_leveled *const *leveled,
                             np_packet packets)
{
    return np_merge_bytes(&plan->options.merge, count, leveled, packets, plan->options.observer);
}

static uint64_t bytes(const np_route_plan *plan)
{
    const np_merge_options *options = &plan->options.merge;
    ranked r = {.packets = options->combine ? (np_packet)plan->packets : 0};
    return np_leveled_runner_bytes(plan, engine_bytes) + np_arena_bytes(&r, sizeof r, layout) +
           (options->rank_file ? plan->packets * sizeof *r.rank : 0);
}

static void clear(np_runner *runner)
{
    ranked *r = (ranked *)runner;
    np_chosen_clear(&r->chosen);
    np_merge_free(r->merge);
    NP_MEMORY_FREE(r->block, r->rank);
}

/* What is said of ranks and messages that this run does not have. */
static np_status check_merging(const np_merge_options *options)
{
    const bool hashed = options->ranks == NP_RANKS_HASH || options->combine != NP_COMBINE_NONE;
    if (options->combine != NP_COMBINE_NONE && options->ranks == NP_RANKS_FILE)
        return NP_RAISE(NP_ERROR_INPUT, "packets that combine need ranks by destination, and a file has others: try "
                                        "ranks by hash");
    if (options->independence && !hashed)
        return NP_RAISE(NP_ERROR_INPUT, "independence %u: is for ranks by hash: add ranks hash, or combine",
                        options->independence);
    if (options->message_mode != NP_MESSAGES_CYCLES && options->message_most <= 1)
        return NP_RAISE(NP_ERROR_INPUT,
                        "messages of one packet all move alike: say how long they are by message_length");
    return NP_OK;
}

static np_status bind(np_route_plan *plan)
{
    static const char *const rules[] = {"", "first", "sum", "min", "max", "and", "or"};
    const np_merge_options *options = &plan->options.merge;
    np_status st;
    if ((st = np_merge_check(options)) || (st = check_merging(options)))
        return st;
    np_route_plan_say_queue(plan, "merge:%u%s%s%s%s%s", options->queue_size,
                            options->room == NP_ROOM_FREED ? ",freed" : "", options->no_ghosts ? ",no ghosts" : "",
                            options->ghosts == NP_GHOSTS_ROOM ? ",ghosts need room" : "",
                            options->combine ? ",combine " : "", rules[options->combine]);
    return np_leveled_bind(plan);
}

static void phase(const np_route_plan *plan, unsigned number, np_phase_result *out)
{
    const np_leveled_routing *routing = np_leveled_of(plan)->routing;
    np_leveled_phase(plan, number, out);
    out->starves = np_merge_may_starve(&plan->options.merge);
    out->in_cycles = np_merge_in_cycles(&plan->options.merge);
    out->fixed_ranks = routing && routing->phase[number].ranked;
}

static np_status init(np_runner *runner)
{
    ranked *r = (ranked *)runner;
    const np_merge_options *options = &runner->plan->options.merge;
    r->combine = options->combine != NP_COMBINE_NONE;
    return np_merge_create(options, &r->merge);
}

/* Reads the ranks of a file, which must be for this run's traffic; a later run may have drawn other paths. */
static np_status load_ranks(ranked *r, const np_runner_job *job)
{
    const np_route_plan *plan = r->base.plan;
    const np_merge_options *options = &plan->options.merge;
    if (options->ranks != NP_RANKS_FILE || options->rank || !options->rank_file)
        return NP_OK;
    const np_rank_source *source;
    np_status st = np_registry_find(&np_rank_sources, "file", &source);
    return st ? st : source->read(plan, job, &r->demands, &r->rank);
}

/* Before the first phase: all packets are there, and carry their numbers. */
static np_status begin_combining(ranked *r, np_packet packets)
{
    r->packets = packets;
    np_status st = np_arena_renew(r, layout, "the packets that combine", &r->block, &r->room);
    for (np_packet p = 0; p < packets && !st; p++)
        r->value[p] = p;
    return st;
}

/* After a phase: packets that were not delivered have become part of others. */
static void keep_combined(ranked *r)
{
    const uint8_t *delivered = np_merge_delivered(r->merge);
    const uint64_t *value = np_merge_values(r->merge);
    for (np_packet i = 0; i < r->chosen.path_set.packets; i++) {
        np_packet p = r->chosen.path_set.packet[i];
        r->gone[p] = !delivered[i];
        r->value[p] = value[i];
    }
}

static np_status run(np_runner *runner, const np_runner_job *job, np_phase_run *out, np_delays *delays)
{
    ranked *r = (ranked *)runner;
    const np_route_plan *plan = runner->plan;
    np_packet packets = np_traffic_packets(job->traffic);
    np_merge_job merge = {.path_set = &r->chosen.path_set, .workers = np_route_plan_workers(plan)};
    np_status st;
    if ((st = load_ranks(r, job)) || (r->combine && job->phase == 0 && (st = begin_combining(r, packets))) ||
        (st = np_leveled_choose(plan, job, r->combine, &merge.draws, &r->chosen)))
        return st;
    const np_event_leveled leveled = np_leveled_seen(plan, job->phase, r->chosen.leveled);
    np_event_phase phase = np_runner_phase(job, plan->network);
    phase.leveled = &leveled;
    merge.leveled = r->chosen.leveled;
    merge.ranked = r->chosen.ranked;
    merge.rank = r->rank;
    merge.resting = np_leveled_resting(job, &r->chosen.path_set);
    merge.observer = np_runner_observer(job);
    merge.phase = &phase;
    merge.watch = np_runner_watch(job);
    if (r->combine) {
        np_path_set_drop(&r->chosen.path_set, r->gone);
        merge.value = r->value;
    }
    if ((st = np_merge_run(r->merge, &merge, r->record, out)) ||
        (st = np_leveled_emulate(plan, job->phase, &r->chosen, out)))
        return st;
    if (r->combine)
        keep_combined(r);
    *delays = np_leveled_delays(merge.resting, &r->chosen.path_set, np_merge_delays(r->merge), out);
    return NP_OK;
}

/* ---- For the annex ---- */

/* Runs the phases up to this one; the last is recorded. */
static np_status record_phase(ranked *r, const np_traffic *traffic, uint32_t number, unsigned phase,
                              np_merge_record *record)
{
    np_runner_job job = {.draws = {.seed = r->base.plan->options.seed, .run = number}, .traffic = traffic};
    np_phase_run measured;
    np_delays delays;
    np_status st;
    for (; job.phase < phase && r->combine; job.phase++) /* what combines there moves no further */
        if ((st = run(&r->base, &job, &measured, &delays)))
            return st;
    job.phase = phase;
    r->record = record;
    return run(&r->base, &job, &measured, &delays);
}

np_status np_ranked_record(const np_route_plan *plan, uint32_t number, unsigned phase, np_merge_record *record,
                           np_chosen *chosen)
{
    np_traffic *traffic = NULL;
    np_runner *runner;
    np_status st;
    if ((st = np_route_plan_draw_traffic(plan, number, &traffic)))
        return st;
    if (!(st = np_runner_create(plan, &runner))) {
        ranked *r = (ranked *)runner;
        st = record_phase(r, traffic, number, phase, record);
        *chosen = r->chosen;
        r->chosen = (np_chosen){.leveled = NULL};
        np_runner_free(runner);
    }
    np_traffic_free(traffic);
    return st;
}

const np_runner_ops np_ranked_runner = {
    .bind = bind,
    .unbind = np_leveled_unbind,
    .phase = phase,
    .bytes = bytes,
    .size = sizeof(ranked),
    .init = init,
    .clear = clear,
    .run = run,
};

const np_scheme np_scheme_ranked = {
    .info = {"ranked", "leveled, by random ranks, queues of constant size", "Leighton, Maggs, Ranade & Rao 1994",
             .networks = "any"},
    .runner = &np_ranked_runner,
    .heeds = NP_NAMES("queue_size", "room", "combine", "ranks", "rank_range", "independence", "message_length",
                      "messages", "no_ghosts", "ghosts", "physical", "paths", "explain", "trace"),
};
