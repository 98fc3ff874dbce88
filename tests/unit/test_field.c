/* Tables of fields: rows found by name, values read, texts refused with the range or the nearest word. */
#include "support.h"

#include <math.h>

#include "netpram/field.h"
#include "netpram/base.h"

/*
 * outer: flag, small, large, real, bytes, text, room, [inset: twin], sum, part { deep }, maybe { deep }, list [ deep ],
 * made, net.steps, net.mean
 */
typedef enum room { BEGIN, FREED } room;

typedef struct deep {
    uint32_t depth;
    int64_t lag;
} deep;

typedef struct twin {
    uint32_t first, second;
} twin;

typedef struct outer {
    bool flag;
    uint32_t small;
    uint64_t large, bytes;
    double real;
    const char *text;
    room room;
    twin twin;
    np_summary sum;
    deep part;
    const deep *maybe;
    const deep *item;
    size_t items;
    char name[8];
    uint64_t steps;
    double mean;
} outer;

static const char *const rooms[] = {"begin", "freed", NULL};

static const np_field deep_rows[] = {
    {"depth", NP_FIELD_U32, offsetof(deep, depth), .unit = "levels", .help = "how deep"},
    {"lag", NP_FIELD_I64, offsetof(deep, lag), .unit = "steps", .help = "how late"},
};
static const np_fields deep_fields = NP_FIELDS("deep", "depths", deep, deep_rows);

static np_status set_both(void *object, const np_field *field, const char *text)
{
    (void)field;
    ((twin *)object)->first = ((twin *)object)->second = (uint32_t)strlen(text);
    return NP_OK;
}

static const np_field twin_rows[] = {
    {"first", NP_FIELD_U32, offsetof(twin, first), .help = "the first", .preset = "7"},
    {"second_one", NP_FIELD_U32, offsetof(twin, second), .help = "the second", .set = set_both},
};
static const np_fields twin_fields = NP_FIELDS("twin", "twins", twin, twin_rows);

static bool is_flagged(const void *object) { return ((const outer *)object)->flag; }

static void get_made(const void *object, np_value *value)
{
    snprintf(value->room.text, sizeof value->room.text, "<%u>", ((const outer *)object)->small);
    value->text = value->room.text;
}

static const np_field rows[] = {
    {"flag", NP_FIELD_BOOL, offsetof(outer, flag), .help = "yes or no"},
    {"small", NP_FIELD_U32, offsetof(outer, small), .help = "a number", .low = 1, .high = 9, .preset = "3"},
    {"large", NP_FIELD_U64, offsetof(outer, large), .help = "a large number", .flags = NP_FIELD_ZERO},
    {"bytes", NP_FIELD_BYTES, offsetof(outer, bytes), .unit = "bytes", .help = "a size", .preset = "4K"},
    {"real", NP_FIELD_REAL, offsetof(outer, real), .help = "a real", .least = 0.5, .most = 2, .preset = "1.5"},
    {"text", NP_FIELD_TEXT, offsetof(outer, text), .help = "a text"},
    {"room", NP_FIELD_WORD, offsetof(outer, room), .help = "a word", .words = rooms, .preset = "freed"},
    {NULL, NP_FIELD_INSET, offsetof(outer, twin), .fields = &twin_fields},
    {"sum", NP_FIELD_SUMMARY, offsetof(outer, sum), .help = "a summary", .flags = NP_FIELD_WHOLE},
    {"part", NP_FIELD_OBJECT, offsetof(outer, part), .help = "an object", .fields = &deep_fields,
     .applies = is_flagged},
    {"maybe", NP_FIELD_OBJECT, offsetof(outer, maybe), .help = "another", .fields = &deep_fields,
     .flags = NP_FIELD_BEHIND},
    {"list", NP_FIELD_LIST, offsetof(outer, item), .help = "a list", .fields = &deep_fields,
     .count_at = offsetof(outer, items)},
    {"made", NP_FIELD_TEXT, .unit = "", .help = "made", .get = get_made},
    {"name", NP_FIELD_CHARS, offsetof(outer, name), .help = "a name"},
    {"net.steps", NP_FIELD_U64, offsetof(outer, steps), .unit = "steps", .help = "steps of the network",
     .known = is_flagged},
    {"net.mean", NP_FIELD_REAL, offsetof(outer, mean), .unit = "steps", .help = "their mean"},
};
static const np_fields outer_fields = NP_FIELDS("outer", "testing", outer, rows);

static void test_rows(void **state)
{
    (void)state;
    size_t offset;
    assert_string_equal(np_fields_row(&outer_fields, 6, &offset)->name, "room");
    assert_int_equal(offset, 0);
    assert_string_equal(np_fields_row(&outer_fields, 8, &offset)->name, "second_one");
    assert_int_equal(offset, offsetof(outer, twin));
    assert_string_equal(np_fields_row(&outer_fields, 16, &offset)->name, "net.mean");
    assert_int_equal(offset, 0);
    assert_null(np_fields_row(&outer_fields, 17, &offset));
}

static void test_find(void **state)
{
    (void)state;
    assert_ptr_equal(np_fields_find(&outer_fields, "second-one"), &twin_rows[1]);
    assert_ptr_equal(np_fields_find(&outer_fields, "net.mean"), &rows[15]);
    assert_ptr_equal(np_fields_find(&outer_fields, "maybe.lag"), &deep_rows[1]);
    assert_string_equal(np_fields_find(&outer_fields, "sum.p99")->name, "p99");
    assert_null(np_fields_find(&outer_fields, "net"));
    assert_null(np_fields_find(&outer_fields, "part.depths"));
    assert_null(np_fields_find(&outer_fields, "smal"));
    assert_null(np_fields_find(&outer_fields, "small.mean"));
    assert_string_equal(np_fields_nearest(&outer_fields, "smal"), "small");
    assert_string_equal(np_fields_nearest(&outer_fields, "second_two"), "second_one");
}

static void test_presets(void **state)
{
    (void)state;
    outer object;
    memset(&object, 0xff, sizeof object);
    np_fields_init(&outer_fields, &object);
    assert_false(object.flag);
    assert_int_equal(object.small, 3);
    assert_int_equal(object.bytes, 4096);
    assert_true(object.real == 1.5);
    assert_null(object.text);
    assert_int_equal(object.room, FREED);
    assert_int_equal(object.twin.first, 7);
    assert_int_equal(object.twin.second, 0);
}

static void expect(const outer *object, const char *name, np_value_kind kind, const char *text)
{
    np_value value;
    char got[64];
    if (!np_fields_get(&outer_fields, object, name, &value))
        fail_msg("no %s", name);
    if (value.kind != kind || strcmp(np_value_text(&value, sizeof got, got), text))
        fail_msg("%s: kind %d, '%s'", name, (int)value.kind, got);
}

static void test_values(void **state)
{
    (void)state;
    const deep deeps[] = {{4, -4}, {5, 5}};
    outer object = {.flag = true,
                    .small = 8,
                    .real = 0.1,
                    .text = "words",
                    .room = FREED,
                    .twin = {1, 2},
                    .sum = {.mean = 2.5, .max = 3},
                    .part = {6, -7},
                    .maybe = &deeps[1],
                    .item = deeps,
                    .items = 2,
                    .name = "route",
                    .steps = UINT64_MAX};
    np_value list, item;
    expect(&object, "flag", NP_VALUE_BOOL, "true");
    expect(&object, "small", NP_VALUE_WHOLE, "8");
    expect(&object, "large", NP_VALUE_NULL, "");
    expect(&object, "real", NP_VALUE_REAL, "0.1");
    expect(&object, "text", NP_VALUE_TEXT, "words");
    expect(&object, "room", NP_VALUE_TEXT, "freed");
    expect(&object, "second_one", NP_VALUE_WHOLE, "2");
    expect(&object, "sum.mean", NP_VALUE_REAL, "2.5");
    expect(&object, "sum.max", NP_VALUE_WHOLE, "3");
    expect(&object, "part.lag", NP_VALUE_INTEGER, "-7");
    expect(&object, "maybe.depth", NP_VALUE_WHOLE, "5");
    expect(&object, "made", NP_VALUE_TEXT, "<8>");
    expect(&object, "name", NP_VALUE_TEXT, "route");
    expect(&object, "net.steps", NP_VALUE_WHOLE, "18446744073709551615");
    assert_true(np_fields_get(&outer_fields, &object, "list", &list));
    assert_int_equal(list.count, 2);
    np_value_item(&list, 1, &item);
    assert_ptr_equal(item.object, &deeps[1]);
    assert_true(np_fields_get(item.fields, item.object, "depth", &item));
    assert_true(np_value_number(&item) == 5);
}

static void test_absent(void **state)
{
    (void)state;
    const outer object = {.small = 1};
    np_value value;
    assert_false(np_fields_get(&outer_fields, &object, "part.lag", &value));
    assert_false(np_fields_get(&outer_fields, &object, "part", &value));
    assert_false(np_fields_get(&outer_fields, &object, "nothing", &value));
    assert_false(np_fields_get(&outer_fields, &object, "maybe.nothing", &value));
    expect(&object, "maybe", NP_VALUE_NULL, "");
    expect(&object, "maybe.lag", NP_VALUE_NULL, "");
    expect(&object, "text", NP_VALUE_NULL, "");
    expect(&object, "net.steps", NP_VALUE_NULL, "");
    assert_true(np_fields_get(&outer_fields, &object, "text", &value));
    assert_true(isnan(np_value_number(&value)));
}

static void test_set(void **state)
{
    (void)state;
    outer object = {.small = 1};
    assert_int_equal(np_fields_set(&outer_fields, &object, "small", "9"), NP_OK);
    assert_int_equal(np_fields_set(&outer_fields, &object, "large", "18446744073709551615"), NP_OK);
    assert_int_equal(np_fields_set(&outer_fields, &object, "bytes", "3G"), NP_OK);
    assert_int_equal(np_fields_set(&outer_fields, &object, "flag", "true"), NP_OK);
    assert_int_equal(np_fields_set(&outer_fields, &object, "second-one", "four"), NP_OK);
    assert_int_equal(np_fields_set(&outer_fields, &object, "part.depth", "2"), NP_OK);
    assert_int_equal(object.small, 9);
    assert_true(object.large == UINT64_MAX);
    assert_true(object.bytes == UINT64_C(3) << 30);
    assert_true(object.flag);
    assert_int_equal(object.twin.first, 4);
    assert_int_equal(object.twin.second, 4);
    assert_int_equal(object.part.depth, 2);
}

static void test_refusals(void **state)
{
    (void)state;
    static const char *const cases[][3] = {
        {"small", "0", "small 0: must be a whole number in 1..9"},
        {"small", "x", "small x: must be a whole number in 1..9"},
        {"first", "4294967296", "first 4294967296: must be a whole number in 0..4294967295"},
        {"bytes", "4X", "bytes 4X: must be a number of bytes, as in 4G (4 * 2^30), 4GB (4 * 10^9) or 4GiB"},
        {"bytes", "0", "bytes 0: must be a number of bytes, as in 4G (4 * 2^30), 4GB (4 * 10^9) or 4GiB"},
        {"real", "0.1", "real 0.1: must be a number in 0.5..2"},
        {"net.mean", "-1", "net.mean -1: must be a number in 0..1e15"},
        {"room", "free", "room free: did you mean 'freed'?"},
        {"flag", "tru", "flag tru: did you mean 'true'?"},
        {"smal", "1", "no option 'smal' of testing: did you mean 'small'?"},
        {"name", "a", "name a: field 'name' cannot be set from text"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        outer object = {.small = 5}, before = object;
        assert_int_not_equal(np_fields_set(&outer_fields, &object, cases[i][0], cases[i][1]), NP_OK);
        assert_string_equal(np_last_error(), cases[i][2]);
        assert_memory_equal(&object, &before, sizeof object);
    }
}

static void test_listed(void **state)
{
    (void)state;
    assert_true(np_field_listed("queue_size, room", "queue_size"));
    assert_true(np_field_listed("queue_size, room", "room"));
    assert_true(np_field_listed("cpu,memory,pids", "memory"));
    assert_true(np_field_listed("rw,memory", "memory"));
    assert_false(np_field_listed("queue_size, room", "queue"));
    assert_false(np_field_listed("cpu,memory,", "mem"));
    assert_false(np_field_listed("kmemory", "memory"));
    assert_false(np_field_listed("", "room"));
    assert_false(np_field_listed(NULL, "room"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),     cmocka_unit_test(test_find),   cmocka_unit_test(test_presets),
        cmocka_unit_test(test_values),   cmocka_unit_test(test_absent), cmocka_unit_test(test_set),
        cmocka_unit_test(test_refusals), cmocka_unit_test(test_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
