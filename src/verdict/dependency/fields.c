/* The fields of a verdict on deadlock, and of its options. */
#include "model/network/read_node.h"
#include "netpram/deadlock.h"

#define AT(member) offsetof(np_deadlock_options, member)

static const np_field option_rows[] = {
    {"paths", NP_FIELD_TEXT, AT(paths), .help = "Routes hop by hop (default: greedy)", .preset = "greedy",
     .placeholder = "RULE", .list = "relations"},
    {"channels", NP_FIELD_U32, AT(channels),
     .help = "Virtual channels of a link (default: one for each class of the routes)", .low = 1, .high = 255,
     .placeholder = "V"},
    {"memory", NP_FIELD_BYTES, AT(memory_limit), "bytes",
     .help = "Refuse what needs more, as in 4G (default: what is available)", .placeholder = "BYTES"},
};

const np_fields np_deadlock_options_fields =
    NP_OPTIONS("deadlock_options", "deadlock", np_deadlock_options, option_rows, NULL);

NP_BEGINS_WITH_ENDS(np_deadlock_channel);

static const np_field channel_rows[] = {
    {"link", NP_FIELD_U32, offsetof(np_deadlock_channel, link), .help = "its number"},
    {"from", NP_FIELD_NODE, .get = np_ends_get_from, .help = "the node that it leaves"},
    {"to", NP_FIELD_NODE, .get = np_ends_get_to, .help = "the node that it leads to"},
    {"class", NP_FIELD_U32, offsetof(np_deadlock_channel, class_number),
     .help = "of its virtual channels, of the classes that the routes have"},
};

static const np_fields channel_fields = NP_FIELDS("deadlock_channel", "a channel", np_deadlock_channel, channel_rows);

#undef AT
#define AT(member) offsetof(np_deadlock, member)

static bool searched(const void *object) { return !((const np_deadlock *)object)->theorem; }

static bool by_theorem(const void *object) { return !searched(object); }

static const np_field rows[] = {
    {"network", NP_FIELD_OBJECT, AT(network), .flags = NP_FIELD_BEHIND, .fields = &np_network_fields,
     .help = "the network"},
    {"paths", NP_FIELD_TEXT, AT(paths), .help = "the routes"},
    {"channels", NP_FIELD_U32, AT(channels), .unit = "channels", .help = "virtual channels of a link"},
    {"classes", NP_FIELD_U32, AT(classes), .help = "over which they are divided evenly; the first ones have one more"},
    {"adaptive", NP_FIELD_BOOL, AT(adaptive), .help = "a packet takes what is free of several channels"},
    {"escape", NP_FIELD_BOOL, AT(escape),
     .help = "of adaptive routes: the classes but the last are escape channels, and the dependencies are theirs"},
    {"possible", NP_FIELD_BOOL, AT(possible), .help = "a deadlock is possible"},
    {"theorem", NP_FIELD_TEXT, AT(theorem), .known = by_theorem,
     .help = "why it is not, if the dependencies were not looked at; `null`: they were"},
    {"nodes", NP_FIELD_U64, AT(nodes), .unit = "channels", .known = searched,
     .help = "that packets may hold, each counted for each class"},
    {"dependencies", NP_FIELD_U64, AT(dependencies), .known = searched,
     .help = "from a channel that a packet may hold to one that it may want"},
    {"levels", NP_FIELD_U64, AT(levels), .flags = NP_FIELD_ZERO,
     .help = "of an order of the channels in which all routes ascend; `null`: there is none, or it was not sought"},
    {"length", NP_FIELD_SIZE, AT(length), .unit = "channels", .help = "of the cycle; 0: there is none"},
    {"cycle", NP_FIELD_LIST, AT(cycle), .fields = &channel_fields, .count_at = AT(length),
     .help = "channels, each of which waits for the next, and the last for the first"},
};

const np_fields np_deadlock_fields = NP_FIELDS("deadlock", "a verdict on deadlock", np_deadlock, rows);
