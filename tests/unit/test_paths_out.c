/*
 * The paths of the best flow, as a file: each line is followed on the network, and the loads that the weights make are
 * those that the factor promises; so say the path rule "file", and packets that draw their paths.
 */
#include "support.h"

#include <math.h>
#include <unistd.h>

#include "oracle/certificate.h"

enum { NODES_MOST = 600, LINE_MOST = 4000 };

static np_throughput *find(const np_network *network, const np_traffic *traffic, const char *paths, const char *out)
{
    np_throughput_options options;
    np_throughput *r;
    np_throughput_options_init(&options);
    options.gap = 0.02;
    options.paths = paths;
    options.paths_out = out;
    assert_ok(np_throughput_find(network, traffic, &options, &r));
    return r;
}

static np_node node_of(const np_network *network, const char *name)
{
    char room[NP_NAME_ROOM];
    for (np_node u = 0; u < np_network_nodes(network); u++)
        if (!strcmp(np_network_node_name(network, u, room), name))
            return u;
    fail_msg("no node '%s'", name);
    return 0;
}

/* ---- The judge: the file by its definition ---- */

typedef struct line {
    np_node node[NODES_MOST];
    size_t nodes;
    double weight;
} line;

static line read_line(const np_network *network, char *text)
{
    line x = {.weight = 1};
    char *rest = text;
    for (char *word; (word = strtok_r(rest, " \n", &rest));)
        if (!strcmp(word, "@"))
            x.weight = atof(strtok_r(rest, " \n", &rest));
        else
            x.node[x.nodes++] = node_of(network, word);
    assert_true(x.nodes >= 2);
    return x;
}

static uint32_t links_between(const np_network *network, np_node u, np_node v)
{
    uint32_t links = 0;
    for (np_link link = np_network_first_link(network, u); link < np_network_first_link(network, u + 1); link++)
        links += np_network_link_head(network, link) == v;
    return links;
}

/* No node twice, and a link for each hop. */
static void check_line(const np_network *network, const line *x)
{
    for (size_t i = 0; i < x->nodes; i++)
        for (size_t k = 0; k < i; k++)
            assert_int_not_equal(x->node[i], x->node[k]);
    for (size_t i = 1; i < x->nodes; i++)
        assert_true(links_between(network, x->node[i - 1], x->node[i]) > 0);
}

/* The weights of each pair, then the load of each pair of neighbours: all in matrices. */
static double judge(const np_network *network, const np_traffic *traffic, const char *path, size_t *lines,
                    size_t *longest)
{
    size_t n = np_network_nodes(network);
    double *all = calloc(n * n, sizeof *all), *amount = calloc(n * n, sizeof *amount),
           *load = calloc(n * n, sizeof *load);
    char text[LINE_MOST];
    double factor = INFINITY;
    for (np_packet i = 0; i < np_traffic_packets(traffic); i++)
        amount[np_traffic_sources(traffic)[i] * n + np_traffic_destinations(traffic)[i]]++;
    *lines = *longest = 0;
    for (int pass = 0; pass < 2; pass++) {
        FILE *file = fopen(path, "r");
        assert_non_null(file);
        while (fgets(text, sizeof text, file)) {
            line x = read_line(network, text);
            size_t pair = x.node[0] * n + x.node[x.nodes - 1];
            if (!pass) {
                check_line(network, &x);
                all[pair] += x.weight;
                ++*lines;
                *longest = x.nodes - 1 > *longest ? x.nodes - 1 : *longest;
                continue;
            }
            for (size_t i = 1; i < x.nodes; i++)
                load[x.node[i - 1] * n + x.node[i]] += amount[pair] * x.weight / all[pair];
        }
        fclose(file);
    }
    for (size_t i = 0; i < n * n; i++) {
        assert_true((all[i] > 0) == (amount[i] > 0 && i / n != i % n));
        if (load[i] > 0)
            factor = fmin(factor, links_between(network, (np_node)(i / n), (np_node)(i % n)) / load[i]);
    }
    free(all);
    free(amount);
    free(load);
    return factor;
}

static void carries_the_flow(void **state)
{
    (void)state;
    static const struct {
        const char *network, *traffic;
    } cases[] = {
        {"mesh:4x4", "transpose"},        {"torus:6x6:fail=0.1", "all-to-all"}, {"torus:5x5:fail=0.1", "tornado"},
        {"xgft:2:4,4:1,2", "all-to-all"}, {"dragonfly:a=4,p=2,h=2", "random"},  {"hypercube:5", "h-relation:3"},
        {"jellyfish:200,5@2", "random"},
    };
    const char *path = certificate_path();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        np_network *network = support_network(cases[i].network);
        np_traffic *traffic = support_traffic(network, cases[i].traffic, 1);
        np_throughput *r = find(network, traffic, NULL, path);
        size_t lines, longest;
        double factor = judge(network, traffic, path, &lines, &longest);
        assert_true(fabs(factor / r->factor.low - 1) < 1e-5);
        assert_string_equal(r->written.file, path);
        assert_int_equal(r->written.paths, lines);
        assert_int_equal(r->written.longest, longest);
        assert_true(lines >= r->demands);
        char rule[200];
        snprintf(rule, sizeof rule, "file:%s", path);
        np_throughput *again = find(network, traffic, rule, NULL);
        assert_true(fabs(again->paths.factor / factor - 1) < 1e-9);
        np_throughput_free(again);
        np_throughput_free(r);
        np_traffic_free(traffic);
        np_network_free(network);
    }
    unlink(path);
}

/* ---- Refusals ---- */

static void refusals(void **state)
{
    (void)state;
    np_network *network = support_network("ring:5");
    np_traffic *traffic = support_traffic(network, "all-to-all", 1), *resting = support_traffic(network, "identity", 1);
    np_throughput_options options;
    np_throughput *r;
    np_throughput_options_init(&options);
    options.paths_out = "/nowhere/at/all";
    assert_refused(np_throughput_find(network, traffic, &options, &r), NP_ERROR_IO, "/nowhere/at/all");
    assert_refused(np_throughput_find(network, resting, &options, &r), NP_ERROR_APPLY, "no packet takes a link");
    np_traffic_free(traffic);
    np_traffic_free(resting);
    np_network_free(network);
}

/* A limit that any clock passes: both where paths are stored and where they follow from lengths. */
static void late(void **state)
{
    static const char *const traffics[] = {"all-to-all", "random"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        char *path = support_file("");
        np_network *network = support_network("jellyfish:40,4");
        np_traffic *traffic = support_traffic(network, traffics[i], 1);
        np_throughput_options options;
        np_throughput *r;
        np_throughput_options_init(&options);
        remove(path);
        options.time_limit = 1e-9;
        options.paths_out = path;
        assert_ok(np_throughput_find(network, traffic, &options, &r));
        assert_string_equal(r->written.file, path);
        assert_true(r->factor.low > 0 && !r->written.paths && !r->written.longest);
        assert_int_not_equal(access(path, F_OK), 0);
        np_throughput_free(r);
        np_traffic_free(traffic);
        np_network_free(network);
        free(path);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(carries_the_flow),
        cmocka_unit_test(refusals),
        cmocka_unit_test(late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
