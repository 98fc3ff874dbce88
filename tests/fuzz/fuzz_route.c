/*
 * Routings in words: the lines of the input are a network, traffic, and options "name=value". What is refused is
 * refused with a line. What is routed is reported as a table, JSON and CSV; the JSON can be read.
 */
#include "fuzz.h"

#include <jansson.h>
#include <string.h>

#include "netpram/report.h"

const fuzz_rule fuzz_grammar[] = {
    {"routing", "$network\n$traffic\n$options|$network\n$traffic\n$options|$network\n\n$options"},
    {"network", "$networks|$family:$size|$family:$size$times$size"},
    {"family", "hypercube|mesh|torus|ring|butterfly|shuffle|omega|butterfly-io|fat-tree|array|shuffle-exchange"},
    {"times", "x"},
    {"size", "1|2|3|4|5|6|8"},
    {"options", "|$option\n|$option\n$options|$option\n$options|scheme=$schemes\n$options"},
    {"option", "scheme=$schemes|paths=$paths|queue=$queues|fail=$fail|seed=$number|runs=$size|overlap=true|"
               "same_traffic=true|queue_size=$number|room=freed|combine=$rule|ranks=hash|rank_range=$number|"
               "independence=$number|message_length=$size|message_length=$size..$number|messages=$mode|no_ghosts=true|"
               "waves=$number|permutations=$number|via=$via|memory=$number|$bytes=$bytes"},
    {"fail", "0|0.1|0.5|$number"},
    {"rule", "none|first|sum|min|max|and|or"},
    {"mode", "cycles|asynchronous|pipelined"},
    {"via", "terminals|nodes|hosts|switches"},
    {NULL, NULL},
};

enum { NODES_MOST = 256, PACKETS_MOST = 2048, RUNS_MOST = 4, LENGTH_MOST = 64, WAVES_MOST = 64 };

/* The option of a line; true: there is no such option, or it does not take the value. */
static bool set(np_route_options *options, char *line)
{
    char *value = strchr(line, '=');
    if (!value || strstr(line, "file:")) /* which would read what it names */
        return false;
    *value++ = '\0';
    if (!np_fields_set(&np_route_options_fields, options, line, value))
        return false;
    fuzz_check_message("");
    return true;
}

static char *report(const np_route_result *result, np_report_format format)
{
    np_report_options options;
    char *text;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    np_report_options_init(&options);
    options.format = format;
    FUZZ_CHECK(stream && !np_report_route(result, &options, stream) && !fclose(stream) && size);
    return text;
}

static void check_reports(const np_route_result *result)
{
    for (int format = NP_REPORT_TABLE; format <= NP_REPORT_CSV; format++) {
        char *text = report(result, (np_report_format)format);
        json_t *json = json_loads(text, 0, NULL);
        FUZZ_CHECK(format != NP_REPORT_JSON || json_is_object(json));
        json_decref(json);
        free(text);
    }
}

static void route(const np_network *network, const char *traffic, const np_route_options *options)
{
    np_route_result *result;
    np_status st = np_route(network, traffic, options, &result);
    FUZZ_CHECK(st != NP_ERROR_INTERNAL && st != NP_ERROR_MEMORY);
    if (st) {
        FUZZ_CHECK(!result);
        fuzz_check_message("");
        return;
    }
    check_reports(result);
    np_route_result_free(result);
}

/* A small network and small traffic; else they are left alone. */
static void try_to_route(const char *spec, const char *traffic, np_route_options *options)
{
    np_network *network;
    uint64_t packets;
    bool random;
    if (np_network_create(spec, &network)) {
        fuzz_check_message("");
        return;
    }
    if (np_network_nodes(network) <= NODES_MOST && np_network_link_numbers(network) <= 8 * NODES_MOST &&
        options->merge.message_most <= LENGTH_MOST && options->merge.waves <= WAVES_MOST &&
        !np_traffic_estimate(traffic, network, &packets, &random) && packets <= PACKETS_MOST) {
        options->threads = 1;
        options->runs = options->runs < RUNS_MOST ? options->runs : RUNS_MOST;
        route(network, traffic, options);
    }
    np_network_free(network);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = calloc(size + 3, 1), *rest = text, *line[2];
    np_route_options options;
    bool wrong = false;
    FUZZ_CHECK(text);
    if (size)
        memcpy(text, data, size);
    np_route_options_init(&options);
    for (int i = 0; *rest || i < 2; i++) {
        char *start = rest;
        rest += strcspn(rest, "\n");
        if (*rest)
            *rest++ = '\0';
        if (i < 2)
            line[i] = start;
        else
            wrong = set(&options, start) || wrong;
    }
    if (!wrong && !strstr(line[0], "file:") && !strstr(line[1], "file:"))
        try_to_route(line[0], *line[1] ? line[1] : "random", &options);
    free(text);
    return 0;
}
