/* Traffic from a file: reads the whole file, then parses it (pairs.c describes the formats). */
#include "base/memory.h"
#include "base/text.h"
#include "traffic/pairs.h"

static np_status plan(np_traffic_plan *plan)
{
    if (!plan->parameters || !*plan->parameters)
        return NP_RAISE(NP_ERROR_INPUT, "traffic 'file' lacks a path: write file:PATH, as in file:pairs.txt");
    plan->packets = 0; /* not known before the file is read */
    return NP_OK;
}

static np_status make(const np_traffic_plan *plan, const np_draws *draws, np_traffic *traffic)
{
    char *text;
    size_t length;
    np_status st;
    (void)draws;
    if ((st = np_text_read(plan->parameters, &text, &length)))
        return st;
    st = np_pairs_parse(plan->parameters, text, length, plan->network, NP_PACKETS_MAX, traffic);
    np_memory_free(text);
    return st;
}

const np_traffic_generator np_traffic_file = {
    .info = {"file", "lines 'source destination [count [priority]]', or a Matrix Market file", "",
             .parameters = ":PATH"},
    .plan = plan,
    .build = make,
};
