/*
 * The scheme `deal`: permutations on the n x n mesh in about 2n steps with short queues, on line. What it takes is
 * measured (docs/meshes.md). Nothing is proved but that every packet arrives: its cost on every permutation is open.
 *
 * A packet goes along its column to some row, along this row, and along the column of its destination, as in
 * spread_turns.c and, off line, in Kaklamanis, Krizanc & Rao 1992. The packet with the farthest way left goes first,
 * and no packet waits for another leg. What is left is the choice of the rows, by what nodes know after o(n) steps:
 *
 * - Which rows. A packet from row r to row r' over c columns that starts after t steps is in time for step 2n - 2 if
 *   its row x has |x - (r + r')/2| <= (2n - 2 - t - c)/2, and if it waits nowhere.
 *
 * - Which of them. Its share f of these rows, 0 <= f < 1, is the fraction of i g, with g the golden ratio. Fractions
 *   of any N successive i leave gaps of three lengths at most, all of order 1/N. So i is dealt out: in each block of
 *   b x b nodes the packets for a strip of b columns are numbered, and i is the number plus the offset of the block.
 *   Offsets are a Latin square, so blocks in one row or column of blocks do not all deal out the same fractions.
 *
 * - Numbering: deal_numbers.c, in T = 1.5 b + n/b steps, b the power of two above n^(2/3). Packets that have the time
 *   start after T steps. Messages of the count use links that no packet uses.
 *
 * - The others. If the distance is more than 2n - 2 - T, the packet starts at once, with its row plus its column as i.
 *   So does, later, a packet whose number is not there after T steps, because others were in the way.
 *
 * - Turning. Where two packets wait for the link of the row already, a packet goes straight on, if this is within the
 *   block and in time. Then it turns in the next row, by the same rule.
 *
 * With up to k packets from and to a node, 2k wait for the link before a packet goes straight on. For k > 2 links are
 * the bound, not distances: packets have until step D = 2.5 n instead of 2n - 2, so that all may use about all rows.
 *
 * Every packet arrives: its way is at most 3n + b links, and the packet with the farthest way of all moves.
 *
 * Symbols: n, k, b, T, D, g, i, f, x as above.
 */
#include <string.h>

#include "papers/grids/deal_numbers.h"
#include "run/route/scheme.h"

static const uint64_t GOLDEN = 0x9E3779B97F4A7C15; /* frac(g) 2^64 */

enum { TO_ROW, ALONG_ROW, TO_DESTINATION };

typedef struct deal {
    np_runner base;
    np_grid_queues queues;
    np_deal_numbers numbers;
    uint32_t side, start;    /* n, T */
    uint32_t deadline, turn; /* D; how many wait for a link before others go straight on */
    size_t block_bytes;
    uint32_t *row;      /* [packets] x */
    uint8_t *leg;       /* [packets] */
    int8_t *way;        /* [packets] 1: straight on is down; -1: up */
    np_packet *waiting; /* [waits] those that start after T steps */
    size_t waits;
} deal;

static void layout(void *object, np_arena *arena)
{
    static const char what[] = "packets on a mesh";
    deal *d = object;
    np_grid_queues_layout(&d->queues, arena);
    np_deal_numbers_layout(&d->numbers, arena);
    np_arena_array(arena, &d->row, d->queues.packets, sizeof *d->row, what);
    np_arena_array(arena, &d->leg, d->queues.packets, sizeof *d->leg, what);
    np_arena_array(arena, &d->way, d->queues.packets, sizeof *d->way, what);
    np_arena_array(arena, &d->waiting, d->queues.packets, sizeof *d->waiting, what);
}

/* ---- The ways ---- */

static uint32_t row_of(const deal *d, np_node u) { return np_grid_row(&d->queues, u); }
static uint32_t column_of(const deal *d, np_node u) { return np_grid_column(&d->queues, u); }

static uint32_t remaining(const void *scheme, np_packet p)
{
    const deal *d = scheme;
    np_node at = d->queues.at[p], to = d->queues.to[p];
    uint32_t row = row_of(d, at), end = row_of(d, to);
    if (d->leg[p] == TO_DESTINATION)
        return np_grid_between(row, end);
    uint32_t columns = np_grid_between(column_of(d, at), column_of(d, to));
    return np_grid_between(row, d->row[p]) + columns + np_grid_between(d->row[p], end);
}

/* The row that is the share f / 2^32 of the rows by which it can be in time, if it starts after t steps. */
static uint32_t share_of_rows(const deal *d, np_packet p, uint32_t t, uint32_t f)
{
    np_node at = d->queues.at[p], to = d->queues.to[p];
    int64_t columns = np_grid_between(column_of(d, at), column_of(d, to)),
            rows = (int64_t)row_of(d, at) + row_of(d, to);
    int64_t spare = (int64_t)d->deadline - t - columns, low = (rows - spare + 1) / 2, high = (rows + spare) / 2;
    low = rows < spare ? 0 : low;
    high = high < d->side ? high : (int64_t)d->side - 1;
    return (uint32_t)(low + (int64_t)(((uint64_t)(high - low + 1) * f) >> 32));
}

static void choose(deal *d, np_packet p, uint32_t t, int64_t i)
{
    np_node at = d->queues.at[p], to = d->queues.to[p];
    bool same = column_of(d, at) == column_of(d, to);
    d->row[p] = same ? row_of(d, to) : share_of_rows(d, p, t, (uint32_t)((uint64_t)i * GOLDEN >> 32));
    d->leg[p] = TO_ROW;
    d->way[p] = d->row[p] > row_of(d, at) || (d->row[p] == row_of(d, at) && row_of(d, to) >= d->row[p]) ? 1 : -1;
}

/* May the packet, which is where it should turn, turn in the next row, too? */
static bool goes_on(const deal *d, np_packet p)
{
    np_node at = d->queues.at[p], to = d->queues.to[p];
    uint32_t row = row_of(d, at), next = row + (uint32_t)d->way[p], b = d->numbers.width;
    if (next >= d->side || next / b != row / b)
        return false;
    uint32_t left = 1 + np_grid_between(column_of(d, at), column_of(d, to)) + np_grid_between(next, row_of(d, to));
    return d->queues.step + left <= d->deadline;
}

static bool turns(const deal *d, np_packet p)
{
    np_node at = d->queues.at[p], to = d->queues.to[p];
    np_port port = column_of(d, at) < column_of(d, to) ? NP_GRID_RIGHT : NP_GRID_LEFT;
    return d->queues.length[at * NP_GRID_PORTS + port] < d->turn || !goes_on(d, p);
}

/* The packet is at a node of its way, and goes on. */
static void enter(deal *d, np_packet p)
{
    np_node at = d->queues.at[p], to = d->queues.to[p];
    uint32_t row = row_of(d, at), column = column_of(d, at), wants = d->leg[p] == TO_ROW ? d->row[p] : row_of(d, to);
    if (d->leg[p] == TO_ROW && row == wants && column != column_of(d, to)) {
        if (turns(d, p))
            d->leg[p] = ALONG_ROW;
        else
            wants = d->row[p] += (uint32_t)d->way[p];
    }
    if (column == column_of(d, to) && (d->leg[p] == ALONG_ROW || row == wants)) {
        d->leg[p] = TO_DESTINATION;
        wants = row_of(d, to);
    }
    if (at == to)
        np_grid_queues_land(&d->queues, p);
    else if (d->leg[p] == ALONG_ROW)
        np_grid_queues_enter(&d->queues, p, column < column_of(d, to) ? NP_GRID_RIGHT : NP_GRID_LEFT);
    else
        np_grid_queues_enter(&d->queues, p, row < wants ? NP_GRID_DOWN : NP_GRID_UP);
}

/* ---- A run ---- */

/* i of a packet that has no number. */
static int64_t address(const deal *d, np_packet p)
{
    return (int64_t)row_of(d, d->queues.at[p]) + column_of(d, d->queues.at[p]);
}

static void start_at_once(deal *d)
{
    d->waits = 0;
    for (np_packet p = 0; p < d->queues.packets; p++) {
        np_node at = d->queues.at[p], to = d->queues.to[p];
        uint32_t distance =
            np_grid_between(row_of(d, at), row_of(d, to)) + np_grid_between(column_of(d, at), column_of(d, to));
        if (distance && distance + d->start <= d->deadline) {
            d->waiting[d->waits++] = p;
            continue;
        }
        choose(d, p, 0, address(d, p));
        enter(d, p);
    }
}

static void start_others(deal *d)
{
    uint32_t b = d->numbers.width;
    for (size_t w = 0; w < d->waits; w++) {
        np_packet p = d->waiting[w];
        np_node at = d->queues.at[p];
        int32_t number;
        bool numbered = np_deal_numbers_take(&d->numbers, p, &number);
        int64_t offset = (row_of(d, at) / b + column_of(d, at) / b) % d->numbers.strips;
        choose(d, p, d->start, numbered ? number + offset : address(d, p));
        enter(d, p);
    }
    d->waits = 0;
}

static np_status step(deal *d, const np_runner_job *job)
{
    np_grid_queues *q = &d->queues;
    np_grid_queues_send(q, remaining, d);
    for (size_t i = 0; i < q->moves; i++)
        enter(d, q->moved[i]);
    for (size_t w = 0; w < d->waits; w++)
        np_grid_queues_tell_rest(q, d->waiting[w], NP_EVENT_PHASE);
    if (d->waits)
        np_deal_numbers_step(&d->numbers);
    if (q->step == d->start)
        start_others(d);
    return np_grid_queues_end_step(q, job);
}

static np_status run(np_runner *runner, const np_runner_job *job, np_phase_run *out, np_delays *delays)
{
    deal *d = (deal *)runner;
    uint32_t k;
    np_status st = np_traffic_relation(job->traffic, runner->plan->network, &k);
    d->queues.packets = np_traffic_packets(job->traffic);
    d->turn = 2 * k;
    d->deadline = k <= 2 ? 2 * d->side - 2 : 5 * d->side / 2;
    if (st || (st = np_arena_renew(d, layout, "packets on a mesh", &d->base.block, &d->block_bytes)) ||
        (st = np_grid_queues_begin(&d->queues, job, out)))
        return st;
    np_deal_numbers_begin(&d->numbers, &d->queues);
    start_at_once(d);
    while (d->queues.left && !st)
        st = step(d, job);
    *delays = (np_delays){d->queues.delay, d->queues.packets, 0};
    return st ? st : np_grid_queues_end(&d->queues);
}

/* ---- The runner and the scheme ---- */

static deal sizes_of(const np_route_plan *plan)
{
    deal d = {.queues = np_grid_queues_sizes(plan),
              .numbers = np_deal_numbers_sizes(plan->network),
              .side = plan->network->side[0]};
    d.start = np_deal_numbers_steps(&d.numbers);
    return d;
}

static np_status bind(np_route_plan *plan)
{
    plan->phases = 1;
    plan->paths = "dealt";
    np_route_plan_say_queue(plan, "farthest-first");
    return NP_OK;
}

static uint64_t bytes(const np_route_plan *plan)
{
    deal d = sizes_of(plan);
    return np_arena_bytes(&d, sizeof d, layout);
}

static np_status init(np_runner *runner)
{
    deal d = sizes_of(runner->plan);
    d.base = *runner;
    *(deal *)runner = d;
    return NP_OK;
}

const np_scheme np_scheme_deal = {
    .info = {"deal", "column, row, column without barriers; blocks deal the rows out: about 2n steps, measured",
             "ours, after Kaklamanis, Krizanc & Rao 1992", .networks = "mesh of n x n"},
    .refuses = np_grid_queues_refuses,
    .runner = &(const np_runner_ops){.bind = bind, .bytes = bytes, .size = sizeof(deal), .init = init, .run = run},
    .heeds = NP_NAMES("trace"),
    .unproved = "its steps are measured: what it takes for every permutation is open",
};
