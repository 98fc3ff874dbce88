/* The hash is printed as a string, because JSON numbers lose bits beyond 2^53. */
#include "trace.h"

void cli_trace_line(const np_step_report *report, FILE *stream)
{
    fprintf(stream,
            "{\"run\": %u, \"phase\": %u, \"step\": %u, \"packets\": %u, \"moved\": %u, \"finished\": %u, "
            "\"waiting\": %u, \"queue_max\": %u, \"population_max\": %u, \"hash\": \"%016llx\"}\n",
            report->run, report->phase, report->step, report->packets, report->moved, report->finished, report->waiting,
            report->queue_max, report->population_max, (unsigned long long)report->hash);
}
