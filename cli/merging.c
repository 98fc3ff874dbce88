/* Options of the scheme `ranked`. */
#include "merging.h"

#include <errno.h>
#include <string.h>

#include "base/parse.h"

enum {
    KEY_QUEUE_SIZE = 1024,
    KEY_ROOM,
    KEY_COMBINE,
    KEY_RANKS,
    KEY_RANK_RANGE,
    KEY_INDEPENDENCE,
    KEY_MESSAGES,
    KEY_MESSAGE_LENGTH,
    KEY_NO_GHOSTS
};

static const struct argp_option options[] = {
    {NULL, 0, NULL, 0, "How to merge (scheme ranked):", 4},
    {"queue-size", KEY_QUEUE_SIZE, "Q", 0, "Packets that a queue holds besides a ghost (default: 2)", 4},
    {"room", KEY_ROOM, "begin|freed", 0,
     "A queue has room by what it held when the step began, or also once a packet leaves (default: begin)", 4},
    {"combine", KEY_COMBINE, "RULE", 0,
     "Packets for one destination become one where they meet: first, sum, min, max, and, or (default: they do not)",
     4},
    {"ranks", KEY_RANKS, "random|hash", 0,
     "Independent ranks, or a random polynomial of the destination (default: random; hash to combine)", 4},
    {"rank-range", KEY_RANK_RANGE, "R", 0, "Ranks are in 1..R (default: 2^30)", 4},
    {"independence", KEY_INDEPENDENCE, "K", 0, "Ranks by hash are K-wise independent (default: log2 of the packets)", 4},
    {"message-length", KEY_MESSAGE_LENGTH, "M|A..B", 0, "Packets a message, drawn uniformly if a range (default: 1)",
     4},
    {"messages", KEY_MESSAGES, "MODE", 0,
     "How messages of several packets move: cycles, asynchronous, pipelined (default: cycles)", 4},
    {"no-ghosts", KEY_NO_GHOSTS, NULL, 0, "Send no ghosts, to see what they are for: deadlocks end with status 1", 4},
    {0},
};

/* *out = the index of text among the words, which end with NULL. */
static error_t parse_word(const char *option, const char *text, const char *const *words, int *out)
{
    size_t count = 0;
    for (; words[count]; count++)
        if (!strcmp(words[count], text)) {
            *out = (int)count;
            return 0;
        }
    cli_fail("--%s: no '%s': did you mean '%s'?", option, text, np_parse_nearest(text, words, count));
    return EINVAL;
}

static error_t parse_whole(const char *option, const char *text, uint64_t low, uint64_t high, uint32_t *out)
{
    uint64_t value;
    error_t failed = cli_number(option, text, low, high, &value);
    if (!failed)
        *out = (uint32_t)value;
    return failed;
}

/* "7" or "3..9". */
static error_t parse_length(const char *text, np_merge_options *merge)
{
    enum { LENGTH_MAX = 0xffff };
    uint64_t least, most;
    const char *at = text;
    bool good = np_parse_u64(&at, &least);
    most = least;
    if (good && !strncmp(at, "..", 2)) {
        at += 2;
        good = np_parse_u64(&at, &most);
    }
    if (!good || *at || !least || least > most || most > LENGTH_MAX) {
        cli_fail("--message-length: '%s' is no length 1..%d and no range such as 1..8", text, LENGTH_MAX);
        return EINVAL;
    }
    merge->message_least = (uint32_t)least;
    merge->message_most = (uint32_t)most;
    return 0;
}

static error_t parse_names(int key, const char *text, np_merge_options *merge)
{
    static const char *const rooms[] = {"begin", "freed", NULL}, *const ranks[] = {"random", "hash", NULL};
    static const char *const rules[] = {"none", "first", "sum", "min", "max", "and", "or", NULL};
    static const char *const modes[] = {"cycles", "asynchronous", "pipelined", NULL};
    int choice = 0;
    error_t failed = EINVAL;
    if (key == KEY_ROOM && !(failed = parse_word("room", text, rooms, &choice)))
        merge->room = (np_room)choice;
    else if (key == KEY_COMBINE && !(failed = parse_word("combine", text, rules, &choice)))
        merge->combine = (np_combine)choice;
    else if (key == KEY_MESSAGES && !(failed = parse_word("messages", text, modes, &choice)))
        merge->message_mode = (np_message_mode)choice;
    else if (key == KEY_RANKS && !(failed = parse_word("ranks", text, ranks, &choice))) {
        merge->ranks = (np_ranks)choice;
        merge->ranks_given = true;
    }
    return failed;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    cli_merging *m = state->input;
    np_merge_options *merge = m->route ? &m->route->merge : NULL;
    for (const struct argp_option *option = options; option->name || option->doc; option++)
        if (option->key == key && option->name)
            m->given = option->name;
    switch (key) {
    case KEY_QUEUE_SIZE: return parse_whole("queue-size", text, 1, UINT32_C(1) << 30, &merge->queue_size);
    case KEY_RANK_RANGE: return parse_whole("rank-range", text, 1, UINT32_C(1) << 30, &merge->rank_range);
    case KEY_INDEPENDENCE: return parse_whole("independence", text, 1, 4096, &merge->independence);
    case KEY_ROOM:
    case KEY_COMBINE:
    case KEY_RANKS:
    case KEY_MESSAGES: return parse_names(key, text, merge);
    case KEY_MESSAGE_LENGTH: return parse_length(text, merge);
    case KEY_NO_GHOSTS: merge->no_ghosts = true; return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp cli_merging_argp = {options, parse, NULL, NULL, NULL, NULL, NULL};

int cli_merging_check(const cli_merging *merging, const np_network *network)
{
    const np_route_options *route = merging->route;
    const char *scheme = route->scheme ? route->scheme : route->paths ? "greedy" : np_scheme_default(network);
    if (!merging->given || !strcmp(scheme, "ranked"))
        return 0;
    return cli_fail("--%s is for --scheme ranked, not for '%s'", merging->given, scheme);
}
