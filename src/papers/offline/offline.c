/*
 * The scheme `offline`: packets whose ways are computed before the first one
 * starts (Sibeyn, lecture notes, off-line routing).
 *
 * On product networks, permutations: 2d-1 phases along the rows of one
 * dimension each, found by edge colouring (offline_plan.c), within 2 T_B + T_C
 * steps. Rows are routed by exchanges or straight (papers/offline/line.h), which
 * --queue chooses. This is a runner of its own.
 *
 * On product:A,B of any networks the same phases, by queueing: packets of
 * factors that are no rows may meet.
 *
 * On complete networks, any traffic, in two phases by queueing (coloured.c):
 * with m the most packets of one node, no link carries more than ceil(m / P)
 * in either phase, however unequal the loads are.
 *
 * The rows report their hops row by row, not in the order of time. Observers are told when the phase is over, in the
 * order of time (engine/queueing/hop_list.h).
 */

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "engine/queueing/hop_list.h"
#include "papers/offline/coloured.h"
#include "papers/offline/offline_rows.h"
#include "run/route/theorem.h"

/*
 * Permutations on products of any networks (Sibeyn, lecture notes, off-line routing): T_A = 2 T_B + T_C.
 *
 * The plan (offline_plan.h) says to which coordinate each phase takes each packet. A phase is a permutation within
 * every copy of one factor, and shortest paths between nodes that differ in one factor alone stay in its copy. So each
 * phase is routed by the queueing engine, on the product itself, along shortest paths.
 *
 * In a permutation no two packets want the same link of a complete network, and packets that go the same way on an
 * array or a ring keep their distances. So on these rows nobody waits, whatever the discipline. On other factors
 * packets may wait for each other, and T_B is what the run measures.
 */

static np_status factors_create(const np_network *network, void **tables)
{
    np_offline_plan *plan;
    np_status st = np_memory_zeroed(&plan, 1, sizeof *plan, "the scheme's tables");
    *tables = plan;
    return st ? st : np_offline_plan_init(plan, network);
}

static void free_tables(void *tables)
{
    np_offline_plan_clear(tables);
    np_memory_free(tables);
}

static uint64_t factors_bytes(const np_network *network, uint64_t packets)
{
    np_product product;
    (void)packets;
    np_product_of(network, &product);
    return sizeof(np_offline_plan) + np_offline_plan_bytes(&product);
}

static np_status prepare(void *tables, unsigned phase, const np_traffic *traffic, const np_node *at, np_phase_run *out,
                         bool *computed)
{
    (void)at, (void)out, (void)computed;
    return phase ? NP_OK : np_offline_plan_make(tables, traffic);
}

/* The item of a packet is the node where it starts. */
static void targets(const np_aim *aim, np_node *to)
{
    const np_offline_plan *plan = aim->tables;
    uint32_t axis = np_product_dimension(&plan->product, aim->phase);
    for (size_t i = 0; i < aim->count; i++) {
        np_node item = aim->source[aim->packet[i]];
        to[i] = np_axes_with(&plan->product.axes, aim->at[i], axis, np_offline_plan_target(plan, aim->phase, item));
    }
}

static unsigned phases(const np_network *network)
{
    np_product product;
    np_product_of(network, &product);
    return np_product_phases(&product);
}

static void name(const np_network *network, unsigned phase, char name[8])
{
    (void)network;
    snprintf(name, 8, "%u", (phase + 1) % 1000);
}

/* Parameters of the queueing runner. */
static const np_queueing factors_offline = {
    .paths = "greedy",
    .told = "coloured",
    .queue = "farthest-first",
    .phases = phases,
    .name = name,
    .targets = targets,
    .tables = &(const np_queueing_tables){factors_create, free_tables, factors_bytes, prepare},
};

/* ---- The scheme on lines of products ---- */

typedef struct offline_runner {
    np_runner base;
    np_offline_rows rows;
    np_hop_list hops; /* of the phase, if somebody observes */
    np_node *at;      /* [nodes] where each packet begins the phase, likewise */
} offline_runner;

static np_line_rule rule_of(const np_route_plan *plan)
{
    return strcmp(plan->queue, "exchange") ? NP_LINE_STRAIGHT : NP_LINE_EXCHANGE;
}

/* Are its phases routed by the queueing runner? */
static bool offline_queues(const np_network *network)
{
    return np_coloured_applies(network) || np_network_is(network, NP_KIND_FACTORED);
}

static np_status bind_queueing(np_route_plan *plan)
{
    bool complete = np_coloured_applies(plan->network);
    const char *queue = plan->options.queue;
    if (complete && queue && strcmp(queue, "fifo") != 0)
        return NP_RAISE(NP_ERROR_INPUT, "packets of scheme 'offline' on %s wait in line, not by '%s': try --queue fifo",
                        np_network_spec(plan->network), queue);
    if (!complete && queue && (!strcmp(queue, "straight") || !strcmp(queue, "exchange")))
        return NP_RAISE(NP_ERROR_INPUT,
                        "packets of scheme 'offline' on %s wait in queues, and '%s' is for rows of a mesh: try --queue "
                        "farthest-first",
                        np_network_spec(plan->network), queue);
    plan->runner = &np_queueing_runner;
    plan->parameters = complete ? &np_coloured_offline : &factors_offline;
    return plan->runner->bind(plan);
}

static np_status bind(np_route_plan *plan)
{
    const char *word = plan->options.queue ? plan->options.queue : "straight"; /* 3n - 3 steps, as the notes have it */
    np_product product;
    if (offline_queues(plan->network))
        return bind_queueing(plan);
    if (strcmp(word, "straight") != 0 && strcmp(word, "exchange") != 0)
        return NP_RAISE(NP_ERROR_INPUT,
                        "scheme 'offline' has no queues: not '%s' but 'exchange' (one packet at a node) or "
                        "'straight' (no packet waits)",
                        word);
    np_product_of(plan->network, &product);
    plan->phases = np_product_phases(&product);
    plan->paths = "coloured";
    np_route_plan_say_queue(plan, "%s", word);
    return NP_OK;
}

static void phase(const np_route_plan *plan, unsigned number, np_phase_result *out)
{
    (void)plan;
    snprintf(out->name, sizeof out->name, "%u", (number + 1) % 1000);
}

static uint64_t bytes(const np_route_plan *plan)
{
    np_product product;
    np_product_of(plan->network, &product);
    /* Packets of a row of s nodes make at most s^2 / 2 hops, by either rule. */
    uint32_t side = product.axes.side[product.order[product.axes.count - 1]];
    uint64_t observing = plan->options.observer
                             ? np_hop_list_bytes((uint64_t)product.nodes * side / 2, product.nodes, side) +
                                   product.nodes * sizeof(np_node)
                             : 0;
    return np_offline_rows_bytes(&product) + observing;
}

static void clear(np_runner *runner)
{
    offline_runner *r = (offline_runner *)runner;
    np_offline_rows_clear(&r->rows);
    np_hop_list_clear(&r->hops);
    np_memory_free(r->at);
}

static np_status init(np_runner *runner)
{
    return np_offline_rows_init(&((offline_runner *)runner)->rows, runner->plan->network, rule_of(runner->plan));
}

/* Prepares for observers. A plan is for partial permutations, so there are no more packets than nodes. */
static np_status begin_list(offline_runner *r)
{
    const np_offline_plan *plan = &r->rows.plan;
    np_node nodes = plan->product.nodes;
    np_status st = r->at ? NP_OK : np_memory_array(&r->at, nodes, sizeof *r->at, "an observed schedule");
    if (st)
        return st;
    r->hops.count = 0;
    r->rows.hops = &r->hops;
    for (np_node u = 0; u < nodes; u++) {
        np_packet packet = plan->packet[r->rows.holds[u]];
        if (packet != NP_NONE)
            r->at[packet] = u;
    }
    return NP_OK;
}

static np_status tell_list(const offline_runner *r, const np_runner_job *job, const np_phase_run *run)
{
    const np_route_plan *plan = r->base.plan;
    const np_event_phase phase = np_runner_phase(job, plan->network);
    bool last = job->phase + 1 == plan->phases;
    const np_hop_ends ends = {.at = r->at, .end = last ? np_traffic_destinations(job->traffic) : NULL};
    return np_hop_list_tell(&r->hops, np_runner_observer(job), &phase, &ends, run);
}

static np_status run(np_runner *runner, const np_runner_job *job, np_phase_run *out, np_delays *delays)
{
    offline_runner *r = (offline_runner *)runner;
    bool observed = np_runner_observer(job) != NULL;
    np_status st;
    r->rows.watch = np_runner_watch(job);
    if (job->phase == 0 && (st = np_offline_rows_place(&r->rows, job->traffic)))
        return st;
    if ((observed && (st = begin_list(r))) || (st = np_offline_rows_run(&r->rows, job->phase, out)) ||
        (observed && (st = tell_list(r, job, out))))
        return st;
    *delays = (np_delays){r->rows.delay, np_traffic_packets(job->traffic), 0};
    return NP_OK;
}

static const np_runner_ops rows_runner = {
    .bind = bind,
    .phase = phase,
    .bytes = bytes,
    .size = sizeof(offline_runner),
    .init = init,
    .clear = clear,
    .run = run,
};

const char *np_offline_refuses(const np_network *network)
{
    return np_coloured_applies(network) ? NULL : np_product_refuses(network);
}

uint64_t np_offline_steps(const np_route_plan *plan, uint32_t h)
{
    uint64_t nodes = np_network_nodes(plan->network);
    np_product product;
    if (np_coloured_applies(plan->network))
        return 2 * ((h + nodes - 1) / nodes);
    np_product_of(plan->network, &product);
    return np_product_bound(&product, rule_of(plan));
}

/*
 * ---- The theorems: on complete networks the load of the busiest link, on products of rows permutations of a row ----
 */

static bool on_complete(const np_theorem_run *of) { return np_coloured_applies(of->network); }

static np_status coloured_values(const np_theorem_run *of)
{
    uint32_t nodes = of->network->nodes;
    of->value[0] = of->value[1] = of->relation / nodes + (of->relation % nodes != 0);
    of->value[of->result->phases] = 2 * of->value[0];
    return NP_OK;
}

static bool on_rows(const np_theorem_run *of)
{
    np_product product;
    np_product_of(of->network, &product);
    return np_product_bound(&product, NP_LINE_STRAIGHT) != 0;
}

static np_status row_values(const np_theorem_run *of)
{
    np_line_rule rule = strcmp(of->result->queue, "exchange") ? NP_LINE_STRAIGHT : NP_LINE_EXCHANGE;
    np_product product;
    np_product_of(of->network, &product);
    for (uint32_t p = 0; p < of->result->phases; p++)
        of->value[p] = np_product_phase_bound(&product, rule, p);
    of->value[of->result->phases] = (double)np_product_bound(&product, rule);
    return NP_OK;
}

static const char SOURCE[] = "Sibeyn, lecture notes, off-line routing";

static const np_claim coloured_load = {NP_CLAIM_AT_MOST, "coloured all-to-all", "ceil(m/P)", SOURCE};
static const np_claim coloured_all = {NP_CLAIM_AT_MOST, "coloured all-to-all", "2 ceil(m/P)", SOURCE};
static const np_claim row = {NP_CLAIM_AT_MOST, "permutations on rows",
                             "exchange: n, else n - 1, rings floor(n/2), complete 1", SOURCE};
static const np_claim product = {NP_CLAIM_AT_MOST, "theorem on product networks", "2 T_B + T_C, (2d-1) n", SOURCE};

const np_scheme np_scheme_offline = {
    .info = {"offline",
             "a permutation in 2d-1 phases along rows (any traffic on complete: 2), by edge colouring beforehand",
             SOURCE, .networks = "mesh, torus, array, ring, hypercube, product, complete"},
    .refuses = np_offline_refuses,
    .runner = &rows_runner,
    .heeds = NP_NAMES("queue", "trace"),
    .theorems =
        NP_THEOREMS({.speaks = on_complete, .values = coloured_values, .phase = &coloured_load, .total = &coloured_all},
                    {.speaks = on_rows, .values = row_values, .phase = &row, .total = &product}),
};
