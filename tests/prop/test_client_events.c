/*
 * Events beside those of routing: collective operations. The traces of every algorithm of the list are judged by the
 * model alone (oracle/trace_judge.h), and the tables say what the result says.
 */
#include "support.h"

#include "base/memory.h"
#include "collective/collective.h"
#include "oracle/recorded.h"
#include "oracle/trace_judge.h"

static void judge(const char *what, const char *of, const recorded *files, oracle_verdict *verdict)
{
    oracle_judge_trace(files->trace, verdict);
    if (*verdict->wrong)
        fail_msg("%s, %s: %s", what, of, verdict->wrong);
}

/* ---- Collective operations ---- */

static const char *const places[] = {"array:5",     "ring:4",     "mesh:3x4",   "mesh:4x4",   "torus:4x4",
                                     "hypercube:3", "complete:7", "complete:8", "mesh:2x3x4", "star:4"};

enum { PLACES = sizeof places / sizeof *places };

static np_collective_options options_of(const np_collective_ops *ops, uint64_t flits)
{
    np_collective_options options;
    np_collective_options_init(&options);
    options.algorithm = ops->info.name;
    options.flits = flits;
    return options;
}

static void check_collective(const recorded *f, const np_collective_ops *ops, const np_collective_result *result)
{
    bool moves = np_collective_moves(ops->kind);
    oracle_verdict verdict;
    judge(result->network, ops->info.name, f, &verdict);
    assert_int_equal(verdict.moves, result->transfers);
    /* links: phase,name,of,link,from,to,carried,busiest,busiest_step */
    assert_true(recorded_total(f->links, -1, "", 6, true) == (double)result->transfers);
    /* steps: run,phase,name,step,moved,landed,combined,left,queue_max */
    assert_true(recorded_total(f->steps, -1, "", 4, true) == (double)result->transfers);
    assert_true(recorded_total(f->steps, -1, "", 3, false) == (double)result->steps);
    /* packets: run,phase,name,packet,source,destination,hops,delay,arrival,combined_into */
    assert_true(recorded_total(f->packets, -1, "", 6, true) == (double)result->transfers);
    assert_true(recorded_total(f->packets, -1, "", 8, false) == (double)result->steps);
    /* All packets but one of each flit become a part of another one. */
    if (ops->kind == NP_REDUCE)
        assert_true(recorded_total(f->steps, -1, "", 6, true) == (double)(result->packets * (result->nodes - 1)));
    assert_int_equal(!strstr(f->trace, "\"split\""), moves || ops->kind == NP_REDUCE);
}

/* Returns whether the algorithm does its operation there. */
static bool try_algorithm(const np_collective_ops *ops, const char *place, uint64_t flits)
{
    np_collective_options options = options_of(ops, flits), plain = options;
    np_network *network = support_network(place);
    np_collective_result *result, *unseen;
    recorded f;
    options.observer = recorded_begin(&f);
    np_status st = np_collective(network, ops->info.operation, &options, &result);
    if (st) {
        assert_int_equal(st, NP_ERROR_APPLY);
        recorded_discard(&f);
        np_network_free(network);
        return false;
    }
    recorded_end(&f);
    check_collective(&f, ops, result);
    /* Nothing changes because somebody looks. */
    assert_ok(np_collective(network, ops->info.operation, &plain, &unseen));
    assert_int_equal(unseen->steps, result->steps);
    assert_int_equal(unseen->transfers, result->transfers);
    np_collective_result_free(unseen);
    np_collective_result_free(result);
    recorded_clear(&f);
    np_network_free(network);
    return true;
}

static void every_algorithm_has_events(void **state)
{
    const np_collective_ops *ops;
    (void)state;
    for (size_t i = 0; (ops = np_registry_entry(&np_collective_algorithms, i)); i++) {
        unsigned done = 0;
        for (size_t k = 0; k < PLACES; k++)
            done += try_algorithm(ops, places[k], ops->flits ? 3 : 0);
        if (!done)
            fail_msg("'%s' of %s was not observed anywhere", ops->info.name, ops->info.operation);
    }
}

/* ---- Cancelling ---- */

static int refuse(void *context, size_t count, const np_event *event)
{
    (void)context, (void)count, (void)event;
    return 1;
}

static void observers_can_cancel(void **state)
{
    static const char *const operations[] = {"all-to-all", "gossip", "reduce", "k-k"};
    const np_observer observer = {.events = refuse};
    np_network *network = support_network("mesh:4x4");
    (void)state;
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        np_collective_options options;
        np_collective_result *result;
        np_collective_options_init(&options);
        options.observer = &observer;
        assert_refused(np_collective(network, operations[i], &options, &result), NP_ERROR_CANCELLED, "cancelled");
        assert_null(result);
    }
    np_network_free(network);
}

/* ---- Memory ---- */

static void every_allocation_may_fail(void **state)
{
    static const char *const operations[] = {"permutation", "gossip", "reduce"};
    const np_observer observer = {.kinds = 0};
    np_network *network = support_network("mesh:3x3");
    (void)state;
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        np_collective_result *result = NULL;
        np_collective_options options;
        np_collective_options_init(&options);
        options.observer = &observer;
        for (long n = 1; !result; n++) {
            np_memory_fail_after(n);
            np_status st = np_collective(network, operations[i], &options, &result);
            np_memory_fail_after(0);
            assert_int_equal(st, result ? NP_OK : NP_ERROR_MEMORY);
            assert_true(n < 1000);
        }
        np_collective_result_free(result);
    }
    np_network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_algorithm_has_events),
        cmocka_unit_test(observers_can_cancel),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
