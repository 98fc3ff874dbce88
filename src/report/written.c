/* What became of a network that was written into a file. */
#include "base/plural.h"
#include "netpram/base.h"
#include "network/network.h"
#include "report/csv.h"
#include "report/json.h"
#include "report/shape.h"

typedef struct view {
    const np_network *network;
    const char *file;
    const np_network_written *written;
} view;

static const np_field view_rows[] = {
    {"network", NP_FIELD_OBJECT, offsetof(view, network), .flags = NP_FIELD_BEHIND, .fields = &np_network_whole_fields,
     .help = "the network"},
    {"file", NP_FIELD_TEXT, offsetof(view, file), .help = "the file"},
    {NULL, NP_FIELD_INSET, offsetof(view, written), .flags = NP_FIELD_BEHIND, .fields = &np_network_written_fields},
};

static const np_fields view_fields = NP_FIELDS("written_report", "a network in a file", view, view_rows);

static const char columns[] =
    "network=network.spec,nodes=network.nodes,links=network.links,file,format,lines,undirected,"
    "node_numbers,link_numbers,lost";

const np_report_shape np_report_written_shape = {"convert", &view_fields, &view_fields, columns};

static void show(const view *v, FILE *stream)
{
    const np_network_written *w = v->written;
    np_node nodes = np_network_nodes(v->network);
    fprintf(stream, "%s: %s, %u node%s, %llu %s line%s of links\n", v->file, w->format, nodes, np_plural(nodes),
            (unsigned long long)w->lines, w->undirected ? "undirected" : "directed", np_plural(w->lines));
    if (!w->node_numbers)
        fprintf(stream, "nodes get other numbers when it is read\n");
    else if (!w->link_numbers)
        fprintf(stream, "links get other numbers when it is read\n");
    if (*w->lost)
        fprintf(stream, "not in the file: %s\n", w->lost);
}

np_status np_report_written(const np_network *network, const char *path, const np_network_written *written,
                            const np_report_options *given, FILE *stream)
{
    const view v = {network, path, written};
    np_report_options options;
    np_status st = np_options_take(&np_report_options_fields, given, &options);
    if (st)
        return st;
    if (options.format == NP_REPORT_CSV)
        return np_csv_report(&view_fields, &v, columns, stream);
    if (options.format == NP_REPORT_JSON)
        return np_json_report(&view_fields, &v, options.command, 2, stream);
    show(&v, stream);
    return np_output_check(stream, "the report");
}
