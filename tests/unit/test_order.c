/* Orders of records: by keys, and by the keys of reals. */
#include "support.h"

#include <math.h>
#include <stdlib.h>

#include "base/order.h"

static void keys_of_reals_ascend_as_they_do(void **state)
{
    static const double ascending[] = {-INFINITY, -1e300, -2, -1, -1e-300, -5e-324, 0, 5e-324, 1e-300, 1, 2, INFINITY};
    (void)state;
    for (size_t i = 1; i < sizeof ascending / sizeof *ascending; i++)
        assert_true(np_order_key(ascending[i - 1]) < np_order_key(ascending[i]));
    assert_true(np_order_key(-0.0) == np_order_key(0.0));
}

static void items_of_one_key_ascend(void **state)
{
    np_keyed all[] = {{2, 1}, {1, 9}, {UINT64_MAX, 0}, {1, 3}, {0, 7}, {1, 4}};
    static const size_t sorted[] = {7, 3, 4, 9, 1, 0};
    (void)state;
    qsort(all, 6, sizeof *all, np_order_keyed);
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(all[i].item, sorted[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_of_reals_ascend_as_they_do),
        cmocka_unit_test(items_of_one_key_ascend),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
