/*
 * Models: how long the rounds of an operation among ranks take.
 *
 *     rounds  by formula: c_v for each datum of a round's longest message, c_a for each round
 *     flows   messages are flows that share links fairly, round after round (model_flows.c)
 *     steps   packet by packet on the network, round after round, by the greedy scheme
 */
#pragma once

#include "work/collective/collective.h"

/* NULL: "rounds". NP_ERROR_INPUT with the names. */
np_status np_model_of(const char *name, np_model *out) NP_CHECKED;
const char *np_model_name(np_model model);

/* What the rounds take by the job's model, in steps, without c_a. The log has the rounds as they were played. */
np_status np_model_time(const np_collective_job *job, const np_round_log *log, double *steps) NP_CHECKED;

/* Where the message that begins at transfer i of a round ends. Do rounds r and r - 1 send as much over the same links?
 */
size_t np_model_message_end(const np_round_log *log, size_t i, size_t end);
bool np_model_repeats(const np_round_log *log, size_t r);

np_status np_model_flows(const np_collective_job *job, const np_round_log *log, double *steps) NP_CHECKED;

/*
 * The data of a packet, for model steps of collectives and of replays: what is asked for; if it is 0, a datum, or a
 * byte, a step, and NP_MODEL_PACKET bytes where a rate makes steps short.
 */
enum { NP_MODEL_PACKET = 4096 };
double np_model_packet(double asked, double link_rate);

/* ranks.c: *out = the hosts of ranks 0 .. ranks - 1, to be freed with np_memory_free; NULL if rank r is at host r. */
np_status np_ranks_place(const char *spec, const np_network *network, uint64_t seed, uint32_t ranks,
                         np_node **out) NP_CHECKED;

/* The node of a rank. host: of np_ranks_place. */
np_node np_ranks_host(const np_network *network, const np_node *host, uint32_t rank);
