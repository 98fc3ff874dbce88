/* The tables of all reports: every row says what it is, no key comes twice, every column of CSV is a field. */
#include "support.h"

#include "netpram/report.h"
#include "show/table/csv.h"

enum { KEYS = 256, NAME = 96 };

typedef struct keys {
    size_t count;
    char key[KEYS][NAME];
} keys;

static void check_name(const char *table, const char *name)
{
    if (!name || !*name || name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_.")])
        fail_msg("%s: '%s' is no name of a field", table, name ? name : "NULL");
}

static void add_key(keys *all, const char *table, const char *prefix, const char *name)
{
    assert_true(all->count < KEYS);
    char *key = all->key[all->count];
    snprintf(key, NAME, "%s%s", prefix, name);
    for (size_t i = 0; i < all->count; i++)
        if (!strcmp(all->key[i], key))
            fail_msg("%s: '%s' comes twice", table, key);
    all->count++;
}

static void check_row(const np_fields *fields, const np_field *row)
{
    check_name(fields->name, row->name);
    if (!row->help || !*row->help || strchr(row->help, '\n') || strchr(row->help, '|'))
        fail_msg("%s: '%s' has no help, or help that is not one line", fields->name, row->name);
    if (row->kind == NP_FIELD_OBJECT && !row->fields)
        fail_msg("%s: '%s' has no table", fields->name, row->name);
    if (row->kind == NP_FIELD_LIST && !row->get && !row->count_at)
        fail_msg("%s: '%s' has no count", fields->name, row->name);
    if (row->kind == NP_FIELD_WORD && !row->get && !row->words)
        fail_msg("%s: '%s' has no words", fields->name, row->name);
}

static void check_table(const np_fields *fields, const char *prefix, keys *all)
{
    assert_true(fields->name && fields->of && fields->count && fields->row);
    for (const np_field *row = fields->row; row < fields->row + fields->count; row++) {
        char inner[NAME];
        if (row->kind == NP_FIELD_INSET) {
            check_table(row->fields, prefix, all);
            continue;
        }
        check_row(fields, row);
        add_key(all, fields->name, prefix, row->name);
        snprintf(inner, sizeof inner, "%.40s%.50s.", prefix, row->name);
        if (row->fields)
            check_table(row->fields, inner, all);
    }
}

static void test_rows(void **state)
{
    static keys all;
    const np_report_shape *shape;
    size_t shapes = 0;
    (void)state;
    for (; (shape = np_report_shape_at(shapes)); shapes++) {
        all.count = 0;
        check_table(shape->json, "", &all);
    }
    assert_int_equal(shapes, 21);
}

static void test_columns(void **state)
{
    const np_report_shape *shape;
    (void)state;
    for (size_t i = 0; (shape = np_report_shape_at(i)); i++) {
        char title[NP_CSV_NAME], name[NP_CSV_NAME];
        assert_non_null(shape->columns);
        assert_non_null(shape->line);
        for (size_t k = 0; np_csv_column(shape->columns, k, title, name); k++)
            if (!np_fields_find(shape->line, name))
                fail_msg("%s: column '%s' is no field: '%s'", shape->verb, title, name);
    }
}

/* Titles, quotes, what is null, and summaries. */
typedef struct point {
    const char *text;
    uint32_t count;
    double value;
    np_summary sum;
} point;

static const np_field point_rows[] = {
    {"text", NP_FIELD_TEXT, offsetof(point, text), .help = "a text"},
    {"inner.count", NP_FIELD_U32, offsetof(point, count), .flags = NP_FIELD_ZERO, .help = "a count"},
    {"value", NP_FIELD_REAL, offsetof(point, value), .help = "a value"},
    {"sum", NP_FIELD_SUMMARY, offsetof(point, sum), .help = "a summary"},
};

static const np_fields point_fields = NP_FIELDS("point", "points", point, point_rows);

static void test_lines(void **state)
{
    static const char columns[] = "text,n=inner.count,value,*=sum";
    const point some = {"a \"b\", c", 7, 0.1, {.mean = 2.5, .min = 1, .max = 4}}, none = {.value = -1};
    char text[512] = "";
    FILE *stream = fmemopen(text, sizeof text, "w");
    (void)state;
    assert_non_null(stream);
    np_csv_head(&point_fields, columns, stream);
    np_csv_line(&point_fields, &some, columns, stream);
    np_csv_line(&point_fields, &none, columns, stream);
    fclose(stream);
    assert_string_equal(text, "text,n,value,mean,variance,min,max,p50,p99,ci95\n"
                              "\"a \"\"b\"\", c\",7,0.1,2.5,0,1,4,0,0,0\n"
                              ",,-1,0,0,0,0,0,0,0\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
