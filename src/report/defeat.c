/* The permutation that defeats a path rule: the link, the packets over it, and the steps of two ways to route it. */
#include "netpram/base.h"
#include "base/decimal.h"
#include "base/plural.h"
#include "report/csv.h"
#include "report/json.h"
#include "report/shape.h"

static const char columns[] =
    "network=network.spec,paths,seed,degree,bound,destinations,exhaustive,link=link.link,from=link.from,to=link.to,"
    "crossing,packets,steps=steps.mean,steps_max=steps.max,two_phase_steps=two_phase_steps.mean,"
    "two_phase_steps_max=two_phase_steps.max";

const np_report_shape np_report_defeat_shape = {"defeat", &np_defeat_fields, &np_defeat_fields, columns};

static void searched(const np_defeat *defeat, FILE *stream)
{
    np_node nodes = np_network_nodes(defeat->network);
    if (defeat->exhaustive)
        fprintf(stream, "search   all paths\n");
    else
        fprintf(stream,
                "search   a sample: the paths to %u of %u destinations, and to some from the sources of the link%s\n",
                defeat->destinations, nodes,
                defeat->crossing < defeat->bound ? "; with more --effort it finds what the bound promises" : "");
}

static void steps(const char *name, const np_summary *steps, FILE *stream)
{
    fprintf(stream, "%-10s %s steps, %s..%s in %zu run%s\n", name, NP_REAL(steps->mean, 4), NP_FIXED(steps->min, 0),
            NP_FIXED(steps->max, 0), steps->count, np_plural(steps->count));
}

static np_status report_table(const np_defeat *defeat, const char *command, FILE *stream)
{
    const np_network *network = defeat->network;
    fprintf(stream, "network  %s: %u node%s, %llu link%s\n", np_network_spec(network), np_network_nodes(network),
            np_plural(np_network_nodes(network)), (unsigned long long)np_network_links(network),
            np_plural(np_network_links(network)));
    fprintf(stream, "paths    %s\n", defeat->paths);
    searched(defeat, stream);
    fprintf(stream, "link     %u->%u: %u packet%s of the permutation cross%s it\n",
            np_network_link_tail(network, defeat->link), np_network_link_head(network, defeat->link), defeat->crossing,
            np_plural(defeat->crossing), defeat->crossing == 1 ? "es" : "");
    fprintf(stream, "bound    %u packet%s over some link, for some permutation and any such rule of degree %u\n\n",
            defeat->bound, np_plural(defeat->bound), defeat->degree);
    steps("direct", &defeat->steps, stream);
    steps("two-phase", &defeat->two_phase_steps, stream);
    if (command && *command)
        fprintf(stream, "\nrepeat   %s\n", command);
    return np_output_check(stream, "the report");
}

np_status np_report_defeat(const np_defeat *defeat, const np_report_options *given, FILE *stream)
{
    np_report_options options;
    np_status st = np_options_take(&np_report_options_fields, given, &options);
    if (st)
        return st;
    if (options.format == NP_REPORT_JSON)
        return np_json_report(&np_defeat_fields, defeat, options.command, 3, stream);
    if (options.format == NP_REPORT_CSV)
        return np_csv_report(&np_defeat_fields, defeat, columns, stream);
    return report_table(defeat, options.command, stream);
}
