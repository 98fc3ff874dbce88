/* The JSON and the CSV of a sort: docs/json.md describes the former. */
#include <inttypes.h>

#include "netpram/output.h"
#include "report/csv.h"
#include "report/json.h"
#include "report/sort.h"

/* ---- JSON ---- */

static json_t *text_or_null(const char *text) { return text ? np_json_text(text) : json_null(); }

static json_t *whole_or_null(uint64_t value) { return value ? np_json_whole(value) : json_null(); }

static json_t *predicted_json(const np_sort_result *result)
{
    const np_sort_prediction *predicted = &result->predicted;
    json_t *object = json_object();
    np_json_set(&object, "steps", whole_or_null(predicted->steps));
    np_json_set(&object, "comparators", whole_or_null(predicted->comparators));
    np_json_set(&object, "formula", np_json_text(predicted->formula));
    np_json_set(&object, "steps_agree",
                predicted->steps ? json_boolean(np_report_sort_steps_agree(result)) : json_null());
    np_json_set(&object, "comparators_agree",
                predicted->comparators ? json_boolean(np_report_sort_comparators_agree(result)) : json_null());
    return object;
}

static json_t *constants_json(const np_sort_constants *constants)
{
    json_t *object = json_object();
    np_json_set(&object, "candidates", np_json_real(constants->candidates));
    np_json_set(&object, "oversampling", json_integer(constants->oversampling));
    np_json_set(&object, "lightness", json_integer(constants->lightness));
    np_json_set(&object, "cutoff", json_integer(constants->cutoff));
    np_json_set(&object, "redraws", json_integer(constants->redraws));
    np_json_set(&object, "group", json_integer(constants->group));
    return object;
}

static json_t *stage_json(const np_sort_result *result, const np_sort_stage *stage)
{
    json_t *object = json_object();
    np_json_set(&object, "name", np_json_text(stage->name));
    np_json_set(&object, "depth", json_integer(stage->depth));
    np_json_set(&object, "times", np_json_whole(stage->times));
    np_json_set(&object, "steps", np_json_summary(&stage->steps, true));
    np_json_set(&object, "steps_max", np_json_whole(stage->steps_max));
    np_json_set(&object, "share", np_json_real(np_report_sort_share(result, stage)));
    np_json_set(&object, "packets", np_json_whole(stage->packets));
    np_json_set(&object, "hops", np_json_whole(stage->hops));
    np_json_set(&object, "comparators", np_json_whole(stage->comparators));
    np_json_set(&object, "queue_max", json_integer(stage->queue_max));
    np_json_set(&object, "load_max", json_integer(stage->load_max));
    np_json_set(&object, "congestion", json_integer(stage->congestion));
    np_json_set(&object, "delay_max", json_integer(stage->delay_max));
    return object;
}

static json_t *event_json(const np_sort_event *event)
{
    json_t *object = json_object();
    np_json_set(&object, "name", np_json_text(event->name));
    np_json_set(&object, "lemma", np_json_text(event->lemma));
    np_json_set(&object, "what", np_json_text(event->what));
    np_json_set(&object, "times", np_json_whole(event->times));
    np_json_set(&object, "failures", np_json_whole(event->failures));
    np_json_set(&object, "worst", np_json_real(event->worst));
    np_json_set(&object, "bound", event->bound > 0 ? np_json_real(event->bound) : json_null());
    return object;
}

static void subject_json(const np_sort_result *result, const np_report_keys *keys, json_t **object)
{
    np_json_set(object, "seed", np_json_whole(result->seed));
    np_json_set(object, "runs", json_integer(result->runs));
    np_json_set(object, "threads", json_integer(result->threads));
    np_json_set(object, "wall_seconds", np_json_real(result->wall_seconds));
    np_json_set(object, "network", np_json_text(result->network));
    np_json_set(object, "nodes", np_json_whole(result->nodes));
    np_json_set(object, "algorithm", np_json_text(result->algorithm));
    np_json_set(object, "indexing", np_json_text(result->indexing));
    np_json_set(object, "keys", np_json_whole(result->keys));
    np_json_set(object, "places", np_json_whole(result->places));
    np_json_set(object, "per_place", np_json_whole(result->per_place));
    np_json_set(object, "input", text_or_null(keys->input));
    np_json_set(object, "kind", keys->order ? json_null() : np_json_text(np_keys_kind_name(keys->kind)));
    np_json_set(object, "order", text_or_null(keys->order));
}

static void outcome_json(const np_sort_result *result, json_t **object)
{
    np_json_set(object, "sorted", json_boolean(result->sorted));
    np_json_set(object, "wrong", text_or_null(result->sorted ? NULL : result->wrong));
    np_json_set(object, "steps", np_json_summary(&result->steps, true));
    np_json_set(object, "steps_per_log2_places",
                result->places > 1 ? np_json_real(np_report_sort_per_log2(result)) : json_null());
    np_json_set(object, "hops", np_json_whole(result->hops));
    np_json_set(object, "comparators", np_json_whole(result->comparators));
    np_json_set(object, "queue_max", json_integer(result->queue_max));
    np_json_set(object, "load_max", json_integer(result->load_max));
    np_json_set(object, "recursion_depth", json_integer(result->recursion_depth));
    np_json_set(object, "redraws", np_json_whole(result->redraws));
    np_json_set(object, "fallbacks", np_json_whole(result->fallbacks));
    np_json_set(object, "predicted", predicted_json(result));
    np_json_set(object, "queue_size", json_integer(result->merge.queue_size));
    np_json_set(object, "room", np_json_text(result->merge.room == NP_ROOM_FREED ? "freed" : "begin"));
    np_json_set(object, "constants", constants_json(&result->constants));
}

np_status np_report_sort_json(const np_sort_result *result, const np_report_keys *keys,
                              const np_report_options *options, FILE *stream)
{
    json_t *object = np_json_head(options->command), *stages = json_array(), *events = json_array();
    subject_json(result, keys, &object);
    outcome_json(result, &object);
    for (size_t i = 0; i < result->stages; i++)
        np_json_append(&stages, stage_json(result, &result->stage[i]));
    for (size_t i = 0; i < result->events; i++)
        np_json_append(&events, event_json(&result->event[i]));
    np_json_set(&object, "stages", stages);
    np_json_set(&object, "events", events);
    return np_json_print(object, 2, stream);
}

/* ---- CSV: a line for each stage, then one for the whole ---- */

static void subject_csv(const np_sort_result *result, const np_report_keys *keys, FILE *stream)
{
    np_csv_text(result->network, stream);
    np_csv_text(result->algorithm, stream);
    fprintf(stream, "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",", result->keys, result->places, result->per_place);
    np_csv_text(np_report_sort_keys(keys), stream);
    fprintf(stream, "%" PRIu64 ",%u,%s,", result->seed, result->runs, result->sorted ? "true" : "false");
}

static void stage_csv(const np_sort_result *result, const np_report_keys *keys, const np_sort_stage *stage,
                      FILE *stream)
{
    subject_csv(result, keys, stream);
    np_csv_text(stage->name, stream);
    fprintf(stream, "%u,%" PRIu64 ",", stage->depth, stage->times);
    np_csv_summary(&stage->steps, stream);
    fprintf(stream, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%u,%u,%u,%u,,,,,\n", stage->steps_max,
            stage->packets, stage->hops, stage->comparators, stage->queue_max, stage->load_max, stage->congestion,
            stage->delay_max);
}

/* The maximum over the stages of what the result has not. */
static np_sort_stage whole(const np_sort_result *result)
{
    np_sort_stage all = {.name = "total",
                         .depth = result->recursion_depth,
                         .times = result->runs,
                         .steps = result->steps,
                         .steps_max = (uint64_t)result->steps.max,
                         .hops = result->hops,
                         .comparators = result->comparators,
                         .queue_max = result->queue_max,
                         .load_max = result->load_max};
    for (size_t i = 0; i < result->stages; i++) {
        const np_sort_stage *stage = &result->stage[i];
        all.packets += stage->packets;
        all.congestion = stage->congestion > all.congestion ? stage->congestion : all.congestion;
        all.delay_max = stage->delay_max > all.delay_max ? stage->delay_max : all.delay_max;
    }
    return all;
}

static void total_csv(const np_sort_result *result, const np_report_keys *keys, FILE *stream)
{
    const np_sort_stage all = whole(result);
    subject_csv(result, keys, stream);
    fprintf(stream, "%s,%u,%" PRIu64 ",", all.name, all.depth, all.times);
    np_csv_summary(&all.steps, stream);
    fprintf(stream, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%u,%u,%u,%u,", all.steps_max, all.packets,
            all.hops, all.comparators, all.queue_max, all.load_max, all.congestion, all.delay_max);
    fprintf(stream, "%" PRIu64 ",%" PRIu64 ",", result->redraws, result->fallbacks);
    if (result->predicted.steps)
        fprintf(stream, "%" PRIu64, result->predicted.steps);
    fputc(',', stream);
    if (result->predicted.comparators)
        fprintf(stream, "%" PRIu64, result->predicted.comparators);
    fprintf(stream, ",%.15g\n", np_report_sort_per_log2(result));
}

np_status np_report_sort_csv(const np_sort_result *result, const np_report_keys *keys, FILE *stream)
{
    fputs("network,algorithm,keys,places,per_place,key_order,seed,runs,sorted,stage,depth,times," NP_CSV_SUMMARY
          ",steps_max,packets,hops,comparators,queue_max,load_max,congestion,delay_max,redraws,fallbacks,"
          "predicted_steps,predicted_comparators,steps_per_log2_places\n",
          stream);
    for (size_t i = 0; i < result->stages; i++)
        stage_csv(result, keys, &result->stage[i], stream);
    total_csv(result, keys, stream);
    return np_output_check(stream, "the report");
}
