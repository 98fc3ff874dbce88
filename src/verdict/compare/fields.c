/* The fields of a comparison of networks, and of its options. */
#include "netpram/compare.h"

#define AT(member) offsetof(np_compare_options, member)

static const np_field option_rows[] = {
    {"gap", NP_FIELD_REAL, AT(gap), .help = "Certify each factor until (high - low)/high is at most G (default: 0.05)",
     .least = 1e-6, .most = 1, .preset = "0.05", .placeholder = "G"},
    {"time_limit", NP_FIELD_REAL, AT(time_limit), "seconds",
     .help = "End what is underway after SECONDS with what is proved by then, and leave out the rest (default: never)",
     .least = 1e-9, .most = 1e9, .placeholder = "SECONDS"},
    {"iterations", NP_FIELD_U32, AT(iterations),
     .help = "End a search after N iterations with the bounds that are proved by then (default: 3000)", .low = 1,
     .high = 100000, .preset = "3000", .placeholder = "N"},
    {"electrical", NP_FIELD_REAL, AT(electrical),
     .help = "Cables of at most LENGTH, by the attribute length of their links, are electrical, longer ones optical "
             "(default: they are not told apart)",
     .most = 1e300, .placeholder = "LENGTH"},
    {"draws", NP_FIELD_U32, AT(draws), .help = "Draws of cables that are down: 1%, then 5% of them (default: 20)",
     .high = 10000, .preset = "20", .placeholder = "N"},
    {"seed", NP_FIELD_SEED, AT(seed), .help = "Of the first draw", .preset = "1", .placeholder = "N"},
    {"threads", NP_FIELD_U32, AT(threads), .help = "Threads (default: one a processor)", .high = NP_THREADS_MAX,
     .placeholder = "N"},
    {"memory", NP_FIELD_BYTES, AT(memory_limit), "bytes",
     .help = "Refuse what needs more, as in 4G (default: what is available)", .placeholder = "BYTES"},
};

const np_fields np_compare_options_fields =
    NP_OPTIONS("compare_options", "a comparison", np_compare_options, option_rows, NULL);

/* ---- Parts ---- */

static const np_field between_rows[] = {
    {"low", NP_FIELD_REAL, offsetof(np_throughput_between, low), .help = "proved from below, rounded down"},
    {"high", NP_FIELD_REAL, offsetof(np_throughput_between, high), .help = "proved from above, rounded up"},
};

static const np_fields between_fields = NP_FIELDS("compare_between", "two bounds", np_throughput_between, between_rows);

static const np_field failed_rows[] = {
    {"share", NP_FIELD_REAL, offsetof(np_compare_failed, share),
     .help = "of the cables between switches that are down"},
    {"median", NP_FIELD_REAL, offsetof(np_compare_failed, median), .unit = "packets",
     .help = "a step and host with all-to-all, proved from below; 0 where a draw tears the network apart"},
    {"least", NP_FIELD_REAL, offsetof(np_compare_failed, least), .unit = "packets", .help = "of all draws"},
    {"draws", NP_FIELD_U32, offsetof(np_compare_failed, draws), .help = "how many"},
    {"torn", NP_FIELD_U32, offsetof(np_compare_failed, torn), .unit = "draws",
     .help = "in which no way leads from one host to another"},
    {"short_of_gap", NP_FIELD_U32, offsetof(np_compare_failed, short_of_gap), .unit = "draws",
     .help = "in which the search ended before the gap was reached"},
};

static const np_fields failed_fields = NP_FIELDS("compare_failed", "links that fail", np_compare_failed, failed_rows);

/* ---- A row ---- */

#undef AT
#define AT(member) offsetof(np_compare_row, member)

static bool knows_lengths(const void *object) { return ((const np_compare_row *)object)->lengths; }
static bool knows_all(const void *object) { return ((const np_compare_row *)object)->all_to_all.high > 0; }
static bool knows_longest(const void *object) { return ((const np_compare_row *)object)->longest_matching.high > 0; }
static bool knows_near(const void *object) { return ((const np_compare_row *)object)->near_worst.high > 0; }
static bool knows_mean(const void *object) { return ((const np_compare_row *)object)->mean_hops > 0; }
static bool fails(const void *object) { return ((const np_compare_row *)object)->fails; }
static bool knows_shortest(const void *object) { return ((const np_compare_row *)object)->shortest > 0; }
static bool knows_spray(const void *object) { return ((const np_compare_row *)object)->spray > 0; }
static bool knows_valiant(const void *object) { return ((const np_compare_row *)object)->valiant > 0; }

static const np_field row_rows[] = {
    {"network", NP_FIELD_OBJECT, AT(network), .flags = NP_FIELD_BEHIND, .fields = &np_network_fields,
     .help = "the network"},
    {"hosts", NP_FIELD_U64, AT(hosts), .help = "nodes where packets start and end"},
    {"switches", NP_FIELD_U64, AT(switches), .help = "nodes that only forward; all nodes, if none does"},
    {"radix", NP_FIELD_U64, AT(radix), .unit = "links", .help = "the largest number of links that leave a switch"},
    {"cables", NP_FIELD_U64, AT(cables), .help = "between switches"},
    {"electrical", NP_FIELD_U64, AT(electrical), .unit = "cables", .known = knows_lengths,
     .help = "between switches that are no longer than `--electrical`; `null` without that option"},
    {"optical", NP_FIELD_U64, AT(optical), .unit = "cables", .known = knows_lengths,
     .help = "between switches that are longer; cables without a length are neither"},
    {"diameter", NP_FIELD_U32, AT(diameter), .unit = "hops", .known = knows_all, .help = "between two hosts, the most"},
    {"mean_hops", NP_FIELD_REAL, AT(mean_hops), .unit = "hops", .known = knows_mean,
     .help = "between two hosts, by shortest paths; `null` where packets go from inputs to outputs only"},
    {"all_to_all", NP_FIELD_OBJECT, AT(all_to_all), .fields = &between_fields, .known = knows_all,
     .help = "packets a step and host that the best routing carries of all-to-all"},
    {"longest_matching", NP_FIELD_OBJECT, AT(longest_matching), .fields = &between_fields, .known = knows_longest,
     .help = "the same of traffic `longest-matching`"},
    {"near_worst", NP_FIELD_OBJECT, AT(near_worst), .fields = &between_fields, .known = knows_near,
     .help = "the same of traffic `near-worst`"},
    {"shortest", NP_FIELD_REAL, AT(shortest), .known = knows_shortest,
     .help = "packets a step and host that paths `shortest` guarantee, whatever the permutation"},
    {"spray", NP_FIELD_REAL, AT(spray), .known = knows_spray, .help = "the same of paths `spray`"},
    {"valiant", NP_FIELD_REAL, AT(valiant), .known = knows_valiant,
     .help = "the same of paths `valiant:shortest`; `null` where packets go from inputs to outputs only"},
    {"failed_1", NP_FIELD_OBJECT, AT(failed[0]), .fields = &failed_fields, .known = fails,
     .help = "what is left if 1% of the cables between switches are down; `null`: not drawn"},
    {"failed_5", NP_FIELD_OBJECT, AT(failed[1]), .fields = &failed_fields, .known = fails, .help = "the same of 5%"},
    {"mean_hops_why", NP_FIELD_TEXT, AT(why[NP_COMPARE_MEAN_HOPS]), .help = "why `mean_hops` is not known"},
    {"all_to_all_why", NP_FIELD_TEXT, AT(why[NP_COMPARE_ALL_TO_ALL]),
     .help = "why `all_to_all` is not known, nor `diameter`, or is further apart than `gap`"},
    {"longest_matching_why", NP_FIELD_TEXT, AT(why[NP_COMPARE_LONGEST_MATCHING]), .help = "the same"},
    {"near_worst_why", NP_FIELD_TEXT, AT(why[NP_COMPARE_NEAR_WORST]), .help = "the same"},
    {"shortest_why", NP_FIELD_TEXT, AT(why[NP_COMPARE_SHORTEST]), .help = "why `shortest` is not known"},
    {"spray_why", NP_FIELD_TEXT, AT(why[NP_COMPARE_SPRAY]), .help = "the same"},
    {"valiant_why", NP_FIELD_TEXT, AT(why[NP_COMPARE_VALIANT]), .help = "the same"},
    {"failed_why", NP_FIELD_TEXT, AT(why[NP_COMPARE_FAILED]),
     .help = "why links do not fail, or how many draws are short of `gap`"},
};

const np_fields np_compare_row_fields = NP_FIELDS("compare_row", "a network", np_compare_row, row_rows);

/* ---- The result ---- */

#undef AT
#define AT(member) offsetof(np_compare, member)

static const np_field rows[] = {
    {"seed", NP_FIELD_U64, AT(seed), .help = "of the first draw of links that fail"},
    {"gap", NP_FIELD_REAL, AT(gap), .help = "that each certified factor was searched for"},
    {"reached", NP_FIELD_BOOL, AT(reached), .help = "all gaps were reached, and `--time-limit` left nothing out"},
    {"reasons", NP_FIELD_SIZE, AT(reasons), .help = "how many figures have a reason: those that end in `_why`"},
    {"networks", NP_FIELD_LIST, AT(network), .fields = &np_compare_row_fields, .count_at = AT(networks),
     .help = "an object for each, in the order given"},
};

const np_fields np_compare_fields = NP_FIELDS("compare", "a comparison", np_compare, rows);
