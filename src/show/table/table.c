/* Cells are collected as text; column widths are known at the end. A UTF-8 character counts as one column. */
#include "show/table/table.h"

#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/written.h"

enum { GAP = 2 };

void np_table_init(np_table *table, const char *align)
{
    *table = (np_table){.columns = strlen(align), .align = align};
}

/* The text that a format makes, as it is shown; NULL: no memory. */
static char *shown_of(const char *format, va_list arguments)
{
    char *text, *shown = NULL;
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (np_memory_array(&text, (size_t)length + 1, 1, "a cell"))
        return NULL;
    vsnprintf(text, (size_t)length + 1, format, arguments);
    const size_t room = 6 * (size_t)length + 1; /* a byte becomes six at most, \u001b */
    if (!np_memory_array(&shown, room, 1, "a cell"))
        np_written_copy(text, shown, room);
    np_memory_free(text);
    return shown;
}

void np_table_begin(np_table *table, const char *align, const char *const *titles)
{
    np_table_init(table, align);
    for (size_t i = 0; i < table->columns && titles; i++)
        np_table_add(table, "%s", titles[i]);
}

void np_table_add(np_table *table, const char *format, ...)
{
    if (!table->status && table->cells == table->capacity) {
        const size_t capacity = table->capacity ? 2 * table->capacity : 64;
        table->status = np_memory_grow(&table->cell, table->cells, capacity, sizeof *table->cell, "a table");
        table->capacity = table->status ? table->capacity : capacity;
    }
    if (table->status)
        return;
    va_list arguments;
    va_start(arguments, format);
    table->cell[table->cells] = shown_of(format, arguments);
    va_end(arguments);
    if (table->cell[table->cells])
        table->cells++;
    else
        table->status = np_status_last();
}

/* ---- Printing ---- */

size_t np_table_width(const char *text, size_t bytes)
{
    size_t count = 0;
    for (size_t i = 0; i < bytes; i++)
        count += ((unsigned char)text[i] & 0xc0) != 0x80;
    return count;
}

/* The width of a column: with its cells on one line each; and with a line for each word. */
typedef struct extent {
    size_t full, least;
} extent;

/* The spaces before the first word are part of this word: they indent the cell. */
static size_t longest_word(const char *text)
{
    size_t longest = 0;
    for (const char *begin = text; *begin;) {
        size_t indent = strspn(begin, " "), length = indent + strcspn(begin + indent, " ");
        size_t skipped = begin == text ? 0 : indent, w = np_table_width(begin + skipped, length - skipped);
        longest = w > longest ? w : longest;
        begin += length;
    }
    return longest;
}

static void measure(const np_table *table, extent *of)
{
    for (size_t i = 0; i < table->cells; i++) {
        extent *e = &of[i % table->columns];
        const char *cell = table->cell[i];
        size_t full = np_table_width(cell, strlen(cell));
        size_t least = table->align[i % table->columns] == 'l' ? longest_word(cell) : full;
        e->full = full > e->full ? full : e->full;
        e->least = least > e->least ? least : e->least;
    }
}

/* Columns that are printed side by side. */
typedef struct block {
    size_t columns, column[NP_TABLE_COLUMNS_MAX], width[NP_TABLE_COLUMNS_MAX];
} block;

static void block_add(block *b, const extent *of, size_t column)
{
    b->column[b->columns] = column;
    b->width[b->columns++] = of[column].full;
}

/* Narrows the block to the limit, the widest text first. False: it is wider, with a line for each word. */
static bool narrow(block *b, const extent *of, size_t limit)
{
    for (;;) {
        size_t total = 0, widest = b->columns;
        for (size_t k = 0; k < b->columns; k++) {
            total += b->width[k] + (k ? GAP : 0);
            if (b->width[k] > of[b->column[k]].least && (widest == b->columns || b->width[k] > b->width[widest]))
                widest = k;
        }
        if (total <= limit || widest == b->columns)
            return total <= limit;
        b->width[widest]--;
    }
}

/* The bytes of the next line of a cell: as many whole words as fit, at least one. */
static size_t line_of(const char *text, size_t columns)
{
    size_t fits = 0, next = 0;
    while (text[next]) {
        next += strspn(text + next, " ");
        next += strcspn(text + next, " ");
        if (fits && np_table_width(text, next) > columns)
            break;
        fits = next;
    }
    return fits;
}

/* A row takes as many lines as its longest cell. No trailing spaces. */
static void print_row(const np_table *table, char *const *row, const block *b, FILE *stream)
{
    const char *rest[NP_TABLE_COLUMNS_MAX];
    for (size_t k = 0; k < b->columns; k++)
        rest[k] = row[b->column[k]];
    for (bool more = true; more;) {
        size_t spaces = 0;
        more = false;
        for (size_t k = 0; k < b->columns; k++) {
            size_t bytes = line_of(rest[k], b->width[k]), w = np_table_width(rest[k], bytes);
            size_t spare = b->width[k] > w ? b->width[k] - w : 0;
            size_t before = table->align[b->column[k]] == 'r' ? spare : 0;
            if (bytes) {
                fprintf(stream, "%*s%.*s", (int)(spaces + before), "", (int)bytes, rest[k]);
                spaces = 0;
            }
            spaces += (bytes ? spare - before : b->width[k]) + GAP;
            rest[k] += bytes + strspn(rest[k] + bytes, " ");
            more = more || *rest[k];
        }
        fputc('\n', stream);
    }
}

static void print_block(const np_table *table, const block *b, FILE *stream)
{
    for (size_t i = 0; i + table->columns <= table->cells; i += table->columns)
        print_row(table, table->cell + i, b, stream);
}

/* Prints as many columns as fit, then the next ones below them, each time after the first column. */
static void print_blocks(const np_table *table, const extent *of, size_t limit, FILE *stream)
{
    for (size_t next = 1; next < table->columns;) {
        block b = {.columns = 0};
        block_add(&b, of, 0);
        while (next < table->columns) {
            block wider = b;
            block_add(&wider, of, next);
            if (!narrow(&wider, of, limit) && b.columns > 1)
                break;
            b = wider;
            next++;
        }
        print_block(table, &b, stream);
        if (next < table->columns)
            fputc('\n', stream);
    }
}

np_status np_table_print_within(const np_table *table, size_t limit, FILE *stream)
{
    extent of[NP_TABLE_COLUMNS_MAX] = {{0, 0}};
    block all = {.columns = 0};
    if (table->status)
        return table->status;
    measure(table, of);
    for (size_t i = 0; i < table->columns; i++)
        block_add(&all, of, i);
    if (!limit || narrow(&all, of, limit) || table->columns == 1)
        print_block(table, &all, stream);
    else
        print_blocks(table, of, limit, stream);
    return NP_OK;
}

size_t np_terminal_columns(FILE *stream)
{
    struct winsize size;
    int file = fileno(stream);
    return file >= 0 && isatty(file) && !ioctl(file, TIOCGWINSZ, &size) ? size.ws_col : 0;
}

np_status np_table_print(const np_table *table, FILE *stream)
{
    return np_table_print_within(table, np_terminal_columns(stream), stream);
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
