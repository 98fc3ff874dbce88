/* Strips: local work, NP_STRIP lanes at a time. */
#include <inttypes.h>
#include <string.h>

#include "script/diagnose.h"
#include "script/kernels.h"
#include "script/lanes.h"

/* Lanes base .. base + count - 1 of a frame. */
typedef struct part {
    np_execution *x;
    const np_frame *frame;
    const uint8_t *on; /* of these lanes; NULL: all */
    size_t base, count;
} part;

static np_word *place_of(const part *p, np_operand operand)
{
    switch (operand.kind) {
    case NP_OPERAND_CONSTANT:
        return p->x->constant + (size_t)operand.index * NP_STRIP;
    case NP_OPERAND_STRIP:
        return p->x->strip + (size_t)operand.index * NP_STRIP;
    case NP_OPERAND_REGISTER:
        return p->frame->vector[operand.index] + p->base;
    case NP_OPERAND_NONE:
        break;
    }
    return NULL;
}

static void own_indices(const part *p, np_word *to)
{
    const np_lanes *lanes = &p->frame->lanes;
    if (lanes->index)
        memcpy(to, lanes->index + p->base, p->count * sizeof *to);
    else
        np_kernel_count((np_word)((uint64_t)lanes->first + p->base), p->count, to);
}

static np_word outer_value(const np_frame *frame, const np_local *local, size_t lane)
{
    if (local->a.kind == NP_OPERAND_REGISTER)
        return frame->vector[local->a.index][lane];
    return frame->lanes.index ? frame->lanes.index[lane] : (np_word)((uint64_t)frame->lanes.first + lane);
}

/* A value of the level `up` levels further out: that of each lane's ancestor there. */
static void lift(const part *p, const np_local *local, np_word *to)
{
    const np_frame *outer = p->frame->outer;
    const uint32_t *parent = p->frame->lanes.parent;
    uint32_t ancestor[NP_STRIP];
    if (local->up == 1 && !parent) {
        np_kernel_fill(outer_value(outer, local, 0), p->count, to);
        return;
    }
    for (size_t i = 0; i < p->count; i++)
        ancestor[i] = parent ? parent[p->base + i] : 0;
    for (unsigned up = 1; up < local->up; up++, outer = outer->outer)
        for (size_t i = 0; i < p->count; i++)
            ancestor[i] = outer->lanes.parent ? outer->lanes.parent[ancestor[i]] : 0;
    for (size_t i = 0; i < p->count; i++)
        to[i] = outer_value(outer, local, ancestor[i]);
}

static size_t draw(const part *p, const np_local *local, const np_word *bound, np_word *to)
{
    np_draws draws = p->x->draws;
    size_t first = NP_KERNEL_FINE;
    if (!p->base)
        p->x->drawn[local->draw]++;
    draws.run = p->x->drawn[local->draw];
    for (size_t i = p->count; i-- > 0;) {
        uint64_t bits = np_random_u64(&draws, (uint32_t)(p->base + i), local->draw);
        if (bound[i] < 1 && (!p->on || p->on[i]))
            first = i;
        to[i] = bound[i] < 1 ? 0 : (np_word)(((unsigned __int128)bits * (uint64_t)bound[i]) >> 64);
    }
    return first;
}

static size_t run_operator(const part *p, const np_local *local)
{
    const np_word *a = place_of(p, local->a), *b = place_of(p, local->b);
    np_word *to = place_of(p, local->to);
    if (local->op == NP_OP_RANDOM)
        return draw(p, local, a, to);
    return np_kernel_operator(local->op, local->real, p->count, a, b, p->on, to);
}

/* Returns the first lane in which it fails, else NP_KERNEL_FINE. */
static size_t run_local(const part *p, const np_local *local)
{
    np_word *to = place_of(p, local->to);
    switch (local->kind) {
    case NP_LOCAL_OPERATOR:
        return run_operator(p, local);
    case NP_LOCAL_COPY:
        memmove(to, place_of(p, local->a), p->count * sizeof *to);
        break;
    case NP_LOCAL_SET:
        np_kernel_set(p->count, place_of(p, local->a), p->on, to);
        break;
    case NP_LOCAL_SELECT:
        np_kernel_select(p->count, place_of(p, local->a), place_of(p, local->b), place_of(p, local->c), to);
        break;
    case NP_LOCAL_INDEX:
        own_indices(p, to);
        break;
    case NP_LOCAL_LIFT:
        lift(p, local, to);
        break;
    case NP_LOCAL_GLOBAL:
        np_kernel_fill(p->x->program->vector[local->a.index][0], p->count, to);
        break;
    case NP_LOCAL_TURNS:
        return np_kernel_turns(p->count, place_of(p, local->a), place_of(p, local->b), place_of(p, local->c), p->on,
                               to);
    case NP_LOCAL_OFFSET:
        return np_kernel_offset(p->count, place_of(p, local->a), place_of(p, local->b), place_of(p, local->c),
                                place_of(p, local->d), p->on, to);
    }
    return NP_KERNEL_FINE;
}

static np_status raise_index(const part *p, const np_local *local, size_t lane)
{
    np_word index = place_of(p, local->b)[lane], low = place_of(p, local->d)[lane];
    np_word extent = place_of(p, local->c)[lane];
    const char *what = p->x->code->site[local->site].what;
    if (extent <= 0)
        return NP_SITE_RAISE(p->x, local->site, NP_ERROR_INPUT,
                             "%s: index %" PRId64 " of an array without cells (processor %zu)", what, index,
                             p->base + lane);
    return NP_SITE_RAISE(p->x, local->site, NP_ERROR_INPUT,
                         "%s: index %u is %" PRId64 ", outside of %" PRId64 "..%" PRId64 " (processor %zu)", what,
                         local->dimension, index, low, low + extent - 1, p->base + lane);
}

static np_status raise_operator(const part *p, const np_local *local, size_t lane)
{
    static const char *const why[NP_OPS] = {
        [NP_OP_DIV] = "division by 0",
        [NP_OP_MOD] = "remainder of a division by 0",
        [NP_OP_POWER] = "a negative power of a whole number",
        [NP_OP_SHIFT_LEFT] = "a shift by less than 0 or more than 63 bits",
        [NP_OP_SHIFT_RIGHT] = "a shift by less than 0 or more than 63 bits",
        [NP_OP_LOG2] = "the logarithm of a number below 1",
        [NP_OP_CEIL_LOG2] = "the logarithm of a number below 1",
        [NP_OP_RANDOM] = "a random number below a bound less than 1",
        [NP_OP_TO_INT] = "a real that is no whole number of 64 bits",
        [NP_OP_FLOOR] = "a real that is no whole number of 64 bits",
    };
    const np_site *site = &p->x->code->site[local->site];
    if (local->kind == NP_LOCAL_TURNS)
        return NP_SITE_RAISE(p->x, local->site, NP_ERROR_INPUT, "the step of 'for' is 0 (processor %zu)",
                             p->base + lane);
    return NP_SITE_RAISE(p->x, local->site, NP_ERROR_INPUT, "%s: %s (processor %zu)", site->what, why[local->op],
                         p->base + lane);
}

np_status np_execute_strip(np_execution *x, const np_instruction *node, const np_frame *frame, const np_mask *mask)
{
    part p = {.x = x, .frame = frame};
    for (; p.base < frame->lanes.count; p.base += NP_STRIP) {
        p.count = frame->lanes.count - p.base < NP_STRIP ? frame->lanes.count - p.base : NP_STRIP;
        p.on = mask->on ? mask->on + p.base : NULL;
        for (uint32_t i = 0; i < node->count; i++) {
            const np_local *local = &node->local[i];
            size_t lane = run_local(&p, local);
            if (lane != NP_KERNEL_FINE)
                return local->kind == NP_LOCAL_OFFSET ? raise_index(&p, local, lane) : raise_operator(&p, local, lane);
        }
    }
    return NP_OK;
}
