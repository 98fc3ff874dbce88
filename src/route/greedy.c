/* One phase straight to the destination: the baseline without randomization. */
#include "route/queueing.h"

static const char *refuses(const np_network *network)
{
    (void)network;
    return NULL;
}

const np_scheme np_scheme_greedy = {
    .info = {"greedy", "straight to the destination by --paths (default greedy: shortest paths)",
             "Sibeyn, lecture notes, routing on arrays and hypercubes", .networks = "any"},
    .preferred = true, /* the default on networks for which no other scheme is preferred */
    .refuses = refuses,
    .queueing = &(const np_queueing){.queue = "fifo"},
};
