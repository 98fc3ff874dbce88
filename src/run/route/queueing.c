/* See queueing.h. The engine is made once a thread; every run places its traffic in it anew. */
#include "run/route/queueing.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "model/network/attributes.h"
#include "model/path/routes.h"
#include "model/traffic/traffic.h"
#include "engine/queueing/events.h"
#include "run/route/phase_time.h"
#include "run/route/plan.h"

/*
 * What the phases of a run ask of a path rule that finds routes beforehand:
 * before a phase begins, its targets are worked out and the routes found. With
 * overlap, the routes of all phases are found before the first.
 */

typedef struct np_demands np_demands;

struct np_demands {
    const np_route_plan *plan;
    np_routes *routes;
    np_node *at, *to; /* [packets] */
};

static void layout(void *object, np_arena *arena)
{
    np_demands *demands = object;
    size_t packets = np_route_plan_own_packets(demands->plan);
    np_arena_array(arena, &demands->at, packets, sizeof *demands->at, "where packets are");
    np_arena_array(arena, &demands->to, packets, sizeof *demands->to, "where packets go");
}

static bool overlaps(const np_route_plan *plan) { return plan->options.overlap && plan->phases > 1; }

static np_routes_options options_of(const np_route_plan *plan, const np_path *path)
{
    return (np_routes_options){
        .path = path,
        .packets = np_route_plan_own_packets(plan),
        .slots = overlaps(plan) ? plan->phases : 1,
        .threads = np_route_plan_workers(plan),
    };
}

/* 0, and *out = NULL, if the path's rule finds no routes. Else path->routes becomes those of the demands. */
static uint64_t demands_bytes(const np_route_plan *plan, const np_path *path)
{
    np_demands demands = {.plan = plan};
    np_routes_options options;
    if (!path->rule->chooser)
        return 0;
    options = options_of(plan, path);
    return np_arena_bytes(&demands, sizeof demands, layout) + np_routes_bytes(&options);
}

static void demands_free(np_demands *demands)
{
    if (demands)
        np_routes_free(demands->routes);
    np_memory_free(demands);
}

static np_status demands_create(const np_route_plan *plan, np_path *path, np_demands **out)
{
    np_demands demands = {.plan = plan};
    np_routes_options options;
    np_status st;
    *out = NULL;
    if (!path->rule->chooser)
        return NP_OK;
    options = options_of(plan, path);
    if ((st = np_arena_create(&demands, sizeof demands, layout, "where packets go", out)))
        return st;
    if ((st = np_routes_create(&options, &(*out)->routes))) {
        demands_free(*out);
        *out = NULL;
        return st;
    }
    path->routes = (*out)->routes;
    return NP_OK;
}

/* demands->to = the targets of the packets at demands->at in the phase. */
static void aim(np_demands *demands, const np_traffic *traffic, const np_engine_plan *plan, const np_draws *draws,
                unsigned phase)
{
    const np_node *destination = np_traffic_destinations(traffic);
    np_traffic_range part = np_traffic_part(traffic);
    np_packet packets = part.count, packet[NP_PATH_BATCH];
    for (np_packet base = 0; base < packets;) {
        size_t count = packets - base < NP_PATH_BATCH ? packets - base : NP_PATH_BATCH;
        np_aim aim = {demands->plan->network,
                      plan->tables,
                      phase,
                      draws,
                      count,
                      packet,
                      demands->at + base,
                      destination + base,
                      np_array_from(np_traffic_sources(traffic), part.first, sizeof *destination),
                      plan->via};
        for (size_t i = 0; i < count; i++)
            packet[i] = part.first + base + (np_packet)i;
        if (plan->targets)
            plan->targets(&aim, demands->to + base);
        else
            memcpy(demands->to + base, destination + base, count * sizeof *destination);
        base += (np_packet)count;
    }
}

static np_status find_phase(np_demands *demands, const np_runner_job *job, const np_engine_plan *plan, unsigned phase)
{
    const np_engine_watch *watch = job->watch;
    np_draws draws = job->draws;
    draws.phase = (uint16_t)phase;
    np_draws target_draws = np_draws_for(draws, NP_RANDOM_TARGET);
    np_demand demand = {.draws = draws,
                        .first = np_traffic_part(job->traffic).first,
                        .count = np_traffic_part(job->traffic).count,
                        .from = demands->at,
                        .to = demands->to,
                        .watch = watch ? &watch->paths : NULL};
    aim(demands, job->traffic, plan, &target_draws, phase);
    return np_routes_find(demands->routes, overlaps(demands->plan) ? phase : 0, &demand);
}

/* Finds the routes of the job's phase. at: where the packets are. */
static np_status demands_find(np_demands *demands, const np_runner_job *job, const np_engine_plan *plan,
                              const np_node *at)
{
    size_t bytes = np_traffic_part(job->traffic).count * sizeof *at;
    unsigned end = overlaps(demands->plan) ? plan->phases : job->phase + 1;
    np_status st;
    memcpy(demands->at, at, bytes);
    for (unsigned phase = job->phase; phase < end; phase++) {
        if ((st = find_phase(demands, job, plan, phase)))
            return st;
        memcpy(demands->at, demands->to, bytes);
    }
    return NP_OK;
}

/* ---- The runner ---- */

enum { PHASES_MAX = 255 }; /* a byte of the engine holds a packet's phase */

/* plan->shared */
typedef struct shared {
    np_path *path;
    np_path *rest; /* of what is left when a phase has not ended in its time; NULL: phases end by themselves */
    const np_discipline *discipline;
    np_node_list via;
    np_node *switches; /* of via; NULL: others */
    uint16_t *delays;  /* of links; NULL: each takes a step */
} shared;

typedef struct queueing {
    np_runner base;
    np_engine *engine;
    np_engine_plan plan;
    void *tables;        /* NULL: the scheme has none */
    np_path path;        /* the shared one, with the routes of this runner */
    np_demands *demands; /* NULL: the path rule finds no routes beforehand */
    /* The same of what is left when a phase has not ended in its time. */
    np_path rest;
    np_demands *rest_demands;
    bool late; /* some phase of the run has not ended in its time */
} queueing;

static const np_queueing *parameters_of(const np_route_plan *plan) { return plan->parameters; }

/* ---- For other files ---- */

const np_queueing *np_queueing_of(const np_scheme *scheme)
{
    return scheme->queueing && !scheme->queueing->tables ? scheme->queueing : NULL;
}

unsigned np_queueing_phases(const np_queueing *own, const np_network *network)
{
    unsigned count = 0;
    if (own->phases)
        return own->phases(network);
    while (own->names && own->names[count])
        count++;
    return count ? count : 1;
}

void np_queueing_aim(const np_queueing *own, const np_aim *aim, np_node *to)
{
    if (own->targets)
        own->targets(aim, to);
    else
        memcpy(to, aim->destination, aim->count * sizeof *to);
}

const np_path *np_queueing_path(const np_route_plan *plan) { return ((const shared *)plan->shared)->path; }

/* ---- The plan ---- */

/* Lists the nodes that are no hosts. */
static np_status list_switches(np_route_plan *plan, shared *s)
{
    const np_network *network = plan->network;
    np_node count = network->nodes - network->terminals, found = 0;
    np_status st;
    if (!count)
        return NP_RAISE(NP_ERROR_APPLY, "via: %s has no switches: all its nodes are hosts", np_network_spec(network));
    if ((st = np_memory_array(&s->switches, count, sizeof *s->switches, "the switches of a network")))
        return st;
    for (np_node u = 0; u < network->nodes; u++)
        if (network->host_number[u] == NP_NONE)
            s->switches[found++] = u;
    s->via = (np_node_list){count, s->switches};
    plan->shared_bytes += np_memory_taken(count * sizeof *s->switches);
    return NP_OK;
}

static np_status list_via(np_route_plan *plan, shared *s)
{
    const np_network *network = plan->network;
    np_via via = plan->options.via;
    s->via = np_network_ends(network);
    if (via == NP_VIA_NODES)
        s->via = (np_node_list){network->nodes, NULL};
    if ((via == NP_VIA_HOSTS || via == NP_VIA_SWITCHES) && !network->host)
        return NP_RAISE(
            NP_ERROR_APPLY,
            "via: nobody said which nodes of %s are hosts: read a file with --hosts, as in --hosts degree=1",
            np_network_spec(network));
    return via == NP_VIA_SWITCHES ? list_switches(plan, s) : NP_OK;
}

/* The fixed time of phases, and the paths of what is left after it. */
static np_status read_timing(np_route_plan *plan, shared *s)
{
    const np_route_options *options = &plan->options;
    np_status st;
    if (options->fallback && (!options->phase_time || options->overlap))
        return NP_RAISE(NP_ERROR_INPUT,
                        "fallback: '%.40s' is the way of packets when a phase has not ended in its time: %s",
                        options->fallback,
                        options->phase_time ? "with --overlap late packets go on as they would"
                                            : "give --phase-time, as in 24, 3logN or, on grids, n+n^3/4");
    if (!options->phase_time || (st = np_phase_time_parse(options->phase_time, plan->network, &plan->phase_time)) ||
        options->overlap)
        return options->phase_time ? st : NP_OK;
    if ((st = np_path_create(options->fallback ? options->fallback : "greedy", plan->network, &s->rest)))
        return st;
    plan->phases++;
    plan->fallback = np_path_name(s->rest);
    plan->shared_bytes += s->rest->table_bytes + (s->rest->graph ? s->rest->graph->bytes : 0);
    return NP_OK;
}

/* The delays of links, and what is not to be had with them. */
static np_status read_delays(np_route_plan *plan, shared *s)
{
    const np_route_options *o = &plan->options;
    const char *option = o->observer                    ? "events (traces, tables and pictures)"
                         : o->job                       ? "ranks"
                         : o->phase_time && !o->overlap ? "phase-time without overlap"
                         : parameters_of(plan)->tables  ? "the scheme"
                                                        : NULL;
    np_status st = np_attributes_delays(plan->network, "steps", 1, &s->delays);
    if (!st && s->delays && option)
        st = NP_RAISE(NP_ERROR_APPLY, "%s: delays of links are not heeded: leave delay '%.60s' out", option,
                      np_network_delay(plan->network)->name);
    plan->shared_bytes += s->delays ? np_memory_taken(plan->network->link_numbers * sizeof *s->delays) : 0;
    return st;
}

static np_status bind(np_route_plan *plan)
{
    const np_queueing *own = parameters_of(plan);
    const char *queue = plan->options.queue ? plan->options.queue : own->queue;
    const char *paths = own->paths ? own->paths : plan->options.paths ? plan->options.paths : "greedy";
    shared *s;
    np_status st = np_memory_zeroed(&s, 1, sizeof *s, "the scheme's tables");
    plan->shared = s;
    if (st || (st = np_discipline_find(queue, &s->discipline)) || (st = np_path_create(paths, plan->network, &s->path)))
        return st;
    plan->paths = own->told ? own->told : np_path_name(s->path);
    plan->shared_bytes = s->path->table_bytes + (s->path->graph ? s->path->graph->bytes : 0);
    if ((st = list_via(plan, s)) || (st = read_delays(plan, s)))
        return st;
    plan->phases = np_queueing_phases(own, plan->network);
    if ((st = read_timing(plan, s)))
        return st;
    if (!plan->phases || plan->phases > PHASES_MAX)
        return NP_RAISE(NP_ERROR_LIMIT, "scheme '%s' has %u phases on %s: 1 to %d are possible",
                        plan->scheme->info.name, plan->phases, np_network_spec(plan->network), PHASES_MAX);
    np_route_plan_say_queue(plan, "%s", s->discipline->info.name);
    return NP_OK;
}

static void unbind(np_route_plan *plan)
{
    shared *s = plan->shared;
    if (!s)
        return;
    np_path_free(s->path);
    np_path_free(s->rest);
    NP_MEMORY_FREE(s->switches, s->delays, s);
}

/* Is it the phase of what is left when a phase has not ended in its time? */
static bool is_rest(const np_route_plan *plan, unsigned number) { return plan->fallback && number + 1 == plan->phases; }

static void phase(const np_route_plan *plan, unsigned number, np_phase_result *out)
{
    const np_queueing *own = parameters_of(plan);
    bool rest = is_rest(plan, number);
    bool one = (plan->options.overlap && plan->phases > 1) || !(own->names || own->name);
    if (rest)
        snprintf(out->name, sizeof out->name, "F");
    else if (own->name && !one)
        own->name(plan->network, number, out->name);
    else
        snprintf(out->name, sizeof out->name, "%s", one ? "route" : own->names[number]);
    out->timed = plan->phase_time;
}

static np_engine_options engine_options(const np_route_plan *plan)
{
    const shared *s = plan->shared;
    const np_route_options *options = &plan->options;
    return (np_engine_options){
        .network = plan->network,
        .discipline = s->discipline,
        .packets = plan->packets,
        .workers = s->delays ? 1 : np_route_plan_workers(plan),
        .delays = s->delays,
        .overlap = options->overlap && !options->job, /* with ranks there is one phase then */
        .phase_time = options->overlap ? plan->phase_time : 0,
        .stops = s->rest != NULL,
        .path = s->rest ? NULL : s->path,
        .watched = options->on_step || options->observer || options->hash,
        .observed = options->observer != NULL,
        .job = options->job,
    };
}

static uint64_t bytes(const np_route_plan *plan)
{
    const np_queueing_tables *tables = parameters_of(plan)->tables;
    np_engine_options options = engine_options(plan);
    const shared *s = plan->shared;
    return np_engine_bytes(&options) + demands_bytes(plan, s->path) + (s->rest ? demands_bytes(plan, s->rest) : 0) +
           (tables ? tables->bytes(plan->network, plan->packets) : 0);
}

/* ---- A thread's ---- */

static void clear(np_runner *runner)
{
    queueing *q = (queueing *)runner;
    const np_queueing_tables *tables = parameters_of(runner->plan)->tables;
    np_engine_free(q->engine);
    demands_free(q->demands);
    demands_free(q->rest_demands);
    if (tables && q->tables)
        tables->free(q->tables);
}

static np_status init(np_runner *runner)
{
    queueing *q = (queueing *)runner;
    const np_route_plan *plan = runner->plan;
    const np_queueing *own = parameters_of(plan);
    const shared *s = plan->shared;
    np_engine_options options = engine_options(plan);
    np_status st;
    q->path = *s->path;
    if (s->rest)
        q->rest = *s->rest;
    if ((own->tables && (st = own->tables->create(plan->network, &q->tables))) ||
        (st = demands_create(plan, &q->path, &q->demands)) ||
        (s->rest && (st = demands_create(plan, &q->rest, &q->rest_demands))) ||
        (st = np_engine_create(&options, &q->engine)))
        return st;
    q->plan = (np_engine_plan){.path = &q->path,
                               .phases = plan->phases,
                               .targets = own->targets,
                               .tables = q->tables,
                               .via = s->via,
                               .stop = s->rest ? plan->phase_time : 0};
    return NP_OK;
}

/* Observers hear of a phase that is computed, but no packet moves in it. */
static np_status tell_computed(const np_route_plan *plan, const np_runner_job *job, const np_phase_run *run)
{
    np_event_phase phase = np_runner_phase(job, plan->network);
    phase.packets = 0;
    return np_event_tell_nothing(np_runner_observer(job), &phase, run);
}

static np_status run_engine(queueing *q, const np_engine_plan *plan, np_demands *demands, const np_runner_job *job,
                            np_phase_run *out)
{
    np_status st = NP_OK;
    if (demands) {
        st = demands_find(demands, job, plan, np_engine_locations(q->engine));
        if (!st && q->base.plan->options.job)
            st = np_routes_check_travel(demands->routes);
        st = np_job_agree(q->base.plan->options.job, st);
    }
    return st ? st : np_engine_run(q->engine, plan, job->phase, job->draws, job->watch, out);
}

/* What is left when a phase has not ended in its time: all packets go from where they are to their destinations. */
static np_status run_rest(queueing *q, const np_runner_job *job, np_phase_run *out)
{
    np_engine_plan plan = {.path = &q->rest, .phases = q->plan.phases};
    const np_node *at = np_engine_locations(q->engine), *destination = np_traffic_destinations(job->traffic);
    uint32_t left = 0;
    for (np_packet p = 0; p < np_traffic_packets(job->traffic); p++)
        left += at[p] != destination[p];
    np_status st = run_engine(q, &plan, q->rest_demands, job, out);
    out->late = left;
    return st;
}

static np_status run(np_runner *runner, const np_runner_job *job, np_phase_run *out, np_delays *delays)
{
    queueing *q = (queueing *)runner;
    const np_queueing_tables *tables = parameters_of(runner->plan)->tables;
    bool rest = is_rest(runner->plan, job->phase), computed;
    np_status st = NP_OK;
    if (job->phase == 0) {
        np_engine_place(q->engine, job->traffic);
        q->late = false;
    }
    computed = out->absent = rest != q->late; /* nothing is left; or the phases of the scheme are over */
    if (tables && !computed)
        st = tables->prepare(q->tables, job->phase, job->traffic, np_engine_locations(q->engine), out, &computed);
    if (!st && computed)
        st = tell_computed(runner->plan, job, out);
    if (st || computed)
        return st;
    st = rest ? run_rest(q, job, out) : run_engine(q, &q->plan, q->demands, job, out);
    q->late |= q->plan.stop && out->late;
    *delays = (np_delays){np_engine_delays(q->engine), np_traffic_part(job->traffic).count, 0};
    return st;
}

const np_runner_ops np_queueing_runner = {
    .delays = true,
    .bind = bind,
    .unbind = unbind,
    .phase = phase,
    .bytes = bytes,
    .size = sizeof(queueing),
    .init = init,
    .clear = clear,
    .run = run,
};
