/*
 * Threads of a crew do every part of every task once, and no part of a task before all parts of the task before it; also
 * where a thread comes late, and where there are fewer parts than threads.
 */
#include "support.h"

#include <stdatomic.h>
#include <time.h>

#include "base/crew.h"

enum { TASKS = 400, MOST = 40, THREADS = 7 };

/* How many parts task t has: from 1 on, and often more than there are threads. */
static uint32_t parts_of(uint32_t task) { return 1 + task * 7 % MOST; }

typedef struct shared {
    uint32_t written[TASKS][MOST]; /* not atomic: the crew itself must order what tasks do */
    atomic_uint times[TASKS][MOST], early;
    bool stops; /* thread 1 sleeps now and then */
    unsigned threads;
} shared;

/* A thread on its way through the tasks. */
typedef struct work {
    uint32_t task;
    shared *of;
} work;

static void do_part(void *context, unsigned thread, uint32_t part)
{
    static const struct timespec moment = {.tv_nsec = 200000};
    const work *w = context;
    shared *s = w->of;
    uint32_t sum = 1;
    if (s->stops && thread == 1 && part % 5 == 0)
        nanosleep(&moment, NULL);
    for (uint32_t i = 0; w->task && i < parts_of(w->task - 1); i++) {
        if (atomic_load(&s->times[w->task - 1][i]) != 1)
            atomic_fetch_add(&s->early, 1);
        sum += s->written[w->task - 1][i];
    }
    s->written[w->task][part] = sum * (part + 1);
    atomic_fetch_add(&s->times[w->task][part], 1);
}

static void do_tasks(np_crew_member *member, void *context)
{
    work w = {.of = context};
    assert_int_equal(member->threads, w.of->threads);
    for (; w.task < TASKS; w.task++)
        np_crew_do(member, parts_of(w.task), do_part, &w);
}

static void run(unsigned threads, bool stops, shared *s)
{
    *s = (shared){.stops = stops, .threads = threads};
    np_crew_run(threads, do_tasks, s);
}

static void parts_are_done_once(void **state)
{
    static shared alone, together;
    (void)state;
    run(1, false, &alone);
    for (unsigned threads = 1; threads <= THREADS; threads++)
        for (int stops = 0; stops < 2; stops++) {
            run(threads, stops, &together);
            assert_int_equal(atomic_load(&together.early), 0);
            for (uint32_t t = 0; t < TASKS; t++)
                for (uint32_t i = 0; i < MOST; i++)
                    assert_int_equal(atomic_load(&together.times[t][i]), i < parts_of(t));
            assert_memory_equal(alone.written, together.written, sizeof alone.written);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(parts_are_done_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
