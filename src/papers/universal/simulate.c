/*
 * The steps of a guest on a universal network (Theorem 7.3 of Leighton, Maggs, Ranade & Rao 1994): first the meshes of
 * the leaves, then the fat-tree, then the meshes again. Each stage waits for the stage before.
 *
 * All meshes are routed at once, as one mesh of 4^m m rows and m columns (in space 8^m s planes of s x s). Its nodes
 * have the numbers of the processors, and a shortest path between two processors of one block of m rows stays in the
 * block. Paths are by dimensions, and queues are those of the scheme "greedy". At the corner of a mesh the links of the
 * mesh and the links of the leaf are different, so waiting costs nothing but time.
 *
 * Buses. In the second half of a step each bus sends to its nodes: the packets take the ways of the first half back,
 * and a packet is copied where others were combined with it. Reversed in time the second half is as legal as the first,
 * with one packet over each link in a step, and as long. So its number of steps is the first half's.
 */
#include "papers/universal/simulate.h"

#include "base/memory.h"
#include "base/watch.h"
#include "engine/queueing/relay.h"
#include "run/route/plan.h"
#include "papers/universal/plan.h"

/* What observers hear of, as phases of a run. */
typedef enum told_phase { GATHER, TREE, SCATTER } told_phase;

/* The state that all steps share. */
typedef struct simulation {
    const np_shape *shape;
    const np_node *place;
    const np_universal_options *options;
    uint32_t steps;     /* T */
    uint32_t step, run; /* that are simulated, from 0 */
    np_universal_step *rows;
    np_tree_router *router;
    np_plan plan;
    np_event_relay relay;
    np_packet *number; /* [number_room] of observed packets on the fat-tree: their links */
    size_t number_room;
} simulation;

/* Of several steps of the guest their number is told, of a single step its stages. */
static int tell(const simulation *s, const char *stage, double share)
{
    np_progress whole = {NULL, "steps of the guest", s->step, s->steps, (double)s->step / s->steps};
    return np_watch_tell(&s->options->watch, s->steps > 1 ? whole : (np_progress){.stage = stage, .share = share});
}

static int tell_meshes(void *context, const np_progress *part) { return tell(context, "the meshes", part->share); }

static int tell_tree(void *context, const np_progress *part)
{
    const simulation *s = context;
    return tell(s, "the fat-tree", (s->run + part->share) / s->options->runs);
}

/* For the next phase. number: [packets] what they are called; NULL: they keep their numbers. NULL: nobody observes. */
static const np_observer *observer_for(simulation *s, told_phase part, uint32_t run, const np_packet *number)
{
    static const char *const name[] = {"gather", "tree", "scatter"};
    s->relay.run = s->step * s->options->runs + run;
    s->relay.phase = part;
    s->relay.name = name[part];
    s->relay.number = number;
    return s->relay.to ? &s->relay.observer : NULL;
}

/* ---- the meshes ---- */

/* Packets between processors. */
typedef struct list {
    np_packet count, room;
    np_node *from, *to;
    np_packet *number; /* their links */
    void *block;
} list;

static void list_layout(void *object, np_arena *arena)
{
    list *l = object;
    np_arena_array(arena, &l->from, l->room, sizeof *l->from, "their sources");
    np_arena_array(arena, &l->to, l->room, sizeof *l->to, "their destinations");
    np_arena_array(arena, &l->number, l->room, sizeof *l->number, "their links");
}

static np_status list_init(list *l, np_packet packets)
{
    *l = (list){.room = packets};
    return np_arena_place(l, list_layout, "the packets of a step", &l->block);
}

/* Without arrays it only counts. */
static void list_add(list *l, np_packet number, np_node from, np_node to)
{
    if (!l->room) {
        l->count++;
        return;
    }
    l->number[l->count] = number;
    l->from[l->count] = from;
    l->to[l->count++] = to;
}

static np_route_options options_for_meshes(const np_observer *observer)
{
    np_route_options options;
    np_route_options_init(&options);
    options.scheme = "greedy";
    options.threads = 1;
    options.hash = true; /* steps are made one by one, and take what is promised; sweeps of lines promise much more */
    options.observer = observer;
    return options;
}

static np_status route_in_meshes(simulation *s, told_phase part, const list *l, uint32_t *steps)
{
    np_network *meshes = NULL;
    np_traffic *traffic = NULL;
    np_route_result *result = NULL;
    np_route_options options;
    np_status st;
    *steps = 0;
    if (!l->count)
        return NP_OK;
    options = options_for_meshes(observer_for(s, part, 0, l->number));
    options.watch = (np_watch){tell_meshes, s};
    if (!(st = np_shape_meshes(s->shape, &meshes)) &&
        !(st = np_traffic_from_arrays(meshes, l->count, l->from, l->to, NULL, &traffic)) &&
        !(st = np_route_traffic(meshes, traffic, &options, &result)))
        *steps = (uint32_t)result->total_steps.max;
    np_route_result_free(result);
    np_traffic_free(traffic);
    np_network_free(meshes);
    return st;
}

/* GATHER: to the corner, or to the packet's end if it is in the same mesh. SCATTER: from the corner to the end. */
static void list_links(const simulation *s, const np_guest *guest, const np_spread *spread, told_phase part, list *out)
{
    const np_link *link = np_guest_whole(guest)->link;
    for (uint32_t g = 0; g < guest->groups; g++) {
        uint32_t leaf = spread->leaf[spread->row[g]], home = spread->home[g];
        np_node from = s->place[guest->member[g]], to = s->place[guest->head[g]];
        np_node here = leaf * s->shape->mesh, there = home * s->shape->mesh;
        if (part == GATHER && (leaf == home || from != here))
            list_add(out, link[np_guest_number(guest, g)], from, leaf == home ? to : here);
        if (part == SCATTER && leaf != home && there != to)
            list_add(out, link[np_guest_number(guest, g)], there, to);
    }
}

static np_packet count_in_meshes(const simulation *s, const np_guest *guest, const np_spread *spread, told_phase part)
{
    list counted = {0};
    list_links(s, guest, spread, part, &counted);
    return counted.count;
}

static np_status mesh_part(simulation *s, const np_guest *guest, const np_spread *spread, told_phase part,
                           uint32_t *steps)
{
    list packets;
    np_status st = list_init(&packets, count_in_meshes(s, guest, spread, part));
    if (st)
        return st;
    list_links(s, guest, spread, part, &packets);
    st = route_in_meshes(s, part, &packets, steps);
    np_memory_free(packets.block);
    return st;
}

/* ---- steps ---- */

static void count_packets(const np_guest *guest, const np_spread *spread, np_universal_step *out)
{
    out->packets = guest->row[guest->groups];
    for (uint32_t g = 0; g < guest->groups; g++)
        if (spread->row[g + 1] == spread->row[g] + 1 && spread->leaf[spread->row[g]] == spread->home[g])
            out->local += guest->row[g + 1] - guest->row[g];
}

static np_status run_tree(simulation *s, uint32_t run, uint32_t t, const np_observer *observer, np_phase_run *out)
{
    np_draws draws = {.seed = s->options->seed, .run = s->options->offline ? s->plan.run : run * s->steps + t};
    const np_watch watch = {tell_tree, s};
    s->run = run;
    return np_tree_router_run(s->router, &(np_tree_choice){draws, s->plan.label, s->plan.rank, &watch, observer}, out);
}

/* Of observed packets of links: which links they are of. */
static np_status number_packets(simulation *s, const np_guest *guest)
{
    np_packet packets = np_tree_router_packets(s->router);
    np_status st;
    if (!s->relay.to)
        return NP_OK;
    if (packets > s->number_room) {
        if ((st = np_memory_grow(&s->number, 0, packets, sizeof *s->number, "observed packets")))
            return st;
        s->number_room = packets;
    }
    for (np_packet p = 0; p < packets; p++)
        s->number[p] = np_guest_whole(guest)->link[np_tree_router_group(s->router, p)];
    return NP_OK;
}

/* Observers hear of the stages in order. Else the packets on the fat-tree take their memory after both meshes. */
static bool scatters_late(const simulation *s, const np_guest *guest) { return s->relay.to && !guest->buses; }

/*
 * Simulates step t of all runs, on the fat-tree and perhaps in the meshes behind it. The time on the fat-tree is `ways`
 * times the time of one way.
 */
static np_status simulate_runs(simulation *s, const np_guest *guest, const np_spread *spread, uint32_t ways, uint32_t t,
                               np_universal_step *step)
{
    const np_packet *number = guest->buses ? NULL : s->number;
    np_phase_run run;
    np_status st;
    for (uint32_t i = 0; i < s->options->runs; i++) {
        np_universal_step *row = &s->rows[(size_t)i * s->steps + t];
        if ((st = run_tree(s, i, t, observer_for(s, TREE, i, number), &run)))
            return st;
        if (!i && scatters_late(s, guest) && (st = mesh_part(s, guest, spread, SCATTER, &step->scatter)))
            return st;
        *row = *step;
        row->run = i;
        row->step = t + 1;
        row->route = run.steps * ways;
        row->congestion = run.congestion_destinations;
        row->combined += run.combined;
        row->slowdown = row->gather + row->route + row->scatter;
    }
    return NP_OK;
}

/*
 * Collects the packets of buses in the meshes and loads the packets that remain. weight belongs to spread; the router
 * borrows it.
 */
static np_status load_buses(simulation *s, const np_guest *guest, const np_spread *spread, const np_observer *observer,
                            uint64_t **weight, uint32_t *steps, uint64_t *combined)
{
    np_status st = np_memory_zeroed(weight, spread->row[spread->groups], sizeof **weight, "the packets of buses");
    if (!st)
        st = np_gather_buses(guest, spread, s->shape, s->place, s->options, observer, *weight, steps, combined);
    return st ? st : np_tree_router_load(s->router, guest, spread, *weight);
}

/* Routes in the meshes, and loads the packets that remain. */
static np_status load_links(simulation *s, const np_guest *guest, const np_spread *spread, np_universal_step *step)
{
    np_status st = mesh_part(s, guest, spread, GATHER, &step->gather);
    if (!st && !scatters_late(s, guest))
        st = mesh_part(s, guest, spread, SCATTER, &step->scatter);
    if (!st && !(st = np_tree_router_load(s->router, guest, spread, NULL)))
        st = number_packets(s, guest);
    return st;
}

/* Off line: plans paths and ranks for the packets of all links or buses, which must be loaded. */
static np_status prepare(simulation *s, const np_guest *guest, const np_spread *spread)
{
    return s->options->offline ? np_plan_find(s->router, guest, spread, s->shape, s->options, &s->plan) : NP_OK;
}

/* The same before the steps of a program: loads the whole guest first. */
static np_status prepare_whole(simulation *s, const np_guest *guest, const np_spread *spread)
{
    uint64_t *weight = NULL, combined = 0;
    uint32_t steps;
    np_status st = NP_OK;
    if (!s->options->offline)
        return NP_OK;
    st = guest->buses ? load_buses(s, guest, spread, NULL, &weight, &steps, &combined)
                      : np_tree_router_load(s->router, guest, spread, NULL);
    if (!st)
        st = prepare(s, guest, spread);
    np_memory_free(weight);
    return st;
}

/*
 * The second half of step t, in which all nodes of the buses hear what was written. It is the step in which all these
 * nodes write, reversed in time; so observers do not hear of it.
 */
static np_status simulate_reading(simulation *s, const np_guest *guest, const np_spread *spread, uint32_t t)
{
    np_universal_load load;
    uint64_t *weight = NULL, combined = 0;
    uint32_t scatter;
    np_phase_run run;
    np_status st = np_spread_load(spread, s->shape, &load);
    if (!st)
        st = load_buses(s, guest, spread, NULL, &weight, &scatter, &combined);
    for (uint32_t i = 0; !st && i < s->options->runs; i++) {
        np_universal_step *row = &s->rows[(size_t)i * s->steps + t];
        if ((st = run_tree(s, i, t, NULL, &run)))
            break;
        row->load = load; /* every channel's load is at least its load by the writers alone */
        row->route += run.steps;
        row->scatter = scatter;
        row->congestion = run.congestion_destinations > row->congestion ? run.congestion_destinations : row->congestion;
        row->slowdown = row->gather + row->route + row->scatter;
    }
    np_memory_free(weight);
    return st;
}

/*
 * Sends over the links that carry a packet in step t, or from the nodes that write to buses. Without a program all
 * links or nodes send, and with buses the second half is as long as the first.
 */
static np_status simulate_sending(simulation *s, const np_guest *guest, const np_spread *spread, uint32_t t)
{
    bool both = guest->buses && !guest->whole;
    np_universal_step step = {0};
    uint64_t *weight = NULL;
    np_status st = np_spread_load(spread, s->shape, &step.load);
    if (st)
        return st;
    count_packets(guest, spread, &step);
    if (guest->buses)
        st = load_buses(s, guest, spread, observer_for(s, GATHER, 0, NULL), &weight, &step.gather, &step.combined);
    else
        st = load_links(s, guest, spread, &step);
    if (both)
        step.scatter = step.gather;
    if (!st && (guest->whole || !(st = prepare(s, guest, spread))))
        st = simulate_runs(s, guest, spread, both ? 2 : 1, t, &step);
    np_memory_free(weight);
    return st;
}

/* Step t of the program: the sending half, or with `all` the hearing half. whole: the spread of the whole guest. */
static np_status simulate_part(simulation *s, const np_guest_program *program, const np_guest *guest,
                               const np_spread *whole, uint32_t t, bool all)
{
    np_guest part = {0};
    np_spread spread = {0};
    np_status st = np_guest_program_part(program, guest, t, all, &part);
    if (!st && !(st = np_spread_of(&part, s->shape, s->place, &spread))) {
        for (uint32_t g = 0; g < part.groups; g++)
            spread.home[g] = whole->home[part.number[g]];
        st = all ? simulate_reading(s, &part, &spread, t) : simulate_sending(s, &part, &spread, t);
    }
    np_spread_clear(&spread);
    np_guest_clear(&part);
    return st;
}

np_status np_simulate(const np_guest *guest, const np_guest_program *program, const np_spread *spread,
                      const np_shape *shape, const np_node *place, const np_universal_options *options,
                      np_universal_step *rows, np_universal_offline *found)
{
    simulation s = {
        .shape = shape, .place = place, .options = options, .steps = program->steps ? program->steps : 1, .rows = rows};
    np_event_relay_init(&s.relay, options->observer);
    s.relay.numbers = guest->buses ? 0 : guest->link[guest->groups - 1] + 1;
    np_status st = np_tree_router_create(shape, guest->buses, options, &s.router);
    if (!st)
        st = program->steps ? prepare_whole(&s, guest, spread) : simulate_sending(&s, guest, spread, 0);
    for (uint32_t t = 0; !st && t < program->steps; t++) {
        s.step = t;
        st = simulate_part(&s, program, guest, spread, t, false);
        if (!st && guest->buses)
            st = simulate_part(&s, program, guest, spread, t, true);
    }
    *found = s.plan.found;
    np_plan_clear(&s.plan);
    np_memory_free(s.number);
    np_tree_router_free(s.router);
    return st;
}
