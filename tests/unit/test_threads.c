/* How many threads a call has. What the system refuses is in tests/cli/limits. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "support.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/threads.h"

/* The machine of these tests has many processors. This one comes before that of the runtime. */
int omp_get_num_procs(void);
int omp_get_num_procs(void) { return 64; }

/*
 * Threads that were started, by the library or by the runtime. This one comes before that of the system. A sanitizer
 * has its own, which must see every thread.
 */
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
        struct rlimit memory = {(rlim_t)400 << 20, (rlim_t)400 << 20};
        setrlimit(RLIMIT_AS, &memory);
        bool refused = np_threads_choose(1000, 1, &threads) == NP_ERROR_LIMIT &&
                       strstr(np_last_error(), "1000 threads are more than the system starts");
        _exit(refused ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void *stay(void *unused) { return pause(), unused; }

/* Starts the threads after all memory that is said to be available was taken. The runtime has one already. */
static int take_all(void)
{
    unsigned threads = 0;
    struct rlimit memory = {(rlim_t)400 << 20, (rlim_t)400 << 20};
    pthread_t thread;
    setrlimit(RLIMIT_AS, &memory);
    if (np_threads_choose(0, UINT64_MAX, &threads))
        return 2;
    if (mmap(NULL, np_memory_available(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED)
        return 3;
    for (unsigned i = 2; i < threads; i++)
        if (pthread_create(&thread, NULL, stay, NULL))
            return 4;
    return 0;
}

/* Threads that nobody asked for leave the memory to the work. If they cannot start, the runtime ends the process. */
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

/* Fewer than there are processors: the same again, although the limit is gone, because nothing is tried a second time. */
static int choose_twice(void)
{
    unsigned first = 0, again = 0;
    struct rlimit free, memory;
    getrlimit(RLIMIT_AS, &free);
    memory = free;
    memory.rlim_cur = (rlim_t)400 << 20;
    if (setrlimit(RLIMIT_AS, &memory) || np_threads_choose(0, UINT64_MAX, &first) || setrlimit(RLIMIT_AS, &free) ||
        np_threads_choose(0, UINT64_MAX, &again))
        return 2;
    if (first >= 64 || again != first)
        return 3;
    return np_threads_choose(first + 1, 1, &again) || again != first + 1; /* who asks is not told what was before */
}

static void test_remembered(void **state)
{
    int status;
    (void)state;
    if (SUPPORT_SANITIZED)
        skip();
    pid_t child = fork();
    if (!child)
        _exit(choose_twice());
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static unsigned run_team(unsigned threads)
{
    unsigned there = 0;
#pragma omp parallel num_threads((int)threads)
#pragma omp atomic
    there++;
    return there;
}

static void nothing_before(void) {}

/* Within a team the runtime starts no threads, whatever it is asked for. */
static void ask_in_team(void)
{
#pragma omp parallel num_threads(2)
#pragma omp master
    run_team(np_threads_team(20));
}

/* The work takes the address space after the threads were chosen. The team that there is room for starts. */
static int start_late(void (*before)(void))
{
    unsigned threads = 0;
    struct rlimit memory = {(rlim_t)400 << 20, (rlim_t)400 << 20};
    setrlimit(RLIMIT_AS, &memory);
    if (np_threads_choose(20, 1, &threads) || threads != 20)
        return 2;
    before();
    while (mmap(NULL, (size_t)4 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
        continue;
    threads = np_threads_team(20);
    return threads == 20 ? 3 : threads != run_team(threads) ? 4 : 0;
}

static void test_late(void **state)
{
    static void (*const before[])(void) = {nothing_before, ask_in_team};
    (void)state;
    if (SUPPORT_SANITIZED)
        skip();
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        int status;
        pid_t child = fork();
        if (!child)
            _exit(start_late(before[i]));
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
    }
}

/* The runtime keeps the threads of the last team only. As many threads are tried as it then starts. */
static void test_teams(void **state)
{
    static const unsigned sizes[] = {1, 8, 2, 8, 1, 9, 5, 7, 40};
    (void)state;
    assert_int_equal(run_team(np_threads_team(2)), 2); /* the first team tells the stack, too */
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        unsigned before = started, threads = np_threads_team(sizes[i]), tried = started - before;
        assert_int_equal(threads, sizes[i]);
        assert_int_equal(run_team(threads), sizes[i]);
        if (!SUPPORT_SANITIZED) /* a sanitizer starts threads in a way of its own */
            assert_int_equal(tried, started - before - tried);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        /* These first: the child of a process that has had a team can have none. */
        cmocka_unit_test(test_too_many),   cmocka_unit_test(test_many_processors),
        cmocka_unit_test(test_remembered), cmocka_unit_test(test_late),
        cmocka_unit_test(test_numbers),    cmocka_unit_test(test_at_the_same_time),
        cmocka_unit_test(test_teams),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
