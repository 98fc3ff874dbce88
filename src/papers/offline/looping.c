/*
 * The looping algorithm on Benes networks (Benes 1965, chapter 3; the algorithm is that of Waksman 1968 and of Opferman
 * & Tsao-Wu 1971): every permutation goes by ways no two of which have a link in common.
 *
 * The network of 2n - 1 stages has two networks of 2n - 3 stages between its first and its last stage (benes.c). Each
 * packet must go through one of the two. The two packets of a switch of the first stage leave it by different outputs,
 * so they go through different ones, and so do the two packets that come to a switch of the last stage. Begin with a
 * packet and send it through the upper network. The other packet of its last switch then goes through the lower one,
 * the other packet of its first switch through the upper one, and so on: a loop, which ends where it began, and never
 * wants two things of a packet, because the steps lead to packets of the upper and the lower network in turn. When all
 * loops are done, each of the two networks has one packet at each input and output. It is the same problem again.
 *
 * More packets. Here a terminal may send and receive up to h packets, and a switch has up to 2h. The packets of a
 * switch are paired, on either side, and a loop leads from partner to partner; it may be a chain that has two ends. The
 * two of a pair go different ways, so of d packets of a switch at most ceil(d/2) <= h take either output. By induction
 * no link carries more than h packets.
 *
 * Steps. With h = 1 nobody waits: 2n - 1 steps. A link takes a packet in every step in which one waits for it. So a
 * packet waits at most h - 1 steps for each link, and h (2n - 1) steps are enough for any h.
 *
 * All loops of a level are found in one pass over the packets: O(n) time a packet. Nothing is drawn. The choice needs
 * to know all packets, so it is made beforehand, and is not counted.
 *
 * Symbols: n, N = 2^n terminals, h; level s: the choice in stage s < n - 1.
 */
#include "base/memory.h"
#include "model/network/read_node.h"
#include "model/path/finding.h"
#include "run/route/queueing.h"
#include "run/route/theorem.h"

enum { UPPER, LOWER, OPEN }; /* the outputs of a switch; not chosen yet */

typedef struct looping {
    const np_network *network;
    const np_demand *demand;
    size_t packets;
    void *block;
    uint64_t *way;          /* [packets] bit s: the output that it takes in stage s */
    uint32_t *at;           /* [packets] its switch of the stage, from 0 */
    uint32_t *first, *last; /* [packets] its partner at its first switch, and at its last; NP_NONE: it has none */
    uint32_t *single[2];    /* [N/2] the packet of a switch that has no partner yet */
    uint8_t *output;        /* [packets] in the stage */
} looping;

static void layout(void *object, np_arena *arena)
{
    static const char what[] = "the loops of packets";
    looping *l = object;
    np_arena_array(arena, &l->way, l->packets, sizeof *l->way, what);
    NP_ARENA_WORDS(arena, l->packets, what, &l->at, &l->first, &l->last);
    NP_ARENA_WORDS(arena, l->network->input_nodes, what, &l->single[0], &l->single[1]);
    np_arena_array(arena, &l->output, l->packets, sizeof *l->output, what);
}

static uint64_t bytes(const np_path *path, size_t packets)
{
    looping l = {.network = path->network, .packets = packets};
    return np_arena_bytes(&l, 0, layout);
}

static uint32_t terminal_of(const looping *l, uint32_t p) { return l->demand->to[p] - l->network->output_first; }

static void pair(uint32_t *single, uint32_t p, uint32_t *partner)
{
    partner[p] = *single;
    if (*single != NP_NONE)
        partner[*single] = p;
    *single = *single == NP_NONE ? p : NP_NONE;
}

/* Of the network that a packet is in, the last stage has 2^(n-1-s) switches, and it leaves by output terminal >> s. */
static void pair_all(looping *l, uint32_t s)
{
    uint32_t half = l->network->input_nodes, bits = l->network->dimensions - 1 - s, inside = (UINT32_C(1) << bits) - 1;
    for (uint32_t i = 0; i < half; i++)
        l->single[0][i] = l->single[1][i] = NP_NONE;
    for (uint32_t p = 0; p < l->packets; p++) {
        uint32_t at = l->at[p], last = (at & ~inside) | terminal_of(l, p) >> (s + 1);
        pair(&l->single[0][at], p, l->first);
        pair(&l->single[1][last], p, l->last);
        l->output[p] = OPEN;
    }
}

/* Goes along the loop or chain from p on, by the partner at a last switch or at a first one, until a packet has its
   output or there is no partner. */
static void follow(looping *l, uint32_t p, bool by_last)
{
    for (uint32_t q; (q = by_last ? l->last[p] : l->first[p]) != NP_NONE && l->output[q] == OPEN; by_last = !by_last) {
        l->output[q] = l->output[p] == UPPER ? LOWER : UPPER;
        p = q;
    }
}

static void choose(looping *l, uint32_t s)
{
    uint32_t bits = l->network->dimensions - 1 - s, inside = (UINT32_C(1) << bits) - 1;
    pair_all(l, s);
    for (uint32_t p = 0; p < l->packets; p++) {
        if (l->output[p] != OPEN)
            continue;
        l->output[p] = UPPER;
        follow(l, p, true);
        follow(l, p, false);
    }
    for (uint32_t p = 0; p < l->packets; p++) {
        uint32_t at = l->at[p], input = at & inside, network = (at & ~inside) >> bits << 1 | l->output[p];
        l->way[p] |= (uint64_t)l->output[p] << s;
        l->at[p] = network << (bits - 1) | input >> 1;
    }
}

/* From the middle stage on the destination says the way: output bit n - 1 - k of its number in stage n - 1 + k. */
static void keep(np_finding *f, const looping *l, uint32_t p)
{
    np_port *port = f->routes->seeker[0].port;
    uint32_t n = l->network->dimensions, hops = 0;
    for (; hops + 1 < n; hops++)
        port[hops] = l->way[p] >> hops & 1;
    for (uint32_t bit = n; bit-- > 0;)
        port[hops++] = terminal_of(l, p) >> bit & 1;
    np_finding_keep(f, p, hops, port);
}

static np_status begin(looping *l)
{
    for (uint32_t p = 0; p < l->packets; p++) {
        np_node from = l->demand->from[p];
        if (from >= l->network->input_nodes || l->demand->to[p] < l->network->output_first)
            return NP_RAISE(
                NP_ERROR_APPLY,
                "paths 'looping' lead from an input to an output, and node %.80s is no input or node %.80s no output",
                NP_NODE_NAME(l->network, from), NP_NODE_NAME(l->network, l->demand->to[p]));
        l->at[p] = from;
        l->way[p] = 0;
    }
    return NP_OK;
}

static void pass(np_finding *f)
{
    looping l = {.network = f->routes->graph->network, .demand = f->demand, .packets = f->demand->count};
    uint32_t n = l.network->dimensions;
    np_status st = np_arena_place(&l, layout, "the loops of packets", &l.block);
    if (!st)
        st = begin(&l);
    for (uint32_t s = 0; !st && s + 1 < n && !atomic_load(&f->stop); s++) {
        choose(&l, s);
        np_finding_tell(f, (np_node)((uint64_t)s * (l.network->nodes - 1) / n));
    }
    for (uint32_t p = 0; !st && p < l.packets && !atomic_load(&f->stop); p++)
        keep(f, &l, p);
    np_memory_free(l.block);
    if (st)
        np_finding_fail(f, st);
}

static const np_only only = {NP_KIND_BENES, "it is for Benes networks"};

static const char SOURCE[] = "Benes 1965; Waksman 1968; Opferman & Tsao-Wu 1971";

const np_path_rule np_path_looping = {
    .info = {"looping", "the looping algorithm: no two packets of a permutation share a link", SOURCE,
             .networks = "benes"},
    .shortest = true,
    .only = &only,
    .chooser = &(const np_chooser){.together = true, .pass = pass, .bytes = bytes},
    .start = np_routes_start,
    .next = np_routes_next,
    .remaining = np_routes_remaining,
};

/* ---- The scheme ---- */

static np_status values(const np_theorem_run *of)
{
    of->value[of->result->phases] = (double)of->relation * (2 * of->network->dimensions - 1);
    return NP_OK;
}

static const np_claim disjoint = {NP_CLAIM_AT_MOST, "at most h packets over a link",
                                  "h (2N - 1): 2N - 1 for a permutation, whose ways have no link in common", SOURCE};

const np_scheme np_scheme_looping = {
    .info = {"looping", "a permutation by ways without a common link, found beforehand: nobody waits", SOURCE,
             .networks = "benes"},
    .preferred = true,
    .only = &only,
    .queueing = &(const np_queueing){.paths = "looping", .queue = "fifo"},
    .heeds = NP_NAMES("queue", "steps", "trace"),
    .theorems = NP_THEOREMS({.values = values, .total = &disjoint}),
};
