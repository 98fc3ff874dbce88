/* The rows of a network that is given by its links. */
#ifndef NP_NETWORK_ROWS_H
#define NP_NETWORK_ROWS_H

#include "model/network/network.h"

/* Links as arrays: what the rows of a network are made of. */
typedef struct np_link_lists {
    size_t count;
    const np_node *from, *to;
    const uint32_t *width; /* parallel links of each entry; NULL: 1 */
    bool undirected;       /* every entry is a link each way; a loop is one link */
} np_link_lists;

/* Fills ports, counts and rows of a network whose `nodes` are set. Checks the memory before it takes any. */
np_status np_network_build_rows(np_network *network, const np_link_lists *lists) NP_CHECKED;

/* After that: by_link[l] = of_entry[i] for all links l of entry i. by_link: [link_numbers] */
np_status np_network_spread(const np_network *network, const np_link_lists *lists, const double *of_entry,
                            double *by_link) NP_CHECKED;

#endif
