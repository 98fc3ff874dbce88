/* The options of schemes that merge, shared by the verbs that route. */
#ifndef CLI_MERGING_H
#define CLI_MERGING_H

#include "command.h"

/* An argp child: its input is this. */
typedef struct cli_merging {
    np_route_options *route;
    const char *given; /* the last of these options that was given; NULL: none */
} cli_merging;

extern const struct argp cli_merging_argp;

/* If some were given: the scheme that the route will use heeds them; else a line is printed and CLI_BAD_INPUT returned.
 */
int cli_merging_check(const cli_merging *merging, const np_network *network);

#endif
