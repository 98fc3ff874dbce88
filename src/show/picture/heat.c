/* See heat.h. */
#include "show/picture/heat.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

enum { LEFT = 54, BELOW = 36, TEXT = 10, GRID_LEAST = 8 };

np_heat_axis np_heat_axis_of(uint64_t count, uint64_t cells, const char *label)
{
    return (np_heat_axis){count, count > cells ? (count + cells - 1) / cells : 1, 0, label};
}

uint64_t np_heat_cells(const np_heat_axis *axis) { return (axis->count + axis->each - 1) / axis->each; }

/* The side of a cell: square cells for a matrix, at most 24 high. */
double np_heat_side(const np_heat_axis *x, double width) { return fmin(24, (width - LEFT) / (double)np_heat_cells(x)); }

static double side_y(const np_heat_axis *y, double height)
{
    return fmin(24, (height - BELOW) / (double)np_heat_cells(y));
}

double np_heat_height(const np_heat_axis *x, const np_heat_axis *y, double most)
{
    (void)x;
    return side_y(y, most) * (double)np_heat_cells(y) + BELOW;
}

/* ---- Axes ---- */

/* 1, 2, 5, 10, ...: the distance of ticks. */
static uint64_t tick_distance(uint64_t count, unsigned ticks)
{
    uint64_t step = 1;
    for (unsigned k = 0; count / step > ticks; k++)
        step = step / (k % 3 == 1 ? 2 : 1) * (k % 3 == 1 ? 5 : 2);
    return step;
}

static void draw_ticks(const np_frame *f, const np_heat_axis *axis, double side, bool down, FILE *stream)
{
    uint64_t distance =
        tick_distance(axis->count, (unsigned)(side * (double)np_heat_cells(axis) / (down ? 22 : 44)) + 1);
    for (uint64_t i = (distance - axis->first % distance) % distance; i < axis->count; i += distance) {
        char text[24];
        double at = ((double)(i / axis->each) + 0.5) * side;
        snprintf(text, sizeof text, "%llu", (unsigned long long)(i + axis->first));
        if (down)
            np_svg_text(f->x + LEFT - 6, f->y + at + 3.5, TEXT - 1, NP_SVG_END, "", text, stream);
        else
            np_svg_text(f->x + LEFT + at, f->y + f->height - BELOW + 14, TEXT - 1, NP_SVG_MIDDLE, "", text, stream);
    }
}

static void draw_labels(const np_frame *f, const np_heat_axis *x, const np_heat_axis *y, double width, FILE *stream)
{
    char turn[96];
    double middle = f->y + (f->height - BELOW) / 2;
    np_svg_text(f->x + LEFT + width / 2, f->y + f->height - 6, TEXT, NP_SVG_MIDDLE, "", x->label, stream);
    snprintf(turn, sizeof turn, "transform=\"rotate(-90 %s %s)\"", NP_SVG(f->x + 12), NP_SVG(middle));
    np_svg_text(f->x + 12, middle, TEXT, NP_SVG_MIDDLE, turn, y->label, stream);
}

/* ---- Cells ---- */

typedef struct cells {
    double x, y, width, height; /* of the first cell */
    uint64_t columns, rows;
    np_heat_colour *colour;
    const void *context;
} cells;

/* Writes the cells of one colour, runs of a row as one box. Returns whether there are some. */
static void draw_colour(const cells *c, const char *colour, FILE *stream)
{
    char room[8];
    fprintf(stream, "<path fill=\"%s\" d=\"", colour);
    for (uint64_t row = 0; row < c->rows; row++)
        for (uint64_t from = 0, to; from < c->columns; from = to + 1) {
            for (to = from; to < c->columns; to++) {
                const char *other = c->colour(c->context, row, to, room);
                if (!other || strcmp(other, colour))
                    break;
            }
            if (to > from)
                fprintf(stream, "M%s %sh%sv%sh-%sz", NP_SVG(c->x + (double)from * c->width),
                        NP_SVG(c->y + (double)row * c->height), NP_SVG((double)(to - from) * c->width),
                        NP_SVG(c->height), NP_SVG((double)(to - from) * c->width));
        }
    fputs("\"/>\n", stream);
}

enum { COLOURS_MAX = 64 };

static bool is_new(char seen[][8], size_t count, const char *colour)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(seen[i], colour))
            return false;
    return true;
}

/* Colours in the order in which they come. */
static void draw_cells(const cells *c, FILE *stream)
{
    char seen[COLOURS_MAX][8], room[8];
    size_t count = 0;
    for (uint64_t row = 0; row < c->rows; row++)
        for (uint64_t column = 0; column < c->columns && count < COLOURS_MAX; column++) {
            const char *colour = c->colour(c->context, row, column, room);
            if (!colour || !is_new(seen, count, colour))
                continue;
            snprintf(seen[count], sizeof seen[count], "%s", colour);
            draw_colour(c, seen[count++], stream);
        }
}

/* White lines between cells that are large. */
static void draw_grid(const cells *c, FILE *stream)
{
    double width = c->width * (double)c->columns, height = c->height * (double)c->rows;
    if (c->width < GRID_LEAST || c->height < GRID_LEAST)
        return;
    fputs("<path stroke=\"#ffffff\" stroke-width=\"0.8\" d=\"", stream);
    for (uint64_t i = 0; i <= c->columns; i++)
        fprintf(stream, "M%s %sv%s", NP_SVG(c->x + (double)i * c->width), NP_SVG(c->y), NP_SVG(height));
    for (uint64_t i = 0; i <= c->rows; i++)
        fprintf(stream, "M%s %sh%s", NP_SVG(c->x), NP_SVG(c->y + (double)i * c->height), NP_SVG(width));
    fputs("\"/>\n", stream);
}

void np_heat_axes(const np_frame *frame, const np_heat_axis *x, const np_heat_axis *y, double width, double height,
                  FILE *stream)
{
    double all = width * (double)np_heat_cells(x);
    fprintf(stream, "<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" fill=\"none\" stroke=\"%s\"/>\n",
            NP_SVG(frame->x + LEFT), NP_SVG(frame->y), NP_SVG(all), NP_SVG(height * (double)np_heat_cells(y)),
            NP_SVG_INK);
    draw_ticks(frame, x, width, false, stream);
    draw_ticks(frame, y, height, true, stream);
    draw_labels(frame, x, y, all, stream);
}

void np_heat_draw(const np_frame *frame, const np_heat_axis *x, const np_heat_axis *y, np_heat_colour *colour,
                  const void *context, FILE *stream)
{
    cells c = {.x = frame->x + LEFT,
               .y = frame->y,
               .width = np_heat_side(x, frame->width),
               .height = side_y(y, frame->height),
               .columns = np_heat_cells(x),
               .rows = np_heat_cells(y),
               .colour = colour,
               .context = context};
    fputs("<g shape-rendering=\"crispEdges\">\n", stream);
    draw_cells(&c, stream);
    draw_grid(&c, stream);
    fputs("</g>\n", stream);
    np_heat_axes(frame, x, y, c.width, c.height, stream);
}

/* ---- Sums ---- */

np_status np_heat_init(np_heat *heat, np_heat_axis x, np_heat_axis y)
{
    *heat = (np_heat){x, y, NULL};
    return np_memory_zeroed(&heat->sum, np_heat_cells(&x) * np_heat_cells(&y), sizeof *heat->sum, "a picture");
}

uint64_t *np_heat_at(const np_heat *heat, uint64_t x, uint64_t y)
{
    return &heat->sum[y / heat->y.each * np_heat_cells(&heat->x) + x / heat->x.each];
}

/* The scale has this many colours in a heat map. */
enum { LEVELS = 32 };

typedef struct scaled {
    const np_heat *heat;
    const np_legend *legend;
} scaled;

static const char *colour_of(const void *context, uint64_t row, uint64_t column, char room[8])
{
    const scaled *s = context;
    uint64_t value = s->heat->sum[row * np_heat_cells(&s->heat->x) + column];
    double share = floor(np_legend_share(s->legend, (double)value) * (LEVELS - 1) + 0.5) / (LEVELS - 1);
    if (!value)
        return NULL;
    snprintf(room, 8, "%s", np_svg_scale(share).text);
    return room;
}

void np_heat_picture(const np_heat *heat, const char *title, const char *below, const char *command, const char *scale,
                     FILE *stream)
{
    uint64_t all = np_heat_cells(&heat->x) * np_heat_cells(&heat->y);
    np_legend legend = {.scale = scale, .least = UINT64_MAX};
    for (uint64_t i = 0; i < all; i++) {
        legend.most = heat->sum[i] > legend.most ? heat->sum[i] : legend.most;
        legend.least = heat->sum[i] && heat->sum[i] < legend.least ? heat->sum[i] : legend.least;
    }
    legend.least = legend.most ? legend.least : 0;
    scaled s = {heat, &legend};
    double height = np_heat_height(&heat->x, &heat->y, 600);
    np_frame frame = np_frame_open(height, title, below, command, &legend, stream);
    np_heat_draw(&frame, &heat->x, &heat->y, colour_of, &s, stream);
    np_svg_close(stream);
}

void np_heat_clear(np_heat *heat) { np_memory_free(heat->sum); }
