/*
 * Threads that share tasks, one task after the other. A task has parts, which depend on one another in nothing, and
 * begins when all parts of the task before it are done.
 *
 * Barriers would do, but where other processes use the processors, too, a thread that the system has stopped holds up
 * all others at each of them. Here a thread takes the next part that nobody has taken. So only a thread that is stopped
 * within a part is waited for: those that work go on with the tasks, and one that comes back joins them where they are.
 *
 * Every member calls np_crew_do for the same tasks, in the same order, with the same number of parts. Which thread does a
 * part is left to chance: parts must have the same outcome in whichever thread, and counts be sums or maxima.
 */
#ifndef NP_BASE_CREW_H
#define NP_BASE_CREW_H

#include <stdint.h>

#include "base/export.h"

enum { NP_CREW_MAX = 64 };

typedef struct np_crew np_crew;

/* A thread of a crew. */
typedef struct np_crew_member {
    np_crew *crew;
    unsigned thread, threads; /* its number; how many there are */
    uint32_t task;            /* how many it has met */
} np_crew_member;

/* Runs work(member, context) on up to `threads` threads, 1 .. NP_CREW_MAX. Each member is that thread's own. */
NP_FOR_REPORT void np_crew_run(unsigned threads, void (*work)(np_crew_member *member, void *context), void *context);

/*
 * The next task. Does parts of it, and returns when all are done: do_part(context, thread, part) once for each part <
 * parts, at least one, by some of the threads. A thread that comes late finds the task done.
 */
void np_crew_do(np_crew_member *member, uint32_t parts, void (*do_part)(void *context, unsigned thread, uint32_t part),
                void *context);

#endif
