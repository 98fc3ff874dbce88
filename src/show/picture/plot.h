/*
 * Plots: a script for gnuplot and its data, left beside the image so that
 * people can restyle it. The library starts no process: the caller's plotter
 * runs the script.
 */
#pragma once

#include "base/status.h"
#include "netpram/report.h"

typedef struct np_plot_curve {
    const char *label;
    size_t points;
    const double *x, *y, *error; /* [points]; error: half-width of the bar, or NULL */
    const double *x_end, *y_end; /* [points] or NULL; if given, filled boxes with corners (x, y) and (x_end, y_end) */
    bool fit;                    /* a thin line without points, in the style of the curve before it */
} np_plot_curve;

typedef struct np_plot {
    const char *title, *x_label, *y_label;
    bool log_x, log_y;
    double y_min; /* where the axis begins, unless log_y */
    bool bars;    /* boxes instead of lines through points */
    size_t curves;
    const np_plot_curve *curve; /* [curves] */
} np_plot;

/* Writes STEM.gp and STEM.dat. NP_ERROR_INPUT: the name has control characters. */
np_status np_plot_write(const np_plot *plot, const char *stem) NP_CHECKED;

/*
 * Calls the plotter to run STEM.gp; puts STEM.svg or STEM.png in place when it is whole.
 * @param ending  "svg" or "png"
 * @param plotter NULL: nothing is drawn
 * @param drawn   receives whether the image is in place
 * @return NP_ERROR_IO if the image is not whole; the plotter's own errors
 */
np_status np_plot_draw(const char *stem, const char *ending, const np_report_plotter *plotter, bool *drawn) NP_CHECKED;

/* Both for one image, PLACE/NAME.svg or PLACE/NAME.png; np_report_plot_check says which names are accepted. */
np_status np_plot_image(const np_plot *plot, const char *image, const np_report_plotter *plotter,
                        bool *drawn) NP_CHECKED;
