/* See explain.h. Which phase to look at, and how, depends on the runner of the scheme. */
#include "papers/constrained/constrained.h"
#include "run/route/ranked.h"

/* The run and phase with the most steps; of equal ones, the first. */
static void find_slowest(const np_route_result *result, np_route_explanation *out)
{
    np_step most = 0;
    for (uint32_t r = 0; r < result->runs; r++)
        for (unsigned i = 0; i < result->phases; i++)
            if (result->phase[i].run[r].steps > most) {
                most = result->phase[i].run[r].steps;
                out->run = r;
                out->phase = i;
            }
}

static np_status explain_ranked(const np_route_plan *plan, const np_route_result *result, np_route_explanation *out)
{
    np_merge_record record = {0};
    np_chosen chosen = {.leveled = NULL};
    np_status st;
    find_slowest(result, out);
    if (!(st = np_ranked_record(plan, out->run, out->phase, &record, &chosen)))
        st = np_explain(&plan->options.merge, chosen.leveled, &chosen.path_set, &record, &out->sequence);
    np_merge_record_clear(&record);
    np_chosen_clear(&chosen);
    return st;
}

static np_status explain(const np_route_plan *plan, const np_route_result *result, np_route_explanation *out)
{
    return plan->runner == &np_ranked_runner ? explain_ranked(plan, result, out)
                                             : np_constrained_explain_result(plan, result, out);
}

np_status np_route_explain(const np_network *network, const char *traffic, const np_route_options *options,
                           const np_route_result *result, np_route_explanation *out)
{
    np_route_options same;
    np_route_plan plan;
    np_status st;
    *out = (np_route_explanation){.router = NULL};
    if ((st = np_options_take(&np_route_options_fields, options, &same)))
        return st;
    same.scheme = result->scheme; /* the scheme that was used, if the default was asked for */
    if ((st = np_scheme_heeds(result->scheme, "explain")))
        return np_status_prefix(st, "explain: ");
    if (options->first_run)
        return NP_RAISE(NP_ERROR_APPLY, "explain: the runs must begin with run 0, not with run %u", options->first_run);
    if (!(st = np_route_plan_init(&plan, network, traffic, NULL, &same)))
        st = explain(&plan, result, out);
    out->sequence.network = network;
    np_route_plan_clear(&plan);
    return st;
}

void np_route_explanation_clear(np_route_explanation *explanation)
{
    np_explanation_clear(&explanation->sequence);
    np_constrained_explanation_free(explanation->router);
    explanation->router = NULL;
}
