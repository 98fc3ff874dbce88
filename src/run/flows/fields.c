/* The fields of flows: of their options and of a result. */
#include <math.h>

#include "model/network/read_node.h"
#include "netpram/flows.h"

/* ---- Options ---- */

#define AT(member) offsetof(np_flows_options, member)

static const np_field option_rows[] = {
    {"size", NP_FIELD_TEXT, AT(flow_size),
     .help = "The size of each flow whose traffic says none, as in 64K (default: 1 packet)", .placeholder = "S"},
    {"sizes", NP_FIELD_TEXT, AT(flow_sizes),
     .help = "Draw the size of each flow: lines 'size share', the share of flows up to that size, to 1 or 100",
     .placeholder = "FILE"},
    {"load", NP_FIELD_REAL, AT(load),
     .help = "Flows arrive at random (Poisson): their sizes are this share of what the links out of all sources carry",
     .least = 1e-6, .most = 1000, .placeholder = "SHARE"},
    {"arrivals", NP_FIELD_U64, AT(arrivals), "flows", .help = "With --load: how many flows arrive (default: 10000)",
     .low = 1, .high = 2000000000, .placeholder = "N"},
    {"seed", NP_FIELD_SEED, AT(seed), .help = "Where all that is drawn comes from", .preset = "1", .placeholder = "N"},
    {"paths", NP_FIELD_TEXT, AT(paths),
     .help = "The path of each flow (default: spray, each flow draws among the links of shortest paths at every hop)",
     .preset = "spray", .placeholder = "RULE", .list = "paths", .group = "How they share links:"},
    {"split", NP_FIELD_BOOL, AT(split),
     .help = "Divide each flow evenly, at every hop, over all links of shortest paths, instead of one path"},
    {"link_rate", NP_FIELD_TEXT, AT(link_rate),
     .help =
         "What a link of width 1 carries, as in 400Gbit/s: sizes are bytes, times seconds (default: a packet a step)",
     .placeholder = "RATE"},
    {"memory", NP_FIELD_BYTES, AT(memory_limit), "bytes",
     .help = "Refuse what needs more, as in 4G (default: what is available)", .placeholder = "BYTES"},
    {"flows", NP_FIELD_TEXT, AT(flows_file), .help = "Write each flow, its start and its finish, as CSV",
     .placeholder = "FILE", .group = "What to report:"},
    {"links", NP_FIELD_TEXT, AT(links_file), .help = "Write each link and what it carried, as CSV",
     .placeholder = "FILE"},
};

const np_fields np_flows_options_fields = NP_OPTIONS("flows_options", "flows", np_flows_options, option_rows, NULL);

/* ---- Parts of a result ---- */

#define TIME(member)                                                                                                   \
    static bool knows_##member(const void *object) { return !isnan(((const np_flows_times *)object)->member); }
TIME(mean)
TIME(p50)
TIME(p99)
TIME(max)

static const np_field time_rows[] = {
    {"mean", NP_FIELD_REAL, offsetof(np_flows_times, mean), .known = knows_mean, .help = "the mean"},
    {"p50", NP_FIELD_REAL, offsetof(np_flows_times, p50), .known = knows_p50,
     .help = "the least value with half of the flows at or below it"},
    {"p99", NP_FIELD_REAL, offsetof(np_flows_times, p99), .known = knows_p99,
     .help = "the least value with 99% of the flows at or below it"},
    {"max", NP_FIELD_REAL, offsetof(np_flows_times, max), .known = knows_max, .help = "the largest"},
};

static const np_fields time_fields = NP_FIELDS("flows_times", "times of flows", np_flows_times, time_rows);

#undef AT
#define AT(member) offsetof(np_flows_class, member)

static const np_field class_rows[] = {
    {"from", NP_FIELD_REAL, AT(from), .help = "sizes from this one on"},
    {"to", NP_FIELD_REAL, AT(to), .help = "and below this one"},
    {"flows", NP_FIELD_SIZE, AT(flows), .help = "how many"},
    {"completion", NP_FIELD_OBJECT, AT(completion), .fields = &time_fields, .help = "finish minus start"},
    {"slowdown", NP_FIELD_OBJECT, AT(slowdown), .fields = &time_fields, .help = "against the flow alone"},
};

static const np_fields class_fields = NP_FIELDS("flows_class", "a class of flows", np_flows_class, class_rows);

NP_BEGINS_WITH_ENDS(np_flows_link);

static const np_field link_rows[] = {
    {"from", NP_FIELD_NODE, .get = np_ends_get_from, .help = "the node that the link leaves"},
    {"to", NP_FIELD_NODE, .get = np_ends_get_to, .help = "the node that it leads to"},
    {"width", NP_FIELD_U32, offsetof(np_flows_link, width), .unit = "links", .help = "parallel links, which are one"},
    {"use", NP_FIELD_REAL, offsetof(np_flows_link, use),
     .help = "share of what it can carry until the makespan that it did carry"},
};

static const np_fields link_fields = NP_FIELDS("flows_link", "a link", np_flows_link, link_rows);

/* ---- The result ---- */

#undef AT
#define AT(member) offsetof(np_flows_result, member)

static void get_size_unit(const void *object, np_value *value)
{
    value->text = ((const np_flows_result *)object)->link_rate ? "bytes" : "packets";
}

static void get_time_unit(const void *object, np_value *value)
{
    value->text = ((const np_flows_result *)object)->link_rate ? "seconds" : "steps";
}

static bool has_link(const void *object) { return ((const np_flows_result *)object)->busiest.from != NP_NONE; }

static const np_field rows[] = {
    {"seed", NP_FIELD_U64, AT(seed), .help = "where all that is drawn comes from"},
    {"network", NP_FIELD_OBJECT, AT(network), .flags = NP_FIELD_BEHIND, .fields = &np_network_fields,
     .help = "the network"},
    {"traffic", NP_FIELD_TEXT, AT(traffic), .help = "the traffic"},
    {"paths", NP_FIELD_TEXT, AT(paths), .help = "the path rule; `null`: flows are divided"},
    {"split", NP_FIELD_BOOL, AT(split), .help = "flows are divided evenly at every hop"},
    {"link_rate", NP_FIELD_TEXT, AT(link_rate), .help = "of a link of width 1; `null`: a packet a step"},
    {"size_unit", NP_FIELD_TEXT, .get = get_size_unit, .help = "`packets`, or with a link rate `bytes`"},
    {"time_unit", NP_FIELD_TEXT, .get = get_time_unit, .help = "`steps`, or with a link rate `seconds`"},
    {"load", NP_FIELD_REAL, AT(load), .flags = NP_FIELD_ZERO, .help = "`null`: flows start as the traffic says"},
    {"note", NP_FIELD_TEXT, AT(note), .help = "what was not heeded; `null`: nothing"},
    {"flows", NP_FIELD_SIZE, AT(flows), .help = "how many"},
    {"resting", NP_FIELD_SIZE, AT(resting), .help = "of them, to their own node: they end when they start"},
    {"sent", NP_FIELD_REAL, AT(sent), .help = "the sum of all sizes"},
    {"makespan", NP_FIELD_REAL, AT(makespan), .help = "the last finish"},
    {"completion", NP_FIELD_OBJECT, AT(completion), .fields = &time_fields, .help = "finish minus start"},
    {"slowdown", NP_FIELD_OBJECT, AT(slowdown), .fields = &time_fields,
     .help = "completion over what it would be if the flow were alone"},
    {"classes", NP_FIELD_LIST, AT(classes), .fields = &class_fields, .count_at = AT(class_count),
     .help = "the same by sizes: those below 1, below 10, and so on"},
    {"busiest", NP_FIELD_OBJECT, AT(busiest), .fields = &link_fields, .known = has_link,
     .help = "the link that was used most; `null`: none was used"},
    {"use_mean", NP_FIELD_REAL, AT(use_mean), .help = "share of what all links can carry until the makespan"},
    {"events", NP_FIELD_U64, AT(events), .help = "moments at which flows started or ended"},
    {"wall_seconds", NP_FIELD_REAL, AT(wall_seconds), .unit = "seconds", .help = "time of the call"},
};

const np_fields np_flows_result_fields = NP_FIELDS("flows", "flows", np_flows_result, rows);
