/* Numbers with a unit: "10G", "2.5 Gbps", "5ms", "120 km"; amounts of data and rates, for all that take them. */
#pragma once

#include "base/text.h"
#include "netpram/field.h"

typedef struct np_quantity {
    double value;     /* in the unit below */
    const char *unit; /* "bit/s", "s", "m"; "": none is written */
    bool scaled;      /* a unit, or a prefix such as G, is written */
} np_quantity;

/*
 * Is the field a number, which may have a sign and a unit behind it? Units are bps, b/s, bit/s (and with B or byte, of
 * 8 bits), s and m; prefixes are p, n, u, m, k, K, M, G, T, P and E, and mean powers of ten. A prefix may stand alone,
 * but "m" alone is metres. The value is the nearest double.
 */
bool np_quantity_read(np_text_field field, np_quantity *out);

/*
 * Reads an amount of 0 or more. "64K", or "64Ki", is a number with a power of 1024 and no unit, as np_decimal_size has
 * it; "1500B", "64kB" (of ten), "64 KiB" and "1500 bytes" say bytes, and *bytes is set. "64KB" has two meanings and is
 * refused. Returns why the text is none, in words to stand behind it; NULL: it is one.
 */
const char *np_size_read(np_text_field field, double *out, bool *bytes);

/* Reads a rate with its unit, from 1 bit/s to 1 Pbit/s, in bit/s. NP_ERROR_INPUT: no subject stands in the message. */
np_status np_rate_read(const char *text, double *out) NP_CHECKED;

/*
 * The `set` of fields, of doubles, that are amounts up to 1e15 and rates. np_size_set_bytes also says whether the text
 * says bytes.
 */
np_status np_size_set(void *object, const np_field *field, const char *text) NP_CHECKED;
np_status np_size_set_bytes(void *object, const np_field *field, const char *text, bool *bytes) NP_CHECKED;
np_status np_rate_set(void *object, const np_field *field, const char *text) NP_CHECKED;
