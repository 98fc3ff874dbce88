/*
 * A histogram whose bins are on all ranks. Half of all samples fall into one bin: a loop of MPI_Fetch_and_op or
 * MPI_Accumulate would send each of them to the rank that has it. Here they meet before they leave their rank.
 *
 *     mpirun -n 4 histogram
 */
#include <stdio.h>
#include <stdlib.h>

#include <netpram/mpi.h>

enum { SAMPLES = 100000, BINS = 1000 };

int main(int argc, char **argv)
{
    int rank, ranks, right = 1;
    uint64_t *bin = malloc(SAMPLES * sizeof *bin), mine = 0, all = 0;
    np_word *one = malloc(SAMPLES * sizeof *one);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (uint64_t i = 0; i < SAMPLES; i++) {
        bin[i] = i % 2 ? 7 : (i * 31 + (uint64_t)rank) % BINS;
        one[i] = 1;
    }

    /* Instead of a loop of MPI_Accumulate(&one, 1, ..., rank of the bin, place there, ..., MPI_SUM, window): */
    np_mpi *mpi;
    np_mpi_array *bins = NULL;
    np_mpi_array_report report = {0};
    np_status st = np_mpi_create(MPI_COMM_WORLD, NULL, &mpi);
    if (!st && !(st = np_mpi_array_create(mpi, BINS, NULL, &bins)))
        st = np_mpi_array_update(bins, NP_MPI_ADD, SAMPLES, bin, one);

    if (!st)
        st = np_mpi_array_report_get(bins, &report);
    if (st)
        fprintf(stderr, "histogram: %s\n", np_last_error());

    /* Each rank looks at the bins that it has. */
    for (size_t i = 0; !st && i < np_mpi_array_runs(bins); i++) {
        np_mpi_run run = np_mpi_array_run(bins, i);
        for (uint64_t k = 0; k < run.count; k++) {
            mine += (uint64_t)run.word[k];
            right &= run.address + k != 7 || run.word[k] >= (np_word)ranks * SAMPLES / 2;
        }
    }
    MPI_Allreduce(&mine, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    right &= all == (uint64_t)ranks * SAMPLES;
    if (!rank && !st)
        printf("%llu samples, %s: %llu of the requests left with another one\n", (unsigned long long)all,
               right ? "right" : "wrong", (unsigned long long)report.combined);
    np_mpi_array_free(bins);
    np_mpi_free(mpi);
    free(one);
    free(bin);
    MPI_Finalize();
    return st || !right;
}
