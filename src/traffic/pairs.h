/* Lists of pairs from the text of "file:PATH". The file is read elsewhere, so that the parser can be fuzzed. */
#ifndef NP_TRAFFIC_PAIRS_H
#define NP_TRAFFIC_PAIRS_H

#include "traffic/traffic.h"

/*
 * Fills an empty traffic: packets, source, destination and, if some line has a
 * priority, priority. After an error the traffic can only be freed.
 *
 * @param name   of the file, for messages; ".mtx" at its end asks for Matrix Market
 * @param text   [length], borrowed
 * @param limit  most packets to make, at most NP_PACKETS_MAX
 * @return NP_ERROR_INPUT with "name:line: ...", NP_ERROR_LIMIT, NP_ERROR_MEMORY
 */
np_status np_pairs_parse(const char *name, const char *text, size_t length, const np_network *network, uint64_t limit,
                         np_traffic *traffic) NP_CHECKED;

#endif
