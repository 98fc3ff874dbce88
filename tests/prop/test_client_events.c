/*
 * Events beside those of routing, sorting and PRAMs: collective operations, schedules, embeddings and universal
 * networks. The traces of every algorithm and embedding of the lists are judged by the model alone
 * (oracle/trace_judge.h), and the tables say what the result says.
 */
#include "support.h"

#include <unistd.h>

#include "base/memory.h"
#include "oracle/recorded.h"
#include "work/collective/collective.h"

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
    recorded_judge(result->network, ops->info.name, f, &verdict);
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
        if (np_collective_of_ranks(ops->kind) || strstr(ops->info.networks, "among ranks")) {
            assert_false(try_algorithm(ops, "complete:8", 0)); /* ranks are no nodes, and have no events */
            continue;
        }
        for (size_t k = 0; k < (ops->searches ? 2 : PLACES); k++) /* a search takes long */
            if (!done || support_takes(i, k, 1))
                done += try_algorithm(ops, spots[k], ops->flits_unit ? 2 * ops->flits_unit : ops->flits ? 3 : 0);
        if (!done)
            fail_msg("'%s' of %s was not observed anywhere", ops->info.name, ops->info.operation);
    }
}

/* ---- Schedules ---- */

static void check_schedule(const recorded *f, const np_offline *offline)
{
    oracle_verdict verdict;
    recorded_judge(offline->network, offline->traffic, f, &verdict);
    assert_int_equal(verdict.moves, offline->hops);
    assert_int_equal(verdict.landings, offline->packets);
    assert_true(recorded_steps(f->trace) == (double)offline->steps);
    assert_true(recorded_total(f->links, -1, "", 6, false) == (double)offline->congestion);
    /* packets: delay; nodes: phase,name,of,node,injected,landed,in,out,waited,population_max,population_step */
    assert_true(recorded_total(f->packets, -1, "", 7, false) == (double)offline->delay_max);
    assert_true(recorded_total(f->nodes, -1, "", 9, false) == (double)offline->population_max);
}

/* A schedule is told when it is found, and alike when it is read from its file. */
static void schedules_have_events(void **state)
{
    static const char *const places[][2] = {{"mesh:4x4", "random"},
                                            {"torus:3x4x2", "random"},
                                            {"hypercube:5", "complement"},
                                            {"array:7", "identity"},
                                            {"ring:8", "random"},
                                            {"complete:6", "h-relation:3"},
                                            {"product:complete:3,ring:4", "random"}};
    (void)state;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        for (int straight = 0; straight < 2 - (strstr(places[i][0], "complete") != NULL); straight++) {
            np_network *network = support_network(places[i][0]);
            char *file = support_file("");
            np_offline_options options;
            np_offline *found, *loaded;
            recorded f, g;
            np_offline_options_init(&options);
            options.rule = straight ? "straight" : NULL;
            options.observer = recorded_begin(&f);
            assert_ok(np_offline_find(network, places[i][1], &options, &found));
            recorded_end(&f);
            check_schedule(&f, found);
            assert_ok(np_offline_save(found, file));
            options.rule = NULL;
            options.observer = recorded_begin(&g);
            options.file = file;
            assert_ok(np_offline_find(network, places[i][1], &options, &loaded));
            recorded_end(&g);
            check_schedule(&g, loaded);
            assert_string_equal(f.trace, g.trace);
            np_offline_free(found);
            np_offline_free(loaded);
            recorded_clear(&f);
            recorded_clear(&g);
            unlink(file);
            free(file);
            np_network_free(network);
        }
}

/* ---- Embeddings ---- */

/* Of all runs of a phase together. steps: run,phase,name,step,moved,... */
static double steps_in(const recorded *f, const char *name)
{
    double steps = 0;
    for (const char *line = recorded_next_line(f->steps); *line; line = recorded_next_line(line)) {
        const char *of = recorded_column(line, 2);
        steps +=
            !strncmp(of, name, strlen(name)) && of[strlen(name)] == ',' && strncmp(recorded_column(line, 3), "0,", 2);
    }
    return steps;
}

static double moved_in(const recorded *f, const char *name) { return recorded_total(f->steps, 2, name, 4, true); }

static void embed_with(const np_embedding *embedding, const np_observer *observer, np_embedding_run_result **run,
                       np_embedding_guest_result *guest)
{
    np_embedding_run_options options;
    np_embedding_guest_options traffic;
    np_embedding_run_options_init(&options);
    np_embedding_guest_options_init(&traffic);
    options.steps = 3;
    options.observer = traffic.observer = observer;
    traffic.scheme = "greedy";
    assert_ok(np_embedding_run(embedding, &options, run));
    assert_ok(np_embedding_run_guest(embedding, *run, &traffic, guest));
}

static void check_embedding(const np_embedding *embedding, const char *name)
{
    np_embedding_run_result *run, *unseen;
    np_embedding_guest_result guest, same;
    np_embedding_facts facts;
    oracle_verdict verdict;
    recorded f;
    embed_with(embedding, recorded_begin(&f), &run, &guest);
    recorded_end(&f);
    recorded_judge(name, np_network_spec(np_embedding_guest(embedding)), &f, &verdict);
    assert_ok(np_embedding_measure(embedding, &facts));
    assert_int_equal(verdict.phases, 3 + 1 + 2 * guest.busy_steps);
    assert_true(moved_in(&f, "queues") == 3.0 * (double)facts.hops);
    assert_true(moved_in(&f, "schedule") == (double)facts.hops);
    assert_true(moved_in(&f, "traffic queues") == moved_in(&f, "traffic schedule"));
    assert_true(steps_in(&f, "queues") == (double)run->queued_total);
    assert_true(steps_in(&f, "schedule") == run->scheduled);
    assert_true(steps_in(&f, "traffic queues") == (double)guest.queued_total);
    assert_true(steps_in(&f, "traffic schedule") == (double)guest.scheduled_total);
    /* Nothing changes because somebody looks. */
    embed_with(embedding, NULL, &unseen, &same);
    assert_memory_equal(unseen->crossing, run->crossing, run->crossings * sizeof *run->crossing);
    assert_true(unseen->queued_total == run->queued_total && same.queued_total == guest.queued_total);
    np_embedding_run_result_free(run);
    np_embedding_run_result_free(unseen);
    recorded_clear(&f);
}

static void every_embedding_has_events(void **state)
{
    static const char *const pairs[][2] = {
        {"torus:4x4", "mesh:4x4"},      {"array:12", "mesh:3x4"},    {"ring:12", "mesh:3x4"},
        {"ring:9", "mesh:3x3"},         {"ring:9", "torus:3x3"},     {"ring:6", "mesh:3x3"},
        {"ring:7", "mesh:3x3"},         {"ring:7", "hypercube:3"},   {"binomial-tree:3", "hypercube:3"},
        {"tree:2x2", "hypercube:3"},    {"ccc:3", "hypercube:5"},    {"butterfly:3", "hypercube:5"},
        {"butterfly:4", "hypercube:6"}, {"hypercube:4", "mesh:4x4"}, {"mesh:2x3", "mesh:3x4"},
        {"hypercube:3", "hypercube:4"}, {"tree:2x3", "mesh:7x7"},    {"tree:2x3", "mesh:4x4"}};
    const np_entry *entry;
    (void)state;
    for (size_t i = 0; (entry = np_list_get(NP_LIST_EMBEDDINGS, i)); i++) {
        unsigned done = 0;
        for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
            np_network *guest = support_network(pairs[k][0]), *host = support_network(pairs[k][1]);
            np_embedding *embedding;
            if (!np_embedding_create(entry->name, guest, host, 0, &embedding)) {
                check_embedding(embedding, entry->name);
                np_embedding_free(embedding);
                done++;
            }
            np_network_free(guest);
            np_network_free(host);
        }
        if (!done)
            fail_msg("no pair of the list is embedded by '%s'", entry->name);
    }
}

/* ---- Universal networks ---- */

static np_status simulate(const np_network *guest, const char *buses, np_universal_options *options,
                          np_universal_result **out)
{
    return guest ? np_universal_simulate(guest, options, out) : np_universal_simulate_buses(buses, options, out);
}

static void check_ends(const np_network *guest, const np_universal_result *result, const np_node *at, const bool *seen)
{
    for (np_link l = 0; l < np_network_link_numbers(guest); l++)
        if (seen[l] && at[l] != result->place[np_network_link_head(guest, l)])
            fail_msg("universal, %s: the packet of link %u ends at processor %u", np_network_spec(guest), l, at[l]);
}

/*
 * From stage to stage and step to step: each packet goes from the processor of its link's tail to the one of its head.
 */
static void follow_links(const np_network *guest, const np_universal_result *result, const char *table)
{
    np_link links = np_network_link_numbers(guest);
    np_node *at = calloc(links, sizeof *at), mesh = (np_node)result->processors;
    bool *seen = calloc(links, sizeof *seen);
    unsigned long run = 0;
    for (uint32_t i = 0; i < result->height; i++)
        mesh /= result->volume ? 8 : 4; /* of a leaf */
    for (const char *line = recorded_next_line(table); *line; line = recorded_next_line(line)) {
        np_link l = (np_link)strtoul(recorded_column(line, 3), NULL, 10);
        np_node unit = *recorded_column(line, 1) == '1' ? mesh : 1; /* leaf i of the fat-tree is behind node i mesh */
        if (strtoul(line, NULL, 10) != run) {
            check_ends(guest, result, at, seen);
            memset(seen, 0, links * sizeof *seen);
            run = strtoul(line, NULL, 10);
        }
        at[l] = seen[l] ? at[l] : result->place[np_network_link_tail(guest, l)];
        seen[l] = true;
        if (strtoul(recorded_column(line, 4), NULL, 10) * unit != at[l])
            fail_msg("universal, %s: the packet of link %u goes on from elsewhere than %u", np_network_spec(guest), l,
                     at[l]);
        at[l] = (np_node)strtoul(recorded_column(line, 5), NULL, 10) * unit;
    }
    check_ends(guest, result, at, seen);
    free(at);
    free(seen);
}

/* charged: what is not routed takes steps, too. */
static void observe_universal(const np_network *guest, const char *buses, np_universal_options options, bool charged)
{
    const char *what = guest ? np_network_spec(guest) : "buses";
    np_universal_result *result, *unseen;
    oracle_verdict verdict;
    double steps = 0;
    recorded f;
    options.observer = recorded_begin(&f);
    assert_ok(simulate(guest, buses, &options, &result));
    recorded_end(&f);
    recorded_judge("universal", what, &f, &verdict);
    for (size_t i = 0; i < result->rows; i++) /* the meshes are routed once for all runs */
        steps += result->step[i].route + (result->step[i].run ? 0 : result->step[i].gather + result->step[i].scatter);
    assert_true(verdict.moves > 0);
    if (charged)
        assert_true(recorded_steps(f.trace) * 2 == steps);
    else
        assert_true(recorded_steps(f.trace) == steps);
    /* A step of a run is a run of the table; in the last step maybe only the meshes move packets, once for all runs. */
    assert_in_range(recorded_total(f.steps, -1, "", 0, false), result->rows - options.runs, result->rows - 1);
    assert_true(recorded_total(f.steps, -1, "", 6, true) == (double)(charged ? result->combined : 0));
    if (guest && options.runs == 1)
        follow_links(guest, result, f.packets);
    options.observer = NULL;
    assert_ok(simulate(guest, buses, &options, &unseen));
    assert_int_equal(unseen->rows, result->rows);
    assert_memory_equal(unseen->step, result->step, result->rows * sizeof *result->step);
    np_universal_result_free(unseen);
    np_universal_result_free(result);
    recorded_clear(&f);
}

static void universal_networks_have_events(void **state)
{
    static const char *const guests[] = {"mesh:8x8", "torus:5x5", "array:20", "mesh:3x3x3"};
    char *buses = support_file("a: 0 1 2 9\nb: 3 4 5 6 7 8\nc: 0 3 10 11 12 13 14 15\n");
    np_universal_options options;
    (void)state;
    np_universal_options_init(&options);
    for (size_t i = 0; i < sizeof guests / sizeof *guests; i++) {
        np_network *guest = support_network(guests[i]);
        options.volume = i == 3;
        for (int way = 0; way < 5; way++) {
            if (!support_takes(i, (size_t)way, 1))
                continue;
            options.runs = way == 1 || way == 4 ? 3 : 1;
            options.offline = way == 2;
            options.traffic = way >= 3 ? "random" : NULL;
            observe_universal(guest, NULL, options, false);
        }
        np_network_free(guest);
    }
    np_universal_options_init(&options);
    options.partition = true;
    observe_universal(NULL, buses, options, true);
    unlink(buses);
    free(buses);
}

/* ---- Failures ---- */

static np_status collect(const char *what, const np_network *network, const np_observer *observer)
{
    np_collective_options options;
    np_collective_result *result;
    np_collective_options_init(&options);
    options.observer = observer;
    np_status st = np_collective(network, what, &options, &result);
    assert_int_equal(!result, st != NP_OK);
    np_collective_result_free(result);
    return st;
}

static np_status schedule(const char *what, const np_network *network, const np_observer *observer)
{
    np_offline_options options;
    np_offline *offline;
    np_offline_options_init(&options);
    options.observer = observer;
    np_status st = np_offline_find(network, what, &options, &offline);
    np_offline_free(offline);
    return st;
}

/* On itself, in another order. */
static np_status embed(const char *what, const np_network *network, const np_observer *observer)
{
    np_embedding_run_options options;
    np_embedding_guest_options traffic;
    np_embedding_guest_result guest;
    np_embedding_run_result *run = NULL;
    np_embedding *embedding;
    np_embedding_run_options_init(&options);
    np_embedding_guest_options_init(&traffic);
    options.observer = traffic.observer = observer;
    np_status st = np_embedding_by_indexing(what, network, network, 0, &embedding);
    if (!st && !(st = np_embedding_run(embedding, &options, &run)))
        st = np_embedding_run_guest(embedding, run, &traffic, &guest);
    np_embedding_run_result_free(run);
    np_embedding_free(embedding);
    return st;
}

static np_status simulate_links(const char *what, const np_network *network, const np_observer *observer)
{
    np_universal_options options;
    np_universal_result *result;
    (void)what;
    np_universal_options_init(&options);
    options.observer = observer;
    np_status st = np_universal_simulate(network, &options, &result);
    np_universal_result_free(result);
    return st;
}

static const struct {
    np_status (*run)(const char *what, const np_network *network, const np_observer *observer);
    const char *what;
} clients[] = {{collect, "all-to-all"},  {collect, "gossip"},  {collect, "reduce"},   {collect, "k-k"},
               {collect, "permutation"}, {schedule, "random"}, {embed, "snake-like"}, {simulate_links, NULL}};

enum { CLIENTS = sizeof clients / sizeof *clients };

static int refuse(void *context, size_t count, const np_event *event)
{
    (void)context, (void)count, (void)event;
    return 1;
}

static void observers_can_cancel(void **state)
{
    const np_observer observer = {.events = refuse};
    np_network *network = support_network("mesh:4x4");
    (void)state;
    for (size_t i = 0; i < CLIENTS; i++)
        assert_refused(clients[i].run(clients[i].what, network, &observer), NP_ERROR_CANCELLED, "cancelled");
    np_network_free(network);
}

static void every_allocation_may_fail(void **state)
{
    const np_observer observer = {.kinds = 0};
    np_network *network = support_network("mesh:3x3");
    (void)state;
    for (size_t i = 0; i < CLIENTS; i++) {
        np_status st = NP_ERROR_MEMORY;
        for (long n = 1; st; n = support_next_failure(n)) {
            np_memory_fail_after(n);
            st = clients[i].run(clients[i].what, network, &observer);
            np_memory_fail_after(0);
            assert_true(!st || st == NP_ERROR_MEMORY);
            assert_true(n < 1000);
        }
    }
    np_network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_algorithm_has_events), cmocka_unit_test(schedules_have_events),
        cmocka_unit_test(every_embedding_has_events), cmocka_unit_test(universal_networks_have_events),
        cmocka_unit_test(observers_can_cancel),       cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
