/* When every packet of a run arrives, by its longest delay sequence: nothing is moved. */
#ifndef NP_EXPLAIN_LONGEST_SEQUENCE_H
#define NP_EXPLAIN_LONGEST_SEQUENCE_H

#include "model/leveled/path_set.h"
#include "netpram/merging.h"

/*
 * arrival[packets] receives the step (from 0) in which each packet is consumed, or would be if it were not combined
 * with another before. key[packets]: their ranks. For single packets, with ghosts. Where packets combine, equal targets
 * have equal keys. NP_ERROR_MEMORY. Time O(hops + edges x the longest delay), and sorting.
 */
np_status np_longest_sequences(const np_merge_options *options, const np_leveled *leveled, const np_path_set *path_set,
                               const uint32_t *key, np_step *arrival) NP_CHECKED;

#endif
