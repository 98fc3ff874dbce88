/*
 * The scheme `offline`: packets whose ways are computed before the first one
 * starts (Sibeyn, lecture notes, off-line routing).
 *
 * On product networks, permutations: 2d-1 phases along the rows of one dimension each, found by edge colouring (offline_plan.c), within
 * 2 T_B + T_C steps. Rows are routed by exchanges or straight (queueing/line.h), which --queue chooses.
 *
 * On complete networks, any traffic: with m the most packets of one node, a packet of colour x goes to node x mod P in phase 1 and to its
 * destination in phase 2. At most ceil(m / P) of a node's colours are the same modulo P, so no link carries more than that in either
 * phase, however unequal the loads are. Packets wait in line for their link, first come, first served.
 */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "route/offline_complete.h"
#include "route/offline_rows.h"
#include "route/scheme.h"

typedef struct offline_mover {
    np_mover base;
    const char *rule; /* word of the rule */
    bool complete;    /* the network is: then `pairs`, else `rows` */
    uint32_t phases;
    np_offline_rows rows;
    np_offline_complete pairs;
} offline_mover;

static const np_mover_ops offline_ops;

static void free_offline(np_mover *mover)
{
    offline_mover *m = (offline_mover *)mover;
    np_offline_rows_clear(&m->rows);
    np_offline_complete_clear(&m->pairs);
    np_memory_free(m);
}

np_status np_offline_rule(const np_network *network, const char *word, np_line_rule *rule)
{
    *rule = word && !strcmp(word, "straight") ? NP_LINE_STRAIGHT : NP_LINE_EXCHANGE;
    if (np_offline_complete_is(network) && word && strcmp(word, "fifo"))
        return NP_RAISE(NP_ERROR_INPUT, "packets of scheme 'offline' on %s wait in line, not by '%s': try --queue fifo",
                        np_network_spec(network), word);
    if (!np_offline_complete_is(network) && word && strcmp(word, "straight") && strcmp(word, "exchange"))
        return NP_RAISE(NP_ERROR_INPUT,
                        "scheme 'offline' has no queues: not '%s' but 'exchange' (one packet at a node) or "
                        "'straight' (no packet waits)",
                        word);
    return NP_OK;
}

/* Bytes are counted before rows are made: here only the names are looked at. */
static np_status create(const np_network *network, const np_route_options *options, const np_mover *like,
                        np_mover **out)
{
    offline_mover *m;
    np_line_rule rule;
    np_product product;
    np_status st;
    if ((st = np_offline_rule(network, options->queue, &rule)) ||
        (st = np_memory_zeroed(&m, 1, sizeof *m, "the scheme's tables")))
        return st;
    m->base.ops = &offline_ops;
    m->complete = np_offline_complete_is(network);
    m->rule = m->complete ? "fifo" : rule == NP_LINE_STRAIGHT ? "straight" : "exchange";
    if (m->complete) {
        m->phases = 2;
        np_offline_complete_init(&m->pairs, network);
    } else {
        np_product_of(network, &product);
        m->phases = np_product_phases(&product);
        m->rows.plan.product = product;
        if (like && (st = np_offline_rows_init(&m->rows, network, rule))) {
            np_memory_free(m);
            return st;
        }
    }
    *out = &m->base;
    return NP_OK;
}

static np_status run(np_mover *mover, unsigned phase, np_draws draws, const np_traffic *traffic, np_phase_run *out,
                     const uint32_t **delay, size_t *delays)
{
    offline_mover *m = (offline_mover *)mover;
    np_status st = NP_OK;
    if (phase == 0)
        st = m->complete ? np_offline_complete_place(&m->pairs, traffic) : np_offline_rows_place(&m->rows, traffic);
    if (!st)
        st = m->complete ? np_offline_complete_run(&m->pairs, phase, draws, NULL, out)
                         : np_offline_rows_run(&m->rows, phase, out);
    if (st)
        return st;
    *delay = m->complete ? np_offline_complete_delays(&m->pairs) : m->rows.delay;
    *delays = np_traffic_packets(traffic);
    return NP_OK;
}

static unsigned phases(const np_mover *mover) { return ((const offline_mover *)mover)->phases; }

static void name(const np_mover *mover, unsigned phase, char text[8])
{
    (void)mover;
    snprintf(text, 8, "%u", (phase + 1) % 1000);
}

static const char *paths(const np_mover *mover)
{
    (void)mover;
    return "coloured";
}

static const char *queue(const np_mover *mover) { return ((const offline_mover *)mover)->rule; }

static uint64_t bytes(const np_mover *mover, uint64_t packets)
{
    const offline_mover *m = (const offline_mover *)mover;
    return m->complete ? np_offline_complete_bytes(&m->pairs, packets) : np_offline_rows_bytes(&m->rows.plan.product);
}

static const np_mover_ops offline_ops = {
    .create = create,
    .free = free_offline,
    .phases = phases,
    .name = name,
    .paths = paths,
    .queue = queue,
    .bytes = bytes,
    .run = run,
};

static const char *refuses(const np_network *network)
{
    return np_offline_complete_is(network) ? NULL : np_product_refuses(network);
}

const np_scheme_ops np_scheme_offline = {
    .info = {"offline",
             "a permutation in 2d-1 phases along rows (any traffic on complete: 2), by edge colouring beforehand",
             "Sibeyn, lecture notes, off-line routing", .networks = "mesh, torus, array, ring, hypercube, complete"},
    .mover = &offline_ops,
    .refuses = refuses,
};
