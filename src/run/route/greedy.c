/* One phase straight to the destination: the baseline without randomization. */
#include "run/route/queueing.h"

const np_scheme np_scheme_greedy = {
    .info = {"greedy", "straight to the destination by --paths (default greedy: shortest paths)",
             "Sibeyn, lecture notes, routing on arrays and hypercubes", .networks = "any"},
    .preferred = true, /* the default on networks for which no other scheme is preferred */
    .refuses = np_scheme_refuses_none,
    .queueing = &(const np_queueing){.queue = "fifo"},
};
