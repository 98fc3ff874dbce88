/* The machine butterfly:n: the exact facts of Ranade 1987b, rehashing, what is refused. */
#include "base/memory.h"
#include "machine/pram/butterfly.h"
#include "support.h"

enum { MOST = 2048 };

/* Every processor reads one cell: one request reaches the module, the last reply is home after 6n + 1 steps. */
static void one_cell(void **unused)
{
    (void)unused;
    for (uint32_t n = 1; n <= 7; n++)
        for (uint32_t b = 1; b <= 5; b += 2)
            for (int order = 0; order < 2; order++) {
                char spec[32];
                snprintf(spec, sizeof spec, "butterfly:%u", n);
                np_pram_options options = support_pram_options(spec);
                options.queue_size = b;
                options.order = (np_request_order)order;
                np_pram *pram = support_pram(&options);
                np_address base, address[MOST];
                np_word value[MOST], seven = 7;
                uint32_t processors = n << n;
                assert_ok(np_pram_allocate(pram, 1, "x", &base));
                assert_ok(np_pram_put(pram, base, 1, &seven));
                for (uint32_t i = 0; i < processors; i++)
                    address[i] = base;
                np_pram_report before = support_pram_report(pram);
                assert_ok(np_pram_read(pram, processors, address, NULL, value, "one cell"));
                for (uint32_t i = 0; i < processors; i++)
                    assert_int_equal(value[i], 7);
                np_pram_report after = support_pram_report(pram);
                assert_int_equal(after.network_steps - before.network_steps, 6 * n + 1);
                assert_int_equal(after.requests, processors);
                assert_int_equal(after.combined, processors - 1);
                assert_int_equal(after.replies, processors);
                assert_int_equal(after.queue_max, 1);
                assert_int_equal(after.module_load_max, 1);
                assert_int_equal(after.processors, processors);
                assert_int_equal(after.modules, processors);
                np_pram_free(pram);
            }
}

/* Two swap two cells, all shift an array by one: each in one step. */
static void swap_and_shift(void **unused)
{
    (void)unused;
    np_pram_options options = support_pram_options("butterfly:3");
    np_pram *pram = support_pram(&options);
    np_address base, from[24], to[24];
    np_word value[24];
    assert_ok(np_pram_allocate(pram, 24, "x", &base));
    for (int i = 0; i < 24; i++)
        value[i] = i;
    assert_ok(np_pram_put(pram, base, 24, value));
    from[0] = to[1] = base;
    from[1] = to[0] = base + 1;
    assert_ok(np_pram_move(pram, 2, from, to, NULL, "swap"));
    for (int i = 0; i < 24; i++) {
        from[i] = base + (np_address)i;
        to[i] = base + (np_address)(i + 1) % 24;
    }
    assert_ok(np_pram_move(pram, 24, from, to, NULL, "shift"));
    assert_ok(np_pram_get(pram, base, 24, value));
    for (int i = 0; i < 24; i++)
        assert_int_equal(value[(i + 1) % 24], i < 2 ? 1 - i : i);
    assert_int_equal(support_pram_report(pram).steps, 2);
    np_pram_free(pram);
}

static uint64_t state;

static uint32_t below(uint32_t bound)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((state >> 33) * bound >> 31);
}

/* A random program; answers, and memory at its end. */
static np_pram_report play(const np_pram_options *options, uint64_t seed, np_word *trace)
{
    enum { STEPS = 6, COUNT = 100, CELLS = 60 };
    np_pram *pram = support_pram(options);
    np_address base, more, address[COUNT];
    np_word value[COUNT];
    uint8_t kind[COUNT], active[COUNT];
    state = seed;
    assert_ok(np_pram_allocate(pram, CELLS, "x", &base));
    for (int s = 0; s < STEPS; s++) {
        if (s == 3)
            assert_ok(np_pram_allocate(pram, 2 * CELLS, "more", &more));
        uint32_t cells = 1 + below(s < 3 ? CELLS : 3 * CELLS);
        for (int i = 0; i < COUNT; i++) {
            address[i] = base + below(cells);
            value[i] = below(100);
            kind[i] = (uint8_t)below(3);
            active[i] = below(5) > 0;
        }
        np_pram_step step = {.label = "random",
                             .count = COUNT,
                             .address = address,
                             .active = active,
                             .kind = kind,
                             .op = (np_fetch_op)below(6),
                             .value = value};
        assert_ok(np_pram_access(pram, &step));
        memcpy(trace, value, sizeof value);
        trace += COUNT;
    }
    assert_ok(np_pram_get(pram, base, 3 * CELLS, trace));
    np_pram_report report = support_pram_report(pram);
    report.violation = NULL;
    np_pram_free(pram);
    return report;
}

/* Same answers as the ideal machine, under every rule, map and order, with rehashing or without. */
static void answers_are_ideal(void **unused)
{
    (void)unused;
    static np_word want[1000], got[1000];
    static const char *const machines[] = {"butterfly:1", "butterfly:2", "butterfly:3", "butterfly:5"};
    uint32_t rehashes = 0;
    for (uint64_t seed = SUPPORT_FEWER(1, 4); seed <= 120; seed += SUPPORT_FEWER(1, 7)) {
        np_pram_options options = support_pram_options("ideal");
        options.rule = (np_access_rule)(seed % NP_RULES);
        options.seed = seed;
        memset(want, 0, sizeof want);
        memset(got, 0, sizeof got);
        np_pram_report ideal = play(&options, seed, want);
        options.machine = machines[seed / 2 % 4];
        options.map = (np_address_map)(seed % 3);
        options.order = (np_request_order)(seed % 2);
        options.slack = 1 + seed % 5;
        options.queue_size = 1 + seed % 4;
        options.allotted = seed % 4 || options.map == NP_MAP_NONE ? 0 : 11;
        np_pram_report report = play(&options, seed, got);
        assert_memory_equal(got, want, sizeof want);
        assert_int_equal(report.requests, report.work);
        assert_int_equal(report.replies, report.work);
        assert_int_equal(report.work, ideal.work);
        assert_int_equal(report.violations, ideal.violations);
        assert_true(report.queue_max <= options.queue_size);
        assert_true(report.initialisation_steps > 0);
        assert_true((report.rehashes > 0) == (report.rehash_steps > 0));
        assert_true(report.network_steps > report.initialisation_steps + report.rehash_steps);
        assert_true(report.row_cells_max >= report.row_cells_mean);
        rehashes += report.rehashes;
    }
    assert_true(rehashes > 0);
}

/* The knob: with too little time all batches are given up again and again, and still the program ends. */
static void too_little_time(void **unused)
{
    (void)unused;
    np_word want[1000] = {0}, got[1000] = {0};
    np_pram_options options = support_pram_options("ideal");
    play(&options, 5, want);
    options.machine = "butterfly:2";
    options.allotted = 1;
    np_pram_report report = play(&options, 5, got);
    assert_memory_equal(got, want, sizeof want);
    assert_int_equal(report.rehashes % 8, 0);
    assert_true(report.rehashes >= 8 * 6);
    assert_true(report.rehash_steps >
                report.rehashes * 2 * (6 * 2 + 1)); /* each moves cells twice or more, and they come home */
}

/* A batch that is given up: the next function of the class says where every cell is. */
static void rehashing_moves_cells(void **unused)
{
    (void)unused;
    enum { CELLS = 100, RETRIES = 8 };
    np_pram_options options = support_pram_options("ideal");
    np_machine *machine;
    np_store *store;
    np_batch_cost cost = {0};
    np_request request = {.address = 7};
    np_word reply;
    np_placement placement;
    uint32_t before[CELLS], moved = 0;
    options.allotted = 1;
    assert_ok(np_machine_create("butterfly:2", &options, &machine));
    assert_ok(np_store_create(options.rule, &store));
    assert_ok(np_store_grow(store, CELLS));
    assert_ok(np_store_begin(store, 1, 0));
    assert_ok(machine->ops->grow(machine, CELLS, &cost));
    const np_modules *modules = np_butterfly_modules(machine);
    for (uint32_t x = 0; x < CELLS; x++)
        before[x] = np_modules_of(modules, x);
    uint64_t steps = cost.network_steps;
    assert_int_equal(cost.initialisation_steps, steps);
    assert_ok(machine->ops->serve(machine, store, &request, 1, &reply, &cost));
    assert_int_equal(cost.rehashes, RETRIES);
    assert_int_equal(cost.network_steps, steps + cost.rehash_steps + 6 * 2 + 1); /* and no more for the batch itself */
    assert_ok(np_placement_init(&placement, NP_MAP_HASH, 8, 16, options.seed));
    for (int i = 0; i < RETRIES; i++)
        np_placement_draw(&placement);
    for (uint32_t x = 0; x < CELLS; x++) {
        uint64_t hash;
        np_placement_run(&placement, x, 1, &hash);
        assert_int_equal(np_modules_of(modules, x), hash % 8);
        moved += before[x] != hash % 8;
    }
    assert_true(moved > CELLS / 2); /* 7 of 8 in the mean */
    np_placement_clear(&placement);
    machine->ops->free(machine);
    np_store_free(store);
}

/* Random reads: the targets of time (12 n a step at one request a processor, b = 4). Steps are exact, so this does not
 * depend on the machine. */
static void steps_of_random_reads(void **unused)
{
    (void)unused;
    for (uint32_t n = 6; n <= SUPPORT_FEWER(8U, 6U); n++) {
        char spec[32];
        snprintf(spec, sizeof spec, "butterfly:%u", n);
        np_pram_options options = support_pram_options(spec);
        np_pram *pram = support_pram(&options);
        static np_address address[MOST * 16];
        static np_word value[MOST * 16];
        np_address base;
        uint32_t processors = n << n;
        assert_ok(np_pram_allocate(pram, 8 * processors, "x", &base));
        state = n;
        for (int s = 0; s < 10; s++) {
            for (uint32_t i = 0; i < processors; i++)
                address[i] = base + below(8 * processors);
            assert_ok(np_pram_read(pram, processors, address, NULL, value, NULL));
        }
        np_pram_report report = support_pram_report(pram);
        assert_true(report.per_step.mean <= 12.0 * n);
        assert_true(report.per_step.mean >= 6.0 * n + 1);
        assert_int_equal(report.rehashes, 0);
        np_pram_free(pram);
    }
}

/* 16 n requests a row in one batch: at most 4 steps for each. */
static void steps_with_slack(void **unused)
{
    (void)unused;
    for (int order = 0; order < 2; order++) {
        np_pram_options options = support_pram_options("butterfly:8");
        options.slack = 16;
        options.order = (np_request_order)order;
        np_pram *pram = support_pram(&options);
        static np_address address[MOST * 16];
        static np_word value[MOST * 16];
        np_address base;
        assert_ok(np_pram_allocate(pram, MOST * 128, "x", &base)); /* few read the same cell */
        state = 1;
        for (uint32_t i = 0; i < MOST * 16; i++)
            address[i] = base + below(MOST * 128);
        assert_ok(np_pram_read(pram, MOST * 16, address, NULL, value, NULL));
        assert_true(support_pram_report(pram).per_step.max <= 4 * 16 * 8);
        np_pram_free(pram);
    }
}

/* Each allocation fails in turn, through a program with rehashing: an error, no leak, and the rest is as if nothing had
 * been. */
static void allocations_fail(void **unused)
{
    (void)unused;
    bool whole = false;
    for (long i = 1; !whole; i = support_next_failure(i)) {
        np_pram_options options = support_pram_options("butterfly:2");
        np_pram *pram = NULL;
        np_address base, address[8] = {0};
        np_word value[8];
        options.allotted = 9;
        for (np_address x = 0; x < 8; x++)
            address[x] = x * 5 % 40;
        np_memory_fail_after(i);
        np_status st = np_pram_create(&options, &pram);
        if (!st)
            st = np_pram_allocate(pram, 40, "x", &base);
        if (!st)
            st = np_pram_read(pram, 8, address, NULL, value, "some");
        np_memory_fail_after(0);
        whole = !st;
        assert_true(whole || st == NP_ERROR_MEMORY);
        np_pram_free(pram);
        assert_true(i < 200);
    }
}

static void refusals(void **unused)
{
    (void)unused;
    np_pram *pram;
    static const char *const wrong[] = {"butterfly:0", "butterfly:19", "butterfly:", "butterfly", "butterfly:3x"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        np_pram_options options = support_pram_options(wrong[i]);
        assert_refused(np_pram_create(&options, &pram), NP_ERROR_INPUT, "try butterfly:8");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_cell),
        cmocka_unit_test(swap_and_shift),
        cmocka_unit_test(answers_are_ideal),
        cmocka_unit_test(too_little_time),
        cmocka_unit_test(rehashing_moves_cells),
        cmocka_unit_test(steps_of_random_reads),
        cmocka_unit_test(steps_with_slack),
        cmocka_unit_test(allocations_fail),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
