/* See stage_one.h. */
#include "model/leveled/stage_one.h"

#include "base/memory.h"
#include "model/path/routes.h"

/* ---- Life ---- */

static np_status make_routing(np_stage_one *s)
{
    np_status st;
    s->bytes = np_leveled_routing_bytes(s->network);
    if ((st = np_leveled_routing_create(s->network, &s->routing)))
        return st;
    s->name = s->routing->ops->name;
    s->phases = s->routing->phases;
    return NP_OK;
}

static np_status make_path(np_stage_one *s, const char *paths)
{
    np_status st;
    if ((st = np_path_create(paths, s->network, &s->path)))
        return st;
    s->name = np_path_name(s->path);
    s->phases = 1;
    s->bytes = s->path->table_bytes + (s->path->graph ? s->path->graph->bytes : 0);
    if ((st = np_as_is_create(s->network, &s->as_is)))
        return st;
    s->bytes += s->as_is ? s->as_is->bytes : 0;
    return NP_OK;
}

np_status np_stage_one_create(const np_network *network, const char *paths, np_stage_one **out)
{
    np_stage_one *s;
    np_status st = np_memory_zeroed(&s, 1, sizeof *s, "the scheme's tables");
    *out = NULL;
    if (st)
        return st;
    s->network = network;
    if (paths || np_leveled_routing_refuses(network))
        st = make_path(s, paths ? paths : "greedy");
    else
        st = make_routing(s);
    s->bytes += sizeof *s;
    if (st)
        np_stage_one_free(s);
    else
        *out = s;
    return st;
}

void np_stage_one_free(np_stage_one *s)
{
    if (!s)
        return;
    np_leveled_routing_free(s->routing);
    np_as_is_free(s->as_is);
    np_path_free(s->path);
    np_memory_free(s);
}

const np_leveled *np_stage_one_leveled(const np_stage_one *s, unsigned phase)
{
    if (s->routing)
        return s->routing->phase[phase].leveled;
    return s->as_is ? s->as_is->leveled : NULL;
}

const char *np_stage_one_phase_name(const np_stage_one *s, unsigned phase)
{
    return s->routing ? s->routing->phase[phase].name : "route";
}

/* ---- Sizes ---- */

unsigned np_stage_one_sizes(const np_stage_one *s, uint64_t packets, np_leveled *sizes)
{
    for (unsigned i = 0; i < s->phases; i++) {
        const np_leveled *leveled = np_stage_one_leveled(s, i);
        sizes[i] = leveled ? *leveled : np_unrolled_sizes(s->network, packets, np_path_longest(s->path));
    }
    return s->phases;
}

static uint64_t routes_bytes(const np_stage_one *s, uint64_t packets)
{
    const np_routes_options options = np_routes_of_phase(s->path, packets);
    return s->path->rule->chooser ? np_routes_bytes(&options) : 0;
}

/* What is needed to make an unrolled network. The search for levels is over by then. */
static uint64_t unrolling_bytes(const np_stage_one *s, uint64_t packets)
{
    uint64_t making = np_unrolled_bytes(s->network, packets), search = np_as_is_search_bytes(s->network);
    return making > search ? making : search;
}

uint64_t np_stage_one_bytes(const np_stage_one *s, uint64_t packets, const np_leveled *sizes)
{
    uint64_t bytes = 0;
    uint32_t depth = 0;
    for (unsigned i = 0; i < s->phases; i++)
        depth = sizes[i].depth > depth ? sizes[i].depth : depth;
    if (s->path)
        bytes += np_walk_bytes(packets) + routes_bytes(s, packets);
    if (s->path && !s->as_is)
        bytes += unrolling_bytes(s, packets) + np_leveled_bytes(&sizes[0]);
    return bytes + np_path_set_bytes(packets, packets * depth);
}

/* ---- Choosing ---- */

static void drop_own(np_chosen *chosen)
{
    np_leveled_free(chosen->own);
    chosen->own = NULL;
    chosen->leveled = NULL;
}

void np_chosen_clear(np_chosen *chosen)
{
    drop_own(chosen);
    np_path_set_clear(&chosen->path_set);
}

static np_status choose_walked(const np_stage_one *s, np_walk *walk, np_chosen *chosen)
{
    if (s->as_is) {
        chosen->leveled = s->as_is->leveled;
        return np_as_is_select(s->as_is, walk, &chosen->path_set);
    }
    np_status st = np_unrolled_make(walk, &chosen->own, &chosen->path_set);
    chosen->leveled = chosen->own;
    return st;
}

static np_status choose_by_rule(const np_stage_one *s, const np_selection *selection, const np_watch *watch,
                                np_chosen *chosen)
{
    const np_traffic *traffic = selection->traffic;
    const np_demand demand = {.draws = selection->draws,
                              .count = np_traffic_packets(traffic),
                              .from = np_traffic_sources(traffic),
                              .to = np_traffic_destinations(traffic),
                              .watch = watch};
    np_routes *routes;
    np_path bound;
    np_walk *walk = NULL;
    np_status st = np_routes_for(s->path, &demand, &bound, &routes);
    if (!st && !(st = np_walk_create(&bound, selection->draws, traffic, watch, &walk)))
        st = choose_walked(s, walk, chosen);
    np_walk_free(walk);
    np_routes_free(routes);
    return st;
}

np_status np_stage_one_choose(const np_stage_one *s, const np_selection *selection, const np_watch *watch,
                              np_chosen *chosen)
{
    drop_own(chosen);
    chosen->ranked = false;
    if (!s->routing)
        return choose_by_rule(s, selection, watch, chosen);
    chosen->leveled = s->routing->phase[selection->phase].leveled;
    chosen->ranked = s->routing->phase[selection->phase].ranked;
    return s->routing->ops->select(s->routing, selection, &chosen->path_set);
}
