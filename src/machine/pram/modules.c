/* See modules.h. */
#include "machine/pram/modules.h"

#include <string.h>

#include "base/room.h"

np_status np_modules_init(np_modules *modules, uint32_t n, uint32_t hash_coefficients)
{
    *modules = (np_modules){.n = n, .rows = 1U << n, .search = (hash_coefficients + n - 1) / n};
    modules->modules = np_divider_of(n << n);
    return np_memory_zeroed(&modules->row_cells, modules->rows, sizeof *modules->row_cells, "rows of modules");
}

void np_modules_clear(np_modules *modules)
{
    NP_MEMORY_FREE(modules->place, modules->row_cells);
    *modules = (np_modules){0};
}

static inline uint32_t row_of(const np_modules *modules, np_address x)
{
    return np_modules_of(modules, x) & (modules->rows - 1);
}

/* The places of cells from `first` on. */
static void place_from(np_modules *modules, const np_placement *placement, uint64_t first)
{
    enum { AT_ONCE = 2048 }; /* ours: stays in the first-level cache */
    uint64_t hash[AT_ONCE];
    for (uint64_t x = first; x < modules->cells; x += AT_ONCE) {
        size_t count = modules->cells - x < AT_ONCE ? (size_t)(modules->cells - x) : AT_ONCE;
        np_placement_run(placement, x, count, hash);
        for (size_t i = 0; i < count; i++)
            modules->place[x + i] = (uint32_t)(hash[i] % modules->table);
    }
    if (!first)
        memset(modules->row_cells, 0, modules->rows * sizeof *modules->row_cells);
    for (uint64_t x = first; x < modules->cells; x++)
        modules->row_cells[row_of(modules, x)]++;
}

void np_modules_place(np_modules *modules, const np_placement *placement) { place_from(modules, placement, 0); }

np_status np_modules_grow(np_modules *modules, const np_placement *placement, uint64_t cells, uint64_t *first)
{
    uint64_t table = modules->table ? modules->table : modules->modules.divisor;
    while (table < cells)
        table *= 2;
    if (table > UINT32_MAX)
        return NP_RAISE(NP_ERROR_LIMIT,
                        "%llu cells in a hash table of %llu places: modules have at most 2^32 - 1 in all",
                        (unsigned long long)cells, (unsigned long long)table);
    np_status st = np_memory_need(&modules->place, modules->cells, cells, &modules->room, sizeof *modules->place,
                                  "places of cells");
    if (st)
        return st;
    *first = table == modules->table ? modules->cells : 0;
    modules->table = table;
    modules->cells = cells;
    place_from(modules, placement, *first);
    return NP_OK;
}

/* count[a] = cells of place a. */
static np_status count_places(const np_modules *modules, uint32_t **count)
{
    np_status st = np_memory_zeroed(count, modules->table + 1, sizeof **count, "places of a hash table");
    for (uint64_t x = 0; !st && x < modules->cells; x++)
        (*count)[modules->place[x]]++;
    return st;
}

/* The layout of rows with at most `pairs` pairs, `mean` on average, and at most `in_module` in one module. */
static np_pram_layout layout_of(const np_pram_memory *memory, uint64_t n, uint64_t pairs, uint64_t in_module,
                                double mean)
{
    return (np_pram_layout){
        .overflow_max = 2 * pairs,
        .overflow_mean = 2 * mean,
        .row_max = memory->table_row + 2 * pairs,
        .row_mean = (double)memory->table_row + 2 * mean,
        .module_max = memory->table_row / n + 2 * in_module,
    };
}

np_status np_modules_account_of(const np_modules *modules, np_pram_memory *out)
{
    uint64_t n = modules->n;
    uint32_t *count;
    *out = (np_pram_memory){.rows = modules->rows,
                            .cells = modules->cells,
                            .places = modules->table,
                            .table_row = modules->table / modules->rows,
                            .search = modules->search,
                            .probes = modules->searched};
    np_status st = count_places(modules, &count);
    if (st)
        return st;
    for (uint64_t a = 0; a < modules->table; a++) {
        out->place_cells_max = count[a] > out->place_cells_max ? count[a] : out->place_cells_max;
        out->overfull += count[a] > modules->search * n;
    }
    np_memory_free(count);
    for (uint32_t r = 0; r < modules->rows; r++)
        if (modules->row_cells[r] > out->row_cells_max)
            out->row_cells_max = modules->row_cells[r];
    out->row_cells_mean = (double)modules->cells / modules->rows;
    if (modules->cells)
        out->theorem4 = (double)out->row_cells_max / out->row_cells_mean;
    uint64_t each = modules->search * out->table_row; /* pairs of every module in the preliminary layout */
    out->preliminary = layout_of(out, n, n * each, each, (double)(n * each));
    out->improved = layout_of(out, n, out->row_cells_max, (out->row_cells_max + n - 1) / n, out->row_cells_mean);
    return NP_OK;
}

/* The number of a place in its row, 0 .. n M/N - 1; places are numbered module by module. */
static uint64_t place_in_row(const np_modules *modules, uint32_t place)
{
    uint64_t per_module = modules->table / modules->modules.divisor;
    return np_modulo(place, modules->modules) / modules->rows * per_module + np_divide(place, modules->modules);
}

/* first[a] = the number of the first pair of place a in its row. */
static void sum_rows(const np_modules *modules, const uint32_t *count, uint32_t *first)
{
    uint32_t n = modules->n, total = modules->modules.divisor;
    for (uint32_t r = 0; r < modules->rows; r++) {
        uint32_t sum = 0;
        for (uint32_t c = 0; c < n; c++)
            for (uint64_t a = (uint64_t)c * modules->rows + r; a < modules->table; a += total) {
                first[a] = sum;
                sum += count[a];
            }
    }
}

static np_modules_location locate(const np_modules *modules, np_address x, bool improved, uint32_t first,
                                  uint32_t among)
{
    uint32_t n = modules->n, row = row_of(modules, x), rows = modules->rows;
    uint64_t base = modules->table / modules->modules.divisor;
    if (improved)
        return (np_modules_location){(first + among) % n * rows + row, base + (first + among) / n};
    return (np_modules_location){among % n * rows + row,
                                 base + modules->search * place_in_row(modules, modules->place[x]) + among / n};
}

np_status np_modules_locate(const np_modules *modules, bool improved, np_modules_location *location)
{
    uint32_t *count, *first = NULL;
    np_status st = count_places(modules, &count);
    if (!st)
        st = np_memory_zeroed(&first, modules->table + 1, sizeof *first, "places of a hash table");
    if (!st) {
        sum_rows(modules, count, first);
        memset(count, 0, modules->table * sizeof *count);
    }
    for (uint64_t x = 0; !st && x < modules->cells; x++) {
        uint32_t place = modules->place[x], among = count[place]++;
        if (!improved && among >= modules->search * modules->n)
            st = NP_RAISE(NP_ERROR_LIMIT, "place %u of the hash table has more than %u cells: try the improved layout",
                          place, modules->search * modules->n);
        else
            location[x] = locate(modules, x, improved, first[place], among);
    }
    NP_MEMORY_FREE(count, first);
    return st;
}
