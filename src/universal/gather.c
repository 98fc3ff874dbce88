/*
 * Buses in the meshes of the leaves: the packets of a bus's nodes become one.
 *
 * A bus with all its nodes in one mesh collects at (least x, least y) of its nodes,
 * another one at the corner (0, 0). So every path leads towards the corner: the mesh is
 * leveled by its diagonals, (x, y) on level 2(m-1) - x - y, edges to (x, y-1), port 0 if
 * there is one, and then to (x-1, y). At (x, y), bus at (a, b), next hop: (x, y-1) while y > b, then (x-1, y). The way on
 * depends on the node and the bus alone, so packets of a bus that meet are merged into one, by the merging engine; and queues have
 * constant size. Packets count the nodes that they stand for.
 */
#include "universal/simulate.h"

#include "base/memory.h"
#include "engine/merge.h"
#include "network/universal.h"

typedef struct diagonals {
    uint32_t m, leaves;
    uint32_t first[2 * NP_UNIVERSAL_HEIGHT_MAX]; /* [2m - 1] logical nodes before those with x + y = sum */
    np_leveled *leveled;
} diagonals;

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* Nodes with x + y = sum in a mesh, and the least y of them. */
static uint32_t lowest(uint32_t m, uint32_t sum) { return sum < m ? 0 : sum - m + 1; }
static uint32_t length(uint32_t m, uint32_t sum) { return least(sum, m - 1) - lowest(m, sum) + 1; }

static uint32_t logical(const diagonals *d, uint32_t leaf, uint32_t x, uint32_t y)
{
    uint32_t sum = x + y;
    return d->first[sum] + leaf * length(d->m, sum) + y - lowest(d->m, sum);
}

/* Calls with every node in the order of the levels. */
static void each_node(diagonals *d, void (*visit)(diagonals *d, uint32_t leaf, uint32_t x, uint32_t y))
{
    for (uint32_t sum = 2 * (d->m - 1) + 1; sum-- > 0;)
        for (uint32_t leaf = 0; leaf < d->leaves; leaf++)
            for (uint32_t i = 0, y = lowest(d->m, sum); i < length(d->m, sum); i++, y++)
                visit(d, leaf, sum - y, y);
}

static void add_node(diagonals *d, uint32_t leaf, uint32_t x, uint32_t y)
{
    np_leveled_add_node(d->leveled, 2 * (d->m - 1) - x - y, np_universal_processor(d->m, leaf, x, y));
}

static void add_edges(diagonals *d, uint32_t leaf, uint32_t x, uint32_t y)
{
    uint32_t tail = logical(d, leaf, x, y);
    if (y)
        np_leveled_add_edge(d->leveled, tail, logical(d, leaf, x, y - 1), 0, NULL);
    if (x)
        np_leveled_add_edge(d->leveled, tail, logical(d, leaf, x - 1, y), 0, NULL);
}

static np_status make(diagonals *d)
{
    np_status st = np_leveled_create(2 * (d->m - 1), np_universal_processors(d->m), 1, &d->leveled);
    if (st)
        return st;
    for (uint32_t sum = 2 * (d->m - 1); sum-- > 0;)
        d->first[sum] = d->first[sum + 1] + d->leaves * length(d->m, sum + 1);
    each_node(d, add_node);
    each_node(d, add_edges);
    return np_leveled_finish(d->leveled);
}

/* Where a group's packets collect in the mesh of one of its leaves. */
static void collect_at(const np_guest *guest, const np_spread *spread, uint32_t m, const np_node *place, uint32_t group,
                       uint32_t *a, uint32_t *b)
{
    *a = *b = 0;
    if (spread->row[group + 1] - spread->row[group] > 1)
        return;
    *a = *b = m;
    for (uint32_t i = guest->row[group]; i < guest->row[group + 1]; i++) {
        uint32_t inside = place[guest->member[i]] % (m * m);
        *a = least(*a, inside % m);
        *b = least(*b, inside / m);
    }
}

static void add_course(const diagonals *d, np_courses *courses, np_packet packet, np_node at, uint32_t a, uint32_t b,
                       uint32_t group)
{
    uint32_t m = d->m, inside = at % (m * m), x = inside % m, y = inside / m;
    np_courses_add(courses, packet, logical(d, at / (m * m), x, y), group);
    for (; y > b; y--)
        np_courses_hop(courses, 0);
    for (; x > a; x--)
        np_courses_hop(courses, y > 0);
}

static np_status choose(const diagonals *d, const np_guest *guest, const np_spread *spread, const np_node *place,
                        np_courses *courses)
{
    uint32_t a, b, packets = guest->row[guest->groups];
    np_status st = np_courses_reset(courses, packets, (size_t)packets * 2 * (d->m - 1));
    if (st)
        return st;
    for (uint32_t g = 0; g < guest->groups; g++) {
        collect_at(guest, spread, d->m, place, g, &a, &b);
        for (uint32_t i = guest->row[g]; i < guest->row[g + 1]; i++)
            add_course(d, courses, i, place[guest->member[i]], a, b, g);
    }
    return NP_OK;
}

/* The paths end where their groups collect. */
static np_status check_paths(const diagonals *d, const np_guest *guest, const np_spread *spread, const np_node *place,
                             const np_courses *courses)
{
    uint32_t *count = NULL, *end = NULL, congestion, a, b;
    np_status st;
    if ((st = np_memory_array(&count, d->leveled->edges, sizeof *count, "the paths of buses")) ||
        (st = np_memory_array(&end, courses->packets, sizeof *end, "the paths of buses")) ||
        (st = np_courses_follow(courses, d->leveled, count, end, &congestion)))
        goto out;
    for (np_packet i = 0; i < courses->packets; i++) {
        uint32_t leaf = place[guest->member[i]] / (d->m * d->m);
        collect_at(guest, spread, d->m, place, courses->target[i], &a, &b);
        if (d->leveled->host[end[i]] != np_universal_processor(d->m, leaf, a, b)) {
            st = NP_RAISE(NP_ERROR_INTERNAL, "a packet of bus %u goes to processor %u", courses->target[i],
                          d->leveled->host[end[i]]);
            break;
        }
    }
out:
    np_memory_free(count);
    np_memory_free(end);
    return st;
}

/* The place of a leaf in its group's list. */
static uint32_t find(const np_spread *spread, uint32_t group, uint32_t leaf)
{
    uint32_t low = spread->row[group], high = spread->row[group + 1];
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (spread->leaf[middle] <= leaf)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static np_status merge_all(const diagonals *d, const np_courses *courses, const np_universal_options *options,
                           const uint64_t *value, np_merge *merge, np_phase_run *out)
{
    np_merge_job job = {.leveled = d->leveled, .courses = courses, .workers = 1, .value = value};
    job.draws = (np_draws){.seed = options->seed, .phase = 1};
    return np_merge_run(merge, &job, NULL, out);
}

/* Nothing moves in meshes of one node: what is there is of one node of the guest. */
static np_status without_meshes(const np_guest *guest, const np_spread *spread, const np_node *place, uint64_t *weight)
{
    for (uint32_t g = 0; g < guest->groups; g++)
        for (uint32_t i = guest->row[g]; i < guest->row[g + 1]; i++)
            weight[find(spread, g, place[guest->member[i]])]++;
    return NP_OK;
}

np_status np_gather_buses(const np_guest *guest, const np_spread *spread, uint32_t m, const np_node *place,
                          const np_universal_options *options, uint64_t *weight, uint32_t *steps, uint64_t *combined)
{
    diagonals d = {.m = m, .leaves = UINT32_C(1) << 2 * m};
    np_courses courses = {0};
    np_merge_options merging;
    np_merge *merge = NULL;
    np_phase_run run;
    uint64_t *value = NULL;
    uint32_t packets = guest->row[guest->groups];
    np_status st;
    *steps = 0;
    if (m == 1)
        return without_meshes(guest, spread, place, weight);
    np_merge_options_init(&merging);
    merging.queue_size = options->merge.queue_size;
    merging.room = options->merge.room;
    merging.combine = NP_COMBINE_SUM;
    if ((st = make(&d)) || (st = choose(&d, guest, spread, place, &courses)) ||
        (st = check_paths(&d, guest, spread, place, &courses)) ||
        (st = np_memory_array(&value, packets, sizeof *value, "the packets of buses")) ||
        (st = np_merge_create(&merging, &merge)))
        goto out;
    for (uint32_t i = 0; i < packets; i++)
        value[i] = 1;
    if ((st = merge_all(&d, &courses, options, value, merge, &run)))
        goto out;
    *steps = run.steps;
    *combined += run.combined;
    for (np_packet i = 0; i < packets; i++) /* packet i is member i of its group: none was left out */
        if (np_merge_delivered(merge)[i])
            weight[find(spread, courses.target[i], place[guest->member[i]] / (m * m))] += np_merge_values(merge)[i];
out:
    np_merge_free(merge);
    np_memory_free(value);
    np_courses_clear(&courses);
    np_leveled_free(d.leveled);
    return st;
}
