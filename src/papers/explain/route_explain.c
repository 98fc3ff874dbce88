/* See explain.h. The runner of the scheme knows which phase to look at, and how. */
#include "papers/explain/route_explain.h"

#include "run/route/plan.h"

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
        st = plan.runner->explain(&plan, result, out);
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
