/*
 * A route: JSON and CSV by the fields of its result and of its bounds, and a table of what was routed, a row for each
 * phase, the bound if asked for, and the command that repeats the route. Cells of the table are means over the runs;
 * the steps, the most important measure, also show their spread.
 */

#include <string.h>

#include "base/real.h"
#include "show/table/csv.h"
#include "show/table/shape.h"

/* ---- JSON ---- */

typedef struct view {
    const np_route_result *result;
    const np_report_bound *bound; /* [bounds] */
    size_t bounds;
    np_report_added added;
} view;

static bool is_bounded(const void *object) { return ((const view *)object)->bounds; }

static const np_field view_rows[] = {
    {NULL, NP_FIELD_INSET, offsetof(view, result), .flags = NP_FIELD_BEHIND, .fields = &np_route_result_fields},
    {"bound", NP_FIELD_LIST, offsetof(view, bound), .count_at = offsetof(view, bounds),
     .fields = &np_report_bound_fields, .applies = is_bounded,
     .help = "only with `--bound`: an object for each phase, and for all of them"},
    {NULL, NP_FIELD_INSET, offsetof(view, added), .fields = &np_report_route_added},
};

static const np_route_result *result_of(const void *object) { return ((const view *)object)->result; }

static const np_fields view_fields = NP_FIELDS("route", "a route", view, view_rows);

/* ---- CSV in long form: a line for each phase and measure, then the total of the steps ---- */

typedef struct line {
    const np_route_result *result;
    const char *phase, *measure;
    const np_summary *summary;
} line;

static void get_permutations(const void *object, np_value *value)
{
    uint32_t permutations = ((const line *)object)->result->permutations;
    value->whole = permutations ? permutations : 1;
}

static void get_runs(const void *object, np_value *value) { value->whole = ((const line *)object)->summary->count; }

static const np_field line_rows[] = {
    {"runs", NP_FIELD_SIZE, .get = get_runs, .help = "that had the phase: the summary is over them"},
    {"phase", NP_FIELD_TEXT, offsetof(line, phase), .help = "its name; `total`: all phases together"},
    {"measure", NP_FIELD_TEXT, offsetof(line, measure),
     .help =
         "a key of a phase above; of `total` the steps only, and with `--certify` `steps_bound` and `certified_ratio`"},
    {"summary", NP_FIELD_SUMMARY, offsetof(line, summary), .flags = NP_FIELD_BEHIND, .help = "over the runs"},
    {"permutations", NP_FIELD_U32, .get = get_permutations, .help = "at a time; 1 but on omega networks"},
    {NULL, NP_FIELD_INSET, offsetof(line, result), .flags = NP_FIELD_BEHIND, .fields = &np_route_result_fields},
};

static const np_fields line_fields = NP_FIELDS("route_line", "a route", line, line_rows);

static const char columns[] =
    "network=network.spec,scheme,paths,traffic,queue,seed,runs,phase,measure,*=summary,permutations";

static np_status report_csv(const void *object, FILE *stream)
{
    const np_route_result *result = result_of(object);
    np_csv_head(&line_fields, columns, stream);
    for (size_t i = 0; i < result->phases; i++) {
        const np_phase_result *phase = &result->phase[i];
        const np_field *field;
        np_value value;
        for (size_t k = 0; (field = np_fields_row(&np_phase_result_fields, k, NULL)); k++)
            if (field->kind == NP_FIELD_SUMMARY && np_field_get(field, phase, &value))
                np_csv_line(&line_fields, &(line){result, phase->name, field->name, value.object}, columns, stream);
    }
    np_csv_line(&line_fields, &(line){result, "total", "steps", &result->total_steps}, columns, stream);
    np_csv_line(&line_fields, &(line){result, "total", "physical_steps", &result->total_physical_steps}, columns,
                stream);
    if (result->certificate.run) {
        const np_route_certificate *c = &result->certificate;
        np_csv_line(&line_fields, &(line){result, "total", "steps_bound", &c->steps_bound}, columns, stream);
        np_csv_line(&line_fields, &(line){result, "total", "certified_ratio", &c->ratio}, columns, stream);
    }
    return np_output_check(stream, "the report");
}

/* ---- For people: more fields ---- */

static void get_log2_packets(const void *object, np_value *value)
{
    np_packet packets = ((const np_phase_result *)object)->run[0].packets;
    value->real = packets ? np_log2(packets) : 0;
}

static const np_field phase_rows[] = {
    {NULL, NP_FIELD_INSET, .fields = &np_phase_result_fields},
    {"log2_packets", NP_FIELD_REAL, .get = get_log2_packets, .help = "log2 N"},
    {"leveled", NP_FIELD_BOOL, offsetof(np_phase_result, leveled), .help = "routed on a leveled network"},
    {"missed", NP_FIELD_BOOL, offsetof(np_phase_result, missed), .help = "some run did not have it"},
    {"in_rounds", NP_FIELD_BOOL, offsetof(np_phase_result, in_rounds), .help = "packets lock their paths in rounds"},
    {"outlined", NP_FIELD_BOOL, offsetof(np_phase_result, outlined), .help = "scheduled by an outline"},
};

static const np_fields phase_fields = NP_FIELDS("phase", "a phase", np_phase_result, phase_rows);

static bool has_phases(const void *object) { return result_of(object)->phases; }
static void get_first(const void *object, np_value *value) { value->object = result_of(object)->phase; }

/* The one phase that overlapping ones are; or F. */
static void get_last(const void *object, np_value *value)
{
    value->object = &result_of(object)->phase[result_of(object)->phases - 1];
}

static void get_phases(const void *object, np_value *value)
{
    value->object = result_of(object)->phase;
    value->count = result_of(object)->phases;
}

static void get_packets(const void *object, np_value *value)
{
    value->whole = result_of(object)->phase[0].run[0].packets;
}

static const np_field chance_rows[] = {
    {"value", NP_FIELD_REAL, offsetof(np_report_bound_row, value), .help = "of the measure"},
    {"chance", NP_FIELD_REAL, offsetof(np_report_bound_row, bound), .help = "by the theorem"},
    {"share", NP_FIELD_REAL, offsetof(np_report_bound_row, measured), .help = "of the runs"},
};

static const np_fields chance_fields = NP_FIELDS("chance", "a bound", np_report_bound_row, chance_rows);

/* A bound, and whether the one before it has the same reason: a reason is said once. */
typedef struct told {
    const np_report_bound *bound;
    bool again;
} told;

static void get_measure(const void *object, np_value *value) { value->text = ((const told *)object)->bound->measure; }

static void get_chances(const void *object, np_value *value)
{
    value->object = ((const told *)object)->bound->row;
    value->count = ((const told *)object)->bound->rows;
}

static const np_field told_rows[] = {
    {NULL, NP_FIELD_INSET, offsetof(told, bound), .flags = NP_FIELD_BEHIND, .fields = &np_report_bound_fields},
    {"again", NP_FIELD_BOOL, offsetof(told, again), .help = "the reason was said"},
    {"measure", NP_FIELD_TEXT, .get = get_measure, .help = "`delay` or `steps`"},
    {"chances", NP_FIELD_LIST, .get = get_chances, .fields = &chance_fields, .help = "of values of the measure"},
};

static const np_fields told_fields = NP_FIELDS("told", "a bound", told, told_rows);

static void get_bound(np_value *list, size_t i, np_value *item)
{
    const np_report_bound *bound = list->object;
    size_t before = i;
    while (before && !*bound[before - 1].reason)
        before--;
    const told one = {&bound[i], before && !strcmp(bound[before - 1].reason, bound[i].reason)};
    np_value_hold(item, &one, sizeof one);
}

static void get_bounds(const void *object, np_value *value)
{
    value->object = ((const view *)object)->bound;
    value->count = ((const view *)object)->bounds;
    value->item = get_bound;
}

static const np_field shown_rows[] = {
    {"phases", NP_FIELD_LIST, .get = get_phases, .fields = &phase_fields, .help = "of the route"},
    {"first", NP_FIELD_OBJECT, .get = get_first, .known = has_phases, .fields = &phase_fields, .help = "phase"},
    {"final", NP_FIELD_OBJECT, .get = get_last, .known = has_phases, .fields = &phase_fields, .help = "phase"},
    {"all_packets", NP_FIELD_U32, .get = get_packets, .help = "of all permutations"},
    {"bounds", NP_FIELD_LIST, .get = get_bounds, .fields = &told_fields, .help = "beside the measurement"},
    {NULL, NP_FIELD_INSET, offsetof(view, result), .flags = NP_FIELD_BEHIND, .fields = &np_route_result_fields},
};

static const np_fields shown = NP_FIELDS("route_table", "a route", view, shown_rows);

/* ---- Layouts ---- */

static const char phases_layout[] =
    "network  {network.spec}: {network.nodes node}, {network.links link}\n"
    "scheme   {scheme}: paths {paths}, queue {queue}{via ? , by way of {via}}{overlap ? , phases overlap : "
    "{permutations>1 ?  in a permutation, the most urgent permutation first}}\n"
    "traffic  {traffic}: {packets packet}, a partial {relation}-relation\n"
    "{!load_factor=null ?          load factor {load_factor:4}: no routing takes fewer steps\n}"
    /* permutations are drawn or copied unless the traffic itself has as many */
    "{permutations>1 ?          {permutations} permutations at a time{!all_packets=packets ? , {traffic=random ? each "
    "drawn by itself : all the same}: {all_packets} packets}\n}"
    "runs     {runs} from seed {seed}"
    "{runs>1 ?  (means; ± is the 95% confidence interval, [least..most])}\n\n"
    "{table lrrrrrrr: phase|steps|delay|max delay|queue|population|congestion|hops\n"
    "{each phases: {name}|{steps.ci95>0 ? {steps:.2} {steps:spread} : {steps}}|{delay_mean}|{delay_max}|{queue_max}|"
    "{population_max}|{congestion}|{hops}\n}"
    "{phases>1 ? total|{total_steps.ci95>0 ? {total_steps:.2} {total_steps:spread} : {total_steps}}||||||\n}}"
    /* steps that were the same in all runs have no interval */
    "{runs>1 ? {each phases: {steps.ci95>0 ?  : {runs>1 ? {name:-8} {steps:spread}\n}}}"
    "{phases>1 & !total_steps.ci95>0 ? total    {total_steps:spread}\n}}"
    /* in a phase, `runs` is how many had it */
    "{each phases: {missed & runs ? phase {name}: {runs run} had it, and its numbers are over {runs=1 ? it : them}\n}}"
    "{phase_time ? \ntime     {phase_time step} a phase: {fallback=null ? {with final: {late:6} packet{late=1 ?  was : "
    "s were} late{runs>1 ?  (mean)}} : {fallback_runs=0 ? enough for all : too short in {fallback_runs} of {runs run}, "
    "and {with final: {late:6} packet{late=1 ?  : s} went on by {fallback}{runs>1 ?  (mean)}}}}\n}"
    "{certificate ? {with certificate: {ratio=null ? \ncertify  no packet takes a link\n : "
    "{runs=1 ? \ncertify  {total_physical_steps} steps; none can take fewer than {steps_bound}\n : "
    "\ncertify  {steps_bound.min} steps are needed at least{steps_bound.max>steps_bound.min ?  (in some runs "
    "{steps_bound.max})}; {ratio.min:.3} times that was the least, {ratio.p50:.3} the median\n}}}}"
    "\n{table lrrrr: delay|median|90%|99%|99.9%\n"
    "{each phases: {name}|{delay_p50}|{delay_p90}|{delay_p99}|{delay_p999}\n}}";

static const char merging_layout[] =
    "{first.leveled ? \n{table lrrrrrrrrrr: leveled|c|L|log2 N|steps/(c+L+log2 N)|real "
    "queue|ghosts|combined|nodes/node|"
    "links/link|{physical ? physical : physical <=}\n"
    "{each phases: "
    "{name}|{congestion_destinations}|{levels}|{log2_packets:.2}|{ratio:.3}|{queue_real_max.max}|{ghosts}|"
    "{combined}|{emulation.nodes_per_node}|{emulation.links_per_link}|{physical_steps}\n}}"
    "{each phases: {!starved=null ? phase {name}: Lemma 2.3 fails {starved:.2} times (mean): a node with packets waits "
    "for an empty queue after step level\n}}"
    "{each phases: {!cycles=null ? phase {name}: {cycles:6} message cycles; the last packet of a message came in step "
    "{packet_steps:6}, of {packet_hops:6} packets over links{runs>1 ?  (mean)}\n}}}"
    "{first.outlined ? \n{table lrrrrrr: outline|c|d|steps/(c+d)|times|load|resamplings\n"
    "{each phases: {name}|{congestion}|{dilation}|{c_d_ratio:.3}|{outline}|{outline_load}|{resamplings}\n}}}"
    "{first.in_rounds ? \n{table lrrr: locked|rounds|in the first|blocked\n"
    "{each phases: {name}|{rounds}|{locked}|{blocked}\n}}}";

static const char bounds_layout[] =
    "{each bounds: "
    "{applies ? \nbound    {phase=total ?  : phase }{phase}: {source}, {theorem}: {formula} (h = {relation}"
    "{with steps: )\n         {relation} {theorem:.0} steps, measured {measured:.0}"
    "{relation=about ? , {theorem>0 ? {measured/theorem:.3} : 1.000} times}"
    "{!relation=about & runs=1 ? {runs_equal ? : equal : {runs_broken ? : BROKEN}}}"
    "{!relation=about & runs>1 ? : equal in {runs_equal} of {runs run}{runs_broken ? , BROKEN in others}}\n}"
    "{steps=null ? , T = {packets})\n"
    "{table lrr: {measure}|P at most|measured\n"
    "{each chances: {measure=steps ? > : >=} {value:6}|{chance:3}|{share:3}\n}}}"
    " : {again ?  : \nbound    none: {reason}\n}}}"
    "\n{command ? repeat   {command}\n}"
    "by       netpram {version} in {wall_seconds:3} s on {threads thread}\n";

const np_report_form np_report_route_form = {{"route", &view_fields, &line_fields, columns},
                                             .open = 3,
                                             .csv = report_csv,
                                             .fields = &shown,
                                             .layout = phases_layout,
                                             .rest = {merging_layout, bounds_layout}};

np_status np_report_route_with(const np_route_result *result, const void *explanation, const np_report_options *given,
                               FILE *stream)
{
    np_report_options options;
    np_status st = np_options_take(&np_report_options_fields, given, &options);
    const view v = {result, st ? NULL : options.bound, st ? 0 : options.bounds, {explanation}};
    return st ? st : np_report_print(&np_report_route_form, &v, &options, stream);
}

np_status np_report_route(const np_route_result *result, const np_report_options *given, FILE *stream)
{
    return np_report_route_with(result, NULL, given, stream);
}
