/*
 * Events beside those of routing: collective operations, sorting and PRAMs. The traces of every algorithm, sorter and machine of the lists are judged by the
 * model alone (oracle/trace_judge.h), and the tables say what the result says.
 */
#include "support.h"

#include "base/memory.h"
#include "collective/collective.h"
#include "oracle/recorded.h"
#include "oracle/trace_judge.h"
#include "pram/machine.h"
#include "sort/sorter.h"

static void judge(const char *what, const char *of, const recorded *files, oracle_verdict *verdict)
{
    oracle_judge_trace(files->trace, verdict);
    if (*verdict->wrong)
        fail_msg("%s, %s: %s", what, of, verdict->wrong);
}

/* ---- Collective operations ---- */

static const char *const spots[] = {"array:5",     "ring:4",     "mesh:3x4",   "mesh:4x4",   "torus:4x4",
                                    "hypercube:3", "complete:7", "complete:8", "mesh:2x3x4", "star:4"};

enum { PLACES = sizeof spots / sizeof *spots };

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
        for (size_t k = 0; k < (ops->searches ? 2 : PLACES); k++) /* a search takes long */
            done += try_algorithm(ops, spots[k], ops->flits ? 3 : 0);
        if (!done)
            fail_msg("'%s' of %s was not observed anywhere", ops->info.name, ops->info.operation);
    }
}

/* ---- Sorting ---- */

static const char *const sorted[] = {
    "array:7",     "ring:6",      "mesh:3x5",           "mesh:4x4",           "torus:4x4",
    "hypercube:2", "hypercube:4", "butterfly:3",        "shuffle-exchange:3", "mesh:3x4x2",
    "butterfly:4", "array:64",    "shuffle-exchange:4", "shuffle-exchange:6"};

enum { SORTED = sizeof sorted / sizeof *sorted };

static np_status sort(const np_sorter_ops *ops, const np_network *network, size_t keys, const np_observer *observer,
                      np_sort_result **out)
{
    static uint64_t key[1024];
    np_sort_options options;
    assert_true(keys <= sizeof key / sizeof *key);
    assert_ok(np_keys_make("random", keys, 3, 0, key));
    np_sort_options_init(&options);
    options.algorithm = ops->info.name;
    options.threads = 2;
    options.runs = 2;
    options.observer = observer;
    return np_sort(network, keys, key, &options, out);
}

/* Of all phases together. */
static double steps_of(const char *trace)
{
    double steps = 0;
    for (const char *line = trace; (line = strstr(line, "\"end\", \"steps\": ")); line++)
        steps += strtod(line + strlen("\"end\", \"steps\": "), NULL);
    return steps;
}

static void check_sort(const recorded *f, const np_sorter_ops *ops, const np_sort_result *result)
{
    bool routes = !np_sorter_heeds(ops->info.name, "room");
    oracle_verdict verdict;
    judge(result->network, ops->info.name, f, &verdict);
    for (size_t i = 0; i < result->stages; i++)
        assert_non_null(strstr(f->trace, result->stage[i].name));
    if (routes) /* in steps of leveled networks; the rest is charged */
        return;
    assert_int_equal(verdict.moves, result->hops);
    assert_true(steps_of(f->trace) == result->steps.mean * result->runs);
    assert_true(recorded_total(f->links, -1, "", 6, true) == (double)result->hops);
}

static void observe_sort(const np_sorter_ops *ops, const np_network *network, size_t keys)
{
    np_sort_result *result, *unseen;
    recorded f;
    assert_ok(sort(ops, network, keys, recorded_begin(&f), &result));
    recorded_end(&f);
    check_sort(&f, ops, result);
    /* Nothing changes because somebody looks. */
    assert_ok(sort(ops, network, keys, NULL, &unseen));
    assert_true(result->sorted && unseen->sorted);
    assert_true(unseen->steps.mean == result->steps.mean && unseen->hops == result->hops);
    assert_memory_equal(unseen->order, result->order, keys * sizeof *result->order);
    np_sort_result_free(unseen);
    np_sort_result_free(result);
    recorded_clear(&f);
}

/* One key a place, fewer, and as many as make two a place. Returns whether the sorter sorts there. */
static bool try_sorter(const np_sorter_ops *ops, const char *place, bool observed)
{
    np_network *network = support_network(place);
    const np_observer observer = {.kinds = 0};
    bool applies = !ops->refuses(network);
    np_sort_result *result;
    uint64_t places;
    if (applies && !observed)
        assert_refused(sort(ops, network, 4, &observer, &result), NP_ERROR_APPLY, "does not say which packets move");
    if (applies && observed) {
        assert_ok(np_sort_places(network, ops->info.name, &places));
        for (uint64_t keys = places / 2 + 1; keys < 2 * places; keys += places / 2)
            observe_sort(ops, network, keys);
    }
    np_network_free(network);
    return applies;
}

/* The tests run in the folder tests. */
static char *read_docs(void)
{
    FILE *file = fopen("../docs/outputs.md", "r");
    size_t length = 0;
    char *text = NULL;
    assert_non_null(file);
    assert_true(getdelim(&text, &length, '\0', file) > 0);
    fclose(file);
    return text;
}

/* Those that are not observed are in docs/outputs.md. */
static void every_sorter_has_events(void **state)
{
    char *docs = read_docs();
    const np_sorter_ops *ops;
    (void)state;
    for (size_t i = 0; (ops = np_registry_entry(&np_sorters, i)); i++) {
        bool observed = !np_sorter_heeds(ops->info.name, "trace");
        unsigned done = 0;
        char word[64];
        for (size_t k = 0; k < SORTED; k++)
            done += try_sorter(ops, sorted[k], observed);
        assert_true(done);
        snprintf(word, sizeof word, "`%s`", ops->info.name);
        if (!observed && !strstr(docs, word))
            fail_msg("docs/outputs.md does not say that %s is not observed", word);
    }
    free(docs);
}

/* ---- Machines ---- */

static const char *const machines[] = {"ideal",
                                       "butterfly:3",
                                       "leveled:hypercube:4",
                                       "leveled:mesh:4x4",
                                       "leveled:fat-tree:3",
                                       "leveled:shuffle-exchange:4",
                                       "leveled:butterfly:3",
                                       "leveled:butterfly-io:3",
                                       "two-phase:hypercube:4"};

enum { MACHINES = sizeof machines / sizeof *machines };

static np_status run_program(const char *machine, const char *program, uint32_t allotted, const np_observer *observer,
                             np_program_result **out)
{
    np_program_options input;
    np_pram_options pram;
    np_pram_options_init(&pram);
    np_program_options_init(&input);
    pram.machine = machine;
    pram.observer = observer;
    pram.allotted = allotted;
    pram.hash_coefficients = 4;
    input.n = 16;
    input.steps = strcmp(program, "random-reads") ? 0 : 2; /* other programs have no such size */
    return np_program_run(program, &pram, &input, out);
}

static void observe_program(const char *machine, const char *program, uint32_t allotted)
{
    np_program_result *result, *unseen;
    oracle_verdict verdict;
    recorded f;
    assert_ok(run_program(machine, program, allotted, recorded_begin(&f), &result));
    recorded_end(&f);
    judge(machine, program, &f, &verdict);
    assert_true(result->correct && verdict.moves > 0);
    /* The rest is what modules take, and replies that retrace the way of their requests. */
    assert_true(steps_of(f.trace) > 0 && steps_of(f.trace) < (double)result->report.network_steps);
    assert_true(recorded_total(f.steps, -1, "", 4, true) == (double)verdict.moves);
    assert_int_equal(!strstr(f.trace, "\"moves "), !result->report.rehashes);
    assert_int_equal(!strstr(f.trace, "\"replies "), strncmp(machine, "two-phase", 9) != 0);
    if (!allotted) /* batches of cells combine, too */
        assert_true(recorded_total(f.steps, -1, "", 6, true) == (double)result->report.combined);
    /* Nothing changes because somebody looks. */
    assert_ok(run_program(machine, program, allotted, NULL, &unseen));
    assert_true(unseen->report.network_steps == result->report.network_steps &&
                unseen->report.queue_max == result->report.queue_max);
    np_program_result_free(unseen);
    np_program_result_free(result);
    recorded_clear(&f);
}

/* A machine that is not observed is in docs/outputs.md. */
static void every_machine_has_events(void **state)
{
    const np_observer observer = {.kinds = 0};
    char *docs = read_docs();
    const np_machine_ops *ops;
    (void)state;
    for (size_t i = 0; (ops = np_registry_entry(&np_machines, i)); i++) {
        unsigned done = 0;
        char word[64];
        snprintf(word, sizeof word, "`%s`", ops->info.name);
        for (size_t k = 0; k < MACHINES; k++) {
            np_program_result *result;
            if (strncmp(machines[k], ops->info.name, strcspn(machines[k], ":")) != 0)
                continue;
            done++;
            if (ops->observed) {
                observe_program(machines[k], "random-reads", 0);
                observe_program(machines[k], "maximum", 0);
                observe_program(machines[k], "random-reads", 1);
            } else {
                assert_refused(run_program(machines[k], "maximum", 0, &observer, &result), NP_ERROR_APPLY,
                               "does not say which packets move");
                assert_non_null(strstr(docs, word));
            }
        }
        assert_true(done);
    }
    free(docs);
}

/* ---- Cancelling ---- */

static const char *const observed_sorters[] = {"shearsort", "odd-even-transposition", "columnsort"};

enum { OBSERVED = sizeof observed_sorters / sizeof *observed_sorters };

static const np_sorter_ops *sorter(const char *name)
{
    const np_sorter_ops *ops;
    assert_ok(np_sorter_find(name, &ops));
    return ops;
}

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
    for (size_t i = 0; i < OBSERVED; i++) {
        np_sort_result *result;
        assert_refused(sort(sorter(observed_sorters[i]), network, 16, &observer, &result), NP_ERROR_CANCELLED,
                       "cancelled");
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
    for (size_t i = 0; i < OBSERVED; i++) {
        np_sort_result *result = NULL;
        for (long n = 1; !result; n++) {
            np_memory_fail_after(n);
            np_status st = sort(sorter(observed_sorters[i]), network, 9, &observer, &result);
            np_memory_fail_after(0);
            assert_int_equal(st, result ? NP_OK : NP_ERROR_MEMORY);
            assert_true(n < 1000);
        }
        np_sort_result_free(result);
    }
    np_network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_algorithm_has_events), cmocka_unit_test(every_sorter_has_events),
        cmocka_unit_test(every_machine_has_events),   cmocka_unit_test(observers_can_cancel),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
