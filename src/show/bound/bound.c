/* The theorem for each routed phase: for a ladder of values, its bound and the measured share of the runs. */
#include "show/bound/bound.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/real.h"
#include "model/leveled/fat_tree.h"
#include "model/network/attributes.h"

/* The traffic as the theorems see it. */
typedef struct {
    uint32_t relation;
    np_packet packets;
    double load_factor; /* on fat-trees */
} load;

/* Adds the traffic of a run. */
static np_status add_traffic(const np_network *network, const np_route_result *result, const np_traffic *traffic,
                             load *out)
{
    np_fat_tree_load channels = {0};
    uint32_t h;
    np_status st = np_traffic_relation(traffic, network, &h);
    if (!st && result->has_load_factor)
        st = np_fat_tree_load_factor(network, traffic, &channels);
    if (st)
        return st;
    out->packets = np_traffic_packets(traffic) > out->packets ? np_traffic_packets(traffic) : out->packets;
    out->relation = h > out->relation ? h : out->relation;
    out->load_factor = fmax(out->load_factor, channels.factor);
    return NP_OK;
}

/* The largest h, T and load factor of all runs. Random traffic is drawn again for each run. */
static np_status load_of(const np_network *network, const np_route_result *result, load *out)
{
    uint64_t packets;
    bool random = false;
    *out = (load){result->relation, result->packets, result->load_factor};
    if (np_traffic_estimate(result->traffic, network, &packets, &random) || !random || result->same_traffic)
        return NP_OK; /* the traffic was given and has no spec, or it is the same in all runs */
    for (uint32_t run = 1; run < result->runs; run++) {
        np_traffic *traffic;
        np_status st = np_traffic_create(result->traffic, network, result->seed, run, &traffic);
        if (!st)
            st = add_traffic(network, result, traffic, out);
        np_traffic_free(traffic);
        if (st)
            return st;
    }
    return NP_OK;
}

/* Why the theorem does not apply to what was run; "" if it applies. */
static void reason(const np_bound *bound, const np_route_result *result, char *text)
{
    if (result->overlap)
        snprintf(text, NP_REPORT_REASON_MAX,
                 "phases overlap: the theorems are proved for phases that wait for one another");
    else if (result->phase_time)
        snprintf(text, NP_REPORT_REASON_MAX, "phases have a fixed time: the theorem is proved for phases that end");
    else if (!bound->applies)
        snprintf(text, NP_REPORT_REASON_MAX, "%s", bound->reason);
    else if (bound->paths && strcmp(bound->paths, result->paths) != 0)
        snprintf(text, NP_REPORT_REASON_MAX, "paths %s: %s is proved for %s", result->paths, bound->theorem,
                 bound->paths);
    else if (bound->queue && strcmp(bound->queue, result->queue) != 0)
        snprintf(text, NP_REPORT_REASON_MAX, "queue %s: %s is proved for %s", result->queue, bound->theorem,
                 bound->queue);
}

/* The share of the runs with a delay of at least x, or with more than base + x steps. */
static double measured(const np_bound *bound, const np_phase_result *phase, uint32_t runs, double x)
{
    return bound->measure == NP_BOUND_DELAY ? np_report_share_of_delay(phase, runs, x)
                                            : np_report_share_of_steps(phase, runs, bound->base + x);
}

static void fill(const np_bound *bound, const np_phase_result *phase, uint32_t runs, np_report_bound *out)
{
    double x[NP_REPORT_BOUND_ROWS];
    out->rows = np_bound_ladder(bound, bound->measure, NP_REPORT_BOUND_ROWS, x);
    out->measure = bound->measure == NP_BOUND_DELAY ? "delay" : "steps";
    for (size_t i = 0; i < out->rows; i++) {
        np_bound_value value = np_bound_at(bound, bound->measure, x[i]);
        out->row[i] = (np_report_bound_row){
            .value = bound->measure == NP_BOUND_DELAY ? x[i] : bound->base + x[i],
            .bound = value.probability,
            .log2 = value.log10 / np_log10(2),
            .measured = measured(bound, phase, runs, x[i]),
        };
    }
}

/* The ladder of a phase, or why there is none. */
static void by_chance(const np_network *network, const np_route_result *result, const load *most, size_t phase,
                      np_report_bound *out)
{
    np_bound bound;
    *out = (np_report_bound){.phase = result->phase[phase].name};
    if (result->phase[phase].leveled) {
        np_report_bound_ranked(result, &result->phase[phase], out);
        return;
    }
    if (result->permutations) {
        np_report_bound_router(network, result, &result->phase[phase], out);
        return;
    }
    np_bound_for(result->scheme, network, most->relation, most->packets, out->phase, &bound);
    *out = (np_report_bound){.phase = out->phase,
                             .theorem = bound.theorem,
                             .source = bound.source,
                             .formula = bound.formula,
                             .relation = most->relation,
                             .packets = most->packets};
    reason(&bound, result, out->reason);
    if (!*out->reason)
        fill(&bound, &result->phase[phase], result->runs, out);
}

/* The ladder of all phases together; false: there is none. */
static bool all_by_chance(const np_network *network, const np_route_result *result, const load *most,
                          np_report_bound *out)
{
    if (!np_report_bound_timed_applies(network, result))
        return np_report_bound_fat_tree(network, result, most->relation, most->load_factor, out);
    np_report_bound_timed(network, result, most->relation, most->packets, out);
    return true;
}

np_status np_report_bounds(const np_network *network, const np_route_result *result, np_report_bound **bounds,
                           size_t *count)
{
    np_report_bound *steps = NULL, chance;
    load most;
    np_status st;
    *bounds = NULL;
    *count = 0;
    if ((st = np_attributes_heeded(network, "bound", 0)) || (st = load_of(network, result, &most)) ||
        (st = np_memory_zeroed(bounds, 2 * result->phases + 2, sizeof **bounds, "the bounds")) ||
        (st = np_memory_zeroed(&steps, result->phases + 1, sizeof *steps, "the bounds")) ||
        (st = np_report_bound_steps(network, result, most.relation, steps)))
        goto out;
    for (size_t i = 0; i <= result->phases; i++) {
        bool certain = steps[i].steps.relation != NP_REPORT_CHANCE;
        if (certain)
            (*bounds)[(*count)++] = steps[i];
        if (i == result->phases)
            break;
        by_chance(network, result, &most, i, &chance);
        if (!*chance.reason || (!certain && !steps[result->phases].steps.relation))
            (*bounds)[(*count)++] = chance;
    }
    if (all_by_chance(network, result, &most, &chance))
        (*bounds)[(*count)++] = chance;
out:
    np_memory_free(steps);
    if (st) {
        np_memory_free(*bounds);
        *bounds = NULL;
        *count = 0;
    }
    return st;
}

void np_report_bounds_free(np_report_bound *bounds) { np_memory_free(bounds); }

/* ---- Fields ---- */

static const np_report_bound *bound(const void *object) { return object; }

static bool is_exact(const void *object) { return bound(object)->steps.relation; }
static void get_applies(const void *object, np_value *value) { value->truth = !*bound(object)->reason; }

static const char *const relations[] = {"", "exactly", "at most", "at least", "about", NULL};

const char *np_report_relation_name(np_report_relation relation) { return relations[relation]; }

static const np_field steps_rows[] = {
    {"relation", NP_FIELD_WORD, offsetof(np_report_steps, relation), .words = relations,
     .help = "`exactly`, `at most`, `at least`, or `about`, which leaves out terms of lower order"},
    {"theorem", NP_FIELD_REAL, offsetof(np_report_steps, theorem), .unit = "steps",
     .help = "by the theorem, of the run where they are most"},
    {"measured", NP_FIELD_REAL, offsetof(np_report_steps, measured), .unit = "steps",
     .help = "measured, of the run where they are most"},
    {"runs_equal", NP_FIELD_U32, offsetof(np_report_steps, equal),
     .help = "runs that took just what the theorem says of their own traffic"},
    {"runs_broken", NP_FIELD_U32, offsetof(np_report_steps, broken), .help = "runs that did not keep it"},
};

static const np_fields steps_fields = NP_FIELDS("bound_steps", "a bound", np_report_steps, steps_rows);

#define CHANCE "the theorem's bound on its probability, 1 where it says nothing; 0 below 1e-308"

static const np_field chance_rows[] = {
    {"bound", NP_FIELD_REAL, offsetof(np_report_bound_row, bound), .help = CHANCE},
    {"log2_bound", NP_FIELD_REAL, offsetof(np_report_bound_row, log2), .help = "its binary logarithm"},
    {"measured", NP_FIELD_REAL, offsetof(np_report_bound_row, measured),
     .help = "the share of the runs in which it happened"},
};

static const np_fields chance_fields = NP_FIELDS("chance", "a bound", np_report_bound_row, chance_rows);

static const np_field delay_rows[] = {
    {"delay", NP_FIELD_REAL, offsetof(np_report_bound_row, value), .unit = "steps",
     .help = "the event is that some packet is delayed at least so many; or `steps`: that the phase takes more"},
    {NULL, NP_FIELD_INSET, .fields = &chance_fields},
};

static const np_field duration_rows[] = {
    {"steps", NP_FIELD_REAL, offsetof(np_report_bound_row, value), .unit = "steps",
     .help = "the event is that the phase takes more"},
    {NULL, NP_FIELD_INSET, .fields = &chance_fields},
};

static const np_fields delay_fields = NP_FIELDS("bound_row", "a bound", np_report_bound_row, delay_rows);
static const np_fields duration_fields = NP_FIELDS("bound_row", "a bound", np_report_bound_row, duration_rows);

static void get_ladder(const void *object, np_value *value)
{
    value->object = bound(object)->row;
    value->count = bound(object)->rows;
    if (value->count && !strcmp(bound(object)->measure, "steps"))
        value->fields = &duration_fields;
}

static const np_field bound_rows[] = {
    {"phase", NP_FIELD_TEXT, offsetof(np_report_bound, phase), .help = "its name; `total`: all phases together"},
    {"theorem", NP_FIELD_TEXT, offsetof(np_report_bound, theorem),
     .help = "which; `none`: there is no theorem for the scheme"},
    {"source", NP_FIELD_TEXT, offsetof(np_report_bound, source), .help = "paper and section"},
    {"formula", NP_FIELD_TEXT, offsetof(np_report_bound, formula), .help = "what it says"},
    {"applies", NP_FIELD_BOOL, .get = get_applies, .help = "the theorem speaks of what was run"},
    {"reason", NP_FIELD_CHARS, offsetof(np_report_bound, reason),
     .help = "why not: no theorem for the scheme, or other paths, queue or overlap than it is proved for; `\"\"` if it "
             "applies"},
    {"relation", NP_FIELD_U32, offsetof(np_report_bound, relation),
     .help = "the h that it is evaluated for: the largest of all runs"},
    {"packets", NP_FIELD_U32, offsetof(np_report_bound, packets), .help = "the T that it is evaluated for, likewise"},
    {"steps", NP_FIELD_OBJECT, offsetof(np_report_bound, steps), .fields = &steps_fields, .known = is_exact,
     .help = "for theorems that are no probabilities; else `null`"},
    {"ladder", NP_FIELD_LIST, .get = get_ladder, .fields = &delay_fields,
     .help = "in ascending order; empty if it does not apply, or `steps` tells"},
};

const np_fields np_report_bound_fields = NP_FIELDS("bound", "a bound", np_report_bound, bound_rows);
