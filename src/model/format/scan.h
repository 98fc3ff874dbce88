/*
 * Lines of formats that are more than lists of fields, read from left to right, and the errors of their readers:
 *
 *   cluster.conf:3: 'Nods=h[1-4]' where a Slurm topology.conf has 'Nodes=', 'Switches=' or 'LinkSpeed='
 *   abilene.graph:17: the file ends after 3 of 28 edges of a REPETITA graph: is it cut short?
 *
 * A format is read by its grammar: what is left on a line, and what is left in the file, is refused, too.
 */
#pragma once

#include "model/format/builder.h"

typedef struct np_scan {
    np_text *text;         /* at the present line */
    const char *format;    /* "a REPETITA graph", for messages */
    const char *at, *end;  /* what is left of the line, without the comment and the blanks at its end */
    np_text_field comment; /* what follows '#' on the line; length 0: there is none */
} np_scan;

/* A scan of the text from its present place on. */
np_scan np_scan_begin(np_text *text, const char *format);

/* Moves to the next line that has more than a comment. '#' begins one at the start of a line, and after a blank. */
bool np_scan_line(np_scan *scan);

/* The same; false, and the scan where it was, if the next such line does not begin with this word. */
bool np_scan_line_begins(np_scan *scan, const char *word);

/* ---- What comes next on the line, after blanks. What is not there is left, and false returned. ---- */

bool np_scan_at_end(np_scan *scan);
bool np_scan_mark(np_scan *scan, const char *mark);

/* The word, in any case of letters, if it ends there. */
bool np_scan_is(np_scan *scan, const char *word);

/* The characters up to a blank, or up to one of `stops`; "": up to a blank. */
bool np_scan_word(np_scan *scan, const char *stops, np_text_field *out);

/* The text between double quotes. */
bool np_scan_quoted(np_scan *scan, np_text_field *out);

/* A word that is a whole number of 64 bits, or any number, which may have a sign. */
bool np_scan_whole(np_scan *scan, const char *stops, uint64_t *out);
bool np_scan_number(np_scan *scan, const char *stops, np_text_field *out);

/* ---- Refusals ---- */

/* "'what is next' where FORMAT has EXPECTED". Always an error. */
np_status np_scan_refuse(const np_scan *scan, const char *expected, ...)
    __attribute__((format(printf, 2, 3))) NP_CHECKED;

/* Refuses what is left of the line. */
np_status np_scan_end_line(np_scan *scan) NP_CHECKED;

/* Refuses lines that are left. */
np_status np_scan_end_file(np_scan *scan) NP_CHECKED;

/* Reads `count` lines by `row`, which gets their numbers from 0. rows: "edges". Refuses a file that ends before. */
typedef np_status np_scan_row(void *context, np_scan *scan, uint64_t i);
np_status np_scan_rows(np_scan *scan, uint64_t count, const char *rows, np_scan_row *row, void *context) NP_CHECKED;

/* ---- Nodes and links ---- */

/* *out = a node that the file has not named before. */
np_status np_scan_new_node(const np_scan *scan, np_builder *graph, np_text_field name, np_node *out) NP_CHECKED;

/* *out = a node that the file has named. */
np_status np_scan_node(const np_scan *scan, const np_builder *graph, np_text_field name, np_node *out) NP_CHECKED;

/* A number that the file gives to a link, with its unit if the format says one. Length 0: it gives none. */
typedef struct np_scan_attribute {
    const char *name;
    np_text_field value;
} np_scan_attribute;

/* Adds a link with its attributes. */
np_status np_scan_link(const np_scan *scan, np_builder *graph, np_node from, np_node to,
                       const np_scan_attribute *attribute, size_t attributes) NP_CHECKED;

/* One end of a cable of which the file has both. */
typedef struct np_cable_end {
    uint64_t here, there; /* a node, or a port of one */
    uint64_t line;
} np_cable_end;

/* Sorts the ends. The first in the file that has no counterpart; NULL: all have. */
const np_cable_end *np_cable_end_alone(np_cable_end *ends, size_t count);
