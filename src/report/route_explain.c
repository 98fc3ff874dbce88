/* Explains the slowest run of a routing. */
#include "netpram/base.h"
#include "netpram/report.h"
#include "report/explain.h"
#include "route/explain.h"

static np_status print(const np_route_explanation *explanation, const np_route_result *result, FILE *stream,
                       bool *holds)
{
    const np_constrained_explanation *router = explanation->router;
    if (router) {
        fprintf(stream, "\nexplain  ");
        *holds = router->disjoint && router->theorem3 && router->corollary1 && router->described >= router->delay;
        return np_constrained_explanation_print(router, stream);
    }
    fprintf(stream, "\nexplain  phase %s of run %u: ", result->phase[explanation->phase].name, explanation->run);
    *holds = np_explanation_holds(&explanation->sequence);
    return np_explanation_print(&explanation->sequence, stream);
}

np_status np_report_explain(const np_network *network, const char *traffic, const np_route_options *options,
                            const np_route_result *result, FILE *stream, bool *holds)
{
    np_route_explanation explanation;
    np_status st = np_route_explain(network, traffic, options, result, &explanation);
    *holds = true;
    if (!st)
        st = print(&explanation, result, stream, holds);
    np_route_explanation_clear(&explanation);
    return st ? st : np_output_check(stream, "the explanation");
}
