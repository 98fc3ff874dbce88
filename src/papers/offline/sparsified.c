/*
 * The scheme `sparsified`: the off-line schedule of the a x b mesh, done on line.
 * It colours far fewer edges than one for each packet (Sibeyn, lecture notes,
 * off-line routing, sparsification).
 *
 * The mesh is divided into submeshes of about sqrt(a) x sqrt(b), in R_a bundles
 * of rows and R_b bundles of columns. A packet from row bundle I to row bundle
 * J goes by way of a column bundle, not of a column. A superpacket is s packets
 * from I to J; all of them go by the same column bundle. The graph has R_a nodes
 * a side and an edge for each superpacket: about sqrt(ab) (b + R_a) / sqrt(b)
 * edges for ab packets. Colour x goes by way of column bundle x mod R_b.
 *
 * Phases of a packet at (I, C), with destination (J, C'), by way of column bundle X:
 *   A  in each submesh: packets of one X are dealt to the rows in equal shares
 *   1  along rows to X       B  in each submesh: packets of one J are dealt to the columns
 *   2  along columns to J    C  in each submesh: packets of one C' are dealt to the rows
 *   3  along rows to C'      D  in each submesh: to the destination
 * A lettered phase takes a number of steps in proportion to sqrt(n); the whole
 * therefore takes 3n + o(n).
 *
 * Where we depart from the notes, whose box with the theorem is missing. The
 * sides of submeshes and the size of superpackets (s = the height of a submesh)
 * are our choice: at most one superpacket for each pair of bundles is partly
 * filled, which adds at most a share of 1 / sqrt(n) to what a submesh gets. A
 * packet that reaches a submesh does not look for the first node with room. It
 * is told a node: packets of one line get the nodes of the line in turn. The steps that counting,
 * colouring and dealing out would take are not counted (they are local to
 * submeshes, but for the counts of superpackets, R_a^2 numbers).
 */
#include <math.h>
#include <string.h>

#include "papers/offline/colouring.h"
#include "papers/grids/submeshes.h"
#include "run/route/theorem.h"

enum { PHASES = 7 };

/* The tables of a thread. */
typedef struct sparsified {
    np_submeshes mesh;
    uint32_t *via;                   /* [packets] column bundle X */
    uint32_t *order;                 /* [packets] */
    uint32_t *count;                 /* [counts_of + 1] */
    uint32_t *left, *right, *colour; /* [superpackets_of] */
} sparsified;

/* About sqrt(lines) bundles, whose sizes differ by one at most. */
static np_bundles bundles_of(uint32_t lines)
{
    return (np_bundles){.lines = lines, .count = (uint32_t)lround(sqrt(lines))};
}

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

/* The most counts that any phase needs. */
static size_t counts_of(const sparsified *s)
{
    size_t r = larger(s->mesh.rows.count, s->mesh.columns.count);
    return larger(s->mesh.rows.count * s->mesh.columns.count * r,
                  larger(s->mesh.rows.lines, s->mesh.columns.lines) * r);
}

/* The most superpackets: one for each pair of bundles is partly filled. */
static size_t superpackets_of(const sparsified *s)
{
    size_t pairs = (size_t)s->mesh.rows.count * s->mesh.rows.count, size = s->mesh.rows.lines / s->mesh.rows.count;
    return s->mesh.packets / size + (pairs < s->mesh.packets ? pairs : s->mesh.packets);
}

static void layout(void *object, np_arena *arena)
{
    sparsified *s = object;
    np_submeshes_layout(&s->mesh, arena);
    NP_ARENA_WORDS(arena, s->mesh.packets, "packets", &s->via, &s->order);
    np_arena_array(arena, &s->count, counts_of(s) + 1, sizeof *s->count, "counts of packets");
    NP_ARENA_WORDS(arena, superpackets_of(s), "superpackets", &s->left, &s->right, &s->colour);
}

static np_status create(const np_network *network, void **tables)
{
    return np_submeshes_create(network, sizeof(sparsified), bundles_of, tables);
}

static uint64_t bytes(const np_network *network, uint64_t packets)
{
    sparsified s = {.mesh = np_submeshes_sizes(network, packets, bundles_of)};
    return np_arena_bytes(&s, sizeof s, layout) +
           np_bipartite_bytes(s.mesh.rows.count, superpackets_of(&s), superpackets_of(&s));
}

/* ---- Superpackets ---- */

static uint32_t pair_of(const sparsified *s, np_node from, np_node to)
{
    return s->mesh.rows.of[np_submeshes_row(&s->mesh, from)] * s->mesh.rows.count +
           s->mesh.rows.of[np_submeshes_row(&s->mesh, to)];
}

/*
 * order[p] = which superpacket of its pair packet p is in. count[i] = the number of the first superpacket of pair i.
 * Returns the number of superpackets.
 */
static uint32_t make_superpackets(sparsified *s, const np_traffic *traffic)
{
    const np_node *from = np_traffic_sources(traffic), *to = np_traffic_destinations(traffic);
    uint32_t size = np_bundles_width(&s->mesh.rows, 0), pairs = s->mesh.rows.count * s->mesh.rows.count, sum = 0;
    memset(s->count, 0, pairs * sizeof *s->count);
    for (np_packet p = 0; p < np_traffic_packets(traffic); p++)
        s->order[p] = s->count[pair_of(s, from[p], to[p])]++ / size;
    for (uint32_t i = 0; i < pairs; i++) {
        uint32_t own = (s->count[i] + size - 1) / size;
        s->count[i] = sum;
        sum += own;
    }
    s->count[pairs] = sum;
    return sum;
}

static np_status choose_ways(sparsified *s, const np_traffic *traffic)
{
    const np_node *from = np_traffic_sources(traffic), *to = np_traffic_destinations(traffic);
    uint32_t edges = make_superpackets(s, traffic), colours, r = s->mesh.rows.count;
    np_bipartite graph = {r, r, edges, s->left, s->right};
    np_status st;
    for (uint32_t i = 0; i < r * r; i++)
        for (uint32_t e = s->count[i]; e < s->count[i + 1]; e++) {
            s->left[e] = i / r;
            s->right[e] = i % r;
        }
    if ((st = np_bipartite_colour(&graph, &colours, s->colour)))
        return st;
    for (np_packet p = 0; p < np_traffic_packets(traffic); p++)
        s->via[p] = s->colour[s->count[pair_of(s, from[p], to[p])] + s->order[p]] % s->mesh.columns.count;
    return NP_OK;
}

/* ---- Targets of the phases ---- */

/* The bundle to which a trip takes the packet: trips 0, 1, 2 are phases 1, 2, 3. */
static uint32_t bundle_for(const sparsified *s, uint32_t trip, const np_node *to, np_packet p)
{
    if (trip == 0)
        return s->via[p];
    return trip == 1 ? s->mesh.rows.of[np_submeshes_row(&s->mesh, to[p])]
                     : s->mesh.columns.of[np_submeshes_column(&s->mesh, to[p])];
}

/*
 * Before a trip: the packets of a submesh that will go to one bundle are dealt out in turn to the rows of the submesh,
 * or to its columns if the trip goes along columns.
 */
static void deal(sparsified *s, uint32_t trip, np_packet packets, const np_node *at, const np_node *to)
{
    uint32_t r = (uint32_t)larger(s->mesh.rows.count, s->mesh.columns.count),
             blocks = s->mesh.rows.count * s->mesh.columns.count;
    uint32_t *begin = s->count;
    memset(begin, 0, ((size_t)blocks * r + 1) * sizeof *begin);
    for (np_packet p = 0; p < packets; p++) {
        uint32_t block = np_submeshes_of(&s->mesh, at[p]);
        s->order[p] = block * r + bundle_for(s, trip, to, p);
        begin[s->order[p] + 1]++;
    }
    /* Positions count from 0 within each block. */
    for (uint32_t g = 1; g <= blocks * r; g++)
        begin[g] += g % r == 1 || r == 1 ? 0 : begin[g - 1];
    for (uint32_t block = 0; block < blocks; block++)
        begin[block * r] = 0;
    for (np_packet p = 0; p < packets; p++) {
        uint32_t block = s->order[p] / r, position = begin[s->order[p]]++;
        uint32_t i = block / s->mesh.columns.count, j = block % s->mesh.columns.count;
        uint32_t high = np_bundles_width(&s->mesh.rows, i), wide = np_bundles_width(&s->mesh.columns, j);
        uint32_t row = trip == 1 ? position / wide % high : position % high;
        uint32_t column = trip == 1 ? position % wide : position / high % wide;
        s->mesh.target[p] = np_submeshes_node(&s->mesh, s->mesh.rows.first[i] + row, s->mesh.columns.first[j] + column);
    }
}

/* A trip along rows (0, 2) or columns (1): packets of one line for one bundle get the lines of the bundle in turn. */
static void travel(sparsified *s, uint32_t trip, np_packet packets, const np_node *at, const np_node *to)
{
    const np_bundles *across = trip == 1 ? &s->mesh.rows : &s->mesh.columns;
    memset(s->count, 0, (counts_of(s) + 1) * sizeof *s->count);
    for (np_packet p = 0; p < packets; p++) {
        uint32_t row = np_submeshes_row(&s->mesh, at[p]), column = np_submeshes_column(&s->mesh, at[p]),
                 bundle = bundle_for(s, trip, to, p);
        uint32_t turn = s->count[(trip == 1 ? column : row) * across->count + bundle]++;
        uint32_t line = across->first[bundle] + turn % np_bundles_width(across, bundle);
        s->mesh.target[p] =
            trip == 1 ? np_submeshes_node(&s->mesh, line, column) : np_submeshes_node(&s->mesh, row, line);
    }
}

static np_status prepare(void *tables, unsigned phase, const np_traffic *traffic, const np_node *at, np_phase_run *out,
                         bool *computed)
{
    sparsified *s = tables;
    np_packet packets = np_traffic_packets(traffic);
    const np_node *to = np_traffic_destinations(traffic);
    np_status st;
    (void)out, (void)computed;
    if (phase == 0 && ((st = np_submeshes_reserve(&s->mesh, packets, layout)) || (st = choose_ways(s, traffic))))
        return st;
    if (phase + 1 == PHASES)
        memcpy(s->mesh.target, to, packets * sizeof *to);
    else if (phase % 2)
        travel(s, phase / 2, packets, at, to);
    else
        deal(s, phase / 2, packets, at, to);
    return NP_OK;
}

/* ---- The scheme ---- */

static np_status three_n_values(const np_theorem_run *of)
{
    of->value[of->result->phases] = of->network->side[0] + 2.0 * of->network->side[1];
    return NP_OK;
}

static const np_claim three_n = {NP_CLAIM_ABOUT, "theorem on sparsification", "3n + o(n), o(n) left out",
                                 "Sibeyn, lecture notes, off-line routing"};

const np_scheme np_scheme_sparsified = {
    .info = {"sparsified", "the off-line schedule on line: submeshes, superpackets of one colour, queues",
             "Sibeyn, lecture notes, off-line routing", .networks = "mesh of two dimensions"},
    .refuses = np_submeshes_refuses,
    .queueing = &(const np_queueing){.paths = "dimension-order",
                                     .told = "coloured-bundles",
                                     .queue = "farthest-first",
                                     .names = NP_NAMES("A", "1", "B", "2", "C", "3", "D"),
                                     .targets = np_submeshes_targets,
                                     .tables = &(const np_queueing_tables){create, np_submeshes_free, bytes, prepare}},
    .heeds = NP_NAMES("queue", "steps", "trace"),
    .theorems = NP_THEOREMS({.values = three_n_values, .total = &three_n}),
};
