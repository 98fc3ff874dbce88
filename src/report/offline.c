/* Off-line schedules: the phases, and the result of replaying them. */
#include <inttypes.h>
#include <string.h>

#include "base/decimal.h"
#include "base/memory.h"
#include "netpram/base.h"
#include "base/plural.h"
#include "report/csv.h"
#include "report/json.h"
#include "report/shape.h"
#include "report/table.h"

static const char columns[] =
    "network,traffic,packets,seed,rule,file,phase=phases.name,steps=phases.steps,hops=phases.hops,bound,delay_max,"
    "delay_mean,congestion,population_max,stored_max";

const np_report_shape np_report_offline_shape = {"schedule", &np_offline_fields, &np_offline_fields, columns};

static np_status phases(const np_offline *offline, FILE *stream)
{
    np_table table;
    np_table_begin(&table, "lrr", (const char *const[]){"phase", "steps", "hops"});
    for (size_t i = 0; i < offline->phases; i++) {
        np_table_add(&table, "%s", offline->phase[i].name);
        np_table_add(&table, "%u", offline->phase[i].steps);
        np_table_add(&table, "%" PRIu64, offline->phase[i].hops);
    }
    return np_table_end(&table, stream);
}

static void results(const np_offline *offline, FILE *stream)
{
    fprintf(stream, "\nsteps    %u", offline->steps);
    if (offline->bound)
        fprintf(stream, ", at most %" PRIu64 " for any such traffic", offline->bound);
    fprintf(stream, "\nhops     %" PRIu64 ", at most %u over one link\n", offline->hops, offline->congestion);
    fprintf(stream, "delay    %s steps on average, %u at most\n", NP_REAL(offline->delay_mean, 4), offline->delay_max);
    fprintf(stream, "node     at most %u packets at an instant, %u that stay there for a step\n",
            offline->population_max, offline->stored_max);
    fprintf(stream, "replayed every hop: at most one packet over a link in a step, all packets arrive\n");
}

static np_status report_table(const np_offline *offline, const char *command, FILE *stream)
{
    np_status st = NP_OK;
    fprintf(stream, "network  %s\n", offline->network);
    fprintf(stream, "traffic  %s: %u packet%s\n", offline->traffic, offline->packets, np_plural(offline->packets));
    if (offline->rule)
        fprintf(stream, "rule     %s\n\n", offline->rule);
    else
        fprintf(stream, "schedule from %s\n", offline->file);
    if (offline->phases && (st = phases(offline, stream)))
        return st;
    results(offline, stream);
    if (command && *command)
        fprintf(stream, "\nrepeat   %s\n", command);
    return np_output_check(stream, "the report");
}

/* A line for each phase, and one, `total`, for the whole. */
static np_status report_csv(const np_offline *offline, FILE *stream)
{
    np_offline longer = *offline;
    np_offline_phase *phase;
    np_status st = np_memory_array(&phase, offline->phases + (size_t)1, sizeof *phase, "a report");
    if (st)
        return st;
    if (offline->phases)
        memcpy(phase, offline->phase, offline->phases * sizeof *phase);
    phase[offline->phases] = (np_offline_phase){.name = "total", .steps = offline->steps, .hops = offline->hops};
    longer.phase = phase;
    longer.phases++;
    st = np_csv_list(&np_offline_fields, &longer, "phases", columns, stream);
    np_memory_free(phase);
    return st;
}

np_status np_report_offline(const np_offline *offline, const np_report_options *given, FILE *stream)
{
    np_report_options options;
    np_status st = np_options_take(&np_report_options_fields, given, &options);
    if (st)
        return st;
    if (options.format == NP_REPORT_JSON)
        return np_json_report(&np_offline_fields, offline, options.command, 3, stream);
    if (options.format == NP_REPORT_CSV)
        return report_csv(offline, stream);
    return report_table(offline, options.command, stream);
}
