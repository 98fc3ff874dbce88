/*
 * From options to a plan.
 *
 * Threads serve either many runs (each run on one thread, its own engine) or
 * one run (its nodes divided). Runs are independent, so the first is the
 * better one whenever there are enough runs and their engines stay small; a
 * caller who watches every step gets the second, with the runs in order.
 */
#include "route/plan.h"

#include <omp.h>

#include "base/memory.h"

#define SMALL_ENGINE (UINT64_C(256) << 20) /* ours: bytes of an engine that may exist once a thread */
#define BYTES_A_PACKET_OF_TRAFFIC 12       /* source, destination, priority */

enum { PERMUTATIONS_MAX = 1 << 20 };

#define AT(member) offsetof(np_route_options, member)

static const np_field rows[] = {
    {"scheme", NP_FIELD_TEXT, AT(scheme), .help = "The scheme (default: the first made for the network)",
     .placeholder = "NAME", .list = "schemes", .group = "What to route and how:"},
    {"paths", NP_FIELD_TEXT, AT(paths),
     .help = "The path rule (default: the scheme's own); alone it means --scheme greedy", .placeholder = "NAME",
     .list = "paths"},
    {"queue", NP_FIELD_TEXT, AT(queue), .help = "The queue discipline (default: the scheme's own)",
     .placeholder = "NAME", .list = "queues"},
    {"permutations", NP_FIELD_U32, AT(permutations), .help = "Permutations at a time, on omega networks (default: 1)",
     .low = 1, .high = PERMUTATIONS_MAX, .placeholder = "X"},
    {"overlap", NP_FIELD_BOOL, AT(overlap), .help = "A packet starts the next phase when it finishes this one"},
    {"runs", NP_FIELD_U32, AT(runs), .help = "Repeat with fresh random choices", .low = 1, .preset = "1",
     .placeholder = "N"},
    {"seed", NP_FIELD_U64, AT(seed), .help = "Where all random choices come from", .high = INT64_MAX, .preset = "1",
     .placeholder = "N"},
    {"same_traffic", NP_FIELD_BOOL, AT(same_traffic), .help = "Draw random traffic once, not for each run"},
    {"threads", NP_FIELD_U32, AT(threads), .help = "Threads; changes no result (default: 0, one a processor)",
     .high = NP_THREADS_MAX, .placeholder = "N", .group = "How to run:"},
    {"memory", NP_FIELD_BYTES, AT(memory_limit), "bytes",
     .help = "Refuse what needs more, as in 4G (default: what is available)", .placeholder = "BYTES"},
    {NULL, NP_FIELD_INSET, AT(merge), .fields = &np_merge_options_fields},
};

const np_fields np_route_options_fields = {"route_options", "routing", sizeof(np_route_options),
                                           sizeof rows / sizeof *rows, rows};

void np_route_options_init(np_route_options *options) { np_fields_init(&np_route_options_fields, options); }

/* What the queueing engine does and movers do not. */
static np_status check_mover(const np_route_plan *plan, const np_route_options *options)
{
    const char *scheme = plan->scheme->info.name;
    if (options->overlap)
        return NP_RAISE(NP_ERROR_INPUT, "the phases of scheme '%s' do not overlap", scheme);
    if (options->on_step || options->on_hops || options->hash)
        return NP_RAISE(NP_ERROR_INPUT, "scheme '%s' has no step-by-step trace: try 'greedy'", scheme);
    if (options->paths)
        return NP_RAISE(NP_ERROR_INPUT, "scheme '%s' has paths of its own, not '%s'", scheme, options->paths);
    return NP_OK;
}

static np_status resolve_names(np_route_plan *plan, const np_network *network, const np_route_options *options)
{
    const char *scheme = options->scheme ? options->scheme : options->paths ? "greedy" : np_scheme_default(network);
    np_status st;
    if ((st = np_scheme_find(scheme, &plan->scheme)) || (st = np_scheme_applies(scheme, network)))
        return st;
    if (options->permutations && !plan->scheme->permutations)
        return NP_RAISE(
            NP_ERROR_INPUT,
            "%u permutations at a time are for the schemes of omega networks, not for '%s': try h-relation:%u",
            options->permutations, scheme, options->permutations);
    if (plan->scheme->mover) {
        if ((st = check_mover(plan, options)))
            return st;
        return plan->scheme->mover->create(network, options, NULL, &plan->mover);
    }
    if (options->paths && plan->scheme->paths)
        return NP_RAISE(NP_ERROR_INPUT, "scheme '%s' has paths of its own (%s), not '%s': try --scheme valiant", scheme,
                        plan->scheme->paths, options->paths);
    const char *paths = plan->scheme->paths ? plan->scheme->paths : options->paths ? options->paths : "greedy";
    if ((st = np_discipline_find(options->queue ? options->queue : plan->scheme->queue, &plan->discipline)))
        return st;
    return np_path_create(paths, network, &plan->path);
}

np_engine_options np_route_plan_engine(const np_route_plan *plan)
{
    return (np_engine_options){
        .network = plan->network,
        .discipline = plan->discipline,
        .packets = plan->packets,
        .workers = plan->parallel_runs ? 1 : plan->threads,
        .overlap = plan->options.overlap,
        .path = plan->path,
        .watched = plan->options.on_step || plan->options.on_hops || plan->options.hash,
    };
}

unsigned np_route_plan_phases(const np_route_plan *plan)
{
    return plan->mover ? plan->mover->ops->phases(plan->mover) : plan->scheme->phases(plan->network);
}

void np_route_plan_name(const np_route_plan *plan, unsigned phase, char name[8])
{
    if (plan->mover)
        plan->mover->ops->name(plan->mover, phase, name);
    else
        plan->scheme->name(plan->network, phase, name);
}

/* Of one worker's engine or mover. */
static uint64_t engine_bytes(const np_route_plan *plan)
{
    np_engine_options engine = np_route_plan_engine(plan);
    return plan->mover ? plan->mover->ops->bytes(plan->mover, plan->packets) : np_engine_bytes(&engine);
}

uint64_t np_route_plan_bytes(const np_route_plan *plan)
{
    uint64_t each = engine_bytes(plan), traffic = plan->packets * BYTES_A_PACKET_OF_TRAFFIC;
    uint64_t copies = plan->parallel_runs ? plan->threads : 1;
    uint64_t bytes = copies * each + (plan->draws_traffic ? copies : 1) * traffic;
    uint64_t results = (uint64_t)plan->options.runs * np_route_plan_phases(plan) * sizeof(np_phase_run);
    return bytes + results + (plan->path ? plan->path->table_bytes : 0);
}

static void divide_work(np_route_plan *plan)
{
    const np_route_options *options = &plan->options;
    plan->threads = options->on_hops ? 1 : options->threads ? options->threads : (unsigned)omp_get_num_procs();
    if (options->runs < plan->threads || options->on_step)
        return;
    plan->parallel_runs = true;
    uint64_t limit = options->memory_limit;
    if (engine_bytes(plan) > SMALL_ENGINE || (limit && np_route_plan_bytes(plan) > limit))
        plan->parallel_runs = false;
}

static np_status check_memory(const np_route_plan *plan)
{
    uint64_t bytes = np_route_plan_bytes(plan), limit = plan->options.memory_limit, packets = plan->packets;
    if (plan->options.permutations && packets == np_network_terminals(plan->network))
        packets *= plan->options.permutations;
    if (limit && bytes > limit)
        return NP_RAISE(NP_ERROR_LIMIT,
                        "%llu packets on %s need %.2f GB of memory (runs: %u), %.2f GB are allowed: take a smaller "
                        "network or fewer runs",
                        (unsigned long long)packets, np_network_spec(plan->network), (double)bytes / 1e9,
                        plan->options.runs, (double)limit / 1e9);
    return NP_OK;
}

np_status np_route_plan_init(np_route_plan *plan, const np_network *network, const char *spec, const np_traffic *made,
                             const np_route_options *options)
{
    np_status st;
    bool random = false;
    *plan = (np_route_plan){.network = network, .traffic = spec, .made = made, .options = *options};
    if (!options->runs)
        return NP_RAISE(NP_ERROR_INPUT, "0 runs: at least 1 is needed");
    if (options->threads > NP_THREADS_MAX)
        return NP_RAISE(NP_ERROR_INPUT, "%u threads: at most %d", options->threads, NP_THREADS_MAX);
    if ((st = resolve_names(plan, network, options)))
        return st;
    if (made)
        plan->packets = np_traffic_packets(made);
    else if ((st = np_traffic_estimate(spec, network, &plan->packets, &random)))
        return st;
    plan->draws_traffic = random && !options->same_traffic;
    divide_work(plan);
    return check_memory(plan);
}

void np_route_plan_clear(np_route_plan *plan)
{
    np_path_free(plan->path);
    if (plan->mover)
        plan->mover->ops->free(plan->mover);
    plan->path = NULL;
    plan->mover = NULL;
}

np_status np_route_memory(const np_network *network, const char *traffic, const np_route_options *options,
                          uint64_t *bytes)
{
    np_route_plan plan;
    np_route_options unlimited = *options;
    unlimited.memory_limit = 0;
    np_status st = np_route_plan_init(&plan, network, traffic, NULL, &unlimited);
    if (!st)
        *bytes = np_route_plan_bytes(&plan);
    np_route_plan_clear(&plan);
    return st;
}
