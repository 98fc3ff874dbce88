/* The version as numbers, as one number and as text. */
#include "support.h"

static void text_and_numbers_agree(void **state)
{
    (void)state;
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", NETPRAM_VERSION_MAJOR, NETPRAM_VERSION_MINOR, NETPRAM_VERSION_PATCH);
    assert_string_equal(text, NETPRAM_VERSION);
    assert_string_equal(np_version(), NETPRAM_VERSION);
}

/* 0.3.0 is 300, 1.12.4 is 11204. */
static void one_number_compares(void **state)
{
    (void)state;
    int number = np_version_number();
    assert_int_equal(number, NETPRAM_VERSION_NUMBER);
    assert_int_equal(number / 10000, NETPRAM_VERSION_MAJOR);
    assert_int_equal(number / 100 % 100, NETPRAM_VERSION_MINOR);
    assert_int_equal(number % 100, NETPRAM_VERSION_PATCH);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_and_numbers_agree),
        cmocka_unit_test(one_number_compares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
