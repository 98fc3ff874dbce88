/* A guest simulated on a universal network: table, JSON and CSV; docs/json.md describes the JSON. */
#include <inttypes.h>
#include <math.h>

#include "netpram/output.h"
#include "netpram/version.h"
#include "report/csv.h"
#include "report/json.h"
#include "report/table.h"

static double per_processor(const np_universal_result *r)
{
    return (double)(r->volume ? r->volume_counted : r->area) / (double)r->processors;
}

/* ---- JSON ---- */

static json_t *guest_json(const np_universal_result *r)
{
    json_t *object = json_object();
    np_json_set(&object, "spec", np_json_text(r->guest));
    np_json_set(&object, "nodes", np_json_whole(r->guest_nodes));
    np_json_set(&object, "links", r->combining ? json_null() : np_json_whole(r->guest_links));
    np_json_set(&object, "buses", r->combining ? np_json_whole(r->guest_buses) : json_null());
    np_json_set(&object, "nodes_on_buses", r->combining ? np_json_whole(r->guest_pins) : json_null());
    np_json_set(&object, "area", r->guest_area ? np_json_whole(r->guest_area) : json_null());
    np_json_set(&object, "map", np_json_text(np_universal_map_name(r->map)));
    return object;
}

static json_t *network_json(const np_universal_result *r)
{
    json_t *object = json_object();
    np_json_set(&object, "kind", np_json_text(r->volume ? "volume" : "area"));
    np_json_set(&object, "height", json_integer(r->height));
    np_json_set(&object, "root_capacity", json_integer(r->root));
    np_json_set(&object, "processors", np_json_whole(r->processors));
    np_json_set(&object, "nodes", np_json_whole(r->nodes));
    np_json_set(&object, "links", np_json_whole(r->links));
    np_json_set(&object, "wire_length", np_json_whole(r->wire_length));
    np_json_set(&object, "leaves_used", json_integer(r->used_leaves));
    np_json_set(&object, "leaf_nodes_max", json_integer(r->load_leaf));
    return object;
}

static json_t *channel_json(const np_universal_load *load)
{
    json_t *object = json_object();
    if (!load->load) {
        json_decref(object);
        return json_null();
    }
    np_json_set(&object, "load", np_json_whole(load->load));
    np_json_set(&object, "capacity", json_integer(load->capacity));
    np_json_set(&object, "direction", np_json_text(load->up ? "up" : "down"));
    np_json_set(&object, "level", json_integer(load->level));
    np_json_set(&object, "vertex", json_integer(load->vertex));
    return object;
}

/* A step in each row, run by run. */
static json_t *steps_json(const np_universal_result *r)
{
    json_t *array = json_array();
    for (size_t i = 0; i < r->rows; i++) {
        const np_universal_step *step = &r->step[i];
        json_t *object = json_object();
        np_json_set(&object, "run", json_integer(step->run));
        np_json_set(&object, "step", json_integer(step->step));
        np_json_set(&object, "packets", np_json_whole(step->packets));
        np_json_set(&object, "packets_local", np_json_whole(step->local));
        np_json_set(&object, "load_factor", np_json_real(step->load.factor));
        np_json_set(&object, "gather", json_integer(step->gather));
        np_json_set(&object, "route", json_integer(step->route));
        np_json_set(&object, "scatter", json_integer(step->scatter));
        np_json_set(&object, "slowdown", json_integer(step->slowdown));
        np_json_set(&object, "congestion", json_integer(step->congestion));
        np_json_append(&array, object);
    }
    return array;
}

static json_t *offline_json(const np_universal_result *r)
{
    const np_universal_offline *o = &r->found;
    json_t *object = json_object();
    if (!r->offline) {
        json_decref(object);
        return json_null();
    }
    np_json_set(&object, "congestion", json_integer(o->congestion));
    np_json_set(&object, "congestion_promised", json_integer(o->congestion_promised));
    np_json_set(&object, "steps", json_integer(o->steps));
    np_json_set(&object, "ranks", np_json_text(o->expectations ? "expectations" : "search"));
    np_json_set(&object, "tries", json_integer(o->tries));
    np_json_set(&object, "steps_promised", o->steps_promised ? json_integer(o->steps_promised) : json_null());
    np_json_set(&object, "steps_expectations", o->steps_promised ? json_integer(o->steps_expectations) : json_null());
    return object;
}

static json_t *places_json(const np_universal_result *r)
{
    json_t *array = json_array();
    for (uint64_t u = 0; u < r->guest_nodes; u++)
        np_json_append(&array, json_integer(r->place[u]));
    return array;
}

static np_status report_json(const np_universal_result *r, bool map, const char *command, FILE *stream)
{
    json_t *object = np_json_head(command);
    np_json_set(&object, "guest", guest_json(r));
    np_json_set(&object, "network", network_json(r));
    np_json_set(&object, "area", r->volume ? json_null() : np_json_whole(r->area));
    np_json_set(&object, "area_formula", r->volume ? json_null() : np_json_whole(r->area_formula));
    np_json_set(&object, "area_per_processor", r->volume ? json_null() : np_json_real(per_processor(r)));
    np_json_set(&object, "volume", r->volume ? np_json_whole(r->volume_counted) : json_null());
    np_json_set(&object, "volume_formula", r->volume ? np_json_whole(r->volume_formula) : json_null());
    np_json_set(&object, "volume_per_processor", r->volume ? np_json_real(per_processor(r)) : json_null());
    np_json_set(&object, "packets", np_json_whole(r->packets));
    np_json_set(&object, "packets_local", np_json_whole(r->local));
    np_json_set(&object, "combined", np_json_whole(r->combined));
    np_json_set(&object, "load_factor", np_json_real(r->load.factor));
    np_json_set(&object, "load_factor_per_log_n", np_json_real(r->load_per_log_n));
    np_json_set(&object, "channel", channel_json(&r->load));
    np_json_set(&object, "load_factor_over_steps", np_json_summary(&r->load_factor, true));
    np_json_set(&object, "gather", np_json_summary(&r->gather, true));
    np_json_set(&object, "route", np_json_summary(&r->route, true));
    np_json_set(&object, "scatter", np_json_summary(&r->scatter, true));
    np_json_set(&object, "congestion", np_json_summary(&r->congestion, true));
    np_json_set(&object, "slowdown", np_json_real(r->slowdown.mean));
    np_json_set(&object, "slowdown_per_log_n", np_json_real(r->slowdown_per_log_n));
    np_json_set(&object, "slowdown_over_steps", np_json_summary(&r->slowdown, true));
    np_json_set(&object, "guest_steps", json_integer(r->guest_steps));
    np_json_set(&object, "total", np_json_real(r->total));
    np_json_set(&object, "steps", steps_json(r));
    np_json_set(&object, "offline", offline_json(r));
    if (map)
        np_json_set(&object, "places", places_json(r));
    np_json_set(&object, "seed", np_json_whole(r->seed));
    np_json_set(&object, "runs", json_integer(r->runs));
    np_json_set(&object, "map_seconds", np_json_real(r->map_seconds));
    np_json_set(&object, "wall_seconds", np_json_real(r->wall_seconds));
    return np_json_print(object, 1, stream);
}

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
    fprintf(stream, "guest      %s: %" PRIu64 " nodes, ", r->guest, r->guest_nodes);
    if (r->combining)
        fprintf(stream, "%" PRIu64 " buses with %" PRIu64 " nodes\n", r->guest_buses, r->guest_pins);
    else
        fprintf(stream, "%" PRIu64 " links\n", r->guest_links);
    fprintf(stream, "map        %s", maps[r->map]);
    if (r->guest_area)
        fprintf(stream, ", %s %" PRIu64, r->volume ? "volume" : "area", r->guest_area);
    fprintf(stream, "; one node a processor, at most %u at one leaf, %u leaves used, in %.3g s\n", r->load_leaf,
            r->used_leaves, r->map_seconds);
    fprintf(stream,
            "network    %s%u: N = %" PRIu64 " processors, root capacity %u, %" PRIu64 " nodes, %" PRIu64 " links\n",
            r->volume ? "volume-universal, universal-3d:" : "area-universal, universal:", r->height, r->processors,
            r->root, r->nodes, r->links);
    fprintf(stream, "%-11s%" PRIu64 ", %.3g N (formula: %" PRIu64 "); wires of %" PRIu64 " in all\n",
            r->volume ? "volume" : "area", r->volume ? r->volume_counted : r->area, per_processor(r),
            r->volume ? r->volume_formula : r->area_formula, r->wire_length);
    fprintf(stream, "packets    %" PRIu64 " in ", r->packets);
    fprintf(stream, r->guest_steps > 1 ? "%u steps" : "a step", r->guest_steps);
    fprintf(stream, ", %" PRIu64 " of them within one leaf's mesh", r->local);
    if (r->combining)
        fprintf(stream, ", %" PRIu64 " combined", r->combined);
    fprintf(stream, "\nload       factor %.4g", r->load.factor);
    if (r->load.load)
        fprintf(stream, ": %" PRIu64 " over the %u links %s vertex %u of level %u", r->load.load, r->load.capacity,
                r->load.up ? "up from" : "down to", r->load.vertex, r->load.level);
    fprintf(stream, "; %.3g log2 N\n", r->load_per_log_n);
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
    np_table_init(&table, "lrrr");
    for (size_t i = 0; i < 4; i++)
        np_table_add(&table, "%s", titles[i]);
    row(&table, "in the meshes, to the leaves", &r->gather);
    row(&table, r->combining ? "over the fat-tree and back" : "over the fat-tree", &r->route);
    row(&table, "in the meshes, from the leaves", &r->scatter);
    row(&table, "slowdown: a step of the guest", &r->slowdown);
    row(&table, "congestion of the fat-tree", &r->congestion);
    row(&table, "load factor", &r->load_factor);
    np_status st = np_table_print(&table, stream);
    np_table_clear(&table);
    return st;
}

/* Of all the steps, and the slowest of them. */
static void program(const np_universal_result *r, FILE *stream)
{
    const np_universal_step *slow = &r->step[r->slowest];
    fprintf(stream, "%u steps of the guest in %.6g; slowest: step %u", r->guest_steps, r->total, slow->step);
    if (r->runs > 1)
        fprintf(stream, " of run %u", slow->run);
    fprintf(stream, " in %u, of %" PRIu64 " packets, load factor %.4g\n", slow->slowdown, slow->packets,
            slow->load.factor);
}

static np_status report_table(const np_universal_result *r, bool map, const char *command, FILE *stream)
{
    np_status st;
    head(r, stream);
    fputc('\n', stream);
    if ((st = steps(r, stream)))
        return st;
    fprintf(stream, "\nslowdown / log2 N = %.4g\n", r->slowdown_per_log_n);
    if (r->program)
        program(r, stream);
    if (map)
        for (uint64_t u = 0; u < r->guest_nodes; u++)
            fprintf(stream, "place      %" PRIu64 " %u\n", u, r->place[u]);
    if (command && *command)
        fprintf(stream, "repeat     %s\n", command);
    fprintf(stream, "by         netpram %s in %.3g s\n", np_version(), r->wall_seconds);
    return np_output_check(stream, "the report");
}

/* ---- CSV ---- */

static np_status report_csv(const np_universal_result *r, FILE *stream)
{
    fputs("guest,map,kind,height,processors,seed,run,step,packets,packets_local,load,capacity,load_factor,gather,route,"
          "scatter,"
          "slowdown,congestion,combined\n",
          stream);
    for (size_t i = 0; i < r->rows; i++) {
        const np_universal_step *step = &r->step[i];
        np_csv_text(r->guest, stream);
        np_csv_text(np_universal_map_name(r->map), stream);
        fprintf(stream,
                "%s,%u,%" PRIu64 ",%" PRIu64 ",%u,%u,%" PRIu64 ",%" PRIu64 ",%" PRIu64
                ",%u,%.17g,%u,%u,%u,%u,%u,%" PRIu64 "\n",
                r->volume ? "volume" : "area", r->height, r->processors, r->seed, step->run, step->step, step->packets,
                step->local, step->load.load, step->load.capacity, step->load.factor, step->gather, step->route,
                step->scatter, step->slowdown, step->congestion, step->combined);
    }
    return np_output_check(stream, "the report");
}

np_status np_report_universal(const np_universal_result *result, bool map, const np_report_options *options,
                              FILE *stream)
{
    if (options->format == NP_REPORT_CSV)
        return report_csv(result, stream);
    if (options->format == NP_REPORT_JSON)
        return report_json(result, map, options->command, stream);
    return report_table(result, map, options->command, stream);
}
