/* np_divide for every divisor below 2^32 where its quotients step last: half a minute or so. */
#include "support.h"

#include "base/divide.h"

static void test_every_divisor(void **state)
{
    (void)state;
    for (uint32_t divisor = UINT32_MAX; divisor; divisor--) {
        np_divider d = np_divider_of(divisor);
        uint32_t quotient = UINT32_MAX / divisor, last = quotient * divisor;
        if (np_divide(UINT32_MAX, d) != quotient || np_divide(last, d) != quotient ||
            np_divide(last - 1, d) != quotient - 1)
            fail_msg("divisor %u", divisor);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_divisor)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
