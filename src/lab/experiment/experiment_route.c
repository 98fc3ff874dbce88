/*
 * Series of routing: one scheme on several networks, a point for each. All
 * points share the experiment's seed: `netpram route` with this seed repeats a
 * row of the CSV. The runs of a point go side by side.
 */
#include <math.h>
#include <string.h>

#include "base/real.h"
#include "lab/experiment/experiment.h"

/* A point. */
typedef struct route_point {
    const char *network, *traffic; /* specs */
    np_route_options route;
} route_point;

static const np_field rows[] = {
    {NULL, NP_FIELD_INSET, offsetof(route_point, route), .fields = &np_route_options_fields},
    {"traffic", NP_FIELD_TEXT, offsetof(route_point, traffic), .placeholder = "SPEC"},
    {"networks", NP_FIELD_TEXT, offsetof(route_point, network), .placeholder = "SPEC", .list = "networks"},
};

static const np_fields fields = NP_FIELDS("route_point", "routing", route_point, rows);

enum { AXIS_NODES, AXIS_LOG2_NODES, AXIS_LOG2_TERMINALS, AXIS_RELATION, AXIS_BOUND };

static const np_experiment_axis axes[] = {
    [AXIS_NODES] = {"nodes", "nodes"},
    [AXIS_LOG2_NODES] = {"log2_nodes", "log2 of the nodes"},
    [AXIS_LOG2_TERMINALS] = {"log2_terminals", "log2 of the terminals"}, /* n on omega:n */
    [AXIS_RELATION] = {"relation", "h: packets from or to a node at most"},
    [AXIS_BOUND] = {"bound", "c + L + log2 N"}, /* merging takes O(c + L + log2 N); "total": of all phases together */
    {NULL, NULL},
};

static bool is_measure(const char *name)
{
    const np_field *field = np_fields_find(&np_phase_result_fields, name);
    return field && field->kind == NP_FIELD_SUMMARY;
}

/* "A.steps": a phase and a measure. */
static np_status check_measure(const char *y)
{
    const char *point = strchr(y, '.');
    if (!strcmp(y, "total.steps_bound") || !strcmp(y, "total.certified_ratio"))
        return NP_OK;
    if (!point || point == y || !is_measure(point + 1))
        return NP_RAISE(NP_ERROR_INPUT, "must be a phase and a measure of the report, as in \"A.steps\"");
    if (!strncmp(y, "total.", strlen("total.")) && strcmp(point + 1, "steps") && strcmp(point + 1, "physical_steps"))
        return NP_RAISE(NP_ERROR_INPUT, "of all phases together there are the steps only: \"total.steps\", "
                                        "\"total.physical_steps\"; with certify \"total.steps_bound\" and "
                                        "\"total.certified_ratio\"");
    return NP_OK;
}

/* ---- Checking ---- */

static np_route_options options_of(const np_experiment_job *job, const np_experiment_point *point, const route_point *p)
{
    np_route_options options = p->route;
    options.runs = point->runs;
    options.threads = job->threads;
    options.memory_limit = job->memory_limit;
    return options;
}

/* An unknown scheme is an error of the series, and so is an option that the scheme does not use. A scheme that does not
 * apply to the network is an error of the point, found later. */
static np_status check_scheme(const np_experiment_job *job, const np_experiment_point *point, const np_network *network)
{
    const char *scheme = ((const route_point *)np_experiment_options_of(job, point))->route.scheme;
    if (np_scheme_applies(scheme, network) == NP_ERROR_INPUT)
        return np_experiment_at_key(job, point, "scheme", NP_ERROR_INPUT);
    return np_experiment_heeds(job, point, NULL, np_scheme_heeds, scheme);
}

/* The network of a point, on which its scheme can be looked for. */
static np_status make_network(const np_experiment_job *job, const np_experiment_point *point, const route_point *p,
                              const np_network **out)
{
    np_status st = np_experiment_network(job, p->network, out);
    if (st)
        return np_experiment_at_point(job, point, st);
    return check_scheme(job, point, *out);
}

static np_status check(const np_experiment_job *job, np_experiment_point *point)
{
    const route_point *p = np_experiment_options_of(job, point);
    const np_route_options options = options_of(job, point, p);
    const np_network *network;
    uint64_t bytes, packets, nodes;
    bool random;
    np_status st = make_network(job, point, p, &network);
    if (st)
        return st;
    if (!(st = np_route_memory(network, p->traffic, &options, &bytes)))
        st = np_traffic_estimate(p->traffic, network, &packets, &random);
    if (!st)
        st = np_experiment_demands(job, p->traffic, network, &packets);
    nodes = np_network_nodes(network);
    if (!st)
        point->work = (double)(packets ? packets : nodes) * np_log2((double)nodes + 1);
    return np_experiment_at_point(job, point, st);
}

/* The scheme that np_route takes if none is named. */
static np_status choose(const void *options, np_network **network, const char **value)
{
    const route_point *p = options;
    np_status st = np_experiment_open(p->network, network);
    if (!st)
        *value = np_route_scheme(&p->route, *network);
    return st;
}

/* ---- Running ---- */

/* Of each run, the sum of c + L + log2 N over some phases; of phases none of which is leveled there is none. */
static void add_bound(const np_route_result *result, size_t phase, size_t phases, const char *name, np_samples *out)
{
    np_sample *sample = &out->sample[out->count];
    bool leveled = false;
    for (size_t i = phase; i < phase + phases; i++)
        leveled = leveled || result->phase[i].leveled;
    if (!leveled)
        return;
    double *value = np_samples_add(out, name, axes[AXIS_BOUND].name);
    sample->axis = true;
    for (size_t i = phase; i < phase + phases; i++)
        for (uint32_t r = 0; r < result->runs && result->phase[i].leveled; r++)
            value[r] += np_phase_run_bound(&result->phase[i].run[r]);
}

static np_status add_phase(const np_route_result *result, size_t i, np_samples *out)
{
    const np_phase_result *phase = &result->phase[i];
    const np_field *field;
    np_value value;
    np_status st = NP_OK;
    for (size_t k = 0; !st && (field = np_fields_row(&np_phase_result_fields, k, NULL)); k++)
        if (field->kind == NP_FIELD_SUMMARY && np_field_get(field, phase, &value))
            st = np_route_sample(result, phase, field->name, np_samples_add(out, phase->name, field->name));
    add_bound(result, i, 1, phase->name, out);
    return st;
}

/* Of all phases together only the steps are kept. */
static void add_total(const np_route_result *result, np_samples *out)
{
    double *steps = np_samples_add(out, "total", "steps"), *physical = np_samples_add(out, "total", "physical_steps");
    for (size_t i = 0; i < result->phases; i++)
        for (uint32_t r = 0; r < result->runs; r++) {
            steps[r] += result->phase[i].run[r].steps;
            physical[r] += (double)result->phase[i].run[r].physical_steps;
        }
    add_bound(result, 0, result->phases, "total", out);
}

/* What no schedule can beat, if that was asked for. */
static void add_certificate(const np_route_result *result, np_samples *out)
{
    if (!result->certificate.run)
        return;
    double *bound = np_samples_add(out, "total", "steps_bound");
    double *ratio = np_samples_add(out, "total", "certified_ratio");
    for (uint32_t r = 0; r < result->runs; r++) {
        bound[r] = (double)result->certificate.run[r];
        ratio[r] = np_route_certified_ratio(result, r);
    }
}

static np_status keep(const np_network *network, const np_route_result *result, np_samples *out)
{
    size_t most = (result->phases + 1) * (np_phase_result_fields.count + 1) + NP_EXPERIMENT_AXES + 2;
    np_status st = np_samples_init(out, most, out->first, out->runs);
    if (st)
        return st;
    np_samples_add_axis(out, axes[AXIS_NODES].name, (double)np_network_nodes(network));
    np_samples_add_axis(out, axes[AXIS_LOG2_NODES].name, np_log2((double)np_network_nodes(network)));
    np_samples_add_axis(out, axes[AXIS_LOG2_TERMINALS].name, np_log2((double)np_network_terminals(network)));
    np_samples_add_axis(out, axes[AXIS_RELATION].name, result->relation);
    for (size_t i = 0; i < result->phases && !st; i++)
        st = add_phase(result, i, out);
    add_total(result, out);
    add_certificate(result, out);
    return st;
}

static np_status run(const np_experiment_job *job, const np_experiment_point *point, np_samples *samples)
{
    const route_point *p = np_experiment_options_of(job, point);
    np_route_options options = options_of(job, point, p);
    np_route_result *result = NULL;
    const np_network *network;
    np_status st = make_network(job, point, p, &network);
    if (st)
        return st;
    options.first_run = samples->first;
    options.runs = samples->runs;
    options.watch = job->watch;
    if (!(st = np_route(network, p->traffic, &options, &result)))
        st = keep(network, result, samples);
    np_route_result_free(result);
    return np_experiment_at_point(job, point, st);
}

const np_series_kind np_experiment_route = {
    .key = "scheme",
    .columns = "scheme,network,nodes,phase",
    .fields = &fields,
    .hides = "threads, memory",
    .adds = "certify",
    .needs = "traffic",
    .draws = "networks, traffic, seed, same_traffic, permutations",
    .along = "networks",
    .spec = offsetof(route_point, network),
    .axes = axes,
    .check_measure = check_measure,
    .check = check,
    .choose = choose,
    .run = run,
};
