/* See torn.h. Switches that no packet needs do not matter. */
#include "verdict/compare/torn.h"

#include "base/memory.h"
#include "model/network/search.h"

static bool reaches_all(const np_network *network, const uint32_t *distance)
{
    for (uint32_t i = 0; i < network->terminals; i++)
        if (distance[np_network_output(network, i)] == NP_NONE)
            return false;
    return true;
}

np_status np_compare_torn(const np_network *network, bool *torn)
{
    uint32_t *distance = NULL;
    np_search search;
    np_status st = np_search_init(&search, network);
    *torn = false;
    if (!st)
        st = np_memory_array(&distance, network->nodes, sizeof *distance, "distances");
    for (uint32_t i = 0; i < network->terminals && !st && !*torn; i++) {
        np_search_distances(&search, np_network_input(network, i), false, distance);
        *torn = !reaches_all(network, distance);
    }
    np_memory_free(distance);
    np_search_clear(&search);
    return st;
}
