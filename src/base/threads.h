/*
 * Threads that share the items of a loop: the only way in which the library works on several processors.
 *
 * Where other processes use the processors, too, the system stops a thread at any time. So nobody waits at a barrier:
 * the caller and the threads that have come take items until none is left, and the caller waits only for items that
 * have begun. A thread that comes late finds nothing to do. Waiting threads sleep after some microseconds.
 *
 * Which thread does an item is left to chance. So items must have the same outcome in whichever thread.
 */
#pragma once

#include "base/status.h"

/* Bytes of stack that the functions of one thread take at most. tests/cli/stack holds them to it. */
enum { NP_THREADS_STACK = 256 << 10 };

/*
 * *out = how many threads a call has. If `asked` is 0: one a processor, but at most `worth`, no more than the system
 * starts, and no more than limits of the process have room for beside the work. Else the number asked for. Threads that
 * are missing are started here, and stay.
 *
 * NP_ERROR_LIMIT: the system does not start so many (the message names how many).
 */
NP_FOR_REPORT np_status np_threads_choose(unsigned asked, uint64_t worth, unsigned *out) NP_CHECKED;

/* Processors that the process may use: by its affinity, and by the quota of its control groups, rounded up. */
NP_FOR_REPORT unsigned np_threads_processors(void);

/* Processors for each of so many processes that share this machine: at least 1. */
unsigned np_threads_share(unsigned processes);

/* An item of a loop. thread: who does it, 0 for the caller. */
typedef void np_threads_item(void *context, unsigned thread, uint32_t item);

/*
 * Does the items 0 .. items-1, each once, on up to `threads` threads with the account of the caller. All are done when
 * it returns. Each thread begins with its own share of neighbours, those of the loop before if loops are alike, and
 * then helps the others. Where the system refuses threads, or the caller is itself in an item, fewer do the work.
 */
NP_FOR_REPORT void np_threads_each(unsigned threads, uint32_t items, np_threads_item *work, void *context);
