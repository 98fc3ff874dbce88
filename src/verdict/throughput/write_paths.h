/*
 * The flow that proves the lower bound as paths with weights, in a file that path rule "file" reads (listed.h): a
 * packet that draws one of the paths of its pair, in proportion to their weights, loads the links on average as the
 * flow does.
 */
#pragma once

#include "netpram/throughput.h"
#include "verdict/certificate/certificate.h"

/*
 * proof: its flows or its paths. If it takes longer than options->time_limit, no file is written, and out->paths is 0.
 * Heeds paths_out, time_limit and watch. NP_ERROR_IO, NP_ERROR_MEMORY, NP_ERROR_CANCELLED.
 */
np_status np_paths_write(const np_claim *claim, const np_certificate *proof, const np_throughput_options *options,
                         np_throughput_written *out) NP_CHECKED;
