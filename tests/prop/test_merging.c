/*
 * The merging engine (Leighton, Maggs, Ranade & Rao 1994, section 2): against its
 * slow twin on random cases, and facts that hold exactly.
 */
#include "oracle/merging_case.h"
#include "support.h"

enum { CASES = SUPPORT_SAMPLE(8000) };

/*
 * Does Lemma 2.3 fail where ghosts need room? Never with queues of two places, where single packets are merged: then
 * the letter of section 2.2 is what the engine does anyway.
 */
static bool starves(const merging_case *c)
{
    np_merge *merge;
    np_phase_run run;
    if (c->options.no_ghosts || c->options.ghosts != NP_GHOSTS_ROOM || c->options.message_most > 1)
        return false;
    assert_ok(np_merge_create(&c->options, &merge));
    assert_ok(np_merge_run(merge, &c->job, NULL, &run));
    np_merge_free(merge);
    assert_true(c->options.queue_size == 1 || run.starved == 0);
    return run.starved > 0;
}

/* Do messages of several packets combine while they go? */
static bool joins(const merging_case *c)
{
    np_merge *merge;
    np_phase_run run;
    if (!c->plain.in_step)
        return false;
    assert_ok(np_merge_create(&c->options, &merge));
    np_status st = np_merge_run(merge, &c->job, NULL, &run);
    np_merge_free(merge);
    return !st && run.combined > 0;
}

static void random_cases(void **state)
{
    uint32_t deadlocks = 0, combined = 0, starved = 0, joined = 0;
    (void)state;
    for (uint32_t trial = 0; trial < CASES; trial++) {
        merging_case c;
        merging_case_draw(&c, MERGING_ANY, trial);
        bool arrives = merging_case_judge(&c, trial);
        if (!arrives && !c.options.no_ghosts)
            fail_msg("trial %u: deadlock though there are ghosts", trial);
        deadlocks += !arrives;
        combined += c.options.combine != NP_COMBINE_NONE;
        starved += starves(&c);
        joined += joins(&c);
        merging_case_clear(&c);
    }
    assert_true(starved > 0);   /* section 2.2 to the letter with q = 1 */
    assert_true(deadlocks > 0); /* else the draw shows too little */
    assert_true(combined > CASES / 10);
    assert_true(joined > CASES / 50);
}

/* The one-pass butterfly of 2^n rows, all inputs to output `end`. */
static void draw_hot_spot(merging_case *c, uint32_t n, uint32_t end)
{
    const uint32_t rows = 1u << n;
    *c = (merging_case){0};
    np_merge_options_init(&c->options);
    np_leveled sizes = np_leveled_sizes(n, rows * (n + 1), 2 * rows * n, 0, rows, 1);
    assert_ok(np_leveled_create(&sizes, &c->leveled));
    for (uint32_t v = 0; v < rows * (n + 1); v++)
        np_leveled_add_node(c->leveled, v / rows, v % rows);
    for (uint32_t v = 0; v < rows * n; v++) {
        uint32_t level = v / rows, row = v % rows;
        np_leveled_add_edge(c->leveled, v, (level + 1) * rows + row, 0, NULL);
        np_leveled_add_edge(c->leveled, v, (level + 1) * rows + (row ^ 1u << level), 0, NULL);
    }
    assert_ok(np_leveled_finish(c->leveled));
    assert_ok(np_path_set_reset(&c->path_set, rows, (size_t)rows * n));
    for (uint32_t row = 0; row < rows; row++) {
        np_path_set_add(&c->path_set, row, row, end);
        for (uint32_t level = 0; level < n; level++)
            np_path_set_hop(&c->path_set, (row ^ end) >> level & 1);
    }
    c->job = (np_merge_job){.leveled = c->leveled, .path_set = &c->path_set};
}

/* Exactly one packet is delivered, the sum of all. */
static void judge_sum(const np_merge *merge, const np_phase_run *run)
{
    uint32_t delivered = 0;
    assert_int_equal(run->combined, run->packets - 1);
    assert_int_equal(run->congestion_destinations, 1);
    for (uint32_t i = 0; i < run->packets; i++)
        if (np_merge_delivered(merge)[i]) {
            delivered++;
            assert_int_equal(np_merge_values(merge)[i], (uint64_t)run->packets * (run->packets - 1) / 2);
        }
    assert_int_equal(delivered, 1);
}

/* n + 1 steps counting the one in which the output consumes it, N - 1 combinations, one packet delivered. */
static void hot_spot_combines(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 10; n++)
        for (uint32_t q = 1; q <= 3; q++) {
            merging_case c;
            np_phase_run run;
            np_merge *merge;
            draw_hot_spot(&c, n, (n * 7 + q) & ((1u << n) - 1));
            c.options.queue_size = q;
            c.options.combine = NP_COMBINE_SUM;
            assert_ok(np_merge_create(&c.options, &merge));
            assert_ok(np_merge_run(merge, &c.job, NULL, &run));
            assert_int_equal(run.steps, n + 1);
            judge_sum(merge, &run);
            np_merge_free(merge);
            merging_case_clear(&c);
        }
}

/*
 * Messages of m packets, all to one output: no node waits for anything but the packets that it sends on. A whole
 * message takes m steps for each of n links, and to be consumed; a pipelined one is a step behind itself at each node.
 * With cycles it is the same as with whole messages, since all have one length.
 */
static void hot_spot_joins(void **state)
{
    static const np_message_mode modes[] = {NP_MESSAGES_CYCLES, NP_MESSAGES_ASYNCHRONOUS, NP_MESSAGES_PIPELINED};
    (void)state;
    for (uint32_t n = 1; n <= 7; n++)
        for (uint32_t m = 2; m <= 9; m++)
            for (uint32_t k = 0; k < 3; k++) {
                merging_case c;
                np_phase_run run;
                np_merge *merge;
                draw_hot_spot(&c, n, (n * 7 + m) & ((1u << n) - 1));
                c.options.queue_size = 1 + m % 3;
                c.options.combine = NP_COMBINE_SUM;
                c.options.message_least = c.options.message_most = m;
                c.options.message_mode = modes[k];
                assert_ok(np_merge_create(&c.options, &merge));
                assert_ok(np_merge_run(merge, &c.job, NULL, &run));
                assert_int_equal(run.steps, modes[k] == NP_MESSAGES_PIPELINED ? n + m : (n + 1) * m);
                judge_sum(merge, &run);
                np_merge_free(merge);
                merging_case_clear(&c);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_cases), cmocka_unit_test(hot_spot_combines),
                                       cmocka_unit_test(hot_spot_joins)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
