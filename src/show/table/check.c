/* The three properties of a scheme's phases: for each a verdict and its basis, and the witnesses. */
#include "show/table/shape.h"

static const char columns[] =
    "network=network.spec,scheme,paths,seed,uniform,phase=phases.name,oblivious=phases.oblivious.verdict,"
    "nonrepeating=phases.nonrepeating.verdict,symmetric=phases.symmetric.verdict,exact=phases.symmetric.exact,"
    "mean=phases.symmetric.mean,min=phases.symmetric.min.traffic,max=phases.symmetric.max.traffic,p=phases.symmetric.p";

/* Of each property the verdict, and what it rests on or its witness. */
static const char layout[] =
    "network  {network.spec}: {network.nodes node}, {network.links link}\n"
    "scheme   {scheme}: paths {paths}\n\n"
    "{table llll: phase|property||\n"
    "{each phases: "
    "{name}|oblivious|{with oblivious: {verdict}|{!witness ? {routes} routes in company, {runs} runs: each as if alone}"
    "{with witness: run {run}: packet {route.packet} from {route.from} to {route.to} "
    "{together ? takes {together.from}->{together.to} : stops} at hop {hop} among {packets} packets"
    "{together ? , but not alone}}}\n"
    "{name}|nonrepeating|{with nonrepeating: {verdict}|{!witness ? {exhaustive ? all }{routes} routes}"
    "{with witness: {first.from}->{first.to}, {second.from}->{second.to}: "
    "hops {one.first}, {one.second} from {one.from} to {one.to}; "
    "{other.first}, {other.second} from {other.from} to {other.to}{in_order ?  (only in opposite orders)}}}\n"
    "{name}|symmetric|{with symmetric: {verdict}|"
    "{verdict=undecided ? {mean*runs:3} packets a link in {runs} runs: more --runs or --effort would tell}"
    "{verdict=does not hold ? {min.from}->{min.to} least, {max.from}->{max.to} most{exact ?  : , as measured}}"
    "{!verdict=undecided & !verdict=does not hold ? {exact ? all {network.links} links alike : {runs} runs, p = {p:3}}}"
    "}\n}}"
    "\ntraffic  packets over a link in a phase, expected, one packet a node"
    "{uniform ?  : , for one random permutation}\n"
    "{table lrrrl: phase|least|mean|most|\n"
    "{each phases: {name}|{symmetric.min.traffic:4}|{symmetric.mean:4}|{symmetric.max.traffic:4}|"
    "{symmetric.exact ? exact : measured}\n}}"
    "{command ? \nrepeat   {command}\n}";

const np_report_form np_report_check_form = {
    {"check", &np_check_scheme_result_fields, &np_check_scheme_result_fields, columns},
    .open = 3,
    .list = "phases",
    .layout = layout};

np_status np_report_check(const np_check_scheme_result *result, const np_report_options *given, FILE *stream)
{
    return np_report_print(&np_report_check_form, result, given, stream);
}
