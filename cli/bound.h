/* --bound: the theorem beside the measurement. */
#ifndef CLI_BOUND_H
#define CLI_BOUND_H

#include "netpram/netpram.h"

/*
 * The bounds that are known for what was routed: *bounds is malloced, with
 * *count entries (0: none is known, *bounds is still not NULL). Free with
 * cli_bound_free. Returns 0 or an exit status, after a line is printed.
 */
int cli_report_bound(const np_network *network, const np_route_result *result, np_report_bound **bounds,
                     size_t *count);

void cli_bound_free(np_report_bound *bounds, size_t count);

#endif
