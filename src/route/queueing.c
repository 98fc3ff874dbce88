/* See queueing.h. The engine is made once a thread; every run places its traffic in it anew. */
#include "route/queueing.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "queueing/events.h"
#include "route/demands.h"
#include "route/phase_time.h"
#include "route/plan.h"

enum { PHASES_MAX = 255 }; /* a byte of the engine holds a packet's phase */

/* plan->shared */
typedef struct shared {
    np_path *path;
    const np_discipline *discipline;
    np_node_list via;
    np_node *switches; /* of via; NULL: others */
} shared;

typedef struct queueing {
    np_runner base;
    np_engine *engine;
    np_engine_plan plan;
    void *tables;        /* NULL: the scheme has none */
    np_path path;        /* the shared one, with the routes of this runner */
    np_demands *demands; /* NULL: the path rule finds no routes beforehand */
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

static np_status read_phase_time(np_route_plan *plan)
{
    const np_route_options *options = &plan->options;
    if (!options->phase_time)
        return NP_OK;
    if (!options->overlap)
        return NP_RAISE(
            NP_ERROR_INPUT,
            "phase-time: '%.40s' says when phases start that overlap: without --overlap a phase starts when "
            "the one before it has ended for all",
            options->phase_time);
    return np_phase_time_parse(options->phase_time, plan->network, &plan->phase_time);
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
    if ((st = list_via(plan, s)))
        return st;
    plan->phases = np_queueing_phases(own, plan->network);
    if (!plan->phases || plan->phases > PHASES_MAX)
        return NP_RAISE(NP_ERROR_LIMIT, "scheme '%s' has %u phases on %s: 1 to %d are possible",
                        plan->scheme->info.name, plan->phases, np_network_spec(plan->network), PHASES_MAX);
    np_route_plan_say_queue(plan, "%s", s->discipline->info.name);
    return read_phase_time(plan);
}

static void unbind(np_route_plan *plan)
{
    shared *s = plan->shared;
    if (!s)
        return;
    np_path_free(s->path);
    np_memory_free(s->switches);
    np_memory_free(s);
}

static void phase(const np_route_plan *plan, unsigned number, np_phase_result *out)
{
    const np_queueing *own = parameters_of(plan);
    bool one = (plan->options.overlap && plan->phases > 1) || !(own->names || own->name);
    if (own->name && !one)
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
        .workers = np_route_plan_workers(plan),
        .overlap = options->overlap,
        .phase_time = plan->phase_time,
        .path = s->path,
        .watched = options->on_step || options->observer || options->hash,
        .observed = options->observer != NULL,
    };
}

static uint64_t bytes(const np_route_plan *plan)
{
    const np_queueing_tables *tables = parameters_of(plan)->tables;
    np_engine_options options = engine_options(plan);
    return np_engine_bytes(&options) + np_demands_bytes(plan, options.path) +
           (tables ? tables->bytes(plan->network, plan->packets) : 0);
}

/* ---- A thread's ---- */

static void free_queueing(np_runner *runner)
{
    queueing *q = (queueing *)runner;
    const np_queueing_tables *tables = parameters_of(runner->plan)->tables;
    np_engine_free(q->engine);
    np_demands_free(q->demands);
    if (tables && q->tables)
        tables->free(q->tables);
    np_memory_free(q);
}

static np_status create(const np_route_plan *plan, np_runner **out)
{
    const np_queueing *own = parameters_of(plan);
    np_engine_options options = engine_options(plan);
    queueing *q;
    np_status st;
    if ((st = np_memory_zeroed(&q, 1, sizeof *q, "a runner")))
        return st;
    q->base.plan = plan;
    q->path = *options.path;
    if ((own->tables && (st = own->tables->create(plan->network, &q->tables))) ||
        (st = np_demands_create(plan, &q->path, &q->demands)) || (st = np_engine_create(&options, &q->engine))) {
        free_queueing(&q->base);
        return st;
    }
    q->plan = (np_engine_plan){.path = &q->path,
                               .phases = plan->phases,
                               .targets = own->targets,
                               .tables = q->tables,
                               .via = ((const shared *)plan->shared)->via};
    *out = &q->base;
    return NP_OK;
}

/* Observers hear of a phase that is computed, but no packet moves in it. */
static np_status tell_computed(const np_route_plan *plan, const np_runner_job *job, const np_phase_run *run)
{
    np_event_phase phase = np_runner_phase(job, plan->network);
    phase.packets = 0;
    return np_event_tell_nothing(np_runner_observer(job), &phase, run);
}

static np_status run(np_runner *runner, const np_runner_job *job, np_phase_run *out, np_delays *delays)
{
    queueing *q = (queueing *)runner;
    const np_queueing_tables *tables = parameters_of(runner->plan)->tables;
    bool computed = false;
    np_status st = NP_OK;
    if (job->phase == 0)
        np_engine_place(q->engine, job->traffic);
    if (tables)
        st = tables->prepare(q->tables, job->phase, job->traffic, np_engine_locations(q->engine), out, &computed);
    if (!st && computed)
        st = tell_computed(runner->plan, job, out);
    if (st || computed)
        return st;
    if (q->demands && (st = np_demands_find(q->demands, job, &q->plan, np_engine_locations(q->engine))))
        return st;
    if ((st = np_engine_run(q->engine, &q->plan, job->phase, job->draws, job->watch, out)))
        return st;
    *delays = (np_delays){np_engine_delays(q->engine), out->packets};
    return NP_OK;
}

const np_runner_ops np_queueing_runner = {
    .bind = bind,
    .unbind = unbind,
    .phase = phase,
    .bytes = bytes,
    .create = create,
    .free = free_queueing,
    .run = run,
};
