/* Scheme `constrained` on hypercubes: parameters of the queueing runner. */
#ifndef NP_ROUTE_CONSTRAINED_CUBE_H
#define NP_ROUTE_CONSTRAINED_CUBE_H

#include "run/route/queueing.h"

extern const np_queueing np_constrained_cube;

#endif
