/* How long a schedule of messages takes. */
#include "netpram/replay.h"
#include "show/table/shape.h"

static const char columns[] =
    "network,nodes,file,ranks,place,model,latency,overhead,gap,byte_gap,byte_overhead,threshold,link_rate,seed,sends,"
    "receives,calcs,bytes,makespan,unit,unreceived";

static const char layout[] =
    "network   {network}: {nodes node}\n"
    "schedule  {file}: {ranks rank}{model=loggops ?  : , placed {place}}; {sends send}, {receives receive}, "
    "{calcs calculation}, {bytes byte}\n"
    "model     {model}: {model=loggops ? L {latency}, }o {overhead}, g {gap}, "
    "{model=loggops ? G {byte_gap}, }O {byte_overhead}, S {threshold}{link_rate ? , links of {link_rate:15} bit/s}"
    "{packet_size ? , packets of {packet_size byte}}\n"
    "makespan  {makespan=1 ? {unit=ns ? 1 ns : 1 step} : {makespan:15} {unit}}\n"
    "{unreceived ? early     {unreceived message} that nobody receives\n}"
    "{command ? \nrepeat    {command}\n}by        netpram {version} in {wall_seconds:3} s\n";

const np_report_form np_report_replay_form = {
    {"replay", &np_replay_result_fields, &np_replay_result_fields, columns}, .open = 2, .layout = layout};

np_status np_report_replay(const np_replay_result *result, const np_report_options *given, FILE *stream)
{
    return np_report_print(&np_report_replay_form, result, given, stream);
}
