/* The inside of the exchange: blocks that are checked and agreed on, and the methods that move them. */
#pragma once

#include <stdbool.h>

#include "mpi/ranks/mpi.h"

/*
 * choose.c: sets method, why and the seconds of the result. An error of a rank must have been agreed on before. total:
 * the bytes of all ranks, without those that they keep for themselves.
 */
np_status np_mpi_choose(np_mpi *mpi, const np_mpi_exchange_options *options, const np_mpi_part *out,
                        const np_mpi_part *in, uint64_t total, np_mpi_exchange_result *result) NP_CHECKED;

/*
 * two_phase.c: makes the room for what each rank must have before it hears of the others. An error is this rank's own;
 * it must have been agreed on before np_mpi_two_phase, which then does not fail for it.
 */
np_status np_mpi_two_phase_room(np_mpi *mpi, const np_mpi_part *out, const np_mpi_part *in) NP_CHECKED;

/*
 * two_phase.c: moves out[r], for each other rank r, to their in[this rank], whose sizes both ends know. total: bytes of
 * all ranks. Sets attempts and held of the result. Errors are those of all ranks.
 */
np_status np_mpi_two_phase(np_mpi *mpi, const np_mpi_part *out, const np_mpi_part *in, uint64_t total, uint64_t room,
                           np_mpi_exchange_result *result) NP_CHECKED;

/* choose.c: may it be two phases that are chosen? */
bool np_mpi_may_pass_on(const np_mpi *mpi, const np_mpi_exchange_options *options);
