/*
 * Schemes (np_scheme, in netpram/route.h): a row that names a runner, the
 * runner's parameters, and the options that are heeded. A scheme moves no
 * packet itself.
 */
#pragma once

#include "base/registry.h"
#include "run/route/runner.h"

/* The registry of schemes, in schemes.c. */
extern const np_registry np_schemes;
extern const np_scheme np_scheme_greedy;

/* The words of np_via, and then NULL. */
extern const char *const np_via_words[];

/* By name; NP_ERROR_INPUT with the nearest one. */
NP_FOR_REPORT np_status np_scheme_find(const char *name, const np_scheme **out) NP_CHECKED;

/* Is the option in the scheme's list? '-' and '_' count as the same. */
bool np_scheme_lists(const np_scheme *scheme, const char *option);

/* NP_ERROR_INPUT for an option that is not at its default and that the scheme does not heed. */
np_status np_scheme_check_options(const np_scheme *scheme, const np_network *network,
                                  const np_route_options *options) NP_CHECKED;

/* Its theorems that give a number of steps; the list ends with one without values. NULL: it has none. */
NP_FOR_REPORT const struct np_theorem *np_scheme_theorems(const np_scheme *scheme);

/* NULL if the scheme applies to the network; else the reason why not. */
static inline const char *np_scheme_refuses(const np_scheme *scheme, const np_network *network)
{
    return np_only_refuses(scheme->only, scheme->refuses, network);
}
