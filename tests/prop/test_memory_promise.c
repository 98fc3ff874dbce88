/*
 * The bytes promised before anything is allocated, held to the bytes that are
 * taken at the peak: never fewer, and not many more. Schemes come from the
 * library's own list, so a new one is judged the day it is added.
 */
#include "support.h"

#include <unistd.h>

#include "base/memory.h"
#include "collective/collective.h"
#include "network/network.h"

/* What a promise may exceed the peak by: a tenth, and what hardly matters. */
enum { SLACK = 1 << 20 };

/* A network for each family, large enough for the slack to matter little, and other sizes of some. */
/* Bytes are counted the same under the address sanitizer, which takes ten times as long: there some cases are enough. */
#ifdef __SANITIZE_ADDRESS__
enum { WAYS_STEP = 6, GUESTS_STEP = 4 };
#else
enum { WAYS_STEP = 1, GUESTS_STEP = 1 };
#endif

/* What takes minutes there. */
static void skip_under_sanitizers(void)
{
    if (WAYS_STEP > 1)
        skip();
}

static const char *const networks[] = {"hypercube:12",
                                       "hypercube:7",
                                       "shuffle:4x6",
                                       "shuffle-exchange:12",
                                       "ccc:9",
                                       "butterfly:9",
                                       "mesh:64x64",
                                       "mesh:100x3",
                                       "torus:8x16x8",
                                       "array:400",
                                       "ring:400",
                                       "complete:100",

                                       "tree:11",
                                       "mesh-of-trees:8",
                                       "fat-tree:6",
                                       "star:7",
                                       "omega:9",
                                       "omega:4",
                                       "crossbar:60",
                                       "pancake:6",
                                       "binomial-tree:11",
                                       "mesh:8x8x8",
                                       "butterfly-io:8"};

/* How a scheme is asked: other options, other engines. */
typedef struct way {
    const char *name;
    unsigned threads;
    uint32_t runs;
    bool hash, overlap, same_traffic, observed;
    uint32_t queue_size;
    np_combine combine;
    const char *queue, *paths;
} way;

static const way ways[] = {
    {.name = "1 thread", .threads = 1, .runs = 1},
    {.name = "2 threads", .threads = 2, .runs = 1},
    {.name = "7 threads", .threads = 7, .runs = 1},
    {.name = "2 threads, 5 runs", .threads = 2, .runs = 5},
    {.name = "7 threads, 9 runs", .threads = 7, .runs = 9},
    {.name = "7 threads, 9 runs, same traffic", .threads = 7, .runs = 9, .same_traffic = true},
    {.name = "stepping", .threads = 1, .runs = 1, .hash = true},
    {.name = "stepping, 7 threads", .threads = 7, .runs = 2, .hash = true},
    {.name = "overlap, 2 threads", .threads = 2, .runs = 1, .overlap = true},
    {.name = "farthest first", .threads = 2, .runs = 1, .queue = "farthest-first"},
    {.name = "random queue", .threads = 2, .runs = 1, .queue = "random"},
    {.name = "long queues", .threads = 1, .runs = 1, .queue_size = 100},
    {.name = "combining", .threads = 2, .runs = 1, .combine = NP_COMBINE_SUM},
    {.name = "observed", .threads = 1, .runs = 1, .observed = true},
};

static int bad;

static void judge(const char *what, const char *how, const char *network, uint64_t promised, uint64_t least,
                  uint64_t most)
{
    if (promised >= least && promised <= most)
        return;
    bad++;
    print_error("%-18s %-20s %-32s promised %llu, not %llu .. %llu\n", what, network, how, (unsigned long long)promised,
                (unsigned long long)least, (unsigned long long)most);
}

/*
 * The promise of sweeps is for the worst traffic: what they keep of a line
 * grows with the steps. That of long routes is for the diameter. Runs in parallel need not overlap in time.
 */
static bool exact(const np_network *network, const way *w)
{
    const char *family = np_network_family_name(network);
    bool sweeps = !w->hash && !w->overlap && (!strcmp(family, "mesh") || !strcmp(family, "array"));
    return !sweeps && !w->paths && (w->runs < w->threads || w->threads == 1);
}

static const np_observer nobody = {.kinds = 0};

static np_route_options options_of(const char *scheme, const way *w)
{
    np_route_options options;
    np_route_options_init(&options);
    options.scheme = scheme;
    options.threads = w->threads;
    options.runs = w->runs;
    options.hash = w->hash;
    options.overlap = w->overlap;
    options.same_traffic = w->same_traffic;
    options.queue = w->queue;
    options.paths = w->paths;
    if (w->queue_size)
        options.merge.queue_size = w->queue_size;
    options.merge.combine = w->combine;
    options.observer = w->observed ? &nobody : NULL;
    return options;
}

static void judge_route(const np_network *network, const char *scheme, const way *w, uint64_t promised, uint64_t peak)
{
    bool array = !strcmp(np_network_family_name(network), "array") && !w->paths && w->threads == 1;
    uint64_t most = exact(network, w) ? peak + peak / 10 + SLACK : array ? 2 * peak + SLACK : UINT64_MAX;
    judge(scheme, w->name, np_network_spec(network), promised, peak, most);
}

/* False if the scheme does not take the traffic or the options. */
static bool route(const np_network *network, const char *scheme, const char *traffic, const way *w)
{
    np_route_options options = options_of(scheme, w);
    np_route_result *result;
    uint64_t promised;
    if (np_route_memory(network, traffic, &options, &promised))
        return false;
    np_memory_count(true);
    np_status st = np_route(network, traffic, &options, &result);
    if (!st)
        judge_route(network, scheme, w, promised, np_memory_peak());
    np_memory_count(false);
    np_route_result_free(result);
    return !st;
}

static size_t try_traffics(const np_network *network, const char *scheme, const way *w)
{
    static const char *const traffics[] = {"random", "repeat:1:random", "identity"};
    for (size_t t = 0; t < sizeof traffics / sizeof *traffics; t++)
        if (route(network, scheme, traffics[t], w))
            return 1;
    return 0;
}

static void test_every_scheme(void **state)
{
    (void)state;
    const np_entry *scheme;
    for (size_t s = 0; (scheme = np_list_get(NP_LIST_SCHEMES, s)); s++) {
        size_t routed = 0;
        for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
            np_network *network = support_network(networks[i]);
            for (size_t w = 0; !np_scheme_applies(scheme->name, network) && w < sizeof ways / sizeof *ways;
                 w += WAYS_STEP)
                routed += try_traffics(network, scheme->name, &ways[w]);
            np_network_free(network);
        }
        if (!routed)
            fail_msg("scheme %s was not routed on any network", scheme->name);
    }
    assert_int_equal(bad, 0);
}

/* Routes that have no room in tickets: the promise has the most that they can take. */
static void test_long_routes(void **state)
{
    (void)state;
    skip_under_sanitizers();
    static const way long_ways[] = {
        {.name = "shortest", .threads = 1, .runs = 1, .paths = "shortest"},
        {.name = "shortest, 2 threads, 5 runs", .threads = 2, .runs = 5, .paths = "shortest"},
        {.name = "balanced, overlap", .threads = 1, .runs = 1, .overlap = true, .paths = "balanced"},
    };
    static const char *const specs[] = {"ring:2000", "mesh:64x64", "torus:4x900"}, *const schemes[] = {"greedy",
                                                                                                       "valiant"};
    bad = 0;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        np_network *network = support_network(specs[i]);
        for (size_t w = 0; w < sizeof long_ways / sizeof *long_ways; w++)
            for (size_t s = 0; s < sizeof schemes / sizeof *schemes; s++)
                assert_true(route(network, schemes[s], "random", &long_ways[w]));
        np_network_free(network);
    }
    assert_int_equal(bad, 0);
}

/* Long lines, and leveled networks of many levels, on which packets wait for long. */
static void test_many_levels(void **state)
{
    (void)state;
    skip_under_sanitizers();
    static const char *const specs[] = {"array:2000", "ring:2000"}, *const schemes[] = {"ranked", "waves", "greedy"};
    static const way one = {.name = "many levels", .threads = 1, .runs = 1};
    bad = 0;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        np_network *network = support_network(specs[i]);
        for (size_t s = 0; s < sizeof schemes / sizeof *schemes; s++)
            assert_true(route(network, schemes[s], "random", &one));
        np_network_free(network);
    }
    assert_int_equal(bad, 0);
}

typedef np_status operation(const char *what, uint64_t limit);

static const np_observer *observer; /* of the operations below */

static np_status simulate(const char *guest, uint64_t limit)
{
    np_universal_options options;
    np_universal_result *result;
    np_network *network = support_network(guest);
    np_universal_options_init(&options);
    options.memory_limit = limit;
    options.observer = observer;
    np_memory_count(true);
    np_status st = np_universal_simulate(network, &options, &result);
    np_universal_result_free(result);
    np_network_free(network);
    return st;
}

/*
 * A limit below the peak is refused, and before that much was taken; one of `percent` of the peak, and the slack, is
 * not. An operation makes what the limit does not speak of before it counts. Before it refuses, it may take `before`
 * percent of the peak.
 */
static void judge_limit(operation *run, const char *name, const char *what, unsigned percent, uint64_t slack,
                        unsigned before)
{
    static const char how[] = "by its limit";
    assert_ok(run(what, 0));
    uint64_t peak = np_memory_peak();
    judge(name, how, what, run(what, peak - 1) == NP_ERROR_LIMIT ? peak : 0, peak, peak);
    judge(name, "taken before the refusal", what, np_memory_peak(), 0, peak / 100 * before + (1 << 15));
    judge(name, "a limit that suffices", what, run(what, peak / 100 * percent + slack) ? 0 : peak, peak, peak);
    np_memory_count(false);
}

static void test_universal(void **state)
{
    (void)state;
    static const char *const guests[] = {"mesh:60x60", "mesh:120x100", "torus:90x30", "hypercube:10", "ring:3000"};
    bad = 0;
    for (size_t i = 0; i < sizeof guests / sizeof *guests; i += GUESTS_STEP)
        judge_limit(simulate, "universal", guests[i], 150, SLACK,
                    50); /* before the map is known, its load is a guess */
    assert_int_equal(bad, 0);
}

/* Paths, threads, traffic and network, with spaces between them */
static np_status choose_among(const char *spec, uint64_t limit)
{
    char paths[32], traffic[32], host[32];
    np_route_options options;
    np_route_result *result;
    np_route_options_init(&options);
    assert_int_equal(sscanf(spec, "%31s %u %31s %31s", paths, &options.threads, traffic, host), 4);
    options.paths = paths;
    options.memory_limit = limit;
    np_network *network = support_network(host);
    np_memory_count(true);
    np_status st = np_route(network, traffic, &options, &result);
    np_route_result_free(result);
    np_network_free(network);
    return st;
}

/*
 * Candidates for the K shortest paths are refused as they grow; those of ring:2000 while the ports of long routes are
 * written. Two threads need not hold the most at the same time, so there is no telling what suffices for them.
 */
static void test_candidates(void **state)
{
    (void)state;
    static const char *const specs[] = {"k-shortest:64 1 partial:0.0002 mesh:100x100",
                                        "k-shortest:64 1 partial:0.02 hypercube:10",
                                        "k-shortest:2 1 partial:0.01 ring:2000"};
    static const char two[] = "k-shortest:64 2 random hypercube:7";
    bad = 0;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        judge_limit(choose_among, "k-shortest", specs[i], 110, SLACK, 100);
    assert_ok(choose_among(two, 0));
    for (uint64_t peak = np_memory_peak(), limit = peak - 1; limit > peak / 4; limit -= peak / 8) {
        judge("k-shortest", "by its limit", two, choose_among(two, limit) == NP_ERROR_LIMIT ? peak : 0, peak, peak);
        judge("k-shortest", "taken before the refusal", two, np_memory_peak(), 0, limit);
    }
    np_memory_count(false);
    assert_int_equal(bad, 0);
}

static np_status schedule(const char *spec, uint64_t limit)
{
    np_offline_options options;
    np_offline *offline;
    np_network *network = support_network(spec);
    np_offline_options_init(&options);
    options.memory_limit = limit;
    options.observer = observer;
    np_memory_count(true);
    np_status st = np_offline_find(network, "random", &options, &offline);
    np_offline_free(offline);
    np_network_free(network);
    return st;
}

static void test_schedule(void **state)
{
    (void)state;
    static const char *const specs[] = {"mesh:64x64", "torus:16x16x16", "hypercube:12", "array:1000"};
    bad = 0;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        judge_limit(schedule, "schedule", specs[i], 110, SLACK, 50);
    assert_int_equal(bad, 0);
}

/* Guest and host, with a space between them */
static np_status embed(const char *spec, uint64_t limit)
{
    char guest[32], host[32];
    np_embedding_run_options options;
    np_embedding_run_result *result = NULL;
    np_embedding *embedding;
    assert_int_equal(sscanf(spec, "%31s %31s", guest, host), 2);
    np_network *inner = support_network(guest), *outer = support_network(host);
    np_embedding_run_options_init(&options);
    options.memory_limit = limit;
    options.observer = observer;
    np_memory_count(true);
    np_status st = np_embedding_create(NULL, inner, outer, limit, &embedding);
    if (!st)
        st = np_embedding_run(embedding, &options, &result);
    np_embedding_run_result_free(result);
    np_embedding_free(embedding);
    np_network_free(inner);
    np_network_free(outer);
    return st;
}

static void test_embed(void **state)
{
    (void)state;
    static const char *const pairs[] = {"torus:300x300 mesh:300x300", "mesh:256x256 hypercube:16",
                                        "ring:100000 array:100000", "hypercube:12 mesh:64x64"};
    bad = 0;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        judge_limit(embed, "embed", pairs[i], 110, SLACK, 50);
    assert_int_equal(bad, 0);
}

/* The map and the paths alone: by the host's rule, by a walk of the embedding's own, and by routes that are found first. */
static np_status embed_alone(const char *spec, uint64_t limit)
{
    char guest[32], host[200];
    np_embedding *embedding;
    assert_int_equal(sscanf(spec, "%31s %199s", guest, host), 2);
    np_network *inner = support_network(guest), *outer = support_network(host);
    np_node *map = calloc(inner->nodes, sizeof *map);
    for (np_node u = 0; u < inner->nodes; u++)
        map[u] = u * 7 % outer->nodes;
    bool file = !strncmp(host, "file:", 5);
    np_memory_count(true);
    np_status st = file ? np_embedding_from_map(inner, outer, map, false, limit, &embedding)
                        : np_embedding_create(NULL, inner, outer, limit, &embedding);
    np_embedding_free(embedding);
    np_network_free(inner);
    np_network_free(outer);
    free(map);
    return st;
}

static char *ring_file(unsigned nodes)
{
    char *path = support_file("");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (unsigned i = 0; i < nodes; i++)
        fprintf(file, "%u %u\n%u %u\n", i, (i + 1) % nodes, (i + 1) % nodes, i);
    fclose(file);
    return path;
}

static void test_embed_alone(void **state)
{
    (void)state;
    char *path = ring_file(300), spec[128];
    bad = 0;
    judge_limit(embed_alone, "embedding", "torus:300x300 mesh:300x300", 110, SLACK, 60);
    judge_limit(embed_alone, "embedding", "ring:100000 array:100000", 110, SLACK, 60);
    judge_limit(embed_alone, "embedding", "hypercube:12 mesh:64x64", 110, SLACK, 60);
    snprintf(spec, sizeof spec, "hypercube:11 file:%s", path);
    judge_limit(embed_alone, "embedding", spec, 110, SLACK, 90);
    unlink(path);
    free(path);
    assert_int_equal(bad, 0);
}

static void test_observed(void **state)
{
    (void)state;
    bad = 0;
    observer = &nobody;
    judge_limit(simulate, "universal, observed", "hypercube:10", 110, SLACK, 50);
    judge_limit(simulate, "universal, observed", "mesh:120x100", 150, SLACK, 50);
    judge_limit(simulate, "universal, observed", "ring:3000", 150, SLACK, 50);
    judge_limit(schedule, "schedule, observed", "mesh:64x64", 110, SLACK, 50);
    judge_limit(embed, "embed, observed", "torus:100x100 mesh:100x100", 110, SLACK, 50);
    observer = NULL;
    assert_int_equal(bad, 0);
}

static np_status ranks(const char *spec, uint64_t limit)
{
    np_ranking_options options;
    np_ranking *ranking;
    np_network *network = support_network(spec);
    np_ranking_options_init(&options);
    options.memory_limit = limit;
    options.rounds = 0;
    options.contrast = 2;
    np_memory_count(true);
    np_status st = np_ranking_find(network, "random", &options, &ranking);
    np_ranking_free(ranking);
    np_network_free(network);
    return st;
}

static void test_ranks(void **state)
{
    (void)state;
    skip_under_sanitizers();
    static const char *const specs[] = {"butterfly-io:4", "mesh:8x8", "hypercube:5", "shuffle-exchange:5"};
    bad = 0;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        judge_limit(ranks, "ranks", specs[i], 110, SLACK, 50);
    assert_int_equal(bad, 0);
}

/* What it does, algorithm, what is sent (k, or flits) and network, with spaces between them */
static np_status collect(const char *spec, uint64_t limit, bool observed)
{
    char does[16], algorithm[20], host[32];
    unsigned amount;
    np_collective_options options;
    np_collective_result *result;
    np_collective_options_init(&options);
    assert_int_equal(sscanf(spec, "%15s %19s %u %31s", does, algorithm, &amount, host), 4);
    options.algorithm = algorithm;
    options.k = amount;
    options.flits = strcmp(does, "broadcast") && strcmp(does, "reduce") ? 0 : amount;
    options.memory_limit = limit;
    options.record = observed;
    options.observer = observed ? &nobody : NULL;
    np_network *network = support_network(host);
    np_memory_count(true);
    np_status st = np_collective(network, does, &options, &result);
    np_collective_result_free(result);
    np_network_free(network);
    return st;
}

static np_status collective(const char *spec, uint64_t limit) { return collect(spec, limit, false); }
static np_status collective_observed(const char *spec, uint64_t limit) { return collect(spec, limit, true); }

/* Every algorithm of the list, on networks that it applies to; smaller ones if all nodes have something for all. */
static void test_collective(void **state)
{
    (void)state;
    skip_under_sanitizers();
    static const char *const hosts[2][5] = {{"mesh:60x60", "hypercube:12", "complete:512", "ring:3000"},
                                            {"mesh:24x24", "hypercube:9", "complete:343", "complete:256", "mesh:3x3"}};
    const np_entry *info;
    bad = 0;
    for (size_t i = 0; (info = np_list_get(NP_LIST_COLLECTIVES, i)); i++) {
        const np_collective_ops *ops = (const np_collective_ops *)info;
        bool all = ops->kind == NP_ALL_TO_ALL || ops->kind == NP_GOSSIP;
        size_t judged = 0;
        for (size_t h = 0; h < 5 && hosts[all][h]; h++) {
            np_network *network = support_network(hosts[all][h]);
            bool applies = !np_collective_refuses(ops, network);
            char spec[128];
            snprintf(spec, sizeof spec, "%s %s %u %s", info->operation, info->name, ops->flits ? 100 : 1,
                     hosts[all][h]);
            np_network_free(network);
            if (!applies || collective(spec, 0) == NP_ERROR_APPLY)
                continue;
            judge_limit(collective, "collective", spec, 110, ops->route ? SLACK : 1 << 15, 50);
            judged++;
        }
        if (!judged)
            fail_msg("%s by %s was not judged on any network", info->operation, info->name);
    }
    assert_int_equal(bad, 0);
}

/* Rounds that are kept are refused as they grow. */
static void test_collective_observed(void **state)
{
    (void)state;
    static const char *const specs[] = {
        "broadcast tree 1 mesh:40x40",  "broadcast linear 200 ring:100", "reduce tree 1 hypercube:10",
        "all-to-all sweeps 1 mesh:9x9", "gossip ring 1 ring:60",
    };
    bad = 0;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        judge_limit(collective_observed, "collective, observed", specs[i], 110, 1 << 12, 100);
    assert_int_equal(bad, 0);
}

/* Algorithm, keys a hundred places, and network, with spaces between them */
static np_status sort_keys(const char *spec, uint64_t limit, bool observed)
{
    char algorithm[24], host[32];
    unsigned percent;
    uint64_t places, *key;
    np_sort_options options;
    np_sort_result *result;
    assert_int_equal(sscanf(spec, "%23s %u %31s", algorithm, &percent, host), 3);
    np_network *network = support_network(host);
    np_sort_options_init(&options);
    options.algorithm = algorithm;
    options.threads = 2;
    options.observer = observed ? &nobody : NULL;
    options.memory_limit = limit;
    assert_ok(np_sort_places(network, algorithm, &places));
    size_t count = (size_t)(places * percent / 100);
    assert_non_null(key = malloc(count * sizeof *key));
    assert_ok(np_keys_make("random", count, 1, 0, key));
    np_memory_count(true);
    np_status st = np_sort(network, count, key, &options, &result);
    np_sort_result_free(result);
    np_network_free(network);
    free(key);
    return st;
}

static np_status sort(const char *spec, uint64_t limit) { return sort_keys(spec, limit, false); }
static np_status sort_observed(const char *spec, uint64_t limit) { return sort_keys(spec, limit, true); }

/*
 * A randomized sorter takes less if its draws are good, and columnsort on an array if no phase lasts the n + m instants
 * that its line has room for. What is kept for an observer is refused as it grows.
 */
static void test_sort(void **state)
{
    (void)state;
    skip_under_sanitizers();
    static const char *const hosts[] = {"hypercube:12", "butterfly:9", "mesh:64x64", "array:800",
                                        "shuffle-exchange:12"};
    static const char *const exact = "bitonic odd-even-merge shearsort odd-even-transposition rank-sort columnsort";
    const np_entry *info;
    bad = 0;
    for (size_t i = 0; (info = np_list_get(NP_LIST_SORTERS, i)); i++) {
        size_t judged = 0;
        for (size_t h = 0; h < sizeof hosts / sizeof *hosts; h++) {
            np_network *network = support_network(hosts[h]);
            bool few = !strcmp(info->name, "rank-sort"), applies = !np_sorter_applies(info->name, network);
            np_network_free(network);
            for (unsigned percent = few ? 100 : 50; applies && percent <= (few ? 100 : 800); percent *= 4, judged++) {
                char spec[96];
                snprintf(spec, sizeof spec, "%s %u %s", info->name, percent, hosts[h]);
                bool tight = strstr(exact, info->name) &&
                             (strcmp(info->name, "columnsort") != 0 || strcmp(hosts[h], "array:800") != 0);
                judge_limit(sort, "sort", spec, 110, tight ? 1 << 15 : SLACK, 1);
            }
        }
        if (!judged)
            fail_msg("%s was not judged on any network", info->name);
    }
    assert_int_equal(bad, 0);
}

static void test_sort_observed(void **state)
{
    (void)state;
    static const char *const specs[] = {"bitonic 100 hypercube:8",   "odd-even-merge 200 hypercube:7",
                                        "shearsort 100 mesh:16x16",  "odd-even-transposition 300 array:60",
                                        "columnsort 400 mesh:16x16", "columnsort 400 butterfly:4",
                                        "rank-sort 100 mesh:16x16",  "rank-sort 100 butterfly:8",
                                        "flashsort 100 butterfly:6", "flashsort 100 mesh:16x16"};
    bad = 0;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        judge_limit(sort_observed, "sort, observed", specs[i], 110, 1 << 15, 100);
    assert_int_equal(bad, 0);
}

/* Program, its size, machine, map of addresses and the steps allotted, with spaces between them */
static np_status pram(const char *spec, uint64_t limit)
{
    char program[24], machine[32], map[8];
    unsigned size, allotted;
    const np_program_info *info;
    np_pram_options options;
    np_program_options input;
    np_program_result *result;
    assert_int_equal(sscanf(spec, "%23s %u %31s %7s %u", program, &size, machine, map, &allotted), 5);
    assert_ok(np_program_find(program, &info));
    np_pram_options_init(&options);
    np_program_options_init(&input);
    options.machine = machine;
    options.map = strcmp(map, "none") ? NP_MAP_HASH : NP_MAP_NONE;
    options.allotted = allotted;
    options.rule = info->rule;
    options.observer = observer;
    input.n = size;
    input.steps = info->takes_steps ? 2 : 0;
    input.memory_limit = limit;
    np_memory_count(true);
    np_status st = np_program_run(program, &options, &input, &result);
    assert_true(st || result->correct);
    np_program_result_free(result);
    return st;
}

static void test_pram_observed(void **state)
{
    (void)state;
    static const char *const specs[] = {"random-reads 400 butterfly:4 none 0", "random-reads 400 butterfly:4 hash 1",
                                        "prefix-sums 300 butterfly:5 hash 1"};
    bad = 0;
    observer = &nobody;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        judge_limit(pram, "pram, observed", specs[i], 110, 1 << 14, 100);
    observer = NULL;
    assert_int_equal(bad, 0);
}

/*
 * Every program on the ideal machine and on the butterfly. On the butterfly new functions are counted, which few draws
 * need, and cells that are announced at once. Random graphs have fewer arcs if edges repeat.
 */
static void test_pram(void **state)
{
    (void)state;
    skip_under_sanitizers();
    const np_entry *info;
    bad = 0;
    for (size_t i = 0; (info = np_list_get(NP_LIST_PROGRAMS, i)); i++) {
        bool squares = !strcmp(info->name, "maximum") || !strcmp(info->name, "matrix-product");
        char spec[80];
        snprintf(spec, sizeof spec, "%s %d ideal hash 0", info->name, squares ? 100 : 20000);
        judge_limit(pram, "pram", spec, 110, 1 << 15, 50);
        snprintf(spec, sizeof spec, "%s %d butterfly:8 hash 0", info->name, squares ? 60 : 4000);
        judge_limit(pram, "pram", spec, 150, 1 << 16, 80);
    }
    assert_int_equal(bad, 0);
}

/*
 * Machines on networks. Without a hash function nothing is moved; with one step allotted, every batch is given up and
 * cells are moved again and again. Both are exact. In between the moves are counted, which few draws need.
 */
static void test_pram_on_networks(void **state)
{
    (void)state;
    skip_under_sanitizers();
    static const char *const machines[] = {"leveled:hypercube:5",   "leveled:mesh:6x6",   "leveled:torus:3x3x3",
                                           "leveled:butterfly:3",   "leveled:fat-tree:2", "leveled:shuffle-exchange:5",
                                           "two-phase:hypercube:6", "butterfly:4"};
    static const char *const programs[] = {"prefix-sums 300", "random-reads 400"};
    bad = 0;
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
        for (size_t k = 0; k < sizeof programs / sizeof *programs; k++) {
            uint64_t slack = strncmp(machines[i], "two", 3) ? 1 << 12 : 1 << 18; /* threads of np_route have so much */
            char spec[96];
            snprintf(spec, sizeof spec, "%s %s none 0", programs[k], machines[i]);
            judge_limit(pram, "pram", spec, 110, slack, 100);
            snprintf(spec, sizeof spec, "%s %s hash 1", programs[k], machines[i]);
            judge_limit(pram, "pram", spec, 110, slack, 100);
            snprintf(spec, sizeof spec, "%s %s hash 0", programs[k], machines[i]);
            judge_limit(pram, "pram", spec, 1000, slack, 100);
        }
    assert_int_equal(bad, 0);
}

/* All tests, or those whose names fit a pattern. */
int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_universal),     cmocka_unit_test(test_schedule),
        cmocka_unit_test(test_long_routes),   cmocka_unit_test(test_many_levels),
        cmocka_unit_test(test_candidates),    cmocka_unit_test(test_embed),
        cmocka_unit_test(test_embed_alone),   cmocka_unit_test(test_observed),
        cmocka_unit_test(test_collective),    cmocka_unit_test(test_sort),
        cmocka_unit_test(test_ranks),         cmocka_unit_test(test_every_scheme),
        cmocka_unit_test(test_pram),          cmocka_unit_test(test_pram_on_networks),
        cmocka_unit_test(test_pram_observed), cmocka_unit_test(test_collective_observed),
        cmocka_unit_test(test_sort_observed),
    };
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
