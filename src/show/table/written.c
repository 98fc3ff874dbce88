/* What became of a network that was written into a file. */
#include "model/network/network.h"
#include "show/table/shape.h"

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

static const char layout[] =
    "{file}: {format}, {network.nodes node}, {lines} {undirected ? undirected : directed} {lines=1 ? line : lines} of "
    "links\n"
    "{!node_numbers ? nodes get other numbers when it is read\n}"
    "{node_numbers & !link_numbers ? links get other numbers when it is read\n}"
    "{lost ? not in the file: {lost}\n}";

const np_report_form np_report_written_form = {
    {"convert", &view_fields, &view_fields, columns}, .open = 2, .layout = layout};

np_status np_report_written(const np_network *network, const char *path, const np_network_written *written,
                            const np_report_options *given, FILE *stream)
{
    return np_report_print(&np_report_written_form, &(view){network, path, written}, given, stream);
}
