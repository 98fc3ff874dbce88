/* The facts of a network as CSV: one line, with nothing between the commas where a figure is not known. */
#include "report/network.h"

#include "netpram/output.h"
#include "report/csv.h"

static const char *word(bool value) { return value ? "true" : "false"; }

/* "formula,measured," as numbers. */
static void figure(const np_figure *f, FILE *stream)
{
    if (f->has_formula)
        fprintf(stream, "%llu", (unsigned long long)f->formula);
    fputc(',', stream);
    if (f->measured_known)
        fprintf(stream, "%llu", (unsigned long long)f->measured);
    fputc(',', stream);
}

/* The same as words. */
static void truth(const np_figure *f, FILE *stream)
{
    fprintf(stream, "%s,%s,", f->has_formula ? word(f->formula) : "", f->measured_known ? word(f->measured) : "");
}

np_status np_report_network_csv(const np_network *network, const np_network_facts *facts, FILE *stream)
{
    fputs("network,family,nodes_formula,nodes_measured,links_formula,links_measured,degree_formula,degree_measured,"
          "diameter_formula,diameter_measured,diameter_lower_bound,bisection_formula,bisection_measured,"
          "bisection_upper_bound,node_symmetric_formula,node_symmetric_measured,regular,strongly_connected,connected\n",
          stream);
    np_csv_text(np_network_spec(network), stream);
    np_csv_text(np_network_family_name(network), stream);
    figure(&facts->node_count, stream);
    figure(&facts->link_count, stream);
    figure(&facts->degree, stream);
    figure(&facts->diameter, stream);
    fprintf(stream, "%s,", word(facts->diameter.lower_bound));
    figure(&facts->bisection, stream);
    fprintf(stream, "%s,", word(facts->bisection.upper_bound));
    truth(&facts->symmetry, stream);
    if (facts->connection_known)
        fprintf(stream, "%s,%s,%s\n", word(facts->regular), word(facts->strongly_connected), word(facts->connected));
    else
        fputs(",,\n", stream);
    return np_output_check(stream, "the report");
}
