/* What is worked out of the finishes: means and quantiles, by classes of size too, and the links. */
#include <math.h>

#include "base/memory.h"
#include "run/flows/flows.h"

/* ---- Times ---- */

/* Of those values that are not NAN. */
static np_status sum_up(size_t count, const double *value, np_flows_times *times)
{
    np_summary s = {.count = 0};
    np_status st = count ? np_summary_compute(count, value, &s) : NP_OK;
    *times = s.count ? (np_flows_times){s.mean, s.p50, s.p99, s.max} : (np_flows_times){NAN, NAN, NAN, NAN};
    return st;
}

/* The flows whose sizes are in from..to: their completions, or their slowdowns. *count: how many they are. */
static size_t collect(const np_flow_set *set, const double *of, bool slowdown, double from, double to, double *value)
{
    size_t count = 0;
    for (size_t i = 0; i < set->flows; i++)
        if (set->size[i] >= from && set->size[i] < to)
            value[count++] = slowdown && !(of[i] > 0) ? NAN : of[i];
    return count;
}

static np_status sum_up_range(const np_flow_set *set, const np_flows_outcome *out, double *value, np_flows_class *c)
{
    np_status st;
    c->flows = collect(set, out->completion, false, c->from, c->to, value);
    if ((st = sum_up(c->flows, value, &c->completion)))
        return st;
    collect(set, out->slowdown, true, c->from, c->to, value);
    return sum_up(c->flows, value, &c->slowdown);
}

/* Powers of ten from 1 on; what is smaller is one class. */
static np_status make_classes(np_flows_result *r, const np_flow_set *set, const np_flows_outcome *out, double *value,
                              np_flows_class **classes)
{
    double largest = 0;
    size_t room = 2;
    for (size_t i = 0; i < set->flows; i++)
        largest = set->size[i] > largest ? set->size[i] : largest;
    for (double to = 1; to <= largest; to *= 10)
        room++;
    np_status st = np_memory_array(classes, room, sizeof **classes, "classes of flows");
    for (double from = 0, to = 1; !st && from <= largest; from = to, to *= 10) {
        np_flows_class c = {.from = from, .to = to};
        if (!(st = sum_up_range(set, out, value, &c)) && c.flows)
            (*classes)[r->class_count++] = c;
    }
    r->classes = *classes;
    return st;
}

/* ---- Links ---- */

static void find_use(np_flows_result *r, const np_ways *ways, const np_flows_outcome *out, const np_flows_units *units)
{
    const np_network *network = ways->network;
    double each = r->makespan * units->moments, carried = 0; /* what a width of 1 can carry */
    uint64_t width = 0;
    r->busiest = (np_flows_link){network, NP_NONE, NP_NONE, 0, 0};
    for (np_link l = 0; each > 0 && l < np_network_link_numbers(network); l++) {
        if (!ways->width[l])
            continue;
        double use = out->carried[l] / ((double)ways->width[l] * each);
        carried += out->carried[l];
        width += ways->width[l];
        use = use < 1 ? use : 1; /* rounded */
        if (use > r->busiest.use)
            r->busiest = (np_flows_link){network, np_network_link_tail(network, l), np_network_link_head(network, l),
                                         ways->width[l], use};
    }
    r->use_mean = width ? carried / ((double)width * each) : 0;
}

np_status np_flows_sum_up(np_flows_result *r, const np_ways *ways, const np_flow_set *set, const np_flows_outcome *out,
                          const np_flows_units *units, np_flows_class **classes)
{
    np_flows_class all = {.from = 0, .to = INFINITY};
    double *value;
    r->flows = set->flows;
    r->source = set->source;
    r->destination = set->destination;
    r->size = set->size;
    r->start = set->start;
    r->events = out->events;
    for (size_t i = 0; i < set->flows; i++) {
        r->resting += set->source[i] == set->destination[i];
        r->sent += set->size[i];
        r->makespan = out->finish[i] > r->makespan ? out->finish[i] : r->makespan;
    }
    find_use(r, ways, out, units);
    np_status st = np_memory_array(&value, set->flows, sizeof *value, "the times of flows");
    if (!st && !(st = sum_up_range(set, out, value, &all)))
        st = make_classes(r, set, out, value, classes);
    r->completion = all.completion;
    r->slowdown = all.slowdown;
    np_memory_free(value);
    return st;
}
