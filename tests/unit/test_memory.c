/* Arrays: zeroed, aligned when large, refused when their size overflows, and failing when told to. */
#include "support.h"

#include "base/memory.h"

static void test_zeroed_small_and_huge(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 1000, ((size_t)4 << 20) - 1, (size_t)4 << 20, ((size_t)5 << 20) + 3};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        unsigned char *bytes, set = 0;
        assert_ok(np_memory_array(&bytes, sizes[s], 1, "dirt")); /* which the next call is likely to get back */
        memset(bytes, 0xff, sizes[s]);
        np_memory_free(bytes);
        assert_ok(np_memory_zeroed(&bytes, sizes[s], 1, "bytes"));
        for (size_t i = 0; i < sizes[s]; i++)
            set |= bytes[i];
        assert_int_equal(set, 0);
        memset(bytes, 0xff, sizes[s]); /* all of it is ours: the sanitizer would tell */
        np_memory_free(bytes);
    }
}

static void test_large_arrays_are_aligned_to_huge_pages(void **state)
{
    (void)state;
    uint32_t *words;
    assert_ok(np_memory_array(&words, (size_t)2 << 20, sizeof *words, "words"));
    assert_int_equal((uintptr_t)words % ((uintptr_t)2 << 20), 0);
    np_memory_free(words);
}

static void test_arrays_are_aligned_to_lines(void **state)
{
    (void)state;
    static const size_t sizes[] = {128, 129, 640, 100000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char *zeroed, *array;
        assert_ok(np_memory_zeroed(&zeroed, 1, sizes[i], "a record"));
        assert_ok(np_memory_array(&array, 1, sizes[i], "a record"));
        assert_int_equal((uintptr_t)zeroed % 128 + (uintptr_t)array % 128, 0);
        np_memory_free(zeroed);
        np_memory_free(array);
    }
}

static void test_nothing_may_be_freed(void **state)
{
    (void)state;
    char *none;
    assert_ok(np_memory_zeroed(&none, 0, 8, "nothing"));
    assert_non_null(none);
    np_memory_free(none);
    assert_ok(np_memory_array(&none, 0, 8, "nothing"));
    assert_non_null(none);
    np_memory_free(none);
    np_memory_free(NULL);
}

/* The products overflow 64 bits, a signed 64-bit size, or what a machine has. */
static void test_sizes_that_cannot_be(void **state)
{
    (void)state;
    static const struct {
        size_t count, size;
    } cases[] = {{SIZE_MAX, 2}, {(size_t)1 << 33, (size_t)1 << 31}, {SIZE_MAX / 2 + 1, 1}, {PTRDIFF_MAX - 1, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        void *array = &array;
        assert_refused(np_memory_zeroed(&array, cases[i].count, cases[i].size, "queues"), NP_ERROR_MEMORY,
                       "no memory for queues: ");
        assert_null(array);
        array = &array;
        assert_refused(np_memory_array(&array, cases[i].count, cases[i].size, "queues"), NP_ERROR_MEMORY, " MB");
        assert_null(array);
    }
}

static void test_grow_keeps_the_items(void **state)
{
    (void)state;
    uint32_t *items = NULL;
    assert_ok(np_memory_grow(&items, 0, 10, sizeof *items, "items"));
    for (uint32_t i = 0; i < 10; i++)
        items[i] = i * i;
    assert_ok(np_memory_grow(&items, 10, (size_t)3 << 20, sizeof *items, "items"));
    for (uint32_t i = 0; i < 10; i++)
        assert_int_equal(items[i], i * i);
    np_memory_free(items);
}

static void test_grow_that_fails_leaves_the_array(void **state)
{
    (void)state;
    uint32_t *items;
    assert_ok(np_memory_zeroed(&items, 4, sizeof *items, "items"));
    items[3] = 9;
    uint32_t *before = items;
    assert_refused(np_memory_grow(&items, 4, SIZE_MAX / 2, sizeof *items, "items"), NP_ERROR_MEMORY, "items");
    assert_ptr_equal(items, before);
    assert_int_equal(items[3], 9);
    np_memory_free(items);
}

static void test_text(void **state)
{
    (void)state;
    char *copy = np_memory_text("torus:4x4");
    assert_string_equal(copy, "torus:4x4");
    np_memory_free(copy);
    np_memory_fail_after(1);
    assert_null(np_memory_text("torus:4x4"));
    np_memory_fail_after(0);
}

/* Only the n-th fails, the ones before and after do not. */
static void test_fail_after(void **state)
{
    (void)state;
    np_memory_fail_after(3);
    for (int i = 1; i <= 5; i++) {
        char *bytes;
        assert_int_equal(np_memory_array(&bytes, 1, 1, "a byte"), i == 3 ? NP_ERROR_MEMORY : NP_OK);
        np_memory_free(bytes);
    }
    np_memory_fail_after(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_zeroed_small_and_huge),
        cmocka_unit_test(test_large_arrays_are_aligned_to_huge_pages),
        cmocka_unit_test(test_arrays_are_aligned_to_lines),
        cmocka_unit_test(test_nothing_may_be_freed),
        cmocka_unit_test(test_sizes_that_cannot_be),
        cmocka_unit_test(test_grow_keeps_the_items),
        cmocka_unit_test(test_grow_that_fails_leaves_the_array),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_fail_after),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
