/* Embeddings by their maps, from arrays and files; their figures; and runs of the guest. */
#include "support.h"

#include "base/memory.h"
#include "papers/embed/embedding.h"
#include "oracle/embedding.h"

static np_network *guest, *host;

static void open_networks(const char *guest_spec, const char *host_spec)
{
    guest = support_network(guest_spec);
    host = support_network(host_spec);
}

static void close_networks(np_embedding *embedding)
{
    np_embedding_free(embedding);
    np_network_free(guest);
    np_network_free(host);
}

/* Any map is judged alike by library and oracle, load above 1 included. */
static void figures_are_the_oracles(void **state)
{
    static const char *const cases[][2] = {
        {"torus:4x3", "mesh:3x4"},     {"ring:9", "hypercube:2"},  {"complete:6", "array:4"},
        {"mesh:3x3", "ccc:3"},         {"shuffle:2x3", "torus:5"}, {"shuffle-exchange:3", "mesh:9"},
        {"hypercube:3", "complete:5"}, {"ccc:3", "butterfly:3"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        open_networks(cases[i][0], cases[i][1]);
        np_node n = np_network_nodes(guest), map[64];
        np_embedding *embedding;
        np_embedding_facts facts;
        for (np_node u = 0; u < n; u++)
            map[u] = (u * u * 7 + 3 * u) % np_network_nodes(host);
        assert_ok(np_embedding_from_map(guest, host, map, false, 0, &embedding));
        assert_memory_equal(np_embedding_map(embedding), map, n * sizeof *map);
        assert_ok(np_embedding_audit(embedding));
        assert_ok(np_embedding_measure(embedding, &facts));
        oracle_embedding judged = oracle_embedding_judge(embedding);
        assert_true(judged.connects);
        assert_int_equal(facts.load, judged.load);
        assert_int_equal(facts.dilation, judged.dilation);
        assert_int_equal(facts.congestion, judged.congestion);
        assert_true(facts.expansion == (double)np_network_nodes(host) / n);
        assert_true(facts.agrees && !facts.stated.load);
        assert_int_equal(facts.guest_links, np_network_links(guest));
        close_networks(embedding);
    }
}

/* A directed 3-cycle 0 > 1 > 2 > 0 in the array 0-1-2: right over both links, and back over both. */
static void congestion_is_of_directed_links(void **state)
{
    const np_node from[] = {0, 1, 2}, to[] = {1, 2, 0}, map[] = {0, 1, 2};
    np_embedding *embedding;
    np_embedding_facts facts;
    (void)state;
    assert_ok(np_network_from_links(3, 3, from, to, &guest));
    host = support_network("array:3");
    assert_ok(np_embedding_from_map(guest, host, map, true, 0, &embedding));
    assert_ok(np_embedding_measure(embedding, &facts));
    assert_int_equal(facts.congestion, 1);
    assert_int_equal(facts.congestion_both, 2);
    assert_int_equal(facts.dilation, 2);
    assert_int_equal(facts.hops, 4);
    assert_true(facts.reverses); /* no link has an opposite */
    close_networks(embedding);
}

/* By dimension order: from corner to corner of a square the way back is another. */
static void paths_back_may_differ(void **state)
{
    const np_node map[] = {0, 3};
    np_embedding *embedding;
    np_embedding_facts facts;
    (void)state;
    open_networks("array:2", "mesh:2x2");
    assert_ok(np_embedding_from_map(guest, host, map, true, 0, &embedding));
    assert_ok(np_embedding_measure(embedding, &facts));
    assert_false(facts.reverses);
    assert_int_equal(facts.congestion_both, 1);
    close_networks(embedding);
}

static void maps_that_are_none_are_refused(void **state)
{
    const np_node outside[] = {0, 1, 4}, twice[] = {2, 1, 2};
    np_embedding *embedding;
    (void)state;
    open_networks("array:3", "mesh:2x2");
    assert_refused(np_embedding_from_map(guest, host, outside, false, 0, &embedding), NP_ERROR_INPUT,
                   "guest node 2 is put at 4: the nodes of mesh:2x2 are 0..3");
    assert_null(embedding);
    assert_refused(np_embedding_from_map(guest, host, twice, true, 0, &embedding), NP_ERROR_INPUT,
                   "guest nodes 0 and 2 are both at host node 2");
    assert_null(embedding);
    assert_ok(np_embedding_from_map(guest, host, twice, false, 0, &embedding));
    close_networks(embedding);
}

/* Paths are needed between nodes that are no terminals, or not connected. */
static void hosts_without_a_path_are_refused(void **state)
{
    const np_node from[] = {0, 1}, to[] = {1, 0}, map[] = {0, 2};
    np_embedding *embedding;
    (void)state;
    guest = support_network("array:2");
    assert_ok(np_network_from_links(3, 2, from, to, &host));
    assert_refused(np_embedding_from_map(guest, host, map, true, 0, &embedding), NP_ERROR_APPLY,
                   "there is no way from");
    assert_null(embedding);
    close_networks(NULL);
    open_networks("array:2", "butterfly-io:2");
    assert_refused(np_embedding_from_map(guest, host, map, true, 0, &embedding), NP_ERROR_APPLY,
                   "paths go from inputs to outputs");
    assert_null(embedding);
    close_networks(NULL);
}

static void files_are_read(void **state)
{
    static const char text[] = "# a map\n2 0\r\n\n1 3 # comment\n0 1\n";
    const np_node want[] = {1, 3, 0};
    np_embedding *embedding, *again;
    (void)state;
    open_networks("array:3", "mesh:2x2");
    char *path = support_file(text);
    assert_ok(np_embedding_read(path, guest, host, true, 0, &embedding));
    assert_memory_equal(np_embedding_map(embedding), want, sizeof want);
    assert_ok(np_embedding_write(embedding, path));
    assert_ok(np_embedding_read(path, guest, host, true, 0, &again));
    assert_memory_equal(np_embedding_map(again), want, sizeof want);
    np_embedding_free(again);
    remove(path);
    free(path);
    close_networks(embedding);
}

static void files_that_hold_no_map_are_refused_with_the_line(void **state)
{
    static const char *const cases[][2] = {
        {"0 0\n1 1\n2\n", "m:3: "},
        {"0 0\n1 1 1\n", "m:2: "},
        {"0 0\n1 4\n", "m:2: host node"},
        {"3 0\n", "m:1: guest node"},
        {"0 0\n\n1 -1\n", "m:3: host node"},
        {"0 0\n1 x\n", "m:2: host node"},
        {"0 0\n1 1\n0 2\n2 2\n", "m:3: guest node 0 is placed a second time, after line 1"},
        {"0 0\n2 2\n", "m:2: the map ends without guest node 1 (1 of the 3 nodes of array:3 are missing)"},
        {"# nothing\n", "the map ends without guest node 0 (3 of"},
        {"", "the map ends without guest node 0"},
        {"0 0\n1 1\n2 1\n", "m:3: host node 1 is taken by guest node 1: the map is to be injective"},
    };
    np_node map[3];
    (void)state;
    open_networks("array:3", "mesh:2x2");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_refused(np_map_parse("m", cases[i][0], strlen(cases[i][0]), guest, host, true, map), NP_ERROR_INPUT,
                       cases[i][1]);
    size_t last = sizeof cases / sizeof *cases - 1;
    assert_ok(np_map_parse("m", cases[last][0], strlen(cases[last][0]), guest, host, false, map));
    close_networks(NULL);
}

/* The audits find what is wrong. */
static void audits_see_what_is_broken(void **state)
{
    np_embedding *embedding;
    np_embedding_run_options options;
    np_embedding_run_result *run;
    (void)state;
    open_networks("torus:4x4", "mesh:4x4");
    assert_ok(np_embedding_create(NULL, guest, host, 0, &embedding));
    np_embedding_run_options_init(&options);
    assert_ok(np_embedding_run(embedding, &options, &run));
    np_step *crossing = malloc(run->crossings * sizeof *crossing);
    for (size_t i = 0; i < run->crossings; i++) {
        memcpy(crossing, run->crossing, run->crossings * sizeof *crossing);
        crossing[i] = 3 - crossing[i]; /* every link is busy in both steps: the other one is taken */
        assert_int_not_equal(np_embedding_schedule_audit(embedding, crossing, 2), NP_OK);
    }
    assert_refused(np_embedding_schedule_audit(embedding, run->crossing, 1), NP_ERROR_INTERNAL, "within 1 steps");
    for (uint32_t i = 0; i < run->crossings; i++) {
        np_link right = embedding->link[i];
        embedding->link[i] = (right + 1) % np_network_link_numbers(host);
        assert_int_not_equal(np_embedding_audit(embedding), NP_OK);
        embedding->link[i] = right;
    }
    np_node right = embedding->map[5];
    embedding->map[5] = 16;
    assert_refused(np_embedding_audit(embedding), NP_ERROR_INTERNAL, "guest node 5 is at 16");
    embedding->map[5] = embedding->map[6];
    assert_refused(np_embedding_audit(embedding), NP_ERROR_INTERNAL, "path");
    embedding->map[5] = right;
    assert_ok(np_embedding_audit(embedding));
    free(crossing);
    np_embedding_run_result_free(run);
    close_networks(embedding);
}

/*
 * Dilation 2 and congestion 2 alone do not make it two steps: with node 0 of the guest in the middle of the array
 * 0-1-2-3-4, the paths to both guests on the right begin with one link.
 */
static void two_and_two_may_take_three_steps(void **state)
{
    const np_node from[] = {0, 0}, to[] = {1, 2}, map[] = {2, 4, 4};
    np_embedding *embedding;
    np_embedding_facts facts;
    np_embedding_run_options options;
    np_embedding_run_result *run;
    (void)state;
    assert_ok(np_network_from_links(3, 2, from, to, &guest));
    host = support_network("array:5");
    assert_ok(np_embedding_from_map(guest, host, map, false, 0, &embedding));
    assert_ok(np_embedding_measure(embedding, &facts));
    assert_int_equal(facts.dilation, 2);
    assert_int_equal(facts.congestion, 2);
    np_embedding_run_options_init(&options);
    assert_ok(np_embedding_run(embedding, &options, &run));
    assert_int_equal(run->least, 2);
    assert_int_equal(run->scheduled, 3);
    assert_int_equal(run->tries, options.tries);
    np_embedding_run_result_free(run);
    close_networks(embedding);
}

/* All at one node: no paths, no steps. */
static void a_guest_at_one_node_takes_no_steps(void **state)
{
    const np_node map[3] = {0};
    np_embedding *embedding;
    np_embedding_run_options options;
    np_embedding_run_result *run;
    (void)state;
    open_networks("ring:3", "array:2");
    assert_ok(np_embedding_from_map(guest, host, map, false, 0, &embedding));
    np_embedding_run_options_init(&options);
    assert_ok(np_embedding_run(embedding, &options, &run));
    assert_int_equal(run->least, 0);
    assert_int_equal(run->scheduled, 0);
    assert_int_equal(run->queued_total, 0);
    np_embedding_run_result_free(run);
    options.steps = 0;
    assert_refused(np_embedding_run(embedding, &options, &run), NP_ERROR_INPUT, "steps 0");
    close_networks(embedding);
}

static int stop_at_2(void *context, const np_progress *progress)
{
    (void)context;
    return progress->done == 2;
}

static void runs_repeat_and_can_be_cancelled(void **state)
{
    np_embedding *embedding;
    np_embedding_run_options options;
    np_embedding_run_result *run, *again;
    (void)state;
    open_networks("hypercube:5", "array:32");
    assert_ok(np_embedding_create(NULL, guest, host, 0, &embedding));
    np_embedding_run_options_init(&options);
    options.steps = 5;
    assert_ok(np_embedding_run(embedding, &options, &run));
    assert_ok(np_embedding_run(embedding, &options, &again));
    assert_int_equal(run->queued_total, again->queued_total);
    assert_memory_equal(run->crossing, again->crossing, run->crossings * sizeof *run->crossing);
    assert_true(run->queued.mean == (double)run->queued_total / 5);
    assert_true(run->queued.max <= run->queued_total && run->scheduled_total == 5 * run->scheduled);
    np_embedding_run_result_free(run);
    np_embedding_run_result_free(again);
    options.watch.tell = stop_at_2;
    assert_refused(np_embedding_run(embedding, &options, &run), NP_ERROR_CANCELLED, "cancelled after 2 steps");
    assert_null(run);
    close_networks(embedding);
}

/* Everything from the networks to the result of a run, with each allocation failing in turn. */
static np_status everything(long n)
{
    np_embedding *embedding = NULL;
    np_embedding_facts facts;
    np_embedding_run_options options;
    np_embedding_run_result *run = NULL;
    np_embedding_run_options_init(&options);
    np_memory_fail_after(n);
    np_status st = np_embedding_create(NULL, guest, host, 0, &embedding);
    if (!st)
        st = np_embedding_measure(embedding, &facts);
    if (!st)
        st = np_embedding_run(embedding, &options, &run);
    if (!st)
        st = np_embedding_schedule_audit(embedding, run->crossing, run->scheduled);
    np_memory_fail_after(0);
    np_embedding_run_result_free(run);
    np_embedding_free(embedding);
    return st;
}

static void lack_of_memory_is_survived(void **state)
{
    static const char *const cases[][2] = {
        {"torus:3x4", "mesh:3x4"}, {"ring:9", "torus:3x3"}, {"ring:5", "hypercube:3"}};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        long n = 1;
        open_networks(cases[i][0], cases[i][1]);
        for (np_status st; (st = everything(n)) != NP_OK; n++)
            assert_int_equal(st, NP_ERROR_MEMORY);
        assert_true(n > 10);
        close_networks(NULL);
    }
}

static void files_survive_lack_of_memory(void **state)
{
    np_embedding *embedding;
    np_status st = NP_ERROR_MEMORY;
    (void)state;
    open_networks("array:2", "array:2");
    char *path = support_file("0 0\n1 1\n");
    for (long n = 1; st; n++) {
        np_memory_fail_after(n);
        st = np_embedding_read(path, guest, host, true, 0, &embedding);
        np_memory_fail_after(0);
        assert_true(st ? st == NP_ERROR_MEMORY && !embedding : n > 5);
    }
    remove(path);
    free(path);
    close_networks(embedding);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_are_the_oracles),
        cmocka_unit_test(congestion_is_of_directed_links),
        cmocka_unit_test(paths_back_may_differ),
        cmocka_unit_test(maps_that_are_none_are_refused),
        cmocka_unit_test(hosts_without_a_path_are_refused),
        cmocka_unit_test(files_are_read),
        cmocka_unit_test(files_that_hold_no_map_are_refused_with_the_line),
        cmocka_unit_test(audits_see_what_is_broken),
        cmocka_unit_test(two_and_two_may_take_three_steps),
        cmocka_unit_test(a_guest_at_one_node_takes_no_steps),
        cmocka_unit_test(runs_repeat_and_can_be_cancelled),
        cmocka_unit_test(lack_of_memory_is_survived),
        cmocka_unit_test(files_survive_lack_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
