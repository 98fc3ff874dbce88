/* The options of schemes that merge, shared by the verbs that route. */
#ifndef CLI_MERGING_H
#define CLI_MERGING_H

#include "verb.h"

/* A part of a verb; its base is the offset of np_merge_options. */
extern const cli_option cli_merging_options[];

/* For a CLI_SET whose place is np_merge_options. */
np_status cli_merging_set(void *place, const char *name, const char *text) NP_CHECKED;

/* The scheme that a route with these options will use. */
const char *cli_merging_scheme(const np_route_options *route, const np_network *network);

/* Does the scheme that the route will use heed all of these that were given? Else a line is printed and CLI_BAD_INPUT
 * returned. */
int cli_merging_check(const void *arguments, const np_route_options *route, const np_network *network);

#endif
