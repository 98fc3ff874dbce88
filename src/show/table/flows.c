/* How long flows take that share links fairly. */
#include "show/table/shape.h"

static const char columns[] =
    "network=network.spec,traffic,seed,paths,split,link_rate,size_unit,time_unit,load,flows,resting,sent,makespan,"
    "mean=completion.mean,p50=completion.p50,p99=completion.p99,max=completion.max,"
    "slowdown_mean=slowdown.mean,slowdown_p50=slowdown.p50,slowdown_p99=slowdown.p99,slowdown_max=slowdown.max,"
    "use_max=busiest.use,use_mean,events";

static const char layout[] =
    "network   {network.spec}: {network.nodes node}, {network.links link}\n"
    "traffic   {traffic}: {flows flow}, {sent=1 ? 1 {link_rate ? byte : packet} : {sent:6} {size_unit}} in all{load ? "
    ", arriving at a load of {load:4}}"
    "{resting ? ; {resting flow} to {resting=1 ? its : their} own node}\n"
    "paths     {split ? divided evenly at every hop : {paths}}, links of {link_rate ? {link_rate} : a packet a step}\n"
    "{note ? note      {note}\n}"
    "makespan  {makespan=1 ? 1 {link_rate ? second : step} : {makespan:6} {time_unit}}\n"
    "{flows ? \n"
    "{table lrrrr: {time_unit}|mean|median|99%|max\n"
    "{with completion: completion|{mean:6}|{p50:6}|{p99:6}|{max:6}\n}"
    "{slowdown.max>0 ? {with slowdown: slowdown|{mean:4}|{p50:4}|{p99:4}|{max:4}\n}}}}"
    "{classes>1 ? \n{table rrrrrrr: {size_unit} from|below|flows|mean|99%|slowdown|99%\n"
    "{each classes: {from}|{to}|{flows}|{completion.mean:6}|{completion.p99:6}|"
    "{slowdown.mean=null ? -|- : {slowdown.mean:4}|{slowdown.p99:4}}\n}}}"
    "{busiest ? \nThe link from {busiest.from} to {busiest.to} is used most, {busiest.use*100:3}% of the time; all "
    "links {use_mean*100:3}%.\n}"
    "{command ? \nrepeat    {command}\n}"
    "by        netpram {version} in {wall_seconds:3} s\n";

const np_report_form np_report_flows_form = {
    {"flows", &np_flows_result_fields, &np_flows_result_fields, columns}, .open = 3, .layout = layout};

np_status np_report_flows(const np_flows_result *result, const np_report_options *given, FILE *stream)
{
    return np_report_print(&np_report_flows_form, result, given, stream);
}
