/*
 * The same partition whatever else the program draws from rand() and whichever thread asks, and a program that draws
 * what it would have drawn. (Exact shares and the cut: test_symmetry.c.)
 */
#include "support.h"

#include <pthread.h>

#include "base/partition.h"

enum { SIDE = 24, NODES = SIDE * SIDE, THREADS = 6, TIMES = 5 };

/* A torus of SIDE x SIDE, its edges of weights 1..7. */
typedef struct torus {
    uint32_t row[NODES + 1], neighbour[4 * NODES], weight[4 * NODES];
    np_partition_graph graph;
} torus;

static void fill(torus *t)
{
    for (uint32_t u = 0; u < NODES; u++) {
        uint32_t x = u % SIDE, y = u / SIDE, *to = t->neighbour + 4 * u, *weight = t->weight + 4 * u;
        t->row[u] = 4 * u;
        to[0] = y * SIDE + (x + 1) % SIDE, weight[0] = 1 + u % 7;
        to[1] = (y + 1) % SIDE * SIDE + x, weight[1] = 1 + u % 5;
        to[2] = y * SIDE + (x + SIDE - 1) % SIDE, weight[2] = 1 + to[2] % 7;
        to[3] = (y + SIDE - 1) % SIDE * SIDE + x, weight[3] = 1 + to[3] % 5;
    }
    t->row[NODES] = 4 * NODES;
    t->graph = (np_partition_graph){NODES, t->row, t->neighbour, t->weight};
}

static void part(const torus *t, uint32_t first, uint8_t *side, uint64_t *cut)
{
    assert_ok(np_partition_halves(&t->graph, first, 2, side, cut));
}

static torus *made(void)
{
    static torus t;
    fill(&t);
    return &t;
}

static void rand_does_not_matter_and_is_not_disturbed(void **state)
{
    const torus *t = made();
    uint8_t side[NODES], again[NODES];
    uint64_t cut, cut_again;
    int drawn[4];
    (void)state;
    if (!np_partition_available())
        skip();
    part(t, NODES / 3, side, &cut);
    srand(77);
    for (int i = 0; i < 4; i++)
        drawn[i] = rand();
    srand(77);
    for (int i = 0; i < 4; i++) {
        part(t, NODES / 3, again, &cut_again);
        assert_int_equal(cut_again, cut);
        assert_memory_equal(again, side, sizeof side);
        assert_int_equal(rand(), drawn[i]);
    }
}

typedef struct asked {
    const torus *torus;
    uint32_t first;
    uint8_t side[NODES];
    bool same;
} asked;

static void *ask(void *context)
{
    asked *a = context;
    uint8_t side[NODES];
    uint64_t cut;
    a->same = true;
    for (int i = 0; i < TIMES; i++)
        a->same &=
            !np_partition_halves(&a->torus->graph, a->first, 2, side, &cut) && !memcmp(side, a->side, sizeof side);
    return NULL;
}

static void threads_take_turns(void **state)
{
    static asked a[THREADS];
    pthread_t thread[THREADS];
    uint64_t cut;
    (void)state;
    if (!np_partition_available())
        skip();
    for (uint32_t i = 0; i < THREADS; i++) {
        a[i].torus = made();
        a[i].first = NODES / 2 - 17 * i;
        part(a[i].torus, a[i].first, a[i].side, &cut);
    }
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, ask, &a[i]), 0);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(thread[i], NULL), 0);
    for (int i = 0; i < THREADS; i++)
        assert_true(a[i].same);
}

/* A star: METIS cannot part it well, and the balance moves many leaves. All shares, and the cut they have. */
static void balance_is_exact_and_moves_the_cheapest(void **state)
{
    enum { LEAVES = 400 };
    static uint32_t row[LEAVES + 2], neighbour[2 * LEAVES], weight[2 * LEAVES];
    static uint8_t side[LEAVES + 1];
    (void)state;
    if (!np_partition_available())
        skip();
    for (uint32_t u = 0; u < LEAVES; u++) {
        neighbour[u] = u + 1;
        neighbour[LEAVES + u] = 0;
        weight[u] = weight[LEAVES + u] = 1 + u % 3;
        row[u + 1] = LEAVES + u;
    }
    row[LEAVES + 1] = 2 * LEAVES;
    const np_partition_graph graph = {LEAVES + 1, row, neighbour, weight};
    for (uint32_t first = 1; first <= LEAVES; first += 19) {
        uint64_t cut, between = 0;
        uint32_t count = 0;
        assert_ok(np_partition_halves(&graph, first, 1, side, &cut));
        for (uint32_t u = 0; u <= LEAVES; u++) {
            count += !side[u];
            between += side[u] != side[0] ? weight[u - 1] : 0;
        }
        assert_int_equal(count, first);
        assert_int_equal(cut, between);
        uint32_t leaves = first < LEAVES + 1 - first ? first : LEAVES + 1 - first; /* on the side without the centre */
        assert_true(4 * cut <= 9 * leaves + 4);                                    /* leaves of weight 3 stay */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rand_does_not_matter_and_is_not_disturbed),
        cmocka_unit_test(threads_take_turns),
        cmocka_unit_test(balance_is_exact_and_moves_the_cheapest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
