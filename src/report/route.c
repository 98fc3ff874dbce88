/* A route as JSON and as CSV, by the fields of its result and of its bounds. */
#include "report/route.h"

#include "netpram/base.h"
#include "report/csv.h"
#include "report/json.h"
#include "report/shape.h"

/* ---- JSON ---- */

typedef struct view {
    const np_route_result *result;
    const np_report_bound *bound; /* [bounds] */
    size_t bounds;
    const np_route_explanation *explanation; /* NULL: none was asked for */
} view;

static bool is_explained(const void *object) { return ((const view *)object)->explanation; }
static bool is_bounded(const void *object) { return ((const view *)object)->bounds; }

static const np_field view_rows[] = {
    {NULL, NP_FIELD_INSET, offsetof(view, result), .flags = NP_FIELD_BEHIND, .fields = &np_route_result_fields},
    {"bound", NP_FIELD_LIST, offsetof(view, bound), .count_at = offsetof(view, bounds),
     .fields = &np_report_bound_fields, .applies = is_bounded,
     .help = "only with `--bound`: an object for each phase, and for all of them"},
    {"explain", NP_FIELD_OBJECT, offsetof(view, explanation), .flags = NP_FIELD_BEHIND,
     .fields = &np_route_explanation_fields, .applies = is_explained,
     .help = "only with `--explain`: why the slowest run took so long"},
};

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

static const np_field line_rows[] = {
    {"phase", NP_FIELD_TEXT, offsetof(line, phase), .help = "its name; `total`: all phases together"},
    {"measure", NP_FIELD_TEXT, offsetof(line, measure), .help = "a key of a phase above; of `total` the steps only"},
    {"summary", NP_FIELD_SUMMARY, offsetof(line, summary), .flags = NP_FIELD_BEHIND, .help = "over the runs"},
    {"permutations", NP_FIELD_U32, .get = get_permutations, .help = "at a time; 1 but on omega networks"},
    {NULL, NP_FIELD_INSET, offsetof(line, result), .flags = NP_FIELD_BEHIND, .fields = &np_route_result_fields},
};

static const np_fields line_fields = NP_FIELDS("route_line", "a route", line, line_rows);

static const char columns[] =
    "network=network.spec,scheme,paths,traffic,queue,seed,runs,phase,measure,*=summary,permutations";

const np_report_shape np_report_route_shape = {"route", &view_fields, &line_fields, columns};

static np_status route_csv(const np_route_result *result, FILE *stream)
{
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
    return np_output_check(stream, "the report");
}

np_status np_report_route_json(const np_route_result *result, const np_route_explanation *explanation,
                               const np_report_options *options, FILE *stream)
{
    const view v = {result, options->bound, options->bounds, explanation};
    return np_json_report(&view_fields, &v, options->command, 3, stream);
}

np_status np_report_route(const np_route_result *result, const np_report_options *given, FILE *stream)
{
    np_report_options options;
    np_status st = np_options_take(&np_report_options_fields, given, &options);
    if (st)
        return st;
    if (options.format == NP_REPORT_JSON)
        return np_report_route_json(result, NULL, &options, stream);
    if (options.format == NP_REPORT_CSV)
        return route_csv(result, stream);
    return np_report_route_table(result, &options, stream);
}
