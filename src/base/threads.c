/*
 * Trying to start threads before the runtime of OpenMP must start them.
 *
 * The runtime keeps the threads of the last team, and their stack may be of any size (OMP_STACKSIZE). So a team of two
 * comes first: it tells the size of the stack and leaves one thread waiting in the runtime. The others are tried here,
 * with stacks of this size, all at the same time. But before the team of two one thread is tried alone, because the
 * runtime ends the process if it cannot start that one.
 *
 * What the system starts before the work it may refuse when the work has taken memory. So threads are tried again
 * before a team that is larger than the last one.
 *
 * A thread that was joined counts for a while longer in the limits of the system. Hence the wait at the end.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* pthread_getattr_np */
#endif
#include "base/threads.h"

#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

#include "base/memory.h"
#include "base/system.h"

static atomic_uint proven = 1; /* so many threads at once were started before */
static atomic_uint vain;       /* and when nobody asked for a number: of so many, not all were */

/* What the runtime keeps for the caller: the threads of its last team, the caller included, and the stack of each. */
static _Thread_local struct {
    unsigned threads;
    size_t stack;
} kept = {1, 0};

typedef struct gate {
    pthread_mutex_t lock;
    pthread_cond_t opens;
    bool open;
} gate;

static void *wait_at(void *self)
{
    gate *g = self;
    pthread_mutex_lock(&g->lock);
    while (!g->open)
        pthread_cond_wait(&g->opens, &g->lock);
    pthread_mutex_unlock(&g->lock);
    return NULL;
}

static void open_gate(gate *g)
{
    pthread_mutex_lock(&g->lock);
    g->open = true;
    pthread_cond_broadcast(&g->opens);
    pthread_mutex_unlock(&g->lock);
}

static uint64_t threads_of_process(void)
{
    uint64_t threads = 0;
    np_system_number("", "/proc/self/status", "Threads:", &threads);
    return threads;
}

/* Waits until the system counts no more threads than before, but at most 0.1 seconds. */
static void wait_for_ends(uint64_t before)
{
    static const struct timespec moment = {.tv_nsec = 1000000};
    for (int i = 0; i < 100 && threads_of_process() > before; i++)
        nanosleep(&moment, NULL);
}

/* How many of `wanted` threads with such stacks are started, at the same time. stack 0: as the system likes. */
static unsigned start(unsigned wanted, size_t stack)
{
    gate g = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false};
    uint64_t before = threads_of_process();
    pthread_t thread[NP_THREADS_MAX];
    pthread_attr_t attributes;
    unsigned started = 0;
    if (pthread_attr_init(&attributes))
        return 0;
    if (!stack || !pthread_attr_setstacksize(&attributes, stack))
        while (started < wanted && started < NP_THREADS_MAX &&
               !pthread_create(&thread[started], &attributes, wait_at, &g))
            started++;
    open_gate(&g);
    for (unsigned i = 0; i < started; i++)
        pthread_join(thread[i], NULL);
    pthread_attr_destroy(&attributes);
    wait_for_ends(before);
    return started;
}

static size_t stack_of_this_thread(void)
{
    pthread_attr_t attributes;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes))
        return 0;
    pthread_attr_getstacksize(&attributes, &size);
    pthread_attr_destroy(&attributes);
    return size;
}

/* The stack of the runtime's threads. 0: it starts none here, because the caller is in a team. */
static size_t stack_of_runtime(void)
{
    size_t size = 0;
#pragma omp parallel NP_TEAM_OF(2)
    if (omp_get_thread_num() == 1)
        size = stack_of_this_thread();
    return size;
}

/*
 * How many of `wanted` threads, more than the caller has, the runtime can start now, the caller's included. Where the
 * caller is in a team the runtime starts none, and kept.stack stays 0.
 */
static unsigned try(unsigned wanted)
{
    if (kept.threads == 1) {
        if (!start(1, 0))
            return 1;
        kept.stack = stack_of_runtime();
        kept.threads = kept.stack ? 2 : 1;
    }
    return kept.stack ? kept.threads + start(wanted - kept.threads, kept.stack) : wanted;
}

static np_status refuse(unsigned wanted, unsigned can, size_t stack)
{
    if (stack && stack < NP_THREADS_STACK)
        return NP_RAISE(
            NP_ERROR_LIMIT,
            "%u threads would have stacks of %zu kB (OMP_STACKSIZE, ulimit -s), %d kB are needed: take 1 thread",
            wanted, stack / 1024, NP_THREADS_STACK / 1024);
    return NP_RAISE(
        NP_ERROR_LIMIT,
        "%u threads are more than the system starts (ulimit -u, ulimit -v, a control group): take at most %u", wanted,
        can);
}

/* At most so many threads leave the memory to the work, if nobody asked for a number. */
static unsigned with_room(unsigned can, size_t stack)
{
    uint64_t room = stack ? 1 + np_memory_for_stacks() / stack : can;
    return room < can ? (unsigned)room : can;
}

static unsigned default_number(uint64_t worth)
{
    unsigned processors = (unsigned)omp_get_num_procs();
    return worth < processors ? (unsigned)worth : processors;
}

/* `can` of `wanted` threads were started. */
static void note(unsigned wanted, unsigned can)
{
    if (can > atomic_load(&proven))
        atomic_store(&proven, can);
    if (can < wanted)
        atomic_store(&vain, wanted);
}

np_status np_threads_choose(unsigned asked, uint64_t worth, unsigned *out)
{
    unsigned wanted = asked ? asked : default_number(worth);
    *out = wanted;
    if (wanted <= atomic_load(&proven))
        return NP_OK;
    if (!asked && wanted <= atomic_load(&vain)) {
        *out = atomic_load(&proven);
        return NP_OK;
    }
    unsigned can = wanted > kept.threads ? try(wanted) : wanted;
    bool small = kept.stack && kept.stack < NP_THREADS_STACK;
    can = asked ? can : small ? 1 : with_room(can, kept.stack);
    if (asked && (can < wanted || small))
        return refuse(wanted, can, kept.stack);
    note(wanted, can);
    *out = can;
    return NP_OK;
}

unsigned np_threads_team(unsigned wanted)
{
    if (omp_in_parallel()) /* the runtime starts none, and keeps what it has */
        return wanted;
    unsigned can = wanted > kept.threads ? try(wanted) : wanted;
    if (can > 1 && kept.stack)
        kept.threads = can;
    return can;
}
