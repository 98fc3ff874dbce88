/* --trace: one JSON object, on a line of its own, for every step. */
#ifndef CLI_TRACE_H
#define CLI_TRACE_H

#include <stdio.h>

#include "netpram/route.h"

void cli_trace_line(const np_step_report *report, FILE *stream);

#endif
