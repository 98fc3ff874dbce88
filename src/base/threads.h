/* How many threads a call has, and whether the system starts them. */
#ifndef NP_BASE_THREADS_H
#define NP_BASE_THREADS_H

#include <stdint.h>

#include "base/account.h"
#include "base/export.h"
#include "base/status.h"

/* Bytes of stack that the functions of one thread take at most. tests/cli/stack holds them to it. */
enum { NP_THREADS_STACK = 256 << 10 };

/*
 * *out = how many threads a call has. If `asked` is 0: one a processor, but at most `worth`, no more than the system
 * starts, and no more than limits of the process have room for beside the work. Else the number asked for.
 *
 * The runtime of OpenMP ends the process if it cannot start a thread, and threads with a small stack crash. So as many
 * threads as are wanted are started and ended here, the first time in the process that there are so many. If nobody asked
 * for them, fewer that were started are remembered, and serve all later calls that nobody asks to have more.
 *
 * NP_ERROR_LIMIT: the system does not start so many (the message names how many), or gives them a smaller stack than
 * NP_THREADS_STACK.
 */
NP_FOR_REPORT np_status np_threads_choose(unsigned asked, uint64_t worth, unsigned *out) NP_CHECKED;

/*
 * How many threads a team of `wanted` threads may have now, 1 .. wanted: fewer if the system refuses some since they
 * were chosen, as where the work has taken the memory that a limit leaves. For the clause num_threads of every team.
 * Teams that a client starts between two calls are not seen: the runtime may have ended threads that are counted here.
 */
unsigned np_threads_team(unsigned wanted);

/*
 * The clauses of every team of threads, "#pragma omp parallel NP_TEAM(threads)": at most so many threads, with the account
 * of the thread that starts them. NP_TEAM_OF takes a number that np_threads_team has given.
 */
#define NP_TEAM(wanted) NP_TEAM_OF(np_threads_team(wanted))
#define NP_TEAM_OF(threads) num_threads((int)(threads)) copyin(np_account_of_thread)

#endif
