/*
 * The parts of a task are dealt out in shares of neighbours, one for each thread, so that threads find in their caches
 * what they left there in the task before. A thread takes the parts of its own share first, then those of the next ones.
 *
 * A share counts what is taken, together with the number of the task: who comes late, with another number, takes nothing.
 * Whoever does the last part of a task begins the next one.
 */
#include "base/crew.h"

#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/threads.h"

enum { SPINS = 2000 }; /* some microseconds of waiting before a thread sleeps: ours */

/* The parts of a thread, of which others take what it leaves: task << 32 | how many are taken. */
typedef struct share {
    _Alignas(128) _Atomic uint64_t taken;
} share;

struct np_crew {
    unsigned threads;
    share share[NP_CREW_MAX];
    _Alignas(128) _Atomic uint32_t done; /* parts of the present task */
    _Alignas(128) _Atomic uint32_t task; /* the present task */
    _Atomic uint32_t sleepers;
    pthread_mutex_t lock;
    pthread_cond_t next; /* a task is done */
};

static void begin(np_crew *crew, unsigned threads)
{
    crew->threads = threads;
    atomic_init(&crew->done, 0);
    atomic_init(&crew->task, 0);
    atomic_init(&crew->sleepers, 0);
    for (unsigned i = 0; i < threads; i++)
        atomic_init(&crew->share[i].taken, 0);
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->next, NULL);
}

static void end(np_crew *crew)
{
    pthread_cond_destroy(&crew->next);
    pthread_mutex_destroy(&crew->lock);
}

void np_crew_run(unsigned threads, void (*work)(np_crew_member *member, void *context), void *context)
{
    np_crew crew;
    unsigned team = threads > 1 ? np_threads_team(threads) : 1;
    if (team == 1) {
        work(&(np_crew_member){.threads = 1}, context);
        return;
    }
#pragma omp parallel NP_TEAM_OF((int)team)
    {
        unsigned thread = (unsigned)omp_get_thread_num(), all = (unsigned)omp_get_num_threads();
#pragma omp single
        begin(&crew, all);
        work(&(np_crew_member){&crew, thread, all, 0}, context);
    }
    end(&crew);
}

static void begin_next(np_crew *crew, uint32_t task)
{
    atomic_store_explicit(&crew->done, 0, memory_order_relaxed);
    for (unsigned i = 0; i < crew->threads; i++)
        atomic_store_explicit(&crew->share[i].taken, (uint64_t)(task + 1) << 32, memory_order_release);
    atomic_store(&crew->task, task + 1);
    if (atomic_load(&crew->sleepers)) {
        pthread_mutex_lock(&crew->lock);
        pthread_cond_broadcast(&crew->next);
        pthread_mutex_unlock(&crew->lock);
    }
}

/* *part = one of first .. last - 1 that nobody has taken; false: there is none, or the task is over. */
static bool take(share *of, uint32_t task, uint32_t first, uint32_t last, uint32_t *part)
{
    uint64_t taken = atomic_load_explicit(&of->taken, memory_order_acquire);
    do {
        if (taken >> 32 != task || (uint32_t)taken >= last - first)
            return false;
    } while (!atomic_compare_exchange_weak_explicit(&of->taken, &taken, taken + 1, memory_order_acquire,
                                                    memory_order_acquire));
    *part = first + (uint32_t)taken;
    return true;
}

static void pause_briefly(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

/* Until the task is over. */
static void wait_for_end(np_crew *crew, uint32_t task)
{
    for (unsigned i = 0; i < SPINS; i++) {
        if (atomic_load_explicit(&crew->task, memory_order_acquire) != task)
            return;
        pause_briefly();
    }
    pthread_mutex_lock(&crew->lock);
    atomic_fetch_add(&crew->sleepers, 1);
    while (atomic_load(&crew->task) == task)
        pthread_cond_wait(&crew->next, &crew->lock);
    atomic_fetch_sub(&crew->sleepers, 1);
    pthread_mutex_unlock(&crew->lock);
}

void np_crew_do(np_crew_member *member, uint32_t parts, void (*do_part)(void *context, unsigned thread, uint32_t part),
                void *context)
{
    np_crew *crew = member->crew;
    const unsigned thread = member->thread, threads = member->threads;
    const uint32_t task = member->task++;
    if (threads == 1) {
        for (uint32_t part = 0; part < parts; part++)
            do_part(context, thread, part);
        return;
    }
    if (atomic_load_explicit(&crew->task, memory_order_acquire) != task)
        return; /* the others have done it: this thread comes late */
    for (unsigned i = 0; i < threads; i++) {
        unsigned whose = (thread + i) % threads;
        uint32_t first = (uint32_t)((uint64_t)parts * whose / threads), part;
        uint32_t last = (uint32_t)((uint64_t)parts * (whose + 1) / threads);
        while (take(&crew->share[whose], task, first, last, &part)) {
            do_part(context, thread, part);
            if (atomic_fetch_add_explicit(&crew->done, 1, memory_order_acq_rel) + 1 == parts) {
                begin_next(crew, task);
                return;
            }
        }
    }
    wait_for_end(crew, task);
}
