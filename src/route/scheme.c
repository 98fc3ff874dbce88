/* Finding schemes. */
#include "route/scheme.h"

#include <stdio.h>
#include <string.h>

np_status np_scheme_find(const char *name, const np_scheme_ops **out)
{
    return np_registry_find(&np_schemes, name, out);
}

np_status np_scheme_explains(const char *name, bool *out)
{
    const np_scheme_ops *scheme;
    np_status st = np_scheme_find(name, &scheme);
    *out = !st && scheme->explains;
    return st;
}

const char *np_scheme_needs(const np_network *network, const char *family, const char *reason)
{
    return strcmp(np_network_family_name(network), family) ? reason : NULL;
}

unsigned np_scheme_two_phases(const np_network *network)
{
    (void)network;
    return 2;
}

void np_scheme_name_two(const np_network *network, unsigned phase, char name[8])
{
    (void)network;
    name[0] = phase == 0 ? 'A' : 'B';
    name[1] = '\0';
}

const char *np_scheme_default(const np_network *network)
{
    const np_scheme_ops *scheme = np_registry_entry(&np_schemes, 0);
    for (size_t i = 1; !scheme->preferred || scheme->refuses(network); i++)
        scheme = np_registry_entry(&np_schemes, i); /* ends: greedy is preferred and refuses nothing */
    return scheme->info.name;
}

np_status np_scheme_applies(const char *name, const np_network *network)
{
    const np_scheme_ops *scheme;
    const char *reason;
    np_status st = np_scheme_find(name, &scheme);
    if (st)
        return st;
    reason = scheme->refuses(network);
    if (reason)
        return NP_RAISE(NP_ERROR_APPLY, "scheme '%s' does not apply to %s: %s; try '%s'", name,
                        np_network_spec(network), reason, np_scheme_default(network));
    return NP_OK;
}

void np_scheme_targets(const np_scheme_ops *scheme, const np_network *network, unsigned phase, const np_draws *draws,
                       size_t count, const np_packet *packet, const np_node *source, const np_node *at,
                       const np_node *destination, np_node *to)
{
    if (scheme->targets_from)
        scheme->targets_from(network, phase, count, source, at, destination, to);
    else
        scheme->targets(network, phase, draws, count, packet, at, destination, to);
}

static bool heeds(const np_scheme_ops *scheme, const char *option)
{
    if (!strcmp(option, "permutations"))
        return scheme->permutations;
    if (!strcmp(option, "waves"))
        return scheme->in_waves;
    bool size = !strcmp(option, "queue_size") || !strcmp(option, "queue-size");
    return scheme->merges || (scheme->in_waves && (size || !strcmp(option, "room"))) || (scheme->sized && size);
}

np_status np_scheme_heeds(const char *name, const char *option)
{
    const np_scheme_ops *scheme = NULL;
    char names[256] = "";
    size_t length = 0;
    np_status st = np_scheme_find(name, &scheme);
    if (st)
        return st;
    if (heeds(scheme, option))
        return NP_OK;
    const np_scheme_ops *other;
    for (size_t i = 0; (other = np_registry_entry(&np_schemes, i)); i++)
        if (heeds(other, option) && length < sizeof names)
            length +=
                (size_t)snprintf(names + length, sizeof names - length, "%s'%s'", length ? ", " : "", other->info.name);
    return NP_RAISE(NP_ERROR_APPLY, "is for scheme %s, not for '%s'", *names ? names : "no one", name);
}
