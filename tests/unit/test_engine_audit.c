/* The audit of the queueing engine (src/engine/queueing/stepping.c) sees each thing that is broken in the midst of a
 * run. */
#include "support.h"

#include "engine/queueing/inside.h"

static void assert_seen(const np_engine *engine, const char *text)
{
    const char *violation = np_engine_audit(engine);
    assert_non_null(violation);
    assert_non_null(strstr(violation, text));
}

/* A link of the block whose queue is not empty; if there is none: its last link but one. */
static np_link find_busy(const np_block *block)
{
    np_link link = block->first_link;
    while (link + 2 < block->last_link && !np_busy_has(&block->busy, link))
        link++;
    return link;
}

/* Breaks one thing at a time, and mends it. */
static int break_and_audit(void *context, const np_step_report *report)
{
    np_engine *engine = context;
    np_shard *shard = &engine->shard[0];
    np_block *block = &engine->block[0];
    np_link link = find_busy(block);
    (void)report;
    assert_null(np_engine_audit(engine));

    engine->population[block->first_node]++;
    assert_seen(engine, "populations");
    engine->population[block->first_node]--;

    for (unsigned i = 0; i < 2; i++) { /* a busy link, and one that may be idle */
        uint64_t *bits = &block->busy.bits[((link + i) >> 6) - (block->busy.first >> 6)];
        *bits ^= UINT64_C(1) << ((link + i) & 63);
        assert_seen(engine, "busy");
        *bits ^= UINT64_C(1) << ((link + i) & 63);
    }

    shard->finished[engine->step & 1]++;
    assert_seen(engine, "all there are");
    shard->finished[engine->step & 1]--;

    uint32_t *length = engine->queues.length;
    if (length && length[link]) {
        length[link]++;
        assert_seen(engine, "all there are");
        length[link]--;
    }
    return 0;
}

static void check(const char *queue, unsigned workers)
{
    np_network *network = support_network("hypercube:5");
    np_path *path;
    np_traffic *traffic;
    const np_discipline *discipline;
    np_engine *engine;
    np_phase_run run;
    assert_ok(np_path_create("dimension-order", network, &path));
    assert_ok(np_traffic_create("h-relation:3", network, 7, 0, &traffic));
    assert_ok(np_discipline_find(queue, &discipline));
    np_engine_options options = {.network = network,
                                 .discipline = discipline,
                                 .packets = np_traffic_packets(traffic),
                                 .workers = workers,
                                 .path = path,
                                 .watched = true,
                                 .method = "stepping"};
    assert_ok(np_engine_create(&options, &engine));
    np_engine_plan plan = support_plan("greedy", network, path);
    np_engine_watch watch = {.on_step = break_and_audit, .context = engine};
    np_engine_place(engine, traffic);
    assert_ok(np_engine_run(engine, &plan, 0, (np_draws){.seed = 5}, &watch, &run));
    assert_true(run.steps > 3);
    np_engine_free(engine);
    np_traffic_free(traffic);
    np_path_free(path);
    np_network_free(network);
}

static void broken_engines_are_seen(void **state)
{
    (void)state;
    check("fifo", 1);
    check("fifo", 2);
    check("farthest-first", 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(broken_engines_are_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
