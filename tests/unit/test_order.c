/* Orders of records: by keys, by the keys of reals, and in heaps. */
#include "support.h"

#include <math.h>
#include <stdlib.h>

#include "base/heap.h"
#include "base/order.h"
#include "base/random.h"

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

static bool before(const void *a, const void *b) { return np_order_keyed(a, b) < 0; }

/* Into heaps of odd sizes records are put, in those of even sizes all sink, from the end on. Then the first leaves. */
static void a_heap_gives_the_first_record(void **state)
{
    enum { MOST = 70 };
    const np_draws draws = {.seed = 7};
    (void)state;
    for (size_t count = 1; count <= MOST; count++) {
        np_keyed heap[MOST], sorted[MOST];
        for (uint32_t i = 0; i < count; i++) {
            sorted[i] = (np_keyed){np_random_below(&draws, i, (uint32_t)count, 20), i};
            if (count % 2)
                np_heap_put(heap, i, sizeof *heap, &sorted[i], before);
            else
                heap[i] = sorted[i];
        }
        for (size_t i = count; i-- > 0 && count % 2 == 0;)
            np_heap_sink(heap, count, sizeof *heap, i, &(np_keyed){heap[i].key, heap[i].item}, before);
        qsort(sorted, count, sizeof *sorted, np_order_keyed);
        for (size_t i = 0, left = count; i < count; i++) {
            assert_int_equal(heap[0].item, sorted[i].item);
            const np_keyed last = heap[--left];
            np_heap_sink(heap, left, sizeof *heap, 0, &last, before);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_of_reals_ascend_as_they_do),
        cmocka_unit_test(items_of_one_key_ascend),
        cmocka_unit_test(a_heap_gives_the_first_record),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
