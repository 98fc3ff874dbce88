/* Off-line schedules: the phases, and the result of replaying them. */
#include <string.h>

#include "base/memory.h"
#include "show/table/csv.h"
#include "show/table/shape.h"

static const char columns[] =
    "network,traffic,packets,seed,rule,file,phase=phases.name,steps=phases.steps,hops=phases.hops,bound,delay_max,"
    "delay_mean,congestion,population_max,stored_max";

static const char layout[] =
    "network  {network}\n"
    "traffic  {traffic}: {packets packet}\n"
    "{rule ? rule     {rule}\n\n : schedule from {file}\n}"
    "{phases ? {table lrr: phase|steps|hops\n"
    "{each phases: {name}|{steps}|{hops}\n}}}"
    "\nsteps    {steps}{bound ? , at most {bound} for any such traffic}\n"
    "hops     {hops}, at most {congestion} over one link\n"
    "delay    {delay_mean:4} steps on average, {delay_max} at most\n"
    "node     at most {population_max} packets at an instant, {stored_max} that stay there for a step\n"
    "replayed every hop: at most one packet over a link in a step, all packets arrive\n"
    "{command ? \nrepeat   {command}\n}";

/* A line for each phase, and one, `total`, for the whole. */
static np_status report_csv(const void *object, FILE *stream)
{
    const np_offline *offline = object;
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

const np_report_form np_report_offline_form = {
    {"schedule", &np_offline_fields, &np_offline_fields, columns}, .open = 3, .csv = report_csv, .layout = layout};

np_status np_report_offline(const np_offline *offline, const np_report_options *given, FILE *stream)
{
    return np_report_print(&np_report_offline_form, offline, given, stream);
}
