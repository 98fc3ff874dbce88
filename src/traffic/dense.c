/*
 * A dense matrix as text: row i, column j is what terminal i sends to terminal
 * j. Names may stand in the first line and in the first column:
 *
 *     ,a,b,c
 *     a,0,5,2
 *     b,1,0,0
 *     c,0,0,0
 *
 * A list has four columns at most. So a square of more is a matrix; so is one
 * of three or four that has a line for each terminal, if commas separate it.
 */
#include "base/decimal.h"
#include "base/memory.h"
#include "network/read_node.h"
#include "traffic/amounts.h"

typedef struct shape {
    size_t lines, fields, texts; /* of the lines of numbers; texts: at most so many of a line are no numbers */
    size_t head;                 /* fields of the first line, if it has names; else 0 */
    bool uniform, names;         /* names: the first column has names */
} shape;

static bool is_number(np_text_field field)
{
    double value;
    return np_decimal_real(field, &value);
}

/* Counts the fields of a line. *texts: those that are no numbers. */
static size_t count_fields(const np_text *text, size_t *texts)
{
    const char *at = NULL;
    np_text_field field;
    size_t fields = 0;
    for (*texts = 0; np_text_field_next(text, &at, &field); fields++)
        *texts += !is_number(field);
    return fields;
}

static shape shape_of(np_text text)
{
    shape s = {.uniform = true};
    size_t texts;
    while (np_text_next(&text)) {
        size_t fields = count_fields(&text, &texts);
        if (!s.lines && !s.head && texts) {
            s.head = fields;
            continue;
        }
        s.fields = s.lines ? s.fields : fields;
        s.uniform &= fields == s.fields;
        s.texts = texts > s.texts ? texts : s.texts;
        s.lines++;
    }
    s.names = s.head && s.lines + 1 == s.fields;
    return s;
}

bool np_dense_recognizes(np_text text, const np_network *network)
{
    shape s = shape_of(text);
    size_t columns = s.fields - s.names;
    if (!s.lines || !s.uniform || s.texts > s.names || columns != s.lines)
        return false;
    if (s.head)
        return s.head == s.fields || s.head == columns;
    return columns > 4 || (columns > 2 && text.separator && columns == network->terminals);
}

/* The terminals of the columns. */
static np_status read_head(np_amounts *demands, np_text *text, const shape *s, size_t columns, np_node *column)
{
    const char *at = NULL;
    np_text_field field;
    np_status st;
    if (!s->head) {
        for (size_t j = 0; j < columns; j++)
            if ((st = np_amounts_place(demands, text, columns, j, &column[j])))
                return st;
        return NP_OK;
    }
    (void)np_text_next(text);
    if (s->head > columns)
        (void)np_text_field_next(text, &at, &field); /* the corner */
    for (size_t j = 0; np_text_field_next(text, &at, &field); j++)
        if ((st = np_network_read_terminal(demands->network, text, field, "destination", &column[j])))
            return st;
    return NP_OK;
}

static np_status read_row(np_amounts *demands, const np_text *text, const shape *s, np_node source, const char *at,
                          const np_node *column)
{
    np_text_field field;
    uint64_t packets;
    np_status st;
    for (size_t j = 0; np_text_field_next(text, &at, &field); j++) {
        if ((st = np_amounts_packets(demands, text, field, &packets)))
            return st;
        if (packets && (source == NP_NONE || column[j] == NP_NONE))
            return np_text_raise(text, NP_ERROR_INPUT, "column %zu: packets go from host to host, and this is a switch",
                                 j + 1 + s->names);
        if (packets && (st = np_amounts_add(demands, text, source, column[j], packets, 0)))
            return st;
    }
    return NP_OK;
}

static np_status read_rows(np_amounts *demands, np_text *text, const shape *s, const np_node *column)
{
    np_status st = NP_OK;
    for (size_t i = 0; !st && np_text_next(text); i++) {
        const char *at = NULL;
        np_text_field name;
        np_node source;
        if (s->names && np_text_field_next(text, &at, &name))
            st = np_network_read_terminal(demands->network, text, name, "source", &source);
        else if (s->head)
            source = column[i];
        else
            st = np_amounts_place(demands, text, s->lines, i, &source);
        if (!st)
            st = read_row(demands, text, s, source, at, column);
    }
    return st;
}

np_status np_dense_read(np_amounts *demands, np_text *text)
{
    shape s = shape_of(*text);
    size_t columns = s.fields - s.names;
    np_node *column;
    np_status st = np_memory_array(&column, columns, sizeof *column, "the columns of a matrix");
    if (!st && !(st = read_head(demands, text, &s, columns, column)))
        st = read_rows(demands, text, &s, column);
    np_memory_free(column);
    return st;
}
