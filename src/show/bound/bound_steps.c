/*
 * Theorems that give a number of steps. The traffic of every run is made again, and the value of the theorem is computed for it. The steps
 * that the run took are compared with this value.
 *
 *   xy, overlay, random-overlay, k-k  A phase takes exactly the steps that the lemma of the linear array (and of the
 *                                     ring) gives for its slowest line; with another queue discipline, at least these.
 *   xy, overlay, random-overlay       All phases of an h-relation, farthest first, take at most the sum of
 *                                     np_bound_lines_worst over the phases: 2n - 2 for h = 1 on n x n.
 *   k-k                               All phases take max{4n, kn/2} + o(kn), with high probability.
 *   k-k-short, k-k-dealt              All phases take 3n + o(n) for k <= 4, kn/2 + o(kn) for k >= 8.
 *   greedy                            A permutation on an n x n mesh, farthest first, takes at most 2n - 2: see below.
 *   shares, group-shares              A phase takes at most the load of its busiest link.
 *   offline                           On complete networks likewise. On products of rows a phase takes at most the
 *                                     steps of a permutation on a row.
 *   circuits                          An edge colouring has as many rounds as the most packets from or to a PU.
 *   grid                              Valiant & Brebner 1981, section 8, in a fixed time for each phase: see
 *                                     np_bound_theorem4_timed.
 *   sparsified                        3n + o(n).
 *
 * Greedy routing in one phase: no packet of a permutation waits in a row, so all packets are in their columns at
 * instant n - 1. src/verdict/bound/array_time.c defines "urgent". Take an unbroken run of urgent packets over a column's link.
 * If it begins at instant n - 1 or before, it ends by n - 1 + r(i,j). If it begins later, its packets have come over
 * the preceding link. So all takes at most n - 1 + max(r(i,j) + j - i - 1) <= 2n - 2.
 */
#include "show/bound/bound.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "papers/offline/offline_plan.h"
#include "run/route/queueing.h"

/* A run for which the theorem's values are computed. */
typedef struct instance {
    const np_network *network;
    const np_route_result *result;
    const np_traffic *traffic; /* NULL: the caller gave the traffic, only h is known */
    uint32_t run, relation;
    double *value; /* [phases + 1] receives the theorem's values; the last is for all phases together */
} instance;

typedef struct claim {
    np_report_relation relation; /* NP_REPORT_CHANCE: none */
    const char *theorem, *formula, *source;
} claim;

static bool is(const char *a, const char *b) { return !strcmp(a, b); }

static bool on_complete(const instance *of) { return np_network_is(of->network, NP_KIND_COMPLETE); }

/* ---- Along lines ---- */

/* Packets that move in a phase, sorted by their lines. */
typedef struct movers {
    np_node *at, *to; /* [packets] */
    np_node *line;    /* [packets] the line's node with coordinate 0; NP_NONE: it moves in another dimension or none */
    size_t *begin;    /* [nodes + 1] of the lines */
    np_node *from, *destination; /* [packets] coordinates, by line */
} movers;

static void movers_clear(movers *m)
{
    void *owned[] = {m->at, m->to, m->line, m->begin, m->from, m->destination};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        np_memory_free(owned[i]);
}

static np_status movers_init(movers *m, np_node nodes, size_t packets)
{
    static const char what[] = "the packets of lines";
    np_status st;
    *m = (movers){.at = NULL};
    if ((st = np_memory_array(&m->at, packets, sizeof *m->at, what)) ||
        (st = np_memory_array(&m->to, packets, sizeof *m->to, what)) ||
        (st = np_memory_array(&m->line, packets, sizeof *m->line, what)) ||
        (st = np_memory_array(&m->begin, (size_t)nodes + 2, sizeof *m->begin, what)) ||
        (st = np_memory_array(&m->from, packets, sizeof *m->from, what)) ||
        (st = np_memory_array(&m->destination, packets, sizeof *m->destination, what)))
        movers_clear(m);
    return st;
}

static void sort_by_line(const np_network *network, size_t packets, uint32_t i, movers *m)
{
    memset(m->begin, 0, ((size_t)network->nodes + 2) * sizeof *m->begin);
    for (size_t p = 0; p < packets; p++) {
        uint32_t x = np_network_coordinate(network, m->at[p], i);
        m->line[p] = x == np_network_coordinate(network, m->to[p], i) ? NP_NONE : m->at[p] - x * network->stride[i];
        if (m->line[p] != NP_NONE)
            m->begin[m->line[p] + 2]++;
    }
    for (np_node u = 0; u < network->nodes; u++)
        m->begin[u + 2] += m->begin[u + 1];
    for (size_t p = 0; p < packets; p++)
        if (m->line[p] != NP_NONE) {
            size_t place = m->begin[m->line[p] + 1]++;
            m->from[place] = np_network_coordinate(network, m->at[p], i);
            m->destination[place] = np_network_coordinate(network, m->to[p], i);
        }
}

static np_status slowest_line(const np_network *network, uint32_t i, const movers *m, double *steps)
{
    np_status st = NP_OK;
    for (np_node u = 0; u < network->nodes && !st; u++) {
        size_t first = m->begin[u], count = m->begin[u + 1] - first;
        np_array_steps line;
        if (!count)
            continue;
        st = np_network_wraps(network)
                 ? np_ring_time(network->side[i], count, m->from + first, m->destination + first, &line)
                 : np_array_time(network->side[i], count, m->from + first, m->destination + first, &line);
        if (!st)
            *steps = fmax(*steps, fmax(line.up, line.down));
    }
    return st;
}

static void take_targets(const instance *of, const np_queueing *queueing, unsigned phase, movers *m)
{
    np_draws draws = {of->result->seed, of->run, (uint16_t)phase, NP_RANDOM_TARGET};
    const np_node *source = np_traffic_sources(of->traffic), *destination = np_traffic_destinations(of->traffic);
    np_packet packets = np_traffic_packets(of->traffic), packet[NP_PATH_BATCH];
    for (np_packet base = 0; base < packets;) {
        np_packet count = packets - base < NP_PATH_BATCH ? packets - base : NP_PATH_BATCH;
        for (np_packet i = 0; i < count; i++)
            packet[i] = base + i;
        np_aim aim = {of->network,  NULL,
                      phase,        &draws,
                      count,        packet,
                      m->at + base, destination + base,
                      source,       np_network_ends(of->network)};
        np_queueing_aim(queueing, &aim, m->to + base);
        base += count;
    }
}

static np_status lemma_values(const instance *of)
{
    const np_scheme *scheme;
    size_t packets = np_traffic_packets(of->traffic);
    movers m;
    np_status st;
    if ((st = np_scheme_find(of->result->scheme, &scheme)) || (st = movers_init(&m, of->network->nodes, packets)))
        return st;
    memcpy(m.at, np_traffic_sources(of->traffic), packets * sizeof *m.at);
    for (unsigned phase = 0; phase < of->result->phases && !st; phase++) {
        np_node *reached = m.to;
        take_targets(of, np_queueing_of(scheme), phase, &m);
        for (uint32_t i = 0; i < of->network->dimensions && !st; i++) {
            sort_by_line(of->network, packets, i, &m);
            st = slowest_line(of->network, i, &m, &of->value[phase]);
        }
        m.to = m.at;
        m.at = reached;
    }
    movers_clear(&m);
    return st;
}

static np_status line_values(const instance *of)
{
    size_t phases = of->result->phases;
    bool k_k = is(of->result->scheme, "k-k"), k_k_short = is(of->result->scheme, "k-k-short");
    uint32_t colours = is(of->result->scheme, "xy") ? 1 : of->network->dimensions;
    if (k_k)
        of->value[phases] = np_bound_k_k(of->network, of->relation);
    else if (k_k_short)
        of->value[phases] = np_bound_k_k_short(of->network, of->relation);
    else
        for (uint32_t p = 0; p < phases; p++)
            of->value[phases] += np_bound_lines_worst(of->network, of->relation, colours, p);
    return of->traffic ? lemma_values(of) : NP_OK;
}

static bool farthest_first(const instance *of) { return is(of->result->queue, "farthest-first"); }

static bool another_queue(const instance *of) { return !farthest_first(of); }

static bool greedy_on_meshes(const instance *of)
{
    return np_network_is(of->network, NP_KIND_OPEN_GRIDS) && of->network->dimensions <= 2 && of->relation <= 1 &&
           farthest_first(of) && is(of->result->paths, "dimension-order");
}

static np_status greedy_values(const instance *of)
{
    for (uint32_t i = 0; i < of->network->dimensions; i++)
        of->value[of->result->phases] += of->network->side[i] - 1;
    return NP_OK;
}

/* ---- Complete networks ---- */

static double divided_up(uint32_t a, uint32_t b) { return a / b + (a % b != 0); }

static np_status share_values(const instance *of)
{
    uint32_t nodes = of->network->nodes, s = 1;
    while ((uint64_t)s * s < nodes)
        s++;
    bool groups = is(of->result->scheme, "group-shares");
    double *value = of->value + (groups ? 2 : 0);
    value[0] = divided_up(of->relation, nodes);
    value[1] = (groups ? divided_up(nodes, s) : nodes) + of->relation / nodes;
    value[2] = value[0] + value[1];
    if (groups) {
        of->value[0] = nodes > 1;
        of->value[1] = s - 1;
        value[2] += of->value[0] + of->value[1];
    }
    return NP_OK;
}

static np_status coloured_values(const instance *of)
{
    of->value[0] = of->value[1] = divided_up(of->relation, of->network->nodes);
    of->value[of->result->phases] = 2 * of->value[0];
    return NP_OK;
}

static np_status circuit_values(const instance *of)
{
    of->value[of->result->phases] = of->relation;
    return NP_OK;
}

/* ---- Off line ---- */

static bool on_products(const instance *of)
{
    np_product product;
    if (on_complete(of))
        return false;
    np_product_of(of->network, &product);
    return np_product_bound(&product, NP_LINE_STRAIGHT) != 0;
}

static np_status row_values(const instance *of)
{
    np_line_rule rule = is(of->result->queue, "exchange") ? NP_LINE_EXCHANGE : NP_LINE_STRAIGHT;
    np_product product;
    np_product_of(of->network, &product);
    for (uint32_t p = 0; p < of->result->phases; p++)
        of->value[p] = np_product_phase_bound(&product, rule, p);
    of->value[of->result->phases] = (double)np_product_bound(&product, rule);
    return NP_OK;
}

static bool anything(const instance *of)
{
    (void)of;
    return true;
}

/* ---- Grids, with a fixed time for each phase ---- */

static bool fixed_times(const instance *of) { return np_report_bound_timed_applies(of->network, of->result); }

static np_status timed_values(const instance *of)
{
    np_packet packets = of->traffic ? np_traffic_packets(of->traffic) : of->result->packets;
    of->value[of->result->phases] = np_report_bound_timed_expected(of->network, of->relation, packets);
    return NP_OK;
}

static np_status dealt_values(const instance *of)
{
    of->value[of->result->phases] = np_bound_k_k_short(of->network, of->relation);
    return NP_OK;
}

static np_status sparsified_values(const instance *of)
{
    of->value[of->result->phases] = of->network->side[0] + 2.0 * of->network->side[1];
    return NP_OK;
}

/* ---- The list ---- */

#define RANDOMIZATION "Sibeyn, lecture notes, using randomization"
#define ROUTING "Sibeyn, lecture notes, routing"
#define OFF_LINE "Sibeyn, lecture notes, off-line routing"

static const claim exact_line = {NP_REPORT_EXACTLY, "lemma on linear arrays and rings",
                                 "max over lines and i < j of r(i,j) + j - i - 1", RANDOMIZATION};
static const claim any_schedule = {NP_REPORT_AT_LEAST, "lemma on linear arrays and rings, of any schedule",
                                   "max over lines and i < j of r(i,j) + j - i - 1", RANDOMIZATION};
static const claim relations = {NP_REPORT_AT_MOST, "greedy routing, for h-relations",
                                "2n - 2 on n x n for h = 1; sum of h min(sides done, sides left) (n - 1)", ROUTING};
static const claim k_k = {NP_REPORT_ABOUT, "theorem on k-k routing",
                          "max{4n, kn/2} + o(kn), max{2dn, kn/2} in d dimensions, half on tori; w.h.p., o(kn) left out",
                          RANDOMIZATION};
static const claim k_k_short = {NP_REPORT_ABOUT, "k-k routing in 2d - 1 phases",
                                "2 max{n, kn/8} + max{n, kn/4} + o(kn) on n x n, half on tori; w.h.p., o(kn) left out",
                                RANDOMIZATION};
static const claim k_k_dealt = {NP_REPORT_ABOUT, "k-k routing in 2d - 1 phases",
                                "2 max{n, kn/8} + max{n, kn/4} + o(kn) on n x n, o(kn) left out", RANDOMIZATION};
static const claim no_claim = {NP_REPORT_CHANCE, "", "", ""};
static const claim link_load = {NP_REPORT_AT_MOST, "loads of the links", "A: ceil(m/P), B: P + m/P", RANDOMIZATION};
static const claim group_load = {NP_REPORT_AT_MOST, "loads of the links",
                                 "G1: 1, G2: sqrt(P) - 1, A: ceil(m/P), B: sqrt(P) + m/P", RANDOMIZATION};
static const claim coloured_load = {NP_REPORT_AT_MOST, "coloured all-to-all", "ceil(m/P)", OFF_LINE};
static const claim coloured_all = {NP_REPORT_AT_MOST, "coloured all-to-all", "2 ceil(m/P)", OFF_LINE};
static const claim circuits = {NP_REPORT_AT_MOST, "edge colouring (Koenig 1916)",
                               "D rounds: the most packets from or to a PU; exactly, if all of these move",
                               "Sibeyn, lecture notes, interconnection networks"};
static const claim row = {NP_REPORT_AT_MOST, "permutations on rows",
                          "exchange: n, else n - 1, rings floor(n/2), complete 1", OFF_LINE};
static const claim product = {NP_REPORT_AT_MOST, "theorem on product networks", "2 T_B + T_C, (2d-1) n", OFF_LINE};
static const claim three_n = {NP_REPORT_ABOUT, "theorem on sparsification", "3n + o(n), o(n) left out", OFF_LINE};
static const claim timed = {
    NP_REPORT_AT_MOST, "Theorem 4, expected steps with a fallback",
    "(2k-1)(n + g) + F P[some phase is late], F = sum of n - 1 + T - 1, for the least g at which "
    "the fallback adds one step",
    "Valiant & Brebner 1981, section 8"};
static const claim two_n = {NP_REPORT_AT_MOST, "greedy routing of permutations", "2n - 2 on n x n", ROUTING};

static const struct {
    const char *scheme;
    bool (*speaks)(const instance *of); /* of->relation: the largest of all runs */
    const claim *phase, *total;
    np_status (*values)(const instance *of);
} theorems[] = {
    {"xy", farthest_first, &exact_line, &relations, line_values},
    {"overlay", farthest_first, &exact_line, &relations, line_values},
    {"random-overlay", farthest_first, &exact_line, &relations, line_values},
    {"k-k", farthest_first, &exact_line, &k_k, line_values},
    {"k-k-short", farthest_first, &exact_line, &k_k_short, line_values},
    {"xy", another_queue, &any_schedule, &no_claim, line_values},
    {"overlay", another_queue, &any_schedule, &no_claim, line_values},
    {"random-overlay", another_queue, &any_schedule, &no_claim, line_values},
    {"k-k", another_queue, &any_schedule, &k_k, line_values},
    {"k-k-short", another_queue, &any_schedule, &k_k_short, line_values},
    {"greedy", greedy_on_meshes, &no_claim, &two_n, greedy_values},
    {"shares", on_complete, &link_load, &link_load, share_values},
    {"group-shares", on_complete, &group_load, &group_load, share_values},
    {"offline", on_complete, &coloured_load, &coloured_all, coloured_values},
    {"offline", on_products, &row, &product, row_values},
    {"k-k-dealt", anything, &no_claim, &k_k_dealt, dealt_values},
    {"circuits", anything, &no_claim, &circuits, circuit_values},
    {"grid", fixed_times, &no_claim, &timed, timed_values},
    {"sparsified", anything, &no_claim, &three_n, sparsified_values},
};

enum { THEOREMS = sizeof theorems / sizeof *theorems };

/* ---- Runs ---- */

static bool kept(np_report_relation relation, double steps, double value)
{
    return relation == NP_REPORT_EXACTLY    ? steps == value
           : relation == NP_REPORT_AT_MOST  ? steps <= value
           : relation == NP_REPORT_AT_LEAST ? steps >= value
                                            : true;
}

/* Compares the steps of one run with the theorem's value for this run. */
static void add_run(const claim *what, double steps, const instance *of, double value, np_report_bound *out)
{
    out->theorem = what->theorem;
    out->source = what->source;
    out->formula = what->formula;
    out->relation = of->relation > out->relation ? of->relation : out->relation;
    out->packets = of->result->packets;
    out->steps.relation = what->relation;
    out->steps.theorem = fmax(out->steps.theorem, value);
    out->steps.measured = fmax(out->steps.measured, steps);
    out->steps.equal += steps == value;
    out->steps.broken += !kept(what->relation, steps, value);
}

static void add_all(size_t theorem, const instance *of, np_report_bound *bounds)
{
    const np_route_result *result = of->result;
    double all = 0;
    for (size_t i = 0; i < result->phases; i++) {
        double steps = result->phase[i].run[of->run].steps;
        const claim *phase = theorems[theorem].phase;
        all += steps;
        if (phase->relation && (of->traffic || theorems[theorem].values != line_values))
            add_run(phase, steps, of, of->value[i], &bounds[i]);
    }
    if (theorems[theorem].total->relation)
        add_run(theorems[theorem].total, all, of, of->value[result->phases], &bounds[result->phases]);
}

/* The traffic of the run: drawn for this run, or the same for all runs. h of the result if it cannot be made again. */
static np_status make_traffic(const instance *of, np_traffic **traffic, uint32_t *relation)
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

static np_status tell_run(size_t theorem, instance *of, np_report_bound *bounds)
{
    np_traffic *traffic;
    np_status st = make_traffic(of, &traffic, &of->relation);
    of->traffic = traffic;
    memset(of->value, 0, (of->result->phases + 1) * sizeof *of->value);
    if (!st)
        st = theorems[theorem].values(of);
    if (!st)
        add_all(theorem, of, bounds);
    np_traffic_free(traffic);
    return st;
}

np_status np_report_bound_steps(const np_network *network, const np_route_result *result, uint32_t relation,
                                np_report_bound *bounds)
{
    instance of = {.network = network, .result = result, .relation = relation};
    size_t theorem = 0;
    np_status st;
    while (theorem < THEOREMS && (!is(theorems[theorem].scheme, result->scheme) || !theorems[theorem].speaks(&of)))
        theorem++;
    if (theorem == THEOREMS || result->overlap || result->phase_time)
        return NP_OK;
    if ((st = np_memory_array(&of.value, result->phases + 1, sizeof *of.value, "the bounds")))
        return st;
    for (of.run = 0; of.run < result->runs && !st; of.run++)
        st = tell_run(theorem, &of, bounds);
    for (size_t i = 0; i <= result->phases; i++)
        bounds[i].phase = i < result->phases ? result->phase[i].name : "total";
    np_memory_free(of.value);
    return st;
}
