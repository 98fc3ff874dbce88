/* Bounds that np_bound_for does not know, because they need figures measured on the paths. */
#include "show/bound/bound.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/log2.h"
#include "base/real.h"

/* The least x at which the bound is at most e^ln; -1 if there is none below 2^40. */
static double reach(const np_report_curve *bound, double ln)
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

double np_report_share_of_steps(const np_phase_result *phase, uint32_t runs, double value)
{
    uint32_t count = 0;
    for (uint32_t r = 0; r < runs; r++)
        count += phase->run[r].steps > value;
    return (double)count / runs;
}

double np_report_share_of_delay(const np_phase_result *phase, uint32_t runs, double value)
{
    uint32_t count = 0;
    for (uint32_t r = 0; r < runs; r++)
        count += phase->run[r].delay_max >= value;
    return (double)count / runs;
}

double np_report_bound_rung(const np_report_curve *bound, size_t i, double *before)
{
    static const double exponent[NP_REPORT_BOUND_ROWS] = {0, -1, -2, -3, -6, -9, -12, -30};
    double x = reach(bound, i ? exponent[i] * NP_LN10 : -1e-9);
    if (x < 0 || x == *before)
        return -1;
    return *before = x;
}

/* Adds a row for each rung; base + x is printed. */
static void fill(const np_report_curve *bound, double base, share_of share, const np_phase_result *phase, uint32_t runs,
                 np_report_bound *out)
{
    double before = -1;
    for (size_t i = 0; i < NP_REPORT_BOUND_ROWS; i++) {
        double x = np_report_bound_rung(bound, i, &before), ln = x < 0 ? 0 : bound->at(bound->context, x);
        if (x >= 0)
            out->row[out->rows++] = (np_report_bound_row){
                .value = base + x, .bound = np_exp(ln), .log2 = ln / NP_LN2, .measured = share(phase, runs, base + x)};
    }
}

/* Why no theorem applies to the runs; NULL: one does. */
static const char *refuse(const np_route_result *result, const np_phase_result *phase)
{
    const np_merge_options *merge = &result->merge;
    if (strcmp(result->scheme, "ranked"))
        return "Theorem 2.9 is about ranks";
    if (phase->fixed_ranks)
        return "nothing is random in this phase: its ranks are fixed";
    if (merge->ranks == NP_RANKS_FILE)
        return "nothing is random about ranks of a file: 'netpram ranks --input' bounds the steps that they take";
    if (merge->ranks == NP_RANKS_HASH && merge->combine == NP_COMBINE_NONE && result->relation > 1)
        return "Theorem 2.11 needs packets for one destination to combine, because their ranks are equal";
    if (merge->queue_size < 2)
        return "Theorem 2.9 is proved for queues of at least 2 packets";
    if (merge->message_most > 1 && merge->message_mode != NP_MESSAGES_CYCLES)
        return "Theorem 2.12 gives constants for message cycles only: --messages cycles";
    if (merge->no_ghosts)
        return "Theorem 2.9 needs the ghosts";
    return NULL;
}

/* What all runs have at most. */
typedef struct largest {
    np_packet packets, fewest;
    uint32_t congestion; /* of destinations, where packets combine */
    bool ends_meet;
} largest;

static largest largest_of(const np_phase_result *phase, uint32_t runs)
{
    largest all = {.fewest = NP_NONE};
    for (uint32_t r = 0; r < runs; r++) {
        const np_phase_run *run = &phase->run[r];
        all.congestion = run->congestion_destinations > all.congestion ? run->congestion_destinations : all.congestion;
        all.packets = run->packets > all.packets ? run->packets : all.packets;
        all.fewest = run->packets < all.fewest ? run->packets : all.fewest;
        all.ends_meet |= run->ends_meet;
    }
    return all;
}

/* The scheduling as the theorems see it. */
static np_bound_leveled leveled_of(const np_route_result *result, const np_phase_result *phase)
{
    const np_merge_options *merge = &result->merge;
    largest all = largest_of(phase, result->runs);
    bool combine = merge->combine != NP_COMBINE_NONE, hash = combine || merge->ranks == NP_RANKS_HASH;
    double links = (double)phase->emulation.degree * all.congestion;
    return (np_bound_leveled){
        .depth = phase->levels.mean,
        .degree = phase->emulation.degree,
        .packets = all.packets,
        .congestion = all.congestion,
        /*
         * Packets come over links or leave over links; where both kinds end, all that combine for a node count as one.
         */
        .node_packets = !all.ends_meet ? links
                        : combine      ? links + 1
                                       : 2 * links,
        .queue_size = merge->queue_size,
        .rank_range = merge->rank_range,
        .independence = !hash                 ? 0
                        : merge->independence ? merge->independence
                                              : np_log2_up(all.fewest) + 1,
    };
}

/* A leveled phase and its theorem. */
typedef struct leveled_phase {
    np_bound_leveled leveled;
    double message_most; /* 1: packets */
} leveled_phase;

static double at_theorem29(const void *context, double x)
{
    return np_bound_theorem29(&((const leveled_phase *)context)->leveled, x);
}

static double at_theorem211(const void *context, double x)
{
    return np_bound_theorem211(&((const leveled_phase *)context)->leveled, x);
}

static double at_theorem212(const void *context, double x)
{
    const leveled_phase *of = context;
    return np_bound_theorem212(&of->leveled, of->message_most, x);
}

/* The theorems, by what is routed; `apart` where no packet ends where another begins. */
enum { BY_RANDOM, BY_HASH, IN_MESSAGES };

static const struct {
    const char *name, *source, *formula, *apart;
    double (*at)(const void *context, double x);
} theorems[] = {
    [BY_RANDOM] =
        {"Theorem 2.9", "Leighton, Maggs, Ranade & Rao 1994, section 2.3",
         "P[more than L + 1 + w steps] <= (L+1) N (2D)^l C(l+w, w) (2Dc)^w C(R+w, w) / R^w, l = L + 2w/q, for "
         "paths of the measured congestion c",
         "P[more than L + 1 + w steps] <= (L+1) N (2D)^l C(l+w, w) (Dc)^w C(R+w, w) / R^w, l = L + 2w/q, for "
         "paths of the measured congestion c",
         at_theorem29},
    [BY_HASH] = {"Theorem 2.11", "Leighton, Maggs, Ranade & Rao 1994, section 2.3.1",
                 "P[more than L + 1 + w steps] <= min over s <= k of (L+1) N (2D)^l' C(l'+s, s) (2Dc)^s R C(R'+s-1, "
                 "s-1) / R^s, l' = 2(L + 2w/q)/a, R' = 2R/a, a = w/s, for paths of the measured congestion c",
                 "P[more than L + 1 + w steps] <= min over s <= k of (L+1) N (2D)^l' C(l'+s, s) (Dc)^s R C(R'+s-1, "
                 "s-1) / R^s, l' = 2(L + 2w/q)/a, R' = 2R/a, a = w/s, for paths of the measured congestion c",
                 at_theorem211},
    [IN_MESSAGES] =
        {"Theorem 2.12", "Leighton, Maggs, Ranade & Rao 1994, section 2.3.2",
         "P[more than m(L + 1 + w) steps] <= the bound of Theorem 2.9 or 2.11 on more than L + 1 + w steps, for "
         "messages of up to m packets, and c messages over a link",
         "P[more than m(L + 1 + w) steps] <= the bound of Theorem 2.9 or 2.11 on more than L + 1 + w steps, for "
         "messages of up to m packets, and c messages over a link",
         at_theorem212},
};

void np_report_bound_ranked(const np_route_result *result, const np_phase_result *phase, np_report_bound *out)
{
    const char *reason = refuse(result, phase);
    leveled_phase of = {leveled_of(result, phase), result->merge.message_most};
    unsigned theorem = of.message_most > 1 ? IN_MESSAGES : of.leveled.independence > 0 ? BY_HASH : BY_RANDOM;
    out->theorem = theorems[theorem].name;
    out->source = theorems[theorem].source;
    out->formula = largest_of(phase, result->runs).ends_meet ? theorems[theorem].formula : theorems[theorem].apart;
    out->packets = (np_packet)of.leveled.packets;
    out->relation = result->relation;
    if (reason)
        snprintf(out->reason, sizeof out->reason, "%s", reason);
    else if (!out->packets)
        snprintf(out->reason, sizeof out->reason, "no packet moves in this phase");
    else
        fill(&(np_report_curve){theorems[theorem].at, &of}, of.message_most * (of.leveled.depth + 1),
             np_report_share_of_steps, phase, result->runs, out);
    out->measure = "steps";
}

/* ---- Lemma 7.2 ---- */

typedef struct fat_tree {
    const np_network *network;
    double load_factor, same;
    np_bound_leveled leveled;
} fat_tree;

static double at_lemma72(const void *context, double x)
{
    const fat_tree *t = context;
    return np_bound_lemma72(t->network, t->load_factor, t->same, &t->leveled, x);
}

bool np_report_bound_fat_tree(const np_network *network, const np_route_result *result, uint32_t relation,
                              double load_factor, np_report_bound *out)
{
    const np_phase_result *phase = &result->phase[0];
    if (!result->has_load_factor || !phase->leveled || refuse(result, phase) || result->merge.message_most > 1)
        return false;
    fat_tree t = {network, load_factor, result->merge.combine ? 1 : relation, leveled_of(result, phase)};
    *out =
        (np_report_bound){.phase = phase->name,
                          .theorem = "Lemma 7.2",
                          .source = "Leighton, Maggs, Ranade & Rao 1994, section 7",
                          .formula = "P[more than t steps] <= min over c of P[congestion > c], for the load factor, + "
                                     "P[more than t steps with congestion c], by Theorem 2.9 or 2.11",
                          .relation = relation,
                          .packets = (np_packet)t.leveled.packets,
                          .measure = "steps"};
    if (out->packets)
        fill(&(np_report_curve){at_lemma72, &t}, 0, np_report_share_of_steps, phase, result->runs, out);
    return out->packets;
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
    out->packets = largest_of(phase, result->runs).packets;
    r.sets = out->packets / np_network_terminals(network); /* counts the sets of h-relation:x too */
    out->theorem = r.sets > 1 ? "section 8" : "section 5";
    out->source = "Ranade 1987a";
    out->formula = r.sets > 1 ? "P[delay >= d] <= N^2 C(n+x-2, n-1) (e (n+x-1) / d)^d, x = h"
                              : "P[delay >= d] <= min over z of N z^-d prod_i (1 + z 2^-i)^(2^(i-1)), i = 1..n";
    out->relation = r.sets;
    out->measure = "delay";
    if (strcmp(result->scheme, "constrained"))
        snprintf(out->reason, sizeof out->reason, "the bounds of Ranade 1987a are for constrained randomization");
    else if (result->overlap)
        snprintf(out->reason, sizeof out->reason,
                 "phases overlap: the bounds are for a Router that starts when A has ended");
    else if (phase == &result->phase[0])
        snprintf(out->reason, sizeof out->reason,
                 "phase A is the Randomizer, which takes exactly n + x - 1 = %u cycles", r.stages + r.sets - 1);
    else
        fill(&(np_report_curve){at_router, &r}, 0, np_report_share_of_delay, phase, result->runs, out);
}
