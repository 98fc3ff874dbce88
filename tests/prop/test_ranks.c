/*
 * A run that ranks share has the report of a run of one process, to the byte: for networks, schemes, disciplines,
 * traffics, numbers of ranks and of threads. Every rank has it. What is not divided is refused on all ranks alike.
 */
#include "support.h"

#include "oracle/job.h"

enum { RANKS_MAX = 7 };

typedef struct routed {
    const np_network *network;
    const char *traffic;
    const np_traffic *packets; /* the traffic; NULL: it is `traffic` */
    np_route_options options;
    unsigned limited; /* the rank that the memory limit of the options is for; those of others are 0 */
    /* Of each rank. */
    char *report[RANKS_MAX];
    np_status status[RANKS_MAX];
    char message[RANKS_MAX][512];
} routed;

/* The report, but for what may differ: how long it took, and on how many threads. */
static char *report_of(np_route_result *result)
{
    np_report_options options;
    char *text;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    np_report_options_init(&options);
    options.format = NP_REPORT_JSON;
    result->threads = 0;
    result->wall_seconds = 0;
    assert_ok(np_report_route(result, &options, stream));
    fclose(stream);
    return text;
}

static void route_as(void *context, const np_job *job)
{
    routed *r = context;
    np_route_options options = r->options;
    np_route_result *result;
    unsigned rank = job ? job->rank : 0;
    options.job = job;
    options.memory_limit = rank == r->limited ? options.memory_limit : 0;
    r->report[rank] = NULL;
    r->status[rank] = r->packets ? np_route_traffic(r->network, r->packets, &options, &result)
                                 : np_route(r->network, r->traffic, &options, &result);
    strncpy(r->message[rank], np_last_error(), sizeof r->message[rank] - 1);
    if (!r->status[rank])
        r->report[rank] = report_of(result);
    np_route_result_free(result);
}

static np_route_options options_of(const char *scheme, const char *queue, const char *paths)
{
    np_route_options options;
    np_route_options_init(&options);
    options.scheme = scheme;
    options.queue = queue;
    options.paths = paths;
    options.seed = 5;
    options.runs = 2;
    return options;
}

static void same_of(const np_network *network, const char *traffic, const np_traffic *packets, np_route_options options)
{
    static const unsigned counts[] = {2, 3, 4, 7};
    static unsigned turn;
    size_t kind = np_network_nodes(network) + strlen(traffic) + strlen(options.scheme);
    routed alone = {.network = network, .traffic = traffic, .packets = packets, .options = options};
    route_as(&alone, NULL);
    if (alone.status[0])
        fail_msg("%s %s: %s", np_network_spec(network), traffic, alone.message[0]);
    for (size_t c = SUPPORT_FEWER(0, kind % 4); c < sizeof counts / sizeof *counts; c += SUPPORT_FEWER(1, 4)) {
        options.threads = 1 + turn++ % 3 % 2; /* each number of ranks comes with 1 and with 2 */
        routed shared = {.network = network, .traffic = traffic, .packets = packets, .options = options};
        oracle_job_run(counts[c], route_as, &shared);
        for (unsigned r = 0; r < counts[c]; r++) {
            if (shared.status[r])
                fail_msg("%s %s %s on %u ranks: %s", np_network_spec(network), traffic, options.scheme, counts[c],
                         shared.message[r]);
            if (strcmp(alone.report[0], shared.report[r]))
                fail_msg("%s %s %s %s: rank %u of %u, %u threads, differs:\n%s\n%s", np_network_spec(network), traffic,
                         options.scheme, options.queue ? options.queue : "", r, counts[c], options.threads,
                         alone.report[0], shared.report[r]);
            free(shared.report[r]);
        }
    }
    free(alone.report[0]);
}

static void same_on(const np_network *network, const char *traffic, np_route_options options)
{
    same_of(network, traffic, NULL, options);
}

static const struct {
    const char *network, *scheme, *traffic;
} cases[] = {
    {"hypercube:8", "cubes", "transpose"},
    {"hypercube:9", "basic", "random"},
    {"hypercube:7", "cubess", "h-relation:3"},
    {"hypercube:8", "greedy", "bit-reversal"},
    {"hypercube:6", "valiant", "hotspot:11:0.5"},
    {"hypercube:5", "cubes", "all-to-all"},
    {"hypercube:2", "cubes", "identity"},
    {"hypercube:5", "greedy", "repeat:200:hotspot:3"}, /* all come to one rank, which makes room for them */
    {"mesh:12x17", "grid", "random-function:2"},
    {"mesh:16x16", "greedy", "transpose"},
    {"mesh:5x6x7", "valiant", "partial:0.3"},
    {"torus:6x5x7", "valiant", "rotation:9"},
    {"torus:9x9", "greedy", "repeat:3:tornado"},
    {"ring:50", "greedy", "hotspot:3"},
};

static void ranks_do_not_matter(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_network *network = support_network(cases[i].network);
        for (size_t q = i % 2; np_list_get(NP_LIST_QUEUES, q); q += SUPPORT_FEWER(2, 4))
            same_on(network, cases[i].traffic, options_of(cases[i].scheme, np_list_get(NP_LIST_QUEUES, q)->name, NULL));
        np_network_free(network);
    }
}

/* The caller's packets, in no order, with priorities. */
static void ranks_share_packets_of_the_caller(void **state)
{
    enum { PACKETS = 500 };
    np_network *network = support_network("torus:6x7");
    np_node from[PACKETS], to[PACKETS];
    uint32_t priority[PACKETS];
    np_traffic *packets;
    (void)state;
    for (uint32_t p = 0; p < PACKETS; p++) {
        from[p] = p * 29 % 42;
        to[p] = p * p % 41;
        priority[p] = p * 17 % 5;
    }
    assert_ok(np_traffic_from_arrays(network, PACKETS, from, to, priority, &packets));
    same_of(network, "arrays", packets, options_of("valiant", "priority", NULL));
    same_of(network, "arrays", packets, options_of("greedy", "nearest-origin-first", NULL));
    np_traffic_free(packets);
    np_network_free(network);
}

/* With the scheme's own queues the accelerator `levels` serves cubes with so many dimensions. */
static void ranks_share_levels(void **state)
{
    static const char *const traffics[] = {
        "random", "h-relation:3", "partial:0.2", "transpose",
        "hotspot:5:0.1" /* phase B ends with too many packets at a node for bytes: it is stepped */
    };
    np_network *network = support_network("hypercube:12"), *odd = support_network("hypercube:13");
    (void)state;
    for (size_t t = 0; t < sizeof traffics / sizeof *traffics; t++)
        same_on(network, traffics[t], options_of("cubes", NULL, NULL));
    same_on(odd, "bit-reversal", options_of("greedy", NULL, "dimension-order"));
    np_network_free(network);
    np_network_free(odd);
}

enum { GIVEN = 60 };

/* A list of links: a ring of one way, and links from all nodes to a few, so that blocks are entered by many. */
static np_network *given_network(void)
{
    bool linked[GIVEN][GIVEN] = {{false}};
    np_network *network;
    char *text;
    size_t size;
    for (unsigned u = 0; u < GIVEN; u++)
        linked[u][(u + 1) % GIVEN] = linked[u][(u * u + 7 * u + 3) % 5] = linked[u % 5][(u * 3 + 1) % GIVEN] = true;
    FILE *stream = open_memstream(&text, &size);
    for (unsigned u = 0; u < GIVEN; u++)
        for (unsigned v = 0; v < GIVEN; v++)
            if (linked[u][v] && u != v)
                fprintf(stream, "%u %u\n", u, v);
    fclose(stream);
    assert_ok(support_network_of_text(text, ":directed", &network));
    free(text);
    return network;
}

static void ranks_share_given_networks(void **state)
{
    static const char *const paths[] = {"shortest", "spray", "k-shortest:3"};
    static const char *const traffics[] = {"random", "hotspot:2:0.6", "all-to-all"};
    np_network *network = given_network();
    (void)state;
    for (size_t p = 0; p < sizeof paths / sizeof *paths; p++)
        for (size_t t = 0; t < sizeof traffics / sizeof *traffics; t++) {
            if (!support_takes(p, t, 1))
                continue;
            for (size_t q = SUPPORT_FEWER((p + t) % 2, (p + 2 * t) % 4); np_list_get(NP_LIST_QUEUES, q);
                 q += SUPPORT_FEWER(2, 4))
                same_on(network, traffics[t], options_of("valiant", np_list_get(NP_LIST_QUEUES, q)->name, paths[p]));
        }
    np_network_free(network);
}

/* All ranks have the status, and a message with the text. */
static void refused(routed *r, unsigned ranks, np_status status, const char *text)
{
    oracle_job_run(ranks, route_as, r);
    for (unsigned i = 0; i < ranks; i++) {
        assert_int_equal(r->status[i], status);
        if (!strstr(r->message[i], text))
            fail_msg("rank %u says '%s', not '%s'", i, r->message[i], text);
    }
}

static int watch_step(void *context, const np_step_report *report)
{
    (void)context, (void)report;
    return 0;
}

static void what_is_not_divided_is_refused(void **state)
{
    np_network *cube = support_network("hypercube:6"), *tree = support_network("fat-tree:3");
    np_network *twins, *line = support_network("array:2000");
    (void)state;
    assert_ok(support_network_of_text("0 1\n0 1\n1 2\n2 0\n", ":directed", &twins));
    routed r = {.network = cube, .traffic = "random", .options = options_of("ranked", NULL, NULL)};
    refused(&r, 3, NP_ERROR_APPLY, "scheme 'ranked' is not divided over ranks");
    r.options = options_of("cubes", NULL, NULL);
    r.options.overlap = true;
    refused(&r, 3, NP_ERROR_APPLY, "overlap is not divided");
    r.options = options_of("cubes", NULL, NULL);
    r.options.phase_time = "9";
    refused(&r, 2, NP_ERROR_APPLY, "phase_time is not divided");
    r.options = options_of("cubes", NULL, NULL);
    r.options.on_step = watch_step;
    refused(&r, 2, NP_ERROR_APPLY, "what is told of each step");
    r.options = options_of("greedy", NULL, NULL);
    r.network = tree;
    refused(&r, 2, NP_ERROR_APPLY, "fat-tree");
    r.network = twins;
    refused(&r, 2, NP_ERROR_APPLY, "where links are parallel");
    r.network = cube;
    r.options = options_of("greedy", NULL, "balanced");
    refused(&r, 2, NP_ERROR_APPLY, "balanced");
    r.network = line;
    r.options = options_of("greedy", NULL, "shortest");
    refused(&r, 2, NP_ERROR_APPLY, "routes of at most 58 hops");
    np_network_free(cube);
    np_network_free(tree);
    np_network_free(twins);
    np_network_free(line);
}

/* Memory that one rank lacks, at any time of the run, is an error of all ranks. */
static void an_error_of_one_rank_is_that_of_all(void **state)
{
    np_network *network = support_network("hypercube:5");
    routed r = {.network = network, .traffic = "repeat:400:hotspot:3", .limited = 0};
    unsigned refusals = 0;
    (void)state;
    for (uint64_t limit = 1 << 16;; limit += limit / 8, refusals++) {
        r.options = options_of("greedy", refusals % 2 ? "farthest-first" : NULL, NULL);
        r.options.memory_limit = limit;
        oracle_job_run(4, route_as, &r);
        for (unsigned i = 1; i < 4; i++) {
            assert_int_equal(r.status[i], r.status[0]);
            assert_true(!r.status[i] || !strcmp(r.message[i], r.message[0]));
            free(r.report[i]);
        }
        free(r.report[0]);
        if (!r.status[0])
            break;
        assert_int_equal(r.status[0], NP_ERROR_LIMIT);
    }
    assert_true(refusals > 3);
    np_network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ranks_do_not_matter),
                                       cmocka_unit_test(ranks_share_levels),
                                       cmocka_unit_test(ranks_share_packets_of_the_caller),
                                       cmocka_unit_test(ranks_share_given_networks),
                                       cmocka_unit_test(what_is_not_divided_is_refused),
                                       cmocka_unit_test(an_error_of_one_rank_is_that_of_all)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
