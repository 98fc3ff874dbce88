/*
 * A step of a guest on an area-universal network (Theorem 7.3 of Leighton,
 * Maggs, Ranade & Rao 1994): the meshes of the leaves, the fat-tree, the meshes again, each
 * waiting for the one before.
 *
 * The meshes are routed all at once, as one mesh of 4^m m rows and m columns (in space 8^m s planes of s x s): that has the
 * processors' numbers for its nodes, and a shortest path between two processors of one block of m
 * rows stays in it. Paths are by dimensions, queues as the scheme "greedy" has them. At the corner of a mesh
 * its links and the leaf's are different ones, so nothing is lost by waiting but time.
 *
 * The fat-tree: leaf i is node i of fat-tree:m. Paths by a random polynomial of the group's number, ranks
 * random or, to combine, by hash of the group, whose number is what packets combine by; all packets of a group
 * go to one leaf and to one label at the root, and so have one way on from where they meet.
 *
 * Buses: the second half of a step, from the bus to its nodes, takes the ways of the first one back, each packet
 * copied where others were combined with it. Reversed in time it is as legal, one packet over each link in a
 * step, and as long: its steps are those of the first half.
 */
#include "universal/simulate.h"

#include <stdio.h>

#include "base/memory.h"
#include "base/polynomial.h"
#include "engine/merge.h"
#include "leveled/leveling.h"
#include "netpram/route.h"
#include "network/fat_tree.h"

enum { SPEC_ROOM = 48, PATH_HASH = 1 };

/* Packets between processors, or between leaves. */
typedef struct list {
    np_packet count;
    np_node *from, *to;
    uint32_t *group; /* of each */
} list;

static void list_clear(list *l)
{
    np_memory_free(l->from);
    np_memory_free(l->to);
    np_memory_free(l->group);
}

static np_status list_init(list *l, size_t packets)
{
    np_status st;
    *l = (list){0};
    if ((st = np_memory_array(&l->from, packets, sizeof *l->from, "the packets of a step")) ||
        (st = np_memory_array(&l->to, packets, sizeof *l->to, "the packets of a step")))
        return st;
    return np_memory_array(&l->group, packets, sizeof *l->group, "the packets of a step");
}

static void list_add(list *l, np_node from, np_node to, uint32_t group)
{
    l->from[l->count] = from;
    l->to[l->count] = to;
    l->group[l->count++] = group;
}

void np_simulation_clear(np_simulation *s)
{
    np_memory_free(s->route);
    np_memory_free(s->congestion);
    np_memory_free(s->slowdown);
    *s = (np_simulation){0};
}

/* ---- the meshes ---- */

static np_status route_in_meshes(const list *l, const np_shape *shape, uint32_t *steps)
{
    char spec[SPEC_ROOM];
    np_network *strip = NULL;
    np_traffic *traffic = NULL;
    np_route_result *result = NULL;
    np_route_options options;
    np_status st;
    *steps = 0;
    if (!l->count)
        return NP_OK;
    int length = snprintf(spec, sizeof spec, "mesh:%u", np_shape_leaves(shape) * shape->side);
    for (uint32_t k = 1; k < shape->axes; k++)
        length += snprintf(spec + length, sizeof spec - (size_t)length, "x%u", shape->side);
    np_route_options_init(&options);
    options.scheme = "greedy";
    options.threads = 1;
    if (!(st = np_network_create(spec, &strip)) &&
        !(st = np_traffic_from_arrays(strip, l->count, l->from, l->to, NULL, &traffic)) &&
        !(st = np_route_traffic(strip, traffic, &options, &result)))
        *steps = (uint32_t)result->total_steps.max;
    np_route_result_free(result);
    np_traffic_free(traffic);
    np_network_free(strip);
    return st;
}

/* To the corner, or where it goes in the mesh; from the corner to where it goes. */
static void list_links(const np_guest *guest, const np_spread *spread, const np_shape *shape, const np_node *place, list *gather,
                       list *scatter)
{
    for (uint32_t g = 0; g < guest->groups; g++) {
        uint32_t leaf = spread->leaf[spread->row[g]], home = spread->home[g];
        np_node from = place[guest->member[g]], to = place[guest->head[g]];
        np_node here = leaf * shape->mesh, there = home * shape->mesh;
        if (leaf == home) {
            list_add(gather, from, to, g);
            continue;
        }
        if (from != here)
            list_add(gather, from, here, g);
        if (there != to)
            list_add(scatter, there, to, g);
    }
}

static np_status meshes_of_links(const np_guest *guest, const np_spread *spread, const np_shape *shape, const np_node *place,
                                 np_simulation *out)
{
    list gather = {0}, scatter = {0};
    np_status st;
    if ((st = list_init(&gather, guest->groups)) || (st = list_init(&scatter, guest->groups)))
        goto out;
    list_links(guest, spread, shape, place, &gather, &scatter);
    if (!(st = route_in_meshes(&gather, shape, &out->gather)))
        st = route_in_meshes(&scatter, shape, &out->scatter);
out:
    list_clear(&gather);
    list_clear(&scatter);
    return st;
}

/* ---- the fat-tree ---- */

/* What all runs share. */
typedef struct tree_router {
    np_network *tree;
    np_leveling *leveling;
    np_traffic *traffic;
    np_merge *merge;
    np_courses courses;
    list list;
    uint64_t *value;  /* [list.count] where packets combine: the nodes that each stands for */
    uint64_t *heard;  /* [groups] and those that home has heard of */
    uint32_t *count, *end; /* scratch: [edges], [list.count] */
} tree_router;

static void router_clear(tree_router *r)
{
    np_courses_clear(&r->courses);
    np_merge_free(r->merge);
    np_traffic_free(r->traffic);
    np_leveling_free(r->leveling);
    np_network_free(r->tree);
    list_clear(&r->list);
    np_memory_free(r->value);
    np_memory_free(r->heard);
    np_memory_free(r->count);
    np_memory_free(r->end);
}

static np_status list_remote(tree_router *r, const np_spread *spread, const uint64_t *weight)
{
    np_status st;
    uint32_t ends = spread->row[spread->groups];
    if ((st = list_init(&r->list, ends)) ||
        (st = np_memory_zeroed(&r->value, ends, sizeof *r->value, "the packets of a step")))
        return st;
    for (uint32_t g = 0; g < spread->groups; g++)
        for (uint32_t i = spread->row[g]; i < spread->row[g + 1]; i++)
            if (spread->leaf[i] != spread->home[g]) {
                r->value[r->list.count] = weight ? weight[i] : 1;
                list_add(&r->list, spread->leaf[i], spread->home[g], g);
            }
    return NP_OK;
}

static np_status router_init(tree_router *r, const np_guest *guest, const np_spread *spread, const np_shape *shape,
                             const np_universal_options *options, const uint64_t *weight)
{
    char spec[SPEC_ROOM];
    np_merge_options merge;
    np_status st;
    np_merge_options_init(&merge);
    merge.queue_size = options->merge.queue_size;
    merge.room = options->merge.room;
    merge.combine = guest->buses ? NP_COMBINE_SUM : NP_COMBINE_NONE;
    snprintf(spec, sizeof spec, "%s:%u", shape->fan == 2 ? "fat-tree" : "fat-tree-8", shape->m);
    if ((st = list_remote(r, spread, weight)) || (st = np_network_create(spec, &r->tree)) ||
        (st = np_leveling_create(r->tree, &r->leveling)) ||
        (st = np_traffic_from_arrays(r->tree, r->list.count, r->list.from, r->list.to, NULL, &r->traffic)) ||
        (st = np_memory_array(&r->count, r->leveling->phase[0].leveled->edges, sizeof *r->count, "a step's paths")) ||
        (st = np_memory_array(&r->end, r->list.count, sizeof *r->end, "a step's paths")) ||
        (st = np_memory_array(&r->heard, guest->groups, sizeof *r->heard, "the packets of a step")))
        return st;
    return np_merge_create(&merge, &r->merge);
}

/*
 * Paths of our own: path(g) for group g in place of path(x) for leaf x. Many packets go to one leaf, and all
 * would take one way; the paper's destinations are the processors behind it. The first hops of a course lead up.
 */
static void choose_paths(tree_router *r, const np_guest *guest, np_draws draws)
{
    uint32_t fan = np_fat_tree_fan(r->tree), grow = np_fat_tree_grow(r->tree);
    uint32_t bits = grow * np_fat_tree_height(r->tree), coefficients = bits < 2 ? 2 : bits;
    uint64_t coefficient[NP_MAX_DIMENSIONS];
    np_courses *c = &r->courses;
    draws = np_draws_for(draws, NP_RANDOM_HASH);
    np_polynomial_draw(&draws, PATH_HASH, coefficients, coefficient);
    for (np_packet i = 0; i < c->packets; i++) {
        np_packet p = c->packet[i];
        uint32_t path = (uint32_t)(np_polynomial_at(coefficient, coefficients, r->list.group[p]));
        uint8_t *port = c->port + c->begin[i];
        for (uint32_t a = r->list.from[p], b = r->list.to[p], l = 0; a != b; a >>= fan, b >>= fan, l++)
            port[l] = path >> (grow * l) & ((UINT32_C(1) << grow) - 1);
        if (guest->buses)
            c->target[i] = r->list.group[p];
    }
}

/* The paths end at the leaves that the packets are for. */
static np_status check_paths(tree_router *r)
{
    const np_leveled *leveled = r->leveling->phase[0].leveled;
    uint32_t congestion;
    np_status st = np_courses_follow(&r->courses, leveled, r->count, r->end, &congestion);
    for (np_packet i = 0; !st && i < r->courses.packets; i++)
        if (leveled->host[r->end[i]] != r->list.to[r->courses.packet[i]])
            st = NP_RAISE(NP_ERROR_INTERNAL, "packet %u for leaf %u goes to node %u", r->courses.packet[i],
                          r->list.to[r->courses.packet[i]], leveled->host[r->end[i]]);
    return st;
}

static np_status route_in_tree(tree_router *r, const np_guest *guest, np_draws draws, np_phase_run *out)
{
    np_selection selection = {.draws = draws, .traffic = r->traffic, .combine = guest->buses};
    np_merge_job job = {.leveled = r->leveling->phase[0].leveled, .courses = &r->courses, .draws = draws,
                        .workers = 1, .value = r->value};
    np_status st;
    *out = (np_phase_run){0};
    if (!r->list.count)
        return NP_OK;
    if ((st = r->leveling->ops->select(r->leveling, &selection, &r->courses)))
        return st;
    choose_paths(r, guest, draws);
    if ((st = check_paths(r)))
        return st;
    return np_merge_run(r->merge, &job, NULL, out);
}

/* Every bus has heard of all its nodes: of those at home, and by what was delivered. */
static np_status check_buses(tree_router *r, const np_guest *guest, const np_spread *spread, const uint64_t *weight)
{
    for (uint32_t g = 0; g < guest->groups; g++) {
        r->heard[g] = 0;
        for (uint32_t i = spread->row[g]; i < spread->row[g + 1]; i++)
            r->heard[g] += spread->leaf[i] == spread->home[g] ? weight[i] : 0;
    }
    for (np_packet i = 0; i < r->courses.packets; i++)
        if (np_merge_delivered(r->merge)[i])
            r->heard[r->list.group[r->courses.packet[i]]] += np_merge_values(r->merge)[i];
    for (uint32_t g = 0; g < guest->groups; g++)
        if (r->heard[g] != guest->row[g + 1] - guest->row[g])
            return NP_RAISE(NP_ERROR_INTERNAL, "bus %u of %u nodes heard of %llu", g, guest->row[g + 1] - guest->row[g],
                            (unsigned long long)r->heard[g]);
    return NP_OK;
}

static np_status simulate_runs(const np_guest *guest, const np_spread *spread, const np_shape *shape,
                               const np_universal_options *options, const uint64_t *weight, np_simulation *out)
{
    tree_router r = {0};
    np_phase_run run;
    np_status st = router_init(&r, guest, spread, shape, options, weight);
    for (uint32_t i = 0; !st && i < options->runs; i++) {
        if ((st = route_in_tree(&r, guest, (np_draws){.seed = options->seed, .run = i}, &run)))
            break;
        out->route[i] = (double)run.steps * (guest->buses ? 2 : 1);
        out->congestion[i] = run.congestion_destinations;
        out->slowdown[i] = out->gather + out->route[i] + out->scatter;
        out->combined += i ? 0 : run.combined;
        if (guest->buses)
            st = check_buses(&r, guest, spread, weight);
    }
    router_clear(&r);
    return st;
}

/* ---- a step ---- */

static void count_packets(const np_guest *guest, const np_spread *spread, np_simulation *out)
{
    out->packets = guest->row[guest->groups];
    for (uint32_t g = 0; g < guest->groups; g++)
        if (spread->row[g + 1] == spread->row[g] + 1 && spread->leaf[spread->row[g]] == spread->home[g])
            out->local += guest->row[g + 1] - guest->row[g];
}

np_status np_simulate(const np_guest *guest, const np_spread *spread, const np_shape *shape, const np_node *place,
                      const np_universal_options *options, np_simulation *out)
{
    uint64_t *weight = NULL;
    np_status st;
    *out = (np_simulation){0};
    if ((st = np_memory_array(&out->route, options->runs, sizeof *out->route, "the steps of the runs")) ||
        (st = np_memory_array(&out->congestion, options->runs, sizeof *out->congestion, "the steps of the runs")) ||
        (st = np_memory_array(&out->slowdown, options->runs, sizeof *out->slowdown, "the steps of the runs")))
        return st;
    count_packets(guest, spread, out);
    if (guest->buses) {
        if (!(st = np_memory_zeroed(&weight, spread->row[spread->groups], sizeof *weight, "the packets of buses")) &&
            !(st = np_gather_buses(guest, spread, shape, place, options, weight, &out->gather, &out->combined)))
            out->scatter = out->gather;
    } else {
        st = meshes_of_links(guest, spread, shape, place, out);
    }
    if (!st)
        st = simulate_runs(guest, spread, shape, options, weight, out);
    np_memory_free(weight);
    return st;
}
