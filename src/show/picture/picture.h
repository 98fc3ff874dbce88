/*
 * Pictures (netpram/report.h): SVG that is made of what observers saw, or of a result. This file has what all of them
 * share: which picture, in which format, and the frame around what is drawn.
 *
 * A picture of a run is a const np_picture_kind, which observes and then draws. A format is a const np_picture_format.
 */
#pragma once

#include <stdio.h>

#include "show/record/record.h"

/*
 * Writing SVG: the same bytes everywhere. Numbers are rounded to 0.01 and written with a point, whatever the locale
 * says. Texts are written by np_written.
 */

/* A number as text, for printf: fprintf(stream, "x=\"%s\"", NP_SVG(x)). The text lasts to the end of the expression. */
typedef struct np_svg_number {
    char text[24];
} np_svg_number;

np_svg_number np_svg_round(double number);
#define NP_SVG(number) (np_svg_round(number).text)

/*
 * Opens an image of so many units, which are pixels on a screen, with a white ground. The description says for those
 * who do not see the image what it shows; NULL or "": nothing. np_svg_close ends it.
 */
void np_svg_open(double width, double height, const char *title, const char *description, FILE *stream);
void np_svg_close(FILE *stream);

/* Where a text stands at its point. */
typedef enum np_svg_anchor { NP_SVG_START, NP_SVG_MIDDLE, NP_SVG_END } np_svg_anchor;

/* A line of text. style: more attributes, such as "font-weight=\"bold\""; "": none. */
void np_svg_text(double x, double y, double size, np_svg_anchor anchor, const char *style, const char *text,
                 FILE *stream);

/* A colour as #rrggbb. */
typedef struct np_svg_colour {
    char text[8];
} np_svg_colour;

/* From 0, pale yellow, to 1, dark violet: viridis, the other way round, for paper. */
np_svg_colour np_svg_scale(double share);

/* The palette of Okabe and Ito, which colour-blind people can tell apart. */
#define NP_SVG_BLUE "#0072b2"
#define NP_SVG_VERMILION "#d55e00"
#define NP_SVG_GREEN "#009e73"
#define NP_SVG_ORANGE "#e69f00"
#define NP_SVG_SKY "#56b4e9"
#define NP_SVG_PURPLE "#cc79a7"
#define NP_SVG_GREY "#b8b8b8"
#define NP_SVG_PALE "#dcdcdc"
#define NP_SVG_INK "#202020"

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

/* A picture that is being written: the file, and the SVG, which is the same stream if the format converts nothing. */
typedef struct np_picture_file {
    const np_picture_options *options;
    const np_picture_format *format;
    np_output *output;
    FILE *svg;
} np_picture_file;

/* kind: of a run; NULL: of a result. NP_ERROR_INPUT, NP_ERROR_APPLY, NP_ERROR_IO, NP_ERROR_MEMORY; then nothing is to
 * be ended. */
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
/* The kind of the options; NULL: a picture of a result. NP_ERROR_APPLY: it is special, and not for this command; the
 * message names those that are. */
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
 * Opens the SVG for contents of so many units: title, one line below it (NULL: none) and the command that drew it,
 * legend at the bottom. np_svg_close ends it.
 */
np_frame np_frame_open(double height, const char *title, const char *below, const char *command,
                       const np_legend *legend, FILE *stream);

/* The picture of a run without a phase: it says so. Returns NP_OK. */
np_status np_picture_nothing(const char *title, const np_sheet *sheet) NP_CHECKED;

/* The share of a scale that a value has: 0..1. */
double np_legend_share(const np_legend *legend, double value);
