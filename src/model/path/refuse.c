/* What paths are called, and why there is no way from one node to another: the parts that a network has fallen into. */
#include <stdio.h>

#include "base/memory.h"
#include "model/path/finding.h"
#include "model/network/read_node.h"

const char *np_path_name(const np_path *path) { return path->spec ? path->spec : path->rule->info.name; }

/* "5 parts, of 1000, 20, 1, ... nodes", the largest first. size: [parts], scratch. */
static void describe_parts(uint32_t parts, uint32_t *size, char *text, size_t room)
{
    size_t length = (size_t)snprintf(text, room, "%u parts, of ", parts);
    for (uint32_t k = 0; k < parts && k < 5; k++) { /* as many as one reads: ours */
        uint32_t largest = 0;
        for (uint32_t i = 0; i < parts; i++)
            largest = size[i] > size[largest] ? i : largest;
        length += (size_t)snprintf(text + length, room - length, "%s%u", k ? ", " : "", size[largest]);
        size[largest] = 0;
    }
    snprintf(text + length, room - length, "%s nodes", parts > 5 ? ", ..." : "");
}

static np_status refuse(const np_path *path, np_node from, np_node to, np_search *search, uint32_t *part,
                        uint32_t *size)
{
    const np_network *network = path->network;
    uint32_t parts = np_search_parts(search, part);
    char text[160];
    const char *from_name = NP_NODE_NAME(network, from);
    const char *to_name = NP_NODE_NAME(network, to);
    for (uint32_t i = 0; i < parts; i++)
        size[i] = 0;
    for (np_node u = 0; u < network->nodes; u++)
        size[part[u]]++;
    if (part[from] == part[to])
        return NP_RAISE(
            NP_ERROR_APPLY,
            "there is no way from node %.80s to node %.80s on %s: its links lead one way; 'undirected' makes "
            "those of a file lead both ways",
            from_name, to_name, np_network_spec(network));
    uint32_t mine = size[part[from]], other = size[part[to]];
    describe_parts(parts, size, text, sizeof text);
    return NP_RAISE(NP_ERROR_APPLY,
                    "there is no way from node %.80s to node %.80s on %s: it falls into %s; one node is in a part of "
                    "%u, the other in one of %u",
                    from_name, to_name, np_network_spec(network), text, mine, other);
}

np_status np_path_refuse_pair(const np_path *path, np_node from, np_node to)
{
    const np_network *network = path->network;
    np_search search = {0};
    uint32_t *part = NULL, *size = NULL;
    np_status st;
    if (path->listed)
        return NP_RAISE(NP_ERROR_APPLY, "paths '%s' have no path from node %.80s to node %.80s", np_path_name(path),
                        NP_NODE_NAME(network, from), NP_NODE_NAME(network, to));
    if (!(st = np_search_init(&search, network)) &&
        !(st = np_memory_array(&part, network->nodes, sizeof *part, "the parts of a network")) &&
        !(st = np_memory_array(&size, network->nodes, sizeof *size, "the parts of a network")))
        st = refuse(path, from, to, &search, part, size);
    NP_MEMORY_FREE(part, size);
    np_search_clear(&search);
    return st;
}
