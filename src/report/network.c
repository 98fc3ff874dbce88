/* The facts of a network, formula against measurement. */
#include "netpram/base.h"
#include "base/plural.h"
#include "network/network.h"
#include "network/parts.h"
#include "report/csv.h"
#include "report/json.h"
#include "report/shape.h"
#include "report/table.h"

/* ---- JSON and CSV ---- */

enum { SIZES_SHOWN = 10, NAMES_SHOWN = 20, NAMES_LISTED = 1000 }; /* ours: of parts and of nodes that are alone */

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

static void get_scheme(const void *object, np_value *value)
{
    value->text = np_scheme_default(((const view *)object)->network);
}

static const np_field view_rows[] = {
    {"network", NP_FIELD_OBJECT, offsetof(view, network), .flags = NP_FIELD_BEHIND, .fields = &np_network_whole_fields,
     .help = "the network"},
    {NULL, NP_FIELD_INSET, offsetof(view, facts), .flags = NP_FIELD_BEHIND, .fields = &np_network_facts_fields},
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

const np_report_shape np_report_network_shape = {"info", &view_fields, &view_fields, columns};

/* ---- The table ---- */

/* The cell of a figure: a number, yes or no, a bound, or nothing. */
static void cell(np_table *table, bool known, uint64_t value, bool truth, const char *bound)
{
    if (!known)
        np_table_add(table, "-");
    else if (truth)
        np_table_add(table, value ? "yes" : "no");
    else
        np_table_add(table, "%s%llu", bound, (unsigned long long)value);
}

static void figure_row(np_table *table, const char *name, const np_figure *figure, bool truth)
{
    np_table_add(table, "%s", name);
    cell(table, figure->has_formula, figure->formula, truth, "");
    cell(table, figure->measured_known, figure->measured, truth,
         figure->upper_bound   ? "<= "
         : figure->lower_bound ? ">= "
                               : "");
    if (figure->needs)
        np_table_add(table, "%s: try --effort %llu", figure->note, (unsigned long long)figure->needs);
    else
        np_table_add(table, "%s", figure->note ? figure->note : "");
}

static np_status figures(const np_network_facts *facts, FILE *stream)
{
    np_table table;
    np_table_begin(&table, "lrrl", (const char *const[]){"", "formula", "measured", ""});
    figure_row(&table, "nodes", &facts->node_count, false);
    figure_row(&table, "links", &facts->link_count, false);
    figure_row(&table, "degree", &facts->degree, false);
    figure_row(&table, "diameter", &facts->diameter, false);
    figure_row(&table, "bisection", &facts->bisection, false);
    figure_row(&table, "node-symmetric", &facts->symmetry, true);
    return np_table_end(&table, stream);
}

/* "regular, strongly connected", or how far from it. */
static void say_connection(const np_network *network, const np_network_facts *facts, FILE *stream)
{
    if (!facts->connection_known) {
        fprintf(stream, "connection not measured\n");
        return;
    }
    fprintf(stream, "%s, ", facts->regular ? "regular" : "not regular");
    if (facts->strongly_connected)
        fprintf(stream, "strongly connected");
    else if (facts->parts > 1)
        fprintf(stream, "not connected: %llu parts", (unsigned long long)facts->parts);
    else
        fprintf(stream, "not strongly connected");
    if (facts->no_way_from != NP_NONE) {
        char from[NP_NAME_ROOM], to[NP_NAME_ROOM];
        fprintf(stream, "%s no way from node %s to node %s", facts->parts > 1 ? "," : ":",
                np_network_node_name(network, facts->no_way_from, from),
                np_network_node_name(network, facts->no_way_to, to));
    }
    fputc('\n', stream);
}

static void say_sizes(const char *what, const np_part_sizes *sizes, FILE *stream)
{
    uint32_t i;
    if (sizes->parts < 2)
        return;
    fprintf(stream, "%s: %u, %s", what, sizes->parts, *sizes->size == 1 ? "each of 1 node\n" : "of");
    if (*sizes->size == 1)
        return;
    for (i = 0; i < sizes->parts && i < SIZES_SHOWN; i++)
        fprintf(stream, "%s %u", i ? "," : "", sizes->size[i]);
    fprintf(stream, "%s nodes\n", i < sizes->parts ? ", ..." : "");
}

/* The parts of a network that is torn apart, and the nodes that are alone. */
static void say_parts(const view *v, FILE *stream)
{
    const np_network_parts *p = &v->parts;
    char room[NP_NAME_ROOM];
    uint32_t i;
    say_sizes("parts", &p->connected, stream);
    if (p->strong.parts != p->connected.parts)
        say_sizes("strongly connected parts", &p->strong, stream);
    if (p->connected.parts < 2 || !p->alone)
        return;
    fprintf(stream, "alone: %u node%s:", p->alone, np_plural(p->alone));
    for (i = 0; i < p->alone && i < NAMES_SHOWN; i++)
        fprintf(stream, "%s %s", i ? "," : "", np_network_node_name(v->network, p->single[i], room));
    fprintf(stream, "%s\n", i < p->alone ? ", ..." : "");
}

static void say_ends(const np_network *network, FILE *stream)
{
    np_node hosts = np_network_terminals(network), switches = np_network_nodes(network) - hosts;
    if (np_network_has_hosts(network))
        fprintf(stream, "packets go from host to host: %u host%s, %u switch%s\n", hosts, np_plural(hosts), switches,
                switches == 1 ? "" : "es");
    else if (!np_network_all_terminals(network))
        fprintf(stream, "packets go from %u inputs at nodes 0..%u to as many outputs, nodes %u..%u\n",
                np_network_terminals(network), network->input_nodes - 1, network->output_first,
                network->output_first + network->terminals - 1);
}

static np_status print(const view *v, FILE *stream)
{
    const np_network_facts *facts = v->facts;
    fprintf(stream, "%s: %llu node%s, %llu link%s, ", np_network_spec(v->network), (unsigned long long)facts->nodes,
            np_plural(facts->nodes), (unsigned long long)facts->links, np_plural(facts->links));
    say_connection(v->network, facts, stream);
    say_parts(v, stream);
    say_ends(v->network, stream);
    fprintf(stream, "default scheme: %s\n\n", np_scheme_default(v->network));
    np_status st = figures(facts, stream);
    return st ? st : np_output_check(stream, "the report");
}

np_status np_report_network(const np_network *network, const np_network_facts *facts, const np_report_options *given,
                            FILE *stream)
{
    view v = {.network = network, .facts = facts};
    np_report_options options;
    np_status st = np_options_take(&np_report_options_fields, given, &options);
    if (!st && facts->parts)
        st = np_network_parts_find(network, &v.parts);
    if (!st)
        st = options.format == NP_REPORT_CSV    ? np_csv_report(&view_fields, &v, columns, stream)
             : options.format == NP_REPORT_JSON ? np_json_report(&view_fields, &v, options.command, 2, stream)
                                                : print(&v, stream);
    np_network_parts_clear(&v.parts);
    return st;
}
