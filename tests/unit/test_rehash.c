/* New hash functions on a machine of paper: who moves when, how often a batch is tried, what is charged. */
#include "machine/pram/rehash.h"
#include "support.h"

enum { CELLS = 500, MODULES = 7, FIRST = 10, MOVE = 100, LOCAL = 1000 };

/* Cell x is in module (x * x + function) mod MODULES: some modules hold none, others many. */
typedef struct paper_machine {
    np_machine machine;
    unsigned function, overruns, attempts, allotted;
    uint32_t moved[CELLS]; /* by the present function: times */
    unsigned batches;
} paper_machine;

static uint32_t module_under(unsigned function, uint32_t cell) { return (cell * cell + function) % MODULES; }

static uint32_t module_of(const np_machine *machine, uint32_t cell)
{
    return module_under(((const paper_machine *)machine)->function, cell);
}

static np_status attempt(np_machine *machine, uint64_t steps_max, np_batch_cost *cost, bool *done)
{
    paper_machine *m = (paper_machine *)machine;
    assert_int_equal(steps_max, m->attempts < 8 ? m->allotted : 0); /* the ninth time it takes what it takes */
    *done = m->attempts++ == m->overruns || !steps_max;
    cost->network_steps += FIRST;
    return NP_OK;
}

static void all_have_moved(const paper_machine *m)
{
    for (uint32_t x = 0; x < CELLS; x++)
        assert_int_equal(m->moved[x], 1);
}

static np_status draw(np_machine *machine)
{
    paper_machine *m = (paper_machine *)machine;
    if (m->function)
        all_have_moved(m);
    memset(m->moved, 0, sizeof m->moved);
    m->function++;
    return NP_OK;
}

static np_status move(np_machine *machine, const np_rehash_move *move, size_t count, np_batch_cost *cost)
{
    paper_machine *m = (paper_machine *)machine;
    uint32_t of_holder[MODULES] = {0};
    assert_true(count > 0);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(move[i].holder, module_under(m->function - 1, move[i].cell));
        assert_true(!i || move[i].holder >= move[i - 1].holder);
        assert_true(++of_holder[move[i].holder] <= 16);
        m->moved[move[i].cell]++;
    }
    m->batches++;
    cost->network_steps += MOVE;
    return NP_OK;
}

static uint64_t local_steps(const np_machine *machine)
{
    (void)machine;
    return LOCAL;
}

static const np_rehash_ops paper = {attempt, module_of, draw, move, NULL, local_steps};

/* The fullest module holds 144 of 500 cells, x = 1, 6, 8, 13 .. mod 7: nine batches of 16. */
static void every_cell_moves_once(void **unused)
{
    (void)unused;
    np_pram_options options;
    np_pram_options_init(&options);
    options.allotted = 5;
    options.slack = 3;
    for (unsigned overruns = 0; overruns <= 12; overruns++) {
        paper_machine m = {.overruns = overruns, .allotted = 5 * 4 * 3};
        np_batch_cost cost = {0};
        np_rehash rehash = np_rehash_of(&paper, &options, 4, MODULES);
        unsigned renewed = overruns < 8 ? overruns : 8;
        assert_ok(np_rehash_deliver(&rehash, &m.machine, CELLS, &cost));
        assert_int_equal(m.attempts, renewed + 1);
        assert_int_equal(cost.rehashes, renewed);
        assert_int_equal(m.batches, 9 * renewed);
        assert_int_equal(cost.rehash_steps, renewed * (FIRST + 9 * MOVE + LOCAL));
        assert_int_equal(cost.network_steps, cost.rehash_steps + FIRST);
        if (renewed)
            all_have_moved(&m);
    }
}

static void time_allotted(void **unused)
{
    (void)unused;
    np_pram_options options;
    np_pram_options_init(&options);
    options.slack = 1; /* as machines get it */
    assert_int_equal(np_rehash_of(&paper, &options, 6, MODULES).allotted, 64 * 6);
    options.slack = 1U << 31;
    options.allotted = 1U << 20;
    assert_true(np_rehash_of(&paper, &options, 6, MODULES).allotted == UINT64_C(6) << 51);
    options.map = NP_MAP_NONE;
    assert_int_equal(np_rehash_of(&paper, &options, 6, MODULES).allotted, 0);
}

static void queue_size(void **unused)
{
    (void)unused;
    np_pram_options options;
    np_pram_options_init(&options);
    assert_int_equal(np_rehash_queue_size(&options, 1), 4);
    options.queue_size = UINT32_MAX;
    assert_int_equal(np_rehash_queue_size(&options, 10), 160);
    options.slack = 20;
    assert_int_equal(np_rehash_queue_size(&options, 10), 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_cell_moves_once),
        cmocka_unit_test(time_allotted),
        cmocka_unit_test(queue_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
