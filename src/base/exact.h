/*
 * Exact quotients of decimal numbers: how many packets of 0.1 bytes 0.3 bytes are. In doubles they would be 4.
 *
 * A double stands for the shortest decimal number that it is nearest to: 0.1 is 1/10, and not the sum of powers of two
 * that the machine has for it. So what programs keep in doubles is what people wrote.
 */
#pragma once

#include "base/decimal.h"

/*
 * *out = a * b / by, rounded up to a whole number. by > 0. False if it is more than `most`. No number may be rounded.
 */
bool np_exact_quotient(const np_decimal *a, const np_decimal *b, const np_decimal *by, uint64_t most, uint64_t *out);

/* A whole number. */
np_decimal np_exact_whole(uint64_t number);

/*
 * The shortest decimal number that the IEEE number of `bits` bits is nearest to. x >= 0 and finite; bits: 16, 32 or 64.
 */
np_decimal np_exact_of(double x, unsigned bits);

/*
 * Undoes the printing of a double: if the digits, 17 or more, are how a program prints one ("%.18e" of numpy.savetxt),
 * the number becomes the shortest that the double is nearest to. Other numbers stay.
 */
void np_exact_unprint(np_decimal *number);

/* ---- Quotients of whole numbers, as bounds ---- */

typedef unsigned __int128 np_wide;

/* The double next to top / bottom that is not above it, or, if `up`, not below it. bottom > 0; both below 2^126. */
double np_exact_ratio(np_wide top, np_wide bottom, bool up);
