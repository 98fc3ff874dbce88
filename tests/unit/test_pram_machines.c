/* The machines leveled:NETWORK and two-phase:hypercube:n: answers, costs that are exact, what is refused. */
#include "support.h"

#include "base/memory.h"
#include "machine/pram/inside.h"
#include "machine/pram/network_machine.h"

enum { COUNT = 100, CELLS = 60, STEPS = 6, MOST = 1024, KINDS = 3 };

static const char *const machines[] = {"leveled:hypercube:4",  "leveled:mesh:4x4",    "leveled:shuffle-exchange:4",
                                       "leveled:fat-tree:2",   "leveled:butterfly:3", "leveled:butterfly-io:3",
                                       "leveled:torus:3x5",    "leveled:ring:7",      "leveled:array:2",
                                       "leveled:mesh:2x3x2",   "leveled:hypercube:1", "two-phase:hypercube:4",
                                       "two-phase:hypercube:1"};

enum { MACHINES = sizeof machines / sizeof *machines };

/* Those where packets have one phase: all of one class that move become one. */
static const char *const one_phase[] = {"leveled:hypercube:5",    "leveled:fat-tree:3", "leveled:butterfly:3",
                                        "leveled:butterfly-io:4", "leveled:torus:4x5",  "leveled:ring:9"};

static uint64_t state;

static uint32_t below(uint32_t bound)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((state >> 33) * bound >> 31);
}

/* What a random program leaves and answers. */
typedef struct trace {
    np_word value[STEPS][COUNT], memory[3 * CELLS];
    np_pram_report report;
} trace;

static np_status play_steps(np_pram *pram, trace *out)
{
    np_address base, more, address[COUNT];
    uint8_t kind[COUNT], active[COUNT];
    np_status st = np_pram_allocate(pram, CELLS, "x", &base);
    for (int s = 0; s < STEPS && !st; s++) {
        if (s == 3 && (st = np_pram_allocate(pram, 2 * CELLS, "more", &more)))
            return st;
        uint32_t cells = 1 + below(s < 3 ? CELLS : 3 * CELLS);
        for (int i = 0; i < COUNT; i++) {
            address[i] = base + below(cells);
            out->value[s][i] = below(100);
            kind[i] = (uint8_t)below(KINDS);
            active[i] = below(5) > 0;
        }
        np_pram_step step = {.label = "random",
                             .count = COUNT,
                             .address = address,
                             .active = active,
                             .kind = kind,
                             .op = (np_fetch_op)below(6),
                             .value = out->value[s]};
        st = np_pram_access(pram, &step);
    }
    return st ? st : np_pram_get(pram, base, 3 * CELLS, out->memory);
}

static void play(const np_pram_options *options, trace *out)
{
    np_pram *pram = support_pram(options);
    memset(out, 0, sizeof *out);
    state = options->seed;
    assert_ok(play_steps(pram, out));
    out->report = support_pram_report(pram);
    out->report.violation = NULL;
    np_pram_free(pram);
}

/* Same answers and memory as the ideal machine, whatever the rule, map, slack and queue; and the same costs again. */
static void answers_are_ideal(void **unused)
{
    (void)unused;
    static trace want, got, again;
    for (uint64_t seed = 1; seed <= MACHINES * NP_RULES; seed++) {
        np_pram_options options = support_pram_options("ideal");
        options.rule = (np_access_rule)(seed % NP_RULES);
        options.seed = seed;
        play(&options, &want);
        options.machine = machines[seed / NP_RULES % MACHINES];
        options.map = (np_address_map)(seed % 3);
        options.slack = 1 + seed % 4;
        if (options.machine[0] != 't') /* whose queues have no limit */
            options.queue_size = 1 + seed % 5;
        play(&options, &got);
        assert_memory_equal(got.value, want.value, sizeof want.value);
        assert_memory_equal(got.memory, want.memory, sizeof want.memory);
        const np_pram_report *r = &got.report;
        assert_int_equal(r->requests, r->work);
        assert_int_equal(r->replies, r->work);
        assert_int_equal(r->violations, want.report.violations);
        assert_int_equal(r->rehashes, 0);
        assert_true(r->combined < r->requests);
        assert_true(r->network_steps > r->initialisation_steps);
        assert_true(r->row_cells_max >= r->row_cells_mean && r->row_cells_mean > 0);
        assert_true(options.machine[0] == 't' || r->queue_max <= options.queue_size);
        play(&options, &again);
        assert_int_equal(again.report.network_steps, r->network_steps);
        assert_int_equal(again.report.combined, r->combined);
    }
}

/* What must come to modules, counted from the addresses: one packet of each class that moves, and those at home. */
typedef struct expected {
    uint64_t combined, load_max;
} expected;

static expected expect(const np_pram *pram, const np_pram_step *step, uint32_t slack, bool combines)
{
    const np_network_machine *m = (const np_network_machine *)pram->machine;
    static uint8_t seen[MOST * KINDS];
    uint32_t load[MOST] = {0};
    expected e = {0};
    memset(seen, 0, sizeof seen);
    for (size_t i = 0; i < step->count; i++) {
        uint32_t module = m->module[step->address[i]];
        bool home = np_network_input(m->network, (np_node)(i / slack)) == np_network_output(m->network, module);
        uint8_t *once = &seen[step->address[i] * KINDS + step->kind[i]];
        if (combines && !home && (*once)++)
            e.combined++;
        else
            load[module]++;
        e.load_max = load[module] > e.load_max ? load[module] : e.load_max;
    }
    return e;
}

/* One batch of random accesses to a few cells. */
static void one_batch(const char *machine, uint32_t slack, uint32_t cells, bool combines)
{
    np_pram_options options = support_pram_options(machine);
    options.slack = slack;
    np_pram *pram = support_pram(&options);
    np_address base, address[MOST];
    np_word value[MOST];
    uint8_t kind[MOST];
    size_t count = (size_t)support_pram_report(pram).processors * slack;
    assert_true(count <= MOST);
    assert_ok(np_pram_allocate(pram, cells, "x", &base));
    uint64_t before = support_pram_report(pram).network_steps;
    for (size_t i = 0; i < count; i++) {
        address[i] = base + below(cells);
        kind[i] = (uint8_t)below(KINDS);
        value[i] = 1;
    }
    np_pram_step step = {.count = count, .address = address, .kind = kind, .value = value};
    expected e = expect(pram, &step, slack, combines);
    assert_ok(np_pram_access(pram, &step));
    np_pram_report report = support_pram_report(pram);
    assert_int_equal(report.combined, e.combined);
    assert_int_equal(report.module_load_max, e.load_max);
    assert_int_equal(report.per_step.max, (double)(report.network_steps - before));
    assert_true(report.per_step.max >= (double)e.load_max);
    assert_int_equal(report.ghosts > 0, combines);
    np_pram_free(pram);
}

static void loads_are_exact(void **unused)
{
    (void)unused;
    static const uint32_t cells[] = {1, 2, 7, 300};
    state = 1;
    for (size_t i = 0; i < sizeof one_phase / sizeof *one_phase; i++)
        for (uint32_t slack = 1; slack <= 3; slack++)
            for (size_t c = 0; c < sizeof cells / sizeof *cells; c++)
                one_batch(one_phase[i], slack, cells[c], true);
    for (uint32_t slack = 1; slack <= 3; slack++)
        for (size_t c = 0; c < sizeof cells / sizeof *cells; c++)
            one_batch("two-phase:hypercube:4", slack, cells[c], false);
}

/* All read one cell. Where several phases come to it, each may bring one. */
static np_pram_report hot_spot(const char *machine, uint32_t slack, uint64_t seed)
{
    np_pram_options options = support_pram_options(machine);
    options.slack = slack;
    options.seed = seed;
    np_pram *pram = support_pram(&options);
    np_address base, address[MOST] = {0};
    np_word value[MOST], seven = 7;
    size_t count = (size_t)support_pram_report(pram).processors * slack;
    assert_ok(np_pram_allocate(pram, 1, "x", &base));
    assert_ok(np_pram_put(pram, base, 1, &seven));
    assert_ok(np_pram_read(pram, count, address, NULL, value, "one cell"));
    for (size_t i = 0; i < count; i++)
        assert_int_equal(value[i], 7);
    np_pram_report report = support_pram_report(pram);
    assert_int_equal(report.requests, count);
    np_pram_free(pram);
    return report;
}

static void one_cell(void **unused)
{
    (void)unused;
    np_pram_report leveled = hot_spot("leveled:hypercube:6", 1, 1), two_phase = hot_spot("two-phase:hypercube:6", 1, 1);
    assert_int_equal(leveled.module_load_max, 2); /* one over the network, one from the processor at home */
    assert_int_equal(leveled.combined, 62);
    assert_int_equal(leveled.replies, 64);
    assert_int_equal(leveled.n, 6);
    assert_int_equal(leveled.modules, 64);
    assert_int_equal(leveled.initialisation_steps, 8 * 6 + 6);
    assert_int_equal((uint64_t)leveled.per_step.max % 2, 1); /* 2 T + 1 */
    assert_int_equal(two_phase.module_load_max, 64);
    assert_int_equal(two_phase.combined, 0);
    assert_int_equal(two_phase.ghosts, 0);
    assert_true(two_phase.per_step.max >= 64);
    assert_true(two_phase.queue_max > leveled.queue_max);
    np_pram_report mesh = hot_spot("leveled:mesh:8x8", 1, 1), shuffle = hot_spot("leveled:shuffle-exchange:6", 1, 1);
    assert_true(mesh.module_load_max <= 5);
    assert_int_equal(mesh.combined + mesh.module_load_max, 64);
    assert_int_equal(mesh.n, 14);
    assert_int_equal(shuffle.combined + shuffle.module_load_max, 64);
    assert_true(shuffle.module_load_max <= 4);
}

/* What combines in one phase goes on as one: nothing is lost or counted twice. */
static void phases_keep_combined(void **unused)
{
    (void)unused;
    static const char *const specs[] = {"leveled:shuffle-exchange:4", "leveled:shuffle-exchange:7", "leveled:mesh:6x5"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        for (uint64_t seed = 1; seed <= 8; seed++) {
            np_pram_report report = hot_spot(specs[i], 4, seed);
            assert_int_equal(report.combined + report.module_load_max, report.requests);
        }
}

/* Steps of one batch of random accesses. */
static double steps_of(const char *machine, uint32_t slack, size_t count)
{
    np_pram_options options = support_pram_options(machine);
    options.slack = slack;
    np_pram *pram = support_pram(&options);
    np_address base, address[MOST];
    np_word value[MOST];
    assert_ok(np_pram_allocate(pram, 50, "x", &base));
    state = count;
    for (size_t i = 0; i < count; i++)
        address[i] = base + below(50);
    assert_ok(np_pram_read(pram, count, address, NULL, value, "some"));
    double steps = support_pram_report(pram).per_step.max;
    np_pram_free(pram);
    return steps;
}

/* A batch that is not full takes what one of the least slack that holds it takes: it is spread over all processors. */
static void small_batches_are_spread(void **unused)
{
    (void)unused;
    static const char *const specs[] = {"butterfly:3", "leveled:hypercube:4", "leveled:mesh:4x5",
                                        "two-phase:hypercube:4"};
    static const size_t processors[] = {24, 16, 20, 16};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        for (size_t count = 1; count <= 5 * processors[i]; count += 3) {
            uint32_t least = 1;
            while (least * processors[i] < count)
                least++;
            assert_true(steps_of(specs[i], 5, count) == steps_of(specs[i], least, count));
        }
}

/* Processor i asks for cell i: so nothing moves. Of two in a batch the second one asks for the same cell. */
static void batches_in_sequence(void **unused)
{
    (void)unused;
    static const char *const specs[] = {"leveled:hypercube:3", "two-phase:hypercube:3"};
    for (size_t i = 0; i < 2; i++)
        for (size_t count = 1; count <= 16; count++)
            for (np_processor processors = 0; processors <= 8; processors += 4) {
                size_t senders = processors ? processors : 8, share = 1 + (count - 1) / senders;
                np_pram_options options = support_pram_options(specs[i]);
                options.map = NP_MAP_NONE;
                options.slack = 5;
                options.processors = processors;
                np_pram *pram = support_pram(&options);
                np_address base, address[16];
                np_word value[16];
                assert_ok(np_pram_allocate(pram, 8, "x", &base));
                for (size_t k = 0; k < count; k++)
                    address[k] = base + k / share;
                assert_ok(np_pram_read(pram, count, address, NULL, value, "at home"));
                assert_int_equal(support_pram_report(pram).network_steps, share < count ? share : count);
                np_pram_free(pram);
            }
}

/* A processor alone asks for its own cells: nothing moves, and the module answers one a step. */
static void at_home(void **unused)
{
    (void)unused;
    static const char *const specs[] = {"leveled:hypercube:3", "two-phase:hypercube:3"};
    for (size_t i = 0; i < 2; i++) {
        np_pram_options options = support_pram_options(specs[i]);
        options.map = NP_MAP_NONE;
        options.slack = 5;
        options.processors = 1;
        np_pram *pram = support_pram(&options);
        np_address base, address[5] = {0, 8, 16, 8, 0};
        np_word value[5];
        assert_ok(np_pram_allocate(pram, 24, "x", &base));
        assert_int_equal(support_pram_report(pram).network_steps, 0); /* no coefficients */
        assert_ok(np_pram_read(pram, 5, address, NULL, value, "at home"));
        assert_int_equal(support_pram_report(pram).network_steps, 5);
        assert_int_equal(support_pram_report(pram).module_load_max, 5);
        address[0] = 1; /* a neighbour's */
        assert_ok(np_pram_read(pram, 1, address, NULL, value, "next door"));
        assert_true(support_pram_report(pram).network_steps >= 5 + 3);
        np_pram_free(pram);
    }
}

/* Batches are given up again and again: the answers are the same, and so is what is counted of those that are not. */
static void answers_with_rehashing(void **unused)
{
    (void)unused;
    static trace want, got;
    for (uint64_t seed = 1; seed <= 3 * MACHINES; seed++) {
        np_pram_options options = support_pram_options("ideal");
        options.rule = (np_access_rule)(seed % NP_RULES);
        options.seed = seed;
        play(&options, &want);
        options.machine = machines[seed % MACHINES];
        options.map = (np_address_map)(seed % 2); /* `hash` and `linear` */
        options.slack = 1 + seed % 2;
        options.allotted = 1;
        play(&options, &got);
        const np_pram_report *r = &got.report;
        assert_memory_equal(got.value, want.value, sizeof want.value);
        assert_memory_equal(got.memory, want.memory, sizeof want.memory);
        assert_int_equal(r->requests, r->work);
        assert_int_equal(r->replies, r->work);
        assert_true(r->combined < r->requests);
        assert_true(r->rehashes > STEPS);
        assert_true(r->rehash_steps > r->rehashes * (r->n + 2)); /* one of n for a batch, and for a function more */
        assert_true(r->network_steps > r->initialisation_steps + r->rehash_steps);
        assert_true(r->row_cells_max >= r->row_cells_mean);
        assert_true(options.machine[0] == 't' || r->queue_max <= options.queue_size);
    }
}

/* A batch that is given up: the next function but 7 says where every cell is, each has gone there, and all is
 * charged. */
static void rehashing_moves_cells(const char *spec, uint32_t away)
{
    enum { HELD = 1000, RETRIES = 8, ZETA = 5, ASKED = 16 };
    np_pram_options options = support_pram_options(spec);
    np_machine *machine;
    np_store *store;
    np_batch_cost cost = {0};
    np_request request[ASKED] = {{0}};
    np_word reply[ASKED];
    np_placement placement;
    uint64_t held[MOST] = {0};
    options.allotted = 1;
    options.hash_coefficients = ZETA;
    assert_ok(np_machine_create(spec, &options, &machine));
    assert_ok(np_store_create(options.rule, &store));
    assert_ok(np_store_grow(store, HELD));
    assert_ok(np_store_begin(store, ASKED, 0));
    assert_ok(machine->ops->grow(machine, HELD, &cost));
    np_network_machine *m = (np_network_machine *)machine;
    uint32_t n = machine->n, modules = m->terminals;
    assert_int_equal(cost.network_steps, ZETA + n);
    assert_ok(np_placement_init(&placement, NP_MAP_HASH, modules, ZETA, options.seed));
    uint64_t least = 0;
    for (int i = 0; i < RETRIES; i++) { /* a round has 16 of each holder, and goes there and back */
        uint64_t hash, most = 0;
        memset(held, 0, sizeof held);
        for (uint32_t x = 0; x < HELD; x++) {
            np_placement_run(&placement, x, 1, &hash);
            most = ++held[hash % modules] > most ? held[hash % modules] : most;
        }
        least += n + ZETA + n + (most + 15) / 16 * (3 + away);
        np_placement_draw(&placement);
    }
    for (uint32_t i = 0; i < ASKED; i++)
        request[i].address = 7 * i;
    assert_ok(machine->ops->serve(machine, store, request, ASKED, reply, &cost));
    assert_int_equal(cost.rehashes, RETRIES);
    assert_int_equal(cost.initialisation_steps, ZETA + n);
    assert_true(cost.rehash_steps >= least);
    assert_true(cost.network_steps - cost.rehash_steps - cost.initialisation_steps > n); /* the batch itself */
    memset(held, 0, sizeof held);
    for (uint32_t x = 0; x < HELD; x++) {
        uint64_t hash;
        np_placement_run(&placement, x, 1, &hash);
        assert_int_equal(m->module[x], hash % modules);
        held[hash % modules]++;
    }
    assert_memory_equal(m->held, held, modules * sizeof *held);
    np_placement_clear(&placement);
    machine->ops->free(machine);
    np_store_free(store);
}

static void cells_move(void **unused)
{
    (void)unused;
    rehashing_moves_cells("leveled:hypercube:4", 0);
    rehashing_moves_cells("leveled:mesh:4x4", 0);
    rehashing_moves_cells("two-phase:hypercube:4", 0);
    rehashing_moves_cells("leveled:butterfly-io:4", 4 + 15 + 2 * 4); /* to the inputs, and the whole way always */
}

/* One cell that moves: from output to input, to its module, and the reply; one that stays where it is costs nothing. */
static void one_cell_moves(void **unused)
{
    (void)unused;
    static const char *const specs[] = {"leveled:butterfly-io:4", "leveled:hypercube:4", "two-phase:hypercube:4"};
    for (size_t i = 0; i < 3; i++) {
        np_pram_options options = support_pram_options(specs[i]);
        np_machine *machine;
        np_batch_cost cost = {0};
        assert_ok(np_machine_create(specs[i], &options, &machine));
        assert_ok(machine->ops->grow(machine, 1, &cost));
        np_network_machine *m = (np_network_machine *)machine;
        np_rehash_move move = {0, m->module[0]};
        cost = (np_batch_cost){0};
        assert_ok(m->rehash.ops->move(machine, &move, 1, &cost));
        assert_int_equal(cost.network_steps, 0);
        move.holder ^= 15;
        assert_ok(m->rehash.ops->move(machine, &move, 1, &cost));
        if (!i)
            assert_int_equal(cost.network_steps, (4 + 15) + 2 * (4 + 1) + 1);
        else
            assert_true(cost.network_steps >= 2 * 4 + 1); /* they are opposite corners */
        assert_int_equal(cost.requests + cost.replies + cost.module_load_max, 0);
        machine->ops->free(machine);
    }
}

/* Who never draws another function: the map that has none, and two-phase routing unless it is told when. */
static void not_every_overrun(void **unused)
{
    (void)unused;
    static const char *const specs[] = {"leveled:hypercube:4", "two-phase:hypercube:4", "butterfly:3"};
    np_pram *pram;
    for (size_t i = 0; i < 3; i++) {
        np_pram_options options = support_pram_options(specs[i]);
        options.map = NP_MAP_NONE;
        options.allotted = 1;
        assert_refused(np_pram_create(&options, &pram), NP_ERROR_APPLY,
                       "allotted 1: with --map none there is no hash function to draw anew");
    }
    np_pram_report hot = hot_spot("two-phase:hypercube:10", 1, 1); /* 1024 at one module, 640 steps for a batch */
    assert_true(hot.per_step.max > 640);
    assert_int_equal(hot.rehashes, 0);
}

/* Each has a word of what is wrong, or the nearest choice. */
static void refusals(void **unused)
{
    (void)unused;
    static const struct {
        const char *spec;
        np_status status;
        const char *text;
    } wrong[] = {
        {"leveled", NP_ERROR_INPUT, "try leveled:hypercube:8"},
        {"leveled:", NP_ERROR_INPUT, "try leveled:hypercube:8"},
        {"leveled:hypercub:3", NP_ERROR_INPUT, "did you mean 'hypercube'"},
        {"leveled:mesh:4x", NP_ERROR_INPUT, "mesh"},
        {"leveled:complete:4", NP_ERROR_APPLY, "no leveled network is known for its family"},
        {"leveled:hypercube:24", NP_ERROR_LIMIT,
         "the leveled networks of hypercube:24 need more than 17.2 GB: take a smaller network"},
        {"two-phase", NP_ERROR_INPUT, "try two-phase:hypercube:8"},
        {"two-phase:mesh:4x4", NP_ERROR_APPLY, "try two-phase:hypercube:8"},
        {"two-phase:hypercube:40", NP_ERROR_LIMIT, "hypercube"},
        {"two-phases:hypercube:4", NP_ERROR_INPUT, "did you mean 'two-phase'"},
        {"levelled:hypercube:4", NP_ERROR_INPUT, "did you mean 'leveled'"},
    };
    np_pram *pram;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        np_pram_options options = support_pram_options(wrong[i].spec);
        assert_refused(np_pram_create(&options, &pram), wrong[i].status, wrong[i].text);
        assert_null(pram);
    }
    np_pram_options options = support_pram_options("leveled:hypercube:3");
    options.processors = 9;
    assert_refused(np_pram_create(&options, &pram), NP_ERROR_INPUT, "has 8");
}

/* Each allocation fails in turn: it is said so, and nothing is lost. */
static void no_memory(void **unused)
{
    (void)unused;
    static const char *const specs[] = {"leveled:mesh:2x3", "leveled:shuffle-exchange:3", "two-phase:hypercube:2"};
    static trace out;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        np_pram_options options = support_pram_options(specs[i]);
        options.slack = COUNT; /* one batch a step */
        np_status st = NP_ERROR_MEMORY;
        for (long n = 1; st; n++) {
            np_pram *pram;
            state = 1;
            np_memory_fail_after(n);
            st = np_pram_create(&options, &pram);
            if (!st)
                st = play_steps(pram, &out);
            np_memory_fail_after(0);
            np_pram_free(pram);
            assert_true(!st || st == NP_ERROR_MEMORY);
            assert_true(!st || strstr(np_last_error(), "no memory for "));
        }
    }
}

/* So it is when allocation fails while cells move. */
static void no_memory_to_move(void **unused)
{
    (void)unused;
    static const char *const specs[] = {"leveled:ring:3", "leveled:butterfly-io:2", "two-phase:hypercube:2"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        np_pram_options options = support_pram_options(specs[i]);
        np_status st = NP_ERROR_MEMORY;
        options.allotted = 1;
        for (long n = 1; st; n += n < SUPPORT_FEWER(300, 64) ? 1 : 29) {
            np_pram *pram;
            np_address base, address[4] = {3, 14, 1, 5};
            np_word value[4];
            np_memory_fail_after(n);
            st = np_pram_create(&options, &pram);
            if (!st)
                st = np_pram_allocate(pram, 40, "x", &base);
            if (!st)
                st = np_pram_read(pram, 4, address, NULL, value, "some");
            np_memory_fail_after(0);
            if (!st)
                assert_true(support_pram_report(pram).rehashes > 0);
            np_pram_free(pram);
            assert_true(!st || st == NP_ERROR_MEMORY);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_ideal),
        cmocka_unit_test(loads_are_exact),
        cmocka_unit_test(one_cell),
        cmocka_unit_test(phases_keep_combined),
        cmocka_unit_test(small_batches_are_spread),
        cmocka_unit_test(batches_in_sequence),
        cmocka_unit_test(at_home),
        cmocka_unit_test(answers_with_rehashing),
        cmocka_unit_test(cells_move),
        cmocka_unit_test(one_cell_moves),
        cmocka_unit_test(not_every_overrun),
        cmocka_unit_test(refusals),
        cmocka_unit_test(no_memory),
        cmocka_unit_test(no_memory_to_move),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
