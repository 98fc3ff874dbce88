/*
 * The three properties of each phase of a scheme. Verdicts tell apart what is
 * proved, tested and measured: a verdict "holds" means that all routes were seen.
 */
#include <string.h>

#include "base/memory.h"
#include "model/network/attributes.h"
#include "run/check/check.h"
#include "run/route/plan.h"
#include "run/route/queueing.h"

/* Least expected count of a link. Below it the chi-square distribution is a poor approximation (the usual rule). */
static const double least_expected = 5;

/* The result, with the memory to which it points. */
typedef struct {
    np_check_scheme_result result; /* first: the caller's pointer is this one */
    np_check_phase_result *phase;
    np_route_plan plan; /* the scheme and paths that the names mean, as in np_route */
    const np_queueing *queueing;
    np_node *source;      /* [nodes] packet u starts at node u; NULL if no permutation is needed */
    np_node *destination; /* [nodes] the permutation; NULL if none is needed */
} examination;

/* The condition that all checks put on a network. */
np_status np_check_network(const np_network *network)
{
    if (np_network_all_terminals(network))
        return NP_OK;
    return NP_RAISE(NP_ERROR_APPLY,
                    "the checks do not apply to %s: they try routes between all nodes, and its packets go from inputs "
                    "to outputs only; try a network without terminals, such as butterfly:%u",
                    np_network_spec(network), network->dimensions < 3 ? 3 : network->dimensions);
}

const char *np_check_verdict_name(np_check_verdict verdict)
{
    static const char *const names[] = {"holds", "not refuted", "does not hold", "undecided"};
    return names[verdict];
}

void np_check_scheme_result_free(np_check_scheme_result *result)
{
    examination *e = (examination *)result;
    if (!e)
        return;
    np_route_plan_clear(&e->plan);
    NP_MEMORY_FREE(e->source, e->destination, e->phase, e);
}

/* Draws a permutation from the seed, for schemes whose phases depend on one. */
static np_status draw_permutation(examination *e, uint64_t seed)
{
    np_node nodes = np_network_nodes(e->plan.network);
    np_draws draws = {.seed = seed, .purpose = NP_RANDOM_CHECK};
    np_status st;
    if ((st = np_memory_array(&e->source, nodes, sizeof *e->source, "a permutation")) ||
        (st = np_memory_array(&e->destination, nodes, sizeof *e->destination, "a permutation")))
        return st;
    for (np_node u = 0; u < nodes; u++) { /* Fisher-Yates, inside out */
        e->source[u] = u;
        np_node place = np_random_below(&draws, u, 6, u + 1);
        e->destination[u] = e->destination[place];
        e->destination[place] = u;
    }
    return NP_OK;
}

/* np_check_ends.of: takes the packet through the phases up to this one, from target to target. */
static void ends_of(const np_check_ends *ends, uint64_t seed, uint32_t run, np_packet packet, np_node *from,
                    np_node *to)
{
    const examination *e = ends->context;
    *from = *to = packet;
    for (unsigned phase = 0; phase <= ends->phase; phase++) {
        np_draws draws = {seed, run, (uint16_t)phase, NP_RANDOM_TARGET};
        np_aim aim = {e->plan.network,
                      NULL,
                      phase,
                      &draws,
                      1,
                      &packet,
                      from,
                      &e->destination[packet],
                      e->source,
                      np_network_ends(e->plan.network)};
        *from = *to;
        np_queueing_aim(e->queueing, &aim, to);
    }
}

static np_check_verdict verdict_of(bool holds, bool proved)
{
    return !holds ? NP_CHECK_FAILS : proved ? NP_CHECK_HOLDS : NP_CHECK_UNREFUTED;
}

static np_check_verdict symmetry_of(const np_check_symmetric_result *result)
{
    if (!result->exact && result->links > 1 && result->mean > 0 &&
        result->mean * (double)result->denominator < least_expected)
        return NP_CHECK_UNDECIDED;
    return verdict_of(result->holds, result->exact);
}

/* Checks the path rule's own properties, which are the same for all phases from the second on. */
static np_status check_rule(const examination *e, unsigned phase, const np_check_options *options,
                            np_check_phase_result *out)
{
    np_status st;
    if (phase > 1) {
        out->oblivious_result = e->phase[1].oblivious_result;
        out->nonrepeating_result = e->phase[1].nonrepeating_result;
        return NP_OK;
    }
    if ((st = np_check_oblivious(np_queueing_path(&e->plan), options, &out->oblivious_result)))
        return st;
    return np_check_nonrepeating(np_queueing_path(&e->plan), options, &out->nonrepeating_result);
}

static np_status check_phase(const examination *e, unsigned phase, const np_check_options *given,
                             np_check_phase_result *out)
{
    const np_check_ends ends = {.of = ends_of, .phase = phase, .context = e};
    np_check_options options = *given;
    np_phase_result known = {.name = ""};
    np_status st;
    options.phase = out->kind = phase ? NP_CHECK_FROM_RANDOM : NP_CHECK_TO_RANDOM;
    np_queueing_runner.phase(&e->plan, phase, &known);
    memcpy(out->name, known.name, sizeof out->name);
    if ((st = check_rule(e, phase, &options, out)) ||
        (st = np_check_symmetric_between(np_queueing_path(&e->plan), &options, e->result.uniform ? NULL : &ends,
                                         &out->symmetric_result)))
        return st;
    out->oblivious = verdict_of(out->oblivious_result.holds, false);
    out->nonrepeating = verdict_of(out->nonrepeating_result.holds, out->nonrepeating_result.exhaustive);
    out->symmetric = symmetry_of(&out->symmetric_result);
    return NP_OK;
}

static np_status check(examination *e, const np_check_options *options)
{
    np_check_scheme_result *result = &e->result;
    np_status st;
    result->phases = e->plan.phases;
    if ((st = np_memory_zeroed(&e->phase, result->phases, sizeof *e->phase, "the phases' results")))
        return st;
    result->phase = e->phase;
    if (!result->uniform && (st = draw_permutation(e, options->seed)))
        return st;
    for (unsigned i = 0; i < result->phases; i++) {
        np_check_phase_result *phase = &e->phase[i];
        if ((st = check_phase(e, i, options, phase)))
            return st;
        result->fails = result->fails || phase->oblivious == NP_CHECK_FAILS || phase->nonrepeating == NP_CHECK_FAILS ||
                        phase->symmetric == NP_CHECK_FAILS;
    }
    return NP_OK;
}

np_status np_check_scheme(const np_network *network, const char *scheme, const char *paths,
                          const np_check_options *options, np_check_scheme_result **out)
{
    np_route_options names;
    np_check_options taken;
    examination *e;
    np_status st;
    *out = NULL;
    if ((st = np_options_take(&np_check_options_fields, options, &taken)) ||
        (st = np_attributes_heeded(network, "check", 0)) || (st = np_check_network(network)))
        return st;
    options = &taken;
    np_route_options_init(&names);
    names.scheme = scheme;
    names.paths = paths;
    if ((st = np_memory_zeroed(&e, 1, sizeof *e, "a check")))
        return st;
    if ((st = np_route_plan_init(&e->plan, network, "identity", NULL, &names)))
        goto out;
    e->queueing = np_queueing_of(e->plan.scheme);
    if (!e->queueing) {
        st = NP_RAISE(NP_ERROR_APPLY, "scheme '%s' is not a path rule of %s, which is what is checked",
                      e->plan.scheme->info.name, np_network_spec(network));
        goto out;
    }
    e->result.network = network;
    e->result.scheme = e->plan.scheme->info.name;
    e->result.paths = e->plan.paths;
    e->result.seed = options->seed;
    e->result.uniform = e->queueing->uniform;
    st = check(e, options);
out:
    if (st)
        np_check_scheme_result_free(&e->result);
    else
        *out = &e->result;
    return st;
}
