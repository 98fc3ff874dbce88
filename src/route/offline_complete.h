/* The coloured all-to-all: any traffic on a complete network in two balanced phases. */
#ifndef NP_ROUTE_OFFLINE_COMPLETE_H
#define NP_ROUTE_OFFLINE_COMPLETE_H

#include <stdbool.h>

#include "queueing/engine.h"
#include "queueing/line.h"
#include "path/path.h"

/* Another way to choose by way of which nodes: colour[p] of each packet, taken modulo the nodes. */
typedef np_status np_offline_colouring(np_node nodes, const np_traffic *traffic, uint32_t *colour);

typedef struct np_offline_complete {
    const np_network *network;
    np_path *path;
    np_engine *engine;
    size_t room;                     /* packets of the engine */
    uint32_t *colour;                /* [packets] */
    uint32_t colours;                /* m: the most packets that one node sends or receives; not of another colouring */
    np_offline_colouring *colouring; /* NULL: as few colours as there can be */
} np_offline_complete;

bool np_offline_complete_is(const np_network *network);

/* Allocates nothing yet. */
void np_offline_complete_init(np_offline_complete *pairs, const np_network *network);
void np_offline_complete_clear(np_offline_complete *pairs);
uint64_t np_offline_complete_bytes(const np_offline_complete *pairs, uint64_t packets);

/* Colours the packets and puts them at their sources; traffic is borrowed. */
np_status np_offline_complete_place(np_offline_complete *pairs, const np_traffic *traffic) NP_CHECKED;

/* Phases 0 and 1. watch: may be NULL. */
np_status np_offline_complete_run(np_offline_complete *pairs, unsigned phase, np_draws draws,
                                  const np_engine_watch *watch, np_phase_run *out) NP_CHECKED;
const uint32_t *np_offline_complete_delays(const np_offline_complete *pairs);

/* offline.c: the rule for rows that --queue asks for; NULL: exchange. NP_ERROR_INPUT with the choices. */
np_status np_offline_rule(const np_network *network, const char *word, np_line_rule *rule) NP_CHECKED;

#endif
