/*
 * print_fields              the verbs that have a report, a line each
 * print_fields fields VERB  the keys of the verb's JSON as a Markdown table
 * print_fields columns VERB the columns of its CSV, likewise
 *
 * docs/json.md has these tables; json_keys holds it to them. A table of fields that several keys share is printed at
 * the first of them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "netpram/report.h"

enum { NAME = 160, TABLES = 64 };

static const np_fields *printed[TABLES];
static char printed_at[TABLES][NAME];
static size_t tables;

static const char *type_of(const np_field *field)
{
    static const char *const names[] = {
        [NP_FIELD_BOOL] = "boolean", [NP_FIELD_U32] = "integer",     [NP_FIELD_U64] = "integer",
        [NP_FIELD_I64] = "integer",  [NP_FIELD_SIZE] = "integer",    [NP_FIELD_BYTES] = "integer",
        [NP_FIELD_REAL] = "number",  [NP_FIELD_TEXT] = "string",     [NP_FIELD_CHARS] = "string",
        [NP_FIELD_WORD] = "string",  [NP_FIELD_SUMMARY] = "summary", [NP_FIELD_OBJECT] = "object",
        [NP_FIELD_LIST] = "list",    [NP_FIELD_SEED] = "integer",    [NP_FIELD_RANGE] = "string",
        [NP_FIELD_NODE] = "node",
    };
    bool whole = field->flags & NP_FIELD_WHOLE;
    if (field->kind == NP_FIELD_SUMMARY)
        return whole ? "summary" : "summary of numbers";
    return field->kind == NP_FIELD_REAL && whole ? "integer" : names[field->kind];
}

static void print_row(const char *key, const np_field *field, const char *same)
{
    bool nullable = field->known || field->flags & NP_FIELD_ZERO;
    printf("| `%s` | %s%s | %s | %s%s%s%s |\n", key, type_of(field), nullable ? " or `null`" : "",
           field->unit ? field->unit : "", field->help, same ? "; as `" : "", same ? same : "", same ? "`" : "");
}

/* Where the table was printed; NULL, and kept for the next one, if nowhere. */
static const char *seen(const np_fields *fields, const char *key)
{
    for (size_t i = 0; i < tables; i++)
        if (printed[i] == fields)
            return printed_at[i];
    if (tables == TABLES)
        abort();
    printed[tables] = fields;
    snprintf(printed_at[tables++], NAME, "%s", key);
    return NULL;
}

static void print_fields(const np_fields *fields, const char *prefix)
{
    for (const np_field *row = fields->row; row < fields->row + fields->count; row++) {
        char key[NAME], inner[NAME];
        const char *same = NULL;
        if (row->kind == NP_FIELD_INSET) {
            print_fields(row->fields, prefix);
            continue;
        }
        snprintf(key, sizeof key, "%s%s", prefix, row->name);
        if (row->fields)
            same = seen(row->fields, key);
        print_row(key, row, same);
        if (!row->fields || same)
            continue;
        snprintf(inner, sizeof inner, "%.*s%s", NAME - 4, key, row->kind == NP_FIELD_LIST ? "[]." : ".");
        print_fields(row->fields, inner);
    }
}

static int print_columns(const np_report_shape *shape)
{
    char text[2048], *rest = text, *column;
    snprintf(text, sizeof text, "%s", shape->columns);
    puts("| column | field | unit | meaning |\n|---|---|---|---|");
    while ((column = strsep(&rest, ","))) {
        char *name = strchr(column, '=');
        if (name)
            *name++ = '\0';
        else
            name = column;
        const np_field *field = np_fields_find(shape->line, name);
        if (!field) {
            fprintf(stderr, "%s: no field '%s' for column '%s'\n", shape->verb, name, column);
            return 1;
        }
        if (field->kind == NP_FIELD_SUMMARY)
            printf("| `mean`, `variance`, `min`, `max`, `p50`, `p99`, `ci95` ");
        else
            printf("| `%s` ", column);
        printf("| `%s` | %s | %s |\n", name, field->unit ? field->unit : "", field->help);
    }
    return 0;
}

static const np_report_shape *shape_of(const char *verb)
{
    const np_report_shape *shape = NULL;
    for (size_t i = 0; (shape = np_report_shape_at(i)) && strcmp(shape->verb, verb); i++)
        ;
    return shape;
}

int main(int argc, char **argv)
{
    const np_report_shape *shape;
    if (argc == 1) {
        for (size_t i = 0; (shape = np_report_shape_at(i)); i++)
            printf("fields %s\n%s%s%s", shape->verb, shape->columns ? "columns " : "",
                   shape->columns ? shape->verb : "", shape->columns ? "\n" : "");
        return 0;
    }
    if (argc != 3 || !(shape = shape_of(argv[2])))
        return 1;
    if (!strcmp(argv[1], "columns"))
        return print_columns(shape);
    puts("| key | type | unit | meaning |\n|---|---|---|---|");
    print_fields(shape->json, "");
    return 0;
}
