/*
 * Area-universal networks: read the guest, choose U, make the map, simulate the steps. See netpram/universal.h.
 *
 * The size of U. Theorem 7.3 of Leighton, Maggs, Ranade & Rao 1994 says that U of N nodes simulates a guest of area
 * O(N). With coordinates we take the smallest m with 4^m m^2 >= the area. Without coordinates the area is not known.
 * But the proof needs only two things of the map: O(cap(C) log N) links leave what is below a channel C, and each leaf
 * has room. So we take the smallest m for which the largest load factor is at most log2 N.
 */
#include "model/network/attributes.h"
#include "netpram/universal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/account.h"
#include "base/clock.h"
#include "base/decimal.h"
#include "base/memory.h"
#include "base/real.h"
#include "model/network/read_node.h"
#include "papers/universal/layout.h"
#include "papers/universal/map.h"
#include "papers/universal/simulate.h"

typedef struct outcome {
    np_universal_result public; /* first, because the caller has a pointer to it */
    char *guest;
    np_node *place;
    np_universal_step *step;
    char **name; /* [guest nodes] their names, in one block with the texts; NULL: they are numbers */
} outcome;

const char *np_universal_map_name(np_universal_map map)
{
    static const char *const names[] = {"coordinates", "layout", "metis"};
    return names[map];
}

#define AT(member) offsetof(np_universal_options, member)

static const np_field rows[] = {
    {"layout", NP_FIELD_TEXT, AT(layout),
     .help = "Where its nodes are, lines 'node x y' (default: the coordinates of a mesh, torus, array or ring)",
     .placeholder = "FILE", .group = "What to simulate:"},
    {"steps", NP_FIELD_TEXT, AT(steps),
     .help =
         "What its steps send, lines 'step from to', a link each, or 'step node bus' (default: one step, with a packet "
         "over every link)",
     .placeholder = "FILE"},
    {"schedule", NP_FIELD_TEXT, AT(schedule),
     .help = "Instead: lines 'step packet link', as netpram schedule --output writes them", .placeholder = "FILE"},
    {"traffic", NP_FIELD_TEXT, AT(traffic),
     .help = "Instead: the steps of a routing on the guest, by queues, first come first served", .placeholder = "SPEC",
     .list = "traffic"},
    {"paths", NP_FIELD_TEXT, AT(paths), .help = "How that routes (default: greedy, by shortest paths)",
     .placeholder = "NAME", .list = "paths"},
    {"partition", NP_FIELD_BOOL, AT(partition),
     .help = "Divide it by METIS even if it has coordinates (default: if it has none)"},
    {"volume", NP_FIELD_BOOL, AT(volume),
     .help = "On the volume-universal network: meshes of up to three dimensions, layouts 'node x y z'",
     .group = "How:"},
    {"offline", NP_FIELD_BOOL, AT(offline),
     .help = "Paths and ranks found off line, without random bits, once for all steps"},
    {"height", NP_FIELD_U32, AT(height),
     .help = "U is universal:M, or universal-3d:M (default: of the guest's area, or without coordinates the least with "
             "load "
             "factor <= log2 N)",
     .low = 1, .high = 10, .placeholder = "M"},
    {"seed", NP_FIELD_SEED, AT(seed), .help = "Where all random choices come from", .preset = "1", .placeholder = "N"},
    {"runs", NP_FIELD_U32, AT(runs), .help = "Simulate the step, or steps, so often, with new random paths each",
     .low = 1, .preset = "1", .placeholder = "R"},
    {"queue_size", NP_FIELD_U32, AT(merge.queue_size), "packets", .help = "Packets that a queue of the fat-tree holds",
     .low = 1, .high = NP_QUEUE_SIZE_MAX, .preset = "2", .placeholder = "Q"},
    {"room", NP_FIELD_WORD, AT(merge.room),
     .help = "A queue has room by what it held when the step began, or also once a packet leaves",
     .words = np_room_words},
    {"memory", NP_FIELD_BYTES, AT(memory_limit), "bytes",
     .help = "Refuse what needs more, as in 4G (default: what is available)", .placeholder = "BYTES"},
};

static void begin(void *options) { np_merge_options_init(&((np_universal_options *)options)->merge); }

const np_fields np_universal_options_fields =
    NP_OPTIONS("universal_options", "a simulation", np_universal_options, rows, begin);

void np_universal_result_free(np_universal_result *result)
{
    outcome *o = (outcome *)result;
    if (!o)
        return;
    NP_MEMORY_FREE(o->guest, o->place, o->step, o->name, o);
}

const char *np_universal_node_name(const np_universal_result *result, np_node node, char *room)
{
    const outcome *o = (const outcome *)result;
    if (o->name)
        return o->name[node];
    snprintf(room, NP_NAME_ROOM, "%u", node);
    return room;
}

/* The result outlives the guest. */
static np_status keep_names(outcome *o, const np_network *guest)
{
    size_t bytes = guest->nodes * sizeof *o->name;
    for (np_node u = 0; u < guest->nodes; u++)
        bytes += strlen(NP_NODE_NAME(guest, u)) + 1;
    np_status st = np_memory_array(&o->name, bytes, 1, "the names of a guest");
    char *text = st ? NULL : (char *)(o->name + guest->nodes);
    for (np_node u = 0; !st && u < guest->nodes; u++) {
        o->name[u] = strcpy(text, NP_NODE_NAME(guest, u));
        text += strlen(text) + 1;
    }
    return st;
}

static np_status read_layout(np_guest *guest, const np_universal_options *options)
{
    if (!options->runs)
        return NP_RAISE(NP_ERROR_INPUT, "0 runs: at least 1 is needed");
    if (options->partition)
        np_guest_displace(guest);
    if (!options->layout)
        return NP_OK;
    NP_TEXT_FILE(text, options->layout);
    return text.status ? text.status
                       : np_guest_parse_layout(guest, options->volume, options->layout, text.data, text.length);
}

/* The area, or the volume; 0 without coordinates; UINT64_MAX if it needs more than 64 bits. */
static uint64_t area_of(const np_guest *guest)
{
    unsigned __int128 area = guest->point != NULL;
    for (int k = 0; k < NP_SHAPE_AXES; k++)
        area *= guest->extent[k];
    return area > UINT64_MAX ? UINT64_MAX : (uint64_t)area;
}

static uint32_t processors_of(uint32_t m, bool volume)
{
    np_shape shape = np_shape_of(m, volume);
    return np_shape_processors(&shape);
}

/* Refuses a guest with too many nodes before lists of its links are made. */
static np_status check_nodes(uint32_t nodes, bool volume)
{
    uint32_t most = np_shape_height_max(volume);
    if (nodes > processors_of(most, volume))
        return NP_RAISE(NP_ERROR_LIMIT,
                        "a guest of %u nodes: the largest universal network is of height %u, with %u processors", nodes,
                        most, processors_of(most, volume));
    return NP_OK;
}

/* The smallest m with at least so many processors; if no height has them, the largest height plus 1. */
static uint32_t height_for(uint64_t processors, bool volume)
{
    uint32_t m = 1;
    while (m <= np_shape_height_max(volume) && processors_of(m, volume) < processors)
        m++;
    return m;
}

static np_status choose_height(const np_guest *guest, const np_universal_options *options, uint32_t *m)
{
    bool volume = options->volume;
    uint32_t most = np_shape_height_max(volume);
    uint32_t least = height_for(guest->nodes, volume), equal = height_for(area_of(guest), volume);
    *m = options->height ? options->height : equal > least ? equal : least;
    if (options->height && options->height < least && least <= most)
        return NP_RAISE(NP_ERROR_INPUT, "height %u: U then has %u processors for the guest's %u nodes: try %u or more",
                        options->height, processors_of(options->height, volume), guest->nodes, least);
    if (*m > most || least > most)
        return NP_RAISE(NP_ERROR_LIMIT,
                        "a guest of %u nodes and %s %llu on U of height %u: the largest is %u, of %u processors",
                        guest->nodes, volume ? "volume" : "area", (unsigned long long)area_of(guest), *m, most,
                        processors_of(most, volume));
    return NP_OK;
}

static np_status refuse_load(const np_guest *guest, bool volume, const np_universal_result *r)
{
    return NP_RAISE(NP_ERROR_LIMIT,
                    "a guest of %u nodes without coordinates has a load factor of %s on U of height %u, the largest: "
                    "more than log2 N: give a layout, or a height, %u or more",
                    guest->nodes, NP_REAL(r->load.factor, 4), r->height, height_for(guest->nodes, volume));
}

/* Maps the guest. Without coordinates U grows until the load factor is small enough. spread is of the last map. */
static np_status map_guest(const np_guest *guest, const np_universal_options *options, outcome *o, np_spread *spread)
{
    np_universal_result *r = &o->public;
    np_map map = {0};
    bool grows = !options->height && !guest->point;
    np_status st = choose_height(guest, options, &r->height);
    if (!st)
        st = np_map_begin(guest, &map);
    map.watch = &options->watch;
    while (!st) {
        np_shape shape = np_shape_of(r->height, options->volume);
        np_spread_clear(spread);
        if ((st = np_map_place(&map, &shape, o->place)) || (st = np_spread_of(guest, &shape, o->place, spread)) ||
            (st = np_spread_load(spread, &shape, &r->load)))
            break;
        if (!grows || r->load.factor <= np_log2(np_shape_processors(&shape)))
            break;
        if (r->height == np_shape_height_max(options->volume))
            st = refuse_load(guest, options->volume, r);
        else
            r->height++;
    }
    np_map_clear(&map);
    return st;
}

static np_status describe_leaves(const np_guest *guest, outcome *o)
{
    np_universal_result *r = &o->public;
    np_shape shape = np_shape_of(r->height, r->volume);
    uint32_t *load;
    np_status st = np_memory_zeroed(&load, np_shape_leaves(&shape), sizeof *load, "the nodes of the leaves");
    if (st)
        return st;
    for (np_node u = 0; u < guest->nodes; u++) {
        uint32_t nodes = ++load[o->place[u] / shape.mesh];
        r->used_leaves += nodes == 1;
        r->load_leaf = nodes > r->load_leaf ? nodes : r->load_leaf;
    }
    np_memory_free(load);
    return NP_OK;
}

/* The size of the layout, counted and by formula. */
static void describe_layout(np_universal_result *r)
{
    np_layout_count count = np_layout_count_of(r->height, r->volume);
    uint64_t side[NP_SHAPE_AXES], *counted = r->volume ? &r->volume_counted : &r->area;
    uint64_t *formula = r->volume ? &r->volume_formula : &r->area_formula;
    np_layout_sides(r->height, r->volume, side);
    *counted = count.side[0] * count.side[1] * count.side[2];
    *formula = side[0] * side[1] * side[2];
    r->wire_length = count.wire_length;
}

static np_status describe(const np_guest *guest, const np_universal_options *options, outcome *o)
{
    np_universal_result *r = &o->public;
    np_shape shape = np_shape_of(r->height, options->volume);
    r->volume = options->volume;
    r->guest = o->guest;
    r->place = o->place;
    r->guest_nodes = guest->nodes;
    r->guest_links = guest->links;
    r->guest_buses = guest->buses ? guest->groups : 0;
    r->guest_pins = guest->buses ? guest->row[guest->groups] : 0;
    r->guest_area = area_of(guest);
    r->map = guest->map;
    r->combining = guest->buses;
    r->root = UINT32_C(1) << (shape.grow * shape.m);
    r->processors = np_shape_processors(&shape);
    r->nodes = np_shape_nodes(&shape);
    r->links = np_shape_links(&shape);
    describe_layout(r);
    r->seed = options->seed;
    r->runs = options->runs;
    return describe_leaves(guest, o);
}

/* A field of the rows, over all of them. */
static np_status summarize_field(const np_universal_result *r, const char *name, double *number, np_summary *out)
{
    for (size_t i = 0; i < r->rows; i++) {
        np_value value;
        (void)np_fields_get(&np_universal_step_fields, &r->step[i], name, &value);
        number[i] = np_value_number(&value);
    }
    return np_summary_compute(r->rows, number, out);
}

static np_status summarize(np_universal_result *r)
{
    const struct {
        const char *field;
        np_summary *out;
    } measures[] = {{"load_factor", &r->load_factor}, {"gather", &r->gather},         {"route", &r->route},
                    {"scatter", &r->scatter},         {"congestion", &r->congestion}, {"slowdown", &r->slowdown}};
    double *number;
    np_status st = np_memory_array(&number, r->rows, sizeof *number, "the steps of a guest");
    for (size_t i = 0; !st && i < sizeof measures / sizeof *measures; i++)
        st = summarize_field(r, measures[i].field, number, measures[i].out);
    np_memory_free(number);
    return st;
}

/* Sums the rows up in the result. */
static np_status describe_steps(np_universal_result *r)
{
    r->load = (np_universal_load){0};
    for (size_t i = 0; i < r->rows; i++) {
        const np_universal_step *step = &r->step[i];
        r->total += (double)step->slowdown / r->runs;
        r->slowest = step->slowdown > r->step[r->slowest].slowdown ? i : r->slowest;
        r->load = step->load.factor > r->load.factor ? step->load : r->load;
        if (step->run)
            continue;
        r->packets += step->packets;
        r->local += step->local;
        r->combined += step->combined;
    }
    np_status st = summarize(r);
    r->load_per_log_n = r->load.factor / np_log2((double)r->processors);
    r->slowdown_per_log_n = r->slowdown.mean / np_log2((double)r->processors);
    return st;
}

static np_status run(const np_guest *guest, const np_guest_program *program, const np_spread *spread,
                     const np_universal_options *options, outcome *o)
{
    np_universal_result *r = &o->public;
    np_shape shape = np_shape_of(r->height, options->volume);
    np_status st;
    r->program = program->steps > 0;
    r->guest_steps = r->program ? program->steps : 1;
    r->rows = (size_t)r->guest_steps * options->runs;
    r->offline = options->offline;
    if ((st = np_memory_zeroed(&o->step, r->rows, sizeof *o->step, "the steps of a guest")) ||
        (st = np_simulate(guest, program, spread, &shape, o->place, options, o->step, &r->found)))
        return st;
    r->step = o->step;
    return describe_steps(r);
}

/* Reads the program from options->steps, schedule or traffic; at most one of them may be given. */
static np_status read_program(const np_network *network, const np_guest *guest, const np_universal_options *options,
                              np_guest_program *out)
{
    const char *traffic = options->packets ? np_traffic_spec(options->packets) : options->traffic;
    const char *const sources[] = {options->steps, options->schedule, traffic};
    const char *source = NULL;
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        if (source && sources[i])
            return NP_RAISE(NP_ERROR_INPUT, "steps by %s and by %s: give one of them", source, sources[i]);
        source = source ? source : sources[i];
    }
    if (!source)
        return NP_OK;
    if (guest->buses && !options->steps)
        return NP_RAISE(NP_ERROR_APPLY, "%s: buses have no links: give steps of lines 'step node bus'", source);
    if (traffic)
        return np_guest_program_route(network, guest, options, out);
    NP_TEXT_FILE(text, source);
    return text.status ? text.status
                       : np_guest_program_parse(guest, options->schedule, source, text.data, text.length, out);
}

/* network: NULL for buses. */
static np_status simulate(const np_network *network, np_guest *guest, const char *name,
                          const np_universal_options *options, outcome **out)
{
    double begin = np_clock_seconds();
    np_spread spread = {0};
    np_guest_program program = {0};
    outcome *o;
    np_status st;
    if (options->offline && options->runs > 1)
        return NP_RAISE(NP_ERROR_INPUT, "runs: with offline nothing is drawn, and %u runs would be the same",
                        options->runs);
    if ((st = np_memory_zeroed(out, 1, sizeof **out, "the result")))
        return st;
    o = *out;
    o->guest = np_memory_text(name);
    if ((st = o->guest ? NP_OK : np_status_last()) || (network && network->names && (st = keep_names(o, network))) ||
        (st = read_layout(guest, options)) || (st = read_program(network, guest, options, &program)) ||
        (st = np_memory_array(&o->place, guest->nodes, sizeof *o->place, "the map")) ||
        (st = map_guest(guest, options, o, &spread)))
        goto out;
    o->public.map_seconds = np_clock_seconds() - begin;
    if (!(st = describe(guest, options, o)))
        st = run(guest, &program, &spread, options, o);
    o->public.wall_seconds = np_clock_seconds() - begin;
out:
    np_guest_program_clear(&program);
    np_spread_clear(&spread);
    return st;
}

static np_status read_buses(const char *path, np_guest *guest)
{
    NP_TEXT_FILE(text, path);
    return text.status ? text.status : np_guest_parse_buses(path, text.data, text.length, guest);
}

/* A network, or if it is NULL the buses of a file. */
static np_status simulate_guest(const np_network *network, const char *file, const np_universal_options *given,
                                np_universal_result **out)
{
    np_universal_options options;
    np_guest guest = {0};
    outcome *o = NULL;
    *out = NULL;
    np_status st = np_options_take(&np_universal_options_fields, given, &options);
    if (st || (network && (st = np_attributes_heeded(network, "universal", 0))))
        return st;
    NP_ACCOUNT(options.memory_limit, "a smaller guest or height, fewer runs or steps");
    if (!network)
        st = read_buses(file, &guest);
    else if (!(st = check_nodes(network->nodes, options.volume)) && !(st = np_network_check_connected(network)))
        st = np_guest_of_network(network, options.volume, &guest);
    if (!st)
        st = simulate(network, &guest, network ? np_network_spec(network) : file, &options, &o);
    np_guest_clear(&guest);
    if (st)
        np_universal_result_free((np_universal_result *)o);
    else
        *out = &o->public;
    return st;
}

np_status np_universal_simulate(const np_network *network, const np_universal_options *options,
                                np_universal_result **out)
{
    return simulate_guest(network, NULL, options, out);
}

np_status np_universal_simulate_buses(const char *file, const np_universal_options *options, np_universal_result **out)
{
    return simulate_guest(NULL, file, options, out);
}
