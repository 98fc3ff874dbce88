/*
 * Flashsort on the shuffle-exchange (Leighton, Maggs, Ranade & Rao 1994, Theorem 9.3): butterflies are embedded
 * (embedding.h), each sorts a column by flashsort on all its nodes (Theorem 8.10), and Columnsort does the rest. Its
 * permutations are routed on the whole network (router.h).
 *
 * Symbols: n bits; butterflies of 2^k rows on strings of m bits, n = k + m; g, P, Q as in embedding.h; s columns of
 * r = k 2^k places.
 *
 * Slots. The butterflies are played in slots of 2 (P + Q) steps of the network, a step of every butterfly in each. In a
 * slot no link carries two packets, whatever each butterfly does (embedding.h; tests replay it). So the butterflies
 * need not be in step: each goes from stage to stage by its own clock, as the blocks of a recursion do, and the columns
 * are sorted when the last one is. Hops are counted edge by edge as links of the network.
 *
 * Sizes. The paper has k = m, and s = M / log M columns of M log M keys. Columnsort needs r >= 2 (s-1)^2 or so, which
 * then is true up to M = 2^9 only. Butterflies of N^(1 - epsilon) nodes, which the paper mentions at the end of section
 * 9, repair this: with k = 2 m there are s < 2^m / m columns of r = 2 m 2^2m places, and r > 2 s^2 at all sizes. P = 2
 * then: a slot has 6 steps, and a node has places of up to two butterflies. We take k = m if n is even and k = 2 m
 * else, or m as options say; and as many columns as there are strings, as N / r allows, and as Columnsort sorts.
 *
 * Steps: O(log N), because k, m = Theta(log N) and slots have 2 (P + Q) = O(1) steps: four times flashsort on a
 * butterfly of 2^k rows, and four permutations.
 */
#include <assert.h>
#include <stdio.h>

#include "papers/shuffle_exchange/embedding.h"
#include "work/sort/columnsort.h"
#include "papers/flashsort/flashsort.h"

enum { ROWS_BITS_MIN = 3, BITS_MIN = 6, BITS_MAX = 28 }; /* flashsort's butterflies have 3 levels and more */

/* How the network is divided. */
typedef struct shape {
    uint32_t bits, string_bits; /* k, m */
    uint32_t columns, column;   /* s, r */
} shape;

static const char *refuses(const np_network *network)
{
    uint32_t n = network->dimensions;
    if (n < BITS_MIN || n > BITS_MAX)
        return "butterflies are embedded where there are from 6 to 28 bits";
    return n % 2 && n % 3 ? "butterflies are embedded where the number of bits is even or a multiple of 3" : NULL;
}

/* The bits of the strings, if nobody says how many: half of all bits, or a third. 0: the network is refused. */
static uint32_t string_bits_of(const np_network *network)
{
    uint32_t n = network->dimensions;
    if (refuses(network))
        return 0;
    return n % 2 ? n / 3 : n / 2;
}

static uint32_t common_divisor(uint32_t a, uint32_t b) { return b ? common_divisor(b, a % b) : a; }

/* Without a common divisor there is one period, and a slot has 2 n steps. */
static np_status check(const np_network *network, uint32_t m)
{
    const uint32_t n = network->dimensions, most = NP_SHUFFLE_EMBEDDING_BITS_MAX;
    uint32_t low = n > most ? n - most : 1, high = n - ROWS_BITS_MIN < most ? n - ROWS_BITS_MIN : most;
    if (m < low || m > high)
        return NP_RAISE(NP_ERROR_INPUT, "strings of %u bits on the shuffle-exchange of %u bits: from %u to %u", m, n,
                        low, high);
    if (common_divisor(n, m) == 1)
        return NP_RAISE(NP_ERROR_INPUT,
                        "strings of %u bits on the shuffle-exchange of %u bits: must have a common divisor, as %u has",
                        m, n, string_bits_of(network));
    return NP_OK;
}

static np_status shape_of(const np_sorting *sorting, shape *out)
{
    const np_network *network = sorting->network;
    uint32_t n = network->dimensions, given = sorting->options ? sorting->options->constants.string_bits : 0;
    uint32_t m = given ? given : string_bits_of(network);
    np_status st = check(network, m);
    if (st)
        return st;
    *out = (shape){.bits = n - m,
                   .string_bits = m,
                   .columns = np_shuffle_embedding_columns(n - m, m),
                   .column = (n - m) << (n - m)};
    return NP_OK;
}

static np_status plan(np_sorting *sorting)
{
    shape s;
    np_status st = shape_of(sorting, &s);
    return st ? st : np_sorting_plan(sorting, (uint64_t)s.columns * s.column);
}

static np_status embed(const shape *s, np_shuffle_embedding **out)
{
    return np_shuffle_embedding_create(s->bits, s->string_bits, s->columns, 1, out);
}

static np_node node(const np_sorting *sorting, uint32_t place)
{
    shape s;
    np_shuffle_embedding *e;
    if (shape_of(sorting, &s) || embed(&s, &e))
        return NP_NONE;
    np_node node = np_shuffle_embedding_place(e, place);
    np_shuffle_embedding_free(e);
    return node;
}

typedef struct machine {
    np_sorting *sorting;
    shape shape;
    np_network *butterfly;
    np_sorting inner; /* of a column */
    np_flashsort flash;
    np_sort_guest guest;
    np_shuffle_embedding *embedding;
    uint32_t column; /* at work */
    uint32_t passes; /* of all columns, so far */
} machine;

/* The butterfly, and the sort of a column on it. */
static np_status plan_column(machine *m, const np_sorting *sorting)
{
    np_status st = shape_of(sorting, &m->shape);
    if (st || (st = np_network_make(&m->butterfly, "butterfly:%u", m->shape.bits)))
        return st;
    m->inner = *sorting;
    m->inner.network = m->butterfly;
    m->inner.places = m->shape.column;
    m->inner.items = m->shape.column * sorting->per_place;
    m->inner.workers = 1;
    return NP_OK;
}

/* The image of a node of the column's butterfly. */
static np_node image(const void *context, np_node of_guest)
{
    const machine *m = context;
    return np_shuffle_embedding_place(m->embedding, m->column * m->shape.column + of_guest);
}

/* A shuffle to the right goes backwards over the link of a shuffle to the left. */
static uint32_t walk(const void *context, np_link of_guest, np_listed_hop hop[NP_SORT_WALK])
{
    const machine *m = context;
    const np_network *host = m->sorting->network, *butterfly = m->butterfly;
    const np_necklaces labels = {.bits = host->dimensions, .nodes = host->nodes};
    const np_node tail = np_network_link_tail(butterfly, of_guest), head = np_network_link_head(butterfly, of_guest);
    const np_port port = of_guest % butterfly->ports; /* straight up, cross up, straight down, cross down */
    np_shuffle_embedding_hop step[NP_SORT_WALK];
    np_node at = image(m, tail);
    uint32_t level = (port < 2 ? tail : head) % m->shape.bits;
    uint32_t hops = np_shuffle_embedding_walk(m->embedding, level, port >= 2, port & 1, step);
    for (uint32_t i = 0; i < hops; i++) {
        np_shuffle_link kind = step[i].link;
        np_node to = np_necklaces_across(&labels, at, kind);
        np_link link = np_network_link_at(host, kind == NP_SHUFFLE_RIGHT ? to : at, kind == NP_SHUFFLE_EXCHANGE);
        hop[i].step = step[i].step + 1;
        hop[i].link = kind == NP_SHUFFLE_RIGHT ? np_network_link_numbers(host) + link : link;
        at = to;
    }
    assert(at == image(m, head));
    return hops;
}

static np_status set_up(machine *m, np_sorting *sorting)
{
    np_status st;
    m->sorting = sorting;
    if ((st = plan_column(m, sorting)) || (st = np_flashsort_init(&m->flash, &m->inner)) ||
        (st = embed(&m->shape, &m->embedding)))
        return st;
    const np_shuffle_embedding *e = m->embedding;
    m->guest.play = (np_sort_play){m->butterfly, "columns", np_shuffle_embedding_slot(e), image, walk, m};
    for (uint32_t bit = 0; bit < e->bits; bit++)
        m->guest.straight[bit] = (uint8_t)np_shuffle_embedding_shuffles(e, e->bits - 1 - bit);
    return NP_OK;
}

static void clear(machine *m)
{
    np_flashsort_clear(&m->flash);
    np_shuffle_embedding_free(m->embedding);
    np_network_free(m->butterfly);
}

/* The column's butterfly sorts, from the time of the clock on. Columns and passes choose by seeds of their own. */
static np_status sort_column(machine *m, uint32_t column, uint32_t *item, np_sort_clock *clock)
{
    np_sorting *inner = &m->inner;
    uint64_t own = (uint64_t)m->passes * m->shape.columns + column + 1;
    bool any = false;
    for (uint32_t i = 0; i < m->inner.items && !any; i++)
        any = item[i] != NP_NONE;
    if (!any)
        return NP_OK;
    inner->item = item;
    m->column = column;
    inner->log = m->sorting->log;
    inner->log.guest = &m->guest;
    inner->clock = *clock;
    inner->draws.seed = np_random_mix(m->sorting->draws.seed + own * UINT64_C(0x9e3779b97f4a7c15));
    if (inner->log.teller)
        np_sort_teller_play(inner->log.teller, &m->guest.play);
    np_status st = np_flashsort_full(&m->flash);
    if (inner->log.teller)
        np_sort_teller_play(inner->log.teller, NULL);
    inner->log.guest = NULL;
    m->sorting->log = inner->log;
    *clock = inner->clock;
    return st;
}

static np_status sort_columns(void *context, uint32_t *item, uint32_t first, uint32_t columns)
{
    machine *m = context;
    np_sorting *sorting = m->sorting;
    const np_sort_clock begin = sorting->clock;
    np_status st = NP_OK;
    for (uint32_t c = 0; c < columns && !st; c++) {
        np_sort_clock clock = begin;
        st = sort_column(m, first + c, item + (size_t)c * m->inner.items, &clock);
        np_sort_clock_join(&sorting->clock, &clock);
    }
    m->passes++;
    if (!st && sorting->log.teller)
        np_sort_teller_stage(sorting->log.teller, "columns", begin.now, sorting->clock.now - begin.now);
    return st;
}

static np_status nodes(const void *context, np_node *node)
{
    const machine *m = context;
    for (uint32_t place = 0; place < m->sorting->places; place++)
        node[place] = np_shuffle_embedding_place(m->embedding, place);
    return NP_OK;
}

static np_status run(np_sorting *sorting)
{
    machine m = {0};
    np_sorting_number_infinite(sorting, false);
    np_status st = set_up(&m, sorting);
    if (!st)
        st = np_columnsort_on_network(sorting, &(np_columnsort_host){.columns = m.shape.columns,
                                                                     .column = m.shape.column,
                                                                     .nodes = nodes,
                                                                     .sort = sort_columns,
                                                                     .context = &m});
    clear(&m);
    return st;
}

const np_sort_host np_flashsort_shuffle_exchange = {
    .sorters = "flashsort",
    .networks = NP_KIND_SHUFFLE_EXCHANGE,
    .refuses = refuses,
    .plan = plan,
    .node = node,
    .run = run,
    .string_bits = string_bits_of,
};
