/* The facts of a network as CSV: one line. */
#ifndef NP_REPORT_NETWORK_H
#define NP_REPORT_NETWORK_H

#include "netpram/report.h"

np_status np_report_network_csv(const np_network *network, const np_network_facts *facts, FILE *stream) NP_CHECKED;

#endif
