/* The JSON and the CSV of a sort, by its fields and the fields of the origin of its keys. */
#include "netpram/base.h"
#include "report/csv.h"
#include "report/json.h"
#include "report/shape.h"
#include "report/sort.h"
#include "sort/fields.h"

/* ---- Where the keys came from ---- */

static const np_report_keys *keys(const void *object) { return object; }

static bool was_read(const void *object) { return !keys(object)->order; }
static void get_kind(const void *object, np_value *value) { value->text = np_keys_kind_name(keys(object)->kind); }
static void get_order(const void *object, np_value *value) { value->text = np_report_sort_keys(object); }

static const np_field keys_rows[] = {
    {"input", NP_FIELD_TEXT, offsetof(np_report_keys, input),
     .help = "the file they were read from; `null`: they were made"},
    {"kind", NP_FIELD_WORD, .get = get_kind, .known = was_read,
     .help = "`integers`, `floats` or `text`; `null`: they were made"},
    {"order", NP_FIELD_TEXT, offsetof(np_report_keys, order),
     .help = "the order in which they were made; `null`: they were read"},
};

static const np_fields keys_fields = NP_FIELDS("keys", "keys", np_report_keys, keys_rows);

/* ---- JSON ---- */

typedef struct view {
    const np_sort_result *result;
    const np_report_keys *keys;
} view;

static const np_field view_rows[] = {
    {NULL, NP_FIELD_INSET, offsetof(view, result), .flags = NP_FIELD_BEHIND, .fields = &np_sort_subject_fields},
    {NULL, NP_FIELD_INSET, offsetof(view, keys), .flags = NP_FIELD_BEHIND, .fields = &keys_fields},
    {NULL, NP_FIELD_INSET, offsetof(view, result), .flags = NP_FIELD_BEHIND, .fields = &np_sort_outcome_fields},
};

static const np_fields view_fields = NP_FIELDS("sort", "a sort", view, view_rows);

np_status np_report_sort_json(const np_sort_result *result, const np_report_keys *input,
                              const np_report_options *options, FILE *stream)
{
    return np_json_report(&view_fields, &(view){result, input}, options->command, 2, stream);
}

/* ---- CSV: a line for each stage, then one for the whole ---- */

typedef struct line {
    const np_sort_result *result;
    const np_report_keys *keys;
    const np_sort_stage *stage;
    const np_sort_result *total; /* NULL in the lines of stages */
} line;

static const np_field order_rows[] = {
    {"key_order", NP_FIELD_TEXT, .get = get_order,
     .help = "the order in which keys were made, or the kind of those that were read"},
};

static const np_fields order_fields = NP_FIELDS("key_order", "keys", np_report_keys, order_rows);

static const np_field line_rows[] = {
    {"stage", NP_FIELD_OBJECT, offsetof(line, stage), .flags = NP_FIELD_BEHIND, .fields = &np_sort_stage_fields,
     .help = "a stage; `total`: the whole"},
    {"total", NP_FIELD_OBJECT, offsetof(line, total), .flags = NP_FIELD_BEHIND, .fields = &np_sort_result_fields,
     .help = "the whole, in its line only"},
    {NULL, NP_FIELD_INSET, offsetof(line, keys), .flags = NP_FIELD_BEHIND, .fields = &order_fields},
    {NULL, NP_FIELD_INSET, offsetof(line, result), .flags = NP_FIELD_BEHIND, .fields = &np_sort_result_fields},
};

static const np_fields line_fields = NP_FIELDS("sort_line", "a sort", line, line_rows);

static const char columns[] =
    "network,algorithm,keys,places,per_place,key_order,seed,runs,sorted,stage=stage.name,depth=stage.depth,"
    "times=stage.times,*=stage.steps,steps_max=stage.steps_max,packets=stage.packets,hops=stage.hops,"
    "comparators=stage.comparators,queue_max=stage.queue_max,load_max=stage.load_max,congestion=stage.congestion,"
    "delay_max=stage.delay_max,redraws=total.redraws,fallbacks=total.fallbacks,predicted_steps=total.predicted.steps,"
    "predicted_comparators=total.predicted.comparators,steps_per_log2_places=total.steps_per_log2_places";

const np_report_shape np_report_sort_shape = {"sort", &view_fields, &line_fields, columns};

/* The maxima over the stages, for figures that the result itself does not have. */
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

np_status np_report_sort_csv(const np_sort_result *result, const np_report_keys *input, FILE *stream)
{
    const np_sort_stage all = whole(result);
    np_csv_head(&line_fields, columns, stream);
    for (size_t i = 0; i < result->stages; i++)
        np_csv_line(&line_fields, &(line){result, input, &result->stage[i], NULL}, columns, stream);
    np_csv_line(&line_fields, &(line){result, input, &all, result}, columns, stream);
    return np_output_check(stream, "the report");
}
