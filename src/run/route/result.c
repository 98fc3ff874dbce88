/* See result.h. */
#include "run/route/result.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/real.h"

/* Room for delays below `used`; those that have none yet are counted 0 times. */
static np_status reserve(np_delay_counts *counts, size_t used)
{
    np_status st;
    if (used > counts->room) {
        if (!counts->used)
            np_delay_counts_clear(counts); /* the two at a time take more */
        if ((st = np_memory_grow(&counts->count, counts->used, used, sizeof *counts->count, "the delay histogram")))
            return st;
        counts->room = used;
    }
    if (used > counts->used) {
        memset(counts->count + counts->used, 0, (used - counts->used) * sizeof *counts->count);
        counts->used = used;
    }
    return NP_OK;
}

static np_status count_run(np_delay_counts *run, const np_delays *delays)
{
    const uint32_t *delay = delays->delay;
    size_t packets = delays->count;
    uint32_t most = 0;
    np_status st;
    run->used = 0;
    for (size_t p = 0; p < packets; p++)
        most = delay[p] > most ? delay[p] : most;
    if (packets + delays->resting && (st = reserve(run, (size_t)most + 1)))
        return st;
    for (size_t p = 0; p < packets; p++)
        run->count[delay[p]]++;
    if (delays->resting)
        run->count[0] += delays->resting;
    return NP_OK;
}

/* The least delay that at least `share` thousandths of the packets do not exceed; 0 without packets. */
static np_step quantile(const np_delay_counts *run, np_packet packets, unsigned share)
{
    uint64_t most = 0;
    size_t delay = 0;
    while (delay < run->used && (most += run->count[delay]) * 1000 < (uint64_t)packets * share)
        delay++;
    return (np_step)delay;
}

void np_delay_counts_merge(np_delay_counts *counts, np_delay_counts *other)
{
    if (other->used > counts->used) { /* the longer one has room for the sums */
        const np_delay_counts longer = *other;
        *other = *counts;
        *counts = longer;
    }
    for (size_t d = 0; d < other->used; d++)
        counts->count[d] += other->count[d];
    other->used = 0;
}

/* Collective: makes the counts those of all ranks. */
static np_status add_ranks(np_delay_counts *run, const np_job *job)
{
    uint64_t used = run->used;
    np_status st;
    if ((st = np_job_most(job, 1, &used)) || (st = np_job_agree(job, reserve(run, used))))
        return st;
    return np_job_sum(job, run->used, run->count);
}

np_status np_delay_counts_add(np_delay_counts *counts, np_delay_counts *run, const np_delays *delays, const np_job *job,
                              np_phase_run *out)
{
    np_packet packets = job ? out->packets : (np_packet)(delays->count + delays->resting);
    np_status st = np_job_agree(job, count_run(run, delays));
    if (st || (job && (st = add_ranks(run, job))))
        return st;
    out->delay_p50 = quantile(run, packets, 500);
    out->delay_p90 = quantile(run, packets, 900);
    out->delay_p99 = quantile(run, packets, 990);
    out->delay_p999 = quantile(run, packets, 999);
    np_delay_counts_merge(counts, run);
    return NP_OK;
}

void np_delay_counts_clear(np_delay_counts *counts)
{
    np_memory_free(counts->count);
    *counts = (np_delay_counts){0};
}

/* Copies what the caller of np_route may free. */
static np_status copy_texts(const np_route_plan *plan, np_route_outcome *outcome)
{
    np_route_result *result = &outcome->result;
    const char *rank_file = plan->options.merge.rank_file;
    result->network = outcome->network = np_memory_text(np_network_spec(plan->network));
    result->traffic = outcome->traffic = np_memory_text(plan->spec);
    result->queue = outcome->queue = np_memory_text(plan->queue);
    result->paths = outcome->paths = np_memory_text(plan->paths);
    result->fallback = outcome->fallback = plan->fallback ? np_memory_text(plan->fallback) : NULL;
    result->merge.rank_file = outcome->rank_file = rank_file ? np_memory_text(rank_file) : NULL;
    bool all = result->network && result->traffic && result->queue && result->paths &&
               (result->merge.rank_file || !rank_file) && (result->fallback || !plan->fallback);
    return all ? NP_OK : np_status_last();
}

static np_status create_parts(const np_route_plan *plan, np_route_outcome *outcome)
{
    np_route_result *result = &outcome->result;
    size_t phases = result->phases;
    np_status st;
    if ((st = np_memory_zeroed(&outcome->phase, phases, sizeof *outcome->phase, "the phases")) ||
        (st = np_memory_zeroed(&outcome->delays, phases, sizeof *outcome->delays, "the delay histograms")) ||
        (st = np_memory_zeroed(&outcome->run, phases * result->runs, sizeof *outcome->run, "the runs")) ||
        (plan->options.certify &&
         (st = np_memory_zeroed(&outcome->steps_bound, result->runs, sizeof *outcome->steps_bound, "the bounds"))) ||
        (st = copy_texts(plan, outcome)))
        return st;
    result->phase = outcome->phase;
    result->certificate.run = outcome->steps_bound;
    for (size_t i = 0; i < phases; i++) {
        outcome->phase[i].run = outcome->run + i * result->runs;
        np_route_plan_phase(plan, (unsigned)i, &outcome->phase[i]);
    }
    return NP_OK;
}

np_status np_route_outcome_create(const np_route_plan *plan, np_route_outcome **out)
{
    const np_route_options *options = &plan->options;
    np_route_outcome *outcome;
    np_status st;
    *out = NULL;
    if ((st = np_memory_zeroed(&outcome, 1, sizeof *outcome, "a result")))
        return st;
    outcome->result = (np_route_result){
        .scheme = plan->scheme->info.name,
        .nodes = np_network_nodes(plan->network),
        .links = np_network_links(plan->network),
        .seed = options->seed,
        .runs = options->runs,
        .threads = plan->threads,
        .overlap = options->overlap,
        .physical = options->merge.physical,
        .same_traffic = options->same_traffic,
        .merge = options->merge,
        .via = options->via,
        .phase_time = plan->phase_time,
        .phases = options->overlap ? 1 : plan->phases,
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
    NP_MEMORY_FREE(outcome->delays, outcome->phase, outcome->run, outcome->steps_bound, outcome->network,
                   outcome->traffic, outcome->queue, outcome->paths, outcome->fallback, outcome->rank_file, outcome);
}

double np_phase_run_bound(const np_phase_run *run)
{
    return run->packets && run->levels ? (double)run->congestion_destinations + run->levels + np_log2(run->packets) : 0;
}

static double delay_mean_of(const np_phase_run *run, uint64_t links)
{
    (void)links;
    return run->packets ? (double)run->delay_sum / run->packets : 0;
}

static double traffic_mean_of(const np_phase_run *run, uint64_t links)
{
    return links ? (double)run->hops / (double)links : 0;
}

/* Steps divided by the bound: Theorem 2.9 says that this ratio is bounded. 0 for a phase without packets. */
static double ratio_of(const np_phase_run *run, uint64_t links)
{
    double bound = np_phase_run_bound(run);
    return (void)links, bound > 0 ? run->steps / bound : 0;
}

/* Steps divided by c + d, for schedules by an outline. */
static double c_d_ratio_of(const np_phase_run *run, uint64_t links)
{
    return (void)links, run->dilation ? run->steps / ((double)run->congestion + run->dilation) : 0;
}

/* A field that has the same name in np_phase_run and in np_phase_result. */
#define FIELD(name)                                                                                                    \
    {                                                                                                                  \
        NULL, offsetof(np_phase_run, name), sizeof((np_phase_run *)NULL)->name, offsetof(np_phase_result, name)        \
    }

/* The measures: how each is taken from a run, and where its summary goes. */
static const struct measure {
    double (*of)(const np_phase_run *run, uint64_t links); /* or: */
    size_t offset, size;                                   /* the field of the run */
    size_t at;
} measures[] = {
    FIELD(steps),
    FIELD(physical_steps),
    FIELD(delay_max),
    FIELD(delay_p50),
    FIELD(delay_p90),
    FIELD(delay_p99),
    FIELD(delay_p999),
    FIELD(queue_max),
    FIELD(population_max),
    FIELD(congestion),
    FIELD(hops),
    FIELD(levels),
    FIELD(congestion_destinations),
    FIELD(ghosts),
    FIELD(tokens),
    FIELD(combined),
    FIELD(queue_real_max),
    FIELD(starved),
    FIELD(late),
    FIELD(dilation),
    FIELD(outline),
    FIELD(outline_load),
    FIELD(resamplings),
    FIELD(cycles),
    FIELD(packet_hops),
    FIELD(packet_steps),
    FIELD(rounds),
    FIELD(locked),
    FIELD(blocked),
    {delay_mean_of, 0, 0, offsetof(np_phase_result, delay_mean)},
    {traffic_mean_of, 0, 0, offsetof(np_phase_result, traffic_mean)},
    {ratio_of, 0, 0, offsetof(np_phase_result, ratio)},
    {c_d_ratio_of, 0, 0, offsetof(np_phase_result, c_d_ratio)},
};

static double value_of(const struct measure *measure, const np_phase_run *run, uint64_t links)
{
    const char *field = (const char *)run + measure->offset;
    if (run->absent)
        return (double)NAN;
    if (measure->of)
        return measure->of(run, links);
    return measure->size == sizeof(uint64_t) ? (double)*(const uint64_t *)(const void *)field
                                             : *(const uint32_t *)(const void *)field;
}

np_status np_route_sample(const np_route_result *result, const np_phase_result *phase, const char *measure,
                          double *values)
{
    const np_field *field = np_fields_find(&np_phase_result_fields, measure);
    for (size_t m = 0; field && m < sizeof measures / sizeof *measures; m++) {
        if (measures[m].at != field->at || field->kind != NP_FIELD_SUMMARY)
            continue;
        for (uint32_t r = 0; r < result->runs; r++)
            values[r] = value_of(&measures[m], &phase->run[r], result->links);
        return NP_OK;
    }
    return NP_RAISE(NP_ERROR_INPUT, "no measure '%.40s' of a phase", measure);
}

static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

/* What it cost at most to play the leveled networks of the runs. */
static np_emulation_result emulation_of(const np_phase_run *run, uint32_t runs)
{
    np_emulation_result most = {0};
    for (uint32_t r = 0; r < runs; r++) {
        most.nodes_per_node = larger(most.nodes_per_node, run[r].emulation.nodes_per_node);
        most.degree = larger(most.degree, run[r].emulation.degree);
        most.links_per_link = larger(most.links_per_link, run[r].emulation.links_per_link);
        most.steps = larger(most.steps, run[r].emulation.steps);
    }
    return most;
}

static np_status summarise_phase(np_phase_result *phase, uint32_t runs, uint64_t links, double *value)
{
    for (size_t m = 0; m < sizeof measures / sizeof *measures; m++) {
        np_status st;
        for (uint32_t r = 0; r < runs; r++)
            value[r] = value_of(&measures[m], &phase->run[r], links);
        if ((st = np_summary_compute(runs, value, (np_summary *)((char *)phase + measures[m].at))))
            return st;
    }
    return NP_OK;
}

/* The steps of all phases, or the physical ones. */
static np_status summarise_total(const np_route_result *result, bool physical, double *value, np_summary *out)
{
    for (uint32_t r = 0; r < result->runs; r++) {
        value[r] = 0;
        for (size_t i = 0; i < result->phases; i++) {
            const np_phase_run *run = &result->phase[i].run[r];
            value[r] += physical ? (double)run->physical_steps : run->steps;
        }
    }
    return np_summary_compute(result->runs, value, out);
}

double np_route_certified_ratio(const np_route_result *result, uint32_t run)
{
    double steps = 0;
    for (size_t i = 0; i < result->phases; i++)
        steps += (double)result->phase[i].run[run].physical_steps;
    return result->certificate.run[run] ? steps / (double)result->certificate.run[run] : (double)NAN;
}

static np_status summarise_certificate(np_route_result *result, double *value)
{
    np_route_certificate *c = &result->certificate;
    if (!c->run)
        return NP_OK;
    for (uint32_t r = 0; r < result->runs; r++)
        value[r] = (double)c->run[r];
    np_status st = np_summary_compute(result->runs, value, &c->steps_bound);
    for (uint32_t r = 0; r < result->runs; r++)
        value[r] = np_route_certified_ratio(result, r);
    return st ? st : np_summary_compute(result->runs, value, &c->ratio);
}

np_status np_route_outcome_summarise(np_route_outcome *outcome)
{
    np_route_result *result = &outcome->result;
    double *value;
    np_status st;
    if ((st = np_memory_zeroed(&value, result->runs, sizeof *value, "the runs' values")))
        return st;
    for (uint32_t r = 0; r < result->runs && result->fallback; r++)
        result->fallback_runs += !result->phase[result->phases - 1].run[r].absent;
    for (size_t i = 0; i < result->phases && !st; i++) {
        outcome->phase[i].emulation = emulation_of(outcome->phase[i].run, result->runs);
        outcome->phase[i].delays = outcome->delays[i].used;
        outcome->phase[i].delay_histogram = outcome->delays[i].count;
        st = summarise_phase(&outcome->phase[i], result->runs, result->links, value);
        outcome->phase[i].missed = outcome->phase[i].steps.count < result->runs;
    }
    if (!st && !(st = summarise_total(result, false, value, &result->total_steps)) &&
        !(st = summarise_total(result, true, value, &result->total_physical_steps)))
        st = summarise_certificate(result, value);
    np_memory_free(value);
    return st;
}
