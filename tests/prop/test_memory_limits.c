/*
 * Calls within limits of memory, from tiny to enough: a call succeeds, or it is refused; it never holds more than the
 * limit, and nothing is left of it. Four times what was held at most without a limit suffices, also where a promise is
 * made beforehand. Algorithms, sorters and programs come from the library's own lists.
 */
#include "promise.h"

#include <unistd.h>

#include "base/account.h"
#include "work/collective/collective.h"
#include "model/network/network.h"

static const np_observer nobody = {.kinds = 0};

typedef np_status operation(const char *what, uint64_t limit);

static const np_observer *observer; /* of the operations below */

/* A guest; behind it, the traffic of its steps, or "offline" */
static np_status simulate(const char *spec, uint64_t limit)
{
    char guest[32], way[32] = "";
    np_universal_options options;
    np_universal_result *result;
    assert_true(sscanf(spec, "%31s %31s", guest, way) > 0);
    np_network *network = support_network(guest);
    np_universal_options_init(&options);
    options.offline = !strcmp(way, "offline");
    options.traffic = *way && !options.offline ? way : NULL;
    options.memory_limit = limit;
    options.observer = observer;
    support_memory_count(true);
    np_status st = np_universal_simulate(network, &options, &result);
    np_universal_result_free(result);
    np_network_free(network);
    return st;
}

/* The call under a limit: its outcome. *peak: the most that it held. */
static np_status held(operation *run, const char *name, const char *what, uint64_t limit, uint64_t *peak)
{
    support_memory_count(false);
    np_account around = np_account_open(UINT64_MAX, NULL);
    np_status st = run(what, limit);
    *peak = support_memory_peak();
    support_memory_count(false);
    judge(name, "left behind", what, np_account_taken(around), 0, 0);
    np_account_close(&around);
    return st;
}

static void judge_limit(operation *run, const char *name, const char *what)
{
    enum { PARTS = 8 };
    static unsigned judged; /* one takes the even limits, the next one the odd ones */
    uint64_t most, peak;
    unsigned refused = 0, tried = 0;
    assert_ok(held(run, name, what, 0, &most));
    judged++;
    for (unsigned part = 0; part < PARTS; part++) {
        if (!support_takes(judged, part, 2))
            continue;
        tried++;
        uint64_t limit = most / PARTS * part + 1;
        np_status st = held(run, name, what, limit, &peak);
        judge(name, "held within a limit", what, peak, 0, limit);
        if (st && st != NP_ERROR_LIMIT &&
            (st != NP_ERROR_MEMORY || !strstr(np_last_error(), " are taken"))) /* a text */
            fail_msg("%s: %s under %llu bytes: %s", name, np_status_name(st), (unsigned long long)limit,
                     np_last_error());
        refused += st != NP_OK;
    }
    judge(name, "limits refused", what, refused, tried / 4, tried);
    judge(name, "a limit that suffices", what, held(run, name, what, 4 * most + (1 << 20), &peak) ? 0 : most, most,
          most);
}

/* The same with each of the inputs. */
static void judge_limits(operation *run, const char *name, size_t inputs, const char *const *input)
{
    bad = 0;
    for (size_t i = 0; i < inputs; i++)
        judge_limit(run, name, input[i]);
    assert_int_equal(bad, 0);
}

/* Rows and columns of a square of that side, as buses; NULL ends the name of the file. */
static char *bus_file(unsigned side)
{
    char *path = support_file("");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (unsigned row = 0; row < 2; row++)
        for (unsigned i = 0; i < side; i++) {
            fprintf(file, "%s%u:", row ? "row" : "column", i);
            for (unsigned j = 0; j < side; j++)
                fprintf(file, " %u", row ? i * side + j : j * side + i);
            fputc('\n', file);
        }
    fclose(file);
    return path;
}

static np_status simulate_buses(const char *path, uint64_t limit)
{
    np_universal_options options;
    np_universal_result *result;
    np_universal_options_init(&options);
    options.memory_limit = limit;
    support_memory_count(true);
    np_status st = np_universal_simulate_buses(path, &options, &result);
    np_universal_result_free(result);
    return st;
}

static void test_universal_buses(void **state)
{
    (void)state;
    char *path = bus_file(40);
    bad = 0;
    judge_limit(simulate_buses, "universal", path);
    unlink(path);
    free(path);
    assert_int_equal(bad, 0);
}

/* Paths found off line; and the steps of a program, of which the largest is counted. */
static void test_universal_programs(void **state)
{
    (void)state;
    static const char *const guests[] = {"mesh:60x60 offline", "hypercube:8 offline", "hypercube:9 random"};
    judge_limits(simulate, "universal", sizeof guests / sizeof *guests, guests);
}

static void test_universal(void **state)
{
    (void)state;
    static const char *const guests[] = {"mesh:60x60", "mesh:120x100", "torus:90x30", "hypercube:10", "ring:3000"};
    bad = 0;
    for (size_t i = 0; i < sizeof guests / sizeof *guests; i += GUESTS_STEP)
        judge_limit(simulate, "universal", guests[i]);
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
    support_memory_count(true);
    np_status st = np_route(network, traffic, &options, &result);
    np_route_result_free(result);
    np_network_free(network);
    return st;
}

/* Candidates for the K shortest paths; those of ring:2000 while the ports of long routes are written. */
static void test_candidates(void **state)
{
    (void)state;
    static const char *const specs[] = {"k-shortest:64 1 partial:0.0002 mesh:100x100",
                                        "k-shortest:64 1 partial:0.02 hypercube:10",
                                        "k-shortest:2 1 partial:0.01 ring:2000", "k-shortest:64 2 random hypercube:7"};
    judge_limits(choose_among, "k-shortest", sizeof specs / sizeof *specs, specs);
}

static np_status schedule(const char *spec, uint64_t limit)
{
    np_offline_options options;
    np_offline *offline;
    np_network *network = support_network(spec);
    np_offline_options_init(&options);
    options.memory_limit = limit;
    options.observer = observer;
    support_memory_count(true);
    np_status st = np_offline_find(network, "random", &options, &offline);
    np_offline_free(offline);
    np_network_free(network);
    return st;
}

static void test_schedule(void **state)
{
    (void)state;
    static const char *const specs[] = {"mesh:64x64", "torus:16x16x16", "hypercube:12", "array:1000",
                                        "product:complete:9,ring:100"};
    judge_limits(schedule, "schedule", sizeof specs / sizeof *specs, specs);
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
    support_memory_count(true);
    NP_ACCOUNT(limit, NULL); /* of both calls */
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
    judge_limits(embed, "embed", sizeof pairs / sizeof *pairs, pairs);
}

/* The map and the paths alone: by the host's rule, by a walk of the embedding's own, and by routes that are found
 * first. */
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
    support_memory_count(true);
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
    judge_limit(embed_alone, "embedding", "torus:300x300 mesh:300x300");
    judge_limit(embed_alone, "embedding", "ring:100000 array:100000");
    judge_limit(embed_alone, "embedding", "hypercube:12 mesh:64x64");
    snprintf(spec, sizeof spec, "hypercube:11 file:%s", path);
    judge_limit(embed_alone, "embedding", spec);
    unlink(path);
    free(path);
    assert_int_equal(bad, 0);
}

static void test_observed(void **state)
{
    (void)state;
    bad = 0;
    observer = &nobody;
    judge_limit(simulate, "universal, observed", "hypercube:10");
    judge_limit(simulate, "universal, observed", "mesh:120x100");
    judge_limit(simulate, "universal, observed", "ring:3000");
    judge_limit(schedule, "schedule, observed", "mesh:64x64");
    judge_limit(embed, "embed, observed", "torus:100x100 mesh:100x100");
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
    support_memory_count(true);
    np_status st = np_ranking_find(network, "random", &options, &ranking);
    np_ranking_free(ranking);
    np_network_free(network);
    return st;
}

static void test_ranks(void **state)
{
    (void)state;
    skip_under_sanitizers();
    static const char *const specs[] = {"butterfly-io:4", "mesh:8x8", "hypercube:4", "shuffle-exchange:5"};
    judge_limits(ranks, "ranks", sizeof specs / sizeof *specs, specs);
}

/* What it does, algorithm, what is sent (k, or flits), network and, among ranks, model, with spaces between them */
static np_status collect(const char *spec, uint64_t limit, bool observed)
{
    char does[16], algorithm[20], host[32], model[16];
    unsigned amount;
    np_collective_options options;
    np_collective_result *result;
    np_collective_options_init(&options);
    int words = sscanf(spec, "%15s %19s %u %31s %15s", does, algorithm, &amount, host, model);
    assert_true(words >= 4);
    options.model = words > 4 ? model : options.model;
    options.algorithm = algorithm;
    options.k = strcmp(does, "k-k") ? options.k : amount;
    options.flits = strcmp(does, "broadcast") && strcmp(does, "reduce") ? 0 : amount;
    options.memory_limit = limit;
    options.record = observed;
    options.observer = observed ? &nobody : NULL;
    np_network *network = support_network(host);
    support_memory_count(true);
    np_status st = np_collective(network, does, &options, &result);
    np_collective_result_free(result);
    np_network_free(network);
    return st;
}

static np_status collective(const char *spec, uint64_t limit) { return collect(spec, limit, false); }
static np_status collective_observed(const char *spec, uint64_t limit) { return collect(spec, limit, true); }

/* Every algorithm of the list, on networks that it applies to; smaller ones if all nodes have something for all, and
 * where ranks take a round for each of the others. */
static void test_collective(void **state)
{
    (void)state;
    skip_under_sanitizers();
    static const char *const hosts[4][6] = {
        {"mesh:32x32", "hypercube:10", "complete:216", "ring:800", "ring:50@4"},
        {"mesh:32x32", "hypercube:10", "complete:216", "ring:400", "ring:50@4"},
        {"mesh:12x12", "hypercube:7", "complete:125", "complete:128", "mesh:3x3", "ring:50@4"},
        {"mesh:10x10", "hypercube:7", "complete:128", "ring:100", "mesh:3x3", "ring:50@4"}};
    const np_entry *info;
    bad = 0;
    for (size_t i = 0; (info = np_list_get(NP_LIST_COLLECTIVES, i)); i++) {
        const np_collective_ops *ops = (const np_collective_ops *)info;
        bool all = ops->kind == NP_ALL_TO_ALL || ops->kind == NP_GOSSIP,
             bounded = ops->kind == NP_PERMUTATION || ops->kind == NP_K_K,
             of_ranks = np_collective_of_ranks(ops->kind) || strstr(info->networks, "among ranks");
        size_t row = of_ranks ? 3 : all ? 2 : bounded; /* the bound of permutation and k-k takes the square of a ring */
        size_t judged = 0;
        for (size_t h = 0; h < 6 && hosts[row][h]; h++) {
            np_network *network = support_network(hosts[row][h]);
            bool applies = of_ranks || !np_collective_refuses(ops, network);
            char spec[128];
            snprintf(spec, sizeof spec, "%s %s %u %s%s",
                     strstr(info->networks, "all-to-allv") ? "all-to-allv" : info->operation, info->name,
                     ops->flits ? 100 : 1, hosts[row][h], of_ranks ? " rounds" : "");
            np_network_free(network);
            if (!applies || collective(spec, 0) == NP_ERROR_APPLY)
                continue;
            judge_limit(collective, "collective", spec);
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
    judge_limits(collective_observed, "collective, observed", sizeof specs / sizeof *specs, specs);
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
    support_memory_count(true);
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
    static const char *const hosts[] = {"hypercube:10", "butterfly:7",        "mesh:32x32",
                                        "array:400",    "shuffle-exchange:8", "shuffle-exchange:9"};
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
                judge_limit(sort, "sort", spec);
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
    judge_limits(sort_observed, "sort, observed", sizeof specs / sizeof *specs, specs);
}

/* Program, its size, machine, map of addresses and the steps allotted, with spaces between them */
static bool physical; /* machines play their steps on the links */
static np_memory_layout laid_out;
static bool carries; /* machines carry values through the network */

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
    options.physical = physical;
    options.carry_values = carries;
    options.memory_layout = laid_out;
    input.n = size;
    input.steps = info->takes_steps ? 2 : 0;
    input.memory_limit = limit;
    support_memory_count(true);
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
    observer = &nobody;
    bad = 0;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        judge_limit(pram, "pram", specs[i]);
    assert_int_equal(bad, 0);
    observer = NULL;
}

/*
 * Every program on the ideal machine and on the butterfly. On the butterfly new functions are counted, which few draws
 * need, and cells that are announced at once. Random graphs have fewer arcs if edges repeat.
 */
static void test_pram(void **state)
{
    (void)state;
    skip_under_sanitizers();
    const np_program_info *info;
    bad = 0;
    for (size_t i = 0; np_list_get(NP_LIST_PROGRAMS, i); i++) {
        assert_ok(np_program_find(np_list_get(NP_LIST_PROGRAMS, i)->name, &info));
        unsigned n = info->n_max <= 512 ? 16 : info->n_max <= 4096 ? 60 : info->n_max <= 1 << 17 ? 800 : 6000;
        char spec[80];
        snprintf(spec, sizeof spec, "%s %u ideal hash 0", info->entry.name, n);
        judge_limit(pram, "pram", spec);
        n = info->n_max <= 512 ? 12 : info->n_max <= 4096 ? 40 : info->n_max <= 1 << 17 ? 150 : 1000;
        snprintf(spec, sizeof spec, "%s %u butterfly:8 hash 0", info->entry.name, n);
        judge_limit(pram, "pram", spec);
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
    static const char *const programs[] = {"prefix-sums 60", "random-reads 80"};
    bad = 0;
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
        for (size_t k = 0; k < sizeof programs / sizeof *programs; k++) {
            char spec[96];
            snprintf(spec, sizeof spec, "%s %s none 0", programs[k], machines[i]);
            judge_limit(pram, "pram", spec);
            snprintf(spec, sizeof spec, "%s %s hash 1", programs[k], machines[i]);
            judge_limit(pram, "pram", spec);
            snprintf(spec, sizeof spec, "%s %s hash 0", programs[k], machines[i]);
            judge_limit(pram, "pram", spec);
        }
    assert_int_equal(bad, 0);
}

/* No cell is moved, so the figure is exact where nothing is routed. A round is routed by threads of np_route. */
static void test_pram_copies(void **state)
{
    (void)state;
    skip_under_sanitizers();
    static const char *const machines[] = {"copies:complete:300", "copies:complete:64", "copies:hypercube:6",
                                           "copies:butterfly:4", "copies:mesh:6x6"};
    static const char *const programs[] = {"prefix-sums 300", "random-reads 200"};
    bad = 0;
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
        for (size_t k = 0; k < sizeof programs / sizeof *programs; k++) {
            char spec[96];
            snprintf(spec, sizeof spec, "%s %s none 0", programs[k], machines[i]);
            judge_limit(pram, "pram", spec);
            snprintf(spec, sizeof spec, "%s %s hash 0", programs[k], machines[i]);
            judge_limit(pram, "pram", spec);
        }
    assert_int_equal(bad, 0);
}

static void test_pram_carrying(void **state)
{
    (void)state;
    skip_under_sanitizers();
    static const char *const machines[] = {"butterfly:5", "leveled:hypercube:6", "leveled:shuffle-exchange:6"};
    bad = 0;
    carries = true;
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        char spec[96];
        snprintf(spec, sizeof spec, "prefix-sums 120 %s none 0", machines[i]);
        judge_limit(pram, "pram", spec);
        snprintf(spec, sizeof spec, "prefix-sums 120 %s hash 1", machines[i]);
        judge_limit(pram, "pram", spec);
    }
    judge_limit(pram, "pram", "prefix-sums 120 two-phase:hypercube:6 none 0");
    judge_limit(pram, "pram", "prefix-sums 120 copies:complete:64 hash 0");
    judge_limit(pram, "pram", "prefix-sums 120 copies:butterfly:4 none 0");
    carries = false;
    assert_int_equal(bad, 0);
}

static void test_pram_layouts(void **state)
{
    (void)state;
    skip_under_sanitizers();
    bad = 0;
    for (laid_out = NP_LAYOUT_PRELIMINARY; laid_out <= NP_LAYOUT_IMPROVED; laid_out++) {
        /* 24 bytes a cell are held only while memory grows, when batches hold nothing yet */
        judge_limit(pram, "pram", "random-reads 3000 butterfly:6 hash 0");
        judge_limit(pram, "pram", "random-reads 200 butterfly:4 hash 1");
        judge_limit(pram, "pram", "prefix-sums 3000 butterfly:6 hash 0");
    }
    laid_out = NP_LAYOUT_NONE;
    assert_int_equal(bad, 0);
}

static void test_pram_physical(void **state)
{
    (void)state;
    skip_under_sanitizers();
    static const char *const machines[] = {"butterfly:5", "leveled:hypercube:6", "leveled:shuffle-exchange:6"};
    bad = 0;
    physical = true;
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        char spec[96];
        snprintf(spec, sizeof spec, "prefix-sums 120 %s none 0", machines[i]);
        judge_limit(pram, "pram", spec);
    }
    physical = false;
    assert_int_equal(bad, 0);
}

/* Model, paths, window and network of a closed loop under load */
static np_status load_by(const char *spec, unsigned threads, uint64_t limit)
{
    char model[32], paths[32], window[32], name[32];
    np_load_options options;
    np_load_result *result;
    assert_int_equal(sscanf(spec, "%31s %31s %31s %31s", model, paths, window, name), 4);
    np_network *network = support_network(name);
    np_load_options_init(&options);
    options.model = model;
    options.paths = paths;
    options.window = window;
    options.cycles = 1000;
    options.threads = threads;
    options.memory_limit = limit;
    support_memory_count(true);
    np_status st = np_load(network, "uniform", &options, &result);
    np_load_free(result);
    np_network_free(network);
    return st;
}

static np_status load(const char *spec, uint64_t limit) { return load_by(spec, 1, limit); }

static void test_load(void **state)
{
    (void)state;
    static const char *const loops[] = {"steps shortest 64 jellyfish:300,4", "steps dimension-order 16 torus:16x16",
                                        "steps dimension-order 1,64 torus:12x12@4", "flits shortest 64 complete:100",
                                        "flits dimension-order 16 torus:16x16"};
    judge_limits(load, "load", sizeof loops / sizeof *loops, loops);
}

/* What suffices for one thread suffices for whoever has more of them: as many are taken as there is room for. */
static void test_load_by_threads(void **state)
{
    (void)state;
    static const char *const loops[] = {"steps dimension-order 64 torus:12x12",
                                        "steps dimension-order 1,64 torus:12x12",
                                        "flits dimension-order 1,16 torus:12x12"};
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) {
        uint64_t limit = 1 << 18;
        while (load_by(loops[i], 1, limit))
            limit += limit / 32;
        assert_true(limit > 1 << 18);
        assert_ok(load_by(loops[i], 16, limit));
    }
    support_memory_count(false);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_universal),
        cmocka_unit_test(test_universal_programs),
        cmocka_unit_test(test_universal_buses),
        cmocka_unit_test(test_schedule),
        cmocka_unit_test(test_candidates),
        cmocka_unit_test(test_embed),
        cmocka_unit_test(test_embed_alone),
        cmocka_unit_test(test_observed),
        cmocka_unit_test(test_collective),
        cmocka_unit_test(test_sort),
        cmocka_unit_test(test_ranks),
        cmocka_unit_test(test_pram),
        cmocka_unit_test(test_pram_on_networks),
        cmocka_unit_test(test_pram_copies),
        cmocka_unit_test(test_pram_carrying),
        cmocka_unit_test(test_pram_layouts),
        cmocka_unit_test(test_pram_physical),
        cmocka_unit_test(test_pram_observed),
        cmocka_unit_test(test_collective_observed),
        cmocka_unit_test(test_sort_observed),
        cmocka_unit_test(test_load),
        cmocka_unit_test(test_load_by_threads),
    };
    return run_chosen(tests, argc, argv);
}
