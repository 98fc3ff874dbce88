/*
 * Threads that are started once and wait for loops. A thread has a state:
 *
 *     IDLE -> CALLED     a caller has items for it
 *     CALLED -> BUSY     it has come
 *     CALLED -> IDLE     all items were taken before it came: it is not waited for
 *     BUSY -> IDLE       it found no more items: it no longer looks at the loop, which is on the stack of the caller
 *
 * Threads are never ended: they sleep. In the child of a fork there are none of them, and new ones are started.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sched_getaffinity */
#endif
#include "base/threads.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

#include "base/account.h"
#include "base/cgroup.h"
#include "base/memory.h"

enum {
    SHARES = 64,    /* of a loop: threads SHARES and more share them */
    SPINS = 1000,   /* some ten microseconds of waiting before a thread sleeps: ours */
    STACK = 1 << 20 /* bytes: what functions take, four times over for those of clients */
};

enum { IDLE, CALLED, BUSY };

/* Items of neighbours; `taken` of them were taken. */
typedef struct share {
    _Alignas(64) _Atomic uint32_t taken;
} share;

typedef struct loop {
    np_threads_item *work;
    void *context;
    uint64_t account;
    uint32_t items;
    unsigned shares;
    share share[SHARES];
} loop;

typedef struct helper {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    atomic_uint state;
    loop *loop;
    unsigned thread; /* in the loop */
    bool taken;      /* by a caller; behind pool_lock */
} helper;

static pthread_mutex_t pool_lock = PTHREAD_MUTEX_INITIALIZER;
static helper pool[NP_THREADS_MAX];
static unsigned started;            /* helpers that there are; behind pool_lock */
static _Thread_local bool in_items; /* is this thread doing an item? */

/* ---- Waiting ---- */

static void set_state(helper *h, unsigned state)
{
    pthread_mutex_lock(&h->lock);
    atomic_store(&h->state, state);
    pthread_cond_broadcast(&h->changed);
    pthread_mutex_unlock(&h->lock);
}

static bool change_state(helper *h, unsigned from, unsigned to)
{
    return atomic_compare_exchange_strong(&h->state, &from, to);
}

static void pause_briefly(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

static void wait_for_state(helper *h, unsigned state)
{
    for (unsigned i = 0; i < SPINS; i++, pause_briefly())
        if (atomic_load(&h->state) == state)
            return;
    pthread_mutex_lock(&h->lock);
    while (atomic_load(&h->state) != state)
        pthread_cond_wait(&h->changed, &h->lock);
    pthread_mutex_unlock(&h->lock);
}

/* ---- Items ---- */

static void do_share(loop *l, unsigned thread, unsigned s)
{
    uint32_t first = (uint32_t)((uint64_t)l->items * s / l->shares), item;
    uint32_t end = (uint32_t)((uint64_t)l->items * (s + 1) / l->shares);
    while (atomic_load(&l->share[s].taken) < end - first &&
           (item = first + atomic_fetch_add(&l->share[s].taken, 1)) < end)
        l->work(l->context, thread, item);
}

static void do_items(loop *l, unsigned thread)
{
    in_items = true;
    for (unsigned s = 0; s < l->shares; s++)
        do_share(l, thread, (thread + s) % l->shares);
    in_items = false;
}

static void *help(void *self)
{
    helper *h = self;
    for (;;) {
        wait_for_state(h, CALLED);
        if (!change_state(h, CALLED, BUSY))
            continue;
        np_account_of_thread = h->loop->account;
        do_items(h->loop, h->thread);
        np_account_of_thread = 0;
        set_state(h, IDLE);
    }
    return NULL;
}

/* ---- Helpers ---- */

/* In the child of a fork. */
static void forget_helpers(void)
{
    pthread_mutex_init(&pool_lock, NULL);
    for (unsigned i = 0; i < started; i++)
        pool[i] = (helper){.taken = false};
    started = 0;
    in_items = false;
}

/* A helper more, which leaves signals to the program's own threads. Behind pool_lock. */
static bool start_helper(void)
{
    static bool forks;
    pthread_attr_t attributes;
    pthread_t thread;
    sigset_t all, before;
    helper *h = &pool[started];
    if (!forks)
        forks = !pthread_atfork(NULL, NULL, forget_helpers);
    if (started == NP_THREADS_MAX || pthread_attr_init(&attributes))
        return false;
    pthread_mutex_init(&h->lock, NULL);
    pthread_cond_init(&h->changed, NULL);
    pthread_attr_setstacksize(&attributes, STACK);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool starts = !pthread_create(&thread, &attributes, help, h);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    started += starts;
    return starts;
}

/* Up to `wanted` helpers that nobody has, to out[]. Returns how many. */
static unsigned take_helpers(unsigned wanted, helper **out)
{
    unsigned got = 0;
    pthread_mutex_lock(&pool_lock);
    for (unsigned i = 0; got < wanted && (i < started || start_helper()); i++)
        if (!pool[i].taken) {
            pool[i].taken = true;
            out[got++] = &pool[i];
        }
    pthread_mutex_unlock(&pool_lock);
    return got;
}

static void give_back(unsigned count, helper **helpers)
{
    pthread_mutex_lock(&pool_lock);
    for (unsigned i = 0; i < count; i++)
        helpers[i]->taken = false;
    pthread_mutex_unlock(&pool_lock);
}

void np_threads_each(unsigned threads, uint32_t items, np_threads_item *work, void *context)
{
    helper *helpers[NP_THREADS_MAX];
    unsigned most = threads < items ? threads : items;
    unsigned count =
        most > 1 && !in_items ? take_helpers(most < NP_THREADS_MAX ? most - 1 : NP_THREADS_MAX, helpers) : 0;
    if (!count) {
        for (uint32_t i = 0; i < items; i++)
            work(context, 0, i);
        return;
    }
    loop l = {work, context, np_account_of_thread, items, count < SHARES ? count + 1 : SHARES, {{0}}};
    for (unsigned i = 0; i < count; i++) {
        helpers[i]->loop = &l;
        helpers[i]->thread = i + 1;
        set_state(helpers[i], CALLED);
    }
    do_items(&l, 0);
    for (unsigned i = 0; i < count; i++)
        if (!change_state(helpers[i], CALLED, IDLE))
            wait_for_state(helpers[i], IDLE);
    give_back(count, helpers);
}

/* ---- How many ---- */

/* As it was at the first call: to ask takes longer than a small run. */
static unsigned quota_of_process(void)
{
    static atomic_uint quota;
    if (!atomic_load(&quota))
        atomic_store(&quota, np_cgroup_processors("", NP_THREADS_MAX));
    return atomic_load(&quota);
}

unsigned np_threads_share(unsigned processes)
{
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned processors = online > 1 ? (unsigned)online : 1, quota = quota_of_process();
    processors = (processors < quota ? processors : quota) / (processes | !processes);
    return processors ? processors : 1;
}

unsigned np_threads_processors(void)
{
    unsigned processors = 1, quota = quota_of_process();
#if defined CPU_COUNT && !defined __EMSCRIPTEN__ /* which declares the function, and has none */
    cpu_set_t set;
    if (!sched_getaffinity(0, sizeof set, &set) && CPU_COUNT(&set) > 0)
        processors = (unsigned)CPU_COUNT(&set);
    else
#endif
    {
        long online = sysconf(_SC_NPROCESSORS_ONLN);
        processors = online > 1 ? (unsigned)online : 1;
    }
    return processors < quota ? processors : quota;
}

/* As many threads as the pool serves if it grows to `wanted`. */
static unsigned grow(unsigned wanted)
{
    pthread_mutex_lock(&pool_lock);
    while (started + 1 < wanted && start_helper())
        continue;
    unsigned can = started + 1 < wanted ? started + 1 : wanted;
    pthread_mutex_unlock(&pool_lock);
    return can;
}

static unsigned helpers_started(void)
{
    pthread_mutex_lock(&pool_lock);
    unsigned count = started;
    pthread_mutex_unlock(&pool_lock);
    return count;
}

/* If nobody asks for a number: one a processor. The stacks of those to start leave the memory to the work. */
static unsigned default_number(uint64_t worth)
{
    unsigned processors = worth > 1 ? np_threads_processors() : 1, helpers = helpers_started();
    uint64_t wanted = worth < processors && worth ? worth : processors, room;
    if (wanted <= helpers + 1)
        return (unsigned)wanted;
    room = helpers + 1 + np_memory_for_stacks() / STACK;
    return (unsigned)(wanted < room ? wanted : room);
}

np_status np_threads_choose(unsigned asked, uint64_t worth, unsigned *out)
{
    unsigned wanted = asked ? asked : default_number(worth);
    *out = grow(wanted);
    if (*out == wanted || !asked)
        return NP_OK;
    return NP_RAISE(
        NP_ERROR_LIMIT,
        "%u threads are more than the system starts (ulimit -u, ulimit -v, a control group): take at most %u", asked,
        *out);
}
