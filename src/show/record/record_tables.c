/* See record_tables.h. */
#include "show/record/record_tables.h"

#include "base/memory.h"
#include "show/table/csv.h"

static const char network[] = "network", leveled[] = "leveled"; /* np_sheet_table.of */

/* Finds the table, or makes it and sets *fresh. */
static np_status find(np_tables_sheet *sheet, const np_event_phase *phase, const char *of, size_t count,
                      size_t item_size, uint32_t *out, bool *fresh)
{
    bool of_run = of == leveled && phase->leveled->of_run;
    np_sheet_table table = {.phase = phase->phase, .of = of, .run = of_run ? phase->run : NP_NONE, .count = count};
    np_status st;
    for (*out = 0; *out < sheet->tables; ++*out)
        if (sheet->table[*out].phase == phase->phase && sheet->table[*out].of == of &&
            sheet->table[*out].run == table.run && sheet->table[*out].count == count)
            return NP_OK;
    if ((st = np_memory_grow(&sheet->table, sheet->tables, sheet->tables + 1, sizeof *sheet->table, "a record")) ||
        (st = np_memory_zeroed(&table.item, count, item_size, "a record")))
        return st;
    if (!(table.name = np_memory_text(phase->name))) {
        np_memory_free(table.item);
        return np_status_last();
    }
    sheet->table[sheet->tables++] = table;
    *fresh = true;
    return NP_OK;
}

np_status np_sheet_tables_begin(np_tables_sheet *sheet, const np_event_phase *phase, bool links, size_t item_size,
                                bool *fresh)
{
    const np_event_leveled *lv = phase->leveled;
    size_t count = links ? np_network_link_numbers(phase->network) : np_network_nodes(phase->network);
    np_status st;
    *fresh = false;
    sheet->net = lv;
    sheet->leveled = NP_NONE;
    if ((st = np_sheet_names_init(&sheet->names, &sheet->sheet, phase->network, false)))
        return st;
    st = find(sheet, phase, network, count, item_size, &sheet->network, fresh);
    if (!st && lv)
        st = find(sheet, phase, leveled, links ? lv->edges : lv->nodes, item_size, &sheet->leveled, fresh);
    return st;
}

void np_sheet_table_begin_line(const np_sheet *sheet, const np_sheet_table *table)
{
    fprintf(sheet->stream, "%u,", table->phase);
    np_csv_text(table->name, sheet->stream);
    if (table->run == NP_NONE)
        fprintf(sheet->stream, "%s,", table->of);
    else
        fprintf(sheet->stream, "%s:%u,", table->of, table->run);
}

const char *np_sheet_table_name(const np_tables_sheet *sheet, const np_sheet_table *table, np_node node, char *room)
{
    static const np_sheet_names none;
    return np_sheet_name(table->of == network ? &sheet->names : &none, node, room);
}

void np_sheet_tables_clear(np_sheet *sheet)
{
    np_tables_sheet *s = (np_tables_sheet *)sheet;
    for (size_t i = 0; i < s->tables; i++) {
        NP_MEMORY_FREE(s->table[i].item, s->table[i].name);
    }
    np_memory_free(s->table);
    np_sheet_names_clear(&s->names);
}
