/* The size of a layout, counted from its nodes and wires, one by one. */
#include "papers/universal/layout.h"

typedef struct counter {
    uint32_t low[NP_SHAPE_AXES], high[NP_SHAPE_AXES];
    uint64_t nodes, length;
} counter;

static void cover(counter *c, const uint32_t *point)
{
    for (int k = 0; k < NP_SHAPE_AXES; k++) {
        c->low[k] = point[k] < c->low[k] ? point[k] : c->low[k];
        c->high[k] = point[k] > c->high[k] ? point[k] : c->high[k];
    }
}

static void count_node(void *context, np_node node, np_layout_box box)
{
    counter *c = context;
    (void)node;
    cover(c, box.low);
    cover(c, box.high);
    c->nodes++;
}

static void count_wire(void *context, np_node from, np_node to, const uint32_t *begin, const uint32_t *end)
{
    counter *c = context;
    (void)from, (void)to;
    for (int k = 0; k < NP_SHAPE_AXES; k++)
        c->length += begin[k] < end[k] ? end[k] - begin[k] : begin[k] - end[k];
    cover(c, begin);
    cover(c, end);
}

np_layout_count np_layout_count_of(uint32_t m, bool volume)
{
    counter c = {.low = {UINT32_MAX, UINT32_MAX, UINT32_MAX}};
    np_layout_sink sink = {count_node, count_wire, &c};
    if (volume)
        np_layout_volume(m, &sink);
    else
        np_layout_area(m, &sink);
    np_layout_count out = {.nodes = c.nodes, .wire_length = c.length};
    for (int k = 0; k < NP_SHAPE_AXES; k++)
        out.side[k] = (uint64_t)c.high[k] - c.low[k] + 1;
    return out;
}

void np_layout_sides(uint32_t m, bool volume, uint64_t *side)
{
    if (volume)
        np_layout_sides_volume(m, side);
    else
        np_layout_sides_area(m, side);
}
