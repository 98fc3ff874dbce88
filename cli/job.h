/*
 * The command as one of several processes that a launcher started (mpirun, srun): what is divided among them, what only
 * one of them does, and what is refused, so that nobody gets P copies of a run.
 *
 * `netpram` knows nothing of MPI. Where a job needs it, it becomes `netpram-mpi`, the same command linked with MPI,
 * which stands beside it. Rank 0 alone prints and writes files.
 */
#ifndef CLI_JOB_H
#define CLI_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/job.h"

/* What a verb does where a launcher started several processes. */
typedef enum cli_job_kind {
    CLI_JOB_REFUSED, /* nothing of it is divided */
    CLI_JOB_SHARED,  /* processes take parts of the work by files alone: MPI is not needed */
    CLI_JOB_DIVIDED  /* one run on all ranks of MPI */
} cli_job_kind;

/* The command. mpi: the ranks of MPI, borrowed; NULL: `netpram`, which knows of a launcher by its variables only. */
int cli_main(int argc, char **argv, const np_job *mpi);

/* The ranks of MPI that play one run; NULL: this process alone. */
const np_job *cli_job_mpi(void);

/* Rank and number of processes, by MPI or by the launcher's variables; 0 and 1 without either. */
uint32_t cli_job_rank(void);
uint32_t cli_job_size(void);

/* Before anything else: what was started, and by whom. */
void cli_job_begin(char **argv, const np_job *mpi);

/* May the verb go on here? Otherwise an exit status, after rank 0 has said why. It does not return if it hands over. */
int cli_job_enter(cli_job_kind kind, const char *verb);

/*
 * Of processes that share work by files, rank 0 alone says what is wrong with the command line and the files that it
 * names: all find the same. From cli_job_works on each says what goes wrong in its part.
 */
void cli_job_works(void);
bool cli_job_speaks(void);

/* The exit status of all ranks of MPI: 0 if it is 0 on all; else rank 0 has said why. */
int cli_job_agree(int status);

/* Becomes netpram-mpi, unless this is it. Returns an exit status if there is none. */
int cli_job_needs_mpi(void);

#endif
