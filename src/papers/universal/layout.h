/* Layouts of the universal networks on a grid, in the plane or in space: places of nodes and wires, and sizes. */
#pragma once

#include "base/export.h"
#include "model/family/universal.h"

/* The least and the largest coordinates of grid points; in the plane z is 0. */
typedef struct np_layout_box {
    uint32_t low[NP_SHAPE_AXES], high[NP_SHAPE_AXES];
} np_layout_box;

/*
 * Receives the nodes and wires of a layout, in no particular order. A wire is a chain of straight pieces that share end
 * points. Its two ends are on the boxes of its nodes, and it meets no other point of these boxes. A wire in the
 * fat-tree is named by its link upwards, a wire of a mesh by the link that leads away from the corner, a wire of a
 * chain by the chain's link.
 */
typedef struct np_layout_sink {
    void (*node)(void *context, np_node node, np_layout_box box);
    /* one straight piece: begin and end differ in one coordinate; either may be the smaller */
    void (*wire)(void *context, np_node from, np_node to, const uint32_t *begin, const uint32_t *end);
    void *context;
} np_layout_sink;

/* Lays out universal:m (area.c) or universal-3d:m (volume.c). 1 <= m <= np_shape_height_max. O(links). */
NP_FOR_REPORT void np_layout_area(uint32_t m, const np_layout_sink *sink);
NP_FOR_REPORT void np_layout_volume(uint32_t m, const np_layout_sink *sink);

/* The sides of the layout along x, y and z, by formula. */
NP_FOR_REPORT void np_layout_sides(uint32_t m, bool volume, uint64_t *side);
void np_layout_sides_area(uint32_t m, uint64_t *side); /* at most 2^m 5m and 2^m 7m: the area is at most 35 N */
void np_layout_sides_volume(uint32_t m, uint64_t *side);

/* The size of a layout. */
typedef struct np_layout_count {
    uint64_t side[NP_SHAPE_AXES]; /* the sides of the least rectangle, or box, around the layout */
    uint64_t nodes, wire_length;
} np_layout_count;

/* Lays the network out and counts its nodes and wires. */
np_layout_count np_layout_count_of(uint32_t m, bool volume);
