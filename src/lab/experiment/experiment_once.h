/*
 * What the kinds of series have in common of which a run is a call on one network: run r of a point has the
 * experiment's seed + r, so the verb with that seed repeats it.
 */
#pragma once

#include "lab/experiment/experiment.h"

/* The options of a point: what all have, and those of the kind's call. */
typedef struct np_once_point {
    const char *network, *what; /* spec; the value of the kind's key, NULL if it is the network */
    uint32_t runs;
    double load; /* of load's key "loads"; its text is what counts */
    union {
        np_throughput_options throughput;
        np_worst_options worst;
        np_flows_options flows;
        np_replay_options replay;
        np_collective_options collective;
        np_compare_options compare;
        np_load_options load;
    } of;
} np_once_point;

/* A run. */
struct np_once {
    const np_series_kind *kind;
    const np_experiment_job *job;
    const np_once_point *point;
    const np_experiment_point *at;
    const np_network *network;
    uint32_t done; /* runs before it */
    np_samples *samples;
    np_watch watch; /* of the call */
};

#define NP_ONCE_RUNS                                                                                                   \
    {                                                                                                                  \
        "runs", NP_FIELD_U32, offsetof(np_once_point, runs), .low = 1, .preset = "1", .placeholder = "N"               \
    }

#define NP_ONCE_KEY(key, hint, ...)                                                                                    \
    {"networks", NP_FIELD_TEXT, offsetof(np_once_point, network), .placeholder = "SPEC", .list = "networks"},          \
        {key, NP_FIELD_TEXT, offsetof(np_once_point, what), .placeholder = (hint), __VA_ARGS__}, NP_ONCE_RUNS

#define NP_ONCE_OPTIONS(options_fields)                                                                                \
    {                                                                                                                  \
        NULL, NP_FIELD_INSET, offsetof(np_once_point, of), .fields = &(options_fields)                                 \
    }

/* What is measured: the result, and the size of the network. */
typedef struct np_once_seen {
    const np_network *network;
    const void *result;
} np_once_seen;

void np_once_nodes(const void *seen, np_value *value);
void np_once_log2_nodes(const void *seen, np_value *value);

#define NP_ONCE_NODES                                                                                                  \
    {"nodes", NP_FIELD_REAL, .get = np_once_nodes}, { "log2_nodes", NP_FIELD_REAL, .get = np_once_log2_nodes }

#define NP_ONCE_MEASURED(result_fields)                                                                                \
    NP_ONCE_NODES,                                                                                                     \
    {                                                                                                                  \
        NULL, NP_FIELD_INSET, offsetof(np_once_seen, result), .flags = NP_FIELD_BEHIND, .fields = &(result_fields)     \
    }

#define NP_ONCE_AXES                                                                                                   \
    {"nodes", "nodes"}, { "log2_nodes", "log2 of the nodes" }

/* Keeps the run's measures; those that are null in the first run of the call are left out. */
np_status np_once_keep(const np_once *o, const void *result) NP_CHECKED;

/* np_series_kind.check: the files, the network, and what the kind looks at. */
np_status np_once_check(const np_experiment_job *job, np_experiment_point *at) NP_CHECKED;

/* np_series_kind.run: makes the kind's call for each run. */
np_status np_once_run(const np_experiment_job *job, const np_experiment_point *at, np_samples *samples) NP_CHECKED;

/* What all these kinds of series have. */
#define NP_ONCE_SERIES .file = true, .spec = offsetof(np_once_point, network), .run = np_once_run

/* Which of the point's runs it is. */
uint64_t np_once_number(const np_once *o);
