/* The list of traffic generators. */
#include "model/traffic/traffic.h"

extern const np_traffic_generator np_traffic_identity, np_traffic_random, np_traffic_bit_reversal, np_traffic_transpose,
    np_traffic_complement, np_traffic_perfect_shuffle, np_traffic_tornado, np_traffic_rotation,
    np_traffic_random_function, np_traffic_h_relation, np_traffic_partial, np_traffic_all_to_all, np_traffic_hotspot,
    np_traffic_longest_matching, np_traffic_adversarial, np_traffic_intra_group, np_traffic_inter_group,
    np_traffic_incast, np_traffic_stencil, np_traffic_near_worst /* of verdict/worst */, np_traffic_repeat,
    np_traffic_trace, np_traffic_file;
NP_PAPERS(extern const np_traffic_generator np_traffic_clogged;)

const np_registry np_traffic_generators = {
    .list = "traffic",
    .title = "traffic (--traffic)",
    .what = "traffic",
    .built_in = NP_ENTRIES(&np_traffic_identity.info, &np_traffic_random.info, &np_traffic_bit_reversal.info,
                           &np_traffic_transpose.info, &np_traffic_complement.info, &np_traffic_perfect_shuffle.info,
                           &np_traffic_tornado.info, &np_traffic_rotation.info, &np_traffic_random_function.info,
                           &np_traffic_h_relation.info, &np_traffic_partial.info, &np_traffic_all_to_all.info,
                           &np_traffic_hotspot.info, &np_traffic_incast.info, &np_traffic_stencil.info,
                           &np_traffic_intra_group.info, &np_traffic_inter_group.info, &np_traffic_adversarial.info,
                           &np_traffic_longest_matching.info, &np_traffic_near_worst.info, &np_traffic_repeat.info,
                           NP_PAPERS(&np_traffic_clogged.info, ) & np_traffic_trace.info, &np_traffic_file.info),
};
