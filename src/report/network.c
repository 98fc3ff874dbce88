/* The facts of a network, formula against measurement. */
#include "netpram/base.h"
#include "base/plural.h"
#include "network/network.h"
#include "report/csv.h"
#include "report/json.h"
#include "report/shape.h"
#include "report/table.h"

/* ---- JSON and CSV ---- */

typedef struct view {
    const np_network *network;
    const np_network_facts *facts;
} view;

static void get_scheme(const void *object, np_value *value)
{
    value->text = np_scheme_default(((const view *)object)->network);
}

static const np_field view_rows[] = {
    {"network", NP_FIELD_OBJECT, offsetof(view, network), .flags = NP_FIELD_BEHIND, .fields = &np_network_whole_fields,
     .help = "the network"},
    {NULL, NP_FIELD_INSET, offsetof(view, facts), .flags = NP_FIELD_BEHIND, .fields = &np_network_facts_fields},
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

np_status np_report_network(const np_network *network, const np_network_facts *facts, const np_report_options *given,
                            FILE *stream)
{
    const view v = {network, facts};
    np_report_options options;
    np_status st = np_options_take(&np_report_options_fields, given, &options);
    if (st)
        return st;
    if (options.format == NP_REPORT_CSV)
        return np_csv_report(&view_fields, &v, columns, stream);
    if (options.format == NP_REPORT_JSON)
        return np_json_report(&view_fields, &v, options.command, 2, stream);
    fprintf(stream, "%s: %llu node%s, %llu link%s, ", np_network_spec(network), (unsigned long long)facts->nodes,
            np_plural(facts->nodes), (unsigned long long)facts->links, np_plural(facts->links));
    say_connection(network, facts, stream);
    np_node hosts = np_network_terminals(network), switches = np_network_nodes(network) - hosts;
    if (np_network_has_hosts(network))
        fprintf(stream, "packets go from host to host: %u host%s, %u switch%s\n", hosts, np_plural(hosts), switches,
                switches == 1 ? "" : "es");
    else if (!np_network_all_terminals(network))
        fprintf(stream, "packets go from %u inputs at nodes 0..%u to as many outputs, nodes %u..%u\n",
                np_network_terminals(network), network->input_nodes - 1, network->output_first,
                network->output_first + network->terminals - 1);
    fprintf(stream, "default scheme: %s\n\n", np_scheme_default(network));
    st = figures(facts, stream);
    return st ? st : np_output_check(stream, "the report");
}
