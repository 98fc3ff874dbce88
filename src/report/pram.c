/* What a PRAM program came to: is the answer right, what did it cost, which rule did it need. */
#include <inttypes.h>

#include "netpram/output.h"
#include "report/csv.h"
#include "report/json.h"
#include "report/polarized.h"
#include "report/pram_memory.h"
#include "report/table.h"

enum { ANSWER_MAX = 32 };

/* One word as it is, more as a checksum. */
static void answer_text(const np_program_result *result, char text[ANSWER_MAX])
{
    if (result->answers == 1)
        snprintf(text, ANSWER_MAX, "%" PRId64, result->value);
    else
        snprintf(text, ANSWER_MAX, "0x%016" PRIx64, result->checksum);
}

/* Network steps of a PRAM step, as a multiple of n; 0 on a machine without a network. */
static double per_n(const np_pram_report *report) { return report->n ? report->per_step.mean / report->n : 0; }

/* ---- JSON ---- */

static json_t *attempt_json(np_processor processor, np_access_kind kind, np_word value)
{
    json_t *object = json_object();
    np_json_set(&object, "processor", json_integer(processor));
    np_json_set(&object, "access", np_json_text(np_report_access_name(kind)));
    np_json_set(&object, "value", kind == NP_ACCESS_READ ? json_null() : json_integer(value));
    return object;
}

static json_t *violations_json(const np_pram_report *report)
{
    json_t *array = json_array();
    for (size_t i = 0; i < report->kept; i++) {
        const np_violation *v = &report->violation[i];
        json_t *object = json_object(), *attempts = json_array();
        np_json_set(&object, "step", np_json_whole(v->step));
        np_json_set(&object, "label", np_json_text(v->label));
        np_json_set(&object, "address", np_json_whole(v->address));
        np_json_set(&object, "array", np_json_text(v->array));
        np_json_set(&object, "offset", np_json_whole(v->offset));
        np_json_append(&attempts, attempt_json(v->first, v->first_kind, v->first_value));
        np_json_append(&attempts, attempt_json(v->second, v->second_kind, v->second_value));
        np_json_set(&object, "attempts", attempts);
        np_json_append(&array, object);
    }
    return array;
}

static json_t *network_steps_json(const np_pram_report *report)
{
    json_t *object = json_object();
    np_json_set(&object, "total", np_json_whole(report->network_steps));
    np_json_set(&object, "mean", np_json_real(report->per_step.mean));
    np_json_set(&object, "p99", np_json_whole((uint64_t)report->per_step.p99));
    np_json_set(&object, "max", np_json_whole((uint64_t)report->per_step.max));
    np_json_set(&object, "per_n", np_json_real(per_n(report)));
    np_json_set(&object, "initialisation", np_json_whole(report->initialisation_steps));
    np_json_set(&object, "rehash", np_json_whole(report->rehash_steps));
    return object;
}

static void cost_json(const np_pram_report *report, json_t **object)
{
    np_json_set(object, "pram_steps", np_json_whole(report->steps));
    np_json_set(object, "work", np_json_whole(report->work));
    np_json_set(object, "network_steps", network_steps_json(report));
    np_json_set(object, "requests", np_json_whole(report->requests));
    np_json_set(object, "combined", np_json_whole(report->combined));
    np_json_set(object, "ghosts", np_json_whole(report->ghosts));
    np_json_set(object, "replies", np_json_whole(report->replies));
    np_json_set(object, "queue_max", json_integer(report->queue_max));
    np_json_set(object, "module_load_max", np_json_whole(report->module_load_max));
    np_json_set(object, "rehashes", json_integer(report->rehashes));
    np_json_set(object, "row_cells_max", np_json_whole(report->row_cells_max));
    np_json_set(object, "row_cells_mean", np_json_whole(report->row_cells_mean));
    np_json_set(object, "bad_stride", report->bad_stride ? np_json_whole(report->bad_stride) : json_null());
}

static np_status report_json(const np_program_result *result, const np_report_options *options, FILE *stream)
{
    const np_pram_report *report = &result->report;
    char answer[ANSWER_MAX];
    np_pram_memory memory;
    np_status st = np_pram_memory_of(result->pram, &memory);
    if (st)
        return st;
    json_t *object = np_json_head(options->command);
    answer_text(result, answer);
    np_json_set(&object, "seed", np_json_whole(result->seed));
    np_json_set(&object, "program", np_json_text(result->program->entry.name));
    np_json_set(&object, "size", np_json_whole(result->n));
    np_json_set(&object, "machine", np_json_text(report->machine));
    np_json_set(&object, "rule", np_json_text(np_access_rule_name(report->rule)));
    np_json_set(&object, "processors", json_integer(report->processors));
    np_json_set(&object, "answer", result->answers == 1 ? json_integer(result->value) : np_json_text(answer));
    np_json_set(&object, "answer_words", np_json_text(result->words));
    np_json_set(&object, "correct", json_boolean(result->correct));
    cost_json(report, &object);
    np_json_set(&object, "memory", np_pram_memory_json(&memory));
    np_json_set(&object, "violation_count", np_json_whole(report->violations));
    np_json_set(&object, "violations", violations_json(report));
    np_json_set(&object, "weakest_rule", np_json_text(np_access_rule_name(report->weakest)));
    if (options->explanation)
        np_json_set(&object, "explain", np_polarized_json(options->explanation));
    return np_json_print(object, 3, stream);
}

/* ---- CSV ---- */

static np_status report_csv(const np_program_result *result, FILE *stream)
{
    const np_pram_report *r = &result->report;
    char answer[ANSWER_MAX];
    answer_text(result, answer);
    fputs("program,size,machine,rule,seed,processors,answer,correct,pram_steps,work,network_steps,mean,p99,max,per_n,"
          "requests,combined,ghosts,replies,queue_max,module_load_max,rehashes,violations,weakest_rule\n",
          stream);
    np_csv_text(result->program->entry.name, stream);
    fprintf(stream, "%" PRIu64 ",", result->n);
    np_csv_text(r->machine, stream);
    np_csv_text(np_access_rule_name(r->rule), stream);
    fprintf(stream, "%" PRIu64 ",%u,%s,%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%.15g,%.15g,%.15g,%.15g,", result->seed,
            r->processors, answer, result->correct ? "true" : "false", r->steps, r->work, r->network_steps,
            r->per_step.mean, r->per_step.p99, r->per_step.max, per_n(r));
    fprintf(stream, "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%u,%" PRIu64 ",%u,%" PRIu64 ",%s\n", r->requests,
            r->combined, r->ghosts, r->replies, r->queue_max, r->module_load_max, r->rehashes, r->violations,
            np_access_rule_name(r->weakest));
    return np_output_check(stream, "the report");
}

/* ---- The table ---- */

static void header(const np_program_result *result, FILE *stream)
{
    const np_pram_report *report = &result->report;
    char answer[ANSWER_MAX];
    answer_text(result, answer);
    fprintf(stream, "program  %s: %" PRIu64 " %s, seed %" PRIu64 "\n", result->program->entry.name, result->n,
            result->program->size, result->seed);
    fprintf(stream, "machine  %s: %u processors", report->machine, report->processors);
    if (report->modules)
        fprintf(stream, ", %" PRIu64 " modules, n = %u", report->modules, report->n);
    fprintf(stream, "\nrule     %s\n", np_access_rule_name(report->rule));
    fprintf(stream, "answer   %s%s%s\n", answer, *result->words ? ": " : "", result->words);
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
    row(table, "  per n", per_n(report), "the mean, as a multiple of n");
    if (report->initialisation_steps)
        row(table, "  initialisation", (double)report->initialisation_steps, "of all");
    if (report->rehash_steps)
        row(table, "  rehashing", (double)report->rehash_steps, "of all");
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
    np_table_init(&table, "lrl");
    row(&table, "PRAM steps T", (double)report->steps, "");
    row(&table, "work W", (double)report->work, "accesses");
    if (report->n)
        network_rows(&table, report);
    np_status st = np_table_print(&table, stream);
    np_table_clear(&table);
    return st;
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
    np_table_init(&table, "lllll");
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        np_table_add(&table, "%s", titles[i]);
    for (size_t i = 0; i < report->kept; i++)
        violation_row(&table, &report->violation[i]);
    np_status st = np_table_print(&table, stream);
    np_table_clear(&table);
    return st;
}

static np_status report_table(const np_program_result *result, const np_report_options *options, FILE *stream)
{
    np_pram_memory memory;
    np_status st = np_pram_memory_of(result->pram, &memory);
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

np_status np_report_pram(const np_program_result *result, const np_report_options *options, FILE *stream)
{
    if (options->format == NP_REPORT_JSON)
        return report_json(result, options, stream);
    if (options->format == NP_REPORT_CSV && options->explanation)
        return NP_RAISE(NP_ERROR_INPUT, "an explanation does not fit into CSV: table or json");
    if (options->format == NP_REPORT_CSV)
        return report_csv(result, stream);
    return report_table(result, options, stream);
}
