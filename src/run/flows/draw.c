/*
 * Flows of a spec: those of a file, or a flow for each packet of a traffic; or, with a load, flows that arrive at
 * random between the ends of these.
 *
 * With a load, arrivals are a Poisson process: the times between them are exponential, with the mean at which the sizes
 * sum up to the load's share of what the links out of all sources carry. Each arrival draws one of the pairs, all
 * equally likely, its time and its size, by its own number. Where the traffic itself is random, it is drawn anew (as
 * run 1, 2, ...) for every so many arrivals as it has packets.
 */
#include <string.h>

#include "base/memory.h"
#include "base/real.h"
#include "base/room.h"
#include "run/flows/flows.h"

enum { ARRIVALS = 10000, DRAW_PAIR = 0, DRAW_TIME = 1, DRAW_SIZE = 2 };

/* ---- A set ---- */

void np_flow_set_clear(np_flow_set *set)
{
    NP_MEMORY_FREE(set->source, set->destination, set->size, set->start);
    *set = (np_flow_set){.flows = 0};
}

static np_status make_room(np_flow_set *set, size_t flows)
{
    size_t kept = set->flows;
    np_status st;
    if (flows >= NP_PACKETS_MAX)
        return NP_RAISE(NP_ERROR_LIMIT, "2^31 flows or more");
    if ((st = np_memory_grow(&set->source, kept, flows, sizeof *set->source, "flows")) ||
        (st = np_memory_grow(&set->destination, kept, flows, sizeof *set->destination, "flows")) ||
        (st = np_memory_grow(&set->size, kept, flows, sizeof *set->size, "flows")) ||
        (st = np_memory_grow(&set->start, kept, flows, sizeof *set->start, "flows")))
        return st;
    set->room = flows;
    return NP_OK;
}

np_status np_flow_set_add(np_flow_set *set, np_node source, np_node destination, double size, double start)
{
    np_status st = NP_OK;
    if (set->flows == set->room && (st = make_room(set, 64 + set->room + set->room / 2)))
        return st;
    set->source[set->flows] = source;
    set->destination[set->flows] = destination;
    set->size[set->flows] = size;
    set->start[set->flows++] = start;
    return NP_OK;
}

/* ---- What the traffic says ---- */

static np_status take_packets(const np_traffic *traffic, np_flow_set *set)
{
    np_status st = make_room(set, traffic->packets + 1);
    for (np_packet i = 0; !st && i < traffic->packets; i++)
        st = np_flow_set_add(set, traffic->source[i], traffic->destination[i], 1, 0);
    return st;
}

static np_status read_spec(const np_network *network, const char *spec, uint64_t seed, uint32_t run,
                           const np_flows_units *units, np_flow_set *set)
{
    np_traffic *traffic;
    np_status st;
    if (!strncmp(spec, "file:", 5))
        return np_flows_read_list(spec + 5, network, units, set);
    if ((st = np_traffic_create(spec, network, seed, run, &traffic)))
        return st;
    st = take_packets(traffic, set);
    np_traffic_free(traffic);
    return st;
}

/* ---- Sizes ---- */

typedef struct maker {
    const np_network *network;
    const char *spec;
    const np_flows_options *options;
    const np_flows_units *units;
    np_sizes sizes; /* without points: there is no file of sizes */
    double size;    /* of all flows, if the traffic says none */
    np_flow_set *out;
    np_draws draws;
} maker;

/* In ]0, 1], of 53 bits. */
static double draw_share(const maker *m, uint32_t flow, uint32_t which)
{
    return (double)((np_random_u64(&m->draws, flow, which) >> 11) + 1) / 9007199254740992.0;
}

static double draw_size(const maker *m, uint32_t flow)
{
    return m->sizes.count ? np_sizes_at(&m->sizes, draw_share(m, flow, DRAW_SIZE)) : m->size;
}

static np_status read_sizes(maker *m, bool has_sizes)
{
    const np_flows_options *o = m->options;
    if (has_sizes && (o->flow_size || o->flow_sizes))
        return NP_RAISE(NP_ERROR_INPUT, "%s: the traffic says the sizes of its flows itself",
                        o->flow_size ? "size" : "sizes");
    if (o->flow_size && o->flow_sizes)
        return NP_RAISE(NP_ERROR_INPUT, "size and sizes: flows have one size, or sizes by a file");
    if (!has_sizes && !o->flow_size && !o->flow_sizes && m->units->bytes)
        return NP_RAISE(NP_ERROR_INPUT,
                        "with a link rate sizes are bytes, and '%.80s' says none: give --size or "
                        "--sizes",
                        m->spec);
    if (o->flow_sizes)
        return np_sizes_read(o->flow_sizes, m->units, &m->sizes);
    const char *text = o->flow_size ? o->flow_size : "1";
    const char *wrong = np_flows_read_size((np_text_field){text, strlen(text)}, m->units, &m->size);
    return wrong ? NP_RAISE(NP_ERROR_INPUT, "size '%.80s': %s", text, wrong) : NP_OK;
}

/* ---- Arrivals ---- */

static double mean_size(const maker *m, const np_flow_set *pairs)
{
    double sum = 0;
    if (m->sizes.count)
        return np_sizes_mean(&m->sizes);
    if (!pairs->has_sizes)
        return m->size;
    for (size_t i = 0; i < pairs->flows; i++)
        sum += pairs->size[i];
    return sum / (double)pairs->flows;
}

/* Links that leave the sources of the pairs. */
static np_status count_links(const maker *m, const np_flow_set *pairs, uint64_t *links)
{
    bool *met;
    np_status st = np_memory_zeroed(&met, np_network_nodes(m->network), sizeof *met, "the sources of flows");
    *links = 0;
    for (size_t i = 0; !st && i < pairs->flows; i++) {
        np_node u = pairs->source[i];
        for (np_link l = np_network_first_link(m->network, u); !met[u] && l < np_network_first_link(m->network, u + 1);
             l++)
            *links += np_network_link_head(m->network, l) != NP_NONE;
        met[u] = true;
    }
    np_memory_free(met);
    return st;
}

/* Flows a unit of time. */
static np_status find_pace(const maker *m, const np_flow_set *pairs, double *pace)
{
    uint64_t links;
    double mean = mean_size(m, pairs);
    np_status st = count_links(m, pairs, &links);
    if (st)
        return st;
    if (!(mean > 0) || !links)
        return NP_RAISE(NP_ERROR_INPUT, "load: %s", links ? "all flows have size 0" : "no link leaves a source");
    *pace = m->options->load * (double)links * m->units->moments / mean;
    return NP_OK;
}

/* Anew for every so many arrivals, if the traffic is random. */
static np_status renew_pairs(const maker *m, uint32_t run, np_flow_set *pairs)
{
    np_flow_set_clear(pairs);
    return read_spec(m->network, m->spec, m->options->seed, run, m->units, pairs);
}

static np_status arrive(maker *m, np_flow_set *pairs, double pace, bool random)
{
    uint64_t arrivals = m->options->arrivals ? m->options->arrivals : ARRIVALS;
    size_t each = pairs->flows;
    double now = 0;
    np_status st = make_room(m->out, arrivals + 1);
    for (uint32_t i = 0; !st && i < arrivals; i++) {
        if (random && i && i % each == 0 && (st = renew_pairs(m, (uint32_t)(i / each), pairs)))
            break;
        uint32_t pair = np_random_below(&m->draws, i, DRAW_PAIR, (uint32_t)pairs->flows);
        now -= np_log(draw_share(m, i, DRAW_TIME)) / pace;
        st = np_flow_set_add(m->out, pairs->source[pair], pairs->destination[pair],
                             pairs->has_sizes ? pairs->size[pair] : draw_size(m, i), now);
    }
    return st;
}

static np_status draw_arrivals(maker *m)
{
    np_flow_set pairs = {.flows = 0};
    double pace = 1;
    uint64_t packets;
    bool random = false;
    np_status st = read_spec(m->network, m->spec, m->options->seed, 0, m->units, &pairs);
    if (!st && strncmp(m->spec, "file:", 5))
        st = np_traffic_estimate(m->spec, m->network, &packets, &random);
    if (!st && !pairs.flows)
        st = NP_RAISE(NP_ERROR_INPUT, "load: traffic '%.80s' has no packet, so no flow can arrive", m->spec);
    if (!st && pairs.has_starts)
        st = NP_RAISE(NP_ERROR_INPUT, "load: the traffic says itself when its flows start");
    if (!st && !(st = read_sizes(m, pairs.has_sizes)) && !(st = find_pace(m, &pairs, &pace)))
        st = arrive(m, &pairs, pace, random);
    np_flow_set_clear(&pairs);
    return st;
}

/* ---- All at once ---- */

static np_status take_all(maker *m)
{
    np_status st = read_spec(m->network, m->spec, m->options->seed, 0, m->units, m->out);
    if (st || (st = read_sizes(m, m->out->has_sizes)))
        return st;
    for (size_t i = 0; !m->out->has_sizes && i < m->out->flows; i++)
        m->out->size[i] = draw_size(m, (uint32_t)i);
    return NP_OK;
}

np_status np_flows_make(const np_network *network, const char *traffic, const np_flows_options *options,
                        const np_flows_units *units, np_flow_set *set)
{
    maker m = {.network = network,
               .spec = traffic,
               .options = options,
               .units = units,
               .out = set,
               .draws = {.seed = options->seed, .purpose = NP_RANDOM_ARRIVAL}};
    np_status st = options->load > 0 ? draw_arrivals(&m) : take_all(&m);
    np_memory_free(m.sizes.point);
    return st;
}
