/* netpram-mpi: the command on the ranks of MPI. Rank 0 alone has a standard output and a standard error. */
#include <stdio.h>
#include <stdlib.h>

#include "command.h"
#include "job.h"
#include "mpi/ranks/mpi.h"

static np_mpi *mpi;

/* At the end, whoever calls exit: --help does. */
static void finish(void)
{
    np_mpi_free(mpi);
    MPI_Finalize();
}

static int be_silent(void) { return !freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr); }

int main(int argc, char **argv)
{
    int threads;
    if (MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &threads)) /* which says why */
        return CLI_BAD_INPUT;
    atexit(finish);
    if (np_mpi_create(MPI_COMM_WORLD, NULL, &mpi))
        return cli_fail_last();
    if (np_mpi_rank(mpi) && be_silent())
        return CLI_BAD_INPUT;
    int status = cli_main(argc, argv, np_mpi_job(mpi));
    return np_mpi_rank(mpi) ? 0 : status; /* launchers kill the others as soon as one fails, while rank 0 says why */
}
