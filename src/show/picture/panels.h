/* Panels side by side, all of one size, each with a line of title: one for each phase, or for each step. */
#pragma once

#include "show/picture/drawn.h"

enum { NP_PANELS_MAX = 24, NP_PANEL_TITLE = 18, NP_PANEL_GAP = 10 };

typedef struct np_panels {
    size_t count, columns;
    double width, height; /* of a panel, without its title */
    double all;           /* the height of all */
} np_panels;

/* So many panels, for drawings of that shape: as large as they can be. */
np_panels np_panels_of(size_t count, const np_drawn *drawn);

/* Two panels side by side for two drawings. */
np_panels np_panels_two(const np_drawn *one, const np_drawn *other);

/* Writes the title of a panel, and returns the view of the drawing in it. */
np_drawn_view np_panels_at(const np_panels *panels, const np_frame *frame, size_t i, const np_drawn *drawn,
                           const char *title, FILE *stream);
