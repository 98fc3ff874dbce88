/*
 * Off-line ranks (Leighton, Maggs, Ranade & Rao 1994, section 11): the bound by the
 * longest chain is one on the engine's steps for any ranks, and ranks that were found keep what was promised.
 */
#include "base/memory.h"
#include "papers/explain/chains.h"
#include "papers/ranks/offline_ranks.h"
#include "model/leveled/leveled_routing.h"
#include "oracle/merging_case.h"
#include "support.h"

enum { PACKETS_MAX = 1024 };

/* Steps of the engine with those ranks, over all phases. */
static np_step measured(const np_offline_job *job, const uint32_t *rank)
{
    np_merge_options options = *job->options;
    np_step steps = 0;
    np_merge *merge;
    options.ranks = NP_RANKS_FILE;
    options.rank = rank;
    options.rank_packets = job->packets;
    assert_ok(np_merge_create(&options, &merge));
    for (unsigned k = 0; k < job->phases; k++) {
        np_merge_job run = {.leveled = job->leveled[k], .path_set = job->path_set[k]};
        np_phase_run out;
        assert_ok(np_merge_run(merge, &run, NULL, &out));
        steps += out.steps;
    }
    np_merge_free(merge);
    return steps;
}

static np_offline_job job_of(const merging_case *c)
{
    const np_path_set *path_set = &c->path_set;
    return (np_offline_job){.phases = 1,
                            .leveled = {c->leveled},
                            .path_set = {path_set},
                            .packets = path_set->packets ? path_set->packet[path_set->packets - 1] + 1 : 0,
                            .options = &c->options,
                            .rounds = 4};
}

static void draw_small(merging_case *c, uint32_t trial)
{
    merging_case_draw(c, MERGING_PLAIN, trial);
    if (c->path_set.packets > 24)
        c->path_set.packets = 24;
    c->options.rank_range = 1 + trial % 9;
    if (trial % 3 == 0)
        c->options.room = NP_ROOM_FREED;
}

static void chains_bound_every_run(void **state)
{
    uint32_t tight = 0, runs = 0;
    (void)state;
    for (uint32_t trial = 0; trial < 1500; trial++) {
        const np_draws draws = {trial, 0, 0, NP_RANDOM_CHECK};
        uint32_t rank[PACKETS_MAX] = {0};
        merging_case c;
        np_step bound;
        draw_small(&c, trial);
        np_offline_job job = job_of(&c);
        for (uint32_t i = 0; i < job.packets; i++)
            rank[i] = 1 + np_random_below(&draws, 1, i, c.options.rank_range);
        assert_ok(np_offline_ranks_bound(&job, rank, &bound));
        np_step steps = measured(&job, rank);
        if (steps > bound)
            fail_msg("trial %u: %u steps, but no chain has more than %u", trial, steps, bound);
        tight += steps == bound;
        runs++;
        merging_case_clear(&c);
    }
    assert_true(tight > runs / 2);
}

static void check_found(const np_offline_job *job, const np_offline_ranks *found)
{
    assert_int_equal(found->packets, job->packets);
    for (np_packet i = 0; i < found->packets; i++)
        assert_in_range(found->rank[i], 1, job->options->rank_range);
    for (size_t i = 1; i < found->estimates; i++)
        assert_true(found->estimate[i] <= found->estimate[i - 1] * (1 + 1e-9));
    if (found->estimate[0] < 1)
        assert_true(found->estimate[found->estimates - 1] < 0.5); /* a number of chains: 0 */
    assert_true(found->steps <= found->promised);
    assert_true(measured(job, found->rank) <= found->steps);
}

static void promises_are_kept(void **state)
{
    uint32_t promises = 0;
    uint64_t before = 0, after = 0;
    (void)state;
    for (uint32_t trial = 0; trial < 300; trial++) {
        merging_case c;
        np_offline_ranks found;
        draw_small(&c, trial);
        np_offline_job job = job_of(&c);
        assert_ok(np_offline_ranks_find(&job, &found));
        check_found(&job, &found);
        uint32_t zero[PACKETS_MAX];
        for (uint32_t i = 0; i < job.packets; i++)
            zero[i] = 1;
        promises += found.estimate[0] < 1;
        before += measured(&job, zero);
        after += found.steps;
        np_offline_ranks_clear(&found);
        merging_case_clear(&c);
    }
    assert_true(promises > 75);
    assert_true(after < before);
}

/* The expected number of chains is the mean of their numbers over all ranks, but for those that have a packet twice. */
static void estimate_is_the_mean(void **state)
{
    enum { RANGE = 3, PACKETS = 5, STEPS = 6 };
    (void)state;
    for (uint32_t trial = 0; trial < 60; trial++) {
        uint32_t rank[PACKETS] = {0}, all = 1;
        double expected[STEPS], sum[STEPS] = {0}, fixed[STEPS];
        np_chains *chains;
        merging_case c;
        draw_small(&c, trial);
        uint32_t packets = c.path_set.packets = c.path_set.packets < PACKETS ? c.path_set.packets : PACKETS;
        assert_ok(np_chains_create(c.leveled, &c.path_set, c.options.queue_size, RANGE, &chains));
        assert_ok(np_chains_profile(chains, rank, STEPS, expected));
        for (uint32_t i = 0; i < packets; i++)
            all *= RANGE;
        for (uint32_t code = 0; code < all; code++) {
            for (uint32_t i = 0, rest = code; i < packets; i++, rest /= RANGE)
                rank[i] = 1 + rest % RANGE;
            assert_ok(np_chains_profile(chains, rank, STEPS, fixed));
            for (uint32_t t = 0; t < STEPS; t++)
                sum[t] += fixed[t] / all;
        }
        for (uint32_t t = 0; t < STEPS; t++) {
            assert_true(sum[t] <= expected[t] * (1 + 1e-9));
            if (t == 0)
                assert_true(sum[t] >= expected[t] * (1 - 1e-9)); /* one packet: it cannot come twice */
        }
        np_chains_free(chains);
        merging_case_clear(&c);
    }
}

/* What a packet at a rank adds, had from two passes, is what the profile says of it. */
static void trial_agrees_with_profile(void **state)
{
    enum { RANGE = 4, STEPS = 9 };
    (void)state;
    for (uint32_t trial = 0; trial < 200; trial++) {
        uint32_t rank[PACKETS_MAX] = {0};
        merging_case c;
        np_chains *chains;
        draw_small(&c, trial);
        assert_ok(np_chains_create(c.leveled, &c.path_set, c.options.queue_size, RANGE, &chains));
        for (uint32_t i = 0; i < c.path_set.packets; i++) {
            double without, cost[RANGE] = {0}, sum[STEPS + 1];
            assert_ok(np_chains_try(chains, rank, STEPS, i, &without, cost));
            for (uint32_t r = 1; r <= RANGE; r++) {
                rank[i] = r;
                assert_ok(np_chains_profile(chains, rank, STEPS + 1, sum));
                assert_true(without + cost[r - 1] <= sum[STEPS] * (1 + 1e-9) + 1e-12);
                assert_true(without + cost[r - 1] >= sum[STEPS] * (1 - 1e-9) - 1e-12);
            }
            rank[i] = 1 + i % RANGE;
        }
        np_chains_free(chains);
        merging_case_clear(&c);
    }
}

/* A network, a traffic, and the phases that its leveled routing makes of them. */
static void on_network(const char *spec, const char *pattern, uint32_t range, uint32_t q)
{
    np_path_set path_set[NP_LEVELED_ROUTING_PHASES] = {{0}};
    np_network *network = support_network(spec);
    np_merge_options options;
    np_leveled_routing *routing;
    np_traffic *traffic;
    np_offline_ranks found;
    assert_ok(np_traffic_create(pattern, network, 1, 0, &traffic));
    assert_ok(np_leveled_routing_create(network, &routing));
    np_merge_options_init(&options);
    options.queue_size = q;
    options.rank_range = range;
    np_offline_job job = {
        .phases = routing->phases, .packets = np_traffic_packets(traffic), .options = &options, .rounds = 3};
    for (unsigned k = 0; k < routing->phases; k++) {
        np_selection selection = {.phase = k, .draws = {1, 0, (uint16_t)k, 0}, .traffic = traffic};
        assert_ok(routing->ops->select(routing, &selection, &path_set[k]));
        job.leveled[k] = routing->phase[k].leveled;
        job.path_set[k] = &path_set[k];
    }
    assert_ok(np_offline_ranks_find(&job, &found));
    check_found(&job, &found);
    assert_true(found.steps < found.promised);
    np_offline_ranks_clear(&found);
    for (unsigned k = 0; k < routing->phases; k++)
        np_path_set_clear(&path_set[k]);
    np_leveled_routing_free(routing);
    np_traffic_free(traffic);
    np_network_free(network);
}

static void networks(void **state)
{
    (void)state;
    on_network("butterfly-io:3", "random-function:3", 9, 2);
    on_network("butterfly-io:3", "random-function:2", 8, 1);
    on_network("butterfly-io:4", "random-function:1", 10, 2);
    on_network("mesh:4x4", "random", 10, 2);
    on_network("butterfly:3", "random", 12, 2);
}

static void refuses(void **state)
{
    merging_case c;
    np_offline_ranks found;
    (void)state;
    draw_small(&c, 0);
    np_offline_job job = job_of(&c);
    c.options.message_most = 4;
    assert_refused(np_offline_ranks_find(&job, &found), NP_ERROR_APPLY, "messages of up to 4 packets");
    assert_null(found.rank);
    c.options.message_most = 1;
    c.options.combine = NP_COMBINE_MIN;
    assert_refused(np_offline_ranks_find(&job, &found), NP_ERROR_APPLY, "packets combine");
    c.options.combine = NP_COMBINE_NONE;
    c.options.no_ghosts = true;
    assert_refused(np_offline_ranks_find(&job, &found), NP_ERROR_APPLY, "without ghosts");
    c.options.no_ghosts = false;
    c.options.rank_range = 0;
    assert_refused(np_offline_ranks_find(&job, &found), NP_ERROR_INPUT, "both are at least 1");
    c.options.rank_range = 1u << 30;
    assert_refused(np_offline_ranks_find(&job, &found), NP_ERROR_APPLY, "a smaller range");
    merging_case_clear(&c);
}

static void memory_fails(void **state)
{
    merging_case c;
    np_offline_ranks found;
    long n = 1;
    (void)state;
    draw_small(&c, 7);
    np_offline_job job = job_of(&c);
    for (;; n++) {
        np_memory_fail_after(n);
        np_status st = np_offline_ranks_find(&job, &found);
        np_memory_fail_after(0);
        if (!st)
            break;
        assert_int_equal(st, NP_ERROR_MEMORY);
        assert_null(found.rank);
    }
    assert_true(n > 10);
    np_offline_ranks_clear(&found);
    merging_case_clear(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(chains_bound_every_run),
                                       cmocka_unit_test(promises_are_kept),
                                       cmocka_unit_test(estimate_is_the_mean),
                                       cmocka_unit_test(trial_agrees_with_profile),
                                       cmocka_unit_test(networks),
                                       cmocka_unit_test(refuses),
                                       cmocka_unit_test(memory_fails)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
