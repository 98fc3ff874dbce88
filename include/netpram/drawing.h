/*
 * Drawings: where the nodes of a network stand in a picture.
 *
 * A drawing is a way to place nodes, as theory books do it: grids and cubes as
 * nested blocks, leveled networks in columns, trees from the root downwards,
 * shuffles round a circle by necklaces, any network by its distances. Pictures,
 * the page and Python take their places from here, so that a network looks the
 * same everywhere. NP_LIST_DRAWINGS has the names.
 */
#ifndef NETPRAM_DRAWING_H
#define NETPRAM_DRAWING_H

#include "netpram/network.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/** A place in a drawing. x grows to the right, y grows downwards. The unit is the distance of neighbours on a grid. */
typedef struct np_point {
    double x, y;
} np_point;

/**
 * Places all nodes. The least x and the least y are 0, and no two nodes have the same place. The same network has the
 * same places everywhere, to the bit.
 *
 * @param name   a drawing ("blocks", "levels", "tree", "necklaces", "circle", "distances"); NULL: the one that suits
 *               the network best
 * @param place  [nodes] receives the places
 * @param used   receives the drawing's name; may be NULL
 * @return NP_ERROR_INPUT: there is no such drawing; NP_ERROR_APPLY: it is not for this network, and the message names
 *         one that is; NP_ERROR_MEMORY. Cost: O(nodes), and for "distances" O(nodes + links) for each of at most 200
 *         searches
 */
np_status np_drawing_place(const np_network *network, const char *name, np_point *place, const char **used) NP_CHECKED;

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
