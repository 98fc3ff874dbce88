/* The parts of a network, by one search from each. */
#include "network/parts.h"

#include <stdlib.h>

#include "base/memory.h"
#include "network/search.h"

static int by_size(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? 1 : -(x > y);
}

/* part: [nodes] the part of each node */
static np_status fill(np_network_parts *parts, const uint32_t *part, np_node nodes)
{
    np_status st;
    if ((st = np_memory_zeroed(&parts->size, parts->parts, sizeof *parts->size, "the parts of a network")) ||
        (st = np_memory_array(&parts->single, nodes, sizeof *parts->single, "the nodes that are alone")))
        return st;
    for (np_node u = 0; u < nodes; u++)
        parts->size[part[u]]++;
    for (np_node u = 0; u < nodes; u++)
        if (parts->size[part[u]] == 1)
            parts->single[parts->alone++] = u;
    qsort(parts->size, parts->parts, sizeof *parts->size, by_size);
    return NP_OK;
}

np_status np_network_parts_find(const np_network *network, np_network_parts *parts)
{
    np_search search = {0};
    uint32_t *part = NULL;
    *parts = (np_network_parts){0};
    np_status st = np_search_init(&search, network);
    if (!st && !(st = np_memory_array(&part, network->nodes, sizeof *part, "the parts of a network"))) {
        parts->parts = np_search_parts(&search, part);
        st = fill(parts, part, network->nodes);
    }
    np_memory_free(part);
    np_search_clear(&search);
    return st;
}

void np_network_parts_clear(np_network_parts *parts)
{
    np_memory_free(parts->size);
    np_memory_free(parts->single);
}
