/* The steps of a guest's own: which of its links carry a packet in each, or which nodes write to which buses. */
#ifndef NP_UNIVERSAL_PROGRAM_H
#define NP_UNIVERSAL_PROGRAM_H

#include "universal/guest.h"

typedef struct np_guest_program {
    uint32_t steps;  /* T; 0: none is given, and one step has all groups */
    uint32_t *row;   /* [steps + 1] */
    uint32_t *group; /* [row[steps]] of step t + 1: group[row[t] .. row[t + 1]], all different. With buses: places in
                        the guest's member */
} np_guest_program;

/*
 * From lines "step packet link" (schedule), or "step from to"; with buses "step node bus", numbered from 0.
 * NP_ERROR_INPUT, with the line, for what is not one of these, no link of the guest or no node of the bus, or what has
 * a packet in the step already; NP_ERROR_LIMIT; NP_ERROR_MEMORY. out is zeroed before; clear it in any case.
 */
np_status np_guest_program_parse(const np_guest *guest, bool schedule, const char *name, const char *text,
                                 size_t length, np_guest_program *out) NP_CHECKED;

/*
 * What routes the traffic on the network, of which the guest was made, by paths of that rule and queues, first come
 * first served. As np_path_create and np_traffic_create; NP_ERROR_INPUT if nothing moves. Likewise.
 */
np_status np_guest_program_route(const np_network *network, const np_guest *guest, const char *spec, const char *paths,
                                 uint64_t seed, np_guest_program *out) NP_CHECKED;
void np_guest_program_clear(np_guest_program *program);

/*
 * The guest with the links of step t from 0 alone, or with its buses and the nodes that write to them; all: with all
 * nodes of these buses. Without coordinates. guest is borrowed. out is zeroed before; clear it in any case.
 */
np_status np_guest_program_part(const np_guest_program *program, const np_guest *guest, uint32_t t, bool all,
                                np_guest *out) NP_CHECKED;

#endif
