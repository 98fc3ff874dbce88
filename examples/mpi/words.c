/*
 * words PATTERN REQUESTS: how many fetch-and-adds a second a memory on all ranks answers, by netpram's shared array and
 * by MPI_Fetch_and_op. The pattern says to which words they go:
 *
 *     uniform      to any
 *     hot          all to one
 *
 *     mpirun -n 4 words hot 100000
 *
 * Rank 0 prints a line "METHOD RATE" each, in million requests a second of all ranks, the fastest of 3 (other work only
 * makes it slower): by an array whose requests combine, by one whose requests do not, and by MPI_Fetch_and_op, of which
 * a rank makes a hundredth as many: each is a message, and more would take minutes where links are slow.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <netpram/mpi.h>

enum { TIMES = 3, WORDS = 1 << 16 /* of a rank */, FEWER = 100 };

static int rank, ranks;

typedef struct requests {
    np_mpi *mpi;
    np_mpi_array *array;
    MPI_Win window; /* for MPI_Fetch_and_op */
    int64_t *words; /* its memory */
    uint64_t count, *address;
    np_word *value;
} requests;

/* Which word request i is for. */
static uint64_t pick(const char *pattern, uint64_t i)
{
    const uint64_t words = (uint64_t)ranks * WORDS;
    if (!strcmp(pattern, "hot"))
        return words / 3;
    uint64_t x = (i * (uint64_t)ranks + (uint64_t)rank) * UINT64_C(0x9e3779b97f4a7c15); /* the steps of splitmix64 */
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    return (x ^ x >> 27) % words;
}

static np_status by_array(const requests *r, uint64_t *made)
{
    *made = r->count;
    return np_mpi_array_fetch(r->array, NP_MPI_ADD, r->count, r->address, r->value);
}

static np_status by_mpi(const requests *r, uint64_t *made)
{
    const int64_t one = 1;
    *made = r->count / FEWER + 1;
    MPI_Win_lock_all(0, r->window);
    for (uint64_t i = 0; i < *made; i++)
        MPI_Fetch_and_op(&one, &r->value[i], MPI_INT64_T, (int)(r->address[i] / WORDS),
                         (MPI_Aint)(r->address[i] % WORDS), MPI_SUM, r->window);
    MPI_Win_unlock_all(r->window);
    return NP_OK;
}

static np_status time_it(const requests *r, const char *name, np_status (*call)(const requests *, uint64_t *))
{
    uint64_t made = 0;
    double fastest = 1e9;
    np_status st = NP_OK;
    for (int i = 0; i <= TIMES && !st; i++) { /* the first one opens connections */
        for (uint64_t k = 0; k < r->count; k++)
            r->value[k] = 1;
        MPI_Barrier(MPI_COMM_WORLD);
        double seconds = -MPI_Wtime();
        st = call(r, &made);
        seconds += MPI_Wtime();
        MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        fastest = i && seconds < fastest ? seconds : fastest;
    }
    if (!st && !rank)
        printf("%-12s %10.3f\n", name, (double)made * ranks / fastest * 1e-6);
    fflush(stdout);
    return st;
}

static np_status by_combining(requests *r, const char *name, np_mpi_combining combining)
{
    np_mpi_array_options options;
    np_mpi_array_options_init(&options);
    options.combining = combining;
    np_status st = np_mpi_array_create(r->mpi, (uint64_t)ranks * WORDS, &options, &r->array);
    if (!st)
        st = time_it(r, name, by_array);
    np_mpi_array_free(r->array);
    return st;
}

/* All calls were answered, if the word has what was added to it: `made` by each rank in each of the calls. */
static int is_right(const requests *r, uint64_t made)
{
    int64_t sum = 0;
    for (int i = 0; i < WORDS; i++)
        sum += r->words[i];
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    return (uint64_t)sum == made * (TIMES + 1) * (uint64_t)ranks;
}

static np_status run(requests *r)
{
    np_status st;
    MPI_Win_allocate(WORDS * sizeof *r->words, sizeof *r->words, MPI_INFO_NULL, MPI_COMM_WORLD, &r->words, &r->window);
    memset(r->words, 0, WORDS * sizeof *r->words);
    if (!(st = by_combining(r, "combining", NP_MPI_COMBINE_AUTO)) &&
        !(st = by_combining(r, "separate", NP_MPI_COMBINE_NEVER)) && !(st = time_it(r, "fetch-and-op", by_mpi)) &&
        !is_right(r, r->count / FEWER + 1))
        fprintf(stderr, "words: MPI_Fetch_and_op lost some\n");
    MPI_Win_free(&r->window);
    return st;
}

int main(int argc, char **argv)
{
    requests r = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const char *pattern = argc > 1 ? argv[1] : "hot";
    r.count = argc > 2 ? strtoull(argv[2], NULL, 10) : 1000;
    r.address = calloc(r.count + 1, sizeof *r.address);
    r.value = calloc(r.count + 1, sizeof *r.value);
    for (uint64_t i = 0; i < r.count; i++)
        r.address[i] = pick(pattern, i);
    if (np_mpi_create(MPI_COMM_WORLD, NULL, &r.mpi) || run(&r))
        fprintf(stderr, "words: %s\n", np_last_error());
    np_mpi_free(r.mpi);
    free(r.address);
    free(r.value);
    MPI_Finalize();
    return 0;
}
