/* The figures of np_network_measure, one by one. Each function fills its own figure, or its note says why not. */
#pragma once

#include "model/network/search.h"

/* All facts of np_network_measure but bisection and node symmetry: they are cheap, and some callers need no others. */
np_status np_network_measure_distances(const np_network *network, uint64_t effort, np_network_facts *facts) NP_CHECKED;

/* The diameter, by as few searches as prove it, or a lower bound. The connection was measured before. */
np_status np_diameter_measure(np_search *search, uint64_t effort, np_network_facts *facts) NP_CHECKED;

/* The bisection, by trying every pair of halves if there are at most `effort`; else an upper bound by METIS. */
np_status np_bisection_measure(const np_search *search, uint64_t effort, np_network_facts *facts) NP_CHECKED;

/*
 * Node symmetry: yes by automorphisms, no by the proof that one is missing; not
 * known if this takes more than `effort` visits of links. facts->regular was
 * measured before.
 */
np_status np_symmetry_measure(const np_search *search, uint64_t effort, np_network_facts *facts) NP_CHECKED;

/* Cables, radix, mean distance and hosts that are cut off, of a network of switches. */
np_status np_fabric_measure(np_search *search, uint64_t effort, np_fabric_facts *facts) NP_CHECKED;
