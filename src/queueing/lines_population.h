/* The population of a node, from the instants at which packets cross its links. */
#ifndef NP_QUEUEING_LINES_POPULATION_H
#define NP_QUEUEING_LINES_POPULATION_H

#include "network/network.h"

/* The bits of the links into a node and out of it; NULL where there is no link. */
typedef struct np_lines_links {
    const uint64_t *come[2 * NP_MAX_DIMENSIONS], *go[2 * NP_MAX_DIMENSIONS];
    uint32_t words[2 * NP_MAX_DIMENSIONS];
    uint32_t count, longest;
} np_lines_links;

/* Adds the links of place v of a line of `side` nodes. bits: [2][side][words], as crossed[] of lines_sweep.h. */
void np_lines_links_add(np_lines_links *links, const uint64_t *bits, uint32_t side, uint32_t words, uint32_t v);

/* The largest population of a node that begins with `now`, if it exceeds `most`; else most. */
uint32_t np_lines_links_most(const np_lines_links *links, uint32_t now, uint32_t most);

#endif
