/* Networks of the command line. */
#ifndef CLI_NETWORK_H
#define CLI_NETWORK_H

#include "netpram/netpram.h"

/* What the options say of a network from a file. */
typedef struct cli_network_options {
    bool undirected, directed;
    const char *hosts, *width, *delay, *cost, *file_format;
    const char *fail, *fail_switches; /* of any network */
} cli_network_options;

extern const np_fields cli_network_fields;

/* Links and switches that are down; of verbs whose own options have links that are down, switches only. */
extern const np_fields cli_fail_fields, cli_fail_switches_fields;

/* The options of a kind of specs, which become words behind the path of a file: file:PATH:undirected:width=lanes. */
typedef struct cli_file_words {
    const np_fields *fields;          /* booleans and texts, in the order of the words */
    const char *what, *other, *where; /* for messages: "network", what other specs are, what the options are for */
} cli_file_words;

extern const cli_file_words cli_network_words, cli_traffic_words;

/* Does the spec of a network or of traffic name a file? */
bool cli_is_file(const char *spec);

/* Refuses the options if there is no `file`; spec: one that names no file, or NULL. Returns an exit status. */
int cli_file_check(const cli_file_words *words, const void *options, bool file, const char *spec);

/* The spec; of a file, with the options behind its path. malloced; NULL: no memory, which is said. */
char *cli_file_spec(const cli_file_words *words, const void *options, const char *spec);

/*
 * Makes the networks, to whose files the options apply, and says what was assumed of them, unless `quiet`. Returns an
 * exit status, with out[] NULL unless it is 0.
 */
int cli_networks_create(const cli_network_options *options, size_t count, const char *const *spec, bool quiet,
                        np_network **out);

/* The same of one network. */
int cli_network_create(const cli_network_options *options, const char *spec, bool quiet, np_network **out);

/* What the options say of traffic from a file. */
typedef struct cli_traffic_options {
    const char *packet, *scale, *times, *format;
} cli_traffic_options;

extern const np_fields cli_traffic_fields;

/* Traffic of the command line. The caller clears it. */
typedef struct cli_traffic {
    char *spec;          /* with the options */
    np_traffic *packets; /* of a file; NULL: the traffic is no file, and whoever routes it makes it of the spec */
} cli_traffic;

/*
 * *traffic, a spec (NULL: there is none), becomes one with the options. A file is read, and it is said what it became,
 * unless `quiet`: before anything is routed. Returns an exit status; out is to be cleared in any case.
 */
int cli_traffic_take(const cli_traffic_options *options, const np_network *network, uint64_t seed, bool quiet,
                     const char **traffic, cli_traffic *out);
void cli_traffic_clear(cli_traffic *traffic);

#endif
