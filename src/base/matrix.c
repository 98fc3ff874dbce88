/*
 * Matrix Market: banner, sizes, entries.
 *
 * A skew-symmetric file holds a(i,j) for i > j; a(j,i) = -a(i,j). Its list of
 * pairs is read like the list of a symmetric file: links have no signs.
 */
#include "base/matrix.h"

static const char banner[] = "%%MatrixMarket";

/* All forms of the first line that are read. */
#define FORMS "%%MatrixMarket matrix coordinate pattern|integer|real general|symmetric|skew-symmetric"

bool np_matrix_begins(np_text *text, const char *name)
{
    /* The banner, and how it is misspelt: as a list, such a file would lose its first line or its sizes. */
    static const char *const begins[] = {banner, "%MatrixMarket", "%% MatrixMarket", "MatrixMarket"};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (np_text_begins(text, begins[i]))
            return true;
    return np_text_ends(name, ".mtx");
}

/* The index of the field's word in `words`, or -1. */
static int find_word(const np_text *text, size_t field, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (np_text_is(text, field, words[i]))
            return (int)i;
    return -1;
}

static np_status read_banner(np_matrix *matrix)
{
    static const char *const values[] = {"pattern", "integer", "real"};
    static const char *const shapes[] = {"general", "symmetric", "skew-symmetric"};
    np_text *text = matrix->text;
    if (!text->line) {
        text->line = 1;
        return np_text_raise(text, NP_ERROR_INPUT, "a .mtx file begins with '%s'; name a list .txt", FORMS);
    }
    if (text->fields != 5 || !np_text_is(text, 0, banner) || !np_text_is(text, 1, "matrix"))
        return np_text_raise(text, NP_ERROR_INPUT, "the banner must be '%s'", FORMS);
    matrix->dense = np_text_is(text, 2, "array");
    if (!matrix->dense && !np_text_is(text, 2, "coordinate"))
        return np_text_raise(text, NP_ERROR_INPUT, "format '%s' lists no entries: only '%s' is read",
                             np_text_show(text, 2).text, FORMS);
    int value = find_word(text, 3, values, 3), shape = find_word(text, 4, shapes, 3);
    if (value < 0)
        return np_text_raise(text, NP_ERROR_INPUT, "values '%s' are not read: use pattern, integer or real",
                             np_text_show(text, 3).text);
    if (matrix->dense && value == NP_MATRIX_PATTERN)
        return np_text_raise(text, NP_ERROR_INPUT, "an array has all values: it is no pattern");
    if (shape < 0)
        return np_text_raise(text, NP_ERROR_INPUT, "symmetry '%s': use general, symmetric or skew-symmetric",
                             np_text_show(text, 4).text);
    matrix->values = (np_matrix_values)value;
    matrix->symmetric = shape > 0;
    matrix->skew = shape == 2;
    return NP_OK;
}

/* All, or those from the diagonal on, or below it. */
static uint64_t dense_entries(const np_matrix *matrix)
{
    const uint64_t n = matrix->rows;
    return !matrix->symmetric ? n * matrix->columns : matrix->skew ? n * (n - 1) / 2 : n * (n + 1) / 2;
}

static np_status read_sizes(np_matrix *matrix, uint64_t limit, const char *limit_words)
{
    static const char *const what[] = {"rows", "columns"};
    const uint64_t huge = UINT64_MAX - 1;
    np_text *text = matrix->text;
    uint64_t size[3];
    np_status st;
    if (!np_text_next(text))
        return np_text_raise(text, NP_ERROR_INPUT, "the file ends before the line 'rows columns entries'");
    const size_t sizes = matrix->dense ? 2 : 3;
    if ((st = np_text_count(text, sizes, sizes, matrix->dense ? "rows columns" : "rows columns entries")))
        return st;
    for (size_t i = 0; i < sizes; i++)
        if ((st = np_text_number(text, i, i < 2 ? what[i] : "entries", 0, huge, &size[i])))
            return st;
    for (size_t i = 0; i < 2; i++)
        if (size[i] > limit)
            return np_text_raise(text, NP_ERROR_INPUT, "%llu %s are more than the %llu %s", (unsigned long long)size[i],
                                 what[i], (unsigned long long)limit, limit_words);
    if (matrix->symmetric && size[0] != size[1])
        return np_text_raise(text, NP_ERROR_INPUT, "a symmetric matrix of %llu rows and %llu columns: it is square",
                             (unsigned long long)size[0], (unsigned long long)size[1]);
    matrix->rows = size[0];
    matrix->columns = size[1];
    matrix->entries = matrix->dense ? dense_entries(matrix) : size[2];
    matrix->row = matrix->skew;
    return NP_OK;
}

np_status np_matrix_open(np_matrix *matrix, np_text *text, uint64_t limit, const char *limit_words)
{
    *matrix = (np_matrix){.text = text};
    np_status st = read_banner(matrix);
    return st ? st : read_sizes(matrix, limit, limit_words);
}

/* Column by column, from the diagonal on or below it where the other half is not listed. */
static np_status next_dense(np_matrix *matrix, np_matrix_entry *entry)
{
    np_status st = np_text_count(matrix->text, 1, 1, "value");
    if (st)
        return st;
    *entry = (np_matrix_entry){.row = matrix->row, .column = matrix->column, .text = matrix->text->field[0]};
    if (++matrix->row == matrix->rows) {
        matrix->column++;
        matrix->row = matrix->symmetric ? matrix->column + matrix->skew : 0;
    }
    matrix->read++;
    return NP_OK;
}

/* A symmetric file lists one triangle: an entry of the other one would be a second value, or the same again. */
static np_status check_triangle(np_matrix *matrix, const np_matrix_entry *entry)
{
    matrix->above |= entry->row < entry->column;
    matrix->below |= entry->row > entry->column;
    if (matrix->skew && entry->row == entry->column)
        return np_text_raise(matrix->text, NP_ERROR_INPUT, "entry (%llu,%llu): a skew-symmetric matrix has no diagonal",
                             (unsigned long long)entry->row, (unsigned long long)entry->column);
    if (!matrix->above || !matrix->below)
        return NP_OK;
    return np_text_raise(matrix->text, NP_ERROR_INPUT,
                         "entry (%llu,%llu): there are entries in both triangles of a symmetric matrix, which lists "
                         "one: write 'general' in the banner, or leave out one of (i,j) and (j,i)",
                         (unsigned long long)entry->row, (unsigned long long)entry->column);
}

static np_status finish(const np_matrix *matrix)
{
    if (matrix->read == matrix->entries)
        return NP_OK;
    return np_text_raise(matrix->text, NP_ERROR_INPUT, "the file ends after %llu of %llu entries: is it cut short?",
                         (unsigned long long)matrix->read, (unsigned long long)matrix->entries);
}

np_status np_matrix_next(np_matrix *matrix, bool *more, np_matrix_entry *entry)
{
    np_text *text = matrix->text;
    bool pattern = matrix->values == NP_MATRIX_PATTERN;
    np_status st;
    *more = np_text_next(text);
    if (!*more)
        return finish(matrix);
    if (matrix->read == matrix->entries)
        return np_text_raise(text, NP_ERROR_INPUT, "more entries than the %llu that the size line promises",
                             (unsigned long long)matrix->entries);
    if (matrix->dense)
        return next_dense(matrix, entry);
    if ((st = np_text_count(text, pattern ? 2 : 3, pattern ? 2 : 3, pattern ? "row column" : "row column value")))
        return st;
    entry->text = pattern ? (np_text_field){0} : text->field[2];
    if ((st = np_text_number(text, 0, "row", 1, matrix->rows, &entry->row)) ||
        (st = np_text_number(text, 1, "column", 1, matrix->columns, &entry->column)))
        return st;
    if (matrix->symmetric && (st = check_triangle(matrix, entry)))
        return st;
    entry->row--;
    entry->column--;
    matrix->read++;
    return NP_OK;
}
