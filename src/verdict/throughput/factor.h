/* The factor alone, for those who ask for many: without a certificate, binding links and other bounds. */
#pragma once

#include "verdict/throughput/concurrent.h"

/*
 * *per_host = what np_throughput_find says of the traffic, by a search without the hosts that hang on one switch
 * (np_problem_contract); 0 if no packet moves. Where there are none, by np_throughput_find. *reached: the gap asked
 * for. Fails as np_throughput_find.
 */
np_status np_factor_find(const np_network *network, const np_traffic *traffic, const np_throughput_options *options,
                         np_throughput_between *per_host, bool *reached) NP_CHECKED;
