/* See panels.h. */
#include "show/picture/panels.h"

#include <math.h>

enum { HEIGHT_ONE = 620, HEIGHT_MORE = 460, WIDTH = NP_PICTURE_WIDTH - 2 * NP_PICTURE_MARGIN };

static np_panels arrange(size_t count, size_t columns, const np_drawn *drawn)
{
    size_t rows = (count + columns - 1) / columns;
    np_panels p = {.count = count, .columns = columns};
    p.width = (WIDTH - NP_PANEL_GAP * (double)(columns - 1)) / (double)columns;
    np_drawn_view view =
        np_drawn_fit(drawn, p.width, fmax(60, (count > 1 ? HEIGHT_MORE : HEIGHT_ONE) / (double)rows - NP_PANEL_TITLE));
    p.height = view.height;
    p.all = (double)rows * (p.height + NP_PANEL_TITLE + NP_PANEL_GAP) - NP_PANEL_GAP;
    return p;
}

/* The number of columns with the largest unit. */
np_panels np_panels_of(size_t count, const np_drawn *drawn)
{
    np_panels best = arrange(count, 1, drawn);
    double unit = np_drawn_fit(drawn, best.width, best.height).unit;
    for (size_t columns = 2; columns <= count && columns <= 8; columns++) {
        np_panels p = arrange(count, columns, drawn);
        double other = np_drawn_fit(drawn, p.width, p.height).unit;
        if (other > unit * 1.001) {
            best = p;
            unit = other;
        }
    }
    return best;
}

np_panels np_panels_two(const np_drawn *one, const np_drawn *other)
{
    np_panels a = arrange(2, 2, one), b = arrange(2, 2, other);
    return a.height > b.height ? a : b;
}

np_drawn_view np_panels_at(const np_panels *p, const np_frame *frame, size_t i, const np_drawn *drawn,
                           const char *title, FILE *stream)
{
    np_drawn_view view = np_drawn_fit(drawn, p->width, p->height);
    size_t in_row = p->count < p->columns ? p->count : p->columns;
    double all = (double)in_row * (p->width + NP_PANEL_GAP) - NP_PANEL_GAP;
    double x = frame->x + (frame->width - all) / 2 + (double)(i % p->columns) * (p->width + NP_PANEL_GAP);
    double y = frame->y + (double)(i / p->columns) * (p->height + NP_PANEL_TITLE + NP_PANEL_GAP);
    np_svg_text(x + p->width / 2, y + 9, 10, NP_SVG_MIDDLE, "", title, stream);
    view.x += x + (p->width - view.width) / 2;
    view.y += y + NP_PANEL_TITLE + (p->height - view.height) / 2;
    return view;
}
