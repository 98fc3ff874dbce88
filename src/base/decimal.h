/* Decimal numbers: "3", "3.0", "3e2"; sizes: "4K". Read and written without the locale. */
#ifndef NP_BASE_DECIMAL_H
#define NP_BASE_DECIMAL_H

#include "base/text.h"

/* Is the field a whole number of 0 or more that has at most 64 bits? "3.0" and "300e-2" are whole. */
bool np_decimal_whole(np_text_field field, uint64_t *out);

/*
 * Is the field a number of 0 or more, and below 1e300? The value is the nearest double, so what "%.17g" writes is read
 * as it was. Digits beyond the 19th are taken for zeros.
 */
bool np_decimal_real(np_text_field field, double *out);

/*
 * The same, with K, M, G or T behind the number, which multiply it by 2^10, 2^20, 2^30 and 2^40. Ki, Mi, Gi and Ti mean
 * the same.
 */
bool np_decimal_size(np_text_field field, double *out);

enum { NP_DECIMAL_ROOM = 32 };

/*
 * Writes the shortest decimal number of which this double is the nearest one, so that reading gives the same bits back: "0.1",
 * "-3", "1e+16", "-0"; also "inf", "-inf" and "nan". Of several that are equally short the nearest. Returns `text`.
 */
const char *np_decimal_write(double value, char text[NP_DECIMAL_ROOM]);

#endif
