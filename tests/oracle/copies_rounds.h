/*
 * The rounds of memory in copies, from the papers (papers/copies/copies_machine.c), request by request and module by
 * module. One step of reads of different cells on a complete network of as many processors as modules: request i is of
 * processor i / each. Slow and obvious.
 */
#ifndef NP_ORACLE_COPIES_ROUNDS_H
#define NP_ORACLE_COPIES_ROUNDS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct oracle_copies_case {
    uint32_t modules, requests; /* at most modules x each */
    uint32_t each;              /* requests of a processor */
    uint32_t slack;             /* so many of each processor begin together; 0: `together` says which do */
    uint32_t copies, quorum, serves;
    uint32_t together; /* requests that begin together */
    bool collision;    /* a module that is asked for more than `serves` cells serves none of them */
    uint64_t seed;     /* of the arbitrary rule */
    uint32_t batch;
    const uint32_t *module; /* [requests][copies] */
} oracle_copies_case;

typedef struct oracle_copies_outcome {
    uint64_t rounds, stalled, refused, steps, busiest;
} oracle_copies_outcome;

oracle_copies_outcome oracle_copies_rounds(const oracle_copies_case *c);

#endif
