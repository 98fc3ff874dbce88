/* The three properties of a scheme's phases: for each a verdict and its basis, and the witnesses. */
#include "netpram/base.h"
#include "base/decimal.h"
#include "base/plural.h"
#include "report/csv.h"
#include "report/json.h"
#include "report/shape.h"
#include "report/table.h"

static const char columns[] =
    "network=network.spec,scheme,paths,seed,uniform,phase=phases.name,oblivious=phases.oblivious.verdict,"
    "nonrepeating=phases.nonrepeating.verdict,symmetric=phases.symmetric.verdict,exact=phases.symmetric.exact,"
    "mean=phases.symmetric.mean,min=phases.symmetric.min.traffic,max=phases.symmetric.max.traffic,p=phases.symmetric.p";

const np_report_shape np_report_check_shape = {"check", &np_check_scheme_result_fields, &np_check_scheme_result_fields,
                                               columns};

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
        np_table_add(table, "%s packets a link in %llu runs: more --runs or --effort would tell",
                     NP_REAL(result->mean * (double)result->denominator, 3), (unsigned long long)result->denominator);
    else if (phase->symmetric == NP_CHECK_FAILS)
        np_table_add(table, "%u->%u least, %u->%u most%s", np_network_link_tail(network, result->min_link),
                     np_network_link_head(network, result->min_link), np_network_link_tail(network, result->max_link),
                     np_network_link_head(network, result->max_link), result->exact ? "" : ", as measured");
    else if (result->exact)
        np_table_add(table, "all %llu links alike", (unsigned long long)result->links);
    else
        np_table_add(table, "%llu runs, p = %s", (unsigned long long)result->denominator, NP_REAL(result->p, 3));
}

static np_status properties(const np_check_scheme_result *result, FILE *stream)
{
    np_table table;
    np_table_begin(&table, "llll", (const char *const[]){"phase", "property", "", ""});
    for (size_t i = 0; i < result->phases; i++) {
        oblivious_row(&table, result->network, &result->phase[i]);
        nonrepeating_row(&table, result->network, &result->phase[i]);
        symmetric_row(&table, result->network, &result->phase[i]);
    }
    return np_table_end(&table, stream);
}

static np_status traffic(const np_check_scheme_result *result, FILE *stream)
{
    np_table table;
    fprintf(stream, "\ntraffic  packets over a link in a phase, expected, one packet a node%s\n",
            result->uniform ? "" : ", for one random permutation");
    np_table_begin(&table, "lrrrl", (const char *const[]){"phase", "least", "mean", "most", ""});
    for (size_t i = 0; i < result->phases; i++) {
        const np_check_symmetric_result *phase = &result->phase[i].symmetric_result;
        np_table_add(&table, "%s", result->phase[i].name);
        np_table_add(&table, "%s", NP_REAL(phase->min, 4));
        np_table_add(&table, "%s", NP_REAL(phase->mean, 4));
        np_table_add(&table, "%s", NP_REAL(phase->max, 4));
        np_table_add(&table, "%s", phase->exact ? "exact" : "measured");
    }
    return np_table_end(&table, stream);
}

static np_status report_table(const np_check_scheme_result *result, const char *command, FILE *stream)
{
    np_status st;
    fprintf(stream, "network  %s: %u node%s, %llu link%s\n", np_network_spec(result->network),
            np_network_nodes(result->network), np_plural(np_network_nodes(result->network)),
            (unsigned long long)np_network_links(result->network), np_plural(np_network_links(result->network)));
    fprintf(stream, "scheme   %s: paths %s\n\n", result->scheme, result->paths);
    if ((st = properties(result, stream)) || (st = traffic(result, stream)))
        return st;
    if (command && *command)
        fprintf(stream, "\nrepeat   %s\n", command);
    return np_output_check(stream, "the report");
}

np_status np_report_check(const np_check_scheme_result *result, const np_report_options *given, FILE *stream)
{
    np_report_options options;
    np_status st = np_options_take(&np_report_options_fields, given, &options);
    if (st)
        return st;
    if (options.format == NP_REPORT_JSON)
        return np_json_report(&np_check_scheme_result_fields, result, options.command, 3, stream);
    if (options.format == NP_REPORT_CSV)
        return np_csv_list(&np_check_scheme_result_fields, result, "phases", columns, stream);
    return report_table(result, options.command, stream);
}
