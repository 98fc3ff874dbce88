/* One phase straight to the destination: the baseline without randomization. */
#include "route/scheme.h"

#include <string.h>

static const char *refuses(const np_network *network)
{
    (void)network;
    return NULL;
}

static unsigned phases(const np_network *network)
{
    (void)network;
    return 1;
}

static void name(const np_network *network, unsigned phase, char text[8])
{
    (void)network, (void)phase;
    memcpy(text, "route", sizeof "route");
}

static void targets(const void *context, unsigned phase, const np_draws *draws, size_t count, const np_packet *packet,
                    const np_node *at, const np_node *destination, np_node *to)
{
    (void)context, (void)phase, (void)draws, (void)packet, (void)at;
    memcpy(to, destination, count * sizeof *to);
}

const np_scheme_ops np_scheme_greedy = {
    .info = {"greedy", "straight to the destination by --paths (default greedy: shortest paths)",
             "Sibeyn, lecture notes, routing on arrays and hypercubes", .networks = "any"},
    .preferred = true, /* where no other is */
    .queue = "fifo",
    .refuses = refuses,
    .phases = phases,
    .name = name,
    .targets = targets,
};
