/* A network's attributes: a value for each link number; which of them are delays and costs, and in what units. */
#include "model/network/attributes.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "model/network/read_node.h"

#define COST_UNIT 1e9

static const char what[] = "the attributes of a network's links";

void np_attributes_clear(np_network *network)
{
    for (size_t i = 0; i < network->attributes; i++)
        NP_MEMORY_FREE((char *)network->attribute[i].name, (double *)network->attribute[i].value);
    np_memory_free(network->attribute);
}

np_status np_attributes_begin(const np_network *from, np_network *network)
{
    np_status st = NP_OK;
    network->delay = from->delay;
    network->cost = from->cost;
    if (!from->attributes ||
        (st = np_memory_zeroed(&network->attribute, from->attributes, sizeof *from->attribute, what)))
        return st;
    for (size_t i = 0; i < from->attributes; i++) {
        const np_link_attribute *attribute = &from->attribute[i];
        double *value = NULL;
        char *name = np_memory_text(attribute->name);
        network->attribute[network->attributes++] = (np_link_attribute){name, attribute->unit, NULL};
        if (!name)
            return np_status_last();
        if ((st = np_memory_array(&value, network->link_numbers, sizeof *value, what)))
            return st;
        network->attribute[i].value = value;
    }
    return NP_OK;
}

np_status np_attributes_copy(const np_network *from, np_network *network)
{
    np_status st = np_attributes_begin(from, network);
    for (size_t i = 0; i < from->attributes && !st; i++)
        memcpy((double *)network->attribute[i].value, from->attribute[i].value, from->link_numbers * sizeof(double));
    return st;
}

size_t np_network_attributes(const np_network *network, const np_link_attribute **out)
{
    *out = network->attribute;
    return network->attributes;
}

const np_link_attribute *np_network_find_attribute(const np_network *network, const char *name)
{
    for (size_t i = 0; i < network->attributes; i++)
        if (!strcmp(network->attribute[i].name, name))
            return &network->attribute[i];
    return NULL;
}

/* ---- Delays and costs ---- */

const np_link_attribute *np_network_delay(const np_network *network)
{
    return network->delay ? &network->attribute[network->delay - 1] : NULL;
}

const np_link_attribute *np_network_cost(const np_network *network)
{
    return network->cost ? &network->attribute[network->cost - 1] : NULL;
}

np_status np_attributes_need(const np_network *network, const char *what_for, const char *name,
                             const np_link_attribute **out)
{
    np_parse_hint hint;
    if ((*out = np_network_find_attribute(network, name)))
        return NP_OK;
    np_parse_hint_init(&hint, name);
    for (size_t i = 0; i < network->attributes; i++)
        np_parse_hint_add(&hint, network->attribute[i].name);
    return NP_RAISE(NP_ERROR_APPLY, "%s '%.60s': links of %.200s have no such number: %s", what_for, name,
                    network->spec, hint.text);
}

np_status np_attributes_mark(np_network *network, const char *delay, const char *cost)
{
    const np_link_attribute *attribute;
    np_status st;
    if (delay) {
        if ((st = np_attributes_need(network, "delay", delay, &attribute)))
            return st;
        network->delay = 1 + (size_t)(attribute - network->attribute);
    }
    if (cost) {
        if ((st = np_attributes_need(network, "cost", cost, &attribute)))
            return st;
        network->cost = 1 + (size_t)(attribute - network->attribute);
    }
    return NP_OK;
}

/* A cable of a host that hangs on a switch (hosted.c). */
static bool hangs(const np_network *network, np_node u, np_node v)
{
    return network->switches && (u >= network->switches->nodes || v >= network->switches->nodes);
}

np_status np_attributes_delays(const np_network *network, const char *unit, uint16_t none, uint16_t **out)
{
    const np_link_attribute *a = np_network_delay(network);
    np_status st;
    *out = NULL;
    if (!a)
        return NP_OK;
    if (*a->unit)
        return NP_RAISE(NP_ERROR_INPUT, "delay '%.40s' is in %s: write %s, without a unit", a->name, a->unit, unit);
    if ((st = np_memory_array(out, network->link_numbers, sizeof **out, "the delays of links")))
        return st;
    for (np_link link = 0; link < network->link_numbers; link++) {
        np_node v = np_network_link_head(network, link);
        double steps = v == NP_NONE ? (double)NAN : a->value[link];
        (*out)[link] = none;
        if (isnan(steps))
            continue;
        if (!(steps >= 1 && steps <= NP_DELAY_MOST && steps == floor(steps)))
            return NP_RAISE(NP_ERROR_INPUT, "delay '%.40s' of the link from %.60s to %.60s: it is whole %s, 1..%d",
                            a->name, NP_NODE_NAME(network, np_network_link_tail(network, link)),
                            NP_NODE_NAME(network, v), unit, NP_DELAY_MOST);
        (*out)[link] = (uint16_t)steps;
    }
    return NP_OK;
}

np_status np_attributes_costs(const np_network *network, const np_link_attribute *a, uint64_t *cost)
{
    for (np_link link = 0; link < network->link_numbers; link++) {
        np_node v = np_network_link_head(network, link), u;
        cost[link] = 0;
        if (v == NP_NONE || hangs(network, u = np_network_link_tail(network, link), v))
            continue;
        if (!(a->value[link] >= 0 && a->value[link] <= NP_COST_MOST))
            return NP_RAISE(NP_ERROR_INPUT,
                            "the link from node %.60s to node %.60s has no %.60s that can be a cost: 0..%d",
                            NP_NODE_NAME(network, u), NP_NODE_NAME(network, v), a->name, NP_COST_MOST);
        cost[link] = (uint64_t)(a->value[link] * COST_UNIT + 0.5);
    }
    return NP_OK;
}

np_status np_attributes_heeded(const np_network *network, const char *who, unsigned heeds)
{
    const np_link_attribute *delay = np_network_delay(network), *cost = np_network_cost(network);
    if (delay && !(heeds & NP_HEEDS_DELAYS))
        return NP_RAISE(NP_ERROR_APPLY, "%s: delays of links are not heeded: leave delay '%.60s' out", who,
                        delay->name);
    if (cost && !(heeds & NP_HEEDS_COSTS))
        return NP_RAISE(NP_ERROR_APPLY, "%s: costs of links are not heeded: leave cost '%.60s' out", who, cost->name);
    return NP_OK;
}
