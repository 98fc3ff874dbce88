/* The inside of drawings: a drawing is a const descriptor, and one line in drawings.c. */
#pragma once

#include "netpram/drawing.h"
#include "model/network/network.h"

typedef struct np_drawing {
    np_entry info;
    /* Which networks it suits (np_only_refuses). */
    const np_only *only;
    const char *(*refuses)(const np_network *network);
    /* Of a drawing that suits more networks than those that it suits best: is this one of the latter? Else NULL. */
    bool (*first)(const np_network *network);
    /* Places that may begin anywhere. place: [nodes] */
    np_status (*place)(const np_network *network, np_point *place);
} np_drawing;

extern const np_registry np_drawings;

/* The drawing that is taken for a network where nobody names one. */
const np_drawing *np_drawing_default(const np_network *network);

/* The size of a drawing: the largest x and the largest y, if the least are 0. Moves the places so that they are. */
np_point np_drawing_settle(np_node nodes, np_point *place);

/*
 * Nodes in rows of equal breadth: node u is in row `row[u]` below `rows`, in order of numbers, and the rows are
 * `apart`. y is the row, and x the place in it. row: [nodes]
 */
np_status np_drawing_rows(np_node nodes, uint32_t rows, const uint32_t *row, np_point *place);

/* The same by a function that tells the row. */
np_status np_drawing_rows_by(const np_network *network, uint32_t (*row_of)(const np_network *network, np_node u),
                             np_point *place);
