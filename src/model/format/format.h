/*
 * Formats of files that hold a graph. A format is one .c file with one const
 * descriptor and one line in formats.c. The formats that need a library are
 * registered at run time by libnetpram-report.
 */
#pragma once

#include "model/format/builder.h"

typedef struct np_graph_format {
    np_entry info;
    /*
     * The signature: is the text in this format? It is at its first line; a copy is given away. It must be strict,
     * because a text that two formats recognize is refused. Names of files and the root element of XML tell, too. All
     * NULL: the format is a list, which np_format_read_list tells from others.
     */
    bool (*recognizes)(np_text text);
    const char *ending, *other_ending; /* ".dot" */
    const char *root;                  /* "graphml" */
    /* The grammar. Fills the graph, or raises NP_ERROR_INPUT with the line and what it should be. */
    np_status (*read)(np_builder *graph, np_text *text);
} np_graph_format;

/* The registry of formats, in formats.c. What none recognizes is a list, or is refused. */
extern const np_registry np_graph_formats;

/* Adds a format, as np_registry_add. */
NP_FOR_REPORT np_status np_format_register(const np_graph_format *format) NP_CHECKED;

/* Reads a list of links, of neighbours or of the rows of a matrix, which it tells apart; graph->format says which. */
np_status np_format_read_list(np_builder *graph, np_text *text) NP_CHECKED;

/*
 * Does the text match the pattern from its first word on? Blanks and comments before it (#, %, // or slash star) do not
 * count. Letters match in any case. ' ' is one blank or line break or more, '_' any number of them, '#' a whole number.
 */
NP_FOR_REPORT bool np_format_begins(const np_text *text, const char *pattern);

/* Is the text XML with this root element, in any case of letters, and with any prefix of a namespace? */
bool np_format_has_root(const np_text *text, const char *name);

/* Refuses a text that begins like a format which has no reader. NP_OK: it begins like none. */
np_status np_format_refuse_alike(const np_text *text) NP_CHECKED;

/* Reads a file's text in the format that `options` name, or by its content. Then graph->format says which. */
np_status np_format_read(np_builder *graph, np_text *text, const char *name) NP_CHECKED;
