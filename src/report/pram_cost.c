/* Tables of what a PRAM's steps cost, and of the accesses that its rule forbids. */
#include <inttypes.h>

#include "netpram/script.h"
#include "report/pram_cost.h"
#include "report/table.h"

const char np_pram_columns[] =
    "program,size,machine,rule,seed,processors,answer,correct,pram_steps,work,brent_steps,network_steps=network_steps."
    "total,"
    "mean=network_steps.mean,p99=network_steps.p99,max=network_steps.max,per_n=network_steps.per_n,physical_steps,"
    "requests,combined,"
    "ghosts,replies,queue_max,module_load_max,rehashes,violations=violation_count,weakest_rule,rounds=rounds.total,"
    "rounds_max=rounds.max,refused";

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
    if (report->rounds) {
        row(table, "rounds", (double)report->rounds, "in all");
        row(table, "  most", (double)report->rounds_max, "of a batch");
        row(table, "  refused", (double)report->refused, "requests for a copy, sent again in the next round");
    }
    row(table, "cells of a row", (double)report->row_cells_max,
        "most in its modules (of one module on other networks)");
    row(table, "  mean", (double)report->row_cells_mean, "");
    row(table, "rehashes", report->rehashes, "");
}

/* Of the real processors, if somebody said how many. */
static void steps_rows(np_table *table, const np_pram *pram, const np_pram_report *report)
{
    const np_pram_schedule schedule = np_pram_schedule_get(pram);
    if (!schedule.asked) {
        row(table, "PRAM steps T", (double)report->steps, "");
        return;
    }
    row(table, "PRAM steps T", (double)schedule.steps,
        "of the real processors: a step of a accesses takes ceil(a / p) (Brent)");
    row(table, "  lock steps", (double)report->steps, "with a processor for each access");
}

np_status np_pram_costs_table(const np_pram *pram, const np_pram_report *report, FILE *stream)
{
    np_table table;
    np_table_begin(&table, "lrl", NULL);
    steps_rows(&table, pram, report);
    row(&table, "work W", (double)report->work, "accesses");
    if (report->n)
        network_rows(&table, report);
    return np_table_end(&table, stream);
}

static void attempt_cell(np_table *table, np_processor processor, np_access_kind kind, np_word value, np_cell_type type)
{
    char text[32];
    np_script_word(np_cell_type_name(type), value, text);
    if (kind == NP_ACCESS_READ)
        np_table_add(table, "%u reads", processor);
    else
        np_table_add(table, "%u %s %s", processor, kind == NP_ACCESS_WRITE ? "writes" : "fetches and adds", text);
}

static void violation_row(np_table *table, const np_violation *v, const char *where)
{
    np_table_add(table, "  %" PRIu64, v->step);
    np_table_add(table, "%s", v->label);
    np_table_add(table, "%s[%" PRIu64 "]", v->array, v->offset);
    attempt_cell(table, v->first, v->first_kind, v->first_value, v->type);
    attempt_cell(table, v->second, v->second_kind, v->second_value, v->type);
    np_table_add(table, "%s", where);
}

static np_status violations(const np_pram_report *report, const char *const *where, FILE *stream)
{
    static const char *const titles[] = {"  step", "label", "cell", "processor", "and processor", "where"};
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
    np_table_begin(&table, "llllll", titles);
    for (size_t i = 0; i < report->kept; i++)
        violation_row(&table, &report->violation[i], where ? where[i] : "");
    return np_table_end(&table, stream);
}

np_status np_pram_violations_table(const np_pram_report *report, const char *const *where, FILE *stream)
{
    np_status st = violations(report, where, stream);
    if (!st)
        fprintf(stream, "weakest rule: %s\n", np_access_rule_name(report->weakest));
    return st;
}
