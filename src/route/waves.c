/*
 * The scheme `waves`: the paths of `ranked`, chosen by the leveling of the
 * network, and queues of constant size without ghosts and ranks, after an idea
 * of Maggs & Sitaraman (merging/waves.c says what is theirs). Phases that set ranks of
 * their own, in which nothing is random, are one wave.
 */
#include "route/scheme.h"

#include <stdio.h>

#include "base/memory.h"
#include "merging/merge.h"
#include "merging/waves.h"
#include "route/leveled_mover.h"

typedef struct waves_mover {
    np_leveled_mover leveled;
    np_waves *waves;
} waves_mover;

static void free_waves(np_mover *mover)
{
    waves_mover *w = (waves_mover *)mover;
    np_leveled_mover_clear(&w->leveled);
    np_waves_free(w->waves);
    np_memory_free(w);
}

static np_status check(const np_route_options *options)
{
    const char *name = np_merge_options_of_ranks(&options->merge);
    if (options->queue)
        return NP_RAISE(NP_ERROR_INPUT, "scheme 'waves' has queues first in, first out, not the discipline '%s'",
                        options->queue);
    if (name)
        return NP_RAISE(NP_ERROR_INPUT,
                        "scheme 'waves' has queues and no ranks, it cannot heed '%s': try --scheme ranked", name);
    return NP_OK;
}

static np_status set_up(waves_mover *w, const np_network *network, const np_route_options *route, const np_mover *like)
{
    const np_merge_options *options = &route->merge;
    const np_waves_options own = {options->queue_size, options->room, options->waves};
    char count[24] = "";
    np_status st;
    if ((st = np_waves_create(&own, &w->waves)))
        return st;
    if (options->waves)
        snprintf(count, sizeof count, ",%u waves", options->waves);
    snprintf(w->leveled.queue, sizeof w->leveled.queue, "waves:%u%s%s", options->queue_size,
             options->room == NP_ROOM_FREED ? ",freed" : "", count);
    return np_leveled_mover_init(&w->leveled, network, route->memory_limit, like);
}

static const np_mover_ops waves_ops;

static np_status create(const np_network *network, const np_route_options *options, const np_mover *like,
                        np_mover **out)
{
    waves_mover *w;
    np_status st;
    if ((st = check(options)) || (st = np_memory_zeroed(&w, 1, sizeof *w, "the scheme's tables")))
        return st;
    w->leveled.base.ops = &waves_ops;
    if ((st = set_up(w, network, options, like))) {
        free_waves(&w->leveled.base);
        return st;
    }
    *out = &w->leveled.base;
    return NP_OK;
}

static np_status run(np_mover *mover, unsigned phase, np_draws draws, const np_traffic *traffic, np_phase_run *out,
                     const uint32_t **delay, size_t *delays)
{
    waves_mover *w = (waves_mover *)mover;
    np_leveled_mover *leveled = &w->leveled;
    draws.phase = (uint16_t)phase;
    np_waves_job job = {.leveled = leveled->leveling->phase[phase].leveled,
                        .courses = &leveled->courses,
                        .one_wave = leveled->leveling->phase[phase].ranked,
                        .draws = draws};
    np_status st;
    if ((st = np_leveled_mover_select(leveled, phase, draws, traffic, false)) ||
        (st = np_waves_run(w->waves, &job, out)))
        return st;
    *delay = np_waves_delays(w->waves);
    *delays = leveled->courses.packets;
    return NP_OK;
}

static const np_mover_ops waves_ops = {
    .create = create,
    .free = free_waves,
    .phases = np_leveled_mover_phases,
    .name = np_leveled_mover_name,
    .paths = np_leveled_mover_paths,
    .queue = np_leveled_mover_queue,
    .emulation = np_leveled_mover_emulation,
    .bytes = np_leveled_mover_bytes,
    .run = run,
};

const np_scheme_ops np_scheme_waves = {
    .info = {"waves", "leveled, in waves, queues of constant size without ranks and ghosts",
             "an idea of Maggs & Sitaraman 1999", .networks = "those of ranked"},
    .mover = &waves_ops,
    .in_waves = true,
    .refuses = np_leveling_refuses,
};
