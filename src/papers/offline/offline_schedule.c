/*
 * Off-line schedules as lists of hops (netpram/route.h).
 *
 * The phases are run twice: to learn how many hops there are, and to list them. Then all hops are
 * replayed, in order, by an engine that shares nothing with the code that made them. An observer is
 * told what the engine carried out.
 */
#include <stdio.h>
#include <string.h>

#include "base/account.h"
#include "base/memory.h"
#include "base/watch.h"
#include "engine/queueing/hop_list.h"
#include "run/route/instance.h"
#include "papers/offline/schedule_file.h"
#include "papers/offline/offline.h"

/* The object: what np_offline points to is owned here. */
typedef struct made {
    np_offline offline; /* first: the caller's pointer points to it */
    np_instance instance;
    char *rule;
    np_offline_phase *phase;
    np_offline_hop *hop;
} made;

/* What makes hops: the scheme `offline`, run twice. */
typedef struct player {
    const np_network *network;
    const np_traffic *traffic;
    np_traffic *own; /* NULL: the caller's */
    uint64_t seed;
    np_watch watch;
    np_route_plan plan;
    np_runner *runner;
    const np_offline *made; /* whose hops are listed */
    np_offline_hop *hop;    /* where the next hop goes */
    unsigned phase;         /* that is run */
    np_step passed;         /* steps of the earlier phases */
    const np_observer *observer;
    np_hop_list replayed; /* if somebody observes */
    np_phase_run run;     /* of the replay */
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
    if (p->runner)
        p->plan.runner->free(p->runner);
    np_route_plan_clear(&p->plan);
    np_traffic_free(p->own);
    np_hop_list_clear(&p->replayed);
}

static int take_hops(void *context, size_t count, const np_event *event)
{
    player *p = context;
    for (size_t i = 0; i < count; i++)
        if (event[i].kind == NP_EVENT_MOVED)
            *p->hop++ = (np_offline_hop){p->passed + event[i].step, event[i].packet, event[i].link};
    double share = (double)(p->hop - p->made->hop) / (double)p->made->hops;
    return np_watch_tell(&p->watch, (np_progress){.stage = "the hops", .share = share});
}

static int tell_phase(void *context, const np_progress *part)
{
    const player *p = context;
    double share = (p->phase + part->share) / p->plan.phases;
    return np_watch_tell(&p->watch, (np_progress){"the schedule", "phases", p->phase, p->plan.phases, share});
}

/* Runs all phases. out: [phases], may be NULL. */
static np_status play(player *p, bool take, np_phase_run *out)
{
    const np_observer observer = {.kinds = 1 << NP_EVENT_MOVED, .events = take_hops, .context = p};
    const np_engine_watch watch = {.observer = take ? &observer : NULL, .progress = {take ? NULL : tell_phase, p}};
    np_runner_job job = {.draws = {.seed = p->seed}, .traffic = p->traffic, .watch = &watch};
    p->passed = 0;
    for (; job.phase < p->plan.phases; job.phase++) {
        np_phase_run run = {0};
        np_delays delays;
        p->phase = job.phase;
        np_status st = p->plan.runner->run(p->runner, &job, &run, &delays);
        if (st)
            return st;
        p->passed += run.steps;
        if (out)
            out[job.phase] = run;
    }
    return NP_OK;
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
    return p->plan.runner->create(&p->plan, &p->runner);
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

/* Runs the phases and keeps what they took. *hops: of all phases together. *observing: the bytes to observe the one
 * that takes most. */
static np_status measure_phases(player *p, made *m, uint64_t *hops)
{
    np_phase_run *run = NULL;
    np_status st;
    if ((st = np_memory_zeroed(&m->phase, p->plan.phases, sizeof *m->phase, "the phases")) ||
        (st = np_memory_zeroed(&run, p->plan.phases, sizeof *run, "the phases")) || (st = play(p, false, run)))
        goto out;
    for (uint32_t i = 0; i < p->plan.phases; i++) {
        np_phase_result known = {.name = ""};
        p->plan.runner->phase(&p->plan, i, &known);
        memcpy(m->phase[i].name, known.name, sizeof known.name);
        m->phase[i].steps = run[i].steps;
        m->phase[i].hops = run[i].hops;
        *hops += run[i].hops;
    }
    m->offline.phases = p->plan.phases;
    m->offline.phase = m->phase;
out:
    np_memory_free(run);
    return st;
}

static np_status list_hops(player *p, made *m, uint64_t hops)
{
    np_status st = np_memory_array(&m->hop, hops, sizeof *m->hop, "the hops of a schedule");
    if (st)
        return st;
    p->hop = m->hop;
    p->made = &m->offline;
    m->offline.hop = m->hop;
    m->offline.hops = hops;
    return play(p, true, NULL);
}

/* ---- The replay ---- */

static np_status begin_replay(player *p, np_replay **out)
{
    np_status st = np_replay_create(p->network, p->traffic, out);
    if (!st && p->observer)
        np_replay_listen(*out, np_hop_list_hear, &p->replayed);
    return st;
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
    const np_hop_ends ends = {.at = np_traffic_sources(p->traffic), .end = np_traffic_destinations(p->traffic)};
    return p->observer ? np_hop_list_tell(&p->replayed, p->observer, &phase, &ends, &p->run) : NP_OK;
}

static void take_measures(const np_phase_run *run, uint32_t stored, np_offline *offline)
{
    offline->steps = run->steps;
    offline->hops = run->hops;
    offline->delay_max = run->delay_max;
    offline->delay_mean = run->packets ? (double)run->delay_sum / run->packets : 0;
    offline->congestion = run->congestion;
    offline->population_max = run->population_max;
    offline->stored_max = stored;
}

/* If the replay refuses a schedule made here, that is an internal error. */
static np_status replay_found(player *p, made *m)
{
    np_replay *replay;
    uint32_t stored = 0;
    np_status st = begin_replay(p, &replay);
    for (uint64_t i = 0; i < m->offline.hops && !st; i++)
        if (!(st = np_replay_move(replay, m->hop[i].step, m->hop[i].packet, m->hop[i].link)) && i % TELL_EVERY == 0)
            st = np_watch_share(&p->watch, "the replay", (double)i / (double)m->offline.hops);
    if (!st && !(st = np_replay_end(replay, &p->run, &stored)))
        take_measures(&p->run, stored, &m->offline);
    np_replay_free(replay);
    return st == NP_ERROR_APPLY ? np_status_prefix(NP_ERROR_INTERNAL, "a schedule that was found: ") : st;
}

static np_status find(player *p, const np_offline_options *options, made *m)
{
    uint64_t hops = 0;
    uint32_t h;
    np_status st;
    if ((st = open_player(options, p)) || (st = measure_phases(p, m, &hops)) || (st = list_hops(p, m, hops)) ||
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
    np_replay *replay = NULL;
    uint32_t stored = 0;
    np_status st;
    if ((st = begin_replay(p, &replay)) || (st = np_schedule_read(m->instance.file, &p->watch, replay)))
        goto out;
    st = np_replay_end(replay, &p->run, &stored);
    if (st)
        st = np_status_prefix(st, "%s: ", m->instance.file);
    else
        take_measures(&p->run, stored, &m->offline);
out:
    np_replay_free(replay);
    return st;
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
    if ((st = np_options_take(&np_offline_options_fields, given, &options)))
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
    if (!st && !(st = tell(&p)))
        *out = &m->offline;
    else if (m)
        np_offline_free(&m->offline);
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
    np_memory_free(m->rule);
    np_memory_free(m->phase);
    np_memory_free(m->hop);
    np_memory_free(m);
}
