/* Cells are collected as text; column widths are known at the end. A UTF-8 character counts as one column. */
#include "report/table.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/memory.h"

enum { CELL_MAX = 512, GAP = 2 };

void np_table_init(np_table *table, const char *align)
{
    *table = (np_table){.columns = strlen(align), .align = align};
}

static void add_text(np_table *table, const char *text)
{
    if (table->status)
        return;
    if (table->cells == table->capacity) {
        size_t capacity = table->capacity ? 2 * table->capacity : 64;
        table->status = np_memory_grow(&table->cell, table->cells, capacity, sizeof *table->cell, "a table");
        if (table->status)
            return;
        table->capacity = capacity;
    }
    table->cell[table->cells] = np_memory_text(text);
    if (table->cell[table->cells])
        table->cells++;
    else
        table->status = NP_ERROR_MEMORY;
}

void np_table_begin(np_table *table, const char *align, const char *const *titles)
{
    np_table_init(table, align);
    for (size_t i = 0; i < table->columns && titles; i++)
        np_table_add(table, "%s", titles[i]);
}

void np_table_add(np_table *table, const char *format, ...)
{
    char text[CELL_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    add_text(table, text);
}

void np_table_number(np_table *table, double value)
{
    if (value == floor(value) && fabs(value) < 1e15)
        np_table_add(table, "%.0f", value);
    else if (fabs(value) >= 0.01 && fabs(value) < 1e15)
        np_table_add(table, "%.2f", value);
    else
        np_table_add(table, "%.2g", value);
}

static size_t width(const char *text)
{
    size_t count = 0;
    for (; *text; text++)
        count += ((unsigned char)*text & 0xc0) != 0x80; /* continuation bytes take no column */
    return count;
}

static void print_row(const np_table *table, char *const *row, const size_t *widths, FILE *stream)
{
    size_t last = table->columns;
    while (last > 0 && !*row[last - 1])
        last--;
    for (size_t i = 0; i < last; i++) {
        int pad = (int)(widths[i] - width(row[i]));
        if (table->align[i] == 'r')
            fprintf(stream, "%*s%s", pad, "", row[i]);
        else
            fprintf(stream, "%s%*s", row[i], i + 1 < last ? pad : 0, "");
        if (i + 1 < last)
            fprintf(stream, "%*s", GAP, "");
    }
    fputc('\n', stream);
}

np_status np_table_print(const np_table *table, FILE *stream)
{
    size_t widths[NP_TABLE_COLUMNS_MAX] = {0};
    if (table->status)
        return table->status;
    for (size_t i = 0; i < table->cells; i++) {
        size_t w = width(table->cell[i]);
        if (w > widths[i % table->columns])
            widths[i % table->columns] = w;
    }
    for (size_t i = 0; i + table->columns <= table->cells; i += table->columns)
        print_row(table, table->cell + i, widths, stream);
    return NP_OK;
}

void np_table_clear(np_table *table)
{
    for (size_t i = 0; i < table->cells; i++)
        np_memory_free(table->cell[i]);
    np_memory_free(table->cell);
    *table = (np_table){0};
}

np_status np_table_end(np_table *table, FILE *stream)
{
    np_status st = np_table_print(table, stream);
    np_table_clear(table);
    return st;
}
