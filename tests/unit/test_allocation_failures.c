/*
 * Each allocation of a call fails in turn until the call succeeds: every
 * failure is reported as such, hands nothing out and, as the sanitizers see,
 * leaks nothing. Networks and path rules are taken from the library's own
 * lists, so new ones are tested the day they are added.
 */
#include "support.h"

#include "base/memory.h"
#include "base/status.h"

typedef np_status attempt_fn(const void *context, void **out);
typedef void release_fn(void *object);

enum { ALLOCATIONS_MAX = 10000 };

/* Returns the object of the attempt that succeeds; NULL if it fails for another reason, before any allocation. */
static void *survive(const char *what, attempt_fn *attempt, const void *context)
{
    for (long n = 1; n < ALLOCATIONS_MAX; n = support_next_failure(n)) {
        static char not_null;
        void *object = &not_null;
        (void)NP_RAISE(NP_ERROR_INPUT, "the message of an earlier error");
        np_memory_fail_after(n);
        np_status st = attempt(context, &object);
        np_memory_fail_after(0);
        if (!st) {
            if (n == 1)
                fail_msg("%s made no allocation that could fail", what);
            return object;
        }
        if (object)
            fail_msg("%s: allocation %ld fails, but *out is not NULL", what, n);
        if (st != NP_ERROR_MEMORY && n == 1)
            return NULL;
        if (st != NP_ERROR_MEMORY || !strstr(np_last_error(), "no memory for "))
            fail_msg("%s: allocation %ld fails, and it says %s: '%s'", what, n, np_status_name(st), np_last_error());
    }
    fail_msg("%s still fails after %d allocations", what, ALLOCATIONS_MAX);
    return NULL;
}

static np_status make_network(const void *context, void **out)
{
    return np_network_create(context, (np_network **)out);
}

/* The i-th family's example, NULL past the last; the example of a file has no file behind it. */
static const char *example(size_t i)
{
    const np_entry *family = np_list_get(NP_LIST_NETWORKS, i);
    if (!family)
        return NULL;
    return strcmp(family->name, "file") ? family->example : "hypercube:3";
}

static void test_network(void **state)
{
    (void)state;
    for (size_t i = 0; example(i); i++) {
        np_network *network = survive(example(i), make_network, example(i));
        assert_non_null(network);
        assert_string_equal(np_network_spec(network), example(i));
        np_network_free(network);
    }
}

/* Formats of files: labels, hosts, attributes, groups. */
static void test_files(void **state)
{
    static const char *const texts[] = {
        "strict graph { node [host=true] edge [cap=\"10G\"] subgraph s { \"a\" + \"\\\"b\" } subgraph s { c } x -- "
        "subgraph s {} }",
        "digraph { rank=same a -> b [key=1] d -> { b c } [cap=3 label=x] }",
        "graph [ node [ id 3 label \"Z&#252;rich\" ] node [ id 4 label \"N\" host 1 ] node [ id 5 label \"N\" ] edge [ "
        "source 3 "
        "target 4 cap \"5ms\" ] edge [ source 4 target 5 cap \"x\" width 2 ] ]",
        "<gexf><graph><attributes class='edge'><attribute id='0' "
        "title='cap'><default>2</default></attribute></attributes><nodes>"
        "<node id='a' label='A'/><node id='b' label='A'/></nodes><edges><edge source='a' "
        "target='b'/></edges></graph></gexf>",
    };
    (void)state;
    for (size_t i = 0; i < 3 + (size_t)support_reads_xml(); i++) {
        char *file = support_file(texts[i]), spec[200];
        snprintf(spec, sizeof spec, "file:%s", file);
        np_network *network = survive(texts[i], make_network, spec);
        assert_non_null(network);
        np_network_free(network);
        remove(file);
        free(file);
    }
}

typedef struct writing {
    np_network *network;
    const char *path, *format;
} writing;

static np_status write_network(const void *context, void **out)
{
    const writing *w = context;
    np_network_written written;
    np_status st = np_network_write(w->network, w->path, w->format, &written);
    *out = st ? NULL : w->network;
    return st;
}

static void test_convert(void **state)
{
    static const char *const formats[] = {"dot", "gml", "graphml", "matrix-market", "anynet", "csv", "node-link"};
    char *file = support_file("");
    (void)state;
    for (size_t i = 0; i < 7; i++) {
        const writing w = {support_network("torus:3x3"), file, formats[i]};
        assert_non_null(survive(formats[i], write_network, &w));
        np_network_free(w.network);
    }
    remove(file);
    free(file);
}

/* Every kind of network, for calls that take long on larger ones. */
static const char *const small[] = {"hypercube:3",
                                    "shuffle:2x3",
                                    "shuffle-exchange:3",
                                    "ccc:3",
                                    "butterfly:3",
                                    "mesh:3x4",
                                    "torus:3x4",
                                    "array:5",
                                    "ring:5",
                                    "complete:5",
                                    "fat-tree:2",
                                    "tree:2",
                                    "mesh-of-trees:2",
                                    "star:3",
                                    "crossbar:2",
                                    "fat-tree-2:2",
                                    "cayley:120,102",
                                    "binomial-tree:3",
                                    "product:ring:3,tree:1"};

enum { SMALL = sizeof small / sizeof *small };

typedef struct path_case {
    const np_network *network;
    const char *rule;
} path_case;

static np_status make_path(const void *context, void **out)
{
    const path_case *c = context;
    return np_path_create(c->rule, c->network, (np_path **)out);
}

/* *out is the network again, so that there is something to hand out. */
static np_status measure(const void *context, void **out)
{
    np_network_facts facts;
    np_status st = np_network_measure(context, 20000, &facts);
    *out = st ? NULL : (void *)(uintptr_t)context;
    return st;
}

/* Small ones try every cut, large ones are left to METIS, if it is there. */
static void test_measure(void **state)
{
    (void)state;
    static const char *const specs[] = {"ring:5", "mesh:3x4", "hypercube:4", "star:4"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        np_network *network = support_network(specs[i]);
        assert_non_null(survive("measuring", measure, network));
        np_network_free(network);
    }
}

static void test_path(void **state)
{
    (void)state;
    size_t made = 0;
    for (size_t i = 0; i < SMALL; i++) {
        np_network *network = support_network(small[i]);
        for (size_t j = 0; np_list_get(NP_LIST_PATHS, j); j++) {
            const path_case c = {network, np_list_get(NP_LIST_PATHS, j)->name};
            np_path *path = survive(c.rule, make_path, &c);
            made += path != NULL;
            np_path_free(path);
        }
        np_network_free(network);
    }
    assert_true(made >= 3);
}

typedef struct guest_case {
    const np_embedding *embedding;
    const np_embedding_run_result *full;
    const char *scheme;
} guest_case;

static np_status run_guest(const void *context, void **out)
{
    const guest_case *c = context;
    np_embedding_guest_options options;
    np_embedding_guest_result result;
    np_embedding_guest_options_init(&options);
    options.scheme = c->scheme;
    np_status st = np_embedding_run_guest(c->embedding, c->full, &options, &result);
    *out = st ? NULL : (void *)(uintptr_t)context;
    return st;
}

static np_status measure_embedding(const void *context, void **out)
{
    np_embedding_facts facts;
    np_status st = np_embedding_measure(context, &facts);
    *out = st ? NULL : (void *)(uintptr_t)context;
    return st;
}

static void test_embedding(void **state)
{
    np_network *guest = support_network("torus:3x4"), *host = support_network("mesh:3x4");
    np_embedding_run_options options;
    np_embedding_run_result *full;
    np_embedding *embedding;
    (void)state;
    np_embedding_run_options_init(&options);
    assert_ok(np_embedding_create(NULL, guest, host, 0, &embedding));
    assert_non_null(survive("measuring an embedding", measure_embedding, embedding));
    assert_ok(np_embedding_run(embedding, &options, &full));
    static const char *const schemes[] = {"valiant", "offline"};
    for (size_t i = 0; i < 2; i++)
        assert_non_null(survive("a guest's run", run_guest, &(guest_case){embedding, full, schemes[i]}));
    np_embedding_run_result_free(full);
    np_embedding_free(embedding);
    np_network_free(guest);
    np_network_free(host);
}

static np_status make_links(const void *context, void **out)
{
    static const np_node from[] = {0, 1, 2, 0}, to[] = {1, 2, 0, 2};
    (void)context;
    return np_network_from_links(3, 4, from, to, (np_network **)out);
}

static void test_network_from_links(void **state)
{
    (void)state;
    np_network *network = survive("from links", make_links, NULL);
    assert_non_null(network);
    np_network_free(network);
}

typedef struct traffic_case {
    const np_network *network;
    const char *spec;
} traffic_case;

static np_status make_traffic(const void *context, void **out)
{
    const traffic_case *c = context;
    return np_traffic_create(c->spec, c->network, 1, 0, (np_traffic **)out);
}

static void test_traffic(void **state)
{
    (void)state;
    static const char *const specs[] = {"identity", "random", "bit-reversal", "transpose", "rotation:3", "hotspot:0"};
    np_network *network = support_network("hypercube:4");
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        const traffic_case c = {network, specs[i]};
        np_traffic *traffic = survive(specs[i], make_traffic, &c);
        assert_non_null(traffic);
        np_traffic_free(traffic);
    }
    np_network_free(network);
}

static np_status copy_arrays(const void *context, void **out)
{
    static const np_node source[] = {0, 1}, destination[] = {1, 0};
    static const uint32_t priority[] = {2, 1};
    return np_traffic_from_arrays(context, 2, source, destination, priority, (np_traffic **)out);
}

static void test_traffic_from_arrays(void **state)
{
    (void)state;
    np_network *network = support_network("hypercube:4");
    np_traffic *traffic = survive("from arrays", copy_arrays, network);
    assert_non_null(traffic);
    np_traffic_free(traffic);
    np_network_free(network);
}

typedef struct route_case {
    const np_network *network;
    const char *scheme;
    unsigned threads;
    uint32_t runs;
    bool observed;
} route_case;

static np_status route(const void *context, void **out)
{
    static const np_observer nobody = {.kinds = 0};
    const route_case *c = context;
    np_route_options options;
    np_route_options_init(&options);
    options.scheme = c->scheme;
    options.runs = c->runs;
    options.threads = c->threads;
    options.observer = c->observed ? &nobody : NULL;
    return np_route(c->network, "random", &options, (np_route_result **)out);
}

static size_t try_route(const np_network *network, const char *scheme, unsigned threads, uint32_t runs, bool observed)
{
    const route_case c = {network, scheme, threads, runs, observed};
    np_route_result *result = survive(scheme, route, &c);
    np_route_result_free(result);
    return result != NULL;
}

/* Every scheme on a small network of each kind, unseen and observed. */
static void test_route(void **state)
{
    const np_entry *scheme;
    (void)state;
    for (size_t i = 0; i < SMALL; i++) {
        np_network *network = support_network(small[i]);
        size_t made = 0;
        for (size_t j = 0; (scheme = np_list_get(NP_LIST_SCHEMES, j)); j++)
            if (!np_scheme_applies(scheme->name, network))
                made += try_route(network, scheme->name, 1, 2, false) + try_route(network, scheme->name, 1, 1, true);
        assert_true(made >= 1);
        np_network_free(network);
    }
}

/* Two threads, which divide the runs between them, or the nodes of one run. */
static void test_route_on_threads(void **state)
{
    (void)state;
    np_network *network = support_network("hypercube:6");
    assert_true(try_route(network, "cubes", 2, 3, false));
    assert_true(try_route(network, "cubes", 2, 1, false));
    np_network_free(network);
}

typedef struct collective_case {
    const np_network *network;
    const np_entry *info;
    const char *model, *file;
} collective_case;

static np_status collective(const void *context, void **out)
{
    const collective_case *c = context;
    np_collective_options options;
    np_collective_options_init(&options);
    options.algorithm = c->info->name;
    options.record = true;
    return np_collective(c->network, c->info->operation, &options, (np_collective_result **)out);
}

/* Every algorithm for collective operations. */
static void test_collective(void **state)
{
    (void)state;
    static const char *const specs[] = {"mesh:2x3", "hypercube:2", "complete:8"};
    const np_entry *info;
    size_t made = 0;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        np_network *network = support_network(specs[i]);
        for (size_t j = 0; (info = np_list_get(NP_LIST_COLLECTIVES, j)); j++) {
            const collective_case c = {.network = network, .info = info};
            void *probe;
            if (collective(&c, &probe) == NP_ERROR_APPLY) /* after allocations, among ranks */
                continue;
            np_collective_result_free(probe);
            np_collective_result *result = survive(info->name, collective, &c);
            made += result != NULL;
            np_collective_result_free(result);
        }
        np_network_free(network);
    }
    assert_true(made >= 30);
}

/* Flows that arrive in no order of starts, and flows that arrive at random. */
static np_status play_flows(const void *context, void **out)
{
    static const np_node from[] = {0, 1, 2}, to[] = {2, 0, 2};
    static const double size[] = {3, 1, 2}, start[] = {1, 0, 2};
    const np_flow_list list = {3, from, to, size, start};
    np_flows_options options;
    np_flows_options_init(&options);
    options.split = true;
    return np_flows_play(context, &list, &options, (np_flows_result **)out);
}

static np_status draw_flows(const void *context, void **out)
{
    np_flows_options options;
    np_flows_options_init(&options);
    options.load = 0.9;
    options.arrivals = 100;
    options.link_rate = "8kbit/s";
    options.flow_size = "4";
    options.record_rates = true;
    return np_flows(context, "uniform", &options, (np_flows_result **)out);
}

static np_status play_jobs(const void *context, void **out)
{
    static const np_jobs_item jobs[] = {{.collective = "all-reduce", .size = 5, .ranks = 3},
                                        {.name = "b", .collective = "scatter", .size = 5, .ranks = 2, .random = true}};
    return np_jobs_play(context, 2, jobs, NULL, (np_jobs_result **)out);
}

static char *jobs_path;

static np_status read_jobs(const void *context, void **out)
{
    return np_jobs_file_read(jobs_path, context, NULL, (np_jobs_file **)out);
}

static void test_flows(void **state)
{
    (void)state;
    np_network *network = support_network("mesh:2x3");
    np_flows_result *result;
    np_jobs_result *jobs;
    np_jobs_file *file;
    assert_non_null(jobs = survive("jobs", play_jobs, network));
    np_jobs_free(jobs);
    jobs_path = support_file("[{\"collective\": \"scan\", \"size\": 2, \"hosts\": [1, 2]}]");
    assert_non_null(file = survive("a file of jobs", read_jobs, network));
    np_jobs_file_free(file);
    remove(jobs_path);
    free(jobs_path);
    assert_non_null(result = survive("flows of arrays", play_flows, network));
    np_flows_free(result);
    assert_non_null(result = survive("flows that are drawn", draw_flows, network));
    np_flows_free(result);
    np_network_free(network);
}

/* Two curves, one of them with routes that are found beforehand, and theory beside them. */
static np_status load_network(const void *context, void **out)
{
    np_load_options options;
    np_load_options_init(&options);
    options.paths = "greedy,spray";
    options.loads = "0.3,2";
    options.arrivals = "poisson";
    options.precision = 0.5;
    options.cycles = 1000;
    options.bound = true;
    options.threads = 1;
    options.links_file = "/dev/null";
    return np_load(context, "uniform", &options, (np_load_result **)out);
}

static np_status load_closed(const void *context, void **out)
{
    np_load_options options;
    np_load_options_init(&options);
    options.window = "1,3";
    options.precision = 0.5;
    options.cycles = 1000;
    options.threads = 1;
    return np_load(context, "uniform", &options, (np_load_result **)out);
}

static char *trace_path;

static np_status load_trace(const void *context, void **out)
{
    np_load_options options;
    char spec[80];
    np_load_options_init(&options);
    options.threads = 1;
    snprintf(spec, sizeof spec, "trace:%s", trace_path);
    return np_load(context, spec, &options, (np_load_result **)out);
}

static void test_load(void **state)
{
    np_network *network = support_network("ring:5");
    np_load_result *result;
    (void)state;
    assert_non_null(result = survive("load", load_network, network));
    np_load_free(result);
    assert_non_null(result = survive("closed loop", load_closed, network));
    np_load_free(result);
    trace_path = support_file("time,source,destination,size\n0,1,2,40\n3,0,4,1\n9,2,1,2\n");
    assert_non_null(result = survive("a trace", load_trace, network));
    np_load_free(result);
    remove(trace_path);
    free(trace_path);
    np_network_free(network);
}

/* Among ranks: the rounds cross a network by flows and by packets, and are written. */
static np_status ranks(const void *context, void **out)
{
    const collective_case *c = context;
    np_collective_options options;
    np_collective_options_init(&options);
    options.model = c->model;
    options.place = "random";
    options.goal = c->file;
    return np_collective(c->network, "all-reduce", &options, (np_collective_result **)out);
}

static np_status replay(const void *context, void **out)
{
    const collective_case *c = context;
    np_replay_options options;
    np_replay_options_init(&options);
    options.model = c->model;
    return np_replay(c->network, c->file, &options, (np_replay_result **)out);
}

static void test_ranks(void **state)
{
    (void)state;
    static const char *const models[] = {"flows", "steps", "loggops"};
    np_network *network = support_network("torus:2x3");
    char *file = support_file("");
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        const collective_case c = {network, NULL, models[i], file};
        if (i < 2)
            np_collective_result_free(survive(models[i], ranks, &c));
        np_replay_result *result = survive(models[i], replay, &c);
        assert_non_null(result);
        np_replay_result_free(result);
    }
    remove(file);
    free(file);
    np_network_free(network);
}

static int see_step(void *context, const np_script_step *step)
{
    (void)context;
    return !step->active;
}

/* A program's text is compiled, run and watched: calls, arrays of blocks, levels, outputs. */
static np_status make_script_result(const void *context, void **out)
{
    static const np_script_observer observer = {.step = see_step};
    const char *text = context;
    np_script *script;
    np_script_options options;
    np_pram_options pram;
    np_script_result *result = NULL;
    *out = NULL;
    np_status st = np_script_create("p.pram", text, strlen(text), NULL, &script);
    if (st)
        return st;
    np_script_options_init(&options);
    np_pram_options_init(&pram);
    options.program.n = 5;
    options.observer = &observer;
    st = np_script_run(script, &pram, &options, NULL, &result);
    np_script_free(script); /* its names are not looked at */
    *out = result;
    return st;
}

typedef struct judging {
    const np_network *network;
    const char *paths;
} judging;

static np_status find_deadlock(const void *context, void **out)
{
    const judging *j = context;
    np_deadlock_options options;
    np_deadlock_options_init(&options);
    options.paths = j->paths;
    return np_deadlock_find(j->network, &options, (np_deadlock **)out);
}

/* All routes hop by hop, where they apply. */
static void test_deadlock(void **state)
{
    static const char *const specs[] = {"torus:3x4", "dragonfly:a=2,p=1,h=1", "kary-tree:2x2", "hyperx:2x3"};
    (void)state;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        np_network *network = support_network(specs[i]);
        for (size_t k = 0; np_list_get(NP_LIST_RELATIONS, k); k++) {
            judging j = {network, np_list_get(NP_LIST_RELATIONS, k)->name};
            void *deadlock;
            if (find_deadlock(&j, &deadlock))
                continue;
            np_deadlock_free(deadlock);
            np_deadlock_free(survive(j.paths, find_deadlock, &j));
        }
        np_network_free(network);
    }
}

static void test_script(void **state)
{
    (void)state;
    static const char text[] =
        "input G : graph\noutput a\nshared a[n]\nfunction f(b[] : int, i : int) : int\n  shared c[i + 1]\n"
        "  for j in 0..i pardo c[j] := b[j] + 1 end\n  return c[i]\nend\n"
        "for i in 0..n-1 pardo\n  if i mod 2 = 0 then a[i] := f(a, i) end\nend\n";
    np_script_result_free(survive("a program's text", make_script_result, text));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_network),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_convert),
        cmocka_unit_test(test_measure),
        cmocka_unit_test(test_path),
        cmocka_unit_test(test_embedding),
        cmocka_unit_test(test_network_from_links),
        cmocka_unit_test(test_traffic),
        cmocka_unit_test(test_traffic_from_arrays),
        cmocka_unit_test(test_route),
        cmocka_unit_test(test_route_on_threads),
        cmocka_unit_test(test_collective),
        cmocka_unit_test(test_flows),
        cmocka_unit_test(test_load),
        cmocka_unit_test(test_ranks),
        cmocka_unit_test(test_deadlock),
        cmocka_unit_test(test_script),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
