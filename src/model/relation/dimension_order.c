/*
 * Dimension order on meshes, tori and hypercubes: at (x_0, .., x_(k-1)), destination (y_0, .., y_(k-1)), next hop one
 * step towards y_i in the first dimension i where x_i and y_i differ; on a ring the shorter way round, and up where
 * both are equally long, or drawn (dimension-order:drawn).
 *
 * A ring of channels is a cycle. So there are two classes on rings: class 1 for a packet that will cross the dateline,
 * which is between the last coordinate and 0, class 0 for one that will not. The class is fixed on entering the ring
 * (Dally & Seitz 1987 change it at the dateline). It has no cycle: packets of class 0 never cross the dateline. Those
 * of class 1 make at most half a turn, so no packet of class 1 that goes up takes the channel out of coordinate
 * ceil(side / 2) - 1, and none that goes down the one out of floor(side / 2).
 *
 * Course: from the lowest bit 5 bits, the dimension in which the packet moves, plus 1; 1 bit, its class.
 */
#include <string.h>

#include "model/relation/rule.h"

enum { RING_BITS = 5 };

static np_status prepare(np_relation *r, const char *parameter)
{
    np_status st = np_relation_set_axes(r);
    if (st)
        return st;
    r->classes = r->axes.wrap ? 2 : 1;
    r->form = r->axes.wrap ? NP_RELATION_ANY : r->axes.cube ? NP_RELATION_CUBE : NP_RELATION_MESH;
    r->drawn = !strcmp(parameter, "drawn");
    if (*parameter && !r->drawn)
        return np_relation_refuse_parameter(r, parameter);
    if (r->drawn && !r->axes.wrap)
        return NP_RAISE(NP_ERROR_APPLY,
                        "dimension-order:drawn does not apply to %s: no two ways of its dimensions are "
                        "equally long (take dimension-order)",
                        np_network_spec(r->network));
    return NP_OK;
}

/* The way along the axis from x to y. */
static np_candidate way_of(const np_axes *axes, uint32_t axis, uint32_t x, uint32_t y, bool up, unsigned course)
{
    unsigned ring = axis + 1, class_ = 0;
    if (axes->wrap)
        class_ = (course & ((1U << RING_BITS) - 1)) == ring ? course >> RING_BITS & 1 : up == (y < x);
    return (np_candidate){.port = np_axes_port(axes, axis, up),
                          .class_ = (uint8_t)class_,
                          .state = axes->wrap ? class_ << RING_BITS | ring : 0};
}

/* Ports of a hypercube are dimensions, the highest bit first. */
static unsigned cube_ways(const np_axes *axes, np_node at, np_node to, np_candidate *out)
{
    if (at == to)
        return 0;
    out[0] = (np_candidate){.port = (np_port)__builtin_clz(at ^ to) - (32 - axes->count)};
    return 1;
}

static unsigned ways(const np_relation *r, np_node at, np_node to, unsigned course, np_candidate *out)
{
    const np_axes *axes = &r->axes;
    if (axes->cube)
        return cube_ways(axes, at, to, out);
    const uint32_t *here = &r->coordinate[(size_t)at * axes->count], *there = &r->coordinate[(size_t)to * axes->count];
    for (uint32_t i = 0; i < axes->count; i++) {
        uint32_t x = here[i], y = there[i];
        if (x == y)
            continue;
        uint32_t distance = y > x ? y - x : x - y, around = axes->wrap ? axes->side[i] - distance : UINT32_MAX;
        bool tie = distance == around;
        out[0] = way_of(axes, i, x, y, tie || (y > x) == (distance < around), course);
        if (tie && r->drawn)
            out[1] = way_of(axes, i, x, y, false, course);
        return 1 + (tie && r->drawn);
    }
    return 0;
}

const np_relation_rule np_relation_dimension_order = {
    .info = {"dimension-order",
             "ascending dimensions; on rings the shorter way round, in two classes; drawn: of equally long ways either",
             "Dally & Seitz 1987", .parameters = "[:drawn]", .example = "dimension-order:drawn",
             .networks = "mesh, torus, array, ring, hypercube"},
    .shortest = true,
    .theorem = "channels ascend by dimension, and in a ring by class and place (Dally & Seitz 1987)",
    .only = &(const np_only){NP_KIND_PRODUCTS, "its dimensions are those of a mesh, torus or hypercube"},
    .prepare = prepare,
    .ways = ways,
};
