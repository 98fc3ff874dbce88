/*
 * What the tests that run on ranks share: cmocka on every rank. All ranks run the same tests in the same order; a check
 * that fails on one aborts it (CMOCKA_TEST_ABORT of tests/mpi/run), and the launcher ends the others. Only rank 0 tells
 * of the tests that passed.
 */
#ifndef TEST_MPI_TEST_H
#define TEST_MPI_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>
#include <mpi.h>

#include "netpram/mpi.h"

enum { MOST_RANKS = 16 };

static int me, ranks; /* of MPI_COMM_WORLD */

/* Ranks of all processes; piece: most bytes of a message, 0: as many as MPI can count. */
static inline np_mpi *make_ranks(uint64_t piece)
{
    np_mpi_options options;
    np_mpi *mpi;
    np_mpi_options_init(&options);
    options.piece = piece;
    if (np_mpi_create(MPI_COMM_WORLD, &options, &mpi))
        fail_msg("%s", np_last_error());
    return mpi;
}

static inline int on_ranks(int *argc, char ***argv, const struct CMUnitTest *tests, size_t count)
{
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (me && !freopen("/dev/null", "w", stdout))
        return 1;
    int failed = _cmocka_run_group_tests("ranks", tests, count, NULL, NULL);
    MPI_Finalize();
    return failed;
}

#endif
