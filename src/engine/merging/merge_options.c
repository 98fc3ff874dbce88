/* Options of the merging engine: the table of their fields. */
#include <string.h>

#include "base/parse.h"
#include "engine/merging/merge.h"

enum { LENGTH_MAX = 0xffff, INDEPENDENCE_MAX = 4096 };

const char *const np_room_words[] = {"begin", "freed", NULL};

static const char *const rules[] = {"none", "first", "sum", "min", "max", "and", "or", NULL};
static const char *const ranks[] = {"random", "hash", "file:PATH", NULL};
static const char *const ghosts[] = {"free", "room", NULL};
static const char *const modes[] = {"cycles", "asynchronous", "pipelined", NULL};

/* A word, or "file:" and a path. */
static np_status set_ranks(void *object, const np_field *field, const char *text)
{
    static const char file[] = "file:";
    np_merge_options *options = object;
    unsigned choice = 0;
    (void)field;
    if (!strncmp(text, file, strlen(file)) && text[strlen(file)]) {
        options->rank_file = text + strlen(file);
        choice = NP_RANKS_FILE;
    } else {
        while (choice < NP_RANKS_FILE && strcmp(ranks[choice], text) != 0)
            choice++;
        if (choice == NP_RANKS_FILE)
            return NP_RAISE(NP_ERROR_INPUT, "%s", np_parse_hint_of(text, ranks, NP_RANKS_FILE + 1).text);
    }
    options->ranks = (np_ranks)choice;
    options->ranks_given = true;
    return NP_OK;
}

#define AT(member) offsetof(np_merge_options, member)

static const np_field rows[] = {
    {"queue_size", NP_FIELD_U32, AT(queue_size), "packets",
     .help = "Packets that a queue holds besides a ghost (default: 2; waves and ranade, too)", .low = 1,
     .high = NP_QUEUE_SIZE_MAX, .preset = "2", .placeholder = "Q",
     .group = "Queues of constant size (scheme ranked; those of waves are so marked):"},
    {"room", NP_FIELD_WORD, AT(room),
     .help = "A queue has room by what it held when the step began, or also once a packet leaves (default: begin; "
             "waves, too)",
     .words = np_room_words},
    {"combine", NP_FIELD_WORD, AT(combine),
     .help =
         "Packets for one destination become one where they meet: first, sum, min, max, and, or (default: they do not)",
     .words = rules, .placeholder = "RULE"},
    {"ranks", NP_FIELD_WORD, AT(ranks),
     .help = "Independent ranks, or a random polynomial of the destination, or those that 'netpram ranks' found "
             "(default: random; hash to combine)",
     .words = ranks, .set = set_ranks},
    {"rank_range", NP_FIELD_U32, AT(rank_range), .help = "Ranks are in 1..R (default: 2^30)", .low = 1,
     .high = NP_RANK_RANGE_MAX, .preset = "1073741824", .placeholder = "R"}, /* ours: so large that ties are rare */
    {"independence", NP_FIELD_U32, AT(independence),
     .help = "Ranks by hash are K-wise independent (default: log2 of the packets)", .low = 1, .high = INDEPENDENCE_MAX,
     .placeholder = "K"},
    {"message_length", NP_FIELD_RANGE, AT(message_least), "packets",
     .help = "Packets a message, drawn uniformly if a range", .low = 1, .high = LENGTH_MAX, .preset = "1",
     .placeholder = "M|A..B"},
    {"messages", NP_FIELD_WORD, AT(message_mode),
     .help = "How messages of several packets move: cycles, asynchronous, pipelined", .words = modes,
     .placeholder = "MODE"},
    {"no_ghosts", NP_FIELD_BOOL, AT(no_ghosts),
     .help = "Send no ghosts, to see what they are for: deadlocks end with status 1"},
    {"ghosts", NP_FIELD_WORD, AT(ghosts),
     .help = "With --queue-size 1: ghosts go over full links, too, or need room, as the paper has it, and are missed "
             "then (default: free)",
     .words = ghosts},
    {"physical", NP_FIELD_BOOL, AT(physical),
     .help = "Play each step on the physical links and count the steps it takes (ranked, waves, ranade)"},
    {"waves", NP_FIELD_U32, AT(waves), "waves",
     .help = "Packets go in W waves (default: log2 of the packets; waves only)", .low = 1, .high = NP_WAVES_MAX,
     .placeholder = "W"},
};

const np_fields np_merge_options_fields = NP_FIELDS("merge_options", "merging", np_merge_options, rows);

void np_merge_options_init(np_merge_options *options) { np_fields_init(&np_merge_options_fields, options); }
