/* Networks from the text of a file of links. The file is read elsewhere, so that the parser can be fuzzed. */
#ifndef NP_NETWORK_LINKS_H
#define NP_NETWORK_LINKS_H

#include "network/network.h"

enum { NP_LINKS_NODES_MAX = 1 << 30 }; /* ours: the rows then take 4 GB; a larger number is a typing error */

/*
 * Fills nodes, ports, counts and rows of an empty network. After an error the
 * network can only be freed.
 *
 * @param name   of the file, for messages; ".mtx" at its end asks for Matrix Market
 * @param text   [length], borrowed
 * @param limit  most nodes to accept, at most NP_LINKS_NODES_MAX
 * @return NP_ERROR_INPUT with "name:line: ...", NP_ERROR_LIMIT, NP_ERROR_MEMORY
 */
np_status np_links_parse(const char *name, const char *text, size_t length, uint64_t limit,
                         np_network *network) NP_CHECKED;

#endif
