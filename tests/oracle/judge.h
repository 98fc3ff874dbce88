/* Compares the engine with its slow twin. */
#ifndef ORACLE_JUDGE_H
#define ORACLE_JUDGE_H

#include "oracle/simulator.h"

/*
 * Fails the test unless np_route and the simulator agree on runs 0 and 1 of the
 * case, step by step. The case's own run is ignored.
 *
 * @param threads  numbers of threads to try, ended by 0
 */
void oracle_judge(const oracle_case *c, const unsigned *threads);

#endif
