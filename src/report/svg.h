/*
 * Writing SVG: the same bytes everywhere. Numbers are rounded to 0.01 and written with a point, whatever the locale says.
 * Texts are written by np_written.
 */
#ifndef NP_REPORT_SVG_H
#define NP_REPORT_SVG_H

#include <stdio.h>

/* A number as text, for printf: fprintf(stream, "x=\"%s\"", NP_SVG(x)). The text lasts to the end of the expression. */
typedef struct np_svg_number {
    char text[24];
} np_svg_number;

np_svg_number np_svg_round(double number);
#define NP_SVG(number) (np_svg_round(number).text)

/*
 * Opens an image of so many units, which are pixels on a screen, with a white ground. The description says for those who
 * do not see the image what it shows; NULL or "": nothing. np_svg_close ends it.
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

#endif
