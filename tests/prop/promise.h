/* What the tests of promised bytes share: test_memory_promise.c and test_memory_limits.c. */
#ifndef NP_TESTS_PROMISE_H
#define NP_TESTS_PROMISE_H

#include "support.h"

#include "base/memory.h"

/* What a promise may exceed the peak by: a tenth, and what hardly matters. */
enum { SLACK = 1 << 20 };

/*
 * Bytes are counted the same under the address sanitizer, which takes ten times as long: there some cases are enough.
 */
#ifdef __SANITIZE_ADDRESS__
enum { WAYS_STEP = 6, GUESTS_STEP = 4 };
#else
enum { WAYS_STEP = 1, GUESTS_STEP = 1 };
#endif

/* What takes minutes there. */
static inline void skip_under_sanitizers(void)
{
    if (WAYS_STEP > 1)
        skip();
}

/* Runs all tests, or those whose names fit the pattern that the command line gives. */
#define run_chosen(tests, argc, argv) (choose(argc, argv), cmocka_run_group_tests(tests, NULL, NULL))

static inline void choose(int argc, char **argv)
{
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
}

static int bad;

static inline void judge(const char *what, const char *how, const char *network, uint64_t promised, uint64_t least,
                         uint64_t most)
{
    if (promised >= least && promised <= most)
        return;
    bad++;
    print_error("%-18s %-20s %-32s promised %llu, not %llu .. %llu\n", what, network, how, (unsigned long long)promised,
                (unsigned long long)least, (unsigned long long)most);
}

#endif
