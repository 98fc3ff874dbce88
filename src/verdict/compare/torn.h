/* Is a network torn apart? */
#pragma once

#include <stdbool.h>

#include "model/network/network.h"

/*
 * *torn: from some input no way leads to some output. A search from each input, until such a pair is found.
 * NP_ERROR_MEMORY.
 */
np_status np_compare_torn(const np_network *network, bool *torn) NP_CHECKED;
