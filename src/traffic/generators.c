/* The traffic generators: one line each. */
#include "traffic/traffic.h"

extern const np_traffic_generator_ops np_traffic_identity, np_traffic_random, np_traffic_bit_reversal,
    np_traffic_transpose, np_traffic_complement, np_traffic_perfect_shuffle, np_traffic_tornado, np_traffic_rotation,
    np_traffic_random_function, np_traffic_h_relation, np_traffic_partial, np_traffic_all_to_all, np_traffic_hotspot,
    np_traffic_repeat, np_traffic_file;

const np_traffic_generator_ops *const np_traffic_generators[] = {
    &np_traffic_identity,        &np_traffic_random,          &np_traffic_bit_reversal, &np_traffic_transpose,
    &np_traffic_complement,      &np_traffic_perfect_shuffle, &np_traffic_tornado,      &np_traffic_rotation,
    &np_traffic_random_function, &np_traffic_h_relation,      &np_traffic_partial,      &np_traffic_all_to_all,
    &np_traffic_hotspot,         &np_traffic_repeat,          &np_traffic_file,         NULL,
};
