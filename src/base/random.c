/* The draws of callbacks that are not compiled with the library. */
#include "base/random.h"

uint64_t np_draw(const np_draws *draws, uint32_t item, uint32_t draw) { return np_random_u64(draws, item, draw); }

uint32_t np_draw_below(const np_draws *draws, uint32_t item, uint32_t draw, uint32_t bound)
{
    return np_random_below(draws, item, draw, bound);
}
