/*
 * Ranks that are threads of one process (src/base/job.h), so that what ranks share can be tested without a transport.
 * What is sent is copied. Ranks get what others have sent in an order that changes from exchange to exchange, since
 * they must not depend on it. A rank that calls another function than the others, or other counts, ends the process
 * with a message.
 */
#ifndef NP_ORACLE_JOB_H
#define NP_ORACLE_JOB_H

#include "base/job.h"

/* Calls work(context, job) on so many ranks at once, and returns when all are done. */
void oracle_job_run(unsigned count, void (*work)(void *context, const np_job *job), void *context);

#endif
