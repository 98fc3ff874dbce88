/*
 * Heat maps: a matrix of cells whose colours are values of a scale, for what is too much to draw one by one. Rows and
 * columns stand for ranges of numbers if there are more numbers than cells.
 */
#pragma once

#include "show/picture/picture.h"

enum { NP_HEAT_COLUMNS = 192, NP_HEAT_ROWS = 128 /* most cells */ };

/* An axis: numbers 0 .. count - 1, of which `each` share a row or column. */
typedef struct np_heat_axis {
    uint64_t count, each, first; /* first: what number 0 is called */
    const char *label;
} np_heat_axis;

/* The least `each` with at most so many cells. */
np_heat_axis np_heat_axis_of(uint64_t count, uint64_t cells, const char *label);
uint64_t np_heat_cells(const np_heat_axis *axis);

/*
 * Colours of the cells, by row and then by column: NULL, no cell. The same colour is one path, so that the file stays
 * small.
 */
typedef const char *np_heat_colour(const void *context, uint64_t row, uint64_t column, char room[8]);

/* The frame of a matrix of cells and its axes, at most so high; returns the height it takes. */
double np_heat_height(const np_heat_axis *x, const np_heat_axis *y, double most);
void np_heat_draw(const np_frame *frame, const np_heat_axis *x, const np_heat_axis *y, np_heat_colour *colour,
                  const void *context, FILE *stream);

/* The width of a cell in a frame of that width. */
double np_heat_side(const np_heat_axis *x, double width);
/* Only the axes, around cells of that size. */
void np_heat_axes(const np_frame *frame, const np_heat_axis *x, const np_heat_axis *y, double width, double height,
                  FILE *stream);

/* Numbers that are added up by two axes, and drawn with the legend's scale. */
typedef struct np_heat {
    np_heat_axis x, y;
    uint64_t *sum; /* [rows][columns] */
} np_heat;

np_status np_heat_init(np_heat *heat, np_heat_axis x, np_heat_axis y) NP_CHECKED;
uint64_t *np_heat_at(const np_heat *heat, uint64_t x, uint64_t y);
/* A picture of its own. scale: what the sums are, with the unit. */
void np_heat_picture(const np_heat *heat, const char *title, const char *below, const char *command, const char *scale,
                     FILE *stream);
void np_heat_clear(np_heat *heat);
