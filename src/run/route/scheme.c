/* Finding schemes, and what they heed. */
#include "run/route/scheme.h"

#include <stdio.h>

#include "netpram/theory.h"

np_status np_scheme_find(const char *name, const np_scheme **out) { return np_registry_find(&np_schemes, name, out); }

np_status np_scheme_register(const np_scheme *scheme)
{
    const np_queueing none = {.queue = NULL}, *own = scheme->queueing ? scheme->queueing : &none;
    const np_member members[] = {{"info.networks", NP_REQUIRED, scheme->info.networks},
                                 {"refuses", NP_REQUIRED, scheme->refuses},
                                 {"queueing", NP_REQUIRED, scheme->queueing},
                                 {"queueing->queue", NP_REQUIRED, own->queue},
                                 {"queueing->phases beside name", NP_REQUIRED, !own->phases == !own->name},
                                 {"queueing->phases beside names", NP_RESERVED, own->phases && own->names},
                                 {"queueing->uniform", NP_RESERVED, own->uniform},
                                 {"queueing->told", NP_RESERVED, own->told},
                                 {"queueing->tables", NP_RESERVED, own->tables},
                                 {"preferred", NP_RESERVED, scheme->preferred},
                                 {"runner", NP_RESERVED, scheme->runner},
                                 {"parameters", NP_RESERVED, scheme->parameters},
                                 {"heeds", NP_RESERVED, scheme->heeds},
                                 {NULL}};
    return np_registry_add(&np_schemes, &scheme->info, members);
}

/* A scheme of a program that knows no theorems may end before this member. */
const struct np_theorem *np_scheme_theorems(const np_scheme *scheme)
{
    return np_registry_built_in(&np_schemes, &scheme->info) ? scheme->theorems : NULL;
}

void np_bound_for(const char *name, const np_network *network, uint32_t h, np_packet packets, const char *phase,
                  np_bound *out)
{
    const np_scheme *scheme = NULL;
    *out = (np_bound){.theorem = "none",
                      .formula = "",
                      .source = "",
                      .reason = "no theorem is known for this scheme on this network",
                      .packets = packets};
    if (np_scheme_find(name, &scheme) || !np_registry_built_in(&np_schemes, &scheme->info))
        return;
    if (scheme->unproved)
        out->reason = scheme->unproved;
    if (scheme->bound)
        scheme->bound(network, h, phase, out);
    if (out->applies)
        out->reason = "";
}

const char *np_scheme_default(const np_network *network)
{
    const np_scheme *scheme = np_registry_entry(&np_schemes, 0);
    if (network->family->given)
        return np_scheme_greedy.info.name; /* its shortest paths are spread as they are: no node is a detour for all */
    for (size_t i = 1; !scheme->preferred || np_scheme_refuses(scheme, network); i++)
        scheme = np_registry_entry(&np_schemes, i); /* the loop ends, because greedy is preferred and refuses nothing */
    return scheme->info.name;
}

np_status np_scheme_applies(const char *name, const np_network *network)
{
    const np_scheme *scheme;
    const char *reason;
    np_status st = np_scheme_find(name, &scheme);
    if (st)
        return st;
    reason = np_scheme_refuses(scheme, network);
    if (reason)
        return NP_RAISE(NP_ERROR_APPLY, "scheme '%s' does not apply to %s: %s; try '%s'", name,
                        np_network_spec(network), reason, np_scheme_default(network));
    return NP_OK;
}

/* ---- What is heeded ---- */

/* Compares two names; '-' and '_' count as the same. */
static bool same(const char *name, const char *given)
{
    for (; *name && *name == (*given == '-' ? '_' : *given); name++)
        given++;
    return *name == *given;
}

static const char *const *heeds(const np_scheme *scheme)
{
    static const char *const own_paths[] = {"queue", "overlap", "phase_time", "fallback", "steps", "trace", NULL};
    static const char *const any_paths[] = {"queue", "overlap", "phase_time", "fallback",
                                            "steps", "trace",   "paths",      NULL};
    if (scheme->heeds || !scheme->queueing)
        return scheme->heeds;
    return scheme->queueing->paths ? own_paths : any_paths;
}

bool np_scheme_lists(const np_scheme *scheme, const char *option)
{
    for (const char *const *name = heeds(scheme); name && *name; name++)
        if (same(*name, option))
            return true;
    return false;
}

/* An option on a network; NULL: on any. */
typedef struct use {
    const char *option;
    const np_network *network;
} use;

/* Does the scheme, which begins with its entry, heed the option and apply to the network? */
static bool serves(const np_entry *entry, const void *context)
{
    const np_scheme *scheme = (const np_scheme *)entry;
    const use *u = context;
    return np_scheme_lists(scheme, u->option) && !(u->network && np_scheme_refuses(scheme, u->network));
}

/*
 * If the scheme does not heed the option, the error names those that do: for this network, or if none, for any. An
 * option that no scheme lists is for all schemes.
 */
static np_status check_heeds(const np_scheme *scheme, const np_network *network, const char *option)
{
    char names[512];
    if (np_scheme_lists(scheme, option))
        return NP_OK;
    np_registry_names(&np_schemes, serves, &(use){option, network}, names, sizeof names);
    if (!*names)
        np_registry_names(&np_schemes, serves, &(use){option, NULL}, names, sizeof names);
    if (!*names && (same("permutations", option) || same("waves", option))) /* a build may lack these schemes */
        snprintf(names, sizeof names, "'%s'", same("waves", option) ? "waves" : "constrained");
    return *names ? NP_RAISE(NP_ERROR_APPLY, "is for scheme %s, not for '%s'", names, scheme->info.name) : NP_OK;
}

np_status np_scheme_heeds(const char *name, const char *option)
{
    const np_scheme *scheme = NULL;
    char names[512];
    np_status st = np_scheme_find(name, &scheme);
    if (st)
        return st;
    np_registry_names(&np_schemes, serves, &(use){option, NULL}, names, sizeof names);
    if (!*names && !np_fields_find(&np_route_options_fields, option))
        return NP_RAISE(NP_ERROR_INPUT, "no option '%s'", option);
    return check_heeds(scheme, NULL, option);
}

/* Is somebody watching how packets move in each step? */
static bool watched(const np_route_options *options) { return options->on_step || options->hash; }

np_status np_scheme_check_options(const np_scheme *scheme, const np_network *network, const np_route_options *options)
{
    np_route_options fresh;
    const np_field *field;
    const char *unheeded = NULL;
    np_status st = NP_OK;
    size_t offset;
    np_fields_init(&np_route_options_fields, &fresh);
    for (size_t i = 0; !st && (field = np_fields_row(&np_route_options_fields, i, &offset)); i++)
        if (np_field_differs(field, (const char *)options + offset, (const char *)&fresh + offset))
            st = check_heeds(scheme, network, unheeded = field->name);
    if (!st && watched(options))
        st = check_heeds(scheme, network, unheeded = "steps");
    if (!st && options->observer)
        st = check_heeds(scheme, network, unheeded = "trace");
    return st ? np_status_prefix(st, "%s: ", unheeded) : NP_OK;
}
