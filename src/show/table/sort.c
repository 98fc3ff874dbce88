/* The result of a sort: the whole sort, its stages, and the events of the analysis. CSV: a line for each, then the
 * whole. */
#include "show/table/csv.h"
#include "show/table/shape.h"

static const char layout[] =
    "network    {network}: {nodes} nodes\n"
    "algorithm  {algorithm}\n"
    "keys       {keys} {order ? {order} : {kind}}{input ?  from {input}}\n"
    "places     {places}, for {per_place key} each: {indexing}\n"
    "{runs>1 ? runs       {runs} from seed {seed} (means; ± is the 95% confidence interval, [least..most])\n"
    " : seed       {seed}\n}"
    "outcome    {sorted ? sorted : NOT SORTED: {wrong}}\n"
    /* unlucky random choices from which the sorter recovered */
    "{redraws ?            {redraws block} drew new splitters}"
    "{fallbacks ? {redraws ? ,  :            }{fallbacks block} gave up on splitters and sorted by a comparator "
    "network}"
    "{redraws*1>0 & sorted & fallbacks=0 ? : the result is right}{fallbacks & sorted ? : the result is right}"
    "{redraws ? \n : {fallbacks ? \n}}"
    "\n{table lrl: "
    "steps|{steps}|{runs>1 ? {steps:spread}}\n"
    "{places>1 ?   per log2 places|{steps_per_log2_places}|\n}"
    "{predicted.steps ?   by formula|{predicted.steps}|{predicted.formula}"
    "{predicted.steps_agree ?  : : THE MEASURED STEPS DIFFER}\n}"
    "packet-hops|{hops/runs}|{runs>1 ? of a run}\n"
    "comparators|{comparators/runs}|{runs>1 ? of a run}\n"
    "{predicted.comparators ?   by formula|{predicted.comparators}|"
    "{predicted.comparators_agree ?  : THE MEASURED ONES DIFFER}\n}"
    "queue|{queue_max}|most packets in one\n"
    "load|{load_max}|most keys at one place\n"
    "recursion depth|{recursion_depth}|\n}"
    "\nstages (steps: on the way that took longest{runs>1 ? , means}; the rest: over all blocks and runs)\n"
    "{table rlrrrrrrrrrr:   depth|stage|times|steps|most|share|packets|hops|queue|load|congestion|delay\n"
    "{each stages:   "
    "{depth}|{name}|{times}|{steps}|{steps_max}|{share*100:.1}%|{packets}|{hops}|{queue_max}|{load_max}|"
    "{congestion}|{delay_max}\n}}"
    "{events ? \nevents that the analysis needs (bound -: it leaves the constant open)\n"
    "{table llrrrrl:   event|lemma|times|failed|worst|bound|of what\n"
    "{each events:   {name}|{lemma}|{times}|{bound ? {failures} : -}|{worst}|{bound}|{what}\n}}}"
    "\n{command ? repeat     {command}\n}"
    "by         netpram {version} in {wall_seconds:3} s on {threads thread}\n";

/* ---- CSV ---- */

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

static np_status report_csv(const void *object, FILE *stream)
{
    const np_sort_result *result = object;
    const np_sort_stage all = whole(result);
    np_csv_head(&line_fields, columns, stream);
    for (size_t i = 0; i < result->stages; i++)
        np_csv_line(&line_fields, &(line){result, &result->stage[i], NULL}, columns, stream);
    np_csv_line(&line_fields, &(line){result, &all, result}, columns, stream);
    return np_output_check(stream, "the report");
}

/* ---- The report ---- */

static void get_recovered(const void *object, np_value *value)
{
    const np_sort_result *result = object;
    value->truth = result->redraws || result->fallbacks;
}

static const np_field shown_rows[] = {
    {NULL, NP_FIELD_INSET, .fields = &np_sort_result_fields},
    {"recovered", NP_FIELD_BOOL, .get = get_recovered, .help = "from unlucky random choices"},
};

static const np_fields shown = NP_FIELDS("sort_shown", "a sort", np_sort_result, shown_rows);

const np_report_form np_report_sort_form = {{"sort", &np_sort_result_fields, &line_fields, columns},
                                            .open = 2,
                                            .csv = report_csv,
                                            .fields = &shown,
                                            .layout = layout};

np_status np_report_sort(const np_sort_result *result, const np_report_options *given, FILE *stream)
{
    return np_report_print(&np_report_sort_form, result, given, stream);
}
