/*
 * Theorems that give a number of steps: each scheme brings its own (np_scheme.theorems). The traffic of every run is
 * made again, and the value of the theorem is computed for it. The steps that the run took are compared with this
 * value.
 */
#include "show/bound/bound.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "run/route/scheme.h"
#include "run/route/theorem.h"

_Static_assert((int)NP_CLAIM_EXACTLY == NP_REPORT_EXACTLY && (int)NP_CLAIM_AT_MOST == NP_REPORT_AT_MOST &&
                   (int)NP_CLAIM_AT_LEAST == NP_REPORT_AT_LEAST && (int)NP_CLAIM_ABOUT == NP_REPORT_ABOUT,
               "a claim's relation is the report's");

static bool kept(np_claim_relation relation, double steps, double value)
{
    return relation == NP_CLAIM_EXACTLY    ? steps == value
           : relation == NP_CLAIM_AT_MOST  ? steps <= value
           : relation == NP_CLAIM_AT_LEAST ? steps >= value
                                           : true;
}

/* Compares the steps of one run with the theorem's value for this run. */
static void add_run(const np_claim *what, double steps, const np_theorem_run *of, double value, np_report_bound *out)
{
    out->theorem = what->theorem;
    out->source = what->source;
    out->formula = what->formula;
    out->relation = of->relation > out->relation ? of->relation : out->relation;
    out->packets = of->result->packets;
    out->steps.relation = (np_report_relation)what->relation;
    out->steps.theorem = fmax(out->steps.theorem, value);
    out->steps.measured = fmax(out->steps.measured, steps);
    out->steps.equal += steps == value;
    out->steps.broken += !kept(what->relation, steps, value);
}

static void add_all(const np_theorem *theorem, const np_theorem_run *of, np_report_bound *bounds)
{
    const np_route_result *result = of->result;
    double all = 0;
    for (size_t i = 0; i < result->phases; i++) {
        double steps = result->phase[i].run[of->run].steps;
        all += steps;
        if (theorem->phase && (of->traffic || !theorem->of_packets))
            add_run(theorem->phase, steps, of, of->value[i], &bounds[i]);
    }
    if (theorem->total)
        add_run(theorem->total, all, of, of->value[result->phases], &bounds[result->phases]);
}

/* The traffic of the run: drawn for this run, or the same for all runs. h of the result if it cannot be made again. */
static np_status make_traffic(const np_theorem_run *of, np_traffic **traffic, uint32_t *relation)
{
    const np_route_result *result = of->result;
    uint64_t packets;
    bool random;
    *traffic = NULL;
    *relation = result->relation;
    if (np_traffic_estimate(result->traffic, of->network, &packets, &random))
        return NP_OK; /* not a spec */
    np_status st =
        np_traffic_create(result->traffic, of->network, result->seed, result->same_traffic ? 0 : of->run, traffic);
    return st ? st : np_traffic_relation(*traffic, of->network, relation);
}

static np_status tell_run(const np_theorem *theorem, np_theorem_run *of, np_report_bound *bounds)
{
    np_traffic *traffic;
    np_status st = make_traffic(of, &traffic, &of->relation);
    of->traffic = traffic;
    memset(of->value, 0, (of->result->phases + 1) * sizeof *of->value);
    if (!st)
        st = theorem->values(of);
    if (!st)
        add_all(theorem, of, bounds);
    np_traffic_free(traffic);
    return st;
}

/* The scheme's theorem that speaks of the runs; NULL: none does. */
static np_status find(const np_theorem_run *of, const np_theorem **out)
{
    const np_scheme *scheme;
    np_status st = np_scheme_find(of->result->scheme, &scheme);
    *out = st ? NULL : np_scheme_theorems(scheme);
    while (*out && (*out)->speaks && !(*out)->speaks(of))
        *out = (*out)[1].values ? *out + 1 : NULL;
    return st;
}

np_status np_report_bound_steps(const np_network *network, const np_route_result *result, uint32_t relation,
                                np_report_bound *bounds)
{
    np_theorem_run of = {.network = network, .result = result, .relation = relation};
    const np_theorem *theorem;
    np_status st = find(&of, &theorem);
    if (st || !theorem || result->overlap || result->phase_time)
        return st;
    if ((st = np_memory_array(&of.value, result->phases + 1, sizeof *of.value, "the bounds")))
        return st;
    for (of.run = 0; of.run < result->runs && !st; of.run++)
        st = tell_run(theorem, &of, bounds);
    for (size_t i = 0; i <= result->phases; i++)
        bounds[i].phase = i < result->phases ? result->phase[i].name : "total";
    np_memory_free(of.value);
    return st;
}
