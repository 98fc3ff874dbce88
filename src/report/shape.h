/* The shapes of all reports, each in the file of its report. */
#ifndef NP_REPORT_SHAPE_H
#define NP_REPORT_SHAPE_H

#include "netpram/report.h"

extern const np_report_shape np_report_check_shape, np_report_collective_shape, np_report_defeat_shape,
    np_report_embed_shape, np_report_network_shape, np_report_offline_shape, np_report_pram_shape,
    np_report_ranking_shape, np_report_reconfigure_shape, np_report_route_shape, np_report_script_shape,
    np_report_sort_shape, np_report_universal_shape, np_report_written_shape;

#endif
