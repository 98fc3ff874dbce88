/*
 * Experiments: a JSON file names series of networks, each with a scheme and
 * traffic, or of PRAM programs; running it gives a CSV of every measure and the plots that the file
 * asks for. The format is described in docs/experiments.md.
 */
#ifndef NETPRAM_EXPERIMENT_H
#define NETPRAM_EXPERIMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "netpram/field.h"
#include "netpram/report.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

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
