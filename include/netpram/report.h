/*
 * Reports: results as a table for people, JSON and CSV for tools, and plots.
 *
 * Text goes to a stream of the caller's, which is not closed. Every function
 * that writes to a stream returns NP_ERROR_IO if a write failed. The text is a
 * function of what is reported alone: numbers print with at most 15
 * significant digits, keys in a fixed order, no locale (call them in the "C"
 * numeric locale).
 */
#ifndef NETPRAM_REPORT_H
#define NETPRAM_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "netpram/check.h"
#include "netpram/collective.h"
#include "netpram/embed.h"
#include "netpram/field.h"
#include "netpram/pram.h"
#include "netpram/reconfigure.h"
#include "netpram/registry.h"
#include "netpram/route.h"
#include "netpram/sort.h"
#include "netpram/universal.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/** The version of the JSON described in docs/json.md. Grows when a key changes its meaning or goes. */
#define NP_REPORT_JSON_VERSION 1

typedef enum np_report_format { NP_REPORT_TABLE, NP_REPORT_JSON, NP_REPORT_CSV } np_report_format;

/** The format of that name: "table", "json" or "csv". NP_ERROR_INPUT for another. */
np_status np_report_format_parse(const char *name, np_report_format *out) NP_CHECKED;

/** What a report prints: the keys of its JSON, and the columns of its CSV. */
typedef struct np_report_shape {
    const char *verb;      /**< of the command that prints it */
    const np_fields *json; /**< its keys are the rows; those of every report come before them */
    const np_fields *line; /**< of a line of CSV; NULL: it has no CSV */
    const char
        *columns; /**< of CSV: "title,title=name": fields of a line, by their names if these are not the titles */
} np_report_shape;

/** The i-th report's, NULL past the last. */
const np_report_shape *np_report_shape_at(size_t i);

/** One row of a bound beside its measurement. */
typedef struct np_report_bound_row {
    double value;    /**< of the measure, in steps */
    double bound;    /**< the theorem's bound on the probability that a run reaches it; 0 if below 1e-308 */
    double log2;     /**< its binary logarithm */
    double measured; /**< the fraction of the runs that did */
} np_report_bound_row;

enum { NP_REPORT_BOUND_ROWS = 8, NP_REPORT_REASON_MAX = 256 };

/** How a theorem that is no probability binds the steps. */
typedef enum np_report_relation {
    NP_REPORT_CHANCE,  /**< it is a probability: a ladder */
    NP_REPORT_EXACTLY, /**< so many steps, neither more nor less */
    NP_REPORT_AT_MOST,
    NP_REPORT_AT_LEAST,
    NP_REPORT_ABOUT /**< but for terms of lower order, which it leaves open */
} np_report_relation;

/** The word of it ("exactly"); "" for NP_REPORT_CHANCE. */
const char *np_report_relation_name(np_report_relation relation);

/** Steps by a theorem that is no probability, beside those measured. */
typedef struct np_report_steps {
    np_report_relation relation;
    double theorem;  /**< steps, in the run where they are most */
    double measured; /**< most steps of a run */
    uint32_t equal;  /**< runs that took just what the theorem says of their own traffic */
    uint32_t broken; /**< runs that did not keep it: 0, or there is a bug */
} np_report_steps;

/** What a theorem says about one phase, as a number of steps or for a ladder of values; or why none does. */
typedef struct np_report_bound {
    const char *phase;                 /**< its name ("A"), or "total" */
    const char *theorem;               /**< "Theorem 1", or "none" */
    const char *source;                /**< paper and section, or "" */
    const char *formula;               /**< in one line, or "" */
    char reason[NP_REPORT_REASON_MAX]; /**< why no theorem applies to what was run; "" if one does */
    const char *measure; /**< "delay": some packet is delayed at least the value; "steps": the phase takes more */
    uint32_t relation;   /**< h: the traffic of every run was a partial h-relation */
    np_packet packets;   /**< T: of the run with most */
    size_t rows;         /**< 0 if none applies */
    np_report_bound_row row[NP_REPORT_BOUND_ROWS];
    np_report_steps steps; /**< instead, of theorems that are no probabilities: its relation tells */
} np_report_bound;

/** The fields of a bound. */
extern const np_fields np_report_bound_fields;

/**
 * The theorems for each phase of what was routed and for all of them together,
 * beside the measurement. A theorem is for one path rule and perhaps one
 * discipline, and for phases that wait for one another: there is none for runs
 * with others.
 *
 * Where every run drew its own traffic, it is drawn again: for the largest h
 * and T of the probabilities, and for each run's own number of steps. For
 * traffic that was given to np_route_traffic only its h and T are known.
 *
 * @param bounds  receives entries that borrow the phases' names, in the order of the phases, at least one for each; free
 *                with np_report_bounds_free
 * @param count   receives how many
 * @return NP_ERROR_MEMORY
 */
np_status np_report_bounds(const np_network *network, const np_route_result *result, np_report_bound **bounds,
                           size_t *count) NP_CHECKED;

/** Frees the bounds. NULL is allowed. */
void np_report_bounds_free(np_report_bound *bounds);

/** What a report says besides the result. Zeroed: a table without a command or bounds. */
typedef struct np_report_options {
    np_report_format format;
    const char *command;                    /**< the command that repeats it; NULL or "": none is printed */
    size_t bounds;                          /**< 0: none were asked for */
    const np_report_bound *bound;           /**< [bounds] */
    const np_pram_explanation *explanation; /**< for np_report_pram to add; NULL: none was asked for */
} np_report_options;

extern const np_fields np_report_options_fields;

/**
 * Reports the outcome of np_route.
 * @return NP_ERROR_IO, NP_ERROR_MEMORY
 */
np_status np_report_route(const np_route_result *result, const np_report_options *options, FILE *stream) NP_CHECKED;

/**
 * Prints a list of what there is to choose from, from the heads of the descriptors.
 * @param list    one list, or NP_LISTS for all
 * @param options table or JSON
 * @return NP_ERROR_INPUT for CSV; NP_ERROR_IO, NP_ERROR_MEMORY
 */
np_status np_report_list(np_list list, const np_report_options *options, FILE *stream) NP_CHECKED;

/**
 * Reports the facts of a network, formula against measurement.
 * @param facts   from np_network_measure
 * @param options table, JSON, or CSV: one line under one of names
 * @return NP_ERROR_IO, NP_ERROR_MEMORY
 */
np_status np_report_network(const np_network *network, const np_network_facts *facts, const np_report_options *options,
                            FILE *stream) NP_CHECKED;

/**
 * Reports the three properties of the phases of a scheme, with a witness for
 * each that does not hold, and the expected traffic of a link.
 * @param options table or JSON
 * @return NP_ERROR_INPUT for CSV; NP_ERROR_IO, NP_ERROR_MEMORY
 */
np_status np_report_check(const np_check_scheme_result *result, const np_report_options *options,
                          FILE *stream) NP_CHECKED;

/**
 * Reports off-line ranks: what is promised, what they leave possible, what was measured. The ranks themselves are for
 * np_ranking_save.
 * @param options table or JSON
 * @return NP_ERROR_INPUT for CSV; NP_ERROR_IO, NP_ERROR_MEMORY
 */
np_status np_report_ranking(const np_ranking *ranking, const np_report_options *options, FILE *stream) NP_CHECKED;

/**
 * Reports an off-line schedule: its phases, and what replaying it came to. Its hops are for np_offline_save.
 * @param options table or JSON
 * @return NP_ERROR_INPUT for CSV; NP_ERROR_IO, NP_ERROR_MEMORY
 */
np_status np_report_offline(const np_offline *offline, const np_report_options *options, FILE *stream) NP_CHECKED;

/**
 * Reports what a PRAM program came to: its answer, its cost, and violations of the access rule; and why its slowest
 * batch was slow, if options->explanation says so.
 * @return NP_ERROR_INPUT for CSV with an explanation; NP_ERROR_IO, NP_ERROR_MEMORY
 */
np_status np_report_pram(const np_program_result *result, const np_report_options *options, FILE *stream) NP_CHECKED;

/** Where the keys came from that were sorted: for the report. */
typedef struct np_report_keys {
    const char *input; /**< the file; NULL: they were made */
    np_key_kind kind;  /**< of those of the file */
    const char *order; /**< the order in which they were made; NULL: they were read */
} np_report_keys;

/**
 * Reports what a sort came to: is the outcome sorted, what did it cost, in all and by stages, what say the textbooks, and
 * what became of the events that the analysis needs.
 * @return NP_ERROR_IO, NP_ERROR_MEMORY
 */
np_status np_report_sort(const np_sort_result *result, const np_report_keys *keys, const np_report_options *options,
                         FILE *stream) NP_CHECKED;

/** Where the map of an embedding came from, if it is not one of the list; whether to show it; and what the guest ran. */
typedef struct np_report_map {
    const char *file;     /**< NULL: no file */
    const char *indexing; /**< NULL: no indexing scheme */
    bool show;            /**< in a table: the guest nodes on the host, as a picture where that is a grid that fits */
    const np_embedding_guest_options *guest_options; /**< of the next */
    const np_embedding_guest_result *guest;          /**< NULL: it ran full steps only */
} np_report_map;

/**
 * Reports an embedding: load, dilation, congestion and expansion beside what is stated, and what a step of the guest costs.
 * @param run     of np_embedding_run
 * @param options table, JSON, or CSV: one line under one of names
 * @return NP_ERROR_IO, NP_ERROR_MEMORY
 */
np_status np_report_embed(const np_embedding *embedding, const np_embedding_facts *facts,
                          const np_embedding_run_result *run, const np_report_map *map,
                          const np_report_options *options, FILE *stream) NP_CHECKED;

/** What the report of a collective operation says besides the result. Zeroed: nothing. */
typedef struct np_report_collective_options {
    bool show;                               /**< the schedule: as pictures in a table, as lists in JSON */
    size_t models;                           /**< 0: no comparison was asked for */
    const np_collective_model *model;        /**< [models] from np_collective_models */
    const np_collective_options *collective; /**< with which they are compared */
} np_report_collective_options;

/**
 * Can the result be drawn as pictures? They show what each node knows after each round.
 * @return NP_ERROR_APPLY if not: operations in which packets move, more than 64 nodes or flits
 */
np_status np_report_collective_drawable(const np_network *network, const char *operation,
                                        const np_collective_options *options) NP_CHECKED;

/**
 * Reports what a collective operation took, beside formula and bound; and, if asked, its schedule, and what the other
 * algorithms cost and for which l each is the cheapest.
 * @param options as CSV without the schedule: a line for what was done, then one for each other algorithm compared
 * @return NP_ERROR_IO, NP_ERROR_MEMORY
 */
np_status np_report_collective(const np_network *network, const np_collective_result *result,
                               const np_report_collective_options *more, const np_report_options *options,
                               FILE *stream) NP_CHECKED;

/** A script for gnuplot that the library wrote. */
typedef struct np_report_script {
    const char *directory; /**< of the script, its data and the image: "" or a path that ends in '/' */
    const char *name;      /**< of the script in the directory */
    const char *image;     /**< the file that the script must write in the directory; letters, digits, '.' and '-' */
    const char *ending;    /**< what to write: "svg" or "png" */
} np_report_script;

/**
 * Who runs scripts. The library starts no process: it writes the script and its
 * data, asks the caller to run it, checks that the image is whole, and gives the
 * image its name.
 */
typedef struct np_report_plotter {
    /**
     * Runs the script in its directory, with the variables `image` and `ending` of gnuplot set to those of the script.
     * @param ran  receives false if there is nothing to run scripts with: that is no error
     * @return NP_OK, or an error, which np_report_plot_... returns in turn
     */
    np_status (*run)(void *context, const np_report_script *script, bool *ran);
    void *context;
} np_report_plotter;

/**
 * Draws what the algorithms cost over l, a curve for each, as np_report_plot_delays does: image, script and data.
 * @return as np_report_plot_delays
 */
np_status np_report_plot_collective(const np_network *network, const char *operation,
                                    const np_report_collective_options *more, const char *image,
                                    const np_report_plotter *plotter, bool *drawn) NP_CHECKED;

/**
 * Draws which algorithm is the cheapest for which l and c_a, a colour for each, likewise.
 * @return as np_report_plot_delays
 */
np_status np_report_plot_collective_regions(const np_network *network, const char *operation,
                                            const np_report_collective_options *more, const char *image,
                                            const np_report_plotter *plotter, bool *drawn) NP_CHECKED;

/** What a program for a reconfigurable array worked on, for the report. Zeroed: nothing to say of it. */
typedef struct np_report_reconfigure_input {
    const char *input;   /**< the file that the keys or the settings were read from; NULL: none */
    const np_keys *keys; /**< those that were read; NULL: they were made */
    const uint64_t *key; /**< [n] those that were made; NULL: there are none */
    uint64_t seed;       /**< that keys or bits were made from */
    bool made;           /**< they were */
    bool list;           /**< the table lists what comes out, key by key or PU by PU */
} np_report_reconfigure_input;

/**
 * Reports what a program came to on a reconfigurable array: its answer, and what each round was; with pictures if the
 * result has them.
 * @param options table or JSON
 * @return NP_ERROR_INPUT for CSV; NP_ERROR_IO, NP_ERROR_MEMORY
 */
np_status np_report_reconfigure(const np_reconfigure_result *result, const np_report_reconfigure_input *input,
                                const np_report_options *options, FILE *stream) NP_CHECKED;

/**
 * Draws one round, which the result has a picture of: a line for each row of switches, the top row first. A switch is
 * the name of its setting, in capitals where a signal passes; so are wires heavy. PUs are named by their places.
 * @return NP_ERROR_IO
 */
np_status np_report_reconfigure_picture(const np_reconfigure_result *result, uint32_t round, FILE *stream) NP_CHECKED;

/**
 * Reports a guest simulated on an area-universal network: U and its area, the map, the load and the slowdown.
 * @param map  also lists the processor of each node
 * @return NP_ERROR_INPUT for CSV; NP_ERROR_IO, NP_ERROR_MEMORY
 */
np_status np_report_universal(const np_universal_result *result, bool map, const np_report_options *options,
                              FILE *stream) NP_CHECKED;

/**
 * Draws the histogram of the packets' delays, a curve for each phase. Beside
 * the image PLACE/NAME.svg or .png are left the script PLACE/NAME.gp for
 * gnuplot and the data PLACE/NAME.dat, so that the plot can be restyled.
 *
 * @param image    the image's path, ending in .svg or .png
 * @param plotter  runs the script; NULL: only the script and the data are written
 * @param drawn    receives whether the image is in place
 * @return NP_ERROR_INPUT: another ending, or control characters in the name;
 *         NP_ERROR_IO: a file cannot be written, or the image is not whole;
 *         NP_ERROR_MEMORY; errors of the plotter
 */
np_status np_report_plot_delays(const np_route_result *result, const char *image, const np_report_plotter *plotter,
                                bool *drawn) NP_CHECKED;

/** Is the path one that np_report_plot_delays takes? NP_ERROR_INPUT if not. */
np_status np_report_plot_check(const char *image) NP_CHECKED;

/**
 * Says why the slowest run took as long as it did: for scheme "ranked" the
 * delay sequence of its slowest phase (Leighton, Maggs, Ranade & Rao 1994, section
 * 2.3), for the schemes of Ranade 1987a the distinguished path (section 7). The
 * run is routed again. What the paper proves is checked on it.
 *
 * @param traffic,options  as np_route was given them
 * @param result           what it gave
 * @param stream           gets the explanation, as text
 * @param holds            false if something that the paper proves does not hold of the run
 * @return NP_ERROR_APPLY for other schemes, and for options that the proofs are not about; NP_ERROR_MEMORY; NP_ERROR_IO
 */
np_status np_report_explain(const np_network *network, const char *traffic, const np_route_options *options,
                            const np_route_result *result, FILE *stream, bool *holds) NP_CHECKED;

/*
 * Experiments: a JSON file names series of networks, each with a scheme and
 * traffic, or of PRAM programs; running it gives a CSV of every measure and the plots that the file
 * asks for. The format is described in docs/experiments.md.
 */

typedef struct np_experiment np_experiment;

/**
 * Reads an experiment from text. Every key, type and range is checked;
 * whether networks, schemes and programs exist is not looked at before
 * np_experiment_check or np_experiment_run.
 *
 * @param name    what messages call the text
 * @param text    [length], need not end in a zero byte
 * @param out     receives the experiment, which the caller frees; NULL on error
 * @return NP_ERROR_INPUT: the message names the line of a syntax error, or the
 *         place of a wrong value such as series[2].networks[0]; NP_ERROR_MEMORY
 */
np_status np_experiment_parse(const char *name, const char *text, size_t length, np_experiment **out) NP_CHECKED;

/** The same from a file. Also NP_ERROR_IO. */
np_status np_experiment_read(const char *path, np_experiment **out) NP_CHECKED;

/** Frees the experiment. NULL is allowed. */
void np_experiment_free(np_experiment *experiment);

/** The experiment's name, fit for a file name. Owned by the experiment. */
const char *np_experiment_name(const np_experiment *experiment);

/** How far np_experiment_run is. */
typedef struct np_experiment_progress {
    size_t point, points;        /**< the present point, from 0, and how many there are */
    uint32_t run, runs;          /**< runs done of the point, and how many it has */
    double share;                /**< of the whole work, 0..1, by an estimate of the hops, or requests */
    const char *label, *network; /**< the point's series and network, or machine */
} np_experiment_progress;

/** How to run. Initialise with np_experiment_options_init. */
typedef struct np_experiment_options {
    const char *directory; /**< where files go, made if missing; default "." */
    unsigned threads;      /**< 0 (default): one a processor */
    uint32_t runs;         /**< runs a point; 0 (default): as the file says */
    const char *only;      /**< the label of the one series to run; NULL (default): all */
    uint64_t memory_limit; /**< bytes a run may take; 0 (default): no limit. Of routing alone */
    int (*on_progress)(void *context, const np_experiment_progress *progress); /**< non-zero cancels */
    void *context;
    const np_report_plotter *plotter; /**< draws the images; NULL (default): scripts and data are left */
} np_experiment_options;

extern const np_fields np_experiment_options_fields;

/** Fills in the defaults. */
void np_experiment_options_init(np_experiment_options *options);

/**
 * Checks that every network, scheme, path rule, queue discipline and traffic
 * exists, fits its network and fits in memory, and every program and machine, without running anything.
 * Networks and machines are made one at a time.
 * @return as np_network_create, np_route and np_program_check; the message names the place in
 *         the file
 */
np_status np_experiment_check(const np_experiment *experiment, const np_experiment_options *options) NP_CHECKED;

/** What np_experiment_run wrote. */
typedef struct np_experiment_outcome {
    size_t points; /**< run */
    size_t plots;  /**< whose script and data were written */
    bool drawn;    /**< false: the plotter could not run a script, or there is none: images are missing */
} np_experiment_outcome;

/**
 * Checks, runs every point, and writes directory/NAME.csv and, for every plot
 * with at least one of the series run, PLOT.gp and PLOT.dat; if the options
 * have a plotter, also PLOT.svg and PLOT.png. Every point is routed with the experiment's seed, so that a point
 * is repeated by `netpram route` alone; run r of a program has seed + r. A wrong answer of a program is
 * NP_ERROR_APPLY. The CSV appears when the last point is
 * done.
 *
 * @param outcome  what was written; on an error after the last point, what was before it
 * @return as np_experiment_check; NP_ERROR_IO; NP_ERROR_CANCELLED
 */
np_status np_experiment_run(const np_experiment *experiment, const np_experiment_options *options,
                            np_experiment_outcome *outcome) NP_CHECKED;

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
