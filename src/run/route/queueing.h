/*
 * The queueing runner: one queueing engine with one path rule and one queue
 * discipline. A scheme says where each phase sends the packets.
 */
#pragma once

#include "run/route/scheme.h"

extern const np_runner_ops np_queueing_runner;

/*
 * Tables for targets that depend on all packets of a run, not on one alone. Each
 * thread has its own; np_queueing.targets reads from them (np_aim.tables).
 */
typedef struct np_queueing_tables {
    np_status (*create)(const np_network *network, void **out);
    void (*free)(void *tables);
    /* Bytes of tables for so many packets. */
    uint64_t (*bytes)(const np_network *network, uint64_t packets);
    /*
     * Called before phase `phase`, when packet p is at at[p]. If the cost of the
     * phase is computed and no packet moves, fills *out and sets *computed.
     */
    np_status (*prepare)(void *tables, unsigned phase, const np_traffic *traffic, const np_node *at, np_phase_run *out,
                         bool *computed);
} np_queueing_tables;

/* scheme->queueing if its targets need no tables; else NULL. */
const np_queueing *np_queueing_of(const np_scheme *scheme);

unsigned np_queueing_phases(const np_queueing *queueing, const np_network *network);

/* Calls targets, or copies the destinations. */
void np_queueing_aim(const np_queueing *queueing, const np_aim *aim, np_node *to);

/* The path rule of a bound plan of this runner. */
const np_path *np_queueing_path(const np_route_plan *plan);
