/* A guest simulated on a universal network: table, JSON and CSV; docs/json.md describes the JSON. */
#include "base/written.h"
#include "show/table/csv.h"
#include "show/table/shape.h"
#include "papers/universal/simulate.h"

/* ---- JSON ---- */

typedef struct view {
    const np_universal_result *result;
    bool map; /* print it */
} view;

static bool is_mapped(const void *object) { return ((const view *)object)->map; }

static void get_places(const void *object, np_value *value)
{
    const np_universal_result *r = ((const view *)object)->result;
    value->object = r->place;
    value->count = r->guest_nodes;
}

/* A name is kept by the result; a number is written into the room. */
static bool is_named(const void *object)
{
    char room[NP_NAME_ROOM];
    return is_mapped(object) && np_universal_node_name(((const view *)object)->result, 0, room) != room;
}

static void get_name(np_value *list, size_t u, np_value *item)
{
    item->kind = NP_VALUE_TEXT;
    item->text = np_universal_node_name(list->object, (np_node)u, item->room.text);
}

static void get_names(const void *object, np_value *value)
{
    value->object = ((const view *)object)->result;
    value->count = ((const view *)object)->result->guest_nodes;
    value->item = get_name;
}

static const np_field view_rows[] = {
    {NULL, NP_FIELD_INSET, offsetof(view, result), .flags = NP_FIELD_BEHIND, .fields = &np_universal_result_fields},
    {"places", NP_FIELD_LIST, .get = get_places, .applies = is_mapped,
     .help = "only with `--map`: the processor of each node, in the order of their numbers"},
    {"names", NP_FIELD_LIST, .get = get_names, .applies = is_named,
     .help = "only with `--map`, if the nodes have names: these, in the order of `places`"},
    {NULL, NP_FIELD_INSET, offsetof(view, result), .flags = NP_FIELD_BEHIND, .fields = &np_universal_end_fields},
};

static const np_fields view_fields = NP_FIELDS("universal", "a simulation", view, view_rows);

/* ---- For people ---- */

static const np_universal_result *result(const void *object) { return ((const view *)object)->result; }

static void get_slowest(const void *object, np_value *value)
{
    value->object = &result(object)->step[result(object)->slowest];
}

static void get_program(const void *object, np_value *value) { value->truth = result(object)->program; }

static const np_field shown_rows[] = {
    {NULL, NP_FIELD_INSET, .fields = &view_fields},
    {"slowest", NP_FIELD_OBJECT, .get = get_slowest, .fields = &np_universal_step_fields, .help = "step"},
    {"program", NP_FIELD_BOOL, .get = get_program, .help = "the guest ran one"},
};

static const np_fields shown = NP_FIELDS("universal_shown", "a simulation", view, shown_rows);

static const char layout[] =
    "guest      {guest.spec}: {guest.nodes node}, {guest.links=null ? {guest.buses bus buses} with "
    "{guest.nodes_on_buses node} : {guest.links link}}\n"
    "map        by {guest.map=metis ? METIS : its {guest.map}}{guest.area ? , {network.kind} {guest.area}}; one node a "
    "processor, at most {network.leaf_nodes_max} at one leaf, {network.leaves_used} leaves used, in {map_seconds:3} s\n"
    "network    {network.kind}-universal, universal{network.kind=volume ? -3d}:{network.height}: "
    "N = {network.processors} processors, root capacity {network.root_capacity}, {network.nodes} nodes, "
    "{network.links} links\n"
    "{area=null ? volume     {volume}, {volume_per_processor:3} N (formula: {volume_formula} : area       {area}, "
    "{area_per_processor:3} N (formula: {area_formula}}); wires of {network.wire_length} in all\n"
    "packets    {packets} in {guest_steps>1 ? {guest_steps} steps : a step}, {packets_local} of them within one leaf's "
    "mesh{!guest.buses=null ? , {combined} combined}\n"
    "load       factor {load_factor:4}{with channel: : {load} over the {capacity} links {direction=up ? up from : down "
    "to} vertex {vertex} of level {level}}; {load_factor_per_log_n:3} log2 N\n"
    "{with offline: off line   congestion {congestion}, promised {congestion_promised}; "
    "{ranks=expectations ? ranks by conditional expectations : {tries ? ranks the best of {tries} settings : no packet "
    "leaves its leaf}}{steps_promised ? {ranks=expectations ? , {steps_promised} steps promised : ; by conditional "
    "expectations {steps_expectations}, {steps_promised} promised}}\n}"
    "\n{table lrrr:   steps|mean|min|max\n"
    "{with gather:   in the meshes, to the leaves|{mean}|{min}|{max}\n}"
    "{with route:   over the fat-tree{guest.buses=null ?  :  and back}|{mean}|{min}|{max}\n}"
    "{with scatter:   in the meshes, from the leaves|{mean}|{min}|{max}\n}"
    "{with slowdown_over_steps:   slowdown: a step of the guest|{mean}|{min}|{max}\n}"
    "{with congestion:   congestion of the fat-tree|{mean}|{min}|{max}\n}"
    "{with load_factor_over_steps:   load factor|{mean}|{min}|{max}\n}}"
    "\nslowdown / log2 N = {slowdown_per_log_n:4}\n"
    "{program ? {guest_steps} steps of the guest in {total:6}; slowest: step {with slowest: {step}{runs>1 ?  of run "
    "{run}} in {slowdown}, of {packets} packets, load factor {load_factor:4}}\n}";

/* ---- CSV: a line for each step ---- */

typedef struct line {
    const np_universal_result *result;
    const np_universal_step *step;
} line;

static const np_field load_rows[] = {
    {"load", NP_FIELD_U64, offsetof(np_universal_step, load.load), .unit = "packets",
     .help = "that must pass through the busiest channel"},
    {"capacity", NP_FIELD_U32, offsetof(np_universal_step, load.capacity), .unit = "links", .help = "of that channel"},
    {"combined", NP_FIELD_U64, offsetof(np_universal_step, combined), .help = "times that two packets became one"},
    {NULL, NP_FIELD_INSET, .fields = &np_universal_step_fields},
};

static const np_fields load_fields = NP_FIELDS("universal_step_load", "a step", np_universal_step, load_rows);

static const np_field line_rows[] = {
    {NULL, NP_FIELD_INSET, offsetof(line, step), .flags = NP_FIELD_BEHIND, .fields = &load_fields},
    {NULL, NP_FIELD_INSET, offsetof(line, result), .flags = NP_FIELD_BEHIND, .fields = &np_universal_result_fields},
    {NULL, NP_FIELD_INSET, offsetof(line, result), .flags = NP_FIELD_BEHIND, .fields = &np_universal_end_fields},
};

static const np_fields line_fields = NP_FIELDS("universal_line", "a step", line, line_rows);

static const char columns[] =
    "guest=guest.spec,map=guest.map,kind=network.kind,height=network.height,processors=network.processors,seed,run,"
    "step,"
    "packets,packets_local,load,capacity,load_factor,gather,route,scatter,slowdown,congestion,combined";

static np_status report_csv(const void *object, FILE *stream)
{
    const np_universal_result *r = result(object);
    np_csv_head(&line_fields, columns, stream);
    for (size_t i = 0; i < r->rows; i++)
        np_csv_line(&line_fields, &(line){r, &r->step[i]}, columns, stream);
    return np_output_check(stream, "the report");
}

/* The processor of each node is a line of the name and the number. */
static np_status print(const void *object, const np_report_options *options, FILE *stream)
{
    const view *v = object;
    (void)options;
    for (np_node u = 0; u < v->result->guest_nodes && v->map; u++) {
        fputs("place      ", stream);
        np_written(NP_MEDIUM_TERMINAL, np_universal_node_name(v->result, u, (char[NP_NAME_ROOM]){0}), stream);
        fprintf(stream, " %u\n", v->result->place[u]);
    }
    return NP_OK;
}

static const char end[] = "{command ? repeat     {command}\n}by         netpram {version} in {wall_seconds:3} s\n";

const np_report_form np_report_universal_form = {{"universal", &view_fields, &line_fields, columns},
                                                 .open = 1,
                                                 .csv = report_csv,
                                                 .fields = &shown,
                                                 .layout = layout,
                                                 .rest = {end},
                                                 .people = print};

np_status np_report_universal(const np_universal_result *result, bool map, const np_report_options *given, FILE *stream)
{
    return np_report_print(&np_report_universal_form, &(view){result, map}, given, stream);
}
