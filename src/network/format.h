/*
 * Formats of files that hold a graph. A format is one .c file with one const
 * descriptor and one line in formats.c. The formats that need a library are
 * registered at run time by libnetpram-report.
 */
#ifndef NP_NETWORK_FORMAT_H
#define NP_NETWORK_FORMAT_H

#include "network/builder.h"

typedef struct np_graph_format {
    np_entry info;
    /*
     * Is the text in this format? It is at its first line; a copy is given away. name: of the file. NULL: the format is
     * a list, which np_format_read_list tells from others.
     */
    bool (*recognizes)(np_text text, const char *name);
    /* Fills the graph, or raises NP_ERROR_INPUT with the line and what it should be. */
    np_status (*read)(np_builder *graph, np_text *text);
} np_graph_format;

/* The registry of formats, in formats.c. What none recognizes is a list. */
extern const np_registry np_graph_formats;

/* Adds a format, as np_registry_add. */
NP_FOR_REPORT np_status np_format_register(const np_graph_format *format) NP_CHECKED;

/* Reads a list of links or of neighbours, which it tells apart, and says which in graph->format. */
np_status np_format_read_list(np_builder *graph, np_text *text) NP_CHECKED;

/* Does the text begin with `begin`, spaces aside? */
NP_FOR_REPORT bool np_format_begins(const np_text *text, const char *begin);

/* Does the name end with the ending, in any case of letters? */
bool np_format_ends(const char *name, const char *ending);

/* What separates the fields of a list: ',' or ';' or a tab by its first line; 0: spaces. */
char np_format_separator(np_text text, const char *name);

/* Refuses a text, or what is no text, in a format that is known and not read. */
np_status np_format_refuse_unread(const np_text *text) NP_CHECKED;

/* Reads a file's text in the format that `options` name, or by its content. Then graph->format says which. */
np_status np_format_read(np_builder *graph, np_text *text, const char *name) NP_CHECKED;

#endif
