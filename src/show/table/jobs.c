/* How long jobs take that share a network. */
#include "show/table/shape.h"

static const char columns[] =
    "name=jobs.name,collective=jobs.collective,algorithm=jobs.algorithm,size=jobs.size,ranks=jobs.ranks,"
    "rounds=jobs.rounds,messages=jobs.messages,start=jobs.start,finish=jobs.finish,time=jobs.time,alone=jobs.alone,"
    "slowdown=jobs.slowdown";

static const char layout[] =
    "network   {network.spec}: {network.nodes node}, {network.links link}\n"
    "paths     {paths}, links of {link_rate ? {link_rate} : a packet a step}\n"
    "makespan  {makespan=1 ? 1 {link_rate ? second : step} : {makespan:6} {time_unit}}\n\n"
    "{table lllrrrrrr: job|collective|algorithm|{size_unit}|ranks|start|{time_unit}|alone|slowdown\n"
    "{each jobs: {name}|{collective}|{algorithm}|{size:6}|{ranks}|{start:6}|{time:6}|{alone:6}|"
    "{slowdown=null ? - : {slowdown:4}}\n}}"
    "{command ? \nrepeat    {command}\n}"
    "by        netpram {version} in {wall_seconds:3} s\n";

const np_report_form np_report_jobs_form = {
    {"jobs", &np_jobs_result_fields, &np_jobs_result_fields, columns}, .open = 3, .list = "jobs", .layout = layout};

np_status np_report_jobs(const np_jobs_result *result, const np_report_options *given, FILE *stream)
{
    return np_report_print(&np_report_jobs_form, result, given, stream);
}
