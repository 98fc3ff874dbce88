/* The heaviest assignment of n rows to n columns, found in two other ways. weight: [n * n], row by row. */
#ifndef ORACLE_HEAVIEST_H
#define ORACLE_HEAVIEST_H

#include <stdint.h>

/* By all permutations. */
int64_t oracle_heaviest_by_trial(uint32_t n, const int64_t *weight);

/* By the Hungarian algorithm in O(n^3): one row after the other along a shortest augmenting path. */
int64_t oracle_heaviest(uint32_t n, const int64_t *weight);

#endif
