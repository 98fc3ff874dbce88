/* Writes a network into a file, in the format that its name ends in. */
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "base/written.h"
#include "model/format/format.h"
#include "model/format/writer.h"
#include "model/network/attributes.h"

extern const np_graph_writer np_writer_dot, np_writer_gml, np_writer_graphml, np_writer_matrix, np_writer_anynet,
    np_writer_csv, np_writer_json;

const np_registry np_graph_writers = {
    .what = "format to write",
    .built_in = NP_ENTRIES(&np_writer_dot.info, &np_writer_gml.info, &np_writer_graphml.info, &np_writer_matrix.info,
                           &np_writer_anynet.info, &np_writer_csv.info, &np_writer_json.info),
};

/* ---- For the formats ---- */

bool np_writes_attribute(const np_link_attribute *attribute)
{
    static const char *const words[] = {"width", "source", "target", "from",  "to",      "src",
                                        "dst",   "key",    "id",     "label", NP_IB_PORT};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcasecmp(attribute->name, words[i]))
            return false;
    return true;
}

static void listing_attributes(const np_listing *listing, size_t i, FILE *stream, np_attribute_visit *visit)
{
    const np_network *network = listing->network;
    char room[64];
    if (listing->width[i] > 1) {
        snprintf(room, sizeof room, "%u", listing->width[i]);
        visit(stream, "width", room, true);
    }
    for (size_t k = 0; k < network->attributes; k++) {
        const np_link_attribute *attribute = &network->attribute[k];
        const char *value = np_listing_value(listing, i, attribute, room);
        if (value && np_writes_attribute(attribute))
            visit(stream, attribute->name, value, !*attribute->unit);
    }
}

void np_write_graph(const np_listing *l, const np_graph_form *form, FILE *stream)
{
    const np_network *network = l->network;
    for (np_node u = 0; u < network->nodes; u++) {
        fputs(u ? form->next : "", stream);
        form->node(l, u, l->hosts && np_network_is_host(network, u), stream);
    }
    fputs(form->links, stream);
    for (size_t i = 0; i < l->lines; i++) {
        fputs(i ? form->next : "", stream);
        form->link(l, i, stream);
        listing_attributes(l, i, stream, form->attribute);
        fputs(form->end, stream);
    }
}

/* ---- What can be written ---- */

static const char *shown(const char *name, np_text_shown *room)
{
    *room = np_text_show_field((np_text_field){name, strlen(name)});
    return room->text;
}

/* Names are texts that any reader takes: UTF-8 without control characters. */
static np_status check_name(const char *name)
{
    np_text_shown show;
    size_t bytes;
    for (const char *at = name; *at; at += bytes) {
        uint32_t code;
        bool plain;
        if (!(bytes = np_written_next(at, &code, &plain)))
            return NP_RAISE(NP_ERROR_APPLY, "node '%s' has a name that is not in UTF-8: no file is written of it",
                            shown(name, &show));
        if (code < ' ' || code == 127)
            return NP_RAISE(NP_ERROR_APPLY, "node '%s' has a control character in its name: no file is written of it",
                            shown(name, &show));
    }
    return NP_OK;
}

static np_status check_names(const np_listing *listing)
{
    char room[NP_NAME_ROOM];
    np_status st = NP_OK;
    for (np_node u = 0; listing->network->names && u < listing->network->nodes && !st; u++)
        st = check_name(np_listing_name(listing, u, room));
    return st;
}

/* A list of links has no nodes but those of its lines. */
static np_status check_isolated(const np_listing *listing, const np_graph_writer *writer)
{
    const np_network *network = listing->network;
    char room[NP_NAME_ROOM];
    np_text_shown show;
    uint8_t *met;
    np_node alone = 0;
    np_status st = np_memory_zeroed(&met, network->nodes, 1, "the nodes met");
    if (st)
        return st;
    for (size_t i = 0; i < listing->lines; i++)
        met[listing->from[i]] = met[listing->to[i]] = 1;
    while (alone < network->nodes && met[alone])
        alone++;
    np_memory_free(met);
    if (alone == network->nodes)
        return NP_OK;
    return NP_RAISE(NP_ERROR_APPLY, "node %s has no links, and %s has no line for such a node: write .graphml",
                    shown(np_listing_name(listing, alone, room), &show), writer->info.help);
}

static np_status find_writer(const char *path, const char *format, const np_graph_writer **out)
{
    const np_graph_writer *writer;
    if (format)
        return np_registry_find(&np_graph_writers, format, out);
    for (size_t i = 0; (writer = np_registry_entry(&np_graph_writers, i)); i++)
        if (np_text_ends(path, writer->ending) || (writer->other && np_text_ends(path, writer->other))) {
            *out = writer;
            return NP_OK;
        }
    return NP_RAISE(NP_ERROR_INPUT,
                    "'%.200s' does not end in the name of a format: write .dot, .gml, .graphml, .mtx, .anynet, .csv or "
                    ".json",
                    path);
}

/* ---- What is kept ---- */

static void lose(np_network_written *out, const char *thing)
{
    size_t length = strlen(out->lost);
    snprintf(out->lost + length, sizeof out->lost - length, "%s%s", length ? ", " : "", thing);
}

static void tell(const np_listing *l, const np_graph_writer *writer, np_network_written *out)
{
    const np_network *network = l->network;
    bool ends = !l->hosts && (!np_network_all_terminals(network) || network->family->input);
    *out = (np_network_written){.format = writer->info.name,
                                .lines = l->lines,
                                .undirected = l->undirected,
                                .node_numbers = writer->keeps & NP_KEEPS_NODES};
    out->link_numbers = out->node_numbers;
    if (writer->numbers)
        writer->numbers(l, &out->node_numbers, &out->link_numbers);
    out->link_numbers &= !l->gaps;
    if (network->names && !(writer->keeps & NP_KEEPS_NAMES))
        lose(out, "names");
    if (l->hosts && !(writer->keeps & NP_KEEPS_HOSTS))
        lose(out, "hosts");
    if (ends)
        lose(out, "inputs and outputs (all nodes become terminals)");
    for (size_t i = 0; i < network->attributes; i++)
        if (!(writer->keeps & NP_KEEPS_ATTRIBUTES) || !np_writes_attribute(&network->attribute[i]))
            lose(out, network->attribute[i].name);
}

/* ---- Writing ---- */

static np_status check(const np_listing *l, const np_graph_writer *writer)
{
    np_status st = writer->keeps & NP_KEEPS_NAMES ? check_names(l) : NP_OK;
    if (!st && !(writer->keeps & NP_KEEPS_NODES))
        st = check_isolated(l, writer);
    return st || !writer->refuses ? st : writer->refuses(l);
}

static np_status save(const np_listing *l, const np_graph_writer *writer, const char *path)
{
    np_output *output;
    np_status st = np_output_open(path, &output);
    if (st)
        return st;
    writer->write(l, np_output_stream(output));
    return np_output_commit(output);
}

np_status np_network_write(const np_network *network, const char *path, const char *format, np_network_written *out)
{
    const np_graph_writer *writer;
    np_listing listing;
    np_status st;
    *out = (np_network_written){.format = NULL};
    if ((st = np_attributes_heeded(network, "a file of links", 0)) || (st = find_writer(path, format, &writer)))
        return st;
    bool merge = writer->keeps & NP_KEEPS_WIDTHS, directed = !(writer->keeps & NP_KEEPS_DIRECTION);
    if (!(st = np_listing_make(network, merge, directed, &listing)) && !(st = check(&listing, writer))) {
        tell(&listing, writer, out);
        st = save(&listing, writer, path);
    }
    np_listing_clear(&listing);
    return st;
}
