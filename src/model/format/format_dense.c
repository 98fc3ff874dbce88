/*
 * Matrices as lines of numbers: an entry other than 0 in row i and column j is
 * a link from node i to node j. Names may stand in the first line, in the first
 * column, or in both.
 *
 * Three numbers in each of three lines may as well be links with a weight.
 * What makes a table of n lines of n numbers a matrix, and no list:
 *   - its first two columns are no whole numbers, so they are no ends;
 *   - it has 4 lines or more, and only 0 and 1, or it is symmetric and has 0 on
 *     its diagonal; a list of links that is like this by chance has to join
 *     the same few nodes again and again, with more than one unnamed column.
 * A list is one, and no matrix, if its weights are fractions, and it is neither
 * symmetric nor 0 on the diagonal. All others may be both. Two lines of two
 * numbers are a list, unless they are 0 and 1: then they may be both.
 */
#include "model/format/format_list.h"

#include <string.h>

#include "base/decimal.h"

/* Where the names are. */
typedef struct shape {
    uint64_t side; /* of the matrix; 0: it is none */
    bool above, left;
} shape;

/* What the numbers are like. */
typedef struct facts {
    bool numbers;  /* all are numbers of 0 or more */
    bool unit;     /* all are 0 or 1 */
    bool zero;     /* all on the diagonal are 0 */
    bool alike;    /* the names above are those on the left */
    uint64_t skew; /* a hash of the matrix less one of its transpose: 0 if it is symmetric */
} facts;

static bool only(unsigned kinds, unsigned of) { return kinds && !(kinds & ~of); }

/* The names above and on the left are n, and a corner before those above may be left out. */
static bool has_corner(const np_survey *s)
{
    const np_survey_column *c = &s->column[0];
    if (s->first + 1 == s->fields)
        return only(s->above | c->head, NP_LOOKS_WORD);
    return s->first == s->fields &&
           (c->head == NP_LOOKS_EMPTY || (c->head == NP_LOOKS_WORD && c->below == NP_LOOKS_WORD));
}

static shape shape_of(const np_survey *s)
{
    uint64_t rows = s->lines;
    bool even = s->first == s->fields;
    uint8_t left = s->column[0].below, corner = s->column[0].head;
    if (s->odd_line || s->promised || s->attributes || rows < 2 || !only(s->below, NP_SURVEY_NUMBERS))
        return (shape){0, false, false};
    if (even && rows == s->fields && only(s->above | corner | left, NP_SURVEY_NUMBERS))
        return (shape){rows, false, false};
    if (even && rows == s->fields + 1 && only(s->above | corner, NP_LOOKS_WORD) && only(left, NP_SURVEY_NUMBERS))
        return (shape){rows - 1, true, false};
    if (rows == s->fields && has_corner(s))
        return (shape){rows - 1, true, true};
    if (even && rows + 1 == s->fields && only(corner | left, NP_LOOKS_WORD) && only(s->above, NP_SURVEY_NUMBERS))
        return (shape){rows, false, true};
    return (shape){0, false, false};
}

static uint64_t hash(uint64_t i, uint64_t j, double value)
{
    uint64_t x;
    memcpy(&x, &value, sizeof x);
    x = (x ^ i << 32 ^ j) * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
    return x ^ x >> 32;
}

static void take_entry(facts *f, uint64_t row, uint64_t column, np_text_field field)
{
    double value = 0;
    f->numbers = f->numbers && np_decimal_real(field, &value);
    f->unit = f->unit && (value == 0 || value == 1);
    f->zero = f->zero && (row != column || value == 0);
    f->skew += hash(row, column, value) - hash(column, row, value);
}

/* The next name above, if there are names above, is the name on the left. */
static bool names_alike(const np_text *head, const char **at, np_text_field left)
{
    np_text_field above;
    return np_text_field_next(head, at, &above) && above.length == left.length &&
           !memcmp(above.at, left.at, left.length);
}

static facts facts_of(np_text text, const np_survey *s, const shape *form)
{
    facts f = {true, true, true, form->above && form->left, 0};
    np_text_field field;
    const char *head_at = NULL;
    if (form->above)
        np_text_next(&text);
    const np_text head = text;
    if (f.alike && s->first == s->fields)
        np_text_field_next(&head, &head_at, &field);
    for (uint64_t row = 0; np_text_next(&text); row++) {
        const char *at = NULL;
        if (form->left && np_text_field_next(&text, &at, &field))
            f.alike = f.alike && names_alike(&head, &head_at, field);
        for (uint64_t column = 0; np_text_field_next(&text, &at, &field); column++)
            take_entry(&f, row, column, field);
    }
    return f;
}

/* A table of n lines of n numbers, and no names. */
static np_verdict judge_bare(const np_survey *s, const shape *form, const facts *f)
{
    bool ends = np_survey_kinds(s, 0, false) == NP_LOOKS_WHOLE && np_survey_kinds(s, 1, false) == NP_LOOKS_WHOLE;
    bool whole = ends && only(s->above | s->below, NP_LOOKS_WHOLE);
    if (form->side == 2) /* 0 1, 1 0 is the same network as a list and as a matrix */
        return !ends ? NP_VERDICT_PERHAPS : f->unit && (!f->zero || f->skew) ? NP_VERDICT_PERHAPS : NP_VERDICT_NO;
    if (!ends)
        return f->zero || !f->skew ? NP_VERDICT_YES : NP_VERDICT_PERHAPS;
    if (form->side > 3 && (f->unit || (f->zero && !f->skew)))
        return NP_VERDICT_YES;
    return whole || f->zero || !f->skew ? NP_VERDICT_PERHAPS : NP_VERDICT_NO;
}

np_verdict np_dense_judge(np_text text, const np_survey *s)
{
    const shape form = shape_of(s);
    if (!form.side)
        return NP_VERDICT_NO;
    const facts f = facts_of(text, s, &form);
    if (!f.numbers)
        return NP_VERDICT_NO;
    if (!form.above && !form.left)
        return judge_bare(s, &form, &f);
    if (form.above && form.left)
        return f.alike ? NP_VERDICT_YES : NP_VERDICT_NO;
    if (form.side == 2)
        return f.zero && !f.skew ? NP_VERDICT_PERHAPS : NP_VERDICT_NO;
    return f.zero || !f.skew ? NP_VERDICT_YES : NP_VERDICT_PERHAPS;
}

/* ---- Reading ---- */

static np_status add_name(np_builder *graph, const np_text *text, np_text_field field, uint64_t number)
{
    np_node node;
    np_status st = np_builder_node(graph, text, field, &node);
    if (st || node == number)
        return st;
    return np_text_raise(text, NP_ERROR_INPUT, "'%s' names two nodes", np_text_show_field(field).text);
}

/* The first line has the names, behind a corner if names stand on the left, too. */
static np_status read_names(np_builder *graph, const np_text *text, bool corner)
{
    const char *at = NULL;
    np_text_field field;
    np_status st = NP_OK;
    if (corner)
        np_text_field_next(text, &at, &field);
    for (uint64_t number = 0; !st && np_text_field_next(text, &at, &field); number++)
        st = add_name(graph, text, field, number);
    return st;
}

/* The name on the left: of a new node, or that of the column with the number of the row. */
static np_status read_left(np_builder *graph, const np_text *text, np_text_field field, uint64_t row, bool above)
{
    uint64_t nodes = graph->nodes;
    np_node node;
    if (!above)
        return add_name(graph, text, field, row);
    np_status st = np_builder_node(graph, text, field, &node);
    if (st || (graph->nodes == nodes && node == row))
        return st;
    return np_text_raise(text, NP_ERROR_INPUT,
                         "row '%s', but column %llu has another name: rows and columns are the "
                         "same nodes, in the same order",
                         np_text_show_field(field).text, (unsigned long long)row + 1);
}

/* unit: all entries are 0 or 1, and no weights. */
static np_status read_entry(np_builder *graph, const np_text *text, np_text_field field, uint64_t row, uint64_t column,
                            bool unit)
{
    double value;
    if (!np_decimal_real(field, &value))
        return np_text_raise(text, NP_ERROR_INPUT, "'%s' in column %llu is no number of 0 or more",
                             np_text_show_field(field).text, (unsigned long long)column + 1);
    if (value == 0)
        return NP_OK;
    np_status st = np_builder_link(graph, text, (np_node)row, (np_node)column, 1);
    return st || unit ? st : np_builder_weight(graph, text, field);
}

static np_status read_row(np_builder *graph, const np_text *text, const shape *form, uint64_t row, bool unit)
{
    const char *at = NULL;
    np_text_field field;
    np_status st = NP_OK;
    if (form->left && np_text_field_next(text, &at, &field))
        st = read_left(graph, text, field, row, form->above);
    for (uint64_t column = 0; !st && np_text_field_next(text, &at, &field); column++)
        st = read_entry(graph, text, field, row, column, unit);
    return st;
}

static np_status begin(np_builder *graph, np_text *text, const np_survey *s, const shape *form)
{
    if (!form->side)
        return np_text_raise(
            text, NP_ERROR_INPUT,
            "%llu lines of %zu fields: a matrix has as many rows as columns, names above and on the left "
            "aside, and numbers in all of them",
            (unsigned long long)s->lines, s->fields);
    graph->naming = NP_GRAPH_NAMED;
    if (!form->above && !form->left)
        return np_builder_fix(graph, text, form->side);
    if (!form->above || !np_text_next(text))
        return NP_OK;
    return read_names(graph, text, form->left && s->first == s->fields);
}

static np_status read(np_builder *graph, np_text *text)
{
    np_survey s;
    np_status st = np_survey_take(text, &s);
    if (st)
        return st;
    const shape form = shape_of(&s);
    bool unit = !graph->options->width && form.side && facts_of(*text, &s, &form).unit;
    st = begin(graph, text, &s, &form);
    for (uint64_t row = 0; !st && np_text_next(text); row++)
        st = read_row(graph, text, &form, row, unit);
    return st;
}

const np_graph_format np_format_dense = {
    .info = {"dense", "a matrix", ""},
    .read = read,
};
