/* The fields of jobs. */
#include <math.h>

#include "netpram/jobs.h"

#define AT(member) offsetof(np_jobs_outcome, member)

static bool knows_slowdown(const void *object) { return !isnan(((const np_jobs_outcome *)object)->slowdown); }

static const np_field outcome_rows[] = {
    {"name", NP_FIELD_TEXT, AT(name), .help = "of the job; its place, from 0, if it has none"},
    {"collective", NP_FIELD_TEXT, AT(collective), .help = "the operation"},
    {"algorithm", NP_FIELD_TEXT, AT(algorithm), .help = "that does it"},
    {"size", NP_FIELD_REAL, AT(size), .help = "of the operation, in `size_unit`"},
    {"ranks", NP_FIELD_U64, AT(ranks), .unit = "hosts", .help = "of the job"},
    {"rounds", NP_FIELD_U64, AT(rounds), .help = "of the operation"},
    {"messages", NP_FIELD_U64, AT(messages), .help = "of all rounds"},
    {"start", NP_FIELD_REAL, AT(start), .help = "when it begins, in `time_unit`"},
    {"finish", NP_FIELD_REAL, AT(finish), .help = "when its last message ends"},
    {"time", NP_FIELD_REAL, AT(time), .help = "finish minus start"},
    {"alone", NP_FIELD_REAL, AT(alone), .help = "the time that it takes without the other jobs"},
    {"slowdown", NP_FIELD_REAL, AT(slowdown), .known = knows_slowdown, .help = "`time` by `alone`"},
};

const np_fields np_jobs_outcome_fields = NP_FIELDS("jobs_outcome", "a job", np_jobs_outcome, outcome_rows);

#undef AT
#define AT(member) offsetof(np_jobs_result, member)

static void get_size_unit(const void *object, np_value *value)
{
    value->text = ((const np_jobs_result *)object)->link_rate ? "bytes" : "packets";
}

static void get_time_unit(const void *object, np_value *value)
{
    value->text = ((const np_jobs_result *)object)->link_rate ? "seconds" : "steps";
}

static const np_field rows[] = {
    {"seed", NP_FIELD_U64, AT(seed), .help = "where all that is drawn comes from"},
    {"network", NP_FIELD_OBJECT, AT(network), .flags = NP_FIELD_BEHIND, .fields = &np_network_fields,
     .help = "the network"},
    {"paths", NP_FIELD_TEXT, AT(paths), .help = "the path rule"},
    {"link_rate", NP_FIELD_TEXT, AT(link_rate), .help = "of a link of width 1; `null`: a packet a step"},
    {"size_unit", NP_FIELD_TEXT, .get = get_size_unit, .help = "`packets`, or with a link rate `bytes`"},
    {"time_unit", NP_FIELD_TEXT, .get = get_time_unit, .help = "`steps`, or with a link rate `seconds`"},
    {"makespan", NP_FIELD_REAL, AT(makespan), .help = "the last finish"},
    {"jobs", NP_FIELD_LIST, AT(job), .fields = &np_jobs_outcome_fields, .count_at = AT(count),
     .help = "in the order of the file"},
    {"events", NP_FIELD_U64, AT(events), .help = "moments at which messages started or ended"},
    {"wall_seconds", NP_FIELD_REAL, AT(wall_seconds), .unit = "seconds", .help = "time of the call"},
};

const np_fields np_jobs_result_fields = NP_FIELDS("jobs", "jobs", np_jobs_result, rows);
