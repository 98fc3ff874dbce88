/*
 * The scheme `ranade`: permutation routing on the wrapped butterfly in six
 * phases, with queues of constant size and no deadlock (Ranade 1987b, section 5.1).
 *
 * Message i goes with the tag <h(i), i> to module h(i) in phases 1 to 3 and on to its destination in
 * phases 4 to 6, where h is a polynomial of degree 8n - 1, random for each run. The engine moves the tags
 * (merging/ranade.h). In the paper i is the processor that sends; here it is the number of the packet, which for one
 * packet a processor is the same up to a permutation that h does not see. So several packets a processor, or for one,
 * come for nothing; Corollary 1 does not speak of them.
 *
 * Node <w, l> of the network is the engine's processor <c, r> with c = l and r the bits of w backwards: the
 * engine crosses the lowest bit first, the network the highest. Then every edge from logical column c is a link: in
 * phases 1 to 3 up, to level c + 1 mod n, in phases 4 to 6 down.
 *
 * Measures. A step and the levels are as in merging/ranade.h: the arrival of a message takes a step of its own. Delay is
 * the lag of section 4: from column c to 6n - c', a message that waits nowhere is there in step 6n - c', counted from
 * 0; a processor of column c sends from step c on. Populations of nodes, each of six or seven switches, are not
 * followed: population_max is what one queue holds, or one processor before or after. Congestion is that of links of
 * the logical network.
 */
#include "route/ranade.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/polynomial.h"
#include "merging/merge.h"
#include "merging/ranade.h"
#include "network/network.h"
#include "route/scheme.h"

enum {
    PACKETS_MAX = 1 << 30, /* a tag has 30 bits in the engine */
    CHUNK = 256,
    SWITCHES_OF_A_NODE = 7, /* of column 0; six of others */
    EDGES_OF_A_LINK = 3     /* straight ones: phases 1 to 3, or 4 to 6; a link that crosses has one */
};

/* The packets of a run, in order of tags; all [room]. */
typedef struct packets {
    uint32_t *module, *begin, *processor, *target, *delay;
    uint32_t *place; /* in order of packets: the module; later on, by tags: the row of a message on its way */
    np_packet count;
    size_t room;
} packets;

typedef struct ranade_mover {
    np_mover base;
    uint32_t n, nodes, queue_size; /* as given */
    char queue[24];
    np_divider by_n;
    np_ranade *ranade; /* of queues of room `built` */
    uint32_t built;
    uint64_t *coefficient; /* [8 n] of h */
    uint32_t *count;       /* [nodes + 1]; of packets by module, by processor, over links */
    packets packets;
} ranade_mover;

static void free_ranade(np_mover *mover)
{
    ranade_mover *r = (ranade_mover *)mover;
    packets *p = &r->packets;
    void *owned[] = {p->module, p->begin, p->processor, p->target, p->delay, p->place, r->coefficient, r->count, r};
    np_ranade_free(r->ranade);
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        np_memory_free(owned[i]);
}

static np_status check(const np_route_options *options)
{
    const np_merge_options *merge = &options->merge;
    const char *name = np_merge_options_of_ranks(merge);
    name = merge->room != NP_ROOM_BEGIN ? "room" : merge->waves ? "waves" : name;
    if (options->queue)
        return NP_RAISE(NP_ERROR_INPUT, "scheme 'ranade' merges by module, it has no queue discipline such as '%s'",
                        options->queue);
    if (name)
        return NP_RAISE(NP_ERROR_INPUT,
                        "scheme 'ranade' has queues of some size and no other option, not '%s': try --scheme ranked",
                        name);
    return NP_OK;
}

static const np_mover_ops ranade_ops;

static np_status create(const np_network *network, const np_route_options *options, const np_mover *like,
                        np_mover **out)
{
    ranade_mover *r;
    np_status st;
    (void)like;
    if ((st = check(options)) || (st = np_memory_zeroed(&r, 1, sizeof *r, "the scheme's tables")))
        return st;
    r->base.ops = &ranade_ops;
    r->n = network->dimensions;
    r->nodes = np_network_nodes(network);
    r->by_n = np_divider_of(r->n);
    r->queue_size = options->merge.queue_size;
    snprintf(r->queue, sizeof r->queue, "merge:%u", r->queue_size);
    if ((st = np_memory_array(&r->coefficient, 8 * (size_t)r->n, sizeof *r->coefficient, "a hash function")) ||
        (st = np_memory_array(&r->count, (size_t)r->nodes + 1, sizeof *r->count, "counts of modules"))) {
        free_ranade(&r->base);
        return st;
    }
    *out = &r->base;
    return NP_OK;
}

/* Queues of as much room as asked for; but more than there are messages is of no use. */
static uint32_t room_of(const ranade_mover *r, uint64_t count)
{
    return r->queue_size < count ? r->queue_size : count ? (uint32_t)count : 1;
}

static np_status reserve(ranade_mover *r, np_packet count)
{
    packets *p = &r->packets;
    uint32_t **array[] = {&p->module, &p->begin, &p->processor, &p->target, &p->delay, &p->place};
    uint32_t room = room_of(r, count);
    np_status st;
    if (count >= PACKETS_MAX)
        return NP_RAISE(NP_ERROR_LIMIT, "%u packets: scheme 'ranade' takes fewer than 2^30", count);
    p->count = count;
    for (size_t i = 0; (size_t)count + 1 > p->room && i < sizeof array / sizeof *array; i++)
        if ((st = np_memory_grow(array[i], 0, (size_t)count + 1, sizeof **array[i], "the packets")))
            return st;
    p->room = (size_t)count + 1 > p->room ? (size_t)count + 1 : p->room;
    if (r->built == room)
        return NP_OK;
    np_ranade_free(r->ranade);
    r->ranade = NULL;
    r->built = 0;
    if ((st = np_ranade_create(r->n, room, &r->ranade)))
        return st;
    r->built = room;
    return NP_OK;
}

uint32_t np_ranade_processor(uint32_t n, np_node u)
{
    uint32_t w = u / n, row = 0;
    for (uint32_t i = 0; i < n; i++)
        row |= (w >> i & 1) << (n - 1 - i);
    return row * n + u % n;
}

/* place[i] = h(i). */
static void place(ranade_mover *r, np_draws draws)
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

/* Packets in the order of <h(i), i>. */
static void sort(ranade_mover *r, const np_traffic *traffic)
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
        p->processor[k] = np_ranade_processor(r->n, source[i]);
        p->target[k] = np_ranade_processor(r->n, destination[i]);
    }
    for (np_packet k = 0; k <= p->count; k++)
        p->begin[k] = k;
}

static inline uint32_t row_of(const ranade_mover *r, uint32_t processor) { return np_divide(processor, r->by_n); }
static inline uint32_t column_of(const ranade_mover *r, uint32_t processor) { return np_modulo(processor, r->by_n); }

/* All that are on their way over the edges from column c to the next one; returns the most over one. */
static uint32_t cross(ranade_mover *r, uint32_t c, uint64_t *hops)
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

/* What is known of the paths without moving anything. */
static void measure_paths(ranade_mover *r, np_phase_run *out)
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

/* Most packets that one processor sends, or gets. */
static uint32_t most_of(ranade_mover *r, const uint32_t *processor)
{
    uint32_t most = 0;
    memset(r->count, 0, (size_t)r->nodes * sizeof *r->count);
    for (np_packet k = 0; k < r->packets.count; k++)
        if (++r->count[processor[k]] > most)
            most = r->count[processor[k]];
    return most;
}

static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

static np_status move(ranade_mover *r, np_phase_run *out)
{
    packets *p = &r->packets;
    np_ranade_job job = {.tags = p->count,
                         .module = p->module,
                         .begin = p->begin,
                         .processor = p->processor,
                         .target = p->target,
                         .home = p->delay};
    np_ranade_run run;
    np_status st = np_ranade_send(r->ranade, &job, NULL, &run);
    if (st)
        return st;
    out->steps = (np_step)run.steps;
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

static np_status run(np_mover *mover, unsigned phase, np_draws draws, const np_traffic *traffic, np_phase_run *out,
                     const uint32_t **delay, size_t *delays)
{
    ranade_mover *r = (ranade_mover *)mover;
    np_status st = reserve(r, np_traffic_packets(traffic));
    (void)phase;
    if (st)
        return st;
    *out = (np_phase_run){.packets = r->packets.count, .levels = 6 * r->n};
    place(r, draws);
    sort(r, traffic);
    measure_paths(r, out);
    if ((st = move(r, out)))
        return st;
    out->population_max =
        larger(larger(most_of(r, r->packets.processor), most_of(r, r->packets.target)), out->queue_max);
    *delay = r->packets.delay;
    *delays = r->packets.count;
    return NP_OK;
}

static unsigned phases(const np_mover *mover)
{
    (void)mover;
    return 1; /* they flow into one another */
}

static void name(const np_mover *mover, unsigned phase, char text[8])
{
    (void)mover, (void)phase;
    memcpy(text, "route", sizeof "route");
}

static const char *paths(const np_mover *mover)
{
    (void)mover;
    return "six phases";
}

static const char *queue(const np_mover *mover) { return ((const ranade_mover *)mover)->queue; }

static void emulation(const np_mover *mover, unsigned phase, np_emulation_result *out)
{
    (void)mover, (void)phase;
    *out = (np_emulation_result){SWITCHES_OF_A_NODE, 2, EDGES_OF_A_LINK};
}

static uint64_t bytes(const np_mover *mover, uint64_t count)
{
    const ranade_mover *r = (const ranade_mover *)mover;
    return np_ranade_bytes(r->n, room_of(r, count), count) + count * 6 * sizeof(uint32_t) + r->nodes * sizeof(uint32_t);
}

static const np_mover_ops ranade_ops = {
    .create = create,
    .free = free_ranade,
    .phases = phases,
    .name = name,
    .paths = paths,
    .queue = queue,
    .emulation = emulation,
    .bytes = bytes,
    .run = run,
};

static const char *refuses(const np_network *network)
{
    const char *reason = np_scheme_needs(network, "butterfly", "its six phases go round a wrapped butterfly");
    if (!reason && network->dimensions > NP_RANADE_N_MAX)
        reason = "it is for at most 20 levels";
    return reason;
}

const np_scheme_ops np_scheme_ranade = {
    .info = {"ranade", "by way of a random module, six phases, sorted streams, queues of constant size",
             "Ranade 1987b, section 5.1", .networks = "butterfly"},
    .mover = &ranade_ops,
    .sized = true,
    .refuses = refuses,
};
