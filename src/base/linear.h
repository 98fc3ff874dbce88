/*
 * Linear programs whose columns come one after the other: least cost x, where row_low <= A x <= row_high and x >= 0. By
 * the simplex method of CLP (COIN-OR), if this library is found when the program runs: it is loaded when a program is
 * made, and nothing needs it else. What it finds depends on its version.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

typedef struct np_linear np_linear;

/* Is CLP found? */
bool np_linear_available(void);

/* Without columns. +-INFINITY: no bound. NP_ERROR_APPLY: CLP is not found; NP_ERROR_MEMORY. */
np_status np_linear_create(int rows, const double *row_low, const double *row_high, np_linear **out) NP_CHECKED;
void np_linear_free(np_linear *program);

/* A column more, whose number is the next one from 0 on. row[count] differ. */
void np_linear_add(np_linear *program, double cost, int count, const int *row, const double *value);

/*
 * Goes on from the solution before. seconds: of the processor that it may take; INFINITY: as many as it needs. The
 * pointers are the program's, until the next call. False: no optimum is found, or not in this time.
 */
bool np_linear_solve(np_linear *program, double seconds, const double **value, const double **price);
