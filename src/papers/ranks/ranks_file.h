/*
 * Ranks of packets in a file: lines "packet rank", one for each packet of the
 * traffic, in any order. Comments at its head say what they are for:
 *
 *     # network butterfly-io:4      # paths rows
 *     # traffic random              # seed 1
 *     # links 0f3a...               # demands 51c2...
 *
 * The last two are sums over the links of the network and the packets of the
 * traffic: a file with these names may have changed. Without them the names
 * are compared.
 */
#pragma once

#include <stdio.h>

#include "base/status.h"
#include "netpram/traffic.h"

/* What the ranks are for. */
typedef struct np_ranks_about {
    const char *network, *traffic, *paths; /* specs and names */
    uint64_t seed;
    uint64_t links, demands;    /* np_ranks_links, np_ranks_demands */
    uint32_t queue_size, range; /* q, R */
    np_step steps;              /* the most that a run takes; 0: not known */
} np_ranks_about;

/* Sums that tell networks, and traffic, apart. Never 0. */
uint64_t np_ranks_links(const np_network *network);
uint64_t np_ranks_demands(const np_traffic *traffic);

/* Errors of the stream are found later, by np_output_commit or np_output_check. */
void np_ranks_write(const np_ranks_about *about, const uint32_t *rank, np_packet packets, FILE *stream);

/*
 * *rank = [packets] from the file; free with np_memory_free.
 * @param about  what the ranks must be for: its queue_size, range and steps are not used
 * @return NP_ERROR_INPUT: they are for something else, or the file does not say for what; with the line: the line has
 *         another format, no packet has this number, the rank is outside 1..range, or a packet comes twice or not at
 *         all; NP_ERROR_IO, NP_ERROR_LIMIT and NP_ERROR_MEMORY as np_text_read
 */
np_status np_ranks_read(const char *path, const np_ranks_about *about, np_packet packets, uint32_t range,
                        uint32_t **rank) NP_CHECKED;

/* Does the head say that the ranks are for this? Error messages call the data `name`. NP_ERROR_INPUT */
np_status np_ranks_check(const char *name, const char *data, size_t length, const np_ranks_about *about) NP_CHECKED;

/* *steps = the most steps of a run, as the comment at the file's head says; 0: it does not. Fails as np_text_read. */
np_status np_ranks_read_claim(const char *path, np_step *steps) NP_CHECKED;

/* The lines without the head, from data[0..length). Error messages call the data `name`. */
np_status np_ranks_parse(const char *name, const char *data, size_t length, np_packet packets, uint32_t range,
                         uint32_t **rank) NP_CHECKED;

/* ---- The instance that ranks or a schedule are for: copies of its texts, in the object that the caller gets ---- */

typedef struct np_instance {
    char *network, *traffic; /* specs */
    char *file;              /* that the ranks or the schedule were loaded from; NULL: they were found */
} np_instance;

/* file may be NULL. NP_ERROR_MEMORY; np_instance_clear is to be called in any case. */
np_status np_instance_init(np_instance *instance, const np_network *network, const np_traffic *traffic,
                           const char *file) NP_CHECKED;
void np_instance_clear(np_instance *instance);

/* Writes a spec on one line of a comment, even if the name of a file in it holds control characters. */
void np_instance_write(const char *word, const char *spec, FILE *stream);
