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

/* What the options say of traffic from a file. */
typedef struct cli_traffic_options {
    const char *packet, *scale, *times;
} cli_traffic_options;

extern const np_fields cli_traffic_fields;

/*
 * *spec becomes the spec with the options behind its path, which the caller frees. Returns an exit status, with *spec
 * NULL unless it is 0.
 */
int cli_traffic_spec(const cli_traffic_options *options, const char *traffic, char **spec);

/* Makes traffic from a file and says what it became, unless `quiet`. *out is NULL if the spec names no file. */
int cli_traffic_create(const char *spec, const np_network *network, uint64_t seed, bool quiet, np_traffic **out);

#endif
