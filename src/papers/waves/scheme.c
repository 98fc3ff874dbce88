/*
 * The scheme `waves`: the leveled networks and paths of `ranked`, and queues of constant size without ghosts and ranks.
 * The idea is of Maggs & Sitaraman (papers/waves/waves.c says what is theirs). A phase that sets ranks of its own has
 * nothing random, and is one wave.
 */
#include "papers/waves/waves.h"
#include "run/route/leveled.h"

#include <stdio.h>

typedef struct waves {
    np_runner base;
    np_chosen chosen;
    np_waves *waves;
} waves;

static void clear(np_runner *runner)
{
    waves *w = (waves *)runner;
    np_chosen_clear(&w->chosen);
    np_waves_free(w->waves);
}

static np_waves_options options_of(const np_route_plan *plan)
{
    const np_merge_options *options = &plan->options.merge;
    return (np_waves_options){options->queue_size, options->room, options->waves, options->physical};
}

static np_status bind(np_route_plan *plan)
{
    const np_waves_options options = options_of(plan);
    char count[24] = "";
    if (options.waves)
        snprintf(count, sizeof count, ",%u waves", options.waves);
    np_route_plan_say_queue(plan, "waves:%u%s%s", options.queue_size, options.room == NP_ROOM_FREED ? ",freed" : "",
                            count);
    return np_leveled_bind(plan);
}

static np_status init(np_runner *runner)
{
    const np_waves_options options = options_of(runner->plan);
    return np_waves_create(&options, &((waves *)runner)->waves);
}

static uint64_t engine_bytes(const np_route_plan *plan, unsigned count, const np_leveled *const *leveled,
                             np_packet packets)
{
    const np_waves_options options = options_of(plan);
    uint64_t most = 0;
    for (unsigned i = 0; i < count; i++) {
        uint64_t phase = np_waves_bytes(&options, leveled[i], packets, plan->options.observer != NULL);
        most = phase > most ? phase : most;
    }
    return most;
}

static np_status run(np_runner *runner, const np_runner_job *job, np_phase_run *out, np_delays *delays)
{
    waves *w = (waves *)runner;
    np_event_phase seen = np_runner_phase(job, runner->plan->network);
    np_waves_job waves_job = {.path_set = &w->chosen.path_set,
                              .observer = np_runner_observer(job),
                              .phase = &seen,
                              .watch = np_runner_watch(job)};
    np_status st = np_leveled_choose(runner->plan, job, false, &waves_job.draws, &w->chosen);
    if (st)
        return st;
    const np_event_leveled leveled = np_leveled_seen(runner->plan, job->phase, w->chosen.leveled);
    seen.leveled = &leveled;
    waves_job.leveled = w->chosen.leveled;
    waves_job.one_wave = w->chosen.ranked;
    waves_job.resting = np_leveled_resting(job, &w->chosen.path_set);
    if ((st = np_waves_run(w->waves, &waves_job, out)) ||
        (st = np_leveled_emulate(runner->plan, job->phase, &w->chosen, out)))
        return st;
    *delays = np_leveled_delays(waves_job.resting, &w->chosen.path_set, np_waves_delays(w->waves), out);
    return NP_OK;
}

static uint64_t bytes(const np_route_plan *plan) { return np_leveled_runner_bytes(plan, engine_bytes); }

static const np_runner_ops waves_runner = {
    .bind = bind,
    .unbind = np_leveled_unbind,
    .phase = np_leveled_phase,
    .bytes = bytes,
    .size = sizeof(waves),
    .init = init,
    .clear = clear,
    .run = run,
};

const np_scheme np_scheme_waves = {
    .info = {"waves", "leveled, in waves, queues of constant size without ranks and ghosts",
             "an idea of Maggs & Sitaraman 1999", .networks = "any"},
    .runner = &waves_runner,
    .heeds = NP_NAMES("queue_size", "room", "waves", "physical", "paths", "trace"),
};
