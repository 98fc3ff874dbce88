/*
 * A trace: packets with their times, from a file that is read once, from its beginning to its end. What has been read
 * is kept in a temporary file, in blocks of packets of one terminal, so that each terminal's packets are found by their
 * numbers. Memory: two blocks a terminal, and 4 bytes for each block in the file.
 *
 * The first line names the columns, each once, as in a list of flows: time (np_list_times), source, destination and, if
 * it is there, size (or flits, packets). Times are whole cycles, 4,000,000,000 at most, and do not descend. A size is
 * flits, 1 if there is no such column.
 */
#pragma once

#include <string.h>

#include "model/traffic/arrivals.h"

typedef struct np_trace np_trace;

/* The file of traffic "trace:FILE"; NULL: it is other traffic. */
static inline const char *np_trace_file(const char *traffic)
{
    static const char begin[] = "trace:";
    return strncmp(traffic, begin, sizeof begin - 1) ? NULL : traffic + sizeof begin - 1;
}

/*
 * single: a packet is a flit, and a line with size n is n packets. The path "-" is standard input. NP_ERROR_INPUT names
 * the line; NP_ERROR_LIMIT: 2^32 blocks; NP_ERROR_IO, NP_ERROR_MEMORY.
 */
np_status np_trace_open(const char *path, const np_network *network, bool single, np_trace **out) NP_CHECKED;
void np_trace_free(np_trace *trace);

/*
 * The k-th packet of a terminal; false: it has no more, or the temporary file could not be read (np_trace_status). One
 * thread a terminal at a time.
 */
bool np_trace_next(np_trace *trace, np_node terminal, uint64_t k, np_arrival *out);
np_status np_trace_status(const np_trace *trace) NP_CHECKED;

/* What a terminal sends. */
uint64_t np_trace_flits(const np_trace *trace, np_node terminal);

typedef struct np_trace_counts {
    uint64_t packets, flits;
    np_step last;     /* the last time */
    uint32_t longest; /* packet */
} np_trace_counts;
np_trace_counts np_trace_total(const np_trace *trace);
