/*
 * Off-line schedules as lists of hops (netpram/offline.h).
 *
 * Rows are routed one after the other, so hops come in no order of time. The phases are run three times: to learn how many steps
 * and hops there are, to count the hops of each step, and to put each hop in its place. Then all of them are replayed, in order, by
 * an engine that shares nothing with what made them.
 */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "queueing/replay.h"
#include "route/schedule_file.h"
#include "netpram/offline.h"
#include "netpram/output.h"
#include "route/offline_complete.h"
#include "route/offline_rows.h"

/* The object: what np_offline points to is owned here. */
typedef struct made {
    np_offline offline; /* first: the caller's pointer is this one */
    char *network, *traffic, *file;
    np_offline_phase *phase;
    np_offline_hop *hop;
} made;

/* What makes hops. */
typedef struct player {
    const np_network *network;
    np_traffic *traffic;
    uint64_t seed;
    bool complete;
    uint32_t phases;
    np_offline_rows rows;
    np_offline_complete pairs;
    uint64_t *begin;     /* [steps + 1] of each step, in the list; where its next hop goes */
    np_offline_hop *hop; /* NULL: hops are counted */
    np_step passed;      /* steps of the phases before */
} player;

#define AT(member) offsetof(np_offline_options, member)

static const np_field rows[] = {
    {"seed", NP_FIELD_U64, AT(seed), .help = "Where random traffic comes from", .high = INT64_MAX, .preset = "1",
     .placeholder = "N", .group = "What is to be routed:"},
    {"queue", NP_FIELD_TEXT, AT(rule),
     .help = "Never more than one packet at a node, or no packet that waits (default: exchange)",
     .placeholder = "exchange|straight", .group = "Its schedule:"},
    {"memory", NP_FIELD_BYTES, AT(memory_limit), "bytes",
     .help = "Refuse what needs more, as in 4G (default: what is available)", .placeholder = "BYTES"},
};

const np_fields np_offline_options_fields = {"offline_options", "a schedule", sizeof(np_offline_options),
                                             sizeof rows / sizeof *rows, rows};

void np_offline_options_init(np_offline_options *options) { np_fields_init(&np_offline_options_fields, options); }

static void close_player(player *p)
{
    np_offline_rows_clear(&p->rows);
    np_offline_complete_clear(&p->pairs);
    np_memory_free(p->begin);
    np_traffic_free(p->traffic);
}

static void take_hop(void *context, np_step step, np_packet packet, np_link link)
{
    player *p = context;
    np_step at = p->passed + step;
    if (p->hop)
        p->hop[p->begin[at - 1]++] = (np_offline_hop){at, packet, link};
    else
        p->begin[at]++;
}

static void take_hops(void *context, np_step step, size_t count, const np_packet *packet, const np_link *link)
{
    for (size_t i = 0; i < count; i++)
        take_hop(context, step, packet[i], link[i]);
}

static np_status place(player *p)
{
    p->passed = 0;
    return p->complete ? np_offline_complete_place(&p->pairs, p->traffic) : np_offline_rows_place(&p->rows, p->traffic);
}

static np_status play_phase(player *p, uint32_t phase, bool take, np_phase_run *out)
{
    np_engine_watch watch = {.on_hops = take ? take_hops : NULL, .context = p};
    np_draws draws = {.seed = p->seed};
    p->rows.on_hop = take ? take_hop : NULL;
    p->rows.context = p;
    return p->complete ? np_offline_complete_run(&p->pairs, phase, draws, &watch, out)
                       : np_offline_rows_run(&p->rows, phase, out);
}

/* All phases. out: [phases], may be NULL. */
static np_status play(player *p, bool take, np_phase_run *out)
{
    np_phase_run run;
    np_status st = place(p);
    for (uint32_t phase = 0; phase < p->phases && !st; phase++) {
        if ((st = play_phase(p, phase, take, &run)))
            break;
        p->passed += run.steps;
        if (out)
            out[phase] = run;
    }
    return st;
}

static np_status open_player(const np_network *network, const np_offline_options *options, player *p)
{
    np_line_rule rule;
    const char *reason = np_offline_complete_is(network) ? NULL : np_product_refuses(network);
    np_status st;
    if (reason)
        return NP_RAISE(NP_ERROR_APPLY, "no off-line schedule on %s: %s", np_network_spec(network), reason);
    p->complete = np_offline_complete_is(network);
    if ((st = np_offline_rule(network, options->rule, &rule)))
        return st;
    np_offline_complete_init(&p->pairs, network);
    p->phases = 2;
    if (!p->complete && !(st = np_offline_rows_init(&p->rows, network, rule)))
        p->phases = np_product_phases(&p->rows.plan.product);
    return st;
}

/* ---- The object ---- */

static np_status create(const player *p, const char *path, made **out)
{
    made *m;
    np_status st;
    if ((st = np_memory_zeroed(&m, 1, sizeof *m, "a schedule")))
        return st;
    *out = m;
    m->network = np_memory_text(np_network_spec(p->network));
    m->traffic = np_memory_text(np_traffic_spec(p->traffic));
    m->file = path ? np_memory_text(path) : NULL;
    if (!m->network || !m->traffic || (path && !m->file))
        return NP_ERROR_MEMORY;
    m->offline = (np_offline){.network = m->network,
                              .traffic = m->traffic,
                              .file = m->file,
                              .seed = p->seed,
                              .packets = np_traffic_packets(p->traffic)};
    return NP_OK;
}

static np_status check_limit(const np_network *network, uint64_t packets, uint64_t hops, uint64_t limit)
{
    uint64_t bytes = hops * sizeof(np_offline_hop) + np_replay_bytes(network, packets);
    if (limit && bytes > limit)
        return NP_RAISE(
            NP_ERROR_LIMIT,
            "a schedule of %llu hops needs %.2f GB of memory, %.2f GB are allowed: take a smaller network, or "
            "'netpram route --scheme offline', which lists no hops",
            (unsigned long long)hops, (double)bytes / 1e9, (double)limit / 1e9);
    return NP_OK;
}

/* The phases as they were run; *hops and *steps in all. */
static np_status measure_phases(player *p, made *m, uint64_t *hops, uint64_t *steps)
{
    np_phase_run *run = NULL;
    np_status st;
    if ((st = np_memory_zeroed(&m->phase, p->phases, sizeof *m->phase, "the phases")) ||
        (st = np_memory_zeroed(&run, p->phases, sizeof *run, "the phases")) || (st = play(p, false, run)))
        goto out;
    for (uint32_t i = 0; i < p->phases; i++) {
        snprintf(m->phase[i].name, sizeof m->phase[i].name, "%u", (i + 1) % 1000);
        m->phase[i].steps = run[i].steps;
        m->phase[i].hops = run[i].hops;
        *hops += run[i].hops;
        *steps += run[i].steps;
    }
    m->offline.phases = p->phases;
    m->offline.phase = m->phase;
out:
    np_memory_free(run);
    return st;
}

static np_status list_hops(player *p, made *m, uint64_t hops, uint64_t steps)
{
    np_status st;
    if ((st = np_memory_zeroed(&p->begin, steps + 1, sizeof *p->begin, "the steps of a schedule")) ||
        (st = np_memory_array(&m->hop, hops, sizeof *m->hop, "the hops of a schedule")) || (st = play(p, true, NULL)))
        return st;
    for (uint64_t t = 0; t < steps; t++)
        p->begin[t + 1] += p->begin[t];
    p->hop = m->hop;
    m->offline.hop = m->hop;
    m->offline.hops = hops;
    return play(p, true, NULL);
}

static uint64_t bound_of(const player *p)
{
    uint64_t nodes = np_network_nodes(p->network);
    if (p->complete)
        return 2 * ((p->pairs.colours + nodes - 1) / nodes);
    return np_product_bound(&p->rows.plan.product, p->rows.line.rule);
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

/* A schedule of ours that is refused is a bug of ours. */
static np_status replay_found(const player *p, made *m)
{
    np_replay *replay;
    np_phase_run run;
    uint32_t stored = 0;
    np_status st = np_replay_create(p->network, p->traffic, &replay);
    for (uint64_t i = 0; i < m->offline.hops && !st; i++)
        st = np_replay_move(replay, m->hop[i].step, m->hop[i].packet, m->hop[i].link);
    if (!st && !(st = np_replay_end(replay, &run, &stored)))
        take_measures(&run, stored, &m->offline);
    np_replay_free(replay);
    return st == NP_ERROR_APPLY ? np_status_prefix(NP_ERROR_INTERNAL, "a schedule that was found: ") : st;
}

static np_status find(player *p, const np_offline_options *options, made *m)
{
    uint64_t hops = 0, steps = 0;
    np_status st;
    if ((st = open_player(p->network, options, p)) || (st = measure_phases(p, m, &hops, &steps)) ||
        (st = check_limit(p->network, m->offline.packets, hops, options->memory_limit)) ||
        (st = list_hops(p, m, hops, steps)))
        return st;
    m->offline.bound = bound_of(p);
    m->offline.rule = p->complete ? "fifo" : p->rows.line.rule == NP_LINE_STRAIGHT ? "straight" : "exchange";
    return replay_found(p, m);
}

static np_status load(const player *p, const np_offline_options *options, made *m)
{
    np_replay *replay = NULL;
    np_phase_run run;
    uint32_t stored = 0;
    np_status st;
    if ((st = check_limit(p->network, m->offline.packets, 0, options->memory_limit)) ||
        (st = np_replay_create(p->network, p->traffic, &replay)) || (st = np_schedule_read(m->file, replay)))
        goto out;
    st = np_replay_end(replay, &run, &stored);
    if (st)
        st = np_status_prefix(st, "%s: ", m->file);
    else
        take_measures(&run, stored, &m->offline);
out:
    np_replay_free(replay);
    return st;
}

/* Finds it if path is NULL. */
static np_status make(const np_network *network, const char *traffic, const np_offline_options *options,
                      const char *path, np_offline **out)
{
    player p = {.network = network, .seed = options->seed};
    made *m = NULL;
    np_status st;
    *out = NULL;
    if (!(st = np_traffic_create(traffic, network, options->seed, 0, &p.traffic)) && !(st = create(&p, path, &m)))
        st = path ? load(&p, options, m) : find(&p, options, m);
    if (!st)
        *out = &m->offline;
    else if (m)
        np_offline_free(&m->offline);
    close_player(&p);
    return st;
}

np_status np_offline_find(const np_network *network, const char *traffic, const np_offline_options *options,
                          np_offline **out)
{
    return make(network, traffic, options, NULL, out);
}

np_status np_offline_load(const np_network *network, const char *traffic, const np_offline_options *options,
                          const char *path, np_offline **out)
{
    return make(network, traffic, options, path, out);
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
    np_memory_free(m->network);
    np_memory_free(m->traffic);
    np_memory_free(m->file);
    np_memory_free(m->phase);
    np_memory_free(m->hop);
    np_memory_free(m);
}
