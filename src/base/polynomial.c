/* See polynomial.h. */
#include "base/polynomial.h"

/* a b + c mod P: 2^61 = 1 (mod P), so the high bits of the product are added to the low ones. */
static uint64_t multiply_add(uint64_t a, uint64_t b, uint64_t c)
{
    unsigned __int128 product = (unsigned __int128)a * b + c;
    uint64_t sum = (uint64_t)(product & NP_POLYNOMIAL_PRIME) + (uint64_t)(product >> 61);
    return sum >= NP_POLYNOMIAL_PRIME ? sum - NP_POLYNOMIAL_PRIME : sum;
}

void np_polynomial_draw(const np_draws *draws, uint32_t item, uint32_t k, uint64_t *coefficient)
{
    for (uint32_t i = 0; i < k; i++) {
        uint64_t bits = np_random_u64(draws, item, i);
        /* floor(bits P / 2^64): 8 or 9 of the 2^64 words to each value */
        coefficient[i] = (uint64_t)(((unsigned __int128)bits * NP_POLYNOMIAL_PRIME) >> 64);
    }
}

uint64_t np_polynomial_at(const uint64_t *coefficient, uint32_t k, uint64_t x)
{
    uint64_t sum = 0;
    for (uint32_t i = k; i-- > 0;)
        sum = multiply_add(sum, x, coefficient[i]);
    return sum;
}
