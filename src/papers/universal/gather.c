/*
 * Buses in the meshes of the leaves: the packets of a bus's nodes become one.
 *
 * The packets of a bus collect at one node of the mesh. If all nodes of the bus are in one mesh, this node has the
 * least x, y (and z) of the bus's nodes; else it is the corner. So every path leads towards the corner, and the mesh is
 * leveled by its diagonals x + y + z = constant; the last level is the corner. Edges go to the next z, y and x below.
 * Ports are counted in this order and number only the edges that exist. At (x, y), bus at (a, b), next hop: (x, y-1)
 * while y > b, then (x-1, y); in space z first. The rest of a path depends on the node and the bus alone. So packets of
 * a bus that meet are merged into one, by the merging engine, and queues have constant size. A packet counts the nodes
 * that it stands for.
 */
#include "papers/universal/simulate.h"

#include "base/memory.h"
#include "base/order.h"
#include "engine/merging/merge.h"
#include "model/network/network.h"

np_status np_shape_meshes(const np_shape *shape, np_network **out)
{
    uint32_t lines = np_shape_leaves(shape) * shape->side, side = shape->side;
    return shape->axes == 2 ? np_network_make(out, "mesh:%ux%u", lines, side)
                            : np_network_make(out, "mesh:%ux%ux%u", lines, side, side);
}

enum { MESH_MAX = NP_SHAPE_HEIGHT_MAX * NP_SHAPE_HEIGHT_MAX, SUMS_MAX = 2 * NP_SHAPE_HEIGHT_MAX };

typedef struct diagonals {
    const np_shape *shape;
    uint32_t last;                          /* the largest sum of coordinates */
    uint32_t first[SUMS_MAX];               /* [last + 1] logical nodes before the nodes with that sum */
    uint32_t length[SUMS_MAX];              /* [last + 1] nodes with that sum, in a mesh */
    uint32_t sum[MESH_MAX], rank[MESH_MAX]; /* [mesh] a node's sum, and its number among the nodes with this sum */
    np_network *meshes;
    np_leveled *leveled;
} diagonals;

static uint32_t coordinate(const np_shape *s, uint32_t inside, uint32_t axis)
{
    while (axis--)
        inside /= s->side;
    return inside % s->side;
}

static void number(diagonals *d)
{
    for (uint32_t i = 0; i < d->shape->mesh; i++) {
        for (uint32_t k = 0; k < d->shape->axes; k++)
            d->sum[i] += coordinate(d->shape, i, k);
        d->rank[i] = d->length[d->sum[i]]++;
    }
    d->last = d->shape->axes * (d->shape->side - 1);
    for (uint32_t sum = d->last; sum-- > 0;)
        d->first[sum] = d->first[sum + 1] + np_shape_leaves(d->shape) * d->length[sum + 1];
}

static uint32_t logical(const diagonals *d, np_node processor)
{
    uint32_t leaf = processor / d->shape->mesh, inside = processor % d->shape->mesh, sum = d->sum[inside];
    return d->first[sum] + leaf * d->length[sum] + d->rank[inside];
}

/* Calls `visit` with every processor, in the order of the levels. */
static void each_node(diagonals *d, void (*visit)(diagonals *d, np_node processor))
{
    for (uint32_t sum = d->last + 1; sum-- > 0;)
        for (uint32_t leaf = 0; leaf < np_shape_leaves(d->shape); leaf++)
            for (uint32_t i = 0; i < d->shape->mesh; i++)
                if (d->sum[i] == sum)
                    visit(d, leaf * d->shape->mesh + i);
}

static void add_node(diagonals *d, np_node processor)
{
    np_leveled_add_node(d->leveled, d->last - d->sum[processor % d->shape->mesh], processor);
}

static void add_edges(diagonals *d, np_node processor)
{
    uint32_t stride = d->shape->mesh / d->shape->side;
    for (uint32_t k = d->shape->axes; k-- > 0; stride /= d->shape->side) {
        if (!coordinate(d->shape, processor % d->shape->mesh, k))
            continue;
        np_link link = np_network_link_between(d->meshes, processor, processor - stride);
        np_leveled_add_edge(d->leveled, logical(d, processor), logical(d, processor - stride), 1, &link);
    }
}

static np_leveled sizes_of(const diagonals *d)
{
    uint32_t nodes = np_shape_processors(d->shape), edges = d->shape->axes * (nodes - nodes / d->shape->side);
    return np_leveled_sizes(d->last, nodes, edges, edges, nodes, np_network_link_numbers(d->meshes));
}

static np_status make(diagonals *d)
{
    number(d);
    np_status st = np_shape_meshes(d->shape, &d->meshes);
    if (st)
        return st;
    np_leveled sizes = sizes_of(d);
    if ((st = np_leveled_create(&sizes, &d->leveled)))
        return st;
    each_node(d, add_node);
    each_node(d, add_edges);
    return np_leveled_finish(d->leveled);
}

/* Are all nodes of the bus in one mesh? In a part of a guest, the nodes of the bus outside the part count too. */
static bool in_one_mesh(const np_guest *whole, const np_shape *shape, const np_node *place, uint32_t bus)
{
    uint32_t leaf = place[whole->member[whole->row[bus]]] / shape->mesh;
    for (uint32_t i = whole->row[bus] + 1; i < whole->row[bus + 1]; i++)
        if (place[whole->member[i]] / shape->mesh != leaf)
            return false;
    return true;
}

/* The coordinates at which a bus's packets collect in the mesh of one of its leaves. */
static void collect_at(const np_guest *guest, const np_shape *shape, const np_node *place, uint32_t group, uint32_t *to)
{
    const np_guest *whole = np_guest_whole(guest);
    uint32_t bus = np_guest_number(guest, group);
    bool here = in_one_mesh(whole, shape, place, bus);
    for (uint32_t k = 0; k < shape->axes; k++) {
        to[k] = here ? shape->side : 0;
        for (uint32_t i = whole->row[bus]; here && i < whole->row[bus + 1]; i++) {
            uint32_t x = coordinate(shape, place[whole->member[i]] % shape->mesh, k);
            to[k] = x < to[k] ? x : to[k];
        }
    }
}

static void add_course(const diagonals *d, np_path_set *path_set, np_packet packet, np_node at, const uint32_t *to,
                       uint32_t group)
{
    uint32_t x[NP_SHAPE_AXES], port = 0; /* the port of axis k; the ports of later axes come before it */
    np_path_set_add(path_set, packet, logical(d, at), group);
    for (uint32_t k = d->shape->axes; k-- > 0; port += to[k] > 0)
        for (x[k] = coordinate(d->shape, at % d->shape->mesh, k); x[k] > to[k]; x[k]--)
            np_path_set_hop(path_set, port);
}

static np_status choose(const diagonals *d, const np_guest *guest, const np_node *place, np_path_set *path_set)
{
    uint32_t to[NP_SHAPE_AXES], packets = guest->row[guest->groups];
    np_status st = np_path_set_reset(path_set, packets, (size_t)packets * d->last);
    if (st)
        return st;
    for (uint32_t g = 0; g < guest->groups; g++) {
        collect_at(guest, d->shape, place, g, to);
        for (uint32_t i = guest->row[g]; i < guest->row[g + 1]; i++)
            add_course(d, path_set, i, place[guest->member[i]], to, g);
    }
    return NP_OK;
}

/* Checks that every path ends where its group collects. */
static np_status check_paths(const diagonals *d, const np_guest *guest, const np_node *place,
                             const np_path_set *path_set)
{
    uint32_t *count = NULL, *end = NULL, congestion, to[NP_SHAPE_AXES] = {0};
    np_status st;
    if ((st = np_memory_array(&count, d->leveled->edges, sizeof *count, "the paths of buses")) ||
        (st = np_memory_array(&end, path_set->packets, sizeof *end, "the paths of buses")) ||
        (st = np_path_set_follow(path_set, d->leveled, count, end, &congestion)))
        goto out;
    for (np_packet i = 0; i < path_set->packets; i++) {
        uint32_t leaf = place[guest->member[i]] / d->shape->mesh;
        collect_at(guest, d->shape, place, path_set->target[i], to);
        if (d->leveled->host[end[i]] != np_shape_processor(d->shape, leaf, to[0], to[1], to[2])) {
            st = NP_RAISE(NP_ERROR_INTERNAL, "a packet of bus %u goes to processor %u", path_set->target[i],
                          d->leveled->host[end[i]]);
            break;
        }
    }
out:
    NP_MEMORY_FREE(count, end);
    return st;
}

/* The index of a leaf in its group's list. */
static uint32_t find(const np_spread *spread, uint32_t group, uint32_t leaf)
{
    const uint32_t first = spread->row[group];
    return first + (uint32_t)np_order_below(spread->row[group + 1] - first, spread->leaf + first, leaf);
}

static np_status merge_all(const diagonals *d, const np_path_set *path_set, const np_universal_options *options,
                           const np_observer *observer, const uint64_t *value, np_merge *merge, np_phase_run *out)
{
    const np_event_phase phase = {.name = "route", .network = d->meshes, .packets = path_set->packets};
    np_merge_job job = {.leveled = d->leveled,
                        .path_set = path_set,
                        .workers = 1,
                        .value = value,
                        .observer = observer,
                        .phase = &phase};
    job.draws = (np_draws){.seed = options->seed, .phase = 1};
    return np_merge_run(merge, &job, NULL, out);
}

/* Nothing moves if there is no packet, or if meshes have one node: then each mesh holds one node of the guest. */
static np_status without_meshes(const np_guest *guest, const np_spread *spread, const np_node *place, uint64_t *weight)
{
    for (uint32_t g = 0; g < guest->groups; g++)
        for (uint32_t i = guest->row[g]; i < guest->row[g + 1]; i++)
            weight[find(spread, g, place[guest->member[i]])]++;
    return NP_OK;
}

static np_merge_options merging_of(const np_universal_options *options)
{
    np_merge_options merging;
    np_merge_options_init(&merging);
    merging.queue_size = options->merge.queue_size;
    merging.room = options->merge.room;
    merging.combine = NP_COMBINE_SUM;
    return merging;
}

np_status np_gather_buses(const np_guest *guest, const np_spread *spread, const np_shape *shape, const np_node *place,
                          const np_universal_options *options, const np_observer *observer, uint64_t *weight,
                          uint32_t *steps, uint64_t *combined)
{
    diagonals d = {.shape = shape};
    np_path_set path_set = {0};
    np_merge_options merging;
    np_merge *merge = NULL;
    np_phase_run run;
    uint64_t *value = NULL;
    uint32_t packets = guest->row[guest->groups];
    np_status st;
    *steps = 0;
    if (shape->side == 1 || !packets)
        return without_meshes(guest, spread, place, weight);
    merging = merging_of(options);
    if ((st = make(&d)) || (st = choose(&d, guest, place, &path_set)) ||
        (st = check_paths(&d, guest, place, &path_set)) ||
        (st = np_memory_array(&value, packets, sizeof *value, "the packets of buses")) ||
        (st = np_merge_create(&merging, &merge)))
        goto out;
    for (uint32_t i = 0; i < packets; i++)
        value[i] = 1;
    if ((st = merge_all(&d, &path_set, options, observer, value, merge, &run)))
        goto out;
    *steps = run.steps;
    *combined += run.combined;
    for (np_packet i = 0; i < packets; i++) /* packet i is entry i of guest->member: no packet was left out */
        if (np_merge_delivered(merge)[i])
            weight[find(spread, path_set.target[i], place[guest->member[i]] / shape->mesh)] +=
                np_merge_values(merge)[i];
out:
    np_merge_free(merge);
    np_memory_free(value);
    np_path_set_clear(&path_set);
    np_leveled_free(d.leveled);
    np_network_free(d.meshes);
    return st;
}
