/*
 * The leveled network of Ranade's six phases (engine/merging/ranade.h), played by the wrapped butterfly: levels 0 .. 6n
 * of 2^n nodes, one for each switch; node = column * 2^n + row. Port 0 goes straight, port 1 crosses.
 */
#pragma once

#include "model/leveled/leveled.h"
#include "model/network/network.h"

/* Row of the engine <-> row of the family butterfly:n: the bits backwards. */
static inline uint32_t np_six_phases_row(uint32_t n, uint32_t row)
{
    uint32_t back = 0;
    for (uint32_t i = 0; i < n; i++)
        back |= (row >> i & 1) << (n - 1 - i);
    return back;
}

/* Node <w, l> of butterfly:n, row w and level l, is processor r n + l of the engine, r the n bits of w backwards. */
static inline uint32_t np_six_phases_processor(uint32_t n, np_node u)
{
    return np_six_phases_row(n, u / n) * n + u % n;
}

/* Its sizes on a butterfly. */
np_leveled np_six_phases_sizes(const np_network *network);

/* network: a butterfly. NP_ERROR_LIMIT, NP_ERROR_MEMORY. */
np_status np_six_phases_create(const np_network *network, np_leveled **out) NP_CHECKED;

/* The same for dimension n without a butterfly, which has no links for n below 3: edges cross none. The same errors. */
np_status np_six_phases_alone(uint32_t n, np_leveled **out) NP_CHECKED;
