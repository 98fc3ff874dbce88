/* What is said in packets and steps, or in bytes and seconds, and what the engine counts. */
#include "base/quantity.h"
#include "run/flows/flows.h"

np_status np_flows_read_rate(const char *text, np_flows_units *units)
{
    double rate = 8;
    np_status st = text ? np_rate_read(text, &rate) : NP_OK;
    *units = (np_flows_units){rate / 8, text != NULL};
    return st ? np_status_prefix(st, "link_rate '%.80s': ", text) : NP_OK;
}

const char *np_flows_read_size(np_text_field field, const np_flows_units *units, double *size)
{
    bool bytes;
    const char *wrong = np_size_read(field, size, &bytes);
    return !wrong && bytes && !units->bytes ? "without a link rate (--link-rate) sizes are packets, and not bytes"
                                            : wrong;
}

const char *np_flows_read_start(np_text_field field, const np_flows_units *units, double *start)
{
    np_quantity time;
    if (!np_quantity_read(field, &time) || !(time.value >= 0))
        return units->bytes ? "write a number of 0 or more, in seconds, or as in 5us" : "write a number of 0 or more";
    if (time.scaled && (*time.unit != 's' || !units->bytes))
        return units->bytes ? "write seconds, as in 5us" : "without a link rate starts are steps";
    *start = time.value;
    return NULL;
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
