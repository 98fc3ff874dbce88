/* The fields of load: of its options and of a result. */
#include <math.h>

#include "netpram/load.h"

/* ---- Options ---- */

#define AT(member) offsetof(np_load_options, member)
#define CYCLES(name, stage, least, preset_)                                                                            \
    {                                                                                                                  \
#name, NP_FIELD_U32, AT(name), "cycles", .help = "Cycles of " stage " (default: " preset_ ")", .low = (least), \
                                                 .high = 64, .preset = preset_, .placeholder = "N", .only = "flits"    \
    }

static const np_field option_rows[] = {
    {"model", NP_FIELD_TEXT, AT(model),
     .help = "The switch: steps, where a packet crosses a link in a step, or flits, routers with virtual channels "
             "(default: steps, and flits for adaptive routes, which it alone has)",
     .placeholder = "NAME"},
    {"scheme", NP_FIELD_TEXT, AT(scheme),
     .help = "A scheme that sends each packet by itself: greedy or valiant, each by --paths; one in two phases such as "
             "cubes; or adaptive routes such as ugal-l. Several with commas are a curve each (default: greedy)",
     .placeholder = "NAME"},
    {"paths", NP_FIELD_TEXT, AT(paths),
     .help =
         "A path rule, valiant or valiant:RULE; several with commas between them are a curve each (default: greedy)",
     .preset = "greedy", .placeholder = "RULE", .list = "paths"},
    {"arrivals", NP_FIELD_TEXT, AT(arrivals),
     .help = "When packets are created: bernoulli, poisson, periodic, or on-off:ON,OFF, mean cycles (default: "
             "bernoulli)",
     .preset = "bernoulli", .placeholder = "PROCESS"},
    {"packet_flits", NP_FIELD_TEXT, AT(packet_flits), "flits",
     .help = "Length of a packet, or A-B: drawn evenly (default: 1)", .placeholder = "L", .only = "flits"},
    {"loads", NP_FIELD_TEXT, AT(loads),
     .help = "These loads alone, flits a terminal and cycle, as in 0.1,0.2 (default: look for saturation)",
     .placeholder = "LIST", .group = "Which loads:"},
    {"from", NP_FIELD_REAL, AT(from), .help = "Look for saturation from this load on (default: 0.1)", .least = 1e-6,
     .most = 64, .preset = "0.1", .placeholder = "LOAD"},
    {"to", NP_FIELD_REAL, AT(to), .help = "Up to this load (default: 1)", .least = 1e-6, .most = 64, .preset = "1",
     .placeholder = "LOAD"},
    {"resolution", NP_FIELD_REAL, AT(resolution),
     .help = "Halve the bracket of saturation until it is so wide (default: 0.01)", .least = 1e-5, .most = 64,
     .preset = "0.01", .placeholder = "WIDTH"},
    {"window", NP_FIELD_TEXT, AT(window),
     .help = "Closed loop: so many requests of a terminal are on their way, and each is answered; several with commas "
             "are a point each (default: packets over time)",
     .placeholder = "W"},
    {"queue", NP_FIELD_TEXT, AT(queue), .help = "Who goes first (default: fifo)", .preset = "fifo",
     .placeholder = "NAME", .list = "queues", .only = "steps", .group = "The switch:"},
    {"channels", NP_FIELD_U32, AT(channels), .help = "Virtual channels of a link (default: 4)", .low = 1, .high = 32,
     .preset = "4", .placeholder = "V", .only = "flits"},
    {"buffer_flits", NP_FIELD_U32, AT(buffer_flits), "flits",
     .help = "Flits that the buffer of a channel holds (default: 8)", .low = 1, .high = 255, .preset = "8",
     .placeholder = "B", .only = "flits"},
    CYCLES(routing_delay, "routing", 0, "0"),
    CYCLES(allocation_delay, "channel allocation", 1, "1"),
    CYCLES(switch_delay, "switch allocation", 1, "1"),
    CYCLES(crossbar_delay, "the crossbar", 1, "1"),
    CYCLES(link_delay, "a link", 1, "1"),
    CYCLES(credit_delay, "a credit on its way back", 0, "1"),
    {"cut_through", NP_FIELD_BOOL, AT(cut_through),
     .help = "A head goes on only if the next buffer has room for the whole packet (default: wormhole)",
     .only = "flits"},
    {"may_deadlock", NP_FIELD_BOOL, AT(may_deadlock),
     .help =
         "Play routes that may deadlock, too: a run that stands still says who waits for whom (default: refuse them)",
     .only = "flits"},
    {"source_flits", NP_FIELD_U32, AT(source_flits), "flits",
     .help = "Flits that wait at a terminal at most: a packet that finds no room is refused (default: any number)",
     .low = 1, .high = 65535, .placeholder = "N", .only = "flits"},
    {"input_speedup", NP_FIELD_U32, AT(input_speedup),
     .help = "Inputs of the switch that an input has, channels in turn (default: 1)", .low = 1, .high = 32,
     .preset = "1", .placeholder = "N", .only = "flits"},
    {"internal_speedup", NP_FIELD_U32, AT(internal_speedup),
     .help = "Times that the switch is allocated in a cycle (default: 1)", .low = 1, .high = 16, .preset = "1",
     .placeholder = "N", .only = "flits"},
    {"precision", NP_FIELD_REAL, AT(precision),
     .help = "Measure until the 95% interval of the mean latency is so narrow, as a share (default: 0.02)",
     .least = 1e-4, .most = 1, .preset = "0.02", .placeholder = "P", .group = "How to measure:"},
    {"cycles", NP_FIELD_U64, AT(cycles), "cycles",

     .help = "Measure no longer, and warm up no longer than half of it (default: 200000)", .low = 1000,
     .high = 1000000000, .preset = "200000", .placeholder = "N"},
    {"bound", NP_FIELD_BOOL, AT(bound), .help = "Put theory beside each curve"},
    {"seed", NP_FIELD_SEED, AT(seed), .help = "Where all that is drawn comes from", .preset = "1", .placeholder = "N"},
    {"threads", NP_FIELD_U32, AT(threads), .help = "Threads (default: one a processor)", .high = NP_THREADS_MAX,
     .placeholder = "N"},
    {"memory", NP_FIELD_BYTES, AT(memory_limit), "bytes",
     .help = "Refuse what needs more, as in 4G (default: what is available)", .placeholder = "BYTES"},
    {"links", NP_FIELD_TEXT, AT(links_file), .help = "Write each link and what it carried at the highest load, as CSV",
     .placeholder = "FILE", .group = "What to report:"},
};

const np_fields np_load_options_fields = NP_OPTIONS("load_options", "load", np_load_options, option_rows, NULL);

/* ---- A point ---- */

#undef AT
#define AT(member) offsetof(np_load_latency, member)
#define KNOWN(type, member)                                                                                            \
    static bool knows_##type##_##member(const void *object) { return !isnan(((const np_load_##type *)object)->member); }
KNOWN(latency, mean)
KNOWN(latency, ci95)

static const np_field latency_rows[] = {
    {"mean", NP_FIELD_REAL, AT(mean), "cycles", .known = knows_latency_mean, .help = "the mean"},
    {"p50", NP_FIELD_U64, AT(p50), "cycles", .known = knows_latency_mean,
     .help = "the least value with half of the packets at or below it"},
    {"p99", NP_FIELD_U64, AT(p99), "cycles", .known = knows_latency_mean, .help = "the same with 99% of them"},
    {"p999", NP_FIELD_U64, AT(p999), "cycles", .known = knows_latency_mean, .help = "the same with 99.9% of them"},
    {"max", NP_FIELD_U64, AT(max), "cycles", .known = knows_latency_mean, .help = "the largest"},
    {"ci95", NP_FIELD_REAL, AT(ci95), "cycles", .known = knows_latency_ci95,
     .help = "half-width of the 95% confidence interval of the mean; `null`: the point is saturated, or packets are "
             "too few"},
};

static const np_fields latency_fields = NP_FIELDS("load_latency", "latencies", np_load_latency, latency_rows);

#undef AT
#define AT(member) offsetof(np_load_point, member)
KNOWN(point, hops)

KNOWN(point, offered)
KNOWN(point, refused)
static bool has_window(const void *object) { return ((const np_load_point *)object)->window > 0; }

static bool is_stuck(const void *object) { return ((const np_load_point *)object)->stuck; }

static const np_field point_rows[] = {
    {"window", NP_FIELD_U32, AT(window), .applies = has_window,
     .help =
         "closed loop: requests of a terminal on their way; then `accepted` are those that were answered, `latency` "
         "and `hops` of round trips"},
    {"offered", NP_FIELD_REAL, AT(offered), "flits", .known = knows_point_offered,
     .help = "a terminal and cycle; `null`: closed loop"},
    {"accepted", NP_FIELD_REAL, AT(accepted), "flits", .help = "that arrive, a terminal and cycle"},
    {"refused", NP_FIELD_REAL, AT(refused), "flits", .applies = knows_point_refused,
     .help = "a terminal and cycle, of packets that found no room at their terminal; part of what is offered"},
    {"latency", NP_FIELD_OBJECT, AT(latency), .fields = &latency_fields,
     .help = "from creation to the arrival of the last flit"},
    {"hops", NP_FIELD_REAL, AT(hops), "links", .known = knows_point_hops,
     .help = "of a packet on average, those of hosts left out"},
    {"saturated", NP_FIELD_BOOL, AT(saturated),
     .help = "more is offered than accepted, and packets wait, more and more"},
    {"reached", NP_FIELD_BOOL, AT(reached), .help = "the precision asked for"},
    {"stuck", NP_FIELD_BOOL, AT(stuck), .help = "nothing moved any more: a deadlock"},
    {"waits", NP_FIELD_CHARS, AT(waits), .applies = is_stuck,
     .help = "channels, each of which waits for the next, and the last for the first"},
    {"fairness", NP_FIELD_REAL, AT(fairness), .help = "what the worst-served terminal got through against the mean"},
    {"warmup", NP_FIELD_U64, AT(warmup), "cycles", .help = "before the window"},
    {"measured", NP_FIELD_U64, AT(measured), "cycles", .help = "of the window"},
    {"packets", NP_FIELD_U64, AT(packets), "packets", .help = "whose latencies these are"},
};

const np_fields np_load_point_fields = NP_FIELDS("load_point", "points", np_load_point, point_rows);

/* ---- A curve ---- */

KNOWN(saturation, load)
KNOWN(saturation, low)
KNOWN(saturation, high)

static const np_field saturation_rows[] = {
    {"load", NP_FIELD_REAL, offsetof(np_load_saturation, load), .known = knows_saturation_load,
     .help = "the middle of the two"},
    {"low", NP_FIELD_REAL, offsetof(np_load_saturation, low), .known = knows_saturation_low,
     .help = "the highest load measured below all that are saturated; `null`: none is"},
    {"high", NP_FIELD_REAL, offsetof(np_load_saturation, high), .known = knows_saturation_high,
     .help = "the lowest load measured that is saturated; `null`: none is"},
};

static const np_fields saturation_fields =
    NP_FIELDS("load_saturation", "saturation", np_load_saturation, saturation_rows);

static void item_value(np_value *list, size_t i, np_value *item)
{
    double value = ((const double *)list->object)[i];
    *item = (np_value){.kind = isnan(value) ? NP_VALUE_NULL : NP_VALUE_REAL, .real = value};
}

static void get_values(const void *object, np_value *value)
{
    const np_load_theorem *t = object;
    value->kind = NP_VALUE_LIST;
    value->object = t->value;
    value->count = t->count;
    value->item = item_value;
}

#undef AT
#define AT(member) offsetof(np_load_theorem, member)

static const np_field theorem_rows[] = {
    {"name", NP_FIELD_TEXT, AT(name), .help = "of the theorem"},
    {"says", NP_FIELD_TEXT, AT(says),
     .help = "`accepted at most`, `stable below`: loads; `mean at most`, `mean at least`, `mean`: latencies"},
    {"source", NP_FIELD_TEXT, AT(source), .help = "who proved it"},
    {"needs", NP_FIELD_TEXT, AT(needs), .help = "what it is proved for"},
    {"applies", NP_FIELD_BOOL, AT(applies), .help = "to this curve"},
    {"values", NP_FIELD_LIST, .get = get_values, .help = "one a point, in their order; `null`: none at this load"},
};

static const np_fields theorem_fields = NP_FIELDS("load_theorem", "theorems", np_load_theorem, theorem_rows);

#undef AT
#define AT(member) offsetof(np_load_curve, member)
KNOWN(curve, ideal_throughput)
KNOWN(curve, zero_load_latency)
static bool has_theorems(const void *object) { return ((const np_load_curve *)object)->theorems > 0; }

static const np_field curve_rows[] = {
    {"paths", NP_FIELD_TEXT, AT(paths), .help = "the path rule"},
    {"points", NP_FIELD_LIST, AT(points), .fields = &np_load_point_fields, .count_at = AT(count),
     .help = "by offered load"},
    {"saturation", NP_FIELD_OBJECT, AT(saturation), .fields = &saturation_fields, .help = "where the curve saturates"},
    {"zero_load_latency", NP_FIELD_REAL, AT(zero_load_latency), "cycles", .known = knows_curve_zero_load_latency,
     .help = "mean latency of packets that meet nobody; `null`: not known"},
    {"ideal_throughput", NP_FIELD_REAL, AT(ideal_throughput), .known = knows_curve_ideal_throughput,
     .help = "the load at which some link is full on average; `null`: not known exactly"},
    {"bound", NP_FIELD_LIST, AT(theorem), .fields = &theorem_fields, .count_at = AT(theorems), .applies = has_theorems,
     .help = "theory beside the curve"},
};

const np_fields np_load_curve_fields = NP_FIELDS("load_curve", "curves", np_load_curve, curve_rows);

/* ---- A result ---- */

#undef AT
#define AT(member) offsetof(np_load_options, member)

static bool of_flits(const void *object)
{
    const char *model = ((const np_load_options *)object)->model;
    return model && model[0] == 'f';
}
static bool of_steps(const void *object) { return !of_flits(object); }

#define FLITS(name, kind, text)                                                                                        \
    {                                                                                                                  \
#name, kind, AT(name), .applies = of_flits, .help = text                                                       \
    }

static bool is_bounded(const void *object) { return ((const np_load_options *)object)->source_flits > 0; }
static bool has_windows(const void *object) { return ((const np_load_options *)object)->window != NULL; }
static bool is_open(const void *object) { return !has_windows(object); }

static const np_field model_rows[] = {
    {"name", NP_FIELD_TEXT, AT(model), .help = "`steps` or `flits`"},
    {"window", NP_FIELD_TEXT, AT(window), .applies = has_windows, .help = "closed loop: of the points"},
    {"arrivals", NP_FIELD_TEXT, AT(arrivals), .applies = is_open,
     .help = "when packets are created; `null`: a trace says it"},
    {"queue", NP_FIELD_TEXT, AT(queue), .applies = of_steps, .help = "who goes first"},
    FLITS(packet_flits, NP_FIELD_TEXT, "length of a packet; `null`: 1"),
    FLITS(channels, NP_FIELD_U32, "virtual channels of a link"),
    FLITS(buffer_flits, NP_FIELD_U32, "flits that the buffer of a channel holds"),
    FLITS(routing_delay, NP_FIELD_U32, "cycles"),
    FLITS(allocation_delay, NP_FIELD_U32, "cycles"),
    FLITS(switch_delay, NP_FIELD_U32, "cycles"),
    FLITS(crossbar_delay, NP_FIELD_U32, "cycles"),
    FLITS(link_delay, NP_FIELD_U32, "cycles"),
    FLITS(credit_delay, NP_FIELD_U32, "cycles"),
    FLITS(cut_through, NP_FIELD_BOOL, "virtual cut-through, not wormhole"),
    FLITS(input_speedup, NP_FIELD_U32, "inputs of the switch that an input has"),
    FLITS(internal_speedup, NP_FIELD_U32, "times that the switch is allocated in a cycle"),
    {"source_flits", NP_FIELD_U32, AT(source_flits), "flits", .applies = is_bounded,
     .help = "that wait at a terminal at most"},
};

static const np_fields model_fields = NP_FIELDS("load_model", "the model", np_load_options, model_rows);

#undef AT
#define AT(member) offsetof(np_load_result, member)

static bool has_curves(const void *object) { return ((const np_load_result *)object)->curves > 1; }
static bool has_one(const void *object) { return !has_curves(object); }

#define CURVE(name_, kind_)                                                                                            \
    static void get_##name_(const void *object, np_value *value)                                                       \
    {                                                                                                                  \
        (void)np_field_get(np_fields_find(&np_load_curve_fields, #name_), ((const np_load_result *)object)->curve,     \
                           value);                                                                                     \
    }
CURVE(paths, TEXT)
CURVE(points, LIST)
CURVE(saturation, OBJECT)
CURVE(zero_load_latency, REAL)
CURVE(ideal_throughput, REAL)
CURVE(bound, LIST)

static bool knows_ideal_throughput(const void *object)
{
    return knows_curve_ideal_throughput(((const np_load_result *)object)->curve);
}

static bool knows_zero_load_latency(const void *object)
{
    return knows_curve_zero_load_latency(((const np_load_result *)object)->curve);
}

static bool has_one_bound(const void *object)
{
    return has_one(object) && has_theorems(((const np_load_result *)object)->curve);
}

static const np_field rows[] = {
    {"seed", NP_FIELD_U64, AT(options.seed), .help = "where all that is drawn comes from"},
    {"network", NP_FIELD_OBJECT, AT(network), .flags = NP_FIELD_BEHIND, .fields = &np_network_fields,
     .help = "the network"},
    {"traffic", NP_FIELD_TEXT, AT(traffic), .help = "the traffic"},
    {"model", NP_FIELD_OBJECT, AT(options), .fields = &model_fields, .help = "the switch, with all its parameters"},
    {"precision", NP_FIELD_REAL, AT(options.precision), .help = "asked for"},
    {"paths", NP_FIELD_TEXT, .applies = has_one, .get = get_paths, .help = "the path rule"},
    {"points", NP_FIELD_LIST, .applies = has_one, .get = get_points, .fields = &np_load_point_fields,
     .help = "by offered load"},
    {"saturation", NP_FIELD_OBJECT, .applies = has_one, .get = get_saturation, .fields = &saturation_fields,
     .help = "where the curve saturates"},
    {"zero_load_latency", NP_FIELD_REAL, .unit = "cycles", .applies = has_one, .get = get_zero_load_latency,
     .known = knows_zero_load_latency, .help = "mean latency of packets that meet nobody; `null`: not known"},
    {"ideal_throughput", NP_FIELD_REAL, .applies = has_one, .get = get_ideal_throughput,
     .known = knows_ideal_throughput,
     .help = "the load at which some link is full on average; `null`: not known exactly"},
    {"bound", NP_FIELD_LIST, .applies = has_one_bound, .get = get_bound, .fields = &theorem_fields,
     .help = "theory beside the curve"},
    {"curves", NP_FIELD_LIST, AT(curve), .fields = &np_load_curve_fields, .count_at = AT(curves), .applies = has_curves,
     .help = "of several path rules: each with `paths` to `bound` as its own"},
    {"wall_seconds", NP_FIELD_REAL, AT(wall_seconds), .unit = "seconds", .help = "time of the call"},
};

const np_fields np_load_result_fields = NP_FIELDS("load", "load", np_load_result, rows);
