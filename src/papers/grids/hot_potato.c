/*
 * The scheme `hot-potato`: routing without queues on the n x n mesh, a cheap baseline. In every step each packet on its
 * way crosses some link. At a node the packets choose links one after the other, the one with the farthest way first,
 * of equal ones that of the smaller number. A packet takes a free link that leads nearer: in the dimension in which it
 * has farther to go, of equal ones in its column; else in the other one. If there is none, it takes the first free one
 * of up, down, left, right, and is farther away. There is always one, because at most as many packets come to a node as
 * links leave it.
 *
 * A packet starts in a step in which a link that leads nearer is free after all others have chosen. So a node may have
 * any number of packets to send.
 *
 * Nothing is proved of the time, and it is not proved that every packet arrives: packets could go round for ever. So a
 * run ends with an error after ROUNDS n steps and as many as there are packets. The usual permutations take as many
 * steps as their largest distance; others take more (docs/meshes.md).
 *
 * A packet's delay is the number of steps that it takes more than it has hops. They are those before its start:
 * deflections are in its hops.
 */
#include <string.h>

#include "papers/grids/grid_queues.h"
#include "run/route/scheme.h"

enum { ROUNDS = 100 }; /* ours */

typedef struct potato {
    np_runner base;
    np_grid_queues queues;
    size_t block_bytes;
    np_packet *here;    /* [nodes * NP_GRID_PORTS] those that came to a node in the step */
    uint8_t *count;     /* [nodes] how many */
    uint8_t *taken;     /* [nodes] a bit for each port that somebody has chosen, or that does not exist */
    np_node *met;       /* [nodes] those to which some packet came */
    np_packet *waiting; /* [waits] those that have not started */
    size_t waits;
} potato;

static void layout(void *object, np_arena *arena)
{
    static const char what[] = "packets without queues";
    potato *h = object;
    size_t nodes = h->queues.network->nodes;
    np_grid_queues_layout(&h->queues, arena);
    np_arena_array(arena, &h->here, NP_GRID_PORTS * nodes, sizeof *h->here, what);
    np_arena_array(arena, &h->count, nodes, sizeof *h->count, what);
    np_arena_array(arena, &h->taken, nodes, sizeof *h->taken, what);
    np_arena_array(arena, &h->met, nodes, sizeof *h->met, what);
    np_arena_array(arena, &h->waiting, h->queues.packets, sizeof *h->waiting, what);
}

/* ---- Links ---- */

/* Links that the node lacks. */
static uint8_t missing(const potato *h, np_node u)
{
    uint32_t row = np_grid_row(&h->queues, u), column = np_grid_column(&h->queues, u), last = h->queues.side - 1;
    return (uint8_t)((row == 0) << NP_GRID_UP | (row == last) << NP_GRID_DOWN | (column == 0) << NP_GRID_LEFT |
                     (column == last) << NP_GRID_RIGHT);
}

static uint32_t distance(const potato *h, np_packet p)
{
    const np_grid_queues *q = &h->queues;
    return np_grid_between(np_grid_row(q, q->at[p]), np_grid_row(q, q->to[p])) +
           np_grid_between(np_grid_column(q, q->at[p]), np_grid_column(q, q->to[p]));
}

/* The free link that leads nearer and that the packet prefers; NP_NONE: there is none. */
static np_port nearer(const potato *h, np_packet p)
{
    const np_grid_queues *q = &h->queues;
    np_node at = q->at[p], to = q->to[p];
    uint32_t row = np_grid_row(q, at), column = np_grid_column(q, at), rows, columns;
    uint32_t end_row = np_grid_row(q, to), end_column = np_grid_column(q, to);
    rows = np_grid_between(row, end_row);
    columns = np_grid_between(column, end_column);
    np_port vertical = row < end_row ? NP_GRID_DOWN : NP_GRID_UP;
    np_port horizontal = column < end_column ? NP_GRID_RIGHT : NP_GRID_LEFT;
    bool down = rows && !(h->taken[at] >> vertical & 1), across = columns && !(h->taken[at] >> horizontal & 1);
    if (down && (rows >= columns || !across))
        return vertical;
    return across ? horizontal : NP_NONE;
}

static void go(potato *h, np_packet p, np_port port)
{
    h->taken[h->queues.at[p]] |= (uint8_t)(1 << port);
    np_grid_queues_enter(&h->queues, p, port);
}

/* ---- A node ---- */

static bool before(const potato *h, np_packet p, np_packet r)
{
    uint32_t a = distance(h, p), b = distance(h, r);
    return a > b || (a == b && p < r);
}

/* The packets of the node in the order in which they choose. */
static void order(potato *h, np_node u)
{
    np_packet *here = h->here + (size_t)u * NP_GRID_PORTS;
    for (int i = 1; i < h->count[u]; i++)
        for (int j = i; j > 0 && before(h, here[j], here[j - 1]); j--) {
            np_packet other = here[j];
            here[j] = here[j - 1];
            here[j - 1] = other;
        }
}

static void leave(potato *h, np_node u)
{
    const np_packet *here = h->here + (size_t)u * NP_GRID_PORTS;
    order(h, u);
    for (int i = 0; i < h->count[u]; i++) {
        np_port port = nearer(h, here[i]);
        if (port == NP_NONE)
            port = (np_port)__builtin_ctz(~(unsigned)h->taken[u]);
        go(h, here[i], port);
    }
    h->count[u] = 0;
}

/* ---- Steps ---- */

static void arrive(potato *h)
{
    np_grid_queues *q = &h->queues;
    size_t met = 0;
    for (np_node u = 0; u < q->network->nodes; u++)
        h->taken[u] = missing(h, u);
    for (size_t i = 0; i < q->moves; i++) {
        np_packet p = q->moved[i];
        np_node u = q->at[p];
        if (u == q->to[p]) {
            np_grid_queues_land(q, p);
            continue;
        }
        if (!h->count[u])
            h->met[met++] = u;
        h->here[(size_t)u * NP_GRID_PORTS + h->count[u]++] = p;
    }
    for (size_t i = 0; i < met; i++)
        leave(h, h->met[i]);
}

/* Those that have not started do so, if a link is free. */
static void start(potato *h)
{
    size_t kept = 0;
    for (size_t w = 0; w < h->waits; w++) {
        np_packet p = h->waiting[w];
        np_port port = nearer(h, p);
        if (port != NP_NONE)
            go(h, p, port);
        else
            h->waiting[kept++] = p;
    }
    h->waits = kept;
}

static np_status step(potato *h, const np_runner_job *job)
{
    np_grid_queues *q = &h->queues;
    uint64_t most = (uint64_t)ROUNDS * q->side + q->packets;
    if (q->step >= most)
        return NP_RAISE(NP_ERROR_LIMIT, "hot-potato: %zu packets are on their way after %llu steps, perhaps for ever",
                        q->left, (unsigned long long)most);
    np_grid_queues_send(q, NULL, NULL);
    for (size_t w = 0; w < h->waits; w++)
        np_grid_queues_tell_rest(q, h->waiting[w], NP_EVENT_ROOM);
    arrive(h);
    start(h);
    return np_grid_queues_end_step(q, job);
}

static void begin(potato *h)
{
    np_grid_queues *q = &h->queues;
    memset(h->count, 0, q->network->nodes);
    h->waits = 0;
    arrive(h);
    for (np_packet p = 0; p < q->packets; p++)
        if (q->at[p] == q->to[p])
            np_grid_queues_land(q, p);
        else
            h->waiting[h->waits++] = p;
    start(h);
}

static np_status run(np_runner *runner, const np_runner_job *job, np_phase_run *out, np_delays *delays)
{
    potato *h = (potato *)runner;
    np_status st;
    h->queues.packets = np_traffic_packets(job->traffic);
    if ((st = np_arena_renew(h, layout, "packets without queues", &h->base.block, &h->block_bytes)) ||
        (st = np_grid_queues_begin(&h->queues, job, out)))
        return st;
    begin(h);
    while (h->queues.left && !st)
        st = step(h, job);
    *delays = (np_delays){h->queues.delay, h->queues.packets, 0};
    return st ? st : np_grid_queues_end(&h->queues);
}

/* ---- The runner and the scheme ---- */

static np_status bind(np_route_plan *plan) { return np_route_plan_say(plan, "deflected", "none, farthest-first"); }

static uint64_t bytes(const np_route_plan *plan)
{
    potato h = {.queues = np_grid_queues_sizes(plan)};
    return np_arena_bytes(&h, sizeof h, layout);
}

static np_status init(np_runner *runner)
{
    ((potato *)runner)->queues = np_grid_queues_sizes(runner->plan);
    return NP_OK;
}

const np_scheme np_scheme_hot_potato = {
    .info = {"hot-potato", "no queues: every packet moves in every step, the farthest chooses its link first",
             "a baseline", .networks = "mesh of n x n"},
    .refuses = np_grid_queues_refuses,
    .runner = &(const np_runner_ops){.bind = bind, .bytes = bytes, .size = sizeof(potato), .init = init, .run = run},
    .heeds = NP_NAMES("trace"),
    .unproved = "nothing is proved of its steps, not even that every packet arrives",
};
