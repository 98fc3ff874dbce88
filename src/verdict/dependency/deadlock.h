/* The verdict on a relation, for models that check their routes before they run. */
#pragma once

#include "model/relation/relation.h"
#include "netpram/deadlock.h"

/* As np_deadlock_find; channels 0: as many as there are classes. The relation's network must outlive the result. */
np_status np_deadlock_of(const np_relation *relation, uint32_t channels, const np_watch *watch,
                         np_deadlock **out) NP_CHECKED;

/* NP_ERROR_DEADLOCK with the cycle in one line, or its beginning; NP_OK if no deadlock is possible. */
np_status np_deadlock_refuse(const np_deadlock *deadlock) NP_CHECKED;
