/*
 * clogged:Q   packets from some inputs of butterfly-io:n to different outputs, chosen against queues of Q packets that
 * are
 *             first in, first out: scheme `waves` with --waves 1 --queue-size Q
 *
 * Maggs & Sitaraman 1999 prove that for any deterministic protocol that does not look at destinations some permutation
 * takes Omega(N / (q log N)) steps on N inputs. We had the abstract alone; this is our construction. It plays the
 * protocol, and decides where a packet goes one level at a time: not before a switch wants to know, because the packet
 * heads a queue. Then it takes the side of the least outputs that are not all spoken for. So all switches want to send
 * towards one output, queues fill back to the inputs, and one packet after another gets through. Where the least output
 * is at hand, the queues of the next one are full already.
 *
 * A switch of level l has a class of 2^(n-l) outputs, and so have all 2^(n-l) switches of the class. Their 2 q places
 * each could never be full, because no more packets than outputs enter. So only the inputs that end with k zeros send,
 * and the class has 2^(n-l-k) switches in use. We try all k, and take the one that takes the most steps.
 *
 * The model is that of papers/waves/waves.h with one wave and NP_ROOM_BEGIN: nodes act from the last level to the
 * first; a node takes the first packet that finds room, from the queue of the turn on. A test holds this to the engine,
 * step by step.
 */

#include "base/arena.h"
#include "base/memory.h"
#include "model/traffic/traffic.h"
#include "papers/waves/waves.h"

enum { N_MAX = 12, Q_MAX = 64 };

static const char what[] = "the packets of a clogged butterfly";

/* The queue of an edge. */
typedef struct waiting {
    uint32_t head, count, freed; /* freed: 1 + the last step in which a packet left */
} waiting;

typedef struct clog {
    uint32_t n, q, rows;
    uint32_t k, packets;
    waiting *queue;  /* [(level * rows + row) * 2 + side] into the switch; of level 0 the input's packet is on side 0 */
    uint32_t *place; /* [queues][q] packets */
    uint8_t *turn;   /* [switches] the side that is looked at first */
    uint32_t *left; /* [2 rows] outputs of the class with these first bits that nobody has: at 1, 2 .. 3, 4 .. 7, ... */
    uint8_t *known; /* [rows] levels for which the packet's way is decided */
    uint32_t *output; /* [rows] as far as it is */
    uint32_t now;
} clog;

static void layout(void *object, np_arena *arena)
{
    clog *c = object;
    const size_t switches = (size_t)(c->n + 1) * c->rows;
    np_arena_array(arena, &c->queue, 2 * switches, sizeof *c->queue, what);
    np_arena_array(arena, &c->place, 2 * switches * c->q, sizeof *c->place, what);
    np_arena_array(arena, &c->left, 2 * (size_t)c->rows, sizeof *c->left, what);
    np_arena_array(arena, &c->output, c->rows, sizeof *c->output, what);
    np_arena_array(arena, &c->turn, switches, sizeof *c->turn, what);
    np_arena_array(arena, &c->known, c->rows, sizeof *c->known, what);
}

static waiting *queue_of(const clog *c, uint32_t node, uint32_t side) { return &c->queue[2 * (size_t)node + side]; }

static uint32_t *place_of(const clog *c, const waiting *queue, uint32_t at)
{
    return &c->place[(size_t)(queue - c->queue) * c->q + (queue->head + at) % c->q];
}

static void push(const clog *c, waiting *queue, uint32_t packet) { *place_of(c, queue, queue->count++) = packet; }

static void begin(clog *c, uint32_t k)
{
    c->k = k;
    c->packets = c->rows >> k;
    c->now = 0;
    for (size_t i = 0; i < 2 * (size_t)(c->n + 1) * c->rows; i++)
        c->queue[i] = (waiting){0, 0, 0};
    for (size_t i = 0; i < (size_t)(c->n + 1) * c->rows; i++)
        c->turn[i] = 0;
    for (uint32_t level = 0; level <= c->n; level++)
        for (uint32_t i = 0; i < 1U << level; i++)
            c->left[(1U << level) + i] = c->rows >> level;
    for (uint32_t p = 0; p < c->packets; p++) {
        c->known[p] = 0;
        c->output[p] = 0;
        push(c, queue_of(c, p << k, 0), p);
    }
}

/* The row of the next level to which the packet goes from here. */
static uint32_t next_row(clog *c, uint32_t level, uint32_t row, uint32_t p)
{
    const uint32_t flip = c->rows >> (level + 1);
    if (c->known[p] == level) {
        uint32_t class = (2U << level) + c->output[p] / flip;
        if (!c->left[class])
            c->output[p] |= flip;
        c->left[class + (c->output[p] / flip & 1)]--;
        c->known[p]++;
    }
    return (row & ~flip) | (c->output[p] & flip);
}

/* The head of the queue goes, if there is room. */
static bool goes(clog *c, uint32_t level, uint32_t row, const waiting *from)
{
    if (level == c->n)
        return true;
    const uint32_t p = *place_of(c, from, 0), flip = c->rows >> (level + 1), next = next_row(c, level, row, p);
    waiting *to = queue_of(c, (level + 1) * c->rows + next, (row & flip) != 0);
    if (to->count + (to->freed == c->now + 1) >= c->q)
        return false;
    push(c, to, p);
    return true;
}

/* Returns whether a packet has come to its end. */
static bool act(clog *c, uint32_t level, uint32_t row)
{
    const uint32_t node = level * c->rows + row;
    for (uint32_t i = 0, side = c->turn[node]; i < 2; i++, side = !side) {
        waiting *from = queue_of(c, node, side);
        if (!from->count || !goes(c, level, row, from))
            continue;
        from->head = (from->head + 1) % c->q;
        from->count--;
        from->freed = c->now + 1;
        c->turn[node] = !side;
        return level == c->n;
    }
    return false;
}

/* The steps until all have come. */
static uint32_t play(clog *c, uint32_t k)
{
    begin(c, k);
    for (uint32_t left = c->packets; left; c->now++)
        for (uint32_t level = c->n + 1; level-- > 0;)
            for (uint32_t row = 0; row < c->rows; row++)
                left -= act(c, level, row);
    return c->now;
}

static uint32_t slowest(clog *c)
{
    uint32_t best = 0, most = 0;
    for (uint32_t k = 0; k < c->n; k++) {
        const uint32_t steps = play(c, k);
        if (steps > most) {
            most = steps;
            best = k;
        }
    }
    return best;
}

static np_status plan(np_traffic_plan *plan)
{
    if (!np_network_is(plan->network, NP_KIND_BUTTERFLY_IO) || plan->network->dimensions > N_MAX)
        return NP_RAISE(NP_ERROR_APPLY,
                        "traffic '%s' on %s: it is for butterfly-io:1 to butterfly-io:%d: try butterfly-io:10",
                        plan->name, np_network_spec(plan->network), N_MAX);
    return np_traffic_plan_number(plan, "the packets Q of a queue", 1, Q_MAX);
}

static np_status take(const clog *c, np_traffic *traffic)
{
    np_status st = np_traffic_allocate(traffic, c->packets, false);
    if (st)
        return st;
    for (uint32_t p = 0; p < c->packets; p++) {
        traffic->source[p] = p << c->k;
        traffic->destination[p] = c->output[p];
    }
    return NP_OK;
}

/* Plays what is slowest. traffic: receives the packets. */
static np_status make(uint32_t n, uint32_t q, np_traffic *traffic, uint32_t *steps)
{
    clog c = {.n = n, .q = q, .rows = UINT32_C(1) << n};
    void *block = NULL;
    np_status st = np_arena_place(&c, layout, what, &block);
    if (st)
        return st;
    *steps = play(&c, slowest(&c));
    st = take(&c, traffic);
    np_memory_free(block);
    return st;
}

np_status np_clogged_steps(uint32_t n, uint32_t q, uint32_t *steps)
{
    np_traffic traffic = {.packets = 0};
    np_status st = make(n, q, &traffic, steps);
    NP_MEMORY_FREE(traffic.source, traffic.destination);
    return st;
}

static np_status build(const np_traffic_plan *plan, const np_draws *draws, np_traffic *traffic)
{
    uint32_t steps;
    (void)draws;
    return make(plan->network->dimensions, (uint32_t)plan->number, traffic, &steps);
}

const np_traffic_generator np_traffic_clogged = {
    .info = {"clogged", "on butterfly-io, packets chosen against first in, first out with queues of Q packets",
             "after Maggs & Sitaraman 1999", .parameters = ":Q", .example = "clogged:1"},
    .plan = plan,
    .build = build,
};
