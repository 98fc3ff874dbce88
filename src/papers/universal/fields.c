/* The fields of guests simulated on universal networks. */
#include "netpram/universal.h"

static const np_universal_result *result(const void *object) { return object; }

/* ---- A step ---- */

static const np_field step_rows[] = {
    {"run", NP_FIELD_U32, offsetof(np_universal_step, run), .help = "from 0"},
    {"step", NP_FIELD_U32, offsetof(np_universal_step, step), .help = "of the guest, from 1"},
    {"packets", NP_FIELD_U64, offsetof(np_universal_step, packets), .help = "of the step"},
    {"packets_local", NP_FIELD_U64, offsetof(np_universal_step, local), .help = "that stay in the mesh of a leaf"},
    {"load_factor", NP_FIELD_REAL, offsetof(np_universal_step, load.factor),
     .help = "the largest of any channel: no routing takes fewer steps"},
    {"gather", NP_FIELD_U32, offsetof(np_universal_step, gather), .unit = "steps", .help = "in the meshes, before"},
    {"route", NP_FIELD_U32, offsetof(np_universal_step, route), .unit = "steps",
     .help = "on the fat-tree; with buses both ways"},
    {"scatter", NP_FIELD_U32, offsetof(np_universal_step, scatter), .unit = "steps", .help = "in the meshes, after"},
    {"slowdown", NP_FIELD_U32, offsetof(np_universal_step, slowdown), .unit = "steps", .help = "of the three together"},
    {"congestion", NP_FIELD_U32, offsetof(np_universal_step, congestion), .unit = "packets",
     .help = "most over one link of the fat-tree or its chains; where they combine, of different buses"},
};

const np_fields np_universal_step_fields = NP_FIELDS("universal_step", "a step", np_universal_step, step_rows);

/* ---- The busiest channel, and what was found off line ---- */

static const char *const directions[] = {"down", "up"};

static void get_direction(const void *object, np_value *value)
{
    value->text = directions[((const np_universal_load *)object)->up];
}

static const np_field load_rows[] = {
    {"load", NP_FIELD_U64, offsetof(np_universal_load, load), .unit = "packets", .help = "that must pass through it"},
    {"capacity", NP_FIELD_U32, offsetof(np_universal_load, capacity), .unit = "links", .help = "of the channel"},
    {"direction", NP_FIELD_WORD, .get = get_direction, .help = "`up` or `down`"},
    {"level", NP_FIELD_U32, offsetof(np_universal_load, level), .help = "of its lower end; the leaves are on 0"},
    {"vertex", NP_FIELD_U32, offsetof(np_universal_load, vertex), .help = "its lower end, among those of the level"},
};

static const np_fields load_fields = NP_FIELDS("universal_load", "a channel", np_universal_load, load_rows);

static void get_ranks(const void *object, np_value *value)
{
    value->text = ((const np_universal_offline *)object)->expectations ? "expectations" : "search";
}

static const np_field offline_rows[] = {
    {"congestion", NP_FIELD_U32, offsetof(np_universal_offline, congestion), .unit = "packets",
     .help = "when all links carry a packet"},
    {"congestion_promised", NP_FIELD_U32, offsetof(np_universal_offline, congestion_promised), .unit = "packets",
     .help = "known before any path was chosen"},
    {"steps", NP_FIELD_U32, offsetof(np_universal_offline, steps), .unit = "steps",
     .help = "on the fat-tree when all links carry a packet; of buses one way"},
    {"ranks", NP_FIELD_WORD, .get = get_ranks, .help = "`expectations` or `search`"},
    {"tries", NP_FIELD_U32, offsetof(np_universal_offline, tries), .help = "of the search"},
    {"steps_promised", NP_FIELD_U32, offsetof(np_universal_offline, steps_promised), .flags = NP_FIELD_ZERO,
     .unit = "steps", .help = "by conditional expectations; `null` where they would take too long"},
    {"steps_expectations", NP_FIELD_U32, offsetof(np_universal_offline, steps_expectations), .flags = NP_FIELD_ZERO,
     .unit = "steps", .help = "with the ranks of conditional expectations; or `null`"},
};

static const np_fields offline_fields = NP_FIELDS("universal_offline", "a plan", np_universal_offline, offline_rows);

/* ---- The whole ---- */

static bool has_buses(const void *object) { return result(object)->combining; }
static bool has_links(const void *object) { return !result(object)->combining; }
static bool is_flat(const void *object) { return !result(object)->volume; }
static bool is_in_space(const void *object) { return result(object)->volume; }
static bool is_busy(const void *object) { return result(object)->load.load; }
static bool is_offline(const void *object) { return result(object)->offline; }

static void get_map(const void *object, np_value *value) { value->text = np_universal_map_name(result(object)->map); }
static void get_kind(const void *object, np_value *value) { value->text = result(object)->volume ? "volume" : "area"; }

static void get_per_processor(const void *object, np_value *value)
{
    const np_universal_result *r = object;
    value->real = (double)(r->volume ? r->volume_counted : r->area) / (double)r->processors;
}

static const np_field result_rows[] = {
    {"guest.spec", NP_FIELD_TEXT, offsetof(np_universal_result, guest), .help = "or the file of buses"},
    {"guest.nodes", NP_FIELD_U64, offsetof(np_universal_result, guest_nodes), .help = "of the guest"},
    {"guest.links", NP_FIELD_U64, offsetof(np_universal_result, guest_links), .known = has_links,
     .help = "directed; `null` with buses"},
    {"guest.buses", NP_FIELD_U64, offsetof(np_universal_result, guest_buses), .known = has_buses,
     .help = "`null` with links"},
    {"guest.nodes_on_buses", NP_FIELD_U64, offsetof(np_universal_result, guest_pins), .known = has_buses,
     .help = "summed over the buses; `null` with links"},
    {"guest.area", NP_FIELD_U64, offsetof(np_universal_result, guest_area), .flags = NP_FIELD_ZERO,
     .help = "points of the least rectangle around its nodes; `null`: it has no coordinates"},
    {"guest.map", NP_FIELD_WORD, .get = get_map, .help = "`coordinates`, `layout` or `metis`"},
    {"network.kind", NP_FIELD_WORD, .get = get_kind, .help = "of U: `area` or `volume`"},
    {"network.height", NP_FIELD_U32, offsetof(np_universal_result, height), .help = "m"},
    {"network.root_capacity", NP_FIELD_U32, offsetof(np_universal_result, root), .unit = "links", .help = "M"},
    {"network.processors", NP_FIELD_U64, offsetof(np_universal_result, processors), .help = "N"},
    {"network.nodes", NP_FIELD_U64, offsetof(np_universal_result, nodes), .help = "with the fat-tree and the chains"},
    {"network.links", NP_FIELD_U64, offsetof(np_universal_result, links), .help = "directed, likewise"},
    {"network.wire_length", NP_FIELD_U64, offsetof(np_universal_result, wire_length), .help = "of its layout, counted"},
    {"network.leaves_used", NP_FIELD_U32, offsetof(np_universal_result, used_leaves), .help = "by the guest"},
    {"network.leaf_nodes_max", NP_FIELD_U32, offsetof(np_universal_result, load_leaf), .unit = "nodes",
     .help = "most at one leaf"},
    {"area", NP_FIELD_U64, offsetof(np_universal_result, area), .known = is_flat,
     .help = "of U, counted from the layout; `null` with `--volume`"},
    {"area_formula", NP_FIELD_U64, offsetof(np_universal_result, area_formula), .known = is_flat,
     .help = "by formula; or `null`"},
    {"area_per_processor", NP_FIELD_REAL, .get = get_per_processor, .known = is_flat, .help = "`area` / N; or `null`"},
    {"volume", NP_FIELD_U64, offsetof(np_universal_result, volume_counted), .known = is_in_space,
     .help = "with `--volume`: the same in space; else `null`"},
    {"volume_formula", NP_FIELD_U64, offsetof(np_universal_result, volume_formula), .known = is_in_space,
     .help = "by formula; or `null`"},
    {"volume_per_processor", NP_FIELD_REAL, .get = get_per_processor, .known = is_in_space,
     .help = "`volume` / N; or `null`"},
    {"packets", NP_FIELD_U64, offsetof(np_universal_result, packets),
     .help = "of all steps of the guest, which without a program are one"},
    {"packets_local", NP_FIELD_U64, offsetof(np_universal_result, local), .help = "that stay in the mesh of a leaf"},
    {"combined", NP_FIELD_U64, offsetof(np_universal_result, combined),
     .help = "times that two packets became one, in the first run"},
    {"load_factor", NP_FIELD_REAL, offsetof(np_universal_result, load.factor),
     .help = "the largest of any channel in any step: no routing takes fewer steps"},
    {"load_factor_per_log_n", NP_FIELD_REAL, offsetof(np_universal_result, load_per_log_n), .help = "over log2 N"},
    {"channel", NP_FIELD_OBJECT, offsetof(np_universal_result, load), .fields = &load_fields, .known = is_busy,
     .help = "one that has it; `null` if nothing passes through any"},
    {"load_factor_over_steps", NP_FIELD_SUMMARY, offsetof(np_universal_result, load_factor),
     .help = "of the largest in each step; over the steps of all runs, as all summaries here"},
    {"gather", NP_FIELD_SUMMARY, offsetof(np_universal_result, gather), .flags = NP_FIELD_WHOLE, .unit = "steps",
     .help = "in the meshes, before"},
    {"route", NP_FIELD_SUMMARY, offsetof(np_universal_result, route), .flags = NP_FIELD_WHOLE, .unit = "steps",
     .help = "on the fat-tree; with buses both ways"},
    {"scatter", NP_FIELD_SUMMARY, offsetof(np_universal_result, scatter), .flags = NP_FIELD_WHOLE, .unit = "steps",
     .help = "in the meshes, after"},
    {"congestion", NP_FIELD_SUMMARY, offsetof(np_universal_result, congestion), .flags = NP_FIELD_WHOLE,
     .unit = "packets",
     .help = "most over one link of the fat-tree or its chains; where they combine, of different buses"},
    {"slowdown", NP_FIELD_REAL, offsetof(np_universal_result, slowdown.mean), .unit = "steps",
     .help = "of U for a step of the guest, mean"},
    {"slowdown_per_log_n", NP_FIELD_REAL, offsetof(np_universal_result, slowdown_per_log_n), .help = "over log2 N"},
    {"slowdown_over_steps", NP_FIELD_SUMMARY, offsetof(np_universal_result, slowdown), .flags = NP_FIELD_WHOLE,
     .unit = "steps", .help = "of the same"},
    {"guest_steps", NP_FIELD_U32, offsetof(np_universal_result, guest_steps),
     .help = "T, the last step of the program; 1 without"},
    {"total", NP_FIELD_REAL, offsetof(np_universal_result, total), .unit = "steps",
     .help = "of U for all T, mean over the runs"},
    {"steps", NP_FIELD_LIST, offsetof(np_universal_result, step), .count_at = offsetof(np_universal_result, rows),
     .fields = &np_universal_step_fields, .help = "each step of each run"},
    {"offline", NP_FIELD_OBJECT, offsetof(np_universal_result, found), .fields = &offline_fields, .known = is_offline,
     .help = "with `--offline`; else `null`"},
};

const np_fields np_universal_result_fields =
    NP_FIELDS("universal_result", "a simulation", np_universal_result, result_rows);

static const np_field end_rows[] = {
    {"seed", NP_FIELD_U64, offsetof(np_universal_result, seed), .help = "where all random choices come from"},
    {"runs", NP_FIELD_U32, offsetof(np_universal_result, runs), .help = "how often it was simulated"},
    {"map_seconds", NP_FIELD_REAL, offsetof(np_universal_result, map_seconds), .unit = "seconds",
     .help = "for the map"},
    {"wall_seconds", NP_FIELD_REAL, offsetof(np_universal_result, wall_seconds), .unit = "seconds", .help = "in all"},
};

const np_fields np_universal_end_fields = NP_FIELDS("universal_end", "a simulation", np_universal_result, end_rows);
