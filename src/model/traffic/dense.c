/*
 * A dense matrix as text: row i, column j is what terminal i sends to terminal
 * j. Names may stand in the first line and in the first column:
 *
 *     ,a,b,c
 *     a,0,5,2
 *     b,1,0,0
 *     c,0,0,0
 *
 * A list has four columns at most, so a square of more is a matrix. A smaller
 * one is a matrix if its lines are none of a list; if they are, and there is a
 * line for each node, nobody can know: it is refused unless the format is said.
 */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/plural.h"
#include "model/network/read_node.h"
#include "model/traffic/amounts.h"

typedef struct shape {
    size_t lines, fields; /* of the lines of numbers */
    size_t head;          /* fields of the first line, if it has names; else 0 */
    bool names;           /* the first column has names */
    bool rectangle;       /* else there are only numbers, the same number in each line */
} shape;

static bool are_numbers(unsigned kinds) { return !(kinds & ~(unsigned)NP_SURVEY_NUMBERS); }

static shape shape_of(const np_survey *survey)
{
    const np_survey_column *left = &survey->column[0];
    bool head = !are_numbers(survey->above | left->head);
    shape s = {.lines = survey->lines - head,
               .fields = head ? survey->fields : survey->first,
               .head = head ? survey->first : 0};
    bool first = head || (s.fields == survey->fields && are_numbers(survey->above | left->head));
    s.names = head && s.lines + 1 == s.fields;
    s.rectangle = s.lines && first && !survey->odd_line && are_numbers(survey->below | (s.names ? 0 : left->below));
    return s;
}

/* ---- List or matrix? ---- */

/* Do all lines name two terminals, and then only whole numbers? Then the text may be a list. */
static bool may_be_list(const np_network *network, np_text text)
{
    np_node node;
    uint64_t value;
    while (np_text_next(&text)) {
        if (text.fields < 2 || text.fields > 4)
            return false;
        for (size_t i = 0; i < text.fields; i++)
            if (i < 2 ? np_network_read_terminal(network, &text, text.field[i], "node", &node) != NP_OK
                      : !np_text_whole(text.field[i], &value))
                return false;
    }
    return true;
}

/* Whole numbers, with a minus or not. */
static bool are_whole(np_text text)
{
    uint64_t value;
    while (np_text_next(&text))
        for (size_t i = 0; i < text.fields; i++) {
            const np_text_field field = text.field[i];
            bool minus = field.length && *field.at == '-';
            if (!np_text_whole((np_text_field){field.at + minus, field.length - minus}, &value))
                return false;
        }
    return true;
}

/* Squares of up to four numbers a line, without names, are the lines of a list, too. */
static np_status decide_small(const np_amounts *demands, const np_text *text, size_t n, bool *dense)
{
    const np_network *network = demands->network;
    bool fits = n == network->terminals || (network->host && n == network->nodes);
    np_text first = *text;
    bool list = n > 1 && may_be_list(network, *text);
    *dense = n == 1 || (!list && (fits || !are_whole(*text))); /* else it is a list, perhaps with a fault in it */
    if (!list || !fits)
        return NP_OK;
    (void)np_text_next(&first);
    static const char *const more[] = {"", "", "", " count", " count priority"};
    return np_text_raise(
        &first, NP_ERROR_INPUT,
        "%zu lines of %zu whole numbers, for %zu nodes: a matrix, or a list 'source destination%s'? Say "
        "--traffic-format matrix or list (behind the path, ':traffic-format=matrix')",
        n, n, n, more[n]);
}

static np_status refuse_shape(np_text text, const shape *s)
{
    size_t columns = s->head ? s->head - 1 : s->fields;
    bool more = columns == s->lines + 1 || s->lines == columns + 1;
    (void)np_text_next(&text);
    return np_text_raise(&text, NP_ERROR_INPUT,
                         "%zu line%s of %zu numbers: a matrix has a line for each column, and a list 2 to 4 numbers%s",
                         s->lines, np_plural(s->lines), columns, more ? ": is one of them a total? Leave it out" : "");
}

/* Does the first line have names of columns, as the corner above the rows is empty or the last one is a total? */
static bool is_head(np_text text)
{
    static const char *const totals[] = {"total", "totals", "sum", "all"};
    bool total = false;
    (void)np_text_next(&text);
    size_t last = text.fields < NP_TEXT_FIELDS ? text.fields - 1 : NP_TEXT_FIELDS - 1;
    for (size_t i = 0; i < sizeof totals / sizeof *totals; i++)
        total = total || np_text_is(&text, last, totals[i]);
    return text.fields > 2 && (total || !text.field[0].length);
}

np_status np_dense_decide(const np_amounts *demands, const np_text *text, const np_survey *survey, bool *dense)
{
    shape s = shape_of(survey);
    size_t columns = s.fields - s.names;
    bool square = s.rectangle && columns == s.lines;
    *dense = false;
    if (demands->form) {
        *dense = !strcmp(demands->form, "matrix");
        return !*dense || square ? NP_OK : refuse_shape(*text, &s);
    }
    if (s.head && !square && is_head(*text))
        return refuse_shape(*text, &s);
    if (square && s.head)
        *dense = s.head == s.fields || s.head == columns;
    else if (square && columns <= 4)
        return decide_small(demands, text, columns, dense);
    else if (s.rectangle && columns > 4)
        *dense = true;
    return *dense && !square ? refuse_shape(*text, &s) : NP_OK;
}

/* ---- Totals ---- */

/* Are the sums `total` those of the others, and not all 0? */
static bool is_total(const double *sum, const double *total, size_t n)
{
    bool any = false;
    for (size_t i = 0; i < n; i++) {
        if (fabs(sum[i] - total[i]) > 1e-9 * total[i]) /* ours: sums that were printed are rounded */
            return false;
        any = any || total[i] > 0;
    }
    return any;
}

/* sum[4][n]: of all rows but the last, the last row, and the same of the columns. */
static void add_up(np_text text, size_t n, double *sum)
{
    for (size_t i = 0; np_text_next(&text) && i < n; i++) {
        const char *at = NULL;
        np_text_field field;
        for (size_t j = 0; np_text_field_next(&text, &at, &field) && j < n; j++) {
            double value = 0;
            (void)np_decimal_real(field, &value);
            sum[(i + 1 == n ? n : 0) + j] += value;
            sum[(j + 1 == n ? 3 * n : 2 * n) + i] += value;
        }
    }
}

/* A last row or column of sums, without a name that says so, would be sent as packets. */
static np_status check_totals(const np_amounts *demands, const np_text *text, const shape *s)
{
    size_t n = s->lines;
    double *sum;
    np_status st;
    if (s->head || s->names || n < 3 || demands->form)
        return NP_OK;
    if ((st = np_memory_zeroed(&sum, 4 * n, sizeof *sum, "the sums of a matrix")))
        return st;
    add_up(*text, n, sum);
    bool row = is_total(sum, sum + n, n), column = is_total(sum + 2 * n, sum + 3 * n, n);
    np_memory_free(sum);
    if (!row && !column)
        return NP_OK;
    return np_text_raise(text, NP_ERROR_INPUT,
                         "the last %s has the sums of all others: leave totals out, or say --traffic-format matrix",
                         row ? "line" : "column");
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

np_status np_dense_read(np_amounts *demands, np_text *text, const np_survey *survey)
{
    shape s = shape_of(survey);
    size_t columns = s.fields - s.names;
    np_node *column;
    np_status st = check_totals(demands, text, &s);
    if (st || (st = np_memory_array(&column, columns, sizeof *column, "the columns of a matrix")))
        return st;
    if (!(st = read_head(demands, text, &s, columns, column)))
        st = read_rows(demands, text, &s, column);
    np_memory_free(column);
    return st;
}
