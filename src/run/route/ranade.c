/*
 * The scheme `ranade`: permutation routing on the wrapped butterfly in six
 * phases, with queues of constant size and no deadlock (Ranade 1987b, section 5.1).
 *
 * Message i has the tag <h(i), i>. Phases 1 to 3 take it to module h(i), phases 4
 * to 6 take it on to its destination. h is a polynomial of degree 8n - 1, random for
 * each run. The engine moves the tags (engine/merging/ranade.h).
 *
 * In the paper i is the processor that sends. Here i is the number of the packet.
 * With one packet for each processor the two are the same up to a permutation, and
 * h does not see this permutation. With numbers of packets a processor may also send
 * or receive several packets. Corollary 1 says nothing about such traffic.
 *
 * Node <w, l> of the network is the engine's processor <c, r>: c = l, and r is the
 * bits of w backwards, because the engine crosses the lowest bit first and the
 * network the highest bit first. Then every edge from logical column c is a link: in
 * phases 1 to 3 up, to level c + 1 mod n; in phases 4 to 6 down.
 *
 * Measures:
 *   steps, levels   as in engine/merging/ranade.h: the arrival of a message takes a step of its own.
 *   delay           the lag of section 4. A processor of column c sends from step c on. A
 *                   message that waits nowhere reaches column 6n - c' in step 6n - c',
 *                   counted from 0.
 *   population_max  the most packets that one queue holds, or one processor before or after
 *                   the run. The population of a node, which is six or seven switches, is
 *                   not followed.
 *   congestion      of the links of the logical network.
 */
#include <string.h>

#include "base/account.h"
#include "base/memory.h"
#include "base/polynomial.h"
#include "model/leveled/physical.h"
#include "model/leveled/six_phases.h"
#include "engine/merging/ranade.h"
#include "run/route/plan.h"

enum {
    PACKETS_MAX = 1 << 30,  /* a tag has 30 bits in the engine */
    CHUNK = 2048,           /* packets hashed at once: ours */
    SWITCHES_OF_A_NODE = 7, /* a node of column 0; nodes of other columns have six */
    EDGES_OF_A_LINK = 3     /* a straight link: phases 1 to 3, or 4 to 6; a link that crosses has one edge */
};

/*
 * The packets of a run. All arrays are [count + 1], in the order of tags; `place` is in the order of packets at first.
 */
typedef struct packets {
    uint32_t *module, *begin, *processor, *target, *delay;
    uint32_t *place;   /* first, by packets: the module; later, by tags: the row of the message */
    np_packet *number; /* in the traffic, if somebody observes; else NULL */
    np_packet count;
    bool observed;
    void *block;
    size_t block_bytes;
} packets;

typedef struct six_phases {
    np_runner base;
    uint32_t n, nodes;
    np_divider by_n;
    np_ranade *ranade; /* its queues have room `built` */
    uint32_t built;
    uint64_t *coefficient; /* [8 n] of h */
    uint32_t *count;       /* [nodes + 1] packets of a module, of a processor, or over a link */
    void *block;           /* both arrays */
    packets packets;
} six_phases;

static void layout(void *object, np_arena *arena)
{
    six_phases *r = object;
    np_arena_array(arena, &r->coefficient, 8 * (size_t)r->n, sizeof *r->coefficient, "a hash function");
    np_arena_array(arena, &r->count, (size_t)r->nodes + 1, sizeof *r->count, "counts of modules");
}

static void layout_packets(void *object, np_arena *arena)
{
    packets *p = object;
    size_t room = (size_t)p->count + 1;
    NP_ARENA_WORDS(arena, room, "the packets", &p->module, &p->begin, &p->processor, &p->target, &p->delay, &p->place);
    if (p->observed)
        np_arena_array(arena, &p->number, room, sizeof *p->number, "the packets");
}

static six_phases sizes_of(const np_route_plan *plan)
{
    uint32_t n = plan->network->dimensions;
    return (six_phases){.base.plan = plan, .n = n, .nodes = np_network_nodes(plan->network), .by_n = np_divider_of(n)};
}

static void clear(np_runner *runner)
{
    six_phases *r = (six_phases *)runner;
    np_ranade_free(r->ranade);
    NP_MEMORY_FREE(r->packets.block, r->block);
}

static np_status init(np_runner *runner)
{
    six_phases *r = (six_phases *)runner;
    *r = sizes_of(runner->plan);
    return np_arena_place(r, layout, "a runner", &r->block);
}

/* The room that the options ask for; room for more than all messages would be of no use. */
static uint32_t room_of(const np_route_plan *plan, uint64_t count)
{
    uint32_t size = plan->options.merge.queue_size;
    return size < count ? size : count ? (uint32_t)count : 1;
}

static np_status reserve(six_phases *r, np_packet count)
{
    packets *p = &r->packets;
    uint32_t room = room_of(r->base.plan, count);
    np_status st;
    if (count >= PACKETS_MAX)
        return NP_RAISE(NP_ERROR_LIMIT, "%u packets: scheme 'ranade' takes fewer than 2^30", count);
    p->count = count;
    p->observed = r->base.plan->options.observer != NULL;
    if ((st = np_arena_renew(p, layout_packets, "the packets", &p->block, &p->block_bytes)) || r->built == room)
        return st;
    np_ranade_free(r->ranade);
    r->built = 0;
    st = np_ranade_create(r->n, room, &r->ranade);
    r->built = st ? 0 : room;
    return st;
}

/* place[i] = h(i). */
static void place(six_phases *r, np_draws draws)
{
    packets *p = &r->packets;
    uint64_t hash[CHUNK];
    draws = np_draws_for(draws, NP_RANDOM_HASH);
    np_polynomial_draw(&draws, 0, 8 * r->n, r->coefficient);
    for (np_packet i = 0; i < p->count; i += CHUNK) {
        np_packet some = p->count - i < CHUNK ? p->count - i : CHUNK;
        np_polynomial_run(r->coefficient, 8 * r->n, i, some, hash);
        for (np_packet j = 0; j < some; j++)
            p->place[i + j] = (uint32_t)(hash[j] % r->nodes);
    }
}

/* Puts the packets in the order of <h(i), i>. */
static void sort(six_phases *r, const np_traffic *traffic)
{
    const np_node *source = np_traffic_sources(traffic), *destination = np_traffic_destinations(traffic);
    packets *p = &r->packets;
    memset(r->count, 0, ((size_t)r->nodes + 1) * sizeof *r->count);
    for (np_packet i = 0; i < p->count; i++)
        r->count[p->place[i] + 1]++;
    for (uint32_t v = 0; v < r->nodes; v++)
        r->count[v + 1] += r->count[v];
    for (np_packet i = 0; i < p->count; i++) {
        uint32_t k = r->count[p->place[i]]++;
        p->module[k] = p->place[i];
        p->processor[k] = np_six_phases_processor(r->n, source[i]);
        p->target[k] = np_six_phases_processor(r->n, destination[i]);
    }
    for (np_packet k = 0; k <= p->count; k++)
        p->begin[k] = k;
}

/* number[k] = the packet of tag k, for observers; after sort(), which leaves in count[] where each module ends. */
static void number_packets(six_phases *r)
{
    packets *p = &r->packets;
    for (np_packet i = p->count; i-- > 0;)
        p->number[--r->count[p->place[i]]] = i;
}

static inline uint32_t row_of(const six_phases *r, uint32_t processor) { return np_divide(processor, r->by_n); }
static inline uint32_t column_of(const six_phases *r, uint32_t processor) { return np_modulo(processor, r->by_n); }

/* Moves the rows of all messages that cross from column c to the next one; returns the most messages over one edge. */
static uint32_t cross(six_phases *r, uint32_t c, uint64_t *hops)
{
    packets *p = &r->packets;
    uint32_t n = r->n, rows = UINT32_C(1) << n, most = 0;
    bool out = c >= n && c < 2 * n, back = c >= 4 * n && c < 5 * n;
    uint32_t bit = out ? UINT32_C(1) << (c - n) : back ? UINT32_C(1) << (5 * n - 1 - c) : 0;
    memset(r->count, 0, 2 * (size_t)rows * sizeof *r->count);
    for (np_packet k = 0; k < p->count; k++) {
        if (c < column_of(r, p->processor[k]) || c >= 6 * n - column_of(r, p->target[k]))
            continue;
        uint32_t to = back ? row_of(r, p->target[k]) : p->module[k] & (rows - 1);
        uint32_t across = (p->place[k] ^ to) & bit;
        uint32_t here = ++r->count[2 * p->place[k] + (across != 0)];
        most = here > most ? here : most;
        p->place[k] ^= across;
        ++*hops;
    }
    return most;
}

/* Hops and congestion: these depend on the paths alone, so nothing moves. */
static void measure_paths(six_phases *r, np_phase_run *out)
{
    packets *p = &r->packets;
    for (np_packet k = 0; k < p->count; k++)
        p->place[k] = row_of(r, p->processor[k]);
    for (uint32_t c = 0; c < 6 * r->n; c++) {
        uint32_t here = cross(r, c, &out->hops);
        out->congestion = here > out->congestion ? here : out->congestion;
    }
    out->congestion_destinations = out->congestion;
}

/* The most packets of one processor. processor: of each packet, the one that sends it, or the one that gets it. */
static uint32_t most_of(six_phases *r, const uint32_t *processor)
{
    uint32_t most = 0;
    memset(r->count, 0, (size_t)r->nodes * sizeof *r->count);
    for (np_packet k = 0; k < r->packets.count; k++)
        if (++r->count[processor[k]] > most)
            most = r->count[processor[k]];
    return most;
}

static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

static np_status move(six_phases *r, const np_runner_job *of, np_phase_run *out)
{
    packets *p = &r->packets;
    const np_event_phase phase = np_runner_phase(of, r->base.plan->network);
    np_ranade_job job = {.observer = np_runner_observer(of),
                         .phase = &phase,
                         .leveled = r->base.plan->shared,
                         .physical = r->base.plan->options.merge.physical,
                         .number = p->number,
                         .tags = p->count,
                         .module = p->module,
                         .begin = p->begin,
                         .processor = p->processor,
                         .target = p->target,
                         .home = p->delay,
                         .workers = np_route_plan_workers(r->base.plan),
                         .watch = np_runner_watch(of)};
    np_ranade_run run;
    if (job.workers > np_ranade_worth(r->n))
        job.workers = np_ranade_worth(r->n);
    np_status st = np_ranade_send(r->ranade, &job, NULL, &run);
    if (st)
        return st;
    out->steps = (np_step)run.steps;
    out->physical_steps = run.physical_steps;
    out->ghosts = run.ghosts;
    out->queue_max = out->queue_real_max = run.queue_max; /* ghosts take no place in these queues */
    out->node_steps = run.steps * ((6 * (uint64_t)r->n + 1) << r->n);
    for (np_packet k = 0; k < p->count; k++) {
        p->delay[k] -= 6 * r->n - column_of(r, p->target[k]);
        out->delay_max = larger(out->delay_max, p->delay[k]);
        out->delay_sum += p->delay[k];
    }
    return NP_OK;
}

static np_status run(np_runner *runner, const np_runner_job *job, np_phase_run *out, np_delays *delays)
{
    six_phases *r = (six_phases *)runner;
    np_status st = reserve(r, np_traffic_packets(job->traffic));
    if (st)
        return st;
    *out = (np_phase_run){.packets = r->packets.count, .levels = 6 * r->n};
    place(r, job->draws);
    sort(r, job->traffic);
    if (r->packets.observed)
        number_packets(r);
    measure_paths(r, out);
    if ((st = move(r, job, out)))
        return st;
    out->population_max =
        larger(larger(most_of(r, r->packets.processor), most_of(r, r->packets.target)), out->queue_max);
    *delays = (np_delays){r->packets.delay, r->packets.count, 0};
    st = np_ranade_observe_end(r->ranade, out);
    out->emulation = (np_emulation_result){SWITCHES_OF_A_NODE, 2, EDGES_OF_A_LINK, EDGES_OF_A_LINK};
    return st;
}

/* plan->shared: the leveled network, for observers and physical steps alone. */
static np_status make_leveled(np_route_plan *plan)
{
    np_leveled *leveled, sizes = np_six_phases_sizes(plan->network);
    plan->shared_bytes = np_leveled_bytes(&sizes);
    np_status st = np_account_allow(plan->shared_bytes, "a smaller network", "the leveled network of six phases on %s",
                                    np_network_spec(plan->network));
    if (st || (st = np_six_phases_create(plan->network, &leveled)))
        return st;
    plan->shared = leveled;
    return NP_OK;
}

static np_status bind(np_route_plan *plan)
{
    plan->phases = 1; /* the six phases overlap in time, so results show them as one */
    plan->paths = "six phases";
    np_route_plan_say_queue(plan, "merge:%u", plan->options.merge.queue_size);
    return plan->options.observer || plan->options.merge.physical ? make_leveled(plan) : NP_OK;
}

static void unbind(np_route_plan *plan) { np_leveled_free(plan->shared); }

static void phase(const np_route_plan *plan, unsigned number, np_phase_result *out)
{
    (void)plan, (void)number;
    out->leveled = true;
}

static uint64_t bytes(const np_route_plan *plan)
{
    six_phases sizes = sizes_of(plan);
    bool observed = plan->options.observer != NULL;
    const np_leveled leveled = np_six_phases_sizes(plan->network);
    packets p = {.count = (np_packet)plan->packets, .observed = observed};
    return (plan->options.merge.physical ? np_physical_bytes(&leveled) : 0) +
           (observed ? np_ranade_observing_bytes(sizes.n, plan->packets) : 0) +
           np_arena_bytes(&sizes, sizeof sizes, layout) + np_arena_bytes(&p, 0, layout_packets) +
           np_ranade_bytes(sizes.n, room_of(plan, plan->packets), plan->packets, true);
}

static const np_runner_ops six_phases_runner = {
    .bind = bind,
    .unbind = unbind,
    .phase = phase,
    .bytes = bytes,
    .size = sizeof(six_phases),
    .init = init,
    .clear = clear,
    .run = run,
};

static const char *refuses(const np_network *network)
{
    if (!np_network_is(network, NP_KIND_BUTTERFLY))
        return "its six phases go round a wrapped butterfly";
    return network->dimensions > NP_RANADE_N_MAX ? "it is for at most 20 levels" : NULL;
}

const np_scheme np_scheme_ranade = {
    .info = {"ranade", "by way of a random module, six phases, sorted streams, queues of constant size",
             "Ranade 1987b, section 5.1", .networks = "butterfly"},
    .refuses = refuses,
    .runner = &six_phases_runner,
    .heeds = NP_NAMES("queue_size", "physical", "trace"),
};
