/* See job.h. */
#include "job.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/job.h"
#include "command.h"

/* How launchers tell a process its number. The first whose size is there counts. */
static const struct {
    const char *size, *rank;
} launchers[] = {
    {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"}, /* Open MPI */
    {"PMI_SIZE", "PMI_RANK"},                         /* MPICH's Hydra, Intel MPI, srun --mpi=pmi2 */
    {"MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_RANK"},   /* MVAPICH */
    {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID"},         /* srun without MPI */
};

static struct {
    char **argv, *verb; /* the verb's word is replaced for its --help */
    const np_job *mpi;
    uint32_t rank, size;
    bool works;
} job = {.size = 1};

/* A variable's whole number; `otherwise` if it is not set, or is none. */
static uint32_t number(const char *variable, uint32_t otherwise)
{
    const char *text = getenv(variable);
    char *end;
    if (!text || *text < '0' || *text > '9')
        return otherwise;
    unsigned long value = strtoul(text, &end, 10);
    return *end || value > UINT32_MAX ? otherwise : (uint32_t)value;
}

void cli_job_begin(char **argv, const np_job *mpi)
{
    job.argv = argv;
    job.verb = argv[0] ? argv[1] : NULL;
    job.mpi = mpi;
    if (mpi) {
        job.rank = mpi->rank;
        job.size = mpi->size;
        return;
    }
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++)
        if ((job.size = number(launchers[i].size, 1)) > 1) {
            job.rank = number(launchers[i].rank, 0);
            return;
        }
}

const np_job *cli_job_mpi(void) { return job.mpi; }

uint32_t cli_job_rank(void) { return job.rank; }

uint32_t cli_job_size(void) { return job.size; }

void cli_job_works(void) { job.works = true; }

bool cli_job_speaks(void) { return !job.rank || job.works; }

int cli_job_agree(int status)
{
    if (!np_job_agree(job.mpi, status ? np_status_raise(NP_ERROR_INPUT, "%s", np_last_error()) : NP_OK))
        return 0;
    return status ? status : cli_fail_last();
}

int cli_job_needs_mpi(void)
{
    char path[PATH_MAX];
    if (job.mpi)
        return 0;
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - sizeof "-mpi");
    if (length > 0) {
        memcpy(path + length, "-mpi", sizeof "-mpi");
        job.argv[1] = job.verb;
        execv(path, job.argv);
    }
    if (length > 0 && errno != ENOENT)
        return cli_fail("netpram-mpi, which stands beside this command, cannot be started: %s", strerror(errno));
    return cli_fail("this netpram has no netpram-mpi beside it: build it where MPI is found (libopenmpi-dev or "
                    "libmpich-dev)");
}

int cli_job_enter(cli_job_kind kind, const char *verb)
{
    if (job.size == 1)
        return 0;
    if (kind == CLI_JOB_SHARED)
        return job.rank && !freopen("/dev/null", "w", stdout) ? CLI_BAD_INPUT : 0;
    if (kind == CLI_JOB_DIVIDED)
        return cli_job_needs_mpi();
    return cli_fail("'%s' is not divided over processes, and %lu were started: start it once, without mpirun", verb,
                    (unsigned long)job.size);
}
