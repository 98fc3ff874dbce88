/*
 * The queueing engine as plain lists: an array of packets for each link, a
 * scan of all links at every step, a scan of the array for the packet to go.
 * It shares no code with the engine, the disciplines and the schemes. It uses
 * only parts of the library that are judged elsewhere: the counter-based draws,
 * the ends of links (np_network_link_head), and np_path_walk, which gives each
 * packet's whole route before it starts.
 */
#ifndef ORACLE_SIMULATOR_H
#define ORACLE_SIMULATOR_H

#include <stdbool.h>

#include "netpram/engine.h"
#include "netpram/network.h"
#include "netpram/traffic.h"

enum { ORACLE_PHASES_MAX = 16 };

/* One run of one scheme. */
typedef struct oracle_case {
    const np_network *network;
    const np_traffic *traffic;
    const char *scheme, *queue; /* names of the library */
    const char *paths;          /* path rule of greedy and valiant; else NULL */
    uint64_t seed;
    uint32_t run;
    bool overlap;
    np_step phase_time;   /* 0: none */
    const char *fallback; /* with phase_time, without overlap */
} oracle_case;

/* The state at one instant, with the figures of np_step_report. */
typedef struct oracle_instant {
    uint32_t moved, finished, waiting, queue_max, population_max;
    uint64_t hash;
} oracle_instant;

typedef struct oracle_phase {
    bool skipped; /* no packet moves in it; then all is 0 */
    np_phase_run run;
    uint32_t *delay;         /* [packets] */
    np_node *location;       /* [packets] where each packet is at the end */
    oracle_instant *instant; /* [steps + 1] */
} oracle_phase;

typedef struct oracle_result {
    unsigned phases; /* 1 with overlap; with a fallback one more than the scheme has */
    oracle_phase phase[ORACLE_PHASES_MAX];
} oracle_result;

/* Simulates the run. Aborts on a case that the library would refuse. Free with oracle_result_free. */
oracle_result *oracle_simulate(const oracle_case *c);
void oracle_result_free(oracle_result *result);

#endif
