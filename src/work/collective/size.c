/* Amounts of data, such as "400kB", and rates, such as "100Gbit/s". Prefixes are powers of ten, but Ki, Mi, Gi, Ti. */
#include "work/collective/model.h"

#include <math.h>
#include <string.h>

#include "base/decimal.h"
#include "base/quantity.h"

static double *place_of(void *object, const np_field *field) { return (double *)((char *)object + field->at); }

/* Takes "iB" or "i" off the end: the power of 1024 of the prefix before it; 0: there is none. */
static double binary(np_text_field *text)
{
    static const char prefixes[] = "KMGTP";
    size_t length = text->length;
    if (length < 2 || text->at[length - 1] != 'i')
        return 0;
    const char *at = strchr(prefixes, text->at[length - 2] == 'k' ? 'K' : text->at[length - 2]);
    if (!at || !*at)
        return 0;
    double power = 1;
    for (const char *p = prefixes; p <= at; p++)
        power *= 1024;
    text->length -= 2;
    return power;
}

static bool read_size(const char *text, double *out)
{
    np_text_field field = {text, strlen(text)};
    np_quantity q;
    if (field.length > 1 && text[field.length - 1] == 'B')
        field.length--;
    double power = binary(&field);
    if (!np_quantity_read(field, &q) || *q.unit || (power > 0 && q.scaled))
        return false;
    *out = q.value * (power > 0 ? power : 1);
    return true;
}

np_status np_size_set(void *object, const np_field *field, const char *text)
{
    double value;
    if (!read_size(text, &value))
        return NP_RAISE(NP_ERROR_INPUT, "give an amount of data, such as 400kB, 1G or 64KiB");
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
