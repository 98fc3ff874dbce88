/*
 * From options to a plan.
 *
 * Threads serve either many runs (each run on one thread, with its own runner)
 * or one run (which divides its work). Runs are independent, so the first way
 * is better whenever there are enough runs and their runners stay small. A caller
 * who watches every step gets the second way, with the runs in order.
 */
#include "model/network/attributes.h"
#include "run/route/plan.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/account.h"
#include "base/memory.h"
#include "base/threads.h"
#include "model/leveled/fat_tree.h"
#include "model/family/fat_tree.h"
#include "run/route/queueing.h"
#include "run/route/ranks.h"
#include "model/traffic/traffic.h"
#include "verdict/throughput/steps.h"

#define SMALL_RUNNER (UINT64_C(256) << 20)   /* ours: bytes of a runner that every thread may have one of */
#define BYTES_A_PACKET_OF_TRAFFIC 12         /* source, destination, priority */
#define BYTES_A_WORKER (UINT64_C(128) << 10) /* ours: its objects, names, and delays of few packets */

enum {
    PERMUTATIONS_MAX = 1 << 20,
    PACKETS_A_THREAD = 4096 /* ours: routing so many takes longer than starting a thread */
};

const char *const np_via_words[] = {"terminals", "nodes", "hosts", "switches", NULL};

#define AT(member) offsetof(np_route_options, member)

static const np_field rows[] = {
    {"scheme", NP_FIELD_TEXT, AT(scheme), .help = "The scheme (default: the first made for the network)",
     .placeholder = "NAME", .list = "schemes", .group = "What to route and how:"},
    {"paths", NP_FIELD_TEXT, AT(paths),
     .help = "The path rule (default: the scheme's own); alone it means --scheme greedy", .placeholder = "NAME",
     .list = "paths"},
    {"via", NP_FIELD_WORD, AT(via),
     .help = "By way of random terminals (hosts, if they are told), nodes, hosts or switches", .words = np_via_words,
     .placeholder = "WHICH"},
    {"queue", NP_FIELD_TEXT, AT(queue), .help = "The queue discipline (default: the scheme's own)",
     .placeholder = "NAME", .list = "queues"},
    {"fail", NP_FIELD_TEXT, AT(fail),
     .help = "Links that are down: a share of them, drawn from the seed, or file:PATH of lines 'from to'",
     .placeholder = "LINKS"},
    {"permutations", NP_FIELD_U32, AT(permutations), .help = "Permutations at a time, on omega networks (default: 1)",
     .low = 1, .high = PERMUTATIONS_MAX, .placeholder = "X"},
    {"overlap", NP_FIELD_BOOL, AT(overlap), .help = "A packet starts the next phase when it finishes this one"},
    {"phase_time", NP_FIELD_TEXT, AT(phase_time),
     .help = "A phase has this time: steps, as in 24; 3logN; on grids n+2n^3/4. Packets that are late go on when they "
             "can (--overlap), or all go by --fallback",
     .placeholder = "TIME"},
    {"fallback", NP_FIELD_TEXT, AT(fallback),
     .help =
         "With --phase-time: the path rule for all packets once a phase has not ended in its time (default: greedy)",
     .placeholder = "NAME", .list = "paths"},
    {"runs", NP_FIELD_U32, AT(runs), .help = "Repeat with fresh random choices", .low = 1, .preset = "1",
     .placeholder = "N"},
    {"seed", NP_FIELD_SEED, AT(seed), .help = "Where all random choices come from", .preset = "1", .placeholder = "N"},
    {"same_traffic", NP_FIELD_BOOL, AT(same_traffic), .help = "Draw random traffic once, not for each run"},
    {"certify", NP_FIELD_BOOL, AT(certify),
     .help = "Say what no schedule whatever can beat: a bound of the steps by the best routing in fractions"},
    {"threads", NP_FIELD_U32, AT(threads),
     .help = "Threads; changes no result (default: 0, one a processor; one alone for less than 4096 packets)",
     .high = NP_THREADS_MAX, .placeholder = "N", .group = "How to run:"},
    {"memory", NP_FIELD_BYTES, AT(memory_limit), "bytes",
     .help = "Refuse what needs more, as in 4G (default: what is available)", .placeholder = "BYTES"},
    {NULL, NP_FIELD_INSET, AT(merge), .fields = &np_merge_options_fields},
};

const np_fields np_route_options_fields = NP_OPTIONS("route_options", "routing", np_route_options, rows, NULL);

const char *np_route_scheme(const np_route_options *options, const np_network *network)
{
    if (options && options->scheme)
        return options->scheme;
    return options && options->paths ? "greedy" : np_scheme_default(network);
}

static np_status check_runs(const np_route_options *options)
{
    if (options->first_run > UINT32_MAX - options->runs)
        return NP_RAISE(NP_ERROR_INPUT, "%u runs from run %u on: run numbers end at %u", options->runs,
                        options->first_run, UINT32_MAX);
    return NP_OK;
}

/* Takes links of the network down, if the options say so. */
static np_status fail_links(np_route_plan *plan)
{
    np_status st;
    if (!plan->options.fail)
        return NP_OK;
    if ((st = np_network_fail(plan->network, plan->options.fail, plan->options.seed, &plan->own_network)))
        return st;
    plan->network = plan->own_network;
    return NP_OK;
}

/* Where the bound of steps would be none. */
static np_status check_certify(const np_route_plan *plan)
{
    const np_route_options *options = &plan->options;
    if (!options->certify)
        return NP_OK;
    if (options->merge.combine != NP_COMBINE_NONE)
        return NP_RAISE(NP_ERROR_INPUT,
                        "certify: packets that combine cross a link together, so the bound is none: leave "
                        "out certify or combine");
    if (plan->scheme->runner && plan->scheme->runner->circuits)
        return NP_RAISE(NP_ERROR_APPLY,
                        "certify: a packet of scheme '%s' crosses all links of its way in one step, so the "
                        "bound is none",
                        plan->scheme->info.name);
    if (options->job)
        return NP_RAISE(NP_ERROR_APPLY, "certify is not divided over ranks: leave it out, or take one process");
    return NP_OK;
}

static np_status bind(np_route_plan *plan)
{
    const np_route_options *options = &plan->options;
    const char *name = np_route_scheme(options, plan->network);
    char who[64];
    const np_scheme *scheme;
    np_status st;
    if ((st = np_scheme_find(name, &scheme)) || (st = np_scheme_applies(name, plan->network)) ||
        (st = np_scheme_check_options(scheme, plan->network, options)))
        return st;
    plan->scheme = scheme;
    if ((st = check_certify(plan)))
        return st;
    plan->runner = scheme->queueing ? &np_queueing_runner : scheme->runner;
    plan->parameters = scheme->queueing ? scheme->queueing : scheme->parameters;
    if (!plan->runner->delays) {
        snprintf(who, sizeof who, "scheme '%.40s'", scheme->info.name);
        if ((st = np_attributes_heeded(plan->network, who, NP_HEEDS_COSTS)))
            return st;
    }
    if ((st = plan->runner->bind(plan)))
        return st;
    return options->job ? np_route_check_ranks(plan) : NP_OK;
}

unsigned np_route_plan_workers(const np_route_plan *plan) { return plan->parallel_runs ? 1 : plan->threads; }

unsigned np_route_plan_certifiers(const np_route_plan *plan)
{
    return plan->draws_traffic ? np_route_plan_workers(plan) : plan->threads;
}

unsigned np_route_plan_runners(const np_route_plan *plan) { return plan->parallel_runs ? plan->threads : 1; }

void np_route_plan_phase(const np_route_plan *plan, unsigned phase, np_phase_result *out)
{
    memcpy(out->name, "route", sizeof "route");
    if (plan->runner->phase)
        plan->runner->phase(plan, phase, out);
}

np_status np_route_plan_say(np_route_plan *plan, const char *paths, const char *queue)
{
    plan->phases = 1;
    plan->paths = paths;
    np_route_plan_say_queue(plan, "%s", queue);
    return NP_OK;
}

void np_route_plan_say_queue(np_route_plan *plan, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(plan->queue, sizeof plan->queue, format, arguments);
    va_end(arguments);
}

np_status np_runner_create(const np_route_plan *plan, np_runner **out)
{
    np_status st = np_memory_zeroed(out, plan->runner->size, 1, "a runner");
    if (st)
        return st;
    (*out)->plan = plan;
    if (plan->runner->init && (st = plan->runner->init(*out))) {
        np_runner_free(*out);
        *out = NULL;
    }
    return st;
}

void np_runner_free(np_runner *runner)
{
    if (!runner)
        return;
    if (runner->plan->runner->clear)
        runner->plan->runner->clear(runner);
    NP_MEMORY_FREE(runner->block, runner);
}

uint64_t np_route_plan_own_packets(const np_route_plan *plan)
{
    const np_job *job = plan->options.job;
    return job ? np_share_of(job, (uint32_t)plan->packets).each.divisor : plan->packets;
}

/*
 * Of the histograms of delays: of each phase, and of a run beside those of the runs before it. Where packets wait for
 * time to pass, few wait long (BYTES_A_WORKER).
 */
static uint64_t delays_bytes(const np_route_plan *plan)
{
    const uint64_t histograms = (plan->options.overlap ? 1 : plan->phases) + (plan->options.runs > 1);
    const uint64_t longest = plan->runner->longest_delay ? plan->runner->longest_delay(plan) : plan->packets;
    return histograms * longest * sizeof(uint64_t);
}

/* Bytes at the peak, without those of the network itself. */
static uint64_t route_plan_bytes(const np_route_plan *plan)
{
    uint64_t each = plan->runner->bytes(plan), traffic = np_route_plan_own_packets(plan) * BYTES_A_PACKET_OF_TRAFFIC;
    uint64_t copies = np_route_plan_runners(plan);
    uint64_t results = (uint64_t)plan->options.runs * plan->phases * sizeof(np_phase_run);
    uint64_t bytes =
        copies * (each + BYTES_A_WORKER + delays_bytes(plan)) + (plan->draws_traffic ? copies : 1) * traffic;
    if (np_fat_tree_is(plan->network))
        bytes += np_fat_tree_load_bytes(plan->network, (np_packet)plan->packets);
    if (plan->options.certify)
        bytes += (plan->draws_traffic ? copies : 1) *
                 np_steps_bound_bytes(plan->network, plan->packets, np_route_plan_certifiers(plan));
    return bytes + results + plan->shared_bytes;
}

/* Each thread has enough to do, unless a number of threads is asked for. */
static np_status choose_threads(np_route_plan *plan)
{
    const np_route_options *options = &plan->options;
    uint64_t worth = 1 + np_route_plan_own_packets(plan) * options->runs / PACKETS_A_THREAD, share;
    if (options->job && worth > (share = np_threads_share(options->job->neighbours)))
        worth = share;
    return np_threads_choose(options->observer ? 1 : options->threads, worth, &plan->threads);
}

static np_status check_memory(const np_route_plan *plan)
{
    uint64_t packets = plan->packets;
    char runs[32] = "";
    if (plan->options.memory_limit == UINT64_MAX) /* who asks compares */
        return NP_OK;
    if (plan->options.permutations && packets == np_network_terminals(plan->network))
        packets *= plan->options.permutations;
    if (plan->options.runs > 1)
        snprintf(runs, sizeof runs, " in %u runs", plan->options.runs);
    return np_account_allow(route_plan_bytes(plan), "a smaller network or fewer runs", "%llu packets on %s%s",
                            (unsigned long long)packets, np_network_spec(plan->network), runs);
}

static void divide_work(np_route_plan *plan)
{
    const np_route_options *options = &plan->options;
    plan->parallel_runs = options->runs >= plan->threads && !options->on_step && !options->job;
    if (plan->parallel_runs)
        plan->parallel_runs = plan->runner->bytes(plan) <= SMALL_RUNNER && np_account_has_room(route_plan_bytes(plan));
}

/* Called when the number of packets, or an upper limit of it, is known. */
static np_status size_up(np_route_plan *plan, uint64_t packets)
{
    np_status st;
    plan->packets = packets;
    if ((st = choose_threads(plan)))
        return st;
    divide_work(plan);
    return check_memory(plan);
}

np_status np_route_plan_init(np_route_plan *plan, const np_network *network, const char *spec,
                             const np_traffic *traffic, const np_route_options *options)
{
    uint64_t packets = traffic ? np_traffic_packets(traffic) : 0;
    bool random = false;
    np_status st;
    *plan = (np_route_plan){.network = network, .spec = traffic ? np_traffic_spec(traffic) : spec, .traffic = traffic};
    if ((st = np_options_take(&np_route_options_fields, options, &plan->options)) ||
        (st = check_runs(&plan->options)) || (traffic && (st = np_traffic_check(traffic, network))) ||
        (st = fail_links(plan)) || (st = bind(plan)) ||
        (!traffic && spec && (st = np_traffic_estimate(spec, plan->network, &packets, &random))))
        return st;
    plan->draws_traffic = random && !plan->options.same_traffic;
    return size_up(plan, packets);
}

np_status np_route_plan_draw_traffic(const np_route_plan *plan, uint32_t run, np_traffic **out)
{
    return np_traffic_create_part(plan->spec, plan->network, plan->options.seed, plan->draws_traffic ? run : 0,
                                  plan->options.job, out);
}

np_status np_route_plan_make_traffic(np_route_plan *plan)
{
    np_status st;
    if (plan->traffic || plan->draws_traffic)
        return NP_OK;
    if ((st = np_route_plan_draw_traffic(plan, 0, &plan->own)))
        return st;
    plan->traffic = plan->own;
    return size_up(plan, np_traffic_packets(plan->own)); /* packets of a file are counted only now */
}

void np_route_plan_clear(np_route_plan *plan)
{
    if (plan->runner && plan->runner->unbind)
        plan->runner->unbind(plan);
    np_traffic_free(plan->own);
    np_network_free(plan->own_network);
    *plan = (np_route_plan){.network = NULL};
}

np_status np_route_memory(const np_network *network, const char *traffic, const np_route_options *options,
                          uint64_t *bytes)
{
    np_route_plan plan;
    np_status st = np_route_plan_init(&plan, network, traffic, NULL, options);
    if (!st)
        *bytes = route_plan_bytes(&plan);
    np_route_plan_clear(&plan);
    return st;
}
