/* The fields of networks and of their measured facts. */
#include "model/network/names.h"
#include "model/network/network.h"

/* ---- A network ---- */

static void get_spec(const void *network, np_value *value) { value->text = np_network_spec(network); }
static void get_nodes(const void *network, np_value *value) { value->whole = np_network_nodes(network); }
static void get_links(const void *network, np_value *value) { value->whole = np_network_links(network); }
static void get_terminals(const void *network, np_value *value) { value->whole = np_network_terminals(network); }
static void get_family(const void *network, np_value *value) { value->text = np_network_family_name(network); }

static bool is_given(const void *network) { return ((const np_network *)network)->family->given; }

static void get_note(np_value *list, size_t i, np_value *item)
{
    const np_network *network = list->object;
    item->kind = NP_VALUE_TEXT;
    item->text = np_names_get(network->notes, (uint32_t)i);
}

static void get_notes(const void *object, np_value *value)
{
    const np_network *network = object;
    value->object = network;
    value->count = network->notes ? network->notes->count : 0;
    value->item = get_note;
}

static const np_field network_rows[] = {
    {"spec", NP_FIELD_TEXT, .get = get_spec, .help = "the network's spec"},
    {"nodes", NP_FIELD_U32, .get = get_nodes, .help = "its nodes"},
    {"links", NP_FIELD_U64, .get = get_links, .help = "its directed links"},
    {"notes", NP_FIELD_LIST, .get = get_notes, .applies = is_given,
     .help = "of a network that a file gives: what was assumed when it was read"},
};

const np_fields np_network_fields = NP_FIELDS("network", "a network", np_network, network_rows);

static const np_field whole_rows[] = {
    {NULL, NP_FIELD_INSET, .fields = &np_network_fields},
    {"terminals", NP_FIELD_U32, .get = get_terminals, .help = "nodes that send and receive"},
    {"family", NP_FIELD_TEXT, .get = get_family, .help = "the name of its family"},
};

const np_fields np_network_whole_fields = NP_FIELDS("network_whole", "a network", np_network, whole_rows);

/* ---- Figures ---- */

static const np_figure *figure(const void *object) { return object; }

static bool has_formula(const void *object) { return figure(object)->has_formula; }
static bool is_measured(const void *object) { return figure(object)->measured_known; }
static void get_formula_truth(const void *object, np_value *value) { value->truth = figure(object)->formula; }
static void get_measured_truth(const void *object, np_value *value) { value->truth = figure(object)->measured; }

#define BY_FORMULA "by the family's formula"
#define BY_SEARCH "by search"
#define NOTE "why one of the two is missing, or how it was measured"

static const np_field figure_rows[] = {
    {"formula", NP_FIELD_U64, offsetof(np_figure, formula), .help = BY_FORMULA, .known = has_formula},
    {"measured", NP_FIELD_U64, offsetof(np_figure, measured), .help = BY_SEARCH, .known = is_measured},
    {"note", NP_FIELD_TEXT, offsetof(np_figure, note), .help = NOTE},
};

const np_fields np_figure_fields = NP_FIELDS("figure", "a figure", np_figure, figure_rows);

static const np_field truth_rows[] = {
    {"formula", NP_FIELD_BOOL, .get = get_formula_truth, .help = BY_FORMULA, .known = has_formula},
    {"measured", NP_FIELD_BOOL, .get = get_measured_truth, .help = BY_SEARCH, .known = is_measured},
    {"note", NP_FIELD_TEXT, offsetof(np_figure, note), .help = NOTE},
};

static const np_fields truth_fields = NP_FIELDS("truth", "a figure that is yes or no", np_figure, truth_rows);

static const np_field diameter_rows[] = {
    {NULL, NP_FIELD_INSET, .fields = &np_figure_fields},
    {"lower_bound", NP_FIELD_BOOL, offsetof(np_figure, lower_bound), .help = "`measured` is a lower bound only"},
};

static const np_fields diameter_fields = NP_FIELDS("diameter", "a diameter", np_figure, diameter_rows);

static const np_field bisection_rows[] = {
    {NULL, NP_FIELD_INSET, .fields = &np_figure_fields},
    {"upper_bound", NP_FIELD_BOOL, offsetof(np_figure, upper_bound), .help = "`measured` is an upper bound only"},
};

static const np_fields bisection_fields = NP_FIELDS("bisection", "a bisection", np_figure, bisection_rows);

/* ---- Facts ---- */

static const np_network_facts *facts(const void *object) { return object; }

static bool is_searched(const void *object) { return facts(object)->connection_known; }

static bool is_fabric(const void *object) { return facts(object)->fabric.known; }
static const np_fabric_facts *fabric(const void *object) { return object; }
static bool fabric_measured(const void *object) { return fabric(object)->measured; }
static bool distances_measured(const void *object) { return fabric(object)->distance_pairs > 0; }
static void get_mean_distance(const void *object, np_value *value)
{
    value->real = (double)fabric(object)->distance_sum / (double)fabric(object)->distance_pairs;
}

static const np_field fabric_rows[] = {
    {"switches", NP_FIELD_U64, offsetof(np_fabric_facts, switches), .help = "nodes that only forward"},
    {"hosts", NP_FIELD_U64, offsetof(np_fabric_facts, hosts), .help = "nodes at which packets start and end"},
    {"radix", NP_FIELD_U64, offsetof(np_fabric_facts, radix), .known = fabric_measured,
     .help = "the largest number of links that leave a switch"},
    {"cables", NP_FIELD_U64, offsetof(np_fabric_facts, cables), .known = fabric_measured,
     .help = "cables between switches"},
    {"host_cables", NP_FIELD_U64, offsetof(np_fabric_facts, host_cables), .known = fabric_measured,
     .help = "cables with a host at one end"},
    {"mean_distance", NP_FIELD_REAL, .get = get_mean_distance, .known = distances_measured,
     .help = "hops between two different hosts, or switches if there are no hosts, on average"},
    {"cut_off", NP_FIELD_U64, offsetof(np_fabric_facts, cut_off), .known = fabric_measured,
     .help = "hosts outside of the connected part that has most of them"},
};

static const np_fields fabric_fields = NP_FIELDS("fabric", "a network of switches", np_fabric_facts, fabric_rows);

static const np_field facts_rows[] = {
    {"nodes", NP_FIELD_OBJECT, offsetof(np_network_facts, node_count), .fields = &np_figure_fields, .help = "nodes"},
    {"links", NP_FIELD_OBJECT, offsetof(np_network_facts, link_count), .fields = &np_figure_fields, .help = "links"},
    {"degree", NP_FIELD_OBJECT, offsetof(np_network_facts, degree), .fields = &np_figure_fields,
     .help = "the largest number of links that leave a node"},
    {"diameter", NP_FIELD_OBJECT, offsetof(np_network_facts, diameter), .fields = &diameter_fields,
     .help = "the largest distance, in links"},
    {"bisection", NP_FIELD_OBJECT, offsetof(np_network_facts, bisection), .fields = &bisection_fields,
     .help = "the fewest undirected links between two halves"},
    {"node_symmetric", NP_FIELD_OBJECT, offsetof(np_network_facts, symmetry), .fields = &truth_fields,
     .help = "some automorphism takes any node to any other"},
    {"regular", NP_FIELD_BOOL, offsetof(np_network_facts, regular), .known = is_searched,
     .help = "as many links enter and leave every node; `null` if the effort was too small to look"},
    {"strongly_connected", NP_FIELD_BOOL, offsetof(np_network_facts, strongly_connected), .known = is_searched,
     .help = "a way leads from every node to every other; or `null`"},
    {"connected", NP_FIELD_BOOL, offsetof(np_network_facts, connected), .known = is_searched,
     .help = "the same where links may be crossed both ways; or `null`"},
    {"fabric", NP_FIELD_OBJECT, offsetof(np_network_facts, fabric), .fields = &fabric_fields, .applies = is_fabric,
     .help = "of networks of switches: what people buy"},
};

const np_fields np_network_facts_fields = NP_FIELDS("network_facts", "a network", np_network_facts, facts_rows);

/* ---- What was written ---- */

static void get_lost(const void *written, np_value *value)
{
    value->text = ((const np_network_written *)written)->lost;
}
static bool loses(const void *written) { return *((const np_network_written *)written)->lost; }

static const np_field written_rows[] = {
    {"format", NP_FIELD_TEXT, offsetof(np_network_written, format), .help = "the format of the file"},
    {"lines", NP_FIELD_U64, offsetof(np_network_written, lines), .help = "its lines of links"},
    {"undirected", NP_FIELD_BOOL, offsetof(np_network_written, undirected), .help = "is a line a link each way?"},
    {"node_numbers", NP_FIELD_BOOL, offsetof(np_network_written, node_numbers),
     .help = "does a reader give the nodes the same numbers?"},
    {"link_numbers", NP_FIELD_BOOL, offsetof(np_network_written, link_numbers),
     .help = "does a reader give the links the same numbers?"},
    {"lost", NP_FIELD_TEXT, .get = get_lost, .known = loses, .help = "what the format does not keep"},
};

const np_fields np_network_written_fields =
    NP_FIELDS("network_written", "what was written", np_network_written, written_rows);
