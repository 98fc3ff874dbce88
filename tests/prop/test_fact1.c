/*
 * Fact 1 as the theorems use it (Valiant & Brebner 1981, sections 3, 5, 6): a
 * packet is delayed at most once by each packet whose route shares a link
 * with its own.
 *
 * The paper proves it for nonrepeating routes. Shortest routes on the shuffle
 * are not quite that: two may share two links in opposite orders. Here random
 * small instances are simulated under random disciplines. With all n shifts,
 * which do repeat links, the same test finds violations, so it can.
 */
#include "support.h"

#include "base/random.h"

enum { BITS_MAX = 5, PACKETS_MAX = 12, TRIALS = 50000 };

typedef struct {
    int hops, at, delay;
    uint32_t link[BITS_MAX]; /* (tail, inserted bit) as 2 tail + bit */
} traveller;

/* From u to v on the 2-way shuffle with 2^n nodes: insert the k first bits of v, the last of them first. */
static void plan(traveller *x, uint32_t u, uint32_t v, int n, bool shortest)
{
    int k = shortest ? 0 : n;
    while (u >> k != (v & ((1U << (n - k)) - 1)) && k < n)
        k++;
    *x = (traveller){.hops = k};
    for (int i = 0; i < k; i++) {
        uint32_t bit = v >> (n - k + i) & 1;
        x->link[i] = 2 * u + bit;
        u = bit << (n - 1) | u >> 1;
    }
}

static bool meet(const traveller *x, const traveller *y)
{
    for (int i = 0; i < x->hops; i++)
        for (int j = 0; j < y->hops; j++)
            if (x->link[i] == y->link[j])
                return true;
    return false;
}

/* One step: of the packets that want a link, the one of largest rank goes. False when all are home. */
static bool step(int packets, traveller *x, const uint32_t *rank)
{
    int head[2 << BITS_MAX];
    bool any = false;
    memset(head, -1, sizeof head);
    for (int i = 0; i < packets; i++)
        if (x[i].at < x[i].hops) {
            int *h = &head[x[i].link[x[i].at]];
            if (*h < 0 || rank[i] > rank[*h])
                *h = i;
            any = true;
        }
    for (int i = 0; i < packets; i++)
        if (x[i].at < x[i].hops)
            x[i].delay += head[x[i].link[x[i].at]] != i;
    for (size_t e = 0; e < sizeof head / sizeof *head; e++)
        if (head[e] >= 0)
            x[head[e]].at++;
    return any;
}

/* The largest excess of a packet's delay over the number of packets that meet its route. */
static int excess(uint32_t trial, bool shortest)
{
    np_draws draws = {11, trial, 0, NP_RANDOM_CHECK};
    int n = 3 + (int)np_random_below(&draws, 0, 0, 3), worst = -PACKETS_MAX;
    int packets = 3 + (int)np_random_below(&draws, 1, 0, PACKETS_MAX - 2);
    bool fixed = np_random_below(&draws, 2, 0, 2); /* ranks for good, or new ones each step */
    traveller x[PACKETS_MAX];
    uint32_t rank[PACKETS_MAX];
    for (uint32_t i = 0; i < (uint32_t)packets; i++) {
        plan(&x[i], np_random_below(&draws, i, 1, 1U << n), np_random_below(&draws, i, 2, 1U << n), n, shortest);
        rank[i] = np_random_below(&draws, i, 3, 1000);
    }
    for (uint32_t t = 0; step(packets, x, rank); t++)
        for (uint32_t i = 0; !fixed && i < (uint32_t)packets; i++)
            rank[i] = np_random_below(&draws, i, 4 + t, 1000);
    for (int i = 0; i < packets; i++) {
        int met = 0;
        for (int j = 0; j < packets; j++)
            met += j != i && meet(&x[i], &x[j]);
        worst = x[i].delay - met > worst ? x[i].delay - met : worst;
    }
    return worst;
}

static void shortest_routes(void **state)
{
    (void)state;
    for (uint32_t trial = 0; trial < TRIALS; trial++)
        assert_true(excess(trial, true) <= 0);
}

static void full_shifts_violate_it(void **state)
{
    int violations = 0;
    (void)state;
    for (uint32_t trial = 0; trial < TRIALS; trial++)
        violations += excess(trial, false) > 0;
    assert_true(violations > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shortest_routes),
        cmocka_unit_test(full_shifts_violate_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
