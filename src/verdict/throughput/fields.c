/* The fields of a throughput, of its options, and of what a certificate proves. */
#include <math.h>

#include "model/network/read_node.h"
#include "netpram/throughput.h"

/* ---- Options ---- */

#define AT(member) offsetof(np_throughput_options, member)

static const np_field option_rows[] = {
    {"gap", NP_FIELD_REAL, AT(gap), .help = "Search until (high - low)/high is at most G (default: 0.01)",
     .least = 1e-6, .most = 1, .preset = "0.01", .placeholder = "G"},
    {"time_limit", NP_FIELD_REAL, AT(time_limit), "seconds",
     .help = "End after S seconds with the bounds that are proved by then", .least = 1e-9, .placeholder = "S"},
    {"iterations", NP_FIELD_U32, AT(iterations),
     .help = "End after N iterations with the bounds that are proved by then (default: 10000)", .low = 1,
     .high = 100000, .preset = "10000", .placeholder = "N"},
    {"seed", NP_FIELD_SEED, AT(seed), .help = "Where random traffic comes from", .preset = "1", .placeholder = "N"},
    {"threads", NP_FIELD_U32, AT(threads), .help = "Threads (default: one a processor)", .high = NP_THREADS_MAX,
     .placeholder = "N"},
    {"certificate", NP_FIELD_TEXT, AT(certificate), .help = "Write what proves both bounds, for netpram verify",
     .placeholder = "FILE"},
    {"memory", NP_FIELD_BYTES, AT(memory_limit), "bytes",
     .help = "Refuse what needs more, as in 4G (default: what is available)", .placeholder = "BYTES"},
    {"paths", NP_FIELD_TEXT, AT(paths),
     .help = "Say what these paths reach, too: a path rule, valiant or valiant:RULE (default: the optimum alone)",
     .placeholder = "NAME", .list = "paths"},
    {"split", NP_FIELD_BOOL, AT(split), .help = "With --paths: divide evenly at every hop"},
    {"paths_out", NP_FIELD_TEXT, AT(paths_out),
     .help = "Write the paths of the best flow, with their weights, to FILE, for --paths file:FILE",
     .placeholder = "FILE"},
};

const np_fields np_throughput_options_fields =
    NP_OPTIONS("throughput_options", "a throughput", np_throughput_options, option_rows, NULL);

/* ---- Parts of a result ---- */

static const np_field between_rows[] = {
    {"low", NP_FIELD_REAL, offsetof(np_throughput_between, low), .help = "proved from below, rounded down"},
    {"high", NP_FIELD_REAL, offsetof(np_throughput_between, high), .help = "proved from above, rounded up"},
};

static const np_fields between_fields = NP_FIELDS("between", "two bounds", np_throughput_between, between_rows);

NP_BEGINS_WITH_ENDS(np_throughput_link);

static const np_field link_rows[] = {
    {"from", NP_FIELD_NODE, .get = np_ends_get_from, .help = "the node that the links leave"},
    {"to", NP_FIELD_NODE, .get = np_ends_get_to, .help = "the node that they lead to"},
    {"width", NP_FIELD_U32, offsetof(np_throughput_link, width), .unit = "links", .help = "parallel links"},
    {"load", NP_FIELD_REAL, offsetof(np_throughput_link, load), .help = "share of the width that is used"},
    {"price", NP_FIELD_REAL, offsetof(np_throughput_link, price),
     .help = "by how much one more link here raises `factor.high`, while the lengths stay"},
};

static const np_fields link_fields = NP_FIELDS("throughput_link", "links", np_throughput_link, link_rows);

#define BOUND(member)                                                                                                  \
    static bool knows_##member(const void *object) { return isfinite(((const np_throughput_bounds *)object)->member); }
BOUND(distance)
BOUND(switches)
BOUND(hosts)
BOUND(cut)

static const np_field bound_rows[] = {
    {"distance", NP_FIELD_REAL, offsetof(np_throughput_bounds, distance), .known = knows_distance,
     .help = "links over packets times distances"},
    {"switches", NP_FIELD_REAL, offsetof(np_throughput_bounds, switches), .known = knows_switches,
     .help = "the same of links between switches (Namyar et al. 2021); `null` if no node has one neighbour alone"},
    {"hosts", NP_FIELD_REAL, offsetof(np_throughput_bounds, hosts), .known = knows_hosts,
     .help = "the links at a node over what it sends or receives"},
    {"cut", NP_FIELD_REAL, offsetof(np_throughput_bounds, cut), .known = knows_cut,
     .help = "the links out of a set of nodes over what must leave it, for the best set that was found"},
};

static const np_fields bound_fields = NP_FIELDS("throughput_bounds", "bounds", np_throughput_bounds, bound_rows);

static const np_field loaded_rows[] = {
    {"from", NP_FIELD_NODE, .get = np_ends_get_from, .help = "the node that it leaves"},
    {"to", NP_FIELD_NODE, .get = np_ends_get_to, .help = "the node that it leads to"},
    {"load", NP_FIELD_REAL, offsetof(np_throughput_link, load), .unit = "packets",
     .help = "on average, if every packet is sent once: 1/`factor`"},
};

static const np_fields loaded_fields = NP_FIELDS("loaded_link", "a link", np_throughput_link, loaded_rows);

#undef AT
#define AT(member) offsetof(np_throughput_paths, member)

static const np_field paths_rows[] = {
    {"rule", NP_FIELD_TEXT, AT(rule), .help = "the path rule"},
    {"split", NP_FIELD_BOOL, AT(split), .help = "packets divide evenly at every hop"},
    {"draws", NP_FIELD_U32, AT(draws), .unit = "routes",
     .help = "drawn for each demand, whose mean is taken; 0: loads are exact"},
    {"factor", NP_FIELD_REAL, AT(factor), .help = "by which all demands can be multiplied until some link is full"},
    {"per_host", NP_FIELD_REAL, AT(per_host), .help = "`factor` times `host_most`: packets a step"},
    {"share", NP_FIELD_OBJECT, AT(share), .fields = &between_fields, .help = "`factor` over that of the best routing"},
    {"mean_hops", NP_FIELD_REAL, AT(mean_hops), .unit = "hops", .help = "of a packet"},
    {"link", NP_FIELD_OBJECT, AT(link), .fields = &loaded_fields, .help = "the most loaded one, the first of several"},
};

static const np_fields paths_fields = NP_FIELDS("throughput_paths", "paths", np_throughput_paths, paths_rows);

static const np_field written_rows[] = {
    {"file", NP_FIELD_TEXT, offsetof(np_throughput_written, file), .help = "their file, for `--paths file:`"},
    {"paths", NP_FIELD_U64, offsetof(np_throughput_written, paths),
     .help = "how many; 0: none are written, since that takes longer than `--time-limit`"},
    {"longest", NP_FIELD_U32, offsetof(np_throughput_written, longest), .unit = "hops", .help = "of the longest one"},
};

static const np_fields written_fields = NP_FIELDS("throughput_written", "paths", np_throughput_written, written_rows);

/* ---- The result ---- */

#undef AT
#define AT(member) offsetof(np_throughput, member)

static bool moves(const void *object) { return ((const np_throughput *)object)->moves; }
static bool has_written(const void *object) { return ((const np_throughput *)object)->written.file; }
static bool has_paths(const void *object) { return ((const np_throughput *)object)->paths.rule; }

static const np_field rows[] = {
    {"seed", NP_FIELD_U64, AT(seed), .help = "where random traffic comes from"},
    {"network", NP_FIELD_OBJECT, AT(network), .flags = NP_FIELD_BEHIND, .fields = &np_network_fields,
     .help = "the network"},
    {"traffic", NP_FIELD_TEXT, AT(traffic), .help = "the traffic"},
    {"packets", NP_FIELD_U64, AT(packets), .unit = "packets", .help = "that go to another node"},
    {"resting", NP_FIELD_U64, AT(resting), .unit = "packets", .help = "for their own node, which do not count"},
    {"demands", NP_FIELD_SIZE, AT(demands), .help = "pairs of a source and a destination"},
    {"factor", NP_FIELD_OBJECT, AT(factor), .fields = &between_fields, .known = moves,
     .help = "the largest factor by which all demands can be routed at once, a step; `null` if no packet moves"},
    {"gap", NP_FIELD_REAL, AT(gap), .known = moves, .help = "(high - low)/high"},
    {"reached", NP_FIELD_BOOL, AT(reached), .known = moves,
     .help = "the gap is the one asked for; else the exit status is 1"},
    {"host_most", NP_FIELD_U64, AT(host_most), .unit = "packets", .known = moves,
     .help = "the most that one node sends or receives"},
    {"per_host", NP_FIELD_OBJECT, AT(per_host), .fields = &between_fields, .known = moves,
     .help = "`factor` times `host_most`: packets a step"},
    {"distance_most", NP_FIELD_U32, AT(distance_most), .unit = "hops", .known = moves,
     .help = "the largest distance of a demand"},
    {"steps_bound", NP_FIELD_U64, AT(steps_bound), .unit = "steps", .known = moves,
     .help = "no schedule delivers all packets in fewer steps: the larger of 1/`factor.high` and `distance_most`"},
    {"mean_hops", NP_FIELD_REAL, AT(mean_hops), .unit = "hops", .known = moves,
     .help = "of a packet, in the flow of the lower bound"},
    {"iterations", NP_FIELD_U32, AT(iterations), .known = moves, .help = "of the search"},
    {"bounds", NP_FIELD_OBJECT, AT(bounds), .fields = &bound_fields, .known = moves,
     .help = "upper bounds that are found at once"},
    {"links_binding", NP_FIELD_SIZE, AT(links_binding), .known = moves,
     .help = "pairs of nodes whose links have a price and are full but for a hundredth"},
    {"links_idle", NP_FIELD_SIZE, AT(links_idle), .known = moves,
     .help = "pairs of nodes whose links are idle but for a hundredth"},
    {"binding", NP_FIELD_LIST, AT(binding), .fields = &link_fields, .count_at = AT(binding_count), .known = moves,
     .help = "those with the highest prices"},
    {"certificate", NP_FIELD_TEXT, AT(certificate),
     .help = "the file that proves both bounds; `null`: none was asked for"},
    {"paths", NP_FIELD_OBJECT, AT(paths), .fields = &paths_fields, .applies = has_paths,
     .help = "with `--paths`, if a packet moves: what these paths reach"},
    {"paths_out", NP_FIELD_OBJECT, AT(written), .fields = &written_fields, .applies = has_written,
     .help = "with `--paths-out`, if a packet moves: the paths of the flow that reaches `factor.low`"},
};

const np_fields np_throughput_fields = NP_FIELDS("throughput", "a throughput", np_throughput, rows);

/* ---- A proof ---- */

#undef AT
#define AT(member) offsetof(np_throughput_proof, member)

static bool has_paths_proved(const void *object) { return ((const np_throughput_proof *)object)->paths; }

static const np_field proof_rows[] = {
    {"file", NP_FIELD_TEXT, AT(file), .help = "the certificate"},
    {"network", NP_FIELD_TEXT, AT(network), .help = "the network that it is about"},
    {"traffic", NP_FIELD_TEXT, AT(traffic), .help = "the traffic"},
    {"seed", NP_FIELD_U64, AT(seed), .help = "where random traffic comes from"},
    {"nodes", NP_FIELD_U32, AT(nodes), .help = "of the network"},
    {"links", NP_FIELD_U64, AT(links), .help = "of the network"},
    {"packets", NP_FIELD_U64, AT(packets), .unit = "packets", .help = "that go to another node"},
    {"demands", NP_FIELD_SIZE, AT(demands), .help = "pairs of a source and a destination"},
    {"factor", NP_FIELD_OBJECT, AT(factor), .fields = &between_fields, .help = "proved in whole numbers"},
    {"gap", NP_FIELD_REAL, AT(gap), .help = "(high - low)/high"},
    {"flows", NP_FIELD_U32, AT(flows), .help = "whose mean proves `factor.low`; 0: paths do"},
    {"paths", NP_FIELD_SIZE, AT(paths), .applies = has_paths_proved,
     .help = "only where each node sends to a few others: with weights, which prove `factor.low`"},
};

const np_fields np_throughput_proof_fields = NP_FIELDS("throughput_proof", "a proof", np_throughput_proof, proof_rows);
