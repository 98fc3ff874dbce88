/* Decimal numbers: "3", "3.0", "3e2"; sizes: "4K". */
#ifndef NP_BASE_DECIMAL_H
#define NP_BASE_DECIMAL_H

#include "base/text.h"

/* digits * 10^exponent, with no zero at the end of the digits. */
typedef struct np_decimal {
    unsigned __int128 digits; /* below NP_DECIMAL_DIGITS_END */
    int64_t exponent;
    bool rounded; /* there were more digits, and they are lost */
} np_decimal;

#define NP_DECIMAL_DIGITS_END ((unsigned __int128)10000000000000000000u * 10000000000000000000u) /* 38 digits */

/* Is the field a number of 0 or more? */
bool np_decimal_read(np_text_field field, np_decimal *out);

/* The same, with a letter behind the number, as np_decimal_size. */
bool np_decimal_read_size(np_text_field field, np_decimal *out);

/* The nearest double. Digits beyond the 19th are taken for zeros. */
double np_decimal_nearest(np_decimal number);

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

#endif
