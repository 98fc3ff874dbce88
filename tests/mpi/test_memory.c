/*
 * Shared memory on ranks, held to the definition: every rank gathers the requests of all ranks, in the order of
 * processors, and gives them as one step to the interpreter of PRAM steps of tests/oracle, which compares every access
 * with every other one. Steps that it lacks, or that are too long for it, are applied one request after the other.
 */
#include <math.h>
#include <string.h>

#include "mpi/test.h"
#include "support.h"

#include "base/memory.h"
#include "oracle/pram.h"

enum { MOST = 4096 /* requests of all ranks in a step, for the interpreter */ };

/* ---- Random numbers, the tests' own ---- */

static uint64_t state_of_random;

static uint64_t next_random(void)
{
    uint64_t x = state_of_random += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static uint64_t below(uint64_t bound) { return next_random() % bound; }

/* ---- An array, and what it must hold ---- */

typedef struct world {
    MPI_Comm comm;
    int rank, size;
    np_mpi *mpi;
    np_mpi_array *array;
    oracle_pram model;
    np_cell_type *type;
} world;

static void begin_at(world *w, MPI_Comm comm, uint64_t cells, const np_mpi_array_options *options, uint64_t piece)
{
    np_mpi_options ranks_options;
    np_mpi_options_init(&ranks_options);
    ranks_options.piece = piece;
    ranks_options.seed = 77;
    *w = (world){.comm = comm};
    MPI_Comm_rank(comm, &w->rank);
    MPI_Comm_size(comm, &w->size);
    if (np_mpi_create(comm, &ranks_options, &w->mpi) || np_mpi_array_create(w->mpi, cells, options, &w->array))
        fail_msg("%s", np_last_error());
    w->model = (oracle_pram){.rule = options->rule, .seed = 77, .cells = cells, .clean = UINT32_MAX};
    w->model.memory = calloc(cells + 1, sizeof *w->model.memory);
    w->type = malloc((cells + 1) * sizeof *w->type);
    for (uint64_t i = 0; i < cells; i++)
        w->type[i] = options->type;
    w->model.type = w->type;
}

static void begin(world *w, uint64_t cells, const np_mpi_array_options *options)
{
    begin_at(w, MPI_COMM_WORLD, cells, options, 0);
}

static np_mpi_array_options usual(void)
{
    np_mpi_array_options options;
    np_mpi_array_options_init(&options);
    return options;
}

/* NaN is NaN. */
static bool same(np_cell_type type, np_word a, np_word b)
{
    return a == b || (type == NP_CELL_REAL && isnan(np_real_of_word(a)) && isnan(np_real_of_word(b)));
}

/* The runs of all ranks together are all cells, each once, and hold what they must. */
static void check_cells(const world *w)
{
    uint64_t mine = 0, all = 0, before = 0;
    for (size_t i = 0; i < np_mpi_array_runs(w->array); i++) {
        const np_mpi_run run = np_mpi_array_run(w->array, i);
        assert_true(run.count && run.address >= before && run.address + run.count <= w->model.cells);
        before = run.address + run.count;
        mine += run.count;
        for (uint64_t k = 0; k < run.count; k++)
            if (!same(w->type[run.address + k], run.word[k], w->model.memory[run.address + k]))
                fail_msg("cell %llu is %lld, not %lld", (unsigned long long)(run.address + k), (long long)run.word[k],
                         (long long)w->model.memory[run.address + k]);
    }
    MPI_Allreduce(&mine, &all, 1, MPI_UINT64_T, MPI_SUM, w->comm);
    assert_int_equal(all, w->model.cells); /* none twice: neighbours of a rank ascend, and ranks differ in values */
}

static void check_report(const world *w)
{
    np_mpi_array_report report;
    assert_int_equal(np_mpi_array_report_get(w->array, &report), NP_OK);
    assert_int_equal(report.violations, w->model.violations);
    assert_int_equal(report.calls, w->model.steps);
}

static void end(world *w)
{
    check_cells(w);
    check_report(w);
    np_mpi_array_free(w->array);
    np_mpi_free(w->mpi);
    free(w->model.memory);
    free(w->type);
}

/* ---- A step ---- */

typedef struct requests {
    size_t count;
    uint64_t address[MOST];
    np_word value[MOST];
} requests;

typedef enum verb { READ, WRITE, FETCH, UPDATE } verb;

/* The requests of all ranks, in order; *before: those of lower ranks. */
static void gather(const world *w, const requests *r, requests *all, size_t *before)
{
    int count = (int)r->count, counts[MOST_RANKS], at[MOST_RANKS];
    MPI_Allgather(&count, 1, MPI_INT, counts, 1, MPI_INT, w->comm);
    all->count = 0;
    for (int s = 0; s < w->size; s++) {
        at[s] = (int)all->count;
        all->count += (size_t)counts[s];
    }
    assert_true(all->count <= MOST);
    *before = (size_t)at[w->rank];
    MPI_Allgatherv(r->address, count, MPI_UINT64_T, all->address, counts, at, MPI_UINT64_T, w->comm);
    MPI_Allgatherv(r->value, count, MPI_INT64_T, all->value, counts, at, MPI_INT64_T, w->comm);
}

/* What the step must answer: to all->value. */
static void interpret(world *w, verb v, np_mpi_op op, requests *all)
{
    if (v >= FETCH && op == NP_MPI_REPLACE) {
        for (size_t i = 0; i < all->count; i++) {
            const np_word before = w->model.memory[all->address[i]];
            w->model.memory[all->address[i]] = all->value[i];
            all->value[i] = before;
        }
        w->model.steps++;
        if (w->model.rule == NP_RULE_EREW || w->model.rule == NP_RULE_CREW || w->model.rule == NP_RULE_ERCW)
            fail_msg("the test does not count violations of these");
        return;
    }
    static const np_access_kind kinds[] = {NP_ACCESS_READ, NP_ACCESS_WRITE, NP_ACCESS_FETCH, NP_ACCESS_FETCH};
    np_pram_step step = {.count = all->count, .address = all->address, .all = kinds[v], .op = (np_fetch_op)op};
    step.value = all->value;
    assert_false(oracle_pram_refuses(&w->model, &step));
    oracle_pram_step(&w->model, &step, false);
}

static np_status call(const world *w, verb v, np_mpi_op op, requests *r)
{
    switch (v) {
    case READ:
        return np_mpi_array_read(w->array, r->count, r->address, r->value);
    case WRITE:
        return np_mpi_array_write(w->array, r->count, r->address, r->value);
    case FETCH:
        return np_mpi_array_fetch(w->array, op, r->count, r->address, r->value);
    default:
        return np_mpi_array_update(w->array, op, r->count, r->address, r->value);
    }
}

/* The ranks make the step, and the answers are those of the model. */
static void take(world *w, verb v, np_mpi_op op, requests *r)
{
    static requests all, kept;
    size_t before;
    gather(w, r, &all, &before);
    interpret(w, v, op, &all);
    kept = *r;
    if (call(w, v, op, r))
        fail_msg("%s", np_last_error());
    for (size_t i = 0; i < r->count; i++) {
        assert_int_equal(r->address[i], kept.address[i]);
        const np_word want = v == READ || v == FETCH ? all.value[before + i] : kept.value[i];
        if (!same(w->type[r->address[i]], r->value[i], want))
            fail_msg("verb %d, op %d, rule %s: request %zu of rank %d, cell %llu: %lld, not %lld", v, op,
                     np_access_rule_name(w->model.rule), i, w->rank, (unsigned long long)r->address[i],
                     (long long)r->value[i], (long long)want);
    }
}

/* ---- Requests of all shapes ---- */

typedef enum shape { UNIFORM, HOT, SKEWED, ONE_RANK, NOBODY, ASCENDING, SHAPES } shape;

static np_word random_value(np_cell_type type)
{
    static const double odd[] = {0.0, -0.0, 1e300, -1e300, 1e-300, INFINITY, 0.1};
    if (type == NP_CELL_BOOL)
        return (np_word)below(3);
    if (type == NP_CELL_REAL)
        return np_word_of_real(below(3) ? (double)below(100) / 7 - 5 : odd[below(sizeof odd / sizeof *odd)]);
    return below(4) ? (np_word)below(7) - 3 : (np_word)next_random();
}

static void make(const world *w, shape s, size_t most, requests *r)
{
    static uint64_t calls;
    state_of_random = (uint64_t)(w->rank + 1) << 32 ^ ++calls;
    const uint64_t cells = w->model.cells, start = below(cells);
    r->count = s == NOBODY || (s == ONE_RANK && w->rank != w->size / 2) ? 0 : s == ONE_RANK ? most : below(most + 1);
    for (size_t i = 0; i < r->count; i++) {
        const uint64_t any = below(cells);
        r->address[i] = s == HOT                   ? cells / 3
                        : s == SKEWED && below(10) ? cells / 2
                        : s == ASCENDING           ? (start + i) % cells
                                                   : any;
        r->value[i] = random_value(w->type[0]);
    }
}

/* Every verb that has a meaning for the rule and the type, by a random op. */
static void take_any(world *w, shape s, size_t most)
{
    static const int ops[] = {[NP_CELL_INT] = 7, [NP_CELL_REAL] = 3, [NP_CELL_BOOL] = 3};
    static requests r;
    const np_cell_type type = w->type[0];
    const bool counted = w->model.rule <= NP_RULE_ERCW; /* where the test does not count violations of replacing */
    state_of_random = w->model.steps * 31 + (uint64_t)w->model.rule;
    const verb v = (verb)below(4);
    int op = (int)below((uint64_t)ops[type]) + (type == NP_CELL_BOOL ? NP_MPI_AND : 0);
    if (op == NP_MPI_REPLACE && counted)
        op = NP_MPI_XOR;
    if (!counted && below(6) == 0)
        op = NP_MPI_REPLACE;
    make(w, s, most, &r);
    take(w, v, (np_mpi_op)op, &r);
}

static bool has_meaning(np_access_rule rule, np_cell_type type)
{
    if (type == NP_CELL_REAL)
        return rule < NP_RULE_AND;
    return type == NP_CELL_INT || (rule != NP_RULE_COLLISION && (rule < NP_RULE_ADD || rule >= NP_RULE_AND));
}

/* Random steps on an array with the options, of at most so many requests of all ranks. */
static void run(MPI_Comm comm, uint64_t cells, const np_mpi_array_options *options, uint64_t piece, unsigned steps,
                size_t total)
{
    world w;
    begin_at(&w, comm, cells, options, piece);
    for (unsigned i = 0; i < steps; i++)
        take_any(&w, (shape)(i % SHAPES), total / (size_t)w.size);
    end(&w);
}

/* ---- Tests ---- */

static void all_rules_and_types(void **state)
{
    (void)state;
    for (np_access_rule rule = 0; rule < NP_RULES; rule++)
        for (np_cell_type type = NP_CELL_INT; type <= NP_CELL_BOOL; type++) {
            np_mpi_array_options options = usual();
            if (!has_meaning(rule, type))
                continue;
            /* Many ranks take turns on few processors: four have one half, seven the other. */
            if (ranks > 3 && !support_takes((size_t)rule, (size_t)type + (size_t)ranks, 2))
                continue;
            options.rule = rule;
            options.type = type;
            options.combining = NP_MPI_COMBINE_ALWAYS;
            run(MPI_COMM_WORLD, 50, &options, 0, 2 * SHAPES, 200);
            options.combining = NP_MPI_COMBINE_NEVER;
            if (type == NP_CELL_INT)
                run(MPI_COMM_WORLD, 50, &options, 0, SHAPES, 200);
        }
}

static void layouts_and_blocks(void **state)
{
    (void)state;
    static const uint64_t cells[] = {1, 2, 63, 65, 300};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        for (uint64_t block = 0; block <= 256; block = block ? block * 16 : 1)
            for (np_mpi_layout layout = NP_MPI_HASHED; layout <= NP_MPI_BLOCKS; layout++) {
                np_mpi_array_options options = usual();
                options.layout = layout;
                options.block = block;
                run(MPI_COMM_WORLD, cells[i], &options, 0, SHAPES, 200);
            }
}

static void deals_out_evenly(void **state)
{
    world w;
    np_mpi_array_options options = usual();
    np_mpi_array_report report;
    const uint64_t cells = 100000, each = cells / (uint64_t)ranks;
    (void)state;
    begin(&w, cells, &options);
    assert_int_equal(np_mpi_array_cells(w.array), cells);
    assert_int_equal(np_mpi_array_report_get(w.array, &report), NP_OK);
    assert_true(report.cells_most >= each && report.cells_most < each + each / 5);
    end(&w);
    options.layout = NP_MPI_BLOCKS;
    options.block = 8;
    begin(&w, cells, &options);
    const uint64_t blocks = cells / 8, first = blocks / (uint64_t)ranks * (uint64_t)me;
    const size_t runs = np_mpi_array_runs(w.array);
    assert_true(runs == blocks / (uint64_t)ranks || runs == blocks / (uint64_t)ranks + 1);
    for (size_t i = 0; i < runs; i++) /* lower ranks have one block more, if any */
        assert_int_equal(np_mpi_array_run(w.array, i).address / 8 - i,
                         first + (blocks % (uint64_t)ranks < (uint64_t)me ? blocks % (uint64_t)ranks : (uint64_t)me));
    end(&w);
}

/* Ranks wait for each other in every round, which takes long where they are more than the processors: few of them. */
static const np_access_rule some_rules[] = {NP_RULE_CREW,      NP_RULE_COMMON,   NP_RULE_TOLERANT,
                                            NP_RULE_ARBITRARY, NP_RULE_PRIORITY, NP_RULE_ADD};

static void rounds(void **state)
{
    (void)state;
    for (uint64_t round = 1; round <= 9; round += 4)
        for (size_t r = 0; r < sizeof some_rules / sizeof *some_rules; r++) {
            np_mpi_array_options options = usual();
            options.round = round;
            options.rule = some_rules[r];
            run(MPI_COMM_WORLD, 5, &options, 40, SHAPES, 12 * round);
        }
}

static void hops(void **state)
{
    (void)state;
    for (uint32_t hops = 2; hops <= 32; hops *= 16)
        for (size_t r = 0; r < sizeof some_rules / sizeof *some_rules; r++) {
            np_mpi_array_options options = usual();
            options.hops = hops;
            options.rule = some_rules[r];
            options.type = r == 5 && hops == 2 ? NP_CELL_REAL : NP_CELL_INT;
            options.combining = r % 2 ? NP_MPI_COMBINE_ALWAYS : NP_MPI_COMBINE_AUTO;
            options.round = r % 3 ? 15 : 1000;
            run(MPI_COMM_WORLD, 20, &options, 0, 2 * SHAPES, 100);
        }
}

/* Many requests, one after the other: the table in which they combine is too small for all. */
typedef struct many {
    uint64_t address[20000];
    np_word value[20000];
} many;

enum { MANY_CELLS = 30000 };

static np_word applied(np_mpi_op op, np_word a, np_word b)
{
    switch (op) {
    case NP_MPI_ADD:
        return (np_word)((uint64_t)a + (uint64_t)b);
    case NP_MPI_MAX:
        return a > b ? a : b;
    default:
        return b;
    }
}

static void make_many(int rank, unsigned step, many *m, size_t *count)
{
    state_of_random = (uint64_t)rank * 1000 + step;
    *count = 10000 + below(10001);
    for (size_t i = 0; i < *count; i++) {
        /* More and more to three cells; then long runs for one, and now and then another. */
        bool special = step < 6 ? below(10) < 2 * step : i % 40 != 7;
        m->address[i] = !special ? below(MANY_CELLS) : step < 6 ? 17 + below(3) : 17;
        m->value[i] = (np_word)next_random();
    }
}

/* The step of all ranks; the answers of this one to *m. */
static void apply_many(unsigned step, np_mpi_op op, np_word *cell, many *m)
{
    static many other;
    for (int r = 0; r < ranks; r++) {
        size_t count;
        make_many(r, step, &other, &count);
        for (size_t i = 0; i < count; i++) {
            const np_word before = cell[other.address[i]];
            cell[other.address[i]] = applied(op, before, other.value[i]);
            other.value[i] = before;
        }
        if (r == me)
            *m = other;
    }
}

/* Six steps; the report after them. */
static void run_many(np_mpi *mpi, const np_mpi_array_options *options, np_mpi_array_report *report)
{
    static many mine, want;
    static np_word cell[MANY_CELLS];
    static const np_mpi_op ops[] = {NP_MPI_ADD, NP_MPI_MAX, NP_MPI_REPLACE};
    np_mpi_array *array;
    memset(cell, 0, sizeof cell);
    assert_int_equal(np_mpi_array_create(mpi, MANY_CELLS, options, &array), NP_OK);
    for (unsigned step = 0; step < 9; step++) {
        size_t count;
        apply_many(step, ops[step % 3], cell, &want);
        make_many(me, step, &mine, &count);
        assert_int_equal(np_mpi_array_fetch(array, ops[step % 3], count, mine.address, mine.value), NP_OK);
        assert_memory_equal(mine.value, want.value, count * sizeof *mine.value);
    }
    for (unsigned step = 0; step < 9; step += 4) {
        size_t count;
        make_many(me, step, &mine, &count);
        assert_int_equal(np_mpi_array_read(array, count, mine.address, mine.value), NP_OK);
        for (size_t i = 0; i < count; i++)
            assert_int_equal(mine.value[i], cell[mine.address[i]]);
    }
    assert_int_equal(np_mpi_array_report_get(array, report), NP_OK);
    np_mpi_array_free(array);
}

static void many_requests(void **state)
{
    np_mpi *mpi = make_ranks(0);
    np_mpi_array_options options = usual();
    np_mpi_array_report never, automatic, always;
    (void)state;
    options.combining = NP_MPI_COMBINE_NEVER;
    run_many(mpi, &options, &never);
    options.combining = NP_MPI_COMBINE_AUTO;
    options.round = 7000;
    run_many(mpi, &options, &automatic);
    options.combining = NP_MPI_COMBINE_ALWAYS;
    options.hops = 2;
    run_many(mpi, &options, &always);
    assert_int_equal(never.combined, 0);
    assert_true(automatic.combined > automatic.requests / 5 && automatic.combined < always.combined);
    assert_true(always.combined_on_way > 0 || ranks < 3);
    np_mpi_free(mpi);
}

static void on_parts(void **state)
{
    MPI_Comm part;
    np_mpi_array_options options = usual();
    (void)state;
    MPI_Comm_split(MPI_COMM_WORLD, me % 2, -me, &part);
    run(part, 100, &options, 0, SHAPES, 200);
    MPI_Comm_free(&part);
}

static void no_cells(void **state)
{
    np_mpi *mpi = make_ranks(0);
    np_mpi_array *array;
    np_word value = 5;
    uint64_t address = 0;
    (void)state;
    assert_int_equal(np_mpi_array_create(mpi, 0, NULL, &array), NP_OK);
    assert_int_equal(np_mpi_array_cells(array), 0);
    assert_int_equal(np_mpi_array_runs(array), 0);
    assert_int_equal(np_mpi_array_read(array, 0, NULL, NULL), NP_OK);
    assert_int_equal(np_mpi_array_write(array, 0, NULL, NULL), NP_OK);
    assert_int_equal(np_mpi_array_fetch(array, NP_MPI_ADD, 0, NULL, NULL), NP_OK);
    assert_int_equal(np_mpi_array_read(array, 1, &address, &value), NP_ERROR_INPUT);
    assert_int_equal(value, 5);
    np_mpi_array_free(array);
    np_mpi_array_free(NULL);
    np_mpi_free(mpi);
}

/* Where the error is on one rank only, all have it, and nothing has changed. */
static void an_error_is_one_of_all(void **state)
{
    world w;
    np_mpi_array_options options = usual();
    uint64_t address[] = {3, 10};
    np_word value[] = {4, 5};
    const bool wrong = me == ranks - 1;
    (void)state;
    options.round = 1;
    begin(&w, 10, &options);
    assert_int_equal(np_mpi_array_fetch(w.array, NP_MPI_ADD, wrong ? 2 : 1, address, value), NP_ERROR_INPUT);
    assert_non_null(strstr(np_last_error(), "request 1 is for cell 10 of an array of 10"));
    assert_true(value[0] == 4 && value[1] == 5);
    assert_int_equal(np_mpi_array_fetch(w.array, (np_mpi_op)(wrong ? 7 : 0), 1, address, value), NP_ERROR_INPUT);
    assert_int_equal(np_mpi_array_fetch(w.array, NP_MPI_ADD, 0, address, value), NP_OK);
    w.model.steps = 1; /* calls that fail are none */
    if (ranks > 1) {
        assert_int_equal(np_mpi_array_fetch(w.array, wrong ? NP_MPI_MIN : NP_MPI_ADD, 1, address, value),
                         NP_ERROR_INPUT);
        assert_non_null(strstr(np_last_error(), "different calls"));
    }
    end(&w);
}

static void says_which_rule_was_violated(void **state)
{
    np_mpi *mpi = make_ranks(0);
    np_mpi_array *array;
    np_mpi_array_options options = usual();
    np_mpi_array_report report;
    uint64_t address[] = {4, 5, 3, 5, 3};
    np_word value[5];
    (void)state;
    options.rule = NP_RULE_EREW;
    options.block = 1;
    assert_int_equal(np_mpi_array_create(mpi, 10, &options, &array), NP_OK);
    assert_int_equal(np_mpi_array_read(array, me ? 0 : 3, address, value), NP_OK);
    assert_int_equal(np_mpi_array_report_get(array, &report), NP_OK);
    assert_int_equal(report.violations, 0);
    assert_int_equal(report.violation_call, UINT64_MAX);
    assert_int_equal(np_mpi_array_read(array, me ? 1 : 5, address + (me ? 1 : 0), value), NP_OK);
    assert_int_equal(np_mpi_array_read(array, me ? 0 : 5, (uint64_t[]){0, 0, 0, 0, 0}, value), NP_OK);
    assert_int_equal(np_mpi_array_report_get(array, &report), NP_OK);
    assert_int_equal(report.violations, 3);
    assert_int_equal(report.violation_call, 1);
    assert_int_equal(report.violation_address, 3);
    np_mpi_array_free(array);
    np_mpi_free(mpi);
}

/* All ranks make an array and use it; on the last one the n-th allocation fails. */
static np_status use(np_mpi *mpi, const np_mpi_array_options *options, size_t count, long n)
{
    uint64_t address[20];
    np_word value[20] = {0};
    np_mpi_array *array;
    for (uint64_t i = 0; i < 20; i++)
        address[i] = i % 2 * i;
    np_memory_fail_after(me == ranks - 1 ? n : 0);
    np_status st = np_mpi_array_create(mpi, 20, options, &array);
    if (!st && !(st = np_mpi_array_fetch(array, NP_MPI_ADD, count, address, value)) &&
        !(st = np_mpi_array_write(array, count, address, value)))
        st = np_mpi_array_read(array, count, address, value);
    np_memory_fail_after(0);
    np_mpi_array_free(array);
    return st;
}

static void an_allocation_fails_on_one_rank(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        np_mpi_array_options options = usual();
        options.type = kind ? NP_CELL_REAL : NP_CELL_INT;
        options.rule = kind ? NP_RULE_COMMON : NP_RULE_ARBITRARY;
        options.hops = 2;
        options.combining = NP_MPI_COMBINE_ALWAYS;
        np_status st = NP_ERROR_MEMORY;
        long n = 1;
        for (; st; n++) {
            np_mpi *mpi = make_ranks(0); /* its buffers stay between calls */
            assert_int_equal(use(mpi, &options, 2, 0), NP_OK);
            st = use(mpi, &options, 20, n);
            if (st && st != NP_ERROR_MEMORY)
                fail_msg("allocation %ld: %s", n, np_last_error());
            assert_int_equal(use(mpi, &options, 2, 0), NP_OK); /* buffers that were lost are made again */
            assert_int_equal(use(mpi, &options, 20, 0), NP_OK);
            np_mpi_free(mpi);
        }
        assert_true(n > 15);
    }
}

static void refuses_options(void **state)
{
    np_mpi *mpi = make_ranks(0);
    np_mpi_array *array = (np_mpi_array *)state;
    np_mpi_array_options o = usual();
    const bool one = me == ranks - 1;
    o.block = one ? 3 : 0;
    assert_int_equal(np_mpi_array_create(mpi, 10, &o, &array), NP_ERROR_INPUT);
    assert_null(array);
    assert_non_null(strstr(np_last_error(), "blocks of 3 cells"));
    o = usual();
    o.round = 0;
    assert_int_equal(np_mpi_array_create(mpi, 10, &o, &array), NP_ERROR_INPUT);
    o = usual();
    o.rule = NP_RULE_XOR;
    o.type = NP_CELL_REAL;
    assert_int_equal(np_mpi_array_create(mpi, 10, &o, &array), NP_ERROR_INPUT);
    assert_non_null(strstr(np_last_error(), "crcw-xor does not combine values of type real"));
    o = usual();
    o.block = 1;
    assert_int_equal(np_mpi_array_create(mpi, UINT64_C(1) << 40, &o, &array), NP_ERROR_LIMIT);
    o = usual();
    if (ranks > 1)
        assert_int_equal(np_mpi_array_create(mpi, one ? 10 : 11, &o, &array), NP_ERROR_INPUT);
    np_mpi_free(mpi);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_rules_and_types),
        cmocka_unit_test(layouts_and_blocks),
        cmocka_unit_test(deals_out_evenly),
        cmocka_unit_test(rounds),
        cmocka_unit_test(hops),
        cmocka_unit_test(many_requests),
        cmocka_unit_test(on_parts),
        cmocka_unit_test(no_cells),
        cmocka_unit_test(an_error_is_one_of_all),
        cmocka_unit_test(refuses_options),
        cmocka_unit_test(says_which_rule_was_violated),
        cmocka_unit_test(an_allocation_fails_on_one_rank),
    };
    return on_ranks(&argc, &argv, tests, sizeof tests / sizeof *tests);
}
