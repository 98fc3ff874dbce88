/*
 * Ranks of packets in a file: lines "packet rank", one for each packet of the
 * traffic, in any order; a comment at its head says what they are for.
 */
#ifndef NP_ROUTE_RANKS_FILE_H
#define NP_ROUTE_RANKS_FILE_H

#include <stdio.h>

#include "base/status.h"
#include "netpram/base.h"

/* What ranks are for: for the comment alone. */
typedef struct np_ranks_about {
    const char *network, *traffic; /* specs */
    uint64_t seed;
    uint32_t queue_size, range; /* q, R */
    np_step steps;              /* that a run takes at most; 0: not known */
} np_ranks_about;

/* The stream's own errors are for np_output_commit or np_output_check to find. */
void np_ranks_write(const np_ranks_about *about, const uint32_t *rank, np_packet packets, FILE *stream);

/*
 * *rank = [packets] from the file; free with np_memory_free. NP_ERROR_INPUT, with the line, for what is not a
 * line of that format, a packet of another number, a rank outside 1..range, a packet that comes twice or
 * not at all; NP_ERROR_IO, NP_ERROR_LIMIT and NP_ERROR_MEMORY as np_text_read.
 */
np_status np_ranks_read(const char *path, np_packet packets, uint32_t range, uint32_t **rank) NP_CHECKED;

/* *steps = what the comment at the file's head says that a run takes at most; 0 if it says nothing. As np_text_read. */
np_status np_ranks_read_claim(const char *path, np_step *steps) NP_CHECKED;

/* The same as np_ranks_read from data[0..length); name is what messages call it. */
np_status np_ranks_parse(const char *name, const char *data, size_t length, np_packet packets, uint32_t range,
                         uint32_t **rank) NP_CHECKED;

#endif
