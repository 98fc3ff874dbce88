/*
 * Sorts records on all ranks: each rank has measurements of some stations, and afterwards all those of a station are
 * together, in the order of time.
 *
 *     mpicc sort.c $(pkg-config --cflags --libs netpram-mpi) -o sort && mpirun -n 3 ./sort
 */
#include <netpram/mpi.h>
#include <stdlib.h>

typedef struct measurement {
    uint32_t station, time;
    double value;
} measurement;

/* The order: by station, then by time. Measurements of one station and time stay in the order of ranks and places. */
static uint64_t key(const void *record, void *context)
{
    const measurement *m = record;
    (void)context;
    return (uint64_t)m->station << 32 | m->time;
}

int main(int argc, char **argv)
{
    enum { COUNT = 1000, STATIONS = 9 };
    measurement mine[COUNT];
    np_mpi *mpi = NULL;
    np_mpi_sort_options options;
    np_mpi_sorted sorted = {0};
    np_status st;
    MPI_Init(&argc, &argv);
    if ((st = np_mpi_create(MPI_COMM_WORLD, NULL, &mpi)))
        goto out;
    for (uint32_t i = 0; i < COUNT; i++)
        mine[i] = (measurement){.station = i * 7 % STATIONS, .time = COUNT - i, .value = np_mpi_rank(mpi) + i / 1e3};

    np_mpi_sort_options_init(&options);
    options.keys = NP_MPI_KEYS_CALL;
    options.key = key;
    options.record = sizeof *mine;
    if ((st = np_mpi_sort(mpi, COUNT, mine, &options, &sorted)))
        goto out;
    const measurement *first = sorted.records;
    if (sorted.count)
        printf("rank %d has %d measurements, of the stations %u to %u\n", np_mpi_rank(mpi), (int)sorted.count,
               (unsigned)first->station, (unsigned)first[sorted.count - 1].station);
    for (uint64_t i = 1; i < sorted.count; i++)
        if (key(&first[i - 1], NULL) > key(&first[i], NULL))
            st = np_status_raise(NP_ERROR_INTERNAL, "measurement %d is not in order", (int)i);
    st = np_mpi_agree(mpi, st);
out:
    if (st)
        fprintf(stderr, "%s\n", np_last_error());
    np_mpi_sorted_clear(&sorted);
    np_mpi_free(mpi);
    MPI_Finalize();
    return st ? EXIT_FAILURE : EXIT_SUCCESS;
}
