/*
 * Ranks of a job, as threads of one process, which meet at barriers: for tests of what is divided over ranks. Of np_job
 * they have meet, move, gather and sent.
 * A rank that calls another function than the others, or other counts, ends the process with a message.
 */
#ifndef ORACLE_RANKS_H
#define ORACLE_RANKS_H

#include "base/job.h"

/* Calls work(context, job) on each of the ranks, 1 .. 16, at once; returns when all have returned. */
void oracle_ranks_run(uint32_t ranks, void (*work)(void *context, const np_job *job), void *context);

#endif
