/* Demands from the contents of "file:PATH". The file is read elsewhere, so that the parsers can be fuzzed. */
#pragma once

#include "model/traffic/amounts.h"

/*
 * Fills an empty traffic: packets, source, destination, the note and, if some
 * line has a priority, priority. After an error the traffic can only be freed.
 *
 * @param name     of the file, for messages; ".mtx" at its end asks for Matrix Market
 * @param text     [length], borrowed
 * @param options  NULL: none
 * @param limit    most packets to make, at most NP_PACKETS_MAX
 * @return NP_ERROR_INPUT with "name:line: ...", NP_ERROR_LIMIT, NP_ERROR_MEMORY
 */
np_status np_pairs_parse(const char *name, const char *text, size_t length, const np_network *network,
                         const np_amount_options *options, uint64_t limit, np_traffic *traffic) NP_CHECKED;

/* ---- Columns of lists that the first line names ---- */

/* The names that lists have for these, then NULL. */
extern const char *const np_list_sources[], *const np_list_destinations[], *const np_list_times[];

/* The column of the present line that has one of the names; NP_TEXT_FIELDS: none has. */
size_t np_list_column(const np_text *text, const char *const *names);

/* ---- flows.c: demands in the formats of other tools ---- */

typedef struct np_flow_format {
    const char *name; /* "an htsim connection matrix" */
    bool (*recognizes)(np_text text);
    np_status (*read)(np_amounts *demands, np_text *text);
} np_flow_format;

/* The format that the text is in; NULL: none of these. */
const np_flow_format *np_flow_format_of(const np_text *text);
