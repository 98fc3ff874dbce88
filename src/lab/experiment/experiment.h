/*
 * An experiment after parsing: a typed view of its JSON, which owns all the text.
 *
 * One key of a series decides its kind: "scheme" (routing, experiment_route.c), "program" (shared memory,
 * experiment_pram.c), and so on. A kind is one const descriptor and a line in experiment_kinds.c. Its table of fields
 * says which other keys a series may have: every option of the operation is a key. experiment_series.c makes the points
 * of a series from its lists, and experiment_key.c the key under which the archive keeps a point. The kind checks and
 * runs a point, and gives samples: the value of each measure in each run. The archive, CSV and charts know samples,
 * keys and axes by their names; they do not depend on kinds.
 */
#pragma once

#include <jansson.h>
#include <stdio.h>

#include "base/registry.h"
#include "netpram/report.h"
#include "lab/archive/archive.h"
#include "lab/statistics/growth.h"

enum {
    NP_EXPERIMENT_KINDS = 16,
    NP_EXPERIMENT_AXES = 8,
    NP_EXPERIMENT_KEYS = 64,
    NP_EXPERIMENT_PLACE = 96,
    NP_EXPERIMENT_NUMBER = 40
};

typedef struct np_series_kind np_series_kind;
typedef struct np_once np_once; /* experiment_once.h */

/* A curve: points that differ in size, or in some option. A series of the file with a sweep becomes several. */
typedef struct np_series {
    const char *base; /* the label in the file */
    char *label;      /* the same; of a sweep with several curves, followed by what is the curve's own */
    size_t place;     /* its number in the file */
    const np_series_kind *kind;
    const char *list;    /* the first key that is a list; NULL: none is */
    bool crossed;        /* it is of a sweep */
    size_t points, keys; /* at least 1; number of keys of the kind */
    char *options;       /* [points] structures of the kind's fields */
    char **text;         /* [points][keys] what the file gives each key; NULL: nothing */
    const json_t *fit;   /* a list of measures whose growth is fitted; NULL: none. The experiment's */
    const char *fit_x;   /* the axis that is the size */
    size_t against;      /* the curve with which this one is compared; its own number: none */
} np_series;

/* A quantity that the x axis of a chart can show. */
typedef struct np_experiment_axis {
    const char *name, *label;
} np_experiment_axis;

/* One measure of one point, over its runs. */
typedef struct np_experiment_row {
    const char *phase;   /* "A"; "" where there are no phases */
    const char *measure; /* a chart asks for "A.steps", or "steps" where there are no phases */
    np_summary summary;
    double x[NP_EXPERIMENT_AXES]; /* by the kind's axes; NAN: the row has no value on the axis */
} np_experiment_row;

typedef struct np_experiment_point {
    size_t series, number; /* which series, and which of its points */
    uint32_t runs;         /* asked for */
    char *key;             /* what determines its runs */
    int64_t id;            /* in the archive */
    uint32_t stored;       /* runs in the archive */
    double work;           /* estimated, only to compare points; for routes, hops */
} np_experiment_point;

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
    bool line;    /* it is of a command line: messages name no place */
    const char *name, *description;
    uint64_t seed;
    uint32_t runs;
    size_t series, charts;
    np_series *serie; /* [series] curves */
    np_chart *chart;  /* [charts] */
};

/* The files of the points. What is said of them: np_experiment_options.on_note, and the lines that it has been called
 * with. */
typedef struct np_experiment_files {
    void (*on_note)(void *context, const char *line); /* NULL: nothing is said */
    void *context;
    char **line; /* [lines] */
    size_t lines;
    np_network *network; /* of the last point: the next one may be on the same; NULL: there is none */
} np_experiment_files;

/* How runs of a point are done: the watch is told of each of the "runs", and may be told the share of one within it. */
typedef struct np_experiment_job {
    const np_experiment *experiment;
    unsigned threads;      /* 0: one a processor */
    uint64_t memory_limit; /* 0: none */
    np_watch watch;
    np_experiment_files *files;
} np_experiment_job;

/* A place in the file, for messages. */
typedef struct np_experiment_place {
    const char *source;
    char path[NP_EXPERIMENT_PLACE]; /* "series[2]", "" at the top */
} np_experiment_place;

struct np_series_kind {
    const char *key;         /* a series that has it is of this kind */
    const char *columns;     /* columns of the CSV between label and measure: axes, keys, "network", "phase" */
    const np_fields *fields; /* of the options of a point: each row is a key */
    const char *hides;       /* rows that are no keys: "seed, runs"; nor is a row behind another of its name */
    const char *adds;        /* flags that add measures and change none: no columns of the CSV, and nothing of the
                                key of a point unless they are set, so that what was archived before stays. NULL: none */
    const char *own;         /* rows whose preset does not hold: the default is another one. NULL: none */
    const char *needs;       /* keys that a series must have, besides `key`: "networks, traffic"; NULL: none */
    const char *draws;       /* rows on which the random draws depend: series with the same ones pair up */
    const char *along;       /* the key that must be a list, or swept; NULL: any or none */
    bool file;               /* of files alone: its keys are no options of sweep */
    size_t spec;             /* offset in the options of the const char * that a point runs on */
    const np_experiment_axis *axes; /* the default first; ends with a NULL name */

    /* The fields of what is measured of a run, and the names of those that are kept; of the axes, too. NULL: the kind
       checks and keeps its measures itself. */
    const np_fields *measured;
    const char *const *measures; /* ends with NULL */
    /* Is a chart's y one of the kind's measures? Else NP_ERROR_INPUT; the message does not name the place. NULL: as
       `measures` says. */
    np_status (*check_measure)(const char *y);
    /* Checks all that can be checked without a run; sets work. Messages begin with the place. */
    np_status (*check)(const np_experiment_job *job, np_experiment_point *point);
    /* What np_once_check looks at in a point beside its file and its network. NULL: nothing. */
    np_status (*look)(const np_experiment_job *job, const np_experiment_point *point, const np_network *network);
    /* The value of `key` of a point whose other options are given; of command lines, which need not have it. *network
       is for np_experiment_open. NULL: they must have it. */
    np_status (*choose)(const void *options, np_network **network, const char **value);
    /* Runs samples->first .. first + runs - 1 of the point; samples has no room yet. `check` has accepted the point, in
       this process or in an earlier one. */
    np_status (*run)(const np_experiment_job *job, const np_experiment_point *point, np_samples *samples);
    /* What np_once_run calls for each run. */
    np_status (*call)(const np_once *once);
};

extern const np_series_kind np_experiment_route, np_experiment_pram, np_experiment_sort, np_experiment_throughput,
    np_experiment_worst, np_experiment_flows, np_experiment_replay, np_experiment_collective, np_experiment_load,
    np_experiment_comparison, np_experiment_jobs;

/* The list, NULL-terminated, in experiment_kinds.c. */
extern const np_series_kind *const np_series_kinds[];

/* ---- experiment_write.c: the CSV, out of the archive ---- */

/* The points of an experiment, in the order of the series, and the archive that has their runs. */
typedef struct np_experiment_results {
    const np_experiment *experiment;
    np_archive *archive;
    size_t points;
    const np_experiment_point *point; /* [points] */
    size_t fits;
    struct np_experiment_fit *fit; /* [fits] */
} np_experiment_results;

/* Makes the row of a sample; measures and phases are borrowed from the samples. */
np_status np_experiment_row_make(const np_series_kind *kind, const np_samples *samples, const np_sample *sample,
                                 np_experiment_row *row) NP_CHECKED;
/* Writes directory/NAME.csv. */
np_status np_experiment_write(const np_experiment_results *results, const char *directory) NP_CHECKED;
/* directory/name + ending; free with np_memory_free. */
np_status np_experiment_path(const char *directory, const char *name, const char *ending, char **out) NP_CHECKED;

/* ---- experiment_find.c: what is made of several points ---- */

/* The growth of a measure along a curve. */
typedef struct np_experiment_fit {
    size_t series;
    const char *y; /* "total.steps" */
    bool found;    /* false: there are too few points */
    bool measured; /* some point has the measure */
    bool absent;   /* no run of some point had the phase */
    np_growth growth;
} np_experiment_fit;

/* Is the sample the measure y? "A.steps", or "steps" where there are no phases. */
bool np_experiment_shows(const np_sample *sample, const char *y);
/* Reads the measure y of a point; *found: there is one. The row's texts are not kept. */
np_status np_experiment_find(const np_experiment_results *results, const np_experiment_point *point, const char *y,
                             np_experiment_row *row, bool *found) NP_CHECKED;
/* The row's place on an axis; NAN if it has none. */
double np_experiment_x(const np_series_kind *kind, const np_experiment_row *row, const char *axis);

/* Sets fits and fit: of all curves that ask for them. */
np_status np_experiment_fits(np_experiment_results *results) NP_CHECKED;
/* NULL: there is none. */
const np_experiment_fit *np_experiment_fit_get(const np_experiment_results *results, size_t series, const char *y);
/* "2.1 + 1.02 log2 nodes" */
void np_experiment_fit_text(const np_growth *growth, const char *size, size_t room, char *out);

/* Reads all samples of the point with which a point is compared; none, if there is no such point. */
np_status np_experiment_partner(const np_experiment_results *results, const np_experiment_point *point,
                                np_samples *out) NP_CHECKED;
/* *found: false if the partner has no such sample, or one run only. NP_ERROR_MEMORY. */
np_status np_experiment_compare(const np_sample *sample, const np_samples *partner, np_paired *out,
                                bool *found) NP_CHECKED;

/* Tells the caller all fits, and the comparisons of all measures that are fitted or drawn. */
np_status np_experiment_tell(const np_experiment_results *results, const np_experiment_options *options) NP_CHECKED;

/* ---- experiment_draw.c ---- */

/* Writes the charts' files and images. */
np_status np_experiment_draw(const np_experiment_results *results, const np_experiment_options *options,
                             np_experiment_outcome *outcome) NP_CHECKED;

/* ---- experiment_parse.c ---- */

/* Reads an experiment from JSON, which it takes over, also on an error. `line`: it is of a command line. */
np_status np_experiment_take(const char *name, json_t *root, bool line, np_experiment **out) NP_CHECKED;

/* ---- experiment_series.c ---- */

/* Reads a series of the file, whose kind is known, and appends its curves to the experiment's. */
np_status np_series_parse(const np_experiment_place *at, np_experiment *e, json_t *object, const np_series_kind *kind,
                          size_t place) NP_CHECKED;
void np_series_clear(np_series *series);
/* Appends the names of the kind's keys to the `count` names in keys, up to `most`; returns the new count. */
size_t np_series_keys(const np_series_kind *kind, const char **keys, size_t count, size_t most);
/* The options of a point. */
void *np_series_options(const np_series *series, size_t number);
/* Finds the curve that `against` means, for every series that has one. */
np_status np_series_pair(np_experiment *e) NP_CHECKED;
/* What a point runs on: a network, a machine. */
const char *np_series_spec(const np_series *series, size_t number);
/* The next key from *i on that the file gives a point; NULL: no more. Moves *i past it. */
const char *np_series_given(const np_series *series, size_t number, size_t *i);
/* The value of a point's key as text, in `room` (size bytes) or elsewhere: what is given, or the default. */
const char *np_series_text(const np_series *series, size_t number, const char *key, size_t size, char *room);
/* The options of a point of the job. */
const void *np_experiment_options_of(const np_experiment_job *job, const np_experiment_point *point);
/*
 * Refuses a key that the file gives and that does not apply, as heeds(what, key) tells. options: other keys are not
 * asked about; NULL: all are.
 */
np_status np_experiment_heeds(const np_experiment_job *job, const np_experiment_point *point, const np_fields *options,
                              np_status (*heeds)(const char *what, const char *key), const char *what) NP_CHECKED;
/* Puts the place of the point, or of a key of its series, before the last message. */
np_status np_experiment_at_point(const np_experiment_job *job, const np_experiment_point *point, np_status st);
np_status np_experiment_at_key(const np_experiment_job *job, const np_experiment_point *point, const char *key,
                               np_status st);

/* ---- experiment_files.c ---- */

/* Refuses a spec that reads the standard input: a point is made more than once, to check it and to run it. */
np_status np_experiment_check_file(const char *spec) NP_CHECKED;
/* Makes *network that of the spec, unless it is already; *network may be NULL, and is NULL on an error. */
np_status np_experiment_open(const char *spec, np_network **network) NP_CHECKED;
/* The same with the job's network, and its note. The network is the job's, until the next call. */
np_status np_experiment_network(const np_experiment_job *job, const char *spec, const np_network **out) NP_CHECKED;
/*
 * Reads traffic whose packets are counted only when it is read: *packets, and its note. Nothing is done for other
 * traffic, of which *packets are known.
 */
np_status np_experiment_demands(const np_experiment_job *job, const char *spec, const np_network *network,
                                uint64_t *packets) NP_CHECKED;
/* Refuses a file that is written in the directory and is also read, as the experiment or by a point. */
np_status np_experiment_check_outputs(const np_experiment *experiment, const char *directory) NP_CHECKED;
void np_experiment_files_clear(np_experiment_files *files);

/* ---- experiment_key.c ---- */

/*
 * The key of a point: a text of the kind, of all options but the number of runs, with the contents of the files they
 * name, and of the version of results. Free with np_memory_free.
 */
np_status np_series_key(const np_series *series, size_t number, char **out) NP_CHECKED;

/* ---- experiment_range.c ---- */

/*
 * Appends to the list the texts that a text stands for: "hypercube:{6..12}" for seven, "{a,b}:{1..64x2}" for fourteen.
 * @param number  the text is of a number: "1..8" means "{1..8}"
 * @return NP_ERROR_INPUT; the message does not name the place. NP_ERROR_MEMORY
 */
np_status np_experiment_expand(const char *text, bool number, json_t *list) NP_CHECKED;

/* ---- experiment_measures.c: measures that are fields ---- */

/* Is y one of the kind's measures? Else NP_ERROR_INPUT; the message does not name the place. */
np_status np_experiment_check_measure(const np_series_kind *kind, const char *y) NP_CHECKED;
/* Makes room for the kind's axes and measures. Measures that are null in `first` are left out; NULL: none is. */
np_status np_experiment_measures_init(const np_series_kind *kind, const void *first, np_samples *samples) NP_CHECKED;
/* Keeps the measures of the i-th of the runs; of the first run the axes, too. */
void np_experiment_measures_keep(const np_series_kind *kind, const void *object, uint32_t i, np_samples *samples);

/* ---- experiment_values.c: values of the JSON, refused with their place. ---- */

np_status np_experiment_refuse(const np_experiment_place *at, const char *key, const char *why) NP_CHECKED;
np_status np_experiment_refuse_type(const np_experiment_place *at, const char *key, const char *want,
                                    const json_t *got) NP_CHECKED;
/* Puts "file: series[2].key: " before the last message. */
np_status np_experiment_prefix(np_status st, const np_experiment_place *at, const char *key);

/* Every key of the object is one of `keys`. */
np_status np_experiment_check_keys(const np_experiment_place *at, json_t *object, const char *const *keys,
                                   size_t count) NP_CHECKED;
np_status np_experiment_object(const np_experiment_place *at, const json_t *value) NP_CHECKED;
/* A list with at least one entry. */
np_status np_experiment_list(const np_experiment_place *at, json_t *object, const char *key, const char *of,
                             json_t **out) NP_CHECKED;
/* The value as on a command line: its own text, or a number's, in `room` (size bytes). */
np_status np_experiment_text(const np_experiment_place *at, const char *key, const np_field *field, const json_t *value,
                             size_t size, char *room, const char **text) NP_CHECKED;
/* Sets a field of the structure `to` from a text; `key` is its name in messages. Texts are borrowed. */
np_status np_experiment_set(const np_experiment_place *at, const char *key, const np_field *field, void *to,
                            const char *text) NP_CHECKED;
/* Sets the fields of `to` for which the object has keys. The keys in `needs`, such as "name, label", must be there. */
np_status np_experiment_set_all(const np_experiment_place *at, json_t *object, const np_fields *fields,
                                const char *needs, void *to) NP_CHECKED;
