/*
 * Lists of flows and distributions of sizes: refused with "name:line: ...", or every flow is within the network, and
 * all numbers are 0 or more.
 */
#include "fuzz.h"

#include "base/memory.h"
#include "run/flows/flows.h"

const fuzz_rule fuzz_grammar[] = {
    {"file", "source,destination$columns\n$rows|$lines|$shares"},
    {"columns", ",size|,$unit,start|,start,$unit|,flow,$unit|"},
    {"unit", "size|packets|bytes|$bytes"},
    {"rows", "$row\n|$row\n$rows|$row\n$rows"},
    {"row", "$number,$number|$number,$number,$value|$number,$number,$value,$value"},
    {"value", "$number|$number.5|1e$number|$number$scale|-$number|$bytes"},
    {"scale", "K|M|s|ms|us|m"},
    {"lines", "$number $number\n|$number $number $value\n$lines|# $bytes\n$lines"},
    {"shares", "$value 0.5\n$value 1\n|0 0\n10 $number\n1K 100\n|size share\n$value $value\n$shares"},
    {NULL, NULL},
};

static void check_status(np_status st)
{
    FUZZ_CHECK(st == NP_ERROR_INPUT || st == NP_ERROR_LIMIT);
    fuzz_check_message("fuzz:");
}

static void check_list(const np_network *cube, const char *data, size_t size, const np_flows_units *units)
{
    np_flow_set set = {.flows = 0};
    np_status st = np_flows_parse_list("fuzz", data, size, cube, units, &set);
    if (st)
        check_status(st);
    for (size_t i = 0; i < set.flows; i++) {
        FUZZ_CHECK(set.source[i] < 64 && set.destination[i] < 64);
        FUZZ_CHECK(set.size[i] >= 0 && set.start[i] >= 0);
    }
    FUZZ_CHECK(st || set.flows);
    np_flow_set_clear(&set);
}

static void check_sizes(const char *data, size_t size, const np_flows_units *units)
{
    np_sizes sizes = {.count = 0};
    np_status st = np_sizes_parse("fuzz", data, size, units, &sizes);
    if (st) {
        check_status(st);
    } else {
        double last = 0, most = sizes.point[sizes.count - 1].size;
        FUZZ_CHECK(np_sizes_mean(&sizes) > 0);
        for (int i = 1; i <= 16; i++) {
            double at = np_sizes_at(&sizes, i / 16.);
            FUZZ_CHECK(at >= last && at <= most);
            last = at;
        }
    }
    np_memory_free(sizes.point);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static np_network *cube;
    const np_flows_units steps = {1, false}, seconds = {1e9, true};
    FUZZ_CHECK(cube || !np_network_create("hypercube:6", &cube));
    check_list(cube, (const char *)data, size, &steps);
    check_list(cube, (const char *)data, size, &seconds);
    check_sizes((const char *)data, size, &steps);
    check_sizes((const char *)data, size, &seconds);
    return 0;
}
