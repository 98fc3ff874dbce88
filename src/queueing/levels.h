/*
 * The level engine: routes that cross the dimensions of the n-cube in
 * ascending order, with unbounded FIFO queues, finished dimension by
 * dimension instead of step by step. Same outcome to the bit as the stepping
 * engine, at any size with little more than streaming memory access.
 */
#ifndef NP_QUEUEING_LEVELS_H
#define NP_QUEUEING_LEVELS_H

#include "queueing/engine.h"

typedef struct np_levels np_levels;

/* Can it serve these options? */
bool np_levels_apply(const np_engine_options *options);
uint64_t np_levels_bytes(const np_engine_options *options);

np_status np_levels_create(const np_engine_options *options, np_levels **out) NP_CHECKED;
void np_levels_free(np_levels *levels);

/*
 * Runs the engine's present phase (plan, draws and phase are set, shards
 * reset). False: the traffic is too concentrated for the tables here, and
 * nothing has changed but length[] and the shards' hops; the stepping engine
 * can do it. True: location, length (now delays), population, step and the
 * first shard's maxima are those at the end of the phase.
 */
bool np_levels_run(np_levels *levels, np_engine *engine);

#endif
