/*
 * Is a path rule oblivious (Valiant & Brebner 1981, section 2(b))? That is: does
 * every packet take the route that it would take if it were alone, whatever
 * the presence, contents or tickets of the others?
 *
 * The real engine routes a phase, and every hop that it makes is compared with
 * the packet's solo walk. Then it routes the phase again without the packets
 * numbered `left` and above, which is the situation of Corollary 1.
 *
 * Packets are numbered by a random order of the nodes: packet p belongs to
 * node order[p] (its source in phase A, its destination in phase B). So to
 * remove the highest numbers is to remove a random set. The packets that stay
 * keep their numbers, hence their draws. The engine never hears of the removed
 * packets. (It would not do to send them nowhere: some rules make n hops from a
 * node to itself.)
 *
 * A packet that leaves its solo route, or goes on after its end, ends the run at
 * once: a rule that looks at other packets may keep packets going for ever.
 */
#include "base/room.h"
#include "run/check/check.h"
#include "engine/queueing/engine.h"
#include "model/path/routes.h"

enum { EFFORT_A_HOP = 4 }; /* ours: a hop is made alone and in the engine, and each is watched */

/* One phase under examination. */
typedef struct {
    const np_path *path;
    np_check_options options;
    np_node nodes;
    uint32_t run;

    void *block;        /* the arrays [nodes] */
    np_node *order;     /* [nodes] the node of each packet */
    np_node *from, *to; /* [nodes] by packet */
    size_t *start;      /* [nodes + 1] first hop of each packet's solo route */
    np_link *link;      /* [capacity] the solo routes, end to end */
    size_t capacity;
    uint32_t *made; /* [nodes] hops seen of each packet in the engine */

    np_packet present;
    bool differs;
    np_check_oblivious_result *result;
} trial;

static void layout(void *object, np_arena *arena)
{
    trial *t = object;
    NP_ARENA_WORDS(arena, t->nodes, "packets to check", &t->order, &t->from, &t->to, &t->made);
    np_arena_array(arena, &t->start, (size_t)t->nodes + 1, sizeof *t->start, "routes to check");
}

/* One packet a node, in an order drawn for the run. The other end of its route is a random node. */
static void draw_packets(trial *t)
{
    np_draws draws = {t->options.seed, t->run, (uint16_t)t->options.phase, NP_RANDOM_CHECK};
    bool to_random = t->options.phase == NP_CHECK_TO_RANDOM;
    for (np_node p = 0; p < t->nodes; p++) { /* Fisher-Yates, inside out */
        np_node place = np_random_below(&draws, p, 3, p + 1);
        t->order[p] = t->order[place];
        t->order[place] = p;
    }
    for (np_packet p = 0; p < t->nodes; p++) {
        np_node random = np_random_below(&draws, p, 4, t->nodes);
        t->from[p] = to_random ? t->order[p] : random;
        t->to[p] = to_random ? random : t->order[p];
    }
}

static np_status walk(const trial *t, np_packet packet, size_t capacity, np_link *links, size_t *hops)
{
    return np_path_walk(t->path, t->from[packet], t->to[packet], t->options.seed, t->run, (uint16_t)t->options.phase,
                        packet, capacity, links, hops);
}

static np_status walk_alone(trial *t)
{
    size_t used = 0, hops;
    np_status st;
    for (np_packet p = 0; p < t->nodes; p++) {
        size_t room = t->capacity - used;
        if ((st = walk(t, p, room, room ? t->link + used : NULL, &hops)))
            return st;
        if (hops > room) {
            if ((st = np_memory_need(&t->link, used, used + hops, &t->capacity, sizeof *t->link, "routes to check")) ||
                (st = walk(t, p, hops, t->link + used, &hops)))
                return st;
        }
        t->start[p] = used;
        used += hops;
    }
    t->start[t->nodes] = used;
    return NP_OK;
}

static void witness(trial *t, np_packet packet, uint32_t hop, np_link alone, np_link together)
{
    np_check_oblivious_result *result = t->result;
    if (t->differs)
        return;
    t->differs = true;
    result->route = (np_check_route){t->from[packet], t->to[packet], packet};
    result->run = t->run;
    result->present = t->present;
    result->hop = hop;
    result->alone = alone;
    result->together = together;
}

static void compare(trial *t, np_packet packet, np_link together)
{
    uint32_t hop = t->made[packet]++;
    size_t place = t->start[packet] + hop;
    np_link alone = place < t->start[packet + 1] ? t->link[place] : NP_NONE;
    if (alone != together)
        witness(t, packet, hop, alone, together);
}

static int on_events(void *context, size_t count, const np_event *event)
{
    trial *t = context;
    for (size_t i = 0; i < count; i++)
        if (event[i].kind == NP_EVENT_MOVED)
            compare(t, event[i].packet, event[i].link);
    return t->differs;
}

/* Routes the packets 0 .. present-1 with the engine. */
static np_status route_together(trial *t, np_engine *engine, np_packet present)
{
    np_path path;
    np_engine_plan plan = {.path = &path, .phases = (unsigned)t->options.phase + 1};
    const np_observer observer = {.kinds = 1 << NP_EVENT_MOVED, .events = on_events, .context = t};
    const np_engine_watch watch = {.observer = &observer};
    np_draws draws = {.seed = t->options.seed, .run = t->run, .phase = (uint16_t)t->options.phase};
    const np_demand demand = {.draws = draws, .count = present, .from = t->from, .to = t->to};
    np_traffic *traffic;
    np_routes *routes;
    np_phase_run outcome;
    np_status st = np_traffic_from_arrays(t->path->network, present, t->from, t->to, NULL, &traffic);
    if (st)
        return st;
    if ((st = np_routes_for(t->path, &demand, &path, &routes))) {
        np_traffic_free(traffic);
        return st;
    }
    t->present = present;
    for (np_packet p = 0; p < present; p++)
        t->made[p] = 0;
    np_engine_place(engine, traffic);
    st = np_engine_run(engine, &plan, (unsigned)t->options.phase, draws, &watch, &outcome);
    np_routes_free(routes);
    np_traffic_free(traffic);
    if (st && t->differs)
        return NP_OK; /* cancelled by on_events */
    for (np_packet p = 0; p < present && !st; p++)
        if (t->made[p] < t->start[p + 1] - t->start[p])
            witness(t, p, t->made[p], t->link[t->start[p] + t->made[p]], NP_NONE);
    t->result->routes += present;
    t->result->hops += t->start[present];
    return st;
}

static const np_discipline *discipline_of(uint32_t run)
{
    return np_registry_entry(&np_disciplines, run % np_registry_count(&np_disciplines));
}

static np_status one_run(trial *t)
{
    np_draws draws = {t->options.seed, t->run, (uint16_t)t->options.phase, NP_RANDOM_CHECK};
    np_engine_options options = {
        .network = t->path->network, .discipline = discipline_of(t->run), .packets = t->nodes, .workers = 1};
    np_packet left = np_random_below(&draws, 0, 5, t->nodes); /* 0 .. nodes-1 */
    np_engine *engine;
    np_status st;
    draw_packets(t);
    if ((st = walk_alone(t)) || (st = np_engine_create(&options, &engine)))
        return st;
    st = route_together(t, engine, t->nodes);
    if (!st && !t->differs && left)
        st = route_together(t, engine, left);
    np_engine_free(engine);
    return st;
}

static double share_of(const trial *t)
{
    double runs = (t->run + 1.0) / t->options.runs;
    double effort = EFFORT_A_HOP * (double)t->result->hops / (double)t->options.effort;
    return runs > effort ? runs : effort < 1 ? effort : 1;
}

np_status np_check_oblivious(const np_path *path, const np_check_options *options, np_check_oblivious_result *result)
{
    trial t = {.path = path, .nodes = np_network_nodes(path->network), .result = result};
    np_status st;
    *result = (np_check_oblivious_result){.holds = false};
    if ((st = np_options_take(&np_check_options_fields, options, &t.options)) || (st = np_check_network(path->network)))
        return st;
    st = np_arena_place(&t, layout, "packets to check", &t.block);
    for (; !st && !t.differs && t.run < t.options.runs && (!t.run || EFFORT_A_HOP * result->hops <= t.options.effort);
         t.run++)
        if (!(st = one_run(&t)))
            st = np_watch_share(&t.options.watch, "oblivious", share_of(&t));
    result->runs = t.run;
    result->holds = !st && !t.differs;
    NP_MEMORY_FREE(t.link, t.block);
    return st;
}
