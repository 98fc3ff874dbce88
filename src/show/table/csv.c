#include "show/table/csv.h"

#include <math.h>
#include <string.h>

#include "base/decimal.h"
#include "base/written.h"

void np_csv_field(const char *text, FILE *stream) { np_written(NP_MEDIUM_CSV, text, stream); }

void np_csv_text(const char *text, FILE *stream)
{
    np_csv_field(text, stream);
    fputc(',', stream);
}

/* A number; nothing for what is none. */
static void csv_real(double value, FILE *stream) { fputs(isnan(value) ? "" : NP_EXACT(value), stream); }

void np_csv_summary(const np_summary *summary, FILE *stream)
{
    for (size_t i = 0; i < np_summary_fields.count; i++) {
        np_value value;
        (void)np_field_get(&np_summary_fields.row[i], summary, &value);
        fputs(i ? "," : "", stream);
        csv_real(value.real, stream);
    }
}

bool np_csv_column(const char *columns, size_t i, char *title, char *name)
{
    while (i--) {
        columns += strcspn(columns, ",");
        columns += *columns == ',';
    }
    size_t all = strcspn(columns, ","), first = strcspn(columns, ",=");
    const char *path = first < all ? columns + first + 1 : columns;
    snprintf(title, NP_CSV_NAME, "%.*s", (int)first, columns);
    snprintf(name, NP_CSV_NAME, "%.*s", (int)(columns + all - path), path);
    return all;
}

static bool is_summary(const np_fields *fields, const char *name)
{
    const np_field *field = np_fields_find(fields, name);
    return field && field->kind == NP_FIELD_SUMMARY;
}

void np_csv_head(const np_fields *fields, const char *columns, FILE *stream)
{
    char title[NP_CSV_NAME], name[NP_CSV_NAME];
    for (size_t i = 0; np_csv_column(columns, i, title, name); i++)
        fprintf(stream, "%s%s", i ? "," : "", is_summary(fields, name) ? NP_CSV_SUMMARY : title);
    fputc('\n', stream);
}

static void put_value(const np_value *value, FILE *stream)
{
    char text[64];
    if (value->kind == NP_VALUE_TEXT)
        np_csv_field(value->text, stream);
    else if (value->kind == NP_VALUE_REAL)
        csv_real(value->real, stream);
    else
        fputs(np_value_text(value, sizeof text, text), stream);
}

/* What a line is about. */
typedef struct about {
    const np_fields *fields;
    const void *object;
    const char *list; /* NULL: there is none */
    const np_value *item;
} about;

/* The field of a column: "phases.steps" is of the item of the list `phases`, all others are of the object. */
static bool read_field(const about *a, const char *name, np_value *value)
{
    size_t length = a->list ? strlen(a->list) : 0;
    if (length && !strncmp(name, a->list, length) && name[length] == '.')
        return np_fields_get(a->item->fields, a->item->object, name + length + 1, value);
    return np_fields_get(a->fields, a->object, name, value);
}

static void put_summary(const about *a, const char *name, FILE *stream)
{
    np_value summary, value;
    (void)read_field(a, name, &summary);
    for (size_t i = 0; i < np_summary_fields.count; i++) {
        fputs(i ? "," : "", stream);
        if (summary.kind == NP_VALUE_OBJECT && np_field_get(&np_summary_fields.row[i], summary.object, &value))
            put_value(&value, stream);
    }
}

static void put_line(const about *a, const char *columns, FILE *stream)
{
    char title[NP_CSV_NAME], name[NP_CSV_NAME];
    for (size_t i = 0; np_csv_column(columns, i, title, name); i++) {
        np_value value;
        fputs(i ? "," : "", stream);
        if (is_summary(a->fields, name))
            put_summary(a, name, stream);
        else if (read_field(a, name, &value))
            put_value(&value, stream);
    }
    fputc('\n', stream);
}

void np_csv_line(const np_fields *fields, const void *object, const char *columns, FILE *stream)
{
    put_line(&(about){fields, object, NULL, NULL}, columns, stream);
}

void np_csv_items(const np_fields *fields, const void *object, const char *list, const char *columns, FILE *stream)
{
    np_value items, item;
    if (np_fields_get(fields, object, list, &items) && items.kind == NP_VALUE_LIST)
        for (size_t i = 0; i < items.count; i++) {
            np_value_item(&items, i, &item);
            put_line(&(about){fields, object, list, &item}, columns, stream);
        }
}

np_status np_csv_list(const np_fields *fields, const void *object, const char *list, const char *columns, FILE *stream)
{
    np_csv_head(fields, columns, stream);
    np_csv_items(fields, object, list, columns, stream);
    return np_output_check(stream, "the report");
}

np_status np_csv_report(const np_fields *fields, const void *object, const char *columns, FILE *stream)
{
    np_csv_head(fields, columns, stream);
    np_csv_line(fields, object, columns, stream);
    return np_output_check(stream, "the report");
}
