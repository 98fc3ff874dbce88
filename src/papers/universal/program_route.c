/*
 * A routing on the guest as its program. The scheme "greedy" moves the traffic over the guest's links, by queues, first
 * come first served. U then simulates the hops: which packet crosses which link in which step.
 */
#include "base/memory.h"
#include "model/path/routes.h"
#include "engine/queueing/engine.h"
#include "papers/universal/program.h"
#include "model/traffic/traffic.h"

enum { HOPS_MAX = INT32_MAX };

typedef struct recording {
    const np_universal_options *options;
    const np_guest *guest;
    np_guest_program *program;
    size_t hops, hops_room, steps_room;
    np_status status;
} recording;

static np_status reserve(recording *r, np_step step, size_t count)
{
    static const char what[] = "the steps of a routing";
    np_guest_program *p = r->program;
    np_status st;
    if (r->hops + count > HOPS_MAX)
        return NP_RAISE(NP_ERROR_LIMIT, "a routing of more than %d hops: take less traffic", HOPS_MAX);
    if (r->hops + count > r->hops_room) {
        size_t room = 2 * (r->hops + count);
        if ((st = np_memory_grow(&p->group, r->hops, room, sizeof *p->group, what)))
            return st;
        r->hops_room = room;
    }
    if ((size_t)step + 1 > r->steps_room) {
        size_t room = 2 * ((size_t)step + 1);
        if ((st = np_memory_grow(&p->row, r->steps_room ? (size_t)p->steps + 1 : 0, room, sizeof *p->row, what)))
            return st;
        if (!r->steps_room)
            p->row[0] = 0;
        r->steps_room = room;
    }
    return NP_OK;
}

/* Records a hop. Steps ascend. */
static void record(recording *r, np_step step, np_link link)
{
    np_guest_program *p = r->program;
    if ((r->status = reserve(r, step, 1)))
        return;
    while (p->steps < step)
        p->row[++p->steps] = (uint32_t)r->hops;
    p->group[r->hops++] = np_guest_group_of(r->guest, link);
    p->row[step] = (uint32_t)r->hops;
}

static int on_events(void *context, size_t count, const np_event *event)
{
    recording *r = context;
    for (size_t i = 0; i < count && !r->status; i++)
        if (event[i].kind == NP_EVENT_MOVED)
            record(r, event[i].step, event[i].link);
    return r->status != NP_OK;
}

static int tell_paths(void *context, const np_progress *part)
{
    const recording *r = context;
    return np_watch_tell(&r->options->watch, (np_progress){.stage = "paths", .share = part->share});
}

static int tell_routing(void *context, const np_progress *part)
{
    const recording *r = context;
    return np_watch_tell(&r->options->watch, (np_progress){.stage = "the routing", .share = part->share});
}

static np_status route(recording *r, const np_network *network, const np_path *path, const np_traffic *traffic)
{
    np_engine_options options = {
        .network = network, .packets = np_traffic_packets(traffic), .workers = 1, .watched = true};
    const np_engine_plan plan = {.path = path, .phases = 1};
    const np_observer observer = {.kinds = 1 << NP_EVENT_MOVED, .events = on_events, .context = r};
    const np_engine_watch watch = {.observer = &observer, .progress = {tell_routing, r}};
    np_engine *engine = NULL;
    np_phase_run run;
    np_status st;
    if (!(st = np_discipline_find("fifo", &options.discipline)) && !(st = np_engine_create(&options, &engine))) {
        np_engine_place(engine, traffic);
        st = np_engine_run(engine, &plan, 0, (np_draws){.seed = r->options->seed}, &watch, &run);
        if (r->status)
            st = r->status;
    }
    np_engine_free(engine);
    return st;
}

static np_status find_routes(recording *r, const np_path *path, const np_traffic *traffic, np_path *bound,
                             np_routes **out)
{
    const np_watch watch = {tell_paths, r};
    const np_demand demand = {.draws = {.seed = r->options->seed},
                              .watch = &watch,
                              .count = np_traffic_packets(traffic),
                              .from = np_traffic_sources(traffic),
                              .to = np_traffic_destinations(traffic)};
    return np_routes_for(path, &demand, bound, out);
}

np_status np_guest_program_route(const np_network *network, const np_guest *guest, const np_universal_options *options,
                                 np_guest_program *out)
{
    const char *paths = options->paths ? options->paths : "greedy";
    recording r = {.options = options, .guest = guest, .program = out};
    np_path *path = NULL;
    np_path bound;
    np_routes *routes = NULL;
    const np_traffic *traffic = options->packets;
    np_traffic *own = NULL;
    np_status st;
    *out = (np_guest_program){0};
    if (!(st = traffic ? np_traffic_check(traffic, network) : NP_OK) && !(st = np_path_create(paths, network, &path)) &&
        !traffic && !(st = np_traffic_create(options->traffic, network, options->seed, 0, &own)))
        traffic = own;
    if (!st && !(st = find_routes(&r, path, traffic, &bound, &routes)))
        st = route(&r, network, &bound, traffic);
    np_routes_free(routes);
    if (!st && !r.hops)
        st = NP_RAISE(NP_ERROR_INPUT, "no packet of %s goes anywhere on %s", np_traffic_spec(traffic),
                      np_network_spec(network));
    np_traffic_free(own);
    np_path_free(path);
    return st;
}
