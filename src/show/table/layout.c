/* See layout.h. Text is expanded from left to right, into the stream or into the cell of a table. */
#include "show/table/layout.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "base/statistics.h"
#include "base/written.h"
#include "show/table/csv.h"
#include "show/table/json.h"
#include "show/table/table.h"

enum { NAME_ROOM = 64, CELL_ROOM = 1024 };

/* Objects whose fields have names here: an item of a list, then what it is an item of. */
typedef struct scope {
    const np_fields *fields;
    const void *object;
    const struct scope *outer;
} scope;

/* Where text goes: to the stream, or into the next cell of the table that is open. */
typedef struct sheet {
    FILE *stream;
    size_t columns;  /* of the terminal where it will be seen; 0: of none */
    np_table *table; /* NULL: none is open */
    char cell[CELL_ROOM];
    size_t used;
    np_status status;
} sheet;

static void put(sheet *s, const char *text, size_t length)
{
    if (!s->table) {
        fwrite(text, 1, length, s->stream);
        return;
    }
    length = length < CELL_ROOM - 1 - s->used ? length : CELL_ROOM - 1 - s->used;
    memcpy(s->cell + s->used, text, length);
    s->used += length;
}

static void put_text(sheet *s, const char *text) { put(s, text, strlen(text)); }

/* A text that may come from outside, such as the name of a node; of cells, np_table_end shows it so. */
static void put_outside(sheet *s, const char *text)
{
    if (s->table)
        put_text(s, text);
    else
        np_written(NP_MEDIUM_TERMINAL, text, s->stream);
}

static void end_cell(sheet *s)
{
    s->cell[s->used] = '\0';
    np_table_add(s->table, "%s", s->cell);
    s->used = 0;
}

/* Text of the layout itself: in a table bars and ends of lines end cells. */
static void put_plain(sheet *s, const char *text, size_t length)
{
    for (size_t part; s->table && (part = strcspn(text, "|\n")) < length; text += part + 1, length -= part + 1) {
        put(s, text, part);
        end_cell(s);
    }
    put(s, text, length);
}

/* ---- Fields and conditions ---- */

/* The length of the name at the beginning of a text. */
static size_t name_length(const char *text) { return strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_."); }

/* Reads the field that is named at the beginning of a text. Returns what comes after the name. */
static const char *read_field(sheet *s, const scope *in, const char *text, np_value *value)
{
    char name[NAME_ROOM];
    size_t length = name_length(text);
    bool exists = false;
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    for (const scope *at = in; at; at = at->outer) {
        if (np_fields_get(at->fields, at->object, name, value))
            return text + length;
        exists = exists || np_fields_find(at->fields, name);
    }
    if (!exists && !s->status)
        s->status =
            NP_RAISE(NP_ERROR_INTERNAL, "a layout names the field '%s', which %s does not have", name, in->fields->of);
    return text + length;
}

/* Of a summary the mean, of a list its length. */
static double number_of(const np_value *value)
{
    if (value->kind == NP_VALUE_LIST)
        return (double)value->count;
    bool summary = value->kind == NP_VALUE_OBJECT &&
                   (value->fields == &np_summary_fields || value->fields == &np_summary_whole_fields);
    return summary ? ((const np_summary *)value->object)->mean : np_value_number(value);
}

/* A number, or a field, at the beginning of a text. Returns what comes after. */
static const char *read_number(sheet *s, const scope *in, const char *text, double *number)
{
    np_value value;
    char *end;
    if (*text >= '0' && *text <= '9') {
        *number = (double)strtoul(text, &end, 10);
        return end;
    }
    const char *rest = read_field(s, in, text, &value);
    *number = number_of(&value);
    return rest;
}

/* Reads a field; of two with a sign between them the product or the quotient. */
static const char *read_name(sheet *s, const scope *in, const char *text, np_value *value)
{
    double other;
    const char *rest = read_field(s, in, text, value);
    if (*rest != '*' && *rest != '/')
        return rest;
    const double first = number_of(value);
    const bool product = *rest == '*';
    rest = read_number(s, in, rest + 1, &other);
    value->kind = NP_VALUE_REAL;
    value->real = product ? first * other : first / other;
    return rest;
}

static bool is_true(const np_value *value)
{
    if (value->kind == NP_VALUE_NULL || value->kind == NP_VALUE_OBJECT)
        return value->kind == NP_VALUE_OBJECT;
    return value->kind == NP_VALUE_TEXT ? *value->text : number_of(value) != 0;
}

/* A word ends where the condition or its term does. */
static bool is_word(const np_value *value, const char *word)
{
    size_t length = 0;
    while (word[length] && strncmp(word + length, " &", 2) && strncmp(word + length, " ?", 2))
        length++;
    return strlen(value->text) == length && !strncmp(value->text, word, length);
}

/* rest: what comes after the name in a term. */
static bool holds_for(sheet *s, const scope *in, const np_value *value, const char *rest)
{
    double other, number = number_of(value);
    if (!strncmp(rest, "=null", 5))
        return value->kind == NP_VALUE_NULL;
    if (*rest == '=' && (value->kind == NP_VALUE_TEXT || value->kind == NP_VALUE_NULL))
        return value->kind == NP_VALUE_TEXT && is_word(value, rest + 1);
    if (!*rest || !strchr("=<>", *rest))
        return is_true(value);
    (void)read_number(s, in, rest + 1, &other);
    return *rest == '=' ? number == other : *rest == '>' ? number > other : number < other;
}

static bool holds(sheet *s, const scope *in, const char *condition)
{
    bool all = true;
    for (const char *term = condition; term && all;) {
        np_value value;
        bool no = *term == '!';
        const char *rest = read_name(s, in, term + no, &value);
        all = holds_for(s, in, &value, rest) != no;
        rest += strcspn(rest, "&?");
        term = *rest == '&' ? rest + 2 : NULL;
    }
    return all;
}

/* ---- Values ---- */

/* A whole number as it is, others with two decimals, small ones with two significant digits. */
static void put_number(sheet *s, double value)
{
    if (value == floor(value) && fabs(value) < 1e15)
        put_text(s, NP_FIXED(value, 0));
    else
        put_text(s, fabs(value) >= 0.01 && fabs(value) < 1e15 ? NP_FIXED(value, 2) : NP_REAL(value, 2));
}

static void put_list(sheet *s, np_value *list, const char *format)
{
    char *between, text[512];
    size_t most = strtoul(format, &between, 10), length = strcspn(between, "}"), i;
    np_value item;
    for (i = 0; i < list->count && i < most; i++) {
        put(s, between, i ? length : 0);
        np_value_item(list, i, &item);
        put_outside(s, np_value_text(&item, sizeof text, text));
    }
    put(s, between, i < list->count ? length : 0);
    put_text(s, i < list->count ? "..." : "");
}

/* Rounded up to two digits. */
static double percent_above(double share)
{
    double percent = 100 * share, step = 1;
    while (percent < 10 * step)
        step /= 10;
    return ceil(percent / step) * step;
}

/* Of a mean of several runs: "±0.56 [3..4]"; "all 5 runs: 4; another value comes in ..." where all runs are equal. */
static void put_spread(sheet *s, const np_summary *summary)
{
    char text[144];
    if (!isnan(summary->ci95))
        snprintf(text, sizeof text, "\302\261%s [%s..%s]", NP_FIXED(summary->ci95, 2), NP_FIXED(summary->min, 0),
                 NP_FIXED(summary->max, 0));
    else
        snprintf(text, sizeof text, "all %zu runs: %s; another value comes in fewer than %s%% of the runs (95%%)",
                 summary->count, NP_REAL(summary->mean, 15),
                 NP_REAL(percent_above(np_statistics_unseen95(summary->count)), 2));
    put_text(s, text);
}

/* Without a format. */
static void put_value(sheet *s, const np_value *value)
{
    char text[64];
    if (value->kind == NP_VALUE_WHOLE || value->kind == NP_VALUE_INTEGER || value->kind == NP_VALUE_BOOL)
        put_text(s, np_value_text(value, sizeof text, text));
    else if (value->kind == NP_VALUE_TEXT)
        put_outside(s, value->text);
    else if (isnan(number_of(value)))
        put_text(s, "-");
    else
        put_number(s, number_of(value));
}

/* format: what follows the colon, and a brace. */
static void put_formatted(sheet *s, np_value *value, const char *format)
{
    char text[128];
    if (value->kind == NP_VALUE_LIST)
        put_list(s, value, format);
    else if (*format == 's' && value->kind == NP_VALUE_OBJECT)
        put_spread(s, value->object);
    else if (*format == 'e')
        value->kind == NP_VALUE_REAL ? put_text(s, NP_EXACT(value->real)) : put_value(s, value);
    else if (value->kind == NP_VALUE_TEXT) {
        snprintf(text, sizeof text, "%*s", atoi(format), value->text);
        put_text(s, text);
    } else
        put_text(s, *format == '.' ? NP_FIXED(number_of(value), atoi(format + 1))
                                   : NP_REAL(number_of(value), atoi(format)));
}

/* " link" after 1, else " links"; " bus buses": " bus" or " buses". */
static void put_noun(sheet *s, const np_value *count, const char *nouns)
{
    bool one = number_of(count) == 1;
    size_t first = 1 + strcspn(nouns + 1, " }");
    bool two = nouns[first] == ' ';
    if (one || !two)
        put(s, nouns, first);
    else
        put(s, nouns + first, strcspn(nouns + first, "}"));
    put_text(s, one || two ? "" : "s");
}

/* ---- Text ---- */

/* The place of `what` before `end`, outside of braces; NULL: none. */
static const char *find_outside(const char *text, const char *end, const char *what)
{
    size_t depth = 0;
    for (; text < end; text++) {
        if (!depth && !strncmp(text, what, strlen(what)))
            return text;
        depth += *text == '{';
        depth -= *text == '}';
    }
    return NULL;
}

static void put_layout(sheet *s, const scope *in, const char *text, const char *end);

static void put_choice(sheet *s, const scope *in, const char *condition, const char *question, const char *end)
{
    const char *colon = find_outside(question + 3, end, " : ");
    if (holds(s, in, condition))
        put_layout(s, in, question + 3, colon ? colon : end);
    else if (colon)
        put_layout(s, in, colon + 3, end);
}

static void put_inside(sheet *s, const scope *outer, const np_value *object, const char *text, const char *end)
{
    const scope in = {object->fields, object->object, outer};
    put_layout(s, &in, text, end);
}

/* {each NAME: TEXT} and {with NAME: TEXT} */
static void put_inner(sheet *s, const scope *in, const char *name, const char *end)
{
    np_value value, item;
    const char *text = read_name(s, in, name, &value) + 2;
    if (value.kind == NP_VALUE_OBJECT)
        put_inside(s, in, &value, text, end);
    for (size_t i = 0; value.kind == NP_VALUE_LIST && i < value.count && !s->status; i++) {
        np_value_item(&value, i, &item);
        put_inside(s, in, &item, text, end);
    }
}

/* {table ALIGN: TEXT} */
static void put_table(sheet *s, const scope *in, const char *align, const char *end)
{
    char columns[NP_TABLE_COLUMNS_MAX + 1];
    np_table table;
    const char *text = strchr(align, ':') + 2;
    snprintf(columns, sizeof columns, "%.*s", (int)(text - 2 - align), align);
    np_table_init(&table, columns);
    s->table = &table;
    put_layout(s, in, text, end);
    s->table = NULL;
    np_status st = np_table_print_within(&table, s->columns, s->stream);
    np_table_clear(&table);
    s->status = s->status ? s->status : st;
}

/* A field, and what its format or its noun makes of it. */
static void put_field(sheet *s, const scope *in, const char *text)
{
    np_value value;
    const char *format = read_name(s, in, text, &value);
    if (*format == ':')
        put_formatted(s, &value, format + 1);
    else
        put_value(s, &value);
    if (*format == ' ')
        put_noun(s, &value, format);
}

/* What is between braces. */
static void put_braces(sheet *s, const scope *in, const char *text, const char *end)
{
    const char *question = find_outside(text, end, " ? ");
    if (!strncmp(text, "each ", 5) || !strncmp(text, "with ", 5))
        put_inner(s, in, text + 5, end);
    else if (!strncmp(text, "table ", 6))
        put_table(s, in, text + 6, end);
    else if (question)
        put_choice(s, in, text, question, end);
    else
        put_field(s, in, text);
}

static void put_layout(sheet *s, const scope *in, const char *text, const char *end)
{
    while (text < end && !s->status) {
        size_t plain = strcspn(text, "{");
        plain = plain < (size_t)(end - text) ? plain : (size_t)(end - text);
        put_plain(s, text, plain);
        text += plain;
        if (text == end)
            return;
        const char *close = find_outside(text + 1, end, "}");
        assert(close); /* tests/unit/test_report_layout.c checks all layouts */
        put_braces(s, in, text + 1, close);
        text = close + 1;
    }
}

/* What all reports know. */
typedef struct known {
    const char *command, *version;
} known;

static const np_field known_rows[] = {
    {"command", NP_FIELD_TEXT, offsetof(known, command), .help = "that repeats the report"},
    {"version", NP_FIELD_TEXT, offsetof(known, version), .help = "of the library"},
};

static const np_fields known_fields = NP_FIELDS("known", "a report", known, known_rows);

/* All of it is made before any is printed: what is refused, as by a limit of memory, has printed nothing. */
static np_status print_all(const char *const *layout, size_t count, const scope *in, FILE *stream)
{
    char *text = NULL;
    size_t length;
    sheet s = {.stream = open_memstream(&text, &length), .columns = np_terminal_columns(stream)};
    if (!s.stream)
        return NP_RAISE(NP_ERROR_MEMORY, "no memory for the report");
    for (size_t i = 0; i < count && layout[i] && !s.status; i++)
        put_layout(&s, in, layout[i], layout[i] + strlen(layout[i]));
    bool failed = ferror(s.stream);
    if ((fclose(s.stream) || failed) && !s.status)
        s.status = NP_RAISE(NP_ERROR_MEMORY, "no memory for the report");
    if (!s.status)
        fwrite(text, 1, length, stream);
    free(text);
    return s.status ? s.status : np_output_check(stream, "the report");
}

static np_status print_layouts(const char *const *layout, size_t count, const np_fields *fields, const void *object,
                               const char *command, FILE *stream)
{
    const known all = {command, np_version()};
    const scope outer = {&known_fields, &all, NULL}, in = {fields, object, &outer};
    return print_all(layout, count, &in, stream);
}

np_status np_layout_print(const char *layout, const np_fields *fields, const void *object, const char *command,
                          FILE *stream)
{
    return print_layouts(&layout, 1, fields, object, command, stream);
}

np_status np_report_print(const np_report_form *form, const void *object, const np_report_options *given, FILE *stream)
{
    np_report_options options;
    const np_report_shape *shape = &form->shape;
    np_status st = np_options_take(&np_report_options_fields, given, &options);
    if (st)
        return st;
    if (options.format == NP_REPORT_JSON)
        return np_json_report(shape->json, object, options.command, form->open, stream);
    if (options.format == NP_REPORT_CSV && form->csv)
        return form->csv(object, stream);
    if (options.format == NP_REPORT_CSV)
        return form->list ? np_csv_list(shape->line, object, form->list, shape->columns, stream)
                          : np_csv_report(shape->line, object, shape->columns, stream);
    const np_fields *fields = form->fields ? form->fields : shape->json;
    const size_t parts = sizeof form->rest / sizeof *form->rest;
    if (form->people) {
        st = print_layouts(&form->layout, 1, fields, object, options.command, stream);
        st = st ? st : form->people(object, &options, stream);
        return st ? st : print_layouts(form->rest, parts, fields, object, options.command, stream);
    }
    const char *layout[1 + sizeof form->rest / sizeof *form->rest] = {form->layout};
    memcpy(layout + 1, form->rest, sizeof form->rest);
    return print_layouts(layout, 1 + parts, fields, object, options.command, stream);
}
