#include "sort/array_box.h"

#include <string.h>

const char *np_array_box_refuses(const np_network *network)
{
    return np_network_is(network, NP_KIND_GRIDS) ? NULL : "it is no mesh, torus, array or ring";
}

np_array_box np_array_box_whole(const np_network *network, np_sort_teller *teller)
{
    np_array_box box = {.network = network, .nodes = network->nodes, .teller = teller};
    memcpy(box.side, network->side, network->dimensions * sizeof *box.side);
    return box;
}

uint32_t np_array_box_dimensions(const np_array_box *box)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < box->network->dimensions; i++)
        count += box->side[i] > 1;
    return count;
}

uint32_t np_array_box_sides(const np_array_box *box)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < box->network->dimensions; i++)
        sum += box->side[i] > 1 ? box->side[i] : 0;
    return sum;
}

void np_array_box_order(const np_array_box *box, uint32_t *order)
{
    for (uint32_t i = 0; i < box->network->dimensions; i++) {
        uint32_t at = i;
        for (; at && box->side[order[at - 1]] < box->side[i]; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

np_node np_array_box_snake(const np_array_box *box, const uint32_t *order, uint32_t i)
{
    np_node u = 0;
    for (uint32_t j = box->network->dimensions; j-- > 0;) {
        uint32_t d = order[j], side = box->side[d], x = i % side;
        i /= side;
        u += (box->low[d] + ((i ^ box->mirror >> d) & 1 ? side - 1 - x : x)) * box->network->stride[d];
    }
    return u;
}

void np_array_box_align(np_array_box *box, const uint32_t *order)
{
    uint32_t place = 0; /* of the low corner, among dimensions that are slower */
    box->mirror = 0;
    for (uint32_t j = 0; j < box->network->dimensions; j++) {
        uint32_t d = order[j], side = box->network->side[d];
        box->mirror |= (place & 1) << d;
        place = place * side + (place & 1 ? side - 1 - box->low[d] : box->low[d]);
    }
}

uint32_t np_array_box_line_of(const np_array_box *box, uint32_t d, np_node node)
{
    uint32_t line = 0;
    for (uint32_t i = 0; i < box->network->dimensions; i++)
        if (i != d && box->side[i] > 1)
            line = line * box->side[i] + np_array_box_coordinate(box, node, i);
    return line;
}

np_node np_array_box_line_start(const np_array_box *box, uint32_t d, uint32_t line)
{
    np_node u = box->low[d] * box->network->stride[d];
    for (uint32_t i = box->network->dimensions; i-- > 0;)
        if (i != d) {
            u += (box->low[i] + line % box->side[i]) * box->network->stride[i];
            line /= box->side[i];
        }
    return u;
}

void np_array_box_fill(const np_array_box *box, uint32_t *array, uint32_t value)
{
    uint32_t last = box->network->dimensions - 1; /* of stride 1 */
    for (uint32_t line = 0; line < box->nodes / box->side[last]; line++) {
        np_node first = np_array_box_line_start(box, last, line);
        for (uint32_t x = 0; x < box->side[last]; x++)
            array[first + x] = value;
    }
}

static void copy(const np_array_box *box, uint32_t *to, const uint32_t *from)
{
    uint32_t last = box->network->dimensions - 1;
    for (uint32_t line = 0; line < box->nodes / box->side[last]; line++) {
        np_node first = np_array_box_line_start(box, last, line);
        memcpy(to + first, from + first, box->side[last] * sizeof *to);
    }
}

void np_array_box_broadcast(const np_array_box *box, uint32_t words, np_sort_cost *cost)
{
    if (!words || box->nodes == 1)
        return;
    for (uint32_t i = 0; i < box->network->dimensions; i++)
        cost->steps += box->side[i] / 2;
    cost->steps += words - 1;
    cost->packets += (uint64_t)words * (box->nodes - 1);
    cost->hops += (uint64_t)words * (box->nodes - 1);
}

np_node np_array_box_middle(const np_array_box *box)
{
    np_node u = 0;
    for (uint32_t i = 0; i < box->network->dimensions; i++)
        u += (box->low[i] + box->side[i] / 2) * box->network->stride[i];
    return u;
}

/* Tells that sums pass along all lines both ways, after `wait` steps. */
static void tell_sums(const np_array_box *box, uint32_t d, uint64_t wait)
{
    uint32_t side = box->side[d], stride = box->network->stride[d];
    for (uint32_t line = 0; box->teller && line < box->nodes / side; line++) {
        np_node low = np_array_box_line_start(box, d, line), high = low + (side - 1) * stride;
        uint32_t up = np_sort_teller_numbers(box->teller, 2), down = up + 1;
        np_sort_teller_put(box->teller, wait, up, low);
        np_sort_teller_put(box->teller, wait, down, high);
        for (uint32_t x = 1; x < side; x++, low += stride, high -= stride) {
            np_sort_teller_send(box->teller, wait + x, np_network_link_between(box->network, low, low + stride), up,
                                NP_SORT_MOVES);
            np_sort_teller_send(box->teller, wait + x, np_network_link_between(box->network, high, high - stride), down,
                                NP_SORT_MOVES);
        }
    }
}

/* One dimension: total[] of each node becomes the total of its line. */
static void sweep(const np_array_box *box, uint32_t d, uint32_t *before, uint32_t *total)
{
    uint32_t side = box->side[d], stride = box->network->stride[d];
    for (uint32_t line = 0; line < box->nodes / side; line++) {
        np_node first = np_array_box_line_start(box, d, line);
        uint32_t sum = 0;
        for (uint32_t x = 0; x < side; x++) {
            before[first + x * stride] += sum;
            sum += total[first + x * stride];
        }
        for (uint32_t x = 0; x < side; x++)
            total[first + x * stride] = sum;
    }
}

uint32_t np_array_box_prefix(const np_array_box *box, const uint32_t *order, const uint32_t *value, uint32_t *before,
                             uint32_t *scratch, np_sort_cost *cost)
{
    np_array_box_fill(box, before, 0);
    copy(box, scratch, value);
    for (uint32_t j = box->network->dimensions; j-- > 0;) {
        uint32_t side = box->side[order[j]], hops = 2 * (box->nodes / side) * (side - 1);
        if (side == 1)
            continue;
        tell_sums(box, order[j], cost->steps);
        sweep(box, order[j], before, scratch);
        cost->steps += side - 1;
        cost->packets += hops;
        cost->hops += hops;
    }
    return scratch[np_array_box_snake(box, order, 0)];
}

void np_array_box_sum(const np_array_box *box, uint32_t d, uint32_t *value, np_sort_cost *cost)
{
    uint32_t side = box->side[d], stride = box->network->stride[d];
    uint64_t hops = 2 * (uint64_t)(box->nodes / side) * (side - 1);
    tell_sums(box, d, cost->steps);
    for (uint32_t line = 0; line < box->nodes / side; line++) {
        np_node first = np_array_box_line_start(box, d, line);
        uint32_t sum = 0;
        for (uint32_t x = 0; x < side; x++)
            sum += value[first + x * stride];
        for (uint32_t x = 0; x < side; x++)
            value[first + x * stride] = sum;
    }
    cost->steps += side - 1;
    cost->packets += hops;
    cost->hops += hops;
}

np_array_cuts np_array_cuts_of(const np_array_box *box, uint32_t most)
{
    uint32_t order[NP_MAX_DIMENSIONS], dimensions = np_array_box_dimensions(box);
    np_array_cuts cuts = {.children = 1};
    np_array_box_order(box, order);
    for (uint32_t j = 0; j + 1 < dimensions && most > 1; j++) {
        uint32_t side = box->side[order[j]], parts = side < most ? side : most;
        cuts.dimension[cuts.plateaus] = order[j];
        cuts.parts[cuts.plateaus++] = parts;
        cuts.children *= parts;
        most /= parts;
    }
    return cuts;
}

uint32_t np_array_cuts_regions(const np_array_cuts *cuts, uint32_t plateaus)
{
    uint32_t regions = 1;
    for (uint32_t p = 0; p < plateaus; p++)
        regions *= cuts->parts[p];
    return regions;
}

/* Where part j begins when a side is cut into `parts` parts, as even as possible. */
static uint32_t begin_of(uint32_t side, uint32_t parts, uint32_t j) { return (uint32_t)((uint64_t)side * j / parts); }

uint32_t np_array_cuts_begin(const np_array_cuts *cuts, const np_array_box *box, uint32_t p, uint32_t j)
{
    return begin_of(box->side[cuts->dimension[p]], cuts->parts[p], j);
}

np_array_box np_array_cuts_region(const np_array_cuts *cuts, const np_array_box *box, uint32_t plateaus, uint32_t r)
{
    np_array_box region = *box;
    for (uint32_t p = plateaus; p-- > 0;) {
        uint32_t d = cuts->dimension[p], parts = cuts->parts[p], j = r % parts;
        uint32_t begin = begin_of(box->side[d], parts, j);
        r /= parts;
        region.low[d] += begin;
        region.side[d] = begin_of(box->side[d], parts, j + 1) - begin;
        region.nodes = region.nodes / box->side[d] * region.side[d];
    }
    return region;
}

uint32_t np_array_cuts_part(const np_array_cuts *cuts, const np_array_box *box, uint32_t p, uint32_t x)
{
    uint32_t side = box->side[cuts->dimension[p]], parts = cuts->parts[p];
    uint32_t j = (uint32_t)((uint64_t)x * parts / side);
    while (j + 1 < parts && begin_of(side, parts, j + 1) <= x)
        j++;
    return j;
}

uint32_t np_array_cuts_child_of(const np_array_cuts *cuts, const np_array_box *box, np_node node)
{
    uint32_t child = 0;
    for (uint32_t p = 0; p < cuts->plateaus; p++) {
        uint32_t x = np_array_box_coordinate(box, node, cuts->dimension[p]);
        child = child * cuts->parts[p] + np_array_cuts_part(cuts, box, p, x);
    }
    return child;
}
