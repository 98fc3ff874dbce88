/* Networks of the command line. */
#ifndef CLI_NETWORK_H
#define CLI_NETWORK_H

#include "netpram/netpram.h"

/* What the options say of a network from a file. */
typedef struct cli_network_options {
    bool undirected, directed;
    const char *hosts, *width;
} cli_network_options;

extern const np_fields cli_network_fields;

/* Makes the network and says what was assumed, unless `quiet`. Returns an exit status, with *out NULL unless it is 0. */
int cli_network_create(const cli_network_options *options, const char *spec, bool quiet, np_network **out);

/* The same for verbs without these options. */
int cli_network_create_plain(const char *spec, bool quiet, np_network **out);

#endif
