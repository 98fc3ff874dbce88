/* The memory inside the modules of a butterfly, in the report of a PRAM program. Prints nothing for other machines. */
#ifndef NP_REPORT_PRAM_MEMORY_H
#define NP_REPORT_PRAM_MEMORY_H

#include <stdio.h>

#include "netpram/pram.h"

/* A table after an empty line. */
np_status np_pram_memory_table(const np_pram_memory *memory, FILE *stream) NP_CHECKED;

#endif
