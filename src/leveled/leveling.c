/* Finding and making levelings. */
#include "leveled/leveling.h"

#include "base/memory.h"

/* The first leveling that applies; else NULL, and the reason of a leveling that knows the family, if there is one. */
static const np_leveling_ops *find(const np_network *network, const char **reason)
{
    *reason = "no leveled network is known for its family";
    for (size_t i = 0; np_levelings[i]; i++) {
        const char *why = np_levelings[i]->refuses(network);
        if (!why)
            return np_levelings[i];
        if (*why)
            *reason = why;
    }
    return NULL;
}

const char *np_leveling_refuses(const np_network *network)
{
    const char *reason;
    return find(network, &reason) ? NULL : reason;
}

uint64_t np_leveling_bytes(const np_network *network)
{
    enum { A_NODE = 16, AN_EDGE = 36 }; /* bytes in the arrays of np_leveled, with the room that growing leaves */
    const char *reason;
    const np_leveling_ops *ops = find(network, &reason);
    uint64_t nodes, edges;
    if (!ops)
        return 0;
    ops->size(network, &nodes, &edges);
    return nodes * A_NODE + edges * AN_EDGE;
}

np_status np_leveling_create(const np_network *network, np_leveling **out)
{
    const char *reason;
    const np_leveling_ops *ops = find(network, &reason);
    np_leveling *leveling;
    np_status st;
    *out = NULL;
    if (!ops)
        return NP_RAISE(NP_ERROR_APPLY, "no leveled routing on %s: %s", np_network_spec(network), reason);
    if ((st = np_memory_zeroed(&leveling, 1, sizeof *leveling, "a leveling")))
        return st;
    leveling->ops = ops;
    leveling->network = network;
    if ((st = ops->prepare(leveling))) {
        np_leveling_free(leveling);
        return st;
    }
    *out = leveling;
    return NP_OK;
}

void np_leveling_free(np_leveling *leveling)
{
    if (!leveling)
        return;
    for (unsigned i = 0; i < NP_LEVELING_PHASES; i++)
        np_leveled_free(leveling->owned[i]);
    if (leveling->ops->release)
        leveling->ops->release(leveling->table);
    else
        np_memory_free(leveling->table);
    np_memory_free(leveling);
}
