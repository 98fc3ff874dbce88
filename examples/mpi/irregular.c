/*
 * An irregular exchange, which MPI_Alltoallv does on one side and netpram on the other: rank r has r + 2 * t + 1
 * numbers for rank t.
 *
 *     mpirun -n 4 irregular
 */
#include <stdio.h>
#include <stdlib.h>

#include <netpram/mpi.h>

int main(int argc, char **argv)
{
    int rank, ranks, right = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);

    /* What each rank sends and receives, and where it lies. */
    MPI_Count *counts = malloc(2 * (size_t)ranks * sizeof *counts);
    MPI_Aint *places = malloc(2 * (size_t)ranks * sizeof *places), sent = 0, received = 0;
    for (int r = 0; r < ranks; r++) {
        counts[r] = rank + 2 * r + 1;
        counts[ranks + r] = r + 2 * rank + 1;
        places[r] = sent;
        places[ranks + r] = received;
        sent += (MPI_Aint)counts[r];
        received += (MPI_Aint)counts[ranks + r];
    }
    double *out = malloc((size_t)sent * sizeof *out), *in = malloc((size_t)received * sizeof *in);
    for (int r = 0; r < ranks; r++)
        for (MPI_Count i = 0; i < counts[r]; i++)
            out[places[r] + i] = rank + 1000.0 * r;

    /* Instead of MPI_Alltoallv(out, ..., in, ..., MPI_COMM_WORLD): */
    np_mpi *mpi;
    np_mpi_exchange_result result;
    np_status st = np_mpi_create(MPI_COMM_WORLD, NULL, &mpi);
    if (!st)
        st = np_mpi_alltoallv(mpi, out, counts, places, MPI_DOUBLE, in, counts + ranks, places + ranks, MPI_DOUBLE,
                              NULL, &result);
    if (st)
        fprintf(stderr, "irregular: %s\n", np_last_error());
    np_mpi_free(mpi);

    for (int r = 0; r < ranks && !st; r++)
        for (MPI_Count i = 0; i < counts[ranks + r]; i++)
            right &= in[places[ranks + r] + i] == r + 1000.0 * rank;
    if (!rank && !st)
        printf("%s, %s: %s\n", right ? "right" : "wrong", result.method == NP_MPI_DIRECT ? "direct" : "two phases",
               result.why);
    free(in);
    free(out);
    free(places);
    free(counts);
    MPI_Finalize();
    return st || !right;
}
