/*
 * The scheme `blocks`: permutations on the n x n mesh in 2n + O(n/q) steps with queues of O(q) packets, on line and
 * without random choices (Kunde 1988). For q that divides n, with s = n/q:
 *
 *   S  Each of the q x q blocks of s x s nodes sorts its packets by the columns of their destinations, along a snake of
 *      the block's columns. Nodes without a packet have an infinite key.
 *   1  Each packet goes along its row to the column of its destination.
 *   2  Each packet goes along its column to its destination, the one with the farthest way first.
 *
 * Steps. Phase 1: there is one packet at most at each node, packets keep their distances, and nobody waits: n - 1.
 * Phase 2: at most n - j packets of a column go to row j or behind, so r(i,j) + j - i - 1 <= n - 1 in the lemma of the
 * linear array (src/verdict/bound/array_time.c), and likewise upwards: n - 1.
 *
 * Queues. Let k packets of a block go to column y. After phase S they are successive along the snake of columns. So
 * they are in at most (k - 1)/s + 2 columns of the block, and a row has at most one of them in each. The q blocks
 * beside each other have at most n packets for column y. So at node (x, y) at most sum ((k - 1)/s + 2) <= n/s + 2q = 3q
 * packets turn, those among them that are there already. In phase 2 a queue loses a packet in every step in which it is
 * not empty, and gets one at most: no queue is ever longer than 3q. A node has 3q packets that turn, at most one from
 * each of two sides besides, in either phase, and one that has ended there: 3q + 3.
 *
 * Sorting. By shearsort (shearsort.c has the proof), with rows and columns exchanged: columns in turn down and up, then
 * rows, ceil(log2 s) times, and columns once more, each by s steps of odd-even transposition. So phase S takes
 * s (2 ceil(log2 s) + 1) steps, 0 for s = 1, whatever the packets are. All together are at most
 *
 *     2n - 2 + c n/q steps,  c = 2 ceil(log2 (n/q)) + 1,  and queues of c' q packets,  c' = 3.
 *
 * Kunde's c is a constant, because his sorter takes O(s) steps. Ours is 13 at most for blocks of up to 64 x 64 nodes,
 * 15 up to 128 x 128. Sorters in 3s + o(s) steps sort blocks of s^(3/4) nodes a side by others such as this one, and
 * would pay for larger blocks only. Every step is played: two neighbours in the wrong order exchange their packets. A
 * packet that stays is compared by a copy of its key, which crosses the link.
 *
 * Symbols: n, q, s, x, y, k, c, c' as above.
 */
#include <stdio.h>
#include <string.h>

#include "base/log2.h"
#include "model/network/read_node.h"
#include "papers/grids/grid_queues.h"
#include "run/route/scheme.h"
#include "run/route/theorem.h"

enum { SORT, ROWS, COLUMNS, PHASES };

typedef struct blocks {
    np_runner base;
    np_grid_queues queues;
    uint32_t side, block; /* n, s */
    size_t byte_count;
    np_packet *holds; /* [nodes] the packet there in phase S; NP_NONE */
    uint8_t *moved;   /* [packets] in the step of phase S */
} blocks;

static void layout(void *object, np_arena *arena)
{
    static const char what[] = "packets of blocks";
    blocks *b = object;
    np_grid_queues_layout(&b->queues, arena);
    np_arena_array(arena, &b->holds, (size_t)b->side * b->side, sizeof *b->holds, what);
    np_arena_array(arena, &b->moved, b->queues.packets, sizeof *b->moved, what);
}

static uint32_t sorting_steps(uint32_t s) { return s == 1 ? 0 : s * (2 * np_log2_up(s) + 1); }

/* ---- Phase S ---- */

/* NP_ERROR_APPLY: some node sends or receives two packets. */
static np_status hold(blocks *b, const np_traffic *traffic)
{
    const np_node *end[] = {np_traffic_destinations(traffic), np_traffic_sources(traffic)};
    static const char *const word[] = {"receives", "sends"};
    for (int i = 0; i < 2; i++) {
        memset(b->holds, 0xff, (size_t)b->side * b->side * sizeof *b->holds); /* NP_NONE */
        for (np_packet p = 0; p < b->queues.packets; p++) {
            if (b->holds[end[i][p]] != NP_NONE)
                return NP_RAISE(NP_ERROR_APPLY, "scheme 'blocks' routes permutations: node %.80s %s two packets",
                                NP_NODE_NAME(b->queues.network, end[i][p]), word[i]);
            b->holds[end[i][p]] = p;
        }
    }
    return NP_OK;
}

/* Packets compare by the columns of their destinations, of equal ones by the rows. */
static uint64_t key(const blocks *b, np_packet p)
{
    if (p == NP_NONE)
        return UINT64_MAX;
    np_node to = b->queues.to[p];
    return (uint64_t)np_grid_column(&b->queues, to) * b->side + np_grid_row(&b->queues, to);
}

/* The packet, if there is one, crosses the link of a port. */
static void leave(blocks *b, np_packet p, np_port port)
{
    if (p == NP_NONE)
        return;
    np_grid_queues_enter(&b->queues, p, port);
    b->moved[p] = true;
}

/* Two neighbours; `port` leads from the first to the second, which shall have the larger key. */
static void compare(blocks *b, np_node low, np_node high, np_port port)
{
    static const np_port back[] = {NP_GRID_DOWN, NP_GRID_UP, NP_GRID_RIGHT, NP_GRID_LEFT};
    np_packet p = b->holds[low], r = b->holds[high];
    if (key(b, p) <= key(b, r))
        return;
    leave(b, p, port);
    leave(b, r, back[port]);
    b->holds[low] = r;
    b->holds[high] = p;
}

/* A stage of odd-even transposition in all columns: even ones of a block downwards, odd ones upwards. */
static void sort_columns(blocks *b, uint32_t stage)
{
    for (uint32_t y = 0; y < b->side; y++) {
        bool up = y % b->block % 2;
        for (uint32_t first = 0; first < b->side; first += b->block)
            for (uint32_t i = stage % 2; i + 1 < b->block; i += 2) {
                uint32_t x = first + (up ? b->block - 1 - i : i);
                np_node low = x * b->side + y;
                compare(b, low, up ? low - b->side : low + b->side, up ? NP_GRID_UP : NP_GRID_DOWN);
            }
    }
}

static void sort_rows(blocks *b, uint32_t stage)
{
    for (uint32_t x = 0; x < b->side; x++)
        for (uint32_t first = 0; first < b->side; first += b->block)
            for (uint32_t i = stage % 2; i + 1 < b->block; i += 2) {
                np_node low = x * b->side + first + i;
                compare(b, low, low + 1, NP_GRID_RIGHT);
            }
}

static np_status sort(blocks *b, const np_runner_job *job)
{
    np_grid_queues *q = &b->queues;
    uint32_t steps = sorting_steps(b->block);
    np_status st = NP_OK;
    for (uint32_t t = 0; t < steps && !st; t++) {
        memset(b->moved, 0, q->packets);
        if (t / b->block % 2)
            sort_rows(b, t % b->block);
        else
            sort_columns(b, t % b->block);
        np_grid_queues_send(q, NULL, NULL);
        for (np_packet p = 0; p < q->packets && q->observed; p++)
            if (!b->moved[p])
                np_grid_queues_tell_rest(q, p, NP_EVENT_PHASE);
        if (t + 1 < steps)
            st = np_grid_queues_end_step(q, job);
    }
    for (np_packet p = 0; p < q->packets; p++)
        np_grid_queues_land(q, p);
    return st ? st : np_grid_queues_end_step(q, job);
}

/* ---- Phases 1 and 2 ---- */

static void go_on(blocks *b, np_packet p, bool rows)
{
    np_grid_queues *q = &b->queues;
    uint32_t at = rows ? np_grid_column(q, q->at[p]) : np_grid_row(q, q->at[p]);
    uint32_t to = rows ? np_grid_column(q, q->to[p]) : np_grid_row(q, q->to[p]);
    if (at == to)
        np_grid_queues_land(q, p);
    else if (rows)
        np_grid_queues_enter(q, p, at < to ? NP_GRID_RIGHT : NP_GRID_LEFT);
    else
        np_grid_queues_enter(q, p, at < to ? NP_GRID_DOWN : NP_GRID_UP);
}

/* In phase 1 the order of a queue does not matter: there is one packet at most. */
static uint32_t remaining(const void *scheme, np_packet p)
{
    const np_grid_queues *q = &((const blocks *)scheme)->queues;
    return np_grid_between(np_grid_row(q, q->at[p]), np_grid_row(q, q->to[p]));
}

static np_status along(blocks *b, const np_runner_job *job, bool rows)
{
    np_grid_queues *q = &b->queues;
    np_status st = NP_OK;
    for (np_packet p = 0; p < q->packets; p++)
        go_on(b, p, rows);
    while (q->left && !st) {
        np_grid_queues_send(q, remaining, b);
        for (size_t i = 0; i < q->moves; i++)
            go_on(b, q->moved[i], rows);
        st = np_grid_queues_end_step(q, job);
    }
    return st;
}

static np_status run(np_runner *runner, const np_runner_job *job, np_phase_run *out, np_delays *delays)
{
    blocks *b = (blocks *)runner;
    np_status st = NP_OK;
    b->queues.packets = np_traffic_packets(job->traffic);
    if (job->phase == SORT && ((st = np_arena_renew(b, layout, "packets of blocks", &b->base.block, &b->byte_count)) ||
                               (st = hold(b, job->traffic))))
        return st;
    if ((st = np_grid_queues_begin(&b->queues, job, out)))
        return st;
    st = job->phase == SORT ? sort(b, job) : along(b, job, job->phase == ROWS);
    *delays = (np_delays){b->queues.delay, b->queues.packets, 0};
    return st ? st : np_grid_queues_end(&b->queues);
}

/* ---- The runner and the scheme ---- */

static blocks sizes_of(const np_route_plan *plan)
{
    uint32_t side = plan->network->side[0];
    return (blocks){.queues = np_grid_queues_sizes(plan), .side = side, .block = side / plan->options.merge.queue_size};
}

static np_status bind(np_route_plan *plan)
{
    uint32_t side = plan->network->side[0], q = plan->options.merge.queue_size, below = q < side ? q : side;
    if (side % q) {
        while (side % below)
            below--;
        return NP_RAISE(NP_ERROR_INPUT, "queue-size: %u does not divide the side %u into blocks: try %u", q, side,
                        below);
    }
    plan->phases = PHASES;
    plan->paths = "sorted";
    np_route_plan_say_queue(plan, "farthest-first");
    return NP_OK;
}

static void phase(const np_route_plan *plan, unsigned number, np_phase_result *out)
{
    static const char *const names[PHASES] = {"S", "1", "2"};
    (void)plan;
    snprintf(out->name, sizeof out->name, "%s", names[number]);
}

static uint64_t bytes(const np_route_plan *plan)
{
    blocks b = sizes_of(plan);
    return np_arena_bytes(&b, sizeof b, layout);
}

static np_status init(np_runner *runner)
{
    blocks b = sizes_of(runner->plan);
    b.base = *runner;
    *(blocks *)runner = b;
    return NP_OK;
}

static np_status values(const np_theorem_run *of)
{
    uint32_t n = of->network->side[0];
    of->value[SORT] = sorting_steps(n / of->result->merge.queue_size);
    of->value[ROWS] = of->value[COLUMNS] = n - 1;
    of->value[PHASES] = of->value[SORT] + of->value[ROWS] + of->value[COLUMNS];
    return NP_OK;
}

static const char SOURCE[] = "Kunde 1988";
static const np_claim a_phase = {NP_CLAIM_AT_MOST, "shearsort, and the lemma of the linear array",
                                 "S: s (2 ceil(log2 s) + 1), s = n/q; 1 and 2: n - 1", SOURCE};
static const np_claim all_phases = {NP_CLAIM_AT_MOST, "sorted blocks",
                                    "2n - 2 + c n/q, c = 2 ceil(log2(n/q)) + 1; queues of at most 3q packets", SOURCE};

const np_scheme np_scheme_blocks = {
    .info = {"blocks", "a permutation: blocks sort by columns, then rows, then columns; queues of 3q, --queue-size q",
             SOURCE, .networks = "mesh of n x n"},
    .refuses = np_grid_queues_refuses,
    .runner =
        &(const np_runner_ops){
            .bind = bind, .phase = phase, .bytes = bytes, .size = sizeof(blocks), .init = init, .run = run},
    .heeds = NP_NAMES("queue_size", "trace"),
    .theorems = NP_THEOREMS({.values = values, .phase = &a_phase, .total = &all_phases}),
};
