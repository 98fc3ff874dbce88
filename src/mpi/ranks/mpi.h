/* The inside of an np_mpi, for the rooms of this wing. */
#ifndef NP_MPI_RANKS_MPI_H
#define NP_MPI_RANKS_MPI_H

#include "base/job.h"
#include "netpram/mpi.h"

/* Counts of this rank alone; what it keeps for itself does not count. */
typedef struct np_mpi_counts {
    uint64_t rounds, messages_sent, messages_received, bytes_sent, bytes_received;
} np_mpi_counts;

struct np_mpi {
    MPI_Comm comm; /* our duplicate; its errors are returned */
    int rank, size;
    uint64_t seed;
    uint64_t piece; /* most bytes of a message */
    np_mpi_counts counts;
    np_job job;             /* this object, as the rest of the library sees it */
    uint64_t *bytes;        /* [2 * size] of np_mpi_sizes */
    np_job_part *part;      /* [2 * size] of np_job.move and np_job.gather */
    unsigned char *arrived; /* what np_job.exchange received last */
    size_t arrived_room;
    MPI_Request *request; /* of np_mpi_move */
    size_t requests_room;
    char agreed[512]; /* the last message that all ranks have: it is not prefixed again */
};

/* NP_OK for MPI_SUCCESS; else raises MPI's own text: "MPI_Alltoall: ...". */
np_status np_mpi_check(int code, const char *call) NP_CHECKED;

/* in[r] = what rank r has in its out[this rank]. Both [size]. */
np_status np_mpi_sizes(np_mpi *mpi, const uint64_t *out, uint64_t *in) NP_CHECKED;

/*
 * Sends out[r] to each other rank, and receives in[r].bytes bytes from it into in[r].data; who sends and who receives
 * agree on the bytes. Messages are cut into pieces, and nothing is sent where there is nothing. A round of the
 * statistics. Errors are of this rank alone.
 */
np_status np_mpi_move(np_mpi *mpi, const np_job_part *out, const np_job_part *in) NP_CHECKED;

/* job.c: the functions of np_mpi.job. */
void np_mpi_job_init(np_mpi *mpi);

#endif
