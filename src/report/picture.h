/*
 * Pictures (netpram/report.h): SVG that is made of what observers saw, or of a result. This file has what all of them
 * share: which picture, in which format, and the frame around what is drawn.
 *
 * A picture of a run is a const np_picture_kind, which observes and then draws. A format is a const np_picture_format.
 */
#ifndef NP_REPORT_PICTURE_H
#define NP_REPORT_PICTURE_H

#include "report/record.h"
#include "report/svg.h"

/* ---- Formats ---- */

typedef struct np_picture_kind np_picture_kind;

typedef struct np_picture_format {
    const char *ending;          /* of the file's name, ".svg" */
    const np_picture_kind *kind; /* what is in such a file; NULL: any picture, as SVG */
    /* Can it be made here? NULL: always. NP_ERROR_APPLY says what is missing. */
    np_status (*check)(const np_picture_options *options);
    /* Makes the file of the SVG, which is whole and at its beginning. NULL: the SVG is the file. */
    np_status (*convert)(const np_picture_options *options, FILE *svg, FILE *file);
} np_picture_format;

/* By the ending of the file's name; NULL, with a message: no format has it. */
const np_picture_format *np_picture_format_of(const char *file);

/* A picture that is being written: the file, and the SVG, which is the same stream if the format converts nothing. */
typedef struct np_picture_file {
    const np_picture_options *options;
    const np_picture_format *format;
    np_output *output;
    FILE *svg;
} np_picture_file;

/* kind: of a run; NULL: of a result. NP_ERROR_INPUT, NP_ERROR_APPLY, NP_ERROR_IO, NP_ERROR_MEMORY; then nothing is to be ended. */
np_status np_picture_open(const np_picture_options *options, const np_picture_kind *kind,
                          np_picture_file *file) NP_CHECKED;
/* Writes what is not SVG, and puts the file in place; both end it. */
np_status np_picture_commit(np_picture_file *file) NP_CHECKED;
void np_picture_discard(np_picture_file *file);
/* Commits if st is NP_OK, else discards. Returns st or the failure. */
np_status np_picture_end(np_picture_file *file, np_status st) NP_CHECKED;

/* ---- Pictures of runs ---- */

struct np_picture_kind {
    const char *name;    /* of --picture-of */
    bool special;        /* only where it is the usual picture: it shows what is not in the events of every run */
    np_sheet_kind sheet; /* draws in `finish`, to np_sheet.stream */
};

/* Not in the list of pictures: it is what a page that plays has. record_trace.c */
extern const np_picture_kind np_picture_player;

extern const np_picture_kind np_picture_loads, np_picture_queues, np_picture_space_time, np_picture_rounds,
    np_picture_accesses, np_picture_keys;

/* Refuses a kind or drawing without a file. NP_ERROR_INPUT */
np_status np_picture_check(const np_picture_options *options) NP_CHECKED;
/* *asked = do the options ask for this picture of a result? Errors of np_picture_check and np_picture_find. */
np_status np_picture_asked(const np_picture_options *options, const char *name, bool *asked) NP_CHECKED;
/* The kind of the options; NULL: a picture of a result. NP_ERROR_APPLY: it is special, and not for this command; the message names those that are. */
np_status np_picture_find(const np_picture_options *options, const np_picture_kind **out) NP_CHECKED;

/* The words of --picture-of: pictures of runs and of results. */
extern const char *const np_picture_words[];

/* ---- The frame ---- */

enum { NP_PICTURE_WIDTH = 680, NP_PICTURE_MARGIN = 20 };

/* One line of a legend: a sign and what it means. */
typedef enum np_sign { NP_SIGN_DOT, NP_SIGN_LINE, NP_SIGN_ARROW, NP_SIGN_BOX } np_sign;

typedef struct np_legend_line {
    np_sign sign;
    const char *colour, *text;
} np_legend_line;

typedef struct np_legend {
    size_t lines;
    const np_legend_line *line; /* [lines] */
    const char *scale;          /* what the colours of the scale mean, with the unit; NULL: there is no scale */
    uint64_t most;              /* the scale ends here; it begins with `least` */
    uint64_t least;
} np_legend;

/* Where a picture's contents go: between title and legend. */
typedef struct np_frame {
    double x, y, width, height;
} np_frame;

/*
 * Opens the SVG for contents of so many units: title, one line below it (NULL: none) and the command that drew it, legend
 * at the bottom. np_svg_close ends it.
 */
np_frame np_frame_open(double height, const char *title, const char *below, const char *command,
                       const np_legend *legend, FILE *stream);

/* The picture of a run without a phase: it says so. Returns NP_OK. */
np_status np_picture_nothing(const char *title, const np_sheet *sheet) NP_CHECKED;

/* The share of a scale that a value has: 0..1. */
double np_legend_share(const np_legend *legend, double value);

#endif
