/* See pram_memory.h. The words of a row by layout, the cells by Theorem 4, and the cells that phase 4 looked at. */
#include "report/pram_memory.h"

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
    fprintf(stream, "  Theorem 4: at most c M n / N cells in a row; %llu of %.15g in the mean, so c = %.3g\n",
            (unsigned long long)memory->row_cells_max, memory->row_cells_mean, memory->theorem4);
    fprintf(stream, "  cells of one place: %llu at most, of %llu places", (unsigned long long)memory->place_cells_max,
            (unsigned long long)memory->places);
    if (memory->overfull)
        fprintf(stream, "; %llu places have more than the preliminary layout has room for",
                (unsigned long long)memory->overfull);
    if (memory->layout)
        fprintf(stream,
                "\n  the %s layout holds the cells: %llu searches looked at %llu pairs, %llu at most\n"
                "  hash functions were evaluated along the rows in %llu network steps (A.3)\n",
                memory->layout == NP_LAYOUT_IMPROVED ? "improved" : "preliminary", (unsigned long long)memory->searches,
                (unsigned long long)memory->probes, (unsigned long long)memory->probes_max,
                (unsigned long long)memory->evaluation_steps);
    else
        fprintf(stream, "\n  probes: %llu pairs looked at, %u in every module of a request's row\n",
                (unsigned long long)memory->probes, memory->search);
    return st;
}
