/*
 * A library of PRAM programs with checked answers: the algorithms of the
 * textbooks, written against netpram/pram.h as any caller's could be. Each
 * makes its input from the seed or reads it from a file, runs on any
 * machine, and has its answer checked by sequential code that shares nothing with
 * it but the input.
 *
 *     np_pram_options pram;
 *     np_program_options options;
 *     np_pram_options_init(&pram);
 *     np_program_options_init(&options);
 *     pram.rule = NP_RULE_EREW;
 *     options.n = 1000;
 *     np_program_run("prefix-sums", &pram, &options, &result);
 *
 * A name and its index are the same in every call of one version.
 */
#ifndef NETPRAM_PROGRAM_H
#define NETPRAM_PROGRAM_H

#include "netpram/pram.h"
#include "netpram/registry.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/** What a program reads from a file, if it is given one. */
typedef enum np_program_input {
    NP_INPUT_NONE,    /**< nothing: its input is drawn from the seed */
    NP_INPUT_NUMBERS, /**< one number a line, with a sign if it is negative */
    NP_INPUT_GRAPH    /**< lines "from to", or a Matrix Market file; directions, loops and repetitions do not count */
} np_program_input;

typedef struct np_program_info {
    np_entry entry;      /**< entry.rule: it runs clean under this rule, whatever its input */
    const char *size;    /**< what n counts, such as "numbers" */
    np_access_rule rule; /**< for whom has no wish */
    np_program_input input;
    bool takes_steps, takes_edges;
    uint64_t n;     /**< for whom has no wish; 0: as many as the machine serves in one batch */
    uint64_t n_max; /**< refused above it */
} np_program_info;

/** The program of a name. NP_ERROR_INPUT with the nearest. */
np_status np_program_find(const char *name, const np_program_info **out) NP_CHECKED;

typedef struct np_program_options {
    uint64_t n;        /**< size of the input; 0 (default): the program's own, or as the file has */
    uint64_t edges;    /**< of a random graph; 0 (default): n */
    uint32_t steps;    /**< of random-reads; 0 (default): 16 */
    const char *input; /**< path of a file; NULL (default): the input is drawn from the seed of the PRAM */
} np_program_options;

extern const np_fields np_program_options_fields;

void np_program_options_init(np_program_options *options);

/**
 * Checks all that np_program_run would refuse before its first step, files aside, and runs nothing.
 *
 * @param n  receives the size of the input, 0 if it comes from a file
 * @return as np_program_run
 */
np_status np_program_check(const char *name, const np_pram_options *pram, const np_program_options *options,
                           uint64_t *n) NP_CHECKED;

enum { NP_PROGRAM_TEXT = 128 };

/** What a run came to. */
typedef struct np_program_result {
    const np_program_info *program;
    uint64_t n; /**< size of the input */
    uint64_t seed;
    bool correct;
    char wrong[NP_PROGRAM_TEXT]; /**< the first place where the answer is wrong; "" if there is none */
    size_t answers;              /**< words of the answer */
    np_word value;               /**< the answer, if it is one word; else 0 */
    uint64_t checksum;           /**< of all words of the answer, in order */
    char words[NP_PROGRAM_TEXT]; /**< the answer in a few words, such as "3 components"; may be "" */
    np_pram_report report;       /**< lives as long as pram */
    np_pram *pram;               /**< as the program left it. Owned by the result */
} np_program_result;

/** The fields of a result: all but the violations, which np_pram_report_fields has. */
extern const np_fields np_program_result_fields;

/**
 * Runs a program and checks its answer. A wrong answer and a violated rule are results, not errors.
 *
 * @param name     of the program
 * @param pram     machine, rule (set it to the program's own if there is no other wish), seed
 * @param options  the input
 * @param out      receives the result; free with np_program_result_free. NULL on error
 * @return NP_ERROR_INPUT (unknown program, an option it does not take, a bad file with its line), NP_ERROR_IO,
 *         NP_ERROR_LIMIT, NP_ERROR_CANCELLED, NP_ERROR_MEMORY, and those of np_pram_create
 */
np_status np_program_run(const char *name, const np_pram_options *pram, const np_program_options *options,
                         np_program_result **out) NP_CHECKED;

/** NULL is allowed. */
void np_program_result_free(np_program_result *result);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
