/*
 * See ranks.h. Ranks share the queueing engine's runs, phase after phase. What needs all packets in one place is not
 * divided: tables of a scheme, paths that depend on other packets, events of a run.
 */
#include "run/route/ranks.h"

#include "model/family/fat_tree.h"
#include "model/path/routes.h"
#include "run/route/queueing.h"

static const char divided[] =
    "ranks share schemes whose phases route in queues, such as cubes, valiant, grid or greedy";

/* What the plan asks for that ranks do not share; NULL: they share it. */
static const char *asks(const np_route_plan *plan)
{
    const np_route_options *options = &plan->options;
    if (options->observer || options->on_step || options->hash)
        return "what is told of each step";
    if (options->overlap && plan->phases > 1)
        return "overlap";
    if (options->phase_time)
        return "phase_time";
    return np_fat_tree_is(plan->network) ? "the load factor of a fat-tree" : NULL;
}

np_status np_route_check_ranks(const np_route_plan *plan)
{
    const char *what = asks(plan);
    if (what)
        return NP_RAISE(NP_ERROR_APPLY, "%s is not divided over ranks: leave it out, or take one process", what);
    if (!np_queueing_of(plan->scheme))
        return NP_RAISE(NP_ERROR_APPLY, "scheme '%s' is not divided over ranks: %s", plan->scheme->info.name, divided);
    const np_path *path = np_queueing_path(plan);
    const np_chooser *chooser = path->rule->chooser;
    bool turns = chooser && chooser->shares && path->graph->twin;
    if (turns || (chooser && chooser->together))
        return NP_RAISE(NP_ERROR_APPLY, "paths '%s' are not divided over ranks where %s: a path depends on all packets",
                        np_path_name(path), turns ? "links are parallel" : "they are balanced");
    return NP_OK;
}
