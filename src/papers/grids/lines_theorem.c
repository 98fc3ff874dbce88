/*
 * Theorems of routing along lines (lines.c).
 *
 *   all                          A phase takes exactly the steps that the lemma of the linear array (and of the ring)
 *                                gives for its slowest line; with another queue discipline, at least these.
 *   xy, overlay, random-overlay  All phases of an h-relation, farthest first, take at most the sum of
 *                                np_bound_lines_worst over the phases: 2n - 2 for h = 1 on n x n.
 *   k-k                          All phases take max{4n, kn/2} + o(kn), with high probability.
 *   k-k-short                    All phases take 3n + o(n) for k <= 4, kn/2 + o(kn) for k >= 8.
 */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "run/route/queueing.h"
#include "run/route/theorem.h"

/* Packets that move in a phase, sorted by their lines. */
typedef struct movers {
    np_node nodes;
    size_t packets;
    void *block;
    np_node *at, *to; /* [packets] */
    np_node *line;    /* [packets] the line's node with coordinate 0; NP_NONE: it moves in another dimension or none */
    size_t *begin;    /* [nodes + 2] of the lines */
    np_node *from, *destination; /* [packets] coordinates, by line */
} movers;

static void layout(void *object, np_arena *arena)
{
    static const char what[] = "the packets of lines";
    movers *m = object;
    NP_ARENA_WORDS(arena, m->packets, what, &m->at, &m->to, &m->line);
    np_arena_array(arena, &m->begin, (size_t)m->nodes + 2, sizeof *m->begin, what);
    NP_ARENA_WORDS(arena, m->packets, what, &m->from, &m->destination);
}

static void sort_by_line(const np_network *network, uint32_t i, movers *m)
{
    memset(m->begin, 0, ((size_t)network->nodes + 2) * sizeof *m->begin);
    for (size_t p = 0; p < m->packets; p++) {
        uint32_t x = np_network_coordinate(network, m->at[p], i);
        m->line[p] = x == np_network_coordinate(network, m->to[p], i) ? NP_NONE : m->at[p] - x * network->stride[i];
        if (m->line[p] != NP_NONE)
            m->begin[m->line[p] + 2]++;
    }
    for (np_node u = 0; u < network->nodes; u++)
        m->begin[u + 2] += m->begin[u + 1];
    for (size_t p = 0; p < m->packets; p++)
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

static void take_targets(const np_theorem_run *of, const np_queueing *queueing, unsigned phase, movers *m)
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

static np_status lemma_values(const np_theorem_run *of)
{
    const np_scheme *scheme;
    movers m = {.nodes = of->network->nodes};
    np_status st;
    if (!of->traffic)
        return NP_OK;
    m.packets = np_traffic_packets(of->traffic);
    if ((st = np_scheme_find(of->result->scheme, &scheme)) ||
        (st = np_arena_place(&m, layout, "the packets of lines", &m.block)))
        return st;
    memcpy(m.at, np_traffic_sources(of->traffic), m.packets * sizeof *m.at);
    for (unsigned phase = 0; phase < of->result->phases && !st; phase++) {
        np_node *reached = m.to;
        take_targets(of, np_queueing_of(scheme), phase, &m);
        for (uint32_t i = 0; i < of->network->dimensions && !st; i++) {
            sort_by_line(of->network, i, &m);
            st = slowest_line(of->network, i, &m, &of->value[phase]);
        }
        m.to = m.at;
        m.at = reached;
    }
    np_memory_free(m.block);
    return st;
}

/* ---- The theorems ---- */

static np_status relation_values(const np_theorem_run *of, uint32_t colours)
{
    for (uint32_t p = 0; p < of->result->phases; p++)
        of->value[of->result->phases] += np_bound_lines_worst(of->network, of->relation, colours, p);
    return lemma_values(of);
}

static np_status xy_values(const np_theorem_run *of) { return relation_values(of, 1); }

static np_status overlay_values(const np_theorem_run *of) { return relation_values(of, of->network->dimensions); }

static np_status k_k_values(const np_theorem_run *of)
{
    of->value[of->result->phases] = np_bound_k_k(of->network, of->relation);
    return lemma_values(of);
}

static np_status k_k_short_values(const np_theorem_run *of)
{
    of->value[of->result->phases] = np_bound_k_k_short(of->network, of->relation);
    return lemma_values(of);
}

static bool farthest_first(const np_theorem_run *of) { return !strcmp(of->result->queue, "farthest-first"); }

static const char RANDOMIZATION[] = "Sibeyn, lecture notes, using randomization";

static const np_claim exact_line = {NP_CLAIM_EXACTLY, "lemma on linear arrays and rings",
                                    "max over lines and i < j of r(i,j) + j - i - 1", RANDOMIZATION};
static const np_claim any_schedule = {NP_CLAIM_AT_LEAST, "lemma on linear arrays and rings, of any schedule",
                                      "max over lines and i < j of r(i,j) + j - i - 1", RANDOMIZATION};
static const np_claim relations = {NP_CLAIM_AT_MOST, "greedy routing, for h-relations",
                                   "2n - 2 on n x n for h = 1; sum of h min(sides done, sides left) (n - 1)",
                                   "Sibeyn, lecture notes, routing"};
static const np_claim k_k = {
    NP_CLAIM_ABOUT, "theorem on k-k routing",
    "max{4n, kn/2} + o(kn), max{2dn, kn/2} in d dimensions, half on tori; w.h.p., o(kn) left out", RANDOMIZATION};
static const np_claim k_k_short = {
    NP_CLAIM_ABOUT, "k-k routing in 2d - 1 phases",
    "2 max{n, kn/8} + max{n, kn/4} + o(kn) on n x n, half on tori; w.h.p., o(kn) left out", RANDOMIZATION};

const np_theorem np_xy_theorems[] = {{farthest_first, xy_values, &exact_line, &relations, .of_packets = true},
                                     {NULL, xy_values, &any_schedule, NULL, .of_packets = true},
                                     {.values = NULL}};
const np_theorem np_overlay_theorems[] = {{farthest_first, overlay_values, &exact_line, &relations, .of_packets = true},
                                          {NULL, overlay_values, &any_schedule, NULL, .of_packets = true},
                                          {.values = NULL}};
const np_theorem np_k_k_theorems[] = {{farthest_first, k_k_values, &exact_line, &k_k, .of_packets = true},
                                      {NULL, k_k_values, &any_schedule, &k_k, .of_packets = true},
                                      {.values = NULL}};
const np_theorem np_k_k_short_theorems[] = {
    {farthest_first, k_k_short_values, &exact_line, &k_k_short, .of_packets = true},
    {NULL, k_k_short_values, &any_schedule, &k_k_short, .of_packets = true},
    {.values = NULL}};
