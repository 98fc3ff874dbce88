/* How much of a traffic the best routing can carry, and what a certificate proves. */
#include "show/table/shape.h"

static const char columns[] =
    "network=network.spec,traffic,seed,packets,demands,low=factor.low,high=factor.high,gap,reached,"
    "per_host_low=per_host.low,per_host_high=per_host.high,steps_bound,distance_most,mean_hops,"
    "distance=bounds.distance,switches=bounds.switches,hosts=bounds.hosts,cut=bounds.cut,links_binding,links_idle,"
    "iterations,paths=paths.rule,split=paths.split,draws=paths.draws,paths_factor=paths.factor,"
    "paths_per_host=paths.per_host,paths_low=paths.share.low,paths_high=paths.share.high,paths_hops=paths.mean_hops,"
    "paths_from=paths.link.from,paths_to=paths.link.to";

static const char layout[] =
    "network  {network.spec}: {network.nodes node}, {network.links link}\n"
    "traffic  {traffic}: {packets packet} for another node, {demands demand}"
    "{resting ? ; {resting packet} for their own node: no link}\n"
    "{!packets ? \nNo packet takes a link: there is no factor.\n}"
    "{packets ? "
    "factor   {factor.low:6} to {factor.high:6} of all demands a step, gap {gap*100:3}%"
    "{!reached ? : the gap that was asked for is not reached} ({iterations iteration})\n"
    "a host   {per_host.low:4} to {per_host.high:4} packets a step; the busiest sends or receives {host_most packet}\n"
    "steps    at least {steps_bound} for any schedule; the largest distance is {distance_most}\n"
    "hops     {mean_hops:4} a packet, in the flow that reaches {factor.low:6}\n\n"
    "{paths ? "
    "{with paths: "
    "paths    {rule}{split ?  split evenly at every hop}: {factor:6} of all demands a step, at least "
    "{share.low*100:3}% of the optimum; {per_host:4} packets a host\n"
    "         {mean_hops:4} hops a packet; the fullest link is from {link.from} to {link.to}\n"
    "{draws ? "
    "         by the mean of {draws} routes drawn for each demand, not exact\n}\n}}"
    "{table lrr: bound|at most|over {factor.high:6}\n"
    "{with bounds: "
    "distance|{distance:6}|{distance/factor.high:4}\n"
    "{switches ? links between switches|{switches:6}|{switches/factor.high:4}\n}"
    "links of hosts|{hosts:6}|{hosts/factor.high:4}\n"
    "{cut ? cut|{cut:6}|{cut/factor.high:4}\n}}}\n"
    "{links_binding pair} of linked nodes {links_binding=1 ? binds : bind}, "
    "{links_idle pair} {links_idle=1 ? is : are} idle\n"
    "{links_binding ? {table llrrr: from|to|links|load|price\n"
    "{each binding: {from}|{to}|{width}|{load:3}|{price:4}\n}}}"
    "{certificate ? \ncertificate  {certificate}\n}"
    "{paths_out ? {with paths_out: "
    "{paths ? \n{paths path} of the flow, of at most {longest hop}, with weights: {file}\n}"
    "{!paths ? \nThe paths of the flow are not written: that takes longer than --time-limit.\n}}}}"
    "{command ? \nrepeat   {command}\n}";

const np_report_form np_report_throughput_form = {
    {"throughput", &np_throughput_fields, &np_throughput_fields, columns}, .open = 3, .layout = layout};

np_status np_report_throughput(const np_throughput *throughput, const np_report_options *given, FILE *stream)
{
    return np_report_print(&np_report_throughput_form, throughput, given, stream);
}

static const char proof_columns[] =
    "file,network,traffic,seed,nodes,links,packets,demands,low=factor.low,high=factor.high,gap,flows";

static const char proof_layout[] =
    "certificate  {file}\n"
    "network      {network}: {nodes node}, {links link}\n"
    "traffic      {traffic}, seed {seed}: {packets packet} for another node, {demands demand}\n"
    "proved       {factor.low:8} to {factor.high:8} of all demands can be routed a step, gap {gap*100:3}%\n"
    "             from below by {flows=0 ? {paths path} with weights : {flows flow}} that {flows=1 ? carries : carry} "
    "all demands, from above by lengths of "
    "links; all in whole numbers\n"
    "{command ? \nrepeat       {command}\n}";

const np_report_form np_report_proof_form = {
    {"throughput_proof", &np_throughput_proof_fields, &np_throughput_proof_fields, proof_columns},
    .open = 3,
    .layout = proof_layout};

np_status np_report_proof(const np_throughput_proof *proof, const np_report_options *given, FILE *stream)
{
    return np_report_print(&np_report_proof_form, proof, given, stream);
}
