/* The facts of a network, formula against measurement. */
#include "netpram/output.h"
#include "network/network.h"
#include "report/json.h"
#include "report/network.h"
#include "report/table.h"

static json_t *figure_json(const np_figure *figure)
{
    json_t *object = json_object();
    np_json_set(&object, "formula", figure->has_formula ? np_json_whole(figure->formula) : json_null());
    np_json_set(&object, "measured", figure->measured_known ? np_json_whole(figure->measured) : json_null());
    np_json_set(&object, "note", figure->note ? np_json_text(figure->note) : json_null());
    return object;
}

/* One that may be a lower bound. */
static json_t *diameter_json(const np_figure *figure)
{
    json_t *object = figure_json(figure);
    np_json_set(&object, "lower_bound", json_boolean(figure->lower_bound));
    return object;
}

/* A figure that is yes or no. */
static json_t *truth_json(const np_figure *figure)
{
    json_t *object = json_object();
    np_json_set(&object, "formula", figure->has_formula ? json_boolean(figure->formula) : json_null());
    np_json_set(&object, "measured", figure->measured_known ? json_boolean(figure->measured) : json_null());
    np_json_set(&object, "note", figure->note ? np_json_text(figure->note) : json_null());
    return object;
}

/* One that may be an upper bound. */
static json_t *bounded_json(const np_figure *figure)
{
    json_t *object = figure_json(figure);
    np_json_set(&object, "upper_bound", json_boolean(figure->upper_bound));
    return object;
}

/* [from, to], or null. */
static json_t *no_way_json(const np_network_facts *facts)
{
    if (facts->no_way_from == NP_NONE)
        return json_null();
    json_t *pair = json_array();
    json_array_append_new(pair, np_json_whole(facts->no_way_from));
    json_array_append_new(pair, np_json_whole(facts->no_way_to));
    return pair;
}

/* What a search of the whole network tells; null where there was none. */
static json_t *known_json(const np_network_facts *facts, bool value)
{
    return facts->connection_known ? json_boolean(value) : json_null();
}

static np_status network_json(const np_network *network, const np_network_facts *facts, const char *command,
                              FILE *stream)
{
    json_t *object = np_json_head(command), *about = json_object();
    np_json_set(&about, "spec", np_json_text(np_network_spec(network)));
    np_json_set(&about, "nodes", np_json_whole(facts->nodes));
    np_json_set(&about, "links", np_json_whole(facts->links));
    np_json_set(&about, "terminals", np_json_whole(np_network_terminals(network)));
    np_json_set(&about, "family", np_json_text(np_network_family_name(network)));
    np_json_set(&object, "network", about);
    np_json_set(&object, "nodes", figure_json(&facts->node_count));
    np_json_set(&object, "links", figure_json(&facts->link_count));
    np_json_set(&object, "degree", figure_json(&facts->degree));
    np_json_set(&object, "diameter", diameter_json(&facts->diameter));
    np_json_set(&object, "bisection", bounded_json(&facts->bisection));
    np_json_set(&object, "node_symmetric", truth_json(&facts->symmetry));
    np_json_set(&object, "regular", known_json(facts, facts->regular));
    np_json_set(&object, "strongly_connected", known_json(facts, facts->strongly_connected));
    np_json_set(&object, "connected", known_json(facts, facts->connected));
    np_json_set(&object, "no_way", no_way_json(facts));
    np_json_set(&object, "default_scheme", np_json_text(np_scheme_default(network)));
    return np_json_print(object, 2, stream);
}

/* A figure as it stands in its column: yes or no, a bound, or nothing. */
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
    np_table_init(&table, "lrrl");
    np_table_add(&table, "%s", "");
    np_table_add(&table, "formula");
    np_table_add(&table, "measured");
    np_table_add(&table, "%s", "");
    figure_row(&table, "nodes", &facts->node_count, false);
    figure_row(&table, "links", &facts->link_count, false);
    figure_row(&table, "degree", &facts->degree, false);
    figure_row(&table, "diameter", &facts->diameter, false);
    figure_row(&table, "bisection", &facts->bisection, false);
    figure_row(&table, "node-symmetric", &facts->symmetry, true);
    np_status st = np_table_print(&table, stream);
    np_table_clear(&table);
    return st;
}

/* "regular, strongly connected", or how far from it. */
static void say_connection(const np_network_facts *facts, FILE *stream)
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
    if (facts->no_way_from != NP_NONE)
        fprintf(stream, "%s no way from node %u to node %u", facts->parts > 1 ? "," : ":", facts->no_way_from,
                facts->no_way_to);
    fputc('\n', stream);
}

np_status np_report_network(const np_network *network, const np_network_facts *facts, const np_report_options *options,
                            FILE *stream)
{
    if (options->format == NP_REPORT_CSV)
        return np_report_network_csv(network, facts, stream);
    if (options->format == NP_REPORT_JSON)
        return network_json(network, facts, options->command, stream);
    fprintf(stream, "%s: %llu nodes, %llu links, ", np_network_spec(network), (unsigned long long)facts->nodes,
            (unsigned long long)facts->links);
    say_connection(facts, stream);
    if (!np_network_all_terminals(network))
        fprintf(stream, "packets go from %u inputs at nodes 0..%u to as many outputs, nodes %u..%u\n",
                np_network_terminals(network), network->input_nodes - 1, network->output_first,
                network->output_first + network->terminals - 1);
    fprintf(stream, "default scheme: %s\n\n", np_scheme_default(network));
    np_status st = figures(facts, stream);
    return st ? st : np_output_check(stream, "the report");
}
