/* The CSV of a sort: a line for each stage, then one for the whole. */
#include "netpram/base.h"
#include "report/csv.h"
#include "report/shape.h"
#include "report/sort.h"

typedef struct line {
    const np_sort_result *result;
    const np_sort_stage *stage;
    const np_sort_result *total; /* NULL in the lines of stages */
} line;

static void get_order(const void *object, np_value *value)
{
    const np_sort_result *result = ((const line *)object)->result;
    value->text = result->key_order ? result->key_order : np_keys_kind_name(result->kind);
}

static const np_field line_rows[] = {
    {"stage", NP_FIELD_OBJECT, offsetof(line, stage), .flags = NP_FIELD_BEHIND, .fields = &np_sort_stage_fields,
     .help = "a stage; `total`: the whole"},
    {"total", NP_FIELD_OBJECT, offsetof(line, total), .flags = NP_FIELD_BEHIND, .fields = &np_sort_result_fields,
     .help = "the whole, in its line only"},
    {"key_order", NP_FIELD_TEXT, .get = get_order,
     .help = "the order in which keys were made, or the kind of those that were read"},
    {NULL, NP_FIELD_INSET, offsetof(line, result), .flags = NP_FIELD_BEHIND, .fields = &np_sort_result_fields},
};

static const np_fields line_fields = NP_FIELDS("sort_line", "a sort", line, line_rows);

static const char columns[] =
    "network,algorithm,keys,places,per_place,key_order,seed,runs,sorted,stage=stage.name,depth=stage.depth,"
    "times=stage.times,*=stage.steps,steps_max=stage.steps_max,packets=stage.packets,hops=stage.hops,"
    "comparators=stage.comparators,queue_max=stage.queue_max,load_max=stage.load_max,congestion=stage.congestion,"
    "delay_max=stage.delay_max,redraws=total.redraws,fallbacks=total.fallbacks,predicted_steps=total.predicted.steps,"
    "predicted_comparators=total.predicted.comparators,steps_per_log2_places=total.steps_per_log2_places";

const np_report_shape np_report_sort_shape = {"sort", &np_sort_result_fields, &line_fields, columns};

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

np_status np_report_sort_csv(const np_sort_result *result, FILE *stream)
{
    const np_sort_stage all = whole(result);
    np_csv_head(&line_fields, columns, stream);
    for (size_t i = 0; i < result->stages; i++)
        np_csv_line(&line_fields, &(line){result, &result->stage[i], NULL}, columns, stream);
    np_csv_line(&line_fields, &(line){result, &all, result}, columns, stream);
    return np_output_check(stream, "the report");
}
