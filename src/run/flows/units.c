/* What is said in packets and steps, or in bytes and seconds, and what the engine counts. */
#include <string.h>

#include "base/decimal.h"
#include "base/quantity.h"
#include "run/flows/flows.h"

static np_text_field field_of(const char *text) { return (np_text_field){text, strlen(text)}; }

np_status np_flows_read_rate(const char *text, np_flows_units *units)
{
    np_quantity rate;
    *units = (np_flows_units){1, false};
    if (!text)
        return NP_OK;
    bool number = np_quantity_read(field_of(text), &rate);
    if (number && !*rate.unit)
        return NP_RAISE(NP_ERROR_INPUT, "the link rate '%.80s' lacks its unit: bits are '%.80sbit/s', bytes '%.80sB/s'",
                        text, text, text);
    if (!number || strcmp(rate.unit, "bit/s"))
        return NP_RAISE(NP_ERROR_INPUT, "the link rate '%.80s' must be a rate, as in 400Gbit/s or 50GB/s", text);
    if (rate.value < 1e-3 || rate.value > 1e18)
        return NP_RAISE(NP_ERROR_INPUT, "the link rate '%.80s' must be in 0.001 bit/s to 1 Ebit/s", text);
    *units = (np_flows_units){rate.value / 8, true};
    return NP_OK;
}

np_status np_flows_read_size(const char *text, double *size)
{
    if (np_decimal_size(field_of(text), size))
        return NP_OK;
    return NP_RAISE(NP_ERROR_INPUT, "size '%.80s' must be a number of 0 or more, as in 1500 or 64K", text);
}

/* Scaling by a power of two is exact, and so is the conversion of what fits. */
np_fair_time np_flows_ticks(const np_flows_units *units, double time)
{
    double ticks = time * units->moments * (double)(1 << NP_FLOWS_MOMENT_BITS);
    return ticks < 4e37 ? (np_fair_time)ticks : (np_fair_time)1 << NP_FAIR_TIME_BITS;
}

double np_flows_time(const np_flows_units *units, np_fair_time ticks)
{
    return (double)ticks / (double)(1 << NP_FLOWS_MOMENT_BITS) / units->moments;
}
