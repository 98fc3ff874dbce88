/* An experiment after parsing: a typed view of its JSON, which owns all the text. */
#ifndef NP_REPORT_EXPERIMENT_H
#define NP_REPORT_EXPERIMENT_H

#include <jansson.h>
#include <stdbool.h>

#include "base/status.h"
#include "netpram/experiment.h"
#include "netpram/route.h"
#include "report/measure.h"

/* Points of one curve: the same scheme on growing networks. */
typedef struct np_series {
    const char *label, *scheme, *paths, *queue; /* paths, queue: NULL if not given */
    bool overlap;
    np_merge_options merge;
    uint32_t permutations;
    const char *given; /* the last option given that not every scheme heeds; NULL: none */
    size_t networks;
    const char **network; /* [networks] specs */
    const char **traffic; /* [networks] */
} np_series;

/* What a chart's points stand over. */
typedef enum np_chart_x {
    NP_CHART_NODES,
    NP_CHART_LOG2_NODES,
    NP_CHART_LOG2_TERMINALS, /* n on omega:n */
    NP_CHART_BOUND /* c + L + log2 N, what merging takes O(.) of; of all phases together for "total" */
} np_chart_x;

/* One measure of one phase against the size. */
typedef struct np_chart {
    const char *file, *title, *x_label, *y_label; /* title and labels are never NULL */
    const char *phase;                            /* "A", or "total" for the steps of all phases */
    size_t phase_length;                          /* phase is followed by the measure: "A.steps" */
    const np_measure *measure;
    np_chart_x x;
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

/* What one point came to: phases without their runs and histograms, then "total". */
typedef struct np_point {
    size_t series;
    const char *network, *traffic;
    uint64_t nodes, links, terminals;
    double work;    /* estimated hops, as far as comparison goes */
    size_t phases;  /* with "total"; 0: not run */
    np_phase_result *phase;
    double *bound; /* [phases] mean over the runs of c + L + log2 N; 0: not leveled */
} np_point;

/* Writes the charts' files and images. points are in the order of the series. */
np_status np_experiment_draw(const np_experiment *experiment, const np_experiment_options *options, size_t points,
                             const np_point *point, np_experiment_outcome *outcome) NP_CHECKED;

#endif
