/* The result of a PRAM program that is written as text: its outputs, what it cost, and what each line cost. */
#include <inttypes.h>

#include "netpram/script.h"
#include "base/decimal.h"
#include "pram/fields.h"
#include "report/csv.h"
#include "report/json.h"
#include "report/polarized.h"
#include "report/pram_cost.h"
#include "report/pram_lines.h"
#include "report/pram_memory.h"
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

const np_report_shape np_report_script_shape = {"pram_text", &view_fields, &view_fields, np_pram_columns};

/* ---- The table ---- */

static void header(const np_script_result *result, FILE *stream)
{
    const np_pram_report *report = &result->report;
    fprintf(stream, "program  %s", *result->about.name ? result->about.name : result->path);
    if (*result->about.about)
        fprintf(stream, ": %s", result->about.about);
    if (*result->about.source)
        fprintf(stream, " (%s)", result->about.source);
    fprintf(stream, "\nsize     %" PRIu64 ", seed %" PRIu64 "\nmachine  %s: %u processors", result->n, result->seed,
            report->machine, report->processors);
    if (report->modules)
        fprintf(stream, ", %" PRIu64 " modules, n = %u", report->modules, report->n);
    fprintf(stream, "\nrule     %s\n", np_access_rule_name(report->rule));
    for (size_t i = 0; i < result->notes; i++)
        fprintf(stream, "input    %s\n", result->note[i]);
    fputc('\n', stream);
}

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

static np_status report_table(const np_script_result *result, const np_pram_memory *memory,
                              const np_report_options *options, FILE *stream)
{
    np_status st;
    header(result, stream);
    for (size_t i = 0; i < result->outputs; i++)
        output_line(&result->output[i], stream);
    if (result->judged && result->correct)
        fprintf(stream, "         correct%s%s\n", *result->words ? ": " : "", result->words);
    else if (result->judged)
        fprintf(stream, "         WRONG: %s\n", result->wrong);
    if (result->outputs)
        fputc('\n', stream);
    if ((st = np_pram_costs_table(result->pram, &result->report, stream)) ||
        (st = np_pram_memory_table(memory, stream)) ||
        (options->profile && (st = np_pram_lines_table(result, stream))) ||
        (st = np_pram_violations_table(&result->report, stream)))
        return st;
    if (options->explanation && (st = np_polarized_print(options->explanation, stream)))
        return st;
    if (options->command && *options->command)
        fprintf(stream, "\nrepeat   %s\n", options->command);
    return np_output_check(stream, "the report");
}

np_status np_report_pram_script(const np_script_result *result, const np_report_options *given, FILE *stream)
{
    np_report_options options;
    np_pram_memory memory;
    np_status st = np_options_take(&np_report_options_fields, given, &options);
    if (st || (st = np_pram_memory_compute(result->pram, &memory)))
        return st;
    const view v = {result, &result->report, &memory, options.explanation};
    if (options.format == NP_REPORT_JSON)
        return np_json_report(&view_fields, &v, options.command, 3, stream);
    if (options.format == NP_REPORT_CSV && options.explanation)
        return NP_RAISE(NP_ERROR_INPUT, "an explanation does not fit into CSV: table or json");
    if (options.format == NP_REPORT_CSV)
        return np_csv_report(&view_fields, &v, np_pram_columns, stream);
    return report_table(result, &memory, &options, stream);
}
