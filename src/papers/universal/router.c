/*
 * Packets on the fat-tree of a universal network (Leighton, Maggs, Ranade & Rao 1994, section 7).
 *
 * Leaf i is node i of fat-tree:m, in space of fat-tree-8:m. Paths come from a random polynomial of the group's number,
 * or from labels that are given. Ranks are random or given; where packets combine, ranks are hashes of the group, and
 * packets combine if their groups' numbers are equal. All packets of a group go to one leaf and to one label at the
 * root. So their paths are the same from the node where they meet.
 */
#include "papers/universal/router.h"

#include <stdio.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/polynomial.h"
#include "base/log2.h"
#include "engine/merging/merge.h"
#include "model/leveled/leveled_routing.h"
#include "model/family/fat_tree.h"

enum { PATH_HASH = 1 };

#define RANK_OPERATIONS_MAX 8e6 /* ours: a second or two */

static const char what[] = "the packets of a step";

struct np_tree_router {
    np_merge_options options;
    bool combine;
    np_network *tree;
    np_leveled_routing *routing;
    np_merge *merge;
    np_path_set path_set;
    uint32_t *count; /* scratch: [edges] */

    /* The load: what np_tree_router_load sets. */
    const np_guest *guest;
    const np_spread *spread;
    const uint64_t *weight;
    np_traffic *traffic;
    np_packet packets;
    size_t room, groups; /* lengths of the arrays */
    np_node *from, *to;  /* [packets] leaves */
    uint32_t *group;     /* [packets] the packet's group in the loaded guest */
    uint32_t *rank;      /* [packets] */
    uint32_t *end;       /* scratch: [packets] */
    uint64_t *value;     /* [packets] where packets combine: the nodes that each stands for */
    uint64_t *heard;     /* [groups] where packets combine: the nodes that home has heard of */
    void *block;         /* the arrays above */
};

static const np_leveled *leveled_of(const np_tree_router *r) { return r->routing->phase[0].leveled; }

static void layout(void *object, np_arena *arena)
{
    np_tree_router *r = object;
    np_arena_array(arena, &r->from, r->room, sizeof *r->from, "their sources");
    np_arena_array(arena, &r->to, r->room, sizeof *r->to, "their destinations");
    np_arena_array(arena, &r->group, r->room, sizeof *r->group, "their groups");
    np_arena_array(arena, &r->rank, r->room, sizeof *r->rank, "their ranks");
    np_arena_array(arena, &r->end, r->room, sizeof *r->end, "their ends");
    np_arena_array(arena, &r->value, r->room, sizeof *r->value, "their values");
    np_arena_array(arena, &r->heard, r->groups, sizeof *r->heard, "their groups");
}

static void unload(np_tree_router *r)
{
    np_traffic_free(r->traffic);
    np_memory_free(r->block);
    r->traffic = NULL;
    r->block = NULL;
    r->packets = 0;
}

void np_tree_router_free(np_tree_router *r)
{
    if (!r)
        return;
    unload(r);
    np_path_set_clear(&r->path_set);
    np_merge_free(r->merge);
    np_leveled_routing_free(r->routing);
    np_network_free(r->tree);
    NP_MEMORY_FREE(r->count, r);
}

static np_merge_options merging_of(bool combine, const np_universal_options *options)
{
    np_merge_options merging;
    np_merge_options_init(&merging);
    merging.queue_size = options->merge.queue_size;
    merging.room = options->merge.room;
    merging.combine = combine ? NP_COMBINE_SUM : NP_COMBINE_NONE;
    merging.ranks = combine ? NP_RANKS_HASH : options->offline ? NP_RANKS_FILE : NP_RANKS_RANDOM; /* FILE: given */
    return merging;
}

np_status np_tree_router_create(const np_shape *shape, bool combine, const np_universal_options *options,
                                np_tree_router **out)
{
    np_tree_router *r;
    np_status st = np_memory_zeroed(out, 1, sizeof **out, "the fat-tree");
    if (st)
        return st;
    r = *out;
    r->combine = combine;
    r->options = merging_of(combine, options);
    if ((st = np_network_make(&r->tree, "%s:%u", shape->fan == 2 ? "fat-tree" : "fat-tree-8", shape->m)) ||
        (st = np_leveled_routing_create(r->tree, &r->routing)) ||
        (st = np_memory_array(&r->count, leveled_of(r)->edges, sizeof *r->count, "a step's paths")))
        return st;
    return np_merge_create(&r->options, &r->merge);
}

np_status np_tree_router_load(np_tree_router *r, const np_guest *guest, const np_spread *spread, const uint64_t *weight)
{
    unload(r);
    r->guest = guest;
    r->spread = spread;
    r->weight = weight;
    r->room = np_spread_leaving(spread);
    r->groups = spread->groups;
    np_status st = np_arena_place(r, layout, what, &r->block);
    if (st)
        return st;
    for (uint32_t g = 0; g < spread->groups; g++)
        for (uint32_t i = spread->row[g]; i < spread->row[g + 1]; i++)
            if (spread->leaf[i] != spread->home[g]) {
                r->value[r->packets] = weight ? weight[i] : 1;
                r->group[r->packets] = g;
                r->from[r->packets] = spread->leaf[i];
                r->to[r->packets++] = spread->home[g];
            }
    return np_traffic_from_arrays(r->tree, r->packets, r->from, r->to, NULL, &r->traffic);
}

np_packet np_tree_router_packets(const np_tree_router *r) { return r->packets; }

uint32_t np_tree_router_group(const np_tree_router *r, np_packet packet)
{
    return np_guest_number(r->guest, r->group[packet]);
}

/*
 * Replaces the paths: path(g) for group g instead of path(x) for leaf x. Many packets go to one leaf, and with path(x)
 * all of them would take one way; the paper's destinations are the processors behind the leaf. The first hops of a
 * path lead up.
 */
static void lead_paths(np_tree_router *r, const np_tree_choice *choice)
{
    uint32_t fan = np_fat_tree_fan(r->tree), grow = np_fat_tree_grow(r->tree);
    uint32_t bits = grow * np_fat_tree_height(r->tree), coefficients = bits < 2 ? 2 : bits;
    uint64_t coefficient[NP_MAX_DIMENSIONS];
    np_path_set *c = &r->path_set;
    np_draws draws = np_draws_for(choice->draws, NP_RANDOM_HASH);
    np_polynomial_draw(&draws, PATH_HASH, coefficients, coefficient);
    for (np_packet i = 0; i < c->packets; i++) {
        np_packet p = c->packet[i];
        uint32_t group = np_tree_router_group(r, p);
        uint32_t path =
            choice->label ? choice->label[group] : (uint32_t)np_polynomial_at(coefficient, coefficients, group);
        uint8_t *port = c->port + c->begin[i];
        for (uint32_t a = r->from[p], b = r->to[p], l = 0; a != b; a >>= fan, b >>= fan, l++)
            port[l] = path >> (grow * l) & ((UINT32_C(1) << grow) - 1);
        if (r->combine)
            c->target[i] = group;
        if (choice->rank)
            r->rank[p] = choice->rank[group];
    }
}

/* Chooses paths, and checks that each ends at the leaf to which its packet goes. */
static np_status choose_paths(np_tree_router *r, const np_tree_choice *choice, uint32_t *congestion)
{
    const np_leveled *leveled = leveled_of(r);
    np_selection selection = {.draws = choice->draws, .traffic = r->traffic, .combine = r->combine};
    np_status st = r->routing->ops->select(r->routing, &selection, &r->path_set);
    if (st)
        return st;
    lead_paths(r, choice);
    st = np_path_set_follow(&r->path_set, leveled, r->count, r->end, congestion);
    for (np_packet i = 0; !st && i < r->path_set.packets; i++)
        if (leveled->host[r->end[i]] != r->to[r->path_set.packet[i]])
            st = NP_RAISE(NP_ERROR_INTERNAL, "packet %u for leaf %u goes to node %u", r->path_set.packet[i],
                          r->to[r->path_set.packet[i]], leveled->host[r->end[i]]);
    return st;
}

/* Checks that every bus has heard of all its nodes: of the nodes at home, and of the others by packets delivered. */
static np_status check_buses(np_tree_router *r)
{
    const np_guest *guest = r->guest;
    const np_spread *spread = r->spread;
    for (uint32_t g = 0; g < guest->groups; g++) {
        r->heard[g] = 0;
        for (uint32_t i = spread->row[g]; i < spread->row[g + 1]; i++)
            r->heard[g] += spread->leaf[i] == spread->home[g] ? r->weight[i] : 0;
    }
    for (np_packet i = 0; i < r->path_set.packets; i++)
        if (np_merge_delivered(r->merge)[i])
            r->heard[r->group[r->path_set.packet[i]]] += np_merge_values(r->merge)[i];
    for (uint32_t g = 0; g < guest->groups; g++)
        if (r->heard[g] != guest->row[g + 1] - guest->row[g])
            return NP_RAISE(NP_ERROR_INTERNAL, "bus %u of %u nodes heard of %llu", g, guest->row[g + 1] - guest->row[g],
                            (unsigned long long)r->heard[g]);
    return NP_OK;
}

np_status np_tree_router_run(np_tree_router *r, const np_tree_choice *choice, np_phase_run *out)
{
    const np_event_phase phase = {.name = "route", .network = r->tree, .packets = r->packets};
    np_merge_job job = {.leveled = leveled_of(r),
                        .path_set = &r->path_set,
                        .draws = choice->draws,
                        .rank = choice->rank ? r->rank : NULL,
                        .workers = 1,
                        .value = r->value,
                        .watch = choice->watch,
                        .observer = choice->observer,
                        .phase = &phase};
    uint32_t congestion;
    np_status st;
    *out = (np_phase_run){0};
    r->path_set.packets = 0;
    if (r->packets && ((st = choose_paths(r, choice, &congestion)) || (st = np_merge_run(r->merge, &job, NULL, out))))
        return st;
    return r->combine ? check_buses(r) : NP_OK;
}

np_status np_tree_router_find_ranks(np_tree_router *r, const uint32_t *label, np_offline_ranks *out)
{
    const np_leveled *leveled = leveled_of(r);
    np_merge_options options = r->options;
    np_offline_job job = {
        .phases = 1, .leveled = {leveled}, .path_set = {&r->path_set}, .packets = r->packets, .options = &options};
    uint32_t congestion;
    np_status st = choose_paths(r, &(np_tree_choice){.label = label}, &congestion);
    if (st)
        return st;
    uint32_t length = congestion + leveled->depth, range = length + np_log2_up(r->packets + UINT64_C(1));
    if ((double)r->packets * range * leveled->edges * length > RANK_OPERATIONS_MAX)
        return NP_RAISE(NP_ERROR_APPLY, "ranks for %u packets on %u links by conditional expectations: too many",
                        r->packets, leveled->edges);
    options.rank_range = range;
    return np_offline_ranks_find(&job, out);
}
