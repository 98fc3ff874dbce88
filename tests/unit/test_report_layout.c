/* Layouts: every form of braces, on an object with a list, and what a layout may not say. */
#include "support.h"

#include <ctype.h>

#include "show/table/shape.h"

typedef struct point {
    const char *name;
    uint32_t steps;
} point;

static const np_field point_rows[] = {
    {"name", NP_FIELD_TEXT, offsetof(point, name), .help = "of it"},
    {"steps", NP_FIELD_U32, offsetof(point, steps), .help = "its own"},
};

static const np_fields point_fields = NP_FIELDS("point", "a point", point, point_rows);

typedef struct whole {
    const char *name, *nothing;
    uint32_t steps, one, zero;
    bool good;
    double third;
    np_summary summary;
    const point *point;
    size_t points;
    const uint32_t *number;
    size_t numbers;
    const point *inner, *none;
} whole;

static const np_field whole_rows[] = {
    {"name", NP_FIELD_TEXT, offsetof(whole, name), .help = "a name"},
    {"nothing", NP_FIELD_TEXT, offsetof(whole, nothing), .help = "null"},
    {"steps", NP_FIELD_U32, offsetof(whole, steps), .help = "7"},
    {"one", NP_FIELD_U32, offsetof(whole, one), .help = "1"},
    {"zero", NP_FIELD_U32, offsetof(whole, zero), .help = "0"},
    {"good", NP_FIELD_BOOL, offsetof(whole, good), .help = "true"},
    {"third", NP_FIELD_REAL, offsetof(whole, third), .help = "1/3"},
    {"summary", NP_FIELD_SUMMARY, offsetof(whole, summary), .help = "of runs"},
    {"points", NP_FIELD_LIST, offsetof(whole, point), .count_at = offsetof(whole, points), .fields = &point_fields,
     .help = "two"},
    {"numbers", NP_FIELD_LIST, offsetof(whole, number), .count_at = offsetof(whole, numbers), .help = "three"},
    {"inner", NP_FIELD_OBJECT, offsetof(whole, inner), .flags = NP_FIELD_BEHIND, .fields = &point_fields,
     .help = "one"},
    {"none", NP_FIELD_OBJECT, offsetof(whole, none), .flags = NP_FIELD_BEHIND, .fields = &point_fields, .help = "null"},
};

static const np_fields whole_fields = NP_FIELDS("whole", "a test", whole, whole_rows);

static np_status print(const char *layout, const char *command, char *text, size_t size)
{
    static const point points[] = {{"A", 3}, {"B", 14}};
    static const uint32_t numbers[] = {4, 5, 6};
    const whole object = {.name = "a|b",
                          .steps = 7,
                          .one = 1,
                          .good = true,
                          .third = 1.0 / 3,
                          .summary = {.count = 2, .mean = 4.5, .min = 4, .max = 5, .ci95 = 0.5},
                          .point = points,
                          .points = 2,
                          .number = numbers,
                          .numbers = 3,
                          .inner = &points[1]};
    FILE *stream = fmemopen(text, size, "w");
    assert_non_null(stream);
    np_status st = np_layout_print(layout, &whole_fields, &object, command, stream);
    fclose(stream);
    return st;
}

/* A layout, and what it prints. */
static const struct {
    const char *layout, *text;
} cases[] = {
    {"steps {steps}, {name}\n", "steps 7, a|b\n"},
    {"{nothing} {third} {summary}", "- 0.33 4.50"},
    {"{third:4} {third:.1} {third:exact}", "0.3333 0.3 0.3333333333333333"},
    {"{name:-5}.{summary:spread}", "a|b  .\302\2610.50 [4..5]"},
    {"{steps*2} {steps/one} {steps*third:3}", "14 7 2.33"},
    {"{steps link}, {one link}, {one bus buses}, {steps bus buses}", "7 links, 1 link, 1 bus, 7 buses"},
    {"{numbers:9, } {numbers:2;}", "4, 5, 6 4;5;..."},
    {"{good ? yes : no}{zero ? zero}{nothing ? null}{numbers ? , a list}", "yes, a list"},
    {"{!good ? no : {zero ? A : {one ? B {steps} : C}}}", "B 7"},
    {"{good & zero ? A : B}{good & !zero ? C : D}{zero & good ? E}", "BC"},
    {"{steps>6 ? a}{steps>7 ? b}{steps<8 ? c}{steps<7 ? d}{steps=7 ? e}{one<steps ? f}{points=2 ? g}", "acefg"},
    {"{nothing=word ? x}{nothing=null ? a}{name=null ? b}{name=a|b ? c}{name=a ? d}{!name=a ? e}", "ace"},
    {"{each points: {name} {steps}, {one};}{each numbers: x}", "A 3, 1;B 14, 1;xxx"},
    {"{with inner: {name}{steps}}{with none: {name}}", "B14"},
    {"{table lr: phase|steps\n{each points: {name}|{steps}\n}total|{steps}\n}end\n",
     "phase  steps\nA          3\nB         14\ntotal      7\nend\n"},
    {"{table ll: x{zero ? |y\n : |{name}\n}z|\n}", "x  a|b\nz\n"},
    {"{command ? repeat {command}}", "repeat me"},
};

static void test_braces(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512] = "";
        assert_ok(print(cases[i].layout, "me", text, sizeof text));
        assert_string_equal(text, cases[i].text);
    }
}

static void test_no_command(void **state)
{
    char text[64] = "";
    (void)state;
    assert_ok(print(".{command ? repeat {command}}", NULL, text, sizeof text));
    assert_string_equal(text, ".");
    assert_ok(print(".{command ? repeat {command}}", "", text, sizeof text));
    assert_string_equal(text, ".");
}

/* A name that is no field is an error, not a blank. */
static void test_unknown(void **state)
{
    char text[64] = "";
    (void)state;
    assert_int_equal(print("{stepz}", NULL, text, sizeof text), NP_ERROR_INTERNAL);
    assert_non_null(strstr(np_last_error(), "'stepz'"));
    assert_int_equal(print("{steps>stepz ? a}", NULL, text, sizeof text), NP_ERROR_INTERNAL);
    assert_int_equal(print("{each points: {stepz}}", NULL, text, sizeof text), NP_ERROR_INTERNAL);
}

/* ---- The layouts of all reports name fields that exist, in branches too that no run takes ---- */

/* The tables whose fields have names, from the inside out. */
typedef struct tables {
    const np_fields *fields;
    const struct tables *outer;
} tables;

static size_t name_length(const char *text) { return strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_."); }

static const np_field *find(const tables *in, const char *text)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)name_length(text), text);
    if (!strcmp(name, "command") || !strcmp(name, "version"))
        return &whole_rows[0];
    for (; in; in = in->outer) {
        const np_field *field = np_fields_find(in->fields, name);
        if (field)
            return field;
    }
    fail_msg("no field '%s'", name);
    return NULL;
}

static const char *closing(const char *text)
{
    size_t depth = 1;
    for (; depth; text++) {
        if (!*text)
            fail_msg("a brace is not closed");
        depth += *text == '{';
        depth -= *text == '}';
    }
    return text - 1;
}

/* " & " and " ? " end the terms of a condition. */
static const char *check_condition(const tables *in, const char *text)
{
    for (;;) {
        text += *text == '!';
        (void)find(in, text);
        text += name_length(text);
        if (strchr("<>*/", *text) && !isdigit((unsigned char)text[1]))
            (void)find(in, text + 1);
        text += strcspn(text, "&?");
        if (*text != '&')
            return text + 2;
        text += 2;
    }
}

static void check_layout(const tables *in, const char *text, const char *end);

static bool is_choice(const char *text, const char *end)
{
    for (; text < end && *text != '{' && *text != '\n'; text++)
        if (!strncmp(text, " ? ", 3))
            return true;
    return false;
}

static void check_braces(const tables *in, const char *text, const char *end)
{
    if (!strncmp(text, "table ", 6))
        check_layout(in, strchr(text, ':') + 2, end);
    else if (!strncmp(text, "each ", 5) || !strncmp(text, "with ", 5)) {
        const np_field *field = find(in, text + 5);
        const tables inner = {field->kind == NP_FIELD_SUMMARY ? &np_summary_fields : field->fields, in};
        assert_non_null(inner.fields);
        check_layout(&inner, strchr(text, ':') + 2, end);
    } else if (is_choice(text, end))
        check_layout(in, check_condition(in, text), end);
    else
        (void)find(in, text);
}

static void check_layout(const tables *in, const char *text, const char *end)
{
    while ((text = memchr(text, '{', (size_t)(end - text)))) {
        const char *close = closing(text + 1);
        check_braces(in, text + 1, close);
        text = close + 1;
    }
}

static void test_names(void **state)
{
    const np_report_form *form;
    size_t i = 0;
    (void)state;
    for (; (form = np_report_form_at(i)); i++) {
        const tables all = {form->fields ? form->fields : form->shape.json, NULL};
        assert_ptr_equal(np_report_shape_at(i), &form->shape);
        check_layout(&all, form->layout, form->layout + strlen(form->layout));
        for (size_t k = 0; k < 2 && form->rest[k]; k++)
            check_layout(&all, form->rest[k], form->rest[k] + strlen(form->rest[k]));
    }
    assert_int_equal(i, 23);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_braces),
        cmocka_unit_test(test_no_command),
        cmocka_unit_test(test_unknown),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
