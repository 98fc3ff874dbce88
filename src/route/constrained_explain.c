/* Explains a run of the Router: routes it again, records it, makes it monotonic and traces it. */
#include "base/memory.h"
#include "route/constrained.h"
#include "route/monotonic.h"
#include "route/scheme.h"

/* Routes; *record is the Router's run. */
static np_status record_run(const np_scheme_ops *scheme, const np_network *network, const np_traffic *traffic,
                            const np_route_options *options, np_draws draws, np_router_run *record)
{
    np_mover *mover;
    np_status st = scheme->mover->create(network, options, NULL, &mover);
    if (st)
        return st;
    np_constrained_record(mover, record);
    for (unsigned phase = 0; phase < scheme->mover->phases(mover) && !st; phase++) {
        np_phase_run out;
        const uint32_t *delay;
        size_t delays;
        st = scheme->mover->run(mover, phase, draws, traffic, &out, &delay, &delays);
    }
    scheme->mover->free(mover);
    return st;
}

static np_status find_scheme(const char *name, const np_network *network, const np_scheme_ops **out)
{
    np_status st;
    if (!name)
        name = "constrained";
    if ((st = np_scheme_find(name, out)) || (st = np_scheme_applies(name, network)))
        return st;
    const np_mover_ops *mover = (*out)->mover;
    if (mover != &np_constrained_mover && mover != &np_total_randomization_mover && mover != &np_unrandomized_mover)
        return NP_RAISE(NP_ERROR_APPLY, "scheme '%s' has no Router to explain: try 'constrained'", name);
    return NP_OK;
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

np_status np_constrained_explain(const np_network *network, const char *traffic, const np_route_options *options,
                                 uint32_t run, np_constrained_explanation **out)
{
    const np_scheme_ops *scheme;
    np_constrained_explanation *made = NULL;
    np_traffic *drawn = NULL;
    np_router_run record = {0};
    np_draws draws = {.seed = options->seed, .run = run};
    np_status st;
    *out = NULL;
    if ((st = find_scheme(options->scheme, network, &scheme)) ||
        (st = np_traffic_create(traffic, network, options->seed, options->same_traffic ? 0 : run, &drawn)) ||
        (st = np_memory_zeroed(&made, 1, sizeof *made, "an explanation")) ||
        (st = record_run(scheme, network, drawn, options, draws, &record)) || (st = explain(&record, made)))
        goto out;
    made->run = run;
    for (np_packet m = 0; m < record.messages; m++) {
        np_step leaves = record.leave[(size_t)m * record.stages + record.stages - 1];
        made->steps = leaves > made->steps ? leaves : made->steps;
    }
out:
    np_router_run_clear(&record);
    np_traffic_free(drawn);
    if (st)
        np_constrained_explanation_free(made);
    else
        *out = made;
    return st;
}

void np_constrained_explanation_free(np_constrained_explanation *explanation)
{
    if (!explanation)
        return;
    np_memory_free(explanation->segment);
    np_memory_free(explanation);
}

static const char *plural(uint64_t count) { return count == 1 ? "" : "s"; }

static void print_segment(const np_constrained_segment *q, FILE *stream)
{
    fprintf(
        stream, "  stages %u..%u: message %u of set %u, input %u to output %u, had waited %u step%s after stage %u; ",
        q->first, q->last, q->message, q->priority, q->entered, q->destination, q->delay, plural(q->delay), q->first);
    fprintf(stream, "%u message%s delayed it here\n", q->delaying, plural(q->delaying));
}

np_status np_constrained_explanation_print(const np_constrained_explanation *e, FILE *stream)
{
    fprintf(stream, "run %u: the Router took %u steps for %u set%s of messages through %u stages\n", e->run, e->steps,
            e->sets, plural(e->sets), e->stages);
    fprintf(stream, "slowest: message %u waited %u step%s\n", e->message, e->delay, plural(e->delay));
    fprintf(stream, "monotonic after %llu exchange%s of messages that delay each other (theorem 2)\n",
            (unsigned long long)e->exchanges, plural(e->exchanges));
    fprintf(stream, "distinguished path, from the outputs (stage 1) to the inputs (stage %u):\n", e->stages);
    for (size_t i = 0; i < e->segments; i++)
        print_segment(&e->segment[i], stream);
    fprintf(stream, "%u message%s account%s for the delay of %u: %s, %s\n", e->described, plural(e->described),
            e->described == 1 ? "s" : "", e->delay, e->disjoint ? "all different" : "NOT all different",
            e->described >= e->delay ? "enough" : "TOO FEW");
    fprintf(stream, "theorem 3 %s, corollary 1 %s\n", e->theorem3 ? "holds" : "FAILS",
            e->corollary1 ? "holds" : "FAILS");
    if (ferror(stream))
        return NP_RAISE(NP_ERROR_IO, "writing the explanation failed");
    return NP_OK;
}
