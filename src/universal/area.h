/* A layout of the area-universal network on a grid: where its nodes and wires are, and the area that they take. */
#ifndef NP_UNIVERSAL_AREA_H
#define NP_UNIVERSAL_AREA_H

#include <stdint.h>

#include "netpram/types.h"

/* The least and the largest coordinates of grid points. */
typedef struct np_area_box {
    uint32_t x0, y0, x1, y1;
} np_area_box;

/*
 * Gets what is laid out, in no particular order. A wire is a chain of straight pieces that share end points; its two
 * ends are on the boxes of the nodes, of which it meets no other point. It is named by the link upwards, by that which
 * leads away from the corner of a mesh, or by that of a chain.
 */
typedef struct np_area_sink {
    void (*node)(void *context, np_node node, np_area_box box);
    void (*wire)(void *context, np_node from, np_node to, np_area_box piece); /* x0 == x1 or y0 == y1; ends in any order */
    void *context;
} np_area_sink;

/* Lays out universal:m. 1 <= m <= NP_UNIVERSAL_HEIGHT_MAX. O(links). */
void np_area_lay_out(uint32_t m, const np_area_sink *sink);

/* The sides of the layout by formula: at most 2^m 5m and 2^m 7m, so that its area is at most 35 N. */
uint64_t np_area_width(uint32_t m);
uint64_t np_area_height(uint32_t m);

/* What a layout comes to. */
typedef struct np_area_count {
    uint64_t width, height; /* of the least rectangle around all */
    uint64_t nodes, wire_length;
    uint64_t longest_piece; /* of wire */
} np_area_count;

/* Lays out and counts. */
np_area_count np_area_count_of(uint32_t m);

#endif
