/*
 * The scheme `ranked`: leveled networks, random ranks, queues of constant size
 * (Leighton, Maggs, Ranade & Rao 1994). The leveling of the network chooses
 * paths (stage 1), the merging engine schedules them (stage 2).
 */
#include "route/ranked.h"
#include "route/scheme.h"

#include <stdio.h>

#include "base/memory.h"
#include "merging/merge.h"
#include "route/ranks_file.h"
#include "route/leveled_mover.h"

typedef struct ranked {
    np_leveled_mover leveled;
    bool combine;
    np_merge *merge;
    uint8_t *gone;   /* [packets of the traffic] combined into another in an earlier phase */
    uint64_t *value; /* [packets of the traffic] what they carry */
    size_t room;     /* of both */
    const np_merge_options *options;
    uint32_t *rank; /* [rank_packets] from the options' file, if there is one, once the packets are counted */
    np_packet rank_packets;
    np_merge_record *record; /* of the next run; NULL: none is kept. Borrowed */
} ranked;

static void free_ranked(np_mover *mover)
{
    ranked *r = (ranked *)mover;
    np_leveled_mover_clear(&r->leveled);
    np_merge_free(r->merge);
    np_memory_free(r->gone);
    np_memory_free(r->value);
    np_memory_free(r->rank);
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
    r->options = &options->merge;
    say_queue(r, &options->merge);
    return np_leveled_mover_init(&r->leveled, network, options->memory_limit, like);
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

/* Ranks of a file are for traffic of so many packets, which is known now. */
static np_status load_ranks(ranked *r, np_packet packets)
{
    const np_merge_options *options = r->options;
    if (options->ranks != NP_RANKS_FILE || options->rank || !options->rank_file)
        return NP_OK;
    if (r->rank && r->rank_packets == packets)
        return NP_OK;
    np_memory_free(r->rank);
    r->rank_packets = packets;
    return np_ranks_read(options->rank_file, packets, options->rank_range, &r->rank);
}

/* Before the first phase: all packets are there, and carry their numbers. */
static np_status begin_combining(ranked *r, np_packet packets)
{
    np_status st;
    if (packets > r->room) {
        if ((st = np_memory_grow(&r->gone, 0, packets, sizeof *r->gone, "the packets that combine")) ||
            (st = np_memory_grow(&r->value, 0, packets, sizeof *r->value, "the packets that combine")))
            return st;
        r->room = packets;
    }
    for (np_packet p = 0; p < packets; p++) {
        r->gone[p] = 0;
        r->value[p] = p;
    }
    return NP_OK;
}

/* After a phase: those that were not delivered have become part of others. */
static void keep_combined(ranked *r)
{
    const uint8_t *delivered = np_merge_delivered(r->merge);
    const uint64_t *value = np_merge_values(r->merge);
    for (np_packet i = 0; i < r->leveled.courses.packets; i++) {
        np_packet p = r->leveled.courses.packet[i];
        r->gone[p] = !delivered[i];
        r->value[p] = value[i];
    }
}

static np_status run(np_mover *mover, unsigned phase, np_draws draws, const np_traffic *traffic, np_phase_run *out,
                     const uint32_t **delay, size_t *delays)
{
    ranked *r = (ranked *)mover;
    draws.phase = (uint16_t)phase;
    np_merge_job job = {.leveled = r->leveled.leveling->phase[phase].leveled,
                        .courses = &r->leveled.courses,
                        .ranked = r->leveled.leveling->phase[phase].ranked,
                        .draws = draws,
                        .workers = mover->workers};
    np_status st;
    if ((st = load_ranks(r, np_traffic_packets(traffic))) ||
        (r->combine && phase == 0 && (st = begin_combining(r, np_traffic_packets(traffic)))))
        return st;
    job.rank = r->rank;
    if ((st = np_leveled_mover_select(&r->leveled, phase, draws, traffic, r->combine)))
        return st;
    if (r->combine) {
        np_courses_drop(&r->leveled.courses, r->gone);
        job.value = r->value;
    }
    if ((st = np_merge_run(r->merge, &job, r->record, out)))
        return st;
    if (r->combine)
        keep_combined(r);
    *delay = np_merge_delays(r->merge);
    *delays = r->leveled.courses.packets;
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
    .fixed_ranks = np_leveled_mover_fixed_ranks,
    .bytes = np_leveled_mover_bytes,
    .run = run,
};

static np_status record_phase(ranked *r, const np_traffic *traffic, np_draws draws, unsigned phase,
                              const np_merge_options *options, np_explanation *out)
{
    np_merge_record record = {0};
    np_phase_run measured;
    const uint32_t *delay;
    size_t delays;
    np_status st;
    for (unsigned before = 0; before < phase && r->combine; before++) /* what combines there moves no further */
        if ((st = run(&r->leveled.base, before, draws, traffic, &measured, &delay, &delays)))
            return st;
    r->record = &record;
    if (!(st = run(&r->leveled.base, phase, draws, traffic, &measured, &delay, &delays)))
        st = np_explain(options, r->leveled.leveling->phase[phase].leveled, &r->leveled.courses, &record, out);
    np_merge_record_clear(&record);
    return st;
}

np_status np_ranked_explain(const np_network *network, const char *traffic, const np_route_options *options,
                            uint32_t run_number, unsigned phase, np_explanation *out)
{
    np_draws draws = {.seed = options->seed, .run = run_number};
    np_traffic *made = NULL;
    np_mover *mover = NULL;
    np_status st;
    if ((st = np_traffic_create(traffic, network, options->seed, options->same_traffic ? 0 : run_number, &made)) ||
        (st = create(network, options, NULL, &mover)))
        goto out;
    st = record_phase((ranked *)mover, made, draws, phase, &options->merge, out);
out:
    if (mover)
        free_ranked(mover);
    np_traffic_free(made);
    return st;
}

const np_scheme_ops np_scheme_ranked = {
    .info =
        {"ranked", "leveled, by random ranks, queues of constant size", "Leighton, Maggs, Ranade & Rao 1994",
         .networks =
             "butterfly, butterfly-io, mesh, array, torus, ring, hypercube, shuffle-exchange, fat-tree, fat-tree-8"},
    .explains = true,
    .mover = &ranked_ops,
    .merges = true,
    .refuses = np_leveling_refuses,
};
