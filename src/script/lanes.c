/* Masks, and the lanes of a pardo. */
#include "script/lanes.h"

/* A mask that is made: those of `before` (NULL: all) whose word in `condition` is or is not 0 as `wanted` says. */
typedef struct narrowing {
    const uint8_t *before, *returned; /* returned: NULL, or in the place of the condition: those that have not */
    const np_word *condition;
    bool wanted;
    size_t count;
    uint8_t *on;
    _Atomic size_t active;
} narrowing;

static void narrow_part(void *context, np_part part)
{
    narrowing *n = context;
    const np_range mine = np_part_of(part, n->count);
    const uint8_t *before = n->before, *returned = n->returned;
    const np_word *condition = n->condition;
    const bool wanted = n->wanted;
    uint8_t *on = n->on;
    size_t active = 0;
    if (returned)
        for (size_t i = mine.begin; i < mine.end; i++)
            active += on[i] = (!before || before[i]) && !returned[i];
    else
        for (size_t i = mine.begin; i < mine.end; i++)
            active += on[i] = (!before || before[i]) && (condition[i] != 0) == wanted;
    n->active += active;
}

static size_t narrow(np_execution *x, narrowing n)
{
    np_team_each(&x->pram->team, n.count, narrow_part, &n);
    return n.active;
}

size_t np_mask_narrow(np_execution *x, const np_frame *frame, const np_mask *mask, uint32_t condition, bool wanted,
                      uint8_t *on)
{
    return narrow(x, (narrowing){.before = mask->on,
                                 .condition = frame->vector[condition],
                                 .wanted = wanted,
                                 .count = frame->lanes.count,
                                 .on = on});
}

size_t np_mask_stay(np_execution *x, const np_frame *frame, const np_mask *mask, const np_activation *activation,
                    uint8_t *on)
{
    return narrow(
        x, (narrowing){.before = mask->on, .returned = activation->returned, .count = frame->lanes.count, .on = on});
}

/* How many processors a lane's range has. */
static uint64_t range_of(const np_frame *outer, const np_instruction *node, const np_mask *mask, size_t lane)
{
    np_word low = outer->vector[node->a][lane], high = outer->vector[node->b][lane];
    if (!np_is_on(mask, lane) || high < low)
        return 0;
    uint64_t span = (uint64_t)high - (uint64_t)low;
    return span == UINT64_MAX ? span : span + 1;
}

np_status np_make_lanes(np_execution *x, const np_instruction *node, const np_frame *outer, const np_mask *mask,
                        np_lanes *lanes)
{
    uint64_t all = 0;
    for (size_t i = 0; i < outer->lanes.count && all < UINT32_MAX; i++) {
        uint64_t more = range_of(outer, node, mask, i);
        all = more > UINT32_MAX - all ? UINT32_MAX : all + more;
    }
    if (all >= UINT32_MAX)
        return NP_SITE_RAISE(x, node->site, NP_ERROR_LIMIT, "a pardo of more than %u processors", UINT32_MAX - 1);
    *lanes = (np_lanes){.count = (size_t)all, .first = outer->vector[node->a][0]};
    if (outer->lanes.count == 1)
        return NP_OK;
    uint32_t *parent;
    np_word *index;
    np_status st;
    if ((st = np_stack_take(&x->stack, &parent, lanes->count, sizeof *parent)) ||
        (st = np_stack_take(&x->stack, &index, lanes->count, sizeof *index)))
        return st;
    size_t at = 0;
    for (size_t i = 0; i < outer->lanes.count; i++) {
        uint64_t count = range_of(outer, node, mask, i);
        for (uint64_t k = 0; k < count; k++, at++) {
            parent[at] = (uint32_t)i;
            index[at] = (np_word)((uint64_t)outer->vector[node->a][i] + k);
        }
    }
    lanes->parent = parent;
    lanes->index = index;
    return NP_OK;
}
