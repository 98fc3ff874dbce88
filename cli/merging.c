/* Options that only some schemes heed. */
#include "merging.h"

#include "command.h"

const char *cli_merging_scheme(const np_route_options *route, const np_network *network)
{
    return route->scheme ? route->scheme : route->paths ? "greedy" : np_scheme_default(network);
}

int cli_merging_check(const void *arguments, const np_route_options *route, const np_network *network)
{
    const char *scheme = cli_merging_scheme(route, network);
    const cli_option *o;
    for (size_t i = 0; (o = cli_given_next(arguments, &i));)
        if (np_fields_find(&np_merge_options_fields, o->name) == o->field &&
            np_scheme_heeds(scheme, o->name) == NP_ERROR_APPLY)
            return cli_fail("--%s: %s", o->name, np_last_error()); /* np_route reports an unknown scheme */
    return 0;
}
