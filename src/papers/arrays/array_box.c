#include "papers/arrays/array_flashsort.h"

#include <string.h>

#include "model/network/axes.h"

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
    np_axes_longest_first(box->network->dimensions, box->side, order);
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

np_node np_array_box_middle(const np_array_box *box)
{
    np_node u = 0;
    for (uint32_t i = 0; i < box->network->dimensions; i++)
        u += (box->low[i] + box->side[i] / 2) * box->network->stride[i];
    return u;
}

/* ---- Broadcast ---- */

/*
 * How far the node is from the middle in the dimensions before d. NP_NONE: it is not in the middle of those behind d.
 */
static uint32_t distance_before(const np_array_box *box, np_node node, uint32_t d)
{
    uint32_t distance = 0;
    for (uint32_t i = 0; i < box->network->dimensions; i++) {
        uint32_t x = np_array_box_coordinate(box, node, i), middle = box->side[i] / 2;
        if (i < d)
            distance += x > middle ? x - middle : middle - x;
        else if (i > d && x != middle)
            return NP_NONE;
    }
    return distance;
}

/* A word, by its name for observers, goes from one node to the next, in this step from 1 after `begin` steps. *last =
   the latest step so far. */
static void pass_on(const np_array_box *box, np_node from, np_node to, uint32_t name, np_sort_sending how,
                    uint64_t begin, uint64_t step, uint64_t *last, np_sort_cost *cost)
{
    if (box->teller)
        np_sort_teller_send(box->teller, begin + step, np_network_link_between(box->network, from, to), name, how);
    cost->packets++;
    cost->hops++;
    *last = step > *last ? step : *last;
}

static void hand_on(const np_array_box *box, const np_array_word *word, np_node from, np_node to, uint64_t begin,
                    uint64_t step, uint64_t *last, np_sort_cost *cost)
{
    word->array[to] = word->array[from];
    pass_on(box, from, to, word->name, NP_SORT_COPIES, begin, step, last, cost);
}

/* The words go from the middle of a line to both ends. They are there after step `distance`, one step apart. */
static void spread(const np_array_box *box, uint32_t d, np_node first, uint64_t distance, uint32_t words,
                   const np_array_word *word, uint64_t begin, uint64_t *last, np_sort_cost *cost)
{
    uint32_t side = box->side[d], stride = box->network->stride[d], middle = side / 2;
    for (uint32_t w = 0; w < words; w++) {
        for (uint32_t x = middle; x + 1 < side; x++)
            hand_on(box, &word[w], first + x * stride, first + (x + 1) * stride, begin, distance + w + x + 1 - middle,
                    last, cost);
        for (uint32_t x = middle; x > 0; x--)
            hand_on(box, &word[w], first + x * stride, first + (x - 1) * stride, begin, distance + w + middle + 1 - x,
                    last, cost);
    }
}

void np_array_box_broadcast(const np_array_box *box, uint32_t words, const np_array_word *word, np_sort_cost *cost)
{
    const uint64_t begin = cost->steps;
    uint64_t last = 0;
    for (uint32_t d = 0; d < box->network->dimensions; d++)
        for (uint32_t line = 0; line < box->nodes / box->side[d]; line++) {
            np_node first = np_array_box_line_start(box, d, line);
            uint32_t distance = distance_before(box, first, d);
            if (distance != NP_NONE)
                spread(box, d, first, distance, words, word, begin, &last, cost);
        }
    cost->steps += last;
}

/* ---- Sums ---- */

/* One line, from `first` on, both ways at the same time: total[] of each node becomes the total of the line. before[]
   grows by the sum of the nodes before; it may be NULL. Returns the steps. */
static uint64_t sweep_line(const np_array_box *box, uint32_t d, np_node first, uint32_t *before, uint32_t *total,
                           np_sort_cost *cost)
{
    uint32_t side = box->side[d], stride = box->network->stride[d], up = 0, down = 0, names = 0;
    np_node end = first + (side - 1) * stride;
    uint64_t last = 0;
    if (box->teller) {
        names = np_sort_teller_numbers(box->teller, 2);
        np_sort_teller_put(box->teller, cost->steps, names, first);
        np_sort_teller_put(box->teller, cost->steps, names + 1, end);
    }
    for (np_node at = first;; at += stride) { /* the node knows the sum before it, and then that with its own number */
        if (before)
            before[at] += up;
        total[at] = up += total[at];
        if (at == end)
            break;
        pass_on(box, at, at + stride, names, NP_SORT_MOVES, cost->steps, (at - first) / stride + 1, &last, cost);
    }
    for (np_node at = end;; at -= stride) { /* its own number is what it knows less what the node before it knows */
        uint32_t own = total[at] - (at == first ? 0 : total[at - stride]);
        total[at] += down;
        down += own;
        if (at == first)
            break;
        pass_on(box, at, at - stride, names + 1, NP_SORT_MOVES, cost->steps, (end - at) / stride + 1, &last, cost);
    }
    return last;
}

/* All lines of a dimension at the same time. */
static void sweep(const np_array_box *box, uint32_t d, uint32_t *before, uint32_t *total, np_sort_cost *cost)
{
    uint64_t steps = 0;
    for (uint32_t line = 0; line < box->nodes / box->side[d] && box->side[d] > 1; line++) {
        uint64_t own = sweep_line(box, d, np_array_box_line_start(box, d, line), before, total, cost);
        steps = own > steps ? own : steps;
    }
    cost->steps += steps;
}

uint32_t np_array_box_prefix(const np_array_box *box, const uint32_t *order, const uint32_t *value, uint32_t *before,
                             uint32_t *scratch, np_sort_cost *cost)
{
    np_array_box_fill(box, before, 0);
    copy(box, scratch, value);
    for (uint32_t j = box->network->dimensions; j-- > 0;)
        sweep(box, order[j], before, scratch, cost);
    return scratch[np_array_box_snake(box, order, 0)];
}

void np_array_box_sum(const np_array_box *box, uint32_t d, uint32_t *value, np_sort_cost *cost)
{
    sweep(box, d, NULL, value, cost);
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
