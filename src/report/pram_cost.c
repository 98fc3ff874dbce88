/* Tables of what a PRAM's steps cost, and of the accesses that its rule forbids. */
#include <inttypes.h>

#include "base/log2.h"
#include "base/plural.h"
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

static void attempt_cell(np_table *table, np_processor processor, np_access_kind kind, np_word value,
                         const np_violation *v, np_processor more)
{
    char text[32], others[32] = "";
    np_script_word(np_cell_type_name(v->type), value, text);
    if (more)
        snprintf(others, sizeof others, " (and %u more)", more);
    if (kind == NP_ACCESS_READ)
        np_table_add(table, "%u reads%s", processor, others);
    else
        np_table_add(table, "%u %s %s%s", processor, kind == NP_ACCESS_WRITE ? "writes" : "fetches with", text, others);
}

static void violation_row(np_table *table, const np_violation *v)
{
    np_table_add(table, "  %" PRIu64, v->step);
    np_table_add(table, "%s", v->label);
    np_table_add(table, "%s[%" PRIu64 "]", v->array, v->offset);
    attempt_cell(table, v->first, v->first_kind, v->first_value, v, 0);
    attempt_cell(table, v->second, v->second_kind, v->second_value, v, v->more);
    np_table_add(table, "%s", v->where);
}

/* Several read a cell that only one may read. */
static void advise_copies(const np_violation *v, FILE *stream)
{
    const uint64_t all = 2 + (uint64_t)v->more;
    fprintf(stream,
            "%" PRIu64 " processors access %s[%" PRIu64 "] in step %" PRIu64
            ": give each a copy of its own before; doubling "
            "the copies makes %" PRIu64 " in %u round%s\n",
            all, v->array, v->offset, v->step, all, np_log2_up(all), np_plural(np_log2_up(all)));
}

/* Several write different values: what they can have seen, and what is left. */
static void advise_race(const np_violation *v, FILE *stream)
{
    char before[32], after[32];
    np_script_word(np_cell_type_name(v->type), v->before, before);
    np_script_word(np_cell_type_name(v->type), v->after, after);
    fprintf(stream,
            "all %" PRIu64 " processors have seen %s[%" PRIu64 "] = %s if they read it just before step %" PRIu64
            ": such a test chooses none of them\n"
            "the step left %s there; under another order of the processors it is another value, so an answer that is "
            "right is "
            "right by luck\n",
            2 + (uint64_t)v->more, v->array, v->offset, before, v->step, after);
    if (v->type != NP_CELL_BOOL)
        fputs("what does not depend on the order: crcw-max leaves the largest value, crcw-min the least, crcw-add the "
              "sum\n",
              stream);
}

/* Of the first violation: the others are most often of its kind. */
static void advise(const np_violation *v, FILE *stream)
{
    if (v->first_kind == NP_ACCESS_READ && v->second_kind == NP_ACCESS_READ)
        advise_copies(v, stream);
    else if (v->first_kind == NP_ACCESS_WRITE && v->second_kind == NP_ACCESS_WRITE && v->first_value != v->second_value)
        advise_race(v, stream);
}

static np_status violations(const np_pram_report *report, FILE *stream)
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
        violation_row(&table, &report->violation[i]);
    np_status st = np_table_end(&table, stream);
    if (!st && report->kept)
        advise(report->violation, stream);
    return st;
}

np_status np_pram_violations_table(const np_pram_report *report, FILE *stream)
{
    np_status st = violations(report, stream);
    if (!st)
        fprintf(stream, "weakest rule: %s\n", np_access_rule_name(report->weakest));
    return st;
}
