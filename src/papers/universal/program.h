/* A guest's program: for each step, the links that carry a packet, or the nodes that write to buses. */
#pragma once

#include "papers/universal/guest.h"

typedef struct np_guest_program {
    uint32_t steps;  /* T; 0: there is no program, and one step has all groups */
    uint32_t *row;   /* [steps + 1] */
    uint32_t *group; /* [row[steps]] the groups of step t + 1: group[row[t] .. row[t + 1]], all different. With buses:
                        indices into the guest's member */
} np_guest_program;

/*
 * Reads a program from lines "step packet link" (schedule), or "step from to"; with buses "step node bus", numbered
 * from 0. NP_ERROR_INPUT, with the line, if a line is not of this form, names no link of the guest or no node of the
 * bus, or names something that has a packet in the step already; NP_ERROR_LIMIT; NP_ERROR_MEMORY. out is zeroed before;
 * clear it in any case.
 */
np_status np_guest_program_parse(const np_guest *guest, bool schedule, const char *name, const char *text,
                                 size_t length, np_guest_program *out) NP_CHECKED;

/*
 * Makes the program that routes options->traffic on the network from which the guest was made: paths by the rule
 * options->paths, queues first come first served. Errors as np_path_create and np_traffic_create; NP_ERROR_INPUT if
 * nothing moves. out is zeroed before; clear it in any case.
 */
np_status np_guest_program_route(const np_network *network, const np_guest *guest, const np_universal_options *options,
                                 np_guest_program *out) NP_CHECKED;
void np_guest_program_clear(np_guest_program *program);

/*
 * The part of the guest for step t, counted from 0: the links of the step alone, or its buses and the nodes that write
 * to them. all: with all nodes of these buses. The part has no coordinates. guest is borrowed. out is zeroed before;
 * clear it in any case.
 */
np_status np_guest_program_part(const np_guest_program *program, const np_guest *guest, uint32_t t, bool all,
                                np_guest *out) NP_CHECKED;
