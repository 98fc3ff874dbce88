/* Tables: columns, and how they fold. */
#include "support.h"

#include "show/table/table.h"

static const char *const titles[] = {"name", "steps", "what it says", "hops"};

/* The table in so many columns; malloced. */
static char *folded(size_t limit)
{
    char *text;
    size_t size;
    np_table table;
    FILE *stream = open_memstream(&text, &size);
    np_table_begin(&table, "lrlr", titles);
    const char *const cells[] = {"a", "7", "one two three", "12", "  b\xc3\xb6", "10", "", "3", "c", "1", "four", ""};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        np_table_add(&table, "%s", cells[i]);
    assert_ok(np_table_print_within(&table, limit, stream));
    np_table_clear(&table);
    fclose(stream);
    return text;
}

static void test_tables_fold(void **state)
{
    static const struct {
        size_t limit;
        const char *text;
    } cases[] = {
        {0, "name  steps  what it says   hops\n"
            "a         7  one two three    12\n"
            "  b\xc3\xb6     10                    3\n"
            "c         1  four\n"},
        {32, "name  steps  what it says   hops\n"
             "a         7  one two three    12\n"
             "  b\xc3\xb6     10                    3\n"
             "c         1  four\n"},
        {27, "name  steps  what it   hops\n"
             "             says\n"
             "a         7  one two     12\n"
             "             three\n"
             "  b\xc3\xb6     10               3\n"
             "c         1  four\n"},
        {20, "name  steps  what it\n"
             "             says\n"
             "a         7  one two\n"
             "             three\n"
             "  b\xc3\xb6     10\n"
             "c         1  four\n"
             "\n"
             "name  hops\n"
             "a       12\n"
             "  b\xc3\xb6     3\n"
             "c\n"},
        {5, "name  steps\n"
            "a         7\n"
            "  b\xc3\xb6     10\n"
            "c         1\n"
            "\n"
            "name  what\n"
            "      it\n"
            "      says\n"
            "a     one\n"
            "      two\n"
            "      three\n"
            "  b\xc3\xb6\n"
            "c     four\n"
            "\n"
            "name  hops\n"
            "a       12\n"
            "  b\xc3\xb6     3\n"
            "c\n"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = folded(cases[i].limit);
        assert_string_equal(text, cases[i].text);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_tables_fold)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
