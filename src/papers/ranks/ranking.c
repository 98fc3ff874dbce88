/*
 * Off-line ranks for a routing of the scheme `ranked` (Leighton, Maggs, Ranade &
 * Rao 1994, section 11). This file
 *   - brings the instance together: the traffic and the paths of run 0;
 *   - has ranks found for it (offline_ranks.c) or read from a file (ranks_file.c);
 *   - routes the instance with these ranks, and checks that it takes no more steps than
 *     the longest chain of delays has.
 *
 * The paper speaks of one leveled network. A routing here has phases, one after the
 * other, and a packet has the same rank in each phase. What is promised is the sum of
 * the phases' steps. Phases that set ranks of their own are left out.
 */
#include "model/network/attributes.h"
#include "netpram/route.h"

#include <stdio.h>

#include "base/account.h"
#include "base/memory.h"
#include "base/log2.h"
#include "engine/merging/merge.h"
#include "papers/ranks/offline_ranks.h"
#include "papers/ranks/ranks_file.h"
#include "model/leveled/stage_one.h"
#include "model/traffic/traffic.h"

enum {
    PACKETS_MAX = 1 << 16
}; /* our choice: more would take hours on any network, and are refused before paths are chosen */

static const uint32_t RANGE_MAX = UINT32_C(1) << 30;

/* What is routed. */
typedef struct problem {
    const np_traffic *traffic;
    np_traffic *own; /* NULL: the caller's */
    const np_ranking_options *options;
    np_stage_one *stage;
    np_chosen chosen[NP_LEVELED_ROUTING_PHASES];
    np_merge_options merge; /* with R, the range of ranks */
    np_offline_job job;
} problem;

/* The object: what np_ranking points to is owned here. */
typedef struct made {
    np_ranking ranking; /* first: the caller's pointer points to it */
    np_instance instance;
    char *paths;
    uint32_t *rank;
    uint64_t links, demands; /* as in np_ranks_about */
    np_ranking_phase phase[NP_LEVELED_ROUTING_PHASES];
} made;

enum { ROUNDS_MAX = 1000 };

#define AT(member) offsetof(np_ranking_options, member)

static const np_field rows[] = {
    {"paths", NP_FIELD_TEXT, AT(paths),
     .help = "The path rule (default: the leveled network of the family; where there is none, greedy)",
     .placeholder = "NAME", .list = "paths", .group = "What is to be routed:"},
    {"queue_size", NP_FIELD_U32, AT(merge.queue_size), "packets", .help = "Packets that a queue holds besides a ghost",
     .low = 1, .high = NP_QUEUE_SIZE_MAX, .preset = "2", .placeholder = "Q"},
    {"room", NP_FIELD_WORD, AT(merge.room),
     .help = "A queue has room by what it held when the step began, or also once a packet leaves",
     .words = np_room_words},
    {"seed", NP_FIELD_SEED, AT(seed), .help = "Where random traffic and paths come from", .preset = "1",
     .placeholder = "N"},
    {"rank_range", NP_FIELD_U32, AT(merge.rank_range),
     .help = "Ranks are in 1..R (default: c + L + log2 N, rounded up, of the phase where that is most; of a file: the "
             "largest "
             "in it)",
     .low = 1, .high = NP_RANK_RANGE_MAX, .placeholder = "R", .group = "Its ranks:"},
    {"rounds", NP_FIELD_U32, AT(rounds), .help = "Try at most N times to do better than promised", .high = ROUNDS_MAX,
     .preset = "4", .placeholder = "N"},
    {"contrast", NP_FIELD_U32, AT(contrast), .help = "Runs with random ranks, to compare", .preset = "20",
     .placeholder = "N"},
    {"memory", NP_FIELD_BYTES, AT(memory_limit), "bytes",
     .help = "Refuse what needs more, as in 4G (default: what is available)", .placeholder = "BYTES"},
    {"input", NP_FIELD_TEXT, AT(file),
     .help = "Find none, but check those of FILE: exit status 1 if they break its promise", .placeholder = "FILE"},
};

static void begin(void *options)
{
    np_ranking_options *o = options;
    np_merge_options_init(&o->merge);
    o->merge.rank_range = 0;
}

const np_fields np_ranking_options_fields =
    NP_OPTIONS("ranking_options", "finding ranks", np_ranking_options, rows, begin);

static np_status check_packets(uint64_t packets)
{
    if (packets > PACKETS_MAX)
        return NP_RAISE(NP_ERROR_LIMIT, "off-line ranks for %llu packets: at most %d, take a smaller network",
                        (unsigned long long)packets, PACKETS_MAX);
    return NP_OK;
}

/* Traffic that is too large is refused before it is made, if its size is known before. */
static np_status make_traffic(const np_network *network, const char *spec, uint64_t seed, np_traffic **out)
{
    uint64_t packets;
    bool random;
    np_status st = np_traffic_estimate(spec, network, &packets, &random);
    if (!st)
        st = check_packets(packets);
    return st ? st : np_traffic_create(spec, network, seed, 0, out);
}

/* The paths of run 0, as np_route chooses them. */
static np_status choose_paths(problem *in)
{
    np_status st = NP_OK;
    for (unsigned k = 0; k < in->stage->phases && !st; k++) {
        np_selection selection = {
            .phase = k, .draws = {.seed = in->options->seed, .phase = (uint16_t)k}, .traffic = in->traffic};
        st = np_stage_one_choose(in->stage, &selection, &in->options->watch, &in->chosen[k]);
    }
    return st;
}

/* spec: of the traffic that is to be made; NULL: it is there. */
static np_status open_instance(const np_network *network, const char *spec, const np_ranking_options *options,
                               problem *in)
{
    np_status st = NP_OK;
    in->options = options;
    in->merge = options->merge;
    if (spec && !(st = make_traffic(network, spec, options->seed, &in->own)))
        in->traffic = in->own;
    if (st || (st = check_packets(np_traffic_packets(in->traffic))) ||
        (st = np_stage_one_create(network, options->paths, &in->stage)))
        return st;
    in->job.packets = np_traffic_packets(in->traffic);
    if ((st = choose_paths(in)))
        return st;
    in->job.options = &in->merge;
    in->job.rounds = options->rounds;
    in->job.watch = &options->watch;
    for (unsigned k = 0; k < in->stage->phases; k++)
        if (!in->chosen[k].ranked) {
            in->job.leveled[in->job.phases] = in->chosen[k].leveled;
            in->job.path_set[in->job.phases++] = &in->chosen[k].path_set;
        }
    return NP_OK;
}

static void close_instance(problem *in)
{
    for (unsigned k = 0; k < NP_LEVELED_ROUTING_PHASES; k++)
        np_chosen_clear(&in->chosen[k]);
    np_stage_one_free(in->stage);
    np_traffic_free(in->own);
}

/* R = c + L + log2 N, rounded up, of the phase where this is most. */
static np_status set_default_range(problem *in)
{
    uint32_t most = 1;
    for (unsigned i = 0; i < in->job.phases; i++) {
        const np_path_set *path_set = in->job.path_set[i];
        const np_leveled *leveled = in->job.leveled[i];
        uint32_t *count, congestion = 0;
        size_t room = (size_t)leveled->edges + path_set->packets; /* the packets over each edge, and where each ends */
        np_status st = np_memory_zeroed(&count, room, sizeof *count, "the packets over each link");
        if (!st)
            st = np_path_set_follow(path_set, leveled, count, count + leveled->edges, &congestion);
        np_memory_free(count);
        if (st)
            return st;
        uint32_t bound = congestion + leveled->depth + np_log2_up(path_set->packets);
        most = path_set->packets && bound > most ? bound : most;
    }
    in->merge.rank_range = most;
    return NP_OK;
}

/* ---- Routing it ---- */

/* Routes phase k. rank NULL: with the random ranks of run `run`. */
static np_status route_phase(const problem *in, unsigned k, np_merge *merge, const uint32_t *rank, uint32_t run,
                             np_phase_run *out)
{
    const np_chosen *chosen = &in->chosen[k];
    np_merge_job job = {.leveled = chosen->leveled,
                        .path_set = &chosen->path_set,
                        .ranked = chosen->ranked,
                        .rank = rank,
                        .draws = {.seed = in->options->seed, .run = run, .phase = (uint16_t)k}};
    return np_merge_run(merge, &job, NULL, out);
}

/* Routes every phase with the ranks and keeps what it took. */
static np_status measure(const problem *in, made *m)
{
    np_merge_options options = in->merge;
    np_merge *merge;
    options.ranks = NP_RANKS_FILE;
    np_status st = np_merge_create(&options, &merge);
    m->ranking.steps = 0;
    for (unsigned k = 0; k < in->stage->phases && !st; k++) {
        const bool own_ranks = in->chosen[k].ranked;
        np_phase_run run = {0};
        st = route_phase(in, k, merge, m->rank, 0, &run);
        m->phase[k] = (np_ranking_phase){.levels = run.levels,
                                         .congestion = run.congestion,
                                         .packets = run.packets,
                                         .steps = run.steps,
                                         .own_ranks = own_ranks};
        snprintf(m->phase[k].name, sizeof m->phase[k].name, "%s", np_stage_one_phase_name(in->stage, k));
        if (!own_ranks)
            m->ranking.steps += run.steps;
    }
    np_merge_free(merge);
    return st;
}

/* *steps = the steps of one run with random ranks. */
static np_status route_random(const problem *in, np_merge *merge, uint32_t run, double *steps)
{
    *steps = 0;
    for (unsigned k = 0; k < in->stage->phases; k++) {
        np_phase_run out;
        np_status st;
        if (in->chosen[k].ranked)
            continue;
        if ((st = route_phase(in, k, merge, NULL, run, &out)))
            return st;
        *steps += out.steps;
    }
    return NP_OK;
}

static np_status contrast(const problem *in, uint32_t runs, np_summary *out)
{
    np_merge_options options = in->merge;
    np_merge *merge = NULL;
    double *steps = NULL;
    np_status st;
    if (!runs)
        return NP_OK;
    options.ranks = NP_RANKS_RANDOM;
    options.rank_range = RANGE_MAX;
    if (!(st = np_merge_create(&options, &merge)))
        st = np_memory_array(&steps, runs, sizeof *steps, "runs with random ranks");
    for (uint32_t run = 0; run < runs && !st; run++)
        st = route_random(in, merge, run, &steps[run]);
    if (!st)
        st = np_summary_compute(runs, steps, out);
    np_memory_free(steps);
    np_merge_free(merge);
    return st;
}

/* ---- The object ---- */

static np_status create(const np_network *network, const problem *in, const char *file, made **out)
{
    made *m;
    np_status st;
    if ((st = np_memory_zeroed(&m, 1, sizeof *m, "ranks")))
        return st;
    *out = m;
    if ((st = np_instance_init(&m->instance, network, in->traffic, file)))
        return st;
    if (!(m->paths = np_memory_text(in->stage->name)))
        return np_status_last();
    m->ranking = (np_ranking){.network = m->instance.network,
                              .traffic = m->instance.traffic,
                              .file = m->instance.file,
                              .paths = m->paths,
                              .seed = in->options->seed,
                              .queue_size = in->merge.queue_size,
                              .freed = in->merge.room == NP_ROOM_FREED,
                              .packets = in->job.packets,
                              .phases = in->stage->phases,
                              .phase = m->phase};
    m->links = np_ranks_links(network);
    m->demands = np_ranks_demands(in->traffic);
    return NP_OK;
}

/* Routes the instance once ranks and bound are known, and compares. */
static np_status judge(const problem *in, const np_ranking_options *options, made *m)
{
    np_ranking *ranking = &m->ranking;
    np_status st;
    ranking->range = in->merge.rank_range;
    ranking->rank = m->rank;
    ranking->kept = !ranking->promised || ranking->bound <= ranking->promised;
    if ((st = measure(in, m)) || (st = contrast(in, options->contrast, &ranking->random)))
        return st;
    if (ranking->steps > ranking->bound)
        return NP_RAISE(NP_ERROR_INTERNAL, "off-line ranks: %u steps, but no chain of delays has more than %u",
                        ranking->steps, ranking->bound);
    return NP_OK;
}

static np_status find(problem *in, made *m)
{
    np_offline_ranks found;
    np_status st;
    if (!in->merge.rank_range && (st = set_default_range(in)))
        return st;
    if ((st = np_offline_ranks_find(&in->job, &found)))
        return st;
    m->rank = found.rank;
    found.rank = NULL; /* m owns it now */
    m->ranking.promised = found.promised;
    m->ranking.bound = found.steps;
    m->ranking.rounds = found.rounds;
    m->ranking.estimate_first = found.estimate[0];
    m->ranking.estimate_last = found.estimate[found.estimates - 1];
    np_offline_ranks_clear(&found);
    return NP_OK;
}

static np_ranks_about about_of(const made *m)
{
    const np_ranking *r = &m->ranking;
    return (np_ranks_about){r->network, r->traffic,    r->paths, r->seed, m->links,
                            m->demands, r->queue_size, r->range, r->bound};
}

static np_status load(problem *in, made *m)
{
    uint32_t range = in->merge.rank_range ? in->merge.rank_range : RANGE_MAX, most = 1;
    np_status st;
    const np_ranks_about about = about_of(m);
    if ((st = np_ranks_read(m->instance.file, &about, in->job.packets, range, &m->rank)) ||
        (st = np_ranks_read_claim(m->instance.file, &m->ranking.promised)))
        return st;
    for (np_packet p = 0; p < in->job.packets; p++)
        most = m->rank[p] > most ? m->rank[p] : most;
    if (!in->merge.rank_range)
        in->merge.rank_range = most;
    return np_offline_ranks_bound(&in->job, m->rank, &m->ranking.bound);
}

/* By a spec of traffic, or else by the traffic. */
static np_status find_for(const np_network *network, const char *spec, const np_traffic *traffic,
                          const np_ranking_options *given, np_ranking **out)
{
    np_ranking_options options;
    problem in = {.traffic = traffic};
    made *m = NULL;
    np_status st;
    *out = NULL;
    if ((st = np_options_take(&np_ranking_options_fields, given, &options)) ||
        (st = np_attributes_heeded(network, "ranks", NP_HEEDS_COSTS)) ||
        (traffic && (st = np_traffic_check(traffic, network))))
        return st;
    NP_ACCOUNT(options.memory_limit, "a smaller network, fewer packets or a smaller range");
    if (!(st = open_instance(network, spec, &options, &in)) && !(st = create(network, &in, options.file, &m)) &&
        !(st = options.file ? load(&in, m) : find(&in, m)) && !(st = judge(&in, &options, m)))
        *out = &m->ranking;
    else if (m)
        np_ranking_free(&m->ranking);
    close_instance(&in);
    return st;
}

np_status np_ranking_find(const np_network *network, const char *traffic, const np_ranking_options *options,
                          np_ranking **out)
{
    return find_for(network, traffic, NULL, options, out);
}

np_status np_ranking_find_traffic(const np_network *network, const np_traffic *traffic,
                                  const np_ranking_options *options, np_ranking **out)
{
    return find_for(network, NULL, traffic, options, out);
}

np_status np_ranking_save(const np_ranking *ranking, const char *path)
{
    const np_ranks_about about = about_of((const made *)ranking);
    np_output *output;
    np_status st = np_output_open(path, &output);
    if (st)
        return st;
    np_ranks_write(&about, ranking->rank, ranking->packets, np_output_stream(output));
    return np_output_commit(output);
}

void np_ranking_free(np_ranking *ranking)
{
    made *m = (made *)ranking;
    if (!m)
        return;
    np_instance_clear(&m->instance);
    NP_MEMORY_FREE(m->paths, m->rank, m);
}
