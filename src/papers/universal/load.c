/*
 * The load factor of a step (Leighton, Maggs, Ranade & Rao 1994, section 7). The packets of a group must pass through
 * the up channels above its leaves and the down channels above its home, up to the level where these ways meet. Packets
 * of one group combine, so the group counts once for a channel. The paper counts destinations. Here two links of a
 * guest into one node are two groups, because their packets stay two.
 *
 * The leaves of a group are in ascending order. So whatever part of its way up a leaf shares with any earlier leaf, it
 * shares with the leaf just before it; and the shared part is the upper part of the way. If the way of the earlier leaf
 * left the common part to go down to the home, the way of this leaf does so too.
 */
#include "papers/universal/load.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/order.h"
#include "model/family/fat_tree.h"

static void layout(void *object, np_arena *arena)
{
    np_spread *spread = object;
    np_arena_array(arena, &spread->row, (size_t)spread->groups + 1, sizeof *spread->row, "the rows");
    np_arena_array(arena, &spread->leaf, spread->members, sizeof *spread->leaf, "the leaves");
    np_arena_array(arena, &spread->home, spread->groups, sizeof *spread->home, "the homes");
}

void np_spread_clear(np_spread *spread)
{
    np_memory_free(spread->block);
    *spread = (np_spread){0};
}

np_status np_spread_of(const np_guest *guest, const np_shape *shape, const np_node *place, np_spread *out)
{
    uint32_t end = 0;
    *out = (np_spread){.groups = guest->groups, .members = guest->row[guest->groups]};
    np_status st = np_arena_place(out, layout, "the leaves of a guest's links", &out->block);
    if (st)
        return st;
    for (uint32_t g = 0; g < guest->groups; g++) {
        uint32_t begin = guest->row[g], count = guest->row[g + 1] - begin, *leaf = out->leaf + end;
        for (uint32_t i = 0; i < count; i++) /* end <= begin */
            leaf[i] = place[guest->member[begin + i]] / shape->mesh;
        if (count > 1)
            qsort(leaf, count, sizeof *leaf, np_order_numbers);
        out->row[g] = end;
        out->home[g] = guest->head ? place[guest->head[g]] / shape->mesh : leaf[count / 2];
        for (uint32_t i = 0; i < count; i++)
            if (!i || leaf[i] != out->leaf[end - 1])
                out->leaf[end++] = leaf[i];
    }
    out->row[guest->groups] = end;
    return NP_OK;
}

uint32_t np_spread_leaving(const np_spread *spread)
{
    uint32_t packets = 0;
    for (uint32_t g = 0; g < spread->groups; g++)
        for (uint32_t i = spread->row[g]; i < spread->row[g + 1]; i++)
            packets += spread->leaf[i] != spread->home[g];
    return packets;
}

void np_spread_visit(const np_spread *spread, const np_shape *shape, uint32_t group,
                     void (*channel)(void *context, uint32_t level, uint32_t vertex, bool up), void *context)
{
    uint32_t highest = 0, fan = shape->fan, begin = spread->row[group], home = spread->home[group];
    for (uint32_t i = begin; i < spread->row[group + 1]; i++) {
        uint32_t leaf = spread->leaf[i], top = np_fat_tree_meet(fan, leaf, home);
        uint32_t shared = i > begin ? np_fat_tree_meet(fan, leaf, spread->leaf[i - 1]) : top;
        highest = top > highest ? top : highest;
        for (uint32_t l = 0; l < top && l < shared; l++)
            channel(context, l, leaf >> fan * l, true);
    }
    for (uint32_t l = 0; l < highest; l++)
        channel(context, l, home >> fan * l, false);
}

/* first[l] + v: the channel above vertex v of level l. */
typedef struct channels {
    const np_shape *shape;
    uint32_t first[NP_SHAPE_HEIGHT_MAX + 1];
    uint64_t *up, *down;
    void *block;
} channels;

static void channels_layout(void *object, np_arena *arena)
{
    channels *c = object;
    np_arena_zeroed(arena, &c->up, c->first[c->shape->m], sizeof *c->up, "those upwards");
    np_arena_zeroed(arena, &c->down, c->first[c->shape->m], sizeof *c->down, "those downwards");
}

static channels channels_of(const np_shape *shape)
{
    channels c = {.shape = shape};
    for (uint32_t l = 0; l < shape->m; l++)
        c.first[l + 1] = c.first[l] + (UINT32_C(1) << shape->fan * (shape->m - l));
    return c;
}

static void count_channel(void *context, uint32_t level, uint32_t vertex, bool up)
{
    channels *c = context;
    (up ? c->up : c->down)[c->first[level] + vertex]++;
}

/* Comparing the factors is exact: they are quotients by powers of two. */
static void take_highest(const channels *c, bool up, np_universal_load *out)
{
    const uint64_t *load = up ? c->up : c->down;
    for (uint32_t level = 0; level < c->shape->m; level++) {
        uint32_t capacity = UINT32_C(1) << c->shape->grow * (level + 1);
        for (uint32_t i = c->first[level]; i < c->first[level + 1]; i++) {
            double factor = (double)load[i] / capacity;
            if (factor > out->factor)
                *out = (np_universal_load){factor, load[i], capacity, up, level, i - c->first[level]};
        }
    }
}

np_status np_spread_load(const np_spread *spread, const np_shape *shape, np_universal_load *out)
{
    channels c = channels_of(shape);
    np_status st = np_arena_place(&c, channels_layout, "the channels of a fat-tree", &c.block);
    *out = (np_universal_load){0};
    if (!st) {
        for (uint32_t g = 0; g < spread->groups; g++)
            np_spread_visit(spread, shape, g, count_channel, &c);
        take_highest(&c, true, out);
        take_highest(&c, false, out);
    }
    np_memory_free(c.block);
    return st;
}
