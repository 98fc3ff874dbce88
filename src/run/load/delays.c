/* The delays of links, by a number that the file of a network gives to them. */
#include <math.h>

#include "base/memory.h"
#include "model/network/network.h"
#include "model/network/read_node.h"
#include "run/load/load.h"

enum { CYCLES_MOST = 4096 /* ours: what travels is kept in a list for each cycle */ };

static np_status refuse(const np_network *network, np_node u, np_link link, const char *name)
{
    return NP_RAISE(NP_ERROR_INPUT,
                    "link-delays '%.40s': that of the link from %.60s to %.60s must be whole cycles, 1..%d", name,
                    NP_NODE_NAME(network, u), NP_NODE_NAME(network, np_network_link_head(network, link)), CYCLES_MOST);
}

np_status np_load_read_delays(const np_network *network, const char *name, uint16_t **out)
{
    const np_link_attribute *a = name ? np_network_find_attribute(network, name) : NULL;
    np_status st;
    *out = NULL;
    if (!name)
        return NP_OK;
    if (!a)
        return NP_RAISE(NP_ERROR_INPUT, "link-delays '%.40s': links of %.80s have no such number", name,
                        np_network_spec(network));
    if (*a->unit)
        return NP_RAISE(NP_ERROR_INPUT, "link-delays '%.40s' is in %s: write cycles, without a unit", name, a->unit);
    if ((st = np_memory_zeroed(out, np_network_link_numbers(network), sizeof **out, "the delays of links")))
        return st;
    for (np_node u = 0; u < np_network_nodes(network); u++)
        for (np_link l = np_network_first_link(network, u); l < np_network_first_link(network, u + 1); l++) {
            double cycles = np_network_link_head(network, l) == NP_NONE ? NAN : a->value[l];
            if (isnan(cycles))
                continue;
            if (!(cycles >= 1 && cycles <= CYCLES_MOST && cycles == floor(cycles)))
                return refuse(network, u, l, name);
            (*out)[l] = (uint16_t)cycles;
        }
    return NP_OK;
}
