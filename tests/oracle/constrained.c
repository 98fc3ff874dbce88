/* A line is an array of bits, most significant first. Section 2.1 says how it is turned. */
#include "oracle/constrained.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"

enum { BITS = 16 };

static void spell(uint32_t number, int n, int *bit)
{
    for (int i = n - 1; i >= 0; i--, number /= 2)
        bit[i] = (int)(number % 2);
}

static uint32_t read(const int *bit, int n)
{
    uint32_t number = 0;
    for (int i = 0; i < n; i++)
        number = 2 * number + (uint32_t)bit[i];
    return number;
}

/* p_1..p_n -> p_2..p_n p_1 */
static uint32_t turned(uint32_t p, int n)
{
    int a[BITS] = {0}, b[BITS] = {0};
    spell(p, n, a);
    for (int i = 0; i < n; i++)
        b[i] = a[(i + 1) % n];
    return read(b, n);
}

static uint32_t turned_back(uint32_t p, int n)
{
    int a[BITS] = {0}, b[BITS] = {0};
    spell(p, n, a);
    for (int i = 0; i < n; i++)
        b[(i + 1) % n] = a[i];
    return read(b, n);
}

uint32_t oracle_randomizer_reaches(int n, uint64_t seed, uint32_t run, uint32_t set, uint32_t source)
{
    np_draws draws = {seed, run, 0, NP_RANDOM_SWITCH};
    uint32_t line = source;
    for (int stage = 0; stage < n; stage++) {
        line = turned(line, n); /* the input of this stage */
        uint32_t number = (uint32_t)stage * (1u << (n - 1)) + line / 2;
        if (np_random_u64(&draws, number, set / 64) >> (set % 64) & 1)
            line = line % 2 ? line - 1 : line + 1;
    }
    return line;
}

typedef struct waiting {
    uint32_t message, entered, lot;
} waiting;

typedef struct queue {
    waiting *item;
    uint32_t count, ever;
} queue;

typedef struct router {
    int n;
    uint32_t messages;
    const uint32_t *to, *set;
    oracle_equals equals;
    np_draws lots;
    queue *queues; /* [n][2^n] indexed by the stage crossed and the output */
} router;

static void enter(router *r, uint32_t number, uint32_t message, uint32_t step)
{
    queue *q = &r->queues[number];
    q->item = realloc(q->item, (q->count + 1) * sizeof *q->item);
    q->item[q->count++] = (waiting){message, q->ever++, (uint32_t)np_random_u64(&r->lots, message, step)};
}

static int before(const router *r, const waiting *a, const waiting *b)
{
    if (r->set[a->message] != r->set[b->message])
        return r->set[a->message] > r->set[b->message];
    if (r->equals == ORACLE_LOT)
        return a->lot < b->lot;
    return r->equals == ORACLE_LIFO ? a->entered > b->entered : a->entered < b->entered;
}

static uint32_t take(const router *r, queue *q)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < q->count; i++)
        if (before(r, &q->item[i], &q->item[best]))
            best = i;
    uint32_t message = q->item[best].message;
    memmove(q->item + best, q->item + best + 1, (--q->count - best) * sizeof *q->item);
    return message;
}

/* The output by which a message to `to` leaves the switch with input line `line`, `crossed` stages from the inputs. */
static uint32_t output(uint32_t line, uint32_t to, int crossed)
{
    return line / 2 * 2 + (to >> crossed & 1); /* stage i = n - crossed takes b_i */
}

/* Makes the first queues: packets by number, then shuffled from the end down, as every engine begins. */
static void first_queues(router *r, const uint32_t *from, const np_draws *order)
{
    uint32_t *list = malloc(r->messages * sizeof *list);
    for (uint32_t q = 0; q < 1u << r->n; q++) {
        uint32_t count = 0;
        for (uint32_t m = 0; m < r->messages; m++)
            if (output(from[m], r->to[m], 0) == q)
                list[count++] = m;
        for (uint32_t i = count; i > 1; i--) {
            uint32_t j = np_random_below(order, q, i, i), swap = list[i - 1];
            list[i - 1] = list[j];
            list[j] = swap;
        }
        for (uint32_t i = 0; i < count; i++)
            enter(r, q, list[i], 0);
    }
    free(list);
}

uint32_t oracle_router(int n, uint32_t messages, const uint32_t *from, const uint32_t *to, const uint32_t *set,
                       oracle_equals equals, uint64_t seed, uint32_t run, unsigned phase, uint32_t *delay)
{
    uint32_t lines = 1u << n, step = 0, left = messages;
    router r = {n, messages, to, set, equals, {seed, run, (uint16_t)phase, NP_RANDOM_QUEUE}, NULL};
    np_draws order = {seed, run, (uint16_t)phase, NP_RANDOM_ORDER};
    uint32_t *sent = malloc((size_t)n * lines * sizeof *sent);
    r.queues = calloc((size_t)n * lines, sizeof *r.queues);
    first_queues(&r, from, &order);
    while (left) {
        step++;
        for (uint32_t link = 0; link < (uint32_t)n * lines; link++)
            sent[link] = r.queues[link].count ? take(&r, &r.queues[link]) : UINT32_MAX;
        for (uint32_t link = 0; link < (uint32_t)n * lines; link++) {
            int crossed = (int)(link / lines) + 1;
            uint32_t m = sent[link];
            if (m == UINT32_MAX)
                continue;
            uint32_t line = turned_back(link % lines, n);
            if (crossed < n) {
                enter(&r, (uint32_t)crossed * lines + output(line, to[m], crossed), m, step);
                continue;
            }
            if (line != to[m])
                abort();
            delay[m] = step - (uint32_t)n;
            left--;
        }
    }
    for (uint32_t q = 0; q < (uint32_t)n * lines; q++)
        free(r.queues[q].item);
    free(r.queues);
    free(sent);
    return step;
}
