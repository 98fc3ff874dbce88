/* One spelling for each number: what is accepted prints back byte for byte. */
#include "support.h"

#include "base/parse.h"

static void test_u64_accepts(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t value;
        const char *rest;
    } cases[] = {
        {"0", 0, ""},
        {"7", 7, ""},
        {"10x3", 10, "x3"},
        {"0x10", 0, "x10"},
        {"12 ", 12, " "},
        {"4294967296", UINT64_C(4294967296), ""},
        {"18446744073709551615", UINT64_MAX, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *text = cases[i].text;
        uint64_t value = 99;
        assert_true(np_parse_u64(&text, &value));
        assert_int_equal(value, cases[i].value);
        assert_string_equal(text, cases[i].rest);
    }
}

static void test_u64_refuses(void **state)
{
    (void)state;
    static const char *const cases[] = {"",
                                        " 1",
                                        "+1",
                                        "-1",
                                        "01",
                                        "00",
                                        "x",
                                        "18446744073709551616",
                                        "99999999999999999999",
                                        "340282366920938463463374607431768211456"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *text = cases[i];
        uint64_t value = 99;
        if (np_parse_u64(&text, &value))
            fail_msg("'%s' was accepted as %llu", cases[i], (unsigned long long)value);
        assert_ptr_equal(text, cases[i]);
        assert_int_equal(value, 99);
    }
}

static void test_entry(void **state)
{
    (void)state;
    assert_int_equal(np_parse_entry("ab,c"), 2);
    assert_int_equal(np_parse_entry("a{b,c}d,e"), 7);
    assert_int_equal(np_parse_entry("{a,{b,c},d}"), 11);
    assert_int_equal(np_parse_entry("a},b"), 2);
    assert_int_equal(np_parse_entry(",b"), 0);
    assert_int_equal(np_parse_entry(""), 0);
}

static void test_whole(void **state)
{
    (void)state;
    uint64_t value = 99;
    assert_false(np_parse_whole("4", 5, 7, &value));
    assert_false(np_parse_whole("8", 5, 7, &value));
    assert_false(np_parse_whole("6x", 5, 7, &value));
    assert_false(np_parse_whole("6 ", 5, 7, &value));
    assert_false(np_parse_whole("", 0, 7, &value));
    assert_int_equal(value, 99);
    assert_true(np_parse_whole("5", 5, 7, &value));
    assert_int_equal(value, 5);
    assert_true(np_parse_whole("7", 5, 7, &value));
    assert_int_equal(value, 7);
}

static void test_sides(void **state)
{
    (void)state;
    uint64_t side[3];
    assert_int_equal(np_parse_sides("64", 3, side), 1);
    assert_int_equal(side[0], 64);
    assert_int_equal(np_parse_sides("4x5x6", 3, side), 3);
    assert_int_equal(side[0], 4);
    assert_int_equal(side[1], 5);
    assert_int_equal(side[2], 6);
    static const char *const refused[] = {"", "x", "4x", "x4", "4xx5", "4x05", "4X5", "4x5x6x7", "4x5 ", "4,5"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (np_parse_sides(refused[i], 3, side))
            fail_msg("'%s' was accepted", refused[i]);
}

static void test_hint(void **state)
{
    (void)state;
    static const char *const names[] = {"hypercube", "shuffle", "shuffle-exchange", "mesh", "torus"};
    static const struct {
        const char *word, *nearest; /* NULL: none is near */
    } cases[] = {{"hypecube", "hypercube"},
                 {"hypercubes", "hypercube"},
                 {"shufle", "shuffle"},
                 {"shuffle_exchange", "shuffle-exchange"},
                 {"shuffel-ex", "shuffle-exchange"},
                 {"tours", "torus"},
                 {"mash", "mesh"},
                 {"mehs", "mesh"},
                 {"mesh", "mesh"},
                 {"ecmp", NULL},
                 {"ugal", NULL},
                 {"hype", "hypercube"},
                 {"MESH", "mesh"},
                 {"", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const np_parse_hint hint = np_parse_hint_of(cases[i].word, names, 5);
        if (!cases[i].nearest)
            assert_null(hint.nearest);
        else
            assert_string_equal(hint.nearest, cases[i].nearest);
    }
    assert_string_equal(np_parse_hint_of("tours", names, 5).text, "did you mean 'torus'?");
    assert_string_equal(np_parse_hint_of("x", names, 0).text, "there is none");
    assert_string_equal(np_parse_hint_of("ugal", names, 1).text, "choose from 'hypercube'");
    assert_string_equal(np_parse_hint_of("ugal", names, 5).text,
                        "choose from 'hypercube', 'shuffle', 'shuffle-exchange', 'mesh', 'torus'");
}

/* More names than the text has room for. */
static void test_hint_of_many_names(void **state)
{
    (void)state;
    np_parse_hint hint;
    np_parse_hint_init(&hint, "ugal");
    for (int i = 0; i < 100; i++) {
        char name[32];
        snprintf(name, sizeof name, "a-name-of-length-%d", i / 2); /* each twice */
        np_parse_hint_add(&hint, name);
    }
    assert_string_equal(hint.text, "choose from 'a-name-of-length-0', 'a-name-of-length-1', 'a-name-of-length-2', "
                                   "'a-name-of-length-3', 'a-name-of-length-4', 'a-name-of-length-5', ...");
    np_parse_hint_add(&hint, "x");
    assert_string_equal(hint.text + strlen(hint.text) - 5, ", ...");
    np_parse_hint_add(&hint, "ugall");
    assert_string_equal(hint.text, "did you mean 'ugall'?");
}

/* Words far longer than any name: no crash, and no name is near. */
static void test_hint_of_a_long_word(void **state)
{
    (void)state;
    char word[1000];
    memset(word, 'm', sizeof word - 1);
    word[sizeof word - 1] = '\0';
    const char *names[] = {"torus", word};
    assert_null(np_parse_hint_of(word, names, 1).nearest);
    assert_string_equal(np_parse_hint_of("tors", names, 2).nearest, "torus");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_u64_accepts),
        cmocka_unit_test(test_u64_refuses),
        cmocka_unit_test(test_entry),
        cmocka_unit_test(test_whole),
        cmocka_unit_test(test_sides),
        cmocka_unit_test(test_hint),
        cmocka_unit_test(test_hint_of_many_names),
        cmocka_unit_test(test_hint_of_a_long_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
