/* The JSON of a route: the format is described in docs/json.md and has a version number. */
#include "report/json.h"
#include "report/measure.h"
#include "report/route.h"

static json_t *histogram_json(const np_phase_result *phase)
{
    json_t *array = json_array();
    for (size_t delay = 0; delay < phase->delays; delay++) {
        if (!phase->delay_histogram[delay])
            continue;
        json_t *pair = json_array();
        np_json_append(&pair, json_integer((json_int_t)delay));
        np_json_append(&pair, np_json_whole(phase->delay_histogram[delay]));
        np_json_append(&array, pair);
    }
    return array;
}

static json_t *emulation_json(const np_emulation_result *emulation)
{
    json_t *object = json_object();
    np_json_set(&object, "nodes_per_node", json_integer(emulation->nodes_per_node));
    np_json_set(&object, "links_per_link", json_integer(emulation->links_per_link));
    return object;
}

static json_t *phase_json(const np_phase_result *phase)
{
    json_t *object = json_object();
    np_json_set(&object, "name", np_json_text(phase->name));
    for (const np_measure *measure = np_measures; measure->name; measure++)
        if (np_measure_speaks(measure, phase))
            np_json_set(&object, measure->name, np_json_summary(np_measure_of(measure, phase), measure->whole));
    if (phase->leveled)
        np_json_set(&object, "emulation", emulation_json(&phase->emulation));
    np_json_set(&object, "delay_histogram", histogram_json(phase));
    return object;
}

static json_t *phases_json(const np_route_result *result)
{
    json_t *array = json_array();
    for (size_t i = 0; i < result->phases; i++)
        np_json_append(&array, phase_json(&result->phase[i]));
    return array;
}

static json_t *ladder_json(const np_report_bound *bound)
{
    json_t *ladder = json_array();
    for (size_t i = 0; i < bound->rows; i++) {
        json_t *row = json_object();
        np_json_set(&row, bound->measure, np_json_real(bound->row[i].value));
        np_json_set(&row, "bound", np_json_real(bound->row[i].bound));
        np_json_set(&row, "log2_bound", np_json_real(bound->row[i].log2));
        np_json_set(&row, "measured", np_json_real(bound->row[i].measured));
        np_json_append(&ladder, row);
    }
    return ladder;
}

static json_t *steps_json(const np_report_steps *steps)
{
    json_t *object = json_object();
    np_json_set(&object, "relation", np_json_text(np_report_relation_name(steps->relation)));
    np_json_set(&object, "theorem", np_json_real(steps->theorem));
    np_json_set(&object, "measured", np_json_real(steps->measured));
    np_json_set(&object, "runs_equal", json_integer(steps->equal));
    np_json_set(&object, "runs_broken", json_integer(steps->broken));
    return object;
}

static json_t *bound_json(const np_report_bound *bound)
{
    json_t *object = json_object();
    np_json_set(&object, "phase", np_json_text(bound->phase));
    np_json_set(&object, "theorem", np_json_text(bound->theorem));
    np_json_set(&object, "source", np_json_text(bound->source));
    np_json_set(&object, "formula", np_json_text(bound->formula));
    np_json_set(&object, "applies", json_boolean(!*bound->reason));
    np_json_set(&object, "reason", np_json_text(bound->reason));
    np_json_set(&object, "relation", json_integer(bound->relation));
    np_json_set(&object, "packets", json_integer(bound->packets));
    np_json_set(&object, "steps", bound->steps.relation ? steps_json(&bound->steps) : json_null());
    np_json_set(&object, "ladder", ladder_json(bound));
    return object;
}

static json_t *bounds_json(const np_report_options *options)
{
    json_t *array = json_array();
    for (size_t i = 0; i < options->bounds; i++)
        np_json_append(&array, bound_json(&options->bound[i]));
    return array;
}

static json_t *network_json(const np_route_result *result)
{
    json_t *object = json_object();
    np_json_set(&object, "spec", np_json_text(result->network));
    np_json_set(&object, "nodes", np_json_whole(result->nodes));
    np_json_set(&object, "links", np_json_whole(result->links));
    return object;
}

np_status np_report_route_json(const np_route_result *result, const np_report_options *options, FILE *stream)
{
    json_t *object = np_json_head(options->command);
    np_json_set(&object, "seed", np_json_whole(result->seed));
    np_json_set(&object, "runs", json_integer(result->runs));
    np_json_set(&object, "threads", json_integer(result->threads));
    np_json_set(&object, "wall_seconds", np_json_real(result->wall_seconds));
    np_json_set(&object, "network", network_json(result));
    np_json_set(&object, "scheme", np_json_text(result->scheme));
    np_json_set(&object, "paths", np_json_text(result->paths));
    np_json_set(&object, "traffic", np_json_text(result->traffic));
    np_json_set(&object, "queue", np_json_text(result->queue));
    np_json_set(&object, "overlap", json_boolean(result->overlap));
    np_json_set(&object, "packets", json_integer(result->packets));
    if (result->has_load_factor)
        np_json_set(&object, "load_factor", np_json_real(result->load_factor));
    if (result->permutations) {
        np_json_set(&object, "permutations", json_integer(result->permutations));
        np_json_set(&object, "packets_routed", json_integer(result->phase[0].run[0].packets));
    }
    np_json_set(&object, "relation", json_integer(result->relation));
    np_json_set(&object, "phases", phases_json(result));
    np_json_set(&object, "total_steps", np_json_summary(&result->total_steps, true));
    if (options->bounds)
        np_json_set(&object, "bound", bounds_json(options));
    return np_json_print(object, 3, stream);
}
