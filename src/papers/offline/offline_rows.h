/* Carries out an off-line plan phase by phase, row by row (papers/offline/line.h). */
#pragma once

#include "run/route/plan.h"
#include "engine/queueing/hop_list.h"
#include "papers/offline/offline_plan.h"

typedef struct np_offline_rows {
    np_offline_plan plan;
    np_link ports;         /* of a node */
    np_line line;          /* of the longest side */
    void *block;           /* the arrays */
    np_node *holds;        /* [nodes] the item at each node; nothing else moves */
    uint32_t *delay;       /* [nodes] of each packet, in the last phase */
    uint32_t *to, *waited; /* [longest side] of one row */
    bool *real;
    np_node *items;
    np_hop_list *hops;     /* gets the hops of a phase, row by row, not in the order of time. NULL: nobody wants them */
    const np_watch *watch; /* is told after every row; NULL: nobody */
    /* of the present phase */
    np_node base;
    uint32_t dimension;
} np_offline_rows;

np_status np_offline_rows_init(np_offline_rows *rows, const np_network *network, np_line_rule rule) NP_CHECKED;
void np_offline_rows_clear(np_offline_rows *rows);
uint64_t np_offline_rows_bytes(const np_product *product);

/* Makes the plan for the traffic and puts the packets at their sources. As np_offline_plan_make. */
np_status np_offline_rows_place(np_offline_rows *rows, const np_traffic *traffic) NP_CHECKED;

/*
 * Runs a phase. The phases must be run in order, from 0. The last phase checks that every packet is where it belongs.
 * queue_max is 1 if packets move, because a node never holds two packets that want the same link.
 * @return NP_ERROR_INTERNAL if the plan proves to be no schedule
 */
np_status np_offline_rows_run(np_offline_rows *rows, uint32_t phase, np_phase_run *out) NP_CHECKED;

/* ---- offline.c: the scheme `offline`, for code that lists its hops ---- */

/* NULL: the scheme applies; else the reason why not. */
const char *np_offline_refuses(const np_network *network);

/* The most steps that a bound plan of the scheme takes for an h-relation; 0: not known. */
uint64_t np_offline_steps(const np_route_plan *plan, uint32_t h);
