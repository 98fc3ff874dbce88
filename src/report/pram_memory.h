/* The memory inside the modules of a butterfly, in the report of a PRAM program. Both say nothing of other machines. */
#ifndef NP_REPORT_PRAM_MEMORY_H
#define NP_REPORT_PRAM_MEMORY_H

#include "netpram/pram.h"
#include "report/json.h"

/* An object, or null. */
json_t *np_pram_memory_json(const np_pram_memory *memory);

/* A table after an empty line. */
np_status np_pram_memory_table(const np_pram_memory *memory, FILE *stream) NP_CHECKED;

#endif
