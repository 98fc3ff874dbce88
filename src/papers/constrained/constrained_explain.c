/* Explains a run of the Router: routes it again, records it, makes it monotonic and traces it. */
#include "base/memory.h"
#include "base/plural.h"
#include "papers/constrained/constrained.h"
#include "papers/constrained/monotonic.h"

/* Runs all phases. *record = the run of the Router. */
static np_status run_phases(np_runner *runner, np_runner_job *job, np_router_run *record)
{
    const np_route_plan *plan = runner->plan;
    np_constrained_record(runner, record);
    for (job->phase = 0; job->phase < plan->phases; job->phase++) {
        np_phase_run out;
        np_delays delays;
        np_status st = plan->runner->run(runner, job, &out, &delays);
        if (st)
            return st;
    }
    return NP_OK;
}

static np_status record_run(const np_route_plan *plan, uint32_t run, np_router_run *record)
{
    np_traffic *traffic;
    np_runner *runner;
    np_status st = np_route_plan_draw_traffic(plan, run, &traffic);
    if (st)
        return st;
    np_runner_job job = {.draws = {.seed = plan->options.seed, .run = run}, .traffic = traffic};
    if (!(st = np_runner_create(plan, &runner))) {
        st = run_phases(runner, &job, record);
        np_runner_free(runner);
    }
    np_traffic_free(traffic);
    return st;
}

static np_status explain(np_router_run *record, np_constrained_explanation *out)
{
    uint32_t passes;
    np_status st;
    if ((st = np_router_run_audit(record)) || (st = np_monotonic_make(record, &out->exchanges, &passes)) ||
        (st = np_router_run_audit(record)))
        return st;
    return np_distinguished_path(record, out);
}

static np_status explain_run(const np_route_plan *plan, uint32_t run, np_constrained_explanation **out)
{
    np_constrained_explanation *made = NULL;
    np_router_run record = {0};
    np_status st;
    *out = NULL;
    if (!(st = np_memory_zeroed(&made, 1, sizeof *made, "an explanation")) && !(st = record_run(plan, run, &record)))
        st = explain(&record, made);
    for (np_packet m = 0; m < record.messages && !st; m++) {
        np_step leaves = record.leave[(size_t)m * record.stages + record.stages - 1];
        made->steps = leaves > made->steps ? leaves : made->steps;
    }
    np_router_run_clear(&record);
    if (st) {
        np_constrained_explanation_free(made);
        return st;
    }
    made->run = run;
    made->overlap = plan->options.overlap;
    *out = made;
    return NP_OK;
}

np_status np_constrained_explain(const np_network *network, const char *traffic, const np_route_options *options,
                                 uint32_t run, np_constrained_explanation **out)
{
    np_route_options same;
    const np_scheme *scheme;
    np_route_plan plan;
    np_status st;
    *out = NULL;
    if ((st = np_options_take(&np_route_options_fields, options, &same)))
        return st;
    if (!same.scheme)
        same.scheme = "constrained";
    if ((st = np_scheme_find(same.scheme, &scheme)))
        return st;
    if (scheme->runner != &np_constrained_runner)
        return NP_RAISE(NP_ERROR_APPLY, "scheme '%s' has no Router to explain: try 'constrained'", same.scheme);
    st = np_route_plan_init(&plan, network, traffic, NULL, &same);
    if (!st)
        st = explain_run(&plan, run, out);
    np_route_plan_clear(&plan);
    return st;
}

/* Explains the slowest run of the Router, which is the last phase. */
np_status np_constrained_explain_result(const np_route_plan *plan, const np_route_result *result,
                                        np_route_explanation *out)
{
    const np_phase_result *router = &result->phase[result->phases - 1];
    out->phase = (unsigned)result->phases - 1;
    for (uint32_t r = 1; r < result->runs; r++)
        if (router->run[r].steps > router->run[out->run].steps)
            out->run = r;
    return explain_run(plan, out->run, &out->router);
}

void np_constrained_explanation_free(np_constrained_explanation *explanation)
{
    if (!explanation)
        return;
    NP_MEMORY_FREE(explanation->segment, explanation);
}

/* Of which message the path is, and how long it took. */
static void print_slowest(const np_constrained_explanation *e, FILE *stream)
{
    if (e->overlap)
        fprintf(stream,
                "run %u: Randomizer and Router took %u steps for %u set%s of messages through twice %u stages\n",
                e->run, e->steps, e->sets, np_plural(e->sets), e->stages);
    else
        fprintf(stream, "run %u: the Router took %u steps for %u set%s of messages through %u stages\n", e->run,
                e->steps, e->sets, np_plural(e->sets), e->stages);
    fprintf(stream, "%s: message %u waited %u step%s\n", e->overlap ? "last" : "slowest", e->message, e->delay,
            np_plural(e->delay));
}

/* Are the messages that were described enough? */
static void print_account(const np_constrained_explanation *e, FILE *stream)
{
    fprintf(stream, "%u message%s account%s for ", e->described, np_plural(e->described), e->described == 1 ? "s" : "");
    if (e->overlap)
        fprintf(stream, "%u step%s from step %u on, besides the %u stages", e->needed, np_plural(e->needed),
                e->released, e->stages);
    else
        fprintf(stream, "the delay of %u", e->delay);
    fprintf(stream, ": %s, %s\n", e->disjoint ? "all different" : "NOT all different",
            e->described >= e->needed ? "enough" : "TOO FEW");
}

static void print_segment(const np_constrained_segment *q, FILE *stream)
{
    fprintf(stream,
            "  stages %u..%u: message %u of set %u, input %u to output %u, had waited %u step%s after stage %u; ",
            q->first, q->last, q->message, q->priority, q->entered, q->destination, q->delay, np_plural(q->delay),
            q->first);
    fprintf(stream, "%u message%s delayed it here\n", q->delaying, np_plural(q->delaying));
}

np_status np_constrained_explanation_print(const np_constrained_explanation *e, FILE *stream)
{
    print_slowest(e, stream);
    fprintf(stream, "monotonic after %llu exchange%s of messages that delay each other (theorem 2)\n",
            (unsigned long long)e->exchanges, np_plural(e->exchanges));
    fprintf(stream, "distinguished path, from the outputs (stage 1) to the inputs (stage %u):\n", e->stages);
    for (size_t i = 0; i < e->segments; i++)
        print_segment(&e->segment[i], stream);
    print_account(e, stream);
    fprintf(stream, "theorem 3 %s, corollary 1 %s\n", e->theorem3 ? "holds" : "FAILS",
            e->corollary1 ? "holds" : "FAILS");
    if (ferror(stream))
        return NP_RAISE(NP_ERROR_IO, "writing the explanation failed");
    return NP_OK;
}
