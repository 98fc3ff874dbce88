/* The fields of a worst permutation, and of its options. */
#include "model/network/read_node.h"
#include "netpram/worst.h"

#define AT(member) offsetof(np_worst_options, member)

static const np_field option_rows[] = {
    {"paths", NP_FIELD_TEXT, AT(paths), .help = "With --worst: a path rule, valiant or valiant:RULE (default: greedy)",
     .preset = "greedy", .placeholder = "RULE", .list = "paths"},
    {"memory", NP_FIELD_BYTES, AT(memory_limit), "bytes",
     .help = "Refuse what needs more, as in 4G (default: what is available)", .placeholder = "BYTES"},
};

const np_fields np_worst_options_fields =
    NP_OPTIONS("worst_options", "a worst permutation", np_worst_options, option_rows, NULL);

static void get_from(const void *object, np_value *value)
{
    const np_worst_link *l = object;
    np_node_value(l->network, l->from, value);
}

static void get_to(const void *object, np_value *value)
{
    const np_worst_link *l = object;
    np_node_value(l->network, l->to, value);
}

static const np_field ends_rows[] = {
    {"link", NP_FIELD_U32, offsetof(np_worst_link, link), .help = "its number"},
    {"from", NP_FIELD_NODE, .get = get_from, .help = "the node that it leaves"},
    {"to", NP_FIELD_NODE, .get = get_to, .help = "the node that it leads to"},
};

static const np_fields ends_fields = NP_FIELDS("worst_ends", "a link", np_worst_link, ends_rows);

static const np_field link_rows[] = {
    {"factor", NP_FIELD_REAL, offsetof(np_worst_link, factor),
     .help = "packets a step that every terminal may send and receive, whatever the traffic, so that no link expects "
             "more than one; rounded down"},
    {"load", NP_FIELD_REAL, offsetof(np_worst_link, load), .unit = "packets",
     .help = "that the link expects, if every terminal sends one packet: 1/`factor`"},
    {"link", NP_FIELD_OBJECT, .fields = &ends_fields, .help = "the link that expects most"},
};

static const np_fields link_fields = NP_FIELDS("worst_link", "a load", np_worst_link, link_rows);

#undef AT
#define AT(member) offsetof(np_worst, member)

static bool moves(const void *object) { return ((const np_worst *)object)->moves; }

static const np_field rows[] = {
    {"network", NP_FIELD_OBJECT, AT(network), .flags = NP_FIELD_BEHIND, .fields = &np_network_fields,
     .help = "the network"},
    {"paths", NP_FIELD_TEXT, AT(paths), .help = "the path rule"},
    {"packets", NP_FIELD_SIZE, AT(packets), .unit = "packets", .help = "of the permutation: one a terminal"},
    {"worst", NP_FIELD_OBJECT, AT(worst), .fields = &link_fields, .known = moves,
     .help = "the most that a link can expect; `null` if there is one terminal only"},
    {"exact", NP_FIELD_BOOL, AT(exact), .known = moves,
     .help = "the load is a quotient of whole numbers; else it is so to 1e-9"},
    {"alike", NP_FIELD_BOOL, AT(alike), .known = moves, .help = "all permutations load all links alike"},
    {"links", NP_FIELD_SIZE, AT(links), .unit = "links", .known = moves,
     .help = "that were looked at: one of those that are alike"},
    {"solved", NP_FIELD_SIZE, AT(solved), .unit = "links", .known = moves,
     .help = "for which an assignment was sought; bounds did for the others"},
};

const np_fields np_worst_fields = NP_FIELDS("worst", "a worst permutation", np_worst, rows);
