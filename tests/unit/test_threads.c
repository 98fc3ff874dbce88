/*
 * How many threads a call has, and that items of a loop are done once each. What the system refuses is in
 * tests/cli/limits.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "support.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/threads.h"

/* The machine of these tests has many processors. This one comes before that of the system. */
int sched_getaffinity(pid_t process, size_t size, cpu_set_t *set)
{
    (void)process;
    memset(set, 0, size);
    for (size_t i = 0; i < 64; i++)
        CPU_SET(i, set);
    return 0;
}

/* Threads that were started. This one comes before that of the system. A sanitizer has its own, which must see every
 * one. */
static atomic_uint started;

#if !SUPPORT_SANITIZED
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*begin)(void *), void *argument)
{
    int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    void *found = dlsym(RTLD_NEXT, "pthread_create");
    memcpy(&create, &found, sizeof create);
    started++;
    return create(thread, attributes, begin, argument);
}
#endif

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
    if (SUPPORT_SANITIZED)
        skip();
    pid_t child = fork();
    if (!child) {
        unsigned threads = 0;
        struct rlimit memory = {(rlim_t)200 << 20, (rlim_t)200 << 20};
        setrlimit(RLIMIT_AS, &memory);
        bool refused = np_threads_choose(1000, 1, &threads) == NP_ERROR_LIMIT &&
                       strstr(np_last_error(), "1000 threads are more than the system starts");
        _exit(refused ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

/* The threads leave most of a small address space to the work. */
static int take_all(void)
{
    unsigned threads = 0;
    struct rlimit memory = {(rlim_t)100 << 20, (rlim_t)100 << 20};
    setrlimit(RLIMIT_AS, &memory);
    if (np_threads_choose(0, UINT64_MAX, &threads))
        return 2;
    return threads < 2 || threads > 20 ? 3 : np_memory_available() < (uint64_t)40 << 20 ? 4 : 0;
}

/* Threads that nobody asked for leave the memory to the work. */
static void test_many_processors(void **state)
{
    int status;
    (void)state;
    if (SUPPORT_SANITIZED)
        skip();
    pid_t child = fork();
    if (!child)
        _exit(take_all());
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

enum { ITEMS = 1000 };

typedef struct loop {
    bool shared; /* by several threads */
    atomic_uint times[ITEMS], most;
    unsigned depth;
} loop;

static void do_item(void *context, unsigned thread, uint32_t item)
{
    loop *l = context, inner = {.depth = 1};
    unsigned most = atomic_load(&l->most);
    l->times[item]++;
    while (thread > most && !atomic_compare_exchange_weak(&l->most, &most, thread))
        continue;
    if (l->depth)
        return;
    np_threads_each(4, 10, do_item, &inner); /* in an item of several threads: by this one alone */
    assert_true(inner.most < (l->shared ? 1 : 4));
    for (unsigned i = 0; i < 10; i++)
        assert_int_equal(inner.times[i], 1);
}

/* Every item once, by threads with numbers below that asked for. */
static void test_each(void **state)
{
    static const unsigned threads[] = {0, 1, 2, 3, 7, 40, 100, 2000}, items[] = {0, 1, 2, 7, 63, 64, 65, ITEMS};
    (void)state;
    for (size_t t = 0; t < sizeof threads / sizeof *threads; t++)
        for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
            static loop l;
            memset(&l, 0, sizeof l);
            l.shared = threads[t] > 1 && items[i] > 1;
            np_threads_each(threads[t], items[i], do_item, &l);
            for (unsigned k = 0; k < ITEMS; k++)
                assert_int_equal(l.times[k], k < items[i]);
            assert_true(!l.most || l.most < threads[t]);
        }
}

/* Items of several threads are under way at the same time: each waits for all the others. */
static void meet(void *begun, unsigned thread, uint32_t item)
{
    sigset_t blocked;
    (void)item;
    ++*(atomic_uint *)begun;
    while (atomic_load((atomic_uint *)begun) < 5)
        sched_yield();
    if (thread && !pthread_sigmask(SIG_SETMASK, NULL, &blocked) && !sigismember(&blocked, SIGTERM))
        *(atomic_uint *)begun += 100; /* signals are for the program's own threads */
}

static int meet_once(void)
{
    atomic_uint begun = 0;
    np_threads_each(5, 5, meet, &begun);
    return begun == 5 ? 0 : 2;
}

static void *meet_often(void *wrong)
{
    for (unsigned i = 0; i < 200; i++)
        *(int *)wrong |= meet_once();
    return NULL;
}

/* Also by two callers at the same time, and in the child of a process that has such threads. */
static void test_together(void **state)
{
    int wrong[2] = {0, 0}, status;
    pthread_t other;
    (void)state;
    assert_int_equal(pthread_create(&other, NULL, meet_often, &wrong[0]), 0);
    meet_often(&wrong[1]);
    pthread_join(other, NULL);
    assert_int_equal(wrong[0] | wrong[1], 0);
    if (SUPPORT_SANITIZED)
        return;
    pid_t child = fork();
    if (!child) {
        alarm(20);
        _exit(meet_once());
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

/* The work takes the address space: the threads that there is room for do it. */
static int start_late(void)
{
    static loop l;
    struct rlimit memory = {(rlim_t)200 << 20, (rlim_t)200 << 20};
    setrlimit(RLIMIT_AS, &memory);
    while (mmap(NULL, (size_t)1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
        continue;
    np_threads_each(200, ITEMS, do_item, &l);
    for (unsigned i = 0; i < ITEMS; i++)
        if (l.times[i] != 1)
            return 2;
    return 0;
}

static void test_late(void **state)
{
    int status;
    (void)state;
    if (SUPPORT_SANITIZED)
        skip();
    pid_t child = fork();
    if (!child)
        _exit(start_late());
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

/* Threads are kept, and serve all later loops. */
static void test_kept(void **state)
{
    static const unsigned sizes[] = {8, 2, 8, 1, 5, 7};
    static loop l;
    (void)state;
    if (SUPPORT_SANITIZED)
        skip();
    np_threads_each(9, 9, do_item, &l);
    unsigned before = started;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        np_threads_each(sizes[i], ITEMS, do_item, &l);
    assert_int_equal(started, before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_too_many), cmocka_unit_test(test_many_processors),
        cmocka_unit_test(test_late),     cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_each),     cmocka_unit_test(test_at_the_same_time),
        cmocka_unit_test(test_together), cmocka_unit_test(test_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
