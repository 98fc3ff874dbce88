/* A guest simulated on an area-universal network: table and JSON; docs/json.md describes the latter. */
#include <inttypes.h>
#include <math.h>

#include "netpram/output.h"
#include "netpram/version.h"
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
    np_json_set(&object, "gather", json_integer(r->gather));
    np_json_set(&object, "route", np_json_summary(&r->route, true));
    np_json_set(&object, "scatter", json_integer(r->scatter));
    np_json_set(&object, "congestion", np_json_summary(&r->congestion, true));
    np_json_set(&object, "slowdown", np_json_real(r->slowdown.mean));
    np_json_set(&object, "slowdown_per_log_n", np_json_real(r->slowdown_per_log_n));
    np_json_set(&object, "slowdown_over_runs", np_json_summary(&r->slowdown, true));
    if (map)
        np_json_set(&object, "places", places_json(r));
    np_json_set(&object, "seed", np_json_whole(r->seed));
    np_json_set(&object, "runs", json_integer(r->runs));
    np_json_set(&object, "map_seconds", np_json_real(r->map_seconds));
    np_json_set(&object, "wall_seconds", np_json_real(r->wall_seconds));
    return np_json_print(object, 1, stream);
}

/* ---- table ---- */

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
            r->volume ? "volume-universal, universal-3d:" : "area-universal, universal:", r->height, r->processors, r->root, r->nodes, r->links);
    fprintf(stream, "%-11s%" PRIu64 ", %.3g N (formula: %" PRIu64 "); wires of %" PRIu64 " in all\n",
            r->volume ? "volume" : "area", r->volume ? r->volume_counted : r->area, per_processor(r),
            r->volume ? r->volume_formula : r->area_formula, r->wire_length);
    fprintf(stream, "packets    %" PRIu64 " in a step, %" PRIu64 " of them within one leaf's mesh", r->packets, r->local);
    if (r->combining)
        fprintf(stream, ", %" PRIu64 " combined", r->combined);
    fprintf(stream, "\nload       factor %.4g", r->load.factor);
    if (r->load.load)
        fprintf(stream, ": %" PRIu64 " over the %u links %s from vertex %u of level %u", r->load.load, r->load.capacity,
                r->load.up ? "up" : "down to", r->load.vertex, r->load.level);
    fprintf(stream, "; %.3g log2 N\n", r->load_per_log_n);
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
    np_summary gather = {.mean = r->gather, .min = r->gather, .max = r->gather};
    np_summary scatter = {.mean = r->scatter, .min = r->scatter, .max = r->scatter};
    np_table table;
    np_table_init(&table, "lrrr");
    for (size_t i = 0; i < 4; i++)
        np_table_add(&table, "%s", titles[i]);
    row(&table, "in the meshes, to the leaves", &gather);
    row(&table, r->combining ? "over the fat-tree and back" : "over the fat-tree", &r->route);
    row(&table, "in the meshes, from the leaves", &scatter);
    row(&table, "slowdown: a step of the guest", &r->slowdown);
    row(&table, "congestion of the fat-tree", &r->congestion);
    np_status st = np_table_print(&table, stream);
    np_table_clear(&table);
    return st;
}

static np_status report_table(const np_universal_result *r, bool map, const char *command, FILE *stream)
{
    np_status st;
    head(r, stream);
    fputc('\n', stream);
    if ((st = steps(r, stream)))
        return st;
    fprintf(stream, "\nslowdown / log2 N = %.4g\n", r->slowdown_per_log_n);
    if (map)
        for (uint64_t u = 0; u < r->guest_nodes; u++)
            fprintf(stream, "place      %" PRIu64 " %u\n", u, r->place[u]);
    if (command && *command)
        fprintf(stream, "repeat     %s\n", command);
    fprintf(stream, "by         netpram %s in %.3g s\n", np_version(), r->wall_seconds);
    return np_output_check(stream, "the report");
}

np_status np_report_universal(const np_universal_result *result, bool map, const np_report_options *options,
                              FILE *stream)
{
    if (options->format == NP_REPORT_CSV)
        return NP_RAISE(NP_ERROR_INPUT, "universal prints a table or JSON, no CSV");
    if (options->format == NP_REPORT_JSON)
        return report_json(result, map, options->command, stream);
    return report_table(result, map, options->command, stream);
}
