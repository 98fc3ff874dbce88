/* Programs of a few PRAM steps, chosen step by step: a machine against the interpreter (oracle/pram.h). */
#ifndef ORACLE_PRAM_JUDGE_H
#define ORACLE_PRAM_JUDGE_H

#include "netpram/pram.h"

typedef struct oracle_pram_machine {
    const char *spec;
    np_processor processors;
    uint32_t slack;          /* so many requests of a processor go in a batch */
    bool carries, physical;  /* np_pram_options.carry_values, .physical */
    uint32_t allotted;       /* np_pram_options.allotted */
    np_memory_layout layout; /* np_pram_options.memory_layout */
} oracle_pram_machine;

/* Machines of all kinds. The last one has no spec. */
extern const oracle_pram_machine oracle_pram_machines[];

/* Who chooses: a number below bound. */
typedef struct oracle_chooser {
    uint32_t (*choose)(void *context, uint32_t bound);
    void *context;
} oracle_chooser;

/*
 * Fails the test unless the machine gives the replies, the memory and the violations of the interpreter, in each step
 * of a program that is chosen.
 */
void oracle_judge_pram(const oracle_pram_machine *machine, np_access_rule rule, uint64_t seed,
                       const oracle_chooser *chooser);

#endif
