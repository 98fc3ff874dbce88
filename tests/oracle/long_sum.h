/* The sum of doubles by long addition, a bit at a time, as on paper; rounded once, to nearest, ties to even. Slow and
 * obvious. */
#ifndef NP_ORACLE_LONG_SUM_H
#define NP_ORACLE_LONG_SUM_H

#include <stddef.h>

double oracle_long_sum(const double *addend, size_t count);

#endif
