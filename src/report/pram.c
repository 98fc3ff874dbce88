/* The result of a PRAM program: is the answer right, what did it cost, which access rule did it need? */
#include <inttypes.h>

#include "netpram/base.h"
#include "pram/fields.h"
#include "report/csv.h"
#include "report/json.h"
#include "report/polarized.h"
#include "report/pram_memory.h"
#include "report/shape.h"
#include "report/table.h"

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

static const char columns[] =
    "program,size,machine,rule,seed,processors,answer,correct,pram_steps,work,network_steps=network_steps.total,"
    "mean=network_steps.mean,p99=network_steps.p99,max=network_steps.max,per_n=network_steps.per_n,physical_steps,"
    "requests,combined,"
    "ghosts,replies,queue_max,module_load_max,rehashes,violations=violation_count,weakest_rule";

const np_report_shape np_report_pram_shape = {"pram", &view_fields, &view_fields, columns};

static np_status report_json(const np_program_result *result, const np_report_options *options, FILE *stream)
{
    np_pram_memory memory;
    np_status st = np_pram_memory_compute(result->pram, &memory);
    const view v = {result, &result->report, &memory, options->explanation};
    return st ? st : np_json_report(&view_fields, &v, options->command, 3, stream);
}

static np_status report_csv(const np_program_result *result, FILE *stream)
{
    const view v = {.result = result, .report = &result->report};
    return np_csv_report(&view_fields, &v, columns, stream);
}

/* ---- The table ---- */

static void header(const np_program_result *result, FILE *stream)
{
    const np_pram_report *report = &result->report;
    np_value answer;
    char text[32];
    np_fields_get(&np_program_result_fields, result, "answer", &answer);
    fprintf(stream, "program  %s: %" PRIu64 " %s, seed %" PRIu64 "\n", result->program->entry.name, result->n,
            result->program->size, result->seed);
    fprintf(stream, "machine  %s: %u processors", report->machine, report->processors);
    if (report->modules)
        fprintf(stream, ", %" PRIu64 " modules, n = %u", report->modules, report->n);
    fprintf(stream, "\nrule     %s\n", np_access_rule_name(report->rule));
    fprintf(stream, "answer   %s%s%s\n", np_value_text(&answer, sizeof text, text), *result->words ? ": " : "",
            result->words);
    if (result->correct)
        fprintf(stream, "         correct\n\n");
    else
        fprintf(stream, "         WRONG: %s\n\n", result->wrong);
}

static void row(np_table *table, const char *name, double value, const char *note)
{
    np_table_add(table, "%s", name);
    np_table_number(table, value);
    np_table_add(table, "%s", note);
}

static void network_rows(np_table *table, const np_pram_report *report)
{
    row(table, "network steps", (double)report->network_steps, "in all");
    row(table, "  mean", report->per_step.mean, "of a PRAM step");
    row(table, "  p99", report->per_step.p99, "");
    row(table, "  max", report->per_step.max, "");
    row(table, "  per n", report->per_step.mean / report->n, "the mean, as a multiple of n");
    if (report->initialisation_steps)
        row(table, "  initialisation", (double)report->initialisation_steps, "of all");
    if (report->rehash_steps)
        row(table, "  rehashing", (double)report->rehash_steps, "of all");
    if (report->physical_steps != report->network_steps)
        row(table, "physical steps", (double)report->physical_steps,
            report->physical ? "in all, executed on the links" : "at most, in all; --physical executes them");
    row(table, "requests", (double)report->requests, "");
    row(table, "  combined", (double)report->combined, "times that two became one on the way");
    row(table, "  replies", (double)report->replies, "");
    row(table, "ghosts", (double)report->ghosts, "");
    row(table, "queue", report->queue_max, "most messages in one");
    row(table, "module load", (double)report->module_load_max, "most requests that one module answered in one batch");
    row(table, "cells of a row", (double)report->row_cells_max,
        "most in its modules (of one module on other networks)");
    row(table, "  mean", (double)report->row_cells_mean, "");
    row(table, "rehashes", report->rehashes, "");
}

static np_status costs(const np_pram_report *report, FILE *stream)
{
    np_table table;
    np_table_begin(&table, "lrl", NULL);
    row(&table, "PRAM steps T", (double)report->steps, "");
    row(&table, "work W", (double)report->work, "accesses");
    if (report->n)
        network_rows(&table, report);
    return np_table_end(&table, stream);
}

static void attempt_cell(np_table *table, np_processor processor, np_access_kind kind, np_word value)
{
    if (kind == NP_ACCESS_READ)
        np_table_add(table, "%u reads", processor);
    else
        np_table_add(table, "%u %s %" PRId64, processor, kind == NP_ACCESS_WRITE ? "writes" : "fetches and adds",
                     value);
}

static void violation_row(np_table *table, const np_violation *v)
{
    np_table_add(table, "  %" PRIu64, v->step);
    np_table_add(table, "%s", v->label);
    np_table_add(table, "%s[%" PRIu64 "]", v->array, v->offset);
    attempt_cell(table, v->first, v->first_kind, v->first_value);
    attempt_cell(table, v->second, v->second_kind, v->second_value);
}

static np_status violations(const np_pram_report *report, FILE *stream)
{
    static const char *const titles[] = {"  step", "label", "cell", "processor", "and processor"};
    np_table table;
    fprintf(stream, "\nviolations of %s: ", np_access_rule_name(report->rule));
    if (!report->violations) {
        fputs("none\n", stream);
        return NP_OK;
    }
    fprintf(stream, "%" PRIu64, report->violations);
    if (report->kept < report->violations)
        fprintf(stream, ", the first %zu of them", report->kept);
    fputc('\n', stream);
    np_table_begin(&table, "lllll", titles);
    for (size_t i = 0; i < report->kept; i++)
        violation_row(&table, &report->violation[i]);
    return np_table_end(&table, stream);
}

static np_status report_table(const np_program_result *result, const np_report_options *options, FILE *stream)
{
    np_pram_memory memory;
    np_status st = np_pram_memory_compute(result->pram, &memory);
    if (st)
        return st;
    header(result, stream);
    if ((st = costs(&result->report, stream)) || (st = np_pram_memory_table(&memory, stream)) ||
        (st = violations(&result->report, stream)))
        return st;
    fprintf(stream, "weakest rule: %s\n", np_access_rule_name(result->report.weakest));
    if (options->explanation && (st = np_polarized_print(options->explanation, stream)))
        return st;
    if (options->command && *options->command)
        fprintf(stream, "\nrepeat   %s\n", options->command);
    return np_output_check(stream, "the report");
}

np_status np_report_pram(const np_program_result *result, const np_report_options *given, FILE *stream)
{
    np_report_options options;
    np_status st = np_options_take(&np_report_options_fields, given, &options);
    if (st)
        return st;
    if (options.format == NP_REPORT_JSON)
        return report_json(result, &options, stream);
    if (options.format == NP_REPORT_CSV && options.explanation)
        return NP_RAISE(NP_ERROR_INPUT, "an explanation does not fit into CSV: table or json");
    if (options.format == NP_REPORT_CSV)
        return report_csv(result, stream);
    return report_table(result, &options, stream);
}
