/* Blocks side by side, and the draws of callbacks that are not compiled with the library. */
#include "base/random.h"

#include "base/hot.h"

enum { ROUNDS = 10 };

/* Philox as in Random123, by vectors. */
NP_HOT void np_random_blocks(const np_draws *draws, const uint64_t seed[NP_RANDOM_LANES],
                             const uint32_t item[NP_RANDOM_LANES], const uint32_t draw[NP_RANDOM_LANES],
                             uint32_t out[4][NP_RANDOM_LANES])
{
    uint32_t key[2][NP_RANDOM_LANES];
    for (int i = 0; i < NP_RANDOM_LANES; i++) {
        out[0][i] = item[i];
        out[1][i] = draw[i];
        out[2][i] = draws->run;
        out[3][i] = (uint32_t)draws->purpose << 16 | draws->phase;
        key[0][i] = (uint32_t)seed[i];
        key[1][i] = (uint32_t)(seed[i] >> 32);
    }
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < NP_RANDOM_LANES; i++) {
            uint64_t first = (uint64_t)PHILOX_M4x32_0 * out[0][i], second = (uint64_t)PHILOX_M4x32_1 * out[2][i];
            out[0][i] = (uint32_t)(second >> 32) ^ out[1][i] ^ key[0][i];
            out[2][i] = (uint32_t)(first >> 32) ^ out[3][i] ^ key[1][i];
            out[1][i] = (uint32_t)second;
            out[3][i] = (uint32_t)first;
            key[0][i] += PHILOX_W32_0;
            key[1][i] += PHILOX_W32_1;
        }
}

uint64_t np_draw(const np_draws *draws, uint32_t item, uint32_t draw) { return np_random_u64(draws, item, draw); }

uint32_t np_draw_below(const np_draws *draws, uint32_t item, uint32_t draw, uint32_t bound)
{
    return np_random_below(draws, item, draw, bound);
}
