/*
 * The search where each node sends to a few others, or where that by lengths has stalled: paths with weights, and
 * prices of arcs.
 *
 * Every demand has some paths, whose weights sum up to 1, and every arc a price; all prices, times the widths, sum up
 * to
 * 1. The paths want to be cheap and the prices to be where the loads are: where neither can do better, the largest load
 * is as small as can be (the column generation of Ford & Fulkerson 1958). The master, which finds the weights and the
 * prices for the paths there are, is the primal-dual hybrid gradient method (Chambolle & Pock 2011) with the adaptive
 * steps of PDLP (Applegate et al. 2021).
 */
#pragma once

#include "verdict/throughput/concurrent.h"

#define NP_PATH_COLUMNS_NEAR 1e-3 /* a gap from which linear programs go on, where they serve (vertex.h) */

typedef struct np_path_columns np_path_columns;

/*
 * Are demands few, and the network not tiny, and has the search by lengths had its iterations? Or does that search
 * bring nothing any more, as on fat-trees with failed links? Not for the bound of steps, whose memory is promised.
 */
bool np_path_columns_wanted(const np_concurrent *search);

/* Some steps of the master, then the bounds and new paths. NP_ERROR_MEMORY, NP_ERROR_LIMIT, NP_ERROR_CANCELLED. */
np_status np_path_columns_iterate(np_concurrent *search) NP_CHECKED;

/* The paths of the best flow, with weights, for a certificate, which owns them. */
np_status np_path_columns_write(const np_concurrent *search, np_certificate *certificate) NP_CHECKED;

void np_path_columns_free(np_path_columns *columns);
