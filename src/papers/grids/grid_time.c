/*
 * How long the phases take, by the lemma of the linear array (Sibeyn). Let r_ij packets travel from i or before it to j
 * or behind it. Then farthest-first needs exactly max_{i < j} r_ij + j - i - 1 steps, where the maximum is over the
 * pairs with r_ij > 0. A phase takes as long as its slowest line.
 */
#include <string.h>

#include "base/memory.h"
#include "papers/grids/grid_leg.h"

/* Where the packets of a leg are counted: count[(line * side + x) * side + y] packets go from x to y on the line. */
static size_t cell(const np_axes *axes, const np_grid_leg *leg)
{
    size_t side = axes->side[leg->axis], stride = axes->stride[leg->axis];
    size_t line = leg->node / (stride * side) * stride + leg->node % stride;
    return (line * side + leg->x) * side + leg->y;
}

/* over[j] = packets from i or before to j or behind, as i goes up. */
static uint64_t line_time(uint32_t side, const uint32_t *count, bool up, uint64_t *over)
{
    uint64_t longest = 0;
    memset(over, 0, side * sizeof *over);
    for (uint32_t i = 0; i < side; i++) {
        uint64_t behind = 0;
        uint32_t x = up ? i : side - 1 - i;
        for (uint32_t j = side; --j > i;) {
            behind += count[x * side + (up ? j : side - 1 - j)];
            over[j] += behind;
            if (over[j] && over[j] + j - i - 1 > longest)
                longest = over[j] + j - i - 1;
        }
    }
    return longest;
}

static uint64_t axis_time(const np_collective_job *job, uint32_t axis, const uint32_t *count, uint64_t *over)
{
    uint32_t side = job->axes.side[axis], lines = job->network->nodes / side;
    uint64_t longest = 0;
    for (size_t line = 0; line < lines; line++)
        for (int up = 0; up < 2; up++) {
            uint64_t time = line_time(side, count + line * side * side, up, over);
            longest = time > longest ? time : longest;
        }
    return longest;
}

static uint64_t phase_time(const np_collective_job *job, const np_grid_map *map, uint32_t phase, const size_t *first,
                           uint32_t *count, uint64_t *over)
{
    const np_axes *axes = &job->axes;
    uint64_t longest = 0;
    memset(count, 0, first[axes->count] * sizeof *count);
    for (uint32_t piece = 0; piece < job->pieces; piece++) {
        np_grid_leg leg;
        np_grid_leg_of(map, phase, np_collective_source(job, piece), np_collective_destination(job, piece), &leg);
        if (leg.hops)
            count[first[leg.axis] + cell(axes, &leg)]++;
    }
    for (uint32_t axis = 0; axis < axes->count; axis++) {
        uint64_t time = axis_time(job, axis, count + first[axis], over);
        longest = time > longest ? time : longest;
    }
    return longest;
}

/* What is counted, over the phases. */
typedef struct grid_time {
    const np_collective_job *job;
    np_grid_style style;
    np_grid_map map;
    size_t first[NP_MAX_DIMENSIONS + 1]; /* in count, of an axis */
    uint32_t *count;
    uint64_t *over; /* [longest side] */
    void *block;
} grid_time;

static void layout(void *object, np_arena *arena)
{
    grid_time *t = object;
    const np_axes *axes = &t->job->axes;
    size_t longest = 0;
    for (uint32_t i = 0; i < axes->count; i++) {
        t->first[i + 1] = t->first[i] + (size_t)t->job->network->nodes * axes->side[i];
        longest = axes->side[i] > longest ? axes->side[i] : longest;
    }
    np_grid_map_layout(&t->map, t->job, t->style, arena);
    np_arena_array(arena, &t->count, t->first[axes->count], sizeof *t->count, "the packets of lines");
    np_arena_array(arena, &t->over, longest, sizeof *t->over, "the packets of a line");
}

np_status np_grid_time(const np_collective_job *job, np_grid_style style, uint64_t *out)
{
    grid_time t = {.job = job, .style = style};
    np_status st = np_arena_place(&t, layout, "the packets of lines", &t.block);
    *out = 0;
    if (st)
        return st;
    np_grid_map_fill(&t.map);
    for (uint32_t phase = 0; phase < np_grid_phases(&job->axes, style); phase++)
        *out += phase_time(job, &t.map, phase, t.first, t.count, t.over);
    np_memory_free(t.block);
    return NP_OK;
}
