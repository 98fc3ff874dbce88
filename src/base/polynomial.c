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
        /* floor(bits P / 2^64): each value has 8 or 9 of the 2^64 words */
        coefficient[i] = (uint64_t)(((unsigned __int128)bits * NP_POLYNOMIAL_PRIME) >> 64);
    }
}

uint64_t np_polynomial_step(const uint64_t *coefficient, uint32_t k, uint64_t x, uint64_t y)
{
    for (uint32_t i = k; i-- > 0;)
        y = multiply_add(y, x, coefficient[i]);
    return y;
}

uint64_t np_polynomial_at(const uint64_t *coefficient, uint32_t k, uint64_t x)
{
    return np_polynomial_step(coefficient, k, x, 0);
}

void np_polynomial_run(const uint64_t *coefficient, uint32_t k, uint64_t x, size_t count, uint64_t *out)
{
    enum { LANES = 8 }; /* ours: a multiplication waits for the previous one in its lane, not in other lanes */
    size_t done = 0;
    for (; count - done >= LANES; done += LANES) {
        uint64_t sum[LANES] = {0};
        for (uint32_t i = k; i-- > 0;)
            for (uint32_t lane = 0; lane < LANES; lane++)
                sum[lane] = multiply_add(sum[lane], x + done + lane, coefficient[i]);
        for (uint32_t lane = 0; lane < LANES; lane++)
            out[done + lane] = sum[lane];
    }
    for (; done < count; done++)
        out[done] = np_polynomial_at(coefficient, k, x + done);
}
