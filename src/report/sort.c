/* The result of a sort as a table: the whole sort, its stages, and the events of the analysis. */
#include "base/decimal.h"
#include "base/plural.h"
#include "report/shape.h"
#include "report/sort.h"

#include <inttypes.h>

#include "netpram/base.h"
#include "report/json.h"
#include "report/table.h"

static void head(const np_sort_result *result, FILE *stream)
{
    fprintf(stream, "network    %s: %" PRIu64 " nodes\n", result->network, result->nodes);
    fprintf(stream, "algorithm  %s\n", result->algorithm);
    fprintf(stream, "keys       %" PRIu64 " %s", result->keys,
            result->key_order ? result->key_order : np_keys_kind_name(result->kind));
    if (result->input)
        fprintf(stream, " from %s", result->input);
    fprintf(stream, "\nplaces     %" PRIu64 ", for %" PRIu64 " key%s each: %s\n", result->places, result->per_place,
            np_plural(result->per_place), result->indexing);
    if (result->runs > 1)
        fprintf(stream,
                "runs       %u from seed %" PRIu64 " (means; ± is the 95%% confidence interval, [least..most])\n",
                result->runs, result->seed);
    else
        fprintf(stream, "seed       %" PRIu64 "\n", result->seed);
    if (result->sorted)
        fprintf(stream, "outcome    sorted\n");
    else
        fprintf(stream, "outcome    NOT SORTED: %s\n", result->wrong);
}

/* "1 block", "2 blocks". */
static void blocks(uint64_t count, FILE *stream) { fprintf(stream, "%" PRIu64 " block%s", count, np_plural(count)); }

/* Unlucky random choices from which the sorter recovered. */
static void recoveries(const np_sort_result *result, FILE *stream)
{
    const char *end = result->sorted ? ": the result is right" : "";
    if (!result->redraws && !result->fallbacks)
        return;
    fputs("           ", stream);
    if (result->redraws) {
        blocks(result->redraws, stream);
        fputs(" drew new splitters", stream);
    }
    if (result->redraws && result->fallbacks)
        fputs(", ", stream);
    if (result->fallbacks) {
        blocks(result->fallbacks, stream);
        fputs(" gave up on splitters and sorted by a comparator network", stream);
    }
    fprintf(stream, "%s\n", end);
}

static void row(np_table *table, const char *name, double value, const char *note)
{
    np_table_add(table, "%s", name);
    np_table_number(table, value);
    np_table_add(table, "%s", note);
}

/* A field of the result as a number. */
static double figure(const np_sort_result *result, const char *name)
{
    np_value value;
    np_fields_get(&np_sort_result_fields, result, name, &value);
    return np_value_number(&value);
}

static void steps_rows(np_table *table, const np_sort_result *result)
{
    const np_summary *steps = &result->steps;
    char spread[NP_TABLE_SPREAD];
    row(table, "steps", steps->mean, result->runs > 1 ? np_table_spread(steps, sizeof spread, spread) : "");
    if (result->places > 1)
        row(table, "  per log2 places", figure(result, "steps_per_log2_places"), "");
    if (!result->predicted.steps)
        return;
    np_table_add(table, "  by formula");
    np_table_number(table, (double)result->predicted.steps);
    np_table_add(table, "%s%s", result->predicted.formula,
                 figure(result, "predicted.steps_agree") > 0 ? "" : ": THE MEASURED STEPS DIFFER");
}

static void comparator_rows(np_table *table, const np_sort_result *result)
{
    row(table, "comparators", (double)result->comparators / result->runs, result->runs > 1 ? "of a run" : "");
    if (result->predicted.comparators)
        row(table, "  by formula", (double)result->predicted.comparators,
            figure(result, "predicted.comparators_agree") > 0 ? "" : "THE MEASURED ONES DIFFER");
}

static np_status totals(const np_sort_result *result, FILE *stream)
{
    np_table table;
    np_table_begin(&table, "lrl", NULL);
    steps_rows(&table, result);
    row(&table, "packet-hops", (double)result->hops / result->runs, result->runs > 1 ? "of a run" : "");
    comparator_rows(&table, result);
    row(&table, "queue", result->queue_max, "most packets in one");
    row(&table, "load", result->load_max, "most keys at one place");
    row(&table, "recursion depth", result->recursion_depth, "");
    return np_table_end(&table, stream);
}

static void stage_row(np_table *table, const np_sort_stage *stage)
{
    np_table_add(table, "  %u", stage->depth);
    np_table_add(table, "%s", stage->name);
    np_table_add(table, "%" PRIu64, stage->times);
    np_table_number(table, stage->steps.mean);
    np_table_add(table, "%" PRIu64, stage->steps_max);
    np_table_add(table, "%s%%", NP_FIXED(100 * stage->share, 1));
    np_table_add(table, "%" PRIu64, stage->packets);
    np_table_add(table, "%" PRIu64, stage->hops);
    np_table_add(table, "%u", stage->queue_max);
    np_table_add(table, "%u", stage->load_max);
    np_table_add(table, "%u", stage->congestion);
    np_table_add(table, "%u", stage->delay_max);
}

static np_status stages(const np_sort_result *result, FILE *stream)
{
    static const char *const titles[] = {"  depth", "stage", "times", "steps", "most",       "share",
                                         "packets", "hops",  "queue", "load",  "congestion", "delay"};
    np_table table;
    fprintf(stream, "\nstages (steps: on the way that took longest%s; the rest: over all blocks and runs)\n",
            result->runs > 1 ? ", means" : "");
    np_table_begin(&table, "rlrrrrrrrrrr", titles);
    for (size_t i = 0; i < result->stages; i++)
        stage_row(&table, &result->stage[i]);
    return np_table_end(&table, stream);
}

static void event_row(np_table *table, const np_sort_event *event)
{
    np_table_add(table, "  %s", event->name);
    np_table_add(table, "%s", event->lemma);
    np_table_add(table, "%" PRIu64, event->times);
    if (event->bound > 0)
        np_table_add(table, "%" PRIu64, event->failures);
    else
        np_table_add(table, "-");
    np_table_number(table, event->worst);
    if (event->bound > 0)
        np_table_number(table, event->bound);
    else
        np_table_add(table, "-");
    np_table_add(table, "%s", event->what);
}

static np_status events(const np_sort_result *result, FILE *stream)
{
    static const char *const titles[] = {"  event", "lemma", "times", "failed", "worst", "bound", "of what"};
    np_table table;
    if (!result->events)
        return NP_OK;
    fputs("\nevents that the analysis needs (bound -: it leaves the constant open)\n", stream);
    np_table_begin(&table, "llrrrrl", titles);
    for (size_t i = 0; i < result->events; i++)
        event_row(&table, &result->event[i]);
    return np_table_end(&table, stream);
}

static np_status report_table(const np_sort_result *result, const char *command, FILE *stream)
{
    np_status st;
    head(result, stream);
    recoveries(result, stream);
    fputc('\n', stream);
    if ((st = totals(result, stream)) || (st = stages(result, stream)) || (st = events(result, stream)))
        return st;
    fputc('\n', stream);
    if (command && *command)
        fprintf(stream, "repeat     %s\n", command);
    fprintf(stream, "by         netpram %s in %s s on %u thread%s\n", np_version(), NP_REAL(result->wall_seconds, 3),
            result->threads, np_plural(result->threads));
    return np_output_check(stream, "the report");
}

np_status np_report_sort(const np_sort_result *result, const np_report_options *given, FILE *stream)
{
    np_report_options options;
    np_status st = np_options_take(&np_report_options_fields, given, &options);
    if (st)
        return st;
    if (options.format == NP_REPORT_JSON)
        return np_json_report(&np_sort_result_fields, result, options.command, 2, stream);
    if (options.format == NP_REPORT_CSV)
        return np_report_sort_csv(result, stream);
    return report_table(result, options.command, stream);
}
