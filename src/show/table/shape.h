/* All reports, each in its file. */
#pragma once

#include "show/table/layout.h"
#include "netpram/report.h"

extern const np_report_form np_report_check_form, np_report_collective_form, np_report_compare_form,
    np_report_deadlock_form, np_report_defeat_form, np_report_flows_form, np_report_jobs_form, np_report_load_form,
    np_report_network_form, np_report_pram_form, np_report_proof_form, np_report_replay_form, np_report_route_form,
    np_report_script_form, np_report_sort_form, np_report_throughput_form, np_report_worst_form, np_report_written_form;

/* The i-th; NULL past the last. */
const np_report_form *np_report_form_at(size_t i);

/* What the annex adds to a report of the core, if it is there: members of the JSON, and a text behind the table. */
typedef struct np_report_added {
    const void *explanation; /* NULL: none was asked for */
} np_report_added;

extern const np_fields np_report_route_added, np_report_pram_added;

/* np_report_route, whose JSON has what the annex adds: an explanation. NULL: none. */
np_status np_report_route_with(const np_route_result *result, const void *explanation, const np_report_options *given,
                               FILE *stream) NP_CHECKED;

/* explanation: NULL: none */
np_status np_report_pram_text(const np_pram_explanation *explanation, FILE *stream) NP_CHECKED;
