/* The facts of a network, formula against measurement. */
#include "model/network/attributes.h"
#include "model/network/parts.h"
#include "model/network/read_node.h"
#include "show/table/shape.h"

/* ---- JSON and CSV ---- */

enum { NAMES_LISTED = 1000 }; /* ours: of parts and of nodes that are alone */

typedef struct view {
    const np_network *network;
    const np_network_facts *facts;
    np_network_parts parts; /* of a network that is torn apart; else empty */
} view;

static const view *view_of(const void *object) { return object; }

static bool parts_known(const void *object) { return view_of(object)->parts.connected.parts; }

static void get_parts(const void *object, np_value *value) { value->whole = view_of(object)->parts.connected.parts; }
static void get_strong_parts(const void *object, np_value *value)
{
    value->whole = view_of(object)->parts.strong.parts;
}

static void list_sizes(const np_part_sizes *sizes, np_value *value)
{
    value->object = sizes->size;
    value->count = sizes->parts < NAMES_LISTED ? sizes->parts : NAMES_LISTED;
}

static void get_sizes(const void *object, np_value *value) { list_sizes(&view_of(object)->parts.connected, value); }
static void get_strong_sizes(const void *object, np_value *value) { list_sizes(&view_of(object)->parts.strong, value); }

static void get_single(np_value *list, size_t i, np_value *item)
{
    const view *v = list->object;
    item->kind = NP_VALUE_TEXT;
    item->text = np_network_node_name(v->network, v->parts.single[i], item->room.text);
}

static void get_alone(const void *object, np_value *value)
{
    const view *v = object;
    value->object = v;
    value->count = v->parts.alone < NAMES_LISTED ? v->parts.alone : NAMES_LISTED;
    value->item = get_single;
}

static bool lacks_way(const void *object) { return view_of(object)->facts->no_way_from != NP_NONE; }

static void get_end(np_value *list, size_t i, np_value *item)
{
    const view *v = list->object;
    np_node_value(v->network, i ? v->facts->no_way_to : v->facts->no_way_from, item);
}

static void get_no_way(const void *object, np_value *value)
{
    value->object = object;
    value->count = 2;
    value->item = get_end;
}

static void get_scheme(const void *object, np_value *value)
{
    value->text = np_scheme_default(((const view *)object)->network);
}

static const np_field view_rows[] = {
    {"network", NP_FIELD_OBJECT, offsetof(view, network), .flags = NP_FIELD_BEHIND, .fields = &np_network_whole_fields,
     .help = "the network"},
    {NULL, NP_FIELD_INSET, offsetof(view, facts), .flags = NP_FIELD_BEHIND, .fields = &np_network_facts_fields},
    {"no_way", NP_FIELD_LIST, .get = get_no_way, .known = lacks_way,
     .help = "two nodes, the second not reached from the first; or `null`"},
    {"parts", NP_FIELD_U32, .get = get_parts, .known = parts_known,
     .help = "connected parts, where links may be crossed both ways; or `null`"},
    {"part_sizes", NP_FIELD_LIST, .get = get_sizes, .known = parts_known,
     .help = "the nodes of each part, the largest first; of 1000 parts at most"},
    {"strong_parts", NP_FIELD_U32, .get = get_strong_parts, .known = parts_known,
     .help = "parts in which a way leads from every node to every other; or `null`"},
    {"strong_part_sizes", NP_FIELD_LIST, .get = get_strong_sizes, .known = parts_known,
     .help = "the nodes of each of those, the largest first; of 1000 at most"},
    {"alone", NP_FIELD_LIST, .get = get_alone, .known = parts_known,
     .help = "the names of the nodes without a link to another one; of 1000 at most"},
    {"default_scheme", NP_FIELD_TEXT, .get = get_scheme, .help = "the scheme that `route` takes if none is named"},
};

static const np_fields view_fields = NP_FIELDS("network_report", "a network", view, view_rows);

static const char columns[] =
    "network=network.spec,family=network.family,nodes_formula=nodes.formula,nodes_measured=nodes.measured,"
    "links_formula=links.formula,links_measured=links.measured,degree_formula=degree.formula,"
    "degree_measured=degree.measured,diameter_formula=diameter.formula,diameter_measured=diameter.measured,"
    "diameter_lower_bound=diameter.lower_bound,bisection_formula=bisection.formula,"
    "bisection_measured=bisection.measured,bisection_upper_bound=bisection.upper_bound,"
    "node_symmetric_formula=node_symmetric.formula,node_symmetric_measured=node_symmetric.measured,regular,"
    "strongly_connected,connected";

/* ---- For people ---- */

typedef struct row {
    const char *name;
    const np_figure *figure;
    bool truth; /* yes or no */
} row;

static const np_field figure_rows[] = {
    {NULL, NP_FIELD_INSET, .fields = &np_figure_fields},
    {"needs", NP_FIELD_U64, offsetof(np_figure, needs), .help = "the effort that measures it"},
    {"upper_bound", NP_FIELD_BOOL, offsetof(np_figure, upper_bound), .help = "it may be less"},
    {"lower_bound", NP_FIELD_BOOL, offsetof(np_figure, lower_bound), .help = "it may be more"},
};

static const np_fields figure_fields = NP_FIELDS("figure", "a figure", np_figure, figure_rows);

static const np_field row_rows[] = {
    {"name", NP_FIELD_TEXT, offsetof(row, name), .help = "of the figure"},
    {"truth", NP_FIELD_BOOL, offsetof(row, truth), .help = "it is yes or no"},
    {NULL, NP_FIELD_INSET, offsetof(row, figure), .flags = NP_FIELD_BEHIND, .fields = &figure_fields},
};

static const np_fields row_fields = NP_FIELDS("row", "a figure", row, row_rows);

typedef struct shown {
    view view;
    const row *row;
    size_t rows;
    bool has_hosts, has_outputs, fabric;
    const char *remark; /* on the name of the family; or NULL */
    uint64_t torn;      /* into so many parts, as the facts say */
    np_node hosts, switches, last_input, first_output, last_output, alone;
} shown;

static const np_field shown_rows[] = {
    {NULL, NP_FIELD_INSET, offsetof(shown, view), .fields = &view_fields},
    {"figures", NP_FIELD_LIST, offsetof(shown, row), .count_at = offsetof(shown, rows), .fields = &row_fields,
     .help = "of the network"},
    {"torn", NP_FIELD_U64, offsetof(shown, torn), .help = "into so many parts; 0: not known"},
    {"has_hosts", NP_FIELD_BOOL, offsetof(shown, has_hosts), .help = "hosts are told from switches"},
    {"hosts", NP_FIELD_U32, offsetof(shown, hosts), .help = "nodes that send"},
    {"switches", NP_FIELD_U32, offsetof(shown, switches), .help = "the others"},
    {"has_outputs", NP_FIELD_BOOL, offsetof(shown, has_outputs), .help = "some nodes send, others receive"},
    {"last_input", NP_FIELD_U32, offsetof(shown, last_input), .help = "the last node that sends"},
    {"first_output", NP_FIELD_U32, offsetof(shown, first_output), .help = "the first node that receives"},
    {"last_output", NP_FIELD_U32, offsetof(shown, last_output), .help = "the last one"},
    {"remark", NP_FIELD_TEXT, offsetof(shown, remark), .help = "on the name of the family"},
    {"is_fabric", NP_FIELD_BOOL, offsetof(shown, fabric),
     .help = "it is a network of switches, whose cables are known"},
    {"alone_nodes", NP_FIELD_U32, offsetof(shown, alone), .help = "without a link to another"},
};

static const np_fields shown_fields = NP_FIELDS("network_shown", "a network", shown, shown_rows);

static const char area_universal[] = "the area-universal fat-tree; fat-tree:k=4 is the one of data centres";

static const char layout[] =
    "{network.spec}: {network.nodes node}, {network.links link}, "
    "{regular=null ? connection not measured : {regular ? regular : not regular}, {strongly_connected ? strongly "
    "connected : {torn>1 ? not connected: {torn} parts : not strongly connected}}"
    "{!no_way=null ? {torn>1 ? , : :} no way from node {no_way:2 to node }}}\n"
    "{remark ? {remark}\n}"
    "{parts>1 ? parts: {parts}, {parts=network.nodes ? each of 1 node : of {part_sizes:10, } nodes}\n}"
    "{strong_parts>1 & !strong_parts=parts ? strongly connected parts: {strong_parts}, "
    "{strong_parts=network.nodes ? each of 1 node : of {strong_part_sizes:10, } nodes}\n}"
    "{parts>1 & alone ? alone: {alone_nodes node}: {alone:20, }\n}"
    "{has_hosts ? packets go from host to host: {hosts host}, {switches switch switches}\n}"
    "{is_fabric ? radix {fabric.radix}: {fabric.cables cable} between switches"
    "{has_hosts ? , {fabric.host_cables} to hosts}; mean distance {fabric.mean_distance=null ? not measured : "
    "{fabric.mean_distance:4}}\n}"
    "{is_fabric & fabric.cut_off ? cut off: {has_hosts ? {fabric.cut_off host} : {fabric.cut_off switch switches}}\n}"
    "{has_outputs ? packets go from {hosts} inputs at nodes 0..{last_input} to as many outputs, nodes "
    "{first_output}..{last_output}\n}"
    "default scheme: {default_scheme}\n\n"
    "{table lrrl: |formula|measured|\n"
    "{each figures: {name}|{truth & !formula=null ? {formula ? yes : no} : {formula}}|"
    "{measured=null ? - : {upper_bound ? <= }{lower_bound ? >= }{truth ? {measured ? yes : no} : {measured}}}|"
    "{note ? {note}}{needs ? : try --effort {needs}}\n}}";

const np_report_form np_report_network_form = {
    {"info", &view_fields, &view_fields, columns}, .open = 2, .fields = &shown_fields, .layout = layout};

/* What people see besides. */
static void complete(shown *s)
{
    const np_network *network = s->view.network;
    s->alone = s->view.parts.alone;
    s->torn = s->view.facts->parts;
    s->has_hosts = np_network_has_hosts(network);
    s->has_outputs = !s->has_hosts && !np_network_all_terminals(network);
    s->fabric = s->view.facts->fabric.measured;
    s->remark = np_network_is(network, NP_KIND_FAT_TREE) && network->side[0] == 2 ? area_universal : NULL;
    s->hosts = np_network_terminals(network);
    s->switches = np_network_nodes(network) - s->hosts;
    s->last_input = network->input_nodes - 1;
    s->first_output = network->output_first;
    s->last_output = network->output_first + network->terminals - 1;
}

np_status np_report_network(const np_network *network, const np_network_facts *f, const np_report_options *given,
                            FILE *stream)
{
    const row figures[] = {{"nodes", &f->node_count, false},    {"links", &f->link_count, false},
                           {"degree", &f->degree, false},       {"diameter", &f->diameter, false},
                           {"bisection", &f->bisection, false}, {"node-symmetric", &f->symmetry, true}};
    shown s = {.view = {.network = network, .facts = f}, .row = figures, .rows = sizeof figures / sizeof *figures};
    np_status st = np_attributes_heeded(network, "info", 0);
    if (!st && f->parts)
        st = np_network_parts_find(network, &s.view.parts);
    complete(&s);
    if (!st)
        st = np_report_print(&np_report_network_form, &s, given, stream);
    np_network_parts_clear(&s.view.parts);
    return st;
}
