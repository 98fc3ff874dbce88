/* Butterflies in the shuffle-exchange graph: Theorem 9.1, Lemma 9.2 and the schedules. */
#include "support.h"

#include "papers/shuffle_exchange/embedding.h"

/* Edges that leave a node of a butterfly. */
typedef enum edge { UP, UP_CROSS, DOWN, DOWN_CROSS, EDGES } edge;

/* The walk of an edge from the image of its tail. */
static np_shuffle_walk walk_of(const np_shuffle_embedding *e, np_node from, edge which)
{
    static const struct {
        uint32_t links;
        np_shuffle_link link[3];
    } walks[] = {
        {2, {NP_SHUFFLE_LEFT, NP_SHUFFLE_LEFT}},
        {3, {NP_SHUFFLE_EXCHANGE, NP_SHUFFLE_LEFT, NP_SHUFFLE_LEFT}},
        {2, {NP_SHUFFLE_RIGHT, NP_SHUFFLE_RIGHT}},
        {3, {NP_SHUFFLE_RIGHT, NP_SHUFFLE_RIGHT, NP_SHUFFLE_EXCHANGE}},
    };
    np_necklaces host = {.bits = 2 * e->bits, .nodes = UINT32_C(1) << 2 * e->bits};
    np_shuffle_walk walk = {.at = from};
    for (uint32_t i = 0; i < walks[which].links; i++)
        np_necklaces_walk(&host, &walk, walks[which].link[i]);
    return walk;
}

static uint32_t edge_head(uint32_t k, uint32_t level, uint32_t row, edge which, uint32_t *to_level)
{
    bool down = which == DOWN || which == DOWN_CROSS;
    bool cross = which == UP_CROSS || which == DOWN_CROSS;
    *to_level = down ? (level + k - 1) % k : (level + 1) % k;
    uint32_t between = down ? *to_level : level;
    return cross ? row ^ UINT32_C(1) << (k - 1 - between) : row;
}

/* Every node of the butterflies of a string has an image of its own, and every edge leads from image to image. */
static void test_images(void **state)
{
    (void)state;
    for (uint32_t k = 2; k <= 8; k++) {
        np_shuffle_embedding *e;
        static uint32_t image_of[1 << 16]; /* 1 + (string, level, row) */
        memset(image_of, 0, sizeof image_of);
        assert_ok(np_shuffle_embedding_create(k, k, 2 * np_shuffle_embedding_strings(k, k), 2, &e));
        assert_true(e->strings == np_shuffle_embedding_strings(k, k));
        for (uint32_t b = 0; b < e->butterflies; b++)
            for (uint32_t level = 0; level < k; level++)
                for (uint32_t row = 0; row < e->rows; row++) {
                    np_node at = np_shuffle_embedding_node(e, b, level, row);
                    uint32_t which = 1 + (b / 2 * k + level) * e->rows + row;
                    assert_true(b % 2 ? image_of[at] == which : !image_of[at]);
                    image_of[at] = which;
                    for (int i = 0; i < EDGES; i++) {
                        uint32_t to_level, to = edge_head(k, level, row, (edge)i, &to_level);
                        assert_int_equal(walk_of(e, at, (edge)i).at, np_shuffle_embedding_node(e, b, to_level, to));
                    }
                }
        np_shuffle_embedding_free(e);
    }
}

/* Lemma 9.2: at least M / 2k sets of k strings that rotate into each other, and no two share one. */
static void test_strings(void **state)
{
    (void)state;
    for (uint32_t k = 2; k <= 12; k++) {
        np_shuffle_embedding *e;
        uint8_t seen[1 << 12] = {0};
        assert_ok(np_shuffle_embedding_create(k, k, 1, 1, &e));
        assert_true(2 * k * e->strings >= e->rows);
        for (uint32_t i = 0; i < e->strings; i++)
            for (uint32_t by = 0; by < k; by++) {
                uint32_t x = (e->string[i] << by | e->string[i] >> (k - by)) & (e->rows - 1);
                assert_false(seen[x]++);
                assert_true(x >= e->string[i]);
            }
        np_shuffle_embedding_free(e);
    }
}

/* All edges of all butterflies walked once. */
typedef struct measure {
    uint32_t load;       /* most nodes of butterflies on one node */
    uint32_t dilation;   /* longest walk */
    uint32_t congestion; /* most walks over one link, one way */
    uint32_t exchange;   /* most walks over one exchange link, one way */
    uint64_t nodes;      /* that are images */
} measure;

static void raise_to(uint32_t *most, uint32_t value) { *most = value > *most ? value : *most; }

/* node[4^k], link[3 4^k]: how many images, how many walks. */
static void count_walks(const np_shuffle_embedding *e, uint32_t *node, uint32_t *link, measure *out)
{
    for (uint32_t b = 0; b < e->butterflies; b++)
        for (uint32_t level = 0; level < e->bits; level++)
            for (uint32_t row = 0; row < e->rows; row++) {
                np_node at = np_shuffle_embedding_node(e, b, level, row);
                out->nodes += !node[at];
                raise_to(&out->load, ++node[at]);
                for (int i = 0; i < EDGES; i++) {
                    np_shuffle_walk walk = walk_of(e, at, (edge)i);
                    raise_to(&out->dilation, walk.links);
                    for (uint32_t l = 0; l < walk.links; l++)
                        link[walk.link[l]]++;
                }
            }
}

static measure measured(const np_shuffle_embedding *e)
{
    size_t nodes = (size_t)1 << 2 * e->bits;
    uint32_t *node = calloc(nodes, sizeof *node), *link = calloc(nodes * NP_SHUFFLE_LINKS, sizeof *link);
    measure out = {0};
    assert_non_null(node);
    assert_non_null(link);
    count_walks(e, node, link, &out);
    for (size_t i = 0; i < nodes * NP_SHUFFLE_LINKS; i++) {
        raise_to(&out.congestion, link[i]);
        if (i % NP_SHUFFLE_LINKS == NP_SHUFFLE_EXCHANGE)
            raise_to(&out.exchange, link[i]);
    }
    free(link);
    free(node);
    return out;
}

/* Theorem 9.1 with its M / log M butterflies, two a string: load 2, dilation 3, congestion 8; one a string: 1, 3, 4. */
static void test_theorem(void **state)
{
    (void)state;
    for (uint32_t k = 3; k <= 8; k++)
        for (uint32_t lambda = 1; lambda <= 2; lambda++) {
            np_shuffle_embedding *e;
            uint32_t all = np_shuffle_embedding_strings(k, k) * lambda, theorem = (UINT32_C(1) << k) / k;
            uint32_t butterflies = theorem < all ? theorem : all;
            assert_ok(np_shuffle_embedding_create(k, k, butterflies, lambda, &e));
            measure m = measured(e);
            assert_int_equal(m.load, lambda);
            assert_int_equal(m.dilation, 3);
            assert_int_equal(m.congestion, 4 * lambda);
            assert_int_equal(m.exchange, 2 * lambda);
            assert_int_equal(m.nodes, (uint64_t)((butterflies + lambda - 1) / lambda) * k * e->rows);
            np_shuffle_embedding_free(e);
        }
}

/* What all nodes do at once. */
typedef enum task_kind {
    SHIFT_UP,
    SHIFT_BOTH,
    COMPARE, /* and shift up */
    STEP_UP  /* of the butterfly: over both edges */
} task_kind; /* P = Q = 1 */

/* In a step, packets of the butterflies with number `member` on their strings take one link each. */
typedef struct task_move {
    uint32_t member;      /* 0 .. lambda-1 */
    uint32_t packet;      /* which of the node's own packets in the task: 0 goes straight, 1 crosses */
    np_shuffle_link link; /* taken from where the packet is */
} task_move;

enum { MOVES = 4 }; /* most in one step */

/* The moves of step `step` of the task; returns how many. 0 past the last step. The butterflies of a string take turns
   at the shuffles; exchanges take place at the same time. */
static uint32_t schedule(const np_shuffle_embedding *embedding, task_kind task, uint32_t step, task_move move[MOVES])
{
    uint32_t lambda = embedding->per_string, n = 0, turn;
    switch (task) {
    case SHIFT_UP:
    case SHIFT_BOTH:
        if (step >= 2 * lambda)
            break;
        move[n++] = (task_move){step / 2, 0, NP_SHUFFLE_LEFT};
        if (task == SHIFT_BOTH)
            move[n++] = (task_move){step / 2, 1, NP_SHUFFLE_RIGHT};
        break;
    case COMPARE: /* exchanges in steps 0 .. lambda-1, each before the butterfly's own shuffles */
        if (step < lambda)
            move[n++] = (task_move){step, 1, NP_SHUFFLE_EXCHANGE};
        if (step >= 1 && step <= 2 * lambda)
            move[n++] = (task_move){(step - 1) / 2, 0, NP_SHUFFLE_LEFT};
        break;
    case STEP_UP: /* straight: 2 shuffles; meanwhile the exchange; then 2 shuffles of the crossed */
        turn = step / 4;
        if (turn >= lambda)
            break;
        move[n++] = (task_move){turn, step % 4 / 2, NP_SHUFFLE_LEFT};
        if (step % 4 == 0)
            move[n++] = (task_move){turn, 1, NP_SHUFFLE_EXCHANGE};
        break;
    }
    return n;
}

static uint32_t steps_of(const np_shuffle_embedding *embedding, task_kind task)
{
    task_move move[MOVES];
    uint32_t steps = 0;
    while (schedule(embedding, task, steps, move))
        steps++;
    return steps;
}

/*
 * A task as the schedule has it: all packets move at once, no link carries two in a step, and they end where they
 * should. at[member][packet] for each node of each string.
 */
static void run_task(const np_shuffle_embedding *e, task_kind task)
{
    uint32_t k = e->bits, nodes = UINT32_C(1) << 2 * k, steps = steps_of(e, task), moves;
    np_necklaces host = {.bits = 2 * k, .nodes = nodes};
    np_node(*at)[2] = malloc(sizeof *at * e->butterflies * k * e->rows);
    uint32_t *used = calloc((size_t)nodes * NP_SHUFFLE_LINKS, sizeof *used);
    task_move move[MOVES];
#define EACH_NODE                                                                                                      \
    for (uint32_t b = 0, i = 0; b < e->butterflies; b++)                                                               \
        for (uint32_t level = 0; level < k; level++)                                                                   \
            for (uint32_t row = 0; row < e->rows; row++, i++)
    EACH_NODE at[i][0] = at[i][1] = np_shuffle_embedding_node(e, b, level, row);
    for (uint32_t step = 0; step < steps; step++) {
        moves = schedule(e, task, step, move);
        for (uint32_t m = 0; m < moves; m++) {
            EACH_NODE if (b % e->per_string == move[m].member)
            {
                np_shuffle_walk walk = {.at = at[i][move[m].packet]};
                np_necklaces_walk(&host, &walk, move[m].link);
                at[i][move[m].packet] = walk.at;
                if (walk.links) {
                    assert_true(used[walk.link[0]] <= step);
                    used[walk.link[0]] = step + 1;
                }
            }
        }
    }
    EACH_NODE
    {
        uint32_t bit = UINT32_C(1) << (k - 1 - level), up = (level + 1) % k, down = (level + k - 1) % k;
        bool compares = task == COMPARE, crosses = task == STEP_UP;
        assert_int_equal(at[i][0], np_shuffle_embedding_node(e, b, up, row));
        if (compares || crosses)
            assert_int_equal(at[i][1], np_shuffle_embedding_node(e, b, crosses ? up : level, row ^ bit));
        if (task == SHIFT_BOTH)
            assert_int_equal(at[i][1], np_shuffle_embedding_node(e, b, down, row));
    }
#undef EACH_NODE
    free(at);
    free(used);
}

static void test_schedules(void **state)
{
    static const uint32_t steps[2][4] = {{2, 2, 3, 4}, {4, 4, 5, 8}};
    (void)state;
    for (uint32_t k = 2; k <= 6; k++)
        for (uint32_t lambda = 1; lambda <= 2; lambda++) {
            np_shuffle_embedding *e;
            assert_ok(np_shuffle_embedding_create(k, k, np_shuffle_embedding_strings(k, k) * lambda, lambda, &e));
            for (int task = SHIFT_UP; task <= STEP_UP; task++) {
                assert_int_equal(steps_of(e, (task_kind)task), steps[lambda - 1][task]);
                run_task(e, (task_kind)task);
            }
            np_shuffle_embedding_free(e);
        }
}

/* Shapes of other sizes: rows of k bits, strings of m. */
static const struct {
    uint32_t k, m;
} shapes[] = {{3, 3}, {5, 5}, {4, 2}, {6, 3}, {8, 4}, {2, 4}, {3, 6}, {6, 2}, {2, 6}, {6, 4}, {4, 6}, {9, 3}};

/*
 * In a slot every node of every butterfly sends over all four edges: all arrive, and no link carries two packets in a
 * step. Then the load is at most P and the dilation Q + 2.
 */
static void run_slot(const np_shuffle_embedding *e)
{
    uint32_t n = e->bits + e->string_bits, nodes = UINT32_C(1) << n, slot = np_shuffle_embedding_slot(e), most = 0;
    np_necklaces host = {.bits = n, .nodes = nodes};
    bool *used = calloc((size_t)nodes * NP_SHUFFLE_LINKS * slot, sizeof *used);
    uint32_t *load = calloc(nodes, sizeof *load);
    for (uint32_t b = 0; b < e->butterflies; b++)
        for (uint32_t level = 0; level < e->bits; level++)
            for (uint32_t row = 0; row < e->rows; row++)
                for (int i = 0; i < EDGES; i++) {
                    bool down = i == DOWN || i == DOWN_CROSS, cross = i == UP_CROSS || i == DOWN_CROSS;
                    uint32_t to_level, to = edge_head(e->bits, level, row, (edge)i, &to_level), before = 0;
                    np_shuffle_embedding_hop hop[32];
                    uint32_t hops = np_shuffle_embedding_walk(e, down ? to_level : level, down, cross, hop);
                    np_shuffle_walk walk = {.at = np_shuffle_embedding_node(e, b, level, row)};
                    raise_to(&most, i ? 0 : ++load[walk.at]);
                    assert_true(hops <= e->string_bits / e->periods + 2);
                    for (uint32_t j = 0; j < hops; j++) {
                        assert_true(hop[j].step < slot && hop[j].step >= before);
                        before = hop[j].step + 1;
                        walk.links = 0;
                        np_necklaces_walk(&host, &walk, hop[j].link);
                        assert_int_equal(walk.links, 1); /* no node of an image is its own neighbour */
                        bool *here = &used[(size_t)walk.link[0] * slot + hop[j].step];
                        assert_false(*here);
                        *here = true;
                    }
                    assert_int_equal(walk.at, np_shuffle_embedding_node(e, b, to_level, to));
                }
    assert_in_range(most, 1, e->bits / e->periods);
    free(load);
    free(used);
}

static void test_slots(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        uint32_t k = shapes[i].k, m = shapes[i].m, strings = np_shuffle_embedding_strings(k, m);
        np_shuffle_embedding *e;
        assert_ok(np_shuffle_embedding_create(k, m, strings, 1, &e));
        assert_int_equal(e->strings, strings);
        run_slot(e);
        np_shuffle_embedding_free(e);
    }
}

static void test_refusals(void **state)
{
    np_shuffle_embedding *e;
    (void)state;
    assert_refused(np_shuffle_embedding_create(0, 4, 1, 1, &e), NP_ERROR_INPUT, "from 2^1 to 2^14");
    assert_refused(np_shuffle_embedding_create(15, 15, 1, 1, &e), NP_ERROR_INPUT, "from 2^1 to 2^14");
    assert_refused(np_shuffle_embedding_create(1, 1, 1, 1, &e), NP_ERROR_INPUT, "from 3 to 14 bits");
    assert_refused(np_shuffle_embedding_create(8, 15, 1, 1, &e), NP_ERROR_INPUT, "from 1 to 14 bits");
    assert_refused(np_shuffle_embedding_create(4, 4, 1, 3, &e), NP_ERROR_INPUT, "1 or 2");
    assert_refused(np_shuffle_embedding_create(4, 4, 7, 2, &e), NP_ERROR_INPUT, "3 strings of 2 have room for 6");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_images),    cmocka_unit_test(test_strings), cmocka_unit_test(test_theorem),
        cmocka_unit_test(test_schedules), cmocka_unit_test(test_slots),   cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
