/* Latency against load. */
#include "show/table/csv.h"
#include "show/table/shape.h"

#define COLUMNS(creation, refused)                                                                                     \
    "network=network.spec,traffic,seed,model=model.name,paths," creation ",accepted=points.accepted," refused          \
    "mean=points.latency.mean,ci95=points.latency.ci95,p50=points.latency.p50,"                                        \
    "p99=points.latency.p99,p999=points.latency.p999,max=points.latency.max,hops=points.hops,"                         \
    "saturated=points.saturated,fairness=points.fairness,warmup=points.warmup,measured=points.measured,"               \
    "packets=points.packets,zero_load_latency,ideal_throughput,saturation_low=saturation.low,"                         \
    "saturation_high=saturation.high"

static const char columns[] = COLUMNS("arrivals=model.arrivals,offered=points.offered", "");
static const char columns_of_bounded[] =
    COLUMNS("arrivals=model.arrivals,offered=points.offered", "refused=points.refused,");
static const char columns_of_windows[] = COLUMNS("window=points.window", "");

#define REFUSES "{refused ? , refuses {refused:4}}"
#define CURVE                                                                                                          \
    "paths     {zero_load_latency=null ? {paths} : {paths}: {zero_load_latency:5} cycles without load}"                \
    "{ideal_throughput ? , links are full at a load of {ideal_throughput:4}}\n\n"                                      \
    "{table rrrrrrrrl: {model.window ? window : offered}|accepted|{model.window ? round trip : latency}"               \
    "|+-|50%|99%|99.9%|max|\n"                                                                                         \
    "{each points: {window ? {window} : {offered:6}}|{accepted:4}|{latency.mean=null ? -|-|-|-|-|- : "                 \
    "{latency.mean:5}|{latency.ci95=null ? - : {latency.ci95:2}}|{latency.p50}|{latency.p99}|{latency.p999}|"          \
    "{latency.max}}|{stuck ? stands still : {saturated ? saturated" REFUSES " : "                                      \
    "{!reached ? too few cycles" REFUSES " : {refused ? refuses {refused:4}}}}}\n}}"                                   \
    "{each points: {waits ? \nstands still at {window ? a window of {window} : {offered:6}}: {waits}\n}}"              \
    "{saturation.load ? \nsaturates between {saturation.low:6} and {saturation.high:6}\n : "                           \
    "{saturation.high ? \nsaturated at {saturation.high:6} already\n : "                                               \
    "{saturation.low ? \nnot saturated at {saturation.low:6}\n}}}"                                                     \
    "{bound ? \n{table llll: theory|says||\n{each bound: {applies ? {name}|{says}|{values:12, }|{source}\n}}}}"

static const char layout[] =
    "network   {network.spec}: {network.nodes node}, {network.links link}\n"
    "traffic   {traffic}{model.window ? , requests and replies}{model.arrivals ? , "
    "{model.arrivals}}{model.packet_flits ? "
    ", packets of {model.packet_flits} flits}\n"
    "model     {model.name}{model.queue ? , {model.queue}}{model.channels ? : {model.channels channel} of "
    "{model.buffer_flits flit} a link, "
    "{model.cut_through ? cut-through : wormhole}}{model.source_flits ? , {model.source_flits flit} a terminal}\n"
    "{paths ? " CURVE "}{curves ? {each curves: " CURVE "\n}}"
    "{command ? \nrepeat    {command}\n}"
    "by        netpram {version} in {wall_seconds:3} s\n";

/* Curve by curve, as if each were the only one. */
static np_status print_csv(const void *object, FILE *stream)
{
    const np_load_result *result = object;
    const char *of = result->options.window         ? columns_of_windows
                     : result->options.source_flits ? columns_of_bounded
                                                    : columns;
    np_csv_head(&np_load_result_fields, of, stream);
    for (size_t i = 0; i < result->curves; i++) {
        np_load_result one = *result;
        one.curve = &result->curve[i];
        one.curves = 1;
        np_csv_items(&np_load_result_fields, &one, "points", of, stream);
    }
    return np_output_check(stream, "the report");
}

const np_report_form np_report_load_form = {{"load", &np_load_result_fields, &np_load_result_fields, columns},
                                            .open = 3,
                                            .list = "points",
                                            .csv = print_csv,
                                            .layout = layout};

np_status np_report_load(const np_load_result *result, const np_report_options *given, FILE *stream)
{
    return np_report_print(&np_report_load_form, result, given, stream);
}
