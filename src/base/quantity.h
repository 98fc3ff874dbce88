/* Numbers with a unit: "10G", "2.5 Gbps", "5ms", "120 km". */
#ifndef NP_BASE_QUANTITY_H
#define NP_BASE_QUANTITY_H

#include "base/text.h"

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

#endif
