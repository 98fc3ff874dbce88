/*
 * The scheme `k-k-dealt`: k-k routing on meshes without random choices (Sibeyn, lecture notes, using randomization).
 * The notes deal packets out in the order of their destinations, "coordinated in submeshes of quite considerable size",
 * so that rounding errors are of minor importance even for small k, and "the same result can also be obtained
 * deterministically". They give no algorithm.
 *
 * It is k-k-short (lines.c) with another choice of colours and of random coordinates. The a x b mesh is divided into
 * submeshes of about a^(2/3) x b^(2/3). Each submesh orders its packets by their destinations, column by column.
 * Packets of even ranks are white, those of odd ranks black. White packets go to a row, along it, and along the column
 * of their destinations. Black packets do the same with rows and columns exchanged, and are ordered anew, row by row.
 *
 *   S  in each submesh: the white packets move to its nodes in their order, column by column; the black ones row by row
 *   1  white packets along their columns to the rows that they were dealt; black packets along their rows to columns
 *   2  across: white packets along rows to the columns of their destinations
 *   3  to the destination
 *
 * Which row? The white packets of all submeshes are numbered one submesh after the other, in their order. Packet i gets
 * row floor(a frac(i g)), with g the golden ratio. Any run of successive numbers is spread evenly over the rows: the
 * fractions of N successive multiples leave gaps of three lengths at most, all of order 1/N. The packets of a column
 * before phase 1 are such a run. So are those of a submesh that go to neighbouring columns, and those that go to
 * neighbouring nodes of a column. So in every phase r(i,j) is what it is in the mean for random coordinates, with a
 * rounding error of O(log n) for each of the submeshes. These are a^(1/3) b^(1/3): o(n) in all. By the lemma of the
 * linear array the phases take as long as those of k-k-short, and o(kn).
 *
 * S takes O(k n^(2/3)) steps: o(kn). What a submesh needs to know its order is not counted, as in sparsified.c.
 *
 * Symbols: a rows, b columns, g; I a submesh.
 */
#include <string.h>

#include "papers/grids/submeshes.h"
#include "run/route/theorem.h"

enum { PHASES = 4, WHITE = 0, BLACK = 1 };

static const uint64_t GOLDEN = 0x9E3779B97F4A7C15; /* frac(g) 2^64 */

/* The tables of a thread. */
typedef struct dealt {
    np_submeshes mesh;
    uint32_t *via;    /* [packets] the row of a white packet, the column of a black one */
    uint8_t *colour;  /* [packets] */
    np_packet *order; /* [packets] by submesh, then by destination */
    np_packet *spare; /* [packets] */
    uint32_t *count;  /* [counts_of + 1] */
} dealt;

/* About lines^(1/3) bundles of lines^(2/3) lines: the count c that is nearest, (2c-1)^3 <= 8 lines < (2c+1)^3. */
static np_bundles bundles_of(uint32_t lines)
{
    uint64_t odd = 3;
    while (odd * odd * odd <= 8 * (uint64_t)lines)
        odd += 2;
    return (np_bundles){.lines = lines, .count = (uint32_t)(odd / 2)};
}

/* Nodes, or submeshes: of both there are counts. */
static size_t counts_of(const dealt *s) { return (size_t)s->mesh.rows.lines * s->mesh.columns.lines; }

static void layout(void *object, np_arena *arena)
{
    dealt *s = object;
    np_submeshes_layout(&s->mesh, arena);
    np_arena_array(arena, &s->via, s->mesh.packets, sizeof *s->via, "packets");
    np_arena_array(arena, &s->colour, s->mesh.packets, sizeof *s->colour, "packets");
    NP_ARENA_WORDS(arena, s->mesh.packets, "packets", &s->order, &s->spare);
    np_arena_array(arena, &s->count, counts_of(s) + 1, sizeof *s->count, "counts of packets");
}

static np_status create(const np_network *network, void **tables)
{
    return np_submeshes_create(network, sizeof(dealt), bundles_of, tables);
}

static uint64_t bytes(const np_network *network, uint64_t packets)
{
    dealt s = {.mesh = np_submeshes_sizes(network, packets, bundles_of)};
    return np_arena_bytes(&s, sizeof s, layout);
}

/* ---- The order ---- */

/* Sorts `from` to `to` by the keys of the packets' nodes, each below counts_of. Packets of equal keys stay in order. */
static void sort(dealt *s, size_t packets, const np_packet *from, np_packet *to, const np_node *node,
                 uint32_t (*key)(const np_submeshes *s, np_node u))
{
    uint32_t *begin = s->count;
    memset(begin, 0, (counts_of(s) + 1) * sizeof *begin);
    for (size_t i = 0; i < packets; i++)
        begin[key(&s->mesh, node[from[i]]) + 1]++;
    for (size_t k = 0; k < counts_of(s); k++)
        begin[k + 1] += begin[k];
    for (size_t i = 0; i < packets; i++)
        to[begin[key(&s->mesh, node[from[i]])]++] = from[i];
}

static uint32_t column_by_column(const np_submeshes *s, np_node u)
{
    return np_submeshes_column(s, u) * s->rows.lines + np_submeshes_row(s, u);
}

static uint32_t row_by_row(const np_submeshes *s, np_node u)
{
    return np_submeshes_row(s, u) * s->columns.lines + np_submeshes_column(s, u);
}

/* order[] = the packets of a colour, or those of both as long as nobody has one. Returns how many there are. */
static size_t take_in_order(dealt *s, const np_traffic *traffic, bool all, uint8_t colour)
{
    size_t count = 0;
    for (np_packet p = 0; p < s->mesh.packets; p++)
        if (all || s->colour[p] == colour)
            s->order[count++] = p;
    sort(s, count, s->order, s->spare, np_traffic_destinations(traffic),
         colour == WHITE ? column_by_column : row_by_row);
    sort(s, count, s->spare, s->order, np_traffic_sources(traffic), np_submeshes_of);
    return count;
}

static void colour_packets(dealt *s, const np_traffic *traffic)
{
    const np_node *from = np_traffic_sources(traffic);
    size_t count = take_in_order(s, traffic, true, WHITE);
    uint32_t before = NP_NONE, rank = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t submesh = np_submeshes_of(&s->mesh, from[s->order[i]]);
        rank = submesh == before ? rank + 1 : 0;
        before = submesh;
        s->colour[s->order[i]] = rank % 2 ? BLACK : WHITE;
    }
}

/* ---- Dealing ---- */

/*
 * The node of the submesh for the packet of this rank, of `count` packets: evenly along its columns, or along its rows.
 */
static np_node place_in(const dealt *s, uint32_t submesh, size_t rank, size_t count, uint8_t colour)
{
    uint32_t i = submesh / s->mesh.columns.count, j = submesh % s->mesh.columns.count;
    uint32_t high = np_bundles_width(&s->mesh.rows, i), wide = np_bundles_width(&s->mesh.columns, j);
    uint32_t place = (uint32_t)((uint64_t)rank * high * wide / count);
    uint32_t row = colour == WHITE ? place % high : place / wide,
             column = colour == WHITE ? place / high : place % wide;
    return np_submeshes_node(&s->mesh, s->mesh.rows.first[i] + row, s->mesh.columns.first[j] + column);
}

/* frac(i g) of the lines. */
static uint32_t line_for(size_t i, uint32_t lines)
{
    uint32_t fraction = (uint32_t)((uint64_t)i * GOLDEN >> 32);
    return (uint32_t)((uint64_t)fraction * lines >> 32);
}

/* Gives the packets of a colour their nodes for phase S and their lines for phase 1. */
static void deal(dealt *s, const np_traffic *traffic, uint8_t colour)
{
    const np_node *from = np_traffic_sources(traffic);
    size_t count = take_in_order(s, traffic, false, colour);
    for (size_t first = 0, end; first < count; first = end) {
        uint32_t submesh = np_submeshes_of(&s->mesh, from[s->order[first]]);
        for (end = first + 1; end < count && np_submeshes_of(&s->mesh, from[s->order[end]]) == submesh;)
            end++;
        for (size_t i = first; i < end; i++) {
            np_packet p = s->order[i];
            s->mesh.target[p] = place_in(s, submesh, i - first, end - first, colour);
            s->via[p] = line_for(i, colour == WHITE ? s->mesh.rows.lines : s->mesh.columns.lines);
        }
    }
}

/* Phases 1 and 2. */
static void travel(dealt *s, unsigned phase, const np_node *at, const np_node *to)
{
    for (np_packet p = 0; p < s->mesh.packets; p++) {
        bool along_column = (phase == 1) == (s->colour[p] == WHITE);
        uint32_t line = phase == 1     ? s->via[p]
                        : along_column ? np_submeshes_row(&s->mesh, to[p])
                                       : np_submeshes_column(&s->mesh, to[p]);
        s->mesh.target[p] = along_column ? np_submeshes_node(&s->mesh, line, np_submeshes_column(&s->mesh, at[p]))
                                         : np_submeshes_node(&s->mesh, np_submeshes_row(&s->mesh, at[p]), line);
    }
}

static np_status prepare(void *tables, unsigned phase, const np_traffic *traffic, const np_node *at, np_phase_run *out,
                         bool *computed)
{
    dealt *s = tables;
    const np_node *to = np_traffic_destinations(traffic);
    (void)out, (void)computed;
    if (phase == 0) {
        np_status st = np_submeshes_reserve(&s->mesh, np_traffic_packets(traffic), layout);
        if (st)
            return st;
        colour_packets(s, traffic);
        deal(s, traffic, WHITE);
        deal(s, traffic, BLACK);
    } else if (phase + 1 < PHASES)
        travel(s, phase, at, to);
    else
        memcpy(s->mesh.target, to, s->mesh.packets * sizeof *to);
    return NP_OK;
}

/* ---- The scheme ---- */

static np_status short_values(const np_theorem_run *of)
{
    of->value[of->result->phases] = np_bound_k_k_short(of->network, of->relation);
    return NP_OK;
}

static const np_claim as_short = {NP_CLAIM_ABOUT, "k-k routing in 2d - 1 phases",
                                  "2 max{n, kn/8} + max{n, kn/4} + o(kn) on n x n, o(kn) left out",
                                  "Sibeyn, lecture notes, using randomization"};

const np_scheme np_scheme_k_k_dealt = {
    .info = {"k-k-dealt", "as k-k-short, but submeshes deal colours and coordinates out, without random choices",
             "after Sibeyn, lecture notes, using randomization", .networks = "mesh of two dimensions"},
    .refuses = np_submeshes_refuses,
    .queueing = &(const np_queueing){.paths = "dimension-order",
                                     .told = "dealt-out",
                                     .queue = "farthest-first",
                                     .names = NP_NAMES("S", "1", "2", "3"),
                                     .targets = np_submeshes_targets,
                                     .tables = &(const np_queueing_tables){create, np_submeshes_free, bytes, prepare}},
    .heeds = NP_NAMES("queue", "steps", "trace"),
    .theorems = NP_THEOREMS({.values = short_values, .total = &as_short}),
};
