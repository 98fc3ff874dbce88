/* Memory inside the modules: both layouts give every cell a place of its own, in its row, where the search finds it. */
#include "netpram/theory.h"
#include "machine/pram/modules.h"
#include "support.h"

typedef struct fixture {
    np_placement placement;
    np_modules modules;
} fixture;

static void make(fixture *f, uint32_t n, uint64_t cells, uint64_t seed)
{
    uint64_t first;
    assert_ok(np_placement_init(&f->placement, NP_MAP_HASH, (uint64_t)n << n, 8 * n, seed));
    assert_ok(np_modules_init(&f->modules, n, 8 * n));
    assert_ok(np_modules_grow(&f->modules, &f->placement, cells, &first));
    assert_int_equal(first, 0);
}

static void clear(fixture *f)
{
    np_placement_clear(&f->placement);
    np_modules_clear(&f->modules);
}

static uint64_t hash_of(const fixture *f, uint64_t x)
{
    uint64_t hash;
    np_placement_run(&f->placement, x, 1, &hash);
    return hash;
}

/* The table is the least N 2^j that holds all; modules do not depend on it. */
static void growth(void **unused)
{
    (void)unused;
    fixture f;
    uint64_t first;
    make(&f, 3, 10, 1);
    assert_int_equal(f.modules.table, 24);
    assert_ok(np_modules_grow(&f.modules, &f.placement, 24, &first));
    assert_int_equal(first, 10);
    assert_ok(np_modules_grow(&f.modules, &f.placement, 50, &first));
    assert_int_equal(first, 0);
    assert_int_equal(f.modules.table, 96);
    uint64_t sum = 0, in_row[8] = {0};
    for (uint64_t x = 0; x < 50; x++) {
        assert_int_equal(f.modules.place[x], hash_of(&f, x) % 96);
        assert_int_equal(np_modules_of(&f.modules, x), hash_of(&f, x) % 24);
        in_row[hash_of(&f, x) % 24 % 8]++;
    }
    for (int r = 0; r < 8; r++) {
        assert_int_equal(f.modules.row_cells[r], in_row[r]);
        sum += in_row[r];
    }
    assert_int_equal(sum, 50);
    clear(&f);
}

/* Cells of one place: in each memory of the row at most `search` of them. */
static void check_layout(const fixture *f, bool improved)
{
    enum { CELLS = 1000 };
    np_modules_location at[CELLS];
    np_pram_memory account;
    const np_modules *m = &f->modules;
    uint64_t base = m->table / ((uint64_t)m->n << m->n), address_max = 0;
    assert_ok(np_modules_account_of(m, &account));
    assert_ok(np_modules_locate(m, improved, at));
    for (uint64_t x = 0; x < m->cells; x++) {
        uint64_t together = 0;
        assert_int_equal(at[x].module % m->rows, np_modules_of(m, x) % m->rows); /* its row */
        assert_true(at[x].address >= base);                                      /* overflow area */
        address_max = at[x].address > address_max ? at[x].address : address_max;
        for (uint64_t y = 0; y < m->cells; y++) {
            bool here = at[x].module == at[y].module;
            assert_true(x == y || !here || at[x].address != at[y].address);
            together += here && m->place[x] == m->place[y];
        }
        assert_true(together <= m->search);
    }
    uint64_t words = (improved ? account.improved.module_max : account.preliminary.module_max) - base;
    assert_true(address_max - base < words / 2); /* pairs are two words */
}

static void layouts(void **unused)
{
    (void)unused;
    for (uint32_t n = 1; n <= 4; n++)
        for (uint64_t cells = 1; cells <= 1000; cells = cells * 3 + 1) {
            fixture f;
            make(&f, n, cells, n + cells);
            check_layout(&f, false);
            check_layout(&f, true);
            clear(&f);
        }
}

/* More cells at a place than 8n: the preliminary layout cannot be, the improved one can. */
static void overfull(void **unused)
{
    (void)unused;
    fixture f;
    np_modules_location at[20];
    np_pram_memory account;
    make(&f, 2, 20, 1);
    for (int x = 0; x < 20; x++)
        f.modules.place[x] = 5;
    assert_ok(np_modules_account_of(&f.modules, &account));
    assert_int_equal(account.place_cells_max, 20);
    assert_int_equal(account.overfull, 1);
    assert_refused(np_modules_locate(&f.modules, false, at), NP_ERROR_LIMIT, "more than 16 cells");
    assert_ok(np_modules_locate(&f.modules, true, at));
    clear(&f);
}

/* Theorem 4: no row has more than c M n / N cells; c is small. */
static void rows_are_even(void **unused)
{
    (void)unused;
    fixture f;
    np_pram_memory account;
    make(&f, 8, 1 << 16, 1);
    assert_ok(np_modules_account_of(&f.modules, &account));
    assert_float_equal(account.row_cells_mean, 256, 0);
    assert_true(account.row_cells_max >= 256);
    assert_true(account.theorem4 < 1.5); /* 256 rows of 256: 8 deviations; fixed by the seed */
    assert_int_equal(account.overfull, 0);
    assert_true(account.improved.row_max < account.preliminary.row_max);
    clear(&f);
}

/* Of 300 hash functions, how many make a place or a row more crowded than 1 of 1000 may: 0.3 of each are expected at
 * most. */
static void bounds_hold(void **unused)
{
    (void)unused;
    unsigned places = 0, rows = 0, near = 0;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        fixture f;
        np_pram_memory account;
        make(&f, 4, 600, seed);
        assert_ok(np_modules_account_of(&f.modules, &account));
        const uint64_t place = np_bound_crowd(600, account.places, f.placement.coefficients, NP_PRAM_BOUND_AT);
        const uint64_t row = np_bound_crowd(600, account.rows, f.placement.coefficients, NP_PRAM_BOUND_AT);
        places += account.place_cells_max > place;
        rows += account.row_cells_max > row;
        near += account.place_cells_max + 1 >= place;
        clear(&f);
    }
    assert_true(places <= 3 && rows <= 3); /* more with probability 3e-4; fixed by the seeds */
    assert_true(near > 0);                 /* the bound is not far */
}

/*
 * The account, by going through places and pairs one by one: in the preliminary layout a place has a word where it
 * is and `search` pairs in every module of its row; in the improved one a pair is where np_modules_locate puts it.
 */
static void account_counts_words(void **unused)
{
    (void)unused;
    enum { N = 3, ROWS = 8, MODULES = 24, CELLS = 300 };
    for (uint64_t cells = 1; cells <= CELLS; cells += 23) {
        uint64_t preliminary[MODULES] = {0}, improved[MODULES] = {0}, in_row[ROWS] = {0}, in_place[1000] = {0};
        np_modules_location at[CELLS];
        np_pram_memory account;
        fixture f;
        make(&f, N, cells, cells);
        assert_ok(np_modules_account_of(&f.modules, &account));
        assert_ok(np_modules_locate(&f.modules, true, at));
        for (uint64_t place = 0; place < account.places; place++) {
            preliminary[place % MODULES]++;
            improved[place % MODULES]++;
            for (int c = 0; c < N; c++)
                preliminary[c * ROWS + place % ROWS] += 8 * 2;
        }
        for (uint64_t x = 0; x < cells; x++) {
            improved[at[x].module] += 2;
            in_row[hash_of(&f, x) % ROWS]++;
            in_place[hash_of(&f, x) % account.places]++;
        }
        uint64_t cells_max = 0, place_max = 0, row_max[2] = {0}, module_max[2] = {0};
        double sum[2] = {0};
        for (int r = 0; r < ROWS; r++) {
            uint64_t words[2] = {0};
            for (int c = 0; c < N; c++) {
                uint64_t here[2] = {preliminary[c * ROWS + r], improved[c * ROWS + r]};
                for (int k = 0; k < 2; k++) {
                    words[k] += here[k];
                    module_max[k] = here[k] > module_max[k] ? here[k] : module_max[k];
                }
            }
            for (int k = 0; k < 2; k++) {
                sum[k] += (double)words[k];
                row_max[k] = words[k] > row_max[k] ? words[k] : row_max[k];
            }
            cells_max = in_row[r] > cells_max ? in_row[r] : cells_max;
        }
        for (uint64_t place = 0; place < account.places; place++)
            place_max = in_place[place] > place_max ? in_place[place] : place_max;
        assert_int_equal(account.rows, ROWS);
        assert_int_equal(account.cells, cells);
        assert_int_equal(account.table_row * ROWS, account.places);
        assert_int_equal(account.row_cells_max, cells_max);
        assert_int_equal(account.place_cells_max, place_max);
        assert_float_equal(account.theorem4 * (double)cells * N / MODULES, (double)cells_max, 1e-9);
        const np_pram_layout *layouts[] = {&account.preliminary, &account.improved};
        for (int k = 0; k < 2; k++) {
            assert_int_equal(layouts[k]->row_max, row_max[k]);
            assert_int_equal(layouts[k]->module_max, module_max[k]);
            assert_int_equal(layouts[k]->overflow_max, row_max[k] - account.table_row);
            assert_float_equal(layouts[k]->row_mean, sum[k] / ROWS, 1e-9);
            assert_float_equal(layouts[k]->overflow_mean, sum[k] / ROWS - (double)account.table_row, 1e-9);
        }
        clear(&f);
    }
}

/* Ten cells on 8 modules: 16 places. Each of the 10 requests looks at 8 pairs in both modules of its row. */
static void a_pram_tells(void **unused)
{
    (void)unused;
    np_pram_options options;
    np_pram_memory memory;
    np_pram *pram;
    np_address base, address[10];
    np_word value[10];
    np_pram_options_init(&options);
    options.machine = "butterfly:2";
    assert_ok(np_pram_create(&options, &pram));
    assert_ok(np_pram_allocate(pram, 10, "x", &base));
    for (int i = 0; i < 10; i++)
        address[i] = base + i;
    assert_ok(np_pram_read(pram, 10, address, NULL, value, ""));
    assert_ok(np_pram_memory_compute(pram, &memory));
    assert_int_equal(memory.rows, 4);
    assert_int_equal(memory.places, 16);
    assert_int_equal(memory.table_row, 4);
    assert_int_equal(memory.preliminary.row_max, 4 + 4 * 2 * 8 * 2);
    assert_int_equal(memory.search, 8);
    assert_int_equal(memory.probes, 10 * 2 * 8);
    np_pram_free(pram);
    options.machine = "leveled:mesh:4x4";
    assert_ok(np_pram_create(&options, &pram));
    assert_ok(np_pram_allocate(pram, 10, "x", &base));
    assert_ok(np_pram_memory_compute(pram, &memory));
    assert_int_equal(memory.rows, 0);
    assert_int_equal(memory.cells, 0);
    np_pram_free(pram);
}

/* ---- Working memories ---- */

enum { PRAM_CELLS = 300 };

static np_pram *pram_with(np_memory_layout layout, np_pram_options *options)
{
    np_pram *pram;
    np_pram_options_init(options);
    options->machine = "butterfly:3";
    options->memory_layout = layout;
    options->slack = 16;
    assert_ok(np_pram_create(options, &pram));
    return pram;
}

/* Cells keep their words while memory grows array by array, so that the table doubles, and all of them are moved. */
static void words_stay(void **unused)
{
    (void)unused;
    for (np_memory_layout layout = NP_LAYOUT_PRELIMINARY; layout <= NP_LAYOUT_IMPROVED; layout++) {
        np_pram_options options;
        np_pram *pram = pram_with(layout, &options);
        np_word in[PRAM_CELLS], out[PRAM_CELLS];
        np_address base, address[PRAM_CELLS];
        for (int i = 0; i < PRAM_CELLS; i++)
            in[i] = 1000 + i;
        for (int done = 0; done < PRAM_CELLS; done += 20) {
            assert_ok(np_pram_allocate(pram, 20, "x", &base));
            assert_ok(np_pram_get(pram, base, 20, out));
            for (int i = 0; i < 20; i++)
                assert_int_equal(out[i], 0);
            assert_ok(np_pram_put(pram, base, 20, in + done));
        }
        assert_ok(np_pram_get(pram, 0, PRAM_CELLS, out));
        assert_memory_equal(in, out, sizeof in);
        for (int i = 0; i < PRAM_CELLS; i++)
            address[i] = (np_address)i;
        assert_ok(np_pram_read(pram, PRAM_CELLS, address, NULL, out, ""));
        assert_memory_equal(in, out, sizeof in);
        np_pram_free(pram);
    }
}

/*
 * What a message looks at, cell by cell, is what the layouts of this file's oracle say: the pairs of the cell's place
 * from the last column down to the cell itself; in the preliminary layout those that are not used, too.
 */
static void searches_look_at_the_pairs_of_a_place(void **unused)
{
    (void)unused;
    for (np_memory_layout layout = NP_LAYOUT_PRELIMINARY; layout <= NP_LAYOUT_IMPROVED; layout++) {
        np_pram_options options;
        np_pram *pram = pram_with(layout, &options);
        np_pram_memory memory;
        np_address base, address[PRAM_CELLS];
        np_word value[PRAM_CELLS];
        uint64_t most = 0, sum = 0;
        assert_ok(np_pram_allocate(pram, PRAM_CELLS, "x", &base));
        for (int i = 0; i < PRAM_CELLS; i++)
            address[i] = (np_address)i;
        for (int i = 0; i < PRAM_CELLS; i++) {
            assert_ok(np_pram_read(pram, 1, address + i, NULL, value, ""));
            assert_ok(np_pram_memory_compute(pram, &memory));
            assert_int_equal(memory.searches, i + 1);
            assert_true(memory.probes > sum);
            most = memory.probes - sum > most ? memory.probes - sum : most;
            sum = memory.probes;
        }
        assert_int_equal(memory.layout, layout);
        assert_int_equal(memory.probes_bound, layout == NP_LAYOUT_IMPROVED ? memory.place_cells_bound : 3 * 8);
        assert_true(memory.probes_max <= memory.probes_bound && memory.row_cells_max <= memory.row_cells_bound);
        assert_int_equal(memory.probes_max, most);
        if (layout == NP_LAYOUT_IMPROVED) { /* nobody looks at more than the cells of a place */
            assert_int_equal(memory.probes_max, memory.place_cells_max);
        } else { /* the first cell of a place is in column 0, behind the 8 pairs of columns 2 and 1 */
            assert_true(memory.probes_max >= 2 * 8 + 1 && memory.probes_max <= 3 * 8);
        }
        np_pram_free(pram);
    }
}

/*
 * A request of column n - 1 has its hash after n - 1 steps and is back after one more; one of column 0 has it at home
 * after n steps; all others circle their rows twice. A processor that sends h requests evaluates one after the other.
 */
static void hashes_go_along_rows(void **unused)
{
    (void)unused;
    static const struct {
        size_t count;
        uint64_t steps;
    } cases[] = {{1, 3}, {24, 2 * 3}, {25, 2 * 2 * 3}, {24 * 16, 16 * 2 * 3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_pram_options options;
        np_pram *pram = pram_with(NP_LAYOUT_IMPROVED, &options);
        np_pram_memory before, after;
        np_address base, address[24 * 16];
        np_word value[24 * 16];
        assert_ok(np_pram_allocate(pram, 24 * 16, "x", &base));
        assert_ok(np_pram_memory_compute(pram, &before));
        for (size_t k = 0; k < cases[i].count; k++)
            address[k] = base + k;
        assert_ok(np_pram_read(pram, cases[i].count, address, NULL, value, ""));
        assert_ok(np_pram_memory_compute(pram, &after));
        assert_int_equal(after.evaluation_steps - before.evaluation_steps, cases[i].steps);
        np_pram_free(pram);
    }
}

static void other_machines_refuse_layouts(void **unused)
{
    (void)unused;
    np_pram_options options;
    np_pram *pram;
    np_pram_options_init(&options);
    options.memory_layout = NP_LAYOUT_IMPROVED;
    options.machine = "two-phase:hypercube:3";
    assert_refused(np_pram_create(&options, &pram), NP_ERROR_APPLY,
                   "memory_layout is for machine 'butterfly', not for 'two-phase'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(growth),
        cmocka_unit_test(layouts),
        cmocka_unit_test(overfull),
        cmocka_unit_test(rows_are_even),
        cmocka_unit_test(bounds_hold),
        cmocka_unit_test(account_counts_words),
        cmocka_unit_test(words_stay),
        cmocka_unit_test(searches_look_at_the_pairs_of_a_place),
        cmocka_unit_test(hashes_go_along_rows),
        cmocka_unit_test(other_machines_refuse_layouts),
        cmocka_unit_test(a_pram_tells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
