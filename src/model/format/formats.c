/* The formats of graphs, and which one a text is in. */
#include <strings.h>

#include "model/format/format.h"

extern const np_graph_format np_format_matrix, np_format_dimacs, np_format_metis, np_format_adjacency, np_format_dense,
    np_format_links, np_format_dot, np_format_gml, np_format_anynet, np_format_infiniband, np_format_slurm,
    np_format_repetita, np_format_sndlib, np_format_rocketfuel, np_format_rocketfuel_weights, np_format_caida,
    np_format_brite, np_format_inet, np_format_htsim;

const np_registry np_graph_formats = {
    .what = "format",
    .built_in = NP_ENTRIES(&np_format_matrix.info, &np_format_dimacs.info, &np_format_metis.info, &np_format_dot.info,
                           &np_format_gml.info, &np_format_anynet.info, &np_format_infiniband.info,
                           &np_format_slurm.info, &np_format_repetita.info, &np_format_sndlib.info,
                           &np_format_rocketfuel.info, &np_format_rocketfuel_weights.info, &np_format_caida.info,
                           &np_format_brite.info, &np_format_inet.info, &np_format_htsim.info,
                           &np_format_adjacency.info, &np_format_dense.info, &np_format_links.info),
};

np_status np_format_register(const np_graph_format *format)
{
    return np_registry_add(&np_graph_formats, &format->info, NULL);
}

static bool has_signature(const np_graph_format *format, const np_text *text, const char *name)
{
    return (format->ending && np_text_ends(name, format->ending)) ||
           (format->other_ending && np_text_ends(name, format->other_ending)) ||
           (format->root && np_format_has_root(text, format->root)) ||
           (format->recognizes && format->recognizes(*text));
}

/* *format: the one that recognizes the text; NULL: none does. Two are one too many. */
static np_status recognize(const np_text *text, const char *name, const np_graph_format **format)
{
    const np_graph_format *other;
    *format = NULL;
    for (size_t i = 0; (other = np_registry_entry(&np_graph_formats, i)); i++) {
        if (!has_signature(other, text, name))
            continue;
        if (*format)
            return np_text_raise(text, NP_ERROR_INPUT, "this may be %s or %s: say --file-format %s or --file-format %s",
                                 (*format)->info.help, other->info.help, (*format)->info.name, other->info.name);
        *format = other;
    }
    return NP_OK;
}

np_status np_format_read(np_builder *graph, np_text *text, const char *name)
{
    const np_graph_format *format;
    const char *said = graph->options->format;
    np_status st = said ? np_registry_find(&np_graph_formats, said, &format) : recognize(text, name, &format);
    if (st)
        return st;
    if (!format)
        return (st = np_format_refuse_alike(text)) ? st : np_format_read_list(graph, text);
    graph->format = format->info.help;
    return format->read(graph, text);
}
