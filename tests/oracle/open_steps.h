/* Model `steps` by its definition: packets are items of lists, and routes are walked when packets begin them. */
#ifndef NP_ORACLE_OPEN_STEPS_H
#define NP_ORACLE_OPEN_STEPS_H

#include "engine/open/open_loop.h"

extern const np_open_model oracle_open_steps; /* queues are first in, first out */

#endif
