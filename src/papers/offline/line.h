/*
 * Permutations on a row of nodes, a linear array or a ring, where every packet
 * is told its place before it starts. Two rules:
 *
 *   exchange  neighbours exchange what they hold, so that no node ever holds
 *             more than one packet: odd-even transposition, at most s steps (1 for s = 2)
 *   straight  every packet goes to its place without waiting: at most s-1
 *             steps, floor(s/2) on a ring; no packet waits on its way
 *
 * s nodes. Both are executed, step by step; line.c says why they are right.
 */
#pragma once

#include <stdbool.h>

#include "base/status.h"

typedef enum np_line_rule { NP_LINE_EXCHANGE, NP_LINE_STRAIGHT } np_line_rule;

/* The steps that the rule needs at most. */
np_step np_line_bound(np_line_rule rule, uint32_t nodes, bool ring);

/* A hop: in the step, the packet that began at place `began` goes from a place up (to the next) or down. */
typedef void np_line_on_hop(void *context, np_step step, uint32_t began, uint32_t place, bool up);

typedef struct np_line {
    uint32_t nodes; /* s, at least 2 */
    bool ring;
    np_line_rule rule;
    np_line_on_hop *on_hop; /* may be NULL */
    void *context;
    void *block;
    /* Inside, in the block: [nodes] each, or [2 nodes] of links: up first. */
    uint32_t *key, *began, *hops, *crossed, *at;
    uint32_t *far; /* [4 nodes] */
    np_step *last, *used;
    uint8_t *real, *held;
    uint16_t *narrow; /* [5 nodes] what exchanges change, in 16 bits; for at most 2^15 nodes */
} np_line;

/* What one row came to; packets that stay count nowhere. */
typedef struct np_line_run {
    np_step steps;
    uint64_t hops;
    uint32_t congestion;     /* most packets over one link */
    uint32_t population_max; /* most at one node at an integral instant: at rest, and on their way */
} np_line_run;

np_status np_line_init(np_line *line, uint32_t nodes, bool ring, np_line_rule rule) NP_CHECKED;
void np_line_clear(np_line *line);
uint64_t np_line_bytes(uint32_t nodes);

/*
 * Routes one row.
 *
 * @param to     [nodes] where what is at each place belongs: a permutation
 * @param real   [nodes] it is a packet; else an empty place, which is told a place only to make up a permutation
 * @param delay  [nodes] receives, by the place where it began, the steps that a packet waited before it was there
 * @return NP_ERROR_INTERNAL if `to` is no permutation or a packet does not arrive
 */
np_status np_line_route(np_line *line, const uint32_t *to, const bool *real, uint32_t *delay,
                        np_line_run *out) NP_CHECKED;
