/* The inside of the exchange: blocks that are checked and agreed on, and the methods that move them. */
#ifndef NP_MPI_EXCHANGE_EXCHANGE_H
#define NP_MPI_EXCHANGE_EXCHANGE_H

#include "mpi/ranks/mpi.h"

/* What all ranks know of an exchange before it begins. Bytes that a rank keeps for itself do not count. */
typedef struct np_mpi_survey {
    uint64_t total;    /* bytes of all ranks */
    uint64_t most_out; /* most that a rank sends */
    uint64_t most_in;  /* most that a rank receives */
    uint64_t unlike;   /* of a rank's sent or received bytes, most that are above an even spread over the others */
} np_mpi_survey;

/*
 * choose.c: sets method, why and the seconds of the result. An error of a rank must have been agreed on before. The
 * survey has the total; NP_MPI_AUTO completes it, where it must.
 */
np_status np_mpi_choose(np_mpi *mpi, const np_mpi_exchange_options *options, const np_job_part *out,
                        const np_job_part *in, np_mpi_survey *survey, np_mpi_exchange_result *result) NP_CHECKED;

/*
 * two_phase.c: moves out[r], for each other rank r, to their in[this rank], whose sizes both ends know. total: bytes of
 * all ranks. Sets attempts and held of the result. Errors are those of all ranks.
 */
np_status np_mpi_two_phase(np_mpi *mpi, const np_job_part *out, const np_job_part *in, uint64_t total, uint64_t room,
                           np_mpi_exchange_result *result) NP_CHECKED;

#endif
