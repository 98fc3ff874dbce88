/* Amounts of data, such as "1G" and "400kB", and rates, such as "100Gbit/s". Prefixes of amounts are powers of 1024, as
   those of demands; before a B they are of ten: kB, MB, GB, but KiB. */
#include "work/collective/model.h"

#include <math.h>
#include <string.h>

#include "base/decimal.h"
#include "base/quantity.h"

static double *place_of(void *object, const np_field *field) { return (double *)((char *)object + field->at); }

/* "400kB" and "400KiB", and whatever demands may say: "64K". A B behind a bare number changes nothing. */
static bool read_size(const char *text, double *out)
{
    static const char prefixes[] = "kKMGTP";
    np_text_field field = {text, strlen(text)};
    np_quantity q;
    if (field.length < 2 || text[field.length - 1] != 'B')
        return np_decimal_size(field, out);
    char before = text[--field.length - 1];
    if (!strchr(prefixes, before))
        return np_decimal_size(field, out);
    if (!np_quantity_read(field, &q) || *q.unit)
        return false;
    *out = q.value;
    return true;
}

np_status np_size_set(void *object, const np_field *field, const char *text)
{
    double value;
    if (!read_size(text, &value))
        return NP_RAISE(NP_ERROR_INPUT, "give an amount of data, such as 1G (2^30), 1GB (10^9) or 64KiB");
    if (!(value >= field->least && value <= 1e15))
        return NP_RAISE(NP_ERROR_INPUT, "must be a number in %s..1e15", NP_REAL(field->least, 6));
    *place_of(object, field) = value;
    return NP_OK;
}

np_status np_rate_set(void *object, const np_field *field, const char *text)
{
    np_quantity q;
    if (!np_quantity_read((np_text_field){text, strlen(text)}, &q) || strcmp(q.unit, "bit/s"))
        return NP_RAISE(NP_ERROR_INPUT, "give a rate with its unit, such as 100Gbit/s or 50GB/s");
    if (!(q.value >= field->least && q.value <= 1e15))
        return NP_RAISE(NP_ERROR_INPUT, "must be a rate from 1bit/s to 1000Tbit/s");
    *place_of(object, field) = q.value;
    return NP_OK;
}
