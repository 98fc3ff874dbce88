/*
 * PRAM programs as text (docs/pram-language.md): the notation of the textbooks, compiled to steps of a PRAM.
 *
 *     np_script_create("prefix.pram", text, length, &problem, &script);
 *     np_pram_options_init(&pram);
 *     np_script_options_init(&options);
 *     pram.rule = np_script_about_get(script).rule;
 *     np_script_run(script, &pram, &options, &result);
 *
 * A script is never changed after it was made: several threads may run it at once.
 */
#ifndef NETPRAM_SCRIPT_H
#define NETPRAM_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "netpram/base.h"
#include "netpram/field.h"
#include "netpram/pram.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum { NP_SCRIPT_MESSAGE = 320, NP_SCRIPT_SOURCE = 256 };

/** What is wrong with a program, and where. */
typedef struct np_script_problem {
    uint32_t line, column;           /**< from 1; line 0: no place of the text is to blame */
    char message[NP_SCRIPT_MESSAGE]; /**< without the place */
    char source[NP_SCRIPT_SOURCE];   /**< the line of the text, or its beginning; tabs as blanks */
} np_script_problem;

typedef struct np_script np_script;

/**
 * Compiles a text.
 *
 * @param path     what messages call it; copied
 * @param text     [length] copied
 * @param problem  receives what is wrong with it after NP_ERROR_INPUT and NP_ERROR_LIMIT; NULL: np_last_error() is enough
 * @param out      receives the script; free with np_script_free. NULL on error
 * @return NP_ERROR_INPUT and NP_ERROR_LIMIT (the first thing that is wrong, as "PATH:LINE:COLUMN: what"), NP_ERROR_MEMORY
 */
np_status np_script_create(const char *path, const char *text, size_t length, np_script_problem *problem,
                           np_script **out) NP_CHECKED;

/** The same of a file. Also NP_ERROR_IO. */
np_status np_script_read(const char *path, np_script_problem *problem, np_script **out) NP_CHECKED;

/** NULL is allowed. */
void np_script_free(np_script *script);

/** What a text says about itself. Valid as long as the script. */
typedef struct np_script_about {
    const char *name;    /**< "" if the text has none */
    const char *about;   /**< a line of help; "" if the text has none */
    const char *source;  /**< where the algorithm comes from; "" if the text does not say */
    np_access_rule rule; /**< that it needs; crew if the text does not say */
    const char *input;   /**< "array", "list", "tree", "graph", "matrix" or "text"; "" if it reads nothing */
    size_t options;      /**< that it declares */
} np_script_about;

np_script_about np_script_about_get(const np_script *script);

/** An option that a text declares. */
typedef struct np_script_option {
    const char *name, *help; /**< help: "" if the text has none */
    const char *type;        /**< "int", "real" or "bool" */
    char preset[32];         /**< the default, as text */
} np_script_option;

/** i < options. */
np_script_option np_script_option_get(const np_script *script, size_t i);

typedef struct np_script_options {
    size_t size; /**< of this structure; set by the initialiser */
    /**
     * The input: drawn from the seed of the PRAM, of size n (numbers, vertices, rows, letters; default 1024), or read from
     * a file. memory_limit is of the registers. `steps` does not apply: 0.
     */
    np_program_options program;
    const char *set; /**< values of options of the text, as "root=3,steps=10"; NULL (default): their defaults */
    uint64_t
        turns_max; /**< turns of loops, and calls, all together, after which the program is stopped; default 10^8 */
    void (*print)(void *context, const char *line); /**< gets what the program prints, line by line; NULL: nobody */
    void *print_context;
} np_script_options;

extern const np_fields np_script_options_fields;

static inline void np_script_options_init(np_script_options *options)
{
    np_options_init(&np_script_options_fields, options, sizeof *options);
}

/** What a line of the text cost. */
typedef struct np_script_line_cost {
    uint32_t line;
    const char *source; /**< its text, without blanks before and behind. Owned by the result */
    uint64_t steps;     /**< PRAM steps */
    uint64_t work;      /**< accesses */
    uint64_t network_steps;
} np_script_line_cost;

/** An output of the program. */
typedef struct np_script_output {
    const char *name;
    const char *type; /**< "int", "real" or "bool" */
    size_t count;     /**< words */
    const np_word
        *word; /**< [count] in row-major order; of reals their bits, NaN as the bits of NAN. Owned by the result */
} np_script_output;

typedef struct np_script_result {
    np_script_about about;
    const char *path;
    uint64_t n, seed;
    uint64_t turns;        /**< of loops, and calls */
    np_pram_report report; /**< valid as long as pram */
    np_pram *pram;         /**< as the program left it. Owned by the result */
    size_t lines;
    const np_script_line_cost *line; /**< [lines] those that made a step. Owned by the result */
    size_t outputs;
    const np_script_output *output; /**< [outputs] in the order of the text. Owned by the result */
    uint64_t checksum;              /**< of all words of all outputs */
} np_script_result;

/** The fields of a result, without the violations, which are in np_pram_report_fields. */
extern const np_fields np_script_result_fields, np_script_line_fields;

/**
 * Runs a program. A violated rule is a result, not an error.
 *
 * @param pram     machine, rule (set it to that of the text if you have no preference), seed
 * @param problem  receives the place in the text, if the program fails there; NULL: nobody asks
 * @param out      receives the result, which borrows from the script; free with np_script_result_free. NULL on error
 * @return NP_ERROR_INPUT (an index out of range, an assertion that does not hold, a bad file), NP_ERROR_IO,
 *         NP_ERROR_LIMIT (too many turns, too deep a recursion, too much memory), NP_ERROR_CANCELLED, NP_ERROR_MEMORY, and
 *         those of np_pram_create
 */
np_status np_script_run(const np_script *script, const np_pram_options *pram, const np_script_options *options,
                        np_script_problem *problem, np_script_result **out) NP_CHECKED;

/** Writes the outputs to a file, a word a line. A file of the same name is replaced when the new one is whole. NP_ERROR_IO. */
np_status np_script_output_write(const np_script_result *result, const char *path) NP_CHECKED;

/** NULL is allowed. */
void np_script_result_free(np_script_result *result);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
