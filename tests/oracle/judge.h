/* Compares the engine with its slow twin. */
#ifndef ORACLE_JUDGE_H
#define ORACLE_JUDGE_H

#include "oracle/simulator.h"

/*
 * Fails the test unless runs 0 and 1 of the case (its own run is not looked
 * at) come to the same, step by step, in np_route and in the simulator.
 *
 * @param threads  numbers of threads to try, ended by 0
 */
void oracle_judge(const oracle_case *c, const unsigned *threads);

#endif
