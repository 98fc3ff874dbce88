/*
 * Permutations on products of any networks (Sibeyn, lecture notes, off-line routing): T_A = 2 T_B + T_C.
 *
 * The plan (offline_plan.h) says to which coordinate each phase takes each packet. A phase is a permutation within every
 * copy of one factor, and shortest paths between nodes that differ in one factor alone stay in its copy. So each phase
 * is routed by the queueing engine, on the product itself, along shortest paths.
 *
 * In a permutation no two packets want the same link of a complete network, and packets that go the same way on an
 * array or a ring keep their distances. So on these rows nobody waits, whatever the discipline. On other factors packets
 * may wait for each other, and T_B is what the run measures.
 */
#include "route/offline_factors.h"

#include <stdio.h>

#include "base/memory.h"
#include "route/offline_plan.h"

static np_status create(const np_network *network, void **tables)
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

static uint64_t bytes(const np_network *network, uint64_t packets)
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

const np_queueing np_factors_offline = {
    .paths = "greedy",
    .told = "coloured",
    .queue = "farthest-first",
    .phases = phases,
    .name = name,
    .targets = targets,
    .tables = &(const np_queueing_tables){create, free_tables, bytes, prepare},
};
