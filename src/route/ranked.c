/*
 * The scheme `ranked`: leveled networks, random ranks, queues of constant size
 * (Leighton, Maggs, Ranade & Rao 1994). The leveling of the network chooses
 * paths (stage 1), the merging engine schedules them (stage 2).
 */
#include "route/ranked.h"
#include "route/scheme.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "engine/merge.h"
#include "engine/ranks_file.h"
#include "leveled/leveling.h"

typedef struct ranked {
    np_mover base;
    np_leveling *leveling; /* owned unless shared */
    bool shared;
    np_emulation_result emulation[NP_LEVELING_PHASES];
    char queue[48];
    bool combine;
    np_merge *merge;
    np_courses courses;
    uint8_t *gone;     /* [packets of the traffic] combined into another in an earlier phase */
    uint64_t *value;   /* [packets of the traffic] what they carry */
    size_t room;       /* of both */
    const np_merge_options *options;
    uint32_t *rank;          /* [rank_packets] from the options' file, if there is one, once the packets are counted */
    np_packet rank_packets;
    np_merge_record *record; /* of the next run; NULL: none is kept. Borrowed */
} ranked;

static void free_ranked(np_mover *mover)
{
    ranked *r = (ranked *)mover;
    if (!r->shared)
        np_leveling_free(r->leveling);
    np_merge_free(r->merge);
    np_courses_clear(&r->courses);
    np_memory_free(r->gone);
    np_memory_free(r->value);
    np_memory_free(r->rank);
    np_memory_free(r);
}

static void say_queue(ranked *r, const np_merge_options *options)
{
    static const char *const rules[] = {"", "first", "sum", "min", "max", "and", "or"};
    snprintf(r->queue, sizeof r->queue, "merge:%u%s%s%s%s", options->queue_size,
             options->room == NP_ROOM_FREED ? ",freed" : "", options->no_ghosts ? ",no ghosts" : "",
             r->combine ? ",combine " : "", rules[options->combine]);
}

static np_status measure(ranked *r)
{
    for (unsigned i = 0; i < r->leveling->phases; i++) {
        np_emulation emulation;
        np_status st = np_leveled_emulation(r->leveling->phase[i].leveled, &emulation);
        if (st)
            return st;
        r->emulation[i] = (np_emulation_result){emulation.nodes_per_node, np_leveled_degree(r->leveling->phase[i].leveled),
                                               emulation.links_per_link};
    }
    return NP_OK;
}

static np_status set_up(ranked *r, const np_network *network, const np_route_options *options, const ranked *like)
{
    np_status st;
    if ((st = np_merge_create(&options->merge, &r->merge)))
        return st;
    r->combine = options->merge.combine != NP_COMBINE_NONE;
    r->options = &options->merge;
    say_queue(r, &options->merge);
    if (like) {
        r->shared = true;
        r->leveling = like->leveling;
        memcpy(r->emulation, like->emulation, sizeof r->emulation);
        return NP_OK;
    }
    if ((st = np_leveling_create(network, &r->leveling)))
        return st;
    return measure(r);
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
    if ((st = np_memory_zeroed(&r, 1, sizeof *r, "the scheme's tables")))
        return st;
    r->base.ops = &ranked_ops;
    if ((st = set_up(r, network, options, (const ranked *)like))) {
        free_ranked(&r->base);
        return st;
    }
    *out = &r->base;
    return NP_OK;
}

static unsigned phases(const np_mover *mover) { return ((const ranked *)mover)->leveling->phases; }

static void name(const np_mover *mover, unsigned phase, char to[8])
{
    memcpy(to, ((const ranked *)mover)->leveling->phase[phase].name, 8);
}

static const char *paths(const np_mover *mover) { return ((const ranked *)mover)->leveling->ops->name; }
static const char *queue(const np_mover *mover) { return ((const ranked *)mover)->queue; }

static void emulation(const np_mover *mover, unsigned phase, np_emulation_result *out)
{
    *out = ((const ranked *)mover)->emulation[phase];
}

static bool fixed_ranks(const np_mover *mover, unsigned phase)
{
    return ((const ranked *)mover)->leveling->phase[phase].ranked;
}

/* Per packet: its path, and 64 bytes of keys, ranks and places; per edge a queue; per node an initial queue. */
static uint64_t bytes(const np_mover *mover, uint64_t packets)
{
    const ranked *r = (const ranked *)mover;
    uint64_t most = 0;
    for (unsigned i = 0; i < r->leveling->phases; i++) {
        const np_leveled *lv = r->leveling->phase[i].leveled;
        uint64_t each = packets * (64 + 3 * (uint64_t)lv->depth) + (uint64_t)lv->edges * 64 + (uint64_t)lv->nodes * 16;
        most = each > most ? each : most;
    }
    return most;
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
    for (np_packet i = 0; i < r->courses.packets; i++) {
        np_packet p = r->courses.packet[i];
        r->gone[p] = !delivered[i];
        r->value[p] = value[i];
    }
}

static np_status run(np_mover *mover, unsigned phase, np_draws draws, const np_traffic *traffic, np_phase_run *out,
                     const uint32_t **delay, size_t *delays)
{
    ranked *r = (ranked *)mover;
    draws.phase = (uint16_t)phase;
    np_selection selection = {.phase = phase, .draws = draws, .traffic = traffic, .combine = r->combine};
    np_merge_job job = {.leveled = r->leveling->phase[phase].leveled,
                        .courses = &r->courses,
                        .ranked = r->leveling->phase[phase].ranked,
                        .draws = draws,
                        .workers = r->base.workers};
    np_status st;
    if ((st = load_ranks(r, np_traffic_packets(traffic))) ||
        (r->combine && phase == 0 && (st = begin_combining(r, np_traffic_packets(traffic)))))
        return st;
    job.rank = r->rank;
    if ((st = r->leveling->ops->select(r->leveling, &selection, &r->courses)))
        return st;
    if (r->combine) {
        np_courses_drop(&r->courses, r->gone);
        job.value = r->value;
    }
    if ((st = np_merge_run(r->merge, &job, r->record, out)))
        return st;
    if (r->combine)
        keep_combined(r);
    *delay = np_merge_delays(r->merge);
    *delays = r->courses.packets;
    return NP_OK;
}

static const np_mover_ops ranked_ops = {
    .create = create,
    .free = free_ranked,
    .phases = phases,
    .name = name,
    .paths = paths,
    .queue = queue,
    .emulation = emulation,
    .fixed_ranks = fixed_ranks,
    .bytes = bytes,
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
        if ((st = run(&r->base, before, draws, traffic, &measured, &delay, &delays)))
            return st;
    r->record = &record;
    if (!(st = run(&r->base, phase, draws, traffic, &measured, &delay, &delays)))
        st = np_explain(options, r->leveling->phase[phase].leveled, &r->courses, &record, out);
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
    .info = {"ranked", "butterfly, butterfly-io, mesh, array, torus, ring, hypercube, shuffle-exchange, fat-tree, fat-tree-8", "leveled, by random ranks, queues of constant size",
             "Leighton, Maggs, Ranade & Rao 1994", true},
    .mover = &ranked_ops,
    .merges = true,
    .refuses = np_leveling_refuses,
};
