/* The steps of a guest, routed on a universal network. */
#pragma once

#include "papers/universal/program.h"
#include "papers/universal/router.h"

/*
 * Routes the steps of the program options->runs times. Without a program there is one step, with all links or buses.
 * rows: [runs T], run by run; found: set if options->offline. NP_ERROR_MEMORY; NP_ERROR_LIMIT; NP_ERROR_INTERNAL if a
 * bus does not hear of all its nodes.
 */
np_status np_simulate(const np_guest *guest, const np_guest_program *program, const np_spread *spread,
                      const np_shape *shape, const np_node *place, const np_universal_options *options,
                      np_universal_step *rows, np_universal_offline *found) NP_CHECKED;

/* The meshes of all leaves as one; its nodes have the numbers of the processors. The caller frees it. */
np_status np_shape_meshes(const np_shape *shape, np_network **out) NP_CHECKED;

/*
 * gather.c: the combining half of a step in the meshes. It takes *steps steps; then every bus has one packet at each of
 * its leaves, at the corner of the mesh if the packet has to go on. weight[]: [row[groups]] of spread, the number of
 * nodes that each of these packets stands for. observer: gets the events on np_shape_meshes, where packets are numbered
 * as the guest's members; NULL: nobody does.
 */
np_status np_gather_buses(const np_guest *guest, const np_spread *spread, const np_shape *shape, const np_node *place,
                          const np_universal_options *options, const np_observer *observer, uint64_t *weight,
                          uint32_t *steps, uint64_t *combined) NP_CHECKED;

/* The name of a node of the guest: as its file has it, else its number. room: [NP_NAME_ROOM] */
NP_FOR_REPORT const char *np_universal_node_name(const np_universal_result *result, np_node node, char *room);
