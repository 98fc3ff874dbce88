/*
 * Randomizer and Router of Ranade 1987a, slow and obvious: messages are followed one by one, and queues are lists that
 * are searched. Of the library it shares only the random numbers.
 */
#ifndef ORACLE_CONSTRAINED_H
#define ORACLE_CONSTRAINED_H

#include <stdint.h>

/* The terminal that a message of `set` from `source` reaches when the switches are drawn from (seed, run). */
uint32_t oracle_randomizer_reaches(int n, uint64_t seed, uint32_t run, uint32_t set, uint32_t source);

typedef enum oracle_equals { ORACLE_FIFO, ORACLE_LIFO, ORACLE_LOT } oracle_equals;

/*
 * The Router sends message m from terminal from[m] to to[m]; messages of the largest set go first. delay[m] = the steps
 * that message m waits. phase: the phase whose draws order the first queues and draw lots. Returns the steps.
 */
uint32_t oracle_router(int n, uint32_t messages, const uint32_t *from, const uint32_t *to, const uint32_t *set,
                       oracle_equals equals, uint64_t seed, uint32_t run, unsigned phase, uint32_t *delay);

#endif
