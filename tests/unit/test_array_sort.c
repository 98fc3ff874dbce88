/* Flashsort on meshes, tori, arrays and rings: boxes and how they are cut, and what comes out of the sort. */
#include "support.h"

#include "base/random.h"
#include "papers/arrays/array_flashsort.h"

/* ---- boxes ---- */

static np_array_box box_of(const np_network *network, const uint32_t *low, const uint32_t *side)
{
    np_array_box box = {.network = network, .nodes = 1};
    for (uint32_t i = 0; i < network->dimensions; i++) {
        box.low[i] = low[i];
        box.side[i] = side[i];
        box.nodes *= side[i];
    }
    return box;
}

static uint32_t distance(const np_network *network, np_node u, np_node v)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < network->dimensions; i++)
        sum += (uint32_t)abs((int)np_network_coordinate(network, u, i) - (int)np_network_coordinate(network, v, i));
    return sum;
}

/* All nodes of the box once, neighbours one after the other. */
static void check_snake(const np_array_box *box, const uint32_t *order)
{
    char seen[256] = {0};
    for (uint32_t i = 0; i < box->nodes; i++) {
        np_node u = np_array_box_snake(box, order, i);
        assert_false(seen[u]++);
        for (uint32_t d = 0; d < box->network->dimensions; d++)
            assert_true(np_array_box_coordinate(box, u, d) < box->side[d]);
        if (i)
            assert_int_equal(distance(box->network, u, np_array_box_snake(box, order, i - 1)), 1);
    }
}

static void test_snake(void **state)
{
    (void)state;
    np_network *network = support_network("mesh:5x4x6");
    const uint32_t low[] = {1, 0, 2}, side[] = {3, 4, 3}, none[] = {0, 0, 0};
    uint32_t order[3];
    np_array_box whole = np_array_box_whole(network, NULL), box = box_of(network, low, side);
    np_array_box_order(&whole, order);
    assert_int_equal(order[0], 2); /* 6, 5, 4 */
    assert_int_equal(order[1], 0);
    assert_int_equal(order[2], 1);
    check_snake(&whole, order);
    check_snake(&box, order);
    np_array_box_align(&box, order);
    check_snake(&box, order);
    /* A box as wide as the network in all but the slowest dimension is a piece of the snake. */
    const uint32_t slab_low[] = {0, 0, 3}, slab_side[] = {5, 4, 2};
    np_array_box slab = box_of(network, slab_low, slab_side);
    np_array_box_align(&slab, order);
    for (uint32_t i = 0; i < slab.nodes; i++)
        assert_int_equal(np_array_box_snake(&slab, order, i), np_array_box_snake(&whole, order, 3 * 20 + i));
    box = box_of(network, none, side);
    assert_int_equal(np_array_box_dimensions(&box), 3);
    assert_int_equal(np_array_box_sides(&box), 10);
    np_network_free(network);
}

/* Sums in every order, against addition one by one. */
static void test_prefix(void **state)
{
    (void)state;
    np_network *network = support_network("mesh:5x4x6");
    const uint32_t low[] = {1, 0, 2}, side[] = {3, 4, 3}, orders[][3] = {{0, 1, 2}, {2, 0, 1}, {1, 2, 0}};
    np_array_box box = box_of(network, low, side);
    np_draws draws = {.seed = 3, .purpose = NP_RANDOM_KEY};
    uint32_t value[120], before[120], scratch[120];
    for (uint32_t u = 0; u < 120; u++)
        value[u] = np_random_below(&draws, u, 0, 5);
    for (size_t o = 0; o < 3; o++) {
        const uint32_t *order = orders[o];
        np_sort_cost cost = {0};
        uint32_t all = np_array_box_prefix(&box, order, value, before, scratch, &cost), sum = 0, x[3];
        assert_int_equal(cost.steps, 2 + 3 + 2);
        assert_int_equal(cost.hops, 2 * (2 * 12 + 3 * 9 + 2 * 12));
        for (x[order[0]] = 0; x[order[0]] < side[order[0]]; x[order[0]]++)
            for (x[order[1]] = 0; x[order[1]] < side[order[1]]; x[order[1]]++)
                for (x[order[2]] = 0; x[order[2]] < side[order[2]]; x[order[2]]++) {
                    np_node u = ((x[0] + 1) * 4 + x[1]) * 6 + x[2] + 2;
                    assert_int_equal(before[u], sum);
                    sum += value[u];
                }
        assert_int_equal(all, sum);
    }
    np_network_free(network);
}

/* Two words reach every node of the box, the first after as many steps as it is away; sums over lines alone. */
static void test_broadcast(void **state)
{
    (void)state;
    np_network *network = support_network("mesh:5x4x6");
    const uint32_t low[] = {1, 0, 2}, side[] = {3, 4, 3};
    np_array_box box = box_of(network, low, side);
    uint32_t first[120] = {0}, second[120] = {0}, inside = 0;
    np_node middle = np_array_box_middle(&box);
    for (uint32_t words = 0; words <= 2; words++) {
        const np_array_word word[] = {{first, 0}, {second, 1}};
        np_sort_cost cost = {.steps = 10};
        first[middle] = 7 + words;
        second[middle] = 9;
        np_array_box_broadcast(&box, words, word, &cost);
        assert_int_equal(cost.steps, words ? 10 + 1 + 2 + 1 + words - 1 : 10);
        assert_int_equal(cost.hops, words * (36 - 1));
        for (uint32_t u = 0; u < 120; u++) {
            uint32_t x = u / 24, y = u / 6 % 4, z = u % 6;
            bool in = x >= 1 && x < 4 && z >= 2 && z < 5;
            assert_int_equal(first[u], u == middle || (in && words) ? 7 + words : 0);
            assert_int_equal(second[u], u == middle || (in && words == 2) ? 9 : 0);
            inside += in && y < 4;
        }
    }
    assert_int_equal(inside, 3 * 36);
    np_sort_cost cost = {0};
    np_array_box_sum(&box, 1, first, &cost);
    assert_int_equal(first[middle], 4 * 9);
    assert_int_equal(cost.steps, 3);
    assert_int_equal(cost.hops, 2 * 9 * 3);
    np_network_free(network);
}

/* The children have every node once, and know which. */
static void check_cuts(const np_array_box *box, uint32_t most)
{
    np_array_cuts cuts = np_array_cuts_of(box, most);
    char seen[256] = {0};
    uint32_t order[NP_MAX_DIMENSIONS], nodes = 0;
    np_array_box_order(box, order);
    assert_true(cuts.children <= (most ? most : 1));
    assert_int_equal(np_array_cuts_regions(&cuts, cuts.plateaus), cuts.children);
    for (uint32_t c = 0; c < cuts.children; c++) {
        np_array_box child = np_array_cuts_region(&cuts, box, cuts.plateaus, c);
        assert_true(child.nodes > 0);
        nodes += child.nodes;
        for (uint32_t i = 0; i < child.nodes; i++) {
            np_node u = np_array_box_snake(&child, order, i);
            assert_false(seen[u]++);
            assert_int_equal(np_array_cuts_child_of(&cuts, box, u), c);
        }
    }
    assert_int_equal(nodes, box->nodes);
}

static void test_cuts(void **state)
{
    (void)state;
    np_network *network = support_network("mesh:5x4x6"), *line = support_network("array:20");
    const uint32_t low[] = {1, 0, 2}, side[] = {3, 4, 3};
    np_array_box whole = np_array_box_whole(network, NULL), box = box_of(network, low, side);
    for (uint32_t most = 0; most < 40; most++) {
        check_cuts(&whole, most);
        check_cuts(&box, most);
    }
    np_array_cuts cuts = np_array_cuts_of(&whole, 18); /* 6 along the longest side, and 3 along the next */
    assert_int_equal(cuts.plateaus, 2);
    assert_int_equal(cuts.parts[0], 6);
    assert_int_equal(cuts.parts[1], 3);
    whole = np_array_box_whole(line, NULL);
    assert_int_equal(np_array_cuts_of(&whole, 7).children, 1);
    np_network_free(network);
    np_network_free(line);
}

/* Any number of items, zeros and ones: in order after just the steps that were said, along neighbours. */
static void check_base(const np_array_base *base, uint32_t items, uint32_t seed)
{
    static uint32_t slot[4096];
    np_draws draws = {.seed = seed, .purpose = NP_RANDOM_KEY};
    size_t slots = np_array_base_slots(base);
    uint32_t zeros = 0;
    np_sort_cost cost = {0};
    assert_true(slots <= 2 * (items + base->h) && items <= base->places * base->h);
    for (uint32_t i = 0; i < slots; i++) {
        slot[i] = i < items ? np_random_below(&draws, i, 0, 2) : NP_NONE;
        zeros += !slot[i];
    }
    np_array_base_run(base, slot, &cost);
    for (uint32_t i = 0; i < slots; i++)
        assert_int_equal(slot[i], i < zeros ? 0 : i < items ? 1 : NP_NONE);
    assert_int_equal(cost.steps, base->steps);
    for (uint32_t p = 1; p < base->places; p++)
        assert_int_equal(distance(base->box.network, np_array_base_node(base, p), np_array_base_node(base, p - 1)), 1);
}

static void test_base(void **state)
{
    (void)state;
    const char *const specs[] = {"mesh:5x4x6", "mesh:21x12", "mesh:2x2x2", "array:20"};
    uint32_t sheared = 0;
    for (size_t s = 0; s < 4; s++) {
        np_network *network = support_network(specs[s]);
        np_array_box box = np_array_box_whole(network, NULL);
        uint32_t order[NP_MAX_DIMENSIONS];
        np_array_box_order(&box, order);
        for (uint32_t items = 1; items < 3 * box.nodes; items++)
            for (uint32_t seed = 0; seed < SUPPORT_SAMPLE(3U); seed++) {
                np_array_base base = np_array_base_of(&box, order, items);
                sheared += base.columns > 0;
                check_base(&base, items, seed);
                base = np_array_base_in_place(&box, order, items);
                check_base(&base, items, seed);
                for (uint32_t p = 0; p < base.places; p++)
                    assert_int_equal(np_array_base_node(&base, p), np_array_box_snake(&box, order, p));
            }
        np_network_free(network);
    }
    assert_true(sheared > 300);
}

/*
 * array:10. Packets from both ends to the other meet, and wait for nobody; those that leave 0, 1 and 2 for 9 share the
 * last link, one after the other, and the last one is consumed a step later.
 */
static void test_route(void **state)
{
    (void)state;
    np_network *network = support_network("array:10");
    np_sort_options options;
    np_sort_options_init(&options);
    np_sorting sorting = {.network = network, .options = &options, .workers = 1};
    np_array_flash flash = {.sorting = &sorting, .load = calloc(10, sizeof *flash.load)};
    np_array_box box = np_array_box_whole(network, NULL);
    uint32_t id[] = {0, 1, 2, 3};
    const uint32_t order[] = {0}, both[] = {9, 0}, last[] = {9, 9, 9, 5};
    uint32_t node[] = {0, 9}, shared[] = {0, 1, 2, 5};
    np_sort_cost cost = {0};
    assert_ok(np_sort_engine_init(&flash.engine, &sorting, UINT32_MAX));
    assert_ok(
        np_array_route(&flash, &box, &(np_array_list){.count = 2, .node = node, .id = id}, both, order, 0, &cost));
    assert_memory_equal(node, both, sizeof both);
    assert_int_equal(cost.steps, 9 + 1);
    assert_int_equal(cost.hops, 18);
    assert_int_equal(cost.congestion, 1);
    assert_int_equal(cost.load_max, 1);
    cost = (np_sort_cost){0};
    assert_ok(
        np_array_route(&flash, &box, &(np_array_list){.count = 4, .node = shared, .id = id}, last, order, 0, &cost));
    assert_memory_equal(shared, last, sizeof last);
    assert_int_equal(cost.steps, 9 + 1 + 2); /* of equal ranks the least number is first: that from 0 */
    assert_int_equal(cost.hops, 9 + 8 + 7);
    assert_int_equal(cost.congestion, 3);
    assert_int_equal(cost.load_max, 3);
    np_sort_engine_clear(&flash.engine);
    free(flash.load);
    np_network_free(network);
}

/* ---- sorting ---- */

enum { KEYS_MOST = 4096 };

static uint64_t key[KEYS_MOST];

/* Kinds of input: random, random with many equals, in order, reversed, constant. */
enum { KINDS = 5 };

static void fill(unsigned kind, size_t count, uint64_t seed)
{
    np_draws draws = {.seed = seed, .purpose = NP_RANDOM_KEY};
    assert_true(count <= KEYS_MOST);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t x = np_random_u64(&draws, i, 0);
        const uint64_t all[KINDS] = {x, x % 7, i, count - i, 5};
        key[i] = all[kind];
    }
}

static np_sort_options options_of(uint64_t seed)
{
    np_sort_options options;
    np_sort_options_init(&options);
    options.algorithm = "flashsort";
    options.threads = 1;
    options.seed = seed;
    return options;
}

/* It is the stable sorted permutation, and the stages are all there is. */
static void check_result(const np_sort_result *result)
{
    double steps = 0;
    uint64_t hops = 0;
    char seen[KEYS_MOST] = {0};
    if (!result->sorted)
        fail_msg("%s, %d keys, seed %d: %s", result->network, (int)result->keys, (int)result->seed, result->wrong);
    for (size_t i = 0; i < result->keys; i++)
        assert_false(seen[result->order[i]]++);
    for (size_t i = 1; i < result->keys; i++) {
        uint32_t a = result->order[i - 1], b = result->order[i];
        assert_true(key[a] < key[b] || (key[a] == key[b] && a < b));
    }
    for (size_t i = 0; i < result->stages; i++) {
        steps += result->stage[i].steps.mean;
        hops += result->stage[i].hops;
        assert_true(result->stage[i].queue_max <= result->merge.queue_size);
    }
    assert_true(steps > result->steps.mean - 0.5 && steps < result->steps.mean + 0.5);
    assert_int_equal(hops, result->hops);
}

static np_sort_result *sort(const char *spec, size_t count, const np_sort_options *options)
{
    np_network *network = support_network(spec);
    np_sort_result *result;
    assert_ok(np_sort(network, count, key, options, &result));
    np_network_free(network);
    return result;
}

static const char *const networks[] = {
    "array:2",     "array:13",   "ring:9",     "mesh:2x2",   "mesh:2x7",           "mesh:4x4",
    "mesh:3x5",    "mesh:16x8",  "mesh:16x16", "mesh:5x23",  "mesh:32x32",         "torus:8x8",
    "torus:6x4x5", "mesh:3x4x2", "mesh:8x8x8", "mesh:4x9x6", "mesh:2x2x2x2x2x2x2", "mesh:4x4x4x4",
};

/* Small enough for small boxes to recurse; with few candidates; as they are. */
static const np_sort_constants constants[] = {
    {0},
    {.cutoff = 2, .oversampling = 2},
    {.cutoff = 2, .oversampling = 1, .lightness = 1, .redraws = 1, .candidates = 2},
    {.cutoff = 2, .oversampling = 1, .lightness = 3},
};

enum { NETWORKS = sizeof networks / sizeof *networks, CONSTANTS = sizeof constants / sizeof *constants };

/* Counts below, at and above the number of places. */
static void sweep(const char *spec, uint64_t *recursions)
{
    np_network *network = support_network(spec);
    size_t n = np_network_nodes(network);
    const size_t counts[] = {1, 2, n / 8 + 1, n / 4, n / 2 + 1, n, n + 1, 3 * n - 1};
    const size_t sets = np_network_is(network, NP_KIND_LINES) ? 1 : CONSTANTS; /* a line has none of the constants */
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        for (uint64_t seed = 1; seed <= 3; seed++)
            for (size_t k = 0; k < sets && counts[c] && counts[c] <= KEYS_MOST; k++) {
                np_sort_options options = options_of(seed);
                options.constants = constants[k];
                fill((unsigned)((seed + k + c) % KINDS), counts[c], seed);
                np_sort_result *result = sort(spec, counts[c], &options);
                check_result(result);
                *recursions += result->recursion_depth > 1;
                assert_int_equal(result->per_place, (counts[c] + n - 1) / n);
                np_sort_result_free(result);
            }
    np_network_free(network);
}

static void test_sorts(void **state)
{
    (void)state;
    uint64_t recursions = 0;
    for (size_t i = 0; i < NETWORKS; i++)
        sweep(networks[i], &recursions);
    assert_true(recursions > 100); /* what they are there for */
}

/* Candidates that are too few or too many, and intervals that do not fit: the run says so, and sorts. */
static void test_failures(void **state)
{
    (void)state;
    uint64_t redraws = 0, fallbacks = 0, unfit = 0, ill = 0;
    np_sort_options options = options_of(1);
    options.constants = (np_sort_constants){.cutoff = 2, .oversampling = 1, .lightness = 1, .redraws = 1};
    for (options.seed = 1; options.seed <= SUPPORT_SAMPLE(20U); options.seed++)
        for (size_t count = 128; count <= 512; count += 128) {
            fill(0, count, options.seed);
            np_sort_result *result = sort("mesh:16x16", count, &options);
            check_result(result);
            uint64_t failed = unfit + ill;
            for (size_t i = 0; i < result->events; i++) {
                unfit += !strcmp(result->event[i].name, "fitting") ? result->event[i].failures : 0;
                ill += !strcmp(result->event[i].name, "well-partitioned") ? result->event[i].failures : 0;
            }
            failed = unfit + ill - failed; /* each leads to another draw, or to the end of drawing */
            assert_true(failed <= result->redraws + result->fallbacks);
            redraws += result->redraws;
            fallbacks += result->fallbacks;
            np_sort_result_free(result);
        }
    assert_true(redraws > 20);
    assert_true(fallbacks > 5);
    assert_true(unfit > 5);
    assert_true(ill > 5);
}

/* A line is sorted as a line: what all nodes must know, then a stage for each place that is in use. */
static void test_line(void **state)
{
    (void)state;
    np_sort_options options = options_of(1);
    fill(3, 40, 1);
    np_sort_result *result = sort("array:20", 10, &options);
    check_result(result);
    assert_int_equal(result->steps.mean, 19 + 10);
    np_sort_result_free(result);
    result = sort("ring:20", 40, &options);
    check_result(result);
    assert_int_equal(result->steps.mean, 19 + 2 * 20);
    assert_int_equal(result->comparators, 190);
    np_sort_result_free(result);
}

/* O(k M) steps: 17 to 22 sides of a mesh, whatever the keys. */
static void test_steps(void **state)
{
    (void)state;
    const char *const specs[] = {"mesh:16x16", "mesh:32x32", "mesh:64x64"};
    const unsigned side[] = {16, 32, 64};
    for (size_t i = 0; i < 3; i++)
        for (unsigned kind = 0; kind < KINDS; kind++) {
            np_sort_options options = options_of(4);
            fill(kind, side[i] * side[i], 4);
            np_sort_result *result = sort(specs[i], side[i] * side[i], &options);
            check_result(result);
            assert_true(result->steps.mean <= 26 * side[i]);
            assert_int_equal(result->fallbacks, 0);
            np_sort_result_free(result);
        }
}

static void assert_same(const np_sort_result *a, const np_sort_result *b)
{
    assert_int_equal(a->stages, b->stages);
    for (size_t i = 0; i < a->stages; i++) {
        assert_string_equal(a->stage[i].name, b->stage[i].name);
        assert_int_equal(a->stage[i].hops, b->stage[i].hops);
        assert_int_equal(a->stage[i].congestion, b->stage[i].congestion);
        assert_int_equal(a->stage[i].delay_max, b->stage[i].delay_max);
        assert_true(a->stage[i].steps.mean == b->stage[i].steps.mean);
    }
    assert_int_equal(a->redraws, b->redraws);
    assert_memory_equal(a->order, b->order, a->keys * sizeof *a->order);
}

static void test_threads(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 2; seed++) {
        np_sort_options options = options_of(seed);
        options.runs = 2;
        fill(0, 4096, seed);
        np_sort_result *one = sort("mesh:64x32", 4096, &options);
        for (options.threads = 2; options.threads <= 3; options.threads++) {
            np_sort_result *more = sort("mesh:64x32", 4096, &options);
            assert_same(one, more);
            np_sort_result_free(more);
        }
        check_result(one);
        np_sort_result_free(one);
    }
}

/* Queues of any size, and ranks of the caller's. */
static void test_merge_options(void **state)
{
    (void)state;
    for (uint32_t q = 1; q <= 4; q++) {
        np_sort_options options = options_of(2);
        options.merge.queue_size = q;
        options.merge.ranks_given = q % 2 == 0;
        fill(0, 1024, q);
        np_sort_result *result = sort("mesh:32x32", 1024, &options);
        check_result(result);
        assert_true(q > 2 || result->queue_max == q); /* a node gets one packet a step, and sends one */
        np_sort_result_free(result);
    }
}

/* What an observer has seen of the stages of one name. */
typedef struct seen_stage {
    const char *name;
    uint64_t last; /* steps of the present phase until its last move */
    uint64_t steps, moves;
} seen_stage;

typedef struct seen_stages {
    seen_stage stage[5];
    seen_stage *now; /* NULL: another one */
} seen_stages;

static int stage_begins(void *context, const np_event_phase *phase)
{
    seen_stages *seen = context;
    seen->now = NULL;
    for (size_t i = 0; i < 5; i++)
        if (!strcmp(phase->name, seen->stage[i].name))
            seen->now = &seen->stage[i];
    if (seen->now)
        seen->now->last = 0;
    return 0;
}

static int stage_moves(void *context, size_t count, const np_event *event)
{
    seen_stages *seen = context;
    for (size_t i = 0; i < count && seen->now; i++) {
        if (event[i].kind != NP_EVENT_MOVED)
            continue;
        seen->now->moves++;
        if (event[i].step > seen->now->last)
            seen->now->last = event[i].step;
    }
    return 0;
}

static int stage_ends(void *context, const np_phase_run *run)
{
    seen_stages *seen = context;
    (void)run;
    if (seen->now)
        seen->now->steps += seen->now->last;
    return 0;
}

/* What is sorted, and the stages of depth 0 that are looked at. */
typedef struct stage_case {
    const char *spec;
    size_t keys; /* 0: one a place */
    np_sort_constants constants;
    bool routed; /* by the merging engine: nodes wait for word of its end when the last packet has arrived */
    bool all;    /* every hop is told of */
    const char *name[5];
} stage_case;

/* Steps and hops of the stages of this name, at depth 0. */
static uint64_t steps_of(const np_sort_result *result, const char *name, uint64_t *hops)
{
    uint64_t steps = 0;
    *hops = 0;
    for (size_t s = 0; s < result->stages; s++)
        if (!strcmp(result->stage[s].name, name) && result->stage[s].depth == 0) {
            steps += (uint64_t)result->stage[s].steps.mean;
            *hops += result->stage[s].hops;
        }
    return steps;
}

/* Each of the stages takes as many steps as until the last of its moves: none of them is free, or charged more. */
static void check_moves(const stage_case *c)
{
    seen_stages seen = {0};
    const np_observer observer = {.begin = stage_begins, .events = stage_moves, .end = stage_ends, .context = &seen};
    np_network *network = support_network(c->spec);
    np_sort_options options;
    np_sort_result *result;
    for (size_t k = 0; k < 5; k++)
        seen.stage[k].name = c->name[k] ? c->name[k] : "none";
    np_sort_options_init(&options);
    options.algorithm = "flashsort";
    options.constants = c->constants;
    options.keys = c->keys;
    options.seed = 3; /* with which draws fail at depth 0 */
    options.observer = &observer;
    assert_ok(np_sort(network, 0, NULL, &options, &result));
    assert_true(result->sorted);
    for (size_t k = 0; k < 5 && c->name[k]; k++) {
        uint64_t hops, steps = steps_of(result, c->name[k], &hops);
        assert_true(steps > 0);
        if (c->routed)
            assert_in_range(steps, seen.stage[k].steps, 2 * seen.stage[k].steps);
        else
            assert_int_equal(seen.stage[k].steps, steps);
        assert_true(!c->all || seen.stage[k].moves == hops);
    }
    np_sort_result_free(result);
    np_network_free(network);
}

static void test_stages_are_moves(void **state)
{
    static const stage_case cases[] = {
        {.spec = "mesh:32x32", .name = {"count", "candidates", "splitters", "number", "check"}},
        {.spec = "mesh:40x30", .name = {"count", "candidates", "splitters", "number", "check"}},
        {.spec = "mesh:12x11x10", .name = {"count", "candidates", "splitters", "number", "check"}},
        {.spec = "butterfly:4", .all = true, .name = {"tell-rows"}},
        {.spec = "butterfly:6", .all = true, .name = {"tell-rows", "refine-sort"}},
        {.spec = "butterfly:7", .keys = 300, .all = true, .name = {"tell-rows", "refine-sort"}},
        {.spec = "hypercube:7", .keys = 256, .all = true, .name = {"refine-sort"}},
        {.spec = "butterfly:8",
         .keys = 128,
         .constants = {.cutoff = 2, .oversampling = 1, .lightness = 1, .redraws = 50},
         .routed = true,
         .all = true,
         .name = {"return"}},
        {.spec = "hypercube:8",
         .keys = 128,
         .constants = {.cutoff = 2, .oversampling = 1, .lightness = 1, .redraws = 50},
         .routed = true,
         .all = true,
         .name = {"return"}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_moves(&cases[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_snake),         cmocka_unit_test(test_prefix),
        cmocka_unit_test(test_broadcast),     cmocka_unit_test(test_stages_are_moves),
        cmocka_unit_test(test_cuts),          cmocka_unit_test(test_base),
        cmocka_unit_test(test_route),         cmocka_unit_test(test_sorts),
        cmocka_unit_test(test_failures),      cmocka_unit_test(test_line),
        cmocka_unit_test(test_steps),         cmocka_unit_test(test_threads),
        cmocka_unit_test(test_merge_options),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
