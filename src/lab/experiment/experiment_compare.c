/*
 * Series of comparisons: a point is a network, and the key has it. np_compare_find looks at each network by itself, so
 * the points together are its rows.
 */
#include "lab/experiment/experiment_once.h"

static const np_field rows[] = {
    {"compare", NP_FIELD_TEXT, offsetof(np_once_point, network), .placeholder = "SPEC", .list = "networks"},
    NP_ONCE_RUNS,
    NP_ONCE_OPTIONS(np_compare_options_fields),
};

static const np_fields fields = NP_FIELDS("compare_point", "a comparison", np_once_point, rows);

static const np_field seen_rows[] = {NP_ONCE_MEASURED(np_compare_row_fields)};
static const np_fields seen_fields = NP_FIELDS("compare_seen", "a comparison", np_once_seen, seen_rows);

static np_status compare_network(const np_once *o)
{
    np_compare_options options = o->point->of.compare;
    np_compare *result = NULL;
    options.seed += np_once_number(o);
    options.threads = o->job->threads;
    options.memory_limit = o->job->memory_limit;
    options.watch = o->watch;
    np_status st = np_compare_find(1, &o->network, &options, &result);
    if (!st)
        st = np_once_keep(o, result->network);
    np_compare_free(result);
    return st;
}

const np_series_kind np_experiment_comparison = {
    .key = "compare",
    .columns = "compare,nodes",
    .fields = &fields,
    .hides = "threads, memory, time_limit",
    .draws = "compare, seed",
    .along = "compare",
    NP_ONCE_SERIES,
    .axes = (const np_experiment_axis[]){NP_ONCE_AXES, {"hosts", "hosts"}, {"cables", "cables"}, {NULL, NULL}},
    .measured = &seen_fields,
    .measures = NP_NAMES("hosts", "switches", "radix", "cables", "electrical", "optical", "diameter", "mean_hops",
                         "all_to_all.low", "all_to_all.high", "longest_matching.low", "longest_matching.high",
                         "near_worst.low", "near_worst.high", "shortest", "spray", "valiant", "failed_1.median",
                         "failed_1.least", "failed_1.torn", "failed_5.median", "failed_5.least", "failed_5.torn"),
    .check = np_once_check,
    .call = compare_network,
};
