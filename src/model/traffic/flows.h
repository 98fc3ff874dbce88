/* Demands in the formats of other tools. */
#ifndef NP_TRAFFIC_FLOWS_H
#define NP_TRAFFIC_FLOWS_H

#include "model/traffic/amounts.h"

typedef struct np_flow_format {
    const char *name; /* "an htsim connection matrix" */
    bool (*recognizes)(np_text text);
    np_status (*read)(np_amounts *demands, np_text *text);
} np_flow_format;

/* The format that the text is in; NULL: none of these. */
const np_flow_format *np_flow_format_of(const np_text *text);

#endif
