/* Reports of a small hand-made result, byte for byte. */
#include <unistd.h>

#include "support.h"

#include <math.h>

/*
 * Two phases of two runs, values chosen to show every kind of number: whole
 * means, fractions, a count beyond 2^32.
 */
static np_phase_run runs[2];
static const uint64_t histogram[] = {14, 0, 2};

static np_summary summary(double mean, double least, double most)
{
    return (np_summary){
        .count = 2, .mean = mean, .variance = 0.5, .min = least, .max = most, .p50 = least, .p99 = most, .ci95 = 0.1};
}

static np_phase_result phase(const char *name)
{
    np_phase_result p = {.run = runs,
                         .steps = summary(3.5, 3, 4),
                         .physical_steps = summary(9.5, 9, 10),
                         .delay_max = summary(1, 0, 2),
                         .delay_mean = summary(0.125, 0, 0.25),
                         .delay_p50 = summary(0, 0, 0),
                         .delay_p90 = summary(0, 0, 0),
                         .delay_p99 = summary(1, 0, 2),
                         .delay_p999 = summary(1, 0, 2),
                         .queue_max = summary(2, 2, 2),
                         .population_max = summary(3, 3, 3),
                         .congestion = summary(2, 2, 2),
                         .hops = summary(5e9, 5e9, 5e9),
                         .traffic_mean = summary(0.1, 0.1, 0.1),
                         .delays = 3,
                         .delay_histogram = histogram};
    strcpy(p.name, name);
    return p;
}

static const char *report(np_report_options options, size_t phases)
{
    static char text[8192];
    np_phase_result both[2] = {phase("A"), phase("B")};
    np_route_result result = {.network = "hypercube:3",
                              .scheme = "cubes",
                              .paths = "dimension-order",
                              .traffic = "file:a,b\".txt",
                              .queue = "fifo",
                              .nodes = 8,
                              .links = 24,
                              .seed = UINT64_MAX,
                              .runs = 2,
                              .threads = 3,
                              .overlap = true,
                              .packets = 8,
                              .relation = 1,
                              .phases = phases,
                              .phase = both,
                              .total_steps = summary(7, 6, 8),
                              .total_physical_steps = summary(19, 18, 20),
                              .wall_seconds = 0.25};
    memset(text, 0, sizeof text);
    FILE *stream = fmemopen(text, sizeof text, "w");
    assert_ok(np_report_route(&result, &options, stream));
    fclose(stream);
    return text;
}

#define MEASURES(name)                                                                                                 \
    "    {\n"                                                                                                          \
    "      \"name\": \"" name "\",\n"                                                                                  \
    "      \"steps\": {\"mean\": 3.5, \"variance\": 0.5, \"min\": 3, \"max\": 4, \"p50\": 3, \"p99\": 4, \"ci95\": "   \
    "0.1},\n"                                                                                                          \
    "      \"physical_steps\": {\"mean\": 9.5, \"variance\": 0.5, \"min\": 9, \"max\": 10, \"p50\": 9, \"p99\": 10, "  \
    "\"ci95\": 0.1},\n"                                                                                                \
    "      \"delay_max\": {\"mean\": 1.0, \"variance\": 0.5, \"min\": 0, \"max\": 2, \"p50\": 0, \"p99\": 2, "         \
    "\"ci95\": 0.1},\n"                                                                                                \
    "      \"delay_mean\": {\"mean\": 0.125, \"variance\": 0.5, \"min\": 0.0, \"max\": 0.25, \"p50\": 0.0, \"p99\": "  \
    "0.25, \"ci95\": 0.1},\n"                                                                                          \
    "      \"delay_p50\": {\"mean\": 0.0, \"variance\": 0.5, \"min\": 0, \"max\": 0, \"p50\": 0, \"p99\": 0, "         \
    "\"ci95\": 0.1},\n"                                                                                                \
    "      \"delay_p90\": {\"mean\": 0.0, \"variance\": 0.5, \"min\": 0, \"max\": 0, \"p50\": 0, \"p99\": 0, "         \
    "\"ci95\": 0.1},\n"                                                                                                \
    "      \"delay_p99\": {\"mean\": 1.0, \"variance\": 0.5, \"min\": 0, \"max\": 2, \"p50\": 0, \"p99\": 2, "         \
    "\"ci95\": 0.1},\n"                                                                                                \
    "      \"delay_p999\": {\"mean\": 1.0, \"variance\": 0.5, \"min\": 0, \"max\": 2, \"p50\": 0, \"p99\": 2, "        \
    "\"ci95\": 0.1},\n"                                                                                                \
    "      \"queue_max\": {\"mean\": 2.0, \"variance\": 0.5, \"min\": 2, \"max\": 2, \"p50\": 2, \"p99\": 2, "         \
    "\"ci95\": 0.1},\n"                                                                                                \
    "      \"population_max\": {\"mean\": 3.0, \"variance\": 0.5, \"min\": 3, \"max\": 3, \"p50\": 3, \"p99\": 3, "    \
    "\"ci95\": 0.1},\n"                                                                                                \
    "      \"congestion\": {\"mean\": 2.0, \"variance\": 0.5, \"min\": 2, \"max\": 2, \"p50\": 2, \"p99\": 2, "        \
    "\"ci95\": 0.1},\n"                                                                                                \
    "      \"hops\": {\"mean\": 5000000000.0, \"variance\": 0.5, \"min\": 5000000000, \"max\": 5000000000, \"p50\": "  \
    "5000000000, \"p99\": 5000000000, \"ci95\": 0.1},\n"                                                               \
    "      \"traffic_mean\": {\"mean\": 0.1, \"variance\": 0.5, \"min\": 0.1, \"max\": 0.1, \"p50\": 0.1, \"p99\": "   \
    "0.1, \"ci95\": 0.1},\n"                                                                                           \
    "      \"delay_histogram\": [[0, 14], [2, 2]]\n"                                                                   \
    "    }"

#define HEAD                                                                                                           \
    "{\n"                                                                                                              \
    "  \"netpram\": \"" NETPRAM_VERSION "\",\n"                                                                        \
    "  \"json_version\": 1,\n"                                                                                         \
    "  \"command\": \"netpram route\",\n"                                                                              \
    "  \"seed\": \"18446744073709551615\",\n"                                                                          \
    "  \"runs\": 2,\n"                                                                                                 \
    "  \"threads\": 3,\n"                                                                                              \
    "  \"wall_seconds\": 0.25,\n"                                                                                      \
    "  \"network\": {\"spec\": \"hypercube:3\", \"nodes\": 8, \"links\": 24},\n"                                       \
    "  \"scheme\": \"cubes\",\n"                                                                                       \
    "  \"paths\": \"dimension-order\",\n"                                                                              \
    "  \"traffic\": \"file:a,b\\\".txt\",\n"                                                                           \
    "  \"queue\": \"fifo\",\n"                                                                                         \
    "  \"overlap\": true,\n"                                                                                           \
    "  \"packets\": 8,\n"                                                                                              \
    "  \"relation\": 1,\n"                                                                                             \
    "  \"phases\": [\n"
#define TOTAL                                                                                                          \
    "  ],\n"                                                                                                           \
    "  \"total_steps\": {\"mean\": 7.0, \"variance\": 0.5, \"min\": 6, \"max\": 8, \"p50\": 6, \"p99\": 8, \"ci95\": " \
    "0.1},\n"                                                                                                          \
    "  \"total_physical_steps\": {\"mean\": 19.0, \"variance\": 0.5, \"min\": 18, \"max\": 20, \"p50\": 18, \"p99\": " \
    "20, "                                                                                                             \
    "\"ci95\": 0.1}"

static void json_is_stable(void **state)
{
    (void)state;
    np_report_options options = {
        .size = sizeof(np_report_options), .format = NP_REPORT_JSON, .command = "netpram route"};
    assert_string_equal(report(options, 2), HEAD MEASURES("A") ",\n" MEASURES("B") "\n" TOTAL "\n}\n");
}

static const np_report_bound bounds[] = {
    {"A", "Theorem 1", "Paper, section 5", "x^y", "", "delay", 1, 8, 2, {{4, 1, 0, 0.5}, {9, 1e-300, -996.5, 0}}, {0}},
    {"B", "Theorem 4", "Paper, section 8", "B()", "", "steps", 2, 9, 1, {{4, 0.5, -1, 1}}, {0}},
    {"C", "none", "", "", "nothing is proved", NULL, 1, 8, 0, {{0, 0, 0, 0}}, {0}},
    {"D", "none", "", "", "nothing is proved", NULL, 1, 8, 0, {{0, 0, 0, 0}}, {0}},
};

static void json_has_the_bound_when_asked(void **state)
{
    (void)state;
    np_report_options options = {.size = sizeof(np_report_options),
                                 .format = NP_REPORT_JSON,
                                 .command = "netpram route",
                                 .bound = bounds,
                                 .bounds = 1};
    assert_string_equal(
        report(options, 1),
        HEAD MEASURES(
            "A") "\n" TOTAL ",\n"
                 "  \"bound\": [\n"
                 "    {\n"
                 "      \"phase\": \"A\",\n"
                 "      \"theorem\": \"Theorem 1\",\n"
                 "      \"source\": \"Paper, section 5\",\n"
                 "      \"formula\": \"x^y\",\n"
                 "      \"applies\": true,\n"
                 "      \"reason\": \"\",\n"
                 "      \"relation\": 1,\n"
                 "      \"packets\": 8,\n"
                 "      \"steps\": null,\n"
                 "      \"ladder\": [{\"delay\": 4.0, \"bound\": 1.0, \"log2_bound\": 0.0, \"measured\": 0.5}, "
                 "{\"delay\": 9.0, \"bound\": 1e-300, \"log2_bound\": -996.5, \"measured\": 0.0}]\n"
                 "    }\n"
                 "  ]\n"
                 "}\n");
    options.bounds = 3;
    const char *text = report(options, 1);
    assert_non_null(strstr(text, "\"ladder\": [{\"steps\": 4.0, "));
    assert_non_null(strstr(text, "\"applies\": false,\n      \"reason\": \"nothing is proved\",\n"));
    assert_non_null(strstr(text, "\"ladder\": []\n"));
    options.bounds = 0;
    assert_null(strstr(report(options, 1), "bound"));
}

static void table_is_aligned(void **state)
{
    (void)state;
    np_report_options options = {
        .size = sizeof(np_report_options), .format = NP_REPORT_TABLE, .command = "netpram route hypercube:3"};
    assert_string_equal(
        report(options, 2),
        "network  hypercube:3: 8 nodes, 24 links\n"
        "scheme   cubes: paths dimension-order, queue fifo, phases overlap\n"
        "traffic  file:a,b\".txt: 8 packets, a partial 1-relation\n"
        "runs     2 from seed 18446744073709551615 (means; \302\261 is the 95% confidence interval, [least..most])\n"
        "\n"
        "phase              steps  delay  max delay  queue  population  congestion        hops\n"
        "A      3.50 \302\2610.10 [3..4]   0.12          1      2           3           2  5000000000\n"
        "B      3.50 \302\2610.10 [3..4]   0.12          1      2           3           2  5000000000\n"
        "total  7.00 \302\2610.10 [6..8]\n"
        "\n"
        "delay  median  90%  99%  99.9%\n"
        "A           0    0    1      1\n"
        "B           0    0    1      1\n"
        "\n"
        "repeat   netpram route hypercube:3\n"
        "by       netpram " NETPRAM_VERSION " in 0.25 s on 3 threads\n");
}

static void table_has_the_bound_when_asked(void **state)
{
    (void)state;
    np_report_options options = {.size = sizeof(np_report_options), .bound = bounds, .bounds = 4};
    const char *text = strstr(report(options, 1), "\nbound");
    assert_non_null(text);
    assert_true(!strncmp(text,
                         "\nbound    phase A: Paper, section 5, Theorem 1: x^y (h = 1, T = 8)\n"
                         "delay  P at most  measured\n"
                         ">= 4           1       0.5\n"
                         ">= 9      1e-300         0\n"
                         "\nbound    phase B: Paper, section 8, Theorem 4: B() (h = 2, T = 9)\n"
                         "steps  P at most  measured\n"
                         "> 4          0.5         1\n"
                         "\nbound    none: nothing is proved\n",
                         strlen(text) - strlen(strstr(text, "\n\nby")) + 1));
    assert_null(
        strstr(report((np_report_options){.size = sizeof(np_report_options), .format = NP_REPORT_TABLE}, 1), "bound"));
}

/* The bounds of a run: every run's traffic counts, and nothing is said of a run that the theorem is not for. */
static void bounds_of_a_run(void **state)
{
    np_network *network = support_network("hypercube:4");
    np_route_options options;
    np_route_result *result;
    np_report_bound *out;
    size_t count;
    (void)state;
    np_route_options_init(&options);
    options.runs = 30;
    options.threads = 1;
    assert_ok(np_route(network, "random-function", &options, &result));
    assert_ok(np_report_bounds(network, result, &out, &count));
    assert_int_equal(count, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_string_equal(out[i].theorem, "Theorem 1");
        assert_string_equal(out[i].measure, "delay");
        assert_true(!result->phase[i].leveled && result->phase[i].ratio.mean == 0); /* no bound of leveled networks */
        assert_int_equal(out[i].packets, 16);
        assert_true(out[i].relation > result->relation); /* 30 draws: some run has a fuller node than the first */
        assert_true(out[i].rows >= 3 && out[i].row[out[i].rows - 1].bound < 1e-9);
        for (size_t r = 0; r < out[i].rows; r++) {
            uint32_t reached = 0;
            for (uint32_t run = 0; run < 30; run++)
                reached += result->phase[i].run[run].delay_max >= out[i].row[r].value;
            assert_true(out[i].row[r].measured == reached / 30.0);
            assert_true(fabs(out[i].row[r].log2 - log2(out[i].row[r].bound)) < 1e-9);
        }
    }
    np_report_bounds_free(out);
    np_route_result_free(result);

    options.overlap = true;
    assert_ok(np_route(network, "identity", &options, &result));
    assert_ok(np_report_bounds(network, result, &out, &count));
    assert_true(out->rows == 0 && strstr(out->reason, "overlap"));
    np_report_bounds_free(out);
    np_route_result_free(result);

    np_node zero[3] = {0, 0, 0}, to[3] = {1, 2, 3};
    np_traffic *traffic;
    options.overlap = false;
    assert_ok(np_traffic_from_arrays(network, 3, zero, to, NULL, &traffic));
    assert_ok(np_route_traffic(network, traffic, &options, &result));
    assert_ok(np_report_bounds(network, result, &out, &count));
    assert_true(out->relation == 3 && out->packets == 3 && out->rows > 0);
    np_report_bounds_free(out);
    np_route_result_free(result);
    np_traffic_free(traffic);
    np_network_free(network);
}

static void csv_has_a_line_for_each_measure(void **state)
{
    (void)state;
    const char *text = report((np_report_options){.size = sizeof(np_report_options), .format = NP_REPORT_CSV}, 1);
    const char *start = "network,scheme,paths,traffic,queue,seed,runs,phase,measure,"
                        "mean,variance,min,max,p50,p99,ci95,permutations\n"
                        "hypercube:3,cubes,dimension-order,\"file:a,b\"\".txt\",fifo,18446744073709551615,2,A,steps,"
                        "3.5,0.5,3,4,3,4,0.1,1\n";
    assert_int_equal(strncmp(text, start, strlen(start)), 0);
    assert_non_null(strstr(text, ",total,steps,7,0.5,6,8,6,8,0.1,1\n"));
    assert_non_null(strstr(text, ",total,physical_steps,19,0.5,18,20,18,20,0.1,1\n"));
    size_t lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    assert_int_equal(lines, 1 + 13 + 2);
}

static void formats_have_names(void **state)
{
    (void)state;
    np_report_format format;
    assert_ok(np_report_format_parse("csv", &format));
    assert_int_equal(format, NP_REPORT_CSV);
    assert_refused(np_report_format_parse("jsn", &format), NP_ERROR_INPUT, "no format 'jsn': did you mean 'json'?");
}

static void failed_writes_are_told(void **state)
{
    (void)state;
    FILE *full = fopen("/dev/full", "w");
    np_report_options options = {.size = sizeof(np_report_options), .format = NP_REPORT_TABLE};
    assert_non_null(full);
    assert_refused(np_report_list(NP_LISTS, &options, full), NP_ERROR_IO, "No space left");
    options.format = NP_REPORT_JSON;
    assert_refused(np_report_list(NP_LISTS, &options, full), NP_ERROR_IO, "No space left");
    fclose(full);
}

/* Is the text in the report? CSV doubles quotes within a field. */
static bool reports(const char *report, np_report_format format, const char *text)
{
    char doubled[1024];
    size_t length = 0;
    for (; *text && length + 2 < sizeof doubled; text++) {
        if (*text == '"' && format == NP_REPORT_CSV)
            doubled[length++] = '"';
        doubled[length++] = *text;
    }
    doubled[length] = '\0';
    return strstr(report, doubled);
}

static void lists_come_from_the_descriptors(void **state)
{
    (void)state;
    static char text[1 << 17];
    for (np_report_format format = NP_REPORT_TABLE; format <= NP_REPORT_CSV; format++) {
        np_report_options options = {.size = sizeof(np_report_options), .format = format};
        FILE *stream = fmemopen(text, sizeof text, "w");
        assert_ok(np_report_list(NP_LISTS, &options, stream));
        fclose(stream);
        for (size_t i = 0; np_list_get(NP_LIST_NETWORKS, i); i++)
            assert_true(reports(text, format, np_list_get(NP_LIST_NETWORKS, i)->help));
        for (size_t i = 0; np_list_get(NP_LIST_SCHEMES, i); i++)
            assert_true(reports(text, format, np_list_get(NP_LIST_SCHEMES, i)->source));
        for (size_t i = 0; np_list_get(NP_LIST_QUEUES, i); i++)
            assert_true(reports(text, format, np_list_get(NP_LIST_QUEUES, i)->name));
    }
}

static void networks_show_formula_and_measurement(void **state)
{
    (void)state;
    char text[2048] = "";
    np_network *network = support_network("hypercube:3");
    np_network_facts facts = {.nodes = 8,
                              .links = 24,
                              .degree = {true, true, 3, 3, NULL, false, false, 0},
                              .diameter = {true, true, 3, 2, "too long", false, true, 24},
                              .bisection = {true, true, 4, 5, NULL, true, false, 0},
                              .symmetry = {true, false, 1, 0, NULL, false, false, 0},
                              .connection_known = true,
                              .regular = true,
                              .strongly_connected = true,
                              .connected = true,
                              .no_way_from = NP_NONE,
                              .no_way_to = NP_NONE};
    np_report_options options = {.size = sizeof(np_report_options), .format = NP_REPORT_JSON};
    FILE *stream = fmemopen(text, sizeof text, "w");
    assert_ok(np_report_network(network, &facts, &options, stream));
    fclose(stream);
    assert_non_null(strstr(text, "\"degree\": {\"formula\": 3, \"measured\": 3, \"note\": null}"));
    assert_non_null(
        strstr(text, "\"bisection\": {\"formula\": 4, \"measured\": 5, \"note\": null, \"upper_bound\": true}"));
    assert_non_null(strstr(text, "\"links\": {\"formula\": null, \"measured\": null, \"note\": null}"));
    assert_non_null(strstr(text, "\"node_symmetric\": {\"formula\": true, \"measured\": null, \"note\": null}"));
    assert_non_null(strstr(text, "\"no_way\": null"));
    assert_non_null(
        strstr(text, "\"diameter\": {\"formula\": 3, \"measured\": 2, \"note\": \"too long\", \"lower_bound\": true}"));
    assert_non_null(strstr(text, "\"connected\": true"));
    options.format = NP_REPORT_TABLE;
    stream = fmemopen(text, sizeof text, "w");
    assert_ok(np_report_network(network, &facts, &options, stream));
    fclose(stream);
    assert_non_null(strstr(text, "hypercube:3: 8 nodes, 24 links, regular, strongly connected\n"));
    assert_non_null(strstr(text, "diameter              3      >= 2  too long: try --effort 24\n"));
    assert_non_null(strstr(text, "bisection             4      <= 5\n"));
    assert_non_null(strstr(text, "node-symmetric      yes         -\n"));
    facts.strongly_connected = facts.connected = false;
    facts.parts = 2;
    facts.no_way_from = 0;
    facts.no_way_to = 7;
    stream = fmemopen(text, sizeof text, "w");
    assert_ok(np_report_network(network, &facts, &options, stream));
    fclose(stream);
    assert_non_null(strstr(text, "regular, not connected: 2 parts, no way from node 0 to node 7\n"));
    facts.connection_known = false;
    stream = fmemopen(text, sizeof text, "w");
    assert_ok(np_report_network(network, &facts, &options, stream));
    fclose(stream);
    assert_non_null(strstr(text, "24 links, connection not measured\n"));
    np_network_free(network);
}

static void plots_leave_script_and_data(void **state)
{
    (void)state;
    char directory[] = "/tmp/netpram-test-XXXXXX", path[64], line[64];
    np_phase_result one = phase("A");
    np_route_result result = {
        .network = "x'y", .scheme = "s", .traffic = "t", .packets = 8, .runs = 2, .phases = 1, .phase = &one};
    bool drawn;
    assert_refused(np_report_plot_check("a.jpg"), NP_ERROR_INPUT, "'a.jpg': the name must end in .svg or .png");
    assert_refused(np_report_plot_check("d/.svg"), NP_ERROR_INPUT, ".svg or .png");
    assert_non_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/-p.svg", directory);
    assert_ok(np_report_plot_delays(&result, path, NULL, &drawn));
    assert_false(drawn);
    snprintf(path, sizeof path, "%s/-p.gp", directory);
    assert_int_equal(unlink(path), 0);
    snprintf(path, sizeof path, "%s/-p.dat", directory);
    FILE *data = fopen(path, "r");
    assert_non_null(data);
    assert_non_null(fgets(line, sizeof line, data));
    assert_string_equal(line, "# 'phase A'\n");
    assert_non_null(fgets(line, sizeof line, data));
    assert_non_null(fgets(line, sizeof line, data));
    assert_string_equal(line, "0 0.875\n");
    assert_non_null(fgets(line, sizeof line, data));
    assert_string_equal(line, "2 0.125\n"); /* delays that no packet had are left out */
    fclose(data);
    unlink(path);
    assert_int_equal(rmdir(directory), 0); /* nothing else is left behind */
}

/* A recursion of depth 1, one event with a constant and one without, everything that can be said. */
static const char *sort_report(np_report_format format, const char *wrong, uint64_t redraws, uint64_t fallbacks)
{
    static char text[8192];
    static const np_sort_event event[] = {
        {"well-partitioned", "Lemma 8.1", "most keys of a row", 4, 1, 2.5, 2},
        {"congestion", "Lemma 8.5", "c / log2 M", 4, 0, 1.25, 0},
    };
    np_sort_stage stage[] = {
        {.name = "count",
         .times = 2,
         .steps = summary(6, 6, 6),
         .share = 0.25,
         .steps_max = 6,
         .packets = 16,
         .hops = 32,
         .load_max = 1},
        {.name = "route",
         .depth = 1,
         .times = 4,
         .steps = summary(18, 17, 19),
         .share = 0.75,
         .steps_max = 9,
         .packets = 40,
         .hops = 200,
         .comparators = 7,
         .queue_max = 2,
         .load_max = 3,
         .congestion = 5,
         .delay_max = 4},
    };
    np_sort_result result = {.network = "butterfly:4",
                             .algorithm = "flash,sort",
                             .indexing = "rows",
                             .nodes = 64,
                             .keys = 16,
                             .places = 16,
                             .per_place = 1,
                             .seed = 5,
                             .runs = 2,
                             .threads = 1,
                             .sorted = !*wrong,
                             .steps = summary(24, 23, 25),
                             .hops = 232,
                             .comparators = 7,
                             .queue_max = 2,
                             .load_max = 3,
                             .recursion_depth = 1,
                             .input = "k.txt",
                             .kind = NP_KEYS_FLOATS,
                             .redraws = redraws,
                             .fallbacks = fallbacks,
                             .predicted = {.steps = 24, .formula = "6 n"},
                             .merge = {.queue_size = 2},
                             .constants = {1, 4, 2, 64, 3, 2},
                             .stages = 2,
                             .events = 2,
                             .stage = stage,
                             .event = event,
                             .wall_seconds = 0.5};
    const np_report_options options = {
        .size = sizeof(np_report_options), .format = format, .command = "netpram sort butterfly:4"};
    strcpy(result.wrong, wrong);
    memset(text, 0, sizeof text);
    FILE *stream = fmemopen(text, sizeof text, "w");
    assert_ok(np_report_sort(&result, &options, stream));
    fclose(stream);
    return text;
}

static void sorts_as_a_table(void **state)
{
    (void)state;
    assert_string_equal(sort_report(NP_REPORT_TABLE, "", 2, 0),
                        "network    butterfly:4: 64 nodes\n"
                        "algorithm  flash,sort\n"
                        "keys       16 floats from k.txt\n"
                        "places     16, for 1 key each: rows\n"
                        "runs       2 from seed 5 (means; ± is the 95% confidence interval, [least..most])\n"
                        "outcome    sorted\n"
                        "           2 blocks drew new splitters: the result is right\n"
                        "\n"
                        "steps                24  ±0.10 [23..25]\n"
                        "  per log2 places     6\n"
                        "  by formula         24  6 n: THE MEASURED STEPS DIFFER\n"
                        "packet-hops         116  of a run\n"
                        "comparators        3.50  of a run\n"
                        "queue                 2  most packets in one\n"
                        "load                  3  most keys at one place\n"
                        "recursion depth       1\n"
                        "\n"
                        "stages (steps: on the way that took longest, means; the rest: over all blocks and runs)\n"
                        "  depth  stage  times  steps  most  share  packets  hops  queue  load  congestion  delay\n"
                        "      0  count      2      6     6  25.0%       16    32      0     1           0      0\n"
                        "      1  route      4     18     9  75.0%       40   200      2     3           5      4\n"
                        "\n"
                        "events that the analysis needs (bound -: it leaves the constant open)\n"
                        "  event             lemma      times  failed  worst  bound  of what\n"
                        "  well-partitioned  Lemma 8.1      4       1   2.50      2  most keys of a row\n"
                        "  congestion        Lemma 8.5      4       -   1.25      -  c / log2 M\n"
                        "\n"
                        "repeat     netpram sort butterfly:4\n"
                        "by         netpram " NETPRAM_VERSION " in 0.5 s on 1 thread\n");
    assert_non_null(
        strstr(sort_report(NP_REPORT_TABLE, "run 1: place 3", 1, 2),
               "outcome    NOT SORTED: run 1: place 3\n           1 block drew new splitters, 2 blocks gave up on "
               "splitters and sorted by a comparator network\n"));
    assert_null(strstr(sort_report(NP_REPORT_TABLE, "", 0, 0), "drew"));
}

static void sorts_as_json(void **state)
{
    (void)state;
    assert_string_equal(
        sort_report(NP_REPORT_JSON, "", 2, 1),
        "{\n"
        "  \"netpram\": \"" NETPRAM_VERSION "\",\n"
        "  \"json_version\": 1,\n"
        "  \"command\": \"netpram sort butterfly:4\",\n"
        "  \"seed\": 5,\n"
        "  \"runs\": 2,\n"
        "  \"threads\": 1,\n"
        "  \"wall_seconds\": 0.5,\n"
        "  \"network\": \"butterfly:4\",\n"
        "  \"nodes\": 64,\n"
        "  \"algorithm\": \"flash,sort\",\n"
        "  \"indexing\": \"rows\",\n"
        "  \"keys\": 16,\n"
        "  \"places\": 16,\n"
        "  \"per_place\": 1,\n"
        "  \"input\": \"k.txt\",\n"
        "  \"kind\": \"floats\",\n"
        "  \"order\": null,\n"
        "  \"sorted\": true,\n"
        "  \"wrong\": null,\n"
        "  \"steps\": {\"mean\": 24.0, \"variance\": 0.5, \"min\": 23, \"max\": 25, \"p50\": 23, \"p99\": 25, "
        "\"ci95\": 0.1},\n"
        "  \"steps_per_log2_places\": 6.0,\n"
        "  \"hops\": 232,\n"
        "  \"comparators\": 7,\n"
        "  \"queue_max\": 2,\n"
        "  \"load_max\": 3,\n"
        "  \"recursion_depth\": 1,\n"
        "  \"redraws\": 2,\n"
        "  \"fallbacks\": 1,\n"
        "  \"predicted\": {\"steps\": 24, \"comparators\": null, \"formula\": \"6 n\", \"steps_agree\": false, "
        "\"comparators_agree\": null},\n"
        "  \"queue_size\": 2,\n"
        "  \"room\": \"begin\",\n"
        "  \"constants\": {\"candidates\": 1.0, \"oversampling\": 4, \"lightness\": 2, \"cutoff\": 64, \"redraws\": 3, "
        "\"group\": 2, \"string_bits\": 0},\n"
        "  \"stages\": [\n"
        "    {\"name\": \"count\", \"depth\": 0, \"times\": 2, \"steps\": {\"mean\": 6.0, \"variance\": 0.5, \"min\": "
        "6, "
        "\"max\": 6, \"p50\": 6, \"p99\": 6, \"ci95\": 0.1}, \"steps_max\": 6, \"share\": 0.25, \"packets\": 16, "
        "\"hops\": 32, \"comparators\": 0, \"queue_max\": 0, \"load_max\": 1, \"congestion\": 0, \"delay_max\": 0},\n"
        "    {\"name\": \"route\", \"depth\": 1, \"times\": 4, \"steps\": {\"mean\": 18.0, \"variance\": 0.5, \"min\": "
        "17, "
        "\"max\": 19, \"p50\": 17, \"p99\": 19, \"ci95\": 0.1}, \"steps_max\": 9, \"share\": 0.75, \"packets\": 40, "
        "\"hops\": 200, \"comparators\": 7, \"queue_max\": 2, \"load_max\": 3, \"congestion\": 5, \"delay_max\": 4}\n"
        "  ],\n"
        "  \"events\": [\n"
        "    {\"name\": \"well-partitioned\", \"lemma\": \"Lemma 8.1\", \"what\": \"most keys of a row\", \"times\": "
        "4, "
        "\"failures\": 1, \"worst\": 2.5, \"bound\": 2.0},\n"
        "    {\"name\": \"congestion\", \"lemma\": \"Lemma 8.5\", \"what\": \"c / log2 M\", \"times\": 4, "
        "\"failures\": 0, "
        "\"worst\": 1.25, \"bound\": null}\n"
        "  ]\n"
        "}\n");
    assert_non_null(
        strstr(sort_report(NP_REPORT_JSON, "place 3", 0, 0), "  \"sorted\": false,\n  \"wrong\": \"place 3\",\n"));
}

static void sorts_as_csv(void **state)
{
    (void)state;
    assert_string_equal(
        sort_report(NP_REPORT_CSV, "", 2, 1),
        "network,algorithm,keys,places,per_place,key_order,seed,runs,sorted,stage,depth,times,mean,variance,min,max,"
        "p50,p99,ci95,"
        "steps_max,packets,hops,comparators,queue_max,load_max,congestion,delay_max,redraws,fallbacks,predicted_steps,"
        "predicted_comparators,steps_per_log2_places\n"
        "butterfly:4,\"flash,sort\",16,16,1,floats,5,2,true,count,0,2,6,0.5,6,6,6,6,0.1,6,16,32,0,0,1,0,0,,,,,\n"
        "butterfly:4,\"flash,sort\",16,16,1,floats,5,2,true,route,1,4,18,0.5,17,19,17,19,0.1,9,40,200,7,2,3,5,4,,,,,\n"
        "butterfly:4,\"flash,sort\",16,16,1,floats,5,2,true,total,1,2,24,0.5,23,25,23,25,0.1,25,56,232,7,2,3,5,4,2,1,"
        "24,,6\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorts_as_a_table),
        cmocka_unit_test(sorts_as_json),
        cmocka_unit_test(sorts_as_csv),
        cmocka_unit_test(json_is_stable),
        cmocka_unit_test(json_has_the_bound_when_asked),
        cmocka_unit_test(table_is_aligned),
        cmocka_unit_test(table_has_the_bound_when_asked),
        cmocka_unit_test(bounds_of_a_run),
        cmocka_unit_test(csv_has_a_line_for_each_measure),
        cmocka_unit_test(formats_have_names),
        cmocka_unit_test(failed_writes_are_told),
        cmocka_unit_test(lists_come_from_the_descriptors),
        cmocka_unit_test(networks_show_formula_and_measurement),
        cmocka_unit_test(plots_leave_script_and_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
