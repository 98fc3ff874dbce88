/*
 * The scheme `ranked`: leveled networks, random ranks, queues of constant size
 * (Leighton, Maggs, Ranade & Rao 1994). The leveling of the network chooses
 * paths (stage 1), the merging engine schedules them (stage 2).
 */
#include "route/scheme.h"

#include <stdio.h>

#include "base/memory.h"
#include "engine/merge.h"
#include "route/leveled_mover.h"

typedef struct ranked {
    np_leveled_mover leveled;
    bool combine;
    np_merge *merge;
} ranked;

static void free_ranked(np_mover *mover)
{
    ranked *r = (ranked *)mover;
    np_leveled_mover_clear(&r->leveled);
    np_merge_free(r->merge);
    np_memory_free(r);
}

static void say_queue(ranked *r, const np_merge_options *options)
{
    static const char *const rules[] = {"", "first", "sum", "min", "max", "and", "or"};
    snprintf(r->leveled.queue, sizeof r->leveled.queue, "merge:%u%s%s%s%s", options->queue_size,
             options->room == NP_ROOM_FREED ? ",freed" : "", options->no_ghosts ? ",no ghosts" : "",
             r->combine ? ",combine " : "", rules[options->combine]);
}

static np_status set_up(ranked *r, const np_network *network, const np_route_options *options, const np_mover *like)
{
    np_status st;
    if ((st = np_merge_create(&options->merge, &r->merge)))
        return st;
    r->combine = options->merge.combine != NP_COMBINE_NONE;
    say_queue(r, &options->merge);
    return np_leveled_mover_init(&r->leveled, network, like);
}

static const np_mover_ops ranked_ops;

static np_status create(const np_network *network, const np_route_options *options, const np_mover *like,
                        np_mover **out)
{
    ranked *r;
    np_status st;
    if (options->queue)
        return NP_RAISE(NP_ERROR_INPUT, "scheme 'ranked' merges by rank, it has no queue discipline such as '%s'",
                        options->queue);
    if (options->merge.waves)
        return NP_RAISE(NP_ERROR_INPUT, "scheme 'ranked' merges by rank, not in %u waves: try --scheme waves",
                        options->merge.waves);
    if ((st = np_memory_zeroed(&r, 1, sizeof *r, "the scheme's tables")))
        return st;
    r->leveled.base.ops = &ranked_ops;
    if ((st = set_up(r, network, options, like))) {
        free_ranked(&r->leveled.base);
        return st;
    }
    *out = &r->leveled.base;
    return NP_OK;
}

static np_status run(np_mover *mover, unsigned phase, np_draws draws, const np_traffic *traffic, np_phase_run *out,
                     const uint32_t **delay, size_t *delays)
{
    ranked *r = (ranked *)mover;
    np_leveled_mover *leveled = &r->leveled;
    draws.phase = (uint16_t)phase;
    np_merge_job job = {.leveled = leveled->leveling->phase[phase].leveled,
                        .courses = &leveled->courses,
                        .ranked = leveled->leveling->phase[phase].ranked,
                        .draws = draws,
                        .workers = mover->workers};
    np_status st;
    if ((st = np_leveled_mover_select(leveled, phase, draws, traffic, r->combine)) ||
        (st = np_merge_run(r->merge, &job, NULL, out)))
        return st;
    *delay = np_merge_delays(r->merge);
    *delays = leveled->courses.packets;
    return NP_OK;
}

static const np_mover_ops ranked_ops = {
    .create = create,
    .free = free_ranked,
    .phases = np_leveled_mover_phases,
    .name = np_leveled_mover_name,
    .paths = np_leveled_mover_paths,
    .queue = np_leveled_mover_queue,
    .emulation = np_leveled_mover_emulation,
    .bytes = np_leveled_mover_bytes,
    .run = run,
};

const np_scheme_ops np_scheme_ranked = {
    .info = {"ranked", "butterfly, butterfly-io, mesh, array, torus, ring, hypercube, shuffle-exchange, fat-tree, fat-tree-8", "leveled, by random ranks, queues of constant size",
             "Leighton, Maggs, Ranade & Rao 1994"},
    .mover = &ranked_ops,
    .refuses = np_leveling_refuses,
};
