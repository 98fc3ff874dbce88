/*
 * Merging by columns against merging node by node, which test_merging holds
 * against the slow twin: every measure and every packet's delay. And the steps
 * of the one-pass butterfly against those of an independent program.
 */
#include <math.h>

#include "engine/merging/merge.h"
#include "model/traffic/traffic.h"
#include "support.h"

enum { CASES = SUPPORT_FEWER(150, 40), ROWS_BITS_MAX = 8 };

static uint32_t draw(uint32_t trial, uint32_t item, uint32_t below)
{
    np_draws draws = {trial, 0, 0, NP_RANDOM_CHECK};
    return np_random_below(&draws, item, 0, below);
}

/*
 * Random columns of 2^bits rows: each level goes straight, or straight and
 * across by a random bit; level l is on the hosts of level l mod `shared`.
 */
static np_leveled *draw_network(uint32_t trial, uint32_t bits, uint32_t depth, uint32_t shared)
{
    uint32_t rows = 1u << bits;
    np_leveled *lv;
    np_leveled sizes = np_leveled_sizes(depth, rows * (depth + 1), 2 * rows * depth, 0, shared * rows, 1);
    assert_ok(np_leveled_create(&sizes, &lv));
    for (uint32_t v = 0; v < rows * (depth + 1); v++)
        np_leveled_add_node(lv, v / rows, v / rows % shared + v % rows * shared);
    for (uint32_t l = 0; l < depth; l++) {
        uint32_t choice = draw(trial, 100 + l, bits + 2); /* the last two: straight alone */
        for (uint32_t row = 0; row < rows; row++) {
            np_leveled_add_edge(lv, l * rows + row, (l + 1) * rows + row, 0, NULL);
            if (choice < bits)
                np_leveled_add_edge(lv, l * rows + row, (l + 1) * rows + (row ^ 1u << choice), 0, NULL);
        }
    }
    assert_ok(np_leveled_finish(lv));
    assert_int_equal(lv->rows, rows);
    return lv;
}

/* Random paths between random levels; of length 0 too. */
static void draw_path_set(uint32_t trial, const np_leveled *lv, np_packet packets, np_path_set *path_set)
{
    assert_ok(np_path_set_reset(path_set, packets, (size_t)packets * lv->depth));
    for (np_packet p = 0; p < packets; p++) {
        uint32_t from = draw(trial, 1000 + 5 * p, 2) ? 0 : draw(trial, 1001 + 5 * p, lv->depth + 1);
        uint32_t to = from + draw(trial, 1002 + 5 * p, lv->depth + 1 - from);
        uint32_t v = from * lv->rows + draw(trial, 1003 + 5 * p, lv->rows), bits = draw(trial, 1004 + 5 * p, 1u << 31);
        np_path_set_add(path_set, p, v, p % 17);
        for (uint32_t l = from; l < to; l++) {
            uint32_t port = lv->cross[l] ? bits >> (l % 31) & 1 : 0;
            np_path_set_hop(path_set, port);
        }
    }
}

static void assert_same_run(const np_phase_run *a, const np_phase_run *b)
{
    assert_int_equal(a->steps, b->steps);
    assert_int_equal(a->delay_max, b->delay_max);
    assert_int_equal(a->delay_sum, b->delay_sum);
    assert_int_equal(a->hops, b->hops);
    assert_int_equal(a->queue_max, b->queue_max);
    assert_int_equal(a->queue_real_max, b->queue_real_max);
    assert_int_equal(a->population_max, b->population_max);
    assert_int_equal(a->congestion, b->congestion);
    assert_int_equal(a->congestion_destinations, b->congestion_destinations);
    assert_int_equal(a->ghosts, b->ghosts);
    assert_int_equal(a->node_steps, b->node_steps);
    assert_int_equal(a->combined, b->combined);
}

/* What was delivered, and by whom. */
static void assert_same_values(const np_merge *a, const np_merge *b, np_packet packets)
{
    assert_memory_equal(np_merge_delivered(a), np_merge_delivered(b), packets);
    for (np_packet p = 0; p < packets; p++)
        if (np_merge_delivered(a)[p])
            assert_int_equal(np_merge_values(a)[p], np_merge_values(b)[p]);
}

static uint64_t combined;         /* packets, in all jobs */
static const np_traffic *resting; /* of the next jobs; NULL: no packets rest */

/* The job by columns, on several numbers of threads, is what it is node by node. */
static void judge_options(np_merge_options options, const np_leveled *lv, const np_path_set *path_set, uint32_t trial,
                          const char *served)
{
    static const unsigned workers[] = {1, 2, 7};
    np_merge_job job = {.leveled = lv, .path_set = path_set, .draws = {.seed = trial}, .resting = resting};
    np_merge *merge, *columns;
    np_phase_run want, got;
    options.rank_range = trial % 3 ? UINT32_C(1) << 30 : 5; /* with ties */
    assert_ok(np_merge_create(&options, &merge));
    assert_ok(np_merge_create(&options, &columns));
    job.method = "stepping";
    assert_ok(np_merge_run(merge, &job, NULL, &want));
    assert_string_equal(np_merge_served(merge), "stepping");
    job.method = "columns";
    for (size_t i = SUPPORT_FEWER(0, trial / 3 % 3); i < sizeof workers / sizeof *workers; i += SUPPORT_FEWER(1, 3)) {
        job.workers = workers[i];
        assert_ok(np_merge_run(columns, &job, NULL, &got));
        assert_string_equal(np_merge_served(columns), served);
        assert_same_run(&got, &want);
        assert_memory_equal(np_merge_delays(columns), np_merge_delays(merge), path_set->packets * sizeof(uint32_t));
        if (options.combine)
            assert_same_values(columns, merge, path_set->packets);
        combined += got.combined;
    }
    np_merge_free(merge);
    np_merge_free(columns);
}

static void judge(const np_leveled *lv, const np_path_set *path_set, uint32_t q, uint32_t trial, const char *served)
{
    np_merge_options options;
    np_merge_options_init(&options);
    options.queue_size = q;
    judge_options(options, lv, path_set, trial, served);
}

static void random_columns(void **state)
{
    (void)state;
    for (uint32_t trial = 0; trial < CASES; trial++) {
        uint32_t bits = 6 + draw(trial, 0, ROWS_BITS_MAX - 5), depth = 1 + draw(trial, 1, trial % 10 ? 12 : 70);
        np_leveled *lv = draw_network(trial, bits, depth, 1 + draw(trial, 2, depth + 1));
        np_path_set path_set = {0};
        draw_path_set(trial, lv, draw(trial, 3, 4u << bits), &path_set);
        judge(lv, &path_set, 1 + draw(trial, 4, 9), trial, "columns");
        np_path_set_clear(&path_set);
        np_leveled_free(lv);
    }
}

/* All packets go towards few rows, as far as the levels cross, so that queues grow long. */
static void draw_crowd(uint32_t trial, const np_leveled *lv, np_packet packets, np_path_set *path_set)
{
    assert_ok(np_path_set_reset(path_set, packets, (size_t)packets * lv->depth));
    for (np_packet p = 0; p < packets; p++) {
        uint32_t row = draw(trial, 1000 + p, lv->rows), to = p % 3;
        np_path_set_add(path_set, p, row, p % 17);
        for (uint32_t l = 0; l < lv->depth; l++) {
            uint32_t across = (row ^ to) & lv->cross[l];
            np_path_set_hop(path_set, across != 0);
            row ^= across;
        }
    }
}

/* Queues of more packets than there are registers. */
static void long_queues(void **state)
{
    (void)state;
    for (uint32_t trial = 0; trial < SUPPORT_FEWER(20U, 6U); trial++) {
        np_leveled *lv = draw_network(trial, 7, 12, 2);
        np_path_set path_set = {0};
        draw_crowd(trial, lv, 1000, &path_set);
        judge(lv, &path_set, 5 + 3 * trial, trial, "columns");
        np_path_set_clear(&path_set);
        np_leveled_free(lv);
    }
}

/*
 * Packets for few targets, from any level. Where a packet of a target goes depends on the row and the target alone, so
 * that those that have met stay together; the targets' levels differ.
 */
static void draw_targets(uint32_t trial, const np_leveled *lv, np_packet packets, uint32_t targets,
                         np_path_set *path_set)
{
    assert_ok(np_path_set_reset(path_set, packets, (size_t)packets * lv->depth));
    for (np_packet p = 0; p < packets; p++) {
        uint32_t target = draw(trial, 1000 + 4 * p, targets), to = draw(trial, 500 + target, lv->rows);
        uint32_t end = trial % 2 ? lv->depth : draw(trial, 700 + target, lv->depth + 1);
        uint32_t from = draw(trial, 1001 + 4 * p, 3) ? 0 : draw(trial, 1002 + 4 * p, end + 1);
        uint32_t row = draw(trial, 1003 + 4 * p, trial % 5 ? lv->rows : 3); /* initial queues of one class, too */
        np_path_set_add(path_set, p, from * lv->rows + row, target);
        for (uint32_t l = from; l < end; l++) {
            uint32_t across = (row ^ to) & lv->cross[l];
            np_path_set_hop(path_set, across != 0);
            row ^= across;
        }
    }
}

/* Packets that combine; queues of other lengths than columns have for them are served node by node. */
static void packets_combine(void **state)
{
    (void)state;
    for (uint32_t trial = 0; trial < CASES; trial++) {
        uint32_t bits = 6 + draw(trial, 0, ROWS_BITS_MAX - 5), depth = 1 + draw(trial, 1, trial % 10 ? 12 : 70);
        np_leveled *lv = draw_network(trial, bits, depth, 1 + draw(trial, 2, depth + 1));
        np_path_set path_set = {0};
        np_merge_options options;
        np_merge_options_init(&options);
        options.combine = NP_COMBINE_FIRST + trial % 3;
        options.ranks = NP_RANKS_HASH;
        options.queue_size = trial % 10 == 9 ? 3 : 2;
        draw_targets(trial, lv, draw(trial, 3, 8u << bits), 1 + draw(trial, 4, 2u << bits), &path_set);
        judge_options(options, lv, &path_set, trial, options.queue_size == 2 ? "columns" : "stepping");
        np_path_set_clear(&path_set);
        np_leveled_free(lv);
    }
    assert_true(combined > SUPPORT_FEWER(20000U, 2000U));
}

/* Packets that rest at hosts where others end, and where none do. */
static void packets_rest(void **state)
{
    (void)state;
    enum { REST = 40 };
    for (uint32_t trial = 0; trial < SUPPORT_FEWER(30U, 10U); trial++) {
        np_leveled *lv = draw_network(trial, 6, 7, 1 + trial % 8);
        np_path_set path_set = {0};
        static np_node host[REST]; /* a test that fails leaves it to the others */
        static const np_traffic rest = {.packets = REST, .count = REST, .source = host, .destination = host};
        np_merge_options options;
        np_merge_options_init(&options);
        options.combine = trial % 2 ? NP_COMBINE_SUM : NP_COMBINE_NONE;
        for (np_packet p = 0; p < REST; p++)
            host[p] = draw(trial, 10 + p, lv->host_nodes);
        draw_targets(trial, lv, trial % 3 ? 300 : trial % 2, 1 + trial % 4, &path_set);
        resting = &rest;
        judge_options(options, lv, &path_set, trial, "columns");
        resting = NULL;
        np_path_set_clear(&path_set);
        np_leveled_free(lv);
    }
}

/* Each packet's end and the packets over each edge, by following the edges one by one. */
static void judge_following(const np_leveled *lv, const np_path_set *path_set)
{
    uint32_t *count = calloc(lv->edges, sizeof *count), *want = calloc(lv->edges, sizeof *want);
    uint32_t *end = calloc(path_set->packets, sizeof *end), congestion, most = 0;
    assert_non_null(count);
    assert_non_null(want);
    assert_non_null(end);
    assert_ok(np_path_set_follow(path_set, lv, count, end, &congestion));
    for (np_packet p = 0; p < path_set->packets; p++) {
        uint32_t v = path_set->origin[p];
        for (size_t k = path_set->begin[p]; k < path_set->begin[p + 1]; k++) {
            uint32_t e = lv->out[v] + path_set->port[k];
            most = ++want[e] > most ? want[e] : most;
            v = lv->head[e];
        }
        assert_int_equal(end[p], v);
    }
    assert_memory_equal(count, want, lv->edges * sizeof *count);
    assert_int_equal(congestion, most);
    free(count);
    free(want);
    free(end);
}

/*
 * Rows enough that the workers really divide them, levels enough that paths are followed in two parts, and packets
 * enough that a word has only 8 ports.
 */
static void many_rows(void **state)
{
    (void)state;
    np_leveled *lv = draw_network(4, 12, 20, 3);
    np_path_set path_set = {0};
    draw_path_set(4, lv, 40000, &path_set);
    judge_following(lv, &path_set);
    judge(lv, &path_set, 2, 4, "columns");
    np_merge_options options;
    np_merge_options_init(&options);
    options.combine = NP_COMBINE_SUM;
    options.ranks = NP_RANKS_HASH;
    draw_targets(4, lv, 40000, 9000, &path_set);
    judge_options(options, lv, &path_set, 4, "columns");
    np_path_set_clear(&path_set);
    np_leveled_free(lv);
}

/* Longer queues than registers, on rows that several workers divide. */
static void many_long_queues(void **state)
{
    (void)state;
    np_leveled *lv = draw_network(4, 11, 12, 2);
    np_path_set path_set = {0};
    draw_crowd(4, lv, 16000, &path_set);
    judge(lv, &path_set, 9, 4, "columns");
    np_path_set_clear(&path_set);
    np_leveled_free(lv);
}

/* Hosts shared in another way than row by row: node by node after all, with the same outcome. */
static void other_hosts(void **state)
{
    (void)state;
    np_leveled *lv = draw_network(7, 6, 5, 2);
    np_path_set path_set = {0};
    for (uint32_t r = 0; r < 64; r++)
        lv->host[2 * 64 + r] = lv->host[63 - r];
    draw_path_set(7, lv, 300, &path_set);
    judge(lv, &path_set, 2, 7, "stepping");
    np_path_set_clear(&path_set);
    np_leveled_free(lv);
}

/*
 * Mean steps of 20 runs on the one-pass butterfly, h random packets an input,
 * as an independent program measured them. The two means differ by chance, each with a
 * standard deviation below 2.5% of it (runs: below 10%).
 */
static void steps_of_the_butterfly(void **state)
{
    static const struct {
        const char *network, *traffic;
        uint32_t queue_size;
        np_room room;
        double steps;
    } rows[] = {
        {"butterfly-io:6", "random-function:1", 2, NP_ROOM_BEGIN, 13.4},
        {"butterfly-io:10", "random-function:1", 2, NP_ROOM_BEGIN, 21.5},
        {"butterfly-io:12", "random-function:1", 2, NP_ROOM_BEGIN, 25.2},
        {"butterfly-io:6", "random-function:6", 2, NP_ROOM_BEGIN, 28.7},
        {"butterfly-io:10", "random-function:10", 2, NP_ROOM_BEGIN, 52.6},
        {"butterfly-io:12", "random-function:12", 2, NP_ROOM_BEGIN, 66.5},
        {"butterfly-io:6", "random-function:6", 1000000, NP_ROOM_BEGIN, 25.9},
        {"butterfly-io:10", "random-function:10", 1000000, NP_ROOM_BEGIN, 46.7},
        {"butterfly-io:6", "random-function:6", 2, NP_ROOM_FREED, 26.5},
        {"butterfly-io:10", "random-function:10", 2, NP_ROOM_FREED, 48.2},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (SUPPORT_SANITIZED && !strstr(rows[i].network, "-io:6")) /* the small ones are of every kind */
            continue;
        np_network *network = support_network(rows[i].network);
        np_route_options options;
        np_route_result *result;
        np_route_options_init(&options);
        options.scheme = "ranked";
        options.runs = 20;
        options.merge.queue_size = rows[i].queue_size;
        options.merge.room = rows[i].room;
        assert_ok(np_route(network, rows[i].traffic, &options, &result));
        double mean = result->phase[0].steps.mean;
        if (fabs(mean - rows[i].steps) > 0.05 * rows[i].steps)
            fail_msg("%s %s, q = %u: %.2f steps, not %.1f", rows[i].network, rows[i].traffic, rows[i].queue_size, mean,
                     rows[i].steps);
        np_route_result_free(result);
        np_network_free(network);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_columns),  cmocka_unit_test(long_queues),
                                       cmocka_unit_test(packets_combine), cmocka_unit_test(packets_rest),
                                       cmocka_unit_test(many_rows),       cmocka_unit_test(many_long_queues),
                                       cmocka_unit_test(other_hosts),     cmocka_unit_test(steps_of_the_butterfly)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
