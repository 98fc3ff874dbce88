/*
 * A PRAM: processors in lock step on one shared memory (Ranade 1987b).
 *
 * Programs are written in C against vectors over processors. In one PRAM step
 * every active processor makes at most one access: it reads a cell, writes a
 * cell, or fetches a cell and adds to it. All reads and fetches of a step see
 * memory as it was before all writes of the step; a fetch also sees the fetches
 * of lower processors. Local computation between steps is ordinary C and costs
 * nothing.
 *
 *     np_pram_options options;
 *     np_pram_options_init(&options);
 *     options.machine = "butterfly:8";
 *     np_pram_create(&options, &pram);
 *     np_pram_allocate(pram, n, "x", &x);
 *     np_pram_put(pram, x, n, input);             load: free
 *     for (i = 0; i < n; i++) address[i] = x + i;
 *     np_pram_read(pram, n, address, NULL, value, "load x");    one step
 *
 * The same program runs on every machine. The answer is the same to the bit; the
 * cost differs. A vector may be longer than the number of processors: virtual
 * processors share real ones (Brent 1974), and the step takes longer.
 *
 *   state      legal calls
 *   created    all
 *   failed     np_pram_free, np_pram_report_get, np_pram_explain (after any error of a step)
 *
 * One thread at a time may use a PRAM.
 */
#ifndef NETPRAM_PRAM_H
#define NETPRAM_PRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "netpram/base.h"
#include "netpram/engine.h"
#include "netpram/field.h"
#include "netpram/merging.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef int64_t np_word;     /**< what a cell holds */
typedef uint64_t np_address; /**< a cell, 0 .. cells-1 */
typedef uint32_t np_processor;

/**
 * What happens when several processors access one cell in one step. A fetch reads and
 * writes: any number of fetches is allowed if both reads and writes may be
 * concurrent. The two halves of np_pram_move are checked separately.
 */
typedef enum np_access_rule {
    NP_RULE_EREW,      /**< no two may access a cell */
    NP_RULE_CREW,      /**< any number may read it, one may write it */
    NP_RULE_ERCW,      /**< one may read it, any number may write it: one writer wins, as with NP_RULE_ARBITRARY */
    NP_RULE_WEAK,      /**< concurrent writes must all write 1 */
    NP_RULE_COMMON,    /**< concurrent writes must agree */
    NP_RULE_TOLERANT,  /**< concurrent writes change nothing */
    NP_RULE_COLLISION, /**< concurrent writes leave NP_COLLISION */
    NP_RULE_ARBITRARY, /**< one of the writers wins: drawn from the seed */
    NP_RULE_PRIORITY,  /**< the writer with the least number wins */
    NP_RULE_ADD,       /**< the cell's new value is the sum of the values written; likewise: */
    NP_RULE_MIN,       /**< the least value */
    NP_RULE_MAX,       /**< the largest value */
    NP_RULE_AND,       /**< their bitwise and */
    NP_RULE_OR,        /**< their bitwise or */
    NP_RULE_XOR,       /**< their bitwise exclusive or */
    NP_RULES
} np_access_rule;

/** The value that NP_RULE_COLLISION leaves in a cell of integers; in one of reals it is NaN. No program should write
 * it. */
#define NP_COLLISION INT64_MIN

/**
 * What the words of an array stand for. It decides what rules and fetches do where several processors meet at a cell,
 * when values agree (NP_RULE_WEAK: 1, 1.0, true; NP_RULE_COMMON: as == has it, so 0.0 and -0.0 agree), and how values
 * are shown.
 *
 *   int   64 bits, which wrap round: all rules and fetches
 *   real  the bits of a double. add: the exact sum of all values, rounded once (to nearest, ties to even), so that no
 *         order of adding matters: each reply of a fetch is the exact sum of the cell and of all lower operands. With a
 *         NaN, or with both infinities, it is NaN; a sum of 0 is -0.0 only if all values are. min, max: of IEEE
 *         754-2019: -0.0 is less than 0.0, and with a NaN it is NaN. and, or, xor: refused
 *   bool  0 is false, and all else true; what is combined is 0 or 1. and, or, xor; add, min, max and NP_RULE_COLLISION
 *         are refused
 */
typedef enum np_cell_type { NP_CELL_INT, NP_CELL_REAL, NP_CELL_BOOL } np_cell_type;

const char *np_cell_type_name(np_cell_type type); /**< "int", "real", "bool" */

/** The word of a real, and the real of a word: the same bits. */
static inline np_word np_word_of_real(double real)
{
    np_word word;
    memcpy(&word, &real, sizeof word);
    return word;
}

static inline double np_real_of_word(np_word word)
{
    double real;
    memcpy(&real, &word, sizeof real);
    return real;
}

/** Fetch-and-op: the cell becomes the combination of itself and all operands, in processor order. */
typedef enum np_fetch_op {
    NP_FETCH_ADD,
    NP_FETCH_MIN,
    NP_FETCH_MAX,
    NP_FETCH_AND,
    NP_FETCH_OR,
    NP_FETCH_XOR
} np_fetch_op;

typedef enum np_access_kind { NP_ACCESS_READ, NP_ACCESS_WRITE, NP_ACCESS_FETCH } np_access_kind;

/** One PRAM step: the vector primitive. */
typedef struct np_pram_step {
    const char *label; /**< source location or what the step does, for reports; NULL: none. Borrowed for the run */
    size_t count;      /**< virtual processors 0 .. count-1 */
    const np_address *address; /**< [count] */
    const uint8_t *active;     /**< [count] 0: the processor makes no access; NULL: all are active */
    np_access_kind all;        /**< what every active processor does, if kind is NULL */
    const uint8_t *kind;       /**< [count] np_access_kind; or NULL */
    np_fetch_op op;            /**< of fetches */
    np_word *value;            /**< [count] in: what is written, or a fetch's operand; out: what is read or fetched. The
                                    values of writers are unchanged */
} np_pram_step;

typedef struct np_pram np_pram;

/**
 * A PRAM step that has been made; of np_pram_move first its reads, then its writes. Borrowed until the call returns.
 */
typedef struct np_pram_seen {
    const np_pram *pram;
    uint64_t step;              /**< from 0 */
    const np_pram_step *access; /**< its values are those that were read, written or fetched */
    const np_word *operand;     /**< [access->count] of a step with fetches: what processors gave; else NULL */
    uint64_t network_steps;     /**< that it took */
    uint64_t violations;        /**< in it */
} np_pram_seen;

/** How PRAM addresses become places in the modules of a network (section 3.1). */
typedef enum np_address_map {
    NP_MAP_HASH,   /**< a random polynomial of degree zeta - 1, mod a prime, mod modules: the class H */
    NP_MAP_LINEAR, /**< (a x + b) mod a prime, mod modules */
    NP_MAP_NONE    /**< x mod modules */
} np_address_map;

typedef enum np_request_order {
    NP_ORDER_MODULE, /**< tags <module, address>, as in the paper */
    NP_ORDER_HASH    /**< <hash of the address, address> */
} np_request_order;

/** Which cells a module of a machine `copies` serves in a round, if more than np_pram_options.serves are asked for. */
typedef enum np_module_answers {
    NP_ANSWERS_ARBITRARY, /**< so many of them, drawn from the seed */
    NP_ANSWERS_COLLISION  /**< none: the c-collision rule (Dietzfelbinger & Meyer auf der Heide 1993) */
} np_module_answers;

/** How the modules of a butterfly keep cells (appendix A of Ranade 1987b). */
typedef enum np_memory_layout {
    NP_LAYOUT_NONE,        /**< a module has the cells that are mapped to it; what they are searched by is left open */
    NP_LAYOUT_PRELIMINARY, /**< A.1: every place of the hash table has room for 8 pairs in each module of its row */
    NP_LAYOUT_IMPROVED     /**< A.2: a row has as many pairs as cells */
} np_memory_layout;

typedef struct np_pram_options {
    size_t size;                /**< of this structure; set by the initialiser */
    const char *machine;        /**< "ideal" (default), "butterfly:8", "leveled:mesh:16x16", "two-phase:hypercube:8",
                                     "copies:complete:1024" */
    np_access_rule rule;        /**< default NP_RULE_ARBITRARY */
    uint64_t seed;              /**< default 1 */
    uint64_t cells;             /**< of memory, at most; memory grows up to this as it is allocated. Default 2^28 */
    np_processor processors;    /**< real processors; 0 (default): as many as the machine has; on `ideal` one for each
                                  virtual processor */
    uint32_t slack;             /**< h: requests of one processor in one batch, at most. If a batch is not full, all
                                  processors share its requests evenly, in sequence. 0 (default): 1; on `copies`, where
                                  a processor begins with h requests at a time, with all of a PRAM step */
    uint32_t queue_size;        /**< b: default 4 */
    np_address_map map;         /**< default NP_MAP_HASH */
    uint32_t hash_coefficients; /**< coefficients of a hash function; 0 (default): 8 n, on machines other than a
                                  butterfly 8 log2 of their modules */
    np_request_order order;     /**< default NP_ORDER_MODULE */
    uint32_t allotted;       /**< network steps a batch may take, as a multiple of n slack, before a new hash function
                                  is drawn (appendix B) and all cells are moved; n: np_pram_report. 0 (default): 64; on
                                  two-phase machines there is no limit by default. With NP_MAP_NONE there is none */
    uint32_t violations_max; /**< violations that are kept; all are counted. Default 16 */
    np_watch watch;          /**< is told now and then how far the call is, and may cancel it */
    /**
     * Gets the events (netpram/engine.h) of all batches while programs run: a run is a batch, its phases are those in
     * which requests, and replies if they are routed, move. docs/outputs.md has more. np_pram_create returns
     * NP_ERROR_APPLY if the machine is not observed. NULL (default): nobody.
     */
    const np_observer *observer;
    bool physical; /**< play each step of a leveled network on the links of the machine's network, and count the steps
                        that this takes (np_pram_report.physical_steps); default false */
    uint32_t threads; /**< of the machine `ideal`, and of the programs' own loops there; of the six phases of
                         `butterfly`. Others have one. They change no result. 0 (default): one a processor, where a step
                         is long enough */
    /* Only machines `copies` heed these three, and answers. */
    uint32_t copies; /**< a: copies of each cell, in different modules, by as many hash functions; default 3 */
    uint32_t quorum; /**< b: copies that a read, and a write, must reach: more than half of them, so that every read
                          meets the newest write; 0 (default): the least such number */
    uint32_t serves; /**< c: cells that a module serves in a round, at most. It refuses all other requests. 0 (default):
                          1; with NP_ANSWERS_COLLISION 3 */
    bool carry_values; /**< messages carry operands and replies through the network, and modules alone decide; slower,
                          and the answers are the same. Else only tags move. np_pram_create returns NP_ERROR_APPLY if
                          the machine has no network, or is registered. Default false */
    /** Gets every PRAM step when it has been made; non-zero cancels. NULL (default): nobody, which costs nothing. */
    int (*on_step)(void *context, const np_pram_seen *seen);
    void *on_step_context;
    /**
     * butterfly only: hash tables and overflow areas hold the cells, phase 4 searches them, and nodes evaluate the hash
     * function for every request, along their rows (A.3), in network steps. The answers are the same. np_pram_create
     * returns NP_ERROR_APPLY on other machines. Default NP_LAYOUT_NONE.
     */
    np_memory_layout memory_layout;
    /** The processes that share the PRAM: np_mpi_job (netpram/mpi.h), for the machine `mpi`. NULL (default): none */
    const np_job *job;
    np_module_answers answers; /**< default NP_ANSWERS_ARBITRARY. NP_ANSWERS_COLLISION needs serves (copies - quorum)
                                    of 2 or more: else np_pram_create returns NP_ERROR_INPUT */
} np_pram_options;

/** *out = can np_pram_explain explain a slow step on this machine ("butterfly:8")? NP_ERROR_INPUT: unknown machine. */
np_status np_pram_machine_explains(const char *machine, bool *out) NP_CHECKED;

/** *out = does the machine tell observers of its messages? NP_ERROR_INPUT: unknown machine. */
np_status np_pram_machine_observed(const char *machine, bool *out) NP_CHECKED;

/**
 * Does the machine ("butterfly:8") use the option, a name of np_pram_options_fields? np_pram_create refuses what it
 * does not use, unless it is the default.
 * @return NP_OK; NP_ERROR_INPUT: unknown machine; NP_ERROR_APPLY: "is for machine 'copies', not for 'ideal'"
 */
np_status np_pram_machine_heeds(const char *machine, const char *option) NP_CHECKED;

/** The fields of np_pram_options; `violations` is violations_max. */
extern const np_fields np_pram_options_fields;

static inline void np_pram_options_init(np_pram_options *options)
{
    np_options_init(&np_pram_options_fields, options, sizeof *options);
}

/**
 * @return NP_ERROR_INPUT (unknown machine, bad options, with the nearest valid choice), NP_ERROR_APPLY,
 *         NP_ERROR_LIMIT, NP_ERROR_MEMORY
 */
np_status np_pram_create(const np_pram_options *options, np_pram **out) NP_CHECKED;
void np_pram_free(np_pram *pram);

/** *base = the first of `count` new cells, all 0. The name is for reports; it is copied; name may be NULL: none.
 *  NP_ERROR_LIMIT, NP_ERROR_MEMORY. */
np_status np_pram_allocate(np_pram *pram, uint64_t count, const char *name, np_address *base) NP_CHECKED;

/** The same, and the cells are of a type; np_pram_allocate makes cells of NP_CELL_INT. name may be NULL. */
np_status np_pram_allocate_typed(np_pram *pram, uint64_t count, const char *name, np_cell_type type,
                                 np_address *base) NP_CHECKED;

/** The type that the cell was allocated with. The address must be a cell. */
np_cell_type np_pram_cell_type(const np_pram *pram, np_address address);

/** *array = the name that np_pram_allocate was given for the cell, *offset = its place there. The address must be a
 * cell. */
void np_pram_cell(const np_pram *pram, np_address address, const char **array, uint64_t *offset);

/** Writes and reads memory from outside: no step, no cost. NP_ERROR_INPUT: some cells are not allocated. */
np_status np_pram_put(np_pram *pram, np_address base, uint64_t count, const np_word *value) NP_CHECKED;
np_status np_pram_get(const np_pram *pram, np_address base, uint64_t count, np_word *value) NP_CHECKED;

/**
 * One step. A violation of the rule is no error: it is recorded, and the step goes on
 * as under NP_RULE_PRIORITY; under NP_RULE_ERCW concurrent writers still draw lots.
 * @return NP_ERROR_INPUT (an address that is not allocated; a fetch, or concurrent writes, that have no meaning for the
 *         type of the cell (np_cell_type); with processor and label), NP_ERROR_CANCELLED, NP_ERROR_MEMORY,
 *         NP_ERROR_INTERNAL
 */
np_status np_pram_access(np_pram *pram, const np_pram_step *step) NP_CHECKED;

/** Shorthands: one step in which all (active) processors make the same kind of access. active may be NULL. */
np_status np_pram_read(np_pram *pram, size_t count, const np_address *address, const uint8_t *active, np_word *value,
                       const char *label) NP_CHECKED;
np_status np_pram_write(np_pram *pram, size_t count, const np_address *address, const uint8_t *active,
                        const np_word *value, const char *label) NP_CHECKED;
/** Multiprefix: value[i] becomes what the cell held, combined with the operands of all lower processors at the cell. */
np_status np_pram_fetch(np_pram *pram, np_fetch_op op, size_t count, const np_address *address, const uint8_t *active,
                        np_word *value, const char *label) NP_CHECKED;
/**
 * A classical PRAM instruction, read then write, in one step: processor i reads from[i] and writes what it
 * read to to[i]; all reads come before all writes. It counts as one PRAM step, and as two accesses of each processor.
 */
np_status np_pram_move(np_pram *pram, size_t count, const np_address *from, const np_address *to, const uint8_t *active,
                       const char *label) NP_CHECKED;

/*
 * Sequences of steps. A program that takes its indices from memory fills arrays of addresses and asks after every step
 * whether it failed. np_steps does both: processor i accesses array[index[i]], and nothing if index[i] is negative. The
 * first error is kept; after it every call does nothing, so a program asks once, at its end. examples/pram_forest.c is
 * an example.
 *
 *     np_steps_create(pram, &steps);
 *     np_pram_array x = np_steps_array(steps, n, "x", input);
 *     np_steps_gather(steps, x, n, next, value);
 *     np_steps_scatter(steps, x, n, place, value);
 *     status = np_steps_end(steps);
 */

typedef struct np_steps np_steps;

/** Cells of a PRAM. */
typedef struct np_pram_array {
    np_address base;
    uint64_t cells;
    const char *name; /**< also the label of the steps. Borrowed: it must last as long as the PRAM */
} np_pram_array;

/** @param out  end it with np_steps_end, before the PRAM. NULL on NP_ERROR_MEMORY */
np_status np_steps_create(np_pram *pram, np_steps **out) NP_CHECKED;

/** The first error of the calls so far. */
np_status np_steps_status(const np_steps *steps);

/** Frees the sequence. @return the first error, whose message np_last_error() gives; NULL: NP_OK */
np_status np_steps_end(np_steps *steps) NP_CHECKED;

/** New cells: no step. words: [cells] what they hold; NULL: 0. After an error the array has no cells. */
np_pram_array np_steps_array(np_steps *steps, uint64_t cells, const char *name, const np_word *words);

/**
 * One step each, of processors 0 .. count-1; NULL for `index` stands for 0, 1, 2, ... An index that is no cell of the
 * array is NP_ERROR_INPUT, which names the processor. Values of processors that make no access are unchanged.
 *
 *   gather   value[i] = array[index[i]]
 *   scatter  array[index[i]] = value[i]
 *   fetch    both: value[i] is combined with the cell, and receives what was there with all lower processors' values
 */
void np_steps_gather(np_steps *steps, np_pram_array array, size_t count, const np_word *index, np_word *value);
void np_steps_scatter(np_steps *steps, np_pram_array array, size_t count, const np_word *index, const np_word *value);
void np_steps_fetch(np_steps *steps, np_fetch_op op, np_pram_array array, size_t count, const np_word *index,
                    np_word *value);

/** All words of an array, from outside: no step. */
void np_steps_get(np_steps *steps, np_pram_array array, np_word *words);

/** An access that the rule forbids. For each cell and step, one violation is recorded. */
typedef struct np_violation {
    uint64_t step;     /**< PRAM step, from 0 */
    const char *label; /**< "" if the step had none */
    np_address address;
    const char *array;          /**< the name that np_pram_allocate was given for these cells */
    uint64_t offset;            /**< in the array */
    np_processor first, second; /**< the two least processors whose accesses the rule forbids together */
    np_processor more;          /**< other processors whose accesses to the cell in this step concern the rule */
    np_access_kind first_kind, second_kind;
    np_word first_value, second_value; /**< written or added; 0 for reads */
    np_word before, after;             /**< what the cell held before the step, and what the step left in it */
    np_cell_type type;                 /**< of the cell, and so of the values */
    const char *where; /**< in a text the indices of both processors, "i = 0 and i = 1"; "" if there are none. Owned by
                            the result of the text */
} np_violation;

/** What processes took that share a PRAM: the machine `mpi`. */
typedef struct np_pram_shared {
    uint32_t ranks;           /**< 0: the PRAM is of one process, and all else is 0 */
    double seconds;           /**< real ones, from the first step of the program to its end on the slowest rank */
    uint64_t messages, bytes; /**< that ranks sent to others */
    uint32_t butterfly_n;     /**< the least butterfly that has a processor for each virtual one */
    double butterfly_steps; /**< steps of its network that the program would take there: NP_PRAM_BUTTERFLY n for each of
                                 the PRAM, as has been measured */
} np_pram_shared;

/** What a step of a PRAM takes on a butterfly, in n steps of its network: 9.2 for n = 3, 10.4 for n = 9. */
#define NP_PRAM_BUTTERFLY 10

/** What a program cost so far. Network figures are 0 on `ideal`. */
typedef struct np_pram_report {
    const char *machine; /**< spec */
    np_access_rule rule;
    np_access_rule weakest;  /**< the weakest rule under which the program would have run clean so far, with the same
                                  outcome of concurrent writes. The order, from the weakest: EREW, CREW, WEAK, COMMON,
                                  TOLERANT, COLLISION, ERCW, ARBITRARY, PRIORITY, and the combining rules */
    np_processor processors; /**< real processors */
    uint64_t modules;
    uint32_t n;           /**< of the machine: log2 of its rows; without rows the diameter, or about log2 of the modules
                               if finding the diameter would take long */
    uint64_t steps, work; /**< T; accesses */
    uint64_t network_steps, initialisation_steps, rehash_steps; /**< the first includes the others */
    np_summary per_step;                                        /**< network steps of a PRAM step */
    uint64_t requests, combined, ghosts, replies;
    uint32_t queue_max;       /**< most messages in one queue, ghosts not counted: at most b */
    uint64_t module_load_max; /**< most requests that one module answered in one batch */
    uint64_t row_cells_max;   /**< most PRAM cells in one row's modules (Theorem 4); without rows: in one module */
    uint64_t row_cells_mean;  /**< rounded up */
    uint64_t bad_stride;      /**< the address map keeps every cell of this stride in one module; 0: no such stride */
    uint32_t rehashes;
    uint64_t violations; /**< all of them */
    size_t kept;
    const np_violation *violation; /**< [kept] the first violations. Owned by the PRAM */
    /**
     * Steps of the machine's network, over each of whose directed links one message goes in a step. On `leveled` and
     * `butterfly` network_steps are steps of a leveled network, whose edges share links: there physical_steps are
     * executed with np_pram_options.physical, else the most that they can be. On other machines both are equal.
     */
    uint64_t physical_steps;
    bool physical; /**< they were executed */
    /** Of machines `copies`, else 0: rounds in all, the most of one batch, and requests that a module refused. */
    uint64_t rounds, rounds_max, refused;
    np_pram_shared shared;
} np_pram_report;

np_status np_pram_report_get(np_pram *pram, np_pram_report *out) NP_CHECKED;

/**
 * How many of np_pram_report.rounds stalled: no module answered, because each was asked for more than
 * np_pram_options.serves cells. By the collision rule all later rounds would be the same, so in the next one modules
 * answer by the arbitrary rule. 0 on other machines, and with NP_ANSWERS_ARBITRARY.
 */
uint64_t np_pram_stalled(const np_pram *pram);

/** How long the steps so far take on the real processors. */
typedef struct np_pram_schedule {
    /**
     * Brent's schedule (Brent 1974): a step in which a processors make an access takes ceil(a / p) steps of the p real
     * processors (np_pram_report.processors), and one step if none does. At most np_pram_report.steps + work / p. On
     * `ideal` without np_pram_options.processors every step takes one.
     */
    uint64_t steps;
    bool asked; /**< np_pram_options.processors says how many real processors there are */
} np_pram_schedule;

np_pram_schedule np_pram_schedule_get(const np_pram *pram);

/** A message of an explained batch: all requests of one kind for one cell. */
typedef struct np_pram_message {
    np_address address;
    const char *array; /**< the name that np_pram_allocate was given for these cells. Owned by the PRAM */
    uint64_t offset;   /**< in the array */
    np_access_kind kind;
    uint32_t module_column, module_row; /**< of the butterfly: where the cell was */
    uint32_t requests;
} np_pram_message;

/** Why the slowest batch so far took as long as it did. It borrows the label and the names from the PRAM. */
typedef struct np_pram_explanation {
    uint64_t step;     /**< PRAM step, from 0, that the batch was part of */
    const char *label; /**< "" if the step had none */
    np_polarized sequence;
    np_pram_message *message; /**< [sequence.rows] the message of each row */
} np_pram_explanation;

/**
 * Sends the slowest batch of requests once more and explains it: makes the polarized sequence of Ranade 1987b, section
 * 4, and checks its lemmas and Theorem 2. If several batches were equally slow, the first one is explained. An attempt
 * that was given up for a new hash function does not count; the attempt of the same batch with the new hash function
 * does. The PRAM and its costs are unchanged. Takes the time of the batch, and 5 bytes for each of its steps and each
 * of the (6n + 1) 2^n switches.
 *
 * @param out  receives the explanation; free with np_pram_explanation_free before the PRAM. NULL on error
 * @return NP_ERROR_APPLY on machines other than a butterfly, and before the first access; NP_ERROR_LIMIT above 4 GiB;
 *         NP_ERROR_MEMORY, NP_ERROR_INTERNAL
 */
np_status np_pram_explain(const np_pram *pram, np_pram_explanation **out) NP_CHECKED;

/** NULL is allowed. */
void np_pram_explanation_free(np_pram_explanation *explanation);

/** Words of memory that a layout of appendix A takes. A pair takes two words. */
typedef struct np_pram_layout {
    uint64_t overflow_max; /**< most words in the overflow area of one row */
    double overflow_mean;  /**< the mean over the rows */
    uint64_t row_max;      /**< most words of one row: overflow area and hash table area together */
    double row_mean;
    uint64_t module_max; /**< words of the fullest module */
} np_pram_layout;

/**
 * The memory inside the modules of a butterfly (appendix A). A hash table of M places, one word each, is spread over
 * the N modules. A place says where the pairs (address, contents) of its cells are in the modules of its row.
 */
typedef struct np_pram_memory {
    uint64_t rows;              /**< of the butterfly; on other machines this and all other members are 0 */
    uint64_t cells, places;     /**< cells allocated; places M, the least N 2^j that is at least the number of cells */
    uint64_t table_row;         /**< words of one row's hash table area: the same in every row and in both layouts */
    np_pram_layout preliminary; /**< every place has `search` pairs in each module of its row, used or not */
    np_pram_layout improved;    /**< the pairs of a row are one after the other: as many pairs as the row has cells */
    uint64_t row_cells_max;     /**< most cells in one row */
    double row_cells_mean;
    double theorem4;          /**< c of Theorem 4, with `cells` as its M: row_cells_max = c cells n / N */
    uint64_t place_cells_max; /**< most cells of one place */
    uint64_t overfull;        /**< places with more cells than they have pairs in the preliminary layout, which would
                                   then fail */
    uint32_t search;          /**< pairs of a place in one module that phase 4 looks at: zeta / n, 8 by default */
    uint64_t probes; /**< pairs that phase 4 has looked at so far, in all modules of the row of every request; with a
                          layout, until a message had found its cell */
    np_memory_layout layout;   /**< in which the memory works; NP_LAYOUT_NONE: all members below are 0 */
    uint64_t searches;         /**< messages that searched in phase 4 */
    uint64_t probes_max;       /**< most pairs that one of them looked at */
    uint64_t evaluation_steps; /**< network steps in which hash functions were evaluated (A.3) */
    uint64_t probes_bound; /**< the most pairs that a message can look at: n `search` in the preliminary layout; in the
                              improved one place_cells_bound */
    /* With any layout or none: np_bound_crowd at NP_PRAM_BOUND_AT, of the cells, places and hash function now; 0: no
     * function. */
    uint64_t place_cells_bound; /**< most cells of one place */
    uint64_t row_cells_bound;   /**< most cells in one row: Theorem 4 */
} np_pram_memory;

/** Bounds of np_pram_memory fail with at most this probability, for one hash function. */
#define NP_PRAM_BOUND_AT 0.001

/** The fields of a report, of an explanation and of the memory. */
extern const np_fields np_pram_report_fields, np_pram_explanation_fields, np_pram_memory_fields;

/** The memory as it is now. The time is proportional to the number of places. NP_ERROR_MEMORY. */
np_status np_pram_memory_compute(const np_pram *pram, np_pram_memory *out) NP_CHECKED;

const char *np_access_rule_name(np_access_rule rule); /**< "erew", "crcw-arbitrary", "crcw-add", ... */
np_status np_access_rule_parse(const char *name,
                               np_access_rule *out) NP_CHECKED; /**< NP_ERROR_INPUT with the nearest */

/*
 * A library of PRAM programs with checked answers: the algorithms of the
 * textbooks. They use only netpram/pram.h, as any caller can. A program
 * makes its input from the seed or reads it from a file, and runs on any
 * machine. Sequential code, which shares only the input with the program,
 * checks its answer.
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

/** What a program reads from a file, if it is given one. */
typedef enum np_program_input {
    NP_INPUT_NONE,    /**< nothing: its input is drawn from the seed */
    NP_INPUT_NUMBERS, /**< one number a line, with a sign if it is negative */
    NP_INPUT_GRAPH    /**< lines "from to", or a Matrix Market file; directions, loops and repetitions do not count */
} np_program_input;

typedef struct np_program_info {
    np_entry entry;      /**< entry.rule: the program runs clean under this rule for every input */
    const char *size;    /**< what n counts, such as "numbers" */
    np_access_rule rule; /**< the default rule */
    np_program_input input;
    bool takes_steps, takes_edges;
    uint64_t n;     /**< the default size; 0: as many as the machine serves in one batch */
    uint64_t n_max; /**< the largest size; a larger one is refused */
} np_program_info;

/** The program of a name. NP_ERROR_INPUT with the nearest. */
np_status np_program_find(const char *name, const np_program_info **out) NP_CHECKED;

typedef struct np_program_options {
    size_t size;       /**< of this structure; set by the initialiser */
    uint64_t n;        /**< size of the input; 0 (default): the program's own, or the size of the file's input */
    uint64_t edges;    /**< of a random graph; 0 (default): n */
    uint32_t steps;    /**< of random-reads; 0 (default): 16 */
    const char *input; /**< path of a file; NULL (default): the input is drawn from the seed of the PRAM */
    /**
     * Bytes; a program that would take more is stopped. Counts the input, the registers of the program and the PRAM.
     * What np_machine_ops.bytes says of a machine of one's own is refused before the machine is made. 0 (default): what
     * is available.
     */
    uint64_t memory_limit;
    const char *set;    /**< values of options of a program that is text, as "root=3,steps=10"; NULL: their defaults */
    uint64_t turns_max; /**< turns of loops, and calls, all together, after which a text is stopped; default 10^8 */
} np_program_options;

extern const np_fields np_program_options_fields;

static inline void np_program_options_init(np_program_options *options)
{
    np_options_init(&np_program_options_fields, options, sizeof *options);
}

/**
 * Checks everything that np_program_run would refuse before its first step, except files. Nothing runs, so what a run
 * takes of memory besides the machine is not known.
 *
 * @param n  receives the size of the input, 0 if it comes from a file
 * @return as np_program_run
 */
np_status np_program_check(const char *name, const np_pram_options *pram, const np_program_options *options,
                           uint64_t *n) NP_CHECKED;

enum { NP_PROGRAM_TEXT = 128 };

/** The outcome of a run. */
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
    np_pram_report report;       /**< valid as long as pram */
    np_pram *pram;               /**< as the program left it. Owned by the result */
    const np_word *answer;       /**< [answers] its words in order. Owned by the result */
    uint64_t count;              /**< the number with which `words` begins: how many components; 0 if words is "" */
    const struct np_script_result *script; /**< what its lines cost (netpram/script.h), if it is a text; else NULL */
    const struct np_script *text;          /**< the text, compiled; or NULL */
} np_program_result;

/** The fields of a result, without the violations, which are in np_pram_report_fields. */
extern const np_fields np_program_result_fields;

/**
 * Runs a program and checks its answer. A wrong answer and a violated rule are results, not errors.
 *
 * @param name     of the program
 * @param pram     machine, rule (set it to the program's own if you have no preference), seed
 * @param options  the input
 * @param out      receives the result; free with np_program_result_free. NULL on error
 * @return NP_ERROR_INPUT (unknown program, an option it does not take, a bad file with its line), NP_ERROR_IO,
 *         NP_ERROR_LIMIT (too large; more bytes than memory_limit), NP_ERROR_CANCELLED, NP_ERROR_MEMORY, and those of
 *         np_pram_create
 */
np_status np_program_run(const char *name, const np_pram_options *pram, const np_program_options *options,
                         np_program_result **out) NP_CHECKED;

/**
 * Writes the answer to a file, a word a line; of a text as np_script_output_write does. A file of the same name is
 * replaced when the new one is whole.
 * @return NP_ERROR_IO
 */
np_status np_program_answer_write(const np_program_result *result, const char *path) NP_CHECKED;

/** NULL is allowed. */
void np_program_result_free(np_program_result *result);

/* ---- Machines of one's own ---- */

/** What a processor sends to memory; or what several processors send, combined. */
typedef struct np_request {
    np_address address;
    np_word value;   /**< what is written, or a fetch's operand; combined, where several were */
    uint32_t first;  /**< the virtual processor; of several, the least */
    uint32_t winner; /**< of a write: the processor whose value it is, if the rule picks a winner */
    uint32_t lot;    /**< NP_RULE_ARBITRARY: the least lot wins */
    uint8_t kind;    /**< np_access_kind */
    uint8_t several; /**< the requests of more than one processor */
    uint8_t op;      /**< np_fetch_op */
    uint8_t type;    /**< np_cell_type of the cell */
} np_request;

/** The memory during a step. */
typedef struct np_store np_store;

/**
 * A request arrives at memory.
 * @return the reply to it: what is read or fetched; 0 for a write. Requests may arrive in any order, but of the fetches
 *         of one cell, lower processors come first. Writes take effect when the step ends
 */
np_word np_store_serve(np_store *store, const np_request *request);

/** The cost of the batches of a PRAM so far; see np_pram_report. */
typedef struct np_batch_cost {
    uint64_t network_steps; /**< includes the two below */
    uint64_t initialisation_steps, rehash_steps;
    uint64_t requests, combined, ghosts, replies;
    uint32_t queue_max;
    uint64_t module_load_max;
    uint32_t rehashes;
    uint64_t slowest;         /**< steps of the slowest batch, on machines that keep this batch */
    uint64_t emulation_steps; /**< physical steps beyond network_steps, where these are steps of a leveled network */
    uint64_t rounds, rounds_max, refused; /**< see np_pram_report */
    uint64_t stalled;                     /**< see np_pram_stalled */
} np_batch_cost;

typedef struct np_machine_ops np_machine_ops;

/** A machine. The structure of a machine of one's own begins with this one. */
typedef struct np_machine {
    const np_machine_ops *ops; /**< set by the library after create() */
    np_processor processors;   /**< that it has; 0: one for each virtual processor */
    uint64_t modules;          /**< of memory; 0: it is not divided */
    uint32_t n;                /**< np_pram_report.n; 0: there is none */
    uint64_t cells;            /**< reserved: 0 */
} np_machine;

/**
 * A kind of machines: how the accesses of a PRAM step reach memory, and what this costs. The library's own machines are
 * descriptors of this type, and a program registers others with np_machine_register. From then on
 * np_pram_options.machine takes their specs. The answers of programs are the same on all machines.
 * examples/own_machine.c is an example.
 *
 * Threads: one thread at a time calls the callbacks of one machine; several machines may be in use at once.
 */
struct np_machine_ops {
    /**
     * name, help, source and parameters ("N", or "" if there are none) are required. takes: the options that it heeds,
     * of those that only some machines heed, by their names in np_pram_options_fields: "slack, queue_size". NULL:
     * "slack", which the library heeds when it makes the batches.
     */
    np_entry info;

    /**
     * Makes a machine and sets processors, modules and n. Required.
     * @param parameters  the text after "name:"; "" if there is none
     * @param options     borrowed for the call
     * @param out         receives a pointer to the np_machine with which the machine's structure begins
     * @return NP_OK, or an error raised with np_status_raise: NP_ERROR_INPUT, NP_ERROR_LIMIT, NP_ERROR_MEMORY
     */
    np_status (*create)(const char *parameters, const np_pram_options *options, np_machine **out);

    /** Frees what create() made. Required. */
    void (*free)(np_machine *machine);

    /**
     * Serves a batch: 1 or more requests, in ascending order of virtual processors, of which each is active. Each of
     * the P processors in use (np_pram_options.processors, or all that the machine has) sends at most `slack` requests:
     * request i is of processor i / ceil(count / P). Gives every request to np_store_serve, once, and sets reply[i] of
     * reads and fetches to what it returns. Adds its costs to the members of *cost; queue_max, module_load_max and
     * slowest it raises, if the batch has more. A PRAM step is one batch or several. Required.
     */
    np_status (*serve)(np_machine *machine, np_store *store, const np_request *request, size_t count, np_word *reply,
                       np_batch_cost *cost);

    /** Memory has `cells` cells now, more than before: modules make room. NULL: there is nothing to do. */
    np_status (*grow)(np_machine *machine, uint64_t cells, np_batch_cost *cost);

    /** Sets row_cells_max, row_cells_mean and bad_stride of a report. NULL: they are 0. */
    void (*measure)(const np_machine *machine, np_pram_report *out);

    /* The library's own members: NULL and false in other kinds. */
    np_status (*memory)(const np_machine *machine, np_pram_memory *out); /**< np_pram_memory_compute */
    const struct np_slowest *(*slowest)(const np_machine *machine);      /**< for np_pram_explain */
    bool observed;                                                       /**< heeds np_pram_options.observer */

    /**
     * The most bytes that the machine takes besides what the library allocates: asked before create(), with 0 cells and
     * accesses, and fails as create() does. NULL: none are counted.
     */
    np_status (*bytes)(const char *parameters, const np_pram_options *options, uint64_t cells, uint64_t accesses,
                       uint64_t *bytes);

    /* The library's own, too: of machines whose modules hold the words themselves. */
    bool whole; /**< a batch is a whole PRAM step, or a half of np_pram_move, whatever the slack */
    void (*put)(np_machine *machine, np_address base, uint64_t count, const np_word *value); /**< np_pram_put */
    void (*get)(const np_machine *machine, np_address base, uint64_t count, np_word *value); /**< np_pram_get */
    void (*keep)(np_machine *machine,
                 np_store *store); /**< heeds np_pram_options.memory_layout: takes the words over */
    bool divided; /**< it is made of the processes of np_pram_options.job, of which each has a part of the cells */
};

/**
 * Adds a kind of machines, which must remain valid until the process ends, with its texts. Any thread may call it at
 * any time.
 *
 * @return NP_ERROR_INPUT: the name or an alias is ill-formed (a letter, then letters, digits and '-', 31 characters at
 *         most) or taken, something that is required is missing, or a member of the library's own is set;
 *         NP_ERROR_LIMIT: 1024 descriptors are registered already. After an error nothing has changed.
 */
np_status np_machine_register(const np_machine_ops *ops) NP_CHECKED;

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
