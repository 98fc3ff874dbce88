/* See pram_memory.h. The words of a row by layout, the cells by Theorem 4, and the cells that phase 4 looked at. */
#include "report/pram_memory.h"

#include "base/decimal.h"
#include "report/table.h"

static void layout_row(np_table *table, const char *name, const np_pram_memory *memory, const np_pram_layout *layout)
{
    np_table_add(table, "%s", name);
    np_table_number(table, (double)memory->table_row);
    np_table_number(table, (double)layout->overflow_max);
    np_table_number(table, layout->overflow_mean);
    np_table_number(table, (double)layout->row_max);
    np_table_number(table, layout->row_mean);
    np_table_number(table, (double)layout->module_max);
}

/* What theory says of the most cells at one place, or in one row. */
static void print_bound(uint64_t bound, FILE *stream)
{
    if (bound)
        fprintf(stream, "; at most %llu, but with probability %s", (unsigned long long)bound,
                NP_REAL(NP_PRAM_BOUND_AT, 6));
}

static void print_layout(const np_pram_memory *memory, FILE *stream)
{
    const bool improved = memory->layout == NP_LAYOUT_IMPROVED;
    fprintf(stream, "\n  the %s layout holds the cells: %llu searches looked at %llu pairs, %llu at most",
            improved ? "improved" : "preliminary", (unsigned long long)memory->searches,
            (unsigned long long)memory->probes, (unsigned long long)memory->probes_max);
    if (improved)
        print_bound(memory->probes_bound, stream);
    else
        fprintf(stream, "; no search looks at more than %llu", (unsigned long long)memory->probes_bound);
    fprintf(stream, "\n  hash functions were evaluated along the rows in %llu network steps (A.3)\n",
            (unsigned long long)memory->evaluation_steps);
}

np_status np_pram_memory_table(const np_pram_memory *memory, FILE *stream)
{
    static const char *const titles[] = {"  layout",  "hash table", "overflow, most", "mean",
                                         "row, most", "mean",       "module, most"};
    np_table table;
    if (!memory->rows)
        return NP_OK;
    fputs("\nmemory of a row, in words (appendix A)\n", stream);
    np_table_begin(&table, "lrrrrrr", titles);
    layout_row(&table, "  preliminary", memory, &memory->preliminary);
    layout_row(&table, "  improved", memory, &memory->improved);
    np_status st = np_table_end(&table, stream);
    fprintf(stream, "  Theorem 4: at most c M n / N cells in a row; %llu of %s in the mean, so c = %s",
            (unsigned long long)memory->row_cells_max, NP_REAL(memory->row_cells_mean, 15),
            NP_REAL(memory->theorem4, 3));
    print_bound(memory->row_cells_bound, stream);
    fprintf(stream, "\n  cells of one place: %llu at most, of %llu places", (unsigned long long)memory->place_cells_max,
            (unsigned long long)memory->places);
    print_bound(memory->place_cells_bound, stream);
    if (memory->overfull)
        fprintf(stream, "; %llu places have more than the preliminary layout has room for",
                (unsigned long long)memory->overfull);
    if (memory->layout)
        print_layout(memory, stream);
    else
        fprintf(stream, "\n  probes: %llu pairs looked at, %u in every module of a request's row\n",
                (unsigned long long)memory->probes, memory->search);
    return st;
}
