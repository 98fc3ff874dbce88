/* Cables between switches by their length. */
#pragma once

#include "model/network/search.h"

/*
 * Adds the cables that are at most `longest` long, by the attribute "length" of their links, and the longer ones;
 * cables without a length are neither. NP_ERROR_APPLY: no link has the attribute; NP_ERROR_MEMORY.
 */
np_status np_compare_cables(const np_search *search, double longest, uint64_t *electrical,
                            uint64_t *optical) NP_CHECKED;
