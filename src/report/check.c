/* The three properties of a scheme's phases: a verdict and what it rests on, for each, and the witnesses. */
#include "netpram/output.h"
#include "netpram/version.h"
#include "report/json.h"
#include "report/table.h"

/* ---- JSON ---- */

static json_t *link_json(const np_network *network, np_link link)
{
    json_t *object;
    if (link == NP_NONE)
        return json_null();
    object = json_object();
    np_json_set(&object, "link", json_integer(link));
    np_json_set(&object, "from", json_integer(np_network_link_tail(network, link)));
    np_json_set(&object, "to", json_integer(np_network_link_head(network, link)));
    return object;
}

static json_t *route_json(const np_check_route *route)
{
    json_t *object = json_object();
    np_json_set(&object, "from", json_integer(route->from));
    np_json_set(&object, "to", json_integer(route->to));
    np_json_set(&object, "packet", json_integer(route->packet));
    return object;
}

static json_t *oblivious_json(const np_network *network, const np_check_phase_result *phase)
{
    const np_check_oblivious_result *result = &phase->oblivious_result;
    json_t *object = json_object(), *witness = json_object();
    np_json_set(&object, "verdict", np_json_text(np_check_verdict_name(phase->oblivious)));
    np_json_set(&object, "runs", json_integer(result->runs));
    np_json_set(&object, "routes", np_json_whole(result->routes));
    if (result->holds) {
        json_decref(witness);
        witness = json_null();
    } else {
        np_json_set(&witness, "route", route_json(&result->route));
        np_json_set(&witness, "run", json_integer(result->run));
        np_json_set(&witness, "packets", json_integer(result->present));
        np_json_set(&witness, "hop", json_integer(result->hop));
        np_json_set(&witness, "alone", link_json(network, result->alone));
        np_json_set(&witness, "together", link_json(network, result->together));
    }
    np_json_set(&object, "witness", witness);
    return object;
}

/* One of the two routes, and the hops at which it has the two links. */
static json_t *side_json(const np_check_route *route, uint32_t first, uint32_t second)
{
    json_t *object = route_json(route);
    np_json_set(&object, "first", json_integer(first));
    np_json_set(&object, "second", json_integer(second));
    return object;
}

static json_t *nonrepeating_json(const np_network *network, const np_check_phase_result *phase)
{
    const np_check_nonrepeating_result *result = &phase->nonrepeating_result;
    json_t *object = json_object(), *witness = json_object();
    np_json_set(&object, "verdict", np_json_text(np_check_verdict_name(phase->nonrepeating)));
    np_json_set(&object, "in_order", json_boolean(result->holds_in_order));
    np_json_set(&object, "exhaustive", json_boolean(result->exhaustive));
    np_json_set(&object, "routes", np_json_whole(result->routes));
    if (result->holds) {
        json_decref(witness);
        witness = json_null();
    } else {
        np_json_set(&witness, "first", link_json(network, result->first));
        np_json_set(&witness, "second", link_json(network, result->second));
        np_json_set(&witness, "one", side_json(&result->one, result->i, result->k));
        np_json_set(&witness, "other", side_json(&result->other, result->j, result->m));
    }
    np_json_set(&object, "witness", witness);
    return object;
}

static json_t *extreme_json(const np_network *network, np_link link, double traffic)
{
    json_t *object = link_json(network, link);
    np_json_set(&object, "traffic", np_json_real(traffic));
    return object;
}

static json_t *symmetric_json(const np_network *network, const np_check_phase_result *phase)
{
    const np_check_symmetric_result *result = &phase->symmetric_result;
    json_t *object = json_object();
    np_json_set(&object, "verdict", np_json_text(np_check_verdict_name(phase->symmetric)));
    np_json_set(&object, "exact", json_boolean(result->exact));
    np_json_set(&object, "runs", result->exact ? json_null() : np_json_whole(result->denominator));
    np_json_set(&object, "mean", np_json_real(result->mean));
    np_json_set(&object, "min", result->links ? extreme_json(network, result->min_link, result->min) : json_null());
    np_json_set(&object, "max", result->links ? extreme_json(network, result->max_link, result->max) : json_null());
    np_json_set(&object, "p", result->exact ? json_null() : np_json_real(result->p));
    np_json_set(&object, "error_rate", result->exact ? json_null() : np_json_real(result->error_rate));
    return object;
}

static json_t *phases_json(const np_check_scheme_result *result)
{
    json_t *array = json_array();
    for (size_t i = 0; i < result->phases; i++) {
        const np_check_phase_result *phase = &result->phase[i];
        json_t *object = json_object();
        np_json_set(&object, "name", np_json_text(phase->name));
        np_json_set(&object, "oblivious", oblivious_json(result->network, phase));
        np_json_set(&object, "nonrepeating", nonrepeating_json(result->network, phase));
        np_json_set(&object, "symmetric", symmetric_json(result->network, phase));
        np_json_append(&array, object);
    }
    return array;
}

static np_status report_json(const np_check_scheme_result *result, const char *command, FILE *stream)
{
    json_t *object = np_json_head(command), *network = json_object();
    np_json_set(&network, "spec", np_json_text(np_network_spec(result->network)));
    np_json_set(&network, "nodes", np_json_whole(np_network_nodes(result->network)));
    np_json_set(&network, "links", np_json_whole(np_network_links(result->network)));
    np_json_set(&object, "seed", np_json_whole(result->seed));
    np_json_set(&object, "network", network);
    np_json_set(&object, "scheme", np_json_text(result->scheme));
    np_json_set(&object, "paths", np_json_text(result->paths));
    np_json_set(&object, "uniform", json_boolean(result->uniform));
    np_json_set(&object, "fails", json_boolean(result->fails));
    np_json_set(&object, "phases", phases_json(result));
    return np_json_print(object, 3, stream);
}

/* ---- The table ---- */

static void row(np_table *table, const np_check_phase_result *phase, const char *property, np_check_verdict verdict)
{
    np_table_add(table, "%s", phase->name);
    np_table_add(table, "%s", property);
    np_table_add(table, "%s", np_check_verdict_name(verdict));
}

static void oblivious_row(np_table *table, const np_network *network, const np_check_phase_result *phase)
{
    const np_check_oblivious_result *result = &phase->oblivious_result;
    row(table, phase, "oblivious", phase->oblivious);
    if (result->holds)
        np_table_add(table, "%llu routes in company, %u runs: each as if alone", (unsigned long long)result->routes,
                     result->runs);
    else if (result->together == NP_NONE)
        np_table_add(table, "run %u: packet %u from %u to %u stops at hop %u among %u packets", result->run,
                     result->route.packet, result->route.from, result->route.to, result->hop, result->present);
    else
        np_table_add(table, "run %u: packet %u from %u to %u takes %u->%u at hop %u among %u packets, but not alone",
                     result->run, result->route.packet, result->route.from, result->route.to,
                     np_network_link_tail(network, result->together), np_network_link_head(network, result->together),
                     result->hop, result->present);
}

static void nonrepeating_row(np_table *table, const np_network *network, const np_check_phase_result *phase)
{
    const np_check_nonrepeating_result *result = &phase->nonrepeating_result;
    row(table, phase, "nonrepeating", phase->nonrepeating);
    if (result->holds)
        np_table_add(table, "%s%llu routes", result->exhaustive ? "all " : "", (unsigned long long)result->routes);
    else
        np_table_add(table, "%u->%u, %u->%u: hops %u, %u from %u to %u; %u, %u from %u to %u%s",
                     np_network_link_tail(network, result->first), np_network_link_head(network, result->first),
                     np_network_link_tail(network, result->second), np_network_link_head(network, result->second),
                     result->i, result->k, result->one.from, result->one.to, result->j, result->m, result->other.from,
                     result->other.to, result->holds_in_order ? " (only in opposite orders)" : "");
}

static void symmetric_row(np_table *table, const np_network *network, const np_check_phase_result *phase)
{
    const np_check_symmetric_result *result = &phase->symmetric_result;
    row(table, phase, "symmetric", phase->symmetric);
    if (phase->symmetric == NP_CHECK_UNDECIDED)
        np_table_add(table, "%.3g packets a link in %llu runs: more --runs or --effort would tell",
                     result->mean * (double)result->denominator, (unsigned long long)result->denominator);
    else if (phase->symmetric == NP_CHECK_FAILS)
        np_table_add(table, "%u->%u least, %u->%u most%s", np_network_link_tail(network, result->min_link),
                     np_network_link_head(network, result->min_link), np_network_link_tail(network, result->max_link),
                     np_network_link_head(network, result->max_link), result->exact ? "" : ", as measured");
    else if (result->exact)
        np_table_add(table, "all %llu links alike", (unsigned long long)result->links);
    else
        np_table_add(table, "%llu runs, p = %.3g", (unsigned long long)result->denominator, result->p);
}

static np_status properties(const np_check_scheme_result *result, FILE *stream)
{
    np_table table;
    np_table_init(&table, "llll");
    np_table_add(&table, "phase");
    np_table_add(&table, "property");
    np_table_add(&table, "%s", "");
    np_table_add(&table, "%s", "");
    for (size_t i = 0; i < result->phases; i++) {
        oblivious_row(&table, result->network, &result->phase[i]);
        nonrepeating_row(&table, result->network, &result->phase[i]);
        symmetric_row(&table, result->network, &result->phase[i]);
    }
    np_status st = np_table_print(&table, stream);
    np_table_clear(&table);
    return st;
}

static np_status traffic(const np_check_scheme_result *result, FILE *stream)
{
    np_table table;
    fprintf(stream, "\ntraffic  packets over a link in a phase, expected, one packet a node%s\n",
            result->uniform ? "" : ", for one random permutation");
    np_table_init(&table, "lrrrl");
    np_table_add(&table, "phase");
    np_table_add(&table, "least");
    np_table_add(&table, "mean");
    np_table_add(&table, "most");
    np_table_add(&table, "%s", "");
    for (size_t i = 0; i < result->phases; i++) {
        const np_check_symmetric_result *phase = &result->phase[i].symmetric_result;
        np_table_add(&table, "%s", result->phase[i].name);
        np_table_add(&table, "%.4g", phase->min);
        np_table_add(&table, "%.4g", phase->mean);
        np_table_add(&table, "%.4g", phase->max);
        np_table_add(&table, "%s", phase->exact ? "exact" : "measured");
    }
    np_status st = np_table_print(&table, stream);
    np_table_clear(&table);
    return st;
}

static np_status report_table(const np_check_scheme_result *result, const char *command, FILE *stream)
{
    np_status st;
    fprintf(stream, "network  %s: %u nodes, %llu links\n", np_network_spec(result->network),
            np_network_nodes(result->network), (unsigned long long)np_network_links(result->network));
    fprintf(stream, "scheme   %s: paths %s\n\n", result->scheme, result->paths);
    if ((st = properties(result, stream)) || (st = traffic(result, stream)))
        return st;
    if (command && *command)
        fprintf(stream, "\nrepeat   %s\n", command);
    return np_output_check(stream, "the report");
}

np_status np_report_check(const np_check_scheme_result *result, const np_report_options *options, FILE *stream)
{
    if (options->format == NP_REPORT_CSV)
        return NP_RAISE(NP_ERROR_INPUT, "no format 'csv' for a check: it prints as 'table' or 'json'");
    if (options->format == NP_REPORT_JSON)
        return report_json(result, options->command, stream);
    return report_table(result, options->command, stream);
}
