/* What the lines of a program's text cost, as a table. */
#ifndef NP_REPORT_PRAM_LINES_H
#define NP_REPORT_PRAM_LINES_H

#include <stdio.h>

#include "netpram/script.h"

np_status np_pram_lines_table(const np_script_result *result, FILE *stream) NP_CHECKED;

#endif
