/*
 * What all flows together send over time: the mean rate of each of at most RATES steps. A step is first a tick; when
 * the time outgrows the steps, each two become one. So no time need be known beforehand, and no rate be kept.
 */
#include <math.h>

#include "base/memory.h"
#include "run/flows/flows.h"

enum { RATES = 512 };

np_status np_rates_init(np_rates *rates)
{
    *rates = (np_rates){.step_bits = 0};
    return np_memory_zeroed(&rates->sent, RATES, sizeof *rates->sent, "the rates of flows");
}

static void widen(np_rates *r)
{
    for (size_t i = 0; i < RATES / 2; i++)
        r->sent[i] = r->sent[2 * i] + r->sent[2 * i + 1];
    for (size_t i = RATES / 2; i < RATES; i++)
        r->sent[i] = 0;
    r->step_bits++;
}

/* From `from` to `to`, ticks since the start, the flows have sent at one rate. */
static void spread(np_rates *r, np_fair_time from, np_fair_time to)
{
    while (from < to) {
        np_fair_time step = from >> r->step_bits, end = (step + 1) << r->step_bits;
        end = end < to ? end : to;
        r->sent[(size_t)step] += (double)r->rate * (double)(end - from);
        from = end;
    }
}

void np_rates_add(np_rates *r, np_fair_time now, np_wide rate)
{
    if (!r->sent)
        return;
    if (!r->begun)
        r->start = r->last = now;
    r->begun = true;
    while ((now - r->start) >> r->step_bits >= RATES)
        widen(r);
    if (r->rate)
        spread(r, r->last - r->start, now - r->start);
    if (rate || r->rate)
        r->end = now;
    r->last = now;
    r->rate = rate;
}

size_t np_rates_means(np_rates *r, np_fair_time end, double scale)
{
    np_fair_time length = end - r->start, step = (np_fair_time)1 << r->step_bits;
    if (!r->sent || !r->begun || end <= r->start)
        return 0;
    size_t count = (size_t)((length + step - 1) >> r->step_bits);
    for (size_t i = 0; i < count; i++) {
        np_fair_time from = (np_fair_time)i << r->step_bits, rest = length - from;
        double ticks = (double)(rest < step ? rest : step); /* the last step is shorter */
        r->sent[i] = r->sent[i] / ticks * scale;
    }
    return count;
}

void np_rates_finish(np_rates *r, const np_flows_units *units, unsigned width_bits, np_flows_result *result)
{
    if (!(result->rate_count = np_rates_means(r, r->end, ldexp(units->moments, -(int)width_bits))))
        return;
    result->rate_step = np_flows_time(units, (np_fair_time)1 << r->step_bits);
    result->rate_start = np_flows_time(units, r->start);
    result->rate = r->sent;
}
