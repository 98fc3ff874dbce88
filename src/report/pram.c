/* The result of a PRAM program: is the answer right, what did it cost, which access rule did it need? */
#include "netpram/base.h"
#include "pram/fields.h"
#include "report/pram_cost.h"
#include "report/shape.h"

/* ---- JSON and CSV ---- */

typedef struct view {
    const np_program_result *result;
    const np_pram_report *report; /* of the result */
    const np_pram_memory *memory;
    const np_pram_explanation *explanation; /* NULL: none was asked for */
} view;

static bool has_memory(const void *object) { return ((const view *)object)->memory->rows; }
static bool is_explained(const void *object) { return ((const view *)object)->explanation; }

static const np_field view_rows[] = {
    {NULL, NP_FIELD_INSET, offsetof(view, result), .flags = NP_FIELD_BEHIND, .fields = &np_program_result_fields},
    {"memory", NP_FIELD_OBJECT, offsetof(view, memory), .flags = NP_FIELD_BEHIND, .fields = &np_pram_memory_fields,
     .known = has_memory, .help = "only of `butterfly:n`: what the modules need for the cells allocated, in words"},
    {NULL, NP_FIELD_INSET, offsetof(view, report), .flags = NP_FIELD_BEHIND, .fields = &np_pram_violations_fields},
    {"explain", NP_FIELD_OBJECT, offsetof(view, explanation), .flags = NP_FIELD_BEHIND,
     .fields = &np_pram_explanation_fields, .applies = is_explained,
     .help = "only with `--explain`: the polarized sequence of the slowest batch on a butterfly"},
};

static const np_fields view_fields = NP_FIELDS("pram", "a program", view, view_rows);

/* ---- The table ---- */

static void get_noun(const void *object, np_value *value)
{
    value->text = ((const view *)object)->result->program->size;
}
static void get_wrong(const void *object, np_value *value) { value->text = ((const view *)object)->result->wrong; }

static const np_field shown_rows[] = {
    {NULL, NP_FIELD_INSET, .fields = &view_fields},
    {NULL, NP_FIELD_INSET, offsetof(view, report), .flags = NP_FIELD_BEHIND, .fields = &np_pram_whole_fields},
    {"noun", NP_FIELD_TEXT, .get = get_noun, .help = "what the size counts"},
    {"wrong", NP_FIELD_TEXT, .get = get_wrong, .help = "the first place where the answer is wrong"},
};

static const np_fields shown = NP_FIELDS("pram_shown", "a program", view, shown_rows);

static const char layout[] = "program  {program}: {size} {noun}, seed {seed}\n"
                             "machine  {machine}: {processors} processors{modules ? , {modules} modules, n = {n}}\n"
                             "rule     {rule}\n"
                             "answer   {answer}{answer_words ? : {answer_words}}\n"
                             "         {correct ? correct : WRONG: {wrong}}\n\n";

static np_status print(const void *object, const np_report_options *options, FILE *stream)
{
    const view *v = object;
    const np_pram_costs costs = {v->report, v->memory, np_pram_schedule_get(v->result->pram),
                                 .explanation = v->explanation};
    np_status st = np_layout_print(layout, &shown, v, options->command, stream);
    return st ? st : np_pram_costs_print(&costs, options->command, stream);
}

const np_report_form np_report_pram_form = {{"pram", &view_fields, &view_fields, np_pram_columns},
                                            .open = 3,
                                            .fields = &shown,
                                            .layout = layout,
                                            .people = print};

/* A text has one report, by whatever way it was found. */
np_status np_report_pram(const np_program_result *result, const np_report_options *given, FILE *stream)
{
    np_report_options options;
    np_pram_memory memory;
    if (result->script)
        return np_report_pram_script(result->script, given, stream);
    np_status st = np_pram_options_take(given, result->pram, &options, &memory);
    const view v = {result, &result->report, &memory, st ? NULL : options.explanation};
    return st ? st : np_report_print(&np_report_pram_form, &v, &options, stream);
}
