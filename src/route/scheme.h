/*
 * Schemes: a row that names a runner, the runner's parameters, and the options
 * that are heeded. A scheme moves no packet itself.
 */
#ifndef NP_ROUTE_SCHEME_H
#define NP_ROUTE_SCHEME_H

#include "base/export.h"
#include "base/registry.h"
#include "route/runner.h"

typedef struct np_scheme_ops {
    np_entry info;
    bool preferred; /* a candidate for the default: the first candidate that applies */
    /* NULL: the scheme applies; else the reason why not. */
    const char *(*refuses)(const np_network *network);
    const np_runner_ops *runner;
    const void *parameters; /* their type is in the header of the runner */
    /*
     * The options that only some schemes heed, by their names in np_route_options ("overlap", "paths", "queue",
     * "permutations") and np_merge_options_fields; "trace": on_step, on_hops and hash; "explain": np_route_explain.
     * NULL ends the list.
     */
    const char *const *heeds;
} np_scheme_ops;

/* A list of names that ends with NULL. */
#define NP_NAMES(...)                                                                                                  \
    (const char *const[]) { __VA_ARGS__, NULL }

/* The registry of schemes, in schemes.c. */
extern const np_registry np_schemes;

/* By name; NP_ERROR_INPUT with the nearest one. */
NP_FOR_REPORT np_status np_scheme_find(const char *name, const np_scheme_ops **out) NP_CHECKED;

/* Is the option in the scheme's list? '-' and '_' count as the same. */
bool np_scheme_lists(const np_scheme_ops *scheme, const char *option);

/* NP_ERROR_INPUT for an option that is not at its default and that the scheme does not heed. */
np_status np_scheme_check_options(const np_scheme_ops *scheme, const np_network *network,
                                  const np_route_options *options) NP_CHECKED;

/* "because it needs a hypercube": the network must be of that kind. */
const char *np_scheme_needs(const np_network *network, np_kind kind, const char *reason);

#endif
