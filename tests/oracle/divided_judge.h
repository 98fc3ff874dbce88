/* A program that is divided over ranks (oracle/job.h), against one process on the ideal machine. */
#ifndef ORACLE_DIVIDED_JUDGE_H
#define ORACLE_DIVIDED_JUDGE_H

#include "netpram/script.h"

enum { ORACLE_DIVIDED_RANKS = 16 };

/* What is run. Machine, shares, threads and the printing of the options are set by the judge. */
typedef struct oracle_divided {
    const np_script *script;
    np_pram_options pram;
    np_script_options options;
} oracle_divided;

oracle_divided oracle_divided_of(const np_script *script, np_access_rule rule, uint64_t seed, uint64_t n);

/*
 * Fails the test unless each rank says what one process says, to the byte: status and message with its place, answers
 * and what is printed (on rank 0; nothing elsewhere), costs, also of lines, violations with their places, and notes.
 * Where one process has no memory, the ranks need only end. Returns the status of the one process.
 */
np_status oracle_judge_divided(const oracle_divided *run, uint32_t ranks);

/* The same of one rank of a job, which all of its ranks call. */
np_status oracle_judge_rank(const oracle_divided *run, const np_job *job);

#endif
