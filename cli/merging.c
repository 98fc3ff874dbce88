/* The options of schemes that merge: how they are read is the library's. */
#include "merging.h"

#include <errno.h>
#include <string.h>

enum {
    KEY_QUEUE_SIZE = 1024,
    KEY_ROOM,
    KEY_COMBINE,
    KEY_RANKS,
    KEY_RANK_RANGE,
    KEY_INDEPENDENCE,
    KEY_MESSAGES,
    KEY_MESSAGE_LENGTH,
    KEY_NO_GHOSTS,
    KEY_WAVES
};

static const struct argp_option options[] = {
    {NULL, 0, NULL, 0, "Queues of constant size (scheme ranked; those of waves are so marked):", 4},
    {"queue-size", KEY_QUEUE_SIZE, "Q", 0,
     "Packets that a queue holds besides a ghost (default: 2; waves and ranade, too)", 4},
    {"room", KEY_ROOM, "begin|freed", 0,
     "A queue has room by what it held when the step began, or also once a packet leaves (default: begin; waves, too)",
     4},
    {"combine", KEY_COMBINE, "RULE", 0,
     "Packets for one destination become one where they meet: first, sum, min, max, and, or (default: they do not)", 4},
    {"ranks", KEY_RANKS, "random|hash|file:PATH", 0,
     "Independent ranks, or a random polynomial of the destination, or those that 'netpram ranks' found "
     "(default: random; hash to combine)",
     4},
    {"rank-range", KEY_RANK_RANGE, "R", 0, "Ranks are in 1..R (default: 2^30)", 4},
    {"independence", KEY_INDEPENDENCE, "K", 0, "Ranks by hash are K-wise independent (default: log2 of the packets)",
     4},
    {"message-length", KEY_MESSAGE_LENGTH, "M|A..B", 0, "Packets a message, drawn uniformly if a range (default: 1)",
     4},
    {"messages", KEY_MESSAGES, "MODE", 0,
     "How messages of several packets move: cycles, asynchronous, pipelined (default: cycles)", 4},
    {"no-ghosts", KEY_NO_GHOSTS, NULL, 0, "Send no ghosts, to see what they are for: deadlocks end with status 1", 4},
    {"waves", KEY_WAVES, "W", 0, "Packets go in W waves (default: log2 of the packets; waves only)", 4},
    {0},
};

static const char *name_of(int key)
{
    for (const struct argp_option *option = options; option->name || option->doc; option++)
        if (option->key == key && option->name)
            return option->name;
    return NULL;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    cli_merging *m = state->input;
    const char *name = name_of(key);
    if (!name)
        return ARGP_ERR_UNKNOWN;
    m->given = name;
    if (!np_merge_options_set(&m->route->merge, name, text ? text : "true"))
        return 0;
    cli_fail("--%s: %s", name, np_last_error());
    return EINVAL;
}

const struct argp cli_merging_argp = {options, parse, NULL, NULL, NULL, NULL, NULL};

int cli_merging_check(const cli_merging *merging, const np_network *network)
{
    const np_route_options *route = merging->route;
    const char *scheme = route->scheme ? route->scheme : route->paths ? "greedy" : np_scheme_default(network);
    if (!merging->given || np_scheme_heeds(scheme, merging->given) != NP_ERROR_APPLY)
        return 0; /* of an unknown scheme np_route tells */
    return cli_fail("--%s: %s", merging->given, np_last_error());
}
