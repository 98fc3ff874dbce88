/* Traffic from a file: reads the whole file, then parses it (pairs.c describes the formats). */
#include "base/file_spec.h"
#include "base/memory.h"
#include "model/traffic/pairs.h"

static np_status plan(np_traffic_plan *plan)
{
    if (!plan->parameters || !*plan->parameters)
        return NP_RAISE(NP_ERROR_INPUT, "traffic 'file' lacks a path: write file:PATH, as in file:pairs.txt");
    plan->packets = 0; /* not known before the file is read */
    return NP_OK;
}

static np_status read_file(const np_traffic_plan *plan, const np_amount_options *options, np_traffic *traffic)
{
    NP_TEXT_FILE(file, options->path);
    return file.status
               ? file.status
               : np_pairs_parse(options->path, file.data, file.length, plan->network, options, NP_PACKETS_MAX, traffic);
}

static np_status make(const np_traffic_plan *plan, const np_draws *draws, np_traffic *traffic)
{
    static const np_file_option table[] = {{"packet=", offsetof(np_amount_options, packet)},
                                           {"scale=", offsetof(np_amount_options, scale)},
                                           {"times=", offsetof(np_amount_options, times)},
                                           {"traffic-format=", offsetof(np_amount_options, form)},
                                           {NULL, 0}};
    np_amount_options options = {.path = ""};
    (void)draws;
    np_status st = np_file_spec_parse(plan->parameters, table, &options, &options.copy, &options.path);
    if (!st)
        st = read_file(plan, &options, traffic);
    np_memory_free(options.copy);
    return st;
}

const np_traffic_generator np_traffic_file = {
    .info = {"file", "demands from a file: lines 'source destination [count [priority]]', or a matrix", "",
             .parameters = ":PATH", .example = "file:demands.csv"},
    .plan = plan,
    .build = make,
    .notes = true,
};
