/*
 * A routing on the guest as its program. The scheme "greedy" moves the traffic over the guest's links, by queues, first
 * come first served. U then simulates the hops: which packet crosses which link in which step.
 */
#include "base/memory.h"
#include "model/path/routes.h"
#include "engine/queueing/engine.h"
#include "engine/queueing/hop_list.h"
#include "papers/universal/program.h"
#include "model/traffic/traffic.h"

static const char what[] = "the steps of a routing";

typedef struct recording {
    const np_universal_options *options;
    const np_guest *guest;
    np_hop_recorder recorder;
} recording;

/* The steps of the program: those of the routing. */
static np_status take(const recording *r, np_guest_program *p)
{
    const np_hop_list *list = &r->recorder.list;
    np_status st = list->status;
    if (st || !list->count)
        return st;
    p->steps = list->hop[list->count - 1].step;
    if ((st = np_memory_zeroed(&p->row, (size_t)p->steps + 1, sizeof *p->row, what)) ||
        (st = np_memory_array(&p->group, list->count, sizeof *p->group, what)))
        return st;
    for (size_t i = 0; i < list->count; i++) {
        p->row[list->hop[i].step]++;
        p->group[i] = np_guest_group_of(r->guest, list->hop[i].link);
    }
    for (uint32_t t = 0; t < p->steps; t++)
        p->row[t + 1] += p->row[t];
    return NP_OK;
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
    const np_engine_watch watch = {.observer = &r->recorder.observer, .progress = {tell_routing, r}};
    np_engine *engine = NULL;
    np_phase_run run;
    np_status st;
    if (!(st = np_discipline_find("fifo", &options.discipline)) && !(st = np_engine_create(&options, &engine))) {
        np_engine_place(engine, traffic);
        st = np_engine_run(engine, &plan, 0, (np_draws){.seed = r->options->seed}, &watch, &run);
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
    recording r = {.options = options, .guest = guest};
    np_path *path = NULL;
    np_path bound;
    np_routes *routes = NULL;
    const np_traffic *traffic = options->packets;
    np_traffic *own = NULL;
    np_status st;
    *out = (np_guest_program){0};
    np_hop_recorder_init(&r.recorder);
    if (!(st = traffic ? np_traffic_check(traffic, network) : NP_OK) && !(st = np_path_create(paths, network, &path)) &&
        !traffic && !(st = np_traffic_create(options->traffic, network, options->seed, 0, &own)))
        traffic = own;
    if (!st && !(st = find_routes(&r, path, traffic, &bound, &routes)))
        st = route(&r, network, &bound, traffic);
    if (!st)
        st = take(&r, out);
    np_routes_free(routes);
    if (!st && !r.recorder.list.count)
        st = NP_RAISE(NP_ERROR_INPUT, "no packet of %s goes anywhere on %s", np_traffic_spec(traffic),
                      np_network_spec(network));
    np_hop_list_clear(&r.recorder.list);
    np_traffic_free(own);
    np_path_free(path);
    return st;
}
