/* How many threads a call has. What the system refuses is in tests/cli/limits. */
#include "support.h"

#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/threads.h"

static unsigned chosen(unsigned asked, uint64_t worth)
{
    unsigned threads;
    assert_ok(np_threads_choose(asked, worth, &threads));
    return threads;
}

static void test_numbers(void **state)
{
    (void)state;
    assert_int_equal(chosen(1, 0), 1);
    assert_int_equal(chosen(3, 1), 3); /* what is asked for counts */
    assert_int_equal(chosen(0, 1), 1);
    assert_true(chosen(0, UINT64_MAX) >= 1);
    assert_int_equal(chosen(0, (uint64_t)1 << 32 | 1), chosen(0, UINT64_MAX));
    assert_int_equal(chosen(8, 1), 8); /* more than before */
}

static void *choose(void *threads)
{
    (void)!np_threads_choose(40, 1, threads);
    return NULL;
}

static void test_at_the_same_time(void **state)
{
    unsigned threads[2] = {0, 0};
    pthread_t other;
    (void)state;
    assert_int_equal(pthread_create(&other, NULL, choose, &threads[0]), 0);
    choose(&threads[1]);
    pthread_join(other, NULL);
    assert_int_equal(threads[0], 40);
    assert_int_equal(threads[1], 40);
}

/* In a child that may have little memory. */
static void test_too_many(void **state)
{
    (void)state;
    pid_t child = fork();
    if (!child) {
        unsigned threads = 0;
        struct rlimit memory = {(rlim_t)400 << 20, (rlim_t)400 << 20};
        setrlimit(RLIMIT_AS, &memory);
        bool refused = np_threads_choose(1000, 1, &threads) == NP_ERROR_LIMIT &&
                       strstr(np_last_error(), "1000 threads are more than the system starts");
        _exit(refused ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
#ifndef __SANITIZE_ADDRESS__ /* it cannot do with so little */
    assert_int_equal(status, 0);
#endif
}

static void test_no_memory(void **state)
{
    unsigned threads;
    (void)state;
    np_memory_fail_after(1);
    assert_refused(np_threads_choose(50, 1, &threads), NP_ERROR_MEMORY, "no memory for threads to try");
    np_memory_fail_after(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_too_many), /* first: the child of a process that has had a team can have none */
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_at_the_same_time),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
