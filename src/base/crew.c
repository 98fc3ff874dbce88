/*
 * The parts of a task are dealt out in shares of neighbours, one for each thread, so that threads find in their caches
 * what they left there in the task before. A thread takes the parts of its own share first, then those of the next ones.
 *
 * A share counts what is taken, together with the number of the task: who comes late, with another number, takes nothing.
 * Whoever does the last part of a task begins the next one.
 */
#include "base/crew.h"

#include <stdbool.h>

enum { SPINS = 2000 }; /* some microseconds of waiting before a thread sleeps: ours */

void np_crew_init(np_crew *crew, unsigned threads)
{
    crew->threads = threads;
    if (threads == 1)
        return;
    atomic_init(&crew->done, 0);
    atomic_init(&crew->task, 0);
    atomic_init(&crew->sleepers, 0);
    for (unsigned i = 0; i < threads; i++)
        atomic_init(&crew->share[i].taken, 0);
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->next, NULL);
}

void np_crew_clear(np_crew *crew)
{
    if (crew->threads == 1)
        return;
    pthread_cond_destroy(&crew->next);
    pthread_mutex_destroy(&crew->lock);
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

/* *part = one of first .. end - 1 that nobody has taken; false: there is none, or the task is over. */
static bool take(np_crew_share *share, uint32_t task, uint32_t first, uint32_t end, uint32_t *part)
{
    uint64_t taken = atomic_load_explicit(&share->taken, memory_order_acquire);
    do {
        if (taken >> 32 != task || (uint32_t)taken >= end - first)
            return false;
    } while (!atomic_compare_exchange_weak_explicit(&share->taken, &taken, taken + 1, memory_order_acquire,
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

void np_crew_do(np_crew *crew, unsigned thread, uint32_t task, uint32_t parts,
                void (*do_part)(void *context, unsigned thread, uint32_t part), void *context)
{
    const unsigned threads = crew->threads;
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
        uint32_t end = (uint32_t)((uint64_t)parts * (whose + 1) / threads);
        while (take(&crew->share[whose], task, first, end, &part)) {
            do_part(context, thread, part);
            if (atomic_fetch_add_explicit(&crew->done, 1, memory_order_acq_rel) + 1 == parts) {
                begin_next(crew, task);
                return;
            }
        }
    }
    wait_for_end(crew, task);
}
