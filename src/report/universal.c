/* A guest simulated on a universal network: table, JSON and CSV; docs/json.md describes the JSON. */
#include <inttypes.h>
#include <math.h>

#include "netpram/base.h"
#include "base/decimal.h"
#include "base/plural.h"
#include "report/csv.h"
#include "report/json.h"
#include "report/shape.h"
#include "report/table.h"

static double per_processor(const np_universal_result *r)
{
    return (double)(r->volume ? r->volume_counted : r->area) / (double)r->processors;
}

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

static const np_field view_rows[] = {
    {NULL, NP_FIELD_INSET, offsetof(view, result), .flags = NP_FIELD_BEHIND, .fields = &np_universal_result_fields},
    {"places", NP_FIELD_LIST, .get = get_places, .applies = is_mapped,
     .help = "only with `--map`: the processor of each node"},
    {NULL, NP_FIELD_INSET, offsetof(view, result), .flags = NP_FIELD_BEHIND, .fields = &np_universal_end_fields},
};

static const np_fields view_fields = NP_FIELDS("universal", "a simulation", view, view_rows);

/* ---- table ---- */

static void offline(const np_universal_offline *o, FILE *stream)
{
    fprintf(stream, "off line   congestion %u, promised %u; ", o->congestion, o->congestion_promised);
    if (o->expectations)
        fprintf(stream, "ranks by conditional expectations");
    else if (!o->tries)
        fprintf(stream, "no packet leaves its leaf");
    else
        fprintf(stream, "ranks the best of %u settings", o->tries);
    if (o->steps_promised)
        fprintf(stream, o->expectations ? ", %u steps promised" : "; by conditional expectations %u, %u promised",
                o->expectations ? o->steps_promised : o->steps_expectations, o->steps_promised);
    fputc('\n', stream);
}

static void head(const np_universal_result *r, FILE *stream)
{
    static const char *const maps[] = {"by its coordinates", "by its layout", "by METIS"};
    fprintf(stream, "guest      %s: %" PRIu64 " node%s, ", r->guest, r->guest_nodes, np_plural(r->guest_nodes));
    if (r->combining)
        fprintf(stream, "%" PRIu64 " bus%s with %" PRIu64 " node%s\n", r->guest_buses, r->guest_buses == 1 ? "" : "es",
                r->guest_pins, np_plural(r->guest_pins));
    else
        fprintf(stream, "%" PRIu64 " link%s\n", r->guest_links, np_plural(r->guest_links));
    fprintf(stream, "map        %s", maps[r->map]);
    if (r->guest_area)
        fprintf(stream, ", %s %" PRIu64, r->volume ? "volume" : "area", r->guest_area);
    fprintf(stream, "; one node a processor, at most %u at one leaf, %u leaves used, in %s s\n", r->load_leaf,
            r->used_leaves, NP_REAL(r->map_seconds, 3));
    fprintf(stream,
            "network    %s%u: N = %" PRIu64 " processors, root capacity %u, %" PRIu64 " nodes, %" PRIu64 " links\n",
            r->volume ? "volume-universal, universal-3d:" : "area-universal, universal:", r->height, r->processors,
            r->root, r->nodes, r->links);
    fprintf(stream, "%-11s%" PRIu64 ", %s N (formula: %" PRIu64 "); wires of %" PRIu64 " in all\n",
            r->volume ? "volume" : "area", r->volume ? r->volume_counted : r->area, NP_REAL(per_processor(r), 3),
            r->volume ? r->volume_formula : r->area_formula, r->wire_length);
    fprintf(stream, "packets    %" PRIu64 " in ", r->packets);
    fprintf(stream, r->guest_steps > 1 ? "%u steps" : "a step", r->guest_steps);
    fprintf(stream, ", %" PRIu64 " of them within one leaf's mesh", r->local);
    if (r->combining)
        fprintf(stream, ", %" PRIu64 " combined", r->combined);
    fprintf(stream, "\nload       factor %s", NP_REAL(r->load.factor, 4));
    if (r->load.load)
        fprintf(stream, ": %" PRIu64 " over the %u links %s vertex %u of level %u", r->load.load, r->load.capacity,
                r->load.up ? "up from" : "down to", r->load.vertex, r->load.level);
    fprintf(stream, "; %s log2 N\n", NP_REAL(r->load_per_log_n, 3));
    if (r->offline)
        offline(&r->found, stream);
}

static void row(np_table *table, const char *name, const np_summary *s)
{
    np_table_add(table, "  %s", name);
    np_table_number(table, s->mean);
    np_table_number(table, s->min);
    np_table_number(table, s->max);
}

static np_status steps(const np_universal_result *r, FILE *stream)
{
    static const char *const titles[] = {"  steps", "mean", "min", "max"};
    np_table table;
    np_table_begin(&table, "lrrr", titles);
    row(&table, "in the meshes, to the leaves", &r->gather);
    row(&table, r->combining ? "over the fat-tree and back" : "over the fat-tree", &r->route);
    row(&table, "in the meshes, from the leaves", &r->scatter);
    row(&table, "slowdown: a step of the guest", &r->slowdown);
    row(&table, "congestion of the fat-tree", &r->congestion);
    row(&table, "load factor", &r->load_factor);
    return np_table_end(&table, stream);
}

/* Prints the figures of all steps together, and of the slowest step. */
static void program(const np_universal_result *r, FILE *stream)
{
    const np_universal_step *slow = &r->step[r->slowest];
    fprintf(stream, "%u steps of the guest in %s; slowest: step %u", r->guest_steps, NP_REAL(r->total, 6), slow->step);
    if (r->runs > 1)
        fprintf(stream, " of run %u", slow->run);
    fprintf(stream, " in %u, of %" PRIu64 " packets, load factor %s\n", slow->slowdown, slow->packets,
            NP_REAL(slow->load.factor, 4));
}

static np_status report_table(const np_universal_result *r, bool map, const char *command, FILE *stream)
{
    np_status st;
    head(r, stream);
    fputc('\n', stream);
    if ((st = steps(r, stream)))
        return st;
    fprintf(stream, "\nslowdown / log2 N = %s\n", NP_REAL(r->slowdown_per_log_n, 4));
    if (r->program)
        program(r, stream);
    if (map)
        for (uint64_t u = 0; u < r->guest_nodes; u++)
            fprintf(stream, "place      %" PRIu64 " %u\n", u, r->place[u]);
    if (command && *command)
        fprintf(stream, "repeat     %s\n", command);
    fprintf(stream, "by         netpram %s in %s s\n", np_version(), NP_REAL(r->wall_seconds, 3));
    return np_output_check(stream, "the report");
}

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

const np_report_shape np_report_universal_shape = {"universal", &view_fields, &line_fields, columns};

static np_status report_csv(const np_universal_result *r, FILE *stream)
{
    np_csv_head(&line_fields, columns, stream);
    for (size_t i = 0; i < r->rows; i++)
        np_csv_line(&line_fields, &(line){r, &r->step[i]}, columns, stream);
    return np_output_check(stream, "the report");
}

np_status np_report_universal(const np_universal_result *result, bool map, const np_report_options *given, FILE *stream)
{
    np_report_options options;
    np_status st = np_options_take(&np_report_options_fields, given, &options);
    if (st)
        return st;
    if (options.format == NP_REPORT_CSV)
        return report_csv(result, stream);
    if (options.format == NP_REPORT_JSON)
        return np_json_report(&view_fields, &(view){result, map}, options.command, 1, stream);
    return report_table(result, map, options.command, stream);
}
