/*
 * An exchange of which receivers know nothing: every rank writes a line to the ranks whose numbers divide its own.
 *
 *     mpirun -n 7 sparse
 */
#include <stdio.h>
#include <stdlib.h>

#include <netpram/mpi.h>

int main(int argc, char **argv)
{
    int rank, ranks, expected = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);

    np_mpi_message *out = malloc((size_t)ranks * sizeof *out);
    size_t count = 0, arrived = 0;
    char line[32];
    int length = snprintf(line, sizeof line, "greetings from %d", rank);
    for (int r = 1; r < rank; r++)
        if (rank % r == 0)
            out[count++] = (np_mpi_message){r, line, (uint64_t)length};

    np_mpi *mpi;
    const np_mpi_message *in;
    np_status st = np_mpi_create(MPI_COMM_WORLD, NULL, &mpi);
    if (!st)
        st = np_mpi_alltoall_sparse(mpi, out, count, &in, &arrived);
    if (st)
        fprintf(stderr, "sparse: %s\n", np_last_error());
    for (size_t i = 0; i < arrived; i++) /* in order of their sources */
        printf("rank %d has from %d: %.*s\n", rank, in[i].rank, (int)in[i].bytes, (const char *)in[i].data);
    for (int r = rank + 1; r < ranks; r++)
        expected += rank && r % rank == 0;
    np_mpi_free(mpi);
    free(out);
    MPI_Finalize();
    return st || arrived != (size_t)expected;
}
