/* A model of switches whose means are known in closed form: each terminal has one server, which takes a flit a cycle.
 */
#ifndef NP_ORACLE_SINGLE_QUEUES_H
#define NP_ORACLE_SINGLE_QUEUES_H

#include "engine/open/open_loop.h"

extern const np_open_model oracle_single_queues;

/*
 * The mean latency of packets of `flits` flits that come as a Bernoulli process, or as a Poisson number a cycle, at
 * this load: Geo/D/1 and M/D/1 in discrete time.
 */
double oracle_geo_d_1(double load, double flits);
double oracle_m_d_1(double load);

#endif
