/*
 * An experiment after parsing: a typed view of its JSON, which owns all the text.
 *
 * A series is of a kind, by the key that it has: "scheme" (routing,
 * experiment_route.c), "program" (shared memory, experiment_pram.c). A kind is one const
 * descriptor and a line in experiment_kinds.c: it reads the rest of the series, checks
 * and runs a point, and hands back rows, each a measure over the runs. CSV and
 * charts know rows and axes by name, and no kind.
 */
#ifndef NP_REPORT_EXPERIMENT_H
#define NP_REPORT_EXPERIMENT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/status.h"
#include "netpram/experiment.h"
#include "netpram/statistics.h"

enum { NP_EXPERIMENT_AXES = 8, NP_EXPERIMENT_KEYS = 32, NP_EXPERIMENT_PLACE = 96 };

typedef struct np_series_kind np_series_kind;

/* A curve: points that differ in size, or in some option. */
typedef struct np_series {
    const char *label;
    const np_series_kind *kind;
    size_t points; /* at least 1 */
    void *own;     /* what the kind made of its keys */
} np_series;

/* What a chart's points can stand over. */
typedef struct np_experiment_axis {
    const char *name, *label;
} np_experiment_axis;

/* One measure of one point, over its runs. */
typedef struct np_experiment_row {
    char phase[8];       /* "A"; "" where there are no phases */
    const char *measure; /* a chart asks for "A.steps", or "steps" where there are no phases */
    np_summary summary;
    double x[NP_EXPERIMENT_AXES]; /* by the kind's axes; NAN: it does not stand over that */
} np_experiment_row;

typedef struct np_point {
    size_t series, number; /* which series, and which of its points */
    double work;           /* estimated, as far as comparison goes; of routes, hops */
    size_t rows;           /* 0: not run */
    np_experiment_row *row;
} np_point;

/* One measure against one axis. */
typedef struct np_chart {
    const char *file, *title, *x_label, *y_label; /* title and labels are never NULL */
    const char *x, *y;                            /* "nodes"; "A.steps" */
    bool log_x, log_y;
    double y_min;
    size_t series;
    size_t *shown; /* [series] indices of the series to draw */
} np_chart;

struct np_experiment {
    json_t *root;
    char *source; /* the file's name, for messages */
    const char *name;
    uint64_t seed;
    uint32_t runs;
    size_t series, charts;
    np_series *serie; /* [series] */
    np_chart *chart;  /* [charts] */
};

/* How a point is run: on_run is called after each run, from one thread at a time; non-zero cancels. */
typedef struct np_experiment_job {
    const np_experiment *experiment;
    uint32_t runs;
    unsigned threads;      /* 0: one a processor */
    uint64_t memory_limit; /* 0: none */
    int (*on_run)(void *context, uint32_t done);
    void *context;
} np_experiment_job;

/* Where in the file we are, for messages. */
typedef struct np_experiment_place {
    const char *source;
    char path[NP_EXPERIMENT_PLACE]; /* "series[2]", "" at the top */
} np_experiment_place;

struct np_series_kind {
    const char *key;                /* a series that has it is of this kind; its value is a string */
    const char *columns;            /* of the CSV between label and measure: "scheme,network" */
    const np_experiment_axis *axes; /* the default first; ends with a NULL name */

    /* The i-th key besides label that a series may have, NULL past the last. */
    const char *(*key_name)(size_t i);
    /* Sets points and own. The keys are among key_name; label and kind are set. */
    np_status (*parse)(const np_experiment_place *at, json_t *object, np_series *series);
    void (*free)(void *own); /* NULL is allowed */
    /* A chart's y is one of its measures; else NP_ERROR_INPUT, and the message has no place. */
    np_status (*check_measure)(const char *y);
    /* What a point runs on, for progress. */
    const char *(*spec)(const np_series *series, size_t number);
    /* Checks all that can be without a run; sets work. Messages begin with the place. */
    np_status (*check)(const np_experiment_job *job, np_point *point);
    /* Sets rows and row. A point is checked first. */
    np_status (*run)(const np_experiment_job *job, np_point *point);
    /* The columns of a row, each with a comma after it. */
    void (*csv)(const np_series *series, const np_point *point, const np_experiment_row *row, FILE *stream);
};

/* The list, NULL-terminated, in experiment_kinds.c. */
extern const np_series_kind *const np_series_kinds[];

/* Writes the charts' files and images. points are in the order of the series. */
np_status np_experiment_draw(const np_experiment *experiment, const np_experiment_options *options, size_t points,
                             const np_point *point, np_experiment_outcome *outcome) NP_CHECKED;

/* ---- experiment_values.c: values of the JSON, refused with their place. What is missing and not needed leaves *out
 * as it is. ---- */

np_status np_experiment_refuse(const np_experiment_place *at, const char *key, const char *why) NP_CHECKED;
np_status np_experiment_refuse_type(const np_experiment_place *at, const char *key, const char *want,
                                    const json_t *got) NP_CHECKED;
/* Puts "file: series[2].key: " before the last message. */
np_status np_experiment_prefix(np_status st, const np_experiment_place *at, const char *key);

/* Every key of the object is one of `keys`. */
np_status np_experiment_check_keys(const np_experiment_place *at, json_t *object, const char *const *keys,
                                   size_t count) NP_CHECKED;
np_status np_experiment_object(const np_experiment_place *at, const json_t *value) NP_CHECKED;
/* A string that is not empty. */
np_status np_experiment_text(const np_experiment_place *at, json_t *object, const char *key, bool needed,
                             const char **out) NP_CHECKED;
np_status np_experiment_whole(const np_experiment_place *at, json_t *object, const char *key, uint64_t low,
                              uint64_t high, uint64_t *out) NP_CHECKED;
np_status np_experiment_number(const np_experiment_place *at, json_t *object, const char *key, double *out) NP_CHECKED;
np_status np_experiment_truth(const np_experiment_place *at, json_t *object, const char *key, bool *out) NP_CHECKED;
/* A list with at least one entry. */
np_status np_experiment_list(const np_experiment_place *at, json_t *object, const char *key, const char *of,
                             json_t **out) NP_CHECKED;
/* The strings of a list; `example` is such a one. */
np_status np_experiment_texts(const np_experiment_place *at, const json_t *list, const char *key, const char *example,
                              const char **out) NP_CHECKED;

/* A word, whole number or truth as it would stand on a command line. */
typedef struct np_experiment_word {
    char text[41]; /* shortened to what a message can show: no good word or number is as long */
} np_experiment_word;
np_status np_experiment_word_of(const np_experiment_place *at, const char *key, const json_t *value,
                                np_experiment_word *out) NP_CHECKED;

#endif
