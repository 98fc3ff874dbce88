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

/** What is wrong with a program, and where: in an imported file, if the message begins with its name and ": ". */
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
 * @param problem  receives what is wrong with it after NP_ERROR_INPUT and NP_ERROR_LIMIT; NULL: np_last_error() is
 *                 enough
 * @param out      receives the script; free with np_script_free. NULL on error
 * @return NP_ERROR_INPUT and NP_ERROR_LIMIT (the first thing that is wrong, as "PATH:LINE:COLUMN: what"),
 *         NP_ERROR_MEMORY
 */
np_status np_script_create(const char *path, const char *text, size_t length, np_script_problem *problem,
                           np_script **out) NP_CHECKED;

/**
 * The same of a file. Also NP_ERROR_IO. Files that it imports lie beside the file that imports them. A text from memory
 * imports by name only (`import scan`, the names of NP_LIST_IMPORTS).
 */
np_status np_script_read(const char *path, np_script_problem *problem, np_script **out) NP_CHECKED;

/** What a program may import, if not anything. */
typedef struct np_script_imports {
    const char *folder; /**< imports are taken from here, whichever file names them */
    size_t count;
    const char *const *allowed; /**< [count] as programs write them, others are refused: a file's name, or one of
                                     NP_LIST_IMPORTS, which is never a file */
} np_script_imports;

/** The same with these imports only, borrowed for the call; NULL: as np_script_read. */
np_status np_script_read_from(const char *path, const np_script_imports *imports, np_script_problem *problem,
                              np_script **out) NP_CHECKED;

/** The same of a program of the library by its name (np_program_find). NP_ERROR_INPUT: there is none, or it is in C. */
np_status np_script_library(const char *name, np_script **out) NP_CHECKED;

/** NULL is allowed. */
void np_script_free(np_script *script);

/** What a text says about itself. Valid as long as the script. */
typedef struct np_script_about {
    const char *name;    /**< "" if the text has none */
    const char *about;   /**< a line of help; "" if the text has none */
    const char *source;  /**< where the algorithm comes from; "" if the text does not say */
    np_access_rule rule; /**< that it needs; crew if the text does not say */
    const char *solves;  /**< the problem whose answer is judged: one of `netpram list problems`; "" if it says none */
    const char *input;   /**< "array", "list", "tree", "graph", "digraph", "matrix" or "text"; "": it reads nothing */
    size_t options;      /**< that it declares */
} np_script_about;

np_script_about np_script_about_get(const np_script *script);

/** An input that a text declares. Texts are valid as long as the script. */
typedef struct np_script_input {
    const char *name;
    const char *kind; /**< "array", "list", "tree", "graph", "digraph", "matrix" or "text" */
    const char *type; /**< of its words, or of its weights: "int", "real" or "bool" */
} np_script_input;

size_t np_script_inputs(const np_script *script);

/** i < np_script_inputs. */
np_script_input np_script_input_get(const np_script *script, size_t i);

/** An option that a text declares. */
typedef struct np_script_option {
    const char *name, *help; /**< help: "" if the text has none */
    const char *type;        /**< "int", "real" or "bool" */
    char preset[32];         /**< the default, as text */
} np_script_option;

/** i < options. */
np_script_option np_script_option_get(const np_script *script, size_t i);

/* ---- Watching a program step by step ---- */

/** What a line of the text cost. */
typedef struct np_script_line_cost {
    uint32_t line;
    const char
        *source;    /**< its text, without blanks before and behind; NULL in an np_script_step. Owned by the result */
    uint64_t steps; /**< PRAM steps */
    uint64_t work;  /**< accesses */
    uint64_t network_steps;
    uint64_t combined;   /**< requests that were combined with others on their way */
    uint64_t violations; /**< of the access rule */
} np_script_line_cost;

struct np_script_view;

/**
 * One PRAM step that was made: one access of each processor that is on, for one name in the text. Or the end of a
 * program: then count is 0. Valid until the callback returns. Of processors that are off the entries of the arrays mean
 * nothing.
 */
typedef struct np_script_step {
    uint64_t step;         /**< its number, from 0; at the end: how many were made */
    uint32_t line, column; /**< from 1; 0 at the end */
    const char *text;      /**< what is read or written, as in the text: "D[i]"; at the end "" */
    const char *type;      /**< of the cells: "int", "real" or "bool" */
    np_access_kind kind;
    np_fetch_op op;                /**< of fetches */
    size_t count;                  /**< processors 0 .. count-1, of which some are off */
    size_t active;                 /**< how many are on */
    const uint8_t *on;             /**< [count] 0: off; NULL: all are on */
    const np_address *address;     /**< [count] the cell */
    const np_word *value;          /**< [count] what was read, written or fetched */
    const np_word *operand;        /**< [count] of fetches; else NULL */
    const np_word *before, *after; /**< [count] what the cell held before the step, and after it */
    uint64_t network_steps;        /**< that it took */
    uint64_t violations;           /**< of the access rule, in this step */
    size_t kept;
    const np_violation *violation; /**< [kept] the first of them, as long as np_pram_options.violations_max allows */
    size_t lines;
    const np_script_line_cost *cost; /**< [lines] of the text so far, this step included; line i at i - 1 */
    np_pram *pram;                   /**< for np_pram_get: memory is as it is after the step */
    const struct np_script_view *view;
} np_script_step;

/** Watches a program. A program that nobody watches pays nothing; a step that is not wanted costs a call. */
typedef struct np_script_observer {
    bool (*wants)(void *context, uint64_t step, uint32_t line); /**< is this step wanted? NULL: all are */
    int (*step)(void *context, const np_script_step *step); /**< non-zero: the program ends with NP_ERROR_CANCELLED */
    /**
     * The program has ended, or failed with this status (not NP_ERROR_CANCELLED): np_last_error() says why. NULL: does
     * not matter. Non-zero: NP_ERROR_CANCELLED.
     */
    int (*end)(void *context, const np_script_step *state, np_status status);
    void *context;
} np_script_observer;

/** A name that the text could use where the step was made: a variable, an index of a pardo, or an array. */
typedef struct np_script_name {
    const char *name;
    const char *type; /**< "int", "real" or "bool" */
    bool shared;      /**< an array, or a cell */
    uint8_t rank;     /**< of an array; 0: a cell */
    bool index;       /**< of a pardo */
    bool one;         /**< it is the same for all processors */
} np_script_name;

/** How many names there are, the innermost first. A name can hide others of the same name that come after it. */
size_t np_script_names(const np_script_step *step);
np_script_name np_script_name_get(const np_script_step *step, size_t i);

/** *out = which of them a name is, the innermost. false: there is none. */
bool np_script_name_find(const np_script_step *step, const char *name, size_t *out);

enum { NP_SCRIPT_RANK_MAX = 8 };

/** An array, as a processor sees it; cells in row-major order. */
typedef struct np_script_array {
    np_address base;
    uint64_t cells; /**< 0: it is empty, or not made yet */
    uint8_t rank;
    np_word low[NP_SCRIPT_RANK_MAX], extent[NP_SCRIPT_RANK_MAX]; /**< [rank] */
} np_script_array;

/** Of name i, which is shared, and a processor that is on (at the end, 0). */
np_script_array np_script_array_get(const np_script_step *step, size_t i, size_t processor);

/** The value of name i, which is not shared, of a processor that is on (at the end, 0). */
np_word np_script_value_get(const np_script_step *step, size_t i, size_t processor);

/** An expression of the language over the names of a step, for debuggers. It makes no step and calls nothing. */
typedef struct np_script_expression np_script_expression;

/**
 * @param text  "a[i] < 0 and i > 2"
 * @param out   free with np_script_expression_free; NULL on error. Good for all steps at the same place of the text
 * @return NP_ERROR_INPUT (what is wrong with it; also a call of a procedure, a fetch and random), NP_ERROR_LIMIT,
 *         NP_ERROR_MEMORY
 */
np_status np_script_expression_create(const np_script_step *step, const char *text,
                                      np_script_expression **out) NP_CHECKED;

/** "int", "real" or "bool". */
const char *np_script_expression_type(const np_script_expression *expression);

/**
 * Its value behind the step, for a processor that is on (at the end, 0). NP_ERROR_INPUT: it has none, as of an index
 * out of range.
 */
np_status np_script_expression_value(const np_script_expression *expression, const np_script_step *step,
                                     size_t processor, np_word *value) NP_CHECKED;

/** NULL is allowed. */
void np_script_expression_free(np_script_expression *expression);

enum { NP_SCRIPT_CELL = 256 };

/** Writes the name of a cell that a processor accesses in this step: "x[3]". Of a program's array its own name. */
void np_script_cell_name(const np_script_step *step, size_t processor, char name[NP_SCRIPT_CELL]);

/** A call that is not over. */
typedef struct np_script_call {
    const char *procedure;
    uint32_t line; /**< of the call */
} np_script_call;

/** How many there are; i = 0: the innermost. */
size_t np_script_calls(const np_script_step *step);
np_script_call np_script_call_get(const np_script_step *step, size_t i);

/** A word as the text would write it: "3", "0.5", "true". type: "int", "real" or "bool". */
void np_script_word(const char *type, np_word word, char text[32]);

/** Line `line` of the text, from 1, without its end, and how long it is; NULL: there is none. */
const char *np_script_line_get(const np_script *script, uint32_t line, size_t *length);

/**
 * Lines of imported files are numbered on, behind those of the program. Which file has a line that a step, a call or a
 * cost names: its name as the import has it, "" for the program itself.
 *
 * @param local  receives the number of the line in its file
 */
const char *np_script_file_get(const np_script *script, uint32_t line, uint32_t *local);

/* ---- Runs ---- */

/**
 * An input of a program from memory. All is borrowed for the run; words are not copied before they are put into cells.
 */
typedef struct np_script_data {
    const char *input; /**< its name in the text; NULL: the only one */
    size_t count;      /**< words, in row-major order; of a graph edges */
    size_t rows; /**< of a matrix, 1..65535: count is a multiple of it; of a graph vertices; else it does not count */
    const np_word *word; /**< [count] of all inputs; of reals their bits; of texts their bytes. Of graphs the weights;
                                     NULL: see weight. The lightest of parallel edges counts */
    const np_node *tail,
        *head;              /**< [count] of graphs; directions and loops count in a digraph only, repetitions never */
    const uint32_t *weight; /**< [count] weights of graphs that are whole and not negative; NULL: as a file without */
} np_script_data;

typedef struct np_script_options {
    size_t size; /**< of this structure; set by the initialiser */
    /**
     * The input: drawn from the seed of the PRAM, of size n (numbers, vertices, rows, letters; default 1024), or read
     * from a file. memory_limit is of all that a run holds: a text is refused when it would take more. `steps` does not
     * apply: 0.
     */
    np_program_options program;
    void (*print)(void *context, const char *line); /**< gets what the program prints, line by line; NULL: nobody */
    void *print_context;
    const np_script_observer *observer; /**< watches the steps; borrowed for the run; NULL (default): nobody */
    size_t data_count;
    const np_script_data *data; /**< [data_count] inputs from memory; the others are as `program` says */
    const char *solves;         /**< the problem by which the answer is judged, whatever the text says (`netpram list
                                     problems`); NULL (default): what the text says */
} np_script_options;

extern const np_fields np_script_options_fields;

static inline void np_script_options_init(np_script_options *options)
{
    np_options_init(&np_script_options_fields, options, sizeof *options);
}

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
    bool judged;                    /**< the text says what it solves, and the answer was held to sequential code */
    bool correct;                   /**< the answer is right; false if nobody judges */
    char wrong[NP_PROGRAM_TEXT];    /**< the first place where the answer is wrong; "" if there is none */
    char words[NP_PROGRAM_TEXT];    /**< the answer in a few words, such as "3 components"; may be "" */
    uint64_t count;                 /**< the number with which `words` begins; 0 if words is "" */
    size_t notes;
    const char *const
        *note; /**< [notes] what was made of inputs, such as "G: 12 edges taken both ways". Owned by the result */
} np_script_result;

/** The fields of a result, without the violations, which are in np_pram_report_fields. */
extern const np_fields np_script_result_fields, np_script_line_fields;

/**
 * Runs a program. A violated rule is a result, not an error.
 *
 * @param pram     machine, rule (set it to that of the text if you have no preference), seed
 * @param problem  receives the place in the text, if the program fails there; NULL: nobody asks
 * @param out      receives the result, which borrows from the script; free with np_script_result_free. NULL on error
 * @return NP_ERROR_INPUT (an index out of range, an assertion that does not hold, a bad file or bad data), NP_ERROR_IO,
 *         NP_ERROR_LIMIT (too many turns, too deep a recursion, too much memory), NP_ERROR_CANCELLED, NP_ERROR_MEMORY,
 *         and those of np_pram_create
 */
np_status np_script_run(const np_script *script, const np_pram_options *pram, const np_script_options *options,
                        np_script_problem *problem, np_script_result **out) NP_CHECKED;

/**
 * np_program_run for a program of the library that is text, with all that the options of a script say: lines that it
 * prints, an observer, inputs from memory. NP_ERROR_INPUT also: it is in C.
 */
np_status np_program_run_script(const char *name, const np_pram_options *pram, const np_script_options *options,
                                np_program_result **out) NP_CHECKED;

/**
 * The shape of an output of a result: extent[0 .. rank-1], of which the product is output->count.
 *
 * @param extent  receives them; NULL: only the rank is wanted
 * @return the rank: 0 of a cell or a variable
 */
size_t np_script_output_shape(const np_script_output *output, uint64_t extent[NP_SCRIPT_RANK_MAX]);

/**
 * Writes the outputs to a file: a word a line, of an array of two dimensions or more a row a line; or, if the path ends
 * in
 * ".npy", the only output as an array of NumPy (NP_ERROR_INPUT: there are several, or none). A file of the same name is
 * replaced when the new one is whole. NP_ERROR_IO.
 */
np_status np_script_output_write(const np_script_result *result, const char *path) NP_CHECKED;

/** NULL is allowed. */
void np_script_result_free(np_script_result *result);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
