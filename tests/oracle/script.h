/*
 * An interpreter of PRAM programs that are texts: it walks the syntax tree, processor by processor, as
 * docs/pram-language.md defines the language. It shares the tree with what it judges, and nothing else. Slow and
 * obvious.
 */
#ifndef NP_ORACLE_SCRIPT_H
#define NP_ORACLE_SCRIPT_H

#include "oracle/pram.h"
#include "machine/script/syntax.h"

enum { ORACLE_SCRIPT_CELLS = 1 << 12, ORACLE_SCRIPT_OUTPUTS = 4096, ORACLE_SCRIPT_ACCESSES = 1 << 15 };

typedef enum oracle_script_end {
    ORACLE_SCRIPT_DONE,
    ORACLE_SCRIPT_FAILED,  /* an index out of range, an operation that is not defined, a false assertion */
    ORACLE_SCRIPT_TOO_LONG /* more turns, calls, processors or cells than the interpreter has patience for: nothing is
                              known */
} oracle_script_end;

/* What a processor did in a step, and what the cell held before and after the step. */
typedef struct oracle_script_access {
    uint64_t step;
    np_place place;
    size_t processors, processor;
    np_access_kind kind;
    np_type type;
    np_word value, operand, before, after; /* operand: of a fetch, else 0 */
    np_address address;                    /* the interpreter lays arrays out in another way */
} oracle_script_access;

typedef struct oracle_script_outcome {
    oracle_script_end end;
    np_place place; /* of a failure */
    uint64_t steps, work, violations;
    size_t words; /* of all outputs */
    np_word word[ORACLE_SCRIPT_OUTPUTS];
    char printed[4096]; /* lines, its beginning */
    size_t accesses;
    oracle_script_access access[ORACLE_SCRIPT_ACCESSES]; /* [accesses] the first, step by step, by processor */
} oracle_script_outcome;

/* Runs the program, which reads no input. n: the size. */
void oracle_script_run(const np_syntax *syntax, np_access_rule rule, uint64_t seed, np_word n,
                       oracle_script_outcome *out);

#endif
