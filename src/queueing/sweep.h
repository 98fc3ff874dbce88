/*
 * The sweep engine: phases in which every packet moves along one line of a mesh, finished line by line instead of step
 * by step. Same outcome to the bit as the stepping engine, in cache whatever the size of the mesh.
 */
#ifndef NP_QUEUEING_SWEEP_H
#define NP_QUEUEING_SWEEP_H

#include "queueing/engine.h"

typedef struct np_sweep np_sweep;

/* May it serve these options? */
bool np_sweep_apply(const np_engine_options *options);
uint64_t np_sweep_bytes(const np_engine_options *options);

np_status np_sweep_create(const np_engine_options *options, np_sweep **out) NP_CHECKED;
void np_sweep_free(np_sweep *sweep);

/*
 * Can the engine's present phase (plan, draws and phase are set, shards reset) be done? *fits = false: some packet
 * turns. Changes nothing but length[] and the shards' hops. NP_ERROR_MEMORY
 */
np_status np_sweep_aim(np_sweep *sweep, np_engine *engine, bool *fits) NP_CHECKED;

/*
 * Runs the phase that fitted. *done = false: too much would have to be kept, and nothing has changed. Else location,
 * length (now delays), population, step and the first shard's maxima are those at the end of the phase. NP_ERROR_MEMORY
 */
np_status np_sweep_run(np_sweep *sweep, np_engine *engine, bool *done) NP_CHECKED;

/* Gives back what np_sweep_run has taken; the next one takes it again. */
void np_sweep_rest(np_sweep *sweep);

#endif
