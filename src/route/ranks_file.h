/*
 * Ranks of packets in a file: lines "packet rank", one for each packet of the
 * traffic, in any order; a comment at its head says what they are for.
 */
#ifndef NP_ROUTE_RANKS_FILE_H
#define NP_ROUTE_RANKS_FILE_H

#include <stdio.h>

#include "base/status.h"
#include "netpram/base.h"

/* What the ranks are for. Used in the comment of the file only. */
typedef struct np_ranks_about {
    const char *network, *traffic, *paths; /* specs and names */
    uint64_t seed;
    uint32_t queue_size, range; /* q, R */
    np_step steps;              /* the most that a run takes; 0: not known */
} np_ranks_about;

/* Errors of the stream are found later, by np_output_commit or np_output_check. */
void np_ranks_write(const np_ranks_about *about, const uint32_t *rank, np_packet packets, FILE *stream);

/*
 * *rank = [packets] from the file; free with np_memory_free.
 * @return NP_ERROR_INPUT, with the line: the line has another format, no packet has this number, the rank is outside
 *         1..range, or a packet comes twice or not at all; NP_ERROR_IO, NP_ERROR_LIMIT and NP_ERROR_MEMORY as
 *         np_text_read
 */
np_status np_ranks_read(const char *path, np_packet packets, uint32_t range, uint32_t **rank) NP_CHECKED;

/* *steps = the most steps of a run, as the comment at the file's head says; 0: it does not. Fails as np_text_read. */
np_status np_ranks_read_claim(const char *path, np_step *steps) NP_CHECKED;

/* As np_ranks_read, from data[0..length). Error messages call the data `name`. */
np_status np_ranks_parse(const char *name, const char *data, size_t length, np_packet packets, uint32_t range,
                         uint32_t **rank) NP_CHECKED;

#endif
