/* Finding and making leveled routings. */
#include "model/leveled/leveled_routing.h"

#include "base/memory.h"

/* The first leveled routing that applies; else NULL, and the reason of one that knows the family, if there is one. */
static const np_leveled_routing_ops *find(const np_network *network, const char **reason)
{
    *reason = "no leveled network is known for its family";
    for (size_t i = 0; np_leveled_routings[i]; i++) {
        const np_leveled_routing_ops *ops = np_leveled_routings[i];
        if (!np_network_is(network, ops->only))
            continue;
        const char *why = ops->refuses ? ops->refuses(network) : NULL;
        if (!why)
            return ops;
        *reason = why;
    }
    return NULL;
}

const char *np_leveled_routing_refuses(const np_network *network)
{
    const char *reason;
    return find(network, &reason) ? NULL : reason;
}

void np_leveled_routing_sizes_compute(const np_network *network, np_leveled_routing_sizes *out)
{
    const char *reason;
    const np_leveled_routing_ops *ops = find(network, &reason);
    uint64_t table_bytes;
    *out = (np_leveled_routing_sizes){0};
    if (!ops)
        return;
    out->phases = ops->sizes(network, out->phase, &table_bytes);
    out->bytes = sizeof(np_leveled_routing) + table_bytes;
    for (unsigned i = 0; i < out->phases; i++) {
        const np_leveled *sizes = out->leveled[i] = &out->phase[i];
        out->depth = sizes->depth > out->depth ? sizes->depth : out->depth;
        out->bytes += np_leveled_bytes(sizes);
        if (ops->network_link)
            out->crossed_bytes += np_memory_taken(sizes->room_links * sizeof *sizes->link);
    }
}

uint64_t np_leveled_routing_bytes(const np_network *network)
{
    np_leveled_routing_sizes sizes;
    np_leveled_routing_sizes_compute(network, &sizes);
    return sizes.bytes;
}

np_status np_leveled_routing_create(const np_network *network, np_leveled_routing **out)
{
    const char *reason;
    const np_leveled_routing_ops *ops = find(network, &reason);
    np_leveled_routing *routing;
    np_status st;
    *out = NULL;
    if (!ops)
        return NP_RAISE(NP_ERROR_APPLY, "no leveled routing on %s: %s", np_network_spec(network), reason);
    if ((st = np_memory_zeroed(&routing, 1, sizeof *routing, "a leveled routing")))
        return st;
    routing->ops = ops;
    routing->network = network;
    if ((st = ops->prepare(routing))) {
        np_leveled_routing_free(routing);
        return st;
    }
    *out = routing;
    return NP_OK;
}

void np_leveled_routing_free(np_leveled_routing *routing)
{
    if (!routing)
        return;
    for (unsigned i = 0; i < NP_LEVELED_ROUTING_PHASES; i++)
        np_leveled_free(routing->owned[i]);
    if (routing->ops->release)
        routing->ops->release(routing->table);
    else
        np_memory_free(routing->table);
    np_memory_free(routing);
}

np_status np_leveled_routing_crossed(const np_leveled_routing *routing, unsigned phase, np_link **out)
{
    const np_leveled *lv = routing->phase[phase].leveled;
    size_t links = lv->walk[lv->edges];
    *out = NULL;
    if (!routing->ops->network_link)
        return NP_OK;
    np_status st = np_memory_array(out, links, sizeof **out, "an observed run");
    for (size_t i = 0; i < links && !st; i++)
        (*out)[i] = routing->ops->network_link(routing, lv->link[i]);
    return st;
}
