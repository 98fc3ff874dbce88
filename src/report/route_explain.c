/* Explains the slowest run of a routing. */
#include <string.h>

#include "netpram/constrained.h"
#include "netpram/output.h"
#include "netpram/report.h"
#include "report/explain.h"
#include "route/ranked.h"

/* The run and phase of most steps; the first of equals. */
static void find_slowest(const np_route_result *result, uint32_t *run, unsigned *phase)
{
    np_step most = 0;
    *run = *phase = 0;
    for (uint32_t r = 0; r < result->runs; r++)
        for (unsigned i = 0; i < result->phases; i++)
            if (result->phase[i].run[r].steps > most) {
                most = result->phase[i].run[r].steps;
                *run = r;
                *phase = i;
            }
}

static np_status explain_ranked(const np_network *network, const char *traffic, const np_route_options *options,
                                const np_route_result *result, FILE *stream, bool *holds)
{
    np_explanation explanation = {0};
    unsigned phase;
    uint32_t run;
    np_status st;
    find_slowest(result, &run, &phase);
    if ((st = np_ranked_explain(network, traffic, options, run, phase, &explanation)))
        return st;
    fprintf(stream, "\nexplain  phase %s of run %u: ", result->phase[phase].name, run);
    *holds = np_explanation_holds(&explanation);
    st = np_explanation_print(&explanation, stream);
    np_explanation_clear(&explanation);
    return st;
}

/* The Router is the last phase: its slowest run. */
static np_status explain_router(const np_network *network, const char *traffic, const np_route_options *options,
                                const np_route_result *result, FILE *stream, bool *holds)
{
    const np_phase_result *router = &result->phase[result->phases - 1];
    np_constrained_explanation *explanation;
    uint32_t slowest = 0;
    np_status st;
    for (uint32_t r = 1; r < result->runs; r++)
        if (router->run[r].delay_max > router->run[slowest].delay_max)
            slowest = r;
    if ((st = np_constrained_explain(network, traffic, options, slowest, &explanation)))
        return st;
    fprintf(stream, "\nexplain  ");
    *holds = explanation->disjoint && explanation->theorem3 && explanation->corollary1 &&
             explanation->described >= explanation->delay;
    st = np_constrained_explanation_print(explanation, stream);
    np_constrained_explanation_free(explanation);
    return st;
}

np_status np_report_explain(const np_network *network, const char *traffic, const np_route_options *options,
                            const np_route_result *result, FILE *stream, bool *holds)
{
    np_route_options same = *options;
    np_status st;
    same.scheme = result->scheme; /* if it was the default */
    *holds = true;
    st = strcmp(result->scheme, "ranked") ? explain_router(network, traffic, &same, result, stream, holds)
                                          : explain_ranked(network, traffic, &same, result, stream, holds);
    return st ? st : np_output_check(stream, "the explanation");
}
