/* Plots through gnuplot: a script and its data, left beside the image so that people can restyle it. */
#ifndef NP_REPORT_PLOT_H
#define NP_REPORT_PLOT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

typedef struct np_plot_curve {
    const char *label;
    size_t points;
    const double *x, *y, *error; /* [points]; error: half-width of the bar, or NULL */
    const double *x_end, *y_end; /* [points] or NULL; else boxes with corners (x, y) and (x_end, y_end), filled */
} np_plot_curve;

typedef struct np_plot {
    const char *title, *x_label, *y_label;
    bool log_x, log_y;
    double y_min; /* where the axis begins, unless log_y */
    bool bars;    /* boxes instead of lines through points */
    size_t curves;
    const np_plot_curve *curve; /* [curves] */
} np_plot;

/* Writes STEM.gp and STEM.dat. */
np_status np_plot_write(const np_plot *plot, const char *stem) NP_CHECKED;

/*
 * Has gnuplot, looked for along the PATH, run STEM.gp and puts STEM.svg or
 * STEM.png in place when whole. *drawn: false if there is no gnuplot.
 * @param ending "svg" or "png"
 * @return NP_ERROR_IO if gnuplot failed or the image is not whole
 */
np_status np_plot_draw(const char *stem, const char *ending, bool *drawn) NP_CHECKED;

#endif
