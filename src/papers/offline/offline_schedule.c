/*
 * Off-line schedules as lists of hops (netpram/route.h).
 *
 * The phases are run, and their hops listed. Then all hops are replayed, in order, by an engine that
 * shares nothing with the code that made them. An observer is told what the engine carried out.
 */
#include <string.h>

#include "base/account.h"
#include "base/memory.h"
#include "base/watch.h"
#include "model/network/attributes.h"
#include "papers/ranks/ranks_file.h"
#include "papers/offline/schedule_file.h"
#include "papers/offline/offline_rows.h"

/* The object: what np_offline points to is owned here. */
typedef struct made {
    np_offline offline; /* first: the caller's pointer points to it */
    np_instance instance;
    char *rule;
    np_offline_phase *phase;
    np_offline_hop *hop;
} made;

/* What makes hops: the scheme `offline`. */
typedef struct player {
    const np_network *network;
    const np_traffic *traffic;
    np_traffic *own; /* NULL: the caller's */
    uint64_t seed;
    np_watch watch;
    np_route_plan plan;
    np_runner *runner;
    np_hop_recorder recorder;
    unsigned phase; /* that is run */
    const np_observer *observer;
    np_hop_replay *replay;
    np_phase_run run; /* of the replay */
} player;

enum { TELL_EVERY = 4096 }; /* hops: ours, about a millisecond */

#define AT(member) offsetof(np_offline_options, member)

static const np_field rows[] = {
    {"seed", NP_FIELD_SEED, AT(seed), .help = "Where random traffic comes from", .preset = "1", .placeholder = "N",
     .group = "What is to be routed:"},
    {"queue", NP_FIELD_TEXT, AT(rule),
     .help = "No packet that waits, or never more than one packet at a node (default: straight)",
     .placeholder = "straight|exchange", .group = "Its schedule:"},
    {"memory", NP_FIELD_BYTES, AT(memory_limit), "bytes",
     .help = "Refuse what needs more, as in 4G (default: what is available)", .placeholder = "BYTES"},
    {"input", NP_FIELD_TEXT, AT(file),
     .help = "Make none, but replay that of FILE: exit status 1 if it breaks the rules or loses a packet",
     .placeholder = "FILE"},
};

const np_fields np_offline_options_fields = NP_OPTIONS("offline_options", "a schedule", np_offline_options, rows, NULL);

static void close_player(player *p)
{
    np_runner_free(p->runner);
    np_route_plan_clear(&p->plan);
    np_traffic_free(p->own);
    np_hop_list_clear(&p->recorder.list);
    np_hop_replay_free(p->replay);
}

static int tell_phase(void *context, const np_progress *part)
{
    const player *p = context;
    double share = (p->phase + part->share) / p->plan.phases;
    return np_watch_tell(&p->watch, (np_progress){"the schedule", "phases", p->phase, p->plan.phases, share});
}

/* Runs the phases, keeps what they took, and records their hops. */
static np_status run_phases(player *p, made *m)
{
    const np_engine_watch watch = {.observer = &p->recorder.observer, .progress = {tell_phase, p}};
    np_runner_job job = {.draws = {.seed = p->seed}, .traffic = p->traffic, .watch = &watch};
    np_status st = np_memory_zeroed(&m->phase, p->plan.phases, sizeof *m->phase, "the phases");
    np_hop_recorder_init(&p->recorder);
    for (; job.phase < p->plan.phases && !st; job.phase++) {
        np_phase_result known = {.name = ""};
        np_phase_run run = {0};
        np_delays delays;
        p->phase = job.phase;
        st = p->plan.runner->run(p->runner, &job, &run, &delays);
        np_route_plan_phase(&p->plan, job.phase, &known);
        memcpy(m->phase[job.phase].name, known.name, sizeof known.name);
        m->phase[job.phase].steps = run.steps;
        m->phase[job.phase].hops = run.hops;
    }
    m->offline.phases = p->plan.phases;
    m->offline.phase = m->phase;
    return st ? st : p->recorder.list.status;
}

static np_status open_player(const np_offline_options *options, player *p)
{
    const char *reason = np_offline_refuses(p->network);
    np_route_options route;
    np_status st;
    if (reason)
        return NP_RAISE(NP_ERROR_APPLY, "no off-line schedule on %s: %s", np_network_spec(p->network), reason);
    np_route_options_init(&route);
    route.scheme = "offline";
    route.queue = options->rule;
    route.threads = 1; /* an observed run has one worker */
    if ((st = np_route_plan_init(&p->plan, p->network, NULL, p->traffic, &route)))
        return st;
    return np_runner_create(&p->plan, &p->runner);
}

/* ---- The object ---- */

static np_status create(const player *p, const char *file, made **out)
{
    made *m;
    np_status st;
    if ((st = np_memory_zeroed(&m, 1, sizeof *m, "a schedule")))
        return st;
    *out = m;
    if ((st = np_instance_init(&m->instance, p->network, p->traffic, file)))
        return st;
    m->offline = (np_offline){.network = m->instance.network,
                              .traffic = m->instance.traffic,
                              .file = m->instance.file,
                              .seed = p->seed,
                              .packets = np_traffic_packets(p->traffic)};
    return NP_OK;
}

static np_status list_hops(player *p, made *m)
{
    const np_hop_list *list = &p->recorder.list;
    np_status st = np_memory_array(&m->hop, list->count, sizeof *m->hop, "the hops of a schedule");
    if (st)
        return st;
    for (size_t i = 0; i < list->count; i++)
        m->hop[i] = (np_offline_hop){list->hop[i].step, list->hop[i].packet, list->hop[i].link};
    m->offline.hop = m->hop;
    m->offline.hops = list->count;
    np_hop_list_clear(&p->recorder.list);
    return NP_OK;
}

/* ---- The replay ---- */

static np_status begin_replay(player *p)
{
    return np_hop_replay_create(p->network, p->traffic, p->observer != NULL, &p->replay);
}

/* After the replay: the whole schedule is one phase. */
static np_status tell(const player *p)
{
    const np_event_phase phase = {.name = "schedule",
                                  .network = p->network,
                                  .packets = p->run.packets,
                                  .runs = 1,
                                  .phases = 1,
                                  .hops = p->run.hops};
    return np_hop_replay_tell(p->replay, p->observer, &phase, &p->run);
}

/* After the replay. */
static void take_measures(const player *p, np_offline *offline)
{
    const np_phase_run *run = &p->run;
    offline->stored_max = np_hop_replay_stored(p->replay);
    offline->steps = run->steps;
    offline->hops = run->hops;
    offline->delay_max = run->delay_max;
    offline->delay_mean = run->packets ? (double)run->delay_sum / run->packets : 0;
    offline->congestion = run->congestion;
    offline->population_max = run->population_max;
}

/* If the replay refuses a schedule made here, that is an internal error. */
static np_status replay_found(player *p, made *m)
{
    np_status st = begin_replay(p);
    for (uint64_t i = 0; i < m->offline.hops && !st; i++)
        if (!(st = np_hop_replay_move(p->replay, m->hop[i].step, m->hop[i].packet, m->hop[i].link)) &&
            i % TELL_EVERY == 0)
            st = np_watch_share(&p->watch, "the replay", (double)i / (double)m->offline.hops);
    st = st ? st : np_hop_replay_end(p->replay, &p->run);
    return st == NP_ERROR_APPLY ? np_status_prefix(NP_ERROR_INTERNAL, "a schedule that was found: ") : st;
}

static np_status find(player *p, const np_offline_options *options, made *m)
{
    uint32_t h;
    np_status st;
    if ((st = open_player(options, p)) || (st = run_phases(p, m)) || (st = list_hops(p, m)) ||
        (st = np_traffic_relation(p->traffic, p->network, &h)))
        return st;
    m->offline.bound = np_offline_steps(&p->plan, h);
    if (!(m->rule = np_memory_text(p->plan.queue)))
        return np_status_last();
    m->offline.rule = m->rule;
    return replay_found(p, m);
}

static np_status load(player *p, made *m)
{
    np_status st = begin_replay(p);
    return st ? st : np_schedule_read(m->instance.file, &p->watch, p->replay, &p->run);
}

/* By a spec of traffic, or else by the traffic. */
static np_status find_for(const np_network *network, const char *spec, const np_traffic *traffic,
                          const np_offline_options *given, np_offline **out)
{
    np_offline_options options;
    player p = {.network = network, .traffic = traffic};
    made *m = NULL;
    np_status st;
    *out = NULL;
    if ((st = np_options_take(&np_offline_options_fields, given, &options)) ||
        (st = np_attributes_heeded(network, "a schedule", 0)))
        return st;
    NP_ACCOUNT(options.memory_limit, "a smaller network, or 'netpram route --scheme offline', which lists no hops");
    if (options.file && options.rule)
        return NP_RAISE(NP_ERROR_INPUT, "queue is for a schedule that is made, input makes none: one of the two");
    p.seed = options.seed;
    p.watch = options.watch;
    p.observer = options.observer;
    if (spec && !(st = np_traffic_create(spec, network, options.seed, 0, &p.own)))
        p.traffic = p.own;
    if (!st && !(st = create(&p, options.file, &m)))
        st = options.file ? load(&p, m) : find(&p, &options, m);
    if (!st && !(st = tell(&p))) {
        take_measures(&p, &m->offline);
        *out = &m->offline;
    } else if (m) {
        np_offline_free(&m->offline);
    }
    close_player(&p);
    return st;
}

np_status np_offline_find(const np_network *network, const char *traffic, const np_offline_options *options,
                          np_offline **out)
{
    return find_for(network, traffic, NULL, options, out);
}

np_status np_offline_find_traffic(const np_network *network, const np_traffic *traffic,
                                  const np_offline_options *options, np_offline **out)
{
    return find_for(network, NULL, traffic, options, out);
}

np_status np_offline_save(const np_offline *offline, const char *path)
{
    np_output *output;
    np_status st;
    if (!offline->rule)
        return NP_RAISE(NP_ERROR_INPUT, "%s: a schedule that was loaded is in its file already", offline->file);
    if ((st = np_output_open(path, &output)))
        return st;
    np_schedule_write_head(&(np_schedule_about){offline->network, offline->traffic, offline->rule, offline->seed,
                                                offline->packets, offline->steps},
                           np_output_stream(output));
    for (uint64_t i = 0; i < offline->hops; i++)
        np_schedule_write_hop(offline->hop[i].step, offline->hop[i].packet, offline->hop[i].link,
                              np_output_stream(output));
    return np_output_commit(output);
}

void np_offline_free(np_offline *offline)
{
    made *m = (made *)offline;
    if (!m)
        return;
    np_instance_clear(&m->instance);
    NP_MEMORY_FREE(m->rule, m->phase, m->hop, m);
}
