/*
 * How crowded places get by a hash function: the rows of Theorem 4 of Ranade 1987b, stated there without proof, and the
 * places of appendix A, whose cells a search looks at.
 *
 * Symbols: m cells, M places, zeta coefficients, P the prime; k cells at one place.
 *
 * A function of the class H maps any zeta cells independently of one another, each to a given place with probability at
 * most p = (floor(P/M) + 1) / P <= (1 + M/P) / M. So on average C(m,j) p^j sets of j <= zeta cells are mapped to it as
 * a whole. If it has k cells, C(k,j) such sets are. By Markov's inequality some place has k cells with probability at
 * most
 *
 *   M C(m,j) p^j / C(k,j)     for each j <= min(k, zeta);
 *
 * the least of these is returned.
 */
#include "base/real.h"
#include "verdict/bound/bound.h"

#include <math.h>

static const double prime = 2305843009213693951.; /* 2^61 - 1 */

double np_bound_crowding(uint64_t cells, uint64_t places, uint32_t coefficients, uint64_t k)
{
    const double m = (double)cells, M = (double)places, each = np_log1p(M / prime) - np_log(M);
    double bound = np_log(M), least = 0;
    if (k > cells)
        return -INFINITY;
    for (uint32_t j = 0; j < coefficients && j < k; j++) {
        bound += np_log((m - j) / ((double)k - j)) + each;
        least = bound < least ? bound : least;
    }
    return least;
}

uint64_t np_bound_crowd(uint64_t cells, uint64_t places, uint32_t coefficients, double probability)
{
    uint64_t low = 0, high = cells; /* the bound holds for `high` + 1 cells, and for `low` of them it does not */
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        if (np_bound_crowding(cells, places, coefficients, middle + 1) <= np_log(probability))
            high = middle;
        else
            low = middle;
    }
    return high;
}
