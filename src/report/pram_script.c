/* The result of a PRAM program that is written as text: its outputs, what it cost, and what each line cost. */
#include "netpram/script.h"
#include "pram/fields.h"
#include "report/pram_cost.h"
#include "report/shape.h"

/* ---- JSON and CSV ---- */

typedef struct view {
    const np_script_result *result;
    const np_pram_report *report; /* of the result */
    const np_pram_memory *memory;
    const np_pram_explanation *explanation; /* NULL: none was asked for */
} view;

static bool has_memory(const void *object) { return ((const view *)object)->memory->rows; }
static bool is_explained(const void *object) { return ((const view *)object)->explanation; }

static const np_field view_rows[] = {
    {NULL, NP_FIELD_INSET, offsetof(view, result), .flags = NP_FIELD_BEHIND, .fields = &np_script_result_fields},
    {"memory", NP_FIELD_OBJECT, offsetof(view, memory), .flags = NP_FIELD_BEHIND, .fields = &np_pram_memory_fields,
     .known = has_memory, .help = "only of `butterfly:n`: what the modules need for the cells allocated, in words"},
    {NULL, NP_FIELD_INSET, offsetof(view, report), .flags = NP_FIELD_BEHIND, .fields = &np_pram_violations_fields},
    {"explain", NP_FIELD_OBJECT, offsetof(view, explanation), .flags = NP_FIELD_BEHIND,
     .fields = &np_pram_explanation_fields, .applies = is_explained,
     .help = "only with `--explain`: the polarized sequence of the slowest batch on a butterfly"},
};

static const np_fields view_fields = NP_FIELDS("script", "a program's text", view, view_rows);

/* ---- The table ---- */

static void get_name(const void *object, np_value *value)
{
    const np_script_result *result = ((const view *)object)->result;
    value->text = *result->about.name ? result->about.name : result->path;
}

static void get_about(const void *object, np_value *value)
{
    value->text = ((const view *)object)->result->about.about;
}
static void get_source(const void *object, np_value *value)
{
    value->text = ((const view *)object)->result->about.source;
}
static void get_wrong(const void *object, np_value *value) { value->text = ((const view *)object)->result->wrong; }

static const np_field shown_rows[] = {
    {NULL, NP_FIELD_INSET, .fields = &view_fields},
    {NULL, NP_FIELD_INSET, offsetof(view, report), .flags = NP_FIELD_BEHIND, .fields = &np_pram_whole_fields},
    {"name", NP_FIELD_TEXT, .get = get_name, .help = "of the program, or its path"},
    {"about", NP_FIELD_TEXT, .get = get_about, .help = "what it does"},
    {"source", NP_FIELD_TEXT, .get = get_source, .help = "where it is from"},
    {"wrong", NP_FIELD_TEXT, .get = get_wrong, .help = "the first place where the answer is wrong"},
};

static const np_fields shown = NP_FIELDS("script_shown", "a program's text", view, shown_rows);

static const char head_layout[] =
    "program  {name}{about ? : {about}}{source ?  ({source})}\n"
    "size     {size}, seed {seed}\n"
    "machine  {machine}: {processors} processors{modules ? , {modules} modules, n = {n}}\n"
    "rule     {rule}\n"
    "{notes ? input    {notes:1000000\ninput    }\n}\n";

static const char answer_layout[] =
    "{!correct=null ?          {correct ? correct{answer_words ? : {answer_words}} : WRONG: {wrong}}\n}"
    "{outputs ? \n}";

enum { WORDS_SHOWN = 16 };

/* Its first words. */
static void output_line(const np_script_output *output, FILE *stream)
{
    fprintf(stream, "output   %s =", output->name);
    for (size_t i = 0; i < output->count && i < WORDS_SHOWN; i++) {
        char word[32];
        np_script_word(output->type, output->word[i], word);
        fprintf(stream, " %s", word);
    }
    fputs(output->count > WORDS_SHOWN ? " ...\n" : "\n", stream);
}

static np_status print(const void *object, const np_report_options *options, FILE *stream)
{
    const view *v = object;
    const np_script_result *result = v->result;
    const np_pram_costs costs = {v->report, v->memory, np_pram_schedule_get(result->pram),
                                 options->profile ? result : NULL, v->explanation};
    np_status st = np_layout_print(head_layout, &shown, v, options->command, stream);
    for (size_t i = 0; i < result->outputs && !st; i++)
        output_line(&result->output[i], stream);
    if (!st)
        st = np_layout_print(answer_layout, &shown, v, options->command, stream);
    return st ? st : np_pram_costs_print(&costs, options->command, stream);
}

const np_report_form np_report_script_form = {{"pram_text", &view_fields, &view_fields, np_pram_columns},
                                              .open = 3,
                                              .fields = &shown,
                                              .layout = head_layout,
                                              .people = print};

np_status np_report_pram_script(const np_script_result *result, const np_report_options *given, FILE *stream)
{
    np_report_options options;
    np_pram_memory memory;
    np_status st = np_pram_options_take(given, result->pram, &options, &memory);
    const view v = {result, &result->report, &memory, st ? NULL : options.explanation};
    return st ? st : np_report_print(&np_report_script_form, &v, &options, stream);
}
