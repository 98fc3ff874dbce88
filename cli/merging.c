/* The options of schemes that merge: how they are read is the library's. */
#include "merging.h"

#include "command.h"

np_status cli_merging_set(void *place, const char *name, const char *text)
{
    return np_merge_options_set(place, name, text);
}

const cli_option cli_merging_options[] = {
    {.help = "Queues of constant size (scheme ranked; those of waves are so marked):"},
    {"queue-size", "Q", "Packets that a queue holds besides a ghost (default: 2; waves and ranade, too)", CLI_SET,
     .set = cli_merging_set},
    {"room", "begin|freed",
     "A queue has room by what it held when the step began, or also once a packet leaves (default: begin; waves, too)",
     CLI_SET, .set = cli_merging_set},
    {"combine", "RULE",
     "Packets for one destination become one where they meet: first, sum, min, max, and, or (default: they do not)",
     CLI_SET, .set = cli_merging_set},
    {"ranks", "random|hash|file:PATH",
     "Independent ranks, or a random polynomial of the destination, or those that 'netpram ranks' found "
     "(default: random; hash to combine)",
     CLI_SET, .set = cli_merging_set},
    {"rank-range", "R", "Ranks are in 1..R (default: 2^30)", CLI_SET, .set = cli_merging_set},
    {"independence", "K", "Ranks by hash are K-wise independent (default: log2 of the packets)", CLI_SET,
     .set = cli_merging_set},
    {"message-length", "M|A..B", "Packets a message, drawn uniformly if a range (default: 1)", CLI_SET,
     .set = cli_merging_set},
    {"messages", "MODE", "How messages of several packets move: cycles, asynchronous, pipelined (default: cycles)",
     CLI_SET, .set = cli_merging_set},
    {"no-ghosts", NULL, "Send no ghosts, to see what they are for: deadlocks end with status 1", CLI_SET,
     .set = cli_merging_set},
    {"waves", "W", "Packets go in W waves (default: log2 of the packets; waves only)", CLI_SET, .set = cli_merging_set},
    {0},
};

const char *cli_merging_scheme(const np_route_options *route, const np_network *network)
{
    return route->scheme ? route->scheme : route->paths ? "greedy" : np_scheme_default(network);
}

int cli_merging_check(const void *arguments, const np_route_options *route, const np_network *network)
{
    const char *scheme = cli_merging_scheme(route, network);
    for (const cli_option *o = NULL; (o = cli_given_after(arguments, o));)
        if (o->set == cli_merging_set && np_scheme_heeds(scheme, o->name) == NP_ERROR_APPLY)
            return cli_fail("--%s: %s", o->name, np_last_error()); /* of an unknown scheme np_route tells */
    return 0;
}
