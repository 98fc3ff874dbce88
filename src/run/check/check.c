/* The condition that all checks put on a network. */
#include "run/check/check.h"

#include "model/network/network.h"

np_status np_check_network(const np_network *network)
{
    if (np_network_all_terminals(network))
        return NP_OK;
    return NP_RAISE(NP_ERROR_APPLY,
                    "the checks do not apply to %s: they try routes between all nodes, and its packets go from inputs "
                    "to outputs only; try a network without terminals, such as butterfly:%u",
                    np_network_spec(network), network->dimensions < 3 ? 3 : network->dimensions);
}
