/* Finding schemes. */
#include "route/scheme.h"

#include <stdio.h>
#include <string.h>

#include "base/parse.h"

enum { SCHEMES_MAX = 64 };

const np_scheme_info *np_scheme(size_t i)
{
    for (size_t j = 0; np_schemes[j]; j++)
        if (j == i)
            return &np_schemes[j]->info;
    return NULL;
}

np_status np_scheme_find(const char *name, const np_scheme_ops **out)
{
    const char *names[SCHEMES_MAX];
    size_t count = 0;
    for (; np_schemes[count] && count < SCHEMES_MAX; count++) {
        names[count] = np_schemes[count]->info.name;
        if (!strcmp(names[count], name)) {
            *out = np_schemes[count];
            return NP_OK;
        }
    }
    return NP_RAISE(NP_ERROR_INPUT, "no scheme '%s': did you mean '%s'? ('netpram list' names all)", name,
                    np_parse_nearest(name, names, count));
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
    size_t i = 0;
    while (!np_schemes[i]->preferred || np_schemes[i]->refuses(network))
        i++; /* ends: greedy is preferred and refuses nothing */
    return np_schemes[i]->info.name;
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
    for (size_t i = 0; np_schemes[i]; i++)
        if (heeds(np_schemes[i], option) && length < sizeof names)
            length += (size_t)snprintf(names + length, sizeof names - length, "%s'%s'", length ? ", " : "",
                                       np_schemes[i]->info.name);
    return NP_RAISE(NP_ERROR_APPLY, "is for scheme %s, not for '%s'", *names ? names : "no one", name);
}
