/* Off-line ranks of a routing: found, stored, loaded, and what np_route does with them. */
#include "base/memory.h"
#include "support.h"

#define HEAD "# network butterfly-io:2\n# seed 1\n" /* two lines */

static np_ranking_options options;

static np_ranking *found(const char *spec, const char *traffic)
{
    np_network *network = support_network(spec);
    np_ranking *ranking;
    assert_ok(np_ranking_find(network, traffic, &options, &ranking));
    np_network_free(network);
    return ranking;
}

/* Steps of run 0, over the phases whose ranks are free, and over all. */
static np_step routed(const np_ranking *ranking, np_merge_options merge, np_step *all)
{
    np_network *network = support_network(ranking->network);
    np_route_options route;
    np_route_result *result;
    np_step steps = *all = 0;
    np_route_options_init(&route);
    route.scheme = "ranked";
    route.seed = ranking->seed;
    route.paths = options.paths;
    route.merge = merge;
    route.merge.queue_size = ranking->queue_size;
    assert_ok(np_route(network, ranking->traffic, &route, &result));
    assert_int_equal(result->phases, ranking->phases);
    for (size_t i = 0; i < result->phases; i++) {
        assert_int_equal(result->phase[i].fixed_ranks, ranking->phase[i].own_ranks);
        assert_string_equal(result->phase[i].name, ranking->phase[i].name);
        *all += result->phase[i].run[0].steps;
        steps += ranking->phase[i].own_ranks ? 0 : result->phase[i].run[0].steps;
    }
    np_route_result_free(result);
    np_network_free(network);
    return steps;
}

/* With the options, but from the file. */
static np_status load(const np_network *network, const char *traffic, const char *path, np_ranking **out)
{
    np_ranking_options from_file = options;
    from_file.file = path;
    return np_ranking_find(network, traffic, &from_file, out);
}

static void round_trip_by(const char *spec, const char *paths, const char *traffic, uint32_t q)
{
    np_merge_options merge;
    np_ranking *loaded;
    np_step all, measured = 0;
    np_ranking_options_init(&options);
    options.merge.queue_size = q;
    options.seed = 3;
    options.paths = paths;
    np_ranking *ranking = found(spec, traffic);
    assert_true(ranking->steps <= ranking->bound && ranking->bound <= ranking->promised && ranking->kept);
    assert_int_equal(ranking->random.count, 20);
    assert_true(ranking->steps <= ranking->random.max);
    assert_null(ranking->file);

    char *path = support_file("");
    np_network *network = support_network(spec);
    assert_ok(np_ranking_save(ranking, path));
    assert_ok(load(network, traffic, path, &loaded));
    assert_memory_equal(loaded->rank, ranking->rank, ranking->packets * sizeof *ranking->rank);
    assert_int_equal(loaded->bound, ranking->bound);
    assert_int_equal(loaded->promised, ranking->bound);
    assert_int_equal(loaded->steps, ranking->steps);
    assert_string_equal(loaded->file, path);
    assert_true(loaded->kept && loaded->range <= ranking->range);

    np_merge_options_init(&merge);
    char word[64];
    snprintf(word, sizeof word, "file:%s", path);
    assert_ok(np_fields_set(&np_merge_options_fields, &merge, "ranks", word));
    assert_int_equal(routed(ranking, merge, &all), ranking->steps);
    for (size_t i = 0; i < ranking->phases; i++)
        measured += ranking->phase[i].steps;
    assert_int_equal(all, measured);
    assert_true(all == ranking->steps || ranking->bound < all); /* phases with ranks of their own do not count */
    merge.rank_file = NULL;                                     /* the same ranks from memory */
    merge.rank = ranking->rank;
    merge.rank_packets = ranking->packets;
    assert_int_equal(routed(ranking, merge, &all), ranking->steps);

    remove(path);
    free(path);
    np_network_free(network);
    np_ranking_free(loaded);
    np_ranking_free(ranking);
}

static void round_trip_of(const char *spec, const char *traffic, uint32_t q) { round_trip_by(spec, NULL, traffic, q); }

static void round_trip(void **state)
{
    (void)state;
    round_trip_of("butterfly-io:4", "random", 2);
    round_trip_of("butterfly-io:3", "random-function:3", 1);
    round_trip_of("shuffle-exchange:4", "random", 2); /* phases with ranks of their own around one without */
    round_trip_of("mesh:4x4", "transpose", 1);        /* four phases */
    round_trip_of("ring:4", "identity", 2);           /* nothing moves */
}

/* Unrolled by hops, and leveled as it is: the same ranks serve np_route, on the same paths. */
static void round_trip_on_any_network(void **state)
{
    (void)state;
    round_trip_of("star:4", "random", 2);
    round_trip_of("complete:6", "h-relation:2", 1);
    round_trip_by("mesh:4x4", "shortest", "random", 2);
    round_trip_by("mesh:3x3", "k-shortest:3", "h-relation:2", 1);
    round_trip_by("butterfly-io:3", "greedy", "random-function:3", 2);
}

/* The paths are the rule's: their lengths and congestion are those that np_route has. */
static void paths_are_those_of_route(void **state)
{
    static const char *const rules[] = {"shortest", "k-shortest:4", "balanced"};
    np_network *network = support_network("torus:4x4");
    (void)state;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        np_route_options route;
        np_route_result *result;
        np_ranking_options_init(&options);
        options.paths = rules[i];
        options.rounds = options.contrast = 0;
        np_ranking *ranking = found("torus:4x4", "h-relation:2");
        np_route_options_init(&route);
        route.scheme = "ranked";
        route.paths = rules[i];
        assert_ok(np_route(network, "h-relation:2", &route, &result));
        assert_string_equal(ranking->paths, result->paths);
        assert_string_equal(ranking->phase[0].name, "route");
        assert_int_equal(ranking->phase[0].levels, result->phase[0].run[0].levels);
        assert_int_equal(ranking->phase[0].congestion, result->phase[0].run[0].congestion);
        np_route_result_free(result);
        np_ranking_free(ranking);
    }
    np_network_free(network);
}

/* What the paths take is refused before it is taken, and no more is taken than is allowed. */
static void unrolled_within_the_limit(void **state)
{
    uint32_t refused = 0, made = 0;
    np_network *network = support_network("ring:16");
    (void)state;
    np_ranking_options_init(&options);
    options.paths = "k-shortest:2"; /* how long the paths are is not known before */
    options.rounds = options.contrast = 0;
    options.merge.rank_range = 3;
    for (options.memory_limit = 5000; options.memory_limit < 4000000;
         options.memory_limit += options.memory_limit / 2) {
        np_ranking *ranking;
        support_memory_count(true);
        np_status st = np_ranking_find(network, "random", &options, &ranking);
        assert_true(st == NP_OK || st == NP_ERROR_LIMIT);
        assert_in_range(support_memory_peak(), 1, options.memory_limit);
        support_memory_count(false);
        refused += st != NP_OK;
        made += st == NP_OK;
        np_ranking_free(ranking);
    }
    assert_true(refused && made);
    np_network_free(network);
}

/* Without further attempts and with one rank for all the bound is that of any ranks. */
static void ranks_help(void **state)
{
    (void)state;
    np_ranking_options_init(&options);
    options.contrast = 0;
    options.merge.rank_range = 1;
    np_ranking *one = found("butterfly:3", "random");
    options.merge.rank_range = 0;
    np_ranking *many = found("butterfly:3", "random");
    assert_int_equal(one->range, 1);
    assert_int_equal(many->range, 21); /* L = 11, c = 5, log2 24 rounded up */
    assert_true(many->bound < one->bound);
    assert_int_equal(many->random.count, 0);
    np_ranking_free(one);
    np_ranking_free(many);
}

/* A file that says less than is so: loaded, and found out. */
static void tampered(void **state)
{
    static const char *const heads[] = {"# at most 3 steps\n", "# at most 4 steps\n", "# at most 3 steps more\n",
                                        "# at most 00 steps\n", ""};
    np_network *network = support_network("butterfly-io:2");
    (void)state;
    np_ranking_options_init(&options);
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        char text[192];
        np_ranking *ranking;
        snprintf(text, sizeof text,
                 "# so\n# network butterfly-io:2\n# seed 1\n%s0 1\n1 1\n2 1\n3 1\n# at most 1 steps\n", heads[i]);
        char *path = support_file(text);
        /* All to output 0: four packets over two edges into it, then consumed one by one. */
        assert_ok(load(network, "hotspot:0", path, &ranking));
        assert_int_equal(ranking->promised, i == 0 ? 3 : i == 1 ? 4 : 0);
        assert_int_equal(ranking->kept, !ranking->promised || ranking->bound <= ranking->promised);
        assert_true(i || !ranking->kept);
        np_ranking_free(ranking);
        remove(path);
        free(path);
    }
    np_network_free(network);
}

static void refused(const char *text, uint32_t range, const char *message)
{
    np_network *network = support_network("butterfly-io:2");
    char *path = support_file(text);
    static np_ranking unset;
    np_ranking *ranking = &unset;
    np_ranking_options_init(&options);
    options.merge.rank_range = range;
    assert_refused(load(network, "identity", path, &ranking), NP_ERROR_INPUT, message);
    assert_null(ranking);
    remove(path);
    free(path);
    np_network_free(network);
}

static void refuses(void **state)
{
    np_ranking *ranking;
    (void)state;
    refused(HEAD "0 1\n1 2\n2 3\n", 0, ":5: ranks for 3 of 4 packets: packet 3 has none");
    refused(HEAD "0 1\n1 2\n2 3\n3 4\n4 5\n", 0, ":7: packet 4 is out of range 0..3");
    refused(HEAD "0 1\n1 2\n2 3\n3 0\n", 0, ":6: rank 0 is out of range 1..1073741824");
    refused(HEAD "0 1\n1 2\n2 3\n3 4\n", 3, ":6: rank 4 is out of range 1..3");

    np_network *network = support_network("butterfly-io:2");
    np_ranking_options_init(&options);
    assert_refused(load(network, "random", "/no/such", &ranking), NP_ERROR_IO, "/no/such");
    assert_refused(np_ranking_find(network, "rondom", &options, &ranking), NP_ERROR_INPUT, "random");
    options.merge.message_most = 2;
    assert_refused(np_ranking_find(network, "random", &options, &ranking), NP_ERROR_APPLY, "messages");
    options.merge.message_most = 1;
    options.merge.combine = NP_COMBINE_SUM;
    assert_refused(np_ranking_find(network, "random", &options, &ranking), NP_ERROR_APPLY, "combine");
    options.merge.combine = NP_COMBINE_NONE;
    assert_refused(np_ranking_find(network, "h-relation:20000", &options, &ranking), NP_ERROR_LIMIT, "at most 65536");
    np_network_free(network);
    network = support_network("complete:4");
    options.paths = "e-cube";
    assert_refused(np_ranking_find(network, "random", &options, &ranking), NP_ERROR_INPUT, "no path rule 'e-cube'");
    options.paths = NULL;
    np_network_free(network);
    network = support_network("hypercube:10"); /* at once */
    assert_refused(np_ranking_find(network, "random", &options, &ranking), NP_ERROR_APPLY, "a smaller network");
    np_network_free(network);
    network = support_network("hypercube:7"); /* the same */
    assert_refused(np_ranking_find(network, "random", &options, &ranking), NP_ERROR_APPLY, "a smaller range");
    np_network_free(network);
}

/* A file of ranks is for traffic of one number of packets: looked at when they are counted, for each run. */
static void route_refuses(void **state)
{
    np_network *network = support_network("butterfly-io:2");
    char *path = support_file(HEAD "0 1\n1 2\n2 3\n");
    np_route_options route;
    np_route_result *result;
    (void)state;
    np_route_options_init(&route);
    route.scheme = "ranked";
    route.runs = 3;
    route.threads = 2;
    route.merge.ranks = NP_RANKS_FILE;
    assert_refused(np_route(network, "random", &route, &result), NP_ERROR_INPUT, "ranks for 0 packets");
    route.merge.rank_file = path;
    assert_refused(np_route(network, "random", &route, &result), NP_ERROR_INPUT, ":5: ranks for 3 of 4 packets");
    route.merge.rank_file = "/no/such";
    assert_refused(np_route(network, "random", &route, &result), NP_ERROR_IO, "/no/such");
    remove(path);
    free(path);
    np_network_free(network);
}

/* Every allocation fails in turn, in finding and in loading; nothing is handed out. */
static void memory_fails(void **state)
{
    np_network *network = support_network("butterfly-io:1");
    char *path = support_file("# network butterfly-io:1\n# seed 1\n0 1\n1 2\n");
    (void)state;
    np_ranking_options_init(&options);
    options.contrast = 2;
    for (int from_file = 0; from_file < 3; from_file++) {
        np_ranking *ranking;
        options.paths = from_file == 2 ? "greedy" : NULL;
        for (long n = 1;; n++) {
            np_memory_fail_after(n);
            np_status st = from_file == 1 ? load(network, "random", path, &ranking)
                                          : np_ranking_find(network, "random", &options, &ranking);
            np_memory_fail_after(0);
            if (!st) {
                assert_true(n > 30);
                break;
            }
            assert_int_equal(st, NP_ERROR_MEMORY);
            assert_null(ranking);
        }
        np_ranking_free(ranking);
    }
    remove(path);
    free(path);
    np_network_free(network);
}

static int count_progress(void *context, const np_progress *progress)
{
    double *last = context;
    assert_true(progress->done <= 1 && progress->of == 2);
    assert_true(progress->share > *last);
    *last = progress->share;
    return 0;
}

static void progress(void **state)
{
    double last = 0;
    (void)state;
    np_ranking_options_init(&options);
    options.rounds = 1;
    options.watch = (np_watch){count_progress, &last};
    np_ranking_free(found("butterfly-io:3", "random"));
    assert_true(last == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(round_trip),
                                       cmocka_unit_test(round_trip_on_any_network),
                                       cmocka_unit_test(paths_are_those_of_route),
                                       cmocka_unit_test(unrolled_within_the_limit),
                                       cmocka_unit_test(ranks_help),
                                       cmocka_unit_test(tampered),
                                       cmocka_unit_test(refuses),
                                       cmocka_unit_test(progress),
                                       cmocka_unit_test(route_refuses),
                                       cmocka_unit_test(memory_fails)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
