/* See bound_leveled.h. */
#include "report/bound_leveled.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/real.h"
#include "netpram/theory.h"

/* A bound as a function of a whole number x of steps or of delay. */
typedef struct curve {
    double (*at)(const void *context, double x); /* its natural logarithm; falls with x */
    const void *context;
} curve;

/* The least x at which the bound is at most e^ln; -1 if there is none below 2^40. */
static double reach(const curve *bound, double ln)
{
    double low = -1, high = 1;
    while (bound->at(bound->context, high) > ln)
        if ((high *= 2) > 0x1p40)
            return -1;
    while (high - low > 1) {
        double middle = floor((low + high) / 2);
        if (bound->at(bound->context, middle) > ln)
            low = middle;
        else
            high = middle;
    }
    return high;
}

typedef double (*share_of)(const np_phase_result *phase, uint32_t runs, double value);

static double share_of_steps(const np_phase_result *phase, uint32_t runs, double value)
{
    uint32_t count = 0;
    for (uint32_t r = 0; r < runs; r++)
        count += phase->run[r].steps > value;
    return (double)count / runs;
}

static double share_of_delay(const np_phase_result *phase, uint32_t runs, double value)
{
    uint32_t count = 0;
    for (uint32_t r = 0; r < runs; r++)
        count += phase->run[r].delay_max >= value;
    return (double)count / runs;
}

/* Adds rows where the bound first falls below 1 and below powers of ten; base + x is printed. */
static void fill(const curve *bound, double base, share_of share, const np_phase_result *phase, uint32_t runs,
                 np_report_bound *out)
{
    static const double exponent[NP_REPORT_BOUND_ROWS] = {0, -1, -2, -3, -6, -9, -12, -30};
    double before = -1;
    for (size_t i = 0; i < NP_REPORT_BOUND_ROWS; i++) {
        double x = reach(bound, i ? exponent[i] * NP_LN10 : -1e-9);
        if (x < 0 || x == before)
            continue;
        before = x;
        double ln = bound->at(bound->context, x);
        out->row[out->rows++] = (np_report_bound_row){
            .value = base + x, .bound = np_exp(ln), .log2 = ln / NP_LN2, .measured = share(phase, runs, base + x)};
    }
}

static double at_theorem29(const void *context, double x) { return np_bound_theorem29(context, x); }

/* Why Theorem 2.9 does not apply to the runs; NULL: it applies. */
static const char *refuse(const np_route_result *result, const np_phase_result *phase)
{
    const np_merge_options *merge = &result->merge;
    if (strcmp(result->scheme, "ranked"))
        return "Theorem 2.9 is about ranks";
    if (phase->fixed_ranks)
        return "nothing is random in this phase: its ranks are fixed";
    if (merge->ranks == NP_RANKS_FILE)
        return "nothing is random about ranks of a file: 'netpram ranks --input' bounds the steps that they take";
    if (merge->ranks != NP_RANKS_RANDOM || merge->combine != NP_COMBINE_NONE)
        return "Theorem 2.9 is for independent ranks; for ranks by hash Theorem 2.11 says the same with other "
               "constants";
    if (merge->queue_size < 2)
        return "Theorem 2.9 is proved for queues of at least 2 packets";
    if (merge->message_most > 1)
        return "Theorem 2.9 is for packets; Theorem 2.12, for messages, gives no constants";
    if (merge->no_ghosts)
        return "Theorem 2.9 needs the ghosts";
    return NULL;
}

static double largest(const np_phase_result *phase, uint32_t runs, uint32_t *packets)
{
    uint32_t c = 0;
    *packets = 0;
    for (uint32_t r = 0; r < runs; r++) {
        c = phase->run[r].congestion > c ? phase->run[r].congestion : c;
        *packets = phase->run[r].packets > *packets ? phase->run[r].packets : *packets;
    }
    return c;
}

void np_report_bound_ranked(const np_route_result *result, const np_phase_result *phase, np_report_bound *out)
{
    const char *reason = refuse(result, phase);
    double c = largest(phase, result->runs, &out->packets), degree = phase->emulation.degree;
    np_bound_leveled leveled = {
        .depth = phase->levels.mean,
        .degree = degree,
        .packets = out->packets,
        .congestion = c,
        .node_packets = 2 * degree * c, /* packets may begin and others end at one node */
        .queue_size = result->merge.queue_size,
        .rank_range = result->merge.rank_range,
    };
    out->theorem = "Theorem 2.9";
    out->source = "Leighton, Maggs, Ranade & Rao 1994, section 2.3";
    out->formula =
        "P[more than L + 1 + w steps] <= (L+1) N (2D)^l C(l+w, w) (2Dc)^w C(R+w, w) / R^w, l = L + 2w/q, for "
        "paths of the measured congestion c";
    out->relation = result->relation;
    if (reason)
        snprintf(out->reason, sizeof out->reason, "%s", reason);
    else if (!out->packets)
        snprintf(out->reason, sizeof out->reason, "no packet moves in this phase");
    else
        fill(&(curve){at_theorem29, &leveled}, leveled.depth + 1, share_of_steps, phase, result->runs, out);
    out->measure = "steps";
}

typedef struct router {
    uint32_t stages, sets;
} router;

static double at_router(const void *context, double x)
{
    const router *r = context;
    return np_bound_constrained(r->stages, r->sets, x);
}

static uint32_t stages_of(const np_network *network)
{
    uint32_t n = 0;
    while ((np_network_terminals(network) >> n) > 1)
        n++;
    return n;
}

void np_report_bound_router(const np_network *network, const np_route_result *result, const np_phase_result *phase,
                            np_report_bound *out)
{
    router r = {stages_of(network), result->permutations};
    largest(phase, result->runs, &out->packets);
    r.sets = out->packets / np_network_terminals(network); /* counts the sets of h-relation:x too */
    out->theorem = r.sets > 1 ? "section 8" : "section 5";
    out->source = "Ranade 1987a";
    out->formula = r.sets > 1 ? "P[delay >= d] <= N^2 C(n+x-2, n-1) (e (n+x-1) / d)^d, x = h"
                              : "P[delay >= d] <= min over z of N z^-d prod_i (1 + z 2^-i)^(2^(i-1)), i = 1..n";
    out->relation = r.sets;
    out->measure = "delay";
    if (strcmp(result->scheme, "constrained"))
        snprintf(out->reason, sizeof out->reason, "the bounds of Ranade 1987a are for constrained randomization");
    else if (phase == &result->phase[0])
        snprintf(out->reason, sizeof out->reason,
                 "phase A is the Randomizer, which takes exactly n + x - 1 = %u cycles", r.stages + r.sets - 1);
    else
        fill(&(curve){at_router, &r}, 0, share_of_delay, phase, result->runs, out);
}
