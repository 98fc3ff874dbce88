/*
 * Memories with a layout against their slow twin (oracle/row_memory.h): every pair is where the twin has it, while
 * memory grows and hash functions are drawn; messages look at as many pairs; processors get the same hashes in as many
 * steps.
 */
#include "support.h"

#include "oracle/row_memory.h"
#include "machine/pram/butterfly.h"
#include "machine/pram/evaluate.h"
#include "machine/pram/inside.h"

enum { CELLS = 200, BATCH = 40 };

typedef struct fixture {
    np_pram_options options;
    np_pram *pram;
    uint64_t cells;
    np_word word[CELLS]; /* what they hold */
} fixture;

static uint64_t state;

static uint32_t below(uint32_t bound)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((state >> 33) * bound >> 31);
}

static void make(fixture *f, uint32_t n, np_memory_layout layout, uint64_t seed)
{
    static char spec[32];
    snprintf(spec, sizeof spec, "butterfly:%u", n);
    state = seed;
    *f = (fixture){.cells = 0};
    np_pram_options_init(&f->options);
    f->options.machine = spec;
    f->options.memory_layout = layout;
    f->options.seed = seed;
    f->options.slack = 1 + below(3);
    f->options.hash_coefficients = seed % 3 ? 0 : 5 + below(4 * n); /* not always a multiple of n */
    f->options.allotted = seed % 2;                                 /* a step: every batch is given up */
    assert_ok(np_pram_create(&f->options, &f->pram));
}

static void clear(fixture *f) { np_pram_free(f->pram); }

static void grow(fixture *f, uint64_t cells)
{
    np_address base;
    assert_ok(np_pram_allocate(f->pram, cells, "x", &base));
    assert_int_equal(base, f->cells);
    f->cells += cells;
}

/* Different cells. */
static size_t choose(const fixture *f, np_address *address)
{
    const size_t count = f->cells < BATCH ? f->cells : 1 + below(BATCH);
    const uint64_t first = below((uint32_t)f->cells);
    for (size_t i = 0; i < count; i++)
        address[i] = (first + i) % f->cells;
    return count;
}

static void write_some(fixture *f)
{
    np_address address[BATCH];
    np_word value[BATCH];
    const size_t count = choose(f, address);
    for (size_t i = 0; i < count; i++)
        f->word[address[i]] = value[i] = 1 + below(1000000);
    assert_ok(np_pram_write(f->pram, count, address, NULL, value, ""));
}

static const np_modules *modules_of(const fixture *f) { return np_butterfly_modules(f->pram->machine); }

/* y(x) of all cells, by the twin. */
static void evaluate(const fixture *f, uint64_t *hash)
{
    const np_placement *function = np_butterfly_placement(f->pram->machine);
    uint32_t processor[CELLS];
    uint64_t cell[CELLS];
    for (uint64_t x = 0; x < f->cells; x++) {
        processor[x] = 0;
        cell[x] = x;
    }
    oracle_evaluate(modules_of(f)->n, modules_of(f)->search, function->coefficients, function->coefficient, f->cells,
                    processor, cell, hash);
}

static oracle_memory *twin_of(const fixture *f, uint64_t *hash)
{
    const np_modules *m = modules_of(f);
    evaluate(f, hash);
    return oracle_memory_make(m->n, m->search, f->options.memory_layout == NP_LAYOUT_IMPROVED, m->table, f->cells, hash,
                              f->word);
}

/* All overflow areas, pair by pair. */
static void compare_areas(const fixture *f, const oracle_memory *twin)
{
    const np_pairs *layout = np_butterfly_pairs(f->pram->machine);
    for (uint32_t v = 0; v < modules_of(f)->n << modules_of(f)->n; v++) {
        const oracle_node *node = &twin->node[v];
        assert_int_equal(layout->begin[v + 1] - layout->begin[v], node->pairs);
        for (uint64_t i = 0; i < node->pairs; i++) {
            const np_pair *pair = &layout->pair[layout->begin[v] + i];
            assert_int_equal(pair->cell != NP_NO_CELL, node->pair[i].used);
            if (node->pair[i].used) {
                assert_int_equal(pair->cell, node->pair[i].cell);
                assert_int_equal(pair->word, node->pair[i].word);
            }
        }
    }
}

static np_pram_memory memory_of(const fixture *f)
{
    np_pram_memory memory;
    assert_ok(np_pram_memory_compute(f->pram, &memory));
    return memory;
}

/* A batch that is not given up: what it reads, the pairs that it looks at and the steps of its hashes. */
static void compare_reads(fixture *f, const oracle_memory *twin, const uint64_t *hash)
{
    const np_placement *function = np_butterfly_placement(f->pram->machine);
    const np_pram_memory before = memory_of(f);
    const uint32_t drawn = function->drawn, processors = f->pram->processors;
    np_address address[BATCH];
    uint32_t processor[BATCH];
    uint64_t cell[BATCH], found[BATCH], probes = 0;
    np_word value[BATCH], word = 0;
    size_t count = choose(f, address);
    count = count < processors ? count : processors; /* one batch, a request a processor */
    assert_ok(np_pram_read(f->pram, count, address, NULL, value, ""));
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(value[i], f->word[address[i]]);
        processor[i] = (uint32_t)i;
        cell[i] = address[i];
        probes += oracle_memory_search(twin, address[i], hash[address[i]], &word);
        assert_int_equal(word, value[i]);
    }
    if (function->drawn != drawn)
        return;
    const np_pram_memory after = memory_of(f);
    assert_int_equal(after.searches - before.searches, count);
    assert_int_equal(after.probes - before.probes, probes);
    assert_int_equal(after.evaluation_steps - before.evaluation_steps,
                     oracle_evaluate(modules_of(f)->n, modules_of(f)->search, function->coefficients,
                                     function->coefficient, count, processor, cell, found));
    for (size_t i = 0; i < count; i++)
        assert_int_equal(found[i] % modules_of(f)->table, modules_of(f)->place[address[i]]);
}

static void as_the_twin(void **unused)
{
    (void)unused;
    uint32_t rehashes = 0;
    for (uint64_t seed = 1; seed <= 36; seed++) {
        fixture f;
        uint64_t hash[CELLS];
        make(&f, 1 + (uint32_t)(seed / 2 % 4), seed / 8 % 2 ? NP_LAYOUT_IMPROVED : NP_LAYOUT_PRELIMINARY, seed);
        for (int turn = 0; turn < 5; turn++) {
            if (f.cells + BATCH <= CELLS)
                grow(&f, 1 + below(BATCH));
            write_some(&f);
            oracle_memory *twin = twin_of(&f, hash);
            compare_areas(&f, twin);
            compare_reads(&f, twin, hash);
            oracle_memory_free(twin);
            twin = twin_of(&f, hash); /* reading may have drawn new functions */
            compare_areas(&f, twin);
            oracle_memory_free(twin);
        }
        np_pram_report report;
        assert_ok(np_pram_report_get(f.pram, &report));
        rehashes += report.rehashes;
        clear(&f);
    }
    assert_true(rehashes > 100);
}

/* n = 3 and M/N = 2: the places of a row, from location 0 of M_1 on, point to 2, 10, 18, 26, 34 and 42. */
static void figure_6(void **unused)
{
    (void)unused;
    static const uint64_t figure[] = {2, 10, 18, 26, 34, 42};
    unsigned seen = 0;
    fixture f;
    np_pram_options_init(&f.options);
    f.options.machine = "butterfly:3";
    f.options.memory_layout = NP_LAYOUT_PRELIMINARY;
    f.cells = 0;
    assert_ok(np_pram_create(&f.options, &f.pram));
    grow(&f, 48);
    const np_modules *m = modules_of(&f);
    const np_pairs *layout = np_butterfly_pairs(f.pram->machine);
    assert_int_equal(m->table / m->modules.divisor, 2);
    for (uint64_t x = 0; x < f.cells; x++) {
        const uint32_t place = m->place[x], module = place % 24;
        assert_int_equal(2 + layout->table[place], figure[module / 8 * 2 + place / 24]);
        seen |= 1U << (module / 8 * 2 + place / 24);
    }
    assert_int_equal(seen, 63);
    clear(&f);
}

/* Requests of one processor go one after the other; the function's last coefficients may be missing. */
static void hashes_of_many_requests(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        enum { REQUESTS = 120 };
        const uint32_t n = 1 + seed % 5, coefficients = 3 + (uint32_t)seed * 2 % (8 * n),
                       search = (coefficients + n - 1) / n;
        np_placement function;
        np_evaluation evaluation;
        uint32_t processor[REQUESTS];
        uint64_t cell[REQUESTS], hash[REQUESTS];
        state = seed;
        assert_ok(np_placement_init(&function, NP_MAP_HASH, (uint64_t)n << n, coefficients, seed));
        assert_ok(np_evaluation_init(&evaluation, n, search, REQUESTS));
        np_evaluation_begin(&evaluation);
        for (int i = 0; i < REQUESTS; i++) {
            processor[i] = below(seed % 2 ? n << n : 1 + n / 2);
            cell[i] = below(1 << 20);
        }
        const uint64_t steps =
            oracle_evaluate(n, search, coefficients, function.coefficient, REQUESTS, processor, cell, hash);
        for (int i = 0; i < REQUESTS; i++)
            assert_int_equal(np_evaluation_run(&evaluation, &function, cell[i], processor[i]), hash[i]);
        assert_int_equal(np_evaluation_end(&evaluation), steps);
        np_evaluation_clear(&evaluation);
        np_placement_clear(&function);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_the_twin), cmocka_unit_test(figure_6),
                                       cmocka_unit_test(hashes_of_many_requests)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
