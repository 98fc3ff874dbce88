/* Options of the merging engine, and their reading from words: one table for the command line and experiment files. */
#include <string.h>

#include "base/parse.h"
#include "merging/merge.h"
#include "merging/waves.h"

enum { LENGTH_MAX = 0xffff, INDEPENDENCE_MAX = 4096 };

static const uint64_t WHOLE_MAX = UINT64_C(1) << 30;

static const char *const rooms[] = {"begin", "freed", NULL};
static const char *const rules[] = {"none", "first", "sum", "min", "max", "and", "or", NULL};
static const char *const ranks[] = {"random", "hash", "file:PATH", NULL};
static const char *const modes[] = {"cycles", "asynchronous", "pipelined", NULL};
static const char *const truths[] = {"false", "true", NULL};

void np_merge_options_init(np_merge_options *options)
{
    *options = (np_merge_options){
        .queue_size = 2,
        .rank_range = UINT32_C(1) << 30, /* ours: so large that ties are rare */
        .message_least = 1,
        .message_most = 1,
    };
}

/* *out = the index of text among the words, which end with NULL. */
static np_status choose(const char *text, const char *const *words, unsigned *out)
{
    unsigned count = 0;
    for (; words[count]; count++)
        if (!strcmp(words[count], text)) {
            *out = count;
            return NP_OK;
        }
    return NP_RAISE(NP_ERROR_INPUT, "no '%s': did you mean '%s'?", text, np_parse_nearest(text, words, count));
}

static np_status whole(const char *text, uint64_t high, uint32_t *out)
{
    uint64_t value;
    if (!np_parse_whole(text, 1, high, &value))
        return NP_RAISE(NP_ERROR_INPUT, "must be a whole number in 1..%llu, not '%s'", (unsigned long long)high, text);
    *out = (uint32_t)value;
    return NP_OK;
}

static np_status set_queue_size(np_merge_options *options, const char *text)
{
    return whole(text, WHOLE_MAX, &options->queue_size);
}

static np_status set_rank_range(np_merge_options *options, const char *text)
{
    return whole(text, WHOLE_MAX, &options->rank_range);
}

static np_status set_independence(np_merge_options *options, const char *text)
{
    return whole(text, INDEPENDENCE_MAX, &options->independence);
}

static np_status set_waves(np_merge_options *options, const char *text)
{
    return whole(text, NP_WAVES_MAX, &options->waves);
}

static np_status set_room(np_merge_options *options, const char *text)
{
    unsigned choice = options->room;
    np_status st = choose(text, rooms, &choice);
    options->room = (np_room)choice;
    return st;
}

static np_status set_combine(np_merge_options *options, const char *text)
{
    unsigned choice = options->combine;
    np_status st = choose(text, rules, &choice);
    options->combine = (np_combine)choice;
    return st;
}

static np_status set_ranks(np_merge_options *options, const char *text)
{
    static const char file[] = "file:";
    unsigned choice = options->ranks;
    if (!strncmp(text, file, strlen(file)) && text[strlen(file)]) {
        options->ranks = NP_RANKS_FILE;
        options->ranks_given = true;
        options->rank_file = text + strlen(file);
        return NP_OK;
    }
    np_status st = choose(text, ranks, &choice);
    options->ranks = (np_ranks)choice;
    options->ranks_given = options->ranks_given || !st;
    return st;
}

static np_status set_messages(np_merge_options *options, const char *text)
{
    unsigned choice = options->message_mode;
    np_status st = choose(text, modes, &choice);
    options->message_mode = (np_message_mode)choice;
    return st;
}

/* "7" or "3..9". */
static np_status set_message_length(np_merge_options *options, const char *text)
{
    uint64_t least, most;
    const char *at = text;
    bool good = np_parse_u64(&at, &least);
    most = least;
    if (good && !strncmp(at, "..", 2)) {
        at += 2;
        good = np_parse_u64(&at, &most);
    }
    if (!good || *at || !least || least > most || most > LENGTH_MAX)
        return NP_RAISE(NP_ERROR_INPUT, "must be a length in 1..%d or a range such as 1..8, not '%s'", LENGTH_MAX,
                        text);
    options->message_least = (uint32_t)least;
    options->message_most = (uint32_t)most;
    return NP_OK;
}

static np_status set_no_ghosts(np_merge_options *options, const char *text)
{
    unsigned choice = options->no_ghosts;
    np_status st = choose(text, truths, &choice);
    options->no_ghosts = choice;
    return st;
}

static const struct merge_option {
    const char *name;
    np_status (*set)(np_merge_options *options, const char *text);
} table[] = {
    {"queue_size", set_queue_size},
    {"room", set_room},
    {"combine", set_combine},
    {"ranks", set_ranks},
    {"rank_range", set_rank_range},
    {"independence", set_independence},
    {"message_length", set_message_length},
    {"messages", set_messages},
    {"no_ghosts", set_no_ghosts},
    {"waves", set_waves},
};

enum { OPTIONS = sizeof table / sizeof *table };

const char *np_merge_option_name(size_t i) { return i < OPTIONS ? table[i].name : NULL; }

/* '-' and '_' are one. */
static bool same(const char *name, const char *given)
{
    for (; *name && *name == (*given == '-' ? '_' : *given); name++)
        given++;
    return *name == *given;
}

np_status np_merge_options_set(np_merge_options *options, const char *name, const char *text)
{
    const char *names[OPTIONS];
    for (size_t i = 0; i < OPTIONS; i++) {
        if (same(table[i].name, name))
            return table[i].set(options, text);
        names[i] = table[i].name;
    }
    return NP_RAISE(NP_ERROR_INPUT, "no option '%s' of merging: did you mean '%s'?", name,
                    np_parse_nearest(name, names, OPTIONS));
}

const char *np_merge_options_of_ranks(const np_merge_options *options)
{
    np_merge_options fresh;
    np_merge_options_init(&fresh);
    if (options->combine != fresh.combine)
        return "combine";
    if (options->ranks_given || options->ranks != fresh.ranks)
        return "ranks";
    if (options->rank_range != fresh.rank_range)
        return "rank-range";
    if (options->independence != fresh.independence)
        return "independence";
    if (options->message_least != fresh.message_least || options->message_most != fresh.message_most)
        return "message-length";
    if (options->message_mode != fresh.message_mode)
        return "messages";
    return options->no_ghosts ? "no-ghosts" : NULL;
}
