/*
 * The map of Theorem 7.3 (Leighton, Maggs, Ranade & Rao 1994): recursive decomposition. The guest is halved 2m times.
 * So each of the 4^m leaves of the fat-tree gets a part of the guest, and a vertex at level l gets the parts of the
 * leaves below it. The nodes of a leaf's part then go to the m x m processors of the leaf's mesh, no two to the same.
 *
 * With coordinates the area is halved: a box of the layout is cut in the middle of its longer side. So boxes at level l
 * have sides of about 2^l m, and at most O(2^l m) = O(cap log N) wires leave them: "a O(log N) x O(log N) region of the
 * layout" is left for a leaf. A vertex at level l has room for 4^l m^2 nodes below it. Boxes are no multiples of m, so
 * rounding could put more nodes on one side of a cut than fit. Then the cut is moved until both sides fit, by whole
 * lines and then by a step within a line. So there is room for all nodes at every level. Balancing by number, as in
 * Leiserson's construction, is not needed, because a leaf has a processor for each point of its region.
 *
 * Without coordinates METIS halves the nodes. The parts of depth d+1 divide the parts of depth d, and how deep we go
 * does not change the parts on the way. Part i of depth d begins at position floor(i n / 2^d) of the order, so the last
 * parts have at most ceil(n / 4^m) <= m^2 nodes.
 *
 * In space everything is the same, with boxes of 2^l s a side at level l, s^3 processors in a leaf, and 3m halvings.
 *
 * In the mesh of a leaf the nodes stand by their coordinates in the leaf's region, the least at the corner, if the
 * region fits in m x m; else row by row in the smallest square at the corner.
 */
#include "papers/universal/map.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/watch.h"
#include "base/partition.h"

enum { CLIQUE_MAX = 8 }; /* ours: for METIS up to so many nodes of a bus are joined each to each; more, in a circle */

/* ---- by coordinates ---- */

/* Compares along `axis` first, then along the others, from the last axis to the first. */
static int by_axis(const void *a, const void *b, int axis)
{
    np_guest_point p, q;
    memcpy(&p, a, sizeof p);
    memcpy(&q, b, sizeof q);
    int order = np_order(p.at[axis], q.at[axis]);
    for (int i = NP_SHAPE_AXES; i-- > 0 && !order;)
        order = np_order(p.at[i], q.at[i]);
    return order;
}

static int by_x(const void *a, const void *b) { return by_axis(a, b, 0); }
static int by_y(const void *a, const void *b) { return by_axis(a, b, 1); }
static int by_z(const void *a, const void *b) { return by_axis(a, b, 2); }

static void sort_along(np_guest_point *point, uint32_t count, int axis)
{
    static int (*const by[])(const void *, const void *) = {by_x, by_y, by_z};
    qsort(point, count, sizeof *point, by[axis]);
}

/* Processor i of the smallest square, or cube, at the corner that holds `count` nodes. */
static np_node processor_in_square(const np_shape *s, uint32_t leaf, uint32_t count, uint32_t i)
{
    uint32_t side = 1;
    while ((s->axes == 2 ? side * side : side * side * side) < count)
        side++;
    return np_shape_processor(s, leaf, i % side, i / side % side, i / side / side);
}

/* Gives the points of a leaf their processors. The points are in order of rows. */
static void place_leaf(const np_shape *s, const np_guest_point *point, uint32_t count, uint32_t leaf, np_node *place)
{
    np_guest_box b = np_guest_box_around(point, count);
    bool fits = true;
    for (uint32_t k = 0; k < NP_SHAPE_AXES; k++)
        fits = fits && b.extent[k] <= (k < s->axes ? s->side : 1);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *at = point[i].at;
        place[point[i].node] = fits ? np_shape_processor(s, leaf, at[0] - b.at[0], at[1] - b.at[1], at[2] - b.at[2])
                                    : processor_in_square(s, leaf, count, i);
    }
}

/* The axis with the largest extent; the first of several. */
static int longest(const np_guest_box *b)
{
    int axis = 0;
    for (int k = 1; k < NP_SHAPE_AXES; k++)
        axis = b->extent[k] > b->extent[axis] ? k : axis;
    return axis;
}

static const char map_stage[] = "the map";

/* What all parts of a division share. */
typedef struct division {
    const np_map *map;
    const np_shape *shape;
    np_node *place;
    uint32_t placed; /* points so far */
} division;

static np_status finish_leaf(division *d, np_guest_point *point, uint32_t count, uint32_t leaf)
{
    sort_along(point, count, (int)d->shape->axes - 1);
    place_leaf(d->shape, point, count, leaf, d->place);
    d->placed += count;
    return np_watch_share(d->map->watch, map_stage, (double)d->placed / d->map->guest->nodes);
}

/* Divides the points of a box among 2^depth leaves, the first of which is `leaf`. */
static np_status divide(division *d, np_guest_point *point, uint32_t count, np_guest_box b, uint32_t depth,
                        uint32_t leaf)
{
    const np_shape *s = d->shape;
    if (!count)
        return NP_OK;
    if (!depth)
        return finish_leaf(d, point, count, leaf);
    int axis = longest(&b);
    uint32_t cut = b.at[axis] + b.extent[axis] / 2, first = 0;
    uint64_t room = (uint64_t)s->mesh << (depth - 1); /* processors of a half */
    sort_along(point, count, axis);
    while (first < count && point[first].at[axis] < cut)
        first++;
    if (first > room || count - first > room) {
        first = first > room ? (uint32_t)room : count - (uint32_t)room;
        cut = point[first].at[axis];
    }
    np_guest_box low = b, high = b;
    low.extent[axis] = cut - b.at[axis];
    high.at[axis] = cut;
    high.extent[axis] = b.at[axis] + b.extent[axis] - cut;
    np_status st = divide(d, point, first, low, depth - 1, leaf);
    return st ? st : divide(d, point + first, count - first, high, depth - 1, leaf + (UINT32_C(1) << (depth - 1)));
}

/* ---- by METIS ---- */

/* Is called with each pair that the guest joins. */
typedef void pair_sink(np_map *map, np_node a, np_node b);

static void each_pair(np_map *map, pair_sink *sink)
{
    const np_guest *g = map->guest;
    for (uint32_t i = 0; i < g->groups; i++) {
        const np_node *member = g->member + g->row[i];
        uint32_t count = g->row[i + 1] - g->row[i];
        if (g->head)
            sink(map, member[0], g->head[i]);
        else if (count <= CLIQUE_MAX)
            for (uint32_t j = 1; j < count; j++)
                for (uint32_t k = 0; k < j; k++)
                    sink(map, member[j], member[k]);
        else
            for (uint32_t j = 0; j < count; j++)
                sink(map, member[j], member[j + 1 < count ? j + 1 : 0]);
    }
}

static void layout(void *object, np_arena *arena)
{
    np_map *map = object;
    size_t nodes = map->guest->nodes;
    if (map->guest->point) {
        np_arena_array(arena, &map->point, nodes, sizeof *map->point, "the coordinates");
        return;
    }
    np_arena_array(arena, &map->order, nodes, sizeof *map->order, "the parts");
    np_arena_zeroed(arena, &map->row, nodes + 1, sizeof *map->row, "the rows");
    np_arena_array(arena, &map->neighbour, map->ends, sizeof *map->neighbour, "the neighbours");
    np_arena_array(arena, &map->weight, map->ends, sizeof *map->weight, "the weights");
}

static void count_ends(np_map *map, np_node a, np_node b)
{
    (void)a, (void)b;
    map->ends += 2;
}

static void count_pair(np_map *map, np_node a, np_node b)
{
    map->row[a + 1]++;
    map->row[b + 1]++;
}

/* Lists each node as the other's neighbour. Before, row[u] is the first place of u; after all, the first of u + 1. */
static void list_pair(np_map *map, np_node a, np_node b)
{
    map->neighbour[map->row[a]++] = b;
    map->neighbour[map->row[b]++] = a;
}

/* A neighbour that is listed several times becomes one entry, with the number of times as its weight. */
static void join_parallel(np_map *map)
{
    uint32_t end = 0, begin = 0;
    for (np_node u = 0; u < map->guest->nodes; u++) {
        uint32_t stop = map->row[u + 1], first = end;
        qsort(map->neighbour + begin, stop - begin, sizeof *map->neighbour, np_order_numbers);
        for (uint32_t i = begin; i < stop; i++)
            if (end > first && map->neighbour[end - 1] == map->neighbour[i]) {
                map->weight[end - 1]++;
            } else {
                map->neighbour[end] = map->neighbour[i];
                map->weight[end++] = 1;
            }
        begin = stop;
        map->row[u + 1] = end;
    }
}

/*
 * The guest without directions. Each pair is listed twice. A link is one pair; a node on a bus makes at most 3.5 pairs,
 * in a clique of 8. METIS counts the lists in 31 bits, so larger guests are refused.
 */
static np_status make_graph(np_map *map)
{
    const np_guest *g = map->guest;
    if ((uint64_t)g->row[g->groups] * (g->head ? 2 : CLIQUE_MAX - 1) > INT32_MAX)
        return NP_RAISE(NP_ERROR_LIMIT, "a guest of %u ends is too large for METIS", g->row[g->groups]);
    each_pair(map, count_ends);
    np_status st = np_arena_place(map, layout, "a guest's map", &map->block);
    if (st)
        return st;
    for (np_node u = 0; u < g->nodes; u++)
        map->order[u] = u;
    each_pair(map, count_pair);
    for (np_node u = 0; u < g->nodes; u++)
        map->row[u + 1] += map->row[u];
    each_pair(map, list_pair);
    memmove(map->row + 1, map->row, g->nodes * sizeof *map->row);
    map->row[0] = 0;
    join_parallel(map);
    return NP_OK;
}

/* Scratch for one part and the graph that it induces. */
typedef struct part {
    uint32_t nodes, ends; /* nodes and ends of the guest */
    uint32_t *local;      /* [nodes] a node's number in the part; NP_NONE outside the part */
    uint32_t *row, *neighbour, *weight, *sorted;
    uint8_t *side;
    void *block;
} part;

static void part_layout(void *object, np_arena *arena)
{
    part *p = object;
    np_arena_array(arena, &p->local, p->nodes, sizeof *p->local, "its nodes");
    np_arena_array(arena, &p->row, (size_t)p->nodes + 1, sizeof *p->row, "its rows");
    np_arena_array(arena, &p->neighbour, p->ends, sizeof *p->neighbour, "its neighbours");
    np_arena_array(arena, &p->weight, p->ends, sizeof *p->weight, "its weights");
    np_arena_array(arena, &p->sorted, p->nodes, sizeof *p->sorted, "its order");
    np_arena_zeroed(arena, &p->side, p->nodes, 1, "its halves");
}

static np_status part_init(part *p, const np_map *map)
{
    *p = (part){.nodes = map->guest->nodes, .ends = map->row[map->guest->nodes]};
    np_status st = np_arena_place(p, part_layout, "a part of a guest", &p->block);
    if (!st)
        memset(p->local, 0xff, p->nodes * sizeof *p->local);
    return st;
}

static void induce(part *p, const np_map *map, const uint32_t *node, uint32_t count)
{
    uint32_t end = 0;
    for (uint32_t i = 0; i < count; i++)
        p->local[node[i]] = i;
    for (uint32_t i = 0; i < count; i++) {
        p->row[i] = end;
        for (uint32_t e = map->row[node[i]]; e < map->row[node[i] + 1]; e++)
            if (p->local[map->neighbour[e]] != NP_NONE) {
                p->neighbour[end] = p->local[map->neighbour[e]];
                p->weight[end++] = map->weight[e];
            }
    }
    p->row[count] = end;
    for (uint32_t i = 0; i < count; i++)
        p->local[node[i]] = NP_NONE;
}

/* Halves a part: puts the `first` nodes of the one half before the others. */
static np_status halve(part *p, const np_map *map, uint32_t *node, uint32_t count, uint32_t first)
{
    uint64_t cut;
    uint32_t before = 0, after = first;
    if (!first || first == count || count < 3)
        return NP_OK;
    induce(p, map, node, count);
    if (!p->row[count])
        return NP_OK; /* nothing to cut */
    const np_partition_graph graph = {count, p->row, p->neighbour, p->weight};
    np_status st = np_partition_halves(&graph, first, 1, p->side, &cut);
    if (st)
        return st;
    for (uint32_t i = 0; i < count; i++)
        p->sorted[p->side[i] ? after++ : before++] = node[i];
    memcpy(node, p->sorted, count * sizeof *node);
    return NP_OK;
}

static uint32_t part_begin(const np_map *map, uint32_t depth, uint32_t i)
{
    return (uint32_t)((uint64_t)i * map->guest->nodes >> depth);
}

static np_status refine(np_map *map, uint32_t depth)
{
    part p;
    np_status st = part_init(&p, map);
    for (; !st && map->depth < depth; map->depth += !st)
        for (uint32_t i = 0; !st && i < UINT32_C(1) << map->depth; i++) {
            uint32_t begin = part_begin(map, map->depth, i), end = part_begin(map, map->depth, i + 1);
            double share = (map->depth + (double)i / (UINT32_C(1) << map->depth)) / depth;
            if (!(st = np_watch_share(map->watch, map_stage, share)))
                st =
                    halve(&p, map, map->order + begin, end - begin, part_begin(map, map->depth + 1, 2 * i + 1) - begin);
        }
    np_memory_free(p.block);
    return st;
}

/* ---- both ---- */

np_status np_map_begin(const np_guest *guest, np_map *map)
{
    np_status st;
    *map = (np_map){.guest = guest};
    if (guest->point) {
        if ((st = np_arena_place(map, layout, "a guest's map", &map->block)))
            return st;
        memcpy(map->point, guest->point, guest->nodes * sizeof *map->point);
        return NP_OK;
    }
    if (!np_partition_available())
        return NP_RAISE(NP_ERROR_APPLY,
                        "a guest of %u nodes without coordinates: netpram was built without METIS, so give a layout",
                        guest->nodes);
    return make_graph(map);
}

np_status np_map_place(np_map *map, const np_shape *shape, np_node *place)
{
    uint32_t depth = shape->fan * shape->m;
    np_status st;
    if (map->point) {
        np_guest_box all = {{0}, {0}};
        memcpy(all.extent, map->guest->extent, sizeof all.extent);
        division d = {.map = map, .shape = shape, .place = place};
        return divide(&d, map->point, map->guest->nodes, all, depth, 0);
    }
    if ((st = refine(map, depth)))
        return st;
    for (uint32_t leaf = 0; leaf < np_shape_leaves(shape); leaf++) {
        uint32_t begin = part_begin(map, depth, leaf), end = part_begin(map, depth, leaf + 1);
        for (uint32_t i = begin; i < end; i++)
            place[map->order[i]] = processor_in_square(shape, leaf, end - begin, i - begin);
    }
    return NP_OK;
}

void np_map_clear(np_map *map)
{
    np_memory_free(map->block);
    *map = (np_map){0};
}
