/* Options that only some schemes heed. */
#ifndef CLI_MERGING_H
#define CLI_MERGING_H

#include "verb.h"

/* The scheme that a route with these options will use. */
const char *cli_merging_scheme(const np_route_options *route, const np_network *network);

/* Does the scheme that the route will use heed all of these options that were given? Else prints a line and returns
 * CLI_BAD_INPUT. */
int cli_merging_check(const void *arguments, const np_route_options *route, const np_network *network);

#endif
