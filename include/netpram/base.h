/*
 * What every part of netpram uses: the status of a call, the types of nodes,
 * links, packets and steps, the version, the lists of what is found by name,
 * random choices, statistics over runs, and files that appear only when whole.
 */
#ifndef NETPRAM_BASE_H
#define NETPRAM_BASE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Errors: every function that can fail returns an np_status. */

/** The outcome of a call. 0 is success, negative values are errors. */
typedef enum np_status {
    NP_OK = 0,
    NP_ERROR_INPUT = -1,     /**< a value, a name or a file's text is not acceptable */
    NP_ERROR_APPLY = -2,     /**< a scheme, path rule or traffic does not apply to this network */
    NP_ERROR_LIMIT = -3,     /**< too large: overflows an id, or the memory limit given */
    NP_ERROR_MEMORY = -4,    /**< an allocation failed */
    NP_ERROR_IO = -5,        /**< a file could not be read, written or put in place */
    NP_ERROR_CANCELLED = -6, /**< the caller's own callback asked to stop */
    NP_ERROR_INTERNAL = -7,  /**< a bug in the library */
    NP_ERROR_DEADLOCK = -8   /**< packets wait for each other for ever */
} np_status;

/** Marks functions whose status must not be ignored, and functions that take a format. */
#if defined(__GNUC__)
#define NP_CHECKED __attribute__((warn_unused_result))
#define NP_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define NP_CHECKED
#define NP_PRINTF(text, first)
#endif

/**
 * The message of the last error on this thread: one line that names the
 * value, why it was refused and, where there is one, the nearest valid choice.
 * Never NULL; "" before any error. Valid until the next error on the thread.
 */
const char *np_last_error(void);

/** A short name for a status ("input", "memory", ...). Never NULL. */
const char *np_status_name(np_status status);

/**
 * Records a message for np_last_error, formatted as printf does, and returns the status. The callbacks of descriptors
 * that a program registers raise their errors with it. The message is one line of at most 511 bytes; control characters
 * become '?'.
 */
np_status np_status_raise(np_status status, const char *format, ...) NP_PRINTF(2, 3);

/**
 * The memory limit of a call that is given none, in bytes: the least of what the system has, what the control groups of
 * the process leave and what its limits leave (`ulimit -v`), less a reserve for what no call counts: stacks, tables of
 * pages, what other libraries keep. It is as of now. UINT64_MAX if nothing is known.
 */
uint64_t np_memory_default(void);

/* Watching long calls. */

/** How far a long call is. Texts are valid during the call of `tell` only. */
typedef struct np_progress {
    const char *stage; /**< what is being done: "the diameter"; NULL: the call has one stage only */
    const char *unit;  /**< what is counted: "runs"; NULL: nothing is */
    uint64_t done, of; /**< how many of them are done, and of how many; of 0: not known */
    double share;      /**< share of the work that is done, 0..1; 0: not known. A smaller share than before: new work */
} np_progress;

/**
 * Watches a long call. `tell` is called now and then, from one thread at a time. If it returns non-zero, the call ends
 * with NP_ERROR_CANCELLED as soon as it can. NULL: nobody watches.
 */
typedef struct np_watch {
    int (*tell)(void *context, const np_progress *progress);
    void *context;
} np_watch;

/* The words of the field as types: one typedef per meaning. */

typedef uint32_t np_node;   /**< a node, 0 .. nodes-1 */
typedef uint32_t np_port;   /**< index of a link at the node it leaves */
typedef uint32_t np_link;   /**< a directed link's number */
typedef uint32_t np_packet; /**< a packet, 0 .. packets-1 */
typedef uint32_t np_step;   /**< synchronous time: the instant t, or the number of steps */
typedef uint64_t np_ticket; /**< what a packet carries to find its way */

/** Processes that share one call, each with a part of its data. libnetpram-mpi (netpram/mpi.h) makes them. */
typedef struct np_job np_job;

/** "No such node, port or link"; for a port: the packet is where it is going. */
#define NP_NONE UINT32_MAX

/** The most threads that a call may be asked for. */
enum { NP_THREADS_MAX = 1024 };

/* The version of the library. */

/* The version of these headers: as numbers, as one number that grows with each version, and as text. */
#define NETPRAM_VERSION_MAJOR 0
#define NETPRAM_VERSION_MINOR 4
#define NETPRAM_VERSION_PATCH 0
#define NETPRAM_VERSION_NUMBER (NETPRAM_VERSION_MAJOR * 10000 + NETPRAM_VERSION_MINOR * 100 + NETPRAM_VERSION_PATCH)
#define NETPRAM_VERSION "0.4.0"

/** The version of the library at run time, as text: "0.4.0". */
const char *np_version(void);

/** The version of the library at run time, as NETPRAM_VERSION_NUMBER: major * 10000 + minor * 100 + patch. */
int np_version_number(void);

/*
 * What is found by name: networks, schemes, path rules, traffic, queue
 * disciplines, PRAM programs and machines, sorters, orders of keys,
 * embeddings, indexings, collective algorithms, programs of reconfigurable
 * arrays. Each kind has a list. An entry of a list says what `netpram list`
 * prints of it.
 *
 * A list begins with the entries that are built in. Entries that are
 * registered at run time follow in the order of their registration and stay
 * until the process ends.
 *
 * Threads: any thread may read the lists at any time, also while another one
 * registers an entry.
 */

/**
 * The head of every descriptor. Texts that a kind does not have are NULL.
 * Texts are borrowed: those of a registered descriptor must last as long as the process.
 */
typedef struct np_entry {
    const char *name;       /**< "shuffle": what a user types */
    const char *help;       /**< one line */
    const char *source;     /**< paper and section, or "" */
    const char *aliases;    /**< other names it is found by, separated by spaces */
    const char *parameters; /**< the text after the name and a colon: "DxN"; or with the colon: ":K" and "[:H]"; "":
                                 nothing */
    const char *example;    /**< "shuffle:4x5" */
    const char *operation;  /**< collective algorithms: "all-to-all" */
    const char *networks;   /**< the families it applies to, in words */
    const char *guests;     /**< embeddings: the guests' families, in words */
    const char *hosts;      /**< embeddings: the hosts' families, in words */
    const char *ports;      /**< collective algorithms: what a node does in a round: "full-port" */
    const char *rule;       /**< PRAM programs: the weakest access rule that a program runs clean under */
    const char *takes;      /**< programs of reconfigurable arrays: "bits"; machines: options, "slack, map"; networks:
                                 which whole numbers a parameter may be where the others are as small as they can be,
                                 "D 2..65535, N 1..30"; of a list or what is no number, words: "PERM: 1 to 64 ..." */
} np_entry;

/** The lists, in the order of `netpram list`. */
typedef enum np_list {
    NP_LIST_NETWORKS,
    NP_LIST_SCHEMES,
    NP_LIST_PATHS,
    NP_LIST_TRAFFIC,
    NP_LIST_QUEUES,
    NP_LIST_PROGRAMS,
    NP_LIST_MACHINES,
    NP_LIST_SORTERS,
    NP_LIST_ORDERS,
    NP_LIST_EMBEDDINGS,
    NP_LIST_INDEXINGS,
    NP_LIST_COLLECTIVES,
    NP_LIST_RECONFIGURABLE,
    NP_LIST_PROBLEMS,
    NP_LIST_DRAWINGS,
    NP_LIST_RULES,
    NP_LIST_RELATIONS,
    NP_LIST_IMPORTS,
    NP_LISTS
} np_list;

/** "networks"; NULL for NP_LISTS, and for a list of the annex in a build without it. */
const char *np_list_name(np_list list);

/** The line above the list: "networks (the first argument of route and info)". NULL as np_list_name. */
const char *np_list_title(np_list list);

/** The i-th entry, from 0; NULL past the last, and for NP_LISTS. */
const np_entry *np_list_get(np_list list, size_t i);

/*
 * Random choices of callbacks. A choice is a function of the draws that the callback receives, of an item and of the
 * number of the draw. There is no state: results depend neither on the order of calls nor on threads.
 */

/** A family of independent draws, for one seed, run, phase and purpose. */
typedef struct np_draws np_draws;

/**
 * 64 random bits.
 * @param item  what the choice is for: a packet or a link, by its number
 * @param draw  which of the item's choices, from 0
 */
uint64_t np_draw(const np_draws *draws, uint32_t item, uint32_t draw);

/** A whole number in 0 .. bound-1, each equally likely up to 2^-32. bound >= 1. */
uint32_t np_draw_below(const np_draws *draws, uint32_t item, uint32_t draw, uint32_t bound);

/* Summaries of a measure over runs, and the tests that compare two samples. */

/** A sample of one measure over runs. */
typedef struct np_summary {
    size_t count; /**< size of the sample; values that are NaN do not count */
    double mean;
    double variance; /**< unbiased (divisor count - 1); 0 for one value */
    double min, max;
    double p50, p99; /**< quantiles: the least value with at least 50% (99%) of the sample at or below it */
    double ci95; /**< half-width of the 95% confidence interval of the mean (docs/outputs.md); NaN if all are equal */
} np_summary;

/**
 * Summarises a sample.
 * @param values [count], not modified; count >= 1. NaN: no value, which is left out. If all are left out, out->count is
 *               0 and all other members are NaN
 * @return NP_ERROR_MEMORY
 */
np_status np_summary_compute(size_t count, const double *values, np_summary *out) NP_CHECKED;

/** The two-sided 95% point of Student's t with `freedom` degrees of freedom, to 4 digits; infinite for 0. */
double np_statistics_student95(size_t freedom);

/** P[X >= x] for X chi-square with `freedom` >= 1 degrees of freedom. */
double np_statistics_chi_square_tail(double x, double freedom);

/**
 * Chi-square test that two samples of integers come from one distribution:
 * neighbouring values are pooled until every cell expects at least 5 of each
 * sample.
 * @return the p-value in *p; 1 when fewer than two cells remain. NP_ERROR_MEMORY
 */
np_status np_statistics_same_distribution(size_t count_a, const uint32_t *a, size_t count_b, const uint32_t *b,
                                          double *p) NP_CHECKED;

/*
 * Files that appear under their final name only when whole. Writes go to a
 * temporary file beside the final one; np_output_commit flushes this file to
 * the disk, checks that every write succeeded and renames the file.
 *
 * The new file has the mode of the one that it replaces, and its owner and group
 * where this process may set them; access control lists are not kept. A process
 * that is killed leaves its temporary file, which goes when a file is opened
 * under the same name again.
 *
 * | state     | open          | stream, writes | commit, discard |
 * |-----------|---------------|----------------|-----------------|
 * | (none)    | gives `open`  |                |                 |
 * | open      |               | legal          | end it          |
 */

typedef struct np_output np_output;

/**
 * Opens a file for writing under a temporary name. An open descriptor, as
 * /dev/stderr or /dev/fd/3, is written directly, and so is a path that exists
 * and is no regular file (a pipe).
 * The path "-" is the standard output.
 *
 * @param path  the final name; a symbolic link is followed. "-" is the standard output
 * @param out   receives the output; end it with np_output_commit or
 *              np_output_discard. NULL on error
 * @return NP_ERROR_IO (the message names the path and the cause; an empty path names no file; a file that this
 *         process may not write is not replaced), NP_ERROR_MEMORY
 */
np_status np_output_open(const char *path, np_output **out) NP_CHECKED;

/** The stream to write to. Owned by the output: never close it. */
FILE *np_output_stream(np_output *output);

/**
 * Puts the file in place and frees the output, in any case.
 *
 * @return NP_ERROR_IO if any write failed (a full disk): then the temporary
 *         file is removed, and an older file of the final name is unchanged
 */
np_status np_output_commit(np_output *output) NP_CHECKED;

/** Removes the temporary file and frees the output. NULL is allowed. */
void np_output_discard(np_output *output);

/**
 * Makes a directory and the directories above it, if they do not exist.
 * @return NP_ERROR_IO (the message names the path and the cause), NP_ERROR_MEMORY
 */
np_status np_output_directory(const char *path) NP_CHECKED;

/**
 * Flushes a stream and checks that every write to it succeeded.
 * @param name  what the message calls the stream
 * @return NP_ERROR_IO
 */
np_status np_output_check(FILE *stream, const char *name) NP_CHECKED;

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
