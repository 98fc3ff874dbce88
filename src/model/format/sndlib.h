/*
 * SNDlib's native format (Orlowski, Wessäly, Pióro & Tomaszewski 2010), as a stream of tokens:
 *
 *   ?SNDlib native format; type: network; version: 1.0
 *   META ( ... )
 *   NODES ( Oslo ( 10.75 59.91 ) ... )
 *   LINKS ( L1 ( Oslo Bergen ) 0.00 0.00 0.00 0.00 ( 40.00 155.00 160.00 620.00 ) ... )
 *   DEMANDS ( D1 ( Oslo Turku ) 1 12.00 UNLIMITED ... )
 *   ADMISSIBLE_PATHS ( ... )
 *
 * A link has a capacity that is installed already and its cost, a cost of routing, a cost of setting up, and modules:
 * pairs of a capacity and its cost. A demand has a routing unit, a value, and the most links of a path.
 */
#pragma once

#include "model/format/scan.h"

typedef struct np_sndlib_link {
    np_text_field from, to;
    np_text_field capacity, routing_cost, setup_cost;
    np_text_field module; /* the capacity of the first; length 0: there is none */
} np_sndlib_link;

typedef struct np_sndlib_demand {
    np_text_field source, destination, value;
} np_sndlib_demand;

/* What to do with the entries of a file, in its order. NULL: nothing, beyond checking their grammar. */
typedef struct np_sndlib_use {
    void *context;
    np_status (*node)(void *context, np_scan *scan, np_text_field name);
    np_status (*link)(void *context, np_scan *scan, const np_sndlib_link *link);
    np_status (*demand)(void *context, np_scan *scan, const np_sndlib_demand *demand);
} np_sndlib_use;

/* Which sections a file has. */
typedef struct np_sndlib_sections {
    bool nodes, links, demands, paths;
} np_sndlib_sections;

bool np_sndlib_recognizes(np_text text);
np_status np_sndlib_read(np_text *text, const np_sndlib_use *use, np_sndlib_sections *sections) NP_CHECKED;
