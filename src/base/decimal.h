/* Decimal numbers: "3", "3.0", "3e2"; sizes: "4K". Read and written without the locale. */
#pragma once

#include "base/export.h"
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

/* The nearest double. */
double np_decimal_nearest(np_decimal number);

/* Is the field a whole number of 0 or more that has at most 64 bits? "3.0" and "300e-2" are whole. */
bool np_decimal_whole(np_text_field field, uint64_t *out);

/* Is the field a decimal number, as "-1.5e3", that is finite as a double? The value is the nearest double. */
NP_FOR_REPORT bool np_decimal_signed(np_text_field field, double *out);

/* The same of numbers of 0 or more, and below 1e300. */
bool np_decimal_real(np_text_field field, double *out);

/* The same, times 10^tens. */
bool np_decimal_scaled(np_text_field field, int tens, double *out);

/*
 * The same, with K, M, G or T behind the number, which multiply it by 2^10, 2^20, 2^30 and 2^40. Ki, Mi, Gi and Ti mean
 * the same.
 */
bool np_decimal_size(np_text_field field, double *out);

enum { NP_DECIMAL_ROOM = 32 };

/*
 * Writes the shortest decimal number of which this double is the nearest one, so that reading gives the same bits back:
 * "0.1",
 * "-3", "1e+16", "-0"; also "inf", "-inf" and "nan". Of several that are equally short the nearest. Returns `text`.
 */
NP_FOR_REPORT const char *np_decimal_write(double value, char text[NP_DECIMAL_ROOM]);

/*
 * Numbers as texts, for printf: fprintf(stream, "%s steps", NP_REAL(mean, 4)). They last to the end of the expression.
 */
typedef struct np_decimal_text {
    char text[NP_DECIMAL_ROOM];
} np_decimal_text;

/* What "%.*g" writes in the C locale, with at most 17 digits. */
NP_FOR_REPORT np_decimal_text np_decimal_general(double value, int digits);

/* What "%.*f" writes in the C locale, with at most 8 decimals; from 1e20 on what "%.17g" writes. */
NP_FOR_REPORT np_decimal_text np_decimal_fixed(double value, int decimals);

/* What np_decimal_write writes. */
NP_FOR_REPORT np_decimal_text np_decimal_exact(double value);

#define NP_REAL(value, digits) (np_decimal_general((value), (digits)).text)
#define NP_FIXED(value, decimals) (np_decimal_fixed((value), (decimals)).text)
#define NP_EXACT(value) (np_decimal_exact(value).text)
