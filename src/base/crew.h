/*
 * Threads that share tasks, one task after the other. A task has parts, which depend on one another in nothing, and
 * begins when all parts of the task before it are done.
 *
 * Barriers would do, but where other processes use the processors, too, a thread that the system has stopped holds up
 * all others at each of them. Here a thread takes the next part that nobody has taken. So only a thread that is stopped
 * within a part is waited for: those that work go on with the tasks, and one that comes back joins them where they are.
 *
 * Every thread of a team calls np_crew_do for each task, in the same order, with the same number of parts. Which thread
 * does a part is left to chance: parts must have the same outcome in whichever thread, and counts be sums or maxima.
 */
#ifndef NP_BASE_CREW_H
#define NP_BASE_CREW_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

enum { NP_CREW_MAX = 64 };

/* The parts of a thread, of which others take what it leaves: task << 32 | how many are taken. */
typedef struct np_crew_share {
    _Alignas(128) _Atomic uint64_t taken;
} np_crew_share;

typedef struct np_crew {
    unsigned threads;
    np_crew_share share[NP_CREW_MAX];
    _Alignas(128) _Atomic uint32_t done; /* parts of the present task */
    _Alignas(128) _Atomic uint32_t task; /* the present task */
    _Atomic uint32_t sleepers;
    pthread_mutex_t lock;
    pthread_cond_t next; /* a task is done */
} np_crew;

/* 1 .. NP_CREW_MAX threads. One thread needs no clearing. */
void np_crew_init(np_crew *crew, unsigned threads);
void np_crew_clear(np_crew *crew);

/*
 * Does parts of task `task` (the first one is 0), and returns when all parts are done: do_part(context, thread, part) once
 * for each part < parts, at least one, by some of the threads.
 */
void np_crew_do(np_crew *crew, unsigned thread, uint32_t task, uint32_t parts,
                void (*do_part)(void *context, unsigned thread, uint32_t part), void *context);

#endif
