/* All reports, each in its file. */
#ifndef NP_REPORT_SHAPE_H
#define NP_REPORT_SHAPE_H

#include "show/table/layout.h"

extern const np_report_form np_report_check_form, np_report_collective_form, np_report_defeat_form,
    np_report_embed_form, np_report_network_form, np_report_offline_form, np_report_pram_form, np_report_ranking_form,
    np_report_reconfigure_form, np_report_route_form, np_report_script_form, np_report_sort_form,
    np_report_universal_form, np_report_written_form;

/* The i-th; NULL past the last. */
const np_report_form *np_report_form_at(size_t i);

#endif
