/* The polarized sequence of a PRAM's slowest batch (netpram/polarized.h), for people and as JSON. */
#ifndef NP_REPORT_POLARIZED_H
#define NP_REPORT_POLARIZED_H

#include <jansson.h>
#include <stdio.h>

#include "netpram/pram.h"

/* "read", "write", "fetch". */
const char *np_report_access_name(np_access_kind kind);

/* A few sentences, the sequence as a table, what is proved with its figures. NP_ERROR_MEMORY. */
np_status np_polarized_print(const np_pram_explanation *explanation, FILE *stream) NP_CHECKED;

/* The member `explain` of docs/json.md. NULL: no memory. */
json_t *np_polarized_json(const np_pram_explanation *explanation);

#endif
