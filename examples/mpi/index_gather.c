/*
 * Index-gather: a table is too large for one rank, and every rank reads entries of it all over the place. Instead of a
 * loop of MPI_Get, one call.
 *
 *     mpirun -n 4 index_gather
 */
#include <stdio.h>
#include <stdlib.h>

#include <netpram/mpi.h>

enum { EACH = 50000 };

int main(int argc, char **argv)
{
    int rank, ranks, right = 1;
    uint64_t *index = malloc(EACH * sizeof *index);
    np_word *value = malloc(EACH * sizeof *value);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const uint64_t entries = (uint64_t)ranks * EACH;

    /* A rank fills its own part of the table: in blocks, that is a range. */
    np_mpi *mpi;
    np_mpi_array *table = NULL;
    np_mpi_array_options options;
    np_mpi_array_options_init(&options);
    options.layout = NP_MPI_BLOCKS;
    np_status st = np_mpi_create(MPI_COMM_WORLD, NULL, &mpi);
    if (!st)
        st = np_mpi_array_create(mpi, entries, &options, &table);
    for (size_t i = 0; !st && i < np_mpi_array_runs(table); i++) {
        np_mpi_run run = np_mpi_array_run(table, i);
        for (uint64_t k = 0; k < run.count; k++)
            run.word[k] = (np_word)(3 * (run.address + k) + 1);
    }

    for (uint64_t i = 0; i < EACH; i++)
        index[i] = (i * 7919 + (uint64_t)rank * 104729) % entries;
    if (!st)
        st = np_mpi_array_read(table, EACH, index, value);
    if (st)
        fprintf(stderr, "index_gather: %s\n", np_last_error());

    for (uint64_t i = 0; !st && i < EACH; i++)
        right &= value[i] == (np_word)(3 * index[i] + 1);
    MPI_Allreduce(MPI_IN_PLACE, &right, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (!rank && !st)
        printf("%llu entries, %s\n", (unsigned long long)entries, right ? "right" : "wrong");
    np_mpi_array_free(table);
    np_mpi_free(mpi);
    free(value);
    free(index);
    MPI_Finalize();
    return st || !right;
}
