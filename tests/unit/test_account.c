/* Accounts: limits hold, also for threads and for what is freed elsewhere, and nothing is left of what was refused. */
#include "support.h"

#include <pthread.h>
#include <stdatomic.h>

#include "base/account.h"
#include "base/memory.h"
#include "base/room.h"
#include "base/threads.h"
#include "netpram/network.h"

enum { MB = 1 << 20 };

static char *array_of(size_t bytes)
{
    char *array;
    assert_ok(np_memory_array(&array, bytes, 1, "an array"));
    return array;
}

/* Small arrays are charged with what the C library rounds up; large ones end with a huge page. */
static void test_counted(void **state)
{
    (void)state;
    np_account account = np_account_open(UINT64_MAX, NULL);
    char *a = array_of(100), *b = array_of((size_t)5 * MB);
    assert_in_range(np_account_taken(account), 6 * MB + 100, 6 * MB + np_memory_taken(100));
    np_memory_free(b);
    assert_in_range(np_account_taken(account), 100, np_memory_taken(100));
    assert_ok(np_memory_grow(&a, 100, 300, 1, "an array"));
    assert_in_range(np_account_taken(account), 300, np_memory_taken(300));
    assert_in_range(np_account_peak(account), 6 * MB + 100, 6 * MB + np_memory_taken(100));
    np_memory_free(a);
    assert_int_equal(np_account_taken(account), 0);
    np_account_close(&account);
    assert_int_equal(np_account_peak(account), 0);
}

/* Each size is refused exactly past the limit, the message has the figures, and nothing is taken. */
static void test_refused(void **state)
{
    (void)state;
    char *a, *kept;
    np_account account = np_account_open((size_t)10 * MB, "fewer packets");
    kept = array_of((size_t)4 * MB);
    assert_refused(
        np_memory_array(&a, (size_t)7 * MB, 1, "the table of links"), NP_ERROR_LIMIT,
        "no memory for the table of links: 8.39 MB, where 4.19 MB of 10.49 MB are taken: take fewer packets");
    assert_null(a);
    assert_int_equal(np_account_taken(account), 4 * MB);
    assert_int_equal(np_account_peak(account), 4 * MB);
    assert_refused(np_memory_grow(&kept, 1, (size_t)9 * MB, 1, "a list"), NP_ERROR_LIMIT, "no memory for a list");
    a = array_of((size_t)6 * MB); /* exactly */
    char *more;
    assert_refused(np_memory_zeroed(&more, 1, 1, "a byte"), NP_ERROR_LIMIT, "a byte");
    np_memory_free(a);
    np_memory_free(kept);
    assert_int_equal(np_account_taken(account), 0);
    np_account_close(&account);
    np_memory_free(array_of((size_t)20 * MB)); /* no account, no limit */
}

/* The least limit of all holds, and each account has what was taken within it. */
static void test_nested(void **state)
{
    (void)state;
    char *a;
    np_account outer = np_account_open((size_t)20 * MB, "less"), inner = np_account_open(0, NULL);
    assert_int_equal(np_account_room(), 20 * MB);
    char *kept = array_of((size_t)12 * MB);
    assert_refused(np_memory_array(&a, (size_t)10 * MB, 1, "an array"), NP_ERROR_LIMIT, "are taken: take less");
    np_account_close(&inner);
    assert_int_equal(np_account_taken(outer), 12 * MB); /* what outlives a call */
    inner = np_account_open((size_t)30 * MB, NULL);
    assert_int_equal(np_account_taken(inner), 0);
    assert_int_equal(np_account_room(), 8 * MB);
    assert_int_equal(np_account_taken(outer), 12 * MB);
    np_memory_free(kept);
    assert_int_equal(np_account_room(), 20 * MB);
    assert_int_equal(np_account_taken(inner), 0);
    np_account_close(&inner);
    assert_int_equal(np_account_taken(outer), 0);
    np_account_close(&outer);
}

/* Exactly the room is allowed; each figure has the unit that shows it. */
static void test_allowed(void **state)
{
    static const struct {
        uint64_t limit, bytes;
        const char *message;
    } refused[] = {
        {1000, 1001, "3 arrays need 1.00 kB of memory, 1.00 kB are allowed: take fewer"},
        {50000, 99999, "3 arrays need 100.00 kB of memory, 50.00 kB are allowed: take fewer"},
        {50000, 100000, "3 arrays need 0.10 MB of memory, 50.00 kB are allowed: take fewer"},
        {99999999, 100000000, "3 arrays need 0.10 GB of memory, 100.00 MB are allowed: take fewer"},
        {1000000, UINT64_C(2440000000), "3 arrays need 2.44 GB of memory, 1.00 MB are allowed: take fewer"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        NP_ACCOUNT(refused[i].limit, NULL);
        assert_refused(np_account_allow(refused[i].bytes, "fewer", "%d arrays", 3), NP_ERROR_LIMIT, refused[i].message);
        assert_ok(np_account_allow(refused[i].limit, "fewer", "%d arrays", 3));
    }
}

/* Of the system: what there is bounds every call. */
static void test_system(void **state)
{
    (void)state;
    char *a;
    assert_refused(np_account_allow(UINT64_MAX, "less", "all bytes"), NP_ERROR_LIMIT, "all bytes need");
    assert_in_range(np_memory_default(), 1, np_memory_available());
    NP_ACCOUNT(0, NULL);
    assert_refused(np_account_allow(UINT64_MAX, "less", "all bytes"), NP_ERROR_LIMIT, "all bytes need");
    assert_refused(np_memory_array(&a, SIZE_MAX / 4, 1, "an array"), NP_ERROR_LIMIT, "no memory for an array");
}

static void *without(void *unused)
{
    (void)unused;
    assert_true(np_account_room() > (uint64_t)20 * MB); /* what the system has, which changes, not what callers may */
    np_memory_free(array_of((size_t)20 * MB));
    return NULL;
}

static void take_too_much(void *refused, unsigned thread, uint32_t item)
{
    char *a;
    (void)thread, (void)item;
    *(atomic_uint *)refused += np_memory_array(&a, (size_t)12 * MB, 1, "an array") == NP_ERROR_LIMIT;
    np_memory_free(a);
}

/* Threads that help have the account of who calls them. Other threads have none. */
static void test_threads(void **state)
{
    (void)state;
    atomic_uint refused = 0;
    np_account account = np_account_open((size_t)10 * MB, NULL);
    np_threads_each(4, 16, take_too_much, &refused);
    assert_int_equal(refused, 16);
    assert_int_equal(np_account_taken(account), 0);
    pthread_t other;
    assert_int_equal(pthread_create(&other, NULL, without, NULL), 0);
    assert_int_equal(pthread_join(other, NULL), 0);
    np_account_close(&account);
    refused = 0;
    np_threads_each(4, 16, take_too_much, &refused); /* the same threads, without the account */
    assert_int_equal(refused, 0);
}

/* More accounts than the table has: the outer ones hold. */
static void test_too_many(void **state)
{
    (void)state;
    np_account account[300];
    char *a;
    for (size_t i = 0; i < 300; i++)
        account[i] = np_account_open(i ? 0 : MB, NULL);
    assert_refused(np_memory_array(&a, 2 * MB, 1, "an array"), NP_ERROR_LIMIT, "an array");
    for (size_t i = 300; i-- > 0;)
        np_account_close(&account[i]);
    np_memory_free(array_of(2 * MB));
}

/* What other libraries take. */
static void test_lent(void **state)
{
    (void)state;
    np_account account = np_account_open(MB, NULL);
    char *a = np_memory_lend(1000), *again;
    memset(a, 7, 1000);
    assert_non_null(again = np_memory_lend_again(a, 5000));
    assert_int_equal(again[999], 7);
    assert_null(np_memory_lend_again(again, 2 * MB));
    assert_int_equal(again[999], 7);
    np_memory_free(again);
    assert_int_equal(np_account_taken(account), 0);
    np_account_close(&account);
}

/* What does not fit within a limit is refused by the limit, texts too: memory is not what lacks. */
static void test_refused_by_the_limit(void **state)
{
    (void)state;
    bool refused = false, made = false;
    for (uint64_t limit = 8; !made; limit += 8) {
        np_network *network = NULL;
        np_account account = np_account_open(limit, "a smaller network");
        np_status st = np_network_create("hypercube:4", &network);
        made = st == NP_OK;
        refused |= st == NP_ERROR_LIMIT;
        if (st)
            assert_refused(st, NP_ERROR_LIMIT, "take a smaller network");
        np_network_free(network);
        np_account_close(&account);
    }
    assert_true(refused);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counted),  cmocka_unit_test(test_refused), cmocka_unit_test(test_nested),
        cmocka_unit_test(test_allowed),  cmocka_unit_test(test_system),  cmocka_unit_test(test_threads),
        cmocka_unit_test(test_too_many), cmocka_unit_test(test_lent),    cmocka_unit_test(test_refused_by_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
