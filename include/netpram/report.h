/*
 * Reports: results as a table for people, JSON and CSV for tools, and plots.
 *
 * Text goes to a stream of the caller, which is not closed. Every function that
 * writes to a stream returns NP_ERROR_IO if a write failed. The text is a
 * function of its input alone: in JSON and CSV a real is the shortest number
 * that is read as the same bits, and keys have a fixed order. Only on a terminal tables fold to its width. Call these
 * functions in the "C" numeric locale.
 */
#ifndef NETPRAM_REPORT_H
#define NETPRAM_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "netpram/base.h"
#include "netpram/collective.h"
#include "netpram/compare.h"
#include "netpram/deadlock.h"
#include "netpram/embed.h"
#include "netpram/field.h"
#include "netpram/flows.h"
#include "netpram/jobs.h"
#include "netpram/load.h"
#include "netpram/pram.h"
#include "netpram/reconfigure.h"
#include "netpram/replay.h"
#include "netpram/route.h"
#include "netpram/script.h"
#include "netpram/sort.h"
#include "netpram/theory.h"
#include "netpram/throughput.h"
#include "netpram/universal.h"
#include "netpram/worst.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/** The version of the JSON described in docs/json.md. It grows when a key changes its meaning or is removed. */
#define NP_REPORT_JSON_VERSION 1

typedef enum np_report_format { NP_REPORT_TABLE, NP_REPORT_JSON, NP_REPORT_CSV } np_report_format;

/** The format of a name: "table", "json" or "csv". NP_ERROR_INPUT for another name. */
np_status np_report_format_parse(const char *name, np_report_format *out) NP_CHECKED;

/** What a report prints: the keys of its JSON, and the columns of its CSV. */
typedef struct np_report_shape {
    const char *verb;      /**< the verb of the command that prints it */
    const np_fields *json; /**< the rows are its keys; the keys that all reports have come before them */
    const np_fields *line; /**< the fields of a line of CSV; NULL: it has no CSV */
    const char *columns;   /**< of CSV: "title,title=name": the titles; =name is the field of `line`, if its name
                                differs */
} np_report_shape;

/** The shape of the i-th report; NULL after the last. */
const np_report_shape *np_report_shape_at(size_t i);

/** One row of a bound beside its measurement. */
typedef struct np_report_bound_row {
    double value;    /**< of the measure, in steps */
    double bound;    /**< the theorem's bound on the probability that a run reaches the value; 0 if below 1e-308 */
    double log2;     /**< the binary logarithm of the bound */
    double measured; /**< the fraction of the runs that reached the value */
} np_report_bound_row;

enum { NP_REPORT_BOUND_ROWS = 8, NP_REPORT_REASON_MAX = 256 };

/** How the number of steps of a theorem relates to the steps of a run. */
typedef enum np_report_relation {
    NP_REPORT_CHANCE,  /**< the theorem gives probabilities, for a ladder of values, and no number of steps */
    NP_REPORT_EXACTLY, /**< equal */
    NP_REPORT_AT_MOST,
    NP_REPORT_AT_LEAST,
    NP_REPORT_ABOUT /**< equal but for terms of lower order, which the theorem leaves open */
} np_report_relation;

/** The word of a relation ("exactly"); "" for NP_REPORT_CHANCE. */
const char *np_report_relation_name(np_report_relation relation);

/** The steps of a theorem that gives no probability, beside the measured steps. */
typedef struct np_report_steps {
    np_report_relation relation;
    double theorem;  /**< steps by the theorem, in the run where they are most */
    double measured; /**< most steps of a run */
    uint32_t equal;  /**< runs that took exactly the steps that the theorem gives for their own traffic */
    uint32_t broken; /**< runs that contradict the theorem: 0, or there is a bug */
} np_report_steps;

/** What a theorem says about one phase, as a number of steps or for a ladder of values; or why no theorem applies. */
typedef struct np_report_bound {
    const char *phase;                 /**< its name ("A"), or "total" */
    const char *theorem;               /**< "Theorem 1", or "none" */
    const char *source;                /**< paper and section, or "" */
    const char *formula;               /**< in one line, or "" */
    char reason[NP_REPORT_REASON_MAX]; /**< why no theorem applies to the runs; "" if one applies */
    const char *measure; /**< "delay": some packet is delayed at least the value; "steps": the phase takes more steps */
    uint32_t relation;   /**< h: the traffic of every run was a partial h-relation */
    np_packet packets;   /**< T: of the run with most packets */
    size_t rows;         /**< 0 if no theorem with probabilities applies */
    np_report_bound_row row[NP_REPORT_BOUND_ROWS];
    np_report_steps steps; /**< instead of rows, for theorems without probabilities: see its relation */
} np_report_bound;

/** The fields of a bound. */
extern const np_fields np_report_bound_fields;

/**
 * The theorems for each phase of a routing and for all phases together, beside
 * the measurement. A theorem holds for one path rule, and perhaps for one
 * discipline, and only if phases wait for one another. Runs with other rules or
 * disciplines, or with overlapping phases, have no theorem.
 *
 * If every run drew its own traffic, the traffic is drawn again: to find the
 * largest h and T for the probabilities, and the number of steps that a theorem
 * gives for each run. Of traffic that was given to np_route_traffic only h and T
 * are known.
 *
 * @param bounds  receives entries in the order of the phases, at least one for each phase; they borrow the names of the
 *                phases; free with np_report_bounds_free
 * @param count   receives how many
 * @return NP_ERROR_MEMORY
 */
np_status np_report_bounds(const np_network *network, const np_route_result *result, np_report_bound **bounds,
                           size_t *count) NP_CHECKED;

/** Frees the bounds. NULL is allowed. */
void np_report_bounds_free(np_report_bound *bounds);

/** What a report says besides the result. The default is a table without a command or bounds. */
typedef struct np_report_options {
    size_t size;                            /**< of this structure; set by the initialiser */
    np_report_format format;                /**< default NP_REPORT_TABLE */
    const char *command;                    /**< the command that repeats it; NULL or "": none is printed */
    size_t bounds;                          /**< 0: none were asked for */
    const np_report_bound *bound;           /**< [bounds] */
    const np_pram_explanation *explanation; /**< for np_report_pram to add; NULL: none was asked for */
    bool profile; /**< for np_report_pram_script: what each line of the text cost, in the table; default false */
} np_report_options;

extern const np_fields np_report_options_fields;

/** Fills in the defaults. */
static inline void np_report_options_init(np_report_options *options)
{
    np_options_init(&np_report_options_fields, options, sizeof *options);
}

/**
 * Reports the outcome of np_route.
 * @return NP_ERROR_IO, NP_ERROR_MEMORY
 */
np_status np_report_route(const np_route_result *result, const np_report_options *options, FILE *stream) NP_CHECKED;

/**
 * Lets np_network_create read GraphML, GEXF and node-link JSON, too, from now on. Other formats of files need no call.
 * May be called more than once, and from any thread. From now on jansson takes its memory within the limit of the call
 * that uses it (json_set_alloc_funcs, of the whole process): by malloc and free as before, so that what it holds stays
 * valid.
 *
 * @return NP_ERROR_LIMIT: too many descriptors are registered
 */
np_status np_report_formats(void) NP_CHECKED;

/**
 * Prints a list of the available names, from the heads of their descriptors.
 * @param list    one list, or NP_LISTS for all
 * @param options table or JSON
 * @return NP_ERROR_INPUT for CSV; NP_ERROR_IO, NP_ERROR_MEMORY
 */
np_status np_report_list(np_list list, const np_report_options *options, FILE *stream) NP_CHECKED;

/**
 * Reports the facts of a network: formulas beside measurements.
 * @param facts   from np_network_measure
 * @param options table, JSON, or CSV: one line under one of names
 * @return NP_ERROR_IO, NP_ERROR_MEMORY
 */
np_status np_report_network(const np_network *network, const np_network_facts *facts, const np_report_options *options,
                            FILE *stream) NP_CHECKED;

/**
 * Reports what np_network_write wrote.
 * @param path    of the file
 * @param options table, JSON, or CSV: one line under one of names
 * @return NP_ERROR_IO, NP_ERROR_MEMORY
 */
np_status np_report_written(const np_network *network, const char *path, const np_network_written *written,
                            const np_report_options *options, FILE *stream) NP_CHECKED;

/**
 * Reports the three properties of the phases of a scheme, with a witness for
 * each property that does not hold, and the expected traffic of a link.
 * @param options table or JSON
 * @return NP_ERROR_INPUT for CSV; NP_ERROR_IO, NP_ERROR_MEMORY
 */
np_status np_report_check(const np_check_scheme_result *result, const np_report_options *options,
                          FILE *stream) NP_CHECKED;

/**
 * Reports a permutation that defeats a path rule: the link, the packets over it, the theorem's bound, and the steps of
 * the rule and of two-phase routing. np_defeat_save writes the permutation.
 * @return NP_ERROR_IO, NP_ERROR_MEMORY
 */
np_status np_report_defeat(const np_defeat *defeat, const np_report_options *options, FILE *stream) NP_CHECKED;

/**
 * Reports a replay: what was replayed, by which model, and how long it took.
 * @return NP_ERROR_IO, NP_ERROR_MEMORY
 */
np_status np_report_replay(const np_replay_result *result, const np_report_options *options, FILE *stream) NP_CHECKED;

/**
 * Reports a throughput: its two bounds, what they mean for hosts and steps, the cheap bounds beside them, and the links
 * that bind.
 * @return NP_ERROR_IO, NP_ERROR_MEMORY
 */
np_status np_report_throughput(const np_throughput *throughput, const np_report_options *options,
                               FILE *stream) NP_CHECKED;

/**
 * Reports whether routes may deadlock: what proves that they do not, or a cycle of channels.
 * @return NP_ERROR_IO, NP_ERROR_MEMORY
 */
np_status np_report_deadlock(const np_deadlock *deadlock, const np_report_options *options, FILE *stream) NP_CHECKED;

/** Reports a comparison of networks: a row for each. @return NP_ERROR_IO, NP_ERROR_MEMORY */
np_status np_report_compare(const np_compare *compare, const np_report_options *options, FILE *stream) NP_CHECKED;

/**
 * Reports flows: the makespan, completions and slowdowns, by classes of size too, and the busiest link.
 * @return NP_ERROR_IO, NP_ERROR_MEMORY
 */
np_status np_report_flows(const np_flows_result *result, const np_report_options *options, FILE *stream) NP_CHECKED;

/** The jobs of a file. */
typedef struct np_jobs_file {
    size_t count;
    const np_jobs_item *job; /**< [count] for np_jobs_play; owned by the file, with all that they point to */
} np_jobs_file;

/**
 * Reads a file of jobs, a JSON list of objects (docs/flows.md).
 * @param link_rate  with which the jobs will be played: sizes are bytes then, and starts seconds; NULL: none
 * @param out        receives the jobs; free with np_jobs_file_free; NULL on error. They do not know the network any
 * more
 * @return NP_ERROR_INPUT, with the line at which the job begins; NP_ERROR_IO, NP_ERROR_MEMORY
 */
np_status np_jobs_file_read(const char *path, const np_network *network, const char *link_rate,
                            np_jobs_file **out) NP_CHECKED;

/** Frees the jobs. NULL is allowed. */
void np_jobs_file_free(np_jobs_file *file);

/** Reports jobs: how long each takes alone and together. @return NP_ERROR_IO, NP_ERROR_MEMORY */
np_status np_report_jobs(const np_jobs_result *result, const np_report_options *options, FILE *stream) NP_CHECKED;

/**
 * Reports load: the points of each curve, where it saturates, and theory beside it. CSV has a line for each point.
 * @return NP_ERROR_IO; NP_ERROR_MEMORY
 */
np_status np_report_load(const np_load_result *result, const np_report_options *options, FILE *stream) NP_CHECKED;

/**
 * Reports a worst permutation: the factor that the path rule guarantees, and the link. np_worst_save writes the
 * permutation.
 * @return NP_ERROR_IO, NP_ERROR_MEMORY
 */
np_status np_report_worst(const np_worst *worst, const np_report_options *options, FILE *stream) NP_CHECKED;

/** Reports what a certificate proves. @return NP_ERROR_IO, NP_ERROR_MEMORY */
np_status np_report_proof(const np_throughput_proof *proof, const np_report_options *options, FILE *stream) NP_CHECKED;

/**
 * Reports off-line ranks: the promised steps, the bound that the ranks leave possible, and the measured steps.
 * np_ranking_save writes the ranks themselves.
 * @param options table or JSON
 * @return NP_ERROR_INPUT for CSV; NP_ERROR_IO, NP_ERROR_MEMORY
 */
np_status np_report_ranking(const np_ranking *ranking, const np_report_options *options, FILE *stream) NP_CHECKED;

/**
 * Reports an off-line schedule: its phases, and the outcome of its replay. np_offline_save writes its hops.
 * @param options table or JSON
 * @return NP_ERROR_INPUT for CSV; NP_ERROR_IO, NP_ERROR_MEMORY
 */
np_status np_report_offline(const np_offline *offline, const np_report_options *options, FILE *stream) NP_CHECKED;

/**
 * Reports the outcome of a PRAM program: its answer, its cost, and violations of the access rule; and why its slowest
 * batch was slow, if options->explanation is set.
 * @return NP_ERROR_INPUT for CSV with an explanation; NP_ERROR_IO, NP_ERROR_MEMORY
 */
np_status np_report_pram(const np_program_result *result, const np_report_options *options, FILE *stream) NP_CHECKED;

/**
 * Reports the outcome of a PRAM program that is written as text: its outputs, its cost, and violations of the access
 * rule; what each line cost, as JSON or if options->profile is set; and why its slowest batch was slow, if
 * options->explanation is set.
 * @return NP_ERROR_INPUT for CSV with an explanation; NP_ERROR_IO, NP_ERROR_MEMORY
 */
np_status np_report_pram_script(const np_script_result *result, const np_report_options *options,
                                FILE *stream) NP_CHECKED;

/**
 * Reports the outcome of a sort: whether the keys are sorted; the cost, in all and by stages; the formulas of the
 * textbooks; and how often the events that the analysis needs did not happen.
 * @return NP_ERROR_IO, NP_ERROR_MEMORY
 */
np_status np_report_sort(const np_sort_result *result, const np_report_options *options, FILE *stream) NP_CHECKED;

/** Where the map of an embedding came from, if the list has no such embedding; whether to show the map; and what the
 *  guest ran. */
typedef struct np_report_map {
    const char *file;     /**< NULL: no file */
    const char *indexing; /**< NULL: no indexing scheme */
    bool show;            /**< in a table: the guest nodes on the host, as a picture if the host is a grid that fits */
    const np_embedding_guest_options *guest_options; /**< options of `guest` */
    const np_embedding_guest_result *guest;          /**< NULL: the guest ran full steps only */
} np_report_map;

/**
 * Reports an embedding: load, dilation, congestion and expansion beside the stated figures, and the cost of a step of
 * the guest.
 * @param run     from np_embedding_run
 * @param options table, JSON, or CSV: one line under one of names
 * @return NP_ERROR_IO, NP_ERROR_MEMORY
 */
np_status np_report_embed(const np_embedding *embedding, const np_embedding_facts *facts,
                          const np_embedding_run_result *run, const np_report_map *map,
                          const np_report_options *options, FILE *stream) NP_CHECKED;

/** What the report of a collective operation says besides the result. The default is nothing. */
typedef struct np_report_collective_options {
    size_t size;                             /**< of this structure; set by the initialiser */
    bool show;                               /**< show the schedule: as pictures in a table, as lists in JSON */
    size_t models;                           /**< 0: no comparison was asked for */
    const np_collective_model *model;        /**< [models] from np_collective_models */
    const np_collective_options *collective; /**< the options with which the models are compared */
} np_report_collective_options;

extern const np_fields np_report_collective_options_fields;

/** Fills in the defaults. */
static inline void np_report_collective_options_init(np_report_collective_options *options)
{
    np_options_init(&np_report_collective_options_fields, options, sizeof *options);
}

/**
 * Can the result be drawn as pictures? The pictures show what each node knows after each round.
 * @return NP_ERROR_APPLY if not: packets move in the operation, or there are more than 64 nodes or flits
 */
np_status np_report_collective_drawable(const np_network *network, const char *operation,
                                        const np_collective_options *options) NP_CHECKED;

/**
 * Reports the steps of a collective operation, beside formula and bound. If asked, it also reports the schedule, and
 * the costs of the other algorithms, with the values of l for which each is the cheapest.
 * @param options in CSV there is no schedule: a line for the operation, then a line for each other algorithm compared
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
    const char *ending;    /**< the format of the image: "svg" or "png" */
} np_report_script;

/**
 * Who runs scripts. The library starts no process: it writes the script and its
 * data, asks the caller to run it, checks that the image is whole, and gives the
 * image its name.
 */
typedef struct np_report_plotter {
    /**
     * Runs the script in its directory, with the variables `image` and `ending` of gnuplot set to those of the script.
     * @param ran  receives false if there is no program to run scripts with: this is no error
     * @return NP_OK, or an error, which np_report_plot_... returns in turn
     */
    np_status (*run)(void *context, const np_report_script *script, bool *ran);
    void *context;
} np_report_plotter;

/**
 * Draws the costs of the algorithms over l, a curve for each. Image, script and data are as for np_report_plot_delays.
 * @return as np_report_plot_delays
 */
np_status np_report_plot_collective(const np_network *network, const char *operation,
                                    const np_report_collective_options *more, const char *image,
                                    const np_report_plotter *plotter, bool *drawn) NP_CHECKED;

/**
 * Draws which algorithm is the cheapest for which l and c_a, a colour for each, as np_report_plot_collective does.
 * @return as np_report_plot_delays
 */
np_status np_report_plot_collective_regions(const np_network *network, const char *operation,
                                            const np_report_collective_options *more, const char *image,
                                            const np_report_plotter *plotter, bool *drawn) NP_CHECKED;

/**
 * Reports the outcome of a program on a reconfigurable array: its answer, and each round; with pictures if the result
 * has them.
 * @param list  the table lists the keys, or who hears whom
 * @return NP_ERROR_IO, NP_ERROR_MEMORY
 */
np_status np_report_reconfigure(const np_reconfigure_result *result, bool list, const np_report_options *options,
                                FILE *stream) NP_CHECKED;

/**
 * Draws one round, of which the result has a picture: a line for each row of switches, the top row first. A switch is
 * drawn as the name of its setting, in capitals if a signal passes it. Wires with a signal are drawn heavy. PUs are
 * named by their places.
 * @return NP_ERROR_IO
 */
np_status np_report_reconfigure_picture(const np_reconfigure_result *result, uint32_t round, FILE *stream) NP_CHECKED;

/**
 * Reports the simulation of a guest on an area-universal network: U and its area, the map, the load and the slowdown.
 * @param map  also list the processor of each node
 * @return NP_ERROR_INPUT for CSV; NP_ERROR_IO, NP_ERROR_MEMORY
 */
np_status np_report_universal(const np_universal_result *result, bool map, const np_report_options *options,
                              FILE *stream) NP_CHECKED;

/**
 * Draws the histogram of the packets' delays, a curve for each phase. The
 * script PLACE/NAME.gp for gnuplot and the data PLACE/NAME.dat are kept beside
 * the image PLACE/NAME.svg or .png, so that the plot can be restyled.
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

/**
 * Draws what all flows together send over time. The result must have been made with record_rates. Image, script and
 * data are as for np_report_plot_delays.
 * @return as np_report_plot_delays; NP_ERROR_INPUT: there are no rates
 */
np_status np_report_plot_flows(const np_flows_result *result, const char *image, const np_report_plotter *plotter,
                               bool *drawn) NP_CHECKED;

/**
 * Draws what each job sends over time, when all play together: the jobs stand one upon the other. As
 * np_report_plot_flows.
 */
np_status np_report_plot_jobs(const np_jobs_result *result, const char *image, const np_report_plotter *plotter,
                              bool *drawn) NP_CHECKED;

/**
 * Draws mean latency over offered load, a curve for each path rule, with their intervals, and the theorems that apply
 * as thin lines; those on loads upright, if they are at most a quarter above the largest load. Image, script and data
 * are as for np_report_plot_delays.
 * @return as np_report_plot_delays
 */
np_status np_report_plot_load(const np_load_result *result, const char *image, const np_report_plotter *plotter,
                              bool *drawn) NP_CHECKED;

/** Does np_report_plot_delays accept this path of an image? NP_ERROR_INPUT if not. */
np_status np_report_plot_check(const char *image) NP_CHECKED;

/**
 * As np_report_route, and says why the slowest run took as long as it did. For scheme "ranked" it prints
 * the delay sequence of the run's slowest phase (Leighton, Maggs, Ranade & Rao
 * 1994, section 2.3); for the schemes of Ranade 1987a, the distinguished path
 * (section 7). The run is routed again, and what the paper proves is checked on
 * it.
 *
 * @param traffic,options  as given to np_route
 * @param result           the result of np_route
 * @param report           as of np_report_route. JSON, for scheme "ranked" only, has the explanation as a member
 * @param stream           receives the report, and behind a table the explanation
 * @param holds            false if something that the paper proves does not hold for the run
 * @return NP_ERROR_APPLY for other schemes, and for options that the proofs do not cover; NP_ERROR_INPUT: CSV, or JSON
 *         for other schemes than "ranked"; NP_ERROR_MEMORY; NP_ERROR_IO
 */
np_status np_report_explain(const np_network *network, const char *traffic, const np_route_options *options,
                            const np_route_result *result, const np_report_options *report, FILE *stream,
                            bool *holds) NP_CHECKED;

/*
 * Experiments: a JSON file names series of networks, each with a scheme and
 * traffic, or series of PRAM programs. A run of the experiment gives a CSV of
 * every measure, and the plots that the file asks for. docs/experiments.md
 * describes the format.
 */

typedef struct np_experiment np_experiment;

/**
 * Reads an experiment from text. Every key, type and range is checked.
 * np_experiment_check and np_experiment_run check whether networks, schemes and
 * programs exist.
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

/** How to sweep. Initialise with np_sweep_options_init. */
typedef struct np_sweep_options {
    size_t size;         /**< of this structure; set by the initialiser */
    const char *name;    /**< of the experiment; default "sweep" */
    const char *plot;    /**< a measure to draw, as in an experiment file; NULL (default): none */
    const char *x;       /**< the axis of plot and fit; NULL (default): the first of the kind */
    const char *fit;     /**< a measure whose growth is fitted; NULL (default): none */
    const char *against; /**< "scheme=greedy": curves are compared with those of this choice; NULL (default): none */
} np_sweep_options;

extern const np_fields np_sweep_options_fields;

/** Fills in the defaults. */
static inline void np_sweep_options_init(np_sweep_options *options)
{
    np_options_init(&np_sweep_options_fields, options, sizeof *options);
}

/** What one key of a sweep takes: a list, "greedy,valiant", of texts that may stand for several, "{6..12}". */
typedef struct np_sweep_value {
    const char *key; /**< "scheme"; NULL: a network, or a machine if there is a program. Its commas do not part */
    const char *text;
} np_sweep_value;

/** The i-th key of sweeps, over all kinds of series; some come more than once. NULL past the last. */
const np_field *np_experiment_key_get(size_t i);

/**
 * Makes an experiment of one series, which is swept over all values. Values of one key are joined. Without "traffic"
 * routing has random traffic, and without "scheme" the scheme that np_route takes on each network.
 * @param value  [count]
 * @param out    as np_experiment_parse
 * @return as np_experiment_parse
 */
np_status np_experiment_sweep(const np_sweep_options *options, size_t count, const np_sweep_value *value,
                              np_experiment **out) NP_CHECKED;

/** How to run. Initialise with np_experiment_options_init. */
typedef struct np_experiment_options {
    size_t size;           /**< of this structure; set by the initialiser */
    const char *directory; /**< of the files that are written; made if it does not exist; default "." */
    unsigned threads;      /**< 0 (default): one a processor */
    uint32_t runs;         /**< runs a point; 0 (default): as the file says */
    const char *only;      /**< the label of the one series to run; NULL (default): all */
    uint64_t
        memory_limit; /**< most bytes that a run may take; 0 (default): what is available. For routing and sorting */
    void (*on_finding)(void *context, const char *line); /**< called with each fit and each comparison, in words */
    void *context;                                       /**< of on_finding and on_note */
    const np_report_plotter *plotter; /**< draws the images; NULL (default): only scripts and data are written */
    np_watch watch; /**< is told the runs of each point, with stage "point 2 of 9 (label on network)"; may cancel */
    /** Called with what was assumed of a network's file, and what the demands of a file became, before any point is
     * run. */
    void (*on_note)(void *context, const char *line);
    /**
     * Run points again whose kept runs are damaged; a database that is damaged as a whole is renamed to
     * NAME.sqlite.damaged, and all points are run again. Default: damage is refused
     */
    bool repair;
    bool points_only; /**< run points, and leave the tables and plots to another process; default: write them */
} np_experiment_options;

extern const np_fields np_experiment_options_fields;

/** Fills in the defaults. */
static inline void np_experiment_options_init(np_experiment_options *options)
{
    np_options_init(&np_experiment_options_fields, options, sizeof *options);
}

/**
 * Checks everything without running anything: every network, scheme, path rule,
 * queue discipline and traffic must exist, fit its network and fit in memory;
 * every program and machine must exist and fit. Networks and machines are made
 * one at a time.
 * @return as np_network_create, np_route and np_program_check; the message names
 *         the place in the file
 */
np_status np_experiment_check(const np_experiment *experiment, const np_experiment_options *options) NP_CHECKED;

/** What np_experiment_run did. */
typedef struct np_experiment_outcome {
    size_t points;     /**< points whose runs are all in the database, also on an error */
    size_t points_all; /**< points of the experiment */
    size_t before;     /**< points whose runs were all there already */
    size_t plots;      /**< whose script and data were written */
    bool drawn; /**< false: images are missing, because the plotter could not run a script or there is no plotter */
} np_experiment_outcome;

/**
 * Checks, runs every point, and writes directory/NAME.csv and, for every plot
 * with at least one of the series run, PLOT.gp and PLOT.dat; if the options
 * have a plotter, also PLOT.svg and PLOT.png. Every point is routed with the experiment's seed, so that a point
 * is repeated by `netpram route` alone; run r of a program has seed + r. A wrong answer of a program is
 * NP_ERROR_APPLY.
 *
 * Runs are kept in the SQLite database directory/NAME.sqlite as they are done, and read from there if they are there:
 * an experiment that ended early goes on when it is run again, and more runs or points extend what is there. Several
 * processes may run one experiment in one directory at once: each does points that no other does, and each writes the
 * same CSV in the end.
 *
 * @param outcome  what was done, also on an error
 * @return as np_experiment_check; NP_ERROR_IO, also for a database that is damaged, locked, or of something else;
 *         NP_ERROR_CANCELLED
 */
np_status np_experiment_run(const np_experiment *experiment, const np_experiment_options *options,
                            np_experiment_outcome *outcome) NP_CHECKED;

/*
 * Pictures: SVG fit for a paper, or PNG. docs/pictures.md shows each of them. A picture of a run is drawn by a record
 * (np_record_options.picture), from the events; a picture of a thing by a function of its own.
 */

/** Who makes PNG of SVG: the library starts no process. */
typedef struct np_picture_converter {
    /** Can it convert? NULL: yes. NP_ERROR_APPLY, with what is missing. */
    np_status (*check)(void *context);
    /** Reads SVG from the descriptor `svg`, from where it stands, and writes PNG to the descriptor `png`. */
    np_status (*convert)(void *context, int svg, int png);
    void *context;
} np_picture_converter;

/** What to draw. Initialise with np_picture_options_init: nothing. */
typedef struct np_picture_options {
    size_t size;            /**< of this structure; set by the initialiser */
    const char *picture;    /**< the file, ending in .svg, .png or .html, or "-" for SVG; NULL (default): none. As
                               np_output_open.    An .html is a page that plays the run: player, with the trace inside */
    const char *picture_of; /**< a picture of np_record_open: "loads"; NULL (default): `usual` */
    const char *drawing;    /**< where nodes are drawn (np_drawing_place); NULL (default): as suits the network */
    const char *usual;      /**< the picture if none is named; default "loads". "keys" and "accesses" can be drawn only
                                 where they are the usual picture */
    const np_picture_converter *converter; /**< makes PNG; NULL (default): PNG is refused */
    const char *player; /**< the path of the page that plays runs, player.html; NULL (default): .html is refused */
} np_picture_options;

extern const np_fields np_picture_options_fields;

/** Fills in the defaults. */
static inline void np_picture_options_init(np_picture_options *options)
{
    np_options_init(&np_picture_options_fields, options, sizeof *options);
}

/**
 * Draws a network: its nodes and links; of a network with more than 4,096 nodes or 8,000 links, how many links there
 * are between which nodes. `picture_of` has no meaning.
 * @param command  is written into the picture; NULL or "": nothing
 * @return NP_ERROR_INPUT, NP_ERROR_APPLY (a drawing that is not for the network; PNG without a converter), NP_ERROR_IO,
 *         NP_ERROR_MEMORY
 */
np_status np_report_picture_network(const np_network *network, const char *command,
                                    const np_picture_options *options) NP_CHECKED;

/**
 * Draws a network with the channels that wait in a cycle, if there are any, as arrows beside their links. Of a network
 * that is too large a matrix shows between which nodes they are. `picture_of` has no meaning.
 * @return as np_report_picture_network
 */
np_status np_report_picture_deadlock(const np_deadlock *deadlock, const char *command,
                                     const np_picture_options *options) NP_CHECKED;

/**
 * Draws an embedding: the guest, and the host with the paths over its links; or a matrix, as np_report_picture_network.
 * Draws nothing if the options name another picture than "embedding", or none and another is usual. `drawing` is that
 * of the host.
 * @return as np_report_picture_network; NP_ERROR_APPLY: also a picture that nobody draws here
 */
np_status np_report_picture_embedding(const np_embedding *embedding, const char *command,
                                      const np_picture_options *options) NP_CHECKED;

/**
 * Draws the layout of a universal network, and which processors have nodes of the guest; of a large one the upper
 * levels. Draws nothing if the options name another picture than "layout", or none and another is usual.
 * @return as np_report_picture_embedding
 */
np_status np_report_picture_layout(const np_universal_result *result, const char *command,
                                   const np_picture_options *options) NP_CHECKED;

/**
 * Draws a network with its links in the colours of what they carried at the last point of each curve, a panel for each
 * of the first 24; or a matrix, as np_report_picture_network. Draws nothing if the options name no file; `picture_of`
 * has no meaning.
 * @param result  with the option keep_links; its network must be there still. NULL: nothing is drawn, and the options
 *                are checked, but for the drawing
 * @return as np_report_picture_network; NP_ERROR_INPUT: also a result without what links carried
 */
np_status np_report_picture_load(const np_load_result *result, const char *command,
                                 const np_picture_options *options) NP_CHECKED;

/**
 * Draws a comparison as bars for each figure: a bar a network, with what is proved from above, or the least of all
 * draws, as a mark. Draws nothing if the options name no file; `picture_of` and `drawing` have no meaning.
 * @return as np_report_picture_network
 */
np_status np_report_picture_compare(const np_compare *compare, const char *command,
                                    const np_picture_options *options) NP_CHECKED;

/*
 * Results to take away: files that observers (netpram/engine.h) write while packets move. docs/outputs.md describes
 * each of them.
 *
 * | state  | np_record_open | np_record_observer | np_record_commit, np_record_discard |
 * |--------|----------------|--------------------|-------------------------------------|
 * | (none) | gives `open`   |                    |                                     |
 * | open   |                | legal              | end it                              |
 */

/** What to record. Initialise with np_record_options_init: nothing. A path is that of np_output_open. */
typedef struct np_record_options {
    size_t size;               /**< of this structure; set by the initialiser */
    const char *trace;         /**< every event, as JSON lines */
    const char *trace_packets; /**< only events of these packets: "3,10..19"; NULL: of all */
    const char *trace_steps;   /**< only events of these steps; NULL: of all */
    const char *links;         /**< CSV: a line for each link of each phase */
    const char *nodes;         /**< CSV: a line for each node of each phase */
    const char *packets;       /**< CSV: a line for each packet of each phase and run */
    const char *steps;         /**< CSV: a line for each step of each phase and run */
    const np_picture_options
        *picture; /**< a picture of the run; NULL (default): none. Borrowed until the record ends */
    bool force;   /**< write files, too, that will take more than a quarter of the free disk; default: refuse them */
    /**
     * Told how large a file will be, before it is written, if this can be told before and the size is 50 MB or more:
     * about so many bytes, a trace more, as waiting is not foreseen. NULL (default): nobody is told.
     */
    void (*on_size)(void *context, const char *path, uint64_t bytes);
    void *on_size_context;
} np_record_options;

/** All options; those of the trace alone: trace, trace_packets, trace_steps. */
extern const np_fields np_record_options_fields, np_record_trace_fields;

/** Fills in the defaults. */
static inline void np_record_options_init(np_record_options *options)
{
    np_options_init(&np_record_options_fields, options, sizeof *options);
}

typedef struct np_record np_record;

/**
 * Opens the files. Their first lines are written when the first phase begins, or by np_record_commit.
 *
 * @param options  its texts are borrowed until the record ends
 * @param command  the command, for the head of the trace; NULL or "": none; borrowed likewise
 * @param out      receives the record; NULL if no file is asked for, and on error
 * @return NP_ERROR_IO, NP_ERROR_INPUT (a list of packets or steps, also one without a trace; force without a file; as
 *         np_options_take), NP_ERROR_MEMORY
 */
np_status np_record_open(const np_record_options *options, const char *command, np_record **out) NP_CHECKED;

/** The first of the observers that write the files, for np_route_options.observer and its like. NULL for NULL. */
const np_observer *np_record_observer(const np_record *record);

/** For np_pram_options.on_step, with the record as its context: writes a line of the trace. */
int np_record_pram_step(void *record, const np_pram_seen *seen);

/** For np_sort_options.on_stage, with the record as its context: the picture of keys. */
int np_record_sort_stage(void *record, const np_sort_seen *seen);

/**
 * Puts the files in place and frees the record, in any case. NULL is allowed.
 * @return the first failure of an observer, which has cancelled the run: NP_ERROR_MEMORY, NP_ERROR_IO, NP_ERROR_LIMIT
 *         (a file would take more than a quarter of the free disk)
 */
np_status np_record_commit(np_record *record) NP_CHECKED;

/** Removes what was written and frees the record. NULL is allowed. */
void np_record_discard(np_record *record);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
