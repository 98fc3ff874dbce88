/*
 * Elementary functions of reals that give the same bits everywhere.
 *
 * IEEE 754 fixes the results of + - * / and sqrt, but not those of exp, log and
 * their kin: C libraries differ in the last bit, and a last bit decides a
 * comparison or a printed digit. These functions are made of fixed operations
 * only, in a fixed order; the build forbids the compiler to fuse a multiplication
 * and an addition. No file of the library calls the C library's versions
 * (tests/cli/reals). Errors are a few units in the last place.
 */
#pragma once

#include "base/export.h"

#define NP_PI 3.14159265358979323846
#define NP_LN2 0.69314718055994530942
#define NP_LN10 2.30258509299404568402

/* Infinities and 0 where the result is out of range. */
NP_FOR_REPORT double np_exp(double x);

/* ln x; -infinity at 0, NaN below. */
NP_FOR_REPORT double np_log(double x);

/* ln(1 + x) without cancellation at small x. */
double np_log1p(double x);

/* Exact at powers of two. */
NP_FOR_REPORT double np_log2(double x);

NP_FOR_REPORT double np_log10(double x);

/* x^y for x >= 0. Exact for whole y with |y| <= 64 where x^|y| is exact. */
NP_FOR_REPORT double np_power(double x, double y);

/* ln n! - ln(sqrt(2 pi n) (n/e)^n) for real n > 0, the error of Stirling's formula. */
double np_stirling_error(double n);

/* ln of the gamma function at x > 0. */
double np_log_gamma(double x);

/* ln C(n, k) of whole numbers; -infinity if k > n. */
double np_log_choose(double n, double k);

/* The sine and the cosine of `part` of a whole turn, 0 <= part <= 1. Exact at quarters of the turn. */
void np_turn(double part, double *sine, double *cosine);

/* ln(e^a + e^b): adds two numbers given by their logarithms. */
double np_log_add(double a, double b);
