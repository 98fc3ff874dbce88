/* The figures of np_network_measure one by one. Each fills its own of the facts, or says in its note why not. */
#ifndef NP_NETWORK_FACTS_H
#define NP_NETWORK_FACTS_H

#include "network/search.h"

/* Those of np_network_measure without bisection and node symmetry: what is cheap, and all that some callers ask for. */
np_status np_network_measure_distances(const np_network *network, uint64_t effort, np_network_facts *facts) NP_CHECKED;

/* By as few searches as prove it, or a lower bound. The connection is known. */
np_status np_diameter_measure(np_search *search, uint64_t effort, np_network_facts *facts) NP_CHECKED;

/* By every pair of halves, if those are at most `effort`; else an upper bound by METIS. */
np_status np_bisection_measure(const np_search *search, uint64_t effort, np_network_facts *facts) NP_CHECKED;

/*
 * By automorphisms, or by the proof that there is none; not known if that takes
 * more than `effort` visits of links. facts->regular is that of the measurement.
 */
np_status np_symmetry_measure(const np_search *search, uint64_t effort, np_network_facts *facts) NP_CHECKED;

#endif
