/* See result.h. */
#include "route/result.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

static np_status reserve(np_delay_counts *counts, size_t used)
{
    np_status st;
    if (used > counts->room) {
        size_t room = used * 2 > 64 ? used * 2 : 64;
        if ((st = np_memory_grow(&counts->count, counts->used, room, sizeof *counts->count, "the delay histogram")))
            return st;
        counts->room = room;
    }
    if (used > counts->used) {
        memset(counts->count + counts->used, 0, (used - counts->used) * sizeof *counts->count);
        counts->used = used;
    }
    return NP_OK;
}

np_status np_delay_counts_add(np_delay_counts *counts, np_packet packets, const uint32_t *delay)
{
    uint32_t most = 0;
    np_status st;
    for (np_packet p = 0; p < packets; p++)
        most = delay[p] > most ? delay[p] : most;
    if (packets && (st = reserve(counts, (size_t)most + 1)))
        return st;
    for (np_packet p = 0; p < packets; p++)
        counts->count[delay[p]]++;
    return NP_OK;
}

np_status np_delay_counts_merge(np_delay_counts *counts, const np_delay_counts *other)
{
    np_status st;
    if ((st = reserve(counts, other->used)))
        return st;
    for (size_t d = 0; d < other->used; d++)
        counts->count[d] += other->count[d];
    return NP_OK;
}

void np_delay_counts_clear(np_delay_counts *counts)
{
    np_memory_free(counts->count);
    *counts = (np_delay_counts){0};
}

static np_status create_parts(const np_route_plan *plan, np_route_outcome *outcome)
{
    np_route_result *result = &outcome->result;
    size_t phases = result->phases;
    np_status st;
    if ((st = np_memory_zeroed(&outcome->phase, phases, sizeof *outcome->phase, "the phases")) ||
        (st = np_memory_zeroed(&outcome->delays, phases, sizeof *outcome->delays, "the delay histograms")) ||
        (st = np_memory_zeroed(&outcome->run, phases * result->runs, sizeof *outcome->run, "the runs")))
        return st;
    outcome->network = np_memory_text(np_network_spec(plan->network));
    outcome->traffic = np_memory_text(plan->made ? np_traffic_spec(plan->made) : plan->traffic);
    outcome->queue = np_memory_text(plan->mover ? plan->mover->ops->queue(plan->mover) : plan->discipline->info.name);
    if (!outcome->network || !outcome->traffic || !outcome->queue)
        return NP_ERROR_MEMORY;
    if (result->merge.rank_file && !(outcome->rank_file = np_memory_text(result->merge.rank_file)))
        return NP_ERROR_MEMORY;
    result->merge.rank_file = outcome->rank_file;
    result->queue = outcome->queue;
    result->network = outcome->network;
    result->traffic = outcome->traffic;
    result->phase = outcome->phase;
    for (size_t i = 0; i < phases; i++) {
        outcome->phase[i].run = outcome->run + i * result->runs;
        if (plan->options.overlap && np_route_plan_phases(plan) > 1)
            memcpy(outcome->phase[i].name, "route", sizeof "route");
        else
            np_route_plan_name(plan, (unsigned)i, outcome->phase[i].name);
        if (plan->mover && plan->mover->ops->emulation) {
            outcome->phase[i].leveled = true;
            plan->mover->ops->emulation(plan->mover, (unsigned)i, &outcome->phase[i].emulation);
            if (plan->mover->ops->fixed_ranks)
                outcome->phase[i].fixed_ranks = plan->mover->ops->fixed_ranks(plan->mover, (unsigned)i);
        }
    }
    return NP_OK;
}

np_status np_route_outcome_create(const np_route_plan *plan, np_route_outcome **out)
{
    np_route_outcome *outcome;
    np_status st;
    *out = NULL;
    if ((st = np_memory_zeroed(&outcome, 1, sizeof *outcome, "a result")))
        return st;
    outcome->result = (np_route_result){
        .scheme = plan->scheme->info.name,
        .paths = plan->mover ? plan->mover->ops->paths(plan->mover) : np_path_name(plan->path),
        .nodes = np_network_nodes(plan->network),
        .links = np_network_links(plan->network),
        .seed = plan->options.seed,
        .runs = plan->options.runs,
        .threads = plan->threads,
        .overlap = plan->options.overlap,
        .same_traffic = plan->options.same_traffic,
        .merge = plan->options.merge,
        .phases = plan->options.overlap ? 1 : np_route_plan_phases(plan),
    };
    if ((st = create_parts(plan, outcome))) {
        np_route_result_free(&outcome->result);
        return st;
    }
    *out = outcome;
    return NP_OK;
}

void np_route_result_free(np_route_result *result)
{
    np_route_outcome *outcome = (np_route_outcome *)result;
    if (!outcome)
        return;
    for (size_t i = 0; outcome->delays && i < outcome->result.phases; i++)
        np_delay_counts_clear(&outcome->delays[i]);
    np_memory_free(outcome->delays);
    np_memory_free(outcome->phase);
    np_memory_free(outcome->run);
    np_memory_free(outcome->network);
    np_memory_free(outcome->traffic);
    np_memory_free(outcome->queue);
    np_memory_free(outcome->rank_file);
    np_memory_free(outcome);
}

static double steps_of(const np_phase_run *run, uint64_t links) { return (void)links, run->steps; }
static double delay_max_of(const np_phase_run *run, uint64_t links) { return (void)links, run->delay_max; }
static double delay_mean_of(const np_phase_run *run, uint64_t links)
{
    (void)links;
    return run->packets ? (double)run->delay_sum / run->packets : 0;
}
static double queue_of(const np_phase_run *run, uint64_t links) { return (void)links, run->queue_max; }
static double population_of(const np_phase_run *run, uint64_t links) { return (void)links, run->population_max; }
static double congestion_of(const np_phase_run *run, uint64_t links) { return (void)links, run->congestion; }
static double hops_of(const np_phase_run *run, uint64_t links) { return (void)links, (double)run->hops; }
static double traffic_of(const np_phase_run *run, uint64_t links)
{
    return links ? (double)run->hops / (double)links : 0;
}

static double levels_of(const np_phase_run *run, uint64_t links) { return (void)links, run->levels; }
static double destinations_of(const np_phase_run *run, uint64_t links)
{
    return (void)links, run->congestion_destinations;
}
static double ghosts_of(const np_phase_run *run, uint64_t links) { return (void)links, (double)run->ghosts; }
static double tokens_of(const np_phase_run *run, uint64_t links) { return (void)links, (double)run->tokens; }
static double combined_of(const np_phase_run *run, uint64_t links) { return (void)links, (double)run->combined; }
static double queue_real_of(const np_phase_run *run, uint64_t links) { return (void)links, run->queue_real_max; }
double np_phase_run_bound(const np_phase_run *run)
{
    return run->packets && run->levels ? (double)run->congestion_destinations + run->levels + log2(run->packets) : 0;
}

/* What Theorem 2.9 says is bounded. 0 for a phase without packets. */
static double ratio_of(const np_phase_run *run, uint64_t links)
{
    double bound = np_phase_run_bound(run);
    return (void)links, bound > 0 ? run->steps / bound : 0;
}

/* The measures: what each is of a run, and where its summary goes. */
static const struct measure {
    double (*of)(const np_phase_run *run, uint64_t links);
    size_t at;
} measures[] = {
    {steps_of, offsetof(np_phase_result, steps)},
    {delay_max_of, offsetof(np_phase_result, delay_max)},
    {delay_mean_of, offsetof(np_phase_result, delay_mean)},
    {queue_of, offsetof(np_phase_result, queue_max)},
    {population_of, offsetof(np_phase_result, population_max)},
    {congestion_of, offsetof(np_phase_result, congestion)},
    {hops_of, offsetof(np_phase_result, hops)},
    {traffic_of, offsetof(np_phase_result, traffic_mean)},
    {levels_of, offsetof(np_phase_result, levels)},
    {destinations_of, offsetof(np_phase_result, congestion_destinations)},
    {ghosts_of, offsetof(np_phase_result, ghosts)},
    {tokens_of, offsetof(np_phase_result, tokens)},
    {combined_of, offsetof(np_phase_result, combined)},
    {queue_real_of, offsetof(np_phase_result, queue_real_max)},
    {ratio_of, offsetof(np_phase_result, ratio)},
};

static np_status summarise_phase(np_phase_result *phase, uint32_t runs, uint64_t links, double *value)
{
    for (size_t m = 0; m < sizeof measures / sizeof *measures; m++) {
        np_status st;
        for (uint32_t r = 0; r < runs; r++)
            value[r] = measures[m].of(&phase->run[r], links);
        if ((st = np_summary_of(runs, value, (np_summary *)((char *)phase + measures[m].at))))
            return st;
    }
    return NP_OK;
}

np_status np_route_outcome_summarise(np_route_outcome *outcome)
{
    np_route_result *result = &outcome->result;
    double *value;
    np_status st;
    if ((st = np_memory_zeroed(&value, result->runs, sizeof *value, "the runs' values")))
        return st;
    for (size_t i = 0; i < result->phases && !st; i++) {
        outcome->phase[i].delays = outcome->delays[i].used;
        outcome->phase[i].delay_histogram = outcome->delays[i].count;
        st = summarise_phase(&outcome->phase[i], result->runs, result->links, value);
    }
    if (!st) {
        for (uint32_t r = 0; r < result->runs; r++) {
            value[r] = 0;
            for (size_t i = 0; i < result->phases; i++)
                value[r] += outcome->phase[i].run[r].steps;
        }
        st = np_summary_of(result->runs, value, &result->total_steps);
    }
    np_memory_free(value);
    return st;
}
