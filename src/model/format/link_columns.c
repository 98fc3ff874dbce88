/*
 * Numbers of links: capacities, delays, weights.
 *
 * A column has the values of one attribute by the lines of the file. It begins with the first number and is given up at
 * the first value that is no number, so attributes that are texts take no memory. When the rows of the network are
 * made, the values go to the links of their lines.
 *
 * One column may be the width: the number of parallel links. "width=NAME" is decided when all values are known:
 *   width=NAME/UNIT   value / UNIT
 *   width=NAME/least  value / the least value
 *   width=NAME        the value, if all are whole numbers of at most COUNT_MAX without a unit; else value / the least
 */
#include "model/format/link_columns.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/decimal.h"
#include "base/memory.h"
#include "base/quantity.h"

enum { COUNT_MAX = 65536 }; /* ours: larger numbers are capacities more often than parallel links */

#define NEAR 1e-9 /* ours: a value within this share of a whole multiple is one: 0.3 is 3 * 0.1 */

static const char what[] = "the attributes of a file's links";

np_status np_builder_begin_widths(np_builder *graph)
{
    if (graph->width)
        return NP_OK;
    np_status st = np_memory_array(&graph->width, graph->room, sizeof *graph->width, "the widths of a file's links");
    for (size_t i = 0; !st && i < graph->count; i++)
        graph->width[i] = 1;
    return st;
}

void np_columns_clear(np_builder *graph)
{
    for (size_t i = 0; i < graph->columns; i++) {
        NP_MEMORY_FREE(graph->column[i].name, (char *)graph->column[i].word, graph->column[i].value);
    }
    np_memory_free(graph->column);
}

/* ---- The width ---- */

/*
 * The name that options->width has, without "/UNIT" or "/least"; *unit: what follows the '/', empty if it names none.
 */
static np_text_field width_name(const np_graph_options *options, np_text_field *unit)
{
    const char *name = options->width ? options->width : "width", *slash = strrchr(name, '/');
    np_text_field whole = {name, strlen(name)};
    np_quantity quantity;
    *unit = (np_text_field){whole.at + whole.length, 0};
    if (!slash || slash == name)
        return whole;
    np_text_field last = {slash + 1, strlen(slash + 1)};
    if (strcmp(last.at, "least") != 0 && !(np_quantity_read(last, &quantity) && quantity.value > 0))
        return whole;
    *unit = last;
    return (np_text_field){name, (size_t)(slash - name)};
}

np_text_field np_columns_width_name(const np_builder *graph)
{
    np_text_field unit;
    return width_name(graph->options, &unit);
}

bool np_builder_is_width(np_builder *graph, np_text_field name)
{
    np_text_field width = np_columns_width_name(graph);
    bool is = name.length == width.length && !memcmp(name.at, width.at, width.length);
    graph->wide |= is;
    return is;
}

static np_status refuse_width(const np_builder *graph, const np_text *text, const char *reason)
{
    np_text all = *text;
    np_text_field name = np_columns_width_name(graph);
    all.line = NP_TEXT_NO_LINE;
    return np_text_raise(&all, NP_ERROR_INPUT, "width '%.*s': %s", (int)name.length, name.at, reason);
}

static double value_at(const np_link_column *column, size_t i) { return i < column->room ? column->value[i] : NAN; }

/* What is known of the values of a column. */
typedef struct survey {
    double least, most; /* least: above 0 */
    size_t missing, first_missing;
    bool counts; /* whole numbers of at most COUNT_MAX, without a unit */
} survey;

static survey survey_of(const np_builder *graph, const np_link_column *column)
{
    survey s = {.least = INFINITY, .counts = !column->scaled};
    for (size_t i = 0; i < graph->count; i++) {
        double value = value_at(column, i);
        if (isnan(value)) {
            s.first_missing = s.missing++ ? s.first_missing : i;
            continue;
        }
        s.counts &= value <= COUNT_MAX && value == floor(value);
        s.least = value > 0 && value < s.least ? value : s.least;
        s.most = value > s.most ? value : s.most;
    }
    return s;
}

/* The unit of the width: 1 where values stand for themselves. */
static double unit_of(const np_builder *graph, const survey *s)
{
    np_text_field text;
    np_quantity quantity = {.value = 0};
    (void)width_name(graph->options, &text);
    if (!text.length)
        return s->counts ? 1 : s->least;
    return np_quantity_read(text, &quantity) ? quantity.value : s->least;
}

/* width[i] = value / unit; lines without a value keep theirs. */
static np_status divide(np_builder *graph, const np_text *text, const np_link_column *column, double unit)
{
    char reason[200];
    for (size_t i = 0; i < graph->count; i++) {
        double value = value_at(column, i), width = round(value / unit);
        if (isnan(value))
            continue;
        if (fabs(value - width * unit) > NEAR * value || width >= NP_NONE) {
            snprintf(reason, sizeof reason,
                     "%s is no whole multiple of %s%s: say another unit (width=NAME/UNIT), or let another "
                     "attribute be the width",
                     NP_REAL(value, 12), NP_REAL(unit, 12), unit == 1 ? "" : ", the unit");
            return refuse_width(graph, text, reason);
        }
        graph->width[i] = (uint32_t)width;
    }
    return NP_OK;
}

static np_status check_width(const np_builder *graph, const np_text *text, const np_link_column *column, double unit,
                             const survey *s)
{
    char reason[200];
    if (column->word)
        snprintf(reason, sizeof reason, "'%s' is no number, or has another unit than the values before it",
                 np_text_show_field((np_text_field){column->word, strlen(column->word)}).text);
    else if (isinf(unit))
        snprintf(reason, sizeof reason, "every value is 0");
    else if (unit != 1 && s->missing)
        snprintf(reason, sizeof reason, "%zu of %zu links have none, but others have up to %s: give it to all",
                 s->missing, graph->count, NP_REAL(s->most, 12));
    else
        return NP_OK;
    return refuse_width(graph, text, reason);
}

np_status np_columns_settle_width(np_builder *graph, const np_text *text)
{
    np_link_column *column = graph->column;
    np_status st = NP_OK;
    for (; column < graph->column + graph->columns; column++)
        if (np_builder_is_width(graph, (np_text_field){column->name, strlen(column->name)}))
            break;
    if (column == graph->column + graph->columns)
        return NP_OK;
    survey s = survey_of(graph, column);
    double unit = unit_of(graph, &s);
    if ((st = check_width(graph, text, column, unit, &s)) || (st = np_builder_begin_widths(graph)) ||
        (st = divide(graph, text, column, unit)))
        return st;
    graph->width_unit = unit;
    np_memory_free(column->value); /* the widths have it now */
    np_memory_free(column->name);
    *column = graph->column[--graph->columns];
    return NP_OK;
}

/* ---- Columns ---- */

static np_status column_of(np_builder *graph, np_text_field name, np_link_column **out)
{
    np_status st;
    for (*out = graph->column; *out < graph->column + graph->columns; ++*out)
        if (!strncmp((*out)->name, name.at, name.length) && !(*out)->name[name.length])
            return NP_OK;
    if (graph->columns == NP_COLUMNS_MAX) {
        *out = NULL;
        return NP_OK;
    }
    if (!graph->column && (st = np_memory_zeroed(&graph->column, NP_COLUMNS_MAX, sizeof *graph->column, what)))
        return st;
    *out = &graph->column[graph->columns];
    if ((st = np_memory_zeroed(&(*out)->name, name.length + 1, 1, what)))
        return st;
    memcpy((*out)->name, name.at, name.length);
    graph->columns++;
    return NP_OK;
}

/* Gives a column up that has a value which is no number. */
static np_status give_up(np_link_column *column, np_text_field value)
{
    char *word;
    np_status st = np_memory_zeroed(&word, value.length + 1, 1, what);
    if (st)
        return st;
    memcpy(word, value.at, value.length);
    column->word = word;
    np_memory_free(column->value);
    column->value = NULL;
    column->room = 0;
    return NP_OK;
}

static np_status grow(np_builder *graph, np_link_column *column)
{
    np_status st = np_memory_grow(&column->value, column->room, graph->room, sizeof *column->value, what);
    if (st)
        return st;
    for (; column->room < graph->room; column->room++)
        column->value[column->room] = NAN;
    return NP_OK;
}

static np_status set(np_builder *graph, size_t first, size_t end, np_link_column *column, np_text_field text)
{
    np_quantity quantity;
    np_status st;
    if (column->word)
        return NP_OK;
    if (!np_quantity_read(text, &quantity) || (column->unit && strcmp(column->unit, quantity.unit) != 0))
        return give_up(column, text);
    if (graph->count > column->room && (st = grow(graph, column)))
        return st;
    column->unit = quantity.unit;
    column->scaled |= quantity.scaled;
    for (size_t i = first; i < end; i++)
        column->value[i] = quantity.value;
    return NP_OK;
}

static np_status set_weight(np_builder *graph, const np_text *text, size_t first, size_t end, np_text_field value)
{
    double weight;
    if (!np_decimal_signed(value, &weight))
        return np_text_raise(text, NP_ERROR_INPUT, "weight '%s' is no number: write -3 or 2.5",
                             np_text_show_field(value).text);
    graph->weighted = true;
    for (size_t i = first; i < end; i++)
        graph->weight[i] = weight;
    return NP_OK;
}

/* The width of the links, as it stands: a whole number, which may be written as 4.0. */
static np_status set_width(np_builder *graph, const np_text *text, size_t first, size_t end, np_text_field value)
{
    uint64_t width;
    np_status st;
    if (!np_decimal_whole(value, &width) || width >= NP_NONE)
        return np_text_raise(text, NP_ERROR_INPUT,
                             "width '%s' is no number of parallel links: write a whole number, or let another "
                             "attribute be the width",
                             np_text_show_field(value).text);
    if ((width == 1 && !graph->width) || (st = np_builder_begin_widths(graph)))
        return width == 1 ? NP_OK : st;
    for (size_t i = first; i < end; i++)
        graph->width[i] = (uint32_t)width;
    return NP_OK;
}

np_status np_builder_links_attribute(np_builder *graph, const np_text *text, size_t first, size_t end,
                                     np_text_field name, np_text_field value)
{
    np_link_column *column;
    bool width = np_builder_is_width(graph, name), minus = value.length && *value.at == '-';
    if (width && graph->options->weights)
        return set_weight(graph, text, first, end, value);
    if (width && (!graph->options->width || minus))
        return set_width(graph, text, first, end, value);
    np_status st = column_of(graph, name, &column);
    return st || !column ? st : set(graph, first, end, column, value);
}

np_status np_builder_weight(np_builder *graph, const np_text *text, np_text_field value)
{
    return np_builder_link_attribute(graph, text, graph->count - 1, (np_text_field){"weight", 6}, value);
}

np_status np_builder_link_attribute(np_builder *graph, const np_text *text, size_t first, np_text_field name,
                                    np_text_field value)
{
    return np_builder_links_attribute(graph, text, first, graph->count, name, value);
}

np_status np_columns_repeat(np_builder *graph, size_t line)
{
    np_status st = NP_OK;
    for (size_t i = 0; i < graph->columns && !st; i++) {
        np_link_column *column = &graph->column[i];
        if (!column->room || column->word || (graph->count > column->room && (st = grow(graph, column))))
            continue;
        column->value[graph->count - 1] = value_at(column, line);
    }
    return st;
}

/* ---- To the network ---- */

np_status np_columns_take(np_builder *graph, const np_link_lists *lists, np_network *network)
{
    np_status st = NP_OK;
    if (graph->columns &&
        (st = np_memory_zeroed(&network->attribute, graph->columns, sizeof *network->attribute, what)))
        return st;
    for (size_t i = 0; i < graph->columns && !st; i++) {
        np_link_column *column = &graph->column[i];
        double *value;
        if (!column->room)
            continue;
        while (column->room < graph->count)
            if ((st = grow(graph, column)))
                return st;
        if ((st = np_memory_array(&value, network->link_numbers, sizeof *value, what)))
            return st;
        network->attribute[network->attributes++] = (np_link_attribute){column->name, column->unit, value};
        column->name = NULL;
        st = np_network_spread(network, lists, column->value, value);
    }
    return st;
}
